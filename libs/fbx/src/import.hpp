#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/pass/flip_axes.hpp>

#include "clip_keys.hpp"
#include "names.hpp"
#include "profile.hpp"
#include "scene.hpp"

namespace gomkit::fbx {

/// A property of one of the file's elements.
struct ElementProperty {
    const ufbx_element* element = nullptr;
    std::string_view property;
};

/// Where a morph channel of the model came from.
struct MorphSource {
    const ufbx_blend_channel* source = nullptr;
    model::MeshId mesh;
    std::uint32_t channel = 0;  ///< into Mesh::morphs
    ElementProperty weight;     ///< what animates it
};

/// What the parts of the import share.
struct Import {
    const ufbx_scene& scene;
    const codec::ReadOptions& options;
    core::Report& report;
    Names names;
    const Profile& profile = kNoProfile;
    model::Model model{};
    std::vector<model::NodeId> node_of{};         ///< per ufbx node (typed_id); the implicit root has none
    std::vector<bool> skipped{};                  ///< per ufbx node: its meshes are not wanted (select_nodes)
    std::vector<model::MeshId> mesh_of{};         ///< per ufbx mesh
    std::vector<model::MeshId> surface_of{};      ///< per ufbx NURBS surface
    std::vector<const ufbx_mesh*> source_of{};    ///< per mesh of the model; nullptr: a NURBS surface
    std::vector<std::size_t> slots_of{};          ///< per ufbx mesh: how many material slots its polygons use
    std::vector<MorphSource> morph_sources{};     ///< by mesh and channel
    std::uint64_t morph_shapes = 0;               ///< of all meshes, and the points that they move
    std::uint64_t morph_points = 0;
    std::vector<model::MaterialId> material_of{}; ///< per ufbx material
    /// The file's bytes, for what ufbx does not pass on at its first reading.
    std::span<const std::byte> bytes{};
    std::optional<std::vector<std::vector<std::int32_t>>> smoothing_groups{};  ///< per ufbx mesh, read when one is asked for
    std::optional<std::vector<double>> linear_errors{};  ///< per ufbx mesh, metres, measured when one is asked for
    std::optional<std::vector<double>> late_errors{};    ///< likewise, of shapes that follow the skin
    std::optional<std::vector<double>> chain_errors{};   ///< likewise, of skins one after the other
    double unit_factor = 1;                              ///< what settle_space will do to lengths
    std::uint64_t cleaned_names = 0;
    bool compact_points = false;  ///< meshes share one list of points: take of it what their faces use

    /// The mesh that a node's attribute became; invalid where it is none, or is not read.
    [[nodiscard]] model::MeshId mesh_for(const ufbx_element* attribute) const;
    /// A name as our formats may hold it; counts those that had to be changed.
    [[nodiscard]] std::string name(const ufbx_string& s);
    /// A measured distance of the mesh in the model's metres, rounded up, for a finding.
    [[nodiscard]] std::string distance_text(const std::vector<double>& errors, const ufbx_mesh& mesh) const;
};

/// What turns gom.md's space as the file's own words made it into the one that the options ask for.
struct SpaceChange {
    pass::AxisMap axes;
    double factor = 1;
    bool axes_unknown = false;  ///< neither the file nor the options say anything
    bool unit_unknown = false;
};
/// Errors: Usage, where the options contradict each other or are no axes and units.
[[nodiscard]] core::Result<SpaceChange> space_change(const ufbx_scene& scene, const codec::SceneOptions& options);
/// Applies it to the finished model and says what was assumed.
void settle_space(Import& in, const SpaceChange& change);

void import_materials(Import& in);
/// Marks the nodes whose meshes the options leave out: hidden ones, other levels of detail. Counts and reports them.
void select_nodes(Import& in);
/// Meshes with their layers and skins, subdivided where that is asked for, and NURBS surfaces as meshes; needs node_of.
/// Errors: LimitExceeded, Usage.
[[nodiscard]] core::Result<void> import_meshes(Import& in);
/// Whether import_meshes may read the file's bytes once more: for smoothing groups, or to measure skins that are not linear or
/// several, or shapes that follow a skin.
[[nodiscard]] bool meshes_need_bytes(const Import& in);
void import_nodes(Import& in);
/// Lights, cameras and user properties, in the order of the nodes that have them; needs the nodes.
void import_attributes(Import& in);
/// Placed meshes, ordered by the path of their node, then by source order.
[[nodiscard]] core::Result<void> import_instances(Import& in);
/// The bind pose of each node from the skins; needs instances and clips.
void import_binds(Import& in);
[[nodiscard]] core::Result<void> import_clips(Import& in, const std::string& file);
/// The skin of a mesh: each point as its skin of choose_skins() moves it. `file` is the mesh that `source` is, or was subdivided from.
void read_skin(Import& in, const ufbx_mesh& source, const ufbx_mesh& file, model::Mesh& out);
/// The blend shapes of a mesh, deformer by deformer. `file` is the mesh that `source` is, or was subdivided from; `out` holds all its
/// points and will be `mesh`. A shape that is reached where another one of its channel is, or at 0, is left out and reported.
/// Errors: LimitExceeded.
[[nodiscard]] core::Result<void> read_morphs(Import& in, const ufbx_mesh& source, const ufbx_mesh& file, model::MeshId mesh, model::Mesh& out);

/// Those of a NURBS surface, which move its control points; `cut` is what `out` was made of. Errors: LimitExceeded.
[[nodiscard]] core::Result<void> read_surface_morphs(Import& in, const ufbx_nurbs_surface& surface, const ufbx_mesh& cut, model::MeshId mesh, model::Mesh& out);
/// In the file's order; ufbx lists them for meshes only.
[[nodiscard]] std::vector<const ufbx_blend_deformer*> blend_deformers_of(const ufbx_nurbs_surface& surface);

/// A stack as it is sampled.
struct ClipSource {
    const ufbx_baked_anim& bake;
    const Played& played;
    const ClipTime& time;
    double fps = 0;
    double begin = 0;  ///< seconds of the source
    double end = 0;
};
/// Weights that a stack animates, by mesh and channel; counts what else it animates as lost. Needs the clip's name and duration.
void read_morph_tracks(Import& in, const ClipSource& source, model::Clip& clip);

/// What was changed in names: at most one warning for their encoding and one for what could not be kept.
void report_names(const Names& names, std::uint64_t cleaned, core::Report& report);
/// Counts what the Model has no place for.
void report_losses(Import& in);

}  // namespace gomkit::fbx
