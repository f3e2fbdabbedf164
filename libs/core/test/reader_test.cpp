#include <gomkit/core/reader.hpp>

#include <limits>
#include <memory>

#include <gtest/gtest.h>

namespace gomkit::core {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
    std::vector<std::byte> out;
    for (const int v : values) {
        out.push_back(static_cast<std::byte>(v));
    }
    return out;
}

TEST(Reader, ReadsLittleEndian) {
    const auto bytes = bytes_of({0x01, 0x02, 0x03, 0x04, 0x05, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0x80, 0x3F});
    Reader reader(bytes, 100);
    EXPECT_EQ(reader.u8(), 1u);
    EXPECT_EQ(reader.u32(), 0x05040302u);
    EXPECT_EQ(reader.i32(), -2);
    EXPECT_EQ(reader.file_offset(), 109u);
    EXPECT_EQ(reader.f32(), 1.0f);
    EXPECT_EQ(reader.left(), 0u);
    EXPECT_FALSE(reader.failed());
}

TEST(Reader, PastTheEndGivesZerosAndFails) {
    const auto bytes = bytes_of({1, 2, 3});
    Reader reader(bytes);
    EXPECT_EQ(reader.u32(), 0u);
    EXPECT_TRUE(reader.failed());
    EXPECT_EQ(reader.position(), 0u);
    Reader empty;
    EXPECT_EQ(empty.u8(), 0u);
    EXPECT_TRUE(empty.failed());
}

TEST(Reader, SeekSkipAndTakeStayInside) {
    const auto bytes = bytes_of({1, 2, 3, 4});
    Reader reader(bytes);
    reader.seek(4);
    EXPECT_FALSE(reader.failed());
    reader.seek(5);
    EXPECT_TRUE(reader.failed());
    Reader other(bytes);
    EXPECT_EQ(other.take(3).size(), 3u);
    other.skip(1);
    EXPECT_FALSE(other.failed());
    EXPECT_TRUE(other.take(1).empty());
    EXPECT_TRUE(other.failed());
    Reader third(bytes);
    third.skip(std::numeric_limits<std::size_t>::max());
    EXPECT_TRUE(third.failed());
}

TEST(Reader, HasDoesNotOverflow) {
    const auto bytes = bytes_of({1, 2, 3, 4});
    const Reader reader(bytes);
    EXPECT_TRUE(reader.has(2, 2));
    EXPECT_FALSE(reader.has(3, 2));
    EXPECT_FALSE(reader.has(std::numeric_limits<std::uint64_t>::max(), 8));
    EXPECT_FALSE(reader.has(1ull << 61, 8));
    EXPECT_TRUE(reader.has(std::numeric_limits<std::uint64_t>::max(), 0));
}

TEST(Writer, WritesWhatTheReaderReads) {
    Writer writer;
    writer.u16(0x1234);
    writer.u64(0x0102030405060708ull);
    writer.i32(-1);
    writer.f32(-2.5f);
    writer.text("ab");
    writer.align(16);
    EXPECT_EQ(writer.size(), 32u);
    writer.patch<std::uint16_t>(0, 0xBEEF);
    const auto bytes = writer.take();
    EXPECT_EQ(bytes[0], std::byte{0xEF});
    EXPECT_EQ(bytes[2], std::byte{0x08});
    Reader reader(bytes);
    EXPECT_EQ(reader.u16(), 0xBEEFu);
    EXPECT_EQ(reader.u64(), 0x0102030405060708ull);
    EXPECT_EQ(reader.i32(), -1);
    EXPECT_EQ(reader.f32(), -2.5f);
}

TEST(Writer, AlignedSizeStays) {
    Writer writer;
    writer.align(16);
    EXPECT_EQ(writer.size(), 0u);
    writer.zeros(16);
    writer.align(16);
    EXPECT_EQ(writer.size(), 16u);
}

}  // namespace
}  // namespace gomkit::core
