#pragma once

#include <cstdint>

#include "document.hpp"
#include "fixed.hpp"

namespace gomkit::ps1 {

/// The game's camera (docs/spec/ps1m.md, PS1M-DRAW-1). Angles: 4096 is a full turn. Lengths in the console's units.
struct Camera {
    std::int32_t pitch = 200;
    std::int32_t yaw = 0;
    Vec3s32 target{0, -2100, 0};
    std::int32_t distance = 4000;
    std::uint16_t h = 160;              ///< distance of the screen in pixels
    int width = 320, height = 240;      ///< of the picture
    double fits_at = 1;                 ///< the scale of the model at which H need not be smaller; 1: it is not too large
};

/// The camera at the angles given that sees the model in all of the clip (GPU-CAMERA-1, GPU-CAMERA-2).
[[nodiscard]] Camera framing_camera(const Document& document, const Clip& clip, std::int32_t pitch, std::int32_t yaw, int width, int height);

/// From model space to that of the view.
[[nodiscard]] Placement view_of(const Camera& camera);

}  // namespace gomkit::ps1
