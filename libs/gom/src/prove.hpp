#pragma once

#include <cstddef>
#include <span>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>

namespace gomkit::gom {

/// That finished output is a valid GOM, by readers that share nothing with the writer: the run-time library's verify and the
/// checker. A failure is InvalidOutput with the finding. (A decode would add nothing: it accepts exactly what the checker calls
/// valid, which the tests prove.)
[[nodiscard]] core::Result<void> prove(std::span<const std::byte> bytes, const core::Limits& limits);

}  // namespace gomkit::gom
