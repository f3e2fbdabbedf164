#include <cmath>

#include <gomkit/runtime/math.hpp>

#include "diff_parts.hpp"
#include "model_math.hpp"

namespace gomkit::kit {
namespace {

bool near_value(double a, double b, double tolerance) { return near(a, b, tolerance); }
bool near_value(const model::Vec3& a, const model::Vec3& b, double tolerance) {
    return near(a.x, b.x, tolerance) && near(a.y, b.y, tolerance) && near(a.z, b.z, tolerance);
}

// q and -q are one rotation.
bool near_value(const model::Quat& a, const model::Quat& b, double tolerance) {
    const model::Quat c = runtime::dot(a, b) < 0 ? -b : b;
    return near(a.x, c.x, tolerance) && near(a.y, c.y, tolerance) && near(a.z, c.z, tolerance) && near(a.w, c.w, tolerance);
}

std::string show(double v) { return core::number_text(v); }
std::string show(const model::Vec3& v) {
    return core::number_text(v.x) + " " + core::number_text(v.y) + " " + core::number_text(v.z);
}
std::string show(const model::Quat& q) {
    return core::number_text(q.x) + " " + core::number_text(q.y) + " " + core::number_text(q.z) + " " + core::number_text(q.w);
}

template <class T>
void diff_keys(const std::string& place, const std::vector<model::Key<T>>& a, const std::vector<model::Key<T>>& b, Differences& out) {
    if (a.size() != b.size()) {
        out.count(place + ".keyCount", a.size(), b.size());
        return;
    }
    std::size_t first = a.size();
    std::size_t differing = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!near(a[i].time, b[i].time, out.tolerance()) || !near_value(a[i].value, b[i].value, out.tolerance())) {
            first = differing == 0 ? i : first;
            ++differing;
        }
    }
    if (differing != 0) {
        const auto key = [](const model::Key<T>& k) { return "time " + core::number_text(k.time) + ": " + show(k.value); };
        out.add(place + "[" + std::to_string(first) + "]",
                differing == 1 ? std::string("the key differs") : std::to_string(differing) + " keys differ, this is the first",
                key(a[first]), key(b[first]));
    }
}

void diff_clip(const std::string& place, const DiffSide& a, const model::Clip& ca, const DiffSide& b, const model::Clip& cb, Differences& out) {
    out.number(place + ".duration", ca.duration, cb.duration);
    out.text(place + ".root", a.bone_path(ca.root), b.bone_path(cb.root));
    out.text(place + ".hasRootMotion", ca.has_root_motion ? "yes" : "no", cb.has_root_motion ? "yes" : "no");
    out.text(place + ".loop", ca.loop ? "yes" : "no", cb.loop ? "yes" : "no");
    const auto bones = [](const DiffSide& side, const model::Clip& clip) {
        std::vector<std::string> list;
        for (const model::Track& track : clip.tracks) {
            list.push_back(side.bone_path(track.node));
        }
        return list;
    };
    for (const Pair& pair : pair_up(bones(a, ca), bones(b, cb))) {
        const std::string track = place + ".track[" + pair.name + "]";
        if (pair.a < 0 || pair.b < 0) {
            out.only_in(pair.a < 0 ? 'B' : 'A', track);
            continue;
        }
        const model::Track& ta = ca.tracks[static_cast<std::size_t>(pair.a)];
        const model::Track& tb = cb.tracks[static_cast<std::size_t>(pair.b)];
        diff_keys(track + ".translation", ta.translation, tb.translation, out);
        diff_keys(track + ".rotation", ta.rotation, tb.rotation, out);
        diff_keys(track + ".scale", ta.scale, tb.scale, out);
    }
}

// Tracks of weights by the names of mesh and channel.
void diff_morph_tracks(const std::string& place, const DiffSide& a, const model::Clip& ca, const DiffSide& b, const model::Clip& cb, Differences& out) {
    const auto names = [](const DiffSide& side, const model::Clip& clip) {
        std::vector<std::string> list;
        for (const model::MorphTrack& track : clip.morph_tracks) {
            list.push_back(mesh_name(side.model, track.mesh) + "/" + side.model.meshes[track.mesh.value].morphs[track.channel].name);
        }
        return list;
    };
    for (const Pair& pair : pair_up(names(a, ca), names(b, cb))) {
        const std::string track = place + ".weight[" + pair.name + "]";
        if (pair.a < 0 || pair.b < 0) {
            out.only_in(pair.a < 0 ? 'B' : 'A', track);
            continue;
        }
        diff_keys(track, ca.morph_tracks[static_cast<std::size_t>(pair.a)].keys, cb.morph_tracks[static_cast<std::size_t>(pair.b)].keys, out);
    }
}

}  // namespace

void diff_clips(const DiffSide& a, const DiffSide& b, Differences& out) {
    const auto names = [](const model::Model& model) {
        std::vector<std::string> list;
        for (const model::Clip& clip : model.clips) {
            list.push_back(clip.name);
        }
        return list;
    };
    for (const Pair& pair : pair_up(names(a.model), names(b.model))) {
        const std::string place = "clip[" + pair.name + "]";
        if (pair.a < 0 || pair.b < 0) {
            out.only_in(pair.a < 0 ? 'B' : 'A', place);
            continue;
        }
        diff_clip(place, a, a.model.clips[static_cast<std::size_t>(pair.a)], b, b.model.clips[static_cast<std::size_t>(pair.b)], out);
        diff_morph_tracks(place, a, a.model.clips[static_cast<std::size_t>(pair.a)], b, b.model.clips[static_cast<std::size_t>(pair.b)], out);
    }
}

}  // namespace gomkit::kit
