#include <algorithm>
#include <cmath>

#include "clip_keys.hpp"
#include "scene.hpp"

namespace gomkit::fbx {
namespace {

// Where linear blending has a point, with all its weights; false where it has none.
bool blend(const ufbx_skin_deformer& skin, std::size_t vertex, const ufbx_vec3& point, model::Vec3& out) {
    const ufbx_skin_vertex& range = skin.vertices.data[vertex];
    double sum = 0;
    out = {0, 0, 0};
    for (std::uint32_t w = 0; w < range.num_weights; ++w) {
        const ufbx_skin_weight& weight = skin.weights.data[range.weight_begin + w];
        out += to_vec3(ufbx_transform_position(&skin.clusters.data[weight.cluster_index]->geometry_to_world, point)) * weight.weight;
        sum += weight.weight;
    }
    if (!(sum > 0)) {
        return false;
    }
    out = out * (1 / sum);
    return true;
}

void add_worst(double& worst, double distance) { worst = std::isfinite(distance) ? std::fmax(worst, distance) : worst; }

void compare_linear_blending(const ufbx_scene& scene, std::vector<double>& worst) {
    for (const ufbx_mesh* mesh : scene.meshes) {
        if (!blends_by_dual_quaternions(*mesh)) {
            continue;
        }
        const ufbx_skin_deformer& skin = *mesh->skin_deformers.data[0];
        for (std::size_t v = 0; v < std::min(mesh->num_vertices, skin.vertices.count); ++v) {
            const ufbx_vec3 point = mesh->vertices.data[v];
            const ufbx_matrix own = ufbx_get_skin_vertex_matrix(&skin, v, &ufbx_identity_matrix);
            model::Vec3 linear;
            if (blend(skin, v, point, linear)) {
                add_worst(worst[mesh->typed_id], length(linear - to_vec3(ufbx_transform_position(&own, point))));
            }
        }
    }
}

// A late shape moves points as the mesh's node stands, an early one as their bones do.
void compare_late_shapes(const ufbx_scene& scene, std::vector<double>& worst) {
    for (const ufbx_mesh* mesh : scene.meshes) {
        if (!has_late_shapes(*mesh) || mesh->instances.count == 0) {
            continue;
        }
        std::vector<ufbx_vec3> offsets(mesh->num_vertices);
        for (const ufbx_blend_deformer* deformer : mesh->blend_deformers) {
            ufbx_add_blend_vertex_offsets(deformer, offsets.data(), offsets.size(), 1);
        }
        const ufbx_skin_deformer& skin = *mesh->skin_deformers.data[0];
        const ufbx_matrix& late = mesh->instances.data[0]->geometry_to_world;
        for (std::size_t v = 0; v < std::min(offsets.size(), skin.vertices.count); ++v) {
            const ufbx_matrix early = ufbx_get_skin_vertex_matrix(&skin, v, &late);
            add_worst(worst[mesh->typed_id], length(to_vec3(ufbx_transform_direction(&early, offsets[v])) - to_vec3(ufbx_transform_direction(&late, offsets[v]))));
        }
    }
}

// The worst that `compare` finds at the rest pose and over all animations.
template <class Compare>
std::vector<double> measure(std::span<const std::byte> bytes, const codec::ReadOptions& options, const Compare& compare) {
    constexpr std::size_t kTimes = 33;      // of an animation, both ends among them
    constexpr std::size_t kAllTimes = 330;  // of a file
    ufbx_load_opts opts = load_options(options);
    opts.skip_skin_vertices = false;
    opts.ignore_embedded = true;
    const Scene scene(ufbx_load_memory(bytes.data(), bytes.size(), &opts, nullptr));
    if (!scene) {
        return {};
    }
    std::vector<double> worst(scene->meshes.count);
    compare(*scene, worst);
    ufbx_evaluate_opts how{};
    how.temp_allocator = allocator_options(options.limits);
    how.result_allocator = allocator_options(options.limits);
    std::size_t left = kAllTimes;
    for (const ufbx_anim_stack* stack : scene->anim_stacks) {
        const Played played = played_layers(*scene, *stack);
        const std::size_t times = stack->time_end > stack->time_begin ? kTimes : 1;
        for (std::size_t i = 0; i < times && left != 0; ++i, --left) {
            const double part = times > 1 ? static_cast<double>(i) / static_cast<double>(times - 1) : 0;
            const Scene posed(ufbx_evaluate_scene(scene.get(), played.anim, stack->time_begin + part * (stack->time_end - stack->time_begin), &how, nullptr));
            if (posed) {
                compare(*posed, worst);
            }
        }
    }
    return worst;
}

}  // namespace

bool has_late_shapes(const ufbx_mesh& mesh) {
    const auto is = [](ufbx_element_type type) { return [=](const ufbx_element* e) { return e->type == type; }; };
    auto* const end = mesh.all_deformers.end();
    auto* const skin = std::find_if(mesh.all_deformers.begin(), end, is(UFBX_ELEMENT_SKIN_DEFORMER));
    return std::any_of(skin, end, is(UFBX_ELEMENT_BLEND_DEFORMER));
}

bool blends_by_dual_quaternions(const ufbx_mesh& mesh) {
    if (mesh.skin_deformers.count == 0) {
        return false;
    }
    const ufbx_skinning_method method = mesh.skin_deformers.data[0]->skinning_method;
    return method == UFBX_SKINNING_METHOD_DUAL_QUATERNION || method == UFBX_SKINNING_METHOD_BLENDED_DQ_LINEAR;
}

std::vector<double> measure_linear_blending(std::span<const std::byte> bytes, const codec::ReadOptions& options) {
    return measure(bytes, options, compare_linear_blending);
}

std::vector<double> measure_late_shapes(std::span<const std::byte> bytes, const codec::ReadOptions& options) {
    return measure(bytes, options, compare_late_shapes);
}

}  // namespace gomkit::fbx
