#pragma once

#include <array>
#include <cstdint>

#include <gomkit/model/model.hpp>

#include "gte.hpp"

/// Numbers of a model as a PS1M stores them (docs/spec/ps1m.md, "From a skinned mesh").
namespace gomkit::ps1 {

inline constexpr double kUnit = 4096;    ///< what 1 becomes; also a metre, at --scale 1

/// To the nearest whole number, ties to even, limited to 16 bits (PS1M-CONV-1). A NaN becomes 0.
[[nodiscard]] std::int16_t q16(double value);

/// A point or direction of model space in the file's axes; `one` is what 1 becomes.
[[nodiscard]] Vec3s16 to_file(const model::Vec3& v, double one);

/// To three digits, for a scale that has to fit; `value` is not negative.
[[nodiscard]] double rounded_down(double value);

/// Texel of a texture coordinate, 0 to 1 along the page (PS1M-CONV-2).
[[nodiscard]] std::uint8_t uv8(double coordinate);

/// The bone in whose space a triangle's normal is, from those of its vertices (PS1M-CONV-7).
[[nodiscard]] std::uint8_t face_bone(const std::array<std::uint8_t, 3>& bones);

}  // namespace gomkit::ps1
