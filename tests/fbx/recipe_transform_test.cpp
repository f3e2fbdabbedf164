// Recipes about spaces and transforms (docs/formats/fbx-recipes.md). The expected places come from truth.hpp or from numbers by hand.
#include <algorithm>
#include <array>
#include <random>

#include "truth.hpp"

namespace gomkit::fbx::test {
namespace {

using namespace writer;
using core::IssueId;

model::Model read_model(const Scene& scene, codec::ReadOptions options = {}) {
    core::Report report;
    auto model = make_codec().read(write_binary(scene, 7400), "test.fbx", options, report);
    EXPECT_TRUE(model) << (model ? std::string() : core::to_string(model.error()));
    return model ? std::move(*model) : model::Model{};
}

// The largest difference between a scene's clip and its truth at whole frames (30 a second) of one second, in metres.
double off_over_a_second(const Scene& scene, const Converted& c) {
    const Truth truth(scene);
    double worst = 0;
    for (int frame = 0; frame <= 30; ++frame) {
        // A clip's times are float32.
        worst = std::fmax(worst, off(truth.points(frame / 30.0), posed_points(c.view, static_cast<double>(static_cast<float>(frame / 30.0)))));
    }
    return worst;
}

// T-unit
TEST(Recipe, UnitGivesAMetreHoweverItIsWritten) {
    const struct {
        std::optional<double> factor;
        double vertices;
        double node_scale;
    } rows[] = {{1, 100, 1}, {100, 1, 1}, {2.54, 100 / 2.54, 1}, {{}, 100, 1}, {1, 10000, 0.01}, {100, 0.01, 100}};
    for (const auto& row : rows) {
        Scene s;
        s.settings.unit_scale_factor = row.factor;
        s.settings.original_unit_scale_factor = row.factor;
        s.write_templates = false;
        const NodeRef node = add_mesh_node(s, "Cube", add_mesh(s, make_cube(row.vertices)));
        s[node].scaling = Vec3{row.node_scale, row.node_scale, row.node_scale};
        const Converted c = convert_forms(s);
        EXPECT_EQ(forms(s).size(), 7u);  // 6100 among them
        const Box b = box_of(posed_points(c.view));
        for (const double size : {b.max.x - b.min.x, b.max.y - b.min.y, b.max.z - b.min.z}) {
            EXPECT_NEAR(size, 1, 1e-6) << row.vertices;
        }
        EXPECT_EQ(c.report.has(IssueId::FBX_NO_UNIT), !row.factor);
    }
}

// T-unit, --unit-override
TEST(Recipe, UnitOverrideBelievesTheOption) {
    for (const std::optional<double> factor : {std::optional<double>(1), std::optional<double>(100), std::optional<double>()}) {
        Scene s;
        s.settings.unit_scale_factor = factor;
        s.write_templates = false;
        const NodeRef bone = add_bone(s, "Bone", {}, {0, 2, 0});
        Mesh mesh = triangle_each({bone}, {{0, 2, 0}});
        const NodeRef node = add_mesh_node(s, "Body", add_mesh(s, mesh));
        bind_to_current_pose(s, node);
        animate(s, add_stack(s, "Move", 0, 1), bone, "Lcl Translation", {0, 2, 0}, curve_of({{0, 0}, {1, 8}}), {}, {});
        codec::ReadOptions read;
        read.scene.unit_meters = 0.5;
        const Converted c = convert_forms(s, read);
        EXPECT_FALSE(c.report.has(IssueId::FBX_NO_UNIT));
        const Truth truth(s, 0.5);
        EXPECT_LT(off(truth.points(0.0), posed_points(c.view)), 1e-6);
        EXPECT_LT(off(truth.points(1.0), posed_points(c.view, 1.0)), 1e-6);
        EXPECT_NEAR(posed_points(c.view, 1.0)[0].x, -4, 1e-6);
    }
    core::Report report;
    codec::ReadOptions read;
    read.scene.unit_meters = -1;
    const auto refused = make_codec().read(write_binary(metre_scene(), 7400), "test.fbx", read, report);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Code::Usage);
}

// T-armature100
TEST(Recipe, ArmatureOfScaleAHundredPosesAsAnyOther) {
    Scene s = metre_scene();
    const NodeRef armature = add_node(s, "Armature", {}, {0.3, 0.1, -0.2});
    s[armature].scaling = Vec3{100, 100, 100};
    s[armature].rotation = Vec3{-90, 0, 0};
    const NodeRef root = add_bone(s, "Root", armature, {0, 0, 0.01});
    const NodeRef tip = add_bone(s, "Tip", root, {0, 0.015, 0});
    Mesh mesh = triangle_each({root, tip}, {{0, 0, 0}, {0, 0, 0}});
    for (Vec3& p : mesh.points) {
        p = {p[0] * 0.01, p[1] * 0.01, p[2] * 0.01};
    }
    const NodeRef node = add_mesh_node(s, "Body", add_mesh(s, mesh), armature);
    bind_to_current_pose(s, node);
    const LayerRef layer = add_stack(s, "Walk", 0, 1);
    animate(s, layer, root, "Lcl Translation", {0, 0, 0.01}, curve_of({{0, 0}, {1, 0.02}}), curve_of({{0, 0}, {1, -0.01}}), curve_of({{0, 0.01}, {1, 0.01}}));
    animate(s, layer, root, "Lcl Rotation", {}, curve_of({{0, 0}, {1, 40}}), {}, curve_of({{0, 0}, {1, 90}}));
    animate(s, layer, tip, "Lcl Rotation", {}, {}, curve_of({{0, -30}, {1, 60}}), {});
    EXPECT_EQ(forms(s).size(), 7u);
    EXPECT_EQ(forms(s).back().first, "ascii 6100");
    Converted c = convert_forms(s);
    EXPECT_LT(off_over_a_second(s, c), 1e-5);
    EXPECT_LT(off(Truth(s).points(), posed_points(c.view)), 1e-5);
    // And with the armature itself moving, which then is a bone with its scale.
    animate(s, layer, armature, "Lcl Translation", {0.3, 0.1, -0.2}, curve_of({{0, 0.3}, {1, 2}}), {}, {});
    c = convert_forms(s);
    EXPECT_LT(off_over_a_second(s, c), 1e-5);
}

// --- T-axes

struct FileAxis {
    int component;
    int sign;
};

// A tetrahedron without symmetry on one bone that turns a quarter about the up axis, in a file with these axes. `declared` false: the
// file calls itself Y up, front +Z, which is wrong.
Scene with_axes(FileAxis up, FileAxis front, bool left_handed, bool declared) {
    const bool ascending = (up.component + 1) % 3 == front.component;
    const FileAxis right{3 - up.component - front.component, up.sign * front.sign * (ascending ? 1 : -1) * (left_handed ? -1 : 1)};
    Scene s = metre_scene();
    if (declared) {
        s.settings.up_axis = up.component;
        s.settings.up_axis_sign = up.sign;
        s.settings.front_axis = front.component;
        s.settings.front_axis_sign = front.sign;
        s.settings.coord_axis = right.component;
        s.settings.coord_axis_sign = right.sign;
    }
    // From (right, up, front) to the file's components.
    const auto place = [&](const Vec3& p) {
        Vec3 out{};
        out[static_cast<std::size_t>(right.component)] = right.sign * p[0];
        out[static_cast<std::size_t>(up.component)] = up.sign * p[1];
        out[static_cast<std::size_t>(front.component)] = front.sign * p[2];
        return out;
    };
    const NodeRef bone = add_bone(s, "Bone", {}, place({0, 1, 0}));
    Mesh mesh;
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 2, 0}, Vec3{0, 0, 3}}) {
        mesh.points.push_back(place(p));
    }
    // Counter-clockwise from outside in the file's own numbers: a mirrored file runs the other way round.
    mesh.polygons = left_handed ? std::vector<std::vector<std::int32_t>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}
                                : std::vector<std::vector<std::int32_t>>{{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
    mesh.normals.push_back(flat_normals(mesh));
    Skin skin;
    skin.clusters.resize(1);
    skin.clusters[0].bone = bone;
    skin.clusters[0].indexes = {0, 1, 2, 3};
    skin.clusters[0].weights = {1, 1, 1, 1};
    mesh.skins.push_back(skin);
    const NodeRef node = add_mesh_node(s, "Body", add_mesh(s, mesh));
    bind_to_current_pose(s, node);
    // A quarter about up, which in the file's numbers runs against its axis where sign or handedness say so.
    const double angle = 90.0 * up.sign * (left_handed ? -1 : 1);
    const Curve turn = curve_of({{0, 0}, {1, angle}});
    animate(s, add_stack(s, "Turn", 0, 1), bone, "Lcl Rotation", {}, up.component == 0 ? turn : Curve{}, up.component == 1 ? turn : Curve{},
            up.component == 2 ? turn : Curve{});
    return s;
}

void expect_reference_pose(const Converted& c) {
    // (-right, up, front); a right-handed quarter about up takes (right, up, front) to (front, up, -right).
    EXPECT_LT(off({{0, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, posed_points(c.view)), 1e-6);
    EXPECT_LT(off({{0, 0, 0}, {0, 0, -1}, {0, 2, 0}, {-3, 0, 0}}, posed_points(c.view, 1.0)), 1e-6);
    const runtime::MeshPartView part = c.view.part(0);
    ASSERT_EQ(part.index_count(), 12u);
    const Vec3d middle{-0.25, 0.5, 0.75};
    for (std::uint32_t i = 0; i < 12; i += 3) {
        Vec3d p[3];
        for (std::uint32_t k = 0; k < 3; ++k) {
            const runtime::Vertex v = part.vertex(part.index(i + k));
            p[k] = {static_cast<double>(v.position[0]), static_cast<double>(v.position[1]), static_cast<double>(v.position[2])};
            EXPECT_GT(dot(Vec3d{static_cast<double>(v.normal[0]), static_cast<double>(v.normal[1]), static_cast<double>(v.normal[2])}, p[k] - middle), 0);
        }
        // Clockwise from outside in a left-handed space: the cross product points outward (conventions.md).
        EXPECT_GT(dot(cross(p[1] - p[0], p[2] - p[0]), p[0] - middle), 0);
    }
}

TEST(Recipe, AxesOfAllKindsGiveOnePose) {
    int files = 0;
    for (int up = 0; up < 6; ++up) {
        for (int front = 0; front < 6; ++front) {
            if (up / 2 == front / 2) {
                continue;
            }
            const FileAxis u{up / 2, up % 2 == 0 ? 1 : -1};
            const FileAxis f{front / 2, front % 2 == 0 ? 1 : -1};
            const auto text = [](FileAxis a) { return std::string(a.sign > 0 ? "+" : "-") + "XYZ"[a.component]; };
            SCOPED_TRACE("up " + text(u) + " front " + text(f));
            for (const bool left_handed : {false, true}) {
                expect_reference_pose(convert(with_axes(u, f, left_handed, true)));
                ++files;
            }
            // --up and --front: a file that lies about its axes, and one that has none.
            codec::ReadOptions read;
            read.scene.up = text(u);
            read.scene.front = text(f);
            Scene lying = with_axes(u, f, false, false);
            expect_reference_pose(convert_bytes(write_binary(lying, 7400), {}, read));
            lying.settings.up_axis.reset();
            lying.settings.up_axis_sign.reset();
            lying.settings.front_axis.reset();
            lying.settings.front_axis_sign.reset();
            lying.settings.coord_axis.reset();
            lying.settings.coord_axis_sign.reset();
            lying.write_templates = false;
            const Converted c = convert_bytes(write_binary(lying, 7400), {}, read);
            expect_reference_pose(c);
            EXPECT_FALSE(c.report.has(IssueId::FBX_NO_AXES));
        }
    }
    EXPECT_EQ(files, 48);
}

TEST(Recipe, AxesGivenByOneOptionFindTheOther) {
    codec::ReadOptions read;
    read.scene.up = "+Z";  // as 3ds Max and Blender have it: front -Y
    expect_reference_pose(convert_bytes(write_binary(with_axes({2, 1}, {1, -1}, false, false), 7400), {}, read));
    read.scene = {};
    read.scene.front = "-X";  // the file's own up
    expect_reference_pose(convert_bytes(write_binary(with_axes({1, 1}, {0, -1}, false, false), 7400), {}, read));
    for (const auto& [up, front] : {std::pair("+Y", "-Y"), std::pair("", "+Y"), std::pair("Q", ""), std::pair("", "up")}) {
        core::Report report;
        read.scene.up = up;
        read.scene.front = front;
        const auto refused = make_codec().read(write_binary(metre_scene(), 7400), "test.fbx", read, report);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, core::Code::Usage);
    }
}

// T-socket
TEST(Recipe, SocketsUnderScaledParentsStandWhereTheyDid) {
    Scene s = metre_scene();
    const NodeRef top = add_node(s, "Top", {}, {1, 2, 3});
    s[top].scaling = Vec3{2, 3, 0.5};
    const NodeRef middle = add_node(s, "Middle", top, {1, 1, 1});  // (3, 5, 3.5)
    s[middle].rotation = Vec3{0, 0, 90};
    s[middle].scaling = Vec3{4, 4, 4};
    // Below Middle (x, y, z) -> 4 (-y, x, z), times Top's scale: (0.5, 0.25, 1) -> (-1, 2, 4) -> (-2, 6, 2).
    const NodeRef socket = add_node(s, "Socket", middle, {0.5, 0.25, 1});
    const model::Model model = read_model(s);
    runtime::Mat4<double> world;
    for (const model::Node& node : model.nodes) {
        world = runtime::to_matrix(node.rest) * world;
    }
    EXPECT_LT(length(transform_point(Vec3d{0, 0, 0}, world) - Vec3d{-1, 11, 5.5}), 1e-12);
    // A GOM has it when it is a bone; what is above it stays where it cannot be folded away.
    s[socket].attribute = AttributeKind::LimbNode;
    const Converted c = convert_forms(s);
    const int bone = find_bone(c.view, "Top/Middle/Socket");
    ASSERT_GE(bone, 0);
    EXPECT_LT(length(transform_point(Vec3d{0, 0, 0}, bone_models(c.view)[static_cast<std::size_t>(bone)]) - Vec3d{-1, 11, 5.5}), 1e-5);
}

// T-geomxf
TEST(Recipe, GeometricTransformsMoveTheMeshAndNoChild) {
    Scene s = metre_scene();
    const MeshRef mesh = add_mesh(s, make_cube(1));
    const NodeRef parent = add_mesh_node(s, "Parent", mesh);
    s[parent].translation = Vec3{1, 0, 0};
    s[parent].rotation = Vec3{0, 30, 0};
    s[parent].geometric_translation = Vec3{0.5, 2, -1};
    s[parent].geometric_rotation = Vec3{20, 50, -70};
    s[parent].geometric_scaling = Vec3{1, 2, 0.5};
    const NodeRef child = add_mesh_node(s, "Child", mesh, parent);
    s[child].translation = Vec3{0, 0, 4};
    const Converted c = convert_forms(s);
    EXPECT_LT(off(Truth(s).points(), posed_points(c.view)), 1e-5);
    // Flat beyond repair, but nothing that is not finite, and the child stands as before.
    s[parent].geometric_scaling = Vec3{0, 0, 0};
    const Converted flat = convert_forms(s);
    for (const Vec3d& p : posed_points(flat.view)) {
        EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
    }
    EXPECT_LT(nearest(posed_points(flat.view), Truth(s).points().back()), 1e-5);
}

// T-pivot
TEST(Recipe, PivotsOffsetsAndAllRotationOrdersFollowTheFormula) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto vector = [&](double size) { return Vec3{any(random) * size, any(random) * size, any(random) * size}; };
    for (int order = 0; order <= 6; ++order) {
        for (int round = 0; round < 4; ++round) {
            SCOPED_TRACE(order);
            Scene s = metre_scene();
            NodeRef parent;
            const LayerRef layer = add_stack(s, "Move", 0, 1);
            std::vector<NodeRef> bones;
            for (int depth = 0; depth < 2; ++depth) {
                const NodeRef bone = add_bone(s, depth == 0 ? "Root" : "Tip", parent, vector(2));
                Node& node = s[bone];
                node.rotation = vector(120);
                node.rotation_order = static_cast<RotationOrder>(order);
                node.pre_rotation = vector(90);
                node.post_rotation = vector(90);
                node.rotation_offset = vector(1);
                node.rotation_pivot = vector(1);
                node.scaling_offset = vector(1);
                node.scaling_pivot = vector(1);
                const double scale = 1 + 0.5 * any(random);
                node.scaling = Vec3{scale, scale, scale};
                const auto curve = [&](double from, double size) { return curve_of({{0, from}, {0.4, from + any(random) * size}, {1, from + any(random) * size}}); };
                const Vec3 t = *node.translation;
                const Vec3 r = *node.rotation;
                animate(s, layer, bone, "Lcl Translation", t, curve(t[0], 1), curve(t[1], 1), curve(t[2], 1));
                animate(s, layer, bone, "Lcl Rotation", r, curve(r[0], 90), curve(r[1], 90), curve(r[2], 90));
                parent = bone;
                bones.push_back(bone);
            }
            const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, triangle_each(bones, {vector(1), vector(1)})));
            const NodeRef rigid = add_mesh_node(s, "Rigid", add_mesh(s, make_cube(1)));
            s[rigid] = s[bones[0]];
            s[rigid].name = "Rigid";
            s[rigid].attribute = AttributeKind::Mesh;
            s[rigid].mesh = MeshRef{1};
            bind_to_current_pose(s, body);
            EXPECT_EQ(forms(s).size(), 7u);
            const Converted c = convert_forms(s);
            EXPECT_LT(off_over_a_second(s, c), 2e-5);
            // The default values: a mesh without animation stands where they put it, and a skin's bind is its own.
            EXPECT_LT(off(Truth(s).points(), posed_points(c.view)), 2e-5);
        }
    }
}

// T-inherit
TEST(Recipe, InheritModesCarryAnimatedUnevenScalesAsTheSdkDoes) {
    for (const InheritType middle : {InheritType::ParentRotationFirst, InheritType::ParentScaleFirst, InheritType::IgnoreParentScale}) {
        for (const InheritType last : {InheritType::ParentRotationFirst, InheritType::ParentScaleFirst, InheritType::IgnoreParentScale}) {
            SCOPED_TRACE(std::to_string(static_cast<int>(middle)) + " " + std::to_string(static_cast<int>(last)));
            Scene s = metre_scene();
            const NodeRef a = add_bone(s, "A", {}, {0, 1, 0});
            const NodeRef b = add_bone(s, "B", a, {1, 0, 0.5});
            const NodeRef d = add_bone(s, "C", b, {1, 0.5, 0});
            s[a].rotation = Vec3{0, 0, 30};
            s[b].rotation = Vec3{0, 0, -20};
            s[b].inherit_type = middle;
            s[d].inherit_type = last;
            const LayerRef layer = add_stack(s, "Squash", 0, 1);
            animate(s, layer, a, "Lcl Scaling", {1, 1, 1}, curve_of({{0, 1}, {1, 2}}), curve_of({{0, 1}, {1, 0.5}}), curve_of({{0, 1}, {1, 3}}));
            animate(s, layer, b, "Lcl Scaling", {1, 1, 1}, curve_of({{0, 1}, {1, 0.7}}), curve_of({{0, 1}, {1, 1.5}}), {});
            animate(s, layer, b, "Lcl Rotation", {0, 0, -20}, {}, {}, curve_of({{0, -20}, {1, 40}}));
            const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, triangle_each({a, b, d}, {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}})));
            bind_to_current_pose(s, body);
            EXPECT_EQ(forms(s).size(), 7u);
            const Converted c = convert_forms(s);
            EXPECT_LT(off_over_a_second(s, c), 2e-5);
        }
    }
}

// T-shear
TEST(Recipe, ShearOfAnUnevenScaleAboveATurnIsExact) {
    Scene s = metre_scene();
    const NodeRef a = add_bone(s, "A", {}, {0, 1, 0});
    s[a].scaling = Vec3{1, 3, 0.5};
    const NodeRef b = add_bone(s, "B", a, {1, 0, 0.5});
    s[b].rotation = Vec3{10, 20, 45};
    const LayerRef layer = add_stack(s, "Turn", 0, 1);
    animate(s, layer, b, "Lcl Rotation", {10, 20, 45}, {}, {}, curve_of({{0, 45}, {1, -70}}));
    const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, triangle_each({a, b}, {{0, 0, 0}, {1, 1, 0}})));
    add_mesh_node(s, "Rigid", add_mesh(s, make_cube(1)), b);
    bind_to_current_pose(s, body);
    const Converted c = convert_forms(s);
    EXPECT_LT(off_over_a_second(s, c), 2e-5);
    // Bound where no translation, rotation and scale below the parent's can be: the bind is kept, clips are the nodes' own, and said so.
    Scene twisted = s;
    const Mat4 shear = {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (Cluster& cluster : twisted.meshes[0].skins[0].clusters) {
        cluster.transform_link = multiply(shear, *cluster.transform_link);
    }
    const Converted t = convert_forms(twisted);
    EXPECT_TRUE(t.report.has(IssueId::SKEL_NOT_TRS));
    EXPECT_LT(off_over_a_second(twisted, t), 2e-5);
}

// T-bind
TEST(Recipe, BindsFollowTheClustersWhereverThingsStandNow) {
    Scene s = metre_scene();
    const NodeRef root = add_bone(s, "Root", {}, {0, 1, 0});
    const NodeRef tip = add_bone(s, "Tip", root, {0, 1, 0});
    const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, triangle_each({root, tip}, {{5, 0, 0}, {5, 1, 0}})));
    s[body].translation = Vec3{-5, 0.5, 0};  // the mesh stands off its origin
    s[body].rotation = Vec3{0, 45, 0};
    bind_to_current_pose(s, body);
    s.poses.push_back(bind_pose_of(s, body));
    for (PoseNode& node : s.poses[0].nodes) {
        node.matrix = multiply(node.matrix, translation_matrix({0, 7, 0}));  // wrong on purpose
    }
    const LayerRef layer = add_stack(s, "Bend", 0, 1);
    animate(s, layer, tip, "Lcl Rotation", {}, curve_of({{0, 0}, {1, 90}}), {}, {});
    animate(s, layer, body, "Lcl Translation", {-5, 0.5, 0}, curve_of({{0, -5}, {1, 50}}), {}, {});  // a skinned mesh does not follow
    s[root].translation = Vec3{3, 1, 0};  // moved after binding: the rest pose is not the bind pose
    const Converted c = convert_forms(s);
    EXPECT_LT(off_over_a_second(s, c), 2e-5);
    // At bind the points stand where the mesh stood when it was bound.
    Scene bound = s;
    bound[root].translation = Vec3{0, 1, 0};
    EXPECT_LT(off(Truth(bound).points(), posed_points(c.view)), 2e-5);
}

// T-2mesh
TEST(Recipe, TwoMeshesOfOneSkeletonKeepTheirOwnPlaces) {
    Scene s = metre_scene();
    const NodeRef root = add_bone(s, "Root", {}, {0, 1, 0});
    const NodeRef tip = add_bone(s, "Tip", root, {0, 1, 0});
    for (int i = 0; i < 2; ++i) {
        const NodeRef body = add_mesh_node(s, i == 0 ? "Body" : "Coat", add_mesh(s, triangle_each({root, tip}, {{1.0 * i, 0, 0}, {0, 1, 2.0 * i}})));
        s[body].translation = Vec3{3.0 * i, -1, 0};
        s[body].rotation = Vec3{0, 0, 90.0 * i};
        s[body].scaling = Vec3{1 + 0.5 * i, 1 + 0.5 * i, 1 + 0.5 * i};
        bind_to_current_pose(s, body);
    }
    animate(s, add_stack(s, "Bend", 0, 1), tip, "Lcl Rotation", {}, curve_of({{0, 0}, {1, 90}}), {}, {});
    const Converted c = convert_forms(s);
    EXPECT_EQ(c.view.part_count(), 2u);
    EXPECT_FALSE(c.report.has(IssueId::FBX_BINDS_DISAGREE));
    EXPECT_LT(off_over_a_second(s, c), 2e-5);
}

// T-rest
TEST(Recipe, RestPosesThatAreNeitherBindNorFirstKeyHoldOnlyWithoutKeys) {
    Scene s = metre_scene();
    const NodeRef root = add_bone(s, "Root", {}, {0, 1, 0});
    const NodeRef tip = add_bone(s, "Tip", root, {0, 1, 0});
    const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, triangle_each({root, tip}, {{0, 0, 0}, {0, 1, 0}})));
    bind_to_current_pose(s, body);
    s[root].rotation = Vec3{0, 60, 0};    // rest: what bones without keys do
    s[tip].rotation = Vec3{0, 0, -35};    // rest: overruled by keys
    s[tip].translation = Vec3{0, 1.5, 0};
    animate(s, add_stack(s, "Bend", 0, 1), tip, "Lcl Rotation", {0, 0, -35}, {}, {}, curve_of({{0, 10}, {1, 90}}));
    const Converted c = convert_forms(s);
    EXPECT_LT(off_over_a_second(s, c), 2e-5);
}

// T-partial
TEST(Recipe, PartialKeysLeaveTheOtherComponentsAlone) {
    Scene s = metre_scene();
    const NodeRef root = add_bone(s, "Root", {}, {1, 2, 3});
    const NodeRef spine = add_bone(s, "Spine", root, {0, 1, 0});  // the first bones are not animated
    const NodeRef tip = add_bone(s, "Tip", spine, {4, 5, 6});
    const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, triangle_each({root, spine, tip}, {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}})));
    bind_to_current_pose(s, body);
    const LayerRef layer = add_stack(s, "Slide", 0, 1);
    animate(s, layer, tip, "Lcl Translation", {4, 5, 6}, curve_of({{0, 4}, {1, -2}}), {}, {});
    animate(s, layer, tip, "Lcl Rotation", {0, 0, 0}, {}, {}, curve_of({{0, 0}, {1, 30}}));
    const Converted c = convert_forms(s);
    ASSERT_EQ(c.view.clip(0).track_count(), 1u);
    EXPECT_LT(off_over_a_second(s, c), 2e-5);
}

// T-euler
TEST(Recipe, EulerCurvesTurnAsOftenAsTheySay) {
    const struct {
        RotationOrder order;
        Vec3 from;
        Vec3 to;
    } rows[] = {{RotationOrder::Xyz, {0, 0, 0}, {0, 0, 360}},
                {RotationOrder::Xyz, {0, 0, 0}, {0, -990, 0}},
                {RotationOrder::Xyz, {170, 0, 0}, {190, 0, 0}},
                {RotationOrder::Zxy, {10, 20, 30}, {-200, 80, 300}},
                {RotationOrder::Zyx, {0, 89, 0}, {120, 91, -120}}};
    for (const auto& row : rows) {
        Scene s = metre_scene();
        const NodeRef bone = add_bone(s, "Bone");
        s[bone].rotation_order = row.order;
        s[bone].rotation = row.from;
        const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, triangle_each({bone}, {{0, 0, 0}})));
        bind_to_current_pose(s, body);
        const auto curve = [&](std::size_t axis) { return curve_of({{0, row.from[axis]}, {1, row.to[axis]}}); };
        animate(s, add_stack(s, "Turn", 0, 1), bone, "Lcl Rotation", row.from, curve(0), curve(1), curve(2));
        const Converted c = convert_forms(s);
        EXPECT_LT(off_over_a_second(s, c), 1e-5);
        // Between the frames a slerp takes the short way; about one axis that is the curve's own.
        if (row.order == RotationOrder::Xyz) {
            const Truth truth(s);
            for (int i = 0; i <= 240; ++i) {
                EXPECT_LT(off(truth.points(i / 240.0), posed_points(c.view, static_cast<double>(static_cast<float>(i / 240.0)))), 1e-4) << i;
            }
        }
    }
}

}  // namespace
}  // namespace gomkit::fbx::test
