#pragma once

#include <gomkit/model/model.hpp>

namespace gomkit::model {

/// Whether two models mean exactly the same, so that what one of them keeps of its file speaks for the other too: scene, geometry, skins,
/// materials and clips. Names of nodes, meshes and materials do not count, nor do the paths of textures, nor blend shapes.
[[nodiscard]] bool means_the_same(const Model& a, const Model& b);

}  // namespace gomkit::model
