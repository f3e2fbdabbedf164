#include <gomkit/pass/reduce_keys.hpp>

#include <chrono>
#include <cstdio>

#include <gtest/gtest.h>

#include "clip_eval.hpp"

namespace gomkit::pass {
namespace {

using namespace test;

std::vector<ReducedClip> reduce(Model& m, double millimetres, double radius = 0.1) {
    core::Report report;
    ReduceOptions options;
    options.millimetres = millimetres;
    options.radius = radius;
    auto out = reduce_keys(m, options, {}, report);
    EXPECT_TRUE(out) << (out ? "" : core::to_string(out.error()));
    return out ? *out : std::vector<ReducedClip>{};
}

Clip empty_clip(double duration) {
    Clip clip;
    clip.name = "Clip";
    clip.duration = duration;
    return clip;
}

// One bone at the origin whose translation goes through these (time, x) pairs.
Model sliding(std::vector<std::pair<double, double>> keys) {
    Model m;
    const NodeId bone = add_bone(m, "Bone", {}, {});
    Clip clip = empty_clip(keys.back().first);
    Track track;
    track.node = bone;
    for (const auto& [time, x] : keys) {
        track.translation.push_back({time, {x, 0, 0}, false});
    }
    clip.tracks.push_back(track);
    m.clips.push_back(clip);
    return m;
}

TEST(ReduceKeys, RemovesKeysOnALineAndKeepsTheCorner) {
    Model m = sliding({{0, 0}, {0.25, 0.25}, {0.5, 0.5}, {0.75, 0.25}, {1, 0}});
    const auto report = reduce(m, 0.1);
    const auto& keys = m.clips[0].tracks[0].translation;
    ASSERT_EQ(keys.size(), 3u);
    EXPECT_EQ(keys[1].time, 0.5);
    EXPECT_EQ(keys[1].value.x, 0.5);
    EXPECT_EQ(report[0].keys_before, 5u);
    EXPECT_EQ(report[0].keys_after, 3u);
    EXPECT_EQ(report[0].millimetres, 0);
    EXPECT_EQ(report[0].bone, "");
}

TEST(ReduceKeys, MeasuresByHandWhatALeftOutKeyMoves) {
    // Without its middle key the bone is 0.25 mm off at 0.5 s.
    for (const double bound : {0.2, 0.3}) {
        Model m = sliding({{0, 0}, {0.5, 0.50025}, {1, 1}});
        const auto report = reduce(m, bound);
        EXPECT_EQ(m.clips[0].tracks[0].translation.size(), bound < 0.25 ? 3u : 2u);
        EXPECT_NEAR(report[0].millimetres, bound < 0.25 ? 0 : 0.25, 1e-4);
        if (bound > 0.25) {
            EXPECT_EQ(report[0].bone, "Bone");
            EXPECT_EQ(report[0].time, 0.5);
        }
    }
}

TEST(ReduceKeys, FeelsATurnAtTheRadiusAndAtTheChildren) {
    // The middle key turns by 0.001 rad: 0.1 mm at 0.1 m, 2 mm at a child two metres away.
    for (const bool child : {false, true}) {
        Model m;
        const NodeId bone = add_bone(m, "Root", {}, {});
        if (child) {
            add_bone(m, "Tip", bone, {{0, 2, 0}, {}, {1, 1, 1}});
        }
        Clip clip = empty_clip(1);
        Track track;
        track.node = bone;
        track.rotation = {{0, {}, false}, {0.5, about({1, 0, 0}, 0.001), false}, {1, {}, false}};
        clip.tracks.push_back(track);
        m.clips.push_back(clip);
        Model kept = m;
        reduce(kept, child ? 1.9 : 0.09);
        EXPECT_EQ(kept.clips[0].tracks[0].rotation.size(), 3u);
        const auto report = reduce(m, child ? 2.6 : 0.2);  // with a child the whole sphere that it may reach is looked at
        EXPECT_EQ(m.clips[0].tracks[0].rotation.size(), 1u);
        EXPECT_NEAR(report[0].millimetres, child ? 2.1 : 0.1, child ? 0.005 : 0.001);
        EXPECT_EQ(report[0].bone, child ? "Root/Tip" : "Root");
    }
}

TEST(ReduceKeys, ZeroKeepsEveryKey) {
    Model m = sliding({{0, 0}, {0.25, 0}, {0.5, 0}, {1, 0}});
    const std::size_t before = key_count(m.clips[0]);
    reduce(m, 0);
    EXPECT_EQ(key_count(m.clips[0]), before);
}

TEST(ReduceKeys, KeepsBothEndsOfAStep) {
    Model m = sliding({{0, 0}, {0.5, 0}, {0.5, 1}, {0.75, 1}, {1, 1}});
    m.clips[0].tracks[0].translation[1].step_end = true;
    const Model before = m;
    reduce(m, 0.1);
    const auto& keys = m.clips[0].tracks[0].translation;
    ASSERT_EQ(keys.size(), 4u);
    EXPECT_TRUE(keys[1].step_end);
    EXPECT_EQ(keys[2].time, 0.5);
    std::mt19937 random(1);
    EXPECT_EQ(distance_between(m, before.clips[0], m.clips[0], dense_times(before.clips[0], 5, random), 0.1), 0);
}

TEST(ReduceKeys, KeepsTheStepsOfAClipReadFromAGom) {
    // A GOM has no marks for steps, only keys one float apart.
    Model m = sliding({{0, 0}, {static_cast<double>(std::nextafter(0.5f, 0.0f)), 1e-5}, {0.5, 2e-5}, {1, 3e-5}});
    m.gom.emplace();
    m.clips[0].tracks[0].translation.back().value.x = 1;
    reduce(m, 0.1);
    EXPECT_EQ(m.clips[0].tracks[0].translation.size(), 4u);
}

TEST(ReduceKeys, MakesOneKeyOfAChannelThatStaysWithinTheBound) {
    Model m = sliding({{0, 2}, {0.5, 2.00005}, {1, 2}});
    reduce(m, 0.1);
    const auto& keys = m.clips[0].tracks[0].translation;
    ASSERT_EQ(keys.size(), 1u);
    EXPECT_EQ(keys[0].time, 0);
    EXPECT_EQ(keys[0].value.x, 2);
}

TEST(ReduceKeys, LetsTheLastKeyOfALoopEqualTheFirst) {
    Model m = sliding({{0, 1}, {0.25, 2}, {0.5, 2.99999}, {0.75, 2}, {1, 1}});
    m.clips[0].loop = true;
    reduce(m, 0.1);
    const auto& keys = m.clips[0].tracks[0].translation;
    EXPECT_EQ(keys.front().value, keys.back().value);
    EXPECT_EQ(keys.back().time, 1);
}

TEST(ReduceKeys, CountsTheWritersDroppingOfALoneKeyNearTheBind) {
    // At 1,000 m a lone key within 1 mm of the bind value is not written at all; the bound says that these may not become one.
    Model m;
    const NodeId bone = add_bone(m, "Far", {}, {{1000.0008, 0, 0}, {}, {1, 1, 1}});
    Clip clip = empty_clip(1);
    Track track;
    track.node = bone;
    track.translation = {{0, {1000, 0, 0}, false}, {0.5, {1000.00005, 0, 0}, false}, {1, {1000, 0, 0}, false}};
    clip.tracks.push_back(track);
    m.clips.push_back(clip);
    const auto report = reduce(m, 0.1);
    EXPECT_GE(m.clips[0].tracks[0].translation.size(), 2u);
    EXPECT_LE(report[0].millimetres, 0.1);
}

TEST(ReduceKeys, RefusesBoundsThatAreNone) {
    for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
        Model m = sliding({{0, 0}, {1, 1}});
        core::Report report;
        ReduceOptions options;
        options.millimetres = bad;
        const auto out = reduce_keys(m, options, {}, report);
        ASSERT_FALSE(out);
        EXPECT_EQ(out.error().code, core::Code::Usage);
    }
}

// A tree of bones with smooth and abrupt motion in every channel.
Model random_model(std::mt19937& random, int bones, int frames, double root_at, double root_scale) {
    Model m;
    std::uniform_real_distribution<double> u(-1, 1);
    Clip clip = empty_clip(frames / 30.0);
    for (int b = 0; b < bones; ++b) {
        NodeId parent;
        if (b > 0) {
            parent.value = static_cast<std::uint32_t>(std::max(0, b - 1 - static_cast<int>(random() % 3)));
        }
        Transform rest;
        const double unit_length = b == 0 ? 1 : 0.3 / root_scale;
        rest.translation = Vec3{u(random), u(random), u(random)} * unit_length + (b == 0 ? Vec3{root_at, 0, 0} : Vec3{});
        rest.rotation = about({u(random), u(random), 1}, u(random));
        rest.scale = b == 0 ? Vec3{root_scale, root_scale, root_scale} : Vec3{1, 1, 1};
        const NodeId bone = add_bone(m, "Bone" + std::to_string(b), parent, rest);
        Track track;
        track.node = bone;
        const Swing swing(random, b % 4 == 3 ? 0.0001 : 0.7);
        const bool moves = b == 0 || random() % 5 == 0;
        const bool scales = random() % 4 == 0;
        const bool steps = random() % 6 == 0;
        for (int f = 0; f <= frames; ++f) {
            const double t = f / 30.0;
            if (random() % 7 != 0 || f == 0) {  // irregular here and there
                track.rotation.push_back({t + (f < frames && random() % 9 == 0 ? 0.01 : 0), runtime::multiply(rest.rotation, swing.at(t)), false});
            }
            if (moves) {
                const double amount = b == 0 ? 0.001 : 0.2 / root_scale;
                track.translation.push_back({t, rest.translation + Vec3{std::sin(3 * t), 0.5 * std::sin(t), t} * amount, false});
            }
            if (scales) {
                const double g = steps ? (f / 10) % 2 : std::sin(t);
                track.scale.push_back({t, rest.scale * (1 + 0.2 * g), false});
            }
        }
        if (scales && steps) {
            for (std::size_t i = 10; i + 1 < track.scale.size(); i += 10) {
                track.scale[i - 1].time = track.scale[i].time;
                track.scale[i - 1].step_end = true;
            }
        }
        clip.tracks.push_back(track);
    }
    m.clips.push_back(clip);
    return m;
}

TEST(ReduceKeys, NeverPassesItsBoundOnRandomClips) {
    const struct {
        double at;
        double scale;
    } worlds[] = {{0, 1}, {1000, 1}, {0, 200}, {1000, 200}, {0, 0.01}};
    std::size_t before = 0;
    std::size_t after = 0;
    for (const auto& world : worlds) {
        for (unsigned seed = 0; seed < 6; ++seed) {
            std::mt19937 random(seed);
            Model m = random_model(random, 12, 45, world.at, world.scale);
            const Clip original = m.clips[0];
            const double bound = seed % 3 == 0 ? 0.1 : seed % 3 == 1 ? 1 : 20;
            const auto report = reduce(m, bound);
            const std::vector<double> times = dense_times(original, 7, random);
            const double measured = distance_between(m, original, m.clips[0], times, 0.1) * 1000;
            EXPECT_LE(measured, bound) << world.at << " " << world.scale << " " << seed;
            EXPECT_NEAR(measured, report[0].millimetres, 0.02 * bound + 1e-6);
            // The writer leaves out lone keys at the bind value, and adds some where the rest pose is not quite the rounded bind.
            EXPECT_NEAR(static_cast<double>(report[0].keys_after), static_cast<double>(key_count(m.clips[0])), 6);
            before += key_count(original);
            after += key_count(m.clips[0]);
        }
    }
    std::printf("random clips: %zu keys, %zu left\n", before, after);
    EXPECT_LT(after, before * 3 / 4);
}

TEST(ReduceKeys, HoldsItsBoundBetweenKeysThatTurnFar) {
    // Keys 90 degrees apart: the largest distances lie between key times.
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> u(-1, 1);
        Model m;
        NodeId parent;
        Clip clip = empty_clip(4);
        for (int b = 0; b < 4; ++b) {
            parent = add_bone(m, "B" + std::to_string(b), parent, {{0, b == 0 ? 0.0 : 0.4, 0}, {}, {1, 1, 1}});
            Track track;
            track.node = parent;
            const Vec3 axis{u(random), u(random), u(random) + 2};
            double angle = 0;
            for (int k = 0; k <= 12; ++k) {
                track.rotation.push_back({k / 3.0, about(axis + Vec3{u(random), 0, 0} * 0.002, angle), false});
                track.translation.push_back({k / 3.0, {u(random) * 0.002, b == 0 ? 0.0 : 0.4, 0}, false});
                angle += 1.5 + 0.01 * u(random);
            }
            clip.tracks.push_back(track);
        }
        m.clips.push_back(clip);
        const double bound = 2 + seed;
        reduce(m, bound);
        const double measured = distance_between(m, clip, m.clips[0], dense_times(clip, 60, random), 0.1) * 1000;
        EXPECT_LE(measured, bound) << seed;
    }
}

TEST(ReduceKeys, DoesNotDependOnThreadsAndIsFastEnough) {
    std::mt19937 random(7);
    Model m = random_model(random, 60, 450, 0, 1);
    m.clips.push_back(m.clips[0]);
    Model other = m;
    const auto begin = std::chrono::steady_clock::now();
    const auto report = reduce(m, 0.1);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 2;
    std::printf("60 bones x 450 frames: %.2f s a clip, %llu keys, %llu left\n", seconds, static_cast<unsigned long long>(report[0].keys_before),
                static_cast<unsigned long long>(report[0].keys_after));
    core::Report unused;
    ReduceOptions options;
    options.jobs = 2;
    ASSERT_TRUE(reduce_keys(other, options, {}, unused));
    for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t t = 0; t < m.clips[c].tracks.size(); ++t) {
            EXPECT_EQ(m.clips[c].tracks[t].rotation.size(), other.clips[c].tracks[t].rotation.size());
            EXPECT_EQ(m.clips[c].tracks[t].translation.size(), other.clips[c].tracks[t].translation.size());
        }
    }
    EXPECT_LT(seconds, 20);  // a bound against the wrong order of growth, not a measurement
}

TEST(ReduceKeys, KeepsAClipWhoseKeyTimesAreTooManyToCheck) {
    Model m;
    std::mt19937 random(3);
    Clip clip = empty_clip(1);
    for (int b = 0; b < 400; ++b) {
        const NodeId bone = add_bone(m, "B" + std::to_string(b), {}, {});
        Track track;
        track.node = bone;
        for (int k = 0; k < 150; ++k) {
            track.translation.push_back({(k + b / 400.0) / 150, {1.0 * k, 0, 0}, false});
        }
        clip.tracks.push_back(track);
    }
    m.clips.push_back(clip);
    core::Report report;
    ASSERT_TRUE(reduce_keys(m, {}, {}, report));
    EXPECT_TRUE(report.has(core::IssueId::CLIP_NOT_REDUCED));
    EXPECT_EQ(key_count(m.clips[0]), 60'000u);
}

}  // namespace
}  // namespace gomkit::pass
