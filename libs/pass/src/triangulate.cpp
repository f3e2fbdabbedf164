#include <gomkit/pass/triangulate.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace gomkit::pass {
namespace {

using model::Vec3;

constexpr std::size_t kMaxEarCorners = 65'536;

struct Point2 {
    double x;
    double y;
};

double cross2(const Point2& a, const Point2& b, const Point2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool same(const Point2& a, const Point2& b) { return a.x == b.x && a.y == b.y; }

// Inside or on the edge of a counter-clockwise triangle.
bool inside(const Point2& a, const Point2& b, const Point2& c, const Point2& p) {
    return cross2(a, b, p) >= 0 && cross2(b, c, p) >= 0 && cross2(c, a, p) >= 0;
}

// Clips ears of the polygon in the plane. Corners live in a ring of prev/next links.
class EarClipper {
public:
    explicit EarClipper(std::vector<Point2> points) : points_(std::move(points)) {
        const auto n = static_cast<std::uint32_t>(points_.size());
        next_.resize(n);
        prev_.resize(n);
        reflex_.resize(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            next_[i] = (i + 1) % n;
            prev_[i] = (i + n - 1) % n;
        }
        for (std::uint32_t i = 0; i < n; ++i) {
            classify(i);
        }
        // Reflex corners as a list: only they can lie inside an ear.
        for (std::uint32_t i = 0; i < n; ++i) {
            if (reflex_[i]) {
                reflex_list_.push_back(i);
            }
            listed_.push_back(reflex_[i]);
        }
    }

    bool run(std::vector<std::uint32_t>& out) {
        std::size_t left = points_.size();
        std::uint32_t at = 0;
        std::size_t failed = 0;
        no_ear_.assign(left, 0);
        // Pass 0 takes proper ears, pass 1 also those without area, pass 2 whatever comes.
        int mode = 0;
        while (left > 3) {
            // Only clipping a neighbour changes whether a corner is an ear; pass 1 asks again.
            const bool ear = mode == 2 || (no_ear_[at] <= mode && is_ear(at, mode == 1));
            if (!ear) {
                no_ear_[at] = std::max(no_ear_[at], static_cast<char>(mode + 1));
                at = next_[at];
                if (++failed >= left) {
                    failed = 0;
                    ++mode;
                }
                continue;
            }
            emit(at, out);
            const std::uint32_t before = prev_[at];
            const std::uint32_t after = next_[at];
            next_[before] = after;
            prev_[after] = before;
            removed(at);
            reclassify(before);
            reclassify(after);
            no_ear_[before] = no_ear_[after] = 0;
            --left;
            failed = 0;
            mode = 0;
            at = next_[after];
        }
        emit(at, out);
        return clean_;
    }

private:
    void classify(std::uint32_t i) { reflex_[i] = cross2(points_[prev_[i]], points_[i], points_[next_[i]]) < 0; }

    // In a polygon that touches itself a corner may become reflex late.
    void reclassify(std::uint32_t i) {
        const bool was = reflex_[i] != 0;
        classify(i);
        if (reflex_[i] != 0 && !was && !listed_[i]) {
            listed_[i] = 1;
            reflex_list_.push_back(i);
        } else if (reflex_[i] == 0 && was) {
            prune();
        }
    }

    void removed(std::uint32_t i) {
        if (reflex_[i] != 0) {
            reflex_[i] = 0;
            prune();
        }
    }

    bool is_ear(std::uint32_t i, bool allow_flat) {
        const Point2& a = points_[prev_[i]];
        const Point2& b = points_[i];
        const Point2& c = points_[next_[i]];
        const double area = cross2(a, b, c);
        if (!(area > 0)) {
            return allow_flat && area == 0;
        }
        for (const std::uint32_t r : reflex_list_) {
            if (!reflex_[r] || r == i || r == prev_[i] || r == next_[i]) {
                continue;
            }
            const Point2& p = points_[r];
            // A corner that coincides with one of the ear's own (a bridge to a hole) does not block it.
            if (!same(p, a) && !same(p, b) && !same(p, c) && inside(a, b, c, p)) {
                return false;
            }
        }
        return true;
    }

    // Drops from the list what is no longer reflex, once that is half of it.
    void prune() {
        if (++stale_ * 2 > reflex_list_.size()) {
            std::erase_if(reflex_list_, [&](std::uint32_t r) {
                listed_[r] = reflex_[r];
                return !reflex_[r];
            });
            stale_ = 0;
        }
    }

    void emit(std::uint32_t i, std::vector<std::uint32_t>& out) {
        out.insert(out.end(), {prev_[i], i, next_[i]});
        clean_ = clean_ && cross2(points_[prev_[i]], points_[i], points_[next_[i]]) >= 0;
    }

    std::vector<Point2> points_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> prev_;
    std::vector<char> reflex_;
    std::vector<char> no_ear_;   // per corner: passes 0 .. n - 1 found no ear here since its neighbours last changed
    std::vector<char> listed_;   // stands in reflex_list_
    std::vector<std::uint32_t> reflex_list_;
    std::size_t stale_ = 0;
    bool clean_ = true;   // no triangle runs the other way so far
};

void fan(std::size_t corner_count, std::vector<std::uint32_t>& out) {
    for (std::uint32_t i = 1; i + 1 < corner_count; ++i) {
        out.insert(out.end(), {0u, i, i + 1});
    }
}

}  // namespace

Vec3 area_vector(std::span<const Vec3> points, std::span<const std::uint32_t> corners) {
    // Relative to the first corner: far from the origin the plain sum would lose the area.
    const Vec3 origin = points[corners[0]];
    Vec3 sum{};
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        sum += cross(points[corners[i]] - origin, points[corners[i + 1]] - origin);
    }
    return sum;
}

bool triangulate(std::span<const Vec3> points, std::span<const std::uint32_t> corners, std::vector<std::uint32_t>& out) {
    const std::size_t n = corners.size();
    if (n == 3) {
        out.insert(out.end(), {0u, 1u, 2u});
        return true;
    }
    const Vec3 area = area_vector(points, corners);
    if (n == 4) {
        const Vec3& a = points[corners[0]];
        const Vec3& b = points[corners[1]];
        const Vec3& c = points[corners[2]];
        const Vec3& d = points[corners[3]];
        // Along ac both halves must face the way the whole does; likewise along bd.
        const bool ac = dot(cross(b - a, c - a), area) > 0 && dot(cross(c - a, d - a), area) > 0;
        const bool bd = dot(cross(c - b, d - b), area) > 0 && dot(cross(d - b, a - b), area) > 0;
        const bool shorter_ac = dot(c - a, c - a) <= dot(d - b, d - b);
        if (ac == bd ? shorter_ac : ac) {
            out.insert(out.end(), {0u, 1u, 2u, 0u, 2u, 3u});
        } else {
            out.insert(out.end(), {0u, 1u, 3u, 1u, 2u, 3u});
        }
        return ac || bd || !(dot(area, area) > 0);
    }
    if (n > kMaxEarCorners) {
        fan(n, out);
        return false;
    }
    // Onto the coordinate plane that the area vector leans on most, turned so that the polygon is counter-clockwise there.
    const double ax = std::fabs(area.x);
    const double ay = std::fabs(area.y);
    const double az = std::fabs(area.z);
    std::vector<Point2> flat(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3& p = points[corners[i]];
        if (ax >= ay && ax >= az) {
            flat[i] = area.x >= 0 ? Point2{p.y, p.z} : Point2{p.z, p.y};
        } else if (ay >= az) {
            flat[i] = area.y >= 0 ? Point2{p.z, p.x} : Point2{p.x, p.z};
        } else {
            flat[i] = area.z >= 0 ? Point2{p.x, p.y} : Point2{p.y, p.x};
        }
    }
    return EarClipper(std::move(flat)).run(out);
}

}  // namespace gomkit::pass
