#include "fixed.hpp"

#include <random>

#include <gtest/gtest.h>

namespace gomkit::ps1 {
namespace {

// covers GTE-SDK-4
TEST(Fixed, SineOfThePage) {
    for (const auto& [angle, value] : {std::pair{0, 0}, {1, 7}, {128, 803}, {200, 1244}, {512, 2908}, {1000, 4094}, {1024, 4096}, {2048, 0}, {3072, -4096}, {4095, -7}}) {
        EXPECT_EQ(isin(angle), value) << angle;
        EXPECT_EQ(isin(angle + 4096), value) << angle;
        EXPECT_EQ(isin(angle - 4096), value) << angle;
        EXPECT_EQ(icos(angle - 1024), value) << angle;
    }
}

// covers GTE-SDK-1, GTE-SDK-3
TEST(Fixed, RotationsOfThePage) {
    EXPECT_EQ(rot_matrix(200, 512, 0), (Matrix3s16{{{2908, 0, 2908}, {883, 3908, -884}, {-2775, 1244, 2774}}}));
    EXPECT_EQ(rot_matrix(0, 300, 77), (Matrix3s16{{{3651, -435, 1829}, {484, 4069, 0}, {-1817, 216, 3676}}}));
    EXPECT_EQ(mul_matrix0(rot_matrix(200, 512, 0), rot_matrix(0, 300, 77)), (Matrix3s16{{{1302, -156, 3908}, {1640, 3741, -400}, {-3558, 1676, 1250}}}));
    const Matrix3s16 light{{{-1800, -2600, -2400}, {0, 0, 0}, {0, 0, 0}}};
    EXPECT_EQ(mul_matrix0(light, rot_matrix(200, 512, 0))[0], (Vec3s16{-213, -3210, -2343}));
}

// covers GTE-SDK-2
TEST(Fixed, LongVectorsLoseTheirHighBits) {
    EXPECT_EQ(apply_matrix_lv(rot_matrix(200, 512, 0), {0, -2100, 40000}), (Vec3s32{-18130, 3507, -17932}));
}

// covers GTE-SDK-1, GTE-SDK-2
TEST(Fixed, ProductsAreThoseOfTheCoprocessor) {
    std::mt19937 random(6);
    const auto any = [&random] { return static_cast<std::int16_t>(static_cast<std::uint16_t>(random() >> 16)); };
    for (int round = 0; round < 20000; ++round) {
        Matrix3s16 a{};
        Matrix3s16 b{};
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                a[r][c] = static_cast<std::int16_t>(any() / (round % 2 == 0 ? 1 : 8));
                b[r][c] = static_cast<std::int16_t>(any() / (round % 2 == 0 ? 1 : 8));
            }
        }
        const Matrix3s16 product = mul_matrix0(a, b);
        Gte g;
        g.rt = a;
        for (std::size_t c = 0; c < 3; ++c) {
            g.v[c] = {b[0][c], b[1][c], b[2][c]};
            ASSERT_TRUE(g.execute(gte_command::mvmva(true, 0, static_cast<std::uint32_t>(c), 3, false)));
            for (std::size_t r = 0; r < 3; ++r) {
                ASSERT_EQ(product[r][c], g.ir[r + 1]);
            }
        }
        const Vec3s32 v{static_cast<std::int32_t>(random()), static_cast<std::int32_t>(random()), static_cast<std::int32_t>(random())};
        for (unsigned i = 0; i < 3; ++i) {
            g.set_data(9 + i, static_cast<std::uint32_t>(v[i]));
        }
        ASSERT_TRUE(g.execute(gte_command::mvmva(true, 0, 3, 3, false)));
        ASSERT_EQ(apply_matrix_lv(a, v), (Vec3s32{g.ir[1], g.ir[2], g.ir[3]}));
    }
}

TEST(Fixed, SquareRootIsTheFloor) {
    for (const auto& [n, root] : {std::pair<std::uint32_t, std::uint32_t>{0, 0}, {1, 1}, {3, 1}, {4, 2}, {16777215, 4095}, {16777216, 4096}, {4294836225u, 65535}, {4294836224u, 65534}, {4294967295u, 65535}}) {
        EXPECT_EQ(isqrt(n), root) << n;
    }
}

}  // namespace
}  // namespace gomkit::ps1
