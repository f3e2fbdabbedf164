#include "info_scene.hpp"

namespace gomkit::kit {

core::Result<void> add_scene(InfoResponse& out, const model::Model& model, const core::Limits& limits) {
    std::vector<model::NodeId> nodes;
    for (const model::Light& light : model.lights) {
        nodes.push_back(light.node);
    }
    for (const model::Camera& camera : model.cameras) {
        nodes.push_back(camera.node);
    }
    for (std::uint32_t i = 0; i < model.nodes.size(); ++i) {
        if (!model.nodes[i].properties.empty()) {
            nodes.push_back({i});
        }
    }
    if (nodes.empty()) {
        return {};
    }
    auto paths = model::node_paths(model, nodes, limits);
    if (!paths) {
        return core::Fault(std::move(paths.error()));
    }
    auto path = paths->begin();
    const std::vector<model::Mat4> rest = model::rest_to_model(model);
    const auto place = [&](model::NodeId node) { return runtime::transform_point(model::Vec3{}, rest[node.value]); };
    const auto turned = [&](const model::Vec3& v, model::NodeId node) { return normalized(runtime::transform_vector(v, rest[node.value])); };
    for (const model::Light& light : model.lights) {
        out.lights.push_back({light, std::move(*path++), place(light.node), turned(light.direction, light.node)});
    }
    for (const model::Camera& camera : model.cameras) {
        out.cameras.push_back({camera, std::move(*path++), place(camera.node), turned(camera.forward, camera.node), turned(camera.up, camera.node)});
    }
    for (const model::Node& node : model.nodes) {
        if (!node.properties.empty()) {
            out.properties.push_back({std::move(*path++), node.properties});
        }
    }
    return {};
}

}  // namespace gomkit::kit
