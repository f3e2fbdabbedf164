#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <gomkit/pass/nearest_rotation.hpp>

namespace gomkit::pass {
namespace {

using model::Mat4;
using model::Quat;

Mat4 diagonal(double x, double y, double z) {
    Mat4 m;
    m.m[0] = x;
    m.m[5] = y;
    m.m[10] = z;
    return m;
}

void expect_same(const Quat& a, const Quat& b) { EXPECT_NEAR(std::fabs(dot(a, b)), 1, 1e-14); }

Quat nearest(const Mat4& m) {
    const auto q = nearest_rotation(m);
    EXPECT_TRUE(q.has_value());
    return q.value_or(Quat{});
}

TEST(NearestRotation, ScaleDoesNotTurn) {
    const Quat turns[] = {{}, {0.5, 0.5, 0.5, 0.5}, {1, 0, 0, 0}, {0, 0.6, 0, 0.8}, normalized(Quat{-1, 2, -3, 4}), normalized(Quat{3, 1, 2, 0})};
    for (const Quat& q : turns) {
        expect_same(nearest(to_matrix(q)), q);
        expect_same(nearest(diagonal(2, 3, 4) * to_matrix(q)), q);
        expect_same(nearest(to_matrix(q) * diagonal(1e-9, 2e-9, 1e-9)), q);
        expect_same(nearest(diagonal(1e200, 2e200, 1e200) * to_matrix(q)), q);
    }
}

// U diag(1, 1, -1) V^T of the singular value decomposition: the smallest singular value is the one that is mirrored back.
TEST(NearestRotation, MirrorsGiveTheRotationOfTheDecomposition) {
    expect_same(nearest(diagonal(1, 2, -3)), Quat{0, 1, 0, 0});
    expect_same(nearest(diagonal(-3, 2, 1)), Quat{0, 1, 0, 0});
    expect_same(nearest(diagonal(4, 3, -1)), Quat{});
}

// Of the rotations (c, -s), (s, c) about Z the sum of products with the matrix is 2 c - s / 2, which is largest where s / c = -1 / 4: c = 0.970142..., s = -0.242535... .
TEST(NearestRotation, ShearIsSplitEvenly) {
    Mat4 m;   // column-vector matrix (1, 0.5, 0), (0, 1, 0), (0, 0, 1)
    m.m[4] = 0.5;
    const Mat4 r = to_matrix(nearest(m));
    EXPECT_NEAR(r.m[0], 0.970142500145332, 1e-14);
    EXPECT_NEAR(r.m[4], 0.242535625036333, 1e-14);
    EXPECT_NEAR(r.m[1], -0.242535625036333, 1e-14);
    EXPECT_NEAR(r.m[10], 1, 1e-14);
}

TEST(NearestRotation, ThereIsNoneOfZerosAndInfinities) {
    EXPECT_FALSE(nearest_rotation(diagonal(0, 0, 0)).has_value());
    EXPECT_FALSE(nearest_rotation(diagonal(1, std::numeric_limits<double>::infinity(), 1)).has_value());
    EXPECT_FALSE(nearest_rotation(diagonal(1, std::numeric_limits<double>::quiet_NaN(), 1)).has_value());
    const auto flat = nearest_rotation(diagonal(1, 0, 0));
    ASSERT_TRUE(flat.has_value());
    EXPECT_NEAR(length(*flat), 1, 1e-14);
}

}  // namespace
}  // namespace gomkit::pass
