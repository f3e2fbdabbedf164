#pragma once

#include <cstddef>

namespace gomkit::core {

/// malloc and free for working memory of megabytes: blocks of 2 MiB and more lie on huge pages where the system offers them,
/// which saves most of the page faults of a short-lived process. nullptr when there is no memory.
[[nodiscard]] void* allocate_large(std::size_t bytes) noexcept;
void free_large(void* memory) noexcept;

}  // namespace gomkit::core
