#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gomkit::core {

/// Why a string is not one GOM may hold (conventions.md, strings).
enum class TextFault : std::uint8_t { None, InvalidUtf8, ControlCharacter };

/// First fault in `text`; `offset` (may be null) receives its byte index. Overlong forms, surrogates and values beyond
/// U+10FFFF are InvalidUtf8; bytes below 0x20 and 0x7F are ControlCharacter.
[[nodiscard]] TextFault find_text_fault(std::string_view text, std::size_t* offset = nullptr);

/// The rule for imported strings: a leading BOM removed, each byte sequence that is not UTF-8 becomes U+FFFD, each control
/// character '_'. `changed` (may be null) is set to true when anything was, else left alone.
[[nodiscard]] std::string clean_text(std::string_view text, bool* changed = nullptr);

/// Text in code page 932 (Windows Shift-JIS) as UTF-8; each byte that begins no character becomes U+FFFD and sets `changed` (may
/// be null). NUL is a character here: cut the text before.
[[nodiscard]] std::string from_cp932(std::string_view text, bool* changed = nullptr);

/// The same for code page 1252 (Windows, Western Europe); only five bytes mean nothing there.
[[nodiscard]] std::string from_cp1252(std::string_view text, bool* changed = nullptr);

/// Byte-wise order over the shorter length, then shorter first; never by locale.
[[nodiscard]] bool byte_less(std::string_view a, std::string_view b);

/// Shortest decimal that reads back to the same value; "nan", "inf", "-inf" for those. Never depends on the locale.
[[nodiscard]] std::string number_text(double value);
[[nodiscard]] std::string number_text(float value);

/// Four significant digits, which are enough for a measured error.
[[nodiscard]] std::string short_number(double value);

/// The finite number that the whole text is, with '.' as decimal point whatever the locale.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// Two lower-case hex digits a byte.
[[nodiscard]] std::string hex_text(const std::uint8_t* bytes, std::size_t count);

/// `text` for a terminal or log line: control characters and invalid UTF-8 as \xNN, nothing else changed.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace gomkit::core
