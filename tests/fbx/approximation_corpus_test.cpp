// How far the corpus's files are off where they are approximated: the numbers of docs/formats/fbx.md.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "clip_keys.hpp"
#include "corpus_files.hpp"
#include "model_pose.hpp"
#include "scene.hpp"

namespace gomkit::fbx::test {
namespace {

using model::Quat;
using model::Vec3;

class Approximations : public ::testing::Test {
protected:
    void SetUp() override {
        files_ = read_table("fbx/manifest.tsv");
        if (files_.empty()) {
            GTEST_SKIP() << "no corpus at " << corpus() << "; set GOMKIT_CORPUS";
        }
    }

    // The paths of the files with a feature, without those that ufbx leaves in a space of their own, and made ones.
    [[nodiscard]] std::vector<std::string> with(const std::string& feature) const {
        std::vector<std::string> out;
        for (const Row& row : files_) {
            const std::string features = " " + row.at("features") + " ";
            if (features.find(" " + feature + " ") != std::string::npos && features.find(" axes-unknown ") == std::string::npos && row.at("file").find("synthetic") == std::string::npos) {
                out.push_back("fbx/" + row.at("file"));
            }
        }
        return out;
    }

    std::vector<Row> files_;
};

double degrees_between(const Quat& a, const Quat& b) {
    const Quat c = dot(a, b) < 0 ? -b : b;
    const Quat d{a.x - c.x, a.y - c.y, a.z - c.z, a.w - c.w};
    return 4 * std::asin(std::min(1.0, length(d) / 2)) * 180 / 3.14159265358979323846;
}

// Half way between whole frames, where samples of a curve are farthest from it.
TEST_F(Approximations, CubicCurvesBetweenFrames) {
    struct Worst {
        double off = 0;
        std::string where;
        void add(double found, const std::string& place) {
            if (found > off) {
                off = found;
                where = place;
            }
        }
    };
    Worst metres;
    Worst degrees;
    std::vector<double> all_metres;
    std::vector<double> all_degrees;
    for (const std::string& name : with("key:cubic")) {
        const auto m = load(name);
        ASSERT_TRUE(m);
        const auto scene = load_scene(read_bytes(name), name, {});
        ASSERT_TRUE(scene);
        for (const model::Clip& clip : m->clips) {
            const Played played = played_layers(**scene, *(*scene)->anim_stacks.data[clip.origin.index]);
            const double fps = m->source.fps;
            for (double frame = std::ceil(clip.source_start * fps); (frame + 0.5) / fps <= clip.source_start + clip.duration && frame < 2000; ++frame) {
                const double time = (frame + 0.5) / fps - clip.source_start;
                for (const model::Track& track : clip.tracks) {
                    const model::Node& node = m->nodes[track.node.value];
                    const ufbx_node* source = (*scene)->nodes.data[node.origin.index];
                    const ufbx_transform truth = ufbx_evaluate_transform(played.anim, source, (frame + 0.5) / fps);
                    const std::string place = name + " " + clip.name + " " + node.name + " " + std::to_string(time);
                    all_metres.push_back(length(key_value(track.translation, node.rest.translation, time) - to_vec3(truth.translation)));
                    all_degrees.push_back(degrees_between(key_value(track.rotation, node.rest.rotation, time), to_quat(truth.rotation)));
                    ASSERT_TRUE(std::isfinite(all_metres.back()) && std::isfinite(all_degrees.back())) << place;
                    metres.add(all_metres.back(), place);
                    degrees.add(all_degrees.back(), place);
                }
            }
        }
    }
    ASSERT_GT(all_metres.size(), 5000u);
    const auto of_all = [](std::vector<double>& list, double part) {
        std::sort(list.begin(), list.end());
        return list[static_cast<std::size_t>(part * static_cast<double>(list.size() - 1))];
    };
    std::cout << "  worst " << metres.off << " m (" << metres.where << "), " << degrees.off << " degrees (" << degrees.where << "); of "
              << all_metres.size() << " 99 % within " << of_all(all_metres, 0.99) << " m and " << of_all(all_degrees, 0.99) << " degrees\n";
    EXPECT_LT(metres.off, 0.0082);
    EXPECT_LT(degrees.off, 9.1);
    EXPECT_LT(of_all(all_metres, 0.99), 0.0013);
    EXPECT_LT(of_all(all_degrees, 0.99), 1.6);
    EXPECT_GT(degrees.off, 1);  // else nothing was looked at that moves
}

// The point of the surface that is nearest, by a search that halves its steps from the nearest of a grid.
double distance_to_surface(const ufbx_nurbs_surface& surface, const Vec3& from) {
    constexpr int kGrid = 64;
    const double u0 = surface.basis_u.t_min;
    const double v0 = surface.basis_v.t_min;
    const double width = surface.basis_u.t_max - u0;
    const double height = surface.basis_v.t_max - v0;
    const auto at = [&](double u, double v) {
        const auto inside = [](double x, double least, double most) { return std::min(std::max(x, least), most); };
        return length(to_vec3(ufbx_evaluate_nurbs_surface(&surface, inside(u, u0, u0 + width), inside(v, v0, v0 + height)).position) - from);
    };
    double best = 1e300;
    double u = 0;
    double v = 0;
    const auto look = [&](double a, double b) {
        const double found = at(a, b);
        if (found < best) {
            best = found;
            u = a;
            v = b;
        }
    };
    for (int i = 0; i <= kGrid; ++i) {
        for (int j = 0; j <= kGrid; ++j) {
            look(u0 + width * i / kGrid, v0 + height * j / kGrid);
        }
    }
    for (double step = 1.0 / kGrid; step > 1e-7; step /= 2) {
        const double a = u;
        const double b = v;
        for (int i = -1; i <= 1; ++i) {
            for (int j = -1; j <= 1; ++j) {
                look(a + width * step * i, b + height * step * j);
            }
        }
    }
    return best;
}

// From the middles of polygons and of their edges to the surface, in parts of the surface's size.
TEST_F(Approximations, NurbsSurfacesAsPolygons) {
    double worst = 0;
    double corners = 0;
    std::size_t polygons = 0;
    for (const std::string& name : with("nurbs")) {
        const auto m = load(name);
        ASSERT_TRUE(m);
        const auto scene = load_scene(read_bytes(name), name, {});
        ASSERT_TRUE(scene);
        for (const ufbx_nurbs_surface* surface : (*scene)->nurbs_surfaces) {
            const auto mesh = std::find_if(m->meshes.begin(), m->meshes.end(), [&](const model::Mesh& candidate) {
                return candidate.origin.index == surface->typed_id && candidate.name == std::string(view(name_of(surface->element)));
            });
            if (mesh == m->meshes.end()) {
                continue;
            }
            Vec3 least = mesh->points[0];
            Vec3 most = least;
            for (const Vec3& p : mesh->points) {
                least = {std::min(least.x, p.x), std::min(least.y, p.y), std::min(least.z, p.z)};
                most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
            }
            double off = 0;
            const std::size_t stride = 1 + mesh->polygon_count() / 500;
            for (std::size_t p = 0; p < mesh->polygon_count(); p += stride) {
                const std::uint32_t first = mesh->polygon_first[p];
                const std::uint32_t count = mesh->polygon_first[p + 1] - first;
                const auto corner = [&](std::uint32_t k) { return mesh->points[mesh->corner_point[first + k % count]]; };
                ASSERT_TRUE(std::isfinite(length(corner(0)))) << name;
                Vec3 middle;
                for (std::uint32_t k = 0; k < count; ++k) {
                    middle += corner(k) * (1.0 / count);
                    off = std::max(off, distance_to_surface(*surface, (corner(k) + corner(k + 1)) * 0.5));
                }
                off = std::max(off, distance_to_surface(*surface, middle));
                corners = std::max(corners, distance_to_surface(*surface, corner(0)) / length(most - least));
                ++polygons;
            }
            std::cout << "  " << name << " " << mesh->name << " " << off / length(most - least) << " of " << length(most - least) << " m\n";
            worst = std::max(worst, off / length(most - least));
        }
    }
    std::cout << "  " << polygons << " polygons, worst " << worst << ", corners " << corners << "\n";
    EXPECT_GT(polygons, 50u);
    EXPECT_LT(worst, 0.0372);
    EXPECT_GT(worst, 0.01);
    EXPECT_LT(corners, 1e-7);
}

// What FBX_SKIN_DUAL_QUATERNION tells of the corpus's files.
TEST_F(Approximations, DualQuaternionSkinsAsLinearOnes) {
    std::size_t files = 0;
    double worst = 0;
    for (const char* kind : {"skin:dq", "skin:blended-dq"}) {
        for (const std::string& name : with(kind)) {
            core::Report report;
            ASSERT_TRUE(make_codec().read(read_bytes(name), name, {}, report));
            for (const core::Issue& issue : report.issues()) {
                for (const auto& [argument, value] : issue.arguments) {
                    if (issue.id == core::IssueId::FBX_SKIN_DUAL_QUATERNION && argument == "distance") {
                        ++files;
                        worst = std::max(worst, std::stod(value));
                    }
                }
            }
        }
    }
    std::cout << "  " << files << " files, worst " << worst << " m\n";
    EXPECT_GE(files, 2u);
    EXPECT_NEAR(worst, 0.0104, 0.00005);
}

}  // namespace
}  // namespace gomkit::fbx::test
