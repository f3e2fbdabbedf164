#include <cstring>

#include "gomkit/runtime/gomkit_runtime.h"
#include "gomkit/runtime/runtime.hpp"

namespace rt = gomkit::runtime;

namespace {

// Objects are made in memory that is there already; <new> belongs to the heap.
struct InPlace {
    static void* operator new(std::size_t, void* memory) noexcept { return memory; }
};

}  // namespace

struct gomkit_model : InPlace {
    rt::ModelView view;
};
struct gomkit_motion : InPlace {
    rt::MotionView view;
};
struct gomkit_sampler : InPlace {
    rt::SampleContext context;
};
struct gomkit_player : InPlace {
    rt::Player player;
};

namespace {

// The C structures are the C++ ones.
static_assert(sizeof(gomkit_bone_local) == sizeof(rt::BoneLocal) && GOMKIT_POSE_ALIGNMENT == alignof(rt::BoneLocal));
static_assert(offsetof(gomkit_bone_local, is_keyed) == offsetof(rt::BoneLocal, is_keyed));
static_assert(offsetof(gomkit_bone_local, rotation) == offsetof(rt::BoneLocal, rotation));
static_assert(offsetof(gomkit_bone_local, scale) == offsetof(rt::BoneLocal, scale));
static_assert(sizeof(gomkit_vertex) == sizeof(rt::Vertex));
static_assert(sizeof(rt::Mat4f) == 16 * sizeof(float) && sizeof(rt::Mat4d) == 16 * sizeof(double));
static_assert(sizeof(rt::Mat3x4f) == 12 * sizeof(float));

template <class T>
bool is_aligned(const void* at) noexcept {
    return reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0;
}

gomkit_status to_c(rt::Status status) noexcept { return static_cast<gomkit_status>(status); }

gomkit_text to_c(std::string_view text) noexcept {
    if (text.empty()) return {"", 0};
    return {text.data(), text.size()};
}

void to_c(const rt::ErrorInfo& from, gomkit_error_info& out) noexcept {
    out.status = static_cast<std::uint32_t>(from.status);
    out.limit = static_cast<std::uint32_t>(from.limit);
    out.kind = static_cast<std::uint32_t>(from.kind);
    std::memcpy(out.part, from.part, sizeof(out.part));
    out.byte_offset = from.byte_offset;
    out.found = from.found;
    out.expected = from.expected;
}

gomkit_limits to_c(const rt::Limits& from) noexcept {
    return {from.max_bones,         from.max_vertices,       from.max_indices,      from.max_submeshes,
            from.max_mesh_parts,    from.max_material_slots, from.max_clips,        from.max_tracks_per_clip,
            from.max_keys_per_clip, from.max_strings,        from.max_string_bytes, from.max_file_bytes,
            from.max_morph_channels, from.max_morph_shapes,  from.max_morph_vertices};
}

rt::Limits from_c(const gomkit_limits& from) noexcept {
    rt::Limits out;
    out.max_bones = from.max_bones;
    out.max_vertices = from.max_vertices;
    out.max_indices = from.max_indices;
    out.max_submeshes = from.max_submeshes;
    out.max_mesh_parts = from.max_mesh_parts;
    out.max_material_slots = from.max_material_slots;
    out.max_clips = from.max_clips;
    out.max_tracks_per_clip = from.max_tracks_per_clip;
    out.max_keys_per_clip = from.max_keys_per_clip;
    out.max_strings = from.max_strings;
    out.max_string_bytes = from.max_string_bytes;
    out.max_file_bytes = from.max_file_bytes;
    out.max_morph_channels = from.max_morph_channels;
    out.max_morph_shapes = from.max_morph_shapes;
    out.max_morph_vertices = from.max_morph_vertices;
    return out;
}

gomkit_clip to_c(const rt::ClipView& clip) noexcept {
    return {to_c(clip.name()), clip.duration_seconds(), clip.root_bone_index(), clip.flags(), clip.track_count(),
            clip.morph_track_count()};
}

gomkit_ground_motion to_c(const rt::GroundMotion& from) noexcept { return {from.yaw_y, from.yaw_w, from.x, from.z}; }
rt::GroundMotion from_c(const gomkit_ground_motion& from) noexcept { return {from.yaw_y, from.yaw_w, from.x, from.z}; }

void copy(const rt::Vec3f& from, float (&out)[3]) noexcept {
    out[0] = from.x;
    out[1] = from.y;
    out[2] = from.z;
}

void copy(const std::array<std::uint8_t, 32>& from, std::uint8_t* out) noexcept { std::memcpy(out, from.data(), from.size()); }

// Arrays of the caller's, as spans of what they are in C++.
std::span<const rt::BoneLocal> pose(const gomkit_bone_local* first, std::size_t count) noexcept {
    return {reinterpret_cast<const rt::BoneLocal*>(first), first != nullptr ? count : 0};
}
std::span<rt::BoneLocal> pose(gomkit_bone_local* first, std::size_t count) noexcept {
    return {reinterpret_cast<rt::BoneLocal*>(first), first != nullptr ? count : 0};
}
template <class Matrix, class Number>
std::span<Matrix> matrices(Number* first, std::size_t count) noexcept {
    return {reinterpret_cast<Matrix*>(first), first != nullptr ? count : 0};
}

rt::ClipView clip_of(const gomkit_model& model, const gomkit_motion* motion, std::uint32_t index) noexcept {
    return motion != nullptr ? motion->view.clip(index) : model.view.clip(index);
}
std::uint32_t clip_count_of(const gomkit_model& model, const gomkit_motion* motion) noexcept {
    return motion != nullptr ? motion->view.clip_count() : model.view.clip_count();
}

// The views of an array of motions.
class Motions {
public:
    Motions(const gomkit_motion* const* motions, std::size_t count) noexcept : count_(count) {
        if (count > GOMKIT_MAX_MOTIONS) return;
        for (std::size_t i = 0; i < count; ++i) views_[i] = &motions[i]->view;
        fits_ = true;
    }
    [[nodiscard]] bool fits() const noexcept { return fits_; }
    [[nodiscard]] std::span<const rt::MotionView* const> views() const noexcept { return {views_, count_}; }

private:
    const rt::MotionView* views_[GOMKIT_MAX_MOTIONS];
    std::size_t count_;
    bool fits_ = false;
};

template <class Object>
gomkit_status verify(Object* out, const void* bytes, std::size_t size, const gomkit_limits* limits,
                     gomkit_error_info* info) noexcept {
    rt::ErrorInfo error;
    rt::Status status = rt::Status::Misaligned;
    if (is_aligned<Object>(out)) {
        new (out) Object;
        status = rt::verify({static_cast<const std::byte*>(bytes), size}, limits != nullptr ? from_c(*limits) : rt::Limits{},
                            out->view, &error);
    } else {
        error.status = status;
    }
    if (info != nullptr) to_c(error, *info);
    return to_c(status);
}

rt::OutputStream stream(const gomkit_stream& from) noexcept {
    return {{static_cast<std::byte*>(from.data), from.data != nullptr ? from.size_bytes : 0}, from.stride};
}

}  // namespace

extern "C" {

// Status

const char* gomkit_status_name(gomkit_status status) { return rt::name(static_cast<rt::Status>(status)); }
const char* gomkit_status_message(gomkit_status status) { return rt::message(static_cast<rt::Status>(status)); }
const char* gomkit_limit_name(uint32_t limit) { return rt::name(static_cast<rt::LimitId>(limit)); }
gomkit_limits gomkit_limits_default(void) { return to_c(rt::Limits{}); }
gomkit_limits gomkit_limits_small(void) { return to_c(rt::Limits::small()); }

// Model

size_t gomkit_model_size(void) { return sizeof(gomkit_model); }
size_t gomkit_model_alignment(void) { return alignof(gomkit_model); }

gomkit_status gomkit_model_verify(gomkit_model* out, const void* bytes, size_t size, const gomkit_limits* limits,
                                  gomkit_error_info* info) {
    return verify(out, bytes, size, limits, info);
}

gomkit_text gomkit_model_converter_version(const gomkit_model* model) { return to_c(model->view.converter_version()); }
void gomkit_model_source_hash(const gomkit_model* model, uint8_t out[32]) { copy(model->view.source_hash(), out); }
void gomkit_model_skeleton_signature(const gomkit_model* model, uint8_t out[32]) { copy(model->view.skeleton_signature(), out); }
uint32_t gomkit_model_material_count(const gomkit_model* model) { return model->view.material_count(); }
uint32_t gomkit_model_bone_count(const gomkit_model* model) { return model->view.bone_count(); }
uint32_t gomkit_model_part_count(const gomkit_model* model) { return model->view.part_count(); }
uint32_t gomkit_model_clip_count(const gomkit_model* model) { return model->view.clip_count(); }

gomkit_material gomkit_model_material(const gomkit_model* model, uint32_t index) {
    const rt::MaterialView from = model->view.material(index);
    gomkit_material out{};
    out.name = to_c(from.name);
    out.flags = from.flags;
    copy(from.diffuse, out.diffuse);
    copy(from.specular, out.specular);
    copy(from.emissive, out.emissive);
    out.shininess = from.shininess;
    out.opacity = from.opacity;
    out.diffuse_map = to_c(from.diffuse_map);
    out.normal_map = to_c(from.normal_map);
    out.specular_map = to_c(from.specular_map);
    out.emissive_map = to_c(from.emissive_map);
    return out;
}

gomkit_bone gomkit_model_bone(const gomkit_model* model, uint32_t index) {
    const rt::BoneView from = model->view.bone(index);
    gomkit_bone out{from.parent, to_c(from.name), to_c(from.path), {}};
    std::memcpy(out.bind_local, from.bind_local.m, sizeof(out.bind_local));
    return out;
}

gomkit_part gomkit_model_part(const gomkit_model* model, uint32_t index) {
    const rt::MeshPartView from = model->view.part(index);
    const rt::BoundsView bounds = from.bounds();
    const rt::Mat4f geometry_to_model = from.geometry_to_model();
    gomkit_part out{};
    out.name = to_c(from.name());
    out.vertex_count = from.vertex_count();
    out.index_count = from.index_count();
    out.submesh_count = from.submesh_count();
    out.bone_count = from.bone_count();
    out.index_size = from.index_size();
    out.has_bounds = from.has_bounds() ? 1 : 0;
    out.has_geometry_to_model = from.has_geometry_to_model() ? 1 : 0;
    out.vertices = from.vertex_bytes().data();
    out.indices = from.index_bytes().data();
    out.morph_count = from.morph_count();
    copy(bounds.aabb_min, out.aabb_min);
    copy(bounds.aabb_max, out.aabb_max);
    copy(bounds.sphere_center, out.sphere_center);
    out.sphere_radius = bounds.sphere_radius;
    std::memcpy(out.geometry_to_model, geometry_to_model.m, sizeof(out.geometry_to_model));
    return out;
}

gomkit_submesh gomkit_model_submesh(const gomkit_model* model, uint32_t part_index, uint32_t index) {
    const rt::SubmeshView from = model->view.part(part_index).submesh(index);
    return {from.material_index, from.index_start, from.index_count};
}

gomkit_clip gomkit_model_clip(const gomkit_model* model, uint32_t index) { return to_c(model->view.clip(index)); }
uint32_t gomkit_model_find_clip(const gomkit_model* model, const char* name) { return model->view.find_clip(name); }

uint32_t gomkit_model_morph_channel_count(const gomkit_model* model) { return model->view.morph_channel_count(); }
gomkit_morph_channel gomkit_model_morph_channel(const gomkit_model* model, uint32_t index) {
    const rt::MorphChannelView from = model->view.morph_channel(index);
    return {to_c(from.name), from.default_weight, from.shape_count};
}
uint32_t gomkit_model_find_morph_channel(const gomkit_model* model, const char* name) {
    return model->view.find_morph_channel(name);
}

// Motion

size_t gomkit_motion_size(void) { return sizeof(gomkit_motion); }
size_t gomkit_motion_alignment(void) { return alignof(gomkit_motion); }

gomkit_status gomkit_motion_verify(gomkit_motion* out, const void* bytes, size_t size, const gomkit_limits* limits,
                                   gomkit_error_info* info) {
    return verify(out, bytes, size, limits, info);
}

gomkit_text gomkit_motion_converter_version(const gomkit_motion* motion) { return to_c(motion->view.converter_version()); }
void gomkit_motion_source_hash(const gomkit_motion* motion, uint8_t out[32]) { copy(motion->view.source_hash(), out); }
void gomkit_motion_skeleton_signature(const gomkit_motion* motion, uint8_t out[32]) {
    copy(motion->view.skeleton_signature(), out);
}
uint32_t gomkit_motion_clip_count(const gomkit_motion* motion) { return motion->view.clip_count(); }
gomkit_clip gomkit_motion_clip(const gomkit_motion* motion, uint32_t index) { return to_c(motion->view.clip(index)); }
uint32_t gomkit_motion_find_clip(const gomkit_motion* motion, const char* name) { return motion->view.find_clip(name); }

gomkit_status gomkit_match(const gomkit_model* model, const gomkit_motion* const* motions, size_t motion_count,
                           gomkit_error_info* info, size_t* motion_index) {
    const Motions with(motions, motion_count);
    rt::MatchError error;
    const rt::Status status = with.fits() ? rt::match(model->view, with.views(), &error) : rt::Status::BadArgument;
    error.info.status = status;
    if (info != nullptr) to_c(error.info, *info);
    if (motion_index != nullptr) *motion_index = error.motion_index;
    return to_c(status);
}

// Poses

gomkit_status gomkit_bind_pose(const gomkit_model* model, gomkit_bone_local* out, size_t count) {
    if (!is_aligned<rt::BoneLocal>(out)) return GOMKIT_MISALIGNED;
    return to_c(rt::bind_pose(model->view, pose(out, count)));
}

size_t gomkit_sampler_size(void) { return sizeof(gomkit_sampler); }
size_t gomkit_sampler_alignment(void) { return alignof(gomkit_sampler); }
size_t gomkit_sampler_memory_alignment(void) { return rt::SampleContext::kAlignment; }

size_t gomkit_sampler_required_bytes(const gomkit_model* model, const gomkit_motion* motion, uint32_t clip_index) {
    return rt::SampleContext::required_bytes(model->view, clip_of(*model, motion, clip_index));
}

gomkit_status gomkit_sampler_init(gomkit_sampler* out, const gomkit_model* model, const gomkit_motion* motion,
                                  uint32_t clip_index, const gomkit_bone_local* bind_pose, size_t bone_count, void* memory,
                                  size_t memory_size) {
    if (!is_aligned<gomkit_sampler>(out) || !is_aligned<rt::BoneLocal>(bind_pose)) return GOMKIT_MISALIGNED;
    new (out) gomkit_sampler;
    if (clip_index >= clip_count_of(*model, motion)) return GOMKIT_BAD_ARGUMENT;
    return to_c(out->context.bind(model->view, clip_of(*model, motion, clip_index), pose(bind_pose, bone_count),
                                  {static_cast<std::byte*>(memory), memory_size}));
}

gomkit_status gomkit_sample(gomkit_sampler* sampler, float time_seconds, gomkit_bone_local* out, size_t count) {
    if (!is_aligned<rt::BoneLocal>(out)) return GOMKIT_MISALIGNED;
    return to_c(rt::SampleJob{.context = &sampler->context, .time_seconds = time_seconds, .output = pose(out, count)}.run());
}

gomkit_status gomkit_blend(const gomkit_bone_local* bind_pose, size_t bone_count, const gomkit_blend_layer* layers,
                           size_t layer_count, const gomkit_additive_layer* additive_layers, size_t additive_count,
                           gomkit_bone_local* output) {
    if (layer_count > GOMKIT_MAX_BLEND_LAYERS || additive_count > GOMKIT_MAX_BLEND_LAYERS) return GOMKIT_BAD_ARGUMENT;
    bool aligned = is_aligned<rt::BoneLocal>(bind_pose) && is_aligned<rt::BoneLocal>(output);
    const auto mask = [&](const float* first) { return std::span<const float>(first, first != nullptr ? bone_count : 0); };
    rt::BlendLayer mixed[GOMKIT_MAX_BLEND_LAYERS];
    for (std::size_t i = 0; i < layer_count; ++i) {
        mixed[i] = {pose(layers[i].pose, bone_count), layers[i].weight, mask(layers[i].mask)};
        aligned &= is_aligned<rt::BoneLocal>(layers[i].pose);
    }
    rt::AdditiveLayer added[GOMKIT_MAX_BLEND_LAYERS];
    for (std::size_t i = 0; i < additive_count; ++i) {
        const gomkit_additive_layer& from = additive_layers[i];
        added[i] = {pose(from.pose, bone_count), from.weight, mask(from.mask), pose(from.reference, bone_count)};
        aligned &= is_aligned<rt::BoneLocal>(from.pose) && is_aligned<rt::BoneLocal>(from.reference);
    }
    if (!aligned) return GOMKIT_MISALIGNED;
    return to_c(rt::BlendJob{.bind = pose(bind_pose, bone_count),
                             .layers = {mixed, layer_count},
                             .additive_layers = {added, additive_count},
                             .output = pose(output, bone_count)}
                    .run());
}

// Matrices and vertices

gomkit_status gomkit_local_to_model(const gomkit_model* model, const gomkit_bone_local* locals, size_t bone_count,
                                    double* bone_to_model) {
    if (!is_aligned<rt::BoneLocal>(locals)) return GOMKIT_MISALIGNED;
    return to_c(rt::LocalToModelJob{.model = &model->view,
                                    .locals = pose(locals, bone_count),
                                    .bone_to_model = matrices<rt::Mat4d>(bone_to_model, bone_count)}
                    .run());
}

uint32_t gomkit_palette_size(const gomkit_model* model, uint32_t part_index) {
    return part_index < model->view.part_count() ? rt::palette_size(model->view.part(part_index)) : 0;
}

gomkit_status gomkit_palette(const gomkit_model* model, uint32_t part_index, const double* bone_to_model, size_t bone_count,
                             uint32_t space, float* palette, float* palette_3x4, size_t palette_count) {
    if (part_index >= model->view.part_count() || (space != GOMKIT_PALETTE_GEOMETRY && space != GOMKIT_PALETTE_MODEL))
        return GOMKIT_BAD_ARGUMENT;
    const rt::MeshPartView part = model->view.part(part_index);
    return to_c(rt::PaletteJob{.part = &part,
                               .bone_to_model = matrices<const rt::Mat4d>(bone_to_model, bone_count),
                               .space = space == GOMKIT_PALETTE_MODEL ? rt::PaletteSpace::Model : rt::PaletteSpace::Geometry,
                               .palette = matrices<rt::Mat4f>(palette, palette_count),
                               .palette_3x4 = matrices<rt::Mat3x4f>(palette_3x4, palette_count)}
                    .run());
}

gomkit_status gomkit_skin_part(const gomkit_model* model, uint32_t part_index, const float* palette, size_t palette_count,
                               gomkit_stream positions, gomkit_stream normals, gomkit_stream tangents) {
    if (part_index >= model->view.part_count()) return GOMKIT_BAD_ARGUMENT;
    rt::SkinJob job;
    job.read_part(model->view.part(part_index));
    job.palette = matrices<const rt::Mat4f>(palette, palette_count);
    job.out_positions = stream(positions);
    job.out_normals = stream(normals);
    job.out_tangents = stream(tangents);
    return to_c(job.run());
}

gomkit_status gomkit_default_morph_weights(const gomkit_model* model, float* weights, size_t count) {
    return to_c(rt::default_morph_weights(model->view, {weights, count}));
}

gomkit_status gomkit_sample_morphs(const gomkit_model* model, uint32_t clip_index, float time_seconds, float* weights,
                                   size_t count) {
    if (clip_index >= model->view.clip_count()) return GOMKIT_BAD_ARGUMENT;
    const rt::ClipView clip = model->view.clip(clip_index);
    return to_c(
        rt::MorphSampleJob{.model = &model->view, .clip = &clip, .time_seconds = time_seconds, .output = {weights, count}}.run());
}

gomkit_status gomkit_morph_part(const gomkit_model* model, uint32_t part_index, const float* weights, size_t count,
                                gomkit_stream positions, gomkit_stream normals) {
    if (part_index >= model->view.part_count()) return GOMKIT_BAD_ARGUMENT;
    const rt::MeshPartView part = model->view.part(part_index);
    rt::MorphJob job{.model = &model->view, .part = &part, .weights = {weights, count}};
    job.read_part();
    job.out_positions = stream(positions);
    job.out_normals = stream(normals);
    return to_c(job.run());
}

gomkit_status gomkit_skin_morphed_part(const gomkit_model* model, uint32_t part_index, gomkit_stream morphed_positions,
                                       gomkit_stream morphed_normals, const float* palette, size_t palette_count,
                                       gomkit_stream positions, gomkit_stream normals, gomkit_stream tangents) {
    if (part_index >= model->view.part_count()) return GOMKIT_BAD_ARGUMENT;
    const auto input = [](const gomkit_stream& s) { return rt::InputStream{stream(s).bytes, s.stride}; };
    rt::SkinJob job;
    job.read_part(model->view.part(part_index));
    job.positions = input(morphed_positions);
    job.normals = input(morphed_normals);
    job.palette = matrices<const rt::Mat4f>(palette, palette_count);
    job.out_positions = stream(positions);
    job.out_normals = stream(normals);
    job.out_tangents = stream(tangents);
    return to_c(job.run());
}

// Root motion and the player

gomkit_ground_motion gomkit_ground_motion_identity(void) { return to_c(rt::GroundMotion{}); }
gomkit_ground_motion gomkit_ground_motion_product(gomkit_ground_motion a, gomkit_ground_motion b) {
    return to_c(from_c(a) * from_c(b));
}
void gomkit_ground_motion_matrix(gomkit_ground_motion motion, double out[16]) {
    const rt::Mat4d matrix = rt::to_matrix(from_c(motion));
    std::memcpy(out, matrix.m, sizeof(matrix.m));
}

size_t gomkit_player_size(void) { return sizeof(gomkit_player); }
size_t gomkit_player_alignment(void) { return alignof(gomkit_player); }
size_t gomkit_player_memory_alignment(void) { return rt::Player::kAlignment; }

size_t gomkit_player_required_bytes(const gomkit_model* model, const gomkit_motion* const* motions, size_t motion_count) {
    const Motions with(motions, motion_count);
    return with.fits() ? rt::Player::required_bytes(model->view, with.views()) : 0;
}

gomkit_status gomkit_player_init(gomkit_player* out, const gomkit_model* model, const gomkit_motion* const* motions,
                                 size_t motion_count, void* memory, size_t memory_size) {
    if (!is_aligned<gomkit_player>(out)) return GOMKIT_MISALIGNED;
    new (out) gomkit_player;
    const Motions with(motions, motion_count);
    if (!with.fits()) return GOMKIT_BAD_ARGUMENT;
    return to_c(out->player.init(model->view, with.views(), {static_cast<std::byte*>(memory), memory_size}));
}

uint32_t gomkit_player_clip_count(const gomkit_player* player) { return player->player.clip_count(); }
gomkit_clip gomkit_player_clip(const gomkit_player* player, uint32_t index) { return to_c(player->player.clip(index)); }
uint32_t gomkit_player_find_clip(const gomkit_player* player, const char* name) { return player->player.find_clip(name); }

gomkit_play_options gomkit_play_options_default(void) {
    const rt::PlayOptions from;
    return {from.fade_seconds, from.speed, from.start_seconds, GOMKIT_REPEAT_AS_CLIP};
}

gomkit_status gomkit_player_play(gomkit_player* player, uint32_t clip_index, gomkit_play_options options) {
    if (options.repeat != GOMKIT_REPEAT_AS_CLIP && options.repeat != GOMKIT_REPEAT_ONCE && options.repeat != GOMKIT_REPEAT_LOOP)
        return GOMKIT_BAD_ARGUMENT;
    return to_c(player->player.play(clip_index, {.fade_seconds = options.fade_seconds,
                                                 .speed = options.speed,
                                                 .start_seconds = options.start_seconds,
                                                 .repeat = static_cast<rt::Repeat>(options.repeat)}));
}

void gomkit_player_stop(gomkit_player* player) { player->player.stop(); }
gomkit_status gomkit_player_update(gomkit_player* player, float seconds) { return to_c(player->player.update(seconds)); }
const gomkit_bone_local* gomkit_player_pose(const gomkit_player* player) {
    return reinterpret_cast<const gomkit_bone_local*>(player->player.pose().data());
}
void gomkit_player_set_takes_root_motion(gomkit_player* player, int takes) { player->player.set_takes_root_motion(takes != 0); }
gomkit_ground_motion gomkit_player_root_motion_delta(const gomkit_player* player) {
    return to_c(player->player.root_motion_delta());
}
int gomkit_player_is_playing(const gomkit_player* player) { return player->player.is_playing() ? 1 : 0; }
int gomkit_player_is_finished(const gomkit_player* player) { return player->player.is_finished() ? 1 : 0; }
uint32_t gomkit_player_clip_index(const gomkit_player* player) { return player->player.clip_index(); }
float gomkit_player_time(const gomkit_player* player) { return player->player.time_seconds(); }
float gomkit_player_speed(const gomkit_player* player) { return player->player.speed(); }
float gomkit_player_fade_weight(const gomkit_player* player) { return player->player.fade_weight(); }
gomkit_status gomkit_player_set_time(gomkit_player* player, float seconds) { return to_c(player->player.set_time(seconds)); }
gomkit_status gomkit_player_set_speed(gomkit_player* player, float speed) { return to_c(player->player.set_speed(speed)); }

}  // extern "C"
