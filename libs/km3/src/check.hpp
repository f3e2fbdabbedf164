#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/report.hpp>

namespace gomkit::km3 {

/// Tests every rule of docs/spec/km3.md that a file can break, on the bytes themselves, and reports each finding with its place. What a
/// finding makes meaningless is not judged. A file without an error is one that a lenient reader takes; a strict one refuses
/// it where is_strict_error() holds for a finding.
void check(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report);

/// The warnings that a strict reader takes for errors.
[[nodiscard]] constexpr bool is_strict_error(core::IssueId id) {
    using core::IssueId;
    return id == IssueId::KM3_ORDER || id == IssueId::KM3_WEIGHT || id == IssueId::KM3_ALIGN || id == IssueId::KM3_OVERLAP ||
           id == IssueId::KM3_ORPHAN || id == IssueId::KM3_NAME;
}

}  // namespace gomkit::km3
