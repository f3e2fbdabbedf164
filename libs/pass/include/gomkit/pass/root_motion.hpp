#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Keep: clips stay as they are. Flag: HasRootMotion and the root bone are set, keys stay. InPlace: the motion is taken out of the keys.
enum class RootMotionMode : std::uint8_t { Keep, Flag, InPlace };

struct RootMotionOptions {
    RootMotionMode mode = RootMotionMode::Keep;
    std::string root;   ///< path or unique name of a bone without parent; empty: the first of those, by path, that some clip turns or moves
};

/// How far the root has moved and turned since the clip's start.
struct RootMotionSample {
    double time = 0;     ///< seconds, a float32
    double x = 0;        ///< metres, model space
    double z = 0;
    double yaw = 0;      ///< radians about +Y, from +Z towards +X; runs on beyond a full turn
};

/// The motion taken out of one clip. With p the start's (x, 0, z), N(t) of gom.md 10 is: translate by -p, turn by yaw, translate by
/// p + (x, 0, z). The clip's root composed with it, local * N(t), is the original root. Linear in between.
struct RootMotionClip {
    std::string clip;
    std::string bone;                        ///< path
    double duration = 0;
    RootMotionSample start;                  ///< where the root stands at time 0: x, z and yaw
    std::vector<RootMotionSample> samples;   ///< ascending times from 0 to duration; the first is all zero
};

/// Does what options.mode says to every clip; the motions taken out, one a clip, with InPlace, else nothing (docs/formats/clips.md,
/// --root-motion). Computed from the float32 keys that a GOM stores; between keys the original is met within 1e-5 m and 1e-4 rad
/// (CLIP_ROOT_YAW where the bone tips over and that cannot be). Reports CLIP_ROOTS where other roots move too and none was named. Errors: Usage for a root that is unknown, ambiguous or has a parent, or
/// where no bone without parent is animated (candidates are listed); LimitExceeded for more keys than a clip may have; those of
/// build_skeleton(). The model is unchanged then.
[[nodiscard]] core::Result<std::vector<RootMotionClip>> apply_root_motion(model::Model& model, const RootMotionOptions& options,
                                                                          const core::Limits& limits, core::Report& report);

/// The motions as JSON, for --root-motion-out: {"rootMotion": 1, "clips": [{"name", "bone", "duration", "start": [x, z, yaw],
/// "columns": ["time", "x", "z", "yaw"], "samples": [[...], ...]}]}. Numbers read back to the same doubles.
[[nodiscard]] std::string root_motion_json(std::span<const RootMotionClip> clips);

/// The same as CSV (RFC 4180, lines end with LF), one line a sample: clip,bone,startX,startZ,startYaw,time,x,z,yaw.
[[nodiscard]] std::string root_motion_csv(std::span<const RootMotionClip> clips);

}  // namespace gomkit::pass
