#include <gomkit/pass/root_motion.hpp>

#include <algorithm>
#include <cmath>

#include <gomkit/core/text.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/stored_clip.hpp>

#include "fold.hpp"
#include "sampling.hpp"

namespace gomkit::pass {
namespace {

using core::Code;
using model::Quat;
using model::Vec3;

// How far keys and samples may be from the exact motion between them (radians), and from where on that is worth a warning.
constexpr double kAngleTolerance = 2e-6;
constexpr double kWarnAngle = 1e-4;
constexpr int kMostHalvings = 16;
constexpr std::size_t kMostListed = 20;
constexpr double kTurn = 6.283185307179586;

double yaw_of(const Quat& q) { return q.y == 0 ? 0.0 : 2 * runtime::exact::atan2(q.y, q.w); }

Quat turn_of(double yaw) { return {0, runtime::exact::sin(yaw / 2), 0, runtime::exact::cos(yaw / 2)}; }

// The heading of gom.md 10 as a rotation.
Quat heading(const Quat& q) { return q.y == 0 && q.w == 0 ? Quat{} : runtime::normalized(Quat{0, q.y, 0, q.w}); }

double angle_between(const Quat& a, const Quat& b) {
    const Quat c = dot(a, b) < 0 ? -b : b;
    const Quat d{a.x - c.x, a.y - c.y, a.z - c.z, a.w - c.w};
    const Quat s{a.x + c.x, a.y + c.y, a.z + c.z, a.w + c.w};
    return 4 * runtime::exact::atan2(length(d), length(s));
}

// The nearest angle to `previous` that is `yaw` plus whole turns.
double unwrapped(double yaw, double previous) { return yaw - kTurn * runtime::exact::rint((yaw - previous) / kTurn); }

// --- The root -------------------------------------------------------------------------------------------------------------

std::string quoted(const std::string& text) { return "'" + core::printable(text) + "'"; }

std::string list_roots(const model::Skeleton& skeleton) {
    std::string out;
    std::size_t count = 0;
    for (const model::SkeletonBone& bone : skeleton.bones) {
        if (bone.parent < 0 && ++count <= kMostListed) {
            out += (count == 1 ? "" : ", ") + quoted(bone.path);
        }
    }
    if (count > kMostListed) {
        out += " and " + std::to_string(count - kMostListed) + " more";
    }
    return out.empty() ? "none" : out;
}

core::Result<std::size_t> find_root(const model::Model& model, const model::Skeleton& skeleton, const ClipStore& store,
                                    const std::string& wanted, core::Report& report) {
    const std::string candidates = "bones without parent: " + list_roots(skeleton);
    if (wanted.empty()) {
        std::vector<bool> moves(skeleton.bones.size());
        for (const model::Clip& clip : model.clips) {
            const std::vector<const model::Track*> tracks = tracks_of_bones(clip, skeleton);
            for (std::size_t b = 0; b < tracks.size(); ++b) {
                if (skeleton.bones[b].parent < 0 && tracks[b] != nullptr) {
                    const StoredTrack track = store.store(b, tracks[b], clip);
                    moves[b] = moves[b] || track.translation.size() > 1 || track.rotation.size() > 1;
                }
            }
        }
        const auto first = std::find(moves.begin(), moves.end(), true);
        if (first == moves.end()) {
            return core::fail(Code::Usage, {}, "--root-motion: no clip moves a bone without parent", {}, {},
                              "animate the topmost bone in the source, or name one with --root; " + candidates);
        }
        const auto root = static_cast<std::size_t>(first - moves.begin());
        if (const auto other = std::find(first + 1, moves.end(), true); other != moves.end()) {
            report.add(core::IssueId::CLIP_ROOTS, {},
                       {{"count", std::to_string(std::count(moves.begin(), moves.end(), true))}, {"bone", skeleton.bones[root].path},
                        {"other", skeleton.bones[static_cast<std::size_t>(other - moves.begin())].path}});
        }
        return root;
    }
    std::vector<std::size_t> found;
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
        if (skeleton.bones[b].path == wanted) {
            found = {b};
            break;
        }
        if (skeleton.bones[b].name == wanted) {
            found.push_back(b);
        }
    }
    if (found.empty()) {
        return core::fail(Code::Usage, {}, "--root: there is no bone " + quoted(wanted), {}, {}, candidates);
    }
    if (found.size() > 1) {
        std::string paths;
        for (std::size_t i = 0; i < found.size() && i < kMostListed; ++i) {
            paths += (i == 0 ? "" : ", ") + quoted(skeleton.bones[found[i]].path);
        }
        return core::fail(Code::Usage, {}, "--root: " + std::to_string(found.size()) + " bones are called " + quoted(wanted), {}, {},
                          "give the path of one: " + paths);
    }
    const model::SkeletonBone& bone = skeleton.bones[found[0]];
    if (bone.parent >= 0) {
        return core::fail(Code::Usage, {}, "--root: " + quoted(wanted) + " hangs below " +
                              quoted(skeleton.bones[static_cast<std::size_t>(bone.parent)].path),
                          {}, "a bone without parent", candidates);
    }
    return found[0];
}

// --- Taking the motion out ------------------------------------------------------------------------------------------------

template <class T>
std::vector<model::Key<T>> to_model(const StoredKeys<T>& keys) {
    std::vector<model::Key<T>> out;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool step_end = keys[i].step && i + 1 < keys.size() && keys[i + 1].step &&
                              std::nextafter(static_cast<float>(keys[i].time), INFINITY) >= static_cast<float>(keys[i + 1].time);
        out.push_back({keys[i].time, keys[i].value, step_end});
    }
    return out;
}

Vec3 rounded(const Vec3& v) { return {to_float32(v.x), to_float32(v.y), to_float32(v.z)}; }
Quat rounded(const Quat& q) { return {to_float32(q.x), to_float32(q.y), to_float32(q.z), to_float32(q.w)}; }

template <class T>
void merge_constant(StoredKeys<T>& keys) {
    const auto equals_first = [&](const StoredKey<T>& k) { return rounded(k.value) == rounded(keys.front().value); };
    if (std::all_of(keys.begin(), keys.end(), equals_first)) {
        keys.resize(1);
        keys[0].time = 0;
        keys[0].step = false;
    }
}

class Extractor {
public:
    Extractor(const StoredTrack& track, const model::Transform& bind, double duration) : track_(track), bind_(bind), duration_(duration) {
        std::size_t hint = 0;
        start_ = sample(track.translation, 0, bind.translation, hint);
        hint = 0;
        start_rotation_ = sample(track.rotation, 0, bind.rotation, hint);
        start_heading_ = heading(start_rotation_);
    }

    // False: more rotation keys than `most`.
    bool run(std::size_t most) {
        const StoredKeys<Quat>& keys = track_.rotation;
        if (keys.size() > 1) {
            rotation_.push_back(in_place(keys[0], keys[0].value));
            for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
                if (!(keys[k].step && keys[k + 1].step)) {
                    refine(keys[k], keys[k + 1], keys[k].time, keys[k + 1].time, kMostHalvings, most);
                }
                rotation_.push_back(in_place(keys[k + 1], keys[k + 1].value));
                if (rotation_.size() > most) {
                    return false;
                }
            }
        }
        return true;
    }

    [[nodiscard]] RootMotionClip motion() const {
        RootMotionClip out;
        out.duration = duration_;
        out.start = {0, start_.x, start_.z, yaw_of(start_rotation_)};
        std::vector<double> times = {0, duration_};
        for (const auto& key : track_.translation) {
            times.push_back(key.time);
        }
        for (const auto& key : rotation_) {
            times.push_back(key.time);
        }
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        std::size_t t_hint = 0;
        std::size_t r_hint = 0;
        double yaw = out.start.yaw;
        for (const double time : times) {
            const Vec3 t = sample(track_.translation, time, bind_.translation, t_hint);
            yaw = unwrapped(yaw_of(sample(track_.rotation, time, bind_.rotation, r_hint)), yaw);
            out.samples.push_back({time, t.x - start_.x, t.z - start_.z, yaw - out.start.yaw});
        }
        return out;
    }

    // Writes the keys that moved.
    void store(model::Track& track, const model::SkeletonBone& bone, bool final_keys) const {
        const bool folded = !final_keys;  // final keys are the bone's own, not the node's
        if (track_.translation.size() > 1) {
            StoredKeys<Vec3> keys = track_.translation;
            for (auto& key : keys) {
                key.value = {start_.x, key.value.y, start_.z};
            }
            merge_constant(keys);
            for (auto& key : keys) {
                key.value = folded ? unfold_translation(key.value, bone) : key.value;
            }
            track.translation = to_model(keys);
        }
        if (track_.rotation.size() > 1) {
            StoredKeys<Quat> keys = rotation_;
            merge_constant(keys);
            for (auto& key : keys) {
                key.value = folded ? unfold_rotation(key.value, bone) : key.value;
            }
            track.rotation = to_model(keys);
        }
    }

    [[nodiscard]] double worst_angle() const { return worst_angle_; }
    [[nodiscard]] double worst_time() const { return worst_time_; }

private:
    // local * inverse(N): the heading of time 0 with what the bone leans.
    [[nodiscard]] Quat leaning(const Quat& q) const {
        return runtime::multiply(start_heading_, runtime::multiply(conjugate(heading(q)), q));
    }
    [[nodiscard]] StoredKey<Quat> in_place(const StoredKey<Quat>& key, const Quat& q) const {
        StoredKey<Quat> out = key;
        out.value = runtime::normalized(leaning(q));
        return out;
    }

    // Keys strictly between `begin` and `end` on the arc from a to b, as many as it takes.
    void refine(const StoredKey<Quat>& a, const StoredKey<Quat>& b, double begin, double end, int halvings, std::size_t most) {
        const auto at = [&](double time) { return runtime::slerp(a.value, b.value, (time - a.time) / (b.time - a.time)); };
        const Quat first = at(begin);
        const Quat last = at(end);
        const Quat lean_first = leaning(first);
        const Quat lean_last = leaning(last);
        const double yaw_first = yaw_of(first);
        const double yaw_last = unwrapped(yaw_of(last), yaw_first);
        double off = 0;
        double off_time = begin;
        for (const double part : {0.25, 0.5, 0.75}) {
            const double time = begin + (end - begin) * part;
            const Quat q = at(time);
            const double yaw = yaw_first + (yaw_last - yaw_first) * part;
            const double lean_off = angle_between(runtime::slerp(lean_first, lean_last, part), leaning(q));
            const double yaw_off = angle_between(turn_of(yaw), heading(q));
            if (std::fmax(lean_off, yaw_off) > off) {
                off = std::fmax(lean_off, yaw_off);
                off_time = time;
            }
        }
        if (off <= kAngleTolerance) {
            return;
        }
        const double middle = to_float32(begin + (end - begin) / 2);
        if (halvings == 0 || !(middle > begin) || !(middle < end) || rotation_.size() > most) {
            if (off > worst_angle_) {
                worst_angle_ = off;
                worst_time_ = off_time;
            }
            return;
        }
        refine(a, b, begin, middle, halvings - 1, most);
        StoredKey<Quat> key;
        key.time = middle;
        key.value = runtime::normalized(leaning(at(middle)));
        rotation_.push_back(key);
        refine(a, b, middle, end, halvings - 1, most);
    }

    const StoredTrack& track_;
    const model::Transform& bind_;
    double duration_;
    Vec3 start_;
    Quat start_rotation_;
    Quat start_heading_;
    StoredKeys<Quat> rotation_;   // in place
    double worst_angle_ = 0;
    double worst_time_ = 0;
};

void append_json_string(std::string& out, const std::string& text) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;  // names hold no control characters
    }
    out += '"';
}

}  // namespace

core::Result<std::vector<RootMotionClip>> apply_root_motion(model::Model& model, const RootMotionOptions& options,
                                                            const core::Limits& limits, core::Report& report) {
    std::vector<RootMotionClip> out;
    if (options.mode == RootMotionMode::Keep) {
        return out;
    }
    const core::Result<model::Skeleton> skeleton = model::build_skeleton(model, limits);
    if (!skeleton) {
        return core::Fault(skeleton.error());
    }
    const ClipStore store(model, *skeleton);
    const auto root = find_root(model, *skeleton, store, options.root, report);
    if (!root) {
        return core::Fault(root.error());
    }
    const model::SkeletonBone& bone = skeleton->bones[*root];
    if (options.mode == RootMotionMode::Flag) {
        for (model::Clip& clip : model.clips) {
            clip.root = bone.node;
            clip.has_root_motion = true;
        }
        return out;
    }
    std::vector<model::Clip> clips = model.clips;
    for (model::Clip& clip : clips) {
        clip.root = {};
        clip.has_root_motion = false;
        const auto found = std::find_if(clip.tracks.begin(), clip.tracks.end(), [&](const model::Track& t) { return t.node == bone.node; });
        model::Track* track = found != clip.tracks.end() ? &*found : nullptr;
        const StoredTrack stored = store.store(*root, track, clip);
        Extractor extractor(stored, store.bind(*root), to_float32(clip.duration));
        const std::size_t most = static_cast<std::size_t>(limits.max_keys_per_clip);
        if (!extractor.run(most)) {
            return core::fail(Code::LimitExceeded, {}, "--root-motion in-place: clip " + quoted(clip.name) + " would have too many keys", {},
                              "at most " + std::to_string(most), "cut the clip with --clip-range, or raise --limits");
        }
        out.push_back(extractor.motion());
        out.back().clip = clip.name;
        out.back().bone = bone.path;
        if (track != nullptr) {
            extractor.store(*track, bone, clip.final_keys);
        }
        if (extractor.worst_angle() > kWarnAngle) {
            report.add(core::IssueId::CLIP_ROOT_YAW, {},
                       {{"clip", clip.name}, {"bone", bone.path}, {"time", core::number_text(static_cast<float>(extractor.worst_time()))},
                        {"angle", core::number_text(static_cast<float>(extractor.worst_angle()))}});
        }
    }
    model.clips = std::move(clips);
    return out;
}

std::string root_motion_json(std::span<const RootMotionClip> clips) {
    std::string out = "{\n  \"rootMotion\": 1,\n  \"clips\": [";
    for (std::size_t i = 0; i < clips.size(); ++i) {
        const RootMotionClip& clip = clips[i];
        out += i == 0 ? "\n    {\n      \"name\": " : ",\n    {\n      \"name\": ";
        append_json_string(out, clip.clip);
        out += ",\n      \"bone\": ";
        append_json_string(out, clip.bone);
        out += ",\n      \"duration\": " + core::number_text(clip.duration);
        out += ",\n      \"start\": [" + core::number_text(clip.start.x) + ", " + core::number_text(clip.start.z) + ", " +
               core::number_text(clip.start.yaw) + "]";
        out += ",\n      \"columns\": [\"time\", \"x\", \"z\", \"yaw\"],\n      \"samples\": [";
        for (std::size_t s = 0; s < clip.samples.size(); ++s) {
            const RootMotionSample& row = clip.samples[s];
            out += s == 0 ? "\n        [" : ",\n        [";
            out += core::number_text(row.time) + ", " + core::number_text(row.x) + ", " + core::number_text(row.z) + ", " +
                   core::number_text(row.yaw) + "]";
        }
        out += "\n      ]\n    }";
    }
    out += clips.empty() ? "]\n}\n" : "\n  ]\n}\n";
    return out;
}

std::string root_motion_csv(std::span<const RootMotionClip> clips) {
    const auto quoted = [](const std::string& text) {
        std::string out = "\"";
        for (const char c : text) {
            out += c == '"' ? "\"\"" : std::string(1, c);
        }
        return out + "\"";
    };
    std::string out = "clip,bone,startX,startZ,startYaw,time,x,z,yaw\n";
    for (const RootMotionClip& clip : clips) {
        std::string head = quoted(clip.clip) + "," + quoted(clip.bone);
        for (const double v : {clip.start.x, clip.start.z, clip.start.yaw}) {
            head += "," + core::number_text(v);
        }
        for (const RootMotionSample& row : clip.samples) {
            out += head;
            for (const double v : {row.time, row.x, row.z, row.yaw}) {
                out += "," + core::number_text(v);
            }
            out += "\n";
        }
    }
    return out;
}

}  // namespace gomkit::pass
