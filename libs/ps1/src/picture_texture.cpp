#include "picture_texture.hpp"

#include <algorithm>
#include <utility>

namespace gomkit::ps1 {
namespace {

using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

constexpr uint16_t kTransparent = 0x0000;
constexpr uint16_t kOpaqueBlack = 0x8000;

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

struct Colour {
    std::array<int, 3> five{};
    uint32_t count = 0;
};
Colour colour_of(uint16_t pixel) { return {{pixel & 31, pixel >> 5 & 31, pixel >> 10 & 31}, 0}; }

/// Colours [begin, end) of the list, to become one.
struct Group {
    size_t begin = 0, end = 0;
    size_t axis = 0;
    uint64_t weight = 0;   ///< texels times the longest extent; 0: cannot be divided
};

Group measured(const std::vector<Colour>& colours, size_t begin, size_t end) {
    Group group{begin, end, 0, 0};
    uint64_t texels = 0;
    int longest = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
        const auto less = [axis](const Colour& a, const Colour& b) { return a.five[axis] < b.five[axis]; };
        const auto first = colours.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto [low, high] = std::minmax_element(first, colours.begin() + static_cast<std::ptrdiff_t>(end), less);
        if (high->five[axis] - low->five[axis] > longest) {
            longest = high->five[axis] - low->five[axis];
            group.axis = axis;
        }
    }
    for (size_t i = begin; i < end; ++i) {
        texels += colours[i].count;
    }
    group.weight = texels * static_cast<uint64_t>(longest);
    return group;
}

/// Where the half of the group's texels is reached, with something on both sides.
size_t median(const std::vector<Colour>& colours, const Group& group) {
    uint64_t all = 0;
    for (size_t i = group.begin; i < group.end; ++i) {
        all += colours[i].count;
    }
    uint64_t sum = 0;
    size_t at = group.begin;
    while (at + 1 < group.end && 2 * sum < all) {
        sum += colours[at++].count;
    }
    return std::max(at, group.begin + 1);
}

/// Median cut: at most `most` groups.
std::vector<Group> divided(std::vector<Colour>& colours, size_t most) {
    std::vector<Group> groups{measured(colours, 0, colours.size())};
    while (groups.size() < most) {
        const auto largest = std::max_element(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.weight < b.weight; });
        if (largest->weight == 0) {
            break;
        }
        const Group group = *largest;
        std::stable_sort(colours.begin() + static_cast<std::ptrdiff_t>(group.begin), colours.begin() + static_cast<std::ptrdiff_t>(group.end),
                         [&group](const Colour& a, const Colour& b) { return a.five[group.axis] < b.five[group.axis]; });
        const size_t middle = median(colours, group);
        *largest = measured(colours, group.begin, middle);
        groups.push_back(measured(colours, middle, group.end));
    }
    return groups;
}

uint16_t mean(const std::vector<Colour>& colours, const Group& group) {
    uint64_t sums[3] = {}, count = 0;
    for (size_t i = group.begin; i < group.end; ++i) {
        count += colours[i].count;
        for (size_t c = 0; c < 3; ++c) {
            sums[c] += static_cast<uint64_t>(colours[i].five[c]) * colours[i].count;
        }
    }
    uint32_t out = 0;
    for (size_t c = 0; c < 3; ++c) {
        out |= static_cast<uint32_t>((2 * sums[c] + count) / (2 * count)) << 5 * c;
    }
    return out == 0 ? kOpaqueBlack : static_cast<uint16_t>(out);
}

uint8_t nearest(const std::array<uint16_t, 256>& palette, size_t begin, size_t end, uint16_t pixel) {
    const Colour wanted = colour_of(pixel);
    size_t best = begin;
    int best_distance = 0x7FFFFFFF;
    for (size_t i = begin; i < end; ++i) {
        const Colour found = colour_of(palette[i]);
        int distance = 0;
        for (size_t c = 0; c < 3; ++c) {
            distance += (found.five[c] - wanted.five[c]) * (found.five[c] - wanted.five[c]);
        }
        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return static_cast<uint8_t>(best);
}

}  // namespace

PagedTexture page_of(std::uint32_t width, std::uint32_t height, std::span<const std::uint8_t> rgba) {
    std::vector<uint16_t> pixels;
    std::vector<uint32_t> histogram(0x10000);
    for (size_t y = 0; y < kPageSide; ++y) {
        for (size_t x = 0; x < kPageSide; ++x) {
            pixels.push_back(texel_of(x, y, width, height, rgba));
            ++histogram[pixels.back()];
        }
    }
    PagedTexture out;
    std::vector<Colour> colours;
    for (uint32_t pixel = kTransparent + 1; pixel < histogram.size(); ++pixel) {
        if (histogram[pixel] != 0) {
            colours.push_back(colour_of(static_cast<uint16_t>(pixel)));
            colours.back().count = histogram[pixel];
        }
    }
    const size_t begin = histogram[kTransparent] != 0 ? 1 : 0;   // entry 0 stays transparent
    size_t end = begin;
    if (!colours.empty()) {
        for (const Group& group : divided(colours, out.palette.size() - begin)) {
            out.palette[end++] = mean(colours, group);
        }
    }
    std::vector<uint8_t> index(histogram.size());
    for (uint32_t pixel = kTransparent + 1; pixel < histogram.size(); ++pixel) {
        index[pixel] = histogram[pixel] != 0 ? nearest(out.palette, begin, end, static_cast<uint16_t>(pixel)) : uint8_t{0};
    }
    for (const uint16_t pixel : pixels) {
        out.texels.push_back(index[pixel]);
    }
    return out;
}

TimBlock page_block(std::size_t slot) { return {static_cast<uint16_t>(640 + 128 * slot), 0, kPageSide / 2, kPageSide}; }
TimBlock palette_block(std::size_t slot) { return {640, static_cast<uint16_t>(256 + slot), 256, 1}; }

TexturePlace upload(const PagedTexture& texture, std::size_t slot, Vram& vram) {
    const TimBlock page = page_block(slot);
    const TimBlock palette = palette_block(slot);
    for (size_t i = 0; i < texture.palette.size(); ++i) {
        vram.set(palette.x + static_cast<int>(i), palette.y, texture.palette[i]);
    }
    for (size_t i = 0; i < texture.texels.size(); i += 2) {
        const size_t y = i / kPageSide, x = i % kPageSide / 2;
        vram.set(page.x + static_cast<int>(x), page.y + static_cast<int>(y), static_cast<uint16_t>(texture.texels[i] | texture.texels[i + 1] << 8));
    }
    return {static_cast<uint16_t>(page.x >> 6 | 1 << 7), static_cast<uint16_t>(palette.y << 6 | palette.x >> 4)};
}

}  // namespace gomkit::ps1
