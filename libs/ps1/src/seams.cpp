#include "seams.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "biped.hpp"
#include "plane_cut.hpp"
#include "quantise.hpp"

namespace gomkit::ps1 {
namespace {

using model::Vec3;
using Bones = core::LargeVector<std::uint32_t>;   // of each triangle

struct Counts {
    std::uint64_t spanning = 0;          ///< triangles whose corners followed several bones
    std::uint64_t cut = 0;
    std::uint64_t parts = 0;             ///< what became of those that were cut
    std::uint64_t copies = 0;            ///< points that were added because several bones have their place
};

std::array<std::uint8_t, 3> corner_bones(const Rig& rig, const RigTriangle& triangle) {
    const auto bone = [&](std::size_t k) { return static_cast<std::uint8_t>(rig.points.bone[triangle.points[k]]); };
    return {bone(0), bone(1), bone(2)};
}

bool spans(const std::array<std::uint8_t, 3>& bones) { return bones[0] != bones[1] || bones[0] != bones[2]; }

/// The child of a joint between a parent and its child, when the corners follow these two.
std::optional<std::uint32_t> joint_of(const Rig& rig, const std::array<std::uint8_t, 3>& bones) {
    const auto [low, high] = std::minmax({bones[0], bones[1], bones[2]});
    const bool two = std::all_of(bones.begin(), bones.end(), [low = low, high = high](std::uint8_t b) { return b == low || b == high; });
    return two && low != high && rig.bones[high].parent == static_cast<std::int32_t>(low) ? std::optional<std::uint32_t>(high) : std::nullopt;
}

/// Where a bone goes from its origin: to its children, else to its points.
Vec3 way_of(const Rig& rig, std::uint32_t bone) {
    Vec3 way;
    for (const RigBone& other : rig.bones) {
        if (other.parent == static_cast<std::int32_t>(bone)) {
            way += normalized(other.origin - rig.bones[bone].origin);
        }
    }
    if (way == Vec3{}) {
        for (std::size_t p = 0; p < rig.points.bone.size(); ++p) {
            if (rig.points.bone[p] == bone) {
                way += rig.points.image[p] - rig.bones[bone].origin;
            }
        }
    }
    return normalized(way);
}

/// Through the child's origin, halfway between the way there and the way on; the child lies above.
PlaneCutter cutter_of(Rig& rig, std::uint32_t child, bool compat) {
    const Vec3& head = rig.bones[child].origin;
    const Vec3 there = normalized(head - rig.bones[static_cast<std::size_t>(rig.bones[child].parent)].origin);
    const Vec3 on = way_of(rig, child);
    Vec3 normal = normalized(there + on);
    if (length(there + on) < PlaneCutter::kOn) {   // it turns back, or has no length
        normal = on == Vec3{} ? Vec3{0, 1, 0} : on;
    }
    return {rig, normal, dot(head, normal), compat};
}

/// Cuts the triangles of each joint whose parent's points lie below its plane and the child's above; a part follows the bone of its side.
void cut_joints(Rig& rig, bool compat, Bones& bones, Counts& counts) {
    std::map<std::uint32_t, PlaneCutter> cutters;   // by the child
    core::LargeVector<RigTriangle> out;
    for (const RigTriangle& triangle : rig.triangles) {
        const std::array<std::uint8_t, 3> corners = corner_bones(rig, triangle);
        const std::size_t first = out.size();
        const auto child = joint_of(rig, corners);
        if (child && !cutters.contains(*child)) {
            cutters.emplace(*child, cutter_of(rig, *child, compat));
        }
        const auto parted = [&](PlaneCutter& cutter) {
            for (std::size_t k = 0; k < 3; ++k) {
                if (cutter.side(triangle.points[k]) == (corners[k] == *child ? -1 : 1)) {
                    return false;
                }
            }
            return true;
        };
        if (!child || !parted(cutters.at(*child))) {
            out.push_back(triangle);
            bones.push_back(face_bone(corners));
            continue;
        }
        PlaneCutter& cutter = cutters.at(*child);
        cutter.cut(triangle, out);
        for (std::size_t t = first; t < out.size(); ++t) {
            const auto& points = out[t].points;
            const bool above = std::any_of(points.begin(), points.end(), [&](std::uint32_t p) { return cutter.side(p) > 0; });
            bones.push_back(above ? *child : static_cast<std::uint32_t>(rig.bones[*child].parent));
        }
        if (out.size() - first > 1) {
            ++counts.cut;
            counts.parts += out.size() - first;
        }
    }
    rig.triangles = std::move(out);
}

void cut_heights(Rig& rig, const SeamOptions& options, Counts& counts) {
    std::vector<double> heights(biped::cut_heights().begin(), biped::cut_heights().end());
    if (options.wrists) {
        heights.push_back(biped::kWrist);
    }
    core::LargeVector<std::uint32_t> source;        // of each triangle, before all cuts
    for (std::size_t t = 0; t < rig.triangles.size(); ++t) {
        source.push_back(static_cast<std::uint32_t>(t));
    }
    for (const double part : heights) {
        PlaneCutter cutter(rig, {0, 1, 0}, options.figure->floor + options.figure->height * part, options.compat);
        core::LargeVector<RigTriangle> out;
        core::LargeVector<std::uint32_t> from;
        for (std::size_t t = 0; t < rig.triangles.size(); ++t) {
            cutter.cut(rig.triangles[t], out);
            from.resize(out.size(), source[t]);
        }
        rig.triangles = std::move(out);
        source = std::move(from);
    }
    for (std::size_t first = 0, end = 0; first < source.size(); first = end) {
        while (end < source.size() && source[end] == source[first]) {
            ++end;
        }
        counts.cut += end - first > 1 ? 1u : 0u;
        counts.parts += end - first > 1 ? end - first : 0u;
    }
}

Bones bones_of_centres(const Rig& rig, const Figure& figure) {
    Bones out;
    for (const RigTriangle& t : rig.triangles) {
        const auto& image = rig.points.image;
        const Vec3 centre = (image[t.points[0]] + image[t.points[1]] + image[t.points[2]]) / 3;
        out.push_back(biped::bone_at(figure.from_model(centre), figure.height));
    }
    return out;
}

/// Gives each corner's point and bone a point of their own, numbered by first use; `bone` is asked for a triangle and a corner.
template <class BoneOf>
std::uint64_t renumber(Rig& rig, BoneOf bone) {
    const RigPoints from = std::exchange(rig.points, {});
    RigPoints& to = rig.points;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;   // by point and bone
    std::vector<std::uint32_t> first_of(from.bone.size(), kNoBone);             // copy of each place
    std::uint64_t copies = 0;
    for (std::size_t t = 0; t < rig.triangles.size(); ++t) {
        for (std::uint32_t& corner : rig.triangles[t].points) {
            const std::uint32_t p = corner;
            const std::uint32_t b = bone(t, from.bone[p]);
            const auto [at, fresh] = numbers.try_emplace({p, b}, static_cast<std::uint32_t>(to.bone.size()));
            corner = at->second;
            if (!fresh) {
                continue;
            }
            to.weights.insert(to.weights.end(), from.weights.begin() + from.first[p], from.weights.begin() + from.first[p + 1]);
            to.add(from.positions[p], from.image[p], b, from, p);
            std::uint32_t& first = first_of[from.place[p]];
            copies += first != kNoBone ? 1u : 0u;
            first = std::min(first, at->second);
            to.place.back() = first;
        }
    }
    return copies;
}

}  // namespace

std::uint8_t bone_of(const Rig& rig, const RigTriangle& triangle) { return face_bone(corner_bones(rig, triangle)); }

void close_by_bone(Rig& rig, const SeamOptions& options, core::Report& report) {
    Counts counts;
    counts.spanning = static_cast<std::uint64_t>(std::count_if(rig.triangles.begin(), rig.triangles.end(), [&](const RigTriangle& t) { return spans(corner_bones(rig, t)); }));
    Bones bones;
    if (options.figure) {
        if (options.cut) {
            cut_heights(rig, options, counts);
        }
        bones = bones_of_centres(rig, *options.figure);
    } else if (options.cut) {
        cut_joints(rig, options.compat, bones, counts);
    } else {
        for (const RigTriangle& triangle : rig.triangles) {
            bones.push_back(bone_of(rig, triangle));
        }
    }
    counts.copies = renumber(rig, [&](std::size_t t, std::uint32_t) { return bones[t]; });
    report.add(core::IssueId::PS1_SEAMS, {},
               {{"spanning", std::to_string(counts.spanning)}, {"cut", std::to_string(counts.cut)}, {"parts", std::to_string(counts.parts)}, {"copies", std::to_string(counts.copies)}});
}

void drop_unused_points(Rig& rig) {
    renumber(rig, [](std::size_t, std::uint32_t bone) { return bone; });
}

}  // namespace gomkit::ps1
