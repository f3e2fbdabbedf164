#pragma once
// Private. lanes_portable.hpp with AVX2: the comments there hold. No fused multiply-add.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd.hpp"

#if GOMKIT_RUNTIME_AVX2

GOMKIT_RUNTIME_AVX2_BEGIN

namespace gomkit::runtime::detail::avx2 {

inline constexpr std::size_t kFloats = 8;
struct Floats {
    __m256 v;
};
using Mask = Floats;

inline Floats load(const float* at) noexcept { return {_mm256_loadu_ps(at)}; }
inline void store(float* at, Floats a) noexcept { _mm256_storeu_ps(at, a.v); }
inline Floats splat(float v) noexcept { return {_mm256_set1_ps(v)}; }
inline Floats operator+(Floats a, Floats b) noexcept { return {_mm256_add_ps(a.v, b.v)}; }
inline Floats operator-(Floats a, Floats b) noexcept { return {_mm256_sub_ps(a.v, b.v)}; }
inline Floats operator*(Floats a, Floats b) noexcept { return {_mm256_mul_ps(a.v, b.v)}; }
inline Floats operator/(Floats a, Floats b) noexcept { return {_mm256_div_ps(a.v, b.v)}; }
inline Floats square_root(Floats a) noexcept { return {_mm256_sqrt_ps(a.v)}; }
inline Mask less(Floats a, Floats b) noexcept { return {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OS)}; }
inline Mask not_less(Floats a, Floats b) noexcept { return {_mm256_cmp_ps(a.v, b.v, _CMP_NLT_US)}; }
inline Floats operator&(Floats a, Floats b) noexcept { return {_mm256_and_ps(a.v, b.v)}; }
inline Floats operator|(Floats a, Floats b) noexcept { return {_mm256_or_ps(a.v, b.v)}; }
inline Floats operator^(Floats a, Floats b) noexcept { return {_mm256_xor_ps(a.v, b.v)}; }
inline Floats select(Mask mask, Floats yes, Floats no) noexcept { return {_mm256_blendv_ps(no.v, yes.v, mask.v)}; }
inline unsigned signs(Mask mask) noexcept { return static_cast<unsigned>(_mm256_movemask_ps(mask.v)); }

inline __m256 load_pair(const std::byte* low, const std::byte* high) noexcept {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(reinterpret_cast<const float*>(low))),
                                _mm_loadu_ps(reinterpret_cast<const float*>(high)), 1);
}

// Four rows to four columns, in each half by itself.
inline void transpose(__m256 r0, __m256 r1, __m256 r2, __m256 r3, Floats& a, Floats& b, Floats& c, Floats& d) noexcept {
    const __m256 low01 = _mm256_unpacklo_ps(r0, r1), high01 = _mm256_unpackhi_ps(r0, r1);
    const __m256 low23 = _mm256_unpacklo_ps(r2, r3), high23 = _mm256_unpackhi_ps(r2, r3);
    a.v = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
    b.v = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
    c.v = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0));
    d.v = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}

inline void gather_keys(const std::byte* const* at, std::size_t offset, Floats& a, Floats& b, Floats& c, Floats& d) noexcept {
    transpose(load_pair(at[0] + offset, at[4] + offset), load_pair(at[1] + offset, at[5] + offset),
              load_pair(at[2] + offset, at[6] + offset), load_pair(at[3] + offset, at[7] + offset), a, b, c, d);
}
inline __m128 gather_four(const std::byte* const* at, std::size_t offset) noexcept {
    const __m128 f0 = _mm_load_ss(reinterpret_cast<const float*>(at[0] + offset));
    const __m128 f2 = _mm_load_ss(reinterpret_cast<const float*>(at[2] + offset));
    const __m128 f01 = _mm_insert_ps(f0, _mm_load_ss(reinterpret_cast<const float*>(at[1] + offset)), 0x10);
    const __m128 f23 = _mm_insert_ps(f2, _mm_load_ss(reinterpret_cast<const float*>(at[3] + offset)), 0x10);
    return _mm_movelh_ps(f01, f23);
}
inline Floats gather_times(const std::byte* const* at, std::size_t offset) noexcept {
    return {_mm256_insertf128_ps(_mm256_castps128_ps256(gather_four(at, offset)), gather_four(at + 4, offset), 1)};
}
inline void prefetch(const std::byte* at, std::size_t ahead) noexcept {
    _mm_prefetch(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(at) + ahead), _MM_HINT_T0);
}
inline void scatter(std::byte* base, const std::uint32_t* offset, Floats a, Floats b, Floats c, Floats d) noexcept {
    Floats row[4];
    transpose(a.v, b.v, c.v, d.v, row[0], row[1], row[2], row[3]);
    for (std::size_t i = 0; i < 4; ++i) {
        _mm_store_ps(reinterpret_cast<float*>(base + offset[i]), _mm256_castps256_ps128(row[i].v));
        _mm_store_ps(reinterpret_cast<float*>(base + offset[i + 4]), _mm256_extractf128_ps(row[i].v, 1));
    }
}

inline void read_rows(const std::byte* base, std::size_t stride, Floats& a, Floats& b, Floats& c, Floats& d) noexcept {
    const std::byte* high = base + 4 * stride;
    transpose(load_pair(base, high), load_pair(base + stride, high + stride), load_pair(base + 2 * stride, high + 2 * stride),
              load_pair(base + 3 * stride, high + 3 * stride), a, b, c, d);
}
inline void write_row3(std::byte* at, __m128 row) noexcept {
    _mm_storel_pi(reinterpret_cast<__m64*>(at), row);
    const float third = _mm_cvtss_f32(_mm_movehl_ps(row, row));
    std::memcpy(at + 8, &third, sizeof third);
}
inline void write_rows3(std::byte* base, std::size_t stride, Floats a, Floats b, Floats c) noexcept {
    Floats row[4];
    transpose(a.v, b.v, c.v, c.v, row[0], row[1], row[2], row[3]);
    for (std::size_t i = 0; i < 4; ++i) {
        write_row3(base + i * stride, _mm256_castps256_ps128(row[i].v));
        write_row3(base + (i + 4) * stride, _mm256_extractf128_ps(row[i].v, 1));
    }
}
inline void write_rows4(std::byte* base, std::size_t stride, Floats a, Floats b, Floats c, Floats d) noexcept {
    Floats row[4];
    transpose(a.v, b.v, c.v, d.v, row[0], row[1], row[2], row[3]);
    for (std::size_t i = 0; i < 4; ++i) {
        _mm_storeu_ps(reinterpret_cast<float*>(base + i * stride), _mm256_castps256_ps128(row[i].v));
        _mm_storeu_ps(reinterpret_cast<float*>(base + (i + 4) * stride), _mm256_extractf128_ps(row[i].v, 1));
    }
}

inline constexpr std::size_t kDoubles = 4;
struct Doubles {
    __m256d v;
};
inline Doubles splat_double(double v) noexcept { return {_mm256_set1_pd(v)}; }
inline void store_doubles(double* at, Doubles a) noexcept { _mm256_storeu_pd(at, a.v); }
inline Doubles operator+(Doubles a, Doubles b) noexcept { return {_mm256_add_pd(a.v, b.v)}; }
inline Doubles operator-(Doubles a, Doubles b) noexcept { return {_mm256_sub_pd(a.v, b.v)}; }
inline Doubles operator*(Doubles a, Doubles b) noexcept { return {_mm256_mul_pd(a.v, b.v)}; }
inline Doubles two_over(Doubles a) noexcept {
    return {_mm256_and_pd(_mm256_div_pd(_mm256_set1_pd(2.0), a.v), _mm256_cmp_pd(a.v, _mm256_setzero_pd(), _CMP_GT_OS))};
}
inline void gather_doubles(const float* const* at, Doubles& a, Doubles& b, Doubles& c, Doubles& d) noexcept {
    __m128 r0 = _mm_loadu_ps(at[0]), r1 = _mm_loadu_ps(at[1]), r2 = _mm_loadu_ps(at[2]), r3 = _mm_loadu_ps(at[3]);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    a.v = _mm256_cvtps_pd(r0);
    b.v = _mm256_cvtps_pd(r1);
    c.v = _mm256_cvtps_pd(r2);
    d.v = _mm256_cvtps_pd(r3);
}

struct Row {
    __m256d v;
};
inline Row load_row(const double* at) noexcept { return {_mm256_loadu_pd(at)}; }
inline void store_row(double* at, Row a, double last) noexcept {
    _mm256_storeu_pd(at, _mm256_blend_pd(a.v, _mm256_set1_pd(last), 8));
}
inline void store_row(float* at, Row a, float last) noexcept {
    _mm_storeu_ps(at, _mm_blend_ps(_mm256_cvtpd_ps(a.v), _mm_set1_ps(last), 8));
}
inline void store_columns(float* at, Row a, Row b, Row c, Row d) noexcept {
    __m128 r0 = _mm256_cvtpd_ps(a.v), r1 = _mm256_cvtpd_ps(b.v), r2 = _mm256_cvtpd_ps(c.v), r3 = _mm256_cvtpd_ps(d.v);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(at, r0);
    _mm_storeu_ps(at + 4, r1);
    _mm_storeu_ps(at + 8, r2);
}
inline Row operator+(Row a, Row b) noexcept { return {_mm256_add_pd(a.v, b.v)}; }
inline Row operator*(Row a, Row b) noexcept { return {_mm256_mul_pd(a.v, b.v)}; }
inline Row scaled(Row a, const double* s) noexcept { return {_mm256_mul_pd(_mm256_broadcast_sd(s), a.v)}; }
template <std::size_t kIndex>
inline Row spread(Row a) noexcept {
    return {_mm256_permute4x64_pd(a.v, static_cast<int>(kIndex) * 0x55)};
}
inline void spread_floats(const std::byte* at, Row& x, Row& y, Row& z) noexcept {
    const Row row{_mm256_cvtps_pd(_mm_loadu_ps(reinterpret_cast<const float*>(at)))};
    x = spread<0>(row);
    y = spread<1>(row);
    z = spread<2>(row);
}

template <std::size_t kCount>
inline void blend(const float* palette, const std::byte* indices, std::size_t index_stride, const std::byte* weights,
                  std::size_t weight_stride, Floats* m) noexcept {
    Floats rows01[8], rows23[8];
    for (std::size_t i = 0; i < kFloats; ++i) {
        const float* matrix[kCount];
        __m256 weight[kCount];
        for (std::size_t k = 0; k < kCount; ++k) {
            std::uint16_t index;
            std::memcpy(&index, indices + i * index_stride + 2 * k, 2);
            matrix[k] = palette + std::size_t{16} * index;
            float w;
            std::memcpy(&w, weights + i * weight_stride + 4 * k, 4);
            weight[k] = _mm256_set1_ps(w);
        }
        for (std::size_t half = 0; half < 2; ++half) {
            __m256 sum = _mm256_mul_ps(weight[0], _mm256_loadu_ps(matrix[0] + 8 * half));
            if constexpr (kCount > 1) sum = _mm256_add_ps(sum, _mm256_mul_ps(weight[1], _mm256_loadu_ps(matrix[1] + 8 * half)));
            if constexpr (kCount == 3) sum = _mm256_add_ps(sum, _mm256_mul_ps(weight[2], _mm256_loadu_ps(matrix[2] + 8 * half)));
            if constexpr (kCount == 4)
                sum = _mm256_add_ps(sum, _mm256_add_ps(_mm256_mul_ps(weight[2], _mm256_loadu_ps(matrix[2] + 8 * half)),
                                                       _mm256_mul_ps(weight[3], _mm256_loadu_ps(matrix[3] + 8 * half))));
            (half == 0 ? rows01 : rows23)[i].v = sum;
        }
    }
    // Of vertices 0..3 and 4..7: columns of the first row in the low half, of the second in the high one.
    for (std::size_t half = 0; half < 2; ++half) {
        const Floats* rows = half == 0 ? rows01 : rows23;
        Floats first[4], second[4];
        transpose(rows[0].v, rows[1].v, rows[2].v, rows[3].v, first[0], first[1], first[2], first[3]);
        transpose(rows[4].v, rows[5].v, rows[6].v, rows[7].v, second[0], second[1], second[2], second[3]);
        for (std::size_t c = 0; c < 3; ++c) {
            m[6 * half + c].v = _mm256_permute2f128_ps(first[c].v, second[c].v, 0x20);
            m[6 * half + 3 + c].v = _mm256_permute2f128_ps(first[c].v, second[c].v, 0x31);
        }
    }
}

}  // namespace gomkit::runtime::detail::avx2

GOMKIT_RUNTIME_AVX2_END

#endif
