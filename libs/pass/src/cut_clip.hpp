#pragma once

#include <optional>
#include <string>

#include <gomkit/core/error.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/pass/select_clips.hpp>

namespace gomkit::pass {

/// Seconds from a clip's start.
struct Stretch {
    double begin = 0;
    double end = 0;
};

/// What `times` mean in a clip of `fps` frames a second (0: unknown). Errors, which begin with `what`: Usage, for frames without a rate
/// and a range beyond the clip.
[[nodiscard]] core::Result<Stretch> stretch_of(const model::Clip& clip, const ClipTimes& times, double fps, const std::string& what);

/// The stretch without the time at the clip's begin and end in which every channel, shape weights too, stays within 1e-5 (metres,
/// radians, factors) of where it begins or ends. Nothing where no channel moves, or where there is nothing to cut off.
[[nodiscard]] std::optional<Stretch> moving_stretch(const model::Clip& clip);

/// The part of a clip that lies in `stretch`, in the clip: evaluated keys at both ends where it moves there, times from 0, no loop.
[[nodiscard]] model::Clip cut_clip(const model::Clip& clip, const Stretch& stretch);

}  // namespace gomkit::pass
