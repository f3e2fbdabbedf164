#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu.hpp"
#include "scene.hpp"
#include "tim.hpp"

namespace gomkit::ps1 {

inline constexpr std::size_t kPageSide = 256;   ///< texels

/// A texture of 256 x 256 texels of 8 bits.
struct PagedTexture {
    std::array<std::uint16_t, 256> palette{};   ///< the console's pixels; 0x0000 is transparent
    std::vector<std::uint8_t> texels;           ///< rows from the top
};

/// Makes one of an RGBA picture with straight alpha (GPU-PICTURE-1 to GPU-PICTURE-3). Both sides are at least 1.
[[nodiscard]] PagedTexture page_of(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba);

/// Where the game has the texture of the slot, 0 to 2, and its palette (GPU-PICTURE-4).
[[nodiscard]] TimBlock page_block(std::size_t slot);
[[nodiscard]] TimBlock palette_block(std::size_t slot);

/// Puts it where the game has the texture of the slot, 0 to 2 (GPU-PICTURE-4).
[[nodiscard]] TexturePlace upload(const PagedTexture& texture, std::size_t slot, Vram& vram);

}  // namespace gomkit::ps1
