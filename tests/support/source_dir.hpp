#pragma once

#include <string>

namespace gomkit {

/// The root of the source tree. Its path stands in one small file, so that clones in other folders share what ccache holds of all others.
[[nodiscard]] std::string source_dir();

}  // namespace gomkit
