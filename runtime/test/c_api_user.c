#include "c_api_user.h"

#include <stdlib.h>
#include <string.h>

/* Memory at a multiple of `alignment`; *to_free is what free() takes. */
static void* aligned(size_t size, size_t alignment, void** to_free) {
    char* block = (char*)malloc(size + alignment);
    *to_free = block;
    return block + (alignment - (size_t)((uintptr_t)block % alignment)) % alignment;
}

#define CALL(expression)                \
    do {                                \
        if (out->failed == GOMKIT_OK) { \
            out->failed = (expression); \
            out->line = __LINE__;       \
        }                               \
    } while (0)

void c_user_run(const void* model_bytes, size_t model_size, const void* motion_bytes, size_t motion_size, float time,
                c_user_result* out) {
    void* blocks[8] = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    gomkit_model* model = (gomkit_model*)aligned(gomkit_model_size(), gomkit_model_alignment(), &blocks[0]);
    gomkit_motion* motion = (gomkit_motion*)aligned(gomkit_motion_size(), gomkit_motion_alignment(), &blocks[1]);
    gomkit_sampler* sampler = (gomkit_sampler*)aligned(gomkit_sampler_size(), gomkit_sampler_alignment(), &blocks[2]);
    gomkit_player* player = (gomkit_player*)aligned(gomkit_player_size(), gomkit_player_alignment(), &blocks[3]);
    gomkit_bone_local* bind =
        (gomkit_bone_local*)aligned(kCUserBones * sizeof(gomkit_bone_local), GOMKIT_POSE_ALIGNMENT, &blocks[4]);
    const gomkit_motion* motions[1];
    uint32_t bones = 0, vertices = 0;

    memset(out, 0, sizeof(*out));
    motions[0] = motion;
    CALL(gomkit_model_verify(model, model_bytes, model_size, NULL, NULL));
    CALL(gomkit_motion_verify(motion, motion_bytes, motion_size, NULL, NULL));
    CALL(gomkit_match(model, motions, 1, NULL, NULL));
    if (out->failed == GOMKIT_OK) {
        bones = gomkit_model_bone_count(model);
        vertices = gomkit_model_part(model, 0).vertex_count;
        if (bones > kCUserBones || vertices > kCUserVertices) CALL(GOMKIT_WRONG_SIZE);
    }
    if (out->failed == GOMKIT_OK) {
        const size_t need = gomkit_sampler_required_bytes(model, NULL, 0);
        const size_t need_motion = gomkit_sampler_required_bytes(model, motion, 0);
        const size_t need_player = gomkit_player_required_bytes(model, motions, 1);
        void* memory = aligned(need, gomkit_sampler_memory_alignment(), &blocks[5]);
        void* memory_motion = aligned(need_motion, gomkit_sampler_memory_alignment(), &blocks[6]);
        void* memory_player = aligned(need_player, gomkit_player_memory_alignment(), &blocks[7]);
        gomkit_blend_layer layers[2];
        gomkit_additive_layer additive;
        gomkit_stream positions, normals, tangents;
        gomkit_play_options options = gomkit_play_options_default();
        uint32_t step;

        CALL(gomkit_bind_pose(model, bind, bones));
        CALL(gomkit_sampler_init(sampler, model, NULL, 0, bind, bones, memory, need));
        CALL(gomkit_sample(sampler, time, out->sampled, bones));
        CALL(gomkit_sampler_init(sampler, model, motion, 0, bind, bones, memory_motion, need_motion));
        CALL(gomkit_sample(sampler, time, out->from_motion, bones));

        memset(layers, 0, sizeof(layers));
        layers[0].pose = out->sampled;
        layers[0].weight = 0.5F;
        layers[1].pose = out->from_motion;
        layers[1].weight = 0.5F;
        memset(&additive, 0, sizeof(additive));
        additive.pose = out->from_motion;
        additive.weight = 0.25F;
        CALL(gomkit_blend(bind, bones, layers, 2, &additive, 1, out->blended));

        CALL(gomkit_local_to_model(model, out->blended, bones, out->bone_to_model));
        CALL(gomkit_palette(model, 0, out->bone_to_model, bones, GOMKIT_PALETTE_MODEL, out->palette, out->palette_3x4,
                            gomkit_palette_size(model, 0)));
        positions.data = out->positions;
        positions.size_bytes = sizeof(out->positions);
        positions.stride = 3 * sizeof(float);
        normals.data = out->normals;
        normals.size_bytes = sizeof(out->normals);
        normals.stride = 3 * sizeof(float);
        tangents.data = out->tangents;
        tangents.size_bytes = sizeof(out->tangents);
        tangents.stride = 4 * sizeof(float);
        CALL(gomkit_skin_part(model, 0, out->palette, gomkit_palette_size(model, 0), positions, normals, tangents));

        CALL(gomkit_player_init(player, model, motions, 1, memory_player, need_player));
        gomkit_player_set_takes_root_motion(player, 1);
        CALL(gomkit_player_play(player, 0, options));
        for (step = 0; step < kCUserSteps && out->failed == GOMKIT_OK; ++step) {
            if (step == kCUserSteps / 2) {
                options.fade_seconds = 0.25F;
                options.speed = -1.5F;
                options.repeat = GOMKIT_REPEAT_LOOP;
                CALL(gomkit_player_play(player, gomkit_model_clip_count(model), options));
            }
            CALL(gomkit_player_update(player, 0.03125F));
            memcpy(out->played[step], gomkit_player_pose(player), bones * sizeof(gomkit_bone_local));
            out->deltas[step] = gomkit_player_root_motion_delta(player);
        }
    }
    {
        size_t i;
        for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); ++i) free(blocks[i]);
    }
}

const int* c_user_statuses(void) {
    static const int all[] = {GOMKIT_OK,
                              GOMKIT_MISALIGNED,
                              GOMKIT_LIMIT_EXCEEDED,
                              GOMKIT_WRONG_SIZE,
                              GOMKIT_NOT_BOUND,
                              GOMKIT_BAD_ARGUMENT,
                              GOMKIT_TOO_SHORT,
                              GOMKIT_BAD_MAGIC,
                              GOMKIT_IS_MOTION,
                              GOMKIT_IS_TEXT,
                              GOMKIT_IS_MOTION_TEXT,
                              GOMKIT_BAD_HEADER,
                              GOMKIT_BAD_VERSION,
                              GOMKIT_BAD_COORDINATE_SYSTEM,
                              GOMKIT_BAD_MATRIX_CONVENTION,
                              GOMKIT_BAD_CHUNK_TABLE,
                              GOMKIT_IS_MODEL,
                              GOMKIT_IS_MODEL_TEXT,
                              GOMKIT_BAD_FOURCC,
                              GOMKIT_BAD_CHUNK,
                              GOMKIT_TRAILING_BYTES,
                              GOMKIT_BAD_CHUNK_VERSION,
                              GOMKIT_DUPLICATE_CHUNK,
                              GOMKIT_MISSING_CHUNK,
                              GOMKIT_MISPLACED_CHUNK,
                              GOMKIT_BAD_CHUNK_SIZE,
                              GOMKIT_BAD_STRING_OFFSET,
                              GOMKIT_UNTERMINATED_STRING,
                              GOMKIT_BAD_UTF8,
                              GOMKIT_CONTROL_CHARACTER,
                              GOMKIT_BYTE_ORDER_MARK,
                              GOMKIT_BAD_STRING_ID,
                              GOMKIT_MISSING_NAME,
                              GOMKIT_NON_FINITE,
                              GOMKIT_BAD_MATRIX,
                              GOMKIT_SINGULAR_MATRIX,
                              GOMKIT_NO_BONES,
                              GOMKIT_BAD_PARENT,
                              GOMKIT_BONES_NOT_SORTED,
                              GOMKIT_DUPLICATE_PATH,
                              GOMKIT_BAD_BONE_PATH,
                              GOMKIT_BAD_VERTEX_FORMAT,
                              GOMKIT_EMPTY_PART,
                              GOMKIT_FLAG_MISMATCH,
                              GOMKIT_COUNT_MISMATCH,
                              GOMKIT_BAD_STRIDE,
                              GOMKIT_BAD_INDEX_SIZE,
                              GOMKIT_BAD_INDEX,
                              GOMKIT_BAD_SUBMESH,
                              GOMKIT_BAD_MATERIAL_INDEX,
                              GOMKIT_BAD_BONE_COUNT,
                              GOMKIT_BAD_BONE_INDEX,
                              GOMKIT_NEGATIVE_WEIGHT,
                              GOMKIT_BAD_WEIGHT_SUM,
                              GOMKIT_DUPLICATE_CLIP_NAME,
                              GOMKIT_BAD_DURATION,
                              GOMKIT_BAD_INTERP_MODE,
                              GOMKIT_DUPLICATE_TRACK,
                              GOMKIT_BAD_KEY_TIME,
                              GOMKIT_ZERO_QUATERNION,
                              GOMKIT_BAD_MORPH_SHAPES,
                              GOMKIT_BAD_MORPH_ORDER,
                              GOMKIT_BAD_MORPH_WEIGHT,
                              GOMKIT_BAD_MORPH_CHANNEL,
                              GOMKIT_BAD_MORPH_VERTEX,
                              GOMKIT_MORPH_WITHOUT_CLIP,
                              GOMKIT_NO_SKELETON,
                              GOMKIT_SIGNATURE_MISMATCH,
                              -1};
    return all;
}
