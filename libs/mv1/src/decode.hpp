#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <gomkit/core/error.hpp>
#include <gomkit/core/file.hpp>
#include <gomkit/core/limits.hpp>

#include "document.hpp"
#include "finding.hpp"

namespace gomkit::mv1 {

inline constexpr std::size_t kContainerHeader = 13;   ///< magic, two sizes, key

/// True when the bytes begin with "MV11".
[[nodiscard]] bool is_mv1(std::span<const std::byte> bytes);

/// The decoded buffer of a file: its magic, then what the compressed block holds.
[[nodiscard]] Checked<core::Bytes> unpack(std::span<const std::byte> file, const core::Limits& limits);

/// The structs of a decoded buffer. Accepted is what can be taken apart without doubt: every array, chain and block lies inside the
/// buffer, none on another, every block has the size its counts ask for, and every offset leads to an element of its kind
/// (links.hpp). Nothing is reserved for a count before the bytes of so many elements were seen.
[[nodiscard]] Checked<Document> decode_buffer(std::span<const std::byte> buffer, const core::Limits& limits);

/// Both, with the finding as an Error.
[[nodiscard]] core::Result<Document> decode(std::span<const std::byte> file, const std::string& name, const core::Limits& limits);

}  // namespace gomkit::mv1
