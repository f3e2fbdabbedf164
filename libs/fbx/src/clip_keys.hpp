#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gomkit/model/model.hpp>

#include "scene.hpp"

/// How the keys of one channel are read from what ufbx's bake has of it.
namespace gomkit::fbx {

/// The layers of a stack that play, and what evaluates them. ufbx knows neither Mute nor Solo.
struct Played {
    std::vector<const ufbx_anim_layer*> layers;
    const ufbx_anim* anim = nullptr;
    Anim own;  ///< where not all of them play
};
[[nodiscard]] Played played_layers(const ufbx_scene& scene, const ufbx_anim_stack& stack);

/// A channel counts as unmoved when it stays this near to its rest value (metres, quaternion components, factors).
inline constexpr double kRestTolerance = 1e-7;

[[nodiscard]] inline double interpolate(double a, double b, double t) { return a + (b - a) * t; }
[[nodiscard]] inline model::Vec3 interpolate(const model::Vec3& a, const model::Vec3& b, double t) { return lerp(a, b, t); }
[[nodiscard]] inline model::Quat interpolate(const model::Quat& a, const model::Quat& b, double t) { return runtime::slerp(a, b, t); }

/// Whether it still is a float32 after it has been folded.
[[nodiscard]] inline bool finite(double v) { return std::fabs(v) <= 1e30; }
[[nodiscard]] inline bool finite(const model::Vec3& v) { return finite(v.x) && finite(v.y) && finite(v.z); }
[[nodiscard]] inline bool finite(const model::Quat& q) {
    const double d = dot(q, q);
    return std::isfinite(d) && d > 1e-12;
}

[[nodiscard]] inline bool near(double x, double y) { return std::fabs(x - y) <= kRestTolerance * std::fmax(1.0, std::fabs(y)); }
[[nodiscard]] inline bool near(const model::Vec3& a, const model::Vec3& b) { return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z); }
[[nodiscard]] inline bool near(const model::Quat& a, const model::Quat& b) {
    const model::Quat d = dot(a, b) < 0 ? -b : b;
    return std::fabs(a.x - d.x) <= kRestTolerance && std::fabs(a.y - d.y) <= kRestTolerance && std::fabs(a.z - d.z) <= kRestTolerance &&
           std::fabs(a.w - d.w) <= kRestTolerance;
}

/// The value at `time` between two keys that stand around it.
template <class T>
model::Key<T> key_between(const model::Key<T>& a, const model::Key<T>& b, double time) {
    if (!(b.time > a.time)) {
        return {time, b.value, false};
    }
    return {time, interpolate(a.value, b.value, (time - a.time) / (b.time - a.time)), false};
}

/// What of the keys lies in [0, duration], with a key at each end where the curve went on beyond it.
template <class T>
void clip_to_range(std::vector<model::Key<T>>& keys, double duration) {
    if (keys.empty() || (keys.front().time >= 0 && keys.back().time <= duration)) {
        return;
    }
    std::vector<model::Key<T>> out;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const model::Key<T>& key = keys[i];
        const bool has_before = i > 0;
        if (has_before && keys[i - 1].time < 0 && key.time > 0) {
            out.push_back(key_between(keys[i - 1], key, 0.0));
        }
        if (has_before && keys[i - 1].time < duration && key.time > duration) {
            out.push_back(key_between(keys[i - 1], key, duration));
        }
        if (key.time >= 0 && key.time <= duration) {
            out.push_back(key);
        }
    }
    if (out.empty()) {
        // All keys lie on one side: the nearest one holds.
        model::Key<T> key = keys.front().time > duration ? keys.front() : keys.back();
        key.time = 0;
        key.step_end = false;
        out.push_back(key);
    }
    out.back().step_end = false;
    keys = std::move(out);
}

template <class T>
bool is_constant(const std::vector<model::Key<T>>& keys) {
    return std::all_of(keys.begin(), keys.end(), [&](const model::Key<T>& k) { return k.value == keys.front().value; });
}

/// Seconds since the stack's start, to FBX's own tick.
class ClipTime {
public:
    ClipTime(const ufbx_scene& scene, double start) : ticks_(static_cast<double>(scene.metadata.ktime_second)), start_(start) {}
    [[nodiscard]] double operator()(double time) const {
        const double moved = time - start_;
        return ticks_ > 0 && std::fabs(moved) < 1e9 ? runtime::exact::rint(moved * ticks_) / ticks_ : moved;
    }

private:
    double ticks_;
    double start_;
};

/// A time that the bake leaves out. At a jump the curve may have another value just before and just after it.
struct ExtraTime {
    double time = 0;
    bool jump = false;
};

/// What of a scene decides the values of a channel.
struct Sampled {
    std::vector<const ufbx_element*> sources;  ///< whose curves
    std::string_view property{};               ///< only this property's; empty: all
    bool curved = false;                       ///< even linear keys give a curve
    bool beside_helper = false;                ///< the bake multiplies by a helper's scale as it lies between that one's keys
};
[[nodiscard]] Sampled sampled_node(const ufbx_node& node);

/// The bake leaves out whole frames within half a frame of a key that stands between frames, the ends of the stack's range where
/// no key stands there, and everything that curves do before their first and after their last key. This says at what source times
/// to sample besides.
class Refill {
public:
    Refill(const ufbx_scene& scene, const Played& played, const Sampled& sampled, double fps, double begin, double end, std::size_t limit);

    /// Times to add to a channel's baked times, ascending. A rotation is never linear between Euler keys.
    template <class List>
    [[nodiscard]] std::vector<ExtraTime> times(const List& list, bool is_rotation) const {
        std::vector<ExtraTime> out;
        if (list.count == 0) {
            return out;
        }
        const auto is_baked = [&](double time) {
            const auto at = std::lower_bound(list.begin(), list.end(), time - 2 * tick_, [](const auto& key, double t) { return key.time < t; });
            return at != list.end() && at->time <= time + 2 * tick_;
        };
        const auto add = [&](double time) {
            if (out.size() < limit_ && !is_baked(time)) {
                out.push_back({time, false});
            }
        };
        const auto frames = [&](double a, double b) {  // whole frames strictly between
            double count = 0;
            for (double f = std::floor(a * fps_ + 1e-3) + 1; f < b * fps_ - 1e-3 && count < static_cast<double>(limit_); ++f, ++count) {
                add(f / fps_);
            }
        };
        for (std::size_t i = 0; i + 1 < list.count && (is_rotation || curved_); ++i) {
            if (list.data[i + 1].time - list.data[i].time < 1.51 / fps_) {
                frames(list.data[i].time, list.data[i + 1].time);
            }
        }
        if (repeats_until_ > begin_) {
            frames(begin_, std::fmin(repeats_until_, end_));
        }
        if (repeats_from_ < end_) {
            frames(std::fmax(repeats_from_, begin_), end_);
        }
        const double first = repeats_until_ > begin_ ? begin_ : list.data[0].time;
        const double last = repeats_from_ < end_ ? end_ : list.data[list.count - 1].time;
        for (const double time : {begin_, end_}) {
            if (time >= first && time <= last) {
                add(time);
            }
        }
        for (const double time : jumps_) {
            out.push_back({time, true});
        }
        std::stable_sort(out.begin(), out.end(), [](const ExtraTime& a, const ExtraTime& b) { return a.time < b.time; });
        // One time once, as a jump where it is one.
        std::size_t kept = 0;
        for (const ExtraTime& extra : out) {
            if (kept != 0 && extra.time - out[kept - 1].time <= 2 * tick_) {
                if (extra.jump) {
                    out[kept - 1] = extra;
                }
            } else {
                out[kept++] = extra;
            }
        }
        out.resize(kept);
        return out;
    }

    [[nodiscard]] double tick() const { return tick_; }
    /// Whether values are better sampled than taken from the bake.
    [[nodiscard]] bool knows_better() const { return beside_helper_; }
    /// Whether the bake's key at this time gives way to a jump.
    [[nodiscard]] bool jumps_at(double time) const {
        const auto next = std::lower_bound(jumps_.begin(), jumps_.end(), time - 2 * tick_);
        return next != jumps_.end() && *next <= time + 2 * tick_;
    }

private:
    void look_at(const ufbx_anim_curve& curve);
    void add_cycles(const ufbx_anim_curve& curve, const ufbx_extrapolation& how, double reach, bool before);

    double fps_;
    double begin_;
    double end_;
    std::size_t limit_;
    double tick_;
    bool curved_;
    bool beside_helper_;
    double repeats_until_ = -std::numeric_limits<double>::infinity();
    double repeats_from_ = std::numeric_limits<double>::infinity();
    std::vector<double> jumps_;   // ascending: keys of cycles
};

/// The keys of a channel: the bake's where it is right, sampled ones where it is not. `list` is the bake's, `convert` makes a value
/// of one of its, `sample` gives the value at a source time. Empty where the channel stays at `rest`, one key where it is constant.
template <class T, class List, class Convert, class Sample>
std::vector<model::Key<T>> read_keys(const List& list, const ClipTime& clip_time, double duration, const T& rest, Convert convert,
                                     std::uint64_t& dropped, const Refill& refill, Sample sample) {
    std::vector<model::Key<T>> keys;
    const std::vector<ExtraTime> more = refill.times(list, std::is_same_v<T, model::Quat>);
    auto next = more.begin();
    const auto push = [&](double time, const T& value, bool step_end) {
        if (finite(value)) {
            keys.push_back({time, value, step_end});
        }
    };
    const auto next_float = [](double time) {
        return static_cast<double>(std::nextafter(static_cast<float>(time), std::numeric_limits<float>::infinity()));
    };
    const auto add_until = [&](double time) {
        for (; next != more.end() && next->time < time; ++next) {
            const T value = sample(next->time);
            const double clip = clip_time(next->time);
            if (!next->jump) {
                push(clip, value, false);
                continue;
            }
            const T before = sample(next->time - refill.tick());
            const T after = sample(next->time + refill.tick());
            if (!near(before, value)) {
                push(clip, before, true);
            }
            push(clip, value, false);
            if (!near(value, after)) {
                push(next_float(clip), after, false);
            }
        }
    };
    keys.reserve(list.count);
    for (std::size_t i = 0; i < list.count; ++i) {
        const auto& source = list.data[i];
        if (refill.jumps_at(source.time)) {
            continue;
        }
        add_until(source.time);
        T value = convert(source.value);
        if (refill.knows_better()) {
            constexpr double kFar = std::numeric_limits<double>::infinity();
            const bool left = (source.flags & UFBX_BAKED_KEY_STEP_LEFT) != 0;
            const bool right = (source.flags & UFBX_BAKED_KEY_STEP_RIGHT) != 0;
            value = sample(left || right ? std::nextafter(source.time, left ? -kFar : kFar) : source.time);
        }
        if (!std::isfinite(source.time) || !finite(value)) {
            ++dropped;
            continue;
        }
        // ufbx gives a step as keys of one time: left of it, at it, right of it; not all three need exist.
        const bool step_end = (source.flags & UFBX_BAKED_KEY_STEP_LEFT) != 0 && i + 1 < list.count && list.data[i + 1].time == source.time;
        const bool step_begin = (source.flags & UFBX_BAKED_KEY_STEP_RIGHT) != 0 && i > 0 && list.data[i - 1].time == source.time;
        // The key's own value holds at its time, what follows from the next float on.
        const double time = clip_time(source.time);
        keys.push_back({step_begin ? next_float(time) : time, value, step_end});
    }
    add_until(std::numeric_limits<double>::infinity());
    clip_to_range(keys, duration);
    if (std::all_of(keys.begin(), keys.end(), [&](const model::Key<T>& k) { return near(k.value, rest); })) {
        keys.clear();
    } else if (is_constant(keys)) {
        keys.resize(1);
        keys[0].time = 0;
        keys[0].step_end = false;
    }
    return keys;
}

}  // namespace gomkit::fbx
