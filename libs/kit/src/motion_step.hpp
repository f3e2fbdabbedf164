#pragma once

#include <string>
#include <vector>

#include <gomkit/kit/convert.hpp>

namespace gomkit::kit {

/// Whether the options go together, and with the target. Errors: Usage, Unsupported.
[[nodiscard]] core::Result<void> check_motion_options(const ConvertRequest& request, const codec::Codec& target);

/// Does what request.motion says to the model that was read as `source`; other files are read on the way. Fills what the response says
/// about clips, and `root_motion_text` with the content of request.motion.root_motion_output. Errors: those of reading the
/// files and of the passes; Unsupported where a motion file alone does not know enough.
[[nodiscard]] core::Result<void> change_motion(const codec::Registry& registry, const ConvertRequest& request, const codec::Codec& source,
                                               model::Model& model, ConvertResponse& response, std::string& root_motion_text,
                                               core::Report& report);

}  // namespace gomkit::kit
