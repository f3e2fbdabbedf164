#include <gomkit/model/skeleton.hpp>

#include <gtest/gtest.h>

namespace gomkit::model {
namespace {

std::uint32_t add(Model& m, const char* name, int parent, bool bone = true) {
    Node n;
    n.name = name;
    n.parent = parent < 0 ? NodeId{} : NodeId{static_cast<std::uint32_t>(parent)};
    n.bone = bone;
    m.nodes.push_back(n);
    return static_cast<std::uint32_t>(m.nodes.size() - 1);
}

std::vector<std::string> paths(const Model& m) {
    std::vector<std::string> out;
    const auto skeleton = build_skeleton(m, {});
    for (const SkeletonBone& b : skeleton->bones) {
        out.push_back(b.path);
    }
    return out;
}

// covers CONV-NAME-1, CONV-NAME-2
TEST(Skeleton, EscapesPathComponents) {
    EXPECT_EQ(escape_component("a/b%c"), "a%2Fb%25c");
}

// covers CONV-NAME-3
TEST(Skeleton, NumbersBrothersAsTheSpecificationsExample) {
    const std::vector<std::string> names = {"A", "A", "A~2"};
    EXPECT_EQ(number_duplicates(names), (std::vector<std::string>{"A", "A~3", "A~2"}));
}

TEST(Skeleton, SortsByPathBytesSoThatASubtreeNeedNotHoldTogether) {
    Model m;
    add(m, "Root", -1);
    add(m, "Arm", 0);
    add(m, "Hand", 1);
    add(m, "Arm-L", 0);
    add(m, "Hand", 3);
    EXPECT_EQ(paths(m), (std::vector<std::string>{"Root", "Root/Arm", "Root/Arm-L", "Root/Arm-L/Hand", "Root/Arm/Hand"}));
    const auto skeleton = build_skeleton(m, {});
    EXPECT_EQ(skeleton->bones[3].parent, 2);
    EXPECT_EQ(skeleton->bones[4].parent, 1);
    EXPECT_EQ(skeleton->bone_of_node, (std::vector<std::int32_t>{0, 1, 4, 2, 3}));
}

// covers GOM-BONE-1
TEST(Skeleton, TakesNodesBetweenBones) {
    Model m;
    add(m, "Root", -1);
    add(m, "Between", 0, false);
    add(m, "Tip", 1);
    add(m, "Beside", 0, false);
    EXPECT_EQ(paths(m), (std::vector<std::string>{"Root", "Root/Between", "Root/Between/Tip"}));
}

// covers GOM-BONE-2
TEST(Skeleton, FoldsStaticNodesAboveTheTopIntoIt) {
    Model m;
    add(m, "Armature", -1, false);
    m.nodes[0].rest.scale = {100, 100, 100};
    m.nodes[0].rest.translation = {0, 5, 0};
    m.nodes[0].bind_local = runtime::to_matrix(m.nodes[0].rest);
    add(m, "Hips", 0);
    m.nodes[1].rest.translation = {0, 0.01, 0};
    m.nodes[1].bind_local = runtime::to_matrix(m.nodes[1].rest);
    const auto skeleton = build_skeleton(m, {});
    ASSERT_EQ(skeleton->bones.size(), 1u);
    const SkeletonBone& hips = skeleton->bones[0];
    EXPECT_EQ(hips.path, "Hips");
    EXPECT_DOUBLE_EQ(hips.bind_local.m[13], 6);
    EXPECT_DOUBLE_EQ(hips.bind_local.m[0], 100);
    EXPECT_DOUBLE_EQ(apply_fold(m.nodes[1].rest, hips.fold).translation.y, 6);
    EXPECT_DOUBLE_EQ(apply_fold(m.nodes[1].rest, hips.fold).scale.z, 100);
}

TEST(Skeleton, FoldingEqualsTheProductOfTheMatrices) {
    Transform fold;
    fold.rotation = runtime::normalized(Quat{.2, -.1, .4, .7});
    fold.scale = {3, 3, 3};
    fold.translation = {1, 2, 3};
    Transform local;
    local.rotation = runtime::normalized(Quat{-.3, .5, .1, .6});
    local.scale = {1, 2, .5};
    local.translation = {4, -1, .5};
    const Mat4 product = runtime::to_matrix(local) * runtime::to_matrix(fold);
    const Mat4 folded = runtime::to_matrix(apply_fold(local, fold));
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_NEAR(product.m[i], folded.m[i], 1e-12);
    }
}

TEST(Skeleton, KeepsAnAncestorThatMovesOrHasAnUnevenScale) {
    Model m;
    add(m, "World", -1, false);
    add(m, "Rig", 0, false);
    add(m, "Offset", 1, false);
    add(m, "Hips", 2);
    EXPECT_EQ(paths(m), std::vector<std::string>{"Hips"});
    m.nodes[1].rest.scale = {1, 1.4, 1};
    EXPECT_EQ(paths(m), (std::vector<std::string>{"Rig", "Rig/Offset", "Rig/Offset/Hips"}));
    m.nodes[1].rest.scale = {-1, -1, -1};
    EXPECT_EQ(paths(m).size(), 3u);
    m.nodes[1].rest.scale = {1, 1, 1};
    Clip clip;
    clip.tracks.resize(1);
    clip.tracks[0].node = NodeId{0};
    m.clips.push_back(clip);
    EXPECT_EQ(paths(m), (std::vector<std::string>{"World", "World/Rig", "World/Rig/Offset", "World/Rig/Offset/Hips"}));
}

TEST(Skeleton, MakesABoneOfANodeThatMovesAMesh) {
    Model m;
    add(m, "Door", -1, false);
    add(m, "Panel", 0, false);
    m.meshes.emplace_back();
    m.instances.emplace_back();
    m.instances[0].mesh = MeshId{0};
    m.instances[0].node = NodeId{1};
    EXPECT_TRUE(paths(m).empty());
    Clip clip;
    clip.tracks.resize(1);
    clip.tracks[0].node = NodeId{0};
    m.clips.push_back(clip);
    EXPECT_EQ(paths(m), std::vector<std::string>{"Door"});
    EXPECT_EQ(build_skeleton(m, {})->nearest_bone_of_node, (std::vector<std::int32_t>{0, 0}));
}

TEST(Skeleton, CallsNamelessNodesBone) {
    Model m;
    add(m, "", -1);
    add(m, "", -1);
    EXPECT_EQ(paths(m), (std::vector<std::string>{"bone", "bone~2"}));
    EXPECT_EQ(build_skeleton(m, {})->bones[1].name, "bone");
}

TEST(Skeleton, RefusesMoreBonesOrLongerPathsThanTheLimits) {
    Model m;
    for (int i = 0; i < 50; ++i) {
        add(m, "a bone with a name", i - 1);
    }
    core::Limits limits;
    limits.max_bones = 49;
    auto result = build_skeleton(m, limits);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, core::Code::LimitExceeded);
    limits = {};
    limits.max_string_bytes = 5000;
    EXPECT_FALSE(build_skeleton(m, limits));
    EXPECT_TRUE(build_skeleton(m, {}));
}

}  // namespace
}  // namespace gomkit::model
