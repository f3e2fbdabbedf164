#pragma once

#include <gomkit/codec/codec.hpp>

namespace gomkit::ps1 {

/// PS1M, rigidly skinned models for the PlayStation (docs/spec/ps1m.md): reads all three generations, writes the newest.
[[nodiscard]] codec::Codec make_codec();

}  // namespace gomkit::ps1
