#include <algorithm>
#include <map>

#include "export_parts.hpp"

namespace gomkit::mv1 {
namespace {

using model::Mat4;
using model::Vec3;

Mat4 from_matrix(const Export& ex, const Mat4& m) {
    Mat4 out = ex.from_space(m);
    const Vec3 t = ex.from_point({m.m[12], m.m[13], m.m[14]});
    out.m[12] = t.x;
    out.m[13] = t.y;
    out.m[14] = t.z;
    return out;
}

// Whether some point follows no bone.
bool has_loose_points(const model::Mesh& mesh) {
    const model::Skin& skin = *mesh.skin;
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
        if (std::none_of(skin.influences.begin() + skin.first[p], skin.influences.begin() + skin.first[p + 1], is_usable)) {
            return true;
        }
    }
    return false;
}

}  // namespace

Mat4 skin_placement(const model::MeshInstance& instance) {
    Mat4 inverse;
    return inverse_affine(instance.geometry_to_node, inverse) ? instance.geometry_to_node : Mat4{};
}

void export_skin_bones(Export& ex) {
    struct Key {
        std::uint32_t frame;
        std::array<float, 12> matrix;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, std::uint32_t> bones;
    const auto key_of = [&](std::uint32_t frame, const Mat4& matrix) {
        const Mat4 m = from_matrix(ex, matrix);
        Key key{frame, {}};
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 4; ++c) {
                key.matrix[4 * r + c] = to_float(m.m[4 * c + r]);
            }
        }
        return key;
    };
    const auto each = [&](auto&& visit) {
        for (std::uint32_t i = 0; i < ex.sources.size(); ++i) {
            for (const std::uint32_t number : ex.sources[i].instances) {
                const model::MeshInstance& instance = ex.model.instances[number];
                const model::Mesh& mesh = ex.model.meshes[instance.mesh.value];
                if (!is_skinned(mesh)) {
                    continue;
                }
                Mat4 back;
                static_cast<void>(inverse_affine(skin_placement(instance), back));   // a placement always has one
                for (const model::Cluster& cluster : mesh.skin->clusters) {
                    visit(number, key_of(ex.frame_of[cluster.bone.value], back * cluster.geometry_to_bone));
                }
                if (has_loose_points(mesh)) {
                    visit(number, key_of(i, Mat4{}));
                }
            }
        }
    };
    each([&](std::uint32_t, const Key& key) { bones.try_emplace(key, 0); });
    ex.links.frame_skin_bones.assign(ex.sources.size(), {});
    for (auto& [key, number] : bones) {
        number = static_cast<std::uint32_t>(ex.doc.skin_bones.size());
        SkinBone b;
        b.bone_frame = static_cast<std::int32_t>(key.frame);
        b.model_local = key.matrix;
        b.is_translate_only = 1;
        for (const std::size_t at : {0u, 1u, 2u, 4u, 5u, 6u, 8u, 9u, 10u}) {
            b.is_translate_only = key.matrix[at] == (at % 5 == 0 ? 1.f : 0.f) ? b.is_translate_only : 0;
        }
        Run& run = ex.links.frame_skin_bones[key.frame];
        run.first = run.count == 0 ? number : run.first;
        ++run.count;
        ex.doc.skin_bones.push_back(b);
        ex.links.skin_bone_driver.push_back(key.frame);
    }
    ex.bones_of_instance.resize(ex.model.instances.size());
    each([&](std::uint32_t instance, const Key& key) { ex.bones_of_instance[instance].push_back(bones.at(key)); });
}

}  // namespace gomkit::mv1
