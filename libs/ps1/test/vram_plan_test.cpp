#include "vram_plan.hpp"

#include <gtest/gtest.h>

namespace gomkit::ps1 {
namespace {

using Pages = std::array<std::optional<VramPoint>, 3>;

VramPoint at(int x, int y) { return {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)}; }

// covers GPU-PICTURE-4, GPU-TIM-6
TEST(VramPlan, ByDefaultIsTheGames) {
    const VramPlan plan = plan_vram({});
    EXPECT_EQ(plan.pages, (Pages{at(640, 0), at(768, 0), at(896, 0)}));
    EXPECT_EQ(plan.palettes, (std::array{at(640, 256), at(640, 257), at(640, 259)}));
    // The words of the game's own table.
    EXPECT_EQ(page_word(*plan.pages[0], 1), 0x008A);
    EXPECT_EQ(page_word(*plan.pages[1], 1), 0x008C);
    EXPECT_EQ(page_word(*plan.pages[2], 1), 0x008E);
    EXPECT_EQ(clut_word(plan.palettes[0]), 0x4028);
    EXPECT_EQ(clut_word(plan.palettes[1]), 0x4068);
    EXPECT_EQ(clut_word(plan.palettes[2]), 0x40E8);
    EXPECT_EQ(page_word(at(896, 0), 0), 0x000E);   // its sprites
}

// covers GPU-TIM-6
TEST(VramPlan, PagesAreAsWideAsTheirTexels) {
    EXPECT_EQ(plan_vram({0, kFirstPage, {}}).pages, (Pages{at(640, 0), at(704, 0), at(768, 0)}));
    EXPECT_EQ(plan_vram({2, kFirstPage, {}}).pages, (Pages{at(640, 0), at(0, 256), at(256, 256)}));   // 896 is too far to the right; no palette is in the way
}

// covers GPU-TIM-6
TEST(VramPlan, FrameBuffersAndPalettesAreLeftAlone) {
    EXPECT_EQ(plan_vram({1, at(0, 0), {}}).pages, (Pages{at(640, 0), at(768, 0), at(896, 0)}));
    EXPECT_EQ(plan_vram({1, at(576, 256), {}}).pages, (Pages{at(896, 256), std::nullopt, std::nullopt}));   // from 576 on it would meet the palettes at 640
    EXPECT_EQ(plan_vram({1, at(576, 256), at(0, 240)}).pages, (Pages{at(576, 256), at(704, 256), at(832, 256)}));
    EXPECT_EQ(plan_vram({0, at(640, 0), at(704, 250)}).pages, (Pages{at(640, 0), at(768, 0), at(832, 0)}));
    EXPECT_EQ(plan_vram({1, at(640, 0), at(640, 256)}).palettes, (std::array{at(640, 256), at(640, 257), at(640, 258)}));
}

// covers GPU-TIM-6
TEST(VramPlan, WhatDoesNotFitHasNoPage) {
    EXPECT_EQ(plan_vram({2, at(768, 256), {}}).pages, (Pages{at(768, 256), std::nullopt, std::nullopt}));
    EXPECT_EQ(plan_vram({2, at(832, 256), {}}).pages, (Pages{}));
}

TEST(VramPlan, PalettesLieInMemoryAndOutsideOfTheFrameBuffers) {
    EXPECT_TRUE(palettes_fit(at(768, 509), 1));
    EXPECT_FALSE(palettes_fit(at(784, 509), 1));
    EXPECT_TRUE(palettes_fit(at(1008, 509), 0));
    EXPECT_FALSE(palettes_fit(at(1008, 510), 0));
    EXPECT_TRUE(palettes_fit(at(624, 240), 0));
    EXPECT_FALSE(palettes_fit(at(624, 239), 0));
    EXPECT_TRUE(palettes_fit(at(640, 0), 0));
}

}  // namespace
}  // namespace gomkit::ps1
