#pragma once

#include <cstdint>
#include <string>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "seams.hpp"

namespace gomkit::ps1 {

struct AutorigOptions {
    std::uint32_t fps = 15;                  ///< of the keys
    bool lathe = false;                      ///< a material is added for bodies of rings
    std::string atlas;                       ///< what the picture of that material is called; empty: it has none
    bool compat = false;                     ///< the floor is at height 0, and `punch` is turned as the original turns it
};

struct Autorigged {
    model::Model model;                      ///< the meshes of the source, each point with one bone, and the biped's clips
    Figure figure;
    model::MaterialId lathe;                 ///< that material: the first texture slot's
};

/// Gives a model without bones the biped's eleven and five clips (docs/spec/ps1m.md, "From a mesh without bones"). Clips of the source, which move
/// whole nodes, are reported as lost. Errors: Usage for a model that has bones; Malformed for a position that is not finite; CannotConvert with the measure that failed for
/// what does not stand as a biped does.
[[nodiscard]] core::Result<Autorigged> autorig(const model::Model& source, const AutorigOptions& options, core::Report& report);

}  // namespace gomkit::ps1
