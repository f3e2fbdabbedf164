#include <gomkit/gom/gom.hpp>

#include <cstring>
#include <string_view>
#include <utility>

#include <gomkit/runtime/layout.hpp>
#include <gomkit/runtime/motion_view.hpp>

#include "canonical.hpp"
#include "check.hpp"
#include "codec_steps.hpp"
#include "export.hpp"
#include "import.hpp"

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
    core::Result<Document> document = decode_motion(bytes, file, decode_options(options), report);
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
    return encode_proven(*document, options.limits, "write fewer clips to one file", prove_motion);
}

core::Result<codec::ContentCounts> count(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    const AlignedBytes aligned(bytes);
    const core::Result<runtime::MotionView> view = verified<runtime::MotionView>(aligned, file, limits);
    if (!view) {
        return core::Fault(view.error());
    }
    codec::ContentCounts out;
    out.clips = view->clip_count();
    return out;
}

std::vector<codec::Step> steps(const codec::WriteOptions&, bool same_format) {
    return {{"clips", same_format ? "keep keys as they are" : "clips and the skeleton's signature only"}};
}

}  // namespace

codec::Codec make_motion_codec() {
    codec::Codec c;
    c.id = "mta";
    c.name = "MTA version 1";
    c.extensions = {"mta"};
    c.clips_only = true;
    c.kept = {"animation clips (translation, rotation, scale)", "loop and root-motion flags", "the signature of their skeleton"};
    c.lost = {"animated weights of blend shapes", "everything else: the skeleton itself, meshes, materials"};
    c.probe = probe;
    c.read = read;
    c.write = write;
    c.steps = steps;
    c.count = count;
    c.check = check_motion;
    c.dump = dump_text;
    return c;
}

}  // namespace gomkit::gom
