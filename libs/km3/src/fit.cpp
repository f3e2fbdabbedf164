#include "fit.hpp"

#include <algorithm>
#include <cmath>

namespace gomkit::km3 {
namespace {

constexpr int kRounds = 8;
constexpr double kAll = 1 - 1e-9;   // from here on a pair of bones holds all of a vertex

class Fitter {
public:
    explicit Fitter(const FitInput& input) : input_(input), weights_(input.weights) {
        const std::size_t count = input.first.size() - 1;
        count_.resize(count);
        for (std::size_t v = 0; v < count; ++v) {
            count_[v] = input.first[v + 1] - input.first[v];
        }
    }

    Fit run() {
        for (int round = 0; round < kRounds; ++round) {
            bool changed = false;
            for (const auto& triangle : input_.triangles) {
                const std::uint32_t unit = choose(triangle);
                for (const std::uint32_t v : triangle) {
                    changed = reduce(v, unit) || changed;
                }
            }
            if (!changed) {
                break;
            }
        }
        Fit out;
        out.unit.reserve(input_.triangles.size());
        out.own.reserve(input_.triangles.size());
        for (const auto& triangle : input_.triangles) {
            const std::uint32_t unit = choose(triangle);
            out.unit.push_back(unit);
            out.own.push_back({own(triangle[0], unit), own(triangle[1], unit), own(triangle[2], unit)});
        }
        return out;
    }

private:
    [[nodiscard]] std::int32_t parent(std::uint32_t unit) const { return input_.envelopes ? input_.parent[unit] : -1; }
    [[nodiscard]] double weight(std::uint32_t vertex, std::int64_t unit) const {
        const BoneWeight* w = weights_.data() + input_.first[vertex];
        for (std::uint32_t i = 0; i < count_[vertex]; ++i) {
            if (w[i].unit == unit) {
                return w[i].weight;
            }
        }
        return 0;
    }
    /// What the pair can hold of the vertex; all of it is exactly 1, so that rounding decides nothing.
    [[nodiscard]] double kept(std::uint32_t vertex, std::uint32_t unit) const {
        const std::int32_t above = parent(unit);
        const double sum = weight(vertex, unit) + (above < 0 ? 0.0 : weight(vertex, above));
        return sum >= kAll ? 1.0 : sum;
    }

    [[nodiscard]] std::uint32_t choose(const std::array<std::uint32_t, 3>& triangle) const {
        struct Score {
            double least = -1, sum = 0, own = 0;
            [[nodiscard]] bool better(const Score& o) const { return least != o.least ? least > o.least : sum != o.sum ? sum > o.sum : own > o.own; }
        };
        Score best;
        std::uint32_t chosen = 0;
        for (const std::uint32_t v : triangle) {
            for (std::uint32_t i = 0; i < count_[v]; ++i) {
                const std::uint32_t unit = weights_[input_.first[v] + i].unit;
                Score score{2, 0, 0};
                for (const std::uint32_t corner : triangle) {
                    const double k = kept(corner, unit);
                    score.least = std::min(score.least, k);
                    score.sum += k;
                    score.own += weight(corner, unit);
                }
                if (score.better(best) || (!best.better(score) && unit < chosen)) {
                    best = score;
                    chosen = unit;
                }
            }
        }
        return chosen;
    }

    /// Drops what the pair cannot hold. A vertex of which it holds nothing stays as it is.
    bool reduce(std::uint32_t vertex, std::uint32_t unit) {
        const double all = kept(vertex, unit);
        if (all == 0 || all == 1) {
            return false;
        }
        BoneWeight* w = weights_.data() + input_.first[vertex];
        const std::int64_t above = parent(unit);
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < count_[vertex]; ++i) {
            if (w[i].unit == unit || w[i].unit == above) {
                w[left++] = {w[i].unit, w[i].weight / all};
            }
        }
        count_[vertex] = left;
        return true;
    }

    [[nodiscard]] float own(std::uint32_t vertex, std::uint32_t unit) const {
        if (parent(unit) < 0) {
            return 1;
        }
        const double own = weight(vertex, unit);
        const double all = own + weight(vertex, parent(unit));
        if (all > 0) {
            return static_cast<float>(own / all);
        }
        // Nothing of it: the nearer of unit and parent to the vertex's heaviest bone, which is the unit only for bones below it.
        const BoneWeight* w = weights_.data() + input_.first[vertex];
        const BoneWeight* heaviest = std::max_element(w, w + count_[vertex], [](const BoneWeight& a, const BoneWeight& b) { return a.weight < b.weight; });
        std::int64_t at = heaviest->unit;
        while (at > static_cast<std::int64_t>(unit)) {
            at = input_.parent[static_cast<std::size_t>(at)];
        }
        return at == static_cast<std::int64_t>(unit) ? 1.0f : 0.0f;
    }

    const FitInput& input_;
    core::LargeVector<BoneWeight> weights_;
    core::LargeVector<std::uint32_t> count_;
};

}  // namespace

Fit fit(const FitInput& input) { return Fitter(input).run(); }

Envelope envelope(const std::vector<std::int32_t>& parent, std::uint32_t unit, float own) {
    if (own == 0 && parent[unit] >= 0) {
        return {static_cast<std::uint32_t>(parent[unit]), -1, 1};
    }
    return own == 1 ? Envelope{unit, -1, 1} : Envelope{unit, parent[unit], own};
}

double moved(const BoneWeight* weights, std::size_t count, const Envelope& e) {
    const double own = static_cast<double>(e.own);
    double sum = 0;
    double left = own;
    double left_other = e.other < 0 ? 0.0 : 1 - own;
    for (std::size_t i = 0; i < count; ++i) {
        double mine = 0;
        if (weights[i].unit == e.unit) {
            mine = own;
            left = 0;
        } else if (e.other >= 0 && weights[i].unit == static_cast<std::uint32_t>(e.other)) {
            mine = 1 - own;
            left_other = 0;
        }
        sum += std::fabs(weights[i].weight - mine);
    }
    return (sum + left + left_other) / 2;
}

}  // namespace gomkit::km3
