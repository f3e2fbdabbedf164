#include <gomkit/model/skeleton.hpp>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include <gomkit/core/text.hpp>

namespace gomkit::model {
namespace {

// Scales that differ by less than this (relative) count as uniform: DCC tools leave float32 noise in them.
constexpr double kUniformTolerance = 1e-6;

bool can_fold(const Transform& t) {
    const double low = std::min({t.scale.x, t.scale.y, t.scale.z});
    const double high = std::max({t.scale.x, t.scale.y, t.scale.z});
    return low > 0 && high - low <= kUniformTolerance * high;
}

// Which nodes are bones, per node.
std::vector<bool> find_bones(const Model& model) {
    const std::size_t count = model.nodes.size();
    std::vector<bool> animated(count);
    for (const Clip& clip : model.clips) {
        for (const Track& track : clip.tracks) {
            animated[track.node.value] = true;
        }
    }
    std::vector<bool> bone(count);
    for (std::size_t i = 0; i < count; ++i) {
        bone[i] = model.nodes[i].bone;
    }
    for (const MeshInstance& instance : model.instances) {
        if (!instance.node.valid() || model.meshes[instance.mesh.value].skin) {
            continue;
        }
        for (NodeId n = instance.node; n.valid(); n = model.nodes[n.value].parent) {
            if (animated[n.value] || bone[n.value]) {
                bone[n.value] = true;
                break;
            }
        }
    }
    // Above a bone, up to the highest ancestor that cannot be folded away, everything is a bone too; so is everything between
    // two bones. "up" carries, per node, whether some ancestor must stay.
    std::vector<bool> stays_above(count);
    for (std::size_t i = 0; i < count; ++i) {
        const NodeId parent = model.nodes[i].parent;
        if (parent.valid()) {
            stays_above[i] = stays_above[parent.value] || bone[parent.value] || animated[parent.value] ||
                             !can_fold(model.nodes[parent.value].rest);
        }
    }
    for (std::size_t i = count; i-- > 0;) {
        const NodeId parent = model.nodes[i].parent;
        if (bone[i] && stays_above[i]) {
            bone[parent.value] = true;
        }
    }
    return bone;
}

}  // namespace

std::string escape_component(std::string_view name) {
    std::string out;
    out.reserve(name.size());
    for (const char c : name) {
        if (c == '%') {
            out += "%25";
        } else if (c == '/') {
            out += "%2F";
        } else {
            out += c;
        }
    }
    return out;
}

std::vector<std::string> number_duplicates(std::span<const std::string> names) {
    std::unordered_set<std::string> reserved(names.begin(), names.end());
    std::unordered_set<std::string> used;
    std::unordered_map<std::string, std::uint32_t> next;  // where to go on looking, so that 10,000 equal names stay linear
    std::vector<std::string> out;
    out.reserve(names.size());
    for (const std::string& name : names) {
        if (used.insert(name).second) {
            out.push_back(name);
            continue;
        }
        std::uint32_t& n = next.try_emplace(name, 2u).first->second;
        std::string candidate;
        do {
            candidate = name + "~" + std::to_string(n++);
        } while (reserved.contains(candidate) || used.contains(candidate));
        used.insert(candidate);
        out.push_back(std::move(candidate));
    }
    return out;
}

core::Result<std::vector<std::string>> node_paths(const Model& model, std::span<const NodeId> nodes, const core::Limits& limits) {
    std::vector<std::uint64_t> length(model.nodes.size());
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const NodeId parent = model.nodes[i].parent;
        length[i] = escape_component(model.nodes[i].name).size() + (parent.valid() ? length[parent.value] + 1 : 0);
    }
    std::uint64_t total = 0;
    for (const NodeId node : nodes) {
        total += node.valid() ? length[node.value] : 0;
    }
    if (total > limits.max_string_bytes) {
        return core::fail(core::Code::LimitExceeded, {}, "node paths are too long", std::to_string(total) + " bytes",
                          "at most " + std::to_string(limits.max_string_bytes), "shorten the nodes' names or nest them less");
    }
    std::vector<std::string> out;
    out.reserve(nodes.size());
    for (const NodeId node : nodes) {
        std::vector<const std::string*> names;
        for (NodeId n = node; n.valid(); n = model.nodes[n.value].parent) {
            names.push_back(&model.nodes[n.value].name);
        }
        std::string path;
        for (std::size_t i = names.size(); i-- > 0;) {
            path += escape_component(*names[i]);
            path += i != 0 ? "/" : "";
        }
        out.push_back(std::move(path));
    }
    return out;
}

Transform apply_fold(const Transform& local, const Transform& fold) {
    const double s = fold.scale.x;
    Transform out;
    out.scale = local.scale * s;
    out.rotation = runtime::multiply(fold.rotation, local.rotation);
    out.translation = runtime::rotate(fold.rotation, local.translation * s) + fold.translation;
    return out;
}

core::Result<Skeleton> build_skeleton(const Model& model, const core::Limits& limits) {
    const std::vector<bool> is_bone = find_bones(model);
    const std::size_t node_count = model.nodes.size();
    const auto bone_count = static_cast<std::size_t>(std::count(is_bone.begin(), is_bone.end(), true));
    if (bone_count > limits.max_bones) {
        return core::fail(core::Code::LimitExceeded, {}, "too many bones", std::to_string(bone_count),
                          "at most " + std::to_string(limits.max_bones), "remove bones that nothing uses, or raise --limits");
    }

    // Bones in node order (parents first), with their parent in that order.
    std::vector<std::uint32_t> order_of_node(node_count, kNoIndex);
    std::vector<std::uint32_t> node_of;
    std::vector<std::int32_t> parent_of;
    std::vector<Mat4> node_bind(node_count);
    std::vector<Transform> fold_above(node_count);  // of a node without a bone above it: what its children fold
    std::vector<std::vector<std::uint32_t>> children(1);  // [0]: roots, [1 + i]: of bone i
    for (std::size_t i = 0; i < node_count; ++i) {
        const Node& node = model.nodes[i];
        const bool has_parent = node.parent.valid();
        node_bind[i] = has_parent ? node.bind_local * node_bind[node.parent.value] : node.bind_local;
        if (!is_bone[i]) {
            if (can_fold(node.rest)) {
                Transform own = node.rest;
                const double s = (own.scale.x + own.scale.y + own.scale.z) / 3;
                own.scale = {s, s, s};
                fold_above[i] = has_parent ? apply_fold(own, fold_above[node.parent.value]) : own;
            }
            continue;
        }
        const std::int32_t parent = has_parent && is_bone[node.parent.value]
                                        ? static_cast<std::int32_t>(order_of_node[node.parent.value])
                                        : -1;
        order_of_node[i] = static_cast<std::uint32_t>(node_of.size());
        children[static_cast<std::size_t>(parent + 1)].push_back(order_of_node[i]);
        children.emplace_back();
        node_of.push_back(static_cast<std::uint32_t>(i));
        parent_of.push_back(parent);
    }

    // Paths, family by family; a parent's stands before its children's.
    std::vector<std::string> names(bone_count);
    std::vector<std::string> paths(bone_count);
    std::uint64_t path_bytes = 0;
    for (std::size_t family = 0; family <= bone_count; ++family) {
        std::vector<std::string> components;
        for (const std::uint32_t b : children[family]) {
            const std::string& name = model.nodes[node_of[b]].name;
            names[b] = name.empty() ? "bone" : name;
            components.push_back(escape_component(names[b]));
        }
        const std::vector<std::string> numbered = number_duplicates(components);
        for (std::size_t k = 0; k < children[family].size(); ++k) {
            const std::uint32_t b = children[family][k];
            path_bytes += numbered[k].size() + 2 + (family == 0 ? 0 : paths[family - 1].size());
            if (path_bytes > limits.max_string_bytes) {
                return core::fail(core::Code::LimitExceeded, {}, "bone paths are too long", "more than " +
                                  std::to_string(limits.max_string_bytes) + " bytes",
                                  "at most " + std::to_string(limits.max_string_bytes), "shorten the bones' names");
            }
            const std::string& stored = model.nodes[node_of[b]].stored_path;
            paths[b] = !stored.empty() ? stored : family == 0 ? numbered[k] : paths[family - 1] + "/" + numbered[k];
        }
    }

    std::vector<std::uint32_t> sorted(bone_count);
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) { return core::byte_less(paths[a], paths[b]); });
    std::vector<std::int32_t> place(bone_count);
    for (std::size_t i = 0; i < bone_count; ++i) {
        place[sorted[i]] = static_cast<std::int32_t>(i);
    }

    Skeleton out;
    out.bones.reserve(bone_count);
    for (const std::uint32_t b : sorted) {
        const Node& node = model.nodes[node_of[b]];
        SkeletonBone bone;
        bone.node = NodeId{node_of[b]};
        bone.name = std::move(names[b]);
        bone.path = std::move(paths[b]);
        bone.bind_model = node_bind[node_of[b]];
        if (parent_of[b] >= 0) {
            bone.parent = place[static_cast<std::size_t>(parent_of[b])];
            bone.bind_local = node.bind_local;
        } else {
            bone.bind_local = bone.bind_model;
            if (node.parent.valid()) {
                bone.fold = fold_above[node.parent.value];
                bone.folded = true;
            }
        }
        out.bones.push_back(std::move(bone));
    }
    out.bone_of_node.assign(node_count, -1);
    out.nearest_bone_of_node.assign(node_count, -1);
    for (std::size_t i = 0; i < node_count; ++i) {
        if (is_bone[i]) {
            out.bone_of_node[i] = place[order_of_node[i]];
            out.nearest_bone_of_node[i] = out.bone_of_node[i];
        } else if (model.nodes[i].parent.valid()) {
            out.nearest_bone_of_node[i] = out.nearest_bone_of_node[model.nodes[i].parent.value];
        }
    }
    return out;
}

std::vector<Mat4> rest_to_model(const Model& model) {
    std::vector<Mat4> out;
    out.reserve(model.nodes.size());
    for (const Node& node : model.nodes) {
        const Mat4 local = runtime::to_matrix(node.rest);
        out.push_back(node.parent.valid() ? local * out[node.parent.value] : local);
    }
    return out;
}

Mat4 geometry_to_bone_at_rest(const Model& model, const Skeleton& skeleton, const MeshInstance& instance) {
    Mat4 out = instance.geometry_to_node;
    for (NodeId n = instance.node; skeleton.bone_of_node[n.value] < 0; n = model.nodes[n.value].parent) {
        out = out * runtime::to_matrix(model.nodes[n.value].rest);
    }
    return out;
}

std::vector<std::uint32_t> depth_first(const Skeleton& skeleton) {
    std::vector<std::uint32_t> by_node(skeleton.bones.size());
    std::iota(by_node.begin(), by_node.end(), 0u);
    std::sort(by_node.begin(), by_node.end(), [&](std::uint32_t a, std::uint32_t b) { return skeleton.bones[a].node < skeleton.bones[b].node; });
    std::vector<std::vector<std::uint32_t>> children(by_node.size() + 1);
    for (const std::uint32_t b : by_node) {
        children[static_cast<std::size_t>(skeleton.bones[b].parent + 1)].push_back(b);
    }
    std::vector<std::uint32_t> out;
    out.reserve(by_node.size());
    std::vector<std::uint32_t> stack(children[0].rbegin(), children[0].rend());
    while (!stack.empty()) {
        const std::uint32_t b = stack.back();
        stack.pop_back();
        out.push_back(b);
        stack.insert(stack.end(), children[b + 1].rbegin(), children[b + 1].rend());
    }
    return out;
}

}  // namespace gomkit::model
