#include "scene_convert.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <set>

#include "source_dir.hpp"

/// `check` of FBX files: each finding by a file that has nothing else wrong with it.
namespace gomkit::fbx::test {
namespace {

using core::IssueId;
using namespace writer;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

core::Report check_bytes(const std::vector<std::byte>& bytes, codec::CheckOptions options = {}) {
    core::Report report("test.fbx");
    make_codec().check(bytes, "test.fbx", options, report);
    return report;
}

std::set<std::string> ids_of(const core::Report& report) {
    std::set<std::string> out;
    for (const core::Issue& issue : report.issues()) {
        out.insert(core::info(issue.id).name);
    }
    return out;
}

std::string lines_of(const core::Report& report) {
    std::string out;
    for (const core::Issue& issue : report.issues()) {
        out += core::to_string(issue) + "\n";
    }
    return out;
}

// Two bones, a bound strip with a picture, a clip as long as its keys, a pose that agrees.
struct Clean : Strip {
    LayerRef layer;
    MaterialRef material;
    TextureRef texture;
    [[nodiscard]] Mesh& body() { return scene[mesh]; }
    [[nodiscard]] std::vector<Cluster>& clusters() { return body().skins[0].clusters; }
};

Clean clean() {
    Clean c{two_bone_strip(), {}, {}, {}};
    c.scene.poses.push_back(bind_pose_of(c.scene, c.mesh_node));
    c.material = add_material(c.scene, "Skin");
    c.texture = add_texture(c.scene, c.material, "DiffuseColor", "skin.png");
    c.scene[c.mesh_node].materials = {c.material};
    c.scene.stacks.clear();
    c.layer = add_stack(c.scene, "Wave", 0, 1);
    animate(c.scene, c.layer, c.tip, "Lcl Rotation", {0, 0, 0}, {}, {}, curve_of({{0, 0}, {1, 90}}));
    return c;
}

struct Row {
    const char* id;
    std::function<void(Clean&)> spoil;
    const char* part;   // where the finding is
    const char* text;   // a piece of what it says
};

const std::vector<Row>& rows() {
    static const std::vector<Row> table = {
        {"FBX_NO_UNIT", [](Clean& c) { c.scene.settings.unit_scale_factor.reset(); c.scene.write_templates = false; }, "", "centimetres"},
        {"FBX_NO_AXES",
         [](Clean& c) {
             GlobalSettings& g = c.scene.settings;
             g.up_axis = g.up_axis_sign = g.front_axis = g.front_axis_sign = g.coord_axis = g.coord_axis_sign = std::nullopt;
             c.scene.write_templates = false;
         },
         "", "Y up"},
        {"FBX_READER_WARNING",
         [](Clean& c) {
             const NodeRef a = add_node(c.scene, "A");
             const NodeRef b = add_node(c.scene, "B");
             c.scene[b].extra.id = object_id(c.scene, a);
         },
         "", "Duplicate object ID"},
        {"FBX_TEXT_ENCODING", [](Clean& c) { c.scene[c.tip].name = "\x93\xAA"; }, "", "932"},
        {"FBX_TEXT_UNREADABLE", [](Clean& c) { c.scene[c.tip].name = "a\xFF"; }, "", "UTF-8"},
        {"FBX_BAD_TEXT", [](Clean& c) { c.scene[c.tip].name = "a\tb"; }, "", "1 names"},
        {"FBX_POSE_DIFFERS", [](Clean& c) { for (PoseNode& n : c.scene.poses[0].nodes) { n.matrix[13] += n.node == c.tip ? 7 : 0; } },
         "node 'Tip' [", "puts the bone 7 units"},
        {"FBX_CLUSTER_NO_BONE",
         [](Clean& c) {
             c.clusters().push_back(c.clusters()[0]);
             c.clusters().back().name = "Stray";
             c.clusters().back().bone = {};
         },
         "skin cluster 'Stray' [", "tied to no bone"},
        {"FBX_CLUSTER_NO_WEIGHTS",
         [](Clean& c) {
             c.clusters().push_back(c.clusters()[0]);
             c.clusters().back().name = "Idle";
             c.clusters().back().indexes = {};
             c.clusters().back().weights = {};
         },
         "skin cluster 'Idle' [", "no weights"},
        {"FBX_SKIN_NO_CLUSTERS", [](Clean& c) { c.body().skins[0].clusters.clear(); c.body().skins[0].name = "Bare"; c.scene.poses.clear(); },
         "skin 'Bare' [", "no clusters"},
        {"FBX_SINGULAR_BIND",
         [](Clean& c) {
             for (Cluster& cluster : c.clusters()) {
                 if (cluster.bone == c.tip) {
                     (*cluster.transform_link)[0] = (*cluster.transform_link)[5] = (*cluster.transform_link)[10] = 0;
                 }
             }
             c.scene.poses.clear();
         },
         "node 'Tip' [", "cannot be inverted"},
        {"FBX_CLUSTER_SINGULAR",
         [](Clean& c) {
             for (Cluster& cluster : c.clusters()) {
                 if (cluster.bone == c.tip) {
                     (*cluster.transform)[0] = (*cluster.transform)[5] = (*cluster.transform)[10] = 0;
                 }
             }
         },
         "skin cluster '", "to bone 'Tip' cannot be inverted"},
        {"FBX_BINDS_DISAGREE",
         [](Clean& c) {
             const MeshRef other = add_mesh(c.scene, c.body());
             c.scene[other].skins[0].clusters[1].transform_link->at(13) += 3;
             add_mesh_node(c.scene, "Other", other);
             c.scene.poses.clear();
         },
         "node 'Tip' [", "bound differently"},
        {"FBX_SKIN_DUAL_QUATERNION", [](Clean& c) { c.body().skins[0].skinning_type = "DualQuaternion"; }, "mesh '", "dual quaternions"},
        {"FBX_WEIGHT_SUM", [](Clean& c) { for (double& w : c.clusters()[0].weights) { w *= 0.5; } }, "mesh '", "0.5 at worst"},
        {"FBX_BAD_WEIGHT",
         [](Clean& c) {
             c.clusters()[0].indexes.push_back(0);
             c.clusters()[0].weights.push_back(-0.25);
         },
         "mesh '", "-0.25 for one"},
        {"FBX_UNWEIGHTED",
         [](Clean& c) {
             const auto point = static_cast<std::int32_t>(c.body().points.size());
             c.body().points.push_back({9, 9, 9});
             c.body().polygons.push_back({0, 1, point});
             c.body().normals.clear();
             c.body().uvs.clear();
         },
         "mesh '", "1 vertices"},
        {"FBX_INFLUENCES",
         [](Clean& c) {
             Cluster fifth = c.clusters()[0];
             fifth.indexes = {0};
             fifth.weights = {0.2};
             for (Cluster& cluster : c.clusters()) {
                 for (std::size_t i = 0; i < cluster.indexes.size(); ++i) {
                     cluster.weights[i] *= cluster.indexes[i] == 0 ? 0.2 : 1;
                 }
             }
             for (int i = 0; i < 4; ++i) {
                 c.clusters().push_back(fifth);
             }
         },
         "mesh '", "5 at most"},
        {"FBX_UNAPPLIED_SCALE", [](Clean& c) { add_mesh_node(c.scene, "Big", add_mesh(c.scene, make_quad())); c.scene.nodes.back().scaling = writer::Vec3{100, 100, 100}; },
         "node 'Big' [", "scale of 100"},
        {"FBX_EMPTY_STACK", [](Clean& c) { const LayerRef l = add_stack(c.scene, "Pose", 0, 0);
             animate(c.scene, l, c.tip, "Lcl Rotation", {0, 0, 0}, {}, {}, curve_of({{0, 5}})); },
         "animation stack 'Pose' [", "no length"},
        {"FBX_STACK_NO_KEYS", [](Clean& c) { add_stack(c.scene, "Take 001", 0, 2); }, "animation stack 'Take 001' [", "length of 2 s"},
        {"FBX_STACK_RANGE", [](Clean& c) { c.scene.stacks[0].local_stop = ticks_at(3); }, "animation stack 'Wave' [", "from 0 to 3 s, its keys only from 0 to 1 s"},
        {"FBX_STACK_CUTS_KEYS", [](Clean& c) { c.scene.stacks[0].local_stop = ticks_at(0.5); }, "animation stack 'Wave' [", "cut off"},
        {"FBX_DEGENERATE_FACE", [](Clean& c) { c.body().polygons.push_back({0, 1, 0}); c.body().normals.clear(); c.body().uvs.clear(); },
         "mesh '", "1 faces have no area, face 4"},
        {"FBX_LOOSE_DROPPED", [](Clean& c) { c.body().polygons.push_back({0, 1}); c.body().normals.clear(); c.body().uvs.clear(); },
         "mesh '", "fewer than three"},
        {"FBX_TEXTURE_MISSING", [](Clean& c) { c.scene[c.texture].relative_file_name = "gone.png"; c.scene.videos[0].relative_file_name = "gone.png"; },
         "texture '", "'gone.png'"},
        {"FBX_ABSOLUTE_PATH",
         [](Clean& c) {
             c.scene[c.texture].relative_file_name = c.scene[c.texture].absolute_file_name = "C:\\art\\skin.png";
             c.scene.videos[0].relative_file_name = c.scene.videos[0].absolute_file_name = "C:\\art\\skin.png";
         },
         "texture '", "C:\\art\\skin.png"},
        {"FBX_DUPLICATE_NAME", [](Clean& c) { add_bone(c.scene, "Twin", c.root); add_bone(c.scene, "Twin", c.root); }, "node 'Twin' [", "2 nodes"},
        {"FBX_EMPTY_NAME", [](Clean& c) { add_bone(c.scene, "", c.root); }, "node '' [", "no name"},
        {"FBX_MATERIAL_RANGE", [](Clean& c) { c.scene[c.material].opacity = 7; }, "material 'Skin' [", "opacity"},
    };
    return table;
}

codec::CheckOptions with_picture() {
    codec::CheckOptions options;
    options.has_picture = [](const model::Texture& t) { return t.path == "skin.png"; };
    return options;
}

TEST(FbxLint, FindsNothingInACleanFile) {
    Clean c = clean();
    for (const std::vector<std::byte>& bytes :
         {write_binary(c.scene, 7400), write_binary(c.scene, 7500), write_ascii(c.scene, 7400), write_ascii(c.scene, 7700)}) {
        EXPECT_EQ(lines_of(check_bytes(bytes, with_picture())), "");
    }
}

TEST(FbxLint, FindsEachThingAndNothingElse) {
    for (const Row& row : rows()) {
        Clean c = clean();
        row.spoil(c);
        for (const bool binary : {true, false}) {
            if (!binary && std::string_view(row.id) == "FBX_BAD_TEXT") {
                continue;
            }
            const core::Report report = check_bytes(binary ? write_binary(c.scene, 7400) : write_ascii(c.scene, 7400), with_picture());
            EXPECT_EQ(ids_of(report), std::set<std::string>{row.id}) << lines_of(report);
            if (report.issues().empty()) {
                continue;
            }
            const core::Issue& issue = report.issues().front();
            EXPECT_TRUE(issue.place.part.starts_with(row.part)) << row.id << ": " << issue.place.part;
            EXPECT_NE(issue.text.find(row.text), std::string::npos) << row.id << ": " << issue.text;
            EXPECT_EQ(issue.place.file, "test.fbx") << row.id;
        }
    }
}

TEST(FbxLint, FindsNumbersThatAreNone) {
    const struct {
        const char* what;
        std::function<void(Clean&)> spoil;
    } places[] = {
        {"vertices", [](Clean& c) { c.body().points[0][1] = kNaN; }},
        {"normals", [](Clean& c) { c.body().normals = {flat_normals(c.body())}; c.body().normals[0].values[0][0] = kNaN; }},
        {"texture coordinates", [](Clean& c) { c.body().uvs[0].values[0][0] = std::numeric_limits<double>::infinity(); }},
        {"properties", [](Clean& c) { c.scene[c.root].translation = writer::Vec3{kNaN, 0, 0}; }},
        {"keys", [](Clean& c) { c.scene.stacks[0].layers[0].curve_nodes[0].channels[2].curve->keys[0].value = kNaN; }},
    };
    for (const auto& place : places) {
        Clean c = clean();
        place.spoil(c);
        const core::Report report = check_bytes(write_binary(c.scene, 7400), with_picture());
        const auto it = std::find_if(report.issues().begin(), report.issues().end(), [&](const core::Issue& i) {
            return i.id == IssueId::FBX_NAN && i.text.find(place.what) != std::string::npos;
        });
        EXPECT_NE(it, report.issues().end()) << place.what << "\n" << lines_of(report);
    }
}

TEST(FbxLint, SaysWhatItCannotRead) {
    Clean c = clean();
    const std::vector<std::byte> whole = write_binary(c.scene, 7400);
    for (std::size_t size = 0; size < whole.size(); size += 97) {
        const core::Report report = check_bytes({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}, with_picture());
        EXPECT_LE(report.count(core::Severity::Error), 1u);
        EXPECT_TRUE(!report.has_errors() || report.has(IssueId::FBX_UNREADABLE)) << size;
    }
    EXPECT_TRUE(check_bytes({whole.begin(), whole.begin() + 200}).has(IssueId::FBX_UNREADABLE));
}

// T-version: old and new versions and none are read or refused, never a crash.
TEST(FbxLint, ReadsOrRefusesEveryVersion) {
    Clean c = clean();
    for (const int version : {0, 1, 2000, 2999, 3000, 5000, 5800, 6000, 6100, 7000, 7099, 7100, 7200, 7300, 7400, 7500, 7700, 7800, 9999, 100'000'000}) {
        for (const bool binary : {true, false}) {
            const core::Report report = check_bytes(binary ? write_binary(c.scene, version) : write_ascii(c.scene, version), with_picture());
            if (version >= 7100 && version <= 7700) {
                EXPECT_EQ(lines_of(report), "") << version << binary;
            } else if (report.has_errors()) {
                EXPECT_TRUE(report.has(IssueId::FBX_UNREADABLE)) << version << binary << lines_of(report);
            }
        }
    }
}

// T-version: each byte flipped in three ways. What is checked can also be converted or is refused; nothing else happens.
TEST(FbxLint, SurvivesFlippedBytes) {
    Clean c = clean();
    const std::vector<std::byte> whole = write_binary(c.scene, 7400);
    for (std::size_t i = 0; i < whole.size(); i += 5) {
        std::vector<std::byte> bent = whole;
        bent[i] ^= static_cast<std::byte>(i % 3 == 0 ? 0xFF : i % 3 == 1 ? 0x80 : 0x01);
        codec::CheckOptions options = with_picture();
        options.limits = core::Limits::make_small();
        static_cast<void>(check_bytes(bent, options));
    }
}

TEST(FbxLint, TellsALimitFromAMistake) {
    Clean c = clean();
    codec::CheckOptions options = with_picture();
    options.limits.max_bones = 1;
    EXPECT_EQ(ids_of(check_bytes(write_binary(c.scene, 7400), options)), std::set<std::string>{"FBX_LIMIT"});
    options = with_picture();
    options.limits.max_memory_bytes = 10'000;
    EXPECT_EQ(ids_of(check_bytes(write_binary(c.scene, 7400), options)), std::set<std::string>{"FBX_LIMIT"});
}

TEST(FbxLint, CountsAndFoldsWhatIsEverywhere) {
    Clean c = clean();
    for (int i = 0; i < 100; ++i) {
        add_bone(c.scene, "", c.root);
    }
    const core::Report report = check_bytes(write_binary(c.scene, 7400), with_picture());
    EXPECT_EQ(report.issues().size(), 8u);
    EXPECT_EQ(report.count(core::Severity::Info), 100u);
}

// Every id of the family has a row with its cures in the page.
TEST(FbxLint, IsDocumented) {
    std::ifstream in(source_dir() + "/docs/formats/fbx.md");
    const std::string page{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(IssueId::Count); ++i) {
        const core::IssueInfo& row = core::info(static_cast<IssueId>(i));
        if (std::string_view(row.name).starts_with("FBX_")) {
            const std::string begin = std::string("| `") + row.name + "` | " + core::name(row.severity) + " | ";
            EXPECT_NE(page.find(begin), std::string::npos) << begin;
        }
    }
}

}  // namespace
}  // namespace gomkit::fbx::test
