// covers GOM-FLAG-5
#include "dump.hpp"

#include "sample.hpp"

namespace gomkit::gom {
namespace {

using namespace test;

std::size_t lines(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

TEST(Dump, OneLineAField) {
    const core::Bytes bytes = encode(sample());
    const auto text = dump(bytes, "a.gom", "");
    ASSERT_TRUE(text.has_value());
    EXPECT_NE(text->find("00000000  47 4f 4d 42 30 30 30 31"), std::string::npos);
    EXPECT_NE(text->find("MSH0[0].VB0.vertex[3]"), std::string::npos);
    EXPECT_NE(text->find("CLP0[1].track[1].rotKey[1]"), std::string::npos);
    EXPECT_NE(text->find("'Root/Tip'"), std::string::npos);
    EXPECT_EQ(text->find("stopped"), std::string::npos);
    EXPECT_EQ(text->find(".rest"), std::string::npos);
}

// Every byte of the file is in some line, none in two, and the lines ascend.
TEST(Dump, CoversTheFileOnce) {
    const core::Bytes bytes = encode(morph_sample());
    const std::string text = *dump(bytes, "a.gom", "");
    std::uint64_t next = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        if (line.empty()) {
            continue;
        }
        EXPECT_EQ(std::stoull(line.substr(0, 8), nullptr, 16), next) << line;
        std::string hex = line.substr(10, line.find("  ", 10) - 10);
        if (const std::size_t plus = hex.find('+'); plus != std::string::npos) {
            next += std::stoull(hex.substr(plus + 1)) + 16;
        } else {
            next += (hex.size() + 1) / 3;
        }
    }
    EXPECT_EQ(next, bytes.size());
}

TEST(Dump, SelectsAPart) {
    const core::Bytes bytes = encode(sample());
    EXPECT_EQ(lines(*dump(bytes, "a.gom", "MSH0[0].VB0.vertex[2]")), 1u);
    EXPECT_EQ(lines(*dump(bytes, "a.gom", "header")), 11u);
    const core::Bytes shapes = encode(morph_sample());
    EXPECT_EQ(lines(*dump(shapes, "a.gom", "MSH0[0].MRPH[1]")), 4u + 4u + 6u + 1u);
    EXPECT_EQ(lines(*dump(shapes, "a.gom", "CLP0[1].MRPA.track[0]")), 2u + 2u);
    EXPECT_EQ(lines(*dump(shapes, "a.gom", "MRPC")), 4u + 2u + 6u + 3u + 1u);
    EXPECT_EQ(lines(*dump(shapes, "a.gom", "MRPC.channel[0].shapeWeight[1]")), 1u);
    EXPECT_EQ(lines(*dump(shapes, "a.gom", "MRPC.channel[1]")), 3u + 1u);
    EXPECT_EQ(lines(*dump(bytes, "a.gom", "MSH0[1].GBTM")), 4u + 1u);
    const std::string part = *dump(bytes, "a.gom", "MSH0[1]");
    EXPECT_EQ(part.find("MSH0[0]"), std::string::npos);
    const auto none = dump(bytes, "a.gom", "MSH0[2]");
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().code, core::Code::Usage);
    EXPECT_FALSE(dump(bytes, "a.gom", "MSH").has_value());
}

// Channel 0 has shapes 0 and 1; the end of channel 1 is wrong, so that shape 2 is nobody's.
TEST(Dump, AShapeBehindABrokenEndHasNoChannel) {
    for (const std::uint32_t end : {2u, 4u}) {
        core::Bytes bytes = encode(morph_sample());
        patch(bytes, chunk_at(bytes, "MRPC") + 16 + 28, end);
        EXPECT_EQ(lines(*dump(bytes, "a.gom", "MRPC.channel[0].shapeWeight[1]")), 1u);
        EXPECT_EQ(lines(*dump(bytes, "a.gom", "MRPC.shapeWeight[2]")), 1u);
        EXPECT_FALSE(dump(bytes, "a.gom", "MRPC.channel[1].shapeWeight[0]").has_value());
    }
}

TEST(Dump, DamagedFilesAreDumpedUpToTheDamage) {
    core::Bytes bytes = encode(sample());
    patch(bytes, chunk_at(bytes, "SKEL"), 0xFFFFFFFFu);
    const std::string text = *dump(bytes, "a.gom", "");
    EXPECT_NE(text.find("MATL.slot[1]"), std::string::npos);
    EXPECT_NE(text.find("stopped here"), std::string::npos);
    for (std::size_t size = 0; size <= bytes.size(); size += 7) {
        const core::Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_TRUE(dump(cut, "a.gom", "").has_value());
    }
    Random r(7);
    const core::Bytes valid = encode(sample());
    for (int i = 0; i < 3000; ++i) {
        core::Bytes changed = valid;
        for (int k = 0; k < 3; ++k) {
            changed[512 + r.below(static_cast<std::uint32_t>(changed.size() - 512))] = std::byte{static_cast<std::uint8_t>(r.next())};
        }
        EXPECT_TRUE(dump(changed, "a.gom", "").has_value());
    }
}

}  // namespace
}  // namespace gomkit::gom
