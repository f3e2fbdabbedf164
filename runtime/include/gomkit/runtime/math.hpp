#pragma once
// Vectors, quaternions and matrices in gom.md's conventions (row vectors, row-major, p' = p * M), and the elementary functions
// in a form that gives the same bits on every machine, compiler and optimisation level. Angles are in radians.
// Templates are for float and double; each operation is done in T, in the order written.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gomkit::runtime {

// Elementary functions from + - * / and sqrt alone: nothing of the C library's that differs between CPUs, no fused
// multiply-add. Accuracy, measured against mpmath, is below 1 ulp for all of them (the tests state the figures); NaN,
// infinities, signed zeros and domain errors are those of C's Annex F. Rounding mode: to nearest. errno and flags are not kept.
namespace exact {
[[nodiscard]] double sin(double radians) noexcept;  // any finite argument, reduced with as many bits of pi as it takes
[[nodiscard]] double cos(double radians) noexcept;
[[nodiscard]] double tan(double radians) noexcept;
[[nodiscard]] double asin(double x) noexcept;  // NaN outside [-1, 1]
[[nodiscard]] double acos(double x) noexcept;  // NaN outside [-1, 1]
[[nodiscard]] double atan(double x) noexcept;
[[nodiscard]] double atan2(double y, double x) noexcept;
[[nodiscard]] double exp(double x) noexcept;
[[nodiscard]] double log(double x) noexcept;
[[nodiscard]] double pow(double base, double exponent) noexcept;
[[nodiscard]] double sqrt(double x) noexcept;
[[nodiscard]] double fabs(double x) noexcept;
[[nodiscard]] double floor(double x) noexcept;
[[nodiscard]] double ceil(double x) noexcept;
[[nodiscard]] double rint(double x) noexcept;  // to nearest, ties to even
[[nodiscard]] double copysign(double magnitude, double sign) noexcept;
[[nodiscard]] double nextafter(double from, double towards) noexcept;
[[nodiscard]] float nextafter(float from, float towards) noexcept;
[[nodiscard]] double fmin(double a, double b) noexcept;  // a NaN gives way to a number; fmin(-0, +0) is -0
[[nodiscard]] double fmax(double a, double b) noexcept;  // a NaN gives way to a number; fmax(-0, +0) is +0
[[nodiscard]] double fmod(double x, double y) noexcept;
[[nodiscard]] bool is_nan(double x) noexcept;
[[nodiscard]] bool is_finite(double x) noexcept;
}  // namespace exact

template <class T>
struct Vec2 {
    T x{}, y{};
    friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
};

template <class T>
struct Vec3 {
    T x{}, y{}, z{};
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
struct Vec4 {
    T x{}, y{}, z{}, w{};
    friend constexpr bool operator==(const Vec4&, const Vec4&) = default;
};

// Rotates v as q v q*. The default is the identity.
template <class T>
struct Quat {
    T x{0}, y{0}, z{0}, w{1};
    friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

// Row-major; element (row r, column c) is m[4 * r + c]; rows are the images of the axes, m[12..14] the translation.
// The default is the identity.
template <class T>
struct Mat4 {
    T m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    friend constexpr bool operator==(const Mat4&, const Mat4&) = default;
};

// Scale, then rotation, then translation (gom.md 1, TRS). The default is the identity.
template <class T>
struct Transform {
    Vec3<T> translation;
    Quat<T> rotation;
    Vec3<T> scale{1, 1, 1};
    friend constexpr bool operator==(const Transform&, const Transform&) = default;
};

using Vec2f = Vec2<float>;
using Vec3f = Vec3<float>;
using Vec4f = Vec4<float>;
using Quatf = Quat<float>;
using Mat4f = Mat4<float>;
using Transformf = Transform<float>;
using Vec2d = Vec2<double>;
using Vec3d = Vec3<double>;
using Vec4d = Vec4<double>;
using Quatd = Quat<double>;
using Mat4d = Mat4<double>;
using Transformd = Transform<double>;

// Vec2

template <class T>
[[nodiscard]] constexpr Vec2<T> operator+(const Vec2<T>& a, const Vec2<T>& b) noexcept {
    return {a.x + b.x, a.y + b.y};
}
template <class T>
[[nodiscard]] constexpr Vec2<T> operator-(const Vec2<T>& a, const Vec2<T>& b) noexcept {
    return {a.x - b.x, a.y - b.y};
}
template <class T>
[[nodiscard]] constexpr Vec2<T> operator*(const Vec2<T>& a, std::type_identity_t<T> s) noexcept {
    return {a.x * s, a.y * s};
}

// Vec3

template <class T>
[[nodiscard]] constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
[[nodiscard]] constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
[[nodiscard]] constexpr Vec3<T> operator-(const Vec3<T>& a) noexcept {
    return {-a.x, -a.y, -a.z};
}
template <class T>
[[nodiscard]] constexpr Vec3<T> operator*(const Vec3<T>& a, std::type_identity_t<T> s) noexcept {
    return {a.x * s, a.y * s, a.z * s};
}
template <class T>
[[nodiscard]] constexpr Vec3<T> operator*(std::type_identity_t<T> s, const Vec3<T>& a) noexcept {
    return a * s;
}
template <class T>
[[nodiscard]] constexpr Vec3<T> operator/(const Vec3<T>& a, std::type_identity_t<T> s) noexcept {
    return {a.x / s, a.y / s, a.z / s};
}
template <class T>
constexpr Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) noexcept {
    return a = a + b;
}
template <class T>
constexpr Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) noexcept {
    return a = a - b;
}
template <class T>
constexpr Vec3<T>& operator*=(Vec3<T>& a, std::type_identity_t<T> s) noexcept {
    return a = a * s;
}

template <class T>
[[nodiscard]] constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
[[nodiscard]] constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Component by component.
template <class T>
[[nodiscard]] constexpr Vec3<T> multiply(const Vec3<T>& a, const Vec3<T>& b) noexcept {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

template <class T>
[[nodiscard]] constexpr Vec3<T> lerp(const Vec3<T>& a, const Vec3<T>& b, std::type_identity_t<T> t) noexcept {
    return a + (b - a) * t;
}

// Squares are not guarded: components beyond the root of T's range overflow.
template <class T>
[[nodiscard]] inline T length(const Vec3<T>& v) noexcept {
    return std::sqrt(dot(v, v));
}

// Unit vector; a vector whose length is 0 stays as it is.
template <class T>
[[nodiscard]] inline Vec3<T> normalized(const Vec3<T>& v) noexcept {
    const T n = length(v);
    return n > T{0} ? v / n : v;
}

// Vec4

template <class T>
[[nodiscard]] constexpr Vec4<T> operator+(const Vec4<T>& a, const Vec4<T>& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
template <class T>
[[nodiscard]] constexpr Vec4<T> operator*(const Vec4<T>& a, std::type_identity_t<T> s) noexcept {
    return {a.x * s, a.y * s, a.z * s, a.w * s};
}

// Quat

template <class T>
[[nodiscard]] constexpr T dot(const Quat<T>& a, const Quat<T>& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

template <class T>
[[nodiscard]] inline T length(const Quat<T>& q) noexcept {
    return std::sqrt(dot(q, q));
}

template <class T>
[[nodiscard]] constexpr Quat<T> conjugate(const Quat<T>& q) noexcept {
    return {-q.x, -q.y, -q.z, q.w};
}

template <class T>
[[nodiscard]] constexpr Quat<T> operator-(const Quat<T>& q) noexcept {
    return {-q.x, -q.y, -q.z, -q.w};
}

// Hamilton product: rotate(multiply(a, b), v) = rotate(a, rotate(b, v)), so b is applied first.
// As row-vector matrices: to_matrix(multiply(a, b)) = to_matrix(b) * to_matrix(a).
template <class T>
[[nodiscard]] constexpr Quat<T> multiply(const Quat<T>& a, const Quat<T>& b) noexcept {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// q v q* for a unit q.
template <class T>
[[nodiscard]] constexpr Vec3<T> rotate(const Quat<T>& q, const Vec3<T>& v) noexcept {
    const Vec3<T> axis{q.x, q.y, q.z};
    const Vec3<T> t = cross(axis, v) * T{2};
    return v + t * q.w + cross(axis, t);
}

// Unit quaternion; one whose length is 0 becomes the identity.
template <class T>
[[nodiscard]] inline Quat<T> normalized(const Quat<T>& q) noexcept {
    const T n = length(q);
    if (!(n > T{0})) return {};
    return {q.x / n, q.y / n, q.z / n, q.w / n};
}

// Spherical interpolation of unit quaternions along the shorter arc (b is negated when the dot product is negative).
// t = 0 gives a exactly, t = 1 gives b exactly, up to that sign. The weights are computed in double.
template <class T>
[[nodiscard]] inline Quat<T> slerp(const Quat<T>& a, const Quat<T>& b, std::type_identity_t<T> t) noexcept {
    const double ax = a.x, ay = a.y, az = a.z, aw = a.w;
    double bx = b.x, by = b.y, bz = b.z, bw = b.w;
    if (ax * bx + ay * by + az * bz + aw * bw < 0.0) {
        bx = -bx;
        by = -by;
        bz = -bz;
        bw = -bw;
    }
    const double dx = ax - bx, dy = ay - by, dz = az - bz, dw = aw - bw;
    const double sx = ax + bx, sy = ay + by, sz = az + bz, sw = aw + bw;
    const double difference = std::sqrt(dx * dx + dy * dy + dz * dz + dw * dw);
    const double sum = std::sqrt(sx * sx + sy * sy + sz * sz + sw * sw);
    const double s = static_cast<double>(t);
    double weight_a = 1.0 - s;
    double weight_b = s;
    if (difference > 1e-7 * sum) {
        const double angle =
            2.0 * exact::atan2(difference, sum);  // well conditioned at both ends, unlike acos of the dot product
        const double sine = exact::sin(angle);
        weight_a = exact::sin(weight_a * angle) / sine;
        weight_b = exact::sin(weight_b * angle) / sine;
    }
    return {static_cast<T>(weight_a * ax + weight_b * bx), static_cast<T>(weight_a * ay + weight_b * by),
            static_cast<T>(weight_a * az + weight_b * bz), static_cast<T>(weight_a * aw + weight_b * bw)};
}

// Mat4

// Applies a, then b.
template <class T>
[[nodiscard]] constexpr Mat4<T> operator*(const Mat4<T>& a, const Mat4<T>& b) noexcept {
    Mat4<T> out;
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 4; ++c)
            out.m[4 * r + c] =
                a.m[4 * r] * b.m[c] + a.m[4 * r + 1] * b.m[4 + c] + a.m[4 * r + 2] * b.m[8 + c] + a.m[4 * r + 3] * b.m[12 + c];
    return out;
}

// [p 1] * M, without a division: for affine M.
template <class T>
[[nodiscard]] constexpr Vec3<T> transform_point(const Vec3<T>& p, const Mat4<T>& m) noexcept {
    return {p.x * m.m[0] + p.y * m.m[4] + p.z * m.m[8] + m.m[12], p.x * m.m[1] + p.y * m.m[5] + p.z * m.m[9] + m.m[13],
            p.x * m.m[2] + p.y * m.m[6] + p.z * m.m[10] + m.m[14]};
}

// [v 0] * M.
template <class T>
[[nodiscard]] constexpr Vec3<T> transform_vector(const Vec3<T>& v, const Mat4<T>& m) noexcept {
    return {v.x * m.m[0] + v.y * m.m[4] + v.z * m.m[8], v.x * m.m[1] + v.y * m.m[5] + v.z * m.m[9],
            v.x * m.m[2] + v.y * m.m[6] + v.z * m.m[10]};
}

template <class T>
[[nodiscard]] constexpr Mat4<T> transpose(const Mat4<T>& a) noexcept {
    Mat4<T> out;
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 4; ++c) out.m[4 * c + r] = a.m[4 * r + c];
    return out;
}

// Of the upper left 3x3. The one definition of "singular" and "negative" that loader, checker and tools share:
// compute it in double from the stored floats.
template <class T>
[[nodiscard]] constexpr T determinant3(const Mat4<T>& a) noexcept {
    return a.m[0] * (a.m[5] * a.m[10] - a.m[6] * a.m[9]) - a.m[1] * (a.m[4] * a.m[10] - a.m[6] * a.m[8]) +
           a.m[2] * (a.m[4] * a.m[9] - a.m[5] * a.m[8]);
}

// Cofactors of the upper left 3x3, in its place; the rest is the identity. transform_vector(n, cofactor3(M)) * sign(determinant3(M))
// is the direction of a normal (gom.md 1); it exists for singular M too.
template <class T>
[[nodiscard]] constexpr Mat4<T> cofactor3(const Mat4<T>& a) noexcept {
    Mat4<T> out;
    out.m[0] = a.m[5] * a.m[10] - a.m[6] * a.m[9];
    out.m[1] = a.m[6] * a.m[8] - a.m[4] * a.m[10];
    out.m[2] = a.m[4] * a.m[9] - a.m[5] * a.m[8];
    out.m[4] = a.m[2] * a.m[9] - a.m[1] * a.m[10];
    out.m[5] = a.m[0] * a.m[10] - a.m[2] * a.m[8];
    out.m[6] = a.m[1] * a.m[8] - a.m[0] * a.m[9];
    out.m[8] = a.m[1] * a.m[6] - a.m[2] * a.m[5];
    out.m[9] = a.m[2] * a.m[4] - a.m[0] * a.m[6];
    out.m[10] = a.m[0] * a.m[5] - a.m[1] * a.m[4];
    return out;
}

// Inverse of a matrix whose last column is 0 0 0 1 (taken as such); the result's last column is exactly that. False, and `out`
// untouched, when determinant3 is 0 or not finite.
template <class T>
[[nodiscard]] constexpr bool inverse_affine(const Mat4<T>& a, Mat4<T>& out) noexcept {
    const T determinant = determinant3(a);
    if (determinant == T{0} || !(determinant - determinant == T{0})) return false;
    const Mat4<T> cofactors = cofactor3(a);
    Mat4<T> result;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) result.m[4 * r + c] = cofactors.m[4 * c + r] / determinant;
    const Vec3<T> back = transform_vector(Vec3<T>{a.m[12], a.m[13], a.m[14]}, result);
    result.m[12] = T{0} - back.x;  // 0 - x, so that no -0 arises
    result.m[13] = T{0} - back.y;
    result.m[14] = T{0} - back.z;
    out = result;
    return true;
}

// Exactly the identity (-0 counts as 0).
template <class T>
[[nodiscard]] constexpr bool is_identity(const Mat4<T>& a) noexcept {
    return a == Mat4<T>{};
}

template <class To, class From>
[[nodiscard]] constexpr Mat4<To> matrix_cast(const Mat4<From>& a) noexcept {
    Mat4<To> out;
    for (std::size_t i = 0; i < 16; ++i) out.m[i] = static_cast<To>(a.m[i]);
    return out;
}

// Rotation matrix of a unit quaternion: row r is the rotated axis r.
template <class T>
[[nodiscard]] constexpr Mat4<T> to_matrix(const Quat<T>& q) noexcept {
    const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const T xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    Mat4<T> out;
    out.m[0] = T{1} - T{2} * (yy + zz);
    out.m[1] = T{2} * (xy + wz);
    out.m[2] = T{2} * (xz - wy);
    out.m[4] = T{2} * (xy - wz);
    out.m[5] = T{1} - T{2} * (xx + zz);
    out.m[6] = T{2} * (yz + wx);
    out.m[8] = T{2} * (xz + wy);
    out.m[9] = T{2} * (yz - wx);
    out.m[10] = T{1} - T{2} * (xx + yy);
    return out;
}

// S * R * T (gom.md 1, TRS) for a unit rotation.
template <class T>
[[nodiscard]] constexpr Mat4<T> to_matrix(const Transform<T>& t) noexcept {
    Mat4<T> out = to_matrix(t.rotation);
    const T scale[3] = {t.scale.x, t.scale.y, t.scale.z};
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) out.m[4 * r + c] = scale[r] * out.m[4 * r + c];
    out.m[12] = t.translation.x;
    out.m[13] = t.translation.y;
    out.m[14] = t.translation.z;
    return out;
}

// Unit quaternion with w >= 0 of a matrix whose upper left 3x3 is a rotation (orthonormal, determinant +1).
template <class T>
[[nodiscard]] inline Quat<T> from_matrix3(const Mat4<T>& a) noexcept {
    const T* m = a.m;
    const T trace = m[0] + m[5] + m[10];
    Quat<T> q;
    if (trace > T{0}) {
        const T s = std::sqrt(trace + T{1}) * T{2};
        q = {(m[6] - m[9]) / s, (m[8] - m[2]) / s, (m[1] - m[4]) / s, s / T{4}};
    } else if (m[0] >= m[5] && m[0] >= m[10]) {
        const T s = std::sqrt(T{1} + m[0] - m[5] - m[10]) * T{2};
        q = {s / T{4}, (m[1] + m[4]) / s, (m[2] + m[8]) / s, (m[6] - m[9]) / s};
    } else if (m[5] >= m[10]) {
        const T s = std::sqrt(T{1} + m[5] - m[0] - m[10]) * T{2};
        q = {(m[1] + m[4]) / s, s / T{4}, (m[6] + m[9]) / s, (m[8] - m[2]) / s};
    } else {
        const T s = std::sqrt(T{1} + m[10] - m[0] - m[5]) * T{2};
        q = {(m[2] + m[8]) / s, (m[6] + m[9]) / s, s / T{4}, (m[1] - m[4]) / s};
    }
    q = normalized(q);
    return q.w < T{0} ? -q : q;
}

// T, R, S of a matrix (gom.md 3, "Channels without keys"): T = row 3; S = the lengths of rows 0..2, x negated when the determinant is
// negative; R by Gram-Schmidt of the rows divided by S (x first, then y, z = x cross y), w >= 0. Shear is lost. A row without
// direction (singular matrix) has scale 0 and counts as some axis orthogonal to those before it.
[[nodiscard]] Transform<double> decompose(const Mat4<double>& a) noexcept;

}  // namespace gomkit::runtime
