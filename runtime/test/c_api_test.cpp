// The C interface, used by C code (c_api_user.c), against the C++ one, bit by bit.

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "c_api_user.h"
#include "clip_maker.hpp"

namespace gomkit::runtime {
namespace {

using test::about;
using test::Builder;
using test::Loaded;
using test::Memory;

// sample()'s skeleton and parts with clips that move.
Builder model_bytes() {
    Builder b = test::sample();
    b.set("CLP0[1].rootBoneIndex", 0U);
    return b;
}

Builder motion_bytes() {
    return test::make_motion(
        test::kSampleSignature,
        {{"a turn",
          0.75F,
          0,
          3,
          {{0, {{0.0F, {0, 1, 0}}, {0.75F, {1, 1, 2}}}, {{0.0F, {}}, {0.75F, about({0.6F, 0.8F, 0}, 1)}}, {}},
           {1, {}, {{0.1F, about({1, 0, 0}, 0.5)}, {0.7F, about({0, 0, 1}, 1.5)}}, {{0.2F, {1, 2, 1}}, {0.3F, {2, 1, 1}}}}}},
         {"b other", 1, -1, 0, {{2, {{0.0F, {0, 1, 0}}}, {}, {}}}}});
}

template <class T>
bool same_bits(const T* a, const void* b, std::size_t count) {
    return std::memcmp(a, b, count * sizeof(T)) == 0;
}

TEST(CApi, GivesTheBitsOfTheCppInterface) {
    const Loaded<ModelView> model(model_bytes());
    const Loaded<MotionView> motion(motion_bytes());
    const ModelView& view = model.view;
    const std::uint32_t bones = view.bone_count();
    for (const float time : {0.0F, 0.1F, 0.3333F, 0.6F, 1.9F, -0.2F}) {
        Memory result(sizeof(c_user_result));
        auto* c = reinterpret_cast<c_user_result*>(result.bytes().data());
        c_user_run(model.block.bytes().data(), model.block.bytes().size(), motion.block.bytes().data(),
                   motion.block.bytes().size(), time, c);
        ASSERT_EQ(c->failed, GOMKIT_OK) << "line " << c->line << ": " << gomkit_status_message(c->failed);

        std::vector<BoneLocal> bind(bones), sampled(bones), from_motion(bones), blended(bones);
        ASSERT_EQ(bind_pose(view, bind), Status::Ok);
        const auto sample = [&](const ClipView& clip, std::span<BoneLocal> out) {
            Memory memory(SampleContext::required_bytes(view, clip));
            SampleContext context;
            ASSERT_EQ(context.bind(view, clip, bind, memory.bytes()), Status::Ok);
            ASSERT_EQ((SampleJob{.context = &context, .time_seconds = time, .output = out}.run()), Status::Ok);
        };
        sample(view.clip(0), sampled);
        sample(motion.view.clip(0), from_motion);
        EXPECT_TRUE(same_bits(sampled.data(), c->sampled, bones));
        EXPECT_TRUE(same_bits(from_motion.data(), c->from_motion, bones));

        const BlendLayer layers[] = {{.pose = sampled, .weight = 0.5F}, {.pose = from_motion, .weight = 0.5F}};
        const AdditiveLayer additive[] = {{.pose = from_motion, .weight = 0.25F}};
        ASSERT_EQ((BlendJob{.bind = bind, .layers = layers, .additive_layers = additive, .output = blended}.run()), Status::Ok);
        EXPECT_TRUE(same_bits(blended.data(), c->blended, bones));

        const MeshPartView part = view.part(0);
        std::vector<Mat4d> bone_to_model(bones);
        std::vector<Mat4f> palette(palette_size(part));
        std::vector<Mat3x4f> palette_3x4(palette_size(part));
        ASSERT_EQ((LocalToModelJob{.model = &view, .locals = blended, .bone_to_model = bone_to_model}.run()), Status::Ok);
        ASSERT_EQ((PaletteJob{.part = &part,
                              .bone_to_model = bone_to_model,
                              .space = PaletteSpace::Model,
                              .palette = palette,
                              .palette_3x4 = palette_3x4}
                       .run()),
                  Status::Ok);
        EXPECT_TRUE(same_bits(bone_to_model.data(), c->bone_to_model, bones));
        EXPECT_TRUE(same_bits(palette.data(), c->palette, palette.size()));
        EXPECT_TRUE(same_bits(palette_3x4.data(), c->palette_3x4, palette.size()));

        std::vector<float> positions(part.vertex_count() * 3), normals(positions.size()), tangents(part.vertex_count() * 4);
        SkinJob skin;
        skin.read_part(part);
        skin.palette = palette;
        skin.out_positions = {std::as_writable_bytes(std::span(positions)), 12};
        skin.out_normals = {std::as_writable_bytes(std::span(normals)), 12};
        skin.out_tangents = {std::as_writable_bytes(std::span(tangents)), 16};
        ASSERT_EQ(skin.run(), Status::Ok);
        EXPECT_TRUE(same_bits(positions.data(), c->positions, positions.size()));
        EXPECT_TRUE(same_bits(normals.data(), c->normals, normals.size()));
        EXPECT_TRUE(same_bits(tangents.data(), c->tangents, tangents.size()));
        EXPECT_NE(positions[4], 0.0F);

        const MotionView* motions[] = {&motion.view};
        Memory memory(Player::required_bytes(view, motions));
        Player player;
        ASSERT_EQ(player.init(view, motions, memory.bytes()), Status::Ok);
        player.set_takes_root_motion(true);
        ASSERT_EQ(player.play(0, {}), Status::Ok);
        for (std::uint32_t step = 0; step < kCUserSteps; ++step) {
            if (step == kCUserSteps / 2) {
                ASSERT_EQ(player.play(view.clip_count(), {.fade_seconds = 0.25F, .speed = -1.5F, .repeat = Repeat::Loop}),
                          Status::Ok);
            }
            ASSERT_EQ(player.update(0.03125F), Status::Ok);
            ASSERT_TRUE(same_bits(player.pose().data(), c->played[step], bones)) << step;
            ASSERT_TRUE(same_bits(&player.root_motion_delta(), &c->deltas[step], 1)) << step;
        }
        EXPECT_NE(player.root_motion_delta().x, 0);
    }
}

TEST(CApi, StatusNumbersAreThoseOfCpp) {
    std::vector<int> c;
    for (const int* at = c_user_statuses(); *at >= 0; ++at) c.push_back(*at);
    std::vector<int> cpp;
    for (int v = 0; v < 1000; ++v)
        if (std::string(name(static_cast<Status>(v))) != "Unknown") cpp.push_back(v);
    EXPECT_EQ(c, cpp);
    EXPECT_STREQ(gomkit_status_name(GOMKIT_BAD_UTF8), "BadUtf8");
    EXPECT_STREQ(gomkit_status_name(GOMKIT_SIGNATURE_MISMATCH), "SignatureMismatch");
    EXPECT_STREQ(gomkit_status_message(GOMKIT_OK), "no error");
    EXPECT_STREQ(gomkit_limit_name(static_cast<std::uint32_t>(LimitId::Bones)), "bones");
}

// An object of the C interface, in memory of its own.
template <class T>
class Object {
public:
    Object(std::size_t size, std::size_t alignment)
        : alignment_(alignment), at_(static_cast<T*>(::operator new (size, std::align_val_t{alignment}))) {}
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    ~Object() { ::operator delete (static_cast<void*>(at_), std::align_val_t{alignment_}); }
    [[nodiscard]] T* get() const { return at_; }

private:
    std::size_t alignment_;
    T* at_;
};

TEST(CApi, ReadsWhatTheFilesHold) {
    const Loaded<ModelView> file(model_bytes());
    const ModelView& view = file.view;
    const Object<gomkit_model> object(gomkit_model_size(), gomkit_model_alignment());
    gomkit_model* model = object.get();
    gomkit_error_info info;
    std::memset(&info, 0xFF, sizeof(info));
    ASSERT_EQ(gomkit_model_verify(model, file.block.bytes().data(), file.block.bytes().size(), nullptr, &info), GOMKIT_OK);
    EXPECT_EQ(info.status, 0U);
    EXPECT_STREQ(info.part, "");
    EXPECT_STREQ(gomkit_model_converter_version(model).data, "gomkit 1");
    EXPECT_EQ(gomkit_model_converter_version(model).size, 8U);
    std::uint8_t hash[32];
    gomkit_model_source_hash(model, hash);
    EXPECT_EQ(hash[31], 31);
    gomkit_model_skeleton_signature(model, hash);
    EXPECT_EQ(std::memcmp(hash, test::kSampleSignature.data(), 32), 0);
    EXPECT_EQ(gomkit_model_material_count(model), 2U);
    EXPECT_EQ(gomkit_model_bone_count(model), 3U);
    EXPECT_EQ(gomkit_model_part_count(model), 2U);
    EXPECT_EQ(gomkit_model_clip_count(model), 2U);

    const gomkit_material material = gomkit_model_material(model, 0);
    EXPECT_STREQ(material.name.data, "Mat");
    EXPECT_EQ(material.diffuse[1], 0.5F);
    EXPECT_EQ(material.specular[0], 0.04F);
    EXPECT_EQ(material.emissive[2], 0);
    EXPECT_EQ(material.shininess, 32);
    EXPECT_EQ(material.opacity, 1);
    EXPECT_STREQ(material.diffuse_map.data, "B");
    EXPECT_STREQ(material.normal_map.data, "");
    EXPECT_EQ(gomkit_model_material(model, 2).name.size, 0U);

    const gomkit_bone bone = gomkit_model_bone(model, 2);
    EXPECT_EQ(bone.parent, 1);
    EXPECT_STREQ(bone.name.data, "Hand");
    EXPECT_STREQ(bone.path.data, "Root/Arm/Hand");
    EXPECT_EQ(bone.bind_local[13], 1);

    const gomkit_part part = gomkit_model_part(model, 0);
    EXPECT_STREQ(part.name.data, "B");
    EXPECT_EQ(part.vertex_count, 5U);
    EXPECT_EQ(part.index_count, 9U);
    EXPECT_EQ(part.submesh_count, 2U);
    EXPECT_EQ(part.bone_count, 3U);
    EXPECT_EQ(part.index_size, 4U);
    EXPECT_EQ(part.has_bounds, 1U);
    EXPECT_EQ(part.aabb_min[0], 0);
    EXPECT_EQ(part.aabb_max[0], 1);
    EXPECT_EQ(part.sphere_center[1], 0.5F);
    EXPECT_EQ(part.sphere_radius, 0.75F);
    EXPECT_EQ(part.has_geometry_to_model, 1U);
    EXPECT_EQ(part.geometry_to_model[13], 2);
    EXPECT_EQ(part.vertices, view.part(0).vertex_bytes().data());
    EXPECT_EQ(part.indices, view.part(0).index_bytes().data());
    EXPECT_EQ(static_cast<const gomkit_vertex*>(part.vertices)[2].bone_weight[1], 0.25F);
    EXPECT_EQ(gomkit_model_part(model, 1).has_geometry_to_model, 0U);
    EXPECT_EQ(gomkit_model_part(model, 1).index_size, 2U);
    EXPECT_EQ(gomkit_model_part(model, 2).vertices, nullptr);
    EXPECT_EQ(gomkit_model_submesh(model, 0, 1).material_index, 1U);
    EXPECT_EQ(gomkit_model_submesh(model, 0, 1).index_start, 6U);
    EXPECT_EQ(gomkit_model_submesh(model, 0, 1).index_count, 3U);
    EXPECT_EQ(gomkit_model_submesh(model, 0, 2).index_count, 0U);

    const gomkit_clip clip = gomkit_model_clip(model, 1);
    EXPECT_STREQ(clip.name.data, "walk \xE6\xAD\xA9");
    EXPECT_EQ(clip.duration_seconds, 0.5F);
    EXPECT_EQ(clip.root_bone_index, 0);
    EXPECT_EQ(clip.flags, 1U);
    EXPECT_EQ(clip.track_count, 1U);
    EXPECT_EQ(gomkit_model_find_clip(model, "idle"), 0U);
    EXPECT_EQ(gomkit_model_find_clip(model, "none"), 2U);
    EXPECT_EQ(gomkit_palette_size(model, 0), 3U);
    EXPECT_EQ(gomkit_palette_size(model, 2), 0U);

    const Loaded<MotionView> motion_file(motion_bytes());
    const Object<gomkit_motion> motion_object(gomkit_motion_size(), gomkit_motion_alignment());
    gomkit_motion* motion = motion_object.get();
    const auto bytes = motion_file.block.bytes();
    ASSERT_EQ(gomkit_motion_verify(motion, bytes.data(), bytes.size(), nullptr, &info), GOMKIT_OK);
    EXPECT_EQ(gomkit_motion_clip_count(motion), 2U);
    EXPECT_EQ(gomkit_motion_find_clip(motion, "b other"), 1U);
    EXPECT_STREQ(gomkit_motion_clip(motion, 0).name.data, "a turn");
    EXPECT_EQ(gomkit_motion_converter_version(motion).size, 0U);
    gomkit_motion_source_hash(motion, hash);
    EXPECT_EQ(hash[30], 30);
    gomkit_motion_skeleton_signature(motion, hash);
    EXPECT_EQ(std::memcmp(hash, test::kSampleSignature.data(), 32), 0);

    // The player's small questions.
    const gomkit_motion* motions[] = {motion};
    const Object<gomkit_player> player_object(gomkit_player_size(), gomkit_player_alignment());
    gomkit_player* player = player_object.get();
    Memory memory(gomkit_player_required_bytes(model, motions, 1));
    ASSERT_EQ(gomkit_player_init(player, model, motions, 1, memory.bytes().data(), memory.bytes().size()), GOMKIT_OK);
    EXPECT_EQ(gomkit_player_clip_count(player), 4U);
    EXPECT_EQ(gomkit_player_find_clip(player, "b other"), 3U);
    EXPECT_STREQ(gomkit_player_clip(player, 3).name.data, "b other");
    EXPECT_EQ(gomkit_player_is_playing(player), 0);
    gomkit_play_options options = gomkit_play_options_default();
    EXPECT_EQ(options.speed, 1);
    options.speed = 2;
    options.start_seconds = 0.25F;
    EXPECT_EQ(gomkit_player_play(player, 3, options), GOMKIT_OK);
    EXPECT_EQ(gomkit_player_is_playing(player), 1);
    EXPECT_EQ(gomkit_player_clip_index(player), 3U);
    EXPECT_EQ(gomkit_player_time(player), 0.25F);
    EXPECT_EQ(gomkit_player_speed(player), 2);
    EXPECT_EQ(gomkit_player_fade_weight(player), 1);
    EXPECT_EQ(gomkit_player_set_speed(player, 4), GOMKIT_OK);
    EXPECT_EQ(gomkit_player_update(player, 1), GOMKIT_OK);
    EXPECT_EQ(gomkit_player_is_finished(player), 1);
    EXPECT_EQ(gomkit_player_set_time(player, 0.5F), GOMKIT_OK);
    EXPECT_EQ(gomkit_player_time(player), 0.5F);
    gomkit_player_stop(player);
    EXPECT_EQ(gomkit_player_is_playing(player), 0);
    options.repeat = 3;
    EXPECT_EQ(gomkit_player_play(player, 3, options), GOMKIT_BAD_ARGUMENT);
    EXPECT_EQ(gomkit_player_play(player, 4, gomkit_play_options_default()), GOMKIT_BAD_ARGUMENT);
}

TEST(CApi, SaysWhatIsWrong) {
    const Loaded<ModelView> file(model_bytes());
    const auto bytes = file.block.bytes();
    const Object<gomkit_model> object(gomkit_model_size() + 16, gomkit_model_alignment());
    gomkit_model* model = object.get();
    gomkit_error_info info;
    EXPECT_EQ(gomkit_model_verify(model, bytes.data(), 600, nullptr, &info), GOMKIT_BAD_CHUNK_TABLE);
    EXPECT_EQ(info.status, static_cast<std::uint32_t>(GOMKIT_BAD_CHUNK_TABLE));
    EXPECT_STREQ(info.part, "header.chunkTableOffset");
    EXPECT_EQ(info.byte_offset, 64U);
    EXPECT_EQ(info.kind, 1U);
    EXPECT_EQ(info.expected, 600U);
    EXPECT_EQ(gomkit_model_bone_count(model), 0U);
    gomkit_limits limits = gomkit_limits_default();
    EXPECT_EQ(limits.max_bones, 4096U);
    EXPECT_EQ(limits.max_file_bytes, Limits{}.max_file_bytes);
    EXPECT_EQ(gomkit_limits_small().max_strings, Limits::small().max_strings);
    limits.max_clips = 1;
    EXPECT_EQ(gomkit_model_verify(model, bytes.data(), bytes.size(), &limits, &info), GOMKIT_LIMIT_EXCEEDED);
    EXPECT_STREQ(gomkit_limit_name(info.limit), "clips");
    // Every member goes where it belongs.
    uint64_t gomkit_limits::*const members[] = {
        &gomkit_limits::max_bones,     &gomkit_limits::max_vertices,        &gomkit_limits::max_indices,
        &gomkit_limits::max_submeshes, &gomkit_limits::max_mesh_parts,      &gomkit_limits::max_material_slots,
        &gomkit_limits::max_clips,     &gomkit_limits::max_tracks_per_clip, &gomkit_limits::max_keys_per_clip,
        &gomkit_limits::max_strings,   &gomkit_limits::max_string_bytes,    &gomkit_limits::max_file_bytes};
    std::uint32_t id = 1;
    for (const auto member : members) {
        limits = gomkit_limits_default();
        limits.*member = 0;
        EXPECT_EQ(gomkit_model_verify(model, bytes.data(), bytes.size(), &limits, &info), GOMKIT_LIMIT_EXCEEDED);
        EXPECT_EQ(info.limit, id++);
    }
    const test::Builder shapes = test::morph_sample();
    const test::ExactBlock shapes_file(shapes.bytes);
    uint64_t gomkit_limits::*const morph_members[] = {&gomkit_limits::max_morph_channels, &gomkit_limits::max_morph_shapes,
                                                      &gomkit_limits::max_morph_vertices};
    id = static_cast<std::uint32_t>(LimitId::MorphChannels);
    for (const auto member : morph_members) {
        limits = gomkit_limits_default();
        limits.*member = 0;
        EXPECT_EQ(gomkit_model_verify(model, shapes_file.bytes().data(), shapes_file.bytes().size(), &limits, &info),
                  GOMKIT_LIMIT_EXCEEDED);
        EXPECT_EQ(info.limit, id++);
    }
    EXPECT_EQ(gomkit_model_verify(model, bytes.data() + 8, bytes.size() - 8, nullptr, &info), GOMKIT_MISALIGNED);
    auto* crooked = reinterpret_cast<gomkit_model*>(reinterpret_cast<std::uintptr_t>(model) + 1);
    EXPECT_EQ(gomkit_model_verify(crooked, bytes.data(), bytes.size(), nullptr, &info), GOMKIT_MISALIGNED);
    ASSERT_EQ(gomkit_model_verify(model, bytes.data(), bytes.size(), nullptr, nullptr), GOMKIT_OK);

    const Loaded<MotionView> other(test::make_motion({}, {}));
    const Object<gomkit_motion> motion(gomkit_motion_size(), gomkit_motion_alignment());
    EXPECT_EQ(gomkit_motion_verify(motion.get(), bytes.data(), bytes.size(), nullptr, nullptr), GOMKIT_IS_MODEL);
    ASSERT_EQ(gomkit_motion_verify(motion.get(), other.block.bytes().data(), other.block.bytes().size(), nullptr, nullptr),
              GOMKIT_OK);
    const gomkit_motion* motions[] = {motion.get()};
    std::size_t index = 9;
    EXPECT_EQ(gomkit_match(model, motions, 1, &info, &index), GOMKIT_SIGNATURE_MISMATCH);
    EXPECT_EQ(index, 0U);
    EXPECT_STREQ(info.part, "header.skeletonSig");
    EXPECT_EQ(gomkit_match(model, nullptr, 0, nullptr, nullptr), GOMKIT_OK);
    const std::vector<const gomkit_motion*> many(GOMKIT_MAX_MOTIONS + 1, motion.get());
    EXPECT_EQ(gomkit_match(model, many.data(), many.size(), &info, &index), GOMKIT_BAD_ARGUMENT);
    EXPECT_EQ(gomkit_player_required_bytes(model, many.data(), many.size()), 0U);
    const Object<gomkit_player> player(gomkit_player_size(), gomkit_player_alignment());
    EXPECT_EQ(gomkit_player_init(player.get(), model, many.data(), many.size(), nullptr, 0), GOMKIT_BAD_ARGUMENT);
    EXPECT_EQ(gomkit_player_init(player.get(), model, motions, 1, nullptr, 0), GOMKIT_SIGNATURE_MISMATCH);
    EXPECT_EQ(gomkit_player_clip_count(player.get()), 0U);

    alignas(16) gomkit_bone_local pose[4] = {};
    auto* shifted = reinterpret_cast<gomkit_bone_local*>(reinterpret_cast<char*>(pose) + 4);
    EXPECT_EQ(gomkit_bind_pose(model, shifted, 3), GOMKIT_MISALIGNED);
    EXPECT_EQ(gomkit_bind_pose(model, pose, 4), GOMKIT_WRONG_SIZE);
    EXPECT_EQ(gomkit_bind_pose(model, pose, 3), GOMKIT_OK);
    const std::vector<gomkit_blend_layer> layers(GOMKIT_MAX_BLEND_LAYERS + 1, {pose, nullptr, 1});
    EXPECT_EQ(gomkit_blend(pose, 3, layers.data(), layers.size(), nullptr, 0, pose), GOMKIT_BAD_ARGUMENT);
    EXPECT_EQ(gomkit_blend(pose, 3, layers.data(), layers.size() - 1, nullptr, 0, pose), GOMKIT_OK);
    EXPECT_EQ(gomkit_blend(pose, 3, nullptr, 0, nullptr, 0, shifted), GOMKIT_MISALIGNED);
    const gomkit_blend_layer without_pose = {nullptr, nullptr, 1};
    EXPECT_EQ(gomkit_blend(pose, 3, &without_pose, 1, nullptr, 0, pose), GOMKIT_WRONG_SIZE);
    const Object<gomkit_sampler> sampler(gomkit_sampler_size(), gomkit_sampler_alignment());
    EXPECT_EQ(gomkit_sampler_init(sampler.get(), model, nullptr, 2, pose, 3, nullptr, 0), GOMKIT_BAD_ARGUMENT);
    EXPECT_EQ(gomkit_sampler_init(sampler.get(), model, nullptr, 0, pose, 3, nullptr, 0), GOMKIT_WRONG_SIZE);
    EXPECT_EQ(gomkit_sample(sampler.get(), 0, pose, 3), GOMKIT_NOT_BOUND);
    double matrices[48];
    EXPECT_EQ(gomkit_local_to_model(model, shifted, 3, matrices), GOMKIT_MISALIGNED);
    EXPECT_EQ(gomkit_local_to_model(model, pose, 3, matrices), GOMKIT_OK);
    float palette[48];
    EXPECT_EQ(gomkit_palette(model, 2, matrices, 3, GOMKIT_PALETTE_MODEL, palette, nullptr, 3), GOMKIT_BAD_ARGUMENT);
    EXPECT_EQ(gomkit_palette(model, 0, matrices, 3, 3, palette, nullptr, 3), GOMKIT_BAD_ARGUMENT);
    EXPECT_EQ(gomkit_palette(model, 0, matrices, 3, GOMKIT_PALETTE_MODEL, palette, nullptr, 2), GOMKIT_WRONG_SIZE);
    EXPECT_EQ(gomkit_palette(model, 0, matrices, 3, GOMKIT_PALETTE_MODEL, palette, nullptr, 3), GOMKIT_OK);
    EXPECT_EQ(gomkit_skin_part(model, 2, palette, 3, {}, {}, {}), GOMKIT_BAD_ARGUMENT);
}

TEST(CApi, BlendShapesAreTheCppOnes) {
    const Builder bytes = test::morph_sample();
    const Loaded<ModelView> cpp(bytes);
    const ModelView& view = cpp.view;
    const Object<gomkit_model> model(gomkit_model_size(), gomkit_model_alignment());
    const auto file = cpp.block.bytes();
    ASSERT_EQ(gomkit_model_verify(model.get(), file.data(), file.size(), nullptr, nullptr), GOMKIT_OK);

    ASSERT_EQ(gomkit_model_morph_channel_count(model.get()), 2U);
    for (std::uint32_t i = 0; i < 3; ++i) {
        const MorphChannelView wanted = view.morph_channel(i);
        const gomkit_morph_channel got = gomkit_model_morph_channel(model.get(), i);
        EXPECT_EQ(std::string_view(got.name.data, got.name.size), wanted.name) << i;
        EXPECT_EQ(got.default_weight, wanted.default_weight) << i;
        EXPECT_EQ(got.shape_count, wanted.shape_count) << i;
    }
    EXPECT_EQ(gomkit_model_find_morph_channel(model.get(), "smile"), 1U);
    EXPECT_EQ(gomkit_model_find_morph_channel(model.get(), "frown"), 2U);

    float weights[2] = {}, wanted_weights[2] = {};
    ASSERT_EQ(gomkit_default_morph_weights(model.get(), weights, 2), GOMKIT_OK);
    ASSERT_EQ(default_morph_weights(view, wanted_weights), Status::Ok);
    EXPECT_TRUE(same_bits(wanted_weights, weights, 2));
    EXPECT_EQ(gomkit_default_morph_weights(model.get(), weights, 1), GOMKIT_WRONG_SIZE);
    const ClipView clip = view.clip(0);
    for (const float time : {0.1F, 0.3F, 0.7F, 2.0F}) {
        ASSERT_EQ(gomkit_sample_morphs(model.get(), 0, time, weights, 2), GOMKIT_OK);
        ASSERT_EQ((MorphSampleJob{.model = &view, .clip = &clip, .time_seconds = time, .output = wanted_weights}.run()), Status::Ok);
        EXPECT_TRUE(same_bits(wanted_weights, weights, 2)) << time;
    }
    EXPECT_EQ(gomkit_sample_morphs(model.get(), 1, 0, weights, 2), GOMKIT_BAD_ARGUMENT);
    EXPECT_EQ(gomkit_sample_morphs(model.get(), 0, 0, weights, 3), GOMKIT_WRONG_SIZE);

    const float given[2] = {0.7F, 1.3F};
    const MeshPartView part = view.part(0);
    std::vector<float> positions(12), normals(12), wanted_positions(12), wanted_normals(12);
    const auto c_stream = [](std::vector<float>& v) { return gomkit_stream{v.data(), v.size() * sizeof(float), 12}; };
    const auto cpp_stream = [](std::vector<float>& v) { return OutputStream{std::as_writable_bytes(std::span(v)), 12}; };
    ASSERT_EQ(gomkit_morph_part(model.get(), 0, given, 2, c_stream(positions), c_stream(normals)), GOMKIT_OK);
    MorphJob morph{.model = &view, .part = &part, .weights = given};
    morph.read_part();
    morph.out_positions = cpp_stream(wanted_positions);
    morph.out_normals = cpp_stream(wanted_normals);
    ASSERT_EQ(morph.run(), Status::Ok);
    EXPECT_TRUE(same_bits(wanted_positions.data(), positions.data(), 12));
    EXPECT_TRUE(same_bits(wanted_normals.data(), normals.data(), 12));
    EXPECT_NE(positions[0], 0.0F);
    EXPECT_EQ(gomkit_morph_part(model.get(), 1, given, 2, c_stream(positions), c_stream(normals)), GOMKIT_BAD_ARGUMENT);

    Mat4f palette;
    palette.m[0] = 2;
    palette.m[12] = 3;
    std::vector<float> tangents(16), wanted_tangents(16);
    SkinJob skin;
    skin.read_part(part);
    skin.positions = {std::as_bytes(std::span(wanted_positions)), 12};
    skin.normals = {std::as_bytes(std::span(wanted_normals)), 12};
    skin.palette = {&palette, 1};
    skin.out_positions = morph.out_positions;
    skin.out_normals = morph.out_normals;
    skin.out_tangents = {std::as_writable_bytes(std::span(wanted_tangents)), 16};
    ASSERT_EQ(skin.run(), Status::Ok);
    const gomkit_stream p = c_stream(positions), n = c_stream(normals);
    const gomkit_stream t{tangents.data(), tangents.size() * sizeof(float), 16};
    ASSERT_EQ(gomkit_skin_morphed_part(model.get(), 0, p, n, palette.m, 1, p, n, t), GOMKIT_OK);
    EXPECT_TRUE(same_bits(wanted_positions.data(), positions.data(), 12));
    EXPECT_TRUE(same_bits(wanted_normals.data(), normals.data(), 12));
    EXPECT_TRUE(same_bits(wanted_tangents.data(), tangents.data(), 16));
    EXPECT_GE(positions[0], 3.0F);
    EXPECT_EQ(gomkit_skin_morphed_part(model.get(), 1, p, n, palette.m, 1, p, n, t), GOMKIT_BAD_ARGUMENT);
}

TEST(CApi, GroundMotionIsTheCppOne) {
    const GroundMotion a{0.6, 0.8, 1, 2}, b{-0.28, 0.96, 3, 5}, product = a * b;
    const gomkit_ground_motion c = gomkit_ground_motion_product({0.6, 0.8, 1, 2}, {-0.28, 0.96, 3, 5});
    EXPECT_TRUE(same_bits(&product, &c, 1));
    const gomkit_ground_motion identity = gomkit_ground_motion_identity();
    EXPECT_EQ(identity.yaw_w, 1);
    double matrix[16];
    gomkit_ground_motion_matrix(c, matrix);
    const Mat4d wanted = to_matrix(product);
    EXPECT_TRUE(same_bits(&wanted, matrix, 1));
}

}  // namespace
}  // namespace gomkit::runtime
