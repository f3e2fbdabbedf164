#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gomkit::gom {

/// The path in a text of a place in its encoded form: "MSH0[0].VB0.vertex[2].uv0[1]" is "Meshes[0].vertices[2].uv[1]".
/// `listed_bone` gives the position in the text of each bone. What has no counterpart gives the nearest thing around it, or "".
[[nodiscard]] std::string text_path_of(std::string_view part, std::span<const std::uint32_t> listed_bone);

/// The offsets of the values at these paths, in a text that parse_text takes; of what is not there, the nearest thing around it,
/// and 0 where there is none. Elements of matrices are numbered from 0 to 15 whether or not the text has rows.
[[nodiscard]] std::vector<std::size_t> find_text_paths(std::string_view text, std::span<const std::string> paths);

/// The same for one.
[[nodiscard]] std::size_t find_text_path(std::string_view text, const std::string& path);

}  // namespace gomkit::gom
