// Reading and writing bytes. That every rule is tested on bytes is the conformance files' business (tests/conformance).
#include <memory>
#include <string>

#include <gomkit/core/report.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/runtime/sha256.hpp>

#include "decode.hpp"
#include "encode.hpp"
#include "sample.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;

core::Bytes bytes_of(std::string_view hex) {
    core::Bytes out;
    std::string digits;
    for (const char c : hex) {
        if (c != ' ' && c != '\n') {
            digits += c;
        }
    }
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        out.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    }
    return out;
}

const char* const kHead = R"(
50 53 31 4D 04 00 02 00 02 00 01 00 01 00 00 00 30 00 00 00 70 00 00 00 90 00 00 00 B4 00 00 00
00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
00 FE 00 00 00 00 00 00 00 00 00 00 00 F0 00 FF
00 02 00 00 00 00 00 00 00 00 00 00 00 F0 FF FF
80 FE 00 FD 00 00 01 00 00 00 00 00 00 F0 00 80
80 01 00 FD 00 00 01 00 00 00 00 00 00 F0 FF 80
00 00 03 00 01 00 00 00 00 00 00 00 00 F0 00 00
00 00 02 00 03 00 01 00 00 00 00 00 00 F0 01 00
FF 01 00 00 00 00 02 00 00 00 01 00 00 00 00 F8 00 00
00 00 FF 00 02 00 02 00 01 00 01 00 00 00 00 FC 00 00
6E 6F 64 00 00 00 00 00 00 00 00 00 00 00 00 00
02 00 0F 00 CC 00 00 00
00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 10 00 00 00 F8 00 00 00 00
00 00 00 00 00 00 00 10 00 00 00 00 24 04 74 0F 00 00 30 F8 00 00 00 00)";
const char* const kTail = R"(
00 FF 00 00 00 00 00 00 00 F0 00 00
00 01 FF 00 00 00 00 FD 00 00 00 00 00 00 00 10
FF FF FF 00 00 00 00 00 00 00 00 00 00 00 00 00
FF FF FF 00 00 00 00 00 00 00 00 00 00 00 00 00
FF FF FF 00 00 00 00 00 00 00 00 00 00 00 00 00
00 00 02 00 02 00 03 00 03 00 01 00 01 00 00 00
02 00 03 00 01 00 00 00 00 00 01 00)";

std::string digest(const core::Bytes& bytes) {
    const auto d = runtime::sha256(std::span<const std::byte>(bytes));
    return core::hex_text(d.data(), d.size());
}

// covers PS1M-WRITE-1, PS1M-WRITE-2
TEST(Encode, GivesTheWorkedExamples) {
    const core::Bytes plain = encode(example());
    EXPECT_EQ(plain, bytes_of(kHead));
    EXPECT_EQ(digest(plain), "6dd403587e6e231e60783981ff26e490011f8cd9f1a1c416cd4af160c7394101");
    const core::Bytes extended = encode(example(true));
    EXPECT_EQ(extended.size(), 356u);
    EXPECT_EQ(digest(extended), "72b00c635190c75b572f68af7028d3ce85e27d42f619cbc2a9b2765624e2c717");
    const core::Bytes tail = bytes_of(kTail);
    EXPECT_TRUE(std::equal(tail.begin(), tail.end(), extended.begin() + 252, extended.end()));
}

TEST(Decode, GivesTheWorkedExamples) {
    for (const bool extended : {false, true}) {
        const auto d = decode(encode(example(extended)), "a.ps1m");
        ASSERT_TRUE(d.has_value()) << core::to_string(d.error());
        EXPECT_EQ(*d, example(extended));
        EXPECT_EQ(clip_name(d->clips[0]), "nod");
    }
}

TEST(Encode, PadsAnOddNumberOfBones) {
    Document d = example();
    d.bones.push_back({1, 0, 255, 0, 0, 0, 0, {1, 2, 3}});
    for (Frame& f : d.clips[0].frames) {
        f.rotations.push_back({0, 0, 0, 4096});
    }
    const core::Bytes bytes = encode(d);
    EXPECT_EQ(bytes.size(), 252u + 20 + 16);
    core::Report report;
    check(bytes, "a.ps1m", true, report);
    EXPECT_TRUE(report.issues().empty());
    EXPECT_EQ(*decode(bytes, "a.ps1m"), d);
}

/// The example with a header of 40 bytes, as the older generations have it; bytes 14 and 15 and 36 to 39 are the edges of the second one.
core::Bytes old_generation(bool edges) {
    Document d = example();
    if (edges) {
        d.edges = {{0, 2}, {2, 3}};
    }
    core::Bytes bytes = encode(d);
    bytes.erase(bytes.begin() + 40, bytes.begin() + 48);
    const auto shift = [&bytes](std::size_t at) {
        if (bytes[at] != std::byte{0} || bytes[at + 1] != std::byte{0}) {
            const unsigned v = static_cast<unsigned>(bytes[at]) + 256u * static_cast<unsigned>(bytes[at + 1]) - 8;
            bytes[at] = static_cast<std::byte>(v & 255);
            bytes[at + 1] = static_cast<std::byte>(v >> 8);
        }
    };
    for (const std::size_t at : {16u, 20u, 24u, 28u, 32u, 36u, 172u + 20u}) {
        shift(at);
    }
    return bytes;
}

// covers PS1M-FILE-3
TEST(Decode, TakesTheOlderGenerations) {
    for (const bool edges : {false, true}) {
        const core::Bytes bytes = old_generation(edges);
        const auto d = decode(bytes, "model.bin");
        ASSERT_TRUE(d.has_value()) << core::to_string(d.error());
        Document expected = example();
        if (edges) {
            expected.edges = {{0, 2}, {2, 3}};
        }
        EXPECT_EQ(*d, expected);
        core::Report report;
        check(bytes, "model.bin", false, report);
        EXPECT_TRUE(report.issues().empty());
        check(bytes, "model.bin", true, report);
        EXPECT_TRUE(report.has(core::IssueId::PS1_NOT_CANONICAL));
    }
}

TEST(Decode, EveryPrefixIsRefused) {
    const core::Bytes bytes = encode(example(true));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto block = std::make_unique<std::byte[]>(size);
        std::copy_n(bytes.begin(), size, block.get());
        const auto d = decode({block.get(), size}, "a.ps1m");
        ASSERT_FALSE(d.has_value()) << size;
        EXPECT_FALSE(d.error().notes.empty());
        core::Report report;
        check({block.get(), size}, "a.ps1m", true, report);
        EXPECT_TRUE(report.has_errors()) << size;
    }
}

TEST(Decode, AndCheckAgreeOnDamagedFiles) {
    const core::Bytes bytes = encode(example(true));
    std::uint32_t random = 1;
    const auto next = [&random] { return (random = random * 1664525u + 1013904223u) >> 8; };
    std::size_t refused = 0;
    for (int i = 0; i < 20000; ++i) {
        core::Bytes changed = bytes;
        for (std::uint32_t k = 0; k <= next() % 3; ++k) {
            static constexpr std::uint8_t kValues[] = {0, 1, 2, 3, 4, 0x10, 0x7F, 0x80, 0xFF};
            changed[next() % (next() % 2 == 0 ? 48 : changed.size())] = std::byte{kValues[next() % std::size(kValues)]};
        }
        const auto d = decode(changed, "a.ps1m");
        core::Report report("", 10'000, 10'000);
        check(changed, "a.ps1m", true, report);
        const bool good = std::none_of(report.issues().begin(), report.issues().end(), [](const core::Issue& issue) {
            return issue.severity == core::Severity::Error && issue.id != core::IssueId::PS1_BONES && issue.id != core::IssueId::PS1_VERTICES &&
                   issue.id != core::IssueId::PS1_TEXTURE && issue.id != core::IssueId::PS1_ORDER && issue.id != core::IssueId::PS1_BONE_RANGE;
        });
        ASSERT_EQ(d.has_value(), good) << i;
        refused += d ? 0u : 1u;
        if (d) {
            ASSERT_EQ(*decode(encode(*d), "again"), *d) << i;   // covers PS1M-WRITE-2
        }
        for (const core::Issue& issue : report.issues()) {
            ASSERT_EQ(issue.text.find('?'), std::string::npos) << issue.text;
        }
    }
    EXPECT_GT(refused, 4000u);
    EXPECT_LT(refused, 19000u);
}

TEST(Decode, FramesWithoutBonesDoNotGrow) {
    core::Bytes bytes = encode(example());
    for (const std::size_t at : {8u, 12u}) {
        bytes[at] = std::byte{0};
    }
    bytes[196] = bytes[197] = std::byte{0xFF};   // 65,535 frames of no size
    const auto d = decode(bytes, "a.ps1m");
    ASSERT_FALSE(d.has_value());
    EXPECT_EQ(d.error().notes.front(), "rule PS1_COUNT");
    EXPECT_EQ(d.error().place.part, "header");
    EXPECT_EQ(d.error().place.byte, 8u);
}

}  // namespace
}  // namespace gomkit::ps1
