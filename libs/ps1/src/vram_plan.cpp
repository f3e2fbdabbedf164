#include "vram_plan.hpp"

#include <algorithm>
#include <vector>

#include "gpu.hpp"

namespace gomkit::ps1 {
namespace {

constexpr int kPageStep = 64;                          // halfwords from one page to the next
constexpr int kFrameBuffersRight = 640, kFrameBuffersBottom = 240;
constexpr std::uint16_t kGamePalettesX = 640;
constexpr std::array<std::uint16_t, layout::kTextureSlots> kGamePalettesY{256, 257, 259};   // 258 is its sprites'

std::optional<VramPoint> first_free(VramPoint from, std::uint16_t width, const std::vector<TimBlock>& taken) {
    for (int y = from.y; y + static_cast<int>(kPageSide) <= kVramHeight; y += static_cast<int>(kPageSide)) {
        for (int x = y == from.y ? from.x : 0; x + width <= kVramWidth; x += kPageStep) {
            const TimBlock page{static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), width, kPageSide};
            const bool free = !page.meets(kFrameBuffersRight, kFrameBuffersBottom) && std::none_of(taken.begin(), taken.end(), [&page](const TimBlock& b) { return page.meets(b); });
            if (free) {
                return VramPoint{page.x, page.y};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

VramPlan plan_vram(const VramWish& wish) {
    VramPlan plan;
    std::vector<TimBlock> taken;
    for (std::size_t slot = 0; slot < plan.palettes.size(); ++slot) {
        const VramPoint at = wish.palettes ? VramPoint{wish.palettes->x, static_cast<std::uint16_t>(wish.palettes->y + slot)} : VramPoint{kGamePalettesX, kGamePalettesY[slot]};
        plan.palettes[slot] = at;
        if (wish.depth < kDirectDepth) {
            taken.push_back({at.x, at.y, palette_width(wish.depth), 1});
        }
    }
    for (std::optional<VramPoint>& page : plan.pages) {
        page = first_free(wish.first, page_width(wish.depth), taken);
        if (page) {
            taken.push_back({page->x, page->y, page_width(wish.depth), kPageSide});
        }
    }
    return plan;
}

bool palettes_fit(VramPoint first, std::uint8_t depth) {
    const TimBlock all{first.x, first.y, palette_width(depth), layout::kTextureSlots};
    return all.x + all.width <= kVramWidth && all.y + all.height <= kVramHeight && !all.meets(kFrameBuffersRight, kFrameBuffersBottom);
}

}  // namespace gomkit::ps1
