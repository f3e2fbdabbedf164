// Sampling, palettes and skinning ask the heap for nothing: operator new, and on glibc malloc and its kin, are counted while they run.
// Exit code 1 when they do.

#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "gomkit/runtime/runtime.hpp"
#include "rig.hpp"

namespace {
bool is_counting = false;
unsigned long requests = 0;
void count() noexcept { requests += is_counting ? 1U : 0U; }
}  // namespace

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GOMKIT_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define GOMKIT_SANITIZED 1
#endif

#if defined(__GLIBC__) && !defined(GOMKIT_SANITIZED)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* malloc(std::size_t size) {
    count();
    return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
    count();
    return __libc_calloc(number, size);
}
void* realloc(void* block, std::size_t size) {
    count();
    return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    count();
    return __libc_memalign(alignment, size);
}
}
#else
void* operator new(std::size_t size) {
    count();
    void* block = std::malloc(size == 0 ? 1 : size);
    if (block == nullptr) std::abort();
    return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
#endif

int main() {
    using namespace gomkit::runtime;
    test::RigOptions options;
    options.is_uneven = true;
    options.has_shear = true;
    const test::Rig rig(options);
    const ModelView& model = rig.model();
    const ClipView clip = model.clip(0);
    const std::uint32_t bones = model.bone_count(), vertices = model.part(0).vertex_count();
    std::vector<BoneLocal> bind(bones), pose(bones);
    std::vector<Mat4d> bone_to_model(bones);
    std::vector<Mat4f> palette(bones);
    std::vector<Vec3f> positions(vertices), normals(vertices);
    std::vector<Vec4f> tangents(vertices);
    const test::Memory memory(SampleContext::required_bytes(model, clip));

    const test::Builder shapes_builder = test::morph_sample();
    const test::ExactBlock shapes_file(shapes_builder.bytes);
    ModelView shapes;
    float weights[2] = {};
    if (verify(shapes_file.bytes(), {}, shapes, nullptr) != Status::Ok) return 1;

    // The counter sees an allocation.
    is_counting = true;
    ::operator delete(::operator new(100));  // not a new-expression, which clang leaves out where nothing is done with it
    is_counting = false;
    if (requests == 0) {
        std::fputs("no_heap: the counter counts nothing\n", stderr);
        return 1;
    }
    requests = 0;
    is_counting = true;
    bool is_ok = bind_pose(model, bind) == Status::Ok;
    SampleContext context;
    is_ok = is_ok && context.bind(model, clip, bind, memory.bytes()) == Status::Ok;
    for (const SimdPath path : {SimdPath::Portable, SimdPath::Sse2, SimdPath::Avx2}) {
        for (int i = 0; i < 20; ++i) {
            is_ok = is_ok && SampleJob{&context, 0.37F * static_cast<float>(i), pose, path}.run() == Status::Ok;
            is_ok = is_ok && LocalToModelJob{&model, pose, bone_to_model, path}.run() == Status::Ok;
            const MeshPartView part = model.part(0);
            is_ok = is_ok && PaletteJob{&part, bone_to_model, PaletteSpace::Model, palette, {}, path}.run() == Status::Ok;
            is_ok = is_ok && plainest_normal_matrix(palette) == NormalMatrix::Cofactor;
            SkinJob job;
            job.read_part(part);
            job.palette = palette;
            job.path = path;
            job.out_positions = output_stream(std::span(positions));
            job.out_normals = output_stream(std::span(normals));
            job.out_tangents = output_stream(std::span(tangents));
            is_ok = is_ok && job.run() == Status::Ok;
        }
    }
    {
        const MeshPartView part = shapes.part(0);
        const ClipView shapes_clip = shapes.clip(0);
        is_ok = is_ok && MorphSampleJob{&shapes, &shapes_clip, 0.3F, weights}.run() == Status::Ok;
        MorphJob job{.model = &shapes, .part = &part, .weights = weights};
        job.read_part();
        job.out_positions = output_stream(std::span(positions));
        job.out_normals = output_stream(std::span(normals));
        is_ok = is_ok && job.run() == Status::Ok;
    }
    is_counting = false;
    if (!is_ok || requests != 0) {
        std::fprintf(stderr, "no_heap: %lu requests, jobs %s\n", requests, is_ok ? "ok" : "failed");
        return 1;
    }
    return 0;
}
