#pragma once

#include <string>

#include <gomkit/core/error.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"

namespace gomkit::gom {

/// The meaning of a valid Document. Every stored number becomes the same number in double, and numbering and order are kept, so
/// that export_model (export_motion for a motion) gives the same Document again: a bone is a Node whose stored_path is its path, a part a Mesh with
/// final_vertices and a MeshInstance in model space; of a motion see model::MtaExtras. Parents come before their children even where the file has them otherwise.
[[nodiscard]] core::Result<model::Model> import(Document&& document, const std::string& file, core::Report& report);

}  // namespace gomkit::gom
