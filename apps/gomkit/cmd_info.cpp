#include <memory>

#include <gomkit/kit/elements.hpp>
#include <gomkit/kit/info.hpp>

#include "common.hpp"
#include "output.hpp"
#include "print_elements.hpp"
#include "print_json.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;
namespace core = gomkit::core;

namespace {

struct Options {
    CommonOptions common;
    std::string input;
    std::vector<std::string> texture_paths;
    bool elements = false;
    bool properties = false;
};

// One element after the other as they come: there may be millions.
int run_elements(const Context& context, const Options& o) {
    kit::ElementsRequest request;
    request.input = kit::Input(o.input);
    request.read = o.common.read_options();
    request.properties = o.properties;
    if (!o.common.json) {
        const auto done = kit::elements(context.registry, request, [](const gomkit::codec::Element& e) { print_result(element_text(e)); });
        if (!done) {
            print_error(done.error());
        }
        return done ? 0 : core::exit_code(done.error().code);
    }
    const auto document = [](int code, const std::vector<core::Error>& errors) {
        Json out = json_document(code, errors, {});
        out["elements"] = Json::array();
        return json_text(out);
    };
    // The document of a success, cut open where the elements go.
    const std::string text = document(0, {});
    const std::size_t cut = text.rfind("[]") + 1;
    bool first = true;
    const auto done = kit::elements(context.registry, request, [&](const gomkit::codec::Element& e) {
        print_result(first ? text.substr(0, cut) + "\n" : ",\n");
        print_result(element_json(e).dump(-1, ' ', false, Json::error_handler_t::replace));
        first = false;
    });
    if (!done) {
        const int code = core::exit_code(done.error().code);
        print_result(document(code, {done.error()}));
        return code;
    }
    print_result(first ? text : "\n  " + text.substr(cut));
    return 0;
}

int run_info(const Context& context, const Options& o) {
    if (o.elements) {
        return run_elements(context, o);
    }
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
                                    "  gomkit info hero.gom --json\n"
                                    "  gomkit info hero.fbx --elements --props");
    add_file(*command, "FILE", o->input, "the model");
    add_repeated(*command, "--texture-path", o->texture_paths, "DIR", "look for pictures here too; may be repeated");
    CLI::Option* elements = command->add_flag("--elements", o->elements, "list what the file is made of, in its own terms, and stop");
    command->add_flag("--props", o->properties, "with the properties of each element")->needs(elements);
    add_reading(*command, o->common);
    add_json(*command, o->common);
    add_verbosity(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_info(context, *o); });
}
