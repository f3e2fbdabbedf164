#include "facts.hpp"

#include <type_traits>

#include <gomkit/model/light_names.hpp>

namespace gomkit::fbx {
namespace {

using codec::Fact;
using model::Vec3;

std::vector<double> three(const Vec3& v) { return {v.x, v.y, v.z}; }

void add_light(std::vector<Fact>& out, const model::Model& model, const model::Light& light) {
    const std::string at = "light[" + light.name + "]";
    out.push_back({at + ".node", {}, model.nodes[light.node.value].name});
    out.push_back({at + ".kind", {}, model::name_of(light.kind)});
    out.push_back({at + ".color", three(light.color), {}});
    out.push_back({at + ".intensity", {light.intensity}, {}});
    out.push_back({at + ".direction", three(light.direction), {}});
    out.push_back({at + ".decay", {}, model::name_of(light.decay)});
    out.push_back({at + ".cone", {light.inner_angle, light.outer_angle}, {}});
    out.push_back({at + ".lit", {light.lit ? 1.0 : 0.0}, {}});
    out.push_back({at + ".castsShadows", {light.casts_shadows ? 1.0 : 0.0}, {}});
}

void add_camera(std::vector<Fact>& out, const model::Model& model, const model::Camera& camera) {
    const std::string at = "camera[" + camera.name + "]";
    out.push_back({at + ".node", {}, model.nodes[camera.node.value].name});
    out.push_back({at + ".projection", {}, camera.orthographic ? "orthographic" : "perspective"});
    out.push_back({at + ".forward", three(camera.forward), {}});
    out.push_back({at + ".up", three(camera.up), {}});
    out.push_back({at + ".fieldOfView", {camera.field_of_view.x, camera.field_of_view.y}, {}});
    out.push_back({at + ".size", {camera.size.x, camera.size.y}, {}});
    out.push_back({at + ".aspectRatio", {camera.aspect_ratio}, {}});
    out.push_back({at + ".planes", {camera.near_plane, camera.far_plane}, {}});
}

Fact property_fact(const model::Node& node, const model::UserProperty& property) {
    Fact out{"node[" + node.name + "].property[" + property.name + "]", {}, {}};
    std::visit(
        [&](const auto& value) {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>) {
                out.text = value;
            } else if constexpr (std::is_same_v<T, std::int64_t>) {
                out.text = std::to_string(value);
            } else {
                out.numbers = value;
            }
        },
        property.value);
    return out;
}

// Whether a node that has no bone has moved is seen by what stands on it alone.
void add_place(std::vector<Fact>& out, const model::Model& model, model::NodeId id) {
    const model::Node& node = model.nodes[id.value];
    const std::string at = "node[" + node.name + "]";
    out.push_back({at + ".translation", three(node.rest.translation), {}});
    const model::Mat4 turn = runtime::to_matrix(model::Transform{{}, node.rest.rotation, {1, 1, 1}});
    out.push_back({at + ".rotation", {turn.m[0], turn.m[1], turn.m[2], turn.m[4], turn.m[5], turn.m[6]}, {}});
}

}  // namespace

std::vector<Fact> facts(const model::Model& model, const core::Limits&) {
    std::vector<Fact> out;
    for (const model::Light& light : model.lights) {
        add_light(out, model, light);
        add_place(out, model, light.node);
    }
    for (const model::Camera& camera : model.cameras) {
        add_camera(out, model, camera);
        add_place(out, model, camera.node);
    }
    for (const model::Node& node : model.nodes) {
        for (const model::UserProperty& property : node.properties) {
            out.push_back(property_fact(node, property));
        }
    }
    return out;
}

}  // namespace gomkit::fbx
