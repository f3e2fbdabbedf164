#include <gomkit/model/morph.hpp>

#include <algorithm>

namespace gomkit::model {

std::vector<double> shape_knots(const MorphChannel& channel) {
    std::vector<double> out{0};
    for (const MorphShape& shape : channel.shapes) {
        out.push_back(shape.weight);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

double shape_factor(std::span<const double> knots, double peak, double weight) {
    if (knots.size() < 2) {
        return 0;
    }
    const auto above = std::upper_bound(knots.begin() + 1, knots.end() - 1, weight);
    const double a = *(above - 1);
    const double b = *above;
    return peak == a ? (b - weight) / (b - a) : peak == b ? (weight - a) / (b - a) : 0;
}

}  // namespace gomkit::model
