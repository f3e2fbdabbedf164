#include "common.hpp"

#include <optional>

#include <fmt/format.h>

#include <gomkit/core/file.hpp>
#include <gomkit/core/text.hpp>

namespace {

bool is_from(const std::string& text, int low, int high) {
    const std::optional<double> value = gomkit::core::parse_number(text);
    return value && *value >= low && *value <= high;
}

}  // namespace

std::string words_text(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : "|") + word;
    }
    return text;
}

std::function<std::string(const std::string&)> number_from(int low, int high) {
    return [low, high](const std::string& text) {
        return is_from(text, low, high) ? std::string() : fmt::format("must be a number from {} to {}", low, high);
    };
}

std::function<std::string(const std::string&)> whole_number_from(int low, int high) {
    return [low, high](const std::string& text) {
        const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
        return digits && is_from(text, low, high) ? std::string() : fmt::format("must be a whole number from {} to {}", low, high);
    };
}

gomkit::core::Limits CommonOptions::limits_chosen() const {
    using gomkit::core::Limits;
    return limits == "small" ? Limits::make_small() : limits == "large" ? Limits::make_large() : Limits::make_default();
}

gomkit::codec::ReadOptions CommonOptions::read_options() const {
    gomkit::codec::ReadOptions options;
    options.limits = limits_chosen();
    options.strict = strict;
    options.encoding = encoding_chosen();
    return options;
}

gomkit::codec::TextEncoding CommonOptions::encoding_chosen() const {
    using gomkit::codec::TextEncoding;
    return encoding == "utf8"     ? TextEncoding::Utf8
           : encoding == "cp932"  ? TextEncoding::Cp932
           : encoding == "cp1252" ? TextEncoding::Cp1252
                                  : TextEncoding::Auto;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
    const std::string& text = option->get_option_text();
    return text.empty() ? std::string() : " " + text;
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
    if (app->get_parent() == nullptr) {
        return "Usage: gomkit COMMAND [OPTIONS] ...\n       gomkit FILE...\n";
    }
    std::string out = "Usage: " + name + " [OPTIONS]";
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
        const std::string word = option->get_name(true) + (option->get_option_text() == "..." ? "..." : "");
        out += option->get_required() ? " " + word : " [" + word + "]";
    }
    return out + "\n";
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description, const std::string& examples) {
    CLI::App* command = app.add_subcommand(name, description);
    command->group("Commands");
    command->set_help_flag("-h,--help", "print this help and stop");
    command->footer("Examples:\n" + examples);
    return command;
}

void add_json(CLI::App& command, CommonOptions& options) {
    command.add_flag("--json", options.json, "print one JSON document on stdout and no messages on stderr");
}

void add_verbosity(CLI::App& command, CommonOptions& options) {
    CLI::Option* quiet = command.add_flag("-q,--quiet", options.quiet, "print errors only");
    command.add_flag("-v,--verbose", options.verbose, "print notes too")->excludes(quiet);
    add_max_issues(command, options);
}

void add_max_issues(CLI::App& command, CommonOptions& options) {
    const auto usable = [](const std::string& text) {
        const bool digits = !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
        return digits ? std::string() : "must be a whole number, 0 or more";
    };
    command.add_option("--max-issues", options.max_issues, "keep at most N findings a file (1000)")->option_text("N")->check(usable);
}

std::string not_empty(const std::string& text) { return text.empty() ? "must not be empty" : std::string(); }

gomkit::core::Fault usage(const std::string& what, const std::string& cure, const std::string& file) {
    gomkit::core::Place place;
    place.file = file;
    return gomkit::core::fail(gomkit::core::Code::Usage, place, what, {}, {}, cure);
}

gomkit::core::Result<void> check_folders(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
        if (!gomkit::core::is_folder(folder)) {
            gomkit::core::Place place;
            place.file = folder;
            return gomkit::core::fail(gomkit::core::Code::CannotOpen, place,
                                      gomkit::core::exists(folder) ? "--texture-path must be a folder, and this is a file"
                                                                   : "the folder of --texture-path does not exist",
                                      {}, {}, "check the path");
        }
    }
    return {};
}

void add_reading(CLI::App& command, CommonOptions& options) {
    CLI::Option* strict = command.add_flag("--strict", options.strict, "refuse what earlier generations of a format wrote");
    command.add_flag("--lenient", options.lenient, "read what earlier generations of a format wrote (the default)")->excludes(strict);
    add_encoding(command, options);
    add_limits(command, options);
}

void add_encoding(CLI::App& command, CommonOptions& options) {
    add_choice(command, "--encoding", options.encoding, {"auto", "utf8", "cp932", "cp1252"},
               "what names are written in where the format does not say (auto)");
}

void add_limits(CLI::App& command, CommonOptions& options) {
    add_choice(command, "--limits", options.limits, {"small", "default", "large"}, "how much is taken from one file");
}

CLI::Option* add_choice(CLI::App& command, const std::string& names, std::string& value, const std::vector<std::string>& words,
                        const std::string& description) {
    return command.add_option(names, value, description)->option_text(words_text(words))->check(CLI::IsMember(words));
}

CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& value, const std::string& description) {
    return command.add_option(name, value, description)->required();
}

CLI::Option* add_files(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& description) {
    return command.add_option(name, values, description)->option_text("...")->required();
}

CLI::Option* add_repeated(CLI::App& command, const std::string& names, std::vector<std::string>& values, const std::string& value_name,
                          const std::string& description) {
    return command.add_option(names, values, description)->option_text(value_name)->type_size(1)->expected(1)->allow_extra_args(false)->take_all()->check(not_empty);
}
