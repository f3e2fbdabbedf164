#pragma once

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/error.hpp>

#include "document.hpp"

namespace gomkit::km3 {

/// Turns a model into units by docs/spec/km3.md, "From a skinned mesh". A model that was a KM3 and still means the same gives its stored units
/// again. What was lost, and the error that the single weights make, go to the report. Errors: LimitExceeded (units, vertices,
/// corners), CannotConvert where a number leaves float32.
[[nodiscard]] core::Result<Document> export_model(const model::Model& model, const codec::WriteOptions& options, core::Report& report);

}  // namespace gomkit::km3
