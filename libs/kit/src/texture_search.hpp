#pragma once

#include <functional>
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
/// the source file, and in each of `folders` by both; then all of these again without regard to the case of ASCII letters. A path that
/// leads out of the source's folder is followed only to files called like pictures below one of `folders`, an absolute one never. The
/// source itself is no picture, nor is what `ignored` (may be empty) says.
[[nodiscard]] TextureFound find_texture(const model::Texture& texture, const std::string& source_file, const std::vector<std::string>& folders,
                                        const std::function<bool(const std::string&)>& ignored = {});

}  // namespace gomkit::kit
