#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "blobs.hpp"
#include "import.hpp"

namespace gomkit::mv1 {
namespace {

using core::IssueId;
using model::Mat4;
using model::Quat;
using model::Vec3;

// Rotations between keys of other kinds than quaternions are sampled until slerp stays this near (radians, and factors of scales).
constexpr double kTolerance = 2e-5;
constexpr int kMaxHalvings = 6;
constexpr double kQuarterTurn = 1.5707963267948966;

// One key set, cleaned: finite, times not going back.
struct Channel {
    KeyType type = KeyType::Linear;
    DataType data = DataType::Other;
    Keys keys;

    /// The key before or at `time`, of the interval that goes on behind it.
    [[nodiscard]] std::size_t interval(double time) const {
        const auto it = std::upper_bound(keys.times.begin(), keys.times.end(), time);
        return it == keys.times.begin() ? 0 : static_cast<std::size_t>(it - keys.times.begin()) - 1;
    }
    [[nodiscard]] double value(std::size_t key, std::size_t c) const { return keys.values[key * keys.components + c]; }
    [[nodiscard]] Quat quaternion(std::size_t key) const {
        const Quat q{value(key, 0), value(key, 1), value(key, 2), value(key, 3)};
        return type == KeyType::QuaternionX ? conjugate(q) : q;
    }
    [[nodiscard]] bool is_euler() const {
        return data >= DataType::Rotate && data <= DataType::RotateZ && (type == KeyType::Vector || type == KeyType::Linear);
    }
    [[nodiscard]] bool is_quaternion() const {
        return data == DataType::Rotate && (type == KeyType::Quaternion || type == KeyType::QuaternionX);
    }
};

// Where a time stands between two keys.
struct Between {
    std::size_t a = 0;
    std::size_t b = 0;
    double t = 0;
};
// `inside` chooses the interval, so that both ends of one interval are seen from within.
Between between(const Channel& c, double inside, double time) {
    const std::size_t a = c.interval(inside);
    if (a + 1 >= c.keys.size() || time <= c.keys.times[a]) {
        return {a, a, 0};
    }
    const double span = c.keys.times[a + 1] - c.keys.times[a];
    return {a, a + 1, std::min((time - c.keys.times[a]) / span, 1.0)};
}

double mix(const Channel& c, const Between& at, std::size_t component) {
    const double a = c.value(at.a, component);
    return a + (c.value(at.b, component) - a) * at.t;
}

Mat4 axis_matrix(std::size_t axis, double sine, double cosine) {
    Mat4 m;
    const std::size_t u = axis == 0 ? 1 : axis == 1 ? 2 : 0;
    const std::size_t v = axis == 0 ? 2 : axis == 1 ? 0 : 1;
    m.m[4 * u + u] = cosine;
    m.m[4 * u + v] = sine;
    m.m[4 * v + u] = -sine;
    m.m[4 * v + v] = cosine;
    return m;
}

// Rows made orthonormal: x keeps its direction, then y.
Quat orthonormal(Mat4 m) {
    m.m[12] = m.m[13] = m.m[14] = 0;
    return runtime::decompose(m).rotation;
}

// What one set does to one frame.
struct FrameAnim {
    std::uint32_t frame = 0;
    std::int32_t order = 0;
    std::vector<Channel> channels;
};

struct Pose {
    Vec3 translation;
    Quat rotation;
    Vec3 scale;
};

// The clip of one set as DxLib evaluates it (mv1.md, animation), in the file's space and times.
class Evaluator {
public:
    Evaluator(const Frame& frame, const FrameAnim& anim, bool additive) : frame_(frame), anim_(anim), additive_(additive) {}

    // `inside` a stretch of time without keys, `time` in it or at its ends; `blend`: the whole set blends matrices there.
    [[nodiscard]] Pose at(double inside, double time, bool blend) const {
        const auto doubles = [](const std::array<float, 3>& v) { return std::array<double, 3>{double(v[0]), double(v[1]), double(v[2])}; };
        std::array<double, 3> translation = doubles(frame_.translate);
        std::array<double, 3> rotate = doubles(frame_.rotate);
        std::array<double, 3> scale = doubles(frame_.scale);
        const Channel* matrix = nullptr;
        const Channel* quaternion = nullptr;
        const Channel* euler_vector = nullptr;
        std::array<const Channel*, 3> euler_axis{};
        for (const Channel& c : anim_.channels) {
            const Between where = between(c, inside, time);
            const auto replace = [&](std::array<double, 3>& to, std::size_t first, std::size_t count) {
                for (std::size_t k = 0; k < count; ++k) {
                    to[first + k] = (additive_ && !blend ? to[first + k] : 0) + mix(c, where, k);
                }
            };
            const int data = static_cast<int>(c.data);
            const bool vector = c.type == KeyType::Vector;
            if (c.is_quaternion()) {
                quaternion = &c;
            } else if (c.type == KeyType::Matrix4x4) {
                matrix = c.data == DataType::Matrix4x4 ? &c : matrix;
            } else if (vector && (data == 0 || data == 5 || data == 10)) {
                replace(data == 0 ? rotate : data == 5 ? scale : translation, 0, 3);
                euler_vector = data == 0 ? &c : euler_vector;
            } else if (c.type == KeyType::Linear && ((data >= 1 && data <= 3) || (data >= 6 && data <= 8) || (data >= 11 && data <= 13))) {
                replace(data < 5 ? rotate : data < 10 ? scale : translation, static_cast<std::size_t>((data - 1) % 5), 1);
                if (data <= 3) {
                    euler_axis[static_cast<std::size_t>(data) - 1] = &c;
                }
            }
        }
        if (matrix != nullptr && !blend) {
            const Between where = between(*matrix, inside, time);
            Mat4 m;
            for (std::size_t r = 0; r < 4; ++r) {
                for (std::size_t k = 0; k < 3; ++k) {
                    m.m[4 * r + k] = mix(*matrix, where, 3 * r + k);
                }
            }
            const model::Transform t = runtime::decompose(m);
            return {t.translation, t.rotation, t.scale};
        }
        Pose out;
        out.translation = {translation[0], translation[1], translation[2]};
        out.scale = {scale[0], scale[1], scale[2]};
        if (quaternion != nullptr) {
            const Between where = between(*quaternion, inside, time);
            const Quat a = quaternion->quaternion(where.a);
            const Quat b = quaternion->quaternion(where.b);
            if (!(a == Quat{} && b == Quat{})) {
                const Quat q = runtime::slerp(normalized(a), normalized(b), where.t);
                out.rotation = blend ? clip_rotation(frame_, q, anim_.order) : q;
                return out;
            }
            // The identity stands for "no quaternion".
        }
        Quat q = euler(rotate[0], rotate[1], rotate[2], anim_.order);
        if (blend && euler_vector != nullptr) {
            const Between where = between(*euler_vector, inside, time);
            Mat4 m{};
            const auto key = [&](std::size_t k) {
                return runtime::to_matrix(euler(euler_vector->value(k, 0), euler_vector->value(k, 1), euler_vector->value(k, 2), anim_.order));
            };
            const Mat4 a = key(where.a);
            const Mat4 b = key(where.b);
            for (std::size_t i = 0; i < 16; ++i) {
                m.m[i] = a.m[i] + (b.m[i] - a.m[i]) * where.t;
            }
            q = orthonormal(m);
        } else if (blend && (euler_axis[0] != nullptr || euler_axis[1] != nullptr || euler_axis[2] != nullptr)) {
            Mat4 m{};
            for (const std::size_t axis : kAxisOrders[anim_.order]) {
                namespace exact = runtime::exact;
                double sine = exact::sin(rotate[axis]);
                double cosine = exact::cos(rotate[axis]);
                if (const Channel* c = euler_axis[axis]; c != nullptr) {
                    const Between where = between(*c, inside, time);
                    const double a = c->value(where.a, 0);
                    const double b = c->value(where.b, 0);
                    sine = exact::sin(a) + (exact::sin(b) - exact::sin(a)) * where.t;
                    cosine = exact::cos(a) + (exact::cos(b) - exact::cos(a)) * where.t;
                }
                m = m * axis_matrix(axis, sine, cosine);
            }
            q = orthonormal(m);
        }
        out.rotation = clip_rotation(frame_, q, anim_.order);
        return out;
    }

    /// Whether it makes a difference that the whole set blends matrices.
    [[nodiscard]] bool depends_on_mode() const {
        return additive_ || (frame_.flag & 12u) != 0 || std::any_of(anim_.channels.begin(), anim_.channels.end(), [](const Channel& c) {
                   return c.is_euler() || c.type == KeyType::Matrix4x4;
               });
    }

private:
    const Frame& frame_;
    const FrameAnim& anim_;
    bool additive_;
};

// Where in time the whole set blends matrices.
class BlendTimes {
public:
    BlendTimes(const std::vector<FrameAnim>& anims, bool always) : always_(always) {
        for (const FrameAnim& a : anims) {
            for (const Channel& c : a.channels) {
                if (!c.is_euler()) {
                    continue;
                }
                const auto jump = [&](std::size_t from, std::size_t to) {
                    for (std::size_t k = 0; k < c.keys.components; ++k) {
                        if (std::fabs(c.value(from, k) - c.value(to, k)) > kQuarterTurn) {
                            return true;
                        }
                    }
                    return false;
                };
                const std::size_t n = c.keys.size();
                for (std::size_t i = 0; i + 1 < n; ++i) {
                    if (c.keys.times[i + 1] > c.keys.times[i] && jump(i, i + 1)) {
                        add(i == 0 ? -1 : c.keys.times[i], c.keys.times[i + 1]);
                    }
                }
                if (n > 1 && jump(0, n - 1)) {
                    add(c.keys.times[n - 1], 1e30);   // on its last key a channel looks at the first
                }
            }
        }
        std::sort(spans_.begin(), spans_.end());
        std::vector<std::pair<double, double>> joined;
        for (const auto& s : spans_) {
            if (!joined.empty() && s.first <= joined.back().second) {
                joined.back().second = std::max(joined.back().second, s.second);
            } else {
                joined.push_back(s);
            }
        }
        spans_ = std::move(joined);
    }
    [[nodiscard]] bool at(double time) const {
        const auto it = std::upper_bound(spans_.begin(), spans_.end(), std::pair{time, 1e300});
        return always_ || (it != spans_.begin() && time < std::prev(it)->second);
    }
    [[nodiscard]] bool any() const { return always_ || !spans_.empty(); }
    void add_ends(std::vector<double>& times) const {
        for (const auto& s : spans_) {
            times.push_back(s.first);
            times.push_back(s.second);
        }
    }

private:
    void add(double begin, double end) { spans_.emplace_back(begin, end); }
    bool always_;
    std::vector<std::pair<double, double>> spans_;
};

double apart(const Quat& a, const Quat& b) {
    const double sign = dot(a, b) < 0 ? -1 : 1;
    const Quat d{a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z, a.w - sign * b.w};
    return 2 * length(d);
}
double apart(const Vec3& a, const Vec3& b) { return std::fmax(std::fabs(a.x - b.x), std::fmax(std::fabs(a.y - b.y), std::fabs(a.z - b.z))); }

class ClipImport {
public:
    ClipImport(Import& in, const AnimSet& set, std::uint32_t index) : in_(in), set_(set) {
        clip_.name = in.name(set.name);
        clip_.origin = {clip_.name, index};
        length_ = std::isfinite(set.max_time) ? std::fmax(static_cast<double>(set.max_time), 0.0) : 0.0;
        clip_.duration = length_ / kFps;
        clip_.loop = (set.flag & 4u) != 0;
        read(in.links.set_anims[index]);
    }

    core::Result<void> run() {
        if (!is_clip(set_)) {
            in_.report.add(IssueId::MV1_EMPTY_CLIP, {}, {{"clip", clip_.name}});
            return {};
        }
        const bool additive = (set_.flag & 3u) == 1;
        const BlendTimes blend(anims_, (set_.flag & 2u) != 0);
        for (const FrameAnim& a : anims_) {
            add_track(a, additive, blend);
            if (keys_ > in_.options.limits.max_keys_per_clip || work_ / 16 > in_.options.limits.max_keys_per_clip) {
                return core::fail(core::Code::LimitExceeded, {}, "too many keys in clip '" + clip_.name + "'", "more than " +
                                  std::to_string(in_.options.limits.max_keys_per_clip), {}, "raise --limits");
            }
        }
        std::sort(clip_.tracks.begin(), clip_.tracks.end(), [](const model::Track& a, const model::Track& b) { return a.node < b.node; });
        std::sort(clip_.morph_tracks.begin(), clip_.morph_tracks.end(), [](const model::MorphTrack& a, const model::MorphTrack& b) {
            return a.mesh != b.mesh ? a.mesh < b.mesh : a.channel < b.channel;
        });
        in_.model.clips.push_back(std::move(clip_));
        return {};
    }

private:
    void read(const Run& run) {
        std::vector<std::uint32_t> place(in_.doc.frames.size(), kNone);
        for (std::uint32_t a = run.first; a < run.first + run.count; ++a) {
            const Anim& source = in_.doc.anims[a];
            const auto frame = static_cast<std::uint32_t>(source.target_frame);
            if (place[frame] != kNone) {
                in_.report.add(IssueId::MV1_ANIM_TWICE, {}, {{"clip", clip_.name}, {"frame", in_.model.nodes[in_.node_of[frame].value].name}});
                continue;
            }
            place[frame] = static_cast<std::uint32_t>(anims_.size());
            FrameAnim anim;
            anim.frame = frame;
            anim.order = source.rotate_order;
            const Run& sets = in_.links.anim_key_sets[a];
            std::uint64_t dropped = 0;
            for (std::uint32_t k = sets.first; k < sets.first + sets.count; ++k) {
                add_channel(in_.doc.key_sets[k], anim, dropped);
            }
            if (dropped != 0) {
                in_.report.add(IssueId::MV1_KEYS_DROPPED, {},
                               {{"clip", clip_.name}, {"count", std::to_string(dropped)}, {"frame", in_.model.nodes[in_.node_of[frame].value].name}});
            }
            anims_.push_back(std::move(anim));
        }
    }

    // Finite keys whose times do not go back.
    static Channel channel_of(const KeySet& set, std::uint64_t& dropped, std::uint16_t* shape = nullptr) {
        Channel channel;
        channel.type = static_cast<KeyType>(set.type);
        channel.data = static_cast<DataType>(set.data_type);
        Keys keys;
        static_cast<void>(read_key_block(set, set.blob, &keys));
        if (shape != nullptr) {
            *shape = keys.shape;
        }
        channel.keys.components = keys.components;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto first = keys.values.begin() + static_cast<std::ptrdiff_t>(i * keys.components);
            const auto last = first + static_cast<std::ptrdiff_t>(keys.components);
            const bool usable = std::isfinite(keys.times[i]) && (channel.keys.times.empty() || keys.times[i] >= channel.keys.times.back()) &&
                                std::all_of(first, last, [](double v) { return std::fabs(v) <= 1e30; });
            if (!usable) {
                ++dropped;
                continue;
            }
            channel.keys.times.push_back(keys.times[i]);
            channel.keys.values.insert(channel.keys.values.end(), first, last);
        }
        return channel;
    }

    void add_channel(const KeySet& set, FrameAnim& anim, std::uint64_t& dropped) {
        if (set.data_type == static_cast<std::int8_t>(DataType::Shape)) {
            add_morph_tracks(set, anim.frame, dropped);
            return;
        }
        if (set.data_type == static_cast<std::int8_t>(DataType::Other) || key_components(set.type) == 0) {
            return;
        }
        Channel channel = channel_of(set, dropped);
        if (channel.keys.size() != 0) {
            anim.channels.push_back(std::move(channel));
        }
    }

    // The weights of one shape, for every mesh that has it.
    void add_morph_tracks(const KeySet& set, std::uint32_t frame, std::uint64_t& dropped) {
        std::uint16_t shape = 0;
        const Channel channel = channel_of(set, dropped, &shape);
        std::vector<model::Key<double>> keys;
        if (channel.type == KeyType::Linear && channel.keys.size() != 0) {
            keys = weight_keys(channel);
        }
        bool used = false;
        for (const MorphOfShape& morph : in_.morphs[frame]) {
            const bool known = std::any_of(clip_.morph_tracks.begin(), clip_.morph_tracks.end(), [&](const model::MorphTrack& t) {
                return t.mesh == morph.mesh && t.channel == morph.channel;
            });
            if (morph.shape == shape && !known && !keys.empty()) {
                keys_ += keys.size();
                clip_.morph_tracks.push_back({morph.mesh, morph.channel, keys});
                used = true;
            }
        }
        in_.hold("animated weights of blend shapes", used ? 0 : 1);
    }

    // Keys inside the clip; of equal times the first ends what was before.
    [[nodiscard]] std::vector<model::Key<double>> weight_keys(const Channel& channel) const {
        std::vector<model::Key<double>> out;
        const std::vector<double>& times = channel.keys.times;
        const auto at = [&](double time) { return mix(channel, between(channel, time, time), 0); };
        if (times.front() < 0 || times.front() > length_) {
            out.push_back({0, at(0), false});
        }
        for (std::size_t i = 0; i < times.size(); ++i) {
            const double seconds = times[i] / kFps;
            if (times[i] < 0 || times[i] > length_) {
                continue;
            }
            if (out.size() > 1 && out[out.size() - 2].time == seconds) {
                out.pop_back();
            }
            if (!out.empty() && out.back().time == seconds) {
                out.back().step_end = true;
            }
            out.push_back({seconds, channel.value(i, 0), false});
        }
        if (times.back() > length_ && out.back().time < clip_.duration) {
            out.push_back({clip_.duration, at(length_), false});
        }
        return out;
    }

    void add_track(const FrameAnim& anim, bool additive, const BlendTimes& blend) {
        const Frame& frame = in_.doc.frames[anim.frame];
        const model::NodeId node = in_.node_of[anim.frame];
        const model::Transform& rest = in_.model.nodes[node.value].rest;
        const Evaluator evaluator(frame, anim, additive);
        std::vector<double> times{0, length_};
        for (const Channel& c : anim.channels) {
            times.insert(times.end(), c.keys.times.begin(), c.keys.times.end());
        }
        if (blend.any() && evaluator.depends_on_mode()) {
            blend.add_ends(times);
        }
        work_ += times.size();
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        times.erase(std::remove_if(times.begin(), times.end(), [&](double t) { return !(t >= 0 && t <= length_); }), times.end());
        model::Track track;
        track.node = node;
        const auto add = [&](double time, const Pose& pose) {
            const double seconds = time / kFps;
            track.translation.push_back({seconds, to_point(pose.translation), false});
            track.rotation.push_back({seconds, turn(pose.rotation), false});
            track.scale.push_back({seconds, pose.scale, false});
        };
        for (std::size_t i = 0; i < times.size(); ++i) {
            const double begin = times[i];
            const double end = i + 1 < times.size() ? times[i + 1] : begin;
            const double inside = begin + (end - begin) / 2;
            const bool mode = blend.at(inside);
            const Pose first = evaluator.at(inside, begin, mode);
            if (i == 0) {
                add(begin, first);
            } else if (end > begin) {
                step(track, first, begin);
            }
            if (end > begin) {
                const Pose last = evaluator.at(inside, end, mode);
                halve(evaluator, mode, inside, begin, first, end, last, 0, add);
                add(end, last);
            } else if (i != 0) {
                step(track, first, begin);   // the last time: what holds from there on
            }
        }
        finish(track.translation, rest.translation);
        finish(track.rotation, rest.rotation);
        finish(track.scale, rest.scale);
        keys_ += track.translation.size() + track.rotation.size() + track.scale.size();
        if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty()) {
            clip_.tracks.push_back(std::move(track));
        }
    }

    // A stretch begins with other values than the one before it ended with.
    static void step(model::Track& track, const Pose& pose, double time) {
        const auto each = [&](auto& keys, const auto& value) {
            if (apart(keys.back().value, value) > kTolerance / 20) {
                keys.back().step_end = true;
                keys.push_back({time / kFps, value, false});
            }
        };
        each(track.translation, to_point(pose.translation));
        each(track.rotation, turn(pose.rotation));
        each(track.scale, pose.scale);
    }

    // Keys between two others, where straight interpolation is too far from what the file means.
    template <class Add>
    static void halve(const Evaluator& evaluator, bool mode, double inside, double begin, const Pose& first, double end, const Pose& last, int depth,
                      const Add& add) {
        if (depth == kMaxHalvings) {
            return;
        }
        double worst = 0;
        for (const double t : {0.25, 0.5, 0.75}) {
            const Pose exact = evaluator.at(inside, begin + (end - begin) * t, mode);
            worst = std::fmax(worst, apart(exact.rotation, runtime::slerp(first.rotation, last.rotation, t)));
            worst = std::fmax(worst, apart(exact.scale, lerp(first.scale, last.scale, t)));
        }
        if (!(worst > kTolerance)) {
            return;
        }
        const double time = begin + (end - begin) / 2;
        const Pose middle = evaluator.at(inside, time, mode);
        halve(evaluator, mode, inside, begin, first, time, middle, depth + 1, add);
        add(time, middle);
        halve(evaluator, mode, inside, time, middle, end, last, depth + 1, add);
    }

    // Keys that lie on the line between their neighbours go: channels do not need each other's times. A channel that rests has none.
    template <class T>
    static void finish(std::vector<model::Key<T>>& keys, const T& rest) {
        const auto same = [](const T& a, const T& b) { return apart(a, b) <= 1e-9 * (1 + apart(a, T{})); };
        if (std::all_of(keys.begin(), keys.end(), [&](const model::Key<T>& k) { return same(k.value, keys.front().value); })) {
            keys.resize(1);
            keys[0].step_end = false;
            if (same(keys[0].value, rest)) {
                keys.clear();
            }
            return;
        }
        std::vector<model::Key<T>> out;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const bool inner = !out.empty() && i + 1 < keys.size() && !keys[i].step_end && !out.back().step_end && keys[i + 1].time > out.back().time;
            if (inner) {
                const double t = (keys[i].time - out.back().time) / (keys[i + 1].time - out.back().time);
                if (apart(interpolate(out.back().value, keys[i + 1].value, t), keys[i].value) <= 1e-9 * (1 + apart(keys[i].value, T{}))) {
                    continue;
                }
            }
            out.push_back(keys[i]);
        }
        keys = std::move(out);
    }
    static Vec3 interpolate(const Vec3& a, const Vec3& b, double t) { return lerp(a, b, t); }
    static Quat interpolate(const Quat& a, const Quat& b, double t) { return runtime::slerp(a, b, t); }

    Import& in_;
    const AnimSet& set_;
    model::Clip clip_;
    double length_ = 0;
    std::vector<FrameAnim> anims_;
    std::uint64_t keys_ = 0;
    std::uint64_t work_ = 0;     ///< times looked at, whether or not a key came of them
};

}  // namespace

core::Result<void> import_clips(Import& in) {
    in.model.source.fps = in.doc.anim_sets.empty() ? 0 : kFps;
    for (std::uint32_t i = 0; i < in.doc.anim_sets.size(); ++i) {
        if (core::Result<void> done = ClipImport(in, in.doc.anim_sets[i], i).run(); !done) {
            return done;
        }
    }
    return {};
}

}  // namespace gomkit::mv1
