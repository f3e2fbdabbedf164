#include "pose.hpp"

#include <array>

#include "sample.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;

std::vector<Placement> posed(const Document& d, std::size_t frame, std::int32_t t) { return world_pose(d, local_pose(d, d.clips[0], {frame, t})); }

// covers PS1M-POSE-1, PS1M-POSE-2, PS1M-POSE-3, PS1M-POSE-4
TEST(Pose, IsThatOfThePage) {
    struct Row {
        std::size_t frame;
        std::int32_t t, y0;
        std::int16_t c, s;
        std::int32_t y1;
    };
    const Document d = example();
    for (const Row& row : {Row{0, 0, -2048, 4096, 0, -3072}, Row{0, 64, -2036, 4062, 530, -3060}, Row{0, 128, -2024, 3958, 1058, -3048},
                           Row{0, 255, -2001, 3554, 2038, -3025}, Row{1, 128, -2024, 3958, 1058, -3048}}) {
        const std::vector<Placement> world = posed(d, row.frame, row.t);
        EXPECT_EQ(world[0].t, (Vec3s32{0, row.y0, 0}));
        EXPECT_EQ(world[0].r, Placement{}.r);
        EXPECT_EQ(world[1].t, (Vec3s32{0, row.y1, 0}));
        EXPECT_EQ(world[1].r, (Matrix3s16{{{row.c, static_cast<std::int16_t>(-row.s), 0}, {row.s, row.c, 0}, {0, 0, 4096}}}));
    }
}

// covers PS1M-POSE-1
TEST(Pose, BlendsOnTheNearerSideAndSurvivesNothing) {
    EXPECT_EQ(blended_rotation({0, 0, 1060, 3956}, {0, 0, -1060, -3956}, 128), blended_rotation({0, 0, 1060, 3956}, {0, 0, 1060, 3956}, 0));
    EXPECT_EQ(blended_rotation({0, 0, 0, 0}, {0, 0, 0, 0}, 99), Placement{}.r);
    EXPECT_EQ(blended_rotation({4096, 0, 0, 0}, {4096, 0, 0, 0}, 0), (Matrix3s16{{{4096, 0, 0}, {0, -4096, 0}, {0, 0, -4096}}}));
    (void)blended_rotation({-32768, -32768, -32768, -32768}, {32767, -32768, 32767, -32768}, 255);
}

// covers PS1M-PLAY-1
TEST(Pose, ClipsAdvanceByWholeSubframes) {
    Clip clip = example().clips[0];
    PlayPosition p;
    advance(p, clip, 60);
    EXPECT_EQ(p, (PlayPosition{0, 64}));
    advance(p, clip, 50);
    EXPECT_EQ(p, (PlayPosition{0, 140}));
    advance(p, clip, 30);
    EXPECT_EQ(p, (PlayPosition{1, 12}));
    clip.fps = 60;
    advance(p, clip, 60);
    EXPECT_EQ(p, (PlayPosition{0, 12}));
    clip.fps = 600;
    advance(p, clip, 60);
    EXPECT_EQ(p, (PlayPosition{0, 12}));
    clip.frames.resize(1);
    advance(p, clip, 60);
    EXPECT_EQ(p, (PlayPosition{0, 12}));
}

/// What the game draws of a vertex: the view of its default camera, then one projection.
Gte drawn(const Document& d, const std::vector<Placement>& world, const Placement& view, std::size_t vertex) {
    const Vertex& v = d.vertices[vertex];
    const Placement at = compose(view, world[v.bone]);
    Gte g;
    g.h = 160;
    g.ofx = 160 << 16;
    g.ofy = 120 << 16;
    g.rt = at.r;
    g.tr = at.t;
    g.v[0] = v.position;
    EXPECT_TRUE(g.execute(gte_command::kRtps));
    g.llm = mul_matrix0({{{-1800, -2600, -2400}, {0, 0, 0}, {0, 0, 0}}}, at.r);
    g.lcm = {{{1700, 0, 0}, {1700, 0, 0}, {1700, 0, 0}}};
    g.bk = {52 << 4, 52 << 4, 56 << 4};
    g.v[0] = v.normal;
    EXPECT_TRUE(g.execute(gte_command::kNcs));
    return g;
}

// covers PS1M-DRAW-1
TEST(Pose, ProjectsAsThePageSays) {
    const Document d = example();
    Placement view{rot_matrix(200, 0, 0), {}};
    EXPECT_EQ(view.r, (Matrix3s16{{{4096, 0, 0}, {0, 3908, -1244}, {0, 1244, 3908}}}));
    view.t = apply_matrix_lv(view.r, {0, -2100, 0});
    view.t = {-view.t[0], -view.t[1], -view.t[2] + 4000};
    EXPECT_EQ(view.t, (Vec3s32{0, 2004, 4638}));
    const std::vector<Placement> world = posed(d, 0, 128);
    struct Row {
        std::array<std::int16_t, 2> screen;
        std::uint16_t z;
    };
    const Row rows[] = {{{139, 122}, 4023}, {{180, 122}, 4023}, {{151, 40}, 3456}, {{185, 50}, 3516}};
    std::array<Gte, 4> g{};
    for (std::size_t i = 0; i < 4; ++i) {
        g[i] = drawn(d, world, view, i);
        EXPECT_EQ(g[i].sxy[2], rows[i].screen) << i;
        EXPECT_EQ(g[i].sz[3], rows[i].z) << i;
        EXPECT_EQ(g[i].rgb[2], 90u | 90u << 8 | 94u << 16) << i;
    }
    for (const auto& [triangle, area, bucket] : {std::tuple{0, 2952, 361}, std::tuple{1, 2908, 343}}) {
        Gte both;
        int z = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Gte& one = g[d.triangles[static_cast<std::size_t>(triangle)].vertices[k]];
            both.sxy[k] = one.sxy[2];
            z += one.sz[3];
        }
        ASSERT_TRUE(both.execute(gte_command::kNclip));
        EXPECT_EQ(both.mac[0], area);
        EXPECT_EQ(z >> 5, bucket);
    }
}

Document arm() {
    Document d;
    for (const auto& [parent, t] : {std::pair<std::int8_t, Vec3s16>{-1, {0, -1900, 0}}, {0, {240, 0, 0}}, {1, {0, 940, 0}}, {2, {0, 900, 60}}, {3, {0, 40, -200}}}) {
        Bone b;
        b.parent = parent;
        b.translation = t;
        d.bones.push_back(b);
    }
    Clip still;
    still.frames = {{std::vector<Rotation>(5, {0, 0, 0, 4096}), {}}};
    d.clips = {still};
    return d;
}

// covers PS1M-IK-3, PS1M-POSE-5
TEST(Ik, ReachesAsThePageSays) {
    const Document d = arm();
    const std::vector<Placement> local = local_pose(d, d.clips[0], {});
    std::vector<Placement> world = world_pose(d, local);
    const IkChain chain{1, 2, 3, {0, 900, 60}, {0, 0, -4096}};
    std::vector<bool> modified(5, false);
    solve_chain(chain, {300, -500, -300}, world, modified);
    EXPECT_EQ(modified, (std::vector<bool>{false, true, true, true, false}));
    refresh_pose(d, local, modified, world);
    EXPECT_EQ(world[1].r, (Matrix3s16{{{4094, 108, 49}, {-108, 2626, 3141}, {49, -3141, 2628}}}));
    EXPECT_EQ(world[2].r, (Matrix3s16{{{4088, 176, -147}, {-219, 3735, -1667}, {57, 1670, 3738}}}));
    EXPECT_EQ(world[0].t, (Vec3s32{0, -1900, 0}));
    EXPECT_EQ(world[1].t, (Vec3s32{240, -1900, 0}));
    EXPECT_EQ(world[2].t, (Vec3s32{264, -1298, -722}));
    EXPECT_EQ(world[3].t, (Vec3s32{301, -501, -301}));
    EXPECT_EQ(world[4].t, (Vec3s32{309, -384, -468}));
    EXPECT_EQ(effector(chain, world), (Vec3s32{300, -502, -301}));
}

// covers PS1M-IK-2
TEST(Ik, RotationsBetweenDirections) {
    EXPECT_EQ(rotation_between({4096, 0, 0}, {0, 4096, 0}), (Matrix3s16{{{0, -4096, 0}, {4096, 0, 0}, {0, 0, 4096}}}));
    const Matrix3s16 half{{{-4096, 0, 0}, {0, -4096, 0}, {0, 0, 4096}}};
    EXPECT_EQ(rotation_between({4096, 0, 0}, {-4096, 0, 0}), half);
    EXPECT_EQ(rotation_between({0, 4096, 0}, {0, -4096, 0}), half);
}

// covers PS1M-IK-3
TEST(Ik, GivesUpWithoutLengthAndStaysInReach) {
    const Document d = arm();
    std::vector<Placement> world = world_pose(d, local_pose(d, d.clips[0], {}));
    const std::vector<Placement> before = world;
    std::vector<bool> modified(5, false);
    solve_chain({1, 2, 3, {0, 0, 0}, {0, 0, -4096}}, {300, -500, -300}, world, modified);
    EXPECT_EQ(world, before);
    EXPECT_EQ(modified, std::vector<bool>(5, false));
    for (const Vec3s32 target : {Vec3s32{240, -1900, 0}, Vec3s32{240, -1899, 0}, Vec3s32{30000, 0, 0}}) {
        world = before;
        solve_chain({1, 2, 3, {0, 900, 60}, {0, 0, -4096}}, target, world, modified);
        const Vec3s32 bend = world[2].t;
        const std::int64_t x = bend[0] - 240, y = bend[1] + 1900, z = bend[2];
        EXPECT_NEAR(static_cast<double>(x * x + y * y + z * z), 940.0 * 940, 940 * 20) << target[0];
    }
    solve_chain({1, 2, 3, {0, 900, 60}, {0, 0, -4096}}, {2000000000, -2000000000, 5}, world, modified);   // lengths wrap, as the console's do
}

}  // namespace
}  // namespace gomkit::ps1
