#pragma once
// Which instructions a job uses. All paths give the same bits for the same input.

#include <cstdint>

namespace gomkit::runtime {

// A path that this CPU or this build does not have (GOMKIT_RUNTIME_NO_SIMD: only Portable) stands for the next lower one.
enum class SimdPath : std::uint8_t {
    Auto,      // the widest there is
    Portable,  // plain C++
    Sse2,
    Avx2,
};

// The path that `wanted` stands for here: Portable, Sse2 or Avx2. A few instructions; nothing is written.
[[nodiscard]] SimdPath resolve(SimdPath wanted) noexcept;

}  // namespace gomkit::runtime
