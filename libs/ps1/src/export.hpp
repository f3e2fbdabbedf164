#pragma once

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/error.hpp>

#include "document.hpp"

namespace gomkit::ps1 {

/// Turns a model into a PS1M by docs/spec/ps1m.md, "From a skinned mesh". A model that was a PS1M and still means the same gives its own
/// contents again. What was lost, what rigid skinning and whole numbers cost, and what it fills of the console's room go to the report. Errors: CannotConvert for what the
/// console has no room for, and for lengths beyond its numbers; LimitExceeded; those of build_skeleton() and, with --autorig, autorig().
[[nodiscard]] core::Result<Document> export_model(const model::Model& model, const codec::WriteOptions& options, core::Report& report);

}  // namespace gomkit::ps1
