#include "tim_write.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace gomkit::ps1 {
namespace {

using test::kQuarters;

unsigned byte(const core::Bytes& bytes, std::size_t at) { return std::to_integer<unsigned>(bytes.at(at)); }
std::vector<unsigned> bytes_at(const core::Bytes& bytes, std::size_t at, std::size_t count) {
    std::vector<unsigned> out;
    for (std::size_t i = 0; i < count; ++i) {
        out.push_back(byte(bytes, at + i));
    }
    return out;
}

// covers GPU-TIM-5. Every number here was computed by hand.
TEST(TimWrite, EightBits) {
    const core::Bytes tim = write_tim(page_of(2, 2, kQuarters, 1, false), {640, 0}, {640, 256});
    ASSERT_EQ(tim.size(), 66080u);   // 8 + (12 + 2 * 256) + (12 + 256 * 256)
    EXPECT_EQ(bytes_at(tim, 0, 20), (std::vector<unsigned>{0x10, 0, 0, 0, 9, 0, 0, 0, 0x0C, 2, 0, 0, 0x80, 2, 0, 1, 0, 1, 1, 0}));
    // Entry 0 is transparent. Black, red and white are divided along red behind the second; then black and red, and red goes to the end of the list.
    EXPECT_EQ(bytes_at(tim, 20, 8), (std::vector<unsigned>{0, 0, 0, 0x80, 0xFF, 0x7F, 0x1F, 0}));
    EXPECT_EQ(bytes_at(tim, 28, 4), (std::vector<unsigned>{0, 0, 0, 0}));
    EXPECT_EQ(bytes_at(tim, 532, 12), (std::vector<unsigned>{0x0C, 0, 1, 0, 0x80, 2, 0, 0, 0x80, 0, 0, 1}));
    EXPECT_EQ(bytes_at(tim, 544 + 126, 4), (std::vector<unsigned>{3, 3, 1, 1}));
    EXPECT_EQ(bytes_at(tim, 544 + 255 * 256 + 126, 4), (std::vector<unsigned>{0, 0, 2, 2}));
}

// covers GPU-TIM-5
TEST(TimWrite, FourBitsHaveTheLeftTexelLowest) {
    const core::Bytes tim = write_tim(page_of(2, 2, kQuarters, 0, false), {704, 256}, {0, 240});
    ASSERT_EQ(tim.size(), 32832u);   // 8 + (12 + 2 * 16) + (12 + 128 * 256)
    EXPECT_EQ(bytes_at(tim, 4, 16), (std::vector<unsigned>{8, 0, 0, 0, 0x2C, 0, 0, 0, 0, 0, 0xF0, 0, 16, 0, 1, 0}));
    EXPECT_EQ(bytes_at(tim, 52, 12), (std::vector<unsigned>{0x0C, 0x80, 0, 0, 0xC0, 2, 0, 1, 64, 0, 0, 1}));
    EXPECT_EQ(bytes_at(tim, 64 + 63, 2), (std::vector<unsigned>{0x33, 0x11}));
    PagedTexture texture;
    texture.depth = 0;
    texture.palette.assign(16, 0);
    texture.texels.assign(kPageSide * kPageSide, 0);
    texture.texels[0] = 1;
    texture.texels[3] = 12;
    EXPECT_EQ(bytes_at(write_tim(texture, {640, 0}, {640, 256}), 64, 2), (std::vector<unsigned>{0x01, 0xC0}));
}

// covers GPU-TIM-5
TEST(TimWrite, SixteenBitsHaveNoPalette) {
    const core::Bytes tim = write_tim(page_of(2, 2, kQuarters, 2, false), {0, 256}, {});
    ASSERT_EQ(tim.size(), 131092u);   // 8 + 12 + 2 * 256 * 256
    EXPECT_EQ(bytes_at(tim, 4, 16), (std::vector<unsigned>{2, 0, 0, 0, 0x0C, 0, 2, 0, 0, 0, 0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(bytes_at(tim, 20 + 2 * 127, 4), (std::vector<unsigned>{0x1F, 0, 0, 0x80}));
    EXPECT_EQ(bytes_at(tim, tim.size() - 2 * 129, 4), (std::vector<unsigned>{0, 0, 0xFF, 0x7F}));
}

// covers GPU-TIM-5
TEST(TimWrite, IsReadAsItWasWritten) {
    for (const std::uint8_t depth : {std::uint8_t{0}, std::uint8_t{1}, kDirectDepth}) {
        const PagedTexture texture = page_of(2, 2, kQuarters, depth, false);
        const core::Bytes bytes = write_tim(texture, {640, 0}, {640, 259});
        const auto tim = read_tim(bytes, "a.tim");
        ASSERT_TRUE(tim.has_value()) << core::to_string(tim.error());
        EXPECT_EQ(tim->depth, depth);
        Vram vram;
        const TexturePlace place = upload(*tim, bytes, vram);
        EXPECT_EQ(place.page, page_word({640, 0}, depth));
        EXPECT_EQ(place.clut, depth == kDirectDepth ? 0 : 0x40E8);
        const std::size_t count = texels_per_halfword(depth);
        for (std::size_t i = 0; i < texture.texels.size(); ++i) {
            const std::size_t x = i % kPageSide, y = i / kPageSide;
            const unsigned halfword = vram.at(static_cast<int>(640 + x / count), static_cast<int>(y));
            ASSERT_EQ(halfword >> (16 / count * (x % count)) & (0xFFFFu >> (16 - 16 / count)), texture.texels[i]) << x << " " << y;
        }
    }
}

}  // namespace
}  // namespace gomkit::ps1
