// Scene -> ASCII of version 6100: objects are known by their names, a mesh is part of its node, and takes hold the curves.
#include "gomkit_test/fbx_writer.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace gomkit::testing::fbx {
namespace {

// What this writer does not put into a file of that age.
bool is_expressible(const Scene& s) {
    std::set<std::string> names;
    std::set<std::size_t> meshes;
    for (const Node& node : s.nodes) {
        const bool known = node.attribute != AttributeKind::LodGroup && node.attribute != AttributeKind::Camera && node.attribute != AttributeKind::Light;
        if (!known || node.name.empty() || !names.insert("m" + node.name).second || !node.attribute_children.empty() || node.extra.id ||
            (node.mesh && !meshes.insert(node.mesh.index).second)) {
            return false;
        }
    }
    for (const Material& material : s.materials) {
        if (material.name.empty() || !names.insert("M" + material.name).second) {
            return false;
        }
    }
    for (const AnimationStack& stack : s.stacks) {
        if (stack.layers.size() != 1 || !stack.local_start || !stack.local_stop || stack.name.empty() || !names.insert("s" + stack.name).second) {
            return false;
        }
        std::set<std::pair<ObjectRef, std::string>> animated;
        for (const CurveNode& curves : stack.layers[0].curve_nodes) {
            const bool moves = curves.target.kind == ObjectKind::Node && curves.property.starts_with("Lcl ");
            const bool morphs = curves.target.kind == ObjectKind::BlendChannel && curves.property == "DeformPercent";
            if (!(moves || morphs) || !animated.insert({curves.target, curves.property}).second) {
                return false;
            }
            for (const CurveChannel& channel : curves.channels) {
                if (!channel.curve) {
                    continue;
                }
                if (!channel.curve->extra.children.empty() || std::any_of(channel.curve->keys.begin(), channel.curve->keys.end(), [](const Key& key) {
                        return key.interpolation > Interpolation::Linear;
                    })) {
                    return false;
                }
            }
        }
    }
    for (const Mesh& mesh : s.meshes) {  // a channel is a property of its node, with one shape of its name
        std::set<std::string> shapes;
        for (const BlendShape& blend : mesh.blend_shapes) {
            for (const BlendChannel& channel : blend.channels) {
                const bool plain = channel.targets.size() == 1 && channel.targets[0].full_weight == 100 && channel.targets[0].name == channel.name;
                if (!plain || channel.name.empty() || !shapes.insert(channel.name).second || mesh.blend_shapes.size() > 1) {
                    return false;
                }
            }
        }
    }
    return s.textures.empty() && s.videos.empty() && s.raw_objects.empty() && s.raw_connections.empty() && s.raw_top_level.empty() && s.write_takes;
}

// Properties70 and its P, wherever they stand.
void to_properties60(Element& e) {
    for (Element& child : e.children) {
        if (child.name == "Properties70") {
            child.name = "Properties60";
            for (Element& p : child.children) {
                p.name = "Property";
                p.values.erase(p.values.begin() + 2);
            }
        } else {
            to_properties60(child);
        }
    }
}

Element channel_of(const std::string& name, const CurveChannel& channel) {
    Element e{"Channel", {name}, {}, true};
    e.add("Default", {channel.default_value});
    if (channel.curve) {
        e.add("KeyVer", {std::int32_t{4005}});
        e.add("KeyCount", {static_cast<std::int32_t>(channel.curve->keys.size())});
        std::vector<Value> keys;
        for (const Key& key : channel.curve->keys) {
            keys.emplace_back(key.time);
            keys.emplace_back(static_cast<float>(key.value));
            keys.emplace_back(key.interpolation == Interpolation::Linear ? 'L' : 'C');
            if (key.interpolation != Interpolation::Linear) {
                keys.emplace_back(key.interpolation == Interpolation::ConstantPrevious ? 's' : 'n');
            }
        }
        e.add("Key", std::move(keys));
    }
    return e;
}

NodeRef node_of(const Scene& scene, MeshRef mesh) {
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        if (scene.nodes[n].mesh == mesh) {
            return {n};
        }
    }
    return {};
}

Element take_of(const Scene& scene, const AnimationStack& stack) {
    Element take{"Take", {stack.name}, {}, true};
    take.add("FileName", {stack.name + ".tak"});
    take.add("LocalTime", {*stack.local_start, *stack.local_stop});
    take.add("ReferenceTime", {*stack.local_start, *stack.local_stop});
    std::map<std::size_t, std::vector<const CurveNode*>> of_node;
    for (const CurveNode& curves : stack.layers[0].curve_nodes) {
        const bool morphs = curves.target.kind == ObjectKind::BlendChannel;
        of_node[morphs ? node_of(scene, {curves.target.path[0]}).index : curves.target.path[0]].push_back(&curves);
    }
    for (const auto& [node, all] : of_node) {
        Element& model = take.add({"Model", {ObjectName{scene.nodes[node].name, "Model"}}, {}, true});
        model.add("Version", {1.1});
        for (const CurveNode* curves : all) {
            if (curves->target.kind == ObjectKind::BlendChannel) {
                const auto& [mesh, blend, channel, unused] = curves->target.path;
                model.add(channel_of(scene.meshes[mesh].blend_shapes[blend].channels[channel].name, curves->channels.at(0)));
            }
        }
        Element& transform = model.add({"Channel", {std::string("Transform")}, {}, true});
        for (const CurveNode* curves : all) {
            if (curves->target.kind == ObjectKind::BlendChannel) {
                continue;
            }
            Element& property = transform.add({"Channel", {curves->property.substr(4, 1)}, {}, true});
            for (std::size_t axis = 0; axis < curves->channels.size(); ++axis) {
                property.add(channel_of(std::string(1, "XYZ"[axis]), curves->channels[axis]));
            }
        }
    }
    return take;
}

// Shapes stand in their node, and their weights among its properties.
void add_shapes(const Scene& scene, std::int64_t node_id, Element& object) {
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        if (!scene.nodes[n].mesh || object_id(scene, NodeRef{n}) != node_id) {
            continue;
        }
        for (const BlendShape& blend : scene[scene.nodes[n].mesh].blend_shapes) {
            for (const BlendChannel& channel : blend.channels) {
                const Shape& shape = channel.targets[0];
                find(object, "Properties60")->add("Property", {channel.name, std::string("Number"), std::string("A"), channel.deform_percent});
                Element& e = object.add({"Shape", {shape.name}, {}, true});
                std::vector<double> offsets;
                std::vector<double> normals;
                for (std::size_t i = 0; i < shape.offsets.size(); ++i) {
                    offsets.insert(offsets.end(), shape.offsets[i].begin(), shape.offsets[i].end());
                    if (!shape.normal_offsets.empty()) {
                        normals.insert(normals.end(), shape.normal_offsets[i].begin(), shape.normal_offsets[i].end());
                    }
                }
                e.add("Indexes", {shape.indexes});
                e.add("Vertices", {offsets});
                if (!normals.empty()) {
                    e.add("Normals", {normals});
                }
            }
        }
    }
}

}  // namespace

std::optional<std::vector<std::byte>> write_ascii_6100(const Scene& scene) {
    if (!is_expressible(scene)) {
        return std::nullopt;
    }
    constexpr int kVersion = 6100;
    Element tree = build_tree(scene, kVersion, Encoding::Ascii);
    to_properties60(tree);

    // What a connection's end is called; a mesh is its node, and what is nothing of its own has no name.
    std::map<std::int64_t, ObjectName> names = {{0, {"Scene", "Model"}}};
    std::map<std::int64_t, const Element*> geometry_of;  // by the node's id
    Element* const objects = find(tree, "Objects");
    for (const Element& e : objects->children) {
        const std::int64_t id = std::get<std::int64_t>(e.values[0]);
        if (e.name == "Model" || e.name == "Material" || e.name == "Pose") {
            names[id] = std::get<ObjectName>(e.values[1]);
        } else if (e.name == "Deformer" && std::get<std::string>(e.values[2]) != "BlendShape" && std::get<std::string>(e.values[2]) != "BlendShapeChannel") {
            // Their own names may repeat.
            names[id] = {std::to_string(id), std::get<ObjectName>(e.values[1]).class_name};
        }
    }
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        if (scene.nodes[n].mesh) {
            const std::int64_t mesh = object_id(scene, scene.nodes[n].mesh);
            geometry_of[object_id(scene, NodeRef{n})] = find_object(tree, mesh);
            names[mesh] = {scene.nodes[n].name, "Model"};
        }
    }
    Element kept{"Objects", {}, {}, true};
    for (const Element& e : objects->children) {
        const std::int64_t id = std::get<std::int64_t>(e.values[0]);
        if (e.name == "Geometry" || !names.contains(id)) {
            continue;
        }
        Element& object = kept.add(e);
        object.values = {names.at(id), e.values[2]};
        if (const auto geometry = geometry_of.find(id); geometry != geometry_of.end()) {
            object.children.insert(object.children.end(), geometry->second->children.begin(), geometry->second->children.end());
            add_shapes(scene, id, object);
        }
        for (Element& child : object.children) {
            if (Element* node = child.name == "PoseNode" ? find(child, "Node") : nullptr; node != nullptr) {
                node->values = {names.at(std::get<std::int64_t>(node->values[0]))};
            }
        }
    }
    if (const Element* settings = find(tree, "GlobalSettings"); settings != nullptr) {
        kept.add(*settings);
    }
    Element connections{"Connections", {}, {}, true};
    for (const Element& c : find(tree, "Connections")->children) {
        const auto child = names.find(std::get<std::int64_t>(c.values[1]));
        const auto parent = names.find(std::get<std::int64_t>(c.values[2]));
        if (child != names.end() && parent != names.end() && !(child->second == parent->second)) {
            connections.add("Connect", {c.values[0], child->second, parent->second});
        }
    }
    Element takes{"Takes", {}, {}, true};
    takes.add("Current", {scene.stacks.empty() ? std::string() : scene.stacks.front().name});
    for (const AnimationStack& stack : scene.stacks) {
        takes.add(take_of(scene, stack));
    }
    Element root;
    root.add(*find(tree, "FBXHeaderExtension"));
    root.add("Creator", {scene.creator});
    root.add(std::move(kept));
    root.add(std::move(connections));
    root.add(std::move(takes));
    AsciiOptions options;
    options.inline_arrays = true;
    return serialise_ascii(root, kVersion, options);
}

}  // namespace gomkit::testing::fbx
