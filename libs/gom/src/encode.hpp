#pragma once

#include <cstdint>

#include <gomkit/core/file.hpp>

#include "document.hpp"

namespace gomkit::gom {

/// The canonical bytes of a Document (gom.md 20; mta.md where motion_of is set): strings sorted and packed, chunks in written order, bounds by the float rule,
/// the chunk table last. Numbers, orders and flags of the Document are written as they stand; canonicalise settles them.
/// Total: a Document that breaks rules gives a file that breaks them, as long as its counts fit the format's fields.
[[nodiscard]] core::Bytes encode(const Document& document);

/// How many bytes encode would give; more than 4 GiB is more than a file can have.
[[nodiscard]] std::uint64_t encoded_size(const Document& document);

}  // namespace gomkit::gom
