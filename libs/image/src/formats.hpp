#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <gomkit/core/error.hpp>
#include <gomkit/image/image.hpp>

/// What read_image() chooses from. Each reader is given only what its test took for its format, and throws std::bad_alloc at most.
namespace gomkit::image {

struct Source {
    std::span<const std::byte> bytes;
    std::string_view file;
    ImageLimits limits;

    [[nodiscard]] bool begins_with(std::string_view magic) const { return text().starts_with(magic); }
    [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
    /// Little-endian; the bytes are there.
    [[nodiscard]] std::uint32_t u8(std::size_t at) const { return std::to_integer<std::uint32_t>(bytes[at]); }
    [[nodiscard]] std::uint32_t u16(std::size_t at) const { return u8(at) | u8(at + 1) << 8; }
    [[nodiscard]] std::uint32_t u32(std::size_t at) const { return u16(at) | u16(at + 2) << 16; }
};

[[nodiscard]] bool is_png(const Source& source);
[[nodiscard]] bool is_jpeg(const Source& source);
[[nodiscard]] bool is_tga(const Source& source);
[[nodiscard]] bool is_bmp(const Source& source);

[[nodiscard]] core::Result<Image> read_png(const Source& source);
[[nodiscard]] core::Result<Image> read_jpeg(const Source& source);
[[nodiscard]] core::Result<Image> read_tga(const Source& source);
[[nodiscard]] core::Result<Image> read_bmp(const Source& source);

/// "the PNG cannot be read", with the cure for damaged files or, for Unsupported, for unusual ones.
[[nodiscard]] core::Fault unreadable(const Source& source, const char* format, core::Code code, std::string found);

/// Errors: Malformed for a side of 0, LimitExceeded, Truncated where not `can_hold`: the file is too small for such a picture however well it is packed.
[[nodiscard]] core::Result<void> check_size(const Source& source, const char* format, std::uint64_t width, std::uint64_t height, bool can_hold);

}  // namespace gomkit::image
