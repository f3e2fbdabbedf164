#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/model/extras.hpp>

/// A KM3 in memory, in the format's own words and order, with the stored float32 values. Boxes, offsets and the header are derived:
/// encode makes them. A Document keeps what the page asks of a writer: parents stand before their children, every extension unit
/// is in one chain, bit 0 of type is set, roots have weights of 1, a triangle repeats its third corner everywhere.
namespace gomkit::km3 {

using Document = model::Km3Extras;
using Unit = model::Km3Unit;
using Vec4f = std::array<float, 4>;
using Quad = std::array<std::uint16_t, 4>;
using QuadUv = std::array<float, 8>;

inline constexpr std::uint32_t kNoName = 0xFFFFFFFFu;

[[nodiscard]] inline bool is_triangle(const Quad& vid) { return vid[2] == vid[3]; }

/// The ordinary unit that each record belongs to: itself, or the one whose chain it is in.
[[nodiscard]] std::vector<std::uint32_t> base_units(const Document& document);

/// The origin of each record in model space at rest, W(base): the sum of the stored float32 origins along the chain of parents, in double.
[[nodiscard]] std::vector<std::array<double, 3>> rest_origins(const Document& document);

/// |n| is 1 as nearly as float32 says it: such a normal is taken as it stands.
[[nodiscard]] bool is_unit_length(const Vec4f& normal);

}  // namespace gomkit::km3
