#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gomkit/core/error.hpp>

/// Pictures of a PS1M as the console draws it (docs/spec/ps1-gpu.md).
namespace gomkit::ps1 {

/// The texture of the slot that its place in the list is: a TIM, or a picture. What it points to lives as long as the call.
struct PreviewTexture {
    std::span<const std::byte> tim;         ///< empty: the picture
    std::string file;                       ///< for messages
    std::uint32_t width = 0, height = 0;    ///< of the picture, at least 1
    std::span<const std::uint8_t> rgba;     ///< width * height * 4, rows from the top, straight alpha
};

inline constexpr int kLeastPreviewSide = 16;
inline constexpr int kMostPreviewWidth = 640;      ///< what the console shows at most; textures lie to the right of it
inline constexpr int kMostPreviewHeight = 480;
inline constexpr std::uint32_t kMostPreviewFrames = 256;

/// Red, green and blue of a picture's pixel, 8 bits each.
[[nodiscard]] constexpr std::array<std::uint8_t, 3> channels_of(std::uint16_t pixel) {
    const auto eight_bits = [pixel](int shift) {
        const int five = pixel >> shift & 31;
        return static_cast<std::uint8_t>(five << 3 | five >> 2);
    };
    return {eight_bits(0), eight_bits(5), eight_bits(10)};
}

struct PreviewOptions {
    std::vector<PreviewTexture> textures;   ///< by slot, at most three
    std::optional<std::string> clip;        ///< none: the first one
    double time_seconds = 0;                ///< since the clip's start, 0 or more; it begins anew after its end
    int width = 320, height = 240;          ///< of one picture, within the limits above
    std::uint32_t contact_sheet = 0;        ///< that many pictures over the clip in place of one at a time
    std::int32_t pitch = 200, yaw = 0;      ///< of the camera; 4096 is a full turn
    bool flat = false;                      ///< one colour a triangle, of its own normal, instead of Gouraud shading
};

/// What became of the triangles and vertices of one picture. triangles = drawn + culled + behind + too_far + rejected.
struct PreviewCounts {
    std::uint64_t triangles = 0;
    std::uint64_t drawn = 0;
    std::uint64_t culled = 0;               ///< they show their backs, or have no area on the screen
    std::uint64_t behind = 0;               ///< a corner lies in or behind the eye
    std::uint64_t too_far = 0;              ///< beyond the ordering table
    std::uint64_t rejected = 0;             ///< by the processor: too large, or without area
    std::uint64_t clipped = 0;              ///< of the drawn ones, those that leave the picture
    std::uint64_t sums_overflowed = 0;      ///< vertices whose projection raised flags of MAC,
    std::uint64_t positions_limited = 0;    ///< of IR1 to IR3,
    std::uint64_t depths_limited = 0;       ///< of SZ3,
    std::uint64_t divisions_overflowed = 0; ///< of the division: nearer than half the distance of the screen,
    std::uint64_t screens_limited = 0;      ///< of SX2 and SY2
    friend bool operator==(const PreviewCounts&, const PreviewCounts&) = default;
};

struct PreviewFrame {
    double time_seconds = 0;                ///< of the display frame
    std::size_t frame = 0;                  ///< of the clip
    std::int32_t subframe = 0;              ///< of 256
    PreviewCounts counts;
};

struct Preview {
    int width = 0, height = 0;              ///< of all pictures together
    std::vector<std::uint16_t> pixels;      ///< rows from the top; red + green * 32 + blue * 1024, 5 bits each
    std::string clip;
    std::vector<PreviewFrame> frames;       ///< one a picture, rows of pictures from the top
};

/// Draws a PS1M. Errors: those of reading PS1M and TIM; Usage for a clip that is not there, sizes and times outside their limits, more than three
/// textures; CannotConvert for a texture that lies in the picture or on another one, and a model too large to be seen whole.
[[nodiscard]] core::Result<Preview> preview(std::span<const std::byte> bytes, const std::string& file, const PreviewOptions& options);

}  // namespace gomkit::ps1
