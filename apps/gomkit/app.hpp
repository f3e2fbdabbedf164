#pragma once

#include <string>
#include <vector>

/// Runs the program; arguments[0] is its own name. Returns the exit code.
[[nodiscard]] int run(std::vector<std::string> arguments);
