#include "plane_cut.hpp"

#include <algorithm>

namespace gomkit::ps1 {
namespace {

using model::Vec3;

void copy_corner(const RigTriangle& from, std::size_t k, RigTriangle& to, std::size_t at) {
    to.points[at] = from.points[k];
    to.normals[at] = from.normals[k];
    to.uvs[at] = from.uvs[k];
}

}  // namespace

int PlaneCutter::side(std::uint32_t point) const {
    const double above = along(point) - offset_;
    return above > kOn ? 1 : above < -kOn ? -1 : 0;
}

void PlaneCutter::cut(const RigTriangle& triangle, core::LargeVector<RigTriangle>& out) {
    const std::array<int, 3> sides{side(triangle.points[0]), side(triangle.points[1]), side(triangle.points[2])};
    const auto above = std::count(sides.begin(), sides.end(), 1);
    const auto below = std::count(sides.begin(), sides.end(), -1);
    if (above == 0 || below == 0) {
        out.push_back(triangle);
        return;
    }
    const auto a = static_cast<std::size_t>(std::find(sides.begin(), sides.end(), above == 1 ? 1 : -1) - sides.begin());
    const std::size_t b = (a + 1) % 3;
    const std::size_t c = (a + 2) % 3;
    RigTriangle part = triangle;
    const auto corner = [&](std::size_t at, std::size_t k) { copy_corner(triangle, k, part, at); };
    const auto on_edge = [&](std::size_t at, std::size_t to) { cut_edge(triangle, a, to, part, at); };
    corner(0, a);
    if (sides[b] == 0) {
        corner(1, b);
        on_edge(2, c);
        out.push_back(part);
        on_edge(0, c);
        corner(2, c);
        out.push_back(part);
        return;
    }
    if (sides[c] == 0) {
        on_edge(1, b);
        corner(2, c);
        out.push_back(part);
        on_edge(0, b);
        corner(1, b);
        out.push_back(part);
        return;
    }
    on_edge(1, b);
    on_edge(2, c);
    out.push_back(part);
    on_edge(0, b);
    corner(1, b);
    corner(2, c);
    out.push_back(part);
    corner(1, c);
    on_edge(2, c);
    out.push_back(part);
}

void PlaneCutter::cut_edge(const RigTriangle& triangle, std::size_t a, std::size_t b, RigTriangle& part, std::size_t at) {
    const std::uint32_t from = triangle.points[a];
    const std::uint32_t to = triangle.points[b];
    const auto [place, fresh] = cuts_.try_emplace(std::minmax(from, to));
    Cut& cut = place->second;
    if (fresh) {
        const double share = (offset_ - along(from)) / (along(to) - along(from));
        cut = {from, share, new_point(from, to, share)};
    }
    const double share = cut.from == from || compat_ ? cut.share : 1 - cut.share;
    part.points[at] = cut.point;
    const Vec3 normal = normalized(triangle.normals[a] + (triangle.normals[b] - triangle.normals[a]) * share);
    part.normals[at] = normal == Vec3{} ? triangle.normals[a] : normal;   // opposite ones have no middle
    part.uvs[at] = triangle.uvs[a] + (triangle.uvs[b] - triangle.uvs[a]) * share;
}

std::uint32_t PlaneCutter::new_point(std::uint32_t a, std::uint32_t b, double share) {
    RigPoints& points = rig_->points;
    const auto between = [&](const core::LargeVector<Vec3>& places) { return places[a] + (places[b] - places[a]) * share; };
    // A point that all weights move lies where it did between two such points, and so do their sums.
    for (const auto& [end, part] : {std::pair{a, 1 - share}, std::pair{b, share}}) {
        for (std::uint32_t i = points.first[end]; i < points.first[end + 1]; ++i) {
            pass::BoundWeight w = points.weights[i];
            w.weight *= part;
            points.weights.push_back(w);
        }
    }
    return points.add(between(points.positions), between(points.image), points.bone[a], points, a);
}

}  // namespace gomkit::ps1
