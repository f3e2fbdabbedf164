// Motion files (MTA): the same container with a signature, clips and nothing else.
// covers MTA-HDR-1, MTA-HDR-2, MTA-HDR-3, MTA-CHUNK-1, MTA-CHUNK-2, MTA-CHUNK-3, MTA-CHUNK-4, MTA-BONE-1
#include <gomkit/gom/gom.hpp>

#include <fstream>

#include "import.hpp"
#include "prove.hpp"
#include "sample.hpp"
#include "signature.hpp"
#include "source_dir.hpp"

namespace gomkit::gom {
namespace {

using namespace test;
using core::Code;
using core::IssueId;

const codec::Codec kGom = make_codec();
const codec::Codec kMta = make_motion_codec();

/// The clips of sample() as a motion.
Document motion() {
    const Document model = sample();
    Document d;
    d.motion_of = skeleton_signature(model.bones);
    d.source_hash = model.source_hash;
    d.converter_version = model.converter_version;
    d.clips = model.clips;
    return d;
}

core::Result<Document> decode_mta(std::span<const std::byte> bytes, bool lenient = false, core::Report* report = nullptr) {
    core::Report unused;
    DecodeOptions options;
    options.lenient = lenient;
    return decode_motion(bytes, "a.mta", options, report != nullptr ? *report : unused);
}

core::Report check_mta(std::span<const std::byte> bytes) {
    core::Report report("", 1000, 1000);
    codec::CheckOptions options;
    options.canonical = true;
    check_motion(bytes, "a.mta", options, report);
    return report;
}

core::Result<model::Model> read(const codec::Codec& codec, std::span<const std::byte> bytes) {
    core::Report report;
    return codec.read(bytes, "a", {}, report);
}

core::Result<core::Bytes> write(const codec::Codec& codec, model::Model model, core::Report* report = nullptr) {
    core::Report unused;
    return codec.write(std::move(model), {}, report != nullptr ? *report : unused);
}

/// The bytes of every CLP0 chunk without its string id, which depends on the other strings of the file.
std::vector<core::Bytes> clip_bytes(const core::Bytes& bytes) {
    std::vector<core::Bytes> out;
    for (std::size_t at = 512; at + 16 <= bytes.size();) {
        std::uint32_t size = 0;
        std::memcpy(&size, bytes.data() + at + 4, 4);
        if (std::memcmp(bytes.data() + at, "CLP0", 4) == 0) {
            const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at + 16 + 4);
            out.emplace_back(first, first + static_cast<std::ptrdiff_t>(size - 4));
        }
        at = (at + 16 + size + 15) / 16 * 16;
    }
    return out;
}

TEST(Motion, HandComputedBytes) {
    Document d;
    d.motion_of.emplace();
    for (std::size_t i = 0; i < 32; ++i) {
        (*d.motion_of)[i] = static_cast<std::uint8_t>(0xA0 + i);
    }
    d.clips.resize(1);
    d.clips[0].name = "Go";
    d.clips[0].duration = 2;
    d.clips[0].tracks = {Track{7, {VectorKey{0.5f, {1, 2, 3}}}, {}, {}}};
    const core::Bytes bytes = encode(d);
    EXPECT_EQ(encoded_size(d), bytes.size());
    // header 512; STR0 16 + 11 -> 32; ANIM 16 + 4 -> 32; CLP0 16 + 24 + 16 + 16 -> 80; CTBL 16 + 48
    ASSERT_EQ(bytes.size(), 512u + 32 + 32 + 80 + 64);
    EXPECT_EQ(std::memcmp(bytes.data(), "MTAB0001", 8), 0);
    EXPECT_EQ(std::memcmp(bytes.data() + 76, d.motion_of->data(), 32), 0);
    EXPECT_TRUE(std::all_of(bytes.begin() + 108, bytes.begin() + 512, [](std::byte b) { return b == std::byte{0}; }));
    EXPECT_EQ(chunk_at(bytes, "STR0"), 512u);
    EXPECT_EQ(chunk_at(bytes, "ANIM"), 544u);
    EXPECT_EQ(chunk_at(bytes, "CLP0"), 576u);
    EXPECT_EQ(chunk_at(bytes, "CTBL"), 656u);
    const std::uint32_t words[] = {0, 0x40000000, 0xFFFFFFFF, 1, 0, 1, 7, 1, 0, 0, 0x3F000000, 0x3F800000, 0x40000000, 0x40400000};
    EXPECT_EQ(std::memcmp(bytes.data() + 592, words, sizeof(words)), 0);
    EXPECT_TRUE(prove_motion(bytes, {}).has_value());
}

TEST(Motion, EmptyMotionHasAnim) {
    Document d;
    d.motion_of.emplace();
    const core::Bytes bytes = encode(d);
    EXPECT_EQ(chunk_at(bytes, "ANIM"), 544u);   // STR0 without a string takes 16 + 4
    EXPECT_TRUE(check_mta(bytes).issues().empty());
    const auto back = decode_mta(bytes);
    ASSERT_TRUE(back.has_value());
    EXPECT_TRUE(back->clips.empty());
    EXPECT_EQ(encode(*back), bytes);
}

TEST(Motion, MinimalExampleIsReproduced) {
    std::ifstream in(source_dir() + "/docs/spec/examples/minimal.mta.hex");
    core::Bytes bytes;
    for (std::string byte; in >> byte;) {
        bytes.push_back(std::byte{static_cast<std::uint8_t>(std::stoi(byte, nullptr, 16))});
    }
    ASSERT_GT(bytes.size(), 512u);
    EXPECT_TRUE(check_mta(bytes).issues().empty());
    auto document = decode_mta(bytes);
    ASSERT_TRUE(document.has_value()) << core::to_string(document.error());
    EXPECT_EQ(encode(*document), bytes);
    canonicalise(*document);
    EXPECT_EQ(encode(*document), bytes);
    const auto model = read(kMta, bytes);
    ASSERT_TRUE(model.has_value());
    const auto again = write(kMta, *model);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, bytes);
}

TEST(Motion, RandomMotionsRoundTrip) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        Document d = random_document(seed);
        const Signature signature = skeleton_signature(d.bones);
        const std::size_t bones = d.bones.size();
        Document m;
        m.motion_of = signature;
        m.converter_version = d.converter_version;
        m.clips = d.clips;
        canonicalise(m);
        const core::Bytes bytes = encode(m);
        ASSERT_TRUE(prove_motion(bytes, {}).has_value());
        const core::Report report = check_mta(bytes);
        for (const core::Issue& i : report.issues()) {
            // What only the source can mend: loops that do not close, root motion without a root.
            EXPECT_EQ(i.severity, core::Severity::Warning) << core::to_string(i);
        }
        const auto back = decode_mta(bytes);
        ASSERT_TRUE(back.has_value());
        EXPECT_EQ(encode(*back), bytes);
        const auto model = read(kMta, bytes);
        ASSERT_TRUE(model.has_value());
        EXPECT_LE(model->nodes.size(), bones);
        const auto again = write(kMta, *model);
        ASSERT_TRUE(again.has_value()) << core::to_string(again.error());
        EXPECT_EQ(*again, bytes);
    }
}

struct Wrong {
    const char* name;
    std::function<void(core::Bytes&)> change;
    Code code;
    const char* part;
    const char* what;
    const char* rule;
};

TEST(Motion, ErrorsNamePlaceAndRule) {
    const core::Bytes valid = encode(motion());
    const std::size_t wave = chunk_at(valid, "CLP0", 1) + 16;
    const auto rename = [&valid](const char* chunk, const char* to) {
        return [at = chunk_at(valid, chunk), to](core::Bytes& b) { std::memcpy(b.data() + at, to, 4); };
    };
    const Wrong wrongs[] = {
        {"a GOM", [](core::Bytes& b) { std::memcpy(b.data(), "GOMB0001", 8); }, Code::NotThisFormat, "header.magic",
         "this is a GOM model, not a motion file", "MTA-HDR-1"},
        {"a text", [](core::Bytes& b) { std::memcpy(b.data(), "GOMT0001", 8); }, Code::NotThisFormat, "header.magic",
         "this is a GOM model, not a motion file", "MTA-HDR-1"},
        {"rubbish", [](core::Bytes& b) { std::memcpy(b.data(), "ABCD0001", 8); }, Code::NotThisFormat, "header.magic", "this is not a motion file",
         "MTA-HDR-1"},
        {"its text form", [](core::Bytes& b) { std::memcpy(b.data(), "MTAT0001", 8); }, Code::Unsupported, "header.magic",
         "MTA has no text form in v1; only MTAB0001 is supported", "MTA-HDR-2"},
        {"no ANIM", rename("ANIM", "XNIM"), Code::Malformed, "ANIM", "the file has no ANIM chunk", "MTA-CHUNK-1"},
        {"no STR0", rename("STR0", "XTR0"), Code::Malformed, "STR0", "the file has no STR0 chunk", "MTA-CHUNK-1"},
        {"MATL", rename("ANIM", "MATL"), Code::Malformed, "MATL", "the chunk does not belong into a motion file", "MTA-CHUNK-2"},
        {"SUB0", rename("ANIM", "SUB0"), Code::Malformed, "SUB0", "the chunk does not belong into a motion file", "MTA-CHUNK-2"},
        {"bone", [&](core::Bytes& b) { patch(b, wave + 24, 4096u); }, Code::Malformed, "CLP0[1].track[0].boneIndex", "the track names no bone",
         "MTA-BONE-1"},
        {"root", [&](core::Bytes& b) { patch(b, wave + 8, 4096); }, Code::Malformed, "CLP0[1].rootBoneIndex", "rootBoneIndex names no bone",
         "MTA-BONE-1"},
        {"root below -1", [&](core::Bytes& b) { patch(b, wave + 8, -2); }, Code::Malformed, "CLP0[1].rootBoneIndex",
         "rootBoneIndex names no bone", "MTA-BONE-1"},
        {"too many clips", [&](core::Bytes& b) { patch(b, chunk_at(valid, "ANIM") + 16, 1025u); }, Code::LimitExceeded, "ANIM.clipCount",
         "limit on clips exceeded", "GOM-LIMIT-1"},
    };
    for (const Wrong& w : wrongs) {
        SCOPED_TRACE(w.name);
        core::Bytes bytes = valid;
        w.change(bytes);
        for (const bool lenient : {false, true}) {
            const auto d = decode_mta(bytes, lenient);
            ASSERT_FALSE(d.has_value());
            EXPECT_EQ(d.error().code, w.code);
            EXPECT_EQ(d.error().place.part, w.part);
            EXPECT_EQ(d.error().what, w.what);
            EXPECT_EQ(d.error().notes, std::vector<std::string>{std::string("rule ") + w.rule});
        }
        const core::Report report = check_mta(bytes);
        EXPECT_TRUE(std::any_of(report.issues().begin(), report.issues().end(), [&](const core::Issue& i) {
            return i.severity == core::Severity::Error && core::info(i.id).requirement == std::string(w.rule);
        }));
    }
}

TEST(Motion, LastBonesOfTheLimitAreRead) {
    core::Bytes bytes = encode(motion());
    const std::size_t wave = chunk_at(bytes, "CLP0", 1) + 16;
    patch(bytes, wave + 8, 4095);
    patch(bytes, wave + 24, 4094u);
    const auto model = read(kMta, bytes);
    ASSERT_TRUE(model.has_value()) << core::to_string(model.error());
    EXPECT_EQ(model->nodes.size(), 4096u);
    core::Report report;
    DecodeOptions options;
    options.limits = core::Limits::make_small();
    EXPECT_FALSE(decode_motion(bytes, "", options, report).has_value());
}

TEST(Motion, GomReaderSaysThatItIsAMotion) {
    const core::Bytes bytes = encode(motion());
    const auto d = decode_bytes(bytes);
    ASSERT_FALSE(d.has_value());
    EXPECT_EQ(d.error().what, "this is an MTA motion file, not a GOM model");
    EXPECT_FALSE(kGom.probe(bytes, "a.gom"));
    EXPECT_TRUE(kMta.probe(bytes, "a.gom"));
    EXPECT_FALSE(kMta.probe(encode(sample()), "a.mta"));
    core::Bytes text = bytes;
    text[3] = std::byte{'T'};
    EXPECT_TRUE(kMta.probe(text, ""));
    EXPECT_FALSE(kGom.probe(text, ""));
}

TEST(Motion, ImportMakesPlaceholdersThatAreNoSkeleton) {
    Document d = motion();
    d.clips[1].root_bone = 4;
    const auto model = read(kMta, encode(d));
    ASSERT_TRUE(model.has_value());
    EXPECT_EQ(model->source.format, "mta 1 binary");
    ASSERT_TRUE(model->mta.has_value());
    EXPECT_FALSE(model->gom.has_value());
    EXPECT_EQ(model->mta->skeleton_signature, *d.motion_of);
    EXPECT_EQ(model->mta->converter_version, "test 1");
    ASSERT_EQ(model->nodes.size(), 5u);
    for (const model::Node& node : model->nodes) {
        EXPECT_FALSE(node.bone);
        EXPECT_FALSE(node.parent.valid());
        EXPECT_EQ(node.name + node.stored_path, "");
    }
    ASSERT_EQ(model->clips.size(), 2u);
    EXPECT_EQ(model->clips[1].root.value, 4u);
    EXPECT_EQ(model->clips[1].tracks[1].node.value, 1u);
    EXPECT_TRUE(model->clips[1].final_keys);
}

TEST(Motion, IsNotWrittenAsAModel) {
    const auto model = read(kMta, encode(motion()));
    ASSERT_TRUE(model.has_value());
    const auto bytes = write(kGom, *model);
    ASSERT_FALSE(bytes.has_value());
    EXPECT_EQ(bytes.error().code, Code::Unsupported);
    EXPECT_NE(bytes.error().cure.find("--add-clips"), std::string::npos);
}

TEST(Motion, ClipsOfAModelAreThoseOfItsGom) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        Document d = random_document(seed);
        core::Report report;
        Document copy = d;
        auto model = import(std::move(copy), "a.gom", report);
        ASSERT_TRUE(model.has_value());
        // Unsorted bones too: positions are in path order.
        const auto gom = write(kGom, *model);
        const auto mta = write(kMta, *model);
        ASSERT_TRUE(gom.has_value()) << core::to_string(gom.error());
        if (d.bones.empty()) {
            ASSERT_FALSE(mta.has_value());
            EXPECT_EQ(mta.error().code, Code::Unsupported);
            continue;
        }
        ASSERT_TRUE(mta.has_value()) << core::to_string(mta.error());
        EXPECT_EQ(clip_bytes(*mta), clip_bytes(*gom));
        EXPECT_EQ(std::memcmp(mta->data() + 76, skeleton_signature(d.bones).data(), 32), 0);
        EXPECT_EQ(std::memcmp(mta->data() + 24, gom->data() + 24, 32), 0);   // sourceHash
    }
}

TEST(Motion, WithoutClipsIsAWarningForSourcesOnly) {
    Document d = sample();
    d.clips.clear();
    core::Report report;
    auto model = import(std::move(d), "a.gom", report);
    ASSERT_TRUE(model.has_value());
    EXPECT_TRUE(write(kMta, *model, &report).has_value());
    EXPECT_FALSE(report.has(IssueId::CONV_EMPTY_MOTION));
    model->gom.reset();
    EXPECT_TRUE(write(kMta, *model, &report).has_value());
    EXPECT_TRUE(report.has(IssueId::CONV_EMPTY_MOTION));
}

TEST(Motion, FlagsAreDoubtful) {
    core::Bytes bytes = encode(motion());
    patch(bytes, 60, 1u);
    const core::Report report = check_mta(bytes);
    ASSERT_EQ(report.issues().size(), 1u);
    EXPECT_EQ(report.issues()[0].id, IssueId::MTA_FLAGS);
    EXPECT_EQ(report.issues()[0].severity, core::Severity::Warning);
    EXPECT_TRUE(decode_mta(bytes).has_value());
}

TEST(Motion, DumpNamesTheSignature) {
    const core::Bytes bytes = encode(motion());
    const auto text = kMta.dump(bytes, "a.mta", "header", {});
    ASSERT_TRUE(text.has_value());
    EXPECT_NE(text->find("0000004c"), std::string::npos) << *text;
    EXPECT_NE(text->find("header.skeletonSig"), std::string::npos);
    EXPECT_NE(text->find("22e72170362a300a3cc84fbf26b069c77222f6310dc4105461bbeca160e4fe27"), std::string::npos);
    const auto reserved = text->find("header.reserved");
    ASSERT_NE(reserved, std::string::npos);
    EXPECT_NE(text->find("0000006c"), std::string::npos);
}

TEST(Motion, ProofSaysWhatIsWrong) {
    core::Bytes bytes = encode(motion());
    EXPECT_TRUE(prove_motion(bytes, {}).has_value());
    EXPECT_FALSE(prove(bytes, {}).has_value());
    EXPECT_FALSE(prove_motion(encode(sample()), {}).has_value());
    core::Limits limits;
    limits.max_clips = 1;
    EXPECT_EQ(prove_motion(bytes, limits).error().code, Code::LimitExceeded);
    patch(bytes, chunk_at(bytes, "CTBL") + 16 + 8, std::uint64_t{77});   // the checker's alone to find
    const auto proof = prove_motion(bytes, {});
    ASSERT_FALSE(proof.has_value());
    EXPECT_EQ(proof.error().code, Code::InvalidOutput);
    EXPECT_NE(proof.error().what.find("GOM_TABLE_DISAGREES"), std::string::npos);
}

TEST(Motion, CountsItsClips) {
    const auto counts = kMta.count(encode(motion()), "a.mta", {});
    ASSERT_TRUE(counts.has_value());
    EXPECT_EQ(counts->clips, 2u);
    EXPECT_EQ(counts->bones + counts->meshes + counts->materials, 0u);
    EXPECT_FALSE(kMta.count(encode(sample()), "a.mta", {}).has_value());
}

}  // namespace
}  // namespace gomkit::gom
