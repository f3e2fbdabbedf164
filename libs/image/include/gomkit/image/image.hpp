#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/file.hpp>

namespace gomkit::image {

/// A picture: rows from the top, pixels from the left, red, green, blue, alpha of 8 bits each; alpha is straight (not multiplied in).
struct Image {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgba;   ///< width * height * 4
    friend bool operator==(const Image&, const Image&) = default;
};

/// What is taken from one file; inclusive.
struct ImageLimits {
    std::uint32_t max_side = 16'384;              ///< pixels
    std::uint64_t max_pixels = 64ull << 20;       ///< of the whole picture
};

/// Whether the bytes begin as those of a picture that read_image() knows.
[[nodiscard]] bool is_image(std::span<const std::byte> bytes);

/// Reads a PNG of any kind. 16 bits a channel lose the lower 8, palettes and grey become RGBA; gamma and colour profiles are not applied. The
/// size is compared with the limits, and with what the file's bytes can hold at most, before there is memory for pixels. `file` is what errors
/// name. Errors: NotThisFormat, LimitExceeded, Truncated, Malformed.
[[nodiscard]] core::Result<Image> read_image(std::span<const std::byte> bytes, const std::string& file, const ImageLimits& limits = {});

/// The picture as PNG, RGB where every pixel is opaque and RGBA otherwise, with fixed filter and compression: one picture gives one sequence
/// of bytes for one version of the compressor. Sides are 1 to 1,000,000. Nothing in it says when or where it was made.
[[nodiscard]] core::Bytes write_png(const Image& image);

}  // namespace gomkit::image
