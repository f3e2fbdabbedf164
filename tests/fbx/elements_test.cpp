#include "scene_convert.hpp"

#include <functional>

/// The list of what a file is made of; and scenes of unusual form and size, in small (tests/stress has the large ones).
namespace gomkit::fbx::test {
namespace {

using namespace writer;

std::vector<codec::Element> elements_of(const std::vector<std::byte>& bytes, bool properties, codec::ReadOptions options = {}) {
    std::vector<codec::Element> out;
    const auto done = make_codec().elements(bytes, "test.fbx", options, properties, [&](const codec::Element& e) { out.push_back(e); });
    EXPECT_TRUE(done) << (done ? "" : core::to_string(done.error()));
    return out;
}

const codec::Element* find(const std::vector<codec::Element>& elements, std::string_view kind, std::string_view name) {
    for (const codec::Element& e : elements) {
        if (e.kind == kind && e.name == name) {
            return &e;
        }
    }
    return nullptr;
}

const codec::ElementProperty* find_property(const codec::Element& element, std::string_view name) {
    for (const codec::ElementProperty& p : element.properties) {
        if (p.name == name) {
            return &p;
        }
    }
    return nullptr;
}

TEST(FbxElements, HaveThePropertiesThatTheFileHas) {
    Scene s;
    const NodeRef node = add_node(s, "\x93\xAA");
    s[node].translation = writer::Vec3{1, -2.5, 1e-9};
    s[node].extra.properties = {int_property("Count", -7, "U"), string_property("Note", "\x95\x5C", "U"), bool_property("Flag", true, "U"),
                                double_property("Weight", 0.1, "AU"), color_property("Tint", {0.25, 0.5, 1})};
    for (const std::vector<std::byte>& bytes : {write_binary(s, 7400), write_ascii(s, 7500)}) {
        const std::vector<codec::Element> all = elements_of(bytes, true);
        EXPECT_EQ(all[0].kind, "settings");
        EXPECT_FALSE(all[0].id);
        const codec::Element* found = find(all, "node", "\xE9\xA0\xAD");
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(find_property(*found, "Lcl Translation")->numbers, (std::vector<double>{1, -2.5, 1e-9}));
        EXPECT_EQ(find_property(*found, "Count")->whole, -7);
        EXPECT_EQ(find_property(*found, "Flag")->whole, 1);
        EXPECT_EQ(find_property(*found, "Note")->text, "\xE8\xA1\xA8");
        EXPECT_EQ(find_property(*found, "Weight")->numbers, (std::vector<double>{0.1}));
        EXPECT_EQ(find_property(*found, "Tint")->numbers, (std::vector<double>{0.25, 0.5, 1}));
        EXPECT_STREQ(find_property(*found, "Count")->flags.at(0), "user");
        EXPECT_TRUE(elements_of(bytes, false)[0].properties.empty());
    }
}

TEST(FbxElements, SayWhatTheyBelongToOnce) {
    Strip strip = two_bone_strip();
    const std::vector<codec::Element> all = elements_of(write_binary(strip.scene, 7400), false);
    const codec::Element* root = find(all, "node", "Root");
    const codec::Element* tip = find(all, "node", "Tip");
    ASSERT_TRUE(root != nullptr && tip != nullptr);
    std::size_t to_root = 0;
    for (const codec::ElementConnection& c : tip->connections) {
        to_root += c.to == *root->id ? 1u : 0u;
        EXPECT_EQ(all[c.to].name, c.to_name);
    }
    EXPECT_EQ(to_root, 1u);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].id, static_cast<std::uint32_t>(i));
    }
}

// T-deep: as deep as the limit allows, with a mesh at the end; one deeper is refused.
TEST(FbxElements, NestAsDeepAsTheLimitSays) {
    Scene s;
    NodeRef node;
    for (int i = 0; i < 1999; ++i) {
        node = add_node(s, "n", node, {0, 0, 1}, AttributeKind::None);
    }
    add_mesh_node(s, "Last", add_mesh(s, make_cube(1)), node);
    const std::vector<std::byte> bytes = write_binary(s, 7500);
    codec::ReadOptions options;
    options.limits.max_node_depth = 2000;
    core::Report report;
    EXPECT_TRUE(make_codec().read(bytes, "test.fbx", options, report));
    options.limits.max_node_depth = 1999;
    const auto refused = make_codec().read(bytes, "test.fbx", options, report);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Code::LimitExceeded);
}

// T-deep: nodes that are each other's parents, and equal ids.
TEST(FbxElements, SurviveCyclesAndEqualIds) {
    Scene s;
    const NodeRef a = add_bone(s, "A");
    const NodeRef b = add_bone(s, "B", a);
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), b);
    s.raw_connections = {{"OO", object_id(s, a), object_id(s, b)}, {"OO", object_id(s, a), object_id(s, a)}};
    for (const bool same_id : {false, true}) {
        if (same_id) {
            s[b].extra.id = object_id(s, a);
        }
        for (const std::vector<std::byte>& bytes : {write_binary(s, 7400), write_ascii(s, 7400)}) {
            core::Report report;
            static_cast<void>(make_codec().read(bytes, "test.fbx", {}, report));
            make_codec().check(bytes, "test.fbx", {}, report);
            static_cast<void>(make_codec().elements(bytes, "test.fbx", {}, true, [](const codec::Element&) {}));
        }
    }
}

// T-manymat: every face keeps the material of its own among a thousand.
TEST(FbxElements, KeepAThousandMaterialsApart) {
    Scene s;
    writer::Mesh mesh;
    std::vector<MaterialRef> materials;
    mesh.materials = MaterialLayer{Mapping::ByPolygon, {}};
    for (std::int32_t i = 0; i < 1000; ++i) {
        materials.push_back(add_material(s, "M" + std::to_string(i), {i / 1000.0, 0, 0}));
        const std::int32_t first = 3 * i;
        mesh.points.insert(mesh.points.end(), {{i * 1.0, 0, 0}, {i + 0.5, 0, 0}, {i * 1.0, 1, 0}});
        mesh.polygons.push_back({first, first + 1, first + 2});
        mesh.materials->indices.push_back(999 - i);
    }
    add_mesh_node(s, "Field", add_mesh(s, mesh), {}, materials);
    const Converted c = convert(s);
    const runtime::MeshPartView part = c.view.part(0);
    ASSERT_EQ(part.submesh_count(), 1000u);
    for (std::uint32_t k = 0; k < 1000; k += 111) {
        const runtime::SubmeshView submesh = part.submesh(k);
        const double x = static_cast<double>(part.vertex(part.index(submesh.index_start)).position[0]);
        const double red = static_cast<double>(c.view.material(submesh.material_index).diffuse.x);
        // Face i stands at -i centimetres and has material 999 - i.
        EXPECT_NEAR(red, (999 - std::round(-x * 100 - 0.25)) / 1000, 1e-6);
    }
}

}  // namespace
}  // namespace gomkit::fbx::test
