#include <gomkit/model/same.hpp>

#include <algorithm>

namespace gomkit::model {
namespace {

template <class List, class Equal>
bool all_same(const List& a, const List& b, Equal equal) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

template <class T>
bool same(const Layer<T>& a, const Layer<T>& b) {
    return a.values == b.values && a.corner_index == b.corner_index;
}

bool same(const Mesh& a, const Mesh& b) {
    return a.points == b.points && a.corner_point == b.corner_point && a.polygon_first == b.polygon_first && a.polygon_material == b.polygon_material &&
           same(a.normals, b.normals) && same(a.tangents, b.tangents) && all_same(a.colors, b.colors, [](const auto& x, const auto& y) { return same(x, y); }) &&
           all_same(a.uvs, b.uvs, [](const auto& x, const auto& y) { return same(x, y); }) && a.skin == b.skin;
}

bool same(const Material& a, const Material& b) {
    return a.textures == b.textures && a.diffuse == b.diffuse && a.specular == b.specular && a.emissive == b.emissive && a.shininess == b.shininess &&
           a.opacity == b.opacity && a.double_sided == b.double_sided && a.unlit == b.unlit && a.alpha_blend == b.alpha_blend &&
           a.km3_draw_flags == b.km3_draw_flags;
}

bool same(const Clip& a, const Clip& b) {
    return a.name == b.name && a.duration == b.duration && a.root == b.root && a.has_root_motion == b.has_root_motion && a.loop == b.loop &&
           a.tracks == b.tracks;
}

}  // namespace

bool means_the_same(const Model& a, const Model& b) {
    return a.textures.size() == b.textures.size() &&
           all_same(a.nodes, b.nodes, [](const Node& x, const Node& y) { return x.parent == y.parent && x.rest == y.rest && x.bind_local == y.bind_local; }) &&
           all_same(a.meshes, b.meshes, [](const Mesh& x, const Mesh& y) { return same(x, y); }) &&
           all_same(a.instances, b.instances, [](const MeshInstance& x, const MeshInstance& y) {
               return x.mesh == y.mesh && x.node == y.node && x.geometry_to_node == y.geometry_to_node && x.materials == y.materials;
           }) &&
           all_same(a.materials, b.materials, [](const Material& x, const Material& y) { return same(x, y); }) &&
           all_same(a.clips, b.clips, [](const Clip& x, const Clip& y) { return same(x, y); });
}

}  // namespace gomkit::model
