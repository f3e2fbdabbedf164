#include <gomkit/ps1/ps1.hpp>

#include <set>
#include <string>
#include <utility>

#include <gomkit/pass/default_shapes.hpp>

#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "import.hpp"
#include "layout.hpp"
#include "options.hpp"
#include "prove.hpp"
#include "read.hpp"

namespace gomkit::ps1 {
namespace {

bool probe(std::span<const std::byte> bytes, std::string_view) {
    return bytes.size() >= layout::header::kOldSize && has_magic(bytes);
}

core::Result<model::Model> read_model(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions&, core::Report& report) {
    core::Result<Document> document = decode(bytes, file);
    if (!document) {
        return core::Fault(std::move(document.error()));
    }
    check(bytes, file, false, report);   // what is doubtful, and what the console has no room for
    return import(*document, report);
}

core::Result<core::Bytes> write_model(model::Model&& model, const codec::WriteOptions& options, core::Report& report) {
    pass::settle_default_shapes(model);
    core::Result<Document> document = export_model(model, options, report);
    if (!document) {
        return core::Fault(std::move(document.error()));
    }
    core::Bytes bytes = encode(*document);
    if (core::Result<void> proof = prove(bytes); !proof) {
        return core::Fault(std::move(proof.error()));
    }
    return bytes;
}

core::Result<codec::ContentCounts> count(std::span<const std::byte> bytes, const std::string& file, const core::Limits&) {
    const core::Result<Document> document = decode(bytes, file);
    if (!document) {
        return core::Fault(document.error());
    }
    codec::ContentCounts out;
    std::set<std::pair<std::uint8_t, bool>> materials;
    for (const Triangle& t : document->triangles) {
        materials.insert({t.texture, (t.flags & layout::kDoubleSided) != 0});
    }
    out.meshes = document->triangles.empty() ? 0 : 1;
    out.vertices = document->vertices.size();
    out.triangles = document->triangles.size();
    out.bones = document->bones.size();
    out.clips = document->clips.size();
    out.materials = materials.size();
    return out;
}

void check_bytes(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report) {
    check(bytes, file, options.canonical, report);
}

core::Result<std::string> dump_text(std::span<const std::byte> bytes, const std::string& file, std::string_view part, const codec::ReadOptions&) {
    return dump(bytes, file, part);
}

}  // namespace

codec::Codec make_codec() {
    codec::Codec c;
    c.id = "ps1m";
    c.name = "PS1M (PlayStation)";
    c.extensions = {"ps1m"};
    c.kept = {"triangles with normals and one UV set, to the nearest whole number",
              "bones without names or scale, the bone with the largest weight of each vertex",
              "clips, sampled at 15 frames a second, rigid",
              "texture slots and double-sided materials"};
    c.lost = {"bone and mesh names", "weights beyond the largest", "scaling bones", "textures but for --ps1-tim", "colours and values of materials", "translucent and unlit materials",
              "further UV sets", "vertex colours", "tangents", "blend shapes", "root motion", "cameras", "lights", "user properties", "visibility"};
    c.options = {"--normals"};
    c.format_options = format_options();
    c.steps = steps;
    c.probe = probe;
    c.read = read_model;
    c.write = write_model;
    c.count = count;
    c.check = check_bytes;
    c.dump = dump_text;
    return c;
}

}  // namespace gomkit::ps1
