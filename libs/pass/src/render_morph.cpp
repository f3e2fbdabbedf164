#include "render_morph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <gomkit/core/lists.hpp>
#include <gomkit/pass/triangulate.hpp>

#include "unit.hpp"

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

// The numbers below `count` by the point of each, ascending.
template <class PointOf>
core::Lists<std::uint32_t> by_point(std::size_t points, std::size_t count, const PointOf& point_of) {
    return core::Lists<std::uint32_t>(points, [&](const auto& visit) {
        for (std::uint32_t i = 0; i < count; ++i) {
            visit(point_of(i), i);
        }
    });
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

Vec3 MorphVertices::own_normal(std::uint32_t corner) const {
    return generated_.empty() ? mesh_.normals.values[mesh_.normals.corner_index[corner]] : generated_[corner];
}

// One shape after the other, at the price of what each moves: the points beside them, not the mesh.
class MorphVertices::Maker {
public:
    Maker(const MorphVertices& how, std::span<const std::uint32_t> corners)
        : how_(how), mesh_(how.mesh_), vertex_corner_(corners),
          vertices_at_(by_point(mesh_.points.size(), corners.size(), [&](std::uint32_t v) { return mesh_.corner_point[corners[v]]; })),
          place_(mesh_.points.size(), kNone), seen_(mesh_.points.size()),
          // The inverse transpose, as for the normals themselves; normals are normalised, so its size is no matter.
          normal_matrix_(cofactor3(how.matrix_)), sign_(determinant3(how.matrix_) < 0 ? -1 : 1) {
        if (how.groups_) {
            points_ = mesh_.points;
            corners_at_ = by_point(mesh_.points.size(), mesh_.corner_point.size(), [&](std::uint32_t c) { return mesh_.corner_point[c]; });
            polygon_of_.resize(mesh_.corner_point.size());
            for (std::uint32_t p = 0; p < mesh_.polygon_count(); ++p) {
                std::fill(polygon_of_.begin() + mesh_.polygon_first[p], polygon_of_.begin() + mesh_.polygon_first[p + 1], p);
            }
            area_.resize(mesh_.polygon_count());
            sum_.resize(mesh_.corner_point.size());
        }
    }

    void add(const model::MorphShape& shape, RenderMorph& out) {
        ++turn_;
        const bool computes = !how_.keeps_normals(shape);
        for (std::size_t i = 0; i < shape.points.size(); ++i) {
            place_[shape.points[i]] = static_cast<std::uint32_t>(i);
            if (computes) {
                points_[shape.points[i]] += shape.offsets[i];
            }
        }
        std::vector<std::uint32_t> vertices;
        for (const std::uint32_t point : touched_points(shape, computes)) {
            if (computes) {
                sum_normals(point);
            }
            const auto here = vertices_at_.of(point);
            vertices.insert(vertices.end(), here.begin(), here.end());
        }
        std::sort(vertices.begin(), vertices.end());
        for (const std::uint32_t v : vertices) {
            const std::uint32_t at = place_[mesh_.corner_point[vertex_corner_[v]]];
            pass::add(out, v, at != kNone ? to_floats(transform_vector(shape.offsets[at], how_.matrix_)) : Float3{},
                      normal_offset(vertex_corner_[v], computes ? computed_change(vertex_corner_[v]) : shape.normal_offsets[at]));
        }
        for (const std::uint32_t point : shape.points) {
            place_[point] = kNone;
            if (computes) {
                points_[point] = mesh_.points[point];
            }
        }
    }

private:
    // What is known of something in this turn, which is that of one shape.
    struct Known {
        Vec3 value;
        std::uint32_t turn = 0;
    };

    // Those that are moved, and where normals are computed all points of polygons that have one of them.
    std::vector<std::uint32_t> touched_points(const model::MorphShape& shape, bool computes) {
        std::vector<std::uint32_t> out;
        const auto add_point = [&](std::uint32_t point) {
            if (seen_[point] != turn_) {
                seen_[point] = turn_;
                out.push_back(point);
            }
        };
        for (const std::uint32_t point : shape.points) {
            add_point(point);
            for (const std::uint32_t corner : computes ? corners_at_.of(point) : std::span<const std::uint32_t>()) {
                const std::uint32_t polygon = polygon_of_[corner];
                if (area_[polygon].turn != turn_) {
                    area_[polygon] = {area_vector(points_, points_of(polygon)), turn_};
                    std::ranges::for_each(points_of(polygon), add_point);
                }
            }
        }
        return out;
    }

    [[nodiscard]] std::span<const std::uint32_t> points_of(std::uint32_t polygon) const {
        const std::uint32_t first = mesh_.polygon_first[polygon];
        return std::span(mesh_.corner_point).subspan(first, mesh_.polygon_first[polygon + 1] - first);
    }

    // The sums of all groups at a point, in the order of corners.
    void sum_normals(std::uint32_t point) {
        for (const std::uint32_t corner : corners_at_.of(point)) {
            const std::uint32_t polygon = polygon_of_[corner];
            if (area_[polygon].turn != turn_) {
                area_[polygon] = {area_vector(points_, points_of(polygon)), turn_};
            }
            Known& sum = sum_[how_.groups_->group(corner)];
            sum = {sum.turn == turn_ ? sum.value + area_[polygon].value : area_[polygon].value, turn_};
        }
    }

    [[nodiscard]] Vec3 computed_change(std::uint32_t corner) const {
        return change_of(how_.base_[corner], runtime::normalized(sum_[how_.groups_->group(corner)].value));
    }

    [[nodiscard]] Float3 normal_offset(std::uint32_t corner, const Vec3& change) const {
        if (change == Vec3{}) {
            return {};
        }
        const auto to_target = [&](const Vec3& n) { return runtime::normalized(transform_vector(n, normal_matrix_) * sign_); };
        const Vec3 own = runtime::normalized(how_.own_normal(corner));
        const Vec3 before = to_target(own);
        const Vec3 after = to_target(own + change);
        const Vec3 offset = after - before;
        return is_unit(before) && is_unit(after) && dot(offset, offset) >= kLeastChange * kLeastChange ? to_floats(offset) : Float3{};
    }

    const MorphVertices& how_;
    const model::Mesh& mesh_;
    std::span<const std::uint32_t> vertex_corner_;
    core::Lists<std::uint32_t> vertices_at_;  // by point
    core::Lists<std::uint32_t> corners_at_;   // likewise
    std::vector<std::uint32_t> polygon_of_;
    std::vector<std::uint32_t> place_;   // of each point in the shape
    std::vector<std::uint32_t> seen_;    // the turn in which a point was
    core::LargeVector<Vec3> points_;     // as the shape has them
    std::vector<Known> area_;            // of polygons
    std::vector<Known> sum_;             // of groups of corners
    model::Mat4 normal_matrix_;
    double sign_;
    std::uint32_t turn_ = 0;
};

std::vector<RenderMorph> MorphVertices::make(std::span<const std::uint32_t> corners) const {
    Maker maker(*this, corners);
    std::vector<RenderMorph> out;
    each_shape(mesh_, [&](const model::MorphShape& shape, RenderMorph&& morph) {
        if (!shape.points.empty()) {
            maker.add(shape, morph);
        }
        out.push_back(std::move(morph));
    });
    return out;
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
