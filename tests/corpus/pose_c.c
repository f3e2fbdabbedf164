/* usage: pose_c FILE.gom [CLIP SECONDS]
 * The pose of a model in model space through the C interface, to stdout as floats: each part's positions, then its normals; then
 * each bone's matrix. For tests/corpus/poses.py. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <gomkit/runtime/gomkit_runtime.h>

static void* take(size_t alignment, size_t size) {
    char* p = malloc(size + alignment);  /* never freed: the process ends soon */
    if (p == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return p + (alignment - (uintptr_t)p % alignment) % alignment;
}

static void need(gomkit_status status) {
    if (status != GOMKIT_OK) {
        fprintf(stderr, "%s\n", gomkit_status_name(status));
        exit(1);
    }
}

int main(int argc, char** argv) {
    FILE* file = argc == 2 || argc == 4 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return 2;
    }
    const size_t size = (size_t)ftell(file);
    rewind(file);
    void* bytes = take(16, size);
    if (fread(bytes, 1, size, file) != size) {
        return 2;
    }
    fclose(file);

    gomkit_model* model = take(gomkit_model_alignment(), gomkit_model_size());
    need(gomkit_model_verify(model, bytes, size, NULL, NULL));
    const uint32_t bones = gomkit_model_bone_count(model);
    gomkit_bone_local* bind = take(GOMKIT_POSE_ALIGNMENT, sizeof(*bind) * bones);
    gomkit_bone_local* locals = take(GOMKIT_POSE_ALIGNMENT, sizeof(*locals) * bones);
    need(gomkit_bind_pose(model, bind, bones));
    need(gomkit_bind_pose(model, locals, bones));
    const uint32_t channels = gomkit_model_morph_channel_count(model);
    float* weights = take(16, sizeof(*weights) * channels);
    need(gomkit_default_morph_weights(model, weights, channels));
    const uint32_t clip = argc == 4 ? gomkit_model_find_clip(model, argv[2]) : 0;
    if (argc == 4 && clip == gomkit_model_clip_count(model)) {
        return 2;
    }
    if (argc == 4) {
        need(gomkit_sample_morphs(model, clip, strtof(argv[3], NULL), weights, channels));
    }
    if (argc == 4 && bones != 0) {
        const size_t needed = gomkit_sampler_required_bytes(model, NULL, clip);
        gomkit_sampler* sampler = take(gomkit_sampler_alignment(), gomkit_sampler_size());
        void* memory = take(gomkit_sampler_memory_alignment(), needed);
        need(gomkit_sampler_init(sampler, model, NULL, clip, bind, bones, memory, needed));
        need(gomkit_sample(sampler, strtof(argv[3], NULL), locals, bones));
    }
    double* bone_to_model = take(16, sizeof(double) * 16 * bones);
    need(gomkit_local_to_model(model, locals, bones, bone_to_model));

    for (uint32_t i = 0; i < gomkit_model_part_count(model); ++i) {
        const gomkit_part part = gomkit_model_part(model, i);
        const uint32_t matrices = gomkit_palette_size(model, i);
        float* palette = take(16, sizeof(float) * 16 * matrices);
        need(gomkit_palette(model, i, bone_to_model, bones, GOMKIT_PALETTE_MODEL, palette, NULL, matrices));
        float* positions = take(16, sizeof(float) * 3 * part.vertex_count);
        float* normals = take(16, sizeof(float) * 3 * part.vertex_count);
        const gomkit_stream none = {NULL, 0, 0};
        const gomkit_stream out_positions = {positions, sizeof(float) * 3 * part.vertex_count, sizeof(float) * 3};
        const gomkit_stream out_normals = {normals, sizeof(float) * 3 * part.vertex_count, sizeof(float) * 3};
        if (part.morph_count != 0) {
            need(gomkit_morph_part(model, i, weights, channels, out_positions, out_normals));
            need(gomkit_skin_morphed_part(model, i, out_positions, out_normals, palette, matrices, out_positions, out_normals, none));
        } else {
            need(gomkit_skin_part(model, i, palette, matrices, out_positions, out_normals, none));
        }
        fwrite(positions, sizeof(float) * 3, part.vertex_count, stdout);
        fwrite(normals, sizeof(float) * 3, part.vertex_count, stdout);
    }
    for (size_t i = 0; i < (size_t)16 * bones; ++i) {
        const float number = (float)bone_to_model[i];
        fwrite(&number, sizeof(number), 1, stdout);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
