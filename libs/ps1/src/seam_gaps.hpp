#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "motion.hpp"
#include "rig.hpp"

namespace gomkit::ps1 {

/// How far a seam opens in a clip, at most.
struct SeamGap {
    std::size_t clip = 0, frame = 0;
    std::array<std::uint32_t, 2> bones{};
    double distance = 0;                 ///< metres
};

struct SeamGaps {
    std::vector<SeamGap> copies;         ///< distance between copies of one place
    std::vector<SeamGap> edges;          ///< by how much an edge between two bones is longer than at bind
};

/// Of each clip the largest, in exact numbers over frames_to_measure(); clips in which nothing opens have none (PS1M-SEAM-5).
[[nodiscard]] SeamGaps seam_gaps(const Rig& rig, const Motion& motion, unsigned jobs);

}  // namespace gomkit::ps1
