#pragma once

#include <optional>
#include <string>
#include <utility>

#include <gomkit/core/file.hpp>

namespace gomkit::kit {

/// A file to work on: its name and, when the caller has them already, its bytes.
struct Input {
    std::string path;                      ///< UTF-8; names the file in messages also when `bytes` are given
    std::optional<core::FileBytes> bytes;  ///< empty: read from `path`

    Input() = default;
    Input(std::string file_path) : path(std::move(file_path)) {}  // NOLINT: a path is an input
    Input(const char* file_path) : path(file_path) {}             // NOLINT
    Input(std::string file_path, core::FileBytes content) : path(std::move(file_path)), bytes(std::move(content)) {}
};

}  // namespace gomkit::kit
