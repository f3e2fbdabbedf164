#pragma once

#include <span>
#include <string>

#include <gomkit/core/limits.hpp>
#include <gomkit/image/image.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::kit {

/// Reads a picture with as many pixels as go with the limits. Errors: those of image::read_image().
[[nodiscard]] core::Result<image::Image> read_picture(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits);

/// The picture of a texture: the one inside the source, else the file that was found, which is then told to `opened`. Errors: CannotOpen where there is
/// neither; those of reading files and pictures.
[[nodiscard]] core::Result<image::Image> read_picture_of(const model::Texture& texture, const core::Limits& limits, std::vector<std::string>& opened);

}  // namespace gomkit::kit
