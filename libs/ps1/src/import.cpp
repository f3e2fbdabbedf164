#include "import.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "encode.hpp"
#include "layout.hpp"
#include "quantise.hpp"

namespace gomkit::ps1 {
namespace {

using core::IssueId;
using model::Mat4;
using model::Quat;
using model::Vec3;

constexpr double kUsualFps = 15;

Vec3 wide(const Vec3s16& v) { return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])}; }
// Both spaces differ in the sign of all axes; 0 - x, so that no -0 arises.
Vec3 to_model(const Vec3s16& v) {
    const Vec3 w = wide(v);
    return {(0 - w.x) / kUnit, (0 - w.y) / kUnit, (0 - w.z) / kUnit};
}
// Turning is the same in both.
Quat to_model(const Rotation& q) {
    return normalized(Quat{static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]), static_cast<double>(q[3])});
}

class Importer {
public:
    Importer(const Document& document, core::Report& report) : document_(document), report_(report) {}

    model::Model run() {
        model_.source.format = "PS1M";
        model_.source.unit_meters = 1 / kUnit;
        model_.source.axes = "+X -Y -Z";
        model_.source.fps = fps(document_.clips.front());
        nodes();
        geometry();
        for (std::size_t c = 0; c < document_.clips.size(); ++c) {
            clip(c);
        }
        keep();
        return std::move(model_);
    }

private:
    static double fps(const Clip& clip) { return clip.fps == 0 ? kUsualFps : static_cast<double>(clip.fps); }

    /// The file has no bind rotations. Those of a clip called static are, else those that the first clip begins with.
    [[nodiscard]] const Frame& bind_frame() const {
        const auto still = std::find_if(document_.clips.begin(), document_.clips.end(), [](const Clip& clip) { return clip_name(clip) == "static"; });
        return (still != document_.clips.end() ? *still : document_.clips.front()).frames.front();
    }

    void nodes() {
        const Frame& frame = bind_frame();
        for (std::size_t b = 0; b < document_.bones.size(); ++b) {
            const Bone& bone = document_.bones[b];
            model::Node node;
            node.name = bone_name(b);
            node.parent = bone.parent < 0 ? model::NodeId{} : model::NodeId{static_cast<std::uint32_t>(bone.parent)};
            node.rest.translation = to_model(bone.translation);
            node.rest.rotation = to_model(frame.rotations[b]);
            node.bind_local = to_matrix(node.rest);
            node.bone = true;
            node.origin = model::Origin{node.name, static_cast<std::uint32_t>(b)};
            bind_.push_back(bone.parent < 0 ? node.bind_local : node.bind_local * bind_[static_cast<std::size_t>(bone.parent)]);
            model_.nodes.push_back(std::move(node));
        }
    }

    std::uint32_t material(std::uint8_t slot, bool both_sides) {
        const auto [it, added] = materials_.try_emplace({slot, both_sides}, static_cast<std::uint32_t>(model_.materials.size()));
        if (added) {
            model::Material m;
            m.name = "slot_" + std::to_string(slot) + (both_sides ? "_both_sides" : "");
            m.double_sided = both_sides;
            m.origin = model::Origin{m.name, it->second};
            model_.materials.push_back(std::move(m));
        }
        return it->second;
    }

    void geometry() {
        if (document_.triangles.empty()) {
            return;
        }
        model::Mesh mesh;
        mesh.name = "mesh";
        mesh.uvs.emplace_back();
        model::Skin skin;
        for (std::size_t b = 0; b < bind_.size(); ++b) {
            Mat4 inverse;
            static_cast<void>(inverse_affine(bind_[b], inverse));   // rotations and translations always have one
            skin.clusters.push_back({model::NodeId{static_cast<std::uint32_t>(b)}, inverse});
        }
        for (const Vertex& v : document_.vertices) {
            skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
            skin.influences.push_back({v.bone, 1});
            mesh.points.push_back(transform_point(to_model(v.position), bind_[v.bone]));
            mesh.normals.values.push_back(normalized(transform_vector(to_model(v.normal), bind_[v.bone])));
            mesh.uvs[0].values.push_back({v.u / 255.0, v.v / 255.0});
        }
        skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
        mesh.polygon_first.push_back(0);
        for (const Triangle& t : document_.triangles) {
            for (const std::uint32_t v : t.vertices) {
                mesh.corner_point.push_back(v);
                mesh.normals.corner_index.push_back(v);
                mesh.uvs[0].corner_index.push_back(v);
            }
            mesh.polygon_first.push_back(static_cast<std::uint32_t>(mesh.corner_point.size()));
            mesh.polygon_material.push_back(material(t.texture, (t.flags & layout::kDoubleSided) != 0));
        }
        mesh.skin = std::move(skin);
        model::MeshInstance instance;
        instance.name = mesh.name;
        instance.mesh = model::MeshId{0};
        for (std::size_t m = 0; m < model_.materials.size(); ++m) {
            instance.materials.push_back(model::MaterialId{static_cast<std::uint32_t>(m)});
        }
        model_.meshes.push_back(std::move(mesh));
        model_.instances.push_back(std::move(instance));
    }

    void clip(std::size_t index) {
        const Clip& source = document_.clips[index];
        if (source.fps == 0) {
            report_.add(IssueId::PS1_READ_FPS, {}, {{"clip", clip_text(source)}});
        }
        model::Clip clip;
        clip.name = clip_text(source);
        clip.duration = static_cast<double>(source.frames.size() - 1) / fps(source);
        clip.source_fps = fps(source) == model_.source.fps ? 0 : fps(source);
        clip.origin = model::Origin{clip.name, static_cast<std::uint32_t>(index)};
        for (std::size_t b = 0; b < document_.bones.size(); ++b) {
            model::Track track;
            track.node = model::NodeId{static_cast<std::uint32_t>(b)};
            const Bone& bone = document_.bones[b];
            for (std::size_t f = 0; f < source.frames.size(); ++f) {
                const double time = static_cast<double>(f) / fps(source);
                const Frame& frame = source.frames[f];
                Quat q = to_model(frame.rotations[b]);
                if (f > 0 && dot(q, track.rotation.back().value) < 0) {
                    q = -q;   // the console takes the nearer side
                }
                track.rotation.push_back({time, q});
                if (bone.moves()) {
                    track.translation.push_back({time, to_model(frame.translations[bone.slot])});
                }
            }
            clip.tracks.push_back(std::move(track));
        }
        model_.clips.push_back(std::move(clip));
    }

    void keep() {
        model::Ps1Extras extras;
        extras.file = encode(document_);
        const auto held = [&](const char* kind, std::size_t count) {
            if (count != 0) {
                extras.held.push_back({kind, count});
            }
        };
        held("inverse kinematics tables", document_.ik ? 1 : 0);
        held("cloth edges", document_.edges.size());
        held("cloth quads", document_.quads.size());
        held("vertices without a triangle", unused_vertices());
        model_.ps1 = std::move(extras);
    }
    [[nodiscard]] std::size_t unused_vertices() const {
        std::vector<bool> used(document_.vertices.size(), false);
        for (const Triangle& t : document_.triangles) {
            for (const std::uint16_t v : t.vertices) {
                used[v] = true;
            }
        }
        return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
    }

    const Document& document_;
    core::Report& report_;
    model::Model model_;
    std::vector<Mat4> bind_;       // bone space to model space
    std::map<std::pair<std::uint8_t, bool>, std::uint32_t> materials_;
};

}  // namespace

model::Model import(const Document& document, core::Report& report) { return Importer(document, report).run(); }

std::string bone_name(std::size_t bone) {
    const std::string digits = std::to_string(bone);
    return "bone_" + std::string(digits.size() < 2 ? 2 - digits.size() : 0, '0') + digits;
}

}  // namespace gomkit::ps1
