#include "gomkit/runtime/sample_job.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "cast.hpp"
#include "lanes.hpp"
#include "sample_blocks.hpp"

namespace gomkit::runtime {
namespace detail {
namespace {

// A stored rotation in its reader's own copy: of length 1 to the last bit but one, whatever length it had.
Quatf unit_quaternion(const Quatf& stored) noexcept { return narrow(normalized(widen(stored))); }

}  // namespace

#define GOMKIT_RUNTIME_KERNEL "sample_kernel.inl"
#include "each_path.inl"

namespace {

struct Counts {
    std::uint64_t animated[kChannels] = {};  // channels of two keys or more: translations, rotations, scales
    std::uint64_t constants = 0;
    std::uint64_t bytes = 0;
};

constexpr std::uint64_t blocks_of(std::uint64_t channels) noexcept { return (channels + kBlockLanes - 1) / kBlockLanes; }

Counts count(std::uint64_t bone_count, const ClipView& clip) noexcept {
    Counts out;
    for (const TrackView track : clip.tracks()) {
        out.animated[0] += track.translation_count() > 1 ? 1U : 0U;
        out.animated[1] += track.rotation_count() > 1 ? 1U : 0U;
        out.animated[2] += track.scale_count() > 1 ? 1U : 0U;
    }
    const std::uint64_t animated = out.animated[0] + out.animated[1] + out.animated[2];
    const std::uint64_t slots = bone_count * kChannels;
    out.constants = slots > animated ? slots - animated : 0;  // a clip with more is refused by bind()
    out.bytes = sizeof(SampleMemory) + (blocks_of(out.animated[0]) + blocks_of(out.animated[2])) * sizeof(VectorBlock) +
                blocks_of(out.animated[1]) * sizeof(RotationBlock) + out.constants * (16 + sizeof(std::uint32_t)) +
                bone_count;  // one byte a bone: what bind() knows of it
    return out;
}

// Fills lanes one after the other.
template <class Block>
class LaneWriter {
public:
    explicit LaneWriter(Block* blocks) noexcept : block_(blocks) {}

    void add(std::span<const std::byte> keys, std::size_t stride, std::uint32_t key_count, std::uint32_t slot) noexcept {
        if (used_ == kBlockLanes) {
            ++block_;
            used_ = 0;
        }
        const float first = load_le<float>(keys.data());
        const float last = load_le<float>(keys.data() + std::size_t{key_count - 1} * stride);
        // A guess only: any number will do.
        const double rate = static_cast<double>(key_count - 1) / (static_cast<double>(last) - static_cast<double>(first));
        auto greatest = static_cast<float>(key_count - 2);
        if (static_cast<double>(greatest) > static_cast<double>(key_count - 2)) greatest = exact::nextafter(greatest, 0.0F);
        for (std::size_t i = used_; i < kBlockLanes; ++i) {
            block_->begin[i] = std::numeric_limits<float>::infinity();  // holds at no time
            block_->end[i] = -std::numeric_limits<float>::infinity();
            block_->length[i] = 0.0F;
            block_->lanes.keys[i] = keys.data();
            block_->lanes.last_segment[i] = key_count - 2;
            block_->lanes.segment[i] = 0;
            block_->lanes.first_time[i] = first;
            block_->lanes.segments_per_second[i] = rate < 1e30 ? static_cast<float>(rate) : 1e30F;
            block_->lanes.greatest_guess[i] = greatest;
            block_->lanes.pose_offset[i] = 16 * slot;
        }
        ++used_;
    }

private:
    Block* block_;
    std::size_t used_ = 0;
};

// What bind() knows of a bone; bits 0 to 2: its channels that move.
constexpr unsigned kKeyed = 1U << 6;
constexpr unsigned kHasTrack = 1U << 7;

}  // namespace
}  // namespace detail

Status bind_pose(const ModelView& model, std::span<BoneLocal> out) noexcept {
    if (out.size() != model.bone_count()) return Status::WrongSize;
    for (std::uint32_t i = 0; i < model.bone_count(); ++i) {
        const Transformd local = decompose(matrix_cast<double>(model.bind_local(i)));
        BoneLocal bone;
        bone.translation = detail::narrow(local.translation);
        bone.rotation = detail::narrow(local.rotation);
        bone.scale = detail::narrow(local.scale);
        out[i] = bone;
    }
    return Status::Ok;
}

float clip_time(const ClipView& clip, float time_seconds) noexcept {
    if (!clip.is_looping()) return time_seconds;
    const float duration = clip.duration_seconds();
    if (!(duration > 0.0F)) return 0.0F;
    if (time_seconds >= 0.0F && time_seconds < duration) return time_seconds;
    double t = exact::fmod(static_cast<double>(time_seconds), static_cast<double>(duration));
    if (t < 0.0) t += static_cast<double>(duration);
    const auto rounded = static_cast<float>(t);
    return rounded < duration ? rounded + 0.0F : 0.0F;  // + 0: no -0
}

std::size_t SampleContext::required_bytes(const ModelView& model, const ClipView& clip) noexcept {
    const std::uint64_t bytes = detail::count(model.bone_count(), clip).bytes;
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    return bytes < kMost ? static_cast<std::size_t>(bytes) : kMost;
}

Status SampleContext::bind(const ModelView& model, const ClipView& clip, std::span<const BoneLocal> bind_pose,
                           std::span<std::byte> memory) noexcept {
    using namespace detail;
    *this = {};
    const std::uint32_t bones = model.bone_count();
    const Counts counts = count(bones, clip);
    if (bind_pose.size() != bones || memory.size() < counts.bytes) return Status::WrongSize;
    if (reinterpret_cast<std::uintptr_t>(memory.data()) % kAlignment != 0) return Status::Misaligned;
    for (const TrackView track : clip.tracks())
        if (track.bone_index() >= bones) return Status::BadBoneIndex;

    SampleMemory head{};
    head.clip_offset = clip.byte_offset();
    head.clip_name = clip.name().data();
    head.bone_count = bones;
    head.track_count = clip.track_count();
    head.translation_blocks = static_cast<std::uint32_t>(blocks_of(counts.animated[0]));
    head.scale_blocks = static_cast<std::uint32_t>(blocks_of(counts.animated[2]));
    head.rotation_blocks = static_cast<std::uint32_t>(blocks_of(counts.animated[1]));
    head.constant_count = static_cast<std::uint32_t>(counts.constants);
    std::memcpy(memory.data(), &head, sizeof head);
    auto& at = *reinterpret_cast<SampleMemory*>(memory.data());
    float* constants = at.constants();
    std::uint32_t* slots = at.constant_slots();
    auto* known = reinterpret_cast<std::byte*>(slots + counts.constants);
    std::memset(known, 0, bones);

    // Tracks may come in any order: first who has one, and what of it moves.
    LaneWriter<VectorBlock> translations(at.vectors()), scales(at.vectors() + head.translation_blocks);
    LaneWriter<RotationBlock> rotations(at.rotations());
    for (const TrackView track : clip.tracks()) {
        std::byte& bone = known[track.bone_index()];
        if (bone != std::byte{0}) return Status::DuplicateTrack;
        const std::uint32_t slot = track.bone_index() * kChannels;
        unsigned bits = kHasTrack;
        if (track.translation_count() != 0 || track.rotation_count() != 0 || track.scale_count() != 0) bits |= kKeyed;
        if (track.translation_count() > 1) {
            translations.add(track.translation_bytes(), layout::clp0::kVectorKeySize, track.translation_count(), slot);
            bits |= 1U << 0;
        }
        if (track.rotation_count() > 1) {
            rotations.add(track.rotation_bytes(), layout::clp0::kRotationKeySize, track.rotation_count(), slot + 1);
            bits |= 1U << 1;
        }
        if (track.scale_count() > 1) {
            scales.add(track.scale_bytes(), layout::clp0::kVectorKeySize, track.scale_count(), slot + 2);
            bits |= 1U << 2;
        }
        bone = static_cast<std::byte>(bits);
    }

    // What does not move, in the order of slots: bind values, then single keys in their place.
    std::uint32_t written = 0;
    for (std::uint32_t i = 0; i < bones; ++i) {
        const auto bits = static_cast<unsigned>(known[i]);
        BoneLocal local = bind_pose[i];
        local.is_keyed = (bits & kKeyed) != 0 ? 1 : 0;
        local.reserved = 0;
        for (std::uint32_t channel = 0; channel < kChannels; ++channel) {
            if ((bits >> channel & 1U) != 0) continue;
            std::memcpy(constants + std::size_t{4} * written,
                        reinterpret_cast<const std::byte*>(&local) + std::size_t{16} * channel, 16);
            slots[written++] = i * kChannels + channel;
        }
    }
    const auto set = [=](std::uint32_t slot, const void* value, std::size_t size) noexcept {
        const std::uint32_t* found = std::lower_bound(slots, slots + written, slot);
        std::memcpy(constants + 4 * (found - slots), value, size);
    };
    for (const TrackView track : clip.tracks()) {
        const std::uint32_t slot = track.bone_index() * kChannels;
        if (track.translation_count() == 1) {
            const Vec3f value = track.translation(0).value;
            set(slot, &value, sizeof value);
        }
        if (track.rotation_count() == 1) {
            const Quatf value = unit_quaternion(track.rotation(0).value);
            set(slot + 1, &value, sizeof value);
        }
        if (track.scale_count() == 1) {
            const Vec3f value = track.scale(0).value;
            set(slot + 2, &value, sizeof value);
        }
    }
    memory_ = memory.data();
    clip_ = clip;
    bone_count_ = bones;
    return Status::Ok;
}

Status SampleJob::validate() const noexcept {
    if (context == nullptr || context->memory_ == nullptr) return Status::NotBound;
    const auto& at = *reinterpret_cast<const detail::SampleMemory*>(context->memory_);
    const ClipView& clip = context->clip_;
    if (at.clip_offset != clip.byte_offset() || at.clip_name != clip.name().data() || at.track_count != clip.track_count() ||
        at.bone_count != context->bone_count_)
        return Status::NotBound;
    if (output.size() != at.bone_count) return Status::WrongSize;
    if (!(std::fabs(time_seconds) <= std::numeric_limits<float>::max())) return Status::NonFinite;
    return Status::Ok;
}

Status SampleJob::run() const noexcept {
    if (const Status status = validate(); status != Status::Ok) return status;
    auto& memory = *reinterpret_cast<detail::SampleMemory*>(context->memory_);
    const float time = clip_time(context->clip_, time_seconds);
    auto* pose = reinterpret_cast<std::byte*>(output.data());
    GOMKIT_RUNTIME_ON_PATH(path, sample(memory, time, pose));
    return Status::Ok;
}

}  // namespace gomkit::runtime
