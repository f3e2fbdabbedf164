#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gte.hpp"

/// A PS1M in memory, in the format's own words and order (docs/spec/ps1m.md). Lengths are in the console's units, 4096 is 1.0. Offsets,
/// counts and padding are derived: encode makes them. Each section has at most 65,535 elements.
namespace gomkit::ps1 {

struct Vertex {
    Vec3s16 position{};      ///< in the bone's space
    std::uint8_t bone = 0;
    Vec3s16 normal{};        ///< in the bone's space
    std::uint8_t u = 0, v = 0;
    friend bool operator==(const Vertex&, const Vertex&) = default;
};

struct Triangle {
    std::array<std::uint16_t, 3> vertices{};
    std::uint8_t bone = 0;   ///< whose space the normal is in
    std::uint8_t texture = 0;
    Vec3s16 normal{};
    std::uint8_t flags = 0;
    friend bool operator==(const Triangle&, const Triangle&) = default;
};

struct Bone {
    std::int8_t parent = -1;
    std::uint8_t flags = 0;
    std::uint8_t slot = 255;
    std::uint16_t vertex_start = 0, vertex_count = 0;
    std::uint16_t triangle_start = 0, triangle_count = 0;
    Vec3s16 translation{};   ///< bind, relative to the parent
    [[nodiscard]] bool moves() const { return (flags & 1) != 0; }
    friend bool operator==(const Bone&, const Bone&) = default;
};

using Rotation = std::array<std::int16_t, 4>;   ///< x, y, z, w

struct Frame {
    std::vector<Rotation> rotations;            ///< [bone], to the parent
    std::vector<Vec3s16> translations;          ///< [slot]
    friend bool operator==(const Frame&, const Frame&) = default;
};

struct Clip {
    std::array<char, 16> name{};                ///< as stored: ASCII, zeros behind it
    std::uint16_t fps = 15;
    std::vector<Frame> frames;                  ///< at least one
    friend bool operator==(const Clip&, const Clip&) = default;
};

struct IkChain {
    std::int8_t upper = -1, lower = -1, end = -1;
    Vec3s16 end_local{};     ///< effector in the lower bone's space
    Vec3s16 pole{};          ///< direction in model space
    friend bool operator==(const IkChain&, const IkChain&) = default;
};

struct IkTable {
    std::int8_t hip = 0, head = -1;
    Vec3s16 head_forward{};
    std::array<IkChain, 4> chains{};            ///< left arm, right arm, left leg, right leg
    friend bool operator==(const IkTable&, const IkTable&) = default;
};

struct Quad {
    std::array<std::uint16_t, 4> corners{};
    std::array<std::uint16_t, 2> triangles{};
    friend bool operator==(const Quad&, const Quad&) = default;
};

struct Document {
    std::vector<Vertex> vertices;
    std::vector<Triangle> triangles;
    std::vector<Bone> bones;
    std::uint16_t slots = 0;                    ///< ntrans: translations in each frame
    std::vector<Clip> clips;
    std::optional<IkTable> ik;
    std::vector<std::array<std::uint16_t, 2>> edges;
    std::vector<Quad> quads;
    friend bool operator==(const Document&, const Document&) = default;
};

/// The clip's name up to its first zero, as the bytes are.
[[nodiscard]] std::string clip_name(const Clip& clip);
/// The same as text: UTF-8 without control characters (core::clean_text).
[[nodiscard]] std::string clip_text(const Clip& clip);

/// Start and number of what each bone owns, for a list ordered by bone; (0, 0) for nothing.
struct BoneRange {
    std::uint16_t start = 0, count = 0;
    friend bool operator==(const BoneRange&, const BoneRange&) = default;
};
[[nodiscard]] std::vector<BoneRange> vertex_ranges(const Document& document);
[[nodiscard]] std::vector<BoneRange> triangle_ranges(const Document& document);

}  // namespace gomkit::ps1
