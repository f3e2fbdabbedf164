#include <gomkit/pass/render_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include <gomkit/pass/limit_weights.hpp>
#include <gomkit/pass/normals.hpp>
#include <gomkit/pass/tangents.hpp>
#include <gomkit/pass/triangulate.hpp>

#include "render_morph.hpp"
#include "unit.hpp"

namespace gomkit::pass {
namespace {

using model::Mat4;
using model::Mesh;
using model::Vec3;

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
// A point with thousands of different corners is not searched to its end; weld() finds what was missed.
constexpr int kMaxChain = 64;

// -0 becomes +0, so that equal vertices are equal bytes and the file holds no -0.
float to_float(double v) { return static_cast<float>(v) + 0.0f; }

bool finite3(const float* v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

void store(const Vec3& v, float* out) {
    out[0] = to_float(v.x);
    out[1] = to_float(v.y);
    out[2] = to_float(v.z);
}

std::uint32_t slot_of(const Mesh& mesh, const RenderMeshOptions& options, std::size_t polygon) {
    const std::uint32_t slot = mesh.polygon_material.empty() ? 0 : mesh.polygon_material[polygon];
    return options.slot_map.empty() ? slot : options.slot_map[slot];
}

bool is_degenerate(std::span<const Vec3> points, std::span<const std::uint32_t> polygon) {
    const Vec3 first = cross(points[polygon[1]] - points[polygon[0]], points[polygon[2]] - points[polygon[0]]);
    if (polygon.size() == 3) {
        return !(dot(first, first) > 0);
    }
    const Vec3 area = area_vector(points, polygon);
    return !(dot(area, area) > 0);
}

// The corners of all triangles, grouped by ascending slot and within a slot in polygon order; fills `submeshes`.
core::LargeVector<std::uint32_t> triangulate_mesh(const Mesh& mesh, const RenderMeshOptions& options, bool flip,
                                            std::vector<RenderSubmesh>& submeshes, RenderMeshStats& stats) {
    const std::size_t polygon_count = mesh.polygon_count();
    std::vector<std::uint64_t> slot_size;
    for (std::size_t p = 0; p < polygon_count; ++p) {
        const std::uint32_t slot = slot_of(mesh, options, p);
        if (slot >= slot_size.size()) {
            slot_size.resize(std::size_t{slot} + 1);
        }
        slot_size[slot] += std::uint64_t{mesh.polygon_first[p + 1] - mesh.polygon_first[p] - 2} * 3;
    }
    std::vector<std::size_t> at(slot_size.size());
    std::size_t total = 0;
    for (std::size_t s = 0; s < slot_size.size(); ++s) {
        at[s] = total;
        if (slot_size[s] != 0) {
            submeshes.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(total), static_cast<std::uint32_t>(slot_size[s])});
        }
        total += slot_size[s];
    }
    core::LargeVector<std::uint32_t> corners(total);
    std::vector<std::uint32_t> cut;
    for (std::size_t p = 0; p < polygon_count; ++p) {
        const std::uint32_t first = mesh.polygon_first[p];
        const std::span<const std::uint32_t> polygon = std::span(mesh.corner_point).subspan(first, mesh.polygon_first[p + 1] - first);
        cut.clear();
        if (!triangulate(mesh.points, polygon, cut)) {
            ++stats.failed_polygons;
        }
        if (is_degenerate(mesh.points, polygon)) {
            ++stats.degenerate_polygons;
        }
        std::size_t& out = at[slot_of(mesh, options, p)];
        for (std::size_t i = 0; i < cut.size(); i += 3) {
            corners[out++] = first + cut[i];
            corners[out++] = first + cut[flip ? i + 2 : i + 1];
            corners[out++] = first + cut[flip ? i + 1 : i + 2];
        }
    }
    return corners;
}

// Everything about a vertex that its point decides.
class PointData {
public:
    PointData(const Mesh& mesh, const RenderMeshOptions& options, RenderMeshStats& stats) : mesh_(mesh), options_(options) {
        if (!options.cluster_bones.empty() && mesh.skin) {
            weights_.resize(mesh.points.size());
            const model::Skin& skin = *mesh.skin;
            for (std::size_t p = 0; p < mesh.points.size(); ++p) {
                const auto influences = std::span(skin.influences).subspan(skin.first[p], skin.first[p + 1] - skin.first[p]);
                const WeightOutcome outcome = limit_weights(influences, options.cluster_bones, weights_[p]);
                if (outcome == WeightOutcome::Unusable) {
                    weights_[p].bone[0] = options.fallback_bone;
                    weights_[p].weight[0] = 1;
                    ++stats.unweighted_points;
                } else if (outcome == WeightOutcome::Reduced) {
                    ++stats.reduced_points;
                }
            }
        } else {
            rigid_.bone[0] = static_cast<std::uint16_t>(std::max(options.rigid_bone, 0));
            rigid_.weight[0] = 1;
        }
        identity_ = runtime::is_identity(options.geometry_to_target);
    }

    void fill(std::uint32_t point, RenderVertex& v, RenderMeshStats& stats) const {
        const Vec3& p = mesh_.points[point];
        store(identity_ ? p : transform_point(p, options_.geometry_to_target), v.position);
        if (!finite3(v.position)) {
            ++stats.non_finite_vertices;
            std::fill_n(v.position, 3, 0.0f);
        }
        const FourWeights& w = weights_.empty() ? rigid_ : weights_[point];
        std::copy_n(w.bone, 4, v.bone);
        std::copy_n(w.weight, 4, v.weight);
    }

private:
    const Mesh& mesh_;
    const RenderMeshOptions& options_;
    core::LargeVector<FourWeights> weights_;
    FourWeights rigid_;
    bool identity_ = false;
};

// Normals, tangents and UV of a corner, in the target space.
class CornerData {
public:
    // `generated`: normals to take instead of the mesh's own; empty: none.
    CornerData(const Mesh& mesh, const RenderMeshOptions& options, bool keep_tangents, std::span<const Vec3> generated)
        : mesh_(mesh), matrix_(options.geometry_to_target), keep_tangents_(keep_tangents), generated_(generated) {
        uv_ = !mesh.uvs.empty() && mesh.uvs[0].exists() ? &mesh.uvs[0] : nullptr;
        const double determinant = determinant3(matrix_);
        sign_ = determinant < 0 ? -1.0 : 1.0;
        // The cofactor matrix is the inverse transpose up to a factor; dividing by the determinant's size is not needed since
        // normals are normalised.
        normal_matrix_ = cofactor3(matrix_);
        identity_ = runtime::is_identity(matrix_);
    }

    void fill(std::uint32_t corner, std::uint32_t polygon_corner_a, std::uint32_t polygon_corner_b, std::uint32_t polygon_corner_c,
              RenderVertex& v) const {
        Vec3 n = generated_.empty() ? mesh_.normals.values[mesh_.normals.corner_index[corner]] : generated_[corner];
        n = to_target(n);
        if (!is_unit(n)) {
            // A zero or broken normal takes its triangle's.
            const Vec3& a = point(polygon_corner_a);
            n = to_target(cross(point(polygon_corner_b) - a, point(polygon_corner_c) - a) * sign_);
            if (!is_unit(n)) {
                n = {0, 1, 0};
            }
        }
        store(n, v.normal);
        v.uv[0] = v.uv[1] = 0;
        if (uv_ != nullptr) {
            const model::Vec2& uv = uv_->values[uv_->corner_index[corner]];
            v.uv[0] = to_float(uv.x);
            v.uv[1] = to_float(uv.y);
            if (!std::isfinite(v.uv[0]) || !std::isfinite(v.uv[1])) {
                v.uv[0] = v.uv[1] = 0;
            }
        }
        std::fill_n(v.tangent, 4, 0.0f);
        if (keep_tangents_) {
            const model::Vec4& t = mesh_.tangents.values[mesh_.tangents.corner_index[corner]];
            Vec3 x = transform_vector(Vec3{t.x, t.y, t.z}, matrix_);
            x = runtime::normalized(x - n * dot(n, x));
            if (is_unit(x)) {
                store(x, v.tangent);
                v.tangent[3] = static_cast<float>(t.w < 0 ? -sign_ : sign_);
            } else {
                const Tangent arbitrary = arbitrary_tangent(v.normal);
                std::copy_n(arbitrary.v, 4, v.tangent);
            }
        }
    }

private:
    [[nodiscard]] const Vec3& point(std::uint32_t corner) const { return mesh_.points[mesh_.corner_point[corner]]; }
    [[nodiscard]] Vec3 to_target(const Vec3& n) const {
        return runtime::normalized(identity_ ? n : transform_vector(n, normal_matrix_) * sign_);
    }

    const Mesh& mesh_;
    Mat4 matrix_;
    Mat4 normal_matrix_;
    double sign_ = 1;
    bool identity_ = false;
    bool keep_tangents_ = false;
    std::span<const Vec3> generated_;
    const model::Layer<model::Vec2>* uv_ = nullptr;
};

std::uint64_t hash_of(const RenderVertex& v) {
    std::uint64_t words[9];
    std::memcpy(words, &v, sizeof words);
    std::uint64_t h = 0x9E3779B97F4A7C15ull;
    for (const std::uint64_t w : words) {
        h = (h ^ w) * 0xD6E8FEB86659FD93ull;
        h ^= h >> 32;
    }
    return h;
}

// Merges bit-identical vertices that shapes move alike; the first of each keeps its place.
void weld(RenderMesh& mesh) {
    const std::vector<std::uint32_t> motion = number_by_motion(mesh.morphs, mesh.morphs.empty() ? 0 : mesh.vertices.size());
    core::LargeVector<std::uint32_t> source(motion.size());  // of each vertex that is kept
    std::size_t capacity = 16;
    while (capacity < mesh.vertices.size() * 2) {
        capacity *= 2;
    }
    core::LargeVector<std::uint32_t> table(capacity, kNone);
    core::LargeVector<std::uint32_t> map(mesh.vertices.size());
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const RenderVertex& v = mesh.vertices[i];
        std::size_t slot = hash_of(v) & (capacity - 1);
        const auto is_other = [&](std::uint32_t kept_vertex) {
            return std::memcmp(&mesh.vertices[kept_vertex], &v, sizeof v) != 0 || (!motion.empty() && motion[source[kept_vertex]] != motion[i]);
        };
        while (table[slot] != kNone && is_other(table[slot])) {
            slot = (slot + 1) & (capacity - 1);
        }
        if (table[slot] == kNone) {
            if (!source.empty()) {
                source[kept] = static_cast<std::uint32_t>(i);
            }
            table[slot] = kept;
            mesh.vertices[kept] = v;
            map[i] = kept++;
        } else {
            map[i] = table[slot];
        }
    }
    if (kept == mesh.vertices.size()) {
        return;
    }
    mesh.vertices.resize(kept);
    for (std::uint32_t& index : mesh.indices) {
        index = map[index];
    }
    renumber(mesh.morphs, map);
}

// Gives each index the tangent computed for it, splitting vertices whose corners differ. `made_of` follows the vertices, or is empty.
void apply_tangents(RenderMesh& mesh, std::span<const Tangent> tangents, std::vector<std::uint32_t>& made_of) {
    std::vector<std::uint32_t> new_made_of;
    core::LargeVector<RenderVertex> out;
    out.reserve(mesh.vertices.size() + mesh.vertices.size() / 8);
    core::LargeVector<std::uint32_t> first(mesh.vertices.size(), kNone);  // of the split vertices of each vertex
    core::LargeVector<std::uint32_t> next;
    next.reserve(out.capacity());
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        const std::uint32_t source = mesh.indices[i];
        Tangent t = tangents[i];
        for (float& f : t.v) {
            f += 0.0f;
        }
        std::uint32_t found = first[source];
        for (int steps = 0; found != kNone && std::memcmp(out[found].tangent, t.v, sizeof t.v) != 0; ++steps) {
            found = steps < kMaxChain ? next[found] : kNone;
        }
        if (found == kNone) {
            found = static_cast<std::uint32_t>(out.size());
            out.push_back(mesh.vertices[source]);
            std::memcpy(out.back().tangent, t.v, sizeof t.v);
            if (!made_of.empty()) {
                new_made_of.push_back(made_of[source]);
            }
            next.push_back(first[source]);
            first[source] = found;
        }
        mesh.indices[i] = found;
    }
    mesh.vertices = std::move(out);
    made_of = std::move(new_made_of);
}

RenderMesh take_over_final(const Mesh& mesh, const RenderMeshOptions& options, RenderMeshStats& stats) {
    RenderMesh out;
    const core::LargeVector<std::uint32_t> corners = triangulate_mesh(mesh, options, false, out.submeshes, stats);
    stats = {};
    out.indices.resize(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        out.indices[i] = mesh.corner_point[corners[i]];
    }
    out.vertices.resize(mesh.points.size());
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
        RenderVertex& v = out.vertices[p];
        v = {};
        store(mesh.points[p], v.position);
        store(mesh.normals.values[p], v.normal);
        const model::Vec4& t = mesh.tangents.values[p];
        store({t.x, t.y, t.z}, v.tangent);
        v.tangent[3] = to_float(t.w);
        v.uv[0] = to_float(mesh.uvs[0].values[p].x);
        v.uv[1] = to_float(mesh.uvs[0].values[p].y);
        v.weight[0] = 1;
        if (mesh.skin && !options.cluster_bones.empty()) {
            for (std::size_t k = 0; k < 4; ++k) {
                const model::Influence& influence = mesh.skin->influences[mesh.skin->first[p] + k];
                v.bone[k] = options.cluster_bones[influence.cluster];
                v.weight[k] = to_float(influence.weight);
            }
        }
    }
    out.morphs = take_over_morphs(mesh);
    return out;
}

}  // namespace

RenderMesh build_render_mesh(const Mesh& mesh, const RenderMeshOptions& options, RenderMeshStats& stats) {
    if (mesh.final_vertices) {
        return take_over_final(mesh, options, stats);
    }
    RenderMesh out;
    const bool flip = determinant3(options.geometry_to_target) < 0;
    const bool has_uv = !mesh.uvs.empty() && mesh.uvs[0].exists();
    const bool keep_tangents = mesh.tangents.exists() && (options.tangents == TangentMode::Auto || options.tangents == TangentMode::Keep) &&
                               options.normals == NormalMode::Keep && mesh.normals.exists();
    const bool generate = !keep_tangents && has_uv && (options.tangents == TangentMode::Auto || options.tangents == TangentMode::Generate);

    const core::LargeVector<std::uint32_t> corners = triangulate_mesh(mesh, options, flip, out.submeshes, stats);
    std::vector<Vec3> generated;
    if (options.normals == NormalMode::Generate || !mesh.normals.exists()) {
        generated = generate_normals(mesh);
        stats.normals_generated = true;
    }
    std::optional<MorphVertices> morphs;
    if (!mesh.morphs.empty()) {
        morphs.emplace(mesh, options.geometry_to_target, generated);
    }
    std::vector<std::uint32_t> made_of;  // with morphs: the corner of each vertex
    {
        const PointData point_data(mesh, options, stats);
        const CornerData corner_data(mesh, options, keep_tangents, generated);
        // Vertices of one point form a chain; only they can be equal as long as no two points coincide (weld sees to those).
        core::LargeVector<std::uint32_t> first(mesh.points.size(), kNone);
        core::LargeVector<std::uint32_t> next;
        out.vertices.reserve(mesh.points.size() + mesh.points.size() / 8);
        next.reserve(out.vertices.capacity());
        out.indices.resize(corners.size());
        RenderVertex v{};
        constexpr std::size_t kOwn = sizeof(v.normal) + sizeof(v.tangent) + sizeof(v.uv);  // normal, tangent and uv are adjacent
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const std::uint32_t corner = corners[i];
            const std::size_t triangle = i - i % 3;
            const std::uint32_t point = mesh.corner_point[corner];
            corner_data.fill(corner, corners[triangle], corners[triangle + 1], corners[triangle + 2], v);
            std::uint32_t found = first[point];
            const auto is_other = [&](std::uint32_t vertex) {
                return std::memcmp(out.vertices[vertex].normal, v.normal, kOwn) != 0 || (morphs && morphs->group(made_of[vertex]) != morphs->group(corner));
            };
            for (int steps = 0; found != kNone && is_other(found); ++steps) {
                found = steps < kMaxChain ? next[found] : kNone;
            }
            if (found == kNone) {
                found = static_cast<std::uint32_t>(out.vertices.size());
                point_data.fill(point, v, stats);
                out.vertices.push_back(v);
                if (morphs) {
                    made_of.push_back(corner);
                }
                next.push_back(first[point]);
                first[point] = found;
            }
            out.indices[i] = found;
        }
    }
    if (!morphs) {
        generated = {};
    }
    if (generate) {
        core::LargeVector<Tangent> tangents(out.indices.size());
        for (std::size_t i = 0; i < tangents.size(); ++i) {
            tangents[i] = {{0, 0, 0, 0}};
        }
        const bool done = generate_tangents(out.vertices, out.indices, tangents);
        for (std::size_t i = 0; i < tangents.size(); ++i) {
            if (!done || tangents[i].v[3] == 0.0f) {
                tangents[i] = arbitrary_tangent(out.vertices[out.indices[i]].normal);
            }
        }
        apply_tangents(out, tangents, made_of);
        stats.tangents_generated = true;
    } else if (!keep_tangents) {
        for (RenderVertex& v : out.vertices) {
            Tangent t = arbitrary_tangent(v.normal);
            for (std::size_t k = 0; k < 4; ++k) {
                v.tangent[k] = t.v[k] + 0.0f;
            }
        }
    }
    if (morphs) {
        out.morphs = morphs->make(made_of);
    }
    weld(out);
    return out;
}

}  // namespace gomkit::pass
