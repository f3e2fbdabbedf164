// covers GOM-HDR-9, GOM-LIMIT-1, GOM-LIMIT-4, GOM-CHUNK-1, GOM-CHUNK-10
#include "decode.hpp"

#include <functional>
#include <limits>

#include "sample.hpp"
#include "source_dir.hpp"

namespace gomkit::gom {
namespace {

using namespace test;
using core::Code;

struct Wrong {
    const char* title;
    std::function<void(core::Bytes&)> break_it;
    core::Error error;
};

core::Error error(Code code, std::string part, std::uint64_t byte, std::string what, std::string found, std::string expected, const char* rule) {
    return core::Error{code, core::Place{"a.gom", std::move(part), byte, {}}, std::move(what), std::move(found), std::move(expected), "",
                       {std::string("rule ") + rule}};
}

std::size_t payload(const core::Bytes& b, const char* fourcc, int nth = 0) { return chunk_at(b, fourcc, nth) + 16; }

TEST(Decode, TableOfWrongs) {
    const core::Bytes valid = encode(sample());
    const std::size_t vb0 = payload(valid, "VB0");
    const std::size_t ib0 = payload(valid, "IB0");
    const std::size_t sub0 = payload(valid, "SUB0");
    const std::size_t skel = payload(valid, "SKEL");
    const std::size_t msh0 = payload(valid, "MSH0");
    const std::size_t wave = payload(valid, "CLP0", 1);
    const std::size_t str0 = payload(valid, "STR0");
    const std::size_t matl = payload(valid, "MATL");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Wrong> wrongs = {
        {"empty file", [](core::Bytes& b) { b.clear(); },
         error(Code::Truncated, "header", 0, "the file is shorter than its header", "0 bytes", "at least 512", "GOM-HDR-1")},
        {"an MTA", [](core::Bytes& b) { std::memcpy(b.data(), "MTAB0001", 8); },
         error(Code::NotThisFormat, "header.magic", 0, "this is an MTA motion file, not a GOM model", "MTAB0001", "GOMB0001", "GOM-HDR-2")},
        {"a text", [](core::Bytes& b) { b.resize(20); std::memcpy(b.data(), "GOMT0001", 8); },
         error(Code::NotThisFormat, "header.magic", 0, "this is the text form of a GOM model, not the binary one", "GOMT0001", "GOMB0001",
               "GOM-HDR-2")},
        {"a text MTA", [](core::Bytes& b) { std::memcpy(b.data(), "MTAT0001", 8); },
         error(Code::NotThisFormat, "header.magic", 0, "MTA has no text form in v1; only MTAB0001 is supported", "MTAT0001", "GOMB0001",
               "GOM-HDR-2")},
        {"another version", [](core::Bytes& b) { patch(b, 12, 7u); },
         error(Code::Malformed, "header.formatVersion", 12, "formatVersion is not supported", "7", "1", "GOM-HDR-4")},
        {"chunk past the file", [&](core::Bytes& b) { patch(b, skel - 12, 0xFFFFFFFFu); },
         error(Code::Truncated, "SKEL", skel - 12, "the payload passes the end of its container", "4294967295 bytes",
               "at most " + std::to_string(valid.size() - skel), "GOM-CHUNK-3")},
        {"string offset", [&](core::Bytes& b) { patch(b, str0 + 8, 0xFFFFFFFFu); },
         error(Code::Malformed, "STR0.offset[1]", str0 + 8, "the offset lies outside the text", "4294967295", "less than 69", "GOM-STR0-2")},
        {"string id", [&](core::Bytes& b) { patch(b, matl + 4, 77u); },
         error(Code::Malformed, "MATL.slot[0].nameId", matl + 4, "the string id is out of range", "77", "less than 11", "GOM-STR0-4")},
        {"bone without name", [&](core::Bytes& b) { patch(b, skel + 12, 0xFFFFFFFFu); },
         error(Code::Malformed, "SKEL.nameId[0]", skel + 12, "the bone's name has no text", "", "", "GOM-STR0-5")},
        {"parent after child", [&](core::Bytes& b) { patch(b, skel + 8, 1); },
         error(Code::Malformed, "SKEL.parent[1]", skel + 8, "the bone's parent is out of range", "1", "-1, or less than 1", "GOM-SKEL-3")},
        {"too many bones", [&](core::Bytes& b) { patch(b, skel, 4097u); },
         error(Code::LimitExceeded, "SKEL.boneCount", skel, "limit on bones exceeded", "4097", "at most 4096", "GOM-LIMIT-1")},
        {"NaN in a matrix", [&](core::Bytes& b) { patch(b, skel + 28 + 4 * 13, nan); },
         error(Code::Malformed, "SKEL.bindLocal[0][13]", skel + 28 + 4 * 13, "the number is not finite", "nan", "a finite number", "CONV-NUM-2")},
        {"last column", [&](core::Bytes& b) { patch(b, skel + 28 + 12, 0.5f); },
         error(Code::Malformed, "SKEL.bindLocal[0][3]", skel + 28 + 12, "the matrix's last column is not 0 0 0 1", "0.5", "0", "CONV-MAT-3")},
        {"bone index", [&](core::Bytes& b) { patch(b, vb0 + 16 + 72 + 48 + 4, std::uint16_t{9}); },
         error(Code::Malformed, "MSH0[0].VB0.vertex[1].boneIndex[2]", vb0 + 16 + 72 + 52, "the bone index is out of range", "9", "less than 2",
               "GOM-VB0-4")},
        {"negative weight", [&](core::Bytes& b) { patch(b, vb0 + 16 + 56, -0.75f); },
         error(Code::Malformed, "MSH0[0].VB0.vertex[0].boneWeight[0]", vb0 + 72, "the weight is negative", "-0.75", "at least 0", "GOM-WEIGHT-4")},
        {"weight sum", [&](core::Bytes& b) { patch(b, vb0 + 16 + 56, 0.5f); },
         error(Code::Malformed, "MSH0[0].VB0.vertex[0].boneWeight", vb0 + 72, "the weights do not add up to 1", "0.75", "1 within 0.0001",
               "GOM-WEIGHT-3")},
        {"vertex count", [&](core::Bytes& b) { patch(b, msh0 + 8, 5u); },
         error(Code::Malformed, "MSH0[0].VB0.vertexCount", vb0, "the count is not that of MSH0", "4", "5", "GOM-MSH0-10")},
        {"vertices over the limit", [&](core::Bytes& b) { patch(b, msh0 + 8, 0x80000000u); },
         error(Code::LimitExceeded, "MSH0[0].vertexCount", msh0 + 8, "limit on vertices exceeded", "2147483648", "at most 10000000", "GOM-LIMIT-1")},
        {"index", [&](core::Bytes& b) { patch(b, ib0 + 16 + 8, 4u); },
         error(Code::Malformed, "MSH0[0].IB0.index[2]", ib0 + 24, "the index names no vertex", "4", "less than 4", "GOM-IB0-3")},
        {"flag without 16-bit indices", [&](core::Bytes& b) { patch(b, msh0 + 20, 1u); },
         error(Code::Malformed, "MSH0[0].flags", msh0 + 20, "flag bit 0 does not agree with IB0's indexSizeBytes", "1", "0", "GOM-MSH0-6")},
        {"submesh gap", [&](core::Bytes& b) { patch(b, sub0 + 4 + 12 + 4, 4u); },
         error(Code::Malformed, "MSH0[0].SUB0.submesh[1].indexStart", sub0 + 20, "the submesh does not begin where the one before ends", "4", "3",
               "GOM-SUB0-2")},
        {"material", [&](core::Bytes& b) { patch(b, sub0 + 4, -1); },
         error(Code::Malformed, "MSH0[0].SUB0.submesh[0].materialIndex", sub0 + 4, "the submesh names no material slot", "-1", "0 to 1",
               "GOM-SUB0-4")},
        {"key after the end", [&](core::Bytes& b) { patch(b, wave + 24 + 16 + 16, 2.0f); },
         error(Code::Malformed, "CLP0[1].track[0].trKey[1].time", wave + 56, "the key lies outside the clip", "2", "0 to 1.5", "GOM-CLP0-8")},
        {"two tracks", [&](core::Bytes& b) { patch(b, wave + 24 + 16 + 32, 0u); },
         error(Code::Malformed, "CLP0[1].track[1].boneIndex", wave + 72, "the bone has a second track in the clip", "0", "one track a bone",
               "GOM-CLP0-7")},
        {"zero quaternion", [&](core::Bytes& b) { patch(b, wave + 72 + 16 + 4 + 12, 0.0f); },
         error(Code::Malformed, "CLP0[1].track[1].rotKey[0].value", wave + 92, "the quaternion names no rotation", "length 0", "1", "CONV-QUAT-2")},
        {"tracks over the limit", [&](core::Bytes& b) { patch(b, wave + 20, 0xFFFFFFFFu); },
         error(Code::LimitExceeded, "CLP0[1].trackCount", wave + 20, "limit on tracks exceeded", "4294967295", "at most 8192", "GOM-LIMIT-1")},
    };
    for (const Wrong& w : wrongs) {
        SCOPED_TRACE(w.title);
        core::Bytes bytes = valid;
        w.break_it(bytes);
        for (const bool lenient : {false, true}) {
            if (lenient && std::string(w.title) == "parent after child") {
                continue;   // allowed there; this one is a cycle, which has a test of its own
            }
            const auto result = decode_bytes(bytes, lenient);
            ASSERT_FALSE(result.has_value());
            const core::Error& e = result.error();
            EXPECT_EQ(e.code, w.error.code);
            EXPECT_EQ(e.place, w.error.place) << core::to_string(e);
            EXPECT_EQ(e.what, w.error.what);
            EXPECT_EQ(e.found, w.error.found);
            EXPECT_EQ(e.expected, w.error.expected);
            EXPECT_EQ(e.notes, w.error.notes);
            EXPECT_FALSE(e.cure.empty());
        }
    }
}

TEST(Decode, LenientRefusesCycles) {
    core::Bytes bytes = encode(sample());
    const std::size_t skel = payload(bytes, "SKEL");
    patch(bytes, skel + 4, 1);
    const auto result = decode_bytes(bytes, true);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().what, "the bone is its own ancestor");
}

// The earlier table offset is recognised only where bytes 72 to 75 are 0.
TEST(Decode, LenientKeepsTableRules) {
    core::Bytes bytes = encode(sample());
    patch(bytes, 68, 1u);
    EXPECT_FALSE(decode_bytes(bytes, true).has_value());
    patch(bytes, 72, 0u);
    EXPECT_TRUE(decode_bytes(bytes, true).has_value());
    EXPECT_FALSE(decode_bytes(bytes, false).has_value());
}

// A limit one below the need gives exactly that limit's error.
TEST(Decode, LimitsAreExact) {
    const core::Bytes bytes = encode(sample());
    struct Row {
        const char* name;
        std::uint64_t runtime::Limits::*limit;
        std::uint64_t need;
    };
    const std::uint64_t text = 69;
    for (const Row& row : {Row{"bones", &runtime::Limits::max_bones, 2}, Row{"vertices", &runtime::Limits::max_vertices, 7},
                           Row{"indices", &runtime::Limits::max_indices, 9}, Row{"submeshes", &runtime::Limits::max_submeshes, 3},
                           Row{"mesh parts", &runtime::Limits::max_mesh_parts, 2}, Row{"material slots", &runtime::Limits::max_material_slots, 2},
                           Row{"clips", &runtime::Limits::max_clips, 2}, Row{"tracks", &runtime::Limits::max_tracks_per_clip, 2},
                           Row{"keys", &runtime::Limits::max_keys_per_clip, 5}, Row{"strings", &runtime::Limits::max_strings, 11},
                           Row{"string bytes", &runtime::Limits::max_string_bytes, text},
                           Row{"file bytes", &runtime::Limits::max_file_bytes, bytes.size()}}) {
        SCOPED_TRACE(row.name);
        for (const std::uint64_t less : {0u, 1u}) {
            core::Limits limits;
            limits.*row.limit = row.need - less;
            const auto result = decode_bytes(bytes, false, limits);
            EXPECT_EQ(result.has_value(), less == 0);
            if (!result) {
                EXPECT_EQ(result.error().code, Code::LimitExceeded);
                EXPECT_EQ(result.error().what, std::string("limit on ") + row.name + " exceeded");
                EXPECT_EQ(result.error().found, std::to_string(row.need));
                EXPECT_EQ(result.error().expected, "at most " + std::to_string(row.need - 1));
            }
            core::Report report;
            codec::CheckOptions options;
            options.limits = limits;
            check(bytes, "", options, report);
            EXPECT_EQ(report.has(core::IssueId::GOM_LIMIT), less == 1);
            EXPECT_EQ(report.has_errors(), less == 1);
            runtime::ModelView view;
            EXPECT_EQ(runtime::verify(bytes, limits, view, nullptr) == runtime::Status::Ok, less == 0);
        }
    }
}

// One long string named by many ids must not take more memory than allowed.
TEST(Decode, SharedStringsCountAgainstMemory) {
    Document d;
    d.materials.resize(100);
    for (MaterialSlot& s : d.materials) {
        s.name = std::string(1000, 'x');
    }
    const core::Bytes bytes = encode(d);
    core::Limits limits;
    limits.max_memory_bytes = 99'999;
    const auto refused = decode_bytes(bytes, false, limits);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().what, "limit on memory bytes exceeded");
    limits.max_memory_bytes = 100'000;
    EXPECT_TRUE(decode_bytes(bytes, false, limits).has_value());
}

// Strings that overlap are gone through once, and count each: neither time nor memory grows with the square of the file's size.
TEST(Decode, OverlappingStringsAreCheap) {
    Document d;
    d.materials.resize(1);
    d.materials[0].name = std::string(4'000'000, 'x');
    core::Bytes bytes = encode(d);
    // Makes an offset table of the first part of the text, so that there are many strings, all of them tails of one.
    const std::size_t str0 = payload(bytes, "STR0");
    const std::uint32_t count = 900'000;
    const auto starts = [&](std::uint32_t distinct) {
        patch(bytes, str0, count);
        for (std::uint32_t i = 0; i < count; ++i) {
            patch(bytes, str0 + 4 + 4 * i, i % distinct);
        }
    };
    starts(300'000);
    const auto refused = decode_bytes(bytes);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().what, "limit on string bytes exceeded");
    EXPECT_TRUE(check_bytes(bytes).has(core::IssueId::GOM_LIMIT));
    EXPECT_FALSE(verifies(bytes));
    starts(100);
    EXPECT_TRUE(decode_bytes(bytes).has_value());
    EXPECT_FALSE(has_load_error(check_bytes(bytes)));
    EXPECT_TRUE(verifies(bytes));
}

TEST(Decode, EveryPrefixIsRefusedOrReadAlikeByAllReaders) {
    const core::Bytes bytes = encode(morph_sample());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const core::Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_FALSE(decode_bytes(cut).has_value()) << size;
        EXPECT_TRUE(has_load_error(check_bytes(cut))) << size;
        EXPECT_FALSE(verifies(cut)) << size;
        (void)decode_bytes(cut, true);
    }
}

// Every aligned word of the file set to the values that break counts, offsets and floats.
TEST(Decode, EveryWordChangedGivesOneAnswer) {
    const core::Bytes bytes = encode(morph_sample());
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
        std::uint32_t stored = 0;
        std::memcpy(&stored, bytes.data() + at, 4);
        for (const std::uint32_t value : {0u, 1u, 2u, stored + 1, stored - 1, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFEu, 0xFFFFFFFFu,
                                          std::bit_cast<std::uint32_t>(nan), std::bit_cast<std::uint32_t>(inf)}) {
            core::Bytes changed = bytes;
            patch(changed, at, value);
            const bool decoded = decode_bytes(changed).has_value();
            EXPECT_EQ(decoded, verifies(changed)) << at << " = " << value;
            EXPECT_EQ(decoded, !has_load_error(check_bytes(changed))) << at << " = " << value;
            const bool lenient = decode_bytes(changed, true).has_value();
            EXPECT_TRUE(lenient || !decoded) << at << " = " << value;
        }
    }
}

TEST(Decode, UnknownChunksAreNamedOnce) {
    core::Bytes bytes = encode(sample());
    const std::size_t table = chunk_at(bytes, "CTBL");
    core::Bytes extra(32);
    std::memcpy(extra.data(), "XTRA", 4);
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(table), extra.begin(), extra.end());
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(table), extra.begin(), extra.begin() + 16);
    patch(bytes, table + 16 + 4, 16u);
    patch(bytes, 64, std::uint64_t{table + 48 + 16});
    core::Report report;
    ASSERT_TRUE(decode_bytes(bytes, false, {}, &report).has_value());
    ASSERT_EQ(report.issues().size(), 1u);
    EXPECT_EQ(report.issues()[0].id, core::IssueId::GOM_CHUNK_DROPPED);
    EXPECT_EQ(report.issues()[0].text, "chunk XTRA is unknown and was left out");
}

TEST(Decode, ReadsSixteenBitIndices) {
    const core::Bytes wide = encode(sample());
    const auto expected = decode_bytes(wide);
    auto bytes = core::read_file(source_dir() + "/tests/conformance/gom/bad/ib0_4_16_bit.gom", 1u << 20);
    ASSERT_TRUE(bytes.has_value());
    const auto narrow = decode_bytes(bytes->bytes());
    ASSERT_TRUE(narrow.has_value());
    EXPECT_EQ(narrow->parts[0].indices, expected->parts[0].indices);
}

}  // namespace
}  // namespace gomkit::gom
