#pragma once

#include <cstdint>

#include "pose.hpp"

namespace gomkit::ps1 {

inline constexpr std::int32_t kDisplayHz = 60;

/// Where a clip stands after that many display frames from its start: advance() so often (GPU-TIME-1).
[[nodiscard]] PlayPosition position_after(const Clip& clip, std::uint64_t display_frames);

/// Display frames until the clip is past its last frame (GPU-SHEET-1); 0 when it stands still.
[[nodiscard]] std::uint64_t display_frames_of(const Clip& clip);

}  // namespace gomkit::ps1
