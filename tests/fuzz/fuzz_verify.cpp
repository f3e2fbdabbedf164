// Any bytes: the run-time's verify() must neither crash nor hang, and what it accepts must be readable in full.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "../../runtime/test/touch.hpp"
#include "gomkit/runtime/runtime.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit::runtime;
    // Exactly as many bytes as there are, at a multiple of 16: a sanitizer sees the first read beyond.
    auto* block = static_cast<std::byte*>(::operator new (size, std::align_val_t{16}));
    if (size != 0) std::memcpy(block, data, size);
    ModelView view;
    ErrorInfo info;
    const Status status = verify({block, size}, Limits{}, view, &info);
    if (status != info.status || view.is_empty() != (status != Status::Ok) || info.part[sizeof(info.part) - 1] != '\0')
        std::abort();
    if (status == Status::Ok) {
        // Kept by the optimiser through the volatile store.
        [[maybe_unused]] volatile std::uint64_t sink = test::Touch::everything(view);
    } else if (info.byte_offset > size) {
        std::abort();
    }
    // Other limits must only ever add LimitExceeded.
    const Status strict = verify({block, size}, Limits::small(), view, nullptr);
    if (strict != status && strict != Status::LimitExceeded) std::abort();
    ::operator delete (block, std::align_val_t{16});
    return 0;
}
