#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/report.hpp>

#include "decode.hpp"
#include "document.hpp"

namespace gomkit::gom {

/// A Document as a text lists it, except that its bones are sorted by path and all that names them is renumbered.
struct TextDocument {
    Document document;
    std::vector<std::uint32_t> listed_bone;   ///< of each bone, its position in the text
    bool has_flags = false;                   ///< validationFlags stood in the text; else they are 0
};

/// Something wrong with a text, found while it was read.
struct TextFinding {
    core::IssueId id = core::IssueId::GOMT_SYNTAX;
    std::string path;                         ///< "Meshes[3].vertices[17].bi[2]"
    std::size_t offset = 0;
    std::string what;                         ///< in place of the row's own sentence; may be empty
    std::string found;
    std::string expected;
    std::vector<core::Arg> arguments;         ///< those that the issue's row names
    std::uint64_t count = 1;                  ///< more than 1: others of this kind, further on
};

/// The grammar, the fields and the skeleton, up to the first fault: the contents are judged by read_text. `collect` (may be null)
/// receives every fault instead, as far as reading can go on; the result is good only when it stays empty of errors.
[[nodiscard]] core::Result<TextDocument> parse_text(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options,
                                                    core::Report& report, std::vector<TextFinding>* collect = nullptr);

/// Reads a GOMT0001 file (gomt.md) as a strict loader does: the first violated rule of severity error is the Error, with line,
/// column and the path of the field. Lenient, it also reads the earlier generation and warns once a file and kind. Undefined flag
/// bits of validationFlags stay (a writer drops them). Nothing is reserved before its text was there.
[[nodiscard]] core::Result<TextDocument> read_text(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options,
                                                   core::Report& report);

/// True when the text begins as the earlier generation did, with the name of an entry and '='. Looks at no more than its first 4 KiB.
[[nodiscard]] bool begins_like_old_text(std::span<const std::byte> bytes);

}  // namespace gomkit::gom
