#include "motion_step.hpp"

#include <algorithm>
#include <utility>

#include <gomkit/core/version.hpp>
#include <gomkit/pass/map_skeleton.hpp>
#include <gomkit/pass/name_clips.hpp>
#include <gomkit/pass/retarget_clips.hpp>
#include <gomkit/pass/strip_prefix.hpp>

#include "load.hpp"
#include "motions.hpp"

namespace gomkit::kit {
namespace {

using core::Code;

core::Fault usage(const std::string& file, const std::string& what, const std::string& cure) {
    return core::fail(Code::Usage, file_place(file), what, {}, {}, cure);
}

// The passes that work on one model.
class MotionStep {
public:
    MotionStep(const codec::Registry& registry, const ConvertRequest& request, const codec::Codec& source, model::Model& model,
               ConvertResponse& response, core::Report& report)
        : registry_(registry), request_(request), options_(request.motion), model_(model), response_(response),
          report_(report), read_{&source} {}

    core::Result<void> run(std::string& root_motion_text) {
        strip(model_, request_.input.path, true);
        if (options_.skeleton) {
            if (auto done = take_skeleton(); !done) {
                return done;
            }
        }
        if (auto done = check_known_skeleton(); !done) {
            return done;
        }
        if (auto done = add_clips(); !done) {
            return done;
        }
        if (!options_.strip_prefix.empty() && !had_prefix_) {
            report_.add(core::IssueId::STRIP_PREFIX_UNUSED, {}, {{"prefix", options_.strip_prefix}});
        }
        if (auto usable = check_read_options(read_, request_.input.path, request_.read); !usable) {
            return usable;
        }
        if (!options_.selection.empty()) {
            if (auto done = pass::select_clips(model_, options_.selection, request_.read.limits, report_); !done) {
                return done;
            }
        }
        if (options_.root_motion.mode != pass::RootMotionMode::Keep || options_.reduce) {
            pass::name_clips(model_, report_);  // what is said about clips names them as they are written
        }
        if (auto done = change_root(root_motion_text); !done) {
            return done;
        }
        if (options_.reduce) {
            pass::ReduceOptions how = *options_.reduce;
            how.jobs = request_.write.jobs;
            auto reduced = pass::reduce_keys(model_, how, request_.read.limits, report_);
            if (!reduced) {
                return core::Fault(std::move(reduced.error()));
            }
            response_.reduced = std::move(*reduced);
        }
        return save();
    }

private:
    core::Result<model::Model> read(const Input& input, core::Report& findings) {
        const auto loaded = load(registry_, input, request_.read.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        read_.push_back(loaded->codec);
        return read_model(*loaded, input.path, request_.read, findings);
    }

    // A motion file alone has neither names nor a bind pose.
    core::Result<void> check_known_skeleton() const {
        const char* option = !options_.strip_prefix.empty()                            ? "--strip-prefix"
                             : !options_.add_clips.empty()                             ? "--add-clips"
                             : options_.reduce                                         ? "--reduce"
                             : options_.root_motion.mode != pass::RootMotionMode::Keep ? "--root-motion"
                                                                                       : nullptr;
        if (model_.mta && option != nullptr) {
            return core::fail(Code::Unsupported, file_place(request_.input.path),
                              std::string(option) + " needs a skeleton, and a motion file has none of its own", {}, {},
                              "name the model that it was made for with --skeleton");
        }
        return {};
    }

    // Bones of a GOM keep their names, which is only said of the one that is written; they are matched without the prefix all the same.
    void strip(model::Model& model, const std::string& file, bool is_written) {
        if (options_.strip_prefix.empty() || model.mta) {
            return;
        }
        core::Report findings(file);
        const bool renamed = pass::strip_prefix(model, options_.strip_prefix, findings) != 0;
        const bool kept = findings.has(core::IssueId::STRIP_PREFIX_STORED);
        had_prefix_ = had_prefix_ || renamed || kept;
        if (kept && is_written) {
            report_.merge(findings);
        }
    }

    // The model becomes the skeleton's, with the clips of the motion.
    core::Result<void> take_skeleton() {
        const std::string& file = options_.skeleton->path;
        core::Report unused(file, 0);  // what is in that file beside its skeleton is no matter here
        auto target = read_model(registry_, *options_.skeleton, request_.read, unused);
        if (!target) {
            return core::Fault(std::move(target.error()));
        }
        if (target->mta) {
            return core::fail(Code::Unsupported, file_place(file), "a motion file has no skeleton of its own", {}, {},
                              "name a model with --skeleton");
        }
        response_.files_read.push_back(file);
        if (auto kept = pass::remove_clips(*target, request_.read.limits); !kept) {
            return kept;  // its clips are not wanted, the bones that they move are
        }
        target->source = model_.source;
        if (target->gom) {
            target->gom->converter_version = core::converter_version();
        }
        auto added = add(model_, request_.input.path, *target, file);
        if (!added) {
            return added;
        }
        model_ = std::move(*target);
        return {};
    }

    core::Result<void> add_clips() {
        std::vector<pass::ClipsOfFile> names;
        const auto remember = [&](const std::string& file, std::size_t from) {
            pass::ClipsOfFile of{file, {}};
            for (std::size_t i = from; i < model_.clips.size(); ++i) {
                of.names.push_back(model_.clips[i].name);
            }
            names.push_back(std::move(of));
        };
        remember(request_.input.path, 0);
        for (const Input& input : options_.add_clips) {
            core::Report findings(input.path);
            auto motion = read(input, findings);
            if (!motion) {
                return core::Fault(std::move(motion.error()));
            }
            response_.files_read.push_back(input.path);
            strip(*motion, input.path, false);
            if (!motion->mta) {
                pass::name_added_clips(motion->clips, input.path);
            }
            if (motion->clips.empty()) {
                findings.add(core::IssueId::CONV_NO_CLIPS, {});
            }
            findings.clear_losses();  // of a motion file only the clips are wanted
            report_.merge(findings);
            const std::size_t before = model_.clips.size();
            if (auto added = add(*motion, input.path, model_, request_.input.path); !added) {
                return added;
            }
            remember(input.path, before);
        }
        return pass::check_clip_names(names);
    }

    // Clips of `motion` join those of `target`, whatever kind of file either is.
    core::Result<void> add(model::Model& motion, const std::string& motion_file, model::Model& target, const std::string& target_file) {
        if (motion.mta) {
            for (model::Clip& clip : motion.clips) {
                clip.source_fps = 0;
            }
            auto place = MotionTarget::of(target, target_file, request_.read.limits);
            return place ? place->add(std::move(motion), motion_file) : core::Result<void>(core::Fault(std::move(place.error())));
        }
        pass::MapOptions how;
        how.strip_prefix = options_.strip_prefix;
        how.limits = request_.read.limits;
        const auto in_file = [&](core::Error& error) {
            if (error.place.file.empty()) {
                error.place.file = motion_file;
            }
            return core::Fault(std::move(error));
        };
        auto map = pass::map_skeleton(motion, target, how);
        if (!map) {
            return in_file(map.error());
        }
        core::Report findings(motion_file);
        pass::report_unmatched(*map, target_file, findings);
        auto carried = pass::retarget_clips(motion, target, *map, request_.read.limits, findings);
        if (!carried) {
            return in_file(carried.error());
        }
        report_.merge(findings);
        for (model::Clip& clip : carried->clips) {
            clip.source_fps = motion.source.fps;
        }
        std::move(carried->clips.begin(), carried->clips.end(), std::back_inserter(target.clips));
        return {};
    }

    core::Result<void> change_root(std::string& text) {
        if (options_.root_motion.mode == pass::RootMotionMode::Keep) {
            return {};
        }
        auto taken = pass::apply_root_motion(model_, options_.root_motion, request_.read.limits, report_);
        if (!taken) {
            return core::Fault(std::move(taken.error()));
        }
        if (!options_.root_motion_output.empty()) {
            text = core::extension_of(options_.root_motion_output) == "csv" ? pass::root_motion_csv(*taken) : pass::root_motion_json(*taken);
        }
        return {};
    }

    core::Result<void> save() {
        if (options_.save == SaveMode::Mesh) {
            return pass::remove_clips(model_, request_.read.limits);
        }
        return options_.save == SaveMode::Anim ? pass::remove_meshes(model_, request_.read.limits, report_) : core::Result<void>();
    }

    const codec::Registry& registry_;
    const ConvertRequest& request_;
    const MotionOptions& options_;
    model::Model& model_;
    ConvertResponse& response_;
    core::Report& report_;
    std::vector<const codec::Codec*> read_;  // formats of the input and of added files
    bool had_prefix_ = false;                // some name began with the prefix
};

}  // namespace

std::string split_clip_path(const std::string& output, const std::string& extension, const std::string& clip) {
    constexpr std::string_view kEncoded = "/\\:*?\"<>|%";
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string name;
    for (std::size_t i = 0; i < clip.size(); ++i) {
        const auto c = static_cast<unsigned char>(clip[i]);
        if (c < 0x20 || c == 0x7F || kEncoded.find(clip[i]) != std::string_view::npos || (i == 0 && c == '.')) {
            name += '%';
            name += kDigits[c >> 4];
            name += kDigits[c & 15];
        } else {
            name += clip[i];
        }
    }
    const std::string end = "." + extension;
    const bool has_end = output.size() > end.size() && core::extension_of(output) == extension;
    return (has_end ? output.substr(0, output.size() - end.size()) : output) + "." + name + end;
}

core::Result<void> check_motion_options(const ConvertRequest& request, const codec::Codec& target) {
    const MotionOptions& o = request.motion;
    const std::string& file = request.input.path;
    if (!target.clips_only && (o.split_clips || o.skeleton)) {
        return usage(file, std::string(o.split_clips ? "--split-clips" : "--skeleton") + " writes motions, and " + target.name + " is no motion format",
                     "write a .mta");
    }
    if (target.clips_only && o.save == SaveMode::Mesh) {
        return usage(file, std::string("--save mesh leaves the clips out, and ") + target.name + " holds nothing else", "write a model format");
    }
    if (o.save == SaveMode::Mesh && (!o.add_clips.empty() || !o.selection.empty() || o.reduce || o.root_motion.mode != pass::RootMotionMode::Keep)) {
        return usage(file, "--save mesh leaves the clips out, and other options are about clips", "leave out one or the other");
    }
    if (!o.root_motion_output.empty() && o.root_motion.mode != pass::RootMotionMode::InPlace) {
        return usage(file, "--root-motion-out writes the motion that --root-motion in-place takes out", "give both");
    }
    if (!o.root_motion.root.empty() && o.root_motion.mode == pass::RootMotionMode::Keep) {
        return usage(file, "--root names the bone for --root-motion, which is not given", "add --root-motion flag or in-place");
    }
    if (const std::string extension = core::extension_of(o.root_motion_output);
        !o.root_motion_output.empty() && extension != "json" && extension != "csv") {
        return usage(o.root_motion_output, "root motion is written as .json or .csv", "choose one of these extensions");
    }
    if (o.split_clips && request.take_output) {
        return usage(request.output, "--split-clips writes several files, and stdout is one", "write to files");
    }
    return {};
}

core::Result<void> change_motion(const codec::Registry& registry, const ConvertRequest& request, const codec::Codec& source,
                                 model::Model& model, ConvertResponse& response, std::string& root_motion_text, core::Report& report) {
    auto done = MotionStep(registry, request, source, model, response, report).run(root_motion_text);
    if (!done && done.error().place.file.empty()) {
        done.error().place.file = request.input.path;
    }
    return done;
}

}  // namespace gomkit::kit
