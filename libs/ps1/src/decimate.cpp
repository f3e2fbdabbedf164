#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <meshoptimizer.h>

#include "mesh.hpp"

namespace gomkit::ps1 {
namespace {

using Indices = std::vector<unsigned>;

/// The vertices that faces use, numbered by first use.
void drop_unused(RigidMesh& mesh) {
    std::vector<std::uint32_t> number(mesh.vertices.size(), model::kNoIndex);
    std::vector<Vertex> vertices;
    std::vector<model::Vec3> places;
    for (MeshFace& face : mesh.faces) {
        for (std::uint32_t& v : face.vertices) {
            if (number[v] == model::kNoIndex) {
                number[v] = static_cast<std::uint32_t>(vertices.size());
                vertices.push_back(mesh.vertices[v]);
                places.push_back(mesh.places[v]);
            }
            v = number[v];
        }
    }
    mesh.vertices = std::move(vertices);
    mesh.places = std::move(places);
}

}  // namespace

double decimate(RigidMesh& mesh, std::size_t triangles) {
    const std::size_t before = mesh.faces.size();
    if (before <= triangles) {
        return 0;
    }
    std::vector<float> positions;
    for (const model::Vec3& p : mesh.places) {
        for (const double c : {p.x, p.y, p.z}) {
            positions.push_back(static_cast<float>(c));
        }
    }
    std::map<std::pair<std::uint8_t, std::uint8_t>, Indices> groups;   // by slot and flags
    for (const MeshFace& face : mesh.faces) {
        Indices& indices = groups[{face.texture, face.flags}];
        indices.insert(indices.end(), face.vertices.begin(), face.vertices.end());
    }
    constexpr std::size_t kStride = 3 * sizeof(float);
    const double size = static_cast<double>(meshopt_simplifyScale(positions.data(), mesh.places.size(), kStride));
    const unsigned how = groups.size() > 1 ? static_cast<unsigned>(meshopt_SimplifyLockBorder) : 0u;
    double moved = 0;
    mesh.faces.clear();
    for (const auto& [look, indices] : groups) {
        const std::size_t target = 3 * (indices.size() / 3 * triangles / before);
        Indices out(indices.size());
        float error = 0;
        out.resize(meshopt_simplify(out.data(), indices.data(), indices.size(), positions.data(), mesh.places.size(), kStride, target,
                                    std::numeric_limits<float>::max(), how, &error));
        moved = std::max(moved, static_cast<double>(error) * size);
        for (std::size_t i = 0; i + 2 < out.size(); i += 3) {
            mesh.faces.push_back({{out[i], out[i + 1], out[i + 2]}, look.first, look.second});
        }
    }
    drop_unused(mesh);
    return moved;
}

}  // namespace gomkit::ps1
