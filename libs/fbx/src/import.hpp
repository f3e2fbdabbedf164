#pragma once

#include <string>
#include <vector>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "names.hpp"
#include "scene.hpp"

namespace gomkit::fbx {

/// What the parts of the import share.
struct Import {
    const ufbx_scene& scene;
    const codec::ReadOptions& options;
    core::Report& report;
    model::Model model;
    std::vector<model::NodeId> node_of;         ///< per ufbx node (typed_id); the implicit root has none
    std::vector<model::MeshId> mesh_of;         ///< per ufbx mesh
    std::vector<std::size_t> slots_of;          ///< per ufbx mesh: how many material slots its polygons use
    std::vector<model::MaterialId> material_of; ///< per ufbx material
    Names names;
    std::uint64_t cleaned_names = 0;
    bool compact_points = false;  ///< meshes share one list of points: take of it what their faces use

    /// A name as our formats may hold it; counts those that had to be changed.
    [[nodiscard]] std::string name(const ufbx_string& s);
};

void import_materials(Import& in);
/// Meshes with their layers and skins; needs node_of.
void import_meshes(Import& in);
void import_nodes(Import& in);
/// Placed meshes, ordered by the path of their node, then by source order.
[[nodiscard]] core::Result<void> import_instances(Import& in);
/// The bind pose of each node from the skins; needs instances and clips.
void import_binds(Import& in);
[[nodiscard]] core::Result<void> import_clips(Import& in, const std::string& file);
/// What was changed in names: at most one warning for their encoding and one for what could not be kept.
void report_names(const Names& names, std::uint64_t cleaned, core::Report& report);
/// Counts what the Model has no place for.
void report_losses(Import& in);

}  // namespace gomkit::fbx
