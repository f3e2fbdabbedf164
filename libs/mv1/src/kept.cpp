#include "kept.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <gomkit/core/path.hpp>

#include "assemble.hpp"
#include "decode.hpp"

namespace gomkit::mv1 {
namespace {

float scaled(float v, double factor) { return to_float(static_cast<double>(v) * factor); }

std::uint32_t find(const std::vector<std::uint32_t>& numbers, std::uint32_t i) { return i < numbers.size() ? numbers[i] : kNone; }

// Whether what came from `origin` is still one of the file's.
template <class Element>
bool is_of(const Document& d, const std::vector<Element>& elements, const model::Origin& origin) {
    return origin.index < elements.size() && text(d, elements[origin.index].name) == origin.path;
}

}  // namespace

Kept::Kept(Export& ex) : ex_(ex) {
    if (!ex.model.mv1) {
        return;
    }
    Checked<Document> document = decode_buffer(ex.model.mv1->buffer, ex.options.limits);
    Checked<Links> links = document ? link(*document) : Checked<Links>(Links{});
    if (!document || !links) {
        return;
    }
    then_ = std::move(*document);
    links_ = std::move(*links);
    factor_ = kUnitMeters / ex.unit;
    frame_now_.assign(then_->frames.size(), kNone);
    for (std::size_t n = 0; n < ex.model.nodes.size(); ++n) {
        const model::Origin& origin = ex.model.nodes[n].origin;
        if (is_of(*then_, then_->frames, origin)) {
            frame_now_[origin.index] = ex.frame_of[n];
        }
    }
    texture_now_.assign(then_->textures.size(), kNone);
    texture_then_.assign(ex.model.textures.size(), kNone);
    std::multimap<std::string, std::uint32_t> by_path;
    for (std::uint32_t t = 0; t < then_->textures.size(); ++t) {
        const std::uint32_t path = then_->textures[t].color_path;
        by_path.emplace(path != 0 ? text(*then_, path) : std::string(), t);
    }
    for (std::uint32_t i = 0; i < ex.model.textures.size(); ++i) {
        auto [at, end] = by_path.equal_range(ex.model.textures[i].source_relative);
        const auto same = std::find_if(at, end, [&](const auto& entry) { return entry.second == i; });
        at = same != end ? same : at;
        if (at != end) {
            texture_then_[i] = at->second;
            texture_now_[at->second] = i;
            by_path.erase(at);
        }
    }
}

std::array<float, 3> Kept::place_now(const std::array<float, 3>& v) const {
    return ex_.own.faces_back ? size_now(v) : size_now({0 - v[0], v[1], 0 - v[2]});
}

std::array<float, 3> Kept::size_now(const std::array<float, 3>& v) const {
    return {scaled(v[0], factor_), scaled(v[1], factor_), scaled(v[2], factor_)};
}

// Half a turn about Y turns angles about the other axes round, in whatever order they are applied.
std::array<float, 3> Kept::angles_now(const std::array<float, 3>& v) const {
    return ex_.own.faces_back ? v : std::array<float, 3>{0 - v[0], v[1], 0 - v[2]};
}

std::vector<model::HeldContent> Kept::held() const { return then_ ? held_by(*then_) : std::vector<model::HeldContent>(); }

void Kept::give_header() {
    if (then_) {
        ex_.doc.header.user_data = then_->header.user_data;
        ex_.doc.header.material_number_order_draw = then_->header.material_number_order_draw;
    }
}

void Kept::give_frames() {
    for (std::size_t f = 0; f < frame_now_.size(); ++f) {
        if (frame_now_[f] != kNone) {
            Frame& out = ex_.doc.frames[frame_now_[f]];
            out.smoothing_angle = then_->frames[f].smoothing_angle;
            out.user_data = then_->frames[f].user_data;
        }
    }
}

std::uint32_t Kept::material_then(std::uint32_t material) const {
    if (!then_ || material >= ex_.model.materials.size()) {
        return kNone;
    }
    const model::Origin& origin = ex_.model.materials[material].origin;
    return is_of(*then_, then_->materials, origin) ? origin.index : kNone;
}

void Kept::give_material(std::uint32_t material, const std::function<std::int32_t(std::uint32_t)>& texture_of) {
    const std::uint32_t number = material_then(material);
    if (number == kNone) {
        return;
    }
    const Material& was = then_->materials[number];
    Material& out = ex_.doc.materials[material];
    out.ambient = was.ambient;
    out.specular[3] = was.specular[3];
    out.emissive[3] = was.emissive[3];
    out.use_alpha_test = was.use_alpha_test;
    out.alpha_func = was.alpha_func;
    out.alpha_ref = was.alpha_ref;
    out.blend_mode = was.blend_mode;
    out.blend_param = was.blend_param;
    out.user_data = was.user_data;
    const auto texture_now = [&](std::int32_t texture) {
        const std::uint32_t now = texture < 0 ? kNone : find(texture_now_, static_cast<std::uint32_t>(texture));
        return now == kNone ? std::int32_t{-1} : texture_of(now);
    };
    const auto layers = [&](std::int32_t count_then, const std::array<Layer, 8>& layers_then, std::int32_t& count, std::array<Layer, 8>& layers_now) {
        // Further ones lie on the first; where the model has taken that away, nothing is left to lie on.
        for (std::int32_t k = 0; k < std::min(count_then, 8) && count != 0; ++k) {
            const Layer& layer = layers_then[static_cast<std::size_t>(k)];
            const std::int32_t texture = k == 0 ? layers_now[0].texture : texture_now(layer.texture);
            if (texture >= 0) {
                Layer& to = layers_now[static_cast<std::size_t>(k == 0 ? 0 : count++)];
                to = layer;
                to.texture = texture;
            }
        }
    };
    layers(was.diffuse_layer_num, was.diffuse_layer, out.diffuse_layer_num, out.diffuse_layer);
    layers(was.specular_layer_num, was.specular_layer, out.specular_layer_num, out.specular_layer);
    layers(was.normal_layer_num, was.normal_layer, out.normal_layer_num, out.normal_layer);
    if (links_.material_toon[number] == kNone) {
        return;
    }
    Toon& toon = ex_.doc.toons[material];
    toon = then_->toons[links_.material_toon[number]];
    toon.diffuse_grad_texture = texture_now(toon.diffuse_grad_texture);
    toon.specular_grad_texture = texture_now(toon.specular_grad_texture);
    toon.outline_width = scaled(toon.outline_width, factor_);
    if (toon.enable_sphere_map != 0) {
        const std::int32_t sphere = texture_now(toon.sphere_map_texture);
        toon.enable_sphere_map = sphere >= 0 && sphere <= 0x7FFF ? 1 : 0;
        toon.sphere_map_texture = static_cast<std::int16_t>(toon.enable_sphere_map != 0 ? sphere : 0);
    }
}

bool Kept::has_texture(std::uint32_t texture) const { return find(texture_then_, texture) != kNone; }

void Kept::give_texture(std::uint32_t texture, Texture& out) {
    const std::uint32_t number = find(texture_then_, texture);
    if (number == kNone) {
        return;
    }
    const Texture& was = then_->textures[number];
    out.bump_flag = was.bump_flag;
    out.bump_length = was.bump_length;
    out.address_u = was.address_u;
    out.address_v = was.address_v;
    out.filter = was.filter;
    out.user_data = was.user_data;
    out.flag = was.flag;
    out.scale_u = was.scale_u;
    out.scale_v = was.scale_v;
    // A picture that went elsewhere did so without its alpha.
    const model::Texture& now = ex_.model.textures[texture];
    if (was.alpha_path != 0 && now.path == core::stored_path(now.source_relative)) {
        out.alpha_path = add_string(ex_.doc, core::stored_path(text(*then_, was.alpha_path)));
    }
}

void Kept::give_meshes() {
    for (std::size_t f = 0; f < frame_now_.size(); ++f) {
        if (frame_now_[f] == kNone) {
            continue;
        }
        // Of one material there is one mesh, or several that say the same.
        std::map<std::uint32_t, std::array<std::uint32_t, 4>> data;
        std::map<std::uint32_t, bool> differ;
        const Run& then = links_.frame_meshes[f];
        for (std::uint32_t m = then.first; m < then.first + then.count; ++m) {
            const auto [it, added] = data.try_emplace(links_.mesh_material[m], then_->meshes[m].user_data);
            differ[links_.mesh_material[m]] |= !added && it->second != then_->meshes[m].user_data;
        }
        const Run& now = ex_.links.frame_meshes[frame_now_[f]];
        for (std::uint32_t m = now.first; m < now.first + now.count; ++m) {
            const auto it = data.find(material_then(ex_.links.mesh_material[m]));
            if (it != data.end() && !differ[it->first]) {
                ex_.doc.meshes[m].user_data = it->second;
            }
        }
    }
}

void Kept::give_lights() {
    for (std::size_t f = 0; f < frame_now_.size(); ++f) {
        const std::uint32_t number = links_.frame_light[f];
        if (number == kNone || frame_now_[f] == kNone) {
            continue;
        }
        Light light = then_->lights[number];
        light.name = add_string(ex_.doc, text(*then_, light.name));
        light.frame_index = static_cast<std::int32_t>(frame_now_[f]);
        light.range = scaled(light.range, factor_);
        light.attenuation1 = scaled(light.attenuation1, 1 / factor_);
        light.attenuation2 = scaled(light.attenuation2, 1 / (factor_ * factor_));
        ex_.links.frame_light[frame_now_[f]] = static_cast<std::uint32_t>(ex_.doc.lights.size());
        ex_.doc.lights.push_back(light);
    }
}

void Kept::give_physics() {
    if (!then_ || !then_->physics) {
        return;
    }
    ex_.doc.physics = then_->physics;
    ex_.doc.physics->gravity = scaled(ex_.doc.physics->gravity, factor_);   // a length, a second and a second
    std::vector<std::uint32_t> rigid_now(then_->rigids.size(), kNone);
    for (std::size_t r = 0; r < then_->rigids.size(); ++r) {
        const std::uint32_t frame = links_.rigid_frame[r];
        if (frame != kNone && frame_now_[frame] == kNone) {
            continue;
        }
        Rigid rigid = then_->rigids[r];
        rigid.name = add_string(ex_.doc, text(*then_, rigid.name));
        rigid.shape_w = scaled(rigid.shape_w, factor_);
        rigid.shape_h = scaled(rigid.shape_h, factor_);
        rigid.shape_d = scaled(rigid.shape_d, factor_);
        rigid.position = place_now(rigid.position);
        rigid.rotation = angles_now(rigid.rotation);
        rigid_now[r] = static_cast<std::uint32_t>(ex_.doc.rigids.size());
        ex_.doc.rigids.push_back(rigid);
        ex_.links.rigid_frame.push_back(frame == kNone ? kNone : frame_now_[frame]);
    }
    // Limits are a lowest and a highest value for each axis; turned round, they change places.
    const auto limits = [&](std::array<float, 3>& low, std::array<float, 3>& high, auto now) {
        const std::array<float, 3> a = (this->*now)(low);
        const std::array<float, 3> b = (this->*now)(high);
        for (std::size_t k = 0; k < 3; ++k) {
            const bool round = !ex_.own.faces_back && k != 1;
            low[k] = round ? b[k] : a[k];
            high[k] = round ? a[k] : b[k];
        }
    };
    for (std::size_t j = 0; j < then_->joints.size(); ++j) {
        const std::uint32_t a = links_.joint_a[j];
        const std::uint32_t b = links_.joint_b[j];
        if ((a != kNone && rigid_now[a] == kNone) || (b != kNone && rigid_now[b] == kNone)) {
            continue;
        }
        Joint joint = then_->joints[j];
        joint.name = add_string(ex_.doc, text(*then_, joint.name));
        joint.position = place_now(joint.position);
        joint.rotation = angles_now(joint.rotation);
        limits(joint.position_low, joint.position_high, &Kept::place_now);
        limits(joint.rotation_low, joint.rotation_high, &Kept::angles_now);
        ex_.doc.joints.push_back(joint);
        ex_.links.joint_a.push_back(a == kNone ? kNone : rigid_now[a]);
        ex_.links.joint_b.push_back(b == kNone ? kNone : rigid_now[b]);
    }
}

void Kept::give_clip(const model::Clip& clip, AnimSet& out) {
    if (then_ && is_of(*then_, then_->anim_sets, clip.origin)) {
        out.user_data = then_->anim_sets[clip.origin.index].user_data;
    }
}

}  // namespace gomkit::mv1
