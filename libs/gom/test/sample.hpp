#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <gomkit/core/file.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/runtime/model_view.hpp>

#include "canonical.hpp"
#include "check.hpp"
#include "decode.hpp"
#include "document.hpp"
#include "encode.hpp"

/// Documents for the tests: one by hand, and random valid ones.
namespace gomkit::gom::test {

inline Matrix translation(float x, float y, float z) {
    Matrix m;
    m.m[12] = x;
    m.m[13] = y;
    m.m[14] = z;
    return m;
}

inline Vertex vertex(float x, float y, float z) {
    return Vertex{{x, y, z}, {0, 0, -1}, {1, 0, 0, -1}, {0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}};
}

/// Two bones, a skinned quad of two materials, an unskinned triangle with a placement, two clips.
inline Document sample() {
    Document d;
    d.source_hash[0] = 0xAB;
    d.converter_version = "test 1";
    d.materials.resize(2);
    d.materials[0].name = "Body";
    d.materials[0].maps[0] = "tex/body.png";
    d.materials[1].name = "Cloth";
    d.bones = {Bone{-1, "Root", "Root", {}}, Bone{0, "Tip", "Root/Tip", translation(0, 1, 0)}};
    d.parts.resize(2);
    Part& quad = d.parts[0];
    quad.name = "Quad";
    quad.vertices = {vertex(-1, 2, 0), vertex(1, 2, 0), vertex(1, 0, 0), vertex(-1, 0, 0)};
    quad.vertices[0] = Vertex{{-1, 2, 0}, {0, 0, -1}, {1, 0, 0, -1}, {0, 0}, {1, 0, 0, 0}, {0.75f, 0.25f, 0, 0}};
    quad.indices = {0, 1, 2, 0, 2, 3};
    quad.submeshes = {Submesh{0, 0, 3}, Submesh{1, 3, 3}};
    quad.inverse_bind = {Matrix{}, translation(0, -1, 0)};
    Part& sign = d.parts[1];
    sign.name = "Sign";
    sign.vertices = {vertex(0, 1, 0), vertex(1, 0, 0), vertex(-1, 0, 0)};
    sign.indices = {0, 1, 2};
    sign.submeshes = {Submesh{1, 0, 3}};
    sign.geometry_to_model = translation(0, 3, 0);
    d.clips.resize(2);
    d.clips[0].name = "Idle";
    d.clips[1].name = "Wave";
    d.clips[1].duration = 1.5f;
    d.clips[1].tracks = {Track{0, {VectorKey{0, {0, 0, 0}}, VectorKey{1.5f, {0, 1, 0}}}, {}, {}},
                         Track{1, {}, {QuatKey{0, {0, 0, 0, 1}}, QuatKey{1, {0, 0, 0.6f, 0.8f}}}, {VectorKey{0.25f, {1, 1, 1}}}}};
    return d;
}

/// sample() with two channels of blend shapes, one of which has an in-between; both parts have shapes, and one clip moves them.
inline Document morph_sample() {
    Document d = sample();
    d.morph_channels = {MorphChannel{"Blink", 0, {0.5f, 1}}, MorphChannel{"Smile", 0.25f, {1}}};
    Morph half;
    half.vertices = {1};
    half.positions = {{0, 0.5f, 0}};
    half.normals = {{0, 0, 0}};
    Morph whole;
    whole.shape = 1;
    whole.vertices = {1, 3};
    whole.positions = {{0, 1, 0}, {0.25f, 0, 0}};
    whole.normals = {{0, 1, 1}, {0, 0, 0}};
    d.parts[0].morphs = {half, whole};
    Morph smile;
    smile.channel = 1;
    smile.vertices = {0};
    smile.positions = {{1, 2, 3}};
    smile.normals = {{0, 0, 0.5f}};
    d.parts[1].morphs = {smile};
    d.clips[1].morph_tracks = {MorphTrack{1, {WeightKey{0, {0}}, WeightKey{1.5f, {1}}}}};
    return d;
}

/// A small fixed generator: results must not depend on the library's distributions.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
    std::uint32_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::uint32_t>(state_ >> 16);
    }
    std::uint32_t below(std::uint32_t n) { return next() % n; }
    bool flip() { return (next() & 1u) != 0; }
    float number(float range = 4) { return static_cast<float>(static_cast<double>(next()) / 4294967296.0 * 2 - 1) * range; }

private:
    std::uint64_t state_;
};

inline std::string random_text(Random& r) {
    static constexpr const char* kPieces[] = {"a", "b", "Arm", "-L", "~2", "%", "/", "骨", "é", " ", "Z", "0"};
    std::string text;
    for (std::uint32_t i = 0; i <= r.below(3); ++i) {
        text += kPieces[r.below(static_cast<std::uint32_t>(std::size(kPieces)))];
    }
    return text;
}

inline std::array<float, 4> random_rotation(Random& r) {
    std::array<float, 4> q{r.number(1), r.number(1), r.number(1), r.number(1) + 1.5f};
    double length = 0;
    for (const float v : q) {
        length += static_cast<double>(v) * static_cast<double>(v);
    }
    for (float& v : q) {
        v = static_cast<float>(static_cast<double>(v) / std::sqrt(length));
    }
    return q;
}

/// Times ascending within the duration.
inline std::vector<float> random_times(Random& r, float duration) {
    std::set<float> times;
    for (std::uint32_t i = r.below(4); i > 0; --i) {
        times.insert(std::fabs(r.number(1)) * duration);
    }
    return {times.begin(), times.end()};
}

inline void random_bones(Random& r, Document& d) {
    const std::uint32_t count = 1 + r.below(8);
    std::map<std::string, bool> taken;
    for (std::uint32_t i = 0; i < count; ++i) {
        Bone b;
        b.parent = i == 0 || r.below(4) == 0 ? -1 : static_cast<std::int32_t>(r.below(i));
        b.name = random_text(r);
        std::string component;
        for (const char c : b.name) {
            component += c == '%' ? std::string("%25") : c == '/' ? std::string("%2F") : std::string(1, c);
        }
        const std::string prefix = b.parent < 0 ? "" : d.bones[static_cast<std::size_t>(b.parent)].path + "/";
        b.path = prefix + component;
        for (int n = 2; taken.count(b.path) != 0; ++n) {
            b.path = prefix + component;
            b.path += "~" + std::to_string(n);
        }
        taken[b.path] = true;
        b.bind_local = translation(r.number(), r.number(), r.number());
        b.bind_local.m[0] = 1 + std::fabs(r.number());
        d.bones.push_back(std::move(b));
    }
}

inline Part random_part(Random& r, const Document& d) {
    Part p;
    if (r.flip()) {
        p.name = random_text(r);
    }
    const bool skinned = !d.bones.empty() && r.flip();
    for (std::uint32_t i = 0; i <= r.below(6); ++i) {
        Vertex v = vertex(r.number(), r.number(), r.number());
        v.uv[0] = r.below(5) == 0 ? -0.0f : r.number();
        if (skinned) {
            const float a = std::fabs(r.number(1));
            v.weight[0] = a;
            v.weight[1] = 1.0f - a;
            for (std::uint16_t& bone : v.bone) {
                bone = static_cast<std::uint16_t>(r.below(static_cast<std::uint32_t>(d.bones.size())));
            }
            if (v.bone[0] == v.bone[1]) {
                v.weight[0] = 1;
                v.weight[1] = 0;
            }
        } else if (r.flip()) {
            v.weight[0] = r.number();
        }
        p.vertices.push_back(v);
    }
    std::uint32_t start = 0;
    for (std::uint32_t i = 0; i <= r.below(4); ++i) {
        const std::uint32_t size = 3 * (1 + r.below(3));
        for (std::uint32_t k = 0; k < size; ++k) {
            p.indices.push_back(r.below(static_cast<std::uint32_t>(p.vertices.size())));
        }
        p.submeshes.push_back(Submesh{r.below(static_cast<std::uint32_t>(d.materials.size())), start, size});
        start += size;
    }
    if (skinned) {
        for (std::size_t i = 0; i < d.bones.size(); ++i) {
            p.inverse_bind.push_back(translation(r.number(), 0, -0.0f));
        }
    }
    if (r.flip()) {
        p.geometry_to_model = r.flip() ? Matrix{} : translation(r.number(), r.number(), 0);
    }
    return p;
}

inline Clip random_clip(Random& r, const Document& d, std::string name) {
    Clip c;
    c.name = std::move(name);
    c.duration = std::fabs(r.number());
    c.loop = r.flip();
    c.has_root_motion = r.flip();
    c.root_bone = d.bones.empty() || r.flip() ? -1 : static_cast<std::int32_t>(r.below(static_cast<std::uint32_t>(d.bones.size())));
    std::set<std::uint32_t> used;
    for (std::uint32_t i = d.bones.empty() ? 0 : r.below(4); i > 0; --i) {
        const std::uint32_t bone = r.below(static_cast<std::uint32_t>(d.bones.size()));
        if (!used.insert(bone).second) {
            continue;
        }
        Track t;
        t.bone = bone;
        for (const float time : random_times(r, c.duration)) {
            t.translation.push_back(VectorKey{time, {r.number(), -0.0f, r.number()}});
        }
        for (const float time : random_times(r, c.duration)) {
            QuatKey key{time, random_rotation(r)};
            if (r.flip()) {
                for (float& v : key.value) {
                    v = -v;
                }
            }
            t.rotation.push_back(key);
        }
        for (const float time : random_times(r, c.duration)) {
            t.scale.push_back(VectorKey{time, {r.number(), r.number(), r.number()}});
        }
        c.tracks.push_back(std::move(t));
    }
    return c;
}

/// Channels, shapes of the parts that may move nothing, weights of the clips.
inline void random_morphs(Random& r, Document& d) {
    std::set<std::string> names;
    for (std::uint32_t i = r.below(4); i > 0; --i) {
        names.insert(random_text(r));
    }
    for (const std::string& name : names) {
        MorphChannel c;
        c.name = name;
        c.default_weight = r.flip() ? -0.0f : r.number(1);
        std::set<float> weights;
        for (std::uint32_t i = 1 + r.below(3); i > 0; --i) {
            weights.insert(r.number(2) + (r.flip() ? 3.0f : -3.0f));
        }
        c.shapes.assign(weights.begin(), weights.end());
        d.morph_channels.push_back(std::move(c));
    }
    for (Part& p : d.parts) {
        for (std::uint32_t c = 0; c < d.morph_channels.size(); ++c) {
            for (std::uint32_t s = 0; s < d.morph_channels[c].shapes.size(); ++s) {
                if (r.below(3) == 0) {
                    continue;
                }
                Morph m;
                m.channel = c;
                m.shape = s;
                for (std::uint32_t v = 0; v < p.vertices.size(); ++v) {
                    if (r.flip()) {
                        m.vertices.push_back(v);
                        const float y = r.below(3) == 0 ? 0.0f : r.number();
                        m.positions.push_back({0, y, -0.0f});
                        m.normals.push_back({0, 0, r.flip() ? 0.0f : r.number()});
                    }
                }
                p.morphs.push_back(std::move(m));
            }
        }
    }
    for (Clip& clip : d.clips) {
        for (std::uint32_t c = 0; c < d.morph_channels.size(); ++c) {
            if (r.flip()) {
                MorphTrack t;
                t.channel = c;
                for (const float time : random_times(r, clip.duration)) {
                    t.keys.push_back(WeightKey{time, {r.below(4) == 0 ? -0.0f : r.number(2)}});
                }
                clip.morph_tracks.push_back(std::move(t));
            }
        }
    }
}

/// A valid Document; not canonical, and its bones may be unsorted.
inline Document random_document(std::uint64_t seed) {
    Random r(seed);
    Document d;
    for (std::uint8_t& b : d.source_hash) {
        b = static_cast<std::uint8_t>(r.next());
    }
    if (r.flip()) {
        d.converter_version = random_text(r);
    }
    const std::uint32_t slots = 1 + r.below(4);
    for (std::uint32_t i = 0; i < slots; ++i) {
        MaterialSlot s;
        if (r.flip()) {
            s.name = random_text(r);
        }
        if (r.flip()) {
            s.kd = {std::fabs(r.number()), -0.0f, 0};
        }
        if (r.flip()) {
            s.maps[r.below(4)] = r.flip() ? "a.png" : "b.png";
        }
        d.materials.push_back(std::move(s));
    }
    if (r.below(4) != 0) {
        random_bones(r, d);
    }
    for (std::uint32_t i = r.below(3); i > 0; --i) {
        d.parts.push_back(random_part(r, d));
    }
    std::set<std::string> names;
    for (std::uint32_t i = r.below(4); i > 0; --i) {
        const std::string name = random_text(r);
        if (names.insert(name).second) {
            d.clips.push_back(random_clip(r, d, name));
        }
    }
    if (r.flip()) {
        random_morphs(r, d);
    }
    return d;
}

// Readers

inline core::Result<Document> decode_bytes(std::span<const std::byte> bytes, bool lenient = false, const core::Limits& limits = {},
                                           core::Report* report = nullptr) {
    core::Report unused;
    DecodeOptions options;
    options.limits = limits;
    options.lenient = lenient;
    return decode(bytes, "a.gom", options, report != nullptr ? *report : unused);
}

inline core::Report check_bytes(std::span<const std::byte> bytes, bool canonical = true) {
    core::Report report("", 1000, 1000);
    codec::CheckOptions options;
    options.canonical = canonical;
    check(bytes, "a.gom", options, report);
    return report;
}

inline bool verifies(std::span<const std::byte> bytes) {
    runtime::ModelView view;
    return runtime::verify(bytes, {}, view, nullptr) == runtime::Status::Ok;
}

inline bool has_load_error(const core::Report& report) {
    return std::any_of(report.issues().begin(), report.issues().end(),
                       [](const core::Issue& i) { return i.severity == core::Severity::Error && !is_checker_only(i.id); });
}

template <class T>
void patch(core::Bytes& bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

/// File offset of the nth chunk header with that fourcc (children of MSH0 included).
inline std::size_t chunk_at(const core::Bytes& bytes, const char* fourcc, int nth = 0) {
    char wanted[4] = {};
    std::memcpy(wanted, fourcc, std::strlen(fourcc));
    for (std::size_t at = 512; at + 16 <= bytes.size(); at += 16) {
        std::uint32_t version = 0;
        std::memcpy(&version, bytes.data() + at + 8, 4);
        if (std::memcmp(bytes.data() + at, wanted, 4) == 0 && version == 1 && nth-- == 0) {
            return at;
        }
    }
    ADD_FAILURE() << "no chunk " << fourcc;
    return 0;
}

}  // namespace gomkit::gom::test
