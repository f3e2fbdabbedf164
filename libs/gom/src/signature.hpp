#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "document.hpp"

namespace gomkit::gom {

/// The skeleton signature (gom.md 12): SHA-256 over the bones in path order. The bones may stand in any order.
[[nodiscard]] std::array<std::uint8_t, 32> skeleton_signature(std::span<const Bone> bones);

/// As 64 hex digits.
[[nodiscard]] std::string signature_text(std::span<const Bone> bones);

}  // namespace gomkit::gom
