#include "tim.hpp"

#include <memory>

#include <gtest/gtest.h>

#include <gomkit/core/file.hpp>
#include <gomkit/core/reader.hpp>

namespace gomkit::ps1 {
namespace {

void put_block(core::Writer& w, const std::vector<std::uint16_t>& head, const std::vector<std::uint16_t>& data) {
    w.u32(static_cast<std::uint32_t>(12 + 2 * data.size()));
    for (const std::uint16_t v : head) {
        w.u16(v);
    }
    for (const std::uint16_t v : data) {
        w.u16(v);
    }
}

core::Bytes tim8() {
    core::Writer w;
    w.u32(0x10);
    w.u32(9);
    put_block(w, {640, 257, 4, 1}, {0, 0x1111, 0x2222, 0x8000});
    put_block(w, {896, 64, 2, 2}, {0x0100, 0x0302, 0x0003, 0x0001});
    return w.take();
}

// covers GPU-TIM-2, GPU-TIM-3
TEST(Tim, IsUploadedWhereItSays) {
    const core::Bytes bytes = tim8();
    const auto tim = read_tim(bytes, "a.tim");
    ASSERT_TRUE(tim.has_value()) << core::to_string(tim.error());
    EXPECT_EQ(tim->depth, 1);
    Vram vram;
    const TexturePlace place = upload(*tim, bytes, vram);
    EXPECT_EQ(place.page, 0x8E);   // as the page's table has it for the third slot
    EXPECT_EQ(place.clut, 0x4068);
    EXPECT_EQ(vram.at(643, 257), 0x8000);
    EXPECT_EQ(vram.at(897, 64), 0x0302);
    EXPECT_EQ(vram.at(896, 65), 0x0003);
    EXPECT_TRUE(tim->pixels.meets(897, 65));
    EXPECT_FALSE(tim->pixels.meets(896, 65));
    EXPECT_FALSE(tim->pixels.meets(897, 64));
}

TEST(Tim, EveryPrefixIsRefused) {
    const core::Bytes bytes = tim8();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto block = std::make_unique<std::byte[]>(size);
        std::copy_n(bytes.begin(), size, block.get());
        const auto tim = read_tim({block.get(), size}, "a.tim");
        ASSERT_FALSE(tim.has_value()) << size;
        EXPECT_EQ(tim.error().code, size < 4 ? core::Code::NotThisFormat : core::Code::Truncated) << size;
    }
}

// covers GPU-TIM-1, GPU-TIM-2
TEST(Tim, WrongsAreNamed) {
    struct Row {
        std::size_t byte;
        std::uint8_t value;
        core::Code code;
        std::uint64_t place;
    };
    for (const Row& row : {Row{0, 0x11, core::Code::NotThisFormat, 0}, Row{4, 10, core::Code::Unsupported, 4}, Row{4, 1, core::Code::Unsupported, 4}, Row{4, 3, core::Code::Unsupported, 4},
                           Row{8, 21, core::Code::Malformed, 8}, Row{12, 0x81, core::Code::Malformed, 12}, Row{15, 2, core::Code::Malformed, 12}, Row{16, 0, core::Code::Malformed, 8},
                           Row{33, 4, core::Code::Malformed, 32}, Row{36, 3, core::Code::Malformed, 28}}) {
        core::Bytes bytes = tim8();
        bytes[row.byte] = std::byte{row.value};
        const auto tim = read_tim(bytes, "a.tim");
        ASSERT_FALSE(tim.has_value()) << row.byte;
        EXPECT_EQ(tim.error().code, row.code) << row.byte << ": " << core::to_string(tim.error());
        EXPECT_EQ(tim.error().place.byte, row.place) << row.byte;
    }
}

}  // namespace
}  // namespace gomkit::ps1
