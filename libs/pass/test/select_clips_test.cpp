#include <gomkit/pass/select_clips.hpp>

#include <gtest/gtest.h>

#include <gomkit/model/skeleton.hpp>

#include "clip_eval.hpp"

namespace gomkit::pass {
namespace {

using namespace test;
using core::Code;
using core::IssueId;

Clip moving(std::string name, NodeId bone, double duration = 1) {
    Clip clip;
    clip.name = std::move(name);
    clip.duration = duration;
    Track track;
    track.node = bone;
    track.translation = {{0, {0, 0, 0}, false}, {duration, {duration, 0, 0}, false}};
    clip.tracks.push_back(track);
    return clip;
}

Model with_clips(const std::vector<std::string>& names) {
    Model m;
    m.source.fps = 30;
    const NodeId bone = add_bone(m, "Bone", {}, {});
    for (const std::string& name : names) {
        m.clips.push_back(moving(name, bone));
    }
    return m;
}

std::vector<std::string> names_of(const Model& m) {
    std::vector<std::string> out;
    for (const Clip& clip : m.clips) {
        out.push_back(clip.name);
    }
    return out;
}

core::Result<void> select(Model& m, const ClipSelection& selection, core::Report* report = nullptr) {
    core::Report own;
    return select_clips(m, selection, {}, report != nullptr ? *report : own);
}

std::string message(const core::Result<void>& result) { return result ? std::string() : core::to_string(result.error()).substr(13); }  // without "error Usage: "

TEST(SelectClips, MatchesStarsAndQuestionMarksAgainstTheWholeName) {
    EXPECT_TRUE(matches_clip("*", ""));
    EXPECT_TRUE(matches_clip("Walk", "Walk"));
    EXPECT_FALSE(matches_clip("Walk", "Walking"));
    EXPECT_FALSE(matches_clip("walk", "Walk"));
    EXPECT_TRUE(matches_clip("W*k", "Walk"));
    EXPECT_TRUE(matches_clip("*a*a*", "banana"));
    EXPECT_FALSE(matches_clip("*a*a*a*a*", "banana"));
    EXPECT_TRUE(matches_clip("Run?", "Run1"));
    EXPECT_FALSE(matches_clip("Run?", "Run"));
    EXPECT_TRUE(matches_clip("?き", "歩き"));
    EXPECT_FALSE(matches_clip("??き", "歩き"));
    EXPECT_TRUE(matches_clip("Walk", "Armature|Walk"));
    EXPECT_TRUE(matches_clip("Walk", "Rig|Armature|Walk"));
    EXPECT_TRUE(matches_clip("Armature|*", "Armature|Walk"));
    EXPECT_FALSE(matches_clip("Armature", "Armature|Walk"));
}

TEST(SelectClips, TakesLongPatternsInReasonableTime) {
    std::string pattern;
    for (int i = 0; i < 500; ++i) {
        pattern += "a*";
    }
    EXPECT_FALSE(matches_clip(pattern + "b", std::string(20'000, 'a')));
}

TEST(SelectClips, KeepsWhatThePatternsNameInTheirOrder) {
    Model m = with_clips({"Armature|Walk", "Armature|Run", "Idle"});
    ClipSelection selection;
    selection.clips = {"Idle", "Walk"};
    ASSERT_TRUE(select(m, selection));
    EXPECT_EQ(names_of(m), (std::vector<std::string>{"Armature|Walk", "Idle"}));
}

TEST(SelectClips, SaysWhichClipsThereAreWhereAPatternNamesNone) {
    Model m = with_clips({"Walk", "Run"});
    ClipSelection selection;
    selection.clips = {"Walk", "Jump*"};
    const auto result = select(m, selection);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::Usage);
    EXPECT_EQ(message(result), "--clip 'Jump*' names no clip (the clips are: 'Walk', 'Run')");
    EXPECT_EQ(m.clips.size(), 2u);
}

TEST(SelectClips, KeepsBonesThatOnlyARemovedClipMoved) {
    // A door with a mesh is a bone because "Open" moves it.
    Model m;
    model::Node node;
    node.name = "Door";
    m.nodes.push_back(node);
    m.meshes.emplace_back();
    model::MeshInstance instance;
    instance.mesh = model::MeshId{0};
    instance.node = NodeId{0};
    m.instances.push_back(instance);
    m.clips.push_back(moving("Open", NodeId{0}));
    m.clips.push_back(moving("Idle", NodeId{0}));
    m.clips[1].tracks.clear();
    Model without = m;
    ClipSelection selection;
    selection.clips = {"Idle"};
    ASSERT_TRUE(select(m, selection));
    EXPECT_EQ(model::build_skeleton(m, {})->bones.size(), 1u);
    ASSERT_TRUE(remove_clips(without, {}));
    EXPECT_TRUE(without.clips.empty());
    EXPECT_EQ(model::build_skeleton(without, {})->bones.size(), 1u);
}

TEST(SelectClips, NamesClipsOfOneNameApartFirst) {
    Model m = with_clips({"Take", "Take", ""});
    core::Report report;
    ClipSelection selection;
    selection.clips = {"Take~2", "clip"};
    ASSERT_TRUE(select(m, selection, &report));
    EXPECT_EQ(names_of(m), (std::vector<std::string>{"Take~2", "clip"}));
    EXPECT_TRUE(report.has(IssueId::CLIP_RENAMED));
}

// covers GOM-CLP0-9
TEST(SelectClips, MarksLoopsAndWarnsWhereOneDoesNotClose) {
    Model m = with_clips({"Open", "Closed"});
    auto& closed = m.clips[1].tracks[0];
    closed.translation.back().value = {0, 0, 0};
    closed.rotation = {{0, about({0, 1, 0}, 1), false}, {0.5, {}, false}, {1, -about({0, 1, 0}, 1), false}};
    core::Report report;
    ClipSelection selection;
    selection.loops = {"Closed"};
    ASSERT_TRUE(select(m, selection, &report));
    EXPECT_FALSE(m.clips[0].loop);
    EXPECT_TRUE(m.clips[1].loop);
    EXPECT_FALSE(report.has(IssueId::CLIP_LOOP_OPEN));
    selection.loops = {"*"};
    ASSERT_TRUE(select(m, selection, &report));
    ASSERT_TRUE(report.has(IssueId::CLIP_LOOP_OPEN));
    EXPECT_EQ(report.issues()[0].text,
              "clip 'Open' loops, but the last key differs from the first in 1 channels, translation of 'Bone' first of all");
    selection.loops = {"Nope"};
    EXPECT_EQ(message(select(m, selection)), "--loop 'Nope' names no clip (the clips are: 'Open', 'Closed')");
}

TEST(ClipRange, ReadsItsParts) {
    const auto seconds = parse_clip_range("Walk=Take 001:0.5..1.25");
    ASSERT_TRUE(seconds);
    EXPECT_EQ(seconds->name, "Walk");
    EXPECT_EQ(seconds->source, "Take 001");
    EXPECT_EQ(seconds->times.begin, 0.5);
    EXPECT_EQ(seconds->times.end, 1.25);
    EXPECT_FALSE(seconds->times.frames);
    const auto frames = parse_clip_range("A=ns:rig|a=b:10f..40f");
    ASSERT_TRUE(frames);
    EXPECT_EQ(frames->source, "ns:rig|a=b");
    EXPECT_EQ(frames->times.end, 40);
    EXPECT_TRUE(frames->times.frames);
}

TEST(ClipRange, SaysWhatIsWrong) {
    const struct {
        const char* text;
        const char* problem;
    } rows[] = {
        {"Walk", "there is no '='"},
        {"Walk=Take", "there is no ':' after the clip's name"},
        {"a:b=Take", "there is no ':' after the clip's name"},
        {"=Take:0..1", "the new clip has no name"},
        {"Walk=:0..1", "the clip to cut has no name"},
        {"Walk=Take:0-1", "there is no '..' between two times"},
        {"Walk=Take:x..1", "the begin is not a number"},
        {"Walk=Take:0..", "the end is not a number"},
        {"Walk=Take:0..1s", "the end is not a number"},
        {"Walk=Take:0..inf", "the end is not a number"},
        {"Walk=Take:0..10f", "one time is in frames, the other in seconds"},
        {"Walk=Take:-1..1", "the begin is negative"},
        {"Walk=Take:2..1", "the end comes before the begin"},
    };
    for (const auto& row : rows) {
        const auto range = parse_clip_range(row.text);
        ASSERT_FALSE(range) << row.text;
        EXPECT_EQ(range.error().code, Code::Usage);
        EXPECT_EQ(range.error().what, "--clip-range '" + std::string(row.text) + "': " + row.problem);
    }
}

TEST(ClipRange, CutsWithKeysAtBothEndsAndMovesTimesToZero) {
    Model m = with_clips({"Take"});
    m.clips[0].source_start = 2;
    m.clips[0].loop = true;
    auto& track = m.clips[0].tracks[0];
    track.translation = {{0, {0, 0, 0}, false}, {0.5, {1, 0, 0}, false}, {1, {5, 0, 0}, false}};
    track.rotation = {{0, {}, false}, {1, about({0, 0, 1}, 1), false}};
    track.scale = {{0.75, {2, 2, 2}, false}};
    ClipSelection selection;
    selection.ranges = {*parse_clip_range("Part=Take:0.25..0.75")};
    ASSERT_TRUE(select(m, selection));
    ASSERT_EQ(names_of(m), (std::vector<std::string>{"Take", "Part"}));
    const Clip& part = m.clips[1];
    EXPECT_EQ(part.duration, 0.5);
    EXPECT_EQ(part.source_start, 2.25);
    EXPECT_FALSE(part.loop);
    const auto& t = part.tracks[0].translation;
    ASSERT_EQ(t.size(), 3u);
    EXPECT_EQ(t[0].time, 0);
    EXPECT_EQ(t[0].value.x, 0.5);
    EXPECT_EQ(t[1].time, 0.25);
    EXPECT_EQ(t[1].value.x, 1);
    EXPECT_EQ(t[2].time, 0.5);
    EXPECT_EQ(t[2].value.x, 3);
    const auto& r = part.tracks[0].rotation;
    ASSERT_EQ(r.size(), 2u);
    EXPECT_NEAR(r[0].value.z, std::sin(0.125), 1e-12);
    EXPECT_NEAR(r[1].value.z, std::sin(0.375), 1e-12);
    ASSERT_EQ(part.tracks[0].scale.size(), 1u);
    EXPECT_EQ(part.tracks[0].scale[0].value.x, 2);
}

TEST(ClipRange, CountsFramesAtTheSourcesRateFromTheClipsStart) {
    Model m = with_clips({"Take"});
    m.clips[0].source_start = 7;
    ClipSelection selection;
    selection.ranges = {*parse_clip_range("A=Take:3f..30f")};
    ASSERT_TRUE(select(m, selection));
    EXPECT_NEAR(m.clips[1].tracks[0].translation[0].value.x, 0.1, 1e-12);
    EXPECT_NEAR(m.clips[1].duration, 0.9, 1e-12);
    m.source.fps = 0;
    selection.ranges = {*parse_clip_range("B=Take:3f..30f")};
    EXPECT_EQ(message(select(m, selection)),
              "--clip-range 'B': the source has no frame rate to count frames with (give the range in seconds)");
}

TEST(ClipRange, KeepsStepsAlsoAtItsEnds) {
    Model m = with_clips({"Take"});
    auto& keys = m.clips[0].tracks[0].translation;
    keys = {{0, {1, 0, 0}, false}, {0.5, {1, 0, 0}, true}, {0.5, {2, 0, 0}, false}, {1, {2, 0, 0}, false}};
    const Clip source = m.clips[0];
    ClipSelection selection;
    selection.ranges = {*parse_clip_range("Over=Take:0.25..0.75"), *parse_clip_range("From=Take:0.5..1"), *parse_clip_range("Upto=Take:0.25..0.5")};
    ASSERT_TRUE(select(m, selection));
    const double begins[] = {0.25, 0.5, 0.25};
    for (std::size_t c = 0; c < 3; ++c) {
        const Clip& clip = m.clips[c + 1];
        for (int i = 0; i <= 100; ++i) {
            const double time = clip.duration * i / 100;
            EXPECT_EQ(value_at(clip.tracks[0].translation, time, Vec3{}).x, value_at(source.tracks[0].translation, begins[c] + time, Vec3{}).x)
                << clip.name << " " << time;
        }
    }
    EXPECT_TRUE(m.clips[1].tracks[0].translation[1].step_end);
}

TEST(ClipRange, ShowsTheSourceAtEveryTime) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> u(0, 1);
        Model m = with_clips({"Take"});
        Track& track = m.clips[0].tracks[0];
        track.translation.clear();
        const Swing swing(random, 2);
        for (double t = 0.3 * u(random); t < 1; t += 0.1 * u(random) + 0.01) {
            track.translation.push_back({t, {u(random), u(random), u(random)}, false});
            track.rotation.push_back({t, swing.at(t), false});
        }
        double a = u(random);
        double b = u(random);
        if (seed % 3 == 0) {
            a = track.translation[track.translation.size() / 3].time + 1e-12;  // a key but for rounding
        }
        if (a > b) {
            std::swap(a, b);
        }
        ClipSelection selection;
        selection.ranges = {{"Part", "Take", {a, b, false}}};
        ASSERT_TRUE(select(m, selection));
        const Track& part = m.clips[1].tracks[0];
        for (int i = 0; i <= 50; ++i) {
            const double time = (b - a) * i / 50;
            EXPECT_LT(length(value_at(part.translation, time, Vec3{}) - value_at(track.translation, a + time, Vec3{})), 1e-5);
            EXPECT_GT(std::fabs(dot(value_at(part.rotation, time, Quat{}), value_at(track.rotation, a + time, Quat{}))), 1 - 1e-9);
        }
        for (std::size_t i = 1; i < part.translation.size(); ++i) {
            EXPECT_GT(part.translation[i].time, part.translation[i - 1].time + 1e-9);
        }
    }
}

TEST(ClipRange, RefusesRangesBeyondTheClipNamesThatAreTakenAndUnknownClips) {
    Model m = with_clips({"Rig|Take", "Other|Take", "Solo"});
    const auto tried = [&](std::vector<std::string> texts) {
        ClipSelection selection;
        for (const std::string& text : texts) {
            selection.ranges.push_back(*parse_clip_range(text));
        }
        return message(select(m, selection));
    };
    EXPECT_EQ(tried({"A=Solo:0.5..1.5"}), "--clip-range 'A': the range does not lie within clip 'Solo': found 0.5 (frame 15) to 1.5 "
                                          "(frame 45) seconds, expected 0 to 1 (frame 30) seconds");
    EXPECT_EQ(tried({"Solo=Rig|Take:0..1"}), "--clip-range 'Solo': there is a clip of that name already (give the new clip another name)");
    EXPECT_EQ(tried({"A=Solo:0..1", "A=Solo:0..0.5"}), "--clip-range 'A': there is a clip of that name already (give the new clip another name)");
    EXPECT_EQ(tried({"A=Nope:0..1"}), "--clip-range 'A': there is no clip 'Nope' (the clips are: 'Rig|Take', 'Other|Take', 'Solo')");
    EXPECT_EQ(tried({"A=Take:0..1"}), "--clip-range 'A': 'Take' names 2 clips; give the whole name (the clips are: 'Rig|Take', 'Other|Take', 'Solo')");
    EXPECT_EQ(m.clips.size(), 3u);
    EXPECT_EQ(tried({"A=Solo:0..1.0000005"}), "");
    EXPECT_EQ(m.clips.back().duration, 1);
}

TEST(ClipRange, IsSelectedLikeAnyOtherClip) {
    Model m = with_clips({"Take"});
    ClipSelection selection;
    selection.ranges = {*parse_clip_range("A=Take:0..0.5"), *parse_clip_range("B=Take:0.5..1")};
    selection.clips = {"A", "B"};
    selection.loops = {"B"};
    ASSERT_TRUE(select(m, selection));
    EXPECT_EQ(names_of(m), (std::vector<std::string>{"A", "B"}));
    EXPECT_TRUE(m.clips[1].loop);
}

TEST(ClipTrim, ReadsItsParts) {
    const auto still = parse_clip_trim("Arm:Walk*");
    ASSERT_TRUE(still);
    EXPECT_EQ(still->clips, "Arm:Walk*");
    EXPECT_FALSE(still->times);
    const auto frames = parse_clip_trim("a:b..c:10f..40f");
    ASSERT_TRUE(frames);
    EXPECT_EQ(frames->clips, "a:b..c");
    ASSERT_TRUE(frames->times);
    EXPECT_EQ(frames->times->begin, 10);
    EXPECT_EQ(frames->times->end, 40);
    EXPECT_TRUE(frames->times->frames);
    for (const char* text : {"", ":0..1"}) {
        const auto none = parse_clip_trim(text);
        ASSERT_FALSE(none);
        EXPECT_EQ(none.error().what, "--trim '" + std::string(text) + "': no clip is named");
    }
    const auto backwards = parse_clip_trim("Walk:1..0.5");
    ASSERT_FALSE(backwards);
    EXPECT_EQ(backwards.error().what, "--trim 'Walk:1..0.5': the end comes before the begin");
}

TEST(ClipTrim, KeepsAPartOfClipsUnderTheirNames) {
    Model m = with_clips({"A", "Short", "B"});
    m.clips[0].loop = true;
    m.clips[1].duration = 0.1;
    ClipSelection selection;
    selection.clips = {"A", "B"};
    selection.trims = {*parse_clip_trim("*:0.25..0.75")};   // a clip that is left out is not cut
    ASSERT_TRUE(select(m, selection));
    ASSERT_EQ(names_of(m), (std::vector<std::string>{"A", "B"}));
    for (const Clip& clip : m.clips) {
        EXPECT_EQ(clip.duration, 0.5);
        EXPECT_FALSE(clip.loop);
        const auto& keys = clip.tracks[0].translation;
        ASSERT_EQ(keys.size(), 2u);
        EXPECT_EQ(keys[0].time, 0);
        EXPECT_EQ(keys[0].value.x, 0.25);
        EXPECT_EQ(keys[1].time, 0.5);
        EXPECT_EQ(keys[1].value.x, 0.75);
    }
    selection.trims = {*parse_clip_trim("B:0..0.6")};
    EXPECT_EQ(message(select(m, selection)), "--trim 'B': the range does not lie within clip 'B': found 0 (frame 0) to 0.6 "
                                             "(frame 18) seconds, expected 0 to 0.5 (frame 15) seconds");
    selection.trims = {*parse_clip_trim("Nope")};
    EXPECT_EQ(message(select(m, selection)), "--trim 'Nope' names no clip (the clips are: 'A', 'B')");
}

// A clip in which a bone stands until 0.25 and from 0.625 on, but for less than is seen.
Model standing() {
    Model m = with_clips({"Take"});
    Clip& clip = m.clips[0];
    clip.loop = true;
    clip.source_start = 2;
    Track& track = clip.tracks[0];
    track.translation = {{0, {}, false}, {0.25, {9e-6, 0, 0}, false}, {0.5, {1, 0, 0}, false}, {0.625, {2, 0, 0}, false}, {0.75, {2, 9e-6, 0}, false}, {1, {2, 0, 0}, false}};
    track.rotation = {{0, about({0, 1, 0}, 1), false}, {1, -about({0, 1, 0}, 1), false}};
    track.scale = {{0.5, {2, 2, 2}, false}};
    return m;
}

TEST(ClipTrim, CutsOffTheTimeInWhichNothingMoves) {
    Model m = standing();
    const Track source = m.clips[0].tracks[0];
    core::Report report;
    ClipSelection selection;
    selection.trims = {*parse_clip_trim("*")};
    ASSERT_TRUE(select(m, selection, &report));
    const Clip& clip = m.clips[0];
    EXPECT_EQ(clip.duration, 0.375);
    EXPECT_EQ(clip.source_start, 2.25);
    EXPECT_TRUE(clip.loop);
    ASSERT_EQ(clip.tracks[0].translation.size(), 3u);
    EXPECT_EQ(clip.tracks[0].rotation.size(), 2u);
    EXPECT_EQ(clip.tracks[0].scale.size(), 1u);
    for (int i = 0; i <= 30; ++i) {
        const double time = clip.duration * i / 30;
        EXPECT_NEAR(value_at(clip.tracks[0].translation, time, Vec3{}).x, value_at(source.translation, 0.25 + time, Vec3{}).x, 1e-12) << time;
    }
    ASSERT_EQ(report.issues().size(), 1u);
    EXPECT_EQ(report.issues()[0].text, "clip 'Take': nothing moves in its first 0.25 s and last 0.375 s; they were cut off");
    // Once more there is nothing to cut off.
    ASSERT_TRUE(select(m, selection, &report));
    EXPECT_EQ(m.clips[0].duration, 0.375);
    EXPECT_EQ(report.issues().size(), 1u);
}

TEST(ClipTrim, EveryChannelKeepsATimeThatItMovesIn) {
    ClipSelection selection;
    selection.trims = {*parse_clip_trim("Take")};
    Model turning = standing();
    turning.clips[0].tracks[0].rotation = {{0, {}, false}, {0.75, {}, false}, {0.875, about({0, 0, 1}, 3e-5), false}};
    ASSERT_TRUE(select(turning, selection));
    EXPECT_EQ(turning.clips[0].duration, 0.625);
    Model growing = standing();
    growing.clips[0].tracks[0].scale = {{0.125, {1, 1, 1}, false}, {0.5, {1, 2, 1}, false}};
    ASSERT_TRUE(select(growing, selection));
    EXPECT_EQ(growing.clips[0].duration, 0.5);
    Model talking = standing();
    talking.meshes.emplace_back().morphs.emplace_back().name = "Jaw";
    talking.clips[0].morph_tracks.push_back({model::MeshId{0}, 0, {{0.5, 0, false}, {1, 1, false}}});
    ASSERT_TRUE(select(talking, selection));
    EXPECT_EQ(talking.clips[0].duration, 0.75);
    EXPECT_EQ(talking.clips[0].morph_tracks[0].keys.back().time, 0.75);
}

TEST(ClipTrim, AClipBeginsBehindItsFirstJumpAndOneThatNeverMovesStays) {
    ClipSelection selection;
    selection.trims = {*parse_clip_trim("*")};
    Model m = standing();
    m.clips[0].tracks[0].translation = {{0, {}, false}, {0.25, {}, true}, {0.25, {1, 0, 0}, false}, {0.5, {3, 0, 0}, false}, {1, {3, 0, 0}, false}};
    ASSERT_TRUE(select(m, selection));
    EXPECT_EQ(m.clips[0].duration, 0.25);
    EXPECT_EQ(m.clips[0].tracks[0].translation.front().value.x, 1);
    EXPECT_EQ(m.clips[0].tracks[0].translation.back().value.x, 3);
    // A lone jump, and nothing at all, would leave no time.
    for (const double there : {1.0, 0.0}) {
        Model still = standing();
        still.clips[0].tracks[0].translation = {{0, {}, false}, {0.25, {}, true}, {0.25, {there, 0, 0}, false}};
        ASSERT_TRUE(select(still, selection));
        EXPECT_EQ(still.clips[0].duration, 1);
    }
}

}  // namespace
}  // namespace gomkit::pass
