// The GOM decoder on arbitrary bytes, strict and lenient, and the way back: whatever decodes is written as a valid file that decodes to
// the same bytes again. The dump has to survive as well.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "canonical.hpp"
#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "prove.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    for (const bool lenient : {false, true}) {
        core::Report report("fuzz");
        gom::DecodeOptions options;
        options.lenient = lenient;
        core::Result<gom::Document> document = gom::decode(bytes, "fuzz", options, report);
        if (!document) {
            continue;
        }
        gom::canonicalise(*document);
        document->validation_flags &= gom::compute_validation_flags(*document);
        const core::Bytes written = gom::encode(*document);
        if (!gom::prove(written, {})) {
            std::abort();
        }
        core::Result<gom::Document> back = gom::decode(written, "fuzz", {}, report);
        if (!back || gom::encode(*back) != written) {
            std::abort();
        }
        gom::canonicalise(*back);
        if (gom::encode(*back) != written) {
            std::abort();
        }
    }
    if (size < 16384) {
        (void)gom::dump(bytes, "fuzz", "");
    }
    return 0;
}
