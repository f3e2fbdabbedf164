// Blending against numbers worked out by hand from gom.md 10.

#include "gomkit/runtime/blend_job.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

namespace gomkit::runtime {
namespace {

constexpr float kHalf = 0.70710678118654752F;

BoneLocal bone(Vec3f translation, Quatf rotation = {}, Vec3f scale = {1, 1, 1}, std::uint32_t is_keyed = 1) {
    BoneLocal out;
    out.translation = translation;
    out.is_keyed = is_keyed;
    out.rotation = rotation;
    out.scale = scale;
    return out;
}

void expect_near(const BoneLocal& got, const BoneLocal& wanted, float tolerance = 1e-6F) {
    EXPECT_NEAR(got.translation.x, wanted.translation.x, tolerance);
    EXPECT_NEAR(got.translation.y, wanted.translation.y, tolerance);
    EXPECT_NEAR(got.translation.z, wanted.translation.z, tolerance);
    EXPECT_NEAR(got.rotation.x, wanted.rotation.x, tolerance);
    EXPECT_NEAR(got.rotation.y, wanted.rotation.y, tolerance);
    EXPECT_NEAR(got.rotation.z, wanted.rotation.z, tolerance);
    EXPECT_NEAR(got.rotation.w, wanted.rotation.w, tolerance);
    EXPECT_NEAR(got.scale.x, wanted.scale.x, tolerance);
    EXPECT_NEAR(got.scale.y, wanted.scale.y, tolerance);
    EXPECT_NEAR(got.scale.z, wanted.scale.z, tolerance);
    EXPECT_EQ(got.is_keyed, wanted.is_keyed);
}
bool same_bits(const BoneLocal& a, const BoneLocal& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

// One bone, at bind somewhere else than any layer.
const BoneLocal kBind = bone({7, 7, 7}, {kHalf, 0, 0, kHalf}, {3, 3, 3}, 0);

BoneLocal blend(const std::vector<BlendLayer>& layers, const std::vector<AdditiveLayer>& additive = {},
                const BoneLocal& bind = kBind) {
    BoneLocal out;
    const BlendJob job{.bind = {&bind, 1}, .layers = layers, .additive_layers = additive, .output = {&out, 1}};
    EXPECT_EQ(job.run(), Status::Ok);
    return out;
}

TEST(Blend, WeightsAreProportions) {
    const BoneLocal a = bone({0, 0, 0}), b = bone({4, 8, 12}, {0, kHalf, 0, kHalf}, {2, 1, 1});
    // R: 0.25 (0 0 0 1) + 0.75 (0 r 0 r) = (0 0.53033 0 0.78033), of length 0.943486.
    const BoneLocal wanted = bone({3, 6, 9}, {0, 0.5620967F, 0, 0.8270715F}, {1.75F, 1, 1});
    expect_near(blend({{.pose = {&a, 1}, .weight = 1}, {.pose = {&b, 1}, .weight = 3}}), wanted);
    expect_near(blend({{.pose = {&a, 1}, .weight = 1e-3F}, {.pose = {&b, 1}, .weight = 3e-3F}}), wanted);
    expect_near(blend({{.pose = {&b, 1}, .weight = 3e30F}, {.pose = {&a, 1}, .weight = 1e30F}}), wanted);
    const BoneLocal third = bone({3, 6, 9}, {0, 0.5620967F, 0, 0.8270715F}, {1.75F, 1, 1});
    expect_near(blend({{.pose = {&a, 1}, .weight = 1}, {.pose = {&b, 1}, .weight = 3}, {.pose = {&third, 1}, .weight = 2}}),
                wanted);
}

TEST(Blend, OneLayerIsCopiedBitByBit) {
    const BoneLocal a = bone({0.1F, 0.2F, 0.3F}, {0.1F, 0.3F, 0.5F, 0.806225F}, {1, 2, 3});
    EXPECT_TRUE(same_bits(blend({{.pose = {&a, 1}, .weight = 0.3F}}), a));
    const BoneLocal b = bone({9, 9, 9});
    EXPECT_TRUE(
        same_bits(blend({{.pose = {&b, 1}, .weight = 0}, {.pose = {&a, 1}, .weight = 5}, {.pose = {&b, 1}, .weight = -1}}), a));
}

TEST(Blend, SignsAreAlignedToTheFirstLayerThatTakesPart) {
    const BoneLocal a = bone({}), b = bone({}, {0, kHalf, 0, kHalf}), minus_b = bone({}, {0, -kHalf, 0, -kHalf});
    const BoneLocal minus_a = bone({}, {0, 0, 0, -1});
    // Half way between 0 and 90 degrees: 45.
    const BoneLocal wanted = bone({}, {0, 0.3826834F, 0, 0.9238795F});
    expect_near(blend({{.pose = {&a, 1}}, {.pose = {&b, 1}}}), wanted);
    expect_near(blend({{.pose = {&a, 1}}, {.pose = {&minus_b, 1}}}), wanted);
    expect_near(blend({{.pose = {&minus_a, 1}, .weight = 0}, {.pose = {&a, 1}}, {.pose = {&minus_b, 1}}}), wanted);
    expect_near(blend({{.pose = {&minus_a, 1}}, {.pose = {&b, 1}}}), bone({}, {0, -0.3826834F, 0, -0.9238795F}));
    // To the first, not to the sum so far: 0, 170 and -170 degrees about Y even out.
    const BoneLocal c = bone({}, {0, 0.9961947F, 0, 0.0871557F}), d = bone({}, {0, -0.9961947F, 0, 0.0871557F});
    expect_near(blend({{.pose = {&a, 1}}, {.pose = {&c, 1}}, {.pose = {&d, 1}}}), bone({}));
}

TEST(Blend, MasksMultiplyWeightsBoneByBone) {
    const std::vector<BoneLocal> bind(3, kBind), a(3, bone({0, 0, 0})), b(3, bone({10, 0, 0}));
    const std::vector<float> mask = {0, 0.25F, 1};
    const BlendLayer layers[] = {{.pose = a, .weight = 0.5F}, {.pose = b, .weight = 0.5F, .mask = mask}};
    std::vector<BoneLocal> out(3);
    ASSERT_EQ((BlendJob{.bind = bind, .layers = layers, .output = out}.run()), Status::Ok);
    EXPECT_EQ(out[0].translation.x, 0);
    EXPECT_NEAR(out[1].translation.x, 2, 1e-6);  // 0.125 of 0.625
    EXPECT_EQ(out[2].translation.x, 5);
    const std::vector<float> none = {0, -1, std::numeric_limits<float>::quiet_NaN()};
    const BlendLayer masked[] = {{.pose = a, .weight = 0.5F, .mask = none}};
    ASSERT_EQ((BlendJob{.bind = bind, .layers = masked, .output = out}.run()), Status::Ok);
    for (const BoneLocal& o : out) EXPECT_TRUE(same_bits(o, kBind));
}

TEST(Blend, ABoneWithoutKeysTakesPartWithItsBindPose) {
    const BoneLocal keyed = bone({1, 1, 1}, {}, {1, 1, 1});
    const BoneLocal got = blend({{.pose = {&keyed, 1}}, {.pose = {&kBind, 1}}});
    expect_near(got, bone({4, 4, 4}, {0.3826834F, 0, 0, 0.9238795F}, {2, 2, 2}));
    EXPECT_EQ(got.is_keyed, 1U);
    // However little the one that keys it weighs: the bone is S * R * T then, not the matrix as stored.
    EXPECT_EQ(blend({{.pose = {&kBind, 1}, .weight = 1}, {.pose = {&keyed, 1}, .weight = 1e-20F}}).is_keyed, 1U);
}

TEST(Blend, ABoneThatNothingKeysKeepsBindLocal) {
    const BoneLocal keyed = bone({1, 1, 1});
    EXPECT_TRUE(same_bits(blend({}), kBind));
    EXPECT_TRUE(same_bits(blend({{.pose = {&kBind, 1}}, {.pose = {&kBind, 1}}}), kBind));
    EXPECT_TRUE(same_bits(blend({{.pose = {&kBind, 1}}, {.pose = {&keyed, 1}, .weight = 0}}), kBind));
    for (const float weight :
         {0.0F, -0.0F, -2.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        EXPECT_TRUE(same_bits(blend({{.pose = {&keyed, 1}, .weight = weight}}), kBind)) << weight;
}

TEST(Blend, AdditiveAgainstTheBindPose) {
    const BoneLocal bind = bone({1, 0, 0}, {}, {2, 2, 0}, 0);
    const BoneLocal base = bone({10, 0, 0}, {kHalf, 0, 0, kHalf}, {1, 1, 1});  // 90 degrees about X
    const BoneLocal top = bone({1, 2, 0}, {0, kHalf, 0, kHalf}, {4, 2, 5});    // 90 degrees about Y
    const BoneLocal got = blend({{.pose = {&base, 1}}}, {{.pose = {&top, 1}, .weight = 0.5F}}, bind);
    EXPECT_EQ(got.translation, (Vec3f{10, 1, 0}));
    EXPECT_EQ(got.scale, (Vec3f{1.5F, 1, 1}));  // ratios 2, 1, and 1 where the reference is 0
    // The base's rotation first, then 45 degrees about Y: the Y axis goes to Z, then half way to X.
    const Vec3f turned = rotate(got.rotation, Vec3f{0, 1, 0});
    EXPECT_NEAR(turned.x, kHalf, 1e-6);
    EXPECT_NEAR(turned.y, 0, 1e-6);
    EXPECT_NEAR(turned.z, kHalf, 1e-6);
    EXPECT_NEAR(length(got.rotation), 1, 1e-6);
}

TEST(Blend, AdditiveAgainstAReferencePose) {
    const BoneLocal base = bone({1, 1, 1}, {}, {2, 2, 2});
    const BoneLocal reference = bone({5, 0, 0}, {0, 0.3826834F, 0, 0.9238795F}, {4, 1, 1});  // 45 degrees about Y
    const BoneLocal top = bone({6, 0, 3}, {0, kHalf, 0, kHalf}, {2, 1, 1});                  // 90
    const std::vector<AdditiveLayer> layer = {{.pose = {&top, 1}, .weight = 1, .reference = {&reference, 1}}};
    expect_near(blend({{.pose = {&base, 1}}}, layer), bone({2, 1, 4}, {0, 0.3826834F, 0, 0.9238795F}, {1, 2, 2}));
    // The reference gives its way back: nothing is left.
    const std::vector<AdditiveLayer> nothing = {{.pose = {&top, 1}, .weight = 0.7F, .reference = {&top, 1}}};
    expect_near(blend({{.pose = {&base, 1}}}, nothing), base);
    // Layers follow each other.
    const std::vector<AdditiveLayer> twice = {layer[0], layer[0]};
    expect_near(blend({{.pose = {&base, 1}}}, twice), bone({3, 1, 7}, {0, kHalf, 0, kHalf}, {0.5F, 2, 2}));
}

// inverse(R_r) * R_c as row-vector matrices, then times R from the right of R: order matters when the axes differ.
TEST(Blend, AdditiveRotationsMultiplyInThePagesOrder) {
    const Quatf r{0.5F, 0.5F, 0.5F, 0.5F}, c{0, 0, kHalf, kHalf}, q{kHalf, 0, 0, -kHalf};
    const BoneLocal base = bone({}, q), reference = bone({}, r), top = bone({}, c);
    const BoneLocal got = blend({{.pose = {&base, 1}}}, {{.pose = {&top, 1}, .reference = {&reference, 1}}});
    const auto matrix = [](const Quatf& of) {
        return to_matrix(
            Quatd{static_cast<double>(of.x), static_cast<double>(of.y), static_cast<double>(of.z), static_cast<double>(of.w)});
    };
    const Mat4d wanted = matrix(q) * (transpose(matrix(r)) * matrix(c));
    const Mat4d found = matrix(got.rotation);
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(found.m[i], wanted.m[i], 1e-6) << i;
}

TEST(Blend, AdditiveLeavesABoneAloneThatItDoesNotKey) {
    const BoneLocal base = bone({1, 1, 1});
    // Neither keyed: the bone stays at bindLocal itself.
    EXPECT_TRUE(same_bits(blend({}, {{.pose = {&kBind, 1}}}), kBind));
    EXPECT_TRUE(same_bits(blend({{.pose = {&base, 1}}}, {{.pose = {&kBind, 1}}}), base));
    // Keyed by the layer: on top of the decomposed bindLocal.
    const BoneLocal top = bone({8, 7, 7}, kBind.rotation, {3, 6, 3});
    expect_near(blend({}, {{.pose = {&top, 1}}}), bone({8, 7, 7}, kBind.rotation, {3, 6, 3}));
    // No weight, no effect.
    for (const float weight : {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN()})
        EXPECT_TRUE(same_bits(blend({}, {{.pose = {&top, 1}, .weight = weight}}), kBind));
    const float mask = 0.0F;
    EXPECT_TRUE(same_bits(blend({}, {{.pose = {&top, 1}, .weight = 1, .mask = {&mask, 1}}}), kBind));
}

TEST(Blend, TheOutputMayBeOneOfThePoses) {
    const std::vector<BoneLocal> bind(2, kBind);
    std::vector<BoneLocal> a(2, bone({2, 0, 0})), b(2, bone({4, 0, 0}));
    const BlendLayer layers[] = {{.pose = a}, {.pose = b}};
    const AdditiveLayer additive[] = {{.pose = b, .reference = a}};
    ASSERT_EQ((BlendJob{.bind = bind, .layers = layers, .additive_layers = additive, .output = b}.run()), Status::Ok);
    EXPECT_EQ(b[0].translation.x, 5);
    EXPECT_EQ(b[1].translation.x, 5);
}

TEST(Blend, SizesMustAgree) {
    const std::vector<BoneLocal> bind(2, kBind), good(2), bad(1), longer(3);
    std::vector<BoneLocal> out(2);
    const std::vector<float> mask(2, 1.0F), bad_mask(1, 1.0F);
    const auto status = [&](const BlendLayer& layer, const AdditiveLayer& additive, std::span<BoneLocal> output) {
        const BlendJob job{.bind = bind, .layers = {&layer, 1}, .additive_layers = {&additive, 1}, .output = output};
        EXPECT_EQ(job.run(), job.validate());
        return job.validate();
    };
    const BlendLayer layer{.pose = good, .mask = mask};
    const AdditiveLayer additive{.pose = good, .mask = mask, .reference = good};
    EXPECT_EQ(status(layer, additive, out), Status::Ok);
    EXPECT_EQ(status({.pose = bad}, additive, out), Status::WrongSize);
    EXPECT_EQ(status({.pose = longer}, additive, out), Status::WrongSize);
    EXPECT_EQ(status({}, additive, out), Status::WrongSize);
    EXPECT_EQ(status({.pose = good, .mask = bad_mask}, additive, out), Status::WrongSize);
    EXPECT_EQ(status(layer, {.pose = bad}, out), Status::WrongSize);
    EXPECT_EQ(status(layer, {.pose = good, .reference = bad}, out), Status::WrongSize);
    EXPECT_EQ(status(layer, {.pose = good, .mask = bad_mask}, out), Status::WrongSize);
    EXPECT_EQ(status(layer, additive, std::span(out).first(1)), Status::WrongSize);
    EXPECT_EQ((BlendJob{}.run()), Status::Ok);  // no bones, nothing to do
}

}  // namespace
}  // namespace gomkit::runtime
