#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "layout.hpp"
#include "tim.hpp"

namespace gomkit::ps1 {

inline constexpr VramPoint kFirstPage{640, 0};   ///< to the right of the frame buffers

/// Where the textures of the slots are to be.
struct VramWish {
    std::uint8_t depth = 1;                 ///< as Tim has it
    VramPoint first = kFirstPage;           ///< pages are looked for from here on
    std::optional<VramPoint> palettes;      ///< of slot 0, those of the others below; none: where the game has them
};

/// Places by slot, whether it is used or not.
struct VramPlan {
    std::array<std::optional<VramPoint>, layout::kTextureSlots> pages;   ///< none: no room is left
    std::array<VramPoint, layout::kTextureSlots> palettes{};             ///< of no meaning with kDirectDepth
};

/// Gives each slot in turn the first page that meets no frame buffer, no palette and no page before it (GPU-TIM-6).
[[nodiscard]] VramPlan plan_vram(const VramWish& wish);

/// Whether three palettes from there on lie in memory and outside of the frame buffers.
[[nodiscard]] bool palettes_fit(VramPoint first, std::uint8_t depth);

}  // namespace gomkit::ps1
