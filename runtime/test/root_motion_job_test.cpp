// Root motion against numbers worked out by hand from gom.md 10, and against the clip itself over many loops.

#include "gomkit/runtime/root_motion_job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "clip_maker.hpp"
#include "gomkit/runtime/sample_job.hpp"

namespace gomkit::runtime {
namespace {

using test::about;
using test::kLoop;
using test::kPi;
using test::kRootMotion;
using test::Loaded;
using test::MadeBone;
using test::MadeClip;
using test::MadeTrack;

const double kSqrtHalf = std::sqrt(0.5);

std::vector<MadeBone> two_bones(const Mat4f& root = {}) { return {{-1, "R", "R", root}, {0, "A", "R/A", {}}}; }

Mat4f shifted(float x, float y, float z) {
    Mat4f out;
    out.m[12] = x;
    out.m[13] = y;
    out.m[14] = z;
    return out;
}

void expect_near(const GroundMotion& got, double yaw_radians, double x, double z, double tolerance = 1e-6) {
    // q and -q are one turn.
    const double sign = got.yaw_w * std::cos(yaw_radians / 2) + got.yaw_y * std::sin(yaw_radians / 2) < 0 ? -1 : 1;
    EXPECT_NEAR(sign * got.yaw_y, std::sin(yaw_radians / 2), tolerance);
    EXPECT_NEAR(sign * got.yaw_w, std::cos(yaw_radians / 2), tolerance);
    EXPECT_NEAR(got.x, x, tolerance);
    EXPECT_NEAR(got.z, z, tolerance);
}

BoneLocal local(Vec3f translation, Quatf rotation = {}, Vec3f scale = {1, 1, 1}) {
    BoneLocal out;
    out.translation = translation;
    out.is_keyed = 1;
    out.rotation = rotation;
    out.scale = scale;
    return out;
}

RootMotionContext bound(const ModelView& model, std::uint32_t clip = 0) {
    RootMotionContext out;
    EXPECT_EQ(out.bind(model, model.clip(clip)), Status::Ok);
    return out;
}

TEST(GroundMotion, ComposesFromLeftToRight) {
    const GroundMotion turn{kSqrtHalf, kSqrtHalf, 0, 0}, step{0, 1, 0, 2};
    // 90 degrees about Y takes +Z to +X.
    expect_near(step * turn, kPi / 2, 2, 0);
    expect_near(turn * step, kPi / 2, 0, 2);
    const GroundMotion both = turn * step;
    expect_near(both * inverse(both), 0, 0, 0);
    expect_near(inverse(both) * both, 0, 0, 0);
    EXPECT_EQ(power(both, 0), GroundMotion{});
    expect_near(power(both, 2), kPi, 2, 2);
    expect_near(power(both, 4), 0, 0, 0);
    expect_near(power(both, -1), -kPi / 2, 2, 0);
    GroundMotion many;
    for (int i = 0; i < 13; ++i) many = many * GroundMotion{0.05, std::sqrt(1 - 0.0025), 1, 2};
    const GroundMotion quick = power({0.05, std::sqrt(1 - 0.0025), 1, 2}, 13);
    EXPECT_NEAR(many.x, quick.x, 1e-12);
    EXPECT_NEAR(many.z, quick.z, 1e-12);
    EXPECT_NEAR(many.yaw_y, quick.yaw_y, 1e-12);
    EXPECT_NEAR(power({0, 1, 1e-6, 0}, std::int64_t{1} << 40).x, 1099511.627776, 1e-9);
}

TEST(GroundMotion, IsTheMatrixOfThePage) {
    const GroundMotion a{std::sin(0.3), std::cos(0.3), 1, 2}, b{std::sin(-0.8), std::cos(-0.8), -3, 0.5};
    const Mat4d product = to_matrix(a) * to_matrix(b), composed = to_matrix(a * b);
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(product.m[i], composed.m[i], 1e-12) << i;
    const Mat4d undone = to_matrix(a) * to_matrix(inverse(a));
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(undone.m[i], i % 5 == 0 ? 1 : 0, 1e-12) << i;
}

TEST(GroundMotion, KeepsYawAndGroundOnly) {
    const GroundMotion got = ground_motion({0.1, 0.3, 0.2, 0.9}, {1, 2, 3});
    EXPECT_NEAR(got.yaw_y, 0.31622776601683794, 1e-15);  // 0.3 / sqrt(0.9)
    EXPECT_NEAR(got.yaw_w, 0.9486832980505138, 1e-15);
    EXPECT_EQ(got.x, 1);
    EXPECT_EQ(got.z, 3);
    // No yaw to be had: y and w are both 0.
    EXPECT_EQ(ground_motion({1, 0, 0, 0}, {0, 0, 0}), GroundMotion{});
}

TEST(RootMotion, AStraightWalk) {
    const Loaded<ModelView> file(test::make_model(
        two_bones(), {{"walk", 1, 0, kRootMotion | kLoop, {{0, {{0.0F, {3, 1, 5}}, {1.0F, {3, 2, 7}}}, {}, {}}}}}));
    const RootMotionContext context = bound(file.view);
    EXPECT_TRUE(context.is_effective());
    EXPECT_EQ(context.bone_index(), 0U);
    expect_near(context.at(0), 0, 0, 0);
    expect_near(context.at(0.5F), 0, 0, 1);
    expect_near(context.at(-1), 0, 0, 0);
    expect_near(context.at(9), 0, 0, 2);
    expect_near(context.delta(0.25F, 0.75F, 0), 0, 0, 1);
    expect_near(context.delta(0.75F, 0.25F, 0), 0, 0, -1);
    expect_near(context.delta(0.75F, 0.25F, 1), 0, 0, 1);
    BoneLocal root = local({3, 1.5F, 6});
    context.take_out(0.5F, root);
    EXPECT_NEAR(root.translation.x, 3, 1e-6);
    EXPECT_EQ(root.translation.y, 1.5F);  // the height stays in the pose
    EXPECT_NEAR(root.translation.z, 5, 1e-6);
}

// 90 degrees to the right and two metres ahead in each round.
TEST(RootMotion, AClipThatTurnsGoesOnInItsNewDirection) {
    const Loaded<ModelView> file(test::make_model(
        two_bones(), {{"turn",
                       1,
                       0,
                       kRootMotion | kLoop,
                       {{0, {{0.0F, {0, 0, 0}}, {1.0F, {0, 0, 2}}}, {{0.0F, {}}, {1.0F, about({0, 1, 0}, kPi / 2)}}, {}}}}}));
    const RootMotionContext context = bound(file.view);
    expect_near(context.at(1), kPi / 2, 0, 2);
    expect_near(context.at(0.5F), kPi / 4, 0, 1);
    expect_near(context.delta(0, 0, 2), kPi, 2, 2);
    expect_near(context.delta(0, 0, 4), 0, 0, 0);
    expect_near(context.delta(0, 0, -1), -kPi / 2, 2, 0);
    // N(t1) * inverse(N(t0)): turned back by 45 degrees, the way of half a second lies half way between Z and X.
    expect_near(context.delta(0.5F, 1, 0), kPi / 4, -kSqrtHalf * 1 + 2 * -kSqrtHalf + kSqrtHalf * 2, kSqrtHalf * 2 - kSqrtHalf);
    // Over the end: the later part stands on the left.
    const GroundMotion wanted = context.delta(0, 0.5F, 0) * context.delta(0.5F, 1, 0);
    const GroundMotion got = context.delta(0.5F, 0.5F, 1);
    expect_near(got, kPi / 2, wanted.x, wanted.z);
    // And back again over the start.
    const GroundMotion back = context.delta(0.5F, 0.5F, -1);
    expect_near(back * got, 0, 0, 0);
    // What is left has the yaw and X/Z of time 0.
    BoneLocal root = local({0, 0, 1}, about({0, 1, 0}, kPi / 4), {1, 2, 1});
    context.take_out(0.5F, root);
    EXPECT_NEAR(root.rotation.y, 0, 1e-6);
    EXPECT_NEAR(root.rotation.w, 1, 1e-6);
    EXPECT_NEAR(root.translation.z, 0, 1e-6);
    EXPECT_EQ(root.scale, (Vec3f{1, 2, 1}));
}

TEST(RootMotion, WhatIsLeftHasTheYawOfTheStart) {
    const Quatf start = about({0, 1, 0}, 0.5), end = about({0, 1, 0}, 1.5);
    const Loaded<ModelView> file(test::make_model(
        two_bones(),
        {{"turn", 2, 0, kRootMotion, {{0, {{0.0F, {1, 0, 1}}, {2.0F, {4, 0, 1}}}, {{0.0F, start}, {2.0F, end}}, {}}}}}));
    const RootMotionContext context = bound(file.view);
    BoneLocal root = local({4, 0, 1}, end);
    context.take_out(2, root);
    EXPECT_NEAR(root.rotation.y, start.y, 1e-6);
    EXPECT_NEAR(root.rotation.w, start.w, 1e-6);
    EXPECT_NEAR(root.translation.x, 1, 1e-6);
    EXPECT_NEAR(root.translation.z, 1, 1e-6);
}

TEST(RootMotion, ChannelsWithoutKeysKeepTheBindValue) {
    // Turning on the spot where the bind pose stands.
    Loaded<ModelView> file(test::make_model(
        two_bones(shifted(5, 1, 0)), {{"turn", 1, 0, kRootMotion, {{0, {}, {{0.0F, {}}, {1.0F, about({0, 1, 0}, kPi / 2)}}, {}}}},
                                      {"scale", 1, 0, kRootMotion, {{0, {}, {}, {{0.0F, {1, 1, 1}}, {1.0F, {2, 2, 2}}}}}},
                                      {"slide", 1, 0, kRootMotion, {{0, {{0.0F, {0, 0, 0}}, {1.0F, {1, 0, 0}}}, {}, {}}}},
                                      {"zz nothing", 1, 0, kRootMotion, {{1, {}, {}, {}}}}}));
    // N = T(-5) * R * T(5): the place (5, 0) is a fixed point.
    expect_near(bound(file.view, 0).at(1), kPi / 2, 5, 5);
    EXPECT_EQ(bound(file.view, 1).at(1), GroundMotion{});
    EXPECT_TRUE(bound(file.view, 1).is_effective());
    expect_near(bound(file.view, 2).at(0.5F), 0, 0.5, 0);
    EXPECT_EQ(bound(file.view, 3).delta(0, 0.3F, 7), GroundMotion{});
    BoneLocal still = local({5, 1, 0});
    still.is_keyed = 0;
    bound(file.view, 3).take_out(0.5F, still);
    EXPECT_EQ(still.is_keyed, 0U);
}

TEST(RootMotion, OnlyWithTheFlagAndARootWithoutParent) {
    const std::vector<MadeTrack> keys = {{0, {{0.0F, {0, 0, 0}}, {1.0F, {1, 0, 0}}}, {}, {}},
                                         {1, {{0.0F, {0, 0, 0}}, {1.0F, {1, 0, 0}}}, {}, {}}};
    const Loaded<ModelView> file(test::make_model(two_bones(), {{"a flag", 1, -1, kRootMotion, keys},
                                                                {"b root", 1, 0, 0, keys},
                                                                {"c child", 1, 1, kRootMotion, keys},
                                                                {"d both", 1, 0, kRootMotion, keys}}));
    for (std::uint32_t i = 0; i < 3; ++i) {
        const RootMotionContext context = bound(file.view, i);
        EXPECT_FALSE(context.is_effective()) << i;
        std::vector<BoneLocal> pose(2, local({0.5F, 0, 0}));
        const std::vector<BoneLocal> before = pose;
        GroundMotion delta{9, 9, 9, 9};
        ASSERT_EQ(
            (RootMotionJob{.context = &context, .from_seconds = 0.25F, .to_seconds = 0.5F, .pose = pose, .delta = &delta}.run()),
            Status::Ok);
        EXPECT_EQ(delta, GroundMotion{});
        EXPECT_EQ(std::memcmp(pose.data(), before.data(), sizeof(BoneLocal) * 2), 0);
    }
    EXPECT_TRUE(bound(file.view, 3).is_effective());
}

TEST(RootMotionJob, CountsLoopsByTheClipsRule) {
    const std::vector<MadeTrack> keys = {{0, {{0.0F, {0, 0, 0}}, {0.75F, {0, 0, 3}}}, {}, {}}};
    const Loaded<ModelView> file(
        test::make_model(two_bones(), {{"a", 0.75F, 0, kRootMotion | kLoop, keys}, {"b", 0.75F, 0, kRootMotion, keys}}));
    const RootMotionContext loop = bound(file.view, 0), once = bound(file.view, 1);
    const auto delta = [](const RootMotionContext& context, float from, float to, std::int64_t loops = 0) {
        GroundMotion out;
        EXPECT_EQ((RootMotionJob{.context = &context, .from_seconds = from, .to_seconds = to, .loop_count = loops, .delta = &out}
                       .run()),
                  Status::Ok);
        return out.z;
    };
    EXPECT_NEAR(delta(loop, 0.25F, 0.5F), 1, 1e-6);
    EXPECT_NEAR(delta(loop, 0.5F, 1.0F), 2, 1e-6);
    EXPECT_NEAR(delta(loop, 0.5F, 7.75F), 29, 1e-5);
    EXPECT_NEAR(delta(loop, 7.75F, 0.5F), -29, 1e-5);
    EXPECT_NEAR(delta(loop, 0.25F, -0.25F), -2, 1e-6);
    EXPECT_NEAR(delta(loop, -1.0F, -2.0F), -4, 1e-6);
    EXPECT_NEAR(delta(loop, 0, 0.75F), 3, 1e-6);  // the end is time 0 of the next round
    EXPECT_NEAR(delta(loop, -1e-30F, 0), 0, 1e-6);
    EXPECT_NEAR(delta(loop, 0.25F, 0.5F, 3), 10, 1e-5);
    EXPECT_NEAR(delta(loop, 0.25F, 0.5F, -1), -2, 1e-5);
    EXPECT_NEAR(delta(once, 0.5F, 7.75F), 1, 1e-6);
    EXPECT_NEAR(delta(once, -3, 9), 3, 1e-6);
}

// Times that are no exact multiples: the whole rounds between them are still counted right.
TEST(RootMotionJob, CountsLoopsOfUnevenDurations) {
    for (const float duration : {0.1F, 0.3F, 0.7F}) {
        const std::vector<MadeTrack> keys = {{0, {{0.0F, {0, 0, 0}}, {duration, {0, 0, duration}}}, {}, {}}};
        const Loaded<ModelView> file(test::make_model(two_bones(), {{"a", duration, 0, kRootMotion | kLoop, keys}}));
        const RootMotionContext context = bound(file.view);
        for (int i = -100; i <= 100; ++i) {
            GroundMotion delta;
            const float to = 0.1F * static_cast<float>(i);
            ASSERT_EQ((RootMotionJob{.context = &context, .to_seconds = to, .delta = &delta}.run()), Status::Ok);
            EXPECT_NEAR(delta.z, to, 1e-5) << duration;  // a metre a second
        }
    }
}

// Key quaternions are normalised before they are interpolated; a bone whose root moves is keyed.
TEST(RootMotion, KeysNeedNotBeNormalised) {
    const Quatf end = about({0, 1, 0}, kPi / 2), longer{0, end.y * 5, 0, end.w * 5};
    const Loaded<ModelView> file(
        test::make_model(two_bones(), {{"turn", 1, 0, kRootMotion, {{0, {}, {{0.0F, {}}, {1.0F, longer}}, {}}}}}));
    expect_near(bound(file.view).at(0.5F), kPi / 4, 0, 0);
    BoneLocal root;
    bound(file.view).take_out(0.5F, root);
    EXPECT_EQ(root.is_keyed, 1U);
}

TEST(RootMotionJob, SaysWhatIsWrong) {
    const std::vector<MadeTrack> keys = {{1, {{0.0F, {0, 0, 0}}, {1.0F, {0, 0, 3}}}, {}, {}}};
    const std::vector<MadeBone> bones = {{-1, "A", "A", {}}, {-1, "B", "B", {}}};
    const Loaded<ModelView> file(test::make_model(bones, {{"a", 1, 1, kRootMotion | kLoop, keys}}));
    const RootMotionContext context = bound(file.view);
    GroundMotion delta;
    std::vector<BoneLocal> pose(2);
    EXPECT_EQ((RootMotionJob{.delta = &delta}.run()), Status::BadArgument);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        EXPECT_EQ((RootMotionJob{.context = &context, .from_seconds = bad, .delta = &delta}.run()), Status::NonFinite);
        EXPECT_EQ((RootMotionJob{.context = &context, .to_seconds = bad, .delta = &delta}.run()), Status::NonFinite);
    }
    EXPECT_EQ((RootMotionJob{.context = &context, .pose = std::span(pose).first(1)}.run()), Status::WrongSize);
    EXPECT_EQ((RootMotionJob{.context = &context, .pose = pose}.run()), Status::Ok);
    EXPECT_EQ((RootMotionJob{.context = &context, .to_seconds = 1e30F, .delta = &delta}.run()), Status::BadArgument);
    EXPECT_EQ((RootMotionJob{.context = &context, .loop_count = RootMotionJob::kMaxLoops, .delta = &delta}.run()), Status::Ok);
    EXPECT_EQ((RootMotionJob{.context = &context, .loop_count = -RootMotionJob::kMaxLoops - 1, .delta = &delta}.run()),
              Status::BadArgument);
    EXPECT_EQ((RootMotionJob{.context = &context, .loop_count = std::numeric_limits<std::int64_t>::min()}.run()),
              Status::BadArgument);
    // A root the model has not: only another file's clip can have one.
    const Loaded<MotionView> motion(test::make_motion({}, {{"m", 1, 2, kRootMotion, {}}}));
    RootMotionContext other;
    EXPECT_EQ(other.bind(file.view, motion.view.clip(0)), Status::BadBoneIndex);
    EXPECT_FALSE(other.is_effective());
}

// The definition in matrices, sampled here and not by the library.
struct Reference {
    MadeTrack keys;

    template <class Keys, class Mix>
    static auto at(const Keys& of, float time, const Mix& mix) {
        if (time <= of.front().first) return mix(of.front().second, of.front().second, 0.0);
        for (std::size_t i = 1; i < of.size(); ++i) {
            if (time <= of[i].first) {
                const double part = (static_cast<double>(time) - static_cast<double>(of[i - 1].first)) /
                                    (static_cast<double>(of[i].first) - static_cast<double>(of[i - 1].first));
                return mix(of[i - 1].second, of[i].second, part);
            }
        }
        return mix(of.back().second, of.back().second, 0.0);
    }
    static Vec3d vector(const Vec3f& a, const Vec3f& b, double part) {
        const auto wide = [](const Vec3f& v) {
            return Vec3d{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
        };
        return lerp(wide(a), wide(b), part);
    }
    static Quatd rotation(const Quatf& a, const Quatf& b, double part) {
        const auto wide = [](const Quatf& q) {
            return normalized(
                Quatd{static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z), static_cast<double>(q.w)});
        };
        return slerp(wide(a), wide(b), part);
    }
    [[nodiscard]] Transformd local(float time) const {
        return {at(keys.translations, time, vector), at(keys.rotations, time, rotation), at(keys.scales, time, vector)};
    }
    // M(t): the yaw as a matrix, then the way over the ground.
    [[nodiscard]] Mat4d ground(float time) const {
        const Transformd l = local(time);
        return to_matrix(
            Transformd{{l.translation.x, 0, l.translation.z}, normalized(Quatd{0, l.rotation.y, 0, l.rotation.w}), {1, 1, 1}});
    }
};

Mat4d inverted(const Mat4d& m) {
    Mat4d out;
    EXPECT_TRUE(inverse_affine(m, out));
    return out;
}

// What is left, times the motion composed from many deltas, is the clip going on and on.
TEST(RootMotionJob, RestTimesMotionIsTheClip) {
    double worst_metres = 0, worst_radians = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        test::Random random(seed);
        Reference reference;
        const float duration = random.number(0.2, 3);
        const auto times = [&](std::uint32_t count) {
            std::vector<float> out;
            for (std::uint32_t i = 0; i < count; ++i)
                out.push_back(duration * static_cast<float>(i + 1) / static_cast<float>(count + 1));
            if (random.below(2) == 0) out.front() = 0;
            if (random.below(2) == 0) out.back() = duration;
            return out;
        };
        for (const float t : times(2 + random.below(4)))
            reference.keys.translations.push_back({t, {random.number(-3, 3), random.number(0, 2), random.number(-3, 3)}});
        for (const float t : times(2 + random.below(4))) reference.keys.rotations.push_back({t, random.rotation()});
        for (const float t : times(2)) reference.keys.scales.push_back({t, {random.number(0.5, 2), 1, random.number(0.5, 2)}});
        const Loaded<ModelView> file(
            test::make_model(two_bones(), {{"clip", duration, 0, kRootMotion | kLoop, {reference.keys}}}));
        const RootMotionContext context = bound(file.view);

        const Mat4d circuit = inverted(reference.ground(0)) * reference.ground(duration);
        Mat4d rounds;  // circuit once a loop passed
        GroundMotion world;
        float within = 0;
        for (int step = 0; step < 60; ++step) {
            const auto to = static_cast<float>(random.between(0, static_cast<double>(duration)));
            const std::int64_t loops = static_cast<std::int64_t>(random.below(5)) - 2;
            std::vector<BoneLocal> pose(2);
            const Transformd sampled = reference.local(to);
            pose[0] = local(
                {static_cast<float>(sampled.translation.x), static_cast<float>(sampled.translation.y),
                 static_cast<float>(sampled.translation.z)},
                {static_cast<float>(sampled.rotation.x), static_cast<float>(sampled.rotation.y),
                 static_cast<float>(sampled.rotation.z), static_cast<float>(sampled.rotation.w)},
                {static_cast<float>(sampled.scale.x), static_cast<float>(sampled.scale.y), static_cast<float>(sampled.scale.z)});
            GroundMotion delta;
            const RootMotionJob job{.context = &context,
                                    .from_seconds = within,
                                    .to_seconds = to,
                                    .loop_count = loops,
                                    .pose = pose,
                                    .delta = &delta};
            ASSERT_EQ(job.run(), Status::Ok);
            world = delta * world;
            within = to;
            for (std::int64_t i = 0; i < (loops < 0 ? -loops : loops); ++i)
                rounds = (loops < 0 ? inverted(circuit) : circuit) * rounds;

            // rest * N(t) = local(t), and all rounds before stand on the right.
            const BoneLocal& left = pose[0];
            const Transformd rest{{static_cast<double>(left.translation.x), static_cast<double>(left.translation.y),
                                   static_cast<double>(left.translation.z)},
                                  {static_cast<double>(left.rotation.x), static_cast<double>(left.rotation.y),
                                   static_cast<double>(left.rotation.z), static_cast<double>(left.rotation.w)},
                                  {1, 1, 1}};
            Transformd rigid = sampled;
            rigid.scale = {1, 1, 1};
            const Mat4d found = to_matrix(rest) * to_matrix(world);
            const Mat4d wanted = to_matrix(rigid) * rounds;
            for (int i = 12; i < 15; ++i) worst_metres = std::max(worst_metres, std::fabs(found.m[i] - wanted.m[i]));
            for (int i = 0; i < 12; ++i) worst_radians = std::max(worst_radians, std::fabs(found.m[i] - wanted.m[i]));
            // The rest stands where the clip starts.
            const GroundMotion start = ground_motion(reference.local(0).rotation, reference.local(0).translation);
            EXPECT_NEAR(rest.translation.x, start.x, 1e-5);
            EXPECT_NEAR(rest.translation.z, start.z, 1e-5);
            const GroundMotion yaw = ground_motion(rest.rotation, {});
            EXPECT_NEAR(std::fabs(yaw.yaw_y * start.yaw_y + yaw.yaw_w * start.yaw_w), 1, 1e-5);
        }
    }
    EXPECT_LT(worst_metres, 1e-5);
    EXPECT_LT(worst_radians, 1e-5);
    RecordProperty("worst_metres", std::to_string(worst_metres));
    std::printf("worst: %.2e m, %.2e rad\n", worst_metres, worst_radians);
}

}  // namespace
}  // namespace gomkit::runtime
