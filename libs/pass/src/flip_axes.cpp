#include <gomkit/pass/flip_axes.hpp>

#include <algorithm>

namespace gomkit::pass {
namespace {

using model::Mat4;
using model::Quat;
using model::Vec3;

// Conjugation by an axis map and a factor.
class Change {
public:
    Change(const AxisMap& map, double factor) : map_(map), factor_(factor) {
        const auto& s = map.source;
        const bool odd = ((s[0] > s[1]) != (s[0] > s[2])) != (s[1] > s[2]);
        turn_ = map.sign[0] * map.sign[1] * map.sign[2] * (odd ? -1 : 1);
    }

    [[nodiscard]] bool mirrors() const { return turn_ < 0; }
    [[nodiscard]] double turn() const { return turn_; }

    [[nodiscard]] Vec3 direction(const Vec3& v) const {
        const double old[3] = {v.x, v.y, v.z};
        return {map_.sign[0] * old[map_.source[0]], map_.sign[1] * old[map_.source[1]], map_.sign[2] * old[map_.source[2]]};
    }
    [[nodiscard]] Vec3 place(const Vec3& v) const { return direction(v) * factor_; }

    // The axis goes along, and where the map mirrors the turn is reversed.
    [[nodiscard]] Quat operator()(const Quat& q) const {
        const Vec3 axis = direction({q.x, q.y, q.z}) * turn_;
        return {axis.x, axis.y, axis.z, q.w};
    }

    [[nodiscard]] Vec3 scale(const Vec3& v) const {
        const double old[3] = {v.x, v.y, v.z};
        return {old[map_.source[0]], old[map_.source[1]], old[map_.source[2]]};
    }

    [[nodiscard]] model::Transform operator()(const model::Transform& t) const { return {place(t.translation), (*this)(t.rotation), scale(t.scale)}; }

    [[nodiscard]] Mat4 operator()(const Mat4& m) const {
        Mat4 out;
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t col = 0; col < 3; ++col) {
                out.m[row * 4 + col] = map_.sign[row] * map_.sign[col] * m.m[map_.source[row] * 4 + map_.source[col]];
            }
            out.m[12 + row] = factor_ * map_.sign[row] * m.m[12 + map_.source[row]];
        }
        return out;
    }

private:
    AxisMap map_;
    double factor_;
    double turn_ = 1;
};

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

void change_axes(model::Model& model, const AxisMap& map, double factor) {
    const Change change(map, factor);
    for (model::Node& node : model.nodes) {
        node.rest = change(node.rest);
        node.bind_local = change(node.bind_local);
    }
    for (model::Mesh& mesh : model.meshes) {
        for (Vec3& p : mesh.points) {
            p = change.place(p);
        }
        for (Vec3& n : mesh.normals.values) {
            n = change.direction(n);
        }
        for (model::Vec4& t : mesh.tangents.values) {
            const Vec3 v = change.direction({t.x, t.y, t.z});
            t = {v.x, v.y, v.z, t.w * change.turn()};
        }
        for (model::MorphChannel& channel : mesh.morphs) {
            for (model::MorphShape& shape : channel.shapes) {
                for (Vec3& offset : shape.offsets) {
                    offset = change.place(offset);
                }
                for (Vec3& offset : shape.normal_offsets) {
                    offset = change.direction(offset);
                }
            }
        }
        for (std::size_t p = 0; p < mesh.polygon_count() && change.mirrors(); ++p) {
            reverse_polygon(mesh, mesh.polygon_first[p], mesh.polygon_first[p + 1]);
        }
        if (mesh.skin) {
            for (model::Cluster& cluster : mesh.skin->clusters) {
                cluster.geometry_to_bone = change(cluster.geometry_to_bone);
            }
        }
    }
    for (model::MeshInstance& instance : model.instances) {
        instance.geometry_to_node = change(instance.geometry_to_node);
    }
    for (model::Light& light : model.lights) {
        light.direction = change.direction(light.direction);
    }
    for (model::Camera& camera : model.cameras) {
        camera.forward = change.direction(camera.forward);
        camera.up = change.direction(camera.up);
        camera.size = {camera.size.x * factor, camera.size.y * factor};
        camera.near_plane *= factor;
        camera.far_plane *= factor;
    }
    for (model::Clip& clip : model.clips) {
        for (model::Track& track : clip.tracks) {
            for (auto& key : track.translation) {
                key.value = change.place(key.value);
            }
            for (auto& key : track.rotation) {
                key.value = change(key.value);
            }
            for (auto& key : track.scale) {
                key.value = change.scale(key.value);
            }
        }
    }
}

void mirror_x(model::Model& model) { change_axes(model, {{0, 1, 2}, {-1, 1, 1}}); }

}  // namespace gomkit::pass
