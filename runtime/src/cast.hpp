#pragma once
// Private. The floats of files and poses, and the doubles that sums are done in.

#include <bit>
#include <cstdint>

#include "gomkit/runtime/math.hpp"

namespace gomkit::runtime::detail {

constexpr bool is_finite(float x) noexcept { return (std::bit_cast<std::uint32_t>(x) & 0x7F80'0000U) != 0x7F80'0000U; }

constexpr Vec3d widen(const Vec3f& v) noexcept {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
constexpr Quatd widen(const Quatf& q) noexcept {
    return {static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z), static_cast<double>(q.w)};
}
constexpr Vec3f narrow(const Vec3d& v) noexcept {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
constexpr Quatf narrow(const Quatd& q) noexcept {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

}  // namespace gomkit::runtime::detail
