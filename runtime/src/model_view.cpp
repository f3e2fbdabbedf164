#include "gomkit/runtime/model_view.hpp"

#include <bit>
#include <cstring>

#include "gomkit/runtime/sha256.hpp"

namespace gomkit::runtime {
namespace {

float f32(const std::byte* at) noexcept { return load_le<float>(at); }
std::uint32_t u32(const std::byte* at) noexcept { return load_le<std::uint32_t>(at); }
Vec3f vec3(const std::byte* at) noexcept { return {f32(at), f32(at + 4), f32(at + 8)}; }

Mat4f affine(const std::byte* at) noexcept {
    Mat4f out;
    for (std::size_t i = 0; i < 16; ++i)
        if (i % 4 != 3) out.m[i] = f32(at + 4 * i);
    return out;
}

std::uint64_t after_chunk(const std::byte* file, std::uint64_t offset) noexcept {
    return layout::align16(offset + layout::chunk::kHeaderSize + u32(file + offset + layout::chunk::kPayloadSize));
}

}  // namespace

// MeshPartView

Vertex MeshPartView::vertex(std::uint32_t index) const noexcept {
    Vertex out{};
    if (index >= vertex_count_) return out;
    namespace vf01 = layout::vf01;
    const std::byte* at = vertex_bytes_.data() + std::size_t{index} * vf01::kSize;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&out, at, vf01::kSize);
    } else {
        for (std::size_t i = 0; i < 3; ++i) out.position[i] = f32(at + vf01::kPosition + 4 * i);
        for (std::size_t i = 0; i < 3; ++i) out.normal[i] = f32(at + vf01::kNormal + 4 * i);
        for (std::size_t i = 0; i < 4; ++i) out.tangent[i] = f32(at + vf01::kTangent + 4 * i);
        for (std::size_t i = 0; i < 2; ++i) out.uv0[i] = f32(at + vf01::kUv0 + 4 * i);
        for (std::size_t i = 0; i < 4; ++i) out.bone_index[i] = load_le<std::uint16_t>(at + vf01::kBoneIndex + 2 * i);
        for (std::size_t i = 0; i < 4; ++i) out.bone_weight[i] = f32(at + vf01::kBoneWeight + 4 * i);
    }
    return out;
}

std::uint32_t MeshPartView::index(std::uint32_t position) const noexcept {
    if (position >= index_count_) return 0;
    const std::byte* at = index_bytes_.data() + std::size_t{position} * index_size_;
    return index_size_ == 4 ? u32(at) : load_le<std::uint16_t>(at);
}

std::span<const std::uint32_t> MeshPartView::indices32() const noexcept {
    if (std::endian::native != std::endian::little || index_size_ != 4) return {};
    return {reinterpret_cast<const std::uint32_t*>(index_bytes_.data()), index_count_};
}

std::span<const std::uint16_t> MeshPartView::indices16() const noexcept {
    if (std::endian::native != std::endian::little || index_size_ != 2) return {};
    return {reinterpret_cast<const std::uint16_t*>(index_bytes_.data()), index_count_};
}

SubmeshView MeshPartView::submesh(std::uint32_t index) const noexcept {
    if (index >= submesh_count_) return {};
    namespace sub0 = layout::sub0;
    const std::byte* at = submesh_bytes_.data() + std::size_t{index} * sub0::kSubmeshSize;
    return {u32(at + sub0::kMaterialIndex), u32(at + sub0::kIndexStart), u32(at + sub0::kIndexCount)};
}

Mat4f MeshPartView::inverse_bind(std::uint32_t bone_index) const noexcept {
    if (bone_index >= bone_count_) return {};
    return affine(inverse_bind_bytes_.data() + std::size_t{bone_index} * layout::kMatrixSize);
}

BoundsView MeshPartView::bounds() const noexcept {
    if (!has_bounds()) return {};
    namespace bnd0 = layout::bnd0;
    const std::byte* at = bounds_bytes_.data();
    return {vec3(at + bnd0::kAabbMin), vec3(at + bnd0::kAabbMax), vec3(at + bnd0::kSphereCenter), f32(at + bnd0::kSphereRadius)};
}

Mat4f MeshPartView::geometry_to_model() const noexcept {
    return has_geometry_to_model() ? affine(geometry_to_model_bytes_.data()) : Mat4f{};
}

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

// ModelView

std::array<std::uint8_t, 32> ModelView::source_hash() const noexcept {
    std::array<std::uint8_t, 32> out{};
    if (!is_empty()) std::memcpy(out.data(), file_.data() + layout::header::kSourceHash, out.size());
    return out;
}

std::string_view ModelView::converter_version() const noexcept {
    return is_empty() ? std::string_view{} : string(u32(file_.data() + layout::header::kConverterVersionId));
}

std::uint32_t ModelView::validation_flags() const noexcept {
    return is_empty() ? 0 : u32(file_.data() + layout::header::kValidationFlags);
}

std::uint64_t ModelView::chunk_table_offset() const noexcept {
    return is_empty() ? 0 : load_le<std::uint64_t>(file_.data() + layout::header::kChunkTableOffset);
}

std::uint32_t ModelView::chunk_table_count() const noexcept {
    return is_empty() ? 0 : u32(file_.data() + layout::header::kChunkTableCount);
}

std::string_view ModelView::string(std::uint32_t id) const noexcept {
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

MaterialView ModelView::material(std::uint32_t index) const noexcept {
    MaterialView out;
    if (index >= material_count_) return out;
    namespace matl = layout::matl;
    const std::byte* at = file_.data() + materials_at_ + matl::kSlots + std::size_t{index} * matl::kSlotSize;
    out.name = string(u32(at + matl::kNameId));
    out.flags = u32(at + matl::kFlags);
    out.diffuse = vec3(at + matl::kKd);
    out.specular = vec3(at + matl::kKs);
    out.emissive = vec3(at + matl::kKe);
    out.shininess = f32(at + matl::kShininess);
    out.opacity = f32(at + matl::kOpacity);
    out.diffuse_map = string(u32(at + matl::kDiffuseMapId));
    out.normal_map = string(u32(at + matl::kNormalMapId));
    out.specular_map = string(u32(at + matl::kSpecularMapId));
    out.emissive_map = string(u32(at + matl::kEmissiveMapId));
    return out;
}

BoneView ModelView::bone(std::uint32_t index) const noexcept {
    if (index >= bone_count_) return {};
    return {bone_parent(index), bone_name(index), bone_path(index), bind_local(index)};
}

std::int32_t ModelView::bone_parent(std::uint32_t index) const noexcept {
    if (index >= bone_count_) return layout::kNoParent;
    return load_le<std::int32_t>(file_.data() + bones_at_ + layout::skel::kParents + std::size_t{index} * 4);
}

std::string_view ModelView::bone_name(std::uint32_t index) const noexcept {
    if (index >= bone_count_) return {};
    return string(u32(file_.data() + bones_at_ + layout::skel::name_ids(bone_count_) + std::size_t{index} * 4));
}

std::string_view ModelView::bone_path(std::uint32_t index) const noexcept {
    if (index >= bone_count_) return {};
    return string(u32(file_.data() + bones_at_ + layout::skel::path_ids(bone_count_) + std::size_t{index} * 4));
}

Mat4f ModelView::bind_local(std::uint32_t index) const noexcept {
    if (index >= bone_count_) return {};
    return affine(bind_local_bytes().data() + std::size_t{index} * layout::kMatrixSize);
}

std::span<const std::byte> ModelView::bind_local_bytes() const noexcept {
    if (bone_count_ == 0) return {};
    return file_.subspan(static_cast<std::size_t>(bones_at_ + layout::skel::bind_locals(bone_count_)),
                         std::size_t{bone_count_} * layout::kMatrixSize);
}

std::uint64_t ModelView::next_of(std::uint32_t fourcc, std::uint64_t offset) const noexcept {
    while (u32(file_.data() + offset) != fourcc) offset = after_chunk(file_.data(), offset);
    return offset;
}

std::uint64_t ModelView::find(const detail::ChunkIndex& kind, std::uint32_t fourcc, std::uint32_t index) const noexcept {
    std::uint64_t offset = kind.offsets[index >> kind.stride_log2];
    for (std::uint32_t steps = index & ((1U << kind.stride_log2) - 1U); steps != 0; --steps)
        offset = next_of(fourcc, after_chunk(file_.data(), offset));
    return offset;
}

MeshPartView ModelView::part_at(std::uint64_t offset) const noexcept {
    namespace msh0 = layout::msh0;
    MeshPartView out;
    const std::byte* file = file_.data();
    const std::byte* head = file + offset + layout::chunk::kHeaderSize;
    out.byte_offset_ = offset;
    out.name_ = string(u32(head + msh0::kNameId));
    out.vertex_count_ = u32(head + msh0::kVertexCount);
    out.index_count_ = u32(head + msh0::kIndexCount);
    out.bone_count_ = u32(head + msh0::kBoneCount);
    const std::uint64_t end = offset + layout::chunk::kHeaderSize + u32(file + offset + layout::chunk::kPayloadSize);
    std::uint64_t at = offset + layout::chunk::kHeaderSize + msh0::kHeaderSize;
    while (at < end && end - at >= layout::chunk::kHeaderSize) {
        const std::uint32_t size = u32(file + at + layout::chunk::kPayloadSize);
        const std::span<const std::byte> payload = file_.subspan(static_cast<std::size_t>(at + layout::chunk::kHeaderSize), size);
        switch (u32(file + at)) {
            case layout::kVb0:
                out.vertex_bytes_ = payload.subspan(layout::vb0::kHeaderSize);
                break;
            case layout::kIb0:
                out.index_size_ = u32(payload.data() + layout::ib0::kIndexSize);
                out.index_bytes_ = payload.subspan(layout::ib0::kHeaderSize);
                break;
            case layout::kSub0:
                out.submesh_count_ = u32(payload.data());
                out.submesh_bytes_ = payload.subspan(layout::sub0::kSubmeshes);
                break;
            case layout::kIbnd:
                out.inverse_bind_bytes_ = payload.subspan(layout::ibnd::kMatrices);
                break;
            case layout::kBnd0:
                if (size == layout::bnd0::kSize) out.bounds_bytes_ = payload;
                break;
            case layout::kGbtm:
                out.geometry_to_model_bytes_ = payload;
                break;
            default:
                break;
        }
        at = after_chunk(file, at);
    }
    return out;
}

ClipView ModelView::clip_at(std::uint64_t offset) const noexcept {
    ClipView out;
    const std::byte* head = file_.data() + offset + layout::chunk::kHeaderSize;
    out.file_ = file_.data();
    out.name_ = string(u32(head + clp0::kNameId));
    out.byte_offset_ = offset;
    out.payload_end_ = offset + layout::chunk::kHeaderSize + u32(file_.data() + offset + layout::chunk::kPayloadSize);
    out.duration_seconds_ = f32(head + clp0::kDuration);
    out.root_bone_index_ = load_le<std::int32_t>(head + clp0::kRootBoneIndex);
    out.flags_ = u32(head + clp0::kFlags);
    out.track_count_ = u32(head + clp0::kTrackCount);
    return out;
}

MeshPartRange ModelView::parts() const noexcept {
    MeshPartRange out;
    out.begin_ = {this, 0, parts_.offsets[0]};
    out.end_ = {this, parts_.count, 0};
    return out;
}

MeshPartView ModelView::part(std::uint32_t index) const noexcept {
    return index < parts_.count ? part_at(find(parts_, layout::kMsh0, index)) : MeshPartView{};
}

ClipRange ModelView::clips() const noexcept {
    ClipRange out;
    out.begin_ = {this, 0, clips_.offsets[0]};
    out.end_ = {this, clips_.count, 0};
    return out;
}

ClipView ModelView::clip(std::uint32_t index) const noexcept {
    return index < clips_.count ? clip_at(find(clips_, layout::kClp0, index)) : ClipView{};
}

std::uint32_t ModelView::find_clip(std::string_view name) const noexcept {
    std::uint32_t index = 0;
    for (const ClipView clip : clips()) {
        if (clip.name() == name) return index;
        ++index;
    }
    return index;
}

template <>
MeshPartView ChunkIterator<MeshPartView>::operator*() const noexcept {
    return model_ != nullptr && index_ < model_->parts_.count ? model_->part_at(offset_) : MeshPartView{};
}

template <>
ChunkIterator<MeshPartView>& ChunkIterator<MeshPartView>::operator++() noexcept {
    if (model_ == nullptr || index_ >= model_->parts_.count) return *this;
    if (++index_ < model_->parts_.count) offset_ = model_->next_of(layout::kMsh0, after_chunk(model_->file_.data(), offset_));
    return *this;
}

template <>
ClipView ChunkIterator<ClipView>::operator*() const noexcept {
    return model_ != nullptr && index_ < model_->clips_.count ? model_->clip_at(offset_) : ClipView{};
}

template <>
ChunkIterator<ClipView>& ChunkIterator<ClipView>::operator++() noexcept {
    if (model_ == nullptr || index_ >= model_->clips_.count) return *this;
    if (++index_ < model_->clips_.count) offset_ = model_->next_of(layout::kClp0, after_chunk(model_->file_.data(), offset_));
    return *this;
}

std::array<std::uint8_t, 32> ModelView::skeleton_signature() const noexcept {
    Sha256 hash;
    std::byte number[4];
    store_le(number, bone_count_);
    hash.update(std::span<const std::byte>(number));
    for (std::uint32_t i = 0; i < bone_count_; ++i) {
        const std::string_view path = bone_path(i);
        hash.update(std::span(reinterpret_cast<const std::byte*>(path.data()), path.size()));
        const std::byte separator{0};
        hash.update(std::span(&separator, 1));
        store_le(number, bone_parent(i));
        hash.update(std::span<const std::byte>(number));
    }
    return hash.finish();
}

}  // namespace gomkit::runtime
