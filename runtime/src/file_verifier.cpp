#include "file_verifier.hpp"

#include <algorithm>

#include "clip_names.hpp"
#include "scan.hpp"

namespace gomkit::runtime::detail {
namespace {

namespace header = layout::header;
namespace chunk = layout::chunk;
namespace clp0 = layout::clp0;

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

}  // namespace

// header (gom.md 2)

Status FileVerifier::check_header(const Magic& magic) noexcept {
    if (reinterpret_cast<std::uintptr_t>(file_) % layout::kAlignment != 0) {
        return fail(Status::Misaligned, 0, Part().name("memory"),
                    unsigned_values(reinterpret_cast<std::uintptr_t>(file_) % layout::kAlignment, 0));
    }
    const std::uint64_t most = std::min(limits_.max_file_bytes, layout::kMaxFileBytes);
    if (size_ > most) return over_limit(LimitId::FileBytes, 0, Part().name("file"), size_, most);
    enter("header");
    if (size_ >= header::kMagicSize) {
        const auto is = [&](const std::array<char, 8>& m) { return std::memcmp(file_, m.data(), m.size()) == 0; };
        const auto bad = [&](Status status) {
            const char* wanted = magic.wanted.data();
            return fail(status, header::kMagic, here().field("magic"),
                        fourcc_values(u32(header::kMagic), layout::fourcc(wanted[0], wanted[1], wanted[2], wanted[3])));
        };
        if (!is(magic.wanted)) {
            if (is(header::kModelMagic)) return bad(magic.model);
            if (is(header::kMotionMagic)) return bad(magic.motion);
            if (is(header::kTextMagic)) return bad(magic.model_text);
            return bad(is(header::kMotionTextMagic) ? Status::IsMotionText : Status::BadMagic);
        }
    }
    if (size_ < header::kSize) return fail(Status::TooShort, 0, Part().name("file"), unsigned_values(size_, header::kSize));

    if (const Status s = check_equal(Status::BadHeader, header::kHeaderSize, "headerSize", header::kSize); s != Status::Ok)
        return s;
    if (const Status s = check_equal(Status::BadVersion, header::kFormatVersion, "formatVersion", header::kFormatVersion1);
        s != Status::Ok)
        return s;
    if (const Status s =
            check_equal(Status::BadCoordinateSystem, header::kCoordinateSystem, "coordinateSystem", header::kLeftHandedYUpMetres);
        s != Status::Ok)
        return s;
    if (const Status s =
            check_equal(Status::BadMatrixConvention, header::kMatrixConvention, "matrixConvention", header::kRowMajorRowVector);
        s != Status::Ok)
        return s;

    // CTBL's place. Its entries are not used here, so they are the checker's business.
    view_.chunks_end_ = size_;
    const auto table = load_le<std::uint64_t>(file_ + header::kChunkTableOffset);
    const std::uint32_t count = u32(header::kChunkTableCount);
    if (table == 0) {
        if (count == 0) return Status::Ok;
        return fail(Status::BadChunkTable, header::kChunkTableCount, here().field("chunkTableCount"), unsigned_values(count, 0));
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
    if (u32(table - chunk::kHeaderSize) != layout::kCtbl) view_.chunks_end_ = table;
    return Status::Ok;
}

// The chunk at `at` in a container that ends at `end`, or found = false at its end. Of the chunk only the fourcc is checked.
Status FileVerifier::read_chunk(std::uint64_t at, std::uint64_t end, std::uint64_t ordinal, Chunk& out, bool& found) noexcept {
    found = false;
    if (at >= end) return Status::Ok;
    if (end - at < chunk::kHeaderSize) {
        for (; at < end; ++at) {
            const auto value = static_cast<std::uint32_t>(file_[at]);
            if (value != 0) return fail(Status::TrailingBytes, at, here().field("end"), unsigned_values(value, 0));
        }
        return Status::Ok;
    }
    out = chunk_at(at);
    if (!layout::is_legal_fourcc(out.fourcc))
        return fail(Status::BadFourcc, at, here().field("chunk").at(ordinal), fourcc_values(out.fourcc, 0));
    found = true;
    return Status::Ok;
}

Status FileVerifier::check_extent(const Chunk& c, std::uint64_t end, std::uint64_t ordinal) noexcept {
    if (c.end <= end) return Status::Ok;
    return fail(Status::BadChunk, c.offset + chunk::kPayloadSize, here().field("chunk").at(ordinal).field("size"),
                unsigned_values(c.size, end - c.payload));
}

Status FileVerifier::check_version(const Chunk& c, std::uint64_t ordinal) noexcept {
    const std::uint32_t version = u32(c.offset + chunk::kVersion);
    if (version == chunk::kVersion1) return Status::Ok;
    return fail(Status::BadChunkVersion, c.offset + chunk::kVersion, here().field("chunk").at(ordinal).field("version"),
                unsigned_values(version, chunk::kVersion1));
}

// A chunk that may occur once.
Status FileVerifier::keep_single(const Chunk& c, std::uint64_t ordinal, Chunk& slot) noexcept {
    if (slot.offset != 0)
        return fail(Status::DuplicateChunk, c.offset, here().field("chunk").at(ordinal), fourcc_values(c.fourcc, 0));
    slot = c;
    return Status::Ok;
}

Status FileVerifier::count_chunk(ChunkIndex& kind, std::uint64_t offset, const char* name, LimitId limit,
                                 std::uint64_t most) noexcept {
    if (kind.count >= most)
        return over_limit(limit, offset, Part().name(name).at(kind.count), kind.count + std::uint64_t{1}, most);
    if ((kind.count & ((1U << kind.stride_log2) - 1U)) == 0) {
        if (kind.count >> kind.stride_log2 == ChunkIndex::kSlots) {
            for (std::uint32_t i = 0; i < ChunkIndex::kSlots / 2; ++i) kind.offsets[i] = kind.offsets[2 * i];
            ++kind.stride_log2;
        }
        kind.offsets[kind.count >> kind.stride_log2] = static_cast<std::uint32_t>(offset);
    }
    ++kind.count;
    return Status::Ok;
}

// STR0

// Strings in the order of their offsets, so that shared bytes are read once.
struct FileVerifier::StringScan {
    const unsigned char* data = nullptr;
    std::size_t size = 0;
    std::size_t run_end = 0;  // the NUL of the run read last; bytes from its first offset up to here are good
    bool has_run = false;
    std::size_t last_offset = 0;
    std::uint64_t total = 0;  // bytes of the strings at different offsets, NULs included
};

Status FileVerifier::check_strings() noexcept {
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
        return over_limit(LimitId::StringBytes, c.payload + data_at, here().field("data"), data_size, limits_.max_string_bytes);

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
        return over_limit(LimitId::StringBytes, c.payload + data_at, here().field("data"), scan.total, limits_.max_string_bytes);
    view_.strings_packed_ = is_packed && scan.has_run && scan.run_end + 1 == scan.size;
    view_.string_count_ = count;
    return Status::Ok;
}

// Offsets in any order: window by window of the data they are marked in a bit set, then visited in ascending order. Linear, where
// following each offset could read 64 MiB a million times.
Status FileVerifier::check_unsorted_strings(StringScan& scan, std::uint64_t offsets, std::uint32_t count) noexcept {
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

Status FileVerifier::visit_string(StringScan& scan, std::size_t offset, std::uint32_t id) noexcept {
    const auto complain = [&](Status status, std::size_t position) {
        return fail(status, strings_.end - scan.size + position, here().field("string").at(id),
                    unsigned_values(position < scan.size ? scan.data[position] : 0, 0));
    };
    const unsigned char* s = scan.data + offset;
    if (scan.size - offset >= 3 && s[0] == 0xEF && s[1] == 0xBB && s[2] == 0xBF) return complain(Status::ByteOrderMark, offset);
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

Status FileVerifier::check_converter_version() noexcept {
    enter("header");
    return check_id(u32(header::kConverterVersionId), header::kConverterVersionId, false, "converterVersionStrId");
}

// ANIM, CLP0

Status FileVerifier::check_clips(std::uint64_t bone_count, std::uint32_t morph_channel_count) noexcept {
    bone_count_ = bone_count;
    morph_channel_count_ = morph_channel_count;
    if (animations_.offset == 0) return Status::Ok;
    enter("ANIM");
    if (const Status s = check_size(animations_, layout::anim::kSize); s != Status::Ok) return s;
    if (const Status s =
            check_repeated_count(animations_.payload, "clipCount", view_.clips_.count, LimitId::Clips, limits_.max_clips);
        s != Status::Ok)
        return s;
    bool is_sorted = true;
    std::string_view last;
    const Status checked = check_each(view_.clips_, layout::kClp0, "CLP0", [&](const Chunk& c) {
        if (const Status s = check_clip(c); s != Status::Ok) return s;
        if (const std::uint64_t weights = weights_behind(file_, view_.chunks_end_, c.offset); weights != 0) {
            child_name_ = "MRPA";
            if (const Status s = check_morph_weights(chunk_at(weights), f32(c.payload + clp0::kDuration)); s != Status::Ok) return s;
            child_name_ = nullptr;
        }
        const std::string_view name = view_.string(u32(c.payload + clp0::kNameId));
        is_sorted &= last < name;
        last = name;
        return Status::Ok;
    });
    return checked != Status::Ok || is_sorted ? checked : check_clip_names();
}

Status FileVerifier::check_clip_names() noexcept {
    ClipPlace earlier, later;
    if (!find_equal_clip_names(
            1, [&](std::uint32_t) -> const FileView& { return view_; }, earlier, later))
        return Status::Ok;
    enter("CLP0", later.clip);
    return fail(Status::DuplicateClipName, view_.clip(later.clip).byte_offset() + chunk::kHeaderSize + clp0::kNameId,
                here().field("nameId"));
}

Status FileVerifier::check_clip(const Chunk& c) noexcept {
    if (const Status s = check_least_size(c, clp0::kHeaderSize); s != Status::Ok) return s;
    const std::uint32_t track_count = u32(c.payload + clp0::kTrackCount);
    if (track_count > limits_.max_tracks_per_clip)
        return over_limit(LimitId::TracksPerClip, c.payload + clp0::kTrackCount, here().field("trackCount"), track_count,
                          limits_.max_tracks_per_clip);
    if (const Status s = check_id(u32(c.payload + clp0::kNameId), c.payload + clp0::kNameId, true, "nameId"); s != Status::Ok)
        return s;
    const float duration = f32(c.payload + clp0::kDuration);
    if (const Status s = check_floats(c.payload + clp0::kDuration, 1, [&](std::uint64_t) { return here().field("duration"); });
        s != Status::Ok)
        return s;
    if (duration < 0.0F)
        return fail(Status::BadDuration, c.payload + clp0::kDuration, here().field("duration"),
                    float_values(static_cast<double>(duration), 0.0));
    const std::int32_t root = i32(c.payload + clp0::kRootBoneIndex);
    if (root < layout::kNoRootBone || (root >= 0 && static_cast<std::uint32_t>(root) >= bone_count_))
        return fail(Status::BadBoneIndex, c.payload + clp0::kRootBoneIndex, here().field("rootBoneIndex"),
                    signed_values(root, static_cast<std::int64_t>(bone_count_) - 1));
    if (const Status s = check_equal(Status::BadInterpMode, c.payload + clp0::kInterpMode, "interpMode", clp0::kLinearSlerp);
        s != Status::Ok)
        return s;

    std::uint64_t at = c.payload + clp0::kHeaderSize;
    std::uint64_t keys = 0;
    bool is_sorted = true;
    std::int64_t last_bone = -1;
    std::uint32_t most_bone = 0;
    for (std::uint32_t i = 0; i < track_count; ++i) {
        if (c.end - at < clp0::kTrackHeaderSize) return too_small_for(c, i, at - c.payload + clp0::kTrackHeaderSize);
        const std::uint64_t translations = u32(at + clp0::kTrackTranslationCount);
        const std::uint64_t rotations = u32(at + clp0::kTrackRotationCount);
        const std::uint64_t scales = u32(at + clp0::kTrackScaleCount);
        keys += translations + rotations + scales;
        if (keys > limits_.max_keys_per_clip)
            return over_limit(LimitId::KeysPerClip, at + clp0::kTrackTranslationCount, here().field("track").at(i).field("keys"),
                              keys, limits_.max_keys_per_clip);
        const std::uint64_t size =
            clp0::kTrackHeaderSize + (translations + scales) * clp0::kVectorKeySize + rotations * clp0::kRotationKeySize;
        if (size > c.end - at) return too_small_for(c, i, at - c.payload + size);
        const std::uint32_t bone = u32(at + clp0::kTrackBoneIndex);
        if (bone >= bone_count_)
            return fail(Status::BadBoneIndex, at + clp0::kTrackBoneIndex, here().field("track").at(i).field("boneIndex"),
                        signed_values(bone, static_cast<std::int64_t>(bone_count_) - 1));
        is_sorted &= last_bone < static_cast<std::int64_t>(bone);
        last_bone = bone;
        most_bone = std::max(most_bone, bone);
        const std::uint64_t rotations_at = at + clp0::kTrackHeaderSize + translations * clp0::kVectorKeySize;
        const std::uint64_t scales_at = rotations_at + rotations * clp0::kRotationKeySize;
        if (const Status s = check_keys(at + clp0::kTrackHeaderSize, translations, 3, duration, i, "trKey"); s != Status::Ok)
            return s;
        if (const Status s = check_keys(rotations_at, rotations, 4, duration, i, "rotKey"); s != Status::Ok) return s;
        if (const Status s = check_keys(scales_at, scales, 3, duration, i, "scKey"); s != Status::Ok) return s;
        at += size;
    }
    if (const Status s = check_size(c, at - c.payload); s != Status::Ok) return s;
    return is_sorted ? Status::Ok : check_track_bones(c, track_count, most_bone);
}

Status FileVerifier::too_small_for(const Chunk& c, std::uint32_t track, std::uint64_t wanted) noexcept {
    return fail(Status::BadChunkSize, c.offset + chunk::kPayloadSize, here().field("track").at(track),
                unsigned_values(c.size, wanted));
}

// Keys of one channel: `components` floats each behind the time.
Status FileVerifier::check_keys(std::uint64_t at, std::uint64_t count, std::uint64_t components, float duration,
                                std::uint32_t track, const char* channel) noexcept {
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
        if (const Status s =
                check_floats(key_at + clp0::kKeyValue, components, [&](std::uint64_t k) { return key(i).field("value").at(k); });
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

// MRPA (docs/spec/morph.md 3)

Status FileVerifier::check_morph_weights(const Chunk& c, float duration) noexcept {
    namespace mrpa = layout::mrpa;
    if (const Status s = check_least_size(c, mrpa::kHeaderSize); s != Status::Ok) return s;
    const std::uint32_t track_count = u32(c.payload + mrpa::kTrackCount);
    if (track_count > limits_.max_tracks_per_clip)
        return over_limit(LimitId::TracksPerClip, c.payload + mrpa::kTrackCount, here().field("trackCount"), track_count,
                          limits_.max_tracks_per_clip);
    std::uint64_t at = c.payload + mrpa::kHeaderSize;
    std::uint64_t keys = 0;
    std::int64_t last = -1;
    for (std::uint32_t i = 0; i < track_count; ++i) {
        if (c.end - at < mrpa::kTrackHeaderSize) return too_small_for(c, i, at - c.payload + mrpa::kTrackHeaderSize);
        const std::uint64_t count = u32(at + mrpa::kTrackKeyCount);
        keys += count;
        if (keys > limits_.max_keys_per_clip)
            return over_limit(LimitId::KeysPerClip, at + mrpa::kTrackKeyCount, here().field("track").at(i).field("keys"), keys,
                              limits_.max_keys_per_clip);
        const std::uint64_t size = mrpa::kTrackHeaderSize + count * mrpa::kKeySize;
        if (size > c.end - at) return too_small_for(c, i, at - c.payload + size);
        const std::uint32_t channel = u32(at + mrpa::kTrackChannel);
        if (channel >= morph_channel_count_)
            return fail(Status::BadMorphChannel, at + mrpa::kTrackChannel, here().field("track").at(i).field("channel"),
                        signed_values(channel, static_cast<std::int64_t>(morph_channel_count_) - 1));
        if (channel <= last)
            return fail(Status::BadMorphOrder, at + mrpa::kTrackChannel, here().field("track").at(i).field("channel"),
                        signed_values(channel, last + 1));
        last = channel;
        if (const Status s = check_keys(at + mrpa::kTrackHeaderSize, count, 1, duration, i, "key"); s != Status::Ok) return s;
        at += size;
    }
    return check_size(c, at - c.payload);
}

double FileVerifier::quaternion_length(std::uint64_t at) const noexcept {
    return length(Quatd{static_cast<double>(f32(at)), static_cast<double>(f32(at + 4)), static_cast<double>(f32(at + 8)),
                        static_cast<double>(f32(at + 12))});
}

// Tracks in any order: the bones seen, in a bit set; several rounds where there are more bones than bits.
Status FileVerifier::check_track_bones(const Chunk& c, std::uint32_t track_count, std::uint32_t most_bone) noexcept {
    constexpr std::uint32_t kBits = 65'536;
    std::uint64_t seen[kBits / 64];
    for (std::uint64_t base = 0; base <= most_bone; base += kBits) {
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

}  // namespace gomkit::runtime::detail
