// covers GOM-EXT-3, GOM-OLD-6, GOM-SKEL-8
#include <gomkit/gom/gom.hpp>

#include "import.hpp"
#include "prove.hpp"
#include "sample.hpp"
#include "source_dir.hpp"

namespace gomkit::gom {
namespace {

using namespace test;

const codec::Codec kCodec = make_codec();

core::Result<model::Model> read(std::span<const std::byte> bytes, bool strict = false, core::Report* report = nullptr) {
    core::Report unused;
    codec::ReadOptions options;
    options.strict = strict;
    return kCodec.read(bytes, "a.gom", options, report != nullptr ? *report : unused);
}

TEST(Codec, Probes) {
    const core::Bytes bytes = encode(sample());
    EXPECT_TRUE(kCodec.probe(bytes, ""));
    EXPECT_FALSE(kCodec.probe(std::span(bytes).first(7), "a.gom"));
    EXPECT_FALSE(kCodec.probe({}, "a.gom"));
    EXPECT_STREQ(kCodec.id, "gom");
}

TEST(Import, KeepsEveryStoredNumber) {
    Document d = sample();
    d.bones[1].bind_local.m[5] = 1.0000001f;
    core::Report report;
    Document copy = d;
    const auto m = import(std::move(copy), "a.gom", report);
    ASSERT_TRUE(m.has_value());
    ASSERT_EQ(m->nodes.size(), 2u);
    EXPECT_TRUE(m->nodes[1].bone);
    EXPECT_EQ(m->nodes[1].parent.value, 0u);
    EXPECT_EQ(m->nodes[1].stored_path, "Root/Tip");
    EXPECT_EQ(m->nodes[1].bind_local.m[5], static_cast<double>(1.0000001f));
    ASSERT_EQ(m->meshes.size(), 2u);
    const model::Mesh& quad = m->meshes[0];
    EXPECT_TRUE(quad.final_vertices);
    EXPECT_EQ(quad.points.size(), 4u);
    EXPECT_EQ(quad.polygon_count(), 2u);
    EXPECT_EQ(quad.normals.corner_index, quad.corner_point);
    ASSERT_TRUE(quad.skin.has_value());
    EXPECT_EQ(quad.skin->clusters.size(), 2u);
    EXPECT_EQ(quad.skin->influences.size(), 16u);
    EXPECT_EQ(quad.skin->influences[0].cluster, 1u);
    EXPECT_EQ(quad.skin->influences[0].weight, 0.75);
    EXPECT_EQ(quad.polygon_material, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_FALSE(m->meshes[1].skin.has_value());
    ASSERT_EQ(m->instances.size(), 2u);
    EXPECT_FALSE(m->instances[1].node.valid());
    EXPECT_EQ(m->instances[1].geometry_to_node.m[13], 3.0);
    EXPECT_EQ(m->instances[1].materials.size(), 1u);
    EXPECT_EQ(m->instances[1].materials[0].value, 1u);
    ASSERT_EQ(m->textures.size(), 1u);
    EXPECT_EQ(m->textures[0].path, "tex/body.png");
    ASSERT_EQ(m->clips.size(), 2u);
    EXPECT_EQ(m->clips[1].tracks[1].rotation[1].value.w, static_cast<double>(0.8f));
    ASSERT_TRUE(m->gom.has_value());
    EXPECT_EQ(m->gom->converter_version, "test 1");
    EXPECT_EQ(m->source.hash[0], 0xAB);
}

TEST(Import, PutsParentsFirst) {
    Document d;
    d.bones = {Bone{2, "z", "R/x/z", {}}, Bone{-1, "R", "R", {}}, Bone{1, "x", "R/x", {}}};
    core::Report report;
    const auto m = import(std::move(d), "a.gom", report);
    ASSERT_TRUE(m.has_value());
    ASSERT_EQ(m->nodes.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(!m->nodes[i].parent.valid() || m->nodes[i].parent.value < i);
    }
    EXPECT_EQ(m->nodes[2].name, "z");
}

// The whole way there and back gives the same bytes, for canonical files of every kind.
TEST(Codec, CanonicalFilesAreReproduced) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        Document d = random_document(seed);
        canonicalise(d);
        d.validation_flags = compute_validation_flags(d) & static_cast<std::uint32_t>(seed);
        const core::Bytes bytes = encode(d);
        auto m = read(bytes, true);
        ASSERT_TRUE(m.has_value()) << core::to_string(m.error());
        core::Report report;
        const auto again = kCodec.write(std::move(*m), {}, report);
        ASSERT_TRUE(again.has_value()) << core::to_string(again.error());
        EXPECT_TRUE(*again == bytes);
        for (const core::Issue& i : report.issues()) {
            ADD_FAILURE() << core::to_string(i);
        }
    }
}

TEST(Codec, FalseClaimsAreDroppedWithAWarning) {
    Document d = sample();
    d.parts[0].inverse_bind[1].m[13] = -2;
    canonicalise(d);
    d.validation_flags = 63;
    auto m = read(encode(d));
    ASSERT_TRUE(m.has_value());
    core::Report report;
    const auto bytes = kCodec.write(std::move(*m), {}, report);
    ASSERT_TRUE(bytes.has_value()) << core::to_string(bytes.error());
    EXPECT_TRUE(report.has(core::IssueId::GOM_FLAG_DROPPED));
    std::uint32_t flags = 0;
    std::memcpy(&flags, bytes->data() + 60, 4);
    EXPECT_EQ(flags, 62u);
}

// covers GOM-LIMIT-1
TEST(Codec, RefusesToWriteMoreThanTheLimit) {
    for (const auto& [target, cure] : {std::pair{make_codec(), "split the model"}, std::pair{make_motion_codec(), "write fewer clips to one file"}}) {
        SCOPED_TRACE(target.id);
        const auto write = [&codec = target](std::uint64_t most) {
            codec::WriteOptions options;
            options.limits.max_file_bytes = most;
            core::Report report;
            return codec.write(std::move(*read(encode(sample()))), options, report);
        };
        const auto whole = write(1u << 20);
        ASSERT_TRUE(whole.has_value());
        EXPECT_TRUE(write(whole->size()).has_value());
        const auto refused = write(whole->size() - 1);
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, core::Code::LimitExceeded);
        EXPECT_EQ(refused.error().found, std::to_string(whole->size()));
        EXPECT_EQ(refused.error().cure, cure);
    }
}

TEST(Codec, StrictRefusesTheEarlierGeneration) {
    auto bytes = core::read_file(source_dir() + "/tests/conformance/gom/lenient/old11_joint_keys.gom", 1u << 20);
    ASSERT_TRUE(bytes.has_value());
    EXPECT_FALSE(read(bytes->bytes(), true).has_value());
    core::Report report;
    auto m = read(bytes->bytes(), false, &report);
    ASSERT_TRUE(m.has_value());
    EXPECT_TRUE(report.has(core::IssueId::GOM_OLD_KEYS));
    EXPECT_EQ(m->clips[1].tracks[0].scale.size(), 3u);
}

TEST(Prove, SaysWhatIsWrong) {
    core::Bytes bytes = encode(sample());
    EXPECT_TRUE(prove(bytes, {}).has_value());
    patch(bytes, chunk_at(bytes, "IB0") + 32, 99u);
    const auto proof = prove(bytes, {});
    ASSERT_FALSE(proof.has_value());
    EXPECT_EQ(proof.error().code, core::Code::InvalidOutput);
    EXPECT_EQ(proof.error().place.part, "MSH0[0].IB0.index[0]");
}

// What only the checker finds counts too, and bytes need not be aligned.
TEST(Prove, UsesTheCheckerAsWell) {
    Document d = sample();
    d.validation_flags = 63;
    d.parts[0].inverse_bind[1].m[13] = -2;
    core::Bytes shifted = encode(d);
    shifted.insert(shifted.begin(), std::byte{0});
    const auto proof = prove(std::span<const std::byte>(shifted).subspan(1), {});
    ASSERT_FALSE(proof.has_value());
    EXPECT_NE(proof.error().what.find("GOM_FLAG_FALSE"), std::string::npos);
}

TEST(Prove, LimitsStayLimits) {
    core::Limits limits;
    limits.max_vertices = 6;
    const auto proof = prove(encode(sample()), limits);
    ASSERT_FALSE(proof.has_value());
    EXPECT_EQ(proof.error().code, core::Code::LimitExceeded);
}

}  // namespace
}  // namespace gomkit::gom
