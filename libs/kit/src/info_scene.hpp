#pragma once

#include <gomkit/core/limits.hpp>
#include <gomkit/kit/info.hpp>
#include <gomkit/model/skeleton.hpp>

namespace gomkit::kit {

/// Lights, cameras and user properties of a model, with the paths of their nodes. Errors: LimitExceeded, as model::node_paths().
[[nodiscard]] core::Result<void> add_scene(InfoResponse& out, const model::Model& model, const core::Limits& limits);

}  // namespace gomkit::kit
