// The text reader and the text checker on arbitrary bytes. They agree on what is a valid text; what reads, strictly or not, is a valid GOM,
// and is written as a canonical text that reads as the same.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "canonical.hpp"
#include "check.hpp"
#include "encode.hpp"
#include "prove.hpp"
#include "text_check.hpp"
#include "text_read.hpp"
#include "text_write.hpp"

namespace {

using namespace gomkit;

[[noreturn]] void stop(const char* what, const core::Error* error = nullptr) {
    std::fprintf(stderr, "%s %s\n", what, error != nullptr ? core::to_string(*error).c_str() : "");
    std::abort();
}

core::Result<gom::TextDocument> read(std::span<const std::byte> bytes, bool lenient) {
    core::Report unused("fuzz");
    gom::DecodeOptions options;
    options.lenient = lenient;
    return gom::read_text(bytes, "fuzz", options, unused);
}

void settle(gom::TextDocument& read) {
    gom::canonicalise(read.document);
    const std::uint32_t bits = gom::compute_validation_flags(read.document);
    read.document.validation_flags = read.has_flags ? read.document.validation_flags & bits : bits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // In a block of its own of exactly this size.
    const std::vector<std::byte> copy(reinterpret_cast<const std::byte*>(data), reinterpret_cast<const std::byte*>(data) + size);
    const std::span<const std::byte> bytes(copy);
    core::Report report("fuzz", 100'000);
    codec::CheckOptions all;
    all.canonical = true;
    gom::check_text(bytes, "fuzz", all, report);
    bool valid = true;
    for (const core::Issue& issue : report.issues()) {
        valid = valid && (issue.severity != core::Severity::Error || gom::is_checker_only(issue.id));
        if (!issue.place.line || issue.place.line->line == 0 || issue.place.line->column == 0) {
            stop("a finding has no place");
        }
    }
    bool strict = false;
    for (const bool lenient : {false, true}) {
        core::Result<gom::TextDocument> first = read(bytes, lenient);
        if (!lenient) {
            strict = first.has_value();
            if (strict != valid) {
                stop(strict ? "read, but not valid" : "valid, but not read", strict ? nullptr : &first.error());
            }
        }
        if (!first) {
            if (!first.error().place.line || first.error().notes.empty() || first.error().code == core::Code::Internal) {
                stop("an error has no place or rule", &first.error());
            }
            if (lenient && strict) {
                stop("strict reading takes more than lenient reading", &first.error());
            }
            continue;
        }
        settle(*first);
        const core::Bytes binary = gom::encode(first->document);
        if (const auto proof = gom::prove(binary, {}); !proof) {
            stop("not a valid GOM", &proof.error());
        }
        const auto text = gom::write_text(first->document, 1ull << 32);
        if (!text) {
            stop("not written", &text.error());
        }
        core::Result<gom::TextDocument> second = read(*text, false);
        if (!second) {
            stop("not read again", &second.error());
        }
        if (gom::encode(second->document) != binary) {
            stop("reads as something else");
        }
        core::Report again("fuzz");
        gom::check_text(*text, "fuzz", all, again);
        if (again.has(core::IssueId::GOMT_LAYOUT) || again.has_errors()) {
            stop("the text is not canonical");
        }
    }
    return 0;
}
