#include <gomkit/kit/formats.hpp>

#include <algorithm>
#include <string_view>

namespace gomkit::kit {

std::vector<FormatInfo> formats(const codec::Registry& registry) {
    std::vector<FormatInfo> out;
    for (const codec::Codec& codec : registry.codecs()) {
        FormatInfo f;
        f.id = codec.id;
        f.name = codec.name;
        f.extensions.assign(codec.extensions.begin(), codec.extensions.end());
        f.reads = codec.read != nullptr;
        f.writes = codec.write != nullptr;
        f.checks = codec.check != nullptr;
        f.dumps = codec.dump != nullptr;
        f.kept.assign(codec.kept.begin(), codec.kept.end());
        f.lost.assign(codec.lost.begin(), codec.lost.end());
        out.push_back(std::move(f));
    }
    return out;
}

std::vector<const core::IssueInfo*> rules() {
    std::vector<const core::IssueInfo*> out;
    for (std::size_t i = 0; i < static_cast<std::size_t>(core::IssueId::Count); ++i) {
        out.push_back(&core::info(static_cast<core::IssueId>(i)));
    }
    std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return std::string_view(a->name) < b->name; });
    return out;
}

}  // namespace gomkit::kit
