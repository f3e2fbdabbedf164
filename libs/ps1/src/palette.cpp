#include "palette.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gomkit::ps1 {
namespace {

using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

constexpr int kSixteenths = 16;   // of a channel's step: what errors are carried in

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

/// The entry from `begin` to `end` that is nearest to a colour in sixteenths, the first of equals.
size_t nearest(const std::vector<uint16_t>& palette, size_t begin, size_t end, const std::array<int, 3>& sixteenths) {
    size_t best = begin;
    int best_distance = 0x7FFFFFFF;
    for (size_t i = begin; i < end; ++i) {
        const Colour found = colour_of(palette[i]);
        int distance = 0;
        for (size_t c = 0; c < 3; ++c) {
            const int off = found.five[c] * kSixteenths - sixteenths[c];
            distance += off * off;
        }
        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

std::array<int, 3> in_sixteenths(uint16_t pixel) {
    const Colour colour = colour_of(pixel);
    return {colour.five[0] * kSixteenths, colour.five[1] * kSixteenths, colour.five[2] * kSixteenths};
}

/// Floyd and Steinberg's error diffusion.
class Diffusion {
public:
    explicit Diffusion(size_t width) : here_(width + 2), below_(width + 2) {}

    void begin_row() {
        here_.swap(below_);
        below_.assign(below_.size(), {});
    }
    /// What the texel at x of the row should be.
    [[nodiscard]] std::array<int, 3> wanted(size_t x, uint16_t pixel) const {
        std::array<int, 3> out = in_sixteenths(pixel);
        for (size_t c = 0; c < 3; ++c) {
            out[c] = std::clamp(out[c] + here_[x + 1][c], 0, 31 * kSixteenths);
        }
        return out;
    }
    void carry(size_t x, const std::array<int, 3>& wanted, uint16_t taken) {
        const std::array<int, 3> found = in_sixteenths(taken);
        for (size_t c = 0; c < 3; ++c) {
            const int error = wanted[c] - found[c];
            const int right = error * 7 / 16, left_below = error * 3 / 16, below = error * 5 / 16;
            here_[x + 2][c] += right;
            below_[x][c] += left_below;
            below_[x + 1][c] += below;
            below_[x + 2][c] += error - right - left_below - below;
        }
    }

private:
    std::vector<std::array<int, 3>> here_, below_;   // by x + 1: the first and the last are outside
};

}  // namespace

Indexed indexed(std::span<const uint16_t> pixels, size_t width, size_t entries, bool dither) {
    std::vector<uint32_t> histogram(0x10000);
    for (const uint16_t pixel : pixels) {
        ++histogram[pixel];
    }
    std::vector<Colour> colours;
    for (uint32_t pixel = kTransparent + 1; pixel < histogram.size(); ++pixel) {
        if (histogram[pixel] != 0) {
            colours.push_back(colour_of(static_cast<uint16_t>(pixel)));
            colours.back().count = histogram[pixel];
        }
    }
    Indexed out;
    out.palette.assign(entries, kTransparent);
    out.colours = colours.size();
    const size_t begin = histogram[kTransparent] != 0 ? 1 : 0;   // entry 0 stays transparent
    size_t end = begin;
    if (!colours.empty()) {
        for (const Group& group : divided(colours, entries - begin)) {
            out.palette[end++] = mean(colours, group);
        }
    }
    out.texels.reserve(pixels.size());
    if (!dither) {
        std::vector<uint16_t> index(histogram.size());
        for (uint32_t pixel = kTransparent + 1; pixel < histogram.size(); ++pixel) {
            index[pixel] = histogram[pixel] != 0 ? static_cast<uint16_t>(nearest(out.palette, begin, end, in_sixteenths(static_cast<uint16_t>(pixel)))) : uint16_t{0};
        }
        std::transform(pixels.begin(), pixels.end(), std::back_inserter(out.texels), [&index](uint16_t pixel) { return index[pixel]; });
        return out;
    }
    Diffusion diffusion(width);
    for (size_t i = 0; i < pixels.size(); ++i) {
        const size_t x = i % width;
        if (x == 0) {
            diffusion.begin_row();
        }
        if (pixels[i] == kTransparent) {
            out.texels.push_back(0);
            continue;
        }
        const std::array<int, 3> wanted = diffusion.wanted(x, pixels[i]);
        const size_t taken = nearest(out.palette, begin, end, wanted);
        diffusion.carry(x, wanted, out.palette[taken]);
        out.texels.push_back(static_cast<uint16_t>(taken));
    }
    return out;
}

}  // namespace gomkit::ps1
