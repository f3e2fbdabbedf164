#include <gomkit/core/large_memory.hpp>

#include <cstdlib>

#include <sys/mman.h>

namespace gomkit::core {
namespace {

constexpr std::size_t kHugePage = 2u << 20;

}  // namespace

void* allocate_large(std::size_t bytes) noexcept {
    if (bytes < kHugePage) {
        return std::malloc(bytes != 0 ? bytes : 1);
    }
    void* memory = nullptr;
    if (::posix_memalign(&memory, kHugePage, bytes) != 0) {
        return nullptr;
    }
#ifdef MADV_HUGEPAGE
    // Whole huge pages only: the tail would otherwise take memory that nobody asked for.
    (void)::madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    return memory;
}

void free_large(void* memory) noexcept { std::free(memory); }

}  // namespace gomkit::core
