#include <gomkit/pass/root_motion.hpp>

#include <gtest/gtest.h>

#include "clip_eval.hpp"

namespace gomkit::pass {
namespace {

using namespace test;
using core::Code;

std::vector<RootMotionClip> take_out(Model& m, const std::string& root = {}) {
    core::Report report;
    auto out = apply_root_motion(m, {RootMotionMode::InPlace, root}, {}, report);
    EXPECT_TRUE(out) << (out ? "" : core::to_string(out.error()));
    EXPECT_EQ(report.issues().size(), 0u);
    return out ? *out : std::vector<RootMotionClip>{};
}

std::string refused(Model m, RootMotionMode mode, const std::string& root) {
    core::Report report;
    const auto out = apply_root_motion(m, {mode, root}, {}, report);
    EXPECT_FALSE(out);
    if (!out) {
        EXPECT_EQ(out.error().code, Code::Usage);
    }
    return out ? std::string() : core::to_string(out.error()).substr(13);  // without "error Usage: "
}

Clip clip_of(double duration, std::vector<Track> tracks) {
    Clip clip;
    clip.name = "Walk";
    clip.duration = duration;
    clip.tracks = std::move(tracks);
    return clip;
}

// What the documentation says N(t) is.
Mat4 motion_at(const RootMotionClip& clip, double time) {
    std::size_t i = 0;
    while (i + 2 < clip.samples.size() && clip.samples[i + 1].time <= time) {
        ++i;
    }
    RootMotionSample s = clip.samples[i];
    if (i + 1 < clip.samples.size()) {
        const RootMotionSample& b = clip.samples[i + 1];
        const double part = std::min(1.0, (time - s.time) / (b.time - s.time));
        s = {time, s.x + (b.x - s.x) * part, s.z + (b.z - s.z) * part, s.yaw + (b.yaw - s.yaw) * part};
    }
    Mat4 back;
    back.m[12] = -clip.start.x;
    back.m[14] = -clip.start.z;
    Mat4 turn;
    turn.m[0] = std::cos(s.yaw);
    turn.m[2] = -std::sin(s.yaw);
    turn.m[8] = std::sin(s.yaw);  // +Z turns towards +X
    turn.m[10] = std::cos(s.yaw);
    Mat4 go;
    go.m[12] = clip.start.x + s.x;
    go.m[14] = clip.start.z + s.z;
    return back * turn * go;
}

double rotation_angle(const Mat4& a, const Mat4& b) {
    double most = 0;  // chord of the axes, no less than the angle's sine-ish; fine for small ones
    for (std::size_t r = 0; r < 3; ++r) {
        const Vec3 d{a.m[4 * r] - b.m[4 * r], a.m[4 * r + 1] - b.m[4 * r + 1], a.m[4 * r + 2] - b.m[4 * r + 2]};
        most = std::max(most, length(d));
    }
    return most;
}

void expect_composes(const Model& before, const Model& after, const std::vector<RootMotionClip>& motion, std::size_t node, unsigned seed) {
    std::mt19937 random(seed);
    for (std::size_t c = 0; c < before.clips.size(); ++c) {
        std::vector<double> times = dense_times(before.clips[c], 6, random);
        const std::vector<double> more = dense_times(after.clips[c], 2, random);
        times.insert(times.end(), more.begin(), more.end());
        const Mat4 at_zero = local_at(before, before.clips[c], node, 0);
        const Vec3 start{at_zero.m[12], 0, at_zero.m[14]};
        for (const double exact : times) {
            const double time = narrow(exact);  // what a sampler is given
            const Mat4 original = local_at(before, before.clips[c], node, time);
            const Mat4 in_place = local_at(after, after.clips[c], node, time);
            const Mat4 composed = in_place * motion_at(motion[c], time);
            EXPECT_LT(length(Vec3{original.m[12] - composed.m[12], original.m[13] - composed.m[13], original.m[14] - composed.m[14]}), 1e-5) << time;
            EXPECT_LT(rotation_angle(original, composed), 1e-4) << time;
            EXPECT_LT(std::fabs(in_place.m[12] - start.x) + std::fabs(in_place.m[14] - start.z), 1e-6);
        }
    }
}

TEST(RootMotion, TakesAStraightWalkOut) {
    Model m;
    const NodeId root = add_bone(m, "Root", {}, {});
    Track track;
    track.node = root;
    track.translation = {{0, {1, 0.9, 2}, false}, {0.5, {1, 1, 3}, false}, {1, {2, 0.9, 4}, false}};
    m.clips.push_back(clip_of(1, {track}));
    const Model before = m;
    const auto motion = take_out(m);
    const auto& keys = m.clips[0].tracks[0].translation;
    ASSERT_EQ(keys.size(), 3u);
    EXPECT_EQ(keys[1].value, (Vec3{1, 1, 2}));
    EXPECT_EQ(keys[2].value, (Vec3{1, narrow(0.9), 2}));
    ASSERT_EQ(motion.size(), 1u);
    EXPECT_EQ(motion[0].bone, "Root");
    ASSERT_EQ(motion[0].samples.size(), 3u);
    EXPECT_EQ(motion[0].samples[0].z, 0);
    EXPECT_EQ(motion[0].samples[1].z, 1);
    EXPECT_EQ(motion[0].samples[2].x, 1);
    EXPECT_EQ(motion[0].start.x, 1);
    expect_composes(before, m, motion, 0, 1);
}

TEST(RootMotion, SeveralMovingRootsAreReportedUnlessOneIsNamed) {
    Model m;
    Clip clip = clip_of(1, {});
    for (const char* name : {"Camera", "Prop", "Root"}) {
        Track track;
        track.node = add_bone(m, name, {}, {});
        track.translation = {{0, {0, 0, 0}, false}};
        if (name != std::string("Camera")) {
            track.translation.push_back({1, {0, 0, 1}, false});
        }
        clip.tracks.push_back(track);
    }
    m.clips.push_back(clip);
    Model named = m;
    core::Report report;
    const auto out = apply_root_motion(m, {RootMotionMode::InPlace, {}}, {}, report);
    ASSERT_TRUE(out);
    EXPECT_EQ(out->at(0).bone, "Prop");
    ASSERT_EQ(report.issues().size(), 1u);
    EXPECT_EQ(report.issues()[0].id, core::IssueId::CLIP_ROOTS);
    EXPECT_EQ(report.issues()[0].arguments, (std::vector<std::pair<std::string, std::string>>{{"count", "2"}, {"bone", "Prop"}, {"other", "Root"}}));

    EXPECT_EQ(take_out(named, "Root").at(0).bone, "Root");   // and nothing is reported
}

TEST(RootMotion, TurnsPositivelyFromForwardToRight) {
    Model m;
    const NodeId root = add_bone(m, "Root", {}, {});
    Track track;
    track.node = root;
    // A quarter turn that takes +Z to +X, in four keys.
    for (int i = 0; i <= 4; ++i) {
        track.rotation.push_back({i / 4.0, about({0, 1, 0}, 1.5707963267948966 * i / 4), false});
    }
    m.clips.push_back(clip_of(1, {track}));
    const Vec3 forward = transform_vector(Vec3{0, 0, 1}, local_at(m, m.clips[0], 0, 1));
    EXPECT_NEAR(forward.x, 1, 1e-6);
    const Model before = m;
    const auto motion = take_out(m);
    EXPECT_NEAR(motion[0].samples.back().yaw, 1.5707963, 1e-6);
    EXPECT_EQ(m.clips[0].tracks[0].rotation.size(), 1u);  // upright all the time
    for (const auto& key : m.clips[0].tracks[0].rotation) {
        EXPECT_NEAR(key.value.w, 1, 1e-7);
    }
    expect_composes(before, m, motion, 0, 1);
}

TEST(RootMotion, CountsYawBeyondAFullTurn) {
    Model m;
    const NodeId root = add_bone(m, "Root", {}, {});
    Track track;
    track.node = root;
    for (int i = 0; i <= 20; ++i) {
        track.rotation.push_back({i / 20.0, about({0, 1, 0}, i), false});
    }
    m.clips.push_back(clip_of(1, {track}));
    EXPECT_NEAR(take_out(m)[0].samples.back().yaw, 20, 1e-5);
}

TEST(RootMotion, GivesTheOriginalWhenComposedWithTheRest) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> u(-1, 1);
        Model m;
        const NodeId root = add_bone(m, "Root", {}, {{0, 1, 0}, about({1, u(random), 0}, seed % 2 == 0 ? 0 : 1), {1, 1, 1}});
        const NodeId hips = add_bone(m, "Hips", root, {{0, 1, 0}, {}, {1, 1, 1}});
        for (int c = 0; c < 2; ++c) {
            const Swing lean(random, 0.8);
            const Swing nod(random, 0.5);
            Track track;
            track.node = root;
            const double far = seed % 3 == 0 ? 50 : 1;
            const double rate = seed % 4 == 0 ? 4 : 30;
            for (int f = 0; f <= 2 * rate; ++f) {
                const double t = f / rate;
                track.translation.push_back({t, {far + 2 * t, std::sin(5 * t), far * u(random) * (seed == 5 ? 1 : 0) - 3 * t}, false});
                track.rotation.push_back({t, runtime::multiply(about({0, 1, 0}, 3 * t), runtime::multiply(lean.at(t), nod.at(t))), false});
            }
            Track other;
            other.node = hips;
            other.rotation = {{0, {}, false}, {1, about({1, 0, 0}, 1), false}};
            m.clips.push_back(clip_of(2, {track, other}));
            m.clips.back().name = "Clip" + std::to_string(c);
        }
        const Model before = m;
        const auto motion = take_out(m);
        ASSERT_EQ(motion.size(), 2u);
        expect_composes(before, m, motion, 0, seed);
        EXPECT_EQ(m.clips[0].tracks[1].rotation.size(), 2u);
        EXPECT_LT(key_count(m.clips[0]), 12'000u);
    }
}

TEST(RootMotion, KeepsSteps) {
    Model m;
    const NodeId root = add_bone(m, "Root", {}, {});
    Track track;
    track.node = root;
    track.translation = {{0, {}, false}, {0.5, {}, true}, {0.5, {3, 0, 1}, false}, {1, {3, 1, 1}, false}};
    track.rotation = {{0, {}, false}, {0.25, {}, true}, {0.25, about({0.3, 1, 0}, 2), false}, {1, about({0, 1, 0}, 2), false}};
    m.clips.push_back(clip_of(1, {track}));
    const Model before = m;
    expect_composes(before, m, take_out(m), 0, 3);
}

TEST(RootMotion, UndoesWhatStandsAboveTheRootBone) {
    // A static node above the root that the writer folds into it: turned and scaled by 0.01.
    Model m;
    model::Node top;
    top.name = "Armature";
    top.rest = {{0, 2, 0}, about({1, 0, 0}, -1.5707963267948966), {0.01, 0.01, 0.01}};
    top.bind_local = runtime::to_matrix(top.rest);
    m.nodes.push_back(top);
    const NodeId root = add_bone(m, "Root", NodeId{0}, {});
    Track track;
    track.node = root;
    for (int i = 0; i <= 10; ++i) {
        track.translation.push_back({i / 10.0, {100.0 * i, 20.0 * i, 30.0 * i}, false});
        track.rotation.push_back({i / 10.0, about({0.2, 0.1, 1}, i * 0.2), false});
    }
    m.clips.push_back(clip_of(1, {track}));
    const Model before = m;
    const auto motion = take_out(m);
    const Mat4 above = runtime::to_matrix(top.rest);
    for (int i = 0; i <= 40; ++i) {
        const double t = i / 40.0;
        const Mat4 original = local_at(before, before.clips[0], 1, t) * above;
        const Mat4 composed = local_at(m, m.clips[0], 1, t) * above * motion_at(motion[0], t);
        EXPECT_LT(length(Vec3{original.m[12] - composed.m[12], original.m[13] - composed.m[13], original.m[14] - composed.m[14]}), 1e-5);
        EXPECT_LT(rotation_angle(original, composed), 1e-4 * 0.01);  // rows have the length 0.01
    }
}

TEST(RootMotion, OnlySetsTheFlagWithFlagAndNothingWithKeep) {
    Model m;
    const NodeId root = add_bone(m, "Root", {}, {});
    Track track;
    track.node = root;
    track.translation = {{0, {}, false}, {1, {1, 0, 0}, false}};
    m.clips.push_back(clip_of(1, {track}));
    core::Report report;
    const auto nothing = apply_root_motion(m, {RootMotionMode::Keep, "anything"}, {}, report);
    ASSERT_TRUE(nothing);
    EXPECT_FALSE(m.clips[0].has_root_motion);
    const auto flagged = apply_root_motion(m, {RootMotionMode::Flag, {}}, {}, report);
    ASSERT_TRUE(flagged);
    EXPECT_TRUE(flagged->empty());
    EXPECT_TRUE(m.clips[0].has_root_motion);
    EXPECT_EQ(m.clips[0].root, root);
    EXPECT_EQ(m.clips[0].tracks[0].translation[1].value.x, 1);
    take_out(m);
    EXPECT_FALSE(m.clips[0].has_root_motion);
}

TEST(RootMotion, FindsTheRootByPathNameOrItself) {
    Model m;
    add_bone(m, "A", {}, {});
    const NodeId b = add_bone(m, "B", {}, {});
    const NodeId hips = add_bone(m, "Hips", b, {});
    add_bone(m, "Hips", hips, {});
    Track still;
    still.node = NodeId{0};
    Track track;
    track.node = b;
    track.translation = {{0, {}, false}, {1, {1, 0, 0}, false}};
    m.clips.push_back(clip_of(1, {still, track}));
    Model copy = m;
    EXPECT_EQ(take_out(copy)[0].bone, "B");
    copy = m;
    EXPECT_EQ(take_out(copy, "A")[0].bone, "A");
    EXPECT_EQ(copy.clips[0].tracks[1].translation.size(), 2u);
    EXPECT_EQ(refused(m, RootMotionMode::Flag, "Hips"), "--root: 2 bones are called 'Hips' (give the path of one: 'B/Hips', 'B/Hips/Hips')");
    EXPECT_EQ(refused(m, RootMotionMode::Flag, "B/Hips"),
              "--root: 'B/Hips' hangs below 'B': expected a bone without parent (bones without parent: 'A', 'B')");
    EXPECT_EQ(refused(m, RootMotionMode::InPlace, "C"), "--root: there is no bone 'C' (bones without parent: 'A', 'B')");
    m.clips[0].tracks.pop_back();
    EXPECT_EQ(refused(m, RootMotionMode::InPlace, ""),
              "--root-motion: no clip moves a bone without parent (animate the topmost bone in the source, or name one with --root; bones without "
              "parent: 'A', 'B')");
}

TEST(RootMotion, WarnsWhereTheRootTipsOver) {
    Model m;
    const NodeId root = add_bone(m, "Root", {}, {});
    Track track;
    track.node = root;
    // A forward roll that is a hair's breadth off: upside down the heading turns round at once.
    track.rotation = {{0, {}, false}, {0.5, about({1, 1e-7, 0}, 2.5), false}, {1, about({1, 1e-7, 0}, 4), false}};
    m.clips.push_back(clip_of(1, {track}));
    core::Report report;
    ASSERT_TRUE(apply_root_motion(m, {RootMotionMode::InPlace, {}}, {}, report));
    EXPECT_TRUE(report.has(core::IssueId::CLIP_ROOT_YAW));
    EXPECT_LT(key_count(m.clips[0]), 1000u);
}

TEST(RootMotion, StopsAtTheLimitOfKeys) {
    Model m;
    const NodeId root = add_bone(m, "Root", {}, {});
    Track track;
    track.node = root;
    track.rotation = {{0, {}, false}, {1, about({1, 1, 1}, 2.5), false}};
    m.clips.push_back(clip_of(1, {track}));
    core::Report report;
    core::Limits limits;
    limits.max_keys_per_clip = 10;
    const auto out = apply_root_motion(m, {RootMotionMode::InPlace, {}}, limits, report);
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().code, Code::LimitExceeded);
    EXPECT_EQ(m.clips[0].tracks[0].rotation.size(), 2u);
}

TEST(RootMotion, WritesJsonToTheByte) {
    RootMotionClip clip;
    clip.clip = "Walk \"fast\"";
    clip.bone = "Root";
    clip.duration = 0.5;
    clip.start = {0, 1, -2.5, 0.1};
    clip.samples = {{0, 0, 0, 0}, {0.5, 0.25, 1e-9, 3}};
    EXPECT_EQ(root_motion_json(std::span(&clip, 1)), R"({
  "rootMotion": 1,
  "clips": [
    {
      "name": "Walk \"fast\"",
      "bone": "Root",
      "duration": 0.5,
      "start": [1, -2.5, 0.1],
      "columns": ["time", "x", "z", "yaw"],
      "samples": [
        [0, 0, 0, 0],
        [0.5, 0.25, 1e-09, 3]
      ]
    }
  ]
}
)");
    EXPECT_EQ(root_motion_json({}), "{\n  \"rootMotion\": 1,\n  \"clips\": []\n}\n");
}

}  // namespace
}  // namespace gomkit::pass
