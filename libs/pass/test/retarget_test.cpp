#include <gomkit/pass/retarget_clips.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include "rigs.hpp"

namespace gomkit::pass {
namespace {

using namespace test;
using core::IssueId;

struct Outcome {
    SkeletonMap map;
    Retargeted result;
    core::Report report;
    [[nodiscard]] const Clip& clip() const { return result.clips.at(0); }
};

Outcome retarget(const Model& source, const Model& target, const core::Limits& limits = {}) {
    Outcome out;
    auto map = map_skeleton(source, target, {});
    if (!map) {
        ADD_FAILURE() << core::to_string(map.error());
        return out;
    }
    out.map = std::move(*map);
    auto result = retarget_clips(source, target, out.map, limits, out.report);
    if (!result) {
        ADD_FAILURE() << core::to_string(result.error());
        return out;
    }
    out.result = std::move(*result);
    return out;
}

template <class T>
bool same_keys(const std::vector<Key<T>>& a, const std::vector<Key<T>>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Key<T>& x, const Key<T>& y) { return x.time == y.time && x.value == y.value && x.step_end == y.step_end; });
}

void expect_same_tracks(const Clip& a, const Clip& b) {
    ASSERT_EQ(a.tracks.size(), b.tracks.size());
    for (std::size_t i = 0; i < a.tracks.size(); ++i) {
        EXPECT_EQ(a.tracks[i].node, b.tracks[i].node);
        EXPECT_TRUE(same_keys(a.tracks[i].translation, b.tracks[i].translation)) << i;
        EXPECT_TRUE(same_keys(a.tracks[i].rotation, b.tracks[i].rotation)) << i;
        EXPECT_TRUE(same_keys(a.tracks[i].scale, b.tracks[i].scale)) << i;
    }
}

const Track* track_of(const Model& m, const Clip& clip, const std::string& name) {
    for (const Track& t : clip.tracks) {
        if (m.nodes[t.node.value].name == name) {
            return &t;
        }
    }
    return nullptr;
}

// Largest posture error (percent of the height): bone lengths set aside.
double posture_error(const Model& source, const Model& target, const Outcome& o) {
    return largest(end_bone_distances(source, source.clips[0], target, o.clip(), o.map, 200, CompareWith::TargetLengths)).percent;
}

TEST(Retarget, KeepsEveryBitOnTheSameSkeleton) {
    Model source = figure();
    add_motion(source);
    source.clips[0].tracks[3].rotation[2].step_end = true;
    source.clips[0].tracks[3].rotation[3].time = source.clips[0].tracks[3].rotation[2].time;
    Model target = figure();
    const Outcome o = retarget(source, target);
    expect_same_tracks(o.clip(), source.clips[0]);
    EXPECT_EQ(o.result.rule, RetargetRule::SamePosture);
    EXPECT_EQ(o.result.size_ratio, 1);
    EXPECT_EQ(o.result.copied, 11u);
    EXPECT_EQ(o.result.turned + o.result.resampled, 0u);
    EXPECT_EQ(o.clip().name, "Walk");
    EXPECT_EQ(o.clip().duration, 1);
    EXPECT_EQ(o.clip().source_start, 0.25);
    EXPECT_TRUE(o.clip().loop);
    EXPECT_TRUE(o.clip().has_root_motion);
    EXPECT_EQ(o.clip().root.value, 0u);
    EXPECT_TRUE(o.report.issues().empty());
}

TEST(Retarget, KeepsStoredKeysBetweenTwoGomsOfTheSameBones) {
    Model source = figure();
    add_motion(source);
    source.gom.emplace();
    Clip& stored = source.clips[0];
    stored.final_keys = true;
    for (auto& key : stored.tracks[3].rotation) {
        key.value = narrow(key.value);  // no longer of length 1 in double
    }
    stored.tracks[3].scale = {{0, {1, 1, 1}, false}};  // what the bind pose says too
    Model target = figure();
    EXPECT_FALSE(retarget(source, target).clip().final_keys);
    target.gom.emplace();
    const Outcome o = retarget(source, target);
    EXPECT_TRUE(o.clip().final_keys);
    expect_same_tracks(o.clip(), stored);
    EXPECT_EQ(o.result.copied, 11u);
    // Other bones: the keys are not this skeleton's.
    target.nodes[5].bind_local.m[12] += 1e-6;
    EXPECT_FALSE(retarget(source, target).clip().final_keys);
}

TEST(Retarget, KeepsEveryBitThroughAFoldedArmatureOnBothSides) {
    // The armature above (turned, a hundred times smaller) is folded into Root on both sides.
    Model with_armature;
    add(with_armature, "Armature", -1, {0, 0.5, 0}, turn({1, 0, 0}, -90), false);
    with_armature.nodes[0].rest.scale = {0.01, 0.01, 0.01};
    with_armature.nodes[0].bind_local = runtime::to_matrix(with_armature.nodes[0].rest);
    for (const model::Node& n : figure().nodes) {
        add(with_armature, n.name, n.parent.valid() ? static_cast<int>(n.parent.value + 1) : 0, n.rest.translation * 100);
    }
    Model source = with_armature;
    add_motion(source);
    const Outcome o = retarget(source, with_armature);
    expect_same_tracks(o.clip(), source.clips[0]);
}

TEST(Retarget, TurnsKeysWhereOnlyTheAxesDifferAndKeepsTheirTimes) {
    Model source = figure();
    add_motion(source);
    const Model target = with_axes(figure(), odd_axes());
    const Outcome o = retarget(source, target);
    EXPECT_EQ(o.result.rule, RetargetRule::SamePosture);
    EXPECT_EQ(o.result.resampled, 0u);
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 1e-9);
    // The motion as somebody would have made it on the other axes.
    Model made = figure();
    add_motion(made);
    made = with_axes(made, odd_axes());
    for (const Track& expected : made.clips[0].tracks) {
        const std::string& name = made.nodes[expected.node.value].name;
        const Track* got = track_of(target, o.clip(), name);
        ASSERT_NE(got, nullptr) << name;
        ASSERT_EQ(got->rotation.size(), expected.rotation.size()) << name;
        for (std::size_t k = 0; k < expected.rotation.size(); ++k) {
            EXPECT_EQ(got->rotation[k].time, expected.rotation[k].time);
            EXPECT_NEAR(std::fabs(dot(got->rotation[k].value, expected.rotation[k].value)), 1, 1e-12) << name;
        }
    }
}

TEST(Retarget, CopiesKeysWhereTheAxesAreTheSameAndTheRestPoseIsAFrameOfTheMotion) {
    Model source = figure();
    add_motion(source);
    rest_from_clip(source);
    const Model target = figure();
    const Outcome o = retarget(source, target);
    EXPECT_EQ(o.result.rule, RetargetRule::SameAxes);
    EXPECT_EQ(o.result.turned + o.result.resampled, 0u);
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 1e-12);
    for (const Track& t : source.clips[0].tracks) {
        EXPECT_TRUE(same_keys(track_of(target, o.clip(), source.nodes[t.node.value].name)->rotation, t.rotation));
    }
}

TEST(Retarget, HoldsTheRestPoseOfBonesThatTheMotionPosesWithoutKeys) {
    // ForeR has no track; the motion's rest bends it, the model's bind does not.
    Model source = figure();
    add_motion(source);
    rest_from_clip(source);
    set_rest(source, "ForeR", {{-0.3, 0, 0}, turn({0, 1, 0}, 50), {1, 1, 1}});
    const Model target = figure();
    const Outcome o = retarget(source, target);
    const Track* t = track_of(target, o.clip(), "ForeR");
    ASSERT_NE(t, nullptr);
    ASSERT_EQ(t->rotation.size(), 1u);
    EXPECT_EQ(t->rotation[0].value, turn({0, 1, 0}, 50));
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 1e-12);
}

TEST(Retarget, PutsEndBonesInPlaceBetweenAPoseAndTPoseWithOtherAxes) {
    Model source = figure();
    add_motion(source);
    Model target = figure();
    // A-pose: arms 45 degrees down about the forward axis; then axes of their own.
    set_rest(target, "ArmL", {{0.2, 0.1, 0}, turn({0, 0, 1}, -45), {1, 1, 1}});
    set_rest(target, "ArmR", {{-0.2, 0.1, 0}, turn({0, 0, 1}, 45), {1, 1, 1}});
    target = with_axes(target, odd_axes());
    const Outcome o = retarget(source, target);
    EXPECT_EQ(o.result.rule, RetargetRule::Corrected);
    EXPECT_TRUE(o.report.has(IssueId::RETARGET_POSTURE));
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 1e-9);
    // Not only places: rotations too are those of the motion on such a rig, down to the hand, which points nowhere.
    Model made = figure();
    add_motion(made);
    set_rest(made, "ArmL", {{0.2, 0.1, 0}, turn({0, 0, 1}, -45), {1, 1, 1}});
    made = with_axes(made, odd_axes());
    for (const Track& expected : made.clips[0].tracks) {
        const std::string& name = made.nodes[expected.node.value].name;
        const Track* got = track_of(target, o.clip(), name);
        ASSERT_NE(got, nullptr) << name;
        ASSERT_EQ(got->rotation.size(), expected.rotation.size()) << name;
        for (std::size_t k = 0; k < expected.rotation.size(); ++k) {
            EXPECT_NEAR(std::fabs(dot(got->rotation[k].value, expected.rotation[k].value)), 1, 1e-9) << name;
        }
    }
}

TEST(Retarget, TrustsTheAxesWhereARestPoseIsOnlyNearTheBindPose) {
    // Every limb within 10 degrees: an idle's first frame. The bones' own lengths agree exactly, so nothing has to be guessed.
    Model source = figure();
    add_motion(source);
    for (const char* bone : {"ArmL", "ArmR", "LegL", "LegR"}) {
        model::Node& n = source.nodes[find(source, bone)];
        n.rest.rotation = turn({0, 0.6, 0.8}, 7);
        n.bind_local = runtime::to_matrix(n.rest);
    }
    const Model target = figure();
    const Outcome o = retarget(source, target);
    EXPECT_EQ(o.result.rule, RetargetRule::SameAxes);
    EXPECT_EQ(o.result.turned + o.result.resampled, 0u);
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 1e-12);
}

TEST(Retarget, AsksASkinBeforeItTrustsARestPoseThatIsOnlyNear) {
    // Other proportions, so that the axes agree roughly only, and a rest pose within 10 degrees of the bind pose.
    Model source = figure();
    add_motion(source);
    set_rest(source, "ArmL", {{0.2, 0.13, 0}, turn({0, 0.6, 0.8}, 7), {1, 1, 1}});
    const Model target = figure();
    EXPECT_EQ(retarget(source, target).result.rule, RetargetRule::SameAxes);
    model::Mesh mesh;
    mesh.skin.emplace();
    mesh.skin->clusters.push_back({NodeId{find(source, "ArmL")}, {}});
    source.meshes.push_back(mesh);
    EXPECT_EQ(retarget(source, target).result.rule, RetargetRule::SamePosture);
}

TEST(Retarget, CopiesTranslationsOfBonesThatAreBoundAlikeWhateverTheRestPoses) {
    // Both files show the same pose, in which the head is pulled out of its neck; the skins bind it elsewhere.
    Model source = figure();
    add_motion(source);
    source.nodes[3].rest.translation = {0, 0.5, 0};
    Model target = source;
    target.clips.clear();
    track(source, source.clips[0], "Head").translation = {{0, {0, 0.5, 0}, false}, {1, {0.2, 0.5, 0}, false}};
    const Outcome o = retarget(source, target);
    EXPECT_TRUE(same_keys(track_of(target, o.clip(), "Head")->translation, source.clips[0].tracks.back().translation));
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 1e-12);
}

TEST(Retarget, LeavesRotationsAloneBetweenAPoseAndTPoseOfOneRig) {
    Model source = figure();
    add_motion(source);
    Model target = figure();
    set_rest(target, "ArmL", {{0.2, 0.1, 0}, turn({0, 0, 1}, -45), {1, 1, 1}});
    set_rest(target, "ArmR", {{-0.2, 0.1, 0}, turn({0, 0, 1}, 45), {1, 1, 1}});
    const Outcome o = retarget(source, target);
    EXPECT_EQ(o.result.rule, RetargetRule::SameAxes);
    EXPECT_EQ(o.result.copied, 11u);
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 1e-12);
}

TEST(Retarget, ScalesTheRootAndKeepsTheModelsBoneLengths) {
    Model source = figure();
    add_motion(source);
    const Model target = figure(1.2);  // legs 1.2 times as long, the rest the same
    const Outcome o = retarget(source, target);
    EXPECT_NEAR(o.result.size_ratio, 1.2, 1e-12);
    const Track* root = track_of(target, o.clip(), "Root");
    ASSERT_NE(root, nullptr);
    ASSERT_EQ(root->translation.size(), 5u);
    EXPECT_NEAR(root->translation[4].value.z, 1.8, 1e-12);
    EXPECT_NEAR(root->translation[1].value.x, 0.12, 1e-12);
    const Track* hips = track_of(target, o.clip(), "Hips");
    ASSERT_EQ(hips->translation.size(), 5u);
    EXPECT_NEAR(hips->translation[1].value.y, 1.26, 1e-12);
    for (const char* bone : {"Chest", "ArmL", "ShinL", "FootR"}) {
        EXPECT_TRUE(track_of(target, o.clip(), bone)->translation.empty()) << bone;
    }
    EXPECT_LT(posture_error(source, target, o), 1e-7);
    // Rotations are the source's own.
    EXPECT_TRUE(same_keys(track_of(target, o.clip(), "ShinL")->rotation, source.clips[0].tracks[8].rotation));
}

TEST(Retarget, SaysWhereABoneWouldHaveToStretch) {
    Model source = figure();
    add_motion(source);
    Track& head = track(source, source.clips[0], "Head");
    head.translation = {{0, {0, 0.3, 0}, false}, {1, {0, 0.4, 0}, false}};
    Model target = figure();
    set_rest(target, "Head", {{0, 0.25, 0}, {}, {1, 1, 1}});
    const Outcome o = retarget(source, target);
    EXPECT_TRUE(o.report.has(IssueId::RETARGET_STRETCH_LOST));
    EXPECT_EQ(track_of(target, o.clip(), "Head"), nullptr);
    // The same length: the motion's own keys.
    const Model same = figure();
    const Outcome kept = retarget(source, same);
    EXPECT_FALSE(kept.report.has(IssueId::RETARGET_STRETCH_LOST));
    EXPECT_EQ(track_of(same, kept.clip(), "Head")->translation.size(), 2u);
}

// Source: ArmL hangs below a collar bone that the target does not have.
Model figure_with_collar() {
    Model m = figure();
    const std::uint32_t collar = add(m, "Collar", 2, {0.1, 0.1, 0});
    // Parents come first: the collar takes ArmL's place in the order.
    model::Node n = m.nodes[collar];
    m.nodes.pop_back();
    m.nodes.insert(m.nodes.begin() + 4, n);
    for (std::size_t i = 5; i < m.nodes.size(); ++i) {
        if (m.nodes[i].parent.value >= 4) {
            ++m.nodes[i].parent.value;
        }
    }
    m.nodes[5].parent.value = 4;
    set_rest(m, "ArmL", {{0.1, 0, 0}, {}, {1, 1, 1}});
    return m;
}

TEST(Retarget, FoldsTheMotionOfABoneThatTheModelLacksIntoItsChildren) {
    Model source = figure_with_collar();
    add_motion(source);
    // The collar turns about its own length only, so that the arm starts where the model's does.
    Track& collar = track(source, source.clips[0], "Collar");
    collar.rotation = {{0, {}, false}, {0.3, turn({1, 0, 0}, 80), false}, {1, turn({1, 0, 0}, -60), false}};
    const Model target = figure();
    const Outcome o = retarget(source, target);
    EXPECT_EQ(o.result.resampled, 1u);
    // Off the keys too: 0.6 m of arm times the stated angle.
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 0.6 * kRetargetAngle);
    // Two slerps make no slerp, so there have to be more keys than the 5 and 3 of the two bones together.
    EXPECT_GT(track_of(target, o.clip(), "ArmL")->rotation.size(), 7u);
    report_unmatched(o.map, "model.gom", const_cast<core::Report&>(o.report));
    EXPECT_TRUE(o.report.has(IssueId::RETARGET_BONE_LOST));
}

TEST(Retarget, KeepsAStepThroughAFoldedBone) {
    Model source = figure_with_collar();
    add_motion(source);
    Track& collar = track(source, source.clips[0], "Collar");
    collar.rotation = {{0, {}, false}, {0.4, {}, true}, {0.4, turn({1, 0, 0}, 90), false}};
    const Model target = figure();
    const Outcome o = retarget(source, target);
    const std::vector<Key<Quat>>& keys = track_of(target, o.clip(), "ArmL")->rotation;
    const auto step = std::find_if(keys.begin(), keys.end(), [](const Key<Quat>& k) { return k.step_end; });
    ASSERT_NE(step, keys.end());
    EXPECT_EQ(step->time, 0.4);
    EXPECT_EQ((step + 1)->time, 0.4);
    EXPECT_NEAR(std::fabs(dot(step->value, (step + 1)->value)), runtime::exact::cos(kPi / 4), 1e-9);
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 0.6 * kRetargetAngle);
}

TEST(Retarget, LeavesABoneThatTheMotionLacksAtItsBindPose) {
    Model source = figure();
    add_motion(source);
    Model target = figure_with_collar();
    set_rest(target, "Collar", {{0.1, 0.1, 0}, turn({1, 0, 0}, 30), {1, 1, 1}});
    set_rest(target, "ArmL", {{0.1, 0, 0}, turn({1, 0, 0}, -30), {1, 1, 1}});
    const Outcome o = retarget(source, target);
    EXPECT_EQ(track_of(target, o.clip(), "Collar"), nullptr);
    EXPECT_EQ(o.result.resampled, 0u);
    EXPECT_LT(largest_gap(source, source.clips[0], target, o.clip()), 1e-9);
    EXPECT_EQ(track_of(target, o.clip(), "ArmL")->rotation.size(), 5u);
}

TEST(Retarget, HoldsTheBindPoseWhereATargetsRestIsAnotherOne) {
    // An FBX character whose file shows a pose: bones that the motion does not move stand as they are bound.
    Model source = figure();
    source.nodes.pop_back();  // no FootR
    add_motion(source);
    Model target = figure();
    target.nodes[15].rest.rotation = turn({1, 0, 0}, 45);  // bind_local stays
    const Outcome o = retarget(source, target);
    const Track* foot = track_of(target, o.clip(), "FootR");
    ASSERT_NE(foot, nullptr);
    ASSERT_EQ(foot->rotation.size(), 1u);
    EXPECT_NEAR(foot->rotation[0].value.w, 1, 1e-12);
}

TEST(Retarget, ReadsAMotionWhoseArmatureIsAHundredTimesLarger) {
    // Centimetres below a node that makes metres of them; here it moves too, so it is a bone the model does not have.
    Model source;
    add(source, "Armature", -1, {0, 0, 0}, turn({1, 0, 0}, -90), false);
    source.nodes[0].rest.scale = {0.01, 0.01, 0.01};
    source.nodes[0].bind_local = runtime::to_matrix(source.nodes[0].rest);
    const Quat back = turn({1, 0, 0}, 90);
    for (const model::Node& n : figure().nodes) {
        const bool root = !n.parent.valid();
        add(source, n.name, root ? 0 : static_cast<int>(n.parent.value + 1), n.rest.translation * 100, root ? back : Quat{});
    }
    add_motion(source);
    for (Track& t : source.clips[0].tracks) {
        if (source.nodes[t.node.value].name == "Root") {
            for (auto& key : t.translation) {
                key.value = rotate(turn({1, 0, 0}, 90), key.value) * 100;
            }
        } else if (source.nodes[t.node.value].name == "Hips") {
            for (auto& key : t.translation) {
                key.value = Vec3{0, 100, 0} + (key.value - Vec3{0, 100, 0}) * 100;
            }
        }
    }
    const Model target = figure();
    const Outcome folded = retarget(source, target);
    EXPECT_EQ(folded.result.resampled, 0u);
    EXPECT_EQ(folded.result.size_ratio, 1);
    EXPECT_LT(largest_gap(source, source.clips[0], target, folded.clip()), 1e-9);

    Model moving = source;
    Track armature;
    armature.node = NodeId{0};
    armature.translation = {{0, {0, 0, 0}, false}, {1, {3, 0, 0}, false}};
    armature.rotation = {{0, turn({1, 0, 0}, -90), false}, {1, after(turn({1, 0, 0}, -90), turn({0, 1, 0}, 80)), false}};
    moving.clips[0].tracks.push_back(armature);
    const Outcome o = retarget(moving, target);
    EXPECT_EQ(o.map.target_of_source[0], -1);
    EXPECT_LT(largest_gap(moving, moving.clips[0], target, o.clip()), 1.8 * (kRetargetAngle * 2 + kRetargetDistance));
}

TEST(Retarget, FollowsAMirroredSkeleton) {
    // The armature mirrors: what is called left lies on the right. Bones are paired by name, and the model's left arm goes there.
    Model source;
    add(source, "Mirror", -1, {0, 0, 0});
    source.nodes[0].rest.scale = {-1, 1, 1};
    source.nodes[0].bind_local = runtime::to_matrix(source.nodes[0].rest);
    for (const model::Node& n : figure().nodes) {
        add(source, n.name, n.parent.valid() ? static_cast<int>(n.parent.value + 1) : 0, n.rest.translation);
    }
    add_motion(source);
    const Model target = figure();
    const Outcome o = retarget(source, target);
    EXPECT_LT(posture_error(source, target, o), 1e-6);
    // The same mirror above both: nothing changes hands.
    Model same = source;
    same.clips.clear();
    const Outcome kept = retarget(source, same);
    expect_same_tracks(kept.clip(), source.clips[0]);
    // As a GOM stores it: the mirror on another axis, with half a turn.
    Model gom = same;
    gom.nodes[0].rest = {{0, 0, 0}, turn({1, 0, 0}, 180), {-1, -1, -1}};
    gom.nodes[0].bind_local = same.nodes[0].bind_local;
    const Outcome turned = retarget(source, gom);
    EXPECT_LT(largest_gap(source, source.clips[0], gom, turned.clip()), 1e-9);
    // And the other way round.
    Model half_turn = source;
    half_turn.nodes[0].rest = gom.nodes[0].rest;
    const Outcome back = retarget(half_turn, same);
    EXPECT_LT(largest_gap(half_turn, half_turn.clips[0], same, back.clip()), 1e-9);
    EXPECT_EQ(back.result.copied, 11u);
}

TEST(Retarget, MovesSeveralRootsWhereTheMotionPutsThem) {
    Model source = figure();
    add(source, "Prop", -1, {1, 0, 0});
    add_motion(source);
    Track& prop = track(source, source.clips[0], "Prop");
    prop.translation = {{0, {1, 0, 0}, false}, {1, {1, 2, 0}, false}};
    prop.scale = {{0, {1, 1, 1}, false}, {1, {1, 3, 1}, false}};
    Model target = figure(0.5);
    add(target, "Prop", -1, {9, 0, 0}, turn({0, 0, 1}, 90));
    const Outcome o = retarget(source, target);
    const Track* t = track_of(target, o.clip(), "Prop");
    ASSERT_NE(t, nullptr);
    ASSERT_EQ(t->translation.size(), 2u);
    EXPECT_NEAR(t->translation[0].value.x, 0.5, 1e-12);
    EXPECT_NEAR(t->translation[1].value.y, 1, 1e-12);
    // Quarter turn: the source's y is the target's x.
    ASSERT_EQ(t->scale.size(), 2u);
    EXPECT_NEAR(t->scale[1].value.x, 3, 1e-9);
    EXPECT_NEAR(t->scale[1].value.y, 1, 1e-9);
}

TEST(Retarget, LosesRootMotionWithItsBoneAndSaysSo) {
    Model source = figure();
    add_motion(source);
    source.nodes[0].name = "Mover";
    const Outcome o = retarget(source, figure());
    EXPECT_FALSE(o.clip().root.valid());
    EXPECT_FALSE(o.clip().has_root_motion);
    EXPECT_TRUE(o.report.has(IssueId::RETARGET_ROOT_LOST));
    // What the root did is in the hips.
    EXPECT_LT(largest_gap(source, source.clips[0], figure(), o.clip()), 1.8 * (kRetargetAngle + kRetargetDistance));
}

TEST(Retarget, RefusesMoreKeysThanTheLimit) {
    Model source = figure();
    add_motion(source);
    const Model target = figure();
    const auto map = map_skeleton(source, target, {});
    core::Limits limits;
    limits.max_keys_per_clip = 20;
    core::Report report;
    const auto result = retarget_clips(source, target, *map, limits, report);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, core::Code::LimitExceeded);
}

// covers GOM-SIG-2
TEST(Measure, TellsHeightAndTheLargestDifferenceOfRestPoses) {
    const Model source = figure();
    Model target = figure();
    set_rest(target, "HandL", {{0.4, 0, 0}, {}, {1, 1, 1}});
    const auto map = map_skeleton(source, target, {});
    EXPECT_NEAR(skeleton_height(map->target), 1.8, 1e-12);
    const BoneDistance d = largest_rest_difference(*map);
    EXPECT_EQ(d.path, "Root/Hips/Chest/ArmL/ForeL/HandL");
    EXPECT_NEAR(d.metres, 0.1, 1e-12);
    EXPECT_NEAR(d.percent, 0.1 / 1.8 * 100, 1e-9);
    core::Report report;
    report_rest_difference(*map, "hero.gom", report);
    ASSERT_EQ(report.issues().size(), 1u);
    EXPECT_EQ(report.issues()[0].text, "bone 'Root/Hips/Chest/ArmL/ForeL/HandL' of the motion's rest pose lies 0.1 m (5.556 % of the height) "
                                       "from where 'hero.gom' binds it");
}

TEST(Measure, SaysNothingOfRestPosesWithinOnePercent) {
    Model target = figure();
    set_rest(target, "HandL", {{0.3179, 0, 0}, {}, {1, 1, 1}});  // 17.9 mm of 1.8 m
    core::Report report;
    report_rest_difference(*map_skeleton(figure(), target, {}), "hero.gom", report);
    EXPECT_TRUE(report.issues().empty());
    set_rest(target, "HandL", {{0.3181, 0, 0}, {}, {1, 1, 1}});
    report_rest_difference(*map_skeleton(figure(), target, {}), "hero.gom", report);
    EXPECT_EQ(report.issues().size(), 1u);
}

TEST(Measure, ComparesEndBonesWithTheMotionsOwnSkeletonAndWithTheModelsLengths) {
    Model source = figure();
    add_motion(source);
    Model target = figure();
    set_rest(target, "HandL", {{0.4, 0, 0}, {}, {1, 1, 1}});
    const Outcome o = retarget(source, target);
    const auto own = end_bone_distances(source, source.clips[0], target, o.clip(), o.map, 30);
    ASSERT_EQ(own.size(), 5u);
    EXPECT_NEAR(largest(own).metres, 0.1, 1e-9);
    EXPECT_EQ(largest(own).path, "Root/Hips/Chest/ArmL/ForeL/HandL");
    EXPECT_LT(largest(end_bone_distances(source, source.clips[0], target, o.clip(), o.map, 30, CompareWith::TargetLengths)).metres, 1e-9);
    EXPECT_NEAR(largest(own).percent, 0.1 / 1.8 * 100, 1e-6);
}

}  // namespace
}  // namespace gomkit::pass
