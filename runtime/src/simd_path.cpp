#include "gomkit/runtime/simd_path.hpp"

#include "simd.hpp"

namespace gomkit::runtime {

SimdPath resolve(SimdPath wanted) noexcept {
#if GOMKIT_RUNTIME_AVX2
    // A look at what the compiler's start-up code found out, not at the CPU: cpuid is slow in virtual machines.
    if ((wanted == SimdPath::Auto || wanted == SimdPath::Avx2) && __builtin_cpu_supports("avx2")) return SimdPath::Avx2;
#endif
#if GOMKIT_RUNTIME_SSE2
    if (wanted != SimdPath::Portable) return SimdPath::Sse2;
#endif
    static_cast<void>(wanted);
    return SimdPath::Portable;
}

}  // namespace gomkit::runtime
