#include <gomkit/kit/check.hpp>

#include "guarded.hpp"
#include "load.hpp"
#include "texture_search.hpp"

namespace gomkit::kit {

core::Result<CheckResponse> check(const codec::Registry& registry, const CheckRequest& request, core::Report& report) {
    return guarded(request.input.path, [&]() -> core::Result<CheckResponse> {
        const auto loaded = load(registry, request.input, request.options.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        if (loaded->codec->check == nullptr) {
            return core::fail(core::Code::Unsupported, file_place(request.input.path),
                              "there are no rules for " + std::string(loaded->codec->name) + " files to be checked against", {}, {},
                              "convert the file: what is doubtful in it is reported then");
        }
        if (auto usable = check_encoding(*loaded->codec, request.input.path, request.options.encoding); !usable) {
            return core::Fault(std::move(usable.error()));
        }
        report.set_file(request.input.path);
        codec::CheckOptions options = request.options;
        if (!options.side_file) {
            options.side_file = side_files(request.input.path, request.texture_folders, options.limits);
        }
        if (!options.has_picture) {
            options.has_picture = [&](const model::Texture& texture) {
                return !find_texture(texture, request.input.path, request.texture_folders).file.empty();
            };
        }
        loaded->codec->check(loaded->bytes.bytes(), request.input.path, options, report);
        return CheckResponse{loaded->codec->id};
    });
}

}  // namespace gomkit::kit
