#include "print_json.hpp"
#include "print_scene.hpp"

namespace {

Json source_json(const gomkit::model::SourceInfo& source) {
    Json out;
    out["exporter"] = source.exporter.empty() ? Json(nullptr) : Json(source.exporter);
    out["program"] = source.program.empty() ? Json(nullptr) : Json(source.program);
    out["profile"] = source.profile.empty() ? Json(nullptr) : Json(source.profile);
    out["unitMeters"] = source.unit_meters > 0 ? Json(source.unit_meters) : Json(nullptr);
    out["axes"] = source.axes.empty() ? Json(nullptr) : Json(source.axes);
    out["fps"] = source.fps > 0 ? Json(source.fps) : Json(nullptr);
    return out;
}

Json mesh_json(const gomkit::kit::MeshInfo& mesh) {
    Json out;
    out["name"] = mesh.name;
    out["vertices"] = mesh.vertices;
    out["triangles"] = mesh.triangles;
    out["material"] = mesh.materials.empty() ? std::string() : mesh.materials.front();
    out["materials"] = mesh.materials;
    out["bones"] = mesh.bones;
    out["uvSets"] = mesh.uv_sets;
    out["colorSets"] = mesh.color_sets;
    out["blendShapes"] = Json::array();
    for (const auto& morph : mesh.morphs) {
        Json shapes = Json::array();
        for (const auto& shape : morph.shapes) {
            shapes.push_back({{"name", shape.name}, {"weight", shape.weight}, {"vertices", shape.vertices}});
        }
        out["blendShapes"].push_back({{"name", morph.name}, {"defaultWeight", morph.default_weight}, {"shapes", std::move(shapes)}});
    }
    return out;
}

Json material_json(const gomkit::model::Material& m, const gomkit::kit::InfoResponse& info) {
    constexpr const char* kSlots[gomkit::model::kTextureSlots] = {"diffuse", "normal", "specular", "emissive"};
    Json out;
    out["name"] = m.name;
    out["diffuse"] = vector_json(m.diffuse);
    out["specular"] = vector_json(m.specular);
    out["emissive"] = vector_json(m.emissive);
    out["shininess"] = m.shininess;
    out["opacity"] = m.opacity;
    out["maps"] = Json::object();
    for (std::size_t slot = 0; slot < gomkit::model::kTextureSlots; ++slot) {
        if (m.textures[slot] < info.textures.size()) {
            out["maps"][kSlots[slot]] = info.textures[m.textures[slot]].path;
        }
    }
    return out;
}

Json clip_json(const gomkit::kit::ClipInfo& clip) {
    Json out;
    out["name"] = clip.name;
    out["duration"] = clip.duration;
    out["sourceStart"] = clip.source_start;
    out["tracks"] = clip.tracks;
    out["keys"] = clip.keys;
    out["blendShapeTracks"] = Json::array();
    for (const auto& track : clip.morph_tracks) {
        out["blendShapeTracks"].push_back({{"mesh", track.mesh}, {"blendShape", track.channel}, {"keys", track.keys}});
    }
    return out;
}

}  // namespace

void add_info_json(Json& document, const gomkit::kit::InfoResponse& info) {
    document["format"] = info.format;
    document["version"] = info.version;
    document["converter"] = info.converter_version.empty() ? Json(nullptr) : Json(info.converter_version);
    document["source"] = source_json(info.source);
    document["bounds"] = nullptr;
    if (info.bounds_min) {
        document["bounds"] = {{"min", vector_json(*info.bounds_min)}, {"max", vector_json(*info.bounds_max)}};
    }
    for (const char* list : {"meshes", "materials", "textures"}) {
        document[list] = Json::array();
    }
    for (const auto& mesh : info.meshes) {
        document["meshes"].push_back(mesh_json(mesh));
    }
    for (const auto& material : info.materials) {
        document["materials"].push_back(material_json(material, info));
    }
    for (const auto& texture : info.textures) {
        const bool found = !texture.file.empty();
        document["textures"].push_back(
            {{"path", texture.path}, {"found", found}, {"file", found ? Json(texture.file) : Json(nullptr)}, {"embedded", texture.embedded}});
    }
    add_scene_json(document, info);
    Json bones = Json::array();
    for (const auto& bone : info.bones) {
        bones.push_back({{"path", bone.path}, {"parent", bone.parent}});
    }
    document["skeleton"] = {{"bones", std::move(bones)}, {"signature", info.signature.empty() ? Json(nullptr) : Json(info.signature)}};
    document["clips"] = Json::array();
    for (const auto& clip : info.clips) {
        document["clips"].push_back(clip_json(clip));
    }
}
