// Prints one SHA-256 over everything that sampling, palettes, skinning and blend shapes make of made-up characters, on every path there is. Exit
// code 1 when the paths disagree. pose_matrix.sh compares the line between compilers, optimisation levels and builds.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "gomkit/runtime/runtime.hpp"
#include "rig.hpp"

namespace {

using namespace gomkit::runtime;

template <class T>
void add(Sha256& hash, const std::vector<T>& values) {
    hash.update(std::as_bytes(std::span(values)));
}

bool is_ok(Status status, const char* what) {
    if (status != Status::Ok) std::fprintf(stderr, "pose_hash: %s: %s\n", what, name(status));
    return status == Status::Ok;
}

bool add_part(Sha256& hash, const MeshPartView& part, const std::vector<Mat4d>& bones, SimdPath path) {
    for (const PaletteSpace space : {PaletteSpace::Geometry, PaletteSpace::Model}) {
        std::vector<Mat4f> palette(palette_size(part));
        std::vector<Mat3x4f> columns(palette.size());
        if (!is_ok(PaletteJob{&part, bones, space, palette, columns, path}.run(), "palette")) return false;
        add(hash, palette);
        add(hash, columns);
        for (const NormalMatrix kind : {NormalMatrix::Cofactor, NormalMatrix::Plain}) {
            std::vector<Vec3f> positions(part.vertex_count()), normals(part.vertex_count());
            std::vector<Vec4f> tangents(part.vertex_count());
            SkinJob job;
            job.read_part(part);
            job.palette = palette;
            job.normal_matrix = kind;
            job.path = path;
            job.out_positions = output_stream(std::span(positions));
            job.out_normals = output_stream(std::span(normals));
            job.out_tangents = output_stream(std::span(tangents));
            for (const std::uint32_t influences : {4U, 3U, 2U, 1U}) {
                if (part.is_skinned()) job.influence_count = influences;
                if (!is_ok(job.run(), "skin")) return false;
                add(hash, positions);
                add(hash, normals);
                add(hash, tangents);
            }
        }
    }
    return true;
}

bool add_rig(Sha256& hash, const test::RigOptions& options, SimdPath path) {
    const test::Rig rig(options);
    if (!is_ok(rig.status(), rig.info().part)) return false;
    const ModelView& model = rig.model();
    hash.update(model.bytes());
    const ClipView clip = model.clip(0);
    std::vector<BoneLocal> bind(model.bone_count()), pose(model.bone_count());
    if (!is_ok(bind_pose(model, bind), "bind_pose")) return false;
    add(hash, bind);
    const test::Memory memory(SampleContext::required_bytes(model, clip));
    SampleContext context;
    if (!is_ok(context.bind(model, clip, bind, memory.bytes()), "bind")) return false;
    std::vector<Mat4d> bones(model.bone_count());
    for (const float t : {0.0F, 0.01F, 0.3F, 1.0F, 0.99F, 1.7F, 2.5F, -0.4F, 1e6F}) {
        if (!is_ok(SampleJob{&context, t, pose, path}.run(), "sample")) return false;
        add(hash, pose);
        if (!is_ok(LocalToModelJob{&model, pose, bones, path}.run(), "local_to_model")) return false;
        add(hash, bones);
        for (const MeshPartView part : model.parts())
            if (!add_part(hash, part, bones, path)) return false;
    }
    return true;
}

bool add_morphs(Sha256& hash) {
    const test::Builder builder = test::morph_sample();
    const test::ExactBlock file(builder.bytes);
    ModelView model;
    if (!is_ok(verify(file.bytes(), {}, model, nullptr), "verify")) return false;
    const MeshPartView part = model.part(0);
    const ClipView clip = model.clip(0);
    std::vector<float> weights(model.morph_channel_count());
    for (const float t : {0.1F, 0.3F, 0.37F, 0.51F, 0.7F, 2.0F}) {
        if (!is_ok(MorphSampleJob{&model, &clip, t, weights}.run(), "morph sample")) return false;
        weights[1] = 3.1F * t - 0.7F;
        add(hash, weights);
        std::vector<Vec3f> positions(part.vertex_count()), normals(part.vertex_count());
        MorphJob job{.model = &model, .part = &part, .weights = weights};
        job.read_part();
        job.out_positions = output_stream(std::span(positions));
        job.out_normals = output_stream(std::span(normals));
        if (!is_ok(job.run(), "morph")) return false;
        add(hash, positions);
        add(hash, normals);
    }
    return true;
}

bool digest(SimdPath path, std::string& out) {
    Sha256 hash;
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        test::RigOptions options;
        options.bones = 3 + 31 * (seed - 1);
        options.vertices = 200 + seed;
        options.is_chain = seed == 2;
        options.is_uneven = seed % 2 == 0;
        options.has_shear = seed % 3 == 0;
        options.has_scales = seed != 5;
        options.is_looping = seed != 4;
        options.seed = seed;
        if (!add_rig(hash, options, path)) return false;
    }
    if (!add_morphs(hash)) return false;
    out.clear();
    for (const std::uint8_t byte : hash.finish()) {
        constexpr char kDigits[] = "0123456789abcdef";
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
    }
    return true;
}

}  // namespace

int main() {
    std::string first;
    if (!digest(SimdPath::Portable, first)) return 1;
    for (const SimdPath path : {SimdPath::Sse2, SimdPath::Avx2, SimdPath::Auto}) {
        std::string other;
        if (!digest(path, other)) return 1;
        if (other != first) {
            std::fprintf(stderr, "pose_hash: path %d differs from the portable one\n", static_cast<int>(path));
            return 1;
        }
    }
    std::puts(first.c_str());
    return 0;
}
