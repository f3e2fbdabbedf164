#include "gomkit/runtime/blend_job.hpp"

#include <cstddef>

#include "cast.hpp"

namespace gomkit::runtime {
namespace {

using detail::narrow;
using detail::widen;

// The part of a layer in bone i, or 0 where it takes none.
template <class Layer>
double weight_of(const Layer& layer, std::size_t i) noexcept {
    const double mask = layer.mask.empty() ? 1.0 : static_cast<double>(layer.mask[i]);
    const double weight = static_cast<double>(layer.weight) * mask;
    return weight > 0.0 && exact::is_finite(weight) ? weight : 0.0;
}

BoneLocal mix(std::span<const BlendLayer> layers, const BoneLocal& bind, std::size_t i) noexcept {
    double total = 0.0;
    bool is_keyed = false;
    for (const BlendLayer& layer : layers) {
        const double weight = weight_of(layer, i);
        total += weight;
        is_keyed |= weight > 0.0 && layer.pose[i].is_keyed != 0;
    }
    if (!is_keyed) return bind;
    Vec3d translation, scale;
    Quatd first, sum{0, 0, 0, 0};
    bool has_first = false;
    for (const BlendLayer& layer : layers) {
        double weight = weight_of(layer, i);
        if (weight == 0.0) continue;
        const BoneLocal& bone = layer.pose[i];
        if (weight == total) {  // alone: as it is
            BoneLocal out = bone;
            out.is_keyed = 1;
            return out;
        }
        weight /= total;
        translation += widen(bone.translation) * weight;
        scale += widen(bone.scale) * weight;
        const Quatd rotation = widen(bone.rotation);
        if (!has_first) first = rotation;
        has_first = true;
        const double signed_weight = dot(first, rotation) < 0.0 ? -weight : weight;
        sum = {sum.x + rotation.x * signed_weight, sum.y + rotation.y * signed_weight, sum.z + rotation.z * signed_weight,
               sum.w + rotation.w * signed_weight};
    }
    BoneLocal out;
    out.translation = narrow(translation);
    out.is_keyed = 1;
    out.rotation = narrow(normalized(sum));
    out.scale = narrow(scale);
    return out;
}

double scale_on_top(float scale, float of_pose, float of_reference, double weight) noexcept {
    const double ratio = of_reference == 0.0F ? 1.0 : static_cast<double>(of_pose) / static_cast<double>(of_reference);
    return static_cast<double>(scale) * (1.0 + (ratio - 1.0) * weight);
}

void put_on_top(BoneLocal& bone, const BoneLocal& pose, const BoneLocal& reference, double weight) noexcept {
    if (pose.is_keyed == 0 && reference.is_keyed == 0) return;
    bone.translation = narrow(widen(bone.translation) + (widen(pose.translation) - widen(reference.translation)) * weight);
    const Quatd difference = multiply(widen(pose.rotation), conjugate(widen(reference.rotation)));
    bone.rotation = narrow(normalized(multiply(slerp(Quatd{}, difference, weight), widen(bone.rotation))));
    bone.scale = narrow(Vec3d{scale_on_top(bone.scale.x, pose.scale.x, reference.scale.x, weight),
                              scale_on_top(bone.scale.y, pose.scale.y, reference.scale.y, weight),
                              scale_on_top(bone.scale.z, pose.scale.z, reference.scale.z, weight)});
    bone.is_keyed = 1;
}

}  // namespace

Status BlendJob::validate() const noexcept {
    const std::size_t count = bind.size();
    const auto fits = [&](const auto& span) { return span.empty() || span.size() == count; };
    bool fine = output.size() == count;
    for (const BlendLayer& layer : layers) fine &= layer.pose.size() == count && fits(layer.mask);
    for (const AdditiveLayer& layer : additive_layers)
        fine &= layer.pose.size() == count && fits(layer.mask) && fits(layer.reference);
    return fine ? Status::Ok : Status::WrongSize;
}

Status BlendJob::run() const noexcept {
    if (const Status s = validate(); s != Status::Ok) return s;
    for (std::size_t i = 0; i < bind.size(); ++i) {
        BoneLocal bone = mix(layers, bind[i], i);
        for (const AdditiveLayer& layer : additive_layers) {
            const double weight = weight_of(layer, i);
            if (weight > 0.0) put_on_top(bone, layer.pose[i], layer.reference.empty() ? bind[i] : layer.reference[i], weight);
        }
        output[i] = bone;
    }
    return Status::Ok;
}

}  // namespace gomkit::runtime
