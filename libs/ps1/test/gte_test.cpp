// The vectors of docs/spec/gte.md 8, and what the random comparison (tests/oracle/gte_test.py) cannot show by itself.
#include "gte.hpp"

#include <gtest/gtest.h>

#include "fixed.hpp"

namespace gomkit::ps1 {
namespace {

namespace cmd = gte_command;

constexpr Matrix3s16 kIdentity{{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}};

Gte common(std::uint16_t h) {
    Gte g;
    g.ofx = 160 << 16;
    g.ofy = 120 << 16;
    g.dqa = -4194;
    g.dqb = 0x01400000;
    g.rt = kIdentity;
    g.h = h;
    return g;
}

using Point = std::array<std::int16_t, 2>;
using Four = std::array<std::int32_t, 4>;

struct Rtps {
    std::uint16_t h;
    Vec3s32 tr;
    Vec3s16 v0;
    Vec3s32 mac;
    std::uint16_t sz3;
    Point sxy2;
    std::int32_t mac0;
    std::int16_t ir0;
    std::uint32_t flag;
};

// covers GTE-RTP-1, GTE-RTP-2, GTE-RTP-3, GTE-RTP-4, GTE-FLAG-1, GTE-FLAG-2
TEST(Gte, ProjectsThePointsOfThePage) {
    const Rtps rows[] = {
        {160, {0, 2100, 4000}, {100, -2000, 50}, {100, 100, 4050}, 4050, {163, 123}, 10113254, 2469, 0},
        {160, {-7, 33, 1000}, {-321, 654, -87}, {-328, 687, 913}, 913, {102, 240}, -27196570, 0, 0x00001000},
        {160, {0, 0, 60}, {40, -40, 10}, {40, -40, 70}, 70, {239, 40}, -528740254, 0, 0x80021000},
        {160, {0, 0, -100}, {10, 10, 0}, {10, 10, -100}, 0, {179, 139}, -528740254, 0, 0x80061000},
        {300, {0, 0, 200}, {5000, -5000, 0}, {5000, -5000, 200}, 200, {1023, -1024}, -391315456, 0, 0x80007000},
    };
    for (const Rtps& row : rows) {
        Gte g = common(row.h);
        g.tr = row.tr;
        g.v[0] = row.v0;
        ASSERT_TRUE(g.execute(cmd::kRtps));
        EXPECT_EQ((Vec3s32{g.mac[1], g.mac[2], g.mac[3]}), row.mac);
        EXPECT_EQ((Vec3s32{g.ir[1], g.ir[2], g.ir[3]}), row.mac);
        EXPECT_EQ(g.sz[3], row.sz3);
        EXPECT_EQ(g.sxy[2], row.sxy2);
        EXPECT_EQ(g.mac[0], row.mac0);
        EXPECT_EQ(g.ir[0], row.ir0);
        EXPECT_EQ(g.control(31), row.flag);
    }
}

// covers GTE-RTP-5, GTE-NCLIP-1, GTE-AVSZ-1
TEST(Gte, ProjectsATriangleThenMeasuresIt) {
    Gte g = common(160);
    g.rt = rot_matrix(200, 512, 0);
    g.tr = {0, 2078, 4399};
    g.v = {{{-300, -3900, 120}, {280, -3800, 150}, {10, -3400, -260}}};
    g.zsf3 = 0x155;
    ASSERT_TRUE(g.execute(cmd::kRtpt));
    EXPECT_EQ(g.sxy, (std::array<Point, 3>{{{154, 40}, {175, 42}, {151, 64}}}));
    EXPECT_EQ(g.sz, (std::array<std::uint16_t, 4>{0, 3499, 3156, 3183}));
    EXPECT_EQ(g.mac, (Four{7156484, -178, -1108, 3183}));
    EXPECT_EQ(g.ir[0], 1747);
    EXPECT_EQ(g.control(31), 0u);
    ASSERT_TRUE(g.execute(cmd::kNclip));
    EXPECT_EQ(g.mac[0], 510);
    ASSERT_TRUE(g.execute(cmd::kAvsz3));
    EXPECT_EQ(g.mac[0], 3354758);
    EXPECT_EQ(g.otz, 819);
    g.zsf4 = 0x100;
    g.sz[0] = 65535;
    ASSERT_TRUE(g.execute(cmd::kAvsz4));
    EXPECT_EQ(g.mac[0], 256 * (65535 + 3499 + 3156 + 3183));
    EXPECT_EQ(g.otz, (65535 + 3499 + 3156 + 3183) / 16);
}

// covers GTE-NCS-1, GTE-NCS-2
TEST(Gte, LightsTheNormalsOfThePage) {
    struct Row {
        Vec3s16 normal;
        Vec3s32 mac;
        std::uint32_t rgb, flag;
    };
    const Row rows[] = {{{0, -2048, -3547}, {2339, 2339, 2403}, 0x34969292, 0},
                        {{1200, 2400, 3000}, {832, 832, 896}, 0x34383434, 0x81000000},
                        {{0, -4096, 0}, {2164, 2164, 2228}, 0x348B8787, 0}};
    Gte all;
    for (std::size_t i = 0; i < 3; ++i) {
        Gte g;
        g.llm[0] = {-213, -3210, -2343};
        for (std::size_t r = 0; r < 3; ++r) {
            g.lcm[r][0] = 1700;
        }
        g.bk = {832, 832, 896};
        g.rgbc = 0x34000000;
        g.v[0] = rows[i].normal;
        g.rgb = {1, 2, 3};
        all = i == 0 ? g : all;
        all.v[i] = rows[i].normal;
        ASSERT_TRUE(g.execute(cmd::kNcs));
        EXPECT_EQ((Vec3s32{g.mac[1], g.mac[2], g.mac[3]}), rows[i].mac);
        EXPECT_EQ((Vec3s32{g.ir[1], g.ir[2], g.ir[3]}), rows[i].mac);
        EXPECT_EQ(g.rgb, (std::array<std::uint32_t, 3>{2, 3, rows[i].rgb}));
        EXPECT_EQ(g.control(31), rows[i].flag);
    }
    ASSERT_TRUE(all.execute(cmd::kNct));
    EXPECT_EQ(all.rgb, (std::array<std::uint32_t, 3>{rows[0].rgb, rows[1].rgb, rows[2].rgb}));
    EXPECT_EQ(all.control(31), 0x81000000u);
}

// covers GTE-DIV-1, GTE-DIV-2
TEST(Gte, DividesAsThePageSays) {
    EXPECT_EQ(gte_reciprocal(0), 0xFF);
    EXPECT_EQ(gte_reciprocal(1), 0xFD);
    EXPECT_EQ(gte_reciprocal(0x40), 0x99);
    EXPECT_EQ(gte_reciprocal(0x100), 0);
    struct Row {
        std::uint16_t h, sz;
        std::uint32_t q;
        bool overflow;
    };
    for (const Row& row : {Row{160, 4000, 2621, false}, Row{160, 4399, 2384, false}, Row{160, 81, 129454, false}, Row{160, 80, 131071, true},
                           Row{160, 0, 131071, true}, Row{0, 1, 0, false}, Row{1, 1, 65536, false}, Row{0xFE3F, 0x7F20, 131071, false},
                           Row{320, 1000, 20972, false}, Row{65535, 65535, 65535, false}}) {
        const GteQuotient found = gte_divide(row.h, row.sz);
        EXPECT_EQ(found.q, row.q) << row.h << " / " << row.sz;
        EXPECT_EQ(found.overflow, row.overflow) << row.h << " / " << row.sz;
    }
}

// covers GTE-DIV-2
TEST(Gte, DividesWithinThreeOfTheTrueQuotient) {
    for (std::uint32_t h = 0; h < 65536; h += 257) {
        for (std::uint32_t sz = 1; sz < 65536; sz += 61) {
            const GteQuotient found = gte_divide(static_cast<std::uint16_t>(h), static_cast<std::uint16_t>(sz));
            ASSERT_EQ(found.overflow, h >= 2 * sz);
            const auto exact = static_cast<std::int64_t>(std::min<std::uint64_t>(0x1FFFF, ((std::uint64_t{h} << 17) + sz) / (2u * sz)));
            if (!found.overflow) {
                ASSERT_LE(std::abs(exact - std::int64_t{found.q}), 3) << h << " / " << sz;
            }
        }
    }
}

// covers GTE-REG-1, GTE-REG-2
TEST(GteRegisters, ReadAsTheirKindSays) {
    Gte g;
    for (unsigned i = 0; i < 32; ++i) {
        g.set_data(i, 0xFFFF8001u);
        g.set_control(i, 0xFFFF8001u);
    }
    EXPECT_EQ(g.data(0), 0xFFFF8001u);
    for (const unsigned i : {1u, 3u, 5u, 8u}) {
        EXPECT_EQ(g.data(i), 0xFFFF8001u) << i;
    }
    for (const unsigned i : {7u, 16u, 17u, 18u, 19u}) {
        EXPECT_EQ(g.data(i), 0x8001u) << i;
    }
    for (const unsigned i : {4u, 12u, 20u, 26u, 27u, 29u, 30u}) {
        EXPECT_EQ(g.control(i), 0xFFFF8001u) << i;
    }
    EXPECT_EQ(g.h, 0x8001);
    g.set_control(4, 0x12347FFF);
    EXPECT_EQ(g.control(4), 0x7FFFu);
    g.set_control(26, 0x00018000);
    EXPECT_EQ(g.control(26), 0xFFFF8000u);
    EXPECT_EQ(g.data(32), 0u);
    EXPECT_EQ(g.control(32), 0u);
}

// covers GTE-REG-3
TEST(GteRegisters, WritingSxypPushes) {
    Gte g;
    g.set_data(12, 0x00010002);
    g.set_data(13, 0x00030004);
    g.set_data(14, 0x00050006);
    g.set_data(15, 0xFFFF0007);
    EXPECT_EQ(g.data(12), 0x00030004u);
    EXPECT_EQ(g.data(13), 0x00050006u);
    EXPECT_EQ(g.data(14), 0xFFFF0007u);
    EXPECT_EQ(g.data(15), 0xFFFF0007u);
}

// covers GTE-REG-4
TEST(GteRegisters, ColoursOfFiveBitsAndCountsOfBits) {
    Gte g;
    g.set_data(28, 0xFFFF7C41u);
    EXPECT_EQ((std::array<std::int16_t, 3>{g.ir[1], g.ir[2], g.ir[3]}), (std::array<std::int16_t, 3>{128, 256, 31 * 128}));
    EXPECT_EQ(g.data(28), 0x7C41u);
    g.ir = {0, -1, 4096, 0x7FFF};
    EXPECT_EQ(g.data(29), 31u << 5 | 31u << 10);
    g.set_data(29, 0);
    EXPECT_EQ(g.data(29), 31u << 5 | 31u << 10);
    for (const auto& [value, bits] : {std::pair{0u, 32u}, {0xFFFFFFFFu, 32u}, {1u, 31u}, {0x80000000u, 1u}, {0x7FFFFFFFu, 1u}, {0xFFFF0000u, 16u}}) {
        g.set_data(30, value);
        g.set_data(31, 7);
        EXPECT_EQ(g.data(31), bits) << value;
    }
}

// covers GTE-FLAG-2, GTE-FLAG-3
TEST(GteRegisters, FlagKeepsItsBitsAndTellsErrors) {
    Gte g;
    for (unsigned bit = 0; bit < 32; ++bit) {
        const std::uint32_t value = 1u << bit;
        g.set_control(31, value);
        const bool error = (bit >= 23 && bit <= 30) || (bit >= 13 && bit <= 18);
        EXPECT_EQ(g.control(31), bit < 12 || bit == 31 ? 0u : value | (error ? 0x80000000u : 0u)) << bit;
    }
    g.set_control(31, 0x7FFFF000);
    ASSERT_TRUE(g.execute(cmd::kNclip));
    EXPECT_EQ(g.control(31), 0u);
}

// covers GTE-CMD-2
TEST(Gte, RefusesWhatItDoesNotHave) {
    Gte g;
    g.set_control(31, 0x1000);
    for (std::uint32_t f = 0; f < 64; ++f) {
        const bool has = f == 0x01 || f == 0x06 || f == 0x12 || f == 0x1E || f == 0x20 || f == 0x2D || f == 0x2E || f == 0x30;
        Gte copy = g;
        EXPECT_EQ(copy.execute(0x0180000 | f), has) << f;
        if (!has) {
            EXPECT_EQ(copy.control(31), 0x1000u) << f;
        }
    }
}

// covers GTE-ACC-1, GTE-ACC-2
TEST(Gte, TheAccumulatorWrapsAfterEveryAddition) {
    Gte g;
    g.tr = {0x7FFFFFFF, 0, 0};
    g.rt[0] = {0x7FFF, -0x7FFF, 0};
    g.v[0] = {0x7FFF, 0x7FFF, 0};
    ASSERT_TRUE(g.execute(cmd::mvmva(true, 0, 0, 0, false)));
    // 2^43 - 4096 + 1073676289 passes 2^43 - 1, comes back below -2^43 and is flagged both ways; the wrapped sum ends where it began.
    EXPECT_EQ(g.control(31) & 0x7E000000u, 0x48000000u);
    EXPECT_EQ(g.mac[1], 0x7FFFFFFF);
    EXPECT_EQ(g.ir[1], 0x7FFF);
    EXPECT_EQ(g.control(31), 0xC9000000u);
}

// covers GTE-MVMVA-1, GTE-MVMVA-2, GTE-MVMVA-3, GTE-CMD-1, GTE-ACC-2
TEST(Gte, MvmvaTakesItsMatrixVectorAndTranslation) {
    Gte g;
    g.rt = {{{4096, 0, 0}, {0, 2, 0}, {0, 0, 4096}}};
    g.rt[0][2] = 3;
    g.llm = {{{8192, 0, 0}, {0, 8192, 0}, {0, 0, 8192}}};
    g.lcm = {{{0, 4096, 0}, {0, 0, 4096}, {4096, 0, 0}}};
    g.tr = {1, 2, 3};
    g.bk = {10, 20, 30};
    g.fc = {100, 200, 300};
    g.v = {{{5, 6, 7}, {-5, -6, -7}, {50, 60, 70}}};
    const auto run = [g](std::uint32_t m, std::uint32_t v, std::uint32_t t, bool lm, bool shift = true) {
        Gte copy = g;
        copy.rgbc = 0x01020304;
        copy.ir = {9, 100, 200, 300};
        EXPECT_TRUE(copy.execute(cmd::mvmva(shift, m, v, t, lm)));
        return copy;
    };
    EXPECT_EQ(run(1, 0, 0, false).mac, (Four{0, 11, 14, 17}));
    EXPECT_EQ(run(1, 1, 1, false).mac, (Four{0, 0, 8, 16}));
    EXPECT_EQ(run(2, 2, 3, false).mac, (Four{0, 60, 70, 50}));
    EXPECT_EQ(run(2, 3, 3, false).mac, (Four{0, 200, 300, 100}));
    EXPECT_EQ(run(2, 1, 3, true).ir, (std::array<std::int16_t, 4>{9, 0, 0, 0}));
    EXPECT_EQ(run(2, 1, 3, true).control(31), 0x81C00000u);   // IR3 alone does not raise bit 31
    // The far colour is lost, and with it the first product.
    EXPECT_EQ(run(1, 2, 2, false).mac, (Four{0, 0, 120, 140}));
    // Matrix 3: (-64, 64, 9), RT13, RT22.
    EXPECT_EQ(run(3, 2, 3, false, false).mac, (Four{0, -64 * 50 + 64 * 60 + 9 * 70, 3 * 180, 2 * 180}));
}

// covers GTE-NCLIP-1
TEST(Gte, NclipIsExactAtTheEdgeOf32Bits) {
    Gte g;
    g.sxy = {{{-32768, -32768}, {32767, -32768}, {-32768, 32767}}};
    ASSERT_TRUE(g.execute(cmd::kNclip));
    EXPECT_EQ(static_cast<std::uint32_t>(g.mac[0]), 65535u * 65535u);
    EXPECT_EQ(g.control(31), 0x80010000u);
}

}  // namespace
}  // namespace gomkit::ps1
