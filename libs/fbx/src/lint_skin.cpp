#include <algorithm>
#include <cmath>

#include <gomkit/core/text.hpp>

#include "lint.hpp"

namespace gomkit::fbx {
namespace {

using core::IssueId;

constexpr std::uint32_t kTargetInfluences = 4;  // what a vertex of GOM holds
constexpr double kSumTolerance = 0.01;

bool can_invert(const ufbx_matrix& m) {
    double product = 1;
    for (int c = 0; c < 3; ++c) {
        const ufbx_vec3& v = m.cols[c];
        product *= std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    }
    const double determinant = ufbx_matrix_determinant(&m);
    return std::isfinite(product) && std::isfinite(determinant) && std::fabs(determinant) > 1e-9 * product && product > 1e-18;
}

// Of each point as the skin that it is taken from has it.
void lint_weights(Lint& lint, const ufbx_mesh& mesh) {
    const SkinChoice choice = choose_skins(mesh);
    std::vector<double> sum(mesh.num_vertices);
    std::vector<std::uint32_t> bones(mesh.num_vertices);
    std::uint64_t bad = 0;
    double first_bad = 0;
    const auto add = [&](const ufbx_skin_cluster& cluster, std::uint32_t skin) {
        for (std::size_t i = 0; i < std::min(cluster.vertices.count, cluster.weights.count); ++i) {
            const double weight = cluster.weights.data[i];
            const std::uint32_t vertex = cluster.vertices.data[i];
            if (!std::isfinite(weight) || weight < 0) {
                first_bad = bad++ == 0 ? weight : first_bad;
            } else if (vertex < mesh.num_vertices && weight > 0 && choice.of(vertex) == skin) {
                sum[vertex] += weight;
                ++bones[vertex];
            }
        }
    };
    for (std::uint32_t s = 0; s < mesh.skin_deformers.count; ++s) {
        for (const ufbx_skin_cluster* cluster : mesh.skin_deformers.data[s]->clusters) {
            if (cluster->bone_node != nullptr) {
                add(*cluster, s);
            }
        }
    }
    std::uint64_t unweighted = 0;
    std::uint64_t uneven = 0;
    std::uint64_t crowded = 0;
    std::size_t first_unweighted = 0;
    double worst = 1;
    std::uint32_t most = 0;
    for (std::size_t v = 0; v < mesh.num_vertices; ++v) {
        if (mesh.vertex_first_index.data[v] == UFBX_NO_INDEX) {
            continue;  // of no face
        }
        if (sum[v] == 0) {
            first_unweighted = unweighted++ == 0 ? v : first_unweighted;
        } else if (std::fabs(sum[v] - 1) > kSumTolerance) {
            ++uneven;
            worst = std::fabs(sum[v] - 1) > std::fabs(worst - 1) ? sum[v] : worst;
        }
        crowded += bones[v] > kTargetInfluences ? 1u : 0u;
        most = std::max(most, bones[v]);
    }
    const core::Place place = lint.at(mesh.element);
    if (bad != 0) {
        lint.report.add(IssueId::FBX_BAD_WEIGHT, place, {{"count", std::to_string(bad)}, {"found", core::number_text(first_bad)}});
    }
    if (unweighted != 0) {
        lint.report.add(IssueId::FBX_UNWEIGHTED, place, {{"count", std::to_string(unweighted)}, {"found", std::to_string(first_unweighted)}});
    }
    if (uneven != 0) {
        lint.report.add(IssueId::FBX_WEIGHT_SUM, place, {{"count", std::to_string(uneven)}, {"found", core::number_text(static_cast<float>(worst))}});
    }
    if (crowded != 0) {
        lint.report.add(IssueId::FBX_INFLUENCES, place, {{"count", std::to_string(crowded)}, {"found", std::to_string(most)}});
    }
}

void lint_clusters(Lint& lint, const ufbx_mesh& mesh, const ufbx_skin_deformer& skin) {
    const std::string mesh_name = lint.name(name_of(mesh.element));
    if (skin.clusters.count == 0) {
        lint.report.add(IssueId::FBX_SKIN_NO_CLUSTERS, lint.at(skin.element), {{"mesh", mesh_name}});
    }
    for (const ufbx_skin_cluster* cluster : skin.clusters) {
        const core::Place place = lint.at(cluster->element);
        if (cluster->bone_node == nullptr) {
            lint.report.add(IssueId::FBX_CLUSTER_NO_BONE, place, {{"mesh", mesh_name}, {"found", std::to_string(cluster->num_weights)}});
            continue;
        }
        if (cluster->num_weights == 0) {
            lint.report.add(IssueId::FBX_CLUSTER_NO_WEIGHTS, place, {{"mesh", mesh_name}});
        } else if (!can_invert(cluster->geometry_to_bone) && can_invert(cluster->bind_to_world)) {  // else the bone itself is reported
            lint.report.add(IssueId::FBX_CLUSTER_SINGULAR, place, {{"mesh", mesh_name}, {"bone", lint.name(cluster->bone_node->name)}});
        }
    }
}

double largest(const ufbx_matrix& m) {
    double size = 1;
    for (const double v : m.v) {
        size = std::fmax(size, std::fabs(v));
    }
    return size;
}

// Pose objects against where skins were bound: the same for every program that follows either.
void lint_poses(Lint& lint) {
    std::vector<const ufbx_skin_cluster*> bind_of(lint.scene.nodes.count);
    for (const ufbx_skin_cluster* cluster : lint.scene.skin_clusters) {
        if (cluster->bone_node != nullptr && bind_of[cluster->bone_node->typed_id] == nullptr) {
            bind_of[cluster->bone_node->typed_id] = cluster;
        }
    }
    for (const ufbx_pose* pose : lint.scene.poses) {
        if (!pose->is_bind_pose) {
            continue;
        }
        for (const ufbx_bone_pose& bone : pose->bone_poses) {
            const ufbx_skin_cluster* cluster = bone.bone_node != nullptr ? bind_of[bone.bone_node->typed_id] : nullptr;
            if (cluster == nullptr) {
                continue;
            }
            const ufbx_matrix& a = bone.bone_to_world;
            const ufbx_matrix& b = cluster->bind_to_world;
            double difference = 0;
            for (std::size_t i = 0; i < 12; ++i) {
                difference = std::fmax(difference, std::fabs(a.v[i] - b.v[i]));
            }
            if (difference > 1e-3 * std::fmax(largest(a), largest(b))) {
                const double x = a.m03 - b.m03;
                const double y = a.m13 - b.m13;
                const double z = a.m23 - b.m23;
                lint.report.add(IssueId::FBX_POSE_DIFFERS, lint.at(bone.bone_node->element),
                                {{"pose", lint.name(pose->name)}, {"found", core::number_text(static_cast<float>(std::sqrt(x * x + y * y + z * z)))}});
            }
        }
    }
}

}  // namespace

void lint_skins(Lint& lint) {
    for (const ufbx_mesh* mesh : lint.scene.meshes) {
        bool has_clusters = false;
        for (const ufbx_skin_deformer* skin : mesh->skin_deformers) {
            lint_clusters(lint, *mesh, *skin);
            has_clusters = has_clusters || skin->clusters.count != 0;
        }
        if (has_clusters) {
            lint_weights(lint, *mesh);
        }
    }
    lint_poses(lint);
}

}  // namespace gomkit::fbx
