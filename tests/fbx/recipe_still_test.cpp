// T-still: a scene at one time, with its geometry caches (docs/formats/fbx-recipes.md).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "truth.hpp"

namespace gomkit::fbx::test {
namespace {

using namespace writer;
using core::IssueId;

codec::ReadOptions at(double seconds, std::string clip = {}) {
    codec::ReadOptions out;
    out.scene.time = seconds;
    out.scene.time_clip = std::move(clip);
    return out;
}

model::Model read_still(const Scene& scene, const codec::ReadOptions& options) {
    core::Report report;
    auto model = make_codec().read(write_binary(scene, 7400), "test.fbx", options, report);
    EXPECT_TRUE(model) << (model ? std::string() : core::to_string(model.error()));
    return model ? std::move(*model) : model::Model{};
}

TEST(Recipe, StillsGoOnBeyondTheKeysAsCurvesSay) {
    // A line from 0 at 0 s to 10 at 1 s. By hand, a quarter of a second before and after: what each mode makes of it.
    const struct {
        char mode;
        double before;
        double after;
    } modes[] = {{0, 0, 10}, {'K', -2.5, 12.5}, {'R', 7.5, 2.5}, {'A', -2.5, 12.5}, {'M', 2.5, 7.5}};
    for (const auto& mode : modes) {
        Scene s = metre_scene();
        const NodeRef node = add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)));
        animate(s, add_stack(s, "Up", 0, 1), node, "Lcl Translation", {0, 0, 0}, {}, extrapolated(curve_of({{0, 0}, {1, 10}}), mode.mode, mode.mode), {});
        for (const auto& [time, y] : {std::pair{-0.25, mode.before}, std::pair{0.5, 5.0}, std::pair{1.25, mode.after}}) {
            const model::Model still = read_still(s, at(time));
            EXPECT_NEAR(still.nodes.at(0).rest.translation.y, y, 1e-6) << mode.mode << " at " << time;
            EXPECT_TRUE(still.clips.empty());
        }
    }
}

TEST(Recipe, StillsAreOfTheAnimationThatIsNamed) {
    Scene s = metre_scene();
    const NodeRef node = add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)));
    animate(s, add_stack(s, "First", 0, 1), node, "Lcl Translation", {0, 3, 0}, {}, curve_of({{0, 0}, {1, 1}}), {});
    animate(s, add_stack(s, "Rig|Second", 5, 6), node, "Lcl Translation", {0, 3, 0}, {}, curve_of({{5, 10}, {6, 20}}), {});
    EXPECT_NEAR(read_still(s, at(0.5)).nodes.at(0).rest.translation.y, 0.5, 1e-6);
    EXPECT_NEAR(read_still(s, at(5.5, "Second")).nodes.at(0).rest.translation.y, 15, 1e-6);
    core::Report report;
    const auto refused = make_codec().read(write_binary(s, 7400), "test.fbx", at(0, "Third"), report);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Code::Usage);
    EXPECT_EQ(refused.error().found, "'First', 'Rig|Second'");
    for (const double time : {2e6, std::nan("")}) {
        EXPECT_FALSE(make_codec().read(write_binary(s, 7400), "test.fbx", at(time), report));
    }
    Scene none = metre_scene();
    add_mesh_node(none, "Cube", add_mesh(none, make_cube(2)));
    EXPECT_EQ(box_of(posed_points(convert_forms(none, at(7)).view)).max.x, 1);
}

// A cube of 2 m, its lower points on Root and its upper on Tip, which rises by 8 m in a second.
Scene rising_cube(MeshRef& mesh) {
    Scene s = metre_scene();
    const NodeRef root = add_bone(s, "Root");
    const NodeRef tip = add_bone(s, "Tip", root);
    Mesh cube = make_cube(2);
    cube.skins.push_back(skin_by_side(cube, 1, root, tip));
    cube.extra.id = 9001;
    mesh = add_mesh(s, cube);
    bind_to_current_pose(s, add_mesh_node(s, "Cube", mesh));
    animate(s, add_stack(s, "Rise", 0, 1), tip, "Lcl Translation", {0, 0, 0}, {}, curve_of({{0, 0}, {1, 8}}), {});
    return s;
}

TEST(Recipe, StillsOfSkinsStandAsTheirBonesDo) {
    MeshRef mesh;
    const Scene s = rising_cube(mesh);
    const Converted still = convert_forms(s, at(0.25));
    EXPECT_EQ(still.view.clip_count(), 0u);
    EXPECT_TRUE(still.view.part(0).is_skinned());
    const Box box = box_of(posed_points(still.view));
    EXPECT_NEAR(box.max.y, 1 + 2, 1e-5);
    EXPECT_NEAR(box.min.y, -1, 1e-5);
}

TEST(Recipe, StillsHaveTheWeightsOfTheirTime) {
    Scene s = metre_scene();
    Mesh cube = make_cube(1);
    BlendShape shapes;
    BlendChannel& channel = shapes.channels.emplace_back();
    channel.name = "Tall";
    Shape& target = channel.targets.emplace_back();
    target.name = "Tall";
    target.indexes = {0};
    target.offsets = {{0, 1, 0}};
    cube.blend_shapes.push_back(shapes);
    const MeshRef mesh = add_mesh(s, cube);
    add_mesh_node(s, "Cube", mesh);
    animate_number(s, add_stack(s, "Grow", 0, 1), blend_channel(mesh, 0, 0), "DeformPercent", 0, curve_of({{0, 0}, {1, 100}}));
    const model::Model still = read_still(s, at(0.25));
    ASSERT_EQ(still.meshes.at(0).morphs.size(), 1u);
    EXPECT_NEAR(still.meshes[0].morphs[0].default_weight, 0.25, 1e-9);
}

TEST(Recipe, StillsTurnSphericNodesAsClipsDo) {
    Scene s = metre_scene();
    const NodeRef node = add_mesh_node(s, "Cube", add_mesh(s, make_cube(1)));
    s[node].rotation_order = RotationOrder::Spheric;
    animate(s, add_stack(s, "Turn", 0, 1), node, "Lcl Rotation", {0, 0, 0}, curve_of({{0, 10}, {1, 20}}), curve_of({{0, 30}, {1, 50}}), curve_of({{0, 0}, {1, 40}}));
    core::Report report;
    const auto clips = make_codec().read(write_binary(s, 7400), "test.fbx", {}, report);
    const auto still = make_codec().read(write_binary(s, 7400), "test.fbx", at(1), report);
    ASSERT_TRUE(clips && still);
    const model::Quat a = clips->clips.at(0).tracks.at(0).rotation.back().value;
    EXPECT_GT(std::fabs(dot(a, still->nodes.at(0).rest.rotation)), 1 - 1e-9);
    EXPECT_LT(std::fabs(a.w), 0.99);
    s[node].rotation_order = RotationOrder::Xyz;
    core::Report none;
    const auto plain = make_codec().read(write_binary(s, 7400), "test.fbx", {}, none);
    ASSERT_TRUE(plain);
    EXPECT_TRUE(plain->clips.at(0).tracks.at(0) == clips->clips.at(0).tracks.at(0));  // what another reader of it as XYZ has: 0 off
    EXPECT_EQ(report.issues().size(), 2u);
    EXPECT_EQ(report.issues().at(0).id, report.issues().at(1).id);
    EXPECT_TRUE(report.has(IssueId::FBX_SPHERIC_ROTATION));
}

void put(std::vector<std::byte>& out, std::uint32_t v) {
    for (int shift = 0; shift < 32; shift += 8) {
        out.push_back(static_cast<std::byte>(v >> shift & 0xFF));
    }
}

// A .pc2 of a cube of 2 m at frame 0 and of one `last` times as large a second later.
std::vector<std::byte> point_cache(float last) {
    constexpr std::string_view kMagic("POINTCACHE2\0", 12);
    const Mesh cube = make_cube(2);
    std::vector<std::byte> out(kMagic.size());
    std::memcpy(out.data(), kMagic.data(), kMagic.size());
    put(out, 1);
    put(out, static_cast<std::uint32_t>(cube.points.size()));
    put(out, std::bit_cast<std::uint32_t>(0.0f));
    put(out, std::bit_cast<std::uint32_t>(30.0f));  // frames from sample to sample
    put(out, 2);
    for (const float size : {1.0f, last}) {
        for (const Vec3& point : cube.points) {
            for (const double v : point) {
                put(out, std::bit_cast<std::uint32_t>(static_cast<float>(v) * size));
            }
        }
    }
    return out;
}

// Gives the mesh with the id 9001 a cache.
void add_cache(Scene& s, std::string relative, std::string absolute) {
    RawObject file{"Cache", {"Cache", "Cache"}, "", {}};
    file.extra.id = 9002;
    file.extra.properties = {string_property("CacheFileName", std::move(relative)), string_property("CacheAbsoluteFileName", std::move(absolute))};
    RawObject deformer{"Deformer", {"Deformer", "Deformer"}, "VertexCacheDeformer", {}};
    deformer.extra.id = 9003;
    s.raw_objects = {file, deformer};
    s.raw_connections = {{"OO", 9002, 9003}, {"OO", 9003, 9001}};
    s.settings.time_mode = 6;  // 30 frames a second
}

struct Files {
    std::map<std::string, std::vector<std::byte>> files;
    std::vector<std::string> asked{};

    codec::ReadOptions read(double seconds) {
        codec::ReadOptions out = at(seconds);
        out.side_file = [this](const std::string& name) -> std::optional<core::FileBytes> {
            asked.push_back(name);
            const auto found = files.find(name);
            return found != files.end() ? std::optional(core::FileBytes(core::Bytes(found->second.begin(), found->second.end()))) : std::nullopt;
        };
        return out;
    }
};

TEST(Recipe, StillsHaveTheirGeometryCaches) {
    MeshRef mesh;
    Scene s = rising_cube(mesh);
    s.settings.unit_scale_factor = 1;  // centimetres: the cache is scaled as the mesh is
    add_cache(s, "cube.pc2", "D:\\work\\cube.pc2");
    Files beside{{{"cube.pc2", point_cache(3)}}};
    for (const auto& [time, size] : {std::pair{-1.0, 1.0}, std::pair{0.25, 1.5}, std::pair{1.0, 3.0}, std::pair{9.0, 3.0}}) {
        const Converted c = convert_bytes(write_binary(s, 7400), {}, beside.read(time));
        const Box box = box_of(posed_points(c.view));
        EXPECT_NEAR(box.max.y, 0.01 * size, 1e-7) << time;  // neither the skin nor its bones matter
        EXPECT_NEAR(box.min.x, -0.01 * size, 1e-7) << time;
        EXPECT_FALSE(c.view.part(0).is_skinned());
        EXPECT_EQ(text_of(c.report, IssueId::FBX_CACHE_UNUSABLE), "");
    }
    core::Report report;
    EXPECT_TRUE(make_codec().read(write_binary(s, 7400), "test.fbx", {}, report));
    EXPECT_EQ(text_of(report, IssueId::FBX_CACHE_NOT_APPLIED), "1 meshes have geometry caches, which were not applied");
}

TEST(Recipe, StillsWithoutTheirGeometryCachesSayWhy) {
    MeshRef mesh;
    Scene s = rising_cube(mesh);
    add_cache(s, "cube.pc2", "/abs/cube.pc2");
    const auto said = [&](Files beside) {
        const Converted c = convert_bytes(write_binary(s, 7400), {}, beside.read(0.25));
        EXPECT_NEAR(box_of(posed_points(c.view)).max.y, 3, 1e-5);  // the skin's
        return text_of(c.report, IssueId::FBX_CACHE_UNUSABLE);
    };
    EXPECT_NE(said({}).find("'cube.pc2' was not found"), std::string::npos);
    std::vector<std::byte> bytes = point_cache(3);
    bytes.resize(bytes.size() - 1);
    EXPECT_NE(said({{{"cube.pc2", bytes}}}).find("is damaged"), std::string::npos);
    bytes = point_cache(3);
    bytes[16] = std::byte{4};  // four points in each of two samples are all there, but too few
    EXPECT_NE(said({{{"cube.pc2", bytes}}}).find("holds 4 points, and the mesh has 8"), std::string::npos);
    bytes = point_cache(3);
    std::fill(bytes.begin() + 28, bytes.begin() + 32, std::byte{0xFF});  // four thousand million samples
    EXPECT_NE(said({{{"cube.pc2", bytes}}}).find("is damaged"), std::string::npos);
    std::fill(bytes.begin() + 16, bytes.begin() + 20, std::byte{0});     // of no points
    std::fill(bytes.begin() + 30, bytes.begin() + 32, std::byte{0});     // 65,535 of those would fit into memory
    EXPECT_NE(said({{{"cube.pc2", bytes}}}).find("is damaged"), std::string::npos);
    for (const std::string_view text : {"this is no geometry cache at all",
                                        "<?xml version=\"1.0\"?><Autodesk_Cache_File><cacheType Type=\"OneFile\" Format=\"mcx\"/></Autodesk_Cache_File>"}) {
        bytes.assign(reinterpret_cast<const std::byte*>(text.data()), reinterpret_cast<const std::byte*>(text.data()) + text.size());
        EXPECT_NE(said({{{"cube.pc2", bytes}}}).find("has no frames, or the files that hold them were not found"), std::string::npos);
    }
    EXPECT_NE(said({{{"cube.pc2", {}}}}).find("is damaged"), std::string::npos);
    for (std::size_t size = 0; size < 64; ++size) {
        bytes = point_cache(3);
        bytes.resize(size);
        EXPECT_NE(said({{{"cube.pc2", bytes}}}), "") << size;
    }
}

}  // namespace
}  // namespace gomkit::fbx::test
