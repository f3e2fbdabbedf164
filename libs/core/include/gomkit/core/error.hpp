#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace gomkit::core {

/// Why something could not be done. Values are pinned: they appear in --json. The hundreds give the exit code.
enum class Code : std::uint16_t {
    CannotOpen = 101,        ///< an input is missing, unreadable or a folder
    CannotRead = 102,        ///< reading failed half-way
    CannotWrite = 111,       ///< an output cannot be made, is full, or would replace its own input
    LimitExceeded = 201,     ///< a limit of core::Limits was hit
    Malformed = 301,         ///< the bytes are not what the format says
    Truncated = 302,         ///< the bytes end too early
    NotThisFormat = 303,     ///< no codec knows the file, or another kind of file was expected
    Unsupported = 401,       ///< valid, but not something we read or write
    CannotConvert = 501,     ///< valid, but the target cannot hold it
    InvalidOutput = 502,     ///< the finished output did not pass its own check (with a bug of ours: 901)
    WarningsAsErrors = 503,  ///< nothing is wrong but that there are warnings, and the user asked to stop at them
    Usage = 601,             ///< wrong options
    Internal = 901,          ///< a bug of ours
    OutOfMemory = 902,
    Interrupted = 903,
};

/// The process exit code that belongs to an error: 1 invalid input, 2 usage, 3 cannot read, 4 cannot convert or
/// unsupported, 5 cannot write, 6 limit, 7 internal, 130 interrupted (docs/cli.md).
[[nodiscard]] int exit_code(Code code);

/// The enumerator's name, for --json.
[[nodiscard]] const char* name(Code code);

/// Line and column of a text file, both from 1, columns in code points.
struct TextPos {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    bool operator==(const TextPos&) const = default;
};

/// Where something was found. All members may be unknown (empty).
struct Place {
    std::string file;                    ///< as the user named it
    std::string part;                    ///< e.g. "MSH0[3].VB0.vertex[17].boneIndex[2]", or the artist's object
    std::optional<std::uint64_t> byte;   ///< offset in the file
    std::optional<TextPos> line;
    bool operator==(const Place&) const = default;
};

/// The reason there is no answer. `what` is a sentence without a full stop; found, expected, cure may be empty.
struct Error {
    Code code = Code::Internal;
    Place place;
    std::string what;
    std::string found;
    std::string expected;
    std::string cure;
    std::vector<std::string> notes;  ///< innermost first: "while reading X"
};

template <class T>
using Result = tl::expected<T, Error>;
using Fault = tl::unexpected<Error>;

/// Short form for the usual `return fail(Code::Malformed, place, "...")`.
[[nodiscard]] inline Fault fail(Code code, Place place, std::string what, std::string found = {}, std::string expected = {},
                                std::string cure = {}) {
    return Fault(Error{code, std::move(place), std::move(what), std::move(found), std::move(expected), std::move(cure), {}});
}

/// "file: part (byte 17): what: found X, expected Y (cure)", the one form used on stderr; pieces that are empty are left out.
[[nodiscard]] std::string to_string(const Error& error);
[[nodiscard]] std::string to_string(const Place& place);

}  // namespace gomkit::core
