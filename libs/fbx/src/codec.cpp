#include <gomkit/fbx/fbx.hpp>

#include <algorithm>

#include "elements.hpp"
#include "facts.hpp"
#include "import.hpp"
#include "lint.hpp"
#include "snapshot.hpp"

namespace gomkit::fbx {
namespace {

const char* axis_name(ufbx_coordinate_axis axis) {
    switch (axis) {
        case UFBX_COORDINATE_AXIS_POSITIVE_X: return "+X";
        case UFBX_COORDINATE_AXIS_NEGATIVE_X: return "-X";
        case UFBX_COORDINATE_AXIS_POSITIVE_Y: return "+Y";
        case UFBX_COORDINATE_AXIS_NEGATIVE_Y: return "-Y";
        case UFBX_COORDINATE_AXIS_POSITIVE_Z: return "+Z";
        case UFBX_COORDINATE_AXIS_NEGATIVE_Z: return "-Z";
        default: return "?";
    }
}

model::SourceInfo source_info(const ufbx_scene& scene, const Names& names, const Profile& profile) {
    model::SourceInfo out;
    out.profile = profile.id;
    out.format = "FBX " + std::to_string(scene.metadata.version) + (scene.metadata.ascii ? " ascii" : " binary");
    out.exporter = names.text(scene.metadata.creator);
    out.program = program_of(scene, names);
    out.unit_meters = declared_unit(scene);
    if (ufbx_coordinate_axes_valid(scene.settings.axes)) {
        out.axes = std::string(axis_name(scene.settings.axes.right)) + " " + axis_name(scene.settings.axes.up) + " " +
                   axis_name(scene.settings.axes.front);
    }
    out.fps = scene.settings.frames_per_second;
    return out;
}

bool probe(std::span<const std::byte> bytes, std::string_view) { return looks_like_fbx(bytes); }

// What ufbx repaired or doubts, each text once.
void report_reader_warnings(const ufbx_scene& scene, const Names& names, core::Report& report) {
    std::vector<std::pair<std::string, std::size_t>> warnings;
    for (const ufbx_warning& warning : scene.metadata.warnings) {
        if (warning.type == UFBX_WARNING_BAD_UNICODE) {
            continue;  // see report_names()
        }
        std::string text = names.text(warning.description);
        const auto it = std::find_if(warnings.begin(), warnings.end(), [&](const auto& w) { return w.first == text; });
        if (it == warnings.end()) {
            warnings.emplace_back(std::move(text), warning.count);
        } else {
            it->second += warning.count;
        }
    }
    for (const auto& [text, count] : warnings) {
        report.add(core::IssueId::FBX_READER_WARNING, {}, {{"text", count > 1 ? text + " (" + std::to_string(count) + " times)" : text}});
    }
}

}  // namespace

void report_names(const Names& names, std::uint64_t cleaned, core::Report& report) {
    const std::uint64_t unreadable = names.unreadable();
    if (names.is_guessed() && unreadable == 0) {
        report.add(core::IssueId::FBX_TEXT_ENCODING, {}, {{"encoding", names.encoding_name()}});
    }
    if (unreadable != 0) {
        report.add(core::IssueId::FBX_TEXT_UNREADABLE, {}, {{"count", std::to_string(unreadable)}, {"encoding", names.encoding_name()}});
    } else if (cleaned != 0) {
        report.add(core::IssueId::FBX_BAD_TEXT, {}, {{"count", std::to_string(cleaned)}});
    }
}

core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                core::Report& report) {
    core::Result<Scene> scene = load_scene(bytes, file, options);
    if (!scene) {
        return core::Fault(std::move(scene.error()));
    }
    if (needs_document(**scene)) {
        scene = load_scene(bytes, file, options, true);
        if (!scene) {
            return core::Fault(std::move(scene.error()));
        }
    }
    if (options.scene.time) {
        const Names names(**scene, options.encoding);
        scene = evaluate_snapshot(std::move(*scene), file, options, names);
        if (!scene) {
            return core::Fault(std::move(scene.error()));
        }
    }
    const core::Result<const Profile*> profile = profile_for(**scene, options.scene.profile);
    if (!profile) {
        return core::Fault(profile.error());
    }
    Import in{**scene, options, report, Names(**scene, options.encoding), **profile};
    report_reader_warnings(**scene, in.names, report);
    const core::Result<SpaceChange> space = space_change(**scene, options.scene);
    if (!space) {
        return core::Fault(space.error());
    }
    in.bytes = bytes;
    in.unit_factor = space->factor;
    in.model.source = source_info(**scene, in.names, in.profile);
    import_nodes(in);
    import_attributes(in);
    import_materials(in);
    select_nodes(in);
    const auto release_bytes = [&] {
        in.bytes = {};
        if (options.input_done) {
            options.input_done();
        }
    };
    const bool kept = meshes_need_bytes(in);
    if (!kept) {
        release_bytes();
    }
    if (core::Result<void> meshes = import_meshes(in); !meshes) {
        return core::Fault(std::move(meshes.error()));
    }
    if (kept) {
        release_bytes();
    }
    if (core::Result<void> placed = import_instances(in); !placed) {
        return core::Fault(std::move(placed.error()));
    }
    if (!options.scene.time) {
        if (core::Result<void> clips = import_clips(in, file); !clips) {
            return core::Fault(std::move(clips.error()));
        }
    }
    import_binds(in);
    report_losses(in);
    settle_space(in, *space);
    report_names(in.names, in.cleaned_names, report);
    return std::move(in.model);
}

const char* ufbx_version() {
    static const std::string version = std::to_string(UFBX_HEADER_VERSION / 1'000'000) + "." +
                                       std::to_string(UFBX_HEADER_VERSION / 1'000 % 1'000) + "." + std::to_string(UFBX_HEADER_VERSION % 1'000);
    return version.c_str();
}

codec::Codec make_codec() {
    codec::Codec c;
    c.id = "fbx";
    c.name = "Autodesk FBX";
    c.extensions = {"fbx"};
    c.kept = {"meshes", "normals", "tangents", "texture coordinates", "materials", "skeleton", "skin weights", "blend shapes", "animation", "lights", "cameras", "user properties"};
    c.lost = {"geometry caches", "NURBS curves and trims", "constraints", "stereo cameras",
              "animated properties other than translation, rotation, scale and blend shape weights"};
    c.resamples = true;
    c.takes_encoding = true;
    c.scenes = true;
    c.profiles = profile_ids();
    c.probe = probe;
    c.read = read;
    c.read_steps = read_steps;
    c.check = check;
    c.elements = elements;
    c.facts = facts;
    return c;
}

}  // namespace gomkit::fbx
