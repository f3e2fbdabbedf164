// covers GOM-STR0-7, GOM-STR0-9, GOM-BND0-4, GOM-TABLE-8, GOM-CHUNK-15
#include "encode.hpp"

#include <initializer_list>

#include "rules.hpp"
#include "sample.hpp"

namespace gomkit::gom {
namespace {

using namespace test;

/// Bytes put together by hand, field by field.
class Hand {
public:
    Hand& u32(std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t v : values) {
            add(&v, 4);
        }
        return *this;
    }
    Hand& u16(std::initializer_list<std::uint16_t> values) {
        for (const std::uint16_t v : values) {
            add(&v, 2);
        }
        return *this;
    }
    Hand& f32(std::initializer_list<float> values) {
        for (const float v : values) {
            add(&v, 4);
        }
        return *this;
    }
    Hand& text(std::string_view s) {
        add(s.data(), s.size());
        return *this;
    }
    Hand& zeros(std::size_t count) {
        bytes.resize(bytes.size() + count);
        return *this;
    }
    core::Bytes bytes;

private:
    void add(const void* data, std::size_t size) {
        const auto* p = static_cast<const std::byte*>(data);
        bytes.insert(bytes.end(), p, p + size);
    }
};

// One triangle on one bone, computed by hand from the page.
TEST(Encode, HandComputedBytes) {
    Document d;
    d.validation_flags = 63;
    d.materials.resize(1);
    d.materials[0].name = "M";
    d.bones = {Bone{-1, "R", "R", {}}};
    d.parts.resize(1);
    d.parts[0].vertices = {vertex(0, 0, 0), vertex(4, 0, 0), vertex(0, 3, 0)};
    d.parts[0].indices = {0, 1, 2};
    d.parts[0].submeshes = {Submesh{0, 0, 3}};
    d.parts[0].inverse_bind = {Matrix{}};
    d.clips.resize(1);
    d.clips[0].name = "C";
    d.clips[0].duration = 1;
    d.clips[0].loop = true;
    d.clips[0].tracks = {Track{0, {}, {QuatKey{0.5f, {0, 0, 0, 1}}}, {}}};

    Hand h;
    h.text("GOMB0001").u32({512, 1, 1, 1}).zeros(32).u32({0xFFFFFFFFu, 63, 1312, 0, 6}).zeros(436);
    ASSERT_EQ(h.bytes.size(), 512u);
    h.text("STR0").u32({22, 1, 0}).u32({3, 0, 2, 4}).text(std::string_view("C\0M\0R\0", 6)).zeros(10);
    h.text("MATL").u32({72, 1, 0}).u32({1, 1, 0}).f32({1, 1, 1, 0.04f, 0.04f, 0.04f, 0, 0, 0, 32, 1});
    h.u32({0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu}).zeros(8);
    h.text("SKEL").u32({80, 1, 0}).u32({1, 0xFFFFFFFFu, 2, 2}).f32({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    ASSERT_EQ(h.bytes.size(), 752u);
    h.text("MSH0").u32({528, 1, 0}).u32({0xFFFFFFFFu, 1, 3, 3, 1, 0, 0, 0});
    h.text("VB0").zeros(1).u32({232, 1, 0}).u32({3, 72, 1, 0});
    for (const auto& p : {std::array<float, 3>{0, 0, 0}, std::array<float, 3>{4, 0, 0}, std::array<float, 3>{0, 3, 0}}) {
        h.f32({p[0], p[1], p[2], 0, 0, -1, 1, 0, 0, -1, 0, 0}).u16({0, 0, 0, 0}).f32({1, 0, 0, 0});
    }
    h.zeros(8);
    h.text("IB0").zeros(1).u32({28, 1, 0}).u32({3, 4, 0, 0, 0, 1, 2}).zeros(4);
    h.text("SUB0").u32({16, 1, 0}).u32({1, 0, 0, 3});
    h.text("IBND").u32({68, 1, 0}).u32({1}).f32({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}).zeros(12);
    h.text("BND0").u32({40, 1, 0}).f32({0, 0, 0, 4, 3, 0, 2, 1.5f, 0, 2.5f}).zeros(8);
    ASSERT_EQ(h.bytes.size(), 752u + 16 + 528 - 0);
    h.text("ANIM").u32({4, 1, 0}).u32({1}).zeros(12);
    ASSERT_EQ(h.bytes.size(), 1328u);
    h.text("CLP0").u32({60, 1, 0}).u32({0}).f32({1}).u32({0xFFFFFFFFu, 1, 2, 1}).u32({0, 0, 1, 0}).f32({0.5f, 0, 0, 0, 1}).zeros(4);
    ASSERT_EQ(h.bytes.size(), 1408u);
    h.text("CTBL").u32({96, 1, 0});
    patch(h.bytes, 64, std::uint64_t{h.bytes.size()});
    h.text("STR0").u32({22, 512, 0}).text("MATL").u32({72, 560, 0}).text("SKEL").u32({80, 656, 0}).text("MSH0").u32({528, 752, 0});
    h.text("ANIM").u32({4, 1296, 0}).text("CLP0").u32({60, 1328, 0});

    const core::Bytes bytes = encode(d);
    ASSERT_EQ(bytes.size(), h.bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        ASSERT_EQ(bytes[i], h.bytes[i]) << "byte " << i;
    }
    EXPECT_TRUE(verifies(bytes));
    EXPECT_TRUE(check_bytes(bytes).issues().empty());
}

TEST(Encode, SizeIsKnownBefore) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Document d = random_document(seed);
        EXPECT_EQ(encoded_size(d), encode(d).size());
    }
}

TEST(Encode, BoundsOfHugeModelsStayFinite) {
    const float most = 3.4e38f;
    const std::vector<Vertex> v = {vertex(-most, -most, -most), vertex(most, most, most)};
    const Bounds b = compute_bounds(v);
    EXPECT_EQ(b.center[0], 0.0f);
    EXPECT_EQ(b.radius, std::numeric_limits<float>::max());
}

// law: encode(decode(x)) == x for canonical x, and what decode gives is what was encoded.
TEST(Encode, RandomDocumentsRoundTrip) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        Document d = random_document(seed);
        canonicalise(d);
        d.validation_flags = compute_validation_flags(d);
        const core::Bytes bytes = encode(d);
        const core::Report report = check_bytes(bytes);
        for (const core::Issue& i : report.issues()) {
            EXPECT_TRUE(i.severity == core::Severity::Warning || i.id == core::IssueId::GOM_BONE_SUFFIX) << core::to_string(i);
        }
        EXPECT_TRUE(verifies(bytes));
        auto back = decode_bytes(bytes);
        ASSERT_TRUE(back.has_value()) << core::to_string(back.error());
        EXPECT_EQ(encode(*back), bytes);
        canonicalise(*back);
        EXPECT_EQ(encode(*back), bytes);
    }
}

}  // namespace
}  // namespace gomkit::gom
