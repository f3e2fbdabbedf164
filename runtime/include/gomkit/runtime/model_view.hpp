#pragma once
// A GOM in memory: verify() checks the bytes once, ModelView then reads them in place.
// Lifetime, threads and indices out of range: as in file_view.hpp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gomkit/runtime/bytes.hpp"
#include "gomkit/runtime/file_view.hpp"
#include "gomkit/runtime/layout.hpp"
#include "gomkit/runtime/limits.hpp"
#include "gomkit/runtime/math.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

class ModelView;

// Checks a whole file as a strict loader (gom.md, "error"; warnings and deviations from the canonical form pass) and fills `out`
// on Status::Ok. On failure `out` becomes empty and *info (when not null) says what and where. GOMB0001 only. The first byte
// must lie at a multiple of 16 in memory. Of the checker's two own errors (CTBL entries, validation bits) none is raised.
// Time is linear in the file and in Limits::max_string_bytes (unsorted clip names: n log n). Memory: under 64 KiB of stack.
[[nodiscard]] Status verify(std::span<const std::byte> file, const Limits& limits, ModelView& out, ErrorInfo* info) noexcept;

// MATL slot (gom.md 3, MATL). Colours are linear, as authored.
struct MaterialView {
    std::string_view name;  // empty: none
    std::uint32_t flags = 0;
    Vec3f diffuse;   // kd
    Vec3f specular;  // ks
    Vec3f emissive;  // ke
    float shininess = 0;
    float opacity = 0;
    std::string_view
        diffuse_map;  // paths as stored; empty: none. Whether to open one is the caller's decision (gom.md 3, map paths)
    std::string_view normal_map;
    std::string_view specular_map;
    std::string_view emissive_map;
};

// SKEL bone. bind_local is bone to parent at bind (model space for a root), its last column set to exactly 0 0 0 1.
struct BoneView {
    std::int32_t parent = layout::kNoParent;  // below the bone's own index, or -1
    std::string_view name;
    std::string_view path;
    Mat4f bind_local;
};

// SUB0 entry.
struct SubmeshView {
    std::uint32_t material_index = 0;
    std::uint32_t index_start = 0;
    std::uint32_t index_count = 0;  // a non-zero multiple of 3
};

// VF01 vertex (gom.md 3), byte for byte, in geometry space.
struct Vertex {
    float position[3];  // metres
    float normal[3];
    float tangent[4];  // w: sign of the bitangent
    float uv0[2];      // origin top-left, v down
    std::uint16_t bone_index[4];
    float bone_weight[4];
};
static_assert(sizeof(Vertex) == layout::vf01::kSize);

// BND0: bounds of the stored positions, in geometry space.
struct BoundsView {
    Vec3f aabb_min;
    Vec3f aabb_max;
    Vec3f sphere_center;
    float sphere_radius = 0;
};

// A blend shape channel (docs/spec/morph.md 1): what a game sets, by its weight.
struct MorphChannelView {
    std::string_view name;     // unique in the file
    float default_weight = 0;  // where nothing else sets it; 1 is 100 %
    std::uint32_t shape_count = 0;
};

// One MRPH: where a shape has the vertices of a part that it moves. Offsets are from the part's own, in geometry space.
class MorphShapeView {
public:
    MorphShapeView() noexcept = default;

    [[nodiscard]] std::uint32_t channel() const noexcept { return channel_; }  // ModelView::morph_channel
    [[nodiscard]] std::uint32_t shape() const noexcept { return shape_; }      // among the channel's
    [[nodiscard]] std::uint32_t vertex_count() const noexcept { return vertex_count_; }
    [[nodiscard]] std::uint32_t vertex(std::uint32_t index) const noexcept;  // strictly ascending
    [[nodiscard]] Vec3f position(std::uint32_t index) const noexcept;        // offset of that vertex
    [[nodiscard]] Vec3f normal(std::uint32_t index) const noexcept;
    // As stored, for the GPU: u32[vertex_count()], f32[vertex_count()][3] twice; 4-byte aligned.
    [[nodiscard]] std::span<const std::byte> vertex_bytes() const noexcept { return {vertices_, 4 * std::size_t{vertex_count_}}; }
    [[nodiscard]] std::span<const std::byte> position_bytes() const noexcept;
    [[nodiscard]] std::span<const std::byte> normal_bytes() const noexcept;

private:
    friend class MorphShapeIterator;
    const std::byte* vertices_ = nullptr;
    std::uint32_t channel_ = 0;
    std::uint32_t shape_ = 0;
    std::uint32_t vertex_count_ = 0;
};

// Forward iterator over a part's MRPH, by channel and shape; O(1) a step (plus the chunks in between). Its own range.
class MorphShapeIterator {
public:
    MorphShapeIterator() noexcept = default;
    [[nodiscard]] MorphShapeView operator*() const noexcept;
    MorphShapeIterator& operator++() noexcept;
    friend bool operator==(const MorphShapeIterator& a, const MorphShapeIterator& b) noexcept { return a.left_ == b.left_; }
    [[nodiscard]] MorphShapeIterator begin() const noexcept { return *this; }
    [[nodiscard]] MorphShapeIterator end() const noexcept { return {}; }

private:
    friend class MeshPartView;
    const std::byte* file_ = nullptr;
    std::uint64_t offset_ = 0;
    std::uint32_t left_ = 0;
};

// One MSH0. Making one walks its children's headers; all else is O(1).
class MeshPartView {
public:
    MeshPartView() noexcept = default;

    [[nodiscard]] std::string_view name() const noexcept { return name_; }  // the mesh node's; empty: none
    [[nodiscard]] std::uint32_t vertex_count() const noexcept { return vertex_count_; }
    [[nodiscard]] std::uint32_t index_count() const noexcept { return index_count_; }
    [[nodiscard]] std::uint32_t submesh_count() const noexcept { return submesh_count_; }
    [[nodiscard]] std::uint32_t bone_count() const noexcept { return bone_count_; }  // SKEL's, or 0: unskinned
    [[nodiscard]] bool is_skinned() const noexcept { return bone_count_ != 0; }
    [[nodiscard]] std::uint64_t byte_offset() const noexcept { return byte_offset_; }  // of MSH0's chunk header in the file

    // vertex_count() records of 72 bytes, VF01, 16-byte aligned.
    [[nodiscard]] std::span<const std::byte> vertex_bytes() const noexcept { return vertex_bytes_; }
    [[nodiscard]] Vertex vertex(std::uint32_t index) const noexcept;

    // index_count() indices of index_size() bytes (4 or 2), 16-byte aligned; each below vertex_count().
    [[nodiscard]] std::span<const std::byte> index_bytes() const noexcept { return index_bytes_; }
    [[nodiscard]] std::uint32_t index_size() const noexcept { return index_size_; }
    [[nodiscard]] std::uint32_t index(std::uint32_t position) const noexcept;
    // In place, on little-endian hosts, when index_size() is 4 (2 for indices16); else empty.
    [[nodiscard]] std::span<const std::uint32_t> indices32() const noexcept;
    [[nodiscard]] std::span<const std::uint16_t> indices16() const noexcept;

    [[nodiscard]] SubmeshView submesh(std::uint32_t index) const noexcept;

    // bone_count() matrices of 64 bytes, as stored (gom.md 3, IBND).
    [[nodiscard]] std::span<const std::byte> inverse_bind_bytes() const noexcept { return inverse_bind_bytes_; }
    // Geometry space to bone space at bind; last column set to exactly 0 0 0 1.
    [[nodiscard]] Mat4f inverse_bind(std::uint32_t bone_index) const noexcept;

    [[nodiscard]] bool has_bounds() const noexcept {
        return bounds_bytes_.size() != 0;
    }                                                  // BND0 is absent, or of another size: false
    [[nodiscard]] BoundsView bounds() const noexcept;  // zeros without has_bounds()

    [[nodiscard]] bool has_geometry_to_model() const noexcept { return geometry_to_model_bytes_.size() != 0; }
    // GBTM, last column set to exactly 0 0 0 1; the identity when absent.
    [[nodiscard]] Mat4f geometry_to_model() const noexcept;

    // What blend shapes do here; 0 where there are none. Bounds do not count them.
    [[nodiscard]] std::uint32_t morph_count() const noexcept { return morphs_.left_; }
    [[nodiscard]] MorphShapeIterator morphs() const noexcept { return morphs_; }

private:
    friend class ModelView;
    template <class View>
    friend class ChunkIterator;
    static constexpr std::uint32_t kFourcc = layout::kMsh0;
    // The MSH0 whose header lies at that offset.
    MeshPartView(const FileView& file, std::uint64_t byte_offset) noexcept;

    std::string_view name_;
    std::uint64_t byte_offset_ = 0;
    std::uint32_t vertex_count_ = 0;
    std::uint32_t index_count_ = 0;
    std::uint32_t submesh_count_ = 0;
    std::uint32_t bone_count_ = 0;
    std::uint32_t index_size_ = 4;
    std::span<const std::byte> vertex_bytes_;
    std::span<const std::byte> index_bytes_;
    std::span<const std::byte> submesh_bytes_;
    std::span<const std::byte> inverse_bind_bytes_;
    std::span<const std::byte> bounds_bytes_;
    std::span<const std::byte> geometry_to_model_bytes_;
    MorphShapeIterator morphs_;
};

namespace detail {

class ModelVerifier;

}  // namespace detail

using MeshPartRange = ChunkRange<MeshPartView>;

// A verified GOM. Empty (all counts 0) until verify() fills it. About 2 KiB; ranges and iterators refer to it and must not outlive it.
class ModelView : public FileView {
public:
    ModelView() noexcept = default;

    [[nodiscard]] std::uint32_t material_count() const noexcept { return material_count_; }
    [[nodiscard]] MaterialView material(std::uint32_t index) const noexcept;

    // SKEL; 0 bones without one. Bones are in path order, parents before children.
    [[nodiscard]] std::uint32_t bone_count() const noexcept { return bone_count_; }
    [[nodiscard]] BoneView bone(std::uint32_t index) const noexcept;
    [[nodiscard]] std::int32_t bone_parent(std::uint32_t index) const noexcept;
    [[nodiscard]] std::span<const std::byte> parent_bytes() const noexcept;  // bone_count() little-endian i32, as stored
    [[nodiscard]] std::string_view bone_name(std::uint32_t index) const noexcept;
    [[nodiscard]] std::string_view bone_path(std::uint32_t index) const noexcept;
    [[nodiscard]] Mat4f bind_local(std::uint32_t index) const noexcept;          // last column set to exactly 0 0 0 1
    [[nodiscard]] std::span<const std::byte> bind_local_bytes() const noexcept;  // bone_count() matrices of 64 bytes, as stored

    // MRPC; 0 channels without one. Ordered by name.
    [[nodiscard]] std::uint32_t morph_channel_count() const noexcept { return morph_channel_count_; }
    [[nodiscard]] MorphChannelView morph_channel(std::uint32_t index) const noexcept;
    [[nodiscard]] std::uint32_t morph_shape_count(std::uint32_t channel) const noexcept;  // without reading its name
    // The weight at which the shape is reached in full; ascending within a channel, never 0.
    [[nodiscard]] float morph_shape_weight(std::uint32_t channel, std::uint32_t shape) const noexcept;
    // The index of the channel of that name, or morph_channel_count(). O(log channels).
    [[nodiscard]] std::uint32_t find_morph_channel(std::string_view name) const noexcept;

    [[nodiscard]] std::uint32_t part_count() const noexcept { return parts_.count; }
    [[nodiscard]] MeshPartRange parts() const noexcept;
    // At most part_count() / 128 steps from a remembered place; loops use parts().
    [[nodiscard]] MeshPartView part(std::uint32_t index) const noexcept;

    // Totals over all parts.
    [[nodiscard]] std::uint64_t vertex_total() const noexcept { return vertex_total_; }
    [[nodiscard]] std::uint64_t index_total() const noexcept { return index_total_; }
    [[nodiscard]] std::uint64_t submesh_total() const noexcept { return submesh_total_; }
    [[nodiscard]] std::uint64_t morph_vertex_total() const noexcept { return morph_vertex_total_; }  // over all shapes

    // SHA-256 over the skeleton (gom.md 4); computed anew at each call. Without SKEL: that of no bones, which no MTA can match.
    [[nodiscard]] std::array<std::uint8_t, 32> skeleton_signature() const noexcept;

private:
    friend class detail::ModelVerifier;

    // Where the channel's shapes begin among those of all; of the channel count, where they end. Not above it.
    [[nodiscard]] std::uint32_t shape_begin(std::uint32_t channel) const noexcept;

    // File offsets of payloads; meaningless where the count is 0.
    std::uint64_t materials_at_ = 0;
    std::uint64_t bones_at_ = 0;
    std::uint64_t morphs_at_ = 0;
    std::uint64_t vertex_total_ = 0;
    std::uint64_t index_total_ = 0;
    std::uint64_t submesh_total_ = 0;
    std::uint64_t morph_vertex_total_ = 0;
    std::uint32_t material_count_ = 0;
    std::uint32_t bone_count_ = 0;
    std::uint32_t morph_channel_count_ = 0;
    detail::ChunkIndex parts_;
};

}  // namespace gomkit::runtime
