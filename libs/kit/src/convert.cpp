#include <gomkit/kit/convert.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <gomkit/core/path.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/model/texture_name.hpp>
#include <gomkit/pass/morph_tracks.hpp>
#include <gomkit/runtime/sha256.hpp>

#include "conversion.hpp"
#include "guarded.hpp"
#include "model_math.hpp"
#include "motion_step.hpp"
#include "pictures.hpp"
#include "texture_files.hpp"

namespace gomkit::kit {
namespace {

using core::Code;

core::Result<const codec::Codec*> find_target(const codec::Registry& registry, const std::string& id) {
    const codec::Codec* target = registry.by_id(id);
    if (target == nullptr) {
        return core::fail(Code::Usage, {}, "there is no format '" + id + "'", {}, {}, "see gomkit formats");
    }
    if (target->write == nullptr) {
        return core::fail(Code::Unsupported, {}, std::string(target->name) + " files cannot be written", {}, {}, "see gomkit formats");
    }
    return target;
}

// What a file would replace that the conversion reads (`read`), in words; "" for nothing.
std::string replaced_by(const std::string& file, const ConvertRequest& request, const std::vector<std::string>& read) {
    const auto is_same = [&](const std::string& other) { return core::same_file(other, file); };
    if (!request.input.is_given() && is_same(request.input.path)) {
        return "the input itself";
    }
    return std::any_of(read.begin(), read.end(), is_same) ? "a file that the conversion reads" : "";
}

core::Result<void> check_output(const ConvertRequest& request) {
    const std::string& other = request.motion.root_motion_output;
    const std::vector<std::string> read = files_to_read(request);
    for (const std::string& file : files_to_write(request)) {
        const bool is_motion = file == other;
        const char* what = is_motion ? "the root motion is " : "the output is ";
        const char* cure = is_motion ? "choose another name with --root-motion-out" : "choose another name with -o";
        if (core::is_folder(file)) {
            return core::fail(Code::CannotWrite, file_place(file), std::string(what) + "an existing folder", {}, {}, "name a file in it");
        }
        std::string replaced = replaced_by(file, request, read);
        const auto meets = [&](const std::string& path) { return core::identity_of(path) == core::identity_of(file); };
        if (replaced.empty() && is_motion && (meets(request.output) || std::any_of(request.reserved.begin(), request.reserved.end(), meets))) {
            replaced = "another output of the conversion";
        }
        if (!replaced.empty()) {
            return core::fail(Code::CannotWrite, file_place(file), what + replaced, {}, {}, cure);
        }
        if (auto usable = core::check_output_folder(file); !usable) {
            return usable;
        }
    }
    return request.motion.split_clips ? core::check_output_folder(request.output) : core::Result<void>();
}

// What the target's writer has no use for would be silently ignored.
core::Result<void> check_write_options(const ConvertRequest& request, const codec::Codec& target) {
    std::vector<std::string_view> set = codec::set_options(request.write);
    if (target.clips_only && request.textures != TextureMode::Keep) {
        set.push_back("--textures");
    }
    for (const std::string_view option : set) {
        if (!target.honours(option)) {
            return core::fail(Code::Unsupported, file_place(request.output), std::string(option) + " does not apply to " + target.name + " files", {}, {},
                              "leave the option out, or name another format with --to");
        }
    }
    for (const codec::FormatOption& option : target.format_options) {
        const auto given = request.write.format.find(option.name);
        const std::string fault = given == request.write.format.end() ? std::string() : codec::value_fault(option, given->second);
        if (!fault.empty()) {
            return core::fail(Code::Usage, file_place(request.output), std::string(option.name) + ": " + core::printable(given->second) + " " + fault);
        }
    }
    return {};
}

// The numbering and the values of final vertices are data and are kept, so nothing can be generated for them.
core::Result<void> check_options(const ConvertRequest& request, const model::Model& model, const codec::Codec& target) {
    // A format that makes its own vertices takes others' apart.
    const bool keeps = target.honours("--tangents");
    const bool is_final = keeps && std::any_of(model.meshes.begin(), model.meshes.end(), [](const model::Mesh& m) { return m.final_vertices; });
    const char* option = request.write.normals == pass::NormalMode::Generate     ? "--normals generate"
                         : request.write.tangents == pass::TangentMode::Generate ? "--tangents generate"
                         : request.write.tangents == pass::TangentMode::None     ? "--tangents none"
                         : request.write.bake_static                             ? "--bake-static"
                                                                                 : nullptr;
    if (is_final && option != nullptr) {
        return core::fail(Code::Unsupported, file_place(request.input.path),
                          std::string(option) + " has no effect on vertices that are final already", {}, {}, "convert the original model");
    }
    return {};
}

void report_losses(core::Report& report, const std::string& file, const codec::Codec& target) {
    if (report.has(core::IssueId::CONV_LOST)) {
        return;
    }
    core::Report lines(file, report.losses().size(), report.losses().size());  // one line a kind, none folded
    for (const core::Loss& loss : report.losses()) {
        lines.add(core::IssueId::CONV_LOST, {}, {{"count", std::to_string(loss.count)}, {"kind", loss.kind}, {"format", target.name}});
    }
    report.merge(lines);
}

core::Result<Counts> counts_of(const model::Model& model, const std::string& file, const core::Limits& limits) {
    const auto skeleton = skeleton_of(model, file, limits);
    if (!skeleton) {
        return core::Fault(skeleton.error());
    }
    return count(model, *skeleton);
}

// How much the output holds: counted in its bytes, so that what is said is what is there.
core::Result<Counts> counts_of_output(const Work& work, const ConvertRequest& request) {
    if (work.target->count == nullptr) {
        return work.response.found;
    }
    Counts sum;
    for (const OutputFile& output : work.outputs) {
        auto counts = work.target->count(output.bytes, output.path, request.write.limits);
        if (!counts) {
            counts.error().code = Code::Internal;
            counts.error().notes.push_back("while counting what was to be written");
            return counts;
        }
        sum.meshes += counts->meshes;
        sum.vertices += counts->vertices;
        sum.triangles += counts->triangles;
        sum.bones += counts->bones;
        sum.clips += counts->clips;
        sum.materials += counts->materials;
        sum.textures += counts->textures;
    }
    return sum;
}

core::Result<void> read_step(const codec::Registry& registry, const ConvertRequest& request, Work& work, core::Report& report) {
    const std::string& file = request.input.path;
    auto loaded = load(registry, request.input, request.read.limits);
    if (!loaded) {
        return core::Fault(std::move(loaded.error()));
    }
    work.source = std::move(*loaded);
    codec::ReadOptions options = request.read;
    if (!options.side_file) {
        options.side_file = side_files(file, request.texture_folders, request.read.limits, &work.response.files_read);
    }
    std::optional<std::array<std::uint8_t, 32>> hash;
    options.input_done = [&] {
        hash = runtime::sha256(work.source.bytes.bytes());
        work.source.bytes = {};
    };
    auto model = read_model(work.source, file, options, report);
    if (!model) {
        return core::Fault(std::move(model.error()));
    }
    work.model = std::move(*model);
    if (!work.model.gom && !work.model.mta) {  // those name the source they were made of, and go on doing so
        work.model.source.hash = hash ? *hash : runtime::sha256(work.source.bytes.bytes());
    }
    work.source.bytes = {};
    work.response.source_format = work.source.codec->id;
    work.response.target_format = work.target->id;
    work.response.motion = work.target->clips_only;
    if (auto usable = check_options(request, work.model, *work.target); !usable) {
        return usable;
    }
    const auto found = counts_of(work.model, file, request.read.limits);
    if (!found) {
        return core::Fault(found.error());
    }
    work.response.found = *found;
    return change_motion(registry, request, *work.source.codec, work.model, work.response, work.root_motion_text, report);
}

// To write a motion is to leave the rest of the model to its own file: one note says so, and what the reader missed in that rest is no
// loss. What the writer misses of the clips is.
void leave_the_rest(const Work& work, core::Report& report) {
    const Counts& found = work.response.found;
    const auto some = [](std::uint64_t n, const char* one, const char* many) { return std::to_string(n) + " " + (n == 1 ? one : many); };
    if (found.meshes + found.materials != 0) {
        report.add(core::IssueId::CONV_MOTION_ONLY, {},
                   {{"format", work.target->name},
                    {"left", some(found.meshes, "mesh", "meshes") + " and " + some(found.materials, "material", "materials")}});
    }
    report.clear_losses();
}

// One file a clip, each with the whole skeleton: bones of a clip that is not there stay bones.
core::Result<void> write_each_clip(Work& work, const ConvertRequest& request, core::Report& report,
                                   const std::function<core::Result<void>(model::Model&&, const std::string&)>& write) {
    if (work.model.clips.empty()) {
        return core::fail(Code::CannotConvert, file_place(request.input.path), "there is no clip to write");
    }
    pass::name_clips(work.model, report);
    std::vector<model::Clip> clips = work.model.clips;
    model::Model rest = std::move(work.model);
    if (auto kept = pass::remove_clips(rest, request.read.limits); !kept) {
        return kept;
    }
    rest.meshes.clear();
    rest.instances.clear();
    for (model::Clip& clip : clips) {
        model::Model one = rest;
        const std::string path = split_clip_path(request.output, work.target->extensions.front(), clip.name);
        one.clips.push_back(std::move(clip));
        if (auto done = write(std::move(one), path); !done) {
            return done;
        }
    }
    return {};
}

// The output goes where somebody reads it at once.
bool is_stream(const ConvertRequest& request) {
    return request.take_output || (core::exists(request.output) && !core::is_regular_file(request.output));
}

// Pictures that the writer makes are written with those that are copied.
void let_write_pictures(const ConvertRequest& request, Work& work, codec::WriteOptions& how) {
    how.open_picture = [&](const model::Texture& texture) -> core::Result<codec::Picture> {
        auto image = read_picture_of(texture, request.read.limits, work.response.pictures_read);
        if (!image) {
            return core::Fault(std::move(image.error()));
        }
        return codec::Picture{image->width, image->height, std::move(image->rgba)};
    };
    how.write_beside = [&](const std::string& name, core::Bytes bytes, const model::Texture& texture) {
        const std::string path = beside(request.output, name);
        work.response.pictures_known.push_back(path);
        work.pictures.push_back({path, {}, std::move(bytes), model::source_name(texture), true});
    };
    const std::string name = core::source_base_name(request.output);
    how.output_name = name.substr(0, name.find_last_of('.'));
}

// `on_disk`: the output is a file with a folder around it.
core::Result<void> encode_step(const ConvertRequest& request, Work& work, bool on_disk, core::Report& report) {
    if (work.target->clips_only) {
        leave_the_rest(work, report);
        pass::remove_morph_tracks(work.model, report);
    }
    const auto write = [&](model::Model&& model, const std::string& path) -> core::Result<void> {
        codec::WriteOptions how = request.write;
        how.without_meshes = request.motion.save == SaveMode::Anim;
        if (on_disk) {
            let_write_pictures(request, work, how);
        }
        auto bytes = work.target->write(std::move(model), how, report);
        if (!bytes) {
            if (bytes.error().place.file.empty()) {
                bytes.error().place.file = request.input.path;
            }
            return core::Fault(std::move(bytes.error()));
        }
        work.outputs.push_back({path, std::move(*bytes)});
        return {};
    };
    core::Result<void> written;
    if (!request.motion.split_clips) {
        written = write(std::move(work.model), request.output);
    } else {
        written = write_each_clip(work, request, report, write);
    }
    if (written) {
        report_losses(report, request.input.path, *work.target);
    }
    return written;
}

void note_pictures(Work& work) {
    ConvertResponse& response = work.response;
    for (const model::Texture& texture : work.model.textures) {
        if (!texture.found.empty()) {
            response.pictures_known.push_back(texture.found);
        }
    }
    for (const PictureWrite& picture : work.pictures) {
        response.pictures_known.push_back(picture.target);
        if (!picture.from.empty()) {
            response.pictures_read.push_back(picture.from);
        }
    }
}

// All that the run has made in memory, to the disk.
core::Result<void> write_outputs(const ConvertRequest& request, Run& run, Work& work) {
    if (request.motion.split_clips) {
        for (const OutputFile& output : work.outputs) {
            const std::string role = run.role_of(output.path);
            if (!role.empty() || core::is_folder(output.path)) {
                return core::fail(Code::CannotWrite, file_place(output.path),
                                  "the clip's file is " + (role.empty() ? std::string("an existing folder") : role + " of the run"), {}, {},
                                  "choose another name with -o");
            }
            run.add_output(output.path);
        }
    }
    const auto write = [&](const std::string& path, std::span<const std::byte> bytes) {
        auto done = core::write_file_atomically(path, bytes);
        if (done) {
            work.response.outputs.push_back(path);
        }
        return done;
    };
    // The root motion first, so that a model is never there without it.
    if (const std::string& path = request.motion.root_motion_output; !path.empty()) {
        if (auto done = write(path, std::as_bytes(std::span(work.root_motion_text))); !done) {
            return done;
        }
    }
    for (const OutputFile& output : work.outputs) {
        if (auto done = request.take_output ? request.take_output(output.bytes) : write(output.path, output.bytes); !done) {
            return done;
        }
    }
    return {};
}

core::Fault interrupted(const ConvertRequest& request) {
    return core::fail(Code::Interrupted, file_place(request.input.path), "interrupted; nothing was written");
}

}  // namespace

std::vector<std::string> files_to_read(const ConvertRequest& request) {
    std::vector<std::string> out;
    const auto add = [&out](const Input& input) {
        if (!input.is_given()) {
            out.push_back(input.path);
        }
    };
    add(request.input);
    std::for_each(request.motion.add_clips.begin(), request.motion.add_clips.end(), add);
    if (request.motion.skeleton) {
        add(*request.motion.skeleton);
    }
    return out;
}

std::vector<std::string> files_to_write(const ConvertRequest& request) {
    std::vector<std::string> out;
    if (!request.take_output && !request.motion.split_clips) {
        out.push_back(request.output);
    }
    if (!request.motion.root_motion_output.empty()) {
        out.push_back(request.motion.root_motion_output);
    }
    return out;
}

core::Result<const codec::Codec*> target_of(const codec::Registry& registry, const ConvertRequest& request) {
    const auto target = find_target(registry, request.target);
    if (!target) {
        return target;
    }
    if (auto usable = check_motion_options(request, **target); !usable) {
        return core::Fault(std::move(usable.error()));
    }
    if (auto usable = check_write_options(request, **target); !usable) {
        return core::Fault(std::move(usable.error()));
    }
    return target;
}

core::Result<void> prepare(const codec::Registry& registry, const ConvertRequest& request, const Run& run, Work& work, core::Report& report,
                           const core::Progress& progress) {
    return guarded(request.input.path, [&]() -> core::Result<void> {
        report.set_file(request.input.path);
        const auto target = target_of(registry, request);
        if (!target) {
            return core::Fault(target.error());
        }
        work.target = *target;
        struct Stage {
            const char* name;
            std::function<core::Result<void>()> run;
        };
        const Stage stages[] = {
            {"opening", [&] { return check_output(request); }},
            {"reading", [&] { return read_step(registry, request, work, report); }},
            {"looking for textures",
             [&]() -> core::Result<void> {
                 if (work.target->clips_only) {
                     return {};
                 }
                 work.pictures = place_textures(work.model, request, run, report);
                 note_pictures(work);
                 return {};
             }},
            {"converting", [&] { return encode_step(request, work, !is_stream(request), report); }},
        };
        for (const Stage& stage : stages) {
            if (progress.is_cancelled()) {
                return interrupted(request);
            }
            progress.enter(request.input.path, stage.name);
            if (auto done = stage.run(); !done) {
                return done;
            }
        }
        work.source = {};  // the bytes may have to wait for their turn
        work.model = {};
        for (const OutputFile& output : work.outputs) {
            work.response.bytes += output.bytes.size();
        }
        if (request.warnings_as_errors && report.count(core::Severity::Warning) != 0) {
            return {};
        }
        const auto counts = counts_of_output(work, request);
        if (!counts) {
            return core::Fault(counts.error());
        }
        work.response.written = *counts;
        return {};
    });
}

core::Result<ConvertResponse> commit(const ConvertRequest& request, Run& run, Work& work, core::Report& report, const core::Progress& progress) {
    return guarded(request.input.path, [&]() -> core::Result<ConvertResponse> {
        const auto refused = [&] { return request.warnings_as_errors && report.count(core::Severity::Warning) != 0; };
        if (refused()) {
            return work.response;
        }
        if (progress.is_cancelled()) {
            return interrupted(request);
        }
        progress.enter(request.input.path, "writing");
        std::optional<core::WriteGroup> together;
        if (!is_stream(request)) {  // a signal that ends the program acts before or after all of this, except where a reader is waited for
            together.emplace();
        }
        PictureFiles files(run, request.read.limits.max_file_bytes);
        for (const PictureWrite& picture : work.pictures) {
            if (auto planned = files.plan(picture, request.textures == TextureMode::Collect, report); !planned) {
                return core::Fault(std::move(planned.error()));
            }
        }
        if (refused()) {
            return work.response;
        }
        auto written = files.write();
        if (written) {
            written = write_outputs(request, run, work);
        }
        if (!written) {
            return core::Fault(std::move(written.error()));
        }
        files.keep();
        work.response.pictures_written = files.written();
        work.response.complete = true;
        return work.response;
    });
}

core::Result<ConvertResponse> convert(const codec::Registry& registry, const ConvertRequest& request, core::Report& report,
                                      const core::Progress& progress) {
    return guarded(request.input.path, [&]() -> core::Result<ConvertResponse> {
        Run run(std::span(&request, 1));
        Work work;
        if (auto done = prepare(registry, request, run, work, report, progress); !done) {
            return core::Fault(std::move(done.error()));
        }
        return commit(request, run, work, report, progress);
    });
}

core::Result<core::Bytes> convert_to_bytes(const codec::Registry& registry, const ConvertRequest& request, core::Report& report,
                                           const core::Progress& progress) {
    return guarded(request.input.path, [&]() -> core::Result<core::Bytes> {
        Work work;
        report.set_file(request.input.path);
        if (request.motion.split_clips) {
            return core::fail(Code::Usage, file_place(request.input.path), "--split-clips writes several files, and one is wanted");
        }
        const auto target = target_of(registry, request);
        if (!target) {
            return core::Fault(target.error());
        }
        work.target = *target;
        progress.enter(request.input.path, "reading");
        if (auto done = read_step(registry, request, work, report); !done) {
            return core::Fault(std::move(done.error()));
        }
        set_stored_paths(work.model);
        if (progress.is_cancelled()) {
            return interrupted(request);
        }
        progress.enter(request.input.path, "converting");
        if (auto done = encode_step(request, work, false, report); !done) {
            return core::Fault(std::move(done.error()));
        }
        return std::move(work.outputs.front().bytes);
    });
}

}  // namespace gomkit::kit
