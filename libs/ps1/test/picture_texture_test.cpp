#include "picture_texture.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace gomkit::ps1 {
namespace {

std::uint16_t texel(const PagedTexture& t, std::size_t x, std::size_t y) { return t.palette[t.texels[y * kPageSide + x]]; }

// covers GPU-PICTURE-1, GPU-PICTURE-2
TEST(PictureTexture, FewColoursStayAsTheyAre) {
    // red, black / transparent, white: each a quarter of the page
    const std::vector<std::uint8_t> rgba{255, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 127, 255, 255, 255, 255};
    const PagedTexture t = page_of(2, 2, rgba);
    EXPECT_EQ(texel(t, 0, 0), 0x001F);
    EXPECT_EQ(texel(t, 127, 127), 0x001F);
    EXPECT_EQ(texel(t, 128, 0), 0x8000);
    EXPECT_EQ(texel(t, 0, 128), 0x0000);
    EXPECT_EQ(texel(t, 255, 255), 0x7FFF);
    EXPECT_EQ(t.palette[0], 0x0000);
    const std::vector<std::uint8_t> nothing{1, 2, 3, 0};
    EXPECT_EQ(texel(page_of(1, 1, nothing), 77, 77), 0x0000);
}

// covers GPU-PICTURE-1
TEST(PictureTexture, LargerPicturesAreAveraged) {
    std::vector<std::uint8_t> rgba;
    for (int y = 0; y < 256; ++y) {
        for (int x = 0; x < 512; ++x) {   // pairs of 8 and 24, and of a colour beside a transparent one
            const int left = y < 128 ? (x % 2 == 0 ? 8 : 24) : (x % 2 == 0 ? 80 : 0);
            const int alpha = y < 128 || x % 2 == 0 ? 255 : 1;
            for (const int c : {left, 0, 248, alpha}) {
                rgba.push_back(static_cast<std::uint8_t>(c));
            }
        }
    }
    const PagedTexture t = page_of(512, 256, rgba);
    EXPECT_EQ(texel(t, 3, 3), 2 | 31 << 10);
    EXPECT_EQ(texel(t, 3, 200), 9 | 31 << 10);   // 79 of 8 bits: the transparent one hardly counts
}

// covers GPU-PICTURE-3
TEST(PictureTexture, ManyColoursBecomeNearOnes) {
    std::vector<std::uint8_t> rgba;
    for (int y = 0; y < 256; ++y) {
        for (int x = 0; x < 256; ++x) {
            for (const int c : {x, y, 255 - (x + y) / 2, y < 4 ? 0 : 255}) {
                rgba.push_back(static_cast<std::uint8_t>(c));
            }
        }
    }
    const PagedTexture t = page_of(256, 256, rgba);
    EXPECT_EQ(std::set<std::uint16_t>(t.palette.begin(), t.palette.end()).size(), 256u);
    int worst = 0;
    for (std::size_t y = 4; y < 256; ++y) {
        for (std::size_t x = 0; x < 256; ++x) {
            const std::uint16_t found = texel(t, x, y);
            ASSERT_NE(found, 0);
            for (std::size_t c = 0; c < 3; ++c) {
                worst = std::max(worst, std::abs((found >> 5 * c & 31) - (rgba[4 * (256 * y + x) + c] >> 3)));
            }
        }
    }
    EXPECT_LE(worst, 3);
    EXPECT_EQ(texel(t, 100, 3), 0);
}

// covers GPU-PICTURE-4
TEST(PictureTexture, LiesWhereTheGameHasIt) {
    PagedTexture t;
    t.palette[1] = 0x1234;
    t.texels.assign(kPageSide * kPageSide, 0);
    t.texels[kPageSide + 2] = 1;
    t.texels[kPageSide + 3] = 7;
    Vram vram;
    const TexturePlace first = upload(t, 0, vram);
    EXPECT_EQ(first.page, 0x8A);
    EXPECT_EQ(first.clut, 0x4028);
    EXPECT_EQ(vram.at(641, 1), 0x0701);
    EXPECT_EQ(vram.at(641, 256), 0x1234);
    const TexturePlace second = upload(t, 1, vram);
    EXPECT_EQ(second.page, 0x8C);
    EXPECT_EQ(second.clut, 0x4068);
    EXPECT_EQ(upload(t, 2, vram).page, 0x8E);
    EXPECT_EQ(vram.at(896 + 1, 1), 0x0701);
}

}  // namespace
}  // namespace gomkit::ps1
