#pragma once

#include <gomkit/core/file.hpp>

#include "document.hpp"
#include "dxa.hpp"

namespace gomkit::mv1 {

/// The decoded buffer of a document: every struct and block at its own offset, zeros elsewhere.
[[nodiscard]] core::Bytes encode_buffer(const Document& document);

/// The file: the buffer compressed.
[[nodiscard]] core::Bytes encode(const Document& document, DxaSearch search = DxaSearch::Exact);

}  // namespace gomkit::mv1
