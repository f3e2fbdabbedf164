#pragma once

#include <vector>

#include "document.hpp"
#include "links.hpp"

namespace gomkit::mv1 {

/// A change table and the bits of its elements as they have to be (MV1-CHANGE-1, MV1-CHANGE-2), by frame and by mesh.
struct ChangeTable {
    std::vector<std::uint32_t> words;   ///< without the padding to 16 bytes
    std::vector<Change> frames;         ///< Change::fill is the word's number here
    std::vector<Change> meshes;         ///< draw table only
};

/// Frames in array order; the subtree of a frame is what `total_child` and `total_mesh` count.
[[nodiscard]] ChangeTable make_matrix_table(const std::vector<std::uint32_t>& total_child);
[[nodiscard]] ChangeTable make_draw_table(const std::vector<std::uint32_t>& total_child, const std::vector<std::uint32_t>& total_mesh,
                                          const std::vector<Run>& frame_meshes, std::size_t mesh_count);

/// The lists of frames as their parents make them, brothers in array order; kNone: none.
struct Tree {
    std::vector<std::uint32_t> first_child;
    std::vector<std::uint32_t> last_child;
    std::vector<std::uint32_t> next;
    std::uint32_t first_top = kNone;
    std::uint32_t last_top = kNone;
    std::int32_t top_num = 0;
};
[[nodiscard]] Tree make_tree(const std::vector<std::uint32_t>& frame_parent);

/// Descendants of each frame, and meshes of each with its descendants.
struct Totals {
    std::vector<std::uint32_t> child;
    std::vector<std::uint32_t> mesh;
};
[[nodiscard]] Totals make_totals(const Links& links);

}  // namespace gomkit::mv1
