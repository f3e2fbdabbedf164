#pragma once

#include <algorithm>
#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

[[nodiscard]] inline model::Vec3 between(const model::Vec3& a, const model::Vec3& b, double t) { return lerp(a, b, t); }
[[nodiscard]] inline model::Quat between(const model::Quat& a, const model::Quat& b, double t) { return runtime::slerp(a, b, t); }

/// Which value counts at the very time of a step.
enum class Side { Before, After };

/// The value of a channel at `time`, as model::Track defines it; `rest` where there are no keys.
template <class T>
[[nodiscard]] T sample(const std::vector<model::Key<T>>& keys, const T& rest, double time, Side side = Side::After) {
    if (keys.empty()) {
        return rest;
    }
    const auto past = side == Side::After
                          ? std::upper_bound(keys.begin(), keys.end(), time, [](double t, const model::Key<T>& k) { return t < k.time; })
                          : std::lower_bound(keys.begin(), keys.end(), time, [](const model::Key<T>& k, double t) { return k.time < t; });
    if (past == keys.begin()) {
        return past->value;
    }
    const model::Key<T>& a = *(past - 1);
    if (past == keys.end() || a.step_end || !(past->time > a.time)) {
        return a.value;
    }
    return between(a.value, past->value, (time - a.time) / (past->time - a.time));
}

/// A bone's local transform in a clip: `track` may be null.
[[nodiscard]] inline model::Transform sample(const model::Track* track, const model::Transform& rest, double time, Side side = Side::After) {
    if (track == nullptr) {
        return rest;
    }
    return {sample(track->translation, rest.translation, time, side), runtime::normalized(sample(track->rotation, rest.rotation, time, side)),
            sample(track->scale, rest.scale, time, side)};
}

}  // namespace gomkit::pass
