#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gomkit/model/model.hpp>

#include "document.hpp"
#include "motion.hpp"
#include "rig.hpp"

namespace gomkit::ps1 {

struct ClipFrame {
    std::size_t clip = 0, frame = 0;
};
/// Every frame of every clip; where `places` times frames are very many, frames in even steps and the last of each clip.
[[nodiscard]] std::vector<ClipFrame> frames_to_measure(const Motion& motion, std::size_t places);

/// How far a PS1M is from the skinned meshes that it was made of, in metres (PS1M-ERROR-1).
struct Measured {
    std::uint64_t poses = 0;      ///< bind and the frames that were looked at
    double rigid_most = 0;        ///< one bone a vertex and bones that do not scale, in exact numbers, against all weights
    double rigid_mean = 0;        ///< of all points in all poses
    double fixed_most = 0;        ///< the console's whole numbers against exact ones
};

/// Over bind and frames_to_measure(). `unit`: of a metre. `document` is what rig and motion became.
[[nodiscard]] Measured measure(const model::Model& model, const Rig& rig, const Motion& motion, const Document& document, double unit, unsigned jobs);

}  // namespace gomkit::ps1
