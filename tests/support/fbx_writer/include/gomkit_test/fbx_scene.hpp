// A scene as plain values, in FBX's own words, units and order. Nothing is checked or repaired: what a test says is written,
// also when it is wrong. Everything an `std::optional` leaves out does not appear in the file.
//
// Objects refer to each other by index (NodeRef and the like). Matrices are FBX's 16 numbers: row-vector convention,
// translation in elements 12..14.
#pragma once

#include "gomkit_test/fbx_tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gomkit::testing::fbx {

using Vec2 = std::array<double, 2>;
using Vec3 = std::array<double, 3>;
using Vec4 = std::array<double, 4>;
using Mat4 = std::array<double, 16>;

inline constexpr Mat4 kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
inline constexpr std::int64_t kTicksPerSecond = 46186158000;  // FBX's KTime; divisible by 24, 25, 30, 48, 60 ...
inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// Index into one of Scene's vectors.
template <class Tag>
struct Ref {
    std::size_t index = kNone;
    explicit operator bool() const { return index != kNone; }
    bool operator==(const Ref&) const = default;
};
using NodeRef = Ref<struct NodeTag>;
using MeshRef = Ref<struct MeshTag>;
using MaterialRef = Ref<struct MaterialTag>;
using TextureRef = Ref<struct TextureTag>;
using VideoRef = Ref<struct VideoTag>;
struct LayerRef {
    std::size_t stack = 0;
    std::size_t layer = 0;
};

enum class ObjectKind : std::uint8_t {
    Root,
    Node,
    Attribute,
    Mesh,
    Skin,
    Cluster,
    BlendShape,
    BlendChannel,
    Shape,
    Material,
    Texture,
    Video,
    Pose,
    Stack,
    Layer,
    CurveNode,
    Curve,
    Raw,
};

// Any object of the scene, also the nested ones: Cluster {mesh, skin, cluster}, Shape {mesh, blend shape, channel, target},
// CurveNode {stack, layer, curve node}, Curve {stack, layer, curve node, channel}.
struct ObjectRef {
    ObjectKind kind = ObjectKind::Root;
    std::array<std::size_t, 4> path{};

    ObjectRef() = default;
    ObjectRef(ObjectKind k, std::array<std::size_t, 4> p) : kind(k), path(p) {}
    ObjectRef(NodeRef r) : kind(ObjectKind::Node), path{r.index} {}  // implicit: the usual case
    ObjectRef(MeshRef r) : kind(ObjectKind::Mesh), path{r.index} {}
    ObjectRef(MaterialRef r) : kind(ObjectKind::Material), path{r.index} {}
    ObjectRef(TextureRef r) : kind(ObjectKind::Texture), path{r.index} {}
    ObjectRef(VideoRef r) : kind(ObjectKind::Video), path{r.index} {}
    ObjectRef(LayerRef r) : kind(ObjectKind::Layer), path{r.stack, r.layer} {}
    auto operator<=>(const ObjectRef&) const = default;
};
inline ObjectRef attribute_of(NodeRef node) { return {ObjectKind::Attribute, {node.index}}; }
inline ObjectRef blend_channel(MeshRef mesh, std::size_t blend_shape, std::size_t channel) {
    return {ObjectKind::BlendChannel, {mesh.index, blend_shape, channel}};
}

// A `P:` row: name, type, subtype, flags ("A" animatable, "U" user-defined), values.
struct Property {
    std::string name;
    std::string type;
    std::string subtype;
    std::string flags;
    std::vector<Value> values;
};
Property int_property(std::string name, std::int32_t value, std::string flags = "");
Property enum_property(std::string name, std::int32_t value);
Property bool_property(std::string name, bool value, std::string flags = "");
Property double_property(std::string name, double value, std::string flags = "");
Property number_property(std::string name, double value, std::string flags = "A");  // type "Number"
Property string_property(std::string name, std::string value, std::string flags = "");
Property vector_property(std::string name, Vec3 value, std::string flags = "");
Property color_property(std::string name, Vec3 value, std::string flags = "A");
Property time_property(std::string name, std::int64_t ticks);

// What every object may have besides its own fields.
struct Extra {
    std::optional<std::int64_t> id;    // instead of the one the writer makes; may repeat another object's
    std::vector<Property> properties;  // after the object's own, also where they repeat a name
    std::vector<Element> children;     // after the object's own
    bool connect = true;               // false: no connection to its owner (parent node, mesh, stack ...)
};

struct GlobalSettings {
    bool present = true;
    std::optional<std::int32_t> up_axis = 1;
    std::optional<std::int32_t> up_axis_sign = 1;
    std::optional<std::int32_t> front_axis = 2;
    std::optional<std::int32_t> front_axis_sign = 1;
    std::optional<std::int32_t> coord_axis = 0;
    std::optional<std::int32_t> coord_axis_sign = 1;
    std::optional<std::int32_t> original_up_axis = 1;
    std::optional<std::int32_t> original_up_axis_sign = 1;
    std::optional<double> unit_scale_factor = 1.0;  // centimetres per unit
    std::optional<double> original_unit_scale_factor = 1.0;
    std::optional<Vec3> ambient_color = Vec3{0, 0, 0};
    std::optional<std::string> default_camera = "Producer Perspective";
    std::optional<std::int32_t> time_mode = 6;  // 6 = 30 fps, 11 = 24, 3 = 60, 14 = custom
    std::optional<std::int32_t> time_protocol = 2;
    std::optional<std::int64_t> time_span_start = 0;
    std::optional<std::int64_t> time_span_stop = kTicksPerSecond;
    std::optional<double> custom_frame_rate = -1.0;
    std::vector<Property> extra_properties;
};

enum class AttributeKind : std::uint8_t { None, Null, LimbNode, Root, Mesh, Light, Camera, LodGroup };
enum class RotationOrder : std::int32_t { Xyz, Xzy, Yzx, Yxz, Zxy, Zyx, Spheric };
enum class InheritType : std::int32_t {
    ParentRotationFirst = 0 /* RrSs */,
    ParentScaleFirst = 1 /* RSrs */,
    IgnoreParentScale = 2 /* Rrs */
};

struct Node {
    std::string name;
    NodeRef parent;  // none = child of the scene's root
    AttributeKind attribute = AttributeKind::None;
    MeshRef mesh;                        // with AttributeKind::Mesh; several nodes may share one
    std::vector<MaterialRef> materials;  // in the order the mesh's material indices count

    std::optional<Vec3> translation = Vec3{0, 0, 0};
    std::optional<Vec3> rotation = Vec3{0, 0, 0};  // Euler angles, degrees
    std::optional<Vec3> scaling = Vec3{1, 1, 1};
    std::optional<RotationOrder> rotation_order;
    std::optional<bool> rotation_active;  // absent: written as true when an order, pre or post rotation is set
    std::optional<Vec3> pre_rotation;
    std::optional<Vec3> post_rotation;
    std::optional<Vec3> rotation_offset;
    std::optional<Vec3> rotation_pivot;
    std::optional<Vec3> scaling_offset;
    std::optional<Vec3> scaling_pivot;
    std::optional<Vec3> geometric_translation;
    std::optional<Vec3> geometric_rotation;
    std::optional<Vec3> geometric_scaling;
    std::optional<InheritType> inherit_type = InheritType::ParentScaleFirst;
    std::optional<double> visibility;
    std::optional<bool> show;
    std::optional<std::string> subtype;  // third value of `Model:`; absent: from the attribute
    std::vector<Property> attribute_properties;
    std::vector<Element> attribute_children;
    std::optional<std::int64_t> attribute_id;
    Extra extra;
};

enum class Mapping : std::uint8_t { ByPolygonVertex, ByVertex, ByPolygon, ByEdge, AllSame, None };
enum class Reference : std::uint8_t { Direct, IndexToDirect };

template <class T>
struct Layer {
    std::string name;
    Mapping mapping = Mapping::ByPolygonVertex;
    Reference reference = Reference::Direct;
    std::vector<T> values;
    std::vector<std::int32_t> indices{};  // with IndexToDirect
};
struct MaterialLayer {
    Mapping mapping = Mapping::AllSame;
    std::vector<std::int32_t> indices = {0};
};
struct SmoothingLayer {
    Mapping mapping = Mapping::ByPolygon;  // ByPolygon: groups as bits; ByEdge: 1 = smooth, 0 = hard, one per Mesh::edges
    std::vector<std::int32_t> values;
};

enum class LinkMode : std::uint8_t { Normalize, Additive, Total1 };

struct Cluster {
    std::string name;
    NodeRef bone;  // none: no connection to a bone
    std::vector<std::int32_t> indexes;
    std::vector<double> weights;
    std::optional<Mat4> transform = kIdentity;       // geometry to bone, at bind
    std::optional<Mat4> transform_link = kIdentity;  // bone to world, at bind
    std::optional<Mat4> transform_associate_model;
    LinkMode link_mode = LinkMode::Normalize;  // Normalize is not written
    Extra extra;
};
struct Skin {
    std::string name;
    std::string skinning_type = "Linear";  // "Rigid", "DualQuaternion", "Blend"
    std::vector<Cluster> clusters;
    Extra extra;
};

struct Shape {  // a blend shape's target: offsets, not positions
    std::string name;
    double full_weight = 100;  // percent; in-betweens have less
    std::vector<std::int32_t> indexes;
    std::vector<Vec3> offsets;
    std::vector<Vec3> normal_offsets;  // empty: none
    Extra extra;
};
struct BlendChannel {
    std::string name;
    double deform_percent = 0;
    std::vector<Shape> targets;  // ascending full_weight
    Extra extra;
};
struct BlendShape {
    std::string name;
    std::vector<BlendChannel> channels;
    Extra extra;
};

struct Mesh {
    std::string name;
    std::vector<Vec3> points;
    std::vector<std::vector<std::int32_t>> polygons;  // corners as point indices, counter-clockwise from outside
    std::optional<std::vector<std::int32_t>> raw_polygon_vertex_index;  // instead of `polygons`: last corner of each as ~index
    std::vector<std::int32_t> edges;                                    // corner each edge starts at; see edges_of()
    std::vector<Layer<Vec3>> normals;
    std::vector<Layer<Vec3>> tangents;
    std::vector<Layer<Vec3>> binormals;
    std::vector<Layer<Vec2>> uvs;
    std::vector<Layer<Vec4>> colors;
    std::optional<MaterialLayer> materials;
    std::optional<SmoothingLayer> smoothing;
    std::vector<Skin> skins;
    std::vector<BlendShape> blend_shapes;
    Extra extra;
};

struct PoseNode {
    NodeRef node;
    Mat4 matrix = kIdentity;  // node to world
};
struct Pose {
    std::string name = "BIND_POSES";
    std::string type = "BindPose";
    std::vector<PoseNode> nodes;
    Extra extra;
};

struct TextureUse {
    std::string property;  // "DiffuseColor", "NormalMap" ...
    TextureRef texture;
};
struct Material {
    std::string name;
    std::string shading_model = "Phong";  // "Lambert", "Phong", or anything
    std::optional<Vec3> diffuse = Vec3{0.8, 0.8, 0.8};
    std::optional<double> diffuse_factor;
    std::optional<Vec3> ambient;
    std::optional<Vec3> emissive;
    std::optional<double> emissive_factor;
    std::optional<Vec3> specular;
    std::optional<double> specular_factor;
    std::optional<double> shininess;
    std::optional<Vec3> transparent;
    std::optional<double> transparency_factor;
    std::optional<double> opacity;
    std::vector<TextureUse> textures;
    Extra extra;
};
struct Texture {
    std::string name;
    std::optional<std::string> absolute_file_name;
    std::optional<std::string> relative_file_name;
    std::optional<std::string> uv_set;
    VideoRef video;
    Extra extra;
};
struct Video {
    std::string name;
    std::optional<std::string> absolute_file_name;
    std::optional<std::string> relative_file_name;
    std::optional<ByteVector> content;  // embedded file
    Extra extra;
};

enum class Interpolation : std::uint8_t {
    ConstantPrevious,
    ConstantNext,
    Linear,
    CubicAuto,
    CubicClamp,
    CubicClampProgressive,
    CubicUser,
    CubicBroken,
    CubicTcb,
};
struct Key {
    std::int64_t time = 0;                                // ticks
    double value = 0;                                     // written as a float
    Interpolation interpolation = Interpolation::Linear;  // from this key to the next
    double left_slope = 0;  // value per second, for CubicUser and CubicBroken (User: both should be equal)
    double right_slope = 0;
    std::optional<double> left_weight;  // 0..1 of the distance to the neighbour key; absent: 1/3
    std::optional<double> right_weight;
    Vec3 tcb{};  // tension, continuity, bias
};
struct Curve {
    double default_value = 0;
    std::vector<Key> keys;
    Extra extra;
};
struct CurveChannel {
    std::string property;  // "d|X"
    double default_value = 0;
    std::optional<Curve> curve;  // absent: this component is not keyed
};
struct CurveNode {
    std::string name;  // "T", "R", "S", "DeformPercent" ...
    ObjectRef target;
    std::string property;  // "Lcl Rotation"
    std::vector<CurveChannel> channels;
    Extra extra;  // connect = false: not connected to its layer
};
struct AnimationLayer {
    std::string name = "BaseLayer";
    std::optional<double> weight;  // percent
    std::optional<bool> mute;
    std::optional<bool> solo;
    std::optional<std::int32_t> blend_mode;                  // 0 additive, 1 override, 2 override-passthrough
    std::optional<std::int32_t> rotation_accumulation_mode;  // 0 by layer, 1 by channel
    std::optional<std::int32_t> scale_accumulation_mode;     // 0 multiply, 1 additive
    std::vector<CurveNode> curve_nodes;
    Extra extra;
};
struct AnimationStack {
    std::string name;
    std::optional<std::int64_t> local_start = 0;
    std::optional<std::int64_t> local_stop;
    std::optional<std::int64_t> reference_start;
    std::optional<std::int64_t> reference_stop;
    std::vector<AnimationLayer> layers;
    Extra extra;
};

struct RawObject {             // an object kind the description does not know
    std::string element_name;  // "Constraint"
    ObjectName name;
    std::string subtype;
    Extra extra;
};
struct Connection {
    std::string type = "OO";  // "OO", "OP", "PO", "PP"
    std::int64_t child = 0;
    std::int64_t parent = 0;
    std::optional<std::string> property{};
};

struct Scene {
    GlobalSettings settings;
    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<Material> materials;
    std::vector<Texture> textures;
    std::vector<Video> videos;
    std::vector<Pose> poses;
    std::vector<AnimationStack> stacks;
    std::vector<RawObject> raw_objects;

    std::string creator = "gomkit test writer";
    std::vector<Property> scene_info_properties = {};
    bool write_templates = true;              // property templates in Definitions
    bool write_takes = true;                  // the Takes section
    std::vector<Connection> raw_connections;  // after all others
    std::vector<Element> raw_top_level;       // at the end of the file

    Node& operator[](NodeRef r) { return nodes.at(r.index); }
    const Node& operator[](NodeRef r) const { return nodes.at(r.index); }
    Mesh& operator[](MeshRef r) { return meshes.at(r.index); }
    const Mesh& operator[](MeshRef r) const { return meshes.at(r.index); }
    Material& operator[](MaterialRef r) { return materials.at(r.index); }
    const Material& operator[](MaterialRef r) const { return materials.at(r.index); }
    Texture& operator[](TextureRef r) { return textures.at(r.index); }
    const Texture& operator[](TextureRef r) const { return textures.at(r.index); }
    Video& operator[](VideoRef r) { return videos.at(r.index); }
    const Video& operator[](VideoRef r) const { return videos.at(r.index); }
    AnimationLayer& operator[](LayerRef r) { return stacks.at(r.stack).layers.at(r.layer); }
};

}  // namespace gomkit::testing::fbx
