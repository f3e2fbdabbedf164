// The elementary functions against mpmath (math_table.inc, made by make_math_table.py), and the corners of C's Annex F.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "gomkit/runtime/math.hpp"

namespace gomkit::runtime {
namespace {

enum class Fn { Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Exp, Log, Pow };

struct Row {
    Fn function;
    std::uint64_t x, y, hi, lo;
};

constexpr Row kRows[] = {
#include "math_table.inc"
};

double call(Fn f, double x, double y) {
    switch (f) {
        case Fn::Sin:
            return exact::sin(x);
        case Fn::Cos:
            return exact::cos(x);
        case Fn::Tan:
            return exact::tan(x);
        case Fn::Asin:
            return exact::asin(x);
        case Fn::Acos:
            return exact::acos(x);
        case Fn::Atan:
            return exact::atan(x);
        case Fn::Atan2:
            return exact::atan2(x, y);
        case Fn::Exp:
            return exact::exp(x);
        case Fn::Log:
            return exact::log(x);
        case Fn::Pow:
            return exact::pow(x, y);
    }
    return 0;
}

constexpr const char* kNames[] = {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "pow"};

TEST(Exact, IsWithinAnUlpOfMpmath) {
    double worst[10] = {};
    int count[10] = {};
    std::uint64_t hash = 14695981039346656037ULL;
    for (const Row& row : kRows) {
        const double x = std::bit_cast<double>(row.x), y = std::bit_cast<double>(row.y);
        const double hi = std::bit_cast<double>(row.hi), lo = std::bit_cast<double>(row.lo);
        const double got = call(row.function, x, y);
        hash = (hash ^ std::bit_cast<std::uint64_t>(got)) * 1099511628211ULL;
        double ulps = 0.0;
        if (std::isinf(hi)) {
            ulps = got == hi ? 0.0 : 1e9;
        } else {
            const double ulp = exact::nextafter(std::fabs(hi), std::numeric_limits<double>::infinity()) - std::fabs(hi);
            ulps = std::fabs((got - hi) - lo) / ulp;
        }
        const auto f = static_cast<std::size_t>(row.function);
        ++count[f];
        if (!(ulps <= worst[f])) worst[f] = ulps;
        EXPECT_LE(ulps, 0.75) << kNames[f] << "(" << x << ", " << y << ") = " << got << ", not " << hi;
        EXPECT_EQ(std::signbit(got), std::signbit(hi)) << kNames[f] << "(" << x << ", " << y << ")";
    }
    for (std::size_t f = 0; f < 10; ++f) {
        EXPECT_GT(count[f], 200) << kNames[f];
        RecordProperty(std::string("max_ulp_") + kNames[f], std::to_string(worst[f]));
        std::printf("%-6s %4d values, largest error %.4f ulp\n", kNames[f], count[f], worst[f]);
    }
    // The same bits with every compiler, level and CPU: one number for all of them.
    EXPECT_EQ(hash, 0x8E7885AE73DC3103ULL);
}

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeast = 5e-324;
constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kPi = 3.141592653589793;

void expect_same(double got, double wanted, const char* what) {
    if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got)) << what << " = " << got;
    } else {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(wanted))
            << what << " = " << got << ", not " << wanted;
    }
}
#define GOMKIT_SAME(expression, wanted) expect_same(expression, wanted, #expression)

TEST(Exact, TrigonometryAtTheCorners) {
    GOMKIT_SAME(exact::sin(0.0), 0.0);
    GOMKIT_SAME(exact::sin(-0.0), -0.0);
    GOMKIT_SAME(exact::tan(-0.0), -0.0);
    GOMKIT_SAME(exact::cos(-0.0), 1.0);
    for (const double x : {kInf, -kInf, kNan}) {
        GOMKIT_SAME(exact::sin(x), kNan);
        GOMKIT_SAME(exact::cos(x), kNan);
        GOMKIT_SAME(exact::tan(x), kNan);
    }
    GOMKIT_SAME(exact::sin(kLeast), kLeast);
    GOMKIT_SAME(exact::cos(kLeast), 1.0);
    for (double x = 0.013; x < 1e300; x *= 1.7) {
        GOMKIT_SAME(exact::sin(-x), -exact::sin(x));
        GOMKIT_SAME(exact::cos(-x), exact::cos(x));
        GOMKIT_SAME(exact::tan(-x), -exact::tan(x));
    }
}

TEST(Exact, ArcsAtTheCorners) {
    GOMKIT_SAME(exact::asin(-0.0), -0.0);
    GOMKIT_SAME(exact::asin(1.0), kPi / 2);
    GOMKIT_SAME(exact::asin(-1.0), -kPi / 2);
    GOMKIT_SAME(exact::acos(1.0), 0.0);
    GOMKIT_SAME(exact::acos(-1.0), kPi);
    GOMKIT_SAME(exact::acos(0.0), kPi / 2);
    GOMKIT_SAME(exact::acos(-0.0), kPi / 2);
    GOMKIT_SAME(exact::acos(0.5), 1.0471975511965979);
    for (const double x : {1.0000000000000002, -1.0000000000000002, kInf, -kInf, kNan}) {
        GOMKIT_SAME(exact::asin(x), kNan);
        GOMKIT_SAME(exact::acos(x), kNan);
    }
    GOMKIT_SAME(exact::atan(-0.0), -0.0);
    GOMKIT_SAME(exact::atan(kInf), kPi / 2);
    GOMKIT_SAME(exact::atan(-kInf), -kPi / 2);
    GOMKIT_SAME(exact::atan(kNan), kNan);
    GOMKIT_SAME(exact::atan(1.0), kPi / 4);
    GOMKIT_SAME(exact::atan(kMost), kPi / 2);
    GOMKIT_SAME(exact::atan(kLeast), kLeast);
}

// C11 F.10.1.4
TEST(Exact, Atan2AtTheCorners) {
    GOMKIT_SAME(exact::atan2(0.0, -0.0), kPi);
    GOMKIT_SAME(exact::atan2(-0.0, -0.0), -kPi);
    GOMKIT_SAME(exact::atan2(0.0, 0.0), 0.0);
    GOMKIT_SAME(exact::atan2(-0.0, 0.0), -0.0);
    GOMKIT_SAME(exact::atan2(0.0, -1.0), kPi);
    GOMKIT_SAME(exact::atan2(-0.0, -1.0), -kPi);
    GOMKIT_SAME(exact::atan2(0.0, 1.0), 0.0);
    GOMKIT_SAME(exact::atan2(-0.0, 1.0), -0.0);
    GOMKIT_SAME(exact::atan2(-1.0, 0.0), -kPi / 2);
    GOMKIT_SAME(exact::atan2(1.0, -0.0), kPi / 2);
    GOMKIT_SAME(exact::atan2(1.0, -kInf), kPi);
    GOMKIT_SAME(exact::atan2(-1.0, -kInf), -kPi);
    GOMKIT_SAME(exact::atan2(1.0, kInf), 0.0);
    GOMKIT_SAME(exact::atan2(-1.0, kInf), -0.0);
    GOMKIT_SAME(exact::atan2(kInf, 1.0), kPi / 2);
    GOMKIT_SAME(exact::atan2(-kInf, -1.0), -kPi / 2);
    GOMKIT_SAME(exact::atan2(kInf, -kInf), 2.356194490192345);
    GOMKIT_SAME(exact::atan2(-kInf, -kInf), -2.356194490192345);
    GOMKIT_SAME(exact::atan2(kInf, kInf), kPi / 4);
    GOMKIT_SAME(exact::atan2(kNan, 1.0), kNan);
    GOMKIT_SAME(exact::atan2(1.0, kNan), kNan);
    GOMKIT_SAME(exact::atan2(kLeast, kMost), 0.0);
    GOMKIT_SAME(exact::atan2(kMost, kLeast), kPi / 2);
    GOMKIT_SAME(exact::atan2(kMost, kMost), kPi / 4);
    GOMKIT_SAME(exact::atan2(kLeast, kLeast), kPi / 4);
    GOMKIT_SAME(exact::atan2(kLeast, -kMost), kPi);
}

// C11 F.10.4.4
TEST(Exact, PowAtTheCorners) {
    GOMKIT_SAME(exact::pow(0.0, -3.0), kInf);
    GOMKIT_SAME(exact::pow(-0.0, -3.0), -kInf);
    GOMKIT_SAME(exact::pow(-0.0, -2.0), kInf);
    GOMKIT_SAME(exact::pow(-0.0, -2.5), kInf);
    GOMKIT_SAME(exact::pow(-0.0, -kInf), kInf);
    GOMKIT_SAME(exact::pow(0.0, 3.0), 0.0);
    GOMKIT_SAME(exact::pow(-0.0, 3.0), -0.0);
    GOMKIT_SAME(exact::pow(-0.0, 2.0), 0.0);
    GOMKIT_SAME(exact::pow(-1.0, kInf), 1.0);
    GOMKIT_SAME(exact::pow(-1.0, -kInf), 1.0);
    GOMKIT_SAME(exact::pow(1.0, kNan), 1.0);
    GOMKIT_SAME(exact::pow(1.0, kInf), 1.0);
    GOMKIT_SAME(exact::pow(kNan, 0.0), 1.0);
    GOMKIT_SAME(exact::pow(kNan, -0.0), 1.0);
    GOMKIT_SAME(exact::pow(kInf, 0.0), 1.0);
    GOMKIT_SAME(exact::pow(-2.0, 0.5), kNan);
    GOMKIT_SAME(exact::pow(-1.0, 0.5), kNan);
    GOMKIT_SAME(exact::pow(kNan, 1.0), kNan);
    GOMKIT_SAME(exact::pow(2.0, kNan), kNan);
    GOMKIT_SAME(exact::pow(0.5, -kInf), kInf);
    GOMKIT_SAME(exact::pow(2.0, -kInf), 0.0);
    GOMKIT_SAME(exact::pow(0.5, kInf), 0.0);
    GOMKIT_SAME(exact::pow(-2.0, kInf), kInf);
    GOMKIT_SAME(exact::pow(-kInf, -3.0), -0.0);
    GOMKIT_SAME(exact::pow(-kInf, -2.0), 0.0);
    GOMKIT_SAME(exact::pow(-kInf, 3.0), -kInf);
    GOMKIT_SAME(exact::pow(-kInf, 2.5), kInf);
    GOMKIT_SAME(exact::pow(kInf, -1.0), 0.0);
    GOMKIT_SAME(exact::pow(kInf, 1.0), kInf);
    GOMKIT_SAME(exact::pow(-1.0, 3.0), -1.0);
    GOMKIT_SAME(exact::pow(-1.0, 1e300), 1.0);
    GOMKIT_SAME(exact::pow(-2.0, 1025.0), -kInf);
    GOMKIT_SAME(exact::pow(-2.0, -1201.0), -0.0);
    GOMKIT_SAME(exact::pow(2.0, 1024.0), kInf);
    GOMKIT_SAME(exact::pow(2.0, 1e300), kInf);
    GOMKIT_SAME(exact::pow(0.5, 1e300), 0.0);
    GOMKIT_SAME(exact::pow(0.99999, -1e300), kInf);
    GOMKIT_SAME(exact::pow(2.0, -1074.0), kLeast);
    GOMKIT_SAME(exact::pow(2.0, -1076.0), 0.0);
    GOMKIT_SAME(exact::pow(kMost, kLeast), 1.0);
    GOMKIT_SAME(exact::pow(-3.0, 9007199254740991.0), -kInf);
    GOMKIT_SAME(exact::pow(-3.0, 9007199254740992.0), kInf);
}

TEST(Exact, PowersOfIntegersAreExact) {
    for (int base = 2; base <= 12; ++base) {
        double product = 1.0;
        for (int n = 1; product * base < 0x1p53; ++n) {
            product *= base;
            GOMKIT_SAME(exact::pow(base, n), product);
        }
    }
    for (int n = -1074; n <= 1023; ++n) GOMKIT_SAME(exact::pow(2.0, n), std::ldexp(1.0, n));
}

TEST(Exact, ExpAndLogAtTheCorners) {
    GOMKIT_SAME(exact::exp(0.0), 1.0);
    GOMKIT_SAME(exact::exp(-0.0), 1.0);
    GOMKIT_SAME(exact::exp(kInf), kInf);
    GOMKIT_SAME(exact::exp(-kInf), 0.0);
    GOMKIT_SAME(exact::exp(kNan), kNan);
    GOMKIT_SAME(exact::exp(709.79), kInf);
    GOMKIT_SAME(exact::exp(-745.2), 0.0);
    GOMKIT_SAME(exact::log(1.0), 0.0);
    GOMKIT_SAME(exact::log(0.0), -kInf);
    GOMKIT_SAME(exact::log(-0.0), -kInf);
    GOMKIT_SAME(exact::log(-1.0), kNan);
    GOMKIT_SAME(exact::log(-kInf), kNan);
    GOMKIT_SAME(exact::log(kInf), kInf);
    GOMKIT_SAME(exact::log(kNan), kNan);
}

TEST(Exact, RoundingIsExact) {
    const double values[] = {0.0,
                             -0.0,
                             0.3,
                             -0.3,
                             0.5,
                             -0.5,
                             0.7,
                             1.0,
                             1.5,
                             -1.5,
                             2.5,
                             -2.5,
                             3.5,
                             0.49999999999999994,
                             4503599627370495.5,
                             -4503599627370495.5,
                             4503599627370497.0,
                             9007199254740991.0,
                             1e300,
                             -1e300,
                             kLeast,
                             -kLeast,
                             kInf,
                             -kInf,
                             kNan,
                             2147483648.5};
    for (const double v : values) {
        GOMKIT_SAME(exact::rint(v), std::rint(v));
        GOMKIT_SAME(exact::floor(v), std::floor(v));
        GOMKIT_SAME(exact::ceil(v), std::ceil(v));
        GOMKIT_SAME(exact::fabs(v), std::fabs(v));
        GOMKIT_SAME(exact::sqrt(v), v == v && v >= 0.0 ? std::sqrt(v) : kNan);
        EXPECT_EQ(exact::is_nan(v), std::isnan(v));
        EXPECT_EQ(exact::is_finite(v), std::isfinite(v));
        for (const double w : values) {
            GOMKIT_SAME(exact::copysign(v, w), std::copysign(v, w));
            GOMKIT_SAME(exact::nextafter(v, w), std::nextafter(v, w));
            GOMKIT_SAME(exact::fmod(v, w), std::fmod(v, w));
            if (v == v || w == w) {
                GOMKIT_SAME(exact::fmin(v, w), v != v ? w : w != w ? v : v == w ? (std::signbit(v) ? v : w) : v < w ? v : w);
                GOMKIT_SAME(exact::fmax(v, w), v != v ? w : w != w ? v : v == w ? (std::signbit(v) ? w : v) : v > w ? v : w);
            }
        }
    }
    EXPECT_TRUE(exact::is_nan(exact::fmin(kNan, kNan)));
    EXPECT_TRUE(exact::is_nan(exact::fmax(kNan, kNan)));
}

TEST(Exact, NextafterOfFloats) {
    const float values[] = {0.0F,
                            -0.0F,
                            1.0F,
                            -1.0F,
                            1e-45F,
                            -1e-45F,
                            3.4028235e38F,
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()};
    for (const float v : values)
        for (const float w : values)
            EXPECT_EQ(std::bit_cast<std::uint32_t>(exact::nextafter(v, w)), std::bit_cast<std::uint32_t>(std::nextafter(v, w)))
                << v << " " << w;
    EXPECT_TRUE(std::isnan(exact::nextafter(std::numeric_limits<float>::quiet_NaN(), 1.0F)));
}

}  // namespace
}  // namespace gomkit::runtime
