#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "layout.hpp"
#include "rig.hpp"

namespace gomkit::ps1 {

/// The texture slot of each of model.materials, and behind them that of no material (PS1M-CONV-8). A material called slot_0, slot_1 or slot_2, or
/// so with more behind it, has that slot. The others share a slot where they have one picture; pictures take the free slots in the order in which triangles
/// use them, and those without a picture the first slot that is free then, or slot 0 (reported). Errors: CannotConvert where three slots are too few and `share` is false; with it the rest takes the last one (reported).
[[nodiscard]] core::Result<std::vector<std::uint8_t>> texture_slots(const model::Model& model, const Rig& rig, bool share, core::Report& report);

/// The picture that a material draws, as an index of model.textures; none also for a picture without a name, and where there is no such material.
[[nodiscard]] std::optional<std::uint32_t> picture_index(const model::Model& model, std::size_t material);

/// Whether both are one picture: by their paths.
[[nodiscard]] bool same_picture(const model::Texture& a, const model::Texture& b);

/// The pictures that each slot shows, as indices of model.textures, each once, in the order in which triangles use them. `slots` is of texture_slots().
using SlotPictures = std::array<std::vector<std::uint32_t>, layout::kTextureSlots>;
[[nodiscard]] SlotPictures slot_pictures(const model::Model& model, const Rig& rig, const std::vector<std::uint8_t>& slots);

}  // namespace gomkit::ps1
