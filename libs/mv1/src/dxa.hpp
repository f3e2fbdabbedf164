#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <gomkit/core/error.hpp>
#include <gomkit/core/file.hpp>

/// The compressed block that an .mv1 is stored in (docs/spec/dxa.md).
namespace gomkit::mv1 {

/// What a decoder is willing to make of a block.
struct DxaLimits {
    std::uint64_t max_output_bytes = (1ull << 31) - 1;   ///< of the decoded data
    std::uint64_t max_ratio = 512;                 ///< decoded bytes per stored byte, beyond a free first 64 KiB
};

inline constexpr std::size_t kDxaHeader = 9;
/// What any block may decode to, whatever the ratio: the page's longest runs fit small files of zeros.
inline constexpr std::uint64_t kDxaFreeBytes = 64 * 1024;

/// Decodes a block: u32 decoded size, u32 stored size (with this header of 9 bytes), u8 key, stream. `block` is exactly the block;
/// `base` is its offset in the file, for messages. Errors: Truncated, Malformed (sizes, distances, codes that cannot be),
/// LimitExceeded. Memory is reserved only for sizes that passed the limits.
[[nodiscard]] core::Result<core::Bytes> dxa_decode(std::span<const std::byte> block, std::uint64_t base, const DxaLimits& limits);

/// How far a writer searches for matches: Exact as DxLib's own does, byte for byte (DXA-ENC-1 to DXA-ENC-5), which on tens of
/// megabytes of alike numbers takes minutes; Quick looks at the nearest candidates only (DXA-ENC-6).
enum class DxaSearch : std::uint8_t { Exact, Quick };

/// Sizes are 32-bit: `data` must be below 2^31 bytes.
[[nodiscard]] core::Bytes dxa_encode(std::span<const std::byte> data, DxaSearch search = DxaSearch::Exact);

}  // namespace gomkit::mv1
