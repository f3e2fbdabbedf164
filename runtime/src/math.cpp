#include "gomkit/runtime/math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__FAST_MATH__)
#error "gomkit-runtime: fast-math breaks the error-free transformations below"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "gomkit-runtime: excess precision (x87) breaks the error-free transformations below; use -msse2 -mfpmath=sse"
#endif

// Method. Every function works on sums of two doubles ("double-double", about 106 bits) where a single one would lose more than
// a small fraction of an ulp, and rounds once at the end. The building blocks are Dekker's and Knuth's error-free sum and product,
// which need round-to-nearest and no fused multiply-add. Series are Taylor's; their truncation error is stated beside them.

namespace gomkit::runtime {
namespace exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kSignBit = 0x8000'0000'0000'0000ULL;
constexpr std::uint64_t kMantissaMask = 0x000F'FFFF'FFFF'FFFFULL;

std::uint64_t to_bits(double x) noexcept { return std::bit_cast<std::uint64_t>(x); }
double from_bits(std::uint64_t b) noexcept { return std::bit_cast<double>(b); }
bool is_negative(double x) noexcept { return (to_bits(x) & kSignBit) != 0; }
int biased_exponent(double x) noexcept { return static_cast<int>(to_bits(x) >> 52 & 0x7FF); }

// 2^n for a normal result.
double power_of_two(int n) noexcept { return from_bits(static_cast<std::uint64_t>(n + 1023) << 52); }

// x * 2^n for n in [-2200, 2200], rounded once unless an intermediate step is subnormal.
double scale(double x, int n) noexcept {
    while (n > 1000) {
        x *= power_of_two(1000);
        n -= 1000;
    }
    while (n < -960) {
        x *= power_of_two(-960);
        n += 960;
    }
    return x * power_of_two(n);
}

// hi + lo, with lo at most half an ulp of hi.
struct Dd {
    double hi;
    double lo;
};

Dd two_sum(double a, double b) noexcept {
    const double s = a + b;
    const double bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}

// Needs |a| >= |b| or a == 0.
Dd fast_two_sum(double a, double b) noexcept {
    const double s = a + b;
    return {s, b - (s - a)};
}

// Needs |a|, |b| < 2^995 and a product without underflow.
Dd two_product(double a, double b) noexcept {
    constexpr double kSplit = 134217729.0;  // 2^27 + 1
    const double p = a * b;
    const double at = kSplit * a, bt = kSplit * b;
    const double ah = at - (at - a), bh = bt - (bt - b);
    const double al = a - ah, bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

Dd add(Dd a, Dd b) noexcept {
    const Dd s = two_sum(a.hi, b.hi);
    const Dd t = two_sum(a.lo, b.lo);
    const Dd u = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(u.hi, u.lo + t.lo);
}

Dd multiply(Dd a, Dd b) noexcept {
    const Dd p = two_product(a.hi, b.hi);
    return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

Dd divide(Dd a, Dd b) noexcept {
    const double q = a.hi / b.hi;
    const Dd p = two_product(q, b.hi);
    const double rest = ((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo);
    return fast_two_sum(q, rest / b.hi);
}

// ---- sin, cos, tan -------------------------------------------------------------------------------------------------------

constexpr Dd kHalfPi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr Dd kPi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// The bits of 2/pi after the binary point, 32 to a word: as many as the largest double asks for.
constexpr std::uint32_t kTwoOverPi[37] = {
    0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561, 0xB7246E3A, 0x424DD2E0,
    0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484, 0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4,
    0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D,
    0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046};

// x = quadrant * pi/2 + rest, |rest| <= pi/4 (a little over, where rounding decides), quadrant modulo 4.
struct Reduced {
    unsigned quadrant;
    Dd rest;
};

// Payne and Hanek: x * 2/pi in fixed point, of which only the bits that matter modulo 4 are formed. x = m * 2^e; of 2/pi the words
// whose product with m is a multiple of 4 are left out, the next 7 (224 bits) are used. 191 fraction bits at least remain; a double
// comes no nearer than about 2^-62 to a multiple of pi/2, so the rest has over 70 good bits.
Reduced reduce_large(double x) noexcept {
    const std::uint64_t mantissa = (to_bits(x) & kMantissaMask) | (kMantissaMask + 1);
    const int e = biased_exponent(x) - 1075;
    const int first = e >= 2 ? (e - 2) / 32 : 0;
    const std::uint64_t m0 = mantissa & 0xFFFF'FFFFU;
    const std::uint64_t m1 = mantissa >> 32;

    // product[0] is the least significant word.
    std::uint32_t product[9] = {};
    std::uint64_t carry = 0;
    std::uint64_t high_part = 0;  // m1 * the word before
    for (int i = 0; i < 7; ++i) {
        const std::uint64_t word = kTwoOverPi[first + 6 - i];
        const std::uint64_t low = m0 * word;
        const std::uint64_t sum = (low & 0xFFFF'FFFFU) + (high_part & 0xFFFF'FFFFU) + carry;
        product[i] = static_cast<std::uint32_t>(sum);
        carry = (sum >> 32) + (low >> 32) + (high_part >> 32);
        high_part = m1 * word;
    }
    const std::uint64_t top = high_part + carry;
    product[7] = static_cast<std::uint32_t>(top);
    product[8] = static_cast<std::uint32_t>(top >> 32);

    // Shift so that the binary point lies below word 8.
    const int shift = 32 + (e - 32 * first);  // 0..65
    const int word_shift = shift / 32, bit_shift = shift % 32;
    std::uint32_t fixed[9] = {};
    for (int i = 8; i >= word_shift; --i) {
        std::uint32_t w = product[i - word_shift] << bit_shift;
        if (bit_shift != 0 && i - word_shift >= 1) w |= product[i - word_shift - 1] >> (32 - bit_shift);
        fixed[i] = w;
    }
    unsigned quadrant = fixed[8];
    const bool above_half = (fixed[7] & 0x8000'0000U) != 0;
    if (above_half) {
        ++quadrant;
        std::uint64_t borrow = 1;  // 2^256 - fraction = ~fraction + 1
        for (int i = 0; i < 8; ++i) {
            const std::uint64_t w = static_cast<std::uint64_t>(static_cast<std::uint32_t>(~fixed[i])) + borrow;
            fixed[i] = static_cast<std::uint32_t>(w);
            borrow = w >> 32;
        }
    }
    Dd fraction = {0.0, 0.0};
    for (int i = 7; i >= 0; --i) {
        const Dd s = two_sum(fraction.hi, static_cast<double>(fixed[i]) * power_of_two(-32 * (8 - i)));
        fraction = {s.hi, fraction.lo + s.lo};
    }
    fraction = multiply(fast_two_sum(fraction.hi, fraction.lo), kHalfPi);
    if (above_half) fraction = {-fraction.hi, -fraction.lo};
    if (is_negative(x)) return {(4U - quadrant % 4U) % 4U, {-fraction.hi, -fraction.lo}};
    return {quadrant % 4U, fraction};
}

// Finite x only.
Reduced reduce(double x) noexcept {
    const double magnitude = std::fabs(x);
    if (magnitude <= 0x1.921fb54442d18p-1) return {0, {x, 0.0}};
    if (magnitude > 0x1p20) return reduce_large(x);
    // Cody and Waite: pi/2 in three parts of 33 bits and a tail, so that n * part is exact for n up to 2^20.
    constexpr double kPart1 = 0x1.921fb54400000p+0, kPart2 = 0x1.0b4611a600000p-34, kPart3 = 0x1.3198a2e000000p-69;
    constexpr double kTail = 0x1.b839a252049c1p-104;
    constexpr double kTwoOverPiRounded = 0x1.45f306dc9c883p-1;
    constexpr double kToInteger = 0x1.8p52;
    const double n = (x * kTwoOverPiRounded + kToInteger) - kToInteger;
    const Dd a = two_sum(x - n * kPart1, -(n * kPart2));  // the first difference is exact
    const Dd b = two_sum(a.hi, -(n * kPart3));
    const Dd rest = fast_two_sum(b.hi, (b.lo + a.lo) - n * kTail);
    return {static_cast<unsigned>(static_cast<std::int32_t>(n)) % 4U, rest};
}

// sin(r.hi + r.lo), |r| <= pi/4; relative error about 2^-57. Truncation: r^18/19! < 2^-63.
Dd sin_kernel(Dd r) noexcept {
    const double z = r.hi * r.hi;
    const double tail =
        1.0 / 5040 -
        z * (1.0 / 362880 -
             z * (1.0 / 39916800 - z * (1.0 / 6227020800.0 - z * (1.0 / 1307674368000.0 - z * (1.0 / 355687428096000.0)))));
    const double series = 1.0 / 6 - z * (1.0 / 120 - z * tail);
    return fast_two_sum(r.hi, r.lo * (1.0 - 0.5 * z) - r.hi * z * series);
}

// cos(r.hi + r.lo), |r| <= pi/4; relative error about 2^-57. Truncation: r^20/20! < 2^-67.
Dd cos_kernel(Dd r) noexcept {
    const double z = r.hi * r.hi;
    const double tail =
        1.0 / 40320 -
        z * (1.0 / 3628800 -
             z * (1.0 / 479001600 - z * (1.0 / 87178291200.0 - z * (1.0 / 20922789888000.0 - z * (1.0 / 6402373705728000.0)))));
    const double series = 1.0 / 24 - z * (1.0 / 720 - z * tail);
    const double half = 0.5 * z;
    const Dd s = fast_two_sum(1.0, -half);
    const double z_error = two_product(r.hi, r.hi).lo;
    return fast_two_sum(s.hi, s.lo + (z * z * series - (0.5 * z_error + r.hi * r.lo)));
}

// Below this x, sin x, tan x, asin x and atan x all round within 0.1 ulp of x.
constexpr double kTiny = 0x1p-28;

// ---- atan and its family -------------------------------------------------------------------------------------------------

constexpr Dd kArcTangent[17] = {  // atan(k/16)
    {0x0.0p+0, 0x0.0p+0},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

// atan(u / v) for 0 <= u <= v, both sums within [2^-60, 2]. atan q = atan c + atan((q - c) / (1 + c q)), c the nearest sixteenth;
// |t| <= 1/32, truncation t^16/17 < 2^-84.
Dd atan_kernel(Dd u, Dd v) noexcept {
    const Dd q = divide(u, v);
    const int k = static_cast<int>(q.hi * 16.0 + 0.5);
    Dd t = q;
    if (k != 0) {
        const double c = static_cast<double>(k) * 0.0625;
        const Dd cq = two_product(c, q.hi);
        const Dd one_plus = two_sum(1.0, cq.hi);
        const Dd numerator = two_sum(q.hi - c, q.lo);  // the difference is exact
        t = divide(numerator, fast_two_sum(one_plus.hi, one_plus.lo + (cq.lo + c * q.lo)));
    }
    const double z = t.hi * t.hi;
    const double series =
        1.0 / 3 - z * (1.0 / 5 - z * (1.0 / 7 - z * (1.0 / 9 - z * (1.0 / 11 - z * (1.0 / 13 - z * (1.0 / 15))))));
    const double correction = t.lo - t.hi * z * series;
    const Dd s = two_sum(kArcTangent[k].hi, t.hi);
    return fast_two_sum(s.hi, s.lo + (kArcTangent[k].lo + correction));
}

// The angle of the point (x, y), y >= 0 and x of any sign, not both 0; both within [2^-60, 2] in magnitude or 0.
Dd angle_of(Dd y, Dd x) noexcept {
    const bool left = x.hi < 0.0;
    if (left) x = {-x.hi, -x.lo};
    Dd a;
    if (y.hi <= x.hi) {
        a = atan_kernel(y, x);
    } else {
        a = atan_kernel(x, y);
        a = add(kHalfPi, {-a.hi, -a.lo});
    }
    return left ? add(kPi, {-a.hi, -a.lo}) : a;
}

// 1 - x^2 for |x| <= 1, and its root.
Dd root_of_one_minus_square(double x) noexcept {
    const Dd square = two_product(x, x);
    const Dd d = two_sum(1.0, -square.hi);
    const Dd rest = fast_two_sum(d.hi, d.lo - square.lo);
    if (!(rest.hi > 0.0)) return {0.0, 0.0};
    const double root = std::sqrt(rest.hi);
    const Dd again = two_product(root, root);
    return fast_two_sum(root, (((rest.hi - again.hi) - again.lo) + rest.lo) / (2.0 * root));
}

// ---- log, exp, pow -------------------------------------------------------------------------------------------------------

// ln x for x > 0, finite; relative error about 2^-75. x = 2^k m, m in [sqrt 1/2, sqrt 2]; ln m = 2 artanh z, z = (m - 1) / (m + 1),
// z^2 < 0.0295. The first six coefficients take part in double-double; truncation z^32/33 < 2^-86.
Dd log_kernel(double x) noexcept {
    int k = 0;
    if (biased_exponent(x) == 0) {
        x *= 0x1p54;
        k = -54;
    }
    k += biased_exponent(x) - 1023;
    double m = from_bits((to_bits(x) & kMantissaMask) | std::uint64_t{1023} << 52);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        ++k;
    }
    const Dd z = divide({m - 1.0, 0.0}, two_sum(m, 1.0));
    const Dd z2 = multiply(z, z);
    double high = 1.0 / 31;
    for (int n = 29; n >= 13; n -= 2) high = 1.0 / n + z2.hi * high;
    Dd series = {high, 0.0};
    for (int n = 11; n >= 1; n -= 2) series = add(divide({1.0, 0.0}, {static_cast<double>(n), 0.0}), multiply(z2, series));
    const Dd ln_m = multiply({2.0 * z.hi, 2.0 * z.lo}, series);
    if (k == 0) return ln_m;
    constexpr double kLn2High = 0x1.62e42fefa2000p-1;  // 40 bits: its product with k is exact
    constexpr double kLn2Low = 0x1.9ef35793c7673p-41;
    const double kd = static_cast<double>(k);
    return add(add({kd * kLn2High, 0.0}, two_product(kd, kLn2Low)), ln_m);
}

// e^(x.hi + x.lo) for |x| < 800. x = n ln 2 + r, |r| <= 0.347; truncation r^15/15! < 2^-61.
double exp_kernel(Dd x) noexcept {
    constexpr double kLn2High = 0x1.62e42fefa2000p-1, kLn2Low = 0x1.9ef35793c7673p-41, kOneOverLn2 = 0x1.71547652b82fep+0;
    constexpr double kToInteger = 0x1.8p52;
    const double n = (x.hi * kOneOverLn2 + kToInteger) - kToInteger;
    const Dd low = two_product(n, kLn2Low);
    const Dd a = two_sum(x.hi - n * kLn2High, -low.hi);
    const Dd r = fast_two_sum(a.hi, a.lo + (x.lo - low.lo));
    double series = 1.0 / 87178291200.0;
    series = 1.0 / 6227020800.0 + r.hi * series;
    series = 1.0 / 479001600 + r.hi * series;
    series = 1.0 / 39916800 + r.hi * series;
    series = 1.0 / 3628800 + r.hi * series;
    series = 1.0 / 362880 + r.hi * series;
    series = 1.0 / 40320 + r.hi * series;
    series = 1.0 / 5040 + r.hi * series;
    series = 1.0 / 720 + r.hi * series;
    series = 1.0 / 120 + r.hi * series;
    series = 1.0 / 24 + r.hi * series;
    series = 1.0 / 6 + r.hi * series;
    const Dd square = two_product(r.hi, r.hi);
    const double cubic = r.hi * square.hi * series;
    const Dd s = two_sum(1.0, r.hi);
    const Dd t = two_sum(s.hi, 0.5 * square.hi);
    const double rest = (t.lo + s.lo) + (0.5 * square.lo + (cubic + r.lo * (1.0 + r.hi)));
    const int exponent = static_cast<int>(n);
    const Dd v = fast_two_sum(t.hi, rest);
    if (exponent < -1022 || (exponent == -1022 && v.hi < 1.0)) {
        // The result is subnormal: add to the power of two whose ulp is the result's, so that one rounding happens.
        const int anchor_exponent = -1022 - exponent;  // in units of 2^exponent, the least normal number
        if (anchor_exponent > 60) return 0.0;
        const double anchor = power_of_two(anchor_exponent);
        const Dd w = two_sum(anchor, v.hi);
        const double rounded = w.hi + (w.lo + v.lo);
        return scale(rounded - anchor, exponent);
    }
    return scale(v.hi, exponent);
}

enum class Parity { NotInteger, Even, Odd };

Parity parity_of(double y) noexcept {
    const double magnitude = std::fabs(y);
    if (magnitude >= 0x1p53) return Parity::Even;
    if (std::floor(magnitude) != magnitude) return Parity::NotInteger;
    return (static_cast<std::uint64_t>(magnitude) & 1U) != 0 ? Parity::Odd : Parity::Even;
}

}  // namespace

double sqrt(double x) noexcept { return std::sqrt(x); }
double fabs(double x) noexcept { return from_bits(to_bits(x) & ~kSignBit); }
double floor(double x) noexcept { return std::floor(x); }
double ceil(double x) noexcept { return -std::floor(-x); }
double fmod(double x, double y) noexcept { return std::fmod(x, y); }
bool is_nan(double x) noexcept { return (to_bits(x) & ~kSignBit) > std::uint64_t{0x7FF} << 52; }
bool is_finite(double x) noexcept { return biased_exponent(x) != 0x7FF; }

double rint(double x) noexcept {
    constexpr double kTwo52 = 0x1p52;
    const double magnitude = fabs(x);
    if (!(magnitude < kTwo52)) return is_nan(x) ? x + x : x;
    return copysign((magnitude + kTwo52) - kTwo52, x);
}

double copysign(double magnitude, double sign) noexcept {
    return from_bits((to_bits(magnitude) & ~kSignBit) | (to_bits(sign) & kSignBit));
}

double nextafter(double from, double towards) noexcept {
    if (is_nan(from) || is_nan(towards)) return from + towards;
    if (from == towards) return towards;
    if (from == 0.0) return copysign(from_bits(1), towards);
    const std::uint64_t bits = to_bits(from);
    return from_bits((from < towards) == (from > 0.0) ? bits + 1 : bits - 1);
}

float nextafter(float from, float towards) noexcept {
    if (from != from || towards != towards) return from + towards;
    if (from == towards) return towards;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(from);
    if (from == 0.0F) return std::bit_cast<float>((std::bit_cast<std::uint32_t>(towards) & 0x8000'0000U) | 1U);
    return std::bit_cast<float>((from < towards) == (from > 0.0F) ? bits + 1 : bits - 1);
}

double fmin(double a, double b) noexcept {
    if (is_nan(a)) return b;
    if (is_nan(b)) return a;
    if (a == b) return is_negative(a) ? a : b;
    return a < b ? a : b;
}

double fmax(double a, double b) noexcept {
    if (is_nan(a)) return b;
    if (is_nan(b)) return a;
    if (a == b) return is_negative(a) ? b : a;
    return a > b ? a : b;
}

double sin(double radians) noexcept {
    if (!is_finite(radians)) return radians - radians;
    if (std::fabs(radians) < kTiny) return radians;
    const Reduced r = reduce(radians);
    const double value = (r.quadrant & 1U) == 0 ? sin_kernel(r.rest).hi : cos_kernel(r.rest).hi;
    return (r.quadrant & 2U) == 0 ? value : -value;
}

double cos(double radians) noexcept {
    if (!is_finite(radians)) return radians - radians;
    const Reduced r = reduce(radians);
    const double value = (r.quadrant & 1U) == 0 ? cos_kernel(r.rest).hi : sin_kernel(r.rest).hi;
    return r.quadrant == 1 || r.quadrant == 2 ? -value : value;
}

double tan(double radians) noexcept {
    if (!is_finite(radians)) return radians - radians;
    if (std::fabs(radians) < kTiny) return radians;
    const Reduced r = reduce(radians);
    const Dd s = sin_kernel(r.rest), c = cos_kernel(r.rest);
    return (r.quadrant & 1U) == 0 ? divide(s, c).hi : -divide(c, s).hi;
}

double atan2(double y, double x) noexcept {
    if (is_nan(x) || is_nan(y)) return x + y;
    const double ay = fabs(y), ax = fabs(x);
    double angle = 0.0;
    if (ay == 0.0) {
        angle = is_negative(x) ? kPi.hi : 0.0;
    } else if (ax == 0.0) {
        angle = kHalfPi.hi;
    } else if (ay == kInfinity) {
        angle = ax != kInfinity ? kHalfPi.hi : is_negative(x) ? 3.0 * 0x1.921fb54442d18p-1 : 0x1.921fb54442d18p-1;
    } else if (ax == kInfinity) {
        angle = is_negative(x) ? kPi.hi : 0.0;
    } else {
        // Bring the larger to [1, 2): the ratio keeps its bits, and products neither over- nor underflow.
        const double larger = ay > ax ? ay : ax;
        const int lift = biased_exponent(larger) == 0 ? 64 : 0;
        const int shift = 1023 + lift - biased_exponent(lift == 0 ? larger : larger * 0x1p64);
        const double v = scale(ay, shift), u = scale(ax, shift);
        if (v < 0x1p-60) {
            angle = is_negative(x) ? kPi.hi : ay / ax;
        } else if (u < 0x1p-60) {
            angle = kHalfPi.hi;
        } else {
            angle = angle_of({v, 0.0}, {is_negative(x) ? -u : u, 0.0}).hi;
        }
    }
    return copysign(angle, y);
}

double atan(double x) noexcept {
    if (is_nan(x)) return x + x;
    if (fabs(x) < kTiny) return x;
    return atan2(x, 1.0);
}

double asin(double x) noexcept {
    const double magnitude = fabs(x);
    if (!(magnitude <= 1.0)) return is_nan(x) ? x + x : kNan;
    if (magnitude < kTiny) return x;
    return copysign(angle_of({magnitude, 0.0}, root_of_one_minus_square(x)).hi, x);
}

double acos(double x) noexcept {
    const double magnitude = fabs(x);
    if (!(magnitude <= 1.0)) return is_nan(x) ? x + x : kNan;
    if (x == 1.0) return 0.0;
    if (x == -1.0) return kPi.hi;
    if (magnitude < 0x1p-57) return kHalfPi.hi;
    return angle_of(root_of_one_minus_square(x), {x, 0.0}).hi;
}

double exp(double x) noexcept {
    if (is_nan(x)) return x + x;
    if (x > 710.0) return kInfinity;
    if (x < -746.0) return 0.0;
    return exp_kernel({x, 0.0});
}

double log(double x) noexcept {
    if (is_nan(x)) return x + x;
    if (x == 0.0) return -kInfinity;
    if (x < 0.0) return kNan;
    if (x == kInfinity) return x;
    return log_kernel(x).hi;
}

double pow(double base, double exponent) noexcept {
    if (exponent == 0.0 || base == 1.0) return 1.0;
    if (is_nan(base) || is_nan(exponent)) return base + exponent;
    const double magnitude = fabs(base);
    if (fabs(exponent) == kInfinity) {
        if (magnitude == 1.0) return 1.0;
        return (magnitude > 1.0) == (exponent > 0.0) ? kInfinity : 0.0;
    }
    const Parity parity = parity_of(exponent);
    const bool negate = is_negative(base) && parity == Parity::Odd;
    double result = 0.0;
    if (magnitude == 0.0) {
        result = exponent > 0.0 ? 0.0 : kInfinity;
    } else if (magnitude == kInfinity) {
        result = exponent > 0.0 ? kInfinity : 0.0;
    } else if (base < 0.0 && parity == Parity::NotInteger) {
        return kNan;
    } else if (magnitude == 1.0) {
        result = 1.0;
    } else if (fabs(exponent) > 0x1p64) {  // |ln| of any double but 1 is above 2^-54
        result = (magnitude > 1.0) == (exponent > 0.0) ? kInfinity : 0.0;
    } else if (fabs(exponent) < 0x1p-65) {  // |ln| of any double is below 2^10
        result = 1.0;
    } else {
        const Dd ln = log_kernel(magnitude);
        const Dd p = two_product(exponent, ln.hi);
        const Dd power = fast_two_sum(p.hi, p.lo + exponent * ln.lo);
        result = power.hi > 710.0 ? kInfinity : power.hi < -746.0 ? 0.0 : exp_kernel(power);
    }
    return negate ? -result : result;
}

}  // namespace exact

Transform<double> decompose(const Mat4<double>& a) noexcept {
    const Vec3d rows[3] = {{a.m[0], a.m[1], a.m[2]}, {a.m[4], a.m[5], a.m[6]}, {a.m[8], a.m[9], a.m[10]}};
    Transform<double> out;
    out.translation = {a.m[12], a.m[13], a.m[14]};
    out.scale = {length(rows[0]), length(rows[1]), length(rows[2])};
    if (determinant3(a) < 0.0) out.scale.x = -out.scale.x;

    Vec3d x{1, 0, 0};
    if (out.scale.x != 0.0) x = normalized(rows[0] / out.scale.x);

    Vec3d y;
    if (out.scale.y != 0.0) {
        y = rows[1] / out.scale.y;
        y = normalized(y - x * dot(x, y));
    }
    if (!(dot(y, y) > 0.5)) {
        // No direction of its own: the axis least aligned with x, projected.
        const double ax = std::fabs(x.x), ay = std::fabs(x.y), az = std::fabs(x.z);
        const Vec3d axis = ay <= ax && ay <= az ? Vec3d{0, 1, 0} : az <= ax ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
        y = normalized(axis - x * dot(x, axis));
    }
    const Vec3d z = cross(x, y);

    Mat4d rotation;
    const Vec3d axes[3] = {x, y, z};
    for (std::size_t r = 0; r < 3; ++r) {
        rotation.m[4 * r] = axes[r].x;
        rotation.m[4 * r + 1] = axes[r].y;
        rotation.m[4 * r + 2] = axes[r].z;
    }
    out.rotation = from_matrix3(rotation);
    return out;
}

}  // namespace gomkit::runtime
