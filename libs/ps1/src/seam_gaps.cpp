#include "seam_gaps.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <gomkit/core/parallel.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/runtime/math.hpp>

#include "measure.hpp"

namespace gomkit::ps1 {
namespace {

using model::Vec3;

constexpr double kLeast = 1e-6;              // metres; less is rounding
constexpr std::size_t kMostClips = 100;      // that are told of

/// How far a seam opens in a clip.
struct Gap {
    std::size_t clip = 0, frame = 0;
    std::array<std::uint32_t, 2> bones{};
    double distance = 0;                     // metres
};

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

/// Of each clip the largest; clips in which nothing opens have none.
std::vector<Gap> largest(const Rig& rig, const Motion& motion, const std::vector<Pair>& pairs, unsigned jobs) {
    if (pairs.empty()) {
        return {};
    }
    std::vector<Gap> of_frames;
    for (const ClipFrame& at : frames_to_measure(motion, 2 * pairs.size())) {
        of_frames.push_back({at.clip, at.frame, {}, 0});
    }
    core::parallel_for(of_frames.size(), jobs, [&](std::size_t i) {
        Gap& gap = of_frames[i];
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
    std::vector<Gap> out;
    for (const Gap& gap : of_frames) {
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

void report_seams(const Rig& rig, const Motion& motion, unsigned jobs, core::Report& report) {
    const auto tell = [&](core::IssueId id, const std::vector<Pair>& pairs) {
        const std::vector<Gap> gaps = largest(rig, motion, pairs, jobs);
        for (std::size_t i = 0; i < gaps.size() && i < kMostClips; ++i) {
            const Gap& gap = gaps[i];
            report.add(id, {}, {{"clip", motion.clips[gap.clip].name}, {"frame", std::to_string(gap.frame)}, {"bone", rig.bones[gap.bones[0]].name}, {"other", rig.bones[gap.bones[1]].name},
                                {"distance", core::short_number(runtime::exact::rint(gap.distance * 1e6) / 1e3)}});
        }
    };
    tell(core::IssueId::PS1_SEAM_GAP, copies(rig.points));
    tell(core::IssueId::PS1_SEAM_STRETCH, edges_between_bones(rig));
}

}  // namespace gomkit::ps1
