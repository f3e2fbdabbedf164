#include "export.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <gomkit/core/reader.hpp>
#include <gomkit/pass/normals.hpp>
#include <gomkit/pass/triangulate.hpp>

#include "assemble.hpp"
#include "import.hpp"

namespace gomkit::mv1 {
namespace {

using core::Code;
using model::Mat4;
using model::NodeId;
using model::Quat;
using model::Vec3;

constexpr std::size_t kListBones = 54;
constexpr std::size_t kListIndices = 65500 / 3 * 3;
constexpr std::size_t kListVertices = 65535;
constexpr float kSmoothing = 1.5208f;
// Exactly (0, 0, 0, 1) would mean "no quaternion" (MV1-CLIP-4); this far from it nothing moves.
constexpr float kNearlyNothing = 1e-20f;

float to_float(double v) { return static_cast<float>(v) + 0.0f; }
std::array<float, 3> to_floats(const Vec3& v) { return {to_float(v.x), to_float(v.y), to_float(v.z)}; }

// Angles of p * Rx * Ry * Rz.
std::array<float, 3> to_euler(const Quat& q) {
    namespace exact = runtime::exact;
    const Mat4 m = runtime::to_matrix(normalized(q));
    // Row 0 is x' = (cy cz, cy sz, -sy).
    const double sine = std::clamp(-m.m[2], -1.0, 1.0);
    const double y = exact::asin(sine);
    if (std::fabs(sine) > 1 - 1e-12) {
        return {to_float(exact::atan2(-m.m[9], m.m[5])), to_float(y), 0};
    }
    return {to_float(exact::atan2(m.m[6], m.m[10])), to_float(y), to_float(exact::atan2(m.m[1], m.m[0]))};
}

// Where a frame of the file comes from.
struct FrameSource {
    NodeId node;
    std::uint32_t instance = model::kNoIndex;   ///< what is drawn in it
};

// Everything that makes one vertex of a mesh.
struct VertexKey {
    std::uint32_t point = 0;
    std::uint32_t normal = 0;
    std::array<std::uint32_t, 3> layers{};      ///< up to two UV sets, a colour
    auto operator<=>(const VertexKey&) const = default;
};

class Exporter {
public:
    Exporter(const model::Model& model, core::Report& report)
        : m_(model), report_(report), unit_(model.source.unit_meters > 0 ? model.source.unit_meters : kUnitMeters) {}

    core::Result<Document> run() {
        d_.header.is_string_utf8 = 1;
        order_frames();
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            add_frame(i);
        }
        find_skin_bones();
        l_.frame_palette.resize(sources_.size());
        for (std::uint32_t i = 0; i < sources_.size(); ++i) {
            l_.frame_meshes.push_back({static_cast<std::uint32_t>(d_.meshes.size()), 0});
            if (sources_[i].instance != model::kNoIndex) {
                if (core::Result<void> done = add_geometry(i, m_.instances[sources_[i].instance]); !done) {
                    return core::Fault(std::move(done.error()));
                }
            }
        }
        add_materials();
        for (const model::Clip& clip : m_.clips) {
            add_clip(clip);
        }
        report_.add_loss("texture coordinate sets beyond the second", lost_uv_sets_);
        report_.add_loss("vertex colour sets beyond the first", lost_color_sets_);
        assemble(d_, l_, {});
        return std::move(d_);
    }

private:
    // From the model's space to the file's, in the source's unit: turning is its own inverse.
    [[nodiscard]] Vec3 from_point(const Vec3& v) const { return turn(v) / unit_; }
    [[nodiscard]] Mat4 from_matrix(const Mat4& m) const {
        Mat4 out = turn(m);
        const Vec3 t = from_point({m.m[12], m.m[13], m.m[14]});
        out.m[12] = t.x;
        out.m[13] = t.y;
        out.m[14] = t.z;
        return out;
    }

    // Nodes depth first, brothers in model order; meshes that need a frame of their own hang below their node, or stand at the end.
    void order_frames() {
        const std::size_t count = m_.nodes.size();
        std::vector<std::vector<std::uint32_t>> children(count + 1);
        for (std::uint32_t i = 0; i < count; ++i) {
            children[m_.nodes[i].parent.valid() ? m_.nodes[i].parent.value : count].push_back(i);
        }
        std::vector<std::vector<std::uint32_t>> drawn(count + 1);
        for (std::uint32_t i = 0; i < m_.instances.size(); ++i) {
            drawn[m_.instances[i].node.valid() ? m_.instances[i].node.value : count].push_back(i);
        }
        frame_of_.assign(count, kNone);
        struct Open {
            std::uint32_t node;
            std::uint32_t parent;
        };
        std::vector<Open> stack;
        const auto push = [&](const std::vector<std::uint32_t>& nodes, std::uint32_t parent) {
            for (std::size_t k = nodes.size(); k-- > 0;) {
                stack.push_back({nodes[k], parent});
            }
        };
        const auto add = [&](FrameSource source, std::uint32_t parent) {
            sources_.push_back(source);
            l_.frame_parent.push_back(parent);
            return static_cast<std::uint32_t>(sources_.size() - 1);
        };
        push(children[count], kNone);
        while (!stack.empty()) {
            const Open open = stack.back();
            stack.pop_back();
            const std::vector<std::uint32_t>& here = drawn[open.node];
            const std::uint32_t frame = add({NodeId{open.node}, here.empty() ? model::kNoIndex : here[0]}, open.parent);
            frame_of_[open.node] = frame;
            for (std::size_t k = 1; k < here.size(); ++k) {
                add({NodeId{}, here[k]}, frame);
            }
            push(children[open.node], frame);
        }
        for (const std::uint32_t i : drawn[count]) {
            add({NodeId{}, i}, kNone);
        }
    }

    void add_frame(std::size_t i) {
        const FrameSource& source = sources_[i];
        Frame f;
        f.flag = 1;
        f.smoothing_angle = kSmoothing;
        f.vert_flag = 0x08;
        if (source.node.valid()) {
            const model::Node& node = m_.nodes[source.node.value];
            f.name = add_string(d_, node.name);
            f.translate = to_floats(from_point(node.rest.translation));
            f.scale = to_floats(node.rest.scale);
            f.rotate = to_euler(turn(node.rest.rotation));
            f.flag = node.visible ? 1 : 0;
        } else {
            f.name = add_string(d_, m_.instances[source.instance].name);
        }
        d_.frames.push_back(std::move(f));
        l_.frame_light.push_back(kNone);
        l_.frame_shapes.push_back({});
    }

    // One skin bone for each bone and matrix, sorted by frame; per instance the bone of each cluster.
    void find_skin_bones() {
        struct Key {
            std::uint32_t frame;
            std::array<float, 12> matrix;
            auto operator<=>(const Key&) const = default;
        };
        std::map<Key, std::uint32_t> bones;
        const auto key_of = [&](const model::Cluster& cluster) {
            const Mat4 m = from_matrix(cluster.geometry_to_bone);
            Key key{frame_of_[cluster.bone.value], {}};
            for (std::size_t r = 0; r < 3; ++r) {
                for (std::size_t c = 0; c < 4; ++c) {
                    key.matrix[4 * r + c] = to_float(m.m[4 * c + r]);
                }
            }
            return key;
        };
        const auto each = [&](auto&& visit) {
            for (const FrameSource& source : sources_) {
                if (source.instance == model::kNoIndex || !m_.meshes[m_.instances[source.instance].mesh.value].skin) {
                    continue;
                }
                for (const model::Cluster& cluster : m_.meshes[m_.instances[source.instance].mesh.value].skin->clusters) {
                    visit(source.instance, key_of(cluster));
                }
            }
        };
        each([&](std::uint32_t, const Key& key) { bones.try_emplace(key, 0); });
        l_.frame_skin_bones.assign(sources_.size(), {});
        for (auto& [key, number] : bones) {
            number = static_cast<std::uint32_t>(d_.skin_bones.size());
            SkinBone b;
            b.bone_frame = static_cast<std::int32_t>(key.frame);
            b.model_local = key.matrix;
            b.is_translate_only = 1;
            for (const std::size_t at : {0u, 1u, 2u, 4u, 5u, 6u, 8u, 9u, 10u}) {
                b.is_translate_only = key.matrix[at] == (at % 5 == 0 ? 1.f : 0.f) ? b.is_translate_only : 0;
            }
            Run& run = l_.frame_skin_bones[key.frame];
            run.first = run.count == 0 ? number : run.first;
            ++run.count;
            d_.skin_bones.push_back(b);
            l_.skin_bone_driver.push_back(key.frame);
        }
        bones_of_instance_.resize(m_.instances.size());
        each([&](std::uint32_t instance, const Key& key) { bones_of_instance_[instance].push_back(bones.at(key)); });
    }

    core::Result<void> add_geometry(std::uint32_t frame, const model::MeshInstance& instance) {
        const model::Mesh& mesh = m_.meshes[instance.mesh.value];
        Frame& f = d_.frames[frame];
        const bool skinned = mesh.skin && !mesh.skin->clusters.empty();
        const Mat4 place = skinned ? Mat4{} : instance.geometry_to_node;
        core::Writer block;
        for (const Vec3& p : mesh.points) {
            for (const float v : to_floats(from_point(runtime::transform_point(p, place)))) {
                block.f32(v);
            }
        }
        f.position_num = static_cast<std::int32_t>(mesh.points.size());
        std::vector<std::vector<Weight>> weights(mesh.points.size());
        if (skinned) {
            add_weights(frame, mesh, bones_of_instance_[sources_[frame].instance], weights, block);
        }
        // Normals: the mesh's own layer, or one a corner.
        const bool own = mesh.normals.exists();
        const std::vector<Vec3> made = own ? std::vector<Vec3>{} : pass::generate_normals(mesh);
        const std::size_t normal_count = own ? mesh.normals.values.size() : made.size();
        const Mat4 cofactors = cofactor3(place);
        const double sign = determinant3(place) < 0 ? -1 : 1;
        for (std::size_t n = 0; n < normal_count; ++n) {
            const Vec3 normal = normalized(runtime::transform_vector(own ? mesh.normals.values[n] : made[n], cofactors) * sign);
            for (const float v : to_floats(turn(normal))) {
                block.f32(v);
            }
        }
        f.normal_num = static_cast<std::int32_t>(normal_count);
        f.vert_flag = static_cast<std::uint16_t>(3 | (skinned ? 0x20 : 0x08) | (wide_bones_ && skinned ? 0x10 : 0));
        f.auto_create_normal = 1;
        f.blob = block.take();
        return add_meshes(frame, instance, mesh, weights, sign < 0);
    }

    struct Weight {
        std::uint16_t slot = 0;
        std::uint16_t value = 0;
    };

    // The palette is all of the mesh's clusters; weights are 16-bit, their sum 65535, the largest first.
    void add_weights(std::uint32_t frame, const model::Mesh& mesh, const std::vector<std::uint32_t>& bones, std::vector<std::vector<Weight>>& out,
                     core::Writer& block) {
        l_.frame_palette[frame] = {static_cast<std::uint32_t>(l_.palette.size()), static_cast<std::uint32_t>(bones.size())};
        l_.palette.insert(l_.palette.end(), bones.begin(), bones.end());
        const model::Skin& skin = *mesh.skin;
        std::size_t most = 0;
        for (std::size_t p = 0; p < out.size(); ++p) {
            std::map<std::uint32_t, double> sums;
            double total = 0;
            for (std::uint32_t i = skin.first[p]; i < skin.first[p + 1]; ++i) {
                const model::Influence& in = skin.influences[i];
                if (in.weight > 0 && std::isfinite(in.weight)) {
                    sums[in.cluster] += in.weight;
                    total += in.weight;
                }
            }
            std::vector<std::pair<double, std::uint32_t>> sorted;
            for (const auto& [cluster, weight] : sums) {
                if (std::floor(weight / total * 65535) >= 1) {
                    sorted.emplace_back(-weight, cluster);
                }
            }
            std::sort(sorted.begin(), sorted.end());
            std::uint32_t left = 65535;
            for (std::size_t k = 0; k < sorted.size(); ++k) {
                // The loader gives the last one what is missing.
                const auto value = k + 1 == sorted.size() ? left : static_cast<std::uint32_t>(std::floor(-sorted[k].first / total * 65535 + 0.5));
                out[p].push_back({static_cast<std::uint16_t>(sorted[k].second), static_cast<std::uint16_t>(std::min(value, left))});
                left -= std::min(value, left);
            }
            while (out[p].size() > 1 && out[p].back().value == 0) {
                out[p].pop_back();   // nothing was left for it
            }
            most = std::max(most, out[p].size());
        }
        Frame& f = d_.frames[frame];
        f.max_bone_blend_num = static_cast<std::uint16_t>(most == 0 ? 0 : most <= 4 ? 4 : most <= 8 ? 8 : most);
        wide_bones_ = bones.size() > 255;
        for (const std::vector<Weight>& list : out) {
            for (const Weight& w : list) {
                wide_bones_ ? block.u16(w.slot) : block.put(static_cast<std::uint8_t>(w.slot));
                block.u16(w.value);
            }
            if (list.size() < f.max_bone_blend_num) {
                wide_bones_ ? block.u16(0xFFFF) : block.put(std::uint8_t{0xFF});
            }
        }
    }

    // One mesh for each material slot in use.
    core::Result<void> add_meshes(std::uint32_t frame, const model::MeshInstance& instance, const model::Mesh& mesh,
                                  const std::vector<std::vector<Weight>>& weights, bool mirrored) {
        std::map<std::uint32_t, std::vector<std::uint32_t>> corners_of_slot;
        std::vector<std::uint32_t> cut;
        for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
            const std::uint32_t first = mesh.polygon_first[p];
            cut.clear();
            static_cast<void>(pass::triangulate(mesh.points, std::span(mesh.corner_point).subspan(first, mesh.polygon_first[p + 1] - first), cut));
            std::vector<std::uint32_t>& to = corners_of_slot[mesh.polygon_material.empty() ? 0 : mesh.polygon_material[p]];
            for (std::size_t k = 0; k + 2 < cut.size(); k += 3) {
                to.push_back(first + cut[k]);
                to.push_back(first + cut[k + (mirrored ? 2 : 1)]);
                to.push_back(first + cut[k + (mirrored ? 1 : 2)]);
            }
        }
        const std::size_t sets = std::min<std::size_t>(mesh.uvs.size(), 2);
        lost_uv_sets_ += mesh.uvs.size() - sets;
        lost_color_sets_ += mesh.colors.size() > 1 ? mesh.colors.size() - 1 : 0;
        const bool colored = !mesh.colors.empty();
        for (const auto& [slot, corners] : corners_of_slot) {
            std::map<VertexKey, std::uint32_t> numbers;
            std::vector<VertexKey> vertices;
            std::vector<std::uint32_t> indices;
            for (const std::uint32_t c : corners) {
                VertexKey key;
                key.point = mesh.corner_point[c];
                key.normal = mesh.normals.exists() ? mesh.normals.corner_index[c] : c;
                for (std::size_t s = 0; s < sets; ++s) {
                    key.layers[s] = mesh.uvs[s].corner_index[c];
                }
                key.layers[2] = colored ? mesh.colors[0].corner_index[c] : 0;
                const auto [it, added] = numbers.try_emplace(key, static_cast<std::uint32_t>(vertices.size()));
                if (added) {
                    vertices.push_back(key);
                }
                indices.push_back(it->second);
            }
            Mesh out;
            out.visible = instance.visible ? 1 : 0;
            out.back_culling = 1;
            out.uv_set_num = static_cast<std::uint8_t>(sets);
            out.vertex_num = static_cast<std::int32_t>(vertices.size());
            out.use_diffuse_color = colored ? 1 : 0;
            const std::uint32_t position_type = index_type(mesh.points.size());
            const std::uint32_t normal_type = index_type(static_cast<std::size_t>(d_.frames[frame].normal_num));
            out.vert_flag = static_cast<std::int32_t>(position_type | normal_type << 2 | (colored ? 0u : 0x20u) | 0x40u);
            const model::MaterialId material = slot < instance.materials.size() ? instance.materials[slot] : model::MaterialId{};
            default_material_ = default_material_ || !material.valid();
            core::Writer block;
            const auto color = [&](const model::Vec4& c) {
                for (const double v : {c.z, c.y, c.x, c.w}) {
                    block.put(static_cast<std::uint8_t>(std::clamp(v, 0.0, 1.0) * 255 + 0.5));
                }
            };
            const auto shown = [&](const model::Vec4& diffuse) {
                color(diffuse);
                const Vec3 s = material.valid() ? m_.materials[material.value].specular : Vec3{0, 0, 0};
                color({s.x, s.y, s.z, 1});
            };
            if (!colored) {
                const model::Material plain = material.valid() ? m_.materials[material.value] : model::Material{};
                shown({plain.diffuse.x, plain.diffuse.y, plain.diffuse.z, plain.opacity});
            }
            for (const VertexKey& v : vertices) {
                put_index(block, position_type, v.point);
            }
            for (const VertexKey& v : vertices) {
                put_index(block, normal_type, v.normal);
            }
            for (std::size_t v = 0; colored && v < vertices.size(); ++v) {
                const model::Vec4& c = mesh.colors[0].values[vertices[v].layers[2]];
                out.not_one_diffuse_alpha = c.w < 1 ? 1 : out.not_one_diffuse_alpha;
                shown(c);
            }
            for (const VertexKey& v : vertices) {
                for (std::size_t s = 0; s < sets; ++s) {
                    block.f32(to_float(mesh.uvs[s].values[v.layers[s]].x));
                    block.f32(to_float(mesh.uvs[s].values[v.layers[s]].y));
                }
            }
            block.zeros((vertices.size() + 7) / 8);
            out.blob = block.take();
            l_.mesh_frame.push_back(frame);
            l_.mesh_material.push_back(material.valid() ? material.value : static_cast<std::uint32_t>(m_.materials.size()));
            l_.mesh_lists.push_back({static_cast<std::uint32_t>(d_.lists.size()), 0});
            ++l_.frame_meshes[frame].count;
            d_.meshes.push_back(std::move(out));
            const bool skinned = d_.frames[frame].max_bone_blend_num != 0;
            add_lists(vertices, indices, weights, skinned);
            l_.mesh_lists.back().count = static_cast<std::uint32_t>(d_.lists.size()) - l_.mesh_lists.back().first;
        }
        if (d_.meshes.size() > 0x7FFFFFFF / 4 || d_.lists.size() > 0x7FFFFFFF / 4) {
            return core::fail(Code::LimitExceeded, {}, "too many meshes", std::to_string(d_.meshes.size()), {}, "split the model");
        }
        return {};
    }

    static std::uint32_t index_type(std::size_t count) { return count < 256 ? 1 : count < 65536 ? 2 : 3; }
    static void put_index(core::Writer& out, std::uint32_t type, std::uint32_t v) {
        type == 1 ? out.put(static_cast<std::uint8_t>(v)) : type == 2 ? out.put(static_cast<std::uint16_t>(v)) : out.put(v);
    }

    // Triangles by the weights of their heaviest vertex, in their order; a list is closed when the next triangle does not fit.
    void add_lists(const std::vector<VertexKey>& vertices, const std::vector<std::uint32_t>& indices,
                   const std::vector<std::vector<Weight>>& weights, bool skinned) {
        struct Open {
            std::vector<std::uint32_t> vertices;
            std::vector<std::uint32_t> indices;
            std::map<std::uint32_t, std::uint32_t> place;      // of mesh vertices
            std::map<std::uint16_t, bool> bones;
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
                for (const auto& [slot, used] : o.bones) {
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
            std::map<std::uint16_t, bool> bones;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::vector<Weight>& list = weights[vertices[indices[t + k]].point];
                most = std::max(most, list.size());
                for (const Weight& w : list) {
                    bones[w.slot] = true;
                }
            }
            const std::uint16_t type = !skinned ? 0 : most <= 4 ? 1 : most <= 8 ? 2 : 3;
            Open& o = open[type];
            std::size_t more_bones = 0;
            for (const auto& [slot, used] : bones) {
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

    void add_materials() {
        std::vector<std::uint32_t> texture(m_.textures.size(), kNone);
        const auto texture_of = [&](std::uint32_t index) {
            if (index == model::kNoIndex || m_.textures[index].path.empty()) {
                return std::int32_t{-1};
            }
            if (texture[index] == kNone) {
                texture[index] = static_cast<std::uint32_t>(d_.textures.size());
                d_.textures.emplace_back();
            }
            return static_cast<std::int32_t>(texture[index]);
        };
        const std::size_t count = m_.materials.size() + (default_material_ ? 1 : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const model::Material source = i < m_.materials.size() ? m_.materials[i] : model::Material{};
            Material out;
            out.name = add_string(d_, source.name);
            const auto color = [](const Vec3& v, double a) { return std::array<float, 4>{to_float(v.x), to_float(v.y), to_float(v.z), to_float(a)}; };
            out.diffuse = color(source.diffuse, source.opacity);
            out.ambient = color({0, 0, 0}, 1);
            out.specular = color(source.specular, 1);
            out.emissive = color(source.emissive, 1);
            out.power = to_float(source.shininess);
            const auto layer = [&](model::TextureSlot slot, std::int32_t& number, std::array<Layer, 8>& layers) {
                const std::int32_t t = texture_of(source.textures[static_cast<std::size_t>(slot)]);
                number = t < 0 ? 0 : 1;
                layers[0].texture = t < 0 ? 0 : t;
            };
            for (auto* layers : {&out.diffuse_layer, &out.specular_layer, &out.normal_layer}) {
                layers->fill(Layer{0, 0, {}});
            }
            layer(model::TextureSlot::Diffuse, out.diffuse_layer_num, out.diffuse_layer);
            layer(model::TextureSlot::Specular, out.specular_layer_num, out.specular_layer);
            layer(model::TextureSlot::Normal, out.normal_layer_num, out.normal_layer);
            d_.materials.push_back(out);
            d_.toons.emplace_back();
            l_.material_toon.push_back(static_cast<std::uint32_t>(i));
        }
        for (std::size_t i = 0; i < texture.size(); ++i) {
            if (texture[i] == kNone) {
                continue;
            }
            Texture& out = d_.textures[texture[i]];
            out.name = add_string(d_, m_.textures[i].path);
            out.color_path = add_string(d_, m_.textures[i].path);
            out.bump_length = 0.1f;
            out.filter = 2;
            out.flag = 4;
        }
    }

    template <class T, class Put>
    void add_keys(std::int8_t type, std::int8_t data, const std::vector<model::Key<T>>& keys, Put put) {
        KeySet set;
        set.type = type;
        set.data_type = data;
        core::Writer w;
        if (keys.size() == 1) {
            set.flag = 0x001;
        } else {
            set.flag = keys.size() < 256 ? 0x002 : keys.size() < 65536 ? 0x004 : 0;
            keys.size() < 256     ? w.put(static_cast<std::uint8_t>(keys.size()))
            : keys.size() < 65536 ? w.put(static_cast<std::uint16_t>(keys.size()))
                                  : w.put(static_cast<std::uint32_t>(keys.size()));
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const bool held = keys[i].step_end && i + 1 < keys.size();   // a step is two keys of one time
                w.f32(to_float((held ? keys[i + 1].time : keys[i].time) * kFps));
            }
        }
        for (const model::Key<T>& key : keys) {
            put(w, key.value);
        }
        set.blob = w.take();
        d_.key_sets.push_back(std::move(set));
        ++l_.anim_key_sets.back().count;
    }

    void add_clip(const model::Clip& clip) {
        AnimSet set;
        set.name = add_string(d_, clip.name);
        set.max_time = to_float(clip.duration * kFps);
        set.flag = clip.loop ? 4 : 0;
        d_.anim_sets.push_back(set);
        l_.set_anims.push_back({static_cast<std::uint32_t>(d_.anims.size()), 0});
        for (const model::Track& track : clip.tracks) {
            if (track.translation.empty() && track.rotation.empty() && track.scale.empty()) {
                continue;
            }
            Anim anim;
            anim.target_frame = static_cast<std::int32_t>(frame_of_[track.node.value]);
            anim.max_time = set.max_time;
            d_.anims.push_back(anim);
            ++l_.set_anims.back().count;
            l_.anim_key_sets.push_back({static_cast<std::uint32_t>(d_.key_sets.size()), 0});
            const auto vector = [](core::Writer& w, const Vec3& v) {
                for (const float c : to_floats(v)) {
                    w.f32(c);
                }
            };
            if (!track.translation.empty()) {
                add_keys<Vec3>(1, 10, track.translation, [&](core::Writer& w, const Vec3& v) { vector(w, from_point(v)); });
            }
            if (!track.rotation.empty()) {
                add_keys<Quat>(7, 0, track.rotation, [](core::Writer& w, const Quat& v) {
                    const Quat q = turn(normalized(v));
                    std::array<float, 4> out{to_float(q.x), to_float(q.y), to_float(q.z), to_float(q.w)};
                    if (out == std::array<float, 4>{0, 0, 0, 1}) {
                        out[0] = kNearlyNothing;
                    }
                    for (const float c : out) {
                        w.f32(c);
                    }
                });
            }
            if (!track.scale.empty()) {
                add_keys<Vec3>(1, 5, track.scale, vector);
            }
        }
    }

    const model::Model& m_;
    core::Report& report_;
    double unit_;                                                   ///< metres
    Document d_;
    Links l_;
    std::vector<FrameSource> sources_;
    std::vector<std::uint32_t> frame_of_;                           ///< per node
    std::vector<std::vector<std::uint32_t>> bones_of_instance_;     ///< skin bone of each cluster
    bool wide_bones_ = false;                                       ///< of the frame being made
    bool default_material_ = false;
    std::uint64_t lost_uv_sets_ = 0;
    std::uint64_t lost_color_sets_ = 0;
};

}  // namespace

core::Result<Document> export_model(const model::Model& model, core::Report& report) { return Exporter(model, report).run(); }

}  // namespace gomkit::mv1
