#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>

#include "document.hpp"

namespace gomkit::km3 {

struct DecodeOptions {
    core::Limits limits;     ///< max_bones counts records, max_vertices vertices and normals, max_indices corners
    bool strict = false;     ///< also refuse what the page marks with a dagger
};

/// Reads a KM3. The first violated rule is the Error, with its place; its first note is "rule <id>". What a lenient reader takes is
/// mended on the way (docs/spec/km3.md, reading): weights clamped, units put in order, orphans dropped. Nothing is reserved before
/// all counts were compared with the limits and the bytes that are there. Warnings are check()'s business.
[[nodiscard]] core::Result<Document> decode(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options);

}  // namespace gomkit::km3
