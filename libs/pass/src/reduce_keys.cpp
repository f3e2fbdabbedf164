#include <gomkit/pass/reduce_keys.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <gomkit/core/parallel.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/pass/stored_clip.hpp>

namespace gomkit::pass {
namespace {

using model::Quat;
using model::Vec3;

// Bones times sampled times of one clip. Bones that share their key times come to two million at the limit of keys a clip, or some
// more where they turn fast.
constexpr std::size_t kMostSamples = 8'000'000;
// A sampled piece is short enough that a bone turns less than this within it, all its parents included (radians).
constexpr double kMostTurn = 0.35;
// What is allowed between samples over the parabola through three of them.
constexpr double kCurvatureMargin = 1.25;
// A little of the bound stays unused, for the last digits of another sampler.
constexpr double kUsedBound = 0.999;

// p' = p * linear + offset.
struct Affine {
    double linear[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double offset[3] = {0, 0, 0};
};
using Motion = std::vector<Affine>;  // one a sample; a single one: it does not move

Affine multiply(const Affine& a, const Affine& b) {
    Affine out;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t r = 0; r < 3; ++r) {
            out.linear[3 * r + c] = a.linear[3 * r] * b.linear[c] + a.linear[3 * r + 1] * b.linear[3 + c] + a.linear[3 * r + 2] * b.linear[6 + c];
        }
        out.offset[c] = a.offset[0] * b.linear[c] + a.offset[1] * b.linear[3 + c] + a.offset[2] * b.linear[6 + c] + b.offset[c];
    }
    return out;
}

Affine combine(const Affine& a, const Affine& b, double factor) {
    Affine out;
    for (std::size_t i = 0; i < 9; ++i) {
        out.linear[i] = a.linear[i] + factor * b.linear[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        out.offset[i] = a.offset[i] + factor * b.offset[i];
    }
    return out;
}

Affine to_affine(const model::Mat4& m) {
    Affine out;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            out.linear[3 * r + c] = m.m[4 * r + c];
        }
        out.offset[r] = m.m[12 + r];
    }
    return out;
}

double length3(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

// The largest |v| among a bone's seven points, in its own space, carried by a difference of two placements.
double at_points(const Affine& d, const Vec3& radius) {
    const double along[3] = {radius.x, radius.y, radius.z};
    double most = 0;
    const double* b = d.offset;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double x = d.linear[3 * axis] * along[axis];
        const double y = d.linear[3 * axis + 1] * along[axis];
        const double z = d.linear[3 * axis + 2] * along[axis];
        most = std::fmax(most, std::fmax(length3(b[0] + x, b[1] + y, b[2] + z), length3(b[0] - x, b[1] - y, b[2] - z)));
    }
    return most;  // the origin lies between two of the others
}

// No less than the largest |v| within a sphere of this radius: |offset| + the linear part's norm, itself bounded by the mean and
// spread of the eigenvalues of its square.
double in_sphere(const Affine& d, double radius) {
    const double* a = d.linear;
    const double s00 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const double s11 = a[3] * a[3] + a[4] * a[4] + a[5] * a[5];
    const double s22 = a[6] * a[6] + a[7] * a[7] + a[8] * a[8];
    const double s01 = a[0] * a[3] + a[1] * a[4] + a[2] * a[5];
    const double s02 = a[0] * a[6] + a[1] * a[7] + a[2] * a[8];
    const double s12 = a[3] * a[6] + a[4] * a[7] + a[5] * a[8];
    const double mean = (s00 + s11 + s22) / 3;
    const double spread = (s00 - mean) * (s00 - mean) + (s11 - mean) * (s11 - mean) + (s22 - mean) * (s22 - mean) +
                          2 * (s01 * s01 + s02 * s02 + s12 * s12);
    return length3(d.offset[0], d.offset[1], d.offset[2]) + radius * std::sqrt(mean + std::sqrt(spread * (2.0 / 3.0)));
}

// Keys of one segment, made ready to be sampled many times.
struct Line {
    Vec3 a;
    Vec3 step;
    Line(const Vec3& from, const Vec3& to) : a(from), step(to - from) {}
    [[nodiscard]] Vec3 at(double t) const { return a + step * t; }
};
struct Arc {
    Quat a;
    Quat b;
    double angle = 0;
    double inverse_sine = 0;
    Arc(const Quat& from, const Quat& to) : a(from), b(dot(from, to) < 0 ? -to : to) {
        const auto distance = [](const Quat& p, const Quat& q, double sign) {
            const Quat d{p.x - sign * q.x, p.y - sign * q.y, p.z - sign * q.z, p.w - sign * q.w};
            return length(d);
        };
        const double difference = distance(a, b, 1);
        const double sum = distance(a, b, -1);
        if (difference > 1e-7 * sum) {
            angle = 2.0 * runtime::exact::atan2(difference, sum);
            inverse_sine = 1 / runtime::exact::sin(angle);
        }
    }
    [[nodiscard]] Quat at(double t) const {
        double wa = 1 - t;
        double wb = t;
        if (angle != 0) {
            wa = runtime::exact::sin(wa * angle) * inverse_sine;
            wb = runtime::exact::sin(wb * angle) * inverse_sine;
        }
        return {wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
    }
};
double distance(const Vec3& a, const Vec3& b) { return length(a - b); }
double distance(const Quat& a, const Quat& b) {
    const Quat c = dot(a, b) < 0 ? -b : b;
    return length(Quat{a.x - c.x, a.y - c.y, a.z - c.z, a.w - c.w});
}
Line segment(const Vec3& a, const Vec3& b) { return {a, b}; }
Arc segment(const Quat& a, const Quat& b) { return {a, b}; }

// A channel over all samples; one value: it does not move.
template <class T>
struct Values {
    std::vector<T> list;
    [[nodiscard]] const T& operator[](std::size_t i) const { return list[list.size() == 1 ? 0 : i]; }
    [[nodiscard]] bool moves() const { return list.size() > 1; }
};

struct Pose {
    Values<Vec3> translation;
    Values<Quat> rotation;
    Values<Vec3> scale;

    [[nodiscard]] bool moves() const { return translation.moves() || rotation.moves() || scale.moves(); }
};

Affine local_of(const Vec3& t, const Quat& r, const Vec3& s) { return to_affine(runtime::to_matrix(model::Transform{t, r, s})); }

const Affine& at(const Motion& motion, std::size_t i) { return motion[motion.size() == 1 ? 0 : i]; }

using SharedMotion = std::shared_ptr<const Motion>;

// One clip of one skeleton.
class Reducer {
public:
    Reducer(const model::Skeleton& skeleton, const ClipStore& store, const model::Clip& clip, const ReduceOptions& options)
        : skeleton_(skeleton), store_(store), clip_(clip), bound_(options.millimetres / 1000) {
        const std::vector<const model::Track*> tracks = tracks_of_bones(clip, skeleton);
        for (std::size_t b = 0; b < tracks.size(); ++b) {
            original_.push_back(store.store(b, tracks[b], clip));
        }
        std::vector<Affine> bind;
        for (std::size_t b = 0; b < tracks.size(); ++b) {
            const std::int32_t parent = skeleton.bones[b].parent;
            const Affine local = to_affine(store.bind_local(b));
            bind.push_back(parent < 0 ? local : multiply(local, bind[static_cast<std::size_t>(parent)]));
            const double* a = bind[b].linear;
            const Vec3 size{length3(a[0], a[1], a[2]), length3(a[3], a[4], a[5]), length3(a[6], a[7], a[8])};
            const auto inverse = [&](double v) { return v > 0 ? options.radius / v : 0; };
            radius_.push_back({inverse(size.x), inverse(size.y), inverse(size.z)});
            size_.push_back(std::fmax(size.x, std::fmax(size.y, size.z)));
        }
        children_.resize(tracks.size() + 1);
        for (std::size_t b = 0; b < tracks.size(); ++b) {
            children_[static_cast<std::size_t>(skeleton.bones[b].parent + 1)].push_back(b);
        }
    }

    [[nodiscard]] std::uint64_t key_count() const {
        std::uint64_t count = 0;
        for (const StoredTrack& track : original_) {
            count += track.count();
        }
        return count;
    }

    // False: too much to look at.
    bool prepare() {
        find_times();
        if (times_.empty() || times_.size() > most_times()) {
            return times_.empty();
        }
        find_reach();
        find_needs();
        return true;
    }

    struct Worst {
        double distance = 0;      // at a sample
        double with_margin = 0;   // at or between samples
        std::size_t bone = 0;
        double time = 0;
    };

    // The clip with fewer keys: no point farther than the bound, measured on what will be stored.
    [[nodiscard]] model::Clip reduce(Worst& worst) {
        worst = {};
        if (bound_ == 0 || times_.empty()) {
            return clip_;
        }
        double target = bound_ * kUsedBound;
        for (int attempt = 0; attempt < 6; ++attempt, target *= 0.7) {
            model::Clip out = reduce_to(target);
            worst = measure(out);
            if (worst.with_margin <= bound_) {
                return out;
            }
        }
        worst = {};
        return clip_;
    }

private:
    struct Needs {
        double translation = 0;
        double rotation = 0;
        double scale = 0;
        [[nodiscard]] double sum() const { return translation + rotation + scale; }
    };

    // --- Times ------------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::size_t most_times() const { return kMostSamples / std::max<std::size_t>(original_.size(), 1); }

    void find_times() {
        std::vector<double> union_times;
        const auto add = [&](const auto& keys) {
            if (keys.size() > 1) {
                for (const auto& key : keys) {
                    union_times.push_back(key.time);
                }
            }
        };
        for (const StoredTrack& track : original_) {
            add(track.translation);
            add(track.rotation);
            add(track.scale);
        }
        std::sort(union_times.begin(), union_times.end());
        union_times.erase(std::unique(union_times.begin(), union_times.end()), union_times.end());
        if (union_times.size() < 2 || union_times.size() > most_times()) {
            times_ = std::move(union_times);
            return;
        }
        const std::vector<float> turn = largest_turns(union_times);
        times_.push_back(union_times[0]);
        for (std::size_t i = 0; i + 1 < union_times.size() && times_.size() <= most_times(); ++i) {
            const double pieces = std::clamp(std::ceil(static_cast<double>(turn[i]) / kMostTurn), 1.0, 32.0);
            const auto n = 2 * static_cast<int>(pieces);
            const double begin = union_times[i];
            const double end = union_times[i + 1];
            for (int k = 1; k < n; ++k) {
                times_.push_back(begin + (end - begin) * k / n);
            }
            times_.push_back(end);
        }
    }

    // Per piece between union times, how far the bone that turns most turns in it.
    [[nodiscard]] std::vector<float> largest_turns(const std::vector<double>& union_times) const {
        std::vector<float> most(union_times.size());
        std::vector<std::vector<float>> of_bone(original_.size());
        for (std::size_t b = 0; b < original_.size(); ++b) {
            const std::int32_t parent = skeleton_.bones[b].parent;
            std::vector<float>& turn = of_bone[b];
            if (parent >= 0) {
                turn = of_bone[static_cast<std::size_t>(parent)];
            }
            const StoredKeys<Quat>& keys = original_[b].rotation;
            if (keys.size() < 2) {
                continue;
            }
            turn.resize(union_times.size());
            auto piece = static_cast<std::size_t>(std::lower_bound(union_times.begin(), union_times.end(), keys[0].time) - union_times.begin());
            for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
                const double rate = 2 * Arc(keys[k].value, keys[k + 1].value).angle / (keys[k + 1].time - keys[k].time);
                for (; union_times[piece] < keys[k + 1].time; ++piece) {
                    turn[piece] += static_cast<float>(rate * (union_times[piece + 1] - union_times[piece]));
                    most[piece] = std::max(most[piece], turn[piece]);
                }
            }
        }
        return most;
    }

    [[nodiscard]] std::size_t index_of(double time) const {
        return static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
    }

    // --- Poses ------------------------------------------------------------------------------------------------------------

    template <class T>
    [[nodiscard]] Values<T> values_of(const StoredKeys<T>& keys, const T& bind) const {
        Values<T> out;
        if (keys.size() < 2) {
            out.list.push_back(keys.empty() ? bind : keys[0].value);
            return out;
        }
        out.list.reserve(times_.size());
        std::size_t i = 0;
        for (; i < times_.size() && times_[i] <= keys[0].time; ++i) {
            out.list.push_back(keys[0].value);
        }
        for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
            const auto line = segment(keys[k].value, keys[k + 1].value);
            const double span = keys[k + 1].time - keys[k].time;
            for (; i < times_.size() && times_[i] < keys[k + 1].time; ++i) {
                out.list.push_back(line.at((times_[i] - keys[k].time) / span));
            }
            if (i < times_.size() && times_[i] == keys[k + 1].time) {
                out.list.push_back(keys[k + 1].value);
                ++i;
            }
        }
        for (; i < times_.size(); ++i) {
            out.list.push_back(keys.back().value);
        }
        return out;
    }

    [[nodiscard]] Pose pose_of(std::size_t b, const StoredTrack& track) const {
        const model::Transform& bind = store_.bind(b);
        return {values_of(track.translation, bind.translation), values_of(track.rotation, bind.rotation), values_of(track.scale, bind.scale)};
    }

    [[nodiscard]] SharedMotion motion_of(std::size_t b, const StoredTrack& track, const Pose& pose, const SharedMotion& parent) const {
        const std::size_t count = pose.moves() || parent->size() > 1 ? times_.size() : 1;
        Motion out;
        out.reserve(count);
        Affine local = track.empty() ? to_affine(store_.bind_local(b)) : Affine{};
        for (std::size_t i = 0; i < count; ++i) {
            if (!track.empty() && (i == 0 || pose.moves())) {
                local = local_of(pose.translation[i], pose.rotation[i], pose.scale[i]);
            }
            out.push_back(multiply(local, at(*parent, i)));
        }
        return std::make_shared<const Motion>(std::move(out));
    }

    // How far from each bone's origin, in its own space, the watched points of it and its descendants come.
    void find_reach() {
        const std::size_t count = original_.size();
        reach_.clear();
        for (const Vec3& radius : radius_) {
            reach_.push_back(std::fmax(radius.x, std::fmax(radius.y, radius.z)));
        }
        for (std::size_t b = count; b-- > 0;) {
            const std::int32_t parent = skeleton_.bones[b].parent;
            if (parent < 0) {
                continue;
            }
            const auto p = static_cast<std::size_t>(parent);
            const StoredTrack& track = original_[b];
            const model::Transform& bind = store_.bind(b);
            double reach = 0;
            if (track.empty()) {
                const Affine local = to_affine(store_.bind_local(b));
                const Affine turned{{local.linear[0], local.linear[1], local.linear[2], local.linear[3], local.linear[4], local.linear[5],
                                     local.linear[6], local.linear[7], local.linear[8]}, {0, 0, 0}};
                reach = length3(local.offset[0], local.offset[1], local.offset[2]) + in_sphere(turned, reach_[b]);
            } else {
                // Lengths of linear values are largest at keys.
                double offset = track.translation.empty() ? length(bind.translation) : 0;
                for (const auto& key : track.translation) {
                    offset = std::fmax(offset, length(key.value));
                }
                const auto largest = [](const Vec3& v) { return std::fmax(std::fabs(v.x), std::fmax(std::fabs(v.y), std::fabs(v.z))); };
                double scale = track.scale.empty() ? largest(bind.scale) : 0;
                for (const auto& key : track.scale) {
                    scale = std::fmax(scale, largest(key.value));
                }
                reach = offset + scale * reach_[b];
            }
            reach_[p] = std::fmax(reach_[p], reach);
        }
    }

    // What each channel may ask of the bound: those that hardly move need hardly anything. Then how much the bones above each one
    // ask for together, and at most those below.
    void find_needs() {
        const std::size_t count = original_.size();
        needs_.assign(count, {});
        above_.assign(count, 0);
        below_.assign(count, 0);
        const auto need = [&](const auto& keys, double arm) {
            double most = 0;
            for (const auto& key : keys) {
                most = std::fmax(most, distance(key.value, keys[0].value));
            }
            return keys.size() > 1 ? std::clamp(20 * most * arm / bound_, 0.01, 1.0) : 0.0;
        };
        for (std::size_t b = 0; b < count; ++b) {
            const StoredTrack& t = original_[b];
            const std::int32_t parent = skeleton_.bones[b].parent;
            const double above = parent < 0 ? 1 : size_[static_cast<std::size_t>(parent)];
            needs_[b] = {need(t.translation, above), need(t.rotation, 2 * reach_[b] * size_[b]), need(t.scale, reach_[b] * above)};
        }
        for (std::size_t b = 0; b < count; ++b) {
            const std::int32_t parent = skeleton_.bones[b].parent;
            if (parent >= 0) {
                const auto p = static_cast<std::size_t>(parent);
                above_[b] = above_[p] + needs_[p].sum();
            }
        }
        for (std::size_t b = count; b-- > 0;) {
            const std::int32_t parent = skeleton_.bones[b].parent;
            if (parent >= 0) {
                const auto p = static_cast<std::size_t>(parent);
                below_[p] = std::fmax(below_[p], below_[b] + needs_[b].sum());
            }
        }
    }

    // --- Reducing ---------------------------------------------------------------------------------------------------------

    // What the keys of one channel of a bone are tried against.
    struct Trial {
        const Motion& original;         // of the bone
        const Motion& parent;           // as reduced
        Pose& pose;                     // of the bone, as reduced so far
        std::size_t bone;
        bool leaf;
        double reach;
        double allowed;
    };

    [[nodiscard]] double size_of(const Trial& trial, const Affine& d) const {
        return trial.leaf ? at_points(d, radius_[trial.bone]) : in_sphere(d, trial.reach);
    }

    // Whether the bone stays near enough between the samples `first` and `last` with value(i) in the channel.
    template <class T, class Value>
    [[nodiscard]] bool fits(const Trial& trial, std::size_t first, std::size_t last, Value value) const {
        const auto difference = [&](std::size_t i) {
            const T v = value(i);
            Vec3 t = trial.pose.translation[i];
            Quat r = trial.pose.rotation[i];
            Vec3 s = trial.pose.scale[i];
            set(t, r, s, v);
            return combine(multiply(local_of(t, r, s), at(trial.parent, i)), at(trial.original, i), -1);
        };
        Affine before = difference(first);
        if (!(size_of(trial, before) <= trial.allowed)) {
            return false;
        }
        for (std::size_t i = first; i + 2 <= last; i += 2) {
            const Affine middle = difference(i + 1);
            const double middle_size = size_of(trial, middle);
            if (!(middle_size <= trial.allowed)) {
                return false;
            }
            const Affine after = difference(i + 2);
            const double largest = std::fmax(middle_size, std::fmax(size_of(trial, before), size_of(trial, after)));
            const double bend = size_of(trial, combine(combine(before, middle, -2), after, 1)) / 8 * kCurvatureMargin;
            if (!(largest + bend <= trial.allowed)) {
                return false;
            }
            before = after;
        }
        return true;
    }

    enum class Channel : std::uint8_t { Translation, Rotation, Scale };
    Channel channel_ = Channel::Translation;

    void set(Vec3& t, Quat&, Vec3& s, const Vec3& v) const { (channel_ == Channel::Scale ? s : t) = v; }
    void set(Vec3&, Quat& r, Vec3&, const Quat& v) const { r = v; }

    [[nodiscard]] Vec3 constant(std::size_t bone, const Vec3& v) const {
        const bool scale = channel_ == Channel::Scale;
        const model::Transform& bind = store_.bind(bone);
        return !store_.near_bind(bone, v, scale) ? v : scale ? bind.scale : bind.translation;
    }
    [[nodiscard]] Quat constant(std::size_t bone, const Quat& v) const {
        return store_.near_bind(bone, v) ? store_.bind(bone).rotation : v;
    }

    // The keys that stay, as positions in `keys`.
    template <class T>
    [[nodiscard]] std::vector<std::size_t> thin_out(const StoredKeys<T>& keys, const Trial& trial) const {
        const T lone = constant(trial.bone, keys[0].value);
        if (fits<T>(trial, 0, times_.size() - 1, [&](std::size_t) { return lone; })) {
            return {0};
        }
        std::vector<std::size_t> sample(keys.size());
        for (std::size_t k = 0; k < keys.size(); ++k) {
            sample[k] = index_of(keys[k].time);
        }
        const auto can_skip = [&](std::size_t a, std::size_t b) {
            const auto line = segment(keys[a].value, keys[b].value);
            const double begin = keys[a].time;
            const double span = keys[b].time - begin;
            return fits<T>(trial, sample[a], sample[b], [&](std::size_t i) { return line.at((times_[i] - begin) / span); });
        };
        std::vector<std::size_t> kept = {0};
        std::size_t barrier = 0;  // the next key that has to stay
        while (kept.back() + 1 < keys.size()) {
            const std::size_t from = kept.back();
            if (barrier <= from) {
                for (barrier = from + 1; barrier + 1 < keys.size() && !keys[barrier].step; ++barrier) {
                }
            }
            std::size_t good = from + 1;
            std::size_t bad = barrier + 1;
            for (std::size_t stride = 2; good < barrier; stride *= 2) {
                const std::size_t next = std::min(from + stride, barrier);
                if (!can_skip(from, next)) {
                    bad = next;
                    break;
                }
                good = next;
            }
            while (bad > good + 1) {
                const std::size_t middle = good + (bad - good) / 2;
                (can_skip(from, middle) ? good : bad) = middle;
            }
            kept.push_back(good);
        }
        return kept;
    }

    template <class T>
    static StoredKeys<T> pick(const StoredKeys<T>& keys, const std::vector<std::size_t>& kept) {
        StoredKeys<T> out;
        for (const std::size_t k : kept) {
            out.push_back(keys[k]);
        }
        return out;
    }

    // Keeps of the model's keys what `kept` of the stored ones stand for; one alone holds always.
    template <class T>
    static void keep(std::vector<model::Key<T>>& keys, const StoredKeys<T>& stored) {
        if (keys.empty() || stored.size() == keys.size()) {
            return;
        }
        std::vector<model::Key<T>> out;
        for (const StoredKey<T>& key : stored) {
            out.push_back(keys[key.source]);
        }
        if (out.size() == 1) {
            out[0].time = 0;
            out[0].step_end = false;
        }
        keys = std::move(out);
    }

    struct Placed {
        SharedMotion original;
        SharedMotion reduced;
    };

    // Calls visit(bone, parent's Placed) for every bone, parents first, and keeps what it returns as long as children need it.
    template <class Visit>
    void walk(Visit visit) const {
        const auto still = std::make_shared<const Motion>(1);
        struct Frame {
            std::size_t family;
            std::size_t next;
            Placed placed;
        };
        std::vector<Frame> stack;
        stack.push_back({0, 0, {still, still}});
        while (!stack.empty()) {
            Frame& top = stack.back();
            if (top.next == children_[top.family].size()) {
                stack.pop_back();
                continue;
            }
            const std::size_t bone = children_[top.family][top.next++];
            Placed placed = visit(bone, top.placed);
            if (!children_[bone + 1].empty()) {
                stack.push_back({bone + 1, 0, std::move(placed)});
            }
        }
    }

    [[nodiscard]] model::Clip reduce_to(double target) {
        model::Clip out = clip_;
        std::vector<std::int32_t> track_of(original_.size(), -1);
        for (std::size_t i = 0; i < out.tracks.size(); ++i) {
            const std::int32_t bone = skeleton_.bone_of_node[out.tracks[i].node.value];
            if (bone >= 0) {
                track_of[static_cast<std::size_t>(bone)] = static_cast<std::int32_t>(i);
            }
        }
        walk([&](std::size_t b, const Placed& parent) -> Placed {
            const StoredTrack& track = original_[b];
            Pose pose = pose_of(b, track);
            const SharedMotion original = motion_of(b, track, pose, parent.original);
            bool changed = parent.reduced != parent.original;
            StoredTrack reduced = track;
            double asked = above_[b];
            const double asked_in_all = above_[b] + needs_[b].sum() + below_[b];
            const auto channel = [&](Channel which, double need, auto& keys, auto& values, const auto& bind, auto& model_keys) {
                if (keys.size() < 2) {
                    return;
                }
                channel_ = which;
                asked += need;
                // More than its part for a bone near the root: errors of several bones seldom add up, and what is not used is left
                // to those below. Of the powers 1, 0.7, 0.5 and 0.35 this one kept the fewest keys of the corpus.
                const double share = std::sqrt(std::fmin(asked / asked_in_all, 1.0));
                const Trial trial{*original, *parent.reduced, pose, b, children_[b + 1].empty(), reach_[b], target * share};
                const std::vector<std::size_t> kept = thin_out(keys, trial);
                if (kept.size() == keys.size()) {
                    return;
                }
                changed = true;
                keys = pick(keys, kept);
                auto shown = keys;
                if (shown.size() == 1) {
                    shown[0].value = constant(b, shown[0].value);
                }
                values = values_of(shown, bind);
                keep(model_keys, keys);
            };
            if (track_of[b] >= 0) {
                model::Track& target_track = out.tracks[static_cast<std::size_t>(track_of[b])];
                const model::Transform& bind = store_.bind(b);
                channel(Channel::Rotation, needs_[b].rotation, reduced.rotation, pose.rotation, bind.rotation, target_track.rotation);
                channel(Channel::Translation, needs_[b].translation, reduced.translation, pose.translation, bind.translation, target_track.translation);
                channel(Channel::Scale, needs_[b].scale, reduced.scale, pose.scale, bind.scale, target_track.scale);
            }
            return {original, changed ? motion_of(b, track, pose, parent.reduced) : original};
        });
        return out;
    }

    // --- Measuring --------------------------------------------------------------------------------------------------------

    [[nodiscard]] Worst measure(const model::Clip& clip) const {
        const std::vector<const model::Track*> tracks = tracks_of_bones(clip, skeleton_);
        Worst worst;
        walk([&](std::size_t b, const Placed& parent) -> Placed {
            const StoredTrack& before = original_[b];
            const StoredTrack after = store_.store(b, tracks[b], clip);
            const SharedMotion original = motion_of(b, before, pose_of(b, before), parent.original);
            if (parent.original == parent.reduced && before.count() == after.count()) {
                return {original, original};
            }
            const SharedMotion reduced = motion_of(b, after, pose_of(b, after), parent.reduced);
            const std::size_t count = std::max(original->size(), reduced->size());
            Affine d[3];
            double size[3] = {};
            for (std::size_t i = 0; i < count; ++i) {
                d[i % 3] = combine(at(*reduced, i), at(*original, i), -1);
                size[i % 3] = at_points(d[i % 3], radius_[b]);
                if (size[i % 3] > worst.distance) {
                    worst.distance = size[i % 3];
                    worst.bone = b;
                    worst.time = times_[i];
                }
                double between_samples = size[i % 3];
                if (i >= 2 && i % 2 == 0) {
                    const double bend = at_points(combine(combine(d[(i + 1) % 3], d[(i + 2) % 3], -2), d[i % 3], 1), radius_[b]) / 8;
                    between_samples = std::fmax(size[0], std::fmax(size[1], size[2])) + bend * kCurvatureMargin;
                }
                worst.with_margin = std::fmax(worst.with_margin, between_samples);
            }
            return {original, reduced};
        });
        return worst;
    }

    const model::Skeleton& skeleton_;
    const ClipStore& store_;
    const model::Clip& clip_;
    double bound_;
    std::vector<Vec3> radius_;                         // per bone: the points' places along its axes, in its own space
    std::vector<double> size_;                         // per bone: how much larger than its own space model space is, at bind
    std::vector<StoredTrack> original_;                // per bone
    std::vector<std::vector<std::size_t>> children_;   // [0]: roots, [1 + b]: of bone b
    std::vector<double> times_;                        // key times at even places
    std::vector<double> reach_;
    std::vector<Needs> needs_;
    std::vector<double> above_;
    std::vector<double> below_;
};

std::uint64_t count_stored(const model::Clip& clip, const model::Skeleton& skeleton, const ClipStore& store) {
    const std::vector<const model::Track*> tracks = tracks_of_bones(clip, skeleton);
    std::uint64_t count = 0;
    for (std::size_t b = 0; b < tracks.size(); ++b) {
        count += store.store(b, tracks[b], clip).count();
    }
    return count;
}

}  // namespace

core::Result<std::vector<ReducedClip>> reduce_keys(model::Model& model, const ReduceOptions& options, const core::Limits& limits,
                                                   core::Report& report) {
    const auto usable = [](double v) { return std::isfinite(v) && v >= 0; };
    if (!usable(options.millimetres) || !usable(options.radius)) {
        return core::fail(core::Code::Usage, {}, "a reduction bound has to be a finite number that is not negative",
                          core::number_text(usable(options.millimetres) ? options.radius : options.millimetres));
    }
    const core::Result<model::Skeleton> skeleton = model::build_skeleton(model, limits);
    if (!skeleton) {
        return core::Fault(skeleton.error());
    }
    const ClipStore store(model, *skeleton);
    const std::size_t count = model.clips.size();
    std::vector<ReducedClip> out(count);
    std::vector<std::uint8_t> skipped(count);
    core::parallel_for(count, options.jobs, [&](std::size_t i) {
        model::Clip& clip = model.clips[i];
        Reducer reducer(*skeleton, store, clip, options);
        out[i].clip = clip.name;
        out[i].keys_before = out[i].keys_after = reducer.key_count();
        if (options.millimetres == 0) {
            return;
        }
        if (!reducer.prepare()) {
            skipped[i] = 1;
            return;
        }
        Reducer::Worst worst;
        model::Clip reduced = reducer.reduce(worst);
        out[i].millimetres = worst.distance * 1000;
        out[i].time = worst.distance > 0 ? worst.time : 0;
        out[i].bone = worst.distance > 0 ? skeleton->bones[worst.bone].path : std::string();
        out[i].keys_after = count_stored(reduced, *skeleton, store);
        clip = std::move(reduced);
    });
    for (std::size_t i = 0; i < count; ++i) {
        if (skipped[i] != 0) {
            report.add(core::IssueId::CLIP_NOT_REDUCED, {}, {{"clip", out[i].clip}});
        }
    }
    return out;
}

}  // namespace gomkit::pass
