#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::pass {

struct ReduceOptions {
    double millimetres = 0.1;  ///< how far any point may move in model space; 0: every key stays
    double radius = 0.10;      ///< metres from a bone, in model space at bind, at which its turning and scaling is felt
    unsigned jobs = 1;         ///< threads; the outcome does not depend on it
};

/// What became of one clip. Keys are counted as a GOM stores them (equal ones of a channel are one there).
struct ReducedClip {
    std::string clip;
    std::uint64_t keys_before = 0;
    std::uint64_t keys_after = 0;
    double millimetres = 0;  ///< the largest distance, measured on the result
    std::string bone;        ///< where: the path of the bone; empty when nothing moved
    double time = 0;         ///< when: seconds since the clip's start
};

/// Removes keys that the clips do without (docs/formats/clips.md, --reduce). For each bone seven points are watched: its origin and,
/// `radius` metres along each of its axes both ways in the bind pose, six more that it carries. None of them is ever farther from its original place in model space than
/// the bound: both are computed through the whole skeleton with GOM's sampling rules from the float32 values that a GOM stores, at
/// every key time of the original and at enough times in between for the curvature there to be known and allowed for. Keys that
/// stay keep their time and value; the first and last of a channel and the ends of steps stay, unless the channel becomes one
/// constant. Weights of blend shapes keep all keys. Clips whose keys stand at so many different times that checking would take too long keep all keys (CLIP_NOT_REDUCED).
/// One entry a clip, in their order. Errors: Usage for a bound or radius that is negative or not finite; those of build_skeleton().
[[nodiscard]] core::Result<std::vector<ReducedClip>> reduce_keys(model::Model& model, const ReduceOptions& options,
                                                                 const core::Limits& limits, core::Report& report);

}  // namespace gomkit::pass
