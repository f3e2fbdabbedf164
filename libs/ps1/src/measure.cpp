#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <gomkit/core/parallel.hpp>
#include <gomkit/pass/measure_skeleton.hpp>

#include "pose.hpp"
#include "quantise.hpp"

namespace gomkit::ps1 {
namespace {

using model::Mat4;
using model::Vec3;

constexpr double kMostPlaces = 5e7;   // points times poses

Vec3s32 wide(const Vec3s16& v) { return {v[0], v[1], v[2]}; }

class Measurer {
public:
    Measurer(const model::Model& model, const Rig& rig, const Motion& motion, const Document& document, double unit)
        : model_(model), rig_(rig), motion_(motion), document_(document), unit_(unit) {
        for (std::size_t p = 0; p < rig.points.positions.size(); ++p) {
            local_.push_back(transform_point(rig.points.image[p], rig.bones[rig.points.bone[p]].to_bone));
        }
        for (const std::uint32_t bone : rig.order) {
            Mat4 inverse;
            if (bone != kNoBone) {
                static_cast<void>(inverse_affine(rig.skeleton.bones[bone].bind_model, inverse));   // a flat bone keeps the identity
            }
            from_bind_.push_back(inverse);
        }
    }

    Measured run(unsigned jobs) {
        struct Pose {
            ClipFrame at;
            double most = 0, sum = 0, fixed = 0;
        };
        std::vector<Pose> poses;
        for (const ClipFrame& at : frames_to_measure(motion_, local_.size())) {
            poses.push_back({at});
        }
        core::parallel_for(poses.size(), jobs, [&](std::size_t i) {
            Pose& pose = poses[i];
            const MotionClip& clip = motion_.clips[pose.at.clip];
            const MotionFrame& frame = clip.frames[pose.at.frame];
            const std::vector<Mat4> source = source_skin(clip, pose.at.frame);
            const std::vector<RigidPlacement> rigid = world_placements(rig_, motion_, frame);
            const std::vector<Placement> console = world_pose(document_, local_pose(document_, document_.clips[pose.at.clip], {pose.at.frame, 0}));
            for (std::size_t p = 0; p < local_.size(); ++p) {
                const std::uint32_t bone = rig_.points.bone[p];
                const Vec3 there = rotate(rigid[bone].rotation, local_[p]) + rigid[bone].origin;
                const double off = length(skinned(source, frame, p) - there);
                pose.most = std::max(pose.most, off);
                pose.sum += off;
                pose.fixed = std::max(pose.fixed, length(on_console(console[bone], local_[p]) - there));
            }
        });
        Measured out;
        double sum = 0;
        for (std::size_t p = 0; p < local_.size(); ++p) {   // bind
            const double off = length(rig_.points.positions[p] - rig_.points.image[p]);
            out.rigid_most = std::max(out.rigid_most, off);
            sum += off;
        }
        for (const Pose& pose : poses) {
            out.rigid_most = std::max(out.rigid_most, pose.most);
            out.fixed_most = std::max(out.fixed_most, pose.fixed);
            sum += pose.sum;
        }
        out.poses = poses.size() + 1;
        const double places = static_cast<double>(local_.size()) * static_cast<double>(out.poses);
        out.rigid_mean = places > 0 ? sum / places : 0;
        return out;
    }

private:
    /// Bind to now, in model space, of each number.
    [[nodiscard]] std::vector<Mat4> source_skin(const MotionClip& clip, std::size_t frame) const {
        std::vector<Mat4> out(rig_.order.size());
        if (clip.source == model::kNoIndex) {
            return out;
        }
        const std::vector<Mat4> bones = pass::bone_matrices(model_, rig_.skeleton, &model_.clips[clip.source], clip.times[frame]);
        for (std::size_t n = 0; n < out.size(); ++n) {
            if (rig_.order[n] != kNoBone) {
                out[n] = from_bind_[n] * bones[rig_.order[n]];
            }
        }
        return out;
    }

    [[nodiscard]] Vec3 skinned(const std::vector<Mat4>& skin, const MotionFrame& frame, std::size_t p) const {
        Vec3 out;
        for (std::uint32_t i = rig_.points.first[p]; i < rig_.points.first[p + 1]; ++i) {
            const pass::BoundWeight& w = rig_.points.weights[i];
            Vec3 at = transform_point(w.image, skin[w.number]);
            if (!frame.held.empty()) {
                at += frame.held[rig_.bone_of_number[w.number]];
            }
            out += at * w.weight;
        }
        return out;
    }

    [[nodiscard]] Vec3 on_console(const Placement& bone, const Vec3& local) const {
        const Vec3s32 turned = apply_matrix_lv(bone.r, wide(to_file(local, unit_)));
        const auto metres = [&](std::size_t c) { return -(static_cast<double>(turned[c]) + static_cast<double>(bone.t[c])) / unit_; };
        return {metres(0), metres(1), metres(2)};
    }

    const model::Model& model_;
    const Rig& rig_;
    const Motion& motion_;
    const Document& document_;
    double unit_;
    core::LargeVector<Vec3> local_;      // per point, in its bone's space
    std::vector<Mat4> from_bind_;        // model space to the bone's, of each number
};

}  // namespace

std::vector<ClipFrame> frames_to_measure(const Motion& motion, std::size_t places) {
    double frames = 0;
    for (const MotionClip& clip : motion.clips) {
        frames += static_cast<double>(clip.frames.size());
    }
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(frames * static_cast<double>(places) / kMostPlaces)));
    std::vector<ClipFrame> out;
    for (std::size_t c = 0; c < motion.clips.size(); ++c) {
        const std::size_t count = motion.clips[c].frames.size();
        for (std::size_t f = 0; f < count; f += step) {
            out.push_back({c, f});
        }
        if ((count - 1) % step != 0) {
            out.push_back({c, count - 1});
        }
    }
    return out;
}

Measured measure(const model::Model& model, const Rig& rig, const Motion& motion, const Document& document, double unit, unsigned jobs) {
    return Measurer(model, rig, motion, document, unit).run(jobs);
}

}  // namespace gomkit::ps1
