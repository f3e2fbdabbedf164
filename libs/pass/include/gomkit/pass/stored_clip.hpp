#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>

/// A clip as a run-time format stores it (gom.md 3, CLP0): float32 times and values, relative to the parent bone. The writer takes it
/// from here; passes that promise a bound measure on it, not on the model's doubles.
namespace gomkit::pass {

template <class T>
struct StoredKey {
    double time = 0;            ///< a float32
    T value{};                  ///< float32 components; of rotations that store() gives: normalised again
    std::uint32_t source = 0;   ///< index of the model's key
    bool step = false;          ///< one end of a step: the other is the neighbour that stands one float away
};
template <class T>
using StoredKeys = std::vector<StoredKey<T>>;

struct StoredTrack {
    StoredKeys<model::Vec3> translation;
    StoredKeys<model::Quat> rotation;
    StoredKeys<model::Vec3> scale;
    bool completed = false;     ///< has keys of all channels, because the bone's bind matrix is no translation, rotation and scale

    [[nodiscard]] bool empty() const { return translation.empty() && rotation.empty() && scale.empty(); }
    [[nodiscard]] std::size_t count() const { return translation.size() + rotation.size() + scale.size(); }
};

/// What the writer makes of a model's tracks.
class ClipStore {
public:
    ClipStore(const model::Model& model, const model::Skeleton& skeleton);

    /// The bone's keys in `clip`; `track` may be null (no track: the rest pose, where that is not the bind pose). Final keys
    /// are the bone's own already, and stay.
    [[nodiscard]] StoredTrack written(std::size_t bone, const model::Track* track, const model::Clip& clip) const;
    /// The same as a sampler sees them: rotations normalised again.
    [[nodiscard]] StoredTrack store(std::size_t bone, const model::Track* track, const model::Clip& clip) const;
    /// What a channel without keys means.
    [[nodiscard]] const model::Transform& bind(std::size_t bone) const { return bind_[bone]; }
    /// What a bone without any key means.
    [[nodiscard]] const model::Mat4& bind_local(std::size_t bone) const { return bind_local_[bone]; }
    /// A lone key of this value is left out.
    [[nodiscard]] bool near_bind(std::size_t bone, const model::Vec3& translation_or_scale, bool scale) const;
    [[nodiscard]] bool near_bind(std::size_t bone, const model::Quat& rotation) const;

private:
    const model::Model& model_;
    const model::Skeleton& skeleton_;
    std::vector<model::Mat4> bind_local_;
    std::vector<model::Transform> bind_;
    std::vector<bool> is_trs_;
};

/// The keys of a weight in `clip`, as the writer gives them; those of one value become one. Final keys stay.
[[nodiscard]] StoredKeys<double> stored_weights(const std::vector<model::Key<double>>& keys, const model::Clip& clip);

/// `tracks` of the clip by bone; null where a bone has none.
[[nodiscard]] std::vector<const model::Track*> tracks_of_bones(const model::Clip& clip, const model::Skeleton& skeleton);

[[nodiscard]] inline double to_float32(double v) { return static_cast<double>(static_cast<float>(v)); }

}  // namespace gomkit::pass
