// Reading and writing bytes. That every rule is tested on bytes is the conformance files' business (tests/conformance).
#include <algorithm>
#include <memory>

#include "check.hpp"
#include "dump.hpp"
#include "prove.hpp"
#include "sample.hpp"

namespace gomkit::km3 {
namespace {

using namespace test;

// covers KM3-BOX-1, KM3-BOX-2, KM3-WRITE-2
TEST(Encode, GivesTheWorkedExample) {
    const core::Bytes bytes = encode(example());
    ASSERT_EQ(bytes.size(), 528u);
    const auto digest = runtime::sha256(std::span<const std::byte>(bytes));
    EXPECT_EQ(core::hex_text(digest.data(), digest.size()), "f1b05cea35db50214311c14341d1d028d0377c900a01b6549f2188b096862188");
}

TEST(Decode, GivesTheWorkedExample) {
    const auto d = decoded(encode(example()));
    ASSERT_TRUE(d.has_value());
    EXPECT_EQ(*d, example());
}

TEST(Encode, AnEmptyDocumentIsAHeader) {
    EXPECT_EQ(encode(Document{}), core::Bytes(32));
    Document one;
    one.unit_count = 1;
    one.units.resize(1);
    const core::Bytes bytes = encode(one);
    EXPECT_EQ(bytes.size(), 128u);   // 32 + 88, to a multiple of 16
    EXPECT_EQ(encoded_size(one), 128u);
}

// covers KM3-BOX-2
TEST(Encode, TheWholeBoxIsThatOfTheRestPose) {
    Document d = example();
    d.units[0].origin = {1, 2, 3};
    const Box box = whole_box(d);
    EXPECT_EQ(box.low, (std::array<float, 3>{-49, 2, 3}));
    EXPECT_EQ(box.high, (std::array<float, 3>{51, 182, 3}));
    EXPECT_EQ(unit_box(d.units[1]).high, (std::array<float, 3>{50, 80, 0}));
}

TEST(Decode, EveryPrefixIsRefused) {
    const core::Bytes bytes = encode(example());
    for (std::size_t size = 0; size < 525; ++size) {   // what follows is padding
        const auto block = std::make_unique<std::byte[]>(size);
        std::copy_n(bytes.begin(), size, block.get());
        for (const bool strict : {false, true}) {
            EXPECT_FALSE(decoded({block.get(), size}, strict).has_value()) << size;
        }
        core::Report report;
        check({block.get(), size}, "a.km3", {}, report);
        EXPECT_TRUE(report.has_errors()) << size;
    }
}

// covers KM3-UNIT-3
TEST(Decode, ALenientReaderMovesParentsForward) {
    Document d = example();
    d.unit_count = 3;
    Unit third;
    third.origin = {7, 0, 0};
    third.parent = -1;
    d.units.push_back(third);
    core::Bytes bytes = encode(d);
    bytes[32 + 44] = std::byte{2};   // unit 0 below unit 2
    for (int i = 1; i < 4; ++i) {
        bytes[32 + 44 + static_cast<std::size_t>(i)] = std::byte{0};
    }
    EXPECT_FALSE(decoded(bytes, true).has_value());
    const auto lenient = decoded(bytes, false);
    ASSERT_TRUE(lenient.has_value());
    ASSERT_EQ(lenient->units.size(), 3u);
    EXPECT_EQ(lenient->units[0].origin[0], 7);         // was 2
    EXPECT_EQ(lenient->units[1].parent, 0);            // was 0
    EXPECT_EQ(lenient->units[1].vid.size(), 1u);
    EXPECT_EQ(lenient->units[2].parent, 1);            // was 1
    EXPECT_EQ(lenient->names, (std::vector<std::string>{"body_a", "arm_l"}));
}

// covers KM3-LIMIT-1
TEST(Decode, LimitsOneBelowTheNeedSaySo) {
    const core::Bytes bytes = encode(example());
    const auto run = [&](auto&& change) {
        DecodeOptions options;
        change(options.limits);
        const auto d = decode(bytes, "a.km3", options);
        core::Report report;
        codec::CheckOptions all;
        change(all.limits);
        check(bytes, "a.km3", all, report);
        EXPECT_EQ(report.has(core::IssueId::KM3_LIMIT), !d.has_value());
        return d ? core::Code::Internal : d.error().code;
    };
    EXPECT_EQ(run([](core::Limits& l) { l.max_bones = 1; }), core::Code::LimitExceeded);
    EXPECT_EQ(run([](core::Limits& l) { l.max_bones = 2; }), core::Code::Internal);
    EXPECT_EQ(run([](core::Limits& l) { l.max_vertices = 8; }), core::Code::LimitExceeded);
    EXPECT_EQ(run([](core::Limits& l) { l.max_vertices = 9; }), core::Code::Internal);
    EXPECT_EQ(run([](core::Limits& l) { l.max_indices = 7; }), core::Code::LimitExceeded);
    EXPECT_EQ(run([](core::Limits& l) { l.max_indices = 8; }), core::Code::Internal);
    EXPECT_EQ(run([](core::Limits& l) { l.max_strings = 1; }), core::Code::LimitExceeded);
    EXPECT_EQ(run([](core::Limits& l) { l.max_strings = 2; }), core::Code::Internal);
    EXPECT_EQ(run([](core::Limits& l) { l.max_string_bytes = 12; }), core::Code::LimitExceeded);
    EXPECT_EQ(run([](core::Limits& l) { l.max_string_bytes = 13; }), core::Code::Internal);
}

TEST(Decode, AMessageNamesThePlaceTheValueAndACure) {
    core::Bytes bytes = encode(example());
    bytes[0x152] = std::byte{9};   // vid of unit 1, second corner
    const auto d = decoded(bytes);
    ASSERT_FALSE(d.has_value());
    EXPECT_EQ(d.error().place.part, "unit[1].vid[0]");
    EXPECT_EQ(d.error().place.byte, 0x152u);
    EXPECT_EQ(d.error().found, "9");
    EXPECT_EQ(d.error().expected, "below 3");
    EXPECT_FALSE(d.error().cure.empty());
    EXPECT_EQ(d.error().notes, (std::vector<std::string>{"rule KM3_INDEX"}));
}

TEST(Check, ManyFindingsOfAKindAreCounted) {
    Document d = example();
    d.units[0].verts.assign(5000, {0, 0, 0, 1});
    core::Bytes bytes = encode(d);
    for (std::size_t v = 0; v < 5000; ++v) {
        bytes[0xD0 + 16 * v + 15] = std::byte{0};     // the exponent of w
    }
    core::Report report;
    check(bytes, "a.km3", {}, report);
    EXPECT_EQ(report.count(core::Severity::Warning), 5000u);
    EXPECT_FALSE(report.has_errors());
    EXPECT_TRUE(decoded(bytes).has_value());
}

TEST(Prove, ABrokenOutputIsOurBug) {
    core::Bytes bytes = encode(example());
    EXPECT_TRUE(prove(bytes, {}).has_value());
    bytes[8] = std::byte{1};   // the whole box
    const auto proof = prove(bytes, {});
    ASSERT_FALSE(proof.has_value());
    EXPECT_EQ(proof.error().code, core::Code::InvalidOutput);
}

TEST(Dump, HasALineForEveryFieldAndElement) {
    const core::Bytes bytes = encode(example());
    const auto text = dump(bytes, "a.km3", "", {});
    ASSERT_TRUE(text.has_value());
    // 4 + 2 * 16 fields, 7 vertices, 2 vid, 2 normals, 2 nid, 2 uvs, 2 names' offsets, 2 names.
    EXPECT_EQ(std::count(text->begin(), text->end(), '\n'), 4 + 32 + 7 + 2 + 2 + 2 + 2 + 2 + 2);
    EXPECT_NE(text->find("0x00000401 GT4 TWOSIDE"), std::string::npos);
    EXPECT_NE(text->find("50 0 0 0.25"), std::string::npos);
    EXPECT_NE(text->find("\"arm_l\""), std::string::npos);
    const auto part = dump(bytes, "a.km3", "unit[1].verts", {});
    ASSERT_TRUE(part.has_value());
    EXPECT_EQ(std::count(part->begin(), part->end(), '\n'), 4);   // the offset and three vertices
    EXPECT_EQ(dump(bytes, "a.km3", "unit[2]", {}).error().code, core::Code::Usage);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto cut = dump(std::span(bytes).first(size), "a.km3", "", {});
        ASSERT_TRUE(cut.has_value());
        EXPECT_EQ(cut->find("stopped here") != std::string::npos, size < 500) << size;   // the last array ends there
    }
}

TEST(Dump, DoesNotGoThroughMoreThanTheLimits) {
    Document d = example();
    const core::Bytes bytes = encode(d);
    core::Limits limits;
    limits.max_vertices = 3;
    limits.max_indices = 3;
    const auto text = dump(bytes, "a.km3", "", limits);
    ASSERT_TRUE(text.has_value());
    EXPECT_NE(text->find("stopped here"), std::string::npos);
    EXPECT_EQ(text->find("verts[0]"), std::string::npos);
}

}  // namespace
}  // namespace gomkit::km3
