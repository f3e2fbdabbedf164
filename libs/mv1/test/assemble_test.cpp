#include "assemble.hpp"

#include <gtest/gtest.h>

#include <set>

#include <gomkit/core/report.hpp>

#include "check.hpp"
#include "decode.hpp"
#include "sample.hpp"

namespace gomkit::mv1 {
namespace {

// covers MV1-WRITE-1, MV1-WRITE-2, MV1-WRITE-3, MV1-WRITE-4, MV1-WRITE-5, MV1-WRITE-6, MV1-WRITE-7
TEST(AssembleCorpus, GivesTheLibrarysBytes) {
    const auto files = test::corpus_files();
    if (files.empty()) {
        GTEST_SKIP() << "no corpus";
    }
    const std::set<std::string> other_use_frame{"mmd_overlord_arm_sphere.mv1", "mmd_soldier0_stride4.mv1", "skin_goblin_8bone_cp932.mv1"};
    for (const auto& [name, file] : files) {
        const auto document = decode(file.bytes(), name, {});
        ASSERT_TRUE(document) << name;
        if (document->frame_size != 276) {
            continue;   // frames of 248 bytes are not written any more
        }
        const auto links = link(*document);
        ASSERT_TRUE(links) << name;
        Document again = *document;
        assemble(again, *links, {document->header.mesh != 0, document->header.key_set_unit_size != 0});
        if (other_use_frame.contains(name)) {
            for (std::size_t i = 0; i < again.skin_bones.size(); ++i) {
                again.skin_bones[i].use_frame = document->skin_bones[i].use_frame;
            }
        }
        if (name == "shape_mechanic1.mv1") {   // 16 bytes more than its keys need
            again.header.original_key_data_size += 16;
        }
        EXPECT_EQ(encode_buffer(again), encode_buffer(*document)) << name;
    }
}

TEST(Assemble, SampleIsCleanAndKeepsItsLinks) {
    const test::Sample s = test::make_sample();
    const core::Bytes file = encode(s.doc);
    core::Report report;
    codec::CheckOptions options;
    options.canonical = true;
    check(file, "sample.mv1", options, report);
    for (const core::Issue& issue : report.issues()) {
        ADD_FAILURE() << core::to_string(issue);
    }
    const auto document = decode(file, "sample.mv1", {});
    ASSERT_TRUE(document) << core::to_string(document.error());
    const auto links = link(*document);
    ASSERT_TRUE(links);
    EXPECT_EQ(links->palette, s.links.palette);
    EXPECT_EQ(links->frame_parent, s.links.frame_parent);
    EXPECT_EQ(links->joint_b, s.links.joint_b);
    EXPECT_EQ(text(*document, document->frames[1].name), "Body");
    EXPECT_EQ(encode(*document), file);
}

// covers MV1-CHANGE-1
TEST(Assemble, ChangeTableOfASmallTree) {
    // Root (bit 1, span 2) and its child (bit 2, span 1): words 0b110 and 0b100.
    const test::Sample s = test::make_sample();
    core::Reader in(s.doc.matrix_table);
    EXPECT_EQ(in.u32(), 6u);
    EXPECT_EQ(in.u32(), 4u);
    EXPECT_EQ(s.doc.matrix_table.size(), 16u);
    EXPECT_EQ(s.doc.frames[1].matrix_change.check_bit, 4u);
    EXPECT_EQ(s.doc.frames[1].matrix_change.fill, s.doc.header.matrix_table + 4);
    // Draw bits: Root 1 (span 4), Body 2 (span 3), its meshes 3 and 4.
    core::Reader draw(s.doc.draw_table);
    EXPECT_EQ(draw.u32(), 0b11110u);
    EXPECT_EQ(draw.u32(), 0b11100u);
    EXPECT_EQ(s.doc.meshes[1].change.check_bit, 16u);
    EXPECT_EQ(s.doc.meshes[1].change.fill, 0u);
}

TEST(Assemble, AnimationsOnlyHaveNoMeshPart) {
    test::Sample s = test::make_sample();
    s.doc.meshes.clear();
    s.doc.lists.clear();
    s.doc.materials.clear();
    s.doc.toons.clear();
    s.doc.textures.clear();
    s.doc.lights.clear();
    s.doc.skin_bones.clear();
    s.doc.shape.reset();
    s.doc.frame_shapes.clear();
    s.doc.shapes.clear();
    s.doc.shape_meshes.clear();
    s.doc.shape_vertices.clear();
    s.doc.physics.reset();
    s.doc.rigids.clear();
    s.doc.joints.clear();
    for (Frame& f : s.doc.frames) {
        f.position_num = f.normal_num = 0;
        f.max_bone_blend_num = 0;
        f.blob.clear();
    }
    Links l = s.links;
    l.frame_meshes.assign(2, {});
    l.frame_skin_bones.assign(2, {});
    l.frame_palette.assign(2, {});
    l.palette.clear();
    l.frame_light.assign(2, kNone);
    l.frame_shapes.assign(2, {});
    l.mesh_frame.clear();
    l.rigid_frame.clear();
    l.joint_a.clear();
    l.joint_b.clear();
    l.shape_meshes.clear();
    assemble(s.doc, l, {false, true});
    core::Report report;
    check(encode(s.doc), "a.mv1", {}, report);
    for (const core::Issue& issue : report.issues()) {
        ADD_FAILURE() << core::to_string(issue);
    }
    EXPECT_EQ(s.doc.header.mesh, 0u);
    EXPECT_EQ(s.doc.header.draw_table_size, 0);
}

}  // namespace
}  // namespace gomkit::mv1
