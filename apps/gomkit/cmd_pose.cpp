#include <cmath>
#include <memory>

#include <gomkit/core/file.hpp>
#include <gomkit/kit/pose.hpp>

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
    std::vector<std::string> motions;
    std::string clip;
    double time = 0;
    std::string output;
    bool rest = false;
    bool has_clip = false;
    bool has_time = false;
};

void add_pose_json(Json& document, const kit::PoseResponse& pose) {
    document["clip"] = pose.clip.empty() ? Json(nullptr) : Json(pose.clip);
    document["time"] = pose.time_seconds;
    document["parts"] = Json::array();
    for (const kit::PosedPart& part : pose.parts) {
        document["parts"].push_back(
            {{"name", part.name}, {"positions", part.positions}, {"normals", part.normals}, {"indices", part.indices}});
    }
    document["bones"] = Json::array();
    for (const kit::PosedBone& bone : pose.bones) {
        document["bones"].push_back({{"path", bone.path}, {"parent", bone.parent}, {"model", bone.model}});
    }
}

core::Result<kit::PoseResponse> evaluate(const Context& context, const Options& o, core::Report& report) {
    if (o.has_clip && o.rest) {
        return usage("--rest shows no clip, and --clip was given", "leave one of them out");
    }
    if (o.has_time && !o.has_clip) {
        return usage("--time needs the clip whose time it is", "name it with --clip");
    }
    if (!std::isfinite(o.time) || std::fabs(o.time) > 1e9) {
        return usage("--time must be a number of seconds", "for example --time 0.5");
    }
    const std::string extension = core::extension_of(o.output);
    if (!o.output.empty() && !is_stdout(o.output) && extension != "obj" && extension != "json") {
        return usage("a pose is written as .obj or .json, not as '" + o.output + "'", "choose one of these extensions");
    }
    kit::PoseRequest request;
    request.input = kit::Input(o.input);
    for (const std::string& motion : o.motions) {
        request.motions.emplace_back(motion);
    }
    request.read = o.common.read_options();
    if (o.has_clip) {
        request.clip = o.clip;
    }
    request.time_seconds = static_cast<float>(o.time);
    request.rest = o.rest;
    return kit::pose(context.registry, request, report);
}

int run_pose(const Context& context, const Options& o) {
    core::Report report(o.input, o.common.max_issues);
    auto pose = evaluate(context, o, report);
    const bool json = o.common.json || core::extension_of(o.output) == "json";
    const auto document = [&](const core::Error* error) {
        Json out = json_document(error == nullptr ? 0 : core::exit_code(error->code),
                                 error == nullptr ? std::vector<core::Error>{} : std::vector<core::Error>{*error}, {&report});
        if (error == nullptr) {
            add_pose_json(out, *pose);
        }
        return json_text(out);
    };
    if (pose && !o.output.empty()) {
        const std::string text = json ? document(nullptr) : kit::obj_text(*pose);
        const auto bytes = std::as_bytes(std::span(text));
        std::vector<std::string> inputs = o.motions;
        inputs.push_back(o.input);
        if (const auto written = write_result(o.output, bytes, inputs); !written) {
            pose = core::Fault(written.error());
        }
    }
    const int code = pose ? 0 : core::exit_code(pose.error().code);
    if (o.common.json) {
        if (!pose) {
            print_result(document(&pose.error()));
        } else if (o.output.empty()) {
            print_result(document(nullptr));
        }
        return code;
    }
    print_issues(report, o.common);
    if (!pose) {
        print_error(pose.error());
    } else if (o.output.empty()) {
        print_result(kit::obj_text(*pose));
    }
    return code;
}

}  // namespace

void add_pose(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "pose", "skin a model as a game would, at a time of a clip",
                                    "  gomkit pose hero.gom --clip Walk --time 0.5 -o walk.obj\n"
                                    "  gomkit pose hero.gom walk.mta --clip Walk --time 0.5 --json\n"
                                    "  gomkit pose hero.fbx -o bind.obj                 the bind pose\n"
                                    "  gomkit pose hero.fbx --rest -o rest.obj          as the file itself stands");
    add_file(*command, "FILE", o->input, "the model");
    command->add_option("MOTION", o->motions, "motions of the same skeleton, whose clips --clip may name")->option_text("...");
    const auto* clip = command->add_option("--clip", o->clip, "the clip (the bind pose without one)")->option_text("NAME")->check(not_empty);
    const auto* time = command->add_option("--time", o->time, "seconds since the clip's start (0)")->option_text("S");
    command->add_flag("--rest", o->rest, "the default transforms of a source file, in place of a clip");
    command->add_option("-o,--output", o->output, "write .obj or .json to a file (OBJ to stdout)")->option_text("OUT")->check(not_empty);
    add_reading(*command, o->common);
    add_json(*command, o->common);
    add_verbosity(*command, o->common);
    command->callback([o, clip, time, &context] {
        o->has_clip = clip->count() != 0;
        o->has_time = time->count() != 0;
        context.exit_code = run_pose(context, *o);
    });
}
