#pragma once

#include <cstdint>
#include <vector>

#include <gomkit/codec/codec.hpp>

/// What only a written DxLib model can be asked for.
namespace gomkit::mv1 {

/// How normals are stored, in the file's own numbers (MV1-FRAME-4).
enum class NormalType : std::uint8_t { S8 = 1, S16 = 2, F32 = 3 };

struct Options {
    double fps = 30;               ///< clip times a second
    bool faces_back = true;        ///< the front looks along -Z, as DxLib's own importer has it; else along +Z
    double unit_meters = 0;        ///< metres of one unit; 0: the source's unit, a metre where it has none (a DxLib model: a centimetre)
    NormalType normals = NormalType::F32;
    bool packs_positions = false;  ///< 16-bit in each frame's box
    bool packs_weights = false;    ///< 8 bits in place of 16
    bool packs_keys = false;       ///< 16 bits in place of float32
    bool emissive_zero = false;    ///< no material gives light of its own
    bool operator==(const Options&) const = default;
};

[[nodiscard]] std::vector<codec::FormatOption> format_options();
[[nodiscard]] Options options_of(const codec::FormatValues& values);

/// Whether a DxLib model that is written with these may stay the file that it was.
[[nodiscard]] bool may_stay(const Options& own, pass::NormalMode normals);

[[nodiscard]] std::vector<codec::Step> steps(const codec::WriteOptions& options, bool same_format);

}  // namespace gomkit::mv1
