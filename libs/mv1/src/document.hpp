#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// An .mv1 in memory, in the file's own words: every struct with every field as it is stored (offsets, counters and padding too),
/// every block of vertices or keys as its bytes, and where each lies in the decoded buffer. So encode(decode(f)) is f; what the
/// fields mean is in fields.hpp (names, order), blobs.hpp (blocks) and links.hpp (offsets as indices). docs/spec/mv1.md.
namespace gomkit::mv1 {

using Offset = std::uint32_t;   ///< into the decoded buffer; 0: none
using Blob = std::vector<std::byte>;

/// A stored number to count with.
[[nodiscard]] inline double wide(float v) { return static_cast<double>(v); }

/// Which bits of a change table belong to an element (mv1.md, change tables).
struct Change {
    std::uint32_t target = 0;
    Offset fill = 0;
    std::uint32_t check_bit = 0;
    std::uint32_t size = 0;
};

struct Header {
    std::array<std::uint8_t, 4> check_id{'M', 'V', '1', '1'};
    std::uint32_t version = 0;
    std::int32_t right_hand_type = 0;
    std::int32_t auto_create_normal = 0;
    std::int32_t draw_table_size = 0;
    std::int32_t matrix_table_size = 0;
    Offset draw_table = 0;
    Offset matrix_table = 0;
    std::int32_t frame_num = 0;
    Offset frame = 0;
    std::int32_t top_frame_num = 0;
    Offset first_top_frame = 0;
    Offset last_top_frame = 0;
    std::int32_t frame_use_skin_bone_num = 0;
    Offset frame_use_skin_bone = 0;
    std::int32_t material_num = 0;
    Offset material = 0;
    std::int32_t texture_num = 0;
    Offset texture = 0;
    std::int32_t mesh_num = 0;
    Offset mesh = 0;
    std::int32_t light_num = 0;
    Offset light = 0;
    std::int32_t skin_bone_num = 0;
    Offset skin_bone = 0;
    std::int32_t skin_bone_use_frame_num = 0;
    Offset skin_bone_use_frame = 0;
    std::int32_t triangle_list_num = 0;
    Offset triangle_list = 0;
    Offset vertex_data = 0;
    std::uint32_t vertex_data_size = 0;
    std::int32_t list_normal_position_num = 0;
    std::int32_t list_skin_4b_num = 0;
    std::int32_t list_skin_8b_num = 0;
    std::int32_t list_skin_free_size = 0;
    std::int32_t mesh_position_size = 0;
    std::int32_t mesh_normal_num = 0;
    std::int32_t mesh_vertex_size = 0;
    std::int32_t mesh_face_num = 0;
    std::int32_t mesh_vertex_index_num = 0;
    std::int32_t list_index_num = 0;
    std::int32_t triangle_num = 0;
    std::int32_t list_vertex_num = 0;
    std::int32_t string_size = 0;
    Offset string_buffer = 0;
    std::int32_t original_key_data_size = 0;
    std::int32_t key_data_size = 0;
    Offset key_data = 0;
    std::int32_t key_set_num = 0;
    std::int32_t key_set_unit_size = 0;
    Offset key_set = 0;
    std::int32_t anim_num = 0;
    std::int32_t anim_unit_size = 0;
    Offset anim = 0;
    std::int32_t anim_set_num = 0;
    Offset anim_set = 0;
    std::array<std::uint32_t, 4> user_data{};
    Offset shape = 0;
    Offset physics = 0;
    std::uint8_t material_number_order_draw = 0;
    std::uint8_t is_string_utf8 = 0;
    std::array<std::uint8_t, 2> padding1{};
    std::array<std::uint32_t, 13> padding2{};
};

/// MV1_FRAME_F1. Files of the first writers end it at user_data and 32 zero bytes (Document::frame_size 248).
struct Frame {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::uint32_t name = 0;
    std::int32_t index = 0;
    Change draw_change;
    Change matrix_change;
    std::int32_t total_mesh_num = 0;
    std::int32_t total_child_num = 0;
    Offset parent = 0;
    Offset first_child = 0;
    Offset last_child = 0;
    Offset prev = 0;
    Offset next = 0;
    std::array<float, 3> translate{};
    std::array<float, 3> scale{1, 1, 1};
    std::array<float, 3> rotate{};
    std::int32_t rotate_order = 0;
    std::array<float, 4> quaternion{0, 0, 0, 1};
    std::uint32_t flag = 0;
    std::int32_t is_skin_mesh = 0;
    std::int32_t triangle_num = 0;
    std::int32_t vertex_num = 0;
    std::int32_t mesh_num = 0;
    Offset mesh = 0;
    std::int32_t skin_bone_num = 0;
    Offset skin_bone = 0;
    std::int32_t use_skin_bone_num = 0;
    Offset use_skin_bone = 0;
    Offset light = 0;
    std::uint16_t vert_flag = 0;
    std::uint16_t max_bone_blend_num = 0;
    float smoothing_angle = 0;
    std::int32_t auto_create_normal = 0;
    std::int32_t position_num = 0;
    std::int32_t normal_num = 0;
    Offset position_data = 0;
    std::array<std::uint32_t, 4> user_data{};
    Offset frame_shape = 0;
    std::array<float, 3> pre_rotate{};
    std::array<float, 3> post_rotate{};
    std::array<std::uint32_t, 8> padding{};
    Blob blob;               ///< positions, weights, normals
};

/// MV1_MESH_F1
struct Mesh {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::int32_t index = 0;
    Offset container = 0;
    Offset material = 0;
    Change change;
    std::int32_t use_diffuse_color = 0;
    std::int32_t use_specular_color = 0;
    std::uint8_t not_one_diffuse_alpha = 0;
    std::uint8_t shape = 0;
    std::array<std::uint8_t, 2> padding2{};
    std::int32_t list_num = 0;
    Offset list = 0;
    std::uint8_t visible = 1;
    std::uint8_t back_culling = 0;
    std::uint8_t uv_set_num = 0;
    std::uint8_t uv_unit_num = 2;
    std::int32_t vert_flag = 0;
    std::int32_t vertex_num = 0;
    std::int32_t face_num = 0;
    Offset vertex_data = 0;
    std::array<std::uint32_t, 4> user_data{};
    std::array<std::uint32_t, 4> padding{};
    Blob blob;               ///< position and normal indices, colours, UVs, outline bits
};

/// MV1_TRIANGLE_LIST_F1
struct TriangleList {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::int32_t index = 0;
    Offset container = 0;
    std::uint16_t vertex_type = 0;
    std::uint16_t flag = 0;
    std::uint16_t vertex_num = 0;
    std::uint16_t index_num = 0;
    Offset data = 0;
    std::array<std::uint32_t, 2> padding{};
    Blob blob;               ///< bones, mesh vertices, indices
};

/// MV1_SKIN_BONE_F1
struct SkinBone {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::int32_t index = 0;
    std::int32_t bone_frame = 0;
    std::array<float, 12> model_local{};   ///< 3 rows of 4, translation at 3, 7, 11
    std::int32_t is_translate_only = 0;
    std::int32_t use_frame_num = 0;
    Offset use_frame = 0;
    std::array<std::uint32_t, 2> padding{};
};

/// MV1_SKIN_BONE_USE_FRAME_F1
struct UseFrame {
    Offset at = 0;
    std::int32_t index = 0;
    std::int32_t matrix_index = 0;
};

/// MV1_MATERIAL_LAYER_F1
struct Layer {
    std::int32_t texture = -1;
    std::int32_t blend_type = 0;
    std::array<std::uint32_t, 4> padding{};
};

/// MV1_MATERIAL_F1
struct Material {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::uint32_t name = 0;
    std::int32_t index = 0;
    std::array<float, 4> diffuse{};
    std::array<float, 4> ambient{};
    std::array<float, 4> specular{};
    std::array<float, 4> emissive{};
    float power = 0;
    float alpha = 0;
    std::int32_t diffuse_layer_num = 0;
    std::array<Layer, 8> diffuse_layer;
    std::int32_t specular_layer_num = 0;
    std::array<Layer, 8> specular_layer;
    std::int32_t normal_layer_num = 0;
    std::array<Layer, 8> normal_layer;
    std::int32_t use_alpha_test = 0;
    std::int32_t alpha_func = 0;
    std::int32_t alpha_ref = 0;
    std::int32_t blend_mode = 1;
    std::int32_t blend_param = 255;
    std::array<std::uint32_t, 4> user_data{};
    Offset toon = 0;
    std::array<std::uint32_t, 3> padding{};
};

/// MV1_MATERIAL_TOON_F1
struct Toon {
    Offset at = 0;
    std::int32_t type = 0;
    std::int32_t diffuse_grad_texture = -1;
    std::int32_t specular_grad_texture = -1;
    std::int32_t diffuse_grad_blend = 2;
    std::int32_t specular_grad_blend = 1;
    float outline_width = 0;
    std::array<float, 4> outline_color{};
    float outline_dot_width = 0;
    std::uint8_t enable_sphere_map = 0;
    std::uint8_t sphere_map_blend = 0;
    std::int16_t sphere_map_texture = 0;
    std::array<std::uint32_t, 2> padding{};
};

/// MV1_TEXTURE_F1
struct Texture {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::uint32_t name = 0;
    std::int32_t index = 0;
    std::uint32_t color_path = 0;    ///< into the string pool; 0: none
    std::uint32_t alpha_path = 0;
    std::int32_t bump_flag = 0;
    float bump_length = 0;
    std::int32_t address_u = 1;
    std::int32_t address_v = 1;
    std::int32_t filter = 0;
    std::array<std::uint32_t, 2> user_data{};
    std::uint8_t flag = 0;
    std::array<std::uint8_t, 3> padding1{};
    float scale_u = 1;
    float scale_v = 1;
    std::uint32_t padding = 0;
};

/// MV1_LIGHT_F1
struct Light {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::uint32_t name = 0;
    std::int32_t index = 0;
    std::int32_t frame_index = 0;
    std::int32_t type = 0;
    std::array<float, 4> diffuse{};
    std::array<float, 4> specular{};
    std::array<float, 4> ambient{};
    float range = 0;
    float falloff = 0;
    float attenuation0 = 0;
    float attenuation1 = 0;
    float attenuation2 = 0;
    float theta = 0;
    float phi = 0;
    std::array<std::uint32_t, 2> user_data{};
};

/// MV1_ANIMSET_F1
struct AnimSet {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::uint32_t name = 0;
    std::int32_t index = 0;
    float max_time = 0;
    std::int32_t anim_num = 0;
    Offset anim = 0;
    std::array<std::uint32_t, 4> user_data{};
    std::uint32_t flag = 0;
    std::array<std::uint32_t, 3> padding{};
};
/// A set without animations whose time is negative is no clip (MV1-CLIP-1).
[[nodiscard]] inline bool is_clip(const AnimSet& set) { return set.anim_num != 0 || set.max_time >= 0; }

/// MV1_ANIM_F1
struct Anim {
    Offset at = 0;
    std::int32_t index = 0;
    Offset container = 0;
    std::int32_t target_frame = 0;
    float max_time = 0;
    std::int32_t rotate_order = 0;
    std::int32_t key_set_num = 0;
    Offset key_set = 0;
    std::array<std::uint32_t, 2> user_data{};
    std::array<std::uint32_t, 2> padding{};
};

/// MV1_ANIM_KEYSET_F1
struct KeySet {
    Offset at = 0;
    std::int8_t type = 0;
    std::int8_t data_type = 0;
    std::uint16_t flag = 0;
    Offset key_data = 0;
    std::uint32_t user_data = 0;
    std::array<std::uint32_t, 2> padding{};
    Blob blob;               ///< the key block
};

/// MV1_FILEHEAD_SHAPE_F1
struct ShapeHeader {
    Offset at = 0;
    std::int32_t frame_num = 0;
    Offset frame = 0;
    std::int32_t data_num = 0;
    Offset data = 0;
    std::int32_t mesh_num = 0;
    Offset mesh = 0;
    std::int32_t vertex_num = 0;
    Offset vertex = 0;
    std::int32_t press_vertex_data_size = 0;
    Offset press_vertex_data = 0;
    std::int32_t target_mesh_vertex_num = 0;
    std::int32_t vertex_unit_size = 28;
    std::int32_t normal_position_num = 0;
    std::int32_t skin_4b_num = 0;
    std::int32_t skin_8b_num = 0;
    std::int32_t skin_free_size = 0;
    std::array<std::uint32_t, 4> user_data{};
    std::array<std::uint32_t, 4> padding{};
};

/// MV1_FRAME_SHAPE_F1
struct FrameShape {
    Offset at = 0;
    std::int32_t shape_num = 0;
    Offset shape = 0;
};

/// MV1_SHAPE_F1
struct Shape {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::uint32_t name = 0;
    std::int32_t index = 0;
    Offset container = 0;
    std::int32_t mesh_num = 0;
    Offset mesh = 0;
    std::array<std::uint32_t, 4> user_data{};
    std::array<std::uint32_t, 4> padding{};
};

/// MV1_SHAPE_MESH_F1
struct ShapeMesh {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::int32_t index = 0;
    Offset target_mesh = 0;
    std::uint16_t is_press = 0;
    std::uint16_t press_param = 0;
    std::uint32_t vertex_num = 0;
    Offset vertex = 0;
    std::array<std::uint32_t, 4> user_data{};
    std::array<std::uint32_t, 4> padding{};
};

/// MV1_SHAPE_VERTEX_F1
struct ShapeVertex {
    Offset at = 0;
    std::int32_t target_vertex = 0;
    std::array<float, 3> position{};
    std::array<float, 3> normal{};
};

/// MV1_FILEHEAD_PHYSICS_F1
struct PhysicsHeader {
    Offset at = 0;
    float gravity = 0;
    std::int32_t rigid_num = 0;
    Offset rigid = 0;
    std::int32_t joint_num = 0;
    Offset joint = 0;
    std::array<std::uint32_t, 4> user_data{};
    std::array<std::uint32_t, 4> padding{};
};

/// MV1_PHYSICS_RIGIDBODY_F1
struct Rigid {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::uint32_t name = 0;
    std::int32_t index = 0;
    Offset target_frame = 0;
    std::int32_t group_index = 0;
    std::uint32_t group_target = 0;
    std::int32_t shape_type = 0;
    float shape_w = 0;
    float shape_h = 0;
    float shape_d = 0;
    std::array<float, 3> position{};
    std::array<float, 3> rotation{};
    float weight = 0;
    float position_damping = 0;
    float rotation_damping = 0;
    float recoil = 0;
    float friction = 0;
    std::int32_t body_type = 0;
    std::int32_t no_copy_to_bone = 0;
    std::array<std::uint32_t, 4> user_data{};
    std::array<std::uint32_t, 4> padding{};
};

/// MV1_PHYSICS_JOINT_F1
struct Joint {
    Offset at = 0;
    Offset dim_prev = 0;
    Offset dim_next = 0;
    std::uint32_t name = 0;
    std::int32_t index = 0;
    Offset rigid_a = 0;
    Offset rigid_b = 0;
    std::array<float, 3> position{};
    std::array<float, 3> rotation{};
    std::array<float, 3> position_low{};
    std::array<float, 3> position_high{};
    std::array<float, 3> rotation_low{};
    std::array<float, 3> rotation_high{};
    std::array<float, 3> spring_position{};
    std::array<float, 3> spring_rotation{};
    std::array<std::uint32_t, 4> user_data{};
    std::array<std::uint32_t, 4> padding{};
};

/// Bytes that belong to no struct or block: padding that is not zero, and what nothing points to.
struct Loose {
    Offset at = 0;
    Blob bytes;
};

struct Document {
    std::uint32_t size = 0;              ///< of the decoded buffer, magic included
    std::uint32_t frame_size = 276;      ///< 248 in files of the first writers
    Header header;
    Blob draw_table;
    Blob matrix_table;
    std::vector<Frame> frames;
    std::vector<Offset> frame_use_skin_bones;   ///< offsets of skin bones, grouped by frame
    std::vector<Material> materials;
    std::vector<Toon> toons;             ///< in the order of the materials that have one
    std::vector<Light> lights;
    std::vector<Texture> textures;
    std::vector<Mesh> meshes;
    std::vector<SkinBone> skin_bones;
    std::vector<UseFrame> use_frames;
    std::vector<TriangleList> lists;
    std::optional<ShapeHeader> shape;
    std::vector<FrameShape> frame_shapes;
    std::vector<Shape> shapes;
    std::vector<ShapeMesh> shape_meshes;
    std::vector<ShapeVertex> shape_vertices;
    std::optional<PhysicsHeader> physics;
    std::vector<Rigid> rigids;
    std::vector<Joint> joints;
    std::vector<KeySet> key_sets;
    std::vector<Anim> anims;
    std::vector<AnimSet> anim_sets;
    Blob strings;
    std::vector<Loose> loose;            ///< ascending; zero bytes outside everything are not listed
};

}  // namespace gomkit::mv1
