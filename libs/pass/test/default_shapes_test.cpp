#include <cmath>

#include <gtest/gtest.h>

#include <gomkit/pass/default_shapes.hpp>

namespace gomkit::pass {
namespace {

using model::Mesh;
using model::MorphShape;
using model::Vec3;

// A square in the plane Z = 0 that faces -Z; points 2 and 3 lie at x = 1.
Mesh square() {
    Mesh m;
    m.points = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};
    m.corner_point = {0, 1, 2, 3};
    m.polygon_first = {0, 4};
    m.normals.values = {{0, 0, -1}};
    m.normals.corner_index = {0, 0, 0, 0};
    return m;
}

MorphShape shape(double weight, std::initializer_list<std::uint32_t> points, const Vec3& offset) {
    MorphShape s;
    s.weight = weight;
    s.points.assign(points.begin(), points.end());
    s.offsets.assign(points.size(), offset);
    return s;
}

model::Model of(Mesh mesh) {
    model::Model m;
    m.meshes.push_back(std::move(mesh));
    return m;
}

void expect_near(const Vec3& found, const Vec3& expected) {
    EXPECT_NEAR(found.x, expected.x, 1e-15);
    EXPECT_NEAR(found.y, expected.y, 1e-15);
    EXPECT_NEAR(found.z, expected.z, 1e-15);
}

TEST(DefaultShapes, InBetweensAreMixedAsTheChannelSays) {
    struct Row {
        double weight;
        Vec3 moved;   // by 1 along Y of the shape at 0.5, by 1 along Z of the one at 1
    };
    for (const Row& row : {Row{0.25, {0, 0.5, 0}}, Row{0.5, {0, 1, 0}}, Row{0.75, {0, 0.5, 0.5}}, Row{1, {0, 0, 1}}, Row{1.5, {0, -1, 2}}, Row{-0.5, {0, -1, 0}}}) {
        Mesh mesh = square();
        mesh.normals = {};
        mesh.morphs.push_back({"smile", row.weight, {shape(0.5, {1}, {0, 1, 0}), shape(1, {1}, {0, 0, 1})}});
        model::Model m = of(mesh);
        settle_default_shapes(m);
        expect_near(m.meshes[0].points[1], Vec3{0, 1, 0} + row.moved);
        EXPECT_EQ(m.meshes[0].points[0], mesh.points[0]);
        ASSERT_EQ(m.meshes[0].morphs.size(), 1u);
        EXPECT_EQ(m.meshes[0].morphs[0].name, "smile");
        EXPECT_TRUE(m.meshes[0].morphs[0].shapes.empty());
    }
}

TEST(DefaultShapes, NormalsFollow) {
    const double r = std::sqrt(0.5);
    Mesh mesh = square();
    mesh.morphs.push_back({"computed", 1, {shape(1, {2, 3}, {0, 0, 1})}});
    model::Model m = of(mesh);
    settle_default_shapes(m);
    for (std::size_t c = 0; c < 4; ++c) {
        expect_near(m.meshes[0].normals.values[m.meshes[0].normals.corner_index[c]], {r, 0, -r});
    }

    mesh.morphs[0].default_weight = 0.5;
    mesh.morphs[0].shapes[0].normal_offsets = {{0, 2, 0}, {0, 0, 0}};
    m = of(mesh);
    settle_default_shapes(m);
    expect_near(m.meshes[0].normals.values[m.meshes[0].normals.corner_index[2]], {0, r, -r});
    expect_near(m.meshes[0].normals.values[m.meshes[0].normals.corner_index[0]], {0, 0, -1});
}

// Two corners lie at one place until the shape takes them apart: a triangle whose area is 0 has no normal that could change.
TEST(DefaultShapes, ANormalStaysWhereThereWasNoArea) {
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {0, 1, 0}, {0, 1, 0}};
    mesh.corner_point = {0, 1, 2};
    mesh.polygon_first = {0, 3};
    mesh.normals.values = {{1, 0, 0}};
    mesh.normals.corner_index = {0, 0, 0};
    mesh.morphs.push_back({"open", 1, {shape(1, {2}, {1, 0, 0})}});
    model::Model m = of(mesh);
    settle_default_shapes(m);
    EXPECT_EQ(m.meshes[0].points[2], (Vec3{1, 1, 0}));
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(m.meshes[0].normals.values[m.meshes[0].normals.corner_index[c]], (Vec3{1, 0, 0})) << c;
    }

    mesh.points[2] = {1, 1, 0};   // and the other way: the shape takes the area away
    mesh.normals.values = {{0, 0, -1}};
    mesh.morphs[0].shapes[0].offsets = {{-1, 0, 0}};
    m = of(mesh);
    settle_default_shapes(m);
    EXPECT_EQ(m.meshes[0].points[2], (Vec3{0, 1, 0}));
    EXPECT_EQ(m.meshes[0].normals.values[m.meshes[0].normals.corner_index[0]], (Vec3{0, 0, -1}));
}

TEST(DefaultShapes, EachShapeTurnsNormalsItsOwnWay) {
    Mesh mesh = square();
    mesh.morphs.push_back({"computed", 1, {shape(1, {2, 3}, {0, 0, 1})}});
    mesh.morphs.push_back({"stored", 1, {shape(1, {0}, {0, 0, 0})}});
    mesh.morphs[1].shapes[0].normal_offsets = {{0, 1, 0}};
    model::Model m = of(mesh);
    settle_default_shapes(m);
    const double r = std::sqrt(0.5);
    const double s = std::sqrt(2.0);
    expect_near(m.meshes[0].normals.values[m.meshes[0].normals.corner_index[0]], {r / s, 1 / s, -r / s});
    expect_near(m.meshes[0].normals.values[m.meshes[0].normals.corner_index[1]], {r, 0, -r});
}

TEST(DefaultShapes, FinalVerticesKeepTheirLayers) {
    Mesh mesh = square();
    mesh.corner_point = {0, 1, 2, 0, 2, 3};
    mesh.polygon_first = {0, 3, 6};
    mesh.final_vertices = true;
    mesh.normals.values.assign(4, {0, 0, -1});
    mesh.normals.corner_index = mesh.corner_point;
    mesh.morphs.push_back({"a", 1, {shape(1, {3}, {0, 0, 1})}});
    mesh.morphs[0].shapes[0].normal_offsets = {{0, 1, 0}};
    model::Model m = of(mesh);
    settle_default_shapes(m);
    ASSERT_EQ(m.meshes[0].normals.values.size(), 4u);
    EXPECT_EQ(m.meshes[0].normals.corner_index, mesh.corner_point);
    expect_near(m.meshes[0].normals.values[3], {0, std::sqrt(0.5), -std::sqrt(0.5)});
    EXPECT_EQ(m.meshes[0].normals.values[2], (Vec3{0, 0, -1}));
}

TEST(DefaultShapes, AMeshAtRestStays) {
    Mesh mesh = square();
    mesh.morphs.push_back({"a", 0, {shape(1, {0}, {1, 1, 1})}});
    model::Model m = of(mesh);
    settle_default_shapes(m);
    EXPECT_EQ(m.meshes[0].points, mesh.points);
    EXPECT_EQ(m.meshes[0].normals.values.size(), 1u);
}

}  // namespace
}  // namespace gomkit::pass
