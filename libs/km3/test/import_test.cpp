#include <cmath>
#include <cstring>

#include <gomkit/km3/km3.hpp>

#include "sample.hpp"

namespace gomkit::km3 {
namespace {

using namespace test;
using core::IssueId;
using model::Vec3;

model::Model imported(Document d, core::Report& report) { return import(std::move(d), report); }

// covers KM3-LBS-1, KM3-LBS-3, KM3-UNIT-4, KM3-TRI-1, KM3-UV-1
TEST(Import, TheWorkedExampleIsASkinnedMesh) {
    core::Report report;
    const model::Model m = imported(example(), report);
    ASSERT_EQ(m.nodes.size(), 2u);
    EXPECT_EQ(m.nodes[1].name, "unit_001");
    EXPECT_EQ(m.nodes[1].parent.value, 0u);
    EXPECT_NEAR(m.nodes[1].rest.translation.y, 0.1, 1e-15);
    ASSERT_EQ(m.meshes.size(), 1u);
    const model::Mesh& mesh = m.meshes[0];
    ASSERT_EQ(mesh.points.size(), 7u);
    EXPECT_EQ(mesh.polygon_count(), 3u);
    EXPECT_EQ(std::vector<std::uint32_t>(mesh.corner_point.begin(), mesh.corner_point.end()), (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 4, 5, 6}));
    EXPECT_NEAR(mesh.points[4].x, 0.05, 1e-15);     // -50 mm, mirrored
    EXPECT_NEAR(mesh.points[4].y, 0.1, 1e-15);
    EXPECT_NEAR(mesh.points[5].y, 0.18, 1e-15);
    const model::Skin& skin = *mesh.skin;
    ASSERT_EQ(skin.first.size(), 8u);
    const auto influences = [&](std::size_t p) {
        std::vector<std::pair<std::uint32_t, double>> out;
        for (std::uint32_t i = skin.first[p]; i < skin.first[p + 1]; ++i) {
            out.emplace_back(skin.influences[i].cluster, skin.influences[i].weight);
        }
        return out;
    };
    using List = std::vector<std::pair<std::uint32_t, double>>;
    EXPECT_EQ(influences(0), (List{{0, 1.0}}));
    EXPECT_EQ(influences(4), (List{{0, 1.0}}));
    EXPECT_EQ(influences(5), (List{{1, 1.0}}));
    EXPECT_EQ(influences(6), (List{{0, 0.75}, {1, 0.25}}));
    EXPECT_EQ(mesh.uvs[0].values[mesh.uvs[0].corner_index[5]], (model::Vec2{1, 1}));   // the quad's fourth corner
    EXPECT_EQ(mesh.uvs[0].values[mesh.uvs[0].corner_index[7]], (model::Vec2{0.5, 0}));
    // Faces +Z and is mirrored along X: still +Z, and the corners still run clockwise (left-handed: cross(b - a, c - a) points to the front).
    EXPECT_EQ(mesh.normals.values[0], (Vec3{0, 0, 1}));
    const Vec3 front = cross(mesh.points[1] - mesh.points[0], mesh.points[2] - mesh.points[0]);
    EXPECT_GT(front.z, 0);
    EXPECT_EQ(argument(report, IssueId::KM3_NORMALS_SIGN, "outward"), "7");
}

// covers KM3-LBS-2
TEST(Import, AMaterialForEachTextureAndSetOfFlags) {
    Document d = example();
    d.units[1].type = 0x3507;     // unknown bits do not count
    d.units[1].tex = {kNoName};
    core::Report report;
    const model::Model m = imported(d, report);
    ASSERT_EQ(m.materials.size(), 2u);
    EXPECT_EQ(m.materials[0].name, "body_a");
    EXPECT_EQ(m.materials[1].name, "untextured#0506");
    EXPECT_TRUE(m.materials[1].alpha_blend);
    EXPECT_TRUE(m.materials[1].unlit);
    EXPECT_TRUE(m.materials[1].double_sided);
    EXPECT_EQ(m.materials[1].km3_draw_flags, 0x100u);
    EXPECT_EQ(m.materials[1].textures[0], model::kNoIndex);
    EXPECT_FALSE(m.materials[0].double_sided);
}

// covers KM3-NORM-3
TEST(Import, TheMajorityDecidesWhereNormalsPoint) {
    Document d = example();
    d.units[0].norms[0] = {0, 0, -1, 1};        // four corners inwards, three outwards
    core::Report report;
    model::Model m = imported(d, report);
    EXPECT_TRUE(m.km3->inward);
    EXPECT_EQ(m.meshes[0].normals.values[0].z, 1);
    EXPECT_EQ(m.meshes[0].normals.values[8].z, -1);
    d.units[0].vid.push_back({0, 1, 2, 2});     // three more
    d.units[0].nid.push_back({0, 0, 0, 0});
    d.units[0].norms[0] = {0, 0, 1, 1};
    d.units[0].uvs.push_back({});
    d.units[0].tex.push_back(0);
    d.units[1].norms[0] = {0, 0, -1, 1};
    m = imported(d, report);
    EXPECT_FALSE(m.km3->inward);                // 7 to 3
    Document tie = example();
    tie.units[0].vid = {{0, 1, 2, 2}};
    tie.units[1].norms[0] = {0, 0, -1, 1};
    m = imported(tie, report);
    EXPECT_FALSE(m.km3->inward);                // 3 to 3
}

// covers KM3-NORM-2
TEST(Import, MissingAndZeroNormalsAreMadeFromFaces) {
    Document d = example();
    d.units[0].norms.clear();
    d.units[0].nid.clear();
    d.units[1].verts[1] = {0, 80, 80, 1};       // tilted: up and towards +Z
    d.units[1].norms[0] = {0, 0, 0, 1};
    core::Report report;
    const model::Model m = imported(d, report);
    EXPECT_EQ(m.meshes[0].normals.values[0], (Vec3{0, 0, 1}));
    const Vec3 n = m.meshes[0].normals.values[6];
    EXPECT_NEAR(n.y, -std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(n.z, std::sqrt(0.5), 1e-12);
    // Two faces at a vertex weigh by their areas.
    Document fold;
    fold.unit_count = 1;
    fold.units.resize(1);
    fold.units[0].verts = {{0, 0, 0, 1}, {0, 2, 0, 1}, {2, 2, 0, 1}, {2, 0, 0, 1}, {0, 2, -1, 1}, {2, 2, -1, 1}};
    fold.units[0].vid = {{0, 1, 2, 3}, {1, 4, 5, 2}};
    const model::Model folded = imported(fold, report);
    const Vec3 edge = folded.meshes[0].normals.values[1];   // vertex 1
    EXPECT_NEAR(edge.y, 1 / std::sqrt(5.0), 1e-12);         // areas 4 (+Z) and 2 (+Y)
    EXPECT_NEAR(edge.z, 2 / std::sqrt(5.0), 1e-12);
}

// covers KM3-TRI-2, KM3-TRI-3
TEST(Import, CountsBentQuadsAndTrianglesWithoutArea) {
    Document d = example();
    core::Report report;
    EXPECT_EQ(imported(d, report).meshes[0].polygon_count(), 3u);
    EXPECT_EQ(find(report, IssueId::KM3_QUAD_BENT), nullptr);
    d.units[0].verts[3][2] = 0.041f;    // the perimeter is 400: 1e-4 of it is 0.04
    imported(d, report);
    EXPECT_EQ(argument(report, IssueId::KM3_QUAD_BENT, "count"), "1");
    core::Report other;
    d.units[0].verts[3][2] = 0.039f;
    d.units[0].vid[0] = {0, 1, 1, 3};
    const model::Model m = imported(d, other);
    EXPECT_EQ(find(other, IssueId::KM3_QUAD_BENT), nullptr);
    EXPECT_EQ(argument(other, IssueId::KM3_NO_AREA, "count"), "1");
    EXPECT_EQ(m.meshes[0].polygon_count(), 2u);
    d.units[0].vid[0] = {0, 1, 0, 3};
    core::Report both;
    EXPECT_EQ(imported(d, both).meshes[0].polygon_count(), 1u);
    EXPECT_EQ(argument(both, IssueId::KM3_NO_AREA, "count"), "2");
}

// covers KM3-EXT-4
TEST(Import, ExtensionUnitsAreGeometryOfTheirBase) {
    Document d = example();
    Unit more = d.units[1];
    more.verts = {{0, 0, 0, 0}, {0, 10, 0, 1}, {10, 0, 0, 0.5f}};
    d.units[1].extend = 2;
    d.units.push_back(more);
    core::Report report;
    const model::Model m = imported(d, report);
    EXPECT_EQ(m.nodes.size(), 2u);
    ASSERT_EQ(m.meshes[0].points.size(), 10u);
    EXPECT_NEAR(m.meshes[0].points[8].y, 0.11, 1e-15);
    const model::Skin& skin = *m.meshes[0].skin;
    EXPECT_EQ(skin.influences[skin.first[8]].cluster, 1u);
    EXPECT_EQ(skin.influences[skin.first[9]].cluster, 0u);    // a tie: the lower bone first
    EXPECT_EQ(skin.influences[skin.first[9]].weight, 0.5);
}

// covers KM3-TEX-3
TEST(Import, NamesAreLabelsInUtf8) {
    Document d = example();
    d.names = {"../caf\xE9.bmp", "a\x1F"};
    core::Report report;
    const model::Model m = imported(d, report);
    EXPECT_EQ(m.textures[0].source_relative, "../caf\xC3\xA9.bmp");
    EXPECT_EQ(m.materials[1].name, "a_#0400");
    EXPECT_EQ(m.textures[0].path, "caf\xC3\xA9.bmp");    // no way out of the model's folder
}

// covers KM3-FILE-2
TEST(Codec, KnowsAFileByItsContents) {
    const codec::Codec km3 = make_codec();
    const core::Bytes bytes = encode(example());
    EXPECT_TRUE(km3.probe(bytes, "x.bin"));
    EXPECT_FALSE(km3.probe(core::Bytes(32), "x.bin"));
    EXPECT_FALSE(km3.probe(core::Bytes(4096), "x.bin"));
    Document empty;
    empty.unit_count = 1;
    empty.units.resize(1);
    EXPECT_FALSE(km3.probe(encode(empty), "x.bin"));
    core::Bytes broken = bytes;
    broken[0x110] = std::byte{0xFF};
    EXPECT_FALSE(km3.probe(broken, "x.bin"));
    EXPECT_FALSE(km3.probe(std::span(bytes).first(31), "x.km3"));
}

TEST(Codec, CountsWhatAFileHolds) {
    const auto counts = make_codec().count(encode(example()), "a.km3", {});
    ASSERT_TRUE(counts.has_value());
    EXPECT_EQ(counts->meshes, 1u);
    EXPECT_EQ(counts->vertices, 7u);
    EXPECT_EQ(counts->triangles, 3u);
    EXPECT_EQ(counts->bones, 2u);
    EXPECT_EQ(counts->materials, 2u);
    EXPECT_EQ(counts->textures, 2u);
    EXPECT_EQ(counts->clips, 0u);
}

TEST(Codec, ALenientReadSaysWhatItMended) {
    Document d = example();
    core::Bytes bytes = encode(d);
    const float half = 0.5f;
    std::memcpy(bytes.data() + 0xDC, &half, 4);     // a weight of the root
    core::Report report;
    const auto m = make_codec().read(bytes, "a.km3", {}, report);
    ASSERT_TRUE(m.has_value());
    EXPECT_TRUE(report.has(IssueId::KM3_ROOTW));
    EXPECT_EQ(m->meshes[0].skin->influences[0].weight, 1.0);
}

}  // namespace
}  // namespace gomkit::km3
