#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "rig.hpp"

namespace gomkit::ps1 {

/// Cuts triangles of a rig with one plane (PS1M-SEAM-1), at bind. An edge is cut once, whichever triangle asks.
class PlaneCutter {
public:
    static constexpr double kOn = 1e-6;      ///< metres from the plane at which a point counts as on it

    /// Above lies what has dot(place, normal) > offset; `normal` is a unit vector, the rig outlives the cutter. `compat`: the share of an edge
    /// that is cut counts from the end from which it was cut first, as the original has it.
    PlaneCutter(Rig& rig, const model::Vec3& normal, double offset, bool compat) : rig_(&rig), normal_(normal), offset_(offset), compat_(compat) {}

    /// 1 above, -1 below, 0 on the plane.
    [[nodiscard]] int side(std::uint32_t point) const;

    /// Appends the one to three parts of the triangle, none of which has points on both sides; new points go to the rig.
    void cut(const RigTriangle& triangle, core::LargeVector<RigTriangle>& out);

private:
    struct Cut {
        std::uint32_t from = 0;
        double share = 0;                    // on the way from there
        std::uint32_t point = 0;
    };
    [[nodiscard]] double along(std::uint32_t point) const { return dot(rig_->points.image[point], normal_); }
    /// Makes corner `at` of a part the place where the edge from corner a to corner b of the triangle meets the plane.
    void cut_edge(const RigTriangle& triangle, std::size_t a, std::size_t b, RigTriangle& part, std::size_t at);
    [[nodiscard]] std::uint32_t new_point(std::uint32_t a, std::uint32_t b, double share);

    Rig* rig_;
    model::Vec3 normal_;
    double offset_;
    bool compat_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Cut> cuts_;   // by the ends, the lower number first
};

}  // namespace gomkit::ps1
