// Lights, cameras and user properties: what a written scene says, in the model's space.
#include <cmath>

#include "scene_convert.hpp"

namespace gomkit::fbx::test {
namespace {

using writer::AttributeKind;
using writer::NodeRef;
using writer::Scene;

model::Model read_scene(const Scene& scene, const codec::ReadOptions& options = {}, core::Report* report = nullptr) {
    core::Report unused;
    auto model = make_codec().read(writer::write_binary(scene, 7400), "test.fbx", options, report != nullptr ? *report : unused);
    EXPECT_TRUE(model) << core::to_string(model.error());
    return model ? std::move(*model) : model::Model{};
}

codec::ReadOptions with_profile(const char* id) {
    codec::ReadOptions options;
    options.scene.profile = id;
    return options;
}

void expect_vector(const model::Vec3& found, const model::Vec3& wanted) {
    EXPECT_NEAR(found.x, wanted.x, 1e-9);
    EXPECT_NEAR(found.y, wanted.y, 1e-9);
    EXPECT_NEAR(found.z, wanted.z, 1e-9);
}

// In model space.
model::Vec3 turned(const model::Model& model, model::NodeId node, const model::Vec3& v) {
    return runtime::transform_point(v, runtime::to_matrix(model.nodes[node.value].rest)) - model.nodes[node.value].rest.translation;
}

NodeRef add_light(Scene& s, const char* name, std::int32_t type, writer::Vec3 place = {}, writer::Vec3 rotation = {}) {
    const NodeRef node = add_node(s, name, {}, place, AttributeKind::Light);
    s[node].rotation = rotation;
    s[node].attribute_properties = {writer::enum_property("LightType", type)};
    return node;
}

TEST(FbxLights, HaveTheFilesValues) {
    Scene s = metre_scene();
    const NodeRef spot = add_light(s, "Spot", 2, {1, 2, 3});
    for (const writer::Property& p : {writer::color_property("Color", {1, 0.5, 0.25}), writer::number_property("Intensity", 250),
                                      writer::enum_property("DecayType", 2), writer::number_property("InnerAngle", 30),
                                      writer::number_property("OuterAngle", 45), writer::bool_property("CastShadows", true)}) {
        s[spot].attribute_properties.push_back(p);
    }
    const NodeRef off = add_light(s, "Off", 0);
    s[off].attribute_properties.push_back(writer::bool_property("CastLight", false));
    s[off].attribute_properties.push_back(writer::number_property("OuterAngle", 45));
    const model::Model m = read_scene(s);
    ASSERT_EQ(m.lights.size(), 2u);
    const model::Light& light = m.lights[0];
    EXPECT_EQ(light.name, "Spot");
    EXPECT_EQ(m.nodes[light.node.value].name, "Spot");
    EXPECT_EQ(light.kind, model::LightKind::Spot);
    expect_vector(light.color, {1, 0.5, 0.25});
    EXPECT_EQ(light.intensity, 2.5);  // FBX counts in per cent
    EXPECT_EQ(light.decay, model::LightDecay::Quadratic);
    EXPECT_EQ(light.inner_angle, 30);
    EXPECT_EQ(light.outer_angle, 45);
    EXPECT_TRUE(light.lit);
    EXPECT_TRUE(light.casts_shadows);
    expect_vector(m.nodes[light.node.value].rest.translation, {-1, 2, 3});
    EXPECT_EQ(m.lights[1].kind, model::LightKind::Point);
    EXPECT_FALSE(m.lights[1].lit);
    EXPECT_FALSE(m.lights[1].casts_shadows);
    EXPECT_EQ(m.lights[1].outer_angle, 0);  // a point light has no cone
}

TEST(FbxLights, ShineAlongTheNodesDownwardAxisInTheModelsSpace) {
    Scene s = metre_scene();
    add_light(s, "Down", 1);
    add_light(s, "Right", 1, {}, {0, 0, 90});     // FBX: -Y about Z is +X, which is -X in the model
    add_light(s, "Back", 1, {}, {90, 0, 0});      // -Y about X is -Z
    const model::Model m = read_scene(s);
    const model::Vec3 wanted[] = {{0, -1, 0}, {-1, 0, 0}, {0, 0, -1}};
    ASSERT_EQ(m.lights.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        expect_vector(turned(m, m.lights[i].node, m.lights[i].direction), wanted[i]);
    }
}

TEST(FbxLights, OfAFileWithoutAxesShineTheSameWay) {
    Scene s = metre_scene();
    s.settings.up_axis.reset();
    s.settings.front_axis.reset();
    s.settings.coord_axis.reset();
    add_light(s, "Right", 1, {1, 0, 0}, {0, 0, 90});
    const model::Model m = read_scene(s);
    ASSERT_EQ(m.lights.size(), 1u);
    expect_vector(m.nodes[m.lights[0].node.value].rest.translation, {-1, 0, 0});
    expect_vector(turned(m, m.lights[0].node, m.lights[0].direction), {-1, 0, 0});
}

NodeRef add_camera(Scene& s, const char* name, std::int32_t projection = 0, writer::Vec3 rotation = {}) {
    const NodeRef node = add_node(s, name, {}, {}, AttributeKind::Camera);
    s[node].rotation = rotation;
    s[node].attribute_properties = {writer::enum_property("CameraProjectionType", projection),
                                    writer::double_property("AspectWidth", 200),
                                    writer::double_property("AspectHeight", 100),
                                    writer::double_property("NearPlane", 10),
                                    writer::double_property("FarPlane", 4000)};
    return node;
}

TEST(FbxCameras, SeeWhatTheFileSays) {
    Scene s;  // centimetres
    const NodeRef eye = add_camera(s, "Eye");
    s[eye].attribute_properties.push_back(writer::enum_property("ApertureMode", 2));      // vertical
    s[eye].attribute_properties.push_back(writer::number_property("FieldOfView", 90));
    const model::Model m = read_scene(s);
    ASSERT_EQ(m.cameras.size(), 1u);
    const model::Camera& camera = m.cameras[0];
    EXPECT_FALSE(camera.orthographic);
    EXPECT_NEAR(camera.near_plane, 0.1, 1e-12);
    EXPECT_NEAR(camera.far_plane, 40, 1e-12);
    EXPECT_EQ(camera.aspect_ratio, 2);
    EXPECT_NEAR(camera.field_of_view.y, 90, 1e-9);
    EXPECT_NEAR(camera.field_of_view.x, 126.86989764584402, 1e-9);  // 2 atan 2
}

TEST(FbxCameras, LookAlongTheNodesXInTheModelsSpace) {
    Scene s = metre_scene();
    add_camera(s, "Right");
    add_camera(s, "Front", 0, {0, -90, 0});  // FBX: +X about Y by -90 is +Z
    const model::Model m = read_scene(s);
    ASSERT_EQ(m.cameras.size(), 2u);
    expect_vector(turned(m, m.cameras[0].node, m.cameras[0].forward), {-1, 0, 0});
    expect_vector(turned(m, m.cameras[1].node, m.cameras[1].forward), {0, 0, 1});
    expect_vector(turned(m, m.cameras[1].node, m.cameras[1].up), {0, 1, 0});
}

TEST(FbxCameras, FollowTheUnitAndTheAxesThatAreAskedFor) {
    Scene s;
    add_camera(s, "Right");
    add_camera(s, "Above", 0, {0, 0, 90});  // +X about Z is +Y
    codec::ReadOptions options;
    options.scene.unit_meters = 1;
    options.scene.up = "+Z";
    options.scene.front = "-Y";
    const model::Model m = read_scene(s, options);
    ASSERT_EQ(m.cameras.size(), 2u);
    EXPECT_NEAR(m.cameras[0].near_plane, 10, 1e-12);
    EXPECT_NEAR(m.cameras[0].far_plane, 4000, 1e-9);
    expect_vector(turned(m, m.cameras[0].node, m.cameras[0].up), {0, 0, -1});  // the file's Y is the back now
    expect_vector(turned(m, m.cameras[1].node, m.cameras[1].forward), {0, 0, -1});
}

TEST(FbxCameras, WithoutPerspectiveHaveASize) {
    Scene s = metre_scene();
    const NodeRef flat = add_camera(s, "Flat", 1);
    s[flat].attribute_properties.push_back(writer::double_property("OrthoZoom", 2));
    s[flat].attribute_properties.push_back(writer::enum_property("GateFit", 1));  // vertical: the height is the extent
    const model::Model m = read_scene(s);
    ASSERT_EQ(m.cameras.size(), 1u);
    EXPECT_TRUE(m.cameras[0].orthographic);
    EXPECT_NEAR(m.cameras[0].size.y, 60, 1e-9);  // 30 units at a zoom of 1
    EXPECT_NEAR(m.cameras[0].size.x, 120, 1e-9);
    EXPECT_EQ(m.cameras[0].field_of_view.x, 0);
}

TEST(FbxCameras, AreTheSameWhereTheNodesHaveUnitAndAxes) {
    Scene s;  // centimetres, Z up
    s.settings.up_axis = 2;
    s.settings.front_axis = 1;
    s.settings.front_axis_sign = -1;
    add_camera(s, "Eye", 0, {10, 20, 30});
    add_camera(s, "Flat", 1, {40, 50, 60});
    add_light(s, "Sun", 1, {}, {70, 80, 90});
    const model::Model a = read_scene(s);
    codec::ReadOptions options;
    options.scene.space = codec::SpaceConversion::Transforms;
    const model::Model b = read_scene(s, options);
    const auto direction = [](const model::Model& m, model::NodeId node, const model::Vec3& v) {
        const model::Vec3 out = turned(m, node, v);
        return out / length(out);
    };
    ASSERT_EQ(b.cameras.size(), 2u);
    ASSERT_EQ(b.lights.size(), 1u);
    for (std::size_t i = 0; i < 2; ++i) {
        const model::Camera& x = a.cameras[i];
        const model::Camera& y = b.cameras[i];
        expect_vector(direction(a, x.node, x.forward), direction(b, y.node, y.forward));
        expect_vector(direction(a, x.node, x.up), direction(b, y.node, y.up));
        EXPECT_NEAR(x.near_plane, 0.1, 1e-12);
        EXPECT_NEAR(y.near_plane, 0.1, 1e-12);
        EXPECT_NEAR(x.far_plane, y.far_plane, 1e-9);
        EXPECT_NEAR(x.size.x, y.size.x, 1e-9);
    }
    expect_vector(direction(a, a.lights[0].node, a.lights[0].direction), direction(b, b.lights[0].node, b.lights[0].direction));
}

Scene scene_with_properties() {
    Scene s = metre_scene();
    const NodeRef door = add_node(s, "Door");
    writer::Property bounded = writer::number_property("speed", 0.5, "A+U");
    bounded.values.emplace_back(0.0);
    bounded.values.emplace_back(9.0);
    s[door].extra.properties = {writer::int_property("hp", 42, "A+U"), bounded, writer::string_property("tag", "front", "U"),
                                writer::vector_property("offset", {1, 2, 3}, "A+U"), writer::string_property("currentUVSet", "map1", "U"),
                                writer::int_property("MaxHandle", 7, "UH"),
                                writer::string_property("UDP3DSMAX", "hinge = left\r\nlocked=1&cr;&lf;just words\n = odd", "U"),
                                writer::string_property("not mine", "x")};
    return s;
}

std::vector<std::string> property_names(const model::Node& node) {
    std::vector<std::string> out;
    for (const model::UserProperty& p : node.properties) {
        out.push_back(p.name);
    }
    return out;
}

const model::UserProperty& property(const model::Node& node, std::string_view name) {
    static const model::UserProperty none;
    for (const model::UserProperty& p : node.properties) {
        if (p.name == name) {
            return p;
        }
    }
    ADD_FAILURE() << "no property " << name;
    return none;
}

TEST(FbxUserProperties, KeepNameTypeAndValue) {
    const model::Model m = read_scene(scene_with_properties());
    ASSERT_EQ(m.nodes.size(), 1u);
    EXPECT_EQ(m.nodes[0].properties.size(), 7u);  // all with the flag U: nobody says whose habits the file has
    EXPECT_EQ(property(m.nodes[0], "hp"), (model::UserProperty{"hp", "integer", std::int64_t{42}}));
    EXPECT_EQ(property(m.nodes[0], "speed"), (model::UserProperty{"speed", "number", std::vector<double>{0.5}}));
    EXPECT_EQ(property(m.nodes[0], "tag"), (model::UserProperty{"tag", "string", std::string("front")}));
    EXPECT_EQ(property(m.nodes[0], "offset"), (model::UserProperty{"offset", "vector", std::vector<double>{1, 2, 3}}));
}

TEST(FbxUserProperties, OfAStillAreThoseOfItsTime) {
    Scene s = scene_with_properties();
    codec::ReadOptions options;
    options.scene.time = 0.5;
    EXPECT_EQ(read_scene(s, options).nodes.at(0).properties.size(), 7u);
    const writer::LayerRef layer = add_stack(s, "Take", 0, 1);
    writer::CurveNode node;
    node.name = "speed";
    node.target = NodeRef{0};
    node.property = "speed";
    node.channels.push_back({"d|speed", 0.5, writer::curve_of({{0, 0}, {1, 8}})});
    s[layer].curve_nodes.push_back(node);
    const model::Model m = read_scene(s, options);
    ASSERT_EQ(m.nodes.size(), 1u);
    EXPECT_EQ(m.nodes[0].properties.size(), 7u);
    EXPECT_EQ(property(m.nodes[0], "speed"), (model::UserProperty{"speed", "number", std::vector<double>{4}}));
    EXPECT_EQ(property(m.nodes[0], "tag"), (model::UserProperty{"tag", "string", std::string("front")}));
}

TEST(FbxProfile, LeavesOutWhatMayaWritesForItself) {
    const std::vector<std::string> names = property_names(read_scene(scene_with_properties(), with_profile("maya")).nodes.at(0));
    EXPECT_EQ(names.size(), 6u);
    EXPECT_EQ(std::count(names.begin(), names.end(), "currentUVSet"), 0);
}

TEST(FbxProfile, ReadsEachLineOf3dsMaxsTextAsAProperty) {
    const model::Node node = read_scene(scene_with_properties(), with_profile("3dsmax")).nodes.at(0);
    EXPECT_EQ(property(node, "hinge"), (model::UserProperty{"hinge", "string", std::string("left")}));
    EXPECT_EQ(property(node, "locked"), (model::UserProperty{"locked", "string", std::string("1")}));
    const std::vector<std::string> names = property_names(node);
    EXPECT_EQ(std::count(names.begin(), names.end(), "UDP3DSMAX"), 2);  // lines that are no "name = value"
    EXPECT_EQ(std::count(names.begin(), names.end(), "MaxHandle"), 0);
    EXPECT_EQ(std::count(names.begin(), names.end(), "currentUVSet"), 1);
}

TEST(FbxProfile, LeavesOutTheCamerasOfMotionBuildersViews) {
    Scene s = metre_scene();
    add_camera(s, "Producer Front");
    add_camera(s, "Hero");
    EXPECT_EQ(read_scene(s).cameras.size(), 2u);
    for (const char* id : {"motionbuilder", "blender"}) {
        const model::Model m = read_scene(s, with_profile(id));
        ASSERT_EQ(m.cameras.size(), 1u) << id;
        EXPECT_EQ(m.cameras[0].name, "Hero");
    }
    s.creator = "Blender version 2.79 (sub 0)";
    EXPECT_EQ(read_scene(s).cameras.size(), 1u);
    EXPECT_EQ(read_scene(s, with_profile("none")).cameras.size(), 2u);
}

Scene scene_of(const char* program, const char* version) {
    Scene s = metre_scene();
    s.scene_info_properties = {writer::string_property("Original|ApplicationName", program), writer::string_property("Original|ApplicationVersion", version)};
    add_mesh_node(s, "Cube", add_mesh(s, writer::make_cube(1)));
    return s;
}

TEST(FbxProfile, IsRecognisedByWhatTheFileSays) {
    const auto profile = [](const Scene& s) { return read_scene(s).source.profile; };
    EXPECT_EQ(profile(scene_of("Blender (stable FBX IO)", "4.2.0")), "blender");
    EXPECT_EQ(profile(scene_of("Maya", "2023")), "maya");
    EXPECT_EQ(profile(scene_of("3ds Max", "2023")), "3dsmax");
    EXPECT_EQ(profile(scene_of("MotionBuilder", "2023")), "motionbuilder");
    EXPECT_EQ(profile(scene_of("ZBrush", "1")), "none");
    Scene s = scene_of("Maya", "2023");
    add_bone(s, "mixamorig:Hips");
    EXPECT_EQ(profile(s), "mixamo");  // whatever program it passed through
    EXPECT_EQ(read_scene(s, with_profile("maya")).source.profile, "maya");
    core::Report report;
    const auto refused = make_codec().read(writer::write_binary(s, 7400), "test.fbx", with_profile("painter"), report);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Code::Usage);
}

// What Blender's exporter writes for a material of this roughness, metalness and specular.
writer::Material principled(double roughness, double metal) {
    writer::Material m;
    m.name = "M";
    m.diffuse = {0.8, 0.4, 0.2};
    m.specular = {0.8, 0.4, 0.2};
    m.specular_factor = 0.25;
    m.shininess = (1 - roughness) * 10 * (1 - roughness) * 10;
    m.extra.properties = {writer::number_property("ReflectionFactor", metal)};
    return m;
}

TEST(FbxProfile, FindsTheRoughnessAndMetalnessThatBlenderMadePhongValuesOf) {
    Scene s = scene_of("Blender (stable FBX IO)", "2.93.1");
    s.materials.push_back(principled(0.5, 0.25));
    const model::Material m = read_scene(s).materials.at(0);
    EXPECT_NEAR(m.shininess, 30, 1e-9);            // 2 / 0.5^4 - 2
    expect_vector(m.diffuse, {0.6, 0.3, 0.15});    // b (1 - m)
    expect_vector(m.specular, {0.23, 0.13, 0.08}); // 0.04 (1 - m) + b m
    const model::Material as_written = read_scene(s, with_profile("none")).materials.at(0);
    EXPECT_NEAR(as_written.shininess, 25, 1e-9);
    expect_vector(as_written.specular, {0.2, 0.1, 0.05});
}

TEST(FbxProfile, FindsTheHardnessOfOldBlenders) {
    Scene s = scene_of("Blender (stable FBX IO)", "2.79 (sub 0)");
    writer::Material material = principled(0.5, 0);
    material.specular = {1, 1, 1};
    material.shininess = 49 / 5.1;                 // hardness 50
    s.materials.push_back(material);
    const model::Material m = read_scene(s).materials.at(0);
    EXPECT_NEAR(m.shininess, 50, 1e-9);
    expect_vector(m.specular, {0.5, 0.5, 0.5});    // an intensity of 0.5 is written as 0.25
    expect_vector(m.diffuse, {0.8, 0.4, 0.2});
}

TEST(FbxProfile, TellsItsEffects) {
    const auto step = [](const Scene& s, const char* id) {
        const auto steps = make_codec().read_steps(writer::write_binary(s, 7400), "test.fbx", with_profile(id));
        return steps && steps->size() == 1 ? steps->front().name + ": " + steps->front().what : std::string("none");
    };
    const Scene s = scene_of("3ds Max", "2023");
    EXPECT_TRUE(step(s, "auto").starts_with("profile: 3dsmax (the file is by 3ds Max 20")) << step(s, "auto");
    EXPECT_NE(step(s, "auto").find("MaxHandle"), std::string::npos);
    EXPECT_EQ(step(s, "none"), "profile: none (as asked for): nothing is read differently");
}

TEST(FbxProfile, NamesThePrefixOfAllBones) {
    const auto finding = [](const Scene& s) {
        core::Report report;
        make_codec().check(writer::write_binary(s, 7400), "test.fbx", {}, report);
        return text_of(report, core::IssueId::FBX_NAME_PREFIX);
    };
    Scene s = scene_of("Maya", "2023");
    const NodeRef hips = add_bone(s, "hero:Hips");
    add_bone(s, "hero:Spine", hips);
    EXPECT_EQ(finding(s), "the names of all 2 bones begin with 'hero:'");
    Scene other = s;
    other.scene_info_properties[0] = writer::string_property("Original|ApplicationName", "Blender");
    EXPECT_EQ(finding(other), "");  // there a colon means nothing
    Scene deeper = scene_of("Maya", "2023");
    add_bone(deeper, "Spine", add_bone(deeper, "hero:rig:Hips"));
    EXPECT_EQ(finding(deeper), "");
    deeper = scene_of("Maya", "2023");
    add_bone(deeper, "hero:Spine", add_bone(deeper, "hero:rig:Hips"));
    EXPECT_EQ(finding(deeper), "the names of all 2 bones begin with 'hero:'");
    add_bone(s, "Prop", hips);
    EXPECT_EQ(finding(s), "");
}

TEST(FbxFacts, TellLightsCamerasAndPropertiesApart) {
    Scene s = scene_with_properties();
    const NodeRef lamp = add_light(s, "Lamp", 2);
    const NodeRef eye = add_camera(s, "Eye");
    const auto changed = [&](const Scene& other) {
        const auto a = make_codec().facts(read_scene(s), {});
        const auto b = make_codec().facts(read_scene(other), {});
        std::vector<std::string> places;
        EXPECT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            EXPECT_EQ(a[i].place, b[i].place);
            if (a[i].numbers != b[i].numbers || a[i].text != b[i].text) {
                places.push_back(a[i].place);
            }
        }
        return places;
    };
    using Places = std::vector<std::string>;
    EXPECT_EQ(changed(s), Places{});
    Scene other = s;
    other[lamp].attribute_properties.push_back(writer::color_property("Color", {1, 0, 0}));
    EXPECT_EQ(changed(other), Places{"light[Lamp].color"});
    other = s;
    other[lamp].translation = {0, 1, 0};
    EXPECT_EQ(changed(other), Places{"node[Lamp].translation"});
    other = s;
    other[eye].attribute_properties[3] = writer::double_property("NearPlane", 20);
    EXPECT_EQ(changed(other), Places{"camera[Eye].planes"});
    other = s;
    other.nodes[0].extra.properties[0] = writer::int_property("hp", 41, "A+U");
    EXPECT_EQ(changed(other), Places{"node[Door].property[hp]"});
}

}  // namespace
}  // namespace gomkit::fbx::test
