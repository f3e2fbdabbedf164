#include <gomkit/gom/gom.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include <gomkit/runtime/layout.hpp>
#include <gomkit/runtime/motion_view.hpp>

#include "canonical.hpp"
#include "check.hpp"
#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "import.hpp"
#include "prove.hpp"

namespace gomkit::gom {
namespace {

namespace lay = runtime::layout;

// The text form that does not exist too: MTA-HDR-2 has a message of its own for it.
bool probe(std::span<const std::byte> bytes, std::string_view) {
    return bytes.size() >= lay::header::kMagicSize &&
           (std::memcmp(bytes.data(), lay::header::kMotionMagic.data(), lay::header::kMagicSize) == 0 ||
            std::memcmp(bytes.data(), lay::header::kMotionTextMagic.data(), lay::header::kMagicSize) == 0);
}

core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                core::Report& report) {
    DecodeOptions how;
    how.limits = options.limits;
    how.lenient = !options.strict;
    core::Result<Document> document = decode_motion(bytes, file, how, report);
    if (!document) {
        return core::Fault(std::move(document.error()));
    }
    return import(std::move(*document), file, report);
}

core::Result<core::Bytes> write(model::Model&& model, const codec::WriteOptions& options, core::Report& report) {
    core::Result<Document> document = export_motion(model, options, report);
    if (!document) {
        return core::Fault(std::move(document.error()));
    }
    model = {};
    canonicalise(*document);
    const std::uint64_t size = encoded_size(*document);
    if (const std::uint64_t most = std::min<std::uint64_t>(options.limits.max_file_bytes, lay::kMaxFileBytes); size > most) {
        return core::fail(core::Code::LimitExceeded, {}, "limit on file bytes exceeded", std::to_string(size),
                          "at most " + std::to_string(most), "write fewer clips to one file");
    }
    core::Bytes bytes = encode(*document);
    if (core::Result<void> proof = prove_motion(bytes, options.limits); !proof) {
        return core::Fault(std::move(proof.error()));
    }
    return bytes;
}

core::Result<codec::ContentCounts> count(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    const AlignedBytes aligned(bytes);
    runtime::MotionView view;
    runtime::ErrorInfo info;
    if (const runtime::Status status = runtime::verify(aligned.bytes(), limits, view, &info); status != runtime::Status::Ok) {
        return core::fail(status == runtime::Status::LimitExceeded ? core::Code::LimitExceeded : core::Code::Malformed,
                          core::Place{file, info.part, info.byte_offset, std::nullopt}, runtime::message(status));
    }
    codec::ContentCounts out;
    out.clips = view.clip_count();
    return out;
}

core::Result<std::string> dump_text(std::span<const std::byte> bytes, const std::string& file, std::string_view part,
                                    const codec::ReadOptions&) {
    return dump(bytes, file, part);
}

}  // namespace

codec::Codec make_motion_codec() {
    codec::Codec c;
    c.id = "mta";
    c.name = "MTA version 1";
    c.extensions = {"mta"};
    c.clips_only = true;
    c.kept = {"animation clips (translation, rotation, scale)", "loop and root-motion flags", "the signature of their skeleton"};
    c.lost = {"everything else: the skeleton itself, meshes, materials"};
    c.probe = probe;
    c.read = read;
    c.write = write;
    c.count = count;
    c.check = check_motion;
    c.dump = dump_text;
    return c;
}

}  // namespace gomkit::gom
