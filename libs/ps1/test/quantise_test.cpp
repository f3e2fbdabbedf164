#include <limits>

#include <gtest/gtest.h>

#include "quantise.hpp"

namespace gomkit::ps1 {
namespace {

// covers PS1M-CONV-1: the samples of the format's description.
TEST(Quantise, RoundsTiesToEvenAndStaysIn16Bits) {
    EXPECT_EQ(q16(0.5), 0);
    EXPECT_EQ(q16(1.5), 2);
    EXPECT_EQ(q16(2.5), 2);
    EXPECT_EQ(q16(-0.5), 0);
    EXPECT_EQ(q16(-1.5), -2);
    EXPECT_EQ(q16(40000), 32767);
    EXPECT_EQ(q16(-40000), -32768);
    EXPECT_EQ(q16(-32768.5), -32768);
    EXPECT_EQ(q16(1e300), 32767);
    EXPECT_EQ(q16(std::numeric_limits<double>::quiet_NaN()), 0);
}

// covers PS1M-CONV-2: the same for texture coordinates.
TEST(Quantise, TexelsStayOnTheirPage) {
    EXPECT_EQ(uv8(0.5), 128);
    EXPECT_EQ(uv8(0.3), 76);
    EXPECT_EQ(uv8(1.2), 255);
    EXPECT_EQ(uv8(-0.1), 0);
    EXPECT_EQ(uv8(0), 0);
    EXPECT_EQ(uv8(1), 255);
    EXPECT_EQ(uv8(std::numeric_limits<double>::infinity()), 255);
    EXPECT_EQ(uv8(std::numeric_limits<double>::quiet_NaN()), 0);
}

// covers PS1M-CONV-7: the samples of the format's description, and majorities.
TEST(Quantise, TheFaceBoneIsTheMajorityElseTheTables) {
    EXPECT_EQ(face_bone({3, 1, 2}), 1);
    EXPECT_EQ(face_bone({8, 1, 2}), 8);
    EXPECT_EQ(face_bone({9, 1, 17}), 9);
    EXPECT_EQ(face_bone({7, 0, 8}), 0);
    EXPECT_EQ(face_bone({40, 8, 0}), 40);
    EXPECT_EQ(face_bone({5, 5, 2}), 5);
    EXPECT_EQ(face_bone({2, 5, 5}), 5);
    EXPECT_EQ(face_bone({5, 2, 5}), 5);
    EXPECT_EQ(face_bone({9, 9, 9}), 9);
}

}  // namespace
}  // namespace gomkit::ps1
