#pragma once

#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>

/// Values local to a node's parent node as values local to its parent bone (see model::SkeletonBone::fold), and back.
namespace gomkit::pass {

[[nodiscard]] inline model::Vec3 fold_translation(const model::Vec3& v, const model::SkeletonBone& bone) {
    return bone.folded ? model::apply_fold({v, {}, {1, 1, 1}}, bone.fold).translation : v;
}
[[nodiscard]] inline model::Quat fold_rotation(const model::Quat& q, const model::SkeletonBone& bone) {
    return bone.folded ? runtime::multiply(bone.fold.rotation, q) : q;
}
[[nodiscard]] inline model::Vec3 fold_scale(const model::Vec3& v, const model::SkeletonBone& bone) {
    return bone.folded ? v * bone.fold.scale.x : v;
}

[[nodiscard]] inline model::Vec3 unfold_translation(const model::Vec3& v, const model::SkeletonBone& bone) {
    return bone.folded ? runtime::rotate(conjugate(bone.fold.rotation), v - bone.fold.translation) / bone.fold.scale.x : v;
}
[[nodiscard]] inline model::Quat unfold_rotation(const model::Quat& q, const model::SkeletonBone& bone) {
    return bone.folded ? runtime::multiply(conjugate(bone.fold.rotation), q) : q;
}
[[nodiscard]] inline model::Vec3 unfold_scale(const model::Vec3& v, const model::SkeletonBone& bone) {
    return bone.folded ? v / bone.fold.scale.x : v;
}

}  // namespace gomkit::pass
