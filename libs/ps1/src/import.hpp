#pragma once

#include <cstddef>
#include <string>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"

namespace gomkit::ps1 {

/// The meaning of a Document (docs/spec/ps1m.md, "As a skinned mesh"): a bone for each bone, one mesh with one bone a vertex, a material for each texture slot and
/// sidedness, the clips with a key a frame. Model::ps1 keeps the file. The document is one that decode() takes.
[[nodiscard]] model::Model import(const Document& document, core::Report& report);

/// The name that importers give a bone.
[[nodiscard]] std::string bone_name(std::size_t bone);

}  // namespace gomkit::ps1
