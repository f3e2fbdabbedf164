#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace gomkit::core {

/// malloc and free for working memory of megabytes: blocks of 2 MiB and more lie on huge pages where the system offers them,
/// which saves most of the page faults of a short-lived process. nullptr when there is no memory.
[[nodiscard]] void* allocate_large(std::size_t bytes) noexcept;
void free_large(void* memory) noexcept;

/// The same for containers. Stateless; throws std::bad_alloc like any allocator.
template <class T>
struct LargeAllocator {
    using value_type = T;
    using is_always_equal = std::true_type;

    LargeAllocator() = default;
    template <class U>
    LargeAllocator(const LargeAllocator<U>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        static_assert(alignof(T) <= alignof(std::max_align_t));
        if (count > static_cast<std::size_t>(-1) / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        void* memory = allocate_large(count * sizeof(T));
        if (memory == nullptr) {
            throw std::bad_alloc();
        }
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) noexcept { free_large(memory); }

    friend bool operator==(const LargeAllocator&, const LargeAllocator&) noexcept { return true; }
};

/// A vector for what grows with the model: points, corners, vertices, indices.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace gomkit::core
