#pragma once

#include <string>

#include <gomkit/codec/codec.hpp>
#include <gomkit/kit/input.hpp>

namespace gomkit::kit {

struct SignatureRequest {
    Input input;
    codec::ReadOptions read;
};

/// The skeleton signature (docs/spec/gom.md, skeleton signature) of any file that can be read, 64 lower-case hex digits; of a motion
/// that of the skeleton it was made for. Errors: those of reading; CannotConvert when the file has no skeleton.
[[nodiscard]] core::Result<std::string> signature(const codec::Registry& registry, const SignatureRequest& request, core::Report& report);

}  // namespace gomkit::kit
