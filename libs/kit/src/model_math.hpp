#pragma once

#include <string>
#include <vector>

#include <gomkit/kit/convert.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>

namespace gomkit::kit {

/// Each node's matrix to model space at bind.
[[nodiscard]] std::vector<model::Mat4> bind_matrices(const model::Model& model);

/// From an instance's points to model space at bind: through its first cluster when it is skinned, else through its node.
[[nodiscard]] model::Mat4 placement(const model::Model& model, const model::MeshInstance& instance,
                                    const std::vector<model::Mat4>& binds);

/// What a mesh is called where it is first placed, or else by itself.
[[nodiscard]] const std::string& mesh_name(const model::Model& model, model::MeshId mesh);

/// Triangles that the mesh's polygons make.
[[nodiscard]] std::uint64_t triangle_count(const model::Mesh& mesh);

/// What a model holds. Meshes are counted once for each instance.
[[nodiscard]] Counts count(const model::Model& model, const model::Skeleton& skeleton);

/// 64 hex digits (docs/spec/gom.md, skeleton signature); "" for no bones.
[[nodiscard]] std::string signature_text(const model::Skeleton& skeleton);

/// That of the model's skeleton or, for a motion, of the skeleton that it was made for.
[[nodiscard]] std::string signature_text(const model::Model& model, const model::Skeleton& skeleton);

}  // namespace gomkit::kit
