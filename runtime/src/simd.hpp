#pragma once
// Private. The one place that includes intrinsics. GOMKIT_RUNTIME_NO_SIMD forces the portable paths, which give equal results.

#if !defined(GOMKIT_RUNTIME_NO_SIMD) && defined(__SSE2__)
#define GOMKIT_RUNTIME_SSE2 1
#include <emmintrin.h>
#else
#define GOMKIT_RUNTIME_SSE2 0
#endif

// AVX2 through a region of functions with that target; asked of the CPU at run time. GOMKIT_RUNTIME_NO_AVX2 leaves it out.
#if GOMKIT_RUNTIME_SSE2 && !defined(GOMKIT_RUNTIME_NO_AVX2) && (defined(__GNUC__) || defined(__clang__))
#define GOMKIT_RUNTIME_AVX2 1
#include <immintrin.h>
#if defined(__clang__)
#define GOMKIT_RUNTIME_AVX2_BEGIN _Pragma("clang attribute push(__attribute__((target(\"avx2\"))), apply_to = function)")
#define GOMKIT_RUNTIME_AVX2_END _Pragma("clang attribute pop")
#else
#define GOMKIT_RUNTIME_AVX2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2\")")
#define GOMKIT_RUNTIME_AVX2_END _Pragma("GCC pop_options")
#endif
#else
#define GOMKIT_RUNTIME_AVX2 0
#endif

// SHA extensions through a function's target attribute; asked of the CPU at run time.
#if GOMKIT_RUNTIME_SSE2 && (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define GOMKIT_RUNTIME_SHA_NI 1
#include <cpuid.h>
#include <immintrin.h>
#else
#define GOMKIT_RUNTIME_SHA_NI 0
#endif
