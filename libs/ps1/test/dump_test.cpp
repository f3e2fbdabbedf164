#include "dump.hpp"

#include <set>
#include <sstream>

#include "encode.hpp"
#include "sample.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;

// Every byte of a canonical file is in exactly one line.
TEST(Dump, ShowsEveryByteOnce) {
    const core::Bytes bytes = encode(example(true));
    const auto text = dump(bytes, "a.ps1m", "");
    ASSERT_TRUE(text.has_value());
    std::set<std::size_t> seen;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = std::stoul(line.substr(0, 8), nullptr, 16);
        std::istringstream shown(line.substr(10, 50));
        std::string pair;
        for (std::size_t k = 0; shown >> pair; ++k) {
            ASSERT_LT(at + k, bytes.size()) << line;
            EXPECT_EQ(std::stoul(pair, nullptr, 16), std::to_integer<unsigned long>(bytes[at + k])) << line;
            EXPECT_TRUE(seen.insert(at + k).second) << line;
        }
    }
    EXPECT_EQ(seen.size(), bytes.size());
}

std::string squeezed(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c != ' ' || (!out.empty() && out.back() != ' ')) {
            out += c;
        }
    }
    return out;
}

TEST(Dump, TakesAPart) {
    const core::Bytes bytes = encode(example());
    const auto bone = dump(bytes, "a.ps1m", "bone[1].vertices");
    ASSERT_TRUE(bone.has_value());
    EXPECT_EQ(squeezed(*bone), "000000a6 02 00 02 00 bone[1].vertices 2 from 2 PS1M-ORDER-2\n");
    const auto frame = dump(bytes, "a.ps1m", "clip[0].frame[1].rotation[1]");
    ASSERT_TRUE(frame.has_value());
    EXPECT_EQ(squeezed(*frame), "000000ec 00 00 00 00 24 04 74 0f clip[0].frame[1].rotation[1] 0 0 1060 3956 PS1M-FRAME-1\n");
    const auto nothing = dump(bytes, "a.ps1m", "bone[2]");
    ASSERT_FALSE(nothing.has_value());
    EXPECT_EQ(nothing.error().code, core::Code::Usage);
}

TEST(Dump, SaysWhereItStops) {
    core::Bytes bytes = encode(example());
    bytes.pop_back();
    const auto text = dump(bytes, "a.ps1m", "");
    ASSERT_TRUE(text.has_value());
    EXPECT_NE(text->find("header.nquads"), std::string::npos);
    EXPECT_NE(text->find("000000c8  stopped here: clip[0].frames: "), std::string::npos) << *text;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto cut = dump(std::span<const std::byte>(bytes).first(size), "a.ps1m", "");
        ASSERT_TRUE(cut.has_value()) << size;
        EXPECT_NE(cut->find("stopped here"), std::string::npos) << size;
    }
}

}  // namespace
}  // namespace gomkit::ps1
