#include "hero_motion.hpp"

#include <functional>

namespace hero {
namespace {

struct Pose {
    std::array<Rotation, kBoneCount> rotation;  // in the parent's frame
    Vec hips;                                   // offset from bind
};

double wave(double phase) { return std::cos(2 * kPi * phase); }  // 1 at phase 0

struct Frame {
    Vec x, y, z;
};
Rotation to_rotation(const Frame& from, const Frame& to)  // turns `from` into `to`
{
    Rotation r;
    const std::array<Vec, 3> a = {from.x, from.y, from.z}, b = {to.x, to.y, to.z};
    r.m = {};
    for (std::size_t k = 0; k < 3; ++k) {
        const std::array<double, 3> p = {a[k].x, a[k].y, a[k].z}, q = {b[k].x, b[k].y, b[k].z};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                r.m[i][j] += q[i] * p[j];
            }
        }
    }
    return r;
}
Frame limb_frame(Vec along, Vec side) {
    const Vec y = normalized(along) * -1;
    const Vec x = normalized(side - y * dot(side, y));
    return {x, y, cross(x, y)};
}

// Sets thigh, shin and foot so that the ankle is at `ankle` and the foot has that pitch (degrees, toe down positive).
void place_leg(Pose& pose, bool left, Vec ankle, double pitch, double knee_out) {
    const std::size_t thigh = left ? ThighL : ThighR, shin = left ? ShinL : ShinR, foot = left ? FootL : FootR;
    const Vec hip = kBones[Hips].position + pose.hips + pose.rotation[Hips] * (kBones[thigh].position - kBones[Hips].position);
    const Vec upper = kBones[shin].position - kBones[thigh].position, lower = kBones[foot].position - kBones[shin].position;
    const double a = length(upper), b = length(lower);
    const double d = std::min(length(ankle - hip), (a + b) * 0.9995);
    const Vec down = normalized(ankle - hip);
    const Vec pole{left ? knee_out : -knee_out, 0, 1};
    const Vec side = normalized(cross(down * -1, pole));
    const Vec forward = cross(side, down * -1);
    const double along = (a * a - b * b + d * d) / (2 * d);
    const Vec knee = hip + down * along + forward * std::sqrt(std::max(0.0, a * a - along * along));
    const Vec end = hip + down * d;
    const Rotation thigh_world = to_rotation(limb_frame(upper, {1, 0, 0}), limb_frame(knee - hip, side));
    const Rotation shin_world = to_rotation(limb_frame(lower, {1, 0, 0}), limb_frame(end - knee, side));
    pose.rotation[thigh] = transposed(pose.rotation[Hips]) * thigh_world;
    pose.rotation[shin] = transposed(thigh_world) * shin_world;
    pose.rotation[foot] = transposed(shin_world) * about_x(pitch);
}

// `down` lowers the arm from the bind pose, `swing` is forward positive, `elbow` bends forward, `twist` turns the palm.
void place_arm(Pose& pose, bool left, double down, double swing, double elbow, double out = 0) {
    const double s = left ? 1 : -1;
    pose.rotation[left ? UpperArmL : UpperArmR] = about_y(s * out) * about_x(-swing) * about_z(-s * down);
    const Vec d = arm_direction();
    const Vec flex{d.y, -s * d.x, 0};
    pose.rotation[left ? ForeArmL : ForeArmR] = about(flex, elbow);
    pose.rotation[left ? HandL : HandR] = about(flex, elbow * 0.25);
}

// The ankle and pitch of a foot at a phase of its own cycle: 0 is the heel strike.
std::pair<Vec, double> foot_at(double phase, bool left) {
    constexpr double stance = 0.60, reach = 16.5;
    const Vec rest = kBones[left ? FootL : FootR].position;
    const double p = phase - std::floor(phase);
    // Standing: the sole moves back evenly; a pitched foot turns about its heel or its ball.
    const auto standing = [&](double q) {
        const double t = q / stance;
        const double pitch = -20 * smooth(0.16, 0, t) + 36 * smooth(0.52, 1.05, t);
        const double z = mix(reach, -reach, t) + 1.5;
        const double pivot = pitch < 0 ? -10.5 : 21.5;  // heel and toe, from the ankle
        const Vec arm = about_x(pitch) * Vec{0, rest.y, -pivot};
        return std::pair(Vec{rest.x * 0.97, arm.y, rest.z + z + pivot + arm.z}, pitch);
    };
    if (p <= stance) {
        return standing(p);
    }
    const auto [from, from_pitch] = standing(stance);
    const auto [to, to_pitch] = standing(0);
    const double s = (p - stance) / (1 - stance), s2 = s * s, s3 = s2 * s;
    const double speed = -2 * reach / stance * (1 - stance) * 0.55;
    Vec ankle = mix(from, to, s);
    ankle.z = from.z * (2 * s3 - 3 * s2 + 1) + speed * (s3 - 2 * s2 + s) + to.z * (3 * s2 - 2 * s3) + speed * (s3 - s2);
    ankle.y = mix(from.y, to.y, smooth(0, 1, s)) + 4.6 * std::sin(kPi * s) * std::sin(kPi * s);
    const double pitch = mix(from_pitch, to_pitch, smooth(-0.08, 0.86, s)) + 10 * std::sin(kPi * s) * (1 - s);
    return {ankle, pitch};
}

Pose walk_pose(double p) {
    Pose pose;
    const double stride = wave(p);            // 1: left foot in front
    const double over = wave(p - 0.31);       // 1: weight on the left foot
    const double bob = wave(2 * (p - 0.31));  // 1: high, twice a cycle
    pose.hips = {1.9 * over, -3.1 + 1.4 * bob, 0};
    pose.rotation[Hips] = about_y(-8 * stride) * about_z(3.0 * over) * about_x(2.5);
    pose.rotation[Spine] = about_y(5 * stride) * about_z(-2.5 * over) * about_x(2 - 1.0 * bob);
    pose.rotation[Chest] = about_y(10 * stride) * about_z(-2.2 * over) * about_x(1.5 + 1.2 * wave(2 * (p - 0.40)));
    pose.rotation[Neck] = about_y(-3 * stride) * about_x(-2.5);
    pose.rotation[Head] = about_y(-4 * stride) * about_z(2.4 * wave(p - 0.40)) * about_x(-3.5 + 2.0 * wave(2 * (p - 0.48)));
    pose.rotation[ShoulderL] = about_y(4 * wave(p - 0.04)) * about_z(1.5 * bob);
    pose.rotation[ShoulderR] = about_y(4 * wave(p - 0.04)) * about_z(-1.5 * bob);
    const double arm_l = -wave(p - 0.03), arm_r = wave(p - 0.03);
    const double fore_l = -wave(p - 0.08), fore_r = wave(p - 0.08);
    place_arm(pose, true, 27, 2 + 28 * arm_l, 24 + 13 * fore_l, 12);
    place_arm(pose, false, 27, 2 + 28 * arm_r, 24 + 13 * fore_r, 12);
    for (const bool left : {true, false}) {
        const auto [ankle, pitch] = foot_at(left ? p : p - 0.5, left);
        place_leg(pose, left, ankle, pitch, 0.10);
    }
    pose.rotation[Tail1] = about_y(9 * wave(p - 0.15)) * about_x(-4 + 3.5 * wave(2 * (p - 0.42)));
    pose.rotation[Tail2] = about_y(12 * wave(p - 0.27)) * about_x(4.5 * wave(2 * (p - 0.50)));
    pose.rotation[Tail3] = about_y(13 * wave(p - 0.38)) * about_x(6 * wave(2 * (p - 0.58)));
    return pose;
}

Pose idle_pose(double p) {
    Pose pose;
    const double breath = wave(p - 0.42), sway = wave(p - 0.20), look = wave(p - 0.62);
    pose.hips = {1.5 + 0.8 * sway, -1.7 + 0.35 * breath, -0.3};
    pose.rotation[Hips] = about_y(-4 + 1.2 * sway) * about_z(1.8 + 0.9 * sway);
    pose.rotation[Spine] = about_z(-1.6 - 0.8 * sway) * about_x(0.6 - 0.9 * breath);
    pose.rotation[Chest] = about_y(3 + 0.8 * sway) * about_z(-0.8 - 0.5 * sway) * about_x(0.5 - 1.8 * breath);
    pose.rotation[Neck] = about_x(0.8 + 0.8 * breath);
    pose.rotation[Head] = about_y(3 + 6.5 * look) * about_z(-3.5 + 2.6 * wave(p - 0.50)) * about_x(-1 + 1.6 * wave(p - 0.55));
    pose.rotation[ShoulderL] = about_z(1.0 + 1.6 * breath);
    pose.rotation[ShoulderR] = about_z(-1.0 - 1.6 * breath);
    place_arm(pose, true, 31 - 1.5 * breath, 3 + 2.5 * wave(p - 0.50), 24 + 3 * wave(p - 0.55), 8);
    place_arm(pose, false, 30 - 1.5 * breath, 0 + 2.5 * wave(p - 0.58), 20 + 3 * wave(p - 0.62), 8);
    for (const bool left : {true, false}) {
        Vec ankle = kBones[left ? FootL : FootR].position;
        ankle = ankle + Vec{left ? 0.8 : -1.4, 0, left ? -1.0 : 2.0};
        place_leg(pose, left, ankle, 0, 0.16);
    }
    pose.rotation[Tail1] = about_y(8 * wave(p - 0.10)) * about_x(2 * wave(p - 0.30));
    pose.rotation[Tail2] = about_y(12 * wave(p - 0.20)) * about_x(2.5 * wave(p - 0.42));
    pose.rotation[Tail3] = about_y(15 * wave(p - 0.31)) * about_x(4 * wave(p - 0.50));
    return pose;
}

KeyedClip keyed(const std::string& name, int frame_count, int frames_per_key, const std::function<Pose(double)>& pose_at) {
    KeyedClip clip;
    clip.name = name;
    clip.frame_count = frame_count;
    clip.frames_per_key = frames_per_key;
    const int keys = frame_count / frames_per_key;
    for (int k = 0; k <= keys; ++k) {
        const Pose pose = pose_at(static_cast<double>(k % keys) / keys);
        for (std::size_t b = 0; b < kBoneCount; ++b) {
            const std::array<double, 3> angles = euler_xyz(pose.rotation[b]);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                clip.rotation[b][axis].values.push_back(rounded(angles[axis]));
            }
        }
        const Vec hips = kBones[Hips].position + pose.hips;
        clip.hips_translation[0].values.push_back(rounded(hips.x));
        clip.hips_translation[1].values.push_back(rounded(hips.y));
        clip.hips_translation[2].values.push_back(rounded(hips.z));
    }
    // Slopes through the neighbours, around the loop.
    const double step = static_cast<double>(frames_per_key) / kFramesPerSecond;
    const auto add_slopes = [&](KeyedChannel& c) {
        const auto n = static_cast<std::size_t>(keys);
        for (std::size_t k = 0; k <= n; ++k) {
            c.slopes.push_back(rounded((c.values[k % n + 1] - c.values[(k + n - 1) % n]) / (2 * step)));
        }
    };
    for (auto& bone : clip.rotation) {
        std::for_each(bone.begin(), bone.end(), add_slopes);
    }
    std::for_each(clip.hips_translation.begin(), clip.hips_translation.end(), add_slopes);
    return clip;
}

}  // namespace

std::vector<KeyedClip> make_clips() { return {keyed("idle", 90, 6, idle_pose), keyed("walk", 30, 2, walk_pose)}; }

double evaluate(const KeyedChannel& channel, const KeyedClip& clip, double frame) {
    const double x = frame / clip.frames_per_key;
    const std::size_t i = std::min(static_cast<std::size_t>(x), channel.values.size() - 2);
    const double t = x - static_cast<double>(i), t2 = t * t, t3 = t2 * t;
    const double step = static_cast<double>(clip.frames_per_key) / kFramesPerSecond;
    return channel.values[i] * (2 * t3 - 3 * t2 + 1) + channel.slopes[i] * step * (t3 - 2 * t2 + t) +
           channel.values[i + 1] * (3 * t2 - 2 * t3) + channel.slopes[i + 1] * step * (t3 - t2);
}

}  // namespace hero
