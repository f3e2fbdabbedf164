#include "fixed.hpp"

#include <algorithm>

namespace gomkit::ps1 {
namespace {

std::int16_t saturated(std::int64_t v) { return static_cast<std::int16_t>(std::clamp<std::int64_t>(v, -32768, 32767)); }
std::int16_t low16(std::int32_t v) { return static_cast<std::int16_t>(static_cast<std::uint16_t>(static_cast<std::uint32_t>(v))); }
std::int32_t wrapping_sum(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

Vec3s16 apply(const Matrix3s16& m, const Vec3s16& v) {
    Vec3s16 out{};
    for (std::size_t r = 0; r < 3; ++r) {
        const std::int64_t sum = m[r][0] * std::int64_t{v[0]} + m[r][1] * std::int64_t{v[1]} + m[r][2] * std::int64_t{v[2]};
        out[r] = saturated(sum >> 12);
    }
    return out;
}

}  // namespace

Matrix3s16 mul_matrix0(const Matrix3s16& a, const Matrix3s16& b) {
    Matrix3s16 out{};
    for (std::size_t c = 0; c < 3; ++c) {
        const Vec3s16 column = apply(a, {b[0][c], b[1][c], b[2][c]});
        for (std::size_t r = 0; r < 3; ++r) {
            out[r][c] = column[r];
        }
    }
    return out;
}

Vec3s32 apply_matrix_lv(const Matrix3s16& m, const Vec3s32& v) {
    const Vec3s16 out = apply(m, {low16(v[0]), low16(v[1]), low16(v[2])});
    return {out[0], out[1], out[2]};
}

std::int32_t isin(std::int32_t angle) {
    const std::uint32_t x = static_cast<std::uint32_t>(angle);
    const bool negative = (x >> 11 & 1) != 0;
    auto y = static_cast<std::int32_t>((x - 1024) << 21) >> 21;   // the low 11 bits, signed: -1024 to 1023 around the crest
    y = (y * y) >> 6;
    std::int32_t value = 19900 - ((y * 3516) >> 14);
    value = 4096 - ((y * value) >> 16);
    return negative ? -value : value;
}

std::int32_t icos(std::int32_t angle) { return isin(wrapping_sum(angle, 1024)); }

Matrix3s16 rot_matrix(std::int32_t x, std::int32_t y, std::int32_t z) {
    const auto turn = [](std::int32_t angle, std::size_t i, std::size_t j) {   // takes axis i to axis j
        Matrix3s16 m{{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}};
        const auto s = static_cast<std::int16_t>(isin(angle));
        m[i][i] = m[j][j] = static_cast<std::int16_t>(icos(angle));
        m[j][i] = s;
        m[i][j] = static_cast<std::int16_t>(-s);
        return m;
    };
    return mul_matrix0(mul_matrix0(turn(x, 1, 2), turn(y, 2, 0)), turn(z, 0, 1));
}

Placement compose(const Placement& parent, const Placement& local) {
    const Vec3s32 t = apply_matrix_lv(parent.r, local.t);
    return {mul_matrix0(parent.r, local.r), {wrapping_sum(t[0], parent.t[0]), wrapping_sum(t[1], parent.t[1]), wrapping_sum(t[2], parent.t[2])}};
}

std::uint32_t isqrt(std::uint32_t n) {
    std::uint32_t root = 0;
    for (std::uint32_t bit = 1u << 15; bit != 0; bit >>= 1) {
        const std::uint32_t next = root | bit;
        if (std::uint64_t{next} * next <= n) {
            root = next;
        }
    }
    return root;
}

}  // namespace gomkit::ps1
