#include "decode.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <sstream>

#include "dxa.hpp"
#include "encode.hpp"
#include "fields.hpp"
#include "import.hpp"
#include "sample.hpp"
#include "source_dir.hpp"
#include "struct_io.hpp"

namespace gomkit::mv1 {
namespace {

using core::IssueId;

core::IssueId id_of(const core::Bytes& buffer, const core::Limits& limits = {}) {
    // An exactly sized block, so that a sanitizer sees one byte too many.
    const std::unique_ptr<std::byte[]> copy(new std::byte[buffer.size()]);
    std::copy(buffer.begin(), buffer.end(), copy.get());
    const auto d = decode_buffer({copy.get(), buffer.size()}, limits);
    return d ? IssueId::Count : d.error().id;
}

template <class S>
std::uint32_t size_of() {
    core::Writer w;
    FieldWriter writer(w);
    const S s{};
    fields(s, writer);
    return static_cast<std::uint32_t>(w.size());
}

TEST(Fields, StructsHaveTheirSizes) {
    EXPECT_EQ(size_of<Header>(), sizes::kHeader);
    EXPECT_EQ(size_of<Frame>(), sizes::kFrame);
    EXPECT_EQ(size_of<Mesh>(), sizes::kMesh);
    EXPECT_EQ(size_of<TriangleList>(), sizes::kList);
    EXPECT_EQ(size_of<SkinBone>(), sizes::kSkinBone);
    EXPECT_EQ(size_of<UseFrame>(), sizes::kUseFrame);
    EXPECT_EQ(size_of<Material>(), sizes::kMaterial);
    EXPECT_EQ(size_of<Toon>(), sizes::kToon);
    EXPECT_EQ(size_of<Texture>(), sizes::kTexture);
    EXPECT_EQ(size_of<Light>(), sizes::kLight);
    EXPECT_EQ(size_of<AnimSet>(), sizes::kAnimSet);
    EXPECT_EQ(size_of<Anim>(), sizes::kAnim);
    EXPECT_EQ(size_of<KeySet>(), sizes::kKeySet);
    EXPECT_EQ(size_of<ShapeHeader>(), sizes::kShapeHeader);
    EXPECT_EQ(size_of<FrameShape>(), sizes::kFrameShape);
    EXPECT_EQ(size_of<Shape>(), sizes::kShape);
    EXPECT_EQ(size_of<ShapeMesh>(), sizes::kShapeMesh);
    EXPECT_EQ(size_of<ShapeVertex>(), sizes::kShapeVertex);
    EXPECT_EQ(size_of<PhysicsHeader>(), sizes::kPhysicsHeader);
    EXPECT_EQ(size_of<Rigid>(), sizes::kRigid);
    EXPECT_EQ(size_of<Joint>(), sizes::kJoint);
    EXPECT_EQ(size_of<Layer>(), sizes::kLayer);
    EXPECT_EQ(size_of<Change>(), sizes::kChange);
    core::Writer old_frame;
    FieldWriter writer(old_frame, true);
    const Frame frame;
    fields(frame, writer);
    EXPECT_EQ(old_frame.size(), sizes::kOldFrame);
}

// "offset type field" of every row under `<!-- table: title` of the page.
std::vector<std::string> rows_of_page(const std::string& title) {
    std::ifstream in(source_dir() + "/docs/spec/mv1.md");
    std::vector<std::string> out;
    std::string line;
    while (std::getline(in, line) && line.rfind("<!-- table: " + title + " ", 0) != 0) {
    }
    while (std::getline(in, line) && line.rfind("| ", 0) == 0) {
        std::istringstream cells(line);
        std::string bar, offset, type, field;
        cells >> bar >> offset >> bar >> type >> bar >> field;
        if (offset != "offset") {
            out.push_back(offset + " " + type + " " + field);
        }
        if (out.empty()) {
            std::getline(in, line);   // the rule below the head
        }
    }
    return out;
}

template <class T>
std::string type_of(std::size_t count = 1) {
    if constexpr (std::is_arithmetic_v<T>) {
        const std::string letter = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u";
        return letter + std::to_string(8 * sizeof(T)) + (count > 1 ? "[" + std::to_string(count) + "]" : "");
    } else if constexpr (std::is_same_v<T, Change>) {
        return "u32[4]";
    } else if constexpr (std::is_same_v<T, std::array<Layer, 8>>) {
        return "u8[192]";
    } else {
        return type_of<typename T::value_type>(std::tuple_size_v<T>);
    }
}

template <class S>
std::vector<std::string> rows_of_fields() {
    std::vector<std::string> out;
    core::Writer w;
    FieldWriter write(w);
    const S s{};
    fields(s, [&]<class T>(const char* name, const T& v, Kind = Kind::Plain) {
        out.push_back(std::to_string(w.size()) + " " + type_of<T>() + " " + name);
        write(name, v);
    });
    return out;
}

TEST(Fields, AreThoseOfThePage) {
    EXPECT_EQ(rows_of_fields<Header>(), rows_of_page("Header"));
    EXPECT_EQ(rows_of_fields<Frame>(), rows_of_page("Frame"));
    EXPECT_EQ(rows_of_fields<Mesh>(), rows_of_page("Mesh"));
    EXPECT_EQ(rows_of_fields<TriangleList>(), rows_of_page("TriangleList"));
    EXPECT_EQ(rows_of_fields<SkinBone>(), rows_of_page("SkinBone"));
    EXPECT_EQ(rows_of_fields<UseFrame>(), rows_of_page("UseFrame"));
    EXPECT_EQ(rows_of_fields<Material>(), rows_of_page("Material"));
    EXPECT_EQ(rows_of_fields<Layer>(), rows_of_page("Layer"));
    EXPECT_EQ(rows_of_fields<Toon>(), rows_of_page("Toon"));
    EXPECT_EQ(rows_of_fields<Texture>(), rows_of_page("Texture"));
    EXPECT_EQ(rows_of_fields<Light>(), rows_of_page("Light"));
    EXPECT_EQ(rows_of_fields<AnimSet>(), rows_of_page("AnimSet"));
    EXPECT_EQ(rows_of_fields<Anim>(), rows_of_page("Anim"));
    EXPECT_EQ(rows_of_fields<KeySet>(), rows_of_page("KeySet"));
    EXPECT_EQ(rows_of_fields<ShapeHeader>(), rows_of_page("ShapeHeader"));
    EXPECT_EQ(rows_of_fields<FrameShape>(), rows_of_page("FrameShape"));
    EXPECT_EQ(rows_of_fields<Shape>(), rows_of_page("Shape"));
    EXPECT_EQ(rows_of_fields<ShapeMesh>(), rows_of_page("ShapeMesh"));
    EXPECT_EQ(rows_of_fields<ShapeVertex>(), rows_of_page("ShapeVertex"));
    EXPECT_EQ(rows_of_fields<PhysicsHeader>(), rows_of_page("PhysicsHeader"));
    EXPECT_EQ(rows_of_fields<Rigid>(), rows_of_page("RigidBody"));
    EXPECT_EQ(rows_of_fields<Joint>(), rows_of_page("Joint"));
    EXPECT_EQ(rows_of_fields<Change>(), rows_of_page("Change"));
}

TEST(Decode, GivesBackEveryByte) {
    const core::Bytes buffer = test::sample_buffer([](Document&) {});
    const auto d = decode_buffer(buffer, {});
    ASSERT_TRUE(d) << d.error().part << d.error().what;
    EXPECT_EQ(encode_buffer(*d), buffer);
    EXPECT_TRUE(d->loose.empty());
}

// covers MV1-HDR-6
TEST(Decode, KeepsBytesThatNothingOwns) {
    core::Bytes buffer = test::sample_buffer([](Document&) {});
    buffer[sizes::kHeader + 5] = std::byte{7};
    buffer.resize(buffer.size() + 9);
    buffer.back() = std::byte{1};
    const auto d = decode_buffer(buffer, {});
    ASSERT_TRUE(d);
    ASSERT_EQ(d->loose.size(), 2u);
    EXPECT_EQ(d->loose[0].at, sizes::kHeader + 5);
    EXPECT_EQ(encode_buffer(*d), buffer);
}

TEST(Decode, RefusesEveryPrefix) {
    const test::Sample s = test::make_sample();
    const core::Bytes buffer = encode_buffer(s.doc);
    const KeySet& last = s.doc.key_sets.back();
    const std::size_t end = last.key_data + last.blob.size();
    for (std::size_t n = 0; n < end; ++n) {
        EXPECT_NE(id_of(core::Bytes(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(n))), IssueId::Count) << n;
    }
    const core::Bytes file = encode(s.doc);
    for (std::size_t n = 0; n < file.size(); ++n) {
        EXPECT_FALSE(decode(std::span(file).first(n), "x", {})) << n;
    }
}

// Whatever a byte becomes, the file is refused or can be used.
TEST(Decode, SurvivesEveryChangedByte) {
    const core::Bytes buffer = test::sample_buffer([](Document&) {});
    for (std::size_t i = 4; i < buffer.size(); ++i) {
        for (const int v : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
            core::Bytes changed = buffer;
            changed[i] = static_cast<std::byte>(v);
            const auto d = decode_buffer(changed, {});
            if (d) {
                ASSERT_EQ(encode_buffer(*d), changed) << i;
                core::Report report;
                static_cast<void>(import(*d, {}, report));
            }
        }
    }
}

struct Wrong {
    const char* title;
    std::function<void(Document&)> change;
    IssueId id;
};

// covers MV1-LIMIT-1, MV1-HDR-2, MV1-HDR-3, MV1-HDR-4, MV1-HDR-5, MV1-LINK-1, MV1-LINK-2, MV1-LINK-3, MV1-LINK-4, MV1-LINK-5, MV1-STR-1
TEST(Decode, TableOfWrongs) {
    const std::vector<Wrong> wrongs = {
        {"negative count", [](Document& d) { d.header.mesh_num = -1; }, IssueId::MV1_COUNT},
        {"count of 2^31 - 1", [](Document& d) { d.header.key_set_num = 0x7FFFFFFF; }, IssueId::MV1_COUNT},
        {"string pool of 2^31", [](Document& d) { d.header.string_size = 0x7FFFFFFF; }, IssueId::MV1_COUNT},
        {"one frame too many", [](Document& d) { d.header.frame_num = 3; }, IssueId::MV1_CHAIN},
        {"one frame too few", [](Document& d) { d.header.frame_num = 1; }, IssueId::MV1_CHAIN},
        {"array outside", [](Document& d) { d.header.material = d.size; }, IssueId::MV1_OUTSIDE},
        {"array in the header", [](Document& d) { d.header.material = 8; }, IssueId::MV1_OUTSIDE},
        {"two blocks at one place", [](Document& d) { d.meshes[1].vertex_data = d.meshes[0].vertex_data; d.meshes[1].blob.clear(); }, IssueId::MV1_OVERLAP},
        {"cycle of DimNext", [](Document& d) { d.meshes[0].dim_next = d.meshes[0].at; }, IssueId::MV1_CHAIN},
        {"key sets of 19 bytes", [](Document& d) { d.header.key_set_unit_size = 19; }, IssueId::MV1_UNIT_SIZE},
        {"shape vertices of 27 bytes", [](Document& d) { d.shape->vertex_unit_size = 27; }, IssueId::MV1_UNIT_SIZE},
        {"Index", [](Document& d) { d.frames[1].index = 0; }, IssueId::MV1_INDEX},
        {"Parent in the middle of a frame", [](Document& d) { d.frames[1].parent += 4; }, IssueId::MV1_POINTER},
        {"own parent", [](Document& d) { d.frames[1].parent = d.frames[1].at; }, IssueId::MV1_CYCLE},
        {"cycle of parents", [](Document& d) { d.frames[0].parent = d.frames[1].at; }, IssueId::MV1_CYCLE},
        {"mesh run too long", [](Document& d) { d.frames[1].mesh_num = 3; }, IssueId::MV1_RUN},
        {"mesh outside its frame's run", [](Document& d) { d.frames[1].mesh_num = 1; }, IssueId::MV1_RUN},
        {"negative run", [](Document& d) { d.frames[1].skin_bone_num = -1; }, IssueId::MV1_RUN},
        {"list of another mesh", [](Document& d) { d.lists[1].container = d.meshes[0].at; }, IssueId::MV1_RUN},
        {"palette beside its array", [](Document& d) { d.frames[1].use_skin_bone += 2; }, IssueId::MV1_POINTER},
        {"palette too long", [](Document& d) { d.frames[1].use_skin_bone_num = 3; }, IssueId::MV1_RUN},
        {"palette entry", [](Document& d) { d.frame_use_skin_bones[1] = 4; }, IssueId::MV1_POINTER},
        {"weight beyond the palette", [](Document& d) { d.frames[1].use_skin_bone_num = 1; }, IssueId::MV1_INDEX},
        {"skin bone of two frames", [](Document& d) { d.frames[1].skin_bone = d.skin_bones[0].at; }, IssueId::MV1_RUN},
        {"BoneFrame", [](Document& d) { d.skin_bones[0].bone_frame = 2; }, IssueId::MV1_INDEX},
        {"texture of a layer", [](Document& d) { d.materials[0].diffuse_layer[0].texture = 1; }, IssueId::MV1_INDEX},
        {"nine layers", [](Document& d) { d.materials[0].normal_layer_num = 9; }, IssueId::MV1_COUNT},
        {"frame of a light", [](Document& d) { d.lights[0].frame_index = -1; }, IssueId::MV1_INDEX},
        {"shape's mesh", [](Document& d) { d.shape_meshes[0].target_mesh = 0; }, IssueId::MV1_POINTER},
        {"vertex of a shape", [](Document& d) { d.shape_vertices[0].target_vertex = 4; }, IssueId::MV1_INDEX},
        {"animated frame", [](Document& d) { d.anims[1].target_frame = 2; }, IssueId::MV1_INDEX},
        {"run of key sets", [](Document& d) { d.anims[1].key_set_num = 4; }, IssueId::MV1_RUN},
        {"rotation order", [](Document& d) { d.anims[1].rotate_order = 6; }, IssueId::MV1_BLOCK_TYPE},
        {"rigid body's frame", [](Document& d) { d.rigids[0].target_frame = 12; }, IssueId::MV1_POINTER},
        {"joint's body", [](Document& d) { d.joints[0].rigid_b = d.joints[0].at; }, IssueId::MV1_POINTER},
        {"name outside", [](Document& d) { d.frames[0].name = static_cast<std::uint32_t>(d.strings.size()); }, IssueId::MV1_STRING},
        {"name without end", [](Document& d) { std::fill(d.strings.end() - 16, d.strings.end(), std::byte{'x'}); d.joints[0].name = static_cast<std::uint32_t>(d.strings.size()) - 8; }, IssueId::MV1_STRING},
        {"negative positions", [](Document& d) { d.frames[1].position_num = -5; }, IssueId::MV1_COUNT},
        {"block outside", [](Document& d) { d.frames[1].position_data = d.size + 4; d.frames[1].blob.clear(); }, IssueId::MV1_OUTSIDE},
        {"normals beyond the end", [](Document& d) { d.frames[1].normal_num = 0x7FFFFFFF; }, IssueId::MV1_BLOCK_SIZE},
        {"position index", [](Document& d) { d.meshes[0].blob[8] = std::byte{5}; }, IssueId::MV1_INDEX},
        {"normal index", [](Document& d) { d.meshes[0].blob[12] = std::byte{1}; }, IssueId::MV1_INDEX},
        {"mesh vertex of a list", [](Document& d) { d.lists[1].blob[0] = std::byte{3}; }, IssueId::MV1_INDEX},
        {"index of a list", [](Document& d) { d.lists[1].blob[5] = std::byte{3}; }, IssueId::MV1_INDEX},
        {"vertex type", [](Document& d) { d.lists[0].vertex_type = 4; }, IssueId::MV1_BLOCK_TYPE},
        {"key block outside", [](Document& d) { d.key_sets[2].key_data = d.size - 2; d.key_sets[2].blob.clear(); }, IssueId::MV1_BLOCK_SIZE},
    };
    for (const Wrong& wrong : wrongs) {
        const core::IssueId found = id_of(test::sample_buffer(wrong.change));
        EXPECT_EQ(found, wrong.id) << wrong.title << ": " << (found == IssueId::Count ? "accepted" : core::info(found).name);
    }
    core::Limits limits;
    limits.max_nodes = 1;
    EXPECT_EQ(id_of(test::sample_buffer([](Document&) {}), limits), IssueId::MV1_LIMIT);
    limits.max_nodes = 2;
    EXPECT_EQ(id_of(test::sample_buffer([](Document&) {}), limits), IssueId::Count);
}

// covers MV1-FILE-1, MV1-FILE-2
TEST(Decode, ContainerErrorsNameTheirCause) {
    core::Bytes file = encode(test::make_sample().doc);
    file[3] = std::byte{'2'};
    EXPECT_EQ(decode(file, "x", {}).error().code, core::Code::NotThisFormat);
    file[3] = std::byte{'1'};
    file.push_back(std::byte{0});
    EXPECT_EQ(decode(file, "x", {}).error().code, core::Code::Malformed);
    core::Limits limits;
    limits.max_memory_bytes = 8 * 1000;
    file.pop_back();
    EXPECT_EQ(decode(file, "x", limits).error().code, core::Code::LimitExceeded);
}

TEST(DecodeCorpus, WholeFilesComeBack) {
    const auto files = test::corpus_files();
    if (files.empty()) {
        GTEST_SKIP() << "no corpus";
    }
    for (const auto& [name, file] : files) {
        const auto document = decode(file.bytes(), name, {});
        ASSERT_TRUE(document) << core::to_string(document.error());
        const core::Bytes again = encode(*document);
        EXPECT_TRUE(std::equal(again.begin(), again.end(), file.bytes().begin(), file.bytes().end())) << name;
    }
}

// covers MV1-STR-2
TEST(Text, IsReadInTheFilesEncoding) {
    test::Sample s = test::make_sample();
    const std::uint32_t at = add_string(s.doc, "\x83\x8B");
    s.doc.header.is_string_utf8 = 0;
    bool changed = false;
    EXPECT_EQ(text(s.doc, at, &changed), "\xE3\x83\xAB");
    EXPECT_FALSE(changed);
    const std::uint32_t broken = add_string(s.doc, "\x83");   // the first of two bytes
    EXPECT_EQ(text(s.doc, broken, &changed), "\xEF\xBF\xBD");
    EXPECT_TRUE(changed);
    changed = false;
    s.doc.header.is_string_utf8 = 1;
    EXPECT_EQ(text(s.doc, at, &changed), "\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_TRUE(changed);
}

}  // namespace
}  // namespace gomkit::mv1
