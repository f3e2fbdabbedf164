// The biped by itself. Expected numbers are those of the public description of the converter.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "biped.hpp"
#include "biped_motion.hpp"
#include "quantise.hpp"

namespace gomkit::ps1::biped {
namespace {

using model::Quat;
using model::Vec3;

std::string name_at(double x, double y) { return bones()[bone_at({x, y, 0}, 1)].name; }

// covers PS1M-RIG-3
TEST(Biped, BonesOfPlacesAreThoseOfTheVectors) {
    EXPECT_EQ(name_at(0.16, 0.5), "forearm_L");
    EXPECT_EQ(name_at(-0.16, 0.6), "upperarm_R");
    EXPECT_EQ(name_at(0.08, 0.6), "spine");
    EXPECT_EQ(name_at(0.05, 0.46), "thigh_L");
    EXPECT_EQ(name_at(-0.05, 0.2), "shin_R");
    EXPECT_EQ(name_at(0, 0.8), "head");
    EXPECT_EQ(name_at(0.1, 0.755), "upperarm_L");
    EXPECT_EQ(name_at(0.1, 0.77), "spine");
    EXPECT_EQ(name_at(0.13, 0.29), "thigh_L");
    EXPECT_EQ(name_at(0.13, 0.30), "forearm_L");
    EXPECT_EQ(name_at(0, 0.59), "root");
    EXPECT_EQ(name_at(0, 0.60), "spine");
    EXPECT_EQ(name_at(0, 0.47), "root");
}

TEST(Biped, TheMiddleIsLeftAndBordersBelongToTheUpperBand) {
    EXPECT_EQ(name_at(0, 0.1), "shin_L");
    EXPECT_EQ(name_at(-0.0, 0.1), "shin_L");
    EXPECT_EQ(name_at(0.05, 0.24), "thigh_L");
    EXPECT_EQ(name_at(0, 0.78), "head");
    EXPECT_EQ(name_at(0.125, 0.5), "root");       // arms begin beyond it
    EXPECT_EQ(name_at(0.09, 0.6), "spine");
    EXPECT_EQ(name_at(-0.14, 0.58), "upperarm_R");
    EXPECT_EQ(name_at(0.2, 0.77), "spine");       // above the shoulder
}

/// Points in the head's band or in the spine's.
struct Patch {
    std::uint32_t head() { return point(0.785); }
    std::uint32_t spine() { return point(0.70); }
    std::uint32_t point(double y) {
        surface.points.push_back({0, y, 0});
        return static_cast<std::uint32_t>(surface.points.size() - 1);
    }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) { surface.triangles.push_back({a, b, c}); }
    Surface surface;
};

// covers PS1M-RIG-4
TEST(Biped, APointAmongOthersGoesWithThem) {
    Patch p;
    const std::uint32_t hub = p.head();
    std::uint32_t last = p.spine();
    const std::uint32_t first = last;
    for (int i = 0; i < 3; ++i) {
        const std::uint32_t next = p.spine();
        p.triangle(hub, last, next);
        last = next;
    }
    p.triangle(hub, last, first);
    EXPECT_EQ(bones_of_points(p.surface, 1), std::vector<Bone>(5, kSpine));
}

TEST(Biped, AThirdOfTheNeighboursIsEnoughToStay) {
    Patch p;
    const std::uint32_t hub = p.head();
    const std::uint32_t other = p.head();
    const std::uint32_t a = p.spine();
    const std::uint32_t b = p.spine();
    p.triangle(hub, other, a);
    p.triangle(hub, a, b);
    p.triangle(hub, b, other);
    p.triangle(hub, b, other);                    // a neighbour counts once
    EXPECT_EQ(bones_of_points(p.surface, 1), (std::vector<Bone>{kHead, kHead, kSpine, kSpine}));
}

TEST(Biped, TheLowestBoneWinsOfSeveral) {
    Patch p;
    const std::uint32_t hub = p.head();
    const std::uint32_t spine = p.spine();
    const std::uint32_t other = p.spine();
    const std::uint32_t root = p.point(0.5);
    const std::uint32_t below = p.point(0.5);
    p.triangle(hub, spine, other);
    p.triangle(hub, root, below);
    EXPECT_EQ(bones_of_points(p.surface, 1)[hub], kRoot);
}

TEST(Biped, ThereAreThreePassesAndEachReadsTheOneBefore) {
    Patch p;
    std::vector<std::uint32_t> chain;
    for (int i = 0; i < 5; ++i) {
        chain.push_back(p.head());
    }
    for (int i = 0; i < 4; ++i) {                 // each link has two heads and two spines beside it, and loses a head when the one before goes
        const std::uint32_t side = p.spine();
        p.triangle(chain[static_cast<std::size_t>(i)], chain[static_cast<std::size_t>(i) + 1], side);
        p.triangle(side, p.spine(), p.spine());
    }
    p.triangle(chain[0], p.spine(), p.spine());
    const std::vector<Bone> bones = bones_of_points(p.surface, 1);
    EXPECT_EQ(std::vector<Bone>(bones.begin(), bones.begin() + 5), (std::vector<Bone>{kSpine, kSpine, kSpine, kHead, kHead}));
}

std::array<int, 4> in_file(const Quat& q) { return {q16(q.x * 4096), q16(-q.y * 4096), q16(-q.z * 4096), q16(q.w * 4096)}; }

// covers PS1M-RIG-5
TEST(Biped, WalksAsTheVectorSays) {
    ASSERT_STREQ(motions()[1].name, "walk");
    const Pose pose = motions()[1].at(4.0 / 15, 1.7);
    EXPECT_NEAR(pose.root.y, 0.0202882467, 5e-11);
    using Q = std::array<int, 4>;
    EXPECT_EQ(in_file(pose.rotations[kThighL]), (Q{-1054, 0, 0, 3958}));
    EXPECT_EQ(in_file(pose.rotations[kThighR]), (Q{1054, 0, 0, 3958}));
    EXPECT_EQ(in_file(pose.rotations[kShinL]), (Q{799, 0, 0, 4017}));
    EXPECT_EQ(in_file(pose.rotations[kShinR]), (Q{0, 0, 0, 4096}));
    EXPECT_EQ(in_file(pose.rotations[kUpperArmL]), (Q{882, 0, 0, 4000}));
    EXPECT_EQ(in_file(pose.rotations[kForearmL]), (Q{-711, 0, 0, 4034}));
    EXPECT_EQ(in_file(pose.rotations[kForearmR]), (Q{-711, 0, 0, 4034}));
    EXPECT_EQ(in_file(pose.rotations[kSpine]), (Q{-107, -213, -6, 4089}));
    EXPECT_EQ(in_file(pose.rotations[kHead]), (Q{0, 213, 0, 4090}));
}

TEST(Biped, TheOriginalTurnsThePunchAsThePageSays) {
    EXPECT_NEAR(kOriginalPunchTurn, -156.96, 0.005);
    EXPECT_EQ(in_file(about_y(kOriginalPunchTurn)), (std::array<int, 4>{0, 4013, 0, 818}));
}

// covers PS1M-RIG-6
TEST(Biped, ChainsEndAtWristsAndSoles) {
    const IkTable ik = ik_table(2, 4096);
    EXPECT_EQ(ik.hip, 0);
    EXPECT_EQ(ik.head, 2);
    EXPECT_EQ(ik.head_forward, (Vec3s16{0, 0, -4096}));
    EXPECT_EQ(ik.chains[0], (IkChain{3, 4, -1, {0, 1311, 0}, {0, 0, 4096}}));   // 0.16 * 2 * 4096 = 1310.72, Y down
    EXPECT_EQ(ik.chains[1], (IkChain{5, 6, -1, {0, 1311, 0}, {0, 0, 4096}}));
    EXPECT_EQ(ik.chains[2], (IkChain{7, 8, -1, {0, 1966, 0}, {0, 0, -4096}}));  // 0.24 * 2 * 4096 = 1966.08
    EXPECT_EQ(ik.chains[3], (IkChain{9, 10, -1, {0, 1966, 0}, {0, 0, -4096}}));
}

}  // namespace
}  // namespace gomkit::ps1::biped
