// Motions of the corpus on other characters of the corpus. The claim: end bones end up within 5 % of the height of where the motion's own
// skeleton puts them; where the two bodies are built differently, of where it would put them with the model's bone lengths.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <gomkit/gom/gom.hpp>
#include <gomkit/pass/measure_skeleton.hpp>
#include <gomkit/pass/retarget_clips.hpp>

#include "corpus_files.hpp"

namespace gomkit::fbx::test {
namespace {

using pass::CompareWith;
using pass::RetargetRule;

// What `--skeleton model.gom` reads back; the clips of the source stay if asked for.
std::optional<model::Model> as_gom(model::Model model, bool with_clips = false) {
    if (!with_clips) {
        model.clips.clear();
    }
    core::Report report;
    const auto bytes = gom::make_codec().write(std::move(model), {}, report);
    if (!bytes) {
        ADD_FAILURE() << core::to_string(bytes.error());
        return std::nullopt;
    }
    auto read = gom::make_codec().read(*bytes, "model.gom", {}, report);
    if (!read) {
        ADD_FAILURE() << core::to_string(read.error());
        return std::nullopt;
    }
    return std::move(*read);
}

class RetargetCorpus : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(corpus() + "/blender/g_model.fbx")) {
            GTEST_SKIP() << "no corpus at " << corpus() << "; set GOMKIT_CORPUS";
        }
    }
};

struct Measured {
    RetargetRule rule = RetargetRule::Corrected;
    double own = 0;       // percent of the height, worst clip
    double lengths = 0;
    double ratio = 1;
};

Measured measure(const std::string& motion, const model::Model& target, const std::string& target_name) {
    Measured out;
    const auto source = load(motion);
    if (!source) {
        return out;
    }
    const auto map = pass::map_skeleton(*source, target, {});
    if (!map) {
        ADD_FAILURE() << core::to_string(map.error());
        return out;
    }
    core::Report report;
    const auto result = pass::retarget_clips(*source, target, *map, {}, report);
    if (!result) {
        ADD_FAILURE() << core::to_string(result.error());
        return out;
    }
    out.rule = result->rule;
    out.ratio = result->size_ratio;
    for (std::size_t c = 0; c < source->clips.size(); ++c) {
        const auto with = [&](CompareWith compare) {
            const double fps = source->source.fps;
            return pass::largest(pass::end_bone_distances(*source, source->clips[c], target, result->clips[c], *map, fps, compare));
        };
        out.own = std::max(out.own, with(CompareWith::OwnSkeleton).percent);
        out.lengths = std::max(out.lengths, with(CompareWith::TargetLengths).percent);
    }
    std::cout << "  " << motion << " on " << target_name << ": " << pass::name(out.rule) << ", size ratio " << out.ratio
              << "; end bones off by at most " << out.own << " % of the height, " << out.lengths << " % with the model's bone lengths; "
              << "rest poses " << pass::largest_rest_difference(*map).percent << " % apart\n";
    return out;
}

TEST_F(RetargetCorpus, PutsMotionsOfTheModelsOwnSkeletonExactlyInPlace) {
    // Their files hold no skin, and their rest poses lie 40 % of the height from the model's bind pose.
    const auto model = load("blender/g_model.fbx");
    ASSERT_TRUE(model);
    const auto gom = as_gom(*model);
    ASSERT_TRUE(gom);
    for (const char* motion : {"blender/g_motion_walk.fbx", "blender/g_motion_wave.fbx"}) {
        for (const model::Model* target : {&*model, &*gom}) {
            const Measured m = measure(motion, *target, target == &*gom ? "g_model.gom" : "g_model.fbx");
            EXPECT_EQ(m.rule, RetargetRule::SameAxes);
            EXPECT_LT(m.own, 0.001);
        }
    }
}

TEST_F(RetargetCorpus, KeepsThePostureOnOtherBodies) {
    const char* motions[] = {"blender/g_motion_walk.fbx",   "blender/g_motion_wave.fbx",
                             "blender/g_motion_other_skeleton.fbx", "blender/a_biped.fbx",
                             "blender/a_biped_leafbones_roll.fbx",  "blender/b_axes_1.fbx",
                             "blender/b_scale_all.fbx",             "blender/b_scale_custom.fbx",
                             "blender/b_scaled_rotated.fbx",        "blender/b_unit_cm.fbx",
                             "blender/b_negative_scale_object.fbx", "blender/j_euler_spin.fbx",
                             "blender/l_object_motion.fbx",         "blender/m_odd_ranges.fbx"};
    for (const char* name : {"blender/g_model.fbx", "blender/a_biped_leafbones_roll.fbx"}) {
        const auto model = load(name);
        ASSERT_TRUE(model);
        const auto target = as_gom(*model);
        ASSERT_TRUE(target);
        for (const char* motion : motions) {
            EXPECT_LT(measure(motion, *target, name).lengths, 2) << motion;
        }
    }
}

TEST_F(RetargetCorpus, StaysNearTheMotionsOwnSkeletonWhereBodiesAreAlike) {
    // The hand of g_motion_other_skeleton is bound 5.5 % of the height from g_model's: the bodies differ by more than the claim, and bone
    // lengths are kept. Its other end bones, and the whole of a body that differs less, are within it.
    const auto model = load("blender/g_model.fbx");
    ASSERT_TRUE(model);
    const auto target = as_gom(*model);
    ASSERT_TRUE(target);
    const Measured other = measure("blender/g_motion_other_skeleton.fbx", *target, "g_model.gom");
    EXPECT_EQ(other.rule, RetargetRule::SameAxes);
    EXPECT_LT(other.own, 5.6);
    EXPECT_LT(measure("blender/b_axes_3_down.fbx", *target, "g_model.gom").own, 5);
    EXPECT_LT(measure("blender/m_odd_ranges.fbx", *target, "g_model.gom").own, 5);
}

TEST_F(RetargetCorpus, PairsOfOneCharacterFromDifferentProgramVersionsFitExactly) {
    const auto model = load("fbx/ufbx/maya_game_sausage_7500_binary.fbx");
    ASSERT_TRUE(model);
    const auto target = as_gom(*model);
    ASSERT_TRUE(target);
    for (const char* motion : {"fbx/ufbx/maya_game_sausage_6100_ascii_wiggle.fbx", "fbx/ufbx/maya_game_sausage_6100_binary_deform.fbx",
                               "fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx"}) {
        EXPECT_LT(measure(motion, *target, "maya_game_sausage").own, 0.001) << motion;
    }
}

// The keys that the character's own conversion gives, for every clip, from its FBX and from its GOM.
TEST_F(RetargetCorpus, GivesTheSameClipsAsAPlainConversionOnTheSameSkeleton) {
    for (const char* name : {"blender/a_biped.fbx", "blender/b_scaled_rotated.fbx", "blender/j_euler_spin.fbx", "blender/i_bone_scale.fbx",
                             "blender/n_loose_skeleton.fbx", "blender/b_nonuniform_object.fbx", "blender/b_negative_scale_object.fbx",
                             "fbx/ufbx/maya_kenney_character_7700_binary.fbx", "fbx/ufbx/blender_293_barbarian_7400_binary.fbx",
                             "fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx"}) {
        const auto source = load(name);
        ASSERT_TRUE(source);
        const auto plain = as_gom(*source, true);
        ASSERT_TRUE(plain);
        for (const model::Model* motion : {&*source, &*plain}) {
            model::Model target = *plain;
            target.clips.clear();
            const auto map = pass::map_skeleton(*motion, target, {});
            ASSERT_TRUE(map);
            core::Report report;
            auto result = pass::retarget_clips(*motion, target, *map, {}, report);
            ASSERT_TRUE(result);
            target.clips = std::move(result->clips);
            const auto written = as_gom(target, true);
            ASSERT_TRUE(written);
            ASSERT_EQ(written->clips.size(), plain->clips.size());
            for (std::size_t c = 0; c < plain->clips.size(); ++c) {
                const model::Clip& a = plain->clips[c];
                const model::Clip& b = written->clips[c];
                EXPECT_EQ(a.name, b.name);
                ASSERT_EQ(a.tracks.size(), b.tracks.size()) << name << " " << a.name;
                const auto same = [](const auto& x, const auto& y) {
                    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                                      [](const auto& p, const auto& q) { return p.time == q.time && p.value == q.value; });
                };
                for (std::size_t t = 0; t < a.tracks.size(); ++t) {
                    EXPECT_EQ(a.tracks[t].node, b.tracks[t].node);
                    EXPECT_TRUE(same(a.tracks[t].translation, b.tracks[t].translation)) << name << " " << a.name << " " << t;
                    EXPECT_TRUE(same(a.tracks[t].rotation, b.tracks[t].rotation)) << name << " " << a.name << " " << t;
                    EXPECT_TRUE(same(a.tracks[t].scale, b.tracks[t].scale)) << name << " " << a.name << " " << t;
                }
            }
        }
    }
}

}  // namespace
}  // namespace gomkit::fbx::test
