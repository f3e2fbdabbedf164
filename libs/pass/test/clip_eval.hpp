#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gomkit/model/model.hpp>

/// Makes clips and evaluates them in the plainest way: gom.md's sampling rules on float32 keys, and matrices one after the other. Only
/// for models whose nodes are all bones, whose bind is the rest pose and whose roots have no parent node.
namespace gomkit::pass::test {

using model::Clip;
using model::Key;
using model::Mat4;
using model::Model;
using model::NodeId;
using model::Quat;
using model::Track;
using model::Transform;
using model::Vec3;

inline NodeId add_bone(Model& m, std::string name, NodeId parent, const Transform& rest) {
    model::Node node;
    node.name = std::move(name);
    node.parent = parent;
    node.rest = rest;
    node.bind_local = runtime::to_matrix(rest);
    node.bone = true;
    m.nodes.push_back(node);
    return NodeId{static_cast<std::uint32_t>(m.nodes.size() - 1)};
}

inline Quat about(Vec3 axis, double radians) {
    axis = runtime::normalized(axis);
    const double s = std::sin(radians / 2);
    return {axis.x * s, axis.y * s, axis.z * s, std::cos(radians / 2)};
}

inline double narrow(double v) { return static_cast<double>(static_cast<float>(v)); }
inline Vec3 narrow(const Vec3& v) { return {narrow(v.x), narrow(v.y), narrow(v.z)}; }
inline Quat narrow(const Quat& q) {
    const double n = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {narrow(q.x / n), narrow(q.y / n), narrow(q.z / n), narrow(q.w / n)};
}

inline Vec3 blend(const Vec3& a, const Vec3& b, double t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}
inline Quat unit(const Quat& q) {
    const double n = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x / n, q.y / n, q.z / n, q.w / n};
}
inline Quat blend(Quat a, Quat b, double t) {
    a = unit(a);
    b = unit(b);
    double d = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    if (d < 0) {
        b = {-b.x, -b.y, -b.z, -b.w};
        d = -d;
    }
    const double cx = std::sqrt(std::max(0.0, 1 - d * d));
    const double angle = std::atan2(cx, d);
    if (angle < 1e-7) {
        return unit({a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, a.w + (b.w - a.w) * t});
    }
    const double wa = std::sin((1 - t) * angle) / std::sin(angle);
    const double wb = std::sin(t * angle) / std::sin(angle);
    return {wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
}
inline Vec3 ready(const Vec3& v) { return v; }
inline Quat ready(const Quat& q) { return unit(q); }

/// The channel as float32 keys, at `time`.
template <class T>
T value_at(const std::vector<Key<T>>& keys, double time, const T& rest) {
    if (keys.empty()) {
        return rest;
    }
    std::vector<std::pair<double, T>> list;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        double t = narrow(keys[i].time);
        if (keys[i].step_end && i + 1 < keys.size()) {
            t = static_cast<double>(std::nextafter(static_cast<float>(keys[i + 1].time), -1.0f));
            if (!list.empty() && list.back().first >= t) {
                continue;
            }
        }
        if (!list.empty() && list.back().first >= t) {
            list.pop_back();
        }
        list.emplace_back(t, narrow(keys[i].value));
    }
    if (time <= list.front().first) {
        return ready(list.front().second);
    }
    for (std::size_t i = 1; i < list.size(); ++i) {
        if (time < list[i].first) {
            return blend(list[i - 1].second, list[i].second, (time - list[i - 1].first) / (list[i].first - list[i - 1].first));
        }
    }
    return ready(list.back().second);
}

inline Mat4 local_at(const Model& m, const Clip& clip, std::size_t node, double time) {
    Transform t = m.nodes[node].rest;
    for (const Track& track : clip.tracks) {
        if (track.node.value == node) {
            t.translation = value_at(track.translation, time, t.translation);
            t.rotation = value_at(track.rotation, time, t.rotation);
            t.scale = value_at(track.scale, time, t.scale);
        }
    }
    return runtime::to_matrix(t);
}

inline std::vector<Mat4> pose_at(const Model& m, const Clip& clip, double time) {
    std::vector<Mat4> out;
    for (std::size_t i = 0; i < m.nodes.size(); ++i) {
        const Mat4 local = local_at(m, clip, i, time);
        out.push_back(m.nodes[i].parent.valid() ? local * out[m.nodes[i].parent.value] : local);
    }
    return out;
}

/// All float32 key times of a clip and `extra` random ones in every piece between.
inline std::vector<double> dense_times(const Clip& clip, int extra, std::mt19937& random) {
    std::vector<double> keys = {0, narrow(clip.duration)};
    const auto add = [&](const auto& channel) {
        for (const auto& key : channel) {
            keys.push_back(narrow(key.time));
            keys.push_back(static_cast<double>(std::nextafter(static_cast<float>(key.time), -1.0f)));
        }
    };
    for (const Track& track : clip.tracks) {
        add(track.translation);
        add(track.rotation);
        add(track.scale);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<double> out;
    std::uniform_real_distribution<double> part(0, 1);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        out.push_back(keys[i]);
        for (int k = 0; k < extra && i + 1 < keys.size(); ++k) {
            out.push_back(keys[i] + (keys[i + 1] - keys[i]) * part(random));
        }
    }
    return out;
}

/// The largest distance of the seven points of any bone, `radius` metres from it in the bind pose, between two clips of one model.
inline double distance_between(const Model& m, const Clip& a, const Clip& b, const std::vector<double>& times, double radius) {
    const std::vector<Mat4> bind = pose_at(m, Clip{}, 0);
    double most = 0;
    for (const double time : times) {
        const std::vector<Mat4> pa = pose_at(m, a, time);
        const std::vector<Mat4> pb = pose_at(m, b, time);
        for (std::size_t i = 0; i < pa.size(); ++i) {
            const auto along = [&](std::size_t axis) {
                const double* row = bind[i].m + 4 * axis;
                return radius / std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
            };
            const double x = along(0);
            const double y = along(1);
            const double z = along(2);
            for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{x, 0, 0}, Vec3{-x, 0, 0}, Vec3{0, y, 0}, Vec3{0, -y, 0}, Vec3{0, 0, z}, Vec3{0, 0, -z}}) {
                most = std::max(most, length(transform_point(p, pa[i]) - transform_point(p, pb[i])));
            }
        }
    }
    return most;
}

inline std::size_t key_count(const Clip& clip) {
    std::size_t n = 0;
    for (const Track& t : clip.tracks) {
        n += t.translation.size() + t.rotation.size() + t.scale.size();
    }
    return n;
}

/// A smooth random rotation over time.
struct Swing {
    Vec3 axis;
    double size;
    double speed;
    double phase;
    explicit Swing(std::mt19937& random, double most) {
        std::uniform_real_distribution<double> u(-1, 1);
        axis = {u(random), u(random), u(random) + 0.01};
        size = u(random) * most;
        speed = 2 + 3 * std::fabs(u(random));
        phase = 3 * u(random);
    }
    [[nodiscard]] Quat at(double t) const { return about(axis, size * std::sin(speed * t + phase)); }
};

}  // namespace gomkit::pass::test
