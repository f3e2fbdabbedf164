#include "export.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include <gomkit/core/text.hpp>
#include <gomkit/mv1/mv1.hpp>

#include "blobs.hpp"
#include "check.hpp"
#include "decode.hpp"
#include "encode.hpp"
#include "facts.hpp"
#include "import.hpp"
#include "loader_model.hpp"
#include "prove.hpp"
#include "sample.hpp"

namespace gomkit::mv1 {
namespace {

using model::Quat;
using model::Vec3;

model::Model import_of(const Document& d) {
    core::Report report;
    auto m = import(d, {}, report);
    EXPECT_TRUE(m);
    return std::move(*m);
}

codec::WriteOptions in_centimetres() {
    codec::WriteOptions o;
    o.format["--out-unit"] = core::number_text(kUnitMeters);
    return o;
}

// Exported, found good by everybody, and read again.
model::Model there_and_back(const model::Model& m, const std::string& name, Document* kept = nullptr,
                            const codec::WriteOptions& how = in_centimetres(), core::Report* told = nullptr) {
    core::Report report;
    auto d = export_model(m, how, told != nullptr ? *told : report);
    EXPECT_TRUE(d) << name;
    const core::Bytes file = encode(*d);
    codec::CheckOptions options;
    options.canonical = true;
    core::Report findings;
    check(file, name, options, findings);
    for (const core::Issue& issue : findings.issues()) {
        ADD_FAILURE() << core::to_string(issue);
    }
    EXPECT_EQ(load_as_dxlib(encode_buffer(*d)), "") << name;
    auto again = decode(file, name, {});
    EXPECT_TRUE(again) << name << ": " << core::to_string(again.error());
    if (kept != nullptr) {
        *kept = *again;
    }
    return import_of(*again);
}

double apart(const Vec3& a, const Vec3& b) { return length(a - b); }

Vec3 mix(const Vec3& a, const Vec3& b, double t) { return lerp(a, b, t); }
Quat mix(const Quat& a, const Quat& b, double t) { return runtime::slerp(a, b, t); }
double mix(double a, double b, double t) { return a + (b - a) * t; }

template <class T>
T value_at(const std::vector<model::Key<T>>& keys, double t, const T& rest) {
    if (keys.empty()) {
        return rest;
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].time > t) {
            const double u = keys[i].time > keys[i - 1].time ? (t - keys[i - 1].time) / (keys[i].time - keys[i - 1].time) : 1;
            return mix(keys[i - 1].value, keys[i].value, std::fmax(u, 0.0));
        }
    }
    return keys.back().value;
}

// Where every corner of every triangle stands, posed by a clip at a time, or at rest; sorted by part and material.
std::vector<Vec3> corners(const model::Model& m, const model::Clip* clip, double time) {
    std::vector<model::Mat4> world(m.nodes.size());
    for (std::size_t i = 0; i < world.size(); ++i) {
        model::Transform local = m.nodes[i].rest;
        for (const model::Track& t : clip != nullptr ? clip->tracks : std::vector<model::Track>{}) {
            if (t.node.value == i) {
                local = {value_at(t.translation, time, local.translation), normalized(value_at(t.rotation, time, local.rotation)),
                         value_at(t.scale, time, local.scale)};
            }
        }
        world[i] = runtime::to_matrix(local);
        if (m.nodes[i].parent.valid()) {
            world[i] = world[i] * world[m.nodes[i].parent.value];
        }
    }
    std::vector<Vec3> out;
    for (const model::MeshInstance& instance : m.instances) {
        const model::Mesh& mesh = m.meshes[instance.mesh.value];
        std::vector<Vec3> points;
        for (std::size_t p = 0; p < mesh.points.size(); ++p) {
            if (!mesh.skin) {
                points.push_back(runtime::transform_point(mesh.points[p], instance.geometry_to_node * world[instance.node.value]));
                continue;
            }
            Vec3 sum;
            double total = 0;
            for (std::uint32_t i = mesh.skin->first[p]; i < mesh.skin->first[p + 1]; ++i) {
                const model::Influence& in = mesh.skin->influences[i];
                const model::Cluster& c = mesh.skin->clusters[in.cluster];
                sum += runtime::transform_point(mesh.points[p], c.geometry_to_bone * world[c.bone.value]) * in.weight;
                total += in.weight;
            }
            points.push_back(sum / total);
        }
        std::uint32_t slots = 1;
        for (const std::uint32_t s : mesh.polygon_material) {
            slots = std::max(slots, s + 1);
        }
        for (std::uint32_t s = 0; s < slots; ++s) {
            for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
                for (std::uint32_t c = mesh.polygon_first[p]; mesh.polygon_material[p] == s && c < mesh.polygon_first[p + 1]; ++c) {
                    out.push_back(points[mesh.corner_point[c]]);
                }
            }
        }
    }
    return out;
}

double largest_difference(std::vector<Vec3> a, std::vector<Vec3> b) {
    EXPECT_EQ(a.size(), b.size());
    double worst = 0;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        worst = std::fmax(worst, apart(a[i], b[i]));
    }
    return worst;
}

// covers MV1-WRITE-8, MV1-WRITE-9, MV1-WRITE-12, MV1-WRITE-13
TEST(Export, SampleComesBack) {
    const model::Model m = import_of(test::make_sample().doc);
    Document d;
    const model::Model again = there_and_back(m, "sample.mv1", &d);
    ASSERT_EQ(again.nodes.size(), 2u);   // the skinned and the unskinned mesh share their frame
    EXPECT_EQ(again.materials[0].name, "Skin");
    EXPECT_EQ(again.materials[0].opacity, 0.75);
    EXPECT_EQ(again.textures[0].path, "tex/skin.png");
    EXPECT_EQ(d.materials[0].blend_mode, 1);
    EXPECT_EQ(d.materials[0].blend_param, 255);
    EXPECT_EQ(d.textures[0].address_u, 1);
    EXPECT_EQ(d.textures[0].filter, 2);
    ASSERT_EQ(again.clips.size(), 1u);
    EXPECT_EQ(again.clips[0].duration, 1.0);
    for (const double t : {0.0, 0.2, 0.5, 0.99}) {
        EXPECT_LT(largest_difference(corners(m, &m.clips[0], t), corners(again, &again.clips[0], t)), 1e-4) << t;
    }
    EXPECT_LT(largest_difference(corners(m, nullptr, 0), corners(again, nullptr, 0)), 1e-6);
}

TEST(ExportCorpus, EveryFileIsWrittenForTheLoaderAndMovesAsBefore) {
    const auto files = test::corpus_files();
    if (files.empty()) {
        GTEST_SKIP() << "no corpus";
    }
    for (const auto& [name, file] : files) {
        const auto d = decode(file.bytes(), name, {});
        ASSERT_TRUE(d);
        const model::Model m = import_of(*d);
        const model::Model again = there_and_back(m, name);
        ASSERT_EQ(again.clips.size(), m.clips.size()) << name;
        ASSERT_EQ(again.materials.size(), m.materials.size()) << name;
        if (m.meshes.size() != again.meshes.size()) {
            ADD_FAILURE() << name << ": " << m.meshes.size() << " meshes became " << again.meshes.size();
            continue;
        }
        const std::vector<Vec3> rest = corners(m, nullptr, 0);
        double size = 1e-9;
        for (const Vec3& p : rest) {
            size = std::fmax(size, length(p));
        }
        double worst = largest_difference(rest, corners(again, nullptr, 0));
        for (std::size_t c = 0; c < m.clips.size(); ++c) {
            EXPECT_NEAR(again.clips[c].duration, m.clips[c].duration, 1e-6) << name;
            for (const double u : {0.0, 0.31, 0.77}) {
                const double t = m.clips[c].duration * u;
                worst = std::fmax(worst, largest_difference(corners(m, &m.clips[c], t), corners(again, &again.clips[c], t)));
            }
        }
        EXPECT_LT(worst, 1e-4 * size) << name;
        RecordProperty(name, std::to_string(worst / size));
    }
}

// A strip of squares along X, every one on a bone of its own.
model::Model strip(std::uint32_t squares, std::uint32_t bones, std::uint32_t influences) {
    model::Model m;
    m.nodes.resize(bones);
    for (std::uint32_t b = 0; b < bones; ++b) {
        m.nodes[b].name = "b" + std::to_string(b);
        m.nodes[b].bone = true;
    }
    model::Mesh mesh;
    mesh.skin.emplace();
    for (std::uint32_t b = 0; b < bones; ++b) {
        mesh.skin->clusters.push_back({model::NodeId{b}, {}});
    }
    mesh.polygon_first.push_back(0);
    mesh.skin->first.push_back(0);
    for (std::uint32_t s = 0; s < squares; ++s) {
        for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 0, 0}}) {
            mesh.points.push_back(p + Vec3{double(s), 0, 0});
            for (std::uint32_t k = 0; k < influences; ++k) {
                mesh.skin->influences.push_back({(s + k) % bones, 1.0 / influences});
            }
            mesh.skin->first.push_back(static_cast<std::uint32_t>(mesh.skin->influences.size()));
        }
        for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u}) {
            mesh.corner_point.push_back(4 * s + corner);
            if (mesh.corner_point.size() % 3 == 0) {
                mesh.polygon_first.push_back(static_cast<std::uint32_t>(mesh.corner_point.size()));
                mesh.polygon_material.push_back(0);
            }
        }
    }
    m.meshes.push_back(std::move(mesh));
    model::MeshInstance instance;
    instance.mesh = model::MeshId{0};
    instance.node = model::NodeId{0};
    instance.materials.push_back({});
    m.instances.push_back(std::move(instance));
    return m;
}

// covers MV1-WRITE-10, MV1-WRITE-11
TEST(Export, ListsAreSplitByBonesIndicesAndWeights) {
    struct Case {
        std::uint32_t squares, bones, influences;
        std::uint16_t type;
        std::size_t lists;
        std::uint16_t blend;
    };
    for (const Case& c : {Case{60, 54, 1, 1, 1, 4}, Case{60, 55, 1, 1, 2, 4}, Case{300, 300, 1, 1, 6, 4}, Case{10917, 1, 1, 1, 2, 4},
                          Case{10916, 1, 1, 1, 1, 4}, Case{60, 70, 6, 2, 2, 8}, Case{60, 70, 12, 3, 1, 12}}) {
        const model::Model m = strip(c.squares, c.bones, c.influences);
        Document d;
        const model::Model again = there_and_back(m, "strip.mv1", &d);
        ASSERT_EQ(d.lists.size(), c.lists) << c.squares << " squares on " << c.bones << " bones";
        EXPECT_EQ(d.frames[0].max_bone_blend_num, c.blend);
        EXPECT_EQ((d.frames[0].vert_flag & 0x10) != 0, c.bones > 255);
        for (const TriangleList& l : d.lists) {
            EXPECT_EQ(l.vertex_type, c.type);
        }
        EXPECT_EQ(again.materials.size(), 1u);   // the default material
        if (c.squares <= 300) {
            EXPECT_LT(largest_difference(corners(m, nullptr, 0), corners(again, nullptr, 0)), 1e-4);
        }
    }
}

TEST(Export, TheSameModelGivesTheSameBytes) {
    const model::Model m = import_of(test::make_sample().doc);
    core::Report report;
    EXPECT_EQ(encode(*export_model(m, {}, report)), encode(*export_model(m, {}, report)));
}

TEST(Export, RotationsSurviveAsAngles) {
    for (const Quat& q : {Quat{0, 0, 0, 1}, Quat{0.5, 0.5, 0.5, 0.5}, Quat{0, std::sqrt(0.5), 0, std::sqrt(0.5)}, Quat{0.1, -0.7, 0.3, 0.2},
                          Quat{0, 1, 0, 0}, Quat{1, 0, 0, 0}}) {
        model::Model m = strip(1, 1, 1);
        m.nodes[0].rest.rotation = normalized(q);
        const model::Model again = there_and_back(m, "q.mv1");
        EXPECT_NEAR(std::fabs(dot(again.nodes[0].rest.rotation, normalized(q))), 1, 1e-12);
    }
}

core::Bytes written(model::Model m, const codec::WriteOptions& options, core::Report& report) {
    auto bytes = make_codec().write(std::move(m), options, report);
    EXPECT_TRUE(bytes) << (bytes ? "" : core::to_string(bytes.error()));
    return bytes ? std::move(*bytes) : core::Bytes{};
}

model::Model read_of(std::span<const std::byte> file) {
    core::Report report;
    auto m = make_codec().read(file, "x.mv1", {}, report);
    EXPECT_TRUE(m);
    return std::move(*m);
}

// covers MV1-WRITE-14
TEST(Write, AnUnchangedModelIsItsOwnFileAgain) {
    core::Report report;
    const core::Bytes file = encode(test::make_sample().doc);
    EXPECT_EQ(written(read_of(file), {}, report), file);
    EXPECT_TRUE(report.losses().empty());
}

TEST(WriteCorpus, AnUnchangedModelIsItsOwnFileAgain) {
    const auto files = test::corpus_files();
    if (files.empty()) {
        GTEST_SKIP() << "no corpus";
    }
    for (const auto& [name, content] : files) {
        core::Report report;
        const core::Bytes again = written(read_of(content.bytes()), {}, report);
        const auto a = unpack(again, {});
        const auto b = unpack(content.bytes(), {});
        ASSERT_TRUE(a && b) << name;
        EXPECT_EQ(*a, *b) << name;
    }
}

std::uint64_t loss_of(const core::Report& report, std::string_view kind) {
    for (const core::Loss& loss : report.losses()) {
        if (loss.kind.substr(0, loss.kind.find(" (")) == kind) {
            return loss.count;
        }
    }
    return 0;
}

// What differs between two lists of facts, in words.
std::string differences(const std::vector<codec::Fact>& a, const std::vector<codec::Fact>& b) {
    std::string out;
    for (std::size_t i = 0; i < a.size() || i < b.size(); ++i) {
        if (i >= a.size() || i >= b.size() || a[i].place != b[i].place) {
            return out + (i < a.size() ? a[i].place : "the end") + " became " + (i < b.size() ? b[i].place : "the end");
        }
        bool same = a[i].text == b[i].text && a[i].numbers.size() == b[i].numbers.size();
        for (std::size_t k = 0; same && k < a[i].numbers.size(); ++k) {
            const double x = a[i].numbers[k];
            const double y = b[i].numbers[k];
            same = std::fabs(x - y) <= 1e-6 * std::fmax(1, std::fabs(x)) || (std::isnan(x) && std::isnan(y));
        }
        out += same ? "" : a[i].place + " differs; ";
    }
    return out;
}

// The sample with something in everything that a Model has no place for.
test::Sample full_sample() {
    test::Sample s = test::make_sample();
    Document& d = s.doc;
    d.header.user_data = {1, 2, 3, 4};
    d.header.material_number_order_draw = 1;
    d.frames[1].user_data = {5, 0, 0, 6};
    d.frames[1].smoothing_angle = 1;
    d.meshes[1].user_data = d.meshes[0].user_data = {7, 8, 9, 10};
    d.textures.resize(4, d.textures[0]);
    const char* paths[] = {"ramp.bmp", "sphere.sph", "overlay.png"};
    for (std::size_t t = 1; t < 4; ++t) {
        d.textures[t].color_path = add_string(d, paths[t - 1]);
    }
    d.textures[0].address_u = 3;
    d.textures[0].alpha_path = add_string(d, "tex\\mask.png");
    d.textures[1].flag = 1;
    d.textures[1].bump_flag = 1;
    d.textures[1].user_data = {11, 12};
    Material& m = d.materials[0];
    m.ambient = {0.25f, 0.5f, 0.75f, 1};
    m.use_alpha_test = 1;
    m.alpha_ref = 100;
    m.blend_mode = 2;
    m.blend_param = 128;
    m.user_data = {13, 0, 0, 0};
    m.diffuse_layer_num = 2;
    m.diffuse_layer[1] = {3, 1, {}};
    Toon& t = d.toons[0];
    t.type = 2;
    t.diffuse_grad_texture = 1;
    t.outline_width = 0.5f;
    t.outline_color = {0.1f, 0.2f, 0.3f, 1};
    t.enable_sphere_map = 1;
    t.sphere_map_blend = 2;
    t.sphere_map_texture = 2;
    d.lights[0].type = 1;
    d.lights[0].range = 100;
    d.lights[0].attenuation1 = 2;
    d.rigids[1].position = {1, 2, 3};
    d.rigids[1].rotation = {0.1f, 0.2f, 0.3f};
    d.rigids[1].shape_w = 4;
    d.rigids[1].user_data = {14, 0, 0, 0};
    d.joints[0].position = {4, 5, 6};
    d.joints[0].rotation_low = {-1, -2, -3};
    d.joints[0].rotation_high = {0.5f, 0.25f, 0.125f};
    d.joints[0].spring_position = {7, 8, 9};
    d.anim_sets[0].user_data = {15, 0, 0, 0};
    assemble(d, s.links, {});
    return s;
}

// covers MV1-WRITE-14, MV1-WRITE-15
TEST(Write, AChangedModelKeepsWhatItsFileKnew) {
    model::Model m = read_of(encode(full_sample().doc));
    const std::vector<codec::Fact> before = facts(m, {});
    EXPECT_GT(before.size(), 100u);
    core::Limits tight;
    tight.max_nodes = 1;
    EXPECT_TRUE(facts(m, tight).empty());   // read as the file was
    m.materials[0].diffuse.x = 0.5;
    core::Report report;
    const core::Bytes file = written(m, {}, report);
    const model::Model again = read_of(file);
    EXPECT_EQ(again.materials[0].diffuse.x, 0.5);
    EXPECT_EQ(differences(before, facts(again, {})), "");
    EXPECT_TRUE(report.losses().empty()) << report.losses()[0].kind;
    ASSERT_EQ(again.meshes[0].morphs.size(), 1u);
    EXPECT_EQ(again.clips[0].morph_tracks.size(), 1u);
    const auto d = decode(file, "x.mv1", {});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->meshes[0].user_data[0], 7u);
    EXPECT_EQ(d->rigids[1].position[2], 3.f);

    // Another frame's name, as --strip-prefix gives it: what belongs to the frame goes with it.
    m.nodes[1].name = "Torso";
    const auto renamed = decode(written(m, {}, report), "x.mv1", {});
    ASSERT_TRUE(renamed);
    EXPECT_EQ(renamed->frames[1].user_data[0], 5u);
    EXPECT_EQ(renamed->rigids[1].target_frame, renamed->frames[1].at);
    EXPECT_TRUE(report.losses().empty());
}

// covers MV1-WRITE-15
TEST(Write, WhatIsKeptIsTurnedAndScaledWithTheModel) {
    const model::Model m = read_of(encode(full_sample().doc));
    codec::WriteOptions options;
    options.format = {{"--facing", "+z"}, {"--out-unit", "0.02"}};
    core::Report report;
    const auto d = decode(written(m, options, report), "x.mv1", {});
    ASSERT_TRUE(d);
    using Three = std::array<float, 3>;
    EXPECT_EQ(d->rigids[1].position, (Three{-0.5f, 1, -1.5f}));
    EXPECT_EQ(d->rigids[1].rotation, (Three{-0.1f, 0.2f, -0.3f}));
    EXPECT_EQ(d->rigids[1].shape_w, 2);
    EXPECT_EQ(d->joints[0].rotation_low, (Three{-0.5f, -2, -0.125f}));   // the limits of X and Z change places
    EXPECT_EQ(d->joints[0].rotation_high, (Three{1, 0.25f, 3}));
    EXPECT_EQ(d->lights[0].range, 50);
    EXPECT_EQ(d->lights[0].attenuation1, 4);
    EXPECT_EQ(d->toons[0].outline_width, 0.25f);
    EXPECT_EQ(d->shape_vertices[0].position, (Three{0, 2.5f, 0}));
}

// covers MV1-WRITE-15
TEST(Write, WhatIsGoneFromTheModelTakesWithItWhatHungOnIt) {
    model::Model m = read_of(encode(full_sample().doc));
    m.nodes[0].origin = {};          // a frame that is not the file's
    m.materials[0].origin.path = "Other";
    m.materials[0].diffuse.x = 0.5;
    core::Report report;
    const auto d = decode(written(std::move(m), {}, report), "x.mv1", {});
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->lights.empty());
    ASSERT_EQ(d->rigids.size(), 1u);
    EXPECT_EQ(text(*d, d->rigids[0].name), "B");
    EXPECT_TRUE(d->joints.empty());
    EXPECT_EQ(d->toons[0].type, 0);
    EXPECT_EQ(loss_of(report, "lights"), 1u);
    for (const core::Loss& loss : report.losses()) {
        EXPECT_TRUE(loss.kind.ends_with(" (what they belonged to is gone)")) << loss.kind;
    }
    EXPECT_EQ(loss_of(report, "rigid bodies"), 1u);
    EXPECT_EQ(loss_of(report, "physics joints"), 1u);
    EXPECT_EQ(loss_of(report, "toon materials"), 1u);
    EXPECT_EQ(loss_of(report, "sphere maps"), 1u);
    EXPECT_EQ(loss_of(report, "texture layers"), 1u);
}

TEST(WriteCorpus, AChangedModelKeepsWhatItsFileKnew) {
    const auto files = test::corpus_files();
    if (files.empty()) {
        GTEST_SKIP() << "no corpus";
    }
    std::uint64_t morphs = 0;
    std::uint64_t tracks = 0;
    for (const auto& [name, content] : files) {
        model::Model m = read_of(content.bytes());
        const std::vector<codec::Fact> before = facts(m, {});
        const model::Model was = m;
        if (m.clips.empty()) {
            m.nodes[0].rest.translation.x += 1;
        } else {
            m.clips[0].duration += 1;
        }
        core::Report report;
        const model::Model again = read_of(written(std::move(m), {}, report));
        EXPECT_EQ(differences(before, facts(again, {})), "") << name;
        for (const core::Loss& loss : report.losses()) {
            EXPECT_TRUE(loss.kind.starts_with("outline marks") || loss.kind.starts_with("meshes drawn from both sides") ||
                        loss.kind.starts_with("vertex colour sets") || loss.kind == "tangent sets")
                << name << ": " << loss.kind << " " << loss.count;
        }
        ASSERT_EQ(again.meshes.size(), was.meshes.size()) << name;
        for (std::size_t i = 0; i < was.meshes.size(); ++i) {
            const model::Mesh& a = was.meshes[i];
            const model::Mesh& b = again.meshes[i];
            ASSERT_EQ(a.morphs.size(), b.morphs.size()) << name;
            morphs += a.morphs.size();
            for (std::size_t c = 0; c < a.morphs.size(); ++c) {
                EXPECT_EQ(a.morphs[c].name, b.morphs[c].name) << name;
                EXPECT_EQ(a.morphs[c].shapes[0].points.size(), b.morphs[c].shapes[0].points.size()) << name << " " << a.morphs[c].name;
            }
        }
        for (std::size_t c = 0; c < was.clips.size(); ++c) {
            EXPECT_EQ(was.clips[c].morph_tracks.size(), again.clips[c].morph_tracks.size()) << name;
            tracks += was.clips[c].morph_tracks.size();
        }
    }
    EXPECT_GT(morphs, 0u);
    RecordProperty("morphs", std::to_string(morphs));
    RecordProperty("tracks", std::to_string(tracks));
}

// A strip with one channel of two shapes: the first half way lifts one point, the second another.
model::Model morphed(double first, double second) {
    model::Model m = strip(1, 1, 1);
    model::MorphChannel& channel = m.meshes[0].morphs.emplace_back();
    channel.name = "Jaw";
    channel.shapes.resize(second > 0 ? 2 : 1);
    for (std::size_t s = 0; s < channel.shapes.size(); ++s) {
        channel.shapes[s].name = s == 0 ? "half" : "full";
        channel.shapes[s].weight = s == 0 ? first : second;
        channel.shapes[s].points.push_back(static_cast<std::uint32_t>(s + 1));
        channel.shapes[s].offsets.push_back({0, 1, 2});
    }
    model::Clip& clip = m.clips.emplace_back();
    clip.name = "Talk";
    clip.duration = 2;
    clip.morph_tracks.push_back({model::MeshId{0}, 0, {{0, 0, false}, {1, 1, false}, {2, 0, false}}});
    return m;
}

// covers MV1-WRITE-21, MV1-WRITE-22
TEST(Export, MorphsBecomeShapesOfTheirFrame) {
    Document d;
    const model::Model again = there_and_back(morphed(1, 0), "jaw.mv1", &d);
    ASSERT_EQ(d.shapes.size(), 1u);
    EXPECT_EQ(text(d, d.shapes[0].name), "Jaw");
    EXPECT_EQ(d.meshes[0].shape, 1);
    ASSERT_EQ(d.shape_vertices.size(), 1u);
    EXPECT_EQ(d.shape_vertices[0].target_vertex, 1);
    EXPECT_EQ(d.shape_vertices[0].position, (std::array<float, 3>{0, 100, -200}));   // centimetres, facing -Z
    EXPECT_EQ(d.shape_vertices[0].normal, (std::array<float, 3>{0, 0, 0}));
    ASSERT_EQ(again.clips[0].morph_tracks.size(), 1u);
    ASSERT_EQ(again.clips[0].morph_tracks[0].keys.size(), 3u);
    EXPECT_EQ(again.clips[0].morph_tracks[0].keys[1].value, 1);
    EXPECT_EQ(again.meshes[0].morphs[0].shapes[0].offsets[0], (Vec3{0, 1, 2}));
}

// covers MV1-WRITE-22
TEST(Export, AWeightThatNothingAnimatesIsAKeyOfEveryClip) {
    model::Model m = morphed(1, 0);
    m.meshes[0].morphs[0].default_weight = 0.25;
    m.clips.push_back(m.clips[0]);
    m.clips[1].name = "Still";
    m.clips[1].morph_tracks.clear();
    m.meshes[0].morphs.emplace_back().default_weight = 0.5;   // no shape, nothing to lose
    m.meshes.push_back(m.meshes[0]);                          // drawn nowhere
    core::Report report;
    ASSERT_TRUE(export_model(m, in_centimetres(), report));
    EXPECT_EQ(loss_of(report, "weights of blend shapes without a clip"), 1u);
    const model::Model again = there_and_back(m, "rest.mv1");
    ASSERT_EQ(again.clips[1].morph_tracks.size(), 1u);
    ASSERT_EQ(again.clips[1].morph_tracks[0].keys.size(), 1u);
    EXPECT_EQ(again.clips[1].morph_tracks[0].keys[0].value, 0.25);
    EXPECT_EQ(again.clips[0].morph_tracks[0].keys.size(), 3u);
}

// covers MV1-WRITE-22
TEST(Export, InBetweensBecomeShapesOfTheirOwn) {
    const model::Model again = there_and_back(morphed(0.5, 1), "jaw.mv1");
    ASSERT_EQ(again.meshes[0].morphs.size(), 2u);
    EXPECT_EQ(again.meshes[0].morphs[0].name, "half");
    EXPECT_EQ(again.meshes[0].morphs[1].name, "full");
    const auto weight = [&](std::size_t channel, double time) { return value_at(again.clips[0].morph_tracks[channel].keys, time, 0.0); };
    for (const auto& [time, half, full] : {std::tuple{0.25, 0.5, 0.0}, {0.5, 1.0, 0.0}, {0.75, 0.5, 0.5}, {1.0, 0.0, 1.0}, {1.75, 0.5, 0.0}}) {
        EXPECT_NEAR(weight(0, time), half, 1e-6) << time;
        EXPECT_NEAR(weight(1, time), full, 1e-6) << time;
    }
}

// covers MV1-WRITE-8, MV1-WRITE-21
TEST(Export, MeshesOfOneNodeShareItsFrameAndItsShapes) {
    model::Model m = morphed(1, 0);
    m.meshes.push_back(m.meshes[0]);
    m.meshes[1].skin.reset();                       // one moves with the node, one with its bones
    m.meshes[1].morphs[0].shapes[0].offsets[0] = {3, 0, 0};
    m.nodes[0].rest.translation = {5, 0, 0};
    m.instances.push_back(m.instances[0]);
    m.instances[1].mesh = model::MeshId{1};
    m.instances[1].geometry_to_node.m[13] = 7;
    Document d;
    const model::Model again = there_and_back(m, "two.mv1", &d);
    ASSERT_EQ(d.frames.size(), 1u);
    EXPECT_EQ(d.meshes.size(), 2u);
    EXPECT_EQ(d.lists[0].vertex_type, 1);
    EXPECT_EQ(d.lists[1].vertex_type, 0);
    ASSERT_EQ(d.shapes.size(), 1u);                 // one name, two meshes
    EXPECT_EQ(d.shape_meshes.size(), 2u);
    ASSERT_EQ(again.meshes.size(), 2u);
    EXPECT_LT(largest_difference(corners(m, nullptr, 0), corners(again, nullptr, 0)), 1e-5);
    EXPECT_LT(apart(again.meshes[1].morphs[0].shapes[0].offsets[0], {3, 0, 0}), 1e-6);
}

// covers MV1-WRITE-16
TEST(Write, FacingUnitAndRateAreAsAsked) {
    model::Model m = strip(1, 1, 1);
    m.nodes[0].rest.translation = {1, 2, 3};
    m.clips.emplace_back().name = "Go";
    m.clips[0].duration = 2;
    m.clips[0].tracks.emplace_back().node = model::NodeId{0};
    m.clips[0].tracks[0].translation = {{0, {1, 2, 3}, false}, {0.5, {4, 5, 6}, false}};
    m.source.unit_meters = 0.5;
    const auto frame = [&](const codec::WriteOptions& options) {
        core::Report report;
        const auto d = decode(written(m, options, report), "x.mv1", {});
        EXPECT_TRUE(d);
        Keys keys;
        EXPECT_TRUE(d && read_key_block(d->key_sets[0], d->key_sets[0].blob, &keys));
        return std::tuple(d->frames[0].translate, d->anim_sets[0].max_time, keys.times.back());
    };
    using Three = std::array<float, 3>;
    codec::WriteOptions o;
    EXPECT_EQ(frame(o), std::tuple(Three{-2, 4, -6}, 60.f, 15.0));
    o.format["--facing"] = "+z";
    EXPECT_EQ(frame(o), std::tuple(Three{2, 4, 6}, 60.f, 15.0));
    o.format["--mv1-fps"] = "60";
    o.format["--out-unit"] = "metres";
    EXPECT_EQ(frame(o), std::tuple(Three{1, 2, 3}, 120.f, 30.0));
    o.format["--out-unit"] = "source";
    m.source.unit_meters = 0;
    EXPECT_EQ(frame(o), std::tuple(Three{1, 2, 3}, 120.f, 30.0));   // a metre where the source has no unit
}

// The number in a finding "... the largest error is N".
double told_error(const core::Report& report, const std::string& what) {
    for (const core::Issue& issue : report.issues()) {
        if (issue.id == core::IssueId::MV1_PACKED && issue.text.starts_with(what + " as ")) {
            return std::stod(issue.text.substr(issue.text.rfind(" is ") + 4));
        }
    }
    return -1;
}

// covers MV1-WRITE-23
TEST(Write, PackedModelsStandWithinTheErrorsThatAreTold) {
    // Six bones in a chain, a seventh of a turn each; every point follows three of them.
    model::Model m = strip(40, 6, 3);
    for (std::uint32_t i = 0; i < m.meshes[0].skin->influences.size(); ++i) {
        m.meshes[0].skin->influences[i].weight = 1.0 / (2 + i % 3);
    }
    model::Clip& clip = m.clips.emplace_back();
    clip.name = "Curl";
    clip.duration = 1;
    for (std::uint32_t b = 0; b < 6; ++b) {
        m.nodes[b].parent = b == 0 ? model::NodeId{} : model::NodeId{b - 1};
        model::Track& track = clip.tracks.emplace_back();
        track.node = model::NodeId{b};
        track.translation = {{0, {0.3, 0.1, 0}, false}, {0.5, {0.31, -0.2, 0.05}, false}, {1, {0.3, 0.1, 0}, false}};
        track.rotation = {{0, {}, false}, {0.5, normalized(Quat{0.1, 0.4, -0.2, 1}), false}, {1, {}, false}};
        track.scale = {{0, {1, 1, 1}, false}, {1, {1.1, 1.1, 1.1}, false}};
    }
    for (Vec3& p : m.meshes[0].points) {
        p.x *= 0.9137;
    }
    codec::WriteOptions how = in_centimetres();
    how.format.insert({{"--mv1-normals", "s8"}, {"--mv1-positions", "u16"}, {"--mv1-weights", "u8"}, {"--mv1-anim", "u16"}});
    core::Report report;
    Document d;
    const model::Model again = there_and_back(m, "packed.mv1", &d, how, &report);
    EXPECT_EQ(d.frames[0].vert_flag & 0x27, 1 | 0x04);
    EXPECT_EQ(d.key_sets[0].flag & 0x108, 0x108);
    const double position = told_error(report, "positions");
    const double weight = told_error(report, "weights");
    const double translation = told_error(report, "translations of keys");
    const double rotation = told_error(report, "rotations of keys") / 57.3;
    const double scale = told_error(report, "scales of keys");
    EXPECT_GT(position, 0);
    EXPECT_LT(position, 0.5 * 40 / 60000 * 1.01);    // half a step of a box of 40 m, and less in the other directions
    EXPECT_GT(weight, 0);
    EXPECT_LE(weight, 2.0 / 255);
    EXPECT_GT(told_error(report, "normals"), -1);
    EXPECT_LT(rotation, 2e-4);
    const double size = 42;
    const double bound = position + 3 * weight * size + 6 * (translation + size * (rotation + scale));
    double worst = 0;
    for (const double t : {0.0, 0.25, 0.5, 0.9}) {
        worst = std::fmax(worst, largest_difference(corners(m, &m.clips[0], t), corners(again, &again.clips[0], t)));
    }
    EXPECT_LT(worst, bound);
    EXPECT_GT(worst, 1e-5);
    core::Report plain;
    there_and_back(m, "plain.mv1", nullptr, in_centimetres(), &plain);
    EXPECT_FALSE(plain.has(core::IssueId::MV1_PACKED));
}

// covers MV1-WRITE-24
TEST(Write, MaterialsGiveNoLightWhereThatIsAsked) {
    model::Model m = strip(1, 1, 1);
    m.materials.emplace_back().emissive = {1, 0.5, 0.25};
    m.instances[0].materials[0] = model::MaterialId{0};
    core::Report report;
    codec::WriteOptions o;
    EXPECT_EQ(decode(written(m, o, report), "x.mv1", {})->materials[0].emissive, (std::array<float, 4>{1, 0.5f, 0.25f, 1}));
    o.format["--emissive-zero"] = codec::kOn;
    EXPECT_EQ(decode(written(m, o, report), "x.mv1", {})->materials[0].emissive, (std::array<float, 4>{0, 0, 0, 1}));
}

// covers MV1-WRITE-17
TEST(Write, WithoutMeshesTheFileHasTheFramesAndNoMeshPart) {
    model::Model m = strip(2, 3, 1);
    m.clips.emplace_back().name = "Go";
    m.clips[0].duration = 1;
    m.clips[0].tracks.emplace_back().node = model::NodeId{1};
    m.clips[0].tracks[0].translation = {{0, {1, 2, 3}, false}};
    core::Report report;
    const auto whole = decode(written(m, {}, report), "x.mv1", {});
    m.meshes.clear();
    m.instances.clear();
    const auto motion = decode(written(m, {}, report), "x.mv1", {});
    ASSERT_TRUE(whole && motion);
    ASSERT_EQ(motion->frames.size(), whole->frames.size());
    for (std::size_t i = 0; i < whole->frames.size(); ++i) {
        EXPECT_EQ(text(*motion, motion->frames[i].name), text(*whole, whole->frames[i].name));
    }
    EXPECT_EQ(motion->header.vertex_data, 0u);
    EXPECT_TRUE(motion->materials.empty());
    EXPECT_EQ(motion->anims[0].target_frame, whole->anims[0].target_frame);
    m.clips.clear();
    m = strip(2, 3, 1);
    const auto mesh = decode(written(m, {}, report), "x.mv1", {});
    EXPECT_EQ(mesh->header.anim_unit_size, 0);
}

// covers MV1-WRITE-18
TEST(Write, PointsWithoutABoneFollowTheirOwnFrame) {
    model::Model m = strip(2, 2, 1);
    m.nodes[0].rest.translation = {5, 0, 0};
    m.instances[0].node = model::NodeId{1};
    m.nodes[1].rest.translation = {0, 7, 0};
    m.instances[0].geometry_to_node.m[14] = 2;
    for (std::uint32_t i = 0; i < 4; ++i) {
        m.meshes[0].skin->influences[i].weight = 0;
    }
    const model::Model again = there_and_back(m, "loose.mv1");
    const std::vector<Vec3> found = corners(again, nullptr, 0);
    ASSERT_EQ(found.size(), 12u);
    EXPECT_LT(apart(found[0], {0, 7, 2}), 1e-6);      // with the mesh
    EXPECT_LT(apart(found[6], {1, 7, 0}), 1e-6);      // with bone 1, whose matrix leaves points where they are
    EXPECT_EQ(again.instances[0].geometry_to_node, model::Mat4{});
}

TEST(Write, WhatIsDoubtfulAboutAMeshIsTold) {
    model::Model m = strip(2, 2, 1);
    m.instances[0].name = "Skirt";
    m.instances[0].node = model::NodeId{1};
    for (std::uint32_t i = 0; i < 3; ++i) {
        m.meshes[0].skin->influences[i].weight = 0;
    }
    const Vec3 crossing[] = {{0, 0, 0}, {3, 3, 0}, {3, 0, 0}, {0, 3, 0}, {-5, 0, 0}};
    std::copy(std::begin(crossing), std::end(crossing), m.meshes[0].points.begin());
    m.meshes[0].corner_point = {0, 1, 2, 3, 4};
    m.meshes[0].polygon_first = {0, 5};
    m.meshes[0].polygon_material = {0};
    m.meshes[0].normals = {};
    model::MeshInstance empty;
    empty.name = "Nothing";
    empty.mesh = model::MeshId{1};
    m.instances.push_back(empty);
    m.meshes.emplace_back().polygon_first = {0};
    core::Report report;
    const auto d = decode(written(m, {}, report), "x.mv1", {});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->meshes.size(), 1u);
    std::string told;
    for (const core::Issue& issue : report.issues()) {
        told += core::to_string(issue) + "\n";
    }
    for (const char* part : {"MESH_UNWEIGHTED: Skirt: 3 points have no usable bone weight; they were bound to 'b1'", "MESH_BAD_POLYGON: Skirt: 1 ",
                             "MESH_NORMALS_GENERATED: Skirt", "MESH_EMPTY: Nothing"}) {
        EXPECT_NE(told.find(part), std::string::npos) << part << "\n" << told;
    }
}

TEST(Write, RefusesMotionsWithoutASkeletonAndKeysOfAnotherOne) {
    model::Model m = strip(1, 1, 1);
    m.clips.emplace_back().final_keys = true;
    core::Report report;
    auto no = make_codec().write(model::Model(m), {}, report);
    ASSERT_FALSE(no);
    EXPECT_EQ(no.error().code, core::Code::Unsupported);
    m.gom.emplace();
    EXPECT_TRUE(make_codec().write(model::Model(m), {}, report));
    m.mta.emplace();
    EXPECT_FALSE(make_codec().write(std::move(m), {}, report));
}

// covers MV1-WRITE-19
TEST(Write, EqualValuesOfAPositionAreToldOnce) {
    Document d;
    there_and_back(strip(3, 1, 1), "strip.mv1", &d);   // two triangles a square, normals made for each corner
    EXPECT_EQ(d.frames[0].normal_num, 12);
    EXPECT_EQ(d.meshes[0].vertex_num, 12);
    EXPECT_EQ(d.lists[0].index_num, 18);
}

// covers MV1-WRITE-20
TEST(Write, AFileThatDxLibWouldStumbleOverIsNotGivenAway) {
    core::Report report;
    test::Sample sample = test::make_sample();
    EXPECT_TRUE(prove(encode(sample.doc), {}, report));
    --sample.doc.header.mesh_normal_num;
    const auto proof = prove(encode(sample.doc), {}, report);
    ASSERT_FALSE(proof);
    EXPECT_EQ(proof.error().code, core::Code::InvalidOutput);
    EXPECT_NE(proof.error().what.find("MV1_COUNTER"), std::string::npos) << proof.error().what;
    core::Limits small;
    small.max_nodes = 1;
    const auto limit = prove(encode(test::make_sample().doc), small, report);
    ASSERT_FALSE(limit);
    EXPECT_EQ(limit.error().code, core::Code::LimitExceeded);
}

// covers MV1-WRITE-3
TEST(Write, RefusesWhatTheLoaderWouldNeedMoreMemoryForThanItCanCount) {
    // One point of 30,000 bones makes room for as many weights at each of 10,000 points.
    model::Model m = strip(2500, 30'000, 1);
    model::Skin& skin = *m.meshes[0].skin;
    std::vector<model::Influence> many;
    for (std::uint32_t b = 0; b < 30'000; ++b) {
        many.push_back({b, 1.0 / 30'000});
    }
    skin.influences[0].weight = 0;
    skin.influences.insert(skin.influences.begin() + 1, many.begin(), many.end());
    for (std::size_t p = 1; p < skin.first.size(); ++p) {
        skin.first[p] += 30'000;
    }
    core::Report report;
    const auto d = export_model(m, {}, report);
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, core::Code::LimitExceeded);
    EXPECT_EQ(d.error().found, std::to_string(10'000ull * (12 + 8 * 30'000)) + " bytes");
}

// Whatever a byte of a file becomes: what is still read can be written, and passes its proof.
TEST(Write, WhatIsReadCanBeWritten) {
    const core::Bytes buffer = test::sample_buffer([](Document&) {});
    codec::WriteOptions options;
    options.format["--facing"] = "+z";   // not the file as it was
    std::size_t count = 0;
    for (std::size_t i = 4; i < buffer.size(); ++i) {
        for (const int v : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
            core::Bytes changed = buffer;
            changed[i] = static_cast<std::byte>(v);
            const auto d = decode_buffer(changed, {});
            core::Report report;
            auto m = d ? import(*d, {}, report) : core::Result<model::Model>(model::Model{});
            if (!d || !m) {
                continue;
            }
            m->mv1->buffer = changed;
            const auto out = make_codec().write(std::move(*m), options, report);
            EXPECT_TRUE(out || out.error().code != core::Code::InvalidOutput) << i << ", " << v << ": " << core::to_string(out.error());
            count += out ? 1u : 0u;
        }
    }
    EXPECT_GT(count, 5000u);
}

TEST(Write, ManyFramesTakeNoTimeAndNumbersThatAreNoneAreTold) {
    model::Model m = strip(1, 10000, 1);
    for (std::uint32_t b = 1; b < 2000; ++b) {
        m.nodes[b].parent = model::NodeId{b - 1};   // a deep chain, and many roots beside it
    }
    core::Report report("m.fbx");
    written(m, {}, report);
    EXPECT_FALSE(report.has(core::IssueId::MV1_NOT_FINITE));
    m = strip(1, 1, 1);
    m.meshes[0].points[0].x = std::numeric_limits<double>::quiet_NaN();
    written(m, {}, report);
    ASSERT_TRUE(report.has(core::IssueId::MV1_NOT_FINITE));
    EXPECT_EQ(report.issues()[0].place.file, "m.fbx");
}

// covers MV1-WRITE-25: a frame has one light, and a file point, spot and directional ones: as DxLib's import of FBX writes them.
TEST(Write, LightsAreThoseOfDxLibsOwnImport) {
    model::Model m = strip(1, 4, 1);
    const auto light = [&](std::uint32_t node, model::LightKind kind) -> model::Light& {
        model::Light& out = m.lights.emplace_back();
        out.name = "L" + std::to_string(m.lights.size());
        out.node = {node};
        out.kind = kind;
        return out;
    };
    light(0, model::LightKind::Point);
    model::Light& spot = light(1, model::LightKind::Spot);
    spot.color = {1, 0.5, 0.25};
    spot.intensity = 2;   // 200 in FBX
    spot.inner_angle = 30;
    spot.outer_angle = 45;
    light(1, model::LightKind::Point);
    light(2, model::LightKind::Directional);
    light(3, model::LightKind::Area);
    light(3, model::LightKind::Point).lit = false;
    m.cameras.emplace_back().node = {0};
    m.nodes[0].properties = {{"hp", "integer", std::int64_t{1}}, {"tag", "string", std::string("x")}};
    core::Report report;
    const auto d = export_model(m, {}, report);
    ASSERT_TRUE(d);
    ASSERT_EQ(d->lights.size(), 3u);
    const Light& l = d->lights[1];
    EXPECT_EQ(text(*d, l.name), "L2");
    EXPECT_EQ(text(*d, d->frames[static_cast<std::size_t>(l.frame_index)].name), m.nodes[1].name);
    EXPECT_EQ(l.type, 1);
    EXPECT_EQ(l.diffuse, (std::array<float, 4>{1, 0.5f, 0.25f, 0}));
    EXPECT_EQ(l.range, 20);
    EXPECT_EQ(l.falloff, 0.1f);
    EXPECT_EQ(l.attenuation0, 1);
    EXPECT_EQ(l.attenuation1, 0);
    EXPECT_EQ(l.theta, 30);
    EXPECT_EQ(l.phi, 45);
    EXPECT_EQ(d->lights[2].type, 2);
    EXPECT_EQ(loss_of(report, "area and volume lights"), 1u);
    EXPECT_EQ(loss_of(report, "lights beyond the first of a frame"), 1u);
    EXPECT_EQ(loss_of(report, "lights that are off"), 1u);
    EXPECT_EQ(loss_of(report, "cameras"), 1u);
    EXPECT_EQ(loss_of(report, "user properties"), 2u);
    // The finished file passes its proof, and keeps them when it is read.
    core::Report again;
    const auto file = make_codec().write(std::move(m), {}, again);
    ASSERT_TRUE(file) << core::to_string(file.error());
    const model::Model back = read_of(*file);
    ASSERT_FALSE(back.mv1->held.empty());
    EXPECT_EQ(back.mv1->held.front(), (model::HeldContent{"lights", 3}));
}

TEST(Write, ClipsAloneHaveNoLights) {
    model::Model m = strip(1, 2, 1);
    m.meshes.clear();
    m.instances.clear();
    m.clips.emplace_back().name = "Walk";
    m.lights.emplace_back().node = {0};
    core::Report report;
    const auto d = export_model(m, {}, report);
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->lights.empty());
    EXPECT_EQ(loss_of(report, "lights"), 1u);
}

}  // namespace
}  // namespace gomkit::mv1
