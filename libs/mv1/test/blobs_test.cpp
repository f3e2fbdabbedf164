#include "blobs.hpp"

#include <gtest/gtest.h>

#include <gomkit/core/reader.hpp>

namespace gomkit::mv1 {
namespace {

constexpr double kPi = 3.14159265358979323846;

// covers MV1-BLOCK-1, MV1-FRAME-1, MV1-FRAME-2
TEST(FrameBlob, SixteenBitPositionsGoTo60000) {
    Frame f;
    f.position_num = 2;
    f.vert_flag = 0x04 | 0x08;
    core::Writer w;
    for (const float v : {-10.f, 20.f, 0.f, 0.f, 5.f, 60.f}) {
        w.f32(v);
    }
    for (const int q : {0, 0, 0, 60000, 60000, 30000}) {
        w.u16(static_cast<std::uint16_t>(q));
    }
    FrameVertices v;
    const auto size = read_frame_blob(f, w.bytes(), &v);
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, 36u);
    EXPECT_EQ(v.positions[0], (std::array<double, 3>{-10, 0, 5}));
    EXPECT_EQ(v.positions[1], (std::array<double, 3>{10, 0, 35}));
    EXPECT_EQ(v.over_60000, 0u);
}

// covers MV1-FRAME-3, MV1-FRAME-4
TEST(FrameBlob, WeightListsEndWithTheMarkOrWhenFull) {
    Frame f;
    f.position_num = 3;
    f.max_bone_blend_num = 4;
    f.normal_num = 1;
    f.vert_flag = 1 | 0x40;   // bytes for weights and bones; s8 normals with tangents
    core::Writer w;
    w.zeros(36);
    for (const int b : {7, 51, 8, 102, 255, /* none */ 255, /* full */ 1, 10, 2, 20, 3, 30, 4, 40}) {
        w.put(static_cast<std::uint8_t>(b));
    }
    for (const int n : {127, 0, -127, 0, 127, 0, 0, 0, -127}) {
        w.put(static_cast<std::int8_t>(n));
    }
    FrameVertices v;
    const auto size = read_frame_blob(f, w.bytes(), &v);
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, w.size());
    EXPECT_EQ(v.weight_first, (std::vector<std::uint32_t>{0, 2, 2, 6}));
    EXPECT_EQ(v.weights[1].slot, 8);
    EXPECT_DOUBLE_EQ(v.weights[0].weight, 0.2);
    EXPECT_EQ(v.normals[0], (std::array<double, 3>{1, 0, -1}));
    EXPECT_EQ(v.tangents[0], (std::array<double, 3>{0, 1, 0}));
    EXPECT_EQ(v.binormals[0], (std::array<double, 3>{0, 0, -1}));
    for (std::size_t n = 0; n < w.size(); ++n) {
        EXPECT_FALSE(read_frame_blob(f, std::span(w.bytes()).first(n), nullptr)) << n;
    }
}

TEST(FrameBlob, WideBonesAndWeights) {
    Frame f;
    f.position_num = 1;
    f.max_bone_blend_num = 4;
    f.vert_flag = 0x10 | 0x20;
    core::Writer w;
    w.zeros(12);
    w.u16(300);
    w.u16(65535);
    w.u16(0xFFFF);
    FrameVertices v;
    const auto size = read_frame_blob(f, w.bytes(), &v);
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, 18u);
    EXPECT_EQ(v.weights[0].slot, 300);
    EXPECT_DOUBLE_EQ(v.weights[0].weight, 1.0);
    EXPECT_TRUE(v.normals.empty());
}

// covers MV1-BLOCK-2, MV1-MESH-1, MV1-MESH-2, MV1-MESH-3
TEST(MeshBlob, ReadsColoursUvSetsAndOutlineBits) {
    Mesh m;
    m.vertex_num = 9;
    m.uv_set_num = 2;
    m.vert_flag = 2 | 1 << 2 | 0x10 | 0x40;   // 16-bit positions, 8-bit normals, 16-bit UVs, outline bits, a colour each
    core::Writer w;
    for (int i = 0; i < 9; ++i) {
        w.u16(static_cast<std::uint16_t>(1000 + i));
    }
    for (int i = 0; i < 9; ++i) {
        w.put(static_cast<std::uint8_t>(i));
    }
    for (int i = 0; i < 9; ++i) {
        for (const int c : {1, 2, 3, 4, 5, 6, 7, 8}) {
            w.put(static_cast<std::uint8_t>(c + 10 * i));
        }
    }
    for (int i = 0; i < 36; ++i) {
        w.u16(i == 5 ? 65535 : 0);
    }
    w.put(std::uint8_t{0b00000010});
    w.put(std::uint8_t{0b00000001});
    MeshVertices v;
    const auto size = read_mesh_blob(m, w.bytes(), &v);
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, w.size());
    EXPECT_EQ(v.position[8], 1008u);
    EXPECT_EQ(v.normal[8], 8u);
    EXPECT_EQ(v.diffuse[1], (std::array<std::uint8_t, 4>{13, 12, 11, 14}));   // b g r a in the file
    EXPECT_EQ(v.specular[0], (std::array<std::uint8_t, 4>{7, 6, 5, 8}));
    EXPECT_EQ(v.uvs[2], (std::array<double, 2>{0, 1}));                        // set 0 of vertex 1: v
    EXPECT_TRUE(v.no_outline[1] && v.no_outline[8] && !v.no_outline[0]);
    for (std::size_t n = 0; n < w.size(); ++n) {
        EXPECT_FALSE(read_mesh_blob(m, std::span(w.bytes()).first(n), nullptr)) << n;
    }
    m.vert_flag &= ~3;
    EXPECT_EQ(read_mesh_blob(m, w.bytes(), nullptr).error().id, core::IssueId::MV1_BLOCK_TYPE);
}

// covers MV1-LIST-5
TEST(ListBlob, WidthsOfVerticesAndIndicesDiffer) {
    TriangleList l;
    l.vertex_type = 2;
    l.vertex_num = 3;
    l.index_num = 3;
    l.flag = 2 | 1 << 2;   // 32-bit mesh vertices, 16-bit indices
    core::Writer w;
    w.u16(1);
    w.u16(9);
    for (const std::uint32_t v : {70000u, 5u, 6u}) {
        w.u32(v);
    }
    for (const int i : {2, 1, 0}) {
        w.u16(static_cast<std::uint16_t>(i));
    }
    ListIndices v;
    const auto size = read_list_blob(l, w.bytes(), &v);
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, w.size());
    EXPECT_EQ(v.palette, std::vector<std::uint16_t>{9});
    EXPECT_EQ(v.vertices[0], 70000u);
    EXPECT_EQ(v.indices, (std::vector<std::uint32_t>{2, 1, 0}));
    for (std::size_t n = 0; n < w.size(); ++n) {
        EXPECT_FALSE(read_list_blob(l, std::span(w.bytes()).first(n), nullptr)) << n;
    }
    l.vertex_type = 4;
    EXPECT_EQ(read_list_blob(l, w.bytes(), nullptr).error().id, core::IssueId::MV1_BLOCK_TYPE);
    l.vertex_type = 0;
    l.flag = 3;
    EXPECT_EQ(read_list_blob(l, w.bytes(), nullptr).error().id, core::IssueId::MV1_BLOCK_TYPE);
}

Keys keys_of(const KeySet& set, const core::Writer& w) {
    Keys out;
    const auto size = read_key_block(set, w.bytes(), &out);
    EXPECT_TRUE(size);
    EXPECT_EQ(size.value_or(0), w.size());
    for (std::size_t n = 0; n < w.size(); ++n) {
        EXPECT_FALSE(read_key_block(set, std::span(w.bytes()).first(n), nullptr)) << n;
    }
    return out;
}

KeySet key_set(int type, int data, int flag) {
    KeySet out;
    out.type = static_cast<std::int8_t>(type);
    out.data_type = static_cast<std::int8_t>(data);
    out.flag = static_cast<std::uint16_t>(flag);
    return out;
}

// covers MV1-KEY-3, MV1-KEY-4
TEST(KeyBlock, SingleKeysStandAtZero) {
    core::Writer w;
    for (const float v : {1.f, 2.f, 3.f}) {
        w.f32(v);
    }
    const Keys k = keys_of(key_set(1, 10, 0x001), w);
    EXPECT_EQ(k.times, std::vector<double>{0});
    EXPECT_EQ(k.values, (std::vector<double>{1, 2, 3}));
}

// covers MV1-KEY-5, MV1-KEY-6
TEST(KeyBlock, PackedTimesAndKeysHaveAMinimumAndAUnit) {
    core::Writer w;
    w.u16(2);                     // 16-bit count
    w.put(std::uint8_t{0x01});    // times: min 10^1
    w.put(std::uint8_t{0x82});    // unit 2 * 10^-0 (negative exponent of 0)
    w.u16(0);
    w.u16(5);
    w.put(std::uint8_t{0x40 | 0x20 | 2});   // keys: min -10^-2
    w.put(std::uint8_t{0x80 | 3 << 4 | 5});   // unit 5 * 10^-3
    w.u16(0);
    w.u16(1000);
    const Keys k = keys_of(key_set(5, 11, 0x004 | 0x080 | 0x100), w);
    EXPECT_EQ(k.times, (std::vector<double>{10, 20}));
    EXPECT_NEAR(k.values[0], -0.01, 1e-15);
    EXPECT_NEAR(k.values[1], 4.99, 1e-12);
}

TEST(KeyBlock, MinimumBitSevenIsZeroAndUnitZeroIsZero) {
    core::Writer w;
    w.put(std::uint8_t{1});
    w.f32(7);
    w.put(std::uint8_t{0x85});
    w.put(std::uint8_t{0x00});
    w.u16(65535);
    const Keys k = keys_of(key_set(5, 11, 0x002 | 0x100), w);
    EXPECT_EQ(k.times, std::vector<double>{7});
    EXPECT_EQ(k.values, std::vector<double>{0});
}

// covers MV1-KEY-7
TEST(KeyBlock, AnglesSpanWholeTurns) {
    core::Writer w;
    for (const int q : {0, 65535, 32768, 0}) {
        w.u16(static_cast<std::uint16_t>(q));
    }
    const Keys symmetric = keys_of(key_set(0, 0, 0x001 | 0x100 | 0x200), w);
    EXPECT_NEAR(symmetric.values[0], -kPi, 1e-12);
    EXPECT_NEAR(symmetric.values[1], kPi, 1e-12);
    const Keys both = keys_of(key_set(0, 0, 0x001 | 0x100 | 0x200 | 0x400), w);   // 0x400 goes before 0x200
    EXPECT_NEAR(both.values[1], 2 * kPi, 1e-12);
    EXPECT_EQ(both.values[0], 0);
}

// covers MV1-KEY-8
TEST(KeyBlock, EvenTimesAndShapeNumbers) {
    core::Writer w;
    w.u16(3);       // shape
    w.u32(3);       // 32-bit count
    w.u16(4);       // start
    w.f32(0.5f);    // step
    for (const float v : {0.f, 1.f, 0.5f}) {
        w.f32(v);
    }
    const Keys k = keys_of(key_set(5, 18, 0x008 | 0x010), w);
    EXPECT_EQ(k.shape, 3);
    EXPECT_EQ(k.times, (std::vector<double>{4, 4.5, 5}));
}

TEST(KeyBlock, TypesWithoutPayloadAreEmptyAndMatricesAreNeverPacked) {
    for (const int type : {3, 4, 6, -1, 8}) {
        const auto size = read_key_block(key_set(type, 0, 0), {}, nullptr);
        ASSERT_TRUE(size);
        EXPECT_EQ(*size, 0u);
    }
    EXPECT_EQ(read_key_block(key_set(2, 15, 0x101), {}, nullptr).error().id, core::IssueId::MV1_BLOCK_TYPE);
}

TEST(KeyBlock, CountsAreBelievedOnlyAsFarAsThereAreBytes) {
    core::Writer w;
    w.u32(0xFFFFFFFF);
    w.u16(0);
    w.u16(1);
    EXPECT_EQ(read_key_block(key_set(5, 1, 0x008 | 0x010 | 0x040), w.bytes(), nullptr).error().id, core::IssueId::MV1_BLOCK_SIZE);
}

}  // namespace
}  // namespace gomkit::mv1
