#include <gomkit/kit/convert.hpp>

#include <algorithm>
#include <optional>

#include <gomkit/runtime/sha256.hpp>

#include "conversion.hpp"
#include "guarded.hpp"
#include "model_math.hpp"
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

core::Result<void> check_output(const ConvertRequest& request) {
    if (request.take_output) {
        return {};
    }
    const bool given = request.input.bytes.has_value();
    if (!given && core::same_file(request.input.path, request.output)) {
        return core::fail(Code::CannotWrite, file_place(request.output), "the output is the input itself", {}, {},
                          "choose another name with -o");
    }
    if (core::is_folder(request.output)) {
        return core::fail(Code::CannotWrite, file_place(request.output), "the output is an existing folder", {}, {}, "name a file in it");
    }
    return core::check_output_folder(request.output);
}

// What the target's writer has no use for would be silently ignored.
core::Result<void> check_target_options(const ConvertRequest& request, const codec::Codec& target) {
    for (const std::string_view option : codec::set_options(request.write)) {
        if (std::find(target.options.begin(), target.options.end(), option) == target.options.end()) {
            return core::fail(Code::Unsupported, file_place(request.output), std::string(option) + " does not apply to " + target.name + " files", {}, {},
                              "leave the option out, or name another format with --to");
        }
    }
    return {};
}

// The numbering and the values of final vertices are data and are kept, so nothing can be generated for them.
core::Result<void> check_options(const ConvertRequest& request, const codec::Codec& target, const model::Model& model) {
    // A format that makes its own vertices takes others' apart.
    const bool keeps = std::find(target.options.begin(), target.options.end(), "--tangents") != target.options.end();
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
    auto counts = work.target->count(work.output, request.output, request.write.limits);
    if (!counts) {
        counts.error().code = Code::Internal;
        counts.error().notes.push_back("while counting what was to be written");
    }
    return counts;
}

core::Result<void> read_step(const codec::Registry& registry, const ConvertRequest& request, Work& work, core::Report& report) {
    const std::string& file = request.input.path;
    auto loaded = load(registry, request.input, request.read.limits);
    if (!loaded) {
        return core::Fault(std::move(loaded.error()));
    }
    work.source = std::move(*loaded);
    auto model = read_model(work.source, file, request.read, report);
    if (!model) {
        return core::Fault(std::move(model.error()));
    }
    work.model = std::move(*model);
    if (!work.model.gom) {  // a GOM names the source it was made of, and goes on doing so
        work.model.source.hash = runtime::sha256(work.source.bytes.bytes());
    }
    work.response.source_format = work.source.codec->id;
    work.response.target_format = work.target->id;
    auto options = check_options(request, *work.target, work.model);
    if (!options) {
        return options;
    }
    const auto found = counts_of(work.model, file, request.read.limits);
    if (!found) {
        return core::Fault(found.error());
    }
    work.response.found = *found;
    return {};
}

core::Result<void> encode_step(const ConvertRequest& request, Work& work, core::Report& report) {
    auto bytes = work.target->write(std::move(work.model), request.write, report);
    if (!bytes) {
        if (bytes.error().place.file.empty()) {
            bytes.error().place.file = request.input.path;
        }
        return core::Fault(std::move(bytes.error()));
    }
    work.output = std::move(*bytes);
    report_losses(report, request.input.path, *work.target);
    return {};
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

core::Fault interrupted(const ConvertRequest& request) {
    return core::fail(Code::Interrupted, file_place(request.input.path), "interrupted; nothing was written");
}

}  // namespace

core::Result<void> prepare(const codec::Registry& registry, const ConvertRequest& request, const Run& run, Work& work, core::Report& report,
                           const core::Progress& progress) {
    return guarded(request.input.path, [&]() -> core::Result<void> {
        report.set_file(request.input.path);
        const auto target = find_target(registry, request.target);
        if (!target) {
            return core::Fault(target.error());
        }
        work.target = *target;
        if (auto options = check_target_options(request, *work.target); !options) {
            return core::Fault(std::move(options.error()));
        }
        struct Stage {
            const char* name;
            std::function<core::Result<void>()> run;
        };
        const Stage stages[] = {
            {"opening", [&] { return check_output(request); }},
            {"reading", [&] { return read_step(registry, request, work, report); }},
            {"looking for textures",
             [&]() -> core::Result<void> {
                 work.pictures = place_textures(work.model, request, run, report);
                 note_pictures(work);
                 return {};
             }},
            {"converting", [&] { return encode_step(request, work, report); }},
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
        work.response.bytes = work.output.size();
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
        const bool waits = request.take_output || (core::exists(request.output) && !core::is_regular_file(request.output));
        std::optional<core::WriteGroup> together;
        if (!waits) {  // a signal that ends the program acts before or after all of this, except where a reader is waited for
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
            written = request.take_output ? request.take_output(work.output) : core::write_file_atomically(request.output, work.output);
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
        const auto target = find_target(registry, request.target);
        if (!target) {
            return core::Fault(target.error());
        }
        work.target = *target;
        if (auto options = check_target_options(request, *work.target); !options) {
            return core::Fault(std::move(options.error()));
        }
        progress.enter(request.input.path, "reading");
        if (auto done = read_step(registry, request, work, report); !done) {
            return core::Fault(std::move(done.error()));
        }
        set_stored_paths(work.model);
        if (progress.is_cancelled()) {
            return interrupted(request);
        }
        progress.enter(request.input.path, "converting");
        if (auto done = encode_step(request, work, report); !done) {
            return core::Fault(std::move(done.error()));
        }
        return std::move(work.output);
    });
}

}  // namespace gomkit::kit
