#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <gomkit/core/file.hpp>

namespace gomkit::kit {

/// Gives the next bytes of a file: fills the front of the buffer, which is never empty, and returns how many it put there; 0 at the end.
/// What it returns as an error ends the work with that error.
using Stream = std::function<core::Result<std::size_t>(std::span<std::byte>)>;

/// A file to work on: its name and, when the caller has them already, its bytes, or where they come from.
struct Input {
    std::string path;                      ///< UTF-8; names the file in messages and says where its side files lie, also when the content is given
    std::optional<core::FileBytes> bytes;  ///< empty: from `stream`, or read from `path`
    Stream stream;                         ///< read to its end when the work begins, so an Input with one serves once

    Input() = default;
    Input(std::string file_path) : path(std::move(file_path)) {}  // NOLINT: a path is an input
    Input(const char* file_path) : path(file_path) {}             // NOLINT
    Input(std::string file_path, core::FileBytes content) : path(std::move(file_path)), bytes(std::move(content)) {}
    Input(std::string file_path, Stream content) : path(std::move(file_path)), stream(std::move(content)) {}

    /// Whether `path` is only a name.
    [[nodiscard]] bool is_given() const { return bytes.has_value() || stream != nullptr; }
};

}  // namespace gomkit::kit
