#include "prove.hpp"

#include <string>

#include <gomkit/core/report.hpp>

#include "check.hpp"

namespace gomkit::km3 {

core::Result<void> prove(std::span<const std::byte> bytes, const core::Limits& limits) {
    core::Report report;
    codec::CheckOptions options;
    options.limits = limits;
    options.canonical = true;   // decodes and encodes
    check(bytes, "", options, report);
    // What a source may ask for: unknown bits of type. Records without normals come from a KM3 that has none.
    for (const core::Issue& issue : report.issues()) {
        if (issue.id == core::IssueId::KM3_TYPE || issue.id == core::IssueId::KM3_NID) {
            continue;
        }
        const bool limit = issue.id == core::IssueId::KM3_LIMIT;
        return core::fail(limit ? core::Code::LimitExceeded : core::Code::InvalidOutput, core::Place{{}, issue.place.part, issue.place.byte, std::nullopt},
                          limit ? issue.text : "the finished KM3 did not pass its own check: " + std::string(core::info(issue.id).name) + ": " + issue.text, {}, {},
                          limit ? "split the model, or raise the limits with --limits large" : "this is a bug of gomkit: please report it");
    }
    return {};
}

}  // namespace gomkit::km3
