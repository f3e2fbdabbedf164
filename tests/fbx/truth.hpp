#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scene_convert.hpp"

/// Where a scene's points are by FBX's own rules, computed from the description that was written and without any FBX reader; and where
/// a GOM has them at any time. Curves are linear, properties are one layer's. Scenes are Y up and right-handed.
namespace gomkit::fbx::test {

inline double value_at(const writer::Curve& curve, double seconds) {
    const auto time = [](const writer::Key& key) { return static_cast<double>(key.time) / static_cast<double>(writer::kTicksPerSecond); };
    const std::vector<writer::Key>& keys = curve.keys;
    if (seconds <= time(keys.front())) {
        return keys.front().value;
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (seconds <= time(keys[i])) {
            const double part = (seconds - time(keys[i - 1])) / (time(keys[i]) - time(keys[i - 1]));
            return keys[i - 1].value + (keys[i].value - keys[i - 1].value) * part;
        }
    }
    return keys.back().value;
}

class Truth {
public:
    explicit Truth(const writer::Scene& scene, double metres_per_unit = 1) : scene_(scene), unit_(metres_per_unit) {}

    /// Every point of every mesh, in GOM's space, at a time of the first layer of the first stack; without a time at the default values.
    [[nodiscard]] std::vector<Vec3d> points(std::optional<double> seconds = {}) const {
        std::vector<Global> world(scene_.nodes.size());
        for (std::size_t i = 0; i < world.size(); ++i) {  // parents are written before their children
            const writer::NodeRef parent = scene_.nodes[i].parent;
            world[i] = global(writer::NodeRef{i}, parent ? &world[parent.index] : nullptr, seconds);
        }
        std::vector<Vec3d> out;
        for (std::size_t i = 0; i < world.size(); ++i) {
            if (!scene_.nodes[i].mesh) {
                continue;
            }
            const writer::Mesh& mesh = scene_[scene_.nodes[i].mesh];
            const writer::Mat4 rigid = writer::multiply(writer::geometry_to_node(scene_.nodes[i]), world[i].matrix());
            for (std::size_t p = 0; p < mesh.points.size(); ++p) {
                out.push_back(to_gom(mesh.skins.empty() ? writer::transform_point(mesh.points[p], rigid) : skinned(mesh, p, world)));
            }
        }
        return out;
    }

private:
    // The SDK's documented split: a rotation, and what scales and shears before it.
    struct Global {
        writer::Mat4 rotation = writer::kIdentity;
        writer::Mat4 scale = writer::kIdentity;
        writer::Mat4 local_scale = writer::kIdentity;
        writer::Vec3 translation{};
        [[nodiscard]] writer::Mat4 matrix() const {
            return writer::multiply(writer::multiply(scale, rotation), writer::translation_matrix(translation));
        }
    };

    [[nodiscard]] writer::Vec3 property(writer::NodeRef node, const char* name, writer::Vec3 fallback, std::optional<double> seconds) const {
        if (seconds && !scene_.stacks.empty()) {
            for (const writer::CurveNode& curves : scene_.stacks[0].layers[0].curve_nodes) {
                if (curves.target == writer::ObjectRef(node) && curves.property == name) {
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        fallback[axis] = curves.channels[axis].curve ? value_at(*curves.channels[axis].curve, *seconds) : curves.channels[axis].default_value;
                    }
                }
            }
        }
        return fallback;
    }

    [[nodiscard]] Global global(writer::NodeRef ref, const Global* parent, std::optional<double> seconds) const {
        using namespace writer;
        const writer::Node& node = scene_[ref];
        const Vec3 t = property(ref, "Lcl Translation", node.translation.value_or(Vec3{}), seconds);
        const Vec3 r = property(ref, "Lcl Rotation", node.rotation.value_or(Vec3{}), seconds);
        const Vec3 s = property(ref, "Lcl Scaling", node.scaling.value_or(Vec3{1, 1, 1}), seconds);
        const Mat4 local = local_matrix(node, t, r, s);
        Mat4 rotation = local_matrix(node, {}, r, {1, 1, 1});
        rotation[12] = rotation[13] = rotation[14] = 0;
        Global out;
        out.local_scale = scaling_matrix(s);
        out.translation = {local[12], local[13], local[14]};
        if (parent == nullptr) {
            out.rotation = rotation;
            out.scale = out.local_scale;
            return out;
        }
        out.translation = writer::transform_point(out.translation, parent->matrix());
        out.rotation = multiply(rotation, parent->rotation);
        switch (node.inherit_type.value_or(InheritType::ParentRotationFirst)) {
            case InheritType::ParentScaleFirst: {
                const Mat4 linear = multiply(multiply(out.local_scale, rotation), multiply(parent->scale, parent->rotation));
                out.scale = multiply(linear, inverse(out.rotation));
                break;
            }
            case InheritType::ParentRotationFirst: out.scale = multiply(out.local_scale, parent->scale); break;
            case InheritType::IgnoreParentScale:
                out.scale = multiply(out.local_scale, multiply(inverse(parent->local_scale), parent->scale));
                break;
        }
        return out;
    }

    [[nodiscard]] writer::Vec3 skinned(const writer::Mesh& mesh, std::size_t point, const std::vector<Global>& world) const {
        writer::Vec3 sum{};
        double weights = 0;
        for (const writer::Cluster& cluster : mesh.skins[0].clusters) {
            for (std::size_t i = 0; i < cluster.indexes.size(); ++i) {
                if (static_cast<std::size_t>(cluster.indexes[i]) == point) {
                    const writer::Mat4 m = writer::multiply(*cluster.transform, world[cluster.bone.index].matrix());
                    const writer::Vec3 p = writer::transform_point(mesh.points[point], m);
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        sum[axis] += cluster.weights[i] * p[axis];
                    }
                    weights += cluster.weights[i];
                }
            }
        }
        return {sum[0] / weights, sum[1] / weights, sum[2] / weights};
    }

    [[nodiscard]] Vec3d to_gom(const writer::Vec3& p) const { return Vec3d{-p[0], p[1], p[2]} * unit_; }

    const writer::Scene& scene_;
    double unit_;
};

/// The matrices of all bones at any time, by gom.md 4: lerp, slerp.
inline std::vector<Mat4d> bone_models_at(const runtime::ModelView& view, std::uint32_t clip, double time) {
    std::vector<Mat4d> out;
    for (std::uint32_t i = 0; i < view.bone_count(); ++i) {
        out.push_back(runtime::matrix_cast<double>(view.bind_local(i)));
    }
    const auto wide = [](const runtime::Vec3f& v) { return Vec3d{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}; };
    const auto wide_quat = [](const runtime::Quatf& q) {
        return runtime::normalized(runtime::Quatd{static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z), static_cast<double>(q.w)});
    };
    const auto sample = [&](std::uint32_t count, auto key, auto mix) {
        std::uint32_t at = 0;
        while (at + 1 < count && static_cast<double>(key(at + 1).time_seconds) <= time) {
            ++at;
        }
        const double from = static_cast<double>(key(at).time_seconds);
        if (at + 1 == count || time <= from) {
            return mix(key(at).value, key(at).value, 0.0);
        }
        return mix(key(at).value, key(at + 1).value, (time - from) / (static_cast<double>(key(at + 1).time_seconds) - from));
    };
    const auto lerp = [&](const runtime::Vec3f& a, const runtime::Vec3f& b, double t) { return wide(a) + (wide(b) - wide(a)) * t; };
    for (const runtime::TrackView& track : view.clip(clip).tracks()) {
        runtime::Transformd t = runtime::decompose(out[track.bone_index()]);
        if (track.translation_count() != 0) {
            t.translation = sample(track.translation_count(), [&](std::uint32_t k) { return track.translation(k); }, lerp);
        }
        if (track.rotation_count() != 0) {
            t.rotation = sample(track.rotation_count(), [&](std::uint32_t k) { return track.rotation(k); },
                                [&](const runtime::Quatf& a, const runtime::Quatf& b, double part) { return runtime::slerp(wide_quat(a), wide_quat(b), part); });
        }
        if (track.scale_count() != 0) {
            t.scale = sample(track.scale_count(), [&](std::uint32_t k) { return track.scale(k); }, lerp);
        }
        out[track.bone_index()] = runtime::to_matrix(t);
    }
    for (std::uint32_t i = 0; i < view.bone_count(); ++i) {
        if (view.bone_parent(i) >= 0) {
            out[i] = out[i] * out[static_cast<std::size_t>(view.bone_parent(i))];
        }
    }
    return out;
}

/// All vertices of all parts in model space: at bind, or at a time of a clip.
inline std::vector<Vec3d> posed_points(const runtime::ModelView& view, std::optional<double> seconds = {}, std::uint32_t clip = 0) {
    const std::vector<Mat4d> models = seconds ? bone_models_at(view, clip, *seconds) : bone_models(view);
    std::vector<Vec3d> out;
    for (std::uint32_t p = 0; p < view.part_count(); ++p) {
        const runtime::MeshPartView part = view.part(p);
        const Mat4d gbtm = runtime::matrix_cast<double>(part.geometry_to_model());
        for (std::uint32_t i = 0; i < part.vertex_count(); ++i) {
            const runtime::Vertex v = part.vertex(i);
            const Vec3d point{static_cast<double>(v.position[0]), static_cast<double>(v.position[1]), static_cast<double>(v.position[2])};
            Vec3d skinned = part.is_skinned() ? Vec3d{0, 0, 0} : point;
            for (std::size_t k = 0; k < 4 && part.is_skinned(); ++k) {
                const Mat4d palette = runtime::matrix_cast<double>(part.inverse_bind(v.bone_index[k])) * models[v.bone_index[k]];
                skinned += transform_point(point, palette) * static_cast<double>(v.bone_weight[k]);
            }
            out.push_back(transform_point(skinned, gbtm));
        }
    }
    return out;
}

/// The largest distance of a true point from the nearest vertex, and of a vertex from the nearest true point.
inline double off(const std::vector<Vec3d>& truth, const std::vector<Vec3d>& points) {
    double worst = 0;
    for (const Vec3d& p : truth) {
        worst = std::fmax(worst, nearest(points, p));
    }
    for (const Vec3d& p : points) {
        worst = std::fmax(worst, nearest(truth, p));
    }
    return worst;
}

/// The scene as every kind of file that the writer has, by name.
inline std::vector<std::pair<std::string, std::vector<std::byte>>> forms(const writer::Scene& scene) {
    std::vector<std::pair<std::string, std::vector<std::byte>>> out;
    for (const int version : {7400, 7500, 7700}) {
        out.emplace_back("binary " + std::to_string(version), writer::write_binary(scene, version));
        out.emplace_back("ascii " + std::to_string(version), writer::write_ascii(scene, version));
    }
    if (auto old = writer::write_ascii_6100(scene)) {
        out.emplace_back("ascii 6100", std::move(*old));
    }
    return out;
}

/// Converts every form of the scene: the bytes must be the same (no source hash is set here). Gives the first.
inline Converted convert_forms(const writer::Scene& scene, codec::ReadOptions read = {}) {
    std::optional<Converted> first;
    for (const auto& [name, bytes] : forms(scene)) {
        Converted c = convert_bytes(bytes, {}, read);
        if (!first) {
            first = std::move(c);
        } else {
            EXPECT_TRUE(c.bytes == first->bytes) << name;
        }
    }
    return std::move(*first);
}

/// A skin of two bones, each with all of the points on its side of 0 along an axis.
inline writer::Skin skin_by_side(const writer::Mesh& mesh, std::size_t axis, writer::NodeRef below, writer::NodeRef above) {
    writer::Skin skin;
    skin.clusters.resize(2);
    skin.clusters[0].bone = below;
    skin.clusters[1].bone = above;
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
        writer::Cluster& cluster = skin.clusters[mesh.points[p][axis] < 0 ? 0 : 1];
        cluster.indexes.push_back(static_cast<std::int32_t>(p));
        cluster.weights.push_back(1);
    }
    return skin;
}

/// A triangle for each bone, wholly bound to it, whose points stand about the bone: at the bone's origin, and one unit along two axes
/// of the world. Cluster `i` is bone `i`'s.
inline writer::Mesh triangle_each(const std::vector<writer::NodeRef>& bones, const std::vector<writer::Vec3>& at) {
    writer::Mesh mesh;
    writer::Skin skin;
    for (std::size_t b = 0; b < bones.size(); ++b) {
        writer::Cluster cluster;
        cluster.bone = bones[b];
        const writer::Vec3 offsets[3] = {{0, 0, 0}, {1, 0, 0.25}, {0, 0.5, 1}};
        std::vector<std::int32_t> polygon;
        for (const writer::Vec3& o : offsets) {
            const auto index = static_cast<std::int32_t>(mesh.points.size());
            polygon.push_back(index);
            cluster.indexes.push_back(index);
            cluster.weights.push_back(1);
            mesh.points.push_back({at[b][0] + o[0], at[b][1] + o[1], at[b][2] + o[2]});
        }
        mesh.polygons.push_back(polygon);
        skin.clusters.push_back(cluster);
    }
    mesh.skins.push_back(skin);
    return mesh;
}

}  // namespace gomkit::fbx::test
