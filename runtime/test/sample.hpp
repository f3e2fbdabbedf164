#pragma once
// A small GOM written byte by byte from the numbers of gom.md, without layout.hpp: every field's place is remembered by name,
// so that tests can spoil one thing at a time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gomkit::runtime::test {

class Builder {
public:
    std::vector<std::uint8_t> bytes;
    std::map<std::string, std::size_t> marks;  // place of each named field
    std::vector<std::string> floats;           // names of all float fields
    std::vector<std::string> counts;           // names of all count fields

    void mark(const std::string& name) { marks[prefix + name] = bytes.size(); }
    void u8(unsigned v) { bytes.push_back(static_cast<std::uint8_t>(v)); }
    void u16(unsigned v) {
        u8(v & 0xFF);
        u8(v >> 8);
    }
    void u32(std::uint32_t v) {
        for (unsigned i = 0; i < 4; ++i) u8(v >> (8 * i) & 0xFF);
    }
    void u64(std::uint64_t v) {
        u32(static_cast<std::uint32_t>(v));
        u32(static_cast<std::uint32_t>(v >> 32));
    }
    void i32(std::int32_t v) { u32(static_cast<std::uint32_t>(v)); }
    void f32(float v) {
        std::uint32_t b;
        std::memcpy(&b, &v, 4);
        u32(b);
    }
    void text(std::string_view s) {
        for (const char c : s) u8(static_cast<unsigned char>(c));
    }
    void zeros(std::size_t n) {
        for (; n != 0; --n) u8(0);
    }
    void pad16() {
        while (bytes.size() % 16 != 0) u8(0);
    }

    void u32(const std::string& name, std::uint32_t v) {
        mark(name);
        u32(v);
    }
    void i32(const std::string& name, std::int32_t v) {
        mark(name);
        i32(v);
    }
    void f32(const std::string& name, float v) {
        mark(name);
        floats.push_back(prefix + name);
        f32(v);
    }
    void count(const std::string& name, std::uint32_t v) {
        mark(name);
        counts.push_back(prefix + name);
        u32(v);
    }
    void floats_at(const std::string& name, std::initializer_list<float> values) {
        int i = 0;
        for (const float v : values) f32(name + "[" + std::to_string(i++) + "]", v);
    }
    void matrix(const std::string& name, float x, float y, float z) {
        floats_at(name, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1});
    }

    // Chunks nest by a prefix of names: "MSH0[0]." then "MSH0[0].VB0.".
    std::string prefix;
    std::vector<std::pair<std::size_t, std::string>> open;
    void begin(const std::string& name, std::string_view fourcc) {
        pad16();
        open.push_back({bytes.size(), prefix});
        marks[prefix + name] = bytes.size();
        prefix += name + ".";
        text(fourcc);
        if (fourcc.size() == 3) u8(0);
        count("size", 0);
        u32("version", 1);
        u32("flags(chunk)", 0);
    }
    void end() {
        const auto [at, before] = open.back();
        open.pop_back();
        put32(at + 4, static_cast<std::uint32_t>(bytes.size() - at - 16));
        prefix = before;
        pad16();
    }
    // For MSH0: the children's padding is part of the payload.
    void end_padded() {
        pad16();
        end();
    }

    [[nodiscard]] std::size_t at(const std::string& name) const {
        const auto found = marks.find(name);
        if (found == marks.end()) throw std::out_of_range("no field " + name);
        return found->second;
    }
    void put8(std::size_t where, unsigned v) { bytes.at(where) = static_cast<std::uint8_t>(v); }
    void put16(std::size_t where, unsigned v) {
        put8(where, v & 0xFF);
        put8(where + 1, v >> 8);
    }
    void put32(std::size_t where, std::uint32_t v) {
        for (unsigned i = 0; i < 4; ++i) put8(where + i, v >> (8 * i) & 0xFF);
    }
    void put64(std::size_t where, std::uint64_t v) {
        put32(where, static_cast<std::uint32_t>(v));
        put32(where + 4, static_cast<std::uint32_t>(v >> 32));
    }
    void put_float(std::size_t where, float v) {
        std::uint32_t b;
        std::memcpy(&b, &v, 4);
        put32(where, b);
    }
    void set(const std::string& name, std::uint32_t v) { put32(at(name), v); }
    void set(const std::string& name, float v) { put_float(at(name), v); }
    [[nodiscard]] std::uint32_t get32(std::size_t where) const {
        return static_cast<std::uint32_t>(bytes.at(where)) | static_cast<std::uint32_t>(bytes.at(where + 1)) << 8 |
               static_cast<std::uint32_t>(bytes.at(where + 2)) << 16 | static_cast<std::uint32_t>(bytes.at(where + 3)) << 24;
    }
};

// Exactly `size` bytes at a multiple of 16, so that a sanitizer sees the first byte beyond.
class ExactBlock {
public:
    explicit ExactBlock(std::span<const std::uint8_t> from)
        : size_(from.size()), data_(static_cast<std::byte*>(::operator new (from.size(), std::align_val_t{16}))) {
        if (size_ != 0) std::memcpy(data_, from.data(), size_);
    }
    ExactBlock(const ExactBlock&) = delete;
    ExactBlock& operator=(const ExactBlock&) = delete;
    ~ExactBlock() { ::operator delete (data_, std::align_val_t{16}); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
    std::size_t size_;
    std::byte* data_;
};

// Memory of the caller's for what the run-time makes: exactly `size` bytes at a multiple of 64, plus `offset`.
class Memory {
public:
    explicit Memory(std::size_t size, std::size_t offset = 0)
        : size_(size), offset_(offset), data_(static_cast<std::byte*>(::operator new (size + offset, std::align_val_t{64}))) {
        std::memset(data_, 0xCD, size + offset);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { ::operator delete (data_, std::align_val_t{64}); }
    [[nodiscard]] std::span<std::byte> bytes() const { return {data_ + offset_, size_}; }

private:
    std::size_t size_, offset_;
    std::byte* data_;
};

inline void header(Builder& b) {
    b.prefix = "header.";
    b.mark("magic");
    b.text("GOMB0001");
    b.u32("headerSize", 512);
    b.u32("formatVersion", 1);
    b.u32("coordinateSystem", 1);
    b.u32("matrixConvention", 1);
    b.mark("sourceHash");
    for (unsigned i = 0; i < 32; ++i) b.u8(i);
    b.u32("converterVersionStrId", 0xFFFFFFFF);
    b.u32("validationFlags", 0x3F);
    b.mark("chunkTableOffset");
    b.u64(0);
    b.count("chunkTableCount", 0);
    b.mark("reserved");
    b.zeros(436);
    b.prefix.clear();
}

inline void strings(Builder& b, const std::vector<std::string>& list) {
    b.begin("STR0", "STR0");
    b.count("count", static_cast<std::uint32_t>(list.size()));
    std::uint32_t offset = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        b.u32("offsets[" + std::to_string(i) + "]", offset);
        offset += static_cast<std::uint32_t>(list[i].size() + 1);
    }
    b.mark("data");
    for (std::size_t i = 0; i < list.size(); ++i) {
        b.mark("string[" + std::to_string(i) + "]");
        b.text(list[i]);
        b.u8(0);
    }
    b.end();
}

inline void material(Builder& b, const std::string& name, std::uint32_t name_id, std::uint32_t diffuse_id) {
    b.u32(name + ".nameId", name_id);
    b.u32(name + ".flags", 0);
    b.floats_at(name + ".kd", {1, 0.5F, 0.25F});
    b.floats_at(name + ".ks", {0.04F, 0.04F, 0.04F});
    b.floats_at(name + ".ke", {0, 0, 0});
    b.f32(name + ".shininess", 32);
    b.f32(name + ".opacity", 1);
    b.u32(name + ".diffuseMapId", diffuse_id);
    b.u32(name + ".normalMapId", 0xFFFFFFFF);
    b.u32(name + ".specularMapId", 0xFFFFFFFF);
    b.u32(name + ".emissiveMapId", 0xFFFFFFFF);
}

struct SampleVertex {
    float x, y;
    std::array<unsigned, 4> bones{0, 0, 0, 0};
    std::array<float, 4> weights{1, 0, 0, 0};
};

// strings: "" never; ids as listed in sample().
inline void part(Builder& b, const std::string& name, std::uint32_t name_id, const std::vector<SampleVertex>& vertices,
                 const std::vector<unsigned>& indices, bool sixteen_bit, std::uint32_t bone_count, bool has_gbtm,
                 const std::vector<std::array<std::uint32_t, 3>>& submeshes,
                 const std::function<void()>& more = [] {}) {
    b.begin(name, "MSH0");
    b.u32("meshNameId", name_id);
    b.u32("vertexFormat", 1);
    b.count("vertexCount", static_cast<std::uint32_t>(vertices.size()));
    b.count("indexCount", static_cast<std::uint32_t>(indices.size()));
    b.count("boneCount", bone_count);
    b.u32("flags", (sixteen_bit ? 1U : 0U) | (has_gbtm ? 2U : 0U));
    b.u32("reserved[0]", 0);
    b.u32("reserved[1]", 0);

    b.begin("VB0", "VB0");
    b.count("vertexCount", static_cast<std::uint32_t>(vertices.size()));
    b.u32("stride", 72);
    b.u32("vertexFormat", 1);
    b.u32("reserved", 0);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const SampleVertex& v = vertices[i];
        const std::string vertex = "vertex[" + std::to_string(i) + "]";
        b.floats_at(vertex + ".position", {v.x, v.y, 0});
        b.floats_at(vertex + ".normal", {0, 0, -1});
        b.floats_at(vertex + ".tangent", {1, 0, 0, -1});
        b.floats_at(vertex + ".uv0", {v.x, 1 - v.y});
        for (unsigned k = 0; k < 4; ++k) {
            b.mark(vertex + ".boneIndex[" + std::to_string(k) + "]");
            b.u16(v.bones[k]);
        }
        b.floats_at(vertex + ".boneWeight", {v.weights[0], v.weights[1], v.weights[2], v.weights[3]});
    }
    b.end();

    b.begin("IB0", "IB0");
    b.count("indexCount", static_cast<std::uint32_t>(indices.size()));
    b.u32("indexSizeBytes", sixteen_bit ? 2 : 4);
    b.u32("reserved[0]", 0);
    b.u32("reserved[1]", 0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        b.mark("index[" + std::to_string(i) + "]");
        if (sixteen_bit) {
            b.u16(indices[i]);
        } else {
            b.u32(indices[i]);
        }
    }
    b.end();

    b.begin("SUB0", "SUB0");
    b.count("count", static_cast<std::uint32_t>(submeshes.size()));
    for (std::size_t i = 0; i < submeshes.size(); ++i) {
        const std::string submesh = "submesh[" + std::to_string(i) + "]";
        b.u32(submesh + ".materialIndex", submeshes[i][0]);
        b.u32(submesh + ".indexStart", submeshes[i][1]);
        b.u32(submesh + ".indexCount", submeshes[i][2]);
    }
    b.end();

    b.begin("IBND", "IBND");
    b.count("boneCount", bone_count);
    for (std::uint32_t i = 0; i < bone_count; ++i)
        b.matrix("inverseBind[" + std::to_string(i) + "]", 0, -static_cast<float>(i), 0);
    b.end();

    b.begin("BND0", "BND0");
    b.floats_at("aabbMin", {0, 0, 0});
    b.floats_at("aabbMax", {1, 1, 0});
    b.floats_at("sphereCenter", {0.5F, 0.5F, 0});
    b.f32("sphereRadius", 0.75F);
    b.end();

    if (has_gbtm) {
        b.begin("GBTM", "GBTM");
        b.matrix("meshBindGeoToModel", 0, 2, 0);
        b.end();
    }
    more();
    b.end_padded();
}

struct SampleTrack {
    std::uint32_t bone;
    unsigned translations, rotations, scales;
};

inline void clip(Builder& b, const std::string& name, std::uint32_t name_id, float duration, std::int32_t root,
                 std::uint32_t flags, const std::vector<SampleTrack>& tracks) {
    b.begin(name, "CLP0");
    b.u32("nameId", name_id);
    b.f32("duration", duration);
    b.i32("rootBoneIndex", root);
    b.u32("interpMode", 1);
    b.u32("flags", flags);
    b.count("trackCount", static_cast<std::uint32_t>(tracks.size()));
    for (std::size_t t = 0; t < tracks.size(); ++t) {
        const std::string track = "track[" + std::to_string(t) + "]";
        b.u32(track + ".boneIndex", tracks[t].bone);
        b.count(track + ".trKeyCount", tracks[t].translations);
        b.count(track + ".rotKeyCount", tracks[t].rotations);
        b.count(track + ".scKeyCount", tracks[t].scales);
        for (unsigned i = 0; i < tracks[t].translations; ++i) {
            const std::string key = track + ".trKey[" + std::to_string(i) + "]";
            b.f32(key + ".time", static_cast<float>(i) * 0.25F);
            b.floats_at(key + ".value", {static_cast<float>(i), 2, 3});
        }
        for (unsigned i = 0; i < tracks[t].rotations; ++i) {
            const std::string key = track + ".rotKey[" + std::to_string(i) + "]";
            b.f32(key + ".time", static_cast<float>(i) * 0.25F);
            b.floats_at(key + ".value", {0, 0, 0, 1});
        }
        for (unsigned i = 0; i < tracks[t].scales; ++i) {
            const std::string key = track + ".scKey[" + std::to_string(i) + "]";
            b.f32(key + ".time", static_cast<float>(i) * 0.25F);
            b.floats_at(key + ".value", {1, 1, 1});
        }
    }
    b.end();
}

// CTBL over the chunks from 512 on.
inline void table(Builder& b) {
    b.pad16();
    std::vector<std::array<std::uint32_t, 3>> entries;
    for (std::size_t at = 512; at < b.bytes.size(); at = (at + 16 + b.get32(at + 4) + 15) / 16 * 16)
        entries.push_back({b.get32(at), b.get32(at + 4), static_cast<std::uint32_t>(at)});
    b.begin("CTBL", "CTBL");
    b.put64(64, b.bytes.size());
    b.put32(72, static_cast<std::uint32_t>(entries.size()));
    for (const auto& e : entries) {
        b.u32(e[0]);
        b.u32(e[1]);
        b.u64(e[2]);
    }
    b.end();
}

// Everything once: two materials, three bones, a skinned part with GBTM, an unskinned one with 16-bit indices, two clips.
inline Builder sample() {
    Builder b;
    header(b);
    //          0      1    2       3     4       5       6           7                8    9
    strings(b, {"Arm", "B", "Hand", "Mat", "Root", "Root/Arm", "Root/Arm/Hand", "gomkit 1", "idle", "walk \xE6\xAD\xA9"});
    b.set("header.converterVersionStrId", 7U);

    b.begin("MATL", "MATL");
    b.count("count", 2);
    material(b, "slot[0]", 3, 1);
    material(b, "slot[1]", 0xFFFFFFFF, 0xFFFFFFFF);
    b.end();

    b.begin("SKEL", "SKEL");
    b.count("boneCount", 3);
    b.i32("parent[0]", -1);
    b.i32("parent[1]", 0);
    b.i32("parent[2]", 1);
    b.u32("nameId[0]", 4);
    b.u32("nameId[1]", 0);
    b.u32("nameId[2]", 2);
    b.u32("pathId[0]", 4);
    b.u32("pathId[1]", 5);
    b.u32("pathId[2]", 6);
    b.matrix("bindLocal[0]", 0, 0, 0);
    b.matrix("bindLocal[1]", 0, 1, 0);
    b.matrix("bindLocal[2]", 0, 1, 0);
    b.end();

    part(b, "MSH0[0]", 1,
         {{0, 0},
          {0, 1, {0, 1, 0, 0}, {0.5F, 0.5F, 0, 0}},
          {1, 1, {2, 1, 0, 0}, {0.75F, 0.25F, 0, 0}},
          {1, 0, {2, 0, 0, 0}},
          {0.5F, 0.5F, {1, 0, 0, 0}}},
         {0, 1, 2, 0, 2, 3, 4, 1, 2}, false, 3, true, {{0, 0, 6}, {1, 6, 3}});
    part(b, "MSH0[1]", 0xFFFFFFFF, {{0, 0}, {0, 1}, {1, 1}}, {0, 1, 2}, true, 0, false, {{1, 0, 3}});

    b.begin("ANIM", "ANIM");
    b.count("clipCount", 2);
    b.end();
    clip(b, "CLP0[0]", 8, 1.0F, -1, 2, {{0, 2, 3, 0}, {2, 0, 2, 2}});
    clip(b, "CLP0[1]", 9, 0.5F, 0, 1, {{1, 1, 1, 1}});
    table(b);
    return b;
}

// MATL: materials of these many slots without maps.
inline void bare_materials(Builder& b, std::uint32_t count) {
    b.begin("MATL", "MATL");
    b.count("count", count);
    for (std::uint32_t i = 0; i < count; ++i) material(b, "slot[" + std::to_string(i) + "]", 0xFFFFFFFF, 0xFFFFFFFF);
    b.end();
}

struct SampleMove {
    std::uint32_t vertex;
    std::array<float, 3> position, normal;
};

// An MRPH (morph.md 2), inside a part.
inline void morph(Builder& b, unsigned ordinal, std::uint32_t channel, std::uint32_t shape, const std::vector<SampleMove>& moves) {
    b.begin("MRPH[" + std::to_string(ordinal) + "]", "MRPH");
    b.u32("channel", channel);
    b.u32("shape", shape);
    b.count("vertexCount", static_cast<std::uint32_t>(moves.size()));
    b.u32("reserved", 0);
    const auto at = [](const char* name, std::size_t i) { return name + std::string("[") + std::to_string(i) + "]"; };
    for (std::size_t i = 0; i < moves.size(); ++i) b.u32(at("vertex", i), moves[i].vertex);
    for (std::size_t i = 0; i < moves.size(); ++i)
        b.floats_at(at("position", i), {moves[i].position[0], moves[i].position[1], moves[i].position[2]});
    for (std::size_t i = 0; i < moves.size(); ++i)
        b.floats_at(at("normal", i), {moves[i].normal[0], moves[i].normal[1], moves[i].normal[2]});
    b.end();
}

// Blend shapes: channel "blink" with an in-between at 0.5, "smile" with shapes at -1 and 2; an unskinned quad, a clip of one second
// whose weights of "blink" are animated.
inline Builder morph_sample() {
    Builder b;
    header(b);
    strings(b, {"blink", "nod", "smile"});
    bare_materials(b, 1);
    b.begin("MRPC", "MRPC");
    b.count("channelCount", 2);
    b.count("shapeCount", 4);
    b.u32("channel[0].nameId", 0);
    b.f32("channel[0].defaultWeight", 0.25F);
    b.count("channel[0].shapeEnd", 2);
    b.u32("channel[1].nameId", 2);
    b.f32("channel[1].defaultWeight", 0);
    b.count("channel[1].shapeEnd", 4);
    b.floats_at("shapeWeight", {0.5F, 1, -1, 2});
    b.end();
    part(b, "MSH0[0]", 0xFFFFFFFF, {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {0, 1, 2, 0, 2, 3}, false, 0, false, {{0, 0, 6}}, [&] {
        morph(b, 0, 0, 0, {{1, {0, 0.5F, 0}, {0, 1, 0}}, {3, {0.25F, 0, 0}, {0, 0, 1}}});
        morph(b, 1, 0, 1, {{1, {0, 1, 0}, {0, 1, 1}}});
        morph(b, 2, 1, 1, {{0, {1, 2, 4}, {0, 0, 0.5F}}, {1, {8, 0, 0}, {0, 0, 0}}});
    });
    b.begin("ANIM", "ANIM");
    b.count("clipCount", 1);
    b.end();
    clip(b, "CLP0[0]", 1, 1.0F, -1, 0, {});
    b.begin("CLP0[0].MRPA", "MRPA");
    b.count("trackCount", 1);
    b.u32("reserved", 0);
    b.u32("track[0].channel", 0);
    b.count("track[0].keyCount", 3);
    for (unsigned i = 0; i < 3; ++i) {
        const std::string key = "track[0].key[" + std::to_string(i) + "]";
        b.f32(key + ".time", 0.25F * static_cast<float>(i + 1));
        b.f32(key + ".value", static_cast<float>(i * i));
    }
    b.end();
    table(b);
    return b;
}

// The least a GOM needs: STR0 and MATL, no table.
inline Builder least() {
    Builder b;
    header(b);
    strings(b, {});
    bare_materials(b, 0);
    return b;
}

// A skeleton without meshes or clips. bones: parent, name, path.
inline Builder skeleton_only(const std::vector<std::pair<std::int32_t, std::array<std::string, 2>>>& bones) {
    Builder b;
    header(b);
    std::vector<std::string> list;
    for (const auto& bone : bones) {
        list.push_back(bone.second[0]);
        list.push_back(bone.second[1]);
    }
    strings(b, list);
    bare_materials(b, 0);
    b.begin("SKEL", "SKEL");
    const auto count = static_cast<std::uint32_t>(bones.size());
    b.count("boneCount", count);
    for (std::uint32_t i = 0; i < count; ++i) b.i32("parent[" + std::to_string(i) + "]", bones[i].first);
    for (std::uint32_t i = 0; i < count; ++i) b.u32("nameId[" + std::to_string(i) + "]", 2 * i);
    for (std::uint32_t i = 0; i < count; ++i) b.u32("pathId[" + std::to_string(i) + "]", 2 * i + 1);
    for (std::uint32_t i = 0; i < count; ++i) b.matrix("bindLocal[" + std::to_string(i) + "]", 0, 0, 0);
    b.end();
    table(b);
    return b;
}

}  // namespace gomkit::runtime::test
