#pragma once
// Results of the run-time: a status code, and a fixed-size record that says where a file is at fault.

#include <cstdint>
#include <string_view>

namespace gomkit::runtime {

// What a run-time call came to. Values are pinned: new ones are appended, none is renumbered.
enum class Status : std::uint16_t {
    Ok = 0,

    // The caller's memory, not the file.
    Misaligned = 1,   // the first byte does not lie at the multiple it has to: of 16 for a file
    WrongSize = 3,    // a span of a job has not the size its counts ask for
    NotBound = 4,     // a context was never bound, or its memory has been given to another since
    BadArgument = 5,  // a member of a job is outside its range, or two of them contradict each other

    // A limit of Limits was exceeded; ErrorInfo::limit names it (gom.md 8).
    LimitExceeded = 2,

    // File header (gom.md 2).
    TooShort = 10,             // fewer than 512 bytes
    BadMagic = 11,             // none of the magics this family of formats has
    IsMotion = 12,             // MTAB0001 where a model is wanted
    IsText = 13,               // GOMT0001 where a model is wanted: the text form, not the binary one
    IsMotionText = 14,         // MTAT0001: MTA has no text form in v1
    BadHeader = 15,            // headerSize is not 512
    BadVersion = 16,           // formatVersion is not 1
    BadCoordinateSystem = 17,  // coordinateSystem is not 1
    BadMatrixConvention = 18,  // matrixConvention is not 1
    BadChunkTable = 19,        // chunkTableOffset below 528, table outside the file, or a count without an offset
    IsModel = 20,              // GOMB0001 where a motion is wanted
    IsModelText = 21,          // GOMT0001 where a motion is wanted

    // Chunk walk (gom.md 3).
    BadFourcc = 30,        // a byte outside [A-Z0-9] (and no NUL as the fourth)
    BadChunk = 31,         // the payload passes the end of its container
    TrailingBytes = 32,    // fewer than 16 bytes are left in a container, and they are not zero
    BadChunkVersion = 33,  // a known chunk's version is not 1
    DuplicateChunk = 34,   // a chunk that may occur once occurs again in its container
    MissingChunk = 35,     // a required chunk is absent
    MisplacedChunk = 36,   // a child's fourcc at top level, a top-level one inside MSH0, or a model's chunk in a motion
    BadChunkSize = 37,     // the payload's size is not what its counts ask for

    // STR0 (gom.md 3, STR0; gom.md 1, strings).
    BadStringOffset = 50,     // an offset lies outside data
    UnterminatedString = 51,  // no NUL between the offset and the payload's end
    BadUtf8 = 52,             // a string is not well-formed UTF-8
    ControlCharacter = 53,    // a byte below 0x20 or 0x7F in a string
    ByteOrderMark = 54,       // a string starts with U+FEFF
    BadStringId = 55,         // an id is neither none nor below STR0's count
    MissingName = 56,         // a bone's name or path, or a clip's or channel's name, is none (or "", which is none)

    // Numbers, anywhere.
    NonFinite = 70,       // NaN or infinity
    BadMatrix = 71,       // the last column is off from 0 0 0 1 by more than 1e-6
    SingularMatrix = 72,  // a bindLocal's 3x3 has the determinant 0

    // SKEL (gom.md 3, SKEL).
    NoBones = 80,         // boneCount is 0
    BadParent = 81,       // parent is neither -1 nor below the bone's own index
    BonesNotSorted = 82,  // a path is byte-wise less than the one before
    DuplicatePath = 83,   // two bones have the same path
    BadBonePath = 84,     // a path is not the parent's path, '/', and the bone's own component

    // MSH0 and its children (gom.md 3, MSH0; gom.md 5).
    BadVertexFormat = 100,   // vertexFormat is not 1 (VF01)
    EmptyPart = 101,         // no vertex, or no triangle
    FlagMismatch = 102,      // flags bit 0 or 1 disagrees with IB0 or GBTM
    CountMismatch = 103,     // a child's count is not its MSH0's, or ANIM's not the number of CLP0
    BadStride = 104,         // VB0's stride is not 72
    BadIndexSize = 105,      // IB0's indexSizeBytes is neither 4 nor 2
    BadIndex = 106,          // an index is not below vertexCount
    BadSubmesh = 107,        // submeshes do not cover [0, indexCount) in order, or one is empty or not a multiple of 3
    BadMaterialIndex = 108,  // materialIndex is not in 0..slots-1
    BadBoneCount = 109,      // boneCount is neither 0 nor SKEL's
    BadBoneIndex = 110,      // a bone index (vertex, track or root) is not below boneCount; of a motion alone: below the limit
    NegativeWeight = 111,    // a skinned part's weight is below 0
    BadWeightSum = 112,      // a skinned part's weights sum to 1 only within more than 1e-4

    // ANIM, CLP0 (gom.md 3, ANIM, CLP0).
    DuplicateClipName = 130,  // in one file, or in a model and the motions used with it
    BadDuration = 131,        // negative
    BadInterpMode = 132,      // not 1
    DuplicateTrack = 133,     // two tracks of one clip move the same bone
    BadKeyTime = 134,         // outside [0, duration], or not greater than the one before
    ZeroQuaternion = 135,     // length below 1e-6

    // MRPC, MRPH, MRPA (docs/spec/morph.md).
    BadMorphShapes = 140,    // a channel without a shape, or shapeCount is not the number of all channels' shapes
    BadMorphOrder = 141,     // channels, shapes of a part or weight tracks are not in strictly ascending order
    BadMorphWeight = 142,    // weights of a channel's shapes are not strictly ascending, or one is 0
    BadMorphChannel = 143,   // a channel or shape index is not below its count
    BadMorphVertex = 144,    // a shape's vertices are not strictly ascending, or one is not below vertexCount
    MorphWithoutClip = 145,  // the chunk before an MRPA is no CLP0

    // A model and a motion (gom.md 4).
    NoSkeleton = 150,         // the model has no bones
    SignatureMismatch = 151,  // the motion was made for another skeleton
};

// Which member of Limits was exceeded.
enum class LimitId : std::uint16_t {
    None = 0,
    Bones,
    Vertices,
    Indices,
    Submeshes,
    MeshParts,
    MaterialSlots,
    Clips,
    TracksPerClip,
    KeysPerClip,
    Strings,
    StringBytes,
    FileBytes,
    TextNesting,
    MorphChannels,
    MorphShapes,
    MorphVertices,
};

// How ErrorInfo::found and ErrorInfo::expected are to be read.
enum class ValueKind : std::uint8_t {
    None,      // neither is meaningful
    Unsigned,  // integers
    Signed,    // two's complement, sign-extended to 64 bits
    Float,     // the bit pattern of a double
    Fourcc,    // a fourcc in the low 32 bits, as read little-endian
};

// Where and why verify() refused a file. Fixed size; filled on failure, reset to its defaults on success.
struct ErrorInfo {
    Status status = Status::Ok;
    LimitId limit = LimitId::None;  // for Status::LimitExceeded
    ValueKind kind = ValueKind::None;
    char part[96] = {};  // NUL-terminated, cut when too long: "MSH0[3].VB0.vertex[17].boneIndex[2]"; fields by their gom.md names
    std::uint64_t byte_offset = 0;  // of the field's first byte, or of the chunk's header; from the start of the file
    std::uint64_t found = 0;        // the value in the file
    std::uint64_t expected = 0;     // the value wanted; for a range its inclusive bound; the limit for LimitExceeded
};

// One English sentence, without a full stop, for any status. Static storage, never null.
[[nodiscard]] const char* message(Status status) noexcept;

// The enumerator's spelling ("BadFourcc"). Static storage; "Unknown" for a value without a name.
[[nodiscard]] const char* name(Status status) noexcept;

// The name of a limit as in gom.md 8 ("vertices"). Static storage; "none" for LimitId::None.
[[nodiscard]] const char* name(LimitId limit) noexcept;

// Where a status is explained: a section of gom.md, mta.md or morph.md ("gom.md 3, SKEL"), or a header. Static storage, never null.
[[nodiscard]] const char* source(Status status) noexcept;

}  // namespace gomkit::runtime
