// T-morph: blend shapes (docs/formats/fbx-recipes.md).
#include <algorithm>
#include <functional>
#include <limits>

#include <gomkit/pass/select_clips.hpp>

#include "model_pose.hpp"
#include "truth.hpp"

namespace gomkit::fbx::test {
namespace {

using namespace writer;
using core::IssueId;

struct Read {
    core::Report report;
    model::Model model;
};

Read read(const std::vector<std::byte>& bytes, const codec::ReadOptions& options = {}) {
    Read out;
    auto model = make_codec().read(bytes, "test.fbx", options, out.report);
    EXPECT_TRUE(model) << (model ? std::string() : core::to_string(model.error()));
    out.model = model ? std::move(*model) : model::Model{};
    return out;
}
Read read(const Scene& scene, const codec::ReadOptions& options = {}) { return read(write_binary(scene, 7400), options); }

bool same_keys(const std::vector<model::MorphTrack>& a, const std::vector<model::MorphTrack>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const model::MorphTrack& x, const model::MorphTrack& y) {
        return x.mesh == y.mesh && x.channel == y.channel && std::equal(x.keys.begin(), x.keys.end(), y.keys.begin(), y.keys.end(), [](const auto& k, const auto& l) {
            return k.time == l.time && k.value == l.value && k.step_end == l.step_end;
        });
    });
}

bool same_channels(const std::vector<model::MorphChannel>& a, const std::vector<model::MorphChannel>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const model::MorphChannel& x, const model::MorphChannel& y) {
        return x.name == y.name && x.default_weight == y.default_weight &&
               std::equal(x.shapes.begin(), x.shapes.end(), y.shapes.begin(), y.shapes.end(), [](const model::MorphShape& s, const model::MorphShape& t) {
                   return s.name == t.name && s.weight == t.weight && s.points == t.points && s.offsets == t.offsets && s.normal_offsets == t.normal_offsets;
               });
    });
}

// Every form of the scene gives one model; `count` forms can say it.
Read read_forms(const Scene& scene, std::size_t count) {
    const auto all = forms(scene);
    EXPECT_EQ(all.size(), count);
    Read first = read(all.front().second);
    for (const auto& [name, bytes] : all) {
        const Read other = read(bytes);
        EXPECT_TRUE(same_channels(first.model.meshes.at(0).morphs, other.model.meshes.at(0).morphs)) << name;
        EXPECT_EQ(first.model.clips.size(), other.model.clips.size()) << name;
        for (std::size_t c = 0; c < std::min(first.model.clips.size(), other.model.clips.size()); ++c) {
            EXPECT_TRUE(same_keys(first.model.clips[c].morph_tracks, other.model.clips[c].morph_tracks)) << name;
        }
    }
    return first;
}

BlendChannel channel_of(std::string name, std::vector<std::int32_t> points, std::vector<Vec3> offsets) {
    BlendChannel out;
    out.name = name;
    Shape& shape = out.targets.emplace_back();
    shape.name = std::move(name);
    shape.indexes = std::move(points);
    shape.offsets = std::move(offsets);
    return out;
}

// A cube of 1 m, with these channels in one deformer; its last point is (0.5, 0.5, 0.5).
struct Face {
    Scene scene = metre_scene();
    MeshRef mesh;
    NodeRef node;
};
Face face(std::vector<BlendChannel> channels) {
    Face out;
    Mesh cube = make_cube(1);
    cube.name = "Head";
    BlendShape blend;
    blend.name = "Shapes";
    blend.channels = std::move(channels);
    cube.blend_shapes.push_back(std::move(blend));
    out.mesh = add_mesh(out.scene, cube);
    out.node = add_mesh_node(out.scene, "Head", out.mesh);
    return out;
}

void animate_weight(Face& face, LayerRef layer, std::size_t channel, Curve curve, double default_percent = 0) {
    animate_number(face.scene, layer, blend_channel(face.mesh, 0, channel), "DeformPercent", default_percent, std::move(curve));
}

Vec3d moved(const model::Model& m, std::size_t point, const model::Clip* clip, double time) {
    return morphed(m, model::MeshId{0}, clip, time)[point] - m.meshes.at(0).points[point];
}

void expect_near(const Vec3d& got, const Vec3d& expected, double within = 1e-9) {
    EXPECT_LT(length(got - expected), within) << got.x << " " << got.y << " " << got.z;
}

TEST(Recipe, MorphInBetweensAndNegativeTargetsAreReachedWhereTheFileSays) {
    BlendChannel channel;
    channel.name = "Brow";
    channel.deform_percent = 25;
    const struct {
        double percent;
        Vec3 offset;
    } targets[] = {{-100, {0, 0, 10}}, {50, {0, 10, 0}}, {100, {10, 0, 0}}};
    for (const auto& target : targets) {
        Shape& shape = channel.targets.emplace_back();
        shape.name = "at" + std::to_string(static_cast<int>(target.percent));
        shape.full_weight = target.percent;
        shape.indexes = {7};
        shape.offsets = {target.offset};
    }
    Face f = face({channel});
    f.scene.settings.unit_scale_factor = 1;  // centimetres
    const LayerRef layer = add_stack(f.scene, "Take", 0, 4);
    animate_weight(f, layer, 0, curve_of({{0, -200}, {4, 200}}));
    const Read r = read_forms(f.scene, 6);  // 6100 knows no in-betweens
    const model::MorphChannel& read_channel = r.model.meshes.at(0).morphs.at(0);
    EXPECT_EQ(read_channel.name, "Brow");
    EXPECT_DOUBLE_EQ(read_channel.default_weight, 0.25);
    ASSERT_EQ(read_channel.shapes.size(), 3u);
    EXPECT_EQ(read_channel.shapes[0].name, "at-100");
    EXPECT_EQ(read_channel.shapes[0].weight, -1);
    EXPECT_EQ(read_channel.shapes[1].weight, 0.5);
    EXPECT_EQ(read_channel.shapes[2].weight, 1);
    EXPECT_EQ(read_channel.shapes[2].points, (core::LargeVector<std::uint32_t>{7}));
    expect_near(read_channel.shapes[2].offsets[0], {-0.1, 0, 0});  // X is mirrored
    EXPECT_TRUE(read_channel.shapes[2].normal_offsets.empty());
    // The weight is time - 2.
    const model::Clip& clip = r.model.clips.at(0);
    ASSERT_EQ(clip.morph_tracks.at(0).keys.size(), 2u);
    expect_near(moved(r.model, 7, nullptr, 0), {0, 0.05, 0});
    expect_near(moved(r.model, 7, &clip, 0), {0, 0, 0.2});
    expect_near(moved(r.model, 7, &clip, 1.5), {0, 0, 0.05});
    expect_near(moved(r.model, 7, &clip, 2), {0, 0, 0});
    expect_near(moved(r.model, 7, &clip, 2.75), {-0.05, 0.05, 0});
    expect_near(moved(r.model, 7, &clip, 3), {-0.1, 0, 0});
    // Beyond the last: the shape at 0.5 -2 times, that at 1 3 times.
    expect_near(moved(r.model, 7, &clip, 4), {-0.3, -0.2, 0});
    expect_near(moved(r.model, 0, &clip, 4), {0, 0, 0});
}

// The same scene with the shape at 100 %, and with it in the points.
std::pair<Scene, Scene> shaped_and_baked(const std::function<void(Face&)>& change) {
    Face shaped = face({channel_of("Bulge", {1, 6, 7}, {{0.1, 0.2, 0.3}, {-0.3, 0.5, 0.25}, {0, -0.125, 0.75}})});
    shaped.scene[shaped.mesh].blend_shapes[0].channels[0].deform_percent = 100;
    change(shaped);
    Face baked = shaped;
    Mesh& mesh = baked.scene[baked.mesh];
    const Shape shape = mesh.blend_shapes[0].channels[0].targets[0];
    for (std::size_t i = 0; i < shape.indexes.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            mesh.points[static_cast<std::size_t>(shape.indexes[i])][k] += shape.offsets[i][k];
        }
    }
    mesh.blend_shapes.clear();
    return {shaped.scene, baked.scene};
}

void expect_same_points(const std::pair<Scene, Scene>& scenes, const char* what, const codec::ReadOptions& options = {}) {
    const Read shaped = read(scenes.first, options);
    const Read baked = read(scenes.second, options);
    ASSERT_EQ(shaped.model.instances.size(), 1u) << what;
    const model::Clip* clip = shaped.model.clips.empty() ? nullptr : &shaped.model.clips[0];
    const model::Clip* baked_clip = clip != nullptr ? &baked.model.clips[0] : nullptr;
    const auto a = posed_points(shaped.model, shaped.model.instances[0], clip, 0.5);
    const auto b = posed_points(baked.model, baked.model.instances[0], baked_clip, 0.5);
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_LT(length(a[i] - b[i]), 1e-9) << what << ", point " << i;
    }
    EXPECT_GT(length(shaped.model.meshes[0].points[6] - baked.model.meshes[0].points[6]), 0.1) << what;
}

TEST(Recipe, MorphOffsetsGoWhereverThePointsOfTheMeshGo) {
    expect_same_points(shaped_and_baked([](Face&) {}), "as it is");
    expect_same_points(shaped_and_baked([](Face& f) { f.scene.settings.unit_scale_factor = 254; }), "unit");
    expect_same_points(shaped_and_baked([](Face& f) {
                           f.scene.settings.up_axis = 2;
                           f.scene.settings.front_axis = 1;
                           f.scene.settings.front_axis_sign = -1;
                       }), "Z up");
    expect_same_points(shaped_and_baked([](Face& f) {
                           f.scene[f.node].geometric_translation = Vec3{1, 2, 3};
                           f.scene[f.node].geometric_rotation = Vec3{10, 20, 30};
                           f.scene[f.node].geometric_scaling = Vec3{1, 2, -3};
                       }), "geometric transform");
    expect_same_points(shaped_and_baked([](Face& f) { f.scene[f.node].scaling = Vec3{-2, 1, 1}; }), "mirrored node");
    codec::ReadOptions other_axes;
    other_axes.scene.up = "+Z";
    other_axes.scene.front = "-Y";
    other_axes.scene.unit_meters = 0.5;
    expect_same_points(shaped_and_baked([](Face&) {}), "--up, --front, --unit-override", other_axes);
    const auto skinned = [](Face& f) {
        const NodeRef root = add_bone(f.scene, "Root");
        const NodeRef tip = add_bone(f.scene, "Tip", root, {0, 0.25, 0});
        Skin skin;
        skin.clusters.resize(2);
        skin.clusters[0].bone = root;
        skin.clusters[1].bone = tip;
        for (std::int32_t p = 0; p < 8; ++p) {
            skin.clusters[0].indexes.push_back(p);
            skin.clusters[0].weights.push_back(0.25 + 0.0625 * p);
            skin.clusters[1].indexes.push_back(p);
            skin.clusters[1].weights.push_back(0.75 - 0.0625 * p);
        }
        f.scene[f.mesh].skins.push_back(skin);
        bind_to_current_pose(f.scene, f.node);
        animate(f.scene, add_stack(f.scene, "Bend", 0, 1), tip, "Lcl Rotation", {0, 0, 0}, curve_of({{0, 0}, {1, 90}}), {}, curve_of({{0, 0}, {1, 120}}));
    };
    expect_same_points(shaped_and_baked(skinned), "skinned");
}

TEST(Recipe, MorphSubdividesAsThePointsDo) {
    const auto smooth = [](Face& f) {
        f.scene[f.mesh].extra.children = {Element{"Smoothness", {std::int32_t{2}}, {}, false}};
        f.scene[f.mesh].blend_shapes[0].channels[0].targets[0].normal_offsets = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    };
    for (const unsigned levels : {1u, 2u, 4u}) {
        codec::ReadOptions options;
        options.scene.subdivide = levels;
        const auto scenes = shaped_and_baked(smooth);
        const Read shaped = read(scenes.first, options);
        const Read baked = read(scenes.second, options);
        const auto a = morphed(shaped.model, model::MeshId{0}, nullptr, 0);
        const auto& b = baked.model.meshes[0].points;
        ASSERT_EQ(a.size(), b.size());
        ASSERT_GT(a.size(), 8u);
        double worst = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            worst = std::max(worst, length(a[i] - b[i]));
        }
        EXPECT_LT(worst, 1e-9) << levels;
        EXPECT_TRUE(shaped.model.meshes[0].morphs[0].shapes[0].normal_offsets.empty());
    }
}

TEST(Recipe, MorphWeightsAreSampledAsTheirCurvesSay) {
    Face f = face({channel_of("line", {7}, {{0, 1, 0}}), channel_of("step", {6}, {{0, 1, 0}}), channel_of("held", {5}, {{0, 1, 0}}), channel_of("still", {4}, {{0, 1, 0}})});
    f.scene[f.mesh].blend_shapes[0].channels[3].deform_percent = 30;
    const LayerRef layer = add_stack(f.scene, "Take", 1, 3);
    animate_weight(f, layer, 0, curve_of({{1, 0}, {2, 100}, {3, -50}}));
    animate_weight(f, layer, 1, curve_of({{1, 10}, {2, 60}}, Interpolation::ConstantPrevious));
    animate_weight(f, layer, 2, curve_of({{1, 40}, {3, 40}}));
    animate_weight(f, layer, 3, curve_of({{1, 30}, {3, 30}}), 30);
    const Read r = read_forms(f.scene, 7);
    ASSERT_EQ(r.model.clips.size(), 1u);
    const model::Clip& clip = r.model.clips[0];
    EXPECT_DOUBLE_EQ(clip.duration, 2);
    EXPECT_TRUE(clip.tracks.empty());
    ASSERT_EQ(clip.morph_tracks.size(), 3u);  // what stays at its default has no track
    const auto& line = clip.morph_tracks[0];
    EXPECT_EQ(line.channel, 0u);
    ASSERT_EQ(line.keys.size(), 3u);
    EXPECT_NEAR(line.keys[1].time, 1, 1e-9);
    EXPECT_NEAR(line.keys[1].value, 1, 1e-6);
    EXPECT_NEAR(line.keys[2].value, -0.5, 1e-6);
    const auto& step = clip.morph_tracks[1];
    EXPECT_NEAR(key_value(step.keys, 0.0, 0.999), 0.1, 1e-6);
    EXPECT_NEAR(key_value(step.keys, 0.0, 1.0), 0.6, 1e-6);
    const auto& held = clip.morph_tracks[2];
    ASSERT_EQ(held.keys.size(), 1u);
    EXPECT_NEAR(held.keys[0].value, 0.4, 1e-6);
    EXPECT_TRUE(r.report.losses().empty());
}

TEST(Recipe, MorphWeightsBlendLayersAndCurve) {
    Face f = face({channel_of("sum", {7}, {{0, 1, 0}}), channel_of("soft", {6}, {{0, 1, 0}})});
    const LayerRef base = add_stack(f.scene, "Take", 0, 1);
    animate_weight(f, base, 0, curve_of({{0, 0}, {1, 50}}));
    Curve soft = curve_of({{0, 0}, {1, 100}}, Interpolation::CubicUser);
    animate_weight(f, base, 1, soft);
    AnimationLayer more;
    more.name = "More";
    more.blend_mode = 0;
    f.scene.stacks[0].layers.push_back(more);
    animate_weight(f, {0, 1}, 0, curve_of({{0, 20}, {1, 20}}));
    const Read r = read_forms(f.scene, 6);
    const model::Clip& clip = r.model.clips.at(0);
    ASSERT_EQ(clip.morph_tracks.size(), 2u);
    EXPECT_NEAR(key_value(clip.morph_tracks[0].keys, 0.0, 0.0), 0.2, 1e-6);
    EXPECT_NEAR(key_value(clip.morph_tracks[0].keys, 0.0, 1.0), 0.7, 1e-6);
    // A Hermite curve with level ends: 3 t^2 - 2 t^3.
    for (const double t : {0.1, 0.2, 0.5, 0.9}) {
        EXPECT_NEAR(key_value(clip.morph_tracks[1].keys, 0.0, t), 3 * t * t - 2 * t * t * t, 1e-5) << t;
    }
}

TEST(Recipe, MorphChannelsOfSeveralDeformersKeepTheirOrderAndGetNames) {
    Face f = face({channel_of("Smile", {7}, {{0, 1, 0}}), channel_of("", {6}, {{0, 1, 0}})});
    f.scene[f.mesh].blend_shapes[0].channels[1].targets[0].name = "Blink";
    BlendShape second;
    second.name = "More";
    second.channels = {channel_of("Smile", {5}, {{0, 2, 0}}), channel_of("\x83\x65\x83\x58\x83\x67", {4}, {{0, 1, 0}})};  // cp932
    f.scene[f.mesh].blend_shapes.push_back(second);
    const LayerRef layer = add_stack(f.scene, "Take", 0, 1);
    animate_number(f.scene, layer, blend_channel(f.mesh, 1, 0), "DeformPercent", 0, curve_of({{0, 0}, {1, 100}}));
    const Read r = read_forms(f.scene, 6);
    const auto& morphs = r.model.meshes.at(0).morphs;
    ASSERT_EQ(morphs.size(), 4u);
    EXPECT_EQ(morphs[0].name, "Smile");
    EXPECT_EQ(morphs[1].name, "Blink");
    EXPECT_EQ(morphs[2].name, "Smile~2");
    EXPECT_EQ(morphs[3].name, "テスト");
    EXPECT_TRUE(r.report.has(IssueId::FBX_SHAPE_RENAMED));
    ASSERT_EQ(r.model.clips.at(0).morph_tracks.size(), 1u);
    EXPECT_EQ(r.model.clips[0].morph_tracks[0].channel, 2u);
    expect_near(moved(r.model, 5, &r.model.clips[0], 1), {0, 2, 0}, 1e-6);
}

TEST(Recipe, MorphNormalOffsetsAreKeptAndZerosAreNone) {
    BlendChannel known = channel_of("known", {7}, {{0, 1, 0}});
    known.targets[0].normal_offsets = {{0.5, 0.25, -1}};
    BlendChannel unknown = channel_of("unknown", {7, 6}, {{0, 1, 0}, {0, 0, 0}});
    unknown.targets[0].normal_offsets = {{0, 0, 0}, {0, 0, 0}};
    Face f = face({known, unknown});
    f.scene.settings.unit_scale_factor = 1;
    const Read r = read_forms(f.scene, 7);
    const auto& morphs = r.model.meshes.at(0).morphs;
    ASSERT_EQ(morphs[0].shapes[0].normal_offsets.size(), 1u);
    expect_near(morphs[0].shapes[0].normal_offsets[0], {-0.5, 0.25, -1});
    EXPECT_TRUE(morphs[1].shapes[0].normal_offsets.empty());
    EXPECT_EQ(morphs[1].shapes[0].points.size(), 1u);  // what is not moved is not listed
}

std::uint64_t loss_of(const core::Report& report, std::string_view kind) {
    for (const core::Loss& loss : report.losses()) {
        if (loss.kind == kind) {
            return loss.count;
        }
    }
    return 0;
}

TEST(Recipe, MorphTargetsThatCannotBeReachedAreLeftOutInWords) {
    BlendChannel twice = channel_of("twice", {7}, {{0, 1, 0}});
    twice.targets.push_back(twice.targets[0]);
    twice.targets[1].name = "second";
    BlendChannel nowhere = channel_of("nowhere", {7}, {{0, 1, 0}});
    nowhere.targets[0].full_weight = 0;
    BlendChannel empty;
    empty.name = "empty";
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const BlendChannel broken = channel_of("broken", {3, 8, -1, 2}, {{0, nan, 0}, {9, 9, 9}, {9, 9, 9}, {0, 1, 0}});
    const Face f = face({twice, nowhere, empty, broken});
    const Read r = read(f.scene);
    const auto& morphs = r.model.meshes.at(0).morphs;
    ASSERT_EQ(morphs.size(), 2u);
    EXPECT_EQ(morphs[0].shapes.size(), 1u);
    EXPECT_EQ(morphs[0].shapes[0].name, "twice");
    EXPECT_EQ(morphs[1].name, "broken");
    EXPECT_EQ(morphs[1].shapes[0].points, (core::LargeVector<std::uint32_t>{2}));
    EXPECT_EQ(std::count_if(r.report.issues().begin(), r.report.issues().end(), [](const core::Issue& i) { return i.id == IssueId::FBX_SHAPE_WEIGHT; }), 2);
    EXPECT_EQ(loss_of(r.report, "blend shape channels without a shape"), 2u);
    EXPECT_EQ(loss_of(r.report, "blend shape offsets of points that are not there"), 2u);
    // A deformer that hangs on nothing.
    Face loose = face({channel_of("lost", {7}, {{0, 1, 0}})});
    loose.scene[loose.mesh].blend_shapes[0].extra.connect = false;
    EXPECT_EQ(loss_of(read(loose.scene).report, "blend shape channels of no mesh"), 1u);
}

TEST(Recipe, MorphShapesBehindTheSkinAreAppliedBeforeItWithTheErrorMeasured) {
    for (const bool late : {false, true}) {
        Face f = face({channel_of("Bulge", {7}, {{0, 1, 0}})});
        const NodeRef bone = add_bone(f.scene, "Bone");
        Skin skin;
        skin.clusters.resize(1);
        skin.clusters[0].bone = bone;
        for (std::int32_t p = 0; p < 8; ++p) {
            skin.clusters[0].indexes.push_back(p);
            skin.clusters[0].weights.push_back(1);
        }
        f.scene[f.mesh].skins.push_back(skin);
        bind_to_current_pose(f.scene, f.node);
        const LayerRef layer = add_stack(f.scene, "Turn", 0, 1);
        animate(f.scene, layer, bone, "Lcl Rotation", {0, 0, 0}, {}, {}, curve_of({{0, 0}, {1, 90}}));
        animate_weight(f, layer, 0, curve_of({{0, 0}, {1, 100}}));
        f.scene[f.mesh].blend_shapes[0].extra.connect = !late;
        if (late) {
            f.scene.raw_connections.push_back({"OO", object_id(f.scene, {ObjectKind::BlendShape, {0, 0}}), object_id(f.scene, f.mesh)});
        }
        const Read r = read(f.scene);
        EXPECT_EQ(r.report.has(IssueId::FBX_SHAPE_AFTER_SKIN), late);
        // At the end the offset of 1 m has turned by a quarter, or not: sqrt(2) m apart.
        for (const core::Issue& issue : r.report.issues()) {
            EXPECT_NE(issue.text.find("up to 1.41422 m"), std::string::npos) << issue.text;
        }
        // The point is at (0.5, 0.5, 0.5), with the shape at (0.5, 1.5, 0.5), turned at (-1.5, 0.5, 0.5), and mirrored.
        expect_near(posed_points(r.model, r.model.instances.at(0), &r.model.clips.at(0), 1)[7], {1.5, 0.5, 0.5}, 1e-6);
    }
}

// A patch in the plane z = 0, from (0, 0) to (1, 1), of 3 by 2 control points; those in the middle of u weigh twice as much. The shape
// moves one of these.
TEST(Recipe, MorphShapesOfNurbsSurfacesMoveWhatControlPointsMove) {
    constexpr std::int64_t kPatch = 990001;
    Face f = face({channel_of("Bulge", {1}, {{0, 0, 0.9}})});
    Scene& s = f.scene;
    RawObject patch{"Geometry", {"", "Geometry"}, "NurbsSurface", {}};
    patch.extra.id = kPatch;
    const auto child = [&](const char* name, std::vector<Value> values) { patch.extra.children.push_back(Element{name, std::move(values), {}, false}); };
    child("NurbsSurfaceVersion", {std::int32_t{100}});
    child("NurbsSurfaceOrder", {std::int32_t{3}, std::int32_t{2}});
    child("Dimensions", {std::int32_t{3}, std::int32_t{2}});
    child("Step", {std::int32_t{4}, std::int32_t{1}});
    child("Form", {std::string("Open"), std::string("Open")});
    child("Points", {std::vector<double>{0, 0, 0, 1, 0.5, 0, 0, 2, 1, 0, 0, 1, 0, 1, 0, 1, 0.5, 1, 0, 2, 1, 1, 0, 1}});
    child("KnotVectorU", {std::vector<double>{0, 0, 0, 1, 1, 1}});
    child("KnotVectorV", {std::vector<double>{0, 0, 1, 1}});
    child("GeometryVersion", {std::int32_t{124}});
    s.raw_objects.push_back(patch);
    const NodeRef node = add_node(s, "Patch");
    s[f.mesh].blend_shapes[0].extra.connect = false;
    s.raw_connections = {{"OO", kPatch, object_id(s, node)}, {"OO", object_id(s, {ObjectKind::BlendShape, {0, 0}}), kPatch}};
    animate_weight(f, add_stack(s, "Take", 0, 1), 0, curve_of({{0, 0}, {1, 100}}));
    const Read r = read(s);
    EXPECT_EQ(loss_of(r.report, "blend shape channels of no mesh"), 0u);
    ASSERT_EQ(r.model.meshes.size(), 2u);
    const model::Mesh& mesh = r.model.meshes[1];
    ASSERT_EQ(mesh.points.size(), 10u);
    ASSERT_EQ(mesh.morphs.size(), 1u);
    EXPECT_EQ(mesh.morphs[0].name, "Bulge");
    const model::MorphShape& shape = mesh.morphs[0].shapes.at(0);
    ASSERT_EQ(shape.points.size(), 3u);  // one row, but for its ends
    for (std::size_t i = 0; i < 3; ++i) {
        const double u = 0.25 * static_cast<double>(i + 1);
        const double heavy = 2 * 2 * u * (1 - u);
        const double all = (1 - u) * (1 - u) + heavy + u * u;
        expect_near(mesh.points[shape.points[i]], {-(0.5 * heavy + u * u) / all, 0, 0});
        expect_near(shape.offsets[i], {0, 0, 0.9 * heavy / all});
    }
    ASSERT_EQ(r.model.clips.at(0).morph_tracks.size(), 1u);
    EXPECT_EQ(r.model.clips[0].morph_tracks[0].mesh, model::MeshId{1});
}

TEST(Recipe, MorphShapesAreCountedAgainstTheLimits) {
    const Face f = face({channel_of("one", {6, 7}, {{0, 1, 0}, {0, 1, 0}}), channel_of("two", {5}, {{0, 1, 0}})});
    const auto code = [&](std::uint64_t shapes, std::uint64_t points) {
        codec::ReadOptions options;
        options.limits.max_morph_shapes = shapes;
        options.limits.max_morph_vertices = points;
        core::Report report;
        const auto model = make_codec().read(write_binary(f.scene, 7400), "test.fbx", options, report);
        return model ? core::Code::Usage : model.error().code;
    };
    EXPECT_EQ(code(2, 3), core::Code::Usage);  // read
    EXPECT_EQ(code(1, 3), core::Code::LimitExceeded);
    EXPECT_EQ(code(2, 2), core::Code::LimitExceeded);
}

TEST(Recipe, MorphFindingsOfCheckNameTheElement) {
    BlendChannel still = channel_of("still", {7}, {{0, 0, 0}});
    BlendChannel empty;
    empty.name = "empty";
    const BlendChannel astray = channel_of("astray", {7, 80}, {{0, 1, 0}, {0, 1, 0}});
    const Face f = face({still, empty, astray});
    core::Report report;
    const auto bytes = write_binary(f.scene, 7400);
    make_codec().check(bytes, "test.fbx", {}, report);
    const auto part_of = [&](IssueId id) {
        const auto found = std::find_if(report.issues().begin(), report.issues().end(), [&](const core::Issue& i) { return i.id == id; });
        return found != report.issues().end() ? found->place.part.substr(0, found->place.part.find(" [")) : std::string();
    };
    EXPECT_EQ(part_of(IssueId::FBX_SHAPE_STILL), "blend shape 'still'");
    EXPECT_EQ(part_of(IssueId::FBX_SHAPE_NONE), "blend channel 'empty'");
    EXPECT_EQ(part_of(IssueId::FBX_SHAPE_ASTRAY), "blend shape 'astray'");
}

}  // namespace
}  // namespace gomkit::fbx::test
