#include <algorithm>

#include "decode.hpp"
#include "export.hpp"
#include "import.hpp"
#include "options.hpp"

namespace gomkit::mv1 {
namespace {

template <class T, class Same>
bool all_same(const T& a, const T& b, Same same) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool same_node(const model::Node& a, const model::Node& b) {
    return a.name == b.name && a.parent == b.parent && a.rest == b.rest && a.visible == b.visible;
}

template <class T>
bool same_layer(const model::Layer<T>& a, const model::Layer<T>& b) {
    return a.values == b.values && a.corner_index == b.corner_index;
}

bool same_skin(const model::Skin& a, const model::Skin& b) {
    return a.first == b.first &&
           all_same(a.clusters, b.clusters, [](const auto& x, const auto& y) { return x.bone == y.bone && x.geometry_to_bone == y.geometry_to_bone; }) &&
           all_same(a.influences, b.influences, [](const auto& x, const auto& y) { return x.cluster == y.cluster && x.weight == y.weight; });
}

bool same_morph(const model::MorphChannel& a, const model::MorphChannel& b) {
    return a.name == b.name && a.default_weight == b.default_weight &&
           all_same(a.shapes, b.shapes, [](const model::MorphShape& x, const model::MorphShape& y) {
               return x.name == y.name && x.weight == y.weight && x.points == y.points && x.offsets == y.offsets && x.normal_offsets == y.normal_offsets;
           });
}

bool same_mesh(const model::Mesh& a, const model::Mesh& b) {
    return a.points == b.points && a.corner_point == b.corner_point && a.polygon_first == b.polygon_first && a.polygon_material == b.polygon_material &&
           same_layer(a.normals, b.normals) && same_layer(a.tangents, b.tangents) && all_same(a.uvs, b.uvs, same_layer<model::Vec2>) &&
           all_same(a.colors, b.colors, same_layer<model::Vec4>) && a.skin.has_value() == b.skin.has_value() && (!a.skin || same_skin(*a.skin, *b.skin)) &&
           all_same(a.morphs, b.morphs, same_morph);
}

bool same_instance(const model::MeshInstance& a, const model::MeshInstance& b) {
    return a.mesh == b.mesh && a.node == b.node && a.geometry_to_node == b.geometry_to_node && a.materials == b.materials && a.visible == b.visible;
}

bool same_material(const model::Material& a, const model::Material& b) {
    return a.name == b.name && a.diffuse == b.diffuse && a.specular == b.specular && a.emissive == b.emissive && a.shininess == b.shininess &&
           a.opacity == b.opacity && a.double_sided == b.double_sided && a.textures == b.textures;
}

template <class T>
bool same_keys(const std::vector<model::Key<T>>& a, const std::vector<model::Key<T>>& b) {
    return all_same(a, b, [](const auto& x, const auto& y) { return x.time == y.time && x.value == y.value && x.step_end == y.step_end; });
}

bool same_clip(const model::Clip& a, const model::Clip& b) {
    return a.name == b.name && a.duration == b.duration && a.loop == b.loop && a.has_root_motion == b.has_root_motion && a.root == b.root &&
           all_same(a.tracks, b.tracks, [](const model::Track& x, const model::Track& y) {
               return x.node == y.node && same_keys(x.translation, y.translation) && same_keys(x.rotation, y.rotation) && same_keys(x.scale, y.scale);
           }) &&
           all_same(a.morph_tracks, b.morph_tracks, [](const model::MorphTrack& x, const model::MorphTrack& y) {
               return x.mesh == y.mesh && x.channel == y.channel && same_keys(x.keys, y.keys);
           });
}

}  // namespace

std::optional<Document> unchanged_document(const model::Model& model, const codec::WriteOptions& options) {
    if (!model.mv1 || !may_stay(options_of(options.format), options.normals)) {
        return std::nullopt;
    }
    Checked<Document> document = decode_buffer(model.mv1->buffer, options.limits);
    if (!document) {
        return std::nullopt;
    }
    core::Report unused;
    codec::ReadOptions how;
    how.limits = options.limits;
    const core::Result<model::Model> again = import(*document, how, unused);
    const bool same = again && all_same(model.nodes, again->nodes, same_node) && all_same(model.meshes, again->meshes, same_mesh) &&
                      all_same(model.instances, again->instances, same_instance) && all_same(model.materials, again->materials, same_material) &&
                      all_same(model.textures, again->textures, [](const auto& a, const auto& b) { return a.path == b.path; }) &&
                      all_same(model.clips, again->clips, same_clip);
    return same ? std::optional<Document>(std::move(*document)) : std::nullopt;
}

}  // namespace gomkit::mv1
