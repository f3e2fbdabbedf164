#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <gomkit/codec/codec.hpp>

/// What every command gets: the formats, and where its exit code goes.
struct Context {
    gomkit::codec::Registry registry;
    int exit_code = 0;
};

/// Options that several commands have.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool strict = false;
    bool lenient = false;
    std::size_t max_issues = 1000;
    std::string limits = "default";
    std::string encoding = "auto";

    [[nodiscard]] gomkit::core::Limits limits_chosen() const;
    [[nodiscard]] gomkit::codec::TextEncoding encoding_chosen() const;
    [[nodiscard]] gomkit::codec::ReadOptions read_options() const;
};

/// Help texts without what CLI11 adds about types and relations.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_usage(const CLI::App* app, std::string name) const override;
};

/// A command of the program, with its description and examples.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description, const std::string& examples);

void add_json(CLI::App& command, CommonOptions& options);
void add_verbosity(CLI::App& command, CommonOptions& options);
void add_max_issues(CLI::App& command, CommonOptions& options);
void add_reading(CLI::App& command, CommonOptions& options);
void add_encoding(CLI::App& command, CommonOptions& options);
void add_limits(CLI::App& command, CommonOptions& options);

/// An option with one value of a few words.
CLI::Option* add_choice(CLI::App& command, const std::string& names, std::string& value, const std::vector<std::string>& words,
                        const std::string& description);
/// Positional file names.
CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& value, const std::string& description);
CLI::Option* add_files(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& description);
/// An option that may be given several times, with one value each time.
CLI::Option* add_repeated(CLI::App& command, const std::string& names, std::vector<std::string>& values, const std::string& value_name,
                          const std::string& description);

/// A check for options: an empty value is a mistake, as of a variable that is not set.
[[nodiscard]] std::string not_empty(const std::string& text);
/// Checks for options: a number within a range. CLI11's own take what is no number for one within it.
[[nodiscard]] std::function<std::string(const std::string&)> number_from(int low, int high);
/// The same for a whole number; `low` is not negative.
[[nodiscard]] std::function<std::string(const std::string&)> whole_number_from(int low, int high);
/// Words that an option takes, as the help shows them.
[[nodiscard]] std::string words_text(const std::vector<std::string>& words);
/// A mistake in the options; `file` is what it is about, where it is about one.
[[nodiscard]] gomkit::core::Fault usage(const std::string& what, const std::string& cure = {}, const std::string& file = {});
/// Whether all values of --texture-path are folders. Errors: CannotOpen.
[[nodiscard]] gomkit::core::Result<void> check_folders(const std::vector<std::string>& folders);

/// Of several exit codes the one that is reported: the highest.
[[nodiscard]] inline int worse(int a, int b) { return a > b ? a : b; }

void add_convert(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_info(CLI::App& app, Context& context);
void add_dump(CLI::App& app, Context& context);
void add_diff(CLI::App& app, Context& context);
void add_pose(CLI::App& app, Context& context);
void add_preview(CLI::App& app, Context& context);
void add_signature(CLI::App& app, Context& context);
void add_formats(CLI::App& app, Context& context);
void add_rules(CLI::App& app, Context& context);
