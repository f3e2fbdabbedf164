#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "quantise.hpp"
#include "rig.hpp"

/// The clips of a PS1M to be: frames of rigid placements, before anything is rounded. Model space; metres.
namespace gomkit::ps1 {

struct MotionFrame {
    std::vector<model::Quat> rotations;      ///< [bone], to the parent; each follows the sign of the frame before
    std::vector<model::Vec3> translations;   ///< [bone], in the parent's space
    std::vector<model::Vec3> held;           ///< [bone]: how far holding the trunk moved it in model space; empty: nothing was held
};

struct MotionClip {
    std::string name;                        ///< 1 to 15 printable ASCII characters, no two alike
    std::uint32_t source = model::kNoIndex;  ///< into Model::clips; none: the bind pose
    std::vector<double> times;               ///< of each frame, in the source clip
    std::vector<MotionFrame> frames;         ///< at least one
};

struct Motion {
    std::vector<MotionClip> clips;           ///< at least one
    std::vector<bool> moves;                 ///< [bone]: its translation is stored in every frame
};

struct MotionOptions {
    std::uint32_t fps = 15;
    double unit = kUnit;                     ///< of a metre: what counts as moving depends on it
    bool hold_trunk = true;                  ///< x and z of the bones from the root to the first fork stay where bind has them
    bool compat = false;                     ///< hold every bone that moves; scales of parents are not looked at
};

/// Samples all clips (PS1M-CONV-10 to 14). Errors: CannotConvert for a clip of more than 65,535 frames or more than 65,535 clips, LimitExceeded for more frames than
/// max_bytes hold.
[[nodiscard]] core::Result<Motion> sample_motion(const model::Model& model, const Rig& rig, const MotionOptions& options, std::uint64_t max_bytes,
                                                 core::Report& report);

/// Of the frames of a clip of `duration` seconds, in seconds; the last lies at its end (PS1M-CONV-10).
[[nodiscard]] std::vector<double> frame_times(double duration, std::uint32_t fps);

/// Where a bone is in model space: x -> rotate(rotation, x) + origin.
struct RigidPlacement {
    model::Quat rotation;
    model::Vec3 origin;
};
/// Of all bones, in a frame. A bone that does not move keeps its bind translation.
[[nodiscard]] std::vector<RigidPlacement> world_placements(const Rig& rig, const Motion& motion, const MotionFrame& frame);

/// Names as PS1M holds them (PS1M-CONV-9), in the order given.
[[nodiscard]] std::vector<std::string> stored_clip_names(const std::vector<model::Clip>& clips);

}  // namespace gomkit::ps1
