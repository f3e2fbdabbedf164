// Any bytes: what verify() accepts can be sampled at any time, shaped, made into palettes, and skinned, part by part and on every path,
// without leaving its memory; and all paths give the same bits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../../runtime/test/sample.hpp"
#include "gomkit/runtime/runtime.hpp"

namespace {

using namespace gomkit::runtime;

void expect(bool is_so) {
    if (!is_so) std::abort();
}

// To the bit.
template <class T>
void expect_same(const std::vector<T>& a, const std::vector<T>& b) {
    const auto* x = reinterpret_cast<const std::uint32_t*>(a.data());
    const auto* y = reinterpret_cast<const std::uint32_t*>(b.data());
    expect(a.size() == b.size() && std::equal(x, x + a.size() * sizeof(T) / 4, y));
}

struct Skinned {
    std::vector<Mat4f> palette;
    std::vector<Vec3f> positions, normals;
    std::vector<Vec4f> tangents;
};

Skinned skin(const MeshPartView& part, const std::vector<Mat4d>& bones, PaletteSpace space, SimdPath path) {
    Skinned out;
    out.palette.resize(palette_size(part));
    expect(PaletteJob{&part, bones, space, out.palette, {}, path}.run() == Status::Ok);
    out.positions.resize(part.vertex_count());
    out.normals.resize(part.vertex_count());
    out.tangents.resize(part.vertex_count());
    SkinJob job;
    job.read_part(part);
    job.palette = out.palette;
    job.out_positions = output_stream(std::span(out.positions));
    job.out_normals = output_stream(std::span(out.normals));
    job.out_tangents = output_stream(std::span(out.tangents));
    job.normal_matrix = plainest_normal_matrix(out.palette);
    job.path = path;
    expect(job.run() == Status::Ok);
    return out;
}

void pose(const ModelView& model, const std::vector<BoneLocal>& locals) {
    std::vector<Mat4d> bones(model.bone_count()), portable(model.bone_count());
    expect(LocalToModelJob{&model, locals, portable, SimdPath::Portable}.run() == Status::Ok);
    for (const SimdPath path : {SimdPath::Sse2, SimdPath::Auto}) {
        expect(LocalToModelJob{&model, locals, bones, path}.run() == Status::Ok);
        expect_same(bones, portable);
    }
    for (const MeshPartView part : model.parts()) {
        for (const PaletteSpace space : {PaletteSpace::Geometry, PaletteSpace::Model}) {
            const Skinned wanted = skin(part, portable, space, SimdPath::Portable);
            for (const SimdPath path : {SimdPath::Sse2, SimdPath::Auto}) {
                const Skinned other = skin(part, portable, space, path);
                expect_same(other.palette, wanted.palette);
                expect_same(other.positions, wanted.positions);
                expect_same(other.normals, wanted.normals);
                expect_same(other.tangents, wanted.tangents);
            }
        }
    }
}

void shape(const ModelView& model, const ClipView* clip, float time) {
    std::vector<float> weights(model.morph_channel_count());
    expect(MorphSampleJob{&model, clip, time, weights}.run() == Status::Ok);
    for (const MeshPartView part : model.parts()) {
        std::vector<Vec3f> positions(part.vertex_count()), normals(part.vertex_count());
        MorphJob job{.model = &model, .part = &part, .weights = weights};
        job.read_part();
        job.out_positions = output_stream(std::span(positions));
        job.out_normals = output_stream(std::span(normals));
        expect(job.run() == Status::Ok);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::ExactBlock file({data, size});
    ModelView model;
    if (verify(file.bytes(), Limits::small(), model, nullptr) == Status::Ok) {
        std::vector<BoneLocal> bind(model.bone_count()), locals(model.bone_count()), others(model.bone_count());
        expect(bind_pose(model, bind) == Status::Ok);
        pose(model, bind);
        shape(model, nullptr, 0.0F);
        for (const ClipView clip : model.clips()) {
            const test::Memory memory(SampleContext::required_bytes(model, clip));
            SampleContext context;
            expect(context.bind(model, clip, bind, memory.bytes()) == Status::Ok);
            const float d = clip.duration_seconds();
            float last_bits = 0;  // a time from the file's last bytes
            if (size >= 4) std::memcpy(&last_bits, data + size - 4, 4);
            if (!(last_bits - last_bits == 0)) last_bits = 1;
            for (const float t : {0.0F, d * 0.3F, d, last_bits, -d * 0.7F, d * 0.3F}) {
                if (!(t - t == 0)) continue;
                shape(model, &clip, t);
                expect(SampleJob{&context, t, others, SimdPath::Portable}.run() == Status::Ok);
                for (const SimdPath path : {SimdPath::Sse2, SimdPath::Auto}) {
                    expect(SampleJob{&context, t, locals, path}.run() == Status::Ok);
                    expect_same(locals, others);
                }
            }
            pose(model, locals);
        }
    }
    return 0;
}
