#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include <gomkit/pass/flip_axes.hpp>
#include <gomkit/pass/render_mesh.hpp>

namespace gomkit::pass {
namespace {

using model::Mesh;
using model::MorphShape;
using model::Vec3;

// `count` quads in the plane Z = 0, facing -Z, side by side along X; points 2 i and 2 i + 1 lie at x = i, below and above. U is x.
Mesh band(std::uint32_t count) {
    Mesh m;
    m.polygon_first = {0};
    m.uvs.resize(1);
    for (std::uint32_t i = 0; i <= count; ++i) {
        m.points.push_back({static_cast<double>(i), 0, 0});
        m.points.push_back({static_cast<double>(i), 1, 0});
        m.uvs[0].values.push_back({static_cast<double>(i), 1});
        m.uvs[0].values.push_back({static_cast<double>(i), 0});
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const std::uint32_t p : {2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2}) {
            m.corner_point.push_back(p);
            m.uvs[0].corner_index.push_back(p);
        }
        m.polygon_first.push_back(4 * (i + 1));
    }
    return m;
}

// A cube of edge 1 with the normals of its faces as its own; points 4 to 7 are its upper side.
Mesh cube() {
    Mesh m;
    m.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {0, 1, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}};
    m.corner_point = {0, 1, 2, 3, 4, 7, 6, 5, 0, 4, 5, 1, 1, 5, 6, 2, 2, 6, 7, 3, 3, 7, 4, 0};
    m.polygon_first = {0, 4, 8, 12, 16, 20, 24};
    m.normals.values = {{0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {1, 0, 0}, {0, 0, 1}, {-1, 0, 0}};
    for (std::uint32_t face = 0; face < 6; ++face) {
        m.normals.corner_index.insert(m.normals.corner_index.end(), 4, face);
    }
    return m;
}

MorphShape& add_shape(Mesh& mesh, core::LargeVector<std::uint32_t> points, core::LargeVector<Vec3> offsets) {
    model::MorphChannel channel;
    channel.name = "shape" + std::to_string(mesh.morphs.size());
    MorphShape& shape = channel.shapes.emplace_back();
    shape.points = std::move(points);
    shape.offsets = std::move(offsets);
    mesh.morphs.push_back(std::move(channel));
    return mesh.morphs.back().shapes.back();
}

RenderMesh build(const Mesh& mesh, const RenderMeshOptions& options = {}) {
    RenderMeshStats stats;
    return build_render_mesh(mesh, options, stats);
}

void expect_near(const std::array<float, 3>& got, const Vec3& expected) {
    EXPECT_NEAR(got[0], expected.x, 1e-6);
    EXPECT_NEAR(got[1], expected.y, 1e-6);
    EXPECT_NEAR(got[2], expected.z, 1e-6);
}

// The offset of the vertex that stands at `place`; fails where the shape does not move exactly one there.
struct Moved {
    std::array<float, 3> position{};
    std::array<float, 3> normal{};
    int count = 0;
};
Moved moved_at(const RenderMesh& mesh, const RenderMorph& morph, const Vec3& place) {
    Moved out;
    for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
        const float* p = mesh.vertices[morph.vertices[i]].position;
        if (static_cast<double>(p[0]) == place.x && static_cast<double>(p[1]) == place.y && static_cast<double>(p[2]) == place.z) {
            out.position = morph.positions[i];
            out.normal = morph.normals[i];
            ++out.count;
        }
    }
    return out;
}

TEST(RenderMorph, OffsetsGoTheWayOfPointsAndNormalsOfNormals) {
    Mesh m = band(1);
    m.normals.values = {{0, 0, -1}};
    m.normals.corner_index = {0, 0, 0, 0};
    add_shape(m, {3}, {{1, 2, 3}}).normal_offsets = {{1, 0, 0}};
    RenderMeshOptions options;
    options.geometry_to_target.m[0] = 2;
    options.geometry_to_target.m[12] = 5;
    const RenderMesh out = build(m, options);
    ASSERT_EQ(out.morphs.size(), 1u);
    ASSERT_EQ(out.morphs[0].vertices.size(), 1u);
    const Moved moved = moved_at(out, out.morphs[0], {7, 1, 0});
    EXPECT_EQ(moved.count, 1);
    expect_near(moved.position, {2, 2, 3});
    // (1, 0, -1) by the inverse transpose is (0.5, 0, -1), of length sqrt(1.25); the written normal is (0, 0, -1).
    expect_near(moved.normal, {0.5 / std::sqrt(1.25), 0, 1 - 1 / std::sqrt(1.25)});
}

TEST(RenderMorph, MirroringKeepsNormalsOutward) {
    Mesh m = band(1);
    add_shape(m, {2, 3}, {{0, 0, -1}, {0, 0, -1}});
    RenderMeshOptions options;
    options.geometry_to_target.m[0] = -1;
    const RenderMesh out = build(m, options);
    const double half = std::sqrt(0.5);
    // The tilted plane's normal is (-1, 0, -1) before it is mirrored.
    const Moved moved = moved_at(out, out.morphs[0], {-1, 1, 0});
    expect_near(moved.position, {0, 0, -1});
    expect_near(moved.normal, {half, 0, 1 - half});
}

TEST(RenderMorph, NormalsThatTheSourceDoesNotHaveAreComputedAlsoOfPointsThatStay) {
    Mesh m = band(1);
    add_shape(m, {2, 3}, {{0, 0, -1}, {0, 0, -1}});
    const RenderMesh out = build(m);
    ASSERT_EQ(out.morphs[0].vertices.size(), 4u);
    const double half = std::sqrt(0.5);
    for (const std::array<float, 3>& normal : out.morphs[0].normals) {
        expect_near(normal, {-half, 0, 1 - half});
    }
    expect_near(moved_at(out, out.morphs[0], {0, 0, 0}).position, {0, 0, 0});
    expect_near(moved_at(out, out.morphs[0], {1, 0, 0}).position, {0, 0, -1});
}

TEST(RenderMorph, ComputedNormalsKeepTheEdgesOfTheSourcesOwn) {
    Mesh m = cube();
    // The upper side goes up by half: the sides grow, and no face turns. Smooth normals of the corners would.
    add_shape(m, {4, 5, 6, 7}, {{0, 0.5, 0}, {0, 0.5, 0}, {0, 0.5, 0}, {0, 0.5, 0}});
    const RenderMesh out = build(m);
    EXPECT_EQ(out.vertices.size(), 24u);
    ASSERT_EQ(out.morphs[0].vertices.size(), 12u);
    for (std::size_t i = 0; i < 12; ++i) {
        expect_near(out.morphs[0].positions[i], {0, 0.5, 0});
        EXPECT_EQ(out.morphs[0].normals[i], (std::array<float, 3>{}));
    }
}

TEST(RenderMorph, GeneratedNormalsHaveNoUseForTheSourcesOffsets) {
    Mesh m = band(1);
    m.normals.values = {{0, 0, -1}};
    m.normals.corner_index = {0, 0, 0, 0};
    add_shape(m, {2, 3}, {{0, 0, -1}, {0, 0, -1}}).normal_offsets = {{5, 0, 0}, {5, 0, 0}};
    RenderMeshOptions options;
    options.normals = NormalMode::Generate;
    expect_near(moved_at(build(m, options), build(m, options).morphs[0], {1, 0, 0}).normal, {-std::sqrt(0.5), 0, 1 - std::sqrt(0.5)});
}

TEST(RenderMorph, VerticesOfOnePlaceStayApartWhereAShapeMovesThemApart) {
    // The two quads have points of their own at x = 1.
    Mesh m = band(2);
    m.points.insert(m.points.end(), {{1, 0, 0}, {1, 1, 0}});
    m.corner_point[4] = 6;
    m.corner_point[5] = 7;
    EXPECT_EQ(build(m).vertices.size(), 6u);
    Mesh together = m;
    add_shape(together, {2, 3, 6, 7}, {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}});
    const RenderMesh joined = build(together);
    EXPECT_EQ(joined.vertices.size(), 6u);
    EXPECT_EQ(joined.morphs[0].vertices.size(), 2u);
    EXPECT_EQ(moved_at(joined, joined.morphs[0], {1, 1, 0}).count, 1);
    Mesh apart = m;
    add_shape(apart, {2, 3, 6}, {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}});
    const RenderMesh split = build(apart);
    EXPECT_EQ(split.vertices.size(), 7u);
    EXPECT_EQ(split.morphs[0].vertices.size(), 2u);
    EXPECT_EQ(moved_at(split, split.morphs[0], {1, 1, 0}).count, 1);
    EXPECT_TRUE(std::is_sorted(split.morphs[0].vertices.begin(), split.morphs[0].vertices.end()));
}

TEST(RenderMorph, CornersOfOnePointArePartedWhereTheirNormalsPart) {
    Mesh m = band(2);
    m.flat_polygon = {true, true};
    EXPECT_EQ(build(m).vertices.size(), 6u);
    // The right quad tilts about x = 1, the left one stays.
    add_shape(m, {4, 5}, {{0, 0, -1}, {0, 0, -1}});
    const RenderMesh out = build(m);
    EXPECT_EQ(out.vertices.size(), 8u);
    EXPECT_EQ(out.morphs[0].vertices.size(), 4u);
    const Moved at_the_edge = moved_at(out, out.morphs[0], {1, 0, 0});
    EXPECT_EQ(at_the_edge.count, 1);
    expect_near(at_the_edge.normal, {-std::sqrt(0.5), 0, 1 - std::sqrt(0.5)});
    EXPECT_EQ(moved_at(out, out.morphs[0], {0, 0, 0}).count, 0);
    // Where the shape does not bend it nothing is parted.
    Mesh moved_as_one = band(2);
    moved_as_one.flat_polygon = {true, true};
    add_shape(moved_as_one, {0, 1, 2, 3, 4, 5}, {6, Vec3{0, 0, -1}});
    EXPECT_EQ(build(moved_as_one).vertices.size(), 6u);
}

TEST(RenderMorph, FollowsVerticesThatTangentsSplit) {
    Mesh m = band(2);
    m.uvs[0].values[4].x = m.uvs[0].values[5].x = 0;  // mirrored at x = 1
    EXPECT_EQ(build(m).vertices.size(), 8u);
    add_shape(m, {3}, {{0, 0.25, 0}});
    const RenderMesh out = build(m);
    EXPECT_EQ(out.vertices.size(), 8u);
    ASSERT_EQ(out.morphs[0].vertices.size(), 2u);
    EXPECT_EQ(moved_at(out, out.morphs[0], {1, 1, 0}).count, 2);
}

TEST(RenderMorph, ListsEveryShapeAndLeavesTheMeshAloneWhereNothingMoves) {
    Mesh m = cube();
    const RenderMesh plain = build(m);
    add_shape(m, {}, {});
    add_shape(m, {1}, {{0, 0, 0}});
    m.morphs[1].shapes.push_back(m.morphs[1].shapes[0]);
    const RenderMesh out = build(m);
    ASSERT_EQ(out.vertices.size(), plain.vertices.size());
    EXPECT_EQ(std::memcmp(out.vertices.data(), plain.vertices.data(), plain.vertices.size() * sizeof(RenderVertex)), 0);
    EXPECT_EQ(out.indices, plain.indices);
    ASSERT_EQ(out.morphs.size(), 3u);
    for (const RenderMorph& morph : out.morphs) {
        EXPECT_TRUE(morph.vertices.empty());
    }
    EXPECT_EQ(out.morphs[2].channel, 1u);
    EXPECT_EQ(out.morphs[2].shape, 1u);
}

// Against the mesh whose points are moved: every corner of every triangle, whatever normals do there.
TEST(RenderMorph, GivesTheMeshThatHasTheShapeInItsPoints) {
    std::mt19937 random(3);
    const auto any = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
    for (int round = 0; round < 20; ++round) {
        constexpr std::uint32_t kSide = 8;
        Mesh m;
        m.polygon_first = {0};
        for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
            m.points.push_back({i % kSide + any(-0.2, 0.2), any(-0.5, 0.5), i / kSide + any(-0.2, 0.2)});
        }
        for (std::uint32_t i = 0; i + kSide < kSide * kSide; ++i) {
            if ((i + 1) % kSide != 0) {
                const std::uint32_t corners[] = {i, i + kSide, i + 1, i + 1, i + kSide, i + kSide + 1};
                m.corner_point.insert(m.corner_point.end(), std::begin(corners), std::end(corners));
                m.polygon_first.push_back(static_cast<std::uint32_t>(m.corner_point.size()) - 3);
                m.polygon_first.push_back(static_cast<std::uint32_t>(m.corner_point.size()));
            }
        }
        for (std::size_t p = 0; p < m.polygon_count(); ++p) {
            m.flat_polygon.push_back(any(0, 1) < 0.2);
        }
        for (std::size_t c = 0; c < m.corner_point.size(); ++c) {
            m.hard_edge.push_back(any(0, 1) < 0.2);
        }
        std::vector<Mesh> shaped(3, m);
        for (Mesh& target : shaped) {
            core::LargeVector<std::uint32_t> points;
            core::LargeVector<Vec3> offsets;
            for (std::uint32_t p = 0; p < m.points.size(); ++p) {
                if (any(0, 1) < 0.1) {
                    points.push_back(p);
                    offsets.push_back({any(-0.3, 0.3), any(-1, 1), any(-0.3, 0.3)});
                    target.points[p] += offsets.back();
                }
            }
            add_shape(m, points, offsets);
        }
        RenderMeshOptions options;
        options.geometry_to_target.m[0] = -2;
        options.geometry_to_target.m[6] = 0.5;
        const RenderMesh out = build(m, options);
        for (std::size_t s = 0; s < shaped.size(); ++s) {
            const RenderMesh expected = build(shaped[s], options);
            ASSERT_EQ(out.indices.size(), expected.indices.size());
            std::vector<RenderVertex> moved(out.vertices.begin(), out.vertices.end());
            for (std::size_t i = 0; i < out.morphs[s].vertices.size(); ++i) {
                for (std::size_t k = 0; k < 3; ++k) {
                    moved[out.morphs[s].vertices[i]].position[k] += out.morphs[s].positions[i][k];
                    moved[out.morphs[s].vertices[i]].normal[k] += out.morphs[s].normals[i][k];
                }
            }
            for (std::size_t i = 0; i < out.indices.size(); ++i) {
                for (std::size_t k = 0; k < 3; ++k) {
                    ASSERT_NEAR(moved[out.indices[i]].position[k], expected.vertices[expected.indices[i]].position[k], 1e-5);
                    ASSERT_NEAR(moved[out.indices[i]].normal[k], expected.vertices[expected.indices[i]].normal[k], 1e-5);
                }
            }
        }
    }
}

TEST(RenderMorph, TakesFinalVerticesAsTheyAre) {
    Mesh m = band(1);
    m.final_vertices = true;
    m.corner_point = {0, 1, 2};
    m.polygon_first = {0, 3};
    m.normals.values = {4, Vec3{0, 0, -1}};
    m.normals.corner_index = m.corner_point;
    m.tangents.values = {4, model::Vec4{1, 0, 0, 1}};
    m.tangents.corner_index = m.corner_point;
    m.uvs[0].corner_index = m.corner_point;
    add_shape(m, {1, 2}, {{0, 0, 0}, {1, 2, 3}}).normal_offsets = {{0.5, 0, 0}, {0, 0, 0}};
    RenderMeshOptions options;
    options.geometry_to_target.m[0] = 2;
    const RenderMesh out = build(m, options);
    ASSERT_EQ(out.morphs.size(), 1u);
    EXPECT_EQ(out.morphs[0].vertices, (core::LargeVector<std::uint32_t>{1, 2}));
    expect_near(out.morphs[0].positions[1], {1, 2, 3});
    expect_near(out.morphs[0].normals[0], {0.5, 0, 0});
}

TEST(RenderMorph, OffsetsAreTurnedWithTheAxes) {
    model::Model model;
    model.meshes.push_back(band(1));
    add_shape(model.meshes[0], {3}, {{1, 2, 3}}).normal_offsets = {{0.1, 0.2, 0.3}};
    // X from Z, Y stays, Z from -X.
    change_axes(model, {{2, 1, 0}, {1, 1, -1}}, 10);
    const MorphShape& shape = model.meshes[0].morphs[0].shapes[0];
    EXPECT_EQ(shape.offsets[0], (Vec3{30, 20, -10}));
    EXPECT_EQ(shape.normal_offsets[0], (Vec3{0.3, 0.2, -0.1}));
}

}  // namespace
}  // namespace gomkit::pass
