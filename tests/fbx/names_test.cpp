#include "scene_convert.hpp"

/// What becomes of names (T-names, T-dupname of the recipes).
namespace gomkit::fbx::test {
namespace {

using core::IssueId;
using namespace writer;

struct Read {
    core::Report report;
    model::Model model;
};

Read read(const std::vector<std::byte>& bytes, codec::TextEncoding encoding = codec::TextEncoding::Auto) {
    Read out;
    codec::ReadOptions options;
    options.encoding = encoding;
    auto model = make_codec().read(bytes, "test.fbx", options, out.report);
    if (!model) {
        ADD_FAILURE() << core::to_string(model.error());
        return out;
    }
    out.model = std::move(*model);
    return out;
}

Scene scene_of_bones(const std::vector<std::string>& names) {
    Scene s = metre_scene();
    for (const std::string& name : names) {
        add_bone(s, name);
    }
    return s;
}

std::vector<std::string> names_of(const model::Model& model) {
    std::vector<std::string> out;
    for (const model::Node& node : model.nodes) {
        out.push_back(node.name);
    }
    return out;
}

// The same in each kind of file: NUL and quotes apart, which FBX text cannot hold.
void expect_names(const std::vector<std::string>& written, const std::vector<std::string>& expected, IssueId issue = IssueId::Count) {
    const Scene s = scene_of_bones(written);
    const struct {
        const char* title;
        std::vector<std::byte> bytes;
    } files[] = {{"binary 7400", write_binary(s, 7400)}, {"binary 7700", write_binary(s, 7700)}, {"ascii 7400", write_ascii(s, 7400)}};
    for (const auto& file : files) {
        const Read r = read(file.bytes);
        EXPECT_EQ(names_of(r.model), expected) << file.title;
        EXPECT_EQ(r.report.issues().size(), issue == IssueId::Count ? 0u : 1u) << file.title;
        EXPECT_TRUE(issue == IssueId::Count || r.report.has(issue)) << file.title;
    }
}

TEST(FbxNames, KeepsUtf8AsItIs) {
    expect_names({"Hips", "\xE9\xA0\xAD", "\xF0\x9F\x98\x80", "Bj\xC3\xB6rn", "a/b", "100%", "mixamorig:Hips", "mixamorig1:Hips", "a\\b", "x y "},
                 {"Hips", "\xE9\xA0\xAD", "\xF0\x9F\x98\x80", "Bj\xC3\xB6rn", "a/b", "100%", "mixamorig:Hips", "mixamorig1:Hips", "a\\b", "x y "});
}

// Katakana so and kanji hyou have a backslash for their second byte.
// covers CONV-STR-5
TEST(FbxNames, ReadsCodePage932WhereAllNamesAreThat) {
    expect_names({"\x93\xAA", "\x83\x5C", "\x95\x5C", "\xB1\xB2", "Hips"},
                 {"\xE9\xA0\xAD", "\xE3\x82\xBD", "\xE8\xA1\xA8", "\xEF\xBD\xB1\xEF\xBD\xB2", "Hips"}, IssueId::FBX_TEXT_ENCODING);
}

TEST(FbxNames, ReplacesWhatIsInNoKnownEncoding) {
    // 0xFF begins nothing in either; the other name would have been code page 932.
    expect_names({"a\xFF", "\x93\xAA", "\xE9\xA0\xAD"}, {"a\xEF\xBF\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD", "\xE9\xA0\xAD"},
                 IssueId::FBX_TEXT_UNREADABLE);
    // Code points that each user fills for himself are nobody's name: 0xF6 'p' would be U+E4FC.
    expect_names({"K\xF6pf"}, {"K\xEF\xBF\xBDpf"}, IssueId::FBX_TEXT_UNREADABLE);
}

TEST(FbxNames, CountsTheUnreadableOnce) {
    const Read r = read(write_binary(scene_of_bones({"a\xFF", "b\xFF", "tab\t"}), 7400));
    ASSERT_EQ(r.report.issues().size(), 1u);
    EXPECT_EQ(r.report.issues()[0].arguments[0].second, "2");
}

TEST(FbxNames, FollowsTheEncodingThatIsAskedFor) {
    const std::vector<std::byte> bytes = write_binary(scene_of_bones({"\x93\xAA", "K\xF6rper"}), 7400);
    const Read forced = read(bytes, codec::TextEncoding::Cp1252);
    EXPECT_EQ(names_of(forced.model), (std::vector<std::string>{"\xE2\x80\x9C\xC2\xAA", "K\xC3\xB6rper"}));
    EXPECT_TRUE(forced.report.issues().empty());
    const Read utf8 = read(bytes, codec::TextEncoding::Utf8);
    EXPECT_EQ(names_of(utf8.model)[1], "K\xEF\xBF\xBDrper");
    EXPECT_TRUE(utf8.report.has(IssueId::FBX_TEXT_UNREADABLE));
    // Valid UTF-8, read as something else because somebody says so.
    const Read cp932 = read(write_binary(scene_of_bones({"\xC3\xB6"}), 7400), codec::TextEncoding::Cp932);
    EXPECT_EQ(names_of(cp932.model)[0], "\xEF\xBE\x83\xEF\xBD\xB6");
}

TEST(FbxNames, ConvertsPathsBeforeTheirBackslashesAreLookedAt) {
    Scene s = scene_of_bones({"\x93\xAA"});
    const MaterialRef material = add_material(s, "M");
    add_texture(s, material, "DiffuseColor", "\x95\x5C\\\x83\x5C.png");
    add_mesh_node(s, "Quad", add_mesh(s, make_quad()), {}, {material});
    const Read r = read(write_binary(s, 7400));
    ASSERT_EQ(r.model.textures.size(), 1u);
    EXPECT_EQ(r.model.textures[0].path, "\xE8\xA1\xA8/\xE3\x82\xBD.png");
}

// "Class::name" in text, "name" NUL 0x01 "Class" in binary.
TEST(FbxNames, KeepsDoubleColonsInNames) { expect_names({"a::b", "::", "Model::x"}, {"a::b", "::", "Model::x"}); }

TEST(FbxNames, KeepsVeryLongNames) {
    const std::string three_hundred(300, 'n');
    const std::string huge(65'536, 'h');
    expect_names({three_hundred, huge}, {three_hundred, huge});
    const Converted c = convert(scene_of_bones({three_hundred, huge}));
    ASSERT_EQ(c.view.bone_count(), 2u);
    EXPECT_EQ(c.view.bone_name(0).size() + c.view.bone_name(1).size(), 65'836u);
}

// covers CONV-NAME-1
TEST(FbxNames, TellsEqualAndEmptyNamesApart) {
    Scene s = scene_of_bones({"Twin", "Twin", "Twin", "", ""});
    add_bone(s, "RootNode");
    const Converted c = convert(s);
    ASSERT_EQ(c.view.bone_count(), 6u);
    std::vector<std::string> paths;
    for (std::uint32_t i = 0; i < 6; ++i) {
        paths.emplace_back(c.view.bone_path(i));
    }
    std::sort(paths.begin(), paths.end());
    EXPECT_EQ(std::unique(paths.begin(), paths.end()), paths.end());
    EXPECT_GE(find_bone(c.view, "Twin"), 0);
    EXPECT_GE(find_bone(c.view, "bone"), 0);
    EXPECT_GE(find_bone(c.view, "RootNode"), 0);
}

// Each animation must stay with its own of the equally named nodes.
TEST(FbxNames, MovesTheRightOneOfTwins) {
    Scene s = scene_of_bones({});
    add_bone(s, "Arm");
    const NodeRef b = add_bone(s, "Arm");
    s[b].translation = writer::Vec3{0, 5, 0};
    const LayerRef layer = add_stack(s, "Move", 0, 1);
    animate(s, layer, b, "Lcl Translation", {0, 5, 0}, {}, curve_of({{0, 5}, {1, 9}}), {});
    const Converted c = convert(s);
    ASSERT_EQ(c.view.clip(0).track_count(), 1u);
    const std::uint32_t bone = c.view.clip(0).track(0).bone_index();
    EXPECT_NEAR(static_cast<double>(c.view.bind_local(bone).m[13]), 5, 1e-6);
}

}  // namespace
}  // namespace gomkit::fbx::test
