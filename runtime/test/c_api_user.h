/* What c_api_user.c, which is C, gives c_api_test.cpp to compare. */
#ifndef GOMKIT_C_API_USER_H
#define GOMKIT_C_API_USER_H

#include "gomkit/runtime/gomkit_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kCUserBones = 8, kCUserVertices = 64, kCUserSteps = 40 };

/* Lies at a multiple of GOMKIT_POSE_ALIGNMENT; so do then the poses, which come first. */
typedef struct c_user_result {
    gomkit_bone_local sampled[kCUserBones], from_motion[kCUserBones], blended[kCUserBones];
    gomkit_bone_local played[kCUserSteps][kCUserBones];
    double bone_to_model[kCUserBones * 16];
    float palette[kCUserBones * 16], palette_3x4[kCUserBones * 12];
    float positions[kCUserVertices * 3], normals[kCUserVertices * 3], tangents[kCUserVertices * 4];
    gomkit_ground_motion deltas[kCUserSteps];
    gomkit_status failed; /* the first call that failed, or GOMKIT_OK */
    int line;             /* where */
} c_user_result;

/* Loads both, samples clip 0 of each at `time`, blends them half and half with the motion's on top, poses and skins part 0, and plays: the
 * model's clip 0 with a fade to the motion's after half of the steps. */
void c_user_run(const void* model_bytes, size_t model_size, const void* motion_bytes, size_t motion_size, float time,
                c_user_result* out);

/* Every status of the header, ended by -1. */
const int* c_user_statuses(void);

#ifdef __cplusplus
}
#endif

#endif
