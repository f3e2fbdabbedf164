#pragma once
// Little-endian reading out of a span of bytes, on any alignment and any host byte order.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace gomkit::runtime {

// The value of a T (integer, float or double) stored little-endian at `at`. The caller vouches for sizeof(T) readable bytes.
template <class T>
requires(std::is_arithmetic_v<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8)) [[nodiscard]] inline T
    load_le(const std::byte* at) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        T value;
        std::memcpy(&value, at, sizeof(T));
        return value;
    } else {
        std::byte swapped[sizeof(T)];
        for (std::size_t i = 0; i < sizeof(T); ++i) swapped[i] = at[sizeof(T) - 1 - i];
        T value;
        std::memcpy(&value, swapped, sizeof(T));
        return value;
    }
}

// Stores `value` little-endian at `at`. The caller vouches for sizeof(T) writable bytes.
template <class T>
requires(std::is_arithmetic_v<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 ||
                                     sizeof(T) == 8)) inline void store_le(std::byte* at, T value) noexcept {
    std::byte raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i)
        at[i] = std::endian::native == std::endian::little ? raw[i] : raw[sizeof(T) - 1 - i];
}

// A read position in a span. A read that does not fit gives false, leaves its output and the position as they are, and is
// remembered: failed() stays true. No sum can overflow, whatever the counts.
class ByteCursor {
public:
    ByteCursor() noexcept = default;
    explicit ByteCursor(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    [[nodiscard]] std::size_t remaining() const noexcept { return bytes_.size() - position_; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }

    // Moves to an absolute position, at most the span's size.
    bool seek(std::uint64_t position) noexcept {
        if (position > bytes_.size()) return fail();
        position_ = static_cast<std::size_t>(position);
        return true;
    }

    bool skip(std::uint64_t byte_count) noexcept {
        if (byte_count > remaining()) return fail();
        position_ += static_cast<std::size_t>(byte_count);
        return true;
    }

    // One little-endian value.
    template <class T>
    bool read(T& out) noexcept {
        if (sizeof(T) > remaining()) return fail();
        out = load_le<T>(bytes_.data() + position_);
        position_ += sizeof(T);
        return true;
    }

    // The next byte_count bytes, without copying them.
    bool read_span(std::uint64_t byte_count, std::span<const std::byte>& out) noexcept {
        if (byte_count > remaining()) return fail();
        out = bytes_.subspan(position_, static_cast<std::size_t>(byte_count));
        position_ += static_cast<std::size_t>(byte_count);
        return true;
    }

    // The next count elements of element_size bytes each; element_size must not be 0.
    bool read_array(std::uint64_t count, std::size_t element_size, std::span<const std::byte>& out) noexcept {
        if (count > remaining() / element_size) return fail();
        return read_span(count * element_size, out);
    }

private:
    bool fail() noexcept {
        failed_ = true;
        return false;
    }

    std::span<const std::byte> bytes_;
    std::size_t position_ = 0;
    bool failed_ = false;
};

}  // namespace gomkit::runtime
