#include <gomkit/kit/check.hpp>

#include "guarded.hpp"
#include "load.hpp"

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
        report.set_file(request.input.path);
        loaded->codec->check(loaded->bytes.bytes(), request.input.path, request.options, report);
        return CheckResponse{loaded->codec->id};
    });
}

}  // namespace gomkit::kit
