#include <memory>

#include <gomkit/core/text.hpp>
#include <gomkit/kit/diff.hpp>

#include "common.hpp"
#include "output.hpp"
#include "print_json.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;
namespace core = gomkit::core;

namespace {

struct Options {
    CommonOptions common;
    std::string a;
    std::string b;
    double tolerance = kit::DiffRequest{}.tolerance;
};

// 1 means that there are differences, so an operand that is no valid model counts as one that cannot be read.
int exit_code_of(const core::Error& error) {
    const int code = core::exit_code(error.code);
    return code == 1 ? 3 : code;
}

int run_diff(const Context& context, const Options& o) {
    kit::DiffRequest request;
    request.a = kit::Input(o.a);
    request.b = kit::Input(o.b);
    request.read = o.common.read_options();
    request.tolerance = o.tolerance;
    core::Report report({}, o.common.max_issues);
    const auto response = kit::diff(context.registry, request, report);
    const int code = !response ? exit_code_of(response.error()) : response->differences.empty() ? 0 : 1;
    if (o.common.json) {
        Json document = json_document(code, response ? std::vector<core::Error>{} : std::vector<core::Error>{response.error()}, {&report});
        document["differences"] = response ? diff_json(*response) : Json::array();
        print_result(json_text(document));
        return code;
    }
    print_issues(report, o.common);
    if (!response) {
        print_error(response.error());
    } else {
        print_result(diff_text(*response));
    }
    return code;
}

}  // namespace

void add_diff(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "diff", "compare the meaning of two models, of one format or of two",
                                    "  gomkit diff old.gom new.gom\n"
                                    "  gomkit diff hero.fbx hero.gom --tolerance 1e-4");
    add_file(*command, "A", o->a, "one model");
    add_file(*command, "B", o->b, "the other");
    const auto usable = [](const std::string& text) {
        return core::parse_number(text).value_or(-1) >= 0 ? std::string() : "must be a number, 0 or more";
    };
    command->add_option("--tolerance", o->tolerance, "how far numbers may differ, relative above 1 (1e-6)")->option_text("T")->check(usable);
    add_reading(*command, o->common);
    add_json(*command, o->common);
    add_verbosity(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_diff(context, *o); });
}
