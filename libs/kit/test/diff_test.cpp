#include <gomkit/kit/diff.hpp>

#include <algorithm>
#include <array>
#include <functional>

#include "../src/diff_triangles.hpp"
#include "fakes.hpp"

namespace gomkit::kit {
namespace {

// A registry whose one format reads what the test put here; the first byte says which.
model::Model side_a;
model::Model side_b;

codec::Registry two_models() {
    codec::Registry registry;
    codec::Codec codec;
    codec.id = "m";
    codec.name = "M";
    codec.probe = [](std::span<const std::byte>, std::string_view) { return true; };
    codec.read = [](std::span<const std::byte> bytes, const std::string&, const codec::ReadOptions&, core::Report&) -> core::Result<model::Model> {
        if (bytes[0] == std::byte{'!'}) {
            return core::fail(core::Code::Malformed, {}, "bad");
        }
        return bytes[0] == std::byte{'A'} ? side_a : side_b;
    };
    codec.facts = [](const model::Model& m, const core::Limits&) {
        std::vector<codec::Fact> facts{{"own.exporter", {}, m.source.exporter}, {"own.rate", {m.source.fps, 1}, ""}};
        if (m.mv1) {
            facts.push_back({"own.file", {}, ""});
        }
        return facts;
    };
    registry.add(codec);
    return registry;
}

// Two triangles of a skinned quad, a material each, a clip.
model::Model sample() {
    model::Model m = testing::simple_model();
    model::Mesh& mesh = m.meshes[0];
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.corner_point = {0, 1, 2, 0, 2, 3};
    mesh.polygon_first = {0, 3, 6};
    mesh.polygon_material = {0, 1};
    mesh.normals.values = {{0, 0, -1}};
    mesh.normals.corner_index = {0, 0, 0, 0, 0, 0};
    model::Skin skin;
    skin.clusters.push_back({model::NodeId{0}, {}});
    skin.first = {0, 1, 2, 3, 4};
    skin.influences = {{0, 1}, {0, 1}, {0, 1}, {0, 1}};
    mesh.skin = skin;
    m.materials.resize(2);
    m.materials[0].name = "Red";
    m.materials[1].name = "Blue";
    m.textures.push_back({});
    m.textures[0].path = "a.png";
    m.materials[0].textures[0] = 0;
    m.instances[0].node.value = 0;
    m.instances[0].materials = {model::MaterialId{0}, model::MaterialId{1}};
    return m;
}

std::string run(const std::function<void(model::Model&)>& change, double tolerance = 1e-6) {
    side_a = sample();
    side_b = sample();
    change(side_b);
    DiffRequest request;
    request.a = Input("a", core::FileBytes(testing::to_bytes("A")));
    request.b = Input("b", core::FileBytes(testing::to_bytes("B")));
    request.tolerance = tolerance;
    core::Report report;
    const auto response = diff(two_models(), request, report);
    if (!response) {
        return core::to_string(response.error());
    }
    std::string text;
    for (const Difference& d : response->differences) {
        text += (text.empty() ? "" : " | ") + d.place + ": " + d.what + (d.a.empty() && d.b.empty() ? "" : ": " + d.a + " / " + d.b);
    }
    return text;
}

TEST(Diff, EqualModelsAreEqual) {
    EXPECT_EQ(run([](model::Model&) {}), "");
    EXPECT_EQ(run([](model::Model&) {}, 0), "");
}

TEST(Diff, OrderAndNumberingDoNotCount) {
    EXPECT_EQ(run([](model::Model& m) {
                  model::Mesh& mesh = m.meshes[0];
                  mesh.points = {{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}};
                  mesh.corner_point = {1, 0, 3, 2, 1, 3};  // other order of triangles, other first corners
                  mesh.polygon_material = {1, 0};
                  std::swap(m.materials[0], m.materials[1]);
                  m.instances[0].materials = {model::MaterialId{1}, model::MaterialId{0}};
              }),
              "");
}

TEST(Diff, FindsWhatDiffers) {
    EXPECT_EQ(run([](model::Model& m) { m.nodes[0].name = "Other"; }).substr(0, 34), "skeleton.bone[Root]: only in A | s");
    EXPECT_EQ(run([](model::Model& m) { m.nodes[0].bind_local.m[12] = 1; }).substr(0, 58), "skeleton.bone[Root].bindLocal[3][0]: differs most: 0 / 1 |");
    EXPECT_EQ(run([](model::Model& m) { m.materials[0].opacity = 0.5; }), "material[Red].opacity: differs: 1 / 0.5");
    EXPECT_EQ(run([](model::Model& m) { m.materials[0].diffuse.y = 0; }), "material[Red].kd: differs: 1 1 1 / 1 0 1");
    EXPECT_EQ(run([](model::Model& m) { m.textures[0].path = "b.png"; }), "material[Red].diffuseMap: differs: a.png / b.png");
    EXPECT_EQ(run([](model::Model& m) { m.clips[0].duration = 2; }), "clip[walk].duration: differs: 1 / 2");
    EXPECT_EQ(run([](model::Model& m) { m.clips[0].name = "run"; }), "clip[walk]: only in A | clip[run]: only in B");
    EXPECT_EQ(run([](model::Model& m) { m.clips[0].loop = true; }), "clip[walk].loop: differs: no / yes");
    EXPECT_EQ(run([](model::Model& m) { m.clips[0].tracks[0].translation[1].value.y = 3; }),
              "clip[walk].track[Root].translation[1]: the key differs: time 1: 0 1 0 / time 1: 0 3 0");
    EXPECT_EQ(run([](model::Model& m) { m.clips[0].tracks[0].translation.pop_back(); }),
              "clip[walk].track[Root].translation.keyCount: differs: 2 / 1");
    EXPECT_EQ(run([](model::Model& m) { m.instances[0].name = "X"; }), "mesh[Tri]: only in A | mesh[X]: only in B");
}

TEST(Diff, ComparesTrianglesByPlaceAndWinding) {
    EXPECT_EQ(run([](model::Model& m) { std::swap(m.meshes[0].corner_point[1], m.meshes[0].corner_point[2]); }),
              "mesh[Tri]: 1 triangle only in A (of 2) | mesh[Tri]: 1 triangle only in B (of 2)");
    EXPECT_EQ(run([](model::Model& m) { m.meshes[0].points[3].z = 0.5; }),
              "mesh[Tri]: 1 triangle only in A (of 2) | mesh[Tri]: 1 triangle only in B (of 2)");
    EXPECT_EQ(run([](model::Model& m) { m.meshes[0].points[3].z = 0.5; }, 0.6), "");
    EXPECT_EQ(run([](model::Model& m) { m.meshes[0].normals.values[0] = {0, 1, 0}; }), "mesh[Tri].normals: differ at 2 triangles, most by 1");
    EXPECT_EQ(run([](model::Model& m) { m.meshes[0].polygon_material = {0, 0}; }), "mesh[Tri].materials: differ at 1 triangle");
    EXPECT_EQ(run([](model::Model& m) { m.meshes[0].skin->influences[1].weight = 0.25; }), "mesh[Tri].weights: differ at 1 triangle, most by 0.75");
    EXPECT_EQ(run([](model::Model& m) {
                  m.meshes[0].polygon_first = {0, 3};
                  m.meshes[0].corner_point.resize(3);
              }),
              "mesh[Tri]: 1 triangle only in A (of 2)");
}

TEST(Diff, FindsOtherBlendShapesAndWeights) {
    const auto smile = [](model::Model& m) {
        model::MorphShape shape;
        shape.points = {2};
        shape.offsets = {{0, 0, 3}};
        m.meshes[0].morphs = {{"Smile", 0, {shape}}};
        m.clips[0].morph_tracks = {{model::MeshId{0}, 0, {{0, 0, false}, {1, 1, false}}}};
    };
    const auto run_both = [&](const std::function<void(model::Model&)>& change) {
        // `run` changes only B, so A's shapes are made part of what B lacks.
        return run([&](model::Model& m) {
            smile(m);
            smile(side_a);
            change(m);
        });
    };
    EXPECT_EQ(run_both([](model::Model&) {}), "");
    EXPECT_EQ(run(smile), "mesh[Tri].blendShape[Smile]: only in B | clip[walk].weight[Tri/Smile]: only in B");
    EXPECT_EQ(run_both([](model::Model& m) { m.meshes[0].morphs[0].default_weight = 0.5; }), "mesh[Tri].blendShape[Smile].defaultWeight: differs: 0 / 0.5");
    EXPECT_EQ(run_both([](model::Model& m) { m.meshes[0].morphs[0].shapes[0].weight = 2; }), "mesh[Tri].blendShape[Smile].shape[0].weight: differs: 1 / 2");
    EXPECT_EQ(run_both([](model::Model& m) { m.meshes[0].morphs[0].shapes[0].offsets[0].z = 4; }), "mesh[Tri].shapes: differ at 2 triangles, most by 1");
    EXPECT_EQ(run_both([](model::Model& m) { m.meshes[0].morphs[0].shapes[0].points[0] = 3; }), "mesh[Tri].shapes: differ at 2 triangles, most by 3");
    EXPECT_EQ(run_both([](model::Model& m) { m.meshes[0].morphs[0].shapes[0].normal_offsets = {{0, 1, 0}}; }).substr(0, 41), "mesh[Tri].shapes: differ at 2 triangles, ");
    EXPECT_EQ(run_both([](model::Model& m) { m.meshes[0].morphs[0].shapes.push_back(m.meshes[0].morphs[0].shapes[0]); }),
              "mesh[Tri].blendShape[Smile].shapeCount: differs: 1 / 2");
    EXPECT_EQ(run_both([](model::Model& m) { m.clips[0].morph_tracks[0].keys[1].value = 0.5; }),
              "clip[walk].weight[Tri/Smile][1]: the key differs: time 1: 1 / time 1: 0.5");
}

TEST(Diff, SaysWhichOperandIsBad) {
    DiffRequest request;
    request.a = Input("a", core::FileBytes(testing::to_bytes("A")));
    request.b = Input("bad", core::FileBytes(testing::to_bytes("!")));
    core::Report report;
    const auto response = diff(two_models(), request, report);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().place.file, "bad");
}

TEST(Diff, EqualTrianglesOnOneSpotAreCounted) {
    DiffSoup a;
    a.corners.resize(3);
    a.corners[1].position = {1, 0, 0};
    a.corners[2].position = {0, 1, 0};
    for (int i = 0; i < 2000; ++i) {
        a.triangles.push_back({{0, 1, 2}, 0});
    }
    DiffSoup b = a;
    b.triangles.resize(1500);
    const SoupDifference found = compare_triangles(a, b, 0);
    EXPECT_EQ(found.only_in_a, 500u);
    EXPECT_EQ(found.only_in_b, 0u);
}

TEST(Diff, FarTrianglesMatchWithinTheTolerance) {
    DiffSoup a;
    for (std::uint32_t i = 0; i < 300; ++i) {
        const double x = static_cast<double>(i) * 1000;
        for (const auto& d : {std::array<double, 2>{0, 0}, {1, 0}, {0, 1}}) {
            DiffCorner corner;
            corner.position = {x + d[0], d[1], -x};
            a.corners.push_back(corner);
        }
        a.triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}, 0});
    }
    DiffSoup b = a;
    std::reverse(b.triangles.begin(), b.triangles.end());
    for (DiffCorner& corner : b.corners) {
        corner.position[0] *= 1 + 0.9e-6;
    }
    EXPECT_EQ(compare_triangles(a, b, 1e-6).only_in_a, 0u);
    EXPECT_EQ(compare_triangles(a, b, 1e-7).only_in_a, 300u);
}

TEST(Diff, ComparesWhatTheFormatKeepsForItself) {
    EXPECT_EQ(run([](model::Model& m) { m.source.fps = 1e-9; }), "");
    EXPECT_NE(run([](model::Model& m) { m.source.fps = 25; }).find("own.rate[0]"), std::string::npos);
    EXPECT_NE(run([](model::Model& m) { m.source.exporter = "other"; }).find("own.exporter"), std::string::npos);
    EXPECT_NE(run([](model::Model& m) { m.mv1.emplace(); }).find("own.file"), std::string::npos);
}

}  // namespace
}  // namespace gomkit::kit
