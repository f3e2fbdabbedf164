#include <gomkit/kit/elements.hpp>

#include "guarded.hpp"
#include "load.hpp"

namespace gomkit::kit {

core::Result<void> elements(const codec::Registry& registry, const ElementsRequest& request,
                            const std::function<void(const codec::Element&)>& visit) {
    return guarded(request.input.path, [&]() -> core::Result<void> {
        const auto loaded = load(registry, request.input, request.read.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        if (loaded->codec->elements == nullptr) {
            return core::fail(core::Code::Unsupported, file_place(request.input.path),
                              std::string(loaded->codec->name) + " files have no elements to be listed", {}, {},
                              loaded->codec->dump != nullptr ? "see gomkit dump" : "");
        }
        if (auto usable = check_encoding(*loaded->codec, request.input.path, request.read.encoding); !usable) {
            return usable;
        }
        auto done = loaded->codec->elements(loaded->bytes.bytes(), request.input.path, request.read, request.properties, visit);
        if (!done && done.error().place.file.empty()) {
            done.error().place.file = request.input.path;
        }
        return done;
    });
}

}  // namespace gomkit::kit
