// covers GOM-WEIGHT-8, GOM-SUB0-6, GOM-MATL-6, GOM-MATL-7, GOM-PART-2, GOM-FLAG-1
#include "canonical.hpp"

#include <cmath>

#include "rules.hpp"
#include "sample.hpp"

namespace gomkit::gom {
namespace {

using namespace test;

TEST(Canonicalise, SortsAndMergesMaterialsAndMovesTriangles) {
    Document d = sample();
    d.materials.resize(4);
    d.materials[0].name = "Z";
    d.materials[1].name = "A";
    d.materials[2].name = std::nullopt;
    d.materials[3].name = "Z";
    d.materials[0].maps = {};
    Part& p = d.parts[0];
    p.indices = {0, 1, 2, 0, 2, 3, 1, 2, 3, 3, 2, 1};
    p.submeshes = {Submesh{0, 0, 3}, Submesh{1, 3, 3}, Submesh{3, 6, 3}, Submesh{2, 9, 3}};
    d.parts[1].submeshes[0].material = 3;
    canonicalise(d);
    ASSERT_EQ(d.materials.size(), 3u);
    EXPECT_EQ(d.materials[0].name, "A");
    EXPECT_EQ(d.materials[1].name, "Z");
    EXPECT_EQ(d.materials[2].name, std::nullopt);
    EXPECT_EQ(p.indices, (core::LargeVector<std::uint32_t>{0, 2, 3, 0, 1, 2, 1, 2, 3, 3, 2, 1}));
    ASSERT_EQ(p.submeshes.size(), 3u);
    EXPECT_EQ(p.submeshes[1].material, 1u);
    EXPECT_EQ(p.submeshes[1].index_start, 3u);
    EXPECT_EQ(p.submeshes[1].index_count, 6u);
    EXPECT_EQ(d.parts[1].submeshes[0].material, 1u);
}

TEST(Canonicalise, SortsBonesAndEverythingThatNamesThem) {
    Document d = sample();
    d.bones = {Bone{2, "y", "R/x/y", translation(0, 0, 1)}, Bone{2, "z", "R/x/z", {}}, Bone{3, "x", "R/x", translation(0, 1, 0)},
               Bone{-1, "R", "R", {}}};
    Part& p = d.parts[0];
    p.inverse_bind = {translation(1, 0, 0), translation(2, 0, 0), translation(3, 0, 0), translation(4, 0, 0)};
    p.vertices[0].bone[0] = 0;
    p.vertices[0].bone[1] = 3;
    d.clips[1].root_bone = 3;
    d.clips[1].tracks[0].bone = 1;
    d.clips[1].tracks[1].bone = 2;
    canonicalise(d);
    EXPECT_EQ(d.bones[0].path, "R");
    EXPECT_EQ(d.bones[3].path, "R/x/z");
    EXPECT_EQ(d.bones[2].parent, 1);
    EXPECT_EQ(d.bones[0].parent, -1);
    EXPECT_EQ(p.inverse_bind[0].m[12], 4.0f);
    EXPECT_EQ(p.inverse_bind[2].m[12], 1.0f);
    EXPECT_EQ(p.vertices[0].bone[0], 2);
    EXPECT_EQ(p.vertices[0].bone[1], 0);
    EXPECT_EQ(d.clips[1].root_bone, 0);
    EXPECT_EQ(d.clips[1].tracks[0].bone, 1u);
    EXPECT_EQ(d.clips[1].tracks[1].bone, 3u);
    EXPECT_TRUE(d.clips[1].tracks[0].translation.empty());
}

TEST(Canonicalise, SettlesInfluences) {
    Document d = sample();
    Vertex& v = d.parts[0].vertices[0];
    v = Vertex{{0, 0, 0}, {0, 0, -1}, {1, 0, 0, -1}, {0, -0.0f}, {1, 1, 0, 1}, {0.25f, 0, 0.75f, -0.0f}};
    canonicalise(d);
    EXPECT_EQ(v.bone[0], 0);
    EXPECT_EQ(v.bone[1], 1);
    EXPECT_EQ(v.bone[2], 0);
    EXPECT_EQ(v.bone[3], 0);
    EXPECT_EQ(v.weight[0], 0.75f);
    EXPECT_EQ(v.weight[1], 0.25f);
    EXPECT_FALSE(std::signbit(v.weight[3]));
    EXPECT_FALSE(std::signbit(v.uv[1]));
}

TEST(Canonicalise, NormalisesOnlyWhatIsOffByMoreThanAMillionth) {
    Document d = sample();
    const float third = 1.0f / 3.0f;
    Vertex& kept = d.parts[0].vertices[0];
    kept.weight[0] = 0.75f;
    kept.weight[1] = 0.2500008f;
    Vertex& mended = d.parts[0].vertices[1];
    mended.bone[1] = 1;
    mended.weight[0] = third;
    mended.weight[1] = 0.66671f;
    QuatKey& short_key = d.clips[1].tracks[1].rotation[1];
    short_key.value = {0, 0, 0.6f, 0.80001f};
    const std::array<float, 4> nearly{0, 0, 0.6f, 0.8000005f};
    d.clips[1].tracks[1].rotation[0].value = nearly;
    canonicalise(d);
    EXPECT_EQ(kept.weight[1], 0.2500008f);
    EXPECT_NEAR(static_cast<double>(mended.weight[0]) + static_cast<double>(mended.weight[1]), 1.0, 1e-7);
    EXPECT_EQ(mended.bone[0], 1);
    EXPECT_EQ(d.clips[1].tracks[1].rotation[0].value, nearly);
    EXPECT_NEAR(quaternion_length(short_key.value), 1.0, 1e-7);
}

TEST(Canonicalise, SettlesQuaternionSigns) {
    Document d = sample();
    auto& keys = d.clips[1].tracks[1].rotation;
    keys = {QuatKey{0, {-1, 0, 0, 0}}, QuatKey{0.25f, {1, 0, 0, 0}}, QuatKey{0.5f, {-0.6f, -0.8f, 0, 0}}, QuatKey{1, {0, 0, 0, -1}}};
    canonicalise(d);
    EXPECT_EQ(keys[0].value, (std::array<float, 4>{1, 0, 0, 0}));
    EXPECT_EQ(keys[1].value, (std::array<float, 4>{1, 0, 0, 0}));
    EXPECT_EQ(keys[2].value, (std::array<float, 4>{0.6f, 0.8f, 0, 0}));
    EXPECT_EQ(keys[3].value, (std::array<float, 4>{0, 0, 0, -1}));   // a dot product of 0 is not negative
    for (const QuatKey& k : keys) {
        for (const float v : k.value) {
            EXPECT_FALSE(v == 0 && std::signbit(v));
        }
    }
}

TEST(Canonicalise, DropsWhatSaysNothing) {
    Document d = sample();
    d.clips[1].tracks.push_back(Track{1, {}, {}, {}});
    d.clips[1].tracks.erase(d.clips[1].tracks.begin() + 1);
    d.parts[1].geometry_to_model = Matrix{};
    d.parts[1].geometry_to_model->m[1] = -0.0f;
    d.parts[1].name = "";
    d.materials.clear();
    d.parts[0].submeshes = {Submesh{0, 0, 6}};
    d.parts[1].submeshes = {Submesh{0, 0, 3}};
    d.validation_flags = 0xFFFFFFFFu;
    std::swap(d.clips[0], d.clips[1]);
    canonicalise(d);
    EXPECT_EQ(d.clips[0].name, "Idle");
    EXPECT_EQ(d.clips[1].tracks.size(), 1u);
    EXPECT_FALSE(d.parts[1].geometry_to_model.has_value());
    EXPECT_EQ(d.parts[1].name, std::nullopt);
    ASSERT_EQ(d.materials.size(), 1u);
    EXPECT_EQ(d.materials[0].name, "DefaultMaterial");
    EXPECT_EQ(d.validation_flags, 63u);
}

TEST(Canonicalise, UnskinnedVerticesNameNoBones) {
    Document d = sample();
    d.parts[1].vertices[0].bone[2] = 5;
    d.parts[1].vertices[0].weight[0] = -3;
    canonicalise(d);
    EXPECT_EQ(d.parts[1].vertices[0].bone[2], 0);
    EXPECT_EQ(d.parts[1].vertices[0].weight[0], 1.0f);
}

TEST(Canonicalise, IsIdempotent) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Document d = random_document(seed);
        canonicalise(d);
        const core::Bytes once = encode(d);
        canonicalise(d);
        EXPECT_EQ(encode(d), once) << seed;
    }
}

TEST(ValidationFlags, EachBitSeesItsFault) {
    const Document good = sample();
    EXPECT_EQ(compute_validation_flags(good), 63u);
    const auto with = [&](auto&& change) {
        Document d = good;
        change(d);
        return compute_validation_flags(d) ^ 63u;
    };
    EXPECT_EQ(with([](Document& d) { d.parts[0].inverse_bind[1].m[13] = -1.0001f; }), 1u);
    EXPECT_EQ(with([](Document& d) { d.parts[0].inverse_bind[1].m[13] = -1.000009f; }), 0u);
    EXPECT_EQ(with([](Document& d) { d.parts[0].vertices[0].weight[1] = 0.2501f; }), 2u);
    EXPECT_EQ(with([](Document& d) { std::swap(d.parts[0].vertices[0].weight[0], d.parts[0].vertices[0].weight[1]); }), 2u);
    EXPECT_EQ(with([](Document& d) { d.parts[0].submeshes[1].index_start = 0; }), 4u);
    EXPECT_EQ(with([](Document& d) { d.parts[0].submeshes.pop_back(); }), 4u);
    EXPECT_EQ(with([](Document& d) { d.parts[0].indices[0] = 4; }), 8u);
    EXPECT_EQ(with([](Document& d) { d.parts[0].vertices[1].bone[3] = 2; }), 16u);
    EXPECT_EQ(with([](Document& d) { d.parts[0].submeshes[1].material = 2; }), 32u);
}

// The checker computes the same statements from the bytes: a claim is false exactly where the writer would not make it.
TEST(ValidationFlags, CheckerAgrees) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Document d = random_document(seed);
        const Document copy = d;
        canonicalise(d);
        d.validation_flags = 63;
        const core::Report report = check_bytes(encode(d));
        EXPECT_EQ(report.has(core::IssueId::GOM_FLAG_FALSE), compute_validation_flags(d) != 63u) << seed;
    }
}

}  // namespace
}  // namespace gomkit::gom
