// The text form in the small: numbers, strings, places, limits, the codec. The rules of gomt.md have their files in tests/conformance/gomt.
#include <gomkit/gom/gom.hpp>

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "bytes.hpp"
#include "sample.hpp"
#include "source_dir.hpp"
#include "text_check.hpp"
#include "text_find.hpp"
#include "text_lex.hpp"
#include "text_read.hpp"
#include "text_write.hpp"

namespace gomkit::gom {
namespace {

using namespace test;

const codec::Codec kText = make_text_codec();
const codec::Codec kBinary = make_codec();

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }
std::string_view text_of(const core::Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

core::Result<TextDocument> read(std::string_view text, const core::Limits& limits = {}, bool lenient = false) {
    core::Report unused;
    DecodeOptions options;
    options.limits = limits;
    options.lenient = lenient;
    return read_text(bytes_of(text), "a.gomt", options, unused);
}

core::Error refused(std::string_view text, const core::Limits& limits = {}) {
    auto result = read(text, limits);
    EXPECT_FALSE(result.has_value()) << text.substr(0, 200);
    return result ? core::Error{} : result.error();
}

std::string canonical_text(Document d) {
    canonicalise(d);
    const auto bytes = write_text(d, 1u << 30);
    EXPECT_TRUE(bytes.has_value());
    return std::string(text_of(*bytes));
}

const std::string kSample = [] {
    Document d = sample();
    d.validation_flags = 63;
    return canonical_text(d);
}();

std::string with(std::string text, std::string_view old, std::string_view changed) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), changed);
}

// Numbers

std::optional<float> number(const std::string& text) {
    TextCursor cursor(text);
    float value = 0;
    if (!cursor.read_float(value) || cursor.at != cursor.end) {
        return std::nullopt;
    }
    return value;
}

// covers GOMT-FLOAT-1
TEST(TextNumbers, AreRoundedOnce) {
    EXPECT_EQ(number("0.1"), 0.1f);
    EXPECT_EQ(number("1e0"), 1.0f);
    EXPECT_EQ(number("16777217"), 16777216.0f);       // ties to even
    EXPECT_EQ(number("16777219"), 16777220.0f);
    EXPECT_EQ(number("16777217.0000000000000000000000000000001"), 16777218.0f);
    // The middle of 1 + 2^-23 and 1 + 2^-22, less a little that a double does not see.
    EXPECT_EQ(number("1.00000017881393432617187499999999"), 1.00000011920928955078125f);
    EXPECT_EQ(number("1.000000178813934326171875"), 1.0000002384185791015625f);
    EXPECT_EQ(number("1e-46"), 0.0f);
    EXPECT_EQ(number("1e-45"), std::bit_cast<float>(1u));
    EXPECT_EQ(number("7.0064923216240853546186479164495806e-46"), 0.0f);   // below half of the smallest
    EXPECT_EQ(number("7.0064923216240853546186479164495807e-46"), std::bit_cast<float>(1u));
    EXPECT_EQ(number("3.4028235677973366163753939545814256844e38"), std::numeric_limits<float>::max());
    EXPECT_EQ(number("3.4028235677973366163753939545814256845e38"), std::nullopt);
    EXPECT_EQ(number("1e39"), std::nullopt);
    EXPECT_TRUE(std::signbit(*number("-0")));
    EXPECT_TRUE(std::signbit(*number("-1e-60")));
}

TEST(TextNumbers, MayHaveManyDigits) {
    const std::string zeros(100'000, '0');
    EXPECT_EQ(number("0." + zeros + "1e100001"), 1.0f);
    EXPECT_EQ(number("1" + zeros + "e-100000"), 1.0f);
    EXPECT_EQ(number("1" + zeros), std::nullopt);
    EXPECT_EQ(number("0." + zeros + "1"), 0.0f);
    EXPECT_EQ(number("16777217." + zeros + "1"), 16777218.0f);
    EXPECT_EQ(number("1e-" + zeros + "1"), 0.1f);
    EXPECT_EQ(number("1e" + std::string(100'000, '9')), std::nullopt);
    EXPECT_EQ(number("0e" + std::string(100'000, '9')), 0.0f);
    EXPECT_EQ(number("1e-" + std::string(100'000, '9')), 0.0f);
}

// A hundred megabytes of digits are gone over once, without a copy of them.
TEST(TextNumbers, HugeOnesTakeLinearTime) {
    std::string text = "GOMT0001\nHeader = { validationFlags = ";
    text.append(100'000'000, '7');
    text += " }\nEnd = true\n";
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(refused(text).found.substr(0, 10), "'777777777");
    EXPECT_LT(refused(text).found.size(), 100u);
    text = with(text, "validationFlags", "d");
    EXPECT_FALSE(read(text).has_value());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    std::string number_text = "0." + std::string(100'000'000, '3');
    TextCursor cursor(number_text);
    float value = 0;
    EXPECT_TRUE(cursor.read_float(value));
    EXPECT_EQ(value, 1.0f / 3);
}

// covers GOMT-CANON-9
TEST(TextNumbers, AreWrittenShortest) {
    EXPECT_EQ(float_text(1), "1");
    EXPECT_EQ(float_text(0.1f), "0.1");
    EXPECT_EQ(float_text(0.70710677f), "0.70710677");
    EXPECT_EQ(float_text(1e-5f), "0.00001");
    EXPECT_EQ(float_text(1.5e-6f), "1.5e-6");
    EXPECT_EQ(float_text(123456790.0f), "123456790");
    EXPECT_EQ(float_text(1e9f), "1e9");
    EXPECT_EQ(float_text(-2.5f), "-2.5");
    EXPECT_EQ(float_text(std::numeric_limits<float>::max()), "3.4028235e38");
    EXPECT_EQ(float_text(std::bit_cast<float>(1u)), "1e-45");
    EXPECT_EQ(float_text(16777216), "16777216");
    EXPECT_EQ(float_text(16777218), "16777218");
    EXPECT_EQ(float_text(33554432), "33554432");
    EXPECT_EQ(float_text(999999984.0f), "1e9");
    EXPECT_EQ(float_text(1e8f), "100000000");
    EXPECT_EQ(float_text(9.99999e-6f), "9.99999e-6");
    EXPECT_EQ(float_text(0.00012345679f), "0.00012345679");
    EXPECT_EQ(float_text(0), "0");
    EXPECT_EQ(float_text(1.17549435e-38f), "1.1754944e-38");
}

TEST(TextNumbers, ComeBackAsTheyWere) {
    Random random(99);
    for (int i = 0; i < 200'000; ++i) {
        const std::uint32_t bits = random.next() & 0x7FFF'FFFFu;
        if (is_bad_float(bits)) {
            continue;
        }
        const auto value = std::bit_cast<float>(bits);
        const std::string text = float_text(value);
        ASSERT_EQ(number(text), value) << text;
        ASSERT_LE(text.size(), 15u) << text;
    }
}

// Places

// covers GOMT-LEX-6
TEST(TextPlaces, CountCodePointsFromOne) {
    const std::string text = "ab\r\n\xE9\xAA\xA8\tx\n\ny";
    TextPlaces places(text);
    EXPECT_EQ(places.of(0), (core::TextPos{1, 1}));
    EXPECT_EQ(places.of(2), (core::TextPos{1, 3}));
    EXPECT_EQ(places.of(3), (core::TextPos{1, 4}));
    EXPECT_EQ(places.of(4), (core::TextPos{2, 1}));
    EXPECT_EQ(places.of(7), (core::TextPos{2, 2}));
    EXPECT_EQ(places.of(8), (core::TextPos{2, 3}));
    EXPECT_EQ(places.of(8), (core::TextPos{2, 3}));
    EXPECT_EQ(places.of(10), (core::TextPos{3, 1}));
    EXPECT_EQ(places.of(11), (core::TextPos{4, 1}));
    EXPECT_EQ(places.of(99), (core::TextPos{4, 2}));
}

TEST(TextFind, TranslatesPlacesOfTheBinaryForm) {
    const std::uint32_t listed[] = {2, 0, 1};
    const auto path = [&](const char* part) { return text_path_of(part, listed); };
    EXPECT_EQ(path("header.validationFlags"), "Header.validationFlags");
    EXPECT_EQ(path("header.converterVersionStrId"), "Header.converterVersion");
    EXPECT_EQ(path("MATL.slot[3].kd[1]"), "MaterialSlots[3].phong.kd[1]");
    EXPECT_EQ(path("MATL.slot[3].normalMapId"), "MaterialSlots[3].maps.normal");
    EXPECT_EQ(path("MATL.count"), "MaterialSlots");
    EXPECT_EQ(path("SKEL.bindLocal[0][5]"), "Skeleton.bones[2].bindLocal[5]");
    EXPECT_EQ(path("SKEL.pathId[1]"), "Skeleton.bones[0].path");
    EXPECT_EQ(path("SKEL.boneCount"), "Skeleton.boneCount");
    EXPECT_EQ(path("MSH0[4].VB0.vertex[17].boneIndex[2]"), "Meshes[4].vertices[17].bi[2]");
    EXPECT_EQ(path("MSH0[4].VB0.vertex[17]"), "Meshes[4].vertices[17]");
    EXPECT_EQ(path("MSH0[4].IB0.index[7]"), "Meshes[4].indices[7]");
    EXPECT_EQ(path("MSH0[4].SUB0.submesh[1].indexStart"), "Meshes[4].submeshes[1].indexStart");
    EXPECT_EQ(path("MSH0[4].SUB0.count"), "Meshes[4].submeshes");
    EXPECT_EQ(path("MSH0[4].IBND.inverseBind[2][15]"), "Meshes[4].inverseBind[1][15]");
    EXPECT_EQ(path("MSH0[4].GBTM[3]"), "Meshes[4].meshBindGeoToModel[3]");
    EXPECT_EQ(path("MSH0[4].boneCount"), "Meshes[4].inverseBind");
    EXPECT_EQ(path("MSH0[4]"), "Meshes[4]");
    EXPECT_EQ(path("CLP0[1].track[2].rotKey[3].value[0]"), "Animations[1].tracks[2].rotKeys[3].value[0]");
    EXPECT_EQ(path("CLP0[1].trackCount"), "Animations[1].tracks");
    EXPECT_EQ(path("ANIM.clipCount"), "Animations");
    EXPECT_EQ(path(""), "");
}

TEST(TextFind, FallsBackToWhatIsAround) {
    const auto at = [](const char* path) { return std::string_view(kSample).substr(find_text_path(kSample, path), 12); };
    EXPECT_EQ(at("Meshes[0].vertices[1].p[0]"), "1, 2, 0], n ");
    EXPECT_EQ(at("Meshes[0].inverseBind[1][13]"), "-1, 0, 1]\n  ");
    EXPECT_EQ(at("Meshes[1].name"), "\"Sign\",\n    ");
    EXPECT_EQ(at("Meshes[0].meshBindGeoToModel[3]").substr(0, 1), "{");
    EXPECT_EQ(at("Meshes[9].name").substr(0, 1), "[");
    EXPECT_EQ(find_text_path(kSample, "Nothing"), 0u);
}

// Limits

// covers GOM-LIMIT-1, GOM-LIMIT-2, GOM-LIMIT-3
TEST(TextLimits, AreInclusiveAndHaveAPlace) {
    struct Row {
        std::uint64_t exact;
        void (*set)(core::Limits&, std::uint64_t);
        const char* path;
        core::TextPos place;
    };
    const Row rows[] = {
        {2, [](core::Limits& l, std::uint64_t v) { l.max_bones = static_cast<decltype(l.max_bones)>(v); }, "Skeleton.boneCount", {8, 15}},
        {7, [](core::Limits& l, std::uint64_t v) { l.max_vertices = static_cast<decltype(l.max_vertices)>(v); }, "Meshes[1].vertices[2]", {89, 7}},
        {9, [](core::Limits& l, std::uint64_t v) { l.max_indices = static_cast<decltype(l.max_indices)>(v); }, "Meshes[1].indices[2]", {92, 13}},
        {3, [](core::Limits& l, std::uint64_t v) { l.max_submeshes = static_cast<decltype(l.max_submeshes)>(v); }, "Meshes[1].submeshes[0]", {95, 7}},
        {2, [](core::Limits& l, std::uint64_t v) { l.max_mesh_parts = static_cast<decltype(l.max_mesh_parts)>(v); }, "Meshes[1]", {78, 3}},
        {2, [](core::Limits& l, std::uint64_t v) { l.max_material_slots = static_cast<decltype(l.max_material_slots)>(v); }, "MaterialSlots[1]", {40, 3}},
        {2, [](core::Limits& l, std::uint64_t v) { l.max_clips = static_cast<decltype(l.max_clips)>(v); }, "Animations[1]", {108, 3}},
        {2, [](core::Limits& l, std::uint64_t v) { l.max_tracks_per_clip = static_cast<decltype(l.max_tracks_per_clip)>(v); }, "Animations[1].tracks[1]", {123, 7}},
        {5, [](core::Limits& l, std::uint64_t v) { l.max_keys_per_clip = static_cast<decltype(l.max_keys_per_clip)>(v); }, "Animations[1].tracks[1].scKeys[0]", {131, 11}},
        {11, [](core::Limits& l, std::uint64_t v) { l.max_strings = static_cast<decltype(l.max_strings)>(v); }, "Animations[1].name", {109, 12}},
        {69, [](core::Limits& l, std::uint64_t v) { l.max_string_bytes = static_cast<decltype(l.max_string_bytes)>(v); }, "Animations[1].name", {109, 12}},
        {7, [](core::Limits& l, std::uint64_t v) { l.max_text_nesting = static_cast<decltype(l.max_text_nesting)>(v); }, "Animations[1].tracks[0].trKeys[0].value", {117, 31}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.path);
        core::Limits limits;
        row.set(limits, row.exact);
        EXPECT_TRUE(read(kSample, limits).has_value());
        row.set(limits, row.exact - 1);
        const core::Error error = refused(kSample, limits);
        EXPECT_EQ(error.code, core::Code::LimitExceeded);
        EXPECT_EQ(error.place.part, row.path);
        EXPECT_EQ(error.place.line, row.place) << core::to_string(error);
        EXPECT_EQ(error.found, std::to_string(row.exact));
        EXPECT_EQ(error.expected, "at most " + std::to_string(row.exact - 1));
        core::Report report;
        codec::CheckOptions options;
        options.limits = limits;
        check_text(bytes_of(kSample), "", options, report);
        ASSERT_EQ(report.issues().size(), 1u);
        EXPECT_EQ(report.issues()[0].id, core::IssueId::GOM_LIMIT);
        EXPECT_EQ(report.issues()[0].place.line, row.place);
    }
    core::Limits limits;
    limits.max_file_bytes = kSample.size();
    EXPECT_TRUE(read(kSample, limits).has_value());
    limits.max_file_bytes = kSample.size() - 1;
    EXPECT_EQ(refused(kSample, limits).code, core::Code::LimitExceeded);
}

TEST(TextLimits, DefaultSlotsOfTheEarlierGenerationAreLimited) {
    std::string text = with(kSample, "MaterialSlots", "// MaterialSlots");
    const std::size_t begin = text.find("// MaterialSlots");
    text.erase(begin, text.find("Meshes = ") - begin);
    ASSERT_TRUE(read(text, {}, true).has_value());
    const auto many = read(with(text, "materialIndex = 1", "materialIndex = 2000000000"), {}, true);
    ASSERT_FALSE(many.has_value());
    EXPECT_EQ(many.error().code, core::Code::LimitExceeded);
    EXPECT_EQ(many.error().found, "2000000001");
}

// Messages

TEST(TextErrors, SayEverything) {
    EXPECT_EQ(core::to_string(refused(with(kSample, "bi = [0, 0, 0, 0]", "bi = [0, 0, 7, 0]"))),
              "a.gomt: error Malformed: Meshes[0].vertices[1].bi[2], line 51, column 84: the bone index is out of range: found 7, expected less "
              "than 2; rule GOM-VB0-4 (correct the text)");
    EXPECT_EQ(core::to_string(refused(with(kSample, "uv =", "uvs ="))),
              "a.gomt: error Malformed: Meshes[0].vertices[0].uvs, line 50, column 60: the name is not known here: found 'uvs', expected one of p, "
              "n, t, uv, bi, bw; rule GOMT-FIELD-1 (correct the name, or remove it with its value)");
    EXPECT_EQ(core::to_string(refused("GOMB0001 and more")),
              "a.gomt: error NotThisFormat: line 1, column 1: this is the binary form of a GOM model, not the text form: found 'GOMB0001', expected "
              "GOMT0001; rule GOMT-LEX-2 (give a GOM text file: its first line is GOMT0001)");
    EXPECT_EQ(core::to_string(refused(kSample.substr(0, kSample.find("End")))),
              "a.gomt: error Truncated: line 137, column 1: End = true is not the last thing in the text: found the end of the text, expected End = "
              "true before it; rule GOMT-ENTRY-1 (copy the file again if it was cut off; else let End = true be its last line)");
    EXPECT_EQ(core::to_string(refused(with(kSample, "parent = 0", "parent = 1"))),
              "a.gomt: error Malformed: Skeleton.bones[1].parent, line 22, column 16: the bone's parent is out of range: found 1, expected -1, or "
              "another bone's position, less than 2; rule GOM-SKEL-3 (correct the text)");
}

// The numbers in findings are those of the text, whose bones are listed in another order.
TEST(TextCheck, NamesBonesAsTheTextDoes) {
    Document d = sample();
    std::string text = canonical_text(d);
    const std::size_t root = text.find("    {\n      parent = -1");
    const std::size_t tip = text.find("    {\n      parent = 0");
    const std::size_t end = text.find("\n  ]\n}\n", tip);
    std::string first = text.substr(root, tip - root - 2);
    std::string second = with(text.substr(tip, end - tip), "parent = 0", "parent = 1");
    text.replace(root, end - root, second + ",\n" + first);
    text = with(text, "bi = [1, 0, 0, 0], bw = [0.75, 0.25, 0, 0]", "bi = [1, 1, 0, 0], bw = [0.75, 0.25, 0, 0]");
    core::Report report;
    check_text(bytes_of(text), "", {}, report);
    const auto it = std::find_if(report.issues().begin(), report.issues().end(), [](const core::Issue& i) { return i.id == core::IssueId::GOM_WEIGHT_BONE_TWICE; });
    ASSERT_NE(it, report.issues().end());
    EXPECT_EQ(it->text, "bone 1 has two weights");
    EXPECT_EQ(it->place.part, "Meshes[0].vertices[0].bi[1]");
}

TEST(TextCheck, CountsWhatItDoesNotList) {
    std::string text = "GOMT0001\nMeshes = [{ vertices = [";
    for (int i = 0; i < 6000; ++i) {
        text += "{},";
    }
    text += "], indices = [], submeshes = [] }]\nEnd = true\n";
    core::Report report;
    check_text(bytes_of(text), "", {}, report);
    EXPECT_EQ(report.count(core::Severity::Error), 24'000u);
}

// The codec

TEST(TextCodec, ProbesCheaplyAndNothingElse) {
    EXPECT_TRUE(kText.probe(bytes_of("GOMT0001\n"), ""));
    EXPECT_TRUE(kText.probe(bytes_of("GOMT0001"), ""));
    EXPECT_TRUE(kText.probe(bytes_of("\xEF\xBB\xBFGOMT0001\n"), ""));
    EXPECT_TRUE(kText.probe(bytes_of(" // x\n Meshes = ["), ""));
    EXPECT_TRUE(kText.probe(bytes_of("End=true"), ""));
    for (const char* other : {"", "GOMT000", "GOMB0001", "MTAB0001", "MTAT0001", "; FBX 7.4.0 project file\n", "FBXHeaderExtension:  {", "Header: {",
                              "# OBJ\nv 0 0 0\n", "v 0 0 0", "o Mesh\n", "Meshes", "Meshes ==", "mtllib a.mtl", "{\"asset\": {}}", "Kaydara FBX Binary  "}) {
        const bool expected = std::string_view(other) == "Meshes ==";   // a name and '=': the reader says what is wrong with it
        EXPECT_EQ(kText.probe(bytes_of(other), "a.gomt"), expected) << other;
    }
    EXPECT_FALSE(kText.probe(bytes_of(std::string(100'000, ' ') + "Meshes = ["), ""));
    EXPECT_FALSE(kBinary.probe(bytes_of("GOMT0001\n"), ""));
    EXPECT_EQ(kText.dump, nullptr);
    EXPECT_STREQ(kText.no_dump, "the file is text already");
}

core::Result<model::Model> model_of(std::string_view text, bool strict = true) {
    core::Report unused;
    codec::ReadOptions options;
    options.strict = strict;
    return kText.read(bytes_of(text), "a.gomt", options, unused);
}

core::Bytes written(const codec::Codec& codec, std::string_view text, core::Report& report) {
    auto model = model_of(text);
    EXPECT_TRUE(model.has_value()) << core::to_string(model.error());
    auto bytes = codec.write(std::move(*model), {}, report);
    EXPECT_TRUE(bytes.has_value()) << core::to_string(bytes.error());
    return bytes ? *bytes : core::Bytes{};
}

// covers GOMT-TWIN-1, GOMT-TWIN-2
TEST(TextCodec, TwinsMakeEachOther) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        Document d = random_document(seed);
        canonicalise(d);
        d.validation_flags = compute_validation_flags(d) & static_cast<std::uint32_t>(seed);
        const core::Bytes binary = encode(d);
        core::Report report;
        auto model = kBinary.read(binary, "a.gom", {}, report);
        ASSERT_TRUE(model.has_value());
        const auto text = kText.write(std::move(*model), {}, report);
        ASSERT_TRUE(text.has_value()) << core::to_string(text.error());
        EXPECT_EQ(text_of(*text), text_of(*write_text(d, 1u << 30)));
        EXPECT_TRUE(written(kBinary, text_of(*text), report) == binary);
        EXPECT_TRUE(written(kText, text_of(*text), report) == *text);
        for (const core::Issue& i : report.issues()) {
            ADD_FAILURE() << core::to_string(i);
        }
        core::Report findings;
        codec::CheckOptions options;
        options.canonical = true;
        check_text(*text, "", options, findings);
        EXPECT_EQ(findings.count(core::Severity::Error) + findings.count(core::Severity::Canonical), check_bytes(binary).count(core::Severity::Canonical));
    }
}

TEST(TextCodec, ReproducesTheSpecExample) {
    const auto text = core::read_file(source_dir() + "/docs/spec/examples/minimal.gomt", 1u << 20);
    const auto hex = core::read_file(source_dir() + "/docs/spec/examples/minimal.gom.hex", 1u << 20);
    ASSERT_TRUE(text.has_value() && hex.has_value());
    core::Bytes binary;
    int high = -1;
    for (const std::byte b : hex->bytes()) {
        const char c = static_cast<char>(b);
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (digit >= 0) {
            if (high >= 0) {
                binary.push_back(static_cast<std::byte>(high * 16 + digit));
            }
            high = high >= 0 ? -1 : digit;
        }
    }
    core::Report report;
    EXPECT_TRUE(written(kBinary, text_of({text->bytes().begin(), text->bytes().end()}), report) == binary);
    auto model = kBinary.read(binary, "a.gom", {}, report);
    ASSERT_TRUE(model.has_value());
    const auto back = kText.write(std::move(*model), {}, report);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(text_of(*back), text_of({text->bytes().begin(), text->bytes().end()}));
    EXPECT_TRUE(report.issues().empty());
}

// covers GOMT-TWIN-3
TEST(TextCodec, CarriesOverWhatIsThere) {
    const auto flags_of = [](const core::Bytes& binary) { return load<std::uint32_t>(binary.data() + 60); };
    core::Report report;
    const core::Bytes some = written(kBinary, with(kSample, "validationFlags = 63", "validationFlags = 5"), report);
    EXPECT_EQ(flags_of(some), 5u);
    EXPECT_EQ(static_cast<std::uint8_t>(some[24]), 0xAB);
    EXPECT_EQ(flags_of(written(kBinary, with(kSample, "validationFlags = 63", "validationFlags = 4294967295"), report)), 63u);
    EXPECT_TRUE(report.issues().empty());
    // Left out, they are computed from what is written: weights in order, here.
    const std::string unordered = with(kSample, "bi = [1, 0, 0, 0], bw = [0.75, 0.25, 0, 0]", "bi = [0, 1, 0, 0], bw = [0.25, 0.75, 0, 0]");
    EXPECT_EQ(flags_of(written(kBinary, with(unordered, ",\n  validationFlags = 63", ""), report)), 63u);
    // A bit that is false for what is written is dropped, with a warning.
    EXPECT_EQ(flags_of(written(kBinary, with(kSample, "[0, -1, 0, 1]", "[0, -2, 0, 1]"), report)), 62u);
    EXPECT_TRUE(report.has(core::IssueId::GOM_FLAG_DROPPED));
}

TEST(TextCodec, RefusesToWriteMoreThanTheLimit) {
    codec::WriteOptions options;
    core::Report report;
    options.limits.max_file_bytes = kSample.size();
    EXPECT_TRUE(kText.write(std::move(*model_of(kSample)), options, report).has_value());
    for (const std::uint64_t most : {kSample.size() - 1, kSample.size() / 2, std::size_t{100}}) {
        options.limits.max_file_bytes = most;
        const auto text = kText.write(std::move(*model_of(kSample)), options, report);
        ASSERT_FALSE(text.has_value());
        EXPECT_EQ(text.error().code, core::Code::LimitExceeded);
    }
}

TEST(TextCodec, CountsWhatIsThere) {
    const auto counts = kText.count(bytes_of(kSample), "a.gomt", {});
    ASSERT_TRUE(counts.has_value());
    EXPECT_EQ(counts->meshes, 2u);
    EXPECT_EQ(counts->vertices, 7u);
    EXPECT_EQ(counts->triangles, 3u);
    EXPECT_EQ(counts->bones, 2u);
    EXPECT_EQ(counts->clips, 2u);
    EXPECT_EQ(counts->materials, 2u);
    EXPECT_EQ(counts->textures, 1u);
    EXPECT_FALSE(kText.count(bytes_of("GOMT0001\n"), "a.gomt", {}).has_value());
}

TEST(TextCodec, StrictRefusesTheEarlierGeneration) {
    const std::string old = kSample.substr(9);
    EXPECT_FALSE(model_of(old, true).has_value());
    const auto model = model_of(old, false);
    ASSERT_TRUE(model.has_value());
    EXPECT_EQ(model->source.format, "gom 1 text");
    EXPECT_EQ(model->nodes.size(), 2u);
}

}  // namespace
}  // namespace gomkit::gom
