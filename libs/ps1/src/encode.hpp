#pragma once

#include <gomkit/core/file.hpp>

#include "document.hpp"

namespace gomkit::ps1 {

/// The bytes of the newest generation, sections in the page's order (PS1M-WRITE-1). A Document that decode() gave always encodes; one made
/// otherwise keeps what document.hpp says, and every frame has a rotation for each bone and a translation for each slot.
[[nodiscard]] core::Bytes encode(const Document& document);

}  // namespace gomkit::ps1
