#include "change.hpp"

namespace gomkit::mv1 {
namespace {

// `span` ones from bit `bit` on, in words of their own.
Change append(std::vector<std::uint32_t>& words, std::uint64_t bit, std::uint64_t span) {
    Change c;
    c.target = static_cast<std::uint32_t>(bit / 32);
    c.check_bit = 1u << (bit % 32);
    c.size = static_cast<std::uint32_t>((bit % 32 + span + 31) / 32);
    c.fill = static_cast<Offset>(words.size());
    words.resize(words.size() + c.size);
    for (std::uint64_t i = bit % 32; i < bit % 32 + span; ++i) {
        words[c.fill + i / 32] |= 1u << (i % 32);
    }
    return c;
}

}  // namespace

ChangeTable make_matrix_table(const std::vector<std::uint32_t>& total_child) {
    ChangeTable out;
    for (std::size_t i = 0; i < total_child.size(); ++i) {
        out.frames.push_back(append(out.words, i + 1, std::uint64_t{total_child[i]} + 1));
    }
    return out;
}

ChangeTable make_draw_table(const std::vector<std::uint32_t>& total_child, const std::vector<std::uint32_t>& total_mesh,
                            const std::vector<Run>& frame_meshes, std::size_t mesh_count) {
    ChangeTable out;
    out.meshes.resize(mesh_count);
    std::uint64_t bit = 1;
    for (std::size_t i = 0; i < total_child.size(); ++i) {
        out.frames.push_back(append(out.words, bit++, std::uint64_t{total_child[i]} + total_mesh[i] + 1));
        for (std::uint32_t m = 0; m < frame_meshes[i].count; ++m, ++bit) {
            Change& c = out.meshes[frame_meshes[i].first + m];
            c.target = static_cast<std::uint32_t>(bit / 32);
            c.check_bit = 1u << (bit % 32);
            c.size = static_cast<std::uint32_t>((bit % 32 + 31) / 32);
        }
    }
    return out;
}

Tree make_tree(const std::vector<std::uint32_t>& frame_parent) {
    const std::size_t count = frame_parent.size();
    Tree out;
    out.first_child.assign(count, kNone);
    out.last_child.assign(count, kNone);
    out.next.assign(count, kNone);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t parent = frame_parent[i];
        std::uint32_t& last = parent == kNone ? out.last_top : out.last_child[parent];
        (last != kNone ? out.next[last] : parent == kNone ? out.first_top : out.first_child[parent]) = i;
        last = i;
        out.top_num += parent == kNone ? 1 : 0;
    }
    return out;
}

Totals make_totals(const Links& links) {
    const std::size_t count = links.frame_parent.size();
    Totals out;
    out.child.assign(count, 0);
    out.mesh.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        out.mesh[i] = links.frame_meshes[i].count;
    }
    // Deepest first, so that each frame adds its finished sum to its parent once.
    std::vector<std::uint32_t> open(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        if (links.frame_parent[i] != kNone) {
            ++open[links.frame_parent[i]];
        }
    }
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (open[i] == 0) {
            ready.push_back(i);
        }
    }
    while (!ready.empty()) {
        const std::uint32_t f = ready.back();
        ready.pop_back();
        const std::uint32_t parent = links.frame_parent[f];
        if (parent != kNone) {
            out.child[parent] += out.child[f] + 1;
            out.mesh[parent] += out.mesh[f];
            if (--open[parent] == 0) {
                ready.push_back(parent);
            }
        }
    }
    return out;
}

}  // namespace gomkit::mv1
