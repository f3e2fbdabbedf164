#include "tim_write.hpp"

#include <gomkit/core/reader.hpp>

namespace gomkit::ps1 {
namespace {

void put_block(core::Writer& w, VramPoint at, std::size_t width, std::size_t height, std::span<const std::uint16_t> halfwords) {
    w.u32(static_cast<std::uint32_t>(kTimBlockHeaderSize + 2 * halfwords.size()));
    for (const std::size_t v : {std::size_t{at.x}, std::size_t{at.y}, width, height}) {
        w.u16(static_cast<std::uint16_t>(v));
    }
    for (const std::uint16_t v : halfwords) {
        w.u16(v);
    }
}

/// Texels side by side in halfwords, the left one lowest.
std::vector<std::uint16_t> packed(const PagedTexture& texture) {
    const std::size_t count = texels_per_halfword(texture.depth);
    const std::size_t bits = 16 / count;
    std::vector<std::uint16_t> out;
    for (std::size_t i = 0; i < texture.texels.size(); i += count) {
        std::uint32_t halfword = 0;
        for (std::size_t k = 0; k < count; ++k) {
            halfword |= std::uint32_t{texture.texels[i + k]} << (bits * k);
        }
        out.push_back(static_cast<std::uint16_t>(halfword));
    }
    return out;
}

}  // namespace

core::Bytes write_tim(const PagedTexture& texture, VramPoint texels, VramPoint palette) {
    core::Writer w;
    w.u32(kTimMagic);
    w.u32(texture.depth | (texture.palette.empty() ? 0 : kTimHasPalette));
    if (!texture.palette.empty()) {
        put_block(w, palette, texture.palette.size(), 1, texture.palette);
    }
    put_block(w, texels, page_width(texture.depth), kPageSide, packed(texture));
    return w.take();
}

}  // namespace gomkit::ps1
