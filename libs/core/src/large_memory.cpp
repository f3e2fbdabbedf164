#include <gomkit/core/large_memory.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include <malloc.h>
#include <sys/mman.h>

namespace gomkit::core {
namespace {

constexpr std::size_t kHugePage = 2u << 20;
constexpr std::size_t kMaxKept = 24u << 20;  // what is kept counts as used; small requests cannot have it

// Blocks that were given back and may be handed out again. The kernel clears every page it gives; a conversion that frees 50 MiB
// in one stage and takes 50 MiB in the next spent a sixth of its time there. So that what is kept hardly adds to the peak, it is
// limited, and a request that finds no fitting block first gives as much back to the system.
class Recycler {
public:
    void* take(std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        Block* best = nullptr;
        for (Block& block : blocks_) {
            if (block.size >= bytes && block.size / 4 <= bytes && (best == nullptr || block.size < best->size)) {
                best = &block;
            }
        }
        if (best != nullptr) {
            void* memory = best->memory;
            *best = {};
            return memory;
        }
        std::size_t released = 0;
        while (released < bytes) {
            Block& largest = *std::max_element(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) { return a.size < b.size; });
            if (largest.memory == nullptr) {
                break;
            }
            released += largest.size;
            std::free(largest.memory);
            largest = {};
        }
        return nullptr;
    }

    // False when there is no room: the caller frees it.
    bool keep(void* memory, std::size_t size) noexcept {
        const std::lock_guard lock(mutex_);
        std::size_t kept = 0;
        for (const Block& block : blocks_) {
            kept += block.size;
        }
        const auto empty = std::find_if(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.memory == nullptr; });
        if (empty == blocks_.end() || kept + size > kMaxKept) {
            return false;
        }
        *empty = {memory, size};
        return true;
    }

private:
    struct Block {
        void* memory = nullptr;
        std::size_t size = 0;
    };
    std::mutex mutex_;
    std::array<Block, 32> blocks_{};
};

// A sanitizer wants to see every block come and go.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kRecycle = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kRecycle = false;
#else
constexpr bool kRecycle = true;
#endif
#else
constexpr bool kRecycle = true;
#endif

Recycler& recycler() {
    static Recycler instance;
    return instance;
}

}  // namespace

void* allocate_large(std::size_t bytes) noexcept {
    if (bytes < kHugePage) {
        return std::malloc(bytes != 0 ? bytes : 1);
    }
    if (kRecycle) {
        if (void* memory = recycler().take(bytes); memory != nullptr) {
            return memory;
        }
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

void free_large(void* memory) noexcept {
    // Only what allocate_large aligned so can be one of its large blocks; a small one that happens to lie there is just freed.
    if (kRecycle && memory != nullptr && reinterpret_cast<std::uintptr_t>(memory) % kHugePage == 0) {
        const std::size_t size = ::malloc_usable_size(memory);
        if (size >= kHugePage && recycler().keep(memory, size)) {
            return;
        }
    }
    std::free(memory);
}

}  // namespace gomkit::core
