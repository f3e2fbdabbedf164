#pragma once

#include <cstddef>
#include <span>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>

namespace gomkit::mv1 {

/// Whether a finished file can be given away: it decodes, the checker finds no error, and the model of DxLib's loader comes through.
/// What the checker warns of goes to the report: it comes from the source. Errors: InvalidOutput, LimitExceeded.
[[nodiscard]] core::Result<void> prove(std::span<const std::byte> file, const core::Limits& limits, core::Report& report);

}  // namespace gomkit::mv1
