#include "gomkit/runtime/layout.hpp"

#include <gtest/gtest.h>

#include "gomkit/runtime/limits.hpp"

namespace gomkit::runtime {
namespace {

// The numbers of gom.md, once more.
TEST(Layout, IsThePages) {
    EXPECT_EQ(layout::kVb0, 0x00304256U);  // gom.md 3
    EXPECT_EQ(layout::kStr0, 0x30525453U);
    EXPECT_EQ(layout::header::kReserved + 436, layout::header::kSize);
    EXPECT_EQ(layout::header::kMotionReserved + 404, layout::header::kSize);
    EXPECT_EQ(layout::header::kSkeletonSignature + 32, layout::header::kMotionReserved);
    EXPECT_EQ(layout::matl::kSlotSize, 68U);
    EXPECT_EQ(layout::matl::kEmissiveMapId + 4, layout::matl::kSlotSize);
    EXPECT_EQ(layout::matl::kFirstFloat + 4 * layout::matl::kFloatCount, layout::matl::kDiffuseMapId);
    EXPECT_EQ(layout::vf01::kBoneWeight + 16, layout::vf01::kSize);
    EXPECT_EQ(layout::vf01::kFloatsBeforeBones * 4, layout::vf01::kBoneIndex);
    EXPECT_EQ(layout::msh0::kReserved + 8, layout::msh0::kHeaderSize);
    EXPECT_EQ(layout::skel::bind_locals(2), 4U + 3 * 8);
    EXPECT_EQ(layout::bnd0::kSphereRadius + 4, layout::bnd0::kSize);
    EXPECT_EQ(layout::clp0::kTrackCount + 4, layout::clp0::kHeaderSize);
}

TEST(Layout, FourccsAreCapitalsAndDigitsOrThreeAndANul) {
    EXPECT_TRUE(layout::is_legal_fourcc(layout::fourcc("VB0")));
    EXPECT_TRUE(layout::is_legal_fourcc(layout::fourcc("AZ09")));
    EXPECT_FALSE(layout::is_legal_fourcc(layout::fourcc("VB0 ")));
    EXPECT_FALSE(layout::is_legal_fourcc(layout::fourcc("vB00")));
    EXPECT_FALSE(layout::is_legal_fourcc(layout::fourcc('A', '\0', 'B', 'C')));
    EXPECT_FALSE(layout::is_legal_fourcc(layout::fourcc('A', 'B', '\0', '\0')));
    EXPECT_FALSE(layout::is_legal_fourcc(0));
    EXPECT_FALSE(layout::is_legal_fourcc(layout::fourcc("AB@[")));
}

TEST(Layout, OneTableOfChunksEach) {
    for (const std::uint32_t f : layout::kTopLevelOrder)
        EXPECT_TRUE(layout::is_top_level(f) && !layout::is_mesh_child(f) && layout::is_legal_fourcc(f));
    for (const std::uint32_t f : layout::kMeshChildOrder)
        EXPECT_TRUE(!layout::is_top_level(f) && layout::is_mesh_child(f) && layout::is_legal_fourcc(f));
    EXPECT_EQ(layout::align16(0), 0U);
    EXPECT_EQ(layout::align16(1), 16U);
    EXPECT_EQ(layout::align16(0xFFFFFFFFULL), 0x100000000ULL);
}

// gom.md 8
TEST(Limits, DefaultsAreThePages) {
    const Limits l;
    EXPECT_EQ(l.max_bones, 4096U);
    EXPECT_EQ(l.max_vertices, 10'000'000U);
    EXPECT_EQ(l.max_indices, 30'000'000U);
    EXPECT_EQ(l.max_submeshes, 65'535U);
    EXPECT_EQ(l.max_mesh_parts, 65'535U);
    EXPECT_EQ(l.max_material_slots, 65'535U);
    EXPECT_EQ(l.max_clips, 1024U);
    EXPECT_EQ(l.max_tracks_per_clip, 8192U);
    EXPECT_EQ(l.max_keys_per_clip, 1'000'000U);
    EXPECT_EQ(l.max_morph_channels, 8192U);
    EXPECT_EQ(l.max_morph_shapes, 65'535U);
    EXPECT_EQ(l.max_morph_vertices, 30'000'000U);
    EXPECT_EQ(l.max_strings, 1'000'000U);
    EXPECT_EQ(l.max_string_bytes, 67'108'864U);
    EXPECT_EQ(l.max_file_bytes, 4'294'967'296U);
    EXPECT_EQ(l.max_text_nesting, 32U);
    static_assert(Limits::small().max_bones < Limits{}.max_bones);
    static_assert(Limits::large().max_bones > Limits{}.max_bones);
    static_assert(Limits{} == Limits{});
}

}  // namespace
}  // namespace gomkit::runtime
