#include "import.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace gomkit::gom {
namespace {

using model::Mesh;
using model::MeshInstance;
using model::Model;
using model::NodeId;
using model::Vec2;
using model::Vec3;
using model::Vec4;

double wide(float v) { return static_cast<double>(v); }
Vec3 wide3(const float* v) { return {wide(v[0]), wide(v[1]), wide(v[2])}; }
Vec3 wide3(const std::array<float, 3>& v) { return wide3(v.data()); }
model::Mat4 wide(const Matrix& m) { return runtime::matrix_cast<double>(m); }

class Importer {
public:
    explicit Importer(Document&& document) : document_(std::move(document)) {}

    Model run() {
        model_.source.format = document_.motion_of ? "mta 1 binary" : "gom 1 binary";
        model_.source.exporter = document_.converter_version.value_or("");
        model_.source.unit_meters = 1;
        model_.source.axes = "+X +Y +Z";
        model_.source.hash = document_.source_hash;
        if (document_.motion_of) {
            model_.mta = model::MtaExtras{*document_.motion_of, document_.converter_version};
            placeholders();
        } else {
            model_.gom = model::GomExtras{document_.converter_version, document_.validation_flags};
            nodes();
        }
        materials();
        channels_.resize(document_.morph_channels.size());
        for (std::size_t i = 0; i < document_.parts.size(); ++i) {
            part(document_.parts[i], static_cast<std::uint32_t>(i));
            document_.parts[i] = Part{};   // a large model is not held twice
        }
        for (std::size_t i = 0; i < document_.clips.size(); ++i) {
            clip(document_.clips[i], static_cast<std::uint32_t>(i));
        }
        return std::move(model_);
    }

private:
    /// Bones in file order, except that a parent which follows its child (earlier generation) is moved before it.
    void nodes() {
        node_of_.assign(document_.bones.size(), NodeId{});
        std::vector<std::size_t> chain;
        for (std::size_t i = 0; i < document_.bones.size(); ++i) {
            chain.clear();
            for (std::size_t at = i; !node_of_[at].valid(); at = static_cast<std::size_t>(document_.bones[at].parent)) {
                chain.push_back(at);
                if (document_.bones[at].parent < 0) {
                    break;
                }
            }
            for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
                add_node(*it);
            }
        }
    }
    /// One node a position in path order; decode has compared the positions with the limit on bones.
    void placeholders() {
        std::int64_t last = -1;
        for (const Clip& clip : document_.clips) {
            last = std::max<std::int64_t>(last, clip.root_bone);
            for (const Track& track : clip.tracks) {
                last = std::max<std::int64_t>(last, track.bone);
            }
        }
        model_.nodes.resize(static_cast<std::size_t>(last + 1));
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            node_of_.push_back(NodeId{static_cast<std::uint32_t>(i)});
        }
    }
    void add_node(std::size_t bone) {
        const Bone& source = document_.bones[bone];
        model::Node node;
        node.name = source.name;
        node.parent = source.parent < 0 ? NodeId{} : node_of_[static_cast<std::size_t>(source.parent)];
        node.bind_local = wide(source.bind_local);
        node.rest = runtime::decompose(node.bind_local);
        node.bone = true;
        node.stored_path = source.path;
        node.origin = model::Origin{source.path, static_cast<std::uint32_t>(bone)};
        node_of_[bone] = NodeId{static_cast<std::uint32_t>(model_.nodes.size())};
        model_.nodes.push_back(std::move(node));
    }

    void materials() {
        std::map<std::string, std::uint32_t> textures;
        for (std::size_t i = 0; i < document_.materials.size(); ++i) {
            const MaterialSlot& slot = document_.materials[i];
            model::Material m;
            m.name = slot.name.value_or("");
            m.diffuse = wide3(slot.kd);
            m.specular = wide3(slot.ks);
            m.emissive = wide3(slot.ke);
            m.shininess = wide(slot.shininess);
            m.opacity = wide(slot.opacity);
            for (std::size_t k = 0; k < slot.maps.size(); ++k) {
                if (!slot.maps[k]) {
                    continue;
                }
                const auto [it, added] = textures.try_emplace(*slot.maps[k], static_cast<std::uint32_t>(model_.textures.size()));
                if (added) {
                    model::Texture t;
                    t.path = *slot.maps[k];
                    t.source_relative = t.path;
                    model_.textures.push_back(std::move(t));
                }
                m.textures[k] = it->second;
            }
            m.origin = model::Origin{m.name, static_cast<std::uint32_t>(i)};
            model_.materials.push_back(std::move(m));
        }
    }

    void part(const Part& source, std::uint32_t index) {
        const std::string name = source.name.value_or("");
        Mesh mesh;
        mesh.name = name;
        mesh.final_vertices = true;
        mesh.origin = model::Origin{name, index};
        const std::size_t n = source.vertices.size();
        mesh.corner_point = source.indices;
        mesh.polygon_first.resize(source.indices.size() / 3 + 1);
        for (std::size_t i = 0; i < mesh.polygon_first.size(); ++i) {
            mesh.polygon_first[i] = static_cast<std::uint32_t>(3 * i);
        }
        mesh.points.reserve(n);
        mesh.uvs.emplace_back();
        mesh.normals.values.reserve(n);
        mesh.tangents.values.reserve(n);
        mesh.uvs[0].values.reserve(n);
        for (const Vertex& v : source.vertices) {
            mesh.points.push_back(wide3(v.position));
            mesh.normals.values.push_back(wide3(v.normal));
            mesh.tangents.values.push_back(Vec4{wide(v.tangent[0]), wide(v.tangent[1]), wide(v.tangent[2]), wide(v.tangent[3])});
            mesh.uvs[0].values.push_back(Vec2{wide(v.uv[0]), wide(v.uv[1])});
        }
        mesh.normals.corner_index = source.indices;
        mesh.tangents.corner_index = source.indices;
        mesh.uvs[0].corner_index = source.indices;
        if (!source.inverse_bind.empty()) {
            skin(source, mesh);
        }
        morphs(source, index, mesh);

        MeshInstance instance;
        instance.name = name;
        instance.mesh = model::MeshId{static_cast<std::uint32_t>(model_.meshes.size())};
        if (source.geometry_to_model) {
            instance.geometry_to_node = wide(*source.geometry_to_model);
        }
        instance.origin = mesh.origin;
        submeshes(source, mesh, instance);
        model_.meshes.push_back(std::move(mesh));
        model_.instances.push_back(std::move(instance));
    }

    /// The channels that the part has shapes of, as the mesh's own; the first part takes those that no part has. Writers of GOM make one
    /// channel again of equal ones (export_morph.cpp).
    void morphs(const Part& source, std::uint32_t index, Mesh& mesh) {
        std::vector<bool> wanted(channels_.size(), false);
        if (index == 0) {
            wanted.assign(channels_.size(), true);
            for (const Part& part : document_.parts) {
                for (const Morph& m : part.morphs) {
                    wanted[m.channel] = false;
                }
            }
        }
        for (const Morph& m : source.morphs) {
            wanted[m.channel] = true;
        }
        std::vector<std::uint32_t> place(channels_.size());
        for (std::uint32_t c = 0; c < channels_.size(); ++c) {
            if (!wanted[c]) {
                continue;
            }
            place[c] = static_cast<std::uint32_t>(mesh.morphs.size());
            channels_[c].push_back({model::MeshId{static_cast<std::uint32_t>(model_.meshes.size())}, place[c]});
            const MorphChannel& from = document_.morph_channels[c];
            model::MorphChannel channel;
            channel.name = from.name;
            channel.default_weight = wide(from.default_weight);
            for (const float weight : from.shapes) {
                channel.shapes.emplace_back();
                channel.shapes.back().weight = wide(weight);
            }
            mesh.morphs.push_back(std::move(channel));
        }
        for (const Morph& m : source.morphs) {
            model::MorphShape& shape = mesh.morphs[place[m.channel]].shapes[m.shape];
            shape.points = m.vertices;
            for (std::size_t i = 0; i < m.vertices.size(); ++i) {
                shape.offsets.push_back(wide3(m.positions[i]));
                shape.normal_offsets.push_back(wide3(m.normals[i]));
            }
        }
    }

    void skin(const Part& source, Mesh& mesh) const {
        model::Skin skin;
        for (std::size_t i = 0; i < source.inverse_bind.size(); ++i) {
            skin.clusters.push_back(model::Cluster{node_of_[i], wide(source.inverse_bind[i])});
        }
        skin.first.reserve(source.vertices.size() + 1);
        skin.influences.reserve(4 * source.vertices.size());
        skin.first.push_back(0);
        for (const Vertex& v : source.vertices) {
            for (std::size_t k = 0; k < 4; ++k) {
                skin.influences.push_back(model::Influence{v.bone[k], wide(v.weight[k])});
            }
            skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
        }
        mesh.skin = std::move(skin);
    }

    /// The instance's slots are the file's slots that the part uses, ascending; triangles keep their stored order.
    static void submeshes(const Part& source, Mesh& mesh, MeshInstance& instance) {
        std::vector<std::uint32_t> used;
        for (const Submesh& s : source.submeshes) {
            used.push_back(s.material);
        }
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        for (const std::uint32_t m : used) {
            instance.materials.push_back(model::MaterialId{m});
        }
        mesh.polygon_material.resize(source.indices.size() / 3);
        for (const Submesh& s : source.submeshes) {
            const auto slot = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), s.material) - used.begin());
            const auto first = mesh.polygon_material.begin() + static_cast<std::ptrdiff_t>(s.index_start / 3);
            std::fill(first, first + static_cast<std::ptrdiff_t>(s.index_count / 3), slot);
        }
    }

    void clip(const Clip& source, std::uint32_t index) {
        model::Clip clip;
        clip.name = source.name;
        clip.final_keys = true;
        clip.duration = wide(source.duration);
        clip.root = source.root_bone < 0 ? NodeId{} : node_of_[static_cast<std::size_t>(source.root_bone)];
        clip.has_root_motion = source.has_root_motion;
        clip.loop = source.loop;
        clip.origin = model::Origin{source.name, index};
        for (const Track& t : source.tracks) {
            model::Track track;
            track.node = node_of_[t.bone];
            for (const VectorKey& k : t.translation) {
                track.translation.push_back({wide(k.time), wide3(k.value), false});
            }
            for (const QuatKey& k : t.rotation) {
                track.rotation.push_back({wide(k.time), {wide(k.value[0]), wide(k.value[1]), wide(k.value[2]), wide(k.value[3])}, false});
            }
            for (const VectorKey& k : t.scale) {
                track.scale.push_back({wide(k.time), wide3(k.value), false});
            }
            clip.tracks.push_back(std::move(track));
        }
        for (const MorphTrack& t : source.morph_tracks) {
            model::MorphTrack track;
            for (const WeightKey& k : t.keys) {
                track.keys.push_back({wide(k.time), wide(k.value[0]), false});
            }
            for (const MeshChannel& of : channels_[t.channel]) {
                track.mesh = of.mesh;
                track.channel = of.channel;
                clip.morph_tracks.push_back(track);
            }
        }
        model_.clips.push_back(std::move(clip));
    }

    struct MeshChannel {
        model::MeshId mesh;
        std::uint32_t channel = 0;
    };

    Document document_;
    Model model_;
    std::vector<std::vector<MeshChannel>> channels_;   ///< what each of the file's channels became
    std::vector<NodeId> node_of_;   ///< per bone of the file
};

}  // namespace

core::Result<model::Model> import(Document&& document, const std::string& file, core::Report&) {
    // Skin offsets are 32-bit, and every vertex has four influences.
    constexpr std::size_t kMostVertices = 0xFFFF'FFFFu / 4;
    for (std::size_t i = 0; i < document.parts.size(); ++i) {
        const std::size_t count = document.parts[i].vertices.size();
        if (count > kMostVertices) {
            return core::fail(core::Code::LimitExceeded, core::Place{file, "MSH0[" + std::to_string(i) + "].VB0", {}, {}},
                              "a part this large cannot be converted", std::to_string(count) + " vertices",
                              "at most " + std::to_string(kMostVertices));
        }
    }
    return Importer(std::move(document)).run();
}

}  // namespace gomkit::gom
