#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/error.hpp>
#include <gomkit/model/model.hpp>

#include <ufbx.h>

/// What stands between ufbx's types and ours. A ufbx_scene is this format's Document.
namespace gomkit::fbx {

struct SceneDeleter {
    void operator()(ufbx_scene* scene) const { ufbx_free_scene(scene); }
};
using Scene = std::unique_ptr<ufbx_scene, SceneDeleter>;

struct AnimDeleter {
    void operator()(ufbx_anim* anim) const { ufbx_free_anim(anim); }
};
using Anim = std::unique_ptr<ufbx_anim, AnimDeleter>;

/// Loads a file into gom.md's space: right -X, up +Y, front +Z mirrored along X, metres; scale in the geometry, inherit modes
/// resolved into plain T/R/S. Errors: whatever ufbx refuses, in our words and with ufbx's own.
/// `with_document` also keeps the file's own nodes (see document_layer), at the price of their memory.
[[nodiscard]] core::Result<Scene> load_scene(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                              bool with_document = false);

/// Loads a file as it is: its own axes, units, transforms and elements, also those that are not connected as they should be, so that
/// pointers in the scene's lists may be null. Errors: as load_scene().
[[nodiscard]] core::Result<Scene> load_raw_scene(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits);

/// Loads an OBJ into gom.md's space; `library` is the text of its materials. Nothing else is opened. Errors: as load_scene().
[[nodiscard]] core::Result<Scene> load_obj_scene(std::span<const std::byte> bytes, std::span<const std::byte> library, const std::string& file,
                                                 const core::Limits& limits);

/// Metres a unit, as the file declares it; centimetres where it declares none. (ufbx's original_unit_meters is another property.)
[[nodiscard]] double declared_unit(const ufbx_scene& scene);

/// Whether something is needed that ufbx does not pass on: the face materials of a mesh whose first instance has fewer materials
/// than another.
[[nodiscard]] bool needs_document(const ufbx_scene& scene);
/// The largest number of materials that a node gives to this mesh.
[[nodiscard]] std::size_t instance_material_count(const ufbx_mesh& mesh);

/// The integers of one layer element as the file has them, one a face (mapping ByPolygon); empty when it is not there, is mapped
/// otherwise, or counts other faces. Needs a scene loaded with its document.
[[nodiscard]] std::vector<std::int32_t> document_layer(const ufbx_mesh& mesh, const char* element, const char* values);

/// The smoothing groups of the faces of each mesh (by typed_id), as bits; empty where a mesh has none by polygon. ufbx passes on only
/// whether a face has a group, so the file is read once more, with that layer under a name whose integers ufbx keeps.
/// Empty as a whole where that fails.
[[nodiscard]] std::vector<std::vector<std::int32_t>> load_smoothing_groups(std::span<const std::byte> bytes,
                                                                           const codec::ReadOptions& options);

/// From which of its skins each point of a mesh is taken.
struct SkinChoice {
    std::vector<std::uint32_t> of_point{};  ///< into skin_deformers; empty: all from the first
    std::uint64_t shared = 0;               ///< points that more than one skin has weights for
    [[nodiscard]] std::uint32_t of(std::size_t point) const { return of_point.empty() ? 0 : of_point[point]; }
};
/// The first skin that has a weight for the point, else the first of all. Points of one skin only are right by that, since another one
/// leaves them where they are.
[[nodiscard]] SkinChoice choose_skins(const ufbx_mesh& mesh);

/// Whether one of the mesh's skins asks for dual quaternions, all or in part.
[[nodiscard]] bool blends_by_dual_quaternions(const ufbx_mesh& mesh);

/// How far linear blending moves the points of each mesh (by typed_id) from where the file's own skinning has them, in metres: the
/// largest distance at the rest pose and at up to 33 times of every animation. 0 where the file blends linearly.
[[nodiscard]] std::vector<double> measure_linear_blending(std::span<const std::byte> bytes, const codec::ReadOptions& options);

/// How far points of each mesh (by typed_id) that several skins move one after the other are from where the first alone has them, in
/// metres, as measure_linear_blending() measures.
[[nodiscard]] std::vector<double> measure_skin_chains(std::span<const std::byte> bytes, const codec::ReadOptions& options);

/// Whether blend shapes follow a skin in the order of the mesh's deformers.
[[nodiscard]] bool has_late_shapes(const ufbx_mesh& mesh);

/// How far points of each mesh (by typed_id) move because late shapes are applied before the skin, in metres, as measure_linear_blending()
/// measures. 0 where the order is the usual one.
[[nodiscard]] std::vector<double> measure_late_shapes(std::span<const std::byte> bytes, const codec::ReadOptions& options);

/// What load_scene asks of ufbx.
[[nodiscard]] ufbx_load_opts load_options(const codec::ReadOptions& options);

/// Memory within the limits for everything ufbx does.
[[nodiscard]] ufbx_allocator_opts allocator_options(const core::Limits& limits);

/// Whether the bytes begin like an FBX file, ASCII or binary.
[[nodiscard]] bool looks_like_fbx(std::span<const std::byte> bytes);

[[nodiscard]] core::Error to_error(const ufbx_error& error, const std::string& file, const core::Limits& limits);

/// The name of a node's attribute: its own, or else that of the first node that has it.
[[nodiscard]] inline const ufbx_string& name_of(const ufbx_element& attribute) {
    const bool own = attribute.name.length != 0 || attribute.instances.count == 0 || attribute.instances.data[0] == nullptr;
    return own ? attribute.name : attribute.instances.data[0]->name;
}

[[nodiscard]] inline std::string_view view(const ufbx_string& s) { return {s.data, s.length}; }
[[nodiscard]] inline model::Vec3 to_vec3(const ufbx_vec3& v) { return {v.x, v.y, v.z}; }
[[nodiscard]] inline model::Quat to_quat(const ufbx_quat& q) { return {q.x, q.y, q.z, q.w}; }
[[nodiscard]] inline model::Transform to_transform(const ufbx_transform& t) {
    return {to_vec3(t.translation), to_quat(t.rotation), to_vec3(t.scale)};
}
/// Column vectors to row vectors: ufbx's columns are our rows.
[[nodiscard]] inline model::Mat4 to_matrix(const ufbx_matrix& m) {
    model::Mat4 out;
    for (std::size_t row = 0; row < 4; ++row) {
        out.m[row * 4 + 0] = m.cols[row].x;
        out.m[row * 4 + 1] = m.cols[row].y;
        out.m[row * 4 + 2] = m.cols[row].z;
        out.m[row * 4 + 3] = row == 3 ? 1 : 0;
    }
    return out;
}

}  // namespace gomkit::fbx
