#include "clip_keys.hpp"

#include <algorithm>
#include <cmath>

namespace gomkit::fbx {
namespace {

// Then its rotation moves it.
bool has_pivot(const ufbx_node& node) {
    const ufbx_vec3 zero{};
    for (const char* name : {"RotationPivot", "RotationOffset", "ScalingPivot", "ScalingOffset"}) {
        const ufbx_vec3 v = ufbx_find_vec3(&node.props, name, zero);
        if (v.x != 0 || v.y != 0 || v.z != 0) {
            return true;
        }
    }
    return false;
}

}  // namespace

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

Sampled sampled_node(const ufbx_node& node) {
    Sampled out;
    // A node beside scale helpers also depends on their curves, and a product of two linear ones is none.
    out.sources = {&node.element};
    const auto add_helper = [&](const ufbx_node* of) {
        if (of != nullptr && of->scale_helper != nullptr && of->scale_helper != &node) {
            out.sources.push_back(&of->scale_helper->element);
        }
    };
    if (!node.is_scale_helper) {
        add_helper(node.parent);
    }
    for (const ufbx_node* n = node.parent; n != nullptr && out.sources.size() < 64; n = n->inherit_scale_node) {
        add_helper(n->inherit_scale_node);
    }
    out.beside_helper = out.sources.size() > 1;
    out.curved = out.beside_helper || has_pivot(node);
    return out;
}

Refill::Refill(const ufbx_scene& scene, const Played& played, const Sampled& sampled, double fps, double begin, double end, std::size_t limit)
    : fps_(fps), begin_(begin), end_(end), limit_(limit), tick_(1 / static_cast<double>(std::max<std::int64_t>(scene.metadata.ktime_second, 1))),
      curved_(sampled.curved), beside_helper_(sampled.beside_helper) {
    for (const ufbx_anim_layer* layer : played.layers) {
        curved_ = curved_ || layer->weight_is_animated;
        for (const ufbx_element* source : sampled.sources) {
            const ufbx_anim_prop_list props = ufbx_find_anim_props(layer, source);
            for (const ufbx_anim_prop& prop : props) {
                if (!sampled.property.empty() && view(prop.prop_name) != sampled.property) {
                    continue;
                }
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

void Refill::look_at(const ufbx_anim_curve& curve) {
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
void Refill::add_cycles(const ufbx_anim_curve& curve, const ufbx_extrapolation& how, double reach, bool before) {
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

}  // namespace gomkit::fbx
