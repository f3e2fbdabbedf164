#include "dump.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gomkit/core/text.hpp>
#include <gomkit/runtime/layout.hpp>

#include "bytes.hpp"

namespace gomkit::gom {
namespace {

namespace lay = runtime::layout;
using core::number_text;

class Dumper {
public:
    Dumper(std::span<const std::byte> bytes, std::string_view part) : bytes_(bytes), part_(part) {}

    std::string run() {
        header();
        if (bytes_.size() >= lay::header::kSize) {
            table_place();
            chunks(lay::header::kSize, end_, "");
            if (end_ < bytes_.size()) {
                bare_table();
            }
        }
        return std::move(out_);
    }
    [[nodiscard]] bool any() const { return any_; }

private:
    // Lines

    /// Whether a place, or what lies below it, is asked for.
    [[nodiscard]] bool wanted(std::string_view path) const {
        return part_.empty() || below(path, part_) || below(part_, path);
    }
    [[nodiscard]] bool selected(std::string_view path) const { return part_.empty() || below(path, part_); }
    static bool below(std::string_view path, std::string_view root) {
        return path.substr(0, root.size()) == root && (path.size() == root.size() || path[root.size()] == '.' || path[root.size()] == '[');
    }

    void line(std::uint64_t offset, std::uint64_t size, const std::string& path, std::string_view value, const char* rule) {
        if (!selected(path)) {
            return;
        }
        any_ = true;
        std::string text = hex_offset(offset) + "  " + hex_bytes(offset, size);
        pad(text, 60);
        text += path;
        pad(text, 100);
        text += core::printable(value);
        if (rule[0] != '\0') {
            pad(text, 140);
            text += rule;
        }
        out_ += text;
        out_ += '\n';
    }
    static void pad(std::string& text, std::size_t column) {
        text += text.size() < column ? std::string(column - text.size(), ' ') : std::string("  ");
    }
    static std::string hex_offset(std::uint64_t offset) { return hex32(static_cast<std::uint32_t>(offset)).substr(2); }
    /// A line stays readable: of a long field its first 16 bytes and how many there are more.
    std::string hex_bytes(std::uint64_t offset, std::uint64_t size) const {
        const std::uint64_t present = std::min<std::uint64_t>(size, bytes_.size() - std::min<std::uint64_t>(offset, bytes_.size()));
        const std::uint64_t shown = std::min<std::uint64_t>(present, 16);
        std::string text;
        for (std::uint64_t i = 0; i < shown; ++i) {
            const auto b = static_cast<std::uint8_t>(bytes_[offset + i]);
            text += i > 0 ? " " : "";
            text += core::hex_text(&b, 1);
        }
        if (size > shown) {
            text += " +" + std::to_string(size - shown);
        }
        return text;
    }
    void stopped(std::uint64_t offset, const std::string& path, const std::string& why) {
        if (wanted(path)) {
            any_ = true;
            out_ += hex_offset(offset) + "  stopped here: " + (path.empty() ? "" : path + ": ") + why + "\n";
        }
    }

    // Fields. Each says whether it lies before `end`.

    [[nodiscard]] const std::byte* at(std::uint64_t offset) const { return bytes_.data() + offset; }
    [[nodiscard]] std::uint32_t u32(std::uint64_t offset) const { return load<std::uint32_t>(at(offset)); }

    void u32_line(std::uint64_t offset, const std::string& path, const char* rule) {
        line(offset, 4, path, std::to_string(u32(offset)), rule);
    }
    void i32_line(std::uint64_t offset, const std::string& path, const char* rule) {
        line(offset, 4, path, std::to_string(load<std::int32_t>(at(offset))), rule);
    }
    void hex_line(std::uint64_t offset, const std::string& path, const char* rule) { line(offset, 4, path, hex32(u32(offset)), rule); }
    void hash_line(std::uint64_t offset, const std::string& path, const char* rule) {
        line(offset, lay::kSha256Size, path, core::hex_text(reinterpret_cast<const std::uint8_t*>(at(offset)), lay::kSha256Size), rule);
    }
    void floats_line(std::uint64_t offset, std::size_t count, const std::string& path, const char* rule) {
        if (selected(path)) {
            line(offset, 4 * count, path, floats(offset, count), rule);
        }
    }
    std::string floats(std::uint64_t offset, std::size_t count) const {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) {
            text += i > 0 ? " " : "";
            text += number_text(load<float>(at(offset + 4 * i)));
        }
        return text;
    }
    void id_line(std::uint64_t offset, const std::string& path, const char* rule) {
        if (selected(path)) {
            line(offset, 4, path, id_text(u32(offset)), rule);
        }
    }
    std::string id_text(std::uint32_t id) const {
        if (id == lay::kNone) {
            return "none";
        }
        const std::string number = std::to_string(id);
        if (id >= string_count_) {
            return number + (strings_known_ ? " (no such string)" : "");
        }
        return number + " '" + string(id) + "'";
    }
    /// As far as it is there: the table may be damaged.
    std::string string(std::uint32_t id) const {
        const std::uint64_t start = u32(string_offsets_ + 4ull * id);
        std::string text;
        for (std::uint64_t i = data_ + start; start < data_size_ && i < data_ + data_size_ && bytes_[i] != std::byte{0} && text.size() < 200; ++i) {
            text += static_cast<char>(bytes_[i]);
        }
        return text;
    }

    // Header

    void header() {
        using namespace lay::header;
        if (bytes_.size() < kSize) {
            line(0, bytes_.size(), "header", "", "GOM-HDR-1");
            stopped(bytes_.size(), "header", "the file has " + std::to_string(bytes_.size()) + " of a header's 512 bytes");
            return;
        }
        find_strings();
        const bool motion = std::memcmp(at(kMagic), kMotionMagic.data(), kMagicSize) == 0;
        line(kMagic, kMagicSize, "header.magic", std::string_view(reinterpret_cast<const char*>(at(0)), kMagicSize),
             motion ? "MTA-HDR-1" : "GOM-HDR-2");
        u32_line(kHeaderSize, "header.headerSize", "GOM-HDR-3");
        u32_line(kFormatVersion, "header.formatVersion", "GOM-HDR-4");
        u32_line(kCoordinateSystem, "header.coordinateSystem", "GOM-HDR-5");
        u32_line(kMatrixConvention, "header.matrixConvention", "GOM-HDR-6");
        hash_line(kSourceHash, "header.sourceHash", "GOM-HDR-8");
        id_line(kConverterVersionId, "header.converterVersionStrId", "GOM-STR0-4");
        hex_line(kValidationFlags, "header.validationFlags", motion ? "MTA-HDR-3" : "GOM-FLAG-1");
        line(kChunkTableOffset, 8, "header.chunkTableOffset", std::to_string(load<std::uint64_t>(at(kChunkTableOffset))), "GOM-TABLE-3");
        u32_line(kChunkTableCount, "header.chunkTableCount", "GOM-TABLE-2");
        if (motion) {
            hash_line(kSkeletonSignature, "header.skeletonSig", "MTA-SIG-1");
        }
        const std::uint64_t reserved = motion ? kMotionReserved : kReserved;
        const bool zero = std::all_of(at(reserved), at(kSize), [](std::byte b) { return b == std::byte{0}; });
        line(reserved, kSize - reserved, "header.reserved", zero ? "zeros" : "not zero", "GOM-HDR-7");
    }

    void table_place() {
        const auto offset = load<std::uint64_t>(at(lay::header::kChunkTableOffset));
        end_ = bytes_.size();
        if (offset >= lay::header::kMinChunkTableOffset && offset <= bytes_.size() && u32(offset - lay::chunk::kHeaderSize) != lay::kCtbl) {
            end_ = offset;
        }
    }

    void bare_table() {
        const std::uint64_t count = std::min<std::uint64_t>(u32(lay::header::kChunkTableCount), (bytes_.size() - end_) / lay::ctbl::kEntrySize);
        table_entries(end_, count);
        if (end_ + lay::ctbl::kEntrySize * count < bytes_.size()) {
            line(end_ + lay::ctbl::kEntrySize * count, bytes_.size() - end_ - lay::ctbl::kEntrySize * count, "rest", "", "");
        }
    }

    /// Looks for STR0 before anything is written, since ids before it are shown with their text.
    void find_strings() {
        std::uint64_t position = lay::header::kSize;
        while (position + lay::chunk::kHeaderSize <= bytes_.size() && lay::is_legal_fourcc(u32(position))) {
            const std::uint64_t size = u32(position + lay::chunk::kPayloadSize);
            const std::uint64_t payload = position + lay::chunk::kHeaderSize;
            if (size > bytes_.size() - payload) {
                return;
            }
            if (u32(position) == lay::kStr0 && size >= 4) {
                const std::uint64_t count = u32(payload);
                if (count <= (size - 4) / 4) {
                    strings_known_ = true;
                    string_count_ = count;
                    string_offsets_ = payload + lay::str0::kOffsets;
                    data_ = string_offsets_ + 4 * count;
                    data_size_ = payload + size - data_;
                }
                return;
            }
            position = lay::align16(payload + size);
        }
    }

    // Chunks

    void chunks(std::uint64_t begin, std::uint64_t end, const std::string& container) {
        const std::string prefix = container.empty() ? "" : container + ".";
        std::uint64_t position = begin;
        std::array<std::uint64_t, 3> ordinals{};   // MSH0, CLP0; MRPH
        std::uint32_t before = 0;
        while (position < end) {
            if (end - position < lay::chunk::kHeaderSize) {
                line(position, end - position, prefix + "rest", "", "GOM-CHUNK-4");
                return;
            }
            const std::uint32_t fourcc = u32(position);
            if (!lay::is_legal_fourcc(fourcc)) {
                stopped(position, container, "'" + fourcc_text(fourcc) + "' is not a chunk's name (GOM-CHUNK-2)");
                return;
            }
            std::string path = prefix + fourcc_text(fourcc);
            if (container.empty() && (fourcc == lay::kMsh0 || fourcc == lay::kClp0)) {
                path = indexed(path, ordinals[fourcc == lay::kMsh0 ? 0 : 1]++);
            }
            if (!container.empty() && fourcc == lay::kMrph) {
                path = indexed(path, ordinals[2]++);
            }
            if (container.empty() && fourcc == lay::kMrpa && before == lay::kClp0) {
                path = indexed("CLP0", ordinals[1] - 1) + ".MRPA";
            }
            before = fourcc;
            const std::uint64_t payload = position + lay::chunk::kHeaderSize;
            const std::uint64_t size = u32(position + lay::chunk::kPayloadSize);
            if (selected(path)) {
                any_ = true;
                out_ += (out_.empty() ? "" : "\n");
            }
            line(position, 4, path, fourcc_text(fourcc), "GOM-CHUNK-2");
            u32_line(position + lay::chunk::kPayloadSize, path + ".size", "GOM-CHUNK-3");
            u32_line(position + lay::chunk::kVersion, path + ".version", "GOM-CHUNK-8");
            hex_line(position + lay::chunk::kFlags, path + ".chunkFlags", "GOM-CHUNK-9");
            if (size > end - payload) {
                stopped(payload, path, "the payload of " + std::to_string(size) + " bytes passes the end of its container (GOM-CHUNK-3)");
                return;
            }
            if (wanted(path)) {
                contents(fourcc, path, payload, payload + size);
            }
            position = lay::align16(payload + size);
            const std::uint64_t padding_end = std::min(position, end);
            if (padding_end > payload + size) {
                line(payload + size, padding_end - payload - size, path + ".padding", "", "GOM-CHUNK-6");
            }
        }
    }

    void contents(std::uint32_t fourcc, const std::string& path, std::uint64_t p, std::uint64_t end) {
        const std::uint64_t stop = [&] {
            switch (fourcc) {
                case lay::kStr0: return strings(path, p, end);
                case lay::kMatl: return materials(path, p, end);
                case lay::kSkel: return skeleton(path, p, end);
                case lay::kMrpc: return morph_channels(path, p, end);
                case lay::kMrph: return morph(path, p, end);
                case lay::kMrpa: return morph_tracks(path, p, end);
                case lay::kMsh0: return part(path, p, end);
                case lay::kVb0: return vertices(path, p, end);
                case lay::kIb0: return indices(path, p, end);
                case lay::kSub0: return submeshes(path, p, end);
                case lay::kIbnd: return inverse_bind(path, p, end);
                case lay::kBnd0: return bounds(path, p, end);
                case lay::kGbtm: return placement(path, p, end);
                case lay::kAnim: return clip_count(path, p, end);
                case lay::kClp0: return clip(path, p, end);
                case lay::kCtbl: return table_entries(p, (end - p) / lay::ctbl::kEntrySize);
                default: return p;
            }
        }();
        if (stop < end) {
            line(stop, end - stop, path + ".rest", lay::is_top_level(fourcc) || lay::is_mesh_child(fourcc) ? "bytes that no count asks for" : "unknown chunk",
                 "");
        }
    }

    /// How many elements of `size` bytes are there, of `count`; says so when some are missing.
    std::uint64_t present(std::uint64_t count, std::uint64_t size, std::uint64_t p, std::uint64_t end, const std::string& path) {
        const std::uint64_t room = p > end ? 0 : (end - p) / size;
        if (count > room) {
            stopped(end, path, "the payload holds " + std::to_string(room) + " of " + std::to_string(count));
        }
        return std::min(count, room);
    }
    bool room(std::uint64_t size, std::uint64_t p, std::uint64_t end, const std::string& path) {
        if (p <= end && end - p >= size) {
            return true;
        }
        stopped(p, path, "the payload is too short for " + std::to_string(size) + " more bytes");
        return false;
    }

    std::uint64_t strings(const std::string& path, std::uint64_t p, std::uint64_t end) {
        if (!room(4, p, end, path)) {
            return p;
        }
        u32_line(p, path + ".count", "GOM-STR0-1");
        const std::uint64_t count = present(u32(p), 4, p + 4, end, path + ".offset");
        const std::uint64_t data = p + 4 + 4 * count;
        if (count != u32(p)) {
            return data;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            u32_line(p + 4 + 4 * i, path + "." + indexed("offset", i), "GOM-STR0-2");
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t start = u32(p + 4 + 4 * i);
            const std::string name = path + "." + indexed("string", i);
            if (start >= end - data) {
                stopped(p + 4 + 4 * i, name, "its offset lies outside the text (GOM-STR0-2)");
                continue;
            }
            const auto* nul = std::find(at(data + start), at(end), std::byte{0});
            const auto length = static_cast<std::uint64_t>(nul - at(data + start));
            std::string value = "'";
            value.append(reinterpret_cast<const char*>(at(data + start)), std::min<std::uint64_t>(length, 4096));
            value += '\'';
            line(data + start, length + (nul == at(end) ? 0 : 1), name, value, "GOM-STR0-3");
        }
        return end;
    }

    std::uint64_t materials(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::matl;
        if (!room(kSlots, p, end, path)) {
            return p;
        }
        u32_line(p, path + ".count", "GOM-MATL-1");
        const std::uint64_t count = present(u32(p), kSlotSize, p + kSlots, end, path + ".slot");
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t s = p + kSlots + kSlotSize * i;
            const std::string name = path + "." + indexed("slot", i);
            id_line(s + kNameId, name + ".nameId", "GOM-STR0-4");
            hex_line(s + kFlags, name + ".flags", "GOM-MATL-2");
            floats_line(s + kKd, 3, name + ".kd", "");
            floats_line(s + kKs, 3, name + ".ks", "");
            floats_line(s + kKe, 3, name + ".ke", "");
            floats_line(s + kShininess, 1, name + ".shininess", "GOM-MATL-3");
            floats_line(s + kOpacity, 1, name + ".opacity", "GOM-MATL-3");
            id_line(s + kDiffuseMapId, name + ".diffuseMapId", "GOM-MATL-4");
            id_line(s + kNormalMapId, name + ".normalMapId", "GOM-MATL-4");
            id_line(s + kSpecularMapId, name + ".specularMapId", "GOM-MATL-4");
            id_line(s + kEmissiveMapId, name + ".emissiveMapId", "GOM-MATL-4");
        }
        return p + kSlots + kSlotSize * count;
    }

    std::uint64_t skeleton(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::skel;
        if (!room(kParents, p, end, path)) {
            return p;
        }
        u32_line(p, path + ".boneCount", "GOM-SKEL-2");
        const std::uint64_t n = u32(p);
        if (present(n, kBytesPerBone, p + kParents, end, path + ".bone") != n) {
            return p + kParents;
        }
        for (std::uint64_t i = 0; i < n; ++i) {
            i32_line(p + kParents + 4 * i, path + "." + indexed("parent", i), "GOM-SKEL-3");
        }
        for (std::uint64_t i = 0; i < n; ++i) {
            id_line(p + name_ids(n) + 4 * i, path + "." + indexed("nameId", i), "GOM-STR0-5");
        }
        for (std::uint64_t i = 0; i < n; ++i) {
            id_line(p + path_ids(n) + 4 * i, path + "." + indexed("pathId", i), "GOM-SKEL-4");
        }
        for (std::uint64_t i = 0; i < n; ++i) {
            floats_line(p + bind_locals(n) + lay::kMatrixSize * i, 16, path + "." + indexed("bindLocal", i), "GOM-SKEL-7, CONV-MAT-3");
        }
        return p + kParents + kBytesPerBone * n;
    }

    std::uint64_t part(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::msh0;
        if (!room(kHeaderSize, p, end, path)) {
            return p;
        }
        id_line(p + kNameId, path + ".meshNameId", "GOM-STR0-4");
        u32_line(p + kVertexFormat, path + ".vertexFormat", "GOM-MSH0-2");
        u32_line(p + kVertexCount, path + ".vertexCount", "GOM-MSH0-3");
        u32_line(p + kIndexCount, path + ".indexCount", "GOM-MSH0-4");
        u32_line(p + kBoneCount, path + ".boneCount", "GOM-MSH0-5");
        hex_line(p + kFlags, path + ".flags", "GOM-MSH0-6");
        line(p + kReserved, 8, path + ".reserved", hex32(u32(p + kReserved)) + " " + hex32(u32(p + kReserved + 4)), "GOM-MSH0-7");
        chunks(p + kHeaderSize, end, path);
        return end;
    }

    std::uint64_t vertices(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::vb0;
        if (!room(kHeaderSize, p, end, path)) {
            return p;
        }
        u32_line(p + kVertexCount, path + ".vertexCount", "GOM-MSH0-10");
        u32_line(p + kStride, path + ".stride", "GOM-VB0-2");
        u32_line(p + kVertexFormat, path + ".vertexFormat", "GOM-VB0-2");
        hex_line(p + kReserved, path + ".reserved", "GOM-VB0-3");
        const std::uint64_t count = present(u32(p), lay::vf01::kSize, p + kHeaderSize, end, path + ".vertex");
        for (std::uint64_t i = 0; i < count; ++i) {
            using namespace lay::vf01;
            const std::uint64_t v = p + lay::vb0::kHeaderSize + kSize * i;
            const std::string name = path + "." + indexed("vertex", i);
            if (!selected(name)) {
                continue;
            }
            std::string bones;
            for (std::uint64_t k = 0; k < kInfluences; ++k) {
                bones += k > 0 ? " " : "";
                bones += std::to_string(load<std::uint16_t>(at(v + kBoneIndex + 2 * k)));
            }
            line(v, kSize, name,
                 "p " + floats(v + kPosition, 3) + " n " + floats(v + kNormal, 3) + " t " + floats(v + kTangent, 4) + " uv " +
                     floats(v + kUv0, 2) + " bi " + bones + " bw " + floats(v + kBoneWeight, 4),
                 "GOM-VB0-4, GOM-WEIGHT-3");
        }
        return p + kHeaderSize + lay::vf01::kSize * count;
    }

    std::uint64_t indices(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::ib0;
        if (!room(kHeaderSize, p, end, path)) {
            return p;
        }
        u32_line(p + kIndexCount, path + ".indexCount", "GOM-MSH0-10");
        u32_line(p + kIndexSize, path + ".indexSizeBytes", "GOM-IB0-2");
        line(p + kReserved, 8, path + ".reserved", hex32(u32(p + kReserved)) + " " + hex32(u32(p + kReserved + 4)), "GOM-IB0-5");
        const std::uint64_t width = u32(p + kIndexSize) == 2 ? 2 : 4;
        const std::uint64_t count = present(u32(p), width, p + kHeaderSize, end, path + ".index");
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t offset = p + kHeaderSize + width * i;
            line(offset, width, path + "." + indexed("index", i),
                 std::to_string(width == 2 ? std::uint32_t{load<std::uint16_t>(at(offset))} : u32(offset)), "GOM-IB0-3");
        }
        return p + kHeaderSize + width * count;
    }

    std::uint64_t submeshes(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::sub0;
        if (!room(kSubmeshes, p, end, path)) {
            return p;
        }
        u32_line(p, path + ".count", "GOM-SUB0-1");
        const std::uint64_t count = present(u32(p), kSubmeshSize, p + kSubmeshes, end, path + ".submesh");
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t s = p + kSubmeshes + kSubmeshSize * i;
            const std::string name = path + "." + indexed("submesh", i);
            i32_line(s + kMaterialIndex, name + ".materialIndex", "GOM-SUB0-4");
            u32_line(s + kIndexStart, name + ".indexStart", "GOM-SUB0-2");
            u32_line(s + kIndexCount, name + ".indexCount", "GOM-SUB0-3");
        }
        return p + kSubmeshes + kSubmeshSize * count;
    }

    std::uint64_t inverse_bind(const std::string& path, std::uint64_t p, std::uint64_t end) {
        if (!room(lay::ibnd::kMatrices, p, end, path)) {
            return p;
        }
        u32_line(p, path + ".boneCount", "GOM-MSH0-10");
        const std::uint64_t first = p + lay::ibnd::kMatrices;
        const std::uint64_t count = present(u32(p), lay::kMatrixSize, first, end, path + ".inverseBind");
        for (std::uint64_t i = 0; i < count; ++i) {
            floats_line(first + lay::kMatrixSize * i, 16, path + "." + indexed("inverseBind", i), "CONV-MAT-3, CONV-SPACE-3");
        }
        return first + lay::kMatrixSize * count;
    }

    std::uint64_t bounds(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::bnd0;
        if (end - p != kSize) {
            return p;
        }
        floats_line(p + kAabbMin, 3, path + ".aabbMin", "GOM-BND0-2");
        floats_line(p + kAabbMax, 3, path + ".aabbMax", "GOM-BND0-2");
        floats_line(p + kSphereCenter, 3, path + ".sphereCenter", "GOM-BND0-3");
        floats_line(p + kSphereRadius, 1, path + ".sphereRadius", "GOM-BND0-3");
        return end;
    }

    std::uint64_t placement(const std::string& path, std::uint64_t p, std::uint64_t end) {
        if (!room(lay::gbtm::kSize, p, end, path)) {
            return p;
        }
        floats_line(p, 16, path + ".meshBindGeoToModel", "CONV-MAT-3, GOM-GBTM-2");
        return p + lay::gbtm::kSize;
    }

    std::uint64_t morph_channels(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::mrpc;
        if (!room(kChannels, p, end, path)) {
            return p;
        }
        u32_line(p + kChannelCount, path + ".channelCount", "GOM-MRPC-1");
        u32_line(p + kShapeCount, path + ".shapeCount", "GOM-MRPC-2");
        const std::uint64_t count = present(u32(p), kChannelSize, p + kChannels, end, path + ".channel");
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t c = p + kChannels + kChannelSize * i;
            const std::string name = path + "." + indexed("channel", i);
            id_line(c + kNameId, name + ".nameId", "GOM-MRPC-4");
            floats_line(c + kDefaultWeight, 1, name + ".defaultWeight", "CONV-NUM-2");
            u32_line(c + kShapeEnd, name + ".shapeEnd", "GOM-MRPC-3");
        }
        const std::uint64_t first = p + shape_weights(count);
        if (count != u32(p)) {
            return first;
        }
        const std::uint64_t shapes = present(u32(p + kShapeCount), 4, first, end, path + ".shapeWeight");
        std::uint64_t k = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t begin = k;
            const std::uint64_t shape_end = u32(p + kChannels + kChannelSize * i + kShapeEnd);
            if (shape_end <= begin || shape_end > shapes) {
                break;
            }
            for (const std::string name = path + "." + indexed("channel", i); k < shape_end; ++k) {
                floats_line(first + 4 * k, 1, name + "." + indexed("shapeWeight", k - begin), "GOM-MRPC-5");
            }
        }
        // Behind a broken end nothing says whose they are.
        for (; k < shapes; ++k) {
            floats_line(first + 4 * k, 1, path + "." + indexed("shapeWeight", k), "GOM-MRPC-5");
        }
        return first + 4 * shapes;
    }

    std::uint64_t morph(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::mrph;
        if (!room(kHeaderSize, p, end, path)) {
            return p;
        }
        u32_line(p + kChannel, path + ".channel", "GOM-MRPH-2");
        u32_line(p + kShape, path + ".shape", "GOM-MRPH-2");
        u32_line(p + kVertexCount, path + ".vertexCount", "GOM-MRPH-1");
        hex_line(p + kReserved, path + ".reserved", "GOM-MRPH-6");
        const std::uint64_t count = u32(p + kVertexCount);
        if (present(count, kBytesPerVertex, p + kHeaderSize, end, path + ".vertex") != count) {
            return p + kHeaderSize;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            u32_line(p + kHeaderSize + 4 * i, path + "." + indexed("vertex", i), "GOM-MRPH-4");
        }
        for (const auto& [name, first] : {std::pair{"position", positions(count)}, std::pair{"normal", normals(count)}}) {
            for (std::uint64_t i = 0; i < count; ++i) {
                floats_line(p + first + 12 * i, 3, path + "." + indexed(name, i), "GOM-MRPH-5");
            }
        }
        return p + kHeaderSize + kBytesPerVertex * count;
    }

    std::uint64_t morph_tracks(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::mrpa;
        if (!room(kHeaderSize, p, end, path)) {
            return p;
        }
        u32_line(p + kTrackCount, path + ".trackCount", "GOM-MRPA-2");
        hex_line(p + kReserved, path + ".reserved", "GOM-MRPA-5");
        const std::uint64_t count = u32(p + kTrackCount);
        std::uint64_t position = p + kHeaderSize;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string name = path + "." + indexed("track", i);
            if (!room(kTrackHeaderSize, position, end, name)) {
                return position;
            }
            u32_line(position + kTrackChannel, name + ".channel", "GOM-MRPA-3");
            u32_line(position + kTrackKeyCount, name + ".keyCount", "GOM-MRPA-2");
            const std::uint64_t keys = u32(position + kTrackKeyCount);
            position += kTrackHeaderSize;
            const std::uint64_t there = present(keys, kKeySize, position, end, name + ".key");
            for (std::uint64_t k = 0; k < there; ++k) {
                const std::string key = name + "." + indexed("key", k);
                if (selected(key)) {
                    const std::uint64_t offset = position + kKeySize * k;
                    line(offset, kKeySize, key, "t " + floats(offset, 1) + " v " + floats(offset + 4, 1), "GOM-MRPA-4");
                }
            }
            position += kKeySize * there;
            if (there != keys) {
                return position;
            }
        }
        return position;
    }

    std::uint64_t clip_count(const std::string& path, std::uint64_t p, std::uint64_t end) {
        if (!room(lay::anim::kSize, p, end, path)) {
            return p;
        }
        u32_line(p, path + ".clipCount", "GOM-ANIM-2");
        return p + lay::anim::kSize;
    }

    std::uint64_t clip(const std::string& path, std::uint64_t p, std::uint64_t end) {
        using namespace lay::clp0;
        if (!room(kHeaderSize, p, end, path)) {
            return p;
        }
        id_line(p + kNameId, path + ".nameId", "GOM-STR0-5");
        floats_line(p + kDuration, 1, path + ".duration", "GOM-CLP0-2");
        i32_line(p + kRootBoneIndex, path + ".rootBoneIndex", "GOM-CLP0-3");
        u32_line(p + kInterpMode, path + ".interpMode", "GOM-CLP0-4");
        hex_line(p + kFlags, path + ".flags", "GOM-CLP0-5");
        u32_line(p + kTrackCount, path + ".trackCount", "GOM-CLP0-1");
        const std::uint64_t count = u32(p + kTrackCount);
        std::uint64_t position = p + kHeaderSize;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string name = path + "." + indexed("track", i);
            if (!room(kTrackHeaderSize, position, end, name)) {
                return position;
            }
            u32_line(position + kTrackBoneIndex, name + ".boneIndex", "GOM-CLP0-6");
            u32_line(position + kTrackTranslationCount, name + ".trKeyCount", "GOM-CLP0-1");
            u32_line(position + kTrackRotationCount, name + ".rotKeyCount", "GOM-CLP0-1");
            u32_line(position + kTrackScaleCount, name + ".scKeyCount", "GOM-CLP0-1");
            const std::uint64_t counts[3] = {u32(position + kTrackTranslationCount), u32(position + kTrackRotationCount),
                                             u32(position + kTrackScaleCount)};
            position += kTrackHeaderSize;
            for (std::size_t channel = 0; channel < 3; ++channel) {
                static constexpr const char* kNames[] = {"trKey", "rotKey", "scKey"};
                const std::size_t components = channel == 1 ? 4 : 3;
                const std::uint64_t size = 4 + 4 * components;
                const std::string keys = name + "." + kNames[channel];
                const std::uint64_t there = present(counts[channel], size, position, end, keys);
                for (std::uint64_t k = 0; k < there; ++k) {
                    const std::string key = indexed(keys, k);
                    if (selected(key)) {
                        const std::uint64_t offset = position + size * k;
                        line(offset, size, key, "t " + floats(offset, 1) + " v " + floats(offset + 4, components),
                             channel == 1 ? "GOM-CLP0-8, CONV-QUAT-2" : "GOM-CLP0-8");
                    }
                }
                position += size * there;
                if (there != counts[channel]) {
                    return position;
                }
            }
        }
        return position;
    }

    std::uint64_t table_entries(std::uint64_t p, std::uint64_t count) {
        using namespace lay::ctbl;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t e = p + kEntrySize * i;
            const std::string name = "CTBL." + indexed("entry", i);
            if (selected(name)) {
                std::string value = fourcc_text(u32(e + kEntryFourcc));
                value += ", " + std::to_string(u32(e + kEntryPayloadSize)) + " bytes at ";
                value += std::to_string(load<std::uint64_t>(at(e + kEntryOffset)));
                line(e, kEntrySize, name, value, "GOM-TABLE-2");
            }
        }
        return p + kEntrySize * count;
    }

    std::span<const std::byte> bytes_;
    std::string_view part_;
    std::string out_;
    bool any_ = false;
    std::uint64_t end_ = 0;
    bool strings_known_ = false;
    std::uint64_t string_count_ = 0;
    std::uint64_t string_offsets_ = 0;
    std::uint64_t data_ = 0;
    std::uint64_t data_size_ = 0;
};

}  // namespace

core::Result<std::string> dump(std::span<const std::byte> bytes, const std::string& file, std::string_view part) {
    Dumper dumper(bytes, part);
    std::string text = dumper.run();
    if (!dumper.any() && !part.empty()) {
        return core::fail(core::Code::Usage, core::Place{file, std::string(part), {}, {}}, "the file has no such part", {}, {},
                          "give a chunk path such as header, STR0, MSH0[0].VB0 or CLP0[0].track[2]");
    }
    return text;
}

}  // namespace gomkit::gom
