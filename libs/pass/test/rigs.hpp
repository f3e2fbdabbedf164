#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/map_skeleton.hpp>
#include <gomkit/pass/measure_skeleton.hpp>
#include <gomkit/runtime/math.hpp>

#include "clip_eval.hpp"

/// Hand-made skeletons and motions for the tests of retargeting.
namespace gomkit::pass::test {

inline constexpr double kPi = 3.14159265358979323846;

inline Quat turn(const Vec3& axis, double degrees) {
    const double half = degrees * kPi / 360;
    const double s = runtime::exact::sin(half);
    return {axis.x * s, axis.y * s, axis.z * s, runtime::exact::cos(half)};
}

/// First `a`, then `b`.
inline Quat after(const Quat& a, const Quat& b) { return runtime::multiply(b, a); }

inline std::uint32_t add(Model& m, const std::string& name, int parent, const Vec3& place, const Quat& rotation = {}, bool bone = true) {
    const NodeId above = parent < 0 ? NodeId{} : NodeId{static_cast<std::uint32_t>(parent)};
    const NodeId node = add_bone(m, name, above, {place, rotation, {1, 1, 1}});
    m.nodes[node.value].bone = bone;
    return node.value;
}

inline std::uint32_t find(const Model& m, const std::string& name) {
    for (std::uint32_t i = 0; i < m.nodes.size(); ++i) {
        if (m.nodes[i].name == name) {
            return i;
        }
    }
    return model::kNoIndex;
}

inline void set_rest(Model& m, const std::string& name, const Transform& rest) {
    model::Node& n = m.nodes[find(m, name)];
    n.rest = rest;
    n.bind_local = runtime::to_matrix(rest);
}

/// A figure in T-pose, 1.8 m high, all axes those of the model: hips at 1 m, legs 1 m, arms 0.6 m from x = 0.2.
inline Model figure(double legs = 1) {
    Model m;
    add(m, "Root", -1, {0, 0, 0});
    add(m, "Hips", 0, {0, legs, 0});
    add(m, "Chest", 1, {0, 0.5, 0});
    add(m, "Head", 2, {0, 0.3, 0});
    add(m, "ArmL", 2, {0.2, 0.1, 0});
    add(m, "ForeL", 4, {0.3, 0, 0});
    add(m, "HandL", 5, {0.3, 0, 0});
    add(m, "ArmR", 2, {-0.2, 0.1, 0});
    add(m, "ForeR", 7, {-0.3, 0, 0});
    add(m, "HandR", 8, {-0.3, 0, 0});
    add(m, "LegL", 1, {0.1, 0, 0});
    add(m, "ShinL", 10, {0, -0.5 * legs, 0});
    add(m, "FootL", 11, {0, -0.5 * legs, 0});
    add(m, "LegR", 1, {-0.1, 0, 0});
    add(m, "ShinR", 13, {0, -0.5 * legs, 0});
    add(m, "FootR", 14, {0, -0.5 * legs, 0});
    return m;
}

inline Track& track(Model& m, Clip& clip, const std::string& name) {
    Track t;
    t.node = NodeId{find(m, name)};
    clip.tracks.push_back(t);
    return clip.tracks.back();
}

/// One second: the root walks and turns, the hips bob and lean, arms and legs swing about odd axes. Rotations are those of a figure()
/// whose axes are the model's.
inline void add_motion(Model& m) {
    Clip clip;
    clip.name = "Walk";
    clip.duration = 1;
    clip.source_start = 0.25;
    clip.loop = true;
    const double times[] = {0, 0.25, 0.5, 0.75, 1};
    const double wave[] = {0, 1, 0, -1, 0};
    struct Turn {
        const char* bone;
        Vec3 axis;
        double degrees;
    };
    const Turn swings[] = {{"Root", {0, 1, 0}, 20},     {"Hips", {0.6, 0.8, 0}, 12},   {"Chest", {0, 0.6, 0.8}, 25},
                            {"ArmL", {0, 0, 1}, 70},     {"ForeL", {0, 1, 0}, 60},      {"HandL", {1, 0, 0}, 40},
                            {"ArmR", {0.8, 0, 0.6}, 50}, {"LegL", {1, 0, 0}, 40},       {"ShinL", {1, 0, 0}, 35},
                            {"LegR", {1, 0, 0}, -40},    {"FootR", {0.6, 0, 0.8}, 15}};
    for (const Turn& swing : swings) {
        const std::uint32_t node = find(m, swing.bone);
        if (node == model::kNoIndex) {
            continue;
        }
        Track& t = track(m, clip, swing.bone);
        for (std::size_t i = 0; i < 5; ++i) {
            t.rotation.push_back({times[i], after(turn(swing.axis, swing.degrees * (wave[i] + 0.25)), m.nodes[node].rest.rotation), false});
        }
        if (std::string(swing.bone) == "Root") {
            for (std::size_t i = 0; i < 5; ++i) {
                t.translation.push_back({times[i], {0.1 * wave[i], 0, 1.5 * times[i]}, false});
            }
        }
        if (std::string(swing.bone) == "Hips") {
            const Vec3 rest = m.nodes[node].rest.translation;
            for (std::size_t i = 0; i < 5; ++i) {
                t.translation.push_back({times[i], rest + Vec3{0, 0.05 * wave[i], 0.02}, false});
            }
        }
    }
    clip.root = NodeId{find(m, "Root")};
    clip.has_root_motion = clip.root.valid();
    m.clips.push_back(clip);
}

/// The same skeleton and motion with other bone axes: axis frame of bone i = axes[i] followed by the old one. Places and shapes stay.
inline Model with_axes(Model m, const std::map<std::string, Quat>& axes) {
    const auto of = [&](NodeId node) {
        const auto it = node.valid() ? axes.find(m.nodes[node.value].name) : axes.end();
        return it == axes.end() ? Quat{} : it->second;
    };
    for (Clip& clip : m.clips) {
        for (Track& t : clip.tracks) {
            const Quat above = conjugate(of(m.nodes[t.node.value].parent));
            for (auto& key : t.rotation) {
                key.value = after(after(of(t.node), key.value), above);
            }
            for (auto& key : t.translation) {
                key.value = rotate(above, key.value);
            }
        }
    }
    for (std::uint32_t i = 0; i < m.nodes.size(); ++i) {
        model::Node& n = m.nodes[i];
        const Quat above = conjugate(of(n.parent));
        n.rest.rotation = after(after(of(NodeId{i}), n.rest.rotation), above);
        n.rest.translation = rotate(above, n.rest.translation);
        n.bind_local = runtime::to_matrix(n.rest);
    }
    return m;
}

inline std::map<std::string, Quat> odd_axes() {
    return {{"Root", turn({1, 0, 0}, 90)},      {"Hips", turn({0, 0.6, 0.8}, 73)},  {"Chest", turn({0, 0, 1}, 180)},
            {"ArmL", turn({0.8, 0.6, 0}, 110)}, {"ForeL", turn({0, 0, 1}, -90)},    {"HandL", turn({0, 1, 0}, 25)},
            {"ArmR", turn({1, 0, 0}, 45)},      {"LegL", turn({0, 0.8, -0.6}, 91)}, {"ShinL", turn({0, 0, 1}, 90)},
            {"LegR", turn({0, 1, 0}, 180)},     {"FootR", turn({1, 0, 0}, -30)}};
}

/// The rest pose becomes what the clip shows at its start, as exporters without a skin write it.
inline void rest_from_clip(Model& m) {
    for (const Track& t : m.clips.at(0).tracks) {
        model::Node& n = m.nodes[t.node.value];
        if (!t.translation.empty()) {
            n.rest.translation = t.translation.front().value;
        }
        if (!t.rotation.empty()) {
            n.rest.rotation = t.rotation.front().value;
        }
        n.bind_local = runtime::to_matrix(n.rest);
    }
}

/// Largest distance (metres) between the origins of equally named bones of two models in their clips, over 200 times.
inline double largest_gap(const Model& a, const Clip& clip_a, const Model& b, const Clip& clip_b) {
    const auto skeleton_a = model::build_skeleton(a, {});
    const auto skeleton_b = model::build_skeleton(b, {});
    double worst = 0;
    for (int f = 0; f <= 200; ++f) {
        const double time = clip_a.duration * f / 200;
        const std::vector<Mat4> at = bone_matrices(a, *skeleton_a, &clip_a, time);
        const std::vector<Mat4> bt = bone_matrices(b, *skeleton_b, &clip_b, time);
        for (std::size_t i = 0; i < at.size(); ++i) {
            for (std::size_t k = 0; k < bt.size(); ++k) {
                if (skeleton_a->bones[i].name == skeleton_b->bones[k].name) {
                    const Vec3 d{at[i].m[12] - bt[k].m[12], at[i].m[13] - bt[k].m[13], at[i].m[14] - bt[k].m[14]};
                    worst = std::fmax(worst, length(d));
                }
            }
        }
    }
    return worst;
}

}  // namespace gomkit::pass::test
