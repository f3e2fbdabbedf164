#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <gomkit/core/error.hpp>
#include <gomkit/core/report.hpp>

namespace gomkit::mv1 {

/// One violated rule: a row of issues/mv1.def with its three arguments. Readers stop at one, the checker collects them.
struct Finding {
    core::IssueId id = core::IssueId::Count;
    core::Code code = core::Code::Malformed;   ///< what a reader's Error has
    std::string part;                          ///< e.g. "mesh[3].TriangleList"
    std::string what;
    std::string found;
    std::string expected;
};

/// The name of an element in `part`: "mesh[3]".
[[nodiscard]] inline std::string element(const char* kind, std::size_t index) { return std::string(kind) + "[" + std::to_string(index) + "]"; }

template <class T>
using Checked = tl::expected<T, Finding>;

[[nodiscard]] inline tl::unexpected<Finding> broken(core::IssueId id, std::string part, std::string what, std::string found = {},
                                                    std::string expected = {}, core::Code code = core::Code::Malformed) {
    return tl::unexpected<Finding>(Finding{id, code, std::move(part), std::move(what), std::move(found), std::move(expected)});
}

/// The finding as a line of the report, and as the reason why a file is not read. Offsets are those of the decoded buffer and so
/// not given as bytes of the file; `part` says where.
void report(const Finding& finding, const std::string& file, core::Report& report);
[[nodiscard]] core::Error to_error(const Finding& finding, const std::string& file);

}  // namespace gomkit::mv1
