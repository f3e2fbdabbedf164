#pragma once

#include <string>
#include <vector>

#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/diff.hpp>
#include <gomkit/kit/formats.hpp>
#include <gomkit/kit/info.hpp>
#include <gomkit/kit/registry.hpp>

#include "common.hpp"

/// One error on stderr.
void print_error(const gomkit::core::Error& error);
/// Findings on stderr: warnings and errors, with --verbose the rest too, with --quiet errors only.
void print_issues(const gomkit::core::Report& report, const CommonOptions& options);
/// "more than N findings, the rest is not shown".
[[nodiscard]] std::string truncated_text(const gomkit::core::Report& report);

/// Six digits, for people: the exact values are in --json.
[[nodiscard]] std::string rounded(double value);
[[nodiscard]] std::string rounded(const gomkit::model::Vec3& v);

/// "1 mesh", "2 meshes".
[[nodiscard]] std::string amount(std::uint64_t count, const std::string& one, const std::string& many);

[[nodiscard]] std::string convert_text(const gomkit::kit::ConvertRequest& request, const gomkit::kit::ConvertResponse& response);
[[nodiscard]] std::string info_text(const std::string& file, const gomkit::kit::InfoResponse& info, const gomkit::core::Report& report);
[[nodiscard]] std::string diff_text(const gomkit::kit::DiffResponse& response);
[[nodiscard]] std::string formats_text(const std::vector<gomkit::kit::FormatInfo>& formats);
[[nodiscard]] std::string rules_text(const std::vector<const gomkit::core::IssueInfo*>& rules);
[[nodiscard]] std::string rule_text(const gomkit::core::IssueInfo& rule);
void print_versions(const gomkit::kit::Versions& versions, bool json);
