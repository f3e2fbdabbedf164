#include <gomkit/km3/km3.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include <gomkit/pass/default_shapes.hpp>

#include "bytes.hpp"
#include "check.hpp"
#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "import.hpp"
#include "options.hpp"
#include "layout.hpp"
#include "prove.hpp"

namespace gomkit::km3 {
namespace {

// There is no magic number: a file is a KM3 by its name, or when it has polygons and a strict reader takes all of it.
bool probe(std::span<const std::byte> bytes, std::string_view) {
    if (bytes.size() < layout::header::kSize + layout::record::kSize) {
        return false;
    }
    const std::uint32_t models = load<std::uint32_t>(bytes.data() + layout::header::kModels);
    const std::uint32_t records = load<std::uint32_t>(bytes.data() + layout::header::kRecords);
    const core::Limits limits;
    if (models == 0 || models > records || records > limits.max_bones) {
        return false;
    }
    DecodeOptions options;
    options.strict = true;
    const core::Result<Document> document = decode(bytes, {}, options);
    return document && std::any_of(document->units.begin(), document->units.end(), [](const Unit& unit) { return !unit.vid.empty(); });
}

core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options, core::Report& report) {
    DecodeOptions how;
    how.limits = options.limits;
    how.strict = options.strict;
    core::Result<Document> document = decode(bytes, file, how);
    if (!document) {
        return core::Fault(std::move(document.error()));
    }
    codec::CheckOptions all;
    all.limits = options.limits;
    check(bytes, file, all, report);   // what was mended, or is doubtful
    return import(std::move(*document), report);
}

core::Result<core::Bytes> write(model::Model&& model, const codec::WriteOptions& options, core::Report& report) {
    pass::settle_default_shapes(model);
    core::Result<Document> document = export_model(model, options, report);
    if (!document) {
        return core::Fault(std::move(document.error()));
    }
    const std::uint64_t most = std::min<std::uint64_t>(options.limits.max_file_bytes, std::numeric_limits<std::uint32_t>::max());
    if (const std::uint64_t size = encoded_size(*document); size > most) {
        return core::fail(core::Code::LimitExceeded, {}, "limit on file bytes exceeded", std::to_string(size), "at most " + std::to_string(most),
                          "split the model");
    }
    core::Bytes bytes = encode(*document);
    if (core::Result<void> proof = prove(bytes, options.limits); !proof) {
        return core::Fault(std::move(proof.error()));
    }
    return bytes;
}

core::Result<codec::ContentCounts> count(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    DecodeOptions how;
    how.limits = limits;
    const core::Result<Document> document = decode(bytes, file, how);
    if (!document) {
        return core::Fault(document.error());
    }
    codec::ContentCounts out;
    std::set<std::pair<std::uint32_t, std::uint32_t>> materials;
    for (const Unit& unit : document->units) {
        out.vertices += unit.verts.size();
        for (std::size_t p = 0; p < unit.vid.size(); ++p) {
            out.triangles += is_triangle(unit.vid[p]) ? 1u : 2u;
            materials.insert({unit.tex.empty() ? kNoName : unit.tex[p], unit.type & layout::type::kMaterial});
        }
    }
    out.meshes = out.triangles != 0 ? 1 : 0;
    out.bones = document->unit_count;
    out.materials = materials.size();
    out.textures = document->names.size();
    return out;
}

core::Result<std::string> dump_text(std::span<const std::byte> bytes, const std::string& file, std::string_view part, const codec::ReadOptions& options) {
    return dump(bytes, file, part, options.limits);
}

}  // namespace

codec::Codec make_codec() {
    codec::Codec c;
    c.id = "km3";
    c.name = "KM3";
    c.extensions = {"km3"};
    c.kept = {"meshes of triangles and quads with normals and one UV set",
              "units as bones, their places at rest",
              "weights between a unit and its parent",
              "texture names",
              "translucent, unlit and double-sided materials, drawing order flags"};
    c.lost = {"animation", "bone names and axes", "mesh names", "weights beyond a bone and its parent", "colours and values of materials",
              "maps other than the diffuse one", "further UV sets", "vertex colours", "tangents", "blend shapes", "cameras", "lights", "user properties", "visibility"};
    c.options = {"--normals"};
    c.format_options = format_options();
    c.steps = steps;
    c.probe = probe;
    c.read = read;
    c.write = write;
    c.count = count;
    c.check = check;
    c.dump = dump_text;
    return c;
}

}  // namespace gomkit::km3
