#include <gomkit/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include <iconv.h>

namespace gomkit::core {
namespace {

// Length of the well-formed UTF-8 sequence at `i` (Unicode 15, table 3-7); 0 when there is none.
std::size_t sequence_length(std::string_view s, std::size_t i) {
    const auto at = [&](std::size_t k) { return static_cast<unsigned char>(s[k]); };
    const unsigned char c = at(i);
    if (c < 0x80) {
        return 1;
    }
    std::size_t length = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (c >= 0xC2 && c <= 0xDF) {
        length = 2;
    } else if (c >= 0xE0 && c <= 0xEF) {
        length = 3;
        low = c == 0xE0 ? 0xA0 : 0x80;
        high = c == 0xED ? 0x9F : 0xBF;
    } else if (c >= 0xF0 && c <= 0xF4) {
        length = 4;
        low = c == 0xF0 ? 0x90 : 0x80;
        high = c == 0xF4 ? 0x8F : 0xBF;
    } else {
        return 0;
    }
    if (s.size() - i < length || at(i + 1) < low || at(i + 1) > high) {
        return 0;
    }
    for (std::size_t k = 2; k < length; ++k) {
        if (at(i + k) < 0x80 || at(i + k) > 0xBF) {
            return 0;
        }
    }
    return length;
}

// Length of the ill-formed sequence at `i`: the longest start of a well-formed one, at least 1 (Unicode 15, 3.9, U+FFFD
// substitution of maximal subparts).
std::size_t ill_formed_length(std::string_view s, std::size_t i) {
    std::size_t length = 1;
    // A lead byte and what follows it are a "start" when some well-formed sequence begins so; completing it with 0x80 or 0xBF
    // tells.
    for (std::size_t k = 2; k <= 3 && i + k <= s.size(); ++k) {
        for (const char filler : {'\x80', '\xBF'}) {
            std::string attempt(s.substr(i, k));
            attempt.resize(4, filler);
            if (sequence_length(attempt, 0) > k) {
                length = k;
            }
        }
        if (length < k) {
            break;
        }
    }
    return length;
}

bool is_control(char c) {
    const auto u = static_cast<unsigned char>(c);
    return u < 0x20 || u == 0x7F;
}

template <class T>
std::string shortest(T value) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return std::string(buffer.data(), end);
}

}  // namespace

TextFault find_text_fault(std::string_view text, std::size_t* offset) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequence_length(text, i);
        const TextFault fault = length == 0           ? TextFault::InvalidUtf8
                                : is_control(text[i]) ? TextFault::ControlCharacter
                                                      : TextFault::None;
        if (fault != TextFault::None) {
            if (offset != nullptr) {
                *offset = i;
            }
            return fault;
        }
        i += length;
    }
    return TextFault::None;
}

std::string clean_text(std::string_view text, bool* changed) {
    bool touched = false;
    while (text.starts_with("\xEF\xBB\xBF")) {  // of two, the second would then lead
        text.remove_prefix(3);
        touched = true;
    }
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequence_length(text, i);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            touched = true;
            i += ill_formed_length(text, i);
            continue;
        }
        if (is_control(text[i])) {
            out += '_';
            touched = true;
        } else {
            out.append(text, i, length);
        }
        i += length;
    }
    if (touched && changed != nullptr) {
        *changed = true;
    }
    return out;
}

std::string from_cp932(std::string_view text, bool* changed) {
    std::string out;
    const auto broken = [&] {
        out += "\xEF\xBF\xBD";
        if (changed != nullptr) {
            *changed = true;
        }
    };
    const iconv_t converter = iconv_open("UTF-8", "CP932");
    const bool opened = converter != reinterpret_cast<iconv_t>(-1);
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            out += text[i++];
            continue;
        }
        // One character at a time: a character has one or two bytes, and what is broken costs one of them.
        bool done = false;
        for (std::size_t length = 1; opened && !done && length <= 2 && i + length <= text.size(); ++length) {
            char raw[2] = {text[i], i + 1 < text.size() ? text[i + 1] : '\0'};
            char utf8[8];
            char* in = raw;
            std::size_t in_left = length;
            char* at = utf8;
            std::size_t out_left = sizeof(utf8);
            if (iconv(converter, &in, &in_left, &at, &out_left) != static_cast<std::size_t>(-1) && in_left == 0 && at != utf8) {
                out.append(utf8, static_cast<std::size_t>(at - utf8));
                i += length;
                done = true;
            } else {
                iconv(converter, nullptr, nullptr, nullptr, nullptr);
            }
        }
        if (!done) {
            broken();
            ++i;
        }
    }
    if (opened) {
        iconv_close(converter);
    }
    return out;
}

std::string from_cp1252(std::string_view text, bool* changed) {
    // What 0x80 to 0x9F mean; 0: nothing. The other bytes are the code points of the same number.
    constexpr std::array<std::uint16_t, 32> kMiddle = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                                       0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                                       0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        unsigned code = byte;
        if (byte >= 0x80 && byte < 0xA0) {
            code = kMiddle[byte - 0x80u];
            if (code == 0) {
                code = 0xFFFD;
                if (changed != nullptr) {
                    *changed = true;
                }
            }
        }
        if (code < 0x80) {
            out += c;
        } else if (code < 0x800) {
            out += static_cast<char>(0xC0u | code >> 6);
            out += static_cast<char>(0x80u | (code & 0x3Fu));
        } else {
            out += static_cast<char>(0xE0u | code >> 12);
            out += static_cast<char>(0x80u | (code >> 6 & 0x3Fu));
            out += static_cast<char>(0x80u | (code & 0x3Fu));
        }
    }
    return out;
}

bool byte_less(std::string_view a, std::string_view b) {
    const std::size_t n = std::min(a.size(), b.size());
    const int order = n == 0 ? 0 : std::memcmp(a.data(), b.data(), n);
    return order != 0 ? order < 0 : a.size() < b.size();
}

std::optional<double> parse_number(std::string_view text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc{} && read.ptr == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string number_text(double value) { return shortest(value); }
std::string number_text(float value) { return shortest(value); }

std::string short_number(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4);
    return error == std::errc() ? std::string(text, end) : number_text(value);
}

std::string hex_text(const std::uint8_t* bytes, std::size_t count) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string out(count * 2, '0');
    for (std::size_t i = 0; i < count; ++i) {
        out[2 * i] = kDigits[bytes[i] >> 4];
        out[2 * i + 1] = kDigits[bytes[i] & 15];
    }
    return out;
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequence_length(text, i);
        // U+0080 to U+009F are control characters too, and some terminals obey them.
        const bool control2 = length == 2 && text[i] == '\xC2' && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (control2) {
            out += "\\xc2";
            ++i;
        }
        if (control2 || length == 0 || is_control(text[i])) {
            const auto byte = static_cast<std::uint8_t>(text[i]);
            out += "\\x" + hex_text(&byte, 1);
            ++i;
        } else {
            out.append(text, i, length);
            i += length;
        }
    }
    return out;
}

}  // namespace gomkit::core
