#pragma once

#include <array>
#include <cstdint>

#include <gomkit/core/file.hpp>

#include "document.hpp"

namespace gomkit::km3 {

/// The canonical bytes of a Document (docs/spec/km3.md, writing): vertex, normal, UV and texture sections, every array on a multiple of
/// 16, names pooled. Total for a valid Document whose encoded_size fits an offset.
[[nodiscard]] core::Bytes encode(const Document& document);

/// How many bytes encode would give.
[[nodiscard]] std::uint64_t encoded_size(const Document& document);

/// Minimum and maximum; zeros for nothing.
struct Box {
    std::array<float, 3> low{};
    std::array<float, 3> high{};
};
/// Of the unit's own vertices, in its own space.
[[nodiscard]] Box unit_box(const Unit& unit);
/// Of all vertices in model space at rest.
[[nodiscard]] Box whole_box(const Document& document);

}  // namespace gomkit::km3
