#pragma once

#include <string>

namespace gomkit::core {

/// The toolkit's version, also CMake's project version (read from this line).
inline constexpr const char* kVersion = "0.1.0";

/// Grows by one whenever the bytes written for some input change; CHANGELOG.md, section "Output", says how.
inline constexpr int kOutputRevision = 1;

/// What the converter writes into GOM's converterVersion: "gomkit 0.1.0 r1".
[[nodiscard]] inline std::string converter_version() {
    return std::string("gomkit ") + kVersion + " r" + std::to_string(kOutputRevision);
}

}  // namespace gomkit::core
