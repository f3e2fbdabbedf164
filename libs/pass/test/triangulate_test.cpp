#include <gomkit/pass/triangulate.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace gomkit::pass {
namespace {

using model::Vec3;

struct Cut {
    std::vector<std::uint32_t> triangles;
    bool clean = false;
    double area = 0;          // sum of the triangles' signed areas along the polygon's normal
    double absolute = 0;      // sum of their absolute areas
    double polygon = 0;
};

Cut cut(const std::vector<Vec3>& points) {
    Cut out;
    std::vector<std::uint32_t> corners(points.size());
    std::iota(corners.begin(), corners.end(), 0u);
    out.clean = triangulate(points, corners, out.triangles);
    const Vec3 whole = area_vector(points, corners);
    out.polygon = length(whole);
    for (std::size_t i = 0; i + 2 < out.triangles.size(); i += 3) {
        const Vec3& a = points[out.triangles[i]];
        const Vec3 n = cross(points[out.triangles[i + 1]] - a, points[out.triangles[i + 2]] - a);
        out.area += dot(n, whole) / out.polygon;
        out.absolute += length(n);
    }
    return out;
}

// The one law: n - 2 triangles, none flipped, the area kept.
void expect_proper(const std::vector<Vec3>& points) {
    const Cut c = cut(points);
    EXPECT_TRUE(c.clean);
    EXPECT_EQ(c.triangles.size(), (points.size() - 2) * 3);
    EXPECT_NEAR(c.area, c.polygon, 1e-9 * c.polygon);
    EXPECT_NEAR(c.absolute, c.polygon, 1e-9 * c.polygon);
}

std::vector<Vec3> star(std::size_t spikes, double inner, double turn) {
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < spikes * 2; ++i) {
        const double angle = turn + 3.14159265358979 * static_cast<double>(i) / static_cast<double>(spikes);
        const double r = i % 2 == 0 ? 1 : inner;
        // Tilted out of every coordinate plane.
        const double x = r * std::cos(angle);
        const double y = r * std::sin(angle);
        out.push_back({x, y * 0.6 + 0.1, y * 0.8 - x * 0.3});
    }
    return out;
}

TEST(Triangulate, CutsAConcaveQuadInside) {
    // An arrow head: only the diagonal from the notch stays inside.
    const std::vector<Vec3> arrow = {{0, 0, 0}, {2, -2, 0}, {0, 3, 0}, {-2, -2, 0}};
    expect_proper(arrow);
    for (std::size_t turn = 0; turn < 4; ++turn) {
        std::vector<Vec3> p = arrow;
        std::rotate(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(turn), p.end());
        expect_proper(p);
    }
}

TEST(Triangulate, TakesTheShorterDiagonalOfAConvexQuad) {
    const Cut wide = cut({{0, 0, 0}, {4, 0, 0}, {5, 1, 0}, {1, 1, 0}});
    EXPECT_EQ(wide.triangles, (std::vector<std::uint32_t>{0, 1, 3, 1, 2, 3}));
    const Cut square = cut({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
    EXPECT_EQ(square.triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
}

TEST(Triangulate, CutsStarsOfAnySizeInEitherWinding) {
    for (std::size_t spikes = 3; spikes <= 64; ++spikes) {
        std::vector<Vec3> p = star(spikes, 0.2, 0.37);
        expect_proper(p);
        std::reverse(p.begin(), p.end());
        expect_proper(p);
    }
}

TEST(Triangulate, CutsAStarOfTenThousandCorners) { expect_proper(star(5000, 0.9, 0)); }

// A band wound into a spiral: nearly every corner is asked nearly every time. Took a minute when answers were not remembered.
TEST(Triangulate, CutsALongSpiral) {
    std::vector<Vec3> p;
    constexpr int kHalf = 2000;
    for (int i = 0; i < kHalf; ++i) {
        const double angle = 0.05 * i;
        p.push_back({(1 + 0.02 * angle) * std::cos(angle), (1 + 0.02 * angle) * std::sin(angle), 0});
    }
    for (int i = kHalf - 1; i >= 0; --i) {
        const double angle = 0.05 * i;
        p.push_back({(1.05 + 0.02 * angle) * std::cos(angle), (1.05 + 0.02 * angle) * std::sin(angle), 0});
    }
    expect_proper(p);
}

TEST(Triangulate, CutsAPolygonWithAHoleOnABridge) {
    // A square frame: the bridge edge is walked twice.
    const std::vector<Vec3> frame = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0},
                                     {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}};
    expect_proper(frame);
}

TEST(Triangulate, KeepsTheAreaWithCollinearAndDuplicateCorners) {
    const std::vector<Vec3> p = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
    const Cut c = cut(p);
    EXPECT_EQ(c.triangles.size(), (p.size() - 2) * 3);
    EXPECT_NEAR(c.area, c.polygon, 1e-12);
    EXPECT_NEAR(c.absolute, c.polygon, 1e-12);
}

TEST(Triangulate, SaysWhenAPolygonCrossesItself) {
    const Cut c = cut({{0, 0, 0}, {3, 3, 0}, {3, 0, 0}, {0, 3, 0}, {-5, 0, 0}});
    EXPECT_FALSE(c.clean);
    EXPECT_EQ(c.triangles.size(), 9u);
}

TEST(Triangulate, SurvivesAPolygonWithoutArea) {
    const Cut c = cut(std::vector<Vec3>(12, Vec3{1, 2, 3}));
    EXPECT_EQ(c.triangles.size(), 30u);
}

TEST(Triangulate, FallsBackToAFanAboveItsLimit) {
    const Cut c = cut(star(33'000, 0.9, 0));
    EXPECT_FALSE(c.clean);
    EXPECT_EQ(c.triangles.size(), (66'000u - 2) * 3);
}

}  // namespace
}  // namespace gomkit::pass
