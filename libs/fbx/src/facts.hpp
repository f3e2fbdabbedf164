#pragma once

#include <vector>

#include <gomkit/codec/codec.hpp>

namespace gomkit::fbx {

/// Lights, cameras and the nodes that they stand on, and user properties, one by one (Codec::facts).
[[nodiscard]] std::vector<codec::Fact> facts(const model::Model& model, const core::Limits& limits);

}  // namespace gomkit::fbx
