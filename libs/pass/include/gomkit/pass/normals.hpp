#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Which corners of a mesh share a normal, however its points are moved.
class NormalGroups {
public:
    enum class Rule : std::uint8_t {
        /// Corners at one point that are connected through edges that are not hard (Mesh::hard_edge) between polygons that are not flat
        /// (Mesh::flat_polygon).
        Smoothing,
        /// Corners at one point that are connected through edges on both sides of which the mesh's own normals agree there (to 0.001).
        OwnNormals,
    };
    explicit NormalGroups(const model::Mesh& mesh, Rule rule = Rule::Smoothing);

    /// Area-weighted normals, one per corner, of the mesh with these points, in its own space and winding. A corner without any area
    /// around it gets 0 0 0.
    [[nodiscard]] std::vector<model::Vec3> normals(std::span<const model::Vec3> points) const;

    /// Corners of one group have one number.
    [[nodiscard]] std::uint32_t group(std::uint32_t corner) const { return group_[corner]; }

private:
    const model::Mesh& mesh_;
    std::vector<std::uint32_t> group_;  // the first corner of each corner's group
};

/// The normals of the mesh as it is, by its smoothing.
[[nodiscard]] std::vector<model::Vec3> generate_normals(const model::Mesh& mesh);

}  // namespace gomkit::pass
