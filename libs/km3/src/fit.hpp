#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <gomkit/core/large_memory.hpp>

/// Fitting any number of influences into single-weight envelopes (docs/spec/km3.md, KM3-FIT).
namespace gomkit::km3 {

struct BoneWeight {
    std::uint32_t unit = 0;
    double weight = 0;
    bool operator==(const BoneWeight&) const = default;
};

/// Weighted vertices and the triangles between them.
struct FitInput {
    std::vector<std::int32_t> parent;                              ///< of each unit, -1 or smaller than the unit itself
    core::LargeVector<std::uint32_t> first;                        ///< vertex count + 1 offsets into `weights`
    core::LargeVector<BoneWeight> weights;                         ///< by unit, above 0, summing up to 1
    core::LargeVector<std::array<std::uint32_t, 3>> triangles;     ///< vertices
    bool envelopes = true;                                         ///< false: a vertex wholly follows the unit of its triangle
};

struct Fit {
    core::LargeVector<std::uint32_t> unit;                         ///< per triangle
    core::LargeVector<std::array<float, 3>> own;                   ///< per corner: the weight of that unit; its parent has the rest
};

/// Chooses the unit of each triangle and the weight of each corner. Vertices are first reduced, in at most 8 rounds, to what the units
/// of all their triangles can hold, so that neighbours agree.
[[nodiscard]] Fit fit(const FitInput& input);

/// What a corner's weight means: `own` of unit, the rest of its parent; whole weights without the other unit, so that equal
/// ones are equal whichever unit holds them.
struct Envelope {
    std::uint32_t unit = 0;
    std::int32_t other = -1;
    float own = 1;
    bool operator==(const Envelope&) const = default;
    [[nodiscard]] bool operator<(const Envelope& o) const {
        return unit != o.unit ? unit < o.unit : other != o.other ? other < o.other : own < o.own;
    }
};
[[nodiscard]] Envelope envelope(const std::vector<std::int32_t>& parent, std::uint32_t unit, float own);

/// Half the sum of the differences: the share of weight that changed its bone, 0 to 1.
[[nodiscard]] double moved(const BoneWeight* weights, std::size_t count, const Envelope& e);

}  // namespace gomkit::km3
