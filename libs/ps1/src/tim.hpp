#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <gomkit/core/error.hpp>

#include "gpu.hpp"
#include "scene.hpp"

namespace gomkit::ps1 {

inline constexpr std::uint32_t kTimMagic = 0x10;
inline constexpr std::uint32_t kTimHasPalette = 8;         ///< in the flags, beside the depth
inline constexpr std::size_t kTimBlockHeaderSize = 12;

inline constexpr std::size_t kPageSide = 256;              ///< texels of a texture page
inline constexpr std::uint8_t kDirectDepth = 2;            ///< the one without a palette
/// Of a depth: entries of a palette, texels that a halfword holds, and halfwords that a row of a page takes.
[[nodiscard]] constexpr std::uint16_t palette_width(std::uint8_t depth) { return depth == 0 ? 16 : 256; }
[[nodiscard]] constexpr std::uint16_t texels_per_halfword(std::uint8_t depth) { return depth == 0 ? 4 : depth == 1 ? 2 : 1; }
[[nodiscard]] constexpr std::uint16_t page_width(std::uint8_t depth) { return kPageSide / texels_per_halfword(depth); }

/// A place in the processor's memory, in halfwords and rows.
struct VramPoint {
    std::uint16_t x = 0, y = 0;
    friend bool operator==(const VramPoint&, const VramPoint&) = default;
};
/// What packets carry to draw with texels, or a palette, that begin there (GPU-TIM-3).
[[nodiscard]] constexpr std::uint16_t page_word(VramPoint at, std::uint8_t depth) { return static_cast<std::uint16_t>(at.x >> 6 | (at.y >> 8) << 4 | depth << 7); }
[[nodiscard]] constexpr std::uint16_t clut_word(VramPoint at) { return static_cast<std::uint16_t>(at.y << 6 | at.x >> 4); }

/// Halfwords for a rectangle of the processor's memory.
struct TimBlock {
    std::uint16_t x = 0, y = 0, width = 0, height = 0;
    std::size_t data = 0;   ///< offset in the file
    [[nodiscard]] bool meets(int right, int bottom) const { return x < right && y < bottom; }
    [[nodiscard]] bool meets(const TimBlock& other) const {
        return x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height;
    }
};

struct Tim {
    std::uint8_t depth = 0;              ///< 0: 4, 1: 8, 2: 15 bits a texel
    std::optional<TimBlock> palette;
    TimBlock pixels;
};

/// Reads where a TIM's blocks lie (docs/spec/ps1-gpu.md, section 7). Errors: NotThisFormat, Truncated, Malformed, Unsupported.
[[nodiscard]] core::Result<Tim> read_tim(std::span<const std::byte> bytes, const std::string& file);

/// Puts its blocks into memory, and says what packets carry to draw with it.
[[nodiscard]] TexturePlace upload(const Tim& tim, std::span<const std::byte> bytes, Vram& vram);

}  // namespace gomkit::ps1
