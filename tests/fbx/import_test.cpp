#include "scene_convert.hpp"

#include <algorithm>

namespace gomkit::fbx::test {
namespace {

using core::IssueId;
using namespace writer;

// A triangle bound to two bones, whose mesh node is itself moved and turned. Root stands at the origin, Tip two metres above it;
// at 1 s Tip has turned a quarter about Z.
struct TwoBones {
    Scene scene = metre_scene();
    NodeRef root;
    NodeRef tip;
    NodeRef mesh_node;
};

TwoBones two_bones() {
    TwoBones out;
    Scene& s = out.scene;
    out.root = add_bone(s, "Root");
    out.tip = add_bone(s, "Tip", out.root, {0, 2, 0});
    writer::Mesh mesh;
    mesh.name = "Geometry";
    // The mesh node is turned by 90 degrees about Z and moved by 5 along X, so world = (5 - y, x, z).
    // World places: (0, 3, 0), (0, 3, 1), (1, 3, 0).
    mesh.points = {{3, 5, 0}, {3, 5, 1}, {3, 4, 0}};
    mesh.polygons = {{0, 1, 2}};
    writer::Skin skin;
    skin.clusters.resize(2);
    skin.clusters[0].bone = out.root;
    skin.clusters[0].indexes = {1};
    skin.clusters[0].weights = {0.5};
    skin.clusters[1].bone = out.tip;
    skin.clusters[1].indexes = {0, 1, 2};
    skin.clusters[1].weights = {1, 0.5, 1};
    mesh.skins.push_back(skin);
    out.mesh_node = add_mesh_node(s, "Body", add_mesh(s, mesh));
    s[out.mesh_node].translation = writer::Vec3{5, 0, 0};
    s[out.mesh_node].rotation = writer::Vec3{0, 0, 90};
    bind_to_current_pose(s, out.mesh_node);
    const LayerRef layer = add_stack(s, "Turn", 0, 1);
    animate(s, layer, out.tip, "Lcl Rotation", {0, 0, 0}, {}, {}, curve_of({{0, 0}, {1, 90}}));
    return out;
}

void expect_two_bones_posed(const Converted& c) {
    ASSERT_EQ(c.view.part_count(), 1u);
    ASSERT_EQ(c.view.clip_count(), 1u);
    // At bind: x is mirrored, nothing else.
    const std::vector<Vec3d> bind = posed(c.view, 0);
    EXPECT_LT(nearest(bind, {0, 3, 0}), 1e-6);
    EXPECT_LT(nearest(bind, {0, 3, 1}), 1e-6);
    EXPECT_LT(nearest(bind, {-1, 3, 0}), 1e-6);
    // Turned: relative to Tip (0, 2, 0) a point (x, y) goes to (-y, x); by hand and mirrored:
    //   (0, 3, 0) -> (-1, 2, 0) -> (1, 2, 0); (1, 3, 0) -> (-1, 3, 0) -> (1, 3, 0);
    //   (0, 3, 1), half Root: the middle of (0, 3, 1) and (-1, 2, 1) -> (0.5, 2.5, 1).
    const std::vector<Vec3d> turned = posed(c.view, 0, 0, 1);
    EXPECT_LT(nearest(turned, {1, 2, 0}), 1e-6);
    EXPECT_LT(nearest(turned, {1, 3, 0}), 1e-6);
    EXPECT_LT(nearest(turned, {0.5, 2.5, 1}), 1e-6);
}

// covers CONV-SPACE-2, GOM-PART-4, GOM-PART-5
TEST(FbxImport, PosesATwoBoneSkinWhoseMeshNodeIsMovedAndTurned) {
    expect_two_bones_posed(convert(two_bones().scene));
}

TEST(FbxImport, IgnoresWhereTheMeshNodeStandsOnceItIsBound) {
    TwoBones t = two_bones();
    // Moved after binding: skinning does not care.
    t.scene[t.mesh_node].translation = writer::Vec3{70, -3, 2};
    t.scene[t.mesh_node].rotation = writer::Vec3{10, 20, 30};
    expect_two_bones_posed(convert(t.scene));
}

// covers GOM-BONE-3
TEST(FbxImport, TakesTheBindFromClustersAndNeverFromPoseObjects) {
    TwoBones t = two_bones();
    Pose pose = bind_pose_of(t.scene, t.mesh_node);
    for (PoseNode& node : pose.nodes) {
        node.matrix[13] += 7;
    }
    t.scene.poses.push_back(pose);
    // The default pose differs from the bind pose as well; the clip keys only rotation, so the rest translation must be keyed.
    expect_two_bones_posed(convert(t.scene));
    t.scene[t.tip].translation = writer::Vec3{0, 4, 0};
    const Converted c = convert(t.scene);
    EXPECT_LT(nearest(posed(c.view, 0), {0, 3, 0}), 1e-6);
    EXPECT_LT(nearest(posed(c.view, 0, 0, 1), {1, 4, 0}), 1e-6);
}

TEST(FbxImport, GivesTheSameBytesForAsciiAndBinaryButForTheSourceHash) {
    const Scene scene = two_bones().scene;
    const std::vector<std::byte> binary = convert(scene).bytes;
    EXPECT_EQ(binary, convert(scene, {}, 7500).bytes);
    EXPECT_EQ(binary, convert_bytes(write_ascii(scene, 7500)).bytes);
    EXPECT_EQ(binary, convert_bytes(write_ascii(scene, 7400)).bytes);
}

TEST(FbxImport, ConvertsUnitsSoThatAMetreIsAMetre) {
    const struct {
        double factor;
        double size;
    } cases[] = {{1, 100}, {100, 1}, {2.54, 100 / 2.54}, {0.1, 1000}};
    for (const auto& row : cases) {
        Scene s;
        s.settings.unit_scale_factor = row.factor;
        const NodeRef node = add_mesh_node(s, "Cube", add_mesh(s, make_cube(row.size)));
        s[node].translation = writer::Vec3{row.size * 3, 0, 0};
        const Converted c = convert(s);
        const Box b = box_of(posed(c.view, 0));
        EXPECT_NEAR(b.max.y - b.min.y, 1, 1e-6) << row.factor;
        EXPECT_NEAR((b.max.x + b.min.x) / 2, -3, 1e-6) << row.factor;
        EXPECT_FALSE(c.report.has(IssueId::FBX_NO_UNIT));
    }
}

// covers CONV-AXIS-4
TEST(FbxImport, AssumesAndSaysSoWhereTheFileDeclaresNoUnitOrAxes) {
    Scene s;
    s.settings.unit_scale_factor.reset();
    s.settings.original_unit_scale_factor.reset();
    s.settings.up_axis.reset();
    s.settings.up_axis_sign.reset();
    s.settings.front_axis.reset();
    s.settings.front_axis_sign.reset();
    s.settings.coord_axis.reset();
    s.settings.coord_axis_sign.reset();
    s.write_templates = false;
    const NodeRef node = add_mesh_node(s, "Cube", add_mesh(s, make_cube(100)));
    s[node].translation = writer::Vec3{300, 50, 20};
    const Converted c = convert(s);
    EXPECT_TRUE(c.report.has(IssueId::FBX_NO_UNIT));
    EXPECT_TRUE(c.report.has(IssueId::FBX_NO_AXES));
    const Box b = box_of(posed(c.view, 0));
    EXPECT_NEAR(b.min.x, -3.5, 1e-6);
    EXPECT_NEAR(b.max.y, 1, 1e-6);
    EXPECT_NEAR(b.min.z, -0.3, 1e-6);
}

TEST(FbxImport, ConvertsAZUpFile) {
    Scene s = metre_scene();
    s.settings.up_axis = 2;
    s.settings.front_axis = 1;
    s.settings.front_axis_sign = -1;
    const NodeRef node = add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)));
    s[node].translation = writer::Vec3{1, -2, 3};  // right, towards the front, up
    const Box b = box_of(posed(convert(s).view, 0));
    EXPECT_NEAR((b.min.x + b.max.x) / 2, -1, 1e-6);
    EXPECT_NEAR((b.min.y + b.max.y) / 2, 3, 1e-6);
    EXPECT_NEAR((b.min.z + b.max.z) / 2, 2, 1e-6);
}

// Twice the signed volume times three by the left-handed rule of winding: positive when triangles face outward.
double signed_volume(const runtime::ModelView& view, std::uint32_t part_index) {
    const runtime::MeshPartView part = view.part(part_index);
    const std::vector<Vec3d> p = posed(view, part_index);
    double sum = 0;
    for (std::uint32_t i = 0; i < part.index_count(); i += 3) {
        sum += dot(p[part.index(i)], cross(p[part.index(i + 1)], p[part.index(i + 2)]));
    }
    return sum / 6;
}

// covers CONV-WIND-2, GOM-PART-7
TEST(FbxImport, KeepsFacesAndNormalsOutwardUnderMirroringPlacements) {
    for (const double x : {1.0, -1.0}) {
        for (const double parent_x : {1.0, -1.0}) {
            Scene s = metre_scene();
            const NodeRef parent = add_node(s, "Parent");
            s[parent].scaling = writer::Vec3{parent_x, 1, 1};
            writer::Mesh cube = make_cube(1);
            const NodeRef node = add_mesh_node(s, "Cube", add_mesh(s, cube), parent);
            s[node].scaling = writer::Vec3{x, 1, 1};
            s[node].translation = writer::Vec3{2, 0, 0};
            const Converted c = convert(s);
            EXPECT_NEAR(signed_volume(c.view, 0), 1, 1e-6);
            EXPECT_EQ(c.view.part(0).has_geometry_to_model(), x * parent_x > 0);
            const runtime::MeshPartView part = c.view.part(0);
            const std::vector<Vec3d> p = posed(c.view, 0);
            const Box b = box_of(p);
            const Vec3d centre = (b.min + b.max) * 0.5;
            const Mat4d g = runtime::matrix_cast<double>(part.geometry_to_model());
            for (std::uint32_t i = 0; i < part.vertex_count(); ++i) {
                const runtime::Vertex v = part.vertex(i);
                const Vec3d n = transform_vector(Vec3d{static_cast<double>(v.normal[0]), static_cast<double>(v.normal[1]),
                                                       static_cast<double>(v.normal[2])}, g);
                EXPECT_GT(dot(n, p[i] - centre), 0);
            }
        }
    }
}

TEST(FbxImport, KeepsAStaticPlacementInGbtmOrBakesItOnRequest) {
    Scene s = metre_scene();
    const NodeRef node = add_mesh_node(s, "Crate", add_mesh(s, make_cube(1)));
    s[node].translation = writer::Vec3{0, 4, 0};
    const Converted kept = convert(s);
    EXPECT_EQ(kept.view.bone_count(), 0u);
    EXPECT_TRUE(kept.view.part(0).has_geometry_to_model());
    EXPECT_FALSE(kept.view.part(0).is_skinned());
    codec::WriteOptions options;
    options.bake_static = true;
    const Converted baked = convert(s, options);
    EXPECT_FALSE(baked.view.part(0).has_geometry_to_model());
    for (const Converted* c : {&kept, &baked}) {
        const Box b = box_of(posed(c->view, 0));
        EXPECT_NEAR(b.min.y, 3.5, 1e-6);
    }
}

TEST(FbxImport, AppliesGeometricTransformsToTheMeshAlone) {
    Scene s = metre_scene();
    const NodeRef parent = add_mesh_node(s, "Parent", add_mesh(s, make_cube(1)));
    s[parent].geometric_translation = writer::Vec3{0, 10, 0};
    add_mesh_node(s, "Parent child", add_mesh(s, make_cube(1)), parent);
    const Converted c = convert(s);
    EXPECT_NEAR(box_of(posed(c.view, 0)).min.y, 9.5, 1e-6);
    EXPECT_NEAR(box_of(posed(c.view, 1)).min.y, -0.5, 1e-6);
}

// covers GOM-PART-8
TEST(FbxImport, BindsAMeshThatMovesRigidlyToOneBone) {
    Scene s = metre_scene();
    const NodeRef door = add_node(s, "Hinge", {}, {1, 0, 0});
    const NodeRef panel = add_mesh_node(s, "Panel", add_mesh(s, make_cube(1)), door);
    s[panel].translation = writer::Vec3{2, 0, 0};
    const LayerRef layer = add_stack(s, "Open", 0, 1);
    animate(s, layer, door, "Lcl Rotation", {0, 0, 0}, {}, curve_of({{0, 0}, {1, 90}}), {});
    const Converted c = convert(s);
    ASSERT_EQ(c.view.bone_count(), 1u);
    EXPECT_EQ(c.view.bone_path(0), "Hinge");
    EXPECT_TRUE(c.view.part(0).is_skinned());
    EXPECT_EQ(c.view.part(0).vertex(0).bone_weight[0], 1.0f);
    // The panel's centre goes from (3, 0, 0) to (1, 0, -2); mirrored (-3, 0, 0) and (-1, 0, -2).
    const Box shut = box_of(posed(c.view, 0));
    EXPECT_NEAR((shut.min.x + shut.max.x) / 2, -3, 1e-6);
    const Box open = box_of(posed(c.view, 0, 0, 1));
    EXPECT_NEAR((open.min.x + open.max.x) / 2, -1, 1e-6);
    EXPECT_NEAR((open.min.z + open.max.z) / 2, -2, 1e-6);
}

TEST(FbxImport, KeepsThePartsOfAnInstancedMeshApartWithTheirMaterials) {
    Scene s = metre_scene();
    const MaterialRef red = add_material(s, "Red", {1, 0, 0});
    const MaterialRef blue = add_material(s, "Blue", {0, 0, 1});
    const MeshRef mesh = add_mesh(s, make_cube(1));
    const NodeRef a = add_mesh_node(s, "A", mesh, {}, {red});
    const NodeRef b = add_mesh_node(s, "B", mesh, {}, {blue});
    s[a].translation = writer::Vec3{0, 1, 0};
    s[b].translation = writer::Vec3{0, 5, 0};
    const Converted c = convert(s);
    ASSERT_EQ(c.view.part_count(), 2u);
    EXPECT_EQ(c.view.part(0).name(), "A");
    EXPECT_EQ(c.view.material(c.view.part(0).submesh(0).material_index).name, "Red");
    EXPECT_EQ(c.view.material(c.view.part(1).submesh(0).material_index).name, "Blue");
    EXPECT_NEAR(box_of(posed(c.view, 1)).min.y, 4.5, 1e-6);
}

TEST(FbxImport, SplitsAMeshByTheMaterialsOfItsFaces) {
    Scene s = metre_scene();
    writer::Mesh cube = make_cube(1);
    cube.materials = MaterialLayer{Mapping::ByPolygon, {1, 0, 1, 0, 0, 1}};
    const MaterialRef z = add_material(s, "Z", {0.1, 0.2, 0.3});
    const MaterialRef a = add_material(s, "A", {1, 1, 1});
    add_mesh_node(s, "Cube", add_mesh(s, cube), {}, {z, a});
    const Converted c = convert(s);
    ASSERT_EQ(c.view.part(0).submesh_count(), 2u);
    EXPECT_EQ(c.view.part(0).submesh(0).index_count, 18u);
    EXPECT_EQ(c.view.material(0).name, "A");
    EXPECT_EQ(c.view.material(1).name, "Z");
    EXPECT_FLOAT_EQ(c.view.material(1).diffuse.z, 0.3f);
}

TEST(FbxImport, ReadsPhongValuesAndMapPaths) {
    Scene s = metre_scene();
    const MaterialRef m = add_material(s, "Skin", {0.5, 0.25, 1});
    s[m].diffuse_factor = 0.5;
    s[m].specular = writer::Vec3{1, 1, 1};
    s[m].specular_factor = 0.25;
    s[m].emissive = writer::Vec3{0, 0, 2};
    s[m].emissive_factor = 0.5;
    s[m].shininess = 20;
    s[m].opacity = 0.75;
    add_texture(s, m, "DiffuseColor", "textures\\skin.png", "C:\\art\\textures\\skin.png");
    add_texture(s, m, "NormalMap", "", "D:\\elsewhere\\normal.tga");
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), {}, {m});
    const Converted c = convert(s);
    const runtime::MaterialView v = c.view.material(0);
    EXPECT_FLOAT_EQ(v.diffuse.x, 0.25f);
    EXPECT_FLOAT_EQ(v.specular.y, 0.25f);
    EXPECT_FLOAT_EQ(v.emissive.z, 1.0f);
    EXPECT_FLOAT_EQ(v.shininess, 20);
    EXPECT_FLOAT_EQ(v.opacity, 0.75f);
    EXPECT_EQ(v.diffuse_map, "textures/skin.png");
    EXPECT_EQ(v.normal_map, "normal.tga");
}

TEST(FbxImport, UsesTheDefaultMaterialWhereThereIsNone) {
    Scene s = metre_scene();
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)));
    const Converted c = convert(s);
    ASSERT_EQ(c.view.material_count(), 1u);
    EXPECT_EQ(c.view.material(0).name, "DefaultMaterial");
}

// covers CONV-UV-1
TEST(FbxImport, TurnsUvUpsideDown) {
    Scene s = metre_scene();
    writer::Mesh quad = make_quad(2, 2);
    add_mesh_node(s, "Quad", add_mesh(s, quad));
    const Converted c = convert(s);
    const runtime::MeshPartView part = c.view.part(0);
    for (std::uint32_t i = 0; i < part.vertex_count(); ++i) {
        const runtime::Vertex v = part.vertex(i);
        EXPECT_FLOAT_EQ(v.uv0[1], v.position[1] > 0 ? 0.0f : 1.0f);  // the top of the picture is at the top
        EXPECT_FLOAT_EQ(v.uv0[0], v.position[0] < 0 ? 1.0f : 0.0f);  // mirrored with the geometry
        EXPECT_FLOAT_EQ(v.normal[2], 1);
    }
}

TEST(FbxImport, GeneratesNormalsAndRespectsHardEdgesAndFlatFaces) {
    writer::Mesh smooth = make_cube(1);
    smooth.normals.clear();
    writer::Mesh faceted = smooth;
    faceted.smoothing = SmoothingLayer{Mapping::ByPolygon, {0, 0, 0, 0, 0, 0}};
    writer::Mesh hard = smooth;
    hard.edges = edges_of(hard.polygons);
    hard.smoothing = SmoothingLayer{Mapping::ByEdge, std::vector<std::int32_t>(hard.edges.size(), 0)};
    const struct {
        const writer::Mesh* mesh;
        bool flat;
    } cases[] = {{&smooth, false}, {&faceted, true}, {&hard, true}};
    for (const auto& row : cases) {
        Scene s = metre_scene();
        add_mesh_node(s, "Cube", add_mesh(s, *row.mesh));
        const Converted c = convert(s);
        EXPECT_TRUE(c.report.has(IssueId::MESH_NORMALS_GENERATED));
        for (std::uint32_t i = 0; i < c.view.part(0).vertex_count(); ++i) {
            const runtime::Vertex v = c.view.part(0).vertex(i);
            const float largest = std::max({std::fabs(v.normal[0]), std::fabs(v.normal[1]), std::fabs(v.normal[2])});
            EXPECT_NEAR(largest, row.flat ? 1.0 : 1 / std::sqrt(3.0), 1e-6);
        }
    }
    // With normals in the file, --normals generate still follows its hard edges.
    writer::Mesh both = hard;
    both.normals = {flat_normals(smooth)};
    for (auto& n : both.normals[0].values) {
        n = {0, 1, 0};
    }
    Scene s = metre_scene();
    add_mesh_node(s, "Cube", add_mesh(s, both));
    codec::WriteOptions options;
    options.normals = pass::NormalMode::Generate;
    codec::ReadOptions read;
    read.smoothing = true;
    const Converted c = convert_bytes(write_binary(s, 7400), options, read);
    EXPECT_NEAR(std::fabs(c.view.part(0).vertex(0).normal[0]) + std::fabs(c.view.part(0).vertex(0).normal[1]) +
                    std::fabs(c.view.part(0).vertex(0).normal[2]), 1, 1e-6);
}

// The mean of the corners of some triangles.
Vec3d middle_of(const runtime::MeshPartView& part, std::uint32_t first, std::uint32_t count) {
    Vec3d sum{0, 0, 0};
    for (std::uint32_t i = first; i < first + count; ++i) {
        const runtime::Vertex v = part.vertex(part.index(i));
        sum = sum + Vec3d{static_cast<double>(v.position[0]), static_cast<double>(v.position[1]), static_cast<double>(v.position[2])};
    }
    return sum / count;
}

TEST(FbxImport, KeepsTheMaterialsOfAnInstanceThatHasMoreThanTheFirst) {
    Scene s = metre_scene();
    writer::Mesh cube = make_cube(1);
    cube.materials = MaterialLayer{Mapping::ByPolygon, {0, 1, 0, 0, 0, 0}};
    const MeshRef mesh = add_mesh(s, cube);
    const MaterialRef red = add_material(s, "Red", {1, 0, 0});
    const MaterialRef green = add_material(s, "Green", {0, 1, 0});
    const MaterialRef blue = add_material(s, "Blue", {0, 0, 1});
    add_mesh_node(s, "A", mesh, {}, {red});
    add_mesh_node(s, "B", mesh, {}, {green, blue});
    const Converted c = convert(s);
    ASSERT_EQ(c.view.part(1).submesh_count(), 2u);
    EXPECT_EQ(c.view.material(c.view.part(1).submesh(0).material_index).name, "Blue");
    EXPECT_EQ(c.view.part(1).submesh(0).index_count, 6u);
    // A has no second material: those faces have the default one.
    ASSERT_EQ(c.view.part(0).submesh_count(), 2u);
    EXPECT_EQ(c.view.material(c.view.part(0).submesh(0).material_index).name, "DefaultMaterial");
    EXPECT_FALSE(c.report.has(IssueId::FBX_INSTANCE_MATERIALS));
    // Subdivided, the second face's corners become its four parts, and those four each again.
    s[mesh].extra.children = {Element{"Smoothness", {std::int32_t{2}}, {}, false}};
    codec::ReadOptions read;
    read.scene.subdivide = 2;
    const Converted fine = convert_bytes(write_binary(s, 7400), {}, read);
    ASSERT_EQ(fine.view.part(1).submesh_count(), 2u);
    EXPECT_EQ(fine.view.material(fine.view.part(1).submesh(0).material_index).name, "Blue");
    EXPECT_EQ(fine.view.part(1).submesh(0).index_count, 16 * 6u);
    // All of it lies around the middle of that face, as the whole does around that face of the cage.
    const runtime::SubmeshView blue_cage = c.view.part(1).submesh(0);
    const runtime::SubmeshView blue_fine = fine.view.part(1).submesh(0);
    const Vec3d a = middle_of(c.view.part(1), blue_cage.index_start, blue_cage.index_count);
    const Vec3d b = middle_of(fine.view.part(1), blue_fine.index_start, blue_fine.index_count);
    EXPECT_GT(dot(a, b), 0.99 * length(a) * length(b));
}

TEST(FbxImport, KeepsTangentsThatTheFileHas) {
    writer::Mesh quad = make_quad(1, 1);
    writer::Layer<writer::Vec3> tangents;
    writer::Layer<writer::Vec3> binormals;
    for (int i = 0; i < 4; ++i) {
        tangents.values.push_back({0, 1, 0});  // not what MikkTSpace would find
        binormals.values.push_back({-1, 0, 0});
    }
    quad.tangents = {tangents};
    quad.binormals = {binormals};
    Scene s = metre_scene();
    add_mesh_node(s, "Quad", add_mesh(s, quad));
    const Converted kept = convert(s);
    EXPECT_FLOAT_EQ(kept.view.part(0).vertex(0).tangent[1], 1);
    // bitangent = cross(n, t) * w must be the file's, mirrored: (1, 0, 0); cross((0,0,1), (0,1,0)) = (-1, 0, 0).
    EXPECT_FLOAT_EQ(kept.view.part(0).vertex(0).tangent[3], -1);
    codec::WriteOptions options;
    options.tangents = pass::TangentMode::Generate;
    EXPECT_FLOAT_EQ(convert(s, options).view.part(0).vertex(0).tangent[0], -1);
    // Without any in the file, Keep generates none: the axis least aligned with the normal +Z is X.
    s.meshes[0].tangents.clear();
    s.meshes[0].binormals.clear();
    options.tangents = pass::TangentMode::Keep;
    EXPECT_FLOAT_EQ(convert(s, options).view.part(0).vertex(0).tangent[0], 1);
    EXPECT_FLOAT_EQ(convert(s).view.part(0).vertex(0).tangent[0], -1);
}

// covers GOM-WEIGHT-1, GOM-WEIGHT-2
TEST(FbxImport, ReducesToFourInfluencesAndBindsUnweightedPoints) {
    TwoBones t = two_bones();
    Scene& s = t.scene;
    writer::Skin& skin = s.meshes[0].skins[0];
    for (int i = 0; i < 4; ++i) {
        const NodeRef bone = add_bone(s, "Extra" + std::to_string(i), t.root);
        writer::Cluster cluster;
        cluster.bone = bone;
        cluster.indexes = {0};
        cluster.weights = {0.1 * (i + 1)};
        skin.clusters.push_back(cluster);
    }
    skin.clusters[1].indexes = {0, 1};  // point 2 loses its only influence
    skin.clusters[1].weights = {0.05, 0.5};
    bind_to_current_pose(s, t.mesh_node);
    const Converted c = convert(s);
    EXPECT_TRUE(c.report.has(IssueId::MESH_WEIGHTS_REDUCED));
    EXPECT_TRUE(c.report.has(IssueId::MESH_UNWEIGHTED));
    bool found = false;
    for (std::uint32_t i = 0; i < c.view.part(0).vertex_count(); ++i) {
        const runtime::Vertex v = c.view.part(0).vertex(i);
        if (v.bone_weight[3] > 0) {
            found = true;
            EXPECT_FLOAT_EQ(v.bone_weight[0], 0.4f);
            EXPECT_FLOAT_EQ(v.bone_weight[3], 0.1f);
            EXPECT_EQ(c.view.bone_path(v.bone_index[0]), "Root/Extra3");
        }
    }
    EXPECT_TRUE(found);
}

TEST(FbxImport, LetsSeveralMeshesShareOneSkeletonEachWithItsOwnPlacement) {
    TwoBones t = two_bones();
    Scene& s = t.scene;
    writer::Mesh second = s.meshes[0];
    second.name = "Second";
    // Placed at the origin and not turned, so its points are given in world space.
    second.points = {{0, 3, 0}, {0, 3, 1}, {1, 3, 0}};
    const NodeRef node = add_mesh_node(s, "Armour", add_mesh(s, second));
    bind_to_current_pose(s, node);
    const Converted c = convert(s);
    ASSERT_EQ(c.view.part_count(), 2u);
    EXPECT_EQ(c.view.part(0).name(), "Armour");
    EXPECT_EQ(c.view.bone_count(), 2u);
    for (std::uint32_t part = 0; part < 2; ++part) {
        EXPECT_LT(nearest(posed(c.view, part, 0, 1), {1, 2, 0}), 1e-6);
        EXPECT_LT(nearest(posed(c.view, part, 0, 1), {0.5, 2.5, 1}), 1e-6);
    }
}

// covers GOM-BONE-4
TEST(FbxImport, FollowsTheFirstOfTwoBindsThatDisagreeAndKeepsTheSecondsInverse) {
    TwoBones t = two_bones();
    Scene& s = t.scene;
    writer::Mesh second = s.meshes[0];
    second.name = "Second";
    const NodeRef node = add_mesh_node(s, "Zebra", add_mesh(s, second));
    bind_to_current_pose(s, node);
    // The second was bound while Tip stood one metre higher.
    writer::Cluster& tip = s.meshes[1].skins[0].clusters[1];
    (*tip.transform_link)[13] += 1;
    (*tip.transform)[13] -= 1;
    const Converted c = convert(s);
    EXPECT_TRUE(c.report.has(IssueId::FBX_BINDS_DISAGREE));
    EXPECT_EQ(c.view.validation_flags() & 1u, 0u);
    const int bone = find_bone(c.view, "Root/Tip");
    ASSERT_GE(bone, 0);
    EXPECT_NEAR(bone_models(c.view)[static_cast<std::size_t>(bone)].m[13], 2, 1e-6);
}

// covers GOM-BONE-6
TEST(FbxImport, BindsABoneOfZeroScaleWithAWarning) {
    Scene s = metre_scene();
    const NodeRef node = add_mesh_node(s, "Grow", add_mesh(s, make_cube(1)));
    s[node].translation = writer::Vec3{0.3, 0.1, 0};
    s[node].scaling = writer::Vec3{1, 0, 1};
    const LayerRef layer = add_stack(s, "Grow", 0, 1);
    animate(s, layer, node, "Lcl Scaling", {1, 0, 1}, curve_of({{0, 1}, {1, 1}}), curve_of({{0, 0}, {1, 2}}), curve_of({{0, 1}, {1, 1}}));
    const Converted c = convert(s);
    EXPECT_TRUE(c.report.has(IssueId::FBX_SINGULAR_BIND));
    const Box flat = box_of(posed(c.view, 0));
    EXPECT_NEAR(flat.max.y - flat.min.y, 0, 1e-5);
    const Box grown = box_of(posed(c.view, 0, 0, 1));
    EXPECT_NEAR(grown.max.y - grown.min.y, 2, 1e-5);
    EXPECT_NEAR((grown.max.y + grown.min.y) / 2, 0.1, 1e-5);
}

TEST(FbxImport, MakesEveryStackAClipThatStartsAtZeroAndNumbersDuplicates) {
    TwoBones t = two_bones();
    Scene& s = t.scene;
    const LayerRef again = add_stack(s, "Turn", 2, 3);
    animate(s, again, t.tip, "Lcl Rotation", {0, 0, 0}, {}, {}, curve_of({{1, -90}, {2, 0}, {3, 90}}));
    add_stack(s, "", 0, 0.5);
    const Converted c = convert(s);
    EXPECT_TRUE(c.report.has(IssueId::CLIP_RENAMED));
    ASSERT_EQ(c.view.clip_count(), 3u);
    EXPECT_EQ(c.view.clip(0).name(), "Turn");
    EXPECT_EQ(c.view.clip(1).name(), "Turn~2");
    EXPECT_EQ(c.view.clip(2).name(), "clip");
    EXPECT_EQ(c.view.clip(2).track_count(), 0u);
    EXPECT_FLOAT_EQ(c.view.clip(1).duration_seconds(), 1);
    // Trimmed: at its start the second is where the first is at its own.
    EXPECT_LT(nearest(posed(c.view, 0, 1, 0), {0, 3, 0}), 1e-6);
    EXPECT_LT(nearest(posed(c.view, 0, 1, 1), {1, 2, 0}), 1e-6);
}

TEST(FbxImport, DropsChannelsThatStayAtRestAndReducesConstantOnes) {
    TwoBones t = two_bones();
    Scene& s = t.scene;
    const LayerRef layer{0, 0};
    animate(s, layer, t.root, "Lcl Translation", {0, 0, 0}, curve_of({{0, 0}, {1, 0}}), curve_of({{0, 0}, {1, 0}}), curve_of({{0, 0}, {1, 0}}));
    animate(s, layer, t.tip, "Lcl Translation", {0, 2, 0}, curve_of({{0, 0}, {1, 0}}), curve_of({{0, 3}, {1, 3}}), curve_of({{0, 0}, {1, 0}}));
    const Converted c = convert(s);
    ASSERT_EQ(c.view.clip(0).track_count(), 1u);
    const runtime::TrackView track = c.view.clip(0).track(0);
    EXPECT_EQ(c.view.bone_path(track.bone_index()), "Root/Tip");
    EXPECT_EQ(track.translation_count(), 1u);
    EXPECT_EQ(track.scale_count(), 0u);
    EXPECT_GT(track.rotation_count(), 10u);  // Euler angles are no slerp: sampled at 30 frames a second
}

// covers GOM-KEY-2
TEST(FbxImport, WritesAStepAsTwoKeys) {
    TwoBones t = two_bones();
    Scene& s = t.scene;
    Curve y = curve_of({{0, 2}, {0.5, 6}, {1, 6}}, Interpolation::ConstantPrevious);
    animate(s, LayerRef{0, 0}, t.tip, "Lcl Translation", {0, 2, 0}, curve_of({{0, 0}}), y, curve_of({{0, 0}}));
    const Converted c = convert(s);
    const runtime::TrackView track = c.view.clip(0).track(0);
    ASSERT_EQ(track.translation_count(), 4u);
    EXPECT_EQ(track.translation(1).time_seconds, std::nextafter(0.5f, 0.0f));
    EXPECT_FLOAT_EQ(track.translation(1).value.y, 2);
    EXPECT_EQ(track.translation(2).time_seconds, 0.5f);
    EXPECT_FLOAT_EQ(track.translation(2).value.y, 6);
}

// The value of the first animated bone's translation key in force at `time`.
float x_at(const Converted& c, float time) {
    const runtime::TrackView track = c.view.clip(0).track(0);
    float value = track.translation(0).value.x;
    for (std::uint32_t i = 0; i < track.translation_count() && track.translation(i).time_seconds <= time; ++i) {
        value = track.translation(i).value.x;
    }
    return -value;  // mirrored back
}

Converted animated_x(Curve x, double start, double stop, bool ranged = true) {
    Scene s = metre_scene();
    const NodeRef bone = add_bone(s, "Bone");
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), bone);
    const LayerRef layer = add_stack(s, "Move", start, stop);
    if (!ranged) {
        s.stacks[0].local_start.reset();
        s.stacks[0].local_stop.reset();
        s.stacks[0].reference_start.reset();
        s.stacks[0].reference_stop.reset();
        s.write_takes = false;
    }
    animate(s, layer, bone, "Lcl Translation", {0, 0, 0}, std::move(x), {}, {});
    return convert(s);
}

TEST(FbxImport, HoldsAKeysOwnValueAtItsTimeWhereTheNextOneFollowsAtOnce) {
    const Converted c = animated_x(curve_of({{0, 0}, {1, 1}, {2, 2}}, Interpolation::ConstantNext), 0, 2);
    EXPECT_FLOAT_EQ(x_at(c, 0), 0);
    EXPECT_FLOAT_EQ(x_at(c, 0.5f), 1);
    EXPECT_FLOAT_EQ(x_at(c, 1), 1);
    EXPECT_FLOAT_EQ(x_at(c, 1.5f), 2);
    EXPECT_FLOAT_EQ(x_at(c, 2), 2);
}

TEST(FbxImport, StartsAStackWithoutARangeAtItsFirstKey) {
    const Converted c = animated_x(curve_of({{5, 1}, {10, 2}}), 0, 1, false);
    EXPECT_FLOAT_EQ(c.view.clip(0).duration_seconds(), 5);
    EXPECT_FLOAT_EQ(x_at(c, 0), 1);
    EXPECT_FLOAT_EQ(x_at(c, 5), 2);
}

// covers GOM-KEY-1
TEST(FbxImport, SamplesWholeFramesBesideKeysThatStandBetweenThem) {
    // Cubic keys at 0.4 of a frame: whole frames next to them must be keys of their own.
    Curve x;
    for (int i = 0; i < 7; ++i) {
        writer::Key key;
        key.time = ticks_at((0.4 + 5 * i) / 30);
        key.value = i % 2 == 0 ? 0.0 : 1.0;
        key.interpolation = Interpolation::CubicAuto;
        x.keys.push_back(key);
    }
    const Converted c = animated_x(x, 0, 1);
    const runtime::TrackView track = c.view.clip(0).track(0);
    for (int frame = 1; frame < 30; ++frame) {
        bool found = false;
        for (std::uint32_t i = 0; i < track.translation_count(); ++i) {
            found = found || std::fabs(track.translation(i).time_seconds - static_cast<float>(frame) / 30) < 1e-6f;
        }
        EXPECT_TRUE(found) << frame;
    }
}

TEST(FbxImport, SurvivesASkinThatIsBoundToTheScenesRoot) {
    Scene s = metre_scene();
    writer::Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.polygons = {{0, 1, 2}};
    writer::Skin skin;
    skin.clusters.resize(1);
    skin.clusters[0].indexes = {0, 1, 2};
    skin.clusters[0].weights = {1, 1, 1};
    mesh.skins.push_back(skin);
    const MeshRef ref = add_mesh(s, mesh);
    add_mesh_node(s, "Body", ref);
    s.raw_connections.push_back({"OO", 0, object_id(s, {ObjectKind::Cluster, {ref.index, 0, 0}})});
    const Converted c = convert(s);
    ASSERT_EQ(c.view.part_count(), 1u);
    EXPECT_LT(nearest(posed(c.view, 0), {-1, 0, 0}), 1e-6);
}

TEST(FbxImport, RefusesInstancesBeyondTheLimitsBeforeItBuildsThem) {
    Scene s = metre_scene();
    const MeshRef mesh = add_mesh(s, make_cube(1));
    for (int i = 0; i < 40; ++i) {
        add_mesh_node(s, "Cube", mesh);
    }
    const std::vector<std::byte> fbx = write_binary(s, 7400);
    core::Report report;
    codec::ReadOptions read;
    read.limits.max_mesh_parts = 39;
    auto model = make_codec().read(fbx, "test.fbx", read, report);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, core::Code::LimitExceeded);
    read.limits.max_mesh_parts = 40;
    read.limits.max_indices = 40 * 36 - 1;
    EXPECT_FALSE(make_codec().read(fbx, "test.fbx", read, report));
    read.limits.max_indices = 40 * 36;
    EXPECT_TRUE(make_codec().read(fbx, "test.fbx", read, report));
}

TEST(FbxImport, WritesKeysThatLeaveFloat32WithoutBreakingTheOutput) {
    const Converted c = animated_x(curve_of({{0, 3e38}, {1, -3e38}}), 0, 1);
    EXPECT_TRUE(c.report.has(IssueId::CLIP_NON_FINITE));
}

TEST(FbxImport, ListsTexturesThatHaveNoPlace) {
    Scene s = metre_scene();
    const MaterialRef m = add_material(s, "Skin", {1, 1, 1});
    add_texture(s, m, "DiffuseColor", "a.png", "");
    add_texture(s, m, "TransparentColor", "b.png", "");
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), {}, {m});
    const Converted c = convert(s);
    const auto& losses = c.report.losses();
    EXPECT_TRUE(std::any_of(losses.begin(), losses.end(), [](const core::Loss& l) { return l.kind == "textures of other material properties" && l.count == 1; }));
}

TEST(FbxImport, GivesSkeletonAndClipsWithAWarningWhereThereIsNoMesh) {
    Scene s = metre_scene();
    const NodeRef root = add_bone(s, "Root");
    const NodeRef tip = add_bone(s, "Tip", root, {0, 1, 0});
    const LayerRef layer = add_stack(s, "Wave", 0, 1);
    animate(s, layer, tip, "Lcl Rotation", {0, 0, 0}, {}, {}, curve_of({{0, 0}, {1, 45}}));
    const Converted c = convert(s);
    EXPECT_TRUE(c.report.has(IssueId::CONV_EMPTY_MODEL));
    EXPECT_EQ(c.view.part_count(), 0u);
    EXPECT_EQ(c.view.bone_count(), 2u);
    EXPECT_EQ(c.view.clip_count(), 1u);
    EXPECT_EQ(c.view.material_count(), 1u);
}

TEST(FbxImport, ListsWhatIsLostByKindAndCount) {
    Scene s = metre_scene();
    add_node(s, "Lamp", {}, {}, AttributeKind::Light);
    add_node(s, "Lamp 2", {}, {}, AttributeKind::Light);
    add_node(s, "Eye", {}, {}, AttributeKind::Camera);
    writer::Mesh cube = make_cube(1);
    cube.uvs.push_back(cube.uvs[0]);
    cube.uvs[1].name = "second";
    add_mesh_node(s, "Cube", add_mesh(s, cube));
    const Converted c = convert(s);
    const auto lost = [&](std::string_view kind) {
        for (const core::Loss& loss : c.report.losses()) {
            if (loss.kind == kind) {
                return loss.count;
            }
        }
        return std::uint64_t{0};
    };
    EXPECT_EQ(lost("lights"), 2u);
    EXPECT_EQ(lost("cameras"), 1u);
    EXPECT_EQ(lost("texture coordinate sets beyond the first"), 1u);
}

TEST(FbxImport, CutsPolygonsOfAnySize) {
    Scene s = metre_scene();
    writer::Mesh star;
    star.name = "Star";
    std::vector<std::int32_t> corners;
    double area = 0;
    for (int i = 0; i < 40; ++i) {
        const double r = i % 2 == 0 ? 1 : 0.3;
        const double angle = 3.14159265358979 * i / 20;
        star.points.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        corners.push_back(i);
        area += 0.5 * 1 * 0.3 * std::sin(3.14159265358979 / 20);
    }
    star.polygons = {corners};
    add_mesh_node(s, "Star", add_mesh(s, star));
    const Converted c = convert(s);
    const runtime::MeshPartView part = c.view.part(0);
    EXPECT_EQ(part.index_count(), 38u * 3);
    const std::vector<Vec3d> p = posed(c.view, 0);
    double sum = 0;
    for (std::uint32_t i = 0; i < part.index_count(); i += 3) {
        const double z = cross(p[part.index(i + 1)] - p[part.index(i)], p[part.index(i + 2)] - p[part.index(i)]).z;
        EXPECT_GT(z, 0);
        sum += z / 2;
    }
    EXPECT_NEAR(sum, area, 1e-6);
}

TEST(FbxImport, CleansNamesOnce) {
    Scene s = metre_scene();
    add_mesh_node(s, "Tab\there", add_mesh(s, make_cube(1)));
    add_bone(s, "a/b%c");
    const Converted c = convert(s);
    EXPECT_TRUE(c.report.has(IssueId::FBX_BAD_TEXT));
    EXPECT_EQ(c.view.part(0).name(), "Tab_here");
    EXPECT_EQ(c.view.bone_path(0), "a%2Fb%25c");
    EXPECT_EQ(c.view.bone_name(0), "a/b%c");
}

TEST(FbxImport, PassesOnWhatTheReaderWarnsAbout) {
    Scene s = metre_scene();
    const NodeRef a = add_node(s, "A");
    const NodeRef b = add_node(s, "B");
    s[b].extra.id = object_id(s, a);
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)));
    EXPECT_TRUE(convert(s).report.has(IssueId::FBX_READER_WARNING));
}

TEST(FbxImport, RefusesTruncatedFilesAtAnyByteWithoutACrash) {
    const std::vector<std::byte> whole = write_binary(two_bones().scene, 7400);
    core::Report report;
    std::size_t refused = 0;
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        const auto model = make_codec().read(part, "test.fbx", {}, report);
        if (!model) {
            ++refused;
            EXPECT_FALSE(model.error().what.empty());
            const int code = core::exit_code(model.error().code);
            EXPECT_TRUE(code == 1 || code == 4) << code;
        }
    }
    EXPECT_GT(refused, whole.size() / 7 / 2);
}

TEST(FbxImport, StopsAtItsLimits) {
    const std::vector<std::byte> fbx = write_binary(two_bones().scene, 7400);
    core::Report report;
    codec::ReadOptions read;
    read.limits.max_nodes = 2;
    auto model = make_codec().read(fbx, "test.fbx", read, report);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, core::Code::LimitExceeded);
    read = {};
    read.limits.max_memory_bytes = 10'000;
    model = make_codec().read(fbx, "test.fbx", read, report);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, core::Code::LimitExceeded);
    model = make_codec().read(fbx, "test.fbx", {}, report);
    ASSERT_TRUE(model);
    codec::WriteOptions write;
    write.limits.max_vertices = 2;
    const auto bytes = gom::make_codec().write(std::move(*model), write, report);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, core::Code::LimitExceeded);
}

}  // namespace
}  // namespace gomkit::fbx::test
