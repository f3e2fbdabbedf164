#pragma once

#include <gomkit/codec/codec.hpp>

namespace gomkit::mv1 {

/// DxLib's model files (docs/spec/mv1.md): read, written, checked, dumped.
[[nodiscard]] codec::Codec make_codec();

}  // namespace gomkit::mv1
