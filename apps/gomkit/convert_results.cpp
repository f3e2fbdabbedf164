#include "convert_results.hpp"

#include <fmt/format.h>

#include <gomkit/core/text.hpp>

#include "output.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;
namespace core = gomkit::core;

namespace {

// Why nothing was written.
std::optional<core::Error> failure_of(const kit::ConvertRequest& request, const kit::ConvertOutcome& outcome) {
    if (!outcome.result) {
        return outcome.result.error();
    }
    if (outcome.result->complete) {
        return std::nullopt;
    }
    core::Error refused;
    refused.code = core::Code::WarningsAsErrors;
    refused.place.file = request.input.path;
    refused.what = "nothing was written because of " + amount(outcome.report.count(core::Severity::Warning), "warning", "warnings");
    refused.cure = "--warnings-as-errors";
    return refused;
}

}  // namespace

void FileSet::add(const std::string& path) {
    places_.insert(core::identity_of(path));
    if (const auto id = core::is_regular_file(path) ? core::file_id(path) : std::nullopt) {
        files_.insert(*id);
    }
}

bool FileSet::contains(const std::string& path) const {
    const auto id = core::file_id(path);
    return places_.contains(core::identity_of(path)) || (id && files_.contains(*id));
}

void ConvertResults::add(const kit::ConvertRequest& request, const kit::ConvertOutcome& outcome) {
    const std::optional<core::Error> failure = failure_of(request, outcome);
    exit_code_ = worse(exit_code_, failure ? core::exit_code(failure->code) : 0);
    if (options_.json) {
        keep(request, outcome, failure);
    } else {
        print(request, outcome, failure);
    }
    if (!failure) {
        for (const std::string& output : outcome.result->outputs) {
            kit::Dependency rule{output, {request.input.path}};
            rule.sources.insert(rule.sources.end(), outcome.result->files_read.begin(), outcome.result->files_read.end());
            rule.sources.insert(rule.sources.end(), outcome.result->pictures_read.begin(), outcome.result->pictures_read.end());
            rules_.push_back(std::move(rule));
        }
        pictures_.insert(pictures_.end(), outcome.result->pictures_known.begin(), outcome.result->pictures_known.end());
    }
}

void ConvertResults::fail(const core::Error& error) {
    exit_code_ = worse(exit_code_, core::exit_code(error.code));
    errors_.push_back(error);
    if (!options_.json) {
        print_error(error);
    }
}

void ConvertResults::add_steps(const kit::ConvertRequest& request, const std::vector<gomkit::codec::Step>& steps) {
    Json list = Json::array();
    std::string text = core::printable(request.input.path) + " -> " + core::printable(request.output) + "\n";
    for (const gomkit::codec::Step& step : steps) {
        text += fmt::format("  {:<12}{}\n", step.name, core::printable(step.what));
        list.push_back({{"name", step.name}, {"what", step.what}});
    }
    files_.push_back({{"input", request.input.path}, {"output", request.output}, {"steps", std::move(list)}});
    if (!options_.json) {
        print_result(text);
    }
}

void ConvertResults::write_depfile(const std::string& path) {
    if (path.empty() || exit_code_ != 0) {
        return;
    }
    FileSet pictures;
    for (const std::string& picture : pictures_) {
        pictures.add(picture);
    }
    if (pictures.contains(path)) {
        core::Place place;
        place.file = path;
        fail(core::fail(core::Code::CannotWrite, place, "the dependency file would replace a picture", {}, {}, "name another file").value());
        return;
    }
    const auto text = kit::depfile_text(rules_);
    const auto write = [&]() -> core::Result<void> {
        const auto bytes = std::as_bytes(std::span(text->data(), text->size()));
        return is_stdout(path) ? write_stdout(path, bytes) : core::write_file_atomically(path, bytes);
    };
    const auto written = text ? write() : core::Result<void>(core::Fault(text.error()));
    if (!written) {
        fail(written.error());
    }
}

int ConvertResults::finish() {
    if (options_.json) {
        std::vector<const core::Report*> reports;
        for (const core::Report& report : reports_) {
            reports.push_back(&report);
        }
        Json document = json_document(exit_code_, errors_, reports);
        document["files"] = std::move(files_);
        print_result(json_text(document));
    }
    return exit_code_;
}

void ConvertResults::print(const kit::ConvertRequest& request, const kit::ConvertOutcome& outcome, const std::optional<core::Error>& failure) const {
    print_issues(outcome.report, options_);
    if (failure) {
        print_error(*failure);
    } else if (!options_.quiet) {
        const std::string text = convert_text(request, *outcome.result);
        if (request.take_output) {  // stdout is the model
            print_error_line(std::string_view(text).substr(0, text.size() - 1));
        } else {
            print_result(text);
        }
    }
}

void ConvertResults::keep(const kit::ConvertRequest& request, const kit::ConvertOutcome& outcome, const std::optional<core::Error>& failure) {
    Json file;
    file["input"] = request.input.path;
    file["output"] = request.output;
    file["ok"] = !failure;
    file["exitCode"] = failure ? core::exit_code(failure->code) : 0;
    file["written"] = !failure;
    if (outcome.result) {
        file["from"] = outcome.result->source_format;
        file["to"] = outcome.result->target_format;
        file["found"] = counts_json(outcome.result->found);
        file["counts"] = !failure ? counts_json(outcome.result->written) : Json(nullptr);
        file["bytes"] = !failure ? Json(outcome.result->bytes) : Json(nullptr);
        file["pictures"] = outcome.result->pictures_written;
        file["outputs"] = outcome.result->outputs;
        file["reduced"] = Json::array();
        for (const gomkit::pass::ReducedClip& clip : outcome.result->reduced) {
            file["reduced"].push_back({{"clip", clip.clip}, {"keysBefore", clip.keys_before}, {"keysAfter", clip.keys_after},
                                       {"millimetres", clip.millimetres}, {"bone", clip.bone}, {"time", clip.time}});
        }
    }
    if (failure) {
        errors_.push_back(*failure);
    }
    files_.push_back(std::move(file));
    reports_.push_back(outcome.report);
}
