#pragma once

#include <cstdint>
#include <vector>

#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>

#include "fit.hpp"

/// How far a KM3 is from the skinned mesh it was made of (docs/spec/km3.md, KM3-ERROR).
namespace gomkit::km3 {

/// A unit at rest, in the model's space.
struct RestUnit {
    model::Vec3 head;
    std::int32_t bone = -1;          ///< of the skeleton; -1: the unit of what no bone moves
    std::int32_t parent = -1;        ///< unit
};

/// The vertices before and after. `images` has one point for each of `weights`: where that bone alone would have the vertex at rest.
struct MeasureInput {
    std::vector<RestUnit> units;
    const FitInput* fit = nullptr;                     ///< the weights as they were
    core::LargeVector<model::Vec3> images;
    core::LargeVector<model::Vec3> points;             ///< per vertex, at rest
    struct Written {
        std::uint32_t vertex = 0;
        Envelope envelope;
        bool operator==(const Written&) const = default;
        [[nodiscard]] bool operator<(const Written& o) const { return vertex != o.vertex ? vertex < o.vertex : envelope < o.envelope; }
    };
    core::LargeVector<Written> written;                ///< sorted, each once
};

struct Measured {
    std::uint64_t vertices = 0;
    std::uint64_t over = 0;          ///< moved more than 0.01
    std::uint64_t cracked = 0;       ///< with more than one weighting
    double most_moved = 0;
    double mean_moved = 0;
    std::uint64_t poses = 0;         ///< rest, six turns of each unit, all frames
    double most = 0;                 ///< distance, in the model's unit
    double rms = 0;
};

/// Over the rest pose, each unit alone turned by 45 degrees either way about X, Y and Z through its head, and every frame of every clip (at
/// the source's frame rate, 30 where it has none; clips of more than 20,000 frames together are taken in wider steps).
[[nodiscard]] Measured measure(const MeasureInput& input, const model::Model& model, const model::Skeleton& skeleton, unsigned jobs);

}  // namespace gomkit::km3
