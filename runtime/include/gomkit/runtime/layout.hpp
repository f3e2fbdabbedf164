#pragma once
// The byte table of GOM v1 and MTA v1 (gom.md 2, 3): offsets, sizes, fourccs, enum values and flag bits. Offsets are in bytes
// from the start of the structure named by the namespace; k*Size are sizes in bytes. All numbers are little-endian, all floats
// binary32, all matrices 16 floats row-major for row vectors with the translation in elements 12..14.

#include <array>
#include <cstddef>
#include <cstdint>

namespace gomkit::runtime::layout {

// A fourcc as read little-endian from four characters of the file.
[[nodiscard]] constexpr std::uint32_t fourcc(char a, char b, char c, char d) noexcept {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(a)) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(b)) << 8 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(c)) << 16 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(d)) << 24;
}

// "STR0" and the like; a literal of three characters ("VB0") gives a NUL as the fourth.
template <std::size_t N>
requires(N == 4 || N == 5) [[nodiscard]] constexpr std::uint32_t fourcc(const char (&text)[N]) noexcept {
    return fourcc(text[0], text[1], text[2], N == 5 ? text[3] : '\0');
}

// Four bytes in [A-Z0-9], or three and a NUL (gom.md 3).
[[nodiscard]] constexpr bool is_legal_fourcc(std::uint32_t value) noexcept {
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t c = value >> (8 * i) & 0xFFU;
        const bool legal = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (i == 3 && c == 0);
        if (!legal) return false;
    }
    return true;
}

inline constexpr std::uint32_t kNone = 0xFFFF'FFFFU;  // a string id that names nothing
inline constexpr std::int32_t kNoParent = -1;         // SKEL parent of a root
inline constexpr std::int32_t kNoRootBone = -1;       // CLP0 rootBoneIndex
inline constexpr std::size_t kAlignment = 16;         // of chunk headers, in the file; and of the file in memory
inline constexpr std::uint64_t kMaxFileBytes = 4ULL << 30;
inline constexpr std::size_t kMatrixSize = 64;
inline constexpr std::size_t kSha256Size = 32;

// Top-level chunks, and the children of MSH0.
inline constexpr std::uint32_t kStr0 = fourcc("STR0");
inline constexpr std::uint32_t kMatl = fourcc("MATL");
inline constexpr std::uint32_t kSkel = fourcc("SKEL");
inline constexpr std::uint32_t kMrpc = fourcc("MRPC");
inline constexpr std::uint32_t kMsh0 = fourcc("MSH0");
inline constexpr std::uint32_t kAnim = fourcc("ANIM");
inline constexpr std::uint32_t kClp0 = fourcc("CLP0");
inline constexpr std::uint32_t kMrpa = fourcc("MRPA");
inline constexpr std::uint32_t kCtbl = fourcc("CTBL");
inline constexpr std::uint32_t kVb0 = fourcc("VB0");
inline constexpr std::uint32_t kIb0 = fourcc("IB0");
inline constexpr std::uint32_t kSub0 = fourcc("SUB0");
inline constexpr std::uint32_t kIbnd = fourcc("IBND");
inline constexpr std::uint32_t kBnd0 = fourcc("BND0");
inline constexpr std::uint32_t kGbtm = fourcc("GBTM");
inline constexpr std::uint32_t kMrph = fourcc("MRPH");

// Written order of top-level chunks. SKEL, MRPC, ANIM and CLP0 may be absent; MSH0 and CLP0 repeat. MTA: STR0, ANIM, CLP0*, CTBL.
// An MRPA has no place of its own: it follows the CLP0 that it belongs to.
inline constexpr std::array<std::uint32_t, 8> kTopLevelOrder = {kStr0, kMatl, kSkel, kMrpc, kMsh0, kAnim, kClp0, kCtbl};
// Written order of MSH0's children that may occur once; MRPH, which repeats, follow. GBTM only when it is not exactly the identity.
inline constexpr std::array<std::uint32_t, 6> kMeshChildOrder = {kVb0, kIb0, kSub0, kIbnd, kBnd0, kGbtm};

[[nodiscard]] constexpr bool is_top_level(std::uint32_t value) noexcept {
    for (const std::uint32_t known : kTopLevelOrder)
        if (known == value) return true;
    return value == kMrpa;
}
[[nodiscard]] constexpr bool is_mesh_child(std::uint32_t value) noexcept {
    for (const std::uint32_t known : kMeshChildOrder)
        if (known == value) return true;
    return value == kMrph;
}

// The next multiple of 16 at or above a file offset: where the chunk after a payload that ends at `offset` starts.
[[nodiscard]] constexpr std::uint64_t align16(std::uint64_t offset) noexcept { return (offset + 15U) & ~std::uint64_t{15}; }

// File header, 512 bytes (gom.md 2).
namespace header {
inline constexpr std::size_t kSize = 512;
inline constexpr std::size_t kMagic = 0;                // char[8]
inline constexpr std::size_t kHeaderSize = 8;           // u32, 512
inline constexpr std::size_t kFormatVersion = 12;       // u32, 1
inline constexpr std::size_t kCoordinateSystem = 16;    // u32, 1
inline constexpr std::size_t kMatrixConvention = 20;    // u32, 1
inline constexpr std::size_t kSourceHash = 24;          // u8[32], SHA-256 of the source file; all zero = unknown
inline constexpr std::size_t kConverterVersionId = 56;  // u32 string id or kNone
inline constexpr std::size_t kValidationFlags = 60;     // u32, validation::k*; 0 in MTA
inline constexpr std::size_t kChunkTableOffset = 64;    // u64, file offset of CTBL's payload, 0 = none
inline constexpr std::size_t kChunkTableCount = 72;     // u32
inline constexpr std::size_t kReserved = 76;            // u8[436], 0 (GOM)
inline constexpr std::size_t kSkeletonSignature = 76;   // u8[32] (MTA)
inline constexpr std::size_t kMotionReserved = 108;     // u8[404], 0 (MTA)
inline constexpr std::size_t kMagicSize = 8;
inline constexpr std::array<char, 8> kModelMagic = {'G', 'O', 'M', 'B', '0', '0', '0', '1'};
inline constexpr std::array<char, 8> kMotionMagic = {'M', 'T', 'A', 'B', '0', '0', '0', '1'};
inline constexpr std::array<char, 8> kTextMagic = {'G', 'O', 'M', 'T', '0', '0', '0', '1'};
inline constexpr std::array<char, 8> kMotionTextMagic = {'M', 'T', 'A', 'T',
                                                         '0', '0', '0', '1'};  // refused: MTA has no text form in v1
inline constexpr std::uint32_t kFormatVersion1 = 1;
inline constexpr std::uint32_t kLeftHandedYUpMetres = 1;
inline constexpr std::uint32_t kRowMajorRowVector = 1;
inline constexpr std::uint64_t kMinChunkTableOffset = 528;  // header, then at least CTBL's own chunk header
}  // namespace header

// validationFlags (gom.md 9): what the converter checked and found true.
namespace validation {
inline constexpr std::uint32_t kBindMatrices = 1U << 0;
inline constexpr std::uint32_t kWeights = 1U << 1;
inline constexpr std::uint32_t kSubmeshCover = 1U << 2;
inline constexpr std::uint32_t kIndices = 1U << 3;
inline constexpr std::uint32_t kBoneIndices = 1U << 4;
inline constexpr std::uint32_t kMaterialIndices = 1U << 5;
inline constexpr std::uint32_t kAll = 0x3F;
}  // namespace validation

// Chunk header; the payload follows, then zeros up to the next multiple of 16 of the file offset (gom.md 3).
namespace chunk {
inline constexpr std::size_t kHeaderSize = 16;
inline constexpr std::size_t kFourcc = 0;
inline constexpr std::size_t kPayloadSize = 4;  // u32, without header and padding
inline constexpr std::size_t kVersion = 8;      // u32, 1
inline constexpr std::size_t kFlags = 12;       // u32, 0
inline constexpr std::uint32_t kVersion1 = 1;
}  // namespace chunk

// CTBL payload: one entry for each other top-level chunk, in file order.
namespace ctbl {
inline constexpr std::size_t kEntrySize = 16;
inline constexpr std::size_t kEntryFourcc = 0;
inline constexpr std::size_t kEntryPayloadSize = 4;  // u32, equal to the chunk header's
inline constexpr std::size_t kEntryOffset = 8;       // u64, file offset of the chunk's header
}  // namespace ctbl

// STR0 payload: u32 count; u32 offsets[count]; char data[]. Offsets count from data.
namespace str0 {
inline constexpr std::size_t kCount = 0;
inline constexpr std::size_t kOffsets = 4;
inline constexpr std::size_t kOffsetSize = 4;
}  // namespace str0

// MATL payload: u32 count; slot[count].
namespace matl {
inline constexpr std::size_t kCount = 0;
inline constexpr std::size_t kSlots = 4;
inline constexpr std::size_t kSlotSize = 68;
inline constexpr std::size_t kNameId = 0;          // u32
inline constexpr std::size_t kFlags = 4;           // u32, 0
inline constexpr std::size_t kKd = 8;              // f32[3], diffuse, linear
inline constexpr std::size_t kKs = 20;             // f32[3], specular, linear
inline constexpr std::size_t kKe = 32;             // f32[3], emissive, linear
inline constexpr std::size_t kShininess = 44;      // f32
inline constexpr std::size_t kOpacity = 48;        // f32
inline constexpr std::size_t kDiffuseMapId = 52;   // u32
inline constexpr std::size_t kNormalMapId = 56;    // u32
inline constexpr std::size_t kSpecularMapId = 60;  // u32
inline constexpr std::size_t kEmissiveMapId = 64;  // u32
inline constexpr std::size_t kFirstFloat = 8;      // kd .. opacity are 11 floats in a row
inline constexpr std::size_t kFloatCount = 11;
}  // namespace matl

// SKEL payload: u32 boneCount; i32 parent[n]; u32 nameId[n]; u32 pathId[n]; f32 bindLocal[n][16].
namespace skel {
inline constexpr std::size_t kBoneCount = 0;
inline constexpr std::size_t kParents = 4;
inline constexpr std::size_t kBytesPerBone = 4 + 4 + 4 + 64;
[[nodiscard]] constexpr std::uint64_t name_ids(std::uint64_t bone_count) noexcept { return 4 + 4 * bone_count; }
[[nodiscard]] constexpr std::uint64_t path_ids(std::uint64_t bone_count) noexcept { return 4 + 8 * bone_count; }
[[nodiscard]] constexpr std::uint64_t bind_locals(std::uint64_t bone_count) noexcept { return 4 + 12 * bone_count; }
}  // namespace skel

// MSH0 payload: this header, then child chunks.
namespace msh0 {
inline constexpr std::size_t kHeaderSize = 32;
inline constexpr std::size_t kNameId = 0;        // u32
inline constexpr std::size_t kVertexFormat = 4;  // u32, 1
inline constexpr std::size_t kVertexCount = 8;   // u32
inline constexpr std::size_t kIndexCount = 12;   // u32
inline constexpr std::size_t kBoneCount = 16;    // u32, 0 = unskinned
inline constexpr std::size_t kFlags = 20;        // u32
inline constexpr std::size_t kReserved = 24;     // u32[2]
inline constexpr std::uint32_t kIndices16Bit = 1U << 0;
inline constexpr std::uint32_t kHasGbtm = 1U << 1;
inline constexpr std::uint32_t kKnownFlags = 3;
inline constexpr std::uint32_t kVf01 = 1;
}  // namespace msh0

// VB0 payload: this header, then vertices.
namespace vb0 {
inline constexpr std::size_t kHeaderSize = 16;
inline constexpr std::size_t kVertexCount = 0;   // u32
inline constexpr std::size_t kStride = 4;        // u32, 72
inline constexpr std::size_t kVertexFormat = 8;  // u32, 1
inline constexpr std::size_t kReserved = 12;     // u32
}  // namespace vb0

// A vertex of format 1, in geometry space.
namespace vf01 {
inline constexpr std::size_t kSize = 72;
inline constexpr std::size_t kPosition = 0;     // f32[3], metres
inline constexpr std::size_t kNormal = 12;      // f32[3]
inline constexpr std::size_t kTangent = 24;     // f32[4], w = +1 or -1
inline constexpr std::size_t kUv0 = 40;         // f32[2], origin top-left, v down
inline constexpr std::size_t kBoneIndex = 48;   // u16[4], SKEL indices
inline constexpr std::size_t kBoneWeight = 56;  // f32[4]
inline constexpr std::size_t kFloatsBeforeBones = 12;
inline constexpr std::size_t kInfluences = 4;
}  // namespace vf01

// IB0 payload: this header, then a triangle list.
namespace ib0 {
inline constexpr std::size_t kHeaderSize = 16;
inline constexpr std::size_t kIndexCount = 0;  // u32
inline constexpr std::size_t kIndexSize = 4;   // u32, written 4, read 4 or 2
inline constexpr std::size_t kReserved = 8;    // u32[2]
inline constexpr std::uint32_t kWrittenIndexSize = 4;
}  // namespace ib0

// SUB0 payload: u32 count; submesh[count].
namespace sub0 {
inline constexpr std::size_t kCount = 0;
inline constexpr std::size_t kSubmeshes = 4;
inline constexpr std::size_t kSubmeshSize = 12;
inline constexpr std::size_t kMaterialIndex = 0;  // i32
inline constexpr std::size_t kIndexStart = 4;     // u32
inline constexpr std::size_t kIndexCount = 8;     // u32, a non-zero multiple of 3
}  // namespace sub0

// IBND payload: u32 boneCount; f32 inverseBind[boneCount][16] (geometry space to bone space).
namespace ibnd {
inline constexpr std::size_t kBoneCount = 0;
inline constexpr std::size_t kMatrices = 4;
}  // namespace ibnd

// BND0 payload: bounds of the stored positions.
namespace bnd0 {
inline constexpr std::size_t kSize = 40;
inline constexpr std::size_t kAabbMin = 0;        // f32[3]
inline constexpr std::size_t kAabbMax = 12;       // f32[3]
inline constexpr std::size_t kSphereCenter = 24;  // f32[3]
inline constexpr std::size_t kSphereRadius = 36;  // f32
}  // namespace bnd0

// GBTM payload: f32 meshBindGeoToModel[16].
namespace gbtm {
inline constexpr std::size_t kSize = 64;
}

// MRPC payload (docs/spec/morph.md): this header, channel[channelCount], f32 shapeWeight[shapeCount].
namespace mrpc {
inline constexpr std::size_t kChannelCount = 0;  // u32
inline constexpr std::size_t kShapeCount = 4;    // u32, of all channels
inline constexpr std::size_t kChannels = 8;
inline constexpr std::size_t kChannelSize = 12;
inline constexpr std::size_t kNameId = 0;         // u32
inline constexpr std::size_t kDefaultWeight = 4;  // f32
inline constexpr std::size_t kShapeEnd = 8;       // u32, shapes of this channel and all before it
[[nodiscard]] constexpr std::uint64_t shape_weights(std::uint64_t channel_count) noexcept { return 8 + 12 * channel_count; }
}  // namespace mrpc

// MRPH payload: this header, then u32 vertex[n], f32 position[n][3], f32 normal[n][3].
namespace mrph {
inline constexpr std::size_t kHeaderSize = 16;
inline constexpr std::size_t kChannel = 0;      // u32
inline constexpr std::size_t kShape = 4;        // u32, among the channel's
inline constexpr std::size_t kVertexCount = 8;  // u32
inline constexpr std::size_t kReserved = 12;    // u32
inline constexpr std::size_t kBytesPerVertex = 4 + 12 + 12;
[[nodiscard]] constexpr std::uint64_t positions(std::uint64_t vertex_count) noexcept { return 16 + 4 * vertex_count; }
[[nodiscard]] constexpr std::uint64_t normals(std::uint64_t vertex_count) noexcept { return 16 + 16 * vertex_count; }
}  // namespace mrph

// MRPA payload: this header, then tracks of variable size. It follows the CLP0 whose weights it holds.
namespace mrpa {
inline constexpr std::size_t kHeaderSize = 8;
inline constexpr std::size_t kTrackCount = 0;  // u32
inline constexpr std::size_t kReserved = 4;    // u32
inline constexpr std::size_t kTrackHeaderSize = 8;
inline constexpr std::size_t kTrackChannel = 0;   // u32
inline constexpr std::size_t kTrackKeyCount = 4;  // u32
inline constexpr std::size_t kKeySize = 8;        // f32 time, f32 value
}  // namespace mrpa

// ANIM payload: u32 clipCount. The clips follow as top-level chunks.
namespace anim {
inline constexpr std::size_t kSize = 4;
inline constexpr std::size_t kClipCount = 0;
}  // namespace anim

// CLP0 payload: this header, then tracks of variable size.
namespace clp0 {
inline constexpr std::size_t kHeaderSize = 24;
inline constexpr std::size_t kNameId = 0;         // u32
inline constexpr std::size_t kDuration = 4;       // f32, seconds
inline constexpr std::size_t kRootBoneIndex = 8;  // i32, -1 = none
inline constexpr std::size_t kInterpMode = 12;    // u32, 1
inline constexpr std::size_t kFlags = 16;         // u32
inline constexpr std::size_t kTrackCount = 20;    // u32
inline constexpr std::uint32_t kHasRootMotion = 1U << 0;
inline constexpr std::uint32_t kLoop = 1U << 1;
inline constexpr std::uint32_t kKnownFlags = 3;
inline constexpr std::uint32_t kLinearSlerp = 1;
// A track: this header, then translation keys, rotation keys, scale keys.
inline constexpr std::size_t kTrackHeaderSize = 16;
inline constexpr std::size_t kTrackBoneIndex = 0;         // u32
inline constexpr std::size_t kTrackTranslationCount = 4;  // u32
inline constexpr std::size_t kTrackRotationCount = 8;     // u32
inline constexpr std::size_t kTrackScaleCount = 12;       // u32
inline constexpr std::size_t kVectorKeySize = 16;         // f32 time, f32 v[3]
inline constexpr std::size_t kRotationKeySize = 20;       // f32 time, f32 q[4] as x y z w
inline constexpr std::size_t kKeyTime = 0;
inline constexpr std::size_t kKeyValue = 4;
}  // namespace clp0

// Tolerances of gom.md.
namespace tolerance {
inline constexpr double kLastColumn = 1e-6;           // error above (1, matrices)
inline constexpr double kQuaternionMinLength = 1e-6;  // error below (1, quaternion)
inline constexpr double kQuaternionLength = 1e-4;     // warning above (1, quaternion)
inline constexpr double kWeightSum = 1e-4;            // error above (5)
inline constexpr double kWeightSumWarning = 1e-6;     // warning above (5)
inline constexpr double kUnitLength = 1e-3;           // warning above (1, normals and tangents)
inline constexpr double kTangentDotNormal = 1e-3;     // warning above (1, normals and tangents)
inline constexpr double kBindMatrix = 1e-5;           // bit 0 (9)
inline constexpr double kSphere = 1e-6;               // relative slack of BND0's radius (3, BND0)
inline constexpr double kBindDecomposition = 1e-5;    // the writer gives all three channels above (3, channels without keys)
}  // namespace tolerance

}  // namespace gomkit::runtime::layout
