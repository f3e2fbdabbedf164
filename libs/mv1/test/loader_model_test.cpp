#include "loader_model.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "decode.hpp"
#include "sample.hpp"

namespace gomkit::mv1 {
namespace {

TEST(LoaderModelCorpus, TakesEveryFile) {
    const auto files = test::corpus_files();
    if (files.empty()) {
        GTEST_SKIP() << "no corpus";
    }
    for (const auto& [name, file] : files) {
        const auto buffer = unpack(file.bytes(), {});
        ASSERT_TRUE(buffer);
        EXPECT_EQ(load_as_dxlib(*buffer), "") << name;
    }
}

struct Wrong {
    std::function<void(Document&)> change;
    const char* why;
};

TEST(LoaderModel, EachRuleHasAFileThatBreaksIt) {
    const auto less = [](std::int32_t Header::*field) {
        return [field](Document& d) { --(d.header.*field); };
    };
    const std::vector<Wrong> wrongs = {
        {[](Document&) {}, ""},
        {less(&Header::list_normal_position_num), "TriangleListNormalPositionNum overruns: 3 of 2"},
        {less(&Header::list_skin_4b_num), "TriangleListSkinPosition4BNum overruns: 4 of 3"},
        {less(&Header::mesh_position_size), "MeshPositionSize overruns: 220 of 219"},
        {less(&Header::mesh_normal_num), "MeshNormalNum overruns: 1 of 0"},
        {less(&Header::mesh_face_num), "MeshFaceNum overruns: 3 of 2"},
        {less(&Header::mesh_vertex_index_num), "MeshVertexIndexNum overruns: 7 of 6"},
        {less(&Header::list_index_num), "TriangleListIndexNum overruns: 9 of 8"},
        {less(&Header::triangle_num), "TriangleNum overruns: 3 of 2"},
        {less(&Header::list_vertex_num), "TriangleListVertexNum overruns: 7 of 6"},
        {less(&Header::frame_use_skin_bone_num), "FrameUseSkinBoneNum overruns: 2 of 1"},
        {less(&Header::skin_bone_use_frame_num), "SkinBoneUseFrameNum overruns: 2 of 1"},
        {less(&Header::original_key_data_size), "OriginalAnimKeyDataSize overruns: 44 of 43"},
        {less(&Header::frame_num), "Frame: the chain goes on"},
        {[](Document& d) { ++d.header.mesh_num; }, "Mesh: the chain ends early"},
        {[](Document& d) { d.meshes[1].index = 0; }, "Mesh: an Index is taken or too large"},
        {[](Document& d) { d.frames[1].parent = 0; d.frames[0].parent = d.frames[1].at; }, "a parent stands behind its child"},
        {[](Document& d) { d.frames[1].mesh_num = 1; }, "a mesh belongs to no frame"},
        {[](Document& d) { d.meshes[0].list_num = 0; d.meshes[0].face_num = 0; d.header.mesh_face_num -= 2; }, "a triangle list belongs to no mesh"},
        {[](Document& d) { d.frames[0].skin_bone_num = 0; }, "a skin bone is in no frame's run"},
        {[](Document& d) { d.frames[0].skin_bone_num = 2; }, "SkinBone run leaves the array, or two runs share an element"},
        {[](Document& d) { d.meshes[0].material = 0; }, "Material is null"},
        {[](Document& d) { d.skin_bones[0].use_frame = 0; }, "UseFrame is null beside others"},
        {[](Document& d) { d.use_frames[0].index = 2; }, "a frame of UseFrame does not exist"},
        {[](Document& d) { d.lists[0].blob[2] = std::byte{1}; }, "a vertex uses a bone that its list lacks"},
        {[](Document& d) { d.lists[0].blob[2] = std::byte{2}; }, "a list's bone is outside the palette"},
        {[](Document& d) { d.lists[0].blob[0] = std::byte{55}; }, "a list has more than 54 bones"},
        {[](Document& d) { d.lists[1].flag = 2 << 2; }, "32-bit indices are read as 16-bit"},
        {[](Document& d) { d.meshes[0].vert_flag &= ~3; }, "a mesh without position indices"},
        {[](Document& d) { d.meshes[0].face_num = 1; d.header.mesh_face_num = 3; }, "FaceNum overruns"},
        {[](Document& d) { d.header.anim_unit_size = 48; }, "the sizes of animations and key sets are wrong"},
        {[](Document& d) { d.anims[1].container = 0; }, "an animation's Container is another set"},
        {[](Document& d) { std::fill(d.matrix_table.begin(), d.matrix_table.end(), std::byte{0}); }, "a change does not reach a child or a mesh"},
        {[](Document& d) { d.matrix_table[4] = std::byte{6}; }, "a change reaches a stranger"},
        {[](Document& d) { d.draw_table[0] = std::byte{0b01110}; }, "a change does not reach a child or a mesh"},
        {[](Document& d) { d.header.matrix_table_size = 0; d.matrix_table.clear(); }, "a change's words lie outside their table"},
        {[](Document& d) { --d.shape->target_mesh_vertex_num; }, "TargetMeshVertexNum overruns: 4 of 3"},
        {[](Document& d) { --d.shape->skin_4b_num; }, "the counters of shaped vertices overrun"},
        {[](Document& d) { d.shape_vertices[0].target_vertex = 4; }, "a shape's vertex is not in its mesh"},
        {[](Document& d) { d.frames[0].name = 4000; }, "a string runs out of the pool"},
    };
    for (const Wrong& wrong : wrongs) {
        EXPECT_EQ(load_as_dxlib(test::sample_buffer(wrong.change)), wrong.why);
    }
}

}  // namespace
}  // namespace gomkit::mv1
