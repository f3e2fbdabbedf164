#pragma once

#include <string>
#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::kit {

/// What became of the search for one picture.
struct TextureFound {
    std::string file;         ///< where it lies; "" when it was not found
    bool other_case = false;  ///< its name differs in upper and lower case from what the source says
};

/// Looks for the picture (docs/cli.md, Textures): beside the source file by its relative path, in "NAME.fbm" there, by base name beside
/// the source file, and in each of `folders` by both; then all of these again without regard to the case of ASCII letters. Paths that
/// lead out of the source's folder are followed for files that are called like pictures only, absolute ones never.
[[nodiscard]] TextureFound find_texture(const model::Texture& texture, const std::string& source_file,
                                        const std::vector<std::string>& folders);

}  // namespace gomkit::kit
