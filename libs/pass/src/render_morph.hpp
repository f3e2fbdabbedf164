#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gomkit/pass/normals.hpp>
#include <gomkit/pass/render_mesh.hpp>

namespace gomkit::pass {

/// What the morph shapes of a mesh do to vertices made of its corners. Refers to the mesh and to the generated normals.
class MorphVertices {
public:
    /// `generated`: the normals of the corners where they are not the mesh's own; empty: they are.
    MorphVertices(const model::Mesh& mesh, const model::Mat4& geometry_to_target, std::span<const model::Vec3> generated);

    /// Corners of one point with different numbers may be moved differently; all of the rest are moved alike.
    [[nodiscard]] std::uint32_t group(std::uint32_t corner) const { return groups_ ? groups_->group(corner) : 0; }

    /// By channel and shape. `corners`: the one that each vertex was made of.
    [[nodiscard]] std::vector<RenderMorph> make(std::span<const std::uint32_t> corners) const;

private:
    class Maker;
    [[nodiscard]] bool keeps_normals(const model::MorphShape& shape) const { return generated_.empty() && !shape.normal_offsets.empty(); }
    [[nodiscard]] model::Vec3 own_normal(std::uint32_t corner) const;

    const model::Mesh& mesh_;
    model::Mat4 matrix_;
    std::span<const model::Vec3> generated_;
    std::optional<NormalGroups> groups_;       // where some shape's normals are to be computed
    std::vector<model::Vec3> base_;            // normals of the corners by the groups' rule, of the mesh as it is
};

/// The shapes of a mesh with final vertices, as they are.
[[nodiscard]] std::vector<RenderMorph> take_over_morphs(const model::Mesh& mesh);

/// A number for each of `count` vertices: equal where all shapes move them alike.
[[nodiscard]] std::vector<std::uint32_t> number_by_motion(const std::vector<RenderMorph>& morphs, std::size_t count);

/// Follows a welding. `map`: the new vertex of each old one, ascending by the first old one of each.
void renumber(std::vector<RenderMorph>& morphs, std::span<const std::uint32_t> map);

}  // namespace gomkit::pass
