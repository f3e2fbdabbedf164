#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Splits one polygon into triangles.
/// `points` are all points of the mesh, `corners` the polygon's own point indices (3 or more, in winding order). Appends to `out`
/// three positions into `corners` (0 ... size - 1) per triangle, size - 2 triangles, winding kept. Quads are cut so that a concave
/// one stays inside itself, else along the shorter diagonal (the first on a tie); larger polygons by clipping ears on the plane
/// of their area vector, with collinear and duplicate corners last. Returns false when the polygon overlaps itself, so that some
/// triangles had to be taken as they came. Polygons over 65,536 corners are cut as a fan (false): ear clipping is quadratic.
bool triangulate(std::span<const model::Vec3> points, std::span<const std::uint32_t> corners, std::vector<std::uint32_t>& out);

/// Twice the polygon's area as a vector along its normal by the left-handed rule cross(b - a, c - a) (Newell's sum).
[[nodiscard]] model::Vec3 area_vector(std::span<const model::Vec3> points, std::span<const std::uint32_t> corners);

}  // namespace gomkit::pass
