#include "export.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "check.hpp"
#include "decode.hpp"
#include "encode.hpp"
#include "import.hpp"
#include "loader_model.hpp"
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

// Exported, found good by everybody, and read again.
model::Model there_and_back(const model::Model& m, const std::string& name, Document* kept = nullptr) {
    core::Report report;
    auto d = export_model(m, report);
    EXPECT_TRUE(d) << name;
    const core::Bytes file = encode(*d);
    codec::CheckOptions options;
    options.canonical = true;
    core::Report findings;
    check(file, name, options, findings);
    for (const core::Issue& issue : findings.issues()) {
        ADD_FAILURE() << core::to_string(issue);
    }
    EXPECT_EQ(test::load_as_dxlib(encode_buffer(*d)), "") << name;
    auto again = decode(file, name, {});
    EXPECT_TRUE(again) << name << ": " << core::to_string(again.error());
    if (kept != nullptr) {
        *kept = *again;
    }
    return import_of(*again);
}

double apart(const Vec3& a, const Vec3& b) { return length(a - b); }

Vec3 value_at(const std::vector<model::Key<Vec3>>& keys, double t, const Vec3& rest) {
    if (keys.empty()) {
        return rest;
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].time > t) {
            const double u = keys[i].time > keys[i - 1].time ? (t - keys[i - 1].time) / (keys[i].time - keys[i - 1].time) : 1;
            return lerp(keys[i - 1].value, keys[i].value, std::fmax(u, 0.0));
        }
    }
    return keys.back().value;
}
Quat value_at(const std::vector<model::Key<Quat>>& keys, double t, const Quat& rest) {
    if (keys.empty()) {
        return rest;
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].time > t) {
            const double u = keys[i].time > keys[i - 1].time ? (t - keys[i - 1].time) / (keys[i].time - keys[i - 1].time) : 1;
            return runtime::slerp(keys[i - 1].value, keys[i].value, std::fmax(u, 0.0));
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
    ASSERT_EQ(again.nodes.size(), 3u);   // the unskinned mesh has a frame of its own beside the skinned one
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
    EXPECT_EQ(encode(*export_model(m, report)), encode(*export_model(m, report)));
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

}  // namespace
}  // namespace gomkit::mv1
