// The sample character's clips, as keys per bone.
#pragma once

#include "hero_body.hpp"

#include <array>
#include <string>
#include <vector>

namespace hero {

struct KeyedChannel {
    std::vector<double> values;  // one per key time
    std::vector<double> slopes;  // per second
};
struct KeyedClip {
    std::string name;
    int frame_count = 0;  // at 30 fps; the last frame equals the first
    int frames_per_key = 1;
    std::array<std::array<KeyedChannel, 3>, kBoneCount> rotation;  // Euler XYZ, degrees
    std::array<KeyedChannel, 3> hips_translation;
};
constexpr int kFramesPerSecond = 30;

std::vector<KeyedClip> make_clips();

// The cubic the keys describe.
double evaluate(const KeyedChannel& channel, const KeyedClip& clip, double frame);

}  // namespace hero
