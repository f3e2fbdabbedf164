// covers GOM-MORPH-1, GOM-MORPH-2, GOM-MORPH-3, GOM-MORPH-4

#include "gomkit/runtime/morph_job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gomkit/runtime/runtime.hpp"
#include "sample.hpp"

namespace gomkit::runtime {
namespace {

struct Sample {
    Sample() {
        EXPECT_EQ(verify(file.bytes(), {}, model, nullptr), Status::Ok);
        part = model.part(0);
        clip = model.clip(0);
    }
    const test::Builder builder = test::morph_sample();
    const test::ExactBlock file{builder.bytes};
    ModelView model;
    MeshPartView part;
    ClipView clip;
};

struct Moved {
    std::vector<Vec3f> positions, normals;
};

Moved run(const Sample& s, float blink, float smile) {
    Moved out{std::vector<Vec3f>(4), std::vector<Vec3f>(4)};
    const float weights[] = {blink, smile};
    MorphJob job{.model = &s.model, .part = &s.part, .weights = weights};
    job.read_part();
    job.out_positions = output_stream(std::span(out.positions));
    job.out_normals = output_stream(std::span(out.normals));
    EXPECT_EQ(job.run(), Status::Ok);
    return out;
}

// The table of morph.md 4. Vertex 3 is moved by the shape at 0.5 alone (0.25 along x), vertex 1 by it (0.5 along y) and that at 1 (1 along y).
TEST(MorphJob, FactorsAreThePages) {
    const Sample s;
    struct Row {
        float w;
        float half, whole;
    };
    for (const Row& row : {Row{0, 0, 0}, Row{0.25F, 0.5F, 0}, Row{0.5F, 1, 0}, Row{0.75F, 0.5F, 0.5F}, Row{1, 0, 1},
                           Row{1.5F, -1, 2}, Row{-0.5F, -1, 0}}) {
        const Moved got = run(s, row.w, 0);
        EXPECT_EQ(got.positions[3], (Vec3f{1 + 0.25F * row.half, 0, 0})) << row.w;
        EXPECT_EQ(got.positions[1], (Vec3f{0, 1 + 0.5F * row.half + row.whole, 0})) << row.w;
    }
    // Of "smile" the part has the shape at 2 only; that at -1 moves nothing here.
    for (const auto& [w, two] : {std::pair{-0.5F, 0.0F}, {-1.0F, 0.0F}, {-3.0F, 0.0F}, {1.0F, 0.5F}, {2.0F, 1.0F}, {4.0F, 2.0F}})
        EXPECT_EQ(run(s, 0, w).positions[0], (Vec3f{two, 2 * two, 4 * two})) << w;
}

TEST(MorphJob, ShapesAddUp) {
    const Sample s;
    // Vertex 1: half of (0 .5 0) and of (0 1 0), and half of (8 0 0).
    EXPECT_EQ(run(s, 0.75F, 1).positions[1], (Vec3f{4, 1.75F, 0}));
}

TEST(MorphJob, NormalsAreUnitAndUntouchedOnesStay) {
    const Sample s;
    const Moved got = run(s, 0.5F, 0);
    const float half = static_cast<float>(std::sqrt(0.5));
    EXPECT_EQ(got.normals[1], (Vec3f{0, half, -half}));
    // (0 0 -1) + (0 0 1): nothing is left to point anywhere.
    EXPECT_EQ(got.normals[3], (Vec3f{0, 0, 0}));
    EXPECT_EQ(got.normals[0], (Vec3f{0, 0, -1}));
    EXPECT_EQ(got.normals[2], (Vec3f{0, 0, -1}));
    EXPECT_EQ(got.positions[2], (Vec3f{1, 1, 0}));
}

// Vertices as a game has them, morphed in place.
TEST(MorphJob, StreamsAreFree) {
    const Sample s;
    struct Packed {
        float normal[3];
        std::uint8_t pad;
        float position[3];
    };
    std::vector<Packed> vertices(4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const Vertex v = s.part.vertex(i);
        std::copy(std::begin(v.position), std::end(v.position), vertices[i].position);
        std::copy(std::begin(v.normal), std::end(v.normal), vertices[i].normal);
    }
    const float weights[] = {0.75F, 1};
    MorphJob job{.model = &s.model, .part = &s.part, .weights = weights};
    const std::span<Packed> all(vertices);
    job.positions = input_stream(std::span<const Packed>(all), offsetof(Packed, position));
    job.normals = input_stream(std::span<const Packed>(all), offsetof(Packed, normal));
    job.out_positions = output_stream(all, offsetof(Packed, position));
    job.out_normals = output_stream(all, offsetof(Packed, normal));
    ASSERT_EQ(job.run(), Status::Ok);
    const Moved expected = run(s, 0.75F, 1);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ((Vec3f{vertices[i].position[0], vertices[i].position[1], vertices[i].position[2]}), expected.positions[i]);
        EXPECT_EQ((Vec3f{vertices[i].normal[0], vertices[i].normal[1], vertices[i].normal[2]}), expected.normals[i]);
    }
}

// More vertices than one block holds; every third is moved, the last one too.
TEST(MorphJob, ManyVertices) {
    constexpr std::uint32_t kCount = 1537;
    test::Builder b;
    test::header(b);
    test::strings(b, {"a"});
    test::bare_materials(b, 1);
    b.begin("MRPC", "MRPC");
    b.count("channelCount", 1);
    b.count("shapeCount", 1);
    b.u32("nameId", 0);
    b.f32("defaultWeight", 0);
    b.count("shapeEnd", 1);
    b.f32("shapeWeight[0]", 1);
    b.end();
    std::vector<test::SampleMove> moves;
    for (std::uint32_t i = 0; i < kCount; i += 3) moves.push_back({i, {static_cast<float>(i), 1, 0}, {0, 0, 0}});
    test::part(b, "MSH0[0]", 0xFFFFFFFF, std::vector<test::SampleVertex>(kCount), {0, 1, 2}, false, 0, false, {{0, 0, 3}},
               [&] { test::morph(b, 0, 0, 0, moves); });
    const test::ExactBlock file(b.bytes);
    ModelView model;
    ErrorInfo info;
    ASSERT_EQ(verify(file.bytes(), {}, model, &info), Status::Ok) << info.part;
    const MeshPartView part = model.part(0);
    std::vector<Vec3f> positions(kCount);
    const float weight[] = {2};
    MorphJob job{.model = &model, .part = &part, .weights = weight};
    job.read_part();
    job.out_positions = output_stream(std::span(positions));
    ASSERT_EQ(job.run(), Status::Ok);
    for (std::uint32_t i = 0; i < kCount; ++i)
        ASSERT_EQ(positions[i], (i % 3 == 0 ? Vec3f{2 * static_cast<float>(i), 2, 0} : Vec3f{})) << i;
}

TEST(MorphJob, RefusesWhatDoesNotFit) {
    const Sample s;
    std::vector<Vec3f> out(4);
    const float weights[] = {0, 0};
    MorphJob good{.model = &s.model, .part = &s.part, .weights = weights};
    good.read_part();
    good.out_positions = output_stream(std::span(out));
    ASSERT_EQ(good.validate(), Status::Ok);
    MorphJob job = good;
    job.model = nullptr;
    EXPECT_EQ(job.run(), Status::BadArgument);
    job = good;
    job.part = nullptr;
    EXPECT_EQ(job.run(), Status::BadArgument);
    job = good;
    job.weights = {weights, 1};
    EXPECT_EQ(job.run(), Status::WrongSize);
    const float bad[] = {0, std::numeric_limits<float>::quiet_NaN()};
    job.weights = bad;
    EXPECT_EQ(job.run(), Status::NonFinite);
    job = good;
    job.out_positions = output_stream(std::span(out).first(3));
    EXPECT_EQ(job.run(), Status::WrongSize);
    job = good;
    job.positions = {};
    EXPECT_EQ(job.run(), Status::BadArgument);
    const ModelView other;
    job = good;
    job.model = &other;
    job.weights = {};
    EXPECT_EQ(job.run(), Status::BadMorphChannel);
}

TEST(MorphSampleJob, IsLinearAndHoldsItsEnds) {
    const Sample s;  // keys of blink: 0.25 0, 0.5 1, 0.75 4
    for (const auto& [t, w] : {std::pair{0.0F, 0.0F}, {0.25F, 0.0F}, {0.375F, 0.5F}, {0.5F, 1.0F}, {0.625F, 2.5F}, {0.75F, 4.0F},
                               {9.0F, 4.0F}, {-1.0F, 0.0F}}) {
        float weights[2] = {};
        ASSERT_EQ((MorphSampleJob{.model = &s.model, .clip = &s.clip, .time_seconds = t, .output = weights}.run()), Status::Ok);
        EXPECT_EQ(weights[0], w) << t;
        EXPECT_EQ(weights[1], 0.0F);
    }
}

TEST(MorphSampleJob, WithoutAClipOrKeysWeightsAreTheDefaults) {
    const Sample s;
    float weights[2] = {9, 9};
    ASSERT_EQ((MorphSampleJob{.model = &s.model, .output = weights}.run()), Status::Ok);
    EXPECT_EQ(weights[0], 0.25F);
    EXPECT_EQ(weights[1], 0.0F);
    EXPECT_EQ(default_morph_weights(s.model, std::span(weights, 1)), Status::WrongSize);
    EXPECT_EQ((MorphSampleJob{.output = weights}.run()), Status::BadArgument);
    EXPECT_EQ((MorphSampleJob{.model = &s.model, .time_seconds = HUGE_VALF, .output = weights}.run()), Status::NonFinite);
    const ModelView other;
    EXPECT_EQ((MorphSampleJob{.model = &other, .clip = &s.clip}.run()), Status::BadMorphChannel);
}

}  // namespace
}  // namespace gomkit::runtime
