#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/core/large_memory.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/bound_mesh.hpp>

/// The bones of a PS1M to be, in its order, and what hangs on them. Model space; metres.
namespace gomkit::ps1 {

inline constexpr std::uint32_t kNoBone = model::kNoIndex;

[[nodiscard]] inline bool is_finite(const model::Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

struct RigBone {
    std::uint32_t source = kNoBone;      ///< into Skeleton::bones; kNoBone: made for what no bone moves
    std::int32_t parent = -1;            ///< into Rig::bones, below the bone's own number
    std::string name;                    ///< for messages
    model::Quat rotation;                ///< at bind, to model space
    model::Vec3 origin;                  ///< at bind
    model::Vec3 translation;             ///< at bind, in the parent's space
    model::Mat4 to_bone;                 ///< model space to the bone's space at bind
};

/// Points of all meshes, each with the weights it had.
struct RigPoints {
    core::LargeVector<model::Vec3> positions;            ///< at bind, where all weights together have it
    core::LargeVector<std::uint32_t> first{0};           ///< count + 1 offsets into `weights`
    core::LargeVector<pass::BoundWeight> weights;        ///< by number: depth first, before any bone was collapsed
    core::LargeVector<std::uint32_t> bone;               ///< dominant, into Rig::bones
    core::LargeVector<model::Vec3> image;                ///< where that bone has the point at bind
    core::LargeVector<std::uint32_t> place;              ///< the first of the points that are copies of one; its own number where it has none
    core::LargeVector<std::uint32_t> instance;           ///< into Model::instances, for messages
    core::LargeVector<std::uint32_t> mesh_point;         ///< likewise; of a point that was made, one near it

    /// Appends a point, called by messages what `like` of `others` is. Its weights are those that stand in `weights` behind the points so far. Returns its number.
    std::uint32_t add(const model::Vec3& position, const model::Vec3& at_bind, std::uint32_t of_bone, const RigPoints& others, std::uint32_t like);
};

struct RigTriangle {
    std::array<std::uint32_t, 3> points{};
    std::array<model::Vec3, 3> normals;
    std::array<model::Vec2, 3> uvs;
    model::MaterialId material;
};

struct Rig {
    model::Skeleton skeleton;
    std::vector<std::uint32_t> order;                    ///< number to Skeleton::bones; a last number beyond them is the made bone
    std::vector<std::uint32_t> bone_of_number;           ///< number to `bones`: itself or what it was collapsed into
    std::vector<RigBone> bones;
    RigPoints points;
    core::LargeVector<RigTriangle> triangles;
};

struct RigOptions {
    std::size_t max_bones = 0;           ///< leaves are collapsed down to so many; 0: none is
    bool keep_bind_scale = false;        ///< the bone's space has the bind matrix's scale, which its poses have not
    pass::NormalMode normals = pass::NormalMode::Keep;
};

/// Bones depth first, points on the bone with the largest weight (the first of several), triangles in the model's order. Reports what had
/// to be mended or collapsed. Errors: those of build_skeleton(), CannotConvert when max_bones is below the number of roots.
[[nodiscard]] core::Result<Rig> make_rig(const model::Model& model, const RigOptions& options, const core::Limits& limits, core::Report& report);

}  // namespace gomkit::ps1
