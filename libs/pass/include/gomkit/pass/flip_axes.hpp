#pragma once

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Mirrors a whole model along X (x -> -x), for a source whose handedness nobody else converted: points, normals, tangents,
/// nodes, binds, keys; polygons keep their first corner and run the other way, so that fronts stay fronts.
void mirror_x(model::Model& model);

}  // namespace gomkit::pass
