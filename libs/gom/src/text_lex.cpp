#include "text_lex.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <gomkit/core/text.hpp>

namespace gomkit::gom {
namespace {

using core::IssueId;

/// A character that would continue a number in some other grammar: "1.2.3", "0x10", "12abc" are no two tokens.
bool continues_number(char c) {
    return TextCursor::is_digit(c) || TextCursor::is_name_start(c) || c == '.' || c == '+' || c == '-';
}

// Powers of ten that float32 holds exactly.
constexpr std::array<float, 11> kPowers = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};

/// from_chars for a token that is known to be short enough to be read as it stands. `exponent` is that of the first digit.
bool to_float_direct(std::string_view token, std::int64_t exponent, float& out) {
    float value = 0;
    const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
    if (result.ec == std::errc::result_out_of_range) {
        if (exponent > 0) {
            return false;
        }
        value = token.front() == '-' ? -0.0f : 0.0f;
    }
    out = value;
    return !std::isinf(value);
}

/// Numbers with more characters than this are brought into a short form first.
constexpr std::size_t kLongNumber = 64;
/// More significant digits cannot decide between two float32, or two and their middle, than whether any of them is not 0.
constexpr std::size_t kDigitsThatCount = 200;

}  // namespace

bool to_float(std::string_view token, float& out) {
    // Digits d1 d2 ... times 10^exponent, d1 not 0 and being the one before the point.
    std::string digits;
    std::int64_t exponent = 0;
    bool more = false;      // a digit other than 0 was left out
    std::size_t i = token.front() == '-' ? 1 : 0;
    const std::size_t integer_end = std::min(token.find_first_of(".eE", i), token.size());
    std::int64_t place = static_cast<std::int64_t>(integer_end - i) - 1;   // of the digit read next
    for (; i < token.size() && token[i] != 'e' && token[i] != 'E'; ++i) {
        if (token[i] == '.') {
            continue;
        }
        if (digits.empty() && token[i] != '0') {
            exponent = place;
        }
        if (!digits.empty() || token[i] != '0') {
            if (digits.size() < kDigitsThatCount) {
                digits += token[i];
            } else {
                more = more || token[i] != '0';
            }
        }
        --place;
    }
    constexpr std::int64_t kFar = std::int64_t{1} << 40;   // beyond what a file can have digits
    std::int64_t written = 0;
    if (i < token.size()) {
        ++i;
        const bool negative = token[i] == '-';
        i += token[i] == '-' || token[i] == '+' ? 1u : 0u;
        for (; i < token.size(); ++i) {
            written = std::min(written * 10 + (token[i] - '0'), kFar);
        }
        written = negative ? -written : written;
    }
    if (digits.empty()) {
        out = token.front() == '-' ? -0.0f : 0.0f;
        return true;
    }
    exponent += written;
    if (token.size() <= kLongNumber) {
        return to_float_direct(token, exponent, out);
    }
    std::string text = token.front() == '-' ? "-" : "";
    text += digits.front();
    text += '.';
    text.append(digits, 1);
    text += more ? "1" : "0";
    text += 'e';
    text += std::to_string(std::clamp<std::int64_t>(exponent, -1000, 1000));
    return to_float_direct(text, exponent, out);
}

std::string quote_short(std::string_view text) {
    constexpr std::size_t kMost = 48;
    if (text.size() <= kMost) {
        return "'" + std::string(text) + "'";
    }
    std::size_t cut = kMost - 8;
    while (cut > 0 && (static_cast<std::uint8_t>(text[cut]) & 0xC0u) == 0x80u) {
        --cut;
    }
    return "'" + std::string(text.substr(0, cut)) + "...' (" + std::to_string(text.size()) + " bytes)";
}

// Tokens

bool TextCursor::fault(core::IssueId id, const char* where, std::string found, std::string expected_text) {
    problem = TextProblem{id, static_cast<std::size_t>(where - begin), std::move(found), std::move(expected_text)};
    return false;
}

bool TextCursor::expected(std::string what) { return fault(IssueId::GOMT_SYNTAX, at, describe(), std::move(what)); }

TextKind TextCursor::kind() const {
    if (at == end) {
        return TextKind::None;
    }
    switch (*at) {
        case '{': return TextKind::Table;
        case '[': return TextKind::Array;
        case '"': return TextKind::String;
        default: break;
    }
    if (is_digit(*at) || *at == '-') {
        return TextKind::Number;
    }
    constexpr std::string_view kTrue = "true";
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    if (rest.substr(0, kTrue.size()) == kTrue &&
        (rest.size() == kTrue.size() || !(is_name_start(rest[kTrue.size()]) || is_digit(rest[kTrue.size()])))) {
        return TextKind::True;
    }
    return TextKind::None;
}

std::string TextCursor::describe() const {
    if (at == end) {
        return "the end of the text";
    }
    switch (kind()) {
        case TextKind::Table: return "a table";
        case TextKind::Array: return "an array";
        case TextKind::True: return "true";
        case TextKind::String: return "a string";
        case TextKind::Number: {
            const char* last = at;
            while (last != end && continues_number(*last)) {
                ++last;
            }
            return quote_short(std::string_view(at, static_cast<std::size_t>(last - at)));
        }
        case TextKind::None: break;
    }
    if (is_name_start(*at)) {
        const char* last = at;
        while (last != end && (is_name_start(*last) || is_digit(*last))) {
            ++last;
        }
        return "the name " + quote_short(std::string_view(at, static_cast<std::size_t>(last - at)));
    }
    const auto byte = static_cast<std::uint8_t>(*at);
    if (byte < 0x20 || byte == 0x7F) {
        return "the control character 0x" + core::hex_text(&byte, 1);
    }
    std::size_t size = 1;   // the whole code point; the text is UTF-8
    while (size < static_cast<std::size_t>(end - at) && (static_cast<std::uint8_t>(at[size]) & 0xC0u) == 0x80u) {
        ++size;
    }
    return "'" + std::string(at, size) + "'";
}

bool TextCursor::bad_number() {
    const char* first = at;
    std::string found = describe();
    return fault(IssueId::GOMT_SYNTAX, first, std::move(found), "a number such as 0, -1, 2.5 or 1e-6");
}

bool TextCursor::scan_number(std::string_view& token, bool& integer) {
    const char* p = at;
    const auto digits = [&] {
        const char* first = p;
        while (p != end && is_digit(*p)) {
            ++p;
        }
        return static_cast<std::size_t>(p - first);
    };
    if (p != end && *p == '-') {
        ++p;
    }
    const char* first = p;
    const std::size_t whole = digits();
    if (whole == 0 || (whole > 1 && *first == '0')) {
        return bad_number();
    }
    integer = true;
    if (p != end && *p == '.') {
        ++p;
        integer = false;
        if (digits() == 0) {
            return bad_number();
        }
    }
    if (p != end && (*p == 'e' || *p == 'E')) {
        ++p;
        integer = false;
        if (p != end && (*p == '+' || *p == '-')) {
            ++p;
        }
        if (digits() == 0) {
            return bad_number();
        }
    }
    if (p != end && continues_number(*p)) {
        return bad_number();
    }
    token = std::string_view(at, static_cast<std::size_t>(p - at));
    return true;
}

bool TextCursor::read_float(float& out) {
    // The common case in one pass: few digits, so that one exact operation gives the value.
    const char* p = at;
    const bool negative = p != end && *p == '-';
    p += negative ? 1 : 0;
    const char* first = p;
    std::uint32_t mantissa = 0;
    while (p != end && is_digit(*p) && p - first < 8) {
        mantissa = mantissa * 10 + static_cast<std::uint32_t>(*p - '0');
        ++p;
    }
    std::ptrdiff_t count = p - first;
    if (count > 0 && (count == 1 || *first != '0')) {
        std::ptrdiff_t fraction = 0;
        bool good = true;
        if (p != end && *p == '.') {
            const char* point = p++;
            while (p != end && is_digit(*p) && p - point < 10) {
                mantissa = mantissa * 10 + static_cast<std::uint32_t>(*p - '0');
                ++p;
            }
            fraction = p - point - 1;
            count += fraction;
            good = fraction > 0;
        }
        // 9 digits fit 32 bits; below 2^24 they fit a float exactly.
        if (good && count <= 9 && mantissa <= (1u << 24) && (p == end || !continues_number(*p))) {
            const float value = static_cast<float>(mantissa) / kPowers[static_cast<std::size_t>(fraction)];
            out = negative ? -value : value;
            at = p;
            return true;
        }
    }
    std::string_view token;
    bool integer = false;
    if (!scan_number(token, integer)) {
        return false;
    }
    if (token.size() <= kLongNumber) {
        const auto result = std::from_chars(token.data(), token.data() + token.size(), out);
        if (result.ec == std::errc() && !std::isinf(out)) {
            at = token.data() + token.size();
            return true;
        }
    }
    if (!to_float(token, out)) {
        return fault(IssueId::GOMT_OVERFLOW, at, quote_short(token), "at most 3.4028235e38");
    }
    at = token.data() + token.size();
    return true;
}

bool TextCursor::read_integer(std::int64_t least, std::int64_t most, std::int64_t& out) {
    std::string_view token;
    bool integer = false;
    if (!scan_number(token, integer)) {
        return false;
    }
    std::int64_t value = 0;
    const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
    if (!integer || result.ec != std::errc() || value < least || value > most) {
        return fault(IssueId::GOMT_INTEGER, at, quote_short(token),
                     "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    }
    at = token.data() + token.size();
    out = value;
    return true;
}

bool TextCursor::hex4(std::uint32_t& out) {
    out = 0;
    for (int i = 0; i < 4; ++i, ++at) {
        const char c = at != end ? *at : '\0';
        const bool digit = is_digit(c);
        const char lower = static_cast<char>(c | 0x20);
        if (!digit && !(lower >= 'a' && lower <= 'f')) {
            return expected("four hex digits behind \\u");
        }
        out = out * 16 + static_cast<std::uint32_t>(digit ? c - '0' : lower - 'a' + 10);
    }
    return true;
}

/// At the backslash.
bool TextCursor::escape(std::string& out) {
    const char* start = at++;
    const auto control = [&](std::string what) {
        return fault(IssueId::GOMT_STRING, start, std::move(what), "a character from 0x20 on other than 0x7f");
    };
    const char c = at != end ? *at : '\0';
    switch (c) {
        case '"':
        case '\\':
        case '/': out += c; ++at; return true;
        case 'b':
        case 'f':
        case 'n':
        case 'r':
        case 't': return control(std::string("\\") + c);
        case 'u': break;
        default: return expected("one of \" \\ / u behind the backslash");
    }
    ++at;
    std::uint32_t code = 0;
    if (!hex4(code)) {
        return false;
    }
    const auto text_so_far = [&] { return std::string(start, static_cast<std::size_t>(at - start)); };
    if (code < 0x20 || code == 0x7F) {
        return control(text_so_far());
    }
    if (code >= 0xDC00 && code <= 0xDFFF) {
        return fault(IssueId::GOMT_STRING, start, text_so_far(), "a high surrogate before the low one");
    }
    if (code >= 0xD800 && code <= 0xDBFF) {
        std::uint32_t low = 0;
        if (end - at < 2 || at[0] != '\\' || at[1] != 'u') {
            return fault(IssueId::GOMT_STRING, start, text_so_far(), "a low surrogate behind the high one");
        }
        at += 2;
        if (!hex4(low)) {
            return false;
        }
        if (low < 0xDC00 || low > 0xDFFF) {
            return fault(IssueId::GOMT_STRING, start, text_so_far(), "a low surrogate behind the high one");
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
    return true;
}

bool TextCursor::read_string(std::string& out) {
    const char* quote = at++;
    out.clear();
    for (;;) {
        const char* first = at;
        while (at != end && *at != '"' && *at != '\\' && static_cast<std::uint8_t>(*at) >= 0x20 && *at != 0x7F) {
            ++at;
        }
        out.append(first, static_cast<std::size_t>(at - first));
        if (at == end) {
            return fault(IssueId::GOMT_SYNTAX, quote, "a string without an end", "a closing quote");
        }
        if (*at == '"') {
            ++at;
            break;
        }
        if (*at != '\\') {
            const auto byte = static_cast<std::uint8_t>(*at);
            const bool line = *at == '\n' || *at == '\r';
            return fault(IssueId::GOMT_STRING, at, line ? "the end of the line" : "the control character 0x" + core::hex_text(&byte, 1),
                         line ? "a closing quote" : "a character from 0x20 on other than 0x7f");
        }
        if (!escape(out)) {
            return false;
        }
    }
    if (out.compare(0, 3, "\xEF\xBB\xBF") == 0) {
        return fault(IssueId::GOM_STRING_BOM, quote, "a byte order mark", "text without one");
    }
    return true;
}

bool TextCursor::skip_value(std::uint64_t depth, std::uint64_t nesting) {
    std::string closers;
    std::string scratch;
    for (;;) {
        bool opened = false;
        switch (kind()) {
            case TextKind::Table:
            case TextKind::Array:
                if (depth + closers.size() >= nesting) {
                    return fault(IssueId::GOM_LIMIT, at, std::to_string(depth + closers.size() + 1), std::to_string(nesting));
                }
                closers += *at == '{' ? '}' : ']';
                opened = true;
                ++at;
                break;
            case TextKind::String:
                if (!read_string(scratch)) {
                    return false;
                }
                break;
            case TextKind::Number: {
                std::string_view token;
                bool integer = false;
                if (!scan_number(token, integer)) {
                    return false;
                }
                at = token.data() + token.size();
                break;
            }
            case TextKind::True: at += 4; break;
            case TextKind::None: return expected("a value");
        }
        // Up to where the next value begins.
        for (;; opened = false) {
            if (closers.empty()) {
                return true;
            }
            skip_space();
            if (!opened && is_at(',')) {
                ++at;
                skip_space();
                opened = true;
            } else if (!opened && !is_at(closers.back())) {
                return expected(std::string("',' or '") + closers.back() + "'");
            }
            if (!is_at(closers.back())) {
                break;
            }
            ++at;
            closers.pop_back();
        }
        if (closers.back() == '}') {
            std::string_view name;
            if (!read_name(name, "a field's name or '}'") || !take('=', "'=' behind the name")) {
                return false;
            }
            skip_space();
        }
    }
}

// Places

core::TextPos TextPlaces::of(std::size_t offset) {
    offset = std::min(offset, text_.size());
    while (newline_ < offset) {
        ++line_;
        counted_ = newline_ + 1;
        column_ = 1;
        newline_ = std::min(text_.find('\n', counted_), text_.size());
    }
    for (; counted_ < offset; ++counted_) {
        column_ += (static_cast<std::uint8_t>(text_[counted_]) & 0xC0u) != 0x80u ? 1u : 0u;
    }
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return {static_cast<std::uint32_t>(std::min(line_, kMost)), static_cast<std::uint32_t>(std::min(column_, kMost))};
}

std::size_t find_bad_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        std::uint64_t word = 0;
        while (text.size() - at >= sizeof(word)) {
            std::memcpy(&word, text.data() + at, sizeof(word));
            if ((word & 0x8080'8080'8080'8080u) != 0) {
                break;
            }
            at += sizeof(word);
        }
        while (at < text.size() && (static_cast<std::uint8_t>(text[at]) & 0x80u) == 0) {
            ++at;
        }
        if (at == text.size()) {
            break;
        }
        std::size_t run = at;   // the end of the bytes that are not ASCII
        while (run < text.size() && (static_cast<std::uint8_t>(text[run]) & 0x80u) != 0) {
            ++run;
        }
        std::size_t bad = 0;
        if (core::find_text_fault(text.substr(at, run - at), &bad) != core::TextFault::None) {
            return at + bad;
        }
        at = run;
    }
    return text.size();
}

}  // namespace gomkit::gom
