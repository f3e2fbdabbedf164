// What the view says of files that verify() accepted.

#include "gomkit/runtime/model_view.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gomkit/runtime/sha256.hpp"
#include "sample.hpp"
#include "touch.hpp"

namespace gomkit::runtime {
namespace {

using test::Builder;
using test::ExactBlock;

std::string hex(const std::array<std::uint8_t, 32>& digest) {
    std::string out;
    for (const std::uint8_t b : digest) {
        out += "0123456789abcdef"[b >> 4];
        out += "0123456789abcdef"[b & 15];
    }
    return out;
}

TEST(ModelView, ReadsEveryFieldOfTheSample) {
    const ExactBlock file(test::sample().bytes);
    ModelView view;
    ErrorInfo info;
    ASSERT_EQ(verify(file.bytes(), {}, view, &info), Status::Ok) << info.part;
    EXPECT_FALSE(view.is_empty());
    EXPECT_EQ(view.source_hash()[31], 31);
    EXPECT_EQ(view.converter_version(), "gomkit 1");
    EXPECT_EQ(view.validation_flags(), 0x3FU);
    EXPECT_EQ(view.chunk_table_count(), 8U);
    EXPECT_EQ(view.string_count(), 10U);
    EXPECT_EQ(view.string(9), "walk \xE6\xAD\xA9");
    EXPECT_EQ(view.string(10), "");
    EXPECT_EQ(view.string(layout::kNone), "");

    ASSERT_EQ(view.material_count(), 2U);
    const MaterialView m = view.material(0);
    EXPECT_EQ(m.name, "Mat");
    EXPECT_EQ(m.diffuse, (Vec3f{1, 0.5F, 0.25F}));
    EXPECT_EQ(m.specular, (Vec3f{0.04F, 0.04F, 0.04F}));
    EXPECT_EQ(m.emissive, (Vec3f{}));
    EXPECT_EQ(m.shininess, 32);
    EXPECT_EQ(m.opacity, 1);
    EXPECT_EQ(m.diffuse_map, "B");
    EXPECT_EQ(m.normal_map, "");
    EXPECT_EQ(view.material(1).name, "");

    ASSERT_EQ(view.bone_count(), 3U);
    const BoneView bone = view.bone(2);
    EXPECT_EQ(bone.parent, 1);
    EXPECT_EQ(bone.name, "Hand");
    EXPECT_EQ(bone.path, "Root/Arm/Hand");
    EXPECT_EQ(bone.bind_local.m[13], 1);
    EXPECT_EQ(view.bone_parent(0), -1);
    EXPECT_EQ(view.bind_local_bytes().size(), 192U);

    ASSERT_EQ(view.part_count(), 2U);
    const MeshPartView skinned = view.part(0);
    EXPECT_EQ(skinned.name(), "B");
    EXPECT_EQ(skinned.vertex_count(), 5U);
    EXPECT_EQ(skinned.index_count(), 9U);
    EXPECT_TRUE(skinned.is_skinned());
    EXPECT_EQ(skinned.bone_count(), 3U);
    EXPECT_EQ(skinned.vertex(2).bone_index[0], 2);
    EXPECT_EQ(skinned.vertex(2).bone_weight[1], 0.25F);
    EXPECT_EQ(skinned.vertex(3).position[0], 1);
    EXPECT_EQ(skinned.vertex(3).tangent[3], -1);
    EXPECT_EQ(skinned.index(6), 4U);
    EXPECT_EQ(skinned.indices32().size(), 9U);
    EXPECT_TRUE(skinned.indices16().empty());
    ASSERT_EQ(skinned.submesh_count(), 2U);
    EXPECT_EQ(skinned.submesh(1).material_index, 1U);
    EXPECT_EQ(skinned.submesh(1).index_start, 6U);
    EXPECT_EQ(skinned.submesh(1).index_count, 3U);
    EXPECT_EQ(skinned.inverse_bind(2).m[13], -2);
    EXPECT_TRUE(skinned.has_bounds());
    EXPECT_EQ(skinned.bounds().aabb_max, (Vec3f{1, 1, 0}));
    EXPECT_EQ(skinned.bounds().sphere_radius, 0.75F);
    EXPECT_TRUE(skinned.has_geometry_to_model());
    EXPECT_EQ(skinned.geometry_to_model().m[13], 2);
    const MeshPartView plain = view.part(1);
    EXPECT_FALSE(plain.is_skinned());
    EXPECT_FALSE(plain.has_geometry_to_model());
    EXPECT_TRUE(is_identity(plain.geometry_to_model()));
    EXPECT_EQ(plain.index_size(), 2U);
    EXPECT_EQ(plain.index(2), 2U);
    EXPECT_EQ(plain.indices16()[1], 1);
    EXPECT_EQ(view.vertex_total(), 8U);
    EXPECT_EQ(view.index_total(), 12U);
    EXPECT_EQ(view.submesh_total(), 3U);

    ASSERT_EQ(view.clip_count(), 2U);
    const ClipView clip = view.clip(0);
    EXPECT_EQ(clip.name(), "idle");
    EXPECT_EQ(clip.duration_seconds(), 1.0F);
    EXPECT_TRUE(clip.is_looping());
    EXPECT_FALSE(clip.has_root_motion());
    EXPECT_EQ(clip.root_bone_index(), -1);
    ASSERT_EQ(clip.track_count(), 2U);
    const TrackView track = clip.track(1);
    EXPECT_EQ(track.bone_index(), 2U);
    EXPECT_EQ(track.translation_count(), 0U);
    EXPECT_EQ(track.rotation_count(), 2U);
    EXPECT_EQ(track.rotation(1).time_seconds, 0.25F);
    EXPECT_EQ(track.rotation(1).value, (Quatf{0, 0, 0, 1}));
    EXPECT_EQ(track.scale(0).value, (Vec3f{1, 1, 1}));
    EXPECT_EQ(clip.track(0).translation(1).value, (Vec3f{1, 2, 3}));
    EXPECT_EQ(clip.track_at(track.byte_offset()).bone_index(), 2U);
    EXPECT_EQ(view.find_clip("walk \xE6\xAD\xA9"), 1U);
    EXPECT_EQ(view.find_clip("run"), 2U);
    EXPECT_EQ(view.clip(1).root_bone_index(), 0);
    EXPECT_TRUE(view.clip(1).has_root_motion());
}

TEST(ModelView, IsEmptyBeforeAndAfterFailure) {
    ModelView view;
    EXPECT_TRUE(view.is_empty());
    test::Touch::everything(view);
    const ExactBlock good(test::sample().bytes);
    ASSERT_EQ(verify(good.bytes(), {}, view, nullptr), Status::Ok);
    EXPECT_EQ(view.part_count(), 2U);
    EXPECT_EQ(verify(good.bytes().first(600), {}, view, nullptr), Status::BadChunkTable);
    EXPECT_TRUE(view.is_empty());
    EXPECT_EQ(view.part_count(), 0U);
    EXPECT_EQ(view.string_count(), 0U);
}

TEST(ModelView, IndicesOutOfRangeGiveEmptyValues) {
    const ExactBlock file(test::sample().bytes);
    ModelView view;
    ASSERT_EQ(verify(file.bytes(), {}, view, nullptr), Status::Ok);
    constexpr std::uint32_t kFar = 0xFFFFFFFF;
    for (const std::uint32_t i : {10U, kFar}) {
        EXPECT_EQ(view.material(i).name, "");
        EXPECT_EQ(view.bone(i).path, "");
        EXPECT_EQ(view.bone_parent(i), -1);
        EXPECT_TRUE(is_identity(view.bind_local(i)));
        EXPECT_EQ(view.part(i).vertex_count(), 0U);
        EXPECT_EQ(view.clip(i).track_count(), 0U);
        EXPECT_EQ(view.part(0).vertex(i).position[0], 0);
        EXPECT_EQ(view.part(0).index(i), 0U);
        EXPECT_EQ(view.part(0).submesh(i).index_count, 0U);
        EXPECT_TRUE(is_identity(view.part(0).inverse_bind(i)));
        EXPECT_EQ(view.clip(0).track(i).rotation_count(), 0U);
        EXPECT_EQ(view.clip(0).track(0).translation(i).time_seconds, 0);
        EXPECT_EQ(view.clip(0).track(0).rotation(i).value, (Quatf{}));
        EXPECT_EQ(view.clip(0).track(0).scale(i).value, (Vec3f{}));
    }
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{511}, file.bytes().size() - 1, ~std::uint64_t{0}})
        EXPECT_EQ(view.clip(0).track_at(offset).byte_size(), 0U);
}

// gom.md 1: within 1e-6 a reader uses 0 0 0 1.
TEST(ModelView, SetsTheLastColumn) {
    Builder b = test::sample();
    b.set("SKEL.bindLocal[0][3]", 5e-7F);
    b.set("MSH0[0].IBND.inverseBind[1][15]", 1.0000005F);
    b.set("MSH0[0].GBTM.meshBindGeoToModel[7]", -5e-7F);
    const ExactBlock file(b.bytes);
    ModelView view;
    ASSERT_EQ(verify(file.bytes(), {}, view, nullptr), Status::Ok);
    EXPECT_EQ(view.bind_local(0).m[3], 0);
    EXPECT_EQ(view.part(0).inverse_bind(1).m[15], 1);
    EXPECT_EQ(view.part(0).geometry_to_model().m[7], 0);
}

// gom.md 4, both test vectors.
TEST(ModelView, SkeletonSignatureIsThePages) {
    ModelView view;
    const ExactBlock a(
        test::skeleton_only({{-1, {"Root", "Root"}}, {0, {"Spine", "Root/Spine"}}, {1, {"Arm_L", "Root/Spine/Arm_L"}}}).bytes);
    ASSERT_EQ(verify(a.bytes(), {}, view, nullptr), Status::Ok);
    EXPECT_EQ(hex(view.skeleton_signature()), "71c2de0bb68c1b53d973fd76c5469a69b71e1e19a155f1508ae301b93a8b84d9");
    const ExactBlock b(test::skeleton_only({{-1, {"Root", "Root"}},
                                            {0, {"Arm", "Root/Arm"}},
                                            {0, {"Arm-L", "Root/Arm-L"}},
                                            {2, {"Hand", "Root/Arm-L/Hand"}},
                                            {1, {"Hand", "Root/Arm/Hand"}}})
                           .bytes);
    ASSERT_EQ(verify(b.bytes(), {}, view, nullptr), Status::Ok);
    EXPECT_EQ(hex(view.skeleton_signature()), "0e061257585b6252a425729dff6cbce148e537361263c6bc2b0638b946e5505d");
    const std::array<std::uint8_t, 4> none{};
    EXPECT_EQ(ModelView{}.skeleton_signature(), sha256(std::span<const std::uint8_t>(none)));
}

// Many parts and clips, other chunks between them: access by index, by loop and the order in the file agree.
TEST(ModelView, FindsManyPartsAndClips) {
    Builder b;
    test::header(b);
    std::vector<std::string> names;
    for (int i = 0; i < 1000; ++i) names.push_back("n" + std::to_string(1000 + i));
    test::strings(b, names);
    b.begin("MATL", "MATL");
    b.count("count", 1);
    test::material(b, "slot[0]", 0, 0);
    b.end();
    for (std::uint32_t i = 0; i < 1000; ++i) {
        test::part(b, "MSH0[" + std::to_string(i) + "]", i, {{0, 0}, {0, 1}, {1, 1}}, {0, 1, 2}, false, 0, false, {{0, 0, 3}});
        if (i % 3 == 0) {
            b.begin("other", "XTRA");
            b.zeros(i % 40);
            b.end();
        }
    }
    b.begin("ANIM", "ANIM");
    b.u32(1000);
    b.end();
    for (std::uint32_t i = 0; i < 1000; ++i)
        test::clip(b, "CLP0[" + std::to_string(i) + "]", 999 - i, static_cast<float>(i), -1, 0, {});
    test::table(b);
    const ExactBlock file(b.bytes);
    ModelView view;
    ErrorInfo info;
    ASSERT_EQ(verify(file.bytes(), {}, view, &info), Status::Ok) << info.part;
    ASSERT_EQ(view.part_count(), 1000U);
    std::uint32_t i = 0;
    for (const MeshPartView part : view.parts()) {
        ASSERT_EQ(part.byte_offset(), b.at("MSH0[" + std::to_string(i) + "]"));
        ASSERT_EQ(view.part(i).byte_offset(), part.byte_offset());
        ASSERT_EQ(part.name(), names[i]);
        ++i;
    }
    EXPECT_EQ(i, 1000U);
    i = 0;
    for (const ClipView clip : view.clips()) {
        ASSERT_EQ(clip.byte_offset(), b.at("CLP0[" + std::to_string(i) + "]"));
        ASSERT_EQ(view.clip(i).duration_seconds(), static_cast<float>(i));
        ++i;
    }
    EXPECT_EQ(i, 1000U);
}

// Strings may overlap, leave gaps and come in any order; what they say is the same.
TEST(ModelView, ReadsStringsInAnyOrder) {
    Builder b;
    test::header(b);
    b.begin("STR0", "STR0");
    b.u32(4);
    for (const std::uint32_t offset : {6U, 2U, 0U, 12U}) b.u32(offset);
    b.text("hello");
    b.u8(0);
    b.text("abc");
    b.u8(0);
    b.text("\xFF\x01");  // a gap that no string touches
    b.text("z");
    b.u8(0);
    b.end();
    test::bare_materials(b, 0);
    const ExactBlock file(b.bytes);
    ModelView view;
    ErrorInfo info;
    ASSERT_EQ(verify(file.bytes(), {}, view, &info), Status::Ok) << info.part << message(info.status);
    EXPECT_EQ(view.string(0), "abc");
    EXPECT_EQ(view.string(1), "llo");
    EXPECT_EQ(view.string(2), "hello");
    EXPECT_EQ(view.string(3), "z");
}

}  // namespace
}  // namespace gomkit::runtime
