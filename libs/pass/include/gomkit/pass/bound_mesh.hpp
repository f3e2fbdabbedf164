#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/render_mesh.hpp>

/// Meshes placed in model space at bind, with the weights that they have, for writers of formats that choose among the weights. Bones
/// are known by numbers that the writer gives.
namespace gomkit::pass {

/// How an instance lies in model space at bind.
struct BoundInstance {
    static constexpr std::uint32_t kNothing = 0xFFFFFFFFu;
    std::vector<model::Mat4> of_cluster;            ///< from the mesh's points, through that cluster's bone
    std::vector<std::uint32_t> number_of_cluster;
    model::Mat4 placement;                          ///< for normals, and for points that no cluster moves
    std::uint32_t number = kNothing;                ///< of the bone that moves those; kNothing: the instance stands still
};

/// One influence of a point.
struct BoundWeight {
    std::uint32_t number = 0;
    double weight = 0;
    model::Vec3 image;                              ///< where this bone alone has the point at bind, in model space
};

class InstanceBinder {
public:
    /// `number_of_bone` has one entry for each of skeleton.bones.
    InstanceBinder(const model::Model& model, const model::Skeleton& skeleton, std::span<const std::uint32_t> number_of_bone);

    /// Reports binds that cannot be inverted (MESH_SINGULAR_BIND); such clusters have the instance's placement at rest. What no
    /// weight of a skinned mesh moves goes with the nearest bone above it, else with the bone of number 0.
    [[nodiscard]] BoundInstance bind(const model::MeshInstance& instance, core::Report& report) const;

private:
    const model::Model& model_;
    const model::Skeleton& skeleton_;
    std::span<const std::uint32_t> number_of_bone_;
    std::vector<model::Mat4> node_to_model_;
};

/// The influences of a point in ascending order of numbers, each once, their sum 1. Empty: it has none that can be used.
[[nodiscard]] std::vector<BoundWeight> bound_weights(const model::Mesh& mesh, const BoundInstance& bound, std::uint32_t point);

/// A triangle in model space.
struct BoundTriangle {
    std::array<std::uint32_t, 3> points{};          ///< of the mesh; they run clockwise seen from outside
    std::array<model::Vec3, 3> normals;             ///< unit vectors
    std::array<model::Vec2, 3> uvs;                 ///< the first set, as it is; (0, 0) where there is none
    std::uint32_t slot = 0;                         ///< into MeshInstance::materials
};

/// What happened on the way.
struct BoundTriangleStats {
    std::uint64_t bad_polygons = 0;                 ///< overlap themselves
    bool normals_generated = false;
};

/// Calls `visit` for each triangle of a mesh that has polygons, in their order. Normals that cannot be used become those of the face,
/// and (0, 1, 0) where that has none.
void bound_triangles(const model::Mesh& mesh, const BoundInstance& bound, NormalMode normals, BoundTriangleStats& stats,
                     const std::function<void(const BoundTriangle&)>& visit);

/// What is to be told of an instance whose triangles were visited.
struct BoundFindings {
    std::uint64_t unweighted = 0;                   ///< points without a usable weight
    std::uint64_t non_finite = 0;                   ///< vertices that were put at the origin
    std::string bone;                               ///< that unweighted points went to
};
void report_bound(const model::MeshInstance& instance, const BoundTriangleStats& stats, const BoundFindings& findings, core::Report& report);

}  // namespace gomkit::pass
