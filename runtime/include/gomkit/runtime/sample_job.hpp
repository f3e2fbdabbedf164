#pragma once
// A clip at a time: the local transform of every bone (gom.md 3, "Sampling" and "Channels without keys").
//
//     std::vector<BoneLocal> bind(model.bone_count());                 // once a model; any memory will do
//     bind_pose(model, bind);
//     SampleContext context;                                          // once an instance and clip
//     context.bind(model, clip, bind, memory_of(SampleContext::required_bytes(model, clip)));
//     SampleJob{.context = &context, .time_seconds = t, .output = locals}.run();   // every frame
//
// The result depends on the clip and the time alone, bit by bit: not on what was sampled before, the SimdPath, or the compiler.

#include <cstddef>
#include <cstdint>
#include <span>

#include "gomkit/runtime/model_view.hpp"
#include "gomkit/runtime/pose.hpp"
#include "gomkit/runtime/simd_path.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

// The pose without a clip: is_keyed is 0 everywhere, the members hold the decomposed bindLocal. `out` has exactly bone_count()
// elements, else Status::WrongSize.
[[nodiscard]] Status bind_pose(const ModelView& model, std::span<BoneLocal> out) noexcept;

// The time at which a clip is sampled when asked for `time_seconds`, by the loop rule of gom.md 3, "Sampling": without Loop the
// time itself, with it within [0, duration). `time_seconds` must be finite.
[[nodiscard]] float clip_time(const ClipView& clip, float time_seconds) noexcept;

// What one instance remembers about one clip: where the keys are, the key pairs in use, and the values that never change. It
// lives in memory of the caller's, which must stay untouched and in place while the context is used; so must the file's bytes. A
// SampleContext is a small value that refers to that memory: a copy is the same context, not a second one, and one context is for one
// thread at a time. Any number of contexts may refer to one model and clip.
class SampleContext {
public:
    // Start of the memory: a multiple of this.
    static constexpr std::size_t kAlignment = 32;

    SampleContext() noexcept = default;

    // Bytes that bind() asks for; walks the clip's tracks.
    [[nodiscard]] static std::size_t required_bytes(const ModelView& model, const ClipView& clip) noexcept;

    // Walks the clip. `bind_pose` is what bind_pose() made of the same model; it is read here only. `clip` may come from another file
    // (MTA). On failure the context is unbound. Status::WrongSize: bind_pose has not bone_count() elements, or memory is less than
    // required_bytes(). Misaligned: memory. BadBoneIndex: a track moves a bone the model has not. DuplicateTrack: two move one.
    [[nodiscard]] Status bind(const ModelView& model, const ClipView& clip, std::span<const BoneLocal> bind_pose,
                              std::span<std::byte> memory) noexcept;

    [[nodiscard]] bool is_bound() const noexcept { return memory_ != nullptr; }
    [[nodiscard]] std::uint32_t bone_count() const noexcept { return bone_count_; }
    [[nodiscard]] const ClipView& clip() const noexcept { return clip_; }

private:
    friend struct SampleJob;
    std::byte* memory_ = nullptr;
    ClipView clip_;
    std::uint32_t bone_count_ = 0;
};

// Time is O(bones) when it goes on a little from the run before; a leap in any direction costs a search, O(log keys) at worst and O(1)
// for keys at even distances.
struct SampleJob {
    SampleContext* context = nullptr;
    float time_seconds = 0;            // before the loop rule; finite
    std::span<BoneLocal> output = {};  // bone_count() elements
    SimdPath path = SimdPath::Auto;

    // NotBound: no context, or its memory was bound anew through another one. WrongSize: output. NonFinite: time_seconds.
    [[nodiscard]] Status validate() const noexcept;
    // validate(), then writes all of output. On failure nothing is written.
    [[nodiscard]] Status run() const noexcept;
};

}  // namespace gomkit::runtime
