#include <gomkit/pass/nearest_rotation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace gomkit::pass {
namespace {

using Square = std::array<std::array<double, 4>, 4>;

constexpr int kSweeps = 32;   // Jacobi's method takes 4 to 6 for 4 x 4

/// The unit eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi rotations.
std::array<double, 4> largest_eigenvector(Square a) {
    Square v{};
    for (std::size_t i = 0; i < 4; ++i) {
        v[i][i] = 1;
    }
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        double off = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = i + 1; j < 4; ++j) {
                off = std::max(off, std::fabs(a[i][j]));
            }
        }
        if (off < 1e-300) {
            break;
        }
        for (std::size_t p = 0; p < 4; ++p) {
            for (std::size_t q = p + 1; q < 4; ++q) {
                if (std::fabs(a[p][q]) < 1e-300) {
                    continue;
                }
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1);
                const double s = t * c;
                for (std::size_t k = 0; k < 4; ++k) {
                    const double kp = a[k][p];
                    const double kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < 4; ++k) {
                    const double pk = a[p][k];
                    const double qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                    const double vp = v[k][p];
                    const double vq = v[k][q];
                    v[k][p] = c * vp - s * vq;
                    v[k][q] = s * vp + c * vq;
                }
                a[p][q] = a[q][p] = 0;
            }
        }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < 4; ++i) {
        best = a[i][i] > a[best][best] ? i : best;
    }
    return {v[0][best], v[1][best], v[2][best], v[3][best]};
}

}  // namespace

// Horn, Closed-form solution of absolute orientation using unit quaternions (1987): the quaternion is an eigenvector.
std::optional<model::Quat> nearest_rotation(const model::Mat4& m) {
    double largest = 0;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            const double e = std::fabs(m.m[4 * r + c]);
            if (!std::isfinite(e)) {
                return std::nullopt;
            }
            largest = std::max(largest, e);
        }
    }
    if (largest == 0) {
        return std::nullopt;
    }
    const auto s = [&](std::size_t r, std::size_t c) { return m.m[4 * r + c] / largest; };
    const double xx = s(0, 0), xy = s(0, 1), xz = s(0, 2), yx = s(1, 0), yy = s(1, 1), yz = s(1, 2), zx = s(2, 0), zy = s(2, 1), zz = s(2, 2);
    const std::array<double, 4> q = largest_eigenvector({{{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                                                          {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                                                          {zx - xz, xy + yx, yy - xx - zz, yz + zy},
                                                          {xy - yx, zx + xz, yz + zy, zz - xx - yy}}});
    return normalized(model::Quat{q[1], q[2], q[3], q[0]});
}

}  // namespace gomkit::pass
