#include "gpu.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace gomkit::ps1 {
namespace {

using std::int64_t;
using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint8_t;

constexpr size_t kChannels = 5;   // red, green, blue, u, v
enum : size_t { kU = 3, kV = 4 };

struct Corner {
    int x = 0, y = 0;
    std::array<int, kChannels> a{};
};
using Corners = std::array<Corner, 3>;

struct Style {
    bool gouraud = false, textured = false, semi = false, raw = false;
    int clut_x = 0, clut_y = 0;
};

constexpr int kDither[4][4] = {{-4, 0, -3, 1}, {2, -2, 3, -1}, {-3, 1, -4, 0}, {3, -1, 2, -2}};

int signed11(uint32_t v) { return static_cast<int>((v & 0x7FF) ^ 0x400) - 0x400; }

int64_t edge_start(int x) { return (int64_t{x} << 32) + (int64_t{1} << 32) - (1 << 11); }
int64_t edge_step(int dx, int dy) {
    if (dy == 0) {
        return 0;
    }
    const int64_t d = int64_t{dx} * (int64_t{1} << 32);
    return (d < 0 ? d - (dy - 1) : d > 0 ? d + (dy - 1) : d) / dy;
}

/// Channels over the plane of a triangle, in 1/4096, modulo 2^20 when they are looked at (GPU-ATTR-2).
class Gradients {
public:
    Gradients(const Corners& v, const Corner& core) : core_(core) {
        const int64_t dx1 = v[1].x - v[0].x, dy1 = v[1].y - v[0].y, dx2 = v[2].x - v[1].x, dy2 = v[2].y - v[1].y;
        const int64_t den = dx1 * dy2 - dx2 * dy1;
        for (size_t c = 0; c < kChannels; ++c) {
            const int64_t a1 = v[1].a[c] - v[0].a[c], a2 = v[2].a[c] - v[1].a[c];
            ddx_[c] = static_cast<uint32_t>((a1 * dy2 - a2 * dy1) * 4096 / den);
            ddy_[c] = static_cast<uint32_t>((dx1 * a2 - dx2 * a1) * 4096 / den);
        }
    }
    using Values = std::array<uint32_t, kChannels>;
    [[nodiscard]] Values at(int x, int y) const {
        Values out{};
        for (size_t c = 0; c < kChannels; ++c) {
            out[c] = static_cast<uint32_t>(core_.a[c]) * 4096 + 2048 + ddx_[c] * static_cast<uint32_t>(x - core_.x) + ddy_[c] * static_cast<uint32_t>(y - core_.y);
        }
        return out;
    }
    void step_right(Values& values) const {
        for (size_t c = 0; c < kChannels; ++c) {
            values[c] += ddx_[c];
        }
    }

private:
    Corner core_;
    Values ddx_{}, ddy_{};   // wrapping at 2^32 keeps what is looked at
};

int channel(uint16_t pixel, unsigned shift) { return pixel >> shift & 31; }

int blended(int b, int f, unsigned mode) {
    switch (mode) {
        case 0: return (b + f) >> 1;
        case 1: return std::min(31, b + f);
        case 2: return std::max(0, b - f);
        default: return std::min(31, b + (f >> 2));
    }
}

class Painter {
public:
    Painter(Vram& vram, const DrawState& state, const Style& style) : vram_(vram), state_(state), style_(style) {}

    void triangle(Corners v, Drawn& drawn) const {
        for (size_t i = 0; i < 3; ++i) {
            const Corner& a = v[i];
            const Corner& b = v[(i + 1) % 3];
            if (std::abs(a.x - b.x) >= 1024 || std::abs(a.y - b.y) >= 512) {
                return;
            }
        }
        size_t core = v[1].x <= v[0].x ? (v[2].x <= v[1].x ? 2 : 1) : (v[2].x < v[0].x ? 2 : 0);
        for (const auto& [i, j] : {std::pair<size_t, size_t>{1, 2}, {0, 1}, {1, 2}}) {
            if (v[j].y < v[i].y) {
                std::swap(v[i], v[j]);
                core = core == i ? j : core == j ? i : core;
            }
        }
        const int64_t area = int64_t{v[1].x - v[0].x} * (v[2].y - v[1].y) - int64_t{v[2].x - v[1].x} * (v[1].y - v[0].y);
        if (area == 0) {   // also when the height is 0
            return;
        }
        ++drawn.triangles;
        const Gradients gradients(v, v[core]);
        const int64_t long_step = edge_step(v[2].x - v[0].x, v[2].y - v[0].y);
        const int64_t upper = edge_step(v[1].x - v[0].x, v[1].y - v[0].y);
        const int64_t lower = edge_step(v[2].x - v[1].x, v[2].y - v[1].y);
        const bool long_is_left = v[1].y == v[0].y ? v[1].x > v[0].x : upper > long_step;
        const Corner& above = core == 0 ? v[0] : v[1];
        const Corner& below = core == 2 ? v[2] : v[1];
        for (int y = v[0].y; y < v[2].y; ++y) {
            const int64_t one = edge_start(v[0].x) + (y - v[0].y) * long_step;
            const int64_t other = y < v[1].y ? edge_start(above.x) + (y - above.y) * upper : edge_start(below.x) + (y - below.y) * lower;
            const auto left = static_cast<int>((long_is_left ? one : other) >> 32);
            const auto right = static_cast<int>((long_is_left ? other : one) >> 32);
            if (right > left) {
                row(gradients, y, left, right, drawn);
            }
        }
    }

private:
    void row(const Gradients& gradients, int y, int left, int right, Drawn& drawn) const {
        drawn.covered += static_cast<std::uint64_t>(right - left);
        left = std::max({left, state_.left, 0});
        right = std::min({right, state_.right + 1, kVramWidth});
        if (y < std::max(0, state_.top) || y > std::min(state_.bottom, kVramHeight - 1) || left >= right) {
            return;
        }
        drawn.inside += static_cast<std::uint64_t>(right - left);
        Gradients::Values values = gradients.at(left, y);
        for (int x = left; x < right; ++x, gradients.step_right(values)) {
            pixel(x, y, values);
        }
    }

    void pixel(int x, int y, const Gradients::Values& values) const {
        const auto value = [&values](size_t c) { return static_cast<int>(values[c] >> 12 & 0xFF); };
        uint16_t texel = 0;
        if (style_.textured) {
            texel = fetch(value(kU), value(kV));
            if (texel == 0) {
                return;
            }
        }
        const bool blends = style_.semi && (!style_.textured || (texel & 0x8000) != 0);
        const int dither = state_.dither && !style_.raw && (style_.gouraud || style_.textured) ? kDither[y & 3][x & 3] : 0;
        const uint16_t behind = blends ? vram_.at(x, y) : uint16_t{0};
        unsigned out = texel & 0x8000u;
        for (unsigned c = 0; c < 3; ++c) {
            const unsigned shift = 5 * c;
            const int eight = style_.textured ? (channel(texel, shift) * value(c)) >> 4 : value(c);
            int five = style_.raw ? channel(texel, shift) : std::clamp((eight + dither) >> 3, 0, 31);
            if (blends) {
                five = blended(channel(behind, shift), five, state_.page >> 5 & 3);
            }
            out |= static_cast<unsigned>(five) << shift;
        }
        vram_.set(x, y, static_cast<uint16_t>(out));
    }

    [[nodiscard]] uint16_t fetch(int u, int v) const {
        const TextureWindow& w = state_.window;
        u = (u & ~(w.mask_u * 8)) | ((w.offset_u & w.mask_u) * 8);
        v = (v & ~(w.mask_v * 8)) | ((w.offset_v & w.mask_v) * 8);
        const int page_x = (state_.page & 15) * 64;
        const int y = (state_.page >> 4 & 1) * 256 + v;
        switch (state_.page >> 7 & 3) {
            case 0: return vram_.at(style_.clut_x + (vram_.at(page_x + (u >> 2), y) >> (u & 3) * 4 & 15), style_.clut_y);
            case 1: return vram_.at(style_.clut_x + (vram_.at(page_x + (u >> 1), y) >> (u & 1) * 8 & 255), style_.clut_y);
            default: return vram_.at(page_x + u, y);
        }
    }

    Vram& vram_;
    const DrawState& state_;
    const Style& style_;
};

}  // namespace

std::size_t polygon_words(std::uint8_t command) {
    if ((command & 0xE0) != gpu_command::kPolygon) {
        return 0;
    }
    const size_t corners = (command & gpu_command::kFourCorners) != 0 ? 4 : 3;
    const size_t textured = (command & gpu_command::kTextured) != 0 ? 1 : 0;
    const size_t colours = (command & gpu_command::kGouraud) != 0 ? corners : 1;
    return colours + corners * (1 + textured);
}

void Gpu::clear(int x, int y, int width, int height, const std::array<std::uint8_t, 3>& colour) {
    const auto value = static_cast<uint16_t>(colour[0] >> 3 | (colour[1] >> 3) << 5 | (colour[2] >> 3) << 10);
    for (int row = y; row < y + height; ++row) {
        for (int column = x; column < x + width; ++column) {
            vram.set(column, row, value);
        }
    }
}

std::optional<Drawn> Gpu::draw(std::span<const std::uint32_t> packet) {
    const auto command = static_cast<uint8_t>(packet.empty() ? 0 : packet[0] >> 24);
    if (packet.empty() || packet.size() != polygon_words(command)) {
        return std::nullopt;
    }
    Style style;
    style.gouraud = (command & gpu_command::kGouraud) != 0;
    style.textured = (command & gpu_command::kTextured) != 0;
    style.semi = (command & gpu_command::kSemiTransparent) != 0;
    style.raw = style.textured && (command & gpu_command::kRaw) != 0;
    const size_t corners = (command & gpu_command::kFourCorners) != 0 ? 4 : 3;
    std::array<Corner, 4> v{};
    uint32_t colour = packet[0];
    for (size_t i = 0, at = 0; i < corners; ++i) {
        if (i == 0 || style.gouraud) {
            colour = packet[at++];
        }
        v[i].x = signed11(packet[at]) + state.offset_x;
        v[i].y = signed11(packet[at] >> 16) + state.offset_y;
        ++at;
        for (size_t c = 0; c < 3; ++c) {
            v[i].a[c] = static_cast<int>(colour >> 8 * c & 0xFF);
        }
        if (style.textured) {
            const uint32_t word = packet[at++];
            v[i].a[kU] = static_cast<int>(word & 0xFF);
            v[i].a[kV] = static_cast<int>(word >> 8 & 0xFF);
            if (i == 0) {
                style.clut_x = static_cast<int>(word >> 16 & 63) * 16;
                style.clut_y = static_cast<int>(word >> 22 & 511);
            } else if (i == 1) {
                state.page = static_cast<uint16_t>(word >> 16);
            }
        }
    }
    Drawn drawn;
    const Painter painter(vram, state, style);
    painter.triangle({v[0], v[1], v[2]}, drawn);
    if (corners == 4) {
        painter.triangle({v[1], v[2], v[3]}, drawn);
    }
    return drawn;
}

}  // namespace gomkit::ps1
