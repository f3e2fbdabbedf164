#include <algorithm>
#include <cmath>

#include "lint.hpp"

namespace gomkit::fbx {
namespace {

using core::IssueId;

bool finite(const ufbx_vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

template <class List>
std::uint64_t count_not_finite(const List& values) {
    std::uint64_t bad = 0;
    for (const auto& value : values) {
        const auto* begin = std::begin(value.v);
        bad += std::all_of(begin, std::end(value.v), [](double c) { return std::isfinite(c); }) ? 0u : 1u;
    }
    return bad;
}

// Twice the area's vector by Newell's formula, against the sides: a sliver of a hair's breadth is a face, a line is none.
bool has_area(const ufbx_mesh& mesh, const ufbx_face& face) {
    double normal[3] = {};
    double sides = 0;
    const ufbx_vec3 origin = mesh.vertices.data[mesh.vertex_indices.data[face.index_begin]];
    for (std::uint32_t i = 0; i < face.num_indices; ++i) {
        const std::uint32_t next = i + 1 < face.num_indices ? i + 1 : 0;
        ufbx_vec3 a = mesh.vertices.data[mesh.vertex_indices.data[face.index_begin + i]];
        ufbx_vec3 b = mesh.vertices.data[mesh.vertex_indices.data[face.index_begin + next]];
        if (!finite(a) || !finite(b)) {
            return true;  // counted elsewhere
        }
        for (int k = 0; k < 3; ++k) {
            a.v[k] -= origin.v[k];
            b.v[k] -= origin.v[k];
            sides += (b.v[k] - a.v[k]) * (b.v[k] - a.v[k]);
        }
        normal[0] += a.y * b.z - a.z * b.y;
        normal[1] += a.z * b.x - a.x * b.z;
        normal[2] += a.x * b.y - a.y * b.x;
    }
    return std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) > 1e-10 * sides;
}

void lint_faces(Lint& lint, const ufbx_mesh& mesh) {
    std::uint64_t flat = 0;
    std::size_t first = 0;
    for (std::size_t f = 0; f < mesh.num_faces; ++f) {
        const ufbx_face& face = mesh.faces.data[f];
        if (face.num_indices >= 3 && !has_area(mesh, face)) {
            first = flat++ == 0 ? f : first;
        }
    }
    if (flat != 0) {
        lint.report.add(IssueId::FBX_DEGENERATE_FACE, lint.at(mesh.element), {{"count", std::to_string(flat)}, {"found", std::to_string(first)}});
    }
}

}  // namespace

void lint_meshes(Lint& lint) {
    for (const ufbx_mesh* mesh : lint.scene.meshes) {
        const auto report_bad = [&](std::uint64_t bad, const char* what) {
            if (bad != 0) {
                lint.report.add(IssueId::FBX_NAN, lint.at(mesh->element), {{"count", std::to_string(bad)}, {"what", what}});
            }
        };
        report_bad(count_not_finite(mesh->vertices), "vertices");
        report_bad(count_not_finite(mesh->vertex_normal.values), "normals");
        report_bad(count_not_finite(mesh->vertex_tangent.values), "tangents");
        for (const ufbx_uv_set& set : mesh->uv_sets) {
            report_bad(count_not_finite(set.vertex_uv.values), "texture coordinates");
        }
        for (const ufbx_color_set& set : mesh->color_sets) {
            report_bad(count_not_finite(set.vertex_color.values), "colours");
        }
        lint_faces(lint, *mesh);
    }
}

}  // namespace gomkit::fbx
