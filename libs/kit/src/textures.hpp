#pragma once

#include <string>
#include <vector>

#include <gomkit/core/report.hpp>
#include <gomkit/kit/convert.hpp>
#include <gomkit/model/model.hpp>

#include "run.hpp"

namespace gomkit::kit {

/// A picture to be written beside a model.
struct PictureWrite {
    std::string target;                ///< the file to write
    std::string from;                  ///< the file to copy; "": `content`
    std::vector<std::byte> content;
    std::string texture;               ///< the path in the model, for messages
    bool made = false;                 ///< by the target's writer, and not the source's: takes the place of an older one of its kind without a word
};

/// Fills in `path` of textures that have none yet (docs/cli.md, Textures), without looking at a disk.
void set_stored_paths(model::Model& model);

/// Which textures a material uses, one flag each.
[[nodiscard]] std::vector<bool> used_textures(const model::Model& model);

/// Sets `path` and `found` of all textures as the request's mode asks, reports what is missing, and says which pictures are to be
/// written. Embedded content that is to be written is copied out of the model.
[[nodiscard]] std::vector<PictureWrite> place_textures(model::Model& model, const ConvertRequest& request, const Run& run,
                                                       core::Report& report);

/// "game/hero.gom", "dir/a.png" -> "game/dir/a.png".
[[nodiscard]] std::string beside(const std::string& output, const std::string& path);

/// "dir/a.png", 2 -> "dir/a~2.png".
[[nodiscard]] std::string numbered_path(const std::string& path, unsigned number);

}  // namespace gomkit::kit
