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

}  // namespace

// MorphShapeView

namespace mrph = layout::mrph;

std::uint32_t MorphShapeView::vertex(std::uint32_t index) const noexcept {
    return index < vertex_count_ ? u32(vertices_ + std::size_t{index} * 4) : 0;
}

Vec3f MorphShapeView::position(std::uint32_t index) const noexcept {
    return index < vertex_count_ ? vec3(position_bytes().data() + std::size_t{index} * 12) : Vec3f{};
}

Vec3f MorphShapeView::normal(std::uint32_t index) const noexcept {
    return index < vertex_count_ ? vec3(normal_bytes().data() + std::size_t{index} * 12) : Vec3f{};
}

std::span<const std::byte> MorphShapeView::position_bytes() const noexcept {
    if (vertex_count_ == 0) return {};
    return {vertices_ + (mrph::positions(vertex_count_) - mrph::kHeaderSize), std::size_t{vertex_count_} * 12};
}

std::span<const std::byte> MorphShapeView::normal_bytes() const noexcept {
    if (vertex_count_ == 0) return {};
    return {vertices_ + (mrph::normals(vertex_count_) - mrph::kHeaderSize), std::size_t{vertex_count_} * 12};
}

MorphShapeView MorphShapeIterator::operator*() const noexcept {
    MorphShapeView out;
    if (left_ == 0) return out;
    const std::byte* head = file_ + offset_ + layout::chunk::kHeaderSize;
    out.vertices_ = head + mrph::kHeaderSize;
    out.channel_ = u32(head + mrph::kChannel);
    out.shape_ = u32(head + mrph::kShape);
    out.vertex_count_ = u32(head + mrph::kVertexCount);
    return out;
}

MorphShapeIterator& MorphShapeIterator::operator++() noexcept {
    if (left_ == 0) return *this;
    if (--left_ != 0) offset_ = detail::next_chunk(file_, layout::kMrph, detail::after_chunk(file_, offset_));
    return *this;
}

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

MeshPartView::MeshPartView(const FileView& file, std::uint64_t byte_offset) noexcept {
    namespace msh0 = layout::msh0;
    const std::byte* bytes = file.bytes().data();
    const std::byte* head = bytes + byte_offset + layout::chunk::kHeaderSize;
    byte_offset_ = byte_offset;
    morphs_.file_ = bytes;
    name_ = file.string(u32(head + msh0::kNameId));
    vertex_count_ = u32(head + msh0::kVertexCount);
    index_count_ = u32(head + msh0::kIndexCount);
    bone_count_ = u32(head + msh0::kBoneCount);
    const std::uint64_t end = byte_offset + layout::chunk::kHeaderSize + u32(bytes + byte_offset + layout::chunk::kPayloadSize);
    std::uint64_t at = byte_offset + layout::chunk::kHeaderSize + msh0::kHeaderSize;
    while (at < end && end - at >= layout::chunk::kHeaderSize) {
        const std::uint32_t size = u32(bytes + at + layout::chunk::kPayloadSize);
        const auto payload = file.bytes().subspan(static_cast<std::size_t>(at + layout::chunk::kHeaderSize), size);
        switch (u32(bytes + at)) {
            case layout::kVb0:
                vertex_bytes_ = payload.subspan(layout::vb0::kHeaderSize);
                break;
            case layout::kIb0:
                index_size_ = u32(payload.data() + layout::ib0::kIndexSize);
                index_bytes_ = payload.subspan(layout::ib0::kHeaderSize);
                break;
            case layout::kSub0:
                submesh_count_ = u32(payload.data());
                submesh_bytes_ = payload.subspan(layout::sub0::kSubmeshes);
                break;
            case layout::kIbnd:
                inverse_bind_bytes_ = payload.subspan(layout::ibnd::kMatrices);
                break;
            case layout::kBnd0:
                if (size == layout::bnd0::kSize) bounds_bytes_ = payload;
                break;
            case layout::kGbtm:
                geometry_to_model_bytes_ = payload;
                break;
            case layout::kMrph:
                if (morphs_.left_++ == 0) morphs_.offset_ = at;
                break;
            default:
                break;
        }
        at = detail::after_chunk(bytes, at);
    }
}

// ModelView

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

std::span<const std::byte> ModelView::parent_bytes() const noexcept {
    if (bone_count_ == 0) return {};
    return file_.subspan(static_cast<std::size_t>(bones_at_ + layout::skel::kParents), std::size_t{bone_count_} * 4);
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

namespace mrpc = layout::mrpc;

MorphChannelView ModelView::morph_channel(std::uint32_t index) const noexcept {
    if (index >= morph_channel_count_) return {};
    const std::byte* at = file_.data() + morphs_at_ + mrpc::kChannels + std::size_t{index} * mrpc::kChannelSize;
    return {string(u32(at + mrpc::kNameId)), f32(at + mrpc::kDefaultWeight), morph_shape_count(index)};
}

std::uint32_t ModelView::shape_begin(std::uint32_t channel) const noexcept {
    if (channel == 0) return 0;
    return u32(file_.data() + morphs_at_ + mrpc::kChannels + (std::size_t{channel} - 1) * mrpc::kChannelSize + mrpc::kShapeEnd);
}

std::uint32_t ModelView::morph_shape_count(std::uint32_t channel) const noexcept {
    return channel < morph_channel_count_ ? shape_begin(channel + 1) - shape_begin(channel) : 0;
}

float ModelView::morph_shape_weight(std::uint32_t channel, std::uint32_t shape) const noexcept {
    if (shape >= morph_shape_count(channel)) return 0.0F;
    const std::size_t index = std::size_t{shape_begin(channel)} + shape;
    return f32(file_.data() + morphs_at_ + mrpc::shape_weights(morph_channel_count_) + index * 4);
}

std::uint32_t ModelView::find_morph_channel(std::string_view name) const noexcept {
    std::uint32_t first = 0, last = morph_channel_count_;
    while (first < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        const int order = morph_channel(middle).name.compare(name);
        if (order == 0) return middle;
        (order < 0 ? first : last) = order < 0 ? middle + 1 : middle;
    }
    return morph_channel_count_;
}

MeshPartRange ModelView::parts() const noexcept { return {*this, parts_}; }

MeshPartView ModelView::part(std::uint32_t index) const noexcept {
    if (index >= parts_.count) return {};
    return {*this, detail::find_chunk(file_.data(), parts_, layout::kMsh0, index)};
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
