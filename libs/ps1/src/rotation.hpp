#pragma once

#include <optional>

#include <gomkit/model/model.hpp>

namespace gomkit::ps1 {

/// The rotation that is nearest to the upper left 3x3 of `m` in the sum of squared differences, also where that mirrors. Nothing: the
/// 3x3 is zero or not finite. With several nearest ones it is always the same.
[[nodiscard]] std::optional<model::Quat> nearest_rotation(const model::Mat4& m);

/// Of q and -q the one that a rotation matrix gives by its trace: w is positive where the trace is, else the component of the largest
/// element of the diagonal.
[[nodiscard]] model::Quat by_trace(const model::Quat& q);

}  // namespace gomkit::ps1
