#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {
namespace {

struct Row {
    Status status;
    const char* name;
    const char* source;
    const char* message;
};

constexpr Row kRows[] = {
    {Status::Ok, "Ok", "", "no error"},
    {Status::Misaligned, "Misaligned", "the call's header",
     "the memory does not start at the multiple it has to: 16 for a file's bytes"},
    {Status::WrongSize, "WrongSize", "the job's header", "a span has not the size that its counts ask for"},
    {Status::NotBound, "NotBound", "sample_job.hpp", "the context is not bound, or its memory has been given to another"},
    {Status::BadArgument, "BadArgument", "the job's header", "a member of the job is outside its range"},
    {Status::LimitExceeded, "LimitExceeded", "gom.md 8", "the file holds more than the caller's limits allow"},
    {Status::TooShort, "TooShort", "gom.md 2", "the file is shorter than its 512 byte header"},
    {Status::BadMagic, "BadMagic", "gom.md 2", "the file is neither a GOM nor an MTA: its magic is none that is known"},
    {Status::IsMotion, "IsMotion", "gom.md 2", "the file is a motion (MTAB0001), not a model (GOMB0001)"},
    {Status::IsText, "IsText", "gom.md 2", "the file is the text form (GOMT0001); only the binary form (GOMB0001) is read here"},
    {Status::IsMotionText, "IsMotionText", "gom.md 2", "MTA has no text form in v1; only MTAB0001 is supported"},
    {Status::BadHeader, "BadHeader", "gom.md 2", "headerSize is not 512"},
    {Status::BadVersion, "BadVersion", "gom.md 2", "formatVersion is not 1"},
    {Status::BadCoordinateSystem, "BadCoordinateSystem", "gom.md 2", "coordinateSystem is not 1 (left-handed, Y up, metres)"},
    {Status::BadMatrixConvention, "BadMatrixConvention", "gom.md 2", "matrixConvention is not 1 (row-major, row vectors)"},
    {Status::BadChunkTable, "BadChunkTable", "gom.md 3, CTBL", "the chunk table cannot lie where the header says"},
    {Status::IsModel, "IsModel", "mta.md 1", "the file is a model (GOMB0001), not a motion (MTAB0001)"},
    {Status::IsModelText, "IsModelText", "mta.md 1", "the file is a model in its text form (GOMT0001), not a motion (MTAB0001)"},
    {Status::BadFourcc, "BadFourcc", "gom.md 3", "a chunk's fourcc holds a byte that is not allowed"},
    {Status::BadChunk, "BadChunk", "gom.md 3", "a chunk's payload passes the end of what contains it"},
    {Status::TrailingBytes, "TrailingBytes", "gom.md 3", "bytes that are neither a chunk nor zero follow the last chunk"},
    {Status::BadChunkVersion, "BadChunkVersion", "gom.md 3", "a chunk's version is not 1"},
    {Status::DuplicateChunk, "DuplicateChunk", "gom.md 3", "a chunk that may occur once occurs again"},
    {Status::MissingChunk, "MissingChunk", "gom.md 3", "a required chunk is absent"},
    {Status::MisplacedChunk, "MisplacedChunk", "gom.md 3", "a chunk stands in a place that is not its own"},
    {Status::BadChunkSize, "BadChunkSize", "gom.md 3", "a chunk's size is not what its counts ask for"},
    {Status::BadStringOffset, "BadStringOffset", "gom.md 3, STR0", "a string's offset lies outside the string data"},
    {Status::UnterminatedString, "UnterminatedString", "gom.md 3, STR0", "a string has no NUL inside the payload"},
    {Status::BadUtf8, "BadUtf8", "gom.md 3, STR0", "a string is not well-formed UTF-8"},
    {Status::ControlCharacter, "ControlCharacter", "gom.md 1, strings", "a string holds a control character"},
    {Status::ByteOrderMark, "ByteOrderMark", "gom.md 1, strings", "a string starts with a byte order mark"},
    {Status::BadStringId, "BadStringId", "gom.md 3, STR0", "a string id is neither none nor below the number of strings"},
    {Status::MissingName, "MissingName", "gom.md 3, STR0", "a bone, clip or channel has no name or path"},
    {Status::NonFinite, "NonFinite", "gom.md 1, numbers", "a number is NaN or infinite"},
    {Status::BadMatrix, "BadMatrix", "gom.md 1, matrices", "a matrix's last column is not 0 0 0 1"},
    {Status::SingularMatrix, "SingularMatrix", "gom.md 3, SKEL", "a bone's bind matrix is singular"},
    {Status::NoBones, "NoBones", "gom.md 3", "a skeleton has no bone"},
    {Status::BadParent, "BadParent", "gom.md 3, SKEL", "a bone's parent is neither none nor a bone before it"},
    {Status::BonesNotSorted, "BonesNotSorted", "gom.md 3, SKEL", "bones are not sorted by path"},
    {Status::DuplicatePath, "DuplicatePath", "gom.md 3, SKEL", "two bones have the same path"},
    {Status::BadBonePath, "BadBonePath", "gom.md 3, SKEL",
     "a bone's path is not its parent's path, a slash and its own component"},
    {Status::BadVertexFormat, "BadVertexFormat", "gom.md 3, MSH0", "vertexFormat is not 1 (VF01)"},
    {Status::EmptyPart, "EmptyPart", "gom.md 3", "a mesh part has no vertex or no triangle"},
    {Status::FlagMismatch, "FlagMismatch", "gom.md 3, MSH0", "a mesh part's flags disagree with its chunks"},
    {Status::CountMismatch, "CountMismatch", "gom.md 3", "two counts of the same thing differ"},
    {Status::BadStride, "BadStride", "gom.md 3, VB0", "the vertex stride is not 72"},
    {Status::BadIndexSize, "BadIndexSize", "gom.md 3, IB0", "the index size is neither 4 nor 2"},
    {Status::BadIndex, "BadIndex", "gom.md 3, IB0", "an index is not below the number of vertices"},
    {Status::BadSubmesh, "BadSubmesh", "gom.md 3, SUB0", "the submeshes do not cover the triangles in order"},
    {Status::BadMaterialIndex, "BadMaterialIndex", "gom.md 3, SUB0",
     "a material index is not below the number of material slots"},
    {Status::BadBoneCount, "BadBoneCount", "gom.md 3, IBND", "a mesh part's bone count is neither 0 nor the skeleton's"},
    {Status::BadBoneIndex, "BadBoneIndex", "gom.md 3", "a bone index is not below the number of bones"},
    {Status::NegativeWeight, "NegativeWeight", "gom.md 5", "a bone weight is negative"},
    {Status::BadWeightSum, "BadWeightSum", "gom.md 5", "a vertex's bone weights do not sum to 1"},
    {Status::DuplicateClipName, "DuplicateClipName", "gom.md 3, ANIM", "two clips have the same name"},
    {Status::BadDuration, "BadDuration", "gom.md 3, CLP0", "a clip's duration is negative"},
    {Status::BadInterpMode, "BadInterpMode", "gom.md 3, CLP0", "interpMode is not 1 (linear/slerp)"},
    {Status::DuplicateTrack, "DuplicateTrack", "gom.md 3, CLP0", "two tracks of a clip move the same bone"},
    {Status::BadKeyTime, "BadKeyTime", "gom.md 3, CLP0", "a key's time is outside the clip or not after the key before it"},
    {Status::ZeroQuaternion, "ZeroQuaternion", "gom.md 1, quaternion", "a rotation key's length is below 0.000001"},
    {Status::BadMorphShapes, "BadMorphShapes", "morph.md 1", "a blend shape channel has no shape, or the shapes do not add up"},
    {Status::BadMorphOrder, "BadMorphOrder", "morph.md", "channels, shapes or weight tracks are not in ascending order"},
    {Status::BadMorphWeight, "BadMorphWeight", "morph.md 1", "the weights of a channel's shapes do not ascend, or one is 0"},
    {Status::BadMorphChannel, "BadMorphChannel", "morph.md", "a channel's or shape's index is not below its count"},
    {Status::BadMorphVertex, "BadMorphVertex", "morph.md 2", "a shape's vertices do not ascend, or one is not below vertexCount"},
    {Status::MorphWithoutClip, "MorphWithoutClip", "morph.md 3", "animated weights do not follow a clip"},
    {Status::NoSkeleton, "NoSkeleton", "gom.md 4", "the model has no skeleton, so no motion can move it"},
    {Status::SignatureMismatch, "SignatureMismatch", "gom.md 4", "the motion was made for another skeleton than the model's"},
};

const Row* find(Status status) noexcept {
    for (const Row& row : kRows)
        if (row.status == status) return &row;
    return nullptr;
}

}  // namespace

const char* message(Status status) noexcept {
    const Row* row = find(status);
    return row != nullptr ? row->message : "unknown status";
}

const char* name(Status status) noexcept {
    const Row* row = find(status);
    return row != nullptr ? row->name : "Unknown";
}

const char* source(Status status) noexcept {
    const Row* row = find(status);
    return row != nullptr ? row->source : "";
}

const char* name(LimitId limit) noexcept {
    switch (limit) {
        case LimitId::None:
            return "none";
        case LimitId::Bones:
            return "bones";
        case LimitId::Vertices:
            return "vertices";
        case LimitId::Indices:
            return "indices";
        case LimitId::Submeshes:
            return "submeshes";
        case LimitId::MeshParts:
            return "mesh parts";
        case LimitId::MaterialSlots:
            return "material slots";
        case LimitId::Clips:
            return "clips";
        case LimitId::TracksPerClip:
            return "tracks per clip";
        case LimitId::KeysPerClip:
            return "keys per clip";
        case LimitId::Strings:
            return "strings";
        case LimitId::StringBytes:
            return "string bytes";
        case LimitId::FileBytes:
            return "file bytes";
        case LimitId::TextNesting:
            return "text nesting";
        case LimitId::MorphChannels:
            return "morph channels";
        case LimitId::MorphShapes:
            return "morph shapes";
        case LimitId::MorphVertices:
            return "morph vertices";
    }
    return "unknown";
}

}  // namespace gomkit::runtime
