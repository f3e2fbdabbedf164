#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <gomkit/core/reader.hpp>
#include <gomkit/pass/bound_mesh.hpp>
#include <gomkit/pass/normals.hpp>
#include <gomkit/pass/triangulate.hpp>

#include "blobs.hpp"
#include "export_parts.hpp"
#include "export_shape.hpp"

namespace gomkit::mv1 {
namespace {

using core::Code;
using model::Mat4;
using model::Vec3;

constexpr std::size_t kListBones = 54;
constexpr std::size_t kListIndices = 65500 / 3 * 3;
constexpr std::size_t kListVertices = 65535;
constexpr std::size_t kPaletteSlots = 0xFFFF;   // as a weight's slot this is the end

// How many values or vertices of one point are looked at for an equal one.
constexpr std::uint32_t kWeldSearch = 256;

// Values at corners, equal ones of one point told once.
template <std::size_t N>
struct Welded {
    std::vector<std::array<float, N>> values;
    std::vector<std::uint32_t> of_corner;
};

template <std::size_t N, class Value>
Welded<N> weld(const model::Mesh& mesh, Value value_of_corner) {
    Welded<N> out;
    std::vector<std::uint32_t> first(mesh.points.size(), kNone);
    std::vector<std::uint32_t> next;
    out.of_corner.reserve(mesh.corner_point.size());
    for (std::uint32_t c = 0; c < mesh.corner_point.size(); ++c) {
        const std::array<float, N> value = value_of_corner(c);
        std::uint32_t& head = first[mesh.corner_point[c]];
        std::uint32_t i = head;
        for (std::uint32_t k = 0; i != kNone && out.values[i] != value; ++k) {
            i = k < kWeldSearch ? next[i] : kNone;
        }
        if (i == kNone) {
            i = static_cast<std::uint32_t>(out.values.size());
            out.values.push_back(value);
            next.push_back(std::exchange(head, i));
        }
        out.of_corner.push_back(i);
    }
    return out;
}

// Everything that makes one vertex of a mesh.
struct VertexKey {
    std::uint32_t point = 0;
    std::uint32_t normal = 0;
    std::array<std::uint32_t, 3> layers{};      ///< up to two UV sets, a colour
    auto operator<=>(const VertexKey&) const = default;
};

// A weight as it is stored.
struct StoredWeight {
    std::uint16_t slot = 0;
    std::uint16_t value = 0;
};

// The vertices of all that is drawn in one frame, and its meshes.
class FrameMeshes {
public:
    FrameMeshes(Export& ex, std::uint32_t frame) : ex_(ex), d_(ex.doc), l_(ex.links), frame_(frame), shapes_(ex, frame) {}

    core::Result<void> run() {
        std::vector<Part> parts;
        for (const std::uint32_t number : ex_.sources[frame_].instances) {
            const model::MeshInstance& instance = ex_.model.instances[number];
            if (ex_.model.meshes[instance.mesh.value].polygon_count() == 0) {
                ex_.report.add(core::IssueId::MESH_EMPTY, core::Place{{}, instance.name, std::nullopt, std::nullopt});
                continue;
            }
            parts.push_back(make_part(number));
            if (slot_of_bone_.size() > kPaletteSlots) {
                return core::fail(Code::LimitExceeded, {}, "mesh '" + parts.back().instance->name + "' has too many bones",
                                  std::to_string(slot_of_bone_.size()), "at most " + std::to_string(kPaletteSlots), "split the mesh");
            }
        }
        write_vertices();
        for (Part& part : parts) {
            add_meshes(part);
            pass::report_bound(*part.instance, part.stats, part.findings, ex_.report);
        }
        shapes_.finish();
        return {};
    }

private:
    struct Part {
        std::uint32_t number = 0;   ///< of the instance
        const model::MeshInstance* instance = nullptr;
        const model::Mesh* mesh = nullptr;
        bool skinned = false;
        bool own_normals = false;
        bool mirrored = false;
        Mat4 place;
        std::uint32_t first_point = 0;
        std::uint32_t first_normal = 0;
        Welded<3> normals;
        pass::BoundTriangleStats stats;
        pass::BoundFindings findings;
    };

    Part make_part(std::uint32_t number) {
        Part part;
        part.number = number;
        part.instance = &ex_.model.instances[number];
        part.mesh = &ex_.model.meshes[part.instance->mesh.value];
        const model::Mesh& mesh = *part.mesh;
        part.skinned = is_skinned(mesh);
        part.place = part.skinned ? skin_placement(*part.instance) : part.instance->geometry_to_node;
        part.first_point = static_cast<std::uint32_t>(positions_.size());
        part.first_normal = static_cast<std::uint32_t>(normals_.size());
        for (const Vec3& p : mesh.points) {
            positions_.push_back(to_floats(ex_.from_point(runtime::transform_point(p, part.place))));
        }
        weight_first_.resize(part.first_point);
        if (part.skinned) {
            part.findings.unweighted = add_weights(mesh, ex_.bones_of_instance[number]);
            const model::NodeId node = ex_.sources[frame_].node;
            part.findings.bone = node.valid() ? ex_.model.nodes[node.value].name : part.instance->name;
        }
        weight_first_.resize(positions_.size() + 1, static_cast<std::uint32_t>(weights_.size()));
        // Normals: the mesh's own layer, or one a corner.
        part.own_normals = mesh.normals.exists() && ex_.options.normals == pass::NormalMode::Keep;
        part.stats.normals_generated = !part.own_normals;
        const std::vector<Vec3> made = part.own_normals ? std::vector<Vec3>{} : pass::generate_normals(mesh);
        const Mat4 cofactors = cofactor3(part.place);
        const double sign = determinant3(part.place) < 0 ? -1 : 1;
        part.mirrored = sign < 0 && !part.skinned;
        part.normals = weld<3>(mesh, [&](std::uint32_t c) {
            const Vec3& normal = part.own_normals ? mesh.normals.values[mesh.normals.corner_index[c]] : made[c];
            return to_floats(ex_.from_space(normalized(runtime::transform_vector(normal, cofactors) * sign)));
        });
        normals_.insert(normals_.end(), part.normals.values.begin(), part.normals.values.end());
        return part;
    }

    // Weights are whole numbers whose sum is that of a weight of 1, the largest comes first. Gives the number of points that have none.
    std::uint64_t add_weights(const model::Mesh& mesh, const std::vector<std::uint32_t>& bones) {
        const std::uint32_t whole = ex_.own.packs_weights ? 255 : 65535;
        std::vector<std::uint16_t> slots;
        for (const std::uint32_t bone : bones) {
            const auto [it, added] = slot_of_bone_.try_emplace(bone, static_cast<std::uint16_t>(slot_of_bone_.size()));
            if (added) {
                l_.palette.push_back(bone);
            }
            slots.push_back(it->second);
        }
        const model::Skin& skin = *mesh.skin;
        std::vector<std::pair<double, std::uint32_t>> sorted;
        std::map<std::uint16_t, double> sums;
        std::uint64_t unweighted = 0;
        for (std::size_t p = 0; p < mesh.points.size(); ++p) {
            sums.clear();
            double total = 0;
            for (std::uint32_t i = skin.first[p]; i < skin.first[p + 1]; ++i) {
                const model::Influence& in = skin.influences[i];
                if (is_usable(in)) {
                    sums[slots[in.cluster]] += in.weight;
                    total += in.weight;
                }
            }
            unweighted += sums.empty() ? 1u : 0u;
            sorted.clear();
            for (const auto& [slot, weight] : sums) {
                if (std::floor(weight / total * whole) >= 1) {
                    sorted.emplace_back(-weight, slot);
                }
            }
            std::sort(sorted.begin(), sorted.end());
            if (sorted.empty()) {
                // Its own frame, or one of bones so many that each has next to nothing.
                sorted.emplace_back(-1, sums.empty() ? slots[skin.clusters.size()] : sums.begin()->first);
            }
            weight_first_.push_back(static_cast<std::uint32_t>(weights_.size()));
            std::uint32_t left = whole;
            for (std::size_t k = 0; k < sorted.size(); ++k) {
                // The loader gives the last one what is missing.
                const auto value = k + 1 == sorted.size() ? left : static_cast<std::uint32_t>(std::floor(-sorted[k].first / total * whole + 0.5));
                const std::uint32_t taken = std::min(value, left);
                if (taken == 0 && k > 0) {
                    break;   // nothing was left for it
                }
                weights_.push_back({static_cast<std::uint16_t>(sorted[k].second), static_cast<std::uint16_t>(taken)});
                left -= taken;
            }
            if (ex_.own.packs_weights) {
                const std::span<const StoredWeight> stored = std::span(weights_).subspan(weight_first_.back());
                for (const auto& [slot, weight] : sums) {
                    const auto it = std::find_if(stored.begin(), stored.end(), [wanted = slot](const StoredWeight& w) { return w.slot == wanted; });
                    ex_.packing.weights.add(std::fabs((it == stored.end() ? 0.0 : static_cast<double>(it->value) / whole) - weight / total));
                }
            }
            most_ = std::max(most_, weights_.size() - weight_first_.back());
        }
        return unweighted;
    }

    [[nodiscard]] std::span<const StoredWeight> weights_of(std::uint32_t point) const {
        return std::span(weights_).subspan(weight_first_[point], weight_first_[point + 1] - weight_first_[point]);
    }

    void write_vertices() {
        Frame& f = d_.frames[frame_];
        const bool skinned = !slot_of_bone_.empty();
        const bool wide_bones = slot_of_bone_.size() > 255;
        if (skinned) {
            const auto count = static_cast<std::uint32_t>(slot_of_bone_.size());
            l_.frame_palette[frame_] = {static_cast<std::uint32_t>(l_.palette.size()) - count, count};
        }
        f.max_bone_blend_num = static_cast<std::uint16_t>(most_ == 0 ? 0 : most_ <= 4 ? 4 : most_ <= 8 ? 8 : most_);
        f.position_num = static_cast<std::int32_t>(positions_.size());
        f.normal_num = static_cast<std::int32_t>(normals_.size());
        const bool small_weights = ex_.own.packs_weights;
        const bool packs_normals = ex_.own.normals != NormalType::F32;
        f.vert_flag = static_cast<std::uint16_t>(static_cast<unsigned>(ex_.own.normals) | (ex_.own.packs_positions ? 0x04u : 0u) | (skinned ? 0u : 0x08u) |
                                                 (wide_bones ? 0x10u : 0u) | (skinned && !small_weights ? 0x20u : 0u));
        f.auto_create_normal = 1;
        core::Writer block;
        const auto put_all = [&](const std::vector<std::array<float, 3>>& values) {
            for (const std::array<float, 3>& value : values) {
                for (const float v : value) {
                    block.f32(v);
                }
            }
        };
        ex_.own.packs_positions ? put_positions(block, positions_) : put_all(positions_);
        for (std::uint32_t p = 0; skinned && p < positions_.size(); ++p) {
            const std::span<const StoredWeight> list = weights_of(p);
            for (const StoredWeight& w : list) {
                wide_bones ? block.u16(w.slot) : block.put(static_cast<std::uint8_t>(w.slot));
                small_weights ? block.put(static_cast<std::uint8_t>(w.value)) : block.u16(w.value);
            }
            if (list.size() < f.max_bone_blend_num) {
                wide_bones ? block.u16(0xFFFF) : block.put(std::uint8_t{0xFF});
            }
        }
        packs_normals ? put_normals(block, normals_, ex_.own.normals) : put_all(normals_);
        f.blob = block.take();
        if (ex_.own.packs_positions || packs_normals) {
            measure(f);
        }
    }

    // How far a reader is from what was meant.
    void measure(const Frame& f) {
        FrameVertices read;
        static_cast<void>(read_frame_blob(f, f.blob, &read));
        const auto vec = [](const auto& v) { return Vec3{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])}; };
        for (std::size_t i = 0; ex_.own.packs_positions && i < positions_.size(); ++i) {
            ex_.packing.positions.add(length(vec(read.positions[i]) - vec(positions_[i])) * ex_.unit);
        }
        for (std::size_t i = 0; ex_.own.normals != NormalType::F32 && i < normals_.size(); ++i) {
            const Vec3 a = vec(read.normals[i]);
            const Vec3 b = vec(normals_[i]);
            ex_.packing.normals.add(runtime::exact::atan2(length(cross(a, b)), dot(a, b)) * kDegrees);
        }
    }

    // One mesh for each material slot in use.
    void add_meshes(Part& part) {
        const model::Mesh& mesh = *part.mesh;
        std::map<std::uint32_t, std::vector<std::uint32_t>> corners_of_slot;
        std::vector<std::uint32_t> cut;
        for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
            const std::uint32_t first = mesh.polygon_first[p];
            cut.clear();
            const bool good = pass::triangulate(mesh.points, std::span(mesh.corner_point).subspan(first, mesh.polygon_first[p + 1] - first), cut);
            part.stats.bad_polygons += good ? 0u : 1u;
            std::vector<std::uint32_t>& to = corners_of_slot[mesh.polygon_material.empty() ? 0 : mesh.polygon_material[p]];
            for (std::size_t k = 0; k + 2 < cut.size(); k += 3) {
                to.push_back(first + cut[k]);
                to.push_back(first + cut[k + (part.mirrored ? 2 : 1)]);
                to.push_back(first + cut[k + (part.mirrored ? 1 : 2)]);
            }
        }
        Layers layers;
        layers.sets = std::min<std::size_t>(mesh.uvs.size(), 2);
        ex_.lost_uv_sets += mesh.uvs.size() - layers.sets;
        ex_.lost_color_sets += mesh.colors.size() > 1 ? mesh.colors.size() - 1 : 0;
        layers.colored = !mesh.colors.empty();
        for (std::size_t s = 0; s < layers.sets; ++s) {
            layers.uvs[s] = weld<2>(mesh, [&](std::uint32_t c) {
                const model::Vec2& uv = mesh.uvs[s].values[mesh.uvs[s].corner_index[c]];
                return std::array<float, 2>{to_float(uv.x), to_float(uv.y)};
            });
        }
        if (layers.colored) {
            layers.colors = weld<4>(mesh, [&](std::uint32_t c) {
                const model::Vec4& v = mesh.colors[0].values[mesh.colors[0].corner_index[c]];
                return std::array<float, 4>{to_float(v.x), to_float(v.y), to_float(v.z), to_float(v.w)};
            });
        }
        std::vector<std::uint32_t> first_of_point(mesh.points.size(), kNone);
        for (const auto& [slot, corners] : corners_of_slot) {
            add_mesh(part, layers, slot, corners, first_of_point);
        }
    }

    struct Layers {
        std::size_t sets = 0;
        bool colored = false;
        std::array<Welded<2>, 2> uvs;
        Welded<4> colors;
    };

    // `first_of_point` is all kNone before and after.
    void add_mesh(const Part& part, const Layers& layers, std::uint32_t slot, const std::vector<std::uint32_t>& corners,
                  std::vector<std::uint32_t>& first_of_point) {
        const model::Mesh& mesh = *part.mesh;
        std::vector<VertexKey> vertices;
        std::vector<ShapedVertex> shaped;
        std::vector<std::uint32_t> next;   // vertex of the same point
        std::vector<std::uint32_t> indices;
        for (const std::uint32_t c : corners) {
            VertexKey key;
            key.point = mesh.corner_point[c];
            key.normal = part.normals.of_corner[c];
            for (std::size_t s = 0; s < layers.sets; ++s) {
                key.layers[s] = layers.uvs[s].of_corner[c];
            }
            key.layers[2] = layers.colored ? layers.colors.of_corner[c] : 0;
            std::uint32_t v = first_of_point[key.point];
            for (std::uint32_t k = 0; v != kNone && vertices[v] != key; ++k) {
                v = k < kWeldSearch ? next[v] : kNone;
            }
            if (v == kNone) {
                v = static_cast<std::uint32_t>(vertices.size());
                vertices.push_back(key);
                next.push_back(std::exchange(first_of_point[key.point], v));
                if (!mesh.morphs.empty()) {
                    shaped.push_back({key.point, c});
                }
            }
            indices.push_back(v);
        }
        for (VertexKey& v : vertices) {
            first_of_point[v.point] = kNone;
            v.point += part.first_point;
            v.normal += part.first_normal;
        }
        const model::MeshInstance& instance = *part.instance;
        Mesh out;
        out.visible = instance.visible ? 1 : 0;
        out.uv_set_num = static_cast<std::uint8_t>(layers.sets);
        out.vertex_num = static_cast<std::int32_t>(vertices.size());
        out.use_diffuse_color = layers.colored ? 1 : 0;
        const std::uint32_t position_type = index_type(positions_.size());
        const std::uint32_t normal_type = index_type(normals_.size());
        out.vert_flag = static_cast<std::int32_t>(position_type | normal_type << 2 | (layers.colored ? 0u : 0x20u) | 0x40u);
        const model::MaterialId material = slot < instance.materials.size() ? instance.materials[slot] : model::MaterialId{};
        ex_.default_material = ex_.default_material || !material.valid();
        const model::Material plain = material.valid() ? ex_.model.materials[material.value] : model::Material{};
        out.back_culling = plain.double_sided ? 0 : 1;
        core::Writer block;
        const auto color = [&](const model::Vec4& c) {
            for (const double v : {c.z, c.y, c.x, c.w}) {
                block.put(static_cast<std::uint8_t>(std::clamp(v, 0.0, 1.0) * 255 + 0.5));
            }
        };
        const auto shown = [&](const model::Vec4& diffuse) {
            color(diffuse);
            const Vec3 s = material.valid() ? plain.specular : Vec3{0, 0, 0};
            color({s.x, s.y, s.z, 1});
        };
        if (!layers.colored) {
            shown({plain.diffuse.x, plain.diffuse.y, plain.diffuse.z, plain.opacity});
        }
        for (const VertexKey& v : vertices) {
            put_index(block, position_type, v.point);
        }
        for (const VertexKey& v : vertices) {
            put_index(block, normal_type, v.normal);
        }
        for (std::size_t v = 0; layers.colored && v < vertices.size(); ++v) {
            const std::array<float, 4>& c = layers.colors.values[vertices[v].layers[2]];
            out.not_one_diffuse_alpha = c[3] < 1 ? 1 : out.not_one_diffuse_alpha;
            shown({wide(c[0]), wide(c[1]), wide(c[2]), wide(c[3])});
        }
        for (const VertexKey& v : vertices) {
            for (std::size_t s = 0; s < layers.sets; ++s) {
                block.f32(layers.uvs[s].values[v.layers[s]][0]);
                block.f32(layers.uvs[s].values[v.layers[s]][1]);
            }
        }
        block.zeros((vertices.size() + 7) / 8);
        out.blob = block.take();
        l_.mesh_frame.push_back(frame_);
        l_.mesh_material.push_back(material.valid() ? material.value : static_cast<std::uint32_t>(ex_.model.materials.size()));
        l_.mesh_lists.push_back({static_cast<std::uint32_t>(d_.lists.size()), 0});
        ++l_.frame_meshes[frame_].count;
        d_.meshes.push_back(std::move(out));
        shapes_.add(part.number, part.place, part.own_normals, shaped);
        add_lists(vertices, indices, part.skinned);
        l_.mesh_lists.back().count = static_cast<std::uint32_t>(d_.lists.size()) - l_.mesh_lists.back().first;
    }

    static std::uint32_t index_type(std::size_t count) { return count < 256 ? 1 : count < 65536 ? 2 : 3; }
    static void put_index(core::Writer& out, std::uint32_t type, std::uint32_t v) {
        type == 1 ? out.put(static_cast<std::uint8_t>(v)) : type == 2 ? out.put(static_cast<std::uint16_t>(v)) : out.put(v);
    }

    // Triangles by the weights of their heaviest vertex, in their order; a list is closed when the next triangle does not fit.
    void add_lists(const std::vector<VertexKey>& vertices, const std::vector<std::uint32_t>& indices, bool skinned) {
        struct Open {
            std::vector<std::uint32_t> vertices;
            std::vector<std::uint32_t> indices;
            std::map<std::uint32_t, std::uint32_t> place;      // of mesh vertices
            std::set<std::uint16_t> bones;
            std::size_t most = 4;
        };
        std::array<Open, 4> open;
        const auto close = [&](std::uint16_t type) {
            Open& o = open[type];
            if (o.indices.empty()) {
                return;
            }
            TriangleList list;
            list.vertex_type = type;
            list.vertex_num = static_cast<std::uint16_t>(o.vertices.size());
            list.index_num = static_cast<std::uint16_t>(o.indices.size());
            const std::uint32_t width = vertices.size() < 256 ? 0 : vertices.size() < 65536 ? 1 : 2;
            const std::uint32_t index_width = o.vertices.size() < 256 ? 0 : 1;
            list.flag = static_cast<std::uint16_t>(width | index_width << 2);
            core::Writer w;
            if (type == 1 || type == 2) {
                w.u16(static_cast<std::uint16_t>(o.bones.size()));
                for (const std::uint16_t slot : o.bones) {
                    w.u16(slot);
                }
            } else if (type == 3) {
                w.u16(static_cast<std::uint16_t>(o.most));
            }
            for (const std::uint32_t v : o.vertices) {
                put_index(w, width + 1, v);
            }
            for (const std::uint32_t i : o.indices) {
                put_index(w, index_width + 1, i);
            }
            list.blob = w.take();
            d_.lists.push_back(std::move(list));
            o = {};
        };
        for (std::size_t t = 0; t + 2 < indices.size(); t += 3) {
            std::size_t most = 0;
            std::set<std::uint16_t> bones;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::span<const StoredWeight> list = weights_of(vertices[indices[t + k]].point);
                most = std::max(most, list.size());
                for (const StoredWeight& w : list) {
                    bones.insert(w.slot);
                }
            }
            const std::uint16_t type = !skinned ? 0 : most <= 4 ? 1 : most <= 8 ? 2 : 3;
            Open& o = open[type];
            std::size_t more_bones = 0;
            for (const std::uint16_t slot : bones) {
                more_bones += o.bones.contains(slot) ? 0u : 1u;
            }
            const bool fits = o.indices.size() + 3 <= kListIndices && o.vertices.size() + 3 <= kListVertices &&
                              (type == 3 || o.bones.size() + more_bones <= kListBones);
            if (!fits) {
                close(type);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                const auto [it, added] = o.place.try_emplace(indices[t + k], static_cast<std::uint32_t>(o.vertices.size()));
                if (added) {
                    o.vertices.push_back(indices[t + k]);
                }
                o.indices.push_back(it->second);
            }
            o.bones.insert(bones.begin(), bones.end());
            o.most = std::max(o.most, most);
        }
        for (std::uint16_t type = 0; type < 4; ++type) {
            close(type);
        }
    }

    Export& ex_;
    Document& d_;
    Links& l_;
    std::uint32_t frame_;
    FrameShapes shapes_;
    std::vector<std::array<float, 3>> positions_;
    std::vector<std::array<float, 3>> normals_;
    std::vector<std::uint32_t> weight_first_;                 ///< per position, and the end
    std::vector<StoredWeight> weights_;
    std::size_t most_ = 0;                                    ///< weights of one position
    std::map<std::uint32_t, std::uint16_t> slot_of_bone_;     ///< the frame's palette
};

}  // namespace

core::Result<void> export_frame_meshes(Export& ex, std::uint32_t frame) { return FrameMeshes(ex, frame).run(); }

}  // namespace gomkit::mv1
