#include <algorithm>
#include <cmath>

#include "lint.hpp"

namespace gomkit::fbx {
namespace {

using core::IssueId;

bool moves(const ufbx_blend_shape& shape) {
    const auto is_moved = [](const ufbx_vec3& v) { return v.x != 0 || v.y != 0 || v.z != 0; };
    return std::any_of(shape.position_offsets.begin(), shape.position_offsets.end(), is_moved) ||
           std::any_of(shape.normal_offsets.begin(), shape.normal_offsets.end(), is_moved);
}

void lint_shape(Lint& lint, const ufbx_blend_shape& shape, const ufbx_blend_channel& channel, std::size_t point_count) {
    const core::Place place = lint.at(shape.element);
    const std::string name = lint.name(channel.name);
    if (!moves(shape)) {
        lint.report.add(IssueId::FBX_SHAPE_STILL, place, {{"channel", name}});
    }
    const auto astray = std::count_if(shape.offset_vertices.begin(), shape.offset_vertices.end(), [&](std::uint32_t v) { return v >= point_count; });
    if (astray != 0) {
        lint.report.add(IssueId::FBX_SHAPE_ASTRAY, place, {{"channel", name}, {"count", std::to_string(astray)}});
    }
    std::uint64_t bad = 0;
    for (const ufbx_vec3& v : shape.position_offsets) {
        bad += std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) ? 0u : 1u;
    }
    if (bad != 0) {
        lint.report.add(IssueId::FBX_NAN, place, {{"count", std::to_string(bad)}, {"what", "offsets"}});
    }
}

}  // namespace

void lint_morphs(Lint& lint) {
    for (const ufbx_mesh* mesh : lint.scene.meshes) {
        for (const ufbx_blend_deformer* deformer : mesh->blend_deformers) {
            if (deformer == nullptr) {
                continue;
            }
            for (const ufbx_blend_channel* channel : deformer->channels) {
                if (channel == nullptr) {
                    continue;
                }
                if (channel->keyframes.count == 0) {
                    lint.report.add(IssueId::FBX_SHAPE_NONE, lint.at(channel->element),
                                    {{"channel", lint.name(name_of(channel->element))}, {"mesh", lint.name(name_of(mesh->element))}});
                }
                for (const ufbx_blend_keyframe& key : channel->keyframes) {
                    if (key.shape != nullptr) {
                        lint_shape(lint, *key.shape, *channel, mesh->num_vertices);
                    }
                }
            }
        }
    }
}

}  // namespace gomkit::fbx
