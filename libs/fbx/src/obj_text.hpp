#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>

namespace gomkit::fbx {

/// What a look over an OBJ's lines tells.
struct ObjText {
    std::vector<std::string> libraries;   ///< the rest of each mtllib line, as written
    std::uint64_t points = 0;
    std::uint64_t corners = 0;            ///< of all faces
    std::uint64_t free_form = 0;          ///< curves and surfaces
    std::uint64_t unknown = 0;            ///< lines of no known keyword
    std::string unknown_word;             ///< of the first such line
    std::uint64_t unknown_line = 0;
};

/// Reads every line that geometry depends on. Errors: Malformed with line and column where a number is none, values are missing or
/// an index points at nothing; NotThisFormat for what is no such text; LimitExceeded.
[[nodiscard]] core::Result<ObjText> look_over_obj(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits);

/// Whether the bytes can be nothing else: known words only, and a point among them.
[[nodiscard]] bool looks_like_obj(std::span<const std::byte> bytes);

}  // namespace gomkit::fbx
