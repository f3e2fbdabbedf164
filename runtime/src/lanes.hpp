#pragma once
// Private. The vectors of every path, for the kernels (each_path.inl), and the choice among them.

#include "gomkit/runtime/simd_path.hpp"
#include "lanes_avx2.hpp"
#include "lanes_portable.hpp"
#include "lanes_sse2.hpp"

#if GOMKIT_RUNTIME_SSE2
#define GOMKIT_RUNTIME_CASE_SSE2(...) \
    case SimdPath::Sse2:              \
        detail::sse2::__VA_ARGS__;    \
        break;
#else
#define GOMKIT_RUNTIME_CASE_SSE2(...)
#endif

#if GOMKIT_RUNTIME_AVX2
#define GOMKIT_RUNTIME_CASE_AVX2(...) \
    case SimdPath::Avx2:              \
        detail::avx2::__VA_ARGS__;    \
        break;
#else
#define GOMKIT_RUNTIME_CASE_AVX2(...)
#endif

// A call of a kernel's function, without its namespace, on the path that `path` stands for here.
#define GOMKIT_RUNTIME_ON_PATH(path, ...)         \
    do {                                          \
        switch (resolve(path)) {                  \
            GOMKIT_RUNTIME_CASE_AVX2(__VA_ARGS__) \
            GOMKIT_RUNTIME_CASE_SSE2(__VA_ARGS__) \
            default:                              \
                detail::portable::__VA_ARGS__;    \
        }                                         \
    } while (false)
