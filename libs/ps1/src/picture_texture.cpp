#include "picture_texture.hpp"

#include <algorithm>
#include <utility>

#include "palette.hpp"

namespace gomkit::ps1 {
namespace {

using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

/// First source pixel of texel i, and the one behind its last: at least one.
std::pair<size_t, size_t> source_range(size_t i, size_t side) {
    const size_t begin = i * side / kPageSide;
    return {begin, std::max(begin + 1, (i + 1) * side / kPageSide)};
}

/// The console's pixel for the mean of the source pixels under a texel, each weighted by its alpha.
uint16_t texel_of(size_t x, size_t y, size_t width, size_t height, std::span<const uint8_t> rgba) {
    const auto [left, right] = source_range(x, width);
    const auto [top, bottom] = source_range(y, height);
    uint64_t sums[3] = {}, alpha = 0, count = 0;
    for (size_t row = top; row < bottom; ++row) {
        for (size_t column = left; column < right; ++column, ++count) {
            const uint8_t* p = rgba.data() + 4 * (row * width + column);
            alpha += p[3];
            for (size_t c = 0; c < 3; ++c) {
                sums[c] += uint64_t{p[c]} * p[3];
            }
        }
    }
    if (alpha < 128 * count) {
        return kTransparent;
    }
    uint32_t out = 0;
    for (size_t c = 0; c < 3; ++c) {
        out |= static_cast<uint32_t>(sums[c] / alpha >> 3) << 5 * c;
    }
    return out == 0 ? kOpaqueBlack : static_cast<uint16_t>(out);
}

}  // namespace

PagedTexture page_of(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba, std::uint8_t depth, bool dither) {
    PagedTexture out;
    out.depth = depth;
    for (size_t y = 0; y < kPageSide; ++y) {
        for (size_t x = 0; x < kPageSide; ++x) {
            out.texels.push_back(texel_of(x, y, width, height, rgba));
        }
    }
    if (depth < kDirectDepth) {
        Indexed reduced = indexed(out.texels, kPageSide, palette_width(depth), dither);
        out.palette = std::move(reduced.palette);
        out.texels = std::move(reduced.texels);
        out.colours = reduced.colours;
    }
    return out;
}

}  // namespace gomkit::ps1
