#include "scene.hpp"

#include <algorithm>
#include <cmath>

#include <gomkit/core/large_memory.hpp>
#include <gomkit/core/text.hpp>

namespace gomkit::fbx {
namespace {

// ufbx's own words on where it stopped: the innermost frames of its error stack.
std::string reader_place(const ufbx_error& error) {
    std::string out = "ufbx";
    const std::uint32_t shown = std::min<std::uint32_t>(error.stack_size, 3);
    for (std::uint32_t i = 0; i < shown; ++i) {
        const ufbx_error_frame& frame = error.stack[i];
        out += (i == 0 ? " " : " < ") + std::string(view(frame.function)) + ":" + std::to_string(frame.source_line);
    }
    return out;
}

void* allocate(void*, std::size_t bytes) { return core::allocate_large(bytes); }
void release(void*, void* memory, std::size_t) { core::free_large(memory); }

ufbx_load_opts common_options(const core::Limits& limits) {
    ufbx_load_opts opts{};
    opts.temp_allocator = allocator_options(limits);
    opts.result_allocator = allocator_options(limits);
    opts.node_depth_limit = limits.max_node_depth;
    opts.skip_mesh_parts = true;
    opts.skip_skin_vertices = true;  // weights are read from the clusters, in source order
    opts.index_error_handling = UFBX_INDEX_ERROR_HANDLING_CLAMP;
    // Names are kept as they are until all of them tell what they are written in.
    opts.unicode_error_handling = UFBX_UNICODE_ERROR_HANDLING_UNSAFE_IGNORE;
    opts.allow_unsafe = true;
    return opts;
}

// Into gom.md's space.
void convert_space(ufbx_load_opts& opts) {
    opts.target_axes = {UFBX_COORDINATE_AXIS_NEGATIVE_X, UFBX_COORDINATE_AXIS_POSITIVE_Y, UFBX_COORDINATE_AXIS_POSITIVE_Z};
    opts.handedness_conversion_axis = UFBX_MIRROR_AXIS_X;
    opts.target_unit_meters = 1.0;
    opts.space_conversion = UFBX_SPACE_CONVERSION_MODIFY_GEOMETRY;
}

core::Result<Scene> load(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits, const ufbx_load_opts& opts) {
    ufbx_error error{};
    Scene scene(ufbx_load_memory(bytes.data(), bytes.size(), &opts, &error));
    if (!scene) {
        core::Error e = to_error(error, file, limits);
        if (opts.file_format == UFBX_FILE_FORMAT_FBX && (e.code == core::Code::Malformed || e.code == core::Code::Truncated) &&
            !bytes.empty() && !looks_like_fbx(bytes)) {
            // Called .fbx, and something else: what ufbx tripped over first says nothing to anybody.
            e.code = core::Code::NotThisFormat;
            e.cure = "is it really an FBX file?";
        }
        return core::Fault(std::move(e));
    }
    return scene;
}

}  // namespace

ufbx_allocator_opts allocator_options(const core::Limits& limits) {
    ufbx_allocator_opts out{};
    out.memory_limit = limits.max_memory_bytes;
    out.allocator.alloc_fn = allocate;
    out.allocator.free_fn = release;
    out.huge_threshold = 2u << 20;  // smaller arrays share chunks, which then lie on huge pages
    return out;
}

bool looks_like_fbx(std::span<const std::byte> bytes) {
    constexpr std::string_view kBinary = "Kaydara FBX Binary";
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 4096));
    return head.starts_with(kBinary) || head.find("FBXHeaderExtension:") != std::string_view::npos ||
           (head.starts_with(";") && head.find("FBX") != std::string_view::npos);
}

core::Error to_error(const ufbx_error& error, const std::string& file, const core::Limits& limits) {
    core::Error out;
    out.place.file = file;
    out.place.part = reader_place(error);
    out.what = std::string(view(error.description));
    if (error.info_length != 0) {
        out.found = std::string(error.info, error.info_length);
    }
    switch (error.type) {
        case UFBX_ERROR_EMPTY_FILE:
        case UFBX_ERROR_TRUNCATED_FILE:
            out.code = core::Code::Truncated;
            out.cure = "the file ends too early; copy or export it again";
            break;
        case UFBX_ERROR_UNRECOGNIZED_FILE_FORMAT:
            out.code = core::Code::NotThisFormat;
            out.cure = "is it really an FBX file?";
            break;
        case UFBX_ERROR_UNSUPPORTED_VERSION:
            out.code = core::Code::Unsupported;
            out.expected = "an FBX version from 3000 to 7700";
            out.cure = "export it as FBX 7400 (2014) or 7700 (2020)";
            break;
        case UFBX_ERROR_OUT_OF_MEMORY:
            out.code = core::Code::OutOfMemory;
            break;
        case UFBX_ERROR_MEMORY_LIMIT:
        case UFBX_ERROR_ALLOCATION_LIMIT:
            out.code = core::Code::LimitExceeded;
            out.expected = "at most " + std::to_string(limits.max_memory_bytes) + " bytes of memory";
            out.cure = "raise --limits if the file can be trusted";
            break;
        case UFBX_ERROR_NODE_DEPTH_LIMIT:
            out.code = core::Code::LimitExceeded;
            out.expected = "at most " + std::to_string(limits.max_node_depth) + " nested nodes";
            break;
        default:
            out.code = core::Code::Malformed;
            out.cure = "the file is damaged or not written as FBX should be; export it again";
            break;
    }
    return out;
}

ufbx_load_opts load_options(const codec::ReadOptions& options) {
    ufbx_load_opts opts = common_options(options.limits);
    opts.file_format = UFBX_FILE_FORMAT_FBX;
    convert_space(opts);
    if (options.scene.space == codec::SpaceConversion::Transforms) {
        opts.space_conversion = UFBX_SPACE_CONVERSION_ADJUST_TRANSFORMS;
    }
    opts.inherit_mode_handling = UFBX_INHERIT_MODE_HANDLING_COMPENSATE;
    opts.scale_helper_name = {"ScaleHelper", 11};
    return opts;
}

namespace {

// Renames the layer of smoothing groups and its array: of other layers, ufbx keeps an array "TextureId" of integers in the document.
std::vector<std::byte> with_kept_groups(std::span<const std::byte> bytes) {
    constexpr std::string_view kLayer = "LayerElementSmoothing";
    constexpr std::string_view kArray = "Smoothing";
    constexpr std::string_view kKept = "TextureId";
    constexpr std::size_t kReach = 1024;  // the array's name stands a few short fields behind the layer's
    static_assert(kArray.size() == kKept.size());
    std::vector<std::byte> out(bytes.begin(), bytes.end());
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto is_name = [&](std::size_t at, std::string_view name) {
        const std::size_t end = at + name.size();
        return (at > 0 && static_cast<unsigned char>(text[at - 1]) == name.size()) || (end < text.size() && text[end] == ':');
    };
    for (std::size_t at = text.find(kLayer); at != std::string_view::npos; at = text.find(kLayer, at + 1)) {
        if (!is_name(at, kLayer)) {
            continue;
        }
        const std::string_view body = text.substr(at + kLayer.size(), kReach);
        for (std::size_t in = body.find(kArray); in != std::string_view::npos; in = body.find(kArray, in + 1)) {
            const std::size_t found = at + kLayer.size() + in;
            if (is_name(found, kArray)) {
                out[at + kLayer.size() - 1] = std::byte{'X'};
                std::transform(kKept.begin(), kKept.end(), out.begin() + static_cast<std::ptrdiff_t>(found),
                               [](char c) { return static_cast<std::byte>(c); });
                break;
            }
        }
    }
    return out;
}

// For ufbx the spheric order is no rotation at all; other readers take it as XYZ. The nodes' rotation_order still tells.
void settle_spheric_orders(ufbx_scene& scene) {
    std::vector<ufbx_node*> nodes;
    for (ufbx_node* node : scene.nodes) {
        if (node->rotation_order == UFBX_ROTATION_ORDER_SPHERIC) {
            nodes.push_back(node);
            if (ufbx_prop* order = ufbx_find_prop(&node->props, "RotationOrder"); order != nullptr) {
                order->value_int = UFBX_ROTATION_ORDER_XYZ;
                order->value_real = UFBX_ROTATION_ORDER_XYZ;
            }
        }
    }
    if (nodes.empty()) {
        return;
    }
    const Anim none(ufbx_create_anim(&scene, nullptr, nullptr));
    for (ufbx_node* node : nodes) {
        if (none) {
            node->local_transform = ufbx_evaluate_transform(none.get(), node, 0);
        }
    }
}

}  // namespace

std::vector<std::vector<std::int32_t>> load_smoothing_groups(std::span<const std::byte> bytes, const codec::ReadOptions& options) {
    const std::vector<std::byte> renamed = with_kept_groups(bytes);
    ufbx_load_opts opts = load_options(options);
    opts.ignore_animation = true;
    opts.ignore_embedded = true;
    opts.retain_dom = true;
    const Scene scene(ufbx_load_memory(renamed.data(), renamed.size(), &opts, nullptr));
    std::vector<std::vector<std::int32_t>> out;
    if (scene) {
        for (const ufbx_mesh* mesh : scene->meshes) {
            out.push_back(document_layer(*mesh, "LayerElementSmoothinX", "TextureId"));
        }
    }
    return out;
}

core::Result<Scene> load_scene(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                               bool with_document) {
    ufbx_load_opts opts = load_options(options);
    opts.retain_dom = with_document;
    core::Result<Scene> scene = load(bytes, file, options.limits, opts);
    if (scene && (*scene)->nodes.count > options.limits.max_nodes) {
        return core::fail(core::Code::LimitExceeded, {file, "nodes", {}, {}}, "too many nodes", std::to_string((*scene)->nodes.count),
                          "at most " + std::to_string(options.limits.max_nodes), "raise --limits if the file can be trusted");
    }
    if (scene) {
        settle_spheric_orders(**scene);
    }
    return scene;
}

core::Result<Scene> load_raw_scene(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    ufbx_load_opts opts = common_options(limits);
    opts.file_format = UFBX_FILE_FORMAT_FBX;
    opts.connect_broken_elements = true;
    return load(bytes, file, limits, opts);
}

core::Result<Scene> load_obj_scene(std::span<const std::byte> bytes, std::span<const std::byte> library, const std::string& file,
                                   const core::Limits& limits) {
    ufbx_load_opts opts = common_options(limits);
    opts.file_format = UFBX_FILE_FORMAT_OBJ;
    opts.obj_axes = {UFBX_COORDINATE_AXIS_POSITIVE_X, UFBX_COORDINATE_AXIS_POSITIVE_Y, UFBX_COORDINATE_AXIS_POSITIVE_Z};
    opts.obj_unit_meters = 1.0;
    opts.obj_mtl_data = {library.data(), library.size()};
    convert_space(opts);
    return load(bytes, file, limits, opts);
}

double declared_unit(const ufbx_scene& scene) {
    const double unit = ufbx_find_real(&scene.settings.props, "UnitScaleFactor", 1) * 0.01;
    return std::isfinite(unit) && unit > 0 ? unit : 0.01;
}

std::size_t instance_material_count(const ufbx_mesh& mesh) {
    std::size_t count = mesh.materials.count;
    for (const ufbx_node* node : mesh.instances) {
        count = std::max(count, node->materials.count);
    }
    return count;
}

bool needs_document(const ufbx_scene& scene) {
    return std::any_of(scene.meshes.begin(), scene.meshes.end(),
                       [](const ufbx_mesh* mesh) { return instance_material_count(*mesh) > mesh->materials.count; });
}

std::vector<std::int32_t> document_layer(const ufbx_mesh& mesh, const char* element, const char* values) {
    const ufbx_dom_node* layer = mesh.element.dom_node != nullptr ? ufbx_dom_find(mesh.element.dom_node, element) : nullptr;
    const ufbx_dom_node* mapping = layer != nullptr ? ufbx_dom_find(layer, "MappingInformationType") : nullptr;
    const ufbx_dom_node* data = layer != nullptr ? ufbx_dom_find(layer, values) : nullptr;
    if (mapping == nullptr || data == nullptr || mapping->values.count == 0 || view(mapping->values.data[0].value_str) != "ByPolygon") {
        return {};
    }
    std::vector<std::int32_t> out;
    if (ufbx_dom_is_array(data)) {
        const ufbx_int32_list list = ufbx_dom_as_int32_list(data);
        out.assign(list.data, list.data + list.count);
    } else {
        for (const ufbx_dom_value& value : data->values) {
            out.push_back(static_cast<std::int32_t>(value.value_int));
        }
    }
    if (out.size() != mesh.num_faces) {
        out.clear();
    }
    return out;
}

}  // namespace gomkit::fbx
