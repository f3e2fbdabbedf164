#include "import.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gomkit::fbx {
namespace {

bool has_mesh(const ufbx_node& node) {
    return std::any_of(node.all_attribs.begin(), node.all_attribs.end(), [](const ufbx_element* a) { return ufbx_as_mesh(a) != nullptr || ufbx_as_nurbs_surface(a) != nullptr; });
}

bool is_lod_group(const ufbx_node& node) {
    return std::any_of(node.all_attribs.begin(), node.all_attribs.end(), [](const ufbx_element* a) { return ufbx_as_lod_group(a) != nullptr; });
}

// The file's own children of a node, in its order: a helper that ufbx put in between stands for none of them.
std::vector<const ufbx_node*> levels_of(const ufbx_node& group) {
    std::vector<const ufbx_node*> out;
    for (const ufbx_node* child : group.children) {
        if (!child->is_scale_helper && !child->is_geometry_transform_helper) {
            out.push_back(child);
        }
    }
    if (group.scale_helper != nullptr) {
        out.insert(out.end(), group.scale_helper->children.begin(), group.scale_helper->children.end());
    }
    return out;
}

// Marks all nodes below one that `is_first` says, and that one. Parents come before their children in ufbx's list.
template <class Pick>
std::vector<bool> subtrees(const ufbx_scene& scene, Pick is_first) {
    std::vector<bool> out(scene.nodes.count);
    for (const ufbx_node* node : scene.nodes) {
        const bool above = node->parent != nullptr && out[node->parent->typed_id];
        out[node->typed_id] = is_first(*node, above);
    }
    return out;
}

}  // namespace

void select_nodes(Import& in) {
    const ufbx_scene& scene = in.scene;
    const codec::SceneOptions& options = in.options.scene;
    in.skipped.assign(scene.nodes.count, false);
    const auto skip = [&](const std::vector<bool>& marked) {
        std::uint64_t meshes = 0;
        for (const ufbx_node* node : scene.nodes) {
            if (marked[node->typed_id] && !in.skipped[node->typed_id]) {
                in.skipped[node->typed_id] = true;
                meshes += has_mesh(*node) ? 1u : 0u;
            }
        }
        return std::to_string(meshes);
    };
    if (options.level_of_detail.value_or(0) != codec::SceneOptions::kAllLevels) {
        std::vector<bool> other(scene.nodes.count);
        for (const ufbx_node* node : scene.nodes) {
            if (!is_lod_group(*node)) {
                continue;
            }
            const std::vector<const ufbx_node*> levels = levels_of(*node);
            for (std::size_t i = 0; i < levels.size(); ++i) {
                other[levels[i]->typed_id] = i != std::min<std::size_t>(options.level_of_detail.value_or(0), levels.size() - 1);
            }
        }
        const std::string count = skip(subtrees(scene, [&](const ufbx_node& node, bool above) { return above || other[node.typed_id]; }));
        if (count != "0") {
            in.report.add(core::IssueId::FBX_LOD_SKIPPED, {}, {{"count", count}});
        }
    }
    if (options.skip_hidden) {
        const std::string count = skip(subtrees(scene, [](const ufbx_node& node, bool above) {
            return !node.visible || (above && ufbx_find_bool(&node.props, "Visibility Inheritance", true));
        }));
        if (count != "0") {
            in.report.add(core::IssueId::FBX_HIDDEN_SKIPPED, {}, {{"count", count}});
        }
    }
}

}  // namespace gomkit::fbx
