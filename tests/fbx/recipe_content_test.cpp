// Recipes about what a scene holds: meshes, weights, clips, materials, names (docs/formats/fbx-recipes.md).
#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>

#include "truth.hpp"

namespace gomkit::fbx::test {
namespace {

using namespace writer;
using core::IssueId;

core::Result<model::Model> read_bytes(const std::vector<std::byte>& bytes, core::Report& report, codec::ReadOptions options = {}) {
    return make_codec().read(bytes, "test.fbx", options, report);
}

model::Model read_model(const Scene& scene, codec::ReadOptions options = {}) {
    core::Report report;
    auto model = read_bytes(write_binary(scene, 7400), report, options);
    EXPECT_TRUE(model) << (model ? std::string() : core::to_string(model.error()));
    return model ? std::move(*model) : model::Model{};
}

// The value of a finding's text, or "" where there is none of that kind.
// --- T-weights, T-unweighted

Scene weighted(const std::vector<std::vector<std::pair<int, double>>>& of_point, const std::vector<int>& order) {
    Scene s = metre_scene();
    std::vector<NodeRef> bones;
    for (int b = 0; b < 12; ++b) {
        bones.push_back(add_bone(s, "B" + std::string(1, static_cast<char>('a' + b)), {}, {0.1 * b, 0, 0}));
    }
    Mesh mesh;
    for (std::size_t p = 0; p < of_point.size(); ++p) {
        mesh.points.push_back({static_cast<double>(p), static_cast<double>(p % 2), 0});
    }
    for (std::int32_t p = 0; p + 2 < static_cast<std::int32_t>(of_point.size()); ++p) {
        mesh.polygons.push_back({p, p + 1, p + 2});
    }
    mesh.normals.push_back(flat_normals(mesh));
    Skin skin;
    for (const int b : order) {
        Cluster cluster;
        cluster.bone = bones[static_cast<std::size_t>(b)];
        for (std::size_t p = 0; p < of_point.size(); ++p) {
            for (const auto& [bone, weight] : of_point[p]) {
                if (bone == b) {
                    cluster.indexes.push_back(static_cast<std::int32_t>(p));
                    cluster.weights.push_back(weight);
                }
            }
        }
        skin.clusters.push_back(cluster);
    }
    mesh.skins.push_back(skin);
    const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, mesh));
    bind_to_current_pose(s, body);
    return s;
}

TEST(Recipe, WeightsDoNotDependOnTheOrderOfClusters) {
    std::mt19937 random(9);
    std::uniform_real_distribution<double> any(0, 1);
    std::vector<std::vector<std::pair<int, double>>> of_point;
    for (int p = 0; p < 200; ++p) {
        std::vector<int> bones(12);
        for (int b = 0; b < 12; ++b) {
            bones[static_cast<std::size_t>(b)] = b;
        }
        std::shuffle(bones.begin(), bones.end(), random);
        std::vector<std::pair<int, double>> weights;
        const double tie = any(random);
        for (int i = 0; i <= p % 12; ++i) {
            const int kind = (p / 12 + i) % 4;
            weights.emplace_back(bones[static_cast<std::size_t>(i)], kind == 0 ? tie : kind == 1 ? std::nextafter(tie, 2) : any(random));
        }
        of_point.push_back(weights);
    }
    std::vector<int> order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const std::vector<std::byte> sorted = convert_forms(weighted(of_point, order)).bytes;
    for (int round = 0; round < 5; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        EXPECT_TRUE(convert(weighted(of_point, order)).bytes == sorted) << round;
    }
}

TEST(Recipe, WeightsOfAnySumBecomeOneAndUnusableOnesNone) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Scene s = weighted({{{0, 0.45}, {1, 0.45}}, {{0, 1.1}, {1, 1.1}}, {{0, 0}, {1, 0}}, {{0, -1}, {1, 0.5}}, {{0, nan}, {1, 0.25}}, {}},
                             {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const Converted c = convert(s);
    const runtime::MeshPartView part = c.view.part(0);
    std::map<int, std::array<float, 2>> weights;  // of bones 0 and 1, by the point's x
    for (std::uint32_t i = 0; i < part.vertex_count(); ++i) {
        const runtime::Vertex v = part.vertex(i);
        std::array<float, 2> sum{};
        for (std::size_t k = 0; k < 4; ++k) {
            if (v.bone_index[k] < 2) {
                sum[v.bone_index[k]] += v.bone_weight[k];
            }
        }
        weights[static_cast<int>(std::lround(-v.position[0]))] = sum;
    }
    EXPECT_EQ(weights[0], (std::array<float, 2>{0.5f, 0.5f}));
    EXPECT_EQ(weights[1], (std::array<float, 2>{0.5f, 0.5f}));
    EXPECT_EQ(weights[2], (std::array<float, 2>{1, 0}));  // nothing usable: the first bone
    EXPECT_EQ(weights[3], (std::array<float, 2>{0, 1}));
    EXPECT_EQ(weights[4], (std::array<float, 2>{1, 0}));  // GOM-WEIGHT-2: one that is not finite spoils the point
    EXPECT_EQ(weights[5], (std::array<float, 2>{1, 0}));
    EXPECT_TRUE(text_of(c.report, IssueId::MESH_UNWEIGHTED).starts_with("3 points"));
}

// T-skeleton
TEST(Recipe, SkeletonTakesWhatLiesBetweenBonesAndEveryRoot) {
    Scene s = metre_scene();
    const NodeRef hips = add_bone(s, "Hips", {}, {0, 1, 0});
    const NodeRef between = add_node(s, "Between", hips, {0, 1, 0});  // no bone, but one hangs below
    const NodeRef chest = add_bone(s, "Chest", between, {0, 1, 0});
    const NodeRef prop = add_bone(s, "Prop", {}, {5, 0, 0});  // joined to nothing
    add_bone(s, "End", chest, {0, 1, 0});                     // no cluster
    const NodeRef plain = add_node(s, "Plain", {}, {0, 0, 3});  // no bone attribute, but a cluster
    const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, triangle_each({hips, chest, prop, plain}, {{0, 0, 0}, {0, 1, 0}, {5, 0, 0}, {0, 0, 3}})));
    bind_to_current_pose(s, body);
    animate(s, add_stack(s, "Bend", 0, 1), between, "Lcl Rotation", {}, {}, {}, curve_of({{0, 0}, {1, 90}}));
    const Converted c = convert_forms(s);
    std::vector<std::string> paths;
    for (std::uint32_t i = 0; i < c.view.bone_count(); ++i) {
        paths.emplace_back(c.view.bone_path(i));
    }
    EXPECT_EQ(paths, (std::vector<std::string>{"Hips", "Hips/Between", "Hips/Between/Chest", "Hips/Between/Chest/End", "Plain", "Prop"}));
    const Truth truth(s);
    for (const double time : {0.0, 0.5, 1.0}) {
        EXPECT_LT(off(truth.points(time), posed_points(c.view, time)), 1e-5);
    }
}

// T-limits
TEST(Recipe, LimitsOfOneAndTwoBytesAreNoLimits) {
    for (const int count : {256, 257}) {
        Scene s = metre_scene();
        std::vector<NodeRef> bones;
        std::vector<Vec3> at;
        for (int b = 0; b < count; ++b) {
            bones.push_back(add_bone(s, "B" + std::to_string(b), {}, {3.0 * b, 0, 0}));
            at.push_back({3.0 * b, 0, 0});
        }
        Mesh mesh = triangle_each(bones, at);
        mesh.materials.emplace();
        mesh.materials->mapping = Mapping::ByPolygon;
        mesh.materials->indices.clear();
        std::vector<MaterialRef> materials;
        for (int b = 0; b < count; ++b) {
            mesh.materials->indices.push_back(b);
            materials.push_back(add_material(s, "M" + std::to_string(1000 + b), {b / 300.0, 0, 0}));
        }
        const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, mesh), {}, materials);
        bind_to_current_pose(s, body);
        const Converted c = convert(s);
        EXPECT_EQ(c.view.bone_count(), static_cast<std::uint32_t>(count));
        EXPECT_EQ(c.view.material_count(), static_cast<std::uint32_t>(count));
        EXPECT_EQ(c.view.part(0).submesh_count(), static_cast<std::uint32_t>(count));
        EXPECT_LT(off(Truth(s).points(), posed_points(c.view)), 1e-4);
    }
    for (const int count : {65535, 65536, 65537}) {
        Scene s = metre_scene();
        Mesh mesh;
        for (int i = 0; i < count; ++i) {
            mesh.points.push_back({0.25 * i, static_cast<double>(i % 2), 0});
        }
        for (std::int32_t i = 0; i + 2 < count; ++i) {
            mesh.polygons.push_back(i % 2 == 0 ? std::vector<std::int32_t>{i, i + 1, i + 2} : std::vector<std::int32_t>{i + 1, i, i + 2});
        }
        add_mesh_node(s, "Strip", add_mesh(s, mesh));
        const Converted c = convert(s);
        EXPECT_EQ(c.view.part(0).vertex_count(), static_cast<std::uint32_t>(count));
        const std::uint32_t last = c.view.part(0).index_count() - 3;
        EXPECT_EQ(std::max({c.view.part(0).index(last), c.view.part(0).index(last + 1), c.view.part(0).index(last + 2)}), static_cast<std::uint32_t>(count - 1));
    }
}

// --- T-takes

// One bone whose x is animated by the layers of one stack; gives the converted scene's x at a time.
double x_of(const Converted& c, double time) { return -bone_models_at(c.view, 0, static_cast<double>(static_cast<float>(time)))[0].m[12]; }

struct Layers {
    Scene scene = metre_scene();
    NodeRef bone;
    LayerRef base;
    AnimationLayer& add(double from, double to) {
        scene.stacks[0].layers.emplace_back();
        scene.stacks[0].layers.back().name = "Over";
        animate(scene, LayerRef{0, scene.stacks[0].layers.size() - 1}, bone, "Lcl Translation", {0, 0, 0}, curve_of({{0, from}, {1, to}}), {}, {});
        return scene.stacks[0].layers.back();
    }
    Layers() {
        bone = add_bone(scene, "Bone");
        base = add_stack(scene, "Move", 0, 1);
        animate(scene, base, bone, "Lcl Translation", {0, 0, 0}, curve_of({{0, 1}, {1, 3}}), {}, {});
    }
};

TEST(Recipe, TakesBlendTheirLayers) {
    Layers additive;
    additive.add(10, 20).blend_mode = 0;
    EXPECT_NEAR(x_of(convert_forms(additive.scene), 0.5), 2 + 15, 1e-5);
    Layers over;
    over.add(10, 20).blend_mode = 1;
    EXPECT_NEAR(x_of(convert_forms(over.scene), 0.5), 15, 1e-5);
    Layers half;
    AnimationLayer& layer = half.add(10, 20);
    layer.blend_mode = 2;  // override, passing through what is below by its weight
    layer.weight = 25;
    EXPECT_NEAR(x_of(convert_forms(half.scene), 0.5), 0.75 * 2 + 0.25 * 15, 1e-5);
    Layers muted;
    muted.add(10, 20).mute = true;
    EXPECT_NEAR(x_of(convert_forms(muted.scene), 0.5), 2, 1e-5);
    Layers solo;
    solo.add(10, 20).blend_mode = 0;
    solo.add(100, 200).solo = true;
    EXPECT_NEAR(x_of(convert_forms(solo.scene), 0.5), 150, 1e-5);
    Layers weighted_by_curve;
    AnimationLayer& by_curve = weighted_by_curve.add(10, 20);
    by_curve.blend_mode = 0;
    by_curve.weight = 100;
    animate_number(weighted_by_curve.scene, LayerRef{0, 1}, ObjectRef(LayerRef{0, 1}), "Weight", 100, curve_of({{0, 0}, {1, 100}}));
    EXPECT_NEAR(x_of(convert_forms(weighted_by_curve.scene), 0.5), 2 + 0.5 * 15, 1e-5);
}

TEST(Recipe, TakesNeedNoTakesSectionAndKeepTheirRanges) {
    for (const bool section : {true, false}) {
        Layers narrow;
        narrow.scene.write_takes = section;
        narrow.scene.stacks[0].local_start = ticks_at(0.25);
        narrow.scene.stacks[0].local_stop = ticks_at(0.75);
        const Converted c = convert_forms(narrow.scene);
        ASSERT_EQ(c.view.clip_count(), 1u);
        EXPECT_FLOAT_EQ(c.view.clip(0).duration_seconds(), 0.5f);
        EXPECT_NEAR(x_of(c, 0), 1.5, 1e-5);
        EXPECT_NEAR(x_of(c, 0.5), 2.5, 1e-5);
    }
    Layers wide;
    wide.scene.stacks[0].local_start = ticks_at(-1);
    wide.scene.stacks[0].local_stop = ticks_at(3);
    const Converted c = convert_forms(wide.scene);
    EXPECT_FLOAT_EQ(c.view.clip(0).duration_seconds(), 4);
    EXPECT_NEAR(x_of(c, 0.5), 1, 1e-5);  // held before the first key and behind the last
    EXPECT_NEAR(x_of(c, 1.5), 2, 1e-5);
    EXPECT_NEAR(x_of(c, 3.5), 3, 1e-5);
    Scene none = metre_scene();
    add_bone(none, "Bone");
    EXPECT_EQ(convert_forms(none).view.clip_count(), 0u);
    // The first is a T-pose, of no length.
    Layers pose;
    AnimationStack walk = pose.scene.stacks[0];
    walk.name = "Walk";
    pose.scene.stacks[0].name = "T-Pose";
    pose.scene.stacks[0].local_stop = 0;
    for (CurveChannel& channel : pose.scene.stacks[0].layers[0].curve_nodes[0].channels) {
        channel.curve.reset();
    }
    pose.scene.stacks.push_back(walk);
    const Converted two = convert_forms(pose.scene);
    ASSERT_EQ(two.view.clip_count(), 2u);
    EXPECT_EQ(two.view.clip(0).name(), "T-Pose");
    EXPECT_EQ(two.view.clip(0).duration_seconds(), 0);
    EXPECT_NEAR(-bone_models_at(two.view, 1, 0.5)[0].m[12], 2, 1e-5);
}

// --- T-time

TEST(Recipe, TimeModesAllHaveTheirRates) {
    // By the SDK's own list; 0 is the default, which its documentation calls 30 frames and ufbx 24 (nobody writes it).
    const std::pair<int, double> modes[] = {{1, 120}, {2, 100}, {3, 60}, {4, 50}, {5, 48}, {6, 30}, {7, 30}, {8, 30 / 1.001}, {9, 30 / 1.001}, {10, 25},
                                            {11, 24}, {12, 1000}, {13, 24 / 1.001}, {15, 96}, {16, 72}, {17, 60 / 1.001}};
    for (const auto& [mode, fps] : modes) {
        Scene s = metre_scene();
        s.settings.time_mode = mode;
        EXPECT_NEAR(read_model(s).source.fps, fps, 0.001) << mode;
    }
    Scene s = metre_scene();
    s.settings.time_mode = 14;
    s.settings.custom_frame_rate = 12.5;
    EXPECT_EQ(read_model(s).source.fps, 12.5);
}

TEST(Recipe, TimeStartsAnywhere) {
    for (const double start : {-1.0, 160 / 30.0, 1000.0}) {
        Scene s = metre_scene();
        const NodeRef bone = add_bone(s, "Bone");
        animate(s, add_stack(s, "Move", start, start + 1), bone, "Lcl Translation", {0, 0, 0}, curve_of({{start, 1}, {start + 1, 3}}), {}, {});
        const Converted c = convert_forms(s);
        EXPECT_FLOAT_EQ(c.view.clip(0).duration_seconds(), 1);
        EXPECT_NEAR(x_of(c, 0), 1, 1e-5);
        EXPECT_NEAR(x_of(c, 0.5), 2, 1e-5);
        EXPECT_NEAR(x_of(c, 1), 3, 1e-5);
    }
    // One key: a clip of one pose. And keys as near as sound samples: each is there.
    Scene one = metre_scene();
    NodeRef bone = add_bone(one, "Bone");
    animate(one, add_stack(one, "Pose", 0, 0), bone, "Lcl Translation", {0, 0, 0}, curve_of({{0, 7}}), {}, {});
    const Converted pose = convert_forms(one);
    EXPECT_TRUE(pose.report.has(IssueId::FBX_EMPTY_STACK));
    EXPECT_EQ(pose.view.clip(0).duration_seconds(), 0);
    EXPECT_NEAR(x_of(pose, 0), 7, 1e-6);
    Scene dense = metre_scene();
    bone = add_bone(dense, "Bone");
    Curve curve;
    for (int i = 0; i <= 480; ++i) {
        Key key;
        key.time = ticks_at(i / 48000.0);
        key.value = i % 2;
        curve.keys.push_back(key);
    }
    animate(dense, add_stack(dense, "Buzz", 0, 0.01), bone, "Lcl Translation", {0, 0, 0}, curve, {}, {});
    const Converted buzz = convert_forms(dense);
    EXPECT_EQ(buzz.view.clip(0).track(0).translation_count(), 481u);
}

// --- T-stepped

// x at a time in [a, b] of FBX's cubic: a Hermite curve, slopes in values a second.
double hermite(double from, double to, double slope_from, double slope_to, double seconds, double part) {
    const double p = part;
    const double q = 1 - p;
    return from * (1 + 2 * p) * q * q + slope_from * seconds * p * q * q + to * p * p * (3 - 2 * p) - slope_to * seconds * p * p * q;
}

TEST(Recipe, SteppedAndCubicCurvesAreWhatTheirKeysSay) {
    const auto converted = [](Curve curve) {
        Scene s = metre_scene();
        const NodeRef bone = add_bone(s, "Bone");
        animate(s, add_stack(s, "Move", 0, 1), bone, "Lcl Translation", {0, 0, 0}, curve, {}, {});
        return convert_forms(s);
    };
    const Converted held = converted(curve_of({{0, 1}, {0.5, 5}, {1, 9}}, Interpolation::ConstantPrevious));
    const Converted next = converted(curve_of({{0, 1}, {0.5, 5}, {1, 9}}, Interpolation::ConstantNext));
    const Converted linear = converted(curve_of({{0, 1}, {0.5, 5}, {1, 9}}));
    for (const double t : {0.1, 0.3, 0.49, 0.6, 0.9}) {
        EXPECT_NEAR(x_of(held, t), t < 0.5 ? 1 : 5, 1e-5) << t;
        EXPECT_NEAR(x_of(next, t), t < 0.5 ? 5 : 9, 1e-5) << t;
        EXPECT_NEAR(x_of(linear, t), 1 + 8 * t, 1e-5) << t;
    }
    Curve user = curve_of({{0, 1}, {1, 3}}, Interpolation::CubicUser);
    user.keys[0].right_slope = user.keys[0].left_slope = 12;
    user.keys[1].left_slope = user.keys[1].right_slope = -6;
    const Converted c = converted(user);
    for (int frame = 0; frame <= 30; ++frame) {
        EXPECT_NEAR(x_of(c, frame / 30.0), hermite(1, 3, 12, -6, 1, frame / 30.0), 2e-5) << frame;
    }
    // Auto: the slope at a key is that from its left to its right neighbour; at the ends, to the only one.
    const Converted automatic = converted(curve_of({{0, 0}, {0.5, 2}, {1, 3}}, Interpolation::CubicAuto));
    EXPECT_NEAR(x_of(automatic, 7 / 30.0), hermite(0, 2, 4, 3, 0.5, 14 / 30.0), 2e-5);
    EXPECT_NEAR(x_of(automatic, 20 / 30.0), hermite(2, 3, 3, 2, 0.5, 10 / 30.0), 2e-5);
    // Tension 0, continuity 0, bias 0: Catmull-Rom.
    const Converted tcb = converted(curve_of({{0, 0}, {0.5, 2}, {1, 3}}, Interpolation::CubicTcb));
    EXPECT_NEAR(x_of(tcb, 0.5), 2, 2e-5);
    // A weighted tangent reaches further along the curve; its ends stay.
    Curve heavy = user;
    heavy.keys[0].right_weight = 0.9;
    heavy.keys[1].left_weight = 0.1;
    const Converted weighted_curve = converted(heavy);
    EXPECT_NEAR(x_of(weighted_curve, 0), 1, 1e-5);
    EXPECT_NEAR(x_of(weighted_curve, 1), 3, 1e-5);
    // Bezier in time with handles at 0.9 and 0.9: t(u) = 2.7 u (1-u)^2 + 2.7 u^2 (1-u) + u^3, x likewise; u by bisection.
    const auto bezier = [](double a, double b, double c1, double d, double u) {
        const double v = 1 - u;
        return a * v * v * v + 3 * b * u * v * v + 3 * c1 * u * u * v + d * u * u * u;
    };
    for (int frame = 1; frame < 30; ++frame) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < 60; ++i) {
            const double u = (low + high) / 2;
            (bezier(0, 0.9, 0.9, 1, u) < frame / 30.0 ? low : high) = u;
        }
        EXPECT_NEAR(x_of(weighted_curve, frame / 30.0), bezier(1, 1 + 12 * 0.9, 3 + 6 * 0.1, 3, low), 1e-3) << frame;
    }
}

TEST(Recipe, SteppedVisibilityAndUserPropertiesAreListedAsLost) {
    Layers moving;
    Scene& s = moving.scene;
    s[moving.bone].visibility = 1;
    s[moving.bone].extra.properties.push_back(double_property("mood", 1, "AU"));
    animate_number(s, moving.base, moving.bone, "Visibility", 1, curve_of({{0, 1}, {0.5, 0}}, Interpolation::ConstantPrevious));
    animate_number(s, moving.base, moving.bone, "mood", 1, curve_of({{0, 1}, {1, 2}}));
    const Converted c = convert_forms(s);
    const auto& losses = c.report.losses();
    EXPECT_TRUE(std::any_of(losses.begin(), losses.end(), [](const core::Loss& l) { return l.kind == "animated properties other than translation, rotation, scale and blend shape weights"; }));
    EXPECT_TRUE(std::any_of(losses.begin(), losses.end(), [](const core::Loss& l) { return l.kind == "user properties" && l.count == 1; }));
    EXPECT_NEAR(x_of(c, 0.5), 2, 1e-5);
}

// --- T-normals

TEST(Recipe, NormalsOfEveryMappingAreTheSame) {
    // Two quads in one plane, all normals (0, 0.6, 0.8) however they are mapped, but for the second quad's where that can be said.
    const Vec3 a{0, 0.6, 0.8};
    const Vec3 b{0.6, 0, 0.8};
    Mesh plain;
    plain.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {6, 1, 0}, {5, 1, 0}};
    plain.polygons = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const struct {
        Mapping mapping;
        std::size_t values;
    } mappings[] = {{Mapping::ByPolygonVertex, 8}, {Mapping::ByVertex, 8}, {Mapping::ByPolygon, 2}};
    std::optional<std::vector<std::byte>> first;
    for (const auto& row : mappings) {
        for (const Reference reference : {Reference::Direct, Reference::IndexToDirect}) {
            Layer<Vec3> layer;
            layer.mapping = row.mapping;
            layer.reference = reference;
            if (reference == Reference::Direct) {
                layer.values.assign(row.values, a);
                std::fill(layer.values.begin() + static_cast<std::ptrdiff_t>(row.values / 2), layer.values.end(), b);
            } else {
                layer.values = {b, a};
                layer.indices.assign(row.values, 1);
                std::fill(layer.indices.begin() + static_cast<std::ptrdiff_t>(row.values / 2), layer.indices.end(), 0);
            }
            Scene s = metre_scene();
            Mesh mesh = plain;
            mesh.normals.push_back(layer);
            add_mesh_node(s, "Quads", add_mesh(s, mesh));
            const Converted c = convert_forms(s);
            EXPECT_FALSE(c.report.has(IssueId::MESH_NORMALS_GENERATED));
            if (!first) {
                first = c.bytes;
                const runtime::Vertex v = c.view.part(0).vertex(0);
                EXPECT_FLOAT_EQ(v.normal[1], 0.6f);
                EXPECT_FLOAT_EQ(c.view.part(0).vertex(4).normal[0], -0.6f);
            }
            EXPECT_TRUE(c.bytes == *first) << static_cast<int>(row.mapping) << static_cast<int>(reference);
        }
    }
    Layer<Vec3> same;
    same.mapping = Mapping::AllSame;
    same.values = {a};
    Scene s = metre_scene();
    Mesh mesh = plain;
    mesh.normals.push_back(same);
    add_mesh_node(s, "Quads", add_mesh(s, mesh));
    const Converted c = convert_forms(s);
    for (std::uint32_t i = 0; i < c.view.part(0).vertex_count(); ++i) {
        EXPECT_FLOAT_EQ(c.view.part(0).vertex(i).normal[1], 0.6f);
    }
}

// The distinct normals of a cube without normals, by its smoothing groups.
std::size_t distinct_normals(const std::vector<std::int32_t>& groups) {
    Scene s = metre_scene();
    Mesh cube = make_cube(1);
    cube.normals.clear();
    cube.smoothing = SmoothingLayer{Mapping::ByPolygon, groups};
    add_mesh_node(s, "Cube", add_mesh(s, cube));
    const Converted c = convert_forms(s);
    EXPECT_FALSE(c.report.has(IssueId::FBX_SMOOTHING_GROUPS));
    std::set<std::array<float, 3>> normals;
    for (std::uint32_t i = 0; i < c.view.part(0).vertex_count(); ++i) {
        const runtime::Vertex v = c.view.part(0).vertex(i);
        normals.insert({v.normal[0], v.normal[1], v.normal[2]});
    }
    return normals.size();
}

TEST(Recipe, NormalsStopBetweenSmoothingGroups) {
    EXPECT_EQ(distinct_normals({1, 1, 1, 1, 1, 1}), 8u);         // one group: a normal for each point
    EXPECT_EQ(distinct_normals({0, 0, 0, 0, 0, 0}), 6u);         // none: flat
    EXPECT_EQ(distinct_normals({1, 2, 4, 8, 16, 32}), 6u);       // one each: hard everywhere
    EXPECT_EQ(distinct_normals({1, 3, 2, 3, 3, 3}), 8u) << "faces of both groups join them";
    // The first face alone: its own 4 normals are its plane's; the others are smooth among themselves. 1 + 8.
    EXPECT_EQ(distinct_normals({2, 1, 1, 1, 1, 1}), 9u);
    EXPECT_EQ(distinct_normals({static_cast<std::int32_t>(0x80000000), 1, 1, 1, 1, 1}), 9u) << "the 32nd group";
}

// T-degenerate
TEST(Recipe, DegenerateFacesAndNormalsDoNotSpoilTheirNeighbours) {
    Scene s = metre_scene();
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0, 0}};
    mesh.polygons = {{0, 1, 2, 3}, {0, 4, 1}, {2, 2, 2}, {3, 3, 0}};  // the last three have no area
    Layer<Vec3> normals;
    normals.values.assign(4, {0, 0, 1});
    normals.values.resize(13, {0, 0, 0});
    mesh.normals.push_back(normals);
    add_mesh_node(s, "Quad", add_mesh(s, mesh));
    const Converted c = convert_forms(s);
    EXPECT_TRUE(c.report.has(IssueId::MESH_DEGENERATE));
    const runtime::MeshPartView part = c.view.part(0);
    std::size_t up = 0;
    for (std::uint32_t i = 0; i < part.vertex_count(); ++i) {
        const runtime::Vertex v = part.vertex(i);
        EXPECT_NEAR(v.normal[0] * v.normal[0] + v.normal[1] * v.normal[1] + v.normal[2] * v.normal[2], 1, 1e-5);
        up += v.normal[2] == 1 ? 1 : 0;
    }
    EXPECT_GE(up, 4u);
}

TEST(Recipe, HolesAndLooseFacesAreLeftOutAndCounted) {
    Scene s = metre_scene();
    Mesh mesh = make_cube(1);
    mesh.polygons.push_back({0, 1});  // a loose edge
    mesh.polygons.push_back({2});     // a loose point
    mesh.normals.clear();
    mesh.uvs.clear();
    Element layer{"LayerElementHole", {std::int32_t{0}}, {}, true};
    layer.add("Version", {std::int32_t{100}});
    layer.add("Name", {std::string()});
    layer.add("MappingInformationType", {std::string("ByPolygon")});
    layer.add("ReferenceInformationType", {std::string("Direct")});
    layer.add("Hole", {BoolArray{{0, 1, 0, 0, 1, 0, 0, 0}}});
    mesh.extra.children.push_back(layer);
    add_mesh_node(s, "Cube", add_mesh(s, mesh));
    const Converted c = convert(s);
    EXPECT_EQ(c.view.part(0).index_count(), 4 * 6u);
    EXPECT_EQ(text_of(c.report, IssueId::FBX_HOLE_DROPPED), "mesh 'Cube': 2 hidden faces (holes) were left out");
    EXPECT_EQ(text_of(c.report, IssueId::FBX_LOOSE_DROPPED), "mesh 'Cube': 2 faces with fewer than three corners were left out");
}

// T-uv
TEST(Recipe, UvSetsKeepTheirOrderAndNames) {
    Scene s = metre_scene();
    Mesh quad = make_quad(2, 1);
    quad.uvs.clear();
    for (const char* name : {"light", "map1"}) {
        Layer<Vec2> uv;
        uv.name = name;
        uv.mapping = Mapping::ByVertex;
        const double shift = name[0] == 'l' ? 0 : 0.5;
        uv.values = {{shift, 0}, {shift + 0.25, 0}, {shift + 0.25, 0.5}, {shift, 0.5}};  // a corner of a 2 x 2 picture
        quad.uvs.push_back(uv);
    }
    add_mesh_node(s, "Quad", add_mesh(s, quad));
    const model::Model model = read_model(s);
    ASSERT_EQ(model.meshes[0].uvs.size(), 2u);
    EXPECT_EQ(model.meshes[0].uvs[0].name, "light");
    EXPECT_EQ(model.meshes[0].uvs[1].name, "map1");
    const Converted c = convert_forms(s);
    for (std::uint32_t i = 0; i < c.view.part(0).vertex_count(); ++i) {
        const runtime::Vertex v = c.view.part(0).vertex(i);
        EXPECT_FLOAT_EQ(v.uv0[0], v.position[0] > 0 ? 0.0f : 0.25f);
        EXPECT_FLOAT_EQ(v.uv0[1], v.position[1] < 0 ? 1.0f : 0.5f);
    }
    EXPECT_TRUE(std::any_of(c.report.losses().begin(), c.report.losses().end(),
                            [](const core::Loss& l) { return l.kind == "texture coordinate sets beyond the first" && l.count == 1; }));
}

// --- T-lod, visibility

std::vector<std::string> part_names(const Converted& c) {
    std::vector<std::string> out;
    for (std::uint32_t i = 0; i < c.view.part_count(); ++i) {
        out.emplace_back(c.view.part(i).name());
    }
    return out;
}

TEST(Recipe, LodGroupsGiveTheLevelThatIsAskedFor) {
    Scene s = metre_scene();
    const NodeRef group = add_node(s, "Group", {}, {0, 0, 0}, AttributeKind::LodGroup);
    s[group].attribute_properties = {double_property("Thresholds|Level0", 10), double_property("Thresholds|Level1", 100)};
    const MeshRef mesh = add_mesh(s, make_cube(1));
    for (const char* name : {"Fine", "Middle", "Coarse"}) {
        add_mesh_node(s, name, mesh, group);
    }
    const NodeRef below = add_node(s, "Holder", NodeRef{3});  // below Coarse
    add_mesh_node(s, "Deep", mesh, below);
    const NodeRef thing = add_node(s, "x_LOD_thing");  // only called so
    add_mesh_node(s, "thing_LOD0", mesh, thing);
    add_mesh_node(s, "thing_LOD1", mesh, thing);
    using Names = std::vector<std::string>;
    codec::ReadOptions read;
    Converted c = convert_forms(s);
    EXPECT_EQ(part_names(c), (Names{"Fine", "thing_LOD0", "thing_LOD1"}));
    EXPECT_EQ(text_of(c.report, IssueId::FBX_LOD_SKIPPED), "3 meshes of other levels of detail were left out");
    read.scene.level_of_detail = 1;
    EXPECT_EQ(part_names(convert_forms(s, read)), (Names{"Middle", "thing_LOD0", "thing_LOD1"}));
    read.scene.level_of_detail = 7;  // the coarsest there is
    EXPECT_EQ(part_names(convert_forms(s, read)), (Names{"Coarse", "Deep", "thing_LOD0", "thing_LOD1"}));
    read.scene.level_of_detail = codec::SceneOptions::kAllLevels;
    c = convert_forms(s, read);
    EXPECT_EQ(c.view.part_count(), 6u);
    EXPECT_FALSE(c.report.has(IssueId::FBX_LOD_SKIPPED));
}

TEST(Recipe, HiddenMeshesAreWrittenUnlessTheyAreToBeSkipped) {
    Scene s = metre_scene();
    const MeshRef mesh = add_mesh(s, make_cube(1));
    add_mesh_node(s, "Shown", mesh);
    const NodeRef hidden = add_mesh_node(s, "Hidden", mesh);
    s[hidden].visibility = 0;
    add_mesh_node(s, "BelowHidden", mesh, hidden);
    const NodeRef own = add_mesh_node(s, "OwnVisibility", mesh, hidden);
    s[own].extra.properties.push_back(bool_property("Visibility Inheritance", false));
    s[own].visibility = 1;
    EXPECT_EQ(convert_forms(s).view.part_count(), 4u);
    codec::ReadOptions read;
    read.scene.skip_hidden = true;
    const Converted c = convert_forms(s, read);
    EXPECT_EQ(part_names(c), (std::vector<std::string>{"OwnVisibility", "Shown"}));
    EXPECT_EQ(text_of(c.report, IssueId::FBX_HIDDEN_SKIPPED), "2 meshes that are not visible were left out");
}

// --- Skins that are no linear blend

TEST(Recipe, DualQuaternionSkinsBecomeLinearWithTheErrorMeasured) {
    // A point on the axis' side between two bones, half each, one of which turns by 180 degrees about y: dual quaternions keep it at
    // its distance of 1 from the axis, a linear blend lets it fall onto the axis.
    for (const char* kind : {"Linear", "DualQuaternion", "Blend"}) {
        Scene s = metre_scene();
        s.settings.unit_scale_factor = 1;  // centimetres: the distance is told in metres
        const NodeRef a = add_bone(s, "A");
        const NodeRef b = add_bone(s, "B");
        Mesh mesh;
        mesh.points = {{100, 0, 0}, {100, 50, 0}, {100, 0, 50}};
        mesh.polygons = {{0, 1, 2}};
        Skin skin;
        skin.skinning_type = kind;
        skin.clusters.resize(2);
        skin.clusters[0].bone = a;
        skin.clusters[1].bone = b;
        for (Cluster& cluster : skin.clusters) {
            cluster.indexes = {0, 1, 2};
            cluster.weights = {0.5, 0.5, 0.5};
        }
        if (std::string(kind) == "Blend") {  // half way between the two
            skin.extra.children = {Element{"Indexes", {std::vector<std::int32_t>{0, 1, 2}}, {}, false},
                                   Element{"BlendWeights", {std::vector<double>{0.5, 0.5, 0.5}}, {}, false}};
        }
        mesh.skins.push_back(skin);
        const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, mesh));
        bind_to_current_pose(s, body);
        animate(s, add_stack(s, "Turn", 0, 1), b, "Lcl Rotation", {}, {}, curve_of({{0, 0}, {1, 180}}), {});
        AnimationLayer& muted = s.stacks[0].layers.emplace_back();  // would hold B still
        muted.name = "Muted";
        muted.blend_mode = 1;
        muted.mute = true;
        animate(s, LayerRef{0, 1}, b, "Lcl Rotation", {}, {}, curve_of({{0, 0}, {1, 0}}), {});
        const Converted c = convert(s);
        const std::string text = text_of(c.report, IssueId::FBX_SKIN_DUAL_QUATERNION);
        if (std::string(kind) == "Linear") {
            EXPECT_EQ(text, "");
            continue;
        }
        const std::size_t at = text.find("by up to ");
        ASSERT_NE(at, std::string::npos) << text;
        const double distance = std::stod(text.substr(at + 9));
        // The third point is sqrt(1.25) m from the axis.
        EXPECT_NEAR(distance, std::sqrt(1.25) * (std::string(kind) == "Blend" ? 0.5 : 1), 1e-4) << text;
    }
}

// --- Several skins of one mesh

// One triangle, bone A lifting by 1 m along Y and B pushing by 2 m along Z within a second; a skin for each, with these points.
Scene two_skins(const std::vector<std::int32_t>& of_a, const std::vector<std::int32_t>& of_b) {
    Scene s = metre_scene();
    const NodeRef a = add_bone(s, "A");
    const NodeRef b = add_bone(s, "B");
    Mesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.polygons = {{0, 1, 2}};
    for (const auto& [bone, points] : {std::pair{a, of_a}, std::pair{b, of_b}}) {
        Skin& skin = mesh.skins.emplace_back();
        skin.clusters.resize(1);
        skin.clusters[0].bone = bone;
        skin.clusters[0].indexes = points;
        skin.clusters[0].weights.assign(points.size(), 1);
    }
    bind_to_current_pose(s, add_mesh_node(s, "Body", add_mesh(s, mesh)));
    const LayerRef take = add_stack(s, "Move", 0, 1);
    animate(s, take, a, "Lcl Translation", {}, {}, curve_of({{0, 0}, {1, 1}}), {});
    animate(s, take, b, "Lcl Translation", {}, {}, {}, curve_of({{0, 0}, {1, 2}}));
    return s;
}

TEST(Recipe, SkinsOfDifferentPointsBecomeOne) {
    const Converted c = convert_forms(two_skins({0}, {1, 2}));
    EXPECT_LT(off({{0, 1, 0}, {-1, 0, 2}, {0, 1, 2}}, posed_points(c.view, 1.0)), 1e-6);
    EXPECT_FALSE(c.report.has(IssueId::FBX_SKIN_CHAIN));
    EXPECT_FALSE(c.report.has(IssueId::MESH_UNWEIGHTED));
    EXPECT_TRUE(c.report.losses().empty());
    core::Report checked;
    codec::CheckOptions how;
    make_codec().check(write_binary(two_skins({0}, {1, 2}), 7400), "test.fbx", how, checked);
    EXPECT_FALSE(checked.has(IssueId::FBX_UNWEIGHTED));
}

TEST(Recipe, SkinsOneAfterTheOtherGiveTheFirstWithTheErrorMeasured) {
    // Point 1 would be lifted and pushed.
    Scene s = two_skins({0, 1}, {1, 2});
    const Converted c = convert_forms(s);
    EXPECT_LT(off({{0, 1, 0}, {-1, 1, 0}, {0, 1, 2}}, posed_points(c.view, 1.0)), 1e-6);
    EXPECT_EQ(text_of(c.report, IssueId::FBX_SKIN_CHAIN), "1 points of mesh 'Body' are moved by several skins one after the other; they follow the first alone, "
                                                           "which has them up to 2 m away");
    // A turn about A's own place, after the mesh and its bones were bound 5 m aside: (1, 0, 0) becomes (0, 0, -1), and then is pushed.
    s = two_skins({0, 1}, {1, 2});
    s.nodes[2].translation = {5, 0, 0};
    s.nodes[0].translation = {5, 0, 0};
    bind_to_current_pose(s, NodeRef{2});
    animate(s, LayerRef{0, 0}, NodeRef{0}, "Lcl Rotation", {}, {}, curve_of({{0, 0}, {1, 90}}), {});
    EXPECT_NE(text_of(convert(s).report, IssueId::FBX_SKIN_CHAIN).find("up to 2 m"), std::string::npos);
    // What the second skin leaves where it is makes no difference.
    s = two_skins({0, 1}, {1, 2});
    s.stacks.clear();
    EXPECT_NE(text_of(convert(s).report, IssueId::FBX_SKIN_CHAIN).find("up to 0 m"), std::string::npos);
}

TEST(Recipe, BoneBoundTwiceInOneSkinIsSaidSo) {
    for (const bool differs : {false, true}) {
        Scene s = metre_scene();
        const NodeRef bone = add_bone(s, "Bone");
        Mesh mesh = triangle_each({bone, bone}, {{0, 0, 0}, {3, 0, 0}});
        const NodeRef body = add_mesh_node(s, "Body", add_mesh(s, mesh));
        bind_to_current_pose(s, body);
        if (differs) {
            (*s.meshes[0].skins[0].clusters[1].transform)[12] += 1;
        }
        const Converted c = convert_forms(s);
        EXPECT_EQ(c.report.has(IssueId::MESH_BIND_TWICE), differs);
    }
}

TEST(Recipe, SkinsHaveTheShapesBeforeThemThatTheFileListsThere) {
    // The first skin, then a shape, then the second skin: late for the points of the first only. Both bones turn by a quarter.
    for (const std::int32_t point : {0, 1}) {
        Scene s = two_skins({0}, {1, 2});
        for (std::size_t bone = 0; bone < 2; ++bone) {
            animate(s, LayerRef{0, 0}, NodeRef{bone}, "Lcl Rotation", {}, {}, {}, curve_of({{0, 0}, {1, 90}}));
        }
        BlendShape& blend = s.meshes[0].blend_shapes.emplace_back();
        BlendChannel& channel = blend.channels.emplace_back();
        channel.name = "Bulge";
        channel.deform_percent = 100;
        Shape& shape = channel.targets.emplace_back();
        shape.indexes = {point};
        shape.offsets = {{0, 0.5, 0}};
        blend.extra.connect = false;
        s.meshes[0].skins[1].extra.connect = false;
        const std::int64_t mesh = object_id(s, MeshRef{0});
        s.raw_connections = {{"OO", object_id(s, {ObjectKind::BlendShape, {0, 0}}), mesh}, {"OO", object_id(s, {ObjectKind::Skin, {0, 1}}), mesh}};
        const std::string text = text_of(convert(s).report, IssueId::FBX_SHAPE_AFTER_SKIN);
        EXPECT_NE(text.find(point == 0 ? "up to 0.70711 m" : "up to 0 m"), std::string::npos) << text;
    }
}

// --- Subdivision surfaces

// A cube from -1 to 1 that shows as a subdivision surface; what lies at x < 0 is bound to one bone, the rest to another.
Scene smooth_cube() {
    Scene s = metre_scene();
    const NodeRef left = add_bone(s, "Left");
    const NodeRef right = add_bone(s, "Right");
    Mesh cube = make_cube(2);
    cube.extra.children = {Element{"Smoothness", {std::int32_t{2}}, {}, false}};
    cube.skins.push_back(skin_by_side(cube, 0, left, right));
    const NodeRef body = add_mesh_node(s, "Cube", add_mesh(s, cube));
    bind_to_current_pose(s, body);
    animate(s, add_stack(s, "Lift", 0, 1), right, "Lcl Translation", {0, 0, 0}, {}, curve_of({{0, 0}, {1, 8}}), {});
    return s;
}

TEST(Recipe, SubdivisionSurfacesFollowCatmullAndClark) {
    const Scene s = smooth_cube();
    const auto is_lost = [](const Converted& c) {
        return std::any_of(c.report.losses().begin(), c.report.losses().end(), [](const core::Loss& l) { return l.kind == "subdivision surfaces (their cage is written)"; });
    };
    const Converted cage = convert_forms(s);
    EXPECT_EQ(box_of(posed_points(cage.view)).max.x, 1);
    EXPECT_TRUE(is_lost(cage));
    codec::ReadOptions read;
    read.scene.subdivide = 1;
    const Converted c = convert_forms(s, read);
    EXPECT_FALSE(is_lost(c));
    // By hand: faces' middles; edges' points (e + e + f + f) / 4; corners (f + 2 m) / 3 of three faces and three edges' middles.
    std::vector<Vec3d> truth;
    std::vector<Vec3d> lifted;
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            for (int z = -1; z <= 1; ++z) {
                const int used = std::abs(x) + std::abs(y) + std::abs(z);
                if (used != 0) {
                    const double size = used == 1 ? 1 : used == 2 ? 0.75 : 5 / 9.0;
                    truth.push_back({x * size, y * size, z * size});
                    // The file's right side is at negative x; what the edges between the sides became follows half, and so does a
                    // point of a corner as far as it was made of points beyond: a face's middle a quarter of each corner.
                    const double right = x == 0 ? 0.5 : used == 1 ? 1 : used == 2 ? 0.875 : 7 / 9.0;
                    lifted.push_back({x * size, y * size + 8 * (x <= 0 ? right : 1 - right), z * size});
                }
            }
        }
    }
    EXPECT_LT(off(truth, posed_points(c.view)), 1e-6);
    EXPECT_LT(off(lifted, posed_points(c.view, 1.0)), 1e-5);
    read.scene.subdivide = 3;
    const Converted fine = convert_forms(s, read);
    EXPECT_EQ(fine.view.part(0).index_count(), 6u * 6 * 64);
    const std::vector<Vec3d> before = posed_points(fine.view);
    const std::vector<Vec3d> after = posed_points(fine.view, 1.0);
    std::size_t in_the_middle = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (std::fabs(before[i].x) < 1e-6) {  // what lies between the sides follows half
            ++in_the_middle;
            EXPECT_NEAR(after[i].y - before[i].y, 4, 1e-5);
        }
    }
    EXPECT_GE(in_the_middle, 32u);
    read.limits.max_indices = 6 * 6 * 64 - 1;
    core::Report report;
    const auto refused = read_bytes(write_binary(s, 7400), report, read);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Code::LimitExceeded);
    read.scene.subdivide = codec::SceneOptions::kMaxSubdivide + 1;
    EXPECT_FALSE(read_bytes(write_binary(s, 7400), report, read));
}

TEST(Recipe, SubdivisionSurfacesOfTwoSkinsAreThoseOfOne) {
    Scene s = smooth_cube();
    codec::ReadOptions read;
    read.scene.subdivide = 2;
    const std::vector<Vec3d> truth = posed_points(convert_forms(s, read).view, 1.0);
    std::vector<Skin>& skins = s.meshes[0].skins;
    skins.push_back(skins[0]);
    skins[0].clusters.resize(1);
    skins[1].clusters.erase(skins[1].clusters.begin());
    EXPECT_LT(off(truth, posed_points(convert_forms(s, read).view, 1.0)), 1e-6);
}

// --- T-dupname

TEST(Recipe, DuplicateAndMissingNamesAreNumberedOnceAndForAll) {
    Scene s = metre_scene();
    const NodeRef root = add_bone(s, "RootNode");  // what FBX calls its own root
    add_bone(s, "Arm", root);
    add_bone(s, "Arm", root);
    add_bone(s, "Arm", root);
    add_bone(s, "", root);
    add_bone(s, "", root);
    const Converted c = convert_forms(s);
    std::vector<std::string> paths;
    for (std::uint32_t i = 0; i < c.view.bone_count(); ++i) {
        paths.emplace_back(c.view.bone_path(i));
    }
    EXPECT_EQ(paths, (std::vector<std::string>{"RootNode", "RootNode/Arm", "RootNode/Arm~2", "RootNode/Arm~3", "RootNode/bone", "RootNode/bone~2"}));
}

// --- T-material

// A PBR material, which has no Phong values: metal 0.25, base (0.8, 0.4, 0.2) half of which counts.
Material physical(double roughness) {
    Material out;
    out.name = "Physical";
    out.shading_model = "unknown";
    out.diffuse.reset();
    const auto number = [&](const std::string& name, double value) {
        out.extra.properties.push_back({"3dsMax|Parameters|" + name, "Float", "", "A", {static_cast<float>(value)}});
    };
    const auto id = [&](const std::string& name, std::uint32_t value) { out.extra.properties.push_back(int_property("3dsMax|" + name, static_cast<std::int32_t>(value))); };
    id("ClassIDa", 0x3d6b1cec);
    id("ClassIDb", 0xdeadc001);
    number("base_weight", 0.5);
    out.extra.properties.push_back({"3dsMax|Parameters|base_color", "ColorAndAlpha", "", "A", {0.8, 0.4, 0.2, 1.0}});
    number("metalness", 0.25);
    number("roughness", roughness);
    number("emission", 0);
    return out;
}

TEST(Recipe, MaterialsOfEveryModelBecomePhong) {
    const auto only = [](const Material& material) {
        Scene s = metre_scene();
        s.materials.push_back(material);
        add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), {}, {MaterialRef{0}});
        return convert_forms(s);
    };
    Material lambert;
    lambert.name = "Lambert";
    lambert.shading_model = "lambert";
    lambert.diffuse = Vec3{0.5, 0.25, 1};
    lambert.diffuse_factor = 0.5;
    lambert.specular = Vec3{1, 1, 1};
    const Converted l = only(lambert);
    EXPECT_FLOAT_EQ(l.view.material(0).diffuse.x, 0.25f);
    EXPECT_FLOAT_EQ(l.view.material(0).specular.x, 0);
    const Converted a = only(physical(0.5));
    EXPECT_NEAR(a.view.material(0).diffuse.x, 0.8 * 0.5 * 0.75, 1e-6);
    EXPECT_NEAR(a.view.material(0).specular.x, 0.04 * 0.75 + 0.8 * 0.5 * 0.25, 1e-6);
    EXPECT_NEAR(a.view.material(0).shininess, 2 / 0.0625 - 2, 1e-4);
    // Map only: the picture counts, the value is its factor's.
    Scene s = metre_scene();
    Material map_only;
    map_only.name = "MapOnly";
    map_only.diffuse.reset();
    s.materials.push_back(map_only);
    add_texture(s, MaterialRef{0}, "DiffuseColor", "skin.png");
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), {}, {MaterialRef{0}});
    EXPECT_EQ(convert_forms(s).view.material(0).diffuse_map, "skin.png");
}

// What fbx.md says of the formula for shininess: the Blinn-Phong lobe against the GGX lobe, both 1 at the normal.
TEST(Recipe, MaterialsOfPbrHaveLobesNearGgx) {
    const std::pair<double, double> known[] = {{0.1, 0.163}, {0.3, 0.162}, {0.5, 0.158}, {0.7, 0.143}, {0.8, 0.17}, {1.0, 1.0}};
    for (const auto& [roughness, most] : known) {
        Scene s = metre_scene();
        s.materials.push_back(physical(roughness));
        add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), {}, {MaterialRef{0}});
        const double shininess = static_cast<double>(convert(s).view.material(0).shininess);
        const double a = std::pow(roughness, 4);
        double off = 0;
        for (int i = 0; i <= 10000; ++i) {
            const double cosine = std::cos(i / 10000.0 * 1.57079632679489662);
            const double ggx = a / (cosine * cosine * (a - 1) + 1);
            off = std::max(off, std::fabs(ggx * ggx - std::pow(cosine, shininess)));
        }
        EXPECT_LE(off, most) << roughness;
        EXPECT_GT(off, most - 0.005) << roughness;
    }
}

// --- T-manymat, T-deep, T-version

TEST(Recipe, ManyMaterialsOnOneMeshTakeTimeInProportion) {
    const auto seconds_for = [](int count) {
        Scene s = metre_scene();
        Mesh mesh;
        mesh.materials.emplace();
        mesh.materials->mapping = Mapping::ByPolygon;
        mesh.materials->indices.clear();
        std::vector<MaterialRef> materials;
        for (std::int32_t i = 0; i < 100000; ++i) {
            const double x = 0.01 * i;
            mesh.points.push_back({x, 0, 0});
            mesh.points.push_back({x, 1, 0});
            mesh.points.push_back({x + 0.005, 0, 1});
            mesh.polygons.push_back({3 * i, 3 * i + 1, 3 * i + 2});
            mesh.materials->indices.push_back(i % count);
        }
        for (int m = 0; m < count; ++m) {
            materials.push_back(add_material(s, "M" + std::to_string(m), {0, 0, m / 20000.0}));
        }
        add_mesh_node(s, "Body", add_mesh(s, mesh), {}, materials);
        const std::vector<std::byte> bytes = write_binary(s, 7400);
        const auto start = std::chrono::steady_clock::now();
        const Converted c = convert_bytes(bytes);
        EXPECT_EQ(c.view.material_count(), static_cast<std::uint32_t>(count));
        EXPECT_EQ(c.view.part(0).submesh_count(), static_cast<std::uint32_t>(count));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const double one = seconds_for(1);
    EXPECT_LT(seconds_for(10000), 20 * one + 2);
}

TEST(Recipe, DeepNodesOverflowNothing) {
    Scene s = metre_scene();
    NodeRef parent;
    for (int i = 0; i < 20000; ++i) {
        parent = add_node(s, "N", parent, {0, 0.001, 0});
    }
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), parent);
    core::Report report;
    EXPECT_TRUE(read_bytes(write_binary(s, 7400), report));
    codec::ReadOptions read;
    read.limits.max_node_depth = 19999;
    const auto refused = read_bytes(write_binary(s, 7400), report, read);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Code::LimitExceeded);
}

TEST(Recipe, DeepCyclesAndDuplicateIdsEndInAnAnswer) {
    Scene s = metre_scene();
    const NodeRef a = add_node(s, "A");
    const NodeRef b = add_node(s, "B", a);
    s.raw_connections.push_back({"OO", object_id(s, a), object_id(s, b)});
    s.raw_connections.push_back({"OO", object_id(s, a), object_id(s, a)});
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)), b);
    for (const auto& [name, bytes] : forms(s)) {
        core::Report report;
        const auto model = read_bytes(bytes, report);
        EXPECT_TRUE(model || !model.error().what.empty()) << name;
    }
    Scene twice = metre_scene();
    const NodeRef one = add_mesh_node(twice, "One", add_mesh(twice, make_cube(1)));
    const NodeRef two = add_mesh_node(twice, "Two", MeshRef{0});
    twice[two].extra.id = object_id(twice, one);
    core::Report report;
    EXPECT_TRUE(read_bytes(write_binary(twice, 7400), report));
    EXPECT_TRUE(report.has(IssueId::FBX_READER_WARNING));
}

TEST(Recipe, VersionsAndBrokenHeadersAreReadOrRefusedInWords) {
    Scene s = metre_scene();
    add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)));
    const std::vector<std::byte> whole = write_binary(s, 7400);
    for (const int version : {7000, 7100, 7200, 7300, 7400, 7500, 7600, 7700}) {
        core::Report report;
        const auto model = read_bytes(write_binary(s, version), report);
        ASSERT_TRUE(model) << version;
        EXPECT_EQ(model->meshes.size(), 1u) << version;
    }
    for (const int version : {2000, 9999}) {
        core::Report report;
        const auto model = read_bytes(write_binary(s, version), report);
        EXPECT_TRUE(model || !model.error().what.empty());
    }
    std::vector<std::byte> magic = whole;
    magic[0] = std::byte{'k'};
    core::Report report;
    const auto refused = read_bytes(magic, report);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Code::NotThisFormat);
    // Each byte flipped: an answer, never a crash; and what is read can be written.
    std::size_t read = 0;
    for (std::size_t at = 0; at < whole.size(); at += 5) {
        std::vector<std::byte> flipped = whole;
        flipped[at] ^= std::byte{0xFF};
        codec::ReadOptions options;
        options.limits.max_memory_bytes = 64u << 20;
        core::Report findings;
        auto model = read_bytes(flipped, findings, options);
        if (model) {
            ++read;
            const auto written = gom::make_codec().write(std::move(*model), {}, findings);
            EXPECT_TRUE(written) << at << core::to_string(written.error());
        } else {
            EXPECT_FALSE(model.error().what.empty()) << at;
        }
    }
    EXPECT_GT(read, 10u);
}

}  // namespace
}  // namespace gomkit::fbx::test
