#include "motion.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <gomkit/core/text.hpp>
#include <gomkit/pass/measure_skeleton.hpp>
#include <gomkit/pass/nearest_rotation.hpp>

#include "layout.hpp"
#include "rotation.hpp"

namespace gomkit::ps1 {
namespace {

using core::IssueId;
using model::Mat4;
using model::Quat;
using model::Vec3;

constexpr double kMoved = 4.096;          // units: a millimetre where a metre is 4096
constexpr std::size_t kMostFrames = 65535;
constexpr std::size_t kMostClips = 65535;

std::string without(std::string text, std::string_view part) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
        text.erase(at, part.size());
    }
    return text;
}

// One character a code point; what is not printable ASCII becomes '?'.
std::string ascii(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0u) != 0x80u) {
            out += byte >= 0x20 && byte <= 0x7E ? c : '?';
        }
    }
    return out;
}

/// The first of name~2, name~3 ... that is not in `taken`, cut to what a file holds. `next`: what to try next, by stem and number of digits.
std::string numbered(const std::string& name, std::set<std::string>& taken, std::map<std::pair<std::string, std::size_t>, std::size_t>& next) {
    std::size_t from = 2;
    for (std::size_t digits = 1, end = 10;; ++digits, from = end, end *= 10) {
        const std::string stem = name.substr(0, layout::kNameSize - 2 - digits) + "~";
        std::size_t& n = next.try_emplace({stem, digits}, from).first->second;
        while (n < end) {
            if (const auto [at, fresh] = taken.insert(stem + std::to_string(n++)); fresh) {
                return *at;
            }
        }
    }
}

class Sampler {
public:
    Sampler(const model::Model& model, const Rig& rig, const MotionOptions& options, core::Report& report)
        : model_(model), rig_(rig), options_(options), report_(report) {
        for (const RigBone& bone : rig.bones) {
            Mat4 inverse;
            const bool usable = bone.source != kNoBone && inverse_affine(rig.skeleton.bones[bone.source].bind_model, inverse);
            from_bind_.push_back(usable ? std::optional<Mat4>(inverse) : std::nullopt);
        }
    }

    core::Result<Motion> run(std::uint64_t max_bytes) {
        if (model_.clips.size() > kMostClips) {
            return core::fail(core::Code::CannotConvert, {}, "too many clips", std::to_string(model_.clips.size()), "at most 65535", "choose some with --clip");
        }
        std::uint64_t bytes = 0;
        for (const model::Clip& clip : model_.clips) {
            const double frames = runtime::exact::rint(clip.duration * options_.fps) + 1;
            if (!(frames <= static_cast<double>(kMostFrames))) {
                return core::fail(core::Code::CannotConvert, core::Place{{}, "clip '" + clip.name + "'", std::nullopt, std::nullopt}, "too many frames",
                                  std::to_string(static_cast<std::uint64_t>(std::min(frames, 1e15))), "at most 65535",
                                  "give a lower rate with --ps1-fps, or cut the clip with --clip-range");
            }
            bytes += static_cast<std::uint64_t>(std::max(1.0, frames)) * rig_.bones.size() * 2 * layout::kRotationSize;
            if (bytes > max_bytes) {
                return core::fail(core::Code::LimitExceeded, {}, "limit on file bytes exceeded by the clips", std::to_string(bytes), "at most " + std::to_string(max_bytes),
                                  "choose clips with --clip, or give a lower rate with --ps1-fps");
            }
        }
        clips();
        find_moving();
        if (options_.hold_trunk) {
            hold();
        }
        return std::move(motion_);
    }

private:
    [[nodiscard]] MotionFrame bind_frame() const {
        MotionFrame frame;
        for (const RigBone& bone : rig_.bones) {
            const Quat above = bone.parent < 0 ? Quat{} : rig_.bones[static_cast<std::size_t>(bone.parent)].rotation;
            frame.rotations.push_back(by_trace(multiply(conjugate(above), bone.rotation)));
            frame.translations.push_back(bone.translation);
        }
        return frame;
    }

    void clips() {
        const std::vector<std::string> names = stored_clip_names(model_.clips);
        for (std::size_t c = 0; c < model_.clips.size(); ++c) {
            const model::Clip& source = model_.clips[c];
            if (names[c] != source.name) {
                report_.add(IssueId::PS1_CLIP_RENAMED, {}, {{"name", source.name}, {"written", names[c]}});
            }
            MotionClip clip;
            clip.name = names[c];
            clip.source = static_cast<std::uint32_t>(c);
            clip.times = frame_times(source.duration, options_.fps);
            for (const double time : clip.times) {
                clip.frames.push_back(frame(source, time, clip.frames.empty() ? nullptr : &clip.frames.back()));
            }
            motion_.clips.push_back(std::move(clip));
        }
        if (motion_.clips.empty()) {
            MotionClip clip;
            clip.name = "static";
            clip.times = {0};
            clip.frames = {bind_frame()};
            motion_.clips.push_back(std::move(clip));
        }
    }

    [[nodiscard]] MotionFrame frame(const model::Clip& clip, double time, const MotionFrame* before) const {
        const std::vector<Mat4> bones = pass::bone_matrices(model_, rig_.skeleton, &clip, time);
        MotionFrame out = options_.compat ? scaled_frame(bones) : rigid_frame(bones);
        for (std::size_t b = 0; b < rig_.bones.size(); ++b) {
            Quat& q = out.rotations[b];
            q = before == nullptr ? by_trace(q) : dot(q, before->rotations[b]) < 0 ? -q : q;
        }
        return out;
    }

    /// Bones turn as what they carry does and stand where the source has them; scales do nothing else.
    [[nodiscard]] MotionFrame rigid_frame(const std::vector<Mat4>& bones) const {
        MotionFrame out;
        std::vector<RigidPlacement> world;
        for (std::size_t b = 0; b < rig_.bones.size(); ++b) {
            const RigBone& bone = rig_.bones[b];
            RigidPlacement at{bone.rotation, bone.origin};
            if (bone.source != kNoBone) {
                const Mat4& now = bones[bone.source];
                if (from_bind_[b]) {
                    if (const auto turn = pass::nearest_rotation(*from_bind_[b] * now)) {
                        at.rotation = normalized(multiply(*turn, bone.rotation));
                    }
                } else {
                    at.rotation = pass::nearest_rotation(now).value_or(at.rotation);
                }
                const Vec3 origin = transform_point(Vec3{}, now);
                at.origin = is_finite(origin) ? origin : at.origin;
            }
            const RigidPlacement above = bone.parent < 0 ? RigidPlacement{} : world[static_cast<std::size_t>(bone.parent)];
            out.rotations.push_back(normalized(multiply(conjugate(above.rotation), at.rotation)));
            out.translations.push_back(rotate(conjugate(above.rotation), at.origin - above.origin));
            world.push_back(at);
        }
        return out;
    }

    /// What the local matrices say, without their scales.
    [[nodiscard]] MotionFrame scaled_frame(const std::vector<Mat4>& bones) const {
        MotionFrame out = bind_frame();
        for (std::size_t b = 0; b < rig_.bones.size(); ++b) {
            const RigBone& bone = rig_.bones[b];
            if (bone.source == kNoBone) {
                continue;
            }
            Mat4 local = bones[bone.source];
            if (bone.parent >= 0) {
                const std::uint32_t above = rig_.bones[static_cast<std::size_t>(bone.parent)].source;
                Mat4 inverse;
                if (above == kNoBone || !inverse_affine(bones[above], inverse)) {
                    continue;
                }
                local = local * inverse;
            }
            const Vec3 translation = transform_point(Vec3{}, local);
            out.rotations[b] = pass::nearest_rotation(local).value_or(out.rotations[b]);
            out.translations[b] = is_finite(translation) ? translation : out.translations[b];
        }
        return out;
    }

    void find_moving() {
        motion_.moves.assign(rig_.bones.size(), false);
        const auto apart = [&](const Vec3& a, const Vec3& b) {
            const Vec3 d = (a - b) * options_.unit;
            return std::fabs(d.x) > kMoved || std::fabs(d.y) > kMoved || std::fabs(d.z) > kMoved;
        };
        for (const MotionClip& clip : motion_.clips) {
            for (std::size_t b = 0; b < rig_.bones.size(); ++b) {
                const Vec3& first = clip.frames.front().translations[b];
                bool moves = apart(first, rig_.bones[b].translation);
                for (std::size_t f = 1; f < clip.frames.size() && !moves; ++f) {
                    moves = apart(clip.frames[f].translations[b], first);
                }
                motion_.moves[b] = motion_.moves[b] || moves;
            }
        }
    }

    /// The bones whose travel is the character's: from each root to the first fork.
    [[nodiscard]] std::vector<bool> trunk() const {
        std::vector<std::uint32_t> children(rig_.bones.size(), 0);
        std::vector<bool> out(rig_.bones.size(), false);
        for (const RigBone& bone : rig_.bones) {
            if (bone.parent >= 0) {
                ++children[static_cast<std::size_t>(bone.parent)];
            }
        }
        for (std::size_t b = 0; b < rig_.bones.size(); ++b) {
            const std::int32_t parent = rig_.bones[b].parent;
            out[b] = parent < 0 || (out[static_cast<std::size_t>(parent)] && children[static_cast<std::size_t>(parent)] == 1);
        }
        return out;
    }

    void hold() {
        const std::vector<bool> on_trunk = trunk();
        std::vector<bool> held(rig_.bones.size());
        for (std::size_t b = 0; b < held.size(); ++b) {
            held[b] = motion_.moves[b] && (options_.compat || on_trunk[b]);
        }
        if (std::find(held.begin(), held.end(), true) == held.end()) {
            return;
        }
        const std::vector<RigidPlacement> bind = world_placements(rig_, motion_, bind_frame());
        double farthest = 0;
        for (MotionClip& clip : motion_.clips) {
            for (MotionFrame& frame : clip.frames) {
                const std::vector<RigidPlacement> free = world_placements(rig_, motion_, frame);
                std::vector<RigidPlacement> world;
                for (std::size_t b = 0; b < held.size(); ++b) {
                    const std::int32_t parent = rig_.bones[b].parent;
                    const RigidPlacement above = parent < 0 ? RigidPlacement{} : world[static_cast<std::size_t>(parent)];
                    RigidPlacement at{free[b].rotation, {}};
                    at.origin = rotate(above.rotation, motion_.moves[b] ? frame.translations[b] : rig_.bones[b].translation) + above.origin;
                    if (held[b]) {
                        at.origin.x = bind[b].origin.x;
                        at.origin.z = bind[b].origin.z;
                        frame.translations[b] = rotate(conjugate(above.rotation), at.origin - above.origin);
                    }
                    frame.held.push_back(at.origin - free[b].origin);
                    farthest = std::max(farthest, length(frame.held.back()));
                    world.push_back(at);
                }
            }
        }
        if (farthest * options_.unit > kMoved) {
            report_.add(IssueId::PS1_HELD, {}, {{"distance", core::number_text(runtime::exact::rint(farthest * 1000) / 1000)}});
        }
    }

    const model::Model& model_;
    const Rig& rig_;
    const MotionOptions& options_;
    core::Report& report_;
    std::vector<std::optional<Mat4>> from_bind_;   // model space to the bone's, at bind
    Motion motion_;
};

}  // namespace

core::Result<Motion> sample_motion(const model::Model& model, const Rig& rig, const MotionOptions& options, std::uint64_t max_bytes, core::Report& report) {
    return Sampler(model, rig, options, report).run(max_bytes);
}

std::vector<double> frame_times(double duration, std::uint32_t fps) {
    const auto count = static_cast<std::size_t>(std::max(0.0, runtime::exact::rint(duration * fps))) + 1;
    std::vector<double> out;
    for (std::size_t f = 0; f < count; ++f) {
        out.push_back(std::min(static_cast<double>(f) / fps, duration));
    }
    return out;
}

std::vector<RigidPlacement> world_placements(const Rig& rig, const Motion& motion, const MotionFrame& frame) {
    std::vector<RigidPlacement> out;
    for (std::size_t b = 0; b < rig.bones.size(); ++b) {
        const std::int32_t parent = rig.bones[b].parent;
        const RigidPlacement above = parent < 0 ? RigidPlacement{} : out[static_cast<std::size_t>(parent)];
        const Vec3& t = motion.moves[b] ? frame.translations[b] : rig.bones[b].translation;
        out.push_back({normalized(multiply(above.rotation, frame.rotations[b])), rotate(above.rotation, t) + above.origin});
    }
    return out;
}

std::vector<std::string> stored_clip_names(const std::vector<model::Clip>& clips) {
    constexpr std::size_t kMost = layout::kNameSize - 1;
    std::vector<std::string> out;
    std::set<std::string> taken;
    std::map<std::pair<std::string, std::size_t>, std::size_t> next;
    for (const model::Clip& clip : clips) {
        std::string name = without(without(clip.name, "preset:biped:"), "AnimStack");
        const std::size_t first = name.find_first_not_of(" :");
        name = first == std::string::npos ? std::string() : name.substr(first, name.find_last_not_of(" :") - first + 1);
        name = ascii(name).substr(0, kMost);
        name = name.empty() ? "clip" : name;
        out.push_back(taken.insert(name).second ? name : numbered(name, taken, next));
    }
    return out;
}

}  // namespace gomkit::ps1
