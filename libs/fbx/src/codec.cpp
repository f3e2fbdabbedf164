#include <gomkit/fbx/fbx.hpp>

#include <algorithm>

#include <gomkit/core/text.hpp>
#include <gomkit/pass/flip_axes.hpp>

#include "elements.hpp"
#include "import.hpp"
#include "lint.hpp"

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

model::SourceInfo source_info(const ufbx_scene& scene, const Names& names) {
    model::SourceInfo out;
    out.format = "FBX " + std::to_string(scene.metadata.version) + (scene.metadata.ascii ? " ascii" : " binary");
    out.exporter = names.text(scene.metadata.creator);
    out.unit_meters = scene.settings.original_unit_meters;
    if (ufbx_coordinate_axes_valid(scene.settings.axes)) {
        out.axes = std::string(axis_name(scene.settings.axes.right)) + " " + axis_name(scene.settings.axes.up) + " " +
                   axis_name(scene.settings.axes.front);
    }
    out.fps = scene.settings.frames_per_second;
    return out;
}

bool probe(std::span<const std::byte> bytes, std::string_view) { return looks_like_fbx(bytes); }

// What ufbx repaired or doubts, each text once.
void report_reader_warnings(const ufbx_scene& scene, core::Report& report) {
    std::vector<std::pair<std::string, std::size_t>> warnings;
    for (const ufbx_warning& warning : scene.metadata.warnings) {
        if (warning.type == UFBX_WARNING_BAD_UNICODE) {
            continue;  // see report_names()
        }
        std::string text = core::clean_text(view(warning.description));
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
    if (options.input_done) {
        options.input_done();
    }
    report_reader_warnings(**scene, report);
    Import in{**scene, options, report, {}, {}, {}, {}, {}, Names(**scene, options.encoding)};
    in.model.source = source_info(**scene, in.names);
    import_nodes(in);
    import_materials(in);
    import_meshes(in);
    if (core::Result<void> placed = import_instances(in); !placed) {
        return core::Fault(std::move(placed.error()));
    }
    if (core::Result<void> clips = import_clips(in, file); !clips) {
        return core::Fault(std::move(clips.error()));
    }
    import_binds(in);
    report_losses(in);
    if (in.model.source.axes.empty()) {
        report.add(core::IssueId::FBX_NO_AXES, {});
        pass::mirror_x(in.model);
    }
    if (ufbx_find_prop(&(*scene)->settings.props, "UnitScaleFactor") == nullptr) {
        report.add(core::IssueId::FBX_NO_UNIT, {});
    }
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
    c.kept = {"meshes", "normals", "tangents", "texture coordinates", "materials", "skeleton", "skin weights", "animation"};
    c.lost = {"blend shapes", "geometry caches", "lights", "cameras", "NURBS", "constraints", "user properties",
              "animated properties other than translation, rotation and scale"};
    c.resamples = true;
    c.takes_encoding = true;
    c.probe = probe;
    c.read = read;
    c.check = check;
    c.elements = elements;
    return c;
}

}  // namespace gomkit::fbx
