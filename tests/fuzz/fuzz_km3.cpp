// KM3 on arbitrary bytes. Decoder and checker have to agree on what a lenient and a strict reader take; what decodes is written as a canonical file that
// decodes to the same again; the way through the model and back keeps it, and so does being written anew by the exporter, in meaning. The dump has to survive as well.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "check.hpp"
#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "import.hpp"
#include "prove.hpp"

namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "fuzz_km3: %s\n", what);
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    core::Report report("fuzz", 1'000'000, 1'000'000);
    km3::check(bytes, "fuzz", {}, report);
    bool strict_error = false;
    for (const core::Issue& issue : report.issues()) {
        strict_error = strict_error || km3::is_strict_error(issue.id);
    }
    km3::DecodeOptions options;
    const core::Result<km3::Document> lenient = km3::decode(bytes, "fuzz", options);
    options.strict = true;
    const core::Result<km3::Document> strict = km3::decode(bytes, "fuzz", options);
    require(lenient.has_value() == !report.has_errors(), "decoder and checker disagree");
    require(strict.has_value() == (!report.has_errors() && !strict_error), "strict decoder and checker disagree");
    require(!strict || *strict == *lenient, "strict and lenient read different contents");
    if (size < 16384) {
        static_cast<void>(km3::dump(bytes, "fuzz", "", {}));
    }
    if (!lenient) {
        return 0;
    }
    const core::Bytes written = km3::encode(*lenient);
    require(written.size() == km3::encoded_size(*lenient), "the size is not the one foretold");
    const core::Result<km3::Document> back = km3::decode(written, "fuzz", {});
    require(back.has_value(), "what was written does not decode");
    require(km3::encode(*back) == written, "what was written is not canonical");

    core::Report unused;
    const model::Model model = km3::import(km3::Document(*lenient), unused);
    const core::Result<km3::Document> stored = km3::export_model(model, {}, unused);
    require(stored.has_value() && km3::encode(*stored) == written, "the way through the model changes the file");
    model::Model anew = model;
    anew.km3.reset();
    const core::Result<km3::Document> exported = km3::export_model(anew, {}, unused);
    if (exported) {
        const core::Bytes fresh = km3::encode(*exported);
        require(km3::prove(fresh, {}).has_value(), "what the exporter makes is not canonical");
        require(exported->unit_count == lenient->unit_count, "the exporter changes the number of units");
    }
    return 0;
}
