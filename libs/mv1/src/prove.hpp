#pragma once

#include <cstddef>
#include <span>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>

namespace gomkit::mv1 {

/// Whether a finished file can be given away: it decodes, the checker finds no error, and the model of DxLib's loader comes through.
/// Errors: InvalidOutput, LimitExceeded.
[[nodiscard]] core::Result<void> prove(std::span<const std::byte> file, const core::Limits& limits);

}  // namespace gomkit::mv1
