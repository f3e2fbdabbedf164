#include <gomkit/mv1/mv1.hpp>

#include <utility>

#include "check.hpp"
#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "facts.hpp"
#include "import.hpp"
#include "options.hpp"
#include "prove.hpp"

namespace gomkit::mv1 {
namespace {

bool probe(std::span<const std::byte> bytes, std::string_view) { return is_mv1(bytes); }

core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                core::Report& report) {
    Checked<core::Bytes> buffer = unpack(bytes, options.limits);
    if (!buffer) {
        return core::Fault(to_error(buffer.error(), file));
    }
    const Checked<Document> document = decode_buffer(*buffer, options.limits);
    if (!document) {
        return core::Fault(to_error(document.error(), file));
    }
    core::Result<model::Model> model = import(*document, options, report);
    if (model) {
        model->mv1->buffer = std::move(*buffer);
    }
    return model;
}

// Above this DxLib's own search takes long (MV1-WRITE-14).
constexpr std::size_t kExactBytes = 4 * 1024 * 1024;

core::Result<core::Bytes> write(model::Model&& model, const codec::WriteOptions& options, core::Report& report) {
    const core::Result<Document> document = export_model(model, options, report);
    if (!document) {
        return core::Fault(document.error());
    }
    const bool exact = model.mv1 && document->size <= kExactBytes;
    core::Bytes bytes = encode(*document, exact ? DxaSearch::Exact : DxaSearch::Quick);
    if (core::Result<void> proof = prove(bytes, options.limits, report); !proof) {
        return core::Fault(std::move(proof.error()));
    }
    return bytes;
}

core::Result<codec::ContentCounts> count(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    const core::Result<Document> document = decode(bytes, file, limits);
    if (!document) {
        return core::Fault(document.error());
    }
    codec::ContentCounts out;
    out.meshes = document->meshes.size();
    for (const Mesh& mesh : document->meshes) {
        out.vertices += static_cast<std::uint64_t>(mesh.vertex_num);
    }
    for (const TriangleList& list : document->lists) {
        out.triangles += list.index_num / 3u;
    }
    out.bones = document->frames.size();
    out.clips = document->anim_sets.size();
    out.materials = document->materials.size();
    out.textures = document->textures.size();
    return out;
}

}  // namespace

codec::Codec make_codec() {
    codec::Codec c;
    c.id = "mv1";
    c.name = "DxLib model";
    c.extensions = {"mv1"};
    c.kept = {"meshes with normals, one set of vertex colours and two UV sets",
              "skinning with any number of influences",
              "frames with bind pose and rest pose",
              "materials and the paths of their textures",
              "point, spot and directional lights",
              "blend shapes",
              "animation clips (translation, rotation, scale, weights of blend shapes)"};
    c.lost = {"tangents (when written)", "emissive maps", "unlit materials",
              "area and volume lights, cameras, user properties",
              "physics, toon and sphere maps, texture layers beyond the first, blend modes and alpha tests (unless the source was an .mv1)"};
    c.options = {"--normals"};
    c.format_options = format_options();
    c.steps = steps;
    c.probe = probe;
    c.read = read;
    c.write = write;
    c.count = count;
    c.check = check;
    c.dump = dump;
    c.facts = facts;
    return c;
}

}  // namespace gomkit::mv1
