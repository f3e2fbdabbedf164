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

struct DumpResponse {
    std::string text;      ///< lines
    bool complete = true;  ///< false: the file is damaged, and the dump stopped somewhere; the text says where and why
};

/// The file's bytes, annotated, as lines of text. Errors: those of reading; Unsupported for a format without a dump.
[[nodiscard]] core::Result<DumpResponse> dump(const codec::Registry& registry, const DumpRequest& request);

}  // namespace gomkit::kit
