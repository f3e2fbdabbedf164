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

/// Halfwords for a rectangle of the processor's memory.
struct TimBlock {
    std::uint16_t x = 0, y = 0, width = 0, height = 0;
    std::size_t data = 0;   ///< offset in the file
    [[nodiscard]] bool meets(int right, int bottom) const { return x < right && y < bottom; }
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
