// A figure without bones becomes a PS1M. Expected numbers are computed by hand, from the page.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "document.hpp"
#include "encode.hpp"
#include "written.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;

struct Box {
    Vec3 low, high;   // of the figure: X to its left
};

/// A body of boxes one metre high, one for each bone in the order of the file.
const std::vector<Box>& body() {
    static const std::vector<Box> boxes{
        {{-0.08, 0.48, -0.05}, {0.08, 0.56, 0.05}}, {{-0.08, 0.61, -0.05}, {0.08, 0.75, 0.05}}, {{-0.07, 0.79, -0.07}, {0.07, 1, 0.07}},
        {{0.13, 0.59, -0.02}, {0.17, 0.73, 0.02}},  {{0.13, 0.31, -0.02}, {0.17, 0.57, 0.02}},  {{-0.17, 0.59, -0.02}, {-0.13, 0.73, 0.02}},
        {{-0.17, 0.31, -0.02}, {-0.13, 0.57, 0.02}}, {{0.03, 0.25, -0.03}, {0.09, 0.46, 0.03}}, {{0.03, 0, -0.03}, {0.09, 0.22, 0.03}},
        {{-0.09, 0.25, -0.03}, {-0.03, 0.46, 0.03}}, {{-0.09, 0, -0.03}, {-0.03, 0.22, 0.03}}};
    return boxes;
}

model::Model figure(const std::vector<Box>& boxes, double height = 1, const Vec3& offset = {}) {
    ModelMaker maker(0);
    for (const Box& box : boxes) {
        std::array<std::uint32_t, 8> corner{};
        for (std::size_t k = 0; k < 8; ++k) {
            const Vec3 at{k & 1u ? box.high.x : box.low.x, k & 2u ? box.high.y : box.low.y, k & 4u ? box.high.z : box.low.z};
            corner[k] = maker.point(Vec3{-at.x, at.y, at.z} * height + offset, {});
        }
        for (const auto& q : {std::array{0, 1, 3, 2}, std::array{5, 4, 6, 7}, std::array{4, 0, 2, 6}, std::array{1, 5, 7, 3}, std::array{4, 5, 1, 0}, std::array{2, 3, 7, 6}}) {
            const auto c = [&](std::size_t k) { return corner[static_cast<std::size_t>(q[k])]; };
            maker.polygon({c(0), c(1), c(2), c(3)});
        }
    }
    return take_boneless(maker);
}

core::Result<Document> try_autorig(const model::Model& m, core::Report& report, codec::FormatValues values = {}) {
    values["--autorig"] = codec::kOn;
    return try_written(m, report, std::move(values));
}
Document autorigged(const model::Model& m, core::Report& report, codec::FormatValues values = {}) {
    values["--autorig"] = codec::kOn;
    return written(m, report, std::move(values));
}
Document autorigged(const model::Model& m, codec::FormatValues values = {}) {
    core::Report unused;
    return autorigged(m, unused, std::move(values));
}

// covers PS1M-RIG-2, PS1M-RIG-3, PS1M-RIG-6
TEST(Autorig, GivesElevenBonesWithTheirVertices) {
    core::Report report;
    const Document d = autorigged(figure(body()), report);
    ASSERT_EQ(d.bones.size(), 11u);
    const std::array<int, 11> parents{-1, 0, 1, 1, 3, 1, 5, 0, 7, 0, 9};
    const std::array<Vec3s16, 11> places{{{0, -1925, 0}, {0, -532, 0}, {0, -737, 0}, {573, -573, 0}, {0, 655, 0}, {-573, -573, 0}, {0, 655, 0}, {246, 0, 0}, {0, 942, 0}, {-246, 0, 0}, {0, 942, 0}}};
    for (std::size_t b = 0; b < 11; ++b) {
        EXPECT_EQ(d.bones[b].parent, parents[b]) << b;
        EXPECT_EQ(d.bones[b].translation, places[b]) << b;
        EXPECT_EQ(d.bones[b].triangle_count, 12u) << b;
        EXPECT_EQ(d.bones[b].moves(), b == 0) << b;
    }
    for (std::size_t v = d.bones[4].vertex_start; v < std::size_t{d.bones[4].vertex_start} + d.bones[4].vertex_count; ++v) {
        EXPECT_LE(std::abs(d.vertices[v].position[0]), 123) << v;       // 0.03 m from 0.14
        EXPECT_GE(d.vertices[v].position[1], 41 - 1) << v;              // 0.57, a hundredth below the elbow
        EXPECT_LE(d.vertices[v].position[1], 1106) << v;                // 0.31
    }
    ASSERT_TRUE(d.ik.has_value());
    EXPECT_EQ(d.ik->chains[3].lower, 10);
    EXPECT_EQ(d.ik->chains[3].end_local, (Vec3s16{0, 983, 0}));
    EXPECT_EQ(argument(report, IssueId::PS1_AUTORIG, "height"), "1");
    EXPECT_EQ(argument(report, IssueId::PS1_AUTORIG, "points"),
              "root 8, spine 8, head 8, upperarm_L 8, forearm_L 8, upperarm_R 8, forearm_R 8, thigh_L 8, shin_L 8, thigh_R 8, shin_R 8");
    EXPECT_EQ(argument(report, IssueId::PS1_BUDGET, "total"), std::to_string(encode(d).size()));
    EXPECT_EQ(argument(report, IssueId::PS1_FIT, "most"), "0");         // one bone a point from the start
    ASSERT_EQ(report.losses().size(), 1u);
    EXPECT_EQ(report.losses()[0].kind, "mesh names");
}

// covers PS1M-RIG-5
TEST(Autorig, GivesFiveClips) {
    const Document d = autorigged(figure(body(), 1.7));
    ASSERT_EQ(d.clips.size(), 5u);
    const std::array<std::pair<const char*, std::size_t>, 5> expected{{{"idle", 46}, {"walk", 16}, {"run", 10}, {"wave", 25}, {"punch", 19}}};
    for (std::size_t c = 0; c < 5; ++c) {
        EXPECT_EQ(clip_name(d.clips[c]), expected[c].first);
        EXPECT_EQ(d.clips[c].frames.size(), expected[c].second);
        EXPECT_EQ(d.clips[c].fps, 15);
    }
    const Frame& step = d.clips[1].frames[4];
    EXPECT_EQ(step.rotations[7], (Rotation{-1054, 0, 0, 3958}));
    EXPECT_EQ(step.rotations[8], (Rotation{799, 0, 0, 4017}));
    EXPECT_EQ(step.rotations[1], (Rotation{-107, -213, -6, 4089}));
    EXPECT_EQ(step.rotations[2], (Rotation{0, 213, 0, 4090}));
    EXPECT_EQ(step.translations[0], (Vec3s16{0, -3356, 0}));            // 0.47 * 1.7 + 0.0202882467 = 0.8192882467 m
    EXPECT_EQ(d.clips[4].frames[7].rotations[0], (Rotation{0, 0, 0, 4096}));
    const Document fast = autorigged(figure(body()), {{"--ps1-fps", "30"}});
    EXPECT_EQ(fast.clips[1].frames.size(), 31u);
    EXPECT_EQ(fast.clips[1].frames[8].rotations[7], step.rotations[7]);
}

TEST(Autorig, TheCompatibleOneTurnsThePunchAndStandsOnZero) {
    const Document d = autorigged(figure(body()), {{"--ps1-compat", codec::kOn}});
    const Document fast = autorigged(figure(body()), {{"--ps1-compat", codec::kOn}, {"--ps1-fps", "30"}});
    EXPECT_EQ(fast.clips[4].frames.size(), 37u);
    for (const Document* made : {&d, &fast}) {
        for (const Frame& frame : made->clips[4].frames) {
            EXPECT_EQ(frame.rotations[0], (Rotation{0, 4013, 0, 818}));     // 156.96 degrees about Y
        }
    }
    EXPECT_EQ(d.clips[1].frames[4].rotations[0], (Rotation{0, 0, 0, 4096}));
    const Document raised = autorigged(figure(body(), 1, {0, 0.01, 0}), {{"--ps1-compat", codec::kOn}});
    EXPECT_EQ(raised.bones[0].translation, (Vec3s16{0, -1944, 0}));     // 0.47 * 1.01 * 4096 = 1944.4
}

TEST(Autorig, HeightsCountFromTheLowestPoint) {
    const Document d = autorigged(figure(body()));
    const Document raised = autorigged(figure(body(), 1, {0, 0.5, 0}));
    EXPECT_EQ(raised.bones[0].translation, (Vec3s16{0, -3973, 0}));     // 0.97 m
    EXPECT_EQ(raised.bones[8].translation, d.bones[8].translation);
    EXPECT_EQ(raised.bones[8].vertex_count, d.bones[8].vertex_count);
    EXPECT_EQ(raised.clips[2].frames[3].rotations, d.clips[2].frames[3].rotations);
}

// The same figure lying on its face and in millimetres, which its nodes make upright and of a metre; half of it in another mesh.
TEST(Autorig, MeshesArePlacedByTheirNodes) {
    const std::vector<Box>& all = body();
    model::Model m = figure({all.begin(), all.begin() + 6});
    model::Model rest = figure({all.begin() + 6, all.end()});
    for (Vec3& p : rest.meshes[0].points) {
        p = Vec3{p.x, -p.z, p.y} * 1000;
    }
    m.nodes.resize(2);
    m.nodes[0].rest.scale = {0.001, 0.001, 0.001};
    m.nodes[1].parent = model::NodeId{0};
    m.nodes[1].rest.rotation = {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    m.meshes.push_back(rest.meshes[0]);
    m.instances.push_back(rest.instances[0]);
    m.instances[1].mesh = model::MeshId{1};
    m.instances[1].node = model::NodeId{1};
    m.clips.push_back(clip("slide", 0));
    core::Report report;
    const Document d = autorigged(m, report);
    const Document whole = autorigged(figure(body()));
    EXPECT_EQ(d.bones, whole.bones);
    EXPECT_EQ(d.clips, whole.clips);
    ASSERT_EQ(d.vertices.size(), whole.vertices.size());
    for (std::size_t v = 0; v < d.vertices.size(); ++v) {
        EXPECT_EQ(d.vertices[v].bone, whole.vertices[v].bone);
        EXPECT_EQ(d.vertices[v].position, whole.vertices[v].position);
    }
    EXPECT_EQ(report.losses()[0].kind, "clips of a model without bones");
}

/// The place of the error, and what was found.
std::pair<std::string, std::string> refused(const model::Model& m, core::Code code = core::Code::CannotConvert, codec::FormatValues values = {}) {
    core::Report report;
    const auto d = try_autorig(m, report, std::move(values));
    EXPECT_FALSE(d.has_value());
    if (d) {
        return {};
    }
    EXPECT_EQ(d.error().code, code);
    EXPECT_FALSE(d.error().cure.empty());
    return {d.error().place.part, d.error().found};
}
using Refusal = std::pair<std::string, std::string>;

// covers PS1M-RIG-1
TEST(Autorig, WhatIsNoBipedIsRefusedWithTheMeasure) {
    EXPECT_EQ(refused(model::Model{}), (Refusal{"measure 'surface'", "no triangle"}));
    EXPECT_EQ(refused(figure({{{-1, 0, -1}, {1, 0, 1}}})), (Refusal{"measure 'height'", "0 m"}));
    EXPECT_EQ(refused(figure({{{-0.5, 0, -0.5}, {0.5, 1, 0.5}}})), (Refusal{"measure 'width'", "1 of the height"}));
    EXPECT_EQ(refused(figure({{{-0.25, 0, -0.5}, {0.25, 1, 0.5}}})), (Refusal{"measure 'depth'", "1 of the height"}));
    EXPECT_EQ(refused(figure({{{-0.25, 0, -0.25}, {0.25, 1, 0.25}}})), (Refusal{"measure 'legs'", "at 0.12 of the height the surface spans the middle"}));
    EXPECT_EQ(refused(figure(body(), 1, {-0.2, 0, 0})).second, "at 0.12 of the height nothing to the right of the middle");
    EXPECT_EQ(refused(figure(body(), 1, {0.2, 0, 0})).second, "at 0.12 of the height nothing to the left of the middle");
    const auto without = [](std::initializer_list<std::size_t> gone) {
        std::vector<Box> boxes;
        for (std::size_t b = 0; b < body().size(); ++b) {
            if (std::find(gone.begin(), gone.end(), b) == gone.end()) {
                boxes.push_back(body()[b]);
            }
        }
        return figure(boxes);
    };
    EXPECT_EQ(refused(without({0, 1})).first, "measure 'trunk'");
    EXPECT_EQ(refused(without({3, 4})).first, "measure 'left arm'");
    EXPECT_EQ(refused(without({5, 6})), (Refusal{"measure 'right arm'", "no vertex where 'upperarm_R' and 'forearm_R' are"}));
    core::Report report;
    EXPECT_TRUE(try_autorig(without({3, 6}), report).has_value());
}

TEST(Autorig, APositionThatIsNoNumberIsRefused) {
    model::Model m = figure(body());
    m.meshes[0].points[9].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refused(m, core::Code::Malformed).first, "vertex 9 of 'skin'");
}

TEST(Autorig, AModelWithBonesIsRefused) {
    ModelMaker maker(2);
    EXPECT_EQ(refused(maker.take(), core::Code::Usage).second, "bone 'b0'");
    EXPECT_EQ(refused(figure(body()), core::Code::Usage, {{"--ps1-max-bones", "10"}}).second, "--ps1-max-bones 10");
    core::Report report;
    EXPECT_EQ(autorigged(figure(body()), report, {{"--ps1-max-bones", "11"}}).bones.size(), 11u);
}

// Eight points a part make no body, and then nothing draws the bodies' page.
TEST(Autorig, APageThatNoBodyUsesIsNoLoss) {
    codec::WriteOptions options;
    options.format = {{"--autorig", codec::kOn}, {"--autorig-body", "lathe"}, {"--ps1-seams", "keep"}, {"--ps1-tim", "8"}};
    options.open_picture = [](const model::Texture&) { return core::Result<codec::Picture>(codec::Picture{1, 1, {0, 0, 0, 255}}); };
    options.write_beside = [](const std::string& file, core::Bytes, const model::Texture&) { ADD_FAILURE() << file; };
    core::Report report;
    ASSERT_TRUE(export_model(figure(body()), options, report).has_value());
    EXPECT_TRUE(report.has(IssueId::PS1_LATHE_SKIPPED));
    EXPECT_FALSE(report.has(IssueId::PS1_LATHE));
    for (const core::Loss& loss : report.losses()) {
        EXPECT_NE(loss.kind, "textures") << loss.count;
    }
}

}  // namespace
}  // namespace gomkit::ps1
