#include "camera.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "pose.hpp"

namespace gomkit::ps1 {
namespace {

using std::int32_t;
using std::int64_t;

using Wide = std::array<int64_t, 3>;

struct Box {
    Wide low{INT64_MAX, INT64_MAX, INT64_MAX};
    Wide high{INT64_MIN, INT64_MIN, INT64_MIN};
    void add(const Wide& p) {
        for (std::size_t c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], p[c]);
            high[c] = std::max(high[c], p[c]);
        }
    }
    [[nodiscard]] bool empty() const { return low[0] > high[0]; }
};

template <class Vector>
Wide turned(const Matrix3s16& m, const Vector& v) {
    Wide out{};
    for (std::size_t r = 0; r < 3; ++r) {
        out[r] = (m[r][0] * int64_t{v[0]} + m[r][1] * int64_t{v[1]} + m[r][2] * int64_t{v[2]}) >> 12;
    }
    return out;
}

std::vector<Box> bone_boxes(const Document& document) {
    std::vector<Box> out(document.bones.size());
    for (const Vertex& v : document.vertices) {
        out[v.bone].add({v.position[0], v.position[1], v.position[2]});
    }
    return out;
}

/// Calls each(point) for the corners of all bones' boxes in all frames, along the axes of the view.
template <class Each>
void visit_corners(const Document& document, const Clip& clip, const Matrix3s16& view, Each&& each) {
    const std::vector<Box> bones = bone_boxes(document);
    for (std::size_t frame = 0; frame < clip.frames.size(); ++frame) {
        const std::vector<Placement> world = world_pose(document, local_pose(document, clip, {frame, 0}));
        for (std::size_t b = 0; b < bones.size(); ++b) {
            for (std::size_t corner = 0; corner < 8 && !bones[b].empty(); ++corner) {
                const auto side = [&](std::size_t c) { return (corner >> c & 1) != 0 ? bones[b].high[c] : bones[b].low[c]; };
                Wide p = turned(world[b].r, Wide{side(0), side(1), side(2)});
                for (std::size_t c = 0; c < 3; ++c) {
                    p[c] += world[b].t[c];
                }
                each(turned(view, p));
            }
        }
    }
}

int32_t limited(int64_t v, int64_t low, int64_t high) { return static_cast<int32_t>(std::clamp(v, low, high)); }

constexpr int64_t kFarthest = 43690;   // three times that, >> 5, is 4095: the last place of the ordering table

}  // namespace

Camera framing_camera(const Document& document, const Clip& clip, std::int32_t pitch, std::int32_t yaw, int width, int height) {
    Camera camera;
    camera.pitch = pitch;
    camera.yaw = yaw;
    camera.width = width;
    camera.height = height;
    camera.h = static_cast<std::uint16_t>(width / 2);
    const Matrix3s16 view = rot_matrix(pitch, yaw, 0);
    Box box;
    visit_corners(document, clip, view, [&box](const Wide& p) { box.add(p); });
    if (box.empty()) {
        return camera;
    }
    Wide middle{};
    for (std::size_t c = 0; c < 3; ++c) {
        middle[c] = (box.low[c] + box.high[c]) >> 1;
    }
    const Matrix3s16 back{{{view[0][0], view[1][0], view[2][0]}, {view[0][1], view[1][1], view[2][1]}, {view[0][2], view[1][2], view[2][2]}}};
    const Wide target = turned(back, middle);
    for (std::size_t c = 0; c < 3; ++c) {
        camera.target[c] = limited(target[c], -32768, 32767);
    }
    // Nine tenths of half the picture: h * offset / depth <= 9 * side / 20.
    int64_t distance = 1;
    visit_corners(document, clip, view, [&](const Wide& p) {
        const auto depth = [&](std::size_t c, int side) { return (20 * camera.h * std::abs(p[c] - middle[c]) + 9 * side - 1) / (9 * side); };
        distance = std::max(distance, std::max({depth(0, width), depth(1, height), int64_t{camera.h}}) - (p[2] - middle[2]));
    });
    const int64_t farthest = std::max<int64_t>(1, kFarthest - (box.high[2] - middle[2]));
    camera.distance = limited(std::min(distance, farthest), 1, kFarthest);
    if (distance > farthest) {
        const int64_t nearest = std::max<int64_t>(1, farthest - (middle[2] - box.low[2]));
        const auto h = [&](std::size_t c, int side) { return 9 * side * nearest / (20 * std::max<int64_t>(1, box.high[c] - middle[c])); };
        camera.h = static_cast<std::uint16_t>(limited(std::min(h(0, width), h(1, height)), 1, camera.h));
        camera.fits_at = static_cast<double>(kFarthest) / static_cast<double>(distance + box.high[2] - middle[2]);
    }
    return camera;
}

Placement view_of(const Camera& camera) {
    Placement view{rot_matrix(camera.pitch, camera.yaw, 0), {}};
    const Vec3s32 t = apply_matrix_lv(view.r, camera.target);
    view.t = {-t[0], -t[1], -t[2] + camera.distance};
    return view;
}

}  // namespace gomkit::ps1
