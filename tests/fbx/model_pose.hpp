#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gomkit/model/model.hpp>

/// Where a Model has its points at a time of a clip, by what model.hpp says alone: shapes, then the skin, then the placement.
namespace gomkit::fbx::test {

template <class T>
T key_value(const std::vector<model::Key<T>>& keys, const T& rest, double time) {
    if (keys.empty()) {
        return rest;
    }
    std::size_t next = 0;
    while (next < keys.size() && keys[next].time <= time) {
        ++next;
    }
    if (next == 0 || next == keys.size() || keys[next - 1].step_end) {
        return keys[next == 0 ? 0 : next - 1].value;
    }
    const model::Key<T>& a = keys[next - 1];
    const model::Key<T>& b = keys[next];
    const double part = (time - a.time) / (b.time - a.time);
    if constexpr (std::is_same_v<T, model::Quat>) {
        return runtime::slerp(a.value, b.value, part);
    } else {
        return a.value + (b.value - a.value) * part;
    }
}

/// How much of each shape a channel adds at a weight.
inline std::vector<double> shape_factors(const model::MorphChannel& channel, double weight) {
    struct Stop {
        double weight = 0;
        std::ptrdiff_t shape = -1;  // -1: nothing moves
    };
    std::vector<Stop> stops{{0, -1}};
    for (std::size_t i = 0; i < channel.shapes.size(); ++i) {
        stops.push_back({channel.shapes[i].weight, static_cast<std::ptrdiff_t>(i)});
    }
    std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.weight < b.weight; });
    std::size_t b = 1;
    while (b + 1 < stops.size() && stops[b].weight <= weight) {
        ++b;
    }
    const double part = (weight - stops[b - 1].weight) / (stops[b].weight - stops[b - 1].weight);
    std::vector<double> out(channel.shapes.size());
    for (const auto& [stop, factor] : {std::pair{stops[b - 1], 1 - part}, std::pair{stops[b], part}}) {
        if (stop.shape >= 0) {
            out[static_cast<std::size_t>(stop.shape)] = factor;
        }
    }
    return out;
}

/// A mesh's points with its shapes, in its own space. Without a clip the default weights hold.
inline std::vector<model::Vec3> morphed(const model::Model& m, model::MeshId id, const model::Clip* clip, double time) {
    const model::Mesh& mesh = m.meshes[id.value];
    std::vector<model::Vec3> out(mesh.points.begin(), mesh.points.end());
    for (std::uint32_t c = 0; c < mesh.morphs.size(); ++c) {
        double weight = mesh.morphs[c].default_weight;
        for (const model::MorphTrack& track : clip != nullptr ? clip->morph_tracks : std::vector<model::MorphTrack>{}) {
            if (track.mesh == id && track.channel == c) {
                weight = key_value(track.keys, weight, time);
            }
        }
        const std::vector<double> factors = shape_factors(mesh.morphs[c], weight);
        for (std::size_t s = 0; s < factors.size(); ++s) {
            const model::MorphShape& shape = mesh.morphs[c].shapes[s];
            for (std::size_t i = 0; i < shape.points.size() && factors[s] != 0; ++i) {
                out[shape.points[i]] += shape.offsets[i] * factors[s];
            }
        }
    }
    return out;
}

/// From every node's space to the model's.
inline std::vector<model::Mat4> node_matrices(const model::Model& m, const model::Clip* clip, double time) {
    std::vector<model::Mat4> out(m.nodes.size());
    for (std::size_t n = 0; n < m.nodes.size(); ++n) {
        model::Transform local = m.nodes[n].rest;
        for (const model::Track& track : clip != nullptr ? clip->tracks : std::vector<model::Track>{}) {
            if (track.node.value == n) {
                local = {key_value(track.translation, local.translation, time), key_value(track.rotation, local.rotation, time),
                         key_value(track.scale, local.scale, time)};
            }
        }
        out[n] = runtime::to_matrix(local);
        if (m.nodes[n].parent.valid()) {
            out[n] = out[n] * out[m.nodes[n].parent.value];
        }
    }
    return out;
}

/// The points of a placed mesh in model space.
inline std::vector<model::Vec3> posed_points(const model::Model& m, const model::MeshInstance& instance, const model::Clip* clip, double time) {
    const std::vector<model::Mat4> nodes = node_matrices(m, clip, time);
    const model::Mesh& mesh = m.meshes[instance.mesh.value];
    const model::Mat4 rigid = instance.node.valid() ? instance.geometry_to_node * nodes[instance.node.value] : instance.geometry_to_node;
    std::vector<model::Vec3> out = morphed(m, instance.mesh, clip, time);
    for (std::size_t p = 0; p < out.size(); ++p) {
        model::Vec3 sum;
        double weights = 0;
        for (std::uint32_t i = mesh.skin ? mesh.skin->first[p] : 0; mesh.skin && i < mesh.skin->first[p + 1]; ++i) {
            const model::Influence& influence = mesh.skin->influences[i];
            const model::Cluster& cluster = mesh.skin->clusters[influence.cluster];
            sum += transform_point(out[p], cluster.geometry_to_bone * nodes[cluster.bone.value]) * influence.weight;
            weights += influence.weight;
        }
        out[p] = weights > 0 ? sum * (1 / weights) : transform_point(out[p], rigid);
    }
    return out;
}

}  // namespace gomkit::fbx::test
