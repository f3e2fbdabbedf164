#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gomkit/pass/map_skeleton.hpp>
#include <gomkit/pass/retarget_clips.hpp>

#include "sampling.hpp"

namespace gomkit::pass {

/// Applies `first`, then `second`.
[[nodiscard]] inline model::Quat then(const model::Quat& first, const model::Quat& second) { return runtime::multiply(second, first); }

/// The rotation as seen through a mirror that negates the axes whose sign is -1: diag(signs) * R * diag(signs).
[[nodiscard]] inline model::Quat mirrored(const model::Quat& q, const model::Vec3& signs) {
    const double d = signs.x * signs.y * signs.z;
    return {q.x * d * signs.x, q.y * d * signs.y, q.z * d * signs.z, q.w};
}

/// A skeleton as retargeting sees it. Rotations leave scales out; a mirroring scale above a bone is carried as signs, so that all
/// rotations stay rotations: model rotation of a bone = mirrored(local rotation, above) followed by its parent's.
struct Rig {
    struct Bone {
        std::int32_t parent = -1;
        model::Transform rest;      ///< bone-local (folded nodes included)
        model::Transform bind;      ///< bone-local
        model::Vec3 signs{1, 1, 1}; ///< of the scale of bind, and of keys
        model::Vec3 above{1, 1, 1}; ///< product of the signs above the bone
        model::Quat turn;           ///< model rotation at bind
        model::Vec3 origin;         ///< model place at bind, metres
        double size = 1;            ///< product of the scales from the root to this bone at rest; 0 where one is not uniform
        bool bound = false;         ///< a skin says where its bind is (else it is only the file's rest pose)
    };
    std::vector<Bone> bones;
    double height = 0;
};

/// The rig of a motion: scales have the signs of the rest pose, as its keys have.
[[nodiscard]] Rig make_rig(const model::Model& model, const model::Skeleton& skeleton);
/// The rig of a model: a mirroring scale is written with the signs that the counterpart uses, so that its keys can be taken over.
[[nodiscard]] Rig make_rig(const model::Model& model, const SkeletonMap& map, const Rig& source);

/// Keys of the bones of one clip, bone-local. Tracks by bone; null where the clip does not move it.
struct BoneTracks {
    BoneTracks() = default;
    BoneTracks(BoneTracks&&) = default;  // pointers into `stored` survive a move, not a copy
    BoneTracks& operator=(BoneTracks&&) = default;
    std::vector<model::Track> stored;            ///< tracks that a fold had to be applied to
    std::vector<const model::Track*> of_bone;    ///< bone-local keys
    std::vector<const model::Track*> of_node;    ///< the same as the model has them
    std::vector<bool> turns;                     ///< per bone: its rotation changes
    std::vector<bool> scales;                    ///< per bone: its scale changes, or is not that of the rest pose
    std::uint64_t unused = 0;                    ///< tracks of nodes that are no bones
};

[[nodiscard]] BoneTracks bone_tracks(const Rig& rig, const model::Skeleton& skeleton, const model::Clip& clip);

/// Whether a channel is more than one value.
template <class T>
[[nodiscard]] bool moves(const std::vector<model::Key<T>>& keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const model::Key<T>& k) { return !near(k.value, keys.front().value); });
}

/// What a paired target bone takes from the motion.
struct PairPlan {
    std::int32_t source = -1;          ///< -1: no counterpart
    std::int32_t anchor = -1;          ///< nearest paired target bone above, -1: none
    std::int32_t anchor_source = -1;   ///< its counterpart
    std::vector<std::uint32_t> up;     ///< source bones from the counterpart upwards to (without) the meeting with the anchor's chain
    std::vector<std::uint32_t> down;   ///< source bones from the anchor's counterpart up to there; empty where it lies above
    bool direct = false;               ///< counterpart and anchor are parent and child on both sides (or roots on both)
    bool travels = false;              ///< its translation follows the motion
    model::Quat axes;                  ///< model rotation of target = axes, then model rotation of source
};

struct Plan {
    std::vector<PairPlan> pairs;       ///< per target bone
    RetargetRule rule = RetargetRule::SamePosture;
    double size_ratio = 1;
};

[[nodiscard]] Plan make_plan(const Rig& source, const Rig& target, const SkeletonMap& map, const std::vector<BoneTracks>& clips);

}  // namespace gomkit::pass
