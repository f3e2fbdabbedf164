#include "prove.hpp"

#include <string>
#include <utility>

#include "check.hpp"
#include "decode.hpp"
#include "loader_model.hpp"

namespace gomkit::mv1 {
namespace {

core::Fault failed(const std::string& why) {
    return core::fail(core::Code::InvalidOutput, {}, "the finished .mv1 did not pass its own check: " + why, {}, {},
                      "this is a bug of gomkit: please report it");
}

}  // namespace

core::Result<void> prove(std::span<const std::byte> file, const core::Limits& limits, core::Report& report) {
    core::Report findings;
    codec::CheckOptions options;
    options.limits = limits;
    check(file, "", options, findings);
    for (const core::Issue& issue : findings.issues()) {
        if (core::info(issue.id).severity != core::Severity::Error) {
            continue;
        }
        if (issue.id == core::IssueId::MV1_LIMIT) {
            return core::fail(core::Code::LimitExceeded, {}, issue.text, {}, {}, "split the model, or raise the limits with --limits large");
        }
        return failed(std::string(core::info(issue.id).name) + ": " + issue.text);
    }
    const Checked<core::Bytes> buffer = unpack(file, limits);
    if (!buffer) {
        return failed(buffer.error().what);
    }
    if (const std::string why = load_as_dxlib(*buffer); !why.empty()) {
        return failed(why);
    }
    report.merge(findings);
    return {};
}

}  // namespace gomkit::mv1
