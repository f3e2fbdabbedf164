#pragma once

#include <gomkit/core/error.hpp>

#include "biped.hpp"

/// Whether a surface stands as the biped's height bands take for granted (PS1M-RIG-1).
namespace gomkit::ps1::biped {

struct Stance {
    double floor = 0;        ///< metres above the origin
    double height = 0;       ///< above the floor
};

/// `floor_is_zero`: the figure stands on height 0, wherever its lowest point is, as the original takes it. Errors: CannotConvert with the
/// measure that failed, for a surface that is empty, flat, too wide, too deep, or without two legs, trunk or two arms.
[[nodiscard]] core::Result<Stance> measure_stance(const Surface& surface, bool floor_is_zero);

}  // namespace gomkit::ps1::biped
