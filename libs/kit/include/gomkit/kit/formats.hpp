#pragma once

#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>

namespace gomkit::kit {

struct FormatInfo {
    std::string id;
    std::string name;
    std::vector<std::string> extensions;
    bool reads = false;
    bool writes = false;
    bool checks = false;
    bool dumps = false;
    std::vector<std::string> kept;  ///< kinds of content that survive
    std::vector<std::string> lost;  ///< kinds of content that do not
};

/// All formats of the registry, in its order.
[[nodiscard]] std::vector<FormatInfo> formats(const codec::Registry& registry);

/// All findings the toolkit can make, sorted by name.
[[nodiscard]] std::vector<const core::IssueInfo*> rules();

}  // namespace gomkit::kit
