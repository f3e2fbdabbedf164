#include "scene_convert.hpp"

#include <algorithm>
#include <map>

/// OBJ and MTL, by hand.
namespace gomkit::fbx::test {
namespace {

using core::IssueId;

struct Obj {
    core::Report report{"test.obj"};
    core::Result<model::Model> model = core::fail(core::Code::Internal, {}, "");
};

std::vector<std::byte> bytes_of(std::string_view text) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    return {data, data + text.size()};
}

Obj read(std::string_view text, const std::map<std::string, std::string>& files = {}, codec::ReadOptions options = {}) {
    Obj out;
    options.side_file = [&](const std::string& name) -> std::optional<core::FileBytes> {
        const auto it = files.find(name);
        return it == files.end() ? std::nullopt : std::optional<core::FileBytes>(core::FileBytes(bytes_of(it->second)));
    };
    out.model = make_obj_codec().read(bytes_of(text), "test.obj", options, out.report);
    return out;
}

constexpr const char* kTriangle = "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n";

TEST(Obj, ReadsATriangleInMetresMirroredAlongX) {
    Obj obj = read(kTriangle);
    ASSERT_TRUE(obj.model) << core::to_string(obj.model.error());
    EXPECT_TRUE(obj.report.issues().empty());
    EXPECT_EQ(obj.model->source.unit_meters, 1);
    ASSERT_EQ(obj.model->meshes.size(), 1u);
    const Converted converted = to_gom(std::move(*obj.model));
    ASSERT_FALSE(converted.bytes.empty());
    const runtime::ModelView& view = converted.view;
    const std::vector<Vec3d> p = posed(view, 0);
    EXPECT_LT(nearest(p, {0, 0, 0}), 1e-6);
    EXPECT_LT(nearest(p, {-2, 0, 0}), 1e-6);
    EXPECT_LT(nearest(p, {0, 1, 0}), 1e-6);
    // Counter-clockwise seen from +Z in the file; the normal stays there, and triangles go with it.
    const runtime::MeshPartView part = view.part(0);
    EXPECT_NEAR(static_cast<double>(part.vertex(0).normal[2]), 1, 1e-6);
    EXPECT_GT(cross(p[part.index(1)] - p[part.index(0)], p[part.index(2)] - p[part.index(0)]).z, 0);
}

TEST(Obj, KeepsPolygonsTextureCoordinatesAndNormals) {
    const Obj obj = read("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0.5 2 0\nv 0 1 0\n"
                         "vt 0 0\nvt 1 0\nvt 1 0.25\nvn 0 0 1\n"
                         "f 1/1/1 2/2/1 3/3/1 4/1/1 5/2/1\n");
    ASSERT_TRUE(obj.model);
    const model::Mesh& mesh = obj.model->meshes[0];
    EXPECT_EQ(mesh.polygon_count(), 1u);
    EXPECT_EQ(mesh.corner_point.size(), 5u);
    ASSERT_EQ(mesh.uvs.size(), 1u);
    const auto uv = [&](std::size_t corner) { return mesh.uvs[0].values[mesh.uvs[0].corner_index[corner]]; };
    // V counts downwards here; the order of corners may turn with the winding.
    std::vector<double> v;
    for (std::size_t i = 0; i < 5; ++i) {
        v.push_back(uv(i).y);
    }
    std::sort(v.begin(), v.end());
    EXPECT_EQ(v, (std::vector<double>{0.75, 1, 1, 1, 1}));
    EXPECT_TRUE(mesh.normals.exists());
}

TEST(Obj, SmoothsFacesOfGroupsAndLeavesTheOthersFlat) {
    const Obj obj = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ns 1\nf 1 2 3\ns 2\nf 1 3 4\ns off\nf 1 4 2\n");
    ASSERT_TRUE(obj.model);
    EXPECT_EQ(obj.model->meshes[0].flat_polygon, (std::vector<bool>{false, false, true}));
    EXPECT_TRUE(obj.report.has(IssueId::FBX_SMOOTHING_GROUPS));  // which group a face is in is not kept
}

TEST(Obj, CountsNegativeIndicesBackwardsFromTheirLine) {
    const Obj obj = read("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf -3 -2 -1\n");
    ASSERT_TRUE(obj.model);
    const model::Mesh& mesh = obj.model->meshes[0];
    ASSERT_EQ(mesh.polygon_count(), 2u);
    double z[2] = {0, 0};
    for (std::size_t i = 0; i < 6; ++i) {
        z[i / 3] += mesh.points[mesh.corner_point[i]].z;
    }
    EXPECT_EQ(z[0], 0);
    EXPECT_EQ(z[1], 15);
    EXPECT_EQ(mesh.points.size(), 6u);  // the first point is of no face
}

TEST(Obj, MakesAMeshOfEachObjectAndWithoutObjectsOfEachGroup) {
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    const auto names = [](const Obj& obj) {
        std::vector<std::string> out;
        for (const model::MeshInstance& instance : obj.model->instances) {
            out.push_back(instance.name);
        }
        std::sort(out.begin(), out.end());
        return out;
    };
    const Obj objects = read(points + "o Left arm\nf 1 2 3\ng inner\nf 1 3 2\no Right/arm\nf 1 2 3\n");
    ASSERT_TRUE(objects.model);
    EXPECT_EQ(names(objects), (std::vector<std::string>{"Left arm", "Right/arm"}));
    const Obj groups = read(points + "g a\nf 1 2 3\ng b\nf 1 3 2\n");
    ASSERT_TRUE(groups.model);
    EXPECT_EQ(names(groups), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(groups.model->meshes[0].points.size(), 3u);
}

TEST(Obj, ReadsMaterialsFromTheLibrariesBesideIt) {
    const Obj obj = read(std::string("mtllib my skin.mtl\nmtllib a.mtl b.mtl\nmtllib gone.mtl\n") + kTriangle + "usemtl Skin\nf 1 2 3\nusemtl Glass\nf 1 3 2\nusemtl Old\nf 2 3 1\n",
                         {{"my skin.mtl", "newmtl Skin\nKd 0.5 0.25 1\nKs 0.1 0.2 0.3\nNs 50\nKe 1 0 0\nmap_Kd tex\\skin 1.png\nmap_Bump -bm 0.5 bump.png\n"},
                          {"a.mtl", "newmtl Glass\nKd 1 1 1\nd 0.25\n"},
                          {"b.mtl", "newmtl Old\nTr 0.4\n"}});
    ASSERT_TRUE(obj.model);
    EXPECT_EQ(obj.report.issues().size(), 1u);
    EXPECT_TRUE(obj.report.has(IssueId::OBJ_MTL_MISSING));
    std::map<std::string, model::Material> by_name;
    for (const model::Material& m : obj.model->materials) {
        by_name[m.name] = m;
    }
    const model::Material& skin = by_name["Skin"];
    EXPECT_EQ(skin.diffuse.y, 0.25);
    EXPECT_EQ(skin.specular.z, 0.3);
    EXPECT_EQ(skin.emissive.x, 1);
    EXPECT_EQ(skin.shininess, 50);
    EXPECT_EQ(skin.opacity, 1);
    ASSERT_NE(skin.textures[0], model::kNoIndex);
    EXPECT_EQ(obj.model->textures[skin.textures[0]].path, "tex/skin 1.png");
    ASSERT_NE(skin.textures[1], model::kNoIndex);
    EXPECT_EQ(obj.model->textures[skin.textures[1]].path, "bump.png");
    EXPECT_EQ(by_name["Glass"].opacity, 0.25);
    EXPECT_EQ(by_name["Glass"].specular.x, 0);
    EXPECT_EQ(by_name["Old"].opacity, 0.6);
}

TEST(Obj, GoesOnWithoutALibraryThatIsNone) {
    const Obj obj = read(std::string("mtllib bad.mtl\nusemtl A\n") + kTriangle, {{"bad.mtl", "newmtl\n"}});
    ASSERT_TRUE(obj.model);
    EXPECT_TRUE(obj.report.has(IssueId::OBJ_MTL_UNREADABLE));
    EXPECT_EQ(obj.model->materials.size(), 1u);
}

TEST(Obj, ReadsNamesInOtherEncodings) {
    codec::ReadOptions cp932;
    const Obj obj = read(std::string("o \x93\xAA\nmtllib \x83\x5C.mtl\n") + kTriangle, {{"\xE3\x82\xBD.mtl", "newmtl x\n"}}, cp932);
    ASSERT_TRUE(obj.model);
    EXPECT_TRUE(obj.report.has(IssueId::FBX_TEXT_ENCODING));
    EXPECT_FALSE(obj.report.has(IssueId::OBJ_MTL_MISSING));
    EXPECT_EQ(obj.model->instances[0].name, "\xE9\xA0\xAD");
}

TEST(Obj, TakesLineEndsContinuationsAndCommentsOfEveryKind) {
    const Obj obj = read("\xEF\xBB\xBF# comment\r\nv 0 0 0\r\nv 1\t0 \\\r\n 0\r\nv +0 1e0 0 1.0 # w\r\n\r\ns off\r\nf 1 \\\n2 \\\n3");
    ASSERT_TRUE(obj.model) << core::to_string(obj.model.error());
    EXPECT_EQ(obj.model->meshes[0].polygon_count(), 1u);
}

TEST(Obj, DropsLinesAndPointsAndCountsThem) {
    const Obj obj = read(std::string(kTriangle) + "l 1 2\np 1\nf 1 2\ncurv 0 1 1 2\nwobble 3\n");
    ASSERT_TRUE(obj.model);
    EXPECT_EQ(obj.model->meshes[0].polygon_count(), 1u);
    EXPECT_TRUE(obj.report.has(IssueId::FBX_LOOSE_DROPPED));
    EXPECT_TRUE(obj.report.has(IssueId::OBJ_UNKNOWN_LINE));
    ASSERT_FALSE(obj.report.losses().empty());
    EXPECT_EQ(obj.report.losses()[0].kind, "free-form curves and surfaces");
}

struct Wrong {
    const char* title;
    std::string text;
    core::Code code;
    std::uint32_t line;
    std::uint32_t column;
};

TEST(Obj, RefusesWhatIsBrokenWithLineAndColumn) {
    using core::Code;
    const std::string p = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    const Wrong rows[] = {
        {"a number that is none", "v 0 0 0\nv 1 x 0\n", Code::Malformed, 2, 5},
        {"two numbers", "v 0 0 0\nv 1 0\n", Code::Malformed, 2, 6},
        {"infinity", "v inf 0 0\n", Code::Malformed, 1, 3},
        {"not a number", "vn 0 nan 0\n", Code::Malformed, 1, 6},
        {"index 0", p + "f 0 1 2\n", Code::Malformed, 4, 3},
        {"beyond the last", p + "f 1 2 4\n", Code::Malformed, 4, 7},
        {"before the first", p + "f 1 2 -4\n", Code::Malformed, 4, 7},
        {"no such texture coordinate", p + "f 1/1 2/1 3/1\n", Code::Malformed, 4, 3},
        {"no such normal", p + "vn 0 0 1\nf 1//1 2//2 3//1\n", Code::Malformed, 5, 8},
        {"four parts", p + "f 1/1/1/1 2 3\n", Code::Malformed, 4, 3},
        {"a slash at the end", p + "f 1/ 2/ 3/\n", Code::Malformed, 4, 3},
        {"letters", p + "f a b c\n", Code::Malformed, 4, 3},
        {"no corner", p + "f\n", Code::Malformed, 4, 2},
        {"beyond every integer", p + "f 1 2 99999999999999999999\n", Code::Malformed, 4, 7},
        {"after a continuation", "v 0 0 \\\n0\nv 0 0 \\\n z\n", Code::Malformed, 4, 2},
        {"another text", "hello world\n", Code::NotThisFormat, 1, 1},
        {"an object file", std::string("L\x01\x02\0\0\0", 6), Code::NotThisFormat, 1, 1},
    };
    for (const Wrong& row : rows) {
        const Obj obj = read(row.text);
        ASSERT_FALSE(obj.model) << row.title;
        EXPECT_EQ(obj.model.error().code, row.code) << row.title << ": " << core::to_string(obj.model.error());
        ASSERT_TRUE(obj.model.error().place.line) << row.title;
        EXPECT_EQ(obj.model.error().place.line->line, row.line) << row.title;
        EXPECT_EQ(obj.model.error().place.line->column, row.column) << row.title;
        EXPECT_FALSE(obj.model.error().what.empty());
    }
}

TEST(Obj, StopsAtItsLimits) {
    codec::ReadOptions options;
    options.limits.max_vertices = 2;
    Obj obj = read(kTriangle, {}, options);
    ASSERT_FALSE(obj.model);
    EXPECT_EQ(obj.model.error().code, core::Code::LimitExceeded);
    EXPECT_EQ(obj.model.error().place.line->line, 3u);
    options = {};
    options.limits.max_indices = 2;
    obj = read(kTriangle, {}, options);
    ASSERT_FALSE(obj.model);
    EXPECT_EQ(obj.model.error().code, core::Code::LimitExceeded);
    // Each of many objects uses the first point and the last.
    options = {};
    options.limits.max_vertices = 100;
    std::string many;
    for (int i = 0; i < 100; ++i) {
        many += "v 0 0 0\n";
    }
    for (int i = 0; i < 100; ++i) {
        many += "o x" + std::to_string(i) + "\nf 1 2 100\n";
    }
    obj = read(many, {}, options);
    ASSERT_FALSE(obj.model);
    EXPECT_EQ(obj.model.error().code, core::Code::LimitExceeded);
}

TEST(Obj, IsRecognisedByItsWordsAndStealsNothing) {
    const auto probe = [](std::string_view text) { return make_obj_codec().probe(bytes_of(text), "x"); };
    EXPECT_TRUE(probe(kTriangle));
    EXPECT_TRUE(probe("# made by hand\nmtllib a.mtl\no A\nv 0 0 0\n"));
    EXPECT_FALSE(probe(""));
    EXPECT_FALSE(probe("# only a comment\n"));
    EXPECT_FALSE(probe("o what a day\ng reat\n"));
    EXPECT_FALSE(probe("v one two three\n"));
    EXPECT_FALSE(probe("v 1 2\n"));
    EXPECT_FALSE(probe("ply\nformat ascii 1.0\n"));
    EXPECT_FALSE(probe("newmtl A\nKd 1 1 1\n"));
    EXPECT_FALSE(probe("GOMT0001\n"));
    EXPECT_FALSE(probe("; FBX 7.4.0 project file\n"));
    EXPECT_FALSE(probe("<svg/>\nv 0 0 0\n"));
    EXPECT_FALSE(probe(std::string_view("v 0 0 0\n\0", 9)));
}

TEST(Obj, SurvivesCutsAndFlippedBytes) {
    const std::string whole = std::string("mtllib a.mtl\no A\n") + kTriangle + "vt 0 0\nvn 0 0 1\ng b\nusemtl m\ns 1\nf 1/1/1 2/1/1 3/1/1\nf -1//-1 -2//-1 -3//-1\nl 1 2\n";
    const std::string library = "newmtl m\nKd 1 0 0\nmap_Kd a.png\nd 0.5\n";
    for (std::size_t i = 0; i < whole.size(); ++i) {
        static_cast<void>(read(whole.substr(0, i), {{"a.mtl", library}}));
        for (const int flip : {0xFF, 0x80, 0x01, 0x0A}) {
            std::string bent = whole;
            bent[i] = static_cast<char>(bent[i] ^ flip);
            static_cast<void>(read(bent, {{"a.mtl", library}}));
        }
    }
    for (std::size_t i = 0; i < library.size(); ++i) {
        std::string bent = library;
        bent[i] = static_cast<char>(bent[i] ^ 0x80);
        EXPECT_TRUE(read(whole, {{"a.mtl", library.substr(0, i)}}).model) << i;
        static_cast<void>(read(whole, {{"a.mtl", bent}}));
    }
}

}  // namespace
}  // namespace gomkit::fbx::test
