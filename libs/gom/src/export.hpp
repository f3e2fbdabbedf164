#pragma once

#include <gomkit/codec/codec.hpp>

#include "document.hpp"

namespace gomkit::gom {

/// Turns a model into a GOM's contents by gom.md ("What the converter writes"): the skeleton, one part per placed mesh in the space
/// that fits it, the materials in use, clips local to the bones. A model that came from a GOM keeps its stored values.
/// Errors: LimitExceeded by options.limits. Losses and doubts go to the report.
/// Unsupported for a motion, which has no skeleton.
[[nodiscard]] core::Result<Document> export_model(model::Model&& model, const codec::WriteOptions& options, core::Report& report);

/// The clips alone, with the signature of the model's skeleton: the same clips, to the bit, as export_model makes. A motion keeps
/// its signature. Errors: LimitExceeded; Unsupported for a model without bones.
[[nodiscard]] core::Result<Document> export_motion(const model::Model& model, const codec::WriteOptions& options, core::Report& report);

}  // namespace gomkit::gom
