#include "import.hpp"

#include <algorithm>
#include <cmath>

#include "elements.hpp"

namespace gomkit::fbx {
namespace {

using model::Vec3;

double or_else(double v, double fallback) { return finite(v) ? v : fallback; }

model::UserProperty user_property(const ufbx_prop& prop, const Names& names) {
    codec::ElementProperty read = property_of(prop, names);
    model::UserProperty out;
    out.name = std::move(read.name);
    out.type = std::move(read.type);
    if (read.whole) {
        out.value = *read.whole;
    } else if (read.numbers.empty()) {
        out.value = std::move(read.text);
    } else {
        // What follows a single number are the bounds that the program gives it.
        if (prop.type == UFBX_PROP_NUMBER || prop.type == UFBX_PROP_DISTANCE) {
            read.numbers.resize(1);
        }
        for (double& v : read.numbers) {
            v = or_else(v, 0);
        }
        out.value = std::move(read.numbers);
    }
    return out;
}

// The spaces of nodes are mirrored with the scene.
Vec3 mirrored(const ufbx_scene& scene, Vec3 v) {
    switch (scene.metadata.mirror_axis) {
        case UFBX_MIRROR_AXIS_X: v.x = 0 - v.x; break;
        case UFBX_MIRROR_AXIS_Y: v.y = 0 - v.y; break;
        case UFBX_MIRROR_AXIS_Z: v.z = 0 - v.z; break;
        default: break;
    }
    return v;
}

model::Light light_of(Import& in, const ufbx_light& source, model::NodeId node) {
    constexpr model::LightKind kKinds[] = {model::LightKind::Point, model::LightKind::Directional, model::LightKind::Spot,
                                           model::LightKind::Area, model::LightKind::Volume};
    constexpr model::LightDecay kDecays[] = {model::LightDecay::None, model::LightDecay::Linear, model::LightDecay::Quadratic,
                                             model::LightDecay::Cubic};
    static_assert(UFBX_LIGHT_DIRECTIONAL == 1 && UFBX_LIGHT_SPOT == 2 && UFBX_LIGHT_VOLUME == 4 && UFBX_LIGHT_DECAY_CUBIC == 3);
    model::Light out;
    out.name = in.name(name_of(source.element));
    out.node = node;
    out.kind = kKinds[source.type];
    out.color = {or_else(source.color.x, 1), or_else(source.color.y, 1), or_else(source.color.z, 1)};
    out.intensity = or_else(source.intensity, 1);
    out.direction = mirrored(in.scene, to_vec3(source.local_direction));
    out.decay = kDecays[source.decay];
    if (out.kind == model::LightKind::Spot) {
        out.inner_angle = or_else(source.inner_angle, 0);
        out.outer_angle = or_else(source.outer_angle, 0);
    }
    out.lit = source.cast_light;
    out.casts_shadows = source.cast_shadows;
    out.origin = {out.name, source.typed_id};
    return out;
}

model::Camera camera_of(Import& in, const ufbx_camera& source, model::NodeId node) {
    model::Camera out;
    out.name = in.name(name_of(source.element));
    out.node = node;
    out.orthographic = source.projection_mode == UFBX_PROJECTION_MODE_ORTHOGRAPHIC;
    out.forward = mirrored(in.scene, {1, 0, 0});   // whatever the axes of the scene are
    out.up = mirrored(in.scene, {0, 1, 0});
    const double unit = in.scene.metadata.root_scale;   // other than 1 where the nodes have the file's unit
    if (out.orthographic) {
        const double size = in.scene.metadata.exporter == UFBX_EXPORTER_BLENDER_BINARY ? 1 : unit;   // Blender says it in metres
        out.size = {or_else(source.orthographic_size.x * size, 0), or_else(source.orthographic_size.y * size, 0)};
    } else {
        out.field_of_view = {or_else(source.field_of_view_deg.x, 0), or_else(source.field_of_view_deg.y, 0)};
    }
    out.aspect_ratio = or_else(source.aspect_ratio, 1);
    out.near_plane = or_else(source.near_plane * unit, 0);
    out.far_plane = or_else(source.far_plane * unit, 0);
    out.origin = {out.name, source.typed_id};
    return out;
}

// The lines "name = value" of 3ds Max's user-defined text; a line that is none keeps the text's own name.
void add_lines(Import& in, const ufbx_prop& prop, model::Node& node) {
    constexpr std::string_view kEnd = "&cr;&lf;";   // or a line feed
    const auto trimmed = [](std::string_view s) {
        const std::size_t first = s.find_first_not_of(" \t\r");
        return first == std::string_view::npos ? std::string_view() : s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
    };
    for (std::string_view rest = view(prop.value_str); !rest.empty();) {
        std::size_t length = 0;
        while (length < rest.size() && rest[length] != '\n' && !rest.substr(length).starts_with(kEnd)) {
            ++length;
        }
        const std::string_view line = trimmed(rest.substr(0, length));
        rest.remove_prefix(std::min(rest.size(), length + (length < rest.size() && rest[length] != '\n' ? kEnd.size() : 1)));
        const std::size_t equals = line.find('=');
        const std::string_view name = trimmed(line.substr(0, equals));
        const bool named = equals != std::string_view::npos && !name.empty();
        if (!line.empty()) {
            node.properties.push_back({in.names.text(named ? name : view(prop.name)), "string", in.names.text(named ? trimmed(line.substr(equals + 1)) : line)});
        }
    }
}

void import_properties(Import& in, const ufbx_node& source, model::Node& node) {
    const auto& own = in.profile.own_properties;
    // What is animated stands alone in an evaluated scene, before all that the file has of the node.
    const bool evaluated = in.options.scene.time && in.scene.anim_stacks.count != 0 && source.props.defaults != nullptr &&
                           (source.props.num_animated != 0 || source.props.props.count == 0);
    const ufbx_props& declared = evaluated ? *source.props.defaults : source.props;
    for (const ufbx_prop& written : declared.props) {
        if ((written.flags & UFBX_PROP_FLAG_USER_DEFINED) == 0 || std::find(own.begin(), own.end(), view(written.name)) != own.end()) {
            continue;
        }
        const ufbx_prop& prop = *ufbx_find_prop_len(&source.props, written.name.data, written.name.length);
        if (in.profile.property_lines && view(prop.name) == "UDP3DSMAX") {
            add_lines(in, prop, node);
        } else {
            node.properties.push_back(user_property(prop, in.names));
        }
    }
}

bool is_view_camera(const Import& in, const ufbx_node& node) { return in.profile.view_cameras && view(node.name).starts_with("Producer "); }

}  // namespace

void import_attributes(Import& in) {
    for (model::Node& placed : in.model.nodes) {
        const ufbx_node& node = *in.scene.nodes.data[placed.origin.index];
        const model::NodeId id = in.node_of[node.typed_id];
        for (const ufbx_element* attribute : node.all_attribs) {
            if (const ufbx_light* light = ufbx_as_light(attribute); light != nullptr) {
                in.model.lights.push_back(light_of(in, *light, id));
            } else if (const ufbx_camera* camera = ufbx_as_camera(attribute); camera != nullptr && !is_view_camera(in, node)) {
                in.model.cameras.push_back(camera_of(in, *camera, id));
            }
        }
        import_properties(in, node, placed);
    }
}

}  // namespace gomkit::fbx
