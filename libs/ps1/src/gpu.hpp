#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// The console's graphics processor as integer arithmetic, to the bit, as far as polygons go (docs/spec/ps1-gpu.md). Nothing here fails but for
/// a packet that is none.
namespace gomkit::ps1 {

inline constexpr int kVramWidth = 1024;   // halfwords
inline constexpr int kVramHeight = 512;

/// Frame buffers, textures and palettes (GPU-VRAM-1). Coordinates wrap at the edges.
class Vram {
public:
    [[nodiscard]] std::uint16_t at(int x, int y) const { return cells_[index(x, y)]; }
    void set(int x, int y, std::uint16_t value) { cells_[index(x, y)] = value; }

private:
    static std::size_t index(int x, int y) { return static_cast<std::size_t>(y & (kVramHeight - 1)) * kVramWidth + static_cast<std::size_t>(x & (kVramWidth - 1)); }
    std::vector<std::uint16_t> cells_ = std::vector<std::uint16_t>(std::size_t{kVramWidth} * kVramHeight);
};

/// In units of 8 texels, 0 to 31 (GPU-TEXEL-1).
struct TextureWindow {
    std::uint8_t mask_u = 0, mask_v = 0, offset_u = 0, offset_v = 0;
};

/// What packets are drawn under (GPU-STATE-1).
struct DrawState {
    int left = 0, top = 0, right = kVramWidth - 1, bottom = kVramHeight - 1;   ///< drawing area, inclusive
    int offset_x = 0, offset_y = 0;
    bool dither = false;
    TextureWindow window;
    std::uint16_t page = 0;                                                    ///< texture page word (GPU-STATE-2)
};

/// Bits of a polygon's command byte (GPU-PACKET-1).
namespace gpu_command {
inline constexpr std::uint8_t kPolygon = 0x20;
inline constexpr std::uint8_t kGouraud = 0x10;
inline constexpr std::uint8_t kFourCorners = 0x08;
inline constexpr std::uint8_t kTextured = 0x04;
inline constexpr std::uint8_t kSemiTransparent = 0x02;
inline constexpr std::uint8_t kRaw = 0x01;
inline constexpr std::size_t kMostWords = 12;
}  // namespace gpu_command

/// Words of a polygon's packet; 0 when the command byte is not that of a polygon.
[[nodiscard]] std::size_t polygon_words(std::uint8_t command);

struct Drawn {
    std::uint32_t triangles = 0;   ///< not rejected (GPU-REJECT-1)
    std::uint64_t covered = 0;     ///< pixels, before the drawing area is looked at
    std::uint64_t inside = 0;      ///< of them, those in the drawing area
};

struct Gpu {
    Vram vram;
    DrawState state;

    /// GPU-VRAM-2. 0 to 255 a channel.
    void clear(int x, int y, int width, int height, const std::array<std::uint8_t, 3>& colour);
    /// Draws one polygon. Nothing: the words are no packet of a polygon, and nothing was changed (GPU-PACKET-2).
    std::optional<Drawn> draw(std::span<const std::uint32_t> packet);
};

}  // namespace gomkit::ps1
