// What the writer writes, ufbx reads back unchanged, from each kind of file.
#include "gomkit_test/fbx_writer.hpp"

#include "ufbx.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gomkit::testing::fbx {
namespace {

struct FileKind {
    Encoding encoding;
    int version;
};

void PrintTo(const FileKind& kind, std::ostream* out) {
    *out << (kind.encoding == Encoding::Ascii ? "Ascii" : "Binary") << kind.version;
}

std::vector<std::byte> write(const Scene& scene, const FileKind& kind) {
    return kind.encoding == Encoding::Ascii ? write_ascii(scene, kind.version) : write_binary(scene, kind.version);
}

std::string text(const std::vector<std::byte>& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

struct FreeScene {
    void operator()(ufbx_scene* scene) const { ufbx_free_scene(scene); }
};
using LoadedScene = std::unique_ptr<ufbx_scene, FreeScene>;

LoadedScene load(const std::vector<std::byte>& bytes, bool raw_names = false) {
    ufbx_error error{};
    ufbx_load_opts options{};
    if (raw_names) {
        options.unicode_error_handling = UFBX_UNICODE_ERROR_HANDLING_UNSAFE_IGNORE;
        options.allow_unsafe = true;
    }
    LoadedScene scene(ufbx_load_memory(bytes.data(), bytes.size(), &options, &error));
    if (!scene) {
        char message[1024];
        ufbx_format_error(message, sizeof(message), &error);
        ADD_FAILURE() << message;
    }
    return scene;
}

void expect_no_warnings(const ufbx_scene& scene) {
    for (const ufbx_warning& w : scene.metadata.warnings) {
        ADD_FAILURE() << std::string_view(w.description.data, w.description.length);
    }
}

std::string str(const ufbx_string& s) { return {s.data, s.length}; }
Vec3 vec(const ufbx_vec3& v) { return {v.x, v.y, v.z}; }

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(a[k], b[k], tolerance) << "component " << k;
    }
}

// ufbx's matrices are for column vectors: cols[i] is our row i.
void expect_matrix(const ufbx_matrix& m, const Mat4& expected, double tolerance) {
    for (std::size_t r = 0; r < 4; ++r) {
        expect_near(vec(m.cols[r]), {expected[r * 4], expected[r * 4 + 1], expected[r * 4 + 2]}, tolerance);
    }
}

class WriterTest : public ::testing::TestWithParam<FileKind> {
protected:
    LoadedScene round_trip(const Scene& scene) {
        LoadedScene loaded = load(write(scene, GetParam()));
        if (loaded) {
            expect_no_warnings(*loaded);
            EXPECT_EQ(loaded->metadata.version, static_cast<std::uint32_t>(GetParam().version));
            EXPECT_EQ(loaded->metadata.ascii, GetParam().encoding == Encoding::Ascii);
        }
        return loaded;
    }
    static ufbx_node* node(const LoadedScene& scene, const char* name) {
        ufbx_node* const n = ufbx_find_node(scene.get(), name);
        EXPECT_NE(n, nullptr) << name;
        return n;
    }
};

INSTANTIATE_TEST_SUITE_P(Files, WriterTest,
                         ::testing::Values(FileKind{Encoding::Ascii, 7400}, FileKind{Encoding::Ascii, 7500},
                                           FileKind{Encoding::Ascii, 7700}, FileKind{Encoding::Binary, 7400},
                                           FileKind{Encoding::Binary, 7500}, FileKind{Encoding::Binary, 7700}),
                         ::testing::PrintToStringParamName());

TEST_P(WriterTest, SettingsReadBack) {
    Scene scene;
    scene.settings.up_axis = 2;
    scene.settings.front_axis = 1;
    scene.settings.front_axis_sign = -1;
    scene.settings.original_up_axis = 2;
    scene.settings.unit_scale_factor = 2.54;
    scene.settings.original_unit_scale_factor = 100.0;
    scene.settings.time_mode = 14;
    scene.settings.custom_frame_rate = 12.5;
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->settings.axes.up, UFBX_COORDINATE_AXIS_POSITIVE_Z);
    EXPECT_EQ(loaded->settings.axes.front, UFBX_COORDINATE_AXIS_NEGATIVE_Y);
    EXPECT_EQ(loaded->settings.axes.right, UFBX_COORDINATE_AXIS_POSITIVE_X);
    EXPECT_EQ(loaded->settings.original_axis_up, UFBX_COORDINATE_AXIS_POSITIVE_Z);
    EXPECT_DOUBLE_EQ(loaded->settings.unit_meters, 0.0254);
    EXPECT_DOUBLE_EQ(loaded->settings.original_unit_meters, 1.0);
    EXPECT_EQ(loaded->settings.time_mode, UFBX_TIME_MODE_CUSTOM);
    EXPECT_DOUBLE_EQ(loaded->settings.frames_per_second, 12.5);
}

TEST_P(WriterTest, SettingsCanBeLeftOut) {
    Scene scene;
    scene.settings.up_axis.reset();
    scene.settings.unit_scale_factor.reset();
    LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->settings.axes.up, UFBX_COORDINATE_AXIS_UNKNOWN);
    EXPECT_EQ(ufbx_find_prop(&loaded->settings.props, "UnitScaleFactor"), nullptr);
    scene.settings.present = false;
    loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(ufbx_find_prop(&loaded->settings.props, "FrontAxis"), nullptr);
}

TEST_P(WriterTest, NodesReadBackWithEveryTransformProperty) {
    Scene scene;
    const NodeRef parent = add_node(scene, "Parent", {}, {1, 2, 3});
    scene[parent].rotation = Vec3{10, 20, 30};
    scene[parent].scaling = Vec3{2, 2, 2};
    const NodeRef child = add_bone(scene, "Child", parent, {0.1, 1e-7, 123456.789});
    Node& n = scene[child];
    n.rotation = Vec3{-70, 35.5, 12.25};
    n.scaling = Vec3{1.5, 1, 0.5};
    n.rotation_order = RotationOrder::Zxy;
    n.pre_rotation = Vec3{5, 6, 7};
    n.post_rotation = Vec3{8, 9, 10};
    n.rotation_offset = Vec3{0.1, 0.2, 0.3};
    n.rotation_pivot = Vec3{0.4, 0.5, 0.6};
    n.scaling_offset = Vec3{0.7, 0.8, 0.9};
    n.scaling_pivot = Vec3{1.1, 1.2, 1.3};
    n.visibility = 0.0;
    n.extra.properties.push_back(int_property("lives", 9, "U"));
    n.attribute_properties.push_back(double_property("Size", 42.5));
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    const ufbx_node* const c = node(loaded, "Child");
    ASSERT_EQ(str(c->parent->name), "Parent");
    EXPECT_EQ(vec(ufbx_find_vec3(&c->props, "Lcl Translation", ufbx_vec3{})), *n.translation);
    EXPECT_EQ(vec(ufbx_find_vec3(&c->props, "Lcl Rotation", ufbx_vec3{})), *n.rotation);
    EXPECT_EQ(c->rotation_order, UFBX_ROTATION_ORDER_ZXY);
    EXPECT_EQ(c->attrib_type, UFBX_ELEMENT_BONE);
    EXPECT_EQ(c->inherit_mode, UFBX_INHERIT_MODE_NORMAL);
    EXPECT_FALSE(c->visible);
    EXPECT_EQ(ufbx_find_int(&c->props, "lives", 0), 9);
    EXPECT_EQ(ufbx_find_real(&c->attrib->props, "Size", 0), 42.5);
    expect_matrix(c->node_to_parent, local_matrix(n), 1e-9);
    expect_matrix(c->node_to_world, node_to_world(scene, child), 1e-6);
}

TEST_P(WriterTest, AllRotationOrdersAgreeWithUfbx) {
    for (std::int32_t order = 0; order < 6; ++order) {
        Scene scene;
        const NodeRef r = add_node(scene, "n");
        scene[r].rotation = Vec3{11, -47, 83};
        scene[r].rotation_order = static_cast<RotationOrder>(order);
        const LoadedScene loaded = round_trip(scene);
        ASSERT_TRUE(loaded);
        expect_matrix(node(loaded, "n")->node_to_parent, local_matrix(scene[r]), 1e-12);
    }
}

TEST_P(WriterTest, EveryAttributeKindIsFound) {
    Scene scene;
    for (const AttributeKind kind : {AttributeKind::None, AttributeKind::Null, AttributeKind::LimbNode, AttributeKind::Root,
                                     AttributeKind::Light, AttributeKind::Camera, AttributeKind::LodGroup}) {
        add_node(scene, "n" + std::to_string(static_cast<int>(kind)), {}, {}, kind);
    }
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    const auto type = [&](AttributeKind kind) {
        return node(loaded, ("n" + std::to_string(static_cast<int>(kind))).c_str())->attrib_type;
    };
    EXPECT_EQ(type(AttributeKind::None), UFBX_ELEMENT_UNKNOWN);
    EXPECT_EQ(type(AttributeKind::Null), UFBX_ELEMENT_EMPTY);
    EXPECT_EQ(type(AttributeKind::LimbNode), UFBX_ELEMENT_BONE);
    EXPECT_EQ(type(AttributeKind::Root), UFBX_ELEMENT_BONE);
    EXPECT_EQ(type(AttributeKind::Light), UFBX_ELEMENT_LIGHT);
    EXPECT_EQ(type(AttributeKind::Camera), UFBX_ELEMENT_CAMERA);
    EXPECT_EQ(type(AttributeKind::LodGroup), UFBX_ELEMENT_LOD_GROUP);
}

TEST_P(WriterTest, MeshLayersReadBackInEveryMapping) {
    Scene scene;
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0.5, 0}};
    mesh.polygons = {{0, 1, 2, 3}, {1, 4, 2}};
    mesh.normals.push_back(
        {"corner", Mapping::ByPolygonVertex, Reference::IndexToDirect, {{0, 0, 1}, {0, 1, 0}}, {0, 1, 0, 1, 0, 0, 1}});
    mesh.tangents.push_back({"t", Mapping::ByPolygon, Reference::Direct, {{1, 0, 0}, {0, 0, -1}}});
    mesh.binormals.push_back({"t", Mapping::AllSame, Reference::Direct, {{0, 1, 0}}});
    mesh.uvs.push_back({"map1", Mapping::ByVertex, Reference::Direct, {{0, 0}, {0.1, 0}, {0.1, 0.2}, {0, 0.2}, {0.3, 0.4}}});
    mesh.uvs.push_back({"lightmap",
                        Mapping::ByPolygonVertex,
                        Reference::Direct,
                        {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}, {0.6, 0.6}, {0.7, 0.7}}});
    mesh.colors.push_back({"col", Mapping::ByVertex, Reference::IndexToDirect, {{1, 0, 0, 1}, {0, 1, 0, 0.5}}, {0, 1, 0, 1, 0}});
    mesh.materials = MaterialLayer{Mapping::ByPolygon, {1, 0}};
    mesh.edges = edges_of(mesh.polygons);
    mesh.smoothing = SmoothingLayer{Mapping::ByEdge, {1, 0, 1, 0, 1, 0}};
    ASSERT_EQ(mesh.edges, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
    const NodeRef a = add_mesh_node(scene, "A", add_mesh(scene, mesh), {},
                                    {add_material(scene, "m0", {1, 0, 0}), add_material(scene, "m1", {0, 1, 0})});
    scene[a].geometric_translation = Vec3{1, 2, 3};
    scene[a].geometric_rotation = Vec3{0, 90, 0};
    scene[a].geometric_scaling = Vec3{2, 3, 4};
    scene[add_mesh_node(scene, "B", {0}, a)].materials = {MaterialRef{1}, MaterialRef{0}};  // an instance
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->meshes.count, 1U);
    const ufbx_mesh* const m = loaded->meshes.data[0];
    EXPECT_EQ(m->instances.count, 2U);
    ASSERT_EQ(m->num_faces, 2U);
    EXPECT_EQ(m->faces.data[0].num_indices, 4U);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(vec(m->vertices.data[i]), mesh.points[i]);
    }
    const std::vector<std::size_t> corners = {0, 1, 2, 3, 1, 4, 2};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        EXPECT_EQ(m->vertex_indices.data[i], corners[i]);
        EXPECT_EQ(vec(ufbx_get_vertex_vec3(&m->vertex_normal, i)),
                  mesh.normals[0].values[static_cast<std::size_t>(mesh.normals[0].indices[i])]);
        EXPECT_EQ(vec(ufbx_get_vertex_vec3(&m->uv_sets.data[0].vertex_tangent, i)), mesh.tangents[0].values[i < 4 ? 0 : 1]);
        EXPECT_EQ(vec(ufbx_get_vertex_vec3(&m->uv_sets.data[0].vertex_bitangent, i)), (Vec3{0, 1, 0}));
        const ufbx_vec2 uv0 = ufbx_get_vertex_vec2(&m->uv_sets.data[0].vertex_uv, i);
        EXPECT_EQ((Vec2{uv0.x, uv0.y}), mesh.uvs[0].values[corners[i]]);
        const ufbx_vec2 uv1 = ufbx_get_vertex_vec2(&m->uv_sets.data[1].vertex_uv, i);
        EXPECT_EQ((Vec2{uv1.x, uv1.y}), mesh.uvs[1].values[i]);
        const ufbx_vec4 color = ufbx_get_vertex_vec4(&m->vertex_color, i);
        EXPECT_EQ((Vec4{color.x, color.y, color.z, color.w}),
                  mesh.colors[0].values[static_cast<std::size_t>(mesh.colors[0].indices[corners[i]])]);
    }
    EXPECT_EQ(str(m->uv_sets.data[1].name), "lightmap");
    EXPECT_EQ(m->face_material.data[0], 1U);
    EXPECT_EQ(m->face_material.data[1], 0U);
    ASSERT_EQ(m->num_edges, 6U);
    EXPECT_EQ(m->edges.data[4].a, 4U);  // corners: edge 4 runs from corner 4 to corner 5
    EXPECT_EQ(m->edges.data[4].b, 5U);
    EXPECT_TRUE(m->edge_smoothing.data[4]);
    EXPECT_FALSE(m->edge_smoothing.data[5]);
    EXPECT_EQ(str(node(loaded, "B")->materials.data[0]->name), "m1");
    expect_matrix(node(loaded, "A")->geometry_to_node, geometry_to_node(scene[a]), 1e-12);
}

TEST_P(WriterTest, SmoothingGroupsByPolygonReadBack) {
    Scene scene;
    Mesh cube = make_cube(2);
    cube.normals.clear();
    cube.smoothing = SmoothingLayer{Mapping::ByPolygon, {1, 0, 1, 2, 3, 0}};
    add_mesh_node(scene, "Cube", add_mesh(scene, cube));
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->meshes.data[0]->face_smoothing.count, 6U);
    EXPECT_TRUE(loaded->meshes.data[0]->face_smoothing.data[0]);
    EXPECT_FALSE(loaded->meshes.data[0]->face_smoothing.data[1]);
}

TEST_P(WriterTest, CubeFacesOutward) {
    const Mesh cube = make_cube(2);
    for (std::size_t f = 0; f < cube.polygons.size(); ++f) {
        const Vec3 n = cube.normals[0].values[f * 4];
        for (const std::int32_t p : cube.polygons[f]) {
            const Vec3& q = cube.points[static_cast<std::size_t>(p)];
            EXPECT_DOUBLE_EQ(n[0] * q[0] + n[1] * q[1] + n[2] * q[2], 1.0);
        }
    }
}

TEST_P(WriterTest, SkinReadsBack) {
    Strip strip = two_bone_strip();
    strip.scene[strip.root].translation = Vec3{3, 0, 0};
    strip.scene[strip.mesh_node].translation = Vec3{3, 1, 0};
    bind_to_current_pose(strip.scene, strip.mesh_node);
    strip.scene.poses = {bind_pose_of(strip.scene, strip.mesh_node)};
    strip.scene[strip.mesh].skins[0].clusters[1].link_mode = LinkMode::Total1;
    const LoadedScene loaded = round_trip(strip.scene);
    ASSERT_TRUE(loaded);
    const ufbx_mesh* const m = loaded->meshes.data[0];
    ASSERT_EQ(m->skin_deformers.count, 1U);
    const ufbx_skin_deformer* const skin = m->skin_deformers.data[0];
    EXPECT_EQ(skin->skinning_method, UFBX_SKINNING_METHOD_LINEAR);
    ASSERT_EQ(skin->clusters.count, 2U);
    for (std::size_t c = 0; c < 2; ++c) {
        const Cluster& wanted = strip.scene[strip.mesh].skins[0].clusters[c];
        const ufbx_skin_cluster* const got = skin->clusters.data[c];
        EXPECT_EQ(str(got->bone_node->name), wanted.name);
        ASSERT_EQ(got->num_weights, wanted.weights.size());
        for (std::size_t i = 0; i < wanted.weights.size(); ++i) {
            EXPECT_EQ(got->vertices.data[i], static_cast<std::uint32_t>(wanted.indexes[i]));
            EXPECT_EQ(got->weights.data[i], wanted.weights[i]);
        }
        expect_matrix(got->mesh_node_to_bone, *wanted.transform, 1e-15);
        expect_matrix(got->bind_to_world, *wanted.transform_link, 1e-15);
        // At rest the geometry is where the mesh node puts it.
        expect_matrix(got->geometry_to_world, node_to_world(strip.scene, strip.mesh_node), 1e-12);
    }
    ASSERT_EQ(loaded->poses.count, 1U);
    EXPECT_EQ(loaded->poses.data[0]->bone_poses.count, 3U);
    EXPECT_TRUE(loaded->poses.data[0]->is_bind_pose);
}

TEST_P(WriterTest, BlendShapesReadBackWithInBetweens) {
    Scene scene;
    Mesh mesh = make_quad();
    BlendChannel channel;
    channel.name = "Smile";
    channel.deform_percent = 25;
    channel.targets.resize(2);
    channel.targets[0].name = "Half";
    channel.targets[0].full_weight = 50;
    channel.targets[0].indexes = {1};
    channel.targets[0].offsets = {{0, 0, 1}};
    channel.targets[1].name = "Full";
    channel.targets[1].indexes = {1, 3};
    channel.targets[1].offsets = {{0, 0, 2}, {0.5, 0, 0}};
    channel.targets[1].normal_offsets = {{0, 0.25, 0}, {0, 0, 0}};
    BlendShape blend;
    blend.name = "Face";
    blend.channels.push_back(channel);
    mesh.blend_shapes.push_back(blend);
    add_mesh_node(scene, "Quad", add_mesh(scene, mesh));
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->blend_channels.count, 1U);
    const ufbx_blend_channel* const c = loaded->blend_channels.data[0];
    EXPECT_EQ(str(c->name), "Smile");
    EXPECT_DOUBLE_EQ(c->weight, 0.25);
    ASSERT_EQ(c->keyframes.count, 2U);
    EXPECT_DOUBLE_EQ(c->keyframes.data[0].target_weight, 0.5);
    const ufbx_blend_shape* const full = c->keyframes.data[1].shape;
    EXPECT_EQ(str(full->name), "Full");
    ASSERT_EQ(full->num_offsets, 2U);
    EXPECT_EQ(full->offset_vertices.data[1], 3U);
    EXPECT_EQ(vec(full->position_offsets.data[1]), (Vec3{0.5, 0, 0}));
    EXPECT_EQ(vec(full->normal_offsets.data[0]), (Vec3{0, 0.25, 0}));
}

TEST_P(WriterTest, MaterialsTexturesAndEmbeddedContentReadBack) {
    Scene scene;
    const MaterialRef lambert = add_material(scene, "Cloth", {0.1, 0.2, 0.3});
    scene[lambert].shading_model = "Lambert";
    scene[lambert].emissive = Vec3{0.01, 0.02, 0.03};
    scene[lambert].extra.properties.push_back(double_property("3dsMax|Parameters|roughness", 0.625));
    const MaterialRef phong = add_material(scene, "Metal", {0.4, 0.5, 0.6});
    scene[phong].specular = Vec3{0.7, 0.8, 0.9};
    scene[phong].shininess = 33.5;
    scene[phong].transparency_factor = 0.25;
    scene[phong].transparent = Vec3{1, 1, 1};
    const TextureRef texture = add_texture(scene, lambert, "DiffuseColor", "tex\\a.png", "C:\\art\\tex\\a.png");
    scene[texture].uv_set = "map1";
    ByteVector content(100001);
    for (std::size_t i = 0; i < content.size(); ++i) {
        content[i] = static_cast<std::byte>(i * 7 % 251);
    }
    scene[scene[texture].video].content = content;
    add_texture(scene, phong, "NormalMap", "n.png");
    add_mesh_node(scene, "Cube", add_mesh(scene, make_cube()), {}, {lambert, phong});
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->materials.count, 2U);
    const ufbx_material* const cloth = ufbx_find_material(loaded.get(), "Cloth");
    const ufbx_material* const metal = ufbx_find_material(loaded.get(), "Metal");
    ASSERT_TRUE(cloth != nullptr && metal != nullptr);
    EXPECT_EQ(cloth->shader_type, UFBX_SHADER_FBX_LAMBERT);
    EXPECT_EQ(metal->shader_type, UFBX_SHADER_FBX_PHONG);
    EXPECT_EQ(vec(cloth->fbx.diffuse_color.value_vec3), (Vec3{0.1, 0.2, 0.3}));
    EXPECT_EQ(vec(cloth->fbx.emission_color.value_vec3), (Vec3{0.01, 0.02, 0.03}));
    EXPECT_EQ(ufbx_find_real(&cloth->props, "3dsMax|Parameters|roughness", 0), 0.625);
    EXPECT_EQ(vec(metal->fbx.specular_color.value_vec3), (Vec3{0.7, 0.8, 0.9}));
    EXPECT_EQ(metal->fbx.specular_exponent.value_real, 33.5);
    EXPECT_EQ(metal->fbx.transparency_factor.value_real, 0.25);
    const ufbx_texture* const t = cloth->fbx.diffuse_color.texture;
    ASSERT_NE(t, nullptr);
    EXPECT_EQ(str(t->relative_filename), "tex\\a.png");
    EXPECT_EQ(str(t->absolute_filename), "C:\\art\\tex\\a.png");
    EXPECT_EQ(str(t->uv_set), "map1");
    ASSERT_EQ(t->content.size, content.size());
    EXPECT_EQ(std::memcmp(t->content.data, content.data(), content.size()), 0);
    ASSERT_NE(metal->fbx.normal_map.texture, nullptr);
    EXPECT_EQ(str(metal->fbx.normal_map.texture->relative_filename), "n.png");
}

TEST_P(WriterTest, CurvesReadBackAndEvaluate) {
    Scene scene;
    const NodeRef n = add_node(scene, "n");
    const LayerRef layer = add_stack(scene, "Take 001", -0.5, 2);
    Curve cubic;
    cubic.keys = {{ticks_at(0), 1, Interpolation::CubicUser, 0, 2, {}, {}, {}},
                  {ticks_at(1), 3, Interpolation::CubicBroken, -1, 5, 0.25, 0.5, {}},
                  {ticks_at(2), 0, Interpolation::CubicUser, 0, 0, {}, {}, {}}};
    animate(scene, layer, n, "Lcl Translation", {7, 8, 9}, curve_of({{0, 1}, {1, 3}, {2, 0}}), cubic, {});
    animate(scene, layer, n, "Lcl Rotation", {}, curve_of({{0, 0}, {1, 90}, {2, 10}}, Interpolation::ConstantPrevious),
            curve_of({{0, 0}, {1, 90}, {2, 10}}, Interpolation::ConstantNext),
            curve_of({{0, 0}, {1, 90}, {2, 180}}, Interpolation::CubicAuto));
    animate_number(scene, layer, n, "Visibility", 1, curve_of({{0, 1}, {1, 0}}, Interpolation::ConstantPrevious));
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->anim_stacks.count, 1U);
    const ufbx_anim_stack* const stack = loaded->anim_stacks.data[0];
    EXPECT_EQ(str(stack->name), "Take 001");
    EXPECT_DOUBLE_EQ(stack->time_begin, -0.5);
    EXPECT_DOUBLE_EQ(stack->time_end, 2);
    const ufbx_element* const element = &node(loaded, "n")->element;
    const ufbx_anim_prop* const t = ufbx_find_anim_prop(stack->layers.data[0], element, "Lcl Translation");
    ASSERT_NE(t, nullptr);
    EXPECT_EQ(vec(t->anim_value->default_value), (Vec3{7, 8, 9}));
    EXPECT_EQ(t->anim_value->curves[2], nullptr);
    const ufbx_anim_curve* const linear = t->anim_value->curves[0];
    EXPECT_EQ(ufbx_evaluate_curve(linear, 0.25, 0), 1.5);
    EXPECT_EQ(ufbx_evaluate_curve(linear, 1.5, 0), 1.5);
    const ufbx_anim_curve* const curve = t->anim_value->curves[1];
    ASSERT_EQ(curve->keyframes.count, 3U);
    const ufbx_keyframe* const keys = curve->keyframes.data;
    EXPECT_EQ(keys[0].interpolation, UFBX_INTERPOLATION_CUBIC);
    EXPECT_NEAR(static_cast<double>(keys[0].right.dy / keys[0].right.dx), 2, 1e-6);
    EXPECT_NEAR(static_cast<double>(keys[1].left.dy / keys[1].left.dx), -1, 1e-6);
    EXPECT_NEAR(static_cast<double>(keys[1].left.dx), 0.25, 1e-6);
    EXPECT_NEAR(static_cast<double>(keys[1].right.dy / keys[1].right.dx), 5, 1e-6);
    EXPECT_NEAR(static_cast<double>(keys[1].right.dx), 0.5, 1e-6);
    const ufbx_anim_prop* const r = ufbx_find_anim_prop(stack->layers.data[0], element, "Lcl Rotation");
    ASSERT_NE(r, nullptr);
    EXPECT_EQ(ufbx_evaluate_curve(r->anim_value->curves[0], 0.5, 0), 0);
    EXPECT_EQ(ufbx_evaluate_curve(r->anim_value->curves[1], 0.5, 0), 90);
    EXPECT_NEAR(ufbx_evaluate_curve(r->anim_value->curves[2], 1.5, 0), 135, 12);  // the auto tangent at 1 s is its own matter
    EXPECT_NE(ufbx_find_anim_prop(stack->layers.data[0], element, "Visibility"), nullptr);
}

TEST_P(WriterTest, LayersReadBackWithWeightAndMode) {
    Scene scene;
    const NodeRef n = add_node(scene, "n");
    add_stack(scene, "Take", 0, 1);
    scene.stacks[0].layers.resize(2);
    scene.stacks[0].layers[1].name = "Add";
    scene.stacks[0].layers[1].weight = 40.0;
    scene.stacks[0].layers[1].blend_mode = 1;
    animate(scene, {0, 0}, n, "Lcl Translation", {}, curve_of({{0, 0}, {1, 1}}), {}, {});
    animate(scene, {0, 1}, n, "Lcl Translation", {}, curve_of({{0, 0}, {1, 1}}), {}, {});
    animate_number(scene, {0, 1}, LayerRef{0, 1}, "Weight", 40, curve_of({{0, 0}, {1, 100}}));
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->anim_stacks.data[0]->layers.count, 2U);
    const ufbx_anim_layer* const layer = loaded->anim_stacks.data[0]->layers.data[1];
    EXPECT_EQ(str(layer->name), "Add");
    EXPECT_DOUBLE_EQ(layer->weight, 0.4);
    EXPECT_TRUE(layer->weight_is_animated);
    EXPECT_FALSE(layer->additive);
}

TEST_P(WriterTest, BlendWeightCanBeAnimated) {
    Scene scene;
    Mesh mesh = make_quad();
    BlendChannel channel;
    channel.name = "Smile";
    channel.targets.resize(1);
    channel.targets[0].indexes = {0};
    channel.targets[0].offsets = {{0, 0, 1}};
    mesh.blend_shapes.resize(1);
    mesh.blend_shapes[0].channels.push_back(channel);
    const MeshRef ref = add_mesh(scene, mesh);
    add_mesh_node(scene, "Quad", ref);
    animate_number(scene, add_stack(scene, "Take", 0, 1), blend_channel(ref, 0, 0), "DeformPercent", 0,
                   curve_of({{0, 0}, {1, 100}}));
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    EXPECT_NEAR(ufbx_evaluate_blend_weight(loaded->anim, loaded->blend_channels.data[0], 0.5), 0.5, 1e-9);
}

TEST_P(WriterTest, NamesKeepTheirBytes) {
    const std::string sjis = "\x83\x5c\x95\x5c.x";  // CP932, second bytes are backslashes
    Scene scene;
    add_node(scene, "\xE9\xAA\xA8/\xF0\x9F\xA6\x8A mixamorig:Hips & co \"quoted\"\r\n\ttab");
    add_node(scene, sjis);
    add_node(scene, std::string(300, 'n'));
    add_node(scene, "");
    const LoadedScene loaded = load(write(scene, GetParam()), true);  // warns of the bad UTF-8
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->nodes.count, 5U);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        EXPECT_EQ(str(loaded->nodes.data[i + 1]->name), scene.nodes[i].name);
    }
}

TEST_P(WriterTest, DoublesReadBackExactly) {
    Scene scene;
    Mesh mesh = make_quad();
    mesh.points = {{0.1, 1.0 / 3, 5e-324},
                   {1.7976931348623157e308, -2.2250738585072014e-308, 123456789012345680.0},
                   {1e22, 1e23, -0.0},
                   {3, 2, 1}};
    add_mesh_node(scene, "Quad", add_mesh(scene, mesh));
    const LoadedScene loaded = round_trip(scene);
    ASSERT_TRUE(loaded);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(vec(loaded->meshes.data[0]->vertices.data[i]), mesh.points[i]);
    }
    EXPECT_TRUE(std::signbit(loaded->meshes.data[0]->vertices.data[2].z));
}

TEST_P(WriterTest, WrongThingsCanBeWritten) {
    Scene scene;
    const NodeRef a = add_node(scene, "A");
    const NodeRef b = add_node(scene, "B", a);
    scene[b].extra.connect = false;
    const NodeRef c = add_node(scene, "C");
    scene[c].attribute = AttributeKind::None;
    Mesh mesh = make_quad();
    mesh.points[0] = {std::nan(""), INFINITY, -INFINITY};
    mesh.raw_polygon_vertex_index = std::vector<std::int32_t>{0, 1, -4, 1, 2, -4};  // instead of the quad
    mesh.normals.clear();
    mesh.uvs[0] = {"map1", Mapping::ByPolygonVertex, Reference::IndexToDirect, {{0, 0}}, {0, 0, 0, 99, 0, 0}};
    add_mesh_node(scene, "M", add_mesh(scene, mesh));
    scene.raw_connections.push_back({"OO", 12345, object_id(scene, a), {}});
    scene.raw_connections.push_back({"OP", object_id(scene, b), object_id(scene, c), "LookAtProperty"});
    const LoadedScene loaded = load(write(scene, GetParam()));
    ASSERT_TRUE(loaded);
    EXPECT_EQ(node(loaded, "B")->parent, loaded->root_node);
    ASSERT_EQ(loaded->metadata.warnings.count, 1U);
    EXPECT_EQ(loaded->metadata.warnings.data[0].type, UFBX_WARNING_INDEX_CLAMPED);
    EXPECT_EQ(loaded->meshes.data[0]->num_faces, 2U);
    const Vec3 p = vec(loaded->meshes.data[0]->vertices.data[0]);
    EXPECT_TRUE(std::isnan(p[0]) && p[1] == INFINITY && p[2] == -INFINITY);

    Scene twins;
    add_node(twins, "A");
    twins[add_node(twins, "B")].extra.id = object_id(twins, NodeRef{0});
    const LoadedScene duplicate = load(write(twins, GetParam()));
    ASSERT_TRUE(duplicate);
    ASSERT_EQ(duplicate->metadata.warnings.count, 1U);
    EXPECT_EQ(duplicate->metadata.warnings.data[0].type, UFBX_WARNING_DUPLICATE_OBJECT_ID);
}

TEST_P(WriterTest, TreesCanBeEdited) {
    Strip strip = two_bone_strip();
    Element tree = build_tree(strip.scene, GetParam().version, GetParam().encoding);
    const std::int64_t tip = object_id(strip.scene, strip.tip);
    const std::int64_t cluster = object_id(strip.scene, {ObjectKind::Cluster, {0, 0, 1}});
    EXPECT_EQ(remove_connections(tree, tip, cluster), 1U);
    ASSERT_NE(find_object(tree, tip), nullptr);
    find_object(tree, tip)->values[1] = ObjectName{"Renamed", "Model"};
    ASSERT_NE(find(tree, "Objects", "Geometry", "Vertices"), nullptr);
    const LoadedScene loaded = load(GetParam().encoding == Encoding::Ascii ? serialise_ascii(tree, GetParam().version)
                                                                           : serialise_binary(tree, GetParam().version));
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->skin_deformers.data[0]->clusters.count, 1U);
    EXPECT_NE(ufbx_find_node(loaded.get(), "Renamed"), nullptr);
}

TEST(Writer, IsDeterministic) {
    EXPECT_EQ(write_binary(two_bone_strip().scene, 7400), write_binary(two_bone_strip().scene, 7400));
    EXPECT_EQ(write_ascii(two_bone_strip().scene, 7500), write_ascii(two_bone_strip().scene, 7500));
}

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
    std::vector<std::byte> out;
    for (const int v : values) {
        out.push_back(static_cast<std::byte>(v));
    }
    return out;
}

Element sample_tree() {
    Element root;
    Element& a = root.add("Ab", {std::int32_t{258}, std::string("x")});  // 5 + 6 value bytes
    a.has_block = true;
    a.add("C", {std::vector<double>{1.0}});
    return root;
}

TEST(BinarySerialiser, WritesShortRecordHeadersBelow7500) {
    const std::vector<std::byte> got = serialise_binary(sample_tree(), 7400);
    const std::vector<std::byte> expected = bytes_of({
        'K',  'a', 'y',  'd',  'a', 'r', 'a', ' ', 'F', 'B', 'X', ' ', 'B', 'i', 'n', 'a', 'r', 'y', ' ', ' ',  0,
        0x1a, 0,   0xe8, 0x1c, 0,   0,                                                 // 27 bytes
        101,  0,   0,    0,    2,   0,   0,   0,   11,  0,   0,   0,   2,   'A', 'b',  // ends at 101, 2 values, 11 bytes; 42 so far
        'I',  2,   1,    0,    0,   'S', 1,   0,   0,   0,   'x',                      // 53
        88,   0,   0,    0,    1,   0,   0,   0,   21,  0,   0,   0,   1,   'C',       // 67
        'd',  1,   0,    0,    0,   0,   0,   0,   0,   8,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0xf0, 0x3f,  // 88
        0,    0,   0,    0,    0,   0,   0,   0,   0,   0,   0,   0,   0,  // 101: end of Ab's children
        0,    0,   0,    0,    0,   0,   0,   0,   0,   0,   0,   0,   0,  // 114: end of the file's records
    });
    ASSERT_GT(got.size(), expected.size());
    EXPECT_EQ(std::vector<std::byte>(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(expected.size())), expected);
    // Footer: 16 bytes of id to 130, 14 zeros to 144, 4 zeros, version at 148, 120 zeros, 16 bytes of end mark.
    ASSERT_EQ(got.size(), 288U);
    EXPECT_EQ(got[114], std::byte{0xfa});
    EXPECT_EQ(got[129], std::byte{0x7e});
    EXPECT_EQ(got[148], std::byte{0xe8});
    EXPECT_EQ(got[149], std::byte{0x1c});
    EXPECT_EQ(got[272], std::byte{0xf8});
    EXPECT_EQ(got[287], std::byte{0x0b});
}

TEST(BinarySerialiser, WritesLongRecordHeadersFrom7500) {
    const std::vector<std::byte> got = serialise_binary(sample_tree(), 7500);
    const std::
        vector<std::byte>
            expected =
                bytes_of(
                    {
                        137, 0, 0,  0, 0, 0,   0, 0, 2, 0, 0,   0,   0,   0,
                        0,   0, 11, 0, 0, 0,   0, 0, 0, 0, 2,   'A', 'b',  // 27 + 27 = 54
                        'I', 2, 1,  0, 0, 'S', 1, 0, 0, 0, 'x',            // 65
                        112, 0, 0,  0, 0, 0,   0, 0, 1, 0, 0,   0,   0,   0,
                        0,   0, 21, 0, 0, 0,   0, 0, 0, 0, 1,   'C',  // 91; 21 more: 112; null record: 137
                    });
    ASSERT_GT(got.size(), 27 + expected.size());
    EXPECT_EQ(std::vector<std::byte>(got.begin() + 27, got.begin() + 27 + static_cast<std::ptrdiff_t>(expected.size())),
              expected);
    EXPECT_EQ((got.size() - 16) % 16, 0U);
}

TEST(AsciiSerialiser, WritesTheTextByHand) {
    Element root = sample_tree();
    root.add("N", {0.1, std::int64_t{1} << 40, ObjectName{"n\"\n", "Model"}, 'T', ByteVector{std::byte{'H'}, std::byte{'i'}}});
    root.add("F", {FloatBits{{1.0F}}});
    EXPECT_EQ(text(serialise_ascii(root, 7500)),
              "; FBX 7.5.0 project file\n; ----------------------------------------------------\n\n"
              "Ab: 258, \"x\" {\n\tC: *1 {\n\t\ta: 1\n\t}\n}\n"
              "N: 0.1, 1099511627776, \"Model::n&quot;&lf;\", T, ,\n\"SGk=\"\n"
              "F: *1 {\n\ta: 1065353216\n}\n");
}

}  // namespace
}  // namespace gomkit::testing::fbx
