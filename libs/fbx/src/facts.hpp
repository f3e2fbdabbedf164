#pragma once

#include <vector>

#include <gomkit/codec/codec.hpp>

namespace gomkit::fbx {

/// What a model has that no other format here holds, one by one (Codec::facts): lights, cameras and the nodes that they stand on, user
/// properties.
[[nodiscard]] std::vector<codec::Fact> facts(const model::Model& model, const core::Limits& limits);

}  // namespace gomkit::fbx
