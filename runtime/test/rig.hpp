#pragma once
// A made-up character of any size in one GOM: a tree of bones, a skinned part with GBTM, an unskinned one, one clip. The same numbers
// everywhere: its own random numbers, and of the C library only sqrt. No test framework in here.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gomkit/runtime/runtime.hpp"
#include "sample.hpp"

namespace gomkit::runtime::test {

struct RigOptions {
    std::uint32_t bones = 96;
    bool is_chain = false;  // else a tree like a character's: chains of five
    std::uint32_t vertices = 500;
    float seconds = 2;
    float keys_per_second = 30;
    bool has_translations = true, has_rotations = true, has_scales = true;
    bool is_uneven = false;  // key times at random distances; some bones without a channel, with one key, or without a track
    bool has_shear = false;  // a bindLocal that no S * R * T gives
    bool is_rigid = false;   // scale keys all 1
    bool is_looping = true;
    std::uint32_t seed = 1;
};

class Rig {
public:
    explicit Rig(const RigOptions& options) : options_(options), state_(options.seed * 2654435761U + 1U), block_(build().bytes) {
        status_ = verify(block_.bytes(), Limits::large(), view_, &info_);
    }
    [[nodiscard]] Status status() const { return status_; }
    [[nodiscard]] const ErrorInfo& info() const { return info_; }
    [[nodiscard]] const ModelView& model() const { return view_; }
    [[nodiscard]] std::size_t size() const { return block_.bytes().size(); }

private:
    std::uint32_t bits() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>(state_ >> 33);
    }
    double between(double low, double high) { return low + (high - low) * (bits() / 2147483648.0); }
    std::uint32_t below(std::uint32_t n) { return bits() % n; }
    Quatd rotation(double most) {
        const Quatd q{between(-most, most), between(-most, most), between(-most, most), 1};
        return normalized(q);
    }
    void floats(Builder& b, const Mat4d& m) {
        for (std::size_t i = 0; i < 16; ++i) b.f32(static_cast<float>(m.m[i]));
    }

    Builder build() {
        const std::uint32_t n = options_.bones;
        // Paths in pre-order: '/' sorts before digits, and names have one length.
        std::vector<std::string> path(n);
        std::vector<std::uint32_t> order(n), place(n);
        std::vector<std::int32_t> parent(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            parent[i] = i == 0 ? -1 : static_cast<std::int32_t>(options_.is_chain || i % 5 != 0 ? i - 1 : i / 7);
            const std::string number = std::to_string(10000 + i).substr(1);
            path[i] = (i == 0 ? std::string() : path[static_cast<std::size_t>(parent[i])] + "/") + number;
            order[i] = i;
        }
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t c) { return path[a] < path[c]; });
        for (std::uint32_t i = 0; i < n; ++i) place[order[i]] = i;

        Builder b;
        header(b);
        std::vector<std::string> list;
        for (const std::uint32_t i : order) list.push_back(path[i]);
        list.push_back("clip");
        for (const std::uint32_t i : order) list.push_back(path[i].substr(path[i].size() - 4));
        strings(b, list);
        bare_materials(b, 1);

        std::vector<Mat4d> bind(n), model(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            Transformd t;
            t.translation = {between(-0.1, 0.1), between(0.05, 0.2), between(-0.1, 0.1)};
            t.rotation = rotation(0.5);
            bind[i] = matrix_cast<double>(matrix_cast<float>(to_matrix(t)));
            if (options_.has_shear && i % 7 == 3) bind[i].m[4] += 0.25;
            const std::int32_t p = parent[order[i]];
            model[i] = p < 0 ? bind[i] : bind[i] * model[place[static_cast<std::size_t>(p)]];
        }
        b.begin("SKEL", "SKEL");
        b.u32(n);
        for (const std::uint32_t i : order)
            b.i32(parent[i] < 0 ? -1 : static_cast<std::int32_t>(place[static_cast<std::size_t>(parent[i])]));
        for (std::uint32_t i = 0; i < n; ++i) b.u32(n + 1 + i);
        for (std::uint32_t i = 0; i < n; ++i) b.u32(i);
        for (std::uint32_t i = 0; i < n; ++i) floats(b, bind[i]);
        b.end();

        part(b, n, model);
        part(b, 0, model);

        b.begin("ANIM", "ANIM");
        b.u32(1);
        b.end();
        clip(b, n, bind);
        table(b);
        return b;
    }

    void part(Builder& b, std::uint32_t bones, const std::vector<Mat4d>& model) {
        const std::uint32_t vertices = options_.vertices;
        b.begin("MSH0", "MSH0");
        for (const std::uint32_t v : {0xFFFFFFFFU, 1U, vertices, 3U, bones, 2U, 0U, 0U}) b.u32(v);
        b.begin("VB0", "VB0");
        for (const std::uint32_t v : {vertices, 72U, 1U, 0U}) b.u32(v);
        for (std::uint32_t i = 0; i < vertices; ++i) {
            const std::uint32_t bone = options_.bones * i / vertices;
            const double* at = model[bone].m + 12;
            for (std::size_t c = 0; c < 3; ++c) b.f32(static_cast<float>(at[c] + between(-0.1, 0.1)));
            const Vec3d normal = normalized(Vec3d{between(-1, 1), between(-1, 1), between(-1, 1) + 1e-3});
            const Vec3d tangent = normalized(cross(normal, Vec3d{between(-1, 1), between(-1, 1), between(-1, 1) + 1e-3}));
            for (const double v : {normal.x, normal.y, normal.z, tangent.x, tangent.y, tangent.z}) b.f32(static_cast<float>(v));
            b.f32(below(2) == 0 ? 1.0F : -1.0F);
            b.f32(0);
            b.f32(0);
            // Bones near it; one in four vertices hangs on one bone.
            for (std::uint32_t k = 0; k < 4; ++k) b.u16(bones == 0 ? 0U : (bone + (k == 0 ? 0 : below(6))) % bones);
            double w[4] = {1, 0, 0, 0};
            if (bones != 0 && below(4) != 0) {
                double sum = 0;
                for (double& v : w) sum += v = between(0.05, 1);
                for (double& v : w) v /= sum;
            }
            for (const double v : w) b.f32(static_cast<float>(v));
        }
        b.end();
        b.begin("IB0", "IB0");
        for (const std::uint32_t v : {3U, 4U, 0U, 0U, 0U, 1U, 2U}) b.u32(v);
        b.end();
        b.begin("SUB0", "SUB0");
        for (const std::uint32_t v : {1U, 0U, 0U, 3U}) b.u32(v);
        b.end();
        b.begin("IBND", "IBND");
        b.u32(bones);
        for (std::uint32_t i = 0; i < bones; ++i) {
            Mat4d inverse;
            static_cast<void>(inverse_affine(model[i], inverse));
            floats(b, inverse);
        }
        b.end();
        b.begin("GBTM", "GBTM");
        Transformd t;
        t.translation = {0.5, -0.25, 1};
        t.rotation = rotation(1);
        t.scale = {1, 2, 1};
        floats(b, to_matrix(t));
        b.end();
        b.end_padded();
    }

    std::vector<float> key_times(std::uint32_t count) {
        std::vector<float> out;
        if (!options_.is_uneven) {
            for (std::uint32_t i = 0; i < count; ++i)
                out.push_back(static_cast<float>(i / static_cast<double>(options_.keys_per_second)));
            return out;
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            const double u = between(0, 1);
            out.push_back(static_cast<float>(static_cast<double>(options_.seconds) * (below(2) == 0 ? u : u * u * u * u)));
        }
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }

    std::vector<float> channel(bool is_there) {
        if (!is_there) return {};
        auto count =
            static_cast<std::uint32_t>(static_cast<double>(options_.seconds) * static_cast<double>(options_.keys_per_second)) + 1;
        if (options_.is_uneven) {
            const std::uint32_t kind = below(8);
            if (kind == 0) return {};
            if (kind == 1) count = 1;
            if (kind == 2) count = 2;
        }
        std::vector<float> times = key_times(count);
        while (!times.empty() && times.back() > options_.seconds) times.pop_back();
        return times;
    }

    void clip(Builder& b, std::uint32_t bones, const std::vector<Mat4d>& bind) {
        std::vector<std::uint32_t> moved;
        for (std::uint32_t i = 0; i < bones; ++i)
            if (!options_.is_uneven || i % 9 != 4) moved.push_back(i);
        b.begin("CLP0", "CLP0");
        b.u32(bones);
        b.f32(options_.seconds);
        b.i32(-1);
        b.u32(1);
        b.u32(options_.is_looping ? 2 : 0);
        b.u32(static_cast<std::uint32_t>(moved.size()));
        for (const std::uint32_t i : moved) {
            const std::vector<float> t = channel(options_.has_translations), r = channel(options_.has_rotations),
                                     s = channel(options_.has_scales);
            const Transformd rest = decompose(bind[i]);
            b.u32(i);
            for (const auto* c : {&t, &r, &s}) b.u32(static_cast<std::uint32_t>(c->size()));
            for (const float time : t) {
                b.f32(time);
                for (const double v : {rest.translation.x, rest.translation.y, rest.translation.z})
                    b.f32(static_cast<float>(v + between(-0.02, 0.02)));
            }
            Quatd q = rest.rotation;
            for (const float time : r) {
                b.f32(time);
                q = normalized(multiply(q, rotation(options_.is_uneven ? 1.5 : 0.1)));
                const double length = options_.is_uneven && below(8) == 0 ? between(0.5, 2) : 1;
                for (const double v : {q.x, q.y, q.z, q.w}) b.f32(static_cast<float>(v * length));
            }
            for (const float time : s) {
                b.f32(time);
                for (std::size_t c = 0; c < 3; ++c) b.f32(options_.is_rigid ? 1.0F : static_cast<float>(between(0.9, 1.1)));
            }
        }
        b.end();
    }

    RigOptions options_;
    std::uint64_t state_;
    ExactBlock block_;
    ModelView view_;
    ErrorInfo info_;
    Status status_ = Status::Ok;
};

}  // namespace gomkit::runtime::test
