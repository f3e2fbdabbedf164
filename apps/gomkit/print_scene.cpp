#include "print_scene.hpp"

#include <type_traits>

#include <fmt/format.h>

#include <gomkit/core/text.hpp>
#include <gomkit/model/light_names.hpp>

#include "print_text.hpp"

using gomkit::core::printable;
namespace kit = gomkit::kit;
namespace model = gomkit::model;

namespace {

std::string light_text(const kit::LightInfo& info) {
    const model::Light& light = info.light;
    std::string out = fmt::format("{}: {}, colour {}, intensity {}, decay {}, at {} m", printable(info.node), model::name_of(light.kind), rounded(light.color),
                                  rounded(light.intensity), model::name_of(light.decay), rounded(info.position));
    if (light.kind != model::LightKind::Point) {
        out += ", towards " + rounded(info.direction);
    }
    if (light.kind == model::LightKind::Spot) {
        out += fmt::format(", cone {} to {} degrees", rounded(light.inner_angle), rounded(light.outer_angle));
    }
    return out + (light.casts_shadows ? ", casts shadows" : "") + (light.lit ? "" : ", off");
}

std::string camera_text(const kit::CameraInfo& info) {
    const model::Camera& camera = info.camera;
    const std::string what = camera.orthographic ? fmt::format("orthographic, {} x {} m", rounded(camera.size.x), rounded(camera.size.y))
                                                 : fmt::format("{} x {} degrees", rounded(camera.field_of_view.x), rounded(camera.field_of_view.y));
    return fmt::format("{}: {}, from {} to {} m, at {} m, towards {}", printable(info.node), what, rounded(camera.near_plane), rounded(camera.far_plane),
                       rounded(info.position), rounded(info.forward));
}

std::string value_text(const model::UserProperty& property) {
    return std::visit(
        [](const auto& value) {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>) {
                return "'" + printable(value) + "'";
            } else if constexpr (std::is_same_v<T, std::int64_t>) {
                return std::to_string(value);
            } else {
                std::vector<std::string> list;
                for (const double v : value) {
                    list.push_back(rounded(v));
                }
                return fmt::format("{}", fmt::join(list, " "));
            }
        },
        property.value);
}

Json light_json(const kit::LightInfo& info) {
    const model::Light& light = info.light;
    return {{"name", light.name},
            {"node", info.node},
            {"kind", model::name_of(light.kind)},
            {"color", vector_json(light.color)},
            {"intensity", light.intensity},
            {"decay", model::name_of(light.decay)},
            {"innerAngle", light.inner_angle},
            {"outerAngle", light.outer_angle},
            {"lit", light.lit},
            {"castsShadows", light.casts_shadows},
            {"position", vector_json(info.position)},
            {"direction", vector_json(info.direction)}};
}

Json camera_json(const kit::CameraInfo& info) {
    const model::Camera& camera = info.camera;
    const auto pair = [](bool is, const model::Vec2& v) { return is ? Json::array({v.x, v.y}) : Json(nullptr); };
    return {{"name", camera.name},
            {"node", info.node},
            {"projection", camera.orthographic ? "orthographic" : "perspective"},
            {"fieldOfView", pair(!camera.orthographic, camera.field_of_view)},
            {"size", pair(camera.orthographic, camera.size)},
            {"aspectRatio", camera.aspect_ratio},
            {"near", camera.near_plane},
            {"far", camera.far_plane},
            {"position", vector_json(info.position)},
            {"forward", vector_json(info.forward)},
            {"up", vector_json(info.up)}};
}

}  // namespace

std::string scene_text(const kit::InfoResponse& info) {
    std::string out;
    const auto section = [&](const char* label, const auto& list, const auto& text) {
        if (!list.empty()) {
            out += fmt::format("{:<12}{}\n", label, list.size());
        }
        for (const auto& entry : list) {
            out += "  " + text(entry) + "\n";
        }
    };
    section("lights", info.lights, light_text);
    section("cameras", info.cameras, camera_text);
    if (!info.properties.empty()) {
        out += "properties\n";
    }
    for (const auto& node : info.properties) {
        for (const model::UserProperty& property : node.properties) {
            out += fmt::format("  {}: {} = {} ({})\n", printable(node.node), printable(property.name), value_text(property), property.type);
        }
    }
    return out;
}

void add_scene_json(Json& document, const kit::InfoResponse& info) {
    for (const char* list : {"lights", "cameras", "userProperties"}) {
        document[list] = Json::array();
    }
    for (const auto& light : info.lights) {
        document["lights"].push_back(light_json(light));
    }
    for (const auto& camera : info.cameras) {
        document["cameras"].push_back(camera_json(camera));
    }
    for (const auto& node : info.properties) {
        for (const model::UserProperty& property : node.properties) {
            Json value = std::visit([](const auto& v) { return Json(v); }, property.value);
            document["userProperties"].push_back({{"node", node.node}, {"name", property.name}, {"type", property.type}, {"value", std::move(value)}});
        }
    }
}
