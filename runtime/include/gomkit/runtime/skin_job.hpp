#pragma once
// Linear blend skinning on the CPU (gom.md 1, Spaces): positions, normals, tangents.
//     position = sum_k weight_k * (p * palette[bone_k])
//     normal   = normalised n * (cofactors of B * sign of det B)     B = 3x3 of sum_k weight_k * palette[bone_k]
//     tangent  = normalised t * B, its w times the sign of det B     (a determinant of 0 counts as positive)
// A result of length 0 stays 0 0 0. The palette decides whether results are in geometry or in model space.

#include <cstddef>
#include <cstdint>
#include <span>

#include "gomkit/runtime/math.hpp"
#include "gomkit/runtime/model_view.hpp"
#include "gomkit/runtime/palette_job.hpp"
#include "gomkit/runtime/simd_path.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

// One attribute of all vertices: that of vertex i starts at bytes[i * stride], in the host's byte order, at any alignment. The last
// one's end may be the span's end. Inputs take any stride, 0 too (all vertices alike); outputs one that is not below the attribute's size.
struct InputStream {
    std::span<const std::byte> bytes = {};
    std::size_t stride = 0;
};
struct OutputStream {
    std::span<std::byte> bytes = {};
    std::size_t stride = 0;
};

template <class T>
[[nodiscard]] InputStream input_stream(std::span<const T> elements, std::size_t byte_offset = 0) noexcept {
    const auto bytes = std::as_bytes(elements);
    return {bytes.subspan(byte_offset < bytes.size() ? byte_offset : bytes.size()), sizeof(T)};
}
template <class T>
[[nodiscard]] OutputStream output_stream(std::span<T> elements, std::size_t byte_offset = 0) noexcept {
    const auto bytes = std::as_writable_bytes(elements);
    return {bytes.subspan(byte_offset < bytes.size() ? byte_offset : bytes.size()), sizeof(T)};
}

// By which matrix normals go.
enum class NormalMatrix : std::uint8_t {
    Cofactor,  // as above: right for every palette
    // B itself, the usual shortcut. The same direction where B is a rotation times one scale: for a vertex of one bone, if the palette has
    // no non-uniform scale. Between bones B is none, even if every matrix of the palette is: normals then lean.
    Plain,
};

// Decided once a palette: Plain if no matrix scales non-uniformly or shears, which is that its rows' lengths squared differ, and its rows'
// dot products differ from 0, by at most 2e-6 of the largest length squared; the direction of a normal is then kept within 2e-6.
[[nodiscard]] NormalMatrix plainest_normal_matrix(std::span<const Mat4f> palette) noexcept;

struct SkinJob {
    static constexpr std::uint32_t kMaxInfluences = 4;

    std::uint32_t vertex_count = 0;
    // 1 to 4 bones a vertex. 0: none; all vertices then go by palette[0], or, where the palette is empty, are copied bit by bit.
    std::uint32_t influence_count = 0;
    std::span<const Mat4f> palette = {};  // last columns are taken as 0 0 0 1

    InputStream positions = {};     // f32[3]
    InputStream normals = {};       // f32[3]
    InputStream tangents = {};      // f32[4]
    InputStream bone_indices = {};  // u16[influence_count]
    InputStream bone_weights = {};  // f32[influence_count], used as they are
    // Bone indices are known to be below this number: the caller vouches. 0: not known, run() looks at them all first.
    std::uint32_t bone_index_bound = 0;

    // An empty output is not computed, and its input not read. An output may be its own input (same bytes, same stride); any other
    // overlap of an output gives unspecified numbers.
    OutputStream out_positions = {};  // f32[3]
    OutputStream out_normals = {};    // f32[3]
    OutputStream out_tangents = {};   // f32[4]

    NormalMatrix normal_matrix = NormalMatrix::Cofactor;
    SimdPath path = SimdPath::Auto;

    // Fills vertex_count, influence_count, the input streams and bone_index_bound from a part of a verified file, read in place (on
    // little-endian hosts; elsewhere the streams stay empty, which validate() refuses).
    void read_part(const MeshPartView& part) noexcept;

    // BadArgument: influence_count, an input missing, an output's stride. WrongSize: a stream shorter than its stride and vertex_count
    // ask for, a palette smaller than bone_index_bound, or empty with influences.
    [[nodiscard]] Status validate() const noexcept;
    // validate(), then writes the outputs. BadBoneIndex: an index is not below the palette's size (with bone_index_bound 0). On failure
    // nothing is written.
    [[nodiscard]] Status run() const noexcept;
};

}  // namespace gomkit::runtime
