#pragma once

#include <gomkit/codec/codec.hpp>

namespace gomkit::fbx {

/// Autodesk FBX, ASCII and binary, versions 3000 to 7700, read through ufbx.
[[nodiscard]] codec::Codec make_codec();

/// Wavefront OBJ with its material libraries, read through ufbx: right-handed, Y up, one unit is one metre.
[[nodiscard]] codec::Codec make_obj_codec();

/// The version of ufbx that is linked, "0.23.1".
[[nodiscard]] const char* ufbx_version();

}  // namespace gomkit::fbx
