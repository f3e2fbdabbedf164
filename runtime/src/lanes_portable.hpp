#pragma once
// Private. Vectors for the jobs' kernels in plain C++: what lanes_sse2.hpp and lanes_avx2.hpp do, lane by lane. Each operation is one
// correctly rounded IEEE operation a lane, so a kernel gives the same bits whatever the vector's width.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gomkit/runtime/bytes.hpp"

namespace gomkit::runtime::detail::portable {

// Floats. Comparisons give a mask: all bits of a lane, or none.
inline constexpr std::size_t kFloats = 4;
struct Floats {
    float lane[kFloats];
};
using Mask = Floats;

inline Floats load(const float* at) noexcept {
    Floats out;
    std::memcpy(out.lane, at, sizeof out.lane);
    return out;
}
inline void store(float* at, const Floats& a) noexcept { std::memcpy(at, a.lane, sizeof a.lane); }
inline Floats splat(float v) noexcept { return {{v, v, v, v}}; }

#define GOMKIT_LANE_WISE(expression)                                      \
    Floats out;                                                           \
    for (std::size_t i = 0; i < kFloats; ++i) out.lane[i] = (expression); \
    return out

inline Floats operator+(const Floats& a, const Floats& b) noexcept { GOMKIT_LANE_WISE(a.lane[i] + b.lane[i]); }
inline Floats operator-(const Floats& a, const Floats& b) noexcept { GOMKIT_LANE_WISE(a.lane[i] - b.lane[i]); }
inline Floats operator*(const Floats& a, const Floats& b) noexcept { GOMKIT_LANE_WISE(a.lane[i] * b.lane[i]); }
inline Floats operator/(const Floats& a, const Floats& b) noexcept { GOMKIT_LANE_WISE(a.lane[i] / b.lane[i]); }
inline Floats square_root(const Floats& a) noexcept { GOMKIT_LANE_WISE(std::sqrt(a.lane[i])); }

inline std::uint32_t bits(float v) noexcept { return std::bit_cast<std::uint32_t>(v); }
inline float from_bits(std::uint32_t v) noexcept { return std::bit_cast<float>(v); }

inline Mask less(const Floats& a, const Floats& b) noexcept { GOMKIT_LANE_WISE(from_bits(a.lane[i] < b.lane[i] ? ~0U : 0U)); }
inline Mask not_less(const Floats& a, const Floats& b) noexcept { GOMKIT_LANE_WISE(from_bits(a.lane[i] < b.lane[i] ? 0U : ~0U)); }
inline Floats operator&(const Floats& a, const Floats& b) noexcept {
    GOMKIT_LANE_WISE(from_bits(bits(a.lane[i]) & bits(b.lane[i])));
}
inline Floats operator|(const Floats& a, const Floats& b) noexcept {
    GOMKIT_LANE_WISE(from_bits(bits(a.lane[i]) | bits(b.lane[i])));
}
inline Floats operator^(const Floats& a, const Floats& b) noexcept {
    GOMKIT_LANE_WISE(from_bits(bits(a.lane[i]) ^ bits(b.lane[i])));
}
inline Floats select(const Mask& mask, const Floats& yes, const Floats& no) noexcept {
    GOMKIT_LANE_WISE(bits(mask.lane[i]) != 0 ? yes.lane[i] : no.lane[i]);
}
#undef GOMKIT_LANE_WISE

// Bit i: lane i's sign.
inline unsigned signs(const Mask& mask) noexcept {
    unsigned out = 0;
    for (std::size_t i = 0; i < kFloats; ++i) out |= bits(mask.lane[i]) >> 31 << i;
    return out;
}

// Four little-endian floats at each of kFloats places: lane i of a, b, c, d from at[i].
inline void gather_keys(const std::byte* const* at, std::size_t offset, Floats& a, Floats& b, Floats& c, Floats& d) noexcept {
    for (std::size_t i = 0; i < kFloats; ++i) {
        a.lane[i] = load_le<float>(at[i] + offset);
        b.lane[i] = load_le<float>(at[i] + offset + 4);
        c.lane[i] = load_le<float>(at[i] + offset + 8);
        d.lane[i] = load_le<float>(at[i] + offset + 12);
    }
}
inline Floats gather_times(const std::byte* const* at, std::size_t offset) noexcept {
    Floats out;
    for (std::size_t i = 0; i < kFloats; ++i) out.lane[i] = load_le<float>(at[i] + offset);
    return out;
}
// Asks for the memory `ahead` bytes on, which need not exist.
inline void prefetch(const std::byte*, std::size_t) noexcept {}
// Four floats to each of kFloats places 16 bytes wide and aligned: base + offset[i].
inline void scatter(std::byte* base, const std::uint32_t* offset, const Floats& a, const Floats& b, const Floats& c,
                    const Floats& d) noexcept {
    for (std::size_t i = 0; i < kFloats; ++i) {
        const float row[4] = {a.lane[i], b.lane[i], c.lane[i], d.lane[i]};
        std::memcpy(base + offset[i], row, sizeof row);
    }
}

// Four floats of the host's order at base + i * stride.
inline void read_rows(const std::byte* base, std::size_t stride, Floats& a, Floats& b, Floats& c, Floats& d) noexcept {
    for (std::size_t i = 0; i < kFloats; ++i) {
        float row[4];
        std::memcpy(row, base + i * stride, sizeof row);
        a.lane[i] = row[0];
        b.lane[i] = row[1];
        c.lane[i] = row[2];
        d.lane[i] = row[3];
    }
}
inline void write_rows3(std::byte* base, std::size_t stride, const Floats& a, const Floats& b, const Floats& c) noexcept {
    for (std::size_t i = 0; i < kFloats; ++i) {
        const float row[3] = {a.lane[i], b.lane[i], c.lane[i]};
        std::memcpy(base + i * stride, row, sizeof row);
    }
}
inline void write_rows4(std::byte* base, std::size_t stride, const Floats& a, const Floats& b, const Floats& c,
                        const Floats& d) noexcept {
    for (std::size_t i = 0; i < kFloats; ++i) {
        const float row[4] = {a.lane[i], b.lane[i], c.lane[i], d.lane[i]};
        std::memcpy(base + i * stride, row, sizeof row);
    }
}

// Doubles, as many as a vector holds.
inline constexpr std::size_t kDoubles = 2;
struct Doubles {
    double lane[kDoubles];
};
inline Doubles splat_double(double v) noexcept { return {{v, v}}; }
inline void store_doubles(double* at, const Doubles& a) noexcept { std::memcpy(at, a.lane, sizeof a.lane); }
inline Doubles operator+(const Doubles& a, const Doubles& b) noexcept { return {{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1]}}; }
inline Doubles operator-(const Doubles& a, const Doubles& b) noexcept { return {{a.lane[0] - b.lane[0], a.lane[1] - b.lane[1]}}; }
inline Doubles operator*(const Doubles& a, const Doubles& b) noexcept { return {{a.lane[0] * b.lane[0], a.lane[1] * b.lane[1]}}; }
// 2 / a, and 0 where a is not above 0.
inline Doubles two_over(const Doubles& a) noexcept {
    return {{a.lane[0] > 0.0 ? 2.0 / a.lane[0] : 0.0, a.lane[1] > 0.0 ? 2.0 / a.lane[1] : 0.0}};
}
// Four floats at at[0] and at[1], as doubles.
inline void gather_doubles(const float* const* at, Doubles& a, Doubles& b, Doubles& c, Doubles& d) noexcept {
    for (std::size_t i = 0; i < kDoubles; ++i) {
        a.lane[i] = static_cast<double>(at[i][0]);
        b.lane[i] = static_cast<double>(at[i][1]);
        c.lane[i] = static_cast<double>(at[i][2]);
        d.lane[i] = static_cast<double>(at[i][3]);
    }
}

// A matrix's row: x y z, and a last number that is only carried along.
struct Row {
    double x, y, z;
};
inline Row load_row(const double* at) noexcept { return {at[0], at[1], at[2]}; }
inline void store_row(double* at, const Row& a, double last) noexcept {
    at[0] = a.x;
    at[1] = a.y;
    at[2] = a.z;
    at[3] = last;
}
// Rounded to float.
inline void store_row(float* at, const Row& a, float last) noexcept {
    at[0] = static_cast<float>(a.x);
    at[1] = static_cast<float>(a.y);
    at[2] = static_cast<float>(a.z);
    at[3] = last;
}
// The first three columns of the matrix with rows a, b, c, d, as rows, rounded to float.
inline void store_columns(float* at, const Row& a, const Row& b, const Row& c, const Row& d) noexcept {
    const float out[12] = {static_cast<float>(a.x), static_cast<float>(b.x), static_cast<float>(c.x), static_cast<float>(d.x),
                           static_cast<float>(a.y), static_cast<float>(b.y), static_cast<float>(c.y), static_cast<float>(d.y),
                           static_cast<float>(a.z), static_cast<float>(b.z), static_cast<float>(c.z), static_cast<float>(d.z)};
    std::memcpy(at, out, sizeof out);
}
inline Row operator+(const Row& a, const Row& b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Row operator*(const Row& a, const Row& b) noexcept { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
// a times the number at s.
inline Row scaled(const Row& a, const double* s) noexcept { return {*s * a.x, *s * a.y, *s * a.z}; }
// A row of one number all over: the kIndex-th of a; the first three of the little-endian floats at `at`, of which four are readable.
template <std::size_t kIndex>
inline Row spread(const Row& a) noexcept {
    const double v = kIndex == 0 ? a.x : kIndex == 1 ? a.y : a.z;
    return {v, v, v};
}
inline void spread_floats(const std::byte* at, Row& x, Row& y, Row& z) noexcept {
    const Row row{static_cast<double>(load_le<float>(at)), static_cast<double>(load_le<float>(at + 4)),
                  static_cast<double>(load_le<float>(at + 8))};
    x = spread<0>(row);
    y = spread<1>(row);
    z = spread<2>(row);
}

// Blends kCount matrices of 16 floats (four rows, the last column unused) a lane: lane i of m[3 * row + column] is
// w0 M0 or (w0 M0 + w1 M1) or ((w0 M0 + w1 M1) + w2 M2) or ((w0 M0 + w1 M1) + (w2 M2 + w3 M3)) of vertex i. Indices and weights lie at
// their bases + i * stride.
template <std::size_t kCount>
inline void blend(const float* palette, const std::byte* indices, std::size_t index_stride, const std::byte* weights,
                  std::size_t weight_stride, Floats* m) noexcept {
    for (std::size_t i = 0; i < kFloats; ++i) {
        const float* matrix[kCount];
        float weight[kCount];
        for (std::size_t k = 0; k < kCount; ++k) {
            std::uint16_t index;
            std::memcpy(&index, indices + i * index_stride + 2 * k, 2);
            std::memcpy(&weight[k], weights + i * weight_stride + 4 * k, 4);
            matrix[k] = palette + std::size_t{16} * index;
        }
        for (std::size_t e = 0; e < 12; ++e) {
            const std::size_t at = e / 3 * 4 + e % 3;
            float sum = weight[0] * matrix[0][at];
            if constexpr (kCount > 1) sum = sum + weight[1] * matrix[1][at];
            if constexpr (kCount == 3) sum = sum + weight[2] * matrix[2][at];
            if constexpr (kCount == 4) sum = sum + (weight[2] * matrix[2][at] + weight[3] * matrix[3][at]);
            m[e].lane[i] = sum;
        }
    }
}

}  // namespace gomkit::runtime::detail::portable
