#pragma once

#include <cstdint>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/pass/map_skeleton.hpp>

namespace gomkit::pass {

/// How a bone of the motion was compared with its counterpart (docs/formats/motion.md, retargeting).
enum class RetargetRule : std::uint8_t {
    SamePosture,  ///< both bind poses show one posture: what differs between a pair is its axes
    SameAxes,     ///< the bones have the same axes: local rotations mean the same, whatever the poses
    Corrected,    ///< neither: the model's bind pose was first bent into the motion's rest pose
};

[[nodiscard]] const char* name(RetargetRule rule);

struct Retargeted {
    std::vector<model::Clip> clips;   ///< in the source's order; tracks refer to the target's nodes and are local to their parents
    RetargetRule rule = RetargetRule::SamePosture;
    double size_ratio = 1;            ///< what translations of the root were multiplied by
    std::uint64_t copied = 0;         ///< rotation channels taken over key by key, bits kept
    std::uint64_t turned = 0;         ///< rotation channels with the same key times and other values
    std::uint64_t resampled = 0;      ///< channels with key times of their own (within kRetargetAngle and kRetargetDistance)
};

/// Between the keys of a resampled channel the result is this near to the exact one (radians; share of the target's height), as far as
/// three tests a span, and spans no shorter than 1/64 of one between source keys, can tell.
inline constexpr double kRetargetAngle = 2e-4;
inline constexpr double kRetargetDistance = 5e-5;

/// Carries all clips of `source` over to `target`'s skeleton. `map` must come from map_skeleton for the two. Name, duration, source_start,
/// loop and origin of a clip are kept; root and has_root_motion too where the root bone has a counterpart (RETARGET_ROOT_LOST). A target bone
/// that the motion does not move gets one key where its rest is not its bind pose. The same source and target skeleton give the same keys
/// to the bit; stored keys (final_keys) stay such between two GOMs with the same bones. Morph tracks go along (carry_morph_tracks). Reports RETARGET_POSTURE and RETARGET_STRETCH_LOST. Errors: LimitExceeded (keys of a clip).
[[nodiscard]] core::Result<Retargeted> retarget_clips(const model::Model& source, const model::Model& target, const SkeletonMap& map,
                                                      const core::Limits& limits, core::Report& report);

}  // namespace gomkit::pass
