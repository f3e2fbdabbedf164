#pragma once

#include <cstddef>
#include <span>

#include <gomkit/core/error.hpp>

namespace gomkit::ps1 {

/// Whether finished bytes break no rule that is an error and are, read and written again, the same. Errors: InvalidOutput.
[[nodiscard]] core::Result<void> prove(std::span<const std::byte> bytes);

}  // namespace gomkit::ps1
