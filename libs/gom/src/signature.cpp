#include "signature.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <gomkit/core/text.hpp>
#include <gomkit/runtime/sha256.hpp>

#include "bytes.hpp"

namespace gomkit::gom {

std::array<std::uint8_t, 32> skeleton_signature(std::span<const Bone> bones) {
    std::vector<std::uint32_t> order(bones.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return bones[a].path < bones[b].path; });
    std::vector<std::int32_t> place(bones.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = static_cast<std::int32_t>(i);
    }
    runtime::Sha256 hash;
    std::byte word[4];
    const auto update = [&](auto value) {
        store(word, value);
        hash.update(std::span<const std::byte>(word));
    };
    update(static_cast<std::uint32_t>(bones.size()));
    for (const std::uint32_t i : order) {
        const Bone& bone = bones[i];
        // c_str's NUL is the zero byte that ends a path.
        hash.update(std::as_bytes(std::span(bone.path.c_str(), bone.path.size() + 1)));
        update(bone.parent < 0 ? std::int32_t{-1} : place[static_cast<std::size_t>(bone.parent)]);
    }
    return hash.finish();
}

std::string signature_text(std::span<const Bone> bones) {
    const std::array<std::uint8_t, 32> digest = skeleton_signature(bones);
    return core::hex_text(digest.data(), digest.size());
}

}  // namespace gomkit::gom
