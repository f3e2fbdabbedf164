#pragma once

#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/kit/input.hpp>

namespace gomkit::kit {

struct CheckRequest {
    Input input;
    codec::CheckOptions options;
    std::vector<std::string> texture_folders;  ///< further folders to look in for pictures
};

struct CheckResponse {
    std::string format;  ///< codec id
};

/// Tests all rules of the file's format; every finding goes into the report. Errors: when the file cannot be read at all, is of no
/// known format (NotThisFormat), or of one without rules (Unsupported).
[[nodiscard]] core::Result<CheckResponse> check(const codec::Registry& registry, const CheckRequest& request, core::Report& report);

}  // namespace gomkit::kit
