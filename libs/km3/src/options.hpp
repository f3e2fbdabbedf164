#pragma once

#include <cstdint>
#include <vector>

#include <gomkit/codec/codec.hpp>

/// What only a written KM3 can be asked for.
namespace gomkit::km3 {

/// Where normals point (docs/spec/km3.md, KM3-NORM-4). Source: as those of a KM3 source did, else outward.
enum class Normals : std::uint8_t { Source, Outward, Inward };

struct Options {
    Normals normals = Normals::Source;
    bool quads = false;      ///< join pairs of triangles that lie in one plane
    bool weights = true;     ///< false: every vertex wholly follows its unit
    double scale = 1;        ///< factor on all lengths; 1 writes a millimetre as 1
};

[[nodiscard]] std::vector<codec::FormatOption> format_options();
[[nodiscard]] Options options_of(const codec::FormatValues& values);

/// Whether the vertices of a KM3 that is written with these may stay as they are.
[[nodiscard]] bool may_stay(const Options& own, pass::NormalMode normals);

[[nodiscard]] std::vector<codec::Step> steps(const codec::WriteOptions& options, bool same_format);

}  // namespace gomkit::km3
