#include <gomkit/pass/render_mesh.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include <gomkit/pass/flip_axes.hpp>
#include <gomkit/pass/normals.hpp>
#include <gomkit/pass/tangents.hpp>

namespace gomkit::pass {
namespace {

using model::Mat4;
using model::Mesh;
using model::Vec3;

// A quad facing -Z with u along +X and v down: conventions.md's own vector.
Mesh quad() {
    Mesh m;
    m.points = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};
    m.corner_point = {0, 1, 2, 3};
    m.polygon_first = {0, 4};
    m.uvs.resize(1);
    m.uvs[0].values = {{0, 1}, {0, 0}, {1, 0}, {1, 1}};
    m.uvs[0].corner_index = {0, 1, 2, 3};
    return m;
}

RenderMesh build(const Mesh& mesh, const RenderMeshOptions& options = {}) {
    RenderMeshStats stats;
    return build_render_mesh(mesh, options, stats);
}

// covers CONV-TAN-4, CONV-WIND-1
TEST(RenderMesh, GivesTheSpecificationsTangentVector) {
    const RenderMesh out = build(quad());
    ASSERT_EQ(out.vertices.size(), 4u);
    ASSERT_EQ(out.indices.size(), 6u);
    for (const RenderVertex& v : out.vertices) {
        EXPECT_FLOAT_EQ(v.normal[2], -1);
        EXPECT_FLOAT_EQ(v.tangent[0], 1);
        EXPECT_FLOAT_EQ(v.tangent[1], 0);
        EXPECT_FLOAT_EQ(v.tangent[3], -1);
    }
}

TEST(RenderMesh, MirroringReversesTrianglesAndKeepsNormalsOutward) {
    RenderMeshOptions options;
    options.geometry_to_target.m[0] = -1;
    const RenderMesh out = build(quad(), options);
    for (std::size_t i = 0; i < out.indices.size(); i += 3) {
        const auto p = [&](std::size_t k) {
            const float* f = out.vertices[out.indices[i + k]].position;
            return Vec3{static_cast<double>(f[0]), static_cast<double>(f[1]), static_cast<double>(f[2])};
        };
        EXPECT_LT(cross(p(1) - p(0), p(2) - p(0)).z, 0);
    }
    for (const RenderVertex& v : out.vertices) {
        EXPECT_FLOAT_EQ(v.normal[2], -1);
        EXPECT_FLOAT_EQ(v.tangent[0], -1);
        EXPECT_FLOAT_EQ(v.tangent[3], 1);  // up stays up: cross(n, t) = (0, 1, 0)
    }
}

TEST(RenderMesh, NormalsFollowANonUniformScale) {
    Mesh m = quad();
    // Tilted by 45 degrees in YZ; stretching Y must turn the normal towards Z.
    for (Vec3& p : m.points) {
        p.z = p.y;
    }
    RenderMeshOptions options;
    options.geometry_to_target.m[5] = 2;
    const RenderMesh out = build(m, options);
    // The plane's normal: perpendicular to (0, 2, 1) and to x.
    EXPECT_NEAR(out.vertices[0].normal[1], 1 / std::sqrt(5.0), 1e-6);
    EXPECT_NEAR(out.vertices[0].normal[2], -2 / std::sqrt(5.0), 1e-6);
}

TEST(RenderMesh, WeldsEqualVerticesOfDifferentPoints) {
    Mesh m = quad();
    // The same square as two triangles that share nothing.
    m.points = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {1, 0, 0}};
    m.corner_point = {0, 1, 2, 3, 4, 5};
    m.polygon_first = {0, 3, 6};
    m.uvs[0].corner_index = {0, 1, 2, 0, 2, 3};
    const RenderMesh out = build(m);
    EXPECT_EQ(out.vertices.size(), 4u);
    EXPECT_EQ(out.indices, (core::LargeVector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
}

// covers GOM-PART-3
TEST(RenderMesh, NumbersVerticesByFirstUseAndDropsUnusedOnes) {
    Mesh m = quad();
    m.points.insert(m.points.begin(), Vec3{9, 9, 9});
    for (std::uint32_t& p : m.corner_point) {
        ++p;
    }
    const RenderMesh out = build(m);
    std::uint32_t seen = 0;
    for (const std::uint32_t i : out.indices) {
        EXPECT_LE(i, seen);
        seen = std::max(seen, i + 1);
    }
    EXPECT_EQ(seen, out.vertices.size());
    EXPECT_EQ(out.vertices.size(), 4u);
}

TEST(RenderMesh, GroupsTrianglesBySlotInAscendingOrder) {
    Mesh m;
    m.points = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    for (std::uint32_t p = 0; p < 4; ++p) {
        m.corner_point.insert(m.corner_point.end(), {0, 1, 2});
    }
    m.polygon_first = {0, 3, 6, 9, 12};
    m.polygon_material = {2, 0, 1, 0};
    const std::vector<std::uint32_t> map = {5, 3, 3};
    RenderMeshOptions options;
    options.slot_map = map;
    const RenderMesh out = build(m, options);
    ASSERT_EQ(out.submeshes.size(), 2u);
    EXPECT_EQ(out.submeshes[0].material_slot, 3u);
    EXPECT_EQ(out.submeshes[0].index_count, 6u);
    EXPECT_EQ(out.submeshes[1].material_slot, 5u);
    EXPECT_EQ(out.submeshes[1].index_start, 6u);
}

TEST(RenderMesh, WritesNoNegativeZeroAndNoNonFinitePosition) {
    Mesh m = quad();
    m.points[0] = {-0.0, std::nan(""), 0};
    m.points[1] = {-0.0, 1, -0.0};
    m.uvs[0].values[0] = {std::numeric_limits<double>::infinity(), 0};
    RenderMeshStats stats;
    const RenderMesh out = build_render_mesh(m, {}, stats);
    EXPECT_EQ(stats.non_finite_vertices, 1u);
    for (const RenderVertex& v : out.vertices) {
        const auto* f = reinterpret_cast<const float*>(&v);
        for (int i = 0; i < 12; ++i) {
            EXPECT_TRUE(std::isfinite(f[i]));
            EXPECT_FALSE(f[i] == 0 && std::signbit(f[i]));
        }
    }
}

TEST(RenderMesh, BindsPointsWithoutWeightsToTheFallback) {
    Mesh m = quad();
    m.skin.emplace();
    m.skin->clusters.resize(2);
    m.skin->first = {0, 1, 2, 2, 3};
    m.skin->influences = {{0, 1.0}, {1, 0.5}, {0, -1.0}};
    const std::vector<std::uint16_t> bones = {4, 7};
    RenderMeshOptions options;
    options.cluster_bones = bones;
    options.fallback_bone = 9;
    RenderMeshStats stats;
    const RenderMesh out = build_render_mesh(m, options, stats);
    EXPECT_EQ(stats.unweighted_points, 2u);
    EXPECT_EQ(out.vertices[0].bone[0], 4);
    EXPECT_EQ(out.vertices[1].bone[0], 7);
    EXPECT_EQ(out.vertices[1].weight[0], 1.0f);
    EXPECT_EQ(out.vertices[2].bone[0], 9);
    EXPECT_EQ(out.vertices[2].weight[0], 1.0f);
}

TEST(RenderMesh, TangentsAreUnitAndOrthogonalWhateverTheUv) {
    Mesh m = quad();
    m.uvs[0].values = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};  // no usable direction
    for (const TangentMode mode : {TangentMode::Auto, TangentMode::None}) {
        RenderMeshOptions options;
        options.tangents = mode;
        for (const RenderVertex& v : build(m, options).vertices) {
            double squared = 0;
            double along = 0;
            for (int i = 0; i < 3; ++i) {
                squared += static_cast<double>(v.tangent[i]) * static_cast<double>(v.tangent[i]);
                along += static_cast<double>(v.tangent[i]) * static_cast<double>(v.normal[i]);
            }
            EXPECT_NEAR(squared, 1, 1e-5);
            EXPECT_NEAR(along, 0, 1e-5);
            EXPECT_EQ(std::fabs(v.tangent[3]), 1.0f);
        }
    }
}

// covers CONV-TAN-5
TEST(Tangents, ArbitraryOneLiesOnTheAxisLeastAlignedWithTheNormal) {
    const float up[3] = {0, 1, 0};
    const Tangent t = arbitrary_tangent(up);
    EXPECT_EQ(t.v[0], 1.0f);
    EXPECT_EQ(t.v[3], 1.0f);
    const float x[3] = {1, 0, 0};
    EXPECT_EQ(arbitrary_tangent(x).v[1], 1.0f);
}

TEST(Normals, AreWeightedByAreaAndStopAtHardEdges) {
    // Two faces at a right angle along the edge of points 0 and 1; the second is four times as large.
    Mesh m;
    m.points = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 4, 0}};
    m.corner_point = {0, 1, 2, 1, 0, 3};
    m.polygon_first = {0, 3, 6};
    const std::vector<Vec3> soft = generate_normals(m);
    EXPECT_EQ(soft[0], soft[4]);
    EXPECT_EQ(soft[1], soft[3]);
    EXPECT_NEAR(std::fabs(soft[0].x) / std::fabs(soft[0].y), 4, 1e-12);
    m.hard_edge = {true, false, false, false, false, false};
    const std::vector<Vec3> half = generate_normals(m);
    EXPECT_NEAR(std::fabs(half[0].y), 1, 1e-12);
    EXPECT_NEAR(std::fabs(half[4].x), 1, 1e-12);
    m.hard_edge.clear();
    m.flat_polygon = {false, true};
    const std::vector<Vec3> flat = generate_normals(m);
    EXPECT_NEAR(std::fabs(flat[0].y), 1, 1e-12);
}

TEST(FlipAxes, MirrorsATransformAsItMirrorsPoints) {
    model::Model m;
    model::Node node;
    node.rest.translation = {1, 2, 3};
    node.rest.rotation = runtime::normalized(model::Quat{.1, .2, .3, .9});
    node.rest.scale = {1, 2, 3};
    node.bind_local = runtime::to_matrix(node.rest);
    m.nodes.push_back(node);
    mirror_x(m);
    const Vec3 p{0.3, -0.7, 1.1};
    const Vec3 direct = transform_point(p, runtime::to_matrix(node.rest));
    const Vec3 mirrored = transform_point(Vec3{-p.x, p.y, p.z}, runtime::to_matrix(m.nodes[0].rest));
    EXPECT_NEAR(mirrored.x, -direct.x, 1e-12);
    EXPECT_NEAR(mirrored.y, direct.y, 1e-12);
    EXPECT_NEAR(mirrored.z, direct.z, 1e-12);
    const Vec3 bind = transform_point(Vec3{-p.x, p.y, p.z}, m.nodes[0].bind_local);
    EXPECT_NEAR(bind.x, -direct.x, 1e-12);
}

TEST(FlipAxes, ChangesATransformAsItChangesPoints) {
    model::Model m;
    model::Node node;
    node.rest.translation = {1, 2, 3};
    node.rest.rotation = runtime::normalized(model::Quat{.1, .2, .3, .9});
    node.rest.scale = {1, 2, 3};
    node.bind_local = runtime::to_matrix(node.rest);
    const Vec3 p{0.3, -0.7, 1.1};
    const Vec3 direct = transform_point(p, node.bind_local);
    int mirrors = 0;
    for (const auto& source : {std::array<std::size_t, 3>{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}) {
        for (int bits = 0; bits < 8; ++bits) {
            const AxisMap map{source, {bits & 1 ? -1.0 : 1.0, bits & 2 ? -1.0 : 1.0, bits & 4 ? -1.0 : 1.0}};
            const auto changed = [&](const Vec3& v) {
                const double old[3] = {v.x, v.y, v.z};
                return Vec3{map.sign[0] * old[source[0]], map.sign[1] * old[source[1]], map.sign[2] * old[source[2]]} * 10.0;
            };
            m.nodes = {node};
            m.meshes = {quad()};
            const Vec3 second = m.meshes[0].points[m.meshes[0].corner_point[1]];
            change_axes(m, map, 10);
            EXPECT_LT(length(transform_point(changed(p), runtime::to_matrix(m.nodes[0].rest)) - changed(direct)), 1e-12);
            EXPECT_LT(length(transform_point(changed(p), m.nodes[0].bind_local) - changed(direct)), 1e-12);
            const bool kept = length(m.meshes[0].points[m.meshes[0].corner_point[1]] - changed(second)) < 1e-12;
            mirrors += kept ? 0 : 1;
            EXPECT_EQ(map.is_identity(), bits == 0 && source == (std::array<std::size_t, 3>{0, 1, 2}));
        }
    }
    EXPECT_EQ(mirrors, 24);  // half of them turn the polygons round
}

TEST(FlipAxes, KeepsFrontsInFront) {
    model::Model m;
    m.meshes.push_back(quad());
    mirror_x(m);
    const RenderMesh out = build(m.meshes[0]);
    for (const RenderVertex& v : out.vertices) {
        EXPECT_FLOAT_EQ(v.normal[2], -1);  // generated from the winding
    }
}

}  // namespace
}  // namespace gomkit::pass
