#include "dxa.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gomkit/core/reader.hpp>

namespace gomkit::mv1 {
namespace {

using core::Code;

constexpr std::size_t kMinMatch = 4;
constexpr std::size_t kMaxMatch = kMinMatch + 0x1FFF;
constexpr std::size_t kMaxDistance = 0xFFFFFF;   // the writer stays below 2^24

// Every candidate is a look at memory far away.
constexpr std::size_t kQuickCandidates = 4;
constexpr std::size_t kQuickPatience = 64;   // misses after which places are passed over

unsigned value(std::byte b) { return std::to_integer<unsigned>(b); }

constexpr std::size_t kWord = 8;
constexpr std::size_t kSlack = 2 * kWord;
constexpr std::uint64_t kEach = 0x0101010101010101u;

// The first byte in the lowest bits.
template <class Word>
Word load(const std::byte* p) {
    Word v = 0;
    for (unsigned i = 0; i < sizeof(Word); ++i) {
        v |= static_cast<Word>(static_cast<Word>(value(p[i])) << (8 * i));
    }
    return v;
}

std::size_t bytes_before_zero(std::uint64_t v) {
    const std::uint64_t high = (v - kEach) & ~v & (kEach << 7);   // exact up to the first zero
    return high == 0 ? kWord : static_cast<std::size_t>(std::countr_zero(high)) / 8;
}

// As if byte by byte from `distance` back, so that a near match repeats itself; writes up to kSlack - 4 bytes more.
void copy_match(std::byte* to, std::size_t distance, std::size_t length) {
    const std::byte* const stop = to + length;
    const std::byte* from = to - distance;
    if (distance >= kWord) {
        // Four matches of five end in these two words: no branch to guess.
        std::memcpy(to, from, kWord);
        std::memcpy(to + kWord, from + kWord, kWord);
        to += 2 * kWord;
        from += 2 * kWord;
    } else {
        for (std::size_t i = 0; i < kWord; ++i) {
            to[i] = from[i];
        }
        // What repeats after `distance` does so after any multiple of it.
        constexpr std::uint8_t kSteps[kWord] = {0, 8, 8, 9, 8, 10, 12, 14};
        to += kWord;
        from = to - kSteps[distance];
    }
    for (; to < stop; to += kWord, from += kWord) {
        std::memcpy(to, from, kWord);
    }
}

core::Place at(std::uint64_t byte) {
    core::Place place;
    place.part = "DXA";
    place.byte = byte;
    return place;
}

}  // namespace

core::Result<core::Bytes> dxa_decode(std::span<const std::byte> block, std::uint64_t base, const DxaLimits& limits) {
    core::Reader in(block, base);
    const std::uint32_t decoded_size = in.u32();
    const std::uint32_t stored_size = in.u32();
    const std::uint8_t key = in.u8();
    if (in.failed()) {
        return core::fail(Code::Truncated, at(base), "the compressed block ends inside its header", std::to_string(block.size()) + " bytes",
                          std::to_string(kDxaHeader) + " bytes");
    }
    if (stored_size != block.size()) {
        return core::fail(stored_size > block.size() ? Code::Truncated : Code::Malformed, at(base + 4),
                          "the stored size is not that of the data", std::to_string(stored_size), std::to_string(block.size()));
    }
    if (decoded_size > limits.max_output_bytes) {
        return core::fail(Code::LimitExceeded, at(base), "the decoded size is too large", std::to_string(decoded_size) + " bytes",
                          "at most " + std::to_string(limits.max_output_bytes), "raise --limits");
    }
    if (decoded_size > kDxaFreeBytes && decoded_size > limits.max_ratio * block.size()) {
        return core::fail(Code::LimitExceeded, at(base), "the compression ratio is too high",
                          std::to_string(decoded_size) + " bytes from " + std::to_string(block.size()),
                          "at most " + std::to_string(limits.max_ratio) + " to 1");
    }
    // Copies go in whole words and may run over their end, never over the buffer's: it is this much longer until the end.
    core::Bytes out(std::size_t{decoded_size} + kSlack);
    std::byte* const begin = out.data();
    const std::byte* p = block.data() + kDxaHeader;
    const std::byte* const end = block.data() + block.size();
    const std::uint64_t keys = kEach * key;
    std::size_t n = 0;
    const auto offset = [&](const std::byte* q) { return base + static_cast<std::uint64_t>(q - block.data()); };
    const auto cut = [&](const std::byte* token) {
        return core::fail(Code::Truncated, at(offset(token)), "the compressed stream ends inside a token");
    };
    const auto too_long = [&](const std::byte* token) {
        return core::fail(Code::Malformed, at(offset(token)), "the stream decodes to more than its size says", "more",
                          std::to_string(decoded_size) + " bytes");
    };
    while (p != end) {
        const std::byte* const token = p;
        // Bytes up to the next key stand for themselves. Half of all matches have none before them.
        if (value(*p) != key) {
            if (static_cast<std::size_t>(end - p) >= kWord && n <= decoded_size) {
                const std::uint64_t word = load<std::uint64_t>(p);
                std::memcpy(begin + n, p, kWord);
                const std::size_t run = bytes_before_zero(word ^ keys);
                p += run;
                n += run;
                if (run == kWord) {
                    continue;
                }
            } else {
                while (p != end && value(*p) != key && n < decoded_size) {
                    begin[n++] = *p++;
                }
                if (p == end) {
                    break;
                }
            }
        }
        if (n > decoded_size || value(*p) != key) {
            return too_long(token);
        }
        ++p;
        if (p == end) {
            return cut(token);
        }
        if (value(*p) == key) {
            if (n == decoded_size) {
                return too_long(token);
            }
            begin[n++] = *p++;
            continue;
        }
        unsigned code = value(*p++);
        code -= code > key ? 1u : 0u;
        std::size_t length = code >> 3;
        if ((code & 4u) != 0) {
            if (p == end) {
                return cut(token);
            }
            length |= static_cast<std::size_t>(value(*p++)) << 5;
        }
        length += kMinMatch;
        const unsigned distance_bytes = (code & 3u) + 1;
        if (distance_bytes == 4) {
            return core::fail(Code::Malformed, at(offset(token)), "a match has distance code 3", "3", "0, 1 or 2");
        }
        if (static_cast<std::size_t>(end - p) < distance_bytes) {
            return cut(token);
        }
        std::size_t distance = 1;
        if (static_cast<std::size_t>(end - p) >= sizeof(std::uint32_t)) {
            distance += load<std::uint32_t>(p) & ((1u << (8 * distance_bytes)) - 1);   // how many bytes there are is hard to guess
            p += distance_bytes;
        } else {
            for (unsigned i = 0; i < distance_bytes; ++i) {
                distance += static_cast<std::size_t>(value(*p++)) << (8 * i);
            }
        }
        if (distance > n) {
            return core::fail(Code::Malformed, at(offset(token)), "a match begins before the data", std::to_string(distance) + " bytes back",
                              "at most " + std::to_string(n));
        }
        if (length > decoded_size - n) {
            return too_long(token);
        }
        copy_match(begin + n, distance, length);
        n += length;
    }
    if (n > decoded_size) {
        return too_long(end);
    }
    if (n != decoded_size) {
        return core::fail(Code::Malformed, at(base), "the stream decodes to less than its size says", std::to_string(n) + " bytes",
                          std::to_string(decoded_size) + " bytes");
    }
    out.resize(decoded_size);
    return out;
}

core::Bytes dxa_encode(std::span<const std::byte> data, DxaSearch search) {
    std::array<std::uint64_t, 256> counts{};
    for (const std::byte b : data) {
        ++counts[value(b)];
    }
    unsigned key = 0;
    for (unsigned i = 1; i < 256; ++i) {
        key = counts[i] <= counts[key] ? i : key;
    }
    core::Bytes out;
    out.reserve(data.size() / 2 + kDxaHeader);
    const auto put = [&](std::size_t v, unsigned bytes) {
        for (unsigned i = 0; i < bytes; ++i) {
            out.push_back(static_cast<std::byte>(v >> (8 * i) & 0xFF));
        }
    };
    put(data.size(), 4);
    put(0, 4);
    put(key, 1);

    // Chains of positions with the same hash of four bytes, the most recent first.
    constexpr unsigned kHashBits = 17;
    constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    std::vector<std::uint32_t> head(std::size_t{1} << kHashBits, kNone);
    std::vector<std::uint32_t> previous(data.size(), kNone);
    const std::byte* const d = data.data();
    const std::size_t size = data.size();
    const auto hash = [&](std::size_t p) {
        const std::uint32_t v = value(d[p]) | value(d[p + 1]) << 8 | value(d[p + 2]) << 16 | value(d[p + 3]) << 24;
        return static_cast<std::size_t>(v * 2654435761u >> (32 - kHashBits));
    };
    const auto add = [&](std::size_t p) {
        if (p + kMinMatch <= size) {
            std::uint32_t& first = head[hash(p)];
            previous[p] = first;
            first = static_cast<std::uint32_t>(p);
        }
    };
    std::size_t misses = 0;
    std::size_t next_search = 0;
    for (std::size_t p = 0; p < size;) {
        std::size_t best_length = 0;
        std::size_t best_distance = 0;
        std::ptrdiff_t best_gain = -1;
        if (size - p >= 5 && p >= next_search) {
            const std::size_t cap = std::min(size - p, kMaxMatch);
            std::size_t candidates = search == DxaSearch::Quick ? kQuickCandidates : size;
            for (std::uint32_t q = head[hash(p)]; q != kNone && p - q <= kMaxDistance && candidates-- != 0; q = previous[q]) {
                // Further back a match must be longer to gain more.
                if (best_length != 0 && d[q + best_length] != d[p + best_length]) {
                    continue;
                }
                std::size_t length = 0;
                while (length < cap && d[q + length] == d[p + length]) {
                    ++length;
                }
                if (length < kMinMatch) {
                    continue;
                }
                const std::size_t distance = p - q;
                const std::ptrdiff_t cost = 3 + (length - kMinMatch >= 32 ? 1 : 0) + (distance < 0x100 ? 0 : distance < 0x10000 ? 1 : 2);
                const std::ptrdiff_t gain = static_cast<std::ptrdiff_t>(length) - cost;
                if (gain > best_gain) {
                    best_gain = gain;
                    best_length = length;
                    best_distance = distance;
                    if (length == cap) {
                        break;
                    }
                }
            }
        }
        if (best_gain < 0) {
            if (search == DxaSearch::Quick && p >= next_search) {
                next_search = p + 1 + misses++ / kQuickPatience;
            }
            put(value(d[p]), 1);
            if (value(d[p]) == key) {
                put(key, 1);
            }
            add(p++);
            continue;
        }
        misses = 0;
        const std::size_t extra = best_length - kMinMatch;
        const unsigned is_long = extra >= 32 ? 1 : 0;
        const unsigned wide = best_distance < 0x100 ? 0 : best_distance < 0x10000 ? 1 : 2;
        const std::size_t code = (extra & 31) << 3 | is_long << 2 | wide;
        put(key, 1);
        put(code + (code >= key ? 1 : 0), 1);
        if (is_long != 0) {
            put(extra >> 5, 1);
        }
        put(best_distance - 1, wide + 1);
        for (std::size_t i = 0; i < best_length; ++i) {
            add(p++);
        }
    }
    for (unsigned i = 0; i < 4; ++i) {
        out[4 + i] = static_cast<std::byte>(out.size() >> (8 * i) & 0xFF);
    }
    return out;
}

}  // namespace gomkit::mv1
