#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gomkit/core/report.hpp>

#include "biped.hpp"
#include "nearest_triangle.hpp"
#include "rig.hpp"
#include "seams.hpp"

/// Bodies of rings around a biped's bones in place of the figure's mesh (docs/spec/ps1m.md, "Bodies of rings"). Space of the figure: biped.hpp.
namespace gomkit::ps1::lathe {

inline constexpr double kPi = 3.14159265358979323846;

/// An ellipse, level.
struct Ring {
    double y = 0;
    double x = 0, z = 0;             ///< of its centre
    double rx = 0, rz = 0;           ///< half axes
};

/// Of a page of 256 by 256 texels.
struct Rectangle {
    double u = 0, v = 0, width = 0, height = 0;
};

struct Shape {
    std::size_t rows = 0;            ///< of cells between rings
    std::size_t segments = 0;        ///< of a ring
    Rectangle texels;
};
/// Of a bone; the head has none.
[[nodiscard]] std::optional<Shape> shape_of(biped::Bone bone);

/// Rings at even heights from the lowest to the highest of the points, of which there is at least one (PS1M-LATHE-2).
[[nodiscard]] std::vector<Ring> profile(std::span<const model::Vec3> points, std::size_t rows);

struct Body {
    std::vector<model::Vec3> points;                         ///< ring by ring, upwards; the last of a ring lies on the first
    std::vector<model::Vec3> normals;                        ///< of each point
    std::vector<model::Vec2> uvs;                            ///< likewise; V down
    std::vector<std::array<std::uint32_t, 3>> triangles;     ///< anticlockwise seen from outside
};
/// PS1M-LATHE-3.
[[nodiscard]] Body body(std::span<const Ring> profile, const Shape& shape);

/// A part of the mesh that a body took the place of.
struct Replaced {
    struct Look {
        std::array<model::Vec2, 3> uvs;      ///< V down
        model::MaterialId material;
    };
    Shape shape;                             ///< of the body
    std::vector<Ring> profile;
    std::vector<Corners> triangles;
    std::vector<Look> looks;                 ///< of each triangle
};

/// Puts bodies in the place of the triangles of each bone but the head, hands excepted, behind all others and with `material` (PS1M-LATHE-1). The rig is that of autorig()'s model. Tells
/// which they are, and returns what was there.
std::vector<Replaced> replace_by_bodies(Rig& rig, const Figure& figure, model::MaterialId material, core::Report& report);

}  // namespace gomkit::ps1::lathe
