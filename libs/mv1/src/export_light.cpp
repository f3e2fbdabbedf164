#include "export_parts.hpp"

#include <optional>

#include "assemble.hpp"

namespace gomkit::mv1 {
namespace {

std::optional<std::int32_t> type_of(model::LightKind kind) {
    switch (kind) {
        case model::LightKind::Point: return 0;
        case model::LightKind::Spot: return 1;
        case model::LightKind::Directional: return 2;
        default: return std::nullopt;
    }
}

}  // namespace

void export_lights(Export& ex) {
    std::uint64_t no_type = 0;
    std::uint64_t no_place = 0;
    std::uint64_t off = 0;
    for (const model::Light& source : ex.model.lights) {
        if (!source.lit) {
            ++off;   // one that is written shines
            continue;
        }
        const std::optional<std::int32_t> type = type_of(source.kind);
        const std::uint32_t frame = ex.frame_of[source.node.value];
        if (!type || ex.links.frame_light[frame] != kNone) {
            ++(type ? no_place : no_type);
            continue;
        }
        Light light;
        light.name = add_string(ex.doc, source.name);
        light.frame_index = static_cast<std::int32_t>(frame);
        light.type = *type;
        light.diffuse = {to_float(source.color.x), to_float(source.color.y), to_float(source.color.z), 0};
        light.range = to_float(source.intensity * 10);
        light.falloff = 0.1f;
        light.attenuation0 = 1;
        light.theta = to_float(source.inner_angle);
        light.phi = to_float(source.outer_angle);
        ex.links.frame_light[frame] = static_cast<std::uint32_t>(ex.doc.lights.size());
        ex.doc.lights.push_back(light);
    }
    ex.report.add_loss("area and volume lights", no_type);
    ex.report.add_loss("lights beyond the first of a frame", no_place);
    ex.report.add_loss("lights that are off", off);
}

}  // namespace gomkit::mv1
