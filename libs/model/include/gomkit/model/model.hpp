#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gomkit/core/large_memory.hpp>
#include <gomkit/model/extras.hpp>
#include <gomkit/runtime/math.hpp>

/// The one model in the middle: every importer fills it, every exporter reads it.
///
/// Space: left-handed, +X right, +Y up, +Z forward, metres, row vectors, double precision (docs/spec/conventions.md). UV origin
/// top-left, V down. Faces are front when their corners run clockwise seen from outside. Importers convert into this space and
/// exporters convert out of it, so nothing in between asks "which axis". Everything is a value and refers by index.
namespace gomkit::model {

using Vec2 = runtime::Vec2<double>;
using Vec3 = runtime::Vec3<double>;
using Vec4 = runtime::Vec4<double>;
using Quat = runtime::Quat<double>;
using Mat4 = runtime::Mat4<double>;
using Transform = runtime::Transform<double>;

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFu;

/// An index into one of Model's vectors that cannot be mixed up with another kind's.
template <class Tag>
struct Id {
    std::uint32_t value = kNoIndex;
    [[nodiscard]] bool valid() const { return value != kNoIndex; }
    auto operator<=>(const Id&) const = default;
};
using NodeId = Id<struct NodeTag>;
using MeshId = Id<struct MeshTag>;
using MaterialId = Id<struct MaterialTag>;

/// Where an element came from, so that an exporter's complaint can name the artist's object.
struct Origin {
    std::string path;            ///< e.g. "Armature/Hips"; empty when made by us
    std::uint32_t index = kNoIndex;  ///< position among its kind in the source
};

/// Something that an artist has written on a node.
struct UserProperty {
    std::string name;
    std::string type;            ///< in the source's words: "integer", "string", "color"
    std::variant<std::int64_t, std::vector<double>, std::string> value;
    bool operator==(const UserProperty&) const = default;
};

/// A node of the scene tree. Parents come before their children in Model::nodes.
struct Node {
    std::string name;
    NodeId parent;               ///< invalid for a root
    Transform rest;              ///< local transform (S * R * T) with no animation applied
    Mat4 bind_local;             ///< local matrix at bind, relative to the parent's bind; equals rest where no skin says otherwise
    bool bone = false;           ///< a bone attribute, or a skin links it
    bool visible = true;
    /// The bone path that the source format itself stores (GOM): kept as it is, since skeleton signatures depend on it.
    std::string stored_path;
    std::vector<UserProperty> properties;
    Origin origin;
};

/// One value per corner, point, face or mesh, through indices: `values[index_of_corner[c]]`.
template <class T>
struct Layer {
    std::string name;
    core::LargeVector<T> values;
    core::LargeVector<std::uint32_t> corner_index;  ///< one a corner, < values.size(); empty: the layer does not exist
    [[nodiscard]] bool exists() const { return !corner_index.empty(); }
};

/// What binds points to a bone.
struct Cluster {
    NodeId bone;
    Mat4 geometry_to_bone;       ///< the source's inverse bind: geometry space to bone space at bind
    bool operator==(const Cluster&) const = default;
};

/// One influence of a point. `cluster` indexes Skin::clusters.
struct Influence {
    std::uint32_t cluster = 0;
    double weight = 0;
    bool operator==(const Influence&) const = default;
};

/// How a mesh follows its bones. Weights are the source's own, in source order; pass::limit_weights makes four of them.
struct Skin {
    std::vector<Cluster> clusters;
    core::LargeVector<std::uint32_t> first;    ///< point_count + 1 offsets into `influences`
    core::LargeVector<Influence> influences;
    bool operator==(const Skin&) const = default;
};

/// Where a morph target has the points that it moves: offsets from the mesh's own, in its space.
struct MorphShape {
    std::string name;
    double weight = 1;                           ///< the channel's weight at which the shape is reached in full; never 0
    core::LargeVector<std::uint32_t> points;     ///< ascending, each once
    core::LargeVector<Vec3> offsets;             ///< one for each of `points`
    core::LargeVector<Vec3> normal_offsets;      ///< added to the normals of all corners at the point; empty: to be computed
};

/// A blend shape with its in-betweens. At weight w between two neighbours a and b of the list 0, shapes[0].weight, shapes[1].weight ...
/// the points are moved by both, a by (b - w) / (b - a), b by (w - a) / (b - a); beyond the ends the nearest two go on (0 moves nothing).
struct MorphChannel {
    std::string name;
    double default_weight = 0;                   ///< where nothing animates it; 1 is 100 %
    std::vector<MorphShape> shapes;              ///< ascending weights
};

/// Geometry. Polygons of any size over shared points, with per-corner layers. May be shared by several instances.
struct Mesh {
    std::string name;
    core::LargeVector<Vec3> points;
    core::LargeVector<std::uint32_t> corner_point;     ///< point of each corner; polygons follow one another
    core::LargeVector<std::uint32_t> polygon_first;    ///< polygon_count + 1 offsets into the corners; polygons have 3 or more corners
    std::vector<std::uint32_t> polygon_material; ///< slot (index into MeshInstance::materials) per polygon; empty: all slot 0
    Layer<Vec3> normals;                         ///< absent: to be generated
    Layer<Vec4> tangents;                        ///< w: +1 or -1, see conventions.md; absent: to be generated
    std::vector<Layer<Vec2>> uvs;                ///< the first is the one that GOM holds
    std::vector<Layer<Vec4>> colors;
    /// Only read when normals are generated: per corner, true where the edge from this corner to the next is hard.
    std::vector<bool> hard_edge;
    /// Per polygon, true where normals are generated without regard to neighbours; empty: all smooth.
    std::vector<bool> flat_polygon;
    std::optional<Skin> skin;
    std::vector<MorphChannel> morphs;            ///< applied before the skin
    /// The points are final vertices: every layer is indexed by the point, numbering and order are data and are kept, every
    /// polygon is a triangle, and every point has exactly four influences in storage order (or no skin).
    bool final_vertices = false;
    Origin origin;

    [[nodiscard]] std::size_t polygon_count() const { return polygon_first.empty() ? 0 : polygon_first.size() - 1; }
};

/// A mesh placed in the scene.
struct MeshInstance {
    std::string name;                    ///< the mesh node's
    MeshId mesh;
    NodeId node;                         ///< invalid: placed in model space directly
    Mat4 geometry_to_node;               ///< from the mesh's points to the node's space (model space without a node)
    std::vector<MaterialId> materials;   ///< one a slot; an invalid id stands for the default material
    bool visible = true;
    Origin origin;
};

enum class LightKind : std::uint8_t { Point, Directional, Spot, Area, Volume };
/// What the light loses with the distance d: nothing, or 1/d, 1/d^2, 1/d^3.
enum class LightDecay : std::uint8_t { None, Linear, Quadratic, Cubic };

/// A light, placed at its node's origin.
struct Light {
    std::string name;
    NodeId node;
    LightKind kind = LightKind::Point;
    Vec3 color{1, 1, 1};
    double intensity = 1;
    Vec3 direction{0, -1, 0};            ///< where it shines, in the node's space; unit length
    LightDecay decay = LightDecay::None;
    double inner_angle = 0;              ///< of a spot's cone from side to side, degrees: within this it is at its brightest,
    double outer_angle = 0;              ///< beyond this it is dark
    bool lit = true;
    bool casts_shadows = false;
    Origin origin;
};

/// A camera, placed at its node's origin.
struct Camera {
    std::string name;
    NodeId node;
    bool orthographic = false;
    Vec3 forward{0, 0, 1};               ///< where it looks, in the node's space; unit length
    Vec3 up{0, 1, 0};                    ///< likewise, at right angles to it
    Vec2 field_of_view{};                ///< horizontal and vertical, degrees; where it is not orthographic
    Vec2 size{};                         ///< width and height of what an orthographic camera sees, metres
    double aspect_ratio = 1;             ///< width to height of its picture
    double near_plane = 0;               ///< metres
    double far_plane = 0;
    Origin origin;
};

enum class TextureSlot : std::uint8_t { Diffuse, Normal, Specular, Emissive };
inline constexpr std::size_t kTextureSlots = 4;

/// A picture that a material refers to.
struct Texture {
    std::string path;                    ///< as it is to be written: relative, '/'-separated (gom.md, MATL); empty: none
    std::string source_relative;         ///< the source's own words, for looking the file up
    std::string source_absolute;
    std::string found;                   ///< where the file lies, "" when it was not found or not looked for
    std::vector<std::byte> content;      ///< embedded in the source; empty: none
    bool operator==(const Texture&) const = default;
};

/// Phong, numbers linear as authored.
struct Material {
    std::string name;
    Vec3 diffuse{1, 1, 1};
    Vec3 specular{0.04, 0.04, 0.04};
    Vec3 emissive{0, 0, 0};
    double shininess = 32;
    double opacity = 1;
    bool double_sided = false;
    bool unlit = false;
    bool alpha_blend = false;            ///< drawn translucent, also where opacity is 1 (the texture's alpha)
    std::uint32_t km3_draw_flags = 0;    ///< RAISED, SUNKEN and TWOCLIP of a KM3 (docs/spec/km3.md), kept as numbers
    std::array<std::uint32_t, kTextureSlots> textures{kNoIndex, kNoIndex, kNoIndex, kNoIndex};  ///< into Model::textures
    Origin origin;
};

template <class T>
struct Key {
    double time = 0;     ///< seconds since the clip's start
    T value{};
    /// This is the held end of a step: the value jumps right after it, to the key that follows. Its time is that key's, or just
    /// before it; float32 formats write it one float before.
    bool step_end = false;
    bool operator==(const Key&) const = default;
};

/// Keys of one node in one clip, linear in between (slerp for rotations), local to the node's parent. An empty channel keeps the
/// node's rest value.
struct Track {
    NodeId node;
    std::vector<Key<Vec3>> translation;
    std::vector<Key<Quat>> rotation;
    std::vector<Key<Vec3>> scale;
    bool operator==(const Track&) const = default;
};

/// Keys of the weight of one morph channel in one clip, linear in between.
struct MorphTrack {
    MeshId mesh;
    std::uint32_t channel = 0;                   ///< into Mesh::morphs
    std::vector<Key<double>> keys;
};

struct Clip {
    std::string name;
    /// The keys are a run-time format's stored values: relative to the parent *bone* (see SkeletonBone::fold), final in number,
    /// sign and order. Writers of such formats take them over as they are.
    bool final_keys = false;
    double duration = 0;         ///< seconds
    double source_start = 0;     ///< the source's time that became 0
    std::optional<double> source_fps;  ///< of the file it came from, where that is not the model's: frames a second, 0: none
    NodeId root;                 ///< root-motion bone; invalid: none
    bool has_root_motion = false;
    bool loop = false;
    std::vector<Track> tracks;   ///< at most one a node
    std::vector<MorphTrack> morph_tracks;  ///< at most one a channel
    Origin origin;
};

/// What a source file says of itself, for `info` and for exporters that write back in the source's terms.
struct SourceInfo {
    std::string format;          ///< "fbx 7400 binary"
    std::string exporter;
    std::string profile;         ///< by which it was read: "blender"; "": formats that have none
    std::string program;         ///< the artist's program and its version, as far as it is recognised: "Blender 4.2.0"
    double unit_meters = 0;      ///< 0: not declared
    std::string axes;            ///< "right up front", e.g. "+X +Y +Z"; empty: not declared
    double fps = 0;
    std::array<std::uint8_t, 32> hash{};  ///< SHA-256 of the file; zeros: unknown
};

/// What a GOM keeps that other formats do not have.
struct GomExtras {
    std::optional<std::string> converter_version;
    std::uint32_t validation_flags = 0;
    bool operator==(const GomExtras&) const = default;
};

/// What an MTA has beside its clips. It knows bones by their position in the skeleton's path order only, without name or parent, so
/// such a model's nodes are placeholders: nodes[i] stands for position i, up to the last that a clip uses. They have no name, no
/// parent and are not bones, so that nobody takes them for a skeleton.
struct MtaExtras {
    std::array<std::uint8_t, 32> skeleton_signature{};
    std::optional<std::string> converter_version;
    bool operator==(const MtaExtras&) const = default;
};

/// Something that only the kept file has, by kind and count; exporters of other formats report it as lost.
struct HeldContent {
    std::string kind;
    std::uint64_t count = 0;
    bool operator==(const HeldContent&) const = default;
};

/// What a DxLib model holds that a Model does not, kept whole for an exporter of that format.
struct Mv1Extras {
    std::vector<std::byte> buffer;       ///< the decoded file (docs/spec/mv1.md); elements name theirs by Origin::index
    std::vector<HeldContent> held;
    bool operator==(const Mv1Extras&) const = default;
};

/// The same for a PS1M.
struct Ps1Extras {
    std::vector<std::byte> file;         ///< as our writer writes it (docs/spec/ps1m.md)
    std::vector<HeldContent> held;
    bool operator==(const Ps1Extras&) const = default;
};

struct Model {
    SourceInfo source;
    std::vector<Node> nodes;
    std::vector<Mesh> meshes;
    std::vector<MeshInstance> instances;
    std::vector<Light> lights;
    std::vector<Camera> cameras;
    std::vector<Material> materials;
    std::vector<Texture> textures;
    std::vector<Clip> clips;
    std::optional<GomExtras> gom;
    std::optional<MtaExtras> mta;        ///< set: a motion; everything but clips and placeholder nodes is empty
    std::optional<Km3Extras> km3;
    std::optional<Mv1Extras> mv1;
    std::optional<Ps1Extras> ps1;
};

}  // namespace gomkit::model
