#pragma once

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// For writers of formats without blend shapes: every mesh becomes what it is where nothing animates its channels, points and normals
/// (offsets of normals that a shape does not have are computed, between corners whose normals agree). Channels stay by their names,
/// without shapes. A mesh at rest already is not touched.
void settle_default_shapes(model::Model& model);

}  // namespace gomkit::pass
