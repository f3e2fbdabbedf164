#include "stance.hpp"

#include <algorithm>
#include <string>

#include <gomkit/core/text.hpp>
#include <gomkit/runtime/math.hpp>

namespace gomkit::ps1::biped {
namespace {

using model::Vec3;

// In parts of the height.
constexpr double kMostWide = 0.95;        // arms held out sideways make it about 1
constexpr double kMostDeep = 0.75;
constexpr double kMidShin = 0.12;

core::Fault no_biped(const char* measure, std::string found, std::string expected, const char* cure) {
    return core::fail(core::Code::CannotConvert, core::Place{{}, std::string("measure '") + measure + "'", std::nullopt, std::nullopt}, "the mesh does not stand as a biped does",
                      std::move(found), std::move(expected), cure);
}

std::string share(double part) { return core::number_text(runtime::exact::rint(part * 1000) / 1000) + " of the height"; }

/// How far to both sides of the middle the surface reaches at a height, and whether a triangle spans the middle there.
struct Section {
    bool left = false, right = false, joined = false;
};
Section section_at(const Surface& surface, double y) {
    Section out;
    for (const auto& t : surface.triangles) {
        bool left = false;
        bool right = false;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& a = surface.points[t[k]];
            const Vec3& b = surface.points[t[(k + 1) % 3]];
            if ((a.y < y) != (b.y < y)) {
                const double x = a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y));
                left = left || x > 0;
                right = right || x < 0;
            }
        }
        out.left = out.left || left;
        out.right = out.right || right;
        out.joined = out.joined || (left && right);
    }
    return out;
}

}  // namespace

core::Result<Stance> measure_stance(const Surface& surface, bool floor_is_zero) {
    if (surface.points.empty()) {
        return no_biped("surface", "no triangle", "a mesh with triangles", "give a model that has a mesh");
    }
    Vec3 low = surface.points.front();
    Vec3 high = low;
    for (const Vec3& p : surface.points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    Stance out;
    out.floor = floor_is_zero ? 0 : low.y;
    out.height = high.y - out.floor;
    if (!(out.height > 0)) {
        return no_biped("height", core::short_number(out.height) + " m", "more than 0", "stand the figure upright on its feet, Y up");
    }
    if (const double wide = (high.x - low.x) / out.height; wide > kMostWide) {
        return no_biped("width", share(wide), "at most " + share(kMostWide), "lower the arms to the sides, or leave --autorig out for what is no upright figure");
    }
    if (const double deep = (high.z - low.z) / out.height; deep > kMostDeep) {
        return no_biped("depth", share(deep), "at most " + share(kMostDeep), "leave --autorig out for what is no upright figure");
    }
    Surface standing = surface;
    for (Vec3& p : standing.points) {
        p.y -= out.floor;
    }
    const Section shins = section_at(standing, kMidShin * out.height);
    if (!shins.left || !shins.right) {
        return no_biped("legs", "at " + share(kMidShin) + " nothing to the " + (shins.left ? "right" : "left") + " of the middle", "one leg on each side",
                        "put the figure's middle at x = 0, its front towards +Z");
    }
    if (shins.joined) {
        return no_biped("legs", "at " + share(kMidShin) + " the surface spans the middle", "two legs with a gap between them", "leave --autorig out for figures in a robe, and for what is no upright figure");
    }
    std::array<bool, kBones> used{};
    for (const Vec3& p : standing.points) {
        used[bone_at(p, out.height)] = true;
    }
    struct Part {
        const char* name;
        Bone upper, lower;
    };
    for (const Part& part : {Part{"trunk", kSpine, kRoot}, Part{"left arm", kUpperArmL, kForearmL}, Part{"right arm", kUpperArmR, kForearmR}}) {
        if (!used[part.upper] && !used[part.lower]) {
            return no_biped(part.name, std::string("no vertex where '") + bones()[part.upper].name + "' and '" + bones()[part.lower].name + "' are", "at least one",
                            "stand the figure upright with its arms at its sides, its front towards +Z");
        }
    }
    return out;
}

}  // namespace gomkit::ps1::biped
