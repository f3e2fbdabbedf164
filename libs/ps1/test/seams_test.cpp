// Triangles between bones. Expected numbers are the page's, or computed by hand.
#include <algorithm>
#include <cmath>
#include <string>

#include "plane_cut.hpp"
#include "seams.hpp"
#include "written.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;
using model::Vec2;

/// A rig of one bone.
Rig rig_of(const std::vector<Vec3>& places, const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    Rig rig;
    rig.bones.resize(1);
    RigPoints source;
    source.instance.push_back(0);
    source.mesh_point.push_back(0);
    for (const Vec3& place : places) {
        rig.points.weights.push_back({0, 1, place});
        rig.points.add(place, place, 0, source, 0);
    }
    for (const auto& t : triangles) {
        RigTriangle triangle;
        triangle.points = t;
        for (std::size_t k = 0; k < 3; ++k) {
            triangle.normals[k] = {0, 0, 1};
            triangle.uvs[k] = {places[t[k]].x, places[t[k]].y};
        }
        rig.triangles.push_back(triangle);
    }
    return rig;
}

void cut_all(Rig& rig, const Vec3& normal, double offset, bool compat = false) {
    PlaneCutter cutter(rig, normal, offset, compat);
    core::LargeVector<RigTriangle> out;
    for (const RigTriangle& t : rig.triangles) {
        cutter.cut(t, out);
    }
    rig.triangles = std::move(out);
}

// covers PS1M-SEAM-1: the page's vector, to the bit.
TEST(PlaneCut, GivesThePagesTriangles) {
    Rig rig = rig_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
    cut_all(rig, {0, 1, 0}, 0.24);
    cut_all(rig, {0, 1, 0}, 0.5);
    const std::vector<Vec3> places{{0, 0.24, 0}, {0.76, 0.24, 0}, {0, 0.5, 0}, {0.5, 0.5, 0}};
    ASSERT_EQ(rig.points.image.size(), 7u);
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_DOUBLE_EQ(rig.points.image[3 + i].x, places[i].x) << i;
        EXPECT_DOUBLE_EQ(rig.points.image[3 + i].y, places[i].y) << i;
        EXPECT_EQ(rig.points.positions[3 + i], rig.points.image[3 + i]) << i;
    }
    const std::vector<std::array<std::uint32_t, 3>> triangles{{2, 5, 6}, {5, 3, 4}, {5, 4, 6}, {3, 0, 1}, {3, 1, 4}};
    ASSERT_EQ(rig.triangles.size(), triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        EXPECT_EQ(rig.triangles[t].points, triangles[t]) << t;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& at = rig.points.image[triangles[t][k]];
            EXPECT_NEAR(rig.triangles[t].uvs[k].x, at.x, 1e-15) << t;
            EXPECT_NEAR(rig.triangles[t].uvs[k].y, at.y, 1e-15) << t;
        }
    }
}

// covers PS1M-SEAM-1: two triangles ask for one edge from its two ends, a quarter from the one.
TEST(PlaneCut, AnEdgeIsCutOnceAndKeepsItsTexture) {
    const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    for (const bool compat : {false, true}) {
        Rig rig = rig_of(square, {{0, 1, 2}, {2, 3, 0}});
        cut_all(rig, {0, 1, 0}, 0.25, compat);
        ASSERT_EQ(rig.points.image.size(), 7u);                       // the diagonal's point is both triangles'
        EXPECT_EQ(rig.points.image[4], (Vec3{0.25, 0.25, 0}));
        ASSERT_EQ(rig.triangles.size(), 6u);
        // The first triangle comes from its apex 2 at share 0.75, the second from its apex 0 at 0.25.
        EXPECT_EQ(rig.triangles[0].uvs[1], (Vec2{0.25, 0.25}));
        const RigTriangle& second = rig.triangles[3];
        ASSERT_EQ(second.points, (std::array<std::uint32_t, 3>{0, 4, 6}));
        EXPECT_EQ(second.uvs[1], compat ? (Vec2{0.75, 0.75}) : (Vec2{0.25, 0.25}));
        EXPECT_EQ(second.uvs[2], (Vec2{0, 0.25}));
    }
}

// covers PS1M-SEAM-1
TEST(PlaneCut, ACornerOnThePlaneMakesTwoParts) {
    Rig rig = rig_of({{0, 0, 0}, {1, 0.5, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}});
    cut_all(rig, {0, 1, 0}, 0.5);
    ASSERT_EQ(rig.triangles.size(), 4u);
    // The apex is 2, the only corner above: behind it 0 and 1 (on the plane), then 1 and 0.
    EXPECT_EQ(rig.triangles[0].points, (std::array<std::uint32_t, 3>{2, 3, 1}));
    EXPECT_EQ(rig.triangles[1].points, (std::array<std::uint32_t, 3>{3, 0, 1}));
    EXPECT_EQ(rig.triangles[2].points, (std::array<std::uint32_t, 3>{2, 1, 3}));
    EXPECT_EQ(rig.triangles[3].points, (std::array<std::uint32_t, 3>{3, 1, 0}));
}

/// A limb along +Y of two bones, the second from y = 1 on, its points weighted by height: a strip of two triangles crosses the joint.
model::Model limb(double low = 0.5, double high = 1.5) {
    ModelMaker maker(2);
    const std::uint32_t a = maker.point({-0.5, low, 0}, {{0, 1}});
    const std::uint32_t b = maker.point({0.5, low, 0}, {{0, 1}});
    const std::uint32_t c = maker.point({0.5, high, 0}, {{1, 1}});
    const std::uint32_t d = maker.point({-0.5, high, 0}, {{1, 1}});
    maker.polygon({a, d, c});
    maker.polygon({a, c, b});
    model::Model m = maker.take();
    model::Clip bend = clip("bend", 1.0 / 15);
    bend.tracks.resize(1);
    bend.tracks[0].node = model::NodeId{1};
    const double half = std::sqrt(0.5);
    bend.tracks[0].rotation = {{0, {}, false}, {1.0 / 15, {half, 0, 0, half}, false}};   // by 90 degrees about x
    m.clips.push_back(bend);
    return m;
}

Document with_seams(const model::Model& m, const char* seams, core::Report& report, codec::FormatValues values = {}) {
    values["--ps1-seams"] = seams;
    return written(m, report, std::move(values));
}

bool spans(const Document& d, const Triangle& t) {
    return d.vertices[t.vertices[0]].bone != d.vertices[t.vertices[1]].bone || d.vertices[t.vertices[0]].bone != d.vertices[t.vertices[2]].bone;
}
long spanning(const Document& d) { return std::count_if(d.triangles.begin(), d.triangles.end(), [&](const Triangle& t) { return spans(d, t); }); }

// covers PS1M-SEAM-5
TEST(Seams, KeptTrianglesTellHowFarTheyStretch) {
    core::Report report;
    const Document d = with_seams(limb(), "keep", report);
    EXPECT_EQ(d.triangles.size(), 2u);
    EXPECT_EQ(spanning(d), 2);
    EXPECT_FALSE(report.has(IssueId::PS1_SEAMS));
    EXPECT_FALSE(report.has(IssueId::PS1_SEAM_GAP));
    // Bent, the ends lie 0.5 before and 0.5 beside the joint: sqrt(0.5) m apart instead of 1, and the diagonal sqrt(1.5) instead of sqrt(2). Nothing is longer.
    EXPECT_FALSE(report.has(IssueId::PS1_SEAM_STRETCH));

    core::Report wide;
    with_seams(limb(1.2, 1.4), "keep", wide);   // both rows beyond the joint: 0.2 m apart, then (0.2, 0.4) from it at a right angle
    EXPECT_EQ(argument(wide, IssueId::PS1_SEAM_STRETCH, "distance"), "247.2");   // 1000 (sqrt(0.2) - 0.2)
    EXPECT_EQ(argument(wide, IssueId::PS1_SEAM_STRETCH, "clip"), "bend");
    EXPECT_EQ(argument(wide, IssueId::PS1_SEAM_STRETCH, "frame"), "1");
    EXPECT_EQ(argument(wide, IssueId::PS1_SEAM_STRETCH, "bone"), "b0");
    EXPECT_EQ(argument(wide, IssueId::PS1_SEAM_STRETCH, "other"), "b1");
}

// covers PS1M-SEAM-3, PS1M-SEAM-4, PS1M-SEAM-5
TEST(Seams, TrianglesAreCutAtTheJoint) {
    core::Report report;
    const Document d = with_seams(limb(), "cut", report);
    EXPECT_EQ(d.triangles.size(), 6u);
    EXPECT_EQ(spanning(d), 0);
    EXPECT_EQ(argument(report, IssueId::PS1_SEAMS, "spanning"), "2");
    EXPECT_EQ(argument(report, IssueId::PS1_SEAMS, "cut"), "2");
    EXPECT_EQ(argument(report, IssueId::PS1_SEAMS, "parts"), "6");
    EXPECT_EQ(argument(report, IssueId::PS1_SEAMS, "copies"), "3");   // what lies on the plane
    for (const Vertex& v : d.vertices) {                              // bone 0 up to y = 1, bone 1 from there, where it begins
        EXPECT_TRUE(v.bone == 0 ? v.position[1] == -2048 || v.position[1] == -4096 : v.position[1] == -2048 || v.position[1] == 0) << v.position[1];
    }
    // The plane is level and the joint's axis lies in it at z = 0: nothing opens.
    EXPECT_FALSE(report.has(IssueId::PS1_SEAM_GAP));
    EXPECT_FALSE(report.has(IssueId::PS1_SEAM_STRETCH));
}

// covers PS1M-SEAM-4, PS1M-SEAM-5
TEST(Seams, SplitGivesEachTriangleOneBone) {
    core::Report report;
    const Document d = with_seams(limb(), "split", report);
    EXPECT_EQ(d.triangles.size(), 2u);
    EXPECT_EQ(spanning(d), 0);
    EXPECT_EQ(d.vertices.size(), 6u);
    EXPECT_EQ(argument(report, IssueId::PS1_SEAMS, "copies"), "2");
    // a, d, c follow bone 1 and a, c, b bone 0: a of bone 1 lies 0.5 below the joint, bent 0.5 beside it; c likewise. sqrt(0.5) m.
    EXPECT_EQ(argument(report, IssueId::PS1_SEAM_GAP, "distance"), "707.1");
    EXPECT_FALSE(report.has(IssueId::PS1_SEAM_STRETCH));
    EXPECT_EQ(argument(report, IssueId::PS1_FIT, "most"), "0.7071");   // of what was torn off its bone
}

// covers PS1M-SEAM-3: a triangle that lies on one side whole is not cut.
TEST(Seams, WhatTheJointsPlaneDoesNotPartIsSplit) {
    core::Report report;
    const Document d = with_seams(limb(1.2, 1.4), "cut", report);
    EXPECT_EQ(d.triangles.size(), 2u);
    EXPECT_EQ(spanning(d), 0);
    EXPECT_EQ(argument(report, IssueId::PS1_SEAMS, "cut"), "0");
    EXPECT_EQ(argument(report, IssueId::PS1_SEAMS, "copies"), "2");
}

TEST(Seams, CutAndKeptModelsFillTheSamePlaces) {
    for (const char* seams : {"keep", "cut", "split"}) {
        core::Report report;
        const Document d = with_seams(limb(), seams, report);
        double area = 0;   // in model space at bind
        for (const Triangle& t : d.triangles) {
            std::array<Vec3, 3> at;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vertex& v = d.vertices[t.vertices[k]];
                at[k] = {v.position[0] / -4096.0, v.position[1] / -4096.0 + v.bone, v.position[2] / -4096.0};
            }
            area += length(cross(at[1] - at[0], at[2] - at[0])) / 2;
        }
        EXPECT_DOUBLE_EQ(area, 1) << seams;
    }
}

TEST(Seams, ReducingKeepsBonesApart) {
    ModelMaker maker(2);
    constexpr std::uint32_t kRows = 20;
    for (std::uint32_t y = 0; y <= kRows; ++y) {
        for (std::uint32_t x = 0; x <= kRows; ++x) {
            maker.point({0.1 * x, 0.1 * y + 0.05, 0}, {{y < 10 ? 0u : 1u, 1}});
        }
    }
    for (std::uint32_t y = 0; y < kRows; ++y) {
        for (std::uint32_t x = 0; x < kRows; ++x) {
            const std::uint32_t p = y * (kRows + 1) + x;
            maker.polygon({p, p + kRows + 1, p + kRows + 2, p + 1});
        }
    }
    core::Report report;
    const Document d = with_seams(maker.take(), "cut", report, {{"--ps1-triangles", "100"}});
    EXPECT_LE(d.triangles.size(), 100u);
    EXPECT_EQ(spanning(d), 0);
}

TEST(Seams, TheErrorAboutTheConsolesRoomNamesThem) {
    ModelMaker maker(2);
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const double x = 0.001 * i;
        const std::uint32_t a = maker.point({x, 0.5, 0}, {{0, 1}});
        const std::uint32_t b = maker.point({x, 1.5, 0}, {{1, 1}});
        const std::uint32_t c = maker.point({x + 0.001, 1.5, 0}, {{1, 1}});
        maker.polygon({a, b, c});
    }
    const model::Model m = maker.take();
    core::Report report;
    const auto refused = try_written(m, report, {{"--ps1-seams", "cut"}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, core::Code::CannotConvert);
    EXPECT_NE(refused.error().cure.find("give --ps1-seams keep"), std::string::npos);
}

}  // namespace
}  // namespace gomkit::ps1
