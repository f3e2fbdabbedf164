#include <memory>

#include <gomkit/kit/info.hpp>

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
    std::vector<std::string> texture_paths;
};

int run_info(const Context& context, const Options& o) {
    kit::InfoRequest request;
    request.input = kit::Input(o.input);
    request.read = o.common.read_options();
    request.texture_folders = o.texture_paths;
    core::Report report(o.input, o.common.max_issues);
    const auto folders = check_folders(o.texture_paths);
    const auto info = folders ? kit::info(context.registry, request, report) : core::Result<kit::InfoResponse>(core::Fault(folders.error()));
    const int code = info ? 0 : core::exit_code(info.error().code);
    if (o.common.json) {
        Json document = json_document(code, info ? std::vector<core::Error>{} : std::vector<core::Error>{info.error()}, {&report});
        if (info) {
            add_info_json(document, *info);
        }
        print_result(json_text(document));
        return code;
    }
    print_issues(report, o.common);
    if (!info) {
        print_error(info.error());
        return code;
    }
    print_result(info_text(o.input, *info, report));
    return 0;
}

}  // namespace

void add_info(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "info", "say what a model file holds",
                                    "  gomkit info hero.fbx\n"
                                    "  gomkit info hero.gom --json");
    add_file(*command, "FILE", o->input, "the model");
    add_repeated(*command, "--texture-path", o->texture_paths, "DIR", "look for pictures here too; may be repeated");
    add_reading(*command, o->common);
    add_json(*command, o->common);
    add_verbosity(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_info(context, *o); });
}
