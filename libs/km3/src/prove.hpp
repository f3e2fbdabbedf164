#pragma once

#include <cstddef>
#include <span>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>

namespace gomkit::km3 {

/// Whether finished bytes have no finding at all and a strict reader gives them back byte for byte. Errors: LimitExceeded, InvalidOutput.
[[nodiscard]] core::Result<void> prove(std::span<const std::byte> bytes, const core::Limits& limits);

}  // namespace gomkit::km3
