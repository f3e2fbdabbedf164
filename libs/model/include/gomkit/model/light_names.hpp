#pragma once

#include <gomkit/model/model.hpp>

namespace gomkit::model {

/// "point", "directional", "spot", "area", "volume".
[[nodiscard]] const char* name_of(LightKind kind);
/// "none", "linear", "quadratic", "cubic".
[[nodiscard]] const char* name_of(LightDecay decay);

}  // namespace gomkit::model
