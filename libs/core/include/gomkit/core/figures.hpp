#pragma once

#include <string>

namespace gomkit::core {

/// Four significant digits, which are enough for a measured error.
[[nodiscard]] std::string short_number(double value);

}  // namespace gomkit::core
