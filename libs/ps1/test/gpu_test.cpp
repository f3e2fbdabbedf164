#include "gpu.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace gomkit::ps1 {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t at(int x, int y) { return static_cast<std::uint16_t>(x) | std::uint32_t{static_cast<std::uint16_t>(y)} << 16; }
constexpr std::uint32_t rgb(unsigned r, unsigned g, unsigned b) { return r | g << 8 | b << 16; }
constexpr std::uint32_t uv(unsigned u, unsigned v, unsigned high = 0) { return u | v << 8 | high << 16; }
constexpr std::uint32_t command(unsigned byte) { return byte << 24; }
constexpr std::uint16_t five(int r, int g, int b) { return static_cast<std::uint16_t>(r | g << 5 | b << 10); }

/// "row: first-last" of every row that has pixels other than 0; gaps are shown as '?'.
std::string coverage(const Vram& vram, int size = 64) {
    std::string out;
    for (int y = 0; y < size; ++y) {
        int first = -1, last = -1, count = 0;
        for (int x = 0; x < size; ++x) {
            if (vram.at(x, y) != 0) {
                first = first < 0 ? x : first;
                last = x;
                ++count;
            }
        }
        if (count > 0) {
            out += std::to_string(y) + ":" + std::to_string(first) + "-" + std::to_string(last) + (count == last - first + 1 ? " " : "? ");
        }
    }
    return out;
}

std::string covered(const Words& points) {
    Gpu gpu;
    Words packet{command(0x20) | rgb(255, 255, 255)};
    packet.insert(packet.end(), points.begin(), points.end());
    EXPECT_TRUE(gpu.draw(packet).has_value());
    return coverage(gpu.vram);
}

// covers GPU-CORE-1, GPU-EDGE-1, GPU-EDGE-2, GPU-EDGE-3
TEST(Gpu, CoversThePixelsOfThePage) {
    const std::string page = "11:11-14 12:11-19 13:12-18 14:12-17 15:12-16 16:13-15 17:13-14 ";
    EXPECT_EQ(covered({at(10, 10), at(20, 12), at(13, 18)}), page);
    EXPECT_EQ(covered({at(13, 18), at(10, 10), at(20, 12)}), page);
    EXPECT_EQ(covered({at(20, 12), at(10, 10), at(13, 18)}), page);   // winding does not matter
}

// covers GPU-EDGE-3
TEST(Gpu, LeftAndTopEdgesBelongToIt) {
    EXPECT_EQ(covered({at(0, 0), at(4, 0), at(0, 4)}), "0:0-3 1:0-2 2:0-1 3:0-0 ");
    EXPECT_EQ(covered({at(4, 0), at(4, 4), at(0, 4)}), "1:3-3 2:2-3 3:1-3 ");   // the other half of the square: no pixel twice, none missing
    EXPECT_EQ(covered({at(5, 5), at(6, 5), at(5, 6)}), "5:5-5 ");
    EXPECT_EQ(covered({at(5, 5), at(6, 5), at(6, 6)}), "5:5-5 ");
}

// covers GPU-PACKET-3
TEST(Gpu, FourCornersHaveNoSeam) {
    Gpu gpu;
    gpu.state.page = 1 << 5;   // B + F: a pixel that is drawn twice is brighter
    ASSERT_TRUE(gpu.draw(Words{command(0x2A) | rgb(64, 64, 64), at(3, 2), at(12, 4), at(1, 9), at(14, 12)}).has_value());
    std::map<std::uint16_t, int> values;
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) {
            ++values[gpu.vram.at(x, y)];
        }
    }
    EXPECT_EQ(values.size(), 2u);
    EXPECT_EQ(values.count(five(8, 8, 8)), 1u);
}

// covers GPU-REJECT-1, GPU-VERTEX-1
TEST(Gpu, RejectsWhatIsTooLargeOrHasNoArea) {
    const auto triangles = [](const Words& points) {
        Gpu gpu;
        Words packet{command(0x20)};
        packet.insert(packet.end(), points.begin(), points.end());
        return gpu.draw(packet)->triangles;
    };
    EXPECT_EQ(triangles({at(0, 0), at(1023, 0), at(0, 10)}), 1u);
    EXPECT_EQ(triangles({at(-1, 0), at(1023, 0), at(0, 10)}), 0u);
    EXPECT_EQ(triangles({at(0, 0), at(10, 0), at(0, 511)}), 1u);
    EXPECT_EQ(triangles({at(0, 0), at(10, 0), at(0, 512)}), 0u);
    EXPECT_EQ(triangles({at(0, 5), at(10, 5), at(20, 5)}), 0u);
    EXPECT_EQ(triangles({at(0, 0), at(1, 1), at(2, 2)}), 0u);
    EXPECT_EQ(covered({at(2048, 0), at(4 - 2048, 0), at(4096, 4)}), "0:0-3 1:0-2 2:0-1 3:0-0 ");   // 11 bits
}

// covers GPU-VERTEX-1, GPU-AREA-1, GPU-STATE-1
TEST(Gpu, OffsetMovesAndAreaCuts) {
    Gpu gpu;
    gpu.state.offset_x = 10;
    gpu.state.offset_y = -1;
    gpu.state.left = 11;
    gpu.state.right = 12;
    gpu.state.top = 1;
    gpu.state.bottom = 1;
    const auto drawn = gpu.draw(Words{command(0x20) | rgb(255, 0, 0), at(0, 1), at(4, 1), at(0, 5)});
    EXPECT_EQ(coverage(gpu.vram), "1:11-12 ");
    EXPECT_EQ(drawn->covered, 10u);
    EXPECT_EQ(drawn->inside, 2u);
}

// covers GPU-ATTR-1, GPU-ATTR-2
TEST(Gpu, InterpolatesColoursAsThePage) {
    Gpu gpu;
    ASSERT_TRUE(gpu.draw(Words{command(0x30) | rgb(255, 0, 0), at(10, 10), rgb(0, 255, 0), at(20, 12), rgb(0, 0, 255), at(13, 18)}).has_value());
    EXPECT_EQ(gpu.vram.at(13, 12), five(145 >> 3, 62 >> 3, 48 >> 3));
    EXPECT_EQ(gpu.vram.at(15, 13), five(79 >> 3, 107 >> 3, 69 >> 3));
    EXPECT_EQ(gpu.vram.at(13, 16), five(48 >> 3, 21 >> 3, 186 >> 3));
}

// covers GPU-ATTR-2, GPU-TEXEL-2
TEST(Gpu, InterpolatesTextureCoordinatesAsThePage) {
    Gpu gpu;
    for (int y = 0; y < 32; ++y) {
        for (int x = 0; x < 32; ++x) {
            gpu.vram.set(512 + x, y, static_cast<std::uint16_t>(0x8000 | x | y << 5));   // a texel says where it is
        }
    }
    ASSERT_TRUE(gpu.draw(Words{command(0x25), at(0, 0), uv(0, 0), at(8, 0), uv(16, 0, 8 | 2 << 7), at(0, 8), uv(0, 16)}).has_value());
    EXPECT_EQ(coverage(gpu.vram, 16), "0:0-7 1:0-6 2:0-5 3:0-4 4:0-3 5:0-2 6:0-1 7:0-0 ");
    for (int x = 0; x < 8; ++x) {
        EXPECT_EQ(gpu.vram.at(x, 0), 0x8000 | 2 * x);
    }
    EXPECT_EQ(gpu.vram.at(4, 3), 0x8000 | 8 | 6 << 5);
}

/// The pixel that a texel becomes at (x, y) under a colour.
std::uint16_t modulated(std::uint16_t texel, std::uint32_t colour, int x, int y, bool dither, unsigned byte = 0x24) {
    Gpu gpu;
    gpu.state.dither = dither;
    gpu.vram.set(512, 0, texel);
    const Words packet{command(byte) | colour, at(x, y), uv(0, 0), at(x + 1, y), uv(0, 0, 8 | 2 << 7), at(x, y + 1), uv(0, 0)};
    EXPECT_TRUE(gpu.draw(packet).has_value());
    return gpu.vram.at(x, y);
}

// covers GPU-COLOUR-1, GPU-COLOUR-2
TEST(Gpu, ModulatesAsThePage) {
    EXPECT_EQ(modulated(0x3DEF, rgb(128, 128, 128), 0, 0, true), 0x39CE);
    EXPECT_EQ(modulated(0x3DEF, rgb(128, 128, 128), 3, 0, true), 0x3DEF);
    EXPECT_EQ(modulated(0x7FFF, rgb(255, 255, 255), 2, 2, true), 0x7FFF);
    EXPECT_EQ(modulated(0x7C1F, rgb(90, 60, 200), 1, 1, true), 0x7C15);
    EXPECT_EQ(modulated(0xFFFF, rgb(52, 52, 56), 0, 0, false), 0xB58C);
    EXPECT_EQ(modulated(0x0421, rgb(128, 128, 128), 0, 0, true), 0x0000);
    EXPECT_EQ(modulated(0x3DEF, rgb(1, 2, 3), 0, 0, true, 0x25), 0x3DEF);   // raw
}

// covers GPU-COLOUR-2: 128 with the table's numbers, >> 3
TEST(Gpu, DithersGouraudButNotFlat) {
    static constexpr int kExpected[4][4] = {{15, 16, 15, 16}, {16, 15, 16, 15}, {15, 16, 15, 16}, {16, 15, 16, 15}};
    Gpu gpu;
    gpu.state.dither = true;
    const std::uint32_t grey = rgb(128, 128, 128);
    ASSERT_TRUE(gpu.draw(Words{command(0x38) | grey, at(4, 8), grey, at(12, 8), grey, at(4, 16), grey, at(12, 16)}).has_value());
    ASSERT_TRUE(gpu.draw(Words{command(0x28) | grey, at(20, 8), at(28, 8), at(20, 16), at(28, 16)}).has_value());
    for (int y = 8; y < 16; ++y) {
        for (int x = 4; x < 12; ++x) {
            const int level = kExpected[y % 4][x % 4];
            EXPECT_EQ(gpu.vram.at(x, y), five(level, level, level)) << x << ", " << y;
            EXPECT_EQ(gpu.vram.at(x + 16, y), five(16, 16, 16));
        }
    }
    // Ends of the range: no wrap.
    gpu.vram = {};
    ASSERT_TRUE(gpu.draw(Words{command(0x30), at(0, 0), rgb(0, 0, 0), at(4, 0), rgb(0, 0, 0), at(0, 4)}).has_value());
    EXPECT_EQ(coverage(gpu.vram), "");
    ASSERT_TRUE(gpu.draw(Words{command(0x30) | rgb(255, 255, 255), at(0, 0), rgb(255, 255, 255), at(4, 0), rgb(255, 255, 255), at(0, 4)}).has_value());
    EXPECT_EQ(gpu.vram.at(2, 1), 0x7FFF);   // 255 + 3
}

// covers GPU-BLEND-1
TEST(Gpu, BlendsInFourModes) {
    const std::uint16_t expected[] = {five(17, 12, 30), five(31, 24, 31), five(0, 16, 0), five(16, 21, 31)};
    for (unsigned mode = 0; mode < 4; ++mode) {
        Gpu gpu;
        gpu.vram.set(0, 0, five(10, 20, 30));
        gpu.state.page = static_cast<std::uint16_t>(mode << 5);
        ASSERT_TRUE(gpu.draw(Words{command(0x22) | rgb(25 << 3, 4 << 3, 31 << 3), at(0, 0), at(1, 0), at(0, 1)}).has_value());
        EXPECT_EQ(gpu.vram.at(0, 0), expected[mode]) << mode;
        for (const unsigned mark : {0u, 0x8000u}) {   // a texel blends when it is marked
            gpu.vram.set(0, 0, five(10, 20, 30));
            gpu.vram.set(512, 0, static_cast<std::uint16_t>(five(25, 4, 31) | mark));
            ASSERT_TRUE(gpu.draw(Words{command(0x27), at(0, 0), uv(0, 0), at(1, 0), uv(0, 0, 8 | mode << 5 | 2 << 7), at(0, 1), uv(0, 0)}).has_value());
            EXPECT_EQ(gpu.vram.at(0, 0), mark != 0 ? 0x8000 | expected[mode] : five(25, 4, 31)) << mode;
        }
    }
}

// covers GPU-TEXEL-1, GPU-TEXEL-2, GPU-TEXEL-3, GPU-STATE-2
TEST(Gpu, LooksUpTexels) {
    Gpu gpu;
    gpu.vram.set(576 + 1, 256 + 2, 0x4321);   // page 9, lower half: 4-bit texels 4 to 7, 8-bit texels 2 and 3 of row 2
    for (int i = 0; i < 256; ++i) {
        gpu.vram.set(48 * 16 + i, 300, static_cast<std::uint16_t>(i));
    }
    const unsigned clut = 48 | 300 << 6;
    const auto texel = [&](unsigned depth, unsigned u, unsigned v) {
        gpu.vram.set(0, 0, 0x7777);
        EXPECT_TRUE(gpu.draw(Words{command(0x25), at(0, 0), uv(u, v, clut), at(1, 0), uv(u, v, 9 | 1 << 4 | depth << 7), at(0, 1), uv(u, v)}).has_value());
        return static_cast<int>(gpu.vram.at(0, 0));
    };
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(texel(0, 4 + i, 2), static_cast<int>(1 + i));
    }
    EXPECT_EQ(texel(1, 2, 2), 0x21);
    EXPECT_EQ(texel(1, 3, 2), 0x43);
    EXPECT_EQ(texel(2, 1, 2), 0x4321);
    EXPECT_EQ(texel(3, 1, 2), 0x4321);
    EXPECT_EQ(texel(0, 0, 2), 0x7777);   // index 0 is the colour 0, which is not drawn
    EXPECT_EQ(texel(2, 0, 0), 0x7777);
    gpu.state.window = {1, 0, 0, 0};     // u without 8
    EXPECT_EQ(texel(0, 4 + 8, 2), 1);
    gpu.state.window = {0, 31, 0, 31};   // v's upper bits are all 1
    gpu.vram.set(576, 256 + 249, 0x1234);
    EXPECT_EQ(texel(2, 0, 1), 0x1234);
}

// covers GPU-PACKET-1, GPU-PACKET-2
TEST(Gpu, RefusesWhatIsNoPolygon) {
    EXPECT_EQ(polygon_words(0x20), 4u);
    EXPECT_EQ(polygon_words(0x24), 7u);
    EXPECT_EQ(polygon_words(0x28), 5u);
    EXPECT_EQ(polygon_words(0x2C), 9u);
    EXPECT_EQ(polygon_words(0x30), 6u);
    EXPECT_EQ(polygon_words(0x34), 9u);
    EXPECT_EQ(polygon_words(0x38), 8u);
    EXPECT_EQ(polygon_words(0x3E), 12u);
    EXPECT_EQ(polygon_words(0x40), 0u);
    Gpu gpu;
    EXPECT_FALSE(gpu.draw({}).has_value());
    EXPECT_FALSE(gpu.draw(Words{command(0x20), at(0, 0), at(4, 0)}).has_value());
    EXPECT_FALSE(gpu.draw(Words{command(0x20), at(0, 0), at(4, 0), at(0, 4), 0}).has_value());
    EXPECT_FALSE(gpu.draw(Words{command(0x60), at(0, 0), at(4, 0)}).has_value());
}

// covers GPU-VRAM-1, GPU-VRAM-2
TEST(Gpu, ClearsWithoutDithering) {
    Gpu gpu;
    EXPECT_EQ(gpu.vram.at(3, 3), 0);
    gpu.state.dither = true;
    gpu.state.right = 0;
    gpu.clear(2, 3, 4, 2, {28, 32, 48});
    EXPECT_EQ(coverage(gpu.vram), "3:2-5 4:2-5 ");
    EXPECT_EQ(gpu.vram.at(5, 4), five(3, 4, 6));
    EXPECT_EQ(gpu.vram.at(5 + 1024, 4 + 512), five(3, 4, 6));
}

}  // namespace
}  // namespace gomkit::ps1
