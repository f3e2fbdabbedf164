#include <gomkit/kit/convert.hpp>

#include <algorithm>
#include <string_view>

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

const char* normal_text(pass::NormalMode mode) {
    return mode == pass::NormalMode::Generate ? "generate all, area-weighted, hard edges kept" : "keep the source's, generate missing ones";
}

const char* tangent_text(pass::TangentMode mode) {
    switch (mode) {
        case pass::TangentMode::Generate: return "generate all (MikkTSpace)";
        case pass::TangentMode::None: return "no generation: any unit vector orthogonal to the normal";
        case pass::TangentMode::Keep: return "keep the source's where its normals are kept, else any unit vector orthogonal to the normal";
        case pass::TangentMode::Auto: break;
    }
    return "keep the source's where its normals are kept, generate missing ones (MikkTSpace)";
}

void add_motion_steps(std::vector<Step>& steps, const MotionOptions& o) {
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

void add_scene_steps(std::vector<Step>& steps, const codec::SceneOptions& o) {
    if (o.unit_meters != 0) {
        steps.push_back({"unit", core::number_text(o.unit_meters) + " metres, whatever the file says"});
    }
    if (!o.up.empty() || !o.front.empty()) {
        steps.push_back({"axes", (o.up.empty() ? std::string() : o.up + " is up") + (o.up.empty() || o.front.empty() ? "" : ", ") +
                                     (o.front.empty() ? std::string() : o.front + " is front") + ", whatever the file says"});
    }
    if (o.skip_hidden) {
        steps.push_back({"hidden", "leave out meshes that are not visible"});
    }
    if (o.level_of_detail) {
        steps.push_back({"lod", *o.level_of_detail == codec::SceneOptions::kAllLevels
                                    ? std::string("keep all levels of detail")
                                    : "keep level of detail " + std::to_string(*o.level_of_detail) + ", or the coarsest there is"});
    }
    if (o.subdivide != 0) {
        steps.push_back({"subdivide", "subdivision surfaces, " + std::to_string(o.subdivide) + (o.subdivide == 1 ? " time" : " times")});
    }
}

}  // namespace

core::Result<std::vector<Step>> explain(const codec::Registry& registry, const ConvertRequest& request) {
    return guarded(request.input.path, [&]() -> core::Result<std::vector<Step>> {
        const auto loaded = load(registry, request.input, request.read.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        const auto format = target_of(registry, request);
        if (!format) {
            return core::Fault(format.error());
        }
        const codec::Codec* const target = *format;
        std::vector<Step> steps;
        steps.push_back({"read", std::string(loaded->codec->name) + (request.read.strict ? ", strictly" : ", earlier generations too")});
        add_scene_steps(steps, request.read.scene);
        add_motion_steps(steps, request.motion);
        if (!target->clips_only) {
            steps.push_back({"textures", texture_text(request.textures)});
        }
        if (target->clips_only) {
            steps.push_back({"clips", loaded->codec == target ? "keep keys as they are" : "clips and the skeleton's signature only"});
        } else if (loaded->codec == target) {
            steps.push_back({"meshes", target->id == std::string_view("mv1") ? "the file as it is where nothing changes, else made anew" : "keep vertices as they are"});
        } else {
            steps.push_back({"triangulate", "polygons become triangles"});
            const auto honours = [&](std::string_view option) {
                return std::find(target->options.begin(), target->options.end(), option) != target->options.end();
            };
            if (honours("--km3-weights")) {
                steps.push_back({"weights", request.write.km3.weights.value_or(true) ? "at most a unit and its parent a vertex" : "one unit a vertex"});
            } else if (honours("--mv1-fps")) {
                steps.push_back({"weights", "all influences, 16-bit"});
            } else {
                steps.push_back({"weights", "at most four influences a vertex"});
            }
            steps.push_back({"normals", normal_text(request.write.normals)});
            if (honours("--km3-quads")) {
                steps.push_back({"units", std::string("one for each bone; a new one at 60,000 vertices") + (request.write.km3.quads ? ", pairs of flat triangles joined" : "")});
            }
            if (honours("--mv1-fps")) {
                const codec::Mv1WriteOptions& o = request.write.mv1;
                const double unit = o.unit_meters.value_or(0);
                steps.push_back({"space", std::string("facing ") + (o.facing == codec::Mv1Facing::PlusZ ? "+Z" : "-Z") + ", a unit is " +
                                              (unit > 0 ? core::number_text(unit) + " m" : std::string("the source's")) + ", " +
                                              core::number_text(o.fps.value_or(30)) + " units of time a second"});
            }
            if (honours("--tangents")) {
                steps.push_back({"tangents", tangent_text(request.write.tangents)});
                steps.push_back({"weld", "join bit-identical vertices, number them by first use"});
                steps.push_back({"placement", request.write.bake_static ? "put unmoving meshes into model space"
                                                                        : "keep the placement of unmoving meshes"});
            }
        }
        steps.push_back({"write", std::string(target->name) + " in memory"});
        steps.push_back({"verify", "the bytes pass the format's own check"});
        steps.push_back({"save", request.output + ", by way of a temporary file"});
        return steps;
    });
}

}  // namespace gomkit::kit
