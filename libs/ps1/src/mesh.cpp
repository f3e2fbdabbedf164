#include "mesh.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "layout.hpp"
#include "quantise.hpp"

namespace gomkit::ps1 {
namespace {

using model::Vec2;
using model::Vec3;

constexpr double kHalfTexel = 0.5 / 255;

bool on_page(const Vec2& uv) {
    const auto inside = [](double t) { return t >= -kHalfTexel && t <= 1 + kHalfTexel; };
    return inside(uv.x) && inside(uv.y);
}

class MeshMaker {
public:
    MeshMaker(const model::Model& model, const Rig& rig, const std::vector<std::uint8_t>& slots, double unit)
        : model_(model), rig_(rig), slots_(slots), unit_(unit) {}

    RigidMesh run() {
        for (const RigTriangle& triangle : rig_.triangles) {
            const auto place = [&](std::size_t k) { return rig_.points.image[triangle.points[k]]; };
            MeshFace face;
            Vec3 outward;
            for (std::size_t k = 0; k < 3; ++k) {
                face.vertices[k] = vertex(triangle, k);
                outward += triangle.normals[k];
            }
            // A PS1M's front is what its corners say.
            if (!model_.ps1 && dot(cross(place(1) - place(0), place(2) - place(0)), outward) < 0) {
                std::swap(face.vertices[1], face.vertices[2]);
                ++out_.turned;
            }
            const bool has_material = triangle.material.valid();
            face.texture = slots_[has_material ? triangle.material.value : model_.materials.size()];
            face.flags = has_material && model_.materials[triangle.material.value].double_sided ? layout::kDoubleSided : std::uint8_t{0};
            out_.faces.push_back(face);
        }
        return std::move(out_);
    }

private:
    std::uint32_t vertex(const RigTriangle& triangle, std::size_t k) {
        const std::uint32_t p = triangle.points[k];
        const model::Mat4& to_bone = rig_.bones[rig_.points.bone[p]].to_bone;
        Vertex v;
        v.bone = static_cast<std::uint8_t>(rig_.points.bone[p]);
        v.position = to_file(transform_point(rig_.points.image[p], to_bone), unit_);
        v.normal = to_file(normalized(transform_vector(triangle.normals[k], to_bone)), kUnit);
        v.u = uv8(triangle.uvs[k].x);
        v.v = uv8(triangle.uvs[k].y);
        const auto [at, fresh] = welded_.try_emplace({v.bone, v.position, v.normal, v.u, v.v}, static_cast<std::uint32_t>(out_.vertices.size()));
        if (fresh) {
            out_.vertices.push_back(v);
            out_.places.push_back(rig_.points.image[p]);
            out_.beyond_page += on_page(triangle.uvs[k]) ? 0u : 1u;
        }
        return at->second;
    }

    const model::Model& model_;
    const Rig& rig_;
    const std::vector<std::uint8_t>& slots_;
    double unit_;
    RigidMesh out_;
    std::map<std::tuple<std::uint8_t, Vec3s16, Vec3s16, std::uint8_t, std::uint8_t>, std::uint32_t> welded_;
};

}  // namespace

RigidMesh make_mesh(const model::Model& model, const Rig& rig, const std::vector<std::uint8_t>& slots, double unit) {
    return MeshMaker(model, rig, slots, unit).run();
}

void write_mesh(const RigidMesh& mesh, const Rig& rig, bool compat, Document& document) {
    std::vector<std::uint32_t> order(mesh.vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return mesh.vertices[a].bone < mesh.vertices[b].bone; });
    std::vector<std::uint16_t> number(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        number[order[i]] = static_cast<std::uint16_t>(i);
        document.vertices.push_back(mesh.vertices[order[i]]);
    }
    for (const MeshFace& face : mesh.faces) {
        Triangle t;
        std::array<std::uint8_t, 3> bones{};
        for (std::size_t k = 0; k < 3; ++k) {
            t.vertices[k] = number[face.vertices[k]];
            bones[k] = mesh.vertices[face.vertices[k]].bone;
        }
        const auto place = [&](std::size_t k) { return mesh.places[face.vertices[k]]; };
        t.bone = face_bone(bones);
        t.texture = face.texture;
        t.flags = face.flags;
        const Vec3 normal = transform_vector(normalized(cross(place(1) - place(0), place(2) - place(0))), rig.bones[t.bone].to_bone);
        t.normal = to_file(compat ? normal : normalized(normal), kUnit);
        document.triangles.push_back(t);
    }
    std::stable_sort(document.triangles.begin(), document.triangles.end(), [](const Triangle& a, const Triangle& b) { return a.bone < b.bone; });
}

}  // namespace gomkit::ps1
