#include "autorig.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <gomkit/core/text.hpp>
#include <gomkit/pass/triangulate.hpp>

#include "biped.hpp"
#include "biped_motion.hpp"
#include "motion.hpp"
#include "rig.hpp"
#include "stance.hpp"

namespace gomkit::ps1 {
namespace {

using biped::kBones;
using core::IssueId;
using model::Mat4;
using model::Quat;
using model::Vec3;

// The figure's left is +X, model space's is -X.
Vec3 mirrored(const Vec3& v) { return {-v.x, v.y, v.z}; }
Quat mirrored(const Quat& q) { return {q.x, -q.y, -q.z, q.w}; }

class Autorigger {
public:
    Autorigger(const model::Model& source, const AutorigOptions& options, core::Report& report) : source_(source), options_(options), report_(report) {}

    core::Result<Autorigged> run() {
        const bool skinned = std::any_of(source_.meshes.begin(), source_.meshes.end(), [](const model::Mesh& m) { return m.skin && !m.skin->clusters.empty(); });
        const auto bone = std::find_if(source_.nodes.begin(), source_.nodes.end(), [](const model::Node& n) { return n.bone; });
        if (skinned || bone != source_.nodes.end()) {
            return core::fail(core::Code::Usage, {}, "--autorig makes bones for a model that has none", bone == source_.nodes.end() ? "a skin" : "bone '" + bone->name + "'",
                              "a mesh without bones", "leave --autorig out");
        }
        out_.model = source_;
        for (model::MeshInstance& instance : out_.model.instances) {
            if (auto done = gather(instance); !done) {
                return core::Fault(std::move(done.error()));
            }
        }
        const auto stance = biped::measure_stance(surface_, options_.compat);
        if (!stance) {
            return core::Fault(stance.error());
        }
        out_.figure.floor = stance->floor;
        out_.figure.height = stance->height;
        for (Vec3& p : surface_.points) {
            p.y -= out_.figure.floor;
        }
        const std::vector<biped::Bone> bones = biped::bones_of_points(surface_, out_.figure.height);
        skeleton();
        skin(bones);
        report_.add_loss("clips of a model without bones", out_.model.clips.size());
        clips();
        if (options_.lathe) {
            out_.lathe = model::MaterialId{static_cast<std::uint32_t>(out_.model.materials.size())};
            out_.model.materials.emplace_back().name = "slot_0";
            if (!options_.atlas.empty()) {
                out_.model.materials.back().textures[0] = static_cast<std::uint32_t>(out_.model.textures.size());
                out_.model.textures.emplace_back().source_relative = options_.atlas;
            }
        }
        tell(bones);
        return std::move(out_);
    }

private:
    /// Places an instance in model space, its mesh its own, and takes its triangles into the surface.
    core::Result<void> gather(model::MeshInstance& instance) {
        for (model::NodeId n = instance.node; n.valid(); n = source_.nodes[n.value].parent) {
            instance.geometry_to_node = instance.geometry_to_node * to_matrix(source_.nodes[n.value].rest);
        }
        instance.node = {};
        model::Mesh mesh = source_.meshes[instance.mesh.value];
        std::vector<std::uint32_t> number(mesh.points.size(), model::kNoIndex);
        std::vector<std::uint32_t> cut;
        for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
            const std::uint32_t first = mesh.polygon_first[p];
            const auto corners = std::span<const std::uint32_t>(mesh.corner_point).subspan(first, mesh.polygon_first[p + 1] - first);
            cut.clear();
            pass::triangulate(mesh.points, corners, cut);
            for (std::size_t t = 0; t + 2 < cut.size(); t += 3) {
                std::array<std::uint32_t, 3> triangle{};
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t point = corners[cut[t + k]];
                    if (number[point] == model::kNoIndex) {
                        number[point] = static_cast<std::uint32_t>(surface_.points.size());
                        surface_.points.push_back(mirrored(transform_point(mesh.points[point], instance.geometry_to_node)));
                    }
                    triangle[k] = number[point];
                }
                surface_.triangles.push_back(triangle);
            }
        }
        for (std::size_t p = 0; p < number.size(); ++p) {
            if (number[p] != model::kNoIndex) {
                const Vec3& at = surface_.points[number[p]];
                if (!is_finite(at)) {
                    return core::fail(core::Code::Malformed, core::Place{{}, "vertex " + std::to_string(p) + " of '" + instance.name + "'", std::nullopt, std::nullopt},
                                      "a bone cannot be found for a position that is not finite", core::short_number(at.x) + ", " + core::short_number(at.y) + ", " + core::short_number(at.z),
                                      "three finite numbers", "mend the mesh in the source");
                }
            }
        }
        numbers_.push_back(std::move(number));
        instance.mesh = model::MeshId{static_cast<std::uint32_t>(meshes_.size())};
        meshes_.push_back(std::move(mesh));
        return {};
    }

    [[nodiscard]] Vec3 joint(std::size_t bone) const {
        return out_.figure.to_model(biped::bones()[bone].joint * out_.figure.height);
    }

    void skeleton() {
        out_.model.nodes.clear();
        for (std::size_t b = 0; b < kBones; ++b) {
            const biped::BoneShape& shape = biped::bones()[b];
            model::Node node;
            node.name = shape.name;
            node.bone = true;
            node.rest.translation = joint(b);
            if (shape.parent >= 0) {
                node.parent = model::NodeId{static_cast<std::uint32_t>(shape.parent)};
                node.rest.translation -= joint(static_cast<std::size_t>(shape.parent));
            }
            node.bind_local = to_matrix(node.rest);
            out_.model.nodes.push_back(std::move(node));
        }
    }

    void skin(const std::vector<biped::Bone>& bones) {
        model::Skin plain;
        for (std::uint32_t b = 0; b < kBones; ++b) {
            model::Cluster cluster;
            cluster.bone = model::NodeId{b};
            cluster.geometry_to_bone = to_matrix(model::Transform{-joint(b), {}, {1, 1, 1}});
            plain.clusters.push_back(cluster);
        }
        plain.first.push_back(0);
        for (std::size_t m = 0; m < meshes_.size(); ++m) {
            model::Skin skin = plain;
            for (const std::uint32_t point : numbers_[m]) {
                if (point != model::kNoIndex) {
                    skin.influences.push_back({bones[point], 1});
                }
                skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
            }
            meshes_[m].skin = std::move(skin);
            meshes_[m].final_vertices = false;   // those have four influences a point
        }
        out_.model.meshes = std::move(meshes_);
    }

    void clips() {
        out_.model.clips.clear();
        for (const biped::Motion& motion : biped::motions()) {
            model::Clip clip;
            clip.name = motion.name;
            clip.duration = motion.duration;
            clip.tracks.resize(kBones);
            const std::vector<double> times = frame_times(motion.duration, options_.fps);
            std::vector<biped::Pose> poses;
            for (const double time : times) {
                poses.push_back(motion.at(time, out_.figure.height));
            }
            if (options_.compat && clip.name == "punch") {
                for (biped::Pose& pose : poses) {
                    pose.rotations[biped::kRoot] = biped::about_y(biped::kOriginalPunchTurn);
                }
            }
            for (std::size_t b = 0; b < kBones; ++b) {
                model::Track& track = clip.tracks[b];
                track.node = model::NodeId{static_cast<std::uint32_t>(b)};
                for (std::size_t f = 0; f < times.size(); ++f) {
                    track.rotation.push_back({times[f], mirrored(poses[f].rotations[b]), false});
                    if (b == biped::kRoot) {
                        track.translation.push_back({times[f], joint(b) + mirrored(poses[f].root), false});
                    }
                }
            }
            out_.model.clips.push_back(std::move(clip));
        }
    }

    void tell(const std::vector<biped::Bone>& bones) {
        std::array<std::size_t, kBones> owned{};
        for (const biped::Bone b : bones) {
            ++owned[b];
        }
        std::string text;
        for (std::size_t b = 0; b < kBones; ++b) {
            text += (b == 0 ? "" : ", ") + std::string(biped::bones()[b].name) + " " + std::to_string(owned[b]);
        }
        report_.add(IssueId::PS1_AUTORIG, {}, {{"height", core::short_number(out_.figure.height)}, {"points", text}});
    }

    const model::Model& source_;
    const AutorigOptions& options_;
    core::Report& report_;
    Autorigged out_;
    biped::Surface surface_;
    std::vector<model::Mesh> meshes_;                      // one an instance
    std::vector<std::vector<std::uint32_t>> numbers_;      // into the surface's points, of each point of each of those
};

}  // namespace

core::Result<Autorigged> autorig(const model::Model& source, const AutorigOptions& options, core::Report& report) {
    return Autorigger(source, options, report).run();
}

}  // namespace gomkit::ps1
