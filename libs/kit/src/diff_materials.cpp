#include "diff_parts.hpp"

namespace gomkit::kit {
namespace {

std::string map_path(const model::Model& model, const model::Material& material, std::size_t slot) {
    const std::uint32_t texture = material.textures[slot];
    return texture < model.textures.size() ? model.textures[texture].path : std::string();
}

}  // namespace

std::string material_name(const model::Model& model, model::MaterialId id) {
    return id.valid() && id.value < model.materials.size() ? model.materials[id.value].name : std::string("(default)");
}

void diff_materials(const DiffSide& a, const DiffSide& b, Differences& out) {
    const auto names = [](const model::Model& model) {
        std::vector<std::string> list;
        for (const model::Material& material : model.materials) {
            list.push_back(material.name);
        }
        return list;
    };
    constexpr const char* kMaps[model::kTextureSlots] = {".diffuseMap", ".normalMap", ".specularMap", ".emissiveMap"};
    for (const Pair& pair : pair_up(names(a.model), names(b.model))) {
        const std::string place = "material[" + pair.name + "]";
        if (pair.a < 0 || pair.b < 0) {
            out.only_in(pair.a < 0 ? 'B' : 'A', place);
            continue;
        }
        const model::Material& ma = a.model.materials[static_cast<std::size_t>(pair.a)];
        const model::Material& mb = b.model.materials[static_cast<std::size_t>(pair.b)];
        out.vector(place + ".kd", ma.diffuse, mb.diffuse);
        out.vector(place + ".ks", ma.specular, mb.specular);
        out.vector(place + ".ke", ma.emissive, mb.emissive);
        out.number(place + ".shininess", ma.shininess, mb.shininess);
        out.number(place + ".opacity", ma.opacity, mb.opacity);
        for (std::size_t slot = 0; slot < model::kTextureSlots; ++slot) {
            out.text(place + kMaps[slot], map_path(a.model, ma, slot), map_path(b.model, mb, slot));
        }
    }
}

}  // namespace gomkit::kit
