// Sampling, palettes and skinning on one thread, on each path, beside a plain scalar reference and a memcpy of the bytes written, all
// in one process. Counters: ns_each, a bone or a vertex; times_memcpy and times_scalar, the time as a multiple of theirs (scalar and memcpy
// are measured in turns with the job, so that whatever else the machine does hits all three).

#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "../test/rig.hpp"
#include "gomkit/runtime/runtime.hpp"

namespace {

using namespace gomkit::runtime;
using test::Rig;
using test::RigOptions;

constexpr SimdPath kPaths[] = {SimdPath::Portable, SimdPath::Sse2, SimdPath::Avx2};
const char* path_name(SimdPath path) {
    return path == SimdPath::Portable ? "portable" : path == SimdPath::Sse2 ? "sse2" : "avx2";
}

// CPU time of this thread.
double seconds_of(auto&& work) {
    timespec a{}, b{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    work();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    return static_cast<double>(b.tv_sec - a.tv_sec) + 1e-9 * static_cast<double>(b.tv_nsec - a.tv_nsec);
}

double median(std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
}

// The three take turns, after prepare(), which is not measured; `each` items an iteration.
void measure(
    benchmark::State& state, double each, auto&& job, auto&& scalar, auto&& copy, const std::function<void()>& prepare = [] {}) {
    std::vector<double> jobs, scalars, copies;
    for (auto _ : state) {
        prepare();
        const double s = seconds_of(job);
        benchmark::ClobberMemory();
        scalars.push_back(seconds_of(scalar));
        benchmark::ClobberMemory();
        copies.push_back(seconds_of(copy));
        benchmark::ClobberMemory();
        jobs.push_back(s);
        state.SetIterationTime(s);
    }
    const double j = median(jobs);
    state.counters["ns_each"] = j * 1e9 / each;
    state.counters["times_memcpy"] = j / median(copies);
    state.counters["times_scalar"] = j / median(scalars);
}

// The references: the rules of gom.md as one would write them down first.

// Index of the key at or before t.
template <class Time>
std::uint32_t scalar_find(std::uint32_t& cursor, std::uint32_t count, float t, Time time) {
    if (cursor >= count || time(cursor) > t) cursor = 0;
    if (cursor + 2 < count && time(cursor + 2) <= t) {  // a leap
        std::uint32_t low = cursor, high = count - 1;
        while (low < high) {
            const std::uint32_t middle = (low + high + 1) / 2;
            if (time(middle) <= t)
                low = middle;
            else
                high = middle - 1;
        }
        cursor = low;
    }
    while (cursor + 1 < count && time(cursor + 1) <= t) ++cursor;
    return cursor;
}

struct ScalarSampler {
    const ClipView* clip;
    std::vector<TrackView> tracks;
    std::vector<std::uint32_t> cursors;
    explicit ScalarSampler(const ClipView& c) : clip(&c) {
        for (const TrackView t : c.tracks()) tracks.push_back(t);
        cursors.resize(3 * tracks.size());
    }
    void run(float seconds, std::vector<BoneLocal>& out) {
        const float t = clip_time(*clip, seconds);
        for (std::size_t i = 0; i < tracks.size(); ++i) {
            const TrackView& track = tracks[i];
            BoneLocal& bone = out[track.bone_index()];
            bone.is_keyed = 1;
            const auto vector = [&](std::span<const std::byte> bytes, std::uint32_t count, std::uint32_t& cursor, Vec3f& to) {
                if (count == 0) return;
                const auto* f = reinterpret_cast<const float*>(bytes.data());
                const std::uint32_t k = scalar_find(cursor, count, t, [f](std::uint32_t n) { return f[4 * n]; });
                const float* a = f + 4 * k;
                if (k + 1 == count || t <= a[0]) {
                    to = {a[1], a[2], a[3]};
                    return;
                }
                const float u = (t - a[0]) / (a[4] - a[0]);
                to = {a[1] + (a[5] - a[1]) * u, a[2] + (a[6] - a[2]) * u, a[3] + (a[7] - a[3]) * u};
            };
            vector(track.translation_bytes(), track.translation_count(), cursors[3 * i], bone.translation);
            vector(track.scale_bytes(), track.scale_count(), cursors[3 * i + 2], bone.scale);
            if (track.rotation_count() != 0) {
                const auto* f = reinterpret_cast<const float*>(track.rotation_bytes().data());
                const std::uint32_t k =
                    scalar_find(cursors[3 * i + 1], track.rotation_count(), t, [f](std::uint32_t n) { return f[5 * n]; });
                const float* a = f + 5 * k;
                const Quatf q0 = normalized(Quatf{a[1], a[2], a[3], a[4]});
                if (k + 1 == track.rotation_count() || t <= a[0]) {
                    bone.rotation = q0;
                } else {
                    bone.rotation = slerp(q0, normalized(Quatf{a[6], a[7], a[8], a[9]}), (t - a[0]) / (a[5] - a[0]));
                }
            }
        }
    }
};

enum class Order { Forward, Random };

void sample(benchmark::State& state, SimdPath path, unsigned seconds, bool rotations_only, Order order) {
    if (resolve(path) != path) return state.SkipWithError("not on this CPU");
    RigOptions options;
    options.vertices = 3;
    options.seconds = static_cast<float>(seconds);
    options.has_translations = options.has_scales = !rotations_only;
    const Rig rig(options);
    const ModelView& model = rig.model();
    const ClipView clip = model.clip(0);
    std::vector<BoneLocal> bind(model.bone_count()), out(model.bone_count()), from(model.bone_count());
    if (bind_pose(model, bind) != Status::Ok) return state.SkipWithError("bind_pose");
    const test::Memory memory(SampleContext::required_bytes(model, clip));
    SampleContext context;
    if (context.bind(model, clip, bind, memory.bytes()) != Status::Ok) return state.SkipWithError("bind");
    ScalarSampler scalar(clip);
    constexpr unsigned kFrames = 240;
    std::vector<float> times;
    std::uint32_t random = 1;
    float forward = 0.001F;
    const auto next = [&] {
        times.clear();
        for (unsigned i = 0; i < kFrames; ++i) {
            random = random * 1664525U + 1013904223U;
            forward += 1.0F / 60.0F;
            if (forward > static_cast<float>(seconds)) forward -= static_cast<float>(seconds);
            times.push_back(
                order == Order::Forward ? forward : static_cast<float>(random >> 8) / 16777216.0F * static_cast<float>(seconds));
        }
    };
    std::vector<BoneLocal> sink = bind;
    measure(
        state, static_cast<double>(kFrames) * model.bone_count(),
        [&] {
            for (const float t : times)
                if (SampleJob{&context, t, out, path}.run() != Status::Ok) std::abort();
        },
        [&] {
            for (const float t : times) scalar.run(t, sink);
        },
        [&] {
            for (unsigned i = 0; i < kFrames; ++i) {
                std::memcpy(from.data(), out.data(), out.size() * sizeof(BoneLocal));
                benchmark::ClobberMemory();
            }
        },
        next);
}

void local_to_model(benchmark::State& state, SimdPath path, bool is_chain) {
    if (resolve(path) != path) return state.SkipWithError("not on this CPU");
    RigOptions options;
    options.vertices = 3;
    options.is_chain = is_chain;
    const Rig rig(options);
    const ModelView& model = rig.model();
    std::vector<BoneLocal> pose(model.bone_count());
    if (bind_pose(model, pose) != Status::Ok) return state.SkipWithError("bind_pose");
    for (BoneLocal& b : pose) b.is_keyed = 1;
    std::vector<Mat4d> out(model.bone_count()), copy(model.bone_count());
    std::vector<Mat4f> plain(model.bone_count());
    constexpr int kTimes = 100;
    measure(
        state, static_cast<double>(kTimes) * model.bone_count(),
        [&] {
            for (int i = 0; i < kTimes; ++i)
                if (LocalToModelJob{&model, pose, out, path}.run() != Status::Ok) std::abort();
        },
        [&] {
            for (int i = 0; i < kTimes; ++i)
                for (std::uint32_t b = 0; b < model.bone_count(); ++b) {
                    const Mat4f local = to_matrix(Transformf{pose[b].translation, normalized(pose[b].rotation), pose[b].scale});
                    const std::int32_t parent = model.bone_parent(b);
                    plain[b] = parent < 0 ? local : local * plain[static_cast<std::size_t>(parent)];
                }
        },
        [&] {
            for (int i = 0; i < kTimes; ++i) {
                std::memcpy(copy.data(), out.data(), out.size() * sizeof(Mat4d));
                benchmark::ClobberMemory();
            }
        });
}

void palette(benchmark::State& state, SimdPath path, PaletteSpace space) {
    if (resolve(path) != path) return state.SkipWithError("not on this CPU");
    RigOptions options;
    options.vertices = 3;
    const Rig rig(options);
    const ModelView& model = rig.model();
    const MeshPartView part = model.part(0);
    std::vector<BoneLocal> pose(model.bone_count());
    if (bind_pose(model, pose) != Status::Ok) return state.SkipWithError("bind_pose");
    std::vector<Mat4d> bones(model.bone_count());
    if (LocalToModelJob{&model, pose, bones, path}.run() != Status::Ok) return state.SkipWithError("local_to_model");
    std::vector<Mat4f> out(model.bone_count()), copy(model.bone_count()), plain(model.bone_count());
    constexpr int kTimes = 100;
    const Mat4f geometry_to_model = part.geometry_to_model();
    measure(
        state, static_cast<double>(kTimes) * model.bone_count(),
        [&] {
            for (int i = 0; i < kTimes; ++i)
                if (PaletteJob{&part, bones, space, out, {}, path}.run() != Status::Ok) std::abort();
        },
        [&] {
            for (int i = 0; i < kTimes; ++i)
                for (std::uint32_t b = 0; b < model.bone_count(); ++b) {
                    plain[b] = part.inverse_bind(b) * matrix_cast<float>(bones[b]);
                    if (space == PaletteSpace::Model) plain[b] = plain[b] * geometry_to_model;
                }
        },
        [&] {
            for (int i = 0; i < kTimes; ++i) {
                std::memcpy(copy.data(), out.data(), out.size() * sizeof(Mat4f));
                benchmark::ClobberMemory();
            }
        });
}

struct alignas(64) AlignedPalette {
    Mat4f matrix[96];
};

void skin(benchmark::State& state, SimdPath path, bool tangents, NormalMatrix normals) {
    if (resolve(path) != path) return state.SkipWithError("not on this CPU");
    RigOptions options;
    options.vertices = 20'000;
    options.is_rigid = true;
    const Rig rig(options);
    const ModelView& model = rig.model();
    const MeshPartView part = model.part(0);
    const ClipView clip = model.clip(0);
    std::vector<BoneLocal> bind(model.bone_count()), pose(model.bone_count());
    if (bind_pose(model, bind) != Status::Ok) return state.SkipWithError("bind_pose");
    const test::Memory memory(SampleContext::required_bytes(model, clip));
    SampleContext context;
    if (context.bind(model, clip, bind, memory.bytes()) != Status::Ok) return state.SkipWithError("bind");
    if (SampleJob{&context, 0.7F, pose, path}.run() != Status::Ok) return state.SkipWithError("sample");
    std::vector<Mat4d> bones(model.bone_count());
    if (LocalToModelJob{&model, pose, bones, path}.run() != Status::Ok) return state.SkipWithError("local_to_model");
    AlignedPalette matrices;
    const std::span<Mat4f> out_palette(matrices.matrix, model.bone_count());
    if (PaletteJob{&part, bones, PaletteSpace::Geometry, out_palette, {}, path}.run() != Status::Ok)
        return state.SkipWithError("palette");

    const std::uint32_t n = part.vertex_count();
    std::vector<Vec3f> positions(n), out_normals(n), positions2(n), normals2(n);
    std::vector<Vec4f> out_tangents(n), tangents2(n);
    SkinJob job;
    job.read_part(part);
    job.palette = out_palette;
    job.out_positions = output_stream(std::span(positions));
    job.out_normals = output_stream(std::span(out_normals));
    if (tangents) job.out_tangents = output_stream(std::span(out_tangents));
    job.normal_matrix = normals;
    job.path = path;
    const std::span<const std::byte> vertices = part.vertex_bytes();
    measure(
        state, n,
        [&] {
            if (job.run() != Status::Ok) std::abort();
        },
        [&] {
            for (std::uint32_t i = 0; i < n; ++i) {
                const auto* f = reinterpret_cast<const float*>(vertices.data() + std::size_t{72} * i);
                const auto* index = reinterpret_cast<const std::uint16_t*>(f + 12);
                Mat4f m;
                for (std::size_t e = 0; e < 16; ++e) m.m[e] = 0;
                for (std::size_t k = 0; k < 4; ++k)
                    for (std::size_t e = 0; e < 16; ++e) m.m[e] += f[14 + k] * out_palette[index[k]].m[e];
                positions2[i] = transform_point(Vec3f{f[0], f[1], f[2]}, m);
                Vec3f nn = normals == NormalMatrix::Plain ? transform_vector(Vec3f{f[3], f[4], f[5]}, m)
                                                          : transform_vector(Vec3f{f[3], f[4], f[5]}, cofactor3(m));
                const float sign = determinant3(m) < 0 ? -1.0F : 1.0F;
                if (normals != NormalMatrix::Plain) nn = nn * sign;
                normals2[i] = normalized(nn);
                if (tangents) {
                    const Vec3f t = normalized(transform_vector(Vec3f{f[6], f[7], f[8]}, m));
                    tangents2[i] = {t.x, t.y, t.z, f[9] * sign};
                }
            }
        },
        [&] {
            std::memcpy(positions2.data(), positions.data(), n * sizeof(Vec3f));
            std::memcpy(normals2.data(), out_normals.data(), n * sizeof(Vec3f));
            if (tangents) std::memcpy(tangents2.data(), out_tangents.data(), n * sizeof(Vec4f));
        });
}

int add_all() {
    const auto add = [](const std::string& name, auto function) {
        benchmark::RegisterBenchmark(name.c_str(), function)->UseManualTime()->MinTime(0.2);
    };
    for (const SimdPath path : kPaths) {
        const std::string end = std::string("/") + path_name(path);
        for (const bool rotations_only : {false, true})
            for (const Order order : {Order::Forward, Order::Random})
                for (const unsigned seconds : {1U, 5U, 15U})
                    add(std::string("sample/") + (rotations_only ? "R/" : "TRS/") +
                            (order == Order::Forward ? "forward/" : "random/") + std::to_string(seconds) + "s" + end,
                        [=](benchmark::State& s) { sample(s, path, seconds, rotations_only, order); });
        add("local_to_model/character" + end, [=](benchmark::State& s) { local_to_model(s, path, false); });
        add("local_to_model/chain" + end, [=](benchmark::State& s) { local_to_model(s, path, true); });
        add("palette/geometry" + end, [=](benchmark::State& s) { palette(s, path, PaletteSpace::Geometry); });
        add("palette/model" + end, [=](benchmark::State& s) { palette(s, path, PaletteSpace::Model); });
        for (const bool tangents : {false, true})
            for (const NormalMatrix normals : {NormalMatrix::Cofactor, NormalMatrix::Plain})
                add(std::string("skin/position+normal") + (tangents ? "+tangent" : "") +
                        (normals == NormalMatrix::Plain ? "/plain" : "/cofactor") + end,
                    [=](benchmark::State& s) { skin(s, path, tangents, normals); });
    }
    return 0;
}
const int kAdded = add_all();

}  // namespace
