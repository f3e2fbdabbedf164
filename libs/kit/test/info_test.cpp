#include <gomkit/kit/info.hpp>
#include <gomkit/kit/signature.hpp>

#include "fakes.hpp"

namespace gomkit::kit {
namespace {

class Info : public testing::Scratch {
protected:
    codec::Registry registry = testing::fake_registry();
    core::Report report;
};

TEST_F(Info, SaysWhatTheModelHolds) {
    put("a.src", "texture tex\\a.png\nlose lights 2\ntexture b.png");
    put("tex/a.png", "x");
    InfoRequest request;
    request.input = Input(path("a.src"));
    const auto info = kit::info(registry, request, report);
    ASSERT_TRUE(info);
    EXPECT_EQ(info->format, "src");
    EXPECT_EQ(info->version, "1");
    ASSERT_EQ(info->meshes.size(), 1u);
    EXPECT_EQ(info->meshes[0].name, "Tri");
    EXPECT_EQ(info->meshes[0].triangles, 1u);
    EXPECT_EQ(info->meshes[0].bones, 0u);
    ASSERT_TRUE(info->bounds_max);
    EXPECT_EQ(info->bounds_max->y, 2.0);
    ASSERT_EQ(info->textures.size(), 2u);
    EXPECT_EQ(info->textures[0].path, "tex/a.png");
    EXPECT_EQ(info->textures[0].file, path("tex/a.png"));
    EXPECT_EQ(info->textures[1].file, "");
    EXPECT_EQ(info->materials[1].textures[0], 1u);
    ASSERT_EQ(info->bones.size(), 1u);
    EXPECT_EQ(info->bones[0].path, "Root");
    ASSERT_EQ(info->clips.size(), 1u);
    EXPECT_EQ(info->clips[0].keys, 2u);
    ASSERT_EQ(report.losses().size(), 1u);
    EXPECT_EQ(report.losses()[0].count, 2u);
    EXPECT_EQ(list(), "a.src tex/ tex/a.png");
}

TEST_F(Info, ListsBlendShapesAndTheirTracks) {
    put("a.src", "shape Smile 0.5");
    InfoRequest request;
    request.input = Input(path("a.src"));
    const auto info = kit::info(registry, request, report);
    ASSERT_TRUE(info);
    ASSERT_EQ(info->meshes[0].morphs.size(), 1u);
    const MorphInfo& morph = info->meshes[0].morphs[0];
    EXPECT_EQ(morph.name, "Smile");
    EXPECT_EQ(morph.default_weight, 0.25);
    ASSERT_EQ(morph.shapes.size(), 1u);
    EXPECT_EQ(morph.shapes[0].weight, 0.5);
    EXPECT_EQ(morph.shapes[0].vertices, 2u);
    ASSERT_EQ(info->clips[0].morph_tracks.size(), 1u);
    EXPECT_EQ(info->clips[0].morph_tracks[0].mesh, "Tri");
    EXPECT_EQ(info->clips[0].morph_tracks[0].channel, "Smile");
    EXPECT_EQ(info->clips[0].morph_tracks[0].keys, 2u);
}

TEST_F(Info, SignatureIsOfPathsAndParents) {
    put("a.src", "");
    SignatureRequest request;
    request.input = Input(path("a.src"));
    const auto text = signature(registry, request, report);
    ASSERT_TRUE(text);
    // sha256 of 01000000 "Root" 00 ffffffff
    EXPECT_EQ(*text, "78d6f8eb923496c1ec2d89cd2169271c486b11c9c164b7060cba6769f6e77bdf");
}

TEST_F(Info, ErrorsAreThoseOfReading) {
    SignatureRequest request;
    request.input = Input(path("none.src"));
    EXPECT_EQ(signature(registry, request, report).error().code, core::Code::CannotOpen);
    InfoRequest info_request;
    info_request.input = Input(put("a.src", "oom"));
    EXPECT_EQ(kit::info(registry, info_request, report).error().code, core::Code::OutOfMemory);
}

}  // namespace
}  // namespace gomkit::kit
