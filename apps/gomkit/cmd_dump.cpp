#include <memory>

#include <gomkit/kit/dump.hpp>

#include "common.hpp"
#include "output.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;

namespace {

struct Options {
    CommonOptions common;
    std::string input;
    std::string part;
};

int run_dump(const Context& context, const Options& o) {
    kit::DumpRequest request;
    request.input = kit::Input(o.input);
    request.part = o.part;
    request.read = o.common.read_options();
    const auto text = kit::dump(context.registry, request);
    if (!text) {
        print_error(text.error());
        return gomkit::core::exit_code(text.error().code);
    }
    print_result(text->text);
    return text->complete ? 0 : 1;
}

}  // namespace

void add_dump(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "dump", "print a file's bytes with their meaning",
                                    "  gomkit dump hero.gom\n"
                                    "  gomkit dump hero.gom --part SKEL\n"
                                    "  gomkit dump hero.gom --part 'MSH0[0].VB0'");
    add_file(*command, "FILE", o->input, "the file");
    command->add_option("--part", o->part, "only this chunk and what is in it")->option_text("P");
    add_limits(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_dump(context, *o); });
}
