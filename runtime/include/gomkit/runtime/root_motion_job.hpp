#pragma once
// Root motion (gom.md 10): the way a clip's root makes over the ground, taken out of the pose and given to the instance instead.
//
//     RootMotionContext context;                                                      // once a clip
//     context.bind(model, clip);
//     SampleJob{...}.run();                                                           // every frame
//     RootMotionJob{.context = &context, .from_seconds = before, .to_seconds = now, .pose = locals, .delta = &delta}.run();
//     instance_to_world = to_matrix(delta) * instance_to_world;

#include <cstdint>
#include <span>

#include "gomkit/runtime/math.hpp"
#include "gomkit/runtime/model_view.hpp"
#include "gomkit/runtime/pose.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

// A turn about the Y axis, then a shift along X and Z: R * T, in double so that many of them in a row stay exact.
struct GroundMotion {
    double yaw_y = 0;  // the turn as the quaternion (0, yaw_y, 0, yaw_w), of unit length
    double yaw_w = 1;
    double x = 0;  // metres
    double z = 0;
    friend constexpr bool operator==(const GroundMotion&, const GroundMotion&) = default;
};

// Applies a, then b.
[[nodiscard]] GroundMotion operator*(const GroundMotion& a, const GroundMotion& b) noexcept;
[[nodiscard]] GroundMotion inverse(const GroundMotion& a) noexcept;
// a applied `exponent` times; its inverse where that is negative.
[[nodiscard]] GroundMotion power(const GroundMotion& a, std::int64_t exponent) noexcept;
[[nodiscard]] Mat4d to_matrix(const GroundMotion& a) noexcept;

// What a local transform says of the way over the ground, M in gom.md 10: its yaw, normalize(0, q.y, 0, q.w) or the identity when
// both are 0, followed by its X and Z.
[[nodiscard]] GroundMotion ground_motion(const Quatd& rotation, const Vec3d& translation) noexcept;

// The root's keys of one clip. A value without memory of its own that refers to the file's bytes; may be read by any number of threads.
class RootMotionContext {
public:
    RootMotionContext() noexcept = default;

    // Walks the clip's tracks. `clip` may come from another file (MTA). BadBoneIndex: the root is no bone of the model.
    [[nodiscard]] Status bind(const ModelView& model, const ClipView& clip) noexcept;

    // Whether the clip has root motion: bit 0 is set, rootBoneIndex names a bone without parent. Else all motions are the identity and
    // poses stay as they are.
    [[nodiscard]] bool is_effective() const noexcept { return is_effective_; }
    [[nodiscard]] std::uint32_t bone_index() const noexcept { return bone_index_; }
    [[nodiscard]] const ClipView& clip() const noexcept { return clip_; }

    // N(t) = inverse(M(0)) * M(t), t being a time within the clip (before 0 as at 0, after the end as at the end; no loop rule).
    [[nodiscard]] GroundMotion at(float time_seconds) const noexcept;
    // From one time within the clip to another, with the end passed `loop_count` times in between (backwards: the start, negative):
    // N(to) * N(duration)^loop_count * inverse(N(from)).
    [[nodiscard]] GroundMotion delta(float from_seconds, float to_seconds, std::int64_t loop_count) const noexcept;
    // local(t) * inverse(N(t)): the root with the yaw and X/Z of time 0. `root` was sampled at that time within the clip.
    void take_out(float time_seconds, BoneLocal& root) const noexcept;

private:
    [[nodiscard]] bool moves() const noexcept { return track_.translation_count() != 0 || track_.rotation_count() != 0; }
    [[nodiscard]] GroundMotion sample(float time_seconds) const noexcept;

    ClipView clip_;
    TrackView track_;
    Transformd bind_;       // of the root, for channels without keys
    GroundMotion start_;    // inverse(M(0))
    GroundMotion circuit_;  // N(duration)
    std::uint32_t bone_index_ = 0;
    bool is_effective_ = false;
};

// The delta between two times, and the pose that is left at the second. Times are those given to SampleJob, before the loop rule: a looping
// clip passes its end as often as they say. Time: O(log keys), O(log loops).
struct RootMotionJob {
    static constexpr std::int64_t kMaxLoops = std::int64_t{1} << 40;

    const RootMotionContext* context = nullptr;
    float from_seconds = 0;          // finite
    float to_seconds = 0;            // finite; before from_seconds when playing backwards
    std::int64_t loop_count = 0;     // added to what the times say, for callers that keep theirs within the clip
    std::span<BoneLocal> pose = {};  // sampled from the clip at to_seconds: its root loses its motion. Empty: none
    GroundMotion* delta = nullptr;   // world' = delta * world; null: not wanted

    // BadArgument: no context, or more than kMaxLoops passed. NonFinite: a time. WrongSize: a pose that does not reach the root.
    [[nodiscard]] Status validate() const noexcept;
    // validate(), then the work. On failure nothing is written.
    [[nodiscard]] Status run() const noexcept;
};

}  // namespace gomkit::runtime
