#include "gomkit/runtime/file_view.hpp"

#include <cstring>

namespace gomkit::runtime {
namespace {

float f32(const std::byte* at) noexcept { return load_le<float>(at); }
std::uint32_t u32(const std::byte* at) noexcept { return load_le<std::uint32_t>(at); }
Vec3f vec3(const std::byte* at) noexcept { return {f32(at), f32(at + 4), f32(at + 8)}; }

}  // namespace

namespace detail {

std::uint64_t after_chunk(const std::byte* file, std::uint64_t offset) noexcept {
    return layout::align16(offset + layout::chunk::kHeaderSize + u32(file + offset + layout::chunk::kPayloadSize));
}

std::uint64_t next_chunk(const std::byte* file, std::uint32_t fourcc, std::uint64_t offset) noexcept {
    while (u32(file + offset) != fourcc) offset = after_chunk(file, offset);
    return offset;
}

std::uint64_t weights_behind(const std::byte* file, std::uint64_t chunks_end, std::uint64_t clip) noexcept {
    const std::uint64_t next = after_chunk(file, clip);
    const bool is_chunk = next < chunks_end && chunks_end - next >= layout::chunk::kHeaderSize;
    return is_chunk && u32(file + next) == layout::kMrpa ? next : 0;
}

std::uint64_t find_chunk(const std::byte* file, const ChunkIndex& kind, std::uint32_t fourcc, std::uint32_t index) noexcept {
    std::uint64_t offset = kind.offsets[index >> kind.stride_log2];
    for (std::uint32_t steps = index & ((1U << kind.stride_log2) - 1U); steps != 0; --steps)
        offset = next_chunk(file, fourcc, after_chunk(file, offset));
    return offset;
}

}  // namespace detail

// TrackView

namespace clp0 = layout::clp0;

VectorKey TrackView::translation(std::uint32_t index) const noexcept {
    if (index >= translation_count_) return {};
    const std::byte* at = translation_bytes().data() + std::size_t{index} * clp0::kVectorKeySize;
    return {f32(at), vec3(at + clp0::kKeyValue)};
}

RotationKey TrackView::rotation(std::uint32_t index) const noexcept {
    if (index >= rotation_count_) return {};
    const std::byte* at = rotation_bytes().data() + std::size_t{index} * clp0::kRotationKeySize + clp0::kKeyValue;
    return {f32(at - clp0::kKeyValue), {f32(at), f32(at + 4), f32(at + 8), f32(at + 12)}};
}

VectorKey TrackView::scale(std::uint32_t index) const noexcept {
    if (index >= scale_count_) return {};
    const std::byte* at = scale_bytes().data() + std::size_t{index} * clp0::kVectorKeySize;
    return {f32(at), vec3(at + clp0::kKeyValue)};
}

std::span<const std::byte> TrackView::translation_bytes() const noexcept {
    return {keys_, std::size_t{translation_count_} * clp0::kVectorKeySize};
}

std::span<const std::byte> TrackView::rotation_bytes() const noexcept {
    const std::size_t size = std::size_t{rotation_count_} * clp0::kRotationKeySize;
    if (size == 0) return {};
    return {keys_ + std::size_t{translation_count_} * clp0::kVectorKeySize, size};
}

std::span<const std::byte> TrackView::scale_bytes() const noexcept {
    const std::size_t size = std::size_t{scale_count_} * clp0::kVectorKeySize;
    if (size == 0) return {};
    return {
        keys_ + std::size_t{translation_count_} * clp0::kVectorKeySize + std::size_t{rotation_count_} * clp0::kRotationKeySize,
        size};
}

std::uint64_t TrackView::byte_size() const noexcept {
    if (keys_ == nullptr) return 0;
    return clp0::kTrackHeaderSize + (std::uint64_t{translation_count_} + scale_count_) * clp0::kVectorKeySize +
           std::uint64_t{rotation_count_} * clp0::kRotationKeySize;
}

TrackView TrackIterator::operator*() const noexcept {
    TrackView out;
    if (left_ == 0) return out;
    const std::byte* at = file_ + offset_;
    out.keys_ = at + clp0::kTrackHeaderSize;
    out.byte_offset_ = offset_;
    out.bone_index_ = u32(at + clp0::kTrackBoneIndex);
    out.translation_count_ = u32(at + clp0::kTrackTranslationCount);
    out.rotation_count_ = u32(at + clp0::kTrackRotationCount);
    out.scale_count_ = u32(at + clp0::kTrackScaleCount);
    return out;
}

TrackIterator& TrackIterator::operator++() noexcept {
    if (left_ == 0) return *this;
    offset_ += (**this).byte_size();
    --left_;
    return *this;
}

TrackIterator TrackRange::begin() const noexcept {
    TrackIterator out;
    out.file_ = file_;
    out.offset_ = offset_;
    out.left_ = count_;
    return out;
}

// MorphTrackView

namespace mrpa = layout::mrpa;

MorphKey MorphTrackView::key(std::uint32_t index) const noexcept {
    if (index >= key_count_) return {};
    const std::byte* at = keys_ + std::size_t{index} * mrpa::kKeySize;
    return {f32(at), f32(at + 4)};
}

MorphTrackView MorphTrackIterator::operator*() const noexcept {
    MorphTrackView out;
    if (left_ == 0) return out;
    out.keys_ = at_ + mrpa::kTrackHeaderSize;
    out.channel_ = u32(at_ + mrpa::kTrackChannel);
    out.key_count_ = u32(at_ + mrpa::kTrackKeyCount);
    return out;
}

MorphTrackIterator& MorphTrackIterator::operator++() noexcept {
    if (left_ == 0) return *this;
    at_ += mrpa::kTrackHeaderSize + std::size_t{u32(at_ + mrpa::kTrackKeyCount)} * mrpa::kKeySize;
    --left_;
    return *this;
}

// ClipView

TrackRange ClipView::tracks() const noexcept {
    TrackRange out;
    out.file_ = file_;
    out.offset_ = byte_offset_ + layout::chunk::kHeaderSize + clp0::kHeaderSize;
    out.count_ = track_count_;
    return out;
}

TrackView ClipView::track(std::uint32_t index) const noexcept {
    if (index >= track_count_) return {};
    TrackIterator at = tracks().begin();
    for (; index != 0; --index) ++at;
    return *at;
}

TrackView ClipView::track_at(std::uint64_t byte_offset) const noexcept {
    const std::uint64_t first = byte_offset_ + layout::chunk::kHeaderSize + clp0::kHeaderSize;
    if (track_count_ == 0 || byte_offset < first || byte_offset > payload_end_ ||
        payload_end_ - byte_offset < clp0::kTrackHeaderSize)
        return {};
    TrackIterator at;
    at.file_ = file_;
    at.offset_ = byte_offset;
    at.left_ = 1;
    const TrackView track = *at;
    return track.byte_size() <= payload_end_ - byte_offset ? track : TrackView{};
}

ClipView::ClipView(const FileView& file, std::uint64_t byte_offset) noexcept
    : file_(file.bytes().data()), byte_offset_(byte_offset) {
    const std::byte* head = file_ + byte_offset + layout::chunk::kHeaderSize;
    name_ = file.string(u32(head + clp0::kNameId));
    payload_end_ = byte_offset + layout::chunk::kHeaderSize + u32(file_ + byte_offset + layout::chunk::kPayloadSize);
    duration_seconds_ = f32(head + clp0::kDuration);
    root_bone_index_ = load_le<std::int32_t>(head + clp0::kRootBoneIndex);
    flags_ = u32(head + clp0::kFlags);
    track_count_ = u32(head + clp0::kTrackCount);
    if (const std::uint64_t weights = detail::weights_behind(file_, file.chunks_end_, byte_offset); weights != 0) {
        const std::byte* payload = file_ + weights + layout::chunk::kHeaderSize;
        morph_tracks_.at_ = payload + mrpa::kHeaderSize;
        morph_tracks_.left_ = u32(payload + mrpa::kTrackCount);
    }
}

// FileView

std::array<std::uint8_t, 32> FileView::source_hash() const noexcept {
    std::array<std::uint8_t, 32> out{};
    if (!is_empty()) std::memcpy(out.data(), file_.data() + layout::header::kSourceHash, out.size());
    return out;
}

std::string_view FileView::converter_version() const noexcept {
    return is_empty() ? std::string_view{} : string(u32(file_.data() + layout::header::kConverterVersionId));
}

std::uint32_t FileView::validation_flags() const noexcept {
    return is_empty() ? 0 : u32(file_.data() + layout::header::kValidationFlags);
}

std::uint64_t FileView::chunk_table_offset() const noexcept {
    return is_empty() ? 0 : load_le<std::uint64_t>(file_.data() + layout::header::kChunkTableOffset);
}

std::uint32_t FileView::chunk_table_count() const noexcept {
    return is_empty() ? 0 : u32(file_.data() + layout::header::kChunkTableCount);
}

std::string_view FileView::string(std::uint32_t id) const noexcept {
    if (id >= string_count_) return {};
    const std::byte* offsets = file_.data() + strings_at_ + layout::str0::kOffsets;
    const std::byte* data = offsets + std::size_t{string_count_} * layout::str0::kOffsetSize;
    const std::byte* end = file_.data() + strings_end_;
    const std::byte* at = data + u32(offsets + std::size_t{id} * layout::str0::kOffsetSize);
    const auto* text = reinterpret_cast<const char*>(at);
    if (strings_packed_) {
        const std::byte* next =
            id + 1 < string_count_ ? data + u32(offsets + (std::size_t{id} + 1) * layout::str0::kOffsetSize) : end;
        return {text, static_cast<std::size_t>(next - at) - 1};
    }
    const void* nul = std::memchr(at, 0, static_cast<std::size_t>(end - at));
    return {text, static_cast<std::size_t>(static_cast<const char*>(nul) - text)};
}

ClipRange FileView::clips() const noexcept { return {*this, clips_}; }

ClipView FileView::clip(std::uint32_t index) const noexcept {
    if (index >= clips_.count) return {};
    return {*this, detail::find_chunk(file_.data(), clips_, layout::kClp0, index)};
}

std::uint32_t FileView::find_clip(std::string_view name) const noexcept {
    std::uint32_t index = 0;
    for (const ClipView clip : clips()) {
        if (clip.name() == name) return index;
        ++index;
    }
    return index;
}

}  // namespace gomkit::runtime
