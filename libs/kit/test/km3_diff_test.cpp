// A model against its round trip through KM3: `diff` names what docs/formats/km3.md says is lost, and nothing else.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/diff.hpp>
#include <gomkit/kit/registry.hpp>

namespace gomkit::kit {
namespace {

using model::Vec3;

/// Names are those that KM3 gives, so that everything is compared; `three` weights rows to three bones.
model::Model strip(bool three, bool turned) {
    model::Model m;
    for (std::uint32_t i = 0; i < 3; ++i) {
        model::Node node;
        node.name = "unit_00" + std::to_string(i);
        node.parent = i == 0 ? model::NodeId{} : model::NodeId{i - 1};
        node.rest.translation = {0, i == 0 ? 0.0 : 1.0, 0};
        if (turned && i == 2) {
            node.rest.rotation = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
        }
        node.bind_local = to_matrix(node.rest);
        node.bone = true;
        m.nodes.push_back(node);
    }
    model::Mesh mesh;
    mesh.name = "mesh";
    model::Skin skin;
    model::Mat4 bind;
    for (std::uint32_t i = 0; i < 3; ++i) {
        bind = m.nodes[i].bind_local * bind;
        model::Cluster cluster;
        cluster.bone = model::NodeId{i};
        EXPECT_TRUE(inverse_affine(bind, cluster.geometry_to_bone));
        skin.clusters.push_back(cluster);
    }
    mesh.uvs.resize(2);
    skin.first = {0};
    for (std::uint32_t row = 0; row < 5; ++row) {
        for (const double x : {-0.25, 0.25}) {
            mesh.points.push_back({x, 0.5 * row, 0});
            const std::uint32_t b = row / 2;
            std::vector<model::Influence> w = {{b, 1}};
            if (row % 2 == 1) {
                w = {{b, 0.5}, {b + 1, 0.5}};
            }
            if (three && row == 2) {
                w = {{0, 0.25}, {1, 0.5}, {2, 0.25}};
            }
            skin.influences.insert(skin.influences.end(), w.begin(), w.end());
            skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
            mesh.uvs[0].values.push_back({x + 0.25, 0.25 * row});
        }
    }
    mesh.polygon_first = {0};
    for (std::uint32_t p = 0; p < 8; p += 2) {
        for (const std::uint32_t c : {p, p + 1, p + 3, p, p + 3, p + 2}) {
            mesh.corner_point.push_back(c);
            if (mesh.corner_point.size() % 3 == 0) {
                mesh.polygon_first.push_back(static_cast<std::uint32_t>(mesh.corner_point.size()));
            }
        }
    }
    mesh.uvs[0].corner_index = mesh.corner_point;
    mesh.uvs[1] = mesh.uvs[0];
    mesh.normals.values = {{0, 0, 1}};
    mesh.normals.corner_index.assign(mesh.corner_point.size(), 0);
    mesh.skin = skin;
    m.meshes.push_back(mesh);
    model::Texture texture;
    texture.path = "skin.png";
    m.textures.push_back(texture);
    model::Material material;
    material.name = "skin.png";
    material.textures[0] = 0;
    m.materials.push_back(material);
    model::MeshInstance instance;
    instance.name = "mesh";
    instance.mesh = model::MeshId{0};
    instance.materials = {model::MaterialId{0}};
    m.instances.push_back(instance);
    return m;
}

class RoundTrip : public ::testing::Test {
protected:
    core::FileBytes written(const char* format, model::Model m) {
        auto bytes = registry.by_id(format)->write(std::move(m), {}, report);
        EXPECT_TRUE(bytes.has_value()) << core::to_string(bytes.error());
        return core::FileBytes(std::move(*bytes));
    }
    std::vector<std::string> differences(const model::Model& m) {
        DiffRequest request;
        request.a = Input("a.gom", written("gom", m));
        request.b = Input("b.km3", written("km3", m));
        const auto response = diff(registry, request, report);
        EXPECT_TRUE(response.has_value());
        std::vector<std::string> out;
        for (const Difference& d : response->differences) {
            std::string place = d.place;
            if (d.what == "differs most") {   // of a matrix: which element is the worst, rounding decides
                place.resize(place.size() - std::string("[0][0]").size());
            }
            out.push_back(place + ": " + d.what);
        }
        return out;
    }

    codec::Registry registry = make_registry();
    core::Report report;
};

TEST_F(RoundTrip, WhatKm3CanSayDoesNotDiffer) { EXPECT_EQ(differences(strip(false, false)), std::vector<std::string>{}); }

TEST_F(RoundTrip, EachLossIsNamedAndNothingElse) {
    EXPECT_EQ(differences(strip(true, false)), (std::vector<std::string>{"mesh[mesh].weights: differ at 4 triangles, most by 0.5"}));
    EXPECT_EQ(differences(strip(false, true)),
              (std::vector<std::string>{"skeleton.bone[unit_000/unit_001/unit_002].bindLocal: differs most",
                                        "mesh[mesh].inverseBind[unit_000/unit_001/unit_002]: differs most"}));
    model::Model m = strip(false, false);
    m.clips.resize(1);
    m.clips[0].name = "walk";
    m.clips[0].duration = 1;
    m.nodes[2].name = "hand";
    m.materials[0].diffuse = {1, 0, 0};
    m.materials[0].textures[1] = 0;
    const std::vector<std::string> expected = {"skeleton.bone[unit_000/unit_001/hand]: only in A",
                                               "skeleton.bone[unit_000/unit_001/unit_002]: only in B",
                                               "mesh[mesh].weights: differ at 4 triangles, most by 1",   // of the bone that has another name
                                               "material[skin.png].kd: differs",
                                               "material[skin.png].normalMap: differs",
                                               "clip[walk]: only in A"};
    EXPECT_EQ(differences(m), expected);
}

TEST_F(RoundTrip, TheSecondTripLosesNothing) {
    const core::FileBytes once = written("km3", strip(true, true));
    auto model = registry.by_id("km3")->read(once.bytes(), "a.km3", {}, report);
    ASSERT_TRUE(model.has_value());
    const core::FileBytes gom = written("gom", *model);
    auto again = registry.by_id("gom")->read(gom.bytes(), "a.gom", {}, report);
    ASSERT_TRUE(again.has_value());
    DiffRequest request;
    request.a = Input("a.km3", once);
    request.b = Input("b.km3", written("km3", std::move(*again)));
    const auto response = diff(registry, request, report);
    ASSERT_TRUE(response.has_value());
    EXPECT_TRUE(response->differences.empty());
}

}  // namespace
}  // namespace gomkit::kit
