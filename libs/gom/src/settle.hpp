#pragma once

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/error.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"

namespace gomkit::gom {

/// The canonical Document that is written for a model, in either form. A model that was a GOM keeps the validation bits it had, as
/// far as they hold (a warning names those that do not); another gets all that hold.
[[nodiscard]] core::Result<Document> settled_document(model::Model&& model, const codec::WriteOptions& options, core::Report& report);

}  // namespace gomkit::gom
