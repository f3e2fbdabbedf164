#include <gomkit/codec/codec.hpp>

#include <algorithm>

namespace gomkit::codec {

void report_held(const model::Model& model, core::Report& report) {
    if (model.mv1) {
        for (const model::Mv1Extras::Held& held : model.mv1->held) {
            report.add_loss(held.kind, held.count);
        }
    }
}

void report_morphs(const model::Model& model, core::Report& report) {
    std::uint64_t channels = 0;
    for (const model::MeshInstance& instance : model.instances) {
        channels += model.meshes[instance.mesh.value].morphs.size();
    }
    report.add_loss("blend shapes", channels);
}

std::vector<std::string_view> set_options(const WriteOptions& options) {
    const WriteOptions defaults;
    std::vector<std::string_view> out;
    const auto add = [&](bool set, std::string_view name) {
        if (set) {
            out.push_back(name);
        }
    };
    add(options.normals != defaults.normals, "--normals");
    add(options.tangents != defaults.tangents, "--tangents");
    add(options.bake_static, "--bake-static");
    add(options.km3.normals != defaults.km3.normals, "--km3-normals");
    add(options.km3.quads, "--km3-quads");
    add(options.km3.weights.has_value(), "--km3-weights");
    add(options.km3.scale.has_value(), "--scale");
    add(options.mv1.fps.has_value(), "--mv1-fps");
    add(options.mv1.facing.has_value(), "--facing");
    add(options.mv1.unit_meters.has_value(), "--out-unit");
    return out;
}

const Codec* Registry::for_bytes(std::span<const std::byte> bytes, std::string_view file_name) const {
    for (const Codec& codec : codecs_) {
        if (codec.probe != nullptr && codec.probe(bytes, file_name)) {
            return &codec;
        }
    }
    return for_extension(core::extension_of(file_name));
}

const Codec* Registry::by_id(std::string_view id) const {
    const auto it = std::find_if(codecs_.begin(), codecs_.end(), [&](const Codec& c) { return id == c.id; });
    return it == codecs_.end() ? nullptr : &*it;
}

const Codec* Registry::for_extension(std::string_view extension) const {
    const auto it = std::find_if(codecs_.begin(), codecs_.end(), [&](const Codec& c) {
        return std::any_of(c.extensions.begin(), c.extensions.end(), [&](const char* e) { return extension == e; });
    });
    return it == codecs_.end() ? nullptr : &*it;
}

}  // namespace gomkit::codec
