#include "gomkit_test/fbx_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace gomkit::testing::fbx {
namespace {

constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180.0;

double& at(Mat4& m, std::size_t row, std::size_t column) { return m[row * 4 + column]; }
double at(const Mat4& m, std::size_t row, std::size_t column) { return m[row * 4 + column]; }

Vec3 negated(Vec3 v) { return {-v[0], -v[1], -v[2]}; }

// Counter-clockwise about the axis, for row vectors.
Mat4 axis_rotation(std::size_t axis, double degrees) {
    const double s = std::sin(degrees * kRadiansPerDegree);
    const double c = std::cos(degrees * kRadiansPerDegree);
    const std::size_t i = (axis + 1) % 3;
    const std::size_t j = (axis + 2) % 3;
    Mat4 m = kIdentity;
    at(m, i, i) = c;
    at(m, i, j) = s;
    at(m, j, i) = -s;
    at(m, j, j) = c;
    return m;
}

}  // namespace

NodeRef add_node(Scene& scene, std::string name, NodeRef parent, Vec3 translation, AttributeKind attribute) {
    Node node;
    node.name = std::move(name);
    node.parent = parent;
    node.translation = translation;
    node.attribute = attribute;
    scene.nodes.push_back(std::move(node));
    return {scene.nodes.size() - 1};
}

NodeRef add_bone(Scene& scene, std::string name, NodeRef parent, Vec3 translation) {
    return add_node(scene, std::move(name), parent, translation, AttributeKind::LimbNode);
}

MeshRef add_mesh(Scene& scene, Mesh mesh) {
    scene.meshes.push_back(std::move(mesh));
    return {scene.meshes.size() - 1};
}

NodeRef add_mesh_node(Scene& scene, std::string name, MeshRef mesh, NodeRef parent, std::vector<MaterialRef> materials) {
    const NodeRef node = add_node(scene, std::move(name), parent, {}, AttributeKind::Mesh);
    scene[node].mesh = mesh;
    scene[node].materials = std::move(materials);
    return node;
}

MaterialRef add_material(Scene& scene, std::string name, Vec3 diffuse) {
    Material material;
    material.name = std::move(name);
    material.diffuse = diffuse;
    scene.materials.push_back(std::move(material));
    return {scene.materials.size() - 1};
}

TextureRef add_texture(Scene& scene, MaterialRef material, std::string property, std::string relative_file_name,
                       std::string absolute_file_name) {
    Video video;
    video.name = relative_file_name;
    video.relative_file_name = relative_file_name;
    video.absolute_file_name = absolute_file_name;
    scene.videos.push_back(std::move(video));
    Texture texture;
    texture.name = relative_file_name;
    texture.relative_file_name = std::move(relative_file_name);
    texture.absolute_file_name = std::move(absolute_file_name);
    texture.video = {scene.videos.size() - 1};
    scene.textures.push_back(std::move(texture));
    const TextureRef ref{scene.textures.size() - 1};
    scene[material].textures.push_back({std::move(property), ref});
    return ref;
}

LayerRef add_stack(Scene& scene, std::string name, double start_seconds, double stop_seconds) {
    AnimationStack stack;
    stack.name = std::move(name);
    stack.local_start = ticks_at(start_seconds);
    stack.local_stop = ticks_at(stop_seconds);
    stack.reference_start = stack.local_start;
    stack.reference_stop = stack.local_stop;
    stack.layers.resize(1);
    scene.stacks.push_back(std::move(stack));
    return {scene.stacks.size() - 1, 0};
}

Layer<Vec3> flat_normals(const Mesh& mesh) {
    Layer<Vec3> layer;
    for (const auto& polygon : mesh.polygons) {
        Vec3 n{};
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            const Vec3& a = mesh.points.at(static_cast<std::size_t>(polygon[k]));
            const Vec3& b = mesh.points.at(static_cast<std::size_t>(polygon[(k + 1) % polygon.size()]));
            n[0] += (a[1] - b[1]) * (a[2] + b[2]);
            n[1] += (a[2] - b[2]) * (a[0] + b[0]);
            n[2] += (a[0] - b[0]) * (a[1] + b[1]);
        }
        const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (length > 0) {
            n = {n[0] / length, n[1] / length, n[2] / length};
        }
        layer.values.insert(layer.values.end(), polygon.size(), n);
    }
    return layer;
}

Mesh make_cube(double size) {
    const double h = size / 2;
    Mesh mesh;
    mesh.name = "Cube";
    for (std::size_t i = 0; i < 8; ++i) {
        mesh.points.push_back({(i & 1U) != 0 ? h : -h, (i & 2U) != 0 ? h : -h, (i & 4U) != 0 ? h : -h});
    }
    mesh.polygons = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    mesh.normals.push_back(flat_normals(mesh));
    Layer<Vec2> uv;
    uv.name = "map1";
    uv.reference = Reference::IndexToDirect;
    uv.values = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
        uv.indices.insert(uv.indices.end(), {0, 1, 2, 3});
    }
    mesh.uvs.push_back(std::move(uv));
    mesh.materials.emplace();
    return mesh;
}

Mesh make_quad(double width, double height) {
    const double x = width / 2;
    const double y = height / 2;
    Mesh mesh;
    mesh.name = "Quad";
    mesh.points = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
    mesh.polygons = {{0, 1, 2, 3}};
    mesh.normals.push_back(flat_normals(mesh));
    Layer<Vec2> uv;
    uv.name = "map1";
    uv.values = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    mesh.uvs.push_back(std::move(uv));
    mesh.materials.emplace();
    return mesh;
}

std::vector<std::int32_t> edges_of(const std::vector<std::vector<std::int32_t>>& polygons) {
    std::vector<std::int32_t> edges;
    std::set<std::pair<std::int32_t, std::int32_t>> seen;
    std::int32_t corner = 0;
    for (const auto& polygon : polygons) {
        for (std::size_t k = 0; k < polygon.size(); ++k, ++corner) {
            const std::int32_t a = polygon[k];
            const std::int32_t b = polygon[(k + 1) % polygon.size()];
            if (seen.insert(std::minmax(a, b)).second) {
                edges.push_back(corner);
            }
        }
    }
    return edges;
}

void bind_to_current_pose(Scene& scene, NodeRef mesh_node) {
    const Mat4 geometry_to_world = multiply(geometry_to_node(scene[mesh_node]), node_to_world(scene, mesh_node));
    for (Skin& skin : scene[scene[mesh_node].mesh].skins) {
        for (Cluster& cluster : skin.clusters) {
            const Mat4 bone_to_world = node_to_world(scene, cluster.bone);
            cluster.transform_link = bone_to_world;
            cluster.transform = multiply(geometry_to_world, inverse(bone_to_world));
        }
    }
}

Pose bind_pose_of(const Scene& scene, NodeRef mesh_node) {
    std::set<std::size_t> members = {mesh_node.index};
    for (const Skin& skin : scene[scene[mesh_node].mesh].skins) {
        for (const Cluster& cluster : skin.clusters) {
            for (NodeRef n = cluster.bone; n; n = scene[n].parent) {
                members.insert(n.index);
            }
        }
    }
    Pose pose;
    for (const std::size_t index : members) {
        pose.nodes.push_back({NodeRef{index}, node_to_world(scene, NodeRef{index})});
    }
    return pose;
}

Strip two_bone_strip(double width, double height, int segments) {
    Strip strip;
    strip.root = add_bone(strip.scene, "Root");
    strip.tip = add_bone(strip.scene, "Tip", strip.root, {0, height / 2, 0});
    Mesh mesh;
    mesh.name = "Strip";
    Layer<Vec2> uv;
    uv.name = "map1";
    uv.mapping = Mapping::ByVertex;
    Cluster root_cluster;
    root_cluster.name = "Root";
    root_cluster.bone = strip.root;
    Cluster tip_cluster;
    tip_cluster.name = "Tip";
    tip_cluster.bone = strip.tip;
    for (std::int32_t i = 0; i <= segments; ++i) {
        const double t = static_cast<double>(i) / segments;
        for (std::int32_t side = 0; side < 2; ++side) {
            mesh.points.push_back({side == 0 ? -width / 2 : width / 2, t * height, 0});
            uv.values.push_back({static_cast<double>(side), t});
            const std::int32_t point = i * 2 + side;
            if (t < 1) {
                root_cluster.indexes.push_back(point);
                root_cluster.weights.push_back(1 - t);
            }
            if (t > 0) {
                tip_cluster.indexes.push_back(point);
                tip_cluster.weights.push_back(t);
            }
        }
        if (i > 0) {
            const std::int32_t p = i * 2;
            mesh.polygons.push_back({p - 2, p - 1, p + 1, p});
        }
    }
    mesh.normals.push_back(flat_normals(mesh));
    mesh.uvs.push_back(std::move(uv));
    mesh.materials.emplace();
    Skin skin;
    skin.clusters = {std::move(root_cluster), std::move(tip_cluster)};
    mesh.skins.push_back(std::move(skin));
    strip.mesh = add_mesh(strip.scene, std::move(mesh));
    strip.mesh_node = add_mesh_node(strip.scene, "Strip", strip.mesh, {}, {add_material(strip.scene, "StripMaterial")});
    bind_to_current_pose(strip.scene, strip.mesh_node);
    strip.scene.poses.push_back(bind_pose_of(strip.scene, strip.mesh_node));
    return strip;
}

std::int64_t ticks_at(double seconds) { return std::llround(seconds * static_cast<double>(kTicksPerSecond)); }

std::int64_t ticks_at_frame(std::int64_t frame, std::int64_t frames_per_second) {
    return frame * kTicksPerSecond / frames_per_second;
}

Curve curve_of(std::initializer_list<std::pair<double, double>> keys, Interpolation interpolation) {
    Curve curve;
    for (const auto& [seconds, value] : keys) {
        Key key;
        key.time = ticks_at(seconds);
        key.value = value;
        key.interpolation = interpolation;
        curve.keys.push_back(key);
    }
    return curve;
}

CurveNode& animate(Scene& scene, LayerRef layer, ObjectRef target, std::string property, Vec3 defaults, Curve x, Curve y,
                   Curve z) {
    CurveNode node;
    node.target = target;
    node.name = property == "Lcl Translation" ? "T"
                : property == "Lcl Rotation"  ? "R"
                : property == "Lcl Scaling"   ? "S"
                                              : property;
    node.property = std::move(property);
    std::size_t axis = 0;
    for (Curve* const curve : {&x, &y, &z}) {
        CurveChannel channel;
        channel.property = std::string("d|") + "XYZ"[axis];
        channel.default_value = defaults[axis];
        if (!curve->keys.empty()) {
            channel.curve = std::move(*curve);
        }
        node.channels.push_back(std::move(channel));
        ++axis;
    }
    scene[layer].curve_nodes.push_back(std::move(node));
    return scene[layer].curve_nodes.back();
}

CurveNode& animate_number(Scene& scene, LayerRef layer, ObjectRef target, std::string property, double default_value,
                          Curve curve) {
    CurveNode node;
    node.target = target;
    node.name = property;
    node.property = property;
    CurveChannel channel;
    channel.property = "d|" + property;
    channel.default_value = default_value;
    channel.curve = std::move(curve);
    node.channels.push_back(std::move(channel));
    scene[layer].curve_nodes.push_back(std::move(node));
    return scene[layer].curve_nodes.back();
}

Mat4 multiply(const Mat4& a, const Mat4& b) {
    Mat4 m{};
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                sum += at(a, r, k) * at(b, k, c);
            }
            at(m, r, c) = sum;
        }
    }
    return m;
}

Mat4 inverse(const Mat4& m) {
    Mat4 out = kIdentity;
    double determinant = 0;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t r1 = (r + 1) % 3;
            const std::size_t r2 = (r + 2) % 3;
            const std::size_t c1 = (c + 1) % 3;
            const std::size_t c2 = (c + 2) % 3;
            at(out, c, r) = at(m, r1, c1) * at(m, r2, c2) - at(m, r1, c2) * at(m, r2, c1);
            if (r == 0) {
                determinant += at(m, r, c) * at(out, c, r);
            }
        }
    }
    if (determinant == 0) {
        throw std::domain_error("singular matrix");
    }
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            at(out, r, c) /= determinant;
        }
    }
    for (std::size_t c = 0; c < 3; ++c) {
        at(out, 3, c) = -(at(m, 3, 0) * at(out, 0, c) + at(m, 3, 1) * at(out, 1, c) + at(m, 3, 2) * at(out, 2, c));
    }
    return out;
}

Mat4 translation_matrix(Vec3 t) { return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, t[0], t[1], t[2], 1}; }

Mat4 scaling_matrix(Vec3 s) { return {s[0], 0, 0, 0, 0, s[1], 0, 0, 0, 0, s[2], 0, 0, 0, 0, 1}; }

Mat4 rotation_matrix(Vec3 degrees, RotationOrder order) {
    static constexpr std::array<std::array<std::size_t, 3>, 7> axes = {{
        {0, 1, 2},
        {0, 2, 1},
        {1, 2, 0},
        {1, 0, 2},
        {2, 0, 1},
        {2, 1, 0},
        {0, 1, 2},
    }};
    Mat4 m = kIdentity;
    for (const std::size_t axis : axes.at(static_cast<std::size_t>(order))) {  // the first letter is applied first
        m = multiply(m, axis_rotation(axis, degrees[axis]));
    }
    return m;
}

Vec3 transform_point(Vec3 p, const Mat4& m) {
    Vec3 out{};
    for (std::size_t c = 0; c < 3; ++c) {
        out[c] = p[0] * at(m, 0, c) + p[1] * at(m, 1, c) + p[2] * at(m, 2, c) + at(m, 3, c);
    }
    return out;
}

// Column form in the SDK's documents: T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1; here reversed.
Mat4 local_matrix(const Node& node, Vec3 translation, Vec3 rotation, Vec3 scaling) {
    const Vec3 zero{};
    const Vec3 rotation_pivot = node.rotation_pivot.value_or(zero);
    const Vec3 scaling_pivot = node.scaling_pivot.value_or(zero);
    Mat4 m = translation_matrix(negated(scaling_pivot));
    m = multiply(m, scaling_matrix(scaling));
    m = multiply(m, translation_matrix(scaling_pivot));
    m = multiply(m, translation_matrix(node.scaling_offset.value_or(zero)));
    m = multiply(m, translation_matrix(negated(rotation_pivot)));
    m = multiply(m, inverse(rotation_matrix(node.post_rotation.value_or(zero))));
    m = multiply(m, rotation_matrix(rotation, node.rotation_order.value_or(RotationOrder::Xyz)));
    m = multiply(m, rotation_matrix(node.pre_rotation.value_or(zero)));
    m = multiply(m, translation_matrix(rotation_pivot));
    m = multiply(m, translation_matrix(node.rotation_offset.value_or(zero)));
    return multiply(m, translation_matrix(translation));
}

Mat4 local_matrix(const Node& node) {
    return local_matrix(node, node.translation.value_or(Vec3{}), node.rotation.value_or(Vec3{}),
                        node.scaling.value_or(Vec3{1, 1, 1}));
}

Mat4 node_to_world(const Scene& scene, NodeRef node) {
    Mat4 m = kIdentity;
    for (NodeRef n = node; n; n = scene[n].parent) {
        m = multiply(m, local_matrix(scene[n]));
    }
    return m;
}

Mat4 geometry_to_node(const Node& node) {
    const Mat4 m = multiply(scaling_matrix(node.geometric_scaling.value_or(Vec3{1, 1, 1})),
                            rotation_matrix(node.geometric_rotation.value_or(Vec3{})));
    return multiply(m, translation_matrix(node.geometric_translation.value_or(Vec3{})));
}

}  // namespace gomkit::testing::fbx
