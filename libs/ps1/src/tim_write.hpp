#pragma once

#include <gomkit/core/file.hpp>

#include "picture_texture.hpp"
#include "vram_plan.hpp"

namespace gomkit::ps1 {

/// The texture as a TIM whose blocks lie at these places (GPU-TIM-5).
[[nodiscard]] core::Bytes write_tim(const PagedTexture& texture, VramPoint texels, VramPoint palette);

}  // namespace gomkit::ps1
