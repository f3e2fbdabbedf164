#include "dxa.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "decode.hpp"
#include "sample.hpp"

namespace gomkit::mv1 {
namespace {

core::Bytes bytes(const std::vector<int>& values) {
    core::Bytes out;
    for (const int v : values) {
        out.push_back(static_cast<std::byte>(v));
    }
    return out;
}

// A block around a stream, with its sizes.
core::Bytes block(std::uint32_t size, int key, const std::vector<int>& stream) {
    core::Writer w;
    w.u32(size);
    w.u32(static_cast<std::uint32_t>(9 + stream.size()));
    w.put(static_cast<std::uint8_t>(key));
    w.raw(bytes(stream));
    return w.take();
}

core::Code code_of(const core::Bytes& b, const DxaLimits& limits = {}) {
    const auto r = dxa_decode(b, 0, limits);
    return r ? core::Code::Internal : r.error().code;
}

// covers DXA-BLOCK-1, DXA-DEC-1, DXA-DEC-2, DXA-DEC-3
TEST(DxaDecode, ReadsHandMadeStream) {
    // "ab", then six bytes from two back ("ababab"), then the key itself. Key 0x10: the code of L 6, one distance byte, is
    // (6-4)<<3 = 16 >= key, so 17 is stored.
    const auto r = dxa_decode(block(9, 0x10, {'a', 'b', 0x10, 0x11, 1, 0x10, 0x10}), 0, {});
    ASSERT_TRUE(r) << core::to_string(r.error());
    EXPECT_EQ(*r, bytes({'a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 0x10}));
    // A long match: L-4 = 33 = 1 | 1 << 5, code = 1<<3 | 4 | 0 = 12, key 0xFF above it.
    const auto run = dxa_decode(block(38, 0xFF, {'z', 0xFF, 12, 1, 0}), 0, {});
    ASSERT_TRUE(run) << core::to_string(run.error());
    EXPECT_EQ(*run, core::Bytes(38, static_cast<std::byte>('z')));
}

// covers DXA-BLOCK-2, DXA-DEC-4, DXA-DEC-5, DXA-DEC-6, DXA-DEC-7
TEST(DxaDecode, RejectsWhatCannotBe) {
    EXPECT_EQ(code_of(bytes({1, 0, 0})), core::Code::Truncated);
    core::Bytes longer = block(1, 0, {'a'});
    longer[4] = std::byte{11};
    EXPECT_EQ(code_of(longer), core::Code::Truncated);             // stored size beyond the data
    longer[4] = std::byte{9};
    EXPECT_EQ(code_of(longer), core::Code::Malformed);             // and short of it
    EXPECT_EQ(code_of(block(2, 0, {'a'})), core::Code::Malformed);      // less than the size says
    EXPECT_EQ(code_of(block(1, 0, {'a', 'b'})), core::Code::Malformed);   // more
    EXPECT_EQ(code_of(block(0, 0, {'a'})), core::Code::Malformed);
    EXPECT_EQ(code_of(block(5, 0, {'a', 0, 1, 1})), core::Code::Malformed);        // two bytes back, one is there
    EXPECT_EQ(code_of(block(5, 0, {'a', 0, 4, 0, 0, 0, 0})), core::Code::Malformed);   // distance code 3
    EXPECT_EQ(code_of(block(4, 0, {'a', 0, 1, 0})), core::Code::Malformed);        // a match beyond the size
    EXPECT_EQ(code_of(block(5, 0, {'a', 0})), core::Code::Truncated);
    EXPECT_EQ(code_of(block(5, 0, {'a', 0, 1})), core::Code::Truncated);
    EXPECT_EQ(code_of(block(5, 0, {'a', 0, 5})), core::Code::Truncated);           // the length byte is missing
    EXPECT_EQ(code_of(block(5, 0, {'a', 0, 2, 0})), core::Code::Truncated);        // of two distance bytes one
}

// covers DXA-DEC-2
TEST(DxaDecode, NearMatchesRepeatWhatTheyWrite) {
    for (std::uint32_t distance = 1; distance <= 40; ++distance) {
        for (std::uint32_t length : {4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 35u, 36u, 300u, 8195u}) {
            core::Bytes expected;
            std::vector<int> stream;
            for (std::uint32_t i = 0; i < distance; ++i) {
                stream.push_back(static_cast<int>('a' + i));
                expected.push_back(static_cast<std::byte>('a' + i));
            }
            stream.push_back(0);   // the key, below every code
            stream.push_back(static_cast<int>(((length - 4) & 31) << 3 | (length - 4 >= 32 ? 4u : 0u)) + 1);
            if (length - 4 >= 32) {
                stream.push_back(static_cast<int>((length - 4) >> 5));
            }
            stream.push_back(static_cast<int>(distance - 1));
            for (std::uint32_t i = 0; i < length; ++i) {
                expected.push_back(expected[expected.size() - distance]);
            }
            // With nothing behind it, and with bytes that an overlong copy would spoil.
            for (const std::size_t more : {0u, 3u, 20u}) {
                const auto out = dxa_decode(block(static_cast<std::uint32_t>(expected.size()), 0, stream), 0, {});
                ASSERT_TRUE(out) << distance << ", " << length << ": " << core::to_string(out.error());
                ASSERT_EQ(*out, expected) << distance << ", " << length;
                for (std::size_t i = expected.size(); i < distance + length + more + 20; ++i) {
                    stream.push_back('z');
                    expected.push_back(static_cast<std::byte>('z'));
                }
            }
        }
    }
}

// covers DXA-LIMIT-1, DXA-LIMIT-2
TEST(DxaDecode, RefusesBombsBeforeMakingThem) {
    DxaLimits limits;
    limits.max_output_bytes = 1000;
    EXPECT_EQ(code_of(block(1001, 0, {'a'}), limits), core::Code::LimitExceeded);
    EXPECT_EQ(code_of(block(1000, 0, {'a'}), limits), core::Code::Malformed);
    EXPECT_EQ(code_of(block(0x7FFFFFFF, 0, {'a'}), {}), core::Code::LimitExceeded);   // the ratio
    EXPECT_EQ(code_of(block(kDxaFreeBytes, 0, {'a'}), {}), core::Code::Malformed);
    limits.max_output_bytes = 1 << 20;
    limits.max_ratio = 10'000;   // of a block of 10 bytes
    EXPECT_EQ(code_of(block(100'000, 0, {'a'}), limits), core::Code::Malformed);
    EXPECT_EQ(code_of(block(100'001, 0, {'a'}), limits), core::Code::LimitExceeded);
}

// covers DXA-ENC-1, DXA-ENC-2, DXA-ENC-3
TEST(DxaEncode, FollowsTheRule) {
    // All 256 values once but 'a' five times more: the rarest are all others, the highest of them is the key.
    core::Bytes data(6, static_cast<std::byte>('a'));
    const core::Bytes packed = dxa_encode(data);
    // 'a' is literal; five left at position 1: a match of 5 one back, gain 2. Key: value 255 (count 0, the last of many).
    const core::Bytes expected = block(6, 255, {'a', 255, 8, 0});
    EXPECT_EQ(packed, expected);
    // Four left: literals.
    EXPECT_EQ(dxa_encode(core::Bytes(5, static_cast<std::byte>('a'))), block(5, 255, {'a', 'a', 'a', 'a', 'a'}));
}

// covers DXA-ENC-4
TEST(DxaEncode, CodesAtOrAboveTheKeyAreRaised) {
    // Every value but 8 occurs, so 8 is the key; the match of length 5 has code 8, written as 9.
    core::Bytes data;
    for (int i = 0; i < 256; ++i) {
        if (i != 8) {
            data.push_back(static_cast<std::byte>(i));
        }
    }
    for (int i = 0; i < 6; ++i) {
        data.push_back(std::byte{255});
    }
    const core::Bytes packed = dxa_encode(data);
    ASSERT_EQ(packed[8], std::byte{8});
    EXPECT_EQ(packed[packed.size() - 2], std::byte{(6 - 4) * 8 + 1});
    const auto back = dxa_decode(packed, 0, {});
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, data);
}

// covers DXA-ENC-5
TEST(DxaEncode, DecodesToWhatWasEncoded) {
    std::uint32_t random = 1;
    for (int round = 0; round < 60; ++round) {
        core::Bytes data;
        while (data.size() < static_cast<std::size_t>(round) * 400) {
            random = random * 1664525u + 1013904223u;
            const std::size_t run = random >> 28;
            for (std::size_t i = 0; i <= run; ++i) {
                data.push_back(round % 3 == 0 && data.size() > 300 ? data[data.size() - 300] : static_cast<std::byte>(random >> (8 + round % 14)));
            }
        }
        for (const DxaSearch search : {DxaSearch::Exact, DxaSearch::Quick}) {
            const auto back = dxa_decode(dxa_encode(data, search), 0, {});
            ASSERT_TRUE(back) << round << ": " << core::to_string(back.error());
            ASSERT_EQ(*back, data) << round;
        }
    }
}

// covers DXA-ENC-6
TEST(DxaEncode, QuickSearchTakesTimeInLine) {
    // Two million zeros with a rare other value: every place looks like every other one. Exactly, this takes minutes.
    core::Bytes data(2'000'000);
    std::uint32_t random = 7;
    for (std::size_t i = 0; i < data.size(); i += 16 + random % 64) {
        random = random * 1664525u + 1013904223u;
        data[i] = static_cast<std::byte>(random >> 24);
    }
    const core::Bytes packed = dxa_encode(data, DxaSearch::Quick);
    EXPECT_LT(packed.size(), data.size() / 2);
    const auto back = dxa_decode(packed, 0, {});
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, data);
}

TEST(DxaEncode, EveryPrefixOfAStreamIsRefused) {
    core::Bytes data;
    for (int i = 0; i < 300; ++i) {
        data.push_back(static_cast<std::byte>(i % 7 * (i / 50)));
    }
    const core::Bytes whole = dxa_encode(data);
    for (std::size_t n = 0; n < whole.size(); ++n) {
        core::Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
        EXPECT_FALSE(dxa_decode(cut, 0, {})) << n;
        for (std::size_t i = 0; n >= 8 && i < 4; ++i) {   // and with the size that such a file would have
            cut[4 + i] = static_cast<std::byte>(n >> (8 * i));
        }
        EXPECT_FALSE(dxa_decode(cut, 0, {})) << n;
    }
}

// What DxLib itself wrote comes out again, byte for byte.
TEST(DxaCorpus, ReproducesDxLibsBytes) {
    const auto files = test::corpus_files();
    if (files.empty()) {
        GTEST_SKIP() << "no corpus";
    }
    EXPECT_EQ(files.size(), 23u);
    for (const auto& [name, file] : files) {
        const auto whole = file.bytes();
        const auto data = dxa_decode(whole.subspan(4), 4, {});
        ASSERT_TRUE(data) << name;
        const core::Bytes again = dxa_encode(*data);
        EXPECT_EQ(again.size() + 4, whole.size()) << name;
        EXPECT_TRUE(std::equal(again.begin(), again.end(), whole.begin() + 4, whole.end())) << name;
    }
}

}  // namespace
}  // namespace gomkit::mv1
