#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/map_skeleton.hpp>

namespace gomkit::pass {

/// Bone space to model space of every bone of `skeleton` (made from `model`) at `time` seconds of `clip`; without a clip in the rest
/// pose. At a step's time the new value counts.
[[nodiscard]] std::vector<model::Mat4> bone_matrices(const model::Model& model, const model::Skeleton& skeleton, const model::Clip* clip,
                                                     double time);

/// Metres between the lowest and the highest bone at bind; where that is 0 (a skeleton that lies flat) the largest extent along X or Z.
[[nodiscard]] double skeleton_height(const model::Skeleton& skeleton);

/// How far a bone is from where it should be.
struct BoneDistance {
    std::string path;       ///< the target's bone; empty: nothing was measured
    double metres = 0;
    double percent = 0;     ///< of the target skeleton's height
    double time = 0;        ///< seconds, where a clip was measured
};

/// The paired bone whose origins at bind lie farthest apart in model space (docs/spec/gom.md, GOM-SIG-2).
[[nodiscard]] BoneDistance largest_rest_difference(const SkeletonMap& map);

/// Reports that difference (RETARGET_REST_DIFFERS) where it is above 1 % of the target skeleton's height. `target_file` is for the text only.
void report_rest_difference(const SkeletonMap& map, const std::string& target_file, core::Report& report);

/// What a retargeted clip is compared with.
enum class CompareWith : std::uint8_t {
    OwnSkeleton,    ///< the motion on its own skeleton, in metres: differing bone lengths count
    TargetLengths,  ///< the same with the target's bone lengths, each bone along its own direction, from where the target's topmost paired
                    ///< bones stand: posture alone counts
};

/// Per end bone (a paired target bone with no paired bone below it), in bone order: the largest distance in model space between where
/// `clip` puts it and where `retargeted` puts it on the target's skeleton, at `fps` samples a second and at the end (fps at least 1, else 30).
[[nodiscard]] std::vector<BoneDistance> end_bone_distances(const model::Model& source, const model::Clip& clip, const model::Model& target,
                                                           const model::Clip& retargeted, const SkeletonMap& map, double fps,
                                                           CompareWith with = CompareWith::OwnSkeleton);

/// The one with the largest distance (the first of several); empty when there is none.
[[nodiscard]] BoneDistance largest(const std::vector<BoneDistance>& distances);

}  // namespace gomkit::pass
