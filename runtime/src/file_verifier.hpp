#pragma once
// Private. What verify() does alike for models and motions: the header, the walk over chunks, strings and clips.

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include "cast.hpp"
#include "gomkit/runtime/file_view.hpp"
#include "gomkit/runtime/limits.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime::detail {

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
inline Values unsigned_values(std::uint64_t found, std::uint64_t expected) noexcept {
    return {ValueKind::Unsigned, found, expected};
}
inline Values signed_values(std::int64_t found, std::int64_t expected) noexcept {
    return {ValueKind::Signed, static_cast<std::uint64_t>(found), static_cast<std::uint64_t>(expected)};
}
inline Values float_values(double found, double expected) noexcept {
    return {ValueKind::Float, std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected)};
}
inline Values fourcc_values(std::uint32_t found, std::uint32_t expected) noexcept { return {ValueKind::Fourcc, found, expected}; }

// A chunk as its header describes it; the payload's end is not yet checked.
struct Chunk {
    std::uint32_t fourcc = 0;
    std::uint32_t size = 0;
    std::uint64_t offset = 0;   // of the header
    std::uint64_t payload = 0;  // file offsets
    std::uint64_t end = 0;      // of the payload
};

// The magic a file must have, and what is said of the other members of the family in its place.
struct Magic {
    std::array<char, 8> wanted;
    Status model;       // GOMB0001
    Status motion;      // MTAB0001
    Status model_text;  // GOMT0001
};

class FileVerifier {
protected:
    FileVerifier(std::span<const std::byte> file, const Limits& limits, FileView& view, ErrorInfo* info) noexcept
        : file_(file.data()), size_(file.size()), limits_(limits), info_(info), view_(view) {
        view_.file_ = file;
    }

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
        if (child_name_ != nullptr && child_is_indexed_) part.at(child_index_);
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
    // One of several children of a kind, until leave_child().
    void enter_child(const char* name, std::uint32_t index) noexcept {
        child_name_ = name;
        child_is_indexed_ = true;
        child_index_ = index;
    }
    void leave_child() noexcept {
        child_name_ = nullptr;
        child_is_indexed_ = false;
    }

    Status check_size(const Chunk& c, std::uint64_t wanted) noexcept {
        if (c.size == wanted) return Status::Ok;
        return fail(Status::BadChunkSize, c.offset + layout::chunk::kPayloadSize, here().field("size"),
                    unsigned_values(c.size, wanted));
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

    // A count that a child repeats.
    Status check_repeated_count(std::uint64_t offset, const char* field, std::uint32_t wanted, LimitId limit,
                                std::uint64_t most) noexcept {
        const std::uint32_t found = u32(offset);
        if (found > most) return over_limit(limit, offset, here().field(field), found, most);
        return check_equal(Status::CountMismatch, offset, field, wanted);
    }

    // ---- header (gom.md 2), chunks (gom.md 3) ------------------------------------------------------------------------------

    Status check_header(const Magic& magic) noexcept;

    [[nodiscard]] Chunk chunk_at(std::uint64_t offset) const noexcept {
        Chunk out;
        out.fourcc = u32(offset + layout::chunk::kFourcc);
        out.size = u32(offset + layout::chunk::kPayloadSize);
        out.offset = offset;
        out.payload = offset + layout::chunk::kHeaderSize;
        out.end = out.payload + out.size;
        return out;
    }
    // The chunk at `at` in a container that ends at `end`, or found = false at its end. Of the chunk only the fourcc is checked.
    Status read_chunk(std::uint64_t at, std::uint64_t end, std::uint64_t ordinal, Chunk& out, bool& found) noexcept;
    Status check_extent(const Chunk& c, std::uint64_t end, std::uint64_t ordinal) noexcept;
    Status check_version(const Chunk& c, std::uint64_t ordinal) noexcept;
    // A chunk that may occur once.
    Status keep_single(const Chunk& c, std::uint64_t ordinal, Chunk& slot) noexcept;
    Status misplaced(const Chunk& c, std::uint64_t ordinal) noexcept {
        return fail(Status::MisplacedChunk, c.offset, here().field("chunk").at(ordinal), fourcc_values(c.fourcc, 0));
    }
    // One more chunk of a kind that may repeat.
    Status count_chunk(ChunkIndex& kind, std::uint64_t offset, const char* name, LimitId limit, std::uint64_t most) noexcept;

    // All top-level chunks. Those that only one kind of file may have, and unknown ones, go to on_other(chunk, ordinal), which
    // gives a Status.
    template <class OnOther>
    Status walk(const OnOther& on_other) noexcept {
        enter("file");
        std::uint64_t at = layout::header::kSize;
        std::uint32_t before = 0;
        for (std::uint64_t ordinal = 0;; ++ordinal) {
            Chunk c;
            bool found = false;
            if (const Status s = read_chunk(at, view_.chunks_end_, ordinal, c, found); s != Status::Ok) return s;
            if (!found) break;
            Status s = Status::Ok;
            switch (c.fourcc) {
                case layout::kClp0:
                    s = count_chunk(view_.clips_, at, "CLP0", LimitId::Clips, limits_.max_clips);
                    break;
                case layout::kStr0:
                    s = keep_single(c, ordinal, strings_);
                    break;
                case layout::kAnim:
                    s = keep_single(c, ordinal, animations_);
                    break;
                case layout::kCtbl:
                    s = keep_single(c, ordinal, table_);
                    break;
                default:
                    s = on_other(c, ordinal);
                    if (s == Status::Ok && c.fourcc == layout::kMrpa && before != layout::kClp0)
                        s = fail(Status::MorphWithoutClip, c.offset, here().field("chunk").at(ordinal),
                                 fourcc_values(before, layout::kClp0));
                    break;
            }
            if (s != Status::Ok) return s;
            before = c.fourcc;
            if (s = check_extent(c, view_.chunks_end_, ordinal); s != Status::Ok) return s;
            if (layout::is_top_level(c.fourcc)) {
                if (s = check_version(c, ordinal); s != Status::Ok) return s;
            }
            at = layout::align16(c.end);
        }
        return Status::Ok;
    }
    // After the walk: all chunks of a kind in the order of the file, each entered and given to check(chunk), which gives a Status.
    template <class Check>
    Status check_each(const ChunkIndex& kind, std::uint32_t fourcc, const char* name, const Check& check) noexcept {
        std::uint64_t at = kind.offsets[0];
        for (std::uint32_t i = 0; i < kind.count; ++i) {
            const Chunk c = chunk_at(next_chunk(file_, fourcc, at));
            enter(name, i);
            if (const Status s = check(c); s != Status::Ok) return s;
            at = layout::align16(c.end);
        }
        return Status::Ok;
    }
    // After the walk.
    Status require(const Chunk& c, std::uint32_t fourcc) noexcept {
        return c.offset != 0 ? Status::Ok : fail(Status::MissingChunk, view_.chunks_end_, here(), fourcc_values(0, fourcc));
    }

    // ---- STR0, the header's string id, ANIM and CLP0 -----------------------------------------------------------------------

    Status check_strings() noexcept;
    Status check_converter_version() noexcept;
    // bone_count, morph_channel_count: what the clips' indices must be below.
    Status check_clips(std::uint64_t bone_count, std::uint32_t morph_channel_count) noexcept;

    const std::byte* file_;
    std::uint64_t size_;
    const Limits& limits_;
    ErrorInfo* info_;
    Chunk strings_, animations_, table_;
    const char* chunk_name_ = nullptr;
    const char* child_name_ = nullptr;
    std::uint32_t chunk_index_ = 0;
    bool chunk_is_indexed_ = false;
    std::uint32_t child_index_ = 0;
    bool child_is_indexed_ = false;

private:
    struct StringScan;
    Status check_unsorted_strings(StringScan& scan, std::uint64_t offsets, std::uint32_t count) noexcept;
    Status visit_string(StringScan& scan, std::size_t offset, std::uint32_t id) noexcept;
    Status check_clip_names() noexcept;
    Status check_clip(const Chunk& c) noexcept;
    Status too_small_for(const Chunk& c, std::uint32_t track, std::uint64_t wanted) noexcept;
    Status check_keys(std::uint64_t at, std::uint64_t count, std::uint64_t components, float duration, std::uint32_t track,
                      const char* channel) noexcept;
    [[nodiscard]] double quaternion_length(std::uint64_t at) const noexcept;
    Status check_morph_weights(const Chunk& c, float duration) noexcept;
    Status check_track_bones(const Chunk& c, std::uint32_t track_count, std::uint32_t most_bone) noexcept;

    FileView& view_;
    std::uint64_t bone_count_ = 0;  // what a clip's bone indices must be below
    std::uint32_t morph_channel_count_ = 0;
};

// What every verify() does: `out` and *info (when not null) are as new, then what the Verifier makes of them; `out` only on Ok.
template <class Verifier, class View>
Status verify_with(std::span<const std::byte> file, const Limits& limits, View& out, ErrorInfo* info) noexcept {
    out = View{};
    if (info != nullptr) *info = ErrorInfo{};
    const Status status = Verifier(file, limits, out, info).run();
    if (status != Status::Ok) out = View{};
    return status;
}

}  // namespace gomkit::runtime::detail
