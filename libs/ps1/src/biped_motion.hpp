#pragma once

#include <array>
#include <cstdint>
#include <vector>

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

/// The angle about Y, in radians, by which the original turns the clip `punch` away from the front: it takes the fastest end of a limb for the
/// blow, and that is an elbow that is pulled back (PS1M-RIG-5, `--ps1-compat`). 0 below 5 degrees.
[[nodiscard]] double attack_turn(const std::vector<Pose>& frames, double height);

}  // namespace gomkit::ps1::biped
