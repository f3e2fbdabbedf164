#include "export.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <gomkit/core/parallel.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/core/version.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/stored_clip.hpp>

#include "export_morph.hpp"
#include "rules.hpp"
#include "signature.hpp"

namespace gomkit::gom {
namespace {

using core::IssueId;
using model::Mat4;
using model::Quat;
using model::Vec3;

float to_float(double v) { return static_cast<float>(v) + 0.0f; }

Matrix cast(const Mat4& m) {
    Matrix out;
    for (std::size_t i = 0; i < 16; ++i) {
        out.m[i] = to_float(m.m[i]);
    }
    for (const std::size_t i : {3u, 7u, 11u}) {
        out.m[i] = 0;
    }
    out.m[15] = 1;
    return out;
}

Mat4 widen(const Matrix& m) { return runtime::matrix_cast<double>(m); }

bool finite(const Matrix& m) {
    return std::all_of(std::begin(m.m), std::end(m.m), [](float v) { return std::isfinite(v); });
}

core::Place part_place(const std::string& part) {
    core::Place place;
    place.part = part;
    return place;
}

std::optional<std::string> none_if_empty(std::string s) {
    return s.empty() ? std::nullopt : std::optional<std::string>(std::move(s));
}

// --- Materials ------------------------------------------------------------------------------------------------------------

MaterialSlot to_slot(const model::Model& model, const model::Material& source) {
    MaterialSlot out;
    out.name = none_if_empty(source.name);
    const auto color = [](const Vec3& v) { return std::array<float, 3>{to_float(v.x), to_float(v.y), to_float(v.z)}; };
    out.kd = color(source.diffuse);
    out.ks = color(source.specular);
    out.ke = color(source.emissive);
    out.shininess = to_float(source.shininess);
    out.opacity = to_float(source.opacity);
    for (std::size_t i = 0; i < out.maps.size(); ++i) {
        if (source.textures[i] != model::kNoIndex) {
            out.maps[i] = none_if_empty(model.textures[source.textures[i]].path);
        }
    }
    return out;
}

// The slots of the file in their final order, and the slot of each of the model's materials; the last entry is the default's.
struct Slots {
    std::vector<MaterialSlot> slots;
    std::vector<std::uint32_t> of_material;

    [[nodiscard]] std::uint32_t of(model::MaterialId id) const { return id.valid() ? of_material[id.value] : of_material.back(); }
};

Slots make_slots(const model::Model& model, core::Report& report) {
    const std::size_t count = model.materials.size();
    std::vector<bool> used(count + 1);
    for (const model::MeshInstance& instance : model.instances) {
        const model::Mesh& mesh = model.meshes[instance.mesh.value];
        const auto use = [&](std::uint32_t slot) {
            const model::MaterialId id = slot < instance.materials.size() ? instance.materials[slot] : model::MaterialId{};
            used[id.valid() ? id.value : count] = true;
        };
        if (mesh.polygon_count() != 0 && mesh.polygon_material.empty()) {
            use(0);
        }
        std::vector<bool> seen;
        for (const std::uint32_t slot : mesh.polygon_material) {
            if (slot >= seen.size()) {
                seen.resize(std::size_t{slot} + 1);
            }
            if (!seen[slot]) {
                seen[slot] = true;
                use(slot);
            }
        }
    }
    // A GOM's own slots are data, used or not.
    std::uint64_t unused = 0;
    for (std::size_t i = 0; i < count; ++i) {
        unused += used[i] ? 0u : 1u;
        used[i] = used[i] || model.gom.has_value();
    }
    report.add_loss("materials that nothing uses", model.gom ? 0 : unused);
    const auto lose = [&](const char* kind, auto&& has) {
        std::uint64_t n = 0;
        for (std::size_t i = 0; i < count; ++i) {
            n += used[i] && has(model.materials[i]) ? 1u : 0u;
        }
        report.add_loss(kind, n);
    };
    lose("double-sided materials", [](const model::Material& m) { return m.double_sided; });
    lose("unlit materials", [](const model::Material& m) { return m.unlit; });
    lose("alpha-blended materials", [](const model::Material& m) { return m.alpha_blend; });
    lose("drawing orders of KM3 materials", [](const model::Material& m) { return m.km3_draw_flags != 0; });
    if (std::none_of(used.begin(), used.end(), [](bool u) { return u; })) {
        used[count] = true;
    }

    std::vector<std::pair<MaterialSlot, std::size_t>> all;
    for (std::size_t i = 0; i <= count; ++i) {
        if (used[i]) {
            all.emplace_back(i < count ? to_slot(model, model.materials[i]) : default_slot(), i);
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return slot_less(a.first, b.first); });
    Slots out;
    out.of_material.assign(count + 1, 0);
    for (auto& [slot, source] : all) {
        if (out.slots.empty() || !(out.slots.back() == slot)) {
            out.slots.push_back(std::move(slot));
        }
        out.of_material[source] = static_cast<std::uint32_t>(out.slots.size() - 1);
    }
    return out;
}

// --- Skeleton -------------------------------------------------------------------------------------------------------------

// Bones as they are written, with the bind matrices a reader will compute from them.
struct Bones {
    std::vector<Bone> file;
    std::vector<Mat4> bind_model;
    std::vector<Mat4> inverse_bind;
};

Bones make_bones(const model::Skeleton& skeleton, bool keep_stored, core::Report& report) {
    Bones out;
    for (const model::SkeletonBone& source : skeleton.bones) {
        Bone bone;
        bone.parent = source.parent;
        bone.name = source.name;
        bone.path = source.path;
        const bool root = source.parent < 0;
        Mat4 local = source.bind_local;
        if (!keep_stored && !root) {
            // Relative to the parent as it was rounded, so that rounding does not add up along the chain.
            const Mat4 exact = source.bind_model * out.inverse_bind[static_cast<std::size_t>(source.parent)];
            local = finite(cast(exact)) ? exact : local;
        }
        bone.bind_local = cast(local);
        Mat4 unused;
        if (!finite(bone.bind_local) || !inverse_affine(widen(bone.bind_local), unused)) {
            // Sizes that no float32 holds; the skeleton must stand all the same.
            bone.bind_local = Matrix{};
            report.add(IssueId::SKEL_BIND_RANGE, {}, {{"bone", bone.path}});
        }
        const Mat4 stored = widen(bone.bind_local);
        const Mat4 model = root ? stored : stored * out.bind_model[static_cast<std::size_t>(source.parent)];
        Mat4 inverse;
        if (!inverse_affine(model, inverse)) {
            inverse = Mat4{};
        }
        out.file.push_back(std::move(bone));
        out.bind_model.push_back(model);
        out.inverse_bind.push_back(inverse);
    }
    return out;
}

// --- Parts ----------------------------------------------------------------------------------------------------------------

// How one instance is placed and bound.
struct Placement {
    Mat4 geometry_to_target;
    std::vector<std::uint16_t> cluster_bones;
    int rigid_bone = -1;
    std::vector<Matrix> inverse_bind;
    std::optional<Matrix> geometry_to_model;
};

class PartMaker {
public:
    PartMaker(const model::Model& model, const model::Skeleton& skeleton, const Bones& bones, const codec::WriteOptions& options)
        : model_(model), skeleton_(skeleton), bones_(bones), options_(options), node_to_model_(model::rest_to_model(model)) {
        for (const Mat4& m : bones.inverse_bind) {
            plain_inverse_bind_.push_back(cast(m));
        }
    }

    [[nodiscard]] Placement place(const model::MeshInstance& instance, core::Report& report) const {
        const model::Mesh& mesh = model_.meshes[instance.mesh.value];
        if (mesh.skin && !mesh.skin->clusters.empty()) {
            return mesh.final_vertices ? place_stored(instance, mesh) : place_skinned(instance, mesh, report);
        }
        const std::int32_t bone = instance.node.valid() ? skeleton_.nearest_bone_of_node[instance.node.value] : -1;
        return bone >= 0 ? place_rigid(instance, bone) : place_static(instance);
    }

    // The bone for points that have no weights: the mesh node's nearest, else the first.
    [[nodiscard]] std::uint16_t fallback_bone(const model::MeshInstance& instance) const {
        const std::int32_t bone = instance.node.valid() ? skeleton_.nearest_bone_of_node[instance.node.value] : 0;
        return static_cast<std::uint16_t>(std::max(bone, 0));
    }

private:
    [[nodiscard]] std::vector<std::uint16_t> bones_of(const model::Skin& skin) const {
        std::vector<std::uint16_t> out;
        for (const model::Cluster& cluster : skin.clusters) {
            const std::int32_t bone = cluster.bone.valid() ? skeleton_.bone_of_node[cluster.bone.value] : 0;
            out.push_back(static_cast<std::uint16_t>(std::max(bone, 0)));
        }
        return out;
    }

    // A part read from a GOM: its clusters are the stored inverse binds, in bone order.
    [[nodiscard]] Placement place_stored(const model::MeshInstance& instance, const model::Mesh& mesh) const {
        Placement out;
        out.cluster_bones = bones_of(*mesh.skin);
        out.inverse_bind = plain_inverse_bind_;
        for (std::size_t c = 0; c < mesh.skin->clusters.size(); ++c) {
            out.inverse_bind[out.cluster_bones[c]] = cast(mesh.skin->clusters[c].geometry_to_bone);
        }
        set_gbtm(out, instance.geometry_to_node);
        return out;
    }

    [[nodiscard]] Placement place_skinned(const model::MeshInstance& instance, const model::Mesh& mesh, core::Report& report) const {
        Placement out;
        const model::Skin& skin = *mesh.skin;
        out.cluster_bones = bones_of(skin);
        const Mat4 node_placement = geometry_to_model(instance);
        std::vector<Mat4> geometry_to_bone;
        bool singular = false;
        for (std::size_t c = 0; c < skin.clusters.size(); ++c) {
            const bool usable = is_usable(skin.clusters[c].geometry_to_bone);
            singular = singular || !usable;
            geometry_to_bone.push_back(usable ? skin.clusters[c].geometry_to_bone
                                              : node_placement * bones_.inverse_bind[out.cluster_bones[c]]);
        }
        const auto first = static_cast<std::size_t>(std::min_element(out.cluster_bones.begin(), out.cluster_bones.end()) -
                                                    out.cluster_bones.begin());
        Mat4 space = geometry_to_bone[first] * bones_.bind_model[out.cluster_bones[first]];
        if (!is_usable(space)) {
            singular = true;
            space = node_placement;
        }
        if (singular) {
            report.add(IssueId::MESH_SINGULAR_BIND, part_place(instance.name));
        }
        report_bound_twice(out.cluster_bones, geometry_to_bone, instance, report);
        bind(out, space, out.cluster_bones, geometry_to_bone);
        return out;
    }

    // Moves with one bone: through the rest pose into that bone's space, and from there to model space at bind.
    [[nodiscard]] Placement place_rigid(const model::MeshInstance& instance, std::int32_t bone) const {
        Placement out;
        const auto b = static_cast<std::size_t>(bone);
        const Mat4 geometry_to_bone = model::geometry_to_bone_at_rest(model_, skeleton_, instance);
        out.rigid_bone = bone;
        const Mat4 space = geometry_to_bone * bones_.bind_model[b];
        if (is_usable(bones_.bind_model[b])) {
            // The plain inverse bind, whatever the geometry's own placement.
            out.geometry_to_target = space;
            out.inverse_bind = plain_inverse_bind_;
        } else {
            const std::uint16_t only[] = {static_cast<std::uint16_t>(bone)};
            bind(out, space, only, std::span(&geometry_to_bone, 1));
        }
        return out;
    }

    // Stores the geometry in `space` (geometry to model at bind) with inverse binds that undo it; where `space` is too flat to be
    // undone in float32 the geometry stays as it is (GOM-BONE-6), mirrored if its faces would turn inside out.
    void bind(Placement& out, Mat4 space, std::span<const std::uint16_t> bones, std::span<const Mat4> geometry_to_bone) const {
        if (!is_usable(space)) {
            const bool mirrored = determinant3(space) < 0;
            space = Mat4{};
            space.m[0] = mirrored ? -1 : 1;
        }
        Mat4 inverse;
        if (!inverse_affine(space, inverse)) {
            inverse = Mat4{};
        }
        out.geometry_to_target = space;
        out.inverse_bind = plain_inverse_bind_;
        std::vector<bool> done(out.inverse_bind.size());
        for (std::size_t c = 0; c < bones.size(); ++c) {
            const Matrix m = cast(inverse * geometry_to_bone[c]);
            if (!done[bones[c]] && finite(m)) {
                out.inverse_bind[bones[c]] = m;
                done[bones[c]] = true;
            }
        }
    }

    // A part has one inverse bind a bone; what the source binds twice in one place is no matter.
    void report_bound_twice(std::span<const std::uint16_t> bones, std::span<const Mat4> geometry_to_bone, const model::MeshInstance& instance,
                            core::Report& report) const {
        constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
        std::vector<std::size_t> first(bones_.file.size(), kNone);
        std::vector<bool> reported(bones_.file.size());
        for (std::size_t c = 0; c < bones.size(); ++c) {
            std::size_t& before = first[bones[c]];
            if (before == kNone) {
                before = c;
            } else if (!reported[bones[c]] && differs(geometry_to_bone[before], geometry_to_bone[c])) {
                reported[bones[c]] = true;
                report.add(IssueId::MESH_BIND_TWICE, part_place(instance.name), {{"bone", bones_.file[bones[c]].path}});
            }
        }
    }

    [[nodiscard]] static bool differs(const Mat4& a, const Mat4& b) {
        double size = 1;
        double off = 0;
        for (std::size_t i = 0; i < 16; ++i) {
            size = std::fmax(size, std::fabs(a.m[i]));
            off = std::fmax(off, std::fabs(a.m[i] - b.m[i]));
        }
        return off > 1e-4 * size;
    }

    // Whether going through the matrix and back keeps most of a float32's digits.
    [[nodiscard]] static bool is_usable(const Mat4& m) {
        Mat4 inverse;
        if (!inverse_affine(m, inverse) || !finite(cast(m)) || !finite(cast(inverse))) {
            return false;
        }
        double there = 0;
        double back = 0;
        for (const std::size_t i : {0u, 1u, 2u, 4u, 5u, 6u, 8u, 9u, 10u}) {
            there = std::fmax(there, std::fabs(m.m[i]));
            back = std::fmax(back, std::fabs(inverse.m[i]));
        }
        return there * back < 1e4;
    }

    [[nodiscard]] Placement place_static(const model::MeshInstance& instance) const {
        Placement out;
        const Mat4 placement = geometry_to_model(instance);
        const model::Mesh& mesh = model_.meshes[instance.mesh.value];
        const bool bake = !mesh.final_vertices && (options_.bake_static || !finite(cast(placement)) || !(determinant3(widen(cast(placement))) > 0));
        if (bake) {
            out.geometry_to_target = placement;
        } else {
            set_gbtm(out, placement);
        }
        return out;
    }

    static void set_gbtm(Placement& out, const Mat4& placement) {
        const Matrix m = cast(placement);
        if (!runtime::is_identity(m)) {
            out.geometry_to_model = m;
        }
    }

    [[nodiscard]] Mat4 geometry_to_model(const model::MeshInstance& instance) const {
        return instance.node.valid() ? instance.geometry_to_node * node_to_model_[instance.node.value] : instance.geometry_to_node;
    }

    const model::Model& model_;
    const model::Skeleton& skeleton_;
    const Bones& bones_;
    const codec::WriteOptions& options_;
    std::vector<Mat4> node_to_model_;
    std::vector<Matrix> plain_inverse_bind_;
};

void report_stats(const pass::RenderMeshStats& stats, const model::MeshInstance& instance, const std::string& fallback_bone,
                  core::Report& report) {
    const auto count = [&](IssueId id, std::uint64_t n) {
        if (n != 0) {
            report.add(id, part_place(instance.name), {{"count", std::to_string(n)}, {"bone", fallback_bone}});
        }
    };
    count(IssueId::MESH_UNWEIGHTED, stats.unweighted_points);
    count(IssueId::MESH_WEIGHTS_REDUCED, stats.reduced_points);
    count(IssueId::MESH_BAD_POLYGON, stats.failed_polygons);
    count(IssueId::MESH_DEGENERATE, stats.degenerate_polygons);
    count(IssueId::MESH_NON_FINITE, stats.non_finite_vertices);
    count(IssueId::MESH_NORMALS_GENERATED, stats.normals_generated ? 1 : 0);
}

std::vector<Part> make_parts(const model::Model& model, const PartMaker& maker, const Bones& bones, const Slots& slots,
                             const MorphChannels& channels, const codec::WriteOptions& options, core::Report& report) {
    const std::size_t count = model.instances.size();
    std::vector<Part> parts(count);
    std::vector<pass::RenderMeshStats> stats(count);
    std::vector<core::Report> reports(count, core::Report{});
    core::parallel_for(count, options.jobs, [&](std::size_t i) {
        const model::MeshInstance& instance = model.instances[i];
        const model::Mesh& mesh = model.meshes[instance.mesh.value];
        Placement placement = maker.place(instance, reports[i]);
        std::vector<std::uint32_t> slot_map;
        std::uint32_t slot_count = 1;
        for (const std::uint32_t slot : mesh.polygon_material) {
            slot_count = std::max(slot_count, slot + 1);
        }
        for (std::uint32_t s = 0; s < slot_count; ++s) {
            slot_map.push_back(slots.of(s < instance.materials.size() ? instance.materials[s] : model::MaterialId{}));
        }
        pass::RenderMeshOptions mesh_options;
        mesh_options.normals = options.normals;
        mesh_options.tangents = options.tangents;
        mesh_options.geometry_to_target = placement.geometry_to_target;
        mesh_options.cluster_bones = placement.cluster_bones;
        mesh_options.rigid_bone = placement.rigid_bone;
        mesh_options.fallback_bone = maker.fallback_bone(instance);
        mesh_options.slot_map = slot_map;
        pass::RenderMesh built = pass::build_render_mesh(mesh, mesh_options, stats[i]);
        Part& part = parts[i];
        part.name = none_if_empty(instance.name);
        part.vertices = std::move(built.vertices);
        part.indices = std::move(built.indices);
        for (const pass::RenderSubmesh& s : built.submeshes) {
            part.submeshes.push_back({s.material_slot, s.index_start, s.index_count});
        }
        part.inverse_bind = std::move(placement.inverse_bind);
        part.geometry_to_model = placement.geometry_to_model;
        part.morphs = channels.written(std::move(built.morphs), i);
    });
    std::vector<Part> out;
    std::uint64_t uv_sets = 0;
    std::uint64_t color_sets = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const model::MeshInstance& instance = model.instances[i];
        const model::Mesh& mesh = model.meshes[instance.mesh.value];
        report.merge(reports[i]);
        if (parts[i].indices.empty()) {
            report.add(IssueId::MESH_EMPTY, part_place(instance.name));
            continue;
        }
        report_stats(stats[i], instance, bones.file.empty() ? std::string() : bones.file[maker.fallback_bone(instance)].path, report);
        uv_sets += mesh.uvs.size() > 1 ? mesh.uvs.size() - 1 : 0;
        color_sets += mesh.colors.size();
        out.push_back(std::move(parts[i]));
    }
    report.add_loss("texture coordinate sets beyond the first", uv_sets);
    report.add_loss("vertex colour sets", color_sets);
    return out;
}

// --- Clips ----------------------------------------------------------------------------------------------------------------

std::array<float, 3> to_file(const Vec3& v) { return {to_float(v.x), to_float(v.y), to_float(v.z)}; }
std::array<float, 4> to_file(const Quat& q) { return {to_float(q.x), to_float(q.y), to_float(q.z), to_float(q.w)}; }

template <class FileKey, class T>
std::vector<FileKey> to_file(const pass::StoredKeys<T>& keys) {
    std::vector<FileKey> out;
    out.reserve(keys.size());
    for (const pass::StoredKey<T>& key : keys) {
        out.push_back({to_float(key.time), to_file(key.value)});
    }
    return out;
}

class ClipMaker {
public:
    ClipMaker(const model::Model& model, const model::Skeleton& skeleton, const MorphChannels& channels)
        : skeleton_(skeleton), channels_(channels), store_(model, skeleton) {}

    [[nodiscard]] Clip make(const model::Clip& source, std::string name, std::vector<bool>& sheared, std::uint64_t& unused_tracks) const {
        Clip out;
        out.name = std::move(name);
        out.duration = to_float(source.duration);
        out.has_root_motion = source.has_root_motion;
        out.loop = source.loop;
        out.root_bone = source.root.valid() ? skeleton_.bone_of_node[source.root.value] : -1;
        for (const model::Track& track : source.tracks) {
            unused_tracks += skeleton_.bone_of_node[track.node.value] < 0 ? 1u : 0u;
        }
        const std::vector<const model::Track*> tracks = pass::tracks_of_bones(source, skeleton_);
        for (std::size_t b = 0; b < tracks.size(); ++b) {
            const pass::StoredTrack keys = store_.written(b, tracks[b], source);
            sheared[b] = sheared[b] || keys.completed;
            if (!keys.empty() || (source.final_keys && tracks[b] != nullptr)) {
                out.tracks.push_back({static_cast<std::uint32_t>(b), to_file<VectorKey>(keys.translation), to_file<QuatKey>(keys.rotation),
                                      to_file<VectorKey>(keys.scale)});
            }
        }
        out.morph_tracks = channels_.tracks(source);
        return out;
    }

private:
    const model::Skeleton& skeleton_;
    const MorphChannels& channels_;
    pass::ClipStore store_;
};

std::vector<Clip> make_clips(const model::Model& model, const model::Skeleton& skeleton, const MorphChannels& channels, core::Report& report) {
    std::vector<std::string> names;
    for (const model::Clip& clip : model.clips) {
        names.push_back(clip.name.empty() ? "clip" : clip.name);
    }
    const std::vector<std::string> numbered = model::number_duplicates(names);
    const ClipMaker maker(model, skeleton, channels);
    std::vector<bool> sheared(skeleton.bones.size());
    std::uint64_t unused_tracks = 0;
    std::vector<Clip> out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (numbered[i] != names[i]) {
            report.add(IssueId::CLIP_RENAMED, {}, {{"name", names[i]}, {"written", numbered[i]}});
        }
        out.push_back(maker.make(model.clips[i], numbered[i], sheared, unused_tracks));
    }
    for (std::size_t b = 0; b < sheared.size(); ++b) {
        if (sheared[b]) {
            report.add(IssueId::SKEL_NOT_TRS, {}, {{"bone", skeleton.bones[b].path}});
        }
    }
    report.add_loss("animation tracks of nodes that move no mesh", unused_tracks);
    report.add_loss("animated weights of blend shapes", channels.lost_tracks(model));
    std::sort(out.begin(), out.end(), [](const Clip& a, const Clip& b) { return core::byte_less(a.name, b.name); });
    return out;
}

/// The bones of a motion: node i is bone i, about which nothing else is known.
model::Skeleton placeholder_skeleton(const model::Model& model) {
    model::Skeleton out;
    out.bones.resize(model.nodes.size());
    out.bone_of_node.resize(model.nodes.size());
    std::iota(out.bone_of_node.begin(), out.bone_of_node.end(), 0);
    return out;
}

// --- Limits ---------------------------------------------------------------------------------------------------------------

core::Result<void> check_limits(const Document& document, const core::Limits& limits) {
    std::uint64_t vertices = 0;
    std::uint64_t indices = 0;
    std::uint64_t submeshes = 0;
    std::uint64_t morph_vertices = 0;
    for (const Part& part : document.parts) {
        vertices += part.vertices.size();
        indices += part.indices.size();
        submeshes += part.submeshes.size();
        for (const Morph& morph : part.morphs) {
            morph_vertices += morph.vertices.size();
        }
    }
    std::uint64_t morph_shapes = 0;
    for (const MorphChannel& channel : document.morph_channels) {
        morph_shapes += channel.shapes.size();
    }
    struct Row {
        const char* what;
        std::uint64_t value;
        std::uint64_t limit;
    };
    std::vector<Row> rows = {{"bones", document.bones.size(), limits.max_bones},
                             {"mesh parts", document.parts.size(), limits.max_mesh_parts},
                             {"vertices", vertices, limits.max_vertices},
                             {"indices", indices, limits.max_indices},
                             {"submeshes", submeshes, limits.max_submeshes},
                             {"material slots", document.materials.size(), limits.max_material_slots},
                             {"blend shape channels", document.morph_channels.size(), limits.max_morph_channels},
                             {"blend shapes", morph_shapes, limits.max_morph_shapes},
                             {"vertices of blend shapes", morph_vertices, limits.max_morph_vertices},
                             {"clips", document.clips.size(), limits.max_clips}};
    for (const Clip& clip : document.clips) {
        std::uint64_t keys = 0;
        for (const Track& track : clip.tracks) {
            keys += track.translation.size() + track.rotation.size() + track.scale.size();
        }
        rows.push_back({"tracks of one clip", clip.tracks.size(), limits.max_tracks_per_clip});
        rows.push_back({"keys of one clip", keys, limits.max_keys_per_clip});
        std::uint64_t weight_keys = 0;
        for (const MorphTrack& track : clip.morph_tracks) {
            weight_keys += track.keys.size();
        }
        rows.push_back({"animated blend shapes of one clip", clip.morph_tracks.size(), limits.max_tracks_per_clip});
        rows.push_back({"keys of blend shapes of one clip", weight_keys, limits.max_keys_per_clip});
    }
    for (const Row& row : rows) {
        if (row.value > row.limit) {
            return core::fail(core::Code::LimitExceeded, {}, std::string("too many ") + row.what, std::to_string(row.value),
                              "at most " + std::to_string(row.limit), "split the model, or raise --limits");
        }
    }
    return {};
}

}  // namespace

core::Result<Document> export_model(model::Model&& model, const codec::WriteOptions& options, core::Report& report) {
    core::Result<model::Skeleton> skeleton = model::build_skeleton(model, options.limits);
    if (!skeleton) {
        return core::Fault(std::move(skeleton.error()));
    }
    const bool stored = model.gom.has_value();
    if (model.mta) {
        return core::fail(core::Code::Unsupported, {}, "a motion file has clips only, without a skeleton to write", {}, {},
                          "add it to the model that it was made for: gomkit convert MODEL --add-clips FILE");
    }
    Document out;
    out.source_hash = model.source.hash;
    out.converter_version = stored ? model.gom->converter_version : core::converter_version();
    const Slots slots = make_slots(model, report);
    out.materials = slots.slots;
    Bones bones = make_bones(*skeleton, stored, report);
    MorphChannels channels(model, report);
    out.clips = make_clips(model, *skeleton, channels, report);
    const PartMaker maker(model, *skeleton, bones, options);
    out.parts = make_parts(model, maker, bones, slots, channels, options, report);
    out.morph_channels = channels.take();
    if (out.parts.empty() && !stored && !options.without_meshes) {
        report.add(IssueId::CONV_EMPTY_MODEL, {},
                   {{"bones", std::to_string(bones.file.size())}, {"clips", std::to_string(out.clips.size())}});
    }
    out.bones = std::move(bones.file);
    if (stored) {
        out.validation_flags = model.gom->validation_flags;
    }
    codec::report_held(model, report);
    model.meshes = {};  // the parts stand for them: no room for both and the bytes
    if (core::Result<void> fits = check_limits(out, options.limits); !fits) {
        return core::Fault(std::move(fits.error()));
    }
    return out;
}

core::Result<Document> export_motion(const model::Model& model, const codec::WriteOptions& options, core::Report& report) {
    core::Result<model::Skeleton> skeleton = model.mta ? placeholder_skeleton(model) : model::build_skeleton(model, options.limits);
    if (!skeleton) {
        return core::Fault(std::move(skeleton.error()));
    }
    if (!model.mta && skeleton->bones.empty()) {
        return core::fail(core::Code::Unsupported, {}, "the model has no skeleton, and a motion file holds the motion of one", {}, {},
                          "write a model format such as GOM");
    }
    Document out;
    out.source_hash = model.source.hash;
    out.converter_version = model.gom   ? model.gom->converter_version
                            : model.mta ? model.mta->converter_version
                                        : core::converter_version();
    if (model.mta) {
        out.motion_of = model.mta->skeleton_signature;
        out.clips = make_clips(model, *skeleton, MorphChannels(), report);
    } else {
        const Bones bones = make_bones(*skeleton, model.gom.has_value(), report);
        out.motion_of = skeleton_signature(bones.file);
        out.clips = make_clips(model, *skeleton, MorphChannels(), report);
        if (out.clips.empty() && !model.gom) {
            report.add(IssueId::CONV_EMPTY_MOTION, {});
        }
    }
    if (core::Result<void> fits = check_limits(out, options.limits); !fits) {
        return core::Fault(std::move(fits.error()));
    }
    return out;
}

}  // namespace gomkit::gom
