#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gomkit/ps1/preview.hpp>

#include "camera.hpp"
#include "document.hpp"
#include "gpu.hpp"
#include "ordering_table.hpp"

namespace gomkit::ps1 {

/// Where a slot's texture lies in memory: the two words that packets carry.
struct TexturePlace {
    std::uint16_t page = 0;
    std::uint16_t clut = 0;
};
using TexturePlaces = std::array<std::optional<TexturePlace>, 3>;   ///< by slot

/// Draws posed models as the game does (docs/spec/ps1-gpu.md, section 6). The document lives as long as it.
class Scene {
public:
    Scene(const Document& document, const Camera& camera, const TexturePlaces& textures, bool flat);

    /// One frame into the picture at (0, 0) of the processor's memory; `world` has the bones' placements. The state is set by it.
    [[nodiscard]] PreviewCounts draw(Gpu& gpu, std::span<const Placement> world);

private:
    struct Projected {
        std::array<std::int16_t, 2> screen{};
        std::uint16_t z = 0;
        std::uint32_t colour = 0;
    };
    void place_bones(std::span<const Placement> world);
    void project(PreviewCounts& counts);
    void insert(const Triangle& triangle, PreviewCounts& counts);
    [[nodiscard]] std::uint32_t lit(std::uint8_t bone, const Vec3s16& normal) const;

    const Document& document_;
    Camera camera_;
    Placement view_;
    TexturePlaces textures_;
    bool flat_;
    std::vector<Gte> bones_;        ///< set up for each bone
    std::vector<Projected> points_;
    OrderingTable table_;
};

}  // namespace gomkit::ps1
