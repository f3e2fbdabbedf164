#include <gomkit/kit/signature.hpp>

#include "guarded.hpp"
#include "load.hpp"
#include "model_math.hpp"

namespace gomkit::kit {

core::Result<std::string> signature(const codec::Registry& registry, const SignatureRequest& request, core::Report& report) {
    return guarded(request.input.path, [&]() -> core::Result<std::string> {
        report.set_file(request.input.path);
        const auto model = read_model(registry, request.input, request.read, report);
        if (!model) {
            return core::Fault(model.error());
        }
        const auto skeleton = skeleton_of(*model, request.input.path, request.read.limits);
        if (!skeleton) {
            return core::Fault(skeleton.error());
        }
        std::string text = signature_text(*model, *skeleton);
        if (text.empty()) {
            return core::fail(core::Code::CannotConvert, file_place(request.input.path), "the file has no skeleton, and so no signature");
        }
        return text;
    });
}

}  // namespace gomkit::kit
