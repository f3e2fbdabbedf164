#include <algorithm>
#include <memory>
#include <thread>

#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/plan.hpp>

#include "common.hpp"
#include "convert_results.hpp"
#include "progress_line.hpp"

namespace kit = gomkit::kit;
namespace core = gomkit::core;
namespace pass = gomkit::pass;

namespace {

struct Options {
    CommonOptions common;
    std::vector<std::string> inputs;
    std::string output;
    std::string to;
    std::string normals = "keep";
    std::string tangents = "auto";
    std::string textures = "keep";
    std::vector<std::string> texture_paths;
    std::string depfile;
    bool bake_static = false;
    bool warnings_as_errors = false;
    bool explain = false;
    unsigned jobs = 0;
};

kit::ConvertRequest request_for(const Options& o, const std::string& input, const kit::PlannedOutput& planned, unsigned jobs) {
    kit::ConvertRequest r;
    r.input = kit::Input(input);
    r.output = planned.path;
    r.target = planned.target;
    r.read = o.common.read_options();
    r.write.limits = r.read.limits;
    r.write.normals = o.normals == "generate" ? pass::NormalMode::Generate : pass::NormalMode::Keep;
    r.write.tangents = o.tangents == "keep"       ? pass::TangentMode::Keep
                       : o.tangents == "generate" ? pass::TangentMode::Generate
                       : o.tangents == "none"     ? pass::TangentMode::None
                                                  : pass::TangentMode::Auto;
    r.write.bake_static = o.bake_static;
    r.write.jobs = jobs;
    r.textures = o.textures == "copy" ? kit::TextureMode::Copy : o.textures == "collect" ? kit::TextureMode::Collect : kit::TextureMode::Keep;
    r.texture_folders = o.texture_paths;
    r.warnings_as_errors = o.warnings_as_errors;
    return r;
}

core::Result<void> check_depfile(const std::string& path, const std::vector<kit::ConvertRequest>& requests) {
    core::Place place;
    place.file = path;
    for (const kit::ConvertRequest& request : requests) {
        if (!path.empty() && (path == request.output || core::same_file(path, request.input.path) || core::same_file(path, request.output))) {
            return core::fail(core::Code::Usage, place, "the dependency file is an input or output of the conversion");
        }
    }
    return {};
}

int run_convert(const Context& context, const Options& o) {
    ConvertResults results(o.common);
    const auto plan = kit::plan_outputs(context.registry, o.inputs, o.output, o.to);
    if (!plan) {
        results.fail(plan.error());
        return results.finish();
    }
    const unsigned jobs = o.jobs != 0 ? o.jobs : std::max(1u, std::thread::hardware_concurrency());
    std::vector<kit::ConvertRequest> requests;
    for (std::size_t i = 0; i < o.inputs.size(); ++i) {
        requests.push_back(request_for(o, o.inputs[i], (*plan)[i], o.inputs.size() == 1 ? jobs : 1));
    }
    if (const auto checked = check_depfile(o.depfile, requests); !checked) {
        results.fail(checked.error());
        return results.finish();
    }
    if (o.explain) {
        for (const kit::ConvertRequest& request : requests) {
            if (const auto steps = kit::explain(context.registry, request)) {
                results.add_steps(request, *steps);
            } else {
                results.fail(steps.error());
            }
        }
        return results.finish();
    }
    {
        ProgressLine line(!o.common.json && !o.common.quiet);
        core::Progress progress;
        progress.stage = [&line](const std::string& file, std::string_view stage) { line.show(file, stage); };
        kit::convert_all(context.registry, requests, jobs, o.common.max_issues, progress,
                         [&](std::size_t i, const kit::ConvertOutcome& outcome) { results.add(requests[i], outcome); });
    }
    results.write_depfile(o.depfile);
    return results.finish();
}

}  // namespace

void add_convert(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "convert", "convert models to another format, GOM where nothing else is said",
                                    "  gomkit convert hero.fbx                          hero.gom beside it\n"
                                    "  gomkit convert hero.fbx -o game/hero.gom\n"
                                    "  gomkit convert a.fbx b.fbx -o game/              several into a folder\n"
                                    "  gomkit convert hero.fbx --textures collect       pictures into hero.textures/\n"
                                    "  gomkit convert hero.fbx --texture-path ../pictures\n"
                                    "  gomkit convert hero.fbx --json --warnings-as-errors");
    add_files(*command, "IN", o->inputs, "models to convert");
    command->add_option("-o,--output", o->output, "file or folder to write (beside the input)")->option_text("OUT");
    command->add_option("--to", o->to, "format to write (by OUT's extension)")->option_text("ID");
    add_choice(*command, "--normals", o->normals, {"keep", "generate"}, "normals (keep; missing ones are generated)");
    add_choice(*command, "--tangents", o->tangents, {"auto", "keep", "generate", "none"}, "tangents (auto: the source's, else MikkTSpace; keep: never generated)");
    command->add_flag("--bake-static", o->bake_static, "put unmoving meshes into model space");
    add_choice(*command, "--textures", o->textures, {"keep", "copy", "collect"}, "pictures: keep their paths, copy or gather them (keep)");
    add_repeated(*command, "--texture-path", o->texture_paths, "DIR", "look for pictures here too; may be repeated");
    add_reading(*command, o->common);
    command->add_flag("--warnings-as-errors", o->warnings_as_errors, "write nothing when there is a warning");
    command->add_option("--jobs", o->jobs, "work on N things at once (all processors)")->option_text("N")->check(CLI::Range(1u, 1024u));
    command->add_option("--depfile", o->depfile, "write what each output was made of, for make and ninja")->option_text("FILE");
    command->add_flag("--explain", o->explain, "print the stages of the conversion and stop");
    add_json(*command, o->common);
    add_verbosity(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_convert(context, *o); });
}
