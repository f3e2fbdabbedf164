#include "facts.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gomkit/core/path.hpp>

#include "decode.hpp"
#include "fields.hpp"
#include "links.hpp"

namespace gomkit::mv1 {
namespace {

class Facts {
public:
    Facts(const Document& d, const Links& l) : d_(d), l_(l) {}

    std::vector<codec::Fact> run() {
        add("header.UserData", d_.header.user_data);
        add("header.MaterialNumberOrderDraw", d_.header.material_number_order_draw);
        for (const Frame& f : d_.frames) {
            add(place("frame", f.name) + ".SmoothingAngle", f.smoothing_angle);
            add(place("frame", f.name) + ".UserData", f.user_data);
        }
        for (std::size_t i = 0; i < d_.materials.size(); ++i) {
            material(d_.materials[i], l_.material_toon[i]);
        }
        for (std::size_t i = 0; i < d_.textures.size(); ++i) {
            const Texture& t = d_.textures[i];
            const std::string at = "texture[" + path(static_cast<std::int32_t>(i)) + "]";
            all(at, t);
            out_.push_back({at + ".AlphaFilePath", {}, t.alpha_path != 0 ? core::stored_path(text(d_, t.alpha_path)) : std::string()});
        }
        for (std::size_t f = 0; f < d_.frames.size(); ++f) {
            if (l_.frame_light[f] != kNone) {
                const Light& light = d_.lights[l_.frame_light[f]];
                all(place("light", light.name), light);
                out_.push_back({place("light", light.name) + ".Frame", {}, text(d_, d_.frames[f].name)});
            }
        }
        if (d_.physics) {
            add("physics.WorldGravity", d_.physics->gravity);
            add("physics.UserData", d_.physics->user_data);
        }
        for (std::size_t i = 0; i < d_.rigids.size(); ++i) {
            all(place("rigidBody", d_.rigids[i].name), d_.rigids[i]);
            out_.push_back({place("rigidBody", d_.rigids[i].name) + ".TargetFrame", {}, name_of(d_.frames, l_.rigid_frame[i])});
        }
        for (std::size_t i = 0; i < d_.joints.size(); ++i) {
            const std::string at = place("joint", d_.joints[i].name);
            all(at, d_.joints[i]);
            out_.push_back({at + ".RigidBodyA", {}, name_of(d_.rigids, l_.joint_a[i])});
            out_.push_back({at + ".RigidBodyB", {}, name_of(d_.rigids, l_.joint_b[i])});
        }
        for (const AnimSet& set : d_.anim_sets) {
            if (is_clip(set)) {
                add(place("clip", set.name) + ".UserData", set.user_data);
            }
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] std::string place(const char* kind, std::uint32_t name) const { return std::string(kind) + "[" + text(d_, name) + "]"; }

    [[nodiscard]] std::string path(std::int32_t texture) const {
        const bool exists = texture >= 0 && static_cast<std::size_t>(texture) < d_.textures.size();
        const std::uint32_t at = exists ? d_.textures[static_cast<std::size_t>(texture)].color_path : 0;
        return at != 0 ? core::stored_path(text(d_, at)) : std::string();
    }

    template <class T>
    [[nodiscard]] std::string name_of(const std::vector<T>& elements, std::uint32_t i) const {
        return i == kNone ? std::string() : text(d_, elements[i].name);
    }

    template <class T>
    void add(const std::string& at, const T& value) {
        codec::Fact fact{at, {}, {}};
        if constexpr (std::is_arithmetic_v<T>) {
            fact.numbers.push_back(static_cast<double>(value));
        } else {
            for (const auto& v : value) {
                fact.numbers.push_back(static_cast<double>(v));
            }
        }
        out_.push_back(std::move(fact));
    }

    // Every number of a struct that means something by itself.
    template <class S>
    void all(const std::string& at, const S& s) {
        fields(s, [&](std::string_view name, const auto& value, Kind kind = Kind::Plain) {
            const bool refers = name == "Index" || name == "FrameIndex" || name.find("Texture") != std::string_view::npos;
            if (kind == Kind::Plain && !refers && !name.starts_with("Padding") && !name.ends_with("Path")) {
                add(at + "." + std::string(name), value);
            }
        });
    }

    void material(const Material& m, std::uint32_t toon) {
        const std::string at = place("material", m.name);
        add(at + ".Ambient", m.ambient);
        add(at + ".UseAlphaTest", m.use_alpha_test);
        add(at + ".AlphaFunc", m.alpha_func);
        add(at + ".AlphaRef", m.alpha_ref);
        add(at + ".DrawBlendMode", m.blend_mode);
        add(at + ".DrawBlendParam", m.blend_param);
        add(at + ".UserData", m.user_data);
        const auto layers = [&](const std::string& kind, std::int32_t count, const std::array<Layer, 8>& list) {
            for (std::int32_t k = 1; k < std::min(count, 8); ++k) {
                const Layer& layer = list[static_cast<std::size_t>(k)];
                out_.push_back({at + kind, {static_cast<double>(layer.blend_type)}, path(layer.texture)});
            }
        };
        layers(".DiffuseLayer", m.diffuse_layer_num, m.diffuse_layer);
        layers(".SpecularLayer", m.specular_layer_num, m.specular_layer);
        layers(".NormalLayer", m.normal_layer_num, m.normal_layer);
        if (toon != kNone) {
            const Toon& t = d_.toons[toon];
            all(at + ".toon", t);
            out_.push_back({at + ".toon.DiffuseGradTexture", {}, path(t.diffuse_grad_texture)});
            out_.push_back({at + ".toon.SpecularGradTexture", {}, path(t.specular_grad_texture)});
            out_.push_back({at + ".toon.SphereMapTexture", {}, t.enable_sphere_map != 0 ? path(t.sphere_map_texture) : std::string()});
        }
    }

    const Document& d_;
    const Links& l_;
    std::vector<codec::Fact> out_;
};

}  // namespace

std::vector<codec::Fact> facts(const model::Model& model, const core::Limits& limits) {
    if (!model.mv1) {
        return {};
    }
    const Checked<Document> document = decode_buffer(model.mv1->buffer, limits);
    if (!document) {
        return {};
    }
    const Checked<Links> links = link(*document);
    return links ? Facts(*document, *links).run() : std::vector<codec::Fact>{};
}

}  // namespace gomkit::mv1
