#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gomkit::ps1 {

/// The console's pixel of a texel that is not drawn, and the one that stands for black where it is.
inline constexpr std::uint16_t kTransparent = 0x0000;
inline constexpr std::uint16_t kOpaqueBlack = 0x8000;

struct Indexed {
    std::vector<std::uint16_t> palette;   ///< as many entries as asked for, unused ones 0x0000
    std::vector<std::uint16_t> texels;    ///< indices
    std::size_t colours = 0;              ///< that there were
};

/// Reduces rows of the console's pixels to a palette (GPU-PICTURE-2, GPU-PICTURE-3, GPU-PICTURE-5). Pixels have no mark but for kOpaqueBlack.
[[nodiscard]] Indexed indexed(std::span<const std::uint16_t> pixels, std::size_t width, std::size_t entries, bool dither);

}  // namespace gomkit::ps1
