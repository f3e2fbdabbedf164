#include <gtest/gtest.h>

#include "rotation.hpp"

namespace gomkit::ps1 {
namespace {

using model::Quat;

// covers PS1M-CONV-12
TEST(ByTrace, TheBranchOfTheTraceIsPositive) {
    EXPECT_EQ(by_trace({0, 0, 0.6, -0.8}), (Quat{0, 0, -0.6, 0.8}));
    EXPECT_EQ(by_trace({-0.8, 0.5, 0.2, 0.2}), (Quat{0.8, -0.5, -0.2, -0.2}));   // w counts only where the trace is positive
    EXPECT_EQ(by_trace({0.5, -0.8, 0.2, 0.2}), (Quat{-0.5, 0.8, -0.2, -0.2}));
    EXPECT_EQ(by_trace({0.5, 0.2, -0.8, 0.2}), (Quat{-0.5, -0.2, 0.8, -0.2}));
}

}  // namespace
}  // namespace gomkit::ps1
