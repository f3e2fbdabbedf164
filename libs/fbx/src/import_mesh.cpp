#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gomkit/core/text.hpp>

#include "snapshot.hpp"

namespace gomkit::fbx {
namespace {

using model::Layer;
using model::Mesh;

template <class T, class Attribute, class Convert>
void read_layer(const Attribute& attribute, const std::vector<std::uint32_t>& kept_corners, std::size_t corner_count, Convert convert,
                Layer<T>& out) {
    if (!attribute.exists || attribute.values.count == 0) {
        return;
    }
    out.values.resize(attribute.values.count);
    for (std::size_t i = 0; i < out.values.size(); ++i) {
        out.values[i] = convert(attribute.values.data[i]);
    }
    out.corner_index.resize(corner_count);
    if (kept_corners.empty()) {
        std::copy_n(attribute.indices.data, corner_count, out.corner_index.begin());
    } else {
        for (std::size_t i = 0; i < corner_count; ++i) {
            out.corner_index[i] = attribute.indices.data[kept_corners[i]];
        }
    }
}

// Both vectors of the source's frame are needed: without the bitangent the sign would be a guess.
void read_tangents(const ufbx_mesh& source, const std::vector<std::uint32_t>& kept_corners, Mesh& out) {
    if (!source.vertex_tangent.exists || !source.vertex_bitangent.exists || !source.vertex_normal.exists) {
        return;
    }
    const std::size_t count = out.corner_point.size();
    out.tangents.values.resize(count);
    out.tangents.corner_index.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t corner = kept_corners.empty() ? i : kept_corners[i];
        const model::Vec3 n = to_vec3(ufbx_get_vertex_vec3(&source.vertex_normal, corner));
        const model::Vec3 t = to_vec3(ufbx_get_vertex_vec3(&source.vertex_tangent, corner));
        const model::Vec3 b = to_vec3(ufbx_get_vertex_vec3(&source.vertex_bitangent, corner));
        out.tangents.values[i] = {t.x, t.y, t.z, dot(cross(n, t), b) < 0 ? -1.0 : 1.0};
        out.tangents.corner_index[i] = static_cast<std::uint32_t>(i);
    }
}

using PointPair = std::pair<std::uint32_t, std::uint32_t>;  // the ends of an edge, the smaller first

// The edges that the source itself calls hard.
void add_hard_edges(const ufbx_mesh& source, std::vector<PointPair>& hard) {
    for (std::size_t e = 0; e < source.edges.count && e < source.edge_smoothing.count; ++e) {
        if (!source.edge_smoothing.data[e]) {
            const ufbx_edge edge = source.edges.data[e];
            hard.push_back(std::minmax(source.vertex_indices.data[edge.a], source.vertex_indices.data[edge.b]));
        }
    }
}

// The edges between faces that share no smoothing group. `groups` are the source's, one a face; a face without any is flat anyway.
void add_group_edges(const ufbx_mesh& source, const std::vector<std::int32_t>& groups, std::vector<PointPair>& hard) {
    std::vector<std::pair<PointPair, std::int32_t>> sides;
    for (std::size_t f = 0; f < source.num_faces; ++f) {
        const ufbx_face face = source.faces.data[f];
        for (std::uint32_t k = 0; k < face.num_indices && groups[f] != 0; ++k) {
            const std::uint32_t next = k + 1 < face.num_indices ? k + 1 : 0;
            sides.emplace_back(std::minmax(source.vertex_indices.data[face.index_begin + k], source.vertex_indices.data[face.index_begin + next]), groups[f]);
        }
    }
    std::sort(sides.begin(), sides.end());
    for (std::size_t i = 1; i < sides.size(); ++i) {
        if (sides[i].first == sides[i - 1].first && (sides[i].second & sides[i - 1].second) == 0) {
            hard.push_back(sides[i].first);
        }
    }
}

// Marks every corner whose edge is one of these.
void mark_hard_edges(std::vector<PointPair>& hard, Mesh& out) {
    std::sort(hard.begin(), hard.end());
    if (hard.empty()) {
        return;
    }
    out.hard_edge.resize(out.corner_point.size());
    for (std::size_t p = 0; p < out.polygon_count(); ++p) {
        const std::uint32_t first = out.polygon_first[p];
        const std::uint32_t end = out.polygon_first[p + 1];
        for (std::uint32_t c = first; c < end; ++c) {
            const std::uint32_t next = c + 1 < end ? c + 1 : first;
            const PointPair points = std::minmax(out.corner_point[c], out.corner_point[next]);
            out.hard_edge[c] = std::binary_search(hard.begin(), hard.end(), points);
        }
    }
}

bool has_smooth_faces(const ufbx_mesh& mesh) {
    return std::any_of(mesh.face_smoothing.begin(), mesh.face_smoothing.end(), [](bool s) { return s; });
}

// Whether normals are generated, of which a writer may want to know the smoothing.
bool needs_smoothing(const Import& in, const ufbx_mesh& source) { return !source.vertex_normal.exists || in.options.smoothing; }

// What normals that are generated need to know.
void read_smoothing(Import& in, const ufbx_mesh& source, Mesh& out) {
    std::vector<PointPair> hard;
    add_hard_edges(source, hard);
    if (has_smooth_faces(source)) {
        if (!in.smoothing_groups) {
            in.smoothing_groups = load_smoothing_groups(in.bytes, in.options);
        }
        const auto& of_mesh = *in.smoothing_groups;
        if (source.typed_id < of_mesh.size() && of_mesh[source.typed_id].size() == source.num_faces) {
            add_group_edges(source, of_mesh[source.typed_id], hard);
        } else {
            in.report.add(core::IssueId::FBX_SMOOTHING_GROUPS, {}, {{"mesh", out.name}});
        }
    }
    mark_hard_edges(hard, out);
}

// The material of each face as the document has it, where ufbx does not pass all on; else empty. `source` is the file's mesh or what
// subdividing made of it: as many faces for each corner, face after face.
std::vector<std::int32_t> document_materials_of(const ufbx_mesh& file, const ufbx_mesh& source) {
    if (instance_material_count(file) <= file.materials.count) {
        return {};
    }
    std::vector<std::int32_t> out = document_layer(file, "LayerElementMaterial", "Materials");
    if (&file == &source || out.empty()) {
        return out;
    }
    const std::size_t faces_of_corner = source.num_faces / std::max<std::size_t>(file.num_indices, 1);
    std::vector<std::int32_t> fine;
    for (std::size_t f = 0; f < file.num_faces; ++f) {
        fine.insert(fine.end(), file.faces.data[f].num_indices * faces_of_corner, out[f]);
    }
    fine.resize(source.num_faces);
    return fine;
}

// `file` is the mesh that `source` is, or was made from.
Mesh read_mesh(Import& in, const ufbx_mesh& source, const ufbx_mesh& file) {
    Mesh out;
    out.name = in.name(name_of(source.element));
    out.origin = {out.name, source.typed_id};
    std::vector<std::uint32_t> used;  // empty: all points
    if (in.compact_points && source.num_vertices > 0) {
        used.assign(source.vertex_indices.begin(), source.vertex_indices.end());
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
    }
    out.points.resize(used.empty() ? source.num_vertices : used.size());
    for (std::size_t i = 0; i < out.points.size(); ++i) {
        out.points[i] = to_vec3(source.vertices.data[used.empty() ? i : used[i]]);
    }
    const auto is_kept = [&](std::size_t f) {
        return source.faces.data[f].num_indices >= 3 && !(source.face_hole.count != 0 && source.face_hole.data[f]);
    };
    std::uint64_t holes = 0;
    std::uint64_t loose = 0;
    for (std::size_t f = 0; f < source.num_faces; ++f) {
        if (source.faces.data[f].num_indices < 3) {
            ++loose;
        } else if (!is_kept(f)) {
            ++holes;
        }
    }
    std::vector<std::uint32_t> kept_corners;  // empty: all of them
    const bool all = holes + loose == 0;
    out.polygon_first.reserve(source.num_faces + 1);
    out.polygon_first.push_back(0);
    const std::vector<std::int32_t> document_materials = document_materials_of(file, source);
    const bool many_materials = source.face_material.count != 0 && source.materials.count > 1;
    const std::size_t slots = document_materials.empty() ? source.materials.count : instance_material_count(source);
    std::uint32_t corner_count = 0;
    for (std::size_t f = 0; f < source.num_faces; ++f) {
        if (!all && !is_kept(f)) {
            continue;
        }
        const ufbx_face face = source.faces.data[f];
        if (!all) {
            for (std::uint32_t k = 0; k < face.num_indices; ++k) {
                kept_corners.push_back(face.index_begin + k);
            }
        }
        corner_count += face.num_indices;
        out.polygon_first.push_back(corner_count);
        if (many_materials || !document_materials.empty()) {
            const std::uint32_t slot = document_materials.empty() ? source.face_material.data[f] : static_cast<std::uint32_t>(document_materials[f]);
            out.polygon_material.push_back(slot < slots ? slot : 0);
        }
        if (source.face_smoothing.count != 0) {
            out.flat_polygon.push_back(!source.face_smoothing.data[f]);
        }
    }
    out.corner_point.resize(corner_count);
    for (std::uint32_t i = 0; i < corner_count; ++i) {
        out.corner_point[i] = source.vertex_indices.data[all ? i : kept_corners[i]];
    }
    if (all && corner_count != source.num_indices) {
        // Faces need not start one behind the other; then the corners are copied face by face after all.
        out.corner_point.clear();
        for (const ufbx_face& face : source.faces) {
            for (std::uint32_t k = 0; k < face.num_indices; ++k) {
                kept_corners.push_back(face.index_begin + k);
                out.corner_point.push_back(source.vertex_indices.data[face.index_begin + k]);
            }
        }
    }
    if (!used.empty()) {
        for (std::uint32_t& point : out.corner_point) {
            point = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), point) - used.begin());
        }
    }
    if (holes != 0) {
        in.report.add(core::IssueId::FBX_HOLE_DROPPED, {}, {{"mesh", out.name}, {"count", std::to_string(holes)}});
    }
    if (loose != 0) {
        in.report.add(core::IssueId::FBX_LOOSE_DROPPED, {}, {{"mesh", out.name}, {"count", std::to_string(loose)}});
    }

    read_layer(source.vertex_normal, kept_corners, corner_count, to_vec3, out.normals);
    read_tangents(source, kept_corners, out);
    for (const ufbx_uv_set& set : source.uv_sets) {
        Layer<model::Vec2> layer;
        layer.name = in.name(set.name);
        read_layer(set.vertex_uv, kept_corners, corner_count, [](const ufbx_vec2& v) { return model::Vec2{v.x, 1.0 - v.y}; }, layer);
        if (layer.exists()) {
            out.uvs.push_back(std::move(layer));
        }
    }
    for (const ufbx_color_set& set : source.color_sets) {
        Layer<model::Vec4> layer;
        layer.name = in.name(set.name);
        read_layer(set.vertex_color, kept_corners, corner_count,
                   [](const ufbx_vec4& v) { return model::Vec4{v.x, v.y, v.z, v.w}; }, layer);
        if (layer.exists()) {
            out.colors.push_back(std::move(layer));
        }
    }
    if (needs_smoothing(in, source) && !source.subdivision_evaluated && !source.from_tessellated_nurbs) {
        read_smoothing(in, source, out);
    }
    read_skin(in, source, file, out);
    return out;
}

struct MeshDeleter {
    void operator()(ufbx_mesh* mesh) const { ufbx_free_mesh(mesh); }
};
using OwnMesh = std::unique_ptr<ufbx_mesh, MeshDeleter>;

core::Fault too_many_indices(const Import& in, double found) {
    return core::fail(core::Code::LimitExceeded, {}, "too many indices", core::number_text(found), "at most " + std::to_string(in.options.limits.max_indices),
                      "subdivide less, or raise --limits");
}

// Each level makes four faces of one, the first one a face of each corner.
core::Result<OwnMesh> subdivide(const Import& in, const ufbx_mesh& mesh, unsigned levels) {
    double indices = 6 * static_cast<double>(mesh.num_indices);
    for (unsigned i = 1; i < levels; ++i) {
        indices *= 4;
    }
    if (indices > static_cast<double>(in.options.limits.max_indices)) {
        return too_many_indices(in, indices);
    }
    ufbx_subdivide_opts opts{};
    opts.temp_allocator = allocator_options(in.options.limits);
    opts.result_allocator = allocator_options(in.options.limits);
    opts.evaluate_source_vertices = mesh.skin_deformers.count != 0 || mesh.blend_deformers.count != 0;
    ufbx_error error{};
    OwnMesh out(ufbx_subdivide_mesh(&mesh, levels, &opts, &error));
    if (!out) {
        return core::Fault(to_error(error, {}, in.options.limits));
    }
    return out;
}

core::Result<OwnMesh> tessellate(const Import& in, const ufbx_nurbs_surface& surface) {
    constexpr std::uint32_t kMost = 16;  // pieces of a span; a file can ask for any number
    ufbx_tessellate_surface_opts opts{};
    opts.temp_allocator = allocator_options(in.options.limits);
    opts.result_allocator = allocator_options(in.options.limits);
    opts.span_subdivision_u = std::clamp(surface.span_subdivision_u, 1u, kMost);
    opts.span_subdivision_v = std::clamp(surface.span_subdivision_v, 1u, kMost);
    const double indices = 6.0 * static_cast<double>(surface.basis_u.spans.count * opts.span_subdivision_u) *
                           static_cast<double>(surface.basis_v.spans.count * opts.span_subdivision_v);
    if (indices > static_cast<double>(in.options.limits.max_indices)) {
        return too_many_indices(in, indices);
    }
    ufbx_error error{};
    OwnMesh out(ufbx_tessellate_nurbs_surface(&surface, &opts, &error));
    if (!out) {
        return core::Fault(to_error(error, {}, in.options.limits));
    }
    return out;
}

// Whether something is placed that is not wanted at any of its places; what is placed nowhere is counted.
bool is_left_out(Import& in, const ufbx_node_list& instances, const char* kind) {
    in.report.add_loss(kind, instances.count == 0 ? 1 : 0);
    return std::all_of(instances.begin(), instances.end(), [&](const ufbx_node* node) { return in.skipped[node->typed_id]; });
}

}  // namespace

bool meshes_need_bytes(const Import& in) {
    return std::any_of(in.scene.meshes.begin(), in.scene.meshes.end(), [&](const ufbx_mesh* mesh) {
        const bool loses_normals = in.options.scene.time && mesh->cache_deformers.count != 0;
        return (has_smooth_faces(*mesh) && (needs_smoothing(in, *mesh) || loses_normals)) ||
               mesh->skin_deformers.count > 1 || blends_by_dual_quaternions(*mesh) || has_late_shapes(*mesh);
    });
}

core::Result<void> import_meshes(Import& in) {
    const unsigned levels = in.options.scene.subdivide;
    if (levels > codec::SceneOptions::kMaxSubdivide) {
        return core::fail(core::Code::Usage, {}, "too many levels of subdivision", std::to_string(levels),
                          "at most " + std::to_string(codec::SceneOptions::kMaxSubdivide));
    }
    in.mesh_of.resize(in.scene.meshes.count);
    in.slots_of.resize(in.scene.meshes.count, 1);
    const auto next_id = [&] { return model::MeshId{static_cast<std::uint32_t>(in.model.meshes.size())}; };
    for (std::size_t i = 0; i < in.scene.meshes.count; ++i) {
        const ufbx_mesh& own = *in.scene.meshes.data[i];
        if (is_left_out(in, own.instances, "meshes that no node places")) {
            continue;
        }
        const std::unique_ptr<CachedMesh> cached = read_cache(in, own);
        const ufbx_mesh& mesh = cached ? cached->mesh : own;
        OwnMesh fine;
        if (levels != 0 && mesh.subdivision_display_mode != UFBX_SUBDIVISION_DISPLAY_DISABLED) {
            core::Result<OwnMesh> subdivided = subdivide(in, mesh, levels);
            if (!subdivided) {
                return core::Fault(std::move(subdivided.error()));
            }
            fine = std::move(*subdivided);
        }
        in.mesh_of[i] = next_id();
        in.source_of.push_back(&own);
        model::Mesh& out = in.model.meshes.emplace_back(read_mesh(in, fine ? *fine : mesh, mesh));
        if (core::Result<void> shapes = read_morphs(in, fine ? *fine : mesh, mesh, in.mesh_of[i], out); !shapes) {
            return shapes;
        }
        for (const std::uint32_t slot : out.polygon_material) {
            in.slots_of[i] = std::max<std::size_t>(in.slots_of[i], std::size_t{slot} + 1);
        }
    }
    in.surface_of.resize(in.scene.nurbs_surfaces.count);
    for (std::size_t i = 0; i < in.scene.nurbs_surfaces.count; ++i) {
        const ufbx_nurbs_surface& surface = *in.scene.nurbs_surfaces.data[i];
        if (is_left_out(in, surface.instances, "NURBS surfaces that no node places")) {
            continue;
        }
        core::Result<OwnMesh> mesh = tessellate(in, surface);
        if (!mesh && mesh.error().code == core::Code::Malformed) {
            in.report.add_loss("NURBS surfaces that are no surfaces", 1);
            continue;
        }
        if (!mesh) {
            return core::Fault(std::move(mesh.error()));
        }
        in.surface_of[i] = next_id();
        in.source_of.push_back(nullptr);
        in.model.meshes.push_back(read_mesh(in, **mesh, **mesh));
        model::Mesh& out = in.model.meshes.back();
        out.name = in.name(name_of(surface.element));
        out.origin = {out.name, surface.typed_id};
        if (core::Result<void> shapes = read_surface_morphs(in, surface, **mesh, in.surface_of[i], out); !shapes) {
            return shapes;
        }
    }
    return {};
}

}  // namespace gomkit::fbx
