#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Four influences as a run-time format stores them (gom.md, weights): descending weight, then ascending bone; unused ones 0, 0.
struct FourWeights {
    std::uint16_t bone[4] = {0, 0, 0, 0};
    float weight[4] = {0, 0, 0, 0};
};

enum class WeightOutcome : std::uint8_t { Exact, Reduced, Unusable };

/// Reduces the influences of one point. `influences` in source order; `cluster_bones` gives the bone of each cluster.
/// Influences of one bone are summed first, values <= 0 dropped, the 4 largest kept (ties: lower bone), divided by their sum in
/// double, cast, those that became 0 dropped, then sorted. Unusable (nothing left, or a non-finite weight): all zero.
WeightOutcome limit_weights(std::span<const model::Influence> influences, std::span<const std::uint16_t> cluster_bones, FourWeights& out);

}  // namespace gomkit::pass
