#include "codec_steps.hpp"

#include <algorithm>
#include <utility>

#include <gomkit/runtime/layout.hpp>

#include "dump.hpp"
#include "encode.hpp"

namespace gomkit::gom {

DecodeOptions decode_options(const codec::ReadOptions& options) {
    DecodeOptions how;
    how.limits = options.limits;
    how.lenient = !options.strict;
    return how;
}

std::uint64_t most_bytes(const core::Limits& limits) { return std::min<std::uint64_t>(limits.max_file_bytes, runtime::layout::kMaxFileBytes); }

core::Result<core::Bytes> encode_proven(const Document& document, const core::Limits& limits, const char* cure, decltype(&prove) proof) {
    const std::uint64_t size = encoded_size(document);
    if (const std::uint64_t most = most_bytes(limits); size > most) {
        return core::fail(core::Code::LimitExceeded, {}, "limit on file bytes exceeded", std::to_string(size),
                          "at most " + std::to_string(most), cure);
    }
    core::Bytes bytes = encode(document);
    if (core::Result<void> good = proof(bytes, limits); !good) {
        return core::Fault(std::move(good.error()));
    }
    return bytes;
}

core::Result<std::string> dump_text(std::span<const std::byte> bytes, const std::string& file, std::string_view part,
                                    const codec::ReadOptions&) {
    return dump(bytes, file, part);
}

std::vector<codec::Step> model_steps(const codec::WriteOptions& options, bool same_format) {
    if (same_format) {
        return {{"meshes", "keep vertices as they are"}};
    }
    const auto tangents = [&]() -> const char* {
        switch (options.tangents) {
            case pass::TangentMode::Generate: return "generate all (MikkTSpace)";
            case pass::TangentMode::None: return "no generation: any unit vector orthogonal to the normal";
            case pass::TangentMode::Keep: return "keep the source's where its normals are kept, else any unit vector orthogonal to the normal";
            case pass::TangentMode::Auto: break;
        }
        return "keep the source's where its normals are kept, generate missing ones (MikkTSpace)";
    };
    return {codec::triangulate_step(),
            {"weights", "at most four influences a vertex"},
            codec::normals_step(options.normals),
            {"tangents", tangents()},
            {"weld", "join bit-identical vertices, number them by first use"},
            {"placement", options.bake_static ? "put unmoving meshes into model space" : "keep the placement of unmoving meshes"}};
}

}  // namespace gomkit::gom
