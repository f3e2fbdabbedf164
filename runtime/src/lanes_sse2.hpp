#pragma once
// Private. lanes_portable.hpp with SSE2: the comments there hold.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd.hpp"

#if GOMKIT_RUNTIME_SSE2

namespace gomkit::runtime::detail::sse2 {

inline constexpr std::size_t kFloats = 4;
struct Floats {
    __m128 v;
};
using Mask = Floats;

inline Floats load(const float* at) noexcept { return {_mm_loadu_ps(at)}; }
inline void store(float* at, Floats a) noexcept { _mm_storeu_ps(at, a.v); }
inline Floats splat(float v) noexcept { return {_mm_set1_ps(v)}; }
inline Floats operator+(Floats a, Floats b) noexcept { return {_mm_add_ps(a.v, b.v)}; }
inline Floats operator-(Floats a, Floats b) noexcept { return {_mm_sub_ps(a.v, b.v)}; }
inline Floats operator*(Floats a, Floats b) noexcept { return {_mm_mul_ps(a.v, b.v)}; }
inline Floats operator/(Floats a, Floats b) noexcept { return {_mm_div_ps(a.v, b.v)}; }
inline Floats square_root(Floats a) noexcept { return {_mm_sqrt_ps(a.v)}; }
inline Mask less(Floats a, Floats b) noexcept { return {_mm_cmplt_ps(a.v, b.v)}; }
inline Mask not_less(Floats a, Floats b) noexcept { return {_mm_cmpnlt_ps(a.v, b.v)}; }
inline Floats operator&(Floats a, Floats b) noexcept { return {_mm_and_ps(a.v, b.v)}; }
inline Floats operator|(Floats a, Floats b) noexcept { return {_mm_or_ps(a.v, b.v)}; }
inline Floats operator^(Floats a, Floats b) noexcept { return {_mm_xor_ps(a.v, b.v)}; }
inline Floats select(Mask mask, Floats yes, Floats no) noexcept {
    return {_mm_or_ps(_mm_and_ps(mask.v, yes.v), _mm_andnot_ps(mask.v, no.v))};
}
inline unsigned signs(Mask mask) noexcept { return static_cast<unsigned>(_mm_movemask_ps(mask.v)); }

inline __m128 load_bytes(const std::byte* at) noexcept { return _mm_loadu_ps(reinterpret_cast<const float*>(at)); }

// Four rows to four columns.
inline void transpose(__m128 r0, __m128 r1, __m128 r2, __m128 r3, Floats& a, Floats& b, Floats& c, Floats& d) noexcept {
    const __m128 low01 = _mm_unpacklo_ps(r0, r1), high01 = _mm_unpackhi_ps(r0, r1);
    const __m128 low23 = _mm_unpacklo_ps(r2, r3), high23 = _mm_unpackhi_ps(r2, r3);
    a.v = _mm_movelh_ps(low01, low23);
    b.v = _mm_movehl_ps(low23, low01);
    c.v = _mm_movelh_ps(high01, high23);
    d.v = _mm_movehl_ps(high23, high01);
}

inline void gather_keys(const std::byte* const* at, std::size_t offset, Floats& a, Floats& b, Floats& c, Floats& d) noexcept {
    transpose(load_bytes(at[0] + offset), load_bytes(at[1] + offset), load_bytes(at[2] + offset), load_bytes(at[3] + offset), a,
              b, c, d);
}
inline Floats gather_times(const std::byte* const* at, std::size_t offset) noexcept {
    const __m128 f0 = _mm_load_ss(reinterpret_cast<const float*>(at[0] + offset));
    const __m128 f1 = _mm_load_ss(reinterpret_cast<const float*>(at[1] + offset));
    const __m128 f2 = _mm_load_ss(reinterpret_cast<const float*>(at[2] + offset));
    const __m128 f3 = _mm_load_ss(reinterpret_cast<const float*>(at[3] + offset));
    return {_mm_movelh_ps(_mm_unpacklo_ps(f0, f1), _mm_unpacklo_ps(f2, f3))};
}
inline void prefetch(const std::byte* at, std::size_t ahead) noexcept {
    _mm_prefetch(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(at) + ahead), _MM_HINT_T0);
}
inline void scatter(std::byte* base, const std::uint32_t* offset, Floats a, Floats b, Floats c, Floats d) noexcept {
    Floats row[4];
    transpose(a.v, b.v, c.v, d.v, row[0], row[1], row[2], row[3]);
    for (std::size_t i = 0; i < kFloats; ++i) _mm_store_ps(reinterpret_cast<float*>(base + offset[i]), row[i].v);
}

inline void read_rows(const std::byte* base, std::size_t stride, Floats& a, Floats& b, Floats& c, Floats& d) noexcept {
    transpose(load_bytes(base), load_bytes(base + stride), load_bytes(base + 2 * stride), load_bytes(base + 3 * stride), a, b, c,
              d);
}
inline void write_row3(std::byte* at, __m128 row) noexcept {
    _mm_storel_pi(reinterpret_cast<__m64*>(at), row);
    const float third = _mm_cvtss_f32(_mm_movehl_ps(row, row));
    std::memcpy(at + 8, &third, sizeof third);
}
inline void write_rows3(std::byte* base, std::size_t stride, Floats a, Floats b, Floats c) noexcept {
    Floats row[4];
    transpose(a.v, b.v, c.v, c.v, row[0], row[1], row[2], row[3]);
    for (std::size_t i = 0; i < kFloats; ++i) write_row3(base + i * stride, row[i].v);
}
inline void write_rows4(std::byte* base, std::size_t stride, Floats a, Floats b, Floats c, Floats d) noexcept {
    Floats row[4];
    transpose(a.v, b.v, c.v, d.v, row[0], row[1], row[2], row[3]);
    for (std::size_t i = 0; i < kFloats; ++i) _mm_storeu_ps(reinterpret_cast<float*>(base + i * stride), row[i].v);
}

inline constexpr std::size_t kDoubles = 2;
struct Doubles {
    __m128d v;
};
inline Doubles splat_double(double v) noexcept { return {_mm_set1_pd(v)}; }
inline void store_doubles(double* at, Doubles a) noexcept { _mm_storeu_pd(at, a.v); }
inline Doubles operator+(Doubles a, Doubles b) noexcept { return {_mm_add_pd(a.v, b.v)}; }
inline Doubles operator-(Doubles a, Doubles b) noexcept { return {_mm_sub_pd(a.v, b.v)}; }
inline Doubles operator*(Doubles a, Doubles b) noexcept { return {_mm_mul_pd(a.v, b.v)}; }
inline Doubles two_over(Doubles a) noexcept {
    return {_mm_and_pd(_mm_div_pd(_mm_set1_pd(2.0), a.v), _mm_cmpgt_pd(a.v, _mm_setzero_pd()))};
}
inline void gather_doubles(const float* const* at, Doubles& a, Doubles& b, Doubles& c, Doubles& d) noexcept {
    const __m128 r0 = _mm_loadu_ps(at[0]), r1 = _mm_loadu_ps(at[1]);
    const __m128 low = _mm_unpacklo_ps(r0, r1), high = _mm_unpackhi_ps(r0, r1);
    a.v = _mm_cvtps_pd(low);
    b.v = _mm_cvtps_pd(_mm_movehl_ps(low, low));
    c.v = _mm_cvtps_pd(high);
    d.v = _mm_cvtps_pd(_mm_movehl_ps(high, high));
}

struct Row {
    __m128d xy, z;
};
inline Row load_row(const double* at) noexcept { return {_mm_loadu_pd(at), _mm_load_sd(at + 2)}; }
inline void store_row(double* at, Row a, double last) noexcept {
    _mm_storeu_pd(at, a.xy);
    _mm_storeu_pd(at + 2, _mm_unpacklo_pd(a.z, _mm_set_sd(last)));
}
inline __m128 row_floats(Row a, float last) noexcept {
    return _mm_movelh_ps(_mm_cvtpd_ps(a.xy), _mm_unpacklo_ps(_mm_cvtpd_ps(a.z), _mm_set_ss(last)));
}
inline void store_row(float* at, Row a, float last) noexcept { _mm_storeu_ps(at, row_floats(a, last)); }
inline void store_columns(float* at, Row a, Row b, Row c, Row d) noexcept {
    Floats column[4];
    transpose(row_floats(a, 0.0F), row_floats(b, 0.0F), row_floats(c, 0.0F), row_floats(d, 0.0F), column[0], column[1], column[2],
              column[3]);
    for (std::size_t i = 0; i < 3; ++i) _mm_storeu_ps(at + 4 * i, column[i].v);
}
inline Row operator+(Row a, Row b) noexcept { return {_mm_add_pd(a.xy, b.xy), _mm_add_sd(a.z, b.z)}; }
inline Row operator*(Row a, Row b) noexcept { return {_mm_mul_pd(a.xy, b.xy), _mm_mul_sd(a.z, b.z)}; }
inline Row scaled(Row a, const double* s) noexcept {
    const __m128d scale = _mm_load1_pd(s);
    return {_mm_mul_pd(scale, a.xy), _mm_mul_sd(scale, a.z)};
}
template <std::size_t kIndex>
inline Row spread(Row a) noexcept {
    const __m128d v = kIndex == 0   ? _mm_unpacklo_pd(a.xy, a.xy)
                      : kIndex == 1 ? _mm_unpackhi_pd(a.xy, a.xy)
                                    : _mm_unpacklo_pd(a.z, a.z);
    return {v, v};
}
inline void spread_floats(const std::byte* at, Row& x, Row& y, Row& z) noexcept {
    const __m128 floats = load_bytes(at);
    const Row row{_mm_cvtps_pd(floats), _mm_cvtps_pd(_mm_movehl_ps(floats, floats))};
    x = spread<0>(row);
    y = spread<1>(row);
    z = spread<2>(row);
}

template <std::size_t kCount>
inline void blend(const float* palette, const std::byte* indices, std::size_t index_stride, const std::byte* weights,
                  std::size_t weight_stride, Floats* m) noexcept {
    __m128 rows[4][4];
    for (std::size_t i = 0; i < kFloats; ++i) {
        const float* matrix[kCount];
        __m128 weight[kCount];
        for (std::size_t k = 0; k < kCount; ++k) {
            std::uint16_t index;
            std::memcpy(&index, indices + i * index_stride + 2 * k, 2);
            matrix[k] = palette + std::size_t{16} * index;
            float w;
            std::memcpy(&w, weights + i * weight_stride + 4 * k, 4);
            weight[k] = _mm_set1_ps(w);
        }
        for (std::size_t r = 0; r < 4; ++r) {
            __m128 sum = _mm_mul_ps(weight[0], _mm_loadu_ps(matrix[0] + 4 * r));
            if constexpr (kCount > 1) sum = _mm_add_ps(sum, _mm_mul_ps(weight[1], _mm_loadu_ps(matrix[1] + 4 * r)));
            if constexpr (kCount == 3) sum = _mm_add_ps(sum, _mm_mul_ps(weight[2], _mm_loadu_ps(matrix[2] + 4 * r)));
            if constexpr (kCount == 4)
                sum = _mm_add_ps(sum, _mm_add_ps(_mm_mul_ps(weight[2], _mm_loadu_ps(matrix[2] + 4 * r)),
                                                 _mm_mul_ps(weight[3], _mm_loadu_ps(matrix[3] + 4 * r))));
            rows[r][i] = sum;
        }
    }
    for (std::size_t r = 0; r < 4; ++r) {
        Floats unused;
        transpose(rows[r][0], rows[r][1], rows[r][2], rows[r][3], m[3 * r], m[3 * r + 1], m[3 * r + 2], unused);
    }
}

}  // namespace gomkit::runtime::detail::sse2

#endif
