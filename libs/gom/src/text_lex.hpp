#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <gomkit/core/error.hpp>
#include <gomkit/core/report.hpp>

/// The tokens of the text form (gomt.md 1).
namespace gomkit::gom {

/// Why reading stopped at a place of the text.
struct TextProblem {
    core::IssueId id = core::IssueId::GOMT_SYNTAX;
    std::size_t offset = 0;
    std::string found;
    std::string expected;
};

/// What a value begins like.
enum class TextKind : std::uint8_t { Table, Array, String, Number, True, None };

/// Reads tokens one after the other. A function that returns false has described why in `problem`; `at` stays where it was or
/// stands somewhere in the token.
class TextCursor {
public:
    explicit TextCursor(std::string_view text) : begin(text.data()), at(text.data()), end(text.data() + text.size()) {}

    const char* begin;
    const char* at;
    const char* end;
    TextProblem problem;

    [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(at - begin); }
    [[nodiscard]] bool is_at(char c) const { return at != end && *at == c; }
    [[nodiscard]] bool at_name() const { return at != end && is_name_start(*at); }

    /// White space and comments.
    void skip_space() {
        for (; at != end; ++at) {
            if (*at == '/' && end - at > 1 && at[1] == '/') {
                const void* line = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
                at = line == nullptr ? end : static_cast<const char*>(line);
                if (at == end) {
                    return;
                }
            } else if (*at != ' ' && *at != '\n' && *at != '\t' && *at != '\r') {
                return;
            }
        }
    }
    /// The character, after white space; `what` is expected where it does not stand.
    bool take(char c, const char* what) {
        skip_space();
        if (is_at(c)) {
            ++at;
            return true;
        }
        return expected(what);
    }
    bool read_name(std::string_view& out, const char* what) {
        if (!at_name()) {
            return expected(what);
        }
        const char* first = at;
        while (at != end && (is_name_start(*at) || is_digit(*at))) {
            ++at;
        }
        out = std::string_view(first, static_cast<std::size_t>(at - first));
        return true;
    }
    [[nodiscard]] TextKind kind() const;

    /// The next number, rounded once to float32 (GOMT-FLOAT-1).
    bool read_float(float& out);
    /// Digits only, from `least` to `most` (GOMT-FIELD-3).
    bool read_integer(std::int64_t least, std::int64_t most, std::int64_t& out);
    /// The string with its escapes resolved.
    bool read_string(std::string& out);
    /// Goes over a whole value of any kind. `depth` brackets are open already; GOM_LIMIT is the problem where more than `nesting` are.
    bool skip_value(std::uint64_t depth, std::uint64_t nesting);

    /// Sets the problem GOMT_SYNTAX at the cursor, found being what stands there.
    bool expected(std::string what);
    /// What stands at the cursor, in words and short: "the name 'bone'", "a table", "','", "the end of the text".
    [[nodiscard]] std::string describe() const;

    [[nodiscard]] static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    [[nodiscard]] static bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

private:
    bool scan_number(std::string_view& token, bool& integer);
    bool bad_number();
    bool escape(std::string& out);
    bool hex4(std::uint32_t& out);
    bool fault(core::IssueId id, const char* where, std::string found, std::string expected_text);
};

/// The number that a token of the grammar stands for, rounded once to the nearest float32, ties to even; what is too small becomes
/// a denormal or 0. False when it rounds to infinity.
[[nodiscard]] bool to_float(std::string_view token, float& out);

/// `text` in quotes, its middle left out where it is long.
[[nodiscard]] std::string quote_short(std::string_view text);

/// Lines and columns (GOMT-LEX-6) of offsets, for offsets that are asked in ascending order.
class TextPlaces {
public:
    explicit TextPlaces(std::string_view text) : text_(text), newline_(std::min(text.find('\n'), text.size())) {}
    core::TextPos of(std::size_t offset);

private:
    std::string_view text_;
    std::size_t newline_;          ///< the end of the current line
    std::uint64_t line_ = 1;
    std::size_t counted_ = 0;      ///< the columns up to here are known
    std::uint64_t column_ = 1;
};

/// The offset of the first byte that does not belong to well-formed UTF-8; the size of the text when there is none.
[[nodiscard]] std::size_t find_bad_utf8(std::string_view text);

}  // namespace gomkit::gom
