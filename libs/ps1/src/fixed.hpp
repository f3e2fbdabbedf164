#pragma once

#include <cstdint>

#include "gte.hpp"

/// What the SDK's helpers compute with the coprocessor (docs/spec/gte.md, GTE-SDK), and the fixed-point vectors of the game's run time
/// (docs/spec/ps1m.md). 4096 is 1.0.
namespace gomkit::ps1 {

/// A bone's or camera's placement: x -> r x + t.
struct Placement {
    Matrix3s16 r{{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}};
    Vec3s32 t{};
    friend bool operator==(const Placement&, const Placement&) = default;
};

/// MulMatrix0: each sum of three products >> 12, limited to 16 bits.
[[nodiscard]] Matrix3s16 mul_matrix0(const Matrix3s16& a, const Matrix3s16& b);

/// ApplyMatrixLV: only the low 16 bits of each component of v take part; the result is limited to 16 bits.
[[nodiscard]] Vec3s32 apply_matrix_lv(const Matrix3s16& m, const Vec3s32& v);

/// The SDK's sine and cosine; 4096 is a full turn.
[[nodiscard]] std::int32_t isin(std::int32_t angle);
[[nodiscard]] std::int32_t icos(std::int32_t angle);

/// X * Y * Z of the angles.
[[nodiscard]] Matrix3s16 rot_matrix(std::int32_t x, std::int32_t y, std::int32_t z);

/// The placement of a child whose placement in the parent's space is `local`. Sums of translations wrap at 32 bits.
[[nodiscard]] Placement compose(const Placement& parent, const Placement& local);

/// The largest integer whose square is not above n.
[[nodiscard]] std::uint32_t isqrt(std::uint32_t n);

}  // namespace gomkit::ps1
