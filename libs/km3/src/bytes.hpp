#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gomkit/core/reader.hpp>
#include <gomkit/core/text.hpp>

/// Reading numbers at known places, and the names that messages give to places.
namespace gomkit::km3 {

/// The little-endian T at `at`; the caller has made sure that it is there.
template <class T>
[[nodiscard]] inline T load(const std::byte* at) {
    return core::Reader({at, sizeof(T)}).get<T>();
}

/// NaN or infinity, by the bits, so that no compiler flag can remove it.
[[nodiscard]] inline bool is_bad_float(float value) { return (std::bit_cast<std::uint32_t>(value) & 0x7F80'0000u) == 0x7F80'0000u; }

/// What float32 cannot hold.
[[nodiscard]] inline bool is_bad_as_float(double value) { return is_bad_float(static_cast<float>(value)); }

/// "unit[17]"
[[nodiscard]] inline std::string indexed(std::string_view name, std::uint64_t index) {
    std::string text(name);
    text += '[';
    text += std::to_string(index);
    text += ']';
    return text;
}

/// "0x00000401"
[[nodiscard]] inline std::string hex32(std::uint32_t value) {
    const std::uint8_t bytes[4] = {static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16),
                                   static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
    return "0x" + core::hex_text(bytes, 4);
}

/// A name's bytes, taken as Latin-1, in UTF-8.
[[nodiscard]] inline std::string from_latin1(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
        const auto code = static_cast<std::uint8_t>(c);
        if (code < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xC0 | code >> 6);
            out += static_cast<char>(0x80 | (code & 0x3F));
        }
    }
    return out;
}

[[nodiscard]] inline bool is_printable_ascii(std::string_view text) {
    for (const char c : text) {
        if (c < 0x20 || c > 0x7E) {
            return false;
        }
    }
    return true;
}

/// The name as a writer gives it: bytes outside printable ASCII as '_', at most 255 bytes (KM3-TEX-4).
[[nodiscard]] inline std::string printable_name(std::string_view text) {
    std::string out(text.substr(0, 255));
    for (char& c : out) {
        c = c < 0x20 || c > 0x7E ? '_' : c;
    }
    return out;
}

/// "skin~2.png"
[[nodiscard]] inline std::string numbered_name(const std::string& name, unsigned number) {
    const std::size_t dot = name.find_last_of('.');
    const std::string ending = dot == std::string::npos || dot == 0 ? std::string() : name.substr(dot);
    const std::string mark = "~" + std::to_string(number);
    std::string stem = name.substr(0, name.size() - ending.size());
    if (stem.size() + mark.size() + ending.size() > 255) {
        stem.resize(255 - mark.size() - std::min<std::size_t>(ending.size(), 255 - mark.size()));
    }
    return (stem + mark + ending).substr(0, 255);
}

}  // namespace gomkit::km3
