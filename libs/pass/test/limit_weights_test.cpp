#include <gomkit/pass/limit_weights.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace gomkit::pass {
namespace {

const std::vector<std::uint16_t> kOneToOne = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

FourWeights limited(std::vector<model::Influence> influences, WeightOutcome expected, const std::vector<std::uint16_t>& bones = kOneToOne) {
    FourWeights out;
    EXPECT_EQ(limit_weights(influences, bones, out), expected);
    return out;
}

// covers GOM-WEIGHT-1
TEST(LimitWeights, GivesTheSpecificationsFirstCheck) {
    const FourWeights w = limited({{0, .4}, {1, .3}, {2, .2}, {3, .08}, {4, .02}}, WeightOutcome::Reduced);
    EXPECT_EQ(w.bone[0], 0);
    EXPECT_EQ(w.bone[3], 3);
    EXPECT_NEAR(w.weight[0], 0.408163, 5e-7);
    EXPECT_NEAR(w.weight[1], 0.306122, 5e-7);
    EXPECT_NEAR(w.weight[2], 0.204082, 5e-7);
    EXPECT_NEAR(w.weight[3], 0.0816327, 5e-7);
}

TEST(LimitWeights, OrdersTiesByBone) {
    const FourWeights w = limited({{3, .5}, {1, .25}, {2, .25}}, WeightOutcome::Exact);
    EXPECT_EQ(w.bone[0], 3);
    EXPECT_EQ(w.bone[1], 1);
    EXPECT_EQ(w.bone[2], 2);
    EXPECT_EQ(w.bone[3], 0);
    EXPECT_EQ(w.weight[3], 0.0f);
}

TEST(LimitWeights, OrdersAgainAfterTheCastMadeTies) {
    // Bone 7 is heavier by less than a float step, so both cast to the same float.
    const FourWeights w = limited({{7, .5 + 1e-12}, {2, .5}}, WeightOutcome::Exact);
    EXPECT_EQ(w.weight[0], w.weight[1]);
    EXPECT_EQ(w.bone[0], 2);
    EXPECT_EQ(w.bone[1], 7);
}

TEST(LimitWeights, SumsInfluencesOfOneBoneBeforeItDrops) {
    // Clusters 0 and 1 move one bone; the negative part counts in the sum.
    const FourWeights w = limited({{0, .75}, {1, -.25}, {2, .5}}, WeightOutcome::Exact, {5, 5, 6});
    EXPECT_EQ(w.bone[0], 5);
    EXPECT_EQ(w.weight[0], 0.5f);
    EXPECT_EQ(w.weight[1], 0.5f);
}

TEST(LimitWeights, NormalisesSumsThatAreNotOne) {
    EXPECT_EQ(limited({{0, .003}, {1, .001}}, WeightOutcome::Exact).weight[0], 0.75f);
    EXPECT_EQ(limited({{0, 3}, {1, 1}}, WeightOutcome::Exact).weight[0], 0.75f);
}

TEST(LimitWeights, CallsPointsWithoutAUsableInfluenceUnusable) {
    EXPECT_EQ(limited({}, WeightOutcome::Unusable).weight[0], 0.0f);
    limited({{0, 0}, {1, -1}}, WeightOutcome::Unusable);
    limited({{0, .5}, {1, std::nan("")}}, WeightOutcome::Unusable);
    limited({{0, std::numeric_limits<double>::infinity()}}, WeightOutcome::Unusable);
    limited({{0, 1e308}, {1, 1e308}}, WeightOutcome::Unusable);
}

TEST(LimitWeights, DropsWhatTheCastMadeZero) {
    const FourWeights w = limited({{4, 1}, {3, 1e-60}}, WeightOutcome::Exact);
    EXPECT_EQ(w.weight[0], 1.0f);
    EXPECT_EQ(w.bone[1], 0);
    EXPECT_EQ(w.weight[1], 0.0f);
}

TEST(LimitWeights, ManyInfluencesGiveWhatFewGive) {
    // More than 16 take another path; the extra ones weigh nothing.
    std::vector<model::Influence> few = {{9, .1}, {8, .2}, {9, .3}, {2, .2}, {1, .2}};
    std::vector<model::Influence> many = few;
    for (std::uint32_t i = 0; i < 40; ++i) {
        many.push_back({i % 12, 0});
    }
    FourWeights a;
    FourWeights b;
    limit_weights(few, kOneToOne, a);
    limit_weights(many, kOneToOne, b);
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(a.bone[i], b.bone[i]);
        EXPECT_EQ(a.weight[i], b.weight[i]);
    }
}

}  // namespace
}  // namespace gomkit::pass
