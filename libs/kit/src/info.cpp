#include <gomkit/kit/info.hpp>

#include <algorithm>

#include "guarded.hpp"
#include "info_scene.hpp"
#include "load.hpp"
#include "model_math.hpp"
#include "texture_search.hpp"
#include "textures.hpp"

namespace gomkit::kit {
namespace {

void add_bounds(InfoResponse& out, const model::Mesh& mesh, const model::Mat4& placement) {
    for (const std::uint32_t point : mesh.corner_point) {
        const model::Vec3 p = runtime::transform_point(mesh.points[point], placement);
        if (!out.bounds_min) {
            out.bounds_min = p;
            out.bounds_max = p;
        }
        model::Vec3& low = *out.bounds_min;
        model::Vec3& high = *out.bounds_max;
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
}

// Bones that some point is bound to.
std::uint32_t used_bones(const model::Mesh& mesh) {
    if (!mesh.skin) {
        return 0;
    }
    std::vector<bool> used(mesh.skin->clusters.size(), false);
    for (const model::Influence& influence : mesh.skin->influences) {
        if (influence.cluster < used.size() && influence.weight > 0) {
            used[influence.cluster] = true;
        }
    }
    return static_cast<std::uint32_t>(std::count(used.begin(), used.end(), true));
}

MorphInfo morph_info(const model::MorphChannel& channel) {
    MorphInfo out;
    out.name = channel.name;
    out.default_weight = channel.default_weight;
    for (const model::MorphShape& shape : channel.shapes) {
        out.shapes.push_back({shape.name, shape.weight, shape.points.size()});
    }
    return out;
}

void add_meshes(InfoResponse& out, const model::Model& model) {
    const auto binds = bind_matrices(model);
    for (const model::MeshInstance& instance : model.instances) {
        const model::Mesh& mesh = model.meshes[instance.mesh.value];
        MeshInfo info;
        info.name = instance.name;
        info.vertices = mesh.points.size();
        info.triangles = triangle_count(mesh);
        info.bones = used_bones(mesh);
        for (const model::MaterialId id : instance.materials) {
            info.materials.push_back(id.valid() ? model.materials[id.value].name : std::string());
        }
        for (const auto& layer : mesh.uvs) {
            info.uv_sets.push_back(layer.name);
        }
        for (const auto& layer : mesh.colors) {
            info.color_sets.push_back(layer.name);
        }
        for (const model::MorphChannel& channel : mesh.morphs) {
            info.morphs.push_back(morph_info(channel));
        }
        out.meshes.push_back(std::move(info));
        add_bounds(out, mesh, placement(model, instance, binds));
    }
}

void add_textures(InfoResponse& out, model::Model& model, const InfoRequest& request) {
    set_stored_paths(model);
    const std::vector<bool> used = used_textures(model);
    std::vector<std::uint32_t> place(model.textures.size(), model::kNoIndex);
    for (std::size_t i = 0; i < model.textures.size(); ++i) {
        const model::Texture& texture = model.textures[i];
        if (!used[i]) {
            continue;
        }
        TextureInfo info;
        info.path = texture.path;
        info.file = find_texture(texture, request.input.path, request.texture_folders).file;
        info.embedded = !texture.content.empty();
        const auto same = std::find_if(out.textures.begin(), out.textures.end(), [&](const TextureInfo& t) {
            return t.path == info.path && t.file == info.file && t.embedded == info.embedded;
        });
        place[i] = static_cast<std::uint32_t>(same - out.textures.begin());
        if (same == out.textures.end()) {
            out.textures.push_back(std::move(info));
        }
    }
    out.materials = model.materials;
    for (model::Material& material : out.materials) {
        for (std::uint32_t& t : material.textures) {
            t = t < place.size() ? place[t] : model::kNoIndex;
        }
    }
}

void add_clips(InfoResponse& out, const model::Model& model) {
    for (const model::Clip& clip : model.clips) {
        ClipInfo info;
        info.name = clip.name;
        info.duration = clip.duration;
        info.source_start = clip.source_start;
        info.tracks = clip.tracks.size();
        for (const model::Track& track : clip.tracks) {
            info.keys += track.translation.size() + track.rotation.size() + track.scale.size();
        }
        for (const model::MorphTrack& track : clip.morph_tracks) {
            const model::Mesh& mesh = model.meshes[track.mesh.value];
            info.morph_tracks.push_back({mesh_name(model, track.mesh), mesh.morphs[track.channel].name, track.keys.size()});
        }
        out.clips.push_back(std::move(info));
    }
}

}  // namespace

namespace {

// What else a conversion would lose: only the writer knows, so it is asked.
void add_losses_of_writing(const codec::Registry& registry, const codec::Codec& source, model::Model&& model, const core::Limits& limits,
                           core::Report& report) {
    const codec::Codec* gom = registry.by_id("gom");
    if (gom == nullptr || gom->write == nullptr || &source == gom || model.mta) {
        return;
    }
    codec::WriteOptions options;
    options.limits = limits;
    core::Report found;
    static_cast<void>(gom->write(std::move(model), options, found));  // that it cannot be written is no matter here
    for (const core::Loss& loss : found.losses()) {
        report.add_loss(loss.kind, loss.count);
    }
}

}  // namespace

core::Result<InfoResponse> info(const codec::Registry& registry, const InfoRequest& request, core::Report& report) {
    return guarded(request.input.path, [&]() -> core::Result<InfoResponse> {
        report.set_file(request.input.path);
        const auto loaded = load(registry, request.input, request.read.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        codec::ReadOptions options = request.read;
        if (!options.side_file) {
            options.side_file = side_files(request.input.path, request.texture_folders, request.read.limits);
        }
        auto model = read_model(*loaded, request.input.path, options, report);
        if (!model) {
            return core::Fault(model.error());
        }
        const auto skeleton = skeleton_of(*model, request.input.path, request.read.limits);
        if (!skeleton) {
            return core::Fault(skeleton.error());
        }
        InfoResponse out;
        out.format = loaded->codec->id;
        out.source = model->source;
        const std::size_t space = out.source.format.find(' ');  // "FBX 7400 binary"
        out.version = space == std::string::npos ? std::string() : out.source.format.substr(space + 1);
        add_meshes(out, *model);
        add_textures(out, *model, request);
        for (const model::SkeletonBone& bone : skeleton->bones) {
            out.bones.push_back({bone.path, bone.parent});
        }
        if (auto done = add_scene(out, *model, request.read.limits); !done) {
            return core::Fault(std::move(done.error()));
        }
        out.signature = signature_text(*model, *skeleton);
        out.motion = model->mta.has_value();
        add_clips(out, *model);
        if (model->gom) {
            out.converter_version = model->gom->converter_version.value_or("");
        } else if (model->mta) {
            out.converter_version = model->mta->converter_version.value_or("");
        }
        add_losses_of_writing(registry, *loaded->codec, std::move(*model), request.read.limits, report);
        return out;
    });
}

}  // namespace gomkit::kit
