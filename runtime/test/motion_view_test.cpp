// Motions: the table of wrongs as for models, what the view says, and what fits a model.

#include "gomkit/runtime/motion_view.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "clip_maker.hpp"
#include "wrongs.hpp"

namespace gomkit::runtime {
namespace {

using test::Builder;
using test::ExactBlock;
using test::Outcome;
using test::rename;
using test::Wrong;

Outcome check(std::span<const std::uint8_t> bytes, const Limits& limits = {}) { return test::check<MotionView>(bytes, limits); }

// A chunk more, with one u32 of payload, behind the table.
void append(Builder& b, const char* fourcc) {
    b.begin("extra", fourcc);
    b.u32(0);
    b.end();
}

const std::vector<Wrong>& wrongs() {
    static const std::vector<Wrong> rows = {
        // covers MTA-HDR-1
        {"magic", [](Builder& b) { b.put8(7, '2'); }, Status::BadMagic, "header.magic", 0, "header.magic"},
        {"a model", [](Builder& b) { std::memcpy(b.bytes.data(), "GOMB0001", 8); }, Status::IsModel, "header.magic", 0,
         "header.magic"},
        {"a model's text form", [](Builder& b) { std::memcpy(b.bytes.data(), "GOMT0001", 8); }, Status::IsModelText,
         "header.magic"},
        // covers MTA-HDR-2
        {"a text form", [](Builder& b) { std::memcpy(b.bytes.data(), "MTAT0001", 8); }, Status::IsMotionText, "header.magic"},
        // The rest of the header, as in GOM.
        {"headerSize", [](Builder& b) { b.set("header.headerSize", 511U); }, Status::BadHeader, "header.headerSize", 0,
         "header.headerSize"},
        {"formatVersion", [](Builder& b) { b.set("header.formatVersion", 2U); }, Status::BadVersion, "header.formatVersion"},
        {"coordinateSystem", [](Builder& b) { b.set("header.coordinateSystem", 2U); }, Status::BadCoordinateSystem,
         "header.coordinateSystem"},
        {"matrixConvention", [](Builder& b) { b.set("header.matrixConvention", 0U); }, Status::BadMatrixConvention,
         "header.matrixConvention"},
        {"converterVersion id", [](Builder& b) { b.set("header.converterVersionStrId", 3U); }, Status::BadStringId,
         "header.converterVersionStrId", 0, "header.converterVersionStrId"},
        {"table in the header", [](Builder& b) { b.put64(64, 527); }, Status::BadChunkTable, "header.chunkTableOffset"},
        {"table past the end", [](Builder& b) { b.put64(64, b.bytes.size() + 1); }, Status::BadChunkTable,
         "header.chunkTableOffset"},
        {"table longer than the file", [](Builder& b) { b.put32(72, b.get32(72) + 1); }, Status::BadChunkTable,
         "header.chunkTableCount"},
        {"count without a table", [](Builder& b) { b.put64(64, 0); }, Status::BadChunkTable, "header.chunkTableCount"},
        // covers MTA-CHUNK-1
        {"no STR0", [](Builder& b) { rename(b, "STR0", "XXX0"); }, Status::MissingChunk, "", 0, "file"},
        {"no ANIM", [](Builder& b) { rename(b, "ANIM", "XXX0"); }, Status::MissingChunk, "", 0, "file"},
        {"no ANIM, no clip",
         [](Builder& b) {
             rename(b, "ANIM", "XXX0");
             rename(b, "CLP0[0]", "XXX0");
             rename(b, "CLP0[1]", "XXX0");
         },
         Status::MissingChunk, "", 0, "file"},
        // covers MTA-CHUNK-2
        {"MATL", [](Builder& b) { append(b, "MATL"); }, Status::MisplacedChunk, "extra", 0, "file.chunk[5]"},
        {"SKEL", [](Builder& b) { append(b, "SKEL"); }, Status::MisplacedChunk, "extra"},
        {"MSH0", [](Builder& b) { append(b, "MSH0"); }, Status::MisplacedChunk, "extra"},
        {"VB0", [](Builder& b) { append(b, "VB0"); }, Status::MisplacedChunk, "extra"},
        {"IB0", [](Builder& b) { append(b, "IB0"); }, Status::MisplacedChunk, "extra"},
        {"SUB0", [](Builder& b) { append(b, "SUB0"); }, Status::MisplacedChunk, "extra"},
        {"IBND", [](Builder& b) { append(b, "IBND"); }, Status::MisplacedChunk, "extra"},
        {"BND0", [](Builder& b) { append(b, "BND0"); }, Status::MisplacedChunk, "extra"},
        {"GBTM", [](Builder& b) { append(b, "GBTM"); }, Status::MisplacedChunk, "extra"},
        // Chunks, as in GOM.
        {"fourcc in small letters", [](Builder& b) { b.put8(b.at("ANIM"), 'a'); }, Status::BadFourcc, "ANIM", 0, "file.chunk[1]"},
        {"payload past the file", [](Builder& b) { b.set("CTBL.size", b.get32(b.at("CTBL.size")) + 1); }, Status::BadChunk,
         "CTBL.size", 0, "file.chunk[4].size"},
        {"payload past the file by far", [](Builder& b) { b.set("STR0.size", 0xFFFFFFFFU); }, Status::BadChunk, "STR0.size"},
        {"bytes after the last chunk",
         [](Builder& b) {
             b.zeros(7);
             b.u8(1);
         },
         Status::TrailingBytes, "CTBL", 16 + 4 * 16 + 7, "file.end"},
        {"version of CLP0", [](Builder& b) { b.set("CLP0[1].version", 2U); }, Status::BadChunkVersion, "CLP0[1].version", 0,
         "file.chunk[3].version"},
        {"two ANIM", [](Builder& b) { rename(b, "CLP0[0]", "ANIM"); }, Status::DuplicateChunk, "CLP0[0]", 0, "file.chunk[2]"},
        {"two STR0", [](Builder& b) { rename(b, "CLP0[0]", "STR0"); }, Status::DuplicateChunk, "CLP0[0]"},
        {"two CTBL", [](Builder& b) { rename(b, "CLP0[0]", "CTBL"); }, Status::DuplicateChunk, "CTBL"},
        {"ANIM with another size", [](Builder& b) { b.set("ANIM.size", 8U); }, Status::BadChunkSize, "ANIM.size", 0, "ANIM.size"},
        {"CLP0 too small for its keys", [](Builder& b) { b.set("CLP0[1].size", b.get32(b.at("CLP0[1].size")) - 1); },
         Status::BadChunkSize, "CLP0[1].size", 0, "CLP0[1].track[0]"},
        // STR0, as in GOM.
        {"offset out of data", [](Builder& b) { b.set("STR0.offsets[2]", 99U); }, Status::BadStringOffset, "STR0.offsets[2]"},
        {"last NUL missing", [](Builder& b) { b.put8(b.at("STR0.string[2]") + 7, 'x'); }, Status::UnterminatedString,
         "STR0.offsets[2]"},
        {"a stray continuation byte", [](Builder& b) { b.put8(b.at("STR0.string[1]") + 1, 0x80); }, Status::BadUtf8,
         "STR0.string[1]", 1, "STR0.string[1]"},
        {"a tab", [](Builder& b) { b.put8(b.at("STR0.string[1]") + 2, 9); }, Status::ControlCharacter, "STR0.string[1]", 2},
        {"a byte order mark",
         [](Builder& b) {
             b.put16(b.at("STR0.string[1]"), 0xBBEF);
             b.put8(b.at("STR0.string[1]") + 2, 0xBF);
         },
         Status::ByteOrderMark, "STR0.string[1]"},
        // Clips, as in GOM.
        {"clip name id", [](Builder& b) { b.set("CLP0[1].nameId", 3U); }, Status::BadStringId, "CLP0[1].nameId", 0,
         "CLP0[1].nameId"},
        {"clip without name", [](Builder& b) { b.set("CLP0[1].nameId", 0xFFFFFFFFU); }, Status::MissingName, "CLP0[1].nameId"},
        {"another number of clips", [](Builder& b) { b.set("ANIM.clipCount", 1U); }, Status::CountMismatch, "ANIM.clipCount", 0,
         "ANIM.clipCount"},
        {"two clips of one name", [](Builder& b) { b.set("CLP0[1].nameId", 1U); }, Status::DuplicateClipName, "CLP0[1].nameId", 0,
         "CLP0[1].nameId"},
        {"negative duration", [](Builder& b) { b.set("CLP0[0].duration", -1e-30F); }, Status::BadDuration, "CLP0[0].duration"},
        {"interpMode", [](Builder& b) { b.set("CLP0[0].interpMode", 2U); }, Status::BadInterpMode, "CLP0[0].interpMode"},
        {"a number that is none",
         [](Builder& b) { b.set("CLP0[0].track[1].scKey[1].value[2]", std::numeric_limits<float>::infinity()); },
         Status::NonFinite, "CLP0[0].track[1].scKey[1].value[2]", 0, "CLP0[0].track[1].scKey[1].value[2]"},
        {"two tracks of one bone", [](Builder& b) { b.set("CLP0[0].track[1].boneIndex", 0U); }, Status::DuplicateTrack,
         "CLP0[0].track[1].boneIndex", 0, "CLP0[0].track[1].boneIndex"},
        {"a key after the end", [](Builder& b) { b.set("CLP0[0].track[1].scKey[1].time", 1.0000001F); }, Status::BadKeyTime,
         "CLP0[0].track[1].scKey[1].time"},
        {"a rotation of no length", [](Builder& b) { b.set("CLP0[0].track[0].rotKey[1].value[3]", 9e-7F); },
         Status::ZeroQuaternion, "CLP0[0].track[0].rotKey[1].value[0]"},
        // covers MTA-BONE-1
        {"a track's bone", [](Builder& b) { b.set("CLP0[0].track[1].boneIndex", 4096U); }, Status::BadBoneIndex,
         "CLP0[0].track[1].boneIndex", 0, "CLP0[0].track[1].boneIndex"},
        {"a track's bone far out", [](Builder& b) { b.set("CLP0[0].track[0].boneIndex", 0xFFFFFFFFU); }, Status::BadBoneIndex,
         "CLP0[0].track[0].boneIndex"},
        {"root bone", [](Builder& b) { b.set("CLP0[1].rootBoneIndex", 4096U); }, Status::BadBoneIndex, "CLP0[1].rootBoneIndex", 0,
         "CLP0[1].rootBoneIndex"},
        {"root bone below -1", [](Builder& b) { b.set("CLP0[1].rootBoneIndex", 0xFFFFFFFEU); }, Status::BadBoneIndex,
         "CLP0[1].rootBoneIndex"},
    };
    return rows;
}

TEST(Motion, EveryWrongGivesItsStatusByteAndPlace) { test::expect_wrongs<MotionView>(test::sample_motion(), wrongs()); }

TEST(Motion, ErrorsSayWhatWasFoundAndWanted) {
    Builder b = test::sample_motion();
    std::memcpy(b.bytes.data(), "GOMB0001", 8);
    Outcome got = check(b.bytes);
    EXPECT_EQ(got.info.kind, ValueKind::Fourcc);
    EXPECT_EQ(got.info.found, layout::fourcc("GOMB"));
    EXPECT_EQ(got.info.expected, layout::fourcc("MTAB"));
    b = test::sample_motion();
    b.set("CLP0[0].track[1].boneIndex", 300U);
    Limits limits;
    limits.max_bones = 300;
    got = check(b.bytes, limits);
    EXPECT_EQ(got.status, Status::BadBoneIndex);
    EXPECT_EQ(got.info.found, 300U);
    EXPECT_EQ(got.info.expected, 299U);
    limits.max_bones = 301;
    EXPECT_EQ(check(b.bytes, limits).status, Status::Ok);
}

TEST(Motion, WarningsAndOtherFormsPass) {
    const std::vector<std::pair<const char*, std::function<void(Builder&)>>> rows = {
        {"nothing changed", [](Builder&) {}},
        {"reserved bytes", [](Builder& b) { b.put8(511, 1); }},
        {"validation flags", [](Builder& b) { b.set("header.validationFlags", 1U); }},  // MTA-HDR-3
        {"any signature", [](Builder& b) { b.put8(80, 0); }},
        {"an unknown chunk", [](Builder& b) { append(b, "MORF"); }},
        {"bones a model need not have", [](Builder& b) { b.set("CLP0[0].track[1].boneIndex", 4095U); }},
        {"a root bone likewise", [](Builder& b) { b.set("CLP0[1].rootBoneIndex", 4095U); }},
        {"tracks not sorted",
         [](Builder& b) {
             b.set("CLP0[0].track[0].boneIndex", 4000U);
             b.set("CLP0[0].track[1].boneIndex", 0U);
         }},
        {"clips not sorted",
         [](Builder& b) {
             b.set("CLP0[0].nameId", 2U);
             b.set("CLP0[1].nameId", 1U);
         }},
    };
    for (const auto& [title, change] : rows) {
        Builder b = test::sample_motion();
        change(b);
        const Outcome got = check(b.bytes);
        EXPECT_EQ(name(got.status), std::string("Ok")) << title << ": " << got.info.part;
    }
}

// covers MTA-CHUNK-4
TEST(Motion, NoClipsAndNoStringsAreFine) {
    const ExactBlock file(test::least_motion().bytes);
    MotionView view;
    ASSERT_EQ(verify(file.bytes(), {}, view, nullptr), Status::Ok);
    EXPECT_EQ(view.clip_count(), 0U);
    EXPECT_EQ(view.clips().begin(), view.clips().end());
    EXPECT_EQ(view.converter_version(), "");
}

TEST(Motion, EveryCutIsAnError) {
    test::expect_cuts_are_errors<MotionView>(test::sample_motion());
    Builder c = test::sample_motion();
    test::no_table(c);
    const std::set<std::size_t> good = test::good_cuts<MotionView>(c);
    EXPECT_EQ(good.count(c.at("CLP0[1]")), 0U);
    EXPECT_EQ(good.count(c.at("CTBL")), 1U);
    EXPECT_EQ(good.count(c.bytes.size()), 1U);
}

TEST(Motion, ShortFilesSayWhatTheyAre) {
    for (const auto& [text, status] : std::vector<std::pair<std::string, Status>>{{"", Status::TooShort},
                                                                                  {"MTAB0001", Status::TooShort},
                                                                                  {"GOMB0001", Status::IsModel},
                                                                                  {"GOMT0001\nEnd = true\n", Status::IsModelText},
                                                                                  {"MTAT0001", Status::IsMotionText},
                                                                                  {"glTF2..........", Status::BadMagic}}) {
        EXPECT_EQ(check({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}).status, status) << text;
    }
}

// gom.md 8
TEST(Motion, EachLimitIsInclusive) {
    const Builder b = test::sample_motion();
    test::expect_limits<MotionView>(
        b, {
               {&Limits::max_clips, 2, LimitId::Clips, "CLP0[1]", "CLP0[1]"},
               {&Limits::max_tracks_per_clip, 2, LimitId::TracksPerClip, "CLP0[0].trackCount", "CLP0[0].trackCount"},
               {&Limits::max_keys_per_clip, 9, LimitId::KeysPerClip, "CLP0[0].track[1].trKeyCount", "CLP0[0].track[1].keys"},
               {&Limits::max_strings, 3, LimitId::Strings, "STR0.count", "STR0.count"},
               {&Limits::max_string_bytes, 9 + 5 + 8, LimitId::StringBytes, "STR0.data", "STR0.data"},
               {&Limits::max_file_bytes, b.bytes.size(), LimitId::FileBytes, "header.magic", "file"},
           });
}

TEST(Motion, BytesMustBeAligned) {
    const Builder b = test::sample_motion();
    const ExactBlock block(std::vector<std::uint8_t>(b.bytes.size() + 16));
    auto* at = const_cast<std::byte*>(block.bytes().data()) + 4;
    std::memcpy(at, b.bytes.data(), b.bytes.size());
    MotionView view;
    EXPECT_EQ(verify({at, b.bytes.size()}, {}, view, nullptr), Status::Misaligned);
}

TEST(Motion, TheViewReadsEveryField) {
    const ExactBlock file(test::sample_motion().bytes);
    MotionView view;
    EXPECT_EQ(view.skeleton_signature()[0], 0);
    ASSERT_EQ(verify(file.bytes(), {}, view, nullptr), Status::Ok);
    EXPECT_EQ(view.source_hash()[31], 31);
    EXPECT_EQ(view.converter_version(), "gomkit 1");
    EXPECT_EQ(view.skeleton_signature(), test::kSampleSignature);
    EXPECT_EQ(view.chunk_table_count(), 4U);
    ASSERT_EQ(view.clip_count(), 2U);
    EXPECT_EQ(view.find_clip("run \xE6\xAD\xA9"), 1U);
    EXPECT_EQ(view.find_clip("idle"), 2U);
    const ClipView clip = view.clip(0);
    EXPECT_EQ(clip.name(), "jump");
    EXPECT_EQ(clip.duration_seconds(), 1);
    EXPECT_EQ(clip.root_bone_index(), -1);
    EXPECT_TRUE(clip.is_looping());
    EXPECT_FALSE(clip.has_root_motion());
    ASSERT_EQ(clip.track_count(), 2U);
    EXPECT_EQ(clip.track(1).bone_index(), 2U);
    EXPECT_EQ(clip.track(0).rotation(2).time_seconds, 0.5F);
    EXPECT_EQ(view.clip(1).root_bone_index(), 0);
    EXPECT_EQ(view.clip(2).name(), "");
}

TEST(Motion, SurvivesRandomDamage) { test::expect_survives_random_damage<MotionView>(test::sample_motion(), 20'000); }

// match()

using Loaded = test::Loaded<MotionView>;

struct Matched {
    Status status = Status::Ok;
    MatchError error;
};

Matched match_with(const Builder& model_bytes, const std::vector<const Loaded*>& motions) {
    const ExactBlock file(model_bytes.bytes);
    ModelView model;
    EXPECT_EQ(verify(file.bytes(), {}, model, nullptr), Status::Ok);
    std::vector<const MotionView*> views;
    for (const Loaded* motion : motions) views.push_back(&motion->view);
    Matched out;
    out.error.info.status = Status::BadUtf8;  // reset on Ok
    out.status = match(model, views, &out.error);
    EXPECT_EQ(out.status, out.error.info.status);
    EXPECT_EQ(out.status, match(model, views, nullptr));
    return out;
}

// covers MTA-SIG-1
TEST(Match, NeedsEqualSignatures) {
    const Loaded good(test::sample_motion());
    EXPECT_EQ(match_with(test::sample(), {&good}).status, Status::Ok);
    EXPECT_EQ(match_with(test::sample(), {}).status, Status::Ok);
    for (const std::size_t byte : {std::size_t{0}, std::size_t{31}}) {
        Builder b = test::sample_motion();
        b.put8(76 + byte, test::kSampleSignature[byte] ^ 1U);
        const Loaded other(b);
        const Matched got = match_with(test::sample(), {&good, &other});
        EXPECT_EQ(got.status, Status::SignatureMismatch);
        EXPECT_EQ(got.error.motion_index, 1U);
        EXPECT_EQ(got.error.info.byte_offset, 76U);
        EXPECT_STREQ(got.error.info.part, "header.skeletonSig");
    }
}

// covers MTA-SIG-2
TEST(Match, NeedsASkeleton) {
    const Loaded good(test::least_motion());
    const Matched got = match_with(test::least(), {&good});
    EXPECT_EQ(got.status, Status::NoSkeleton);
    EXPECT_EQ(match_with(test::least(), {}).status, Status::Ok);
}

// covers MTA-BONE-3
TEST(Match, BonesMustBeTheModels) {
    const Loaded good(test::least_motion());
    Builder b = test::sample_motion();
    b.set("CLP0[0].track[1].boneIndex", 3U);
    const Loaded track(b);
    Matched got = match_with(test::sample(), {&good, &track});
    EXPECT_EQ(got.status, Status::BadBoneIndex);
    EXPECT_EQ(got.error.motion_index, 1U);
    EXPECT_EQ(got.error.info.byte_offset, b.at("CLP0[0].track[1].boneIndex"));
    EXPECT_STREQ(got.error.info.part, "CLP0[0].track[1].boneIndex");
    EXPECT_EQ(got.error.info.found, 3U);
    EXPECT_EQ(got.error.info.expected, 2U);
    b = test::sample_motion();
    b.set("CLP0[1].rootBoneIndex", 3U);
    const Loaded root(b);
    got = match_with(test::sample(), {&root});
    EXPECT_EQ(got.status, Status::BadBoneIndex);
    EXPECT_EQ(got.error.info.byte_offset, b.at("CLP0[1].rootBoneIndex"));
    EXPECT_STREQ(got.error.info.part, "CLP0[1].rootBoneIndex");
}

// covers MTA-SIG-4
TEST(Match, ClipNamesAreUniqueOverAllFiles) {
    const Loaded first(test::sample_motion());
    Builder b = test::sample_motion();
    std::memcpy(b.bytes.data() + b.at("STR0.string[1]"), "crow", 4);  // "crow" and "run ...": the second is taken
    const Loaded second(b);
    Matched got = match_with(test::sample(), {&first, &second});
    EXPECT_EQ(got.status, Status::DuplicateClipName);
    EXPECT_EQ(got.error.motion_index, 1U);
    EXPECT_EQ(got.error.other_index, 0U);
    EXPECT_EQ(got.error.info.byte_offset, b.at("CLP0[1].nameId"));
    EXPECT_STREQ(got.error.info.part, "CLP0[1].nameId");
    std::memcpy(b.bytes.data() + b.at("STR0.string[2]"), "see", 3);
    const Loaded third(b);
    EXPECT_EQ(match_with(test::sample(), {&first, &third}).status, Status::Ok);
    std::memcpy(b.bytes.data() + b.at("STR0.string[1]"), "idle", 4);
    const Loaded like_model(b);
    got = match_with(test::sample(), {&first, &like_model});
    EXPECT_EQ(got.status, Status::DuplicateClipName);
    EXPECT_EQ(got.error.motion_index, 1U);
    EXPECT_EQ(got.error.other_index, MatchError::kModel);
    EXPECT_EQ(got.error.info.byte_offset, b.at("CLP0[0].nameId"));
}

// More clips than one batch holds, the equal pair in different batches and files.
TEST(Match, FindsEqualNamesAmongMany) {
    const auto many = [](std::uint32_t first, std::uint32_t count) {
        Builder b;
        test::motion_header(b);
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < count; ++i) names.push_back("clip " + std::to_string(first + i));
        test::strings(b, names);
        b.begin("ANIM", "ANIM");
        b.u32(count);
        b.end();
        for (std::uint32_t i = 0; i < count; ++i) test::clip(b, "CLP0[" + std::to_string(i) + "]", i, 0, -1, 0, {});
        return b;
    };
    const Loaded a(many(1000, 1000)), b(many(3000, 1000)), c(many(5000, 500)), d(many(1234, 1));
    EXPECT_EQ(match_with(test::sample(), {&a, &b, &c}).status, Status::Ok);
    const Matched got = match_with(test::sample(), {&a, &b, &c, &d});
    EXPECT_EQ(got.status, Status::DuplicateClipName);
    EXPECT_EQ(got.error.motion_index, 3U);
    EXPECT_EQ(got.error.other_index, 0U);
}

// gom.md 4: bindLocal takes no part (covers MTA-SIG-5).
TEST(Match, ProportionsDoNotMatter) {
    Builder b = test::sample();
    b.set("SKEL.bindLocal[1][13]", 7.0F);
    const Loaded good(test::sample_motion());
    EXPECT_EQ(match_with(b, {&good}).status, Status::Ok);
}

}  // namespace
}  // namespace gomkit::runtime
