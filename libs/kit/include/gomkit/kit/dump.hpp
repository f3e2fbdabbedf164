#pragma once

#include <string>

#include <gomkit/codec/codec.hpp>
#include <gomkit/kit/input.hpp>

namespace gomkit::kit {

struct DumpRequest {
    Input input;
    std::string part;  ///< chunk path, "MSH0[0].VB0"; "": all
    codec::ReadOptions read;
};

/// The file's bytes, annotated, as lines of text. Errors: those of reading; Unsupported for a format without a dump.
[[nodiscard]] core::Result<std::string> dump(const codec::Registry& registry, const DumpRequest& request);

}  // namespace gomkit::kit
