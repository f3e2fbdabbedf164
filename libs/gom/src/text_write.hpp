#pragma once

#include <cstdint>
#include <string>

#include <gomkit/core/error.hpp>
#include <gomkit/core/file.hpp>

#include "document.hpp"

namespace gomkit::gom {

/// The shortest text of a number that reads back as the same float32 (GOMT-CANON-9). The number is finite.
[[nodiscard]] std::string float_text(float value);

/// The canonical text of a Document (gomt.md 3). Numbers, orders and flags of the Document are written as they stand; canonicalise
/// settles them. Total for a valid Document. LimitExceeded, and no more memory taken, when the text is longer than `most` bytes.
[[nodiscard]] core::Result<core::Bytes> write_text(const Document& document, std::uint64_t most);

}  // namespace gomkit::gom
