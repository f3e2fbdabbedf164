#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <gomkit/codec/codec.hpp>

namespace gomkit::mv1 {

/// Text lines "offset  bytes  field  value" of the decoded buffer, every field one line, every position, vertex, triangle and key
/// one; `part` selects "header", "frame[3]" and the like, and what lies below. Errors: as decode() has them; Usage when nothing has
/// that name.
[[nodiscard]] core::Result<std::string> dump(std::span<const std::byte> bytes, const std::string& file, std::string_view part,
                                             const codec::ReadOptions& options);

}  // namespace gomkit::mv1
