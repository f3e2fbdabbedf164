#include "rig.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <gomkit/core/text.hpp>
#include <gomkit/pass/nearest_rotation.hpp>

namespace gomkit::ps1 {
namespace {

using core::IssueId;
using model::Mat4;
using model::Vec3;

class RigMaker {
public:
    RigMaker(const model::Model& model, const RigOptions& options, core::Report& report) : model_(model), options_(options), report_(report) {}

    core::Result<Rig> run(const core::Limits& limits) {
        auto skeleton = model::build_skeleton(model_, limits);
        if (!skeleton) {
            return core::Fault(std::move(skeleton.error()));
        }
        rig_.skeleton = std::move(*skeleton);
        number();
        const pass::InstanceBinder binder(model_, rig_.skeleton, number_of_bone_);
        for (std::size_t i = 0; i < model_.instances.size(); ++i) {
            gather(static_cast<std::uint32_t>(i), binder);
        }
        if (rig_.order.empty()) {
            made_bone();
        }
        if (auto done = collapse(); !done) {
            return core::Fault(std::move(done.error()));
        }
        bones();
        choose();
        return std::move(rig_);
    }

private:
    void number() {
        rig_.order = model::depth_first(rig_.skeleton);
        number_of_bone_.resize(rig_.order.size());
        for (std::size_t i = 0; i < rig_.order.size(); ++i) {
            const std::int32_t parent = rig_.skeleton.bones[rig_.order[i]].parent;
            number_of_bone_[rig_.order[i]] = static_cast<std::uint32_t>(i);
            parent_.push_back(parent < 0 ? -1 : static_cast<std::int32_t>(number_of_bone_[static_cast<std::size_t>(parent)]));
        }
    }
    /// A root at the origin behind all others, for what stands still.
    std::uint32_t made_bone() {
        if (rig_.order.size() == rig_.skeleton.bones.size()) {
            rig_.order.push_back(kNoBone);
            parent_.push_back(-1);
        }
        return static_cast<std::uint32_t>(rig_.order.size() - 1);
    }
    [[nodiscard]] std::string name_of(std::size_t number) const {
        return rig_.order[number] == kNoBone ? "root" : model_.nodes[rig_.skeleton.bones[rig_.order[number]].node.value].name;
    }

    void gather(std::uint32_t index, const pass::InstanceBinder& binder) {
        const model::MeshInstance& instance = model_.instances[index];
        const model::Mesh& mesh = model_.meshes[instance.mesh.value];
        if (mesh.polygon_count() == 0) {
            report_.add(IssueId::MESH_EMPTY, core::Place{{}, instance.name, std::nullopt, std::nullopt});
            return;
        }
        pass::BoundInstance bound = binder.bind(instance, report_);
        if (bound.number == pass::BoundInstance::kNothing) {
            bound.number = made_bone();
        }
        pass::BoundTriangleStats stats;
        pass::BoundFindings findings;
        findings.bone = name_of(bound.number);
        std::vector<std::uint32_t> point_of(mesh.points.size(), kNoBone);
        pass::bound_triangles(mesh, bound, options_.normals, stats, [&](const pass::BoundTriangle& triangle) {
            RigTriangle out;
            for (std::size_t k = 0; k < 3; ++k) {
                std::uint32_t& p = point_of[triangle.points[k]];
                if (p == kNoBone) {
                    p = point(mesh, bound, triangle.points[k], index, findings);
                }
                out.points[k] = p;
            }
            out.normals = triangle.normals;
            out.uvs = triangle.uvs;
            out.material = triangle.slot < instance.materials.size() ? instance.materials[triangle.slot] : model::MaterialId{};
            rig_.triangles.push_back(out);
        });
        pass::report_bound(instance, stats, findings, report_);
    }

    std::uint32_t point(const model::Mesh& mesh, const pass::BoundInstance& bound, std::uint32_t p, std::uint32_t instance, pass::BoundFindings& findings) {
        std::vector<pass::BoundWeight> list = pass::bound_weights(mesh, bound, p);
        if (list.empty()) {
            findings.unweighted += bound.of_cluster.empty() ? 0u : 1u;
            list.push_back({bound.number, 1, transform_point(mesh.points[p], bound.placement)});
        }
        Vec3 at;
        for (const pass::BoundWeight& w : list) {
            at += w.image * w.weight;
        }
        if (!is_finite(at)) {
            ++findings.non_finite;
            at = {};
            for (pass::BoundWeight& w : list) {
                w.image = {};
            }
        }
        RigPoints& points = rig_.points;
        points.positions.push_back(at);
        points.weights.insert(points.weights.end(), list.begin(), list.end());
        points.first.push_back(static_cast<std::uint32_t>(points.weights.size()));
        points.instance.push_back(instance);
        points.mesh_point.push_back(p);
        points.place.push_back(static_cast<std::uint32_t>(points.place.size()));
        return points.place.back();
    }

    /// Takes away the leaf that carries the least weight, the last of several, until few enough bones are left.
    core::Result<void> collapse() {
        const std::size_t count = rig_.order.size();
        std::vector<double> carried(count, 0.0);
        for (const pass::BoundWeight& w : rig_.points.weights) {
            carried[w.number] += w.weight;
        }
        std::vector<std::uint32_t> children(count, 0);
        for (const std::int32_t parent : parent_) {
            if (parent >= 0) {
                ++children[static_cast<std::size_t>(parent)];
            }
        }
        std::vector<bool> gone(count, false);
        std::string names;
        std::size_t left = count;
        for (; options_.max_bones != 0 && left > options_.max_bones; --left) {
            std::size_t least = count;
            for (std::size_t i = 0; i < count; ++i) {
                if (!gone[i] && children[i] == 0 && parent_[i] >= 0 && (least == count || carried[i] <= carried[least])) {
                    least = i;
                }
            }
            if (least == count) {
                return core::fail(core::Code::CannotConvert, {}, "bones without parent cannot be collapsed", std::to_string(left),
                                  "at most " + std::to_string(options_.max_bones), "put the roots below one bone in the source");
            }
            const auto parent = static_cast<std::size_t>(parent_[least]);
            gone[least] = true;
            carried[parent] += carried[least];
            --children[parent];
            names += (names.empty() ? "" : ", ") + name_of(least);
        }
        if (left != count) {
            report_.add(IssueId::PS1_COLLAPSED, {}, {{"count", std::to_string(count - left)}, {"bones", names}});
        }
        rig_.bone_of_number.resize(count);
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            rig_.bone_of_number[i] = gone[i] ? rig_.bone_of_number[static_cast<std::size_t>(parent_[i])] : next++;
            if (!gone[i]) {
                kept_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        return {};
    }

    void bones() {
        for (const std::uint32_t number : kept_) {
            RigBone bone;
            bone.source = rig_.order[number];
            bone.name = name_of(number);
            bone.parent = parent_[number] < 0 ? -1 : static_cast<std::int32_t>(rig_.bone_of_number[static_cast<std::size_t>(parent_[number])]);
            if (bone.source != kNoBone) {
                place(bone, rig_.skeleton.bones[bone.source].bind_model);
            }
            rig_.bones.push_back(std::move(bone));
        }
    }

    void place(RigBone& bone, const Mat4& bind) {
        bone.rotation = pass::nearest_rotation(bind).value_or(model::Quat{});
        bone.origin = transform_point(Vec3{}, bind);
        Mat4 rigid = to_matrix(model::Transform{bone.origin, bone.rotation, {1, 1, 1}});
        for (std::size_t r = 0; r < 3; ++r) {
            const double size = length(Vec3{bind.m[4 * r], bind.m[4 * r + 1], bind.m[4 * r + 2]});
            if (std::fabs(size - 1) > 0.02) {
                report_.add(IssueId::PS1_BIND_SCALE, {}, {{"bone", bone.name}, {"scale", core::number_text(runtime::exact::rint(size * 1000) / 1000)}});
                break;
            }
        }
        Mat4 inverse;
        const bool scaled = options_.keep_bind_scale && inverse_affine(bind, inverse);
        if (!scaled) {
            static_cast<void>(inverse_affine(rigid, inverse));   // a rotation always has one
        }
        bone.to_bone = inverse;
        bone.translation = bone.parent < 0 ? bone.origin : transform_point(bone.origin, rig_.bones[static_cast<std::size_t>(bone.parent)].to_bone);
    }

    void choose() {
        RigPoints& points = rig_.points;
        std::vector<double> weight(rig_.bones.size(), 0.0);
        for (std::size_t p = 0; p < points.positions.size(); ++p) {
            const std::span<const pass::BoundWeight> list = std::span(points.weights).subspan(points.first[p], points.first[p + 1] - points.first[p]);
            for (const pass::BoundWeight& w : list) {
                weight[rig_.bone_of_number[w.number]] += w.weight;
            }
            std::uint32_t chosen = rig_.bone_of_number[list.front().number];
            for (const pass::BoundWeight& w : list) {
                const std::uint32_t bone = rig_.bone_of_number[w.number];
                chosen = weight[bone] > weight[chosen] || (weight[bone] == weight[chosen] && bone < chosen) ? bone : chosen;
            }
            Vec3 image;
            for (const pass::BoundWeight& w : list) {
                if (rig_.bone_of_number[w.number] == chosen) {
                    image += w.image * (w.weight / weight[chosen]);
                }
            }
            points.bone.push_back(chosen);
            points.image.push_back(image);
            for (const pass::BoundWeight& w : list) {
                weight[rig_.bone_of_number[w.number]] = 0;
            }
        }
    }

    const model::Model& model_;
    const RigOptions& options_;
    core::Report& report_;
    Rig rig_;
    std::vector<std::uint32_t> number_of_bone_;
    std::vector<std::int32_t> parent_;       // of each number
    std::vector<std::uint32_t> kept_;        // numbers
};

}  // namespace

std::uint32_t RigPoints::add(const Vec3& position, const Vec3& at_bind, std::uint32_t of_bone, const RigPoints& others, std::uint32_t like) {
    const std::uint32_t of_instance = others.instance[like];
    const std::uint32_t of_mesh = others.mesh_point[like];
    positions.push_back(position);
    first.push_back(static_cast<std::uint32_t>(weights.size()));
    bone.push_back(of_bone);
    image.push_back(at_bind);
    place.push_back(static_cast<std::uint32_t>(place.size()));
    instance.push_back(of_instance);
    mesh_point.push_back(of_mesh);
    return place.back();
}

core::Result<Rig> make_rig(const model::Model& model, const RigOptions& options, const core::Limits& limits, core::Report& report) {
    return RigMaker(model, options, report).run(limits);
}

}  // namespace gomkit::ps1
