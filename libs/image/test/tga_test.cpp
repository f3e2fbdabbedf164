#include "bytes.hpp"

namespace gomkit::image {
namespace {

using Pixels = std::vector<std::uint8_t>;
using core::Code;

/// The header of a TGA without a palette or a name.
core::Bytes tga(int kind, int width, int height, int bits, int descriptor) {
    return bytes_of({0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, width & 255, width >> 8, height & 255, height >> 8, bits, descriptor});
}
/// The header of one with indices of 8 bits.
core::Bytes indexed(int kind, int width, int height, int entries, int entry_bits) {
    return bytes_of({0, 1, kind, 0, 0, entries & 255, entries >> 8, entry_bits, 0, 0, 0, 0, width & 255, width >> 8, height & 255, height >> 8, 8, 0x20});
}

TEST(Tga, ColoursAreBlueFirstAndRowsFromBelowUnlessSaid) {
    const core::Bytes data = bytes_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    EXPECT_EQ(pixels_of(tga(2, 2, 2, 24, 0) + data, "a.tga", 2, 2), (Pixels{9, 8, 7, 255, 12, 11, 10, 255, 3, 2, 1, 255, 6, 5, 4, 255}));
    EXPECT_EQ(pixels_of(tga(2, 2, 2, 24, 0x20) + data, "a.tga", 2, 2), (Pixels{3, 2, 1, 255, 6, 5, 4, 255, 9, 8, 7, 255, 12, 11, 10, 255}));
}

TEST(Tga, EveryDepthIsRead) {
    EXPECT_EQ(pixels_of(tga(2, 1, 1, 32, 0x28) + bytes_of({1, 2, 3, 4}), "a.tga", 1, 1), (Pixels{3, 2, 1, 4}));
    // 0_00001_00010_11111: 31 becomes 255, 1 and 2 eighths of that rounded down.
    EXPECT_EQ(pixels_of(tga(2, 1, 1, 16, 0x20) + bytes_of({0x5F, 0x04}), "a.tga", 1, 1), (Pixels{8, 16, 255, 255}));
    EXPECT_EQ(pixels_of(tga(3, 2, 1, 8, 0x20) + bytes_of({7, 200}), "a.tga", 2, 1), (Pixels{7, 7, 7, 255, 200, 200, 200, 255}));
    EXPECT_EQ(pixels_of(tga(3, 1, 1, 16, 0x28) + bytes_of({7, 200}), "a.tga", 1, 1), (Pixels{7, 7, 7, 200}));
    EXPECT_EQ(pixels_of(indexed(1, 3, 1, 2, 24) + bytes_of({1, 2, 3, 4, 5, 6}) + bytes_of({1, 0, 1}), "a.tga", 3, 1), (Pixels{6, 5, 4, 255, 3, 2, 1, 255, 6, 5, 4, 255}));
}

TEST(Tga, RunsRepeatAndCopy) {
    // 3 times one colour, then 2 plain ones, over the end of the first row.
    const core::Bytes data = bytes_of({0x82, 1, 2, 3, 0x00, 4, 5, 6});
    EXPECT_EQ(pixels_of(tga(10, 2, 2, 24, 0x20) + data, "a.tga", 2, 2), (Pixels{3, 2, 1, 255, 3, 2, 1, 255, 3, 2, 1, 255, 6, 5, 4, 255}));
    EXPECT_EQ(error_of(tga(11, 3, 1, 8, 0x20) + bytes_of({0xFF, 9}), "a.tga").found, "at byte 18 128 pixels where 3 are left");
}

TEST(Tga, AlphaThatIsNotAnnouncedCountsWhereItIsNotZeroEverywhere) {
    const core::Bytes clear = bytes_of({1, 2, 3, 0, 4, 5, 6, 0});
    EXPECT_EQ(pixels_of(tga(2, 2, 1, 32, 0x20) + clear, "a.tga", 2, 1), (Pixels{3, 2, 1, 255, 6, 5, 4, 255}));
    EXPECT_EQ(pixels_of(tga(2, 2, 1, 32, 0x28) + clear, "a.tga", 2, 1), (Pixels{3, 2, 1, 0, 6, 5, 4, 0}));
    EXPECT_EQ(pixels_of(tga(2, 2, 1, 32, 0x20) + bytes_of({1, 2, 3, 9, 4, 5, 6, 0}), "a.tga", 2, 1), (Pixels{3, 2, 1, 9, 6, 5, 4, 0}));
}

TEST(Tga, IsKnownByItsNameOrItsFooter) {
    const core::Bytes plain = tga(3, 1, 1, 8, 0) + bytes_of({5});
    EXPECT_TRUE(is_image(plain, "a.tga"));
    EXPECT_TRUE(is_image(plain, "folder.x/A.TGA"));
    EXPECT_FALSE(is_image(plain, "a.bin"));
    core::Bytes with_footer = plain + core::Bytes(8);
    for (const char c : std::string_view("TRUEVISION-XFILE.\0", 18)) {
        with_footer.push_back(static_cast<std::byte>(c));
    }
    EXPECT_EQ(pixels_of(with_footer, "a.bin", 1, 1), (Pixels{5, 5, 5, 255}));
}

TEST(Tga, WhatIsNotReadIsRefused) {
    const auto code = [](const core::Bytes& bytes) { return error_of(bytes + core::Bytes(64), "a.tga").code; };
    EXPECT_EQ(code(tga(0, 1, 1, 8, 0)), Code::Unsupported);     // no picture
    EXPECT_EQ(code(tga(2, 1, 1, 8, 0)), Code::Unsupported);
    EXPECT_EQ(code(tga(3, 1, 1, 24, 0)), Code::Unsupported);
    EXPECT_EQ(code(tga(2, 1, 1, 24, 0x10)), Code::Unsupported);   // from right to left
    EXPECT_EQ(code(tga(2, 1, 1, 24, 0x40)), Code::Unsupported);   // interleaved
    EXPECT_EQ(code(tga(2, 0, 1, 24, 0)), Code::Malformed);
    EXPECT_EQ(code(indexed(1, 1, 1, 0, 24)), Code::Unsupported);
    core::Bytes later = indexed(1, 1, 1, 2, 24);
    later[3] = std::byte{1};
    EXPECT_EQ(code(later), Code::Unsupported);
}

TEST(Tga, AnIndexOutsideThePaletteIsRefused) {
    EXPECT_EQ(error_of(indexed(1, 2, 1, 1, 24) + bytes_of({1, 2, 3}) + bytes_of({0, 200}), "a.tga").found, "the index at byte 22 is not below 1");
    EXPECT_EQ(error_of(indexed(9, 3, 1, 2, 24) + core::Bytes(6) + bytes_of({0x81, 1, 0x00, 2}), "a.tga").found, "the index at byte 27 is not below 2");
}

TEST(Tga, TheBitThatIsLeftOf16IsAlphaWhereItIsAnnounced) {
    const core::Bytes data = bytes_of({0x1F, 0x80, 0x1F, 0x00, 0x00, 0xFC, 0x00, 0x7C});   // blue, blue, red, red: the first of each opaque
    EXPECT_EQ(pixels_of(tga(2, 2, 2, 16, 0x01) + data, "a.tga", 2, 2), (Pixels{255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 0}));
    EXPECT_EQ(pixels_of(tga(2, 2, 2, 16, 0x20) + data, "a.tga", 2, 2), (Pixels{0, 0, 255, 255, 0, 0, 255, 255, 255, 0, 0, 255, 255, 0, 0, 255}));
    core::Bytes runs = indexed(9, 3, 1, 2, 16);
    runs[17] = std::byte{0x21};
    EXPECT_EQ(pixels_of(runs + bytes_of({0x1F, 0x80, 0x1F, 0x00}) + bytes_of({0x81, 1, 0x00, 0}), "a.tga", 3, 1), (Pixels{0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255}));
}

TEST(Tga, SizesAreComparedBeforeThereArePixels) {
    EXPECT_EQ(error_of(tga(2, 65535, 65535, 32, 0), "a.tga").code, Code::LimitExceeded);
    EXPECT_EQ(error_of(tga(2, 3, 2, 8 * 3, 0) + core::Bytes(18), "a.tga", {3, 5}).code, Code::LimitExceeded);
    EXPECT_EQ(error_of(tga(2, 3, 2, 24, 0) + core::Bytes(17), "a.tga").what, "the TGA cannot hold its pixels");
    EXPECT_EQ(error_of(tga(10, 8000, 8000, 32, 0) + core::Bytes(1000), "a.tga").what, "the TGA cannot hold its pixels");
}

TEST(Tga, EveryPrefixAndEveryChangedByteIsRefusedOrRead) {
    read_damaged(tga(2, 3, 2, 24, 0) + core::Bytes(18), "a.tga", 0);
    read_damaged(tga(10, 4, 2, 24, 0x20) + bytes_of({0x83, 1, 2, 3, 0x03, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), "a.tga", 0);
    read_damaged(indexed(9, 4, 2, 3, 32) + core::Bytes(12) + bytes_of({0x83, 2, 0x03, 0, 1, 2, 1}), "a.tga", 0);
}

}  // namespace
}  // namespace gomkit::image
