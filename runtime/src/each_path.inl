// Private; included once a job, inside gomkit::runtime::detail: the kernel named by GOMKIT_RUNTIME_KERNEL, compiled for every path.

namespace portable {
namespace {
#include GOMKIT_RUNTIME_KERNEL
}
}  // namespace portable

#if GOMKIT_RUNTIME_SSE2
namespace sse2 {
namespace {
#include GOMKIT_RUNTIME_KERNEL
}
}  // namespace sse2
#endif

#if GOMKIT_RUNTIME_AVX2
GOMKIT_RUNTIME_AVX2_BEGIN
namespace avx2 {
namespace {
#include GOMKIT_RUNTIME_KERNEL
}
}  // namespace avx2
GOMKIT_RUNTIME_AVX2_END
#endif
