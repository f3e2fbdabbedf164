#pragma once

#include <array>
#include <cstdint>

#include <gomkit/model/model.hpp>

#include "biped.hpp"

/// What the biped does, computed (PS1M-RIG-5). Space of the figure.
namespace gomkit::ps1::biped {

struct Pose {
    std::array<model::Quat, kBones> rotations;   ///< to the parent
    model::Vec3 root;                            ///< added to the root's place, in metres
};

struct Motion {
    const char* name;
    double duration = 0;                         ///< seconds
    Pose (*at)(double time, double height) = nullptr;
};
/// idle, walk, run, wave and punch.
[[nodiscard]] const std::array<Motion, 5>& motions();

/// A turn about Y.
[[nodiscard]] model::Quat about_y(double degrees);

/// Degrees about Y by which the original turns the clip `punch` away from the front, at any rate: it takes the elbow that is pulled back for the
/// blow (PS1M-RIG-5, `--ps1-compat`).
inline constexpr double kOriginalPunchTurn = -156.96009619851012;

}  // namespace gomkit::ps1::biped
