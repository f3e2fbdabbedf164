#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <gomkit/core/reader.hpp>
#include <gomkit/core/report.hpp>

#include "options.hpp"

namespace gomkit::mv1 {

/// Degrees of a radian: errors of directions are told in degrees.
inline constexpr double kDegrees = 57.29577951308232;

/// The largest errors of what is stored in few bits, as a reader gets it back.
struct Packing {
    struct Part {
        std::uint64_t count = 0;
        double error = 0;
        void add(double e) {
            ++count;
            error = e > error ? e : error;
        }
    };
    Part positions;      ///< metres
    Part normals;        ///< degrees
    Part weights;        ///< of 1
    Part translations;   ///< of keys, metres
    Part rotations;      ///< of keys, degrees
    Part scales;         ///< of keys, factors
    Part morphs;         ///< of keys, of 1

    /// One MV1_PACKED for each kind that was packed.
    void report(const Options& options, core::Report& report) const;
};

/// The box of positions (three times least and width), then 16 bits for each of their numbers (MV1-FRAME-1).
void put_positions(core::Writer& out, std::span<const std::array<float, 3>> positions);
/// Normals in whole numbers, `type` being S8 or S16 (MV1-FRAME-4).
void put_normals(core::Writer& out, std::span<const std::array<float, 3>> normals, NormalType type);

/// Packs the keys of a set: `flag` gets what they are, and `values`, all of one key after the other, go behind what `out` has (MV1-KEY-3,
/// MV1-KEY-5, MV1-KEY-7). Rotations take the span of a whole turn and are cut towards 0, so that no quaternion gets longer than 1.
/// False, with nothing changed, where 16 bits cannot hold them: single keys that are no rotations, and ranges without a unit.
[[nodiscard]] bool put_keys(core::Writer& out, std::uint16_t& flag, bool rotation, std::span<const float> values);

/// Even times in whole numbers (MV1-KEY-8), which loses nothing; false, with nothing changed, where they are not that.
[[nodiscard]] bool put_even_times(core::Writer& out, std::uint16_t& flag, std::span<const float> times);

}  // namespace gomkit::mv1
