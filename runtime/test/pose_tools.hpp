#pragma once
// For tests of sampling, palettes and skinning: contexts with memory of their own, and poses.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "gomkit/runtime/runtime.hpp"

namespace gomkit::runtime::test {

inline constexpr SimdPath kAllPaths[] = {SimdPath::Portable, SimdPath::Sse2, SimdPath::Avx2};

// Exactly `size` bytes at a multiple of `alignment`, plus `offset`: a sanitizer sees the first byte beyond.
class Memory {
public:
    explicit Memory(std::size_t size, std::size_t offset = 0)
        : size_(size), offset_(offset), data_(static_cast<std::byte*>(::operator new (size + offset, std::align_val_t{64}))) {
        std::memset(data_, 0xCD, size + offset);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { ::operator delete (data_, std::align_val_t{64}); }
    [[nodiscard]] std::span<std::byte> bytes() const { return {data_ + offset_, size_}; }

private:
    std::size_t size_, offset_;
    std::byte* data_;
};

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
