#include <gomkit/pass/bound_mesh.hpp>

#include <algorithm>
#include <cmath>

#include <gomkit/pass/normals.hpp>
#include <gomkit/pass/triangulate.hpp>

#include "unit.hpp"

namespace gomkit::pass {
namespace {

using core::IssueId;
using model::Mat4;
using model::Vec2;
using model::Vec3;

bool is_usable(const Mat4& m) {
    Mat4 inverse;
    return inverse_affine(m, inverse) && std::all_of(std::begin(inverse.m), std::end(inverse.m), [](double v) { return std::isfinite(v); });
}

}  // namespace

InstanceBinder::InstanceBinder(const model::Model& model, const model::Skeleton& skeleton, std::span<const std::uint32_t> number_of_bone)
    : model_(model), skeleton_(skeleton), number_of_bone_(number_of_bone), node_to_model_(model::rest_to_model(model)) {}

BoundInstance InstanceBinder::bind(const model::MeshInstance& instance, core::Report& report) const {
    const model::Mesh& mesh = model_.meshes[instance.mesh.value];
    BoundInstance out;
    const std::int32_t near = instance.node.valid() ? skeleton_.nearest_bone_of_node[instance.node.value] : -1;
    const Mat4 at_rest = instance.node.valid() ? instance.geometry_to_node * node_to_model_[instance.node.value] : instance.geometry_to_node;
    if (mesh.skin && !mesh.skin->clusters.empty()) {
        bool singular = false;
        std::size_t first = 0;
        for (const model::Cluster& cluster : mesh.skin->clusters) {
            const auto bone = static_cast<std::size_t>(std::max(cluster.bone.valid() ? skeleton_.bone_of_node[cluster.bone.value] : 0, 0));
            const bool usable = is_usable(cluster.geometry_to_bone);
            singular = singular || !usable;
            Mat4 image = usable ? cluster.geometry_to_bone * skeleton_.bones[bone].bind_model : at_rest;
            if (!instance.node.valid()) {
                image = image * instance.geometry_to_node;    // a part in model space is placed after it is skinned
            }
            out.of_cluster.push_back(image);
            out.number_of_cluster.push_back(number_of_bone_[bone]);
            if (out.number_of_cluster.back() < out.number_of_cluster[first]) {
                first = out.number_of_cluster.size() - 1;
            }
        }
        if (singular) {
            report.add(IssueId::MESH_SINGULAR_BIND, core::Place{{}, instance.name, std::nullopt, std::nullopt});
        }
        out.placement = out.of_cluster[first];
        out.number = near >= 0 ? number_of_bone_[static_cast<std::size_t>(near)] : 0;
        return out;
    }
    if (near < 0) {
        out.placement = at_rest;
        return out;
    }
    // Moves with one bone: through the rest pose into its space, from there to model space at bind.
    out.placement = model::geometry_to_bone_at_rest(model_, skeleton_, instance) * skeleton_.bones[static_cast<std::size_t>(near)].bind_model;
    out.number = number_of_bone_[static_cast<std::size_t>(near)];
    return out;
}

std::vector<BoundWeight> bound_weights(const model::Mesh& mesh, const BoundInstance& bound, std::uint32_t point) {
    std::vector<BoundWeight> list;
    if (bound.of_cluster.empty()) {
        return list;
    }
    double total = 0;
    const model::Skin& skin = *mesh.skin;
    for (std::uint32_t i = skin.first[point]; i < skin.first[point + 1]; ++i) {
        const model::Influence& influence = skin.influences[i];
        if (!std::isfinite(influence.weight)) {
            return {};
        }
        if (influence.weight > 0) {
            list.push_back({bound.number_of_cluster[influence.cluster], influence.weight, transform_point(mesh.points[point], bound.of_cluster[influence.cluster])});
            total += influence.weight;
        }
    }
    if (list.empty() || !std::isfinite(total)) {
        return {};
    }
    std::stable_sort(list.begin(), list.end(), [](const BoundWeight& a, const BoundWeight& b) { return a.number < b.number; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        BoundWeight& last = list[kept == 0 ? 0 : kept - 1];
        if (kept != 0 && last.number == list[i].number) {
            const double both = last.weight + list[i].weight;
            last.image = lerp(last.image, list[i].image, list[i].weight / both);
            last.weight = both;
        } else {
            list[kept++] = list[i];
        }
    }
    list.resize(kept);
    for (BoundWeight& w : list) {
        w.weight /= total;
    }
    return list;
}

void bound_triangles(const model::Mesh& mesh, const BoundInstance& bound, NormalMode normals, BoundTriangleStats& stats,
                     const std::function<void(const BoundTriangle&)>& visit) {
    const bool flip = determinant3(bound.placement) < 0;
    const Mat4 normal_matrix = cofactor3(bound.placement);
    stats.normals_generated = normals == NormalMode::Generate || !mesh.normals.exists();
    const std::vector<Vec3> generated = stats.normals_generated ? generate_normals(mesh) : std::vector<Vec3>();
    const auto direction = [&](const Vec3& n) { return normalized(transform_vector(n, normal_matrix) * (flip ? -1.0 : 1.0)); };
    std::vector<std::uint32_t> cut;
    for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
        const std::uint32_t first = mesh.polygon_first[p];
        const std::uint32_t count = mesh.polygon_first[p + 1] - first;
        cut.clear();
        if (count == 3) {
            cut = {0, 1, 2};
        } else if (!triangulate(mesh.points, std::span(mesh.corner_point).subspan(first, count), cut)) {
            ++stats.bad_polygons;
        }
        for (std::size_t t = 0; t + 2 < cut.size(); t += 3) {
            const std::array<std::uint32_t, 3> corners{first + cut[t], first + cut[t + (flip ? 2 : 1)], first + cut[t + (flip ? 1 : 2)]};
            BoundTriangle triangle;
            triangle.slot = mesh.polygon_material.empty() ? 0 : mesh.polygon_material[p];
            for (std::size_t k = 0; k < 3; ++k) {
                triangle.points[k] = mesh.corner_point[corners[k]];
                Vec3 n = direction(stats.normals_generated ? generated[corners[k]] : mesh.normals.values[mesh.normals.corner_index[corners[k]]]);
                if (!is_unit(n)) {
                    const auto at = [&](std::size_t c) { return mesh.points[mesh.corner_point[first + cut[t + c]]]; };
                    n = direction(cross(at(1) - at(0), at(2) - at(0)));
                    n = is_unit(n) ? n : Vec3{0, 1, 0};
                }
                triangle.normals[k] = n;
                if (!mesh.uvs.empty() && mesh.uvs[0].exists()) {
                    triangle.uvs[k] = mesh.uvs[0].values[mesh.uvs[0].corner_index[corners[k]]];
                }
            }
            visit(triangle);
        }
    }
}

void report_bound(const model::MeshInstance& instance, const BoundTriangleStats& stats, const BoundFindings& findings, core::Report& report) {
    const auto say = [&](IssueId id, std::uint64_t n) {
        if (n != 0) {
            report.add(id, core::Place{{}, instance.name, std::nullopt, std::nullopt}, {{"count", std::to_string(n)}, {"bone", findings.bone}});
        }
    };
    say(IssueId::MESH_UNWEIGHTED, findings.unweighted);
    say(IssueId::MESH_NON_FINITE, findings.non_finite);
    say(IssueId::MESH_BAD_POLYGON, stats.bad_polygons);
    say(IssueId::MESH_NORMALS_GENERATED, stats.normals_generated ? 1 : 0);
}

}  // namespace gomkit::pass
