#include "import.hpp"

#include <array>
#include <cmath>

#include <gomkit/core/text.hpp>

namespace gomkit::fbx {
namespace {

// An axis of the file: its component, and which way along it.
struct Axis {
    int component = 0;
    int sign = 1;
    bool operator==(const Axis&) const = default;
};

struct Axes {
    Axis right;
    Axis up;
    Axis front;
};

Axis to_axis(ufbx_coordinate_axis axis) { return {static_cast<int>(axis) / 2, static_cast<int>(axis) % 2 == 0 ? 1 : -1}; }

core::Result<Axis> parse_axis(const std::string& text, const char* option) {
    if (text.size() == 2 && (text[0] == '+' || text[0] == '-') && text[1] >= 'X' && text[1] <= 'Z') {
        return Axis{text[1] - 'X', text[0] == '+' ? 1 : -1};
    }
    return core::fail(core::Code::Usage, {}, std::string(option) + ": '" + text + "' is no axis", {}, "one of +X, -X, +Y, -Y, +Z, -Z");
}

// The third axis of a right-handed frame (right = up x front), or of its mirror image.
Axis right_of(const Axis& up, const Axis& front, bool left_handed) {
    const bool ascending = (up.component + 1) % 3 == front.component;
    return {3 - up.component - front.component, up.sign * front.sign * (ascending ? 1 : -1) * (left_handed ? -1 : 1)};
}

// Where a program that calls this axis up usually has the front: 3ds Max and Blender look along -Y, all others along +Z.
Axis usual_front(const Axis& up) { return up.component == 2 ? Axis{1, -1} : Axis{2, 1}; }

core::Result<Axes> wanted_axes(const ufbx_scene& scene, const codec::SceneOptions& options) {
    const ufbx_coordinate_axes& declared = scene.settings.axes;
    Axes out{{0, 1}, {1, 1}, {2, 1}};
    bool left_handed = false;
    if (ufbx_coordinate_axes_valid(declared)) {
        out = {to_axis(declared.right), to_axis(declared.up), to_axis(declared.front)};
        left_handed = !(right_of(out.up, out.front, false) == out.right);
    }
    if (!options.up.empty()) {
        auto up = parse_axis(options.up, "--up");
        if (!up) {
            return core::Fault(std::move(up.error()));
        }
        out.up = *up;
        if (options.front.empty() && out.front.component == up->component) {
            out.front = usual_front(*up);
        }
    }
    if (!options.front.empty()) {
        auto front = parse_axis(options.front, "--front");
        if (!front) {
            return core::Fault(std::move(front.error()));
        }
        out.front = *front;
    }
    if (out.up.component == out.front.component) {
        return core::fail(core::Code::Usage, {}, "up and front cannot lie on one axis", {}, {}, "give both --up and --front");
    }
    out.right = right_of(out.up, out.front, left_handed);
    return out;
}

}  // namespace

core::Result<SpaceChange> space_change(const ufbx_scene& scene, const codec::SceneOptions& options) {
    const bool overridden = options.unit_meters != 0 || !options.up.empty() || !options.front.empty();
    if (options.space == codec::SpaceConversion::Transforms && overridden) {
        return core::fail(core::Code::Usage, {}, "--space transforms takes unit and axes from the file", {}, {},
                          "leave --unit-override, --up and --front away, or --space transforms");
    }
    SpaceChange out;
    const bool declared = ufbx_coordinate_axes_valid(scene.settings.axes);
    out.axes_unknown = !declared && options.up.empty() && options.front.empty();
    const core::Result<Axes> axes = wanted_axes(scene, options);
    if (!axes) {
        return core::Fault(axes.error());
    }
    // Where each component of the file's points stands in the space that ufbx made, and with which sign: it gives (-right, up, front)
    // where the file declares its axes and leaves the points alone where it does not.
    std::array<std::size_t, 3> at{0, 1, 2};
    std::array<int, 3> sign{1, 1, 1};
    if (declared) {
        const Axis made[3] = {to_axis(scene.settings.axes.right), to_axis(scene.settings.axes.up), to_axis(scene.settings.axes.front)};
        for (std::size_t i = 0; i < 3; ++i) {
            at[static_cast<std::size_t>(made[i].component)] = i;
            sign[static_cast<std::size_t>(made[i].component)] = made[i].sign * (i == 0 ? -1 : 1);
        }
    }
    const Axis wanted[3] = {axes->right, axes->up, axes->front};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto component = static_cast<std::size_t>(wanted[i].component);
        out.axes.source[i] = at[component];
        out.axes.sign[i] = wanted[i].sign * (i == 0 ? -1 : 1) * sign[component];
    }
    out.unit_unknown = ufbx_find_prop(&scene.settings.props, "UnitScaleFactor") == nullptr && options.unit_meters == 0;
    if (options.unit_meters != 0) {
        if (!(options.unit_meters >= 1e-6 && options.unit_meters <= 1e6)) {
            return core::fail(core::Code::Usage, {}, "not a unit", core::number_text(options.unit_meters), "0.000001 to 1000000 metres");
        }
        out.factor = options.unit_meters / declared_unit(scene);
    }
    return out;
}

void settle_space(Import& in, const SpaceChange& change) {
    if (change.axes_unknown) {
        in.report.add(core::IssueId::FBX_NO_AXES, {});
    }
    if (change.unit_unknown) {
        in.report.add(core::IssueId::FBX_NO_UNIT, {});
    }
    if (!change.axes.is_identity() || change.factor != 1) {
        pass::change_axes(in.model, change.axes, change.factor);
    }
}

}  // namespace gomkit::fbx
