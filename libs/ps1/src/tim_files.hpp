#pragma once

#include <cstddef>

#include <gomkit/codec/codec.hpp>

#include "options.hpp"
#include "slots.hpp"

namespace gomkit::ps1 {

/// Writes a TIM beside the output for each slot that has a picture, of its first one (GPU-TIM-5, GPU-TIM-6), and tells where it lies. Returns which of
/// model.textures they hold.
/// Errors: Usage where the output has no place beside it; CannotConvert where the console's memory is full; those of WriteOptions::open_picture.
[[nodiscard]] core::Result<std::vector<bool>> write_tims(const model::Model& model, const SlotPictures& slots, const TimOptions& own, const codec::WriteOptions& options, core::Report& report);

}  // namespace gomkit::ps1
