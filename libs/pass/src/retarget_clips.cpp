#include <gomkit/pass/retarget_clips.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gomkit/pass/measure_skeleton.hpp>
#include <gomkit/pass/morph_tracks.hpp>

#include "fold.hpp"
#include "retarget_plan.hpp"
#include "sampling.hpp"

namespace gomkit::pass {
namespace {

using core::IssueId;
using model::Key;
using model::Mat4;
using model::Quat;
using model::Track;
using model::Transform;
using model::Vec3;

// Bind translations (share of the height) and scales (factor) this near to each other are the same.
constexpr double kSame = 1e-5;
// From here on (share of the height) a bone that changes its length is worth a word.
constexpr double kStretch = 0.01;
// A span between source keys is cut in two at most this often.
constexpr int kMostCuts = 6;
constexpr double kShortestSpan = 1e-5;
// Evaluations of one bone at one time, over a whole file; some 20 s. Real files take a thousandth.
constexpr std::uint64_t kMostWork = 100'000'000;

bool same_scale(const Vec3& a, const Vec3& b) {
    const double size = std::fmax(length(a), length(b));
    return length(a - b) <= kSame * size;
}

// The 3x3 of a bone's model matrix at bind without its rotation: what a length along the bone's axes becomes in metres.
Mat4 bind_scale(const Rig& rig, const model::Skeleton& skeleton, std::int32_t bone) {
    Mat4 m = skeleton.bones[static_cast<std::size_t>(bone)].bind_model;
    m.m[12] = m.m[13] = m.m[14] = 0;
    return m * runtime::to_matrix(conjugate(rig.bones[static_cast<std::size_t>(bone)].turn));
}

struct Event {
    double time = 0;
    bool step = false;
};

template <class T>
void add_events(const std::vector<Key<T>>& keys, std::vector<Event>& out) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool step = i > 0 && (keys[i - 1].step_end || keys[i - 1].time == keys[i].time);
        out.push_back({keys[i].time, step});
    }
}

void join(std::vector<Event>& events) {
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time != b.time ? a.time < b.time : a.step > b.step; });
    events.erase(std::unique(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time == b.time; }), events.end());
}

bool differs(const Quat& a, const Quat& b, double) {
    // Half the angle's sine, times two.
    const Quat d = then(a, conjugate(b));
    return 2 * length(Vec3{d.x, d.y, d.z}) > kRetargetAngle;
}
bool differs(const Vec3& a, const Vec3& b, double limit) { return length(a - b) > limit; }

void settle(std::vector<Key<Quat>>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i].value = runtime::normalized(keys[i].value);
        if (i > 0 && dot(keys[i - 1].value, keys[i].value) < 0) {
            keys[i].value = -keys[i].value;
        }
    }
}

class Retargeter {
public:
    Retargeter(const model::Model& source, const model::Model& target, const SkeletonMap& map, const core::Limits& limits,
               core::Report& report)
        : source_model_(source), target_model_(target), map_(map), limits_(limits), report_(report),
          source_(make_rig(source, map.source)), target_(make_rig(target, map, source_)),
          same_bones_(source.gom && target.gom && same_bones(map)) {}

    core::Result<Retargeted> run() {
        std::vector<BoneTracks> clips;
        clips.reserve(source_model_.clips.size());
        for (const model::Clip& clip : source_model_.clips) {
            clips.push_back(bone_tracks(source_, map_.source, clip));
            report_.add_loss("animation tracks of nodes that move no mesh", clips.back().unused);
        }
        plan_ = make_plan(source_, target_, map_, clips);
        out_.rule = plan_.rule;
        out_.size_ratio = plan_.size_ratio;
        if (plan_.rule == RetargetRule::Corrected) {
            report_.add(IssueId::RETARGET_POSTURE, {});
        }
        for (std::size_t i = 0; i < clips.size(); ++i) {
            clip_ = &clips[i];
            keys_ = 0;
            model::Clip clip = make(source_model_.clips[i]);
            if (keys_ > limits_.max_keys_per_clip || work_ > kMostWork) {
                return core::fail(core::Code::LimitExceeded, {}, "clip '" + clip.name + "' takes too many keys on the other skeleton",
                                  keys_ > limits_.max_keys_per_clip ? std::to_string(keys_) : "more work than is reasonable",
                                  "at most " + std::to_string(limits_.max_keys_per_clip), "cut the clip, or raise --limits");
            }
            out_.clips.push_back(std::move(clip));
        }
        carry_morph_tracks(source_model_, target_model_, out_.clips, report_);
        return std::move(out_);
    }

private:
    // Both skeletons have the same bones, in whatever order.
    static bool same_bones(const SkeletonMap& map) {
        bool same = map.source.bones.size() == map.target.bones.size();
        for (std::size_t i = 0; i < map.target.bones.size() && same; ++i) {
            const model::SkeletonBone& bone = map.target.bones[i];
            const std::int32_t source = map.source_of_target[i];
            const std::int32_t above = bone.parent >= 0 ? map.source_of_target[static_cast<std::size_t>(bone.parent)] : -1;
            same = source >= 0 && map.source.bones[static_cast<std::size_t>(source)].parent == above &&
                   std::ranges::equal(map.source.bones[static_cast<std::size_t>(source)].bind_local.m, bone.bind_local.m);
        }
        return same;
    }

    [[nodiscard]] bool too_much() const { return keys_ > limits_.max_keys_per_clip || work_ > kMostWork; }

    model::Clip make(const model::Clip& source) {
        model::Clip out;
        out.name = source.name;
        out.duration = source.duration;
        out.source_start = source.source_start;
        out.loop = source.loop;
        out.origin = source.origin;
        if (source.root.valid()) {
            const std::int32_t bone = map_.source.bone_of_node[source.root.value];
            const std::int32_t counterpart = bone >= 0 ? map_.target_of_source[static_cast<std::size_t>(bone)] : -1;
            if (counterpart >= 0) {
                out.root = map_.target.bones[static_cast<std::size_t>(counterpart)].node;
                out.has_root_motion = source.has_root_motion;
            } else {
                report_.add(IssueId::RETARGET_ROOT_LOST, {}, {{"clip", source.name}, {"bone", source_model_.nodes[source.root.value].name}});
            }
        }
        out.final_keys = source.final_keys && same_bones_;
        for (std::size_t i = 0; i < plan_.pairs.size() && !too_much(); ++i) {
            Track track;
            track.node = map_.target.bones[i].node;
            if (out.final_keys) {
                take_over(static_cast<std::size_t>(plan_.pairs[i].source), track);
            } else if (plan_.pairs[i].source < 0) {
                const Transform& bind = target_.bones[i].bind;
                hold(i, track, &Track::translation, bind.translation);
                hold(i, track, &Track::rotation, bind.rotation);
                hold(i, track, &Track::scale, bind.scale);
            } else {
                translation(i, track, source.name);
                rotation(i, track);
                scale(i, track);
            }
            keys_ += track.translation.size() + track.rotation.size() + track.scale.size();
            if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty()) {
                out.tracks.push_back(std::move(track));
            }
        }
        std::sort(out.tracks.begin(), out.tracks.end(), [](const Track& a, const Track& b) { return a.node < b.node; });
        return out;
    }

    // --- What the source does -----------------------------------------------------------------------------------------------

    [[nodiscard]] const Track* track(std::int32_t bone) const { return clip_->of_bone[static_cast<std::size_t>(bone)]; }
    [[nodiscard]] const Rig::Bone& s(std::int32_t bone) const { return source_.bones[static_cast<std::size_t>(bone)]; }

    // Rotation of a source bone relative to its parent, scales left out.
    [[nodiscard]] Quat turn_at(std::uint32_t bone, double time, Side side) const {
        const Track* keys = clip_->of_bone[bone];
        const Rig::Bone& b = source_.bones[bone];
        return mirrored(keys == nullptr ? b.rest.rotation : runtime::normalized(sample(keys->rotation, b.rest.rotation, time, side)), b.above);
    }

    // Rotation of the pair's source bone relative to the anchor's.
    [[nodiscard]] Quat relative_turn(const PairPlan& pair, double time, Side side) {
        work_ += pair.up.size() + pair.down.size();
        Quat up;
        for (const std::uint32_t b : pair.up) {
            up = then(up, turn_at(b, time, side));
        }
        Quat down;
        for (const std::uint32_t b : pair.down) {
            down = then(down, turn_at(b, time, side));
        }
        return then(up, conjugate(down));
    }

    struct Pose {
        Mat4 matrix;
        Quat turn;
    };
    [[nodiscard]] Pose pose(std::int32_t bone, double time, Side side) {
        Pose out;
        for (std::int32_t b = bone; b >= 0; b = s(b).parent) {
            ++work_;
            out.matrix = out.matrix * runtime::to_matrix(sample(track(b), s(b).rest, time, side));
            out.turn = then(out.turn, turn_at(static_cast<std::uint32_t>(b), time, side));
        }
        return out;
    }

    // Place of the pair's source bone as its anchor sees it: metres, along the axes of the anchor's rotation.
    [[nodiscard]] Vec3 relative_place(const PairPlan& pair, double time, Side side) {
        const Mat4 own = pose(pair.source, time, side).matrix;
        const Vec3 place{own.m[12], own.m[13], own.m[14]};
        if (pair.anchor_source < 0) {
            return place;
        }
        const Pose anchor = pose(pair.anchor_source, time, side);
        return rotate(conjugate(anchor.turn), place - Vec3{anchor.matrix.m[12], anchor.matrix.m[13], anchor.matrix.m[14]});
    }

    // --- Channels -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] const Quat& anchor_axes(const PairPlan& pair) const {
        return pair.anchor >= 0 ? plan_.pairs[static_cast<std::size_t>(pair.anchor)].axes : identity_;
    }

    // Bind rotation of the target's bones that stand between a bone and its anchor.
    [[nodiscard]] Quat unpaired_turn(std::size_t i) const {
        Quat out;
        for (std::int32_t b = target_.bones[i].parent; b != plan_.pairs[i].anchor; b = target_.bones[static_cast<std::size_t>(b)].parent) {
            const Rig::Bone& bone = target_.bones[static_cast<std::size_t>(b)];
            out = then(out, mirrored(bone.bind.rotation, bone.above));
        }
        return out;
    }

    void rotation(std::size_t i, Track& out) {
        const PairPlan& pair = plan_.pairs[i];
        const auto source = static_cast<std::size_t>(pair.source);
        const Quat none;
        if (pair.direct && pair.axes == none && anchor_axes(pair) == none && s(pair.source).above == target_.bones[i].above) {
            copy(i, out, source, &Track::rotation, s(pair.source).rest.rotation);
            return;
        }
        const Quat after = then(conjugate(anchor_axes(pair)), conjugate(unpaired_turn(i)));
        const auto value = [&](double time, Side side) {
            return mirrored(then(then(pair.axes, relative_turn(pair, time, side)), after), target_.bones[i].above);
        };
        std::vector<const std::vector<Key<Quat>>*> moving;
        for (const auto* chain : {&pair.up, &pair.down}) {
            for (const std::uint32_t b : *chain) {
                if (clip_->turns[b]) {
                    moving.push_back(&clip_->of_bone[b]->rotation);
                }
            }
        }
        std::vector<Key<Quat>> keys;
        if (moving.empty()) {
            keys.push_back({0, value(0, Side::After), false});
        } else if (moving.size() == 1) {
            // Everything else is constant, and turning by constants keeps a slerp a slerp.
            for (std::size_t k = 0; k < moving[0]->size() && !too_much(); ++k) {
                const Key<Quat>& key = (*moving[0])[k];
                const bool before = key.step_end || (k + 1 < moving[0]->size() && (*moving[0])[k + 1].time == key.time);
                keys.push_back({key.time, value(key.time, before ? Side::Before : Side::After), key.step_end});
            }
        } else {
            std::vector<Event> events;
            for (const auto* list : moving) {
                add_counted(*list, events);
            }
            keys = resample<Quat>(events, value, 0);
        }
        settle(keys);
        ++(moving.size() > 1 ? out_.resampled : out_.turned);
        put(i, out, &Track::rotation, std::move(keys));
    }

    void translation(std::size_t i, Track& out, const std::string& clip_name) {
        const PairPlan& pair = plan_.pairs[i];
        const auto source = static_cast<std::size_t>(pair.source);
        const Rig::Bone& bone = s(pair.source);
        const Rig::Bone& bind = target_.bones[i];
        const bool plain = pair.direct && anchor_axes(pair) == Quat{};
        if (!pair.travels) {
            const double size = pair.anchor >= 0 ? target_.bones[static_cast<std::size_t>(pair.anchor)].size : 1;
            const double limit = kSame * target_.height / (size > 0 ? size : 1);
            if (plain && (length(bone.bind.translation - bind.bind.translation) <= limit ||
                          length(bone.rest.translation - bind.bind.translation) <= limit)) {
                copy(i, out, source, &Track::translation, bone.rest.translation);
                return;
            }
            const Track* keys = track(pair.source);
            const double source_size = pair.anchor_source >= 0 && s(pair.anchor_source).size > 0 ? s(pair.anchor_source).size : 1;
            if (keys != nullptr && std::any_of(keys->translation.begin(), keys->translation.end(), [&](const Key<Vec3>& k) {
                    return length(k.value - keys->translation.front().value) * source_size > kStretch * source_.height;
                })) {
                report_.add(IssueId::RETARGET_STRETCH_LOST, {}, {{"clip", clip_name}, {"bone", map_.source.bones[source].path}});
            }
            hold(i, out, &Track::translation, bind.bind.translation);
            return;
        }
        travel(i, out);
    }

    // A translation that follows the motion: metres as the source's anchor sees them, times the ratio of sizes, along the target
    // anchor's axes.
    void travel(std::size_t i, Track& out) {
        const PairPlan& pair = plan_.pairs[i];
        const auto source = static_cast<std::size_t>(pair.source);
        const Rig::Bone& bind = target_.bones[i];
        Mat4 anchor_scale;    // of the target's anchor: its units to metres
        Mat4 parent;          // the target's parent as the anchor sees it at bind
        if (bind.parent >= 0) {
            parent = map_.target.bones[static_cast<std::size_t>(bind.parent)].bind_model;
        }
        if (pair.anchor >= 0) {
            anchor_scale = bind_scale(target_, map_.target, pair.anchor);
            Mat4 inverse;
            parent = inverse_affine(map_.target.bones[static_cast<std::size_t>(pair.anchor)].bind_model, inverse) ? parent * inverse : Mat4{};
        }
        Mat4 from_metres;
        Mat4 into_parent;
        if (!inverse_affine(anchor_scale, from_metres)) {
            from_metres = Mat4{};
        }
        if (!inverse_affine(parent, into_parent)) {
            into_parent = Mat4{};
        }
        const Quat into_anchor = conjugate(anchor_axes(pair));
        const auto carried = [&](const Vec3& metres) {
            return transform_point(transform_vector(rotate(into_anchor, metres) * plan_.size_ratio, from_metres), into_parent);
        };
        if (pair.direct && plan_.size_ratio == 1 && anchor_axes(pair) == Quat{} &&
            (pair.anchor < 0 || same_matrix(bind_scale(source_, map_.source, pair.anchor_source), anchor_scale))) {
            copy(i, out, source, &Track::translation, s(pair.source).rest.translation);
            return;
        }
        const Mat4 source_scale = own_scale(pair.anchor_source);
        const bool simple = pair.direct && source_scale.m[0] != 0;
        const auto value = [&](double time, Side side) { return carried(relative_place(pair, time, side)); };
        std::vector<Key<Vec3>> keys;
        const Track* own = track(pair.source);
        if (simple) {
            keys = own != nullptr ? own->translation : std::vector<Key<Vec3>>{};
            if (keys.empty()) {
                keys.push_back({0, s(pair.source).rest.translation, false});
            }
            for (Key<Vec3>& key : keys) {
                key.value = carried(transform_vector(key.value, source_scale));
            }
        } else {
            std::vector<Event> events;
            for (const auto* chain : {&pair.up, &pair.down}) {
                for (const std::uint32_t b : *chain) {
                    add_all_events(clip_->of_bone[b], events);
                }
            }
            for (std::int32_t b = pair.anchor_source; b >= 0; b = s(b).parent) {
                if (clip_->scales[static_cast<std::size_t>(b)]) {
                    add_counted(track(b)->scale, events);
                }
            }
            if (events.empty()) {
                events.push_back({});
            }
            const double size = bind.parent >= 0 ? target_.bones[static_cast<std::size_t>(bind.parent)].size : 1;
            keys = resample<Vec3>(events, value, kRetargetDistance * target_.height / (size > 0 ? size : 1));
            ++out_.resampled;
        }
        put(i, out, &Track::translation, std::move(keys));
    }

    void add_all_events(const Track* keys, std::vector<Event>& events) {
        if (keys != nullptr) {
            add_counted(keys->translation, events);
            add_counted(keys->rotation, events);
            add_counted(keys->scale, events);
        }
    }
    template <class T>
    void add_counted(const std::vector<Key<T>>& keys, std::vector<Event>& events) {
        work_ += keys.size();
        if (!too_much()) {
            add_events(keys, events);
        }
    }

    // The scale part of a source bone's model matrix where the clip does not change it: uniform scales and signs. Element 0 is 0 elsewhere.
    [[nodiscard]] Mat4 own_scale(std::int32_t bone) const {
        Mat4 out;
        if (bone < 0) {
            return out;
        }
        bool steady = s(bone).size > 0;
        for (std::int32_t b = bone; b >= 0; b = s(b).parent) {
            steady = steady && !clip_->scales[static_cast<std::size_t>(b)];
        }
        const Vec3 signs = multiply(s(bone).above, s(bone).signs);
        out.m[0] = steady ? signs.x * s(bone).size : 0;
        out.m[5] = signs.y * s(bone).size;
        out.m[10] = signs.z * s(bone).size;
        return out;
    }

    static bool same_matrix(const Mat4& a, const Mat4& b) {
        double size = 0;
        for (const double v : a.m) {
            size = std::fmax(size, std::fabs(v));
        }
        for (std::size_t k = 0; k < 16; ++k) {
            if (std::fabs(a.m[k] - b.m[k]) > kSame * size) {
                return false;
            }
        }
        return true;
    }

    void scale(std::size_t i, Track& out) {
        const PairPlan& pair = plan_.pairs[i];
        const auto source = static_cast<std::size_t>(pair.source);
        const Vec3& rest = s(pair.source).rest.scale;
        const Vec3& bind = target_.bones[i].bind.scale;
        if (pair.axes == Quat{} && (same_scale(s(pair.source).bind.scale, bind) || same_scale(rest, bind))) {
            copy(i, out, source, &Track::scale, rest);
            return;
        }
        const Track* track = this->track(pair.source);
        std::vector<Key<Vec3>> keys;
        if (track == nullptr || !moves(track->scale)) {
            keys.push_back({0, bind, false});
        } else {
            // Factors of the rest scale; each axis of the target takes its share of the source's.
            const Mat4 axes = runtime::to_matrix(pair.axes);
            const auto factor = [](double value, double of) { return of != 0 ? value / of : 1; };
            keys = track->scale;
            for (Key<Vec3>& key : keys) {
                const double f[3] = {factor(key.value.x, rest.x), factor(key.value.y, rest.y), factor(key.value.z, rest.z)};
                double g[3] = {};
                for (std::size_t r = 0; r < 3; ++r) {
                    for (std::size_t c = 0; c < 3; ++c) {
                        g[r] += axes.m[4 * r + c] * axes.m[4 * r + c] * f[c];
                    }
                }
                key.value = multiply(bind, Vec3{g[0], g[1], g[2]});
            }
        }
        put(i, out, &Track::scale, std::move(keys));
    }

    // --- Keys ---------------------------------------------------------------------------------------------------------------

    template <class T, class Value>
    std::vector<Key<T>> resample(std::vector<Event>& events, const Value& value, double limit) {
        join(events);
        std::vector<Key<T>> out;
        for (std::size_t e = 0; e < events.size() && !too_much() && out.size() <= limits_.max_keys_per_clip; ++e) {
            const double time = events[e].time;
            if (e > 0) {
                const Key<T> first = out.back();
                const Key<T> last{time, value(time, Side::Before), false};
                refine(out, first, last, value, limit, kMostCuts);
            }
            if (events[e].step) {
                out.push_back({time, value(time, Side::Before), true});
            }
            out.push_back({time, value(time, Side::After), false});
        }
        if (!moves(out) && !out.empty()) {
            out.resize(1);
            out[0] = {0, out[0].value, false};
        }
        return out;
    }

    // Adds the keys that are missing between two.
    template <class T, class Value>
    void refine(std::vector<Key<T>>& out, const Key<T>& a, const Key<T>& b, const Value& value, double limit, int cuts) {
        if (cuts == 0 || b.time - a.time < kShortestSpan || too_much() || out.size() > limits_.max_keys_per_clip) {
            return;
        }
        bool straight = true;
        for (const double share : {0.25, 0.5, 0.75}) {
            straight = straight && !differs(between(a.value, b.value, share), value(a.time + (b.time - a.time) * share, Side::After), limit);
        }
        if (straight) {
            return;
        }
        const double time = a.time + (b.time - a.time) / 2;
        const Key<T> middle{time, value(time, Side::After), false};
        refine(out, a, middle, value, limit, cuts - 1);
        out.push_back(middle);
        refine(out, middle, b, value, limit, cuts - 1);
    }

    // The source bone's own channel, to the bit; its rest value where it has none.
    template <class T>
    void copy(std::size_t i, Track& out, std::size_t source, std::vector<Key<T>> Track::*channel, const T& rest) {
        const Track* keys = clip_->of_bone[source];
        if (keys == nullptr || (keys->*channel).empty()) {
            hold(i, out, channel, rest);
            return;
        }
        if constexpr (std::is_same_v<T, Quat>) {
            ++out_.copied;
        }
        const model::SkeletonBone& from = map_.source.bones[source];
        const model::SkeletonBone& to = map_.target.bones[i];
        const bool same_fold = from.folded == to.folded && (!from.folded || from.fold == to.fold);
        put(i, out, channel, keys->*channel, same_fold ? &(clip_->of_node[source]->*channel) : nullptr);
    }

    // Stored keys of the same bone in another file: to the bit, and nothing where there are none.
    void take_over(std::size_t source, Track& out) {
        if (const Track* keys = clip_->of_node[source]; keys != nullptr) {
            out.translation = keys->translation;
            out.rotation = keys->rotation;
            out.scale = keys->scale;
            out_.copied += keys->rotation.empty() ? 0u : 1u;
        }
    }

    // One value for the whole clip.
    template <class T>
    void hold(std::size_t i, Track& out, std::vector<Key<T>> Track::*channel, const T& value) {
        put(i, out, channel, std::vector<Key<T>>{{0, value, false}});
    }

    // Puts bone-local keys into the target's track, whose keys are local to the node's parent. Nothing where the rest says the same.
    // `as_stored`: the same keys local to the node, where they need no conversion.
    template <class T>
    void put(std::size_t i, Track& out, std::vector<Key<T>> Track::*channel, std::vector<Key<T>> keys,
             const std::vector<Key<T>>* as_stored = nullptr) {
        const Transform& rest = target_.bones[i].rest;
        bool needed = keys.size() > 1;
        if (!needed && !keys.empty()) {
            if constexpr (std::is_same_v<T, Quat>) {
                needed = !near(runtime::normalized(keys[0].value), rest.rotation);
            } else {
                needed = !near(keys[0].value, channel == &Track::scale ? rest.scale : rest.translation);
            }
        }
        if (!needed) {
            return;
        }
        const model::SkeletonBone& bone = map_.target.bones[i];
        if (as_stored != nullptr) {
            keys = *as_stored;
        } else {
            for (Key<T>& key : keys) {
                if constexpr (std::is_same_v<T, Quat>) {
                    key.value = unfold_rotation(key.value, bone);
                } else {
                    key.value = channel == &Track::scale ? unfold_scale(key.value, bone) : unfold_translation(key.value, bone);
                }
            }
        }
        out.*channel = std::move(keys);
    }

    const model::Model& source_model_;
    const model::Model& target_model_;
    const SkeletonMap& map_;
    const core::Limits& limits_;
    core::Report& report_;
    Rig source_;
    Rig target_;
    bool same_bones_;   // of two GOMs
    Plan plan_;
    Quat identity_;
    const BoneTracks* clip_ = nullptr;
    std::uint64_t keys_ = 0;
    std::uint64_t work_ = 0;
    Retargeted out_;
};

}  // namespace

const char* name(RetargetRule rule) {
    switch (rule) {
        case RetargetRule::SamePosture: return "same posture";
        case RetargetRule::SameAxes: return "same axes";
        case RetargetRule::Corrected: return "corrected posture";
    }
    return "corrected posture";
}

core::Result<Retargeted> retarget_clips(const model::Model& source, const model::Model& target, const SkeletonMap& map,
                                        const core::Limits& limits, core::Report& report) {
    return Retargeter(source, target, map, limits, report).run();
}

}  // namespace gomkit::pass
