#pragma once

#include <cstddef>
#include <cstdint>

/// Offsets, sizes and limits of docs/spec/km3.md.
namespace gomkit::km3::layout {

namespace header {
inline constexpr std::size_t kModels = 0;          // u32 n_models
inline constexpr std::size_t kRecords = 4;         // u32 n_x_models
inline constexpr std::size_t kBox = 8;             // f32[6]: minimum, maximum
inline constexpr std::size_t kSize = 32;
}  // namespace header

namespace record {
inline constexpr std::size_t kType = 0;            // u32
inline constexpr std::size_t kPolygons = 4;        // u32 n_prims
inline constexpr std::size_t kBox = 8;             // f32[6]
inline constexpr std::size_t kOrigin = 32;         // f32[3] tx ty tz
inline constexpr std::size_t kParent = 44;         // i32
inline constexpr std::size_t kExtend = 48;         // i32
inline constexpr std::size_t kVertexCount = 52;    // u32 n_verts
inline constexpr std::size_t kVerts = 56;          // u32 offset
inline constexpr std::size_t kVid = 60;            // u32 offset
inline constexpr std::size_t kNormalCount = 64;    // u32 n_norms
inline constexpr std::size_t kNorms = 68;          // u32 offset
inline constexpr std::size_t kNid = 72;            // u32 offset
inline constexpr std::size_t kUvs = 76;            // u32 offset
inline constexpr std::size_t kTexName = 80;        // u32 offset
inline constexpr std::size_t kRgbs = 84;           // u32 offset
inline constexpr std::size_t kSize = 88;
}  // namespace record

inline constexpr std::size_t kVertexSize = 16;     // f32 x y z w; normals alike
inline constexpr std::size_t kIndexSize = 8;       // u16[4]
inline constexpr std::size_t kUvSize = 32;         // f32[8]
inline constexpr std::size_t kNameSize = 4;        // u32 offset

inline constexpr std::size_t kAlignment = 16;      // of every array, the string pool and the file's end
inline constexpr std::uint32_t kMostRead = 65'536; // vertices or normals of one unit
inline constexpr std::uint32_t kMostWritten = 60'000;
inline constexpr std::size_t kMostNameBytes = 255;

namespace type {
inline constexpr std::uint32_t kGt4 = 0x0001;
inline constexpr std::uint32_t kTrans = 0x0002;
inline constexpr std::uint32_t kNoShade = 0x0004;
inline constexpr std::uint32_t kRaised = 0x0100;
inline constexpr std::uint32_t kSunken = 0x0200;
inline constexpr std::uint32_t kTwoSide = 0x0400;
inline constexpr std::uint32_t kTwoClip = 0x0800;
inline constexpr std::uint32_t kDrawFlags = kRaised | kSunken | kTwoClip;       // kept as numbers
inline constexpr std::uint32_t kMaterial = kTrans | kNoShade | kTwoSide | kDrawFlags;
inline constexpr std::uint32_t kKnown = kGt4 | kMaterial;
}  // namespace type

}  // namespace gomkit::km3::layout
