#include <algorithm>
#include <cmath>

#include "clip_keys.hpp"
#include "scene.hpp"

namespace gomkit::fbx {
namespace {

// Where linear blending has a point, with all its weights; false where it has none.
bool blend(const ufbx_skin_deformer& skin, std::size_t vertex, const ufbx_vec3& point, model::Vec3& out) {
    out = {0, 0, 0};
    if (vertex >= skin.vertices.count) {
        return false;
    }
    const ufbx_skin_vertex& range = skin.vertices.data[vertex];
    double sum = 0;
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
        const SkinChoice choice = choose_skins(*mesh);
        for (std::size_t v = 0; v < mesh->num_vertices; ++v) {
            const ufbx_skin_deformer& skin = *mesh->skin_deformers.data[choice.of(v)];
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
        const SkinChoice choice = choose_skins(*mesh);
        std::vector<ufbx_vec3> late(mesh->num_vertices);
        std::vector<bool> passed(mesh->skin_deformers.count);
        for (const ufbx_element* deformer : mesh->all_deformers) {
            auto* const skin = std::find_if(mesh->skin_deformers.begin(), mesh->skin_deformers.end(), [&](const ufbx_skin_deformer* s) { return &s->element == deformer; });
            if (skin != mesh->skin_deformers.end()) {
                passed[static_cast<std::size_t>(skin - mesh->skin_deformers.begin())] = true;
            }
            if (const ufbx_blend_deformer* blend = ufbx_as_blend_deformer(deformer)) {
                std::vector<ufbx_vec3> offsets(mesh->num_vertices);
                ufbx_add_blend_vertex_offsets(blend, offsets.data(), offsets.size(), 1);
                for (std::size_t v = 0; v < offsets.size(); ++v) {
                    late[v] = passed[choice.of(v)] ? ufbx_vec3{{{late[v].x + offsets[v].x, late[v].y + offsets[v].y, late[v].z + offsets[v].z}}} : late[v];
                }
            }
        }
        const ufbx_matrix& still = mesh->instances.data[0]->geometry_to_world;
        for (std::size_t v = 0; v < late.size(); ++v) {
            const ufbx_matrix early = ufbx_get_skin_vertex_matrix(mesh->skin_deformers.data[choice.of(v)], v, &still);
            add_worst(worst[mesh->typed_id], length(to_vec3(ufbx_transform_direction(&early, late[v])) - to_vec3(ufbx_transform_direction(&still, late[v]))));
        }
    }
}

// From the world, as it was when the skin was bound, to the mesh's own space: where the next skin takes its points.
ufbx_matrix world_to_geometry_at_bind(const ufbx_skin_deformer& skin) {
    if (skin.clusters.count == 0) {
        return ufbx_identity_matrix;
    }
    const ufbx_skin_cluster& cluster = *skin.clusters.data[0];
    const ufbx_matrix placed = ufbx_matrix_mul(&cluster.bind_to_world, &cluster.geometry_to_bone);
    return ufbx_matrix_invert(&placed);
}

// Several skins as Maya applies them: each to what the one before it made, in the mesh's own space.
void compare_skin_chains(const ufbx_scene& scene, std::vector<double>& worst) {
    for (const ufbx_mesh* mesh : scene.meshes) {
        if (choose_skins(*mesh).shared == 0) {
            continue;
        }
        std::vector<ufbx_vec3> points(mesh->vertices.begin(), mesh->vertices.end());
        for (const ufbx_blend_deformer* deformer : mesh->blend_deformers) {
            ufbx_add_blend_vertex_offsets(deformer, points.data(), points.size(), 1);
        }
        std::vector<ufbx_matrix> back;
        for (const ufbx_skin_deformer* skin : mesh->skin_deformers) {
            back.push_back(world_to_geometry_at_bind(*skin));
        }
        for (std::size_t v = 0; v < points.size(); ++v) {
            std::vector<model::Vec3> placed;  // in the world, by each of its skins
            ufbx_vec3 point = points[v];
            for (std::size_t s = 0; s < mesh->skin_deformers.count; ++s) {
                const ufbx_skin_deformer& skin = *mesh->skin_deformers.data[s];
                model::Vec3 blended;
                if (blend(skin, v, point, blended)) {
                    const ufbx_matrix own = ufbx_get_skin_vertex_matrix(&skin, v, &ufbx_identity_matrix);
                    const ufbx_vec3 world = ufbx_transform_position(&own, point);
                    placed.push_back(to_vec3(world));
                    point = ufbx_transform_position(&back[s], world);
                }
            }
            if (placed.size() > 1) {
                add_worst(worst[mesh->typed_id], length(placed.back() - placed.front()));
            }
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
    return std::any_of(mesh.skin_deformers.begin(), mesh.skin_deformers.end(), [](const ufbx_skin_deformer* skin) {
        return skin->skinning_method == UFBX_SKINNING_METHOD_DUAL_QUATERNION || skin->skinning_method == UFBX_SKINNING_METHOD_BLENDED_DQ_LINEAR;
    });
}

SkinChoice choose_skins(const ufbx_mesh& mesh) {
    SkinChoice out;
    if (mesh.skin_deformers.count < 2) {
        return out;
    }
    out.of_point.assign(mesh.num_vertices, model::kNoIndex);
    std::vector<bool> shared(mesh.num_vertices);
    for (std::uint32_t s = 0; s < mesh.skin_deformers.count; ++s) {
        for (const ufbx_skin_cluster* cluster : mesh.skin_deformers.data[s]->clusters) {
            for (std::size_t i = 0; cluster->bone_node != nullptr && i < std::min(cluster->vertices.count, cluster->weights.count); ++i) {
                const std::uint32_t point = cluster->vertices.data[i];
                if (point < mesh.num_vertices && cluster->weights.data[i] > 0) {
                    std::uint32_t& first = out.of_point[point];
                    first = std::min(first, s);
                    shared[point] = shared[point] || first != s;
                }
            }
        }
    }
    std::replace(out.of_point.begin(), out.of_point.end(), model::kNoIndex, 0u);
    out.shared = static_cast<std::uint64_t>(std::count(shared.begin(), shared.end(), true));
    return out;
}

std::vector<double> measure_linear_blending(std::span<const std::byte> bytes, const codec::ReadOptions& options) {
    return measure(bytes, options, compare_linear_blending);
}

std::vector<double> measure_skin_chains(std::span<const std::byte> bytes, const codec::ReadOptions& options) {
    return measure(bytes, options, compare_skin_chains);
}

std::vector<double> measure_late_shapes(std::span<const std::byte> bytes, const codec::ReadOptions& options) {
    return measure(bytes, options, compare_late_shapes);
}

}  // namespace gomkit::fbx
