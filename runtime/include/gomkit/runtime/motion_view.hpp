#pragma once
// An MTA in memory: clips without a model, for every model whose skeleton has the same signature (docs/spec/mta.md). verify()
// checks the bytes once, MotionView then reads them in place; match() says whether motions and a model fit.
//
// Lifetime, threads and indices out of range: as in file_view.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gomkit/runtime/file_view.hpp"
#include "gomkit/runtime/limits.hpp"
#include "gomkit/runtime/model_view.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

class MotionView;

// Checks a whole file as a strict loader (gom.md and mta.md, "error"; warnings and deviations from the canonical form pass) and
// fills `out` on Status::Ok. On failure `out` becomes empty and *info (when not null) says what and where. MTAB0001 only. The first
// byte must lie at a multiple of 16 in memory. Bone indices are checked against limits.max_bones alone; match() does the rest.
// Time and memory: as for a ModelView.
[[nodiscard]] Status verify(std::span<const std::byte> file, const Limits& limits, MotionView& out, ErrorInfo* info) noexcept;

// A verified MTA. Empty (no clips) until verify() fills it. About 1 KiB; ranges and iterators refer to it and must not outlive it.
// The bone indices of its clips are positions in path order (mta.md 3): those of every ModelView, whose SKEL verify() found sorted.
class MotionView : public FileView {
public:
    MotionView() noexcept = default;

    // Of the skeleton the clips were made for (gom.md 4), as stored. All zero when empty.
    [[nodiscard]] std::array<std::uint8_t, 32> skeleton_signature() const noexcept;
};

// Which motion of several is at fault, and where in its file.
struct MatchError {
    static constexpr std::uint32_t kModel = 0xFFFF'FFFFU;
    ErrorInfo info;  // places are in the file of motions[motion_index]
    std::uint32_t motion_index = 0;
    std::uint32_t other_index = kModel;  // for DuplicateClipName: the motion that holds the name too, or kModel
};

// Whether all of `motions` (non-null) can be used with `model`, together: equal signatures (SignatureMismatch; NoSkeleton where the
// model has none), bone and root indices below the model's bone count (BadBoneIndex), and no clip name twice over the model and
// all motions (DuplicateClipName). With no motions: Ok. The model's signature is computed once. *error (when not null) is filled
// on failure, reset on Ok. Time is linear in the clips and tracks (names: n log n up to 1024 clips). Stack: under 64 KiB.
[[nodiscard]] Status match(const ModelView& model, std::span<const MotionView* const> motions, MatchError* error) noexcept;

}  // namespace gomkit::runtime
