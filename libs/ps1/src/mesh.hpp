#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gomkit/model/model.hpp>

#include "document.hpp"
#include "rig.hpp"

/// The vertices and triangles of a PS1M to be, before they are put in order.
namespace gomkit::ps1 {

struct MeshFace {
    std::array<std::uint32_t, 3> vertices{};   ///< clockwise seen from outside
    std::uint8_t texture = 0;
    std::uint8_t flags = 0;
};

struct RigidMesh {
    std::vector<Vertex> vertices;              ///< no two alike, by first use
    std::vector<model::Vec3> places;           ///< of each vertex: at bind, in model space, not rounded
    std::vector<MeshFace> faces;
    std::uint64_t turned = 0;                  ///< faces whose corners ran against their normals
    std::uint64_t beyond_page = 0;             ///< vertices with coordinates outside the texture
};

/// PS1M-CONV-1, 2 and 6. `slots` as texture_slots() gives them; `unit`: of a metre.
[[nodiscard]] RigidMesh make_mesh(const model::Model& model, const Rig& rig, const std::vector<std::uint8_t>& slots, double unit);

/// Takes triangles away until `triangles` are left, or fewer cannot be had; those of one texture slot and sidedness keep their border with others. Bones do not matter. Returns
/// how far the surface was moved at most, in metres as the library estimates it.
[[nodiscard]] double decimate(RigidMesh& mesh, std::size_t triangles);

/// Orders vertices and triangles, with the triangles' bones and normals (PS1M-CONV-6, 7). At most 65,535 vertices. `compat`: normals keep the scale of the bone's space.
void write_mesh(const RigidMesh& mesh, const Rig& rig, bool compat, Document& document);

}  // namespace gomkit::ps1
