#include "diff_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "diff_parts.hpp"

namespace gomkit::kit {
namespace {

constexpr std::size_t kMaxCandidates = 4096;  // triangles heaped on one spot are not searched without end

using Scores = std::array<double, 6>;  // largest difference by attribute; 0 where it is within the tolerance

class Comparison {
public:
    Comparison(const DiffSoup& a, const DiffSoup& b, double tolerance) : a_(a), b_(b), tolerance_(tolerance), used_(b.triangles.size(), false) {
        double extent = 1;
        for (const DiffSoup* soup : {&a, &b}) {
            for (const DiffCorner& corner : soup->corners) {
                for (const double x : corner.position) {
                    extent = std::isfinite(x) ? std::max(extent, std::fabs(x)) : extent;
                }
            }
        }
        cell_ = std::max(2 * tolerance * extent, extent / std::sqrt(static_cast<double>(b.triangles.size()) + 1.0));
    }

    SoupDifference run() {
        std::vector<std::size_t> rest;
        for (std::size_t i = 0; i < a_.triangles.size(); ++i) {
            // Usually the order is the same too.
            if (i < used_.size() && !used_[i] && equal(a_.triangles[i], b_.triangles[i])) {
                used_[i] = true;
            } else {
                rest.push_back(i);
            }
        }
        for (std::size_t i = 0; i < used_.size(); ++i) {
            if (!used_[i]) {
                grid_[cell_of(b_, b_.triangles[i])].push_back(i);
            }
        }
        std::vector<std::size_t> unequal;
        for (const std::size_t i : rest) {
            if (!match(i, true)) {
                unequal.push_back(i);
            }
        }
        for (const std::size_t i : unequal) {
            if (!match(i, false)) {
                ++out_.only_in_a;
            }
        }
        out_.only_in_b = static_cast<std::uint64_t>(std::count(used_.begin(), used_.end(), false));
        return out_;
    }

private:
    using Cell = std::array<std::int64_t, 3>;

    Cell cell_of(const DiffSoup& soup, const DiffTriangle& t) const {
        Cell cell{};
        for (std::size_t k = 0; k < 3; ++k) {
            double sum = 0;
            for (const std::uint32_t c : t.corner) {
                sum += soup.corners[c].position[k];
            }
            const double x = sum / (3 * cell_);
            cell[k] = std::isfinite(x) ? static_cast<std::int64_t>(std::floor(std::clamp(x, -1e15, 1e15))) : 0;
        }
        return cell;
    }

    bool near_all(std::span<const double> x, std::span<const double> y) const {
        return std::equal(x.begin(), x.end(), y.begin(), [this](double p, double q) { return near(p, q, tolerance_); });
    }

    double largest(std::span<const double> x, std::span<const double> y) const {
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            worst = near(x[i], y[i], tolerance_) ? worst : std::max(worst, std::fabs(x[i] - y[i]));
        }
        return worst;
    }

    using Sparse = std::vector<std::pair<std::uint32_t, double>>;

    double largest_of(const Sparse& x, const Sparse& y) const {
        double worst = 0;
        auto i = x.begin();
        auto j = y.begin();
        while (i != x.end() || j != y.end()) {
            double p = 0;
            double q = 0;
            const bool left = j == y.end() || (i != x.end() && i->first <= j->first);
            const bool right = i == x.end() || (j != y.end() && j->first <= i->first);
            p = left ? (i++)->second : 0;
            q = right ? (j++)->second : 0;
            worst = near(p, q, tolerance_) ? worst : std::max(worst, std::fabs(p - q));
        }
        return worst;
    }

    // Scores of the triangles with B's corners turned by `turn`; nothing when they do not lie at one place.
    std::optional<Scores> scores(const DiffTriangle& ta, const DiffTriangle& tb, std::size_t turn) const {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!near_all(a_.corners[ta.corner[k]].position, b_.corners[tb.corner[(k + turn) % 3]].position)) {
                return std::nullopt;
            }
        }
        Scores out{};
        for (std::size_t k = 0; k < 3; ++k) {
            const DiffCorner& x = a_.corners[ta.corner[k]];
            const DiffCorner& y = b_.corners[tb.corner[(k + turn) % 3]];
            out[0] = std::max(out[0], largest(x.normal, y.normal));
            out[1] = std::max(out[1], largest(x.tangent, y.tangent));
            out[2] = std::max(out[2], largest(x.uv, y.uv));
            out[3] = std::max(out[3], largest_of(x.weights, y.weights));
            out[4] = std::max(out[4], largest_of(x.shapes, y.shapes));
        }
        out[5] = ta.material == tb.material ? 0 : 1;
        return out;
    }

    bool equal(const DiffTriangle& ta, const DiffTriangle& tb) const {
        const auto s = scores(ta, tb, 0);
        return s && *s == Scores{};
    }

    // Finds and uses up a triangle of B for A's i-th: an equal one, or (exact false) the one that differs in the fewest attributes.
    bool match(std::size_t i, bool exact) {
        const DiffTriangle& ta = a_.triangles[i];
        const Cell middle = cell_of(a_, ta);
        std::optional<Scores> best;
        std::size_t best_at = 0;
        std::size_t tried = 0;
        for (std::int64_t n = 0; n < 27; ++n) {
            const auto it = grid_.find({middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1});
            if (it == grid_.end()) {
                continue;
            }
            std::erase_if(it->second, [this](std::size_t b) { return used_[b]; });
            for (const std::size_t b : it->second) {
                if (++tried > kMaxCandidates) {
                    break;
                }
                for (std::size_t turn = 0; turn < 3; ++turn) {
                    const auto s = scores(ta, b_.triangles[b], turn);
                    const auto wrong = [](const Scores& x) { return std::count_if(x.begin(), x.end(), [](double v) { return v != 0; }); };
                    if (s && (!best || wrong(*s) < wrong(*best))) {
                        best = s;
                        best_at = b;
                    }
                }
                if (best && *best == Scores{}) {
                    used_[best_at] = true;
                    return true;
                }
            }
        }
        if (!best || exact) {
            return false;
        }
        used_[best_at] = true;
        for (std::size_t k = 0; k < best->size(); ++k) {
            if ((*best)[k] != 0) {
                ++out_.attributes[k].triangles;
                out_.attributes[k].largest = std::max(out_.attributes[k].largest, (*best)[k]);
            }
        }
        return true;
    }

    const DiffSoup& a_;
    const DiffSoup& b_;
    double tolerance_;
    double cell_ = 1;
    std::map<Cell, std::vector<std::size_t>> grid_;
    std::vector<bool> used_;
    SoupDifference out_;
};

}  // namespace

SoupDifference compare_triangles(const DiffSoup& a, const DiffSoup& b, double tolerance) { return Comparison(a, b, tolerance).run(); }

}  // namespace gomkit::kit
