#pragma once

#include <gomkit/model/model.hpp>

namespace gomkit::ps1 {

/// Of q and -q the one that a rotation matrix gives by its trace: w is positive where the trace is, else the component of the largest
/// element of the diagonal.
[[nodiscard]] model::Quat by_trace(const model::Quat& q);

}  // namespace gomkit::ps1
