#include <gomkit/pass/default_shapes.hpp>

#include <numeric>
#include <vector>

#include <gomkit/model/morph.hpp>
#include <gomkit/pass/normals.hpp>

#include "unit.hpp"

namespace gomkit::pass {
namespace {

using model::Vec3;

void settle(model::Mesh& mesh) {
    core::LargeVector<Vec3> points = mesh.points;
    core::LargeVector<Vec3> computed = mesh.points;   // moved only by shapes whose normals are to be computed
    std::vector<Vec3> turns(mesh.points.size());      // of normals, by the other shapes
    bool moved = false;
    bool computes = false;
    for (const model::MorphChannel& channel : mesh.morphs) {
        if (channel.default_weight == 0) {
            continue;
        }
        const std::vector<double> knots = model::shape_knots(channel);
        for (const model::MorphShape& shape : channel.shapes) {
            const double factor = model::shape_factor(knots, shape.weight, channel.default_weight);
            if (factor == 0 || shape.points.empty()) {
                continue;
            }
            moved = true;
            computes = computes || shape.normal_offsets.empty();
            for (std::size_t i = 0; i < shape.points.size(); ++i) {
                const std::uint32_t point = shape.points[i];
                points[point] += shape.offsets[i] * factor;
                if (shape.normal_offsets.empty()) {
                    computed[point] += shape.offsets[i] * factor;
                } else {
                    turns[point] += shape.normal_offsets[i] * factor;
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
            const Vec3 change = turns[mesh.corner_point[c]] + (before.empty() ? Vec3{} : change_of(before[c], after[c]));
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
