#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <gomkit/core/path.hpp>
#include <gomkit/core/text.hpp>

namespace gomkit::fbx {
namespace {

using model::Material;
using model::Vec3;

bool is_pbr(ufbx_shader_type type) {
    switch (type) {
        case UFBX_SHADER_OSL_STANDARD_SURFACE:
        case UFBX_SHADER_ARNOLD_STANDARD_SURFACE:
        case UFBX_SHADER_3DS_MAX_PHYSICAL_MATERIAL:
        case UFBX_SHADER_3DS_MAX_PBR_METAL_ROUGH:
        case UFBX_SHADER_3DS_MAX_PBR_SPEC_GLOSS:
        case UFBX_SHADER_GLTF_MATERIAL:
        case UFBX_SHADER_OPENPBR_MATERIAL:
        case UFBX_SHADER_SHADERFX_GRAPH: return true;
        default: return false;
    }
}

double number(const ufbx_material_map& map, double fallback) { return map.has_value ? map.value_real : fallback; }

Vec3 color(const ufbx_material_map& map, const Vec3& fallback) {
    if (!map.has_value) {
        return fallback;
    }
    // A map of one component is a grey.
    return map.value_components == 1 ? Vec3{map.value_real, map.value_real, map.value_real} : to_vec3(map.value_vec3);
}

const ufbx_texture* texture_of(const ufbx_material_map& map) {
    return map.texture != nullptr && map.texture_enabled && !map.feature_disabled ? map.texture : nullptr;
}

struct Maps {
    const ufbx_texture* slot[model::kTextureSlots] = {};
};

// What MTL says otherwise than FBX: nothing shines that does not say so, and "d" is the opacity, "Tr" what is missing of it.
void read_mtl(const ufbx_material& source, Material& out) {
    if (!source.fbx.specular_color.has_value) {
        out.specular = {0, 0, 0};
    }
    if (!source.fbx.specular_exponent.has_value) {
        out.shininess = 0;
    }
    const auto is_number = [](const ufbx_prop* prop) { return prop != nullptr && (prop->flags & UFBX_PROP_FLAG_VALUE_REAL) != 0; };
    const ufbx_prop* d = ufbx_find_prop(&source.props, "d");
    const ufbx_prop* tr = ufbx_find_prop(&source.props, "Tr");
    out.opacity = is_number(d) ? d->value_real : is_number(tr) ? 1 - tr->value_real : 1;
}

void read_phong(const ufbx_material& source, Material& out, Maps& maps) {
    const ufbx_material_fbx_maps& fbx = source.fbx;
    out.diffuse = color(fbx.diffuse_color, {1, 1, 1}) * number(fbx.diffuse_factor, 1);
    const bool phong = source.shader_type != UFBX_SHADER_FBX_LAMBERT;
    out.specular = phong ? color(fbx.specular_color, {0.04, 0.04, 0.04}) * number(fbx.specular_factor, 1) : Vec3{0, 0, 0};
    out.emissive = color(fbx.emission_color, {0, 0, 0}) * number(fbx.emission_factor, 1);
    out.shininess = phong ? number(fbx.specular_exponent, 32) : 0;
    if (source.shader_type == UFBX_SHADER_WAVEFRONT_MTL) {
        read_mtl(source, out);
        maps.slot[0] = texture_of(fbx.diffuse_color);
        maps.slot[1] = texture_of(fbx.normal_map) != nullptr ? texture_of(fbx.normal_map) : texture_of(fbx.bump);
        maps.slot[2] = texture_of(fbx.specular_color);
        maps.slot[3] = texture_of(fbx.emission_color);
        return;
    }
    // Exporters that know the opacity say it; the transparency colour means different things to different ones.
    const ufbx_prop* opacity = ufbx_find_prop(&source.props, "Opacity");
    if (opacity != nullptr && (opacity->type == UFBX_PROP_NUMBER || opacity->type == UFBX_PROP_INTEGER)) {
        out.opacity = opacity->value_real;
    } else {
        const Vec3 t = color(fbx.transparency_color, {0, 0, 0});
        out.opacity = 1 - number(fbx.transparency_factor, 1) * (t.x + t.y + t.z) / 3;
    }
    maps.slot[0] = texture_of(fbx.diffuse_color);
    maps.slot[1] = texture_of(fbx.normal_map);
    if (maps.slot[1] == nullptr) {
        maps.slot[1] = texture_of(fbx.bump);
    }
    maps.slot[2] = texture_of(fbx.specular_color);
    if (maps.slot[2] == nullptr) {
        maps.slot[2] = texture_of(fbx.specular_factor);
    }
    maps.slot[3] = texture_of(fbx.emission_color);
}

double clamped(double v) { return std::fmin(std::fmax(v, 0.0), 1.0); }

void set_metallic(Material& out, Vec3 base, double metal) {
    out.diffuse = base * (1 - metal);
    out.specular = Vec3{0.04, 0.04, 0.04} * (1 - metal) + base * metal;
}

double shininess_of(double roughness) {
    roughness = std::fmin(std::fmax(roughness, 0.05), 1.0);
    const double alpha = roughness * roughness;
    return std::fmax(2 / (alpha * alpha) - 2, 1.0);
}

// What Blender made its Phong values from (docs/formats/fbx.md, "Profiles").
void read_blender(Phong phong, const ufbx_material& source, Material& out) {
    const ufbx_material_fbx_maps& fbx = source.fbx;
    if (!fbx.specular_exponent.has_value || source.shader_type == UFBX_SHADER_FBX_LAMBERT) {
        return;
    }
    const double written = fbx.specular_exponent.value_real;
    if (phong == Phong::Hardness) {
        out.specular = out.specular * 2;
        out.shininess = 5.1 * written + 1;
    } else {
        set_metallic(out, out.diffuse, clamped(number(fbx.reflection_factor, 0)));
        out.shininess = shininess_of(1 - std::sqrt(std::fmax(written, 0.0)) / 10);
    }
}

// docs/formats/fbx.md, "PBR materials": metals reflect in their own colour, everything else 4 %; the exponent is that of the
// Blinn-Phong lobe as wide as a GGX lobe of the same roughness.
void read_pbr(const ufbx_material& source, Material& out, Maps& maps) {
    const ufbx_material_pbr_maps& pbr = source.pbr;
    const Vec3 base = color(pbr.base_color, {1, 1, 1}) * number(pbr.base_factor, 1);
    if (source.shader_type == UFBX_SHADER_3DS_MAX_PBR_SPEC_GLOSS) {
        out.diffuse = base;
        out.specular = color(pbr.specular_color, {0.04, 0.04, 0.04});
    } else {
        set_metallic(out, base, clamped(number(pbr.metalness, 0)));
    }
    const double roughness = pbr.roughness.has_value ? pbr.roughness.value_real
                       : pbr.glossiness.has_value ? 1 - pbr.glossiness.value_real : 0.5;
    out.shininess = shininess_of(roughness);
    out.emissive = color(pbr.emission_color, {0, 0, 0}) * number(pbr.emission_factor, 1);
    const Vec3 opacity = color(pbr.opacity, {1, 1, 1});
    out.opacity = (opacity.x + opacity.y + opacity.z) / 3;
    maps.slot[0] = texture_of(pbr.base_color);
    maps.slot[1] = texture_of(pbr.normal_map);
    maps.slot[2] = texture_of(pbr.specular_color);
    maps.slot[3] = texture_of(pbr.emission_color);
}

void clamp_ranges(Import& in, Material& m) {
    const auto fix = [&](double& value, double low, double high, double fallback, const char* what) {
        const double given = value;
        value = std::isfinite(value) ? std::fmin(std::fmax(value, low), high) : fallback;
        if (!(given == value)) {
            in.report.add(core::IssueId::FBX_MATERIAL_RANGE, {}, {{"material", m.name}, {"what", what}, {"value", core::number_text(given)}});
        }
    };
    constexpr double kMax = 3.0e38;  // what still casts to a finite float32
    for (Vec3* v : {&m.diffuse, &m.specular, &m.emissive}) {
        for (double* c : {&v->x, &v->y, &v->z}) {
            fix(*c, -kMax, kMax, 0, "colour");
        }
    }
    fix(m.shininess, 0, kMax, 0, "shininess");
    fix(m.opacity, 0, 1, 1, "opacity");
}

class Textures {
public:
    explicit Textures(Import& in) : in_(in), index_of_file_(in.scene.texture_files.count, model::kNoIndex) {}

    std::uint32_t index_of(const ufbx_texture* texture) {
        if (texture == nullptr) {
            return model::kNoIndex;
        }
        if (texture->file_textures.count > 1) {
            in_.report.add_loss("texture layers", texture->file_textures.count - 1);
        }
        if (texture->file_textures.count == 0) {
            in_.report.add_loss("procedural textures", 1);
            return model::kNoIndex;
        }
        const ufbx_texture& file = *texture->file_textures.data[0];
        if (!file.has_file) {
            return model::kNoIndex;
        }
        std::uint32_t& index = index_of_file_[file.file_index];
        if (index == model::kNoIndex) {
            index = add(in_.scene.texture_files.data[file.file_index]);
        }
        return index;
    }

private:
    std::uint32_t add(const ufbx_texture_file& file) {
        model::Texture out;
        out.source_relative = in_.name(file.relative_filename);
        out.source_absolute = in_.name(file.absolute_filename);
        out.path = texture_path(out.source_relative, out.source_absolute);
        if (out.path.empty()) {
            return model::kNoIndex;
        }
        const auto* bytes = static_cast<const std::byte*>(file.content.data);
        out.content.assign(bytes, bytes + file.content.size);
        in_.model.textures.push_back(std::move(out));
        return static_cast<std::uint32_t>(in_.model.textures.size() - 1);
    }

    Import& in_;
    std::vector<std::uint32_t> index_of_file_;
};

}  // namespace

void import_materials(Import& in) {
    in.material_of.resize(in.scene.materials.count);
    const Phong phong = phong_of(in.profile, in.scene);
    Textures textures(in);
    for (std::size_t i = 0; i < in.scene.materials.count; ++i) {
        const ufbx_material& source = *in.scene.materials.data[i];
        Material out;
        out.name = in.name(source.name);
        out.origin = {out.name, source.typed_id};
        Maps maps;
        if (is_pbr(source.shader_type)) {
            read_pbr(source, out, maps);
        } else {
            read_phong(source, out, maps);
            if (phong != Phong::AsWritten) {
                read_blender(phong, source, out);
            }
        }
        clamp_ranges(in, out);
        for (std::size_t slot = 0; slot < model::kTextureSlots; ++slot) {
            out.textures[slot] = textures.index_of(maps.slot[slot]);
        }
        std::uint64_t homeless = 0;
        for (const ufbx_material_texture& t : source.textures) {
            homeless += std::find(std::begin(maps.slot), std::end(maps.slot), t.texture) == std::end(maps.slot) ? 1u : 0u;
        }
        in.report.add_loss("textures of other material properties", homeless);
        in.material_of[i] = model::MaterialId{static_cast<std::uint32_t>(in.model.materials.size())};
        in.model.materials.push_back(std::move(out));
    }
}

}  // namespace gomkit::fbx
