#include <gomkit/gom/gom.hpp>

#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include <gomkit/runtime/layout.hpp>
#include <gomkit/runtime/model_view.hpp>

#include "check.hpp"
#include "codec_steps.hpp"
#include "import.hpp"
#include "settle.hpp"

namespace gomkit::gom {
namespace {

namespace lay = runtime::layout;

bool probe(std::span<const std::byte> bytes, std::string_view) {
    return bytes.size() >= lay::header::kMagicSize && std::memcmp(bytes.data(), lay::header::kModelMagic.data(), lay::header::kMagicSize) == 0;
}

core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                core::Report& report) {
    core::Result<Document> document = decode(bytes, file, decode_options(options), report);
    if (!document) {
        return core::Fault(std::move(document.error()));
    }
    return import(std::move(*document), file, report);
}

core::Result<core::Bytes> write(model::Model&& model, const codec::WriteOptions& options, core::Report& report) {
    core::Result<Document> document = settled_document(std::move(model), options, report);
    if (!document) {
        return core::Fault(std::move(document.error()));
    }
    return encode_proven(*document, options.limits, "split the model", prove);
}

core::Result<codec::ContentCounts> count(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    const AlignedBytes aligned(bytes);
    const core::Result<runtime::ModelView> view = verified<runtime::ModelView>(aligned, file, limits);
    if (!view) {
        return core::Fault(view.error());
    }
    codec::ContentCounts out;
    out.meshes = view->part_count();
    out.vertices = view->vertex_total();
    out.triangles = view->index_total() / 3;
    out.bones = view->bone_count();
    out.clips = view->clip_count();
    out.materials = view->material_count();
    std::set<std::string_view> maps;
    for (std::uint32_t i = 0; i < view->material_count(); ++i) {
        const runtime::MaterialView material = view->material(i);
        for (const std::string_view map : {material.diffuse_map, material.normal_map, material.specular_map, material.emissive_map}) {
            if (!map.empty()) {
                maps.insert(map);
            }
        }
    }
    out.textures = maps.size();
    return out;
}

}  // namespace

codec::Codec make_codec() {
    codec::Codec c;
    c.id = "gom";
    c.name = "GOM version 1";
    c.extensions = {"gom"};
    c.kept = {"mesh parts with normals, tangents and one UV set",
              "skinning with up to four influences",
              "skeleton with bind pose",
              "Phong materials and the paths of their textures",
              "animation clips (translation, rotation, scale)",
              "blend shapes, with in-betweens and animated weights",
              "loop and root-motion flags"};
    c.lost = {"vertex colours", "further UV sets", "cameras", "lights", "user properties", "visibility", "the scene tree above the skeleton",
              "double-sided, unlit and alpha-blended materials"};
    c.options = {"--normals", "--tangents", "--bake-static"};
    c.probe = probe;
    c.read = read;
    c.write = write;
    c.steps = model_steps;
    c.count = count;
    c.check = check;
    c.dump = dump_text;
    return c;
}

}  // namespace gomkit::gom
