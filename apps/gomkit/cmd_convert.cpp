#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/plan.hpp>

#include "common.hpp"
#include "convert_results.hpp"
#include "format_options.hpp"
#include "output.hpp"
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
    std::vector<std::string> add_clips;
    std::string skeleton;
    std::string strip_prefix;
    std::vector<std::string> clips;
    std::vector<std::string> clip_ranges;
    std::vector<std::string> trims;
    std::vector<std::string> loops;
    double unit = 0;
    std::string up;
    std::string front;
    std::string space = "geometry";
    std::string profile = "auto";
    std::string hidden = "keep";
    std::string lod;
    unsigned subdivide = 0;
    std::optional<double> time;
    double fps = 0;
    double reduce = -1;
    double reduce_radius = 0.1;
    std::string root_motion = "keep";
    std::string root;
    std::string root_motion_out;
    std::string save = "full";
    bool split_clips = false;
    bool bake_static = false;
    gomkit::codec::FormatValues format;  // every name there is; empty: not given
    bool warnings_as_errors = false;
    bool explain = false;
    unsigned jobs = 0;
};

// What the options say about clips. Errors: Usage, about the text of --clip-range and --trim.
core::Result<kit::MotionOptions> motion_options(const Options& o) {
    kit::MotionOptions m;
    m.strip_prefix = o.strip_prefix;
    if (!o.skeleton.empty()) {
        m.skeleton = kit::Input(o.skeleton);
    }
    for (const std::string& file : o.add_clips) {
        m.add_clips.emplace_back(file);
    }
    if (!o.time) {  // else --clip names what the still is of
        m.selection.clips = o.clips;
    }
    m.selection.loops = o.loops;
    for (const std::string& text : o.clip_ranges) {
        auto range = pass::parse_clip_range(text);
        if (!range) {
            return core::Fault(std::move(range.error()));
        }
        m.selection.ranges.push_back(std::move(*range));
    }
    for (const std::string& text : o.trims) {
        auto trim = pass::parse_clip_trim(text);
        if (!trim) {
            return core::Fault(std::move(trim.error()));
        }
        m.selection.trims.push_back(std::move(*trim));
    }
    m.root_motion.mode = o.root_motion == "flag"       ? pass::RootMotionMode::Flag
                         : o.root_motion == "in-place" ? pass::RootMotionMode::InPlace
                                                       : pass::RootMotionMode::Keep;
    m.root_motion.root = o.root;
    m.root_motion_output = o.root_motion_out;
    if (o.reduce > 0) {
        m.reduce = pass::ReduceOptions{};
        m.reduce->millimetres = o.reduce;
        m.reduce->radius = o.reduce_radius;
    }
    m.save = o.save == "mesh" ? kit::SaveMode::Mesh : o.save == "anim" ? kit::SaveMode::Anim : kit::SaveMode::Full;
    m.split_clips = o.split_clips;
    return m;
}

gomkit::codec::SceneOptions scene_options(const Options& o) {
    gomkit::codec::SceneOptions s;
    s.unit_meters = o.unit;
    const auto with_sign = [](const std::string& axis) { return axis.size() == 1 ? "+" + axis : axis; };
    s.up = with_sign(o.up);
    s.front = with_sign(o.front);
    s.space = o.space == "transforms" ? gomkit::codec::SpaceConversion::Transforms : gomkit::codec::SpaceConversion::Geometry;
    s.profile = o.profile;
    s.skip_hidden = o.hidden == "skip";
    s.subdivide = o.subdivide;
    s.time = o.time;
    if (o.time && !o.clips.empty()) {
        s.time_clip = o.clips.front();
    }
    if (o.lod == "all") {
        s.level_of_detail = gomkit::codec::SceneOptions::kAllLevels;
    } else if (!o.lod.empty()) {
        s.level_of_detail = static_cast<unsigned>(std::stoul(o.lod));
    }
    return s;
}

kit::ConvertRequest request_for(const Options& o, const std::string& input, const kit::PlannedOutput& planned, unsigned jobs) {
    kit::ConvertRequest r;
    r.input = kit::Input(input);
    r.output = planned.path;
    r.target = planned.target;
    r.read = o.common.read_options();
    r.read.fps = o.fps;
    r.read.scene = scene_options(o);
    r.write.limits = r.read.limits;
    r.write.normals = o.normals == "generate" ? pass::NormalMode::Generate : pass::NormalMode::Keep;
    r.write.tangents = o.tangents == "keep"       ? pass::TangentMode::Keep
                       : o.tangents == "generate" ? pass::TangentMode::Generate
                       : o.tangents == "none"     ? pass::TangentMode::None
                                                  : pass::TangentMode::Auto;
    r.write.bake_static = o.bake_static;
    for (const auto& [name, value] : o.format) {
        if (!value.empty()) {
            r.write.format.emplace(name, value);
        }
    }
    r.write.jobs = jobs;
    r.textures = o.textures == "copy" ? kit::TextureMode::Copy : o.textures == "collect" ? kit::TextureMode::Collect : kit::TextureMode::Keep;
    r.texture_folders = o.texture_paths;
    r.warnings_as_errors = o.warnings_as_errors;
    if (!o.depfile.empty()) {
        r.reserved = {o.depfile};
    }
    if (is_stdout(r.output)) {
        r.take_output = [name = r.output](std::span<const std::byte> bytes) { return write_stdout(name, bytes); };
    }
    return r;
}

// A file of its own, or nothing yet.
core::Result<void> check_depfile(const std::string& path, bool json, const std::vector<kit::ConvertRequest>& requests) {
    if (path.empty()) {
        return {};
    }
    FileSet known;
    for (const kit::ConvertRequest& request : requests) {
        for (const auto& files : {kit::files_to_read(request), kit::files_to_write(request)}) {
            std::for_each(files.begin(), files.end(), [&known](const std::string& file) { known.add(file); });
        }
    }
    if (json && is_stdout(path)) {
        return usage("stdout cannot hold both the dependency file and a JSON document", "write the dependency file to a file", path);
    }
    if (known.contains(path)) {
        return usage("the dependency file is an input or output of the conversion", {}, path);
    }
    return {};
}

bool is_special(const std::string& path) { return core::exists(path) && !core::is_regular_file(path) && !core::is_folder(path); }

// Names that stand for what is open already, or for nothing on a disk: no file belongs beside them.
bool is_system_name(const std::string& path) {
    return path.starts_with("/dev/fd/") || path.starts_with("/proc/") || path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr" ||
           (is_special(path) && path.starts_with("/dev/"));
}

core::Result<void> check_special_files(const Options& o, const std::vector<kit::ConvertRequest>& requests) {
    for (const kit::ConvertRequest& request : requests) {
        if (o.output.empty() && is_system_name(request.input.path)) {
            return usage("there is no place beside this input for an output", "name the output with -o", request.input.path);
        }
        const bool to_stdout = static_cast<bool>(request.take_output);
        if (o.textures != "keep" && (to_stdout || is_special(request.output))) {
            return usage("pictures cannot be put beside this output, which is no ordinary file", "use --textures keep", request.output);
        }
        if (to_stdout && o.common.json) {
            return usage("stdout cannot hold both the output and a JSON document", "write the output to a file", request.output);
        }
        if (to_stdout && !o.depfile.empty()) {
            return usage("a dependency file needs an output with a name", "write the output to a file", request.output);
        }
    }
    return {};
}

// A still has no clips for the other options to work on.
core::Result<void> check_still(const Options& o) {
    const std::pair<bool, const char*> about_clips[] = {
        {o.save == "anim", "--save anim"},           {!o.add_clips.empty(), "--add-clips"}, {!o.skeleton.empty(), "--skeleton"},
        {!o.clip_ranges.empty(), "--clip-range"},    {!o.trims.empty(), "--trim"},       {!o.loops.empty(), "--loop"},            {o.fps != 0, "--fps"},
        {o.reduce >= 0, "--reduce"},                 {o.root_motion != "keep", "--root-motion"}, {!o.root_motion_out.empty(), "--root-motion-out"},
        {o.split_clips, "--split-clips"},
    };
    for (const auto& [given, name] : about_clips) {
        if (o.time && given) {
            return core::fail(core::Code::Usage, {}, std::string("--time writes a still without clips, and ") + name + " is about clips", {}, {},
                              "leave one of them out");
        }
    }
    if (o.time && o.clips.size() > 1) {
        return core::fail(core::Code::Usage, {}, "--time shows one animation, and several were named", std::to_string(o.clips.size()), {}, "name one with --clip");
    }
    return {};
}

// Where the system gives no thread the work is done on this one.
unsigned jobs_for(unsigned wanted) {
    try {
        std::thread([] {}).join();
    } catch (const std::system_error&) {
        return 1;
    }
    return wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
}

int run_convert(const Context& context, const Options& o) {
    ConvertResults results(o.common);
    const bool motions = o.split_clips || o.save == "anim" || !o.skeleton.empty();
    const auto plan = kit::plan_outputs(context.registry, o.inputs, o.output, o.to, motions ? "mta" : "gom");
    if (!plan) {
        results.fail(plan.error());
        return results.finish();
    }
    const auto motion = motion_options(o);
    if (!motion) {
        results.fail(motion.error());
        return results.finish();
    }
    if (!o.root_motion_out.empty() && o.inputs.size() > 1) {
        results.fail(usage("one file cannot hold the root motion of several inputs", "convert them one by one", o.root_motion_out).value());
        return results.finish();
    }
    const unsigned jobs = jobs_for(o.jobs);
    std::vector<kit::ConvertRequest> requests;
    for (std::size_t i = 0; i < o.inputs.size(); ++i) {
        requests.push_back(request_for(o, o.inputs[i], (*plan)[i], o.inputs.size() == 1 ? jobs : 1));
        requests.back().motion = *motion;
    }
    auto checked = check_still(o);
    if (checked) {
        checked = check_special_files(o, requests);
    }
    if (checked) {
        checked = check_depfile(o.depfile, o.common.json, requests);
    }
    if (checked) {
        checked = check_folders(o.texture_paths);
    }
    if (!checked) {
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

// Options about what is read of a scene, a group of their own in the help.
void add_scene(CLI::App& command, Options& o, const gomkit::codec::Registry& registry) {
    const auto level = [](const std::string& text) {
        const bool digits = !text.empty() && text.size() <= 4 && text.find_first_not_of("0123456789") == std::string::npos;
        return digits || text == "all" ? std::string() : "must be a whole number, 0 or more, or all";
    };
    const auto axis = [](const std::string& text) {
        const std::string name = text.size() == 2 && (text[0] == '+' || text[0] == '-') ? text.substr(1) : text;
        return name == "X" || name == "Y" || name == "Z" ? std::string() : "must be X, Y or Z, or one of them after + or -";
    };
    std::vector<std::string> profiles{"auto"};
    for (const gomkit::codec::Codec& codec : registry.codecs()) {
        profiles.insert(profiles.end(), codec.profiles.begin(), codec.profiles.end());
    }
    constexpr int kMaxTime = static_cast<int>(gomkit::codec::SceneOptions::kMaxTime);
    CLI::Option* all[] = {
        command.add_option("--unit-override", o.unit, "metres a unit, whatever the file says")->option_text("METRES")->check(CLI::Range(1e-6, 1e6)),
        command.add_option("--up", o.up, "which axis of the file points up, whatever it says: Y, -Z ...")->option_text("AXIS")->check(axis),
        command.add_option("--front", o.front, "which axis of the file points to the front, whatever it says")->option_text("AXIS")->check(axis),
        add_choice(command, "--space", o.space, {"geometry", "transforms"}, "where the file's unit and axes go: into points and translations, or into the nodes at the top (geometry)"),
        add_choice(command, "--profile", o.profile, profiles,
                   "whose habits the file has; --explain says what that changes (auto: by what the file says of itself)"),
        add_choice(command, "--hidden", o.hidden, {"keep", "skip"}, "meshes that are not visible: write them or leave them out (keep)"),
        command.add_option("--lod", o.lod, "which level of detail of a group to write (0, the finest)")->option_text("N|all")->check(level),
        command.add_option("--subdivide", o.subdivide, "subdivide subdivision surfaces N times (0: their cage)")
            ->option_text("N")
            ->check(CLI::Range(0u, gomkit::codec::SceneOptions::kMaxSubdivide)),
        command.add_option("--time", o.time, "a still at this time of the source, with its geometry caches and without clips; --clip says of which animation (the first)")
            ->option_text("SECONDS")
            ->check(number_from(-kMaxTime, kMaxTime)),
    };
    for (CLI::Option* option : all) {
        option->group("Scene");
    }
}

// Options about clips, a group of their own in the help.
void add_motion(CLI::App& command, Options& o) {
    const auto file_list = [&](const char* name, std::vector<std::string>& values, const char* text) {
        return command.add_option(name, values, text)->option_text("FILE...")->check(not_empty);
    };
    const auto positive = number_from(0, 1000000);
    std::vector<CLI::Option*> all;
    all.push_back(add_choice(command, "--save", o.save, {"full", "mesh", "anim"},
                             "what of a model to write: all, no clips, or no meshes (full; anim alone means .mta)"));
    all.push_back(file_list("--add-clips", o.add_clips, "clips of other files join the model's; bones are matched by path, then by name"));
    all.push_back(command.add_option("--skeleton", o.skeleton, "write a motion for this model's skeleton")->option_text("MODEL")->check(not_empty));
    all.push_back(command.add_option("--strip-prefix", o.strip_prefix, "remove TEXT from the front of bone names")->option_text("TEXT")->check(not_empty));
    all.push_back(add_repeated(command, "--clip", o.clips, "NAME", "write these clips only; * and ? allowed; may be repeated"));
    all.push_back(add_repeated(command, "--clip-range", o.clip_ranges, "NEW=OLD:A..B", "cut a clip out of another, A and B in seconds or in frames (12f)"));
    all.push_back(add_repeated(command, "--trim", o.trims, "CLIP[:A..B]", "cut off what stands still at a clip's begin and end, or all but A to B; * and ? allowed; may be repeated"));
    all.push_back(add_repeated(command, "--loop", o.loops, "NAME", "mark these clips as looping; * and ? allowed; may be repeated"));
    all.push_back(command.add_option("--fps", o.fps, "sample curves N times a second (the source's own rate)")->option_text("N")->check(CLI::Range(1.0, 1000.0)));
    all.push_back(command.add_option("--reduce", o.reduce, "remove keys that move no watched point by more than MM (0.1; 0 keeps all)")->option_text("[MM]")->check(positive));
    all.push_back(command.add_option("--reduce-radius", o.reduce_radius, "how far from a bone --reduce watches points, in metres (0.1)")->option_text("METRES")->check(positive)->needs(all.back()));
    all.push_back(add_choice(command, "--root-motion", o.root_motion, {"keep", "flag", "in-place"}, "motion of the root: leave it, mark it, or take it out (keep)"));
    all.push_back(command.add_option("--root", o.root, "the root-motion bone, by path or name (the first root that moves)")->option_text("NAME")->check(not_empty));
    all.push_back(command.add_option("--root-motion-out", o.root_motion_out, "write the motion taken out as .json or .csv")->option_text("FILE")->check(not_empty));
    all.push_back(command.add_flag("--split-clips", o.split_clips, "one motion a clip: OUT.CLIP.mta"));
    for (CLI::Option* option : all) {
        option->group("Animation");
    }
}

}  // namespace

void add_convert(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "convert", "convert models to another format, GOM where nothing else is said",
                                    "  gomkit convert hero.fbx                          hero.gom beside it\n"
                                    "  gomkit convert hero.fbx -o game/hero.gom\n"
                                    "  gomkit convert hero.fbx -o game/hero.mta         the clips alone, a motion file\n"
                                    "  gomkit convert a.fbx b.fbx -o game/              several into a folder\n"
                                    "  gomkit convert hero.fbx --textures collect       pictures into hero.textures/\n"
                                    "  gomkit convert hero.fbx --texture-path ../pictures\n"
                                    "  gomkit convert old.fbx --unit-override 0.01 --up Z\n"
                                    "  gomkit convert hero.fbx --add-clips walk.fbx run.fbx --loop Walk --reduce\n"
                                    "  gomkit convert walk.fbx --skeleton hero.gom      walk.mta, for hero.gom\n"
                                    "  gomkit convert hero.fbx --json --warnings-as-errors");
    add_files(*command, "IN", o->inputs, "models to convert");
    command->add_option("-o,--output", o->output, "file or folder to write (beside the input)")->option_text("OUT")->check(not_empty);
    command->add_option("--to", o->to, "format to write (by OUT's extension)")->option_text("ID")->check(not_empty);
    add_choice(*command, "--normals", o->normals, {"keep", "generate"}, "normals (keep; missing ones are generated)");
    add_choice(*command, "--tangents", o->tangents, {"auto", "keep", "generate", "none"}, "tangents (auto: the source's, else MikkTSpace; keep: never generated)");
    command->add_flag("--bake-static", o->bake_static, "put unmoving meshes into model space");
    add_choice(*command, "--textures", o->textures, {"keep", "copy", "collect"}, "pictures: keep their paths, copy or gather them (keep)");
    add_repeated(*command, "--texture-path", o->texture_paths, "DIR", "look for pictures here too; may be repeated");
    add_reading(*command, o->common);
    command->add_flag("--warnings-as-errors", o->warnings_as_errors, "write nothing when there is a warning");
    command->add_option("--jobs", o->jobs, "work on N things at once (all processors)")->option_text("N")->check(CLI::Range(1u, 1024u));
    command->add_option("--depfile", o->depfile, "write what each output was made of, for make and ninja")->option_text("FILE")->check(not_empty);
    command->add_flag("--explain", o->explain, "print the stages of the conversion and stop");
    add_scene(*command, *o, context.registry);
    add_motion(*command, *o);
    add_format_options(*command, o->format, context.registry);
    add_json(*command, o->common);
    add_verbosity(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_convert(context, *o); });
}
