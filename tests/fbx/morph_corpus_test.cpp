// Blend shapes of the corpus's files against what other programs show of them: the OBJ snapshots of fbx-ref, and Blender's own
// evaluation. The Model itself is evaluated (model_pose.hpp), so no run-time format is between.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "corpus_files.hpp"
#include "model_pose.hpp"
#include "scene.hpp"

namespace gomkit::fbx::test {
namespace {

using model::Vec3;

// The points of an OBJ that its faces use.
std::vector<Vec3> obj_points(const std::string& path) {
    std::istringstream lines(read_text(path));
    std::vector<Vec3> all;
    std::set<std::size_t> used;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "v") {
            Vec3 p;
            words >> p.x >> p.y >> p.z;
            all.push_back(p);
        } else if (word == "f") {
            while (words >> word) {
                const long index = std::stol(word);
                used.insert(static_cast<std::size_t>(index > 0 ? index - 1 : static_cast<long>(all.size()) + index));
            }
        }
    }
    std::vector<Vec3> out;
    for (const std::size_t i : used) {
        out.push_back(all[i]);
    }
    return out;
}

double along(const Vec3& p, const std::string& axis) {
    const double value = axis[1] == 'X' ? p.x : axis[1] == 'Y' ? p.y : p.z;
    return axis[0] == '-' ? -value : value;
}

// The largest distance from a point of `a` to its nearest of `b`.
double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double worst = 0;
    for (const Vec3& p : a) {
        double best = 1e300;
        for (const Vec3& q : b) {
            best = std::min(best, dot(p - q, p - q));
        }
        worst = std::max(worst, best);
    }
    return std::sqrt(worst);
}

// What faces use of every placed mesh, or of those with shapes.
std::vector<Vec3> drawn_points(const model::Model& m, const model::Clip* clip, double time, bool only_shapes) {
    std::vector<Vec3> out;
    for (const model::MeshInstance& instance : m.instances) {
        if (only_shapes && m.meshes[instance.mesh.value].morphs.empty()) {
            continue;
        }
        const std::vector<Vec3> points = posed_points(m, instance, clip, time);
        const auto& corners = m.meshes[instance.mesh.value].corner_point;
        for (const std::uint32_t p : std::set<std::uint32_t>(corners.begin(), corners.end())) {
            out.push_back(points[p]);
        }
    }
    return out;
}

const model::Clip* find_clip(const model::Model& m, const std::string& name) {
    for (const model::Clip& clip : m.clips) {
        if (name == "-" || clip.name == name || clip.name.substr(clip.name.rfind('|') + 1) == name) {
            return &clip;
        }
    }
    return nullptr;
}

class MorphCorpus : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(corpus() + "/fbx/manifest.tsv")) {
            GTEST_SKIP() << "no corpus at " << corpus() << "; set GOMKIT_CORPUS";
        }
    }
};

TEST_F(MorphCorpus, ShapesOfEveryFileWithAReferenceArePlacedAsTheProgramHadThem) {
    std::map<std::string, Row> files;
    for (const Row& row : read_table("fbx/manifest.tsv")) {
        if (row.at("features").find("blend-shape") != std::string::npos) {
            files[row.at("file")] = row;
        }
    }
    std::size_t compared = 0;
    for (const Row& row : read_table("fbx-ref/references.tsv")) {
        const auto file = files.find(row.at("file"));
        if (file == files.end() || row.at("trusted") != "yes") {
            continue;
        }
        const auto m = load("fbx/" + row.at("file"));
        ASSERT_TRUE(m);
        const bool moves = row.at("kind") == "frame";
        const model::Clip* clip = moves ? find_clip(*m, row.at("stack")) : nullptr;
        ASSERT_EQ(clip != nullptr, moves) << row.at("file");
        const double unit = std::stod(file->second.at("unit_m"));
        std::istringstream axes(file->second.at("axes_right_up_front"));
        std::string right, up, front;
        axes >> right >> up >> front;
        const bool left_handed = row.at("obj_space").starts_with("left-handed");
        ASSERT_TRUE(left_handed || row.at("obj_space") == "file") << row.at("obj_space");
        std::vector<Vec3> expected;
        for (const Vec3& p : obj_points(corpus() + "/fbx-ref/" + row.at("obj"))) {
            expected.push_back(Vec3{-along(p, right), along(p, up), (left_handed ? -1 : 1) * along(p, front)} * unit);
        }
        // What caches and dual quaternions make of other meshes is no matter here.
        const bool has_more = file->second.at("features").find("cache") != std::string::npos;
        const std::vector<Vec3> got = drawn_points(*m, clip, moves ? std::stod(row.at("time_s")) - clip->source_start : 0, has_more);
        ASSERT_FALSE(got.empty());
        const double worst = std::max(has_more ? 0 : farthest(expected, got), farthest(got, expected));
        std::cout << "  " << row.at("obj") << ": " << worst / unit << " of " << row.at("extent") << "\n";
        EXPECT_LT(worst, std::stod(row.at("tolerance")) * unit) << row.at("obj");
        ++compared;
    }
    EXPECT_GE(compared, 17u);
}

// Vertex by vertex, so that what nearest points hide is seen.
TEST_F(MorphCorpus, ShapesOfASkinnedMeshFollowBlender) {
    const auto m = load("blender/c_two_meshes_shapes.fbx");
    ASSERT_TRUE(m);
    const auto truth = nlohmann::json::parse(read_text(corpus() + "/blender/c_two_meshes_shapes.json"));
    double worst = 0;
    double moved = 0;
    for (const auto& stack : truth["stacks"]) {
        const model::Clip* clip = find_clip(*m, stack["name"].get<std::string>());
        ASSERT_NE(clip, nullptr);
        for (const auto& frame : stack["frames"]) {
            for (const model::MeshInstance& instance : m->instances) {
                const auto& flat = frame["meshes"][instance.name];
                const auto& still = frame["meshes_no_shape_keys"].value(instance.name, flat);
                const std::vector<Vec3> got = posed_points(*m, instance, clip, frame["time"].get<double>());
                const auto place = [](const nlohmann::json& list, std::size_t i) {
                    const auto at = [&](std::size_t k) { return list[i * 3 + k].get<double>(); };
                    return Vec3{-at(0), at(2), -at(1)};
                };
                ASSERT_EQ(flat.size(), got.size() * 3);
                for (std::size_t i = 0; i < got.size(); ++i) {
                    worst = std::max(worst, length(got[i] - place(flat, i)));
                    moved = std::max(moved, length(place(still, i) - place(flat, i)));
                }
            }
        }
    }
    std::cout << "  worst " << worst << " m; shapes move up to " << moved << " m\n";
    EXPECT_LT(worst, 1e-4);
    EXPECT_GT(moved, 0.01);
}

// ufbx's own evaluation of every file with shapes, at whole frames; it sees in-betweens in any order and weights of points.
TEST_F(MorphCorpus, ShapesOfEveryFileFollowUfbxAtWholeFrames) {
    std::size_t meshes = 0;
    std::size_t times = 0;
    double worst = 0;
    for (const Row& row : read_table("fbx/manifest.tsv")) {
        if (row.at("features").find("blend-shape") == std::string::npos) {
            continue;
        }
        const std::string name = "fbx/" + row.at("file");
        const auto m = load(name);
        ASSERT_TRUE(m);
        const std::vector<std::byte> bytes = read_bytes(name);
        ufbx_load_opts with_weights = load_options({});
        with_weights.skip_skin_vertices = false;
        const Scene scene(ufbx_load_memory(bytes.data(), bytes.size(), &with_weights, nullptr));
        ASSERT_TRUE(scene);
        ufbx_evaluate_opts how{};
        how.evaluate_skinning = true;
        const auto compare = [&](const ufbx_anim* anim, const model::Clip* clip, double time) {
            const Scene posed(ufbx_evaluate_scene(scene.get(), anim, time, &how, nullptr));
            ASSERT_TRUE(posed);
            for (const model::MeshInstance& instance : m->instances) {
                const ufbx_node* node = posed->nodes.data[instance.origin.index];
                const ufbx_mesh* mesh = node->mesh;
                if (mesh == nullptr || mesh->blend_deformers.count == 0 || mesh->cache_deformers.count != 0 || blends_by_dual_quaternions(*mesh)) {
                    continue;
                }
                ++meshes;
                const std::vector<Vec3> got = posed_points(*m, instance, clip, clip != nullptr ? time - clip->source_start : 0);
                ASSERT_EQ(got.size(), mesh->num_vertices);
                for (std::size_t i = 0; i < got.size(); ++i) {
                    ufbx_vec3 p = mesh->skinned_position.values.data[i];
                    p = mesh->skinned_is_local ? ufbx_transform_position(&node->geometry_to_world, p) : p;
                    worst = std::max(worst, length(got[i] - to_vec3(p)) / std::max(1.0, length(to_vec3(p))));
                }
            }
        };
        const Anim still(ufbx_create_anim(scene.get(), nullptr, nullptr));
        compare(still.get(), nullptr, 0);
        for (const model::Clip& clip : m->clips) {
            const ufbx_anim_stack* stack = scene->anim_stacks.data[clip.origin.index];
            const double fps = m->source.fps;
            for (double frame = std::ceil(clip.source_start * fps - 1e-6); frame <= (clip.source_start + clip.duration) * fps + 1e-6 && frame < 1000; ++frame) {
                ++times;
                compare(stack->anim, &clip, frame / fps);
            }
        }
    }
    std::cout << "  " << meshes << " poses of meshes at " << times << " times, worst " << worst << "\n";
    EXPECT_LT(worst, 2e-6);
    EXPECT_GT(times, 100u);
}

}  // namespace
}  // namespace gomkit::fbx::test
