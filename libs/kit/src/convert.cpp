#include <gomkit/kit/convert.hpp>

#include <algorithm>

#include <gomkit/runtime/sha256.hpp>

#include "guarded.hpp"
#include "load.hpp"
#include "model_math.hpp"
#include "texture_files.hpp"
#include "textures.hpp"

namespace gomkit::kit {
namespace {

using core::Code;

// A conversion on its way: what the steps hand to each other.
struct Work {
    const codec::Codec* target = nullptr;
    Loaded source;
    model::Model model;
    std::vector<PictureWrite> pictures;
    core::Bytes output;
    ConvertResponse response;
};

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
    const bool given = request.input.bytes.has_value();
    if (!given && core::same_file(request.input.path, request.output)) {
        return core::fail(Code::CannotWrite, file_place(request.output), "the output is the input itself", {}, {},
                          "choose another name with -o");
    }
    const std::string folder = core::folder_of(request.output);
    if (!core::is_folder(folder)) {
        return core::fail(Code::CannotWrite, file_place(request.output), "the output's folder '" + folder + "' does not exist", {}, {},
                          "make it first");
    }
    return {};
}

// The numbering and the values of final vertices are data and are kept, so nothing can be generated for them.
core::Result<void> check_options(const ConvertRequest& request, const model::Model& model) {
    const bool is_final = std::any_of(model.meshes.begin(), model.meshes.end(), [](const model::Mesh& m) { return m.final_vertices; });
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

void report_losses(core::Report& report, const codec::Codec& target) {
    if (report.has(core::IssueId::CONV_LOST)) {
        return;
    }
    core::Report lines({}, report.losses().size(), report.losses().size());  // one line a kind, none folded
    for (const core::Loss& loss : report.losses()) {
        lines.add(core::IssueId::CONV_LOST, {}, {{"count", std::to_string(loss.count)}, {"kind", loss.kind}, {"format", target.name}});
    }
    report.merge(lines);
}

core::Result<Counts> counts_of(const model::Model& model, const core::Limits& limits) {
    const auto skeleton = model::build_skeleton(model, limits);
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
    auto options = check_options(request, work.model);
    if (!options) {
        return options;
    }
    const auto found = counts_of(work.model, request.read.limits);
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
    report_losses(report, *work.target);
    return {};
}

core::Result<void> write_step(const ConvertRequest& request, Work& work, core::Report& report) {
    PictureFiles files;
    for (const PictureWrite& picture : work.pictures) {
        auto written = files.write(picture, request.textures == TextureMode::Collect, {request.input.path, request.output},
                                   request.read.limits.max_file_bytes, report);
        if (!written) {
            return written;
        }
        if (!picture.from.empty()) {
            work.response.pictures_read.push_back(picture.from);
        }
    }
    auto written = core::write_file_atomically(request.output, work.output);
    if (!written) {
        return written;
    }
    files.keep();
    work.response.pictures_written = files.written();
    return {};
}

core::Fault interrupted(const ConvertRequest& request) {
    return core::fail(Code::Interrupted, file_place(request.input.path), "interrupted; nothing was written");
}

}  // namespace

core::Result<ConvertResponse> convert(const codec::Registry& registry, const ConvertRequest& request, core::Report& report,
                                      const core::Progress& progress) {
    return guarded(request.input.path, [&]() -> core::Result<ConvertResponse> {
        Work work;
        report.set_file(request.input.path);
        const auto target = find_target(registry, request.target);
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
                 work.pictures = place_textures(work.model, request, report);
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
                return core::Fault(std::move(done.error()));
            }
        }
        work.response.bytes = work.output.size();
        if (request.warnings_as_errors && report.count(core::Severity::Warning) != 0) {
            return work.response;
        }
        const auto counts = counts_of_output(work, request);
        if (!counts) {
            return core::Fault(counts.error());
        }
        work.response.written = *counts;
        if (progress.is_cancelled()) {
            return interrupted(request);
        }
        progress.enter(request.input.path, "writing");
        if (auto done = write_step(request, work, report); !done) {
            return core::Fault(std::move(done.error()));
        }
        work.response.complete = true;
        return work.response;
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
