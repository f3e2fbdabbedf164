#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace gomkit::fbx {
namespace {

using model::Key;
using model::Quat;
using model::Vec3;

struct BakeDeleter {
    void operator()(ufbx_baked_anim* bake) const { ufbx_free_baked_anim(bake); }
};
using Bake = std::unique_ptr<ufbx_baked_anim, BakeDeleter>;

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

// The bake leaves out whole frames within half a frame of a key that stands between frames, and all of a curve's cycles: these
// are sampled here, at source time.
class Refill {
public:
    Refill(const ufbx_anim_stack& stack, const ufbx_node& node, double fps, double begin, double end)
        : anim_(*stack.anim), node_(node), fps_(fps), begin_(begin), end_(end),
          plain_(node.scale_helper == nullptr && !node.is_scale_helper && (node.parent == nullptr || node.parent->scale_helper == nullptr)) {
        for (const ufbx_anim_layer* layer : stack.layers) {
            const ufbx_anim_prop_list props = ufbx_find_anim_props(layer, &node.element);
            for (const ufbx_anim_prop& prop : props) {
                for (const ufbx_anim_curve* curve : prop.anim_value->curves) {
                    if (curve != nullptr) {
                        look_at(*curve);
                    }
                }
            }
        }
    }

    // Times to add to a channel's baked times, ascending. A rotation is never linear between Euler keys.
    template <class List>
    [[nodiscard]] std::vector<double> times(const List& list, bool is_rotation, std::size_t limit) const {
        std::vector<double> out;
        if (!plain_ || list.count == 0) {
            return out;
        }
        const auto frames = [&](double a, double b) {  // whole frames strictly between
            for (double f = std::floor(a * fps_ + 1e-3) + 1; f < b * fps_ - 1e-3 && out.size() < limit; ++f) {
                out.push_back(f / fps_);
            }
        };
        const double first = list.data[0].time;
        const double last = list.data[list.count - 1].time;
        if (repeats_ && begin_ < first) {
            out.push_back(begin_);
            frames(begin_, first);
        }
        for (std::size_t i = 0; i + 1 < list.count && (is_rotation || curved_); ++i) {
            if (list.data[i + 1].time - list.data[i].time < 1.51 / fps_) {
                frames(list.data[i].time, list.data[i + 1].time);
            }
        }
        if (repeats_ && end_ > last) {
            frames(last, end_);
            out.push_back(end_);
        }
        return out;
    }

    [[nodiscard]] ufbx_transform at(double time) const {
        return ufbx_evaluate_transform_flags(&anim_, &node_, time,
                                             UFBX_TRANSFORM_FLAG_IGNORE_SCALE_HELPER | UFBX_TRANSFORM_FLAG_IGNORE_COMPONENTWISE_SCALE);
    }

private:
    void look_at(const ufbx_anim_curve& curve) {
        const auto is_cubic = [](const ufbx_keyframe& key) { return key.interpolation == UFBX_INTERPOLATION_CUBIC; };
        curved_ = curved_ || std::any_of(curve.keyframes.begin(), curve.keyframes.end(), is_cubic);
        repeats_ = repeats_ || (curve.keyframes.count > 1 && (curve.pre_extrapolation.mode != UFBX_EXTRAPOLATION_CONSTANT ||
                                                              curve.post_extrapolation.mode != UFBX_EXTRAPOLATION_CONSTANT));
    }

    const ufbx_anim& anim_;
    const ufbx_node& node_;
    double fps_;
    double begin_;
    double end_;
    bool plain_;
    bool curved_ = false;
    bool repeats_ = false;
};

template <class T, class List, class Convert, class Pick>
std::vector<Key<T>> read_keys(const List& list, const ClipTime& clip_time, double duration, const T& rest, Convert convert,
                              std::uint64_t& dropped, const Refill& refill, Pick pick, std::size_t limit) {
    std::vector<Key<T>> keys;
    const std::vector<double> more = refill.times(list, std::is_same_v<T, Quat>, limit);
    auto next = more.begin();
    const auto add_until = [&](double time) {
        for (; next != more.end() && *next < time; ++next) {
            const T value = pick(refill.at(*next));
            if (finite(value)) {
                keys.push_back({clip_time(*next), value, false});
            }
        }
    };
    keys.reserve(list.count);
    for (std::size_t i = 0; i < list.count; ++i) {
        const auto& source = list.data[i];
        add_until(source.time);
        const T value = convert(source.value);
        if (!std::isfinite(source.time) || !finite(value)) {
            ++dropped;
            continue;
        }
        // ufbx gives a step as keys of one time: left of it, at it, right of it; not all three need exist.
        const bool step_end = (source.flags & UFBX_BAKED_KEY_STEP_LEFT) != 0 && i + 1 < list.count && list.data[i + 1].time == source.time;
        const bool step_begin = (source.flags & UFBX_BAKED_KEY_STEP_RIGHT) != 0 && i > 0 && list.data[i - 1].time == source.time;
        double time = clip_time(source.time);
        if (step_begin) {
            // The key's own value holds at its time, what follows from the next float on.
            time = static_cast<double>(std::nextafter(static_cast<float>(time), std::numeric_limits<float>::infinity()));
        }
        keys.push_back({time, value, step_end});
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
std::pair<double, double> key_range(const ufbx_anim_stack& stack) {
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const ufbx_anim_layer* layer : stack.layers) {
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

core::Result<Bake> bake_stack(Import& in, const ufbx_anim_stack& stack, double fps, const std::string& file) {
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
    Bake bake(ufbx_bake_anim(&in.scene, stack.anim, &opts, &error));
    if (!bake) {
        core::Error e = to_error(error, file, in.options.limits);
        e.notes.push_back("while sampling animation '" + std::string(view(stack.name)) + "'");
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
    for (const ufbx_anim_stack* stack : in.scene.anim_stacks) {
        core::Result<Bake> result = bake_stack(in, *stack, fps, file);
        if (!result) {
            return core::Fault(std::move(result.error()));
        }
        const ufbx_baked_anim& bake = **result;
        model::Clip clip;
        clip.name = in.name(stack->name);
        clip.origin = {clip.name, stack->typed_id};
        // A stack without a range of its own lasts as long as its keys.
        double begin = stack->time_begin;
        double end = stack->time_end;
        if (const auto [first, last] = key_range(*stack); !(end > begin) && last > first) {
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
        for (const ufbx_baked_node& baked : bake.nodes) {
            const model::NodeId node = in.node_of[baked.typed_id];
            if (!node.valid()) {
                continue;
            }
            const model::Transform& rest = in.model.nodes[node.value].rest;
            std::uint64_t dropped = 0;
            const Refill refill(*stack, *in.scene.nodes.data[baked.typed_id], fps, begin, end);
            model::Track track;
            track.node = node;
            track.translation = read_keys<Vec3>(baked.translation_keys, clip_time, clip.duration, rest.translation, to_vec3, dropped, refill,
                [](const ufbx_transform& t) { return to_vec3(t.translation); }, in.options.limits.max_keys_per_clip);
            track.rotation = read_keys<Quat>(baked.rotation_keys, clip_time, clip.duration, rest.rotation, to_quat, dropped, refill,
                [](const ufbx_transform& t) { return to_quat(t.rotation); }, in.options.limits.max_keys_per_clip);
            track.scale = read_keys<Vec3>(baked.scale_keys, clip_time, clip.duration, rest.scale, to_vec3, dropped, refill,
                [](const ufbx_transform& t) { return to_vec3(t.scale); }, in.options.limits.max_keys_per_clip);
            if (dropped != 0) {
                in.report.add(core::IssueId::CLIP_NON_FINITE, {},
                              {{"clip", clip.name}, {"count", std::to_string(dropped)}, {"bone", in.model.nodes[node.value].name}});
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
