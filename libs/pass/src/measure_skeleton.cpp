#include <gomkit/pass/measure_skeleton.hpp>

#include <algorithm>
#include <cmath>

#include <gomkit/core/text.hpp>

#include "sampling.hpp"

namespace gomkit::pass {
namespace {

using model::Mat4;
using model::Vec3;

Vec3 origin(const Mat4& m) { return {m.m[12], m.m[13], m.m[14]}; }

std::vector<std::size_t> end_bones(const SkeletonMap& map) {
    std::vector<bool> above(map.target.bones.size());
    for (std::size_t i = map.target.bones.size(); i-- > 0;) {
        const std::int32_t parent = map.target.bones[i].parent;
        if (parent >= 0 && (map.source_of_target[i] >= 0 || above[i])) {
            above[static_cast<std::size_t>(parent)] = true;
        }
    }
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (map.source_of_target[i] >= 0 && !above[i]) {
            out.push_back(i);
        }
    }
    return out;
}

// Per target bone: where its counterpart stands.
std::vector<Vec3> own_places(const SkeletonMap& map, const std::vector<Mat4>& source) {
    std::vector<Vec3> out(map.target.bones.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (map.source_of_target[i] >= 0) {
            out[i] = origin(source[static_cast<std::size_t>(map.source_of_target[i])]);
        }
    }
    return out;
}

// Per paired target bone: from its nearest paired bone above along the counterparts' direction, as far as the target's is long.
std::vector<Vec3> places_with_lengths(const SkeletonMap& map, const std::vector<Mat4>& source, const std::vector<Mat4>& target) {
    const std::vector<Vec3> own = own_places(map, source);
    std::vector<Vec3> out(own.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::int32_t anchor = map.target.bones[i].parent;
        while (anchor >= 0 && map.source_of_target[static_cast<std::size_t>(anchor)] < 0) {
            anchor = map.target.bones[static_cast<std::size_t>(anchor)].parent;
        }
        out[i] = origin(target[i]);
        if (anchor >= 0 && map.source_of_target[i] >= 0) {
            const auto a = static_cast<std::size_t>(anchor);
            out[i] = out[a] + normalized(own[i] - own[a]) * length(origin(target[i]) - origin(target[a]));
        }
    }
    return out;
}

double percent_of(double metres, double height) { return height > 0 ? 100 * metres / height : 0; }

}  // namespace

std::vector<Mat4> bone_matrices(const model::Model& model, const model::Skeleton& skeleton, const model::Clip* clip, double time) {
    std::vector<const model::Track*> tracks(model.nodes.size());
    if (clip != nullptr) {
        for (const model::Track& track : clip->tracks) {
            tracks[track.node.value] = &track;
        }
    }
    std::vector<Mat4> out;
    out.reserve(skeleton.bones.size());
    for (const model::SkeletonBone& bone : skeleton.bones) {
        model::Transform local = sample(tracks[bone.node.value], model.nodes[bone.node.value].rest, time);
        if (bone.folded) {
            local = model::apply_fold(local, bone.fold);
        }
        const Mat4 m = runtime::to_matrix(local);
        out.push_back(bone.parent >= 0 ? m * out[static_cast<std::size_t>(bone.parent)] : m);
    }
    return out;
}

double skeleton_height(const model::Skeleton& skeleton) {
    if (skeleton.bones.empty()) {
        return 0;
    }
    Vec3 low = origin(skeleton.bones.front().bind_model);
    Vec3 high = low;
    for (const model::SkeletonBone& bone : skeleton.bones) {
        const Vec3 p = origin(bone.bind_model);
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3 extent = high - low;
    return extent.y > 0 ? extent.y : std::max(extent.x, extent.z);
}

BoneDistance largest_rest_difference(const SkeletonMap& map) {
    const double height = skeleton_height(map.target);
    BoneDistance out;
    for (std::size_t i = 0; i < map.target.bones.size(); ++i) {
        const std::int32_t s = map.source_of_target[i];
        if (s < 0) {
            continue;
        }
        const double metres =
            length(origin(map.target.bones[i].bind_model) - origin(map.source.bones[static_cast<std::size_t>(s)].bind_model));
        if (out.path.empty() || metres > out.metres) {
            out = {map.target.bones[i].path, metres, percent_of(metres, height), 0};
        }
    }
    return out;
}

void report_rest_difference(const SkeletonMap& map, const std::string& target_file, core::Report& report) {
    constexpr double kMostPercent = 1;
    const BoneDistance d = largest_rest_difference(map);
    if (d.percent > kMostPercent) {
        const auto rounded = [](double v) { return core::number_text(runtime::exact::rint(v * 1000) / 1000); };
        report.add(core::IssueId::RETARGET_REST_DIFFERS, {},
                   {{"bone", d.path}, {"distance", rounded(d.metres)}, {"percent", rounded(d.percent)}, {"model", target_file}});
    }
}

std::vector<BoneDistance> end_bone_distances(const model::Model& source, const model::Clip& clip, const model::Model& target,
                                             const model::Clip& retargeted, const SkeletonMap& map, double fps, CompareWith with) {
    const double rate = fps >= 1 ? fps : 30;
    const double height = skeleton_height(map.target);
    const std::vector<std::size_t> ends = end_bones(map);
    std::vector<BoneDistance> out;
    for (const std::size_t t : ends) {
        out.push_back({map.target.bones[t].path, 0, 0, 0});
    }
    const double steps = std::floor(clip.duration * rate);
    for (double f = 0; f <= steps + 1; ++f) {
        const double time = std::min(f / rate, clip.duration);
        const std::vector<Mat4> from = bone_matrices(source, map.source, &clip, time);
        const std::vector<Mat4> to = bone_matrices(target, map.target, &retargeted, time);
        const std::vector<Vec3> places = with == CompareWith::OwnSkeleton ? own_places(map, from) : places_with_lengths(map, from, to);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const double metres = length(places[ends[i]] - origin(to[ends[i]]));
            if (metres > out[i].metres) {
                out[i].metres = metres;
                out[i].percent = percent_of(metres, height);
                out[i].time = time;
            }
        }
    }
    return out;
}

BoneDistance largest(const std::vector<BoneDistance>& distances) {
    const auto it = std::max_element(distances.begin(), distances.end(),
                                     [](const BoneDistance& a, const BoneDistance& b) { return a.metres < b.metres; });
    return it == distances.end() ? BoneDistance{} : *it;
}

}  // namespace gomkit::pass
