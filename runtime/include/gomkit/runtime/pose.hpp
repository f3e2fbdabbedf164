#pragma once
// A pose: one local transform a bone. What sampling makes, what blending and root motion change, what palettes are made of.

#include <cstdint>

#include "gomkit/runtime/math.hpp"

namespace gomkit::runtime {

// Where one bone stands relative to its parent (a root: to model space), local = S * R * T (gom.md 1, TRS). Poses are arrays of
// these in SKEL order, in the caller's memory.
struct alignas(16) BoneLocal {
    Vec3f translation;           // metres
    std::uint32_t is_keyed = 0;  // 0: nothing moves the bone. It then stands at bindLocal itself, the matrix as stored, which a
                                 // shear keeps different from S * R * T; the members hold its decomposition (gom.md 3).
    Quatf rotation;              // unit length
    Vec3f scale{1, 1, 1};
    std::uint32_t reserved = 0;
};
static_assert(sizeof(BoneLocal) == 48);

}  // namespace gomkit::runtime
