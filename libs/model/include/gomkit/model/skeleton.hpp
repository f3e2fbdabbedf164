#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::model {

/// A bone's own component of its path: '%' as %25 and '/' as %2F (docs/spec/conventions.md, bone paths).
[[nodiscard]] std::string escape_component(std::string_view name);

/// Makes the names of one family distinct: the first holder keeps its name, each further one takes the smallest n >= 2 for which
/// `name~n` is neither somebody's plain name nor taken. Order of `names` decides who is first.
[[nodiscard]] std::vector<std::string> number_duplicates(std::span<const std::string> names);

/// The escaped names from the root to each of `nodes`, joined by '/'; brothers of one name are not told apart.
/// Errors: LimitExceeded when they would take more than limits.max_string_bytes together.
[[nodiscard]] core::Result<std::vector<std::string>> node_paths(const Model& model, std::span<const NodeId> nodes,
                                                                const core::Limits& limits);

/// One bone of the skeleton that run-time formats store.
struct SkeletonBone {
    NodeId node;
    std::int32_t parent = -1;    ///< index into Skeleton::bones, smaller than the bone's own
    std::string name;
    std::string path;
    Mat4 bind_local;             ///< relative to the parent bone (folded static nodes included)
    Mat4 bind_model;             ///< bone space to model space at bind
    /// What stands between the node's parent and the parent bone: node-local * fold = bone-local. Identity where nothing is
    /// folded; otherwise translation, rotation and a positive uniform scale.
    Transform fold;
    bool folded = false;
};

/// The bones of a model sorted by path, and where each node went.
struct Skeleton {
    std::vector<SkeletonBone> bones;
    std::vector<std::int32_t> bone_of_node;          ///< per node: its bone, or -1
    std::vector<std::int32_t> nearest_bone_of_node;  ///< per node: itself or the nearest ancestor that is a bone, or -1
};

/// Which nodes are bones (gom.md, SKEL): those that a skin links or that have a bone attribute, those an unskinned mesh moves
/// with, every node between two bones, and the nodes above a top bone that cannot be folded into it (animated, or with a scale
/// that is not uniform and positive). Errors: LimitExceeded (bones, bytes of bone paths), before anything large is made.
[[nodiscard]] core::Result<Skeleton> build_skeleton(const Model& model, const core::Limits& limits);

/// The bones (indices into Skeleton::bones), each followed by all that hang below it; brothers in the order of their nodes.
[[nodiscard]] std::vector<std::uint32_t> depth_first(const Skeleton& skeleton);

/// Node space to model space at rest, of each node.
[[nodiscard]] std::vector<Mat4> rest_to_model(const Model& model);

/// From the points of a mesh through the rest pose into the space of the bone nearest above its node. The instance has a node with
/// such a bone.
[[nodiscard]] Mat4 geometry_to_bone_at_rest(const Model& model, const Skeleton& skeleton, const MeshInstance& instance);

/// `local` (relative to the node's parent) as seen from the bone's parent bone; see SkeletonBone::fold.
[[nodiscard]] Transform apply_fold(const Transform& local, const Transform& fold);

}  // namespace gomkit::model
