// Bodies of rings. Expected numbers are the page's, or computed by hand.
#include <algorithm>
#include <cmath>
#include <string>

#include "import.hpp"
#include "lathe.hpp"
#include "quantise.hpp"
#include "tim.hpp"
#include "written.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;
using lathe::Body;
using lathe::Ring;
using lathe::Shape;

// covers PS1M-LATHE-3: the page's vector.
TEST(Lathe, GivesThePagesBody) {
    const Ring rings[] = {{0, 0, 0, 0.1, 0.05}, {0.5, 0.02, 0, 0.08, 0.06}};
    const Body b = lathe::body(rings, Shape{1, 6, {128, 0, 64, 64}});
    ASSERT_EQ(b.points.size(), 14u);
    ASSERT_EQ(b.triangles.size(), 12u);
    EXPECT_NEAR(b.points[1].x, 0.05, 1e-15);
    EXPECT_EQ(b.points[1].y, 0);
    EXPECT_NEAR(b.points[1].z, 0.043301, 5e-7);
    EXPECT_NEAR(b.normals[1].x, 0.27735, 5e-7);
    EXPECT_EQ(b.normals[1].y, 0);
    EXPECT_NEAR(b.normals[1].z, 0.960769, 5e-7);
    EXPECT_NEAR(b.uvs[1].x, 0.542969, 5e-7);
    EXPECT_NEAR(1 - b.uvs[1].y, 0.751953, 5e-7);
    EXPECT_EQ(uv8(b.uvs[6].x), 191);
    EXPECT_EQ(uv8(b.uvs[6].y), 63);
    EXPECT_EQ(uv8(b.uvs[7].x), 128);
    EXPECT_EQ(uv8(b.uvs[7].y), 0);
    EXPECT_EQ(b.points[6], b.points[0]);
    EXPECT_NEAR(b.points[7].x, 0.1, 1e-15);
    EXPECT_EQ(b.triangles[0], (std::array<std::uint32_t, 3>{0, 7, 1}));
    EXPECT_EQ(b.triangles[1], (std::array<std::uint32_t, 3>{1, 7, 8}));
    for (const auto& t : b.triangles) {
        const Vec3 out = cross(b.points[t[1]] - b.points[t[0]], b.points[t[2]] - b.points[t[0]]);
        EXPECT_GT(dot(out, b.normals[t[0]]), 0);
    }
}

// covers PS1M-LATHE-2: 0 to 24 along x, the median 12, and 0.92 of the way through the sorted distances 0, 1, 1, 2, 2 ... 12, 12: the 22.08th.
TEST(Lathe, ARingIsTheMedianAndMostOfTheExtent) {
    std::vector<Vec3> points;
    for (int i = 0; i < 25; ++i) {
        points.push_back({static_cast<double>(i), 0, 0});
        points.push_back({static_cast<double>(i), 1, 0.5});
    }
    const std::vector<Ring> rings = lathe::profile(points, 1);
    ASSERT_EQ(rings.size(), 2u);
    EXPECT_EQ(rings[0].y, 0);
    EXPECT_EQ(rings[1].y, 1);
    EXPECT_EQ(rings[0].x, 12);
    EXPECT_NEAR(rings[0].rx, 11 + 0.08 * 1, 1e-12);
    EXPECT_EQ(rings[0].rz, 1e-4);       // flat
    EXPECT_EQ(rings[1].z, 0.5);
}

// covers PS1M-LATHE-2
TEST(Lathe, HeightsWithoutPointsTakeTheRingBelowElseAbove) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) {
        points.push_back({0.1 * i, 2, 0});   // the third of five heights only
    }
    points.push_back({0, 0, 0});
    points.push_back({0, 4, 0});
    const std::vector<Ring> rings = lathe::profile(points, 4);
    ASSERT_EQ(rings.size(), 5u);
    for (std::size_t r = 0; r < 5; ++r) {
        EXPECT_EQ(rings[r].y, static_cast<double>(r));
        EXPECT_NEAR(rings[r].x, 0.35, 1e-12) << r;
        EXPECT_EQ(rings[r].rx, rings[2].rx) << r;
    }
    const std::vector<Ring> lone = lathe::profile(std::vector<Vec3>{{1, 0, 0}, {1, 1, 0}}, 1);
    EXPECT_EQ(lone[0].x, 0);
    EXPECT_EQ(lone[1].rx, 0.02);
    EXPECT_EQ(lone[1].y, 1);
}

/// Tubes of 12 sides, one metre high together, one for each bone; each of the right arm of `rows` rows.
model::Model figure(std::size_t right_arm_rows = 6, std::size_t right_arm_sides = 12) {
    struct Tube {
        double x, low, high, radius;
    };
    const Tube tubes[] = {{0, 0.48, 0.56, 0.08}, {0, 0.61, 0.75, 0.08},   {0, 0.79, 1, 0.07},         {0.15, 0.59, 0.73, 0.02}, {0.15, 0.40, 0.57, 0.02}, {-0.15, 0.59, 0.73, 0.02},
                          {-0.15, 0.40, 0.57, 0.02}, {0.06, 0.25, 0.46, 0.03}, {0.06, 0, 0.22, 0.03}, {-0.06, 0.25, 0.46, 0.03}, {-0.06, 0, 0.22, 0.03}};
    ModelMaker maker(0);
    for (std::size_t i = 0; i < std::size(tubes); ++i) {
        const Tube& tube = tubes[i];
        const std::size_t rows = i == 6 ? right_arm_rows : 6;
        const std::size_t sides = i == 6 ? right_arm_sides : 12;
        const auto first = static_cast<std::uint32_t>(maker.mesh.points.size());
        for (std::size_t r = 0; r <= rows; ++r) {
            for (std::size_t k = 0; k < sides; ++k) {
                const double angle = 6.283185307179586 * static_cast<double>(k) / static_cast<double>(sides);
                const double y = tube.low + (tube.high - tube.low) * static_cast<double>(r) / static_cast<double>(rows);
                maker.point({-(tube.x + tube.radius * std::cos(angle)), y, tube.radius * std::sin(angle)}, {});
            }
        }
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t k = 0; k < sides; ++k) {
                const auto at = [&](std::size_t row, std::size_t side) { return first + static_cast<std::uint32_t>(row * sides + side % sides); };
                maker.polygon({at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k)});
            }
        }
    }
    return take_boneless(maker);
}

Document with_bodies(const model::Model& m, core::Report& report, codec::FormatValues values = {}) {
    values["--autorig"] = codec::kOn;
    values["--autorig-body"] = "lathe";
    return written(m, report, std::move(values));
}

// covers PS1M-LATHE-1, PS1M-LATHE-2, PS1M-LATHE-3
TEST(Lathe, TakesThePlaceOfAllButHeadAndHands) {
    core::Report report;
    const Document d = with_bodies(figure(), report);
    const std::array<std::size_t, 11> cells{40, 50, 72, 18, 24, 18, 24, 18, 24, 18, 24};   // rows times segments; the head keeps 6 rows of 12
    for (std::size_t b = 0; b < 11; ++b) {
        // Hands: of the six rows of a forearm from 0.40 to 0.57 two stay whole, the third is cut at the hip's height into six triangles a square, and of the next one three lie below the cut at 0.505.
        const std::size_t hand = b == 4 || b == 6 ? (2 + 2 + 6 + 3) * 12 : 0;
        EXPECT_EQ(d.bones[b].triangle_count, 2 * cells[b] + hand) << b;
    }
    EXPECT_EQ(argument(report, IssueId::PS1_LATHE, "parts"), "root, spine, upperarm_L, forearm_L, upperarm_R, forearm_R, thigh_L, shin_L, thigh_R, shin_R");
    EXPECT_FALSE(report.has(IssueId::PS1_LATHE_SKIPPED));
    EXPECT_FALSE(report.has(IssueId::PS1_TURNED));
    EXPECT_FALSE(report.has(IssueId::PS1_SEAM_STRETCH));
    std::size_t made = 0;
    for (const Triangle& t : d.triangles) {
        const bool of_mesh = t.texture != 0;
        made += of_mesh ? 0u : 1u;
        EXPECT_TRUE(of_mesh || t.bone != 2);
        for (const std::uint16_t v : t.vertices) {
            EXPECT_EQ(d.vertices[v].bone, t.bone);
        }
    }
    EXPECT_EQ(made, 2u * (40 + 50 + 4 * 18 + 4 * 24));
    // The left shin: 0.03 m around x = 0.06, from the floor to 0.22; the joint is at (0.06, 0.24). Its texels are those of the page.
    const Bone& shin = d.bones[8];
    int low = 255;
    int high = 0;
    for (std::size_t v = shin.vertex_start; v < std::size_t{shin.vertex_start} + shin.vertex_count; ++v) {
        const Vertex& at = d.vertices[v];
        EXPECT_LE(std::hypot(at.position[0], at.position[2]), 0.03 * 4096 + 1) << v;
        EXPECT_GE(at.position[1], 82 - 1) << v;              // 0.02 m below the joint
        EXPECT_LE(at.position[1], 983 + 1) << v;             // the floor
        EXPECT_LE(at.u, 63) << v;
        low = std::min<int>(low, at.v);
        high = std::max<int>(high, at.v);
    }
    EXPECT_EQ(low, 192);     // 192.5 of 256 times 255
    EXPECT_EQ(high, 255);
}

// covers PS1M-LATHE-1
TEST(Lathe, APartOfFewPointsKeepsItsMesh) {
    core::Report report;
    const Document d = with_bodies(figure(1, 5), report, {{"--ps1-seams", "keep"}});   // the right forearm: ten points
    EXPECT_EQ(argument(report, IssueId::PS1_LATHE_SKIPPED, "parts"), "forearm_R");
    EXPECT_EQ(d.bones[6].triangle_count, 10u);
    EXPECT_EQ(d.bones[4].triangle_count, 2u * (24 + 36));
}

TEST(Lathe, StandsOnTheFiguresFloor) {
    model::Model m = figure();
    for (Vec3& p : m.meshes[0].points) {
        p.y += 2;
    }
    core::Report report;
    const Document moved = with_bodies(m, report);
    const Document d = with_bodies(figure(), report);
    ASSERT_EQ(moved.vertices.size(), d.vertices.size());
    for (std::size_t v = 0; v < d.vertices.size(); ++v) {
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(moved.vertices[v].position[c], d.vertices[v].position[c], 1) << v;
        }
    }
}

TEST(Lathe, GoesWithSeams) {
    core::Report cut;
    const Document plain = with_bodies(figure(), cut);
    EXPECT_TRUE(cut.has(IssueId::PS1_SEAMS));
    for (const char* seams : {"keep", "cut", "split"}) {
        core::Report report;
        const Document d = with_bodies(figure(), report, {{"--ps1-seams", seams}});
        EXPECT_EQ(d.bones[0].triangle_count, 80u) << seams;
        EXPECT_EQ(d == plain, std::string(seams) == "cut") << seams;
        EXPECT_FALSE(report.has(IssueId::PS1_SEAM_STRETCH)) << seams;
    }
}

/// The figure with three pictures by height: `head.png`, `body.png`, and `legs.png` from the hands down, that on slot 0 by its material's name.
model::Model painted_figure() {
    model::Model m = figure();
    model::Mesh& mesh = m.meshes[0];
    mesh.polygon_material.clear();
    for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
        const Vec3& at = mesh.points[mesh.corner_point[mesh.polygon_first[p]]];
        mesh.polygon_material.push_back(at.y >= 0.79 ? 0 : at.y > 0.5 ? 1 : 2);
    }
    m.materials.resize(3);
    m.instances[0].materials.clear();
    const char* pictures[] = {"head.png", "body.png", "legs.png"};
    for (std::uint32_t i = 0; i < 3; ++i) {
        m.materials[i].name = i == 2 ? "slot_0" : pictures[i];
        m.materials[i].textures[0] = i;
        m.textures.emplace_back().path = pictures[i];
        m.instances[0].materials.push_back(model::MaterialId{i});
    }
    return m;
}

// covers PS1M-LATHE-4
TEST(Lathe, ItsPageIsTheTimOfSlot0) {
    for (const char* name : {"man.v2", ""}) {
        codec::WriteOptions options;
        options.output_name = name;
        options.format = {{"--autorig", codec::kOn}, {"--autorig-body", "lathe"}, {"--ps1-tim", "16"}};
        std::vector<std::string> opened;
        options.open_picture = [&](const model::Texture& texture) -> core::Result<codec::Picture> {
            opened.push_back(texture.path);
            return codec::Picture{1, 1, {texture.path == "body.png" ? std::uint8_t{255} : std::uint8_t{0}, 0, texture.path == "legs.png" ? std::uint8_t{255} : std::uint8_t{0}, 255}};
        };
        std::vector<std::pair<std::string, core::Bytes>> files;
        options.write_beside = [&](const std::string& file, core::Bytes bytes, const model::Texture&) { files.emplace_back(file, std::move(bytes)); };
        core::Report report;
        const auto d = export_model(painted_figure(), options, report);
        ASSERT_TRUE(d.has_value()) << core::to_string(d.error());
        ASSERT_EQ(files.size(), 2u);
        EXPECT_EQ(files[0].first, std::string(name) + (*name == 0 ? "" : "_") + "body.tim");
        EXPECT_EQ(files[1].first, "head.tim");
        EXPECT_EQ(argument(report, IssueId::PS1_TIM_SHARED, "others"), "'legs.png'");       // which hands have
        std::sort(opened.begin(), opened.end());
        EXPECT_EQ(opened, (std::vector<std::string>{"body.png", "head.png", "legs.png"}));
        const auto tim = read_tim(files[0].second, "body.tim");
        ASSERT_TRUE(tim.has_value());
        const auto texel = [&](std::size_t u, std::size_t v) {
            const std::size_t byte = tim->pixels.data + 2 * (256 * v + u);
            return std::to_integer<int>(files[0].second[byte]) | std::to_integer<int>(files[0].second[byte + 1]) << 8;
        };
        EXPECT_EQ(texel(20, 96), 0x001F);           // the spine is red
        EXPECT_EQ(texel(20, 224), 0x7C00);          // a shin blue
        EXPECT_EQ(texel(130, 130), 0x1D | 0x18 << 5 | 0x14 << 10);
        EXPECT_EQ(texel(200, 200), 11 | 11 << 5 | 11 << 10);
        for (const core::Loss& loss : report.losses()) {
            EXPECT_NE(loss.kind, "textures");       // those of bodies are part of the page
        }
    }
    core::Report without;
    with_bodies(painted_figure(), without);
    EXPECT_TRUE(std::any_of(without.losses().begin(), without.losses().end(), [](const core::Loss& loss) { return loss.kind == "textures"; }));
}

TEST(Lathe, NeedsAutorig) {
    core::Report report;
    const auto refused = try_written(figure(), report, {{"--autorig-body", "lathe"}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, core::Code::Usage);
    // Also where the source is a PS1M that could stay as it is.
    core::Report unused;
    const Document stored = with_bodies(figure(), unused);
    const model::Model m = import(stored, unused);
    EXPECT_TRUE(try_written(m, unused, {{"--ps1-seams", "keep"}}).has_value());
    EXPECT_FALSE(try_written(m, unused, {{"--autorig-body", "lathe"}, {"--ps1-seams", "keep"}}).has_value());
}

}  // namespace
}  // namespace gomkit::ps1
