#include <gomkit/codec/codec.hpp>

#include <algorithm>

namespace gomkit::codec {

void report_held(const model::Model& model, core::Report& report) {
    const auto tell = [&report](const std::vector<model::HeldContent>& list) {
        for (const model::HeldContent& held : list) {
            report.add_loss(held.kind, held.count);
        }
    };
    if (model.mv1) {
        tell(model.mv1->held);
    }
    if (model.ps1) {
        tell(model.ps1->held);
    }
    report.add_loss("lights", model.lights.size());
    report_cameras_and_properties(model, report);
}

void report_cameras_and_properties(const model::Model& model, core::Report& report) {
    std::uint64_t properties = 0;
    for (const model::Node& node : model.nodes) {
        properties += node.properties.size();
    }
    report.add_loss("cameras", model.cameras.size());
    report.add_loss("user properties", properties);
}

void report_bare_meshes(const model::Model& model, core::Report& report) {
    std::uint64_t maps = 0;
    for (const model::Material& m : model.materials) {
        maps += static_cast<std::uint64_t>(std::count_if(m.textures.begin() + 1, m.textures.end(), [](std::uint32_t t) { return t != model::kNoIndex; }));
    }
    std::uint64_t uvs = 0;
    std::uint64_t colors = 0;
    std::uint64_t tangents = 0;
    std::uint64_t channels = 0;
    for (const model::MeshInstance& instance : model.instances) {
        const model::Mesh& mesh = model.meshes[instance.mesh.value];
        uvs += mesh.uvs.size() > 1 ? mesh.uvs.size() - 1 : 0;
        colors += mesh.colors.size();
        tangents += mesh.tangents.exists() ? 1u : 0u;
        channels += mesh.morphs.size();
    }
    report.add_loss("normal, specular and emissive maps", maps);
    report.add_loss("texture coordinate sets beyond the first", uvs);
    report.add_loss("vertex colour sets", colors);
    report.add_loss("tangent sets", tangents);
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
    for (const auto& [name, value] : options.format) {
        out.push_back(name);
    }
    return out;
}

Step triangulate_step() { return {"triangulate", "polygons become triangles"}; }

Step normals_step(pass::NormalMode mode) { return {"normals", mode == pass::NormalMode::Generate ? "generate all, area-weighted, hard edges kept" : "keep the source's, generate missing ones"}; }

bool Codec::honours(std::string_view option) const {
    return std::find(options.begin(), options.end(), option) != options.end() ||
           std::any_of(format_options.begin(), format_options.end(), [&](const FormatOption& o) { return option == o.name; });
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
