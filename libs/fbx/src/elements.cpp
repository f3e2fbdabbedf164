#include "elements.hpp"

#include "lint.hpp"

namespace gomkit::fbx {
namespace {

using codec::Element;

const char* type_name(ufbx_prop_type type) {
    switch (type) {
        case UFBX_PROP_BOOLEAN: return "boolean";
        case UFBX_PROP_INTEGER: return "integer";
        case UFBX_PROP_NUMBER: return "number";
        case UFBX_PROP_VECTOR: return "vector";
        case UFBX_PROP_COLOR: return "color";
        case UFBX_PROP_COLOR_WITH_ALPHA: return "color with alpha";
        case UFBX_PROP_STRING: return "string";
        case UFBX_PROP_DATE_TIME: return "date and time";
        case UFBX_PROP_TRANSLATION: return "translation";
        case UFBX_PROP_ROTATION: return "rotation";
        case UFBX_PROP_SCALING: return "scaling";
        case UFBX_PROP_DISTANCE: return "distance";
        case UFBX_PROP_COMPOUND: return "compound";
        case UFBX_PROP_BLOB: return "bytes";
        case UFBX_PROP_REFERENCE: return "reference";
        default: return "unknown";
    }
}

}  // namespace

codec::ElementProperty property_of(const ufbx_prop& prop, const Names& names) {
    codec::ElementProperty out;
    out.name = names.text(prop.name);
    out.type = type_name(prop.type);
    const std::pair<ufbx_prop_flags, const char*> flags[] = {
        {UFBX_PROP_FLAG_ANIMATABLE, "animatable"}, {UFBX_PROP_FLAG_USER_DEFINED, "user"}, {UFBX_PROP_FLAG_HIDDEN, "hidden"},
        {UFBX_PROP_FLAG_ANIMATED, "animated"},     {UFBX_PROP_FLAG_CONNECTED, "connected"}, {UFBX_PROP_FLAG_SYNTHETIC, "added by the reader"}};
    for (const auto& [flag, name] : flags) {
        if ((prop.flags & flag) != 0) {
            out.flags.push_back(name);
        }
    }
    const bool is_text = prop.type == UFBX_PROP_STRING || prop.type == UFBX_PROP_DATE_TIME || prop.type == UFBX_PROP_REFERENCE;
    const std::size_t numbers = (prop.flags & UFBX_PROP_FLAG_VALUE_VEC4) != 0   ? 4
                                : (prop.flags & UFBX_PROP_FLAG_VALUE_VEC3) != 0 ? 3
                                : (prop.flags & UFBX_PROP_FLAG_VALUE_VEC2) != 0 ? 2
                                : (prop.flags & UFBX_PROP_FLAG_VALUE_REAL) != 0 ? 1
                                                                                : 0;
    if (prop.type == UFBX_PROP_BLOB) {
        out.bytes = prop.value_blob.size;
    } else if (is_text || (numbers == 0 && (prop.flags & UFBX_PROP_FLAG_VALUE_STR) != 0)) {
        out.text = names.text(prop.value_str);
    } else if (prop.type == UFBX_PROP_BOOLEAN || prop.type == UFBX_PROP_INTEGER) {
        out.whole = prop.value_int;
    } else {
        out.numbers.assign(prop.value_real_arr, prop.value_real_arr + numbers);
    }
    return out;
}

namespace {

void add_properties(Element& out, const ufbx_props& props, const Names& names) {
    for (const ufbx_prop& prop : props.props) {
        out.properties.push_back(property_of(prop, names));
    }
}

std::string detail_of(const ufbx_element& element) {
    if (const ufbx_mesh* mesh = ufbx_as_mesh(&element); mesh != nullptr) {
        return std::to_string(mesh->num_vertices) + " vertices, " + std::to_string(mesh->num_faces) + " faces";
    }
    if (const ufbx_skin_cluster* cluster = ufbx_as_skin_cluster(&element); cluster != nullptr) {
        return std::to_string(cluster->num_weights) + " weights";
    }
    if (const ufbx_anim_curve* curve = ufbx_as_anim_curve(&element); curve != nullptr) {
        return std::to_string(curve->keyframes.count) + " keys";
    }
    if (const ufbx_blend_shape* shape = ufbx_as_blend_shape(&element); shape != nullptr) {
        return std::to_string(shape->num_offsets) + " offsets";
    }
    return {};
}

}  // namespace

core::Result<void> elements(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options, bool with_properties,
                            const std::function<void(const Element&)>& visit) {
    const core::Result<Scene> loaded = load_raw_scene(bytes, file, options.limits);
    if (!loaded) {
        return core::Fault(loaded.error());
    }
    const ufbx_scene& scene = **loaded;
    const Names names(scene, options.encoding);
    if (with_properties) {
        const std::pair<const char*, const ufbx_props*> of_the_file[] = {{"settings", &scene.settings.props},
                                                                         {"document", &scene.metadata.scene_props}};
        for (const auto& [kind, props] : of_the_file) {
            Element element;
            element.kind = kind;
            add_properties(element, *props, names);
            visit(element);
        }
    }
    for (const ufbx_element* source : scene.elements) {
        Element element;
        element.id = source->element_id;
        element.kind = kind_name(source->type);
        element.name = names.text(source->name);
        element.detail = detail_of(*source);
        for (const ufbx_connection& connection : source->connections_src) {
            element.connections.push_back({connection.dst->element_id, kind_name(connection.dst->type), names.text(connection.dst->name),
                                           names.text(connection.src_prop), names.text(connection.dst_prop)});
        }
        if (with_properties) {
            add_properties(element, source->props, names);
        }
        visit(element);
    }
    return {};
}

}  // namespace gomkit::fbx
