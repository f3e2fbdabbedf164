#include <cmath>

#include <fmt/format.h>

#include <gomkit/core/text.hpp>

#include "print_scene.hpp"
#include "print_text.hpp"

using gomkit::core::printable;

namespace {

// Metres to a tenth of a millimetre: the exact values are in --json.
std::string meters(const gomkit::model::Vec3& v) {
    const auto to_four = [](double x) { return std::nearbyint(x * 1e4) / 1e4 + 0.0; };  // + 0.0: no "-0"
    return fmt::format("{:.4f} {:.4f} {:.4f}", to_four(v.x), to_four(v.y), to_four(v.z));
}

std::string named(const std::string& name, const char* otherwise) { return name.empty() ? std::string(otherwise) : printable(name); }

void add_line(std::string& out, const char* label, const std::string& value) {
    if (!value.empty()) {
        out += fmt::format("{:<12}{}\n", label, value);
    }
}

void add_header(std::string& out, const std::string& file, const gomkit::kit::InfoResponse& info) {
    add_line(out, "file", printable(file));
    add_line(out, "format", info.format + (info.version.empty() ? "" : " " + printable(info.version)));
    add_line(out, "exporter", info.converter_version == info.source.exporter ? std::string() : printable(info.source.exporter));
    add_line(out, "program", printable(info.source.program));
    add_line(out, "profile", info.source.profile);
    add_line(out, "converter", printable(info.converter_version));
    add_line(out, "unit", info.source.unit_meters > 0 ? rounded(info.source.unit_meters) + " m" : std::string());
    add_line(out, "axes", info.source.axes.empty() ? std::string() : info.source.axes + " (right, up, front)");
    add_line(out, "frame rate", info.source.fps > 0 ? rounded(info.source.fps) + " a second" : std::string());
    if (info.bounds_min) {
        add_line(out, "bounds", meters(*info.bounds_min) + " to " + meters(*info.bounds_max) + " m");
    }
}

// "blend shape Smile: 412 vertices", "blend shape Blink, by default at 0.5: 20 vertices at 0.5 (half), 24 vertices at 1 (full)".
std::string morph_text(const gomkit::kit::MorphInfo& morph) {
    std::vector<std::string> shapes;
    for (const auto& shape : morph.shapes) {
        const bool plain = morph.shapes.size() == 1 && shape.weight == 1;
        shapes.push_back(amount(shape.vertices, "vertex", "vertices") + (plain ? "" : fmt::format(" at {} ({})", rounded(shape.weight), named(shape.name, "no name"))));
    }
    return fmt::format("blend shape {}{}: {}", named(morph.name, "(no name)"),
                       morph.default_weight == 0 ? "" : ", by default at " + rounded(morph.default_weight), fmt::join(shapes, ", "));
}

void add_meshes(std::string& out, const gomkit::kit::InfoResponse& info) {
    add_line(out, "meshes", std::to_string(info.meshes.size()));
    for (const auto& mesh : info.meshes) {
        std::vector<std::string> materials;
        for (const std::string& name : mesh.materials) {
            materials.push_back(named(name, "(default)"));
        }
        out += fmt::format("  {}: {}, {}, {}, materials: {}\n", named(mesh.name, "(no name)"), amount(mesh.vertices, "vertex", "vertices"),
                           amount(mesh.triangles, "triangle", "triangles"), mesh.bones == 0 ? "not skinned" : amount(mesh.bones, "bone", "bones"),
                           materials.empty() ? "(default)" : fmt::format("{}", fmt::join(materials, ", ")));
        const auto add_sets = [&](const char* label, const std::vector<std::string>& sets) {
            if (!sets.empty()) {
                std::vector<std::string> names;
                for (const std::string& name : sets) {
                    names.push_back(named(name, "(no name)"));
                }
                out += fmt::format("    {}: {}\n", label, fmt::join(names, ", "));
            }
        };
        add_sets("UV sets", mesh.uv_sets.size() > 1 ? mesh.uv_sets : std::vector<std::string>{});
        add_sets("colour sets", mesh.color_sets);
        for (const auto& morph : mesh.morphs) {
            out += "    " + morph_text(morph) + "\n";
        }
    }
}

void add_materials(std::string& out, const gomkit::kit::InfoResponse& info) {
    constexpr const char* kSlots[] = {"diffuse", "normal", "specular", "emissive"};
    add_line(out, "materials", std::to_string(info.materials.size()));
    for (const auto& m : info.materials) {
        out += fmt::format("  {}: diffuse {}, specular {}, emissive {}, shininess {}, opacity {}", named(m.name, "(no name)"), rounded(m.diffuse),
                           rounded(m.specular), rounded(m.emissive), rounded(m.shininess), rounded(m.opacity));
        for (std::size_t slot = 0; slot < gomkit::model::kTextureSlots; ++slot) {
            if (m.textures[slot] < info.textures.size()) {
                out += fmt::format(", {} map {}", kSlots[slot], printable(info.textures[m.textures[slot]].path));
            }
        }
        out += '\n';
    }
    add_line(out, "textures", std::to_string(info.textures.size()));
    for (const auto& texture : info.textures) {
        const std::string state = !texture.file.empty() ? "found as " + printable(texture.file) : texture.embedded ? "" : "missing";
        out += fmt::format("  {}: {}{}{}\n", named(texture.path, "(no name)"), state, texture.embedded && !state.empty() ? ", " : "",
                           texture.embedded ? "embedded" : "");
    }
}

void add_skeleton(std::string& out, const gomkit::kit::InfoResponse& info) {
    add_line(out, "skeleton", amount(info.bones.size(), "bone", "bones"));
    for (const auto& bone : info.bones) {
        out += "  " + printable(bone.path) + "\n";
    }
    add_line(out, "signature", info.signature);
}

void add_clips(std::string& out, const gomkit::kit::InfoResponse& info) {
    add_line(out, "clips", std::to_string(info.clips.size()));
    for (const auto& clip : info.clips) {
        out += fmt::format("  {}: {} s, from {} s of the source, {}, {}\n", named(clip.name, "(no name)"), rounded(clip.duration),
                           rounded(clip.source_start), amount(clip.tracks, "track", "tracks"), amount(clip.keys, "key", "keys"));
        for (const auto& track : clip.morph_tracks) {
            out += fmt::format("    weight of {} of {}: {}\n", named(track.channel, "(no name)"), named(track.mesh, "(no name)"), amount(track.keys, "key", "keys"));
        }
    }
}

}  // namespace

std::string info_text(const std::string& file, const gomkit::kit::InfoResponse& info, const gomkit::core::Report& report) {
    std::string out;
    add_header(out, file, info);
    if (info.motion) {
        add_line(out, "signature", info.signature);
    } else {
        add_meshes(out, info);
        add_materials(out, info);
        out += scene_text(info);
        add_skeleton(out, info);
    }
    add_clips(out, info);
    if (!report.losses().empty()) {
        out += "not held\n";
        for (const auto& loss : report.losses()) {
            out += fmt::format("  {} {}\n", loss.count, printable(loss.kind));
        }
    }
    return out;
}
