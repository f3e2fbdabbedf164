#include "biped.hpp"

#include <algorithm>
#include <cmath>

#include "quantise.hpp"

namespace gomkit::ps1::biped {
namespace {

using model::Vec3;

// In parts of the height.
constexpr double kHip = 0.47;
constexpr double kHipX = 0.06;
constexpr double kKnee = 0.24;
constexpr double kShoulder = 0.74;
constexpr double kShoulderX = 0.14;
constexpr double kShoulderTop = 0.02;     // above the shoulder, what still is arm
constexpr double kElbow = 0.58;
constexpr double kChest = 0.60;
constexpr double kNeck = 0.78;
constexpr double kForearmX = 0.125;       // beyond it is arm
constexpr double kUpperArmX = 0.09;
constexpr double kHand = 0.30;            // below it is leg
constexpr double kWristEnd = 0.42;        // where a forearm ends
constexpr int kMostPasses = 3;

std::vector<std::vector<std::uint32_t>> neighbours_of(const Surface& surface) {
    std::vector<std::vector<std::uint32_t>> out(surface.points.size());
    for (const auto& t : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            for (const std::uint32_t other : {t[(k + 1) % 3], t[(k + 2) % 3]}) {
                if (other != t[k]) {
                    out[t[k]].push_back(other);
                }
            }
        }
    }
    for (auto& list : out) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return out;
}

bool vote(const std::vector<std::vector<std::uint32_t>>& neighbours, std::vector<Bone>& bones) {
    const std::vector<Bone> before = bones;
    for (std::size_t p = 0; p < bones.size(); ++p) {
        std::array<std::size_t, kBones> votes{};
        for (const std::uint32_t n : neighbours[p]) {
            ++votes[before[n]];
        }
        if (3 * votes[before[p]] < neighbours[p].size()) {
            bones[p] = static_cast<Bone>(std::max_element(votes.begin(), votes.end()) - votes.begin());
        }
    }
    return bones != before;
}

IkChain chain(Bone upper, Bone lower, const Vec3& end, double forward, double height, double unit) {
    const Vec3 local = (end - bones()[lower].joint) * height;
    IkChain out;
    out.upper = static_cast<std::int8_t>(upper);
    out.lower = static_cast<std::int8_t>(lower);
    out.end_local = {q16(local.x * unit), q16(-local.y * unit), q16(-local.z * unit)};
    out.pole = {0, 0, q16(-forward * kUnit)};
    return out;
}

}  // namespace

const std::array<BoneShape, kBones>& bones() {
    static constexpr std::array<BoneShape, kBones> kShapes{{
        {"root", -1, {0, kHip, 0}},
        {"spine", kRoot, {0, kChest, 0}},
        {"head", kSpine, {0, kNeck, 0}},
        {"upperarm_L", kSpine, {kShoulderX, kShoulder, 0}},
        {"forearm_L", kUpperArmL, {kShoulderX, kElbow, 0}},
        {"upperarm_R", kSpine, {-kShoulderX, kShoulder, 0}},
        {"forearm_R", kUpperArmR, {-kShoulderX, kElbow, 0}},
        {"thigh_L", kRoot, {kHipX, kHip, 0}},
        {"shin_L", kThighL, {kHipX, kKnee, 0}},
        {"thigh_R", kRoot, {-kHipX, kHip, 0}},
        {"shin_R", kThighR, {-kHipX, kKnee, 0}},
    }};
    return kShapes;
}

Bone bone_at(const Vec3& place, double height) {
    const bool left = place.x >= 0;
    const double aside = std::fabs(place.x);
    const double y = place.y;
    if (y >= kHand * height && y < (kShoulder + kShoulderTop) * height) {
        const bool upper = y >= kElbow * height;
        if (aside > (upper ? kUpperArmX : kForearmX) * height) {
            return upper ? (left ? kUpperArmL : kUpperArmR) : (left ? kForearmL : kForearmR);
        }
    }
    if (y < kHip * height) {
        return y >= kKnee * height ? (left ? kThighL : kThighR) : (left ? kShinL : kShinR);
    }
    return y >= kNeck * height ? kHead : y >= kChest * height ? kSpine : kRoot;
}

const std::array<double, 5>& cut_heights() {
    static constexpr std::array<double, 5> kHeights{kKnee, kHip, kElbow, kChest, kNeck};
    return kHeights;
}

std::vector<Bone> bones_of_points(const Surface& surface, double height) {
    std::vector<Bone> out;
    for (const Vec3& p : surface.points) {
        out.push_back(bone_at(p, height));
    }
    const std::vector<std::vector<std::uint32_t>> neighbours = neighbours_of(surface);
    for (int pass = 0; pass < kMostPasses && vote(neighbours, out); ++pass) {
    }
    return out;
}

IkTable ik_table(double height, double unit) {
    IkTable out;
    out.hip = kRoot;
    out.head = kHead;
    out.head_forward = {0, 0, -4096};
    out.chains = {chain(kUpperArmL, kForearmL, {kShoulderX, kWristEnd, 0}, -1, height, unit), chain(kUpperArmR, kForearmR, {-kShoulderX, kWristEnd, 0}, -1, height, unit),
                  chain(kThighL, kShinL, {kHipX, 0, 0}, 1, height, unit), chain(kThighR, kShinR, {-kHipX, 0, 0}, 1, height, unit)};
    return out;
}

}  // namespace gomkit::ps1::biped
