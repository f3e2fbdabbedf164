#pragma once

#include <gomkit/codec/codec.hpp>

namespace gomkit::gom {

/// GOM v1 (docs/spec/gom.md): reads the current and the earlier generation, writes canonical binary files.
[[nodiscard]] codec::Codec make_codec();

/// MTA v1 (docs/spec/mta.md), motion files: reads the current and the earlier generation, writes canonical files.
[[nodiscard]] codec::Codec make_motion_codec();

}  // namespace gomkit::gom
