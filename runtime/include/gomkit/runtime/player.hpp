#pragma once
// Plays the clips of a model and of motions for one instance: time, loops, cross-fades, root motion. A convenience over SampleJob,
// BlendJob and RootMotionJob; it lives in memory of the caller's.
//
//     Player player;
//     player.init(model, motions, memory_of(Player::required_bytes(model, motions)));
//     player.play(player.find_clip("walk"), {.fade_seconds = 0.2F});
//     player.update(1.0F / 60.0F);                                                 // every frame
//     instance_to_world = to_matrix(player.root_motion_delta()) * instance_to_world;
//     LocalToModelJob{.model = &model, .locals = player.pose(), ...}.run();

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gomkit/runtime/model_view.hpp"
#include "gomkit/runtime/motion_view.hpp"
#include "gomkit/runtime/pose.hpp"
#include "gomkit/runtime/root_motion_job.hpp"
#include "gomkit/runtime/sample_job.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

enum class Repeat : std::uint8_t {
    AsClip,  // what the clip's Loop flag says
    Once,    // stops at the end (backwards: at the start) and holds the last pose
    Loop,
};

struct PlayOptions {
    float fade_seconds = 0;  // over which the pose goes from what is shown to the clip; 0: at once
    float speed = 1;         // seconds of the clip a second; negative: backwards
    float start_seconds = 0;
    Repeat repeat = Repeat::AsClip;
};

// All times are in seconds and must be finite. Until init() it has no bones and no clips. One player is for one thread at a time; models,
// motions and the memory must stay in place while it is used.
class Player {
public:
    static constexpr std::size_t kAlignment = SampleContext::kAlignment;  // start of the memory: a multiple of this

    Player() noexcept = default;
    Player(const Player&) = delete;  // two would write to one memory
    Player& operator=(const Player&) = delete;

    // Bytes that init() asks for: enough for the clip that needs most. Walks all clips.
    [[nodiscard]] static std::size_t required_bytes(const ModelView& model, std::span<const MotionView* const> motions) noexcept;

    // Shows the bind pose. Fails as match() does when the motions are not for this model; WrongSize or Misaligned: the memory. On
    // failure it has no bones and no clips.
    [[nodiscard]] Status init(const ModelView& model, std::span<const MotionView* const> motions,
                              std::span<std::byte> memory) noexcept;

    // The model's clips in its order, then those of each motion.
    [[nodiscard]] std::uint32_t clip_count() const noexcept { return clip_count_; }
    [[nodiscard]] ClipView clip(std::uint32_t index) const noexcept;              // empty where there is none
    [[nodiscard]] std::uint32_t find_clip(std::string_view name) const noexcept;  // or clip_count()
    [[nodiscard]] std::uint32_t bone_count() const noexcept { return static_cast<std::uint32_t>(bind_.size()); }

    // Starts a clip, as from the next update() on; pose() shows its start (fading: what was shown before). With a fade the clip before
    // goes on playing underneath until the fade is over; a fade that is cut short goes on from the pose it had reached. Out of nothing
    // there is no fade. BadArgument: index or options; nothing changes then.
    [[nodiscard]] Status play(std::uint32_t clip_index, const PlayOptions& options) noexcept;
    // Back to the bind pose, at once.
    void stop() noexcept;

    // Goes on by `seconds`, at least 0, times the speed. BadArgument: seconds, or more than RootMotionJob::kMaxLoops rounds of
    // a clip; nothing changes then.
    [[nodiscard]] Status update(float seconds) noexcept;

    // The pose after the last call, bone_count() elements in the caller's memory.
    [[nodiscard]] std::span<const BoneLocal> pose() const noexcept { return is_playing() ? voices_[current_].pose : bind_; }

    // Whether root motion is taken out of the pose (false at first: the clip moves its root itself). Applies from the next update() on.
    void set_takes_root_motion(bool takes) noexcept { takes_root_motion_ = takes; }
    [[nodiscard]] bool takes_root_motion() const noexcept { return takes_root_motion_; }
    // What the last update() moved the instance by: world' = delta * world. While fading, both clips' deltas by their weights. The identity
    // after all other calls, and for clips without effective root motion.
    [[nodiscard]] const GroundMotion& root_motion_delta() const noexcept { return delta_; }

    [[nodiscard]] bool is_playing() const noexcept { return voices_[current_].is_used; }
    [[nodiscard]] std::uint32_t clip_index() const noexcept { return clip_index_; }  // of the last play(); clip_count(): none
    [[nodiscard]] float time_seconds() const noexcept;                               // within the clip
    [[nodiscard]] Status set_time(float seconds) noexcept;  // without root motion; BadArgument: not finite
    [[nodiscard]] float speed() const noexcept { return voices_[current_].speed; }
    [[nodiscard]] Status set_speed(float speed) noexcept;  // BadArgument: not finite
    // The clip does not repeat and has come to its end.
    [[nodiscard]] bool is_finished() const noexcept;
    // The weight of the clip of the last play() in the pose: 1 when its fade is over.
    [[nodiscard]] float fade_weight() const noexcept { return weight_; }

private:
    // One clip being played, or a pose that stands still.
    struct Voice {
        SampleContext context;
        RootMotionContext root;
        std::span<std::byte> memory;
        std::span<BoneLocal> pose;
        double time = 0;  // within the clip
        float duration = 0;
        float speed = 1;
        bool is_used = false;
        bool is_still = false;  // the pose stays as it is
        bool repeats = false;
    };

    [[nodiscard]] static bool can_advance(const Voice& voice, float seconds) noexcept;
    // Moves the time; the number of rounds completed.
    static std::int64_t advance(Voice& voice, double step) noexcept;
    [[nodiscard]] static float sample_time(const Voice& voice) noexcept;
    void evaluate() noexcept;

    const ModelView* model_ = nullptr;
    std::span<const MotionView*> motions_;
    std::span<BoneLocal> bind_;
    Voice voices_[2];  // [current_], and what it fades from
    GroundMotion delta_;
    double fade_seconds_ = 0;
    double fade_elapsed_ = 0;
    float weight_ = 1;
    std::uint32_t current_ = 0;
    std::uint32_t clip_count_ = 0;
    std::uint32_t clip_index_ = 0;
    bool takes_root_motion_ = false;
};

}  // namespace gomkit::runtime
