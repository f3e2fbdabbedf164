#include "fit.hpp"

#include <gtest/gtest.h>

namespace gomkit::km3 {
namespace {

/// Units: 0 root, 1 below 0, 2 below 1, 3 below 0 (a brother of 1), 4 another root.
class Fitting : public ::testing::Test {
protected:
    void SetUp() override {
        in.parent = {-1, 0, 1, 0, -1};
        in.first = {0};
    }
    std::uint32_t vertex(std::initializer_list<BoneWeight> weights) {
        in.weights.insert(in.weights.end(), weights);
        in.first.push_back(static_cast<std::uint32_t>(in.weights.size()));
        return static_cast<std::uint32_t>(in.first.size() - 2);
    }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) { in.triangles.push_back({a, b, c}); }

    FitInput in;
};

// covers KM3-FIT-1, KM3-FIT-2
TEST_F(Fitting, AnEnvelopeOfUnitAndParentIsExact) {
    const auto a = vertex({{0, 1}});
    const auto b = vertex({{0, 0.75}, {1, 0.25}});
    const auto c = vertex({{1, 1}});
    triangle(a, b, c);
    const Fit f = fit(in);
    EXPECT_EQ(f.unit[0], 1u);
    EXPECT_EQ(f.own[0], (std::array<float, 3>{0, 0.25f, 1}));
}

TEST_F(Fitting, AWholeBoneStaysInItsOwnUnit) {
    const auto a = vertex({{1, 1}});
    triangle(a, vertex({{1, 1}}), vertex({{1, 1}}));
    const Fit f = fit(in);
    EXPECT_EQ(f.unit[0], 1u);
    EXPECT_EQ(f.own[0], (std::array<float, 3>{1, 1, 1}));
}

TEST_F(Fitting, TheSmallestKeptDecidesThenTheSumThenTheOwnWeightThenTheNumber) {
    // Unit 1 holds all of a and b and 0.4 of c; unit 2 holds 0.6 + 0.4 of c but nothing of a.
    const auto a = vertex({{0, 1}});
    const auto b = vertex({{0, 1}});
    const auto c = vertex({{1, 0.4}, {2, 0.6}});
    triangle(a, b, c);
    EXPECT_EQ(fit(in).unit[0], 1u);
    // Brothers with equal shares: the lower number.
    in.triangles.clear();
    triangle(vertex({{1, 0.5}, {3, 0.5}}), vertex({{1, 0.5}, {3, 0.5}}), vertex({{1, 0.5}, {3, 0.5}}));
    EXPECT_EQ(fit(in).unit[0], 1u);
    in.triangles.clear();
    triangle(vertex({{1, 0.4}, {3, 0.6}}), vertex({{1, 0.4}, {3, 0.6}}), vertex({{1, 0.4}, {3, 0.6}}));
    EXPECT_EQ(fit(in).unit[0], 3u);
}

// covers KM3-FIT-4
TEST_F(Fitting, AVertexOfTwoUnitsIsReducedToWhatBothCanHold) {
    const auto root = vertex({{0, 1}});
    const auto shared = vertex({{0, 0.2}, {1, 0.3}, {2, 0.5}});
    const auto tip = vertex({{2, 1}});
    triangle(root, root, shared);     // unit 1 holds 0.5 of it
    triangle(shared, tip, tip);       // unit 2 holds 0.8 of it
    const Fit f = fit(in);
    EXPECT_EQ(f.unit[0], 1u);
    EXPECT_EQ(f.unit[1], 2u);
    // The first one reduces it to 0.4 and 0.6 of units 0 and 1, the second to unit 1 alone, which both can write.
    EXPECT_EQ(f.own[0][2], 1.0f);
    EXPECT_EQ(f.own[1][0], 0.0f);
    EXPECT_EQ(envelope(in.parent, f.unit[0], f.own[0][2]), envelope(in.parent, f.unit[1], f.own[1][0]));
}

// covers KM3-FIT-3
TEST_F(Fitting, WhatTheUnitDoesNotHoldGoesToTheNearerOfUnitAndParent) {
    const auto left = vertex({{1, 1}});
    const auto right = vertex({{3, 1}});
    triangle(left, left, right);      // unit 1 by the sum; unit 0, the parent, is nearer to 3
    triangle(left, vertex({{2, 1}}), right);
    triangle(left, vertex({{4, 1}}), left);
    const Fit f = fit(in);
    EXPECT_EQ(f.unit[0], 1u);
    EXPECT_EQ(f.own[0], (std::array<float, 3>{1, 1, 0}));
    EXPECT_EQ(f.unit[1], 2u);         // holds left (its parent) and 2
    EXPECT_EQ(f.own[1], (std::array<float, 3>{0, 1, 0}));
    EXPECT_EQ(f.unit[2], 1u);
    EXPECT_EQ(f.own[2], (std::array<float, 3>{1, 0, 1}));     // another tree
    in.triangles.clear();
    const auto below = vertex({{2, 1}});
    const auto root = vertex({{4, 1}});
    triangle(root, root, below);      // a root holds no more than itself
    EXPECT_EQ(fit(in).own[0], (std::array<float, 3>{1, 1, 1}));
    in.triangles.clear();
    triangle(vertex({{0, 1}}), vertex({{0, 1}}), below);      // 0 holds two corners, 1 two (as parent), 2 one; 1: the larger smallest
    const Fit last = fit(in);
    EXPECT_EQ(last.unit[0], 0u);
    EXPECT_EQ(last.own[0], (std::array<float, 3>{1, 1, 1}));
}

// covers KM3-FIT-5
TEST_F(Fitting, WithoutEnvelopesEveryVertexFollowsItsUnit) {
    in.envelopes = false;
    const auto a = vertex({{0, 1}});
    const auto b = vertex({{0, 0.75}, {1, 0.25}});
    const auto c = vertex({{1, 1}});
    triangle(a, b, b);
    triangle(c, c, b);
    const Fit f = fit(in);
    EXPECT_EQ(f.unit[0], 0u);
    EXPECT_EQ(f.own[0], (std::array<float, 3>{1, 1, 1}));
    EXPECT_EQ(f.own[1], (std::array<float, 3>{1, 1, 1}));
}

TEST(Moved, IsHalfTheSumOfTheDifferences) {
    const BoneWeight w[] = {{0, 0.2}, {1, 0.3}, {2, 0.5}};
    const std::vector<std::int32_t> parent = {-1, 0, 1};
    EXPECT_NEAR(moved(w, 3, envelope(parent, 1, 0.6f)), 0.5, 1e-6);    // 0.2 + 0.3 + 0.5 off
    EXPECT_NEAR(moved(w, 3, envelope(parent, 2, 0.625f)), 0.2, 1e-6);
    EXPECT_NEAR(moved(w, 3, envelope(parent, 1, 0)), 0.8, 1e-6);
    const BoneWeight one[] = {{2, 1}};
    EXPECT_EQ(moved(one, 1, envelope(parent, 1, 0.5f)), 1);
    EXPECT_EQ(moved(one, 1, envelope(parent, 2, 1)), 0);
}

}  // namespace
}  // namespace gomkit::km3
