#pragma once

#include <cstddef>

#include <gomkit/core/file.hpp>

#include "document.hpp"

namespace gomkit::ps1 {

/// Bytes of the sections, padding behind the bones included.
struct SectionSizes {
    std::size_t vertices = 0, triangles = 0, bones = 0, clips = 0, frames = 0, ik = 0, edges = 0, quads = 0;
    [[nodiscard]] std::size_t file() const;      ///< with the header
};
[[nodiscard]] SectionSizes section_sizes(const Document& document);

/// The bytes of the newest generation, sections in the page's order (PS1M-WRITE-1). A Document that decode() gave always encodes; one made
/// otherwise keeps what document.hpp says, and every frame has a rotation for each bone and a translation for each slot.
[[nodiscard]] core::Bytes encode(const Document& document);

}  // namespace gomkit::ps1
