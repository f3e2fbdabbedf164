#pragma once

#include <array>
#include <cstddef>

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Which old component each new one is, and with which sign: new[i] = sign[i] * old[source[i]]. `source` is a permutation.
struct AxisMap {
    std::array<std::size_t, 3> source{0, 1, 2};
    std::array<double, 3> sign{1, 1, 1};
    [[nodiscard]] bool is_identity() const { return source[0] == 0 && source[1] == 1 && sign[0] > 0 && sign[1] > 0 && sign[2] > 0; }
};

/// Puts a whole model into other axes and another unit: points, normals, tangents, nodes, binds and keys; lengths become `factor`
/// times as long. Where the map mirrors, polygons keep their first corner and run the other way, so that fronts stay fronts.
void change_axes(model::Model& model, const AxisMap& map, double factor = 1);

/// Mirrors a whole model along X (x -> -x), for a source whose handedness nobody else converted: points, normals, tangents,
/// nodes, binds, keys; polygons keep their first corner and run the other way, so that fronts stay fronts.
void mirror_x(model::Model& model);

}  // namespace gomkit::pass
