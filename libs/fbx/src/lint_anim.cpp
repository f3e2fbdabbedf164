#include <algorithm>
#include <cmath>
#include <limits>

#include <gomkit/core/text.hpp>

#include "lint.hpp"

namespace gomkit::fbx {
namespace {

using core::IssueId;

struct Keys {
    double first = std::numeric_limits<double>::infinity();
    double last = -std::numeric_limits<double>::infinity();
    std::uint64_t count = 0;
    std::uint64_t not_finite = 0;
};

Keys keys_of(const ufbx_anim_stack& stack) {
    Keys out;
    for (const ufbx_anim_layer* layer : stack.layers) {
        if (layer == nullptr) {
            continue;
        }
        for (const ufbx_anim_value* value : layer->anim_values) {
            for (std::size_t i = 0; value != nullptr && i < 3; ++i) {
                const ufbx_anim_curve* curve = value->curves[i];
                if (curve == nullptr) {
                    continue;
                }
                for (const ufbx_keyframe& key : curve->keyframes) {
                    ++out.count;
                    if (!std::isfinite(key.time) || !std::isfinite(key.value)) {
                        ++out.not_finite;
                        continue;
                    }
                    out.first = std::fmin(out.first, key.time);
                    out.last = std::fmax(out.last, key.time);
                }
            }
        }
    }
    return out;
}

// To a millisecond: nobody wants to read the rest.
std::string seconds(double time) { return core::number_text(std::floor(time * 1000 + 0.5) / 1000); }

}  // namespace

void lint_animations(Lint& lint) {
    const double rate = lint.scene.settings.frames_per_second;
    const double frame = rate >= 1 && rate <= 1000 ? 1.01 / rate : 1.01 / 30;
    for (const ufbx_anim_stack* stack : lint.scene.anim_stacks) {
        const Keys keys = keys_of(*stack);
        const core::Place place = lint.at(stack->element);
        if (keys.not_finite != 0) {
            lint.report.add(IssueId::FBX_NAN, place, {{"count", std::to_string(keys.not_finite)}, {"what", "keys"}});
        }
        const double begin = stack->time_begin;
        const double end = stack->time_end;
        if (!(end > begin)) {
            continue;  // the conversion speaks of it, or takes the range of the keys
        }
        if (keys.count == 0) {
            lint.report.add(IssueId::FBX_STACK_NO_KEYS, place, {{"found", seconds(end - begin)}});
            continue;
        }
        if (keys.first > keys.last) {
            continue;
        }
        const std::initializer_list<core::Arg> times = {
            {"begin", seconds(begin)}, {"end", seconds(end)}, {"first", seconds(keys.first)}, {"last", seconds(keys.last)}};
        if (keys.first > begin + frame || keys.last < end - frame) {
            lint.report.add(IssueId::FBX_STACK_RANGE, place, times);
        }
        if (keys.first < begin - frame || keys.last > end + frame) {
            lint.report.add(IssueId::FBX_STACK_CUTS_KEYS, place, times);
        }
    }
}

}  // namespace gomkit::fbx
