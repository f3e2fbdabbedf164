#include "gomkit/runtime/player.hpp"

#include <algorithm>
#include <cmath>

#include "cast.hpp"
#include "gomkit/runtime/blend_job.hpp"

namespace gomkit::runtime {
namespace {

using detail::is_finite;

std::size_t align(std::size_t size) noexcept { return (size + Player::kAlignment - 1) / Player::kAlignment * Player::kAlignment; }

// The caller's memory, part by part; every part starts at a multiple of kAlignment.
struct Plan {
    static constexpr std::size_t kPoses = 3;  // bind, and one a voice
    std::size_t pose = 0;
    std::size_t context = 0;
    std::size_t motions = 0;

    Plan(const ModelView& model, std::span<const MotionView* const> with) noexcept
        : pose(align(model.bone_count() * sizeof(BoneLocal))), motions(align(with.size() * sizeof(const MotionView*))) {
        const auto take = [&](const FileView& file) {
            for (const ClipView clip : file.clips())
                context = std::max(context, align(SampleContext::required_bytes(model, clip)));
        };
        take(model);
        for (const MotionView* motion : with) take(*motion);
    }
    [[nodiscard]] std::size_t total() const noexcept { return kPoses * pose + 2 * context + motions; }
};

GroundMotion mixed(const GroundMotion& a, const GroundMotion& b, double part) noexcept {
    const double sign = a.yaw_y * b.yaw_y + a.yaw_w * b.yaw_w < 0.0 ? -1.0 : 1.0;
    const double part_a = (1.0 - part) * sign;
    const Quatd yaw = normalized(Quatd{0.0, part_a * a.yaw_y + part * b.yaw_y, 0.0, part_a * a.yaw_w + part * b.yaw_w});
    return {yaw.y, yaw.w, a.x + (b.x - a.x) * part, a.z + (b.z - a.z) * part};
}

}  // namespace

std::size_t Player::required_bytes(const ModelView& model, std::span<const MotionView* const> motions) noexcept {
    return Plan(model, motions).total();
}

Status Player::init(const ModelView& model, std::span<const MotionView* const> motions, std::span<std::byte> memory) noexcept {
    model_ = nullptr;
    motions_ = {};
    bind_ = {};
    clip_count_ = 0;
    takes_root_motion_ = false;
    stop();
    if (const Status s = match(model, motions, nullptr); s != Status::Ok) return s;
    const Plan plan(model, motions);
    if (memory.size() < plan.total()) return Status::WrongSize;
    if (reinterpret_cast<std::uintptr_t>(memory.data()) % kAlignment != 0) return Status::Misaligned;

    std::byte* at = memory.data();
    const auto pose = [&] {
        const std::span<BoneLocal> out(reinterpret_cast<BoneLocal*>(at), model.bone_count());
        at += plan.pose;
        return out;
    };
    bind_ = pose();
    for (Voice& voice : voices_) {
        voice = Voice{};
        voice.pose = pose();
        voice.memory = {at, plan.context};
        at += plan.context;
    }
    motions_ = {reinterpret_cast<const MotionView**>(at), motions.size()};
    std::copy(motions.begin(), motions.end(), motions_.begin());
    model_ = &model;
    clip_count_ = model.clip_count();
    for (const MotionView* motion : motions) clip_count_ += motion->clip_count();
    stop();
    return bind_pose(model, bind_);
}

ClipView Player::clip(std::uint32_t index) const noexcept {
    if (index >= clip_count_) return {};
    if (index < model_->clip_count()) return model_->clip(index);
    index -= model_->clip_count();
    for (const MotionView* motion : motions_) {
        if (index < motion->clip_count()) return motion->clip(index);
        index -= motion->clip_count();
    }
    return {};
}

std::uint32_t Player::find_clip(std::string_view name) const noexcept {
    if (model_ == nullptr) return 0;
    std::uint32_t index = model_->find_clip(name);
    if (index != model_->clip_count()) return index;
    for (const MotionView* motion : motions_) {
        const std::uint32_t in_motion = motion->find_clip(name);
        index += in_motion;
        if (in_motion != motion->clip_count()) return index;
    }
    return index;
}

Status Player::play(std::uint32_t clip_index, const PlayOptions& options) noexcept {
    if (clip_index >= clip_count_ || !is_finite(options.fade_seconds) || options.fade_seconds < 0.0F ||
        !is_finite(options.speed) || !is_finite(options.start_seconds))
        return Status::BadArgument;
    const ClipView wanted = clip(clip_index);
    const bool fades = options.fade_seconds > 0.0F && is_playing();
    if (fades) {
        // A fade under way: the pose it has reached stands in this voice's memory.
        if (voices_[1 - current_].is_used) voices_[current_].is_still = true;
        current_ = 1 - current_;
    } else {
        voices_[1 - current_].is_used = false;
    }
    Voice& voice = voices_[current_];
    voice.is_used = false;
    if (const Status s = voice.context.bind(*model_, wanted, bind_, voice.memory); s != Status::Ok) return s;
    if (const Status s = voice.root.bind(*model_, wanted); s != Status::Ok) return s;
    voice.duration = wanted.duration_seconds();
    voice.speed = options.speed;
    voice.repeats = options.repeat == Repeat::AsClip ? wanted.is_looping() : options.repeat == Repeat::Loop;
    voice.is_used = true;
    voice.is_still = false;
    voice.time = 0.0;
    advance(voice, static_cast<double>(options.start_seconds));
    clip_index_ = clip_index;
    fade_seconds_ = static_cast<double>(options.fade_seconds);
    fade_elapsed_ = 0.0;
    weight_ = fades ? 0.0F : 1.0F;
    delta_ = {};
    evaluate();
    return Status::Ok;
}

void Player::stop() noexcept {
    for (Voice& voice : voices_) voice.is_used = false;
    clip_index_ = clip_count_;
    weight_ = 1.0F;
    delta_ = {};
}

Status Player::update(float seconds) noexcept {
    if (!is_finite(seconds) || seconds < 0.0F) return Status::BadArgument;
    for (const Voice& voice : voices_)
        if (!can_advance(voice, seconds)) return Status::BadArgument;
    GroundMotion deltas[2];
    for (std::size_t i = 0; i < 2; ++i) {
        Voice& voice = voices_[i];
        if (!voice.is_used || voice.is_still) continue;
        const float from = sample_time(voice);
        const std::int64_t rounds = advance(voice, static_cast<double>(seconds) * static_cast<double>(voice.speed));
        if (takes_root_motion_) deltas[i] = voice.root.delta(from, sample_time(voice), rounds);
    }
    if (voices_[1 - current_].is_used) {
        fade_elapsed_ += static_cast<double>(seconds);
        weight_ = static_cast<float>(std::min(fade_elapsed_ / fade_seconds_, 1.0));
        if (weight_ == 1.0F) voices_[1 - current_].is_used = false;
    }
    delta_ = mixed(deltas[1 - current_], deltas[current_], static_cast<double>(weight_));
    evaluate();
    return Status::Ok;
}

float Player::time_seconds() const noexcept { return is_playing() ? static_cast<float>(voices_[current_].time) : 0.0F; }

Status Player::set_time(float seconds) noexcept {
    if (!is_finite(seconds)) return Status::BadArgument;
    Voice& voice = voices_[current_];
    delta_ = {};
    if (!voice.is_used) return Status::Ok;
    voice.time = 0.0;
    advance(voice, static_cast<double>(seconds));
    evaluate();
    return Status::Ok;
}

Status Player::set_speed(float speed) noexcept {
    if (!is_finite(speed)) return Status::BadArgument;
    voices_[current_].speed = speed;
    return Status::Ok;
}

bool Player::is_finished() const noexcept {
    const Voice& voice = voices_[current_];
    if (!voice.is_used || voice.repeats) return false;
    return voice.speed < 0.0F ? voice.time <= 0.0 : voice.time >= static_cast<double>(voice.duration);
}

bool Player::can_advance(const Voice& voice, float seconds) noexcept {
    if (!voice.is_used || voice.is_still || !voice.repeats || !(voice.duration > 0.0F)) return true;
    const double step = static_cast<double>(seconds) * static_cast<double>(voice.speed);
    return std::fabs(step) / static_cast<double>(voice.duration) < static_cast<double>(RootMotionJob::kMaxLoops);
}

std::int64_t Player::advance(Voice& voice, double step) noexcept {
    const auto duration = static_cast<double>(voice.duration);
    const double time = voice.time + step;
    if (!voice.repeats) {
        voice.time = std::clamp(time, 0.0, duration);
        return 0;
    }
    if (!(duration > 0.0)) return 0;
    voice.time = exact::fmod(time, duration);
    if (voice.time < 0.0) voice.time += duration;
    double rounds = exact::rint((time - voice.time) / duration);
    if (static_cast<float>(voice.time) >= voice.duration) {
        voice.time = 0.0;
        rounds += 1.0;
    }
    return std::fabs(rounds) < 9e18 ? static_cast<std::int64_t>(rounds) : 0;
}

// The sampler takes the end of a looping clip for its start.
float Player::sample_time(const Voice& voice) noexcept {
    const auto time = static_cast<float>(voice.time);
    const bool would_wrap = time >= voice.duration && voice.context.clip().is_looping();
    return would_wrap ? exact::nextafter(voice.duration, 0.0F) : time;
}

void Player::evaluate() noexcept {
    for (Voice& voice : voices_) {
        if (!voice.is_used || voice.is_still) continue;
        const float time = sample_time(voice);
        (void)SampleJob{.context = &voice.context, .time_seconds = time, .output = voice.pose}.run();
        if (takes_root_motion_ && voice.root.is_effective()) voice.root.take_out(time, voice.pose[voice.root.bone_index()]);
    }
    const Voice& voice = voices_[current_];
    const Voice& before = voices_[1 - current_];
    if (voice.is_used && before.is_used) {
        const BlendLayer layers[] = {{.pose = before.pose, .weight = 1.0F - weight_}, {.pose = voice.pose, .weight = weight_}};
        (void)BlendJob{.bind = bind_, .layers = layers, .output = voice.pose}.run();
    }
}

}  // namespace gomkit::runtime
