#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/diff.hpp>
#include <gomkit/kit/formats.hpp>
#include <gomkit/kit/info.hpp>
#include <gomkit/kit/registry.hpp>

using Json = nlohmann::ordered_json;

/// The document as text, always valid UTF-8: other bytes, as file names may have them, become U+FFFD.
[[nodiscard]] std::string json_text(const Json& document);

/// What every document begins with: ok, exitCode, errors, issues, truncated, lost (docs/cli.md).
[[nodiscard]] Json json_document(int exit_code, const std::vector<gomkit::core::Error>& errors,
                                 const std::vector<const gomkit::core::Report*>& reports);

[[nodiscard]] Json vector_json(const gomkit::model::Vec3& v);
[[nodiscard]] Json counts_json(const gomkit::kit::Counts& counts);
/// Adds the members of `info` to `document`.
void add_info_json(Json& document, const gomkit::kit::InfoResponse& info);
[[nodiscard]] Json diff_json(const gomkit::kit::DiffResponse& response);
[[nodiscard]] Json format_json(const gomkit::kit::FormatInfo& format);
[[nodiscard]] Json rule_json(const gomkit::core::IssueInfo& rule);
[[nodiscard]] Json versions_json(const gomkit::kit::Versions& versions);
