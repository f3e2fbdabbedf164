#include "export_morph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include <gomkit/core/text.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/stored_clip.hpp>

namespace gomkit::gom {
namespace {

float to_float(double v) { return static_cast<float>(v) + 0.0f; }

bool same(const MorphChannel& a, const MorphChannel& b) {
    return a.name == b.name && a.default_weight == b.default_weight && a.shapes == b.shapes;
}

}  // namespace

MorphChannels::MorphChannels(const model::Model& model, core::Report& report) {
    of_instance_.resize(model.instances.size());
    instances_of_mesh_.resize(model.meshes.size());
    for (std::size_t i = 0; i < model.instances.size(); ++i) {
        const std::uint32_t mesh_index = model.instances[i].mesh.value;
        const model::Mesh& mesh = model.meshes[mesh_index];
        if (mesh.polygon_count() == 0) {
            continue;   // no part
        }
        instances_of_mesh_[mesh_index].push_back(static_cast<std::uint32_t>(i));
        of_instance_[i].resize(mesh.morphs.size());
        for (std::size_t c = 0; c < mesh.morphs.size(); ++c) {
            add(mesh.morphs[c], model.gom.has_value(), report, of_instance_[i][c]);
        }
        owner_.resize(channels_.size(), static_cast<std::uint32_t>(i));
    }
    number(model, report);
    sort();
}

/// `stored`: the channel comes from a GOM, where equal ones are parts' views of the same.
void MorphChannels::add(const model::MorphChannel& channel, bool stored, core::Report& report, Place& place) {
    MorphChannel out;
    out.name = channel.name.empty() ? "shape" : channel.name;
    out.default_weight = std::isfinite(to_float(channel.default_weight)) ? to_float(channel.default_weight) : 0.0f;
    for (const model::MorphShape& shape : channel.shapes) {
        const float weight = to_float(shape.weight);
        const bool usable = std::isfinite(weight) && weight != 0 && (out.shapes.empty() || weight > out.shapes.back());
        place.shapes.push_back(usable ? static_cast<std::uint32_t>(out.shapes.size()) : model::kNoIndex);
        if (usable) {
            out.shapes.push_back(weight);
        }
    }
    report.add_loss("in-betweens of blend shapes whose weights no float32 tells apart", channel.shapes.size() - out.shapes.size());
    if (out.shapes.empty()) {
        report.add_loss("blend shapes without a shape", channel.shapes.empty() ? 1 : 0);
        return;
    }
    const auto known = stored ? std::find_if(channels_.begin(), channels_.end(), [&](const MorphChannel& c) { return same(c, out); })
                              : channels_.end();
    place.channel = static_cast<std::uint32_t>(known - channels_.begin());
    if (known == channels_.end()) {
        channels_.push_back(std::move(out));
    }
}

void MorphChannels::number(const model::Model& model, core::Report& report) {
    std::vector<std::string> names;
    for (const MorphChannel& channel : channels_) {
        names.push_back(channel.name);
    }
    const std::vector<std::string> numbered = model::number_duplicates(names);
    for (std::size_t c = 0; c < channels_.size(); ++c) {
        if (numbered[c] != names[c]) {
            report.add(core::IssueId::MORPH_RENAMED, {},
                       {{"name", names[c]}, {"mesh", model.instances[owner_[c]].name}, {"written", numbered[c]}});
            channels_[c].name = numbered[c];
        }
    }
}

void MorphChannels::sort() {
    std::vector<std::uint32_t> order(channels_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return core::byte_less(channels_[a].name, channels_[b].name); });
    std::vector<MorphChannel> sorted;
    std::vector<std::uint32_t> place(order.size());
    for (const std::uint32_t c : order) {
        place[c] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(channels_[c]));
    }
    channels_ = std::move(sorted);
    for (std::vector<Place>& places : of_instance_) {
        for (Place& p : places) {
            p.channel = p.channel == model::kNoIndex ? model::kNoIndex : place[p.channel];
        }
    }
}

std::vector<Morph> MorphChannels::written(std::vector<Morph>&& morphs, std::size_t instance) const {
    std::vector<Morph> out;
    for (Morph& m : morphs) {
        if (m.vertices.empty()) {
            continue;   // all of an instance without a part, which has no channels either
        }
        const Place& place = of_instance_[instance][m.channel];
        const std::uint32_t shape = place.channel == model::kNoIndex ? model::kNoIndex : place.shapes[m.shape];
        if (shape != model::kNoIndex) {
            m.channel = place.channel;
            m.shape = shape;
            out.push_back(std::move(m));
        }
    }
    std::sort(out.begin(), out.end(), [](const Morph& a, const Morph& b) { return std::pair(a.channel, a.shape) < std::pair(b.channel, b.shape); });
    return out;
}

std::vector<MorphTrack> MorphChannels::tracks(const model::Clip& clip) const {
    std::vector<MorphTrack> out;
    for (const model::MorphTrack& track : clip.morph_tracks) {
        if (track.mesh.value >= instances_of_mesh_.size()) {
            continue;
        }
        const pass::StoredKeys<double> keys = pass::stored_weights(track.keys, clip);
        for (const std::uint32_t instance : instances_of_mesh_[track.mesh.value]) {
            MorphTrack written;
            written.channel = of_instance_[instance][track.channel].channel;
            if (written.channel == model::kNoIndex) {
                continue;
            }
            for (const pass::StoredKey<double>& key : keys) {
                written.keys.push_back({to_float(key.time), {to_float(key.value)}});
            }
            const bool still = !clip.final_keys && written.keys.size() == 1 && written.keys[0].value[0] == channels_[written.channel].default_weight;
            if (!written.keys.empty() && !still) {
                out.push_back(std::move(written));
            }
        }
    }
    std::stable_sort(out.begin(), out.end(), [](const MorphTrack& a, const MorphTrack& b) { return a.channel < b.channel; });
    out.erase(std::unique(out.begin(), out.end(), [](const MorphTrack& a, const MorphTrack& b) { return a.channel == b.channel; }), out.end());
    return out;
}

std::uint64_t MorphChannels::lost_tracks(const model::Model& model) const {
    std::uint64_t lost = 0;
    for (const model::Clip& clip : model.clips) {
        std::set<std::string_view> counted;   // of a GOM, where a channel has a track for each part that it moves
        for (const model::MorphTrack& track : clip.morph_tracks) {
            const bool kept = track.mesh.value < instances_of_mesh_.size() &&
                              std::any_of(instances_of_mesh_[track.mesh.value].begin(), instances_of_mesh_[track.mesh.value].end(), [&](std::uint32_t i) {
                                  return of_instance_[i][track.channel].channel != model::kNoIndex;
                              });
            const bool first = !model.gom || counted.insert(model.meshes[track.mesh.value].morphs[track.channel].name).second;
            lost += !kept && first ? 1u : 0u;
        }
    }
    return lost;
}

}  // namespace gomkit::gom
