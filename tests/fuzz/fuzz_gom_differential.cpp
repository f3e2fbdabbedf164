// Three independent readers of GOM have to agree on what is a valid file: the run-time's verify, the strict decoder, the checker.
// Lenient decoding has to take everything that strict decoding takes, with the same contents.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <gomkit/runtime/model_view.hpp>

#include "check.hpp"
#include "decode.hpp"
#include "encode.hpp"

namespace {

struct Aligned {
    explicit Aligned(std::span<const std::byte> bytes)
        : data(static_cast<std::byte*>(::operator new[](bytes.size() + 1, std::align_val_t{16}))), size(bytes.size()) {
        if (size != 0) {
            std::memcpy(data, bytes.data(), size);
        }
    }
    ~Aligned() { ::operator delete[](data, std::align_val_t{16}); }
    Aligned(const Aligned&) = delete;
    Aligned& operator=(const Aligned&) = delete;
    std::byte* data;
    std::size_t size;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* raw, std::size_t size) {
    using namespace gomkit;
    const Aligned copy(std::as_bytes(std::span(raw, size)));
    const std::span<const std::byte> bytes(copy.data, copy.size);

    runtime::ModelView view;
    runtime::ErrorInfo info;
    const bool verified = runtime::verify(bytes, core::Limits{}, view, &info) == runtime::Status::Ok;

    core::Report doubts("fuzz");
    const core::Result<gom::Document> strict = gom::decode(bytes, "fuzz", {}, doubts);
    gom::DecodeOptions options;
    options.lenient = true;
    const core::Result<gom::Document> lenient = gom::decode(bytes, "fuzz", options, doubts);

    core::Report report("fuzz", 100'000);
    gom::check(bytes, "fuzz", {}, report);
    bool checked = true;
    for (const core::Issue& issue : report.issues()) {
        checked = checked && (issue.severity != core::Severity::Error || gom::is_checker_only(issue.id));
    }

    const bool same = verified == strict.has_value() && verified == checked;
    // A current file whose text begins like an earlier form's size field is read in that form (GOM-OLD-4).
    const bool old_strings = doubts.has(core::IssueId::GOM_OLD_STRINGS);
    const bool lenient_same = !strict || old_strings || (lenient && gom::encode(*strict) == gom::encode(*lenient));
    if (!same || !lenient_same) {
        std::fprintf(stderr, "verify: %s %s\n", runtime::message(info.status), info.part);
        std::fprintf(stderr, "decode: %s\n", strict ? "ok" : core::to_string(strict.error()).c_str());
        std::fprintf(stderr, "lenient: %s\n", lenient ? "ok" : core::to_string(lenient.error()).c_str());
        for (const core::Issue& issue : report.issues()) {
            std::fprintf(stderr, "check: %s\n", core::to_string(issue).c_str());
        }
        std::abort();
    }
    return 0;
}
