#pragma once

#include <vector>

#include <gomkit/codec/codec.hpp>

/// What only a written DxLib model can be asked for.
namespace gomkit::mv1 {

struct Options {
    double fps = 30;               ///< clip times a second
    bool faces_back = true;        ///< the front looks along -Z, as DxLib's own importer has it; else along +Z
    double unit_meters = 0;        ///< metres of one unit; 0: the source's unit, a metre where it has none (a DxLib model: a centimetre)
    bool operator==(const Options&) const = default;
};

[[nodiscard]] std::vector<codec::FormatOption> format_options();
[[nodiscard]] Options options_of(const codec::FormatValues& values);

[[nodiscard]] std::vector<codec::Step> steps(const codec::WriteOptions& options, bool same_format);

}  // namespace gomkit::mv1
