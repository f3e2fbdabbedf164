// MTA on arbitrary bytes. The three readers (the run-time's verify, the strict decoder, the checker) have to agree; lenient decoding has
// to take everything that strict decoding takes, with the same contents; whatever decodes is written as a valid file that gives the same
// bytes again, by way of the model too.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <gomkit/gom/gom.hpp>
#include <gomkit/runtime/motion_view.hpp>

#include "canonical.hpp"
#include "check.hpp"
#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "prove.hpp"

namespace {

using namespace gomkit;

void expect(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

bool loads(const core::Report& report) {
    bool good = true;
    for (const core::Issue& issue : report.issues()) {
        good = good && (issue.severity != core::Severity::Error || gom::is_checker_only(issue.id));
    }
    return good;
}

void round_trip(gom::Document document) {
    gom::canonicalise(document);
    const core::Bytes written = gom::encode(document);
    expect(gom::prove_motion(written, {}).has_value(), "what was written is not valid");
    core::Report report("fuzz");
    core::Result<gom::Document> back = gom::decode_motion(written, "fuzz", {}, report);
    expect(back && gom::encode(*back) == written, "a written file decodes to other bytes");
    gom::canonicalise(*back);
    expect(gom::encode(*back) == written, "a written file is not canonical");
    static const codec::Codec codec = gom::make_motion_codec();
    core::Result<model::Model> model = codec.read(written, "fuzz", {}, report);
    expect(model.has_value(), "a written file is not read");
    const core::Result<core::Bytes> again = codec.write(std::move(*model), {}, report);
    expect(again && *again == written, "the model gives other bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    const gom::AlignedBytes aligned(bytes);
    runtime::MotionView view;
    runtime::ErrorInfo info;
    const bool verified = runtime::verify(aligned.bytes(), core::Limits{}, view, &info) == runtime::Status::Ok;

    core::Report doubts("fuzz");
    core::Result<gom::Document> strict = gom::decode_motion(bytes, "fuzz", {}, doubts);
    gom::DecodeOptions options;
    options.lenient = true;
    core::Result<gom::Document> lenient = gom::decode_motion(bytes, "fuzz", options, doubts);

    core::Report plain("fuzz", 100'000);
    gom::check_motion(bytes, "fuzz", {}, plain);
    core::Report all("fuzz", 100'000);
    codec::CheckOptions canonical;
    canonical.canonical = true;
    gom::check_motion(bytes, "fuzz", canonical, all);
    expect(plain.count(core::Severity::Error) == all.count(core::Severity::Error) &&
               plain.count(core::Severity::Warning) == all.count(core::Severity::Warning),
           "canonical findings change the others");

    if (verified != strict.has_value() || verified != loads(plain)) {
        std::fprintf(stderr, "verify: %s %s\n", runtime::message(info.status), info.part);
        std::fprintf(stderr, "decode: %s\n", strict ? "ok" : core::to_string(strict.error()).c_str());
        for (const core::Issue& issue : plain.issues()) {
            std::fprintf(stderr, "check: %s\n", core::to_string(issue).c_str());
        }
        expect(false, "the readers do not agree");
    }
    // A current file whose text begins like an earlier form's size field is read in that form (GOM-OLD-4).
    const bool old_strings = doubts.has(core::IssueId::GOM_OLD_STRINGS);
    expect(!strict || old_strings || (lenient && gom::encode(*strict) == gom::encode(*lenient)), "lenient reading differs");
    if (strict) {
        round_trip(std::move(*strict));
    }
    if (lenient) {
        round_trip(std::move(*lenient));
    }
    if (size < 16384) {
        (void)gom::dump(bytes, "fuzz", "");
    }
    return 0;
}
