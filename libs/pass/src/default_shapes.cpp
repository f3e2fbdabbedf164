#include <gomkit/pass/default_shapes.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include <gomkit/pass/normals.hpp>

namespace gomkit::pass {
namespace {

using model::Vec3;

// Of each shape of the channel, as MorphChannel says; its list has at least one.
std::vector<double> factors_of(const model::MorphChannel& channel) {
    const double w = channel.default_weight;
    std::vector<double> list{0};
    for (const model::MorphShape& shape : channel.shapes) {
        list.push_back(shape.weight);
    }
    std::sort(list.begin(), list.end());
    const auto above = std::upper_bound(list.begin() + 1, list.end() - 1, w);
    const double a = *(above - 1);
    const double b = *above;
    std::vector<double> out;
    for (const model::MorphShape& shape : channel.shapes) {
        out.push_back(shape.weight == a ? (b - w) / (b - a) : shape.weight == b ? (w - a) / (b - a) : 0);
    }
    return out;
}

void settle(model::Mesh& mesh) {
    core::LargeVector<Vec3> points = mesh.points;
    core::LargeVector<Vec3> computed = mesh.points;   // moved only by shapes whose normals are to be computed
    std::vector<Vec3> turns(mesh.points.size());      // of normals, by the other shapes
    bool moved = false;
    bool computes = false;
    for (const model::MorphChannel& channel : mesh.morphs) {
        const std::vector<double> factors = channel.shapes.empty() || channel.default_weight == 0 ? std::vector<double>() : factors_of(channel);
        for (std::size_t s = 0; s < factors.size(); ++s) {
            const model::MorphShape& shape = channel.shapes[s];
            if (factors[s] == 0 || shape.points.empty()) {
                continue;
            }
            moved = true;
            computes = computes || shape.normal_offsets.empty();
            for (std::size_t i = 0; i < shape.points.size(); ++i) {
                const std::uint32_t point = shape.points[i];
                points[point] += shape.offsets[i] * factors[s];
                if (shape.normal_offsets.empty()) {
                    computed[point] += shape.offsets[i] * factors[s];
                } else {
                    turns[point] += shape.normal_offsets[i] * factors[s];
                }
            }
        }
    }
    for (model::MorphChannel& channel : mesh.morphs) {
        channel.default_weight = 0;
        channel.shapes.clear();
    }
    if (!moved) {
        return;
    }
    if (mesh.normals.exists()) {
        std::vector<Vec3> before;
        std::vector<Vec3> after;
        if (computes && !mesh.final_vertices) {
            const NormalGroups groups(mesh, NormalGroups::Rule::OwnNormals);
            before = groups.normals(mesh.points);
            after = groups.normals(computed);
        }
        core::LargeVector<Vec3> normals(mesh.corner_point.size());
        for (std::size_t c = 0; c < normals.size(); ++c) {
            const Vec3 change = turns[mesh.corner_point[c]] + (before.empty() ? Vec3{} : after[c] - before[c]);
            const Vec3& own = mesh.normals.values[mesh.normals.corner_index[c]];
            normals[c] = change == Vec3{} ? own : runtime::normalized(runtime::normalized(own) + change);
        }
        if (mesh.final_vertices) {   // whose layers go by the point
            for (std::size_t c = 0; c < normals.size(); ++c) {
                mesh.normals.values[mesh.corner_point[c]] = normals[c];
            }
        } else {
            mesh.normals.values = std::move(normals);
            std::iota(mesh.normals.corner_index.begin(), mesh.normals.corner_index.end(), 0u);
        }
    }
    mesh.points = std::move(points);
}

}  // namespace

void settle_default_shapes(model::Model& model) {
    for (model::Mesh& mesh : model.meshes) {
        if (!mesh.morphs.empty()) {
            settle(mesh);
        }
    }
}

}  // namespace gomkit::pass
