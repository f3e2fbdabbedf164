#pragma once

#include "formats.hpp"

namespace gomkit::image {

/// The pixels of a TGA or BMP, by stb_image. It takes an end of the file for zeros, indices outside a palette for memory it has not set, and much else
/// for good: sizes, palettes and indices have been checked by the caller, and the end is watched here. Errors: Truncated, Malformed, OutOfMemory.
[[nodiscard]] core::Result<Image> read_by_stb(const Source& source, const char* format);

}  // namespace gomkit::image
