#pragma once
// Private. The bulk tests of verify(): each says whether everything is certainly fine. A false is no verdict: the caller then looks
// element by element, by the rule's own words. So the SSE2 and the portable path cannot lead to different results.

#include <cstddef>
#include <cstdint>

namespace gomkit::runtime::detail {

// VF01 records: all floats finite; for skinned parts also bone indices below bone_count, no weight with its sign bit set, and sums that
// are well within the tolerance. bone_count 0: unskinned.
[[nodiscard]] bool vertices_certainly_fine(const std::byte* vertices, std::size_t count, std::uint32_t bone_count) noexcept;

// u32 or u16 indices: all below vertex_count (at least 1).
[[nodiscard]] bool indices32_certainly_fine(const std::byte* indices, std::size_t count, std::uint32_t vertex_count) noexcept;
[[nodiscard]] bool indices16_certainly_fine(const std::byte* indices, std::size_t count, std::uint32_t vertex_count) noexcept;

// float_count floats in a row, all finite.
[[nodiscard]] bool floats_certainly_finite(const std::byte* floats, std::size_t float_count) noexcept;

}  // namespace gomkit::runtime::detail
