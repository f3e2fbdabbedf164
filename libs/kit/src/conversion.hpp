#pragma once

#include <string>
#include <vector>

#include <gomkit/kit/convert.hpp>

#include "load.hpp"
#include "run.hpp"
#include "textures.hpp"

namespace gomkit::kit {

/// A finished output in memory.
struct OutputFile {
    std::string path;
    core::Bytes bytes;
};

/// A conversion on its way: what the steps hand to each other.
struct Work {
    const codec::Codec* target = nullptr;
    Loaded source;
    model::Model model;
    std::vector<PictureWrite> pictures;
    std::vector<OutputFile> outputs;   ///< one, or with --split-clips one a clip
    std::string root_motion_text;
    ConvertResponse response;
};

/// The format to write. Errors: Usage and Unsupported, where there is none or the request's options do not go with it.
[[nodiscard]] core::Result<const codec::Codec*> target_of(const codec::Registry& registry, const ConvertRequest& request);

/// Everything up to the finished bytes in memory; nothing is written. May run for several conversions at the same time. Where warnings
/// are errors and there are some, it stops when they are known.
[[nodiscard]] core::Result<void> prepare(const codec::Registry& registry, const ConvertRequest& request, const Run& run, Work& work,
                                         core::Report& report, const core::Progress& progress);

/// Writes the pictures and the model, all or nothing. For the conversions of a run one after the other.
[[nodiscard]] core::Result<ConvertResponse> commit(const ConvertRequest& request, Run& run, Work& work, core::Report& report,
                                                   const core::Progress& progress);

}  // namespace gomkit::kit
