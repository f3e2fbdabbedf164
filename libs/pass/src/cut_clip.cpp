#include "cut_clip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gomkit/core/text.hpp>

#include "sampling.hpp"

namespace gomkit::pass {
namespace {

using core::Code;
using model::Clip;
using model::Key;

// A range may pass the clip's end by this much (seconds): decimals of a frame rate do.
constexpr double kRangeTolerance = 1e-6;
// Keys of one time but for rounding (seconds); an FBX tick is 2e-11.
constexpr double kSameTime = 1e-7;
// What moves less stands still (metres, radians, factors): half of what clips may differ from their source.
constexpr double kStill = 1e-5;

// The held end of a step reaches up to the key that follows.
template <class T>
double time_of(const std::vector<Key<T>>& keys, std::size_t i) {
    return keys[i].step_end && i + 1 < keys.size() ? keys[i + 1].time : keys[i].time;
}

template <class T>
void cut_channel(std::vector<Key<T>>& keys, double begin, double end) {
    if (keys.empty()) {
        return;
    }
    // The last key that is in force at `time`; keys.size() before the first.
    const auto in_force = [&](double time) {
        std::size_t low = 0;
        std::size_t high = keys.size();
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (time_of(keys, middle) <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? keys.size() : low - 1;
    };
    const auto value_at = [&](double time) {
        const std::size_t i = in_force(time);
        if (i == keys.size()) {
            return keys.front().value;
        }
        if (i + 1 == keys.size() || time_of(keys, i) == time) {
            return keys[i].value;
        }
        return between(keys[i].value, keys[i + 1].value, (time - time_of(keys, i)) / (time_of(keys, i + 1) - time_of(keys, i)));
    };
    // A key that stands at an end but for its last digits stands there.
    const auto at_key = [&](double time) {
        const std::size_t i = in_force(time + kSameTime);
        return i != keys.size() && std::fabs(time_of(keys, i) - time) <= kSameTime ? time_of(keys, i) : time;
    };
    const double first = at_key(begin);
    const double last = at_key(end);
    const double duration = end - begin;
    std::vector<Key<T>> out;
    const std::size_t before = in_force(first);
    std::size_t next = 0;
    if (before != keys.size()) {  // the channel moves or holds already where the range begins
        out.push_back({0, value_at(first), false});
        next = before + 1;
    }
    for (; next < keys.size() && time_of(keys, next) <= last; ++next) {
        Key<T> key = keys[next];
        key.time = time_of(keys, next) == last ? duration : std::clamp(key.time - begin, 0.0, duration);
        out.push_back(key);
    }
    if (out.empty()) {
        out.push_back({0, keys.front().value, false});
    } else if (next < keys.size() && out.back().time < duration) {
        out.push_back({duration, value_at(last), false});
    }
    out.back().step_end = false;
    keys = std::move(out);
}

double distance(double a, double b) { return std::fabs(a - b); }
double distance(const model::Vec3& a, const model::Vec3& b) { return length(a - b); }
// The angle between two rotations, as good as exact where it is small.
double distance(const model::Quat& a, const model::Quat& b) {
    const model::Quat d = dot(a, b) < 0 ? -b : b;
    return 2 * std::sqrt((a.x - d.x) * (a.x - d.x) + (a.y - d.y) * (a.y - d.y) + (a.z - d.z) * (a.z - d.z) + (a.w - d.w) * (a.w - d.w));
}

// Takes the time in which a channel moves into `moving`.
template <class T>
void add_moving(const std::vector<Key<T>>& keys, Stretch& moving) {
    std::size_t first = 0;   // the key that is the first to be elsewhere
    while (first < keys.size() && !(distance(keys[first].value, keys.front().value) > kStill)) {
        ++first;
    }
    if (first == keys.size()) {
        return;
    }
    std::size_t last = keys.size() - 1;   // the one behind the last that is elsewhere
    while (last > first && !(distance(keys[last - 1].value, keys.back().value) > kStill)) {
        --last;
    }
    moving.begin = std::fmin(moving.begin, time_of(keys, first - 1));
    moving.end = std::fmax(moving.end, keys[last].time);
}

std::string describe(double seconds, double fps) {
    return core::number_text(seconds) + (fps > 0 ? " (frame " + core::number_text(seconds * fps) + ")" : "");
}

}  // namespace

core::Result<Stretch> stretch_of(const Clip& clip, const ClipTimes& times, double fps, const std::string& what) {
    double begin = times.begin;
    double end = times.end;
    if (times.frames) {
        if (!(fps > 0)) {
            return core::fail(Code::Usage, {}, what + "the source has no frame rate to count frames with", {}, {}, "give the range in seconds");
        }
        begin /= fps;
        end /= fps;
    }
    if (!(begin >= 0) || !(end <= clip.duration + kRangeTolerance) || !(begin <= end)) {
        return core::fail(Code::Usage, {}, what + "the range does not lie within clip '" + core::printable(clip.name) + "'",
                          describe(begin, fps) + " to " + describe(end, fps) + " seconds",
                          "0 to " + describe(clip.duration, fps) + " seconds");
    }
    end = std::fmin(end, clip.duration);
    return Stretch{std::fmin(begin, end), end};
}

std::optional<Stretch> moving_stretch(const Clip& clip) {
    Stretch moving{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const model::Track& track : clip.tracks) {
        add_moving(track.translation, moving);
        add_moving(track.rotation, moving);
        add_moving(track.scale, moving);
    }
    for (const model::MorphTrack& track : clip.morph_tracks) {
        add_moving(track.keys, moving);
    }
    const Stretch inside{std::fmax(moving.begin, 0), std::fmin(moving.end, clip.duration)};
    const bool cuts = inside.begin > kSameTime || inside.end < clip.duration - kSameTime;
    return inside.begin < inside.end && cuts ? std::optional<Stretch>(inside) : std::nullopt;
}

Clip cut_clip(const Clip& clip, const Stretch& stretch) {
    Clip out = clip;
    out.duration = stretch.end - stretch.begin;
    out.source_start = clip.source_start + stretch.begin;
    out.loop = false;
    for (model::Track& track : out.tracks) {
        cut_channel(track.translation, stretch.begin, stretch.end);
        cut_channel(track.rotation, stretch.begin, stretch.end);
        cut_channel(track.scale, stretch.begin, stretch.end);
    }
    for (model::MorphTrack& track : out.morph_tracks) {
        cut_channel(track.keys, stretch.begin, stretch.end);
    }
    return out;
}

}  // namespace gomkit::pass
