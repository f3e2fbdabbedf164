#include "packing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "blobs.hpp"

namespace gomkit::mv1 {
namespace {

KeySet packed(KeyType type, DataType data, bool single, const std::vector<float>& values, bool* done = nullptr) {
    KeySet set;
    set.type = static_cast<std::int8_t>(type);
    set.data_type = static_cast<std::int8_t>(data);
    set.flag = single ? 0x001 : 0x002;
    core::Writer w;
    const std::size_t n = values.size() / key_components(set.type);
    if (!single) {
        w.put(static_cast<std::uint8_t>(n));
        std::vector<float> times;
        for (std::size_t i = 0; i < n; ++i) {
            times.push_back(static_cast<float>(10 + 5 * i));
        }
        EXPECT_TRUE(put_even_times(w, set.flag, times));
    }
    const bool ok = put_keys(w, set.flag, data == DataType::Rotate, values);
    if (done != nullptr) {
        *done = ok;
    }
    set.blob = w.take();
    return set;
}

Keys read(const KeySet& set) {
    Keys keys;
    const auto size = read_key_block(set, set.blob, &keys);
    EXPECT_TRUE(size && *size == set.blob.size());
    return keys;
}

// covers MV1-WRITE-23
TEST(Packing, KeysHaveTheLeastPowerOfTenAndTheSmallestUnitThatHolds) {
    // Least -0.5: the byte says -1; (11.5 + 1) / 60000 = 2.08e-4 is rounded up to 3e-4.
    const KeySet set = packed(KeyType::Linear, DataType::TranslateX, false, {-0.5f, 2, 11.5f});
    EXPECT_EQ(set.flag, 0x002 | 0x008 | 0x010 | 0x040 | 0x100);
    const core::Bytes expected{std::byte{3}, std::byte{10}, std::byte{0}, std::byte{5}, std::byte{0},   // count, start, step
                               std::byte{0x40}, std::byte{0x80 | 4 << 4 | 3},                             // -10^0; 3 * 10^-4
                               std::byte{0x83}, std::byte{0x06}, std::byte{0x10}, std::byte{0x27},        // 1667, 10000
                               std::byte{0xC3}, std::byte{0xA2}};                                         // 41667
    EXPECT_EQ(set.blob, expected);
    const Keys keys = read(set);
    EXPECT_EQ(keys.times, (std::vector<double>{10, 15, 20}));
    EXPECT_NEAR(keys.values[1], 2, 1.5e-4);
}

TEST(Packing, KeysComeBackWithinHalfAUnit) {
    for (const float size : {1e-6f, 1e-3f, 0.7f, 1.f, 12.f, 345.f, 6e4f, 3e6f}) {
        for (const float middle : {0.f, 1.f, -1.f, 100.f, -3000.f}) {
            const std::vector<float> values{middle - size, middle + size, middle, middle + size / 3};
            bool done = false;
            const KeySet set = packed(KeyType::Linear, DataType::ScaleX, false, values, &done);
            ASSERT_TRUE(done) << size;
            const Keys keys = read(set);
            // Behind the count, two times and the least value: a number to 14 and a power of ten.
            const auto byte = std::to_integer<unsigned>(set.blob[6]);
            const double unit = (byte & 15u) * std::pow(10.0, (byte & 0x80u) != 0 ? -static_cast<int>(byte >> 4 & 7u) : static_cast<int>(byte >> 4 & 7u));
            // As fine as 60,000 steps over the range and the least value's byte allow, but for a unit that is up to twice what is needed.
            const double least = std::fabs(std::fmin(0, static_cast<double>(middle - size)));
            EXPECT_LE(unit, 2 * (2 * static_cast<double>(size) + std::fabs(static_cast<double>(middle)) + 10 * least + 1e-2) / 60000) << size << " about " << middle;
            const double rounding = 1e-12 * (std::fabs(static_cast<double>(middle)) + static_cast<double>(size));
            for (std::size_t i = 0; i < values.size(); ++i) {
                EXPECT_NEAR(keys.values[i], static_cast<double>(values[i]), 0.5 * unit + rounding) << size << " about " << middle;
            }
        }
    }
}

TEST(Packing, RotationsAreNeverLongerThanTheyWere) {
    std::uint32_t random = 3;
    const auto next = [&] {
        random = random * 1664525u + 1013904223u;
        return static_cast<double>(random >> 8) / (1 << 23) - 1;
    };
    for (int round = 0; round < 2000; ++round) {
        double q[4] = {next(), next(), next(), next()};
        const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        std::vector<float> values;
        for (const double v : q) {
            values.push_back(static_cast<float>(round % 2 == 0 ? v / size : std::fabs(v / size)));
        }
        const KeySet set = packed(KeyType::Quaternion, DataType::Rotate, true, values);
        const bool positive = values[0] >= 0 && values[1] >= 0 && values[2] >= 0 && values[3] >= 0;
        EXPECT_EQ(set.flag, 0x001 | 0x100 | (positive ? 0x400 : 0x200));
        const Keys keys = read(set);
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_LE(std::fabs(keys.values[k]), std::fabs(static_cast<double>(values[k])) + 1e-12);
            EXPECT_NEAR(keys.values[k], static_cast<double>(values[k]), 9.6e-5);
        }
    }
}

TEST(Packing, WhatSixteenBitsCannotHoldStaysAsItIs) {
    core::Writer w;
    std::uint16_t flag = 0x001;
    const float one[] = {5};
    EXPECT_FALSE(put_keys(w, flag, false, one));             // single, and no rotation
    flag = 0x002;
    const float wild[] = {0, 1e13f};
    EXPECT_FALSE(put_keys(w, flag, false, wild));            // no unit is that large
    const float uneven[] = {0, 1, 3};
    EXPECT_FALSE(put_even_times(w, flag, uneven));
    const float half[] = {0, 0.5f, 1};
    EXPECT_FALSE(put_even_times(w, flag, half));
    const float still[] = {4, 4};
    EXPECT_FALSE(put_even_times(w, flag, still));            // a step
    EXPECT_EQ(flag, 0x002);
    EXPECT_TRUE(w.take().empty());
}

TEST(Packing, PositionsReachBothEndsOfTheirBox) {
    Frame f;
    f.position_num = 3;
    f.vert_flag = 0x04 | 0x08;
    core::Writer w;
    const std::array<float, 3> points[] = {{-1, 0.1f, 5}, {2, 0.7f, 5}, {0.5f, 0.3f, 5}};
    put_positions(w, points);
    f.blob = w.take();
    FrameVertices read;
    ASSERT_TRUE(read_frame_blob(f, f.blob, &read));
    EXPECT_EQ(read.over_60000, 0u);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(read.positions[i][k], static_cast<double>(points[i][k]), 3.0 / 60000 / 2 + 1e-7);
        }
    }
    EXPECT_EQ(read.positions[0][0], -1);
    EXPECT_EQ(read.positions[1][0], 2);
}

}  // namespace
}  // namespace gomkit::mv1
