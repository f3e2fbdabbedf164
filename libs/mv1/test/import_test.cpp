#include "import.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "decode.hpp"
#include "sample.hpp"

namespace gomkit::mv1 {
namespace {

using core::IssueId;
using model::Quat;
using model::Vec3;

constexpr double kPi = 3.14159265358979323846;

template <class F>
model::Model imported(F change, core::Report& report) {
    test::Sample s = test::make_sample();
    change(s);
    auto d = decode_buffer(encode_buffer(s.doc), {});
    EXPECT_TRUE(d) << (d ? "" : d.error().part + ": " + d.error().what);
    auto m = import(*d, {}, report);
    EXPECT_TRUE(m);
    return std::move(*m);
}
template <class F>
model::Model imported(F change) {
    core::Report report;
    return imported(change, report);
}

void expect_near(const Vec3& a, const Vec3& b) {
    EXPECT_NEAR(a.x, b.x, 1e-7);
    EXPECT_NEAR(a.y, b.y, 1e-7);
    EXPECT_NEAR(a.z, b.z, 1e-7);
}
void expect_near(const Quat& a, const Quat& b) {
    const double s = dot(a, b) < 0 ? -1 : 1;
    EXPECT_NEAR(a.x, s * b.x, 1e-7);
    EXPECT_NEAR(a.y, s * b.y, 1e-7);
    EXPECT_NEAR(a.z, s * b.z, 1e-7);
    EXPECT_NEAR(a.w, s * b.w, 1e-7);
}

// covers MV1-SPACE-1, MV1-SPACE-2
TEST(Import, TurnsAndScalesIntoTheModelsSpace) {
    const model::Model m = imported([](test::Sample& s) { s.doc.frames[0].translate = {100, 200, 300}; });
    ASSERT_EQ(m.nodes.size(), 2u);
    expect_near(m.nodes[0].rest.translation, {-1, 2, -3});
    EXPECT_EQ(m.nodes[1].parent, model::NodeId{0});
    EXPECT_TRUE(m.nodes[0].bone);
    EXPECT_EQ(m.source.axes, "-X +Y -Z");
    EXPECT_EQ(m.source.fps, 30);
    expect_near(m.meshes[0].points[1], {-1, 1, 0});   // (100, 100, 0): the first triangle is 0 2 1
}

// covers MV1-SPACE-3, MV1-MODEL-1, MV1-MODEL-2, MV1-MODEL-3
TEST(Import, SortsAFramesTrianglesIntoMeshes) {
    const model::Model m = imported([](test::Sample&) {});
    ASSERT_EQ(m.meshes.size(), 2u);   // skinned and not
    EXPECT_TRUE(m.meshes[0].skin && !m.meshes[1].skin);
    EXPECT_EQ(m.meshes[0].points.size(), 4u);
    EXPECT_EQ(m.meshes[1].points.size(), 3u);
    EXPECT_EQ(m.meshes[0].polygon_count(), 2u);
    // The corners keep their order: (b-a) x (c-a) points along the normals there as here.
    const auto& p = m.meshes[0].points;
    const auto& c = m.meshes[0].corner_point;
    const Vec3 n = cross(p[c[1]] - p[c[0]], p[c[2]] - p[c[0]]);
    EXPECT_GT(dot(n, m.meshes[0].normals.values[m.meshes[0].normals.corner_index[0]]), 0);
    EXPECT_EQ(m.meshes[0].uvs[0].values[2], (model::Vec2{0.5, 0.5}));
    EXPECT_TRUE(m.meshes[0].colors.empty());
    EXPECT_EQ(m.instances[0].node, model::NodeId{1});
}

// covers MV1-MODEL-4
TEST(Import, VertexColoursCountOnlyWhereTheMeshUsesThem) {
    const model::Model m = imported([](test::Sample& s) { s.doc.meshes[0].use_diffuse_color = 1; });
    ASSERT_EQ(m.meshes[0].colors.size(), 1u);
    EXPECT_EQ(m.meshes[0].colors[0].name, "diffuse");
    EXPECT_EQ(m.meshes[0].colors[0].values[m.meshes[0].colors[0].corner_index[3]], (model::Vec4{0x33 / 255.0, 0x66 / 255.0, 0x99 / 255.0, 1}));
}

// covers MV1-SKIN-4, MV1-SKIN-5, MV1-SKIN-6
TEST(Import, LastWeightTakesTheRestAndPointsWithoutBonesStayWithTheirFrame) {
    const model::Model m = imported([](test::Sample& s) {
        s.doc.frames[1].blob[60 + 7] = std::byte{255};   // the second position: no bone
        s.doc.frames[1].blob.erase(s.doc.frames[1].blob.begin() + 68, s.doc.frames[1].blob.begin() + 71);
        assemble(s.doc, s.links, {});
    });
    const model::Skin& skin = *m.meshes[0].skin;
    ASSERT_EQ(skin.clusters.size(), 3u);
    EXPECT_EQ(skin.clusters[2].bone, model::NodeId{1});
    EXPECT_NEAR(skin.influences[0].weight, 32767 / 65535.0, 1e-12);
    EXPECT_NEAR(skin.influences[1].weight, 1 - 32767 / 65535.0, 1e-12);
    std::size_t own = 0;
    for (const model::Influence& i : skin.influences) {
        own += i.cluster == 2 ? 1u : 0u;
    }
    EXPECT_EQ(own, 1u);
}

// covers MV1-SKIN-7, MV1-SKIN-8
TEST(Import, BindIsTheInverseOfTheSkinsMatrixWhateverTheFramesSay) {
    const model::Model m = imported([](test::Sample& s) {
        s.doc.frames[0].translate = {0, 77, 0};     // a rest pose that is not the bind pose
        s.doc.frames[1].translate = {0, -77, 0};
    });
    // ModelLocal moves by -10, so the bone was at +10 in the mesh frame's space.
    expect_near(Vec3{m.nodes[0].bind_local.m[12], m.nodes[0].bind_local.m[13], m.nodes[0].bind_local.m[14]}, {0, 0.1, 0});
    expect_near(Vec3{m.nodes[1].bind_local.m[12], m.nodes[1].bind_local.m[13], m.nodes[1].bind_local.m[14]}, {0, -0.1, 0});
    expect_near(m.nodes[0].rest.translation, {0, 0.77, 0});
}

// covers MV1-MAT-1, MV1-MAT-2
TEST(Import, MaterialsKeepDiffuseSpecularAndTheFirstLayers) {
    const model::Model m = imported([](test::Sample& s) {
        s.doc.materials[0].normal_layer_num = 1;
        s.doc.materials[0].normal_layer[0].texture = 0;
    });
    ASSERT_EQ(m.materials.size(), 1u);
    EXPECT_EQ(m.materials[0].name, "Skin");
    EXPECT_EQ(m.materials[0].opacity, 0.75);
    EXPECT_EQ(m.materials[0].shininess, 20);
    EXPECT_EQ(m.materials[0].textures[0], 0u);
    EXPECT_EQ(m.materials[0].textures[1], 0u);
    EXPECT_EQ(m.materials[0].textures[2], model::kNoIndex);
    EXPECT_EQ(m.textures[0].path, "tex/skin.png");
    EXPECT_EQ(m.textures[0].source_relative, "tex\\skin.png");
}

// covers MV1-MODEL-5
TEST(Import, WhatTheModelLacksIsHeldAndCounted) {
    const model::Model m = imported([](test::Sample&) {});
    ASSERT_TRUE(m.mv1);
    const auto count = [&](const char* kind) {
        for (const auto& held : m.mv1->held) {
            if (held.kind == kind) {
                return held.count;
            }
        }
        return std::uint64_t{0};
    };
    EXPECT_EQ(count("animated weights of blend shapes"), 0u);
    EXPECT_EQ(count("lights"), 1u);
    EXPECT_EQ(count("rigid bodies"), 2u);
    EXPECT_EQ(count("physics joints"), 1u);
    EXPECT_EQ(count("sphere maps"), 0u);
}

// covers MV1-MORPH-1, MV1-MORPH-2
TEST(Import, ShapesAreMorphsOfTheirMeshesAndPointsAreSplitWhereVerticesMoveDifferently) {
    // The triangle begins at the square's third corner, which the shape moves in the square alone.
    const model::Model m = imported([](test::Sample&) {});
    ASSERT_EQ(m.meshes.size(), 2u);
    ASSERT_EQ(m.meshes[0].morphs.size(), 1u);
    EXPECT_TRUE(m.meshes[1].morphs.empty());
    const model::MorphChannel& smile = m.meshes[0].morphs[0];
    EXPECT_EQ(smile.name, "Smile");
    ASSERT_EQ(smile.shapes.size(), 1u);
    EXPECT_EQ(smile.shapes[0].weight, 1);
    ASSERT_EQ(smile.shapes[0].points.size(), 1u);
    expect_near(m.meshes[0].points[smile.shapes[0].points[0]], {-1, 1, 0});
    expect_near(smile.shapes[0].offsets[0], {0, 0.05, 0});
    EXPECT_EQ(smile.shapes[0].normal_offsets[0], Vec3{});
    // Both in one mesh: the position becomes two points of one place, of which one moves.
    const model::Model one = imported([](test::Sample& s) {
        s.doc.lists[1].vertex_type = 1;
        Blob bones(2 + 2 * 2);
        bones[0] = std::byte{2};
        bones[4] = std::byte{1};
        s.doc.lists[1].blob.insert(s.doc.lists[1].blob.begin(), bones.begin(), bones.end());
        assemble(s.doc, s.links, {});
    });
    ASSERT_EQ(one.meshes.size(), 1u);
    const model::Mesh& mesh = one.meshes[0];
    ASSERT_EQ(mesh.points.size(), 6u);
    const std::uint32_t moved = mesh.morphs[0].shapes[0].points[0];
    EXPECT_EQ(std::count(mesh.points.begin(), mesh.points.end(), mesh.points[moved]), 2);
    EXPECT_EQ(std::count(mesh.corner_point.begin(), mesh.corner_point.end(), moved), 2);   // both triangles of the square
}

// covers MV1-MORPH-3
TEST(Import, ShapeKeysAreTheWeightsOfTheirMorphs) {
    const model::Model m = imported([](test::Sample& s) {
        KeySet& set = s.doc.key_sets[2];
        set.flag = 0x002;
        core::Writer w;
        w.u16(0);
        w.put(std::uint8_t{5});
        for (const float v : {-10.f, 10.f, 20.f, 20.f, 50.f, 0.f, 1.f, 0.25f, 0.75f, 0.f}) {
            w.f32(v);
        }
        set.blob = w.take();
        assemble(s.doc, s.links, {});
    });
    ASSERT_EQ(m.clips[0].morph_tracks.size(), 1u);
    const model::MorphTrack& t = m.clips[0].morph_tracks[0];
    EXPECT_EQ(t.mesh, model::MeshId{0});
    ASSERT_EQ(t.keys.size(), 5u);   // inside the clip of 30 frames, with what holds at its ends
    const double times[] = {0, 10, 20, 20, 30};
    const double weights[] = {0.5, 1, 0.25, 0.75, 0.5};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(t.keys[i].time * 30, times[i], 1e-9) << i;
        EXPECT_NEAR(t.keys[i].value, weights[i], 1e-9) << i;
        EXPECT_EQ(t.keys[i].step_end, i == 2) << i;
    }
    // Of a shape that the frame does not have there is nothing to move.
    const model::Model none = imported([](test::Sample& s) { s.doc.key_sets[2].blob[0] = std::byte{1}; });
    EXPECT_TRUE(none.clips[0].morph_tracks.empty());
    ASSERT_TRUE(none.mv1);
    EXPECT_EQ(none.mv1->held.front().kind, "animated weights of blend shapes");
}

// covers MV1-MAT-3
TEST(Import, AMaterialIsDoubleSidedWhereAllItsMeshesAre) {
    const auto sides = [](std::uint8_t first, std::uint8_t second) {
        const model::Model m = imported([&](test::Sample& s) {
            s.doc.meshes[0].back_culling = first;
            s.doc.meshes[1].back_culling = second;
        });
        std::uint64_t held = 0;
        for (const auto& h : m.mv1->held) {
            held += h.kind == "meshes drawn from both sides" ? h.count : 0;
        }
        return std::pair(m.materials[0].double_sided, held);
    };
    EXPECT_EQ(sides(0, 0), std::pair(true, std::uint64_t{0}));
    EXPECT_EQ(sides(0, 1), std::pair(false, std::uint64_t{1}));
    EXPECT_EQ(sides(1, 2), std::pair(false, std::uint64_t{0}));
}

// covers MV1-CLIP-1, MV1-CLIP-2
TEST(Import, ClipsRunAtThirtyFrames) {
    const model::Model m = imported([](test::Sample& s) { s.doc.anim_sets[0].flag = 4; });
    ASSERT_EQ(m.clips.size(), 1u);
    const model::Clip& c = m.clips[0];
    EXPECT_EQ(c.name, "Walk");
    EXPECT_EQ(c.duration, 1.0);
    EXPECT_TRUE(c.loop);
    ASSERT_EQ(c.tracks.size(), 2u);
    ASSERT_EQ(c.tracks[0].translation.size(), 2u);
    expect_near(c.tracks[0].translation[0].value, {0, 0.1, 0});
    expect_near(c.tracks[0].translation[1].value, {-0.6, 0.1, -0.3});
    EXPECT_EQ(c.tracks[0].translation[1].time, 1.0);
    EXPECT_TRUE(c.tracks[0].rotation.empty() && c.tracks[0].scale.empty());
    // A quarter turn about Z, which half a turn about Y turns round.
    expect_near(c.tracks[1].rotation.back().value, {0, 0, -std::sin(kPi / 4 + 16384.0 / 65535 * kPi - kPi / 4), std::cos(16384.0 / 65535 * kPi)});
}

TEST(Import, EmptyClipsAreLeftOutWithANote) {
    core::Report report;
    const model::Model m = imported(
        [](test::Sample& s) {
            s.doc.anim_sets[0].max_time = -1e9f;
            s.doc.anims.clear();
            s.doc.key_sets.clear();
            s.links.set_anims = {{0, 0}};
            s.links.anim_key_sets.clear();
            assemble(s.doc, s.links, {});
        },
        report);
    EXPECT_TRUE(m.clips.empty());
    EXPECT_TRUE(report.has(IssueId::MV1_EMPTY_CLIP));
}

// covers MV1-POSE-1
TEST(Euler, OrdersAreThoseOfRowVectors) {
    // Order 0 is p * Rx * Ry * Rz: a quarter turn about X takes y to z, one about Z takes x to y.
    expect_near(rotate(euler(kPi / 2, 0, 0, 0), Vec3{0, 1, 0}), {0, 0, 1});
    expect_near(rotate(euler(0, kPi / 2, 0, 0), Vec3{0, 0, 1}), {1, 0, 0});
    expect_near(rotate(euler(0, 0, kPi / 2, 0), Vec3{1, 0, 0}), {0, 1, 0});
    expect_near(rotate(euler(kPi / 2, 0, kPi / 2, 0), Vec3{0, 1, 0}), {0, 0, 1});    // X first, then Z
    expect_near(rotate(euler(kPi / 2, 0, kPi / 2, 5), Vec3{0, 1, 0}), {-1, 0, 0});   // ZYX: Z first
    expect_near(rotate(euler(kPi / 2, kPi / 2, 0, 3), Vec3{0, 0, 1}), {1, 0, 0});    // YXZ
}

// covers MV1-POSE-2, MV1-POSE-3
TEST(Euler, PreAndPostRotationsStandInOtherOrdersAtRestAndInClips) {
    Frame f;
    f.flag = 1 | 4 | 8;
    f.rotate = {0.3f, 0, 0};
    f.pre_rotate = {0, 0.5f, 0};
    f.post_rotate = {0, 0, 0.7f};
    const Quat pre = euler(0, 0.5f, 0, 0);
    const Quat r = euler(0.3f, 0, 0, 0);
    const Quat post = euler(0, 0, 0.7f, 0);
    const Vec3 p{1, 2, 3};
    const auto back = [&](const Vec3& v) { return rotate(conjugate(post), v); };
    expect_near(rotate(rest_rotation(f), p), back(rotate(r, rotate(pre, p))));
    expect_near(rotate(clip_rotation(f, r, 0), p), rotate(pre, rotate(r, back(p))));
    f.flag = 1;
    expect_near(rest_rotation(f), r);
}

// A clip of one key set on Root; the sample's Body keeps still.
template <class F>
model::Track track_of(int type, int data, int flag, std::uint32_t set_flag, F write) {
    const model::Model m = imported([&](test::Sample& s) {
        core::Writer w;
        write(w, s.doc);
        s.doc.key_sets.resize(1);
        s.doc.key_sets[0] = {};
        s.doc.key_sets[0].type = static_cast<std::int8_t>(type);
        s.doc.key_sets[0].data_type = static_cast<std::int8_t>(data);
        s.doc.key_sets[0].flag = static_cast<std::uint16_t>(flag);
        s.doc.key_sets[0].blob = w.take();
        s.doc.anims.resize(1);
        s.doc.anim_sets[0].flag = set_flag;
        s.links.set_anims = {{0, 1}};
        s.links.anim_key_sets = {{0, 1}};
        assemble(s.doc, s.links, {});
    });
    return m.clips.at(0).tracks.empty() ? model::Track{} : m.clips[0].tracks[0];
}

// covers MV1-CLIP-3
TEST(Import, BothKindsOfQuaternionsTurnTheirOwnWay) {
    for (const int type : {0, 7}) {
        const model::Track t = track_of(type, 0, 0x001, 0, [](core::Writer& w, Document&) {
            for (const double v : {0.0, 0.0, std::sin(0.2), std::cos(0.2)}) {
                w.f32(static_cast<float>(v));
            }
        });
        ASSERT_EQ(t.rotation.size(), 1u);
        expect_near(t.rotation[0].value, {0, 0, (type == 7 ? -1 : 1) * double(float(std::sin(0.2))), double(float(std::cos(0.2)))});
    }
}

// covers MV1-CLIP-4
TEST(Import, TheIdentityQuaternionMeansNone) {
    const model::Track t = track_of(7, 0, 0x001, 0, [](core::Writer& w, Document& d) {
        for (const float v : {0.f, 0.f, 0.f, 1.f}) {
            w.f32(v);
        }
        d.frames[0].rotate = {0, 0, 0.5f};
    });
    EXPECT_TRUE(t.rotation.empty());   // the rest rotation, not the identity
}

TEST(Import, MatrixKeysReplaceTheWholeLocalTransform) {
    const model::Track t = track_of(2, 15, 0x001, 0, [](core::Writer& w, Document&) {
        for (const float v : {0.f, 2.f, 0.f, -2.f, 0.f, 0.f, 0.f, 0.f, 2.f, 100.f, 0.f, 50.f}) {
            w.f32(v);
        }
    });
    ASSERT_EQ(t.translation.size(), 1u);
    expect_near(t.translation[0].value, {-1, 0, -0.5});
    expect_near(t.scale[0].value, {2, 2, 2});
    expect_near(t.rotation[0].value, {0, 0, -std::sin(kPi / 4), std::cos(kPi / 4)});   // x to y, turned
}

// covers MV1-CLIP-5
TEST(Import, AdditiveClipsAddToTheRestValues) {
    const model::Track t = track_of(1, 5, 0x001, 1, [](core::Writer& w, Document& d) {
        d.frames[0].scale = {2, 2, 2};
        for (const float v : {1.f, 0.f, -1.f}) {
            w.f32(v);
        }
    });
    ASSERT_EQ(t.scale.size(), 1u);
    expect_near(t.scale[0].value, {3, 2, 1});
}

// covers MV1-CLIP-6
TEST(Import, JumpsOfMoreThanAQuarterTurnBlendMatrices) {
    // From 0 to half a turn less a little: Euler would stand at the half angle at half time; the matrices' mean is the same
    // direction only at half time, not at a quarter of it.
    const model::Track t = track_of(5, 3, 0x002, 0, [](core::Writer& w, Document&) {
        w.put(std::uint8_t{2});
        w.f32(0);
        w.f32(30);
        w.f32(0);
        w.f32(3);
    });
    const auto angle_at = [&](double seconds) {
        for (std::size_t i = 0; i + 1 < t.rotation.size(); ++i) {
            if (t.rotation[i + 1].time >= seconds) {
                const double u = (seconds - t.rotation[i].time) / (t.rotation[i + 1].time - t.rotation[i].time);
                const Quat q = runtime::slerp(t.rotation[i].value, t.rotation[i + 1].value, u);
                return 2 * std::atan2(-q.z, q.w);
            }
        }
        return 0.0;
    };
    ASSERT_GT(t.rotation.size(), 3u);
    for (const double u : {0.1, 0.25, 0.5, 0.9}) {
        const double expected = std::atan2(u * std::sin(3.0), 1 - u + u * std::cos(3.0));
        EXPECT_NEAR(angle_at(u), expected, 1e-4) << u;
    }
}

// covers MV1-CLIP-7
TEST(Import, EqualTimesAreSteps) {
    const model::Track t = track_of(5, 11, 0x002, 0, [](core::Writer& w, Document&) {
        w.put(std::uint8_t{4});
        for (const float v : {0.f, 15.f, 15.f, 30.f, 0.f, 0.f, 100.f, 100.f}) {
            w.f32(v);
        }
    });
    ASSERT_EQ(t.translation.size(), 4u);
    EXPECT_TRUE(t.translation[1].step_end);
    EXPECT_EQ(t.translation[2].time, 0.5);
    EXPECT_NEAR(t.translation[1].value.x, 0, 1e-12);
    EXPECT_NEAR(t.translation[2].value.x, -1, 1e-12);
}

TEST(Import, KeysThatGoBackOrAreNoNumbersAreLeftOut) {
    core::Report report;
    const model::Model m = imported(
        [](test::Sample& s) {
            core::Writer w;
            w.put(std::uint8_t{3});
            for (const float v : {0.f, 20.f, 10.f, 1.f, std::nanf(""), 3.f}) {
                w.f32(v);
            }
            s.doc.key_sets[1].flag = 0x002;
            s.doc.key_sets[1].blob = w.take();
            assemble(s.doc, s.links, {});
        },
        report);
    EXPECT_TRUE(report.has(IssueId::MV1_KEYS_DROPPED));
}

TEST(Import, NormalsThatAreNotStoredComeFromTheFaces) {
    const model::Model m = imported([](test::Sample& s) {
        Frame& f = s.doc.frames[1];
        f.vert_flag &= static_cast<std::uint16_t>(~3u);
        f.blob.resize(f.blob.size() - 12);
        assemble(s.doc, s.links, {});
    });
    ASSERT_EQ(m.meshes[0].normals.values.size(), 1u);
    expect_near(m.meshes[0].normals.values[0], {0, 0, 1});   // (0, 0, -1) in the file
}

// covers MV1-SPACE-4, MV1-SPACE-5
TEST(Import, TangentsKeepTheirHandedness) {
    // The square faces -Z with U along +X and V downwards: the file's binormal is (0, -1, 0), the model's bitangent turns up
    // (conventions.md, test vector), and half a turn about Y changes neither.
    const model::Model m = imported([](test::Sample& s) {
        Frame& f = s.doc.frames[1];
        f.vert_flag |= 0x40;
        core::Writer w;
        for (const float v : {1.f, 0.f, 0.f, 0.f, -1.f, 0.f}) {
            w.f32(v);
        }
        f.blob.insert(f.blob.end(), w.bytes().begin(), w.bytes().end());
        assemble(s.doc, s.links, {});
    });
    ASSERT_EQ(m.meshes[0].tangents.values.size(), 1u);
    EXPECT_EQ(m.meshes[0].tangents.values[0], (model::Vec4{-1, 0, 0, -1}));
    const Vec3 n = m.meshes[0].normals.values[0];
    expect_near(cross(n, Vec3{-1, 0, 0}) * -1.0, {0, 1, 0});
}

TEST(Import, AFrameThatIgnoresItsParentBecomesARoot) {
    core::Report report;
    const model::Model m = imported([](test::Sample& s) { s.doc.frames[1].flag = 3; }, report);
    EXPECT_FALSE(m.nodes[1].parent.valid());
    EXPECT_TRUE(report.has(IssueId::MV1_IGNORES_PARENT));
}

}  // namespace
}  // namespace gomkit::mv1
