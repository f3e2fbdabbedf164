#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Offsets, sizes and limits of docs/spec/ps1m.md.
namespace gomkit::ps1::layout {

inline constexpr std::string_view kMagicText = "PS1M";

namespace header {
inline constexpr std::size_t kMagic = 0;           // char[4] "PS1M"
inline constexpr std::size_t kVertexCount = 4;     // u16
inline constexpr std::size_t kTriangleCount = 6;   // u16
inline constexpr std::size_t kBoneCount = 8;       // u16
inline constexpr std::size_t kClipCount = 10;      // u16
inline constexpr std::size_t kSlotCount = 12;      // u16 ntrans
inline constexpr std::size_t kEdgeCount = 14;      // u16
inline constexpr std::size_t kVertices = 16;       // u32 offset
inline constexpr std::size_t kTriangles = 20;      // u32 offset
inline constexpr std::size_t kBones = 24;          // u32 offset
inline constexpr std::size_t kClips = 28;          // u32 offset
inline constexpr std::size_t kIk = 32;             // u32 offset, 0: none
inline constexpr std::size_t kEdges = 36;          // u32 offset, 0: none
inline constexpr std::size_t kOldSize = 40;        // where the vertices begin in the two older generations
inline constexpr std::size_t kQuads = 40;          // u32 offset, 0: none
inline constexpr std::size_t kQuadCount = 44;      // u16
inline constexpr std::size_t kPad = 46;            // u16
inline constexpr std::size_t kSize = 48;
}  // namespace header

inline constexpr std::size_t kVertexSize = 16;
inline constexpr std::size_t kTriangleSize = 16;
inline constexpr std::size_t kBoneSize = 18;
inline constexpr std::size_t kClipSize = 24;
inline constexpr std::size_t kRotationSize = 8;    // of one bone in one frame; a translation too
inline constexpr std::size_t kIkSize = 76;
inline constexpr std::size_t kChainSize = 16;
inline constexpr std::size_t kEdgeSize = 4;
inline constexpr std::size_t kQuadSize = 12;
inline constexpr std::size_t kNameSize = 16;

inline constexpr std::size_t kMostBones = 64;      // what the console's arrays hold
inline constexpr std::size_t kMostVertices = 8192; // triangles likewise
inline constexpr std::size_t kTextureSlots = 3;

inline constexpr std::uint8_t kDoubleSided = 1;    // of a triangle
inline constexpr std::uint8_t kMoves = 1;          // of a bone: a translation in every frame
inline constexpr std::uint8_t kNoSlot = 255;

}  // namespace gomkit::ps1::layout
