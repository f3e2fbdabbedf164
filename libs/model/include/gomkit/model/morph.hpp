#pragma once

#include <span>
#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::model {

/// The weights at which a channel is at one of its shapes, and 0, ascending, each once.
[[nodiscard]] std::vector<double> shape_knots(const MorphChannel& channel);

/// How far the shape that is reached at `peak` is applied while its channel has this weight, by the channel's shape_knots(): from those
/// beside the weight, beyond the outermost ones on from the last two (see MorphChannel).
[[nodiscard]] double shape_factor(std::span<const double> knots, double peak, double weight);

}  // namespace gomkit::model
