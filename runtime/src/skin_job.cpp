#include "gomkit/runtime/skin_job.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "cast.hpp"
#include "gomkit/runtime/layout.hpp"
#include "lanes.hpp"
#include "streams.hpp"

namespace gomkit::runtime {
namespace detail {
namespace {

constexpr std::size_t kPositionSize = 12, kNormalSize = 12, kTangentSize = 16, kIndexSize = 2, kWeightSize = 4;
constexpr std::size_t kRead = 16;  // bytes read at a position or normal

// Where floats hold: squared lengths of results, the sum of a 3x3's squares, and the square of its determinant as part of that sum cubed.
constexpr float kLeastSquare = 1e-30F, kGreatestSquare = 1e30F;
constexpr float kLeastSize = 1e-9F, kGreatestSize = 1e9F;
constexpr float kLeastVolume = 1e-4F;

struct Input {
    const std::byte* at = nullptr;
    std::size_t stride = 0;
};
struct Output {
    std::byte* at = nullptr;  // null: not wanted
    std::size_t stride = 0;
};
struct SkinStreams {
    const float* palette = nullptr;  // 16 floats a matrix
    Input positions, normals, tangents, indices, weights;
    Output out_positions, out_normals, out_tangents;
    NormalMatrix normal_matrix = NormalMatrix::Cofactor;
};

// A copy of at most kMost vertices, each attribute with room to be read and written in 16 bytes.
class Remainder {
public:
    SkinStreams take(const SkinStreams& from, std::size_t first, std::size_t used, std::size_t lanes,
                     std::size_t influences) noexcept {
        for (std::size_t i = 0; i < lanes; ++i) {
            const std::size_t vertex = first + std::min(i, used - 1);
            copy(positions_[i], from.positions, vertex, kPositionSize, from.out_positions.at != nullptr);
            copy(normals_[i], from.normals, vertex, kNormalSize, from.out_normals.at != nullptr);
            copy(tangents_[i], from.tangents, vertex, kTangentSize, from.out_tangents.at != nullptr);
            copy(indices_[i], from.indices, vertex, kIndexSize * influences, influences != 0);
            copy(weights_[i], from.weights, vertex, kWeightSize * influences, influences != 0);
        }
        SkinStreams few = from;
        few.positions = {&positions_[0][0], kRead};
        few.normals = {&normals_[0][0], kRead};
        few.tangents = {&tangents_[0][0], kRead};
        few.indices = {&indices_[0][0], kRead};
        few.weights = {&weights_[0][0], kRead};
        if (from.out_positions.at != nullptr) few.out_positions = {&out_positions_[0][0], kRead};
        if (from.out_normals.at != nullptr) few.out_normals = {&out_normals_[0][0], kRead};
        if (from.out_tangents.at != nullptr) few.out_tangents = {&out_tangents_[0][0], kRead};
        return few;
    }

    void give(const SkinStreams& to, std::size_t first, std::size_t used) const noexcept {
        for (std::size_t i = 0; i < used; ++i) {
            give_one(to.out_positions, first + i, out_positions_[i], kPositionSize);
            give_one(to.out_normals, first + i, out_normals_[i], kNormalSize);
            give_one(to.out_tangents, first + i, out_tangents_[i], kTangentSize);
        }
    }

private:
    static constexpr std::size_t kMost = 8;
    using Few = std::byte[kMost][kRead];

    static void copy(std::byte* to, const Input& from, std::size_t vertex, std::size_t size, bool is_wanted) noexcept {
        if (is_wanted) std::memcpy(to, from.at + vertex * from.stride, size);
    }
    static void give_one(const Output& to, std::size_t vertex, const std::byte* from, std::size_t size) noexcept {
        if (to.at != nullptr) std::memcpy(to.at + vertex * to.stride, from, size);
    }

    Few positions_ = {}, normals_ = {}, tangents_ = {}, indices_ = {}, weights_ = {};
    Few out_positions_ = {}, out_normals_ = {}, out_tangents_ = {};
};

// A vertex's blended 3x3 and its cofactors in double, for what floats do not hold.
struct ExactMatrix {
    ExactMatrix(const SkinStreams& s, std::size_t vertex, std::size_t influences) noexcept {
        for (double& element : blended.m) element = 0.0;
        for (std::size_t k = 0; k < std::max<std::size_t>(influences, 1); ++k) {
            std::uint16_t index = 0;
            float weight = 1.0F;
            if (influences != 0) {
                std::memcpy(&index, s.indices.at + vertex * s.indices.stride + kIndexSize * k, kIndexSize);
                std::memcpy(&weight, s.weights.at + vertex * s.weights.stride + kWeightSize * k, kWeightSize);
            }
            for (std::size_t e = 0; e < 12; ++e)
                blended.m[e] += static_cast<double>(weight) * static_cast<double>(s.palette[std::size_t{16} * index + e]);
        }
        cofactors = cofactor3(blended);
        is_negative = determinant3(blended) < 0.0;
    }
    Mat4d blended, cofactors;
    bool is_negative;
};

Vec3f exact_direction(const SkinStreams& s, std::size_t vertex, std::size_t influences, const Vec3f& v,
                      NormalMatrix kind) noexcept {
    if (v == Vec3f{}) return {};
    const ExactMatrix matrix(s, vertex, influences);
    const Vec3d out = transform_vector(widen(v), kind == NormalMatrix::Cofactor ? matrix.cofactors : matrix.blended);
    const double size = length(out);
    if (size == 0.0) return {};
    return narrow(out / (kind == NormalMatrix::Cofactor && matrix.is_negative ? -size : size));
}

}  // namespace

#define GOMKIT_RUNTIME_KERNEL "skin_kernel.inl"
#include "each_path.inl"

namespace {

// How many of `count` elements can be read with kRead bytes.
std::size_t readable(const InputStream& stream, std::size_t count) noexcept {
    if (stream.bytes.size() < kRead) return 0;
    return stream.stride == 0 ? count : std::min(count, (stream.bytes.size() - kRead) / stream.stride + 1);
}

Input input(const InputStream& stream) noexcept { return {stream.bytes.data(), stream.stride}; }
Output output(const OutputStream& stream) noexcept {
    return {stream.bytes.empty() ? nullptr : stream.bytes.data(), stream.stride};
}

}  // namespace
}  // namespace detail

NormalMatrix plainest_normal_matrix(std::span<const Mat4f> palette) noexcept {
    constexpr double kBound = 2e-6;
    for (const Mat4f& matrix : palette) {
        const Mat4d m = matrix_cast<double>(matrix);
        const Vec3d row[3] = {{m.m[0], m.m[1], m.m[2]}, {m.m[4], m.m[5], m.m[6]}, {m.m[8], m.m[9], m.m[10]}};
        const double square[3] = {dot(row[0], row[0]), dot(row[1], row[1]), dot(row[2], row[2])};
        const double bound = kBound * std::max({square[0], square[1], square[2]});
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t next = (i + 1) % 3;
            if (!(std::fabs(square[i] - square[next]) <= bound) || !(std::fabs(dot(row[i], row[next])) <= bound))
                return NormalMatrix::Cofactor;
        }
    }
    return NormalMatrix::Plain;
}

void SkinJob::read_part(const MeshPartView& part) noexcept {
    namespace vf01 = layout::vf01;
    vertex_count = part.vertex_count();
    influence_count = part.is_skinned() ? std::uint32_t{vf01::kInfluences} : 0;
    bone_index_bound = part.bone_count();
    positions = normals = tangents = bone_indices = bone_weights = {};
    if (std::endian::native != std::endian::little || vertex_count == 0) return;
    const std::span<const std::byte> bytes = part.vertex_bytes();
    positions = {bytes.subspan(vf01::kPosition), vf01::kSize};
    normals = {bytes.subspan(vf01::kNormal), vf01::kSize};
    tangents = {bytes.subspan(vf01::kTangent), vf01::kSize};
    bone_indices = {bytes.subspan(vf01::kBoneIndex), vf01::kSize};
    bone_weights = {bytes.subspan(vf01::kBoneWeight), vf01::kSize};
}

Status SkinJob::validate() const noexcept {
    using namespace detail;
    if (influence_count > kMaxInfluences) return Status::BadArgument;
    if (vertex_count == 0) return Status::Ok;
    for (const Status status :
         {check(positions, out_positions, kPositionSize, vertex_count), check(normals, out_normals, kNormalSize, vertex_count),
          check(tangents, out_tangents, kTangentSize, vertex_count)})
        if (status != Status::Ok) return status;
    if (influence_count == 0) return Status::Ok;
    if (bone_indices.bytes.empty() || bone_weights.bytes.empty()) return Status::BadArgument;
    if (palette.empty() || palette.size() < bone_index_bound ||
        !fits(bone_indices.bytes.size(), bone_indices.stride, kIndexSize * influence_count, vertex_count) ||
        !fits(bone_weights.bytes.size(), bone_weights.stride, kWeightSize * influence_count, vertex_count))
        return Status::WrongSize;
    return Status::Ok;
}

Status SkinJob::run() const noexcept {
    using namespace detail;
    if (const Status status = validate(); status != Status::Ok) return status;
    if (vertex_count == 0) return Status::Ok;
    if (influence_count == 0 && palette.empty()) {
        copy(positions, out_positions, kPositionSize, vertex_count);
        copy(normals, out_normals, kNormalSize, vertex_count);
        copy(tangents, out_tangents, kTangentSize, vertex_count);
        return Status::Ok;
    }
    if (influence_count != 0 && bone_index_bound == 0 && palette.size() <= 0xFFFFU) {
        std::uint32_t greatest = 0;
        for (std::size_t i = 0; i < vertex_count; ++i) {
            const std::byte* at = bone_indices.bytes.data() + i * bone_indices.stride;
            for (std::size_t k = 0; k < influence_count; ++k) {
                std::uint16_t index;
                std::memcpy(&index, at + kIndexSize * k, kIndexSize);
                greatest = std::max<std::uint32_t>(greatest, index);
            }
        }
        if (greatest >= palette.size()) return Status::BadBoneIndex;
    }

    SkinStreams streams;
    streams.palette = palette.data()->m;
    streams.positions = input(positions);
    streams.normals = input(normals);
    streams.tangents = input(tangents);
    streams.indices = input(bone_indices);
    streams.weights = input(bone_weights);
    streams.out_positions = output(out_positions);
    streams.out_normals = output(out_normals);
    streams.out_tangents = output(out_tangents);
    streams.normal_matrix = normal_matrix;
    std::size_t whole = vertex_count;
    if (!out_positions.bytes.empty()) whole = std::min(whole, readable(positions, whole));
    if (!out_normals.bytes.empty()) whole = std::min(whole, readable(normals, whole));
    GOMKIT_RUNTIME_ON_PATH(path, skin(streams, influence_count, whole, vertex_count));
    return Status::Ok;
}

}  // namespace gomkit::runtime
