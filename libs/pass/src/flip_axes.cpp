#include <gomkit/pass/flip_axes.hpp>

#include <algorithm>

namespace gomkit::pass {
namespace {

using model::Mat4;
using model::Quat;
using model::Vec3;

Vec3 mirrored(const Vec3& v) { return {-v.x, v.y, v.z}; }

// Mirroring conjugates a rotation: the axis is mirrored and the turn reversed.
Quat mirrored(const Quat& q) { return {q.x, -q.y, -q.z, q.w}; }

// D * M * D with D = diag(-1, 1, 1, 1).
Mat4 mirrored(Mat4 m) {
    for (const std::size_t i : {1u, 2u, 3u, 4u, 8u, 12u}) {
        m.m[i] = -m.m[i];
    }
    return m;
}

model::Transform mirrored(const model::Transform& t) { return {mirrored(t.translation), mirrored(t.rotation), t.scale}; }

void reverse_polygon(model::Mesh& mesh, std::uint32_t first, std::uint32_t end) {
    const auto reverse = [&](auto& corners) {
        if (!corners.empty()) {
            std::reverse(corners.begin() + first + 1, corners.begin() + end);
        }
    };
    reverse(mesh.corner_point);
    reverse(mesh.normals.corner_index);
    reverse(mesh.tangents.corner_index);
    for (auto& layer : mesh.uvs) {
        reverse(layer.corner_index);
    }
    for (auto& layer : mesh.colors) {
        reverse(layer.corner_index);
    }
    // Edge c runs from corner c to the next; after the reversal every edge starts at its other end.
    if (!mesh.hard_edge.empty()) {
        std::reverse(mesh.hard_edge.begin() + first, mesh.hard_edge.begin() + end);
    }
}

}  // namespace

void mirror_x(model::Model& model) {
    for (model::Node& node : model.nodes) {
        node.rest = mirrored(node.rest);
        node.bind_local = mirrored(node.bind_local);
    }
    for (model::Mesh& mesh : model.meshes) {
        for (Vec3& p : mesh.points) {
            p = mirrored(p);
        }
        for (Vec3& n : mesh.normals.values) {
            n = mirrored(n);
        }
        for (model::Vec4& t : mesh.tangents.values) {
            t = {-t.x, t.y, t.z, -t.w};
        }
        for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
            reverse_polygon(mesh, mesh.polygon_first[p], mesh.polygon_first[p + 1]);
        }
        if (mesh.skin) {
            for (model::Cluster& cluster : mesh.skin->clusters) {
                cluster.geometry_to_bone = mirrored(cluster.geometry_to_bone);
            }
        }
    }
    for (model::MeshInstance& instance : model.instances) {
        instance.geometry_to_node = mirrored(instance.geometry_to_node);
    }
    for (model::Clip& clip : model.clips) {
        for (model::Track& track : clip.tracks) {
            for (auto& key : track.translation) {
                key.value = mirrored(key.value);
            }
            for (auto& key : track.rotation) {
                key.value = mirrored(key.value);
            }
        }
    }
}

}  // namespace gomkit::pass
