#include "bytes.hpp"

namespace gomkit::image {
namespace {

using Pixels = std::vector<std::uint8_t>;
using core::Code;

core::Bytes u32(std::uint32_t v) { return bytes_of({static_cast<int>(v & 255), static_cast<int>(v >> 8 & 255), static_cast<int>(v >> 16 & 255), static_cast<int>(v >> 24)}); }

/// A BMP with a header of 40 bytes; `between` stands before the pixels, masks or a palette.
core::Bytes bmp(std::int32_t width, std::int32_t height, int bits, std::uint32_t compression, const core::Bytes& between, const core::Bytes& pixels) {
    const auto begin = static_cast<std::uint32_t>(54 + between.size());
    return bytes_of({'B', 'M'}) + u32(begin + static_cast<std::uint32_t>(pixels.size())) + u32(0) + u32(begin) + u32(40) + u32(static_cast<std::uint32_t>(width)) +
           u32(static_cast<std::uint32_t>(height)) + bytes_of({1, 0, bits, 0}) + u32(compression) + u32(0) + u32(0) + u32(0) + u32(0) + u32(0) + between + pixels;
}

TEST(Bmp, RowsArePaddedAndRunFromBelowUnlessTheHeightIsNegative) {
    const core::Bytes data = bytes_of({1, 2, 3, 0, 4, 5, 6, 0});
    EXPECT_EQ(pixels_of(bmp(1, 2, 24, 0, {}, data), "a.bmp", 1, 2), (Pixels{6, 5, 4, 255, 3, 2, 1, 255}));
    EXPECT_EQ(pixels_of(bmp(1, 2, 24, 0, bytes_of({9, 9, 9, 9}), data), "a.bmp", 1, 2), (Pixels{6, 5, 4, 255, 3, 2, 1, 255}));   // a gap before the pixels
    EXPECT_EQ(pixels_of(bmp(1, -2, 24, 0, {}, data), "a.bin", 1, 2), (Pixels{3, 2, 1, 255, 6, 5, 4, 255}));
}

TEST(Bmp, EveryDepthIsRead) {
    const core::Bytes palette = bytes_of({1, 2, 3, 0, 4, 5, 6, 0});
    const Pixels second_first_second{6, 5, 4, 255, 3, 2, 1, 255, 6, 5, 4, 255};
    EXPECT_EQ(pixels_of(bmp(3, 1, 1, 0, palette, bytes_of({0xA0, 0, 0, 0})), "a.bmp", 3, 1), second_first_second);
    EXPECT_EQ(pixels_of(bmp(3, 1, 4, 0, palette, bytes_of({0x10, 0x10, 0, 0})), "a.bmp", 3, 1), second_first_second);
    EXPECT_EQ(pixels_of(bmp(3, 1, 8, 0, palette, bytes_of({1, 0, 1, 0})), "a.bmp", 3, 1), second_first_second);
    // 5, 5, 5 bits without masks; 5, 6, 5 with them. 31 and 63 become 255.
    EXPECT_EQ(pixels_of(bmp(1, 1, 16, 0, {}, bytes_of({0x1F, 0x7C, 0, 0})), "a.bmp", 1, 1), (Pixels{255, 0, 255, 255}));
    EXPECT_EQ(pixels_of(bmp(1, 1, 16, 3, u32(0xF800) + u32(0x07E0) + u32(0x001F), bytes_of({0xE0, 0x07, 0, 0})), "a.bmp", 1, 1), (Pixels{0, 255, 0, 255}));
    EXPECT_EQ(pixels_of(bmp(1, 1, 32, 0, {}, bytes_of({1, 2, 3, 4})), "a.bmp", 1, 1), (Pixels{3, 2, 1, 4}));
    EXPECT_EQ(pixels_of(bmp(2, 1, 32, 0, {}, bytes_of({1, 2, 3, 0, 4, 5, 6, 0})), "a.bmp", 2, 1), (Pixels{3, 2, 1, 255, 6, 5, 4, 255}));   // no alpha anywhere: there is none
}

TEST(Bmp, WhatIsNotReadIsRefused) {
    const auto code = [](const core::Bytes& bytes) { return error_of(bytes, "a.bmp").code; };
    EXPECT_EQ(code(bmp(1, 1, 8, 1, core::Bytes(8), core::Bytes(8))), Code::Unsupported);   // run lengths
    EXPECT_EQ(code(bmp(1, 1, 2, 0, core::Bytes(8), core::Bytes(8))), Code::Unsupported);
    EXPECT_EQ(code(bmp(1, 1, 24, 3, core::Bytes(12), core::Bytes(8))), Code::Unsupported);
    EXPECT_EQ(code(bmp(1, 0, 24, 0, {}, core::Bytes(8))), Code::Malformed);
    EXPECT_EQ(code(bmp(1, 1, 8, 0, {}, core::Bytes(8))), Code::Malformed);                  // no palette
    EXPECT_EQ(code(bmp(1, 1, 8, 0, core::Bytes(4 * 257), core::Bytes(8))), Code::Malformed);
    EXPECT_EQ(code(bmp(1, 1, 16, 3, u32(0xF800) + u32(0) + u32(0x1F), core::Bytes(4))), Code::Malformed);
    core::Bytes old = bmp(1, 1, 24, 0, {}, core::Bytes(8));
    old[14] = std::byte{12};
    EXPECT_EQ(code(old), Code::Unsupported);
}

TEST(Bmp, AnIndexOutsideThePaletteIsNamed) {
    const core::Error wide = error_of(bmp(2, 2, 8, 0, core::Bytes(8), bytes_of({0, 1, 9, 9, 0, 2, 9, 9})), "a.bmp");
    EXPECT_EQ(wide.code, Code::Malformed);
    EXPECT_EQ(wide.found, "the index at byte 67 is not below 2");   // padding does not count
    EXPECT_EQ(error_of(bmp(3, 1, 4, 0, core::Bytes(8), bytes_of({0x11, 0x2F, 0, 0})), "a.bmp").found, "the index at byte 63 is not below 2");
    EXPECT_EQ(error_of(bmp(2, 1, 1, 0, core::Bytes(4), bytes_of({0x40, 0, 0, 0})), "a.bmp").found, "the index at byte 58 is not below 1");
}

TEST(Bmp, SizesAreComparedBeforeThereArePixels) {
    EXPECT_EQ(error_of(bmp(0x7FFFFFFF, 0x7FFFFFFF, 32, 0, {}, {}), "a.bmp").code, Code::LimitExceeded);
    EXPECT_EQ(error_of(bmp(1, std::int32_t{-0x7FFFFFFF} - 1, 32, 0, {}, {}), "a.bmp").code, Code::LimitExceeded);
    EXPECT_EQ(error_of(bmp(3, 2, 24, 0, {}, core::Bytes(24)), "a.bmp", {3, 5}).code, Code::LimitExceeded);
    EXPECT_EQ(error_of(bmp(3, 2, 24, 0, {}, core::Bytes(23)), "a.bmp").what, "the BMP cannot hold its pixels");
}

TEST(Bmp, EveryPrefixAndEveryChangedByteIsRefusedOrRead) {
    read_damaged(bmp(3, 2, 24, 0, {}, core::Bytes(24)), "a.bmp", 2);
    read_damaged(bmp(5, 2, 4, 0, core::Bytes(64), core::Bytes(8)), "a.bmp", 2);
    read_damaged(bmp(2, 2, 16, 3, u32(0xF800) + u32(0x07E0) + u32(0x001F), core::Bytes(8)), "a.bmp", 2);
}

}  // namespace
}  // namespace gomkit::image
