#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/model/model.hpp>

#include "lathe.hpp"

/// The page that bodies of rings are textured with (docs/spec/ps1m.md, PS1M-LATHE-4).
namespace gomkit::ps1::lathe {

struct Atlas {
    codec::Picture page;                     ///< kPageSide x kPageSide
    std::vector<std::uint32_t> pictures;     ///< of Model::textures, those that it was made of
};

/// Draws what the bodies took the place of into their rectangles. `height`: of the figure. `model`: that of the materials. Errors: those of `open`.
[[nodiscard]] core::Result<Atlas> bake(std::span<const Replaced> parts, double height, const model::Model& model, const codec::OpenPicture& open);

/// A picture's colour at a texture coordinate (V down), between the middles of its pixels. Pixels at the border go on to it; coordinates beyond 0 to 1 repeat.
[[nodiscard]] std::array<std::uint8_t, 4> sample(const codec::Picture& picture, const model::Vec2& uv);

}  // namespace gomkit::ps1::lathe
