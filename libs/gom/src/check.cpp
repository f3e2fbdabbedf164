#include "check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gomkit/core/text.hpp>
#include <gomkit/runtime/layout.hpp>

#include "bytes.hpp"
#include "rules.hpp"

namespace gomkit::gom {
namespace {

namespace lay = runtime::layout;
using core::IssueId;
using core::number_text;

constexpr std::uint32_t kNegativeZero = 0x8000'0000u;

/// Findings of one kind after this many are only counted: their places would be read by nobody.
constexpr std::uint32_t kDetailed = 4096;

struct Chunk {
    std::uint32_t fourcc = 0;
    std::uint64_t header = 0;
    std::uint64_t payload = 0;
    std::uint64_t size = 0;
    [[nodiscard]] std::uint64_t end() const { return payload + size; }
};

/// What a walk over a container found.
struct Walk {
    std::vector<Chunk> chunks;
    bool lost = false;            ///< it stopped early, so what is missing may be further on
};

struct Text {
    std::string_view text;
    bool known = false;           ///< false where the table is damaged: then nothing is said about it
};

std::string number(std::uint64_t value) { return std::to_string(value); }
std::string number(std::int64_t value) { return std::to_string(value); }
std::string number(std::uint32_t value) { return std::to_string(value); }
std::string number(std::int32_t value) { return std::to_string(value); }
std::string quoted(std::string_view text) { return std::string(text.substr(0, 200)) + (text.size() > 200 ? "..." : ""); }

class Checker {
public:
    Checker(bool motion, std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report)
        : motion_(motion), bytes_(bytes), file_(file), options_(options), report_(report), seen_(static_cast<std::size_t>(IssueId::Count), 0) {}

    void run() {
        if (!header()) {
            return;
        }
        table_place();
        walk_file();
        strings();
        if (!lost_) {
            const IssueId id = motion_ ? IssueId::MTA_CHUNK_MISSING : IssueId::GOM_CHUNK_MISSING;
            const std::pair<const char*, bool> required[] = {{"STR0", slots_[0].present},
                                                             motion_ ? std::pair{"ANIM", slots_[3].present} : std::pair{"MATL", slots_[1].present}};
            for (const auto& [chunk, present] : required) {
                if (!present && found(id)) {
                    report_.add(id, at(chunk, bytes_.size()), {{"chunk", chunk}});
                }
            }
        }
        string_id(lay::header::kConverterVersionId, [] { return std::string("header.converterVersionStrId"); });
        materials();
        if (motion_) {
            bones_known_ = true;   // all that is known of them is the limit
            bone_count_ = bone_limit();
        } else {
            skeleton();
            morph_channels();
        }
        for (std::size_t i = 0; i < msh0_.size(); ++i) {
            part(msh0_[i], indexed("MSH0", i));
        }
        clips();
        table();
        order();
        unused_strings();
        flags();
    }

private:
    // Reporting

    /// True when the finding is to be described; it is counted in any case.
    bool found(IssueId id) {
        if (core::info(id).severity == core::Severity::Canonical && !options_.canonical) {
            return false;
        }
        has_errors_ = has_errors_ || core::info(id).severity == core::Severity::Error;
        if (++seen_[static_cast<std::size_t>(id)] > kDetailed) {
            report_.add(id, core::Place{file_, {}, std::nullopt, std::nullopt});
            return false;
        }
        return true;
    }
    core::Place at(std::string part, std::uint64_t byte) const { return core::Place{file_, std::move(part), byte, std::nullopt}; }

    /// Notes that the statement of a validation bit is false, and where that was seen first.
    void refute(std::uint32_t bit, const std::string& part, std::uint64_t byte, const char* fact) {
        for (auto& r : refuted_) {
            if (r.bit == bit) {
                return;
            }
        }
        refuted_.push_back(Refuted{bit, part, byte, fact});
    }

    bool within(std::uint64_t value, std::uint64_t limit, const char* name, const std::string& part, std::uint64_t byte) {
        if (value <= limit) {
            return true;
        }
        if (found(IssueId::GOM_LIMIT)) {
            report_.add(IssueId::GOM_LIMIT, at(part, byte), {{"name", name}, {"value", number(value)}, {"limit", number(limit)}});
        }
        return false;
    }

    // Bytes

    const std::byte* ptr(std::uint64_t offset) const { return bytes_.data() + offset; }
    std::uint32_t u32(std::uint64_t offset) const { return load<std::uint32_t>(ptr(offset)); }
    std::int32_t i32(std::uint64_t offset) const { return load<std::int32_t>(ptr(offset)); }
    float f32(std::uint64_t offset) const { return load<float>(ptr(offset)); }
    bool all_zero(std::uint64_t begin, std::uint64_t end) const {
        return std::all_of(ptr(begin), ptr(end), [](std::byte b) { return b == std::byte{0}; });
    }
    std::uint64_t first_nonzero(std::uint64_t begin, std::uint64_t end) const {
        return static_cast<std::uint64_t>(std::find_if(ptr(begin), ptr(end), [](std::byte b) { return b != std::byte{0}; }) - ptr(0));
    }
    std::string byte_text(std::uint64_t offset) const {
        const auto value = static_cast<std::uint8_t>(bytes_[offset]);
        return "0x" + core::hex_text(&value, 1);
    }

    /// Finite, and not -0. False when it is not finite.
    template <class Part>
    bool number_at(std::uint64_t offset, Part&& part) {
        const std::uint32_t bits = u32(offset);
        if (is_bad_float(bits)) {
            if (found(IssueId::GOM_NOT_FINITE)) {
                report_.add(IssueId::GOM_NOT_FINITE, at(part(), offset), {{"found", number_text(f32(offset))}});
            }
            return false;
        }
        if (bits == kNegativeZero && found(IssueId::GOM_NEGATIVE_ZERO)) {
            report_.add(IssueId::GOM_NEGATIVE_ZERO, at(part(), offset));
        }
        return true;
    }
    /// `count` numbers in a row; `part` names the whole. False when one is not finite.
    template <class Part>
    bool numbers_at(std::uint64_t offset, std::size_t count, Part&& part) {
        bool good = true;
        for (std::size_t i = 0; i < count; ++i) {
            good = number_at(offset + 4 * i, [&] { return indexed(part(), i); }) && good;
        }
        return good;
    }
    template <class Part>
    bool matrix_at(std::uint64_t offset, Part&& part, Matrix& out) {
        bool good = numbers_at(offset, 16, part);
        for (std::size_t i = 0; i < 16; ++i) {
            out.m[i] = f32(offset + 4 * i);
        }
        for (const std::size_t i : {std::size_t{3}, std::size_t{7}, std::size_t{11}, std::size_t{15}}) {
            const float expected = i == 15 ? 1.0f : 0.0f;
            const float value = out.m[i];
            if (is_bad_float(value) || value == expected) {
                continue;
            }
            const bool off = std::fabs(static_cast<double>(value) - static_cast<double>(expected)) > lay::tolerance::kLastColumn;
            if (off) {
                good = false;
                if (found(IssueId::GOM_MATRIX_COLUMN)) {
                    report_.add(IssueId::GOM_MATRIX_COLUMN, at(indexed(part(), i), offset + 4 * i),
                                {{"element", number(std::uint64_t{i})}, {"found", number_text(value)}});
                }
            } else if (found(IssueId::GOM_MATRIX_COLUMN_INEXACT)) {
                report_.add(IssueId::GOM_MATRIX_COLUMN_INEXACT, at(indexed(part(), i), offset + 4 * i),
                            {{"element", number(std::uint64_t{i})}, {"found", number_text(value)}, {"expected", number_text(expected)}});
            }
        }
        return good;
    }

    bool wrong_size(const Chunk& c, const std::string& part, std::uint64_t expected) {
        if (c.size == expected) {
            return false;
        }
        if (found(IssueId::GOM_CHUNK_SIZE)) {
            report_.add(IssueId::GOM_CHUNK_SIZE, at(part, c.header + lay::chunk::kPayloadSize),
                        {{"found", number(c.size)}, {"expected", number(expected)}});
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
            if (found(IssueId::GOM_TOO_SHORT)) {
                report_.add(IssueId::GOM_TOO_SHORT, at("header", 0), {{"found", number(size)}});
            }
            return false;
        }
        using namespace lay::header;
        const bool size_known = field(IssueId::GOM_HEADER_SIZE, "headerSize", kHeaderSize, kSize);
        const bool version_known = field(IssueId::GOM_VERSION, "formatVersion", kFormatVersion, kFormatVersion1);
        field(IssueId::GOM_COORDINATE_SYSTEM, "coordinateSystem", kCoordinateSystem, kLeftHandedYUpMetres);
        field(IssueId::GOM_MATRIX_CONVENTION, "matrixConvention", kMatrixConvention, kRowMajorRowVector);
        if (!size_known || !version_known) {
            return false;   // what follows is laid out in a way that we do not know
        }
        const std::uint64_t reserved = motion_ ? kMotionReserved : kReserved;
        if (!all_zero(reserved, kSize) && found(IssueId::GOM_HEADER_RESERVED)) {
            const std::uint64_t first = first_nonzero(reserved, kSize);
            report_.add(IssueId::GOM_HEADER_RESERVED, at("header.reserved", first), {{"found", byte_text(first)}});
        }
        const std::uint32_t unknown = u32(kValidationFlags) & ~(motion_ ? 0u : lay::validation::kAll);
        const IssueId flags_id = motion_ ? IssueId::MTA_FLAGS : IssueId::GOM_FLAG_UNKNOWN;
        if (unknown != 0 && found(flags_id)) {
            report_.add(flags_id, at("header.validationFlags", kValidationFlags), {{"found", hex32(unknown)}});
        }
        return true;
    }

    bool magic() {
        const std::string_view m(reinterpret_cast<const char*>(ptr(0)), lay::header::kMagicSize);
        const auto is = [m](const std::array<char, 8>& magic) { return m == std::string_view(magic.data(), magic.size()); };
        if (is(motion_ ? lay::header::kMotionMagic : lay::header::kModelMagic)) {
            return true;
        }
        if (motion_) {
            no_motion(m, is(lay::header::kModelMagic) || is(lay::header::kTextMagic), is(lay::header::kMotionTextMagic));
            return false;
        }
        std::string problem = "this is no GOM file: its magic is '" + core::printable(m) + "'";
        if (is(lay::header::kMotionMagic)) {
            problem = "this is an MTA motion file (MTAB0001), not a GOM model";
        } else if (is(lay::header::kTextMagic)) {
            problem = "this is the text form of a GOM model (GOMT0001), not the binary one";
        } else if (is(lay::header::kMotionTextMagic)) {
            problem = "MTA has no text form in v1; only MTAB0001 is supported";
        }
        if (found(IssueId::GOM_MAGIC)) {
            report_.add(IssueId::GOM_MAGIC, at("header.magic", 0), {{"problem", problem}});
        }
        return false;
    }

    void no_motion(std::string_view magic, bool model, bool text) {
        const IssueId id = text ? IssueId::MTA_TEXT_FORM : IssueId::MTA_MAGIC;
        if (found(id)) {
            report_.add(id, at("header.magic", 0),
                        {{"problem", model ? "this is a GOM model (" + std::string(magic) + "), not a motion file"
                                           : "this is no motion file: its magic is '" + core::printable(magic) + "'"}});
        }
    }

    bool field(IssueId id, const char* name, std::uint64_t offset, std::uint64_t expected) {
        const std::uint32_t value = u32(offset);
        if (value != expected && found(id)) {
            report_.add(id, at(std::string("header.") + name, offset), {{"found", number(value)}});
        }
        return value == expected;
    }

    void table_place() {
        using namespace lay::header;
        const std::uint64_t size = bytes_.size();
        table_offset_ = load<std::uint64_t>(ptr(kChunkTableOffset));
        table_count_ = u32(kChunkTableCount);
        end_ = size;
        if (table_offset_ == 0) {
            if (table_count_ != 0 && found(IssueId::GOM_TABLE_COUNT)) {
                report_.add(IssueId::GOM_TABLE_COUNT, at("header.chunkTableCount", kChunkTableCount), {{"found", number(table_count_)}});
            }
            return;
        }
        if (table_offset_ < kMinChunkTableOffset || table_offset_ > size ||
            table_count_ > (size - table_offset_) / lay::ctbl::kEntrySize) {
            if (found(IssueId::GOM_TABLE_BOUNDS)) {
                report_.add(IssueId::GOM_TABLE_BOUNDS, at("header.chunkTableOffset", kChunkTableOffset),
                            {{"count", number(table_count_)}, {"offset", number(table_offset_)}});
            }
            return;
        }
        table_usable_ = true;
        if (u32(table_offset_ - lay::chunk::kHeaderSize) != lay::kCtbl) {
            bare_table_ = true;
            end_ = table_offset_;
            if (found(IssueId::GOM_TABLE_BARE)) {
                report_.add(IssueId::GOM_TABLE_BARE, at("header.chunkTableOffset", kChunkTableOffset));
            }
        }
    }

    // Chunks

    Walk walk(std::uint64_t begin, std::uint64_t end, const std::string& container) {
        Walk result;
        std::uint64_t position = begin;
        while (position < end) {
            const std::uint64_t left = end - position;
            if (left < lay::chunk::kHeaderSize) {
                const IssueId id = all_zero(position, end) ? IssueId::GOM_TRAILING_ZEROS : IssueId::GOM_TRAILING_BYTES;
                if (found(id)) {
                    report_.add(id, at(container, position), {{"count", number(left)}});
                }
                result.lost = id == IssueId::GOM_TRAILING_BYTES;
                return result;
            }
            const Chunk c{u32(position + lay::chunk::kFourcc), position, position + lay::chunk::kHeaderSize,
                          u32(position + lay::chunk::kPayloadSize)};
            const std::string prefix = container.empty() ? "" : container + ".";
            if (!lay::is_legal_fourcc(c.fourcc)) {
                if (found(IssueId::GOM_FOURCC)) {
                    report_.add(IssueId::GOM_FOURCC, at(prefix + indexed("chunk", result.chunks.size()), position),
                                {{"found", "'" + fourcc_text(c.fourcc) + "'"}});
                }
                result.lost = true;
                return result;
            }
            if (c.size > left - lay::chunk::kHeaderSize) {
                if (found(IssueId::GOM_CHUNK_BOUNDS)) {
                    report_.add(IssueId::GOM_CHUNK_BOUNDS, at(prefix + fourcc_text(c.fourcc), position + lay::chunk::kPayloadSize),
                                {{"size", number(c.size)}, {"left", number(left - lay::chunk::kHeaderSize)}});
                }
                result.lost = true;
                return result;
            }
            result.chunks.push_back(c);
            position = lay::align16(c.end());
            const std::uint64_t padding_end = std::min(position, end);
            if (!all_zero(c.end(), padding_end) && found(IssueId::GOM_PADDING_NOT_ZERO)) {
                const std::uint64_t first = first_nonzero(c.end(), padding_end);
                report_.add(IssueId::GOM_PADDING_NOT_ZERO, at(prefix + fourcc_text(c.fourcc), first), {{"found", byte_text(first)}});
            }
        }
        return result;
    }

    /// Version and flags of a known chunk. False when its contents are laid out in a way that we do not know.
    bool chunk_header(const Chunk& c, const std::string& part) {
        const std::uint32_t chunk_flags = u32(c.header + lay::chunk::kFlags);
        if (chunk_flags != 0 && found(IssueId::GOM_CHUNK_FLAGS)) {
            report_.add(IssueId::GOM_CHUNK_FLAGS, at(part, c.header + lay::chunk::kFlags), {{"found", hex32(chunk_flags)}});
        }
        const std::uint32_t version = u32(c.header + lay::chunk::kVersion);
        if (version != lay::chunk::kVersion1 && found(IssueId::GOM_CHUNK_VERSION)) {
            report_.add(IssueId::GOM_CHUNK_VERSION, at(part, c.header + lay::chunk::kVersion), {{"found", number(version)}});
        }
        return version == lay::chunk::kVersion1;
    }

    void unknown_chunk(const Chunk& c, const std::string& prefix) {
        if (found(IssueId::GOM_CHUNK_UNKNOWN)) {
            report_.add(IssueId::GOM_CHUNK_UNKNOWN, at(prefix + fourcc_text(c.fourcc), c.header), {{"chunk", fourcc_text(c.fourcc)}});
        }
    }
    void misplaced(const Chunk& c, const std::string& prefix, const char* where) {
        if (found(IssueId::GOM_CHUNK_MISPLACED)) {
            report_.add(IssueId::GOM_CHUNK_MISPLACED, at(prefix + fourcc_text(c.fourcc), c.header),
                        {{"chunk", fourcc_text(c.fourcc)}, {"where", where}});
        }
    }

    void walk_file() {
        Walk w = walk(lay::header::kSize, end_, "");
        top_ = std::move(w.chunks);
        lost_ = w.lost;
        if (bare_table_ && top_.empty() && found(IssueId::GOM_TABLE_BEFORE_CHUNKS)) {
            report_.add(IssueId::GOM_TABLE_BEFORE_CHUNKS, at("header.chunkTableOffset", lay::header::kChunkTableOffset));
        }
        if (!lost_ && !top_.empty() && end_ == bytes_.size() && lay::align16(top_.back().end()) > end_ &&
            found(IssueId::GOM_PADDING_MISSING)) {
            report_.add(IssueId::GOM_PADDING_MISSING, at(fourcc_text(top_.back().fourcc), bytes_.size()),
                        {{"count", number(lay::align16(top_.back().end()) - end_)}});
        }
        const Chunk* before = nullptr;
        for (const Chunk& c : top_) {
            top_level(c, before);
            before = &c;
        }
    }

    /// `before` (may be null): the chunk in front of it.
    void top_level(const Chunk& c, const Chunk* before) {
        if (motion_ && is_model_chunk(c.fourcc)) {
            if (found(IssueId::MTA_CHUNK_FOREIGN)) {
                report_.add(IssueId::MTA_CHUNK_FOREIGN, at(fourcc_text(c.fourcc), c.header), {{"chunk", fourcc_text(c.fourcc)}});
            }
            return;
        }
        if (lay::is_mesh_child(c.fourcc)) {
            misplaced(c, "", "at top level");
            return;
        }
        if (!lay::is_top_level(c.fourcc)) {
            unknown_chunk(c, "");
            return;
        }
        const std::string name = fourcc_text(c.fourcc);
        if (c.fourcc == lay::kMrpa) {
            if (before != nullptr && before->fourcc == lay::kClp0) {
                if (chunk_header(c, indexed("CLP0", clp0_.size() - 1) + ".MRPA")) {
                    mrpa_.back() = c;
                }
            } else if (found(IssueId::GOM_MORPH_WITHOUT_CLIP)) {
                report_.add(IssueId::GOM_MORPH_WITHOUT_CLIP, at(name, c.header),
                            {{"found", before == nullptr ? "none" : fourcc_text(before->fourcc)}});
            }
            return;
        }
        if (c.fourcc == lay::kMsh0 || c.fourcc == lay::kClp0) {
            std::vector<std::optional<Chunk>>& list = c.fourcc == lay::kMsh0 ? msh0_ : clp0_;
            const std::string part = indexed(name, list.size());
            bool usable = chunk_header(c, part);
            if (c.fourcc == lay::kMsh0) {
                usable = within(list.size() + 1, options_.limits.max_mesh_parts, "mesh parts", part, c.header) && usable;
            }
            list.push_back(usable ? std::optional<Chunk>(c) : std::nullopt);
            mrpa_.resize(clp0_.size());
            return;
        }
        Slot& slot = c.fourcc == lay::kStr0   ? slots_[0]
                     : c.fourcc == lay::kMatl ? slots_[1]
                     : c.fourcc == lay::kSkel ? slots_[2]
                     : c.fourcc == lay::kAnim ? slots_[3]
                     : c.fourcc == lay::kMrpc ? slots_[5]
                                              : slots_[4];
        if (slot.present) {
            if (found(IssueId::GOM_CHUNK_TWICE)) {
                report_.add(IssueId::GOM_CHUNK_TWICE, at(name, c.header));
            }
            chunk_header(c, name);
            return;
        }
        slot.present = true;
        slot.chunk = c;
        slot.usable = chunk_header(c, name);
    }

    void order() {
        if (!options_.canonical) {
            return;
        }
        const Chunk* before = nullptr;
        std::ptrdiff_t highest = -1;
        for (const Chunk& c : top_) {
            const auto rank = std::find(lay::kTopLevelOrder.begin(), lay::kTopLevelOrder.end(), c.fourcc) - lay::kTopLevelOrder.begin();
            if (c.fourcc == lay::kCtbl || c.fourcc == lay::kMrpa || !lay::is_top_level(c.fourcc) || (motion_ && is_model_chunk(c.fourcc))) {
                continue;
            }
            if (rank < highest) {
                const IssueId id = motion_ ? IssueId::MTA_CHUNK_ORDER : IssueId::GOM_CHUNK_ORDER;
                if (found(id)) {
                    report_.add(id, at(fourcc_text(c.fourcc), c.header),
                                {{"chunk", fourcc_text(c.fourcc)}, {"before", fourcc_text(before->fourcc)}});
                }
            } else {
                highest = rank;
                before = &c;
            }
        }
        if (lost_) {
            return;
        }
        if (!slots_[4].present) {
            if (found(IssueId::GOM_TABLE_PLACE)) {
                report_.add(IssueId::GOM_TABLE_PLACE, at("CTBL", end_), {{"problem", "the file has no CTBL chunk"}});
            }
        } else if (top_.back().fourcc != lay::kCtbl && found(IssueId::GOM_TABLE_PLACE)) {
            report_.add(IssueId::GOM_TABLE_PLACE, at("CTBL", slots_[4].chunk.header), {{"problem", "CTBL is not the last chunk"}});
        }
    }

    // Chunk table

    void disagree(const std::string& part, std::uint64_t byte, std::string value, std::string expected) {
        if (found(IssueId::GOM_TABLE_DISAGREES)) {
            report_.add(IssueId::GOM_TABLE_DISAGREES, at(part, byte), {{"found", std::move(value)}, {"expected", std::move(expected)}});
        }
    }

    void table() {
        using namespace lay::header;
        const Slot& ctbl = slots_[4];
        if (table_offset_ == 0) {
            if (ctbl.present && found(IssueId::GOM_TABLE_UNUSED)) {
                report_.add(IssueId::GOM_TABLE_UNUSED, at("CTBL", ctbl.chunk.header));
            }
            return;
        }
        if (!table_usable_ || lost_) {
            return;
        }
        if (ctbl.present && ctbl.chunk.payload != table_offset_) {
            disagree("header.chunkTableOffset", kChunkTableOffset, "a table at " + number(table_offset_),
                     "CTBL's payload at " + number(ctbl.chunk.payload));
            return;
        }
        if (!ctbl.present && !bare_table_) {
            disagree("header.chunkTableOffset", kChunkTableOffset, "a CTBL chunk at " + number(table_offset_ - lay::chunk::kHeaderSize),
                     "no chunk header");
            return;
        }
        if (ctbl.present && ctbl.chunk.size != lay::ctbl::kEntrySize * table_count_) {
            disagree("header.chunkTableCount", kChunkTableCount, number(table_count_) + " entries",
                     "a CTBL chunk of " + number(ctbl.chunk.size) + " bytes");
        }
        std::vector<Chunk> expected;
        for (const Chunk& c : top_) {
            if (c.fourcc != lay::kCtbl) {
                expected.push_back(c);
            }
        }
        if (expected.size() != table_count_) {
            disagree("header.chunkTableCount", kChunkTableCount, number(table_count_) + " entries", number(expected.size()) + " chunks");
        }
        const std::uint64_t common = std::min<std::uint64_t>(expected.size(), table_count_);
        for (std::uint64_t i = 0; i < common; ++i) {
            using namespace lay::ctbl;
            const std::uint64_t e = table_offset_ + kEntrySize * i;
            const Chunk& c = expected[i];
            const std::string part = "CTBL." + indexed("entry", i);
            if (u32(e + kEntryFourcc) != c.fourcc) {
                disagree(part + ".fourcc", e + kEntryFourcc, "'" + fourcc_text(u32(e + kEntryFourcc)) + "'", "'" + fourcc_text(c.fourcc) + "'");
            }
            if (u32(e + kEntryPayloadSize) != c.size) {
                disagree(part + ".size", e + kEntryPayloadSize, number(u32(e + kEntryPayloadSize)) + " bytes", number(c.size) + " bytes");
            }
            const auto offset = load<std::uint64_t>(ptr(e + kEntryOffset));
            if (offset != c.header) {
                disagree(part + ".offset", e + kEntryOffset, "a chunk at " + number(offset), "it at " + number(c.header));
            }
        }
    }

    // Strings

    void strings() {
        str0_ = slots_[0].present ? std::optional<Chunk>(slots_[0].chunk) : std::nullopt;
        matl_ = slots_[1].present ? std::optional<Chunk>(slots_[1].chunk) : std::nullopt;
        if (!slots_[0].usable) {
            return;
        }
        const Chunk& c = *str0_;
        const std::uint64_t count = c.size >= lay::str0::kOffsets ? u32(c.payload) : 0;
        if (!within(count, options_.limits.max_strings, "strings", "STR0.count", c.payload)) {
            return;
        }
        const std::uint64_t head = lay::str0::kOffsets + lay::str0::kOffsetSize * count;
        if (c.size < head) {
            if (found(IssueId::GOM_STRING_TABLE_SIZE)) {
                report_.add(IssueId::GOM_STRING_TABLE_SIZE, at("STR0", c.header + lay::chunk::kPayloadSize),
                            {{"found", number(c.size)}, {"count", number(count)}, {"expected", number(head)}});
            }
            return;
        }
        data_ = c.payload + head;
        data_size_ = c.size - head;
        if (!within(data_size_, options_.limits.max_string_bytes, "string bytes", "STR0.data", data_)) {
            return;
        }
        strings_known_ = true;
        strings_.resize(count);
        used_.resize(count, false);
        find_strings(count, c.payload + lay::str0::kOffsets);
        if (options_.canonical) {
            canonical_strings(c.payload + lay::str0::kOffsets);
        }
    }

    void find_strings(std::uint64_t count, std::uint64_t offsets) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> starts;   // start, id
        starts.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint32_t start = u32(offsets + 4 * i);
            if (start < data_size_) {
                starts.emplace_back(start, static_cast<std::uint32_t>(i));
            } else if (found(IssueId::GOM_STRING_OFFSET)) {
                report_.add(IssueId::GOM_STRING_OFFSET, at("STR0." + indexed("offset", i), offsets + 4 * i),
                            {{"found", number(start)}, {"size", number(data_size_)}});
            }
        }
        std::sort(starts.begin(), starts.end());
        const char* text = reinterpret_cast<const char*>(ptr(data_));
        // Strings that overlap are tails of one another: the text is gone through once, and a tail is new only at its start.
        std::uint64_t nul = 0;        // where the string looked at last ends; kNoNul when it does not
        std::uint64_t scanned = 0;    // the text before it needs no second look
        constexpr std::uint64_t kNoNul = ~std::uint64_t{0};
        std::uint64_t total = 0;      // with strings that overlap counted each
        std::uint64_t last_start = kNoNul;
        bool first = true;
        for (const auto& [start, id] : starts) {
            if (first || start > nul) {
                const void* end = std::memchr(text + start, 0, data_size_ - start);
                nul = end == nullptr ? kNoNul : static_cast<std::uint64_t>(static_cast<const char*>(end) - text);
                scanned = start;
                first = false;
            }
            if (nul == kNoNul) {
                if (found(IssueId::GOM_STRING_UNTERMINATED)) {
                    report_.add(IssueId::GOM_STRING_UNTERMINATED, at("STR0." + indexed("string", id), data_ + start));
                }
                continue;
            }
            const std::string_view whole(text + start, nul - start);
            strings_[id] = Text{whole, true};
            total += start != last_start ? whole.size() + 1 : 0;
            last_start = start;
            if (whole.substr(0, 3) == "\xEF\xBB\xBF" && found(IssueId::GOM_STRING_BOM)) {
                report_.add(IssueId::GOM_STRING_BOM, at("STR0." + indexed("string", id), data_ + start));
            }
            if (start < scanned) {
                if ((static_cast<std::uint8_t>(text[start]) & 0xC0u) == 0x80u) {
                    string_fault(id, core::TextFault::InvalidUtf8, start, start);
                }
                continue;
            }
            std::size_t offset = 0;
            const core::TextFault fault = core::find_text_fault(whole, &offset);
            scanned = fault == core::TextFault::None ? nul : start + offset + 1;
            if (fault != core::TextFault::None) {
                string_fault(id, fault, start, start + offset);
            }
        }
        within(total, options_.limits.max_string_bytes, "string bytes", "STR0.data", data_);
    }

    void string_fault(std::uint32_t id, core::TextFault fault, std::uint64_t start, std::uint64_t offset) {
        const bool control = fault == core::TextFault::ControlCharacter;
        const IssueId issue = control ? IssueId::GOM_STRING_CONTROL : IssueId::GOM_STRING_UTF8;
        if (!found(issue)) {
            return;
        }
        const core::Place place = at("STR0." + indexed("string", id), data_ + offset);
        if (control) {
            report_.add(issue, place, {{"found", byte_text(data_ + offset)}});
        } else {
            report_.add(issue, place, {{"at", number(offset - start)}});
        }
    }

    void canonical_strings(std::uint64_t offsets) {
        std::uint64_t next = 0;
        bool packed = true;
        for (std::size_t i = 0; i < strings_.size(); ++i) {
            if (!strings_[i].known) {
                return;   // the table is damaged, and its order says nothing
            }
            packed = packed && u32(offsets + 4 * i) == next;
            next += strings_[i].text.size() + 1;
            if (!packed && found(IssueId::GOM_STRING_PACKING)) {
                report_.add(IssueId::GOM_STRING_PACKING, at("STR0." + indexed("offset", i), offsets + 4 * i));
                break;
            }
        }
        if (packed && next != data_size_ && found(IssueId::GOM_STRING_PACKING)) {
            report_.add(IssueId::GOM_STRING_PACKING, at("STR0.data", data_ + next));
        }
        std::uint64_t total = 0;
        for (const Text& t : strings_) {
            total += t.text.size() + 1;
        }
        if (total > data_size_) {
            return;   // they overlap: comparing them could take the square of the file's size
        }
        for (std::size_t i = 1; i < strings_.size(); ++i) {
            if (strings_[i].text <= strings_[i - 1].text && found(IssueId::GOM_STRING_ORDER)) {
                report_.add(IssueId::GOM_STRING_ORDER, at("STR0." + indexed("string", i), offsets + 4 * i),
                            {{"text", quoted(strings_[i].text)}});
            }
        }
    }

    void unused_strings() {
        if (!options_.canonical || !strings_known_ || has_errors_) {
            return;   // in a damaged file not everything that names a string was read
        }
        const std::uint64_t offsets = str0_->payload + lay::str0::kOffsets;
        for (std::size_t i = 0; i < strings_.size(); ++i) {
            if (!strings_[i].known || (used_[i] && !strings_[i].text.empty())) {
                continue;
            }
            if (found(IssueId::GOM_STRING_UNUSED)) {
                report_.add(IssueId::GOM_STRING_UNUSED, at("STR0." + indexed("string", i), offsets + 4 * i),
                            {{"text", quoted(strings_[i].text)}, {"problem", strings_[i].text.empty() ? "empty" : "used by nothing"}});
            }
        }
    }

    /// The string that an id field names; "" for none. known is false where that cannot be told.
    template <class Part>
    Text string_id(std::uint64_t offset, Part&& part) {
        const std::uint32_t id = u32(offset);
        if (id == lay::kNone) {
            return Text{{}, true};
        }
        if (!strings_known_) {
            return {};
        }
        if (id >= strings_.size()) {
            if (found(IssueId::GOM_STRING_ID)) {
                report_.add(IssueId::GOM_STRING_ID, at(part(), offset), {{"found", number(id)}, {"count", number(strings_.size())}});
            }
            return {};
        }
        used_[id] = true;
        return strings_[id];
    }
    template <class Part>
    Text required_name(std::uint64_t offset, const char* what, Part&& part) {
        const Text t = string_id(offset, part);
        if (t.known && t.text.empty() && found(IssueId::GOM_NAME_MISSING)) {
            report_.add(IssueId::GOM_NAME_MISSING, at(part(), offset), {{"what", what}});
        }
        return t;
    }

    // Materials

    struct Slot68 {
        std::array<Text, 5> texts;    // name, then the maps
        std::array<float, lay::matl::kFloatCount> numbers{};
        std::uint32_t flags = 0;
    };

    void materials() {
        if (!slots_[1].usable) {
            return;
        }
        const Chunk& c = *matl_;
        if (c.size < lay::matl::kSlots) {
            wrong_size(c, "MATL", lay::matl::kSlots);
            return;
        }
        const std::uint64_t count = u32(c.payload);
        if (!within(count, options_.limits.max_material_slots, "material slots", "MATL.count", c.payload) ||
            wrong_size(c, "MATL", lay::matl::kSlots + lay::matl::kSlotSize * count)) {
            return;
        }
        slots_known_ = true;
        slot_count_ = count;
        std::vector<Slot68> all(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            all[i] = material(c.payload + lay::matl::kSlots + lay::matl::kSlotSize * i, "MATL." + indexed("slot", i));
        }
        const bool texts_known = std::all_of(all.begin(), all.end(), [](const Slot68& slot) {
            return std::all_of(slot.texts.begin(), slot.texts.end(), [](const Text& t) { return t.known; });
        });
        if (!options_.canonical || !texts_known) {
            return;
        }
        if (count == 0 && found(IssueId::GOM_MATERIAL_NONE)) {
            report_.add(IssueId::GOM_MATERIAL_NONE, at("MATL.count", c.payload));
        }
        const auto offset = [&](std::uint64_t i) { return c.payload + lay::matl::kSlots + lay::matl::kSlotSize * i; };
        std::vector<std::uint32_t> by_content(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            by_content[i] = i;
            if (i > 0 && compare(all[i], all[i - 1]) < 0 && found(IssueId::GOM_MATERIAL_ORDER)) {
                report_.add(IssueId::GOM_MATERIAL_ORDER, at("MATL." + indexed("slot", i), offset(i)));
            }
        }
        std::sort(by_content.begin(), by_content.end(), [&](std::uint32_t a, std::uint32_t b) {
            const int order = compare(all[a], all[b]);
            return order != 0 ? order < 0 : a < b;
        });
        for (std::size_t k = 1; k < by_content.size(); ++k) {
            const std::uint32_t i = by_content[k];
            if (compare(all[i], all[by_content[k - 1]]) == 0 && found(IssueId::GOM_MATERIAL_TWICE)) {
                report_.add(IssueId::GOM_MATERIAL_TWICE, at("MATL." + indexed("slot", i), offset(i)),
                            {{"other", number(by_content[k - 1])}});
            }
        }
    }

    /// By GOM-MATL-6. Numbers that are no numbers count as equal: the slot has an error of its own.
    static int compare(const Slot68& a, const Slot68& b) {
        const auto texts = [](const Text& x, const Text& y) {
            if (x.text.empty() || y.text.empty()) {
                return (x.text.empty() ? 1 : 0) - (y.text.empty() ? 1 : 0);
            }
            return x.text.compare(y.text);
        };
        if (const int name = texts(a.texts[0], b.texts[0]); name != 0) {
            return name;
        }
        if (a.flags != b.flags) {
            return a.flags < b.flags ? -1 : 1;
        }
        for (std::size_t i = 0; i < a.numbers.size(); ++i) {
            if (a.numbers[i] < b.numbers[i]) {
                return -1;
            }
            if (b.numbers[i] < a.numbers[i]) {
                return 1;
            }
        }
        for (std::size_t i = 1; i < 5; ++i) {
            if (const int map = texts(a.texts[i], b.texts[i]); map != 0) {
                return map;
            }
        }
        return 0;
    }

    Slot68 material(std::uint64_t offset, const std::string& part) {
        using namespace lay::matl;
        Slot68 slot;
        slot.texts[0] = string_id(offset + kNameId, [&] { return part + ".nameId"; });
        slot.flags = u32(offset + kFlags);
        if (slot.flags != 0 && found(IssueId::GOM_MATERIAL_FLAGS)) {
            report_.add(IssueId::GOM_MATERIAL_FLAGS, at(part + ".flags", offset + kFlags), {{"found", hex32(slot.flags)}});
        }
        numbers_at(offset + kKd, 3, [&] { return part + ".kd"; });
        numbers_at(offset + kKs, 3, [&] { return part + ".ks"; });
        numbers_at(offset + kKe, 3, [&] { return part + ".ke"; });
        range(offset + kShininess, part, "shininess", HUGE_VALF, "a number of at least 0");
        range(offset + kOpacity, part, "opacity", 1.0f, "0 to 1");
        for (std::size_t i = 0; i < kFloatCount; ++i) {
            slot.numbers[i] = f32(offset + kFirstFloat + 4 * i);
            if (is_bad_float(slot.numbers[i])) {
                slot.numbers[i] = 0;
            }
        }
        std::size_t map = 1;
        for (const auto& [name, field] : {std::pair{"diffuseMapId", kDiffuseMapId}, std::pair{"normalMapId", kNormalMapId},
                                          std::pair{"specularMapId", kSpecularMapId}, std::pair{"emissiveMapId", kEmissiveMapId}}) {
            const auto place = [&, label = name] { return part + "." + label; };
            const Text t = string_id(offset + field, place);
            slot.texts[map++] = t;
            const char* problem = t.text.empty() ? nullptr : map_path_problem(t.text);
            if (problem != nullptr && found(IssueId::GOM_MAP_PATH)) {
                report_.add(IssueId::GOM_MAP_PATH, at(place(), offset + field), {{"path", quoted(t.text)}, {"problem", problem}});
            }
        }
        return slot;
    }

    void range(std::uint64_t offset, const std::string& part, const char* name, float largest, const char* expected) {
        if (!number_at(offset, [&] { return part + "." + name; })) {
            return;
        }
        const float value = f32(offset);
        if ((value < 0 || value > largest) && found(IssueId::GOM_MATERIAL_RANGE)) {
            report_.add(IssueId::GOM_MATERIAL_RANGE, at(part + "." + name, offset),
                        {{"field", name}, {"found", number_text(value)}, {"expected", expected}});
        }
    }

    // Skeleton

    /// A vertex names its bone with 16 bits, so the format itself ends at 65,536.
    std::uint64_t bone_limit() const { return std::min<std::uint64_t>(options_.limits.max_bones, 65'536); }

    void skeleton() {
        if (!slots_[2].present) {
            bones_known_ = !lost_;
            return;
        }
        if (!slots_[2].usable) {
            return;
        }
        const Chunk& c = slots_[2].chunk;
        if (c.size < lay::skel::kParents) {
            wrong_size(c, "SKEL", lay::skel::kParents);
            return;
        }
        const std::uint64_t n = u32(c.payload);
        if (!within(n, bone_limit(), "bones", "SKEL.boneCount", c.payload)) {
            return;
        }
        if (n == 0 && found(IssueId::GOM_NO_BONES)) {
            report_.add(IssueId::GOM_NO_BONES, at("SKEL.boneCount", c.payload));
        }
        if (wrong_size(c, "SKEL", lay::skel::kParents + lay::skel::kBytesPerBone * n)) {
            return;
        }
        bones_known_ = true;
        bone_count_ = n;
        parents_.resize(n);
        bone_paths_.resize(n);
        std::vector<Text> names(n);
        std::vector<Matrix> locals(n);
        bool usable_pose = true;
        for (std::uint64_t i = 0; i < n; ++i) {
            const std::uint64_t parent_at = c.payload + lay::skel::kParents + 4 * i;
            parents_[i] = i32(parent_at);
            if (parents_[i] < -1 || parents_[i] >= static_cast<std::int64_t>(i)) {
                usable_pose = false;
                if (found(IssueId::GOM_BONE_PARENT)) {
                    report_.add(IssueId::GOM_BONE_PARENT, at("SKEL." + indexed("parent", i), parent_at),
                                {{"bone", number(i)}, {"found", number(parents_[i])}});
                }
            }
            names[i] = required_name(c.payload + lay::skel::name_ids(n) + 4 * i, "the bone's name",
                                     [&] { return "SKEL." + indexed("nameId", i); });
            bone_paths_[i] = required_name(c.payload + lay::skel::path_ids(n) + 4 * i, "the bone's path",
                                           [&] { return "SKEL." + indexed("pathId", i); });
            const std::uint64_t matrix_offset = c.payload + lay::skel::bind_locals(n) + lay::kMatrixSize * i;
            const auto matrix_part = [&] { return "SKEL." + indexed("bindLocal", i); };
            if (!matrix_at(matrix_offset, matrix_part, locals[i])) {
                usable_pose = false;
            } else if (runtime::determinant3(runtime::matrix_cast<double>(locals[i])) == 0.0) {
                usable_pose = false;
                if (found(IssueId::GOM_BONE_SINGULAR)) {
                    report_.add(IssueId::GOM_BONE_SINGULAR, at(matrix_part(), matrix_offset), {{"path", quoted(bone_paths_[i].text)}});
                }
            }
        }
        bone_order(names, c.payload + lay::skel::path_ids(n));
        if (usable_pose) {
            models_ = bind_models(locals, parents_);
            scale_ = translation_scale(models_);
        }
    }

    void bone_order(const std::vector<Text>& names, std::uint64_t ids) {
        const std::size_t n = names.size();
        const auto part = [](std::size_t i) { return "SKEL." + indexed("pathId", i); };
        std::map<std::pair<std::int32_t, std::string>, std::vector<std::pair<std::size_t, std::string_view>>> families;
        bool paths_good = true;
        bool sorted = true;
        for (std::size_t i = 0; i < n; ++i) {
            const Text& path = bone_paths_[i];
            if (i > 0 && path.known && !path.text.empty() && bone_paths_[i - 1].known && path.text < bone_paths_[i - 1].text) {
                sorted = false;
                if (found(IssueId::GOM_BONE_ORDER)) {
                    report_.add(IssueId::GOM_BONE_ORDER, at(part(i), ids + 4 * i),
                                {{"path", quoted(path.text)}, {"before", quoted(bone_paths_[i - 1].text)}});
                }
            }
            const bool parent_good = parents_[i] >= -1 && parents_[i] < static_cast<std::int64_t>(i);
            const Text* parent = parents_[i] >= 0 && parent_good ? &bone_paths_[static_cast<std::size_t>(parents_[i])] : nullptr;
            const bool judged = parent_good && path.known && !path.text.empty() && names[i].known && !names[i].text.empty() &&
                                (parent == nullptr || (parent->known && !parent->text.empty()));
            if (!judged) {
                paths_good = false;
                continue;
            }
            std::string_view suffix;
            if (!is_path_of(path.text, parent != nullptr ? &parent->text : nullptr, names[i].text, &suffix)) {
                paths_good = false;
                if (found(IssueId::GOM_BONE_PATH)) {
                    report_.add(IssueId::GOM_BONE_PATH, at(part(i), ids + 4 * i),
                                {{"path", quoted(path.text)}, {"name", quoted(names[i].text)}});
                }
            } else if (options_.canonical) {
                const std::size_t skip = parent != nullptr ? parent->text.size() + 1 : 0;
                const std::string_view plain = path.text.substr(skip, path.text.size() - skip - (suffix.empty() ? 0 : suffix.size() + 1));
                families[{parents_[i], std::string(plain)}].emplace_back(i, suffix);
            }
        }
        if (repeated_paths(ids, sorted) || !paths_good) {
            return;
        }
        for (const auto& [family, members] : families) {
            bone_suffixes(family, members, families, ids);
        }
    }

    /// Reports paths that occur twice. Neighbours do where the bones are sorted; else a sorted copy tells.
    bool repeated_paths(std::uint64_t ids, bool sorted) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < bone_paths_.size(); ++i) {
            if (bone_paths_[i].known && !bone_paths_[i].text.empty()) {
                order.push_back(i);
            }
        }
        if (!sorted) {
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                const int c = bone_paths_[a].text.compare(bone_paths_[b].text);
                return c != 0 ? c < 0 : a < b;
            });
        }
        bool any = false;
        for (std::size_t k = 1; k < order.size(); ++k) {
            const std::size_t i = order[k];
            if (bone_paths_[i].text == bone_paths_[order[k - 1]].text) {
                any = true;
                if (found(IssueId::GOM_BONE_PATH_TWICE)) {
                    report_.add(IssueId::GOM_BONE_PATH_TWICE, at("SKEL." + indexed("pathId", i), ids + 4 * i),
                                {{"path", quoted(bone_paths_[i].text)}});
                }
            }
        }
        return any;
    }

    /// The suffixes of equally named siblings are those that CONV-NAME-3 gives, as a set.
    template <class Families>
    void bone_suffixes(const std::pair<std::int32_t, std::string>& family,
                       const std::vector<std::pair<std::size_t, std::string_view>>& members, const Families& families, std::uint64_t ids) {
        std::vector<std::string> allowed{""};
        for (std::uint64_t number_wanted = 2; allowed.size() < members.size(); ++number_wanted) {
            // Reserved is the plain component of any sibling.
            if (families.count({family.first, family.second + "~" + number(number_wanted)}) == 0) {
                allowed.push_back(number(number_wanted));
            }
        }
        for (const auto& [bone, suffix] : members) {
            const bool good = std::find(allowed.begin(), allowed.end(), suffix) != allowed.end();
            if (!good && found(IssueId::GOM_BONE_SUFFIX)) {
                report_.add(IssueId::GOM_BONE_SUFFIX, at("SKEL." + indexed("pathId", bone), ids + 4 * bone),
                            {{"path", quoted(bone_paths_[bone].text)}});
            }
        }
    }

    // Blend shapes (morph.md)

    struct Head;

    void morph_channels() {
        using namespace lay::mrpc;
        channels_known_ = !slots_[5].present;   // without MRPC there are none
        if (!slots_[5].usable) {
            return;
        }
        const Chunk& c = slots_[5].chunk;
        if (c.size < kChannels) {
            wrong_size(c, "MRPC", kChannels);
            return;
        }
        const std::uint64_t count = u32(c.payload + kChannelCount);
        const std::uint64_t shapes = u32(c.payload + kShapeCount);
        const bool allowed = within(count, options_.limits.max_morph_channels, "morph channels", "MRPC.channelCount", c.payload + kChannelCount);
        if (!within(shapes, options_.limits.max_morph_shapes, "morph shapes", "MRPC.shapeCount", c.payload + kShapeCount) || !allowed ||
            wrong_size(c, "MRPC", shape_weights(count) + 4 * shapes)) {
            return;
        }
        channels_known_ = true;
        if ((count == 0 || msh0_.empty()) && found(IssueId::GOM_MORPH_CHANNELS_EMPTY)) {
            report_.add(IssueId::GOM_MORPH_CHANNELS_EMPTY, at("MRPC", c.header), {{"problem", count == 0 ? "it has no channel" : "there is no part"}});
        }
        std::uint64_t begin = 0;
        bool ends_good = true;
        Text before;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t p = c.payload + kChannels + kChannelSize * i;
            const std::string place = "MRPC." + indexed("channel", i);
            const Text name = required_name(p + kNameId, "the channel's name", [&] { return place + ".nameId"; });
            if (name.known && before.known && !name.text.empty() && name.text <= before.text && found(IssueId::GOM_MORPH_CHANNEL_ORDER)) {
                report_.add(IssueId::GOM_MORPH_CHANNEL_ORDER, at(place + ".nameId", p + kNameId),
                            {{"name", quoted(name.text)}, {"before", quoted(before.text)}});
            }
            before = name;
            number_at(p + kDefaultWeight, [&] { return place + ".defaultWeight"; });
            const std::uint64_t end = u32(p + kShapeEnd);
            if (end <= begin && found(IssueId::GOM_MORPH_NO_SHAPE)) {
                report_.add(IssueId::GOM_MORPH_NO_SHAPE, at(place + ".shapeEnd", p + kShapeEnd),
                            {{"name", quoted(name.text)}, {"found", number(end)}, {"before", number(begin)}});
            }
            ends_good = ends_good && end > begin && end <= shapes;
            if (ends_good) {
                shape_weights_of(c.payload + shape_weights(count) + 4 * begin, end - begin, place);
            }
            shape_counts_.push_back(ends_good ? end - begin : 0);
            begin = end;
        }
        if (begin != shapes && found(IssueId::GOM_MORPH_SHAPES)) {
            report_.add(IssueId::GOM_MORPH_SHAPES, at("MRPC.shapeCount", c.payload + kShapeCount),
                        {{"found", number(begin)}, {"expected", number(shapes)}});
        }
        shapes_known_ = ends_good;
    }

    void shape_weights_of(std::uint64_t first, std::uint64_t count, const std::string& place) {
        for (std::uint64_t k = 0; k < count; ++k) {
            const std::uint64_t offset = first + 4 * k;
            const auto part = [&] { return place + "." + indexed("shapeWeight", k); };
            if (!number_at(offset, part)) {
                continue;
            }
            const float weight = f32(offset);
            const bool late = k > 0 && weight <= f32(offset - 4);
            if ((weight == 0 || late) && found(IssueId::GOM_MORPH_SHAPE_WEIGHT)) {
                report_.add(IssueId::GOM_MORPH_SHAPE_WEIGHT, at(part(), offset),
                            {{"found", number_text(weight)},
                             {"problem", weight == 0 ? "stands for no shape" : "does not follow " + number_text(f32(offset - 4))}});
            }
        }
    }

    void morphs(const std::vector<Chunk>& chunks, const Head& head) {
        std::optional<std::pair<std::uint32_t, std::uint32_t>> before;
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            const std::string place = head.place + "." + indexed("MRPH", i);
            if (chunk_header(chunks[i], place)) {
                morph(chunks[i], place, head, before);
            }
        }
    }

    void morph(const Chunk& c, const std::string& place, const Head& head, std::optional<std::pair<std::uint32_t, std::uint32_t>>& before) {
        using namespace lay::mrph;
        if (c.size < kHeaderSize) {
            wrong_size(c, place, kHeaderSize);
            return;
        }
        const std::uint64_t count = u32(c.payload + kVertexCount);
        morph_vertex_total_ += count;
        if (!within(morph_vertex_total_, options_.limits.max_morph_vertices, "morph vertices", place + ".vertexCount", c.payload + kVertexCount)) {
            return;
        }
        const std::uint32_t channel = u32(c.payload + kChannel);
        const std::uint32_t shape = u32(c.payload + kShape);
        const auto beyond = [&](const char* field, std::uint64_t offset, std::uint32_t value, std::uint64_t most) {
            if (value >= most && found(IssueId::GOM_MORPH_CHANNEL)) {
                report_.add(IssueId::GOM_MORPH_CHANNEL, at(place + "." + field, c.payload + offset),
                            {{"field", field}, {"found", number(value)}, {"count", number(most)}});
            }
        };
        if (channels_known_) {
            beyond("channel", kChannel, channel, shape_counts_.size());
        }
        if (shapes_known_ && channel < shape_counts_.size()) {
            beyond("shape", kShape, shape, shape_counts_[channel]);
        }
        if (before && std::pair(channel, shape) <= *before && found(IssueId::GOM_MORPH_ORDER)) {
            report_.add(IssueId::GOM_MORPH_ORDER, at(place + ".channel", c.payload + kChannel),
                        {{"shape", number(shape)}, {"channel", number(channel)}});
        }
        before = std::pair(channel, shape);
        if (u32(c.payload + kReserved) != 0 && found(IssueId::GOM_MORPH_RESERVED)) {
            report_.add(IssueId::GOM_MORPH_RESERVED, at(place + ".reserved", c.payload + kReserved), {{"found", hex32(u32(c.payload + kReserved))}});
        }
        if (count == 0 && found(IssueId::GOM_MORPH_EMPTY)) {
            report_.add(IssueId::GOM_MORPH_EMPTY, at(place, c.header), {{"what", "the shape"}});
        }
        if (!wrong_size(c, place, kHeaderSize + kBytesPerVertex * count)) {
            moved_vertices(c, place, head, count);
        }
    }

    void moved_vertices(const Chunk& c, const std::string& place, const Head& head, std::uint64_t count) {
        using namespace lay::mrph;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t offset = c.payload + kHeaderSize + 4 * i;
            const std::uint32_t vertex = u32(offset);
            const bool late = i > 0 && vertex <= u32(offset - 4);
            if ((late || vertex >= head.vertex_count) && found(IssueId::GOM_MORPH_VERTEX)) {
                report_.add(IssueId::GOM_MORPH_VERTEX, at(place + "." + indexed("vertex", i), offset),
                            {{"found", number(vertex)},
                             {"problem", late ? "does not follow " + number(u32(offset - 4)) : "is not below " + number(head.vertex_count)}});
            }
            bool moves = false;
            for (const auto& [name, first] : {std::pair{".position", positions(count)}, std::pair{".normal", normals(count)}}) {
                const std::uint64_t at_byte = c.payload + first + 12 * i;
                bool plain = true;
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t bits = u32(at_byte + 4 * k);
                    moves = moves || (bits & ~kNegativeZero) != 0;
                    plain = plain && !is_bad_float(bits) && bits != kNegativeZero;
                }
                if (!plain) {
                    numbers_at(at_byte, 3, [&, label = name] { return place + indexed(label, i); });
                }
            }
            if (!moves && found(IssueId::GOM_MORPH_EMPTY)) {
                report_.add(IssueId::GOM_MORPH_EMPTY, at(place + "." + indexed("vertex", i), offset), {{"what", "the entry of vertex " + number(vertex)}});
            }
        }
    }

    // Mesh parts

    struct Head {
        std::string place;
        std::uint64_t payload = 0;
        std::uint64_t vertex_count = 0;
        std::uint64_t index_count = 0;
        std::uint64_t bone_count = 0;
        std::uint32_t flags = 0;
        bool bones_good = false;      ///< bone_count is one that the file can have
    };
    using Children = std::array<std::optional<Chunk>, lay::kMeshChildOrder.size()>;
    enum ChildSlot : std::size_t { Vb0, Ib0, Sub0, Ibnd, Bnd0, Gbtm };

    void part(const std::optional<Chunk>& chunk, const std::string& place) {
        if (!chunk) {
            return;
        }
        const Chunk& c = *chunk;
        if (c.size < lay::msh0::kHeaderSize) {
            if (found(IssueId::GOM_PART_SIZE)) {
                report_.add(IssueId::GOM_PART_SIZE, at(place, c.header + lay::chunk::kPayloadSize), {{"found", number(c.size)}});
            }
            return;
        }
        Head head{place, c.payload, 0, 0, 0, 0, false};
        if (!part_head(head)) {
            return;
        }
        Children present;
        Children usable;
        std::vector<Chunk> shapes;
        const bool lost = children(c, head, present, usable, shapes);
        const bool flag_gbtm = (head.flags & lay::msh0::kHasGbtm) != 0;
        if (flag_gbtm != present[Gbtm].has_value() && !(lost && flag_gbtm)) {
            wrong_flag(head, 1, flag_gbtm, present[Gbtm] ? "there is a GBTM chunk" : "there is no GBTM chunk");
        }
        std::optional<Bounds> stored;
        if (usable[Bnd0]) {
            stored = bounds(*usable[Bnd0], place + ".BND0");
        }
        if (usable[Vb0]) {
            vertices(*usable[Vb0], head, stored);
        }
        if (usable[Ib0]) {
            indices(*usable[Ib0], head);
        }
        if (usable[Sub0]) {
            submeshes(*usable[Sub0], head);
        }
        if (usable[Ibnd]) {
            inverse_bind(*usable[Ibnd], head);
        }
        if (usable[Gbtm]) {
            placement(*usable[Gbtm], place + ".GBTM");
        }
        morphs(shapes, head);
    }

    bool part_head(Head& head) {
        using namespace lay::msh0;
        const std::uint64_t p = head.payload;
        head.vertex_count = u32(p + kVertexCount);
        head.index_count = u32(p + kIndexCount);
        head.bone_count = u32(p + kBoneCount);
        head.flags = u32(p + kFlags);
        vertex_total_ += head.vertex_count;
        index_total_ += head.index_count;
        const bool vertices_allowed =
            within(vertex_total_, options_.limits.max_vertices, "vertices", head.place + ".vertexCount", p + kVertexCount);
        const bool indices_allowed = within(index_total_, options_.limits.max_indices, "indices", head.place + ".indexCount", p + kIndexCount);
        if (!vertices_allowed || !indices_allowed) {
            return false;
        }
        const std::uint32_t format = u32(p + kVertexFormat);
        if (format != kVf01 && found(IssueId::GOM_VERTEX_FORMAT)) {
            report_.add(IssueId::GOM_VERTEX_FORMAT, at(head.place + ".vertexFormat", p + kVertexFormat), {{"found", number(format)}});
        }
        if (head.vertex_count == 0 && found(IssueId::GOM_PART_EMPTY)) {
            report_.add(IssueId::GOM_PART_EMPTY, at(head.place + ".vertexCount", p + kVertexCount));
        }
        if ((head.index_count == 0 || head.index_count % 3 != 0) && found(IssueId::GOM_PART_INDEX_COUNT)) {
            report_.add(IssueId::GOM_PART_INDEX_COUNT, at(head.place + ".indexCount", p + kIndexCount), {{"found", number(head.index_count)}});
        }
        head.bones_good = head.bone_count == 0 || (bones_known_ && head.bone_count == bone_count_);
        if (!head.bones_good && bones_known_ && found(IssueId::GOM_PART_BONE_COUNT)) {
            report_.add(IssueId::GOM_PART_BONE_COUNT, at(head.place + ".boneCount", p + kBoneCount),
                        {{"found", number(head.bone_count)}, {"expected", number(bone_count_)}});
        }
        const std::uint32_t unknown = head.flags & ~kKnownFlags;
        for (const auto& [value, name, offset] : {std::tuple{unknown, ".flags", kFlags}, std::tuple{u32(p + kReserved), ".reserved[0]", kReserved},
                                                  std::tuple{u32(p + kReserved + 4), ".reserved[1]", kReserved + 4}}) {
            if (value != 0 && found(IssueId::GOM_PART_RESERVED)) {
                report_.add(IssueId::GOM_PART_RESERVED, at(head.place + name, p + offset), {{"found", hex32(value)}});
            }
        }
        string_id(p + kNameId, [&] { return head.place + ".meshNameId"; });
        return format == kVf01;
    }

    void wrong_flag(const Head& head, int bit, bool set, const char* fact) {
        if (found(IssueId::GOM_PART_FLAGS)) {
            report_.add(IssueId::GOM_PART_FLAGS, at(head.place + ".flags", head.payload + lay::msh0::kFlags),
                        {{"bit", number(std::int32_t{bit})}, {"found", set ? "1" : "0"}, {"fact", fact}});
        }
    }

    /// Returns whether the walk was lost. `shapes` receives the MRPH.
    bool children(const Chunk& c, const Head& head, Children& present, Children& usable, std::vector<Chunk>& shapes) {
        const Walk w = walk(c.payload + lay::msh0::kHeaderSize, c.end(), head.place);
        const std::string prefix = head.place + ".";
        std::size_t highest = 0;
        for (const Chunk& child : w.chunks) {
            if (lay::is_top_level(child.fourcc)) {
                misplaced(child, prefix, "inside MSH0");
                continue;
            }
            if (!lay::is_mesh_child(child.fourcc)) {
                unknown_chunk(child, prefix);
                continue;
            }
            const std::string name = fourcc_text(child.fourcc);
            if (child.fourcc == lay::kMrph) {
                shapes.push_back(child);
                continue;
            }
            if (!shapes.empty() && found(IssueId::GOM_MORPH_PLACE)) {
                report_.add(IssueId::GOM_MORPH_PLACE, at(prefix + name, child.header), {{"chunk", name}});
            }
            const auto slot = static_cast<std::size_t>(std::find(lay::kMeshChildOrder.begin(), lay::kMeshChildOrder.end(), child.fourcc) -
                                                       lay::kMeshChildOrder.begin());
            const bool good = chunk_header(child, prefix + name);
            if (present[slot]) {
                if (found(IssueId::GOM_CHILD_TWICE)) {
                    report_.add(IssueId::GOM_CHILD_TWICE, at(prefix + name, child.header));
                }
                continue;
            }
            present[slot] = child;
            if (good) {
                usable[slot] = child;
            }
            if (slot < highest) {
                if (found(IssueId::GOM_CHILD_ORDER)) {
                    report_.add(IssueId::GOM_CHILD_ORDER, at(prefix + name, child.header),
                                {{"chunk", name}, {"before", fourcc_text(lay::kMeshChildOrder[highest])}});
                }
            } else {
                highest = slot;
            }
        }
        if (w.lost) {
            return true;
        }
        for (const std::size_t slot : {Vb0, Ib0, Sub0, Ibnd}) {
            if (!present[slot] && found(IssueId::GOM_CHILD_MISSING)) {
                report_.add(IssueId::GOM_CHILD_MISSING, at(head.place, c.header), {{"chunk", fourcc_text(lay::kMeshChildOrder[slot])}});
            }
        }
        if (!present[Bnd0] && found(IssueId::GOM_BOUNDS_MISSING)) {
            report_.add(IssueId::GOM_BOUNDS_MISSING, at(head.place, c.header));
        }
        if (c.size % lay::kAlignment != 0 && found(IssueId::GOM_PART_PADDING)) {
            report_.add(IssueId::GOM_PART_PADDING, at(head.place, c.header + lay::chunk::kPayloadSize));
        }
        return false;
    }

    void count_disagrees(const std::string& part, std::uint64_t byte, std::uint64_t value, std::uint64_t expected) {
        if (value != expected && found(IssueId::GOM_COUNT_DISAGREES)) {
            report_.add(IssueId::GOM_COUNT_DISAGREES, at(part, byte), {{"found", number(value)}, {"expected", number(expected)}});
        }
    }

    // Vertices

    static Vertex load_vertex(const std::byte* from) {
        Vertex v;
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(&v, from, sizeof(v));
        } else {
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
        return v;
    }

    struct Sphere {
        double x = 0, y = 0, z = 0;
        double limit = 0;             ///< radius with its slack
    };

    void vertices(const Chunk& c, const Head& head, const std::optional<Bounds>& stored) {
        using namespace lay::vb0;
        const std::string place = head.place + ".VB0";
        const std::uint64_t expected = kHeaderSize + lay::vf01::kSize * head.vertex_count;
        if (c.size < kHeaderSize) {
            wrong_size(c, place, expected);
            return;
        }
        count_disagrees(place + ".vertexCount", c.payload + kVertexCount, u32(c.payload + kVertexCount), head.vertex_count);
        bool layout_known = true;
        for (const auto& [name, offset, wanted] :
             {std::tuple{"stride", kStride, lay::vf01::kSize}, std::tuple{"vertexFormat", kVertexFormat, std::size_t{lay::msh0::kVf01}}}) {
            const std::uint32_t value = u32(c.payload + offset);
            if (value != wanted) {
                layout_known = false;
                if (found(IssueId::GOM_VERTEX_STRIDE)) {
                    report_.add(IssueId::GOM_VERTEX_STRIDE, at(place + "." + name, c.payload + offset),
                                {{"field", name}, {"found", number(value)}, {"expected", number(wanted)}});
                }
            }
        }
        if (u32(c.payload + kReserved) != 0 && found(IssueId::GOM_VERTEX_RESERVED)) {
            report_.add(IssueId::GOM_VERTEX_RESERVED, at(place + ".reserved", c.payload + kReserved),
                        {{"found", hex32(u32(c.payload + kReserved))}});
        }
        if (wrong_size(c, place, expected) || !layout_known) {
            return;
        }
        Sphere sphere;
        if (stored) {
            sphere = Sphere{static_cast<double>(stored->center[0]), static_cast<double>(stored->center[1]),
                            static_cast<double>(stored->center[2]), static_cast<double>(stored->radius) * (1.0 + lay::tolerance::kSphere)};
        }
        const std::uint64_t first = c.payload + kHeaderSize;
        bool all_finite = true;
        for (std::uint64_t i = 0; i < head.vertex_count; ++i) {
            const Vertex v = load_vertex(ptr(first + lay::vf01::kSize * i));
            if (!in_order(v, head, stored, sphere)) {
                const bool finite = vertex_details(v, head, stored, sphere, i, first + lay::vf01::kSize * i);
                all_finite = all_finite && finite;
            }
        }
        if (options_.canonical && stored && all_finite && head.vertex_count > 0) {
            exact_bounds(*stored, head, first);
        }
    }

    /// True when the vertex is certainly without a finding; the margins are those of float arithmetic.
    bool in_order(const Vertex& v, const Head& head, const std::optional<Bounds>& stored, const Sphere& sphere) const {
        std::uint32_t bad = bad_float(v.uv[0]) | bad_float(v.uv[1]);
        for (std::size_t k = 0; k < 3; ++k) {
            bad |= bad_float(v.position[k]) | bad_float(v.normal[k]);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            bad |= bad_float(v.tangent[k]) | bad_float(v.weight[k]);
        }
        const float n2 = v.normal[0] * v.normal[0] + v.normal[1] * v.normal[1] + v.normal[2] * v.normal[2];
        const float t2 = v.tangent[0] * v.tangent[0] + v.tangent[1] * v.tangent[1] + v.tangent[2] * v.tangent[2];
        const float nt = v.normal[0] * v.tangent[0] + v.normal[1] * v.tangent[1] + v.normal[2] * v.tangent[2];
        bool good = bad == 0 && std::fabs(n2 - 1.0f) < 1.9e-3f && std::fabs(t2 - 1.0f) < 1.9e-3f && std::fabs(nt) < 0.9e-3f &&
                    std::fabs(v.tangent[3]) == 1.0f;
        if (head.bone_count != 0) {
            // Weights that strictly descend, or are 0 with bone 0, are the common case of a sorted set.
            good = good && std::fabs(weight_sum(v) - 1.0) <= lay::tolerance::kWeightSumWarning && v.weight[3] >= 0;
            for (std::size_t k = 0; k < 4; ++k) {
                good = good && v.bone[k] < head.bone_count && (v.weight[k] != 0 || v.bone[k] == 0);
                for (std::size_t j = 0; j < k; ++j) {
                    good = good && (v.bone[k] != v.bone[j] || v.weight[k] == 0);
                }
                if (k > 0) {
                    good = good && (v.weight[k - 1] > v.weight[k] || (v.weight[k - 1] == v.weight[k] && v.bone[k - 1] <= v.bone[k]));
                }
            }
        } else {
            good = good && (!options_.canonical || is_unskinned(v));
        }
        if (stored) {
            for (std::size_t k = 0; k < 3; ++k) {
                good = good && v.position[k] >= stored->min[k] && v.position[k] <= stored->max[k];
            }
            const double dx = static_cast<double>(v.position[0]) - sphere.x;
            const double dy = static_cast<double>(v.position[1]) - sphere.y;
            const double dz = static_cast<double>(v.position[2]) - sphere.z;
            good = good && sphere.limit >= 0 && dx * dx + dy * dy + dz * dz <= sphere.limit * sphere.limit * (1.0 - 1e-9);
        }
        if (options_.canonical) {
            const auto plus = [](float f) { return std::bit_cast<std::uint32_t>(f) != kNegativeZero; };
            for (std::size_t k = 0; k < 4; ++k) {
                good = good && plus(v.tangent[k]) && plus(v.weight[k]) && (k > 2 || (plus(v.position[k]) && plus(v.normal[k]))) &&
                       (k > 1 || plus(v.uv[k]));
            }
        }
        return good;
    }

    static bool is_unskinned(const Vertex& v) {
        return v.bone[0] == 0 && v.bone[1] == 0 && v.bone[2] == 0 && v.bone[3] == 0 && v.weight[0] == 1 && v.weight[1] == 0 &&
               v.weight[2] == 0 && v.weight[3] == 0;
    }

    static double length3(const float* v) {
        const auto x = static_cast<double>(v[0]), y = static_cast<double>(v[1]), z = static_cast<double>(v[2]);
        return std::sqrt(x * x + y * y + z * z);
    }

    /// Every rule for one vertex. Returns whether its numbers are finite.
    bool vertex_details(const Vertex& v, const Head& head, const std::optional<Bounds>& stored, const Sphere& sphere, std::uint64_t index,
                        std::uint64_t offset) {
        using namespace lay::vf01;
        const auto part = [&](const char* field) { return head.place + ".VB0." + indexed("vertex", index) + "." + field; };
        bool finite = numbers_at(offset + kPosition, 3, [&] { return part("position"); });
        const bool normal_finite = numbers_at(offset + kNormal, 3, [&] { return part("normal"); });
        const bool tangent_finite = numbers_at(offset + kTangent, 4, [&] { return part("tangent"); });
        const bool position_finite = finite;
        finite = numbers_at(offset + kUv0, 2, [&] { return part("uv0"); }) && finite && normal_finite && tangent_finite;
        const bool weights_finite = numbers_at(offset + kBoneWeight, 4, [&] { return part("boneWeight"); });
        finite = finite && weights_finite;
        for (const auto& [values, good, name, field] : {std::tuple{v.normal, normal_finite, "normal", kNormal},
                                                        std::tuple{v.tangent, tangent_finite, "tangent", kTangent}}) {
            const double length = length3(values);
            if (good && std::fabs(length - 1.0) > lay::tolerance::kUnitLength && found(IssueId::GOM_NORMAL_LENGTH)) {
                report_.add(IssueId::GOM_NORMAL_LENGTH, at(part(name), offset + field), {{"what", name}, {"found", number_text(length)}});
            }
        }
        if (tangent_finite && std::fabs(v.tangent[3]) != 1.0f && found(IssueId::GOM_TANGENT_SIGN)) {
            report_.add(IssueId::GOM_TANGENT_SIGN, at(part("tangent[3]"), offset + kTangent + 12), {{"found", number_text(v.tangent[3])}});
        }
        if (normal_finite && tangent_finite) {
            double dot = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                dot += static_cast<double>(v.normal[k]) * static_cast<double>(v.tangent[k]);
            }
            if (std::fabs(dot) > lay::tolerance::kTangentDotNormal && found(IssueId::GOM_TANGENT_ANGLE)) {
                report_.add(IssueId::GOM_TANGENT_ANGLE, at(part("tangent"), offset + kTangent), {{"found", number_text(dot)}});
            }
        }
        if (head.bone_count == 0) {
            if (weights_finite && !is_unskinned(v) && found(IssueId::GOM_VERTEX_UNSKINNED)) {
                report_.add(IssueId::GOM_VERTEX_UNSKINNED, at(part("boneIndex"), offset + kBoneIndex));
            }
        } else if (weights_finite) {
            influences(v, head, part, offset);
        } else {
            bone_indices(v, head, part, offset);
        }
        if (stored && position_finite) {
            for (std::size_t k = 0; k < 3; ++k) {
                const bool inside = v.position[k] >= stored->min[k] && v.position[k] <= stored->max[k];
                if (!inside && found(IssueId::GOM_BOUNDS_BOX)) {
                    report_.add(IssueId::GOM_BOUNDS_BOX, at(indexed(part("position"), k), offset + kPosition + 4 * k));
                }
            }
            const double dx = static_cast<double>(v.position[0]) - sphere.x;
            const double dy = static_cast<double>(v.position[1]) - sphere.y;
            const double dz = static_cast<double>(v.position[2]) - sphere.z;
            const double distance = std::sqrt(dx * dx + dy * dy + dz * dz);
            if (distance > sphere.limit && found(IssueId::GOM_BOUNDS_SPHERE)) {
                report_.add(IssueId::GOM_BOUNDS_SPHERE, at(part("position"), offset + kPosition),
                            {{"found", number_text(distance)}, {"radius", number_text(stored->radius)}});
            }
        }
        return finite;
    }

    template <class PartName>
    void bone_indices(const Vertex& v, const Head& head, const PartName& part, std::uint64_t offset) {
        for (std::size_t k = 0; k < 4; ++k) {
            if (head.bones_good && v.bone[k] >= head.bone_count) {
                const std::uint64_t at_byte = offset + lay::vf01::kBoneIndex + 2 * k;
                refute(lay::validation::kBoneIndices, indexed(part("boneIndex"), k), at_byte, "a bone index is out of range");
                if (found(IssueId::GOM_VERTEX_BONE)) {
                    report_.add(IssueId::GOM_VERTEX_BONE, at(indexed(part("boneIndex"), k), at_byte),
                                {{"found", number(std::uint64_t{v.bone[k]})}, {"count", number(head.bone_count)}});
                }
            }
        }
    }

    template <class PartName>
    void influences(const Vertex& v, const Head& head, const PartName& part, std::uint64_t offset) {
        using namespace lay::vf01;
        bone_indices(v, head, part, offset);
        bool negative = false;
        bool twice = false;
        for (std::size_t k = 0; k < 4; ++k) {
            if (v.weight[k] < 0) {
                negative = true;
                if (found(IssueId::GOM_WEIGHT_NEGATIVE)) {
                    report_.add(IssueId::GOM_WEIGHT_NEGATIVE, at(indexed(part("boneWeight"), k), offset + kBoneWeight + 4 * k),
                                {{"found", number_text(v.weight[k])}});
                }
            }
            for (std::size_t j = 0; j < k && !twice; ++j) {
                if (v.weight[k] != 0 && v.weight[j] != 0 && v.bone[k] == v.bone[j]) {
                    twice = true;
                    if (found(IssueId::GOM_WEIGHT_BONE_TWICE)) {
                        report_.add(IssueId::GOM_WEIGHT_BONE_TWICE, at(indexed(part("boneIndex"), k), offset + kBoneIndex + 2 * k),
                                    {{"bone", number(std::uint64_t{v.bone[k]})}});
                    }
                }
            }
        }
        const double sum = weight_sum(v);
        const double off = std::fabs(sum - 1.0);
        if (off > lay::tolerance::kWeightSumWarning) {
            const IssueId id = off > lay::tolerance::kWeightSum ? IssueId::GOM_WEIGHT_SUM : IssueId::GOM_WEIGHT_SUM_INEXACT;
            if (found(id)) {
                report_.add(id, at(part("boneWeight"), offset + kBoneWeight), {{"found", number_text(sum)}});
            }
        }
        const bool sorted = influences_sorted(v);
        if (negative || !sorted || off > lay::tolerance::kWeightSumWarning) {
            refute(lay::validation::kWeights, part("boneWeight"), offset + kBoneWeight,
                   negative ? "a weight is negative" : !sorted ? "weights are not sorted" : "weights do not add up to 1");
        }
        bool zeros_name_0 = true;
        for (std::size_t k = 0; k < 4; ++k) {
            zeros_name_0 = zeros_name_0 && (v.weight[k] != 0 || v.bone[k] == 0);
        }
        if ((!sorted || !zeros_name_0) && found(IssueId::GOM_WEIGHT_ORDER)) {
            report_.add(IssueId::GOM_WEIGHT_ORDER, at(part("boneWeight"), offset + kBoneWeight));
        }
    }

    // Indices, submeshes

    void indices(const Chunk& c, const Head& head) {
        using namespace lay::ib0;
        const std::string place = head.place + ".IB0";
        if (c.size < kHeaderSize) {
            wrong_size(c, place, kHeaderSize + kWrittenIndexSize * head.index_count);
            return;
        }
        count_disagrees(place + ".indexCount", c.payload + kIndexCount, u32(c.payload + kIndexCount), head.index_count);
        for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{1}}) {
            const std::uint64_t offset = c.payload + kReserved + 4 * word;
            if (u32(offset) != 0 && found(IssueId::GOM_INDEX_RESERVED)) {
                report_.add(IssueId::GOM_INDEX_RESERVED, at(place + "." + indexed("reserved", word), offset), {{"found", hex32(u32(offset))}});
            }
        }
        const std::uint32_t width = u32(c.payload + kIndexSize);
        if (width != 2 && width != 4) {
            if (found(IssueId::GOM_INDEX_SIZE)) {
                report_.add(IssueId::GOM_INDEX_SIZE, at(place + ".indexSizeBytes", c.payload + kIndexSize), {{"found", number(width)}});
            }
            return;
        }
        const bool flagged = (head.flags & lay::msh0::kIndices16Bit) != 0;
        if (flagged != (width == 2)) {
            wrong_flag(head, 0, flagged, width == 2 ? "indexSizeBytes is 2" : "indexSizeBytes is 4");
        }
        if (width == 2 && found(IssueId::GOM_INDEX_16BIT)) {
            report_.add(IssueId::GOM_INDEX_16BIT, at(place + ".indexSizeBytes", c.payload + kIndexSize));
        }
        if (wrong_size(c, place, kHeaderSize + width * head.index_count)) {
            return;
        }
        const std::uint64_t first = c.payload + kHeaderSize;
        const auto value = [&](std::uint64_t i) {
            return width == 4 ? load<std::uint32_t>(ptr(first + 4 * i)) : std::uint32_t{load<std::uint16_t>(ptr(first + 2 * i))};
        };
        std::uint32_t largest = 0;
        if (width == 4) {
            for (std::uint64_t i = 0; i < head.index_count; ++i) {
                largest = std::max(largest, load<std::uint32_t>(ptr(first + 4 * i)));
            }
        } else {
            for (std::uint64_t i = 0; i < head.index_count; ++i) {
                largest = std::max(largest, std::uint32_t{load<std::uint16_t>(ptr(first + 2 * i))});
            }
        }
        if (largest < head.vertex_count || head.vertex_count == 0) {
            return;
        }
        for (std::uint64_t i = 0; i < head.index_count; ++i) {
            if (value(i) >= head.vertex_count) {
                const auto part = [&] { return place + "." + indexed("index", i); };
                refute(lay::validation::kIndices, part(), first + width * i, "an index names no vertex");
                if (found(IssueId::GOM_INDEX_RANGE)) {
                    report_.add(IssueId::GOM_INDEX_RANGE, at(part(), first + width * i),
                                {{"found", number(value(i))}, {"count", number(head.vertex_count)}});
                }
            }
        }
    }

    void submeshes(const Chunk& c, const Head& head) {
        using namespace lay::sub0;
        const std::string place = head.place + ".SUB0";
        if (c.size < kSubmeshes) {
            wrong_size(c, place, kSubmeshes);
            return;
        }
        const std::uint64_t count = u32(c.payload + kCount);
        submesh_total_ += count;
        if (!within(submesh_total_, options_.limits.max_submeshes, "submeshes", place + ".count", c.payload + kCount) ||
            wrong_size(c, place, kSubmeshes + kSubmeshSize * count)) {
            return;
        }
        std::uint64_t next = 0;
        std::int64_t before = -1;
        std::vector<std::int32_t> slots;
        const auto cover = [&](const std::string& part, std::uint64_t byte, std::string problem) {
            refute(lay::validation::kSubmeshCover, part, byte, "the submeshes do not cover the indices in order");
            if (found(IssueId::GOM_SUBMESH_COVER)) {
                report_.add(IssueId::GOM_SUBMESH_COVER, at(part, byte), {{"problem", std::move(problem)}});
            }
        };
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t p = c.payload + kSubmeshes + kSubmeshSize * i;
            const std::string part = place + "." + indexed("submesh", i);
            const std::int32_t material = i32(p + kMaterialIndex);
            const std::uint64_t start = u32(p + kIndexStart);
            const std::uint64_t length = u32(p + kIndexCount);
            if (slots_known_ && (material < 0 || static_cast<std::uint64_t>(material) >= slot_count_)) {
                refute(lay::validation::kMaterialIndices, part + ".materialIndex", p + kMaterialIndex, "a submesh names no slot");
                if (found(IssueId::GOM_SUBMESH_MATERIAL)) {
                    report_.add(IssueId::GOM_SUBMESH_MATERIAL, at(part + ".materialIndex", p + kMaterialIndex),
                                {{"found", number(material)}, {"count", number(slot_count_)}});
                }
            }
            if (material < before && found(IssueId::GOM_SUBMESH_ORDER)) {
                report_.add(IssueId::GOM_SUBMESH_ORDER, at(part + ".materialIndex", p + kMaterialIndex),
                            {{"slot", number(material)}, {"before", number(before)}});
            }
            before = material;
            slots.push_back(material);
            if (length == 0 || length % 3 != 0) {
                refute(lay::validation::kSubmeshCover, part + ".indexCount", p + kIndexCount, "a submesh is not made of triangles");
                if (found(IssueId::GOM_SUBMESH_COUNT)) {
                    report_.add(IssueId::GOM_SUBMESH_COUNT, at(part + ".indexCount", p + kIndexCount), {{"found", number(length)}});
                }
            }
            if (start != next) {
                cover(part + ".indexStart", p + kIndexStart, "the submesh begins at " + number(start) + " where " + number(next) + " is due");
            }
            next = start + length;
        }
        if (next != head.index_count) {
            cover(place, c.payload + kCount, "the submeshes end at " + number(next) + " of " + number(head.index_count) + " indices");
        }
        repeated_slots(slots, place, c.payload + kSubmeshes);
    }

    void repeated_slots(const std::vector<std::int32_t>& slots, const std::string& place, std::uint64_t first) {
        std::vector<std::uint32_t> order(slots.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return slots[a] != slots[b] ? slots[a] < slots[b] : a < b;
        });
        for (std::size_t k = 1; k < order.size(); ++k) {
            if (slots[order[k]] == slots[order[k - 1]] && found(IssueId::GOM_SUBMESH_TWICE)) {
                report_.add(IssueId::GOM_SUBMESH_TWICE,
                            at(place + "." + indexed("submesh", order[k]) + ".materialIndex", first + lay::sub0::kSubmeshSize * order[k]),
                            {{"slot", number(slots[order[k]])}});
            }
        }
    }

    // Matrices and bounds

    void inverse_bind(const Chunk& c, const Head& head) {
        const std::string place = head.place + ".IBND";
        const std::uint64_t expected = lay::ibnd::kMatrices + lay::kMatrixSize * head.bone_count;
        if (c.size < lay::ibnd::kMatrices) {
            wrong_size(c, place, expected);
            return;
        }
        count_disagrees(place + ".boneCount", c.payload, u32(c.payload), head.bone_count);
        if (wrong_size(c, place, expected)) {
            return;
        }
        for (std::uint64_t i = 0; i < head.bone_count; ++i) {
            const std::uint64_t offset = c.payload + lay::ibnd::kMatrices + lay::kMatrixSize * i;
            const auto part = [&] { return place + "." + indexed("inverseBind", i); };
            Matrix m;
            if (!matrix_at(offset, part, m) || models_.size() != head.bone_count) {
                continue;
            }
            double off = 0;
            if (!is_bind_identity(read_matrix(m) * models_[i], scale_, &off)) {
                refute(lay::validation::kBindMatrices, part(), offset, "a palette matrix at bind is not the identity");
                const bool claimed = (u32(lay::header::kValidationFlags) & lay::validation::kBindMatrices) != 0;
                if (!claimed && found(IssueId::GOM_BIND_POSE)) {
                    report_.add(IssueId::GOM_BIND_POSE, at(part(), offset),
                                {{"path", quoted(bone_paths_[i].text)}, {"found", number_text(off)}});
                }
            }
        }
    }

    std::optional<Bounds> bounds(const Chunk& c, const std::string& place) {
        using namespace lay::bnd0;
        if (c.size != kSize) {
            if (found(IssueId::GOM_BOUNDS_SIZE)) {
                report_.add(IssueId::GOM_BOUNDS_SIZE, at(place, c.header + lay::chunk::kPayloadSize), {{"found", number(c.size)}});
            }
            return std::nullopt;
        }
        bool good = numbers_at(c.payload + kAabbMin, 3, [&] { return place + ".aabbMin"; });
        good = numbers_at(c.payload + kAabbMax, 3, [&] { return place + ".aabbMax"; }) && good;
        good = numbers_at(c.payload + kSphereCenter, 3, [&] { return place + ".sphereCenter"; }) && good;
        good = number_at(c.payload + kSphereRadius, [&] { return place + ".sphereRadius"; }) && good;
        if (!good) {
            return std::nullopt;
        }
        Bounds b;
        for (std::size_t k = 0; k < 3; ++k) {
            b.min[k] = f32(c.payload + kAabbMin + 4 * k);
            b.max[k] = f32(c.payload + kAabbMax + 4 * k);
            b.center[k] = f32(c.payload + kSphereCenter + 4 * k);
        }
        b.radius = f32(c.payload + kSphereRadius);
        bounds_at_ = c.payload;
        return b;
    }

    void exact_bounds(const Bounds& stored, const Head& head, std::uint64_t first) {
        using namespace lay::bnd0;
        std::vector<Vertex> all(head.vertex_count);
        for (std::uint64_t i = 0; i < head.vertex_count; ++i) {
            all[i] = load_vertex(ptr(first + lay::vf01::kSize * i));
        }
        const Bounds exact = compute_bounds(all);
        const auto compare = [&](const char* field, float value, float expected, std::uint64_t offset) {
            if (value != expected && found(IssueId::GOM_BOUNDS_INEXACT)) {
                report_.add(IssueId::GOM_BOUNDS_INEXACT, at(head.place + ".BND0." + field, bounds_at_ + offset),
                            {{"field", field}, {"found", number_text(value)}, {"expected", number_text(expected)}});
            }
        };
        for (std::size_t k = 0; k < 3; ++k) {
            compare(indexed("aabbMin", k).c_str(), stored.min[k], exact.min[k], kAabbMin + 4 * k);
            compare(indexed("aabbMax", k).c_str(), stored.max[k], exact.max[k], kAabbMax + 4 * k);
            compare(indexed("sphereCenter", k).c_str(), stored.center[k], exact.center[k], kSphereCenter + 4 * k);
        }
        compare("sphereRadius", stored.radius, exact.radius, kSphereRadius);
    }

    void placement(const Chunk& c, const std::string& place) {
        Matrix m;
        if (wrong_size(c, place, lay::gbtm::kSize) || !matrix_at(c.payload, [&] { return place; }, m)) {
            return;
        }
        const double determinant = runtime::determinant3(runtime::matrix_cast<double>(m));
        if (!(determinant > 0) && found(IssueId::GOM_PLACEMENT_MIRRORS)) {
            report_.add(IssueId::GOM_PLACEMENT_MIRRORS, at(place, c.payload), {{"found", number_text(determinant)}});
        }
        if (runtime::is_identity(m) && found(IssueId::GOM_PLACEMENT_IDENTITY)) {
            report_.add(IssueId::GOM_PLACEMENT_IDENTITY, at(place, c.payload));
        }
    }

    // Clips

    void clips() {
        const Slot& anim = slots_[3];
        std::optional<std::uint64_t> announced;
        if (!anim.present) {
            announced = 0;
        } else if (anim.usable && !wrong_size(anim.chunk, "ANIM", lay::anim::kSize)) {
            const std::uint64_t count = u32(anim.chunk.payload);
            if (within(count, options_.limits.max_clips, "clips", "ANIM.clipCount", anim.chunk.payload)) {
                announced = count;
            }
        } else if (anim.usable && anim.chunk.size > lay::anim::kSize) {
            // A limit comes before everything else about the item that exceeds it.
            within(u32(anim.chunk.payload), options_.limits.max_clips, "clips", "ANIM.clipCount", anim.chunk.payload);
        }
        if (announced && !lost_ && *announced != clp0_.size() && found(IssueId::GOM_CLIP_COUNT)) {
            report_.add(IssueId::GOM_CLIP_COUNT, at("ANIM.clipCount", anim.present ? anim.chunk.payload : bytes_.size()),
                        {{"found", number(*announced)}, {"expected", number(clp0_.size())}});
        }
        if (announced == std::uint64_t{0} && anim.present && clp0_.empty() && !motion_ && found(IssueId::GOM_ANIM_EMPTY)) {
            report_.add(IssueId::GOM_ANIM_EMPTY, at("ANIM", anim.chunk.header));
        }
        std::vector<std::pair<std::string_view, std::size_t>> names;
        std::string_view before;
        for (std::size_t i = 0; i < clp0_.size(); ++i) {
            if (!clp0_[i]) {
                continue;
            }
            const Text name = clip(*clp0_[i], indexed("CLP0", i), mrpa_[i]);
            if (!name.known || name.text.empty()) {
                continue;
            }
            if (!names.empty() && name.text < before && found(IssueId::GOM_CLIP_ORDER)) {
                report_.add(IssueId::GOM_CLIP_ORDER, at(indexed("CLP0", i) + ".nameId", clp0_[i]->payload),
                            {{"name", quoted(name.text)}, {"before", quoted(before)}});
            }
            before = name.text;
            names.emplace_back(name.text, i);
        }
        std::sort(names.begin(), names.end());
        for (std::size_t k = 1; k < names.size(); ++k) {
            if (names[k].first == names[k - 1].first && found(IssueId::GOM_CLIP_NAME_TWICE)) {
                const std::size_t i = names[k].second;
                report_.add(IssueId::GOM_CLIP_NAME_TWICE, at(indexed("CLP0", i) + ".nameId", clp0_[i]->payload),
                            {{"name", quoted(names[k].first)}});
            }
        }
    }

    struct ClipState {
        std::string place;
        float duration = 0;
        bool duration_good = false;
        bool loop = false;
    };

    Text clip(const Chunk& c, const std::string& place, const std::optional<Chunk>& weights) {
        using namespace lay::clp0;
        if (c.size < kHeaderSize) {
            clip_size(c, place, c.header + lay::chunk::kPayloadSize, "24 are the least");
            return {};
        }
        const std::uint64_t p = c.payload;
        const Text name = required_name(p + kNameId, "the clip's name", [&] { return place + ".nameId"; });
        ClipState state{place, f32(p + kDuration), false, false};
        state.duration_good = number_at(p + kDuration, [&] { return place + ".duration"; });
        if (state.duration_good && state.duration < 0) {
            state.duration_good = false;
            if (found(IssueId::GOM_CLIP_DURATION)) {
                report_.add(IssueId::GOM_CLIP_DURATION, at(place + ".duration", p + kDuration), {{"found", number_text(state.duration)}});
            }
        }
        const std::int32_t root = i32(p + kRootBoneIndex);
        const bool root_good = root >= -1 && root < static_cast<std::int64_t>(bone_count_);
        const IssueId root_id = motion_ ? IssueId::MTA_ROOT_BONE : IssueId::GOM_ROOT_BONE;
        if (bones_known_ && !root_good && found(root_id)) {
            report_.add(root_id, at(place + ".rootBoneIndex", p + kRootBoneIndex),
                        {{"found", number(root)}, {"count", number(bone_count_)}});
        }
        const std::uint32_t mode = u32(p + kInterpMode);
        if (mode != kLinearSlerp && found(IssueId::GOM_INTERPOLATION)) {
            report_.add(IssueId::GOM_INTERPOLATION, at(place + ".interpMode", p + kInterpMode), {{"found", number(mode)}});
        }
        const std::uint32_t clip_flags = u32(p + kFlags);
        if ((clip_flags & ~kKnownFlags) != 0 && found(IssueId::GOM_CLIP_FLAGS)) {
            report_.add(IssueId::GOM_CLIP_FLAGS, at(place + ".flags", p + kFlags), {{"found", hex32(clip_flags & ~kKnownFlags)}});
        }
        state.loop = (clip_flags & kLoop) != 0;
        if ((clip_flags & kHasRootMotion) != 0 && bones_known_ && root_good) {
            // A motion does not say which bones have parents.
            const bool parentless = root >= 0 && (motion_ || parents_[static_cast<std::size_t>(root)] == lay::kNoParent);
            if (!parentless && found(IssueId::GOM_ROOT_MOTION)) {
                report_.add(IssueId::GOM_ROOT_MOTION, at(place + ".rootBoneIndex", p + kRootBoneIndex),
                            {{"found", number(root)}, {"problem", root < 0 ? "no bone" : "a bone with a parent"}});
            }
        }
        const std::uint64_t count = u32(p + kTrackCount);
        if (within(count, options_.limits.max_tracks_per_clip, "tracks", place + ".trackCount", p + kTrackCount)) {
            tracks(c, state, count);
        }
        if (weights) {
            state.place += ".MRPA";
            morph_tracks(*weights, state);
        }
        return name;
    }

    void morph_tracks(const Chunk& c, const ClipState& clip) {
        using namespace lay::mrpa;
        const std::string& place = clip.place;
        if (c.size < kHeaderSize) {
            clip_size(c, place, c.header + lay::chunk::kPayloadSize, "8 are the least");
            return;
        }
        const std::uint64_t count = u32(c.payload + kTrackCount);
        if (!within(count, options_.limits.max_tracks_per_clip, "tracks", place + ".trackCount", c.payload + kTrackCount)) {
            return;
        }
        if (u32(c.payload + kReserved) != 0 && found(IssueId::GOM_MORPH_TRACK_RESERVED)) {
            report_.add(IssueId::GOM_MORPH_TRACK_RESERVED, at(place + ".reserved", c.payload + kReserved),
                        {{"found", hex32(u32(c.payload + kReserved))}});
        }
        if (count == 0 && found(IssueId::GOM_MORPH_TRACK_EMPTY)) {
            report_.add(IssueId::GOM_MORPH_TRACK_EMPTY, at(place, c.header), {{"what", "there is no track"}});
        }
        std::uint64_t position = kHeaderSize;
        std::uint64_t keys = 0;
        std::int64_t before = -1;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string part = place + "." + indexed("track", i);
            const std::uint64_t t = c.payload + position;
            if (c.size - position < kTrackHeaderSize) {
                clip_size(c, part, t, "track " + number(i) + " of " + number(count) + " begins at " + number(position));
                return;
            }
            const std::uint64_t key_count = u32(t + kTrackKeyCount);
            keys += key_count;
            if (!within(keys, options_.limits.max_keys_per_clip, "keys", part, t)) {
                return;
            }
            const std::uint64_t size = kTrackHeaderSize + kKeySize * key_count;
            if (size > c.size - position) {
                clip_size(c, part, t, "track " + number(i) + " at " + number(position) + " needs " + number(size));
                return;
            }
            const std::uint32_t of = u32(t + kTrackChannel);
            if (channels_known_ && of >= shape_counts_.size() && found(IssueId::GOM_MORPH_TRACK_CHANNEL)) {
                report_.add(IssueId::GOM_MORPH_TRACK_CHANNEL, at(part + ".channel", t + kTrackChannel),
                            {{"found", number(of)}, {"count", number(shape_counts_.size())}});
            }
            if (std::int64_t{of} <= before && found(IssueId::GOM_MORPH_TRACK_ORDER)) {
                report_.add(IssueId::GOM_MORPH_TRACK_ORDER, at(part + ".channel", t + kTrackChannel),
                            {{"channel", number(of)}, {"before", number(before)}});
            }
            before = of;
            if (key_count == 0 && found(IssueId::GOM_MORPH_TRACK_EMPTY)) {
                report_.add(IssueId::GOM_MORPH_TRACK_EMPTY, at(part, t), {{"what", "the track has no key"}});
            }
            channel<1>(t + kTrackHeaderSize, key_count, clip, part, "key");
            position += size;
        }
        if (position != c.size) {
            clip_size(c, place, c.header + lay::chunk::kPayloadSize, "its tracks take " + number(position));
        }
    }

    void clip_size(const Chunk& c, const std::string& part, std::uint64_t byte, std::string what) {
        if (found(IssueId::GOM_CLIP_SIZE)) {
            report_.add(IssueId::GOM_CLIP_SIZE, at(part, byte), {{"found", number(c.size)}, {"what", std::move(what)}});
        }
    }

    void tracks(const Chunk& c, const ClipState& clip, std::uint64_t count) {
        using namespace lay::clp0;
        std::vector<bool> has_track(bone_count_, false);
        std::uint64_t position = kHeaderSize;
        std::uint64_t keys = 0;
        std::int64_t before = -1;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string part = clip.place + "." + indexed("track", i);
            const std::uint64_t t = c.payload + position;
            if (c.size - position < kTrackHeaderSize) {
                clip_size(c, part, t, "track " + number(i) + " of " + number(count) + " begins at " + number(position));
                return;
            }
            const std::uint64_t translation = u32(t + kTrackTranslationCount);
            const std::uint64_t rotation = u32(t + kTrackRotationCount);
            const std::uint64_t scale = u32(t + kTrackScaleCount);
            keys += translation + rotation + scale;
            if (!within(keys, options_.limits.max_keys_per_clip, "keys", part, t)) {
                return;
            }
            const std::uint64_t size =
                kTrackHeaderSize + kVectorKeySize * translation + kRotationKeySize * rotation + kVectorKeySize * scale;
            if (size > c.size - position) {
                clip_size(c, part, t, "track " + number(i) + " at " + number(position) + " needs " + number(size));
                return;
            }
            const std::uint32_t bone = u32(t + kTrackBoneIndex);
            track_bone(bone, has_track, part, t + kTrackBoneIndex);
            if (std::int64_t{bone} < before && found(IssueId::GOM_TRACK_ORDER)) {
                report_.add(IssueId::GOM_TRACK_ORDER, at(part + ".boneIndex", t + kTrackBoneIndex),
                            {{"bone", number(bone)}, {"before", number(before)}});
            }
            before = bone;
            if (translation + rotation + scale == 0 && found(IssueId::GOM_TRACK_EMPTY)) {
                report_.add(IssueId::GOM_TRACK_EMPTY, at(part, t));
            }
            std::uint64_t k = t + kTrackHeaderSize;
            channel<3>(k, translation, clip, part, "trKey");
            k += kVectorKeySize * translation;
            channel<4>(k, rotation, clip, part, "rotKey");
            k += kRotationKeySize * rotation;
            channel<3>(k, scale, clip, part, "scKey");
            position += size;
        }
        if (position != c.size) {
            clip_size(c, clip.place, c.header + lay::chunk::kPayloadSize, "its tracks take " + number(position));
        }
    }

    void track_bone(std::uint32_t bone, std::vector<bool>& has_track, const std::string& part, std::uint64_t byte) {
        if (!bones_known_) {
            return;
        }
        if (bone >= bone_count_) {
            const IssueId id = motion_ ? IssueId::MTA_TRACK_BONE : IssueId::GOM_TRACK_BONE;
            if (found(id)) {
                report_.add(id, at(part + ".boneIndex", byte), {{"found", number(bone)}, {"count", number(bone_count_)}});
            }
            return;
        }
        if (has_track[bone] && found(IssueId::GOM_TRACK_TWICE)) {
            report_.add(IssueId::GOM_TRACK_TWICE, at(part + ".boneIndex", byte), {{"bone", number(bone)}});
        }
        has_track[bone] = true;
    }

    template <std::size_t N>
    std::array<float, N> key_value(std::uint64_t offset) const {
        std::array<float, N> value{};
        for (std::size_t k = 0; k < N; ++k) {
            value[k] = f32(offset + 4 + 4 * k);
        }
        return value;
    }

    template <std::size_t N>
    void channel(std::uint64_t first, std::uint64_t count, const ClipState& clip, const std::string& track, const char* name) {
        constexpr std::uint64_t kSize = 4 + 4 * N;
        std::optional<float> last_time;
        std::optional<std::array<float, 4>> settled;   // the rotation before, with the sign that a writer gives it
        bool all_finite = true;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t offset = first + kSize * i;
            const auto part = [&] { return track + "." + indexed(name, i); };
            const float time = f32(offset);
            if (number_at(offset, [&] { return part() + ".time"; })) {
                key_time(time, last_time, clip, part, offset);
                last_time = time;
            }
            const std::array<float, N> value = key_value<N>(offset);
            std::uint32_t bad = 0;
            std::uint32_t minus = 0;
            for (const float v : value) {
                bad |= bad_float(v);
                minus |= std::bit_cast<std::uint32_t>(v) == kNegativeZero ? 1u : 0u;
            }
            if ((bad | minus) != 0) {
                numbers_at(offset + 4, N, [&] { return part() + ".value"; });
            }
            if (bad != 0) {
                all_finite = false;
                settled.reset();
                continue;
            }
            if constexpr (N == 4) {
                rotation(value, settled, part, offset + 4);
            }
        }
        if (clip.loop && count > 1 && all_finite) {
            loop_closes<N>(first, first + kSize * (count - 1), track, name, count - 1);
        }
    }

    template <class PartName>
    void key_time(float time, const std::optional<float>& before, const ClipState& clip, const PartName& part, std::uint64_t offset) {
        const bool outside = time < 0 || (clip.duration_good && time > clip.duration);
        const bool late = before && time <= *before;
        if ((outside || late) && found(IssueId::GOM_KEY_TIME)) {
            report_.add(IssueId::GOM_KEY_TIME, at(part() + ".time", offset),
                        {{"found", number_text(time)},
                         {"problem", outside ? "lies outside 0 to " + number_text(clip.duration) : "does not follow " + number_text(*before)}});
        }
    }

    template <class PartName>
    void rotation(const std::array<float, 4>& q, std::optional<std::array<float, 4>>& settled, const PartName& part, std::uint64_t offset) {
        const double length = quaternion_length(q);
        const double off = std::fabs(length - 1.0);
        IssueId id = IssueId::Count;
        if (length < lay::tolerance::kQuaternionMinLength) {
            id = IssueId::GOM_QUATERNION_ZERO;
        } else if (off > lay::tolerance::kQuaternionLength) {
            id = IssueId::GOM_QUATERNION_LENGTH;
        } else if (off > 1e-6) {
            id = IssueId::GOM_QUATERNION_INEXACT;
        }
        if (id != IssueId::Count && found(id)) {
            report_.add(id, at(part() + ".value", offset), {{"found", number_text(length)}});
        }
        if (!options_.canonical) {
            return;
        }
        std::array<float, 4> kept = q;
        if (wrong_sign(q, settled ? &*settled : nullptr)) {
            for (float& v : kept) {
                v = -v;
            }
            if (found(IssueId::GOM_QUATERNION_SIGN)) {
                report_.add(IssueId::GOM_QUATERNION_SIGN, at(part() + ".value", offset));
            }
        }
        settled = kept;
    }

    template <std::size_t N>
    void loop_closes(std::uint64_t first, std::uint64_t last, const std::string& track, const char* name, std::uint64_t index) {
        const std::array<float, N> a = key_value<N>(first);
        std::array<float, N> b = key_value<N>(last);
        bool equal = a == b;
        if constexpr (N == 4) {
            for (float& v : b) {
                v = -v;
            }
            equal = equal || a == b;
        }
        if (!equal && found(IssueId::GOM_LOOP_OPEN)) {
            report_.add(IssueId::GOM_LOOP_OPEN, at(track + "." + indexed(name, index) + ".value", last + 4), {{"channel", name}});
        }
    }

    // Validation

    void flags() {
        static constexpr const char* kStatements[] = {"bind matrices", "weights", "submesh ranges", "indices", "bone indices", "material indices"};
        const std::uint32_t stored = u32(lay::header::kValidationFlags);
        for (std::uint32_t bit = 0; bit < std::size(kStatements); ++bit) {
            for (const Refuted& r : refuted_) {
                if (r.bit == 1u << bit && (stored & r.bit) != 0 && found(IssueId::GOM_FLAG_FALSE)) {
                    report_.add(IssueId::GOM_FLAG_FALSE, at("header.validationFlags", lay::header::kValidationFlags),
                                {{"bit", number(bit)}, {"statement", kStatements[bit]}, {"fact", std::string(r.fact) + " at " + r.part}});
                }
            }
        }
    }

    struct Slot {
        bool present = false;
        bool usable = false;
        Chunk chunk;
    };
    struct Refuted {
        std::uint32_t bit;
        std::string part;
        std::uint64_t byte;
        const char* fact;
    };

    bool motion_;                       ///< the file is to be an MTA
    std::span<const std::byte> bytes_;
    const std::string& file_;
    const codec::CheckOptions& options_;
    core::Report& report_;
    std::vector<std::uint32_t> seen_;   ///< findings by kind
    bool has_errors_ = false;
    std::vector<Refuted> refuted_;

    std::uint64_t end_ = 0;
    std::uint64_t table_offset_ = 0;
    std::uint64_t table_count_ = 0;
    bool table_usable_ = false;
    bool bare_table_ = false;
    bool lost_ = false;
    std::vector<Chunk> top_;
    std::array<Slot, 6> slots_;       ///< STR0, MATL, SKEL, ANIM, CTBL, MRPC
    std::optional<Chunk> str0_, matl_;
    std::vector<std::optional<Chunk>> msh0_, clp0_;   ///< empty where the version is unknown
    std::vector<std::optional<Chunk>> mrpa_;          ///< one a CLP0; empty where there is none, or of an unknown version

    bool strings_known_ = false;
    std::uint64_t data_ = 0;
    std::uint64_t data_size_ = 0;
    std::vector<Text> strings_;
    std::vector<bool> used_;

    bool slots_known_ = false;
    std::uint64_t slot_count_ = 0;

    bool bones_known_ = false;
    std::uint64_t bone_count_ = 0;
    std::vector<std::int32_t> parents_;
    std::vector<Text> bone_paths_;
    std::vector<Matrixd> models_;
    double scale_ = 1;

    bool channels_known_ = false;
    bool shapes_known_ = false;         ///< shape_counts_ are right
    std::vector<std::uint64_t> shape_counts_;   ///< one a channel

    std::uint64_t vertex_total_ = 0;
    std::uint64_t index_total_ = 0;
    std::uint64_t submesh_total_ = 0;
    std::uint64_t morph_vertex_total_ = 0;
    std::uint64_t bounds_at_ = 0;
};

}  // namespace

void check(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report) {
    Checker(false, bytes, file, options, report).run();
}

void check_motion(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report) {
    Checker(true, bytes, file, options, report).run();
}

}  // namespace gomkit::gom
