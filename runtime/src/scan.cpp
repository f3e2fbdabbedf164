#include "scan.hpp"

#include <cmath>

#include "gomkit/runtime/bytes.hpp"
#include "gomkit/runtime/layout.hpp"
#include "simd.hpp"

namespace gomkit::runtime::detail {
namespace {

namespace vf01 = layout::vf01;

// Non-negative weights whose float sum is this near to 1 have a double sum within 1e-4: the float sum is off by under 4e-7.
constexpr float kSafeSumError = 9.9e-5F;

// Sets bit 31 of the result when the exponent is all ones (NaN or infinity), and maybe lower bits.
std::uint32_t non_finite_mark(std::uint32_t bits) noexcept { return (bits & 0x7F80'0000U) + 0x0080'0000U; }

bool vertex_certainly_fine(const std::byte* v, std::uint32_t bone_count) noexcept {
    std::uint32_t marks = 0;
    for (std::size_t i = 0; i < vf01::kFloatsBeforeBones; ++i) marks |= non_finite_mark(load_le<std::uint32_t>(v + 4 * i));
    for (std::size_t i = 0; i < vf01::kInfluences; ++i)
        marks |= non_finite_mark(load_le<std::uint32_t>(v + vf01::kBoneWeight + 4 * i));
    if ((marks & 0x8000'0000U) != 0) return false;
    if (bone_count == 0) return true;
    bool fine = true;
    float sum = 0.0F;
    for (std::size_t i = 0; i < vf01::kInfluences; ++i) {
        fine &= load_le<std::uint16_t>(v + vf01::kBoneIndex + 2 * i) < bone_count;
        fine &= (load_le<std::uint32_t>(v + vf01::kBoneWeight + 4 * i) & 0x8000'0000U) == 0;
        sum += load_le<float>(v + vf01::kBoneWeight + 4 * i);
    }
    return fine && std::fabs(sum - 1.0F) <= kSafeSumError;
}

}  // namespace

#if GOMKIT_RUNTIME_SSE2

namespace {

__m128i load(const std::byte* at) noexcept { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

// The upper half of a float's magnitude, as a signed 16-bit number, is at least 0x7F80 exactly for NaN and infinity; the lower
// halves take part in the maxima and are masked out at the end.
struct ExponentMaximum {
    __m128i maximum = _mm_setzero_si128();
    void take(__m128i floats) noexcept { maximum = _mm_max_epi16(maximum, _mm_and_si128(floats, _mm_set1_epi16(0x7FFF))); }
    [[nodiscard]] bool is_finite() const noexcept {
        const __m128i over = _mm_cmpgt_epi16(maximum, _mm_set1_epi32(0x7F7F'7FFF));  // lower halves: never above 0x7FFF
        return _mm_movemask_epi8(over) == 0;
    }
};

template <bool kSkinned>
bool scan_vertices(const std::byte* v, std::size_t count, std::uint32_t bone_count) noexcept {
    ExponentMaximum first, second;
    __m128i index_over = _mm_setzero_si128();
    __m128i weight_signs = _mm_setzero_si128();
    __m128 sum_over = _mm_setzero_ps();
    const __m128i last_bone =
        _mm_set1_epi16(static_cast<short>(static_cast<std::uint16_t>(bone_count > 0x1'0000U ? 0xFFFFU : bone_count - 1U)));
    const __m128 one = _mm_set1_ps(1.0F);
    const __m128 slack = _mm_set1_ps(kSafeSumError);
    const __m128 magnitude = _mm_castsi128_ps(_mm_set1_epi32(0x7FFF'FFFF));
    const std::size_t blocks = count / 4;
    for (std::size_t i = 0; i < blocks; ++i, v += 4 * vf01::kSize) {
        __m128i weights[4];
        for (std::size_t k = 0; k < 4; ++k) {
            const std::byte* at = v + k * vf01::kSize;
            first.take(load(at));
            second.take(load(at + 16));
            first.take(load(at + 32));
            weights[k] = load(at + vf01::kBoneWeight);
            second.take(weights[k]);
        }
        if constexpr (kSkinned) {
            weight_signs = _mm_or_si128(weight_signs,
                                        _mm_or_si128(_mm_or_si128(weights[0], weights[1]), _mm_or_si128(weights[2], weights[3])));
            __m128 a = _mm_castsi128_ps(weights[0]), b = _mm_castsi128_ps(weights[1]);
            __m128 c = _mm_castsi128_ps(weights[2]), d = _mm_castsi128_ps(weights[3]);
            _MM_TRANSPOSE4_PS(a, b, c, d);
            const __m128 sum = _mm_add_ps(_mm_add_ps(a, b), _mm_add_ps(c, d));
            sum_over = _mm_or_ps(sum_over, _mm_cmpnle_ps(_mm_and_ps(_mm_sub_ps(sum, one), magnitude), slack));
            for (std::size_t k = 0; k < 4; k += 2) {
                const std::byte* at = v + k * vf01::kSize + vf01::kBoneIndex;
                const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
                const __m128i high = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at + vf01::kSize));
                index_over = _mm_or_si128(index_over, _mm_subs_epu16(_mm_unpacklo_epi64(low, high), last_bone));
            }
        }
    }
    bool fine = first.is_finite() && second.is_finite();
    if constexpr (kSkinned) {
        fine = fine && _mm_movemask_epi8(_mm_cmpeq_epi8(index_over, _mm_setzero_si128())) == 0xFFFF;
        fine = fine && _mm_movemask_ps(_mm_castsi128_ps(weight_signs)) == 0 && _mm_movemask_ps(sum_over) == 0;
    }
    for (std::size_t i = 0; i < count % 4; ++i) fine = fine && vertex_certainly_fine(v + i * vf01::kSize, bone_count);
    return fine;
}

}  // namespace

bool vertices_certainly_fine(const std::byte* vertices, std::size_t count, std::uint32_t bone_count) noexcept {
    return bone_count != 0 ? scan_vertices<true>(vertices, count, bone_count) : scan_vertices<false>(vertices, count, bone_count);
}

bool indices32_certainly_fine(const std::byte* indices, std::size_t count, std::uint32_t vertex_count) noexcept {
    std::size_t i = 0;
    bool fine = true;
    if (vertex_count <= 0x8000'0000U) {
        // As signed numbers: over the last index, or negative.
        const __m128i last = _mm_set1_epi32(static_cast<int>(vertex_count - 1U));
        __m128i over = _mm_setzero_si128();
        for (; i + 8 <= count; i += 8) {
            const __m128i a = load(indices + 4 * i), b = load(indices + 4 * i + 16);
            over = _mm_or_si128(
                over, _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(_mm_cmpgt_epi32(a, last), _mm_cmpgt_epi32(b, last))));
        }
        fine = _mm_movemask_ps(_mm_castsi128_ps(over)) == 0;
    }
    for (; i < count; ++i) fine &= load_le<std::uint32_t>(indices + 4 * i) < vertex_count;
    return fine;
}

bool indices16_certainly_fine(const std::byte* indices, std::size_t count, std::uint32_t vertex_count) noexcept {
    if (vertex_count > 0xFFFFU) return true;
    const __m128i last = _mm_set1_epi16(static_cast<short>(static_cast<std::uint16_t>(vertex_count - 1U)));
    __m128i over = _mm_setzero_si128();
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) over = _mm_or_si128(over, _mm_subs_epu16(load(indices + 2 * i), last));
    bool fine = _mm_movemask_epi8(_mm_cmpeq_epi8(over, _mm_setzero_si128())) == 0xFFFF;
    for (; i < count; ++i) fine &= load_le<std::uint16_t>(indices + 2 * i) < vertex_count;
    return fine;
}

bool floats_certainly_finite(const std::byte* floats, std::size_t float_count) noexcept {
    ExponentMaximum all;
    std::size_t i = 0;
    for (; i + 4 <= float_count; i += 4) all.take(load(floats + 4 * i));
    std::uint32_t marks = 0;
    for (; i < float_count; ++i) marks |= non_finite_mark(load_le<std::uint32_t>(floats + 4 * i));
    return all.is_finite() && (marks & 0x8000'0000U) == 0;
}

#else

bool vertices_certainly_fine(const std::byte* vertices, std::size_t count, std::uint32_t bone_count) noexcept {
    bool fine = true;
    for (std::size_t i = 0; i < count; ++i) fine &= vertex_certainly_fine(vertices + i * vf01::kSize, bone_count);
    return fine;
}

bool indices32_certainly_fine(const std::byte* indices, std::size_t count, std::uint32_t vertex_count) noexcept {
    bool fine = true;
    for (std::size_t i = 0; i < count; ++i) fine &= load_le<std::uint32_t>(indices + 4 * i) < vertex_count;
    return fine;
}

bool indices16_certainly_fine(const std::byte* indices, std::size_t count, std::uint32_t vertex_count) noexcept {
    bool fine = true;
    for (std::size_t i = 0; i < count; ++i) fine &= load_le<std::uint16_t>(indices + 2 * i) < vertex_count;
    return fine;
}

bool floats_certainly_finite(const std::byte* floats, std::size_t float_count) noexcept {
    std::uint32_t marks = 0;
    for (std::size_t i = 0; i < float_count; ++i) marks |= non_finite_mark(load_le<std::uint32_t>(floats + 4 * i));
    return (marks & 0x8000'0000U) == 0;
}

#endif

}  // namespace gomkit::runtime::detail
