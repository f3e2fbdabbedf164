#include "decode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <gomkit/core/text.hpp>
#include <gomkit/runtime/layout.hpp>

#include "bytes.hpp"
#include "rules.hpp"

namespace gomkit::gom {
namespace {

namespace lay = runtime::layout;
using core::Code;
using core::IssueId;

struct Chunk {
    std::uint32_t fourcc = 0;
    std::uint64_t header = 0;     ///< file offset of its header
    std::uint64_t payload = 0;    ///< file offset of its payload
    std::uint64_t size = 0;
};

struct PartChunks {
    Chunk head;
    std::vector<Chunk> children;
    bool siblings = false;        ///< earlier generation: the children followed the part
};

struct ClipChunks {
    Chunk head;
    std::optional<Chunk> weights; ///< MRPA
};

/// A string of STR0: where it lies, and that it was found in order.
struct StringSpan {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
};

template <std::size_t N>
bool same_bytes(const std::byte* at, const std::array<char, N>& text) {
    return std::memcmp(at, text.data(), N) == 0;
}

std::string number(std::uint64_t value) { return std::to_string(value); }
std::string number(std::int32_t value) { return std::to_string(value); }

class Decoder {
public:
    Decoder(bool motion, std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options, core::Report& report)
        : motion_(motion), bytes_(bytes), file_(file), options_(options), report_(report) {}

    core::Result<Document> run() {
        if (header() && walk_file() && strings() && materials() && skeleton() && morph_channels() && parts() && clips()) {
            return std::move(doc_);
        }
        return core::Fault(std::move(error_));
    }

private:
    // Failing

    bool fail(IssueId rule, Code code, std::string part, std::uint64_t byte, std::string what, std::string found = {},
              std::string expected = {}) {
        const core::IssueInfo& row = core::info(rule);
        error_ = core::Error{code, core::Place{file_, std::move(part), byte, std::nullopt}, std::move(what), std::move(found),
                             std::move(expected), row.cure, {}};
        if (row.requirement[0] != '\0') {
            error_.notes.push_back(std::string("rule ") + row.requirement);
        }
        return false;
    }
    bool fail(IssueId rule, std::string part, std::uint64_t byte, std::string what, std::string found = {},
              std::string expected = {}) {
        return fail(rule, Code::Malformed, std::move(part), byte, std::move(what), std::move(found), std::move(expected));
    }
    bool within(std::uint64_t value, std::uint64_t limit, const char* name, std::string part, std::uint64_t byte) {
        if (value <= limit) {
            return true;
        }
        return fail(IssueId::GOM_LIMIT, Code::LimitExceeded, std::move(part), byte, std::string("limit on ") + name + " exceeded",
                    number(value), "at most " + number(limit));
    }
    void warn_once(IssueId id, std::string part, std::uint64_t byte, std::initializer_list<core::Arg> arguments = {}) {
        if (std::find(warned_.begin(), warned_.end(), id) == warned_.end()) {
            warned_.push_back(id);
            report_.add(id, core::Place{file_, std::move(part), byte, std::nullopt}, arguments);
        }
    }

    // Bytes

    const std::byte* at(std::uint64_t offset) const { return bytes_.data() + offset; }
    std::uint32_t u32(std::uint64_t offset) const { return load<std::uint32_t>(at(offset)); }
    std::int32_t i32(std::uint64_t offset) const { return load<std::int32_t>(at(offset)); }
    float f32(std::uint64_t offset) const { return load<float>(at(offset)); }

    bool finite(float value, const std::string& part, std::uint64_t byte) {
        return !is_bad_float(value) ||
               fail(IssueId::GOM_NOT_FINITE, part, byte, "the number is not finite", core::number_text(value), "a finite number");
    }
    template <std::size_t N>
    bool floats(std::uint64_t offset, std::array<float, N>& out, const std::string& part) {
        for (std::size_t i = 0; i < N; ++i) {
            out[i] = f32(offset + 4 * i);
            if (is_bad_float(out[i])) {
                return finite(out[i], indexed(part, i), offset + 4 * i);
            }
        }
        return true;
    }
    bool matrix(std::uint64_t offset, Matrix& out, const std::string& part) {
        for (std::size_t i = 0; i < 16; ++i) {
            out.m[i] = f32(offset + 4 * i);
            if (is_bad_float(out.m[i])) {
                return finite(out.m[i], indexed(part, i), offset + 4 * i);
            }
        }
        for (const std::size_t i : {std::size_t{3}, std::size_t{7}, std::size_t{11}, std::size_t{15}}) {
            const double expected = i == 15 ? 1.0 : 0.0;
            if (std::fabs(static_cast<double>(out.m[i]) - expected) > lay::tolerance::kLastColumn) {
                return fail(IssueId::GOM_MATRIX_COLUMN, indexed(part, i), offset + 4 * i,
                            "the matrix's last column is not 0 0 0 1", core::number_text(out.m[i]), core::number_text(expected));
            }
        }
        return true;
    }

    // Header

    bool header() {
        const std::uint64_t size = bytes_.size();
        if (!within(size, std::min<std::uint64_t>(options_.limits.max_file_bytes, lay::kMaxFileBytes), "file bytes", "", 0)) {
            return false;
        }
        if (size >= lay::header::kMagicSize && !magic()) {
            return false;
        }
        if (size < lay::header::kSize) {
            return fail(IssueId::GOM_TOO_SHORT, Code::Truncated, "header", 0, "the file is shorter than its header",
                        number(size) + " bytes", "at least 512");
        }
        if (!field("headerSize", lay::header::kHeaderSize, lay::header::kSize, IssueId::GOM_HEADER_SIZE) ||
            !field("formatVersion", lay::header::kFormatVersion, lay::header::kFormatVersion1, IssueId::GOM_VERSION) ||
            !field("coordinateSystem", lay::header::kCoordinateSystem, lay::header::kLeftHandedYUpMetres,
                   IssueId::GOM_COORDINATE_SYSTEM) ||
            !field("matrixConvention", lay::header::kMatrixConvention, lay::header::kRowMajorRowVector,
                   IssueId::GOM_MATRIX_CONVENTION)) {
            return false;
        }
        std::memcpy(doc_.source_hash.data(), at(lay::header::kSourceHash), lay::kSha256Size);
        if (motion_) {
            doc_.motion_of.emplace();
            std::memcpy(doc_.motion_of->data(), at(lay::header::kSkeletonSignature), lay::kSha256Size);
        } else {
            doc_.validation_flags = u32(lay::header::kValidationFlags) & lay::validation::kAll;
        }
        return table_place();
    }

    bool magic() {
        if (motion_) {
            return motion_magic();
        }
        if (same_bytes(at(0), lay::header::kModelMagic)) {
            return true;
        }
        if (same_bytes(at(0), lay::header::kMotionMagic)) {
            return fail(IssueId::GOM_MAGIC, Code::NotThisFormat, "header.magic", 0, "this is an MTA motion file, not a GOM model",
                        "MTAB0001", "GOMB0001");
        }
        if (same_bytes(at(0), lay::header::kTextMagic)) {
            return fail(IssueId::GOM_MAGIC, Code::NotThisFormat, "header.magic", 0,
                        "this is the text form of a GOM model, not the binary one", "GOMT0001", "GOMB0001");
        }
        if (same_bytes(at(0), lay::header::kMotionTextMagic)) {
            return fail(IssueId::GOM_MAGIC, Code::NotThisFormat, "header.magic", 0,
                        "MTA has no text form in v1; only MTAB0001 is supported", "MTAT0001", "GOMB0001");
        }
        const std::string_view found(reinterpret_cast<const char*>(at(0)), lay::header::kMagicSize);
        return fail(IssueId::GOM_MAGIC, Code::NotThisFormat, "header.magic", 0, "this is not a GOM file", "'" + std::string(found) + "'",
                    "GOMB0001");
    }

    bool motion_magic() {
        if (same_bytes(at(0), lay::header::kMotionMagic)) {
            return true;
        }
        const std::string found(reinterpret_cast<const char*>(at(0)), lay::header::kMagicSize);
        if (same_bytes(at(0), lay::header::kMotionTextMagic)) {
            return fail(IssueId::MTA_TEXT_FORM, Code::Unsupported, "header.magic", 0,
                        "MTA has no text form in v1; only MTAB0001 is supported", found, "MTAB0001");
        }
        if (same_bytes(at(0), lay::header::kModelMagic) || same_bytes(at(0), lay::header::kTextMagic)) {
            return fail(IssueId::MTA_MAGIC, Code::NotThisFormat, "header.magic", 0, "this is a GOM model, not a motion file", found,
                        "MTAB0001");
        }
        return fail(IssueId::MTA_MAGIC, Code::NotThisFormat, "header.magic", 0, "this is not a motion file", "'" + found + "'", "MTAB0001");
    }

    bool field(const char* name, std::uint64_t offset, std::uint64_t expected, IssueId rule) {
        const std::uint32_t found = u32(offset);
        return found == expected || fail(rule, std::string("header.") + name, offset, std::string(name) + " is not supported",
                                         number(std::uint64_t{found}), number(expected));
    }

    /// Finds out where the walk ends. The table itself is not used: a walk finds the same chunks.
    bool table_place() {
        using namespace lay::header;
        const std::uint64_t size = bytes_.size();
        std::uint64_t offset = load<std::uint64_t>(at(kChunkTableOffset));
        std::uint64_t count = u32(kChunkTableCount);
        if (options_.lenient && offset > size && u32(kChunkTableOffset) < size && count == 0) {
            warn_once(IssueId::GOM_OLD_TABLE, "header.chunkTableOffset", kChunkTableOffset);
            offset = u32(kChunkTableOffset);
            count = u32(kChunkTableOffset + 4);
        }
        end_ = size;
        if (offset == 0) {
            return count == 0 || fail(IssueId::GOM_TABLE_COUNT, "header.chunkTableCount", kChunkTableCount,
                                      "there is a number of table entries but no table", number(count), "0");
        }
        if (offset < kMinChunkTableOffset || offset > size || count > (size - offset) / lay::ctbl::kEntrySize) {
            return fail(IssueId::GOM_TABLE_BOUNDS, "header.chunkTableOffset", kChunkTableOffset,
                        "the chunk table does not lie inside the file behind its header",
                        number(count) + " entries at " + number(offset),
                        "an offset of at least 528, and an end of at most " + number(size));
        }
        if (u32(offset - lay::chunk::kHeaderSize) != lay::kCtbl) {
            end_ = offset;
            bare_table_ = true;
        }
        return true;
    }

    // Chunks

    /// The name that a fourcc of the earlier generation has now, or 0.
    std::uint32_t renamed(std::uint32_t fourcc) const {
        if (motion_) {
            return 0;   // the two belong to mesh parts
        }
        if (fourcc == lay::fourcc("VB0 ") || fourcc == lay::fourcc("VB00")) {
            return lay::kVb0;
        }
        if (fourcc == lay::fourcc("IB0 ") || fourcc == lay::fourcc("IB00")) {
            return lay::kIb0;
        }
        return 0;
    }

    /// Calls take(chunk) for each chunk of [begin, end), until it returns false.
    template <class Take>
    bool walk(std::uint64_t begin, std::uint64_t end, const std::string& container, Take&& take) {
        std::uint64_t position = begin;
        for (std::uint64_t ordinal = 0; position < end; ++ordinal) {
            const std::uint64_t left = end - position;
            if (left < lay::chunk::kHeaderSize) {
                const bool zero = std::all_of(at(position), at(end), [](std::byte b) { return b == std::byte{0}; });
                return zero || fail(IssueId::GOM_TRAILING_BYTES, Code::Truncated, container, position,
                                    "bytes that are not zero follow the last chunk", number(left) + " bytes", "none");
            }
            Chunk chunk{u32(position + lay::chunk::kFourcc), position, position + lay::chunk::kHeaderSize,
                        u32(position + lay::chunk::kPayloadSize)};
            if (!lay::is_legal_fourcc(chunk.fourcc) && !(options_.lenient && renamed(chunk.fourcc) != 0)) {
                return fail(IssueId::GOM_FOURCC, container + indexed("chunk", ordinal), position,
                            "this is not a chunk's name; nothing after it can be read", fourcc_text(chunk.fourcc),
                            "four of A-Z and 0-9, or three and a NUL");
            }
            if (chunk.size > left - lay::chunk::kHeaderSize) {
                return fail(IssueId::GOM_CHUNK_BOUNDS, Code::Truncated, container + fourcc_text(chunk.fourcc),
                            position + lay::chunk::kPayloadSize, "the payload passes the end of its container",
                            number(chunk.size) + " bytes", "at most " + number(left - lay::chunk::kHeaderSize));
            }
            if (!take(chunk)) {
                return false;
            }
            position = lay::align16(chunk.payload + chunk.size);
        }
        return true;
    }

    bool known_version(const Chunk& chunk, const std::string& part) {
        const std::uint32_t version = u32(chunk.header + lay::chunk::kVersion);
        return version == lay::chunk::kVersion1 || fail(IssueId::GOM_CHUNK_VERSION, part, chunk.header + lay::chunk::kVersion,
                                                        "the chunk's version is not supported", number(std::uint64_t{version}), "1");
    }

    void drop(const Chunk& chunk, const std::string& container) {
        const std::string name = fourcc_text(chunk.fourcc);
        if (std::find(dropped_.begin(), dropped_.end(), chunk.fourcc) == dropped_.end()) {
            dropped_.push_back(chunk.fourcc);
            report_.add(IssueId::GOM_CHUNK_DROPPED, core::Place{file_, container + name, chunk.header, std::nullopt}, {{"chunk", name}});
        }
    }

    bool walk_file() {
        PartChunks* open = nullptr;   // earlier generation: the part that the next children belong to
        std::uint64_t chunks = 0;
        std::uint32_t before = 0;
        const bool walked = walk(lay::header::kSize, end_, "", [&](const Chunk& chunk) {
            ++chunks;
            return top_level(chunk, std::exchange(before, chunk.fourcc), open);
        });
        if (!walked) {
            return false;
        }
        if (bare_table_ && chunks == 0) {
            return fail(IssueId::GOM_TABLE_BEFORE_CHUNKS, "header.chunkTableOffset", lay::header::kChunkTableOffset,
                        "no chunk precedes the chunk table");
        }
        if (!str0_) {
            return missing(lay::kStr0);
        }
        if (motion_) {
            return anim_ || missing(lay::kAnim);
        }
        return matl_ || options_.lenient || missing(lay::kMatl);
    }

    bool missing(std::uint32_t fourcc) {
        return fail(motion_ ? IssueId::MTA_CHUNK_MISSING : IssueId::GOM_CHUNK_MISSING, fourcc_text(fourcc), bytes_.size(),
                    "the file has no " + fourcc_text(fourcc) + " chunk");
    }

    bool top_level(const Chunk& chunk, std::uint32_t before, PartChunks*& open) {
        if (motion_ && is_model_chunk(chunk.fourcc)) {
            return fail(IssueId::MTA_CHUNK_FOREIGN, fourcc_text(chunk.fourcc), chunk.header, "the chunk does not belong into a motion file",
                        fourcc_text(chunk.fourcc), "STR0, ANIM, CLP0 and CTBL");
        }
        if (open != nullptr && (lay::is_mesh_child(chunk.fourcc) || renamed(chunk.fourcc) != 0)) {
            open->children.push_back(chunk);
            return true;
        }
        if (lay::is_mesh_child(chunk.fourcc) || !lay::is_legal_fourcc(chunk.fourcc)) {
            return fail(IssueId::GOM_CHUNK_MISPLACED, fourcc_text(chunk.fourcc), chunk.header, "the chunk belongs inside MSH0",
                        fourcc_text(chunk.fourcc) + " at top level");
        }
        if (!lay::is_top_level(chunk.fourcc)) {
            drop(chunk, "");
            return true;
        }
        open = nullptr;
        std::string part = fourcc_text(chunk.fourcc);
        if (chunk.fourcc == lay::kMsh0) {
            part = indexed(part, parts_.size());
        } else if (chunk.fourcc == lay::kClp0) {
            part = indexed(part, clips_.size());
        }
        if (chunk.fourcc == lay::kMsh0 &&
            !within(parts_.size() + 1, options_.limits.max_mesh_parts, "mesh parts", part, chunk.header)) {
            return false;
        }
        if (chunk.fourcc == lay::kMrpa && before != lay::kClp0) {
            return fail(IssueId::GOM_MORPH_WITHOUT_CLIP, part, chunk.header, "animated weights do not follow a clip",
                        before == 0 ? "the first chunk" : fourcc_text(before) + " before it", "CLP0");
        }
        if (!known_version(chunk, part)) {
            return false;
        }
        if (chunk.fourcc == lay::kMrpa) {
            clips_.back().weights = chunk;
            return true;
        }
        if (chunk.fourcc == lay::kMsh0) {
            parts_.push_back(PartChunks{chunk, {}, false});
            if (options_.lenient && chunk.size == lay::msh0::kHeaderSize) {
                parts_.back().siblings = true;
                open = &parts_.back();
            }
            return true;
        }
        if (chunk.fourcc == lay::kClp0) {
            clips_.push_back(ClipChunks{chunk, std::nullopt});
            return true;
        }
        std::optional<Chunk>* slot = chunk.fourcc == lay::kStr0   ? &str0_
                                     : chunk.fourcc == lay::kMatl ? &matl_
                                     : chunk.fourcc == lay::kSkel ? &skel_
                                     : chunk.fourcc == lay::kMrpc ? &mrpc_
                                     : chunk.fourcc == lay::kAnim ? &anim_
                                                                  : &ctbl_;
        if (*slot) {
            return fail(IssueId::GOM_CHUNK_TWICE, part, chunk.header, "the chunk occurs a second time");
        }
        *slot = chunk;
        return true;
    }

    // Strings

    bool strings() {
        const Chunk& c = *str0_;
        if (c.size < lay::str0::kOffsets) {
            return fail(IssueId::GOM_STRING_TABLE_SIZE, "STR0", c.payload, "the payload is too short", number(c.size) + " bytes",
                        "at least 4");
        }
        const std::uint64_t count = u32(c.payload + lay::str0::kCount);
        if (!within(count, options_.limits.max_strings, "strings", "STR0.count", c.payload)) {
            return false;
        }
        const std::uint64_t head = lay::str0::kOffsets + lay::str0::kOffsetSize * count;
        if (c.size < head) {
            return fail(IssueId::GOM_STRING_TABLE_SIZE, "STR0", c.payload, "the payload is too short for its offsets",
                        number(c.size) + " bytes", "at least " + number(head));
        }
        std::uint64_t data = c.payload + head;
        std::uint64_t size = c.size - head;
        const bool old = options_.lenient && size >= 4 && u32(data) == size - 4;
        if (old) {
            warn_once(IssueId::GOM_OLD_STRINGS, "STR0", data);
            data += 4;
            size -= 4;
        }
        if (!within(size, options_.limits.max_string_bytes, "string bytes", "STR0.data", data)) {
            return false;
        }
        return read_offsets(count, c.payload + lay::str0::kOffsets, data, size, old);
    }

    bool read_offsets(std::uint64_t count, std::uint64_t offsets, std::uint64_t data, std::uint64_t size, bool old) {
        strings_.resize(count);
        std::vector<std::uint32_t> starts(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            starts[i] = u32(offsets + lay::str0::kOffsetSize * i);
            if (starts[i] >= size && !(old && starts[i] == size)) {
                return fail(IssueId::GOM_STRING_OFFSET, "STR0." + indexed("offset", i), offsets + lay::str0::kOffsetSize * i,
                            "the offset lies outside the text", number(std::uint64_t{starts[i]}), "less than " + number(size));
            }
        }
        std::vector<std::uint32_t> order(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            order[i] = static_cast<std::uint32_t>(i);
        }
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return starts[a] != starts[b] ? starts[a] < starts[b] : a < b; });
        // In ascending order of their starts the strings up to one NUL are tails of one another, so each byte of text is looked
        // at once however many strings share it.
        const char* text = reinterpret_cast<const char*>(bytes_.data()) + data;
        std::uint64_t nul = 0;   // the NUL that ends the strings looked at last
        std::uint64_t total = 0;
        for (std::uint64_t k = 0; k < count;) {
            const std::uint64_t start = starts[order[k]];
            std::uint64_t next = k + 1;
            while (next < count && starts[order[next]] == start) {
                ++next;
            }
            const bool tail = !old && k > 0 && start < nul;
            if (!tail) {
                // In the earlier form a string without NUL ends where the next one begins.
                const std::uint64_t stop = old && next < count ? starts[order[next]] : size;
                const void* found = start < stop ? std::memchr(text + start, 0, stop - start) : nullptr;
                if (found == nullptr && !old) {
                    return fail(IssueId::GOM_STRING_UNTERMINATED, "STR0." + indexed("string", order[k]), data + start,
                                "no NUL ends the string before the chunk does");
                }
                nul = found == nullptr ? stop : static_cast<std::uint64_t>(static_cast<const char*>(found) - text);
            }
            if (!text_in_order(order[k], std::string_view(text + start, nul - start), data + start, tail)) {
                return false;
            }
            total += nul - start + (old ? 0 : 1);
            for (; k < next; ++k) {
                strings_[order[k]] = StringSpan{data + start, nul - start};
            }
        }
        // Strings that overlap count each: what is done with names and paths later on is bounded by this.
        return within(total, options_.limits.max_string_bytes, "string bytes", "STR0.data", data);
    }

    /// `tail`: the text belongs to a string that was in order, so only its beginning can be wrong.
    bool text_in_order(std::uint64_t id, std::string_view text, std::uint64_t byte, bool tail) {
        const auto part = [id] { return "STR0." + indexed("string", id); };
        if (text.substr(0, 3) == "\xEF\xBB\xBF") {
            return fail(IssueId::GOM_STRING_BOM, part(), byte, "the string begins with a byte order mark");
        }
        std::size_t offset = 0;
        core::TextFault fault = core::TextFault::None;
        if (!tail) {
            fault = core::find_text_fault(text, &offset);
        } else if (!text.empty() && (static_cast<std::uint8_t>(text.front()) & 0xC0u) == 0x80u) {
            fault = core::TextFault::InvalidUtf8;
        }
        switch (fault) {
            case core::TextFault::None: return true;
            case core::TextFault::InvalidUtf8:
                return fail(IssueId::GOM_STRING_UTF8, part(), byte + offset, "the string is not UTF-8");
            case core::TextFault::ControlCharacter:
                return fail(IssueId::GOM_STRING_CONTROL, part(), byte + offset, "the string has a control character",
                            hex32(static_cast<std::uint8_t>(text[offset])));
        }
        return true;
    }

    std::string_view text_of(std::uint32_t id) const {
        const StringSpan& s = strings_[id];
        return {reinterpret_cast<const char*>(bytes_.data()) + s.begin, s.size};
    }

    /// The string at an id field; "" is none.
    bool string(std::uint64_t offset, const std::string& part, std::optional<std::string>& out) {
        const std::uint32_t id = u32(offset);
        out.reset();
        if (id == lay::kNone) {
            return true;
        }
        if (id >= strings_.size()) {
            return fail(IssueId::GOM_STRING_ID, part, offset, "the string id is out of range", number(std::uint64_t{id}),
                        "less than " + number(strings_.size()));
        }
        const std::string_view text = text_of(id);
        // One long string may be named by many ids; the bytes of the file do not bound what that takes.
        text_bytes_ += text.size();
        if (!within(text_bytes_, options_.limits.max_memory_bytes, "memory bytes", part, offset)) {
            return false;
        }
        if (!text.empty()) {
            out = std::string(text);
        }
        return true;
    }
    bool name(std::uint64_t offset, const std::string& part, const char* what, std::string& out) {
        std::optional<std::string> text;
        if (!string(offset, part, text)) {
            return false;
        }
        if (!text) {
            return fail(IssueId::GOM_NAME_MISSING, part, offset, std::string(what) + " has no text");
        }
        out = std::move(*text);
        return true;
    }

    bool exact_size(const Chunk& chunk, const std::string& part, std::uint64_t expected) {
        return chunk.size == expected || fail(IssueId::GOM_CHUNK_SIZE, part, chunk.header + lay::chunk::kPayloadSize,
                                              "the payload is not as long as its counts say", number(chunk.size) + " bytes",
                                              number(expected));
    }

    // Materials

    bool materials() {
        if (!string(lay::header::kConverterVersionId, "header.converterVersionStrId", doc_.converter_version)) {
            return false;
        }
        if (!matl_) {
            return true;   // earlier generation: made when the parts are known
        }
        const Chunk& c = *matl_;
        if (c.size < lay::matl::kSlots) {
            return exact_size(c, "MATL", lay::matl::kSlots);
        }
        const std::uint64_t count = u32(c.payload + lay::matl::kCount);
        if (!within(count, options_.limits.max_material_slots, "material slots", "MATL.count", c.payload) ||
            !exact_size(c, "MATL", lay::matl::kSlots + lay::matl::kSlotSize * count)) {
            return false;
        }
        doc_.materials.resize(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            if (!material(c.payload + lay::matl::kSlots + lay::matl::kSlotSize * i, "MATL." + indexed("slot", i), doc_.materials[i])) {
                return false;
            }
        }
        return true;
    }

    bool material(std::uint64_t offset, const std::string& part, MaterialSlot& slot) {
        using namespace lay::matl;
        slot.shininess = f32(offset + kShininess);
        slot.opacity = f32(offset + kOpacity);
        return string(offset + kNameId, part + ".nameId", slot.name) && floats(offset + kKd, slot.kd, part + ".kd") &&
               floats(offset + kKs, slot.ks, part + ".ks") && floats(offset + kKe, slot.ke, part + ".ke") &&
               finite(slot.shininess, part + ".shininess", offset + kShininess) &&
               finite(slot.opacity, part + ".opacity", offset + kOpacity) &&
               string(offset + kDiffuseMapId, part + ".diffuseMapId", slot.maps[0]) &&
               string(offset + kNormalMapId, part + ".normalMapId", slot.maps[1]) &&
               string(offset + kSpecularMapId, part + ".specularMapId", slot.maps[2]) &&
               string(offset + kEmissiveMapId, part + ".emissiveMapId", slot.maps[3]);
    }

    // Skeleton

    /// A vertex names its bone with 16 bits, so the format itself ends at 65,536.
    std::uint64_t bone_limit() const { return std::min<std::uint64_t>(options_.limits.max_bones, 65'536); }

    bool skeleton() {
        if (!skel_) {
            return true;
        }
        const Chunk& c = *skel_;
        if (c.size < lay::skel::kParents) {
            return exact_size(c, "SKEL", lay::skel::kParents);
        }
        const std::uint64_t count = u32(c.payload + lay::skel::kBoneCount);
        if (!within(count, bone_limit(), "bones", "SKEL.boneCount", c.payload)) {
            return false;
        }
        if (count == 0) {
            return fail(IssueId::GOM_NO_BONES, "SKEL.boneCount", c.payload, "the skeleton has no bone", "0", "at least 1");
        }
        if (!exact_size(c, "SKEL", lay::skel::kParents + lay::skel::kBytesPerBone * count)) {
            return false;
        }
        doc_.bones.resize(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            if (!bone(i, count)) {
                return false;
            }
        }
        return (!options_.lenient || parents_without_cycle()) && paths();
    }

    bool bone(std::uint64_t i, std::uint64_t count) {
        const std::uint64_t base = skel_->payload;
        Bone& b = doc_.bones[i];
        const std::uint64_t parent_at = base + lay::skel::kParents + 4 * i;
        b.parent = i32(parent_at);
        const std::int64_t end = static_cast<std::int64_t>(options_.lenient ? count : i);
        if (b.parent < -1 || b.parent >= end) {
            return fail(IssueId::GOM_BONE_PARENT, "SKEL." + indexed("parent", i), parent_at, "the bone's parent is out of range",
                        number(b.parent), "-1, or less than " + std::to_string(end));
        }
        const std::uint64_t matrix_at = base + lay::skel::bind_locals(count) + lay::kMatrixSize * i;
        const std::string matrix_part = "SKEL." + indexed("bindLocal", i);
        if (!name(base + lay::skel::name_ids(count) + 4 * i, "SKEL." + indexed("nameId", i), "the bone's name", b.name) ||
            !name(base + lay::skel::path_ids(count) + 4 * i, "SKEL." + indexed("pathId", i), "the bone's path", b.path) ||
            !matrix(matrix_at, b.bind_local, matrix_part)) {
            return false;
        }
        if (runtime::determinant3(runtime::matrix_cast<double>(b.bind_local)) == 0.0) {
            return fail(IssueId::GOM_BONE_SINGULAR, matrix_part, matrix_at, "the matrix of bone '" + b.path + "' has the determinant 0");
        }
        return true;
    }

    bool parents_without_cycle() {
        std::vector<std::uint8_t> state(doc_.bones.size(), 0);   // 1: on the way, 2: leads to a root
        std::vector<std::size_t> way;
        for (std::size_t i = 0; i < doc_.bones.size(); ++i) {
            way.clear();
            std::size_t at = i;
            while (state[at] == 0) {
                state[at] = 1;
                way.push_back(at);
                if (doc_.bones[at].parent < 0) {
                    break;
                }
                at = static_cast<std::size_t>(doc_.bones[at].parent);
            }
            if (state[at] == 1 && doc_.bones[at].parent >= 0) {
                return fail(IssueId::GOM_BONE_PARENT, "SKEL." + indexed("parent", at), skel_->payload + lay::skel::kParents + 4 * at,
                            "the bone is its own ancestor", number(doc_.bones[at].parent));
            }
            for (const std::size_t k : way) {
                state[k] = 2;
            }
        }
        return true;
    }

    bool paths() {
        const std::uint64_t ids = skel_->payload + lay::skel::path_ids(doc_.bones.size());
        for (std::size_t i = 0; i < doc_.bones.size(); ++i) {
            const Bone& b = doc_.bones[i];
            const std::string part = "SKEL." + indexed("pathId", i);
            std::string_view parent_path;
            if (b.parent >= 0) {
                parent_path = doc_.bones[static_cast<std::size_t>(b.parent)].path;
            }
            if (!is_path_of(b.path, b.parent >= 0 ? &parent_path : nullptr, b.name)) {
                return fail(IssueId::GOM_BONE_PATH, part, ids + 4 * i, "the path is not the parent's path followed by the bone's name",
                            "'" + b.path + "'", b.parent >= 0 ? "'" + std::string(parent_path) + "/' and '" + b.name + "'"
                                                              : "'" + b.name + "'");
            }
        }
        std::vector<std::size_t> order(doc_.bones.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const int c = doc_.bones[a].path.compare(doc_.bones[b].path);
            return c != 0 ? c < 0 : a < b;
        });
        for (std::size_t k = 1; k < order.size(); ++k) {
            if (doc_.bones[order[k]].path == doc_.bones[order[k - 1]].path) {
                return fail(IssueId::GOM_BONE_PATH_TWICE, "SKEL." + indexed("pathId", order[k]), ids + 4 * order[k],
                            "the path occurs twice", "'" + doc_.bones[order[k]].path + "'");
            }
        }
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (doc_.bones[i].path < doc_.bones[i - 1].path) {
                if (options_.lenient) {
                    warn_once(IssueId::GOM_OLD_BONE_ORDER, "SKEL." + indexed("pathId", i), ids + 4 * i);
                    return true;
                }
                return fail(IssueId::GOM_BONE_ORDER, "SKEL." + indexed("pathId", i), ids + 4 * i, "the bones are not sorted by path",
                            "'" + doc_.bones[i].path + "' behind '" + doc_.bones[i - 1].path + "'");
            }
        }
        return true;
    }

    // Blend shapes (morph.md)

    struct Head;

    bool morph_channels() {
        using namespace lay::mrpc;
        if (!mrpc_) {
            return true;
        }
        const Chunk& c = *mrpc_;
        if (c.size < kChannels) {
            return exact_size(c, "MRPC", kChannels);
        }
        const std::uint64_t count = u32(c.payload + kChannelCount);
        const std::uint64_t shapes = u32(c.payload + kShapeCount);
        const std::uint64_t weights = c.payload + shape_weights(count);
        if (!within(count, options_.limits.max_morph_channels, "morph channels", "MRPC.channelCount", c.payload + kChannelCount) ||
            !within(shapes, options_.limits.max_morph_shapes, "morph shapes", "MRPC.shapeCount", c.payload + kShapeCount) ||
            !exact_size(c, "MRPC", shape_weights(count) + 4 * shapes)) {
            return false;
        }
        doc_.morph_channels.resize(count);
        std::uint64_t begin = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t p = c.payload + kChannels + kChannelSize * i;
            const std::string place = "MRPC." + indexed("channel", i);
            MorphChannel& channel = doc_.morph_channels[i];
            if (!name(p + kNameId, place + ".nameId", "the channel's name", channel.name)) {
                return false;
            }
            if (i > 0 && channel.name <= doc_.morph_channels[i - 1].name) {
                return fail(IssueId::GOM_MORPH_CHANNEL_ORDER, place + ".nameId", p + kNameId, "the channels are not in ascending order of their names",
                            "'" + channel.name + "' behind '" + doc_.morph_channels[i - 1].name + "'");
            }
            channel.default_weight = f32(p + kDefaultWeight);
            const std::uint64_t end = u32(p + kShapeEnd);
            if (!finite(channel.default_weight, place + ".defaultWeight", p + kDefaultWeight)) {
                return false;
            }
            if (end <= begin) {
                return fail(IssueId::GOM_MORPH_NO_SHAPE, place + ".shapeEnd", p + kShapeEnd, "channel '" + channel.name + "' has no shape",
                            number(end), "more than " + number(begin));
            }
            if (end > shapes) {
                return fail(IssueId::GOM_MORPH_SHAPES, place + ".shapeEnd", p + kShapeEnd, "there are fewer shapes", number(end),
                            "at most " + number(shapes));
            }
            if (!shape_weights_of(channel, weights + 4 * begin, end - begin, place)) {
                return false;
            }
            begin = end;
        }
        return begin == shapes || fail(IssueId::GOM_MORPH_SHAPES, "MRPC.shapeCount", c.payload + kShapeCount,
                                       "shapeCount is not the number of all channels' shapes", number(shapes), number(begin));
    }

    bool shape_weights_of(MorphChannel& channel, std::uint64_t first, std::uint64_t count, const std::string& place) {
        channel.shapes.resize(count);
        for (std::uint64_t k = 0; k < count; ++k) {
            const float weight = channel.shapes[k] = f32(first + 4 * k);
            const std::string part = place + "." + indexed("shapeWeight", k);
            if (!finite(weight, part, first + 4 * k)) {
                return false;
            }
            if (weight == 0 || (k > 0 && weight <= channel.shapes[k - 1])) {
                return fail(IssueId::GOM_MORPH_SHAPE_WEIGHT, part, first + 4 * k, "the weights of the shapes do not ascend, or one is 0",
                            core::number_text(weight), k > 0 ? "more than " + core::number_text(channel.shapes[k - 1]) + ", not 0" : "not 0");
            }
        }
        return true;
    }

    bool morphs(std::span<const Chunk> chunks, const std::string& part, const Head& head, Part& out) {
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            out.morphs.emplace_back();
            const Morph* before = i > 0 ? &out.morphs[i - 1] : nullptr;
            if (!morph(chunks[i], part + "." + indexed("MRPH", i), head, before, out.morphs[i])) {
                return false;
            }
        }
        return true;
    }

    bool morph(const Chunk& c, const std::string& place, const Head& head, const Morph* before, Morph& out) {
        using namespace lay::mrph;
        if (c.size < kHeaderSize) {
            return exact_size(c, place, kHeaderSize);
        }
        const std::uint64_t count = u32(c.payload + kVertexCount);
        morph_vertex_total_ += count;
        if (!within(morph_vertex_total_, options_.limits.max_morph_vertices, "morph vertices", place + ".vertexCount", c.payload + kVertexCount) ||
            !exact_size(c, place, kHeaderSize + kBytesPerVertex * count)) {
            return false;
        }
        out.channel = u32(c.payload + kChannel);
        out.shape = u32(c.payload + kShape);
        const std::uint64_t channels = doc_.morph_channels.size();
        if (out.channel >= channels) {
            return fail(IssueId::GOM_MORPH_CHANNEL, place + ".channel", c.payload + kChannel, "there is no such channel",
                        number(std::uint64_t{out.channel}), "less than " + number(channels));
        }
        const std::uint64_t shapes = doc_.morph_channels[out.channel].shapes.size();
        if (out.shape >= shapes) {
            return fail(IssueId::GOM_MORPH_CHANNEL, place + ".shape", c.payload + kShape, "the channel has no such shape",
                        number(std::uint64_t{out.shape}), "less than " + number(shapes));
        }
        if (before != nullptr && std::pair(out.channel, out.shape) <= std::pair(before->channel, before->shape)) {
            return fail(IssueId::GOM_MORPH_ORDER, place + ".channel", c.payload + kChannel,
                        "the part's shapes are not in ascending order of channel and shape", number(std::uint64_t{out.channel}),
                        "behind shape " + number(std::uint64_t{before->shape}) + " of channel " + number(std::uint64_t{before->channel}));
        }
        return morph_vertices(c, place, count, head, out) &&
               offsets(c.payload + positions(count), place + ".position", count, out.positions) &&
               offsets(c.payload + normals(count), place + ".normal", count, out.normals);
    }

    bool morph_vertices(const Chunk& c, const std::string& place, std::uint64_t count, const Head& head, Morph& out) {
        out.vertices.resize(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t offset = c.payload + lay::mrph::kHeaderSize + 4 * i;
            const std::uint32_t vertex = out.vertices[i] = u32(offset);
            const bool late = i > 0 && vertex <= out.vertices[i - 1];
            if (late || vertex >= head.vertex_count) {
                return fail(IssueId::GOM_MORPH_VERTEX, place + "." + indexed("vertex", i), offset, "the shape's vertices do not ascend, or there is no such vertex",
                            number(std::uint64_t{vertex}),
                            late ? "more than " + number(std::uint64_t{out.vertices[i - 1]}) : "less than " + number(head.vertex_count));
            }
        }
        return true;
    }

    bool offsets(std::uint64_t first, const std::string& part, std::uint64_t count, core::LargeVector<std::array<float, 3>>& out) {
        out.resize(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint32_t bad = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                out[i][k] = f32(first + 12 * i + 4 * k);
                bad |= bad_float(out[i][k]);
            }
            if (bad != 0) {
                return floats(first + 12 * i, out[i], part + indexed("", i));
            }
        }
        return true;
    }

    bool morph_tracks(const Chunk& c, const std::string& place, Clip& out) {
        using namespace lay::mrpa;
        if (c.size < kHeaderSize) {
            return fail(IssueId::GOM_CLIP_SIZE, place, c.header + lay::chunk::kPayloadSize, "the payload is too short for its head",
                        number(c.size) + " bytes", "at least 8");
        }
        const std::uint64_t count = u32(c.payload + kTrackCount);
        if (!within(count, options_.limits.max_tracks_per_clip, "tracks", place + ".trackCount", c.payload + kTrackCount)) {
            return false;
        }
        std::uint64_t position = kHeaderSize;
        std::uint64_t keys = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string part = place + "." + indexed("track", i);
            const std::uint64_t t = c.payload + position;
            if (c.size - position < kTrackHeaderSize) {
                return fail(IssueId::GOM_CLIP_SIZE, part, t, "the payload ends before the track does", number(c.size - position) + " bytes",
                            "at least 8");
            }
            const std::uint64_t key_count = u32(t + kTrackKeyCount);
            keys += key_count;
            if (!within(keys, options_.limits.max_keys_per_clip, "keys", part, t)) {
                return false;
            }
            const std::uint64_t size = kTrackHeaderSize + kKeySize * key_count;
            if (size > c.size - position) {
                return fail(IssueId::GOM_CLIP_SIZE, part, t, "the payload ends before the track does", number(c.size - position) + " bytes",
                            number(size));
            }
            MorphTrack track;
            track.channel = u32(t + kTrackChannel);
            if (track.channel >= doc_.morph_channels.size()) {
                return fail(IssueId::GOM_MORPH_TRACK_CHANNEL, part + ".channel", t + kTrackChannel, "there is no such channel",
                            number(std::uint64_t{track.channel}), "less than " + number(doc_.morph_channels.size()));
            }
            if (i > 0 && track.channel <= out.morph_tracks.back().channel) {
                return fail(IssueId::GOM_MORPH_TRACK_ORDER, part + ".channel", t + kTrackChannel, "the tracks are not in ascending order of channel",
                            number(std::uint64_t{track.channel}), "more than " + number(std::uint64_t{out.morph_tracks.back().channel}));
            }
            if (!channel(t + kTrackHeaderSize, key_count, part + ".key", out.duration, track.keys)) {
                return false;
            }
            out.morph_tracks.push_back(std::move(track));
            position += size;
        }
        return position == c.size || fail(IssueId::GOM_CLIP_SIZE, place, c.header + lay::chunk::kPayloadSize,
                                          "the payload goes on after its last track", number(c.size) + " bytes", number(position));
    }

    // Mesh parts

    bool parts() {
        // A reader of many parts would otherwise move what it has read as the vector grows.
        doc_.parts.reserve(parts_.size());
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            doc_.parts.emplace_back();
            if (!part(parts_[i], indexed("MSH0", i), doc_.parts.back())) {
                return false;
            }
        }
        return matl_ || motion_ || default_materials();
    }

    struct Children {
        std::array<std::optional<Chunk>, lay::kMeshChildOrder.size()> known;
        std::vector<Chunk> morphs;
        const std::optional<Chunk>& operator[](std::uint32_t fourcc) const { return known[slot(fourcc)]; }
        std::optional<Chunk>& operator[](std::uint32_t fourcc) { return known[slot(fourcc)]; }
        static std::size_t slot(std::uint32_t fourcc) {
            return static_cast<std::size_t>(std::find(lay::kMeshChildOrder.begin(), lay::kMeshChildOrder.end(), fourcc) -
                                            lay::kMeshChildOrder.begin());
        }
    };

    struct Head {
        std::uint64_t vertex_count = 0;
        std::uint64_t index_count = 0;
        std::uint64_t bone_count = 0;
        std::uint32_t flags = 0;
        std::uint64_t flags_at = 0;
    };

    bool part(const PartChunks& source, const std::string& place, Part& out) {
        Head head;
        Children children;
        return part_head(source.head, place, head, out) && collect_children(source, place, children) &&
               vertices(*children[lay::kVb0], place + ".VB0", head, out) && indices(*children[lay::kIb0], place, head, out) &&
               submeshes(*children[lay::kSub0], place + ".SUB0", head, out) &&
               inverse_bind(*children[lay::kIbnd], place + ".IBND", head, out) && bounds(children[lay::kBnd0], place + ".BND0", out) &&
               placement(children[lay::kGbtm], place, head, out) && morphs(children.morphs, place, head, out);
    }

    bool part_head(const Chunk& c, const std::string& place, Head& head, Part& out) {
        using namespace lay::msh0;
        if (c.size < kHeaderSize) {
            return fail(IssueId::GOM_PART_SIZE, place, c.header + lay::chunk::kPayloadSize, "the payload is too short for the part's head",
                        number(c.size) + " bytes", "at least 32");
        }
        const std::uint64_t p = c.payload;
        head.vertex_count = u32(p + kVertexCount);
        head.index_count = u32(p + kIndexCount);
        head.bone_count = u32(p + kBoneCount);
        head.flags = u32(p + kFlags);
        head.flags_at = p + kFlags;
        vertex_total_ += head.vertex_count;
        index_total_ += head.index_count;
        if (!within(vertex_total_, options_.limits.max_vertices, "vertices", place + ".vertexCount", p + kVertexCount) ||
            !within(index_total_, options_.limits.max_indices, "indices", place + ".indexCount", p + kIndexCount)) {
            return false;
        }
        if (u32(p + kVertexFormat) != kVf01) {
            return fail(IssueId::GOM_VERTEX_FORMAT, place + ".vertexFormat", p + kVertexFormat, "vertexFormat is not supported",
                        number(std::uint64_t{u32(p + kVertexFormat)}), "1");
        }
        if (head.vertex_count == 0) {
            return fail(IssueId::GOM_PART_EMPTY, place + ".vertexCount", p + kVertexCount, "the part has no vertex", "0", "at least 1");
        }
        if (head.index_count == 0 || head.index_count % 3 != 0) {
            return fail(IssueId::GOM_PART_INDEX_COUNT, place + ".indexCount", p + kIndexCount, "indexCount does not make triangles",
                        number(head.index_count), "a multiple of 3, at least 3");
        }
        if (head.bone_count != 0 && head.bone_count != doc_.bones.size()) {
            return fail(IssueId::GOM_PART_BONE_COUNT, place + ".boneCount", p + kBoneCount, "boneCount is not the skeleton's",
                        number(head.bone_count), "0 or " + number(doc_.bones.size()));
        }
        return string(p + kNameId, place + ".meshNameId", out.name);
    }

    bool collect_children(const PartChunks& source, const std::string& place, Children& children) {
        std::array<std::optional<Chunk>, 2> old;   // VB0, IB0 under an earlier name
        const auto take = [&](const Chunk& c) {
            const std::uint32_t now = options_.lenient ? renamed(c.fourcc) : 0;
            if (now != 0) {
                std::optional<Chunk>& slot = old[now == lay::kVb0 ? 0 : 1];
                if (slot) {
                    return fail(IssueId::GOM_CHILD_TWICE, place + "." + fourcc_text(c.fourcc), c.header, "the chunk occurs a second time");
                }
                slot = c;
                return true;
            }
            const std::string name = place + "." + fourcc_text(c.fourcc);
            if (lay::is_top_level(c.fourcc)) {
                return fail(IssueId::GOM_CHUNK_MISPLACED, name, c.header, "the chunk belongs at top level",
                            fourcc_text(c.fourcc) + " inside MSH0");
            }
            if (!lay::is_mesh_child(c.fourcc)) {
                drop(c, place + ".");
                return true;
            }
            if (c.fourcc == lay::kMrph) {
                children.morphs.push_back(c);
                return known_version(c, place + "." + indexed("MRPH", children.morphs.size() - 1));
            }
            if (children[c.fourcc]) {
                return fail(IssueId::GOM_CHILD_TWICE, name, c.header, "the chunk occurs a second time");
            }
            children[c.fourcc] = c;
            return known_version(c, name);
        };
        const std::uint64_t first = source.head.payload + lay::msh0::kHeaderSize;
        if (!walk(first, source.head.payload + source.head.size, place + ".", take)) {
            return false;
        }
        if (source.siblings && !source.children.empty()) {
            warn_once(IssueId::GOM_OLD_SIBLINGS, place, source.head.header);
            for (const Chunk& c : source.children) {
                if (!take(c)) {
                    return false;
                }
            }
        }
        for (const std::uint32_t fourcc : {lay::kVb0, lay::kIb0}) {
            const std::optional<Chunk>& earlier = old[fourcc == lay::kVb0 ? 0 : 1];
            if (!earlier) {
                continue;
            }
            if (children[fourcc]) {
                // The current chunk is there as well, so this one is an extension that happens to have that name.
                drop(*earlier, place + ".");
                continue;
            }
            if (!known_version(*earlier, place + "." + fourcc_text(earlier->fourcc))) {
                return false;
            }
            warn_once(IssueId::GOM_OLD_FOURCC, place + "." + fourcc_text(earlier->fourcc), earlier->header,
                      {{"found", "'" + fourcc_text(earlier->fourcc) + "'"}, {"chunk", fourcc_text(fourcc)}});
            children[fourcc] = earlier;
        }
        for (const std::uint32_t fourcc : {lay::kVb0, lay::kIb0, lay::kSub0, lay::kIbnd}) {
            if (!children[fourcc]) {
                return fail(IssueId::GOM_CHILD_MISSING, place, source.head.header, "the part has no " + fourcc_text(fourcc) + " chunk");
            }
        }
        return true;
    }

    bool same_count(std::uint64_t found, std::uint64_t expected, std::string part, std::uint64_t byte) {
        return found == expected || fail(IssueId::GOM_COUNT_DISAGREES, std::move(part), byte, "the count is not that of MSH0",
                                         number(found), number(expected));
    }

    bool vertices(const Chunk& c, const std::string& place, const Head& head, Part& out) {
        using namespace lay::vb0;
        std::uint64_t first = c.payload + kHeaderSize;
        const std::uint64_t body = lay::vf01::kSize * head.vertex_count;
        if (options_.lenient && c.size == body) {
            warn_once(IssueId::GOM_OLD_BUFFERS, place, c.header, {{"chunk", "VB0"}});
            first = c.payload;
        } else {
            if (c.size < kHeaderSize) {
                return exact_size(c, place, kHeaderSize + body);
            }
            if (!same_count(u32(c.payload + kVertexCount), head.vertex_count, place + ".vertexCount", c.payload + kVertexCount)) {
                return false;
            }
            for (const auto& [name, offset, expected] :
                 {std::tuple{"stride", kStride, lay::vf01::kSize}, std::tuple{"vertexFormat", kVertexFormat, std::size_t{lay::msh0::kVf01}}}) {
                if (u32(c.payload + offset) != expected) {
                    return fail(IssueId::GOM_VERTEX_STRIDE, place + "." + name, c.payload + offset, std::string(name) + " is not supported",
                                number(std::uint64_t{u32(c.payload + offset)}), number(expected));
                }
            }
            if (!exact_size(c, place, kHeaderSize + body)) {
                return false;
            }
        }
        out.vertices.resize(head.vertex_count);
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(out.vertices.data(), at(first), body);
        } else {
            for (std::uint64_t i = 0; i < head.vertex_count; ++i) {
                load_vertex(at(first + lay::vf01::kSize * i), out.vertices[i]);
            }
        }
        for (std::uint64_t i = 0; i < head.vertex_count; ++i) {
            const Vertex& v = out.vertices[i];
            std::uint32_t bad = bad_float(v.uv[0]) | bad_float(v.uv[1]);
            for (std::size_t k = 0; k < 3; ++k) {
                bad |= bad_float(v.position[k]) | bad_float(v.normal[k]);
            }
            for (std::size_t k = 0; k < 4; ++k) {
                bad |= bad_float(v.tangent[k]) | bad_float(v.weight[k]);
            }
            if (head.bone_count != 0) {
                for (std::size_t k = 0; k < 4; ++k) {
                    bad |= v.bone[k] >= head.bone_count ? 1u : 0u;
                    bad |= v.weight[k] < 0 ? 1u : 0u;
                }
                bad |= std::fabs(weight_sum(v) - 1.0) > lay::tolerance::kWeightSum ? 1u : 0u;
            }
            if (bad != 0) {
                return bad_vertex(v, place + "." + indexed("vertex", i), first + lay::vf01::kSize * i, head);
            }
        }
        return true;
    }

    static void load_vertex(const std::byte* from, Vertex& v) {
        const auto read = [from](float* out, std::size_t count, std::size_t offset) {
            for (std::size_t k = 0; k < count; ++k) {
                out[k] = load<float>(from + offset + 4 * k);
            }
        };
        read(v.position, 3, lay::vf01::kPosition);
        read(v.normal, 3, lay::vf01::kNormal);
        read(v.tangent, 4, lay::vf01::kTangent);
        read(v.uv, 2, lay::vf01::kUv0);
        read(v.weight, 4, lay::vf01::kBoneWeight);
        for (std::size_t k = 0; k < 4; ++k) {
            v.bone[k] = load<std::uint16_t>(from + lay::vf01::kBoneIndex + 2 * k);
        }
    }

    /// Says what is wrong with a vertex of which that is known.
    bool bad_vertex(const Vertex& v, const std::string& place, std::uint64_t offset, const Head& head) {
        const auto all_finite = [&](const float* values, std::size_t count, std::size_t field, const char* name) {
            for (std::size_t k = 0; k < count; ++k) {
                if (!finite(values[k], place + "." + indexed(name, k), offset + field + 4 * k)) {
                    return false;
                }
            }
            return true;
        };
        if (!all_finite(v.position, 3, lay::vf01::kPosition, "position") || !all_finite(v.normal, 3, lay::vf01::kNormal, "normal") ||
            !all_finite(v.tangent, 4, lay::vf01::kTangent, "tangent") || !all_finite(v.uv, 2, lay::vf01::kUv0, "uv0") ||
            !all_finite(v.weight, 4, lay::vf01::kBoneWeight, "boneWeight")) {
            return false;
        }
        for (std::size_t k = 0; k < 4; ++k) {
            if (v.bone[k] >= head.bone_count) {
                return fail(IssueId::GOM_VERTEX_BONE, place + "." + indexed("boneIndex", k), offset + lay::vf01::kBoneIndex + 2 * k,
                            "the bone index is out of range", number(std::uint64_t{v.bone[k]}), "less than " + number(head.bone_count));
            }
        }
        for (std::size_t k = 0; k < 4; ++k) {
            if (v.weight[k] < 0) {
                return fail(IssueId::GOM_WEIGHT_NEGATIVE, place + "." + indexed("boneWeight", k),
                            offset + lay::vf01::kBoneWeight + 4 * k, "the weight is negative", core::number_text(v.weight[k]), "at least 0");
            }
        }
        return fail(IssueId::GOM_WEIGHT_SUM, place + ".boneWeight", offset + lay::vf01::kBoneWeight, "the weights do not add up to 1",
                    core::number_text(weight_sum(v)), "1 within 0.0001");
    }

    bool indices(const Chunk& c, const std::string& part, const Head& head, Part& out) {
        using namespace lay::ib0;
        const std::string place = part + ".IB0";
        std::uint64_t first = c.payload + kHeaderSize;
        std::uint32_t width = kWrittenIndexSize;
        if (options_.lenient && c.size == kWrittenIndexSize * head.index_count) {
            warn_once(IssueId::GOM_OLD_BUFFERS, place, c.header, {{"chunk", "IB0"}});
            first = c.payload;
        } else {
            if (c.size < kHeaderSize) {
                return exact_size(c, place, kHeaderSize + kWrittenIndexSize * head.index_count);
            }
            if (!same_count(u32(c.payload + kIndexCount), head.index_count, place + ".indexCount", c.payload + kIndexCount)) {
                return false;
            }
            width = u32(c.payload + kIndexSize);
            if (width != 2 && width != 4) {
                return fail(IssueId::GOM_INDEX_SIZE, place + ".indexSizeBytes", c.payload + kIndexSize, "indexSizeBytes is not supported",
                            number(std::uint64_t{width}), "4 or 2");
            }
            if (!exact_size(c, place, kHeaderSize + width * head.index_count)) {
                return false;
            }
        }
        const bool narrow = (head.flags & lay::msh0::kIndices16Bit) != 0;
        if (narrow != (width == 2)) {
            return fail(IssueId::GOM_PART_FLAGS, part + ".flags", head.flags_at,
                        "flag bit 0 does not agree with IB0's indexSizeBytes", narrow ? "1" : "0", narrow ? "0" : "1");
        }
        out.indices.resize(head.index_count);
        if (width == 2) {
            for (std::uint64_t i = 0; i < head.index_count; ++i) {
                out.indices[i] = load<std::uint16_t>(at(first + 2 * i));
            }
        } else if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(out.indices.data(), at(first), 4 * head.index_count);
        } else {
            for (std::uint64_t i = 0; i < head.index_count; ++i) {
                out.indices[i] = u32(first + 4 * i);
            }
        }
        std::uint32_t largest = 0;
        for (const std::uint32_t i : out.indices) {
            largest = std::max(largest, i);
        }
        if (largest >= head.vertex_count) {
            const auto bad = std::find_if(out.indices.begin(), out.indices.end(), [&](std::uint32_t i) { return i >= head.vertex_count; });
            const auto i = static_cast<std::uint64_t>(bad - out.indices.begin());
            return fail(IssueId::GOM_INDEX_RANGE, place + "." + indexed("index", i), first + width * i, "the index names no vertex",
                        number(std::uint64_t{*bad}), "less than " + number(head.vertex_count));
        }
        return true;
    }

    bool submeshes(const Chunk& c, const std::string& place, const Head& head, Part& out) {
        using namespace lay::sub0;
        if (c.size < kSubmeshes) {
            return exact_size(c, place, kSubmeshes);
        }
        const std::uint64_t count = u32(c.payload + kCount);
        submesh_total_ += count;
        if (!within(submesh_total_, options_.limits.max_submeshes, "submeshes", place + ".count", c.payload + kCount) ||
            !exact_size(c, place, kSubmeshes + kSubmeshSize * count)) {
            return false;
        }
        out.submeshes.resize(count);
        std::uint64_t next = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t p = c.payload + kSubmeshes + kSubmeshSize * i;
            const std::string entry = place + "." + indexed("submesh", i);
            const std::int32_t material = i32(p + kMaterialIndex);
            const std::uint64_t start = u32(p + kIndexStart);
            const std::uint64_t length = u32(p + kIndexCount);
            // Where MATL is missing (lenient) the slots are made to fit, within their limit.
            if (material < 0 || (matl_ && static_cast<std::uint64_t>(material) >= doc_.materials.size())) {
                return fail(IssueId::GOM_SUBMESH_MATERIAL, entry + ".materialIndex", p + kMaterialIndex,
                            "the submesh names no material slot", number(material),
                            "0 to " + std::to_string(static_cast<std::int64_t>(doc_.materials.size()) - 1));
            }
            if (!matl_) {
                slots_needed_ = std::max(slots_needed_, static_cast<std::uint64_t>(material) + 1);
                if (!within(slots_needed_, options_.limits.max_material_slots, "material slots", entry + ".materialIndex",
                            p + kMaterialIndex)) {
                    return false;
                }
            }
            if (length == 0 || length % 3 != 0) {
                return fail(IssueId::GOM_SUBMESH_COUNT, entry + ".indexCount", p + kIndexCount,
                            "the submesh's indexCount does not make triangles", number(length), "a multiple of 3, not 0");
            }
            if (start != next) {
                return fail(IssueId::GOM_SUBMESH_COVER, entry + ".indexStart", p + kIndexStart,
                            "the submesh does not begin where the one before ends", number(start), number(next));
            }
            next += length;
            out.submeshes[i] = Submesh{static_cast<std::uint32_t>(material), static_cast<std::uint32_t>(start),
                                       static_cast<std::uint32_t>(length)};
        }
        return next == head.index_count || fail(IssueId::GOM_SUBMESH_COVER, place, c.payload, "the submeshes do not cover all indices",
                                                number(next), number(head.index_count));
    }

    bool inverse_bind(const Chunk& c, const std::string& place, const Head& head, Part& out) {
        if (c.size < lay::ibnd::kMatrices) {
            return exact_size(c, place, lay::ibnd::kMatrices + lay::kMatrixSize * head.bone_count);
        }
        if (!same_count(u32(c.payload + lay::ibnd::kBoneCount), head.bone_count, place + ".boneCount", c.payload) ||
            !exact_size(c, place, lay::ibnd::kMatrices + lay::kMatrixSize * head.bone_count)) {
            return false;
        }
        out.inverse_bind.resize(head.bone_count);
        for (std::uint64_t i = 0; i < head.bone_count; ++i) {
            if (!matrix(c.payload + lay::ibnd::kMatrices + lay::kMatrixSize * i, out.inverse_bind[i],
                        place + "." + indexed("inverseBind", i))) {
                return false;
            }
        }
        return true;
    }

    bool bounds(const std::optional<Chunk>& c, const std::string& place, const Part&) {
        if (!c) {
            return true;
        }
        if (c->size == lay::bnd0::kSize) {
            for (std::size_t i = 0; i < lay::bnd0::kSize / 4; ++i) {
                if (!finite(f32(c->payload + 4 * i), place, c->payload + 4 * i)) {
                    return false;
                }
            }
            return true;
        }
        const std::uint64_t matrices = lay::kMatrixSize * doc_.bones.size();
        if (options_.lenient && matrices != 0 && (c->size == matrices || c->size == matrices + 4)) {
            const std::uint64_t first = c->payload + (c->size - matrices);
            const bool same = [&] {
                for (std::size_t i = 0; i < doc_.bones.size(); ++i) {
                    for (std::size_t k = 0; k < 16; ++k) {
                        if (f32(first + lay::kMatrixSize * i + 4 * k) != doc_.bones[i].bind_local.m[k]) {
                            return false;
                        }
                    }
                }
                return true;
            }();
            warn_once(IssueId::GOM_OLD_BIND_CHUNK, place, c->header, {{"comparison", same ? "equal" : "differ from"}});
        }
        return true;   // of another size: ignored
    }

    bool placement(const std::optional<Chunk>& c, const std::string& part, const Head& head, Part& out) {
        const bool flagged = (head.flags & lay::msh0::kHasGbtm) != 0;
        if (flagged != c.has_value()) {
            return fail(IssueId::GOM_PART_FLAGS, part + ".flags", head.flags_at,
                        "flag bit 1 does not agree with the presence of GBTM", flagged ? "1" : "0", flagged ? "0" : "1");
        }
        if (!c) {
            return true;
        }
        out.geometry_to_model.emplace();
        return exact_size(*c, part + ".GBTM", lay::gbtm::kSize) && matrix(c->payload, *out.geometry_to_model, part + ".GBTM");
    }

    bool default_materials() {
        doc_.materials.resize(slots_needed_);
        for (MaterialSlot& slot : doc_.materials) {
            slot.name = "DefaultMaterial";
        }
        warn_once(IssueId::GOM_OLD_NO_MATERIALS, "MATL", bytes_.size(), {{"count", number(slots_needed_)}});
        return true;
    }

    // Clips

    bool clips() {
        std::vector<ClipChunks> found = std::move(clips_);
        std::uint64_t announced = 0;
        std::uint64_t count_at = bytes_.size();
        if (anim_) {
            if (anim_->size < lay::anim::kSize) {
                return exact_size(*anim_, "ANIM", lay::anim::kSize);
            }
            count_at = anim_->payload + lay::anim::kClipCount;
            announced = u32(count_at);
            if (!within(announced, options_.limits.max_clips, "clips", "ANIM.clipCount", count_at)) {
                return false;
            }
            if (anim_->size != lay::anim::kSize && !(options_.lenient && nested_clips(found))) {
                return exact_size(*anim_, "ANIM", lay::anim::kSize);
            }
        }
        if (announced != found.size()) {
            return fail(IssueId::GOM_CLIP_COUNT, "ANIM.clipCount", count_at, "the number of clips is not what ANIM announces",
                        number(announced), number(found.size()));
        }
        doc_.clips.resize(found.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const std::string place = indexed("CLP0", i);
            if (!clip(found[i].head, place, doc_.clips[i]) ||
                (found[i].weights && !morph_tracks(*found[i].weights, place + ".MRPA", doc_.clips[i]))) {
                return false;
            }
        }
        std::vector<std::size_t> order(doc_.clips.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const int c = doc_.clips[a].name.compare(doc_.clips[b].name);
            return c != 0 ? c < 0 : a < b;
        });
        for (std::size_t k = 1; k < order.size(); ++k) {
            if (doc_.clips[order[k]].name == doc_.clips[order[k - 1]].name) {
                return fail(IssueId::GOM_CLIP_NAME_TWICE, indexed("CLP0", order[k]) + ".nameId", found[order[k]].head.payload,
                            "the clip's name occurs twice", "'" + doc_.clips[order[k]].name + "'");
            }
        }
        return true;
    }

    /// Earlier generation: CLP0 chunks inside ANIM's payload, behind the count. They go before those found at top level.
    bool nested_clips(std::vector<ClipChunks>& clips) {
        std::vector<ClipChunks> nested;
        const std::uint64_t end = anim_->payload + anim_->size;
        std::uint64_t position = anim_->payload + lay::anim::kSize;
        const auto header_at = [&](std::uint64_t p) {
            return p <= end && end - p >= lay::chunk::kHeaderSize && u32(p) == lay::kClp0 &&
                   u32(p + lay::chunk::kPayloadSize) <= end - p - lay::chunk::kHeaderSize &&
                   u32(p + lay::chunk::kVersion) == lay::chunk::kVersion1;
        };
        while (position < end) {
            if (!header_at(position)) {
                position = lay::align16(position);
                if (!header_at(position)) {
                    break;
                }
            }
            const Chunk head{lay::kClp0, position, position + lay::chunk::kHeaderSize, u32(position + lay::chunk::kPayloadSize)};
            nested.push_back(ClipChunks{head, std::nullopt});
            position = head.payload + head.size;
        }
        if (position < end && !std::all_of(at(position), at(end), [](std::byte b) { return b == std::byte{0}; })) {
            return false;
        }
        if (nested.empty()) {
            return false;
        }
        warn_once(IssueId::GOM_OLD_NESTED_CLIPS, "ANIM", anim_->header);
        clips.insert(clips.begin(), nested.begin(), nested.end());
        return true;
    }

    bool clip(const Chunk& c, const std::string& place, Clip& out) {
        using namespace lay::clp0;
        if (c.size < kHeaderSize) {
            return fail(IssueId::GOM_CLIP_SIZE, place, c.header + lay::chunk::kPayloadSize, "the payload is too short for the clip's head",
                        number(c.size) + " bytes", "at least 24");
        }
        const std::uint64_t p = c.payload;
        const std::uint64_t track_count = u32(p + kTrackCount);
        if (!within(track_count, options_.limits.max_tracks_per_clip, "tracks", place + ".trackCount", p + kTrackCount)) {
            return false;
        }
        // Both forms have 24 bytes before the tracks, with the count at their end; the rest of the head differs.
        const bool old = options_.lenient && current_tracks_end(c) != c.size && old_tracks_end(c) == c.size;
        const std::uint64_t root_at = p + (old ? kOldRoot : kRootBoneIndex);
        const std::uint32_t flags = u32(p + kFlags);
        if (!name(p + kNameId, place + ".nameId", "the clip's name", out.name)) {
            return false;
        }
        out.duration = f32(p + kDuration);
        if (!finite(out.duration, place + ".duration", p + kDuration)) {
            return false;
        }
        if (out.duration < 0) {
            return fail(IssueId::GOM_CLIP_DURATION, place + ".duration", p + kDuration, "the duration is negative",
                        core::number_text(out.duration), "at least 0");
        }
        out.root_bone = i32(root_at);
        if (out.root_bone < -1 || out.root_bone >= static_cast<std::int64_t>(bone_end())) {
            return fail(motion_ ? IssueId::MTA_ROOT_BONE : IssueId::GOM_ROOT_BONE, place + ".rootBoneIndex", root_at,
                        "rootBoneIndex names no bone", number(out.root_bone), "-1, or less than " + number(bone_end()));
        }
        out.has_root_motion = (flags & kHasRootMotion) != 0;
        out.loop = (flags & kLoop) != 0;
        if (old) {
            warn_once(IssueId::GOM_OLD_KEYS, place, c.header);
            return finite(f32(p + kOldSampleRate), place + ".sampleRate", p + kOldSampleRate) && old_tracks(c, place, track_count, out);
        }
        if (u32(p + kInterpMode) != kLinearSlerp) {
            return fail(IssueId::GOM_INTERPOLATION, place + ".interpMode", p + kInterpMode, "interpMode is not supported",
                        number(std::uint64_t{u32(p + kInterpMode)}), "1");
        }
        return tracks(c, place, track_count, out);
    }

    // The head of the earlier form: u32 nameId, f32 duration, f32 sampleRate, i32 rootBoneIndex, u32 flags, u32 trackCount.
    static constexpr std::uint64_t kOldSampleRate = 8;
    static constexpr std::uint64_t kOldRoot = 12;
    static constexpr std::uint64_t kOldTrackHeader = 8;   // i32 boneIndex, u32 keyCount
    static constexpr std::uint64_t kOldKey = 44;          // f32 time, translation[3], rotation[4], scale[3]
    static constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};

    /// Where the tracks end, from the payload's start; kNoEnd when they pass its end.
    std::uint64_t current_tracks_end(const Chunk& c) const {
        using namespace lay::clp0;
        std::uint64_t position = kHeaderSize;
        for (std::uint64_t i = u32(c.payload + kTrackCount); i > 0; --i) {
            if (c.size - position < kTrackHeaderSize) {
                return kNoEnd;
            }
            const std::uint64_t t = c.payload + position;
            position += kTrackHeaderSize + kVectorKeySize * u32(t + kTrackTranslationCount) + kRotationKeySize * u32(t + kTrackRotationCount) +
                        kVectorKeySize * u32(t + kTrackScaleCount);
            if (position > c.size) {
                return kNoEnd;
            }
        }
        return position;
    }
    std::uint64_t old_tracks_end(const Chunk& c) const {
        std::uint64_t position = lay::clp0::kHeaderSize;
        for (std::uint64_t i = u32(c.payload + lay::clp0::kTrackCount); i > 0; --i) {
            if (c.size - position < kOldTrackHeader) {
                return kNoEnd;
            }
            position += kOldTrackHeader + kOldKey * u32(c.payload + position + 4);
            if (position > c.size) {
                return kNoEnd;
            }
        }
        return position;
    }

    bool tracks(const Chunk& c, const std::string& place, std::uint64_t count, Clip& out) {
        using namespace lay::clp0;
        if (count > (c.size - kHeaderSize) / kTrackHeaderSize) {
            return fail(IssueId::GOM_CLIP_SIZE, place, c.header + lay::chunk::kPayloadSize, "the payload is too short for its tracks",
                        number(c.size) + " bytes", "at least " + number(kHeaderSize + kTrackHeaderSize * count));
        }
        out.tracks.resize(count);
        std::vector<bool> seen(bone_end(), false);
        std::uint64_t position = kHeaderSize;
        std::uint64_t keys = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string part = place + "." + indexed("track", i);
            const std::uint64_t t = c.payload + position;
            if (c.size - position < kTrackHeaderSize) {
                return fail(IssueId::GOM_CLIP_SIZE, part, t, "the payload ends before the track does", number(c.size - position) + " bytes",
                            "at least 16");
            }
            const std::uint64_t translation = u32(t + kTrackTranslationCount);
            const std::uint64_t rotation = u32(t + kTrackRotationCount);
            const std::uint64_t scale = u32(t + kTrackScaleCount);
            keys += translation + rotation + scale;
            if (!within(keys, options_.limits.max_keys_per_clip, "keys", part, t)) {
                return false;
            }
            const std::uint64_t size =
                kTrackHeaderSize + kVectorKeySize * translation + kRotationKeySize * rotation + kVectorKeySize * scale;
            if (size > c.size - position) {
                return fail(IssueId::GOM_CLIP_SIZE, part, t, "the payload ends before the track does", number(c.size - position) + " bytes",
                            number(size));
            }
            Track& track = out.tracks[i];
            track.bone = u32(t + kTrackBoneIndex);
            if (!track_bone(track.bone, seen, part, t + kTrackBoneIndex)) {
                return false;
            }
            std::uint64_t k = t + kTrackHeaderSize;
            if (!channel(k, translation, part + ".trKey", out.duration, track.translation)) {
                return false;
            }
            k += kVectorKeySize * translation;
            if (!channel(k, rotation, part + ".rotKey", out.duration, track.rotation)) {
                return false;
            }
            k += kRotationKeySize * rotation;
            if (!channel(k, scale, part + ".scKey", out.duration, track.scale)) {
                return false;
            }
            position += size;
        }
        return position == c.size || fail(IssueId::GOM_CLIP_SIZE, place, c.header + lay::chunk::kPayloadSize,
                                          "the payload goes on after its last track", number(c.size) + " bytes", number(position));
    }

    /// What a clip's bone indices lie below: in a motion nothing is known but the limit.
    std::uint64_t bone_end() const { return motion_ ? bone_limit() : doc_.bones.size(); }

    bool track_bone(std::uint32_t bone, std::vector<bool>& seen, const std::string& part, std::uint64_t byte) {
        if (bone >= bone_end()) {
            return fail(motion_ ? IssueId::MTA_TRACK_BONE : IssueId::GOM_TRACK_BONE, part + ".boneIndex", byte, "the track names no bone",
                        number(std::uint64_t{bone}), "less than " + number(bone_end()));
        }
        if (seen[bone]) {
            return fail(IssueId::GOM_TRACK_TWICE, part + ".boneIndex", byte, "the bone has a second track in the clip",
                        number(std::uint64_t{bone}), "one track a bone");
        }
        seen[bone] = true;
        return true;
    }

    template <class Key>
    bool channel(std::uint64_t first, std::uint64_t count, const std::string& part, float duration, std::vector<Key>& out) {
        constexpr std::uint64_t kSize = 4 + sizeof(Key::value);
        out.resize(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t offset = first + kSize * i;
            Key& key = out[i];
            key.time = f32(offset);
            bool bad = is_bad_float(key.time);
            for (std::size_t k = 0; k < key.value.size(); ++k) {
                key.value[k] = f32(offset + 4 + 4 * k);
                bad |= is_bad_float(key.value[k]);
            }
            bad = bad || key.time < 0 || key.time > duration || (i > 0 && key.time <= out[i - 1].time);
            if constexpr (sizeof(Key::value) == 16) {
                bad = bad || quaternion_length(key.value) < lay::tolerance::kQuaternionMinLength;
            }
            if (bad) {
                return bad_key(key, i > 0 ? &out[i - 1].time : nullptr, part + indexed("", i), offset, duration);
            }
        }
        return true;
    }

    template <class Key>
    bool bad_key(const Key& key, const float* before, const std::string& part, std::uint64_t offset, float duration) {
        if (!finite(key.time, part + ".time", offset)) {
            return false;
        }
        for (std::size_t k = 0; k < key.value.size(); ++k) {
            if (!finite(key.value[k], part + "." + indexed("value", k), offset + 4 + 4 * k)) {
                return false;
            }
        }
        if (key.time < 0 || key.time > duration) {
            return fail(IssueId::GOM_KEY_TIME, part + ".time", offset, "the key lies outside the clip", core::number_text(key.time),
                        "0 to " + core::number_text(duration));
        }
        if (before != nullptr && key.time <= *before) {
            return fail(IssueId::GOM_KEY_TIME, part + ".time", offset, "the key does not follow the one before",
                        core::number_text(key.time), "more than " + core::number_text(*before));
        }
        if constexpr (sizeof(Key::value) == 16) {
            return fail(IssueId::GOM_QUATERNION_ZERO, part + ".value", offset + 4, "the quaternion names no rotation",
                        "length " + core::number_text(quaternion_length(key.value)), "1");
        }
        return true;
    }

    bool old_tracks(const Chunk& c, const std::string& place, std::uint64_t count, Clip& out) {
        out.tracks.resize(count);
        std::vector<bool> seen(bone_end(), false);
        std::uint64_t offset = c.payload + lay::clp0::kHeaderSize;
        std::uint64_t keys = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string part = place + "." + indexed("track", i);
            Track& track = out.tracks[i];
            track.bone = u32(offset);
            const std::uint64_t n = u32(offset + 4);
            keys += 3 * n;
            if (!within(keys, options_.limits.max_keys_per_clip, "keys", part, offset) || !track_bone(track.bone, seen, part, offset)) {
                return false;
            }
            offset += kOldTrackHeader;
            track.translation.resize(n);
            track.rotation.resize(n);
            track.scale.resize(n);
            for (std::uint64_t k = 0; k < n; ++k, offset += kOldKey) {
                const float time = f32(offset);
                std::array<float, 10> values{};
                const std::string key = part + "." + indexed("key", k);
                if (!finite(time, key + ".time", offset) || !floats(offset + 4, values, key + ".value")) {
                    return false;
                }
                track.translation[k] = VectorKey{time, {values[0], values[1], values[2]}};
                track.rotation[k] = QuatKey{time, {values[3], values[4], values[5], values[6]}};
                track.scale[k] = VectorKey{time, {values[7], values[8], values[9]}};
                const bool late = k > 0 && time <= track.translation[k - 1].time;
                const bool zero = quaternion_length(track.rotation[k].value) < lay::tolerance::kQuaternionMinLength;
                if ((time < 0 || time > out.duration || late || zero) &&
                    !bad_key(track.rotation[k], k > 0 ? &track.rotation[k - 1].time : nullptr, key, offset, out.duration)) {
                    return false;
                }
            }
        }
        return true;
    }

    bool motion_;                     ///< the file is to be an MTA
    std::span<const std::byte> bytes_;
    const std::string& file_;
    const DecodeOptions& options_;
    core::Report& report_;
    core::Error error_;
    Document doc_;

    std::uint64_t end_ = 0;           ///< where the walk over the file ends
    bool bare_table_ = false;
    std::optional<Chunk> str0_, matl_, skel_, mrpc_, anim_, ctbl_;
    std::vector<PartChunks> parts_;
    std::vector<ClipChunks> clips_;
    std::vector<StringSpan> strings_;

    std::uint64_t text_bytes_ = 0;
    std::uint64_t vertex_total_ = 0;
    std::uint64_t index_total_ = 0;
    std::uint64_t submesh_total_ = 0;
    std::uint64_t morph_vertex_total_ = 0;
    std::uint64_t slots_needed_ = 0;
    std::vector<IssueId> warned_;
    std::vector<std::uint32_t> dropped_;
};

}  // namespace

core::Result<Document> decode(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options,
                              core::Report& report) {
    return Decoder(false, bytes, file, options, report).run();
}

core::Result<Document> decode_motion(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options,
                                     core::Report& report) {
    return Decoder(true, bytes, file, options, report).run();
}

}  // namespace gomkit::gom
