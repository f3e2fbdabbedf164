#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

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

bool finite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
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

template <class T, class List, class Convert>
std::vector<Key<T>> read_keys(const List& list, const ClipTime& clip_time, double duration, const T& rest, Convert convert,
                              std::uint64_t& dropped) {
    std::vector<Key<T>> keys;
    keys.reserve(list.count);
    for (std::size_t i = 0; i < list.count; ++i) {
        const auto& source = list.data[i];
        const T value = convert(source.value);
        if (!std::isfinite(source.time) || !finite(value)) {
            ++dropped;
            continue;
        }
        const bool step_end = i + 1 < list.count && list.data[i + 1].time == source.time;
        keys.push_back({clip_time(source.time), value, step_end});
    }
    clip_to_range(keys, duration);
    if (!keys.empty() && is_constant(keys)) {
        keys.resize(1);
        keys[0].time = 0;
        keys[0].step_end = false;
        if (near(keys[0].value, rest)) {
            keys.clear();
        }
    }
    return keys;
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
    opts.max_keyframe_segments = 65'536;
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
        if (!(end > begin) && bake.key_time_max > bake.key_time_min) {
            begin = bake.key_time_min;
            end = bake.key_time_max;
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
            model::Track track;
            track.node = node;
            track.translation = read_keys<Vec3>(baked.translation_keys, clip_time, clip.duration, rest.translation, to_vec3, dropped);
            track.rotation = read_keys<Quat>(baked.rotation_keys, clip_time, clip.duration, rest.rotation, to_quat, dropped);
            track.scale = read_keys<Vec3>(baked.scale_keys, clip_time, clip.duration, rest.scale, to_vec3, dropped);
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
