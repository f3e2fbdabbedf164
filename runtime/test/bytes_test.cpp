#include "gomkit/runtime/bytes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace gomkit::runtime {
namespace {

constexpr std::array<std::byte, 9> kBytes = {std::byte{0x01}, std::byte{0x02}, std::byte{0x03}, std::byte{0x04}, std::byte{0x05},
                                             std::byte{0x06}, std::byte{0x07}, std::byte{0x08}, std::byte{0xC0}};

TEST(Bytes, LoadsLittleEndianAtAnyAlignment) {
    EXPECT_EQ(load_le<std::uint8_t>(kBytes.data() + 8), 0xC0);
    EXPECT_EQ(load_le<std::uint16_t>(kBytes.data() + 1), 0x0302);
    EXPECT_EQ(load_le<std::uint32_t>(kBytes.data() + 3), 0x07060504U);
    EXPECT_EQ(load_le<std::uint64_t>(kBytes.data()), 0x0807060504030201ULL);
    EXPECT_EQ(load_le<std::int16_t>(kBytes.data() + 7), static_cast<std::int16_t>(0xC008));
    const std::array<std::byte, 5> one = {std::byte{9}, std::byte{0}, std::byte{0}, std::byte{0x80}, std::byte{0x3F}};
    EXPECT_EQ(load_le<float>(one.data() + 1), 1.0F);
}

TEST(Bytes, StoresWhatItLoads) {
    std::array<std::byte, 9> out{};
    store_le(out.data() + 1, 0x0807060504030201ULL);
    EXPECT_EQ(out[1], std::byte{1});
    EXPECT_EQ(load_le<std::uint64_t>(out.data() + 1), 0x0807060504030201ULL);
    store_le(out.data(), -2.5);
    EXPECT_EQ(load_le<double>(out.data()), -2.5);
}

TEST(ByteCursor, ReadsInOrderAndStopsAtTheEnd) {
    ByteCursor cursor(kBytes);
    std::uint32_t a = 0;
    std::uint16_t b = 0;
    ASSERT_TRUE(cursor.read(a));
    ASSERT_TRUE(cursor.skip(1));
    ASSERT_TRUE(cursor.read(b));
    EXPECT_EQ(a, 0x04030201U);
    EXPECT_EQ(b, 0x0706);
    EXPECT_EQ(cursor.position(), 7U);
    EXPECT_EQ(cursor.remaining(), 2U);
    a = 77;
    EXPECT_FALSE(cursor.read(a));
    EXPECT_EQ(a, 77U);
    EXPECT_EQ(cursor.position(), 7U);
    EXPECT_TRUE(cursor.failed());
    EXPECT_TRUE(cursor.seek(9));
    EXPECT_FALSE(cursor.seek(10));
    EXPECT_TRUE(cursor.failed());
}

TEST(ByteCursor, CountsThatWouldOverflowAreRefused) {
    ByteCursor cursor(kBytes);
    std::span<const std::byte> out;
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    EXPECT_FALSE(cursor.read_array(kMost, 64, out));
    EXPECT_FALSE(cursor.read_array(kMost / 64 + 2, 64, out));  // times 64: a small number modulo 2^64
    EXPECT_FALSE(cursor.read_span(kMost, out));
    EXPECT_FALSE(cursor.skip(kMost));
    EXPECT_FALSE(cursor.read_array(3, 4, out));
    EXPECT_TRUE(cursor.read_array(2, 4, out));
    EXPECT_EQ(out.size(), 8U);
    EXPECT_TRUE(cursor.read_array(0, 4, out));
    EXPECT_TRUE(out.empty());
}

TEST(ByteCursor, AnEmptySpanHasNothing) {
    ByteCursor cursor;
    std::uint8_t v = 0;
    EXPECT_FALSE(cursor.read(v));
    EXPECT_TRUE(cursor.failed());
}

}  // namespace
}  // namespace gomkit::runtime
