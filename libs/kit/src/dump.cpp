#include <gomkit/kit/dump.hpp>

#include "guarded.hpp"
#include "load.hpp"

namespace gomkit::kit {

core::Result<std::string> dump(const codec::Registry& registry, const DumpRequest& request) {
    return guarded(request.input.path, [&]() -> core::Result<std::string> {
        const auto loaded = load(registry, request.input, request.read.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        if (loaded->codec->dump == nullptr) {
            return core::fail(core::Code::Unsupported, file_place(request.input.path),
                              std::string(loaded->codec->name) + " files cannot be dumped");
        }
        auto text = loaded->codec->dump(loaded->bytes.bytes(), request.input.path, request.part, request.read);
        if (!text && text.error().place.file.empty()) {
            text.error().place.file = request.input.path;
        }
        return text;
    });
}

}  // namespace gomkit::kit
