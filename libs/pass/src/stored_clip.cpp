#include <gomkit/pass/stored_clip.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fold.hpp"
#include "sampling.hpp"

namespace gomkit::pass {
namespace {

using model::Mat4;
using model::Quat;
using model::Vec3;

// GOM-SAMPLE-6: from here on a bind matrix is not its own translation, rotation and scale.
constexpr double kRecomposeTolerance = 1e-5;

Mat4 round_matrix(const Mat4& m) {
    Mat4 out;
    for (std::size_t i = 0; i < 16; ++i) {
        out.m[i] = to_float32(m.m[i]) + 0.0;
    }
    out.m[3] = out.m[7] = out.m[11] = 0;
    out.m[15] = 1;
    return out;
}

bool is_finite(const Mat4& m) {
    return std::all_of(std::begin(m.m), std::end(m.m), [](double v) { return std::isfinite(v); });
}

// Folding a scale into a key can leave float32's range.
double round_value(double c) {
    constexpr double kMax = std::numeric_limits<float>::max();
    return to_float32(std::clamp(c, -kMax, kMax));
}
Vec3 round_value(const Vec3& v) { return {round_value(v.x), round_value(v.y), round_value(v.z)}; }
Quat round_value(const Quat& q) { return {to_float32(q.x), to_float32(q.y), to_float32(q.z), to_float32(q.w)}; }

double next_float(double time, float towards) { return static_cast<double>(std::nextafter(static_cast<float>(time), towards)); }

template <class T>
StoredKeys<T> store_keys(const std::vector<model::Key<T>>& keys, double duration) {
    StoredKeys<T> out;
    out.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        StoredKey<T> key;
        key.source = static_cast<std::uint32_t>(i);
        key.time = std::clamp(to_float32(keys[i].time), 0.0, duration);
        if (keys[i].step_end && i + 1 < keys.size()) {
            // The largest float below the step's time; a key that stands there already is kept.
            key.time = next_float(std::clamp(to_float32(keys[i + 1].time), 0.0, duration), -1.0f);
            if (key.time < 0 || (!out.empty() && out.back().time >= key.time)) {
                continue;
            }
        }
        key.value = round_value(keys[i].value);
        if (!out.empty() && out.back().time >= key.time) {
            out.back() = key;
        } else {
            out.push_back(key);
        }
    }
    for (std::size_t i = 1; i < out.size(); ++i) {
        if (next_float(out[i - 1].time, std::numeric_limits<float>::infinity()) >= out[i].time) {
            out[i - 1].step = out[i].step = true;
        }
    }
    return out;
}

// Of a channel of one value only its first key says anything.
template <class T>
void drop_repeats(StoredKeys<T>& keys) {
    if (keys.size() > 1 && std::all_of(keys.begin(), keys.end(), [&](const StoredKey<T>& k) { return k.value == keys.front().value; })) {
        keys.resize(1);
        keys.front().time = 0;
        keys.front().step = false;
    }
}

// GOM-CLP0-14: the first key's first non-zero component of w, x, y, z is positive, each later key follows the one before. Channels of
// one rotation in both signs so count as constant.
void fix_signs(StoredKeys<Quat>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        Quat& q = keys[i].value;
        double sign = 1;
        if (i == 0) {
            for (const double c : {q.w, q.x, q.y, q.z}) {
                if (c != 0) {
                    sign = c;
                    break;
                }
            }
        } else {
            sign = dot(keys[i - 1].value, q);
        }
        q = sign < 0 ? -q : q;
    }
}

}  // namespace

ClipStore::ClipStore(const model::Model& model, const model::Skeleton& skeleton)
    : model_(model), skeleton_(skeleton) {
    std::vector<Mat4> bind_model;
    std::vector<Mat4> inverse_bind;
    for (const model::SkeletonBone& bone : skeleton.bones) {
        const bool root = bone.parent < 0;
        Mat4 local = bone.bind_local;
        if (!model.gom && !root) {
            const Mat4 exact = bone.bind_model * inverse_bind[static_cast<std::size_t>(bone.parent)];
            local = is_finite(round_matrix(exact)) ? exact : local;
        }
        local = round_matrix(local);
        Mat4 unused;
        if (!is_finite(local) || !inverse_affine(local, unused)) {
            local = Mat4{};
        }
        const Mat4 model_matrix = root ? local : local * bind_model[static_cast<std::size_t>(bone.parent)];
        Mat4 inverse;
        if (!inverse_affine(model_matrix, inverse)) {
            inverse = Mat4{};
        }
        const model::Transform bind = runtime::decompose(local);
        const Mat4 recomposed = runtime::to_matrix(bind);
        bool is_trs = true;
        for (std::size_t i = 0; i < 16; ++i) {
            is_trs = is_trs && std::fabs(recomposed.m[i] - local.m[i]) <= kRecomposeTolerance;
        }
        bind_local_.push_back(local);
        bind_.push_back(bind);
        is_trs_.push_back(is_trs);
        bind_model.push_back(model_matrix);
        inverse_bind.push_back(inverse);
    }
}

bool ClipStore::near_bind(std::size_t bone, const Vec3& value, bool scale) const {
    return near(value, scale ? bind_[bone].scale : bind_[bone].translation);
}
bool ClipStore::near_bind(std::size_t bone, const Quat& value) const { return near(value, bind_[bone].rotation); }

StoredTrack ClipStore::written(std::size_t b, const model::Track* source, const model::Clip& clip) const {
    const double duration = to_float32(clip.duration);
    StoredTrack out;
    if (clip.final_keys) {
        if (source != nullptr) {
            out.translation = store_keys(source->translation, duration);
            out.rotation = store_keys(source->rotation, duration);
            out.scale = store_keys(source->scale, duration);
        }
        return out;
    }
    const model::Track none;
    const model::Track& track = source != nullptr ? *source : none;
    const model::SkeletonBone& bone = skeleton_.bones[b];
    const model::Transform& rest = model_.nodes[bone.node.value].rest;
    // A channel without keys of its own has the rest value, as one key.
    std::vector<model::Key<Vec3>> t = track.translation;
    std::vector<model::Key<Quat>> r = track.rotation;
    std::vector<model::Key<Vec3>> s = track.scale;
    const auto or_rest = [](auto& keys, const auto& value) {
        if (keys.empty()) {
            keys.push_back({0, value, false});
        }
    };
    or_rest(t, rest.translation);
    or_rest(r, rest.rotation);
    or_rest(s, rest.scale);
    for (auto& key : t) {
        key.value = fold_translation(key.value, bone);
    }
    for (auto& key : r) {
        key.value = runtime::normalized(fold_rotation(key.value, bone));
    }
    for (auto& key : s) {
        key.value = fold_scale(key.value, bone);
    }
    const bool t_needed = t.size() > 1 || !near_bind(b, t[0].value, false);
    const bool r_needed = r.size() > 1 || !near_bind(b, r[0].value);
    const bool s_needed = s.size() > 1 || !near_bind(b, s[0].value, true);
    out.completed = (t_needed || r_needed || s_needed) && !is_trs_[b];
    if (t_needed || out.completed) {
        out.translation = store_keys(t, duration);
        drop_repeats(out.translation);
    }
    if (r_needed || out.completed) {
        out.rotation = store_keys(r, duration);
        fix_signs(out.rotation);
        drop_repeats(out.rotation);
    }
    if (s_needed || out.completed) {
        out.scale = store_keys(s, duration);
        drop_repeats(out.scale);
    }
    return out;
}

StoredTrack ClipStore::store(std::size_t b, const model::Track* track, const model::Clip& clip) const {
    StoredTrack out = written(b, track, clip);
    for (StoredKey<Quat>& key : out.rotation) {
        key.value = runtime::normalized(key.value);
    }
    return out;
}

StoredKeys<double> stored_weights(const std::vector<model::Key<double>>& keys, const model::Clip& clip) {
    StoredKeys<double> out = store_keys(keys, to_float32(clip.duration));
    if (!clip.final_keys) {
        drop_repeats(out);
    }
    return out;
}

std::vector<const model::Track*> tracks_of_bones(const model::Clip& clip, const model::Skeleton& skeleton) {
    std::vector<const model::Track*> out(skeleton.bones.size());
    for (const model::Track& track : clip.tracks) {
        const std::int32_t bone = skeleton.bone_of_node[track.node.value];
        if (bone >= 0) {
            out[static_cast<std::size_t>(bone)] = &track;
        }
    }
    return out;
}

}  // namespace gomkit::pass
