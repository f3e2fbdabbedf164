#pragma once
// Models and motions with any skeleton and any keys, for tests of what plays them.

#include <string>
#include <utility>
#include <vector>

#include "gomkit/runtime/runtime.hpp"
#include "sample_motion.hpp"

namespace gomkit::runtime::test {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr std::uint32_t kRootMotion = 1, kLoop = 2;  // MadeClip::flags

struct MadeBone {
    std::int32_t parent = -1;
    std::string name;
    std::string path;
    Mat4f bind_local;
};

struct MadeTrack {
    std::uint32_t bone = 0;
    std::vector<std::pair<float, Vec3f>> translations;
    std::vector<std::pair<float, Quatf>> rotations;
    std::vector<std::pair<float, Vec3f>> scales;
};

struct MadeClip {
    std::string name;
    float duration = 1;
    std::int32_t root = -1;
    std::uint32_t flags = 0;
    std::vector<MadeTrack> tracks;
};

inline void make_clips(Builder& b, std::uint32_t first_name, const std::vector<MadeClip>& clips) {
    b.begin("ANIM", "ANIM");
    b.u32(static_cast<std::uint32_t>(clips.size()));
    b.end();
    for (std::size_t i = 0; i < clips.size(); ++i) {
        const MadeClip& c = clips[i];
        b.begin("CLP0[" + std::to_string(i) + "]", "CLP0");
        b.u32(first_name + static_cast<std::uint32_t>(i));
        b.f32(c.duration);
        b.i32(c.root);
        b.u32(1);
        b.u32(c.flags);
        b.u32(static_cast<std::uint32_t>(c.tracks.size()));
        for (const MadeTrack& t : c.tracks) {
            b.u32(t.bone);
            b.u32(static_cast<std::uint32_t>(t.translations.size()));
            b.u32(static_cast<std::uint32_t>(t.rotations.size()));
            b.u32(static_cast<std::uint32_t>(t.scales.size()));
            const auto vectors = [&](const auto& keys) {
                for (const auto& [time, v] : keys)
                    for (const float f : {time, v.x, v.y, v.z}) b.f32(f);
            };
            vectors(t.translations);
            for (const auto& [time, q] : t.rotations)
                for (const float f : {time, q.x, q.y, q.z, q.w}) b.f32(f);
            vectors(t.scales);
        }
        b.end();
    }
}

inline Builder make_model(const std::vector<MadeBone>& bones, const std::vector<MadeClip>& clips) {
    Builder b;
    header(b);
    std::vector<std::string> list;
    for (const MadeBone& bone : bones) {
        list.push_back(bone.name);
        list.push_back(bone.path);
    }
    for (const MadeClip& clip : clips) list.push_back(clip.name);
    strings(b, list);
    bare_materials(b, 0);
    const auto count = static_cast<std::uint32_t>(bones.size());
    if (count != 0) {
        b.begin("SKEL", "SKEL");
        b.u32(count);
        for (const MadeBone& bone : bones) b.i32(bone.parent);
        for (std::uint32_t i = 0; i < count; ++i) b.u32(2 * i);
        for (std::uint32_t i = 0; i < count; ++i) b.u32(2 * i + 1);
        for (const MadeBone& bone : bones)
            for (const float f : bone.bind_local.m) b.f32(f);
        b.end();
    }
    if (!clips.empty()) make_clips(b, 2 * count, clips);
    table(b);
    return b;
}

inline Builder make_motion(const std::array<std::uint8_t, 32>& signature, const std::vector<MadeClip>& clips) {
    Builder b;
    motion_header(b);
    for (std::size_t i = 0; i < 32; ++i) b.put8(76 + i, signature[i]);
    std::vector<std::string> list;
    for (const MadeClip& clip : clips) list.push_back(clip.name);
    strings(b, list);
    make_clips(b, 0, clips);
    table(b);
    return b;
}

// Verified, with the memory it lies in.
template <class View>
struct Loaded {
    explicit Loaded(const Builder& b) : block(b.bytes) {
        ErrorInfo info;
        if (verify(block.bytes(), {}, view, &info) != Status::Ok) throw std::runtime_error(std::string(info.part));
    }
    ExactBlock block;
    View view;
};

inline Quatf about(Vec3f axis, double radians) {
    const double s = exact::sin(radians / 2);
    return {static_cast<float>(s * static_cast<double>(axis.x)), static_cast<float>(s * static_cast<double>(axis.y)),
            static_cast<float>(s * static_cast<double>(axis.z)), static_cast<float>(exact::cos(radians / 2))};
}

// Numbers that are the same everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
    std::uint32_t below(std::uint32_t count) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>((state_ >> 33) % count);
    }
    double between(double low, double high) { return low + (high - low) * below(1U << 24) / static_cast<double>(1U << 24); }
    float number(double low, double high) { return static_cast<float>(between(low, high)); }
    Quatf rotation() { return normalized(Quatf{number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) + 1e-3F}); }

private:
    std::uint64_t state_;
};

}  // namespace gomkit::runtime::test
