#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/report.hpp>

namespace gomkit::gom {

/// Tests every rule of gomt.md, and those of gom.md about contents, and reports each finding with line, column and path. A fault of
/// the grammar ends it; contents are judged only where every field could be read. Canonical findings: those about the contents, and
/// one about the text, at the first place where a writer's differs.
void check_text(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report);

}  // namespace gomkit::gom
