#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gomkit/core/text.hpp>
#include <gomkit/model/skeleton.hpp>

namespace gomkit::fbx {
namespace {

using model::Mat4;

bool finite(const Mat4& m) {
    return std::all_of(std::begin(m.m), std::end(m.m), [](double v) { return std::fabs(v) <= 1e30; });
}

// A rest transform that nothing can choke on.
model::Transform sane(model::Transform t) {
    const auto fix = [](double& v, double fallback) {
        if (!std::isfinite(v) || std::fabs(v) > 1e30) {
            v = fallback;
        }
    };
    for (double* v : {&t.translation.x, &t.translation.y, &t.translation.z}) {
        fix(*v, 0);
    }
    for (double* v : {&t.scale.x, &t.scale.y, &t.scale.z}) {
        fix(*v, 1);
    }
    const double length = dot(t.rotation, t.rotation);
    t.rotation = std::isfinite(length) && length > 1e-12 ? runtime::normalized(t.rotation) : model::Quat{};
    return t;
}

// What a bind has in place of a scale of zero (Maya writes 1e-12): small enough to look flat, large enough to be inverted.
constexpr double kZeroScale = 1e-6;

// The bind local of a node whose own would be singular (GOM-BONE-6).
Mat4 without_zero_scale(model::Transform t) {
    for (double* v : {&t.scale.x, &t.scale.y, &t.scale.z}) {
        if (!(std::fabs(*v) > kZeroScale)) {
            *v = *v < 0 ? -kZeroScale : kZeroScale;
        }
    }
    return runtime::to_matrix(t);
}

// Whether a matrix can be bound to: it keeps three independent directions of a usable length.
bool can_bind(const Mat4& m) {
    if (!finite(m)) {
        return false;
    }
    double product = 1;
    for (std::size_t row = 0; row < 3; ++row) {
        const double size = length(model::Vec3{m.m[row * 4], m.m[row * 4 + 1], m.m[row * 4 + 2]});
        if (!(size > kZeroScale / 2)) {
            return false;
        }
        product *= size;
    }
    return std::fabs(determinant3(m)) > 1e-9 * product;
}

bool same_bind(const Mat4& a, const Mat4& b) {
    double size = 1;
    for (std::size_t i = 0; i < 16; ++i) {
        size = std::fmax(size, std::fabs(a.m[i]));
    }
    for (std::size_t i = 0; i < 16; ++i) {
        if (std::fabs(a.m[i] - b.m[i]) > 1e-4 * size) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::string Import::name(const ufbx_string& s) {
    bool changed = false;
    std::string out = names.text(s, &changed);
    cleaned_names += changed ? 1 : 0;
    return out;
}

std::string Import::distance_text(const std::vector<double>& errors, const ufbx_mesh& mesh) const {
    const double distance = mesh.typed_id < errors.size() ? errors[mesh.typed_id] * unit_factor : 0;
    return core::number_text(std::ceil(distance * 1e5) / 1e5);
}

model::MeshId Import::mesh_for(const ufbx_element* attribute) const {
    if (const ufbx_mesh* mesh = ufbx_as_mesh(attribute); mesh != nullptr) {
        return mesh_of[mesh->typed_id];
    }
    if (const ufbx_nurbs_surface* surface = ufbx_as_nurbs_surface(attribute); surface != nullptr) {
        return surface_of[surface->typed_id];
    }
    return {};
}

void import_nodes(Import& in) {
    in.node_of.resize(in.scene.nodes.count);
    // Parents first, brothers in source order; without recursion, since files may nest as deep as they like.
    std::vector<const ufbx_node*> stack;
    const auto push_children = [&](const ufbx_node& node) {
        for (std::size_t i = node.children.count; i-- > 0;) {
            stack.push_back(node.children.data[i]);
        }
    };
    push_children(*in.scene.root_node);
    std::uint64_t spheric = 0;
    while (!stack.empty()) {
        const ufbx_node& source = *stack.back();
        stack.pop_back();
        push_children(source);
        model::Node node;
        node.name = in.name(source.name);
        node.parent = source.parent != nullptr ? in.node_of[source.parent->typed_id] : model::NodeId{};
        node.rest = sane(to_transform(source.local_transform));
        node.bind_local = runtime::to_matrix(node.rest);
        node.bone = source.bone != nullptr;
        node.visible = source.visible;
        node.origin = {node.name, source.typed_id};
        spheric += source.rotation_order == UFBX_ROTATION_ORDER_SPHERIC ? 1u : 0u;
        in.node_of[source.typed_id] = model::NodeId{static_cast<std::uint32_t>(in.model.nodes.size())};
        in.model.nodes.push_back(std::move(node));
    }
    if (spheric != 0) {
        in.report.add(core::IssueId::FBX_SPHERIC_ROTATION, {}, {{"count", std::to_string(spheric)}});
    }
}

namespace {

// The materials of the slots of a placed mesh: the node's, or else the geometry's own.
void add_materials(Import& in, const ufbx_node& node, const ufbx_element& geometry, const ufbx_mesh* mesh, model::MeshInstance& instance) {
    const auto known = [&](const ufbx_material* m) { return m != nullptr ? in.material_of[m->typed_id] : model::MaterialId{}; };
    if (mesh == nullptr) {
        const ufbx_nurbs_surface* surface = ufbx_as_nurbs_surface(&geometry);
        instance.materials.push_back(known(node.materials.count != 0 ? node.materials.data[0] : surface->material));
        return;
    }
    const ufbx_material_list& materials = node.materials.count != 0 ? node.materials : mesh->materials;
    if (node.materials.count > mesh->materials.count && node.materials.count > 1 &&
        document_layer(*mesh, "LayerElementMaterial", "Materials").empty()) {
        in.report.add(core::IssueId::FBX_INSTANCE_MATERIALS, {}, {{"mesh", instance.name}});
    }
    for (std::size_t i = 0; i < in.slots_of[mesh->typed_id]; ++i) {
        instance.materials.push_back(known(i < materials.count ? materials.data[i] : nullptr));
    }
}

}  // namespace

core::Result<void> import_instances(Import& in) {
    // Every placed mesh becomes a part of its own, so a small file can stand for any amount of memory.
    std::uint64_t parts = 0;
    std::uint64_t indices = 0;
    for (const ufbx_node* node : in.scene.nodes) {
        for (const ufbx_element* attribute : node->all_attribs) {
            if (const model::MeshId id = in.mesh_for(attribute); id.valid() && !in.skipped[node->typed_id]) {
                const model::Mesh& placed = in.model.meshes[id.value];
                parts += placed.polygon_count() != 0 ? 1u : 0u;
                indices += 3 * (placed.corner_point.size() - 2 * placed.polygon_count());
            }
        }
    }
    const auto too_many = [](const char* what, std::uint64_t found, std::uint64_t limit) {
        return core::fail(core::Code::LimitExceeded, {}, std::string("too many ") + what, std::to_string(found),
                          "at most " + std::to_string(limit), "split the model, or raise --limits");
    };
    if (parts > in.options.limits.max_mesh_parts) {
        return too_many("mesh parts", parts, in.options.limits.max_mesh_parts);
    }
    if (indices > in.options.limits.max_indices) {
        return too_many("indices", indices, in.options.limits.max_indices);
    }
    std::vector<model::MeshInstance> instances;
    std::vector<model::NodeId> nodes;
    for (const model::Node& placed : in.model.nodes) {
        const ufbx_node* node = in.scene.nodes.data[placed.origin.index];
        for (const ufbx_element* attribute : node->all_attribs) {
            const model::MeshId id = in.mesh_for(attribute);
            if (!id.valid() || in.skipped[node->typed_id]) {
                continue;
            }
            const ufbx_mesh* mesh = in.source_of[id.value];
            model::MeshInstance instance;
            instance.node = in.node_of[node->typed_id];
            instance.name = instance.node.valid() ? in.model.nodes[instance.node.value].name : in.name(attribute->name);
            instance.mesh = id;
            instance.geometry_to_node = to_matrix(node->geometry_to_node);
            if (!finite(instance.geometry_to_node)) {
                instance.geometry_to_node = Mat4{};
            }
            instance.visible = node->visible;
            instance.origin = {instance.name, node->typed_id};
            add_materials(in, *node, *attribute, mesh, instance);
            nodes.push_back(instance.node);
            instances.push_back(std::move(instance));
        }
    }
    core::Result<std::vector<std::string>> paths = model::node_paths(in.model, nodes, in.options.limits);
    if (!paths) {
        return core::Fault(std::move(paths.error()));
    }
    std::vector<std::size_t> order(instances.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return core::byte_less((*paths)[a], (*paths)[b]); });
    for (const std::size_t i : order) {
        instances[i].origin.path = std::move((*paths)[i]);
        in.model.instances.push_back(std::move(instances[i]));
    }
    return {};
}

void import_binds(Import& in) {
    // The first skin that binds a node says where it was; the others are compared. In a still they are bound as they stand, which is
    // what it shows, and each skin keeps its own inverse binds.
    struct Bind {
        Mat4 matrix;
        const ufbx_mesh* mesh = nullptr;
    };
    std::vector<Bind> binds(in.model.nodes.size());
    const auto bind = [&](const ufbx_skin_cluster& cluster, const ufbx_mesh& mesh) {
        const model::NodeId node = in.node_of[cluster.bone_node->typed_id];
        const Mat4 matrix = to_matrix(cluster.bind_to_world);
        if (!node.valid() || !finite(matrix)) {
            return;
        }
        Bind& known = binds[node.value];
        if (known.mesh == nullptr) {
            known = {matrix, &mesh};
        } else if (known.mesh != &mesh && !same_bind(known.matrix, matrix)) {
            in.report.add(core::IssueId::FBX_BINDS_DISAGREE, {},
                          {{"bone", in.model.nodes[node.value].name},
                           {"first", in.model.meshes[in.mesh_of[known.mesh->typed_id].value].name},
                           {"second", in.model.meshes[in.mesh_of[mesh.typed_id].value].name}});
        }
    };
    for (const model::MeshInstance& instance : in.model.instances) {
        const ufbx_mesh* mesh = in.source_of[instance.mesh.value];
        if (mesh == nullptr || in.options.scene.time) {
            continue;
        }
        for (const ufbx_skin_deformer* skin : mesh->skin_deformers) {
            for (const ufbx_skin_cluster* cluster : skin->clusters) {
                bind(*cluster, *mesh);
            }
        }
    }
    // Only what moves or is a bone is bound at all.
    std::vector<bool> bound(in.model.nodes.size());
    for (const model::Clip& clip : in.model.clips) {
        for (const model::Track& track : clip.tracks) {
            bound[track.node.value] = true;
        }
    }
    std::vector<Mat4> bind_model(in.model.nodes.size());
    for (std::size_t i = 0; i < in.model.nodes.size(); ++i) {
        model::Node& node = in.model.nodes[i];
        const Mat4 parent = node.parent.valid() ? bind_model[node.parent.value] : Mat4{};
        Mat4 local = runtime::to_matrix(node.rest);
        if (binds[i].mesh != nullptr) {
            Mat4 inverse_parent;
            if (inverse_affine(parent, inverse_parent)) {
                local = binds[i].matrix * inverse_parent;
            }
        }
        if (!can_bind(local)) {
            local = without_zero_scale(node.rest);
            if (node.bone || bound[i]) {
                in.report.add(core::IssueId::FBX_SINGULAR_BIND, {}, {{"bone", node.name}});
            }
        }
        node.bind_local = local;
        bind_model[i] = local * parent;
    }
}

void report_losses(Import& in) {
    const ufbx_scene& s = in.scene;
    in.report.add_loss("stereo cameras", s.stereo_cameras.count);
    std::vector<bool> of_mesh(s.blend_channels.count);
    const auto mark = [&](const ufbx_blend_deformer& deformer) {
        for (const ufbx_blend_channel* channel : deformer.channels) {
            of_mesh[channel->typed_id] = true;
        }
    };
    for (const ufbx_mesh* mesh : s.meshes) {
        for (const ufbx_blend_deformer* deformer : mesh->blend_deformers) {
            mark(*deformer);
        }
    }
    std::uint64_t surface_skins = 0;
    for (const ufbx_nurbs_surface* surface : s.nurbs_surfaces) {
        for (const ufbx_blend_deformer* deformer : blend_deformers_of(*surface)) {
            mark(*deformer);
        }
        const ufbx_connection_list& sources = surface->element.connections_dst;
        surface_skins += static_cast<std::uint64_t>(
            std::count_if(sources.begin(), sources.end(), [](const ufbx_connection& c) { return c.src->type == UFBX_ELEMENT_SKIN_DEFORMER; }));
    }
    in.report.add_loss("skins of NURBS surfaces", surface_skins);
    in.report.add_loss("blend shape channels of no mesh", static_cast<std::uint64_t>(std::count(of_mesh.begin(), of_mesh.end(), false)));
    if (!in.options.scene.time) {
        const auto cached = std::count_if(s.meshes.begin(), s.meshes.end(), [](const ufbx_mesh* mesh) {
            return std::any_of(mesh->cache_deformers.begin(), mesh->cache_deformers.end(), [](const ufbx_cache_deformer* d) { return d->file != nullptr; });
        });
        if (cached != 0) {
            in.report.add(core::IssueId::FBX_CACHE_NOT_APPLIED, {}, {{"count", std::to_string(cached)}});
        }
    }
    in.report.add_loss("NURBS curves and trims", s.line_curves.count + s.nurbs_curves.count + s.nurbs_trim_surfaces.count);
    in.report.add_loss("constraints", s.constraints.count);
    in.report.add_loss("LOD groups", in.options.scene.level_of_detail == codec::SceneOptions::kAllLevels ? s.lod_groups.count : 0);
    std::uint64_t creased = 0;
    for (const ufbx_mesh* mesh : s.meshes) {
        creased += mesh->subdivision_display_mode != UFBX_SUBDIVISION_DISPLAY_DISABLED && in.options.scene.subdivide == 0 ? 1 : 0;
    }
    in.report.add_loss("subdivision surfaces (their cage is written)", creased);
}

}  // namespace gomkit::fbx
