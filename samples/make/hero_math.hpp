// Small vectors for the sample character. Centimetres, right-handed, Y up, front +Z; degrees in poses.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace hero {

constexpr double kPi = 3.14159265358979323846;

struct Vec {
    double x = 0, y = 0, z = 0;
    friend Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec operator*(Vec a, double s) { return {a.x * s, a.y * s, a.z * s}; }
};
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec a) { return std::sqrt(dot(a, a)); }
inline Vec normalized(Vec a) {
    const double l = length(a);
    return l > 0 ? a * (1 / l) : a;
}
template <class T>
T mix(T a, T b, double t) {
    return a + (b - a) * t;
}
inline Vec mirrored(Vec a) { return {-a.x, a.y, a.z}; }

// 0 below a, 1 above b (also for a > b: falling).
inline double smooth(double a, double b, double x) {
    const double t = std::clamp((x - a) / (b - a), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}
inline double bump(double x, double width) { return std::exp(-(x / width) * (x / width)); }

// Every number that reaches a file goes through here, so that the last bits of the C library's functions do not matter.
inline double rounded(double v, double steps = 1e4) {
    const double r = std::floor(v * steps + 0.5) / steps;
    return r == 0 ? 0 : r;  // no -0
}

// Rotation for column vectors: v' = m * v.
struct Rotation {
    std::array<std::array<double, 3>, 3> m = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    friend Rotation operator*(const Rotation& a, const Rotation& b) {
        Rotation r;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
            }
        }
        return r;
    }
    Vec operator*(Vec v) const {
        return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
    }
};
inline Rotation transposed(const Rotation& a) {
    Rotation r;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            r.m[i][j] = a.m[j][i];
        }
    }
    return r;
}
inline Rotation about(Vec axis, double degrees) {
    const Vec a = normalized(axis);
    const double s = std::sin(degrees * kPi / 180), c = std::cos(degrees * kPi / 180), t = 1 - c;
    Rotation r;
    r.m = {{{t * a.x * a.x + c, t * a.x * a.y - s * a.z, t * a.x * a.z + s * a.y},
            {t * a.x * a.y + s * a.z, t * a.y * a.y + c, t * a.y * a.z - s * a.x},
            {t * a.x * a.z - s * a.y, t * a.y * a.z + s * a.x, t * a.z * a.z + c}}};
    return r;
}
inline Rotation about_x(double d) { return about({1, 0, 0}, d); }
inline Rotation about_y(double d) { return about({0, 1, 0}, d); }
inline Rotation about_z(double d) { return about({0, 0, 1}, d); }

// Euler angles in degrees with r = Rz * Ry * Rx (FBX order XYZ).
inline std::array<double, 3> euler_xyz(const Rotation& r) {
    const double deg = 180 / kPi;
    return {std::atan2(r.m[2][1], r.m[2][2]) * deg, std::asin(std::clamp(-r.m[2][0], -1.0, 1.0)) * deg,
            std::atan2(r.m[1][0], r.m[0][0]) * deg};
}

}  // namespace hero
