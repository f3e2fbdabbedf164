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

using model::Quat;
using model::Vec3;

struct BakeDeleter {
    void operator()(ufbx_baked_anim* bake) const { ufbx_free_baked_anim(bake); }
};
using Bake = std::unique_ptr<ufbx_baked_anim, BakeDeleter>;

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
        const auto too_many_keys = [&] {
            return core::fail(core::Code::LimitExceeded, {file, "clip '" + clip.name + "'", {}, {}}, "too many keys in a clip",
                              "more than " + std::to_string(in.options.limits.max_keys_per_clip), {},
                              "shorten the animation, sample it more coarsely with --fps, or raise --limits");
        };
        for (const ufbx_baked_node& baked : bake.nodes) {
            const model::NodeId node = in.node_of[baked.typed_id];
            if (!node.valid()) {
                continue;
            }
            const model::Transform& rest = in.model.nodes[node.value].rest;
            std::uint64_t dropped = 0;
            const ufbx_node& source = *in.scene.nodes.data[baked.typed_id];
            const Refill refill(in.scene, played, sampled_node(source), fps, begin, end, in.options.limits.max_keys_per_clip);
            const auto at = [&](double time) { return ufbx_evaluate_transform(played.anim, &source, time); };
            model::Track track;
            track.node = node;
            track.translation = read_keys<Vec3>(baked.translation_keys, clip_time, clip.duration, rest.translation, to_vec3, dropped, refill,
                [&](double time) { return to_vec3(at(time).translation); });
            track.rotation = read_keys<Quat>(baked.rotation_keys, clip_time, clip.duration, rest.rotation, to_quat, dropped, refill,
                [&](double time) { return to_quat(at(time).rotation); });
            track.scale = read_keys<Vec3>(baked.scale_keys, clip_time, clip.duration, rest.scale, to_vec3, dropped, refill,
                [&](double time) { return to_vec3(at(time).scale); });
            if (dropped != 0) {
                in.report.add(core::IssueId::CLIP_NON_FINITE, {},
                              {{"clip", clip.name}, {"count", std::to_string(dropped)}, {"bone", in.model.nodes[node.value].name}});
            }
            keys += track.translation.size() + track.rotation.size() + track.scale.size();
            if (keys > in.options.limits.max_keys_per_clip) {
                return too_many_keys();
            }
            if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty()) {
                clip.tracks.push_back(std::move(track));
            }
        }
        std::sort(clip.tracks.begin(), clip.tracks.end(),
                  [](const model::Track& a, const model::Track& b) { return a.node < b.node; });
        read_morph_tracks(in, {bake, played, clip_time, fps, begin, end}, clip);
        for (const model::MorphTrack& track : clip.morph_tracks) {
            keys += track.keys.size();
        }
        if (keys > in.options.limits.max_keys_per_clip) {
            return too_many_keys();
        }
        in.model.clips.push_back(std::move(clip));
    }
    return {};
}

}  // namespace gomkit::fbx
