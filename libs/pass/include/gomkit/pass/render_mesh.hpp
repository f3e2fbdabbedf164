#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gomkit/core/large_memory.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// A vertex as a game draws it; the memory layout on little-endian machines is GOM's VF01 (gom.md, VF01; 72 bytes).
struct RenderVertex {
    float position[3];
    float normal[3];
    float tangent[4];
    float uv[2];
    std::uint16_t bone[4];
    float weight[4];
};
static_assert(sizeof(RenderVertex) == 72);

/// A run of triangles with one material.
struct RenderSubmesh {
    std::uint32_t material_slot = 0;   ///< index into MeshInstance::materials
    std::uint32_t index_start = 0;
    std::uint32_t index_count = 0;
};

/// What a morph shape does to the vertices.
struct RenderMorph {
    std::uint32_t channel = 0;                         ///< into Mesh::morphs
    std::uint32_t shape = 0;                           ///< into MorphChannel::shapes
    core::LargeVector<std::uint32_t> vertices;         ///< ascending, each once
    core::LargeVector<std::array<float, 3>> positions; ///< offsets, one for each of `vertices`
    core::LargeVector<std::array<float, 3>> normals;   ///< offsets from the written normals, which are unit vectors; likewise
};

/// Indexed triangles with at most four influences: what run-time formats store. Submeshes ascend by slot and cover all indices.
struct RenderMesh {
    core::LargeVector<RenderVertex> vertices;
    core::LargeVector<std::uint32_t> indices;
    std::vector<RenderSubmesh> submeshes;
    std::vector<RenderMorph> morphs;   ///< by channel and shape; also those that move nothing here
};

enum class NormalMode : std::uint8_t { Keep, Generate };
/// Auto: the source's tangents where it has any, else MikkTSpace's. Keep: the source's, none generated. Generate: MikkTSpace's. Where
/// there are none (and with None) every vertex gets any tangent orthogonal to its normal, since the formats hold one. The source's
/// tangents go with its normals: where normals are generated they are not used.
enum class TangentMode : std::uint8_t { Auto, Keep, Generate, None };

/// How build_render_mesh places and binds the geometry.
struct RenderMeshOptions {
    NormalMode normals = NormalMode::Keep;
    TangentMode tangents = TangentMode::Auto;
    /// Applied to the points; normals by its inverse transpose, tangents by its 3x3.
    model::Mat4 geometry_to_target;
    /// The bone index written for each of the skin's clusters; empty: the mesh is not skinned here.
    std::span<const std::uint16_t> cluster_bones;
    /// Without cluster_bones: bind every vertex to this bone with weight 1 (-1: none, indices and weights 0 0 0 0, 1 0 0 0).
    int rigid_bone = -1;
    /// The bone for points without a usable influence.
    std::uint16_t fallback_bone = 0;
    /// For each material slot, the slot it is written as (equal materials join); empty: as they are.
    std::span<const std::uint32_t> slot_map;
};

/// What happened on the way, for the report.
struct RenderMeshStats {
    std::uint64_t unweighted_points = 0;       ///< bound to fallback_bone
    std::uint64_t reduced_points = 0;          ///< had more than four influences
    std::uint64_t degenerate_polygons = 0;     ///< without area; kept
    std::uint64_t failed_polygons = 0;         ///< could not be triangulated without overlap
    std::uint64_t non_finite_vertices = 0;     ///< had a NaN or infinity; made 0
    bool normals_generated = false;
    bool tangents_generated = false;
};

/// Triangulates, reduces to four influences, generates what is missing, transforms, welds bit-identical vertices and numbers
/// them by first use in the final index order. A mesh with final_vertices is taken over as it is (its numbering is data), only
/// submeshes of one slot are joined.
[[nodiscard]] RenderMesh build_render_mesh(const model::Mesh& mesh, const RenderMeshOptions& options, RenderMeshStats& stats);

}  // namespace gomkit::pass
