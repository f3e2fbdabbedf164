#pragma once

#include <optional>

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// The rotation that is nearest to the upper left 3x3 of `m` in the sum of squared differences, also where that mirrors. Nothing: the
/// 3x3 is zero or not finite. With several nearest ones it is always the same. Which of q and -q it is does not matter to callers. A sum of
/// products a_r b_c in row r and column c gives the rotation that brings the vectors a nearest to the b.
[[nodiscard]] std::optional<model::Quat> nearest_rotation(const model::Mat4& m);

}  // namespace gomkit::pass
