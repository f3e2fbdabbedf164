// Inverse kinematics of bones that are found by their names. Expected numbers are the page's, or computed by hand.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "ik_names.hpp"
#include "import.hpp"
#include "pose.hpp"
#include "sample.hpp"
#include "written.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;

codec::FormatValues with_ik(bool compat = false) {
    codec::FormatValues out{{"--ps1-ik", codec::kOn}};
    if (compat) {
        out["--ps1-compat"] = codec::kOn;
    }
    return out;
}
std::optional<IkTable> table_of(const model::Model& m, bool compat = false) {
    core::Report unused;
    return written(m, unused, with_ik(compat)).ik;
}

/// A chain of bones, one below the other, half a metre apart along +Y.
model::Model chain(const std::vector<std::string>& names) {
    ModelMaker maker(0);
    for (std::size_t i = 0; i < names.size(); ++i) {
        maker.bone(names[i], static_cast<int>(i) - 1, {0, 0.5, 0});
    }
    maker.m.source.unit_meters = 1;
    return maker.take();
}

// covers PS1M-IK-4, PS1M-IK-3: the page's leg, and what it reaches.
TEST(IkNames, TheLegOfTheVectorReachesItsTarget) {
    ModelMaker maker(0);
    const double u = 1.0 / 4096;
    maker.bone("pelvis", -1, {0, 1900 * u, 0});
    maker.bone("thigh_l", 0, {-240 * u, 0, 0});
    maker.bone("calf_l", 1, {0, -940 * u, 0});
    maker.bone("foot_l", 2, {0, -900 * u, -60 * u});
    maker.bone("ball_l", 3, {0, -40 * u, 200 * u});
    core::Report report;
    const Document d = written(maker.take(), report, with_ik());
    ASSERT_TRUE(d.ik.has_value());
    EXPECT_EQ(d.ik->chains[2], (IkChain{1, 2, 3, {0, 900, 60}, {0, 0, -4096}}));
    for (const std::size_t other : {0u, 1u, 3u}) {
        EXPECT_EQ(d.ik->chains[other], IkChain{}) << other;
    }
    EXPECT_EQ(d.ik->hip, 1);
    EXPECT_EQ(d.ik->head, -1);
    EXPECT_EQ(d.ik->head_forward, (Vec3s16{0, 0, -4096}));
    EXPECT_EQ(argument(report, IssueId::PS1_IK_TABLE, "chains"), "left arm none, right arm none, left leg 'thigh_l' 'calf_l' 'foot_l', right leg none");
    const std::vector<Placement> local = local_pose(d, d.clips[0], {});
    std::vector<Placement> world = world_pose(d, local);
    std::vector<bool> modified(world.size(), false);
    solve_chain(d.ik->chains[2], {300, -500, -300}, world, modified);
    refresh_pose(d, local, modified, world);
    EXPECT_EQ(effector(d.ik->chains[2], world), (Vec3s32{300, -502, -301}));
    EXPECT_EQ(world[4].t, (Vec3s32{309, -384, -468}));
}

// covers PS1M-IK-4
TEST(IkNames, ManyRigsNamesAreKnown) {
    const std::vector<std::vector<std::string>> left_arms{
        {"spine", "clavicle_l", "upperarm_l", "lowerarm_l", "hand_l"},
        {"mixamorig:Spine", "mixamorig:LeftShoulder", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:LeftHandIndex1"},
        {"Chest", "Shoulder.L", "UpperArm.L", "ForeArm.L", "Hand.L"},
        {"spine", "shoulder.L", "upper_arm.L", "forearm.L", "hand.L"},
        {"Bip01 Spine", "Bip01 L Clavicle", "Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand"},
        {"chest", "collar_left", "upper-arm_left", "lower-arm_left", "hand_left"},
        {"l_a", "l_upperarm_twist", "l_upperarm", "l_forearm", "l_hand"}};
    for (const auto& names : left_arms) {
        const auto table = table_of(chain(names));
        ASSERT_TRUE(table.has_value()) << names[1];
        EXPECT_EQ(table->chains[0], (IkChain{2, 3, 4, {0, -2048, 0}, {0, 0, 4096}})) << names[1];
        EXPECT_EQ(table->hip, 2) << names[1];
    }
    for (const auto& names : {std::vector<std::string>{"mixamorig:Hips", "mixamorig:RightUpLeg", "mixamorig:RightLeg", "mixamorig:RightFoot"},
                              std::vector<std::string>{"Hips", "Thigh.R", "Shin.R", "Foot.R"}, std::vector<std::string>{"pelvis", "r_upleg", "r_leg", "r_foot"}}) {
        const auto table = table_of(chain(names));
        ASSERT_TRUE(table.has_value()) << names[1];
        EXPECT_EQ(table->chains[3], (IkChain{1, 2, 3, {0, -2048, 0}, {0, 0, -4096}})) << names[1];
    }
}

// covers PS1M-IK-4
TEST(IkNames, CompatKnowsTheOriginalsNamesOnly) {
    EXPECT_FALSE(table_of(chain({"Spine", "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"}), true).has_value());
    EXPECT_FALSE(table_of(chain({"Chest", "UpperArm.L", "ForeArm.L"}), true).has_value());
    const std::vector<std::string> with_collar{"spine", "shoulder_l", "upperarm_l", "forearm_l"};
    EXPECT_EQ(table_of(chain(with_collar))->chains[0].upper, 2);
    EXPECT_EQ(table_of(chain(with_collar), true)->chains[0].upper, 1);   // the first of several
    const std::vector<std::string> only_shoulder{"spine", "shoulder_l", "forearm_l"};
    EXPECT_EQ(table_of(chain(only_shoulder))->chains[0].upper, 1);
}

// covers PS1M-IK-4
TEST(IkNames, AChainWithoutAnEndGoesOnAsFar) {
    const auto table = table_of(chain({"spine", "upperarm_l", "forearm_l"}));
    EXPECT_EQ(table->chains[0], (IkChain{1, 2, -1, {0, -2048, 0}, {0, 0, 4096}}));
    // A hand that hangs on another bone: where it is, not what its translation says.
    const auto far = table_of(chain({"spine", "upperarm_l", "forearm_l", "wrist_l", "hand_l"}));
    EXPECT_EQ(far->chains[0].end_local, (Vec3s16{0, -4096, 0}));
    EXPECT_EQ(table_of(chain({"spine", "upperarm_l", "forearm_l", "wrist_l", "hand_l"}), true)->chains[0].end_local, (Vec3s16{0, -2048, 0}));
}

// covers PS1M-IK-4
TEST(IkNames, HipIsWhereAllChainsMeetAndTheHeadLooksToTheFront) {
    ModelMaker maker(0);
    maker.bone("root", -1, {});                        // 0
    maker.bone("hips", 0, {0, 1, 0});                  // 1
    maker.bone("thigh_l", 1, {-0.1, 0, 0});            // 2
    maker.bone("calf_l", 2, {0, -0.4, 0});             // 3
    maker.bone("spine", 1, {0, 0.3, 0});               // 4
    maker.bone("hair_head", 4, {0, 0.3, 0});           // 5
    maker.bone("HeadTop", 4, {0, 0.4, 0});             // 6
    maker.bone("Head", 4, {0, 0.3, 0});                // 7
    maker.bone("upperarm_r", 4, {0.2, 0.2, 0});        // 8
    maker.bone("forearm_r", 8, {0, -0.3, 0});          // 9
    model::Node& head = maker.m.nodes[7];
    head.rest.rotation = {0, std::sqrt(0.5), 0, std::sqrt(0.5)};   // its own x axis is the front
    head.bind_local = to_matrix(head.rest);
    const auto table = table_of(maker.take());
    ASSERT_TRUE(table.has_value());
    EXPECT_EQ(table->hip, 1);
    EXPECT_EQ(table->head, 7);
    EXPECT_EQ(table->head_forward, (Vec3s16{4096, 0, 0}));
    EXPECT_EQ(table->chains[1].upper, 8);
    EXPECT_EQ(table->chains[2].upper, 2);
}

// covers PS1M-IK-4
TEST(IkNames, WithoutKnownNamesThereIsNoTable) {
    core::Report report;
    EXPECT_FALSE(written(chain({"a", "thigh_l", "b"}), report, with_ik()).ik.has_value());
    EXPECT_TRUE(report.has(IssueId::PS1_IK_NAMES));
}

TEST(IkNames, TheTableOfAPs1mStays) {
    core::Report report;
    EXPECT_EQ(written(import(example(true), report), report, with_ik()), example(true));
    EXPECT_FALSE(report.has(IssueId::PS1_IK_NAMES));
}

}  // namespace
}  // namespace gomkit::ps1
