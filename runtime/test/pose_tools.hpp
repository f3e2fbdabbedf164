#pragma once
// For tests of sampling, palettes and skinning: bound contexts, and poses.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "gomkit/runtime/runtime.hpp"
#include "sample.hpp"

namespace gomkit::runtime::test {

inline constexpr SimdPath kAllPaths[] = {SimdPath::Portable, SimdPath::Sse2, SimdPath::Avx2};

inline std::vector<BoneLocal> bind_pose_of(const ModelView& model) {
    std::vector<BoneLocal> out(model.bone_count());
    EXPECT_EQ(bind_pose(model, out), Status::Ok);
    return out;
}

// A bound context.
struct Instance {
    Instance(const ModelView& model, const ClipView& clip)
        : memory(SampleContext::required_bytes(model, clip)), pose(model.bone_count()) {
        EXPECT_EQ(context.bind(model, clip, bind_pose_of(model), memory.bytes()), Status::Ok);
    }
    const std::vector<BoneLocal>& at(float time, SimdPath path = SimdPath::Auto) {
        EXPECT_EQ((SampleJob{&context, time, pose, path}.run()), Status::Ok);
        return pose;
    }
    Memory memory;
    SampleContext context;
    std::vector<BoneLocal> pose;
};

template <class T>
[[nodiscard]] bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline std::vector<Mat4d> model_matrices(const ModelView& model, std::span<const BoneLocal> pose,
                                         SimdPath path = SimdPath::Auto) {
    std::vector<Mat4d> out(model.bone_count());
    EXPECT_EQ((LocalToModelJob{&model, pose, out, path}.run()), Status::Ok);
    return out;
}

inline std::vector<Mat4f> palette_of(const MeshPartView& part, std::span<const Mat4d> bones,
                                     PaletteSpace space = PaletteSpace::Geometry, SimdPath path = SimdPath::Auto) {
    std::vector<Mat4f> out(palette_size(part));
    EXPECT_EQ((PaletteJob{&part, bones, space, out, {}, path}.run()), Status::Ok);
    return out;
}

}  // namespace gomkit::runtime::test
