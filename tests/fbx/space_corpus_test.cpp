// `--space`: where a file's unit and axes go changes the numbers of its nodes, and no pose.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "corpus_files.hpp"
#include "model_pose.hpp"
#include "scene.hpp"

namespace gomkit::fbx::test {
namespace {

using model::Vec3;

// Units of centimetres and inches, Y and Z up, pivots, scales that are not inherited, geometric transforms, skins, blend shapes.
constexpr const char* kFiles[] = {
    "blender/a_biped.fbx",
    "blender/c_two_meshes_shapes.fbx",
    "blender/g_motion_walk.fbx",
    "blender/i_bone_scale_not_inherited.fbx",
    "fbx/ufbx/max_transformed_skin_7500_ascii.fbx",
    "fbx/ufbx/max_geometry_transform_types_7700_binary.fbx",
    "fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx",
    "fbx/ufbx/maya_kenney_character_7700_binary.fbx",
    "fbx/ufbx/maya_skinned_pivot_7700_ascii.fbx",
    "fbx/ufbx/blender_293_barbarian_7400_binary.fbx",
};

class SpaceCorpus : public ::testing::Test {
protected:
    void SetUp() override {
        if (read_text(corpus() + "/" + kFiles[0]).empty()) {
            GTEST_SKIP() << "no corpus at " << corpus() << "; set GOMKIT_CORPUS";
        }
    }
};

double size_of(const std::vector<Vec3>& points) {
    double most = 1;
    for (const Vec3& p : points) {
        most = std::max(most, length(p));
    }
    return most;
}

TEST_F(SpaceCorpus, PosesAreTheSame) {
    codec::ReadOptions options;
    options.scene.space = codec::SpaceConversion::Transforms;
    double worst = 0;
    std::size_t poses = 0;
    std::size_t rescaled = 0;
    for (const char* name : kFiles) {
        const auto one = load(name);
        const auto other = load(name, options);
        ASSERT_TRUE(one && other) << name;
        ASSERT_EQ(one->nodes.size(), other->nodes.size()) << name;
        ASSERT_EQ(one->instances.size(), other->instances.size()) << name;
        ASSERT_EQ(one->clips.size(), other->clips.size()) << name;
        const auto compare = [&](const model::Clip* a, const model::Clip* b, double time) {
            for (std::size_t i = 0; i < one->instances.size(); ++i) {
                const std::vector<Vec3> p = posed_points(*one, one->instances[i], a, time);
                const std::vector<Vec3> q = posed_points(*other, other->instances[i], b, time);
                ASSERT_EQ(p.size(), q.size());
                const double size = size_of(p);
                for (std::size_t k = 0; k < p.size(); ++k) {
                    const double off = length(p[k] - q[k]) / size;
                    ASSERT_TRUE(std::isfinite(off)) << name;
                    worst = std::max(worst, off);
                }
                ++poses;
            }
        };
        compare(nullptr, nullptr, 0);
        for (std::size_t c = 0; c < one->clips.size(); ++c) {
            for (const double part : {0.0, 0.37, 1.0}) {
                compare(&one->clips[c], &other->clips[c], part * one->clips[c].duration);
            }
        }
        // The nodes at the top take the scale, those below keep the file's lengths.
        const double unit = other->source.unit_meters;
        for (std::size_t n = 0; n < one->nodes.size(); ++n) {
            const model::Node& a = one->nodes[n];
            const model::Node& b = other->nodes[n];
            const double scale = a.parent.valid() ? 1 : unit;
            const double lengths = a.parent.valid() ? 1 / unit : 1;
            EXPECT_NEAR(b.rest.scale.x, a.rest.scale.x * scale, 1e-6 * std::fabs(a.rest.scale.x)) << name << " " << a.name;
            EXPECT_LT(length(b.rest.translation - a.rest.translation * lengths), 1e-6 * std::max(1.0, length(b.rest.translation))) << name << " " << a.name;
            rescaled += scale != 1 ? 1 : 0;
        }
    }
    std::cout << "  " << poses << " poses of meshes, worst " << worst << " of their size; " << rescaled << " nodes take a scale\n";
    EXPECT_LT(worst, 1e-5);
    EXPECT_GT(poses, 50u);
    EXPECT_GT(rescaled, 5u);
}

// Why there is no `--space root`: a node that holds the conversion, folded into those below it as static nodes above bones are, gives
// what `transforms` gives.
TEST_F(SpaceCorpus, ARootThatConvertsIsFoldedIntoWhatTransformsGives) {
    std::size_t nodes = 0;
    double worst = 0;
    for (const char* name : kFiles) {
        const std::vector<std::byte> bytes = read_bytes(name);
        ufbx_load_opts opts = load_options({});
        opts.space_conversion = UFBX_SPACE_CONVERSION_TRANSFORM_ROOT;
        const Scene root(ufbx_load_memory(bytes.data(), bytes.size(), &opts, nullptr));
        opts.space_conversion = UFBX_SPACE_CONVERSION_ADJUST_TRANSFORMS;
        const Scene adjusted(ufbx_load_memory(bytes.data(), bytes.size(), &opts, nullptr));
        ASSERT_TRUE(root && adjusted);
        for (const ufbx_node* node : root->nodes) {
            if (node->is_root) {
                continue;
            }
            // Below the top nothing differs at all.
            const bool top = node->parent->is_root;
            const model::Mat4 a = to_matrix(top ? node->node_to_world : node->node_to_parent);
            const model::Mat4 b = to_matrix(adjusted->nodes.data[node->typed_id]->node_to_parent);
            for (std::size_t i = 0; i < 16; ++i) {
                worst = std::max(worst, std::fabs(a.m[i] - b.m[i]) / std::max(1.0, std::fabs(b.m[i])));
            }
            ++nodes;
        }
    }
    std::cout << "  " << nodes << " nodes, worst " << worst << "\n";
    EXPECT_LT(worst, 1e-9);
    EXPECT_GT(nodes, 100u);
}

}  // namespace
}  // namespace gomkit::fbx::test
