#include "render_morph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace gomkit::pass {
namespace {

using model::Vec3;
using Float3 = std::array<float, 3>;

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
// A unit vector of float32 does not know smaller changes.
constexpr double kLeastChange = 1e-7;

// + 0.0f: no -0, so that equal offsets are equal bytes.
Float3 to_floats(const Vec3& v) {
    const Float3 out{static_cast<float>(v.x) + 0.0f, static_cast<float>(v.y) + 0.0f, static_cast<float>(v.z) + 0.0f};
    return std::isfinite(out[0]) && std::isfinite(out[1]) && std::isfinite(out[2]) ? out : Float3{};
}

void add(RenderMorph& morph, std::uint32_t vertex, const Float3& position, const Float3& normal) {
    if (position != Float3{} || normal != Float3{}) {
        morph.vertices.push_back(vertex);
        morph.positions.push_back(position);
        morph.normals.push_back(normal);
    }
}

bool is_unit(const Vec3& v) {
    const double squared = dot(v, v);
    return squared > 0.25 && squared < 4;
}

template <class Visit>
void each_shape(const model::Mesh& mesh, const Visit& visit) {
    for (std::size_t c = 0; c < mesh.morphs.size(); ++c) {
        for (std::size_t s = 0; s < mesh.morphs[c].shapes.size(); ++s) {
            RenderMorph morph;
            morph.channel = static_cast<std::uint32_t>(c);
            morph.shape = static_cast<std::uint32_t>(s);
            visit(mesh.morphs[c].shapes[s], std::move(morph));
        }
    }
}

}  // namespace

MorphVertices::MorphVertices(const model::Mesh& mesh, const model::Mat4& geometry_to_target, std::span<const Vec3> generated)
    : mesh_(mesh), matrix_(geometry_to_target), generated_(generated) {
    bool computes = false;
    each_shape(mesh, [&](const model::MorphShape& shape, RenderMorph&&) { computes = computes || (!keeps_normals(shape) && !shape.points.empty()); });
    if (computes) {
        groups_.emplace(mesh, generated_.empty() ? NormalGroups::Rule::OwnNormals : NormalGroups::Rule::Smoothing);
        base_ = groups_->normals(mesh.points);
    }
}

std::vector<RenderMorph> MorphVertices::make(std::span<const std::uint32_t> corners) const {
    std::vector<RenderMorph> out;
    each_shape(mesh_, [&](const model::MorphShape& shape, RenderMorph&& morph) {
        if (!shape.points.empty()) {
            add_shape(shape, corners, morph);
        }
        out.push_back(std::move(morph));
    });
    return out;
}

Vec3 MorphVertices::own_normal(std::uint32_t corner) const {
    return generated_.empty() ? mesh_.normals.values[mesh_.normals.corner_index[corner]] : generated_[corner];
}

void MorphVertices::add_shape(const model::MorphShape& shape, std::span<const std::uint32_t> corners, RenderMorph& out) const {
    std::vector<std::uint32_t> place(mesh_.points.size(), kNone);  // of each point in the shape
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
        place[shape.points[i]] = static_cast<std::uint32_t>(i);
    }
    std::vector<Vec3> moved;
    if (!keeps_normals(shape)) {
        core::LargeVector<Vec3> points = mesh_.points;
        for (std::size_t i = 0; i < shape.points.size(); ++i) {
            points[shape.points[i]] += shape.offsets[i];
        }
        moved = groups_->normals(points);
    }
    // The inverse transpose, as for the normals themselves; normals are normalised, so its size is no matter.
    const model::Mat4 normal_matrix = cofactor3(matrix_);
    const double sign = determinant3(matrix_) < 0 ? -1 : 1;
    const auto to_target = [&](const Vec3& n) { return runtime::normalized(transform_vector(n, normal_matrix) * sign); };
    for (std::size_t v = 0; v < corners.size(); ++v) {
        const std::uint32_t corner = corners[v];
        const std::uint32_t at = place[mesh_.corner_point[corner]];
        Vec3 change;
        if (moved.empty()) {
            change = at != kNone ? shape.normal_offsets[at] : Vec3{};
        } else if (is_unit(moved[corner]) && is_unit(base_[corner])) {
            change = moved[corner] - base_[corner];
        }
        Float3 normal{};
        if (change != Vec3{}) {
            const Vec3 own = runtime::normalized(own_normal(corner));
            const Vec3 before = to_target(own);
            const Vec3 after = to_target(own + change);
            const Vec3 offset = after - before;
            if (is_unit(before) && is_unit(after) && dot(offset, offset) >= kLeastChange * kLeastChange) {
                normal = to_floats(offset);
            }
        }
        add(out, static_cast<std::uint32_t>(v), at != kNone ? to_floats(transform_vector(shape.offsets[at], matrix_)) : Float3{}, normal);
    }
}

std::vector<RenderMorph> take_over_morphs(const model::Mesh& mesh) {
    std::vector<RenderMorph> out;
    each_shape(mesh, [&](const model::MorphShape& shape, RenderMorph&& morph) {
        for (std::size_t i = 0; i < shape.points.size(); ++i) {
            add(morph, shape.points[i], to_floats(shape.offsets[i]), shape.normal_offsets.empty() ? Float3{} : to_floats(shape.normal_offsets[i]));
        }
        out.push_back(std::move(morph));
    });
    return out;
}

std::vector<std::uint32_t> number_by_motion(const std::vector<RenderMorph>& morphs, std::size_t count) {
    std::vector<std::uint32_t> out(count);
    std::uint32_t next = 1;
    for (const RenderMorph& morph : morphs) {
        std::map<std::pair<std::uint32_t, std::array<Float3, 2>>, std::uint32_t> known;  // what it was and how it moves here
        for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
            std::uint32_t& number = out[morph.vertices[i]];
            const auto [it, added] = known.try_emplace({number, {morph.positions[i], morph.normals[i]}}, next);
            next += added ? 1u : 0u;
            number = it->second;
        }
    }
    return out;
}

void renumber(std::vector<RenderMorph>& morphs, std::span<const std::uint32_t> map) {
    std::vector<bool> leads(map.size());  // the first of those that became one
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < map.size(); ++i) {
        leads[i] = map[i] == kept;
        kept += leads[i] ? 1u : 0u;
    }
    for (RenderMorph& morph : morphs) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
            const std::uint32_t vertex = morph.vertices[i];
            if (leads[vertex]) {
                morph.vertices[count] = map[vertex];
                morph.positions[count] = morph.positions[i];
                morph.normals[count++] = morph.normals[i];
            }
        }
        morph.vertices.resize(count);
        morph.positions.resize(count);
        morph.normals.resize(count);
    }
}

}  // namespace gomkit::pass
