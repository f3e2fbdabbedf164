#include "gomkit/runtime/sha256.hpp"

#include <bit>
#include <cstring>

#include "simd.hpp"

namespace gomkit::runtime {
namespace {

constexpr std::uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::uint32_t kInitial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// Asking the CPU costs microseconds under a hypervisor: not worth it for less than this.
constexpr std::size_t kBlocksWorthAsking = 16;

std::uint32_t load_be(const std::uint8_t* at) noexcept {
    return static_cast<std::uint32_t>(at[0]) << 24 | static_cast<std::uint32_t>(at[1]) << 16 |
           static_cast<std::uint32_t>(at[2]) << 8 | static_cast<std::uint32_t>(at[3]);
}

struct Working {
    std::uint32_t v[8];
};

// One round; instead of moving eight variables the caller renames them: `turn` counts rounds modulo 8.
template <unsigned turn>
inline void round_step(Working& s, std::uint32_t word_and_constant) noexcept {
    const auto at = [](unsigned i) { return (i + 8 - turn) % 8; };
    const std::uint32_t a = s.v[at(0)], b = s.v[at(1)], c = s.v[at(2)], e = s.v[at(4)], f = s.v[at(5)], g = s.v[at(6)];
    const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t choice = g ^ (e & (f ^ g));
    const std::uint32_t t1 = s.v[at(7)] + sum1 + choice + word_and_constant;
    const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t majority = (a & b) | (c & (a | b));
    s.v[at(3)] += t1;
    s.v[at(7)] = t1 + sum0 + majority;
}

void compress_portable(std::uint32_t* state, const std::uint8_t* blocks, std::size_t block_count) noexcept {
    for (; block_count != 0; --block_count, blocks += 64) {
        std::uint32_t w[16];
        for (std::size_t i = 0; i < 16; ++i) w[i] = load_be(blocks + 4 * i);
        Working s;
        std::memcpy(s.v, state, sizeof(s.v));
        for (std::size_t i = 0; i < 64; i += 16) {
            if (i != 0) {
                for (std::size_t k = 0; k < 16; ++k) {
                    const std::uint32_t w15 = w[(k + 1) % 16], w2 = w[(k + 14) % 16];
                    w[k] += w[(k + 9) % 16] + (std::rotr(w15, 7) ^ std::rotr(w15, 18) ^ w15 >> 3) +
                            (std::rotr(w2, 17) ^ std::rotr(w2, 19) ^ w2 >> 10);
                }
            }
            for (std::size_t k = 0; k < 16; k += 8) {
                round_step<0>(s, w[k] + kRound[i + k]);
                round_step<1>(s, w[k + 1] + kRound[i + k + 1]);
                round_step<2>(s, w[k + 2] + kRound[i + k + 2]);
                round_step<3>(s, w[k + 3] + kRound[i + k + 3]);
                round_step<4>(s, w[k + 4] + kRound[i + k + 4]);
                round_step<5>(s, w[k + 5] + kRound[i + k + 5]);
                round_step<6>(s, w[k + 6] + kRound[i + k + 6]);
                round_step<7>(s, w[k + 7] + kRound[i + k + 7]);
            }
        }
        for (std::size_t i = 0; i < 8; ++i) state[i] += s.v[i];
    }
}

#if GOMKIT_RUNTIME_SHA_NI

bool cpu_has_sha() noexcept {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
    const bool ssse3_and_sse41 = (c & 1U << 9) != 0 && (c & 1U << 19) != 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
    return ssse3_and_sse41 && (b & 1U << 29) != 0;
}

// The instructions hold the state as ABEF and CDGH, and do two rounds at a time with the low two of four words.
__attribute__((target("sha,sse4.1,ssse3"))) void compress_hardware(std::uint32_t* state, const std::uint8_t* blocks,
                                                                   std::size_t block_count) noexcept {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    const auto* in = reinterpret_cast<const __m128i*>(state);
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(in), 0xB1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(in + 1), 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; block_count != 0; --block_count, blocks += 64) {
        const __m128i abef_before = abef;
        const __m128i cdgh_before = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks) + i), swap);
#if defined(__clang__)
#pragma clang loop unroll(full)
#elif defined(__GNUC__)
#pragma GCC unroll 16
#endif
        for (int group = 0; group < 16; ++group) {
            const __m128i words = w[group & 3];
            const __m128i sum = _mm_add_epi32(words, _mm_loadu_si128(reinterpret_cast<const __m128i*>(kRound) + group));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
            if (group < 12) {
                const __m128i w1 = w[(group + 1) & 3], w2 = w[(group + 2) & 3], w3 = w[(group + 3) & 3];
                const __m128i partial = _mm_add_epi32(_mm_sha256msg1_epu32(words, w1), _mm_alignr_epi8(w3, w2, 4));
                w[group & 3] = _mm_sha256msg2_epu32(partial, w3);
            }
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    auto* out = reinterpret_cast<__m128i*>(state);
    _mm_storeu_si128(out, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(out + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool cpu_has_sha() noexcept { return false; }
void compress_hardware(std::uint32_t* state, const std::uint8_t* blocks, std::size_t block_count) noexcept {
    compress_portable(state, blocks, block_count);
}

#endif

}  // namespace

bool sha256_has_hardware() noexcept { return cpu_has_sha(); }

Sha256::Sha256(Sha256Path path) noexcept : path_(path) {
    if (path_ == Sha256Path::Hardware && !cpu_has_sha()) path_ = Sha256Path::Portable;
    reset();
}

void Sha256::reset() noexcept {
    std::memcpy(state_, kInitial, sizeof(state_));
    byte_count_ = 0;
    buffered_ = 0;
}

void Sha256::compress(const std::uint8_t* blocks, std::size_t block_count) noexcept {
    if (path_ == Sha256Path::Auto && block_count >= kBlocksWorthAsking)
        path_ = cpu_has_sha() ? Sha256Path::Hardware : Sha256Path::Portable;
    if (path_ == Sha256Path::Hardware) {
        compress_hardware(state_, blocks, block_count);
    } else {
        compress_portable(state_, blocks, block_count);
    }
}

void Sha256::update(std::span<const std::uint8_t> bytes) noexcept {
    byte_count_ += bytes.size();
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    if (buffered_ != 0) {
        const std::size_t room = sizeof(buffer_) - buffered_;
        const std::size_t taken = left < room ? left : room;
        if (taken != 0) std::memcpy(buffer_ + buffered_, at, taken);
        buffered_ += static_cast<std::uint32_t>(taken);
        at += taken;
        left -= taken;
        if (buffered_ < sizeof(buffer_)) return;
        compress(buffer_, 1);
        buffered_ = 0;
    }
    const std::size_t block_count = left / 64;
    if (block_count != 0) compress(at, block_count);
    left -= block_count * 64;
    if (left != 0) std::memcpy(buffer_, at + block_count * 64, left);
    buffered_ = static_cast<std::uint32_t>(left);
}

void Sha256::update(std::span<const std::byte> bytes) noexcept {
    update(std::span<const std::uint8_t>(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

std::array<std::uint8_t, 32> Sha256::finish() noexcept {
    const std::uint64_t bit_count = byte_count_ * 8;
    buffer_[buffered_++] = 0x80;
    if (buffered_ > 56) {
        std::memset(buffer_ + buffered_, 0, sizeof(buffer_) - buffered_);
        compress(buffer_, 1);
        buffered_ = 0;
    }
    std::memset(buffer_ + buffered_, 0, 56 - buffered_);
    for (unsigned i = 0; i < 8; ++i) buffer_[56 + i] = static_cast<std::uint8_t>(bit_count >> (56 - 8 * i));
    compress(buffer_, 1);
    std::array<std::uint8_t, 32> digest{};
    for (std::size_t i = 0; i < 32; ++i) digest[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
    reset();
    return digest;
}

std::array<std::uint8_t, 32> sha256(std::span<const std::uint8_t> bytes) noexcept {
    Sha256 hash;
    hash.update(bytes);
    return hash.finish();
}

std::array<std::uint8_t, 32> sha256(std::span<const std::byte> bytes) noexcept {
    Sha256 hash;
    hash.update(bytes);
    return hash.finish();
}

}  // namespace gomkit::runtime
