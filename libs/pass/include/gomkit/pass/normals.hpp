#pragma once

#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Area-weighted normals, one per corner, in the mesh's own space and winding. Corners at one point share a normal when they are
/// connected through edges that are not hard (Mesh::hard_edge) between polygons that are not flat (Mesh::flat_polygon). A corner
/// without any area around it gets 0 0 0.
[[nodiscard]] std::vector<model::Vec3> generate_normals(const model::Mesh& mesh);

}  // namespace gomkit::pass
