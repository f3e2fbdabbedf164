#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <gomkit/core/text.hpp>

namespace gomkit::fbx {
namespace {

using model::Key;
using model::Quat;
using model::Vec3;

struct BakeDeleter {
    void operator()(ufbx_baked_anim* bake) const { ufbx_free_baked_anim(bake); }
};
using Bake = std::unique_ptr<ufbx_baked_anim, BakeDeleter>;

// The layers of a stack that play, and what evaluates them. ufbx knows neither Mute nor Solo.
struct Played {
    std::vector<const ufbx_anim_layer*> layers;
    const ufbx_anim* anim = nullptr;
    Anim own;  // where not all of them play
};

Played played_layers(const ufbx_scene& scene, const ufbx_anim_stack& stack) {
    const auto is_set = [](const ufbx_anim_layer* layer, const char* name) { return ufbx_find_bool(&layer->props, name, false); };
    const bool solo = std::any_of(stack.layers.begin(), stack.layers.end(), [&](const ufbx_anim_layer* l) { return is_set(l, "Solo"); });
    Played out;
    std::vector<std::uint32_t> ids;
    for (const ufbx_anim_layer* layer : stack.layers) {
        if (solo ? is_set(layer, "Solo") : !is_set(layer, "Mute")) {
            out.layers.push_back(layer);
            ids.push_back(layer->typed_id);
        }
    }
    out.anim = stack.anim;
    if (ids.size() != stack.layers.count) {
        ufbx_anim_opts opts{};
        opts.layer_ids = {ids.data(), ids.size()};
        out.own.reset(ufbx_create_anim(&scene, &opts, nullptr));
        out.anim = out.own ? out.own.get() : out.anim;
    }
    return out;
}

// A channel counts as unmoved when it stays this near to the node's rest value (metres, quaternion components, factors).
constexpr double kRestTolerance = 1e-7;

Vec3 interpolate(const Vec3& a, const Vec3& b, double t) { return lerp(a, b, t); }
Quat interpolate(const Quat& a, const Quat& b, double t) { return runtime::slerp(a, b, t); }

// Beyond this even a folded value would not be a float32.
constexpr double kLargest = 1e30;
bool finite(const Vec3& v) { return std::fabs(v.x) <= kLargest && std::fabs(v.y) <= kLargest && std::fabs(v.z) <= kLargest; }
bool finite(const Quat& q) {
    const double d = dot(q, q);
    return std::isfinite(d) && d > 1e-12;
}

bool near(const Vec3& a, const Vec3& b) {
    const auto close = [](double x, double y) { return std::fabs(x - y) <= kRestTolerance * std::fmax(1.0, std::fabs(y)); };
    return close(a.x, b.x) && close(a.y, b.y) && close(a.z, b.z);
}
bool near(const Quat& a, const Quat& b) {
    const Quat d = dot(a, b) < 0 ? -b : b;
    return std::fabs(a.x - d.x) <= kRestTolerance && std::fabs(a.y - d.y) <= kRestTolerance && std::fabs(a.z - d.z) <= kRestTolerance &&
           std::fabs(a.w - d.w) <= kRestTolerance;
}

// The value at `time` between two keys that stand around it.
template <class T>
Key<T> key_between(const Key<T>& a, const Key<T>& b, double time) {
    if (!(b.time > a.time)) {
        return {time, b.value, false};
    }
    return {time, interpolate(a.value, b.value, (time - a.time) / (b.time - a.time)), false};
}

// What of the keys lies in [0, duration], with a key at each end where the curve went on beyond it.
template <class T>
void clip_to_range(std::vector<Key<T>>& keys, double duration) {
    if (keys.empty() || (keys.front().time >= 0 && keys.back().time <= duration)) {
        return;
    }
    std::vector<Key<T>> out;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key<T>& key = keys[i];
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
        Key<T> key = keys.front().time > duration ? keys.front() : keys.back();
        key.time = 0;
        key.step_end = false;
        out.push_back(key);
    }
    out.back().step_end = false;
    keys = std::move(out);
}

template <class T>
bool is_constant(const std::vector<Key<T>>& keys) {
    return std::all_of(keys.begin(), keys.end(), [&](const Key<T>& k) { return k.value == keys.front().value; });
}

// Seconds since the stack's start, to FBX's own tick.
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

// A time that the bake leaves out. At a jump the curve may have another value just before and just after it.
struct ExtraTime {
    double time = 0;
    bool jump = false;
};

// The bake leaves out whole frames within half a frame of a key that stands between frames, the ends of the stack's range where
// no key stands there, and everything that curves do before their first and after their last key. These are sampled here, at
// source time, as ufbx evaluates the node.
class Refill {
public:
    Refill(const ufbx_scene& scene, const Played& played, const ufbx_node& node, double fps, double begin, double end,
           std::size_t limit)
        : anim_(*played.anim), node_(node), fps_(fps), begin_(begin), end_(end), limit_(limit),
          tick_(1 / static_cast<double>(std::max<std::int64_t>(scene.metadata.ktime_second, 1))) {
        // A node beside scale helpers also depends on their curves, and a product of two linear ones is none.
        std::vector<const ufbx_node*> sources = {&node};
        const auto add_helper = [&](const ufbx_node* of) {
            if (of != nullptr && of->scale_helper != nullptr && of->scale_helper != &node) {
                sources.push_back(of->scale_helper);
            }
        };
        if (!node.is_scale_helper) {
            add_helper(node.parent);
        }
        for (const ufbx_node* n = node.parent; n != nullptr && sources.size() < 64; n = n->inherit_scale_node) {
            add_helper(n->inherit_scale_node);
        }
        beside_helper_ = sources.size() > 1;
        curved_ = beside_helper_ || has_pivot(node);
        for (const ufbx_anim_layer* layer : played.layers) {
            curved_ = curved_ || layer->weight_is_animated;
            for (const ufbx_node* source : sources) {
                const ufbx_anim_prop_list props = ufbx_find_anim_props(layer, &source->element);
                for (const ufbx_anim_prop& prop : props) {
                    for (const ufbx_anim_curve* curve : prop.anim_value->curves) {
                        if (curve != nullptr && curve->keyframes.count != 0) {
                            look_at(*curve);
                        }
                    }
                }
            }
        }
        std::sort(jumps_.begin(), jumps_.end());
        jumps_.erase(std::unique(jumps_.begin(), jumps_.end()), jumps_.end());
    }

    // Times to add to a channel's baked times, ascending. A rotation is never linear between Euler keys.
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

    [[nodiscard]] ufbx_transform at(double time) const { return ufbx_evaluate_transform(&anim_, &node_, time); }
    [[nodiscard]] double tick() const { return tick_; }
    // The bake multiplies by a helper's scale as it lies between that one's keys.
    [[nodiscard]] bool knows_better() const { return beside_helper_; }
    // Whether the bake's key at this time gives way to a jump.
    [[nodiscard]] bool jumps_at(double time) const {
        const auto next = std::lower_bound(jumps_.begin(), jumps_.end(), time - 2 * tick_);
        return next != jumps_.end() && *next <= time + 2 * tick_;
    }

private:
    // Then its rotation moves it.
    static bool has_pivot(const ufbx_node& node) {
        const ufbx_vec3 zero{};
        for (const char* name : {"RotationPivot", "RotationOffset", "ScalingPivot", "ScalingOffset"}) {
            const ufbx_vec3 v = ufbx_find_vec3(&node.props, name, zero);
            if (v.x != 0 || v.y != 0 || v.z != 0) {
                return true;
            }
        }
        return false;
    }

    void look_at(const ufbx_anim_curve& curve) {
        const auto is_cubic = [](const ufbx_keyframe& key) { return key.interpolation == UFBX_INTERPOLATION_CUBIC; };
        curved_ = curved_ || std::any_of(curve.keyframes.begin(), curve.keyframes.end(), is_cubic);
        if (curve.keyframes.count < 2) {
            return;
        }
        const double first = curve.keyframes.data[0].time;
        const double last = curve.keyframes.data[curve.keyframes.count - 1].time;
        if (curve.pre_extrapolation.mode != UFBX_EXTRAPOLATION_CONSTANT && begin_ < first) {
            repeats_until_ = std::fmax(repeats_until_, first);
            add_cycles(curve, curve.pre_extrapolation, first - begin_, true);
        }
        if (curve.post_extrapolation.mode != UFBX_EXTRAPOLATION_CONSTANT && end_ > last) {
            repeats_from_ = std::fmin(repeats_from_, last);
            add_cycles(curve, curve.post_extrapolation, end_ - last, false);
        }
    }

    // Where the keys of a curve come again, `reach` before its first or after its last key.
    void add_cycles(const ufbx_anim_curve& curve, const ufbx_extrapolation& how, double reach, bool before) {
        const double first = curve.keyframes.data[0].time;
        const double last = curve.keyframes.data[curve.keyframes.count - 1].time;
        const double period = last - first;
        if (how.mode == UFBX_EXTRAPOLATION_SLOPE || how.repeat_count == 0 || !(period >= tick_)) {
            return;
        }
        double cycles = std::ceil(reach / period);
        if (how.repeat_count > 0) {
            cycles = std::fmin(cycles, how.repeat_count);
        }
        const double skipped = (before ? first - end_ : begin_ - last) / period;  // cycles that lie wholly outside the range
        for (double n = std::fmax(std::floor(skipped), 0.0); n < cycles && jumps_.size() <= limit_; ++n) {
            const bool is_even = std::floor(n / 2) * 2 == n;
            const bool mirrored = how.mode == UFBX_EXTRAPOLATION_MIRROR && is_even;
            for (const ufbx_keyframe& key : curve.keyframes) {
                const double away = before == mirrored ? key.time - first : last - key.time;  // from the cycle's end that is nearer to the curve
                const double time = before ? first - n * period - away : last + n * period + away;
                if (time >= begin_ && time <= end_) {
                    jumps_.push_back(time);
                }
            }
        }
    }

    const ufbx_anim& anim_;
    const ufbx_node& node_;
    double fps_;
    double begin_;
    double end_;
    std::size_t limit_;
    double tick_;
    bool curved_ = false;
    bool beside_helper_ = false;
    double repeats_until_ = -std::numeric_limits<double>::infinity();
    double repeats_from_ = std::numeric_limits<double>::infinity();
    std::vector<double> jumps_;   // ascending: keys of cycles
};

template <class T, class List, class Convert, class Pick>
std::vector<Key<T>> read_keys(const List& list, const ClipTime& clip_time, double duration, const T& rest, Convert convert,
                              std::uint64_t& dropped, const Refill& refill, Pick pick) {
    std::vector<Key<T>> keys;
    const std::vector<ExtraTime> more = refill.times(list, std::is_same_v<T, Quat>);
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
            const T value = pick(refill.at(next->time));
            const double clip = clip_time(next->time);
            if (!next->jump) {
                push(clip, value, false);
                continue;
            }
            const T before = pick(refill.at(next->time - refill.tick()));
            const T after = pick(refill.at(next->time + refill.tick()));
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
            value = pick(refill.at(left || right ? std::nextafter(source.time, left ? -kFar : kFar) : source.time));
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
    if (std::all_of(keys.begin(), keys.end(), [&](const Key<T>& k) { return near(k.value, rest); })) {
        keys.clear();
    } else if (is_constant(keys)) {
        keys.resize(1);
        keys[0].time = 0;
        keys[0].step_end = false;
    }
    return keys;
}

// First and last key of the stack. Not the bake's: that counts a key at 0 for every channel without any.
std::pair<double, double> key_range(const Played& played) {
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const ufbx_anim_layer* layer : played.layers) {
        for (const ufbx_anim_value* value : layer->anim_values) {
            for (const ufbx_anim_curve* curve : value->curves) {
                if (curve != nullptr && curve->keyframes.count != 0) {
                    first = std::fmin(first, curve->keyframes.data[0].time);
                    last = std::fmax(last, curve->keyframes.data[curve->keyframes.count - 1].time);
                }
            }
        }
    }
    return {first, last};
}

core::Result<Bake> bake_stack(Import& in, const ufbx_anim_stack& stack, const ufbx_anim& anim, double fps, const std::string& file) {
    ufbx_bake_opts opts{};
    opts.temp_allocator = allocator_options(in.options.limits);
    opts.result_allocator = allocator_options(in.options.limits);
    // Times are moved to 0 here, not by opts.trim_start_time: ufbx 0.23.1 samples the children of a scale helper by the helper's
    // keys after it has moved those, and so at the wrong time.
    opts.resample_rate = fps;
    // A span of one frame or less needs nothing in between; anything longer is sampled at every whole frame.
    opts.minimum_sample_rate = fps * 0.999;
    opts.max_keyframe_segments = in.options.limits.max_keys_per_clip + 1;  // beyond it the clip is refused, not thinned out
    opts.step_handling = UFBX_BAKE_STEP_HANDLING_IDENTICAL_TIME;
    ufbx_error error{};
    Bake bake(ufbx_bake_anim(&in.scene, &anim, &opts, &error));
    if (!bake) {
        core::Error e = to_error(error, file, in.options.limits);
        e.notes.push_back("while sampling animation '" + in.names.text(stack.name) + "'");
        return core::Fault(std::move(e));
    }
    return bake;
}

}  // namespace

core::Result<void> import_clips(Import& in, const std::string& file) {
    double fps = in.scene.settings.frames_per_second;
    if (!(fps >= 1 && fps <= 1000)) {
        fps = 30;
    }
    if (in.options.fps != 0) {
        fps = in.options.fps;
        if (!(fps >= 1 && fps <= 1000)) {
            return core::fail(core::Code::Usage, {}, "not a frame rate that clips can be sampled at", core::number_text(fps), "1 to 1000 frames a second");
        }
    }
    if (in.scene.anim_stacks.count > in.options.limits.max_clips) {
        return core::fail(core::Code::LimitExceeded, {file, "clips", {}, {}}, "too many clips", std::to_string(in.scene.anim_stacks.count),
                          "at most " + std::to_string(in.options.limits.max_clips), "raise --limits if the file can be trusted");
    }
    for (const ufbx_anim_stack* stack : in.scene.anim_stacks) {
        const Played played = played_layers(in.scene, *stack);
        core::Result<Bake> result = bake_stack(in, *stack, *played.anim, fps, file);
        if (!result) {
            return core::Fault(std::move(result.error()));
        }
        const ufbx_baked_anim& bake = **result;
        model::Clip clip;
        clip.name = in.name(stack->name);
        clip.origin = {clip.name, stack->typed_id};
        // A stack without a range of its own (0 to 0, or none at all) lasts as long as its keys.
        double begin = stack->time_begin;
        double end = stack->time_end;
        const bool has_range = end > begin || (end == begin && begin != 0);
        if (const auto [first, last] = key_range(played); !has_range && last > first) {
            begin = first;
            end = last;
        }
        if (!std::isfinite(begin) || !std::isfinite(end)) {
            begin = end = 0;
        }
        const ClipTime clip_time(in.scene, begin);
        clip.source_start = begin;
        clip.duration = std::fmax(clip_time(end), 0.0);
        if (clip.duration == 0) {
            in.report.add(core::IssueId::FBX_EMPTY_STACK, {}, {{"clip", clip.name}});
        }
        std::uint64_t keys = 0;
        for (const ufbx_baked_node& baked : bake.nodes) {
            const model::NodeId node = in.node_of[baked.typed_id];
            if (!node.valid()) {
                continue;
            }
            const model::Transform& rest = in.model.nodes[node.value].rest;
            std::uint64_t dropped = 0;
            const Refill refill(in.scene, played, *in.scene.nodes.data[baked.typed_id], fps, begin, end, in.options.limits.max_keys_per_clip);
            model::Track track;
            track.node = node;
            track.translation = read_keys<Vec3>(baked.translation_keys, clip_time, clip.duration, rest.translation, to_vec3, dropped, refill,
                [](const ufbx_transform& t) { return to_vec3(t.translation); });
            track.rotation = read_keys<Quat>(baked.rotation_keys, clip_time, clip.duration, rest.rotation, to_quat, dropped, refill,
                [](const ufbx_transform& t) { return to_quat(t.rotation); });
            track.scale = read_keys<Vec3>(baked.scale_keys, clip_time, clip.duration, rest.scale, to_vec3, dropped, refill,
                [](const ufbx_transform& t) { return to_vec3(t.scale); });
            if (dropped != 0) {
                in.report.add(core::IssueId::CLIP_NON_FINITE, {},
                              {{"clip", clip.name}, {"count", std::to_string(dropped)}, {"bone", in.model.nodes[node.value].name}});
            }
            keys += track.translation.size() + track.rotation.size() + track.scale.size();
            if (keys > in.options.limits.max_keys_per_clip) {
                return core::fail(core::Code::LimitExceeded, {file, "clip '" + clip.name + "'", {}, {}}, "too many keys in a clip",
                                  "more than " + std::to_string(in.options.limits.max_keys_per_clip), {},
                                  "shorten the animation, sample it more coarsely with --fps, or raise --limits");
            }
            if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty()) {
                clip.tracks.push_back(std::move(track));
            }
        }
        std::sort(clip.tracks.begin(), clip.tracks.end(),
                  [](const model::Track& a, const model::Track& b) { return a.node < b.node; });
        in.report.add_loss("animated properties other than translation, rotation and scale", bake.elements.count);
        in.model.clips.push_back(std::move(clip));
    }
    return {};
}

}  // namespace gomkit::fbx
