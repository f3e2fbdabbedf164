#include "gomkit/runtime/root_motion_job.hpp"

#include <cmath>
#include <cstddef>

#include "cast.hpp"
#include "gomkit/runtime/sample_job.hpp"

namespace gomkit::runtime {
namespace {

namespace clp0 = layout::clp0;

double f64(const std::byte* at) noexcept { return static_cast<double>(load_le<float>(at)); }

// Two neighbouring keys and how far the time is from the first to the second; outside the keys both are the outermost one.
struct Between {
    const std::byte* a;
    const std::byte* b;
    double part;
};

Between find_keys(std::span<const std::byte> keys, std::size_t stride, double time) noexcept {
    // Keys before `low` are at or before the time, those from `high` on after it.
    std::size_t low = 0, high = keys.size() / stride;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (f64(keys.data() + middle * stride) <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const std::byte* after = keys.data() + low * stride;
    if (low == 0) return {after, after, 0.0};
    const std::byte* before = after - stride;
    if (low == keys.size() / stride) return {before, before, 0.0};
    return {before, after, (time - f64(before)) / (f64(after) - f64(before))};
}

Vec3d vector_at(const std::byte* key) noexcept {
    const std::byte* v = key + clp0::kKeyValue;
    return {f64(v), f64(v + 4), f64(v + 8)};
}

Quatd rotation_at(const std::byte* key) noexcept {
    const std::byte* q = key + clp0::kKeyValue;
    return normalized(Quatd{f64(q), f64(q + 4), f64(q + 8), f64(q + 12)});
}

// The yaw's effect on a point of the ground.
void turn(const GroundMotion& by, double& x, double& z) noexcept {
    const double cosine = by.yaw_w * by.yaw_w - by.yaw_y * by.yaw_y;
    const double sine = 2.0 * by.yaw_w * by.yaw_y;
    const double turned = x * cosine + z * sine;
    z = z * cosine - x * sine;
    x = turned;
}

// How often the loop rule takes the duration off a time.
double loops_of(const ClipView& clip, float time_seconds) noexcept {
    if (!clip.is_looping() || !(clip.duration_seconds() > 0.0F)) return 0.0;
    const double within = static_cast<double>(clip_time(clip, time_seconds));
    return exact::rint((static_cast<double>(time_seconds) - within) / static_cast<double>(clip.duration_seconds()));
}

double loops_between(const RootMotionJob& job) noexcept {
    const ClipView& clip = job.context->clip();
    return loops_of(clip, job.to_seconds) - loops_of(clip, job.from_seconds) + static_cast<double>(job.loop_count);
}

}  // namespace

GroundMotion operator*(const GroundMotion& a, const GroundMotion& b) noexcept {
    GroundMotion out;
    out.yaw_y = b.yaw_w * a.yaw_y + b.yaw_y * a.yaw_w;
    out.yaw_w = b.yaw_w * a.yaw_w - b.yaw_y * a.yaw_y;
    const double length = std::sqrt(out.yaw_y * out.yaw_y + out.yaw_w * out.yaw_w);
    out.yaw_y /= length;
    out.yaw_w /= length;
    out.x = a.x;
    out.z = a.z;
    turn(b, out.x, out.z);
    out.x += b.x;
    out.z += b.z;
    return out;
}

GroundMotion inverse(const GroundMotion& a) noexcept {
    GroundMotion out{-a.yaw_y, a.yaw_w, -a.x, -a.z};
    turn(out, out.x, out.z);
    return out;
}

GroundMotion power(const GroundMotion& a, std::int64_t exponent) noexcept {
    GroundMotion square = exponent < 0 ? inverse(a) : a;
    std::uint64_t left = exponent < 0 ? ~static_cast<std::uint64_t>(exponent) + 1 : static_cast<std::uint64_t>(exponent);
    GroundMotion out;
    for (; left != 0; left >>= 1) {
        if ((left & 1) != 0) out = out * square;
        if (left != 1) square = square * square;
    }
    return out;
}

Mat4d to_matrix(const GroundMotion& a) noexcept {
    return to_matrix(Transformd{{a.x, 0.0, a.z}, {0.0, a.yaw_y, 0.0, a.yaw_w}, {1.0, 1.0, 1.0}});
}

GroundMotion ground_motion(const Quatd& rotation, const Vec3d& translation) noexcept {
    const Quatd yaw = normalized(Quatd{0.0, rotation.y, 0.0, rotation.w});
    return {yaw.y, yaw.w, translation.x, translation.z};
}

// RootMotionContext

Status RootMotionContext::bind(const ModelView& model, const ClipView& clip) noexcept {
    *this = RootMotionContext{};
    const std::int32_t root = clip.root_bone_index();
    if (root >= 0 && static_cast<std::uint32_t>(root) >= model.bone_count()) return Status::BadBoneIndex;
    clip_ = clip;
    if (!clip.has_root_motion() || root < 0) return Status::Ok;
    bone_index_ = static_cast<std::uint32_t>(root);
    if (model.bone_parent(bone_index_) != layout::kNoParent) return Status::Ok;
    is_effective_ = true;
    bind_ = decompose(matrix_cast<double>(model.bind_local(bone_index_)));
    for (const TrackView track : clip.tracks())
        if (track.bone_index() == bone_index_) track_ = track;
    if (!moves()) return Status::Ok;
    start_ = inverse(sample(0.0F));
    circuit_ = at(clip.duration_seconds());
    return Status::Ok;
}

GroundMotion RootMotionContext::sample(float time_seconds) const noexcept {
    const auto time = static_cast<double>(time_seconds);
    Vec3d translation = bind_.translation;
    if (track_.translation_count() != 0) {
        const Between keys = find_keys(track_.translation_bytes(), clp0::kVectorKeySize, time);
        translation = lerp(vector_at(keys.a), vector_at(keys.b), keys.part);
    }
    Quatd rotation = bind_.rotation;
    if (track_.rotation_count() != 0) {
        const Between keys = find_keys(track_.rotation_bytes(), clp0::kRotationKeySize, time);
        rotation = slerp(rotation_at(keys.a), rotation_at(keys.b), keys.part);
    }
    return ground_motion(rotation, translation);
}

GroundMotion RootMotionContext::at(float time_seconds) const noexcept {
    if (!moves()) return {};
    return start_ * sample(time_seconds);
}

GroundMotion RootMotionContext::delta(float from_seconds, float to_seconds, std::int64_t loop_count) const noexcept {
    return at(to_seconds) * power(circuit_, loop_count) * inverse(at(from_seconds));
}

void RootMotionContext::take_out(float time_seconds, BoneLocal& root) const noexcept {
    if (!moves()) return;
    const GroundMotion back = inverse(at(time_seconds));
    double x = static_cast<double>(root.translation.x), z = static_cast<double>(root.translation.z);
    turn(back, x, z);
    root.translation.x = static_cast<float>(x + back.x);
    root.translation.z = static_cast<float>(z + back.z);
    const Quatd turned = multiply(Quatd{0.0, back.yaw_y, 0.0, back.yaw_w}, detail::widen(root.rotation));
    root.rotation = detail::narrow(turned);
    root.is_keyed = 1;
}

// RootMotionJob

Status RootMotionJob::validate() const noexcept {
    if (context == nullptr) return Status::BadArgument;
    if (!detail::is_finite(from_seconds) || !detail::is_finite(to_seconds))
        return Status::NonFinite;
    if (std::fabs(loops_between(*this)) > static_cast<double>(kMaxLoops)) return Status::BadArgument;
    if (!pose.empty() && context->is_effective() && context->bone_index() >= pose.size()) return Status::WrongSize;
    return Status::Ok;
}

Status RootMotionJob::run() const noexcept {
    if (const Status s = validate(); s != Status::Ok) return s;
    const float to = clip_time(context->clip(), to_seconds);
    if (delta != nullptr) {
        const float from = clip_time(context->clip(), from_seconds);
        *delta = context->delta(from, to, static_cast<std::int64_t>(loops_between(*this)));
    }
    if (!pose.empty() && context->is_effective()) context->take_out(to, pose[context->bone_index()]);
    return Status::Ok;
}

}  // namespace gomkit::runtime
