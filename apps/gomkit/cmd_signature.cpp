#include <memory>

#include <gomkit/kit/signature.hpp>

#include "common.hpp"
#include "output.hpp"
#include "print_json.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;
namespace core = gomkit::core;

namespace {

struct Options {
    CommonOptions common;
    std::string input;
};

int run_signature(const Context& context, const Options& o) {
    kit::SignatureRequest request;
    request.input = kit::Input(o.input);
    request.read = o.common.read_options();
    core::Report report(o.input, o.common.max_issues);
    const auto text = kit::signature(context.registry, request, report);
    const int code = text ? 0 : core::exit_code(text.error().code);
    if (o.common.json) {
        Json document = json_document(code, text ? std::vector<core::Error>{} : std::vector<core::Error>{text.error()}, {&report});
        document["signature"] = text ? Json(*text) : Json(nullptr);
        print_result(json_text(document));
        return code;
    }
    print_issues(report, o.common);
    if (!text) {
        print_error(text.error());
    } else {
        print_result(*text + "\n");
    }
    return code;
}

}  // namespace

void add_signature(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "signature", "print the skeleton's signature, which motions must match",
                                    "  gomkit signature hero.gom\n"
                                    "  gomkit signature hero.fbx -q");
    add_file(*command, "FILE", o->input, "the model");
    add_reading(*command, o->common);
    add_json(*command, o->common);
    add_verbosity(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_signature(context, *o); });
}
