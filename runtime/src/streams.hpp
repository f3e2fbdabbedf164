#pragma once
// Private. What the jobs over vertex streams share.

#include <cstring>

#include "gomkit/runtime/skin_job.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime::detail {

// Whether an element of `size` bytes at each i * stride, i < count, lies in `bytes`.
inline bool fits(std::size_t bytes, std::size_t stride, std::size_t size, std::size_t count) noexcept {
    if (count == 0) return true;
    return bytes >= size && (stride == 0 || count - 1 <= (bytes - size) / stride);
}

inline Status check(const InputStream& in, const OutputStream& out, std::size_t size, std::size_t count) noexcept {
    if (out.bytes.empty()) return Status::Ok;
    if (in.bytes.empty() || out.stride < size) return Status::BadArgument;
    return fits(in.bytes.size(), in.stride, size, count) && fits(out.bytes.size(), out.stride, size, count) ? Status::Ok
                                                                                                            : Status::WrongSize;
}

inline void copy(const InputStream& in, const OutputStream& out, std::size_t size, std::size_t count) noexcept {
    if (out.bytes.empty()) return;
    for (std::size_t i = 0; i < count; ++i)
        std::memmove(out.bytes.data() + i * out.stride, in.bytes.data() + i * in.stride, size);
}

}  // namespace gomkit::runtime::detail
