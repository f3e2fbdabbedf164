#include "seam_gaps.hpp"

#include <algorithm>
#include <utility>

#include <gomkit/core/parallel.hpp>

#include "measure.hpp"

namespace gomkit::ps1 {
namespace {

using model::Vec3;

constexpr double kLeast = 1e-6;      // metres; less is rounding

struct Pair {
    std::array<std::uint32_t, 2> points{};
    double at_bind = 0;              // metres apart
};

std::vector<Pair> copies(const RigPoints& points) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;   // place, point
    for (std::uint32_t p = 0; p < points.place.size(); ++p) {
        order.emplace_back(points.place[p], p);
    }
    std::sort(order.begin(), order.end());
    std::vector<Pair> out;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t k = i + 1; k < order.size() && order[k].first == order[i].first; ++k) {
            out.push_back({{order[i].second, order[k].second}, 0});
        }
    }
    return out;
}

std::vector<Pair> edges_between_bones(const Rig& rig) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (const RigTriangle& t : rig.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(t.points[k], t.points[(k + 1) % 3]);
            if (rig.points.bone[a] != rig.points.bone[b]) {
                ends.emplace_back(a, b);
            }
        }
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<Pair> out;
    for (const auto& [a, b] : ends) {
        out.push_back({{a, b}, length(rig.points.image[a] - rig.points.image[b])});
    }
    return out;
}

std::vector<SeamGap> largest(const Rig& rig, const Motion& motion, const std::vector<Pair>& pairs, unsigned jobs) {
    std::vector<SeamGap> of_frames;
    for (const ClipFrame& at : frames_to_measure(motion, 2 * pairs.size())) {
        of_frames.push_back({at.clip, at.frame, {}, 0});
    }
    core::parallel_for(of_frames.size(), jobs, [&](std::size_t i) {
        SeamGap& gap = of_frames[i];
        const std::vector<RigidPlacement> world = world_placements(rig, motion, motion.clips[gap.clip].frames[gap.frame]);
        const auto there = [&](std::uint32_t p) {
            const std::uint32_t bone = rig.points.bone[p];
            return rotate(world[bone].rotation, transform_point(rig.points.image[p], rig.bones[bone].to_bone)) + world[bone].origin;
        };
        for (const Pair& pair : pairs) {
            const auto [a, b] = pair.points;
            if (const double apart = length(there(a) - there(b)) - pair.at_bind; apart > gap.distance) {
                gap.bones = {rig.points.bone[a], rig.points.bone[b]};
                gap.distance = apart;
            }
        }
    });
    std::vector<SeamGap> out;
    for (const SeamGap& gap : of_frames) {
        if (gap.distance <= kLeast) {
            continue;
        }
        if (out.empty() || out.back().clip != gap.clip) {
            out.push_back(gap);
        } else if (gap.distance > out.back().distance) {
            out.back() = gap;
        }
    }
    return out;
}

}  // namespace

SeamGaps seam_gaps(const Rig& rig, const Motion& motion, unsigned jobs) {
    return {largest(rig, motion, copies(rig.points), jobs), largest(rig, motion, edges_between_bones(rig), jobs)};
}

}  // namespace gomkit::ps1
