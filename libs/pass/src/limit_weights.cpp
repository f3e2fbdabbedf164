#include <gomkit/pass/limit_weights.hpp>

#include <algorithm>
#include <cmath>

namespace gomkit::pass {
namespace {

struct Sum {
    std::uint16_t bone;
    double weight;
};

}  // namespace

WeightOutcome limit_weights(std::span<const model::Influence> influences, std::span<const std::uint16_t> cluster_bones,
                            FourWeights& out) {
    out = {};
    // A handful in nearly every file; the vector only grows for hostile ones.
    thread_local std::vector<Sum> sums;
    sums.clear();
    if (influences.size() <= 16) {
        for (const model::Influence& i : influences) {
            const std::uint16_t bone = cluster_bones[i.cluster];
            const auto it = std::find_if(sums.begin(), sums.end(), [&](const Sum& s) { return s.bone == bone; });
            if (it != sums.end()) {
                it->weight += i.weight;
            } else {
                sums.push_back({bone, i.weight});
            }
        }
    } else {
        for (const model::Influence& i : influences) {
            sums.push_back({cluster_bones[i.cluster], i.weight});
        }
        std::stable_sort(sums.begin(), sums.end(), [](const Sum& a, const Sum& b) { return a.bone < b.bone; });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (kept != 0 && sums[kept - 1].bone == sums[i].bone) {
                sums[kept - 1].weight += sums[i].weight;
            } else {
                sums[kept++] = sums[i];
            }
        }
        sums.resize(kept);
    }
    if (std::any_of(sums.begin(), sums.end(), [](const Sum& s) { return !std::isfinite(s.weight); })) {
        return WeightOutcome::Unusable;
    }
    std::erase_if(sums, [](const Sum& s) { return !(s.weight > 0); });
    if (sums.empty()) {
        return WeightOutcome::Unusable;
    }
    const bool reduced = sums.size() > 4;
    const auto keep = sums.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(4, sums.size()));
    std::partial_sort(sums.begin(), keep, sums.end(),
                      [](const Sum& a, const Sum& b) { return a.weight != b.weight ? a.weight > b.weight : a.bone < b.bone; });
    sums.erase(keep, sums.end());

    double total = 0;
    for (const Sum& s : sums) {
        total += s.weight;
    }
    if (!std::isfinite(total)) {
        return WeightOutcome::Unusable;
    }
    struct Cast {
        std::uint16_t bone;
        float weight;
    };
    Cast cast[4];
    std::size_t count = 0;
    for (const Sum& s : sums) {
        const auto weight = static_cast<float>(s.weight / total);
        if (weight > 0) {
            cast[count++] = {s.bone, weight};
        }
    }
    // In order again: the cast can make ties.
    for (std::size_t i = 1; i < count; ++i) {
        for (std::size_t k = i; k > 0 && cast[k].weight == cast[k - 1].weight && cast[k].bone < cast[k - 1].bone; --k) {
            std::swap(cast[k], cast[k - 1]);
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        out.bone[i] = cast[i].bone;
        out.weight[i] = cast[i].weight;
    }
    return reduced ? WeightOutcome::Reduced : WeightOutcome::Exact;
}

}  // namespace gomkit::pass
