#include "prove.hpp"

#include <string>
#include <utility>

#include <gomkit/core/report.hpp>

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

core::Result<void> prove(std::span<const std::byte> file, const core::Limits& limits) {
    core::Report report;
    codec::CheckOptions options;
    options.limits = limits;
    check(file, "", options, report);
    for (const core::Issue& issue : report.issues()) {
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
    return {};
}

}  // namespace gomkit::mv1
