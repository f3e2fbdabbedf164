#include "palette.hpp"
#include "picture_texture.hpp"
#include "sample.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace gomkit::ps1 {
namespace {

using test::kQuarters;

std::uint16_t texel(const PagedTexture& t, std::size_t x, std::size_t y) { return t.palette[t.texels[y * kPageSide + x]]; }

// covers GPU-PICTURE-1, GPU-PICTURE-2
TEST(PictureTexture, FewColoursStayAsTheyAre) {
    const PagedTexture t = page_of(2, 2, kQuarters, 1, false);
    EXPECT_EQ(texel(t, 0, 0), 0x001F);
    EXPECT_EQ(texel(t, 127, 127), 0x001F);
    EXPECT_EQ(texel(t, 128, 0), 0x8000);
    EXPECT_EQ(texel(t, 0, 128), 0x0000);
    EXPECT_EQ(texel(t, 255, 255), 0x7FFF);
    EXPECT_EQ(t.palette[0], 0x0000);
    const std::vector<std::uint8_t> nothing{1, 2, 3, 0};
    EXPECT_EQ(texel(page_of(1, 1, nothing, 1, false), 77, 77), 0x0000);
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
    const PagedTexture t = page_of(512, 256, rgba, 1, false);
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
    const PagedTexture t = page_of(256, 256, rgba, 1, false);
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

// covers GPU-PICTURE-2
TEST(PictureTexture, OneColourTooManyMakesTwoOne) {
    // 257 colours in 16 by 17 fields; the last row is one colour.
    std::vector<std::uint8_t> rgba;
    for (int i = 0; i < 16 * 17; ++i) {
        const int n = std::min(i, 256);
        for (const int c : {8 * (n % 16), 8 * (n / 16), 0, 255}) {
            rgba.push_back(static_cast<std::uint8_t>(c));
        }
    }
    const PagedTexture t = page_of(16, 17, rgba, 1, false);
    EXPECT_EQ(t.colours, 257u);
    std::set<std::uint16_t> found;
    std::size_t changed = 0;
    for (std::size_t y = 0; y < kPageSide; ++y) {
        for (std::size_t x = 0; x < kPageSide; ++x) {
            const std::size_t i = std::min<std::size_t>(16 * (y * 17 / kPageSide) + x / 16, 256);
            found.insert(texel(t, x, y));
            const std::size_t wanted = i % 16 | i / 16 << 5;
            changed += (texel(t, x, y) & 0x7FFF) == wanted ? 0u : 1u;
        }
    }
    EXPECT_EQ(found.size(), 256u);
    EXPECT_LE(changed, 2u * 16 * 16);   // two fields at most
    const PagedTexture all = page_of(16, 17, rgba, 2, false);
    EXPECT_TRUE(all.palette.empty());
    EXPECT_EQ(std::set<std::uint16_t>(all.texels.begin(), all.texels.end()).size(), 257u);
}

TEST(PictureTexture, OnePixelFillsThePage) {
    const std::vector<std::uint8_t> one{80, 160, 248, 255};
    for (const bool dither : {false, true}) {
        const PagedTexture t = page_of(1, 1, one, 0, dither);
        EXPECT_EQ(t.colours, 1u);
        EXPECT_EQ(t.palette[0], 10 | 20 << 5 | 31 << 10);
        EXPECT_EQ(std::set<std::uint16_t>(t.texels.begin(), t.texels.end()), std::set<std::uint16_t>{0});
    }
}

// covers GPU-PICTURE-5. Computed by hand, in sixteenths of a step of red.
TEST(PictureTexture, ErrorsAreCarriedToTheNeighbours) {
    // 10 and 11 share an entry, their mean 10 (160); 13 (208) has its own. The third 11 is 176 and 10 from its left: nearer to 208. The one below the first is
    // 176, 5 from above and 4 from above right.
    const std::vector<std::uint16_t> pixels{11, 11, 11, 11, 10, 10,
                                            11, 10, 10, 10, 10, 10,
                                            13, 13, 13, 13, 13, 13};
    const Indexed plain = indexed(pixels, 6, 2, false);
    EXPECT_EQ(plain.palette, (std::vector<std::uint16_t>{10, 13}));
    EXPECT_EQ(plain.texels, (std::vector<std::uint16_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(indexed(pixels, 6, 2, true).texels, (std::vector<std::uint16_t>{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
}

// covers GPU-PICTURE-5
TEST(PictureTexture, DitheringKeepsMeans) {
    std::vector<std::uint8_t> rgba;
    for (int y = 0; y < 256; ++y) {
        for (int x = 0; x < 256; ++x) {
            for (const int c : {x, y, 128, y < 8 ? 0 : 255}) {
                rgba.push_back(static_cast<std::uint8_t>(c));
            }
        }
    }
    // Of blocks of 16 by 16; at the page's corners no entry lies on the far side.
    const auto off = [&rgba](const PagedTexture& t) {
        int sum_of_blocks = 0;
        for (std::size_t y = 40; y < 216; y += 16) {
            for (std::size_t x = 32; x < 224; x += 16) {
                for (std::size_t c = 0; c < 2; ++c) {
                    int sum = 0;
                    for (std::size_t i = 0; i < 256; ++i) {
                        const std::size_t px = x + i % 16, py = y + i / 16;
                        sum += (texel(t, px, py) >> 5 * c & 31) - (rgba[4 * (256 * py + px) + c] >> 3);
                    }
                    sum_of_blocks += std::abs(sum);
                }
            }
        }
        return sum_of_blocks;
    };
    const PagedTexture plain = page_of(256, 256, rgba, 0, false);
    const PagedTexture dithered = page_of(256, 256, rgba, 0, true);
    EXPECT_EQ(plain.palette, dithered.palette);
    EXPECT_EQ(texel(dithered, 100, 7), 0);
    EXPECT_NE(texel(dithered, 100, 8), 0);
    EXPECT_LT(4 * off(dithered), off(plain)) << off(dithered) << " " << off(plain);
    // Nothing to carry where the colours suffice.
    EXPECT_EQ(page_of(2, 2, kQuarters, 0, false).texels, page_of(2, 2, kQuarters, 0, true).texels);
}

}  // namespace
}  // namespace gomkit::ps1
