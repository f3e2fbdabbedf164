#pragma once

#include <gomkit/codec/codec.hpp>

namespace gomkit::gom {

/// GOM v1 (docs/spec/gom.md): reads the current and the earlier generation, writes canonical binary files.
[[nodiscard]] codec::Codec make_codec();

/// MTA v1 (docs/spec/mta.md), motion files: reads the current and the earlier generation, writes canonical files.
[[nodiscard]] codec::Codec make_motion_codec();

/// The text form of GOM v1 (docs/spec/gomt.md): reads the current and the earlier generation, writes canonical text. Text and binary
/// of one model reproduce each other's bytes.
[[nodiscard]] codec::Codec make_text_codec();

}  // namespace gomkit::gom
