// The table of wrongs: one spoilt thing a row, and the exact status, byte and place that verify() must give.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "wrongs.hpp"

namespace gomkit::runtime {
namespace {

using test::Builder;
using test::ExactBlock;
using test::no_table;
using test::Outcome;
using test::rename;
using test::Wrong;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Outcome check(std::span<const std::uint8_t> bytes, const Limits& limits = {}) { return test::check<ModelView>(bytes, limits); }

// A chunk of the file, header and all, moved out.
void erase(Builder& b, std::size_t from, std::size_t to) {
    b.bytes.erase(b.bytes.begin() + static_cast<std::ptrdiff_t>(from), b.bytes.begin() + static_cast<std::ptrdiff_t>(to));
}

const std::vector<Wrong>& wrongs() {
    static const std::vector<Wrong> rows = {
        // gom.md 2
        {"magic", [](Builder& b) { b.put8(0, 'g'); }, Status::BadMagic, "header.magic", 0, "header.magic"},
        {"magic version", [](Builder& b) { b.put8(7, '2'); }, Status::BadMagic, "header.magic"},
        {"a motion", [](Builder& b) { std::memcpy(b.bytes.data(), "MTAB0001", 8); }, Status::IsMotion, "header.magic"},
        {"the text form", [](Builder& b) { std::memcpy(b.bytes.data(), "GOMT0001", 8); }, Status::IsText, "header.magic"},
        {"a motion's text form", [](Builder& b) { std::memcpy(b.bytes.data(), "MTAT0001", 8); }, Status::IsMotionText,
         "header.magic"},
        {"headerSize", [](Builder& b) { b.set("header.headerSize", 511U); }, Status::BadHeader, "header.headerSize", 0,
         "header.headerSize"},
        {"formatVersion", [](Builder& b) { b.set("header.formatVersion", 2U); }, Status::BadVersion, "header.formatVersion"},
        {"coordinateSystem", [](Builder& b) { b.set("header.coordinateSystem", 0U); }, Status::BadCoordinateSystem,
         "header.coordinateSystem"},
        {"matrixConvention", [](Builder& b) { b.set("header.matrixConvention", 2U); }, Status::BadMatrixConvention,
         "header.matrixConvention"},
        {"converterVersion id", [](Builder& b) { b.set("header.converterVersionStrId", 10U); }, Status::BadStringId,
         "header.converterVersionStrId", 0, "header.converterVersionStrId"},
        // gom.md 3, CTBL
        {"table in the header", [](Builder& b) { b.put64(64, 527); }, Status::BadChunkTable, "header.chunkTableOffset"},
        {"table past the end", [](Builder& b) { b.put64(64, b.bytes.size() + 1); }, Status::BadChunkTable,
         "header.chunkTableOffset"},
        {"table far past the end", [](Builder& b) { b.put64(64, ~std::uint64_t{0}); }, Status::BadChunkTable,
         "header.chunkTableOffset"},
        {"table longer than the file", [](Builder& b) { b.put32(72, b.get32(72) + 1); }, Status::BadChunkTable,
         "header.chunkTableCount"},
        {"table longer than anything", [](Builder& b) { b.put32(72, 0xFFFFFFFF); }, Status::BadChunkTable,
         "header.chunkTableCount"},
        {"count without a table", [](Builder& b) { b.put64(64, 0); }, Status::BadChunkTable, "header.chunkTableCount"},
        // gom.md 3, chunks
        {"fourcc in small letters", [](Builder& b) { b.put8(b.at("MATL"), 'm'); }, Status::BadFourcc, "MATL", 0, "file.chunk[1]"},
        {"fourcc with a space", [](Builder& b) { rename(b, "MSH0[0].IB0", "IB0 "); }, Status::BadFourcc, "MSH0[0].IB0", 0,
         "MSH0[0].chunk[1]"},
        {"fourcc with an early NUL", [](Builder& b) { b.put8(b.at("CTBL") + 1, 0); }, Status::BadFourcc, "CTBL"},
        {"payload past the file", [](Builder& b) { b.set("CTBL.size", b.get32(b.at("CTBL.size")) + 1); }, Status::BadChunk,
         "CTBL.size", 0, "file.chunk[8].size"},
        {"payload past the file by far", [](Builder& b) { b.set("MATL.size", 0xFFFFFFFFU); }, Status::BadChunk, "MATL.size"},
        {"child past its part", [](Builder& b) { b.set("MSH0[0].GBTM.size", 65U); }, Status::BadChunk, "MSH0[0].GBTM.size", 0,
         "MSH0[0].chunk[5].size"},
        {"child past its part by far", [](Builder& b) { b.set("MSH0[1].VB0.size", 0xFFFFFFF0U); }, Status::BadChunk,
         "MSH0[1].VB0.size"},
        {"bytes after the last chunk",
         [](Builder& b) {
             b.zeros(7);
             b.u8(1);
         },
         Status::TrailingBytes, "CTBL", 16 + 8 * 16 + 7, "file.end"},
        {"version of STR0", [](Builder& b) { b.set("STR0.version", 2U); }, Status::BadChunkVersion, "STR0.version", 0,
         "file.chunk[0].version"},
        {"version of CTBL", [](Builder& b) { b.set("CTBL.version", 0U); }, Status::BadChunkVersion, "CTBL.version"},
        {"version of MSH0", [](Builder& b) { b.set("MSH0[1].version", 2U); }, Status::BadChunkVersion, "MSH0[1].version"},
        {"version of CLP0", [](Builder& b) { b.set("CLP0[0].version", 2U); }, Status::BadChunkVersion, "CLP0[0].version"},
        {"version of BND0", [](Builder& b) { b.set("MSH0[0].BND0.version", 2U); }, Status::BadChunkVersion,
         "MSH0[0].BND0.version"},
        {"two MATL", [](Builder& b) { rename(b, "SKEL", "MATL"); }, Status::DuplicateChunk, "SKEL", 0, "file.chunk[2]"},
        {"two STR0", [](Builder& b) { rename(b, "MATL", "STR0"); }, Status::DuplicateChunk, "MATL"},
        {"two ANIM", [](Builder& b) { rename(b, "CLP0[0]", "ANIM"); }, Status::DuplicateChunk, "CLP0[0]"},
        {"two SKEL", [](Builder& b) { rename(b, "MSH0[0]", "SKEL"); }, Status::DuplicateChunk, "MSH0[0]"},
        {"two CTBL", [](Builder& b) { rename(b, "CLP0[1]", "CTBL"); }, Status::DuplicateChunk, "CTBL"},
        {"two VB0", [](Builder& b) { b.put32(b.at("MSH0[0].BND0"), 0x00304256); }, Status::DuplicateChunk, "MSH0[0].BND0", 0,
         "MSH0[0].chunk[4]"},
        {"two IBND", [](Builder& b) { rename(b, "MSH0[0].BND0", "IBND"); }, Status::DuplicateChunk, "MSH0[0].BND0"},
        {"no STR0", [](Builder& b) { rename(b, "STR0", "XXX0"); }, Status::MissingChunk, "", 0, "file"},
        {"no MATL", [](Builder& b) { rename(b, "MATL", "XXX0"); }, Status::MissingChunk, ""},
        {"clips without ANIM", [](Builder& b) { rename(b, "ANIM", "XXX0"); }, Status::MissingChunk, ""},
        {"no VB0", [](Builder& b) { rename(b, "MSH0[0].VB0", "XXX0"); }, Status::MissingChunk, "MSH0[0]", 0, "MSH0[0]"},
        {"no IB0", [](Builder& b) { rename(b, "MSH0[0].IB0", "XXX0"); }, Status::MissingChunk, "MSH0[0]"},
        {"no SUB0", [](Builder& b) { rename(b, "MSH0[1].SUB0", "XXX0"); }, Status::MissingChunk, "MSH0[1]"},
        {"no IBND", [](Builder& b) { rename(b, "MSH0[1].IBND", "XXX0"); }, Status::MissingChunk, "MSH0[1]"},
        {"a child at top level", [](Builder& b) { rename(b, "ANIM", "BND0"); }, Status::MisplacedChunk, "ANIM", 0,
         "file.chunk[5]"},
        {"a part in a part", [](Builder& b) { rename(b, "MSH0[0].BND0", "MSH0"); }, Status::MisplacedChunk, "MSH0[0].BND0", 0,
         "MSH0[0].chunk[4]"},
        {"STR0 in a part", [](Builder& b) { rename(b, "MSH0[0].BND0", "STR0"); }, Status::MisplacedChunk, "MSH0[0].BND0"},
        {"CTBL in a part", [](Builder& b) { rename(b, "MSH0[0].BND0", "CTBL"); }, Status::MisplacedChunk, "MSH0[0].BND0"},
        {"MATL too small", [](Builder& b) { b.set("MATL.size", 139U); }, Status::BadChunkSize, "MATL.size", 0, "MATL.size"},
        {"MATL too big", [](Builder& b) { b.set("MATL.size", 141U); }, Status::BadChunkSize, "MATL.size"},
        {"MATL without count", [](Builder& b) { b.set("MATL.count", 3U); }, Status::BadChunkSize, "MATL.size"},
        {"SKEL with another size", [](Builder& b) { b.set("SKEL.size", 4 + 3 * 76 + 1U); }, Status::BadChunkSize, "SKEL.size"},
        {"VB0 with another size", [](Builder& b) { b.set("MSH0[0].VB0.size", 16 + 5 * 72 + 1U); }, Status::BadChunkSize,
         "MSH0[0].VB0.size"},
        {"IB0 with another size", [](Builder& b) { b.set("MSH0[0].IB0.size", 16 + 9 * 4 - 1U); }, Status::BadChunkSize,
         "MSH0[0].IB0.size"},
        {"SUB0 with another size", [](Builder& b) { b.set("MSH0[0].SUB0.size", 4 + 2 * 12 + 4U); }, Status::BadChunkSize,
         "MSH0[0].SUB0.size"},
        {"IBND with another size", [](Builder& b) { b.set("MSH0[1].IBND.size", 5U); }, Status::BadChunkSize, "MSH0[1].IBND.size",
         0, "MSH0[1].IBND.size"},
        {"GBTM with another size", [](Builder& b) { b.set("MSH0[0].GBTM.size", 63U); }, Status::BadChunkSize,
         "MSH0[0].GBTM.size"},
        {"ANIM with another size", [](Builder& b) { b.set("ANIM.size", 8U); }, Status::BadChunkSize, "ANIM.size"},
        {"CLP0 too big", [](Builder& b) { b.set("CLP0[1].size", b.get32(b.at("CLP0[1].size")) + 4); }, Status::BadChunkSize,
         "CLP0[1].size"},
        {"CLP0 too small for its keys", [](Builder& b) { b.set("CLP0[1].size", b.get32(b.at("CLP0[1].size")) - 1); },
         Status::BadChunkSize, "CLP0[1].size", 0, "CLP0[1].track[0]"},
        {"CLP0 too small for a track", [](Builder& b) { b.set("CLP0[1].trackCount", 2U); }, Status::BadChunkSize, "CLP0[1].size",
         0, "CLP0[1].track[1]"},
        {"STR0 too small for its offsets", [](Builder& b) { b.set("STR0.count", 1000U); }, Status::BadChunkSize, "STR0.size"},
        // gom.md 3, STR0; gom.md 1, strings
        {"offset at the end of data",
         [](Builder& b) {
             b.set("STR0.offsets[9]",
                   static_cast<std::uint32_t>(b.at("STR0") + 16 + b.get32(b.at("STR0.size")) - b.at("STR0.data")));
         },
         Status::BadStringOffset, "STR0.offsets[9]", 0, "STR0.offsets[9]"},
        {"offset far out", [](Builder& b) { b.set("STR0.offsets[0]", 0xFFFFFFFFU); }, Status::BadStringOffset, "STR0.offsets[0]"},
        {"last NUL missing", [](Builder& b) { b.put8(b.at("STR0.string[9]") + 8, 'x'); }, Status::UnterminatedString,
         "STR0.offsets[9]"},
        {"a stray continuation byte", [](Builder& b) { b.put8(b.at("STR0.string[0]") + 1, 0x80); }, Status::BadUtf8,
         "STR0.string[0]", 1, "STR0.string[0]"},
        {"a cut sequence", [](Builder& b) { b.put8(b.at("STR0.string[8]") + 3, 0xC3); }, Status::BadUtf8, "STR0.string[8]", 3},
        {"an overlong form", [](Builder& b) { b.put16(b.at("STR0.string[8]"), 0x80C0); }, Status::BadUtf8, "STR0.string[8]"},
        {"a surrogate", [](Builder& b) { b.put16(b.at("STR0.string[9]") + 5, 0xA0ED); }, Status::BadUtf8, "STR0.string[9]", 5},
        {"above U+10FFFF", [](Builder& b) { b.put32(b.at("STR0.string[8]"), 0x808090F4); }, Status::BadUtf8, "STR0.string[8]"},
        {"a tab", [](Builder& b) { b.put8(b.at("STR0.string[6]") + 9, 9); }, Status::ControlCharacter, "STR0.string[6]", 9,
         "STR0.string[6]"},
        {"0x1F", [](Builder& b) { b.put8(b.at("STR0.string[6]") + 1, 0x1F); }, Status::ControlCharacter, "STR0.string[6]", 1},
        {"0x7F", [](Builder& b) { b.put8(b.at("STR0.string[6]") + 2, 0x7F); }, Status::ControlCharacter, "STR0.string[6]", 2},
        {"a byte order mark",
         [](Builder& b) {
             b.put16(b.at("STR0.string[0]"), 0xBBEF);
             b.put8(b.at("STR0.string[0]") + 2, 0xBF);
         },
         Status::ByteOrderMark, "STR0.string[0]"},
        {"a string that starts inside a character",
         [](Builder& b) { b.set("STR0.offsets[9]", b.get32(b.at("STR0.offsets[9]")) + 6); }, Status::BadUtf8, "STR0.string[9]",
         6},
        {"bad UTF-8 with unsorted offsets",
         [](Builder& b) {
             const auto first = b.get32(b.at("STR0.offsets[0]"));
             b.set("STR0.offsets[0]", b.get32(b.at("STR0.offsets[1]")));
             b.set("STR0.offsets[1]", first);
             b.put8(b.at("STR0.string[8]"), 0xFF);
         },
         Status::BadUtf8, "STR0.string[8]", 0, "STR0.string[8]"},
        {"unterminated with unsorted offsets",
         [](Builder& b) {
             b.set("STR0.offsets[0]", 5U);
             b.put8(b.at("STR0.string[9]") + 8, 'x');
         },
         Status::UnterminatedString, "STR0.offsets[9]"},
        // ids and names
        {"material name id", [](Builder& b) { b.set("MATL.slot[0].nameId", 10U); }, Status::BadStringId, "MATL.slot[0].nameId", 0,
         "MATL.slot[0].nameId"},
        {"map id", [](Builder& b) { b.set("MATL.slot[1].emissiveMapId", 0xFFFFFFFEU); }, Status::BadStringId,
         "MATL.slot[1].emissiveMapId"},
        {"diffuse map id", [](Builder& b) { b.set("MATL.slot[1].diffuseMapId", 10U); }, Status::BadStringId,
         "MATL.slot[1].diffuseMapId"},
        {"normal map id", [](Builder& b) { b.set("MATL.slot[1].normalMapId", 10U); }, Status::BadStringId,
         "MATL.slot[1].normalMapId"},
        {"specular map id", [](Builder& b) { b.set("MATL.slot[1].specularMapId", 10U); }, Status::BadStringId,
         "MATL.slot[1].specularMapId"},
        {"bone name id", [](Builder& b) { b.set("SKEL.nameId[2]", 10U); }, Status::BadStringId, "SKEL.nameId[2]", 0,
         "SKEL.nameId[2]"},
        {"bone path id", [](Builder& b) { b.set("SKEL.pathId[0]", 99U); }, Status::BadStringId, "SKEL.pathId[0]"},
        {"bone without name", [](Builder& b) { b.set("SKEL.nameId[1]", 0xFFFFFFFFU); }, Status::MissingName, "SKEL.nameId[1]"},
        {"bone without path", [](Builder& b) { b.set("SKEL.pathId[1]", 0xFFFFFFFFU); }, Status::MissingName, "SKEL.pathId[1]"},
        {"bone with an empty name", [](Builder& b) { b.put8(b.at("STR0.string[0]"), 0); }, Status::MissingName, "SKEL.nameId[1]"},
        {"mesh name id", [](Builder& b) { b.set("MSH0[1].meshNameId", 10U); }, Status::BadStringId, "MSH0[1].meshNameId", 0,
         "MSH0[1].meshNameId"},
        {"clip name id", [](Builder& b) { b.set("CLP0[1].nameId", 10U); }, Status::BadStringId, "CLP0[1].nameId"},
        {"clip without name", [](Builder& b) { b.set("CLP0[1].nameId", 0xFFFFFFFFU); }, Status::MissingName, "CLP0[1].nameId", 0,
         "CLP0[1].nameId"},
        // gom.md 3, SKEL
        {"no bones", [](Builder& b) { b.set("SKEL.boneCount", 0U); }, Status::NoBones, "SKEL.boneCount"},
        {"a bone is its own parent", [](Builder& b) { b.set("SKEL.parent[0]", 0U); }, Status::BadParent, "SKEL.parent[0]", 0,
         "SKEL.parent[0]"},
        {"a parent after its child", [](Builder& b) { b.set("SKEL.parent[1]", 2U); }, Status::BadParent, "SKEL.parent[1]"},
        {"a parent below -1", [](Builder& b) { b.set("SKEL.parent[1]", 0xFFFFFFFEU); }, Status::BadParent, "SKEL.parent[1]"},
        {"a parent far out", [](Builder& b) { b.set("SKEL.parent[2]", 0x7FFFFFFFU); }, Status::BadParent, "SKEL.parent[2]"},
        {"two equal paths", [](Builder& b) { b.set("SKEL.pathId[2]", 5U); }, Status::DuplicatePath, "SKEL.pathId[2]"},
        {"a path before the one before it", [](Builder& b) { b.set("SKEL.pathId[2]", 4U); }, Status::BonesNotSorted,
         "SKEL.pathId[2]"},
        {"a path not below the parent's", [](Builder& b) { b.set("SKEL.parent[2]", 0U); }, Status::BadBonePath, "SKEL.pathId[2]",
         0, "SKEL.pathId[2]"},
        {"a root with a parent's path", [](Builder& b) { b.set("SKEL.parent[1]", 0xFFFFFFFFU); }, Status::BadBonePath,
         "SKEL.pathId[1]"},
        {"a path that ends otherwise than the name", [](Builder& b) { b.put8(b.at("STR0.string[2]") + 3, 't'); },
         Status::BadBonePath, "SKEL.pathId[2]"},
        {"a path that only starts like the parent's", [](Builder& b) { b.put8(b.at("STR0.string[6]") + 8, '~'); },
         Status::BadBonePath, "SKEL.pathId[2]"},
        {"last column of a bind matrix", [](Builder& b) { b.set("SKEL.bindLocal[1][7]", 2e-6F); }, Status::BadMatrix,
         "SKEL.bindLocal[1][7]", 0, "SKEL.bindLocal[1][7]"},
        {"last element of a bind matrix", [](Builder& b) { b.set("SKEL.bindLocal[2][15]", 0.999998F); }, Status::BadMatrix,
         "SKEL.bindLocal[2][15]"},
        {"a flat bind matrix", [](Builder& b) { b.set("SKEL.bindLocal[1][5]", 0.0F); }, Status::SingularMatrix,
         "SKEL.bindLocal[1][0]", 0, "SKEL.bindLocal[1]"},
        // gom.md 3, MSH0
        {"vertex format", [](Builder& b) { b.set("MSH0[0].vertexFormat", 2U); }, Status::BadVertexFormat, "MSH0[0].vertexFormat"},
        {"VB0's vertex format", [](Builder& b) { b.set("MSH0[0].VB0.vertexFormat", 0U); }, Status::BadVertexFormat,
         "MSH0[0].VB0.vertexFormat", 0, "MSH0[0].VB0.vertexFormat"},
        {"no vertices", [](Builder& b) { b.set("MSH0[1].vertexCount", 0U); }, Status::EmptyPart, "MSH0[1].vertexCount"},
        {"no indices", [](Builder& b) { b.set("MSH0[1].indexCount", 0U); }, Status::EmptyPart, "MSH0[1].indexCount"},
        {"vertex counts differ", [](Builder& b) { b.set("MSH0[0].VB0.vertexCount", 4U); }, Status::CountMismatch,
         "MSH0[0].VB0.vertexCount", 0, "MSH0[0].VB0.vertexCount"},
        {"index counts differ", [](Builder& b) { b.set("MSH0[0].IB0.indexCount", 6U); }, Status::CountMismatch,
         "MSH0[0].IB0.indexCount"},
        {"bone counts differ", [](Builder& b) { b.set("MSH0[0].IBND.boneCount", 0U); }, Status::CountMismatch,
         "MSH0[0].IBND.boneCount"},
        {"bones of an unskinned part", [](Builder& b) { b.set("MSH0[1].IBND.boneCount", 3U); }, Status::CountMismatch,
         "MSH0[1].IBND.boneCount"},
        {"not the skeleton's bone count", [](Builder& b) { b.set("MSH0[0].boneCount", 2U); }, Status::BadBoneCount,
         "MSH0[0].boneCount"},
        {"flags say 16 bit", [](Builder& b) { b.set("MSH0[0].flags", 3U); }, Status::FlagMismatch, "MSH0[0].flags", 0,
         "MSH0[0].flags"},
        {"flags say 32 bit", [](Builder& b) { b.set("MSH0[1].flags", 0U); }, Status::FlagMismatch, "MSH0[1].flags"},
        {"flags say no GBTM", [](Builder& b) { b.set("MSH0[0].flags", 0U); }, Status::FlagMismatch, "MSH0[0].flags"},
        {"flags say GBTM", [](Builder& b) { b.set("MSH0[1].flags", 3U); }, Status::FlagMismatch, "MSH0[1].flags"},
        {"stride", [](Builder& b) { b.set("MSH0[0].VB0.stride", 64U); }, Status::BadStride, "MSH0[0].VB0.stride"},
        {"index size", [](Builder& b) { b.set("MSH0[0].IB0.indexSizeBytes", 1U); }, Status::BadIndexSize,
         "MSH0[0].IB0.indexSizeBytes"},
        {"an index", [](Builder& b) { b.set("MSH0[0].IB0.index[8]", 5U); }, Status::BadIndex, "MSH0[0].IB0.index[8]", 0,
         "MSH0[0].IB0.index[8]"},
        {"an index far out", [](Builder& b) { b.set("MSH0[0].IB0.index[0]", 0x80000000U); }, Status::BadIndex,
         "MSH0[0].IB0.index[0]"},
        {"a 16-bit index", [](Builder& b) { b.put16(b.at("MSH0[1].IB0.index[1]"), 3); }, Status::BadIndex,
         "MSH0[1].IB0.index[1]"},
        {"a gap between submeshes", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[0].indexCount", 3U); }, Status::BadSubmesh,
         "MSH0[0].SUB0.submesh[1].indexStart", 0, "MSH0[0].SUB0.submesh[1].indexStart"},
        {"submeshes overlap", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[1].indexStart", 3U); }, Status::BadSubmesh,
         "MSH0[0].SUB0.submesh[1].indexStart"},
        {"submeshes start late", [](Builder& b) { b.set("MSH0[1].SUB0.submesh[0].indexStart", 3U); }, Status::BadSubmesh,
         "MSH0[1].SUB0.submesh[0].indexStart"},
        {"an empty submesh", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[1].indexCount", 0U); }, Status::BadSubmesh,
         "MSH0[0].SUB0.submesh[1].indexCount"},
        {"not a whole triangle", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[1].indexCount", 2U); }, Status::BadSubmesh,
         "MSH0[0].SUB0.submesh[1].indexCount"},
        {"a submesh past the end", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[1].indexCount", 6U); }, Status::BadSubmesh,
         "MSH0[0].SUB0.submesh[1].indexCount"},
        {"a submesh far past the end", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[1].indexCount", 0xFFFFFFFFU); },
         Status::BadSubmesh, "MSH0[0].SUB0.submesh[1].indexCount"},
        {"material index", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[1].materialIndex", 2U); }, Status::BadMaterialIndex,
         "MSH0[0].SUB0.submesh[1].materialIndex"},
        {"negative material index", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[0].materialIndex", 0xFFFFFFFFU); },
         Status::BadMaterialIndex, "MSH0[0].SUB0.submesh[0].materialIndex"},
        {"last column of an inverse bind", [](Builder& b) { b.set("MSH0[0].IBND.inverseBind[2][11]", 0.5F); }, Status::BadMatrix,
         "MSH0[0].IBND.inverseBind[2][11]", 0, "MSH0[0].IBND.inverseBind[2][11]"},
        {"last column of GBTM", [](Builder& b) { b.set("MSH0[0].GBTM.meshBindGeoToModel[15]", 0.0F); }, Status::BadMatrix,
         "MSH0[0].GBTM.meshBindGeoToModel[15]"},
        // gom.md 5
        {"a bone index", [](Builder& b) { b.put16(b.at("MSH0[0].VB0.vertex[4].boneIndex[0]"), 3); }, Status::BadBoneIndex,
         "MSH0[0].VB0.vertex[4].boneIndex[0]", 0, "MSH0[0].VB0.vertex[4].boneIndex[0]"},
        {"a bone index of a zero weight", [](Builder& b) { b.put16(b.at("MSH0[0].VB0.vertex[0].boneIndex[3]"), 0xFFFF); },
         Status::BadBoneIndex, "MSH0[0].VB0.vertex[0].boneIndex[3]"},
        {"a negative weight", [](Builder& b) { b.set("MSH0[0].VB0.vertex[1].boneWeight[3]", -1e-7F); }, Status::NegativeWeight,
         "MSH0[0].VB0.vertex[1].boneWeight[3]"},
        {"weights above 1", [](Builder& b) { b.set("MSH0[0].VB0.vertex[2].boneWeight[0]", 0.75011F); }, Status::BadWeightSum,
         "MSH0[0].VB0.vertex[2].boneWeight[0]", 0, "MSH0[0].VB0.vertex[2].boneWeight"},
        {"weights below 1", [](Builder& b) { b.set("MSH0[0].VB0.vertex[2].boneWeight[0]", 0.74989F); }, Status::BadWeightSum,
         "MSH0[0].VB0.vertex[2].boneWeight[0]"},
        {"no weight", [](Builder& b) { b.set("MSH0[0].VB0.vertex[3].boneWeight[0]", 0.0F); }, Status::BadWeightSum,
         "MSH0[0].VB0.vertex[3].boneWeight[0]"},
        // gom.md 3, ANIM, CLP0
        {"fewer clips than said", [](Builder& b) { b.set("ANIM.clipCount", 3U); }, Status::CountMismatch, "ANIM.clipCount", 0,
         "ANIM.clipCount"},
        {"more clips than said", [](Builder& b) { b.set("ANIM.clipCount", 0U); }, Status::CountMismatch, "ANIM.clipCount"},
        {"two clips of one name", [](Builder& b) { b.set("CLP0[1].nameId", 8U); }, Status::DuplicateClipName, "CLP0[1].nameId", 0,
         "CLP0[1].nameId"},
        {"negative duration", [](Builder& b) { b.set("CLP0[0].duration", -1e-30F); }, Status::BadDuration, "CLP0[0].duration"},
        {"root bone", [](Builder& b) { b.set("CLP0[1].rootBoneIndex", 3U); }, Status::BadBoneIndex, "CLP0[1].rootBoneIndex", 0,
         "CLP0[1].rootBoneIndex"},
        {"root bone below -1", [](Builder& b) { b.set("CLP0[1].rootBoneIndex", 0xFFFFFFFEU); }, Status::BadBoneIndex,
         "CLP0[1].rootBoneIndex"},
        {"interpMode", [](Builder& b) { b.set("CLP0[0].interpMode", 0U); }, Status::BadInterpMode, "CLP0[0].interpMode"},
        {"a track's bone", [](Builder& b) { b.set("CLP0[0].track[1].boneIndex", 3U); }, Status::BadBoneIndex,
         "CLP0[0].track[1].boneIndex", 0, "CLP0[0].track[1].boneIndex"},
        {"a track's bone far out", [](Builder& b) { b.set("CLP0[0].track[1].boneIndex", 0xFFFFFFFFU); }, Status::BadBoneIndex,
         "CLP0[0].track[1].boneIndex"},
        {"two tracks of one bone", [](Builder& b) { b.set("CLP0[0].track[1].boneIndex", 0U); }, Status::DuplicateTrack,
         "CLP0[0].track[1].boneIndex", 0, "CLP0[0].track[1].boneIndex"},
        {"a key before 0", [](Builder& b) { b.set("CLP0[0].track[0].trKey[0].time", -0.001F); }, Status::BadKeyTime,
         "CLP0[0].track[0].trKey[0].time", 0, "CLP0[0].track[0].trKey[0].time"},
        {"a key after the end", [](Builder& b) { b.set("CLP0[0].track[1].scKey[1].time", 1.0000001F); }, Status::BadKeyTime,
         "CLP0[0].track[1].scKey[1].time"},
        {"two keys of one time", [](Builder& b) { b.set("CLP0[0].track[0].rotKey[1].time", 0.0F); }, Status::BadKeyTime,
         "CLP0[0].track[0].rotKey[1].time"},
        {"keys in reverse", [](Builder& b) { b.set("CLP0[0].track[0].rotKey[2].time", 0.1F); }, Status::BadKeyTime,
         "CLP0[0].track[0].rotKey[2].time"},
        {"a rotation of no length", [](Builder& b) { b.set("CLP0[0].track[0].rotKey[1].value[3]", 9e-7F); },
         Status::ZeroQuaternion, "CLP0[0].track[0].rotKey[1].value[0]", 0, "CLP0[0].track[0].rotKey[1].value"},
    };
    return rows;
}

TEST(Verify, EveryWrongGivesItsStatusByteAndPlace) {
    const std::set<Status> seen = test::expect_wrongs<ModelView>(test::sample(), wrongs());
    // Every status is some row's; the first four have tests of their own, the others are a motion's, a job's or about blend shapes.
    const std::set<Status> others = {Status::NonFinite, Status::Misaligned,  Status::LimitExceeded, Status::TooShort,
                                     Status::IsModel,   Status::IsModelText, Status::NoSkeleton,    Status::SignatureMismatch,
                                     Status::WrongSize, Status::NotBound,    Status::BadArgument,
                                     Status::BadMorphShapes, Status::BadMorphOrder, Status::BadMorphWeight,
                                     Status::BadMorphChannel, Status::BadMorphVertex, Status::MorphWithoutClip};
    for (unsigned v = 1; v < 1000; ++v) {
        const auto status = static_cast<Status>(v);
        if (std::string(name(status)) == "Unknown" || others.count(status) != 0) continue;
        EXPECT_EQ(seen.count(status), 1U) << name(status);
    }
}

TEST(Verify, ErrorsSayWhatWasFoundAndWanted) {
    Builder b = test::sample();
    b.set("header.formatVersion", 2U);
    Outcome got = check(b.bytes);
    EXPECT_EQ(got.info.kind, ValueKind::Unsigned);
    EXPECT_EQ(got.info.found, 2U);
    EXPECT_EQ(got.info.expected, 1U);
    b = test::sample();
    b.set("SKEL.parent[1]", 0xFFFFFFFEU);
    got = check(b.bytes);
    EXPECT_EQ(got.info.kind, ValueKind::Signed);
    EXPECT_EQ(static_cast<std::int64_t>(got.info.found), -2);
    b = test::sample();
    b.set("MSH0[0].VB0.vertex[3].boneWeight[0]", 0.5F);
    got = check(b.bytes);
    EXPECT_EQ(got.info.kind, ValueKind::Float);
    EXPECT_EQ(std::bit_cast<double>(got.info.found), 0.5);
    EXPECT_EQ(std::bit_cast<double>(got.info.expected), 1.0);
    b = test::sample();
    b.put32(b.at("MATL"), layout::fourcc("XXX0"));
    got = check(b.bytes);
    EXPECT_EQ(got.info.kind, ValueKind::Fourcc);
    EXPECT_EQ(got.info.expected, layout::kMatl);
}

TEST(Verify, APartHasAHeader) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{16}, std::size_t{31}}) {
        Builder b = test::least();
        b.begin("MSH0[0]", "MSH0");
        b.zeros(size);
        b.end();
        const Outcome got = check(b.bytes);
        EXPECT_EQ(got.status, Status::BadChunkSize);
        EXPECT_EQ(got.info.byte_offset, b.at("MSH0[0].size"));
    }
}

TEST(Verify, AnEmptySub0CoversNothing) {
    Builder b;
    test::header(b);
    test::strings(b, {});
    test::bare_materials(b, 1);
    test::part(b, "MSH0[0]", 0xFFFFFFFF, {{0, 0}, {0, 1}, {1, 1}}, {0, 1, 2}, false, 0, false, {});
    const Outcome got = check(b.bytes);
    EXPECT_EQ(got.status, Status::BadSubmesh);
    EXPECT_EQ(got.info.byte_offset, b.at("MSH0[0].SUB0.count"));
}

TEST(Verify, ShortFilesSayWhatTheyAre) {
    for (const auto& [text, status] : std::vector<std::pair<std::string, Status>>{{"", Status::TooShort},
                                                                                  {"GOMB000", Status::TooShort},
                                                                                  {"GOMB0001", Status::TooShort},
                                                                                  {"GOMT0001\nEnd = true\n", Status::IsText},
                                                                                  {"MTAB0001", Status::IsMotion},
                                                                                  {"MTAT0001", Status::IsMotionText},
                                                                                  {"glTF2..........", Status::BadMagic}}) {
        const Outcome got = check({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
        EXPECT_EQ(got.status, status) << text;
        EXPECT_EQ(got.info.byte_offset, 0U);
    }
}

TEST(Verify, BytesMustBeAligned) {
    const Builder b = test::sample();
    std::vector<std::uint8_t> shifted(b.bytes.size() + 16);
    for (std::size_t shift = 1; shift < 16; ++shift) {
        const ExactBlock block(shifted);
        auto* at = const_cast<std::byte*>(block.bytes().data()) + shift;
        std::memcpy(at, b.bytes.data(), b.bytes.size());
        ModelView view;
        ErrorInfo info;
        EXPECT_EQ(verify({at, b.bytes.size()}, {}, view, &info), Status::Misaligned);
        EXPECT_EQ(info.found, shift);
    }
}

TEST(Verify, EveryCutIsAnError) {
    test::expect_cuts_are_errors<ModelView>(test::sample());
    // Without its table a file ends well after any whole chunk once STR0 and MATL are there and the clips are all told.
    Builder c = test::sample();
    no_table(c);
    const std::set<std::size_t> good = test::good_cuts<ModelView>(c);
    EXPECT_EQ(good.count(c.at("SKEL")), 1U);
    EXPECT_EQ(good.count(c.at("MSH0[0]")), 1U);
    EXPECT_EQ(good.count(c.at("MSH0[1]")), 1U);
    EXPECT_EQ(good.count(c.at("ANIM")), 1U);
    EXPECT_EQ(good.count(c.at("CTBL")), 1U);
    EXPECT_EQ(good.count(c.at("CLP0[0]")), 0U);
    EXPECT_EQ(good.count(c.bytes.size()), 1U);
}

// gom.md 1: NaN and infinities are errors everywhere, in unskinned parts and in bounds too.
TEST(Verify, EveryNonFiniteFloatIsFoundWhereItIs) {
    const Builder good = test::sample();
    ASSERT_GT(good.floats.size(), 300U);
    for (const std::string& field : good.floats) {
        for (const float value : {kNan, -kNan, kInf, -kInf}) {
            Builder b = good;
            b.set(field, value);
            const Outcome got = check(b.bytes);
            EXPECT_EQ(got.status, Status::NonFinite) << field;
            EXPECT_EQ(got.info.byte_offset, b.at(field)) << field;
            EXPECT_STREQ(got.info.part, field.c_str());
        }
    }
}

// Signs, denormals and the like are no business of the loader.
TEST(Verify, OddButFiniteFloatsPass) {
    const Builder good = test::sample();
    for (const std::string& field : good.floats) {
        for (const float value : {-0.0F, 1e-45F}) {
            if (std::memcmp(&value, "\0\0\0\0", 4) == 0) continue;
            Builder b = good;
            const float before = [&] {
                float v;
                std::memcpy(&v, b.bytes.data() + b.at(field), 4);
                return v;
            }();
            if (before != 0.0F) continue;
            if (field.find(".time") != std::string::npos && value != 0.0F) continue;
            b.set(field, value);
            EXPECT_EQ(check(b.bytes).status, Status::Ok) << field << " = " << value;
        }
    }
}

TEST(Verify, EveryCountIsChecked) {
    const Builder good = test::sample();
    ASSERT_GT(good.counts.size(), 40U);
    for (const std::string& field : good.counts) {
        const std::uint32_t before = good.get32(good.at(field));
        for (const std::uint32_t value : {0U, before + 1, before - 1, 0x80000000U, 0x7FFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFF0U}) {
            if (value == before) continue;
            // What a loader need not mind: fewer table entries, a BND0 of another size (as long as the walk goes on as before).
            if (field == "header.chunkTableCount" && value < before) continue;
            if (field.find("BND0.size") != std::string::npos && value > 32 && value <= 48) continue;
            if (field == "CTBL.size" && value < before) continue;
            // One byte of padding taken into the strings, or left out of a part.
            if ((field == "STR0.size" && value == before + 1) || (field == "MSH0[1].size" && value == before - 1)) continue;
            Builder b = good;
            b.set(field, value);
            EXPECT_NE(check(b.bytes).status, Status::Ok) << field << " = " << value;
        }
    }
}

// gom.md 8: each limit at the need and one below it.
TEST(Verify, EachLimitIsInclusive) {
    const Builder b = test::sample();
    const std::uint64_t string_bytes = b.at("STR0") + 16 + b.get32(b.at("STR0.size")) - b.at("STR0.data");
    test::expect_limits<ModelView>(
        b, {
               {&Limits::max_bones, 3, LimitId::Bones, "SKEL.boneCount", "SKEL.boneCount"},
               {&Limits::max_vertices, 8, LimitId::Vertices, "MSH0[1].vertexCount", "MSH0[1].vertexCount"},
               {&Limits::max_indices, 12, LimitId::Indices, "MSH0[1].indexCount", "MSH0[1].indexCount"},
               {&Limits::max_submeshes, 3, LimitId::Submeshes, "MSH0[1].SUB0.count", "MSH0[1].SUB0.count"},
               {&Limits::max_mesh_parts, 2, LimitId::MeshParts, "MSH0[1]", "MSH0[1]"},
               {&Limits::max_material_slots, 2, LimitId::MaterialSlots, "MATL.count", "MATL.count"},
               {&Limits::max_clips, 2, LimitId::Clips, "CLP0[1]", "CLP0[1]"},
               {&Limits::max_tracks_per_clip, 2, LimitId::TracksPerClip, "CLP0[0].trackCount", "CLP0[0].trackCount"},
               {&Limits::max_keys_per_clip, 9, LimitId::KeysPerClip, "CLP0[0].track[1].trKeyCount", "CLP0[0].track[1].keys"},
               {&Limits::max_strings, 10, LimitId::Strings, "STR0.count", "STR0.count"},
               {&Limits::max_string_bytes, string_bytes, LimitId::StringBytes, "STR0.data", "STR0.data"},
               {&Limits::max_file_bytes, b.bytes.size(), LimitId::FileBytes, "header.magic", "file"},
           });
}

// A limit comes before anything else about the item: the item may be wrong too.
TEST(Verify, LimitsComeFirst) {
    struct Row {
        const char* count;
        LimitId id;
        std::uint32_t value;
        std::function<void(Builder&)> also;
    };
    const Row rows[] = {
        {"STR0.count", LimitId::Strings, 0x80000000U, [](Builder&) {}},
        {"MATL.count", LimitId::MaterialSlots, 65'536, [](Builder&) {}},
        {"SKEL.boneCount", LimitId::Bones, 4097, [](Builder& b) { b.set("SKEL.parent[0]", 7U); }},
        {"MSH0[0].vertexCount", LimitId::Vertices, 10'000'001,
         [](Builder& b) {
             b.set("MSH0[0].vertexFormat", 9U);
             b.set("MSH0[0].meshNameId", 999U);
         }},
        {"MSH0[0].indexCount", LimitId::Indices, 30'000'001, [](Builder& b) { b.set("MSH0[0].vertexFormat", 9U); }},
        {"MSH0[0].boneCount", LimitId::Bones, 4097, [](Builder& b) { b.set("MSH0[0].vertexFormat", 9U); }},
        {"MSH0[0].SUB0.count", LimitId::Submeshes, 65'536, [](Builder&) {}},
        {"MSH0[0].VB0.vertexCount", LimitId::Vertices, 0xFFFFFFFFU, [](Builder&) {}},
        {"CLP0[0].trackCount", LimitId::TracksPerClip, 8193, [](Builder& b) { b.set("CLP0[0].nameId", 999U); }},
        {"CLP0[0].track[0].rotKeyCount", LimitId::KeysPerClip, 1'000'000,
         [](Builder& b) { b.set("CLP0[0].track[0].boneIndex", 999U); }},
        {"CLP0[0].track[0].scKeyCount", LimitId::KeysPerClip, 0xFFFFFFFFU, [](Builder&) {}},
        {"ANIM.clipCount", LimitId::Clips, 1025, [](Builder&) {}},
    };
    for (const Row& row : rows) {
        Builder b = test::sample();
        row.also(b);
        b.set(row.count, row.value);
        const Outcome got = check(b.bytes);
        EXPECT_EQ(got.status, Status::LimitExceeded) << row.count << ": " << got.info.part;
        EXPECT_EQ(got.info.limit, row.id) << row.count;
    }
    // The part and the clip too many may have any size and version.
    for (const char* which : {"MSH0[1]", "CLP0[1]"}) {
        Builder b = test::sample();
        b.set(std::string(which) + ".size", 0xFFFFFFFFU);
        b.set(std::string(which) + ".version", 3U);
        Limits limits;
        limits.max_mesh_parts = 1;
        limits.max_clips = which[0] == 'C' ? 1 : 9;
        if (which[0] == 'C') limits.max_mesh_parts = 2;
        EXPECT_EQ(check(b.bytes, limits).status, Status::LimitExceeded) << which;
    }
}

struct Fine {
    const char* title;
    std::function<void(Builder&)> change;
};

// Warnings and deviations from the canonical form: a strict loader reads them.
TEST(Verify, WarningsAndOtherFormsPass) {
    const Fine rows[] = {
        {"nothing changed", [](Builder&) {}},
        {"reserved header bytes", [](Builder& b) { b.put8(b.at("header.reserved") + 435, 1); }},
        {"unknown validation bits", [](Builder& b) { b.set("header.validationFlags", 0xFFFFFFFFU); }},
        {"untrue validation bits", [](Builder& b) { b.set("SKEL.bindLocal[1][12]", 99.0F); }},
        {"no table, no count", no_table},
        {"a table entry that disagrees", [](Builder& b) { b.put32(b.at("CTBL") + 20, 7); }},
        {"fewer table entries", [](Builder& b) { b.put32(72, 1); }},
        {"chunk flags",
         [](Builder& b) {
             b.set("MATL.flags(chunk)", 1U);
             b.set("MSH0[0].VB0.flags(chunk)", 8U);
         }},
        {"an unknown chunk",
         [](Builder& b) {
             b.put32(b.at("CTBL"), layout::fourcc("MORF"));
             no_table(b);
         }},
        {"an unknown chunk's version",
         [](Builder& b) {
             b.put32(b.at("CTBL"), layout::fourcc("MORF"));
             b.set("CTBL.version", 7U);
             no_table(b);
         }},
        {"an unknown child", [](Builder& b) { b.put32(b.at("MSH0[0].BND0"), layout::fourcc("UV1")); }},
        {"padding that is not zero", [](Builder& b) { b.put8(b.at("MATL") + 16 + 140, 1); }},
        {"zeros after the last chunk", [](Builder& b) { b.zeros(15); }},
        {"BND0 of another size", [](Builder& b) { b.set("MSH0[0].BND0.size", 36U); }},
        {"wrong bounds", [](Builder& b) { b.set("MSH0[0].BND0.aabbMax[0]", -5.0F); }},
        {"unknown part flags", [](Builder& b) { b.set("MSH0[0].flags", 0xFFFFFFFEU); }},
        {"part reserved", [](Builder& b) { b.set("MSH0[0].reserved[1]", 1U); }},
        {"VB0 reserved", [](Builder& b) { b.set("MSH0[0].VB0.reserved", 1U); }},
        {"IB0 reserved", [](Builder& b) { b.set("MSH0[0].IB0.reserved[0]", 1U); }},
        {"material flags", [](Builder& b) { b.set("MATL.slot[0].flags", 1U); }},
        {"two submeshes of one material", [](Builder& b) { b.set("MSH0[0].SUB0.submesh[1].materialIndex", 0U); }},
        {"tangent w", [](Builder& b) { b.set("MSH0[0].VB0.vertex[0].tangent[3]", 0.5F); }},
        {"a long normal", [](Builder& b) { b.set("MSH0[0].VB0.vertex[0].normal[0]", 5.0F); }},
        {"a bone twice", [](Builder& b) { b.put16(b.at("MSH0[0].VB0.vertex[2].boneIndex[0]"), 1); }},
        {"weights in another order",
         [](Builder& b) {
             b.set("MSH0[0].VB0.vertex[2].boneWeight[0]", 0.25F);
             b.set("MSH0[0].VB0.vertex[2].boneWeight[1]", 0.75F);
         }},
        {"weights 1e-4 off", [](Builder& b) { b.set("MSH0[0].VB0.vertex[3].boneWeight[0]", 1.00009989F); }},
        {"weights 1e-4 off below", [](Builder& b) { b.set("MSH0[0].VB0.vertex[3].boneWeight[0]", 0.99990004F); }},
        {"a weight of -0", [](Builder& b) { b.set("MSH0[0].VB0.vertex[3].boneWeight[3]", -0.0F); }},
        {"any weights of an unskinned part",
         [](Builder& b) {
             b.set("MSH0[1].VB0.vertex[0].boneWeight[2]", -7.0F);
             b.put16(b.at("MSH0[1].VB0.vertex[0].boneIndex[1]"), 0xFFFF);
         }},
        {"an unskinned part in a file with bones", [](Builder& b) { b.put32(b.at("MSH0[0].boneCount"), 3); }},
        {"a mirroring GBTM", [](Builder& b) { b.set("MSH0[0].GBTM.meshBindGeoToModel[0]", -1.0F); }},
        {"a flat GBTM", [](Builder& b) { b.set("MSH0[0].GBTM.meshBindGeoToModel[0]", 0.0F); }},
        {"a flat inverse bind", [](Builder& b) { b.set("MSH0[0].IBND.inverseBind[0][0]", 0.0F); }},
        {"a last column 1e-6 off", [](Builder& b) { b.set("SKEL.bindLocal[0][3]", 9.99999997e-7F); }},
        {"clips not sorted",
         [](Builder& b) {
             b.set("CLP0[0].nameId", 9U);
             b.set("CLP0[1].nameId", 8U);
         }},
        {"tracks not sorted",
         [](Builder& b) {
             b.set("CLP0[0].track[0].boneIndex", 2U);
             b.set("CLP0[0].track[1].boneIndex", 0U);
         }},
        {"unknown clip flags", [](Builder& b) { b.set("CLP0[0].flags", 0xFFFFFFFFU); }},
        {"root motion without a root", [](Builder& b) { b.set("CLP0[0].flags", 1U); }},
        {"root motion of a bone that is no root", [](Builder& b) { b.set("CLP0[1].rootBoneIndex", 2U); }},
        {"a quaternion far from unit", [](Builder& b) { b.set("CLP0[0].track[0].rotKey[0].value[3]", 100.0F); }},
        {"a quaternion of length 1e-6", [](Builder& b) { b.set("CLP0[0].track[0].rotKey[0].value[3]", 1.00001e-6F); }},
        {"a key at the end", [](Builder& b) { b.set("CLP0[0].track[0].rotKey[2].time", 1.0F); }},
        {"duration -0 without keys", [](Builder& b) { b.set("CLP0[1].duration", -0.0F); }},
        {"unused strings", [](Builder& b) { b.set("header.converterVersionStrId", 0xFFFFFFFFU); }},
        {"a map path nobody should open", [](Builder& b) { b.put8(b.at("STR0.string[1]"), '\\'); }},
        {"a sibling's number",
         [](Builder& b) {
             std::memcpy(b.bytes.data() + b.at("STR0.string[2]"), "Ha\0", 3);
             std::memcpy(b.bytes.data() + b.at("STR0.string[6]") + 9, "Ha~7", 4);
         }},
    };
    for (const Fine& row : rows) {
        Builder b = test::sample();
        row.change(b);
        const Outcome got = check(b.bytes);
        EXPECT_EQ(name(got.status), std::string("Ok")) << row.title << ": " << got.info.part;
    }
}

// A table by a foreign writer, with no chunk header of its own: the walk ends where it begins.
TEST(Verify, ReadsAForeignTable) {
    Builder b = test::sample();
    const std::size_t table = b.at("CTBL");
    erase(b, table, table + 16);
    b.put64(64, table);
    EXPECT_EQ(check(b.bytes).status, Status::Ok);
    // A last chunk that runs into it.
    b.set("CLP0[1].size", b.get32(b.at("CLP0[1].size")) + 17);
    EXPECT_EQ(check(b.bytes).status, Status::BadChunk);
    // Before the first chunk there is no room for one.
    Builder c = test::sample();
    c.bytes.insert(c.bytes.begin() + 512, 32, 0);
    c.put64(64, 528);
    c.put32(72, 1);
    EXPECT_NE(check(c.bytes).status, Status::Ok);
}

// Any order of top-level chunks, and of a part's children.
TEST(Verify, ReadsChunksInAnyOrder) {
    const Builder b = test::sample();
    const std::vector<const char*> order = {"CLP0[0]", "MSH0[0]", "CTBL", "ANIM", "SKEL", "CLP0[1]", "MATL", "MSH0[1]", "STR0"};
    std::vector<std::uint8_t> bytes(b.bytes.begin(), b.bytes.begin() + 512);
    for (const char* chunk : order) {
        const std::size_t at = b.at(chunk);
        const std::size_t size = (16 + b.get32(at + 4) + 15) / 16 * 16;
        bytes.insert(bytes.end(), b.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     b.bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
    }
    std::memset(bytes.data() + 64, 0, 12);
    EXPECT_EQ(check(bytes).status, Status::Ok);

    Builder c = b;
    const std::size_t ibnd = b.at("MSH0[0].IBND"), bnd0 = b.at("MSH0[0].BND0"), gbtm = b.at("MSH0[0].GBTM");
    std::vector<std::uint8_t> swapped(b.bytes.begin() + static_cast<std::ptrdiff_t>(bnd0),
                                      b.bytes.begin() + static_cast<std::ptrdiff_t>(gbtm));
    swapped.insert(swapped.end(), b.bytes.begin() + static_cast<std::ptrdiff_t>(ibnd),
                   b.bytes.begin() + static_cast<std::ptrdiff_t>(bnd0));
    std::memcpy(c.bytes.data() + ibnd, swapped.data(), swapped.size());
    EXPECT_EQ(check(c.bytes).status, Status::Ok);
}

// gom.md 3: MSH0's size may end with the last child's payload; padding after the file's last chunk may be missing.
TEST(Verify, ReadsSizesWithoutTheLastPadding) {
    Builder b;
    test::header(b);
    test::strings(b, {});
    test::bare_materials(b, 1);
    test::part(b, "MSH0[0]", 0xFFFFFFFF, {{0, 0}, {0, 1}, {1, 1}}, {0, 1, 2}, false, 0, false, {{0, 0, 3}});
    ASSERT_EQ(check(b.bytes).status, Status::Ok);
    for (std::uint32_t missing = 1; missing <= 8; ++missing) {  // BND0's 40 bytes leave 8 of padding
        Builder c = b;
        c.set("MSH0[0].size", c.get32(c.at("MSH0[0].size")) - missing);
        EXPECT_EQ(check(c.bytes).status, Status::Ok) << missing;
        erase(c, c.bytes.size() - missing, c.bytes.size());
        EXPECT_EQ(check(c.bytes).status, Status::Ok) << missing;
    }
    b.set("MSH0[0].size", b.get32(b.at("MSH0[0].size")) - 9);
    EXPECT_EQ(check(b.bytes).status, Status::BadChunk);
}

// gom.md 3, SKEL
TEST(Verify, BonePathsAreMadeOfEscapedComponents) {
    using Bones = std::vector<std::pair<std::int32_t, std::array<std::string, 2>>>;
    const auto status = [](const Bones& bones) { return check(test::skeleton_only(bones).bytes).status; };
    EXPECT_EQ(status({{-1, {"a/b%", "a%2Fb%25"}}}), Status::Ok);
    EXPECT_EQ(status({{-1, {"a/b", "a/b"}}}), Status::BadBonePath);
    EXPECT_EQ(status({{-1, {"a%", "a%"}}}), Status::BadBonePath);
    EXPECT_EQ(status({{-1, {"a%", "a%2"}}}), Status::BadBonePath);
    EXPECT_EQ(status({{-1, {"A", "A"}}, {-1, {"A", "A~2"}}, {-1, {"A~2", "A~2~2"}}}), Status::Ok);
    EXPECT_EQ(status({{-1, {"A", "A~"}}}), Status::BadBonePath);
    EXPECT_EQ(status({{-1, {"A", "A~2x"}}}), Status::BadBonePath);
    EXPECT_EQ(status({{-1, {"A", "A2"}}}), Status::BadBonePath);
    EXPECT_EQ(status({{-1, {"A", "A"}}, {0, {"B", "A/B"}}, {0, {"B", "A/B~12"}}}), Status::Ok);
    // Bytes, not components: Root/Arm-L before Root/Arm/Hand. Bytes are unsigned.
    EXPECT_EQ(status({{-1, {"R", "R"}}, {0, {"A", "R/A"}}, {1, {"H", "R/A/H"}}, {0, {"A-L", "R/A-L"}}}), Status::BonesNotSorted);
    EXPECT_EQ(status({{-1, {"z", "z"}}, {-1, {"\xC3\xA9", "\xC3\xA9"}}}), Status::Ok);
    EXPECT_EQ(status({{-1, {"\xC3\xA9", "\xC3\xA9"}}, {-1, {"z", "z"}}}), Status::BonesNotSorted);
}

TEST(Verify, TracksNeedASkeleton) {
    Builder b = test::sample();
    b.put32(b.at("SKEL"), layout::fourcc("XXXX"));
    EXPECT_EQ(check(b.bytes).status, Status::BadBoneCount);  // the skinned part comes first
    Builder c;
    test::header(c);
    test::strings(c, {"a"});
    test::bare_materials(c, 0);
    c.begin("ANIM", "ANIM");
    c.u32(1);
    c.end();
    test::clip(c, "CLP0[0]", 0, 1, -1, 0, {});
    EXPECT_EQ(check(c.bytes).status, Status::Ok);
    c.set("CLP0[0].rootBoneIndex", 0U);
    EXPECT_EQ(check(c.bytes).status, Status::BadBoneIndex);
}

// Names in descending order, the last clip like the first: found across batches, by content and not by id.
TEST(Verify, FindsDuplicateClipNamesAmongMany) {
    for (const std::uint32_t count : {3U, 1024U, 2500U}) {
        Builder b;
        test::header(b);
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < count; ++i) names.push_back("clip " + std::to_string(100'000 - i));
        names.push_back(names.front());
        test::strings(b, names);
        test::bare_materials(b, 0);
        b.begin("ANIM", "ANIM");
        b.u32(count + 1);
        b.end();
        for (std::uint32_t i = 0; i <= count; ++i) test::clip(b, "CLP0[" + std::to_string(i) + "]", i, 0, -1, 0, {});
        Limits limits;
        limits.max_clips = 10'000;
        const Outcome got = check(b.bytes, limits);
        EXPECT_EQ(got.status, Status::DuplicateClipName);
        EXPECT_EQ(got.info.byte_offset, b.at("CLP0[" + std::to_string(count) + "].nameId"));
        b.put8(b.at("STR0.string[" + std::to_string(count) + "]"), 'C');
        EXPECT_EQ(check(b.bytes, limits).status, Status::Ok);
    }
}

// A million strings that all share one long run, in descending order: read once, and counted each.
TEST(Verify, OverlappingStringsAreReadOnceAndCountedEach) {
    constexpr std::uint32_t kCount = 1'000'000;
    Builder b;
    test::header(b);
    b.begin("STR0", "STR0");
    b.u32(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i) b.u32(kCount - i);
    b.mark("data");
    for (std::uint32_t i = 0; i < 4 * kCount; ++i) b.u8('x');
    b.u8(0);
    b.end();
    test::bare_materials(b, 0);
    const ExactBlock file(b.bytes);
    ModelView view;
    ErrorInfo info;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(verify(file.bytes(), {}, view, &info), Status::LimitExceeded);
    EXPECT_EQ(info.limit, LimitId::StringBytes);
    EXPECT_EQ(info.byte_offset, b.at("STR0.data"));
    const std::uint64_t total = std::uint64_t{kCount} * (4 * kCount + 1) - std::uint64_t{kCount} * (kCount + 1) / 2;
    EXPECT_EQ(info.found, total);
    Limits limits;
    limits.max_string_bytes = total;
    EXPECT_EQ(verify(file.bytes(), limits, view, nullptr), Status::Ok);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5.0);
    EXPECT_EQ(view.string(0).size(), 3U * kCount);
}

TEST(Verify, SurvivesRandomDamage) { test::expect_survives_random_damage<ModelView>(test::sample(), 30'000); }

}  // namespace
}  // namespace gomkit::runtime
