// A model becomes a PS1M. Expected numbers are computed by hand, from the page.
#include <cmath>
#include <functional>

#include <gomkit/core/text.hpp>

#include "decode.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "import.hpp"
#include "motion.hpp"
#include "options.hpp"
#include "sample.hpp"
#include "written.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;
using model::Quat;

constexpr double kSin15 = 0.25881904510252074;
constexpr double kCos15 = 0.9659258262890683;
constexpr double kHalf = 0.7071067811865476;

/// As the command line gives them.
codec::FormatValues values_of(const Options& choices) {
    const Options plain;
    codec::FormatValues out;
    const auto set = [&out](bool differs, const char* name, const std::string& value) {
        if (differs) {
            out[name] = value;
        }
    };
    set(choices.scale != plain.scale, "--scale", core::number_text(choices.scale));
    set(choices.fit, "--fit", codec::kOn);
    set(choices.fps.has_value(), "--ps1-fps", std::to_string(choices.rate()));
    set(choices.max_bones.has_value(), "--ps1-max-bones", std::to_string(choices.max_bones.value_or(0)));
    set(choices.triangles.has_value(), "--ps1-triangles", std::to_string(choices.triangles.value_or(0)));
    set(choices.keep_root_motion.has_value(), "--ps1-root-motion", choices.keep_root_motion.value_or(false) ? "keep" : "hold");
    set(choices.share_slots, "--ps1-share-slots", codec::kOn);
    set(choices.compat, "--ps1-compat", codec::kOn);
    return out;
}

core::Result<Document> try_export(const model::Model& m, core::Report& report, const Options& choices = {}) { return try_written(m, report, values_of(choices)); }
Document exported(const model::Model& m, core::Report& report, const Options& choices = {}) { return written(m, report, values_of(choices)); }
Document exported(const model::Model& m, const Options& choices = {}) {
    core::Report unused;
    return exported(m, unused, choices);
}

/// A triangle wholly on `bone`, around `at`.
void add_triangle(ModelMaker& maker, std::uint32_t bone, const Vec3& at, double size = 0.1, std::uint32_t material = 0) {
    const std::uint32_t a = maker.point(at, {{bone, 1}});
    const std::uint32_t b = maker.point({at.x, at.y + size, at.z}, {{bone, 1}});
    const std::uint32_t c = maker.point({at.x + size, at.y, at.z}, {{bone, 1}});
    maker.polygon({a, b, c}, material);
}

// covers PS1M-CONV-3, PS1M-CONV-6, PS1M-CONV-10, PS1M-CONV-13: the worked example of the page, from the model it describes, byte for byte.
TEST(Export, GivesTheWorkedExample) {
    ModelMaker maker(0);
    maker.bone("hips", -1, {0, 0.5, 0});
    maker.bone("neck", 0, {0, 0.25, 0});
    const Vec3 places[] = {{0.125, 0.5, 0}, {-0.125, 0.5, 0}, {0.09375, 0.9375, 0}, {-0.09375, 0.9375, 0}};
    for (std::uint32_t v = 0; v < 4; ++v) {
        maker.point(places[v], {{v / 2, 1}});
    }
    maker.polygon({0, 2, 3}, 1);   // the file orders triangles by bone
    maker.polygon({0, 1, 3});      // the back, by its corners; its normals say otherwise
    const model::Vec2 uvs[] = {{0, 1}, {1, 1}, {0, 0.5}, {1, 0.5}};
    maker.mesh.uvs.emplace_back();
    for (std::uint32_t c = 0; c < 6; ++c) {
        maker.mesh.uvs[0].values.push_back(uvs[maker.mesh.corner_point[c]]);
        maker.mesh.uvs[0].corner_index.push_back(c);
        maker.mesh.normals.values.push_back({0, 0, 1});
        maker.mesh.normals.corner_index.push_back(c);
    }
    maker.m.materials.resize(2);
    maker.m.materials[1].double_sided = true;
    maker.materials = {model::MaterialId{0}, model::MaterialId{1}};
    model::Model m = maker.take();
    model::Clip nod = clip("nod", 1.0 / 15);
    nod.tracks.resize(2);
    nod.tracks[0].node = model::NodeId{0};
    nod.tracks[0].translation = {{0, {0, 0.5, 0}, false}, {1.0 / 15, {0, 2000.0 / 4096, 0}, false}};
    nod.tracks[1].node = model::NodeId{1};
    nod.tracks[1].rotation = {{0, {}, false}, {1.0 / 15, {0, 0, -kSin15, -kCos15}, false}};   // the sign that the file has is the nearer one
    m.clips.push_back(nod);

    core::Report report;
    const Document d = exported(m, report);
    EXPECT_EQ(d, example());
    EXPECT_EQ(encode(d), encode(example()));
    EXPECT_EQ(argument(report, IssueId::PS1_TURNED, "count"), "1");
    EXPECT_EQ(argument(report, IssueId::PS1_BUDGET, "total"), "252");
    EXPECT_EQ(argument(report, IssueId::PS1_BUDGET, "frame_bytes"), "48");
    EXPECT_EQ(argument(report, IssueId::PS1_FIT, "most"), "0");
    EXPECT_LT(std::stod(argument(report, IssueId::PS1_FIT, "fixed")), 2.0 / 4096);
}

// covers PS1M-MODEL-1, PS1M-MODEL-2, PS1M-MODEL-3, PS1M-MODEL-4
TEST(Import, GivesTheModelOfTheWorkedExample) {
    core::Report report;
    const model::Model m = import(example(), report);
    ASSERT_EQ(m.nodes.size(), 2u);
    EXPECT_EQ(m.nodes[1].name, "bone_01");
    EXPECT_EQ(m.nodes[1].parent, model::NodeId{0});
    EXPECT_EQ(m.nodes[0].rest.translation, (Vec3{0, 0.5, 0}));
    ASSERT_EQ(m.meshes.size(), 1u);
    const model::Mesh& mesh = m.meshes[0];
    ASSERT_EQ(mesh.points.size(), 4u);
    EXPECT_EQ(mesh.points[2], (Vec3{0.09375, 0.9375, 0}));
    EXPECT_EQ(mesh.normals.values[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(mesh.uvs[0].values[3], (model::Vec2{1, 128.0 / 255}));
    EXPECT_EQ(mesh.skin->influences[2].cluster, 1u);
    EXPECT_EQ(mesh.corner_point[1], 3u);
    ASSERT_EQ(m.materials.size(), 2u);
    EXPECT_EQ(m.materials[0].name, "slot_0");
    EXPECT_EQ(m.materials[1].name, "slot_0_both_sides");
    EXPECT_TRUE(m.materials[1].double_sided);
    ASSERT_EQ(m.clips.size(), 1u);
    EXPECT_EQ(m.clips[0].name, "nod");
    EXPECT_EQ(m.clips[0].duration, 1.0 / 15);
    ASSERT_EQ(m.clips[0].tracks.size(), 2u);
    EXPECT_EQ(m.clips[0].tracks[0].translation[1].value, (Vec3{0, 2000.0 / 4096, 0}));
    EXPECT_TRUE(m.clips[0].tracks[1].translation.empty());
    EXPECT_NEAR(m.clips[0].tracks[1].rotation[1].value.z, kSin15, 1e-4);
}

// covers PS1M-MODEL-4
TEST(Import, ClipNamesAreText) {
    Document d = example();
    d.clips[0].name = name16("a\x1b\xff");
    core::Report report;
    EXPECT_EQ(import(d, report).clips[0].name, "a_\xEF\xBF\xBD");
    EXPECT_EQ(exported(import(d, report), report).clips[0].name, d.clips[0].name);   // unchanged
}

TEST(Import, ClipsWithoutARateAreReadAtTheUsualOne) {
    Document d = example();
    d.clips[0].fps = 0;
    d.clips[0].frames[1].rotations[1] = {0, 0, -1060, -3956};
    core::Report report;
    const model::Model m = import(d, report);
    EXPECT_EQ(m.clips[0].duration, 1.0 / 15);
    EXPECT_EQ(argument(report, IssueId::PS1_READ_FPS, "clip"), "nod");
    EXPECT_GT(m.clips[0].tracks[1].rotation[1].value.w, 0);   // the nearer side, which the console takes
}

// covers PS1M-MODEL-5
TEST(Export, AnUnchangedPs1mKeepsWhatOnlyItHas) {
    core::Report report;
    model::Model m = import(example(true), report);
    EXPECT_EQ(exported(m, report), example(true));
    m.clips[0].tracks[0].translation[1].value.y += 0.01;
    const Document changed = exported(m, report);
    EXPECT_FALSE(changed.ik.has_value());
    EXPECT_EQ(changed.clips[0].frames[1].translations[0][1], -2041);   // 2000 + 40.96
    EXPECT_EQ(changed.vertices.size(), 4u);
    ASSERT_EQ(report.losses().size(), 3u);
    EXPECT_EQ(report.losses()[0].kind, "inverse kinematics tables");
    EXPECT_EQ(report.losses()[1].count, 4u);
}

TEST(Export, ARateThatIsNamedIsTakenByAnUnchangedPs1mToo) {
    Document d = example();
    Clip& nod = d.clips[0];
    nod.fps = 30;
    nod.frames = {nod.frames[0], nod.frames[1], nod.frames[0], nod.frames[1], nod.frames[0]};
    core::Report report;
    const model::Model m = import(d, report);
    EXPECT_EQ(exported(m), d);
    Options choices;
    choices.fps = 15;
    const Document made = exported(m, choices);
    EXPECT_EQ(made.clips[0].fps, 15);
    EXPECT_EQ(made.clips[0].frames.size(), 3u);   // of 4 / 30 s
}

/// The example whose root walks, and whose first triangle has its corners against its normals.
Document walking_example() {
    Document d = example();
    d.clips[0].frames[1].translations[0] = {300, -2048, 0};
    std::swap(d.triangles[0].vertices[1], d.triangles[0].vertices[2]);
    return d;
}

// covers PS1M-CONV-6: for the console the corners decide.
TEST(Export, APs1mKeepsItsFaces) {
    core::Report report;
    Options choices;
    choices.scale = 0.5;
    const Document made = exported(import(walking_example(), report), report, choices);
    EXPECT_FALSE(report.has(IssueId::PS1_TURNED));
    EXPECT_EQ(made.triangles[0].normal, (Vec3s16{0, 0, 4096}));
}

// covers PS1M-CONV-14
TEST(Export, TravelOfAPs1mStaysUnlessHoldIsNamed) {
    core::Report report;
    const model::Model m = import(walking_example(), report);
    model::Model changed = m;
    changed.clips[0].name = "other";
    EXPECT_EQ(exported(changed, report).clips[0].frames[1].translations[0][0], 300);
    Options choices;
    choices.keep_root_motion = true;
    EXPECT_EQ(exported(m, report, choices), walking_example());
    choices.keep_root_motion = false;
    EXPECT_EQ(exported(m, report, choices).clips[0].frames[1].translations[0][0], 0);
}

// covers PS1M-CONV-5
TEST(Export, APs1mCountsItsOwnUnitsWithCompatToo) {
    core::Report report;
    Options choices;
    choices.compat = true;
    EXPECT_EQ(exported(import(example(), report), report, choices).vertices[0].position, example().vertices[0].position);
}

TEST(Export, APs1mThatBreaksTheConsolesRulesIsMadeAnew) {
    Document d = example();
    std::swap(d.triangles[0], d.triangles[1]);
    core::Report report;
    const Document made = exported(import(d, report), report);
    EXPECT_EQ(made.triangles[0].bone, 0);
    EXPECT_EQ(made.triangles.size(), 2u);
}

// covers PS1M-CONV-3
TEST(Export, BonesAreDepthFirstAndWhatStandsStillIsLast) {
    ModelMaker maker(0);
    maker.bone("z", -1, {});                 // 0
    maker.bone("b", 0, {0, 1, 0});           // 1
    maker.bone("a", 0, {1, 0, 0});           // 2
    maker.bone("b1", 1, {0, 1, 0});          // 3
    add_triangle(maker, 3, {0, 2, 0});
    model::Model m = maker.take();
    model::Mesh floor = m.meshes[0];
    floor.skin.reset();
    m.meshes.push_back(floor);
    model::MeshInstance still;
    still.name = "floor";
    still.mesh = model::MeshId{1};
    m.instances.push_back(still);
    const Document d = exported(m);
    ASSERT_EQ(d.bones.size(), 5u);
    EXPECT_EQ(d.bones[1].translation, (Vec3s16{0, -4096, 0}));
    EXPECT_EQ(d.bones[2].parent, 1);                                   // b1 follows b
    EXPECT_EQ(d.bones[3].translation, (Vec3s16{-4096, 0, 0}));         // a
    EXPECT_EQ(d.bones[4].parent, -1);
    EXPECT_EQ(d.bones[4].vertex_count, 3u);
    EXPECT_EQ(clip_name(d.clips[0]), "static");
    EXPECT_EQ(d.clips[0].frames.size(), 1u);
}

TEST(Export, AModelWithoutAnythingHasOneBone) {
    core::Report report;
    const Document d = exported(model::Model{}, report);
    EXPECT_EQ(d.bones.size(), 1u);
    EXPECT_TRUE(report.has(IssueId::CONV_EMPTY_MODEL));
    core::Report asked;
    codec::WriteOptions options;
    options.without_meshes = true;
    static_cast<void>(export_model(model::Model{}, options, asked));
    EXPECT_FALSE(asked.has(IssueId::CONV_EMPTY_MODEL));
}

// covers PS1M-CONV-4
TEST(Export, TheLargestWeightDecidesAndTheLowerBoneOfTwo) {
    ModelMaker maker(3);
    maker.point({0, 0, 0}, {{2, 0.5}, {1, 0.5}});
    maker.point({0, 1, 0}, {{0, 0.3}, {1, 0.3}, {2, 0.4}});
    maker.point({1, 0, 0}, {{2, 0.2}, {0, 0.1}, {2, 0.2}, {1, 0.3}});   // twice the same bone
    maker.polygon({0, 1, 2});
    const Document d = exported(maker.take());
    EXPECT_EQ(d.bones[0].vertex_count, 0u);
    EXPECT_EQ(d.bones[1].vertex_count, 1u);
    EXPECT_EQ(d.bones[2].vertex_count, 2u);
}

// covers PS1M-LIMIT-1
TEST(Export, SixtyFiveBonesAreRefusedAndCollapsedOnRequest) {
    ModelMaker maker(0);
    maker.bone("root", -1, {});
    for (int i = 1; i < 65; ++i) {
        maker.bone("leaf" + std::to_string(i), 0, {0, 0.01 * i, 0});
        if (i != 7) {
            add_triangle(maker, static_cast<std::uint32_t>(i), {0.1, 0, 0});
        }
    }
    const std::uint32_t a = maker.point({0, 0.5, 0}, {{7, 0.9}});
    const std::uint32_t b = maker.point({0, 0.6, 0}, {{7, 0.9}});
    const std::uint32_t c = maker.point({0.1, 0.5, 0}, {{7, 0.9}});
    maker.polygon({a, b, c});
    const model::Model m = maker.take();
    core::Report report;
    const auto refused = try_export(m, report);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().found, "65");
    EXPECT_NE(refused.error().cure.find("--ps1-max-bones 64"), std::string::npos);
    Options choices;
    choices.max_bones = 64;
    const Document d = exported(m, report, choices);
    EXPECT_EQ(d.bones.size(), 64u);
    EXPECT_EQ(argument(report, IssueId::PS1_COLLAPSED, "count"), "1");
    // Weights count relative to their sum: all leaves carry 3, so the last one goes.
    EXPECT_EQ(argument(report, IssueId::PS1_COLLAPSED, "bones"), "leaf64");
    EXPECT_EQ(d.bones[0].vertex_count, 3u);
    choices.max_bones = 2;
    EXPECT_EQ(exported(m, choices).bones.size(), 2u);
}

TEST(Export, TheLeafThatCarriesLeastIsCollapsedFirst) {
    ModelMaker maker(3);
    maker.bone("empty", 0, {1, 0, 0});
    add_triangle(maker, 2, {0, 2, 0});
    add_triangle(maker, 1, {0, 1, 0});
    Options choices;
    choices.max_bones = 3;
    core::Report report;
    const Document d = exported(maker.take(), report, choices);
    EXPECT_EQ(argument(report, IssueId::PS1_COLLAPSED, "bones"), "empty");
    EXPECT_EQ(d.bones[2].translation, (Vec3s16{0, -4096, 0}));
}

TEST(Export, RootsAreNotCollapsed) {
    ModelMaker maker(0);
    maker.bone("a", -1, {});
    maker.bone("b", -1, {});
    add_triangle(maker, 0, {});
    const model::Model m = maker.take();
    Options choices;
    choices.max_bones = 1;
    core::Report report;
    EXPECT_FALSE(try_export(m, report, choices).has_value());
}

// covers PS1M-CONV-5
TEST(Export, LengthsBeyondTheRangeNameTheScaleThatFits) {
    ModelMaker maker(2);
    add_triangle(maker, 1, {0, 1, 0});
    add_triangle(maker, 1, {10, 1, 0});
    model::Model m = maker.take();
    m.clips.push_back(clip("sway", 1.0 / 15));
    m.clips.back().tracks.resize(1);
    m.clips.back().tracks[0].node = model::NodeId{1};
    m.clips.back().tracks[0].translation = {{0, {0, 1, 0}, false}, {1.0 / 15, {0, 1, 0.0011}, false}};   // moves at the scale 1, by 4.5 units
    core::Report report;
    const auto refused = try_export(m, report);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().place.part, "bone 'b1', vertex 5 of 'skin'");
    EXPECT_EQ(refused.error().found, "41370 units (10.1 m)");
    EXPECT_EQ(refused.error().cure, "give --scale 0.792, or --fit, which finds it");   // 32767 / 41369.6
    Options choices;
    choices.scale = 0.792;
    const Document scaled = exported(m, choices);
    EXPECT_EQ(scaled.vertices[5].position, (Vec3s16{-32765, 0, 0}));                   // 10.1 * 4096 * 0.792 = 32764.7
    EXPECT_EQ(scaled.slots, 0);                                                        // 3.57 units
    choices.scale = 1;
    choices.fit = true;
    core::Report fitted;
    EXPECT_EQ(exported(m, fitted, choices), scaled);
    EXPECT_EQ(argument(fitted, IssueId::PS1_FITTED, "scale"), "0.792");
    EXPECT_FALSE(fitted.has(IssueId::PS1_HELD));
    choices.fit = false;
    choices.compat = true;
    const Document clamped = exported(m, report, choices);
    EXPECT_EQ(clamped.vertices[3].position, (Vec3s16{-32768, 0, 0}));
    EXPECT_TRUE(report.has(IssueId::PS1_CLAMPED));
}

// covers PS1M-CONV-5
TEST(Export, AScaleThatLeavesNothingIsRefused) {
    ModelMaker maker(2);
    add_triangle(maker, 1, {0, 1, 0});   // 0.1 m from its bone, which is 1 m from the root
    const model::Model m = maker.take();
    core::Report report;
    Options choices;
    choices.scale = 1e-6;
    const auto refused = try_export(m, report, choices);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, core::Code::CannotConvert);
    EXPECT_EQ(refused.error().cure, "give a larger --scale, at most 7.99");   // 32767 / 4096
    choices.scale = 7.99;
    EXPECT_TRUE(try_export(m, report, choices).has_value());

    ModelMaker far(1);
    add_triangle(far, 0, {1e25, 0, 0});
    choices.fit = true;
    const auto endless = try_export(far.take(), report, choices);
    ASSERT_FALSE(endless.has_value());
    EXPECT_EQ(endless.error().found, "1e+25 m");
    ModelMaker apart(0);
    apart.bone("a", -1, {});
    apart.bone("b", 0, {0, 1e6, 0});
    add_triangle(apart, 1, {0, 1e6, 0});
    EXPECT_NE(try_export(apart.take(), report, choices).error().cure.find("too small beside its skeleton"), std::string::npos);
}

TEST(Export, FitAndCompatContradictEachOther) {
    ModelMaker maker(1);
    add_triangle(maker, 0, {});
    core::Report report;
    Options choices;
    choices.fit = choices.compat = true;
    EXPECT_EQ(try_export(maker.take(), report, choices).error().code, core::Code::Usage);
}

TEST(Export, PlacesInModelSpaceHaveToFitToo) {
    ModelMaker maker(0);
    maker.bone("a", -1, {0, 5, 0});
    maker.bone("b", 0, {0, 5, 0});
    add_triangle(maker, 1, {0, 10, 0});
    core::Report report;
    const auto refused = try_export(maker.take(), report);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().place.part, "bone 'b', clip 'static', frame 0");
}

TEST(Export, CompatTakesTheSourcesUnitAs4096) {
    ModelMaker maker(1);
    add_triangle(maker, 0, {}, 0.01);
    model::Model m = maker.take();
    m.source.unit_meters = 0.01;
    Options choices;
    choices.compat = true;
    EXPECT_EQ(exported(m, choices).vertices[1].position, (Vec3s16{0, -4096, 0}));
    EXPECT_EQ(exported(m).vertices[1].position, (Vec3s16{0, -41, 0}));
}

// covers PS1M-CONV-3, PS1M-CONV-11: a bone that is bound and posed with a scale of 2.
TEST(Export, ScalesOfBonesAreTakenOutOfBindAndPose) {
    ModelMaker maker(0);
    maker.bone("root", -1, {});
    maker.bone("child", 0, {0, 1, 0});
    for (model::Node* node : {&maker.m.nodes[0]}) {
        node->rest.scale = {2, 2, 2};
        node->rest.rotation = {0, 0, kHalf, kHalf};
        node->bind_local = to_matrix(node->rest);
    }
    add_triangle(maker, 1, {-2, 0, 0});   // at the child's origin: (0, 1, 0) twice as far, turned by 90 degrees about Z
    model::Model m = maker.take();
    core::Report report;
    const Document d = exported(m, report);
    EXPECT_EQ(d.bones[1].translation, (Vec3s16{0, -8192, 0}));
    EXPECT_EQ(d.vertices[0].position, (Vec3s16{0, 0, 0}));
    EXPECT_EQ(d.vertices[1].position, (Vec3s16{-410, 0, 0}));   // 0.1 m up is 0.1 along the turned X: 409.6
    EXPECT_EQ(d.clips[0].frames[0].rotations[0], (Rotation{0, 0, 2896, 2896}));
    EXPECT_EQ(argument(report, IssueId::PS1_BIND_SCALE, "scale"), "2");
    EXPECT_EQ(argument(report, IssueId::PS1_FIT, "most"), "0");
    Options choices;
    choices.compat = true;
    const Document original = exported(m, choices);
    EXPECT_EQ(original.bones[1].translation, (Vec3s16{0, -4096, 0}));
    EXPECT_EQ(original.vertices[1].position, (Vec3s16{-205, 0, 0}));
}

// covers PS1M-CONV-9
TEST(Export, ClipNamesAreShortAsciiAndDistinct) {
    std::vector<model::Clip> clips;
    for (const char* name : {"walk", "preset:biped:walk", " AnimStack:run: ", "歩く", "a very long name of a clip", "a very long name of another", ":", "clip", "tab\there"}) {
        clips.push_back(clip(name, 0));
    }
    EXPECT_EQ(stored_clip_names(clips), (std::vector<std::string>{"walk", "walk~2", "run", "??", "a very long nam", "a very long n~2", "clip", "clip~2", "tab?here"}));
}

TEST(Export, ManyClipsOfOneNameAreNumberedOnAndOn) {
    std::vector<model::Clip> clips(20000, clip("exactly15letter", 0));
    clips[3].name = "exactly15let~10";
    const std::vector<std::string> names = stored_clip_names(clips);
    EXPECT_EQ(names[1], "exactly15lett~2");
    EXPECT_EQ(names[3], "exactly15let~10");
    EXPECT_EQ(names[10], "exactly15let~11");
    EXPECT_EQ(names[19999], "exactly15~20000");
}

// covers PS1M-CONV-2
TEST(Export, RenamedClipsAndCoordinatesOffThePageAreTold) {
    ModelMaker maker(1);
    add_triangle(maker, 0, {});
    maker.mesh.uvs.emplace_back();
    maker.mesh.uvs[0].values = {{0, 1}, {1.5, 0.5}, {0.5, -0.001}};   // the last one is less than half a texel outside
    maker.mesh.uvs[0].corner_index = {0, 1, 2};
    model::Model m = maker.take();
    m.clips = {clip("walk", 0), clip("sixteen letters.", 0)};
    core::Report report;
    const Document d = exported(m, report);
    EXPECT_EQ(d.vertices[1].u, 255);
    EXPECT_EQ(argument(report, IssueId::PS1_UV_CLAMPED, "count"), "1");
    EXPECT_EQ(argument(report, IssueId::PS1_CLIP_RENAMED, "written"), "sixteen letters");
}

// covers PS1M-CONV-10
TEST(Export, ClipsAreSampledAtTheirRate) {
    ModelMaker maker(1);
    add_triangle(maker, 0, {});
    model::Model m = maker.take();
    for (const double duration : {0.0, 1.0, 1.5 / 15, 2.5 / 15}) {
        m.clips.push_back(clip("c" + std::to_string(m.clips.size()), duration));
        model::Track track;
        track.node = model::NodeId{0};
        track.translation = {{0, {}, false}, {1, {0, 1, 0}, false}};
        m.clips.back().tracks.push_back(track);
    }
    const Document d = exported(m);
    EXPECT_EQ(d.clips[0].frames.size(), 1u);
    ASSERT_EQ(d.clips[1].frames.size(), 16u);
    EXPECT_EQ(d.clips[1].frames[15].translations[0], (Vec3s16{0, -4096, 0}));
    EXPECT_EQ(d.clips[1].frames[1].translations[0], (Vec3s16{0, -273, 0}));
    EXPECT_EQ(d.clips[2].frames.size(), 3u);                                          // ties to even: 2 + 1
    EXPECT_EQ(d.clips[2].frames[2].translations[0], (Vec3s16{0, -410, 0}));           // held at the end, 0.1
    EXPECT_EQ(d.clips[3].frames.size(), 3u);
    Options choices;
    choices.fps = 30;
    const Document fast = exported(m, choices);
    EXPECT_EQ(fast.clips[1].frames.size(), 31u);
    EXPECT_EQ(fast.clips[1].fps, 30);
    m.clips[1].duration = 1e9;
    core::Report report;
    const auto refused = try_export(m, report);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().cure.find("--ps1-fps"), std::string::npos);
}

// covers PS1M-CONV-13
TEST(Export, OnlyBonesThatMoveHaveSlots) {
    ModelMaker maker(3);
    add_triangle(maker, 2, {0, 2, 0});
    model::Model m = maker.take();
    m.clips.push_back(clip("c", 1.0 / 15));
    const double bound = 4.096 / 4096;
    for (std::uint32_t b = 0; b < 3; ++b) {
        model::Track track;
        track.node = model::NodeId{b};
        const double y = b == 0 ? 0 : 1;
        const double by = b == 0 ? bound * 0.99 : bound * 1.01;
        track.translation = {{0, {0, y + (b == 2 ? by : 0), 0}, false}, {1.0 / 15, {0, y + by, 0}, false}};
        m.clips.back().tracks.push_back(track);
    }
    const Document d = exported(m);
    EXPECT_FALSE(d.bones[0].moves());
    EXPECT_EQ(d.bones[0].slot, 255);
    EXPECT_TRUE(d.bones[1].moves());
    EXPECT_EQ(d.bones[1].slot, 0);
    EXPECT_TRUE(d.bones[2].moves());   // by what it begins with
    EXPECT_EQ(d.bones[2].slot, 1);
    EXPECT_EQ(d.slots, 2);
}

/// A trunk of two bones that walks along +Z, with two limbs, one of which slides sideways.
model::Model walking() {
    ModelMaker maker(2);
    maker.bone("left", 1, {1, 0, 0});
    maker.bone("right", 1, {-1, 0, 0});
    add_triangle(maker, 2, {1, 1, 0});
    model::Model m = maker.take();
    m.clips.push_back(clip("walk", 1.0 / 15));
    const std::pair<std::uint32_t, Vec3> ends[] = {{0, {0, 0, 0.5}}, {1, {0, 1.25, 0.25}}, {2, {1.5, 0, 0}}};
    for (const auto& [bone, end] : ends) {
        model::Track track;
        track.node = model::NodeId{bone};
        track.translation = {{0, m.nodes[bone].rest.translation, false}, {1.0 / 15, end, false}};
        m.clips.back().tracks.push_back(track);
    }
    return m;
}

// covers PS1M-CONV-14
TEST(Export, TheTrunkStaysInPlace) {
    const model::Model m = walking();
    core::Report report;
    const Document held = exported(m, report);
    const Frame& last = held.clips[0].frames[1];
    EXPECT_EQ(last.translations[0], (Vec3s16{0, 0, 0}));
    EXPECT_EQ(last.translations[1], (Vec3s16{0, -5120, 0}));      // the height stays
    EXPECT_EQ(last.translations[2], (Vec3s16{-6144, 0, 0}));      // a limb is none of it
    EXPECT_EQ(argument(report, IssueId::PS1_HELD, "distance"), "0.75");
    EXPECT_EQ(argument(report, IssueId::PS1_FIT, "most"), "0");   // travel that is taken out is no error of the skin
    Options choices;
    choices.compat = true;
    EXPECT_EQ(exported(m, choices).clips[0].frames[1].translations[2], (Vec3s16{-4096, 0, 0}));
    choices.compat = false;
    choices.keep_root_motion = true;
    const Document free = exported(m, choices);
    EXPECT_EQ(free.clips[0].frames[1].translations[0], (Vec3s16{0, 0, -2048}));
    EXPECT_EQ(free.clips[0].frames[1].translations[1], (Vec3s16{0, -5120, -1024}));
}

// covers PS1M-CONV-12
TEST(Export, RotationsFollowTheSignOfTheFrameBefore) {
    ModelMaker maker(1);
    add_triangle(maker, 0, {});
    model::Model m = maker.take();
    m.clips.push_back(clip("turn", 2));
    model::Track track;
    track.node = model::NodeId{0};
    for (int i = 0; i <= 4; ++i) {   // once round about Y, and a half
        const double a = i * 3 * 3.14159265358979323846 / 8;
        track.rotation.push_back({i * 0.5, {0, std::sin(a), 0, std::cos(a)}, false});
    }
    m.clips.back().tracks.push_back(track);
    const Document d = exported(m);
    ASSERT_EQ(d.clips[0].frames.size(), 31u);
    EXPECT_EQ(d.clips[0].frames[0].rotations[0], (Rotation{0, 0, 0, 4096}));
    for (std::size_t f = 1; f < 31; ++f) {
        const Rotation& a = d.clips[0].frames[f - 1].rotations[0];
        const Rotation& b = d.clips[0].frames[f].rotations[0];
        EXPECT_GT(a[1] * b[1] + a[3] * b[3], 0) << f;
    }
    EXPECT_EQ(d.clips[0].frames[30].rotations[0], (Rotation{0, -4096, 0, 0}));
}

/// Materials with the pictures that `paths` names ("": none), one triangle each.
model::Model pictures(std::initializer_list<std::pair<const char*, const char*>> materials) {
    ModelMaker maker(1);
    for (const auto& [name, path] : materials) {
        model::Material material;
        material.name = name;
        if (*path != 0) {
            model::Texture texture;
            texture.path = path;
            material.textures[0] = static_cast<std::uint32_t>(maker.m.textures.size());
            maker.m.textures.push_back(texture);
        }
        const auto index = static_cast<std::uint32_t>(maker.m.materials.size());
        maker.m.materials.push_back(material);
        maker.materials.push_back(model::MaterialId{index});
        add_triangle(maker, 0, {0.2 * index, 0, 0}, 0.1, index);
    }
    return maker.take();
}

std::vector<int> slots_of(const Document& d) {
    std::vector<int> out;
    for (const Triangle& t : d.triangles) {
        out.push_back(t.texture);
    }
    return out;
}

// covers PS1M-CONV-8
TEST(Export, PicturesHaveSlotsInOrderOfUse) {
    EXPECT_EQ(slots_of(exported(pictures({{"a", ""}, {"b", "x.png"}, {"c", "y.png"}, {"d", "x.png"}}))), (std::vector<int>{2, 0, 1, 0}));
    EXPECT_EQ(slots_of(exported(pictures({{"a", ""}, {"b", ""}}))), (std::vector<int>{0, 0}));
    core::Report plain;
    EXPECT_EQ(slots_of(exported(pictures({{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", ""}}), plain)), (std::vector<int>{0, 1, 2, 0}));
    EXPECT_EQ(argument(plain, IssueId::PS1_SLOT_UNTEXTURED, "materials"), "'d'");
    EXPECT_EQ(slots_of(exported(pictures({{"skin", "x.png"}, {"slot_0", "y.png"}, {"slot_2b", ""}, {"slot_12", "z.png"}, {"slot_3", "x.png"}}), [] {
                  Options choices;
                  choices.share_slots = true;
                  return choices;
              }())),
              (std::vector<int>{1, 0, 2, 2, 1}));
    const model::Model four = pictures({{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}});
    core::Report report;
    const auto refused = try_export(four, report);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().found, "4 pictures, no slot is left for '4'");
    EXPECT_NE(refused.error().cure.find("--ps1-share-slots"), std::string::npos);
    Options choices;
    choices.share_slots = true;
    EXPECT_EQ(slots_of(exported(four, report, choices)), (std::vector<int>{0, 1, 2, 2}));
    EXPECT_EQ(argument(report, IssueId::PS1_SLOT_SHARED, "textures"), "'4'");
}

// covers PS1M-LIMIT-2
TEST(Export, MoreVerticesThanTheConsoleHoldsAreRefused) {
    ModelMaker maker(1);
    for (int i = 0; i < 2731; ++i) {   // three vertices each
        add_triangle(maker, 0, {0, 0.002 * i, 0.001 * i});
    }
    core::Report report;
    const auto refused = try_export(maker.take(), report);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, core::Code::CannotConvert);
    EXPECT_EQ(refused.error().expected, "at most 8192");
}

/// A square of `n` by `n` quads, 2 m wide, the right half of which has the second material.
model::Model plane(std::uint32_t n) {
    ModelMaker maker(1);
    for (std::uint32_t y = 0; y <= n; ++y) {
        for (std::uint32_t x = 0; x <= n; ++x) {
            maker.point({2.0 * x / n - 1, 2.0 * y / n - 1, 0}, {{0, 1}});
        }
    }
    for (std::uint32_t y = 0; y < n; ++y) {
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t p = y * (n + 1) + x;
            maker.polygon({p, p + n + 1, p + n + 2, p + 1}, 2 * x < n ? 0 : 1);
        }
    }
    maker.m.materials.resize(2);
    maker.m.materials[1].double_sided = true;
    maker.materials = {model::MaterialId{0}, model::MaterialId{1}};
    return maker.take();
}

double area(const Document& d, std::uint8_t flags) {
    double out = 0;
    for (const Triangle& t : d.triangles) {
        const auto at = [&](std::size_t k) { return Vec3{d.vertices[t.vertices[k]].position[0] / 4096.0, d.vertices[t.vertices[k]].position[1] / 4096.0, 0}; };
        out += t.flags == flags ? cross(at(1) - at(0), at(2) - at(0)).z / 2 : 0.0;   // signed: a triangle that shows its back counts against it
    }
    return out;
}

// covers PS1M-CONV-15
TEST(Export, DecimationKeepsTheOutlineOfEachLook) {
    const model::Model m = plane(70);   // 9,800 triangles
    core::Report report;
    const auto refused = try_export(m, report);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().cure.find("--ps1-triangles"), std::string::npos);
    Options choices;
    choices.triangles = 1000;
    const Document d = exported(m, report, choices);
    EXPECT_LE(d.triangles.size(), 1000u);
    EXPECT_GT(d.triangles.size(), 900u);
    EXPECT_EQ(argument(report, IssueId::PS1_DECIMATED, "before"), "9800");
    EXPECT_EQ(argument(report, IssueId::PS1_DECIMATED, "after"), std::to_string(d.triangles.size()));
    EXPECT_NEAR(std::fabs(area(d, 0)), 2, 1e-3);
    EXPECT_NEAR(std::fabs(area(d, 1)), 2, 1e-3);
    EXPECT_EQ(area(d, 0) > 0, area(d, 1) > 0);
    EXPECT_FALSE(report.has(IssueId::PS1_NOT_REDUCED));
    choices.triangles = 1;   // the border between the two looks stays
    const Document least = exported(m, report, choices);
    EXPECT_GT(least.triangles.size(), 1u);
    EXPECT_EQ(argument(report, IssueId::PS1_NOT_REDUCED, "after"), std::to_string(least.triangles.size()));
    choices.triangles = 8192;
    EXPECT_EQ(exported(plane(10), choices), exported(plane(10)));
}

// covers PS1M-ERROR-1: half a metre from a joint that turns by 90 degrees, with 0.4 of the weight above it: 0.4 * 0.5 * sqrt(2) off.
TEST(Export, WhatOneBoneAVertexCostsIsMeasured) {
    ModelMaker maker(2);
    maker.point({0, 1.5, 0}, {{0, 0.4}, {1, 0.6}});
    maker.point({0, 1, 0}, {{1, 1}});
    maker.point({0, 0, 0}, {{0, 1}});
    maker.polygon({0, 1, 2});
    model::Model m = maker.take();
    m.clips.push_back(clip("bend", 0));
    model::Track track;
    track.node = model::NodeId{1};
    track.rotation = {{0, {0, 0, kHalf, kHalf}, false}};
    m.clips.back().tracks.push_back(track);
    core::Report report;
    static_cast<void>(exported(m, report));
    EXPECT_NEAR(std::stod(argument(report, IssueId::PS1_FIT, "most")), 0.4 * 0.5 * std::sqrt(2.0), 1e-4);
    EXPECT_NEAR(std::stod(argument(report, IssueId::PS1_FIT, "mean")), 0.4 * 0.5 * std::sqrt(2.0) / 6, 1e-5);   // three points, two poses
    EXPECT_EQ(argument(report, IssueId::PS1_FIT, "poses"), "2");
}

TEST(Export, BadNumbersDoNotReachTheFile) {
    ModelMaker maker(1);
    add_triangle(maker, 0, {std::nan(""), 0, 0});
    model::Model m = maker.take();
    m.clips.push_back(clip("c", 0));
    model::Track track;
    track.node = model::NodeId{0};
    track.translation = {{0, {std::nan(""), 0, 0}, false}};
    track.scale = {{0, {0, 0, 0}, false}};
    m.clips.back().tracks.push_back(track);
    core::Report report;
    const Document d = exported(m, report);
    EXPECT_TRUE(report.has(IssueId::MESH_NON_FINITE));
    EXPECT_EQ(d.clips[0].frames[0].rotations[0], (Rotation{0, 0, 0, 4096}));
}

}  // namespace
}  // namespace gomkit::ps1
