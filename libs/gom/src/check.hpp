#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/report.hpp>

namespace gomkit::gom {

/// Tests every rule of gom.md that a file can break, on the bytes themselves, and reports each finding with its place. Goes on
/// after a finding wherever what follows still has a meaning; what a finding makes meaningless is not judged. It reports no error
/// other than GOM_TABLE_DISAGREES and GOM_FLAG_FALSE exactly for files that a strict loader accepts.
void check(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report);

/// The same for motions (mta.md): what a motion can break without its model.
void check_motion(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report);

/// The two errors that only a checker has to find.
[[nodiscard]] constexpr bool is_checker_only(core::IssueId id) {
    return id == core::IssueId::GOM_TABLE_DISAGREES || id == core::IssueId::GOM_FLAG_FALSE;
}

}  // namespace gomkit::gom
