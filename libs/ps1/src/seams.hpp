#pragma once

#include <cstdint>
#include <optional>

#include "rig.hpp"

/// What becomes of triangles whose corners follow several bones.
namespace gomkit::ps1 {

enum class Seams : std::uint8_t {
    Keep,    ///< they stretch
    Cut,     ///< they are cut at the joint, then as Split
    Split,   ///< each triangle follows one bone, and bones share no vertex
};

/// The figure that autorig() made a model of.
struct Figure {
    double floor = 0;                    ///< metres above the origin
    double height = 0;                   ///< metres above the floor

    /// Between model space and the figure's own (biped.hpp).
    [[nodiscard]] model::Vec3 from_model(const model::Vec3& at) const { return {-at.x, at.y - floor, at.z}; }
    [[nodiscard]] model::Vec3 to_model(const model::Vec3& at) const { return {-at.x, at.y + floor, at.z}; }
};

struct SeamOptions {
    std::optional<Figure> figure;        ///< the bones are a biped's, and places decide; without it points do
    bool cut = false;                    ///< at the joints, first
    bool wrists = false;                 ///< a figure's also where its hands begin
    bool compat = false;                 ///< see PlaneCutter
};

/// The bone of a triangle by those of its corners (PS1M-CONV-7).
[[nodiscard]] std::uint8_t bone_of(const Rig& rig, const RigTriangle& triangle);

/// Makes each triangle follow one bone (PS1M-SEAM-2 to 4). Triangles keep their order, the parts of one in its place; points are numbered by first use. At most 255 bones.
/// Tells how many there were.
void close_by_bone(Rig& rig, const SeamOptions& options, core::Report& report);

/// Leaves only points that triangles use, numbered by first use.
void drop_unused_points(Rig& rig);

}  // namespace gomkit::ps1
