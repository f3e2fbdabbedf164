#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gomkit/model/model.hpp>

#include "document.hpp"

/// The biped that a mesh without bones gets (docs/spec/ps1m.md, "From a mesh without bones"). Space of the figure: X to its left, Y up from the
/// floor it stands on, Z to its front; right-handed; metres.
namespace gomkit::ps1::biped {

enum Bone : std::uint8_t { kRoot, kSpine, kHead, kUpperArmL, kForearmL, kUpperArmR, kForearmR, kThighL, kShinL, kThighR, kShinR };
inline constexpr std::size_t kBones = 11;

struct BoneShape {
    const char* name;
    std::int32_t parent;     ///< -1: none
    model::Vec3 joint;       ///< its origin at bind, in parts of the height; bind rotations are the identity
};
/// All bones, parents first, in the order of the file.
[[nodiscard]] const std::array<BoneShape, kBones>& bones();

/// The bone of a place, by its height and its distance from the middle, of a figure that is `height` high (PS1M-RIG-3).
[[nodiscard]] Bone bone_at(const model::Vec3& place, double height);

/// Where triangles are cut for seams that lie at the joints: heights in the order of the cuts, in parts of the figure's (PS1M-SEAM-2).
[[nodiscard]] const std::array<double, 5>& cut_heights();

/// Where its hands begin, in parts of its height.
inline constexpr double kWrist = 0.50 + 0.005;

/// A figure's surface.
struct Surface {
    std::vector<model::Vec3> points;                              ///< each is a corner of a triangle
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The bone of each point: that of its place, then what most of its neighbours have where few share it (PS1M-RIG-3, PS1M-RIG-4).
[[nodiscard]] std::vector<Bone> bones_of_points(const Surface& surface, double height);

/// Arms and legs without hands and feet, the head, the hip (PS1M-RIG-6). `unit`: of a metre.
[[nodiscard]] IkTable ik_table(double height, double unit);

}  // namespace gomkit::ps1::biped
