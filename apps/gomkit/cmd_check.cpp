#include <memory>

#include <fmt/format.h>

#include <gomkit/kit/check.hpp>

#include "common.hpp"
#include "output.hpp"
#include "print_json.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;
namespace core = gomkit::core;

namespace {

struct Options {
    CommonOptions common;
    std::vector<std::string> inputs;
    bool canonical = false;
    bool warnings_as_errors = false;
    std::vector<std::string> texture_paths;
};

// Findings are what check is for, so they go to stdout.
void print_findings(const core::Report& report) {
    for (const core::Issue& issue : report.issues()) {
        print_result(core::to_string(issue) + "\n");
    }
    if (report.truncated()) {
        print_error_line(truncated_text(report));
    }
}

std::string count_text(std::uint64_t files, std::uint64_t errors, std::uint64_t warnings, std::uint64_t canonical, bool show_canonical) {
    std::string text = fmt::format("{} checked: {}, {}", amount(files, "file", "files"), amount(errors, "error", "errors"),
                                   amount(warnings, "warning", "warnings"));
    if (show_canonical) {
        text += fmt::format(", {} not canonical", canonical);
    }
    return text + "\n";
}

// Whether all errors say that the file is beyond a limit, so that it is not known to be wrong.
bool only_limits(const core::Report& report) {
    std::uint64_t limits = 0;
    for (const core::Issue& issue : report.issues()) {
        limits += std::string_view(core::info(issue.id).name).ends_with("_LIMIT") ? issue.count : 0;
    }
    return limits != 0 && limits == report.count(core::Severity::Error);
}

int run_check(const Context& context, const Options& o) {
    std::vector<core::Error> errors;
    std::vector<core::Report> reports;
    Json files = Json::array();
    std::uint64_t counts[4] = {};
    std::uint64_t checked = 0;
    int exit_code = 0;
    const auto folders = check_folders(o.texture_paths);
    if (!folders) {
        errors.push_back(folders.error());
        exit_code = core::exit_code(folders.error().code);
        if (!o.common.json) {
            print_error(folders.error());
        }
    }
    for (const std::string& input : folders ? o.inputs : std::vector<std::string>()) {
        kit::CheckRequest request;
        request.input = kit::Input(input);
        request.options.limits = o.common.limits_chosen();
        request.options.canonical = o.canonical;
        request.options.encoding = o.common.encoding_chosen();
        request.texture_folders = o.texture_paths;
        core::Report report(input, o.common.max_issues);
        const auto response = kit::check(context.registry, request, report);
        const bool bad = report.has_errors() || (o.warnings_as_errors && report.count(core::Severity::Warning) != 0);
        const int code = !response ? core::exit_code(response.error().code) : !bad ? 0 : only_limits(report) ? 6 : 1;
        exit_code = worse(exit_code, code);
        for (std::size_t i = 0; i < 4; ++i) {
            counts[i] += report.count(static_cast<core::Severity>(i));
        }
        checked += response ? 1u : 0u;
        if (!response) {
            errors.push_back(response.error());
        }
        if (o.common.json) {
            files.push_back({{"file", input}, {"ok", code == 0}, {"exitCode", code}, {"format", response ? Json(response->format) : Json(nullptr)},
                             {"errors", report.count(core::Severity::Error)}, {"warnings", report.count(core::Severity::Warning)},
                             {"canonical", report.count(core::Severity::Canonical)}});
            reports.push_back(std::move(report));
        } else {
            print_findings(report);
            if (!response) {
                print_error(response.error());
            }
        }
    }
    if (o.common.json) {
        std::vector<const core::Report*> pointers;
        for (const core::Report& report : reports) {
            pointers.push_back(&report);
        }
        Json document = json_document(exit_code, errors, pointers);
        document["files"] = std::move(files);
        print_result(json_text(document));
    } else {
        const auto of = [&](core::Severity s) { return counts[static_cast<std::size_t>(s)]; };
        print_result(count_text(checked, of(core::Severity::Error), of(core::Severity::Warning), of(core::Severity::Canonical), o.canonical));
    }
    return exit_code;
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "check", "test files against all rules of their format",
                                    "  gomkit check hero.gom\n"
                                    "  gomkit check *.gom --warnings-as-errors\n"
                                    "  gomkit check hero.gom --canonical --json");
    add_files(*command, "FILE", o->inputs, "files to test");
    command->add_flag("--canonical", o->canonical, "report too what is valid but not what gomkit writes");
    command->add_flag("--warnings-as-errors", o->warnings_as_errors, "exit with 1 for warnings too");
    add_repeated(*command, "--texture-path", o->texture_paths, "DIR", "look for pictures here too; may be repeated");
    add_encoding(*command, o->common);
    add_limits(*command, o->common);
    add_max_issues(*command, o->common);
    add_json(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_check(context, *o); });
}
