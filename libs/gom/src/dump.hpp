#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <gomkit/core/error.hpp>

namespace gomkit::gom {

/// The file, a GOM or an MTA, as text lines "offset  bytes  field  value  rule", every field one line and every vertex, index and key one. `part`
/// selects a place and what lies below it ("header", "STR0", "MSH0[3].VB0", "CLP0[0].track[2]"); "" is everything. A damaged file
/// is dumped up to where it stops making sense, which the last line then says. Errors: Usage when nothing has that place.
[[nodiscard]] core::Result<std::string> dump(std::span<const std::byte> bytes, const std::string& file, std::string_view part);

}  // namespace gomkit::gom
