#include "source_dir.hpp"

namespace gomkit {

std::string source_dir() { return GOMKIT_SOURCE_DIR; }

}  // namespace gomkit
