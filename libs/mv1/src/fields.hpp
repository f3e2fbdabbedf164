#pragma once

#include <cstdint>
#include <type_traits>

#include "document.hpp"

/// The structs of a file as lists of fields, in stored order (docs/spec/mv1.md, structs): the one place that knows the byte layout.
/// `fields(s, f)` calls f(name, member) or f(name, member, kind) for each; S may be const.
namespace gomkit::mv1 {

/// What a number is, for people and checks; the width is the member's type.
enum class Kind : std::uint8_t { Plain, Pointer, String };

namespace sizes {
inline constexpr std::uint32_t kHeader = 304;
inline constexpr std::uint32_t kHeaderGap = 128;   ///< zero bytes behind the header
inline constexpr std::uint32_t kFrame = 276;
inline constexpr std::uint32_t kOldFrame = 248;
inline constexpr std::uint32_t kMesh = 108;
inline constexpr std::uint32_t kList = 36;
inline constexpr std::uint32_t kSkinBone = 84;
inline constexpr std::uint32_t kUseFrame = 8;
inline constexpr std::uint32_t kChange = 16;
inline constexpr std::uint32_t kLayer = 24;
inline constexpr std::uint32_t kMaterial = 728;
inline constexpr std::uint32_t kToon = 56;
inline constexpr std::uint32_t kTexture = 68;
inline constexpr std::uint32_t kLight = 108;
inline constexpr std::uint32_t kAnimSet = 60;
inline constexpr std::uint32_t kAnim = 44;
inline constexpr std::uint32_t kKeySet = 20;
inline constexpr std::uint32_t kShapeHeader = 96;
inline constexpr std::uint32_t kFrameShape = 8;
inline constexpr std::uint32_t kShape = 60;
inline constexpr std::uint32_t kShapeMesh = 60;
inline constexpr std::uint32_t kShapeVertex = 28;
inline constexpr std::uint32_t kPhysicsHeader = 52;
inline constexpr std::uint32_t kRigid = 128;
inline constexpr std::uint32_t kJoint = 152;
}  // namespace sizes

template <class S, class T>
concept Is = std::is_same_v<std::remove_const_t<S>, T>;

template <class S, class F>
    requires Is<S, Change>
void fields(S& s, F&& f) {
    f("Target", s.target);
    f("Fill", s.fill, Kind::Pointer);
    f("CheckBit", s.check_bit);
    f("Size", s.size);
}

template <class S, class F>
    requires Is<S, Header>
void fields(S& s, F&& f) {
    f("CheckID", s.check_id);
    f("Version", s.version);
    f("RightHandType", s.right_hand_type);
    f("AutoCreateNormal", s.auto_create_normal);
    f("ChangeDrawMaterialTableSize", s.draw_table_size);
    f("ChangeMatrixTableSize", s.matrix_table_size);
    f("ChangeDrawMaterialTable", s.draw_table, Kind::Pointer);
    f("ChangeMatrixTable", s.matrix_table, Kind::Pointer);
    f("FrameNum", s.frame_num);
    f("Frame", s.frame, Kind::Pointer);
    f("TopFrameNum", s.top_frame_num);
    f("FirstTopFrame", s.first_top_frame, Kind::Pointer);
    f("LastTopFrame", s.last_top_frame, Kind::Pointer);
    f("FrameUseSkinBoneNum", s.frame_use_skin_bone_num);
    f("FrameUseSkinBone", s.frame_use_skin_bone, Kind::Pointer);
    f("MaterialNum", s.material_num);
    f("Material", s.material, Kind::Pointer);
    f("TextureNum", s.texture_num);
    f("Texture", s.texture, Kind::Pointer);
    f("MeshNum", s.mesh_num);
    f("Mesh", s.mesh, Kind::Pointer);
    f("LightNum", s.light_num);
    f("Light", s.light, Kind::Pointer);
    f("SkinBoneNum", s.skin_bone_num);
    f("SkinBone", s.skin_bone, Kind::Pointer);
    f("SkinBoneUseFrameNum", s.skin_bone_use_frame_num);
    f("SkinBoneUseFrame", s.skin_bone_use_frame, Kind::Pointer);
    f("TriangleListNum", s.triangle_list_num);
    f("TriangleList", s.triangle_list, Kind::Pointer);
    f("VertexData", s.vertex_data, Kind::Pointer);
    f("VertexDataSize", s.vertex_data_size);
    f("TriangleListNormalPositionNum", s.list_normal_position_num);
    f("TriangleListSkinPosition4BNum", s.list_skin_4b_num);
    f("TriangleListSkinPosition8BNum", s.list_skin_8b_num);
    f("TriangleListSkinPositionFREEBSize", s.list_skin_free_size);
    f("MeshPositionSize", s.mesh_position_size);
    f("MeshNormalNum", s.mesh_normal_num);
    f("MeshVertexSize", s.mesh_vertex_size);
    f("MeshFaceNum", s.mesh_face_num);
    f("MeshVertexIndexNum", s.mesh_vertex_index_num);
    f("TriangleListIndexNum", s.list_index_num);
    f("TriangleNum", s.triangle_num);
    f("TriangleListVertexNum", s.list_vertex_num);
    f("StringSize", s.string_size);
    f("StringBuffer", s.string_buffer, Kind::Pointer);
    f("OriginalAnimKeyDataSize", s.original_key_data_size);
    f("AnimKeyDataSize", s.key_data_size);
    f("AnimKeyData", s.key_data, Kind::Pointer);
    f("AnimKeySetNum", s.key_set_num);
    f("AnimKeySetUnitSize", s.key_set_unit_size);
    f("AnimKeySet", s.key_set, Kind::Pointer);
    f("AnimNum", s.anim_num);
    f("AnimUnitSize", s.anim_unit_size);
    f("Anim", s.anim, Kind::Pointer);
    f("AnimSetNum", s.anim_set_num);
    f("AnimSet", s.anim_set, Kind::Pointer);
    f("UserData", s.user_data);
    f("Shape", s.shape, Kind::Pointer);
    f("Physics", s.physics, Kind::Pointer);
    f("MaterialNumberOrderDraw", s.material_number_order_draw);
    f("IsStringUTF8", s.is_string_utf8);
    f("Padding1", s.padding1);
    f("Padding2", s.padding2);
}

template <class S, class F>
    requires Is<S, Frame>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Name", s.name, Kind::String);
    f("Index", s.index);
    f("ChangeDrawMaterialInfo", s.draw_change);
    f("ChangeMatrixInfo", s.matrix_change);
    f("TotalMeshNum", s.total_mesh_num);
    f("TotalChildNum", s.total_child_num);
    f("Parent", s.parent, Kind::Pointer);
    f("FirstChild", s.first_child, Kind::Pointer);
    f("LastChild", s.last_child, Kind::Pointer);
    f("Prev", s.prev, Kind::Pointer);
    f("Next", s.next, Kind::Pointer);
    f("Translate", s.translate);
    f("Scale", s.scale);
    f("Rotate", s.rotate);
    f("RotateOrder", s.rotate_order);
    f("Quaternion", s.quaternion);
    f("Flag", s.flag);
    f("IsSkinMesh", s.is_skin_mesh);
    f("TriangleNum", s.triangle_num);
    f("VertexNum", s.vertex_num);
    f("MeshNum", s.mesh_num);
    f("Mesh", s.mesh, Kind::Pointer);
    f("SkinBoneNum", s.skin_bone_num);
    f("SkinBone", s.skin_bone, Kind::Pointer);
    f("UseSkinBoneNum", s.use_skin_bone_num);
    f("UseSkinBone", s.use_skin_bone, Kind::Pointer);
    f("Light", s.light, Kind::Pointer);
    f("VertFlag", s.vert_flag);
    f("MaxBoneBlendNum", s.max_bone_blend_num);
    f("SmoothingAngle", s.smoothing_angle);
    f("AutoCreateNormal", s.auto_create_normal);
    f("PositionNum", s.position_num);
    f("NormalNum", s.normal_num);
    f("PositionAndNormalData", s.position_data, Kind::Pointer);
    f("UserData", s.user_data);
    f("FrameShape", s.frame_shape, Kind::Pointer);
    f("PreRotate", s.pre_rotate);
    f("PostRotate", s.post_rotate);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, Mesh>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Index", s.index);
    f("Container", s.container, Kind::Pointer);
    f("Material", s.material, Kind::Pointer);
    f("ChangeInfo", s.change);
    f("UseVertexDiffuseColor", s.use_diffuse_color);
    f("UseVertexSpecularColor", s.use_specular_color);
    f("NotOneDiffuseAlpha", s.not_one_diffuse_alpha);
    f("Shape", s.shape);
    f("Padding2", s.padding2);
    f("TriangleListNum", s.list_num);
    f("TriangleList", s.list, Kind::Pointer);
    f("Visible", s.visible);
    f("BackCulling", s.back_culling);
    f("UVSetUnitNum", s.uv_set_num);
    f("UVUnitNum", s.uv_unit_num);
    f("VertFlag", s.vert_flag);
    f("VertexNum", s.vertex_num);
    f("FaceNum", s.face_num);
    f("VertexData", s.vertex_data, Kind::Pointer);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, TriangleList>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Index", s.index);
    f("Container", s.container, Kind::Pointer);
    f("VertexType", s.vertex_type);
    f("Flag", s.flag);
    f("VertexNum", s.vertex_num);
    f("IndexNum", s.index_num);
    f("MeshVertexIndexAndIndexData", s.data, Kind::Pointer);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, SkinBone>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Index", s.index);
    f("BoneFrame", s.bone_frame);
    f("ModelLocalMatrix", s.model_local);
    f("ModelLocalMatrixIsTranslateOnly", s.is_translate_only);
    f("UseFrameNum", s.use_frame_num);
    f("UseFrame", s.use_frame, Kind::Pointer);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, UseFrame>
void fields(S& s, F&& f) {
    f("Index", s.index);
    f("MatrixIndex", s.matrix_index);
}

template <class S, class F>
    requires Is<S, Layer>
void fields(S& s, F&& f) {
    f("Texture", s.texture);
    f("BlendType", s.blend_type);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, Material>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Name", s.name, Kind::String);
    f("Index", s.index);
    f("Diffuse", s.diffuse);
    f("Ambient", s.ambient);
    f("Specular", s.specular);
    f("Emissive", s.emissive);
    f("Power", s.power);
    f("Alpha", s.alpha);
    f("DiffuseLayerNum", s.diffuse_layer_num);
    f("DiffuseLayer", s.diffuse_layer);
    f("SpecularLayerNum", s.specular_layer_num);
    f("SpecularLayer", s.specular_layer);
    f("NormalLayerNum", s.normal_layer_num);
    f("NormalLayer", s.normal_layer);
    f("UseAlphaTest", s.use_alpha_test);
    f("AlphaFunc", s.alpha_func);
    f("AlphaRef", s.alpha_ref);
    f("DrawBlendMode", s.blend_mode);
    f("DrawBlendParam", s.blend_param);
    f("UserData", s.user_data);
    f("ToonInfo", s.toon, Kind::Pointer);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, Toon>
void fields(S& s, F&& f) {
    f("Type", s.type);
    f("DiffuseGradTexture", s.diffuse_grad_texture);
    f("SpecularGradTexture", s.specular_grad_texture);
    f("DiffuseGradBlendType", s.diffuse_grad_blend);
    f("SpecularGradBlendType", s.specular_grad_blend);
    f("OutLineWidth", s.outline_width);
    f("OutLineColor", s.outline_color);
    f("OutLineDotWidth", s.outline_dot_width);
    f("EnableSphereMap", s.enable_sphere_map);
    f("SphereMapBlendType", s.sphere_map_blend);
    f("SphereMapTexture", s.sphere_map_texture);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, Texture>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Name", s.name, Kind::String);
    f("Index", s.index);
    f("ColorFilePath", s.color_path, Kind::String);
    f("AlphaFilePath", s.alpha_path, Kind::String);
    f("BumpImageFlag", s.bump_flag);
    f("BumpImageNextPixelLength", s.bump_length);
    f("AddressModeU", s.address_u);
    f("AddressModeV", s.address_v);
    f("FilterMode", s.filter);
    f("UserData", s.user_data);
    f("Flag", s.flag);
    f("Padding1", s.padding1);
    f("ScaleU", s.scale_u);
    f("ScaleV", s.scale_v);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, Light>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Name", s.name, Kind::String);
    f("Index", s.index);
    f("FrameIndex", s.frame_index);
    f("Type", s.type);
    f("Diffuse", s.diffuse);
    f("Specular", s.specular);
    f("Ambient", s.ambient);
    f("Range", s.range);
    f("Falloff", s.falloff);
    f("Attenuation0", s.attenuation0);
    f("Attenuation1", s.attenuation1);
    f("Attenuation2", s.attenuation2);
    f("Theta", s.theta);
    f("Phi", s.phi);
    f("UserData", s.user_data);
}

template <class S, class F>
    requires Is<S, AnimSet>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Name", s.name, Kind::String);
    f("Index", s.index);
    f("MaxTime", s.max_time);
    f("AnimNum", s.anim_num);
    f("Anim", s.anim, Kind::Pointer);
    f("UserData", s.user_data);
    f("Flag", s.flag);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, Anim>
void fields(S& s, F&& f) {
    f("Index", s.index);
    f("Container", s.container, Kind::Pointer);
    f("TargetFrameIndex", s.target_frame);
    f("MaxTime", s.max_time);
    f("RotateOrder", s.rotate_order);
    f("KeySetNum", s.key_set_num);
    f("KeySet", s.key_set, Kind::Pointer);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, KeySet>
void fields(S& s, F&& f) {
    f("Type", s.type);
    f("DataType", s.data_type);
    f("Flag", s.flag);
    f("KeyData", s.key_data, Kind::Pointer);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, ShapeHeader>
void fields(S& s, F&& f) {
    f("FrameNum", s.frame_num);
    f("Frame", s.frame, Kind::Pointer);
    f("DataNum", s.data_num);
    f("Data", s.data, Kind::Pointer);
    f("MeshNum", s.mesh_num);
    f("Mesh", s.mesh, Kind::Pointer);
    f("VertexNum", s.vertex_num);
    f("Vertex", s.vertex, Kind::Pointer);
    f("PressVertexDataSize", s.press_vertex_data_size);
    f("PressVertexData", s.press_vertex_data, Kind::Pointer);
    f("TargetMeshVertexNum", s.target_mesh_vertex_num);
    f("ShapeVertexUnitSize", s.vertex_unit_size);
    f("NormalPositionNum", s.normal_position_num);
    f("SkinPosition4BNum", s.skin_4b_num);
    f("SkinPosition8BNum", s.skin_8b_num);
    f("SkinPositionFREEBSize", s.skin_free_size);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, FrameShape>
void fields(S& s, F&& f) {
    f("ShapeNum", s.shape_num);
    f("Shape", s.shape, Kind::Pointer);
}

template <class S, class F>
    requires Is<S, Shape>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Name", s.name, Kind::String);
    f("Index", s.index);
    f("Container", s.container, Kind::Pointer);
    f("MeshNum", s.mesh_num);
    f("Mesh", s.mesh, Kind::Pointer);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, ShapeMesh>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Index", s.index);
    f("TargetMesh", s.target_mesh, Kind::Pointer);
    f("IsVertexPress", s.is_press);
    f("VertexPressParam", s.press_param);
    f("VertexNum", s.vertex_num);
    f("Vertex", s.vertex, Kind::Pointer);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, ShapeVertex>
void fields(S& s, F&& f) {
    f("TargetMeshVertex", s.target_vertex);
    f("Position", s.position);
    f("Normal", s.normal);
}

template <class S, class F>
    requires Is<S, PhysicsHeader>
void fields(S& s, F&& f) {
    f("WorldGravity", s.gravity);
    f("RigidBodyNum", s.rigid_num);
    f("RigidBody", s.rigid, Kind::Pointer);
    f("JointNum", s.joint_num);
    f("Joint", s.joint, Kind::Pointer);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, Rigid>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Name", s.name, Kind::String);
    f("Index", s.index);
    f("TargetFrame", s.target_frame, Kind::Pointer);
    f("RigidBodyGroupIndex", s.group_index);
    f("RigidBodyGroupTarget", s.group_target);
    f("ShapeType", s.shape_type);
    f("ShapeW", s.shape_w);
    f("ShapeH", s.shape_h);
    f("ShapeD", s.shape_d);
    f("Position", s.position);
    f("Rotation", s.rotation);
    f("RigidBodyWeight", s.weight);
    f("RigidBodyPosDim", s.position_damping);
    f("RigidBodyRotDim", s.rotation_damping);
    f("RigidBodyRecoil", s.recoil);
    f("RigidBodyFriction", s.friction);
    f("RigidBodyType", s.body_type);
    f("NoCopyToBone", s.no_copy_to_bone);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

template <class S, class F>
    requires Is<S, Joint>
void fields(S& s, F&& f) {
    f("DimPrev", s.dim_prev, Kind::Pointer);
    f("DimNext", s.dim_next, Kind::Pointer);
    f("Name", s.name, Kind::String);
    f("Index", s.index);
    f("RigidBodyA", s.rigid_a, Kind::Pointer);
    f("RigidBodyB", s.rigid_b, Kind::Pointer);
    f("Position", s.position);
    f("Rotation", s.rotation);
    f("ConstrainPosition1", s.position_low);
    f("ConstrainPosition2", s.position_high);
    f("ConstrainRotation1", s.rotation_low);
    f("ConstrainRotation2", s.rotation_high);
    f("SpringPosition", s.spring_position);
    f("SpringRotation", s.spring_rotation);
    f("UserData", s.user_data);
    f("Padding", s.padding);
}

/// Calls f(name, vector of elements, size of one) for every array of structs that a document has.
template <class D, class F>
void each_array(D& d, F&& f) {
    f("frame", d.frames, d.frame_size);
    f("material", d.materials, sizes::kMaterial);
    f("toon", d.toons, sizes::kToon);
    f("light", d.lights, sizes::kLight);
    f("texture", d.textures, sizes::kTexture);
    f("mesh", d.meshes, sizes::kMesh);
    f("skinBone", d.skin_bones, sizes::kSkinBone);
    f("useFrame", d.use_frames, sizes::kUseFrame);
    f("list", d.lists, sizes::kList);
    f("frameShape", d.frame_shapes, sizes::kFrameShape);
    f("shape", d.shapes, sizes::kShape);
    f("shapeMesh", d.shape_meshes, sizes::kShapeMesh);
    f("shapeVertex", d.shape_vertices, sizes::kShapeVertex);
    f("rigid", d.rigids, sizes::kRigid);
    f("joint", d.joints, sizes::kJoint);
    f("keySet", d.key_sets, sizes::kKeySet);
    f("anim", d.anims, sizes::kAnim);
    f("animSet", d.anim_sets, sizes::kAnimSet);
}

/// Elements that stand in a chain, and elements with a name.
template <class S>
concept Chained = requires(S s) { s.dim_next; };
template <class S>
concept Named = requires(S s) { s.name; };

}  // namespace gomkit::mv1
