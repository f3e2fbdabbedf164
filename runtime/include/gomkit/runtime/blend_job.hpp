#pragma once
// Mixes poses (gom.md 10): any number of them by weight, then additive ones on top. No memory but the caller's.

#include <span>

#include "gomkit/runtime/pose.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

// A pose to mix in by weight.
struct BlendLayer {
    std::span<const BoneLocal> pose = {};  // one a bone
    float weight = 1;                      // only proportions count; one that is not above 0 leaves the layer out
    std::span<const float> mask = {};      // one factor a bone on the weight; empty: 1 everywhere
};

// A pose whose difference to a reference pose is put on top of the mix.
struct AdditiveLayer {
    std::span<const BoneLocal> pose = {};       // one a bone
    float weight = 1;                           // how much of the difference; not above 0: none. Above 1 exaggerates
    std::span<const float> mask = {};           // one factor a bone on the weight; empty: 1 everywhere
    std::span<const BoneLocal> reference = {};  // what `pose` is compared with; empty: the bind pose
};

// Bone by bone: T and S are the weighted mean of the layers', R is their normalised weighted sum with signs aligned to the first.
// A layer that does not key the bone (is_keyed 0) takes part with the bone's decomposed bindLocal. Where no layer that takes part
// keys the bone, or none has weight left, the bone keeps bindLocal itself: `bind`'s element, is_keyed 0.
// Then each additive layer, in order, with c its pose and r its reference:
//     T + w (T_c - T_r),   slerp(identity, R_c * conjugate(R_r), w) * R,   S * lerp(1, S_c / S_r, w), S_c / S_r being 1 where S_r is 0
// and the bone counts as keyed; a bone that neither c nor r keys is left alone.
// A weight times mask that is NaN or infinite counts as 0. Sums are computed in double, in the order of the layers: the same
// bits everywhere. Rotations must have unit length; results do.
struct BlendJob {
    std::span<const BoneLocal> bind = {};  // of bind_pose(): is_keyed 0 everywhere
    std::span<const BlendLayer> layers = {};
    std::span<const AdditiveLayer> additive_layers = {};
    std::span<BoneLocal> output = {};  // bind.size() elements; may be one of the poses, with the same first bone

    // WrongSize: a pose, a reference, a mask or the output has not bind.size() elements.
    [[nodiscard]] Status validate() const noexcept;
    // validate(), then writes all of output: linear in bones times layers. On failure nothing is written.
    [[nodiscard]] Status run() const noexcept;
};

}  // namespace gomkit::runtime
