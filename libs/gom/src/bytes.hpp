#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include <gomkit/core/text.hpp>

/// Reading and writing numbers at known places, and the names that messages give to places.
namespace gomkit::gom {

/// The little-endian T at `at`; the caller has made sure that it is there.
template <class T>
[[nodiscard]] inline T load(const std::byte* at) {
    static_assert(std::is_arithmetic_v<T>);
    std::byte raw[sizeof(T)];
    std::memcpy(raw, at, sizeof(T));
    if constexpr (std::endian::native == std::endian::big) {
        for (std::size_t i = 0; i < sizeof(T) / 2; ++i) {
            const std::byte swapped = raw[i];
            raw[i] = raw[sizeof(T) - 1 - i];
            raw[sizeof(T) - 1 - i] = swapped;
        }
    }
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
}

template <class T>
inline void store(std::byte* at, T value) {
    static_assert(std::is_arithmetic_v<T>);
    std::memcpy(at, &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::big) {
        for (std::size_t i = 0; i < sizeof(T) / 2; ++i) {
            const std::byte swapped = at[i];
            at[i] = at[sizeof(T) - 1 - i];
            at[sizeof(T) - 1 - i] = swapped;
        }
    }
}

/// NaN or infinity. Works on the bits, so that it vectorises and no compiler flag can remove it.
[[nodiscard]] inline bool is_bad_float(std::uint32_t bits) { return (bits & 0x7F80'0000u) == 0x7F80'0000u; }
/// 1 for NaN and infinity, else 0: to be or-ed over many numbers without a branch.
[[nodiscard]] inline std::uint32_t bad_float(float value) { return is_bad_float(std::bit_cast<std::uint32_t>(value)) ? 1u : 0u; }
[[nodiscard]] inline bool is_bad_float(float value) { return is_bad_float(std::bit_cast<std::uint32_t>(value)); }

/// "STR0", "VB0"; bytes that are no printable characters as \xNN.
[[nodiscard]] inline std::string fourcc_text(std::uint32_t fourcc) {
    std::string text;
    for (int i = 0; i < 4; ++i) {
        const char c = static_cast<char>(fourcc >> (8 * i) & 0xFFu);
        if (i == 3 && c == '\0') {
            break;
        }
        text += c;
    }
    std::string shown;
    for (const char c : text) {
        const auto code = static_cast<std::uint8_t>(c);
        shown += code >= 0x20 && code < 0x7F ? std::string(1, c) : "\\x" + core::hex_text(&code, 1);
    }
    return shown;
}

/// "0x0000002A"
[[nodiscard]] inline std::string hex32(std::uint32_t value) {
    const std::uint8_t bytes[4] = {static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16),
                                   static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
    return "0x" + core::hex_text(bytes, 4);
}

/// "vertex[17]"
[[nodiscard]] inline std::string indexed(std::string_view name, std::uint64_t index) {
    std::string text(name);
    text += '[';
    text += std::to_string(index);
    text += ']';
    return text;
}

}  // namespace gomkit::gom
