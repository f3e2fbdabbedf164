#include <cmath>
#include <functional>

#include <gomkit/km3/km3.hpp>

#include "measure.hpp"
#include "options.hpp"
#include "prove.hpp"
#include "sample.hpp"

namespace gomkit::km3 {
namespace {

using namespace test;
using core::IssueId;
using model::Influence;
using model::Mat4;
using model::Vec3;

using RowWeights = std::function<std::vector<Influence>(std::uint32_t row)>;

/// Rows of two points, half a metre apart, from bone 0 of a chain upwards; two triangles between rows.
model::Model strip(std::uint32_t bones, std::uint32_t rows, const RowWeights& weights) {
    ModelMaker maker(bones);
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (const double x : {-0.1, 0.1}) {
            maker.point({x, 0.5 * row, 0.05 * row}, weights(row));
        }
    }
    for (std::uint32_t p = 0; p + 3 < 2 * rows; p += 2) {
        maker.polygon({p, p + 1, p + 3});
        maker.polygon({p, p + 3, p + 2});
    }
    return maker.take();
}

/// Even rows on one bone, odd ones half on each of two neighbours: what envelopes can say.
model::Model envelopes(std::uint32_t bones) {
    return strip(bones, 2 * bones - 1, [](std::uint32_t row) -> std::vector<Influence> {
        const std::uint32_t b = row / 2;
        return row % 2 == 0 ? std::vector<Influence>{{b, 1}} : std::vector<Influence>{{b, 0.5}, {b + 1, 0.5}};
    });
}

/// Every row on three neighbours: what they cannot say.
model::Model smooth() {
    return strip(5, 9, [](std::uint32_t row) -> std::vector<Influence> {
        const std::uint32_t b = std::min(row / 2, 2u);
        const double w = 0.1 + 0.05 * row;
        return {{b, w}, {b + 1, 0.6 - w / 2}, {b + 2, 0.4 - w / 2}};
    });
}

double number(const core::Report& report, const char* name) { return std::stod(argument(report, IssueId::KM3_FIT, name)); }

// covers KM3-OUT-1, KM3-OUT-5
TEST(Export, BonesBecomeUnitsDepthFirst) {
    ModelMaker maker(0);
    maker.bone("z", -1, {1, 2, 3});            // 0
    maker.bone("b", 0, {0, 1, 0});             // 1
    maker.bone("a", 0, {1, 0, 0});             // 2
    maker.bone("below_b", 1, {0, 0, 0.5});     // 3
    maker.bone("a_root", -1, {0, 0, 0});       // 4
    const auto a = maker.point({0, 0, 0}, {{3, 1}});
    const auto b = maker.point({0, 1, 0}, {{3, 1}});
    const auto c = maker.point({1, 0, 0}, {{3, 1}});
    maker.polygon({a, b, c});
    core::Report report;
    const Document d = exported(maker.take(), report);
    ASSERT_EQ(d.unit_count, 5u);
    EXPECT_EQ(d.units[0].origin, (std::array<float, 3>{-1000, 2000, 3000}));   // mirrored, millimetres
    EXPECT_EQ(d.units[1].parent, 0);            // b, then what is below it, then a
    EXPECT_EQ(d.units[1].origin, (std::array<float, 3>{0, 1000, 0}));
    EXPECT_EQ(d.units[2].parent, 1);
    EXPECT_EQ(d.units[2].origin, (std::array<float, 3>{0, 0, 500}));
    EXPECT_EQ(d.units[3].parent, 0);
    EXPECT_EQ(d.units[3].origin, (std::array<float, 3>{-1000, 0, 0}));
    EXPECT_EQ(d.units[4].parent, -1);
    ASSERT_EQ(d.units[2].vid.size(), 1u);
    EXPECT_EQ(d.units[2].verts[0], (Vec4f{1000, -3000, -3500, 1}));   // relative to W
    EXPECT_TRUE(prove(encode(d), {}).has_value());
}

// covers KM3-ERROR-4, KM3-OUT-2
TEST(Export, WhatEnvelopesCanSayIsExact) {
    core::Report report;
    const Document d = exported(envelopes(3), report);
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "most"), "0");
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "cracked"), "0");
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "vertices"), "10");
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "poses"), "19");
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "rms"), "0");
    EXPECT_EQ(find(report, IssueId::KM3_MOVED), nullptr);
    ASSERT_EQ(d.units.size(), 3u);
    EXPECT_TRUE(d.units[0].vid.empty());
    ASSERT_EQ(d.units[1].verts.size(), 6u);
    std::vector<float> weights;
    for (const Vec4f& v : d.units[1].verts) {
        weights.push_back(v[3]);
    }
    EXPECT_EQ(weights, (std::vector<float>{0, 0, 0.5f, 0.5f, 1, 1}));
    EXPECT_EQ(d.units[2].verts.size(), 6u);     // the row between is in both, wholly on bone 1
    EXPECT_EQ(d.units[2].verts[0][3], 0);
    for (std::size_t p = 0; p < 4; ++p) {
        EXPECT_TRUE(is_triangle(d.units[1].vid[p]));
        EXPECT_EQ(d.units[1].norms[d.units[1].nid[p][1]][3], d.units[1].verts[d.units[1].vid[p][1]][3]);
    }
    ASSERT_EQ(report.losses().size(), 2u);
    EXPECT_EQ(report.losses()[0].kind, "bone names");
    EXPECT_EQ(report.losses()[0].count, 3u);
    EXPECT_EQ(report.losses()[1].kind, "mesh names");
}

// --- The error, posed by hand -------------------------------------------------------------------------------------------------

/// The KM3's vertices in a pose, by section 6 of the page; `posed` are the units' matrices in the file's space, row vectors.
std::vector<Vec3> posed_km3(const Document& d, const std::vector<Mat4>& posed) {
    std::vector<Vec3> out;
    const auto base = base_units(d);
    for (std::size_t i = 0; i < d.units.size(); ++i) {
        const Unit& base_unit = d.units[base[i]];
        for (const Vec4f& v : d.units[i].verts) {
            const Vec3 x{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
            const Vec3 t{static_cast<double>(base_unit.origin[0]), static_cast<double>(base_unit.origin[1]), static_cast<double>(base_unit.origin[2])};
            const double w = static_cast<double>(v[3]);
            Vec3 p = transform_point(x, posed[base[i]]) * w;
            if (base_unit.parent >= 0) {
                p += transform_point(x + t, posed[static_cast<std::size_t>(base_unit.parent)]) * (1 - w);
            }
            out.push_back(p);
        }
    }
    return out;
}

/// Linear blend skinning of the model's points, in model space.
std::vector<Vec3> posed_model(const model::Model& m, const std::vector<Mat4>& nodes) {
    std::vector<Vec3> out;
    const model::Skin& skin = *m.meshes[0].skin;
    for (std::size_t p = 0; p < m.meshes[0].points.size(); ++p) {
        Vec3 sum;
        for (std::uint32_t i = skin.first[p]; i < skin.first[p + 1]; ++i) {
            const model::Cluster& cluster = skin.clusters[skin.influences[i].cluster];
            sum += transform_point(m.meshes[0].points[p], cluster.geometry_to_bone * nodes[cluster.bone.value]) * skin.influences[i].weight;
        }
        out.push_back(sum);
    }
    return out;
}

std::vector<Mat4> model_matrices(const model::Model& m, const std::vector<Mat4>& locals) {
    std::vector<Mat4> out;
    for (std::size_t i = 0; i < locals.size(); ++i) {
        out.push_back(m.nodes[i].parent.valid() ? locals[i] * out[m.nodes[i].parent.value] : locals[i]);
    }
    return out;
}

/// x -> -x and metres -> millimetres around a matrix of model space.
Mat4 to_file_space(const Mat4& m) {
    Mat4 out = m;
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            out.m[4 * r + c] *= ((r == 0) != (c == 0) ? -1.0 : 1.0) * (r == 3 ? 1000.0 : 1.0);
        }
    }
    return out;
}

/// Distances of all KM3 vertices to their model vertex in a pose of the bones' locals. The strips have one vertex a point, told by rest places.
std::vector<double> distances(const model::Model& m, const Document& d, const std::vector<Mat4>& locals) {
    std::vector<Mat4> rest;
    for (const model::Node& node : m.nodes) {
        rest.push_back(node.bind_local);
    }
    const auto nodes = model_matrices(m, locals);
    const auto binds = model_matrices(m, rest);
    std::vector<Mat4> units;
    std::vector<Mat4> rest_units;
    for (std::size_t u = 0; u < nodes.size(); ++u) {
        // A unit's frame at rest is its bone's head without axes; it moves as the bone does.
        Mat4 head;
        std::copy_n(binds[u].m + 12, 3, head.m + 12);
        Mat4 back;
        EXPECT_TRUE(inverse_affine(binds[u], back));
        units.push_back(to_file_space(head * back * nodes[u]));
        rest_units.push_back(to_file_space(head));
    }
    const auto here = posed_km3(d, units);
    const auto home = posed_km3(d, rest_units);
    const auto there = posed_model(m, nodes);
    const auto points = posed_model(m, binds);
    std::vector<double> out;
    for (std::size_t v = 0; v < here.size(); ++v) {
        std::size_t at = points.size();
        for (std::size_t p = 0; p < points.size(); ++p) {
            const Vec3 q{-points[p].x * 1000, points[p].y * 1000, points[p].z * 1000};
            if (length(q - home[v]) < 0.01) {
                at = p;
            }
        }
        EXPECT_LT(at, points.size());
        const Vec3 q{-there[at].x * 1000, there[at].y * 1000, there[at].z * 1000};
        out.push_back(length(q - here[v]));
    }
    return out;
}

Mat4 turned(const Mat4& local, int axis, double sign) {
    // About the head, in model axes; the test chains are unrotated at rest.
    const double c = std::sqrt(0.5);
    const double s = sign * c;
    Mat4 r;
    const auto a = static_cast<std::size_t>((axis + 1) % 3);
    const auto b = static_cast<std::size_t>((axis + 2) % 3);
    r.m[4 * a + a] = c;
    r.m[4 * a + b] = s;
    r.m[4 * b + a] = -s;
    r.m[4 * b + b] = c;
    return r * local;
}

// covers KM3-ERROR-1, KM3-ERROR-2
TEST(Export, TheReportedDeformIsThatOfPosingBoth) {
    const model::Model m = smooth();
    core::Report report;
    const Document d = exported(m, report);
    std::vector<Mat4> rest;
    for (const model::Node& node : m.nodes) {
        rest.push_back(node.bind_local);
    }
    double most = 0;
    for (std::size_t bone = 0; bone < rest.size(); ++bone) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const double sign : {-1.0, 1.0}) {
                auto locals = rest;
                locals[bone] = turned(rest[bone], axis, sign);
                for (const double distance : distances(m, d, locals)) {
                    most = std::max(most, distance);
                }
            }
        }
    }
    EXPECT_GT(most, 10);
    EXPECT_NEAR(number(report, "deform"), most, most * 1e-3);     // printed with four digits
    EXPECT_EQ(number(report, "poses"), 31);
    double rest_most = 0;
    for (const double distance : distances(m, d, rest)) {
        rest_most = std::max(rest_most, distance);
    }
    EXPECT_LT(rest_most, 4 * std::ldexp(1.0, -11));               // coordinates up to 4,000: a float32 step is 2^-12
    EXPECT_GT(number(report, "most"), 0.01);
    EXPECT_TRUE(report.has(IssueId::KM3_MOVED));
}

TEST(Export, FramesOfClipsCountToo) {
    model::Model m = smooth();
    model::Clip clip;
    clip.duration = 1;
    model::Track track;
    track.node = model::NodeId{2};
    // Half a second of nothing, a step, then a stretch: only the frames from 0.5 on show anything.
    track.translation = {{0, {0, 1, 0}, false}, {0.5, {0, 1, 0}, true}, {0.5, {0, 1, 3}, false}, {1, {0, 1, 5}, false}};
    clip.tracks.push_back(track);
    m.clips.push_back(clip);
    m.source.fps = 10;
    core::Report report;
    const Document d = exported(m, report);
    EXPECT_EQ(number(report, "poses"), 31 + 11);
    std::vector<Mat4> locals;
    for (const model::Node& node : m.nodes) {
        locals.push_back(node.bind_local);
    }
    locals[2].m[14] = 5;
    double most = 0;
    for (const double distance : distances(m, d, locals)) {
        most = std::max(most, distance);
    }
    EXPECT_GT(most, 500);
    EXPECT_NEAR(number(report, "deform"), most, most * 1e-3);
    EXPECT_EQ(report.losses()[0].kind, "animation clips");
    // The same bytes and figures on several threads.
    codec::WriteOptions threads;
    threads.jobs = 4;
    core::Report again;
    EXPECT_EQ(exported(m, again, threads), d);
    EXPECT_EQ(argument(again, IssueId::KM3_FIT, "rms"), argument(report, IssueId::KM3_FIT, "rms"));
}

// A step's two keys may be one float32 apart, and a frame of the source lie between them: there the value is still the held one.
TEST(Export, FramesHoldAStepUntilItsEnd) {
    model::Model m = smooth();
    core::Report without;
    exported(m, without);
    const double after = static_cast<double>(0.1f);
    const double before = static_cast<double>(std::nextafter(0.1f, 0.0f));
    ASSERT_LT(before, 0.1);
    ASSERT_LT(0.1, after);
    model::Clip clip;
    clip.duration = 0.1;
    model::Track track;
    track.node = model::NodeId{2};
    track.translation = {{0, {0, 1, 0}, false}, {before, {0, 1, 0}, true}, {after, {0, 1, 5}, false}};
    clip.tracks.push_back(track);
    m.clips.push_back(clip);
    m.source.fps = 10;
    core::Report with;
    exported(m, with);
    EXPECT_EQ(number(with, "poses"), number(without, "poses") + 2);
    EXPECT_EQ(argument(with, IssueId::KM3_FIT, "deform"), argument(without, IssueId::KM3_FIT, "deform"));
}

// covers KM3-ERROR-3
TEST(Export, NoVertexIsOffByMoreThanItsMovedWeightAllows) {
    const model::Model m = smooth();
    core::Report report;
    const Document d = exported(m, report);
    std::vector<Mat4> locals;
    for (const model::Node& node : m.nodes) {
        locals.push_back(turned(node.bind_local, static_cast<int>(locals.size() % 3), 1));
    }
    const auto nodes = model_matrices(m, locals);
    const model::Mesh& mesh = m.meshes[0];
    double widest = 0;
    for (const Vec3& p : mesh.points) {
        std::vector<Vec3> images;
        for (const model::Cluster& cluster : mesh.skin->clusters) {
            images.push_back(transform_point(p, cluster.geometry_to_bone * nodes[cluster.bone.value]));
        }
        for (const Vec3& a : images) {
            for (const Vec3& b : images) {
                widest = std::max(widest, length(a - b) * 1000);
            }
        }
    }
    for (const double distance : distances(m, d, locals)) {
        EXPECT_LE(distance, number(report, "most") * widest * 1.001 + 0.01);
    }
}

// --- Geometry -----------------------------------------------------------------------------------------------------------------

// covers KM3-LIMIT-3, KM3-LIMIT-2
TEST(Export, AUnitGoesOnInExtensionUnitsAt60000) {
    ModelMaker maker(1);
    const std::uint32_t triangles = 25'000;
    for (std::uint32_t i = 0; i < 3 * triangles; ++i) {
        maker.point({i % 3 == 1 ? 0.1 : 0.0, i % 3 == 2 ? 0.1 : 0.0, 0.001 * (i / 3)}, {{0, 1}});
    }
    for (std::uint32_t i = 0; i < triangles; ++i) {
        maker.polygon({3 * i, 3 * i + 1, 3 * i + 2});
    }
    core::Report report;
    const Document d = exported(maker.take(), report);
    ASSERT_EQ(d.units.size(), 2u);
    EXPECT_EQ(d.unit_count, 1u);
    EXPECT_EQ(d.units[0].verts.size(), 60'000u);
    EXPECT_EQ(d.units[0].extend, 1);
    EXPECT_EQ(d.units[1].verts.size(), 15'000u);
    EXPECT_EQ(d.units[1].vid[0][0], 0);
    EXPECT_EQ(d.units[0].vid.size() + d.units[1].vid.size(), triangles);
    EXPECT_TRUE(prove(encode(d), {}).has_value());
}

// covers KM3-OUT-2, KM3-OUT-3, KM3-TYPE-1
TEST(Export, TrianglesOfOtherFlagsGoToExtensionUnits) {
    ModelMaker maker(1);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const double z = i;
        const auto a = maker.point({0, 0, z}, {{0, 1}});
        const auto b = maker.point({0, 1, z}, {{0, 1}});
        const auto c = maker.point({1, 0, z}, {{0, 1}});
        maker.polygon({a, b, c}, i);
    }
    maker.materials = {model::MaterialId{0}, model::MaterialId{1}, model::MaterialId{2}, model::MaterialId{0}};
    maker.m.materials.resize(3);
    maker.m.materials[0].double_sided = true;
    maker.m.materials[0].unlit = true;
    maker.m.materials[1].opacity = 0.5;
    maker.m.materials[2].alpha_blend = true;
    maker.m.materials[2].km3_draw_flags = 0x3200;    // only the known ones
    core::Report report;
    const Document d = exported(maker.take(), report);
    ASSERT_EQ(d.units.size(), 3u);
    EXPECT_EQ(d.units[0].type, 0x003u);
    EXPECT_EQ(d.units[0].vid.size(), 1u);
    EXPECT_EQ(d.units[1].type, 0x203u);
    EXPECT_EQ(d.units[2].type, 0x405u);
    EXPECT_EQ(d.units[2].vid.size(), 2u);
    EXPECT_EQ(d.units[0].extend, 1);
    EXPECT_EQ(d.units[1].extend, 2);
    EXPECT_EQ(d.units[2].extend, -1);
    EXPECT_TRUE(prove(encode(d), {}).has_value());
}

// covers KM3-TEX-4
TEST(Export, TextureNamesArePrintableAndDistinct) {
    ModelMaker maker(1);
    const char* const paths[] = {"a/skin.png", "b/skin.png", "a/skin.png", "caf\xC3\xA9.png", "caf__.png", "", "plain.bmp"};
    for (std::uint32_t i = 0; i < std::size(paths); ++i) {
        const double z = i;
        const auto a = maker.point({0, 0, z}, {{0, 1}});
        const auto b = maker.point({0, 1, z}, {{0, 1}});
        const auto c = maker.point({1, 0, z}, {{0, 1}});
        maker.polygon({a, b, c}, i);
        model::Texture texture;
        texture.path = paths[i];
        maker.m.textures.push_back(texture);
        model::Material material;
        material.textures[0] = i;
        maker.m.materials.push_back(material);
        maker.materials.push_back(model::MaterialId{i});
    }
    maker.m.textures.push_back({"z/" + std::string(300, 'n') + ".png", "", "", "", {}});
    maker.m.materials[6].textures[0] = 7;
    core::Report report;
    const Document d = exported(maker.take(), report);
    EXPECT_EQ(d.names, (std::vector<std::string>{"skin.png", "skin~2.png", "caf__.png", "caf__~2.png", std::string(255, 'n')}));
    EXPECT_EQ(std::vector<std::uint32_t>(d.units[0].tex.begin(), d.units[0].tex.end()), (std::vector<std::uint32_t>{0, 1, 0, 2, 3, kNoName, 4}));
    std::size_t renamed = 0;
    for (const core::Issue& issue : report.issues()) {
        renamed += issue.id == IssueId::KM3_TEXTURE_RENAMED ? 1u : 0u;
    }
    EXPECT_EQ(renamed, 4u);
    EXPECT_TRUE(prove(encode(d), {}).has_value());
}

// covers KM3-OUT-4
TEST(Export, QuadsAreJoinedWhereNothingChanges) {
    const auto corners = [](const Document& d) {
        std::array<std::size_t, 2> count{};
        for (const Unit& unit : d.units) {
            for (const Quad& vid : unit.vid) {
                ++count[is_triangle(vid) ? 0 : 1];
            }
        }
        return count;
    };
    codec::WriteOptions options;
    options.format["--km3-quads"] = codec::kOn;
    core::Report report;
    EXPECT_EQ(corners(exported(envelopes(3), report)), (std::array<std::size_t, 2>{8, 0}));
    const model::Model m = envelopes(3);
    const Document d = exported(m, report, options);
    EXPECT_EQ(corners(d), (std::array<std::size_t, 2>{0, 4}));
    EXPECT_TRUE(prove(encode(d), {}).has_value());
    // The same triangles again.
    core::Report unused;
    const model::Model quads = import(Document(d), unused);
    const model::Model plain = import(exported(m, unused), unused);
    ASSERT_EQ(quads.meshes[0].polygon_count(), plain.meshes[0].polygon_count());
    for (std::size_t c = 0; c < plain.meshes[0].corner_point.size(); ++c) {
        EXPECT_EQ(quads.meshes[0].points[quads.meshes[0].corner_point[c]], plain.meshes[0].points[plain.meshes[0].corner_point[c]]) << c;
    }
    // Not out of the plane, not another UV, not concave.
    const auto square = [&](const std::function<void(ModelMaker&)>& change) {
        ModelMaker maker(1);
        for (const Vec3 p : {Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 0, 0}}) {
            maker.point(p, {{0, 1}});
        }
        maker.polygon({0, 1, 2});
        maker.polygon({0, 2, 3});
        maker.mesh.uvs.emplace_back();
        maker.mesh.uvs[0].values = {{0, 0}, {0, 1}, {1, 1}, {1, 0}, {5, 5}};
        maker.mesh.uvs[0].corner_index = {0, 1, 2, 0, 2, 3};
        change(maker);
        core::Report r;
        return corners(exported(maker.take(), r, options))[1];
    };
    EXPECT_EQ(square([](ModelMaker&) {}), 1u);
    EXPECT_EQ(square([](ModelMaker& maker) { maker.mesh.points[3].z = 1e-3; }), 0u);
    EXPECT_EQ(square([](ModelMaker& maker) { maker.mesh.uvs[0].corner_index[4] = 4; }), 0u);
    EXPECT_EQ(square([](ModelMaker& maker) { maker.mesh.uvs[0].corner_index[5] = 4; }), 1u);     // its own fourth corner
    EXPECT_EQ(square([](ModelMaker& maker) { maker.mesh.points[3] = {0.4, 0.6, 0}; }), 0u);
    EXPECT_EQ(square([](ModelMaker& maker) { maker.mesh.polygon_material[1] = 1; maker.m.materials.resize(2); maker.m.materials[1].unlit = true;
                                             maker.materials = {model::MaterialId{0}, model::MaterialId{1}}; }), 0u);
}

// covers KM3-FIT-4
TEST(Export, SeamsOfNormalsAndUvsStayClosed) {
    // The middle rows doubled, as final vertices of a GOM are: the two halves must reduce them alike.
    ModelMaker maker(4);
    const auto row = [&](double y, std::vector<Influence> w) {
        const auto a = maker.point({-0.1, y, 0}, w);
        maker.point({0.1, y, 0}, w);
        return a;
    };
    const std::vector<Influence> middle{{0, 0.2}, {1, 0.3}, {2, 0.5}};
    const auto r0 = row(0, {{0, 1}});
    const auto r1 = row(1, middle);
    const auto r2 = row(1, middle);
    const auto r3 = row(2, {{2, 1}});
    for (const auto& [lower, upper] : {std::pair{r0, r1}, std::pair{r2, r3}}) {
        maker.polygon({lower, lower + 1, upper + 1});
        maker.polygon({lower, upper + 1, upper});
    }
    core::Report report;
    exported(maker.take(), report);
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "vertices"), "6");
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "cracked"), "0");
}

TEST(Export, BrothersThatShareAPolygonCrack) {
    ModelMaker maker(1);
    maker.bone("left", 0, {-1, 0, 0});
    maker.bone("right", 0, {1, 0, 0});
    const auto a = maker.point({-1, 0, 0}, {{1, 1}});
    const auto b = maker.point({-1, 1, 0}, {{1, 1}});
    const auto c = maker.point({1, 0, 0}, {{2, 1}});
    const auto d = maker.point({1, 1, 0}, {{2, 1}});
    maker.polygon({a, b, d});
    maker.polygon({a, d, c});
    core::Report report;
    exported(maker.take(), report);
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "cracked"), "2");     // a and d
    EXPECT_EQ(argument(report, IssueId::KM3_FIT, "most"), "1");
    EXPECT_EQ(argument(report, IssueId::KM3_CRACKED, "count"), "2");
}

// covers KM3-FIT-5
TEST(Export, WithoutWeightsEveryVertexHasOne) {
    codec::WriteOptions options;
    options.format["--km3-weights"] = "off";
    core::Report report;
    const Document d = exported(envelopes(3), report, options);
    for (const Unit& unit : d.units) {
        for (const Vec4f& v : unit.verts) {
            EXPECT_EQ(v[3], 1);
        }
    }
    EXPECT_EQ(number(report, "most"), 1);        // a row that a neighbour's triangle needs goes wholly over
}

// covers KM3-NORM-2, KM3-NORM-4, KM3-OUT-5
TEST(Export, NormalsAndScaleAsTold) {
    ModelMaker maker(1);
    const auto a = maker.point({0, 0, 0}, {{0, 1}});
    const auto b = maker.point({0, 1, 0}, {{0, 1}});
    const auto c = maker.point({1, 0, 0}, {{0, 1}});
    maker.polygon({a, b, c});
    maker.mesh.normals.values = {{3, 0, -4}};
    maker.mesh.normals.corner_index = {0, 0, 0};
    const model::Model m = maker.take();
    core::Report report;
    model::Model unit = m;
    unit.meshes[0].normals.values = {{0, 0, 0}};
    EXPECT_EQ(exported(unit, report).units[0].norms[0], (Vec4f{0, 0, -1, 1}));   // the face's
    unit = m;
    EXPECT_EQ(exported(unit, report).units[0].norms[0], (Vec4f{-0.6f, 0, -0.8f, 1}));
    codec::WriteOptions options;
    options.format["--km3-normals"] = "inward";
    options.format["--scale"] = "0.01";
    const Document d = exported(unit, report, options);
    EXPECT_EQ(d.units[0].norms[0], (Vec4f{0.6f, 0, 0.8f, 1}));
    EXPECT_EQ(d.units[0].verts[1], (Vec4f{0, 10, 0, 1}));
    options = {};
    options.normals = pass::NormalMode::Generate;
    EXPECT_EQ(exported(unit, report, options).units[0].norms[0], (Vec4f{0, 0, -1, 1}));
}

// covers KM3-OUT-1
TEST(Export, WhatNoBoneMovesHasARootOfItsOwn) {
    model::Model m = envelopes(2);
    model::Mesh plain;
    plain.points = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    plain.corner_point = {0, 1, 2};
    plain.polygon_first = {0, 3};
    m.meshes.push_back(plain);
    model::Node place;
    place.name = "prop";
    place.rest.translation = {5, 0, 0};
    place.rest.scale = {-1, 1, 1};               // mirrored: the corners turn round
    place.bind_local = to_matrix(place.rest);
    m.nodes.push_back(place);
    model::MeshInstance instance;
    instance.name = "prop";
    instance.mesh = model::MeshId{1};
    instance.node = model::NodeId{2};
    m.instances.push_back(instance);
    core::Report report;
    const Document d = exported(m, report);
    ASSERT_EQ(d.unit_count, 3u);
    EXPECT_EQ(d.units[2].parent, -1);
    EXPECT_EQ(d.units[2].origin, (std::array<float, 3>{0, 0, 0}));
    EXPECT_EQ(d.units[2].verts[0], (Vec4f{-5000, 0, 0, 1}));
    EXPECT_EQ(d.units[2].verts[1], (Vec4f{-4000, 0, 0, 1}));   // 0 2 1
    EXPECT_EQ(d.units[2].norms[0], (Vec4f{0, 0, -1, 1}));
    EXPECT_TRUE(prove(encode(d), {}).has_value());
    EXPECT_EQ(import(Document(d), report).nodes[2].name, "unit_002");
    // Below a bone it goes with that.
    m.nodes[2].parent = model::NodeId{1};
    const Document below = exported(m, report);
    EXPECT_EQ(below.unit_count, 2u);
    EXPECT_EQ(below.units[1].verts.back()[3], 1);
}

TEST(Export, WhatFloatsCannotHoldIsAnError) {
    model::Model m = envelopes(2);
    m.meshes[0].points[0].x = 1e36;
    core::Report report;
    const auto d = export_model(m, {}, report);
    ASSERT_FALSE(d.has_value());
    EXPECT_EQ(d.error().code, core::Code::CannotConvert);
    codec::WriteOptions options;
    options.format["--scale"] = "1e-6";
    EXPECT_TRUE(export_model(m, options, report).has_value());
    options = {};
    options.limits.max_bones = 1;
    EXPECT_EQ(export_model(envelopes(2), options, report).error().code, core::Code::LimitExceeded);
    options.limits.max_bones = 2;
    options.limits.max_vertices = 8;
    EXPECT_EQ(export_model(envelopes(2), options, report).error().code, core::Code::LimitExceeded);
}

TEST(Export, PointsWithoutWeightsAndBadNumbersAreReported) {
    model::Model m = envelopes(2);
    m.meshes[0].skin->influences[0].weight = 0;
    m.meshes[0].points[3].x = std::nan("");
    core::Report report;
    exported(m, report);
    EXPECT_EQ(argument(report, IssueId::MESH_UNWEIGHTED, "count"), "1");
    EXPECT_EQ(argument(report, IssueId::MESH_UNWEIGHTED, "bone"), "b0");
    EXPECT_EQ(argument(report, IssueId::MESH_NON_FINITE, "count"), "1");
}

// covers KM3-ERROR-4
TEST(Export, EveryLossIsNamed) {
    model::Model m = envelopes(2);
    m.nodes[1].rest.rotation = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
    m.nodes[1].bind_local = to_matrix(m.nodes[1].rest);
    m.clips.resize(2);
    m.meshes[0].uvs.resize(3);
    m.meshes[0].colors.resize(1);
    m.meshes[0].tangents.values = {{1, 0, 0, 1}};
    m.meshes[0].tangents.corner_index.assign(m.meshes[0].corner_point.size(), 0);
    m.materials.resize(2);
    m.materials[0].diffuse = {1, 0, 0};
    m.textures.resize(1);
    m.materials[1].textures[1] = 0;
    m.materials[1].textures[3] = 0;
    core::Report report;
    exported(m, report);
    std::vector<std::pair<std::string, std::uint64_t>> losses;
    for (const core::Loss& loss : report.losses()) {
        losses.emplace_back(loss.kind, loss.count);
    }
    EXPECT_EQ(losses, (std::vector<std::pair<std::string, std::uint64_t>>{{"animation clips", 2}, {"bone names", 2}, {"bone axes", 1}, {"mesh names", 1},
                                                                          {"materials' colours and values", 1}, {"normal, specular and emissive maps", 2},
                                                                          {"texture coordinate sets beyond the first", 2}, {"vertex colour sets", 1},
                                                                          {"tangent sets", 1}}));
}

// --- KM3 to KM3 ---------------------------------------------------------------------------------------------------------------

// covers KM3-WRITE-3, KM3-NORM-4, KM3-TYPE-1
TEST(Stored, UnitsAreKeptAndChangedAsTold) {
    Document source = example();
    source.units[0].type = 0x3101;
    core::Report report;
    const model::Model m = import(Document(source), report);
    EXPECT_EQ(exported(m, report), source);
    codec::WriteOptions options;
    options.format["--scale"] = "0.1";
    Document d = exported(m, report, options);
    EXPECT_EQ(d.units[1].origin[1], 10);
    EXPECT_EQ(d.units[0].verts[2], (Vec4f{5, 10, 0, 1}));
    EXPECT_EQ(d.units[0].type, 0x3101u);
    options = {};
    options.format["--km3-normals"] = "inward";
    d = exported(m, report, options);
    EXPECT_EQ(d.units[0].norms[0], (Vec4f{0, 0, -1, 1}));
    EXPECT_TRUE(d.inward);
    // What points inwards stays so, unless told otherwise.
    const model::Model turned = import(Document(d), report);
    EXPECT_EQ(exported(turned, report), d);
    options.format["--km3-normals"] = "outward";
    EXPECT_EQ(exported(turned, report, options), source);
}

TEST(Stored, StepsSayWhatStays) {
    codec::WriteOptions options;
    const auto first = [&] { return steps(options, true).front().what; };
    EXPECT_EQ(first(), "keep vertices as they are");
    options.format["--km3-normals"] = "inward";
    options.format["--scale"] = "2";
    EXPECT_EQ(first(), "keep vertices as they are");
    const std::string anew = steps(options, false).front().what;
    EXPECT_NE(first(), anew);
    options.format["--km3-weights"] = "off";
    EXPECT_EQ(first(), anew);
    options = {};
    options.format["--km3-quads"] = codec::kOn;
    EXPECT_EQ(first(), anew);
    options = {};
    options.normals = pass::NormalMode::Generate;
    EXPECT_EQ(first(), anew);
}

TEST(Stored, NamesFollowTheTextures) {
    core::Report report;
    model::Model m = import(example(), report);
    m.textures[0].path = "hero.textures/body_a";
    m.textures[1].path = "arm_l";
    const Document d = exported(m, report);
    EXPECT_EQ(d.names, (std::vector<std::string>{"body_a", "arm_l"}));
    m.textures[0].path = "hero.textures/body_a~2";
    EXPECT_EQ(exported(m, report).names[0], "body_a~2");
}

TEST(Stored, AChangedModelIsWrittenAnew) {
    core::Report report;
    const model::Model m = import(example(), report);
    const auto triangles = [&](const std::function<void(model::Model&)>& change) {
        model::Model changed = m;
        change(changed);
        core::Report r;
        const Document d = exported(changed, r);
        return d.units[0].vid.size() + d.units[1].vid.size();
    };
    EXPECT_EQ(triangles([](model::Model&) {}), 2u);                  // the quad is there
    EXPECT_EQ(triangles([](model::Model& c) { c.nodes[0].name = "hips"; }), 2u);
    EXPECT_EQ(triangles([](model::Model& c) { c.meshes[0].points[0].x += 1e-9; }), 3u);
    EXPECT_EQ(triangles([](model::Model& c) { c.nodes[1].rest.translation.y = 1; }), 3u);
    EXPECT_EQ(triangles([](model::Model& c) { c.materials[0].unlit = true; }), 3u);
    EXPECT_EQ(triangles([](model::Model& c) { c.clips.resize(1); }), 3u);
    EXPECT_EQ(triangles([](model::Model& c) { c.meshes[0].skin->influences[0].weight = 0.5; }), 3u);
    EXPECT_EQ(triangles([](model::Model& c) { c.instances[0].geometry_to_node.m[13] = 1; }), 3u);
    // Written anew it is still the same shape.
    model::Model changed = m;
    changed.clips.resize(1);
    const Document d = exported(changed, report);
    EXPECT_EQ(d.units[1].type, 0x401u);
    EXPECT_EQ(d.units[1].origin, example().units[1].origin);
    EXPECT_EQ(whole_box(d).high, (std::array<float, 3>{50, 180, 0}));
}

}  // namespace
}  // namespace gomkit::km3
