#include <gomkit/pass/name_clips.hpp>

#include <algorithm>
#include <array>
#include <map>

#include <gomkit/core/text.hpp>

namespace gomkit::pass {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Lower case, without spaces, '_', '-' and '.', and without the digits at the end.
std::string essence(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c != ' ' && c != '_' && c != '-' && c != '.') {
            out += lower(c);
        }
    }
    while (!out.empty() && out.back() >= '0' && out.back() <= '9') {
        out.pop_back();
    }
    return out;
}

bool is_layer_name(std::string_view name) {
    const std::string text = essence(name);
    return text == "layer" || text == "baselayer" || text == "animlayer" || text == "animationlayer";
}

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('|', at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

std::string base_name(std::string_view file) {
    const std::size_t slash = file.find_last_of("/\\");
    std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
    const std::size_t dot = name.rfind('.');
    if (dot != std::string_view::npos && dot != 0) {
        name = name.substr(0, dot);
    }
    std::string out = core::clean_text(name);
    return out.empty() ? "clip" : out;
}

}  // namespace

bool is_default_clip_name(std::string_view name) {
    static constexpr auto kDefaults =
        std::to_array<std::string_view>({"", "mixamocom", "take", "default", "defaulttake", "unrealtake", "animation", "anim", "action",
                                         "armatureaction", "scene", "untitled", "clip", "animationstack", "animstack"});
    const std::string text = essence(name);
    return std::find(kDefaults.begin(), kDefaults.end(), std::string_view(text)) != kDefaults.end();
}

std::string clip_name_of_stack(std::string_view stack_name) {
    std::vector<std::string_view> parts = split(stack_name);
    while (parts.size() > 1 && is_layer_name(parts.back())) {
        parts.pop_back();
    }
    const std::string_view last = parts.back();
    const bool object_action = parts.size() > 1 && essence(last) == essence(std::string(parts.front()) + "Action");
    return is_default_clip_name(last) || object_action ? std::string() : std::string(last);
}

void name_added_clips(std::span<model::Clip> clips, std::string_view file) {
    const std::string base = base_name(file);
    std::vector<std::string> names;
    std::map<std::string, int> holders;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        std::string name = clip_name_of_stack(clips[i].name);
        if (name.empty()) {
            name = clips.size() > 1 ? base + "_" + std::to_string(i + 1) : base;
        }
        ++holders[name];
        names.push_back(std::move(name));
    }
    for (std::size_t i = 0; i < clips.size(); ++i) {
        if (holders[names[i]] == 1) {
            clips[i].name = std::move(names[i]);
        }
    }
}

core::Result<void> check_clip_names(std::span<const ClipsOfFile> files) {
    std::map<std::string, const ClipsOfFile*> holders;
    for (const ClipsOfFile& file : files) {
        for (const std::string& name : file.names) {
            const auto [it, added] = holders.try_emplace(name, &file);
            if (!added && it->second != &file) {
                return core::fail(core::Code::CannotConvert, core::Place{file.file, {}, {}, {}}, "two files have a clip of one name",
                                  "'" + name + "', which '" + it->second->file + "' has too", "clip names that differ",
                                  "rename the animation in one of them, or rename one of the files where the clip takes its name from it");
            }
        }
    }
    return {};
}

}  // namespace gomkit::pass
