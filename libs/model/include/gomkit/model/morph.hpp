#pragma once

#include <cstddef>
#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::model {

/// The weights at which a channel is at one of its shapes, and 0, ascending, each once.
[[nodiscard]] std::vector<double> shape_knots(const MorphChannel& channel);

/// How far `channel.shapes[shape]` is applied while the channel has this weight: from the knots beside the weight, beyond the outermost
/// ones on from the last two (see MorphChannel).
[[nodiscard]] double shape_factor(const MorphChannel& channel, std::size_t shape, double weight);

}  // namespace gomkit::model
