#include <algorithm>
#include <optional>

#include <gomkit/core/text.hpp>
#include <gomkit/fbx/fbx.hpp>

#include "import.hpp"
#include "obj_text.hpp"

namespace gomkit::fbx {
namespace {

struct Libraries {
    core::Bytes content;      // all of them, one behind the other
    std::string first;        // name of one, for messages
};

Libraries open_libraries(const ObjText& text, const codec::ReadOptions& options, core::Report& report) {
    Libraries out;
    std::vector<std::string> seen;
    const Names names(text.libraries, options.encoding);
    const auto open = [&](const std::string& name) {
        const std::optional<core::FileBytes> file = options.side_file && !name.empty() ? options.side_file(name) : std::nullopt;
        if (file) {
            out.first = out.first.empty() ? name : out.first;
            out.content.insert(out.content.end(), file->bytes().begin(), file->bytes().end());
            out.content.push_back(std::byte{'\n'});
        }
        return file.has_value();
    };
    for (const std::string& raw : text.libraries) {
        const std::string line = names.text(raw);
        if (std::find(seen.begin(), seen.end(), line) != seen.end()) {
            continue;
        }
        seen.push_back(line);
        if (open(line)) {
            continue;
        }
        // Several names in one line; but names with spaces are more usual.
        bool any = false;
        for (std::size_t begin = 0; line.find(' ') != std::string::npos && begin < line.size();) {
            const std::size_t end = std::min(line.find(' ', begin), line.size());
            any = open(line.substr(begin, end - begin)) || any;
            begin = end + 1;
        }
        if (!any) {
            report.add(core::IssueId::OBJ_MTL_MISSING, {}, {{"name", line}});
        }
    }
    return out;
}

void report_text(const ObjText& text, core::Report& report) {
    if (text.unknown != 0) {
        core::Place place;
        place.line = core::TextPos{static_cast<std::uint32_t>(text.unknown_line), 1};
        report.add(core::IssueId::OBJ_UNKNOWN_LINE, place, {{"count", std::to_string(text.unknown)}, {"word", text.unknown_word}});
    }
    report.add_loss("free-form curves and surfaces", text.free_form);
}

core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                core::Report& report) {
    const core::Result<ObjText> text = look_over_obj(bytes, file, options.limits);
    if (!text) {
        return core::Fault(text.error());
    }
    const Libraries libraries = open_libraries(*text, options, report);
    core::Result<Scene> scene = load_obj_scene(bytes, libraries.content, file, options.limits);
    if (!scene && scene.error().code == core::Code::Malformed && !libraries.content.empty()) {
        core::Result<Scene> without = load_obj_scene(bytes, {}, file, options.limits);
        if (without) {
            report.add(core::IssueId::OBJ_MTL_UNREADABLE, {}, {{"name", libraries.first}});
            scene = std::move(without);
        }
    }
    if (!scene) {
        return core::Fault(std::move(scene.error()));
    }
    if (options.input_done) {
        options.input_done();
    }
    report_text(*text, report);
    Import in{**scene, options, report, Names(**scene, options.encoding)};
    in.compact_points = true;
    in.model.source.format = "OBJ";
    in.model.source.unit_meters = 1;
    in.model.source.axes = "+X +Y +Z";
    import_nodes(in);
    import_materials(in);
    select_nodes(in);
    if (core::Result<void> meshes = import_meshes(in); !meshes) {
        return core::Fault(std::move(meshes.error()));
    }
    if (core::Result<void> placed = import_instances(in); !placed) {
        return core::Fault(std::move(placed.error()));
    }
    report_names(in.names, in.cleaned_names, report);
    return std::move(in.model);
}

bool probe(std::span<const std::byte> bytes, std::string_view) { return looks_like_obj(bytes); }

}  // namespace

codec::Codec make_obj_codec() {
    codec::Codec c;
    c.id = "obj";
    c.name = "Wavefront OBJ";
    c.extensions = {"obj"};
    c.kept = {"meshes", "normals", "texture coordinates", "vertex colours", "materials"};
    c.lost = {"free-form curves and surfaces", "lines and points", "display attributes"};
    c.takes_encoding = true;
    c.probe = probe;
    c.read = read;
    return c;
}

}  // namespace gomkit::fbx
