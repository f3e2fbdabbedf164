#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gomkit/core/reader.hpp>

#include "assemble.hpp"
#include "blobs.hpp"
#include "export_parts.hpp"
#include "export_shape.hpp"

namespace gomkit::mv1 {
namespace {

using model::Quat;
using model::Vec3;

// Exactly (0, 0, 0, 1) would mean "no quaternion" (MV1-CLIP-4); this far from it nothing moves.
constexpr float kNearlyNothing = 1e-20f;

// All that one clip does to one frame.
struct FrameKeys {
    const model::Track* track = nullptr;
    std::map<std::uint16_t, std::vector<model::Key<double>>> shapes;   ///< by number in the frame
};

class ClipExport {
public:
    ClipExport(Export& ex, const model::Clip& clip) : ex_(ex), d_(ex.doc), l_(ex.links), clip_(clip) {}

    void run() {
        for (const model::Track& track : clip_.tracks) {
            if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty()) {
                frames_[ex_.frame_of[track.node.value]].track = &track;
            }
        }
        for (const model::MorphTrack& track : clip_.morph_tracks) {
            ex_.lost_morph_tracks += add_shapes(track) || track.keys.empty() ? 0u : 1u;
        }
        add_resting_shapes();
        const float end = to_float(clip_.duration * ex_.own.fps);
        l_.set_anims.push_back({static_cast<std::uint32_t>(d_.anims.size()), static_cast<std::uint32_t>(frames_.size())});
        for (const auto& [frame, keys] : frames_) {
            Anim anim;
            anim.target_frame = static_cast<std::int32_t>(frame);
            anim.max_time = end;
            d_.anims.push_back(anim);
            l_.anim_key_sets.push_back({static_cast<std::uint32_t>(d_.key_sets.size()), 0});
            if (keys.track != nullptr) {
                add_track(*keys.track);
            }
            for (const auto& [number, weights] : keys.shapes) {
                add_keys<double>(KeyType::Linear, DataType::Shape, weights, [](double w) { return std::array<float, 1>{to_float(w)}; }, number);
            }
        }
    }

private:
    // A shape has no weight of its own: what nothing animates has one key.
    void add_resting_shapes() {
        for (std::uint32_t m = 0; m < ex_.model.meshes.size(); ++m) {
            const model::Mesh& mesh = ex_.model.meshes[m];
            for (std::uint32_t c = 0; c < mesh.morphs.size(); ++c) {
                const bool animated = std::any_of(clip_.morph_tracks.begin(), clip_.morph_tracks.end(), [&](const model::MorphTrack& t) {
                    return t.mesh.value == m && t.channel == c && !t.keys.empty();
                });
                if (mesh.morphs[c].default_weight != 0 && !animated) {
                    add_shapes({model::MeshId{m}, c, {{0, mesh.morphs[c].default_weight, false}}});
                }
            }
        }
    }

    // Every frame that draws the mesh has the channel's shapes. False where there is none.
    bool add_shapes(const model::MorphTrack& track) {
        bool written = false;
        for (std::uint32_t frame = 0; frame < ex_.sources.size(); ++frame) {
            for (const std::uint32_t instance : ex_.sources[frame].instances) {
                const model::MeshId mesh = ex_.model.instances[instance].mesh;
                if (mesh != track.mesh || track.keys.empty()) {
                    continue;
                }
                const model::MorphChannel& channel = ex_.model.meshes[mesh.value].morphs[track.channel];
                const std::vector<std::uint32_t>& numbers = ex_.shapes_of_instance[instance][track.channel];
                for (std::size_t s = 0; s < channel.shapes.size(); ++s) {
                    if (numbers[s] <= 0xFFFF) {
                        frames_[frame].shapes.try_emplace(static_cast<std::uint16_t>(numbers[s]), shape_keys(channel, s, track.keys));
                        written = true;
                    }
                }
            }
        }
        return written;
    }

    void add_track(const model::Track& track) {
        if (!track.translation.empty()) {
            add_keys<Vec3>(KeyType::Vector, DataType::Translate, track.translation, [&](const Vec3& v) { return to_floats(ex_.from_point(v)); });
        }
        if (!track.rotation.empty()) {
            add_keys<Quat>(KeyType::Quaternion, DataType::Rotate, track.rotation, [&](const Quat& v) {
                const Quat q = ex_.from_space(normalized(v));
                std::array<float, 4> out{to_float(q.x), to_float(q.y), to_float(q.z), to_float(q.w)};
                if (out == std::array<float, 4>{0, 0, 0, 1}) {
                    out[0] = kNearlyNothing;
                }
                return out;
            });
        }
        if (!track.scale.empty()) {
            add_keys<Vec3>(KeyType::Vector, DataType::Scale, track.scale, to_floats);
        }
    }

    template <class T, class Values>
    void add_keys(KeyType type, DataType data, const std::vector<model::Key<T>>& keys, Values values, std::uint16_t shape = 0) {
        KeySet set;
        set.type = static_cast<std::int8_t>(type);
        set.data_type = static_cast<std::int8_t>(data);
        core::Writer w;
        if (data == DataType::Shape) {
            w.u16(shape);
        }
        if (keys.size() == 1) {
            set.flag = 0x001;
        } else {
            set.flag = keys.size() < 256 ? 0x002 : keys.size() < 65536 ? 0x004 : 0;
            keys.size() < 256     ? w.put(static_cast<std::uint8_t>(keys.size()))
            : keys.size() < 65536 ? w.put(static_cast<std::uint16_t>(keys.size()))
                                  : w.put(static_cast<std::uint32_t>(keys.size()));
            std::vector<float> times;
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const bool held = keys[i].step_end && i + 1 < keys.size();   // a step is two keys of one time
                times.push_back(to_float((held ? keys[i + 1].time : keys[i].time) * ex_.own.fps));
            }
            if (!ex_.own.packs_keys || !put_even_times(w, set.flag, times)) {
                put_floats(w, times);
            }
        }
        std::vector<float> numbers;
        for (const model::Key<T>& key : keys) {
            const auto v = values(key.value);
            numbers.insert(numbers.end(), v.begin(), v.end());
        }
        if (!ex_.own.packs_keys || !put_keys(w, set.flag, data == DataType::Rotate, numbers)) {
            put_floats(w, numbers);
        }
        set.blob = w.take();
        if (ex_.own.packs_keys) {
            measure(set, data, numbers);
        }
        d_.key_sets.push_back(std::move(set));
        ++l_.anim_key_sets.back().count;
    }

    static void put_floats(core::Writer& w, const std::vector<float>& values) {
        for (const float v : values) {
            w.f32(v);
        }
    }

    // How far a reader is from what was meant.
    void measure(const KeySet& set, DataType data, const std::vector<float>& meant) {
        Keys keys;
        static_cast<void>(read_key_block(set, set.blob, &keys));
        Packing& p = ex_.packing;
        const std::size_t n = keys.components;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            double worst = 0;
            for (std::size_t k = 0; k < n; ++k) {
                worst = std::fmax(worst, std::fabs(keys.values[n * i + k] - static_cast<double>(meant[n * i + k])));
            }
            if (data == DataType::Rotate) {
                const auto quaternion = [&](const auto& v) {
                    return normalized(Quat{static_cast<double>(v[n * i]), static_cast<double>(v[n * i + 1]), static_cast<double>(v[n * i + 2]),
                                           static_cast<double>(v[n * i + 3])});
                };
                p.rotations.add(degrees_between(quaternion(keys.values), quaternion(meant)));
            } else {
                (data == DataType::Translate ? p.translations : data == DataType::Scale ? p.scales : p.morphs).add(worst * (data == DataType::Translate ? ex_.unit : 1));
            }
        }
    }

    static double degrees_between(const Quat& a, const Quat& b) {
        const Quat d = multiply(conjugate(a), b);
        return 2 * runtime::exact::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::fabs(d.w)) * kDegrees;
    }

    Export& ex_;
    Document& d_;
    Links& l_;
    const model::Clip& clip_;
    std::map<std::uint32_t, FrameKeys> frames_;
};

}  // namespace

void export_clip(Export& ex, const model::Clip& clip) { ClipExport(ex, clip).run(); }

}  // namespace gomkit::mv1
