#include "gomkit/runtime/skin_job.hpp"

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
using test::Memory;
using test::Rig;
using test::RigOptions;

// Vertices in arrays of their own.
struct Arrays {
    std::vector<Vec3f> positions, normals;
    std::vector<Vec4f> tangents;
    std::vector<std::uint16_t> indices;
    std::vector<float> weights;
    std::uint32_t influences = 4;

    [[nodiscard]] SkinJob job(std::span<const Mat4f> palette) const {
        SkinJob out;
        out.vertex_count = static_cast<std::uint32_t>(positions.size());
        out.influence_count = influences;
        out.palette = palette;
        out.positions = input_stream(std::span(positions));
        out.normals = input_stream(std::span(normals));
        out.tangents = input_stream(std::span(tangents));
        out.bone_indices = {std::as_bytes(std::span(indices)), 2 * influences};
        out.bone_weights = {std::as_bytes(std::span(weights)), 4 * influences};
        return out;
    }
};

struct Skinned {
    std::vector<Vec3f> positions, normals;
    std::vector<Vec4f> tangents;
};

Skinned run(SkinJob job) {
    Skinned out;
    out.positions.resize(job.vertex_count);
    out.normals.resize(job.vertex_count);
    out.tangents.resize(job.vertex_count);
    job.out_positions = output_stream(std::span(out.positions));
    job.out_normals = output_stream(std::span(out.normals));
    job.out_tangents = output_stream(std::span(out.tangents));
    EXPECT_EQ(job.run(), Status::Ok);
    return out;
}

bool same_bits(const Skinned& a, const Skinned& b) {
    return test::same_bits(a.positions, b.positions) && test::same_bits(a.normals, b.normals) &&
           test::same_bits(a.tangents, b.tangents);
}

Vec3d as_double(const Vec3f& v) { return {v.x, v.y, v.z}; }

// The rule of gom.md 1 in double.
void exact_vertex(const Arrays& in, std::size_t i, std::span<const Mat4f> palette, Vec3d& position, Vec3d& normal,
                  Vec4d& tangent) {
    Mat4d m;
    for (double& v : m.m) v = 0;
    for (std::size_t k = 0; k < in.influences; ++k)
        for (std::size_t e = 0; e < 16; ++e)
            m.m[e] += static_cast<double>(in.weights[in.influences * i + k]) *
                      static_cast<double>(palette[in.indices[in.influences * i + k]].m[e]);
    position = transform_point(as_double(in.positions[i]), m);
    const double sign = determinant3(m) < 0 ? -1 : 1;
    normal = normalized(transform_vector(as_double(in.normals[i]), cofactor3(m)) * sign);
    const Vec4f& t = in.tangents[i];
    const Vec3d turned = normalized(transform_vector(Vec3d{t.x, t.y, t.z}, m));
    tangent = {turned.x, turned.y, turned.z, t.w * sign};
}

Arrays arrays_of(const MeshPartView& part) {
    Arrays out;
    for (std::uint32_t i = 0; i < part.vertex_count(); ++i) {
        const Vertex v = part.vertex(i);
        out.positions.push_back({v.position[0], v.position[1], v.position[2]});
        out.normals.push_back({v.normal[0], v.normal[1], v.normal[2]});
        out.tangents.push_back({v.tangent[0], v.tangent[1], v.tangent[2], v.tangent[3]});
        for (const std::uint16_t b : v.bone_index) out.indices.push_back(b);
        for (const float w : v.bone_weight) out.weights.push_back(w);
    }
    return out;
}

double worst_of(const Vec3d& a, const Vec3f& b) {
    return std::max({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
}

// One vertex half on a bone that moves by (0, 4, 0), half on one that turns a quarter about Z (x to y) and doubles x.
TEST(Skin, GivesAHandComputedVertex) {
    Arrays in;
    in.positions = {{1, 2, 3}};
    in.normals = {{0.6F, 0.8F, 0}};
    in.tangents = {{0, 0, 1, -1}};
    in.indices = {1, 0};
    in.weights = {0.5F, 0.5F};
    in.influences = 2;
    const Mat4f palette[2] = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 4, 0, 1}},
                              {{0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
    // Blended: rows (0.5, 1, 0), (-0.5, 0.5, 0), (0, 0, 1), (0, 2, 0): cofactors (0.5, 0.5, 0), (-1, 0.5, 0), (0, 0, 0.75).
    // (0.6, 0.8, 0) goes to (-0.5, 0.7, 0).
    for (const SimdPath path : kAllPaths) {
        SkinJob job = in.job(palette);
        job.path = path;
        const Skinned out = run(job);
        EXPECT_EQ(out.positions[0], (Vec3f{-0.5F, 4, 3}));
        EXPECT_NEAR(out.normals[0].x, -0.5 / std::sqrt(0.74), 1e-7);
        EXPECT_NEAR(out.normals[0].y, 0.7 / std::sqrt(0.74), 1e-7);
        EXPECT_EQ(out.normals[0].z, 0);
        EXPECT_EQ(out.tangents[0], (Vec4f{0, 0, 1, -1}));
        job.normal_matrix = NormalMatrix::Plain;
        const Skinned plain = run(job);
        // (0.6, 0.8, 0) times the rows: (-0.1, 1, 0).
        EXPECT_NEAR(plain.normals[0].x, -0.1 / std::sqrt(1.01), 1e-7);
        EXPECT_NEAR(plain.normals[0].y, 1 / std::sqrt(1.01), 1e-7);
        EXPECT_EQ(plain.positions[0], out.positions[0]);
    }
}

// covers GOM-SPACE normals: cofactors, sign of the determinant
TEST(Skin, MirrorsNormalsAndTangentsRightly) {
    Arrays in;
    in.positions = {{0, 0, 0}};
    in.normals = {{1, 0, 0}};
    in.tangents = {{0, 1, 0, 1}};
    in.indices = {0};
    in.weights = {1};
    in.influences = 1;
    const Mat4f mirror{{-2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1}};
    const Mat4f turned_inside_out{{-2, 0, 0, 0, 0, -2, 0, 0, 0, 0, -2, 0, 0, 0, 0, 1}};
    const Mat4f flat{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    const Mat4f nothing{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    for (const SimdPath path : kAllPaths) {
        const auto go = [&](const Mat4f& m, NormalMatrix kind = NormalMatrix::Cofactor) {
            SkinJob job = in.job(std::span(&m, 1));
            job.path = path;
            job.normal_matrix = kind;
            return run(job);
        };
        const Skinned a = go(mirror);  // the surface x = 0, seen from +x, is seen from -x
        EXPECT_EQ(a.normals[0], (Vec3f{-1, 0, 0}));
        EXPECT_EQ(a.tangents[0], (Vec4f{0, 1, 0, -1}));
        const Skinned b = go(turned_inside_out);
        EXPECT_EQ(b.normals[0], (Vec3f{-1, 0, 0}));
        EXPECT_EQ(b.tangents[0], (Vec4f{0, -1, 0, -1}));
        EXPECT_EQ(go(turned_inside_out, NormalMatrix::Plain).normals[0], (Vec3f{-1, 0, 0}));
        const Skinned c = go(flat);  // a determinant of 0 is positive; (1, 0, 0) has no direction left, (0, 0, 1) has
        EXPECT_EQ(c.normals[0], (Vec3f{0, 0, 0}));
        EXPECT_EQ(c.tangents[0], (Vec4f{0, 1, 0, 1}));
        Arrays other = in;
        other.normals = {{0.6F, 0, -0.8F}};
        SkinJob job = other.job(std::span(&flat, 1));
        job.path = path;
        EXPECT_EQ(run(job).normals[0], (Vec3f{0, 0, -1}));
        const Skinned d = go(nothing);
        EXPECT_EQ(d.normals[0], (Vec3f{0, 0, 0}));
        EXPECT_EQ(d.tangents[0], (Vec4f{0, 0, 0, 1}));
    }
    in.normals = {{0, 0, 0}};
    const Mat4f identity;
    EXPECT_EQ(run(in.job(std::span(&identity, 1))).normals[0], (Vec3f{0, 0, 0}));
}

// Scales that floats cannot square, in any direction.
TEST(Skin, KeepsDirectionsAtAnyScale) {
    Arrays in;
    in.positions = {{0, 0, 0}};
    in.normals = {{0.6F, 0.8F, 0}};
    in.tangents = {{0.8F, -0.6F, 0, 1}};
    in.indices = {0};
    in.weights = {1};
    in.influences = 1;
    for (const float s : {1e-38F, 1e-30F, 1e-16F, 1e-9F, 1e-4F, 1.0F, 1e4F, 1e9F, 1e16F, 1e30F, 1e37F}) {
        const Mat4f even{{s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1}},
            uneven{{s, 0, 0, 0, 0, 2 * s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1}};
        for (const SimdPath path : kAllPaths) {
            SkinJob job = in.job(std::span(&even, 1));
            job.path = path;
            const Skinned out = run(job);
            EXPECT_NEAR(out.normals[0].x, 0.6F, 1e-6F) << s;
            EXPECT_NEAR(out.normals[0].y, 0.8F, 1e-6F) << s;
            EXPECT_NEAR(out.tangents[0].x, 0.8F, 1e-6F) << s;
            EXPECT_EQ(out.tangents[0].w, 1) << s;
            job.palette = std::span(&uneven, 1);
            const Skinned bent = run(job);  // (0.6 / 1, 0.8 / 2)
            EXPECT_NEAR(bent.normals[0].x, 0.6 / std::sqrt(0.52), 1e-6) << s;
            EXPECT_NEAR(bent.normals[0].y, 0.4 / std::sqrt(0.52), 1e-6) << s;
        }
    }
}

// Whole characters, sampled, against double: within 1e-6 of their size.
TEST(Skin, IsWithinAMillionthOfTheExactResult) {
    for (const bool is_rigid : {true, false}) {
        RigOptions options;
        options.vertices = 4001;
        options.is_rigid = is_rigid;
        const Rig rig(options);
        ASSERT_EQ(rig.status(), Status::Ok) << rig.info().part;
        const ModelView& model = rig.model();
        const MeshPartView part = model.part(0);
        Instance instance(model, model.clip(0));
        const Arrays in = arrays_of(part);
        double worst = 0, worst_normal = 0, worst_tangent = 0;
        for (const float t : {0.1F, 0.77F, 1.5F}) {
            const std::vector<Mat4f> palette = test::palette_of(part, test::model_matrices(model, instance.at(t)));
            SkinJob job;
            job.read_part(part);
            job.palette = palette;
            const Skinned out = run(job);
            double extent = 1;
            for (const Vec3f& p : in.positions)
                extent = std::max({extent, std::fabs(double{p.x}), std::fabs(double{p.y}), std::fabs(double{p.z})});
            for (std::size_t i = 0; i < in.positions.size(); ++i) {
                Vec3d position, normal;
                Vec4d tangent;
                exact_vertex(in, i, palette, position, normal, tangent);
                worst = std::max(worst, worst_of(position, out.positions[i]) / extent);
                worst_normal = std::max(worst_normal, worst_of(normal, out.normals[i]));
                const Vec4f& g = out.tangents[i];
                worst_tangent = std::max(worst_tangent, worst_of({tangent.x, tangent.y, tangent.z}, {g.x, g.y, g.z}));
                ASSERT_EQ(g.w, static_cast<float>(tangent.w));
            }
        }
        EXPECT_LT(worst, 6e-7);
        EXPECT_LT(worst_normal, 1e-6);
        EXPECT_LT(worst_tangent, 1e-6);
        RecordProperty(is_rigid ? "rigid" : "scaled", std::to_string(worst * 1e7) + " " + std::to_string(worst_normal * 1e7) +
                                                          " " + std::to_string(worst_tangent * 1e7) + " (e-7)");
    }
}

// Half on a bone at rest, half on one turned by almost half a turn: the blend is all but flat.
TEST(Skin, KeepsNormalsWhereABlendCollapses) {
    test::Random random(23);
    double worst = 0;
    for (const double degrees : {170.0, 179.0, 179.9, 179.99}) {
        const Vec3f axis = normalized(Vec3f{1, 2, 3});
        const Mat4f palette[2] = {{}, to_matrix(test::about(axis, degrees * 3.14159265358979 / 180))};
        Arrays in;
        in.influences = 2;
        for (int i = 0; i < 64; ++i) {
            in.positions.push_back({0, 0, 0});
            in.normals.push_back(normalized(Vec3f{random.number(-1, 1), random.number(-1, 1), random.number(-1, 1)}));
            in.tangents.push_back({1, 0, 0, 1});
            for (int k = 0; k < 2; ++k) in.indices.push_back(static_cast<std::uint16_t>(k));
            for (int k = 0; k < 2; ++k) in.weights.push_back(0.5F);
        }
        const Skinned out = run(in.job(palette));
        for (std::size_t i = 0; i < in.positions.size(); ++i) {
            Vec3d position, normal;
            Vec4d tangent;
            exact_vertex(in, i, palette, position, normal, tangent);
            worst = std::max(worst, worst_of(normal, out.normals[i]));
        }
    }
    EXPECT_LT(worst, 1e-6);
}

TEST(Skin, ReadsAPartInPlaceAsFromArrays) {
    RigOptions options;
    options.vertices = 37;
    const Rig rig(options);
    const ModelView& model = rig.model();
    Instance instance(model, model.clip(0));
    const std::vector<Mat4d> bones = test::model_matrices(model, instance.at(0.5F));
    for (std::uint32_t p = 0; p < 2; ++p) {
        const MeshPartView part = model.part(p);
        for (const PaletteSpace space : {PaletteSpace::Geometry, PaletteSpace::Model}) {
            const std::vector<Mat4f> palette = test::palette_of(part, bones, space);
            SkinJob job;
            job.read_part(part);
            job.palette = palette;
            Arrays in = arrays_of(part);
            if (p == 1) in.influences = 0;
            ASSERT_TRUE(same_bits(run(job), run(in.job(palette))));
        }
    }
    // Without a palette an unskinned part is itself, to the bit.
    SkinJob copy;
    copy.read_part(model.part(1));
    const Arrays in = arrays_of(model.part(1));
    const Skinned out = run(copy);
    EXPECT_TRUE(test::same_bits(out.positions, in.positions) && test::same_bits(out.normals, in.normals) &&
                test::same_bits(out.tangents, in.tangents));
}

TEST(Skin, PlainIsChosenForRotationsAndOneScale) {
    const auto choice = [](const Mat4f& m) {
        const Mat4f both[2] = {{}, m};
        return plainest_normal_matrix(both);
    };
    test::Random random(5);
    for (int i = 0; i < 100; ++i) {
        Transformf t;
        t.rotation = random.rotation();
        const float s = random.number(-3, 3);
        t.scale = {s, s, s};
        EXPECT_EQ(choice(to_matrix(t)), NormalMatrix::Plain);
        t.scale.y *= 1 + 1e-5F;
        EXPECT_EQ(choice(to_matrix(t)), NormalMatrix::Cofactor);
    }
    Mat4f sheared;
    sheared.m[4] = 1e-5F;
    EXPECT_EQ(choice(sheared), NormalMatrix::Cofactor);
    sheared.m[4] = 1e-6F;
    EXPECT_EQ(choice(sheared), NormalMatrix::Plain);
    sheared.m[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(choice(sheared), NormalMatrix::Cofactor);
    EXPECT_EQ(plainest_normal_matrix({}), NormalMatrix::Plain);

    // Where it is chosen, a vertex of one bone has the same normal either way.
    RigOptions options;
    options.is_rigid = true;
    const Rig rig(options);
    const ModelView& model = rig.model();
    const MeshPartView part = model.part(0);
    Instance instance(model, model.clip(0));
    const std::vector<Mat4f> palette = test::palette_of(part, test::model_matrices(model, instance.at(1)));
    ASSERT_EQ(plainest_normal_matrix(palette), NormalMatrix::Plain);
    Arrays in = arrays_of(part);
    for (std::size_t i = 0; i < in.weights.size(); ++i) in.weights[i] = i % 4 == 0 ? 1.0F : 0.0F;
    SkinJob job = in.job(palette);
    const Skinned exact = run(job);
    job.normal_matrix = NormalMatrix::Plain;
    const Skinned plain = run(job);
    for (std::size_t i = 0; i < in.positions.size(); ++i)
        EXPECT_LT(worst_of(as_double(exact.normals[i]), plain.normals[i]), 2e-6);
}

// Each attribute at any address, at any distance, nothing read or written beyond its last byte (an address sanitizer looks).
TEST(Skin, TakesAnyStrideAndAlignment) {
    RigOptions options;
    options.bones = 9;
    const Rig rig(options);
    Instance instance(rig.model(), rig.model().clip(0));
    const std::vector<Mat4f> palette =
        test::palette_of(rig.model().part(0), test::model_matrices(rig.model(), instance.at(0.2F)));
    const Arrays all = arrays_of(rig.model().part(0));
    test::Random random(2);
    for (std::uint32_t count = 0; count < 40; ++count) {
        for (std::uint32_t influences = 1; influences <= 4; ++influences) {
            Arrays in;
            in.influences = influences;
            for (std::uint32_t i = 0; i < count; ++i) {
                in.positions.push_back(all.positions[i]);
                in.normals.push_back(all.normals[i]);
                in.tangents.push_back(all.tangents[i]);
                for (std::uint32_t k = 0; k < influences; ++k) {
                    in.indices.push_back(all.indices[4 * i + k]);
                    in.weights.push_back(all.weights[4 * i + k]);
                }
            }
            const Skinned wanted = run(in.job(palette));
            const auto spread = [&](const void* from, std::size_t size, std::size_t stride, std::size_t offset) {
                auto out = std::make_unique<Memory>(count == 0 ? 0 : (count - 1) * stride + size, offset);
                for (std::uint32_t i = 0; i < count; ++i)
                    std::memcpy(out->bytes().data() + i * stride, static_cast<const std::byte*>(from) + i * size, size);
                return out;
            };
            const std::size_t extra = random.below(9), offset = random.below(5);
            SkinJob job = in.job(palette);
            const auto p = spread(in.positions.data(), 12, 12 + extra, offset),
                       n = spread(in.normals.data(), 12, 12 + extra, offset);
            const auto t = spread(in.tangents.data(), 16, 16 + extra, offset);
            const auto x = spread(in.indices.data(), 2 * influences, 2 * influences + extra, offset);
            const auto w = spread(in.weights.data(), 4 * influences, 4 * influences + extra, offset);
            job.positions = {p->bytes(), 12 + extra};
            job.normals = {n->bytes(), 12 + extra};
            job.tangents = {t->bytes(), 16 + extra};
            job.bone_indices = {x->bytes(), 2 * influences + extra};
            job.bone_weights = {w->bytes(), 4 * influences + extra};
            const std::size_t wide = extra + 3;
            const Memory op(count == 0 ? 0 : (count - 1) * (12 + wide) + 12, offset), on(op.bytes().size(), offset);
            const Memory ot(count == 0 ? 0 : (count - 1) * (16 + wide) + 16, offset);
            for (const SimdPath path : kAllPaths) {
                job.path = path;
                job.out_positions = {op.bytes(), 12 + wide};
                job.out_normals = {on.bytes(), 12 + wide};
                job.out_tangents = {ot.bytes(), 16 + wide};
                ASSERT_EQ(job.run(), Status::Ok);
                for (std::uint32_t i = 0; i < count; ++i) {
                    ASSERT_EQ(std::memcmp(op.bytes().data() + i * (12 + wide), &wanted.positions[i], 12), 0);
                    ASSERT_EQ(std::memcmp(on.bytes().data() + i * (12 + wide), &wanted.normals[i], 12), 0);
                    ASSERT_EQ(std::memcmp(ot.bytes().data() + i * (16 + wide), &wanted.tangents[i], 16), 0);
                    if (i + 1 == count) continue;
                    for (std::size_t k = 0; k < wide; ++k) {  // what lies between is left alone
                        ASSERT_EQ(op.bytes()[i * (12 + wide) + 12 + k], std::byte{0xCD});
                        ASSERT_EQ(ot.bytes()[i * (16 + wide) + 16 + k], std::byte{0xCD});
                    }
                }
            }
        }
    }
    // A stride of 0: all vertices alike; a stride below the size: they overlap.
    std::vector<float> run_of_floats(100);
    for (std::size_t i = 0; i < 100; ++i) run_of_floats[i] = static_cast<float>(i);
    const std::uint16_t index = 0;
    const float weight = 1;
    const Mat4f identity;
    SkinJob job;
    job.vertex_count = 20;
    job.influence_count = 1;
    job.palette = std::span(&identity, 1);
    job.positions = {std::as_bytes(std::span(run_of_floats)), 4};
    job.bone_indices = {std::as_bytes(std::span(&index, 1)), 0};
    job.bone_weights = {std::as_bytes(std::span(&weight, 1)), 0};
    std::vector<Vec3f> out(20);
    job.out_positions = output_stream(std::span(out));
    for (const SimdPath path : kAllPaths) {
        job.path = path;
        ASSERT_EQ(job.run(), Status::Ok);
        for (std::size_t i = 0; i < 20; ++i)
            EXPECT_EQ(out[i], (Vec3f{run_of_floats[i], run_of_floats[i + 1], run_of_floats[i + 2]}));
    }
    // In place.
    Arrays in = all;
    const Skinned wanted = run(all.job(palette));
    SkinJob place = in.job(palette);
    place.out_positions = output_stream(std::span(in.positions));
    place.out_normals = output_stream(std::span(in.normals));
    place.out_tangents = output_stream(std::span(in.tangents));
    ASSERT_EQ(place.run(), Status::Ok);
    EXPECT_TRUE(test::same_bits(in.positions, wanted.positions) && test::same_bits(in.normals, wanted.normals) &&
                test::same_bits(in.tangents, wanted.tangents));
}

// Any numbers at all; also: what is asked for besides does not change a result.
TEST(Skin, PathsGiveTheSameBits) {
    constexpr float kOdd[] = {0.0F, -0.0F, 1e-45F, -1e-40F, 1e-20F, 3e38F, -3e38F, 1e19F, 1e-10F, 1e10F};
    test::Random random(17);
    for (int round = 0; round < 300; ++round) {
        const bool is_odd = round % 3 == 0;
        const auto number = [&] { return !is_odd || random.below(5) != 0 ? random.number(-2, 2) : kOdd[random.below(10)]; };
        std::vector<Mat4f> palette(7);
        for (Mat4f& m : palette)
            for (std::size_t i = 0; i < 16; ++i) m.m[i] = i % 4 == 3 ? (i == 15 ? 1.0F : 0.0F) : number();
        Arrays in;
        in.influences = static_cast<std::uint32_t>(round) % 5;
        for (std::uint32_t i = 0; i < 1 + random.below(40); ++i) {
            in.positions.push_back({number(), number(), number()});
            in.normals.push_back({number(), number(), number()});
            in.tangents.push_back({number(), number(), number(), number()});
            for (std::uint32_t k = 0; k < in.influences; ++k) {
                in.indices.push_back(static_cast<std::uint16_t>(random.below(7)));
                in.weights.push_back(number());
            }
        }
        for (const NormalMatrix kind : {NormalMatrix::Cofactor, NormalMatrix::Plain}) {
            SkinJob job = in.job(palette);
            job.normal_matrix = kind;
            job.path = SimdPath::Portable;
            const Skinned wanted = run(job);
            for (const SimdPath path : kAllPaths) {
                job.path = path;
                ASSERT_TRUE(same_bits(wanted, run(job))) << round;
                std::vector<Vec3f> normals(in.positions.size());
                SkinJob alone = job;
                alone.out_normals = output_stream(std::span(normals));
                ASSERT_EQ(alone.run(), Status::Ok);
                ASSERT_TRUE(test::same_bits(wanted.normals, normals)) << round;
            }
        }
    }
}

TEST(Skin, RefusesWhatDoesNotFit) {
    Arrays in;
    for (int i = 0; i < 5; ++i) {
        in.positions.push_back({0, 0, 0});
        in.normals.push_back({0, 0, 1});
        in.tangents.push_back({1, 0, 0, 1});
        for (int k = 0; k < 4; ++k) {
            in.indices.push_back(static_cast<std::uint16_t>(k));
            in.weights.push_back(0.25F);
        }
    }
    const std::vector<Mat4f> palette(4);
    std::vector<Vec3f> out(5);
    std::vector<Vec4f> out_tangents(5);
    SkinJob good = in.job(palette);
    good.out_positions = output_stream(std::span(out));
    ASSERT_EQ(good.run(), Status::Ok);
    const auto expect = [&](auto change, Status status) {
        SkinJob job = good;
        change(job);
        EXPECT_EQ(job.run(), status);
    };
    expect([](SkinJob& j) { j.influence_count = 5; }, Status::BadArgument);
    expect([](SkinJob& j) { j.vertex_count = 6; }, Status::WrongSize);
    expect([](SkinJob& j) { j.vertex_count = 0xFFFFFFFF; }, Status::WrongSize);
    expect([](SkinJob& j) { j.positions = {}; }, Status::BadArgument);
    expect([](SkinJob& j) { j.positions.bytes = j.positions.bytes.first(59); }, Status::WrongSize);
    expect([](SkinJob& j) { j.positions.stride = 13; }, Status::WrongSize);
    expect([](SkinJob& j) { j.positions.stride = std::numeric_limits<std::size_t>::max(); }, Status::WrongSize);
    expect([](SkinJob& j) { j.out_positions.stride = 11; }, Status::BadArgument);
    expect([](SkinJob& j) { j.out_positions.bytes = j.out_positions.bytes.first(59); }, Status::WrongSize);
    expect([](SkinJob& j) { j.palette = {}; }, Status::WrongSize);
    expect([](SkinJob& j) { j.palette = j.palette.first(3); }, Status::BadBoneIndex);
    expect([](SkinJob& j) { j.bone_index_bound = 5; }, Status::WrongSize);
    expect([](SkinJob& j) { j.bone_index_bound = 4; }, Status::Ok);
    expect([](SkinJob& j) { j.bone_indices = {}; }, Status::BadArgument);
    expect([](SkinJob& j) { j.bone_weights = {}; }, Status::BadArgument);
    expect([](SkinJob& j) { j.bone_indices.bytes = j.bone_indices.bytes.first(39); }, Status::WrongSize);
    expect([](SkinJob& j) { j.bone_weights.bytes = j.bone_weights.bytes.first(79); }, Status::WrongSize);
    expect([&](SkinJob& j) { j.tangents = {}, j.out_tangents = output_stream(std::span(out_tangents)); }, Status::BadArgument);
    expect([](SkinJob& j) { j.out_positions = {}; }, Status::Ok);
    expect([](SkinJob& j) { j = {}; }, Status::Ok);
    in.indices[19] = 4;
    expect([](SkinJob&) {}, Status::BadBoneIndex);
    expect([](SkinJob& j) { j.influence_count = 3; }, Status::Ok);
}

}  // namespace
}  // namespace gomkit::runtime
