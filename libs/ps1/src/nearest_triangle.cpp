#include "nearest_triangle.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "rig.hpp"

namespace gomkit::ps1 {
namespace {

using model::Vec3;

constexpr std::uint32_t kOfLeaf = 4;
constexpr std::size_t kMostOpened = 4096;

double coordinate(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

Vec3 sum(const Corners& t) { return t[0] + t[1] + t[2]; }

double squared(const Vec3& v) { return dot(v, v); }

double squared_distance(const Corners& t, const std::array<double, 3>& weights, const Vec3& from) { return squared(t[0] * weights[0] + t[1] * weights[1] + t[2] * weights[2] - from); }

/// How far along an edge the point nearest to `from` lies, 0 to 1.
double along(const Vec3& a, const Vec3& b, const Vec3& from) {
    const Vec3 edge = b - a;
    const double size = squared(edge);
    return size > 0 ? std::clamp(dot(from - a, edge) / size, 0.0, 1.0) : 0;
}

}  // namespace

std::array<double, 3> nearest_weights(const Corners& t, const Vec3& from) {
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    if (const double size = squared(normal); size > 0) {
        const double b = dot(cross(from - t[0], t[2] - t[0]), normal) / size;
        const double c = dot(cross(t[1] - t[0], from - t[0]), normal) / size;
        if (b >= 0 && c >= 0 && b + c <= 1) {
            return {1 - b - c, b, c};
        }
    }
    std::array<double, 3> best{};
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        const double part = along(t[k], t[next], from);
        std::array<double, 3> weights{};
        weights[k] = 1 - part;
        weights[next] = part;
        if (const double distance = squared_distance(t, weights, from); distance < least) {
            least = distance;
            best = weights;
        }
    }
    return best;
}

NearestTriangle::NearestTriangle(std::span<const Corners> triangles) : triangles_(triangles) {
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        if (is_finite(sum(triangles[i]))) {
            order_.push_back(i);
        }
    }
    if (!order_.empty()) {
        build(0, static_cast<std::uint32_t>(order_.size()));
    }
}

void NearestTriangle::build(std::uint32_t first, std::uint32_t count) {
    Box box;
    box.low = box.high = triangles_[order_[first]][0];
    for (std::uint32_t i = first; i < first + count; ++i) {
        for (const Vec3& p : triangles_[order_[i]]) {
            box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
            box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
        }
    }
    box.first = first;
    box.count = count <= kOfLeaf ? count : 0;
    const std::size_t number = boxes_.size();
    boxes_.push_back(box);
    if (box.count != 0) {
        return;
    }
    const Vec3 size = box.high - box.low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const auto begin = order_.begin() + first;
    std::nth_element(begin, begin + count / 2, begin + count, [&](std::uint32_t a, std::uint32_t b) {
        return std::pair{coordinate(sum(triangles_[a]), axis), a} < std::pair{coordinate(sum(triangles_[b]), axis), b};   // a total order: the halves are the same everywhere
    });
    build(first, count / 2);
    boxes_[number].second = static_cast<std::uint32_t>(boxes_.size());
    build(first + count / 2, count - count / 2);
}

std::optional<SurfacePoint> NearestTriangle::find(const Vec3& from, double within) const {
    if (boxes_.empty()) {
        return std::nullopt;
    }
    const auto distance_to = [&](std::uint32_t number) {
        const Box& box = boxes_[number];
        return squared({std::max({box.low.x - from.x, 0.0, from.x - box.high.x}), std::max({box.low.y - from.y, 0.0, from.y - box.high.y}), std::max({box.low.z - from.z, 0.0, from.z - box.high.z})});
    };
    std::optional<SurfacePoint> best;
    double least = within * within;
    std::vector<std::pair<double, std::uint32_t>> waiting{{distance_to(0), 0}};
    for (std::size_t opened = 0; !waiting.empty() && opened < kMostOpened; ++opened) {
        const auto [away, number] = waiting.back();
        waiting.pop_back();
        if (away > least) {
            continue;
        }
        const Box& box = boxes_[number];
        for (std::uint32_t i = box.first; i < box.first + box.count; ++i) {
            const std::uint32_t triangle = order_[i];
            const std::array<double, 3> weights = nearest_weights(triangles_[triangle], from);
            const double distance = squared_distance(triangles_[triangle], weights, from);
            if (distance < least || (distance == least && (!best || triangle < best->triangle))) {
                least = distance;
                best = SurfacePoint{triangle, weights, distance};
            }
        }
        if (box.count == 0) {
            std::pair nearer{distance_to(number + 1), number + 1};
            std::pair farther{distance_to(box.second), box.second};
            if (farther.first < nearer.first) {
                std::swap(nearer, farther);
            }
            waiting.push_back(farther);
            waiting.push_back(nearer);
        }
    }
    return best;
}

}  // namespace gomkit::ps1
