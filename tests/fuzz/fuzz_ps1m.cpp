// PS1M on arbitrary bytes. Decoder and checker have to agree on what is read; what decodes is written as a canonical file that decodes to the same. Poses
// and chains of any numbers, and the dump, have to survive. The way through the model and back keeps the file; written anew from the model alone, it passes the
// writer's own proof or is refused.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "import.hpp"
#include "pose.hpp"
#include "prove.hpp"
#include "read.hpp"

namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "fuzz_ps1m: %s\n", what);
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    core::Report report("fuzz", 1'000'000, 1'000'000);
    ps1::check(bytes, "fuzz", true, report);
    const bool refused = std::any_of(report.issues().begin(), report.issues().end(), [](const core::Issue& issue) {
        return issue.severity == core::Severity::Error && !ps1::is_checkers(issue.id);
    });
    const core::Result<ps1::Document> document = ps1::decode(bytes, "fuzz");
    require(document.has_value() != refused, "decoder and checker disagree");
    if (size < 16384) {
        static_cast<void>(ps1::dump(bytes, "fuzz", ""));
    }
    if (!document) {
        return 0;
    }
    const core::Bytes written = ps1::encode(*document);
    const core::Result<ps1::Document> back = ps1::decode(written, "fuzz");
    require(back.has_value() && *back == *document, "what was written does not decode to the same");
    require(ps1::encode(*back) == written, "what was written is not canonical");

    const ps1::Clip& clip = document->clips.front();
    const ps1::PlayPosition position{clip.frames.size() - 1, static_cast<std::int32_t>(size % 256)};
    const std::vector<ps1::Placement> local = ps1::local_pose(*document, clip, position);
    std::vector<ps1::Placement> world = ps1::world_pose(*document, local);
    std::vector<bool> modified(world.size(), false);
    if (document->ik) {
        for (const ps1::IkChain& chain : document->ik->chains) {
            if (chain.upper >= 0) {
                ps1::solve_chain(chain, world.back().t, world, modified);
                ps1::solve_chain(chain, {300, -500, -300}, world, modified);
            }
        }
    }
    ps1::refresh_pose(*document, local, modified, world);

    core::Report unused;
    model::Model model = ps1::import(*document, unused);
    const bool fits = !report.has_errors();
    const core::Result<ps1::Document> stored = ps1::export_model(model, {}, unused);
    require(!fits || (stored.has_value() && *stored == *document), "the way through the model changes the file");
    model.ps1.reset();
    codec::WriteOptions options;
    options.format = {{"--fit", codec::kOn}};
    if (size % 2 == 0) {
        options.format.emplace("--ps1-triangles", "8");
        options.format.emplace("--ps1-max-bones", "8");
        options.format.emplace("--ps1-compat", codec::kOn);
    }
    if (size % 3 != 0) {
        options.format.emplace("--ps1-seams", size % 3 == 1 ? "cut" : "split");
    }
    if (const core::Result<ps1::Document> anew = ps1::export_model(model, options, unused)) {
        require(ps1::prove(ps1::encode(*anew)).has_value(), "what the exporter makes breaks a rule");
    }
    return 0;
}
