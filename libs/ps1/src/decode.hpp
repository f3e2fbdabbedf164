#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <gomkit/core/error.hpp>
#include <gomkit/core/report.hpp>

#include "document.hpp"

namespace gomkit::ps1 {

/// Reads a PS1M of any of its three generations. The first violated rule that is an error for readers is the Error, with its place; its
/// first note is "rule <id>". What the console has no room for (more than 64 bones ...) is read: that is check()'s business.
[[nodiscard]] core::Result<Document> decode(std::span<const std::byte> bytes, const std::string& file);

/// Reports every finding of docs/spec/ps1m.md that the file gives, with its place; what a finding makes meaningless is not judged.
/// `canonical`: also what a writer would write otherwise. decode() takes the file exactly when no error but those of is_checkers() is told.
void check(std::span<const std::byte> bytes, const std::string& file, bool canonical, core::Report& report);

}  // namespace gomkit::ps1
