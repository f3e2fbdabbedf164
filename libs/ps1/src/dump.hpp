#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <gomkit/core/error.hpp>

namespace gomkit::ps1 {

/// One line for each field, in the order of the file's header: offset, bytes, place, value, rule. `part` takes one place and what lies in it
/// ("bone[3]", "clip"); an error (Usage) when nothing has that place. What keeps the file from being read ends the dump with a line that says so.
[[nodiscard]] core::Result<std::string> dump(std::span<const std::byte> bytes, const std::string& file, std::string_view part);

}  // namespace gomkit::ps1
