#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>

namespace gomkit::km3 {

/// The file as text lines "offset  bytes  field  value  rule", every field, vertex, polygon and texture name one line. `part` selects a
/// place and what lies below it ("header", "unit[3]", "unit[3].verts[17]", "names"); "" is everything. What lies outside the file is
/// named in the line where it is missing; arrays beyond the limits on vertices and corners are not gone through. Errors: Usage when nothing has that place.
[[nodiscard]] core::Result<std::string> dump(std::span<const std::byte> bytes, const std::string& file, std::string_view part, const core::Limits& limits);

}  // namespace gomkit::km3
