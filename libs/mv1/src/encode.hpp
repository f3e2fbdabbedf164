#pragma once

#include <gomkit/core/file.hpp>

#include "document.hpp"

namespace gomkit::mv1 {

/// The decoded buffer of a document: every struct and block at its own offset, zeros elsewhere.
[[nodiscard]] core::Bytes encode_buffer(const Document& document);

/// The file: the buffer compressed by DxLib's rule.
[[nodiscard]] core::Bytes encode(const Document& document);

}  // namespace gomkit::mv1
