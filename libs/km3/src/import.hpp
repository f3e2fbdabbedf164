#pragma once

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"

namespace gomkit::km3 {

/// The meaning of a Document (docs/spec/km3.md, "As a skinned mesh"): a bone for each ordinary unit, one mesh of triangles in model space bound
/// to them, a material for each texture name and set of flags, one Texture for each name. Model::km3 keeps the Document.
[[nodiscard]] model::Model import(Document&& document, core::Report& report);

/// The name that importers give a unit.
[[nodiscard]] std::string unit_name(std::size_t unit);

}  // namespace gomkit::km3
