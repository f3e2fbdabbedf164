#include "app.hpp"

#include <algorithm>
#include <memory>

#include <gomkit/core/text.hpp>
#include <gomkit/kit/registry.hpp>

#include "arguments.hpp"
#include "common.hpp"
#include "output.hpp"
#include "print_json.hpp"
#include "print_text.hpp"

namespace {

using gomkit::core::Code;

constexpr const char* kDescription =
    "gomkit converts models for games: FBX to GOM.\n"
    "gomkit FILE... without a command converts each file beside itself.";

constexpr const char* kFooter =
    "Examples:\n"
    "  gomkit hero.fbx                       hero.gom beside it\n"
    "  gomkit convert hero.fbx -o game/hero.gom\n"
    "  gomkit check hero.gom\n"
    "  gomkit COMMAND --help                 all options of a command\n"
    "\n"
    "Exit codes: 0 done, 1 invalid input or findings or differences, 2 usage, 3 cannot read,\n"
    "4 cannot convert or not supported, 5 cannot write, 6 a limit was hit, 7 a bug of gomkit, 130 interrupted.";

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

// The command whose options the user was writing.
const CLI::App& active(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : *chosen.back();
}

int usage_error(const std::string& what, const std::string& cure, bool json) {
    gomkit::core::Error error;
    error.code = Code::Usage;
    error.what = what;
    error.cure = cure;
    if (json) {
        print_result(json_text(json_document(2, {error}, {})));
    } else {
        print_error_line("gomkit: " + gomkit::core::to_string(error));
    }
    return 2;
}

int parse_error(const CLI::App& app, const CLI::ParseError& e, bool json) {
    const CLI::App& command = active(app);
    const std::string name = &command == &app ? "gomkit" : "gomkit " + command.get_name();
    std::string what = e.what();
    if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
        const std::vector<std::string> extra = command.remaining();
        const std::string& word = extra.empty() ? what : extra.front();
        what = (word.starts_with('-') ? "unknown option '" : "unexpected argument '") + word + "'";
        const std::string meant = nearest(word.substr(0, word.find('=')), option_names(command));
        what += meant.empty() ? "" : ", did you mean '" + meant + "'?";
        if (&command == &app && meant.empty() && app.get_subcommand("convert")->get_option_no_throw(word) != nullptr) {
            return usage_error(what, "options follow a command: gomkit convert " + word + " ..., see gomkit --help", json);
        }
    } else if (what.ends_with(" missing") && what.find(" required ") != std::string::npos) {
        what = what.substr(0, what.find(':')) + " needs a value";
    }
    return usage_error(what, "see " + name + " --help", json);
}

}  // namespace

int run(std::vector<std::string> arguments) {
    Context context;
    context.registry = gomkit::kit::make_registry();
    CLI::App app(kDescription, "gomkit");
    app.set_help_flag("-h,--help", "print this help and stop");
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->column_width(34);
    app.footer(kFooter);
    app.require_subcommand(0, 1);
    bool version = false;
    bool version_json = false;
    CLI::Option* version_option = app.add_flag("--version", version, "print what this build is made of and stop");
    app.add_flag("--json", version_json, "with --version: as JSON")->needs(version_option);
    for (const auto add : {add_convert, add_check, add_info, add_dump, add_diff, add_pose, add_preview, add_signature, add_formats, add_rules}) {
        add(app, context);
    }

    arguments.erase(arguments.begin(), arguments.begin() + std::min<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(arguments.size())));
    const bool json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        commands.push_back(command->get_name());
    }
    std::string unknown;
    arguments = with_command(std::move(arguments), commands, unknown);
    if (!unknown.empty()) {
        const std::string meant = unknown == "help" ? "--help" : unknown == "version" ? "--version" : nearest(unknown, commands);
        return usage_error("there is no command and no file '" + gomkit::core::printable(unknown) + "'" +
                               (meant.empty() ? "" : ", did you mean '" + meant + "'?"),
                           "see gomkit --help", json);
    }
    arguments = with_default_values(std::move(arguments));
    const bool has_command = !arguments.empty() && std::find(commands.begin(), commands.end(), arguments.front()) != commands.end();
    const CLI::App& command = has_command ? *app.get_subcommand(arguments.front()) : app;
    arguments = with_plain_brackets(std::move(arguments), [&](const std::string& name) {
        const CLI::Option* option = command.get_option_no_throw(name);
        return option != nullptr && option->get_items_expected_max() > 0;
    });
    try {
        std::reverse(arguments.begin(), arguments.end());  // the order CLI11 wants
        app.parse(arguments);
    } catch (const CLI::CallForHelp&) {
        print_result(app.help());
        return 0;
    } catch (const CLI::ParseError& e) {
        return parse_error(app, e, json);
    }
    if (version) {
        print_versions(gomkit::kit::versions(), version_json);
    } else if (app.get_subcommands().empty()) {
        print_result(app.help());
    }
    return context.exit_code;
}
