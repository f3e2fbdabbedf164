#include <algorithm>

#include "diff_parts.hpp"

namespace gomkit::kit {

void diff_morphs(const std::string& place, const DiffSide& a, const model::MeshInstance& ia, const DiffSide& b, const model::MeshInstance& ib,
                 Differences& out) {
    const auto channels = [](const DiffSide& side, const model::MeshInstance& instance) -> const std::vector<model::MorphChannel>& {
        return side.model.meshes[instance.mesh.value].morphs;
    };
    const auto names = [](const std::vector<model::MorphChannel>& list) {
        std::vector<std::string> out_names;
        for (const model::MorphChannel& channel : list) {
            out_names.push_back(channel.name);
        }
        return out_names;
    };
    for (const Pair& pair : pair_up(names(channels(a, ia)), names(channels(b, ib)))) {
        const std::string channel = place + ".blendShape[" + pair.name + "]";
        if (pair.a < 0 || pair.b < 0) {
            out.only_in(pair.a < 0 ? 'B' : 'A', channel);
            continue;
        }
        const model::MorphChannel& ca = channels(a, ia)[static_cast<std::size_t>(pair.a)];
        const model::MorphChannel& cb = channels(b, ib)[static_cast<std::size_t>(pair.b)];
        out.number(channel + ".defaultWeight", ca.default_weight, cb.default_weight);
        out.count(channel + ".shapeCount", ca.shapes.size(), cb.shapes.size());
        for (std::size_t s = 0; s < std::min(ca.shapes.size(), cb.shapes.size()); ++s) {
            const std::string shape = channel + ".shape[" + std::to_string(s) + "]";
            out.number(shape + ".weight", ca.shapes[s].weight, cb.shapes[s].weight);
        }
    }
}

}  // namespace gomkit::kit
