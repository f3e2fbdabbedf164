#include <gomkit/pass/map_skeleton.hpp>

#include <gtest/gtest.h>

#include <gomkit/pass/strip_prefix.hpp>

#include "rigs.hpp"

namespace gomkit::pass {
namespace {

using namespace test;
using core::IssueId;

std::string partner(const SkeletonMap& map, const std::string& source_path) {
    for (std::size_t i = 0; i < map.source.bones.size(); ++i) {
        if (map.source.bones[i].path == source_path) {
            return map.target_of_source[i] < 0 ? "" : map.target.bones[static_cast<std::size_t>(map.target_of_source[i])].path;
        }
    }
    return "no such bone";
}

TEST(MapSkeleton, PairsByPathFirstAndThenByNamesOfOneHolder) {
    Model source;
    add(source, "A", -1, {});
    add(source, "B", 0, {0, 1, 0});
    add(source, "Twin", 0, {1, 0, 0});
    add(source, "Twin", 1, {1, 0, 0});
    add(source, "Lone", 1, {0, 1, 0});
    Model target;
    add(target, "A", -1, {});
    add(target, "Twin", 0, {1, 0, 0});
    add(target, "Lone", 0, {0, 1, 0});
    add(target, "B", 2, {0, 1, 0});
    add(target, "Own", 2, {0, 1, 0});
    const auto map = map_skeleton(source, target, {});
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(partner(*map, "A"), "A");
    EXPECT_EQ(partner(*map, "A/Twin"), "A/Twin");
    EXPECT_EQ(partner(*map, "A/B"), "A/Lone/B");
    EXPECT_EQ(partner(*map, "A/B/Lone"), "A/Lone");
    EXPECT_EQ(partner(*map, "A/B/Twin"), "");
    EXPECT_EQ(map->by_path, 2u);
    EXPECT_EQ(map->by_name, 2u);
}

TEST(MapSkeleton, LeavesNamesOfSeveralHoldersAloneAndSaysSo) {
    Model source;
    add(source, "A", -1, {});
    add(source, "X", 0, {});
    add(source, "Twin", 1, {});
    add(source, "Y", 0, {});
    add(source, "Twin", 3, {});
    Model target;
    add(target, "A", -1, {});
    add(target, "Twin", 0, {});
    const auto map = map_skeleton(source, target, {});
    EXPECT_EQ(partner(*map, "A/X/Twin"), "");
    EXPECT_EQ(map->ambiguous, std::vector<std::string>{"Twin"});
    core::Report report;
    report_unmatched(*map, "model.gom", report);
    EXPECT_TRUE(report.has(IssueId::RETARGET_NAME_TWICE));
    EXPECT_TRUE(report.has(IssueId::RETARGET_BONE_UNUSED));
    EXPECT_TRUE(report.has(IssueId::RETARGET_BONE_STILL));
    EXPECT_FALSE(report.has(IssueId::RETARGET_BONE_LOST));
}

TEST(MapSkeleton, LooksPastAPrefixOnEitherSideWithoutTouchingIt) {
    Model source = figure();
    for (model::Node& n : source.nodes) {
        n.name = "mixamorig:" + n.name;
    }
    add_motion(source);
    const Model target = figure();
    MapOptions options;
    ASSERT_FALSE(map_skeleton(source, target, options).has_value());
    options.strip_prefix = "mixamorig:";
    const auto map = map_skeleton(source, target, options);
    const auto back = map_skeleton(target, source, options);
    ASSERT_TRUE(map.has_value() && back.has_value());
    EXPECT_EQ(map->by_path, 16u);
    EXPECT_EQ(back->by_path, 16u);
    EXPECT_EQ(partner(*map, "mixamorig:Root/mixamorig:Hips"), "Root/Hips");
    EXPECT_EQ(source.nodes[0].name, "mixamorig:Root");
}

TEST(MapSkeleton, RefusesSkeletonsWithoutAnyCommonBoneAndNamesSome) {
    Model source;
    add(source, "Tail", -1, {});
    const auto map = map_skeleton(source, figure(), {});
    ASSERT_FALSE(map.has_value());
    EXPECT_EQ(map.error().code, core::Code::CannotConvert);
    EXPECT_EQ(map.error().found, "'Tail'");
    EXPECT_NE(map.error().expected.find("'Root/Hips'"), std::string::npos);
    EXPECT_FALSE(map_skeleton(Model{}, figure(), {}).has_value());
    EXPECT_FALSE(map_skeleton(figure(), Model{}, {}).has_value());
}

TEST(MapSkeleton, TakesPlainAnimatedNodesForBonesWhereThereIsNoBoneAtAll) {
    Model source = figure();
    add_motion(source);
    for (model::Node& n : source.nodes) {
        n.bone = false;
    }
    const auto map = map_skeleton(source, figure(), {});
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(partner(*map, "Root/Hips/Chest/ArmL/ForeL/HandL"), "Root/Hips/Chest/ArmL/ForeL/HandL");
    EXPECT_EQ(partner(*map, "Root/Hips/Chest/Head"), "no such bone");
}

TEST(StripPrefix, RenamesNodesAndTheirMeshesAndKeepsABarePrefix) {
    Model m;
    add(m, "rig:Root", -1, {});
    add(m, "rig:", 0, {});
    add(m, "Other", 0, {});
    add(m, "xrig:Hand", 0, {});
    m.meshes.emplace_back();
    model::MeshInstance instance;
    instance.name = "rig:Body";
    instance.node = NodeId{2};
    instance.mesh = model::MeshId{0};
    m.instances.push_back(instance);
    core::Report report;
    EXPECT_EQ(strip_prefix(m, "rig:", report), 1u);
    EXPECT_EQ(m.nodes[0].name, "Root");
    EXPECT_EQ(m.nodes[1].name, "rig:");
    EXPECT_EQ(m.nodes[3].name, "xrig:Hand");
    EXPECT_EQ(m.instances[0].name, "Body");
    EXPECT_TRUE(report.issues().empty());
    EXPECT_EQ(model::build_skeleton(m, {})->bones[0].path, "Root");
}

TEST(StripPrefix, WarnsWhereNothingHasIt) {
    Model m = figure();
    core::Report report;
    EXPECT_EQ(strip_prefix(m, "mixamorig:", report), 0u);
    EXPECT_TRUE(report.has(IssueId::STRIP_PREFIX_UNUSED));
    core::Report quiet;
    EXPECT_EQ(strip_prefix(m, "", quiet), 0u);
    EXPECT_TRUE(quiet.issues().empty());
}

TEST(StripPrefix, LeavesTheBonesOfAGomAsTheyAre) {
    Model m;
    add(m, "rig:Root", -1, {});
    m.nodes[0].stored_path = "rig:Root";
    core::Report report;
    EXPECT_EQ(strip_prefix(m, "rig:", report), 0u);
    EXPECT_EQ(m.nodes[0].name, "rig:Root");
    EXPECT_TRUE(report.has(IssueId::STRIP_PREFIX_STORED));
    EXPECT_FALSE(report.has(IssueId::STRIP_PREFIX_UNUSED));
}

}  // namespace
}  // namespace gomkit::pass
