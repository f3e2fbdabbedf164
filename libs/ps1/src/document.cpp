#include "document.hpp"

#include <algorithm>

#include <gomkit/core/text.hpp>

namespace gomkit::ps1 {
namespace {

template <class Item>
std::vector<BoneRange> ranges(const std::vector<Item>& items, std::size_t bones) {
    std::vector<BoneRange> out(bones);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].bone < bones) {
            BoneRange& range = out[items[i].bone];
            range.start = range.count == 0 ? static_cast<std::uint16_t>(i) : range.start;
            ++range.count;
        }
    }
    return out;
}

}  // namespace

std::string clip_name(const Clip& clip) { return {clip.name.begin(), std::find(clip.name.begin(), clip.name.end(), '\0')}; }
std::string clip_text(const Clip& clip) { return core::clean_text(clip_name(clip)); }

std::vector<BoneRange> vertex_ranges(const Document& document) { return ranges(document.vertices, document.bones.size()); }
std::vector<BoneRange> triangle_ranges(const Document& document) { return ranges(document.triangles, document.bones.size()); }

}  // namespace gomkit::ps1
