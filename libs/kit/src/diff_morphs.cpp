#include <algorithm>

#include "diff_parts.hpp"
#include "model_math.hpp"

namespace gomkit::kit {
namespace {

struct Box {
    model::Vec3 low{1e300, 1e300, 1e300};
    model::Vec3 high{-1e300, -1e300, -1e300};
};

// Where what is drawn of the mesh lies with this shape in full, in model space at bind.
Box box_of(const DiffSide& side, const model::MeshInstance& instance, const model::MorphShape& shape) {
    const model::Mesh& mesh = side.model.meshes[instance.mesh.value];
    std::vector<model::Vec3> points(mesh.points.begin(), mesh.points.end());
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
        points[shape.points[i]] += shape.offsets[i];
    }
    const model::Mat4 place = placement(side.model, instance, side.binds);
    Box box;
    for (const std::uint32_t point : mesh.corner_point) {
        const model::Vec3 p = runtime::transform_point(points[point], place);
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
    }
    return box;
}

}  // namespace

std::string DiffSide::mesh_name(model::MeshId mesh) const {
    const auto placed = std::find_if(model.instances.begin(), model.instances.end(), [&](const model::MeshInstance& i) { return i.mesh == mesh; });
    return placed != model.instances.end() ? placed->name : model.meshes[mesh.value].name;
}

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
            const Box box_a = box_of(a, ia, ca.shapes[s]);
            const Box box_b = box_of(b, ib, cb.shapes[s]);
            out.vector(shape + ".low", box_a.low, box_b.low);
            out.vector(shape + ".high", box_a.high, box_b.high);
        }
    }
}

}  // namespace gomkit::kit
