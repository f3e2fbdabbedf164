#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tim.hpp"

namespace gomkit::ps1 {

/// A texture of kPageSide x kPageSide texels, as all texture coordinates of a PS1M take it.
struct PagedTexture {
    std::uint8_t depth = 1;               ///< as Tim has it
    std::vector<std::uint16_t> palette;   ///< palette_width() of the console's pixels; 0x0000 is transparent
    std::vector<std::uint16_t> texels;    ///< rows from the top: indices, or pixels with kDirectDepth
    std::size_t colours = 0;              ///< with a palette: how many the page had before it was reduced
};

/// Makes one of an RGBA picture with straight alpha (GPU-PICTURE-1 to GPU-PICTURE-3, GPU-PICTURE-5). Both sides are at least 1.
[[nodiscard]] PagedTexture page_of(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba, std::uint8_t depth, bool dither);

}  // namespace gomkit::ps1
