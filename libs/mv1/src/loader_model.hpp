#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gomkit::mv1 {

/// What DxLib's loader would do with a decoded buffer: "" when it would come through with everything set, else why not. Written from
/// the format page with its own offsets, and shares nothing with the rest of the library: it walks chains by DimNext, puts elements
/// where their Index says, resolves offsets through the Index of what they lead to, carves memory from the header's counters, expands
/// weights, vertices and keys into it, and propagates a change from every frame through the change tables.
[[nodiscard]] std::string load_as_dxlib(std::span<const std::byte> buffer);

}  // namespace gomkit::mv1
