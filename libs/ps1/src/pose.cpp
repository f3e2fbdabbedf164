#include "pose.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "layout.hpp"

namespace gomkit::ps1 {
namespace {

using std::int32_t;
using std::int16_t;
using std::int64_t;

using Vec = std::array<int64_t, 3>;   // wide, so that no intermediate overflows

int16_t low16(int64_t v) { return static_cast<int16_t>(static_cast<std::uint16_t>(static_cast<std::uint64_t>(v))); }
int32_t low32(int64_t v) { return static_cast<int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(v))); }

Vec wide(const Vec3s32& v) { return {v[0], v[1], v[2]}; }
Vec3s32 narrow(const Vec& v) { return {low32(v[0]), low32(v[1]), low32(v[2])}; }
Vec operator+(const Vec& a, const Vec& b) { return wide(narrow({a[0] + b[0], a[1] + b[1], a[2] + b[2]})); }
Vec operator-(const Vec& a, const Vec& b) { return wide(narrow({a[0] - b[0], a[1] - b[1], a[2] - b[2]})); }

// Of values of 32 bits: 64-bit sums that wrap.
int64_t product(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)); }
int64_t sum(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }
int64_t difference(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)); }
int64_t dot(const Vec& a, const Vec& b) { return sum(sum(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2])); }

Vec vscale(const Vec& a, int64_t s) { return wide(narrow({product(a[0], s) >> 12, product(a[1], s) >> 12, product(a[2], s) >> 12})); }
int64_t vlen(const Vec& a) { return isqrt(static_cast<std::uint32_t>(low32(dot(a, a)))); }
Vec vcross(const Vec& a, const Vec& b) {
    const auto part = [&](std::size_t i, std::size_t j) { return difference(product(a[i], b[j]), product(a[j], b[i])) >> 12; };
    return wide(narrow({part(1, 2), part(2, 0), part(0, 1)}));
}
Vec vnorm(const Vec& v) {
    const int64_t l = vlen(v);
    if (l == 0) {
        return {};
    }
    return wide(narrow({v[0] * 4096 / l, v[1] * 4096 / l, v[2] * 4096 / l}));
}

void rotate_world(Placement& world, const Matrix3s16& r, const Vec& pivot) {
    world.r = mul_matrix0(r, world.r);
    world.t = narrow(pivot + wide(apply_matrix_lv(r, narrow(wide(world.t) - pivot))));
}

constexpr Vec kX{4096, 0, 0};
constexpr Vec kY{0, 4096, 0};

}  // namespace

void advance(PlayPosition& position, const Clip& clip, std::int32_t hz) {
    if (clip.frames.size() < 2 || hz <= 0) {
        return;
    }
    position.subframe += int32_t{clip.fps} * 256 / hz;
    while (position.subframe >= 256) {
        position.subframe -= 256;
        position.frame = position.frame + 1 >= clip.frames.size() ? 0 : position.frame + 1;
    }
}

Matrix3s16 blended_rotation(const Rotation& q0, const Rotation& q1, std::int32_t t) {
    int64_t product_sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        product_sum += int64_t{q0[i]} * q1[i];
    }
    const int64_t sign = low32(product_sum) < 0 ? -1 : 1;
    std::array<int64_t, 4> q{};
    int64_t square = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        q[i] = q0[i] + (((sign * q1[i] - q0[i]) * t) >> 8);
        square += q[i] * q[i];
    }
    const int64_t n = std::max<int64_t>(1, isqrt(static_cast<std::uint32_t>(low32(square))));
    for (int64_t& c : q) {
        c = c * 4096 / n;
    }
    const auto [x, y, z, w] = q;
    const int64_t xx = (x * x) >> 12, yy = (y * y) >> 12, zz = (z * z) >> 12;
    const int64_t xy = (x * y) >> 12, xz = (x * z) >> 12, yz = (y * z) >> 12;
    const int64_t wx = (w * x) >> 12, wy = (w * y) >> 12, wz = (w * z) >> 12;
    return {{{low16(4096 - 2 * (yy + zz)), low16(2 * (xy - wz)), low16(2 * (xz + wy))},
             {low16(2 * (xy + wz)), low16(4096 - 2 * (xx + zz)), low16(2 * (yz - wx))},
             {low16(2 * (xz - wy)), low16(2 * (yz + wx)), low16(4096 - 2 * (xx + yy))}}};
}

std::vector<Placement> local_pose(const Document& document, const Clip& clip, const PlayPosition& position) {
    const Frame& from = clip.frames[position.frame];
    const Frame& to = clip.frames[position.frame + 1 < clip.frames.size() ? position.frame + 1 : 0];
    std::vector<Placement> out;
    for (std::size_t b = 0; b < document.bones.size(); ++b) {
        const Bone& bone = document.bones[b];
        Placement p;
        p.r = blended_rotation(from.rotations[b], to.rotations[b], position.subframe);
        for (std::size_t c = 0; c < 3; ++c) {
            p.t[c] = bone.translation[c];
            if (bone.moves()) {
                const int32_t t0 = from.translations[bone.slot][c];
                const int32_t t1 = to.translations[bone.slot][c];
                p.t[c] = t0 + (((t1 - t0) * position.subframe) >> 8);
            }
        }
        out.push_back(p);
    }
    return out;
}

std::vector<Placement> world_pose(const Document& document, std::span<const Placement> local) {
    std::vector<Placement> out;
    for (std::size_t b = 0; b < document.bones.size(); ++b) {
        const std::int8_t parent = document.bones[b].parent;
        out.push_back(parent < 0 ? local[b] : compose(out[static_cast<std::size_t>(parent)], local[b]));
    }
    return out;
}

void refresh_pose(const Document& document, std::span<const Placement> local, const std::vector<bool>& modified, std::span<Placement> world) {
    std::vector<bool> dirty = modified;
    for (std::size_t b = 0; b < document.bones.size(); ++b) {
        const std::int8_t parent = document.bones[b].parent;
        if (!modified[b] && parent >= 0 && dirty[static_cast<std::size_t>(parent)]) {
            world[b] = compose(world[static_cast<std::size_t>(parent)], local[b]);
            dirty[b] = true;
        }
    }
}

Vec3s32 effector(const IkChain& chain, std::span<const Placement> world) {
    const Placement& lower = world[static_cast<std::size_t>(chain.lower)];
    return narrow(wide(apply_matrix_lv(lower.r, {chain.end_local[0], chain.end_local[1], chain.end_local[2]})) + wide(lower.t));
}

Matrix3s16 rotation_between(const Vec3s32& from, const Vec3s32& to) {
    const Vec a = wide(from);
    const int64_t c = low32(dot(a, wide(to)) >> 12);
    const Vec v = vcross(a, wide(to));
    const auto entry = [](int64_t value) { return static_cast<int16_t>(std::clamp<int64_t>(value, -32768, 32767)); };
    Matrix3s16 out{};
    if (c <= -4090) {
        const Vec p = vnorm(vcross(a, std::abs(a[0]) < 2000 ? kX : kY));
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                out[i][j] = entry(((2 * p[i] * p[j]) >> 12) - (i == j ? 4096 : 0));
            }
        }
        return out;
    }
    const int64_t k = 16777216 / (4096 + c);
    const std::array<Vec, 3> cross{{{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}}};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            int64_t square = 0;
            for (std::size_t n = 0; n < 3; ++n) {
                square = sum(square, product(cross[i][n], cross[n][j]));
            }
            out[i][j] = entry(sum((i == j ? 4096 : 0) + cross[i][j], product(square >> 12, k) >> 12));
        }
    }
    return out;
}

void solve_chain(const IkChain& chain, const Vec3s32& target, std::span<Placement> world, std::vector<bool>& modified) {
    Placement& upper = world[static_cast<std::size_t>(chain.upper)];
    Placement& lower = world[static_cast<std::size_t>(chain.lower)];
    const Vec a = wide(upper.t);
    const Vec b = wide(lower.t);
    const int64_t l1 = vlen(b - a);
    const int64_t l2 = vlen(wide(effector(chain, world)) - b);
    if (l1 == 0 || l2 == 0) {
        return;
    }
    Vec at = wide(target) - a;
    int64_t d = vlen(at);
    if (d < 1) {
        at = kY;
        d = 4096;
    }
    const auto resize = [&](int64_t to) {
        for (int64_t& c : at) {
            c = low32(c * to / d);
        }
        d = to;
    };
    if (d > l1 + l2 - 4) {
        resize(l1 + l2 - 4);
    }
    if (d < std::abs(l1 - l2) + 4) {
        if (d < 1) {   // bones of a few units: nothing is left to scale
            return;
        }
        resize(std::abs(l1 - l2) + 4);
    }
    const Vec goal = a + at;
    const int64_t cosine = std::clamp<int64_t>((l1 * l1 + d * d - l2 * l2) * 4096 / (2 * l1 * d), -4096, 4096);
    const int64_t sine = isqrt(static_cast<std::uint32_t>(4096 * 4096 - cosine * cosine));
    const Vec u = vnorm(at);
    const Vec pole{chain.pole[0], chain.pole[1], chain.pole[2]};
    Vec v = pole - vscale(u, dot(pole, u) >> 12);
    if (vlen(v) < 200) {
        v = vcross(u, std::abs(u[1]) < 2000 ? kY : kX);
    }
    v = vnorm(v);
    const Vec elbow = a + vscale(vscale(u, cosine) + vscale(v, sine), l1);
    const Matrix3s16 first = rotation_between(narrow(vnorm(b - a)), narrow(vnorm(elbow - a)));
    rotate_world(upper, first, a);
    rotate_world(lower, first, a);
    const Vec reached = wide(effector(chain, world));
    const Matrix3s16 second = rotation_between(narrow(vnorm(reached - elbow)), narrow(vnorm(goal - elbow)));
    rotate_world(lower, second, elbow);
    modified[static_cast<std::size_t>(chain.upper)] = true;
    modified[static_cast<std::size_t>(chain.lower)] = true;
    if (chain.end >= 0) {
        Placement& end = world[static_cast<std::size_t>(chain.end)];
        rotate_world(end, first, a);
        rotate_world(end, second, elbow);
        modified[static_cast<std::size_t>(chain.end)] = true;
    }
}

}  // namespace gomkit::ps1
