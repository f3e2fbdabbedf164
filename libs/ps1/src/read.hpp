#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/report.hpp>

#include "document.hpp"

/// The one pass over the bytes that decode and check share, so that they agree on what a file is.
namespace gomkit::ps1 {

/// Where the sections lie; 0 for those that are not there.
struct Sections {
    std::size_t header = 0;      ///< 40 or 48
    std::size_t vertices = 0, triangles = 0, bones = 0, clips = 0, ik = 0, edges = 0, quads = 0;
    std::vector<std::size_t> frames;   ///< of each clip
};

using Finding = std::function<void(core::IssueId, std::string part, std::size_t byte, std::vector<core::Arg> arguments)>;

/// Tells every finding in the file's order. Nothing: what was told makes reading on meaningless. Memory stays within a small multiple of
/// the file, because sections lie inside it and do not overlap.
[[nodiscard]] std::optional<Document> read(std::span<const std::byte> bytes, const Finding& found, Sections& sections);

/// A rule about what the console has room for, or relies on in what it draws: the checker's errors, which do not keep a file from being read.
[[nodiscard]] bool is_checkers(core::IssueId id);

/// The row's text with its arguments.
[[nodiscard]] std::string finding_text(core::IssueId id, const std::vector<core::Arg>& arguments);

/// Whether the bytes begin as a PS1M does.
[[nodiscard]] bool has_magic(std::span<const std::byte> bytes);

/// "vertex[17]"
[[nodiscard]] std::string indexed(std::string_view name, std::size_t index);

/// Little-endian; the caller has made sure that the bytes are there.
[[nodiscard]] std::uint16_t load16(std::span<const std::byte> bytes, std::size_t at);
[[nodiscard]] std::uint32_t load32(std::span<const std::byte> bytes, std::size_t at);

}  // namespace gomkit::ps1
