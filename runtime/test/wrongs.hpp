#pragma once
// For tests of verify(), of models and of motions: spoilt files, and the exact status, byte and place that each must give.

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "gomkit/runtime/runtime.hpp"
#include "sample.hpp"
#include "touch.hpp"

namespace gomkit::runtime::test {

struct Outcome {
    Status status = Status::Ok;
    ErrorInfo info;
};

// verify(), and a read of all that it accepts.
template <class View>
Outcome check(std::span<const std::uint8_t> bytes, const Limits& limits = {}) {
    const ExactBlock file(bytes);
    View view;
    Outcome out;
    out.status = verify(file.bytes(), limits, view, &out.info);
    EXPECT_EQ(out.status, out.info.status);
    EXPECT_EQ(out.status == Status::Ok, !view.is_empty());
    EXPECT_EQ(out.status, verify(file.bytes(), limits, view, nullptr));
    if (out.status == Status::Ok) Touch::everything(view);
    return out;
}

inline void rename(Builder& b, const char* chunk, const char* fourcc) {
    b.put32(b.at(chunk), layout::fourcc(fourcc[0], fourcc[1], fourcc[2], fourcc[3]));
}

inline void no_table(Builder& b) {
    b.put64(64, 0);
    b.put32(72, 0);
}

// One spoilt thing.
struct Wrong {
    const char* title;
    std::function<void(Builder&)> spoil;
    Status status;
    const char* at;              // the field complained about; "": the end of the file
    std::size_t beyond = 0;      // bytes after that field's start
    const char* part = nullptr;  // ErrorInfo::part, where it matters
};

// Each row alone; gives the statuses seen.
template <class View>
std::set<Status> expect_wrongs(const Builder& good, const std::vector<Wrong>& rows) {
    std::set<Status> seen;
    for (const Wrong& row : rows) {
        Builder b = good;
        row.spoil(b);
        const Outcome got = check<View>(b.bytes);
        EXPECT_EQ(name(got.status), std::string(name(row.status))) << row.title << ": " << got.info.part;
        const std::size_t wanted = std::string(row.at).empty() ? b.bytes.size() : b.at(row.at) + row.beyond;
        EXPECT_EQ(got.info.byte_offset, wanted) << row.title << ": " << got.info.part;
        if (row.part != nullptr) {
            EXPECT_STREQ(got.info.part, row.part) << row.title;
        }
        seen.insert(got.status);
    }
    return seen;
}

struct LimitRow {
    std::uint64_t Limits::*limit;
    std::uint64_t need;
    LimitId id;
    const char* at;
    const char* part;
};

// gom.md 8: each limit is inclusive, and one less is an error about it.
template <class View>
void expect_limits(const Builder& good, const std::vector<LimitRow>& rows) {
    for (const LimitRow& row : rows) {
        Limits limits;
        limits.*row.limit = row.need;
        EXPECT_EQ(check<View>(good.bytes, limits).status, Status::Ok) << name(row.id);
        limits.*row.limit = row.need - 1;
        const Outcome got = check<View>(good.bytes, limits);
        EXPECT_EQ(got.status, Status::LimitExceeded) << name(row.id);
        EXPECT_EQ(got.info.limit, row.id);
        EXPECT_EQ(got.info.found, row.need) << name(row.id);
        EXPECT_EQ(got.info.expected, row.need - 1) << name(row.id);
        EXPECT_EQ(got.info.byte_offset, good.at(row.at)) << name(row.id);
        EXPECT_STREQ(got.info.part, row.part);
    }
}

// Every cut of the file is an error inside what is left.
template <class View>
void expect_cuts_are_errors(const Builder& good) {
    for (std::size_t size = 0; size < good.bytes.size(); ++size) {
        const Outcome got = check<View>(std::span(good.bytes).first(size));
        ASSERT_NE(got.status, Status::Ok) << size;
        ASSERT_LE(got.info.byte_offset, size) << size;
        if (size < 512) {
            ASSERT_EQ(got.status, Status::TooShort);
        }
    }
}

// The sizes from the header's end on to which a file without table can be cut.
template <class View>
std::set<std::size_t> good_cuts(const Builder& b) {
    std::set<std::size_t> out;
    for (std::size_t size = 512; size <= b.bytes.size(); ++size)
        if (check<View>(std::span(b.bytes).first(size)).status == Status::Ok) out.insert(size);
    return out;
}

// Whatever is overwritten: an answer, and no read outside (the sanitizers watch). Some of it must be accepted, and some not.
template <class View>
void expect_survives_random_damage(const Builder& good, int rounds) {
    std::uint64_t state = 99;
    const auto random = [&](std::uint64_t below) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state >> 33) % below;
    };
    constexpr std::uint32_t kValues[] = {0,      1,      2,          3,          16,         0x7F,      0xFF,
                                         0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000};
    int accepted = 0;
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::uint8_t> bytes = good.bytes;
        for (std::uint64_t n = 1 + random(3); n != 0; --n) {
            const std::size_t at = random(4) == 0 ? random(bytes.size() - 4) : 4 * random(bytes.size() / 4);
            const std::uint32_t value = random(2) == 0 ? kValues[random(13)] : static_cast<std::uint32_t>(random(0x100000000ULL));
            if (random(2) == 0) {
                std::memcpy(bytes.data() + at, &value, 4);
            } else {
                bytes[at] = static_cast<std::uint8_t>(value);
            }
        }
        const ExactBlock file(bytes);
        View view;
        ErrorInfo info;
        if (verify(file.bytes(), {}, view, &info) == Status::Ok) {
            ++accepted;
            Touch::everything(view);
        } else {
            ASSERT_LE(info.byte_offset, bytes.size());
        }
    }
    EXPECT_GT(accepted, 1000);
    EXPECT_LT(accepted, rounds - 1000);
}

}  // namespace gomkit::runtime::test
