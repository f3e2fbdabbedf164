// The GOM checker on arbitrary bytes. Asking for canonical findings as well must not change the others.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    core::Report plain("fuzz");
    gom::check(bytes, "fuzz", {}, plain);
    core::Report all("fuzz");
    codec::CheckOptions options;
    options.canonical = true;
    gom::check(bytes, "fuzz", options, all);
    for (const core::Severity severity : {core::Severity::Error, core::Severity::Warning}) {
        if (plain.count(severity) != all.count(severity)) {
            std::abort();
        }
    }
    if (plain.count(core::Severity::Canonical) != 0) {
        std::abort();
    }
    return 0;
}
