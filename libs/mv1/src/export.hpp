#pragma once

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"

namespace gomkit::mv1 {

/// A model as a document that DxLib's loader takes (MV1-WRITE-1 to MV1-WRITE-13): every node a frame, every instance's mesh in its
/// node's frame (a further one, or one without a node, in a frame of its own), positions, normals and keys as float32, in the space
/// and unit that import() reads. Errors: LimitExceeded where a count passes what the format holds.
[[nodiscard]] core::Result<Document> export_model(const model::Model& model, core::Report& report);

}  // namespace gomkit::mv1
