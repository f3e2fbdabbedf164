#include "gomkit/runtime/palette_job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "clip_maker.hpp"
#include "pose_tools.hpp"
#include "rig.hpp"

namespace gomkit::runtime {
namespace {

using test::Instance;
using test::kAllPaths;
using test::Loaded;
using test::model_matrices;
using test::palette_of;
using test::Rig;
using test::RigOptions;

void expect_near(const Mat4d& a, const Mat4d& b, double within) {
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(a.m[i], b.m[i], within) << "element " << i;
}

Mat4d moved(double x, double y, double z) {
    Mat4d out;
    out.m[12] = x;
    out.m[13] = y;
    out.m[14] = z;
    return out;
}

// Two bones in a row: the root turns a quarter about Z (x to y) at (1, 0, 0), the child stands at (0, 2, 0) below it, scaled by 3 in x.
TEST(LocalToModel, GivesAHandComputedPose) {
    const Loaded<ModelView> loaded(test::make_model({{-1, "a", "a", {}}, {0, "b", "a/b", {}}}, {}));
    std::vector<BoneLocal> pose(2);
    pose[0] = {{1, 0, 0}, 1, {0, 0, 2, 2}, {1, 1, 1}, 0};  // any length will do
    pose[1] = {{0, 2, 0}, 1, {0, 0, 0, 1}, {3, 1, 1}, 0};
    const Mat4d root{{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1}};
    const Mat4d child{{0, 3, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1}};  // (0, 2, 0) turns to (-2, 0, 0)
    for (const SimdPath path : kAllPaths) {
        const std::vector<Mat4d> bones = model_matrices(loaded.view, pose, path);
        expect_near(bones[0], root, 1e-15);
        expect_near(bones[1], child, 1e-15);
        EXPECT_EQ(bones[1].m[3], 0);
        EXPECT_EQ(bones[1].m[15], 1);
    }
    expect_near(local_matrix(pose[1]), {{3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1}}, 0);
    pose[0].rotation = {0, 0, 0, 0};
    EXPECT_EQ(model_matrices(loaded.view, pose)[0], moved(1, 0, 0));
}

// gom.md 1: only a posed frame can tell inverseBind * boneModel from boneModel * inverseBind.
TEST(Palette, MultipliesInTheOrderOfRowVectors) {
    // sample(): bones in a row at (0, 0, 0), (0, 1, 0), (0, 2, 0), inverse binds their inverses; GBTM moves by (0, 2, 0).
    const Loaded<ModelView> loaded{test::sample()};
    const MeshPartView part = loaded.view.part(0);
    std::vector<BoneLocal> pose = test::bind_pose_of(loaded.view);
    for (const SimdPath path : kAllPaths) {
        for (const Mat4f& m : palette_of(part, model_matrices(loaded.view, pose, path), PaletteSpace::Geometry, path))
            EXPECT_TRUE(is_identity(m));
        std::vector<BoneLocal> posed = pose;
        posed[1].is_keyed = 1;
        posed[1].rotation = {0, 0, 0.70710678F, 0.70710678F};  // the arm turns a quarter about Z
        const std::vector<Mat4d> bones = model_matrices(loaded.view, posed, path);
        // The hand's bind position (0, 2, 0) is one above the arm at (0, 1, 0) and goes to (-1, 1, 0); a vertex at (1, 2, 0) to (-1, 2, 0).
        const std::vector<Mat4f> palette = palette_of(part, bones, PaletteSpace::Geometry, path);
        const Vec3f p = transform_point(Vec3f{1, 2, 0}, palette[2]);
        EXPECT_NEAR(p.x, -1, 1e-6);
        EXPECT_NEAR(p.y, 2, 1e-6);
        const Vec3f in_model = transform_point(Vec3f{1, 2, 0}, palette_of(part, bones, PaletteSpace::Model, path)[2]);
        EXPECT_NEAR(in_model.x, -1, 1e-6);
        EXPECT_NEAR(in_model.y, 4, 1e-6);
        const Vec3f swapped = transform_point(Vec3f{1, 2, 0}, matrix_cast<float>(bones[2]) * part.inverse_bind(2));
        EXPECT_GT(std::fabs(swapped.y - 2) + std::fabs(swapped.x + 1), 0.5F);
    }
}

TEST(Palette, OfAnUnskinnedPartIsOneMatrix) {
    RigOptions options;
    options.vertices = 3;
    const Rig rig(options);
    ASSERT_EQ(rig.status(), Status::Ok) << rig.info().part;
    const MeshPartView part = rig.model().part(1);
    ASSERT_FALSE(part.is_skinned());
    EXPECT_EQ(palette_size(part), 1U);
    EXPECT_EQ(palette_of(part, {})[0], Mat4f{});
    EXPECT_EQ(palette_of(part, {}, PaletteSpace::Model)[0], part.geometry_to_model());
}

// Against the same products in double, and against double sampling: what a numpy evaluation would give.
TEST(Palette, IsWithinAMillionthOfTheExactOne) {
    for (const bool is_chain : {false, true}) {
        RigOptions options;
        options.bones = is_chain ? 60 : 120;
        options.is_chain = is_chain;
        options.vertices = 3;
        options.has_shear = true;
        options.is_uneven = true;
        options.is_rigid = true;
        const Rig rig(options);
        ASSERT_EQ(rig.status(), Status::Ok) << rig.info().part;
        const ModelView& model = rig.model();
        const MeshPartView part = model.part(0);
        Instance instance(model, model.clip(0));
        for (const float t : {0.0F, 0.4F, 1.7F}) {
            const std::vector<BoneLocal>& pose = instance.at(t);
            const std::vector<Mat4d> bones = model_matrices(model, pose);
            std::vector<Mat4d> exact(model.bone_count());
            double extent = 1;
            for (std::uint32_t i = 0; i < model.bone_count(); ++i) {
                const BoneLocal& b = pose[i];
                Transformd local;
                local.translation = {b.translation.x, b.translation.y, b.translation.z};
                local.rotation = normalized(Quatd{b.rotation.x, b.rotation.y, b.rotation.z, b.rotation.w});
                local.scale = {b.scale.x, b.scale.y, b.scale.z};
                const Mat4d m = b.is_keyed != 0 ? to_matrix(local) : matrix_cast<double>(model.bind_local(i));
                const std::int32_t parent = model.bone_parent(i);
                exact[i] = parent < 0 ? m : m * exact[static_cast<std::size_t>(parent)];
                for (std::size_t e = 12; e < 15; ++e) extent = std::max(extent, std::fabs(exact[i].m[e]));
            }
            const std::vector<Mat4f> in_geometry = palette_of(part, bones),
                                     in_model = palette_of(part, bones, PaletteSpace::Model);
            for (std::uint32_t i = 0; i < model.bone_count(); ++i) {
                expect_near(bones[i], exact[i], 1e-13 * extent);
                const Mat4d wanted = matrix_cast<double>(part.inverse_bind(i)) * exact[i];
                expect_near(matrix_cast<double>(in_geometry[i]), wanted, 1.2e-7 * 2 * extent);
                expect_near(matrix_cast<double>(in_model[i]), wanted * matrix_cast<double>(part.geometry_to_model()),
                            1.2e-7 * 4 * extent);
            }
        }
    }
}

TEST(Palette, IsTheIdentityAtBind) {
    RigOptions options;
    options.vertices = 3;
    options.has_shear = true;
    const Rig rig(options);
    const ModelView& model = rig.model();
    const std::vector<Mat4f> palette = palette_of(model.part(0), model_matrices(model, test::bind_pose_of(model)));
    for (const Mat4f& m : palette) expect_near(matrix_cast<double>(m), {}, 1e-6);
}

TEST(Palette, ColumnsAreThoseOfTheMatrices) {
    RigOptions options;
    options.vertices = 3;
    const Rig rig(options);
    const ModelView& model = rig.model();
    const MeshPartView part = model.part(0);
    Instance instance(model, model.clip(0));
    const std::vector<Mat4d> bones = model_matrices(model, instance.at(0.3F));
    for (const SimdPath path : kAllPaths) {
        std::vector<Mat4f> rows(model.bone_count());
        std::vector<Mat3x4f> columns(model.bone_count()), alone(model.bone_count());
        EXPECT_EQ((PaletteJob{&part, bones, PaletteSpace::Model, rows, columns, path}.run()), Status::Ok);
        EXPECT_EQ((PaletteJob{&part, bones, PaletteSpace::Model, {}, alone, path}.run()), Status::Ok);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(columns[i], to_3x4(rows[i]));
            EXPECT_EQ(alone[i], columns[i]);
        }
    }
    const Mat4f m{{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1}};
    EXPECT_EQ(to_3x4(m), (Mat3x4f{{1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12}}));
}

// Any numbers in the pose: denormals, zeros, the largest ones, NaN.
TEST(Palette, PathsGiveTheSameBits) {
    constexpr float kOdd[] = {0.0F, -0.0F, 1e-45F, -1e-40F, 1e-20F, 3e38F, -3e38F, 1e19F, 1.0F, -1.0F};
    test::Random random(11);
    for (std::uint32_t bones = 1; bones < 20; ++bones) {
        RigOptions options;
        options.bones = bones;
        options.vertices = 3;
        options.has_shear = true;
        options.seed = bones;
        const Rig rig(options);
        ASSERT_EQ(rig.status(), Status::Ok) << rig.info().part;
        const ModelView& model = rig.model();
        const MeshPartView part = model.part(0);
        for (int round = 0; round < 40; ++round) {
            std::vector<BoneLocal> pose(bones);
            const auto number = [&] {
                return round % 2 == 0 || random.below(4) != 0 ? random.number(-2, 2) : kOdd[random.below(10)];
            };
            for (BoneLocal& b : pose)
                b = {{number(), number(), number()},
                     random.below(3),
                     {number(), number(), number(), number()},
                     {number(), number(), number()},
                     0};
            if (round == 3) pose[0].rotation = {0, 0, 0, 0};
            const std::vector<Mat4d> wanted = model_matrices(model, pose, SimdPath::Portable);
            for (const SimdPath path : kAllPaths) {
                ASSERT_TRUE(test::same_bits(wanted, model_matrices(model, pose, path)));
                for (const PaletteSpace space : {PaletteSpace::Geometry, PaletteSpace::Model}) {
                    std::vector<Mat4f> rows(bones), wanted_rows(bones);
                    std::vector<Mat3x4f> columns(bones), wanted_columns(bones);
                    ASSERT_EQ((PaletteJob{&part, wanted, space, wanted_rows, wanted_columns, SimdPath::Portable}.run()),
                              Status::Ok);
                    ASSERT_EQ((PaletteJob{&part, wanted, space, rows, columns, path}.run()), Status::Ok);
                    ASSERT_TRUE(test::same_bits(wanted_rows, rows));
                    ASSERT_TRUE(test::same_bits(wanted_columns, columns));
                }
            }
        }
    }
}

TEST(Palette, RefusesWhatDoesNotFit) {
    RigOptions options;
    options.bones = 6;
    options.vertices = 3;
    const Rig rig(options);
    const ModelView& model = rig.model();
    const MeshPartView part = model.part(0), unskinned = model.part(1);
    std::vector<BoneLocal> pose = test::bind_pose_of(model);
    std::vector<Mat4d> bones(6);
    std::vector<Mat4f> out(6);
    EXPECT_EQ((LocalToModelJob{nullptr, pose, bones}.run()), Status::BadArgument);
    EXPECT_EQ((LocalToModelJob{&model, std::span(pose).first(5), bones}.run()), Status::WrongSize);
    EXPECT_EQ((LocalToModelJob{&model, pose, std::span(bones).first(5)}.run()), Status::WrongSize);
    EXPECT_EQ((PaletteJob{nullptr, bones, PaletteSpace::Geometry, out}.run()), Status::BadArgument);
    EXPECT_EQ((PaletteJob{&part, bones}.run()), Status::BadArgument);
    EXPECT_EQ((PaletteJob{&part, std::span(bones).first(5), PaletteSpace::Geometry, out}.run()), Status::WrongSize);
    EXPECT_EQ((PaletteJob{&part, bones, PaletteSpace::Geometry, std::span(out).first(5)}.run()), Status::WrongSize);
    std::vector<Mat3x4f> columns(5);
    EXPECT_EQ((PaletteJob{&part, bones, PaletteSpace::Geometry, out, columns}.run()), Status::WrongSize);
    EXPECT_EQ((PaletteJob{&unskinned, bones, PaletteSpace::Geometry, out}.run()), Status::WrongSize);
    EXPECT_EQ((PaletteJob{&unskinned, {}, PaletteSpace::Geometry, std::span(out).first(1)}.run()), Status::Ok);
}

}  // namespace
}  // namespace gomkit::runtime
