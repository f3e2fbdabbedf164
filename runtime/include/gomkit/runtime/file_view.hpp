#pragma once
// What a verified GOM and a verified MTA have in common: header, strings and clips, read in place.
//
// Lifetime: every view, span and string_view here points into the bytes given to verify(); they must stay unchanged and alive.
// Views are small values, free of state, and may be read by any number of threads. An index that is not below its count gives
// an empty value (zero counts, empty strings, identity matrices), never undefined behaviour.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gomkit/runtime/bytes.hpp"
#include "gomkit/runtime/layout.hpp"
#include "gomkit/runtime/math.hpp"

namespace gomkit::runtime {

class FileView;

struct VectorKey {
    float time_seconds = 0;
    Vec3f value;
};

struct RotationKey {
    float time_seconds = 0;
    Quatf value;  // as stored: not normalised
};

// The keys of one bone in one clip. Times strictly increase. A channel may have no key: the bone then keeps its bind value
// (gom.md 3, "Channels without keys").
class TrackView {
public:
    TrackView() noexcept = default;

    [[nodiscard]] std::uint32_t bone_index() const noexcept { return bone_index_; }
    [[nodiscard]] std::uint32_t translation_count() const noexcept { return translation_count_; }
    [[nodiscard]] std::uint32_t rotation_count() const noexcept { return rotation_count_; }
    [[nodiscard]] std::uint32_t scale_count() const noexcept { return scale_count_; }
    [[nodiscard]] VectorKey translation(std::uint32_t index) const noexcept;
    [[nodiscard]] RotationKey rotation(std::uint32_t index) const noexcept;
    [[nodiscard]] VectorKey scale(std::uint32_t index) const noexcept;
    // Keys as stored: { f32 time, f32 v[3] } of 16 bytes, { f32 time, f32 q[4] } of 20 bytes; 4-byte aligned.
    [[nodiscard]] std::span<const std::byte> translation_bytes() const noexcept;
    [[nodiscard]] std::span<const std::byte> rotation_bytes() const noexcept;
    [[nodiscard]] std::span<const std::byte> scale_bytes() const noexcept;
    // Of the track's header, from the start of the file. Remember these to come back in O(1): ClipView::track_at.
    [[nodiscard]] std::uint64_t byte_offset() const noexcept { return byte_offset_; }
    // Header and keys.
    [[nodiscard]] std::uint64_t byte_size() const noexcept;

private:
    friend class ClipView;
    friend class TrackIterator;
    const std::byte* keys_ = nullptr;
    std::uint64_t byte_offset_ = 0;
    std::uint32_t bone_index_ = 0;
    std::uint32_t translation_count_ = 0;
    std::uint32_t rotation_count_ = 0;
    std::uint32_t scale_count_ = 0;
};

// Forward iterator over a clip's tracks in file order (by bone, in a canonical file).
class TrackIterator {
public:
    TrackIterator() noexcept = default;
    [[nodiscard]] TrackView operator*() const noexcept;
    TrackIterator& operator++() noexcept;
    friend bool operator==(const TrackIterator& a, const TrackIterator& b) noexcept { return a.left_ == b.left_; }

private:
    friend class TrackRange;
    friend class ClipView;
    const std::byte* file_ = nullptr;
    std::uint64_t offset_ = 0;
    std::uint32_t left_ = 0;
};

class TrackRange {
public:
    TrackRange() noexcept = default;
    [[nodiscard]] TrackIterator begin() const noexcept;
    [[nodiscard]] TrackIterator end() const noexcept { return {}; }

private:
    friend class ClipView;
    const std::byte* file_ = nullptr;
    std::uint64_t offset_ = 0;
    std::uint32_t count_ = 0;
};

struct MorphKey {
    float time_seconds = 0;
    float weight = 0;
};

// The weight of one blend shape channel in one clip. Times strictly increase.
class MorphTrackView {
public:
    MorphTrackView() noexcept = default;

    [[nodiscard]] std::uint32_t channel() const noexcept { return channel_; }  // ModelView::morph_channel
    [[nodiscard]] std::uint32_t key_count() const noexcept { return key_count_; }
    [[nodiscard]] MorphKey key(std::uint32_t index) const noexcept;

private:
    friend class MorphTrackIterator;
    const std::byte* keys_ = nullptr;
    std::uint32_t channel_ = 0;
    std::uint32_t key_count_ = 0;
};

// Forward iterator over a clip's weight tracks, by channel. Its own range.
class MorphTrackIterator {
public:
    MorphTrackIterator() noexcept = default;
    [[nodiscard]] MorphTrackView operator*() const noexcept;
    MorphTrackIterator& operator++() noexcept;
    friend bool operator==(const MorphTrackIterator& a, const MorphTrackIterator& b) noexcept { return a.left_ == b.left_; }
    [[nodiscard]] MorphTrackIterator begin() const noexcept { return *this; }
    [[nodiscard]] MorphTrackIterator end() const noexcept { return {}; }

private:
    friend class ClipView;
    const std::byte* at_ = nullptr;  // the track's header
    std::uint32_t left_ = 0;
};

// One CLP0, and the MRPA that follows it.
class ClipView {
public:
    ClipView() noexcept = default;

    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    [[nodiscard]] float duration_seconds() const noexcept { return duration_seconds_; }
    [[nodiscard]] std::int32_t root_bone_index() const noexcept { return root_bone_index_; }  // -1: none
    [[nodiscard]] std::uint32_t flags() const noexcept { return flags_; }                     // as stored, unknown bits included
    [[nodiscard]] bool is_looping() const noexcept { return (flags_ & layout::clp0::kLoop) != 0; }
    [[nodiscard]] bool has_root_motion() const noexcept { return (flags_ & layout::clp0::kHasRootMotion) != 0; }  // see gom.md 10
    [[nodiscard]] std::uint32_t track_count() const noexcept { return track_count_; }
    [[nodiscard]] std::uint64_t byte_offset() const noexcept { return byte_offset_; }  // of CLP0's chunk header in the file

    // For loops; O(1) a step.
    [[nodiscard]] TrackRange tracks() const noexcept;
    // O(index): walks from the first track. For repeated access keep byte_offset() of each and use track_at().
    [[nodiscard]] TrackView track(std::uint32_t index) const noexcept;
    // The track whose TrackView::byte_offset() was `byte_offset`; any other value that lies in this clip's payload gives unspecified
    // (but memory-safe) contents, one outside an empty view. O(1).
    [[nodiscard]] TrackView track_at(std::uint64_t byte_offset) const noexcept;

    // Of blend shapes (docs/spec/morph.md 3); 0 without an MRPA.
    [[nodiscard]] std::uint32_t morph_track_count() const noexcept { return morph_tracks_.left_; }
    [[nodiscard]] MorphTrackIterator morph_tracks() const noexcept { return morph_tracks_; }

private:
    friend class FileView;
    template <class View>
    friend class ChunkIterator;
    static constexpr std::uint32_t kFourcc = layout::kClp0;
    // The CLP0 whose header lies at that offset.
    ClipView(const FileView& file, std::uint64_t byte_offset) noexcept;

    const std::byte* file_ = nullptr;
    std::string_view name_;
    std::uint64_t byte_offset_ = 0;
    std::uint64_t payload_end_ = 0;
    float duration_seconds_ = 0;
    std::int32_t root_bone_index_ = layout::kNoRootBone;
    std::uint32_t flags_ = 0;
    std::uint32_t track_count_ = 0;
    MorphTrackIterator morph_tracks_;
};

namespace detail {

class FileVerifier;

// Where the n-th chunk of one kind lies: every stride-th is remembered, the rest is walked.
struct ChunkIndex {
    static constexpr std::uint32_t kSlots = 256;
    std::uint32_t count = 0;
    std::uint32_t stride_log2 = 0;
    std::uint32_t offsets[kSlots] = {};  // of chunk headers
};

// Offset of the next chunk header of that kind at or after `offset`; there must be one.
[[nodiscard]] std::uint64_t next_chunk(const std::byte* file, std::uint32_t fourcc, std::uint64_t offset) noexcept;
// Where the chunk behind the one at `offset` would start.
[[nodiscard]] std::uint64_t after_chunk(const std::byte* file, std::uint64_t offset) noexcept;
// The MRPA of the clip at `clip`, where no chunk begins at or behind `chunks_end`; 0: it has none.
[[nodiscard]] std::uint64_t weights_behind(const std::byte* file, std::uint64_t chunks_end, std::uint64_t clip) noexcept;
// The chunk of that kind and index, which must be below the count.
[[nodiscard]] std::uint64_t find_chunk(const std::byte* file, const ChunkIndex& kind, std::uint32_t fourcc,
                                       std::uint32_t index) noexcept;

}  // namespace detail

// Forward iterator over chunks of one kind: parts or clips, in file order. O(1) a step (plus the chunks in between).
template <class View>
class ChunkIterator {
public:
    ChunkIterator() noexcept = default;
    [[nodiscard]] View operator*() const noexcept;
    ChunkIterator& operator++() noexcept;
    friend bool operator==(const ChunkIterator& a, const ChunkIterator& b) noexcept { return a.index_ == b.index_; }

private:
    template <class>
    friend class ChunkRange;
    const FileView* file_ = nullptr;
    std::uint64_t offset_ = 0;
    std::uint32_t index_ = 0;
    std::uint32_t count_ = 0;
};

template <class View>
class ChunkRange {
public:
    ChunkRange() noexcept = default;
    [[nodiscard]] ChunkIterator<View> begin() const noexcept { return begin_; }
    [[nodiscard]] ChunkIterator<View> end() const noexcept { return end_; }

private:
    friend class FileView;
    friend class ModelView;
    ChunkRange(const FileView& file, const detail::ChunkIndex& kind) noexcept {
        begin_.file_ = &file;
        begin_.offset_ = kind.offsets[0];
        begin_.count_ = end_.index_ = kind.count;
    }
    ChunkIterator<View> begin_;
    ChunkIterator<View> end_;
};

using ClipRange = ChunkRange<ClipView>;

// A verified GOM or MTA, as far as both are alike. Ranges and iterators refer to it and must not outlive it.
class FileView {
public:
    FileView() noexcept = default;

    [[nodiscard]] bool is_empty() const noexcept { return file_.empty(); }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return file_; }

    // Header (gom.md 2).
    [[nodiscard]] std::array<std::uint8_t, 32> source_hash() const noexcept;  // all zero: unknown
    [[nodiscard]] std::string_view converter_version() const noexcept;        // empty: none
    [[nodiscard]] std::uint32_t validation_flags() const noexcept;            // as stored; never to be trusted for memory safety
    [[nodiscard]] std::uint64_t chunk_table_offset() const noexcept;          // 0: none
    [[nodiscard]] std::uint32_t chunk_table_count() const noexcept;

    // STR0. Empty for layout::kNone and for ids not below string_count().
    [[nodiscard]] std::uint32_t string_count() const noexcept { return string_count_; }
    [[nodiscard]] std::string_view string(std::uint32_t id) const noexcept;

    [[nodiscard]] std::uint32_t clip_count() const noexcept { return clips_.count; }
    [[nodiscard]] ClipRange clips() const noexcept;
    // At most clip_count() / 128 steps from a remembered place; loops use clips().
    [[nodiscard]] ClipView clip(std::uint32_t index) const noexcept;
    // The index of the clip of that name, or clip_count(). Walks the clips.
    [[nodiscard]] std::uint32_t find_clip(std::string_view name) const noexcept;

protected:
    friend class ClipView;
    friend class detail::FileVerifier;

    std::span<const std::byte> file_;
    // File offsets of STR0's payload and its end; meaningless where the count is 0.
    std::uint64_t strings_at_ = 0;
    std::uint64_t strings_end_ = 0;
    std::uint64_t chunks_end_ = 0;  // no chunk begins here or behind
    std::uint32_t string_count_ = 0;
    bool strings_packed_ = false;  // string i ends with the NUL just before string i + 1: lengths need no search
    detail::ChunkIndex clips_;
};

template <class View>
View ChunkIterator<View>::operator*() const noexcept {
    return index_ < count_ ? View(*file_, offset_) : View{};
}

template <class View>
ChunkIterator<View>& ChunkIterator<View>::operator++() noexcept {
    if (index_ >= count_) return *this;
    const std::byte* file = file_->bytes().data();
    if (++index_ < count_) offset_ = detail::next_chunk(file, View::kFourcc, detail::after_chunk(file, offset_));
    return *this;
}

}  // namespace gomkit::runtime
