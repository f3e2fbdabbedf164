#pragma once

#include <memory>
#include <string>
#include <vector>

#include "import.hpp"

/// The still of a scene that SceneOptions::time asks for.
namespace gomkit::fbx {

/// The scene as one of its animations has it at options.scene.time, which must be set: transforms, weights of blend shapes, visibility
/// and materials; curves go on past their ends as they say. A scene without animations stays at its default values. Errors: Usage for
/// a time that is none and an animation that is not there; whatever ufbx refuses.
[[nodiscard]] core::Result<Scene> evaluate_snapshot(Scene scene, const std::string& file, const codec::ReadOptions& options, const Names& names);

/// A mesh with the points that its geometry cache gives it. As ufbx has it, a cache replaces blend shapes and skin, in the space of the
/// mesh's node; normals and tangents were those of other points and are left out.
struct CachedMesh {
    ufbx_mesh mesh;  ///< shares everything but `points` with the scene's
    std::vector<ufbx_vec3> points;
};

/// The mesh at options.scene.time, where that is set, from the first of its caches that has all its points; they are opened through
/// options.side_file alone, and sampled linearly, before their first and after their last frame as these are. Empty where the mesh has
/// no cache, or none that can be used (FBX_CACHE_UNUSABLE says why).
[[nodiscard]] std::unique_ptr<CachedMesh> read_cache(Import& in, const ufbx_mesh& mesh);

}  // namespace gomkit::fbx
