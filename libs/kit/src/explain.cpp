#include <gomkit/kit/convert.hpp>

#include <utility>

#include <gomkit/core/text.hpp>

#include "conversion.hpp"
#include "guarded.hpp"
#include "load.hpp"

namespace gomkit::kit {
namespace {

const char* texture_text(TextureMode mode) {
    switch (mode) {
        case TextureMode::Copy: return "look for pictures and copy them below the output's folder";
        case TextureMode::Collect: return "gather pictures, embedded ones too, in a folder beside the output";
        case TextureMode::Keep: break;
    }
    return "look for pictures and keep their paths as the source has them";
}

void add_motion_steps(std::vector<codec::Step>& steps, const MotionOptions& o) {
    if (!o.strip_prefix.empty()) {
        steps.push_back({"names", "remove '" + o.strip_prefix + "' from the front of bone names"});
    }
    if (o.skeleton) {
        steps.push_back({"skeleton", "map the clips onto the skeleton of " + o.skeleton->path});
    }
    for (const Input& input : o.add_clips) {
        steps.push_back({"add clips", "of " + input.path + ", mapped onto the model's skeleton"});
    }
    for (const pass::ClipRange& range : o.selection.ranges) {
        steps.push_back({"cut clip", "'" + range.name + "' out of '" + range.source + "'"});
    }
    for (const pass::ClipTrim& trim : o.selection.trims) {
        steps.push_back({"trim", "'" + trim.clips + "' to " + (trim.times ? "its given times" : "the time in which something moves")});
    }
    for (const std::string& pattern : o.selection.loops) {
        steps.push_back({"loop", "mark '" + pattern + "'"});
    }
    for (const std::string& pattern : o.selection.clips) {
        steps.push_back({"keep clips", "'" + pattern + "'"});
    }
    if (o.root_motion.mode != pass::RootMotionMode::Keep) {
        steps.push_back({"root motion", o.root_motion.mode == pass::RootMotionMode::Flag ? "mark it" : "take it out of the clips"});
    }
    if (o.reduce) {
        steps.push_back({"reduce", "remove keys that move no point by more than " + core::number_text(o.reduce->millimetres) + " mm"});
    }
    if (o.save != SaveMode::Full) {
        steps.push_back({"leave out", o.save == SaveMode::Mesh ? "clips" : "meshes and materials"});
    }
}

void add_scene_steps(std::vector<codec::Step>& steps, const codec::SceneOptions& o) {
    if (o.unit_meters != 0) {
        steps.push_back({"unit", core::number_text(o.unit_meters) + " metres, whatever the file says"});
    }
    if (!o.up.empty() || !o.front.empty()) {
        steps.push_back({"axes", (o.up.empty() ? std::string() : o.up + " is up") + (o.up.empty() || o.front.empty() ? "" : ", ") +
                                     (o.front.empty() ? std::string() : o.front + " is front") + ", whatever the file says"});
    }
    if (o.space == codec::SpaceConversion::Transforms) {
        steps.push_back({"space", "unit and axes go into the nodes at the top; points keep their numbers"});
    }
    if (o.skip_hidden) {
        steps.push_back({"hidden", "leave out meshes that are not visible"});
    }
    if (o.level_of_detail) {
        steps.push_back({"lod", *o.level_of_detail == codec::SceneOptions::kAllLevels
                                    ? std::string("keep all levels of detail")
                                    : "keep level of detail " + std::to_string(*o.level_of_detail) + ", or the coarsest there is"});
    }
    if (o.time) {
        steps.push_back({"still", "the scene at " + core::number_text(*o.time) + " seconds of " +
                                      (o.time_clip.empty() ? std::string("its first animation") : "animation '" + o.time_clip + "'") +
                                      ", geometry caches applied, no clips"});
    }
    if (o.subdivide != 0) {
        steps.push_back({"subdivide", "subdivision surfaces, " + std::to_string(o.subdivide) + (o.subdivide == 1 ? " time" : " times")});
    }
}

}  // namespace

core::Result<std::vector<codec::Step>> explain(const codec::Registry& registry, const ConvertRequest& request) {
    return guarded(request.input.path, [&]() -> core::Result<std::vector<codec::Step>> {
        const auto loaded = load(registry, request.input, request.read.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        const auto format = target_of(registry, request);
        if (!format) {
            return core::Fault(format.error());
        }
        const codec::Codec* const target = *format;
        std::vector<codec::Step> steps;
        steps.push_back({"read", std::string(loaded->codec->name) + (request.read.strict ? ", strictly" : ", earlier generations too")});
        add_scene_steps(steps, request.read.scene);
        if (loaded->codec->read_steps != nullptr) {
            auto of_file = loaded->codec->read_steps(loaded->bytes.bytes(), request.input.path, request.read);
            if (!of_file) {
                return core::Fault(std::move(of_file.error()));
            }
            std::move(of_file->begin(), of_file->end(), std::back_inserter(steps));
        }
        add_motion_steps(steps, request.motion);
        if (!target->clips_only) {
            steps.push_back({"textures", texture_text(request.textures)});
        }
        if (target->steps != nullptr) {
            for (codec::Step& step : target->steps(request.write, loaded->codec == target)) {
                steps.push_back(std::move(step));
            }
        }
        steps.push_back({"write", std::string(target->name) + " in memory"});
        steps.push_back({"verify", "the bytes pass the format's own check"});
        steps.push_back({"save", request.output + ", by way of a temporary file"});
        return steps;
    });
}

}  // namespace gomkit::kit
