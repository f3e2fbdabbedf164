#include <gomkit/kit/dump.hpp>

#include <string_view>

#include "guarded.hpp"
#include "load.hpp"

namespace gomkit::kit {

namespace {

// Whether a line is "OFFSET  stopped here: ...". What the file holds cannot look like it: its bytes follow the offset.
bool stops(std::string_view text) {
    constexpr std::string_view kMark = "  stopped here: ";
    for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at + 1)) {
        const std::size_t newline = text.rfind('\n', at);
        const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
        const std::string_view offset = text.substr(begin, at - begin);
        if (offset.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
            return true;
        }
    }
    return false;
}

}  // namespace

core::Result<DumpResponse> dump(const codec::Registry& registry, const DumpRequest& request) {
    return guarded(request.input.path, [&]() -> core::Result<DumpResponse> {
        const auto loaded = load(registry, request.input, request.read.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        if (loaded->codec->dump == nullptr) {
            const std::string why = loaded->codec->no_dump;
            return core::fail(core::Code::Unsupported, file_place(request.input.path),
                              std::string(loaded->codec->name) + " files cannot be dumped" + (why.empty() ? "" : ": " + why), {}, {},
                              loaded->codec->no_dump_cure);
        }
        auto text = loaded->codec->dump(loaded->bytes.bytes(), request.input.path, request.part, request.read);
        if (!text) {
            if (text.error().place.file.empty()) {
                text.error().place.file = request.input.path;
            }
            return core::Fault(std::move(text.error()));
        }
        const bool complete = !stops(*text);
        return DumpResponse{std::move(*text), complete};
    });
}

}  // namespace gomkit::kit
