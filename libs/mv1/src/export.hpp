#pragma once

#include <optional>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"

namespace gomkit::mv1 {

/// A model as a document that DxLib's loader takes (MV1-WRITE-1 to MV1-WRITE-13): every node a frame, every instance's mesh in its
/// node's frame (a further one, or one without a node, in a frame of its own), positions, normals and keys as float32. A model that
/// was an .mv1 and has not changed gives its own document again. What cannot be written goes to the report as lost.
/// Errors: Unsupported (a motion without a skeleton, final keys of another skeleton), LimitExceeded where a count passes what the
/// format holds.
[[nodiscard]] core::Result<Document> export_model(const model::Model& model, const codec::WriteOptions& options, core::Report& report);

/// The document that the model was read from, where it still says all that the model says and `options` ask for nothing else.
[[nodiscard]] std::optional<Document> unchanged_document(const model::Model& model, const codec::WriteOptions& options);

}  // namespace gomkit::mv1
