// 8-bit RGB PNG with a deflate of its own, so that the bytes do not depend on any library's version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hero {

// `rgb`: width * height * 3 bytes, rows from the top.
std::vector<std::byte> encode_png(const std::vector<std::uint8_t>& rgb, std::size_t width, std::size_t height);

}  // namespace hero
