#include <algorithm>
#include <iterator>
#include <map>
#include <span>

#include <gomkit/core/lists.hpp>
#include <gomkit/runtime/math.hpp>

#include "diff_parts.hpp"
#include "diff_triangles.hpp"
#include "model_math.hpp"

namespace gomkit::kit {
namespace {

// Numbers for texts, the same for both sides.
class Names {
public:
    std::uint32_t of(const std::string& text) { return numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size())).first->second; }

private:
    std::map<std::string, std::uint32_t> numbers_;
};

template <class T>
T layer_value(const model::Layer<T>& layer, std::size_t corner) {
    return layer.exists() ? layer.values[layer.corner_index[corner]] : T{};
}

std::vector<std::pair<std::uint32_t, double>> weights_of(const DiffSide& side, const model::Skin& skin, std::uint32_t point, Names& bones) {
    std::map<std::uint32_t, double> sums;
    for (std::uint32_t i = skin.first[point]; i < skin.first[point + 1]; ++i) {
        if (skin.influences[i].weight != 0) {
            sums[bones.of(side.bone_path(skin.clusters[skin.influences[i].cluster].bone))] += skin.influences[i].weight;
        }
    }
    return {sums.begin(), sums.end()};
}

std::string shape_name(const model::MorphChannel& channel, std::size_t shape) { return channel.name + "/" + std::to_string(shape); }

// Names of the shapes that both meshes have, ascending; others are the channels' difference.
std::vector<std::string> common_shapes(const model::Mesh& a, const model::Mesh& b) {
    const auto names = [](const model::Mesh& mesh) {
        std::vector<std::string> list;
        for (const model::MorphChannel& channel : mesh.morphs) {
            for (std::size_t s = 0; s < channel.shapes.size(); ++s) {
                list.push_back(shape_name(channel, s));
            }
        }
        std::sort(list.begin(), list.end());
        return list;
    };
    const std::vector<std::string> na = names(a);
    const std::vector<std::string> nb = names(b);
    std::vector<std::string> out;
    std::set_intersection(na.begin(), na.end(), nb.begin(), nb.end(), std::back_inserter(out));
    return out;
}

// What shapes of a mesh do to its points.
class Shapes {
public:
    Shapes(const model::Mesh& mesh, std::span<const std::string> names)
        : entries_(mesh.points.size(), [&](const auto& visit) {
              for (const model::MorphChannel& channel : mesh.morphs) {
                  for (std::size_t s = 0; s < channel.shapes.size(); ++s) {
                      const std::string own = shape_name(channel, s);
                      const auto name = std::lower_bound(names.begin(), names.end(), own);
                      const bool wanted = name != names.end() && *name == own;
                      for (std::size_t i = 0; wanted && i < channel.shapes[s].points.size(); ++i) {
                          visit(channel.shapes[s].points[i], Entry{static_cast<std::uint32_t>(name - names.begin()), &channel.shapes[s], i});
                      }
                  }
              }
          }) {}

    // Of a point with that normal, in model space; by number.
    std::vector<std::pair<std::uint32_t, double>> of(std::uint32_t point, const model::Vec3& normal, const model::Mat4& place,
                                                     const model::Mat4& normal_matrix) const {
        std::vector<std::pair<std::uint32_t, double>> out;
        const auto turned = [&](const model::Vec3& n) { return runtime::normalized(runtime::transform_vector(n, normal_matrix)); };
        for (const Entry& entry : entries_.of(point)) {
            const model::Vec3 p = runtime::transform_vector(entry.shape->offsets[entry.index], place);
            model::Vec3 n;
            if (!entry.shape->normal_offsets.empty()) {
                n = turned(normal + entry.shape->normal_offsets[entry.index]) - turned(normal);
            }
            std::uint32_t key = 6 * entry.number;
            for (const double v : {p.x, p.y, p.z, n.x, n.y, n.z}) {
                if (v != 0) {
                    out.emplace_back(key, v);
                }
                ++key;
            }
        }
        std::sort(out.begin(), out.end());
        return out;
    }

private:
    struct Entry {
        std::uint32_t number = 0;
        const model::MorphShape* shape = nullptr;
        std::size_t index = 0;   // in the shape
    };
    core::Lists<Entry> entries_;   // by point
};

// A mesh's triangles in model space at bind, so that it does not matter how its placement is stored.
DiffSoup soup_of(const DiffSide& side, const model::MeshInstance& instance, Names& bones, Names& materials,
                 std::span<const std::string> common) {
    const model::Mesh& mesh = side.model.meshes[instance.mesh.value];
    const model::Mat4 place = placement(side.model, instance, side.binds);
    const double sign = runtime::determinant3(place) < 0 ? -1.0 : 1.0;
    model::Mat4 normal_matrix = runtime::cofactor3(place);
    for (double& v : normal_matrix.m) {
        v *= sign;
    }
    const Shapes shapes(mesh, common);
    DiffSoup soup;
    soup.corners.reserve(mesh.corner_point.size());
    for (std::size_t c = 0; c < mesh.corner_point.size(); ++c) {
        const std::uint32_t point = mesh.corner_point[c];
        DiffCorner corner;
        const model::Vec3 p = runtime::transform_point(mesh.points[point], place);
        const model::Vec3 n = runtime::normalized(runtime::transform_vector(layer_value(mesh.normals, c), normal_matrix));
        const model::Vec4 t = layer_value(mesh.tangents, c);
        const model::Vec3 t3 = runtime::normalized(runtime::transform_vector(model::Vec3{t.x, t.y, t.z}, place));
        const model::Vec2 uv = mesh.uvs.empty() ? model::Vec2{} : layer_value(mesh.uvs.front(), c);
        corner.position = {p.x, p.y, p.z};
        corner.normal = {n.x, n.y, n.z};
        corner.tangent = {t3.x, t3.y, t3.z, t.w * sign};
        corner.uv = {uv.x, uv.y};
        if (mesh.skin) {
            corner.weights = weights_of(side, *mesh.skin, point, bones);
        }
        corner.shapes = shapes.of(point, layer_value(mesh.normals, c), place, normal_matrix);
        soup.corners.push_back(std::move(corner));
    }
    for (std::size_t polygon = 0; polygon < mesh.polygon_count(); ++polygon) {
        const std::uint32_t slot = mesh.polygon_material.empty() ? 0 : mesh.polygon_material[polygon];
        const model::MaterialId id = slot < instance.materials.size() ? instance.materials[slot] : model::MaterialId{};
        const std::uint32_t material = materials.of(material_name(side.model, id));
        const std::uint32_t first = mesh.polygon_first[polygon];
        for (std::uint32_t c = first + 2; c < mesh.polygon_first[polygon + 1]; ++c) {
            soup.triangles.push_back({{first, c - 1, c}, material});
        }
    }
    return soup;
}

std::vector<std::string> cluster_paths(const DiffSide& side, const model::Mesh& mesh) {
    std::vector<std::string> list;
    if (mesh.skin) {
        for (const model::Cluster& cluster : mesh.skin->clusters) {
            list.push_back(side.bone_path(cluster.bone));
        }
    }
    return list;
}

void diff_soups(const std::string& place, const DiffSoup& a, const DiffSoup& b, Differences& out) {
    const SoupDifference found = compare_triangles(a, b, out.tolerance());
    const auto some = [](std::uint64_t n) { return std::to_string(n) + (n == 1 ? " triangle" : " triangles"); };
    if (found.only_in_a != 0) {
        out.add(place, some(found.only_in_a) + " only in A (of " + std::to_string(a.triangles.size()) + ")");
    }
    if (found.only_in_b != 0) {
        out.add(place, some(found.only_in_b) + " only in B (of " + std::to_string(b.triangles.size()) + ")");
    }
    for (const SoupDifference::Attribute& attribute : found.attributes) {
        if (attribute.triangles == 0) {
            continue;
        }
        std::string what = "differ at " + some(attribute.triangles);
        if (attribute.name != std::string_view("materials")) {
            what += ", most by " + core::number_text(attribute.largest);
        }
        out.add(place + "." + attribute.name, std::move(what));
    }
}

void diff_mesh(const std::string& place, const DiffSide& a, const model::MeshInstance& ia, const DiffSide& b, const model::MeshInstance& ib,
               Differences& out) {
    const model::Mesh& ma = a.model.meshes[ia.mesh.value];
    const model::Mesh& mb = b.model.meshes[ib.mesh.value];
    out.count(place + ".vertexCount", ma.points.size(), mb.points.size());
    Names bones;
    Names materials;
    const std::vector<std::string> shapes = common_shapes(ma, mb);
    diff_soups(place, soup_of(a, ia, bones, materials, shapes), soup_of(b, ib, bones, materials, shapes), out);
    diff_morphs(place, a, ia, b, ib, out);
    if (ma.skin.has_value() != mb.skin.has_value()) {
        out.add(place + ".skin", ma.skin ? "only in A" : "only in B");
        return;
    }
    for (const Pair& pair : pair_up(cluster_paths(a, ma), cluster_paths(b, mb))) {
        if (pair.a >= 0 && pair.b >= 0) {  // bones without a partner are the skeleton's difference
            out.matrix(place + ".inverseBind[" + pair.name + "]", ma.skin->clusters[static_cast<std::size_t>(pair.a)].geometry_to_bone,
                       mb.skin->clusters[static_cast<std::size_t>(pair.b)].geometry_to_bone);
        }
    }
}

}  // namespace

void diff_meshes(const DiffSide& a, const DiffSide& b, Differences& out) {
    const auto names = [](const model::Model& model) {
        std::vector<std::string> list;
        for (const model::MeshInstance& instance : model.instances) {
            list.push_back(instance.name);
        }
        return list;
    };
    for (const Pair& pair : pair_up(names(a.model), names(b.model))) {
        const std::string place = "mesh[" + pair.name + "]";
        if (pair.a < 0 || pair.b < 0) {
            out.only_in(pair.a < 0 ? 'B' : 'A', place);
            continue;
        }
        diff_mesh(place, a, a.model.instances[static_cast<std::size_t>(pair.a)], b, b.model.instances[static_cast<std::size_t>(pair.b)], out);
    }
}

}  // namespace gomkit::kit
