#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document.hpp"
#include "finding.hpp"

namespace gomkit::mv1 {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// A contiguous run of an array.
struct Run {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// The offsets of a document as indices into its vectors; kNone for null.
struct Links {
    std::vector<std::uint32_t> frame_parent;       ///< without cycles
    std::vector<Run> frame_meshes;
    std::vector<Run> frame_skin_bones;
    std::vector<Run> frame_palette;                ///< into `palette`
    std::vector<std::uint32_t> palette;            ///< skin bones, per entry of Document::frame_use_skin_bones
    std::vector<std::uint32_t> frame_light;
    std::vector<Run> frame_shapes;                 ///< into Document::shapes
    std::vector<std::uint32_t> mesh_frame;
    std::vector<std::uint32_t> mesh_material;
    std::vector<Run> mesh_lists;
    std::vector<std::uint32_t> skin_bone_driver;   ///< the frame that a skin bone follows: the one whose run has it, else its BoneFrame
    std::vector<std::uint32_t> material_toon;      ///< kNone: none
    std::vector<Run> set_anims;
    std::vector<Run> anim_key_sets;
    std::vector<Run> shape_meshes;                 ///< into Document::shape_meshes
    std::vector<std::uint32_t> shape_mesh_target;
    std::vector<Run> shape_mesh_vertices;          ///< compressed ones: empty
    std::vector<std::uint32_t> rigid_frame;
    std::vector<std::uint32_t> joint_a;
    std::vector<std::uint32_t> joint_b;
};

/// Follows every offset that a loader relies on. Findings: an offset that leads to no element of its kind, an Index that is not the
/// element's position, runs that leave their array, cycles of parents, indices out of range, names outside the string pool.
[[nodiscard]] Checked<Links> link(const Document& document);

/// That the numbers inside the blocks lead somewhere: mesh vertices to positions and normals, lists to mesh vertices, weights to the
/// palette, shape vertices to their mesh. The blocks' sizes have been seen already.
[[nodiscard]] Checked<void> verify_blocks(const Document& document, const Links& links);

/// The bytes of a string, up to its NUL; empty for an offset outside the pool.
[[nodiscard]] std::string_view raw_string(const Document& document, std::uint32_t offset);
/// The same in UTF-8 and clean (core::clean_text), from CP932 where the file says so; `changed` is set when something was replaced.
[[nodiscard]] std::string text(const Document& document, std::uint32_t offset, bool* changed = nullptr);

}  // namespace gomkit::mv1
