// Blend shapes in verify() and the views (docs/spec/morph.md): the rules one by one, with numbers written by hand.

#include <gtest/gtest.h>

#include "gomkit/runtime/runtime.hpp"
#include "sample.hpp"
#include "wrongs.hpp"

namespace gomkit::runtime {
namespace {

using test::Builder;

// covers GOM-MRPC-1, GOM-MRPC-2, GOM-MRPC-3, GOM-MRPC-4, GOM-MRPC-5, GOM-MRPH-1, GOM-MRPH-2, GOM-MRPH-3, GOM-MRPH-4, GOM-MRPH-5
// covers GOM-MRPA-1, GOM-MRPA-2, GOM-MRPA-3, GOM-MRPA-4
const std::vector<test::Wrong>& wrongs() {
    static const std::vector<test::Wrong> rows = {
        {"a channel more than there is room for", [](Builder& b) { b.set("MRPC.channelCount", 3U); }, Status::BadChunkSize, "MRPC.size"},
        {"a shape less than there are", [](Builder& b) { b.set("MRPC.shapeCount", 3U); }, Status::BadChunkSize, "MRPC.size"},
        {"a channel without name", [](Builder& b) { b.set("MRPC.channel[0].nameId", 0xFFFFFFFFU); }, Status::MissingName,
         "MRPC.channel[0].nameId", 0, "MRPC.channel[0].nameId"},
        {"a name that is no string", [](Builder& b) { b.set("MRPC.channel[1].nameId", 3U); }, Status::BadStringId,
         "MRPC.channel[1].nameId"},
        {"two channels of one name", [](Builder& b) { b.set("MRPC.channel[1].nameId", 0U); }, Status::BadMorphOrder,
         "MRPC.channel[1].nameId"},
        {"channels out of order", [](Builder& b) { b.set("MRPC.channel[0].nameId", 2U), b.set("MRPC.channel[1].nameId", 0U); },
         Status::BadMorphOrder, "MRPC.channel[1].nameId"},
        {"a channel without shape", [](Builder& b) { b.set("MRPC.channel[1].shapeEnd", 2U); }, Status::BadMorphShapes,
         "MRPC.channel[1].shapeEnd", 0, "MRPC.channel[1].shapeEnd"},
        {"shapes of nobody", [](Builder& b) { b.set("MRPC.channel[1].shapeEnd", 3U); }, Status::BadMorphShapes, "MRPC.shapeCount"},
        {"more shapes than there are", [](Builder& b) { b.set("MRPC.channel[1].shapeEnd", 5U); }, Status::BadMorphShapes,
         "MRPC.channel[1].shapeEnd"},
        {"a weight of 0", [](Builder& b) { b.set("MRPC.shapeWeight[0]", 0.0F); }, Status::BadMorphWeight, "MRPC.shapeWeight[0]"},
        {"a weight of -0", [](Builder& b) { b.set("MRPC.shapeWeight[2]", -0.0F); }, Status::BadMorphWeight, "MRPC.shapeWeight[2]"},
        {"equal weights", [](Builder& b) { b.set("MRPC.shapeWeight[1]", 0.5F); }, Status::BadMorphWeight, "MRPC.shapeWeight[1]", 0,
         "MRPC.channel[0].shapeWeight[1]"},
        {"a second MRPC", [](Builder& b) { test::rename(b, "ANIM", "MRPC"); }, Status::DuplicateChunk, "ANIM"},
        {"MRPC inside a part", [](Builder& b) { test::rename(b, "MSH0[0].BND0", "MRPC"); }, Status::MisplacedChunk, "MSH0[0].BND0"},
        {"MRPH at top level", [](Builder& b) { test::rename(b, "MRPC", "MRPH"); }, Status::MisplacedChunk, "MRPC"},
        {"another version", [](Builder& b) { b.set("MSH0[0].MRPH[1].version", 2U); }, Status::BadChunkVersion,
         "MSH0[0].MRPH[1].version"},
        {"no MRPC", [](Builder& b) { test::rename(b, "MRPC", "MRPX"); }, Status::BadMorphChannel, "MSH0[0].MRPH[0].channel", 0,
         "MSH0[0].MRPH[0].channel"},
        {"a shape without vertices to end", [](Builder& b) { b.set("MSH0[0].MRPH[1].vertexCount", 2U); }, Status::BadChunkSize,
         "MSH0[0].MRPH[1].size"},
        {"a channel beyond", [](Builder& b) { b.set("MSH0[0].MRPH[2].channel", 2U); }, Status::BadMorphChannel,
         "MSH0[0].MRPH[2].channel", 0, "MSH0[0].MRPH[2].channel"},
        {"a shape beyond", [](Builder& b) { b.set("MSH0[0].MRPH[2].shape", 2U); }, Status::BadMorphChannel, "MSH0[0].MRPH[2].shape"},
        {"a shape twice", [](Builder& b) { b.set("MSH0[0].MRPH[1].shape", 0U); }, Status::BadMorphOrder, "MSH0[0].MRPH[1].channel"},
        {"shapes out of order", [](Builder& b) { b.set("MSH0[0].MRPH[1].channel", 1U), b.set("MSH0[0].MRPH[2].channel", 0U); },
         Status::BadMorphOrder, "MSH0[0].MRPH[2].channel"},
        {"a vertex beyond", [](Builder& b) { b.set("MSH0[0].MRPH[0].vertex[1]", 4U); }, Status::BadMorphVertex,
         "MSH0[0].MRPH[0].vertex[1]", 0, "MSH0[0].MRPH[0].vertex[1]"},
        {"a vertex twice", [](Builder& b) { b.set("MSH0[0].MRPH[0].vertex[1]", 1U); }, Status::BadMorphVertex,
         "MSH0[0].MRPH[0].vertex[1]"},
        {"an offset that is no number", [](Builder& b) { b.set("MSH0[0].MRPH[2].normal[1][2]", 0x7F800000U); }, Status::NonFinite,
         "MSH0[0].MRPH[2].normal[1][2]", 0, "MSH0[0].MRPH[2].normal[1][2]"},
        {"weights behind something else", [](Builder& b) { test::rename(b, "ANIM", "MRPA"); }, Status::MorphWithoutClip, "ANIM"},
        {"a track more", [](Builder& b) { b.set("CLP0[0].MRPA.trackCount", 2U); }, Status::BadChunkSize, "CLP0[0].MRPA.size", 0,
         "CLP0[0].MRPA.track[1]"},
        {"a key less", [](Builder& b) { b.set("CLP0[0].MRPA.track[0].keyCount", 2U); }, Status::BadChunkSize, "CLP0[0].MRPA.size"},
        {"weights of no channel", [](Builder& b) { b.set("CLP0[0].MRPA.track[0].channel", 2U); }, Status::BadMorphChannel,
         "CLP0[0].MRPA.track[0].channel"},
        {"a key late", [](Builder& b) { b.set("CLP0[0].MRPA.track[0].key[2].time", 1.5F); }, Status::BadKeyTime,
         "CLP0[0].MRPA.track[0].key[2].time", 0, "CLP0[0].MRPA.track[0].key[2].time"},
        {"keys out of order", [](Builder& b) { b.set("CLP0[0].MRPA.track[0].key[1].time", 0.25F); }, Status::BadKeyTime,
         "CLP0[0].MRPA.track[0].key[1].time"},
        {"a weight that is no number", [](Builder& b) { b.set("CLP0[0].MRPA.track[0].key[1].value", 0x7FC00000U); },
         Status::NonFinite, "CLP0[0].MRPA.track[0].key[1].value", 0, "CLP0[0].MRPA.track[0].key[1].value[0]"},
    };
    return rows;
}

TEST(MorphView, EveryWrongGivesItsStatusByteAndPlace) {
    const auto seen = test::expect_wrongs<ModelView>(test::morph_sample(), wrongs());
    for (const Status status : {Status::BadMorphShapes, Status::BadMorphOrder, Status::BadMorphWeight, Status::BadMorphChannel,
                                Status::BadMorphVertex, Status::MorphWithoutClip})
        EXPECT_EQ(seen.count(status), 1U) << name(status);
}

TEST(MorphView, SaysWhichShapeMayFollow) {
    Builder b = test::morph_sample();
    b.set("MSH0[0].MRPH[1].shape", 0U);
    const ErrorInfo twice = test::check<ModelView>(b.bytes).info;
    EXPECT_EQ(twice.found, 0U);
    EXPECT_EQ(twice.expected, 1U);  // after shape 0 of the channel
    b = test::morph_sample();
    b.set("MSH0[0].MRPH[1].channel", 1U);
    b.set("MSH0[0].MRPH[2].channel", 0U);
    const ErrorInfo back = test::check<ModelView>(b.bytes).info;
    EXPECT_EQ(back.found, 0U);
    EXPECT_EQ(back.expected, 1U);  // no channel before 1
}

// Two tracks of one channel, and two in the wrong order.
TEST(MorphView, TracksAscendByChannel) {
    for (const std::uint32_t second : {0U, 1U}) {
        Builder b = test::morph_sample();
        b.bytes.resize(b.at("CTBL"));
        test::no_table(b);
        b.set("CLP0[0].MRPA.trackCount", 2U);
        b.set("CLP0[0].MRPA.track[0].channel", second);
        // The last key becomes a track without keys.
        b.set("CLP0[0].MRPA.track[0].keyCount", 2U);
        b.set("CLP0[0].MRPA.track[0].key[2].time", 0U);
        b.set("CLP0[0].MRPA.track[0].key[2].value", 0U);
        EXPECT_EQ(test::check<ModelView>(b.bytes).status, Status::BadMorphOrder) << second;
        b.set("CLP0[0].MRPA.track[0].channel", 0U);
        b.set("CLP0[0].MRPA.track[0].key[2].time", 1U);
        EXPECT_EQ(test::check<ModelView>(b.bytes).status, Status::Ok);
    }
}

TEST(MorphView, LimitsAreInclusive) {
    test::expect_limits<ModelView>(
        test::morph_sample(),
        {
            {&Limits::max_morph_channels, 2, LimitId::MorphChannels, "MRPC.channelCount", "MRPC.channelCount"},
            {&Limits::max_morph_shapes, 4, LimitId::MorphShapes, "MRPC.shapeCount", "MRPC.shapeCount"},
            {&Limits::max_morph_vertices, 5, LimitId::MorphVertices, "MSH0[0].MRPH[2].vertexCount", "MSH0[0].MRPH[2].vertexCount"},
            {&Limits::max_tracks_per_clip, 1, LimitId::TracksPerClip, "CLP0[0].MRPA.trackCount", "CLP0[0].MRPA.trackCount"},
            {&Limits::max_keys_per_clip, 3, LimitId::KeysPerClip, "CLP0[0].MRPA.track[0].keyCount", "CLP0[0].MRPA.track[0].keys"},
        });
}

TEST(MorphView, EveryCountIsChecked) {
    const Builder good = test::morph_sample();
    for (const std::string& field : good.counts) {
        if (field.find("MRP") == std::string::npos) continue;
        const std::uint32_t before = good.get32(good.at(field));
        for (const std::uint32_t value : {0U, 1U, 4U, 7U, before + 1, before - 1, 0x80000000U, 0x7FFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFF0U}) {
            if (value == before) continue;
            Builder b = good;
            b.set(field, value);
            EXPECT_NE(test::check<ModelView>(b.bytes).status, Status::Ok) << field << " = " << value;
        }
    }
}

TEST(MorphView, CutsAndDamageAreSurvived) {
    test::expect_cuts_are_errors<ModelView>(test::morph_sample());
    test::expect_survives_random_damage<ModelView>(test::morph_sample(), 30'000);
}

// A foreign table's bytes behind the last clip are no MRPA, whatever they spell.
TEST(MorphView, ATableIsNoChunk) {
    Builder b = test::morph_sample();
    b.bytes.resize(b.at("CLP0[0].MRPA"));
    const std::size_t table = b.bytes.size();
    b.text("MRPA");
    b.u32(0xFFFFFFF0);
    b.u32(1);
    b.u32(0);
    b.put64(64, table);
    b.put32(72, 1);
    const test::ExactBlock file(b.bytes);
    ModelView model;
    ASSERT_EQ(verify(file.bytes(), {}, model, nullptr), Status::Ok);
    EXPECT_EQ(model.clip(0).morph_track_count(), 0U);
}

// Chunks of a motion.
TEST(MorphView, AMotionHasNone) {
    Builder b = test::morph_sample();
    b.bytes.resize(b.at("MRPC"));
    test::no_table(b);
    for (int i = 0; i < 8; ++i) b.put8(static_cast<std::size_t>(i), static_cast<unsigned char>("MTAB0001"[i]));
    test::rename(b, "MATL", "ANIM");
    test::rename(b, "STR0", "MRPC");
    EXPECT_EQ(test::check<MotionView>(b.bytes).status, Status::MisplacedChunk);
    test::rename(b, "STR0", "MRPA");
    EXPECT_EQ(test::check<MotionView>(b.bytes).status, Status::MisplacedChunk);
}

TEST(MorphView, ReadsChannelsShapesAndTracks) {
    const Builder b = test::morph_sample();
    const test::ExactBlock file(b.bytes);
    ModelView model;
    ErrorInfo info;
    ASSERT_EQ(verify(file.bytes(), {}, model, &info), Status::Ok) << info.part;
    ASSERT_EQ(model.morph_channel_count(), 2U);
    EXPECT_EQ(model.morph_channel(0).name, "blink");
    EXPECT_EQ(model.morph_channel(0).default_weight, 0.25F);
    EXPECT_EQ(model.morph_channel(1).shape_count, 2U);
    EXPECT_EQ(model.morph_channel(2).name, "");
    EXPECT_EQ(model.morph_shape_weight(0, 1), 1.0F);
    EXPECT_EQ(model.morph_shape_weight(1, 0), -1.0F);
    EXPECT_EQ(model.morph_shape_weight(0, 2), 0.0F);
    EXPECT_EQ(model.find_morph_channel("blink"), 0U);
    EXPECT_EQ(model.find_morph_channel("smile"), 1U);
    EXPECT_EQ(model.find_morph_channel("nod"), 2U);
    EXPECT_EQ(model.morph_vertex_total(), 5U);
    const MeshPartView part = model.part(0);
    ASSERT_EQ(part.morph_count(), 3U);
    std::vector<std::array<std::uint32_t, 3>> shapes;
    for (const MorphShapeView shape : part.morphs()) shapes.push_back({shape.channel(), shape.shape(), shape.vertex_count()});
    EXPECT_EQ(shapes, (std::vector<std::array<std::uint32_t, 3>>{{0, 0, 2}, {0, 1, 1}, {1, 1, 2}}));
    const MorphShapeView first = *part.morphs();
    EXPECT_EQ(first.vertex(1), 3U);
    EXPECT_EQ(first.position(1), (Vec3f{0.25F, 0, 0}));
    EXPECT_EQ(first.normal(0), (Vec3f{0, 1, 0}));
    EXPECT_EQ(first.position(2), Vec3f{});
    const ClipView clip = model.clip(0);
    ASSERT_EQ(clip.morph_track_count(), 1U);
    const MorphTrackView track = *clip.morph_tracks();
    ASSERT_EQ(track.key_count(), 3U);
    EXPECT_EQ(track.key(2).time_seconds, 0.75F);
    EXPECT_EQ(track.key(2).weight, 4.0F);
    EXPECT_EQ(track.key(3).weight, 0.0F);
}

TEST(MorphView, AFileWithoutShapesHasNone) {
    const Builder b = test::sample();
    const test::ExactBlock file(b.bytes);
    ModelView model;
    ASSERT_EQ(verify(file.bytes(), {}, model, nullptr), Status::Ok);
    EXPECT_EQ(model.morph_channel_count(), 0U);
    EXPECT_EQ(model.part(0).morph_count(), 0U);
    EXPECT_EQ(model.clip(0).morph_track_count(), 0U);
    EXPECT_EQ(model.find_morph_channel("blink"), 0U);
}

}  // namespace
}  // namespace gomkit::runtime
