#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "gomkit/runtime/model_view.hpp"
#include "scan.hpp"

namespace gomkit::runtime {
namespace detail {
namespace {

namespace header = layout::header;
namespace chunk = layout::chunk;
namespace clp0 = layout::clp0;
namespace vf01 = layout::vf01;

// The text of ErrorInfo::part, put together only when something is wrong. What does not fit is cut.
class Part {
public:
    Part& name(const char* text) noexcept {
        for (; *text != '\0'; ++text) put(*text);
        return *this;
    }
    Part& number(std::uint64_t value) noexcept {
        char digits[20];
        std::size_t count = 0;
        do {
            digits[count++] = static_cast<char>('0' + value % 10);
            value /= 10;
        } while (value != 0);
        while (count != 0) put(digits[--count]);
        return *this;
    }
    // ".name"
    Part& field(const char* text) noexcept {
        if (size_ != 0) put('.');
        return name(text);
    }
    // "[7]"
    Part& at(std::uint64_t index) noexcept {
        put('[');
        number(index);
        put(']');
        return *this;
    }
    void copy_to(char (&out)[96]) const noexcept { std::memcpy(out, text_, sizeof(out)); }

private:
    void put(char c) noexcept {
        if (size_ + 1 < sizeof(text_)) text_[size_++] = c;
    }
    char text_[96] = {};
    std::size_t size_ = 0;
};

struct Values {
    ValueKind kind = ValueKind::None;
    std::uint64_t found = 0;
    std::uint64_t expected = 0;
};
Values unsigned_values(std::uint64_t found, std::uint64_t expected) noexcept { return {ValueKind::Unsigned, found, expected}; }
Values signed_values(std::int64_t found, std::int64_t expected) noexcept {
    return {ValueKind::Signed, static_cast<std::uint64_t>(found), static_cast<std::uint64_t>(expected)};
}
Values float_values(double found, double expected) noexcept {
    return {ValueKind::Float, std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected)};
}
Values fourcc_values(std::uint32_t found, std::uint32_t expected) noexcept { return {ValueKind::Fourcc, found, expected}; }

bool is_finite(float x) noexcept { return (std::bit_cast<std::uint32_t>(x) & 0x7F80'0000U) != 0x7F80'0000U; }

// A chunk as its header describes it; the payload's end is not yet checked.
struct Chunk {
    std::uint32_t fourcc = 0;
    std::uint32_t size = 0;
    std::uint64_t offset = 0;   // of the header
    std::uint64_t payload = 0;  // file offsets
    std::uint64_t end = 0;      // of the payload
};

// Well-formed UTF-8 of the length the first byte announces, at most `left` bytes: that length; 0 when ill-formed.
std::size_t utf8_length(const unsigned char* s, std::size_t left) noexcept {
    const unsigned char first = s[0];
    if (first < 0x80) return 1;
    std::size_t length = 0;
    unsigned char low = 0x80, high = 0xBF;  // bounds of the second byte: no overlong form, no surrogate, nothing above U+10FFFF
    if (first >= 0xC2 && first <= 0xDF) {
        length = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
        length = 3;
        if (first == 0xE0) low = 0xA0;
        if (first == 0xED) high = 0x9F;
    } else if (first >= 0xF0 && first <= 0xF4) {
        length = 4;
        if (first == 0xF0) low = 0x90;
        if (first == 0xF4) high = 0x8F;
    } else {
        return 0;
    }
    if (left < length || s[1] < low || s[1] > high) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((s[i] & 0xC0) != 0x80) return 0;
    return length;
}

// Eight printable ASCII bytes: none below 0x20, none 0x7F, none above.
bool is_plain_text(const unsigned char* s) noexcept {
    std::uint64_t w = 0;
    std::memcpy(&w, s, 8);
    constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101ULL;
    const std::uint64_t high = w & (kOnes * 0x80);
    const std::uint64_t at_least_space =
        (w | kOnes * 0x80) - kOnes * 0x20;  // bit 7 stays exactly where the byte (if below 0x80) is >= 0x20
    const std::uint64_t with_delete = (w & (kOnes * 0x7F)) + kOnes;  // bit 7 is set exactly where the byte is 0x7F
    return high == 0 && (at_least_space & (kOnes * 0x80)) == kOnes * 0x80 && (with_delete & (kOnes * 0x80)) == 0;
}

// The bone's own component: its name with '%' as %25 and '/' as %2F; a sibling's number, ~2 and the like, may follow.
bool is_component_of(std::string_view component, std::string_view name) noexcept {
    for (const char c : name) {
        const std::string_view escaped = c == '%'   ? std::string_view("%25")
                                         : c == '/' ? std::string_view("%2F")
                                                    : std::string_view(&c, 1);
        if (!component.starts_with(escaped)) return false;
        component.remove_prefix(escaped.size());
    }
    if (component.empty()) return true;
    if (component.size() < 2 || component[0] != '~') return false;
    // A number of at least 2 without leading zeros.
    if (component[1] == '0' || component == "~1") return false;
    return std::all_of(component.begin() + 1, component.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

class Verifier {
public:
    Verifier(std::span<const std::byte> file, const Limits& limits, ModelView& view, ErrorInfo* info) noexcept
        : file_(file.data()), size_(file.size()), limits_(limits), view_(view), info_(info) {
        view_.file_ = file;
    }

    Status run() noexcept {
        if (const Status s = check_header(); s != Status::Ok) return s;
        if (const Status s = walk(); s != Status::Ok) return s;
        if (const Status s = check_strings(); s != Status::Ok) return s;
        enter("header");
        if (const Status s =
                check_id(u32(header::kConverterVersionId), header::kConverterVersionId, false, "converterVersionStrId");
            s != Status::Ok)
            return s;
        if (const Status s = check_materials(); s != Status::Ok) return s;
        if (const Status s = check_skeleton(); s != Status::Ok) return s;
        if (const Status s = check_parts(); s != Status::Ok) return s;
        return check_clips();
    }

private:
    // ---- reading and complaining -----------------------------------------------------------------------------------------

    [[nodiscard]] std::uint32_t u32(std::uint64_t offset) const noexcept { return load_le<std::uint32_t>(file_ + offset); }
    [[nodiscard]] std::int32_t i32(std::uint64_t offset) const noexcept { return load_le<std::int32_t>(file_ + offset); }
    [[nodiscard]] float f32(std::uint64_t offset) const noexcept { return load_le<float>(file_ + offset); }

    Status fail(Status status, std::uint64_t offset, const Part& part, const Values& values = {}) noexcept {
        if (info_ != nullptr) {
            info_->status = status;
            info_->limit = LimitId::None;
            info_->kind = values.kind;
            part.copy_to(info_->part);
            info_->byte_offset = offset;
            info_->found = values.found;
            info_->expected = values.expected;
        }
        return status;
    }

    Status over_limit(LimitId limit, std::uint64_t offset, const Part& part, std::uint64_t found, std::uint64_t most) noexcept {
        fail(Status::LimitExceeded, offset, part, unsigned_values(found, most));
        if (info_ != nullptr) info_->limit = limit;
        return Status::LimitExceeded;
    }

    // The prefix of the chunk being checked: "MSH0[3].VB0".
    [[nodiscard]] Part here() const noexcept {
        Part part;
        if (chunk_name_ != nullptr) part.name(chunk_name_);
        if (chunk_is_indexed_) part.at(chunk_index_);
        if (child_name_ != nullptr) part.field(child_name_);
        return part;
    }
    void enter(const char* name) noexcept {
        chunk_name_ = name;
        chunk_is_indexed_ = false;
        child_name_ = nullptr;
    }
    void enter(const char* name, std::uint32_t index) noexcept {
        chunk_name_ = name;
        chunk_is_indexed_ = true;
        chunk_index_ = index;
        child_name_ = nullptr;
    }

    Status check_size(const Chunk& c, std::uint64_t wanted) noexcept {
        if (c.size == wanted) return Status::Ok;
        return fail(Status::BadChunkSize, c.offset + chunk::kPayloadSize, here().field("size"), unsigned_values(c.size, wanted));
    }
    Status check_least_size(const Chunk& c, std::uint64_t least) noexcept {
        return c.size >= least ? Status::Ok : check_size(c, least);
    }

    Status check_equal(Status status, std::uint64_t offset, const char* field, std::uint32_t wanted) noexcept {
        const std::uint32_t found = u32(offset);
        return found == wanted ? Status::Ok : fail(status, offset, here().field(field), unsigned_values(found, wanted));
    }

    // A string id at `offset`.
    Status check_id(std::uint32_t id, std::uint64_t offset, bool is_required, const char* field) noexcept {
        return check_id(id, offset, is_required, [&] { return here().field(field); });
    }
    template <class MakePart>
    requires requires(MakePart make) { make(); }
    Status check_id(std::uint32_t id, std::uint64_t offset, bool is_required, const MakePart& make_part) noexcept {
        if (id != layout::kNone && id >= view_.string_count_)
            return fail(Status::BadStringId, offset, make_part(),
                        unsigned_values(id, view_.string_count_ == 0 ? layout::kNone : view_.string_count_ - 1));
        if (is_required && (id == layout::kNone || view_.string(id).empty()))
            return fail(Status::MissingName, offset, make_part());
        return Status::Ok;
    }

    // `count` floats in a row, the first at `offset`.
    template <class MakePart>
    Status check_floats(std::uint64_t offset, std::uint64_t count, const MakePart& make_part) noexcept {
        for (std::uint64_t i = 0; i < count; ++i) {
            const float value = f32(offset + 4 * i);
            if (!is_finite(value))
                return fail(Status::NonFinite, offset + 4 * i, make_part(i), float_values(static_cast<double>(value), 0.0));
        }
        return Status::Ok;
    }

    // A matrix of 16 floats: finite, last column 0 0 0 1 within the tolerance.
    template <class MakePart>
    Status check_matrix(std::uint64_t offset, const MakePart& make_part) noexcept {
        if (const Status s = check_floats(offset, 16, [&](std::uint64_t k) { return make_part().at(k); }); s != Status::Ok)
            return s;
        for (std::uint64_t k = 3; k < 16; k += 4) {
            const double found = static_cast<double>(f32(offset + 4 * k));
            const double wanted = k == 15 ? 1.0 : 0.0;
            if (std::fabs(found - wanted) > layout::tolerance::kLastColumn)
                return fail(Status::BadMatrix, offset + 4 * k, make_part().at(k), float_values(found, wanted));
        }
        return Status::Ok;
    }

    // ---- header (gom.md 2) -------------------------------------------------------------------------------------------------

    Status check_header() noexcept {
        if (reinterpret_cast<std::uintptr_t>(file_) % layout::kAlignment != 0) {
            return fail(Status::Misaligned, 0, Part().name("memory"),
                        unsigned_values(reinterpret_cast<std::uintptr_t>(file_) % layout::kAlignment, 0));
        }
        const std::uint64_t most = std::min(limits_.max_file_bytes, layout::kMaxFileBytes);
        if (size_ > most) return over_limit(LimitId::FileBytes, 0, Part().name("file"), size_, most);
        enter("header");
        if (size_ >= header::kMagicSize) {
            const auto is = [&](const std::array<char, 8>& magic) { return std::memcmp(file_, magic.data(), magic.size()) == 0; };
            const auto bad = [&](Status status) {
                return fail(status, header::kMagic, here().field("magic"),
                            fourcc_values(u32(header::kMagic), layout::fourcc("GOMB")));
            };
            if (is(header::kMotionMagic)) return bad(Status::IsMotion);
            if (is(header::kTextMagic)) return bad(Status::IsText);
            if (is(header::kMotionTextMagic)) return bad(Status::IsMotionText);
            if (!is(header::kModelMagic)) return bad(Status::BadMagic);
        }
        if (size_ < header::kSize) return fail(Status::TooShort, 0, Part().name("file"), unsigned_values(size_, header::kSize));

        if (const Status s = check_equal(Status::BadHeader, header::kHeaderSize, "headerSize", header::kSize); s != Status::Ok)
            return s;
        if (const Status s = check_equal(Status::BadVersion, header::kFormatVersion, "formatVersion", header::kFormatVersion1);
            s != Status::Ok)
            return s;
        if (const Status s = check_equal(Status::BadCoordinateSystem, header::kCoordinateSystem, "coordinateSystem",
                                         header::kLeftHandedYUpMetres);
            s != Status::Ok)
            return s;
        if (const Status s = check_equal(Status::BadMatrixConvention, header::kMatrixConvention, "matrixConvention",
                                         header::kRowMajorRowVector);
            s != Status::Ok)
            return s;

        // CTBL's place. Its entries are not used here, so they are the checker's business.
        walk_end_ = size_;
        const auto table = load_le<std::uint64_t>(file_ + header::kChunkTableOffset);
        const std::uint32_t count = u32(header::kChunkTableCount);
        if (table == 0) {
            if (count == 0) return Status::Ok;
            return fail(Status::BadChunkTable, header::kChunkTableCount, here().field("chunkTableCount"),
                        unsigned_values(count, 0));
        }
        if (table < header::kMinChunkTableOffset) {
            return fail(Status::BadChunkTable, header::kChunkTableOffset, here().field("chunkTableOffset"),
                        unsigned_values(table, header::kMinChunkTableOffset));
        }
        if (table > size_) {
            return fail(Status::BadChunkTable, header::kChunkTableOffset, here().field("chunkTableOffset"),
                        unsigned_values(table, size_));
        }
        const std::uint64_t room = (size_ - table) / layout::ctbl::kEntrySize;
        if (count > room)
            return fail(Status::BadChunkTable, header::kChunkTableCount, here().field("chunkTableCount"),
                        unsigned_values(count, room));
        // A table of a foreign writer is no chunk: the walk ends where it begins.
        if (u32(table - chunk::kHeaderSize) != layout::kCtbl) walk_end_ = table;
        return Status::Ok;
    }

    // ---- chunks (gom.md 3) -------------------------------------------------------------------------------------------------

    // The chunk at `at` in a container that ends at `end`, or found = false at its end. Of the chunk only the fourcc is checked.
    Status read_chunk(std::uint64_t at, std::uint64_t end, std::uint64_t ordinal, Chunk& out, bool& found) noexcept {
        found = false;
        if (at >= end) return Status::Ok;
        if (end - at < chunk::kHeaderSize) {
            for (; at < end; ++at) {
                const auto value = static_cast<std::uint32_t>(file_[at]);
                if (value != 0) return fail(Status::TrailingBytes, at, here().field("end"), unsigned_values(value, 0));
            }
            return Status::Ok;
        }
        out.fourcc = u32(at + chunk::kFourcc);
        out.size = u32(at + chunk::kPayloadSize);
        out.offset = at;
        out.payload = at + chunk::kHeaderSize;
        out.end = out.payload + out.size;
        if (!layout::is_legal_fourcc(out.fourcc))
            return fail(Status::BadFourcc, at, here().field("chunk").at(ordinal), fourcc_values(out.fourcc, 0));
        found = true;
        return Status::Ok;
    }

    Status check_extent(const Chunk& c, std::uint64_t end, std::uint64_t ordinal) noexcept {
        if (c.end <= end) return Status::Ok;
        return fail(Status::BadChunk, c.offset + chunk::kPayloadSize, here().field("chunk").at(ordinal).field("size"),
                    unsigned_values(c.size, end - c.payload));
    }

    Status check_version(const Chunk& c, std::uint64_t ordinal) noexcept {
        const std::uint32_t version = u32(c.offset + chunk::kVersion);
        if (version == chunk::kVersion1) return Status::Ok;
        return fail(Status::BadChunkVersion, c.offset + chunk::kVersion, here().field("chunk").at(ordinal).field("version"),
                    unsigned_values(version, chunk::kVersion1));
    }

    // A chunk that may occur once.
    Status keep_single(const Chunk& c, std::uint64_t ordinal, Chunk& slot) noexcept {
        if (slot.offset != 0)
            return fail(Status::DuplicateChunk, c.offset, here().field("chunk").at(ordinal), fourcc_values(c.fourcc, 0));
        slot = c;
        return Status::Ok;
    }

    static void remember(ChunkIndex& kind, std::uint64_t offset) noexcept {
        if ((kind.count & ((1U << kind.stride_log2) - 1U)) == 0) {
            if (kind.count >> kind.stride_log2 == ChunkIndex::kSlots) {
                for (std::uint32_t i = 0; i < ChunkIndex::kSlots / 2; ++i) kind.offsets[i] = kind.offsets[2 * i];
                ++kind.stride_log2;
            }
            kind.offsets[kind.count >> kind.stride_log2] = static_cast<std::uint32_t>(offset);
        }
        ++kind.count;
    }

    Status walk() noexcept {
        enter("file");
        std::uint64_t at = header::kSize;
        for (std::uint64_t ordinal = 0;; ++ordinal) {
            Chunk c;
            bool found = false;
            if (const Status s = read_chunk(at, walk_end_, ordinal, c, found); s != Status::Ok) return s;
            if (!found) break;
            Status s = Status::Ok;
            switch (c.fourcc) {
                case layout::kMsh0:
                    if (view_.parts_.count >= limits_.max_mesh_parts)
                        return over_limit(LimitId::MeshParts, at, Part().name("MSH0").at(view_.parts_.count),
                                          view_.parts_.count + std::uint64_t{1}, limits_.max_mesh_parts);
                    remember(view_.parts_, at);
                    break;
                case layout::kClp0:
                    if (view_.clips_.count >= limits_.max_clips)
                        return over_limit(LimitId::Clips, at, Part().name("CLP0").at(view_.clips_.count),
                                          view_.clips_.count + std::uint64_t{1}, limits_.max_clips);
                    remember(view_.clips_, at);
                    break;
                case layout::kStr0:
                    s = keep_single(c, ordinal, strings_);
                    break;
                case layout::kMatl:
                    s = keep_single(c, ordinal, materials_);
                    break;
                case layout::kSkel:
                    s = keep_single(c, ordinal, skeleton_);
                    break;
                case layout::kAnim:
                    s = keep_single(c, ordinal, animations_);
                    break;
                case layout::kCtbl:
                    s = keep_single(c, ordinal, table_);
                    break;
                default:
                    if (layout::is_mesh_child(c.fourcc))
                        s = fail(Status::MisplacedChunk, c.offset, here().field("chunk").at(ordinal), fourcc_values(c.fourcc, 0));
                    break;
            }
            if (s != Status::Ok) return s;
            if (s = check_extent(c, walk_end_, ordinal); s != Status::Ok) return s;
            if (layout::is_top_level(c.fourcc)) {
                if (s = check_version(c, ordinal); s != Status::Ok) return s;
            }
            at = layout::align16(c.end);
        }
        const auto missing = [&](std::uint32_t fourcc) {
            return fail(Status::MissingChunk, walk_end_, here(), fourcc_values(0, fourcc));
        };
        if (strings_.offset == 0) return missing(layout::kStr0);
        if (materials_.offset == 0) return missing(layout::kMatl);
        if (view_.clips_.count != 0 && animations_.offset == 0) return missing(layout::kAnim);
        return Status::Ok;
    }

    // ---- STR0 --------------------------------------------------------------------------------------------------------------

    // Strings in the order of their offsets, so that shared bytes are read once.
    struct StringScan {
        const unsigned char* data = nullptr;
        std::size_t size = 0;
        std::size_t run_end = 0;  // the NUL of the run read last; bytes from its first offset up to here are good
        bool has_run = false;
        std::size_t last_offset = 0;
        std::uint64_t total = 0;  // bytes of the strings at different offsets, NULs included
    };

    Status check_strings() noexcept {
        namespace str0 = layout::str0;
        enter("STR0");
        const Chunk& c = strings_;
        if (const Status s = check_least_size(c, str0::kOffsets); s != Status::Ok) return s;
        const std::uint32_t count = u32(c.payload);
        if (count > limits_.max_strings)
            return over_limit(LimitId::Strings, c.payload, here().field("count"), count, limits_.max_strings);
        const std::uint64_t data_at = str0::kOffsets + std::uint64_t{count} * str0::kOffsetSize;
        if (const Status s = check_least_size(c, data_at); s != Status::Ok) return s;
        const std::uint64_t data_size = c.size - data_at;
        if (data_size > limits_.max_string_bytes)
            return over_limit(LimitId::StringBytes, c.payload + data_at, here().field("data"), data_size,
                              limits_.max_string_bytes);

        view_.strings_at_ = c.payload;
        view_.strings_end_ = c.end;
        const std::uint64_t offsets = c.payload + str0::kOffsets;
        bool is_sorted = true;
        for (std::uint32_t i = 0, last = 0; i < count; ++i) {
            const std::uint64_t at = offsets + std::uint64_t{i} * str0::kOffsetSize;
            const std::uint32_t offset = u32(at);
            if (offset >= data_size)
                return fail(Status::BadStringOffset, at, here().field("offsets").at(i),
                            unsigned_values(offset, data_size == 0 ? 0 : data_size - 1));
            is_sorted &= offset >= last;
            last = offset;
        }

        StringScan scan;
        scan.data = reinterpret_cast<const unsigned char*>(file_ + c.payload + data_at);
        scan.size = static_cast<std::size_t>(data_size);
        bool is_packed = is_sorted;
        if (is_sorted) {
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::uint32_t offset = u32(offsets + std::uint64_t{i} * str0::kOffsetSize);
                is_packed &= !scan.has_run || offset == scan.run_end + 1;
                if (const Status s = visit_string(scan, offset, i); s != Status::Ok) return s;
            }
        } else if (const Status s = check_unsorted_strings(scan, offsets, count); s != Status::Ok) {
            return s;
        }
        // Overlapping strings count each, as in the text form: what later reads names and paths is bounded by this.
        if (scan.total > limits_.max_string_bytes)
            return over_limit(LimitId::StringBytes, c.payload + data_at, here().field("data"), scan.total,
                              limits_.max_string_bytes);
        view_.strings_packed_ = is_packed && scan.has_run && scan.run_end + 1 == scan.size;
        view_.string_count_ = count;
        return Status::Ok;
    }

    // Offsets in any order: window by window of the data they are marked in a bit set, then visited in ascending order. Linear, where
    // following each offset could read 64 MiB a million times.
    Status check_unsorted_strings(StringScan& scan, std::uint64_t offsets, std::uint32_t count) noexcept {
        constexpr std::size_t kWindow = std::size_t{1} << 18;
        std::uint64_t marks[kWindow / 64];
        for (std::size_t base = 0; base < scan.size; base += kWindow) {
            std::memset(marks, 0, sizeof(marks));
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::size_t offset = u32(offsets + std::uint64_t{i} * layout::str0::kOffsetSize);
                if (offset - base < kWindow) marks[(offset - base) / 64] |= std::uint64_t{1} << ((offset - base) % 64);
            }
            for (std::size_t word = 0; word < kWindow / 64; ++word) {
                for (std::uint64_t left = marks[word]; left != 0; left &= left - 1) {
                    const std::size_t offset = base + word * 64 + static_cast<std::size_t>(std::countr_zero(left));
                    if (const Status s = visit_string(scan, offset, layout::kNone); s != Status::Ok) {
                        std::uint32_t id = 0;
                        while (u32(offsets + std::uint64_t{id} * layout::str0::kOffsetSize) != offset) ++id;
                        scan.has_run = false;
                        return visit_string(scan, offset, id);
                    }
                }
            }
        }
        return Status::Ok;
    }

    Status visit_string(StringScan& scan, std::size_t offset, std::uint32_t id) noexcept {
        const auto complain = [&](Status status, std::size_t position) {
            return fail(status, strings_.end - scan.size + position, here().field("string").at(id),
                        unsigned_values(position < scan.size ? scan.data[position] : 0, 0));
        };
        const unsigned char* s = scan.data + offset;
        if (scan.size - offset >= 3 && s[0] == 0xEF && s[1] == 0xBB && s[2] == 0xBF)
            return complain(Status::ByteOrderMark, offset);
        if (scan.has_run && offset <= scan.run_end) {
            // Inside the run read last: good from here on, if a character starts here.
            if ((s[0] & 0xC0) == 0x80) return complain(Status::BadUtf8, offset);
            if (offset != scan.last_offset) scan.total += scan.run_end - offset + 1;
            scan.last_offset = offset;
            return Status::Ok;
        }
        std::size_t at = offset;
        while (true) {
            while (scan.size - at >= 8 && is_plain_text(scan.data + at)) at += 8;
            if (at == scan.size) {
                return fail(Status::UnterminatedString,
                            strings_.payload + layout::str0::kOffsets + std::uint64_t{id} * layout::str0::kOffsetSize,
                            here().field("offsets").at(id), unsigned_values(offset, 0));
            }
            const unsigned char c = scan.data[at];
            if (c == 0) break;
            if (c < 0x20 || c == 0x7F) return complain(Status::ControlCharacter, at);
            const std::size_t length = utf8_length(scan.data + at, scan.size - at);
            if (length == 0) return complain(Status::BadUtf8, at);
            at += length;
        }
        scan.run_end = at;
        scan.has_run = true;
        scan.last_offset = offset;
        scan.total += at - offset + 1;
        return Status::Ok;
    }

    // ---- MATL --------------------------------------------------------------------------------------------------------------

    Status check_materials() noexcept {
        namespace matl = layout::matl;
        enter("MATL");
        const Chunk& c = materials_;
        if (const Status s = check_least_size(c, matl::kSlots); s != Status::Ok) return s;
        const std::uint32_t count = u32(c.payload);
        if (count > limits_.max_material_slots)
            return over_limit(LimitId::MaterialSlots, c.payload, here().field("count"), count, limits_.max_material_slots);
        if (const Status s = check_size(c, matl::kSlots + std::uint64_t{count} * matl::kSlotSize); s != Status::Ok) return s;
        struct Id {
            std::size_t at;
            const char* name;
        };
        constexpr Id kIds[] = {{matl::kNameId, "nameId"},
                               {matl::kDiffuseMapId, "diffuseMapId"},
                               {matl::kNormalMapId, "normalMapId"},
                               {matl::kSpecularMapId, "specularMapId"},
                               {matl::kEmissiveMapId, "emissiveMapId"}};
        constexpr const char* kFloats[matl::kFloatCount] = {"kd[0]", "kd[1]", "kd[2]", "ks[0]",     "ks[1]",  "ks[2]",
                                                            "ke[0]", "ke[1]", "ke[2]", "shininess", "opacity"};
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t slot = c.payload + matl::kSlots + std::uint64_t{i} * matl::kSlotSize;
            for (const Id& id : kIds) {
                if (const Status s = check_id(u32(slot + id.at), slot + id.at, false,
                                              [&] { return here().field("slot").at(i).field(id.name); });
                    s != Status::Ok)
                    return s;
            }
            if (const Status s = check_floats(slot + matl::kFirstFloat, matl::kFloatCount,
                                              [&](std::uint64_t k) { return here().field("slot").at(i).field(kFloats[k]); });
                s != Status::Ok)
                return s;
        }
        view_.materials_at_ = c.payload;
        view_.material_count_ = count;
        return Status::Ok;
    }

    // ---- SKEL --------------------------------------------------------------------------------------------------------------

    Status check_skeleton() noexcept {
        namespace skel = layout::skel;
        const Chunk& c = skeleton_;
        if (c.offset == 0) return Status::Ok;
        enter("SKEL");
        if (const Status s = check_least_size(c, skel::kParents); s != Status::Ok) return s;
        const std::uint32_t count = u32(c.payload);
        if (count > limits_.max_bones)
            return over_limit(LimitId::Bones, c.payload, here().field("boneCount"), count, limits_.max_bones);
        if (count == 0) return fail(Status::NoBones, c.payload, here().field("boneCount"), unsigned_values(0, 1));
        if (const Status s = check_size(c, skel::kParents + std::uint64_t{count} * skel::kBytesPerBone); s != Status::Ok)
            return s;
        view_.bones_at_ = c.payload;
        view_.bone_count_ = count;
        for (std::uint32_t i = 0; i < count; ++i)
            if (const Status s = check_bone(i); s != Status::Ok) return s;
        return Status::Ok;
    }

    Status check_bone(std::uint32_t i) noexcept {
        namespace skel = layout::skel;
        const std::uint32_t count = view_.bone_count_;
        const std::uint64_t parent_at = skeleton_.payload + skel::kParents + std::uint64_t{i} * 4;
        const std::uint64_t name_at = skeleton_.payload + skel::name_ids(count) + std::uint64_t{i} * 4;
        const std::uint64_t path_at = skeleton_.payload + skel::path_ids(count) + std::uint64_t{i} * 4;
        const auto part = [&](const char* field) { return here().field(field).at(i); };

        const std::int32_t parent = i32(parent_at);
        if (parent < layout::kNoParent || (parent >= 0 && static_cast<std::uint32_t>(parent) >= i))
            return fail(Status::BadParent, parent_at, part("parent"), signed_values(parent, static_cast<std::int64_t>(i) - 1));
        if (const Status s = check_id(u32(name_at), name_at, true, [&] { return part("nameId"); }); s != Status::Ok) return s;
        if (const Status s = check_id(u32(path_at), path_at, true, [&] { return part("pathId"); }); s != Status::Ok) return s;

        const std::string_view path = view_.bone_path(i);
        if (i != 0) {
            const int order = view_.bone_path(i - 1).compare(path);  // bytes as unsigned, then shorter first: char_traits<char>
            if (order == 0) return fail(Status::DuplicatePath, path_at, part("pathId"));
            if (order > 0) return fail(Status::BonesNotSorted, path_at, part("pathId"));
        }
        std::string_view component = path;
        bool is_below_parent = true;
        if (parent >= 0) {
            const std::string_view above = view_.bone_path(static_cast<std::uint32_t>(parent));
            is_below_parent = path.size() > above.size() && path.starts_with(above) && path[above.size()] == '/';
            if (is_below_parent) component.remove_prefix(above.size() + 1);
        }
        if (!is_below_parent || !is_component_of(component, view_.bone_name(i)))
            return fail(Status::BadBonePath, path_at, part("pathId"));

        const std::uint64_t matrix_at = skeleton_.payload + skel::bind_locals(count) + std::uint64_t{i} * layout::kMatrixSize;
        if (const Status s = check_matrix(matrix_at, [&] { return part("bindLocal"); }); s != Status::Ok) return s;
        if (determinant3(matrix_cast<double>(view_.bind_local(i))) == 0.0)
            return fail(Status::SingularMatrix, matrix_at, part("bindLocal"));
        return Status::Ok;
    }

    // ---- MSH0 --------------------------------------------------------------------------------------------------------------

    struct MeshPart {
        std::uint32_t vertex_count = 0;
        std::uint32_t index_count = 0;
        std::uint32_t bone_count = 0;
        std::uint32_t flags = 0;
        std::uint64_t flags_at = 0;
        Chunk vertices, indices, submeshes, inverse_binds, bounds, geometry_to_model;
    };

    Status check_parts() noexcept {
        std::uint64_t at = view_.parts_.offsets[0];
        for (std::uint32_t i = 0; i < view_.parts_.count; ++i) {
            at = view_.next_of(layout::kMsh0, at);
            enter("MSH0", i);
            Chunk c;
            c.fourcc = layout::kMsh0;
            c.size = u32(at + chunk::kPayloadSize);
            c.offset = at;
            c.payload = at + chunk::kHeaderSize;
            c.end = c.payload + c.size;
            if (const Status s = check_part(c); s != Status::Ok) return s;
            at = layout::align16(c.end);
        }
        return Status::Ok;
    }

    // Adds to a total over the file.
    Status count_up(std::uint64_t& total, std::uint64_t more, std::uint64_t most, LimitId limit, std::uint64_t offset,
                    const char* field) noexcept {
        total += more;
        return total > most ? over_limit(limit, offset, here().field(field), total, most) : Status::Ok;
    }

    Status check_part(const Chunk& c) noexcept {
        namespace msh0 = layout::msh0;
        if (const Status s = check_least_size(c, msh0::kHeaderSize); s != Status::Ok) return s;
        MeshPart part;
        part.vertex_count = u32(c.payload + msh0::kVertexCount);
        part.index_count = u32(c.payload + msh0::kIndexCount);
        part.bone_count = u32(c.payload + msh0::kBoneCount);
        part.flags_at = c.payload + msh0::kFlags;
        part.flags = u32(part.flags_at);
        if (const Status s = count_up(view_.vertex_total_, part.vertex_count, limits_.max_vertices, LimitId::Vertices,
                                      c.payload + msh0::kVertexCount, "vertexCount");
            s != Status::Ok)
            return s;
        if (const Status s = count_up(view_.index_total_, part.index_count, limits_.max_indices, LimitId::Indices,
                                      c.payload + msh0::kIndexCount, "indexCount");
            s != Status::Ok)
            return s;
        if (part.bone_count > limits_.max_bones)
            return over_limit(LimitId::Bones, c.payload + msh0::kBoneCount, here().field("boneCount"), part.bone_count,
                              limits_.max_bones);

        if (const Status s = check_id(u32(c.payload + msh0::kNameId), c.payload + msh0::kNameId, false, "meshNameId");
            s != Status::Ok)
            return s;
        if (const Status s = check_equal(Status::BadVertexFormat, c.payload + msh0::kVertexFormat, "vertexFormat", msh0::kVf01);
            s != Status::Ok)
            return s;
        if (part.vertex_count == 0)
            return fail(Status::EmptyPart, c.payload + msh0::kVertexCount, here().field("vertexCount"), unsigned_values(0, 1));
        if (part.index_count < 3)
            return fail(Status::EmptyPart, c.payload + msh0::kIndexCount, here().field("indexCount"),
                        unsigned_values(part.index_count, 3));
        if (part.bone_count != 0 && part.bone_count != view_.bone_count_)
            return fail(Status::BadBoneCount, c.payload + msh0::kBoneCount, here().field("boneCount"),
                        unsigned_values(part.bone_count, view_.bone_count_));

        if (const Status s = walk_children(c, part); s != Status::Ok) return s;
        const bool has_gbtm = part.geometry_to_model.offset != 0;
        if (((part.flags & msh0::kHasGbtm) != 0) != has_gbtm) {
            return fail(Status::FlagMismatch, part.flags_at, here().field("flags"),
                        unsigned_values(part.flags, has_gbtm ? part.flags | msh0::kHasGbtm : part.flags & ~msh0::kHasGbtm));
        }
        if (const Status s = check_vertices(part); s != Status::Ok) return s;
        if (const Status s = check_indices(part); s != Status::Ok) return s;
        if (const Status s = check_submeshes(part); s != Status::Ok) return s;
        if (const Status s = check_inverse_binds(part); s != Status::Ok) return s;
        if (part.bounds.offset != 0 && part.bounds.size == layout::bnd0::kSize) {
            constexpr const char* kFields[10] = {"aabbMin[0]",      "aabbMin[1]",  "aabbMin[2]",      "aabbMax[0]",
                                                 "aabbMax[1]",      "aabbMax[2]",  "sphereCenter[0]", "sphereCenter[1]",
                                                 "sphereCenter[2]", "sphereRadius"};
            child_name_ = "BND0";
            if (const Status s = check_floats(part.bounds.payload, 10, [&](std::uint64_t k) { return here().field(kFields[k]); });
                s != Status::Ok)
                return s;
        }
        if (has_gbtm) {
            child_name_ = "GBTM";
            if (const Status s = check_size(part.geometry_to_model, layout::gbtm::kSize); s != Status::Ok) return s;
            if (const Status s = check_matrix(part.geometry_to_model.payload, [&] { return here().field("meshBindGeoToModel"); });
                s != Status::Ok)
                return s;
        }
        child_name_ = nullptr;
        return Status::Ok;
    }

    Status walk_children(const Chunk& c, MeshPart& part) noexcept {
        std::uint64_t at = c.payload + layout::msh0::kHeaderSize;
        for (std::uint64_t ordinal = 0;; ++ordinal) {
            Chunk child;
            bool found = false;
            if (const Status s = read_chunk(at, c.end, ordinal, child, found); s != Status::Ok) return s;
            if (!found) break;
            Status s = Status::Ok;
            switch (child.fourcc) {
                case layout::kVb0:
                    s = keep_single(child, ordinal, part.vertices);
                    break;
                case layout::kIb0:
                    s = keep_single(child, ordinal, part.indices);
                    break;
                case layout::kSub0:
                    s = keep_single(child, ordinal, part.submeshes);
                    break;
                case layout::kIbnd:
                    s = keep_single(child, ordinal, part.inverse_binds);
                    break;
                case layout::kBnd0:
                    s = keep_single(child, ordinal, part.bounds);
                    break;
                case layout::kGbtm:
                    s = keep_single(child, ordinal, part.geometry_to_model);
                    break;
                default:
                    if (layout::is_top_level(child.fourcc))
                        s = fail(Status::MisplacedChunk, child.offset, here().field("chunk").at(ordinal),
                                 fourcc_values(child.fourcc, 0));
                    break;
            }
            if (s != Status::Ok) return s;
            if (s = check_extent(child, c.end, ordinal); s != Status::Ok) return s;
            if (layout::is_mesh_child(child.fourcc)) {
                if (s = check_version(child, ordinal); s != Status::Ok) return s;
            }
            at = layout::align16(child.end);
        }
        struct Required {
            const Chunk& chunk;
            std::uint32_t fourcc;
        };
        const Required required[] = {{part.vertices, layout::kVb0},
                                     {part.indices, layout::kIb0},
                                     {part.submeshes, layout::kSub0},
                                     {part.inverse_binds, layout::kIbnd}};
        for (const Required& r : required)
            if (r.chunk.offset == 0) return fail(Status::MissingChunk, c.offset, here(), fourcc_values(0, r.fourcc));
        return Status::Ok;
    }

    // A count that a child repeats.
    Status check_repeated_count(std::uint64_t offset, const char* field, std::uint32_t wanted, LimitId limit,
                                std::uint64_t most) noexcept {
        const std::uint32_t found = u32(offset);
        if (found > most) return over_limit(limit, offset, here().field(field), found, most);
        return check_equal(Status::CountMismatch, offset, field, wanted);
    }

    Status check_vertices(const MeshPart& part) noexcept {
        namespace vb0 = layout::vb0;
        const Chunk& c = part.vertices;
        child_name_ = "VB0";
        if (const Status s = check_least_size(c, vb0::kHeaderSize); s != Status::Ok) return s;
        if (const Status s = check_repeated_count(c.payload + vb0::kVertexCount, "vertexCount", part.vertex_count,
                                                  LimitId::Vertices, limits_.max_vertices);
            s != Status::Ok)
            return s;
        if (const Status s = check_equal(Status::BadStride, c.payload + vb0::kStride, "stride", vf01::kSize); s != Status::Ok)
            return s;
        if (const Status s =
                check_equal(Status::BadVertexFormat, c.payload + vb0::kVertexFormat, "vertexFormat", layout::msh0::kVf01);
            s != Status::Ok)
            return s;
        if (const Status s = check_size(c, vb0::kHeaderSize + std::uint64_t{part.vertex_count} * vf01::kSize); s != Status::Ok)
            return s;

        constexpr std::uint32_t kBatch = 2048;
        const std::uint64_t first = c.payload + vb0::kHeaderSize;
        for (std::uint32_t done = 0; done < part.vertex_count;) {
            const std::uint32_t count = std::min(kBatch, part.vertex_count - done);
            if (!vertices_certainly_fine(file_ + first + std::uint64_t{done} * vf01::kSize, count, part.bone_count)) {
                for (std::uint32_t i = done; i < done + count; ++i)
                    if (const Status s = check_vertex(first + std::uint64_t{i} * vf01::kSize, i, part.bone_count);
                        s != Status::Ok)
                        return s;
            }
            done += count;
        }
        return Status::Ok;
    }

    Status check_vertex(std::uint64_t at, std::uint32_t index, std::uint32_t bone_count) noexcept {
        constexpr const char* kFields[vf01::kFloatsBeforeBones] = {"position[0]", "position[1]", "position[2]", "normal[0]",
                                                                   "normal[1]",   "normal[2]",   "tangent[0]",  "tangent[1]",
                                                                   "tangent[2]",  "tangent[3]",  "uv0[0]",      "uv0[1]"};
        const auto vertex = [&] { return here().field("vertex").at(index); };
        if (const Status s =
                check_floats(at, vf01::kFloatsBeforeBones, [&](std::uint64_t k) { return vertex().field(kFields[k]); });
            s != Status::Ok)
            return s;
        const std::uint64_t weights = at + vf01::kBoneWeight;
        if (const Status s =
                check_floats(weights, vf01::kInfluences, [&](std::uint64_t k) { return vertex().field("boneWeight").at(k); });
            s != Status::Ok)
            return s;
        if (bone_count == 0) return Status::Ok;
        double sum = 0.0;
        for (std::uint32_t k = 0; k < vf01::kInfluences; ++k) {
            const std::uint64_t bone_at = at + vf01::kBoneIndex + 2 * k;
            const auto bone = load_le<std::uint16_t>(file_ + bone_at);
            if (bone >= bone_count)
                return fail(Status::BadBoneIndex, bone_at, vertex().field("boneIndex").at(k),
                            unsigned_values(bone, bone_count - 1));
            const double weight = static_cast<double>(f32(weights + 4 * k));
            if (weight < 0.0)
                return fail(Status::NegativeWeight, weights + 4 * k, vertex().field("boneWeight").at(k),
                            float_values(weight, 0.0));
            sum += weight;
        }
        if (std::fabs(sum - 1.0) > layout::tolerance::kWeightSum)
            return fail(Status::BadWeightSum, weights, vertex().field("boneWeight"), float_values(sum, 1.0));
        return Status::Ok;
    }

    Status check_indices(const MeshPart& part) noexcept {
        namespace ib0 = layout::ib0;
        const Chunk& c = part.indices;
        child_name_ = "IB0";
        if (const Status s = check_least_size(c, ib0::kHeaderSize); s != Status::Ok) return s;
        if (const Status s = check_repeated_count(c.payload + ib0::kIndexCount, "indexCount", part.index_count, LimitId::Indices,
                                                  limits_.max_indices);
            s != Status::Ok)
            return s;
        const std::uint32_t size = u32(c.payload + ib0::kIndexSize);
        if (size != 4 && size != 2)
            return fail(Status::BadIndexSize, c.payload + ib0::kIndexSize, here().field("indexSizeBytes"),
                        unsigned_values(size, ib0::kWrittenIndexSize));
        if ((size == 2) != ((part.flags & layout::msh0::kIndices16Bit) != 0)) {
            child_name_ = nullptr;
            return fail(Status::FlagMismatch, part.flags_at, here().field("flags"),
                        unsigned_values(part.flags, part.flags ^ layout::msh0::kIndices16Bit));
        }
        if (const Status s = check_size(c, ib0::kHeaderSize + std::uint64_t{part.index_count} * size); s != Status::Ok) return s;

        const std::uint64_t first = c.payload + ib0::kHeaderSize;
        const bool fine = size == 4 ? indices32_certainly_fine(file_ + first, part.index_count, part.vertex_count)
                                    : indices16_certainly_fine(file_ + first, part.index_count, part.vertex_count);
        if (fine) return Status::Ok;
        for (std::uint32_t i = 0; i < part.index_count; ++i) {
            const std::uint64_t at = first + std::uint64_t{i} * size;
            const std::uint32_t index = size == 4 ? u32(at) : load_le<std::uint16_t>(file_ + at);
            if (index >= part.vertex_count)
                return fail(Status::BadIndex, at, here().field("index").at(i), unsigned_values(index, part.vertex_count - 1));
        }
        return Status::Ok;
    }

    Status check_submeshes(const MeshPart& part) noexcept {
        namespace sub0 = layout::sub0;
        const Chunk& c = part.submeshes;
        child_name_ = "SUB0";
        if (const Status s = check_least_size(c, sub0::kSubmeshes); s != Status::Ok) return s;
        const std::uint32_t count = u32(c.payload);
        if (const Status s = count_up(view_.submesh_total_, count, limits_.max_submeshes, LimitId::Submeshes, c.payload, "count");
            s != Status::Ok)
            return s;
        if (const Status s = check_size(c, sub0::kSubmeshes + std::uint64_t{count} * sub0::kSubmeshSize); s != Status::Ok)
            return s;
        std::uint32_t covered = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t at = c.payload + sub0::kSubmeshes + std::uint64_t{i} * sub0::kSubmeshSize;
            const auto place = [&](const char* field) { return here().field("submesh").at(i).field(field); };
            const std::int32_t material = i32(at + sub0::kMaterialIndex);
            if (material < 0 || static_cast<std::uint32_t>(material) >= view_.material_count_)
                return fail(Status::BadMaterialIndex, at + sub0::kMaterialIndex, place("materialIndex"),
                            signed_values(material, static_cast<std::int64_t>(view_.material_count_) - 1));
            const std::uint32_t start = u32(at + sub0::kIndexStart);
            if (start != covered)
                return fail(Status::BadSubmesh, at + sub0::kIndexStart, place("indexStart"), unsigned_values(start, covered));
            const std::uint32_t size = u32(at + sub0::kIndexCount);
            if (size == 0 || size % 3 != 0 || size > part.index_count - covered)
                return fail(Status::BadSubmesh, at + sub0::kIndexCount, place("indexCount"),
                            unsigned_values(size, part.index_count - covered));
            covered += size;
        }
        if (covered != part.index_count)
            return fail(Status::BadSubmesh, c.payload, here().field("count"), unsigned_values(covered, part.index_count));
        return Status::Ok;
    }

    Status check_inverse_binds(const MeshPart& part) noexcept {
        namespace ibnd = layout::ibnd;
        const Chunk& c = part.inverse_binds;
        child_name_ = "IBND";
        if (const Status s = check_least_size(c, ibnd::kMatrices); s != Status::Ok) return s;
        if (const Status s = check_repeated_count(c.payload, "boneCount", part.bone_count, LimitId::Bones, limits_.max_bones);
            s != Status::Ok)
            return s;
        if (const Status s = check_size(c, ibnd::kMatrices + std::uint64_t{part.bone_count} * layout::kMatrixSize);
            s != Status::Ok)
            return s;
        for (std::uint32_t i = 0; i < part.bone_count; ++i) {
            const std::uint64_t at = c.payload + ibnd::kMatrices + std::uint64_t{i} * layout::kMatrixSize;
            if (const Status s = check_matrix(at, [&] { return here().field("inverseBind").at(i); }); s != Status::Ok) return s;
        }
        return Status::Ok;
    }

    // ---- ANIM, CLP0 --------------------------------------------------------------------------------------------------------

    Status check_clips() noexcept {
        if (animations_.offset == 0) return Status::Ok;
        enter("ANIM");
        if (const Status s = check_size(animations_, layout::anim::kSize); s != Status::Ok) return s;
        if (const Status s =
                check_repeated_count(animations_.payload, "clipCount", view_.clips_.count, LimitId::Clips, limits_.max_clips);
            s != Status::Ok)
            return s;
        bool is_sorted = true;
        std::string_view last;
        std::uint64_t at = view_.clips_.offsets[0];
        for (std::uint32_t i = 0; i < view_.clips_.count; ++i) {
            at = view_.next_of(layout::kClp0, at);
            enter("CLP0", i);
            Chunk c;
            c.fourcc = layout::kClp0;
            c.size = u32(at + chunk::kPayloadSize);
            c.offset = at;
            c.payload = at + chunk::kHeaderSize;
            c.end = c.payload + c.size;
            if (const Status s = check_clip(c); s != Status::Ok) return s;
            const std::string_view name = view_.string(u32(c.payload + clp0::kNameId));
            is_sorted &= last < name;
            last = name;
            at = layout::align16(c.end);
        }
        return is_sorted ? Status::Ok : check_clip_names();
    }

    struct ClipName {
        std::uint32_t string_id;
        std::uint32_t clip_index;
    };

    // Names in any order: a sorted batch of them at a time, which all later ones are looked up in.
    Status check_clip_names() noexcept {
        constexpr std::uint32_t kBatch = 1024;
        ClipName batch[kBatch];
        const auto less = [&](const ClipName& a, const ClipName& b) {
            const int order = view_.string(a.string_id).compare(view_.string(b.string_id));
            return order != 0 ? order < 0 : a.clip_index < b.clip_index;
        };
        const auto duplicate = [&](std::uint32_t clip_index) {
            enter("CLP0", clip_index);
            return fail(Status::DuplicateClipName, view_.clip(clip_index).byte_offset() + chunk::kHeaderSize + clp0::kNameId,
                        here().field("nameId"));
        };
        for (std::uint32_t base = 0; base < view_.clips_.count; base += kBatch) {
            const std::uint32_t count = std::min(kBatch, view_.clips_.count - base);
            std::uint64_t at = view_.find(view_.clips_, layout::kClp0, base);
            for (std::uint32_t i = 0; i < count; ++i) {
                at = view_.next_of(layout::kClp0, at);
                batch[i] = {u32(at + chunk::kHeaderSize + clp0::kNameId), base + i};
                at = layout::align16(at + chunk::kHeaderSize + u32(at + chunk::kPayloadSize));
            }
            std::sort(batch, batch + count, less);
            for (std::uint32_t i = 1; i < count; ++i) {
                if (view_.string(batch[i - 1].string_id) == view_.string(batch[i].string_id))
                    return duplicate(batch[i].clip_index);
            }
            for (std::uint32_t i = base + count; i < view_.clips_.count; ++i) {
                at = view_.next_of(layout::kClp0, at);
                const ClipName wanted{u32(at + chunk::kHeaderSize + clp0::kNameId), 0};
                const ClipName* place = std::lower_bound(batch, batch + count, wanted, less);
                if (place != batch + count && view_.string(place->string_id) == view_.string(wanted.string_id))
                    return duplicate(i);
                at = layout::align16(at + chunk::kHeaderSize + u32(at + chunk::kPayloadSize));
            }
        }
        return Status::Ok;
    }

    Status check_clip(const Chunk& c) noexcept {
        if (const Status s = check_least_size(c, clp0::kHeaderSize); s != Status::Ok) return s;
        const std::uint32_t track_count = u32(c.payload + clp0::kTrackCount);
        if (track_count > limits_.max_tracks_per_clip)
            return over_limit(LimitId::TracksPerClip, c.payload + clp0::kTrackCount, here().field("trackCount"), track_count,
                              limits_.max_tracks_per_clip);
        if (const Status s = check_id(u32(c.payload + clp0::kNameId), c.payload + clp0::kNameId, true, "nameId"); s != Status::Ok)
            return s;
        const float duration = f32(c.payload + clp0::kDuration);
        if (const Status s =
                check_floats(c.payload + clp0::kDuration, 1, [&](std::uint64_t) { return here().field("duration"); });
            s != Status::Ok)
            return s;
        if (duration < 0.0F)
            return fail(Status::BadDuration, c.payload + clp0::kDuration, here().field("duration"),
                        float_values(static_cast<double>(duration), 0.0));
        const std::int32_t root = i32(c.payload + clp0::kRootBoneIndex);
        if (root < layout::kNoRootBone || (root >= 0 && static_cast<std::uint32_t>(root) >= view_.bone_count_))
            return fail(Status::BadBoneIndex, c.payload + clp0::kRootBoneIndex, here().field("rootBoneIndex"),
                        signed_values(root, static_cast<std::int64_t>(view_.bone_count_) - 1));
        if (const Status s = check_equal(Status::BadInterpMode, c.payload + clp0::kInterpMode, "interpMode", clp0::kLinearSlerp);
            s != Status::Ok)
            return s;

        std::uint64_t at = c.payload + clp0::kHeaderSize;
        std::uint64_t keys = 0;
        bool is_sorted = true;
        std::int64_t last_bone = -1;
        for (std::uint32_t i = 0; i < track_count; ++i) {
            if (c.end - at < clp0::kTrackHeaderSize) return too_small_for(c, i, at - c.payload + clp0::kTrackHeaderSize);
            const std::uint64_t translations = u32(at + clp0::kTrackTranslationCount);
            const std::uint64_t rotations = u32(at + clp0::kTrackRotationCount);
            const std::uint64_t scales = u32(at + clp0::kTrackScaleCount);
            keys += translations + rotations + scales;
            if (keys > limits_.max_keys_per_clip)
                return over_limit(LimitId::KeysPerClip, at + clp0::kTrackTranslationCount,
                                  here().field("track").at(i).field("keys"), keys, limits_.max_keys_per_clip);
            const std::uint64_t size =
                clp0::kTrackHeaderSize + (translations + scales) * clp0::kVectorKeySize + rotations * clp0::kRotationKeySize;
            if (size > c.end - at) return too_small_for(c, i, at - c.payload + size);
            const std::uint32_t bone = u32(at + clp0::kTrackBoneIndex);
            if (bone >= view_.bone_count_)
                return fail(Status::BadBoneIndex, at + clp0::kTrackBoneIndex, here().field("track").at(i).field("boneIndex"),
                            signed_values(bone, static_cast<std::int64_t>(view_.bone_count_) - 1));
            is_sorted &= last_bone < static_cast<std::int64_t>(bone);
            last_bone = bone;
            const std::uint64_t rotations_at = at + clp0::kTrackHeaderSize + translations * clp0::kVectorKeySize;
            const std::uint64_t scales_at = rotations_at + rotations * clp0::kRotationKeySize;
            if (const Status s = check_keys(at + clp0::kTrackHeaderSize, translations, 3, duration, i, "trKey"); s != Status::Ok)
                return s;
            if (const Status s = check_keys(rotations_at, rotations, 4, duration, i, "rotKey"); s != Status::Ok) return s;
            if (const Status s = check_keys(scales_at, scales, 3, duration, i, "scKey"); s != Status::Ok) return s;
            at += size;
        }
        if (const Status s = check_size(c, at - c.payload); s != Status::Ok) return s;
        return is_sorted ? Status::Ok : check_track_bones(c, track_count);
    }

    Status too_small_for(const Chunk& c, std::uint32_t track, std::uint64_t wanted) noexcept {
        return fail(Status::BadChunkSize, c.offset + chunk::kPayloadSize, here().field("track").at(track),
                    unsigned_values(c.size, wanted));
    }

    // Keys of one channel: `components` floats each behind the time.
    Status check_keys(std::uint64_t at, std::uint64_t count, std::uint64_t components, float duration, std::uint32_t track,
                      const char* channel) noexcept {
        const std::uint64_t stride = 4 + 4 * components;
        bool fine = floats_certainly_finite(file_ + at, static_cast<std::size_t>(count * (components + 1)));
        float last = -1.0F;
        for (std::uint64_t i = 0; i < count; ++i) {
            const float time = f32(at + i * stride);
            fine &= time > last;
            last = time;
        }
        if (count != 0) fine &= f32(at) >= 0.0F && last <= duration;
        if (components == 4) {
            for (std::uint64_t i = 0; i < count; ++i)
                fine &= quaternion_length(at + i * stride + clp0::kKeyValue) >= layout::tolerance::kQuaternionMinLength;
        }
        if (fine) return Status::Ok;

        const auto key = [&](std::uint64_t i) { return here().field("track").at(track).field(channel).at(i); };
        last = -1.0F;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t key_at = at + i * stride;
            if (const Status s = check_floats(key_at, 1, [&](std::uint64_t) { return key(i).field("time"); }); s != Status::Ok)
                return s;
            const float time = f32(key_at);
            if (time < 0.0F || time > duration) {
                return fail(Status::BadKeyTime, key_at, key(i).field("time"),
                            float_values(static_cast<double>(time), time < 0.0F ? 0.0 : static_cast<double>(duration)));
            }
            if (i != 0 && !(time > last))
                return fail(Status::BadKeyTime, key_at, key(i).field("time"),
                            float_values(static_cast<double>(time), static_cast<double>(last)));
            last = time;
            if (const Status s = check_floats(key_at + clp0::kKeyValue, components,
                                              [&](std::uint64_t k) { return key(i).field("value").at(k); });
                s != Status::Ok)
                return s;
            if (components == 4) {
                const double length = quaternion_length(key_at + clp0::kKeyValue);
                if (length < layout::tolerance::kQuaternionMinLength)
                    return fail(Status::ZeroQuaternion, key_at + clp0::kKeyValue, key(i).field("value"),
                                float_values(length, layout::tolerance::kQuaternionMinLength));
            }
        }
        return Status::Ok;
    }

    [[nodiscard]] double quaternion_length(std::uint64_t at) const noexcept {
        return length(Quatd{static_cast<double>(f32(at)), static_cast<double>(f32(at + 4)), static_cast<double>(f32(at + 8)),
                            static_cast<double>(f32(at + 12))});
    }

    // Tracks in any order: the bones seen, in a bit set; several rounds where there are more bones than bits.
    Status check_track_bones(const Chunk& c, std::uint32_t track_count) noexcept {
        constexpr std::uint32_t kBits = 65'536;
        std::uint64_t seen[kBits / 64];
        for (std::uint64_t base = 0; base < view_.bone_count_; base += kBits) {
            std::memset(seen, 0, sizeof(seen));
            std::uint64_t at = c.payload + clp0::kHeaderSize;
            for (std::uint32_t i = 0; i < track_count; ++i) {
                const std::uint32_t bone = u32(at + clp0::kTrackBoneIndex);
                if (bone >= base && bone - base < kBits) {
                    const auto bit = static_cast<std::uint32_t>(bone - base);
                    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
                    if ((seen[bit / 64] & mask) != 0)
                        return fail(Status::DuplicateTrack, at + clp0::kTrackBoneIndex,
                                    here().field("track").at(i).field("boneIndex"), unsigned_values(bone, 0));
                    seen[bit / 64] |= mask;
                }
                at += clp0::kTrackHeaderSize +
                      (std::uint64_t{u32(at + clp0::kTrackTranslationCount)} + u32(at + clp0::kTrackScaleCount)) *
                          clp0::kVectorKeySize +
                      std::uint64_t{u32(at + clp0::kTrackRotationCount)} * clp0::kRotationKeySize;
            }
        }
        return Status::Ok;
    }

    const std::byte* file_;
    std::uint64_t size_;
    const Limits& limits_;
    ModelView& view_;
    ErrorInfo* info_;
    std::uint64_t walk_end_ = 0;
    Chunk strings_, materials_, skeleton_, animations_, table_;
    const char* chunk_name_ = nullptr;
    const char* child_name_ = nullptr;
    std::uint32_t chunk_index_ = 0;
    bool chunk_is_indexed_ = false;
};

}  // namespace detail

Status verify(std::span<const std::byte> file, const Limits& limits, ModelView& out, ErrorInfo* info) noexcept {
    out = ModelView{};
    if (info != nullptr) *info = ErrorInfo{};
    const Status status = detail::Verifier(file, limits, out, info).run();
    if (status != Status::Ok) out = ModelView{};
    return status;
}

}  // namespace gomkit::runtime
