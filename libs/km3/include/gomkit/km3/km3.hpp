#pragma once

#include <gomkit/codec/codec.hpp>

namespace gomkit::km3 {

/// KM3, single-weight envelope models (docs/spec/km3.md): reads well-formed and damaged files, writes canonical ones.
[[nodiscard]] codec::Codec make_codec();

}  // namespace gomkit::km3
