// Both paths of the bulk tests, against each other and against the rule.

#include "scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "gomkit/runtime/bytes.hpp"

namespace gomkit::runtime::detail_portable {
bool vertices_certainly_fine(const std::byte* vertices, std::size_t count, std::uint32_t bone_count) noexcept;
bool indices32_certainly_fine(const std::byte* indices, std::size_t count, std::uint32_t vertex_count) noexcept;
bool indices16_certainly_fine(const std::byte* indices, std::size_t count, std::uint32_t vertex_count) noexcept;
bool floats_certainly_finite(const std::byte* floats, std::size_t float_count) noexcept;
}  // namespace gomkit::runtime::detail_portable

namespace gomkit::runtime {
namespace {

constexpr std::uint32_t kNotFinite[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFFFFFFF};
constexpr std::uint32_t kFinite[] = {0, 0x80000000, 1, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F7F7F7F, 0x00007F80, 0x0000FFFF, 0x3F80FFFF};

std::vector<std::byte> good_vertices(std::size_t count) {
    std::vector<std::byte> out(count * 72);
    for (std::size_t i = 0; i < count; ++i) {
        std::byte* v = out.data() + 72 * i;
        for (std::size_t k = 0; k < 12; ++k) store_le(v + 4 * k, static_cast<float>(i) - static_cast<float>(k));
        for (std::size_t k = 0; k < 4; ++k) store_le(v + 48 + 2 * k, static_cast<std::uint16_t>((i + k) % 7));
        for (std::size_t k = 0; k < 4; ++k) store_le(v + 56 + 4 * k, 0.25F);
    }
    return out;
}

void expect_vertices(const std::vector<std::byte>& v, std::uint32_t bone_count, bool fine) {
    EXPECT_EQ(detail::vertices_certainly_fine(v.data(), v.size() / 72, bone_count), fine);
    EXPECT_EQ(detail_portable::vertices_certainly_fine(v.data(), v.size() / 72, bone_count), fine);
}

TEST(Scan, FindsEveryNonFiniteFloatOfEveryVertex) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{4}, std::size_t{7}}) {
        const std::vector<std::byte> good = good_vertices(count);
        for (const std::uint32_t bones : {0U, 7U}) {
            expect_vertices(good, bones, true);
            for (std::size_t at = 0; at < good.size(); at += 4) {
                if (at % 72 == 48 || at % 72 == 52) continue;
                for (const std::uint32_t bits : kNotFinite) {
                    std::vector<std::byte> bad = good;
                    store_le(bad.data() + at, bits);
                    expect_vertices(bad, bones, false);
                }
                for (const std::uint32_t bits : kFinite) {
                    std::vector<std::byte> ok = good;
                    store_le(ok.data() + at, bits);
                    if (bones == 0 || at % 72 < 48) expect_vertices(ok, bones, true);
                }
            }
        }
    }
}

TEST(Scan, FindsEveryBoneIndexAndWeight) {
    const std::vector<std::byte> good = good_vertices(9);
    for (std::size_t v = 0; v < 9; ++v) {
        for (std::size_t k = 0; k < 4; ++k) {
            for (const unsigned bone : {7U, 8U, 0x7FFFU, 0x8000U, 0xFFFFU}) {
                std::vector<std::byte> bad = good;
                store_le(bad.data() + 72 * v + 48 + 2 * k, static_cast<std::uint16_t>(bone));
                expect_vertices(bad, 7, false);
                expect_vertices(bad, 0, true);
                expect_vertices(bad, 65'536, true);
            }
            for (const float weight : {-0.25F, 0.2501F, 0.2499F, 0.0F, 1e30F}) {
                std::vector<std::byte> bad = good;
                store_le(bad.data() + 72 * v + 56 + 4 * k, weight);
                expect_vertices(bad, 7, false);
                expect_vertices(bad, 0, true);
            }
            for (const float weight : {0.25009F, 0.24991F}) {
                std::vector<std::byte> ok = good;
                store_le(ok.data() + 72 * v + 56 + 4 * k, weight);
                expect_vertices(ok, 7, true);
            }
        }
    }
    std::vector<std::byte> last = good;
    store_le(last.data() + 48, std::uint16_t{0xFFFF});
    expect_vertices(last, 0x1'0000, true);
    expect_vertices(last, 0xFFFF, false);
}

TEST(Scan, FindsEveryIndex) {
    for (std::size_t count = 1; count < 40; ++count) {
        for (const std::uint32_t limit : {1U, 5U, 0xFFFFU, 0x10000U, 0x80000000U, 0x80000001U, 0xFFFFFFFFU}) {
            std::vector<std::byte> v(4 * count);
            for (std::size_t i = 0; i < count; ++i) store_le(v.data() + 4 * i, limit - 1);
            EXPECT_TRUE(detail::indices32_certainly_fine(v.data(), count, limit));
            EXPECT_TRUE(detail_portable::indices32_certainly_fine(v.data(), count, limit));
            for (std::size_t i = 0; i < count; ++i) {
                for (const std::uint32_t index : {limit, 0xFFFFFFFFU}) {
                    std::vector<std::byte> bad = v;
                    store_le(bad.data() + 4 * i, index);
                    EXPECT_FALSE(detail::indices32_certainly_fine(bad.data(), count, limit));
                    EXPECT_FALSE(detail_portable::indices32_certainly_fine(bad.data(), count, limit));
                }
            }
            if (limit > 0x10000) continue;
            for (std::size_t i = 0; i < count; ++i) store_le(v.data() + 2 * i, static_cast<std::uint16_t>(limit - 1));
            EXPECT_TRUE(detail::indices16_certainly_fine(v.data(), count, limit));
            EXPECT_TRUE(detail_portable::indices16_certainly_fine(v.data(), count, limit));
            if (limit > 0xFFFF) continue;
            for (std::size_t i = 0; i < count; ++i) {
                std::vector<std::byte> bad = v;
                store_le(bad.data() + 2 * i, static_cast<std::uint16_t>(limit));
                EXPECT_FALSE(detail::indices16_certainly_fine(bad.data(), count, limit));
                EXPECT_FALSE(detail_portable::indices16_certainly_fine(bad.data(), count, limit));
            }
        }
    }
}

TEST(Scan, FindsEveryNonFiniteFloatInARow) {
    for (std::size_t count = 0; count < 20; ++count) {
        const std::vector<std::byte> good(4 * count + 4);
        EXPECT_TRUE(detail::floats_certainly_finite(good.data(), count));
        for (std::size_t i = 0; i < count; ++i) {
            for (const std::uint32_t bits : kNotFinite) {
                std::vector<std::byte> bad = good;
                store_le(bad.data() + 4 * i, bits);
                EXPECT_FALSE(detail::floats_certainly_finite(bad.data(), count));
                EXPECT_FALSE(detail_portable::floats_certainly_finite(bad.data(), count));
            }
            for (const std::uint32_t bits : kFinite) {
                std::vector<std::byte> ok = good;
                store_le(ok.data() + 4 * i, bits);
                EXPECT_TRUE(detail::floats_certainly_finite(ok.data(), count));
                EXPECT_TRUE(detail_portable::floats_certainly_finite(ok.data(), count));
            }
        }
    }
}

}  // namespace
}  // namespace gomkit::runtime
