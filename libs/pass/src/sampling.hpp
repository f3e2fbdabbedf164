#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gomkit/model/model.hpp>
#include <gomkit/pass/stored_clip.hpp>

namespace gomkit::pass {

/// Values this near to each other (metres, quaternion components, factors) are the same to writers; q and -q are one rotation.
inline constexpr double kNear = 1e-6;
[[nodiscard]] inline bool near(const model::Vec3& a, const model::Vec3& b) {
    const auto close = [](double x, double y) { return std::fabs(x - y) <= kNear * std::fmax(1.0, std::fabs(y)); };
    return close(a.x, b.x) && close(a.y, b.y) && close(a.z, b.z);
}
[[nodiscard]] inline bool near(const model::Quat& a, const model::Quat& b) {
    const model::Quat d = dot(a, b) < 0 ? -b : b;
    return std::fabs(a.x - d.x) <= kNear && std::fabs(a.y - d.y) <= kNear && std::fabs(a.z - d.z) <= kNear && std::fabs(a.w - d.w) <= kNear;
}

[[nodiscard]] inline double between(double a, double b, double t) { return a + (b - a) * t; }
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

/// GOM-SAMPLE's value at `time`; `otherwise` where there is no key. `hint` is where the search starts and where it ended.
template <class T>
[[nodiscard]] T sample(const StoredKeys<T>& keys, double time, const T& otherwise, std::size_t& hint) {
    if (keys.empty()) {
        return otherwise;
    }
    while (hint > 0 && keys[hint].time > time) {
        --hint;
    }
    while (hint + 1 < keys.size() && keys[hint + 1].time <= time) {
        ++hint;
    }
    if (hint + 1 == keys.size() || time <= keys[hint].time) {
        return keys[hint].value;
    }
    const StoredKey<T>& a = keys[hint];
    const StoredKey<T>& b = keys[hint + 1];
    return between(a.value, b.value, (time - a.time) / (b.time - a.time));
}

}  // namespace gomkit::pass
