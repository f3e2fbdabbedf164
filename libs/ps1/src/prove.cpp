#include "prove.hpp"

#include <algorithm>

#include <gomkit/core/report.hpp>

#include "decode.hpp"

namespace gomkit::ps1 {

core::Result<void> prove(std::span<const std::byte> bytes) {
    core::Report report;
    check(bytes, "", true, report);
    // Only what a source may have asked for: numbers that were limited on purpose, and the warnings about a PS1M that is written again.
    const auto bad = std::find_if(report.issues().begin(), report.issues().end(), [](const core::Issue& issue) {
        return issue.severity == core::Severity::Error || issue.severity == core::Severity::Canonical;
    });
    if (bad == report.issues().end()) {
        return {};
    }
    return core::fail(core::Code::InvalidOutput, core::Place{{}, bad->place.part, bad->place.byte, std::nullopt},
                      "the finished PS1M did not pass its own check: " + std::string(core::info(bad->id).name) + ": " + bad->text, {}, {},
                      "this is a bug of gomkit: please report it");
}

}  // namespace gomkit::ps1
