#include "gomkit/runtime/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace gomkit::runtime {
namespace {

constexpr double kHalfPi = 1.5707963267948966;

Quatd about(Vec3d axis, double angle) {
    const Vec3d a = normalized(axis) * exact::sin(angle / 2);
    return {a.x, a.y, a.z, exact::cos(angle / 2)};
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-14) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

void expect_near(const Mat4d& a, const Mat4d& b, double tolerance = 1e-14) {
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(a.m[i], b.m[i], tolerance) << i;
}

// Small pseudo-random numbers in [-1, 1].
class Random {
public:
    double operator()() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state_ >> 11) * 0x1p-52 - 1.0;
    }

private:
    std::uint64_t state_ = 7;
};

TEST(Math, RotationByQuaternionIsQVQ) {
    // A quarter turn about z takes x to y.
    const Quatd q = about({0, 0, 1}, kHalfPi);
    expect_near(rotate(q, Vec3d{1, 0, 0}), {0, 1, 0});
    expect_near(transform_vector(Vec3d{1, 0, 0}, to_matrix(q)), {0, 1, 0});
    // By the definition, with the product written out.
    const Quatd p = about({1, 2, 3}, 0.7);
    const Vec3d v{0.3, -0.4, 0.5};
    const Quatd r = multiply(multiply(p, Quatd{v.x, v.y, v.z, 0}), conjugate(p));
    expect_near(rotate(p, v), {r.x, r.y, r.z});
}

TEST(Math, ProductsApplyLeftToRightForMatricesAndRightToLeftForQuaternions) {
    const Quatd a = about({1, 0, 0}, kHalfPi), b = about({0, 0, 1}, 0.4);
    expect_near(to_matrix(a) * to_matrix(b), to_matrix(multiply(b, a)));
    Mat4d move, turn = to_matrix(about({0, 0, 1}, kHalfPi));
    move.m[12] = 1;
    // First moved, then turned: (0,0,0) -> (1,0,0) -> (0,1,0).
    expect_near(transform_point(Vec3d{}, move * turn), {0, 1, 0});
    expect_near(transform_point(Vec3d{}, turn * move), {1, 0, 0});
}

TEST(Math, TransformIsScaleThenRotationThenTranslation) {
    const Transformd t{{10, 20, 30}, about({0, 0, 1}, kHalfPi), {2, 3, 4}};
    expect_near(transform_point(Vec3d{1, 0, 0}, to_matrix(t)), {10, 22, 30});
    expect_near(transform_point(Vec3d{0, 1, 0}, to_matrix(t)), {7, 20, 30});
    Mat4d scale;
    scale.m[0] = 2;
    scale.m[5] = 3;
    scale.m[10] = 4;
    Mat4d move;
    move.m[12] = 10;
    move.m[13] = 20;
    move.m[14] = 30;
    expect_near(to_matrix(t), scale * to_matrix(t.rotation) * move);
}

TEST(Math, InverseOfAffineMatrices) {
    Random random;
    for (int i = 0; i < 200; ++i) {
        Mat4d m;
        for (const int k : {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14}) m.m[k] = random();
        if (std::fabs(determinant3(m)) < 1e-2) continue;
        Mat4d inverse;
        ASSERT_TRUE(inverse_affine(m, inverse));
        expect_near(m * inverse, Mat4d{}, 1e-12);
        EXPECT_EQ(inverse.m[3], 0);
        EXPECT_EQ(inverse.m[15], 1);
    }
    Mat4d translation;
    translation.m[12] = 0.1;
    translation.m[14] = -7;
    Mat4d inverse;
    ASSERT_TRUE(inverse_affine(translation, inverse));
    EXPECT_EQ(inverse.m[12], -0.1);
    EXPECT_EQ(inverse.m[14], 7);
    EXPECT_FALSE(std::signbit(inverse.m[13]));  // no -0
    ASSERT_TRUE(inverse_affine(Mat4d{}, inverse));
    EXPECT_TRUE(is_identity(inverse));
}

TEST(Math, SingularMatricesHaveNoInverse) {
    Mat4d flat;
    flat.m[5] = 0;
    Mat4d out;
    out.m[0] = 42;
    EXPECT_FALSE(inverse_affine(flat, out));
    EXPECT_EQ(out.m[0], 42);
    Mat4d infinite;
    infinite.m[0] = 1e308 * 10;
    EXPECT_FALSE(inverse_affine(infinite, out));
    infinite.m[0] = std::nan("");
    EXPECT_FALSE(inverse_affine(infinite, out));
    Mat4f huge;
    for (const int k : {0, 5, 10}) huge.m[k] = 1e30F;
    Mat4f out_f;
    EXPECT_FALSE(inverse_affine(huge, out_f));  // the determinant overflows in float
    EXPECT_TRUE(inverse_affine(matrix_cast<double>(huge), out));
}

TEST(Math, DeterminantAndCofactors) {
    Mat4d mirror;
    mirror.m[0] = -2;
    mirror.m[5] = 3;
    EXPECT_EQ(determinant3(mirror), -6);
    // gom.md 1: the cofactor matrix times the determinant's sign is the inverse transpose up to a positive factor.
    Mat4d m = to_matrix(Transformd{{1, 2, 3}, about({1, 1, 0}, 0.8), {1, 2, -3}});
    Mat4d inverse;
    ASSERT_TRUE(inverse_affine(m, inverse));
    const Vec3d n{0.3, 0.5, -0.2};
    const Vec3d by_cofactors = transform_vector(n, cofactor3(m)) * (determinant3(m) < 0 ? -1.0 : 1.0);
    expect_near(normalized(by_cofactors), normalized(transform_vector(n, transpose(inverse))));
}

TEST(Math, QuaternionsComeBackFromMatrices) {
    Random random;
    for (int i = 0; i < 500; ++i) {
        Quatd q = normalized(Quatd{random(), random(), random(), random()});
        if (q.w < 0) q = -q;
        const Quatd back = from_matrix3(to_matrix(q));
        EXPECT_NEAR(dot(q, back), 1.0, 1e-14);
        EXPECT_GE(back.w, 0);
    }
    for (const Quatd q : {Quatd{1, 0, 0, 0}, Quatd{0, 1, 0, 0}, Quatd{0, 0, 1, 0}, Quatd{0, 0, 0, 1}})
        EXPECT_NEAR(std::fabs(dot(q, from_matrix3(to_matrix(q)))), 1.0, 1e-15);
}

TEST(Math, DecompositionComesBack) {
    Random random;
    for (int i = 0; i < 300; ++i) {
        Quatd q = normalized(Quatd{random(), random(), random(), random()});
        if (q.w < 0) q = -q;
        const Transformd t{{random(), random(), random()}, q, {random() < 0 ? -1.5 : 0.5, 1.5 + random(), 1.25 + random()}};
        const Transformd back = decompose(to_matrix(t));
        expect_near(back.translation, t.translation, 0);
        expect_near(back.scale, t.scale, 1e-13);
        EXPECT_NEAR(dot(back.rotation, q), 1.0, 1e-13);
        expect_near(to_matrix(back), to_matrix(t), 1e-13);
    }
}

// gom.md 3, "Channels without keys": x takes the sign, w >= 0, Gram-Schmidt from x.
TEST(Math, DecompositionOfMirrorsAndShear) {
    Mat4d mirror;
    mirror.m[5] = -2;  // y is mirrored: x is negated instead, the rotation is half a turn about z
    const Transformd t = decompose(mirror);
    expect_near(t.scale, {-1, 2, 1}, 0);
    expect_near(to_matrix(t), mirror);
    EXPECT_GE(t.rotation.w, 0);

    Mat4d shear;
    shear.m[4] = 1;  // y leans towards x
    const Transformd s = decompose(shear);
    expect_near(s.scale, {1, std::sqrt(2.0), 1}, 1e-15);
    expect_near(Vec3d{s.rotation.x, s.rotation.y, s.rotation.z}, {0, 0, 0}, 1e-15);
    EXPECT_NEAR(s.rotation.w, 1, 1e-15);
}

TEST(Math, DecompositionOfSingularMatricesIsFinite) {
    for (int mask = 0; mask < 8; ++mask) {
        Mat4d m;
        for (int r = 0; r < 3; ++r)
            if ((mask >> r & 1) != 0) m.m[5 * r] = 0;
        const Transformd t = decompose(m);
        EXPECT_NEAR(length(t.rotation), 1, 1e-15) << mask;
        expect_near(to_matrix(t), m);
    }
    Mat4d parallel;
    parallel.m[4] = 1;
    parallel.m[5] = 0;
    EXPECT_NEAR(length(decompose(parallel).rotation), 1, 1e-15);
}

TEST(Math, SlerpMeetsItsEndsAndGoesAtConstantSpeed) {
    const Quatd a = about({0, 1, 0}, 0.2), b = about({0, 1, 0}, 2.2);
    EXPECT_EQ(slerp(a, b, 0), a);
    EXPECT_EQ(slerp(a, b, 1), b);
    for (int i = 0; i <= 8; ++i) EXPECT_NEAR(dot(slerp(a, b, i / 8.0), about({0, 1, 0}, 0.2 + i / 4.0)), 1.0, 1e-15);
    // The shorter arc, whatever the signs.
    EXPECT_NEAR(dot(slerp(a, -b, 0.5), about({0, 1, 0}, 1.2)), 1.0, 1e-15);
    EXPECT_EQ(slerp(a, -b, 1), b);
    // Nearly equal, equal and exactly opposite ends.
    EXPECT_EQ(slerp(a, a, 0.3), a);
    const Quatd c = about({0, 1, 0}, 0.2 + 1e-9);
    EXPECT_NEAR(dot(slerp(a, c, 0.5), about({0, 1, 0}, 0.2 + 5e-10)), 1.0, 1e-15);
    const Quatd half = about({0, 1, 0}, 2 * kHalfPi);
    EXPECT_NEAR(length(slerp(Quatd{}, half, 0.5)), 1.0, 1e-15);
    const Quatf f = slerp(Quatf{0, 0, 0, 1}, Quatf{1, 0, 0, 0}, 0.5F);
    EXPECT_NEAR(f.x, 0.70710678F, 1e-7F);
    EXPECT_NEAR(f.w, 0.70710678F, 1e-7F);
}

TEST(Math, NothingToNormalize) {
    EXPECT_EQ(normalized(Vec3d{}), (Vec3d{}));
    EXPECT_EQ(normalized(Quatd{0, 0, 0, 0}), (Quatd{}));
    expect_near(normalized(Vec3d{0, 3, 4}), {0, 0.6, 0.8}, 1e-16);
    EXPECT_EQ(cross(Vec3d{1, 0, 0}, Vec3d{0, 1, 0}), (Vec3d{0, 0, 1}));
}

TEST(Math, WorksAtCompileTime) {
    static_assert(is_identity(Mat4d{} * Mat4d{}));
    static_assert(dot(Vec3d{1, 2, 3}, Vec3d{4, 5, 6}) == 32);
    static_assert(multiply(Quatd{}, Quatd{1, 2, 3, 4}) == Quatd{1, 2, 3, 4});
    static_assert(to_matrix(Transformd{}) == Mat4d{});
}

}  // namespace
}  // namespace gomkit::runtime
