#include "model_math.hpp"

#include <algorithm>

#include <gomkit/core/reader.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/runtime/sha256.hpp>

namespace gomkit::kit {

std::vector<model::Mat4> bind_matrices(const model::Model& model) {
    std::vector<model::Mat4> out(model.nodes.size());
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const model::Node& node = model.nodes[i];
        out[i] = node.parent.valid() ? node.bind_local * out[node.parent.value] : node.bind_local;
    }
    return out;
}

model::Mat4 placement(const model::Model& model, const model::MeshInstance& instance, const std::vector<model::Mat4>& binds) {
    const model::Mesh& mesh = model.meshes[instance.mesh.value];
    if (!instance.node.valid()) {
        return instance.geometry_to_node;
    }
    if (mesh.skin && !mesh.skin->clusters.empty()) {
        const model::Cluster& cluster = mesh.skin->clusters.front();
        return cluster.geometry_to_bone * binds[cluster.bone.value];
    }
    return instance.geometry_to_node * binds[instance.node.value];
}

const std::string& mesh_name(const model::Model& model, model::MeshId mesh) {
    const auto placed = std::find_if(model.instances.begin(), model.instances.end(), [&](const model::MeshInstance& i) { return i.mesh == mesh; });
    return placed != model.instances.end() ? placed->name : model.meshes[mesh.value].name;
}

std::uint64_t triangle_count(const model::Mesh& mesh) {
    return mesh.corner_point.size() - 2 * std::min(mesh.polygon_count(), mesh.corner_point.size() / 2);
}

Counts count(const model::Model& model, const model::Skeleton& skeleton) {
    Counts counts;
    counts.meshes = model.instances.size();
    for (const model::MeshInstance& instance : model.instances) {
        const model::Mesh& mesh = model.meshes[instance.mesh.value];
        counts.vertices += mesh.points.size();
        counts.triangles += triangle_count(mesh);
    }
    counts.bones = skeleton.bones.size();
    counts.clips = model.clips.size();
    counts.materials = model.materials.size();
    std::vector<std::string> paths;
    for (const model::Texture& texture : model.textures) {
        paths.push_back(texture.path);
    }
    std::sort(paths.begin(), paths.end());
    counts.textures = static_cast<std::uint64_t>(std::unique(paths.begin(), paths.end()) - paths.begin());
    return counts;
}

std::string signature_text(const model::Skeleton& skeleton) {
    if (skeleton.bones.empty()) {
        return {};
    }
    core::Writer writer;
    writer.u32(static_cast<std::uint32_t>(skeleton.bones.size()));
    for (const model::SkeletonBone& bone : skeleton.bones) {
        writer.text(bone.path);
        writer.zeros(1);
        writer.i32(bone.parent);
    }
    const auto digest = runtime::sha256(std::span<const std::byte>(writer.bytes()));
    return core::hex_text(digest.data(), digest.size());
}

std::string signature_text(const model::Model& model, const model::Skeleton& skeleton) {
    return model.mta ? core::hex_text(model.mta->skeleton_signature.data(), model.mta->skeleton_signature.size()) : signature_text(skeleton);
}

}  // namespace gomkit::kit
