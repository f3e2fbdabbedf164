#pragma once

#include <span>
#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>

namespace gomkit::kit {

/// Where one input goes.
struct PlannedOutput {
    std::string path;
    std::string target;  ///< codec id
};

/// Decides the output and format of each input of `convert`. `output` empty: beside the input; an existing folder, or a name
/// that ends with '/': in it; otherwise the file itself, for one input only. `target` empty: by the output's extension, `fallback` where
/// there is none. Errors: Usage for an extension or target that no format has, for several inputs and one file, and when two
/// inputs would be written to one file; Unsupported for a format that can only be read; CannotWrite for a folder that does not exist.
[[nodiscard]] core::Result<std::vector<PlannedOutput>> plan_outputs(const codec::Registry& registry, std::span<const std::string> inputs,
                                                                    const std::string& output, const std::string& target,
                                                                    const std::string& fallback = "gom");

}  // namespace gomkit::kit
