#pragma once
// Private. What a SampleContext's memory holds, and the search for key pairs.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "gomkit/runtime/bytes.hpp"
#include "gomkit/runtime/layout.hpp"

namespace gomkit::runtime::detail {

inline constexpr std::size_t kBlockLanes = 8;

// Eight animated channels of one kind (two keys or more). Segment s lies between keys s and s + 1; before the first key the segment is
// 0, after the last one the last. A block's unused lanes repeat the one before.
struct LaneKeys {
    const std::byte* keys[kBlockLanes];
    std::uint32_t last_segment[kBlockLanes];
    std::uint32_t segment[kBlockLanes];  // of the last search
    // A guess, right where keys are at even distances: (t - first_time) * segments_per_second, at most greatest_guess.
    float first_time[kBlockLanes];
    float segments_per_second[kBlockLanes];
    float greatest_guess[kBlockLanes];       // last_segment or the next lower float
    std::uint32_t pose_offset[kBlockLanes];  // where the value goes, in bytes: 16 * (3 * bone + channel)
};

// The pair in use, worked out: value(u) with u = (t - start) / length. It holds for begin <= t < end. Where a value is held, start is 0
// and length infinite, so that u is 0.
struct alignas(32) VectorBlock {
    float begin[kBlockLanes];
    float end[kBlockLanes];
    float start[kBlockLanes];
    float length[kBlockLanes];
    float value[3][kBlockLanes];
    float change[3][kBlockLanes];
    LaneKeys lanes;
};

struct alignas(32) RotationBlock {
    float begin[kBlockLanes];
    float end[kBlockLanes];
    float start[kBlockLanes];
    float length[kBlockLanes];
    float from[4][kBlockLanes];  // unit
    float to[4][kBlockLanes];    // unit
    float angle_squared[kBlockLanes];
    float angle_over_sine[kBlockLanes];
    float signed_angle_over_sine[kBlockLanes];  // negative where the shorter arc goes to -to
    LaneKeys lanes;
};

// At the start of the memory; the arrays follow in this order, each at a multiple of 32.
struct alignas(32) SampleMemory {
    std::uint64_t clip_offset;
    const void* clip_name;
    std::uint32_t bone_count;
    std::uint32_t track_count;
    std::uint32_t translation_blocks;
    std::uint32_t scale_blocks;
    std::uint32_t rotation_blocks;
    std::uint32_t constant_count;

    [[nodiscard]] VectorBlock* vectors() noexcept {
        return reinterpret_cast<VectorBlock*>(reinterpret_cast<std::byte*>(this) + sizeof(SampleMemory));
    }
    [[nodiscard]] RotationBlock* rotations() noexcept {
        return reinterpret_cast<RotationBlock*>(vectors() + translation_blocks + scale_blocks);
    }
    // 16 bytes each, then their slots.
    [[nodiscard]] float* constants() noexcept { return reinterpret_cast<float*>(rotations() + rotation_blocks); }
    [[nodiscard]] std::uint32_t* constant_slots() noexcept {
        return reinterpret_cast<std::uint32_t*>(constants() + std::size_t{4} * constant_count);
    }
};

inline constexpr std::uint32_t kChannels = 3;  // of a pose's bone, 16 bytes each: translation (and is_keyed), rotation, scale
// is_keyed = 1 as a float that is moved, never computed with.
inline constexpr float kKeyedMark = std::bit_cast<float>(std::uint32_t{1});

inline std::uint32_t guess_segment(const LaneKeys& lanes, std::size_t lane, float t) noexcept {
    float x = (t - lanes.first_time[lane]) * lanes.segments_per_second[lane];
    x = x > 0.0F ? x : 0.0F;
    return static_cast<std::uint32_t>(x < lanes.greatest_guess[lane] ? x : lanes.greatest_guess[lane]);
}

// The segment of a lane at time t: its present one's successor, or near the guess, or found in O(log keys).
inline std::uint32_t find_segment(const LaneKeys& lanes, std::size_t lane, std::size_t stride, float t) noexcept {
    const std::byte* keys = lanes.keys[lane];
    const auto time = [keys, stride](std::uint32_t i) noexcept { return load_le<float>(keys + std::size_t{i} * stride); };
    const std::uint32_t last = lanes.last_segment[lane];
    const std::uint32_t next = lanes.segment[lane] + 1;
    if (next <= last && time(next) <= t && (next == last || t < time(next + 1))) return next;

    std::uint32_t guess = guess_segment(lanes, lane, t);
    std::uint32_t low = 0, high = last;
    if (guess < last && t >= time(guess + 1)) {
        ++guess;
        if (guess == last || t < time(guess + 1)) return guess;
        low = guess + 1;
    } else if (guess > 0 && t < time(guess)) {
        --guess;
        if (guess == 0 || t >= time(guess)) return guess;
        high = guess - 1;
    } else {
        return guess;
    }
    while (low < high) {
        const std::uint32_t middle = low + (high - low + 1) / 2;
        if (time(middle) <= t) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

}  // namespace gomkit::runtime::detail
