// The sample character's shape: skeleton, surfaces, weights, texture coordinates and painted texture.
#pragma once

#include "hero_math.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hero {

enum Bone : std::size_t {
    Hips,
    Spine,
    Chest,
    Neck,
    Head,
    ShoulderL,
    UpperArmL,
    ForeArmL,
    HandL,
    ShoulderR,
    UpperArmR,
    ForeArmR,
    HandR,
    ThighL,
    ShinL,
    FootL,
    ThighR,
    ShinR,
    FootR,
    Tail1,
    Tail2,
    Tail3,
    kBoneCount,
};

struct BoneInfo {
    const char* name;
    std::size_t parent;  // kBoneCount: none
    Vec position;        // model space, at bind; every bone's axes are the model's there
};
extern const std::array<BoneInfo, kBoneCount> kBones;

// Direction of the left arm at bind.
Vec arm_direction();

using Influences = std::vector<std::pair<std::size_t, double>>;  // bone, weight; at most 4, sum 1

struct Corner {
    std::int32_t point = 0;
    double u = 0, v = 0;  // FBX: v up
    Vec normal;
};

constexpr std::size_t kTextureSize = 512;

struct Body {
    std::vector<Vec> points;
    std::vector<Influences> influences;         // one per point
    std::vector<std::vector<Corner>> polygons;  // triangles and quads, counter-clockwise from outside
    std::vector<std::uint8_t> texture;          // RGB rows from the top
};
Body make_body();

}  // namespace hero
