/* gomkit run-time for C (C99): the same loading, posing and skinning as the C++ headers beside this one, bit by bit.
 *
 * Nothing here allocates, throws, does I/O or keeps state of its own. Objects (gomkit_model, gomkit_motion, gomkit_sampler,
 * gomkit_player) are opaque and live in memory of yours: ask *_size() and *_alignment(), hand the memory to the function that makes the
 * object, and forget it when you are done; there is nothing to free. An object may not be moved or copied. A model and a motion point into
 * the file's bytes, a sampler into its model, a player into its model and motions: what is pointed to must outlive what points.
 *
 * Conventions: left-handed, Y up, metres, seconds; row vectors, matrices row-major with the translation in elements 12..14;
 * quaternions x y z w. Pointers must not be null unless said. Indices out of range give empty results. Functions that give a
 * gomkit_status write nothing when it is not GOMKIT_OK, unless said. Comments are short: the C++ header named with each group says more.
 */
#ifndef GOMKIT_RUNTIME_H
#define GOMKIT_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* status.hpp. The numbers are those of gomkit::runtime::Status and never change. */
typedef enum gomkit_status {
    GOMKIT_OK = 0,
    GOMKIT_MISALIGNED = 1,
    GOMKIT_LIMIT_EXCEEDED = 2,
    GOMKIT_WRONG_SIZE = 3,
    GOMKIT_NOT_BOUND = 4,
    GOMKIT_BAD_ARGUMENT = 5,
    GOMKIT_TOO_SHORT = 10,
    GOMKIT_BAD_MAGIC = 11,
    GOMKIT_IS_MOTION = 12,
    GOMKIT_IS_TEXT = 13,
    GOMKIT_IS_MOTION_TEXT = 14,
    GOMKIT_BAD_HEADER = 15,
    GOMKIT_BAD_VERSION = 16,
    GOMKIT_BAD_COORDINATE_SYSTEM = 17,
    GOMKIT_BAD_MATRIX_CONVENTION = 18,
    GOMKIT_BAD_CHUNK_TABLE = 19,
    GOMKIT_IS_MODEL = 20,
    GOMKIT_IS_MODEL_TEXT = 21,
    GOMKIT_BAD_FOURCC = 30,
    GOMKIT_BAD_CHUNK = 31,
    GOMKIT_TRAILING_BYTES = 32,
    GOMKIT_BAD_CHUNK_VERSION = 33,
    GOMKIT_DUPLICATE_CHUNK = 34,
    GOMKIT_MISSING_CHUNK = 35,
    GOMKIT_MISPLACED_CHUNK = 36,
    GOMKIT_BAD_CHUNK_SIZE = 37,
    GOMKIT_BAD_STRING_OFFSET = 50,
    GOMKIT_UNTERMINATED_STRING = 51,
    GOMKIT_BAD_UTF8 = 52,
    GOMKIT_CONTROL_CHARACTER = 53,
    GOMKIT_BYTE_ORDER_MARK = 54,
    GOMKIT_BAD_STRING_ID = 55,
    GOMKIT_MISSING_NAME = 56,
    GOMKIT_NON_FINITE = 70,
    GOMKIT_BAD_MATRIX = 71,
    GOMKIT_SINGULAR_MATRIX = 72,
    GOMKIT_NO_BONES = 80,
    GOMKIT_BAD_PARENT = 81,
    GOMKIT_BONES_NOT_SORTED = 82,
    GOMKIT_DUPLICATE_PATH = 83,
    GOMKIT_BAD_BONE_PATH = 84,
    GOMKIT_BAD_VERTEX_FORMAT = 100,
    GOMKIT_EMPTY_PART = 101,
    GOMKIT_FLAG_MISMATCH = 102,
    GOMKIT_COUNT_MISMATCH = 103,
    GOMKIT_BAD_STRIDE = 104,
    GOMKIT_BAD_INDEX_SIZE = 105,
    GOMKIT_BAD_INDEX = 106,
    GOMKIT_BAD_SUBMESH = 107,
    GOMKIT_BAD_MATERIAL_INDEX = 108,
    GOMKIT_BAD_BONE_COUNT = 109,
    GOMKIT_BAD_BONE_INDEX = 110,
    GOMKIT_NEGATIVE_WEIGHT = 111,
    GOMKIT_BAD_WEIGHT_SUM = 112,
    GOMKIT_DUPLICATE_CLIP_NAME = 130,
    GOMKIT_BAD_DURATION = 131,
    GOMKIT_BAD_INTERP_MODE = 132,
    GOMKIT_DUPLICATE_TRACK = 133,
    GOMKIT_BAD_KEY_TIME = 134,
    GOMKIT_ZERO_QUATERNION = 135,
    GOMKIT_BAD_MORPH_SHAPES = 140,
    GOMKIT_BAD_MORPH_ORDER = 141,
    GOMKIT_BAD_MORPH_WEIGHT = 142,
    GOMKIT_BAD_MORPH_CHANNEL = 143,
    GOMKIT_BAD_MORPH_VERTEX = 144,
    GOMKIT_MORPH_WITHOUT_CLIP = 145,
    GOMKIT_NO_SKELETON = 150,
    GOMKIT_SIGNATURE_MISMATCH = 151
} gomkit_status;

/* Static storage, never null: the C++ enumerator's spelling, and one English sentence without a full stop. */
const char* gomkit_status_name(gomkit_status status);
const char* gomkit_status_message(gomkit_status status);

/* Where and why a file was refused. */
typedef struct gomkit_error_info {
    uint32_t status;      /* gomkit_status */
    uint32_t limit;       /* for GOMKIT_LIMIT_EXCEEDED: LimitId of status.hpp, gomkit_limit_name() */
    uint32_t kind;        /* of found and expected: 0 none, 1 unsigned, 2 signed, 3 bits of a double, 4 fourcc */
    char part[96];        /* NUL-terminated: "MSH0[3].VB0.vertex[17].boneIndex[2]" */
    uint64_t byte_offset; /* from the start of the file */
    uint64_t found;
    uint64_t expected;
} gomkit_error_info;

const char* gomkit_limit_name(uint32_t limit);

/* limits.hpp. All are inclusive. */
typedef struct gomkit_limits {
    uint64_t max_bones, max_vertices, max_indices, max_submeshes, max_mesh_parts, max_material_slots, max_clips, max_tracks_per_clip,
        max_keys_per_clip, max_strings, max_string_bytes, max_file_bytes, max_morph_channels, max_morph_shapes, max_morph_vertices;
} gomkit_limits;

gomkit_limits gomkit_limits_default(void);
gomkit_limits gomkit_limits_small(void);

/* UTF-8 in the file's bytes, NUL-terminated; "" of size 0 for none. data is never null. */
typedef struct gomkit_text {
    const char* data;
    size_t size; /* without the NUL */
} gomkit_text;

/* model_view.hpp: a GOM. */
typedef struct gomkit_model gomkit_model;

size_t gomkit_model_size(void);
size_t gomkit_model_alignment(void);
/* Checks `size` bytes, the first at a multiple of 16, and makes a model of them in `out`'s memory (GOMKIT_MISALIGNED: the bytes, or
 * `out`). After any other failure the model is there and empty. limits null: the defaults. info may be null. */
gomkit_status gomkit_model_verify(gomkit_model* out, const void* bytes, size_t size, const gomkit_limits* limits,
                                  gomkit_error_info* info);

gomkit_text gomkit_model_converter_version(const gomkit_model* model);
void gomkit_model_source_hash(const gomkit_model* model, uint8_t out[32]);
void gomkit_model_skeleton_signature(const gomkit_model* model, uint8_t out[32]); /* computed at each call */

typedef struct gomkit_material {
    gomkit_text name;
    uint32_t flags;
    float diffuse[3], specular[3], emissive[3], shininess, opacity;
    gomkit_text diffuse_map, normal_map, specular_map, emissive_map; /* paths as stored */
} gomkit_material;

typedef struct gomkit_bone {
    int32_t parent; /* -1: none */
    gomkit_text name, path;
    float bind_local[16];
} gomkit_bone;

typedef struct gomkit_part {
    gomkit_text name;
    uint32_t vertex_count, index_count, submesh_count;
    uint32_t bone_count; /* the model's, or 0: unskinned */
    uint32_t index_size; /* 4 or 2 bytes */
    uint32_t has_bounds, has_geometry_to_model;
    const void* vertices; /* gomkit_vertex[vertex_count] as stored, little-endian */
    const void* indices;
    uint32_t morph_count; /* blend shapes that move vertices of the part */
    float aabb_min[3], aabb_max[3], sphere_center[3], sphere_radius; /* geometry space; zeros without has_bounds */
    float geometry_to_model[16];                                     /* the identity without has_geometry_to_model */
} gomkit_part;

typedef struct gomkit_vertex {
    float position[3], normal[3], tangent[4], uv0[2];
    uint16_t bone_index[4];
    float bone_weight[4];
} gomkit_vertex;

typedef struct gomkit_submesh {
    uint32_t material_index, index_start, index_count;
} gomkit_submesh;

typedef struct gomkit_morph_channel {
    gomkit_text name;
    float default_weight; /* 1 is 100 % */
    uint32_t shape_count;
} gomkit_morph_channel;

typedef struct gomkit_clip {
    gomkit_text name;
    float duration_seconds;
    int32_t root_bone_index; /* -1: none */
    uint32_t flags;          /* 1: has root motion, 2: loops */
    uint32_t track_count;
    uint32_t morph_track_count;
} gomkit_clip;

uint32_t gomkit_model_material_count(const gomkit_model* model);
uint32_t gomkit_model_bone_count(const gomkit_model* model);
uint32_t gomkit_model_part_count(const gomkit_model* model);
uint32_t gomkit_model_clip_count(const gomkit_model* model);
gomkit_material gomkit_model_material(const gomkit_model* model, uint32_t index);
gomkit_bone gomkit_model_bone(const gomkit_model* model, uint32_t index);
gomkit_part gomkit_model_part(const gomkit_model* model, uint32_t index);
gomkit_submesh gomkit_model_submesh(const gomkit_model* model, uint32_t part_index, uint32_t index);
gomkit_clip gomkit_model_clip(const gomkit_model* model, uint32_t index);
uint32_t gomkit_model_find_clip(const gomkit_model* model, const char* name); /* or the number of clips */
uint32_t gomkit_model_morph_channel_count(const gomkit_model* model);
gomkit_morph_channel gomkit_model_morph_channel(const gomkit_model* model, uint32_t index);
uint32_t gomkit_model_find_morph_channel(const gomkit_model* model, const char* name); /* or the number of channels */

/* motion_view.hpp: an MTA. */
typedef struct gomkit_motion gomkit_motion;

size_t gomkit_motion_size(void);
size_t gomkit_motion_alignment(void);
gomkit_status gomkit_motion_verify(gomkit_motion* out, const void* bytes, size_t size, const gomkit_limits* limits,
                                   gomkit_error_info* info);
gomkit_text gomkit_motion_converter_version(const gomkit_motion* motion);
void gomkit_motion_source_hash(const gomkit_motion* motion, uint8_t out[32]);
void gomkit_motion_skeleton_signature(const gomkit_motion* motion, uint8_t out[32]);
uint32_t gomkit_motion_clip_count(const gomkit_motion* motion);
gomkit_clip gomkit_motion_clip(const gomkit_motion* motion, uint32_t index);
uint32_t gomkit_motion_find_clip(const gomkit_motion* motion, const char* name);

/* At most so many motions at a time in this interface. */
#define GOMKIT_MAX_MOTIONS 256

/* Whether all motions can be used with the model. The place in *info (may be null) is in the file of motions[*motion_index] (may be
 * null). GOMKIT_BAD_ARGUMENT: too many. */
gomkit_status gomkit_match(const gomkit_model* model, const gomkit_motion* const* motions, size_t motion_count,
                           gomkit_error_info* info, size_t* motion_index);

/* pose.hpp: where a bone stands relative to its parent. Arrays of these start at a multiple of GOMKIT_POSE_ALIGNMENT. */
#define GOMKIT_POSE_ALIGNMENT 16
typedef struct gomkit_bone_local {
    float translation[3];
    uint32_t is_keyed; /* 0: the bone stands at bind_local itself, of which the members hold the decomposition */
    float rotation[4];
    float scale[3];
    uint32_t reserved;
} gomkit_bone_local;

/* sample_job.hpp. Poses have bone_count elements. */
gomkit_status gomkit_bind_pose(const gomkit_model* model, gomkit_bone_local* out, size_t count);

typedef struct gomkit_sampler gomkit_sampler;

size_t gomkit_sampler_size(void);
size_t gomkit_sampler_alignment(void);
size_t gomkit_sampler_memory_alignment(void); /* of the memory beside the object */
/* Bytes of memory beside the object; motion null: a clip of the model. */
size_t gomkit_sampler_required_bytes(const gomkit_model* model, const gomkit_motion* motion, uint32_t clip_index);
gomkit_status gomkit_sampler_init(gomkit_sampler* out, const gomkit_model* model, const gomkit_motion* motion, uint32_t clip_index,
                                  const gomkit_bone_local* bind_pose, size_t bone_count, void* memory, size_t memory_size);
gomkit_status gomkit_sample(gomkit_sampler* sampler, float time_seconds, gomkit_bone_local* out, size_t count);

/* blend_job.hpp. At most so many layers of each kind in this interface. */
#define GOMKIT_MAX_BLEND_LAYERS 64
typedef struct gomkit_blend_layer {
    const gomkit_bone_local* pose;
    const float* mask; /* one factor a bone; null: 1 everywhere */
    float weight;
} gomkit_blend_layer;
typedef struct gomkit_additive_layer {
    const gomkit_bone_local* pose;
    const gomkit_bone_local* reference; /* null: the bind pose */
    const float* mask;
    float weight;
} gomkit_additive_layer;
/* All poses and masks have bone_count elements. output may be one of the poses. GOMKIT_BAD_ARGUMENT: too many layers. */
gomkit_status gomkit_blend(const gomkit_bone_local* bind_pose, size_t bone_count, const gomkit_blend_layer* layers, size_t layer_count,
                           const gomkit_additive_layer* additive_layers, size_t additive_count, gomkit_bone_local* output);

/* palette_job.hpp. Matrices are 16 numbers each, those of bones in double. */
typedef enum gomkit_palette_space { GOMKIT_PALETTE_GEOMETRY = 0, GOMKIT_PALETTE_MODEL = 1 } gomkit_palette_space;
gomkit_status gomkit_local_to_model(const gomkit_model* model, const gomkit_bone_local* locals, size_t bone_count,
                                    double* bone_to_model);
uint32_t gomkit_palette_size(const gomkit_model* model, uint32_t part_index);
/* space: a gomkit_palette_space. palette: 16 floats, palette_3x4: 12 floats (columns as rows, for shaders) each of palette_count matrices; either may be null. */
gomkit_status gomkit_palette(const gomkit_model* model, uint32_t part_index, const double* bone_to_model, size_t bone_count,
                             uint32_t space, float* palette, float* palette_3x4, size_t palette_count);

/* skin_job.hpp: all vertices of a part. Element i of an output starts at data + i * stride; data null: not wanted. */
typedef struct gomkit_stream {
    void* data;
    size_t size_bytes;
    size_t stride;
} gomkit_stream;
gomkit_status gomkit_skin_part(const gomkit_model* model, uint32_t part_index, const float* palette, size_t palette_count,
                               gomkit_stream positions, gomkit_stream normals, gomkit_stream tangents);

/* morph_job.hpp: blend shapes. weights has one element a channel of the model. */
gomkit_status gomkit_default_morph_weights(const gomkit_model* model, float* weights, size_t count);
/* A clip of the model; weights of channels that it does not move are the defaults. */
gomkit_status gomkit_sample_morphs(const gomkit_model* model, uint32_t clip_index, float time_seconds, float* weights, size_t count);
/* All vertices of a part as its shapes make them, before skinning. */
gomkit_status gomkit_morph_part(const gomkit_model* model, uint32_t part_index, const float* weights, size_t count,
                                gomkit_stream positions, gomkit_stream normals);
/* gomkit_skin_part() of what gomkit_morph_part() gave; an output may be the same stream as its input. */
gomkit_status gomkit_skin_morphed_part(const gomkit_model* model, uint32_t part_index, gomkit_stream morphed_positions,
                                       gomkit_stream morphed_normals, const float* palette, size_t palette_count,
                                       gomkit_stream positions, gomkit_stream normals, gomkit_stream tangents);

/* root_motion_job.hpp: a turn about Y, the quaternion (0, yaw_y, 0, yaw_w), then a shift along X and Z. */
typedef struct gomkit_ground_motion {
    double yaw_y, yaw_w, x, z;
} gomkit_ground_motion;
gomkit_ground_motion gomkit_ground_motion_identity(void);
gomkit_ground_motion gomkit_ground_motion_product(gomkit_ground_motion a, gomkit_ground_motion b); /* a, then b */
void gomkit_ground_motion_matrix(gomkit_ground_motion motion, double out[16]);

/* player.hpp */
typedef struct gomkit_player gomkit_player;
typedef enum gomkit_repeat { GOMKIT_REPEAT_AS_CLIP = 0, GOMKIT_REPEAT_ONCE = 1, GOMKIT_REPEAT_LOOP = 2 } gomkit_repeat;
typedef struct gomkit_play_options {
    float fade_seconds;
    float speed;
    float start_seconds;
    uint32_t repeat; /* a gomkit_repeat */
} gomkit_play_options;

size_t gomkit_player_size(void);
size_t gomkit_player_alignment(void);
size_t gomkit_player_memory_alignment(void);
/* Bytes of memory beside the object. 0 where there are more than GOMKIT_MAX_MOTIONS. */
size_t gomkit_player_required_bytes(const gomkit_model* model, const gomkit_motion* const* motions, size_t motion_count);
/* On failure the player is there and has no clips. */
gomkit_status gomkit_player_init(gomkit_player* out, const gomkit_model* model, const gomkit_motion* const* motions,
                                 size_t motion_count, void* memory, size_t memory_size);
uint32_t gomkit_player_clip_count(const gomkit_player* player); /* the model's, then each motion's */
gomkit_clip gomkit_player_clip(const gomkit_player* player, uint32_t index);
uint32_t gomkit_player_find_clip(const gomkit_player* player, const char* name);
gomkit_play_options gomkit_play_options_default(void); /* at once, at speed 1, from the start, as the clip says */
gomkit_status gomkit_player_play(gomkit_player* player, uint32_t clip_index, gomkit_play_options options);
void gomkit_player_stop(gomkit_player* player);
gomkit_status gomkit_player_update(gomkit_player* player, float seconds);
const gomkit_bone_local* gomkit_player_pose(const gomkit_player* player); /* bone_count elements, until the next call that changes it */
void gomkit_player_set_takes_root_motion(gomkit_player* player, int takes);
gomkit_ground_motion gomkit_player_root_motion_delta(const gomkit_player* player);
int gomkit_player_is_playing(const gomkit_player* player);
int gomkit_player_is_finished(const gomkit_player* player);
uint32_t gomkit_player_clip_index(const gomkit_player* player);
float gomkit_player_time(const gomkit_player* player);
float gomkit_player_speed(const gomkit_player* player);
float gomkit_player_fade_weight(const gomkit_player* player);
gomkit_status gomkit_player_set_time(gomkit_player* player, float seconds);
gomkit_status gomkit_player_set_speed(gomkit_player* player, float speed);

#ifdef __cplusplus
}
#endif

#endif
