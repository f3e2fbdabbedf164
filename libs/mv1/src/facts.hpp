#pragma once

#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::mv1 {

/// What the model's .mv1 says beyond the model, one by one (Codec::facts): lights, physics, toon, further layers, how textures and
/// materials are drawn, user data. Elements go by their names, what they refer to as well. Nothing where the model was no .mv1.
/// `limits`: those that the file was read with.
[[nodiscard]] std::vector<codec::Fact> facts(const model::Model& model, const core::Limits& limits);

}  // namespace gomkit::mv1
