#pragma once

#include <string>

#include <gomkit/model/model.hpp>

namespace gomkit::model {

/// What the source calls the picture: its relative path, else the absolute one, else the path to be written.
[[nodiscard]] inline const std::string& source_name(const Texture& texture) {
    return !texture.source_relative.empty() ? texture.source_relative : !texture.source_absolute.empty() ? texture.source_absolute : texture.path;
}

/// What a written model calls the picture: the path that was chosen, else the source's relative or absolute one.
[[nodiscard]] inline const std::string& written_name(const Texture& texture) {
    return !texture.path.empty() ? texture.path : !texture.source_relative.empty() ? texture.source_relative : texture.source_absolute;
}

}  // namespace gomkit::model
