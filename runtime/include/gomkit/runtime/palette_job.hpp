#pragma once
// From local transforms to the matrices that skin a part (gom.md 1, Spaces):
//     boneModel[i] = local[i] * boneModel[parent[i]]         LocalToModelJob
//     palette[i]   = inverseBind[i] * boneModel[i]           PaletteJob
// Sums are in double and rounded once, so that deep chains stay within 1e-6 of the exact result.

#include <cstddef>
#include <cstdint>
#include <span>

#include "gomkit/runtime/math.hpp"
#include "gomkit/runtime/model_view.hpp"
#include "gomkit/runtime/pose.hpp"
#include "gomkit/runtime/simd_path.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

// An affine matrix for shader constants: the first three columns of the 4x4, each as a row. Row r is m[4r .. 4r+3], and
// p'[r] = m[4r] * x + m[4r+1] * y + m[4r+2] * z + m[4r+3].
struct Mat3x4f {
    float m[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    friend constexpr bool operator==(const Mat3x4f&, const Mat3x4f&) = default;
};

[[nodiscard]] constexpr Mat3x4f to_3x4(const Mat4f& a) noexcept {
    Mat3x4f out;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 4; ++c) out.m[4 * r + c] = a.m[4 * c + r];
    return out;
}

// S * R * T of a pose's element in double, the rotation normalised (length 0: the identity). is_keyed plays no part.
[[nodiscard]] Mat4d local_matrix(const BoneLocal& local) noexcept;

// Bone space to model space. A root's matrix is its local; a bone whose is_keyed is 0 stands at bindLocal as stored.
struct LocalToModelJob {
    const ModelView* model = nullptr;
    std::span<const BoneLocal> locals = {};  // bone_count() elements
    std::span<Mat4d> bone_to_model =
        {};  // bone_count() elements; the last columns are exactly 0 0 0 1. matrix_cast<float> makes floats.
    SimdPath path = SimdPath::Auto;

    // BadArgument: no model. WrongSize: a span.
    [[nodiscard]] Status validate() const noexcept;
    // validate(), then writes all of bone_to_model. On failure nothing is written.
    [[nodiscard]] Status run() const noexcept;
};

enum class PaletteSpace : std::uint8_t {
    Geometry,  // skinning ends in geometry space: inverseBind * boneModel
    Model,     // skinning ends in model space: inverseBind * boneModel * GBTM
};

// Matrices in the palette of a part: bone_count(), or 1 for an unskinned part (the identity, or GBTM in model space).
[[nodiscard]] std::uint32_t palette_size(const MeshPartView& part) noexcept;

// The palette of one part. In PaletteSpace::Model GBTM's translation is weighted with the bones, so a vertex whose weights sum to s is
// off by (1 - s) of it: at most 1e-4 of it in a valid file.
struct PaletteJob {
    const MeshPartView* part = nullptr;
    std::span<const Mat4d> bone_to_model = {};  // of LocalToModelJob; bone_count() elements, not read for an unskinned part
    PaletteSpace space = PaletteSpace::Geometry;
    std::span<Mat4f> palette = {};        // palette_size() elements, or empty; last columns exactly 0 0 0 1
    std::span<Mat3x4f> palette_3x4 = {};  // palette_size() elements, or empty; equals to_3x4 of the same matrices
    SimdPath path = SimdPath::Auto;

    // BadArgument: no part, or nothing to write. WrongSize: a span.
    [[nodiscard]] Status validate() const noexcept;
    // validate(), then writes all of what is given. On failure nothing is written.
    [[nodiscard]] Status run() const noexcept;
};

}  // namespace gomkit::runtime
