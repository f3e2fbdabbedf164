#pragma once

#include <span>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Gives `clips`, which are `source`'s clips carried over to `target`, their morph tracks. A channel's counterpart is the one of its name
/// on the mesh of its mesh's name (or of the name of a node that places it), or else the only one of its name. A channel that a clip
/// leaves alone gets one key where its default weight is another than its counterpart's. Tracks without a counterpart are left out
/// (RETARGET_SHAPE_LOST).
void carry_morph_tracks(const model::Model& source, const model::Model& target, std::span<model::Clip> clips, core::Report& report);

/// For what has no meshes: removes the morph tracks of all clips (CLIP_SHAPES_LOST).
void remove_morph_tracks(model::Model& model, core::Report& report);

}  // namespace gomkit::pass
