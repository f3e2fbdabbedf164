#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "document.hpp"

namespace gomkit::ps1::test {

inline std::array<char, 16> name16(std::string_view text) {
    std::array<char, 16> out{};
    std::copy_n(text.begin(), std::min<std::size_t>(text.size(), 16), out.begin());
    return out;
}

/// 2 x 2 pixels: red, black, see-through, white.
inline const std::vector<std::uint8_t> kQuarters{255, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 127, 255, 255, 255, 255};

/// The worked example of the page (docs/spec/ps1m.md, examples).
inline Document example(bool extended = false) {
    Document d;
    const Vec3s16 normal{0, 0, -4096};
    d.vertices = {{{-512, 0, 0}, 0, normal, 0, 255}, {{512, 0, 0}, 0, normal, 255, 255}, {{-384, -768, 0}, 1, normal, 0, 128}, {{384, -768, 0}, 1, normal, 255, 128}};
    d.triangles = {{{0, 3, 1}, 0, 0, normal, 0}, {{0, 2, 3}, 1, 0, normal, 1}};
    d.bones = {{-1, 1, 0, 0, 2, 0, 1, {0, -2048, 0}}, {0, 0, 255, 2, 2, 1, 1, {0, -1024, 0}}};
    d.slots = 1;
    Clip nod;
    nod.name = name16("nod");
    nod.frames = {{{{0, 0, 0, 4096}, {0, 0, 0, 4096}}, {{0, -2048, 0}}}, {{{0, 0, 0, 4096}, {0, 0, 1060, 3956}}, {{0, -2000, 0}}}};
    d.clips = {nod};
    if (extended) {
        d.ik.emplace();
        d.ik->head_forward = {0, 0, -4096};
        d.ik->chains[0] = {0, 1, -1, {0, -768, 0}, {0, 0, 4096}};
        d.edges = {{0, 2}, {2, 3}, {3, 1}, {1, 0}};
        d.quads = {{{2, 3, 1, 0}, {0, 1}}};
    }
    return d;
}

}  // namespace gomkit::ps1::test
