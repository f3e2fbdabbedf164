#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/report.hpp>

namespace gomkit::mv1 {

/// All rules of mv1.md. What makes a file unreadable ends the check with that finding (exactly when decode() fails); everything else
/// is judged to the end: counters, change tables, values out of their enumerations, and what DxLib's loader would stumble over.
void check(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report);

}  // namespace gomkit::mv1
