#include "export_shape.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <gomkit/model/morph.hpp>

#include "assemble.hpp"

namespace gomkit::mv1 {

using model::Mat4;
using model::Vec3;

std::vector<model::Key<double>> shape_keys(const model::MorphChannel& channel, std::size_t shape, const std::vector<model::Key<double>>& keys) {
    const std::vector<double> knots = model::shape_knots(channel);
    std::vector<model::Key<double>> out;
    if (knots.size() < 2) {
        return out;
    }
    const double peak = channel.shapes[shape].weight;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && !keys[i - 1].step_end && keys[i].time > keys[i - 1].time) {
            const double from = keys[i - 1].value;
            const double way = keys[i].value - from;
            std::vector<double> passed;
            for (std::size_t k = 1; k + 1 < knots.size(); ++k) {
                if ((knots[k] - from) * (knots[k] - keys[i].value) < 0) {
                    passed.push_back((knots[k] - from) / way);
                }
            }
            std::sort(passed.begin(), passed.end());
            for (const double t : passed) {
                out.push_back({keys[i - 1].time + (keys[i].time - keys[i - 1].time) * t, model::shape_factor(knots, peak, from + way * t), false});
            }
        }
        out.push_back({keys[i].time, model::shape_factor(knots, peak, keys[i].value), keys[i].step_end});
    }
    return out;
}

FrameShapes::FrameShapes(Export& ex, std::uint32_t frame) : ex_(ex), frame_(frame) {
    // Equal names of one mesh are shapes of their own.
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> number_of;
    for (const std::uint32_t instance : ex.sources[frame].instances) {
        std::map<std::string, std::uint32_t> count;
        for (const model::MorphChannel& channel : ex.model.meshes[ex.model.instances[instance].mesh.value].morphs) {
            std::vector<std::uint32_t>& numbers = ex.shapes_of_instance[instance].emplace_back();
            for (const model::MorphShape& shape : channel.shapes) {
                const std::string& name = channel.shapes.size() == 1 || shape.name.empty() ? channel.name : shape.name;
                const auto [it, added] = number_of.try_emplace({name, count[name]++}, static_cast<std::uint32_t>(names_.size()));
                if (added) {
                    names_.push_back(name);
                }
                numbers.push_back(it->second);
            }
        }
    }
    pieces_.resize(names_.size());
}

void FrameShapes::add(std::uint32_t instance, const Mat4& place, bool own_normals, std::span<const ShapedVertex> vertices) {
    const model::Mesh& mesh = ex_.model.meshes[ex_.model.instances[instance].mesh.value];
    const Mat4 cofactors = cofactor3(place);
    const double sign = determinant3(place) < 0 ? -1 : 1;
    std::vector<std::uint32_t> of_point(mesh.morphs.empty() ? 0 : mesh.points.size(), kNone);
    for (std::size_t c = 0; c < mesh.morphs.size(); ++c) {
        for (std::size_t s = 0; s < mesh.morphs[c].shapes.size(); ++s) {
            const model::MorphShape& shape = mesh.morphs[c].shapes[s];
            for (std::uint32_t i = 0; i < shape.points.size(); ++i) {
                of_point[shape.points[i]] = i;
            }
            Piece piece;
            piece.mesh = static_cast<std::uint32_t>(ex_.doc.meshes.size() - 1);
            for (std::uint32_t v = 0; v < vertices.size(); ++v) {
                const std::uint32_t i = of_point[vertices[v].point];
                if (i == kNone) {
                    continue;
                }
                ShapeVertex out;
                out.target_vertex = static_cast<std::int32_t>(v);
                out.position = to_floats(ex_.from_point(runtime::transform_vector(shape.offsets[i], place)));
                if (own_normals && !shape.normal_offsets.empty()) {
                    // As long beside the stored normal, which is made a unit vector, as beside the model's.
                    const Vec3& normal = mesh.normals.values[mesh.normals.corner_index[vertices[v].corner]];
                    const double size = length(runtime::transform_vector(normal, cofactors));
                    const Vec3 moved = runtime::transform_vector(shape.normal_offsets[i], cofactors) * (size > 0 ? sign / size : 0);
                    out.normal = to_floats(ex_.from_space(moved));
                }
                piece.vertices.push_back(out);
            }
            for (const std::uint32_t p : shape.points) {
                of_point[p] = kNone;
            }
            if (!piece.vertices.empty()) {
                pieces_[ex_.shapes_of_instance[instance][c][s]].push_back(std::move(piece));
            }
        }
    }
}

void FrameShapes::finish() {
    Document& d = ex_.doc;
    Links& l = ex_.links;
    l.frame_shapes[frame_] = {static_cast<std::uint32_t>(d.shapes.size()), static_cast<std::uint32_t>(pieces_.size())};
    if (pieces_.empty()) {
        return;
    }
    d.frame_shapes.emplace_back();
    if (!d.shape) {
        d.shape.emplace();
    }
    for (std::size_t s = 0; s < pieces_.size(); ++s) {
        Shape shape;
        shape.name = add_string(d, names_[s]);
        d.shapes.push_back(shape);
        l.shape_meshes.push_back({static_cast<std::uint32_t>(d.shape_meshes.size()), static_cast<std::uint32_t>(pieces_[s].size())});
        for (const Piece& piece : pieces_[s]) {
            d.meshes[piece.mesh].shape = 1;
            d.shape_meshes.emplace_back();
            l.shape_mesh_target.push_back(piece.mesh);
            l.shape_mesh_vertices.push_back({static_cast<std::uint32_t>(d.shape_vertices.size()), static_cast<std::uint32_t>(piece.vertices.size())});
            d.shape_vertices.insert(d.shape_vertices.end(), piece.vertices.begin(), piece.vertices.end());
        }
    }
}

}  // namespace gomkit::mv1
