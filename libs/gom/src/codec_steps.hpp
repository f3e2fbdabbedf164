#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/error.hpp>
#include <gomkit/core/file.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/runtime/model_view.hpp>

#include "decode.hpp"
#include "document.hpp"
#include "prove.hpp"

/// What the codecs of GOM, MTA and the text form have in common.
namespace gomkit::gom {

[[nodiscard]] DecodeOptions decode_options(const codec::ReadOptions& options);

/// How many bytes a written file may have.
[[nodiscard]] std::uint64_t most_bytes(const core::Limits& limits);

/// The bytes of a canonical Document, proven by `proof`; `cure` is for those that are too many.
[[nodiscard]] core::Result<core::Bytes> encode_proven(const Document& document, const core::Limits& limits, const char* cure,
                                                      decltype(&prove) proof);

/// The view of a valid file; it looks into `bytes`.
template <class View>
[[nodiscard]] core::Result<View> verified(const AlignedBytes& bytes, const std::string& file, const core::Limits& limits) {
    View view;
    runtime::ErrorInfo info;
    if (const runtime::Status status = runtime::verify(bytes.bytes(), limits, view, &info); status != runtime::Status::Ok) {
        return core::fail(status == runtime::Status::LimitExceeded ? core::Code::LimitExceeded : core::Code::Malformed,
                          core::Place{file, info.part, info.byte_offset, std::nullopt}, runtime::message(status));
    }
    return view;
}

/// How a model is written, binary or as text.
[[nodiscard]] std::vector<codec::Step> model_steps(const codec::WriteOptions& options, bool same_format);

[[nodiscard]] core::Result<std::string> dump_text(std::span<const std::byte> bytes, const std::string& file, std::string_view part,
                                                  const codec::ReadOptions&);

}  // namespace gomkit::gom
