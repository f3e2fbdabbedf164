#include "check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "decode.hpp"
#include "sample.hpp"

namespace gomkit::mv1 {
namespace {

using core::IssueId;

std::string findings(const Document& d) {
    core::Report report;
    codec::CheckOptions options;
    options.canonical = true;
    check(encode(d), "x.mv1", options, report);
    std::string out;
    for (const core::Issue& issue : report.issues()) {
        out += (out.empty() ? "" : " ") + std::string(core::info(issue.id).name);
    }
    return out;
}

struct Wrong {
    const char* title;
    std::function<void(Document&)> change;
    const char* id;
};

// covers MV1-COUNT-1, MV1-COUNT-2, MV1-COUNT-3, MV1-CHANGE-1, MV1-CHANGE-2, MV1-LINK-6, MV1-SKIN-1, MV1-SKIN-2, MV1-SKIN-3
// covers MV1-LIST-1, MV1-LIST-2, MV1-LIST-3, MV1-LIST-4, MV1-BLOCK-3, MV1-KEY-1, MV1-KEY-2, MV1-VALUE-1, MV1-VALUE-2, MV1-HDR-6
TEST(Check, TableOfWrongs) {
    const auto header = [](std::int32_t Header::*field, int by) {
        return [field, by](Document& d) { d.header.*field += by; };
    };
    const std::vector<Wrong> wrongs = {
        {"nothing", [](Document&) {}, ""},
        {"unskinned vertices", header(&Header::list_normal_position_num, -1), "MV1_COUNTER"},
        {"vertices of four bones", header(&Header::list_skin_4b_num, -1), "MV1_COUNTER"},
        {"vertices of eight bones", header(&Header::list_skin_8b_num, 1), "MV1_COUNTER_HIGH"},
        {"free vertices", header(&Header::list_skin_free_size, 16), "MV1_COUNTER_HIGH"},
        {"positions", header(&Header::mesh_position_size, -4), "MV1_COUNTER"},
        {"normals", header(&Header::mesh_normal_num, -1), "MV1_COUNTER"},
        {"faces", header(&Header::mesh_face_num, -1), "MV1_COUNTER"},
        {"vertex indices", header(&Header::mesh_vertex_index_num, -1), "MV1_COUNTER"},
        {"indices", header(&Header::list_index_num, -1), "MV1_COUNTER"},
        {"triangles", header(&Header::triangle_num, -1), "MV1_COUNTER"},
        {"list vertices", header(&Header::list_vertex_num, -1), "MV1_COUNTER"},
        {"key bytes", header(&Header::original_key_data_size, -1), "MV1_COUNTER"},
        {"more key bytes than needed", header(&Header::original_key_data_size, 16), ""},
        {"faces of a mesh", [](Document& d) { d.meshes[0].face_num = 1; d.header.mesh_face_num -= 1; }, "MV1_SUMMARY"},
        {"children", [](Document& d) { d.frames[0].total_child_num = 0; }, "MV1_SUMMARY"},
        {"matrix bits", [](Document& d) { d.frames[1].matrix_change.check_bit = 2; }, "MV1_MATRIX_TABLE"},
        {"matrix table of zeros", [](Document& d) { std::fill(d.matrix_table.begin(), d.matrix_table.end(), std::byte{0}); }, "MV1_MATRIX_TABLE MV1_MATRIX_TABLE"},
        {"fill outside", [](Document& d) { d.frames[1].matrix_change.fill = 4; }, "MV1_MATRIX_TABLE"},
        {"draw bits", [](Document& d) { d.meshes[1].change.target = 1; }, "MV1_DRAW_TABLE"},
        {"first child", [](Document& d) { d.frames[0].first_child = 0; }, "MV1_TREE"},
        {"cycle of Next", [](Document& d) { d.frames[1].next = d.frames[1].at; }, "MV1_TREE"},
        {"previous of a chain", [](Document& d) { d.meshes[1].dim_prev = 0; }, "MV1_TREE"},
        {"roots", [](Document& d) { d.header.top_frame_num = 2; }, "MV1_TREE"},
        {"UseFrame of one bone missing", [](Document& d) { d.skin_bones[0].use_frame = 0; }, "MV1_USE_FRAME"},
        {"UseFrame of all missing", [](Document& d) { d.skin_bones[0].use_frame = d.skin_bones[1].use_frame = 0; }, ""},
        {"UseFrame in steps of four", [](Document& d) { d.skin_bones[1].use_frame -= 4; }, "MV1_USE_FRAME_STEP"},
        {"frame of a use", [](Document& d) { d.use_frames[1].index = 2; }, "MV1_USE_FRAME"},
        {"blend count", [](Document& d) { d.frames[1].blob[60 + 6] = std::byte{255}; d.frames[1].max_bone_blend_num = 3; }, "MV1_COUNTER_HIGH MV1_BLEND_COUNT"},
        {"bone that the list lacks", [](Document& d) { d.lists[0].blob[2] = std::byte{1}; }, "MV1_LIST_PALETTE"},
        {"bone beyond the palette", [](Document& d) { d.lists[0].blob[2] = std::byte{2}; }, "MV1_LIST_PALETTE"},
        {"broken triangle", [](Document& d) { d.lists[1].index_num = 2; d.lists[1].blob.pop_back(); }, "MV1_SUMMARY MV1_SUMMARY MV1_COUNTER_HIGH MV1_COUNTER_HIGH MV1_LIST_TRIANGLES"},
        {"key times", [](Document& d) { d.key_sets[0].blob[4] = std::byte{0x42}; d.key_sets[0].blob[3] = std::byte{0x20}; d.key_sets[0].blob[7] = std::byte{0x20}; d.key_sets[0].blob[8] = std::byte{0x41}; }, "MV1_KEY_ORDER"},
        {"shape number", [](Document& d) { d.key_sets[2].blob[0] = std::byte{1}; }, "MV1_SHAPE_NUMBER"},
        {"culling", [](Document& d) { d.meshes[0].back_culling = 3; }, "MV1_VALUE"},
        {"quaternion", [](Document& d) { d.frames[0].quaternion = {0, 0, 1, 0}; }, "MV1_VALUE"},
        {"NaN", [](Document& d) { d.frames[0].scale[1] = std::nanf(""); }, "MV1_NOT_FINITE"},
        {"infinite outline", [](Document& d) { d.toons[0].outline_width = HUGE_VALF; }, "MV1_NOT_FINITE"},
        {"NaN gravity", [](Document& d) { d.physics->gravity = std::nanf(""); }, "MV1_NOT_FINITE"},
        {"infinite position", [](Document& d) { d.frames[1].blob[3] = std::byte{0x7F}; d.frames[1].blob[2] = std::byte{0x80}; }, "MV1_NOT_FINITE"},
        {"bytes of nobody", [](Document& d) { d.loose.push_back({310, Blob(3, std::byte{1})}); }, "MV1_LOOSE_BYTES"},
        {"name that is no text", [](Document& d) { d.strings[0] = std::byte{0xFF}; }, "MV1_BAD_TEXT"},
    };
    for (const Wrong& wrong : wrongs) {
        test::Sample s = test::make_sample();
        wrong.change(s.doc);
        EXPECT_EQ(findings(s.doc), wrong.id) << wrong.title;
    }
}

TEST(Check, ListsBeyondTheirLimits) {
    // 55 bones, and 32-bit indices: blocks of another length, so the file is put together again.
    test::Sample s = test::make_sample();
    core::Writer w;
    w.u16(55);
    for (int i = 0; i < 55; ++i) {
        w.u16(static_cast<std::uint16_t>(i % 2));
    }
    for (int i = 0; i < 4; ++i) {
        w.put(static_cast<std::uint8_t>(i));
    }
    for (const std::uint32_t i : {0u, 2u, 1u, 0u, 3u, 2u}) {
        w.u32(i);
    }
    s.doc.lists[0].blob = w.take();
    s.doc.lists[0].flag = 2 << 2;
    assemble(s.doc, s.links, {});
    EXPECT_EQ(findings(s.doc), "MV1_LIST_WIDE MV1_LIST_BONES");
}

TEST(Check, SixteenBitPositionsBeyondTheirRange) {
    test::Sample s = test::make_sample();
    Frame& body = s.doc.frames[1];
    core::Writer w;
    for (int c = 0; c < 3; ++c) {
        w.f32(0);
        w.f32(60);
    }
    for (int i = 0; i < 15; ++i) {
        w.u16(static_cast<std::uint16_t>(i == 7 ? 60001 : 60000));
    }
    w.raw(std::span(body.blob).subspan(60));
    body.blob = w.take();
    body.vert_flag |= 0x04;
    assemble(s.doc, s.links, {});
    EXPECT_EQ(findings(s.doc), "MV1_POSITION_STEP");
}

TEST(Check, AnUnreadableFileHasOneFinding) {
    core::Bytes file = encode(test::make_sample().doc);
    file.pop_back();
    core::Report report;
    check(file, "x.mv1", {}, report);
    ASSERT_EQ(report.issues().size(), 1u);
    EXPECT_EQ(report.issues()[0].id, IssueId::MV1_DXA);
    EXPECT_EQ(report.issues()[0].severity, core::Severity::Error);
}

}  // namespace
}  // namespace gomkit::mv1
