#include <gomkit/pass/map_skeleton.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <gomkit/pass/strip_prefix.hpp>

namespace gomkit::pass {
namespace {

using model::Model;
using model::Skeleton;

// The bones of a motion. A file whose bones are plain nodes (no bone attribute, no skin) still moves something.
core::Result<Skeleton> source_skeleton(const Model& source, const core::Limits& limits) {
    core::Result<Skeleton> own = model::build_skeleton(source, limits);
    if (!own || !own->bones.empty() || source.clips.empty()) {
        return own;
    }
    Model nodes;
    nodes.nodes = source.nodes;
    for (const model::Clip& clip : source.clips) {
        for (const model::Track& track : clip.tracks) {
            nodes.nodes[track.node.value].bone = true;
        }
    }
    return model::build_skeleton(nodes, limits);
}

std::string path_without_prefix(const std::string& path, std::string_view prefix) {
    if (prefix.empty()) {
        return path;
    }
    std::string out;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        out += without_prefix(std::string_view(path).substr(at, end - at), prefix);
        out += end < path.size() ? "/" : "";
        at = end + 1;
    }
    return out;
}

// Text to the bone that has it, or to kSeveral.
constexpr std::int32_t kSeveral = -2;
using Index = std::map<std::string, std::int32_t, std::less<>>;

void put(Index& index, std::string text, std::size_t bone) {
    const auto [it, added] = index.try_emplace(std::move(text), static_cast<std::int32_t>(bone));
    if (!added) {
        it->second = kSeveral;
    }
}

std::int32_t find(const Index& index, const std::string& text) {
    const auto it = index.find(text);
    return it == index.end() ? -1 : it->second;
}

std::string some_names(const Skeleton& skeleton) {
    constexpr std::size_t kMost = 5;
    std::string out;
    for (std::size_t i = 0; i < std::min(kMost, skeleton.bones.size()); ++i) {
        out += (i != 0 ? ", '" : "'") + skeleton.bones[i].path + "'";
    }
    return skeleton.bones.empty() ? "no bones" : skeleton.bones.size() > kMost ? out + ", ..." : out;
}

}  // namespace

core::Result<SkeletonMap> map_skeleton(const Model& source, const Model& target, const MapOptions& options) {
    core::Result<Skeleton> from = source_skeleton(source, options.limits);
    if (!from) {
        return core::Fault(std::move(from.error()));
    }
    core::Result<Skeleton> to = model::build_skeleton(target, options.limits);
    if (!to) {
        return core::Fault(std::move(to.error()));
    }
    SkeletonMap out;
    out.source = std::move(*from);
    out.target = std::move(*to);
    const std::size_t source_count = out.source.bones.size();
    out.target_of_source.assign(source_count, -1);
    out.source_of_target.assign(out.target.bones.size(), -1);
    out.animated.assign(source_count, false);
    for (const model::Clip& clip : source.clips) {
        for (const model::Track& track : clip.tracks) {
            const std::int32_t bone = out.source.bone_of_node[track.node.value];
            if (bone >= 0) {
                out.animated[static_cast<std::size_t>(bone)] = true;
            }
        }
    }

    const auto join = [&](std::size_t s, std::int32_t t) {
        out.target_of_source[s] = t;
        out.source_of_target[static_cast<std::size_t>(t)] = static_cast<std::int32_t>(s);
    };
    const std::string path_prefix = model::escape_component(options.strip_prefix);
    Index source_paths;
    Index target_paths;
    Index source_names;
    Index target_names;
    for (std::size_t i = 0; i < source_count; ++i) {
        put(source_paths, path_without_prefix(out.source.bones[i].path, path_prefix), i);
        put(source_names, std::string(without_prefix(out.source.bones[i].name, options.strip_prefix)), i);
    }
    for (std::size_t i = 0; i < out.target.bones.size(); ++i) {
        put(target_paths, path_without_prefix(out.target.bones[i].path, path_prefix), i);
        put(target_names, std::string(without_prefix(out.target.bones[i].name, options.strip_prefix)), i);
    }
    for (const auto& [path, s] : source_paths) {
        const std::int32_t t = find(target_paths, path);
        if (s >= 0 && t >= 0) {
            join(static_cast<std::size_t>(s), t);
            ++out.by_path;
        }
    }
    for (const auto& [name, s] : source_names) {
        const std::int32_t t = find(target_names, name);
        if (s >= 0 && t >= 0 && out.target_of_source[static_cast<std::size_t>(s)] < 0 && out.source_of_target[static_cast<std::size_t>(t)] < 0) {
            join(static_cast<std::size_t>(s), t);
            ++out.by_name;
        }
    }
    const bool only_weights = std::none_of(out.animated.begin(), out.animated.end(), [](bool moves) { return moves; }) &&
                              std::any_of(source.clips.begin(), source.clips.end(), [](const model::Clip& c) { return !c.morph_tracks.empty(); });
    if (out.by_path + out.by_name == 0 && !only_weights) {
        return core::fail(core::Code::CannotConvert, {}, "no bone of the motion has a counterpart in the model", some_names(out.source),
                          some_names(out.target), "give both skeletons the same bone names, or use --strip-prefix where only a prefix differs");
    }
    std::set<std::string> ambiguous;
    for (std::size_t i = 0; i < source_count; ++i) {
        const std::string name(without_prefix(out.source.bones[i].name, options.strip_prefix));
        const std::int32_t t = find(target_names, name);
        const bool several =
            t == kSeveral || (t >= 0 && find(source_names, name) == kSeveral && out.source_of_target[static_cast<std::size_t>(t)] < 0);
        if (out.target_of_source[i] < 0 && several) {
            ambiguous.insert(name);
        }
    }
    out.ambiguous.assign(ambiguous.begin(), ambiguous.end());
    return out;
}

void report_unmatched(const SkeletonMap& map, const std::string& target_file, core::Report& report) {
    using core::IssueId;
    for (const std::string& name : map.ambiguous) {
        report.add(IssueId::RETARGET_NAME_TWICE, {}, {{"name", name}, {"model", target_file}});
    }
    for (const bool moves : {true, false}) {
        for (std::size_t i = 0; i < map.source.bones.size(); ++i) {
            if (map.target_of_source[i] < 0 && map.animated[i] == moves) {
                report.add(moves ? IssueId::RETARGET_BONE_LOST : IssueId::RETARGET_BONE_UNUSED, {},
                           {{"bone", map.source.bones[i].path}, {"model", target_file}});
            }
        }
    }
    for (std::size_t i = 0; i < map.target.bones.size(); ++i) {
        if (map.source_of_target[i] < 0) {
            report.add(IssueId::RETARGET_BONE_STILL, {}, {{"bone", map.target.bones[i].path}, {"model", target_file}});
        }
    }
}

}  // namespace gomkit::pass
