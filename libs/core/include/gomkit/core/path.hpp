#pragma once

#include <string>
#include <string_view>

namespace gomkit::core {

// Paths as source files name them: written on any system, with either separator, and not to be believed. These functions
// look at the text only and never at a disk. For paths of our own file system there are base_name() and the like in file.hpp.

/// True for a leading '/' or '\' (UNC names too), a drive ("C:\x", "C:x") and a URL ("file://x").
[[nodiscard]] bool is_absolute_path(std::string_view path);

/// What follows the last '/', '\' or drive; "" when that is nothing, "." or "..".
[[nodiscard]] std::string source_base_name(std::string_view path);

/// '/' as the only separator, without empty and "." components, and without "x/.." pairs. ".." components that have nothing to
/// cancel stay in front ("../a/../b" is "../b"). Of an absolute path the root is dropped: ask is_absolute_path() first.
[[nodiscard]] std::string normalised_path(std::string_view path);

/// The path a model stores for a file that its source names so (docs/spec/gom.md, MATL): normalised; only the base name where
/// the path is absolute or a ".." remains; "" where nothing is left.
[[nodiscard]] std::string stored_path(std::string_view path);

/// True when `path` may be opened or written below a folder: not empty, no '\', no drive or URL, no leading '/', no NUL, and no
/// component that is empty, "." or "..".
[[nodiscard]] bool is_inside_path(std::string_view path);

}  // namespace gomkit::core
