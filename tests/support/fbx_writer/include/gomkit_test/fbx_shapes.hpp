// What tests need again and again: nodes, small meshes, skins, curves, and the transforms FBX makes of a node's properties.
#pragma once

#include "gomkit_test/fbx_scene.hpp"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace gomkit::testing::fbx {

// ---- scene building: each appends and returns a reference
NodeRef add_node(Scene& scene, std::string name, NodeRef parent = {}, Vec3 translation = {},
                 AttributeKind attribute = AttributeKind::Null);
NodeRef add_bone(Scene& scene, std::string name, NodeRef parent = {}, Vec3 translation = {});
MeshRef add_mesh(Scene& scene, Mesh mesh);
NodeRef add_mesh_node(Scene& scene, std::string name, MeshRef mesh, NodeRef parent = {}, std::vector<MaterialRef> materials = {});
MaterialRef add_material(Scene& scene, std::string name, Vec3 diffuse = {0.8, 0.8, 0.8});
// A texture and its video with these file names, linked to the material's property.
TextureRef add_texture(Scene& scene, MaterialRef material, std::string property, std::string relative_file_name,
                       std::string absolute_file_name = "");
// A stack with one layer, from start to stop.
LayerRef add_stack(Scene& scene, std::string name, double start_seconds, double stop_seconds);

// ---- meshes
// Axis-parallel cube about the origin: 8 points, 6 quads, 24 corner normals, one UV set "map1", material AllSame.
Mesh make_cube(double size = 1);
// A quad in the XY plane facing +Z with UVs 0..1.
Mesh make_quad(double width = 1, double height = 1);
// Corner indices of the distinct edges, in order of first appearance: Mesh::edges for smoothing by edge.
std::vector<std::int32_t> edges_of(const std::vector<std::vector<std::int32_t>>& polygons);
// Normal of each polygon (Newell), one per corner.
Layer<Vec3> flat_normals(const Mesh& mesh);

// ---- skinning
// Sets every cluster's Transform and TransformLink from the default pose of its bone and of the mesh node.
void bind_to_current_pose(Scene& scene, NodeRef mesh_node);
// BindPose object with the mesh node and all bones of its clusters (and their ancestors).
Pose bind_pose_of(const Scene& scene, NodeRef mesh_node);

// A strip in the XY plane, facing +Z, `segments` quads high, skinned to Root (y = 0) and Tip (y = height / 2): weights go
// linearly from Root at the bottom to Tip at the top.
struct Strip {
    Scene scene;
    NodeRef root;
    NodeRef tip;
    NodeRef mesh_node;
    MeshRef mesh;
};
Strip two_bone_strip(double width = 1, double height = 4, int segments = 4);

// ---- animation
std::int64_t ticks_at(double seconds);  // rounded to the nearest tick
std::int64_t ticks_at_frame(std::int64_t frame, std::int64_t frames_per_second);
// Keys at (seconds, value).
Curve curve_of(std::initializer_list<std::pair<double, double>> keys, Interpolation interpolation = Interpolation::Linear);
// Animates a property of three components ("Lcl Rotation" ...); an empty curve leaves its component un-keyed.
CurveNode& animate(Scene& scene, LayerRef layer, ObjectRef target, std::string property, Vec3 defaults, Curve x, Curve y,
                   Curve z);
// Animates a property of one component ("DeformPercent", "Visibility", "Weight" ...).
CurveNode& animate_number(Scene& scene, LayerRef layer, ObjectRef target, std::string property, double default_value,
                          Curve curve);

// ---- transforms (row vectors: p' = p * M; products apply left to right)
Mat4 multiply(const Mat4& a, const Mat4& b);
Mat4 inverse(const Mat4& m);  // general affine; throws std::domain_error when singular
Mat4 translation_matrix(Vec3 t);
Mat4 scaling_matrix(Vec3 s);
Mat4 rotation_matrix(Vec3 degrees, RotationOrder order = RotationOrder::Xyz);  // Spheric is taken as Xyz
Vec3 transform_point(Vec3 p, const Mat4& m);
// FBX's formula with pivots, offsets, pre and post rotation, for given T, R, S.
Mat4 local_matrix(const Node& node, Vec3 translation, Vec3 rotation, Vec3 scaling);
Mat4 local_matrix(const Node& node);  // its default values
// Product of the local matrices up to the root (inherit type RSrs; the others differ only where scales are not uniform).
Mat4 node_to_world(const Scene& scene, NodeRef node);
Mat4 geometry_to_node(const Node& node);

}  // namespace gomkit::testing::fbx
