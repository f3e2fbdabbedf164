#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/image/image.hpp>
#include <gomkit/kit/input.hpp>

namespace gomkit::kit {

struct PreviewRequest {
    Input input;                          ///< a PS1M, whatever its name is
    std::vector<Input> textures;          ///< TIM, PNG, JPEG, TGA or BMP files, by texture slot
    core::Limits limits;
    std::optional<std::string> clip;      ///< none: the first one
    double time_seconds = 0;              ///< since the clip's start; the clip begins anew after its end
    std::uint32_t width = 320;            ///< of one picture, 16 to 640
    std::uint32_t height = 240;           ///< 16 to 480
    std::uint32_t contact_sheet = 0;      ///< 1 to 256: that many pictures over the clip, side by side, in place of one at a time
    double yaw_degrees = 0;               ///< the camera's way around the model
    std::optional<double> pitch_degrees;  ///< above it; none: the game's, 200/4096 of a turn
    bool flat = false;                    ///< shaded by the triangles' normals instead of the vertices'
};

/// One picture: where the clip stands, and what became of the triangles and vertices. triangles = drawn + culled + behind + too_far + rejected.
struct PreviewPicture {
    double time_seconds = 0;
    std::uint64_t frame = 0;
    std::uint32_t subframe = 0;             ///< of 256
    std::uint64_t triangles = 0;
    std::uint64_t drawn = 0;
    std::uint64_t culled = 0;               ///< they show their backs
    std::uint64_t behind = 0;               ///< of the eye, with a corner
    std::uint64_t too_far = 0;              ///< beyond the ordering table
    std::uint64_t rejected = 0;             ///< too large for the processor, or without area
    std::uint64_t clipped = 0;              ///< of the drawn ones, those that leave the picture
    std::uint64_t sums_overflowed = 0;      ///< vertices whose projection overflowed or was limited, by kind
    std::uint64_t positions_limited = 0;
    std::uint64_t depths_limited = 0;
    std::uint64_t divisions_overflowed = 0;
    std::uint64_t screens_limited = 0;
};

struct PreviewResponse {
    std::string clip;
    std::vector<PreviewPicture> pictures;
    core::Report report;                  ///< what is doubtful about the file
    image::Image image;                   ///< all pictures, rows from the top, opaque
};

/// What the console draws of a PS1M (docs/spec/ps1-gpu.md), to the pixel. Errors: those of reading; Unsupported for a model of another format; Usage
/// for a clip that is not there and numbers outside their limits; CannotConvert for a texture that lies in the picture or on another one, and a model too large to be seen whole.
[[nodiscard]] core::Result<PreviewResponse> preview(const codec::Registry& registry, const PreviewRequest& request);

}  // namespace gomkit::kit
