// Scene -> node tree.
#include "gomkit_test/fbx_writer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string_view>

namespace gomkit::testing::fbx {
namespace {

// Every object with the id it gets in the file. Ids without Extra::id are kind * 10^9 + the number within the kind.
class Ids {
public:
    explicit Ids(const Scene& scene) {
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            add({ObjectKind::Node, {i}}, scene.nodes[i].extra.id);
            add({ObjectKind::Attribute, {i}}, scene.nodes[i].attribute_id);
        }
        for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
            const Mesh& mesh = scene.meshes[m];
            add({ObjectKind::Mesh, {m}}, mesh.extra.id);
            for (std::size_t s = 0; s < mesh.skins.size(); ++s) {
                add({ObjectKind::Skin, {m, s}}, mesh.skins[s].extra.id);
                for (std::size_t c = 0; c < mesh.skins[s].clusters.size(); ++c) {
                    add({ObjectKind::Cluster, {m, s, c}}, mesh.skins[s].clusters[c].extra.id);
                }
            }
            for (std::size_t b = 0; b < mesh.blend_shapes.size(); ++b) {
                const BlendShape& blend = mesh.blend_shapes[b];
                add({ObjectKind::BlendShape, {m, b}}, blend.extra.id);
                for (std::size_t c = 0; c < blend.channels.size(); ++c) {
                    add({ObjectKind::BlendChannel, {m, b, c}}, blend.channels[c].extra.id);
                    for (std::size_t t = 0; t < blend.channels[c].targets.size(); ++t) {
                        add({ObjectKind::Shape, {m, b, c, t}}, blend.channels[c].targets[t].extra.id);
                    }
                }
            }
        }
        add_all(ObjectKind::Material, scene.materials);
        add_all(ObjectKind::Texture, scene.textures);
        add_all(ObjectKind::Video, scene.videos);
        add_all(ObjectKind::Pose, scene.poses);
        add_all(ObjectKind::Raw, scene.raw_objects);
        for (std::size_t s = 0; s < scene.stacks.size(); ++s) {
            add({ObjectKind::Stack, {s}}, scene.stacks[s].extra.id);
            for (std::size_t l = 0; l < scene.stacks[s].layers.size(); ++l) {
                const AnimationLayer& layer = scene.stacks[s].layers[l];
                add({ObjectKind::Layer, {s, l}}, layer.extra.id);
                for (std::size_t n = 0; n < layer.curve_nodes.size(); ++n) {
                    add({ObjectKind::CurveNode, {s, l, n}}, layer.curve_nodes[n].extra.id);
                    for (std::size_t c = 0; c < layer.curve_nodes[n].channels.size(); ++c) {
                        const CurveChannel& channel = layer.curve_nodes[n].channels[c];
                        if (channel.curve) {
                            add({ObjectKind::Curve, {s, l, n, c}}, channel.curve->extra.id);
                        }
                    }
                }
            }
        }
    }

    std::int64_t operator()(const ObjectRef& ref) const {
        if (ref.kind == ObjectKind::Root) {
            return 0;
        }
        const auto it = ids_.find(ref);
        if (it == ids_.end()) {
            throw std::out_of_range("no such object in the scene");
        }
        return it->second;
    }

private:
    void add(const ObjectRef& ref, const std::optional<std::int64_t>& wanted) {
        const std::int64_t number = counts_[ref.kind]++;
        ids_[ref] = wanted.value_or(static_cast<std::int64_t>(ref.kind) * 1000000000 + number);
    }

    template <class T>
    void add_all(ObjectKind kind, const std::vector<T>& objects) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            add({kind, {i}}, objects[i].extra.id);
        }
    }

    std::map<ObjectRef, std::int64_t> ids_;
    std::map<ObjectKind, std::int64_t> counts_;
};

template <class... Values>
Element leaf(std::string name, Values&&... values) {
    return Element{std::move(name), {Value(std::forward<Values>(values))...}, {}, false};
}
Element block(std::string name, std::vector<Value> values = {}) { return Element{std::move(name), std::move(values), {}, true}; }

Element property_element(const Property& p) {
    Element e = leaf("P", p.name, p.type, p.subtype, p.flags);
    e.values.insert(e.values.end(), p.values.begin(), p.values.end());
    return e;
}

class Properties {
public:
    void add(const Property& p) { element_.add(property_element(p)); }
    void add(const std::vector<Property>& all) {
        for (const Property& p : all) {
            add(p);
        }
    }
    template <class T, class Make>
    void add(std::string name, const std::optional<T>& value, Make make) {
        if (value) {
            add(make(std::move(name), *value));
        }
    }
    void write_to(Element& parent) {
        if (!element_.children.empty()) {
            parent.add(std::move(element_));
        }
    }

private:
    Element element_ = block("Properties70");
};

// The usual forms without their optional flags.
Property an_int(std::string n, std::int32_t v) { return int_property(std::move(n), v); }
Property a_bool(std::string n, bool v) { return bool_property(std::move(n), v); }
Property a_double(std::string n, double v) { return double_property(std::move(n), v); }
Property a_number(std::string n, double v) { return number_property(std::move(n), v); }
Property a_string(std::string n, const std::string& v) { return string_property(std::move(n), v); }
Property a_vector(std::string n, Vec3 v) { return vector_property(std::move(n), v); }
Property a_color(std::string n, Vec3 v) { return color_property(std::move(n), v); }
Property a_fixed_color(std::string n, Vec3 v) { return {std::move(n), "ColorRGB", "Color", "", {v[0], v[1], v[2]}}; }
Property a_time(std::string n, std::int64_t v) { return time_property(std::move(n), v); }
Property an_enum(std::string n, std::int32_t v) { return enum_property(std::move(n), v); }
Property a_url(std::string n, const std::string& v) { return {std::move(n), "KString", "XRefUrl", "", {v}}; }
Property a_transform(std::string n, Vec3 v) { return {n, n, "", "A", {v[0], v[1], v[2]}}; }  // "Lcl Translation" is its own type

std::vector<double> flat(const Mat4& m) { return {m.begin(), m.end()}; }

template <std::size_t N>
std::vector<double> flat(const std::vector<std::array<double, N>>& vectors) {
    std::vector<double> out;
    out.reserve(vectors.size() * N);
    for (const auto& v : vectors) {
        out.insert(out.end(), v.begin(), v.end());
    }
    return out;
}

std::string text_of(Mapping mapping) {
    switch (mapping) {
        case Mapping::ByPolygonVertex:
            return "ByPolygonVertex";
        case Mapping::ByVertex:
            return "ByVertice";  // the SDK's own spelling
        case Mapping::ByPolygon:
            return "ByPolygon";
        case Mapping::ByEdge:
            return "ByEdge";
        case Mapping::AllSame:
            return "AllSame";
        case Mapping::None:
            break;
    }
    return "NoMappingInformation";
}

std::string subtype_of(AttributeKind kind) {
    switch (kind) {
        case AttributeKind::LimbNode:
            return "LimbNode";
        case AttributeKind::Root:
            return "Root";
        case AttributeKind::Mesh:
            return "Mesh";
        case AttributeKind::Light:
            return "Light";
        case AttributeKind::Camera:
            return "Camera";
        case AttributeKind::LodGroup:
            return "LodGroup";
        case AttributeKind::None:
        case AttributeKind::Null:
            break;
    }
    return "Null";
}

bool has_attribute_object(AttributeKind kind) { return kind != AttributeKind::None && kind != AttributeKind::Mesh; }

class Builder {
public:
    Builder(const Scene& scene, int version, Encoding encoding)
        : scene_(scene), version_(version), encoding_(encoding), ids_(scene) {}

    Element build() {
        collect();
        Element root;
        header(root);
        if (scene_.settings.present) {
            global_settings(root);
        }
        documents(root);
        definitions(root);
        root.add(std::move(objects_));
        for (const Connection& c : scene_.raw_connections) {
            add_connection(c);
        }
        root.add(std::move(connections_));
        if (scene_.write_takes) {
            takes(root);
        }
        for (const Element& e : scene_.raw_top_level) {
            root.add(e);
        }
        return root;
    }

private:
    Element& object(const std::string& element_name, const ObjectRef& ref, const std::string& name, const std::string& class_name,
                    const std::string& subtype) {
        return objects_.add(block(element_name, {ids_(ref), ObjectName{name, class_name}, subtype}));
    }

    static void finish(Element& e, Properties& properties, const Extra& extra, std::vector<Element> own_children = {}) {
        properties.add(extra.properties);
        properties.write_to(e);
        for (Element& child : own_children) {
            e.add(std::move(child));
        }
        for (const Element& child : extra.children) {
            e.add(child);
        }
    }

    void add_connection(const Connection& c) {
        Element& e = connections_.add("C", {c.type, c.child, c.parent});
        if (c.property) {
            e.values.emplace_back(*c.property);
        }
    }
    void connect(const ObjectRef& child, const ObjectRef& parent) { add_connection({"OO", ids_(child), ids_(parent)}); }
    void connect(const ObjectRef& child, const ObjectRef& parent, const std::string& property) {
        add_connection({"OP", ids_(child), ids_(parent), property});
    }

    void header(Element& root) {
        Element& h = root.add(block("FBXHeaderExtension"));
        h.add(leaf("FBXHeaderVersion", 1003));
        h.add(leaf("FBXVersion", version_));
        if (encoding_ == Encoding::Binary) {
            h.add(leaf("EncryptionType", 0));
        }
        Element& stamp = h.add(block("CreationTimeStamp"));
        stamp.add(leaf("Version", 1000));
        for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::int32_t>>{
                 {"Year", 1970}, {"Month", 1}, {"Day", 1}, {"Hour", 10}, {"Minute", 0}, {"Second", 0}, {"Millisecond", 0}}) {
            stamp.add(leaf(name, value));
        }
        h.add(leaf("Creator", scene_.creator));
        Element& info = h.add(block("SceneInfo", {ObjectName{"GlobalInfo", "SceneInfo"}, std::string("UserData")}));
        info.add(leaf("Type", std::string("UserData")));
        info.add(leaf("Version", 100));
        Element& meta = info.add(block("MetaData"));
        meta.add(leaf("Version", 100));
        for (const char* const name : {"Title", "Subject", "Author", "Keywords", "Revision", "Comment"}) {
            meta.add(leaf(name, std::string()));
        }
        Properties properties;
        properties.add(scene_.scene_info_properties);
        properties.write_to(info);
        if (encoding_ == Encoding::Binary) {
            root.add(leaf("FileId", file_id()));
        }
        root.add(leaf("CreationTime", std::string(kCreationTime)));
        root.add(leaf("Creator", scene_.creator));
    }

    void global_settings(Element& root) {
        const GlobalSettings& s = scene_.settings;
        Element& e = root.add(block("GlobalSettings"));
        e.add(leaf("Version", 1000));
        Properties p;
        p.add("UpAxis", s.up_axis, an_int);
        p.add("UpAxisSign", s.up_axis_sign, an_int);
        p.add("FrontAxis", s.front_axis, an_int);
        p.add("FrontAxisSign", s.front_axis_sign, an_int);
        p.add("CoordAxis", s.coord_axis, an_int);
        p.add("CoordAxisSign", s.coord_axis_sign, an_int);
        p.add("OriginalUpAxis", s.original_up_axis, an_int);
        p.add("OriginalUpAxisSign", s.original_up_axis_sign, an_int);
        p.add("UnitScaleFactor", s.unit_scale_factor, a_double);
        p.add("OriginalUnitScaleFactor", s.original_unit_scale_factor, a_double);
        p.add("AmbientColor", s.ambient_color, a_fixed_color);
        p.add("DefaultCamera", s.default_camera, a_string);
        p.add("TimeMode", s.time_mode, an_enum);
        p.add("TimeProtocol", s.time_protocol, an_enum);
        p.add("TimeSpanStart", s.time_span_start, a_time);
        p.add("TimeSpanStop", s.time_span_stop, a_time);
        p.add("CustomFrameRate", s.custom_frame_rate, a_double);
        p.add(s.extra_properties);
        p.write_to(e);
    }

    void documents(Element& root) {
        Element& e = root.add(block("Documents"));
        e.add(leaf("Count", 1));
        Element& d = e.add(block("Document", {std::int64_t{999000000000}, std::string(), std::string("Scene")}));
        Properties p;
        p.add(Property{"SourceObject", "object", "", "", {}});
        p.add(string_property("ActiveAnimStackName", scene_.stacks.empty() ? std::string() : scene_.stacks.front().name));
        p.write_to(d);
        d.add(leaf("RootNode", std::int64_t{0}));
        root.add(block("References"));
    }

    void definitions(Element& root) {
        // Kinds in order of first appearance; the templates hold what readers fall back on.
        std::vector<std::pair<std::string, std::int32_t>> counts = {{"GlobalSettings", 1}};
        for (const Element& e : objects_.children) {
            const auto it = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == e.name; });
            if (it == counts.end()) {
                counts.emplace_back(e.name, 1);
            } else {
                ++it->second;
            }
        }
        Element& e = root.add(block("Definitions"));
        e.add(leaf("Version", 100));
        std::int32_t total = 0;
        for (const auto& c : counts) {
            total += c.second;
        }
        e.add(leaf("Count", total));
        for (const auto& [name, count] : counts) {
            Element& type = e.add(block("ObjectType", {name}));
            type.add(leaf("Count", count));
            if (!scene_.write_templates) {
                continue;
            }
            if (name == "Model") {
                property_template(type, "FbxNode",
                                  {enum_property("QuaternionInterpolate", 0),
                                   vector_property("RotationOffset", {}),
                                   vector_property("RotationPivot", {}),
                                   vector_property("ScalingOffset", {}),
                                   vector_property("ScalingPivot", {}),
                                   enum_property("RotationOrder", 0),
                                   vector_property("PreRotation", {}),
                                   vector_property("PostRotation", {}),
                                   bool_property("RotationActive", false),
                                   enum_property("InheritType", 0),
                                   vector_property("GeometricTranslation", {}),
                                   vector_property("GeometricRotation", {}),
                                   vector_property("GeometricScaling", {1, 1, 1}),
                                   bool_property("Show", true),
                                   int_property("DefaultAttributeIndex", -1),
                                   a_transform("Lcl Translation", {}),
                                   a_transform("Lcl Rotation", {}),
                                   a_transform("Lcl Scaling", {1, 1, 1}),
                                   Property{"Visibility", "Visibility", "", "A", {1.0}},
                                   Property{"Visibility Inheritance", "Visibility Inheritance", "", "", {std::int32_t{1}}}});
            } else if (name == "Geometry") {
                property_template(type, "FbxMesh",
                                  {a_fixed_color("Color", {0.8, 0.8, 0.8}), bool_property("Primary Visibility", true)});
            } else if (name == "Material") {
                const bool lambert = std::all_of(scene_.materials.begin(), scene_.materials.end(),
                                                 [](const Material& m) { return m.shading_model == "Lambert"; });
                std::vector<Property> rows = {string_property("ShadingModel", lambert ? "Lambert" : "Phong"),
                                              bool_property("MultiLayer", false),
                                              color_property("EmissiveColor", {}),
                                              number_property("EmissiveFactor", 1),
                                              color_property("AmbientColor", {0.2, 0.2, 0.2}),
                                              number_property("AmbientFactor", 1),
                                              color_property("DiffuseColor", {0.8, 0.8, 0.8}),
                                              number_property("DiffuseFactor", 1),
                                              color_property("TransparentColor", {}),
                                              number_property("TransparencyFactor", 0)};
                if (!lambert) {
                    rows.insert(rows.end(), {color_property("SpecularColor", {0.2, 0.2, 0.2}),
                                             number_property("SpecularFactor", 1), number_property("ShininessExponent", 20),
                                             color_property("ReflectionColor", {}), number_property("ReflectionFactor", 1)});
                }
                property_template(type, lambert ? "FbxSurfaceLambert" : "FbxSurfacePhong", rows);
            } else if (name == "AnimationStack") {
                property_template(
                    type, "FbxAnimStack",
                    {string_property("Description", ""), time_property("LocalStart", 0), time_property("LocalStop", 0),
                     time_property("ReferenceStart", 0), time_property("ReferenceStop", 0)});
            } else if (name == "AnimationLayer") {
                property_template(type, "FbxAnimLayer",
                                  {number_property("Weight", 100), bool_property("Mute", false), bool_property("Solo", false),
                                   enum_property("BlendMode", 0), enum_property("RotationAccumulationMode", 0),
                                   enum_property("ScaleAccumulationMode", 0)});
            } else if (name == "AnimationCurveNode") {
                property_template(type, "FbxAnimCurveNode", {Property{"d", "Compound", "", "", {}}});
            }
        }
    }

    static void property_template(Element& type, const std::string& name, const std::vector<Property>& rows) {
        Element& e = type.add(block("PropertyTemplate", {name}));
        Properties p;
        p.add(rows);
        p.write_to(e);
    }

    void collect() {
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            attribute(i);
        }
        for (std::size_t i = 0; i < scene_.meshes.size(); ++i) {
            mesh(i);
        }
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            node(i);
        }
        for (std::size_t i = 0; i < scene_.poses.size(); ++i) {
            pose(i);
        }
        for (std::size_t i = 0; i < scene_.materials.size(); ++i) {
            material(i);
        }
        for (std::size_t i = 0; i < scene_.videos.size(); ++i) {
            video(i);
        }
        for (std::size_t i = 0; i < scene_.textures.size(); ++i) {
            texture(i);
        }
        for (std::size_t i = 0; i < scene_.meshes.size(); ++i) {
            deformers(i);
        }
        for (std::size_t i = 0; i < scene_.stacks.size(); ++i) {
            stack(i);
        }
        for (std::size_t i = 0; i < scene_.raw_objects.size(); ++i) {
            const RawObject& raw = scene_.raw_objects[i];
            Element& e = objects_.add(block(raw.element_name, {ids_({ObjectKind::Raw, {i}}), raw.name, raw.subtype}));
            Properties p;
            finish(e, p, raw.extra);
        }
    }

    void attribute(std::size_t i) {
        const Node& n = scene_.nodes[i];
        if (!has_attribute_object(n.attribute)) {
            return;
        }
        Element& e = object("NodeAttribute", {ObjectKind::Attribute, {i}}, n.name, "NodeAttribute", subtype_of(n.attribute));
        Properties p;
        p.add(n.attribute_properties);
        p.write_to(e);
        switch (n.attribute) {
            case AttributeKind::LimbNode:
                e.add(leaf("TypeFlags", std::string("Skeleton")));
                break;
            case AttributeKind::Root:
                e.add(leaf("TypeFlags", std::string("Null"), std::string("Skeleton"), std::string("Root")));
                break;
            case AttributeKind::Light:
                e.add(leaf("TypeFlags", std::string("Light")));
                break;
            case AttributeKind::Camera:
                e.add(leaf("TypeFlags", std::string("Camera")));
                break;
            case AttributeKind::Null:
                e.add(leaf("TypeFlags", std::string("Null")));
                break;
            case AttributeKind::LodGroup:
            case AttributeKind::None:
            case AttributeKind::Mesh:
                break;
        }
        if (n.attribute == AttributeKind::Light || n.attribute == AttributeKind::Camera) {
            e.add(leaf("GeometryVersion", 124));
        }
        for (const Element& child : n.attribute_children) {
            e.add(child);
        }
    }

    void node(std::size_t i) {
        const Node& n = scene_.nodes[i];
        const ObjectRef self{ObjectKind::Node, {i}};
        Element& e = object("Model", self, n.name, "Model", n.subtype.value_or(subtype_of(n.attribute)));
        e.add(leaf("Version", 232));
        Properties p;
        p.add("RotationOffset", n.rotation_offset, a_vector);
        p.add("RotationPivot", n.rotation_pivot, a_vector);
        p.add("ScalingOffset", n.scaling_offset, a_vector);
        p.add("ScalingPivot", n.scaling_pivot, a_vector);
        if (n.rotation_order) {
            p.add(enum_property("RotationOrder", static_cast<std::int32_t>(*n.rotation_order)));
        }
        p.add("PreRotation", n.pre_rotation, a_vector);
        p.add("PostRotation", n.post_rotation, a_vector);
        std::optional<bool> active = n.rotation_active;
        if (!active && (n.rotation_order || n.pre_rotation || n.post_rotation)) {
            active = true;
        }
        p.add("RotationActive", active, a_bool);
        if (n.inherit_type) {
            p.add(enum_property("InheritType", static_cast<std::int32_t>(*n.inherit_type)));
        }
        p.add("GeometricTranslation", n.geometric_translation, a_vector);
        p.add("GeometricRotation", n.geometric_rotation, a_vector);
        p.add("GeometricScaling", n.geometric_scaling, a_vector);
        p.add("Show", n.show, a_bool);
        if (n.attribute != AttributeKind::None) {
            p.add(int_property("DefaultAttributeIndex", 0));
        }
        p.add("Lcl Translation", n.translation, a_transform);
        p.add("Lcl Rotation", n.rotation, a_transform);
        p.add("Lcl Scaling", n.scaling, a_transform);
        if (n.visibility) {
            p.add(Property{"Visibility", "Visibility", "", "A", {*n.visibility}});
        }
        finish(e, p, n.extra,
               {leaf("Shading", n.attribute == AttributeKind::Mesh ? 'T' : 'Y'), leaf("Culling", std::string("CullingOff"))});

        if (n.extra.connect) {
            connect(self, n.parent ? ObjectRef(n.parent) : ObjectRef());
        }
        if (has_attribute_object(n.attribute)) {
            connect({ObjectKind::Attribute, {i}}, self);
        }
        if (n.mesh) {
            connect(n.mesh, self);
        }
        for (const MaterialRef m : n.materials) {
            connect(m, self);
        }
    }

    template <class T>
    static void layer_element(Element& geometry, const std::string& type, int version, std::size_t index, const Layer<T>& layer,
                              const std::string& data_name, const std::string& index_name) {
        Element& e = geometry.add(block(type, {static_cast<std::int32_t>(index)}));
        e.add(leaf("Version", version));
        e.add(leaf("Name", layer.name));
        e.add(leaf("MappingInformationType", text_of(layer.mapping)));
        e.add(leaf("ReferenceInformationType", std::string(layer.reference == Reference::Direct ? "Direct" : "IndexToDirect")));
        e.add(leaf(data_name, flat(layer.values)));
        if (layer.reference == Reference::IndexToDirect) {
            e.add(leaf(index_name, layer.indices));
        }
    }

    void mesh(std::size_t i) {
        const Mesh& m = scene_.meshes[i];
        Element& e = object("Geometry", {ObjectKind::Mesh, {i}}, m.name, "Geometry", "Mesh");
        Properties p;
        p.add(m.extra.properties);
        p.write_to(e);
        e.add(leaf("Vertices", flat(m.points)));
        std::vector<std::int32_t> corners;
        if (m.raw_polygon_vertex_index) {
            corners = *m.raw_polygon_vertex_index;
        } else {
            for (const auto& polygon : m.polygons) {
                corners.insert(corners.end(), polygon.begin(), polygon.end());
                if (!polygon.empty()) {
                    corners.back() = ~corners.back();
                }
            }
        }
        e.add(leaf("PolygonVertexIndex", corners));
        if (!m.edges.empty()) {
            e.add(leaf("Edges", m.edges));
        }
        e.add(leaf("GeometryVersion", 124));
        std::vector<std::pair<std::string, std::size_t>> used;
        const auto add_layers = [&](const auto& layers, const std::string& type, int version, const std::string& data_name,
                                    const std::string& index_name) {
            for (std::size_t k = 0; k < layers.size(); ++k) {
                layer_element(e, type, version, k, layers[k], data_name, index_name);
                used.emplace_back(type, k);
            }
        };
        add_layers(m.normals, "LayerElementNormal", 102, "Normals", "NormalsIndex");
        add_layers(m.binormals, "LayerElementBinormal", 102, "Binormals", "BinormalsIndex");
        add_layers(m.tangents, "LayerElementTangent", 102, "Tangents", "TangentsIndex");
        add_layers(m.colors, "LayerElementColor", 101, "Colors", "ColorIndex");
        add_layers(m.uvs, "LayerElementUV", 101, "UV", "UVIndex");
        if (m.smoothing) {
            Element& layer = e.add(block("LayerElementSmoothing", {std::int32_t{0}}));
            layer.add(leaf("Version", 102));
            layer.add(leaf("Name", std::string()));
            layer.add(leaf("MappingInformationType", text_of(m.smoothing->mapping)));
            layer.add(leaf("ReferenceInformationType", std::string("Direct")));
            layer.add(leaf("Smoothing", m.smoothing->values));
            used.emplace_back("LayerElementSmoothing", 0);
        }
        if (m.materials) {
            Element& layer = e.add(block("LayerElementMaterial", {std::int32_t{0}}));
            layer.add(leaf("Version", 101));
            layer.add(leaf("Name", std::string()));
            layer.add(leaf("MappingInformationType", text_of(m.materials->mapping)));
            layer.add(leaf("ReferenceInformationType", std::string("IndexToDirect")));
            layer.add(leaf("Materials", m.materials->indices));
            used.emplace_back("LayerElementMaterial", 0);
        }
        for (const Element& child : m.extra.children) {
            e.add(child);
        }
        for (std::size_t k = 0;; ++k) {  // Layer k lists the k-th element of each type
            Element layer = block("Layer", {static_cast<std::int32_t>(k)});
            layer.add(leaf("Version", 100));
            for (const auto& [type, index] : used) {
                if (index == k) {
                    Element& entry = layer.add(block("LayerElement"));
                    entry.add(leaf("Type", type));
                    entry.add(leaf("TypedIndex", static_cast<std::int32_t>(index)));
                }
            }
            if (layer.children.size() == 1) {
                break;
            }
            e.add(std::move(layer));
        }

        for (std::size_t b = 0; b < m.blend_shapes.size(); ++b) {  // targets are geometries too
            for (std::size_t c = 0; c < m.blend_shapes[b].channels.size(); ++c) {
                for (std::size_t t = 0; t < m.blend_shapes[b].channels[c].targets.size(); ++t) {
                    const Shape& shape = m.blend_shapes[b].channels[c].targets[t];
                    Element& s = object("Geometry", {ObjectKind::Shape, {i, b, c, t}}, shape.name, "Geometry", "Shape");
                    std::vector<Element> own = {leaf("Version", 100), leaf("Indexes", shape.indexes),
                                                leaf("Vertices", flat(shape.offsets))};
                    if (!shape.normal_offsets.empty()) {
                        own.push_back(leaf("Normals", flat(shape.normal_offsets)));
                    }
                    Properties sp;
                    finish(s, sp, shape.extra, std::move(own));
                }
            }
        }
    }

    void deformers(std::size_t i) {
        const Mesh& m = scene_.meshes[i];
        const ObjectRef mesh_ref{ObjectKind::Mesh, {i}};
        for (std::size_t b = 0; b < m.blend_shapes.size(); ++b) {
            const BlendShape& blend = m.blend_shapes[b];
            const ObjectRef blend_ref{ObjectKind::BlendShape, {i, b}};
            Element& e = object("Deformer", blend_ref, blend.name, "Deformer", "BlendShape");
            Properties p;
            finish(e, p, blend.extra, {leaf("Version", 100)});
            if (blend.extra.connect) {
                connect(blend_ref, mesh_ref);
            }
            for (std::size_t c = 0; c < blend.channels.size(); ++c) {
                const BlendChannel& channel = blend.channels[c];
                const ObjectRef channel_ref{ObjectKind::BlendChannel, {i, b, c}};
                Element& ce = object("Deformer", channel_ref, channel.name, "SubDeformer", "BlendShapeChannel");
                std::vector<double> full_weights;
                for (const Shape& t : channel.targets) {
                    full_weights.push_back(t.full_weight);
                }
                Properties cp;
                cp.add(number_property("DeformPercent", channel.deform_percent));
                finish(ce, cp, channel.extra,
                       {leaf("Version", 100), leaf("DeformPercent", channel.deform_percent), leaf("FullWeights", full_weights)});
                if (channel.extra.connect) {
                    connect(channel_ref, blend_ref);
                }
                for (std::size_t t = 0; t < channel.targets.size(); ++t) {
                    if (channel.targets[t].extra.connect) {
                        connect({ObjectKind::Shape, {i, b, c, t}}, channel_ref);
                    }
                }
            }
        }
        for (std::size_t s = 0; s < m.skins.size(); ++s) {
            const Skin& skin = m.skins[s];
            const ObjectRef skin_ref{ObjectKind::Skin, {i, s}};
            Element& e = object("Deformer", skin_ref, skin.name, "Deformer", "Skin");
            Properties p;
            finish(e, p, skin.extra,
                   {leaf("Version", 101), leaf("Link_DeformAcuracy", 50.0), leaf("SkinningType", skin.skinning_type)});
            if (skin.extra.connect) {
                connect(skin_ref, mesh_ref);
            }
            for (std::size_t c = 0; c < skin.clusters.size(); ++c) {
                cluster(skin.clusters[c], {ObjectKind::Cluster, {i, s, c}}, skin_ref);
            }
        }
    }

    void cluster(const Cluster& c, const ObjectRef& self, const ObjectRef& skin) {
        Element& e = object("Deformer", self, c.name, "SubDeformer", "Cluster");
        std::vector<Element> own = {leaf("Version", 100)};
        if (c.link_mode != LinkMode::Normalize) {
            own.push_back(leaf("Mode", std::string(c.link_mode == LinkMode::Additive ? "Additive" : "Total1")));
        }
        own.push_back(leaf("UserData", std::string(), std::string()));
        if (!c.indexes.empty() || !c.weights.empty()) {  // real exporters leave both out of an empty cluster
            own.push_back(leaf("Indexes", c.indexes));
            own.push_back(leaf("Weights", c.weights));
        }
        if (c.transform) {
            own.push_back(leaf("Transform", flat(*c.transform)));
        }
        if (c.transform_link) {
            own.push_back(leaf("TransformLink", flat(*c.transform_link)));
        }
        if (c.transform_associate_model) {
            own.push_back(leaf("TransformAssociateModel", flat(*c.transform_associate_model)));
        }
        Properties p;
        finish(e, p, c.extra, std::move(own));
        if (c.extra.connect) {
            connect(self, skin);
        }
        if (c.bone) {
            connect(c.bone, self);
        }
    }

    void pose(std::size_t i) {
        const Pose& pose = scene_.poses[i];
        Element& e = object("Pose", {ObjectKind::Pose, {i}}, pose.name, "Pose", pose.type);
        std::vector<Element> own = {leaf("Type", pose.type), leaf("Version", 100),
                                    leaf("NbPoseNodes", static_cast<std::int32_t>(pose.nodes.size()))};
        for (const PoseNode& n : pose.nodes) {
            Element& entry = own.emplace_back(block("PoseNode"));
            entry.add(leaf("Node", ids_(n.node)));
            entry.add(leaf("Matrix", flat(n.matrix)));
        }
        Properties p;
        finish(e, p, pose.extra, std::move(own));
    }

    void material(std::size_t i) {
        const Material& m = scene_.materials[i];
        const ObjectRef self{ObjectKind::Material, {i}};
        Element& e = object("Material", self, m.name, "Material", "");
        e.add(leaf("Version", 102));
        e.add(leaf("ShadingModel", m.shading_model));
        e.add(leaf("MultiLayer", 0));
        Properties p;
        p.add("EmissiveColor", m.emissive, a_color);
        p.add("EmissiveFactor", m.emissive_factor, a_number);
        p.add("AmbientColor", m.ambient, a_color);
        p.add("DiffuseColor", m.diffuse, a_color);
        p.add("DiffuseFactor", m.diffuse_factor, a_number);
        p.add("TransparentColor", m.transparent, a_color);
        p.add("TransparencyFactor", m.transparency_factor, a_number);
        p.add("Opacity", m.opacity, a_double);
        p.add("SpecularColor", m.specular, a_color);
        p.add("SpecularFactor", m.specular_factor, a_number);
        p.add("ShininessExponent", m.shininess, a_number);
        finish(e, p, m.extra);
        for (const TextureUse& use : m.textures) {
            connect(use.texture, self, use.property);
        }
    }

    void texture(std::size_t i) {
        const Texture& t = scene_.textures[i];
        const ObjectRef self{ObjectKind::Texture, {i}};
        Element& e = object("Texture", self, t.name, "Texture", "");
        e.add(leaf("Type", std::string("TextureVideoClip")));
        e.add(leaf("Version", 202));
        e.add(leaf("TextureName", ObjectName{t.name, "Texture"}));
        Properties p;
        p.add("UVSet", t.uv_set, a_string);
        p.add(bool_property("UseMaterial", true));
        std::vector<Element> own;
        if (t.video) {
            own.push_back(leaf("Media", ObjectName{scene_[t.video].name, "Video"}));
        }
        if (t.absolute_file_name) {
            own.push_back(leaf("FileName", *t.absolute_file_name));
        }
        if (t.relative_file_name) {
            own.push_back(leaf("RelativeFilename", *t.relative_file_name));
        }
        own.push_back(leaf("ModelUVTranslation", 0.0, 0.0));
        own.push_back(leaf("ModelUVScaling", 1.0, 1.0));
        own.push_back(leaf("Texture_Alpha_Source", std::string("None")));
        own.push_back(leaf("Cropping", std::int32_t{0}, std::int32_t{0}, std::int32_t{0}, std::int32_t{0}));
        finish(e, p, t.extra, std::move(own));
        if (t.video) {
            connect(t.video, self);
        }
    }

    void video(std::size_t i) {
        const Video& v = scene_.videos[i];
        Element& e = object("Video", {ObjectKind::Video, {i}}, v.name, "Video", "Clip");
        e.add(leaf("Type", std::string("Clip")));
        Properties p;
        p.add("Path", v.absolute_file_name, a_url);
        p.add("RelPath", v.relative_file_name, a_url);
        std::vector<Element> own = {leaf("UseMipMap", 0)};
        if (v.absolute_file_name) {
            own.push_back(leaf("Filename", *v.absolute_file_name));
        }
        if (v.relative_file_name) {
            own.push_back(leaf("RelativeFilename", *v.relative_file_name));
        }
        if (v.content) {
            own.push_back(leaf("Content", *v.content));
        }
        finish(e, p, v.extra, std::move(own));
    }

    void stack(std::size_t i) {
        const AnimationStack& s = scene_.stacks[i];
        const ObjectRef self{ObjectKind::Stack, {i}};
        Element& e = object("AnimationStack", self, s.name, "AnimStack", "");
        Properties p;
        p.add("LocalStart", s.local_start, a_time);
        p.add("LocalStop", s.local_stop, a_time);
        p.add("ReferenceStart", s.reference_start, a_time);
        p.add("ReferenceStop", s.reference_stop, a_time);
        finish(e, p, s.extra);
        for (std::size_t l = 0; l < s.layers.size(); ++l) {
            animation_layer(s.layers[l], i, l);
        }
    }

    void animation_layer(const AnimationLayer& layer, std::size_t stack_index, std::size_t layer_index) {
        const ObjectRef self{ObjectKind::Layer, {stack_index, layer_index}};
        Element& e = object("AnimationLayer", self, layer.name, "AnimLayer", "");
        Properties p;
        p.add("Weight", layer.weight, a_number);
        p.add("Mute", layer.mute, a_bool);
        p.add("Solo", layer.solo, a_bool);
        p.add("BlendMode", layer.blend_mode, an_enum);
        p.add("RotationAccumulationMode", layer.rotation_accumulation_mode, an_enum);
        p.add("ScaleAccumulationMode", layer.scale_accumulation_mode, an_enum);
        finish(e, p, layer.extra);
        if (layer.extra.connect) {
            connect(self, {ObjectKind::Stack, {stack_index}});
        }
        for (std::size_t n = 0; n < layer.curve_nodes.size(); ++n) {
            const CurveNode& node = layer.curve_nodes[n];
            const ObjectRef node_ref{ObjectKind::CurveNode, {stack_index, layer_index, n}};
            Element& ne = object("AnimationCurveNode", node_ref, node.name, "AnimCurveNode", "");
            Properties np;
            for (const CurveChannel& channel : node.channels) {
                np.add(number_property(channel.property, channel.default_value));
            }
            finish(ne, np, node.extra);
            if (node.extra.connect) {
                connect(node_ref, self);
            }
            connect(node_ref, node.target, node.property);
            for (std::size_t c = 0; c < node.channels.size(); ++c) {
                if (node.channels[c].curve) {
                    const ObjectRef curve_ref{ObjectKind::Curve, {stack_index, layer_index, n, c}};
                    curve(*node.channels[c].curve, curve_ref);
                    if (node.channels[c].curve->extra.connect) {
                        connect(curve_ref, node_ref, node.channels[c].property);
                    }
                }
            }
        }
    }

    // Flags and the four attribute numbers of key i: right slope, next key's left slope, both weights as packed 0.4 decimals,
    // both velocities. A left slope therefore stands in the record of the key before.
    static std::pair<std::int32_t, std::array<float, 4>> key_attributes(const Curve& c, std::size_t i) {
        constexpr std::uint32_t constant = 0x2, linear = 0x4, cubic = 0x8;
        constexpr std::uint32_t tangent_auto = 0x100, tangent_tcb = 0x200, tangent_user = 0x400, broken = 0x800;
        constexpr std::uint32_t constant_next = 0x100, clamp = 0x1000, clamp_progressive = 0x4000;
        constexpr std::uint32_t weighted_right = 0x1000000, weighted_next_left = 0x2000000;
        const Key& key = c.keys[i];
        const bool user = key.interpolation == Interpolation::CubicUser || key.interpolation == Interpolation::CubicBroken;
        std::uint32_t flags = 0;
        switch (key.interpolation) {
            case Interpolation::ConstantPrevious:
                flags = constant;
                break;
            case Interpolation::ConstantNext:
                flags = constant | constant_next;
                break;
            case Interpolation::Linear:
                flags = linear;
                break;
            case Interpolation::CubicAuto:
                flags = cubic | tangent_auto;
                break;
            case Interpolation::CubicClamp:
                flags = cubic | tangent_auto | clamp;
                break;
            case Interpolation::CubicClampProgressive:
                flags = cubic | tangent_auto | clamp_progressive;
                break;
            case Interpolation::CubicUser:
                flags = cubic | tangent_user;
                break;
            case Interpolation::CubicBroken:
                flags = cubic | tangent_user | broken;
                break;
            case Interpolation::CubicTcb:
                flags = cubic | tangent_tcb;
                break;
        }
        if (key.interpolation == Interpolation::CubicTcb) {
            return {static_cast<std::int32_t>(flags),
                    {static_cast<float>(key.tcb[0]), static_cast<float>(key.tcb[1]), static_cast<float>(key.tcb[2]), 0.0F}};
        }
        const Key* const next = i + 1 < c.keys.size() ? &c.keys[i + 1] : nullptr;
        std::array<float, 4> data{};
        data[0] = user ? static_cast<float>(key.right_slope) : 0.0F;
        data[1] = next != nullptr &&
                          (next->interpolation == Interpolation::CubicUser || next->interpolation == Interpolation::CubicBroken)
                      ? static_cast<float>(next->left_slope)
                      : 0.0F;
        const auto packed = [](double weight) {
            return static_cast<std::uint32_t>(std::lround(std::clamp(weight, 0.0, 0.9999) * 10000.0));
        };
        std::uint32_t right = 3333;
        std::uint32_t next_left = 3333;
        if (key.right_weight) {
            flags |= weighted_right;
            right = packed(*key.right_weight);
        }
        if (next != nullptr && next->left_weight) {
            flags |= weighted_next_left;
            next_left = packed(*next->left_weight);
        }
        data[2] = std::bit_cast<float>(next_left << 16 | right);
        return {static_cast<std::int32_t>(flags), data};
    }

    void curve(const Curve& c, const ObjectRef& self) {
        Element& e = object("AnimationCurve", self, "", "AnimCurve", "");
        std::vector<std::int64_t> times;
        std::vector<float> values;
        std::vector<std::int32_t> flags;
        FloatBits data;
        std::vector<std::int32_t> repeats;  // equal attributes of neighbours are written once
        for (std::size_t i = 0; i < c.keys.size(); ++i) {
            times.push_back(c.keys[i].time);
            values.push_back(static_cast<float>(c.keys[i].value));
            const auto [flag, numbers] = key_attributes(c, i);
            const auto same = [](float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); };
            if (!flags.empty() && flags.back() == flag &&
                std::equal(numbers.begin(), numbers.end(), data.values.end() - 4, same)) {
                ++repeats.back();
            } else {
                flags.push_back(flag);
                data.values.insert(data.values.end(), numbers.begin(), numbers.end());
                repeats.push_back(1);
            }
        }
        Properties p;
        finish(e, p, c.extra,
               {leaf("Default", c.default_value), leaf("KeyVer", 4009), leaf("KeyTime", times), leaf("KeyValueFloat", values),
                leaf("KeyAttrFlags", flags), leaf("KeyAttrDataFloat", data), leaf("KeyAttrRefCount", repeats)});
    }

    void takes(Element& root) {
        Element& e = root.add(block("Takes"));
        e.add(leaf("Current", scene_.stacks.empty() ? std::string() : scene_.stacks.front().name));
        for (const AnimationStack& s : scene_.stacks) {
            Element& take = e.add(block("Take", {s.name}));
            take.add(leaf("FileName", s.name + ".tak"));
            const auto range = [&](const char* name, const std::optional<std::int64_t>& start,
                                   const std::optional<std::int64_t>& stop) {
                if (start || stop) {
                    take.add(leaf(name, start.value_or(0), stop.value_or(0)));
                }
            };
            range("LocalTime", s.local_start, s.local_stop);
            range("ReferenceTime", s.reference_start, s.reference_stop);
        }
    }

    const Scene& scene_;
    int version_;
    Encoding encoding_;
    Ids ids_;
    Element objects_ = block("Objects");
    Element connections_ = block("Connections");
};

}  // namespace

Property int_property(std::string name, std::int32_t value, std::string flags) {
    return {std::move(name), "int", "Integer", std::move(flags), {value}};
}
Property enum_property(std::string name, std::int32_t value) { return {std::move(name), "enum", "", "", {value}}; }
Property bool_property(std::string name, bool value, std::string flags) {
    return {std::move(name), "bool", "", std::move(flags), {std::int32_t{value}}};
}
Property double_property(std::string name, double value, std::string flags) {
    return {std::move(name), "double", "Number", std::move(flags), {value}};
}
Property number_property(std::string name, double value, std::string flags) {
    return {std::move(name), "Number", "", std::move(flags), {value}};
}
Property string_property(std::string name, std::string value, std::string flags) {
    return {std::move(name), "KString", "", std::move(flags), {std::move(value)}};
}
Property vector_property(std::string name, Vec3 value, std::string flags) {
    return {std::move(name), "Vector3D", "Vector", std::move(flags), {value[0], value[1], value[2]}};
}
Property color_property(std::string name, Vec3 value, std::string flags) {
    return {std::move(name), "Color", "", std::move(flags), {value[0], value[1], value[2]}};
}
Property time_property(std::string name, std::int64_t ticks) { return {std::move(name), "KTime", "Time", "", {ticks}}; }

Element build_tree(const Scene& scene, int version, Encoding encoding) { return Builder(scene, version, encoding).build(); }

std::vector<std::byte> write_ascii(const Scene& scene, int version) {
    return serialise_ascii(build_tree(scene, version, Encoding::Ascii), version);
}

std::vector<std::byte> write_binary(const Scene& scene, int version) {
    return serialise_binary(build_tree(scene, version, Encoding::Binary), version);
}

std::int64_t object_id(const Scene& scene, const ObjectRef& object) { return Ids(scene)(object); }

void write_file(const std::string& path, const std::vector<std::byte>& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
        throw std::runtime_error("cannot write " + path);
    }
}

}  // namespace gomkit::testing::fbx
