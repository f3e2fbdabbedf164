#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/core/large_memory.hpp>

namespace gomkit::model {

/// One object record of a KM3 with its arrays, as stored (docs/spec/km3.md): millimetres, right-handed, Y up, unit space.
struct Km3Unit {
    std::uint32_t type = 1;                              ///< flag bits
    std::array<float, 3> origin{};                       ///< relative to the parent's origin
    std::int32_t parent = -1;
    std::int32_t extend = -1;                            ///< next unit of the extension chain
    core::LargeVector<std::array<float, 4>> verts;       ///< x y z and the own unit's weight
    core::LargeVector<std::array<std::uint16_t, 4>> vid; ///< one a polygon; a triangle repeats its third corner
    core::LargeVector<std::array<float, 4>> norms;       ///< x y z weight; empty together with nid
    core::LargeVector<std::array<std::uint16_t, 4>> nid; ///< one a polygon, or none
    core::LargeVector<std::array<float, 8>> uvs;         ///< u v of the four corners, one a polygon, or none
    core::LargeVector<std::uint32_t> tex;                ///< index into Km3Extras::names or 0xFFFFFFFF, one a polygon, or none
    bool operator==(const Km3Unit&) const = default;
};

/// What a KM3 keeps that the model does not: its own units. It counts only as long as it means what the model says.
struct Km3Extras {
    std::uint32_t unit_count = 0;                        ///< ordinary units; those behind them are extension units
    std::vector<Km3Unit> units;
    std::vector<std::string> names;                      ///< texture names, the bytes as stored, in order of first use
    bool inward = false;                                 ///< the stored normals point into the surface
    bool operator==(const Km3Extras&) const = default;
};

}  // namespace gomkit::model
