#include <gomkit/pass/morph_tracks.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gomkit::pass {
namespace {

using model::MeshId;
using model::Model;

struct Channel {
    MeshId mesh;
    std::uint32_t index = 0;
    auto operator<=>(const Channel&) const = default;
};

// What a mesh is called: its own name, and those of the nodes that place it.
std::vector<std::string_view> names_of(const Model& model, MeshId mesh) {
    std::vector<std::string_view> out{model.meshes[mesh.value].name};
    for (const model::MeshInstance& instance : model.instances) {
        if (instance.mesh == mesh) {
            out.push_back(instance.name);
        }
    }
    return out;
}

// Channels by name.
class Index {
public:
    explicit Index(const Model& model) : model_(model) {
        for (std::uint32_t m = 0; m < model.meshes.size(); ++m) {
            const std::vector<std::string_view> names = names_of(model, MeshId{m});
            for (std::uint32_t c = 0; c < model.meshes[m].morphs.size(); ++c) {
                const std::string_view channel = model.meshes[m].morphs[c].name;
                by_name_[channel].insert({MeshId{m}, c});
                for (const std::string_view name : names) {
                    by_mesh_[{name, channel}].insert({MeshId{m}, c});
                }
            }
        }
    }

    [[nodiscard]] std::optional<Channel> find(const Model& source, const Channel& channel) const {
        const std::string_view name = source.meshes[channel.mesh.value].morphs[channel.index].name;
        std::set<Channel> found;
        for (const std::string_view mesh : names_of(source, channel.mesh)) {
            if (const auto it = by_mesh_.find({mesh, name}); it != by_mesh_.end()) {
                found.insert(it->second.begin(), it->second.end());
            }
        }
        if (const auto it = by_name_.find(name); found.empty() && it != by_name_.end()) {
            found = it->second;
        }
        return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
    }

    [[nodiscard]] double default_weight(const Channel& channel) const {
        return model_.meshes[channel.mesh.value].morphs[channel.index].default_weight;
    }

private:
    const Model& model_;
    std::map<std::string_view, std::set<Channel>> by_name_;
    std::map<std::pair<std::string_view, std::string_view>, std::set<Channel>> by_mesh_;
};

}  // namespace

void carry_morph_tracks(const Model& source, const Model& target, std::span<model::Clip> clips, core::Report& report) {
    const Index index(target);
    struct Pair {
        Channel source;
        std::optional<Channel> target;
    };
    std::vector<Pair> pairs;
    std::set<Channel> taken;
    for (std::uint32_t m = 0; m < source.meshes.size(); ++m) {
        for (std::uint32_t c = 0; c < source.meshes[m].morphs.size(); ++c) {
            std::optional<Channel> found = index.find(source, {MeshId{m}, c});
            if (found && !taken.insert(*found).second) {
                found.reset();
            }
            pairs.push_back({{MeshId{m}, c}, found});
        }
    }
    for (std::size_t i = 0; i < clips.size(); ++i) {
        const std::vector<model::MorphTrack>& tracks = source.clips[i].morph_tracks;
        std::vector<model::MorphTrack>& out = clips[i].morph_tracks;
        out.clear();
        for (const Pair& pair : pairs) {
            const model::Mesh& mesh = source.meshes[pair.source.mesh.value];
            const model::MorphChannel& channel = mesh.morphs[pair.source.index];
            const auto track = std::find_if(tracks.begin(), tracks.end(), [&](const model::MorphTrack& t) {
                return Channel{t.mesh, t.channel} == pair.source;
            });
            if (track != tracks.end() && !pair.target) {
                report.add(core::IssueId::RETARGET_SHAPE_LOST, {}, {{"clip", clips[i].name}, {"channel", channel.name}, {"mesh", mesh.name}});
            } else if (track != tracks.end()) {
                out.push_back({pair.target->mesh, pair.target->index, track->keys});
            } else if (pair.target && channel.default_weight != index.default_weight(*pair.target)) {
                out.push_back({pair.target->mesh, pair.target->index, {{0, channel.default_weight, false}}});
            }
        }
        std::sort(out.begin(), out.end(), [](const model::MorphTrack& a, const model::MorphTrack& b) {
            return Channel{a.mesh, a.channel} < Channel{b.mesh, b.channel};
        });
    }
}

void remove_morph_tracks(Model& model, core::Report& report) {
    for (model::Clip& clip : model.clips) {
        if (!clip.morph_tracks.empty()) {
            report.add(core::IssueId::CLIP_SHAPES_LOST, {}, {{"clip", clip.name}, {"count", std::to_string(clip.morph_tracks.size())}});
            clip.morph_tracks.clear();
        }
    }
}

}  // namespace gomkit::pass
