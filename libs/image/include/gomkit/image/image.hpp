#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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

/// Whether the bytes are to be read as a picture: PNG, JPEG and BMP by how they begin, TGA by its footer or by the ending .tga of `file`.
[[nodiscard]] bool is_image(std::span<const std::byte> bytes, std::string_view file);

/// Reads a PNG, JPEG, TGA or BMP. 16 bits a channel lose the lower 8, palettes and grey become RGBA; gamma, colour profiles and the orientation in
/// Exif are not applied. An alpha channel of a BMP, or of a TGA that announces none, counts only where it is not 0 everywhere. The size is compared with the limits,
/// and with what the file's bytes can hold at most, before there is memory for pixels. `file` is what errors name. Errors: NotThisFormat,
/// LimitExceeded, Truncated, Malformed, Unsupported (CMYK and arithmetic JPEG, RLE BMP, TGA from right to left).
[[nodiscard]] core::Result<Image> read_image(std::span<const std::byte> bytes, const std::string& file, const ImageLimits& limits = {});

/// The picture as PNG, RGB where every pixel is opaque and RGBA otherwise, with fixed filter and compression: one picture gives one sequence
/// of bytes for one version of the compressor. Sides are 1 to 1,000,000. Nothing in it says when or where it was made.
[[nodiscard]] core::Bytes write_png(const Image& image);

}  // namespace gomkit::image
