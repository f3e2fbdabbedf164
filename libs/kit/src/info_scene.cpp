#include "info_scene.hpp"

namespace gomkit::kit {
namespace {

// Each node's matrix to model space at rest.
std::vector<model::Mat4> rest_matrices(const model::Model& model) {
    std::vector<model::Mat4> out;
    for (const model::Node& node : model.nodes) {
        const model::Mat4 local = runtime::to_matrix(node.rest);
        out.push_back(node.parent.valid() ? local * out[node.parent.value] : local);
    }
    return out;
}

model::Vec3 unit(const model::Vec3& v) {
    const double size = length(v);
    return size > 0 ? v * (1 / size) : v;
}

}  // namespace

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
    const std::vector<model::Mat4> rest = rest_matrices(model);
    const auto place = [&](model::NodeId node) { return runtime::transform_point(model::Vec3{}, rest[node.value]); };
    const auto turned = [&](const model::Vec3& v, model::NodeId node) { return unit(runtime::transform_point(v, rest[node.value]) - place(node)); };
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
