#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>

#include "document.hpp"

namespace gomkit::gom {

struct DecodeOptions {
    core::Limits limits;
    bool lenient = false;    ///< also read the earlier generation (gom.md 19)
};

/// Reads a GOMB0001 file as a strict loader does: the first violated rule of severity error is the Error, with its place; what
/// is merely suspicious passes. Lenient, it also reads the forms of gom.md 19 and warns once a file and kind. Unknown chunks are
/// left out with a warning each. Nothing is reserved before its count was compared with the bytes that are there.
[[nodiscard]] core::Result<Document> decode(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options,
                                            core::Report& report);

/// The same for MTAB0001 (mta.md): a Document whose motion_of is set. Bones are compared with the limit on bones alone.
[[nodiscard]] core::Result<Document> decode_motion(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options,
                                                   core::Report& report);

}  // namespace gomkit::gom
