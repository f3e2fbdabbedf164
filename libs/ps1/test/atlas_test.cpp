// The bodies' atlas. Expected colours are computed by hand.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "atlas.hpp"

namespace gomkit::ps1 {
namespace {

using codec::Picture;
using lathe::Replaced;
using model::Vec2;
using model::Vec3;
using Colour = std::array<std::uint8_t, 4>;

constexpr Colour kUntouched{90, 90, 90, 255};

Colour at(const lathe::Atlas& atlas, std::size_t u, std::size_t v) {
    Colour out{};
    std::copy_n(atlas.page.rgba.begin() + static_cast<std::ptrdiff_t>(4 * (256 * v + u)), 4, out.begin());
    return out;
}

const Picture kTwoColours{2, 1, {200, 0, 0, 255, 0, 100, 0, 255}};     // red, then green

core::Result<Picture> open(const model::Texture& texture) {
    if (texture.path == "missing.png") {
        return core::fail(core::Code::CannotOpen, {}, "the picture was not found");
    }
    return kTwoColours;
}

/// A square before a thin body, 1 metre high and wide at z = `z`: two triangles, with U from 0 at its left to 1 at x = 1.
Replaced square(double z, model::MaterialId material) {
    const Vec3 a{0, 0, z}, b{1, 0, z}, c{1, 1, z}, d{0, 1, z};
    const Vec2 ua{0, 1}, ub{1, 1}, uc{1, 0}, ud{0, 0};
    Replaced part;
    part.shape = {1, 6, {128, 64, 64, 64}};
    part.profile = {{0, 0.5, 0, 0.5, 1e-4}, {1, 0.5, 0, 0.5, 1e-4}};     // x = 0.5 + 0.5 cos
    part.triangles = {{a, b, c}, {a, c, d}};
    part.looks = {{{ua, ub, uc}, material}, {{ua, uc, ud}, material}};
    return part;
}

model::Model model_with(const char* picture, const Vec3& colour = {1, 1, 1}) {
    model::Model m;
    model::Material material;
    material.diffuse = colour;
    if (picture != nullptr) {
        material.textures[0] = 0;
        m.textures.emplace_back().path = picture;
    }
    m.materials.push_back(material);
    return m;
}

lathe::Atlas baked(const Replaced& part, const model::Model& m, double height = 1) {
    const auto atlas = lathe::bake(std::span(&part, 1), height, m, open);
    EXPECT_TRUE(atlas.has_value());
    return atlas.value_or(lathe::Atlas{});
}

// covers PS1M-LATHE-4
TEST(Atlas, TexelsShowWhatLiesNextToThem) {
    const lathe::Atlas atlas = baked(square(0, model::MaterialId{0}), model_with("two.png"));
    ASSERT_EQ(atlas.page.rgba.size(), 4u * 256 * 256);
    EXPECT_EQ(atlas.pictures, std::vector<std::uint32_t>{0});
    // Texel 0 and 63 of a row are the body's seam, at angle 0: x = 1, the picture's right.
    for (const std::size_t v : {64u, 100u, 127u}) {
        EXPECT_EQ(at(atlas, 128, v), (Colour{0, 100, 0, 255})) << v;
        EXPECT_EQ(at(atlas, 191, v), (Colour{0, 100, 0, 255})) << v;
    }
    // 21 of 63: cos 120 degrees is -1/2, so x = 0.25, the middle of the red pixel; 42 likewise.
    EXPECT_EQ(at(atlas, 128 + 21, 90), (Colour{200, 0, 0, 255}));
    EXPECT_EQ(at(atlas, 128 + 42, 90), (Colour{200, 0, 0, 255}));
    // 14 of 63: cos 80 degrees is 0.173648, x = 0.586824, 0.673648 of the way from red to green: 65.27 and 67.36.
    EXPECT_EQ(at(atlas, 128 + 14, 90), (Colour{65, 67, 0, 255}));
    EXPECT_EQ(at(atlas, 127, 90), kUntouched);
    EXPECT_EQ(at(atlas, 192, 90), kUntouched);
    EXPECT_EQ(at(atlas, 128, 63), kUntouched);
}

// covers PS1M-LATHE-4: rows from the top.
TEST(Atlas, TheTopOfAPartIsTheTopOfItsRectangle) {
    Replaced part = square(0, model::MaterialId{0});
    part.looks[0].uvs = {Vec2{0, 0}, Vec2{0, 0}, Vec2{1, 0}};       // U is the height
    part.looks[1].uvs = {Vec2{0, 0}, Vec2{1, 0}, Vec2{1, 0}};
    const lathe::Atlas atlas = baked(part, model_with("two.png"));
    EXPECT_EQ(at(atlas, 150, 64), (Colour{0, 100, 0, 255}));
    EXPECT_EQ(at(atlas, 150, 127), (Colour{200, 0, 0, 255}));
    // Row 31 of 63: height 32/63, 0.515873 of the way from red to green: 96.83 and 51.59.
    EXPECT_EQ(at(atlas, 150, 64 + 31), (Colour{97, 52, 0, 255}));
}

// covers PS1M-LATHE-4
TEST(Atlas, WhatLiesFartherThanTheReachIsNotSeen) {
    const model::Model m = model_with("two.png");
    EXPECT_EQ(at(baked(square(0.078, model::MaterialId{0}), m), 128, 90), (Colour{0, 100, 0, 255}));
    EXPECT_EQ(at(baked(square(0.0801, model::MaterialId{0}), m), 128, 90), kUntouched);
    EXPECT_EQ(at(baked(square(0.0801, model::MaterialId{0}), m, 1.01), 128, 90), (Colour{0, 100, 0, 255}));
    // 16 of 63 lies 1e-4 before the axis, 47 so far behind it.
    const lathe::Atlas edge = baked(square(0.08, model::MaterialId{0}), m);
    EXPECT_EQ(at(edge, 128 + 16, 90)[3], 255);
    EXPECT_NE(at(edge, 128 + 16, 90), kUntouched);
    EXPECT_EQ(at(edge, 128 + 47, 90), kUntouched);
}

// covers PS1M-LATHE-4
TEST(Atlas, MaterialsWithoutAPictureShowTheirColour) {
    const Colour expected{51, 128, 255, 255};     // 255 times 0.2, 0.5 and what is limited to 1
    EXPECT_EQ(at(baked(square(0, model::MaterialId{0}), model_with(nullptr, {0.2, 0.5, 7})), 130, 70), expected);
    EXPECT_EQ(at(baked(square(0, model::MaterialId{0}), model_with("", {0.2, 0.5, 7})), 130, 70), expected);
    EXPECT_EQ(at(baked(square(0, {}), model_with("missing.png")), 130, 70), (Colour{255, 255, 255, 255}));
}

// covers PS1M-LATHE-4
TEST(Atlas, SwatchesLieAtTheirPlaces) {
    const auto atlas = lathe::bake({}, 1, {}, open);
    ASSERT_TRUE(atlas.has_value());
    for (std::size_t v = 0; v < 256; ++v) {
        for (std::size_t u = 0; u < 256; ++u) {
            const bool in_row = v >= 128 && v < 144;
            ASSERT_EQ(at(*atlas, u, v), in_row && u >= 192 ? (Colour{245, 245, 250, 255}) : in_row && u >= 128 ? (Colour{236, 196, 160, 255}) : kUntouched) << u << "," << v;
        }
    }
}

TEST(Atlas, APictureThatIsNotThereIsAnError) {
    const Replaced part = square(0, model::MaterialId{0});
    const auto atlas = lathe::bake(std::span(&part, 1), 1, model_with("missing.png"), open);
    ASSERT_FALSE(atlas.has_value());
    EXPECT_EQ(atlas.error().code, core::Code::CannotOpen);
    EXPECT_EQ(atlas.error().notes, std::vector<std::string>{"while drawing the bodies' texture"});
}

TEST(Sample, LiesBetweenTheMiddlesOfPixels) {
    const Picture p{2, 2, {0, 0, 0, 255, 100, 0, 0, 255, 0, 200, 0, 255, 100, 200, 40, 255}};
    EXPECT_EQ(lathe::sample(p, {0.25, 0.25}), (Colour{0, 0, 0, 255}));
    EXPECT_EQ(lathe::sample(p, {0.5, 0.5}), (Colour{50, 100, 10, 255}));
    EXPECT_EQ(lathe::sample(p, {0.375, 0.75}), (Colour{25, 200, 10, 255}));
    EXPECT_EQ(lathe::sample(p, {0, 1}), (Colour{0, 200, 0, 255}));
    EXPECT_EQ(lathe::sample(p, {1, 0}), (Colour{100, 0, 0, 255}));
    EXPECT_EQ(lathe::sample(p, {-1e-7, 1 + 1e-7}), (Colour{0, 200, 0, 255}));      // rounding
    EXPECT_EQ(lathe::sample(p, {-1.5, 3.5}), (Colour{50, 100, 10, 255}));
    EXPECT_EQ(lathe::sample(p, {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}), (Colour{0, 0, 0, 255}));
}

TEST(Sample, WeighsColoursByAlpha) {
    const Picture p{2, 1, {80, 0, 0, 255, 255, 255, 255, 0}};
    EXPECT_EQ(lathe::sample(p, {0.5, 0}), (Colour{80, 0, 0, 128}));
    EXPECT_EQ(lathe::sample(p, {1, 0}), (Colour{0, 0, 0, 0}));
}

TEST(NearestTriangle, IsOnAFaceAnEdgeOrACorner) {
    const Corners t{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 0}};
    using Weights = std::array<double, 3>;
    EXPECT_EQ(nearest_weights(t, {1, 2, 5}), (Weights{0.25, 0.25, 0.5}));
    EXPECT_EQ(nearest_weights(t, {1, -3, 2}), (Weights{0.75, 0.25, 0}));
    EXPECT_EQ(nearest_weights(t, {3, 3, 1}), (Weights{0, 0.5, 0.5}));
    EXPECT_EQ(nearest_weights(t, {9, -1, 0}), (Weights{0, 1, 0}));
    EXPECT_EQ(nearest_weights({Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{2, 0, 0}}, {3, 1, 0}), (Weights{0.25, 0.75, 0}));
    EXPECT_EQ(nearest_weights({Vec3{2, 2, 2}, Vec3{2, 2, 2}, Vec3{2, 2, 2}}, {3, 1, 0}), (Weights{1, 0, 0}));
}

// The tree against all triangles one by one.
TEST(NearestTriangle, IsTheFirstOfTheNearest) {
    std::vector<Corners> triangles;
    std::uint32_t state = 1;
    const auto random = [&] {
        state = state * 1664525 + 1013904223;
        return static_cast<double>(state >> 28);       // whole numbers, so that several are nearest
    };
    for (int i = 0; i < 300; ++i) {
        const Vec3 a{random(), random(), random()};
        triangles.push_back({a, a + Vec3{random() / 8, random() / 8, 0}, a + Vec3{0, random() / 8, random() / 8}});
    }
    const NearestTriangle tree(triangles);
    for (int i = 0; i < 300; ++i) {
        const Vec3 from{random(), random(), random()};
        std::size_t expected = triangles.size();
        double least = 2;
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const auto w = nearest_weights(triangles[t], from);
            const Vec3 away = triangles[t][0] * w[0] + triangles[t][1] * w[1] + triangles[t][2] * w[2] - from;
            if (dot(away, away) < least || (dot(away, away) == least && expected == triangles.size())) {
                least = dot(away, away);
                expected = t;
            }
        }
        const auto found = tree.find(from, std::sqrt(2.0));
        EXPECT_EQ(found ? found->triangle : triangles.size(), expected) << i;
    }
    EXPECT_FALSE(NearestTriangle({}).find({}, 1).has_value());
}

}  // namespace
}  // namespace gomkit::ps1
