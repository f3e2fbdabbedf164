#pragma once

#include <span>
#include <string>
#include <vector>

#include <gomkit/core/error.hpp>

namespace gomkit::kit {

/// One rule: `target` was made of `sources`.
struct Dependency {
    std::string target;
    std::vector<std::string> sources;
};

/// The rules in make's syntax, spaces and special characters escaped, as make and ninja read them. Errors: Usage for a name with a
/// line break or another character that the syntax cannot express.
[[nodiscard]] core::Result<std::string> depfile_text(std::span<const Dependency> rules);

}  // namespace gomkit::kit
