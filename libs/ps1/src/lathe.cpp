#include "lathe.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gomkit/runtime/math.hpp>

namespace gomkit::ps1::lathe {
namespace {

namespace exact = runtime::exact;
using model::Vec3;

constexpr double kPage = 256;            // texels
constexpr double kBand = 0.6;            // of the distance between rings: points so near make a ring
constexpr double kLeastBand = 1e-9;
constexpr double kExtent = 0.92;         // of a ring's points lie within its half axes
constexpr double kLeastAxis = 1e-4;      // metres
constexpr double kLoneAxis = 0.02;
constexpr std::size_t kRingPoints = 6;   // fewer make none
constexpr std::size_t kPartPoints = 12;
constexpr double kBelowWrist = 0.01;     // of the height: so far below the wrist points still shape the forearm
constexpr double kOnWrist = 1e-6;        // metres: what a cut put there

/// Between the neighbours where `part` of the way through the sorted values falls between two.
double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    const double at = part * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (values[high] - values[low]) * (at - static_cast<double>(low));
}

Ring ring_of(double y, const std::vector<Vec3>& near) {
    std::vector<double> x;
    std::vector<double> z;
    for (const Vec3& p : near) {
        x.push_back(p.x);
        z.push_back(p.z);
    }
    Ring out{y, quantile(x, 0.5), quantile(z, 0.5), 0, 0};
    for (std::size_t i = 0; i < near.size(); ++i) {
        x[i] = std::fabs(x[i] - out.x);
        z[i] = std::fabs(z[i] - out.z);
    }
    out.rx = std::max(quantile(x, kExtent), kLeastAxis);
    out.rz = std::max(quantile(z, kExtent), kLeastAxis);
    return out;
}

class Replacer {
public:
    Replacer(Rig& rig, const Figure& figure, model::MaterialId material) : rig_(rig), figure_(figure), material_(material) {}

    std::vector<Replaced> run(core::Report& report) {
        for (const RigTriangle& t : rig_.triangles) {
            bone_.push_back(bone_of(rig_, t));
        }
        std::string parts;
        std::string skipped_parts;
        std::vector<Replaced> out;
        std::vector<biped::Bone> bone_of_body;
        std::array<std::size_t, biped::kBones> body_of{};   // number + 1; 0: the bone keeps its mesh
        for (std::size_t b = 0; b < biped::kBones; ++b) {
            const auto bone = static_cast<biped::Bone>(b);
            const auto shape = shape_of(bone);
            if (!shape) {
                continue;
            }
            const std::vector<Vec3> points = points_of(bone);
            const bool skipped = points.size() < kPartPoints || !has_triangle(bone);
            std::string& list = skipped ? skipped_parts : parts;
            list += (list.empty() ? "" : ", ") + std::string(biped::bones()[b].name);
            if (!skipped) {
                out.push_back({*shape, profile(points, shape->rows), {}, {}});
                bone_of_body.push_back(bone);
                body_of[b] = out.size();
            }
        }
        core::LargeVector<RigTriangle> kept;
        for (std::size_t t = 0; t < rig_.triangles.size(); ++t) {
            const RigTriangle& triangle = rig_.triangles[t];
            if (body_of[bone_[t]] == 0 || is_hand(t)) {
                kept.push_back(triangle);
                continue;
            }
            Replaced& part = out[body_of[bone_[t]] - 1];
            part.triangles.push_back({place(triangle.points[0]), place(triangle.points[1]), place(triangle.points[2])});
            part.looks.push_back({triangle.uvs, triangle.material});
        }
        rig_.triangles = std::move(kept);
        for (std::size_t i = 0; i < out.size(); ++i) {
            add(bone_of_body[i], body(out[i].profile, out[i].shape));
        }
        drop_unused_points(rig_);
        for (const auto& [id, list] : {std::pair{core::IssueId::PS1_LATHE, parts}, std::pair{core::IssueId::PS1_LATHE_SKIPPED, skipped_parts}}) {
            if (!list.empty()) {
                report.add(id, {}, {{"parts", list}});
            }
        }
        return out;
    }

private:
    [[nodiscard]] Vec3 place(std::uint32_t point) const { return figure_.from_model(rig_.points.image[point]); }
    static bool is_forearm(std::size_t bone) { return bone == biped::kForearmL || bone == biped::kForearmR; }
    [[nodiscard]] bool is_hand(std::size_t triangle) const {
        const auto& points = rig_.triangles[triangle].points;
        return is_forearm(bone_[triangle]) && std::all_of(points.begin(), points.end(), [&](std::uint32_t p) { return place(p).y <= biped::kWrist * figure_.height + kOnWrist; });
    }
    [[nodiscard]] bool has_triangle(biped::Bone bone) const {
        for (std::size_t t = 0; t < bone_.size(); ++t) {
            if (bone_[t] == bone && !is_hand(t)) {
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] std::vector<Vec3> points_of(biped::Bone bone) const {
        std::vector<Vec3> out;
        for (std::uint32_t p = 0; p < rig_.points.bone.size(); ++p) {
            if (rig_.points.bone[p] == bone && (!is_forearm(bone) || place(p).y >= (biped::kWrist - kBelowWrist) * figure_.height)) {
                out.push_back(place(p));
            }
        }
        return out;
    }

    void add(biped::Bone bone, const Body& made) {
        RigPoints& points = rig_.points;
        const auto first = static_cast<std::uint32_t>(points.bone.size());
        const auto like = static_cast<std::uint32_t>(std::find(points.bone.begin(), points.bone.end(), bone) - points.bone.begin());   // messages name its mesh
        for (const Vec3& p : made.points) {
            const Vec3 at = figure_.to_model(p);
            points.weights.push_back({bone, 1, at});
            points.add(at, at, bone, points, like);
        }
        for (const auto& t : made.triangles) {
            RigTriangle out;
            out.material = material_;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t p = t[(3 - k) % 3];     // model space is the figure's mirror image
                out.points[k] = first + p;
                out.normals[k] = {-made.normals[p].x, made.normals[p].y, made.normals[p].z};
                out.uvs[k] = made.uvs[p];
            }
            rig_.triangles.push_back(out);
        }
    }

    Rig& rig_;
    const Figure& figure_;
    model::MaterialId material_;
    std::vector<std::uint8_t> bone_;     // of each triangle
};

}  // namespace

std::optional<Shape> shape_of(biped::Bone bone) {
    switch (bone) {
        case biped::kRoot: return Shape{4, 10, {0, 0, 128, 64}};
        case biped::kSpine: return Shape{5, 10, {0, 64, 128, 64}};
        case biped::kHead: return std::nullopt;
        case biped::kUpperArmL: return Shape{3, 6, {128, 0, 64, 64}};
        case biped::kUpperArmR: return Shape{3, 6, {192, 0, 64, 64}};
        case biped::kForearmL: return Shape{4, 6, {128, 64, 64, 64}};
        case biped::kForearmR: return Shape{4, 6, {192, 64, 64, 64}};
        case biped::kThighL: return Shape{3, 6, {0, 128, 64, 64}};
        case biped::kThighR: return Shape{3, 6, {64, 128, 64, 64}};
        case biped::kShinL: return Shape{4, 6, {0, 192, 64, 64}};
        case biped::kShinR: return Shape{4, 6, {64, 192, 64, 64}};
    }
    return std::nullopt;
}

std::vector<Ring> profile(std::span<const Vec3> points, std::size_t rows) {
    const auto [low, high] = std::minmax_element(points.begin(), points.end(), [](const Vec3& a, const Vec3& b) { return a.y < b.y; });
    const double height = high->y - low->y;
    const double band = height / static_cast<double>(rows) * kBand + kLeastBand;
    std::vector<std::optional<Ring>> found;
    for (std::size_t r = 0; r <= rows; ++r) {
        const double y = low->y + height * static_cast<double>(r) / static_cast<double>(rows);
        std::vector<Vec3> near;
        std::copy_if(points.begin(), points.end(), std::back_inserter(near), [&](const Vec3& p) { return std::fabs(p.y - y) <= band; });
        found.push_back(near.size() < kRingPoints ? std::nullopt : std::optional(ring_of(y, near)));
    }
    std::vector<Ring> out;
    for (std::size_t r = 0; r <= rows; ++r) {
        const auto exists = [](const std::optional<Ring>& ring) { return ring.has_value(); };
        const auto below = std::find_if(found.rend() - static_cast<std::ptrdiff_t>(r) - 1, found.rend(), exists);
        const auto above = std::find_if(found.begin() + static_cast<std::ptrdiff_t>(r), found.end(), exists);
        Ring ring = below != found.rend() ? **below : above != found.end() ? **above : Ring{0, 0, 0, kLoneAxis, kLoneAxis};
        ring.y = low->y + height * static_cast<double>(r) / static_cast<double>(rows);
        out.push_back(ring);
    }
    return out;
}

Body body(std::span<const Ring> profile, const Shape& shape) {
    Body out;
    const std::size_t n = shape.segments;
    const std::size_t rows = profile.size() - 1;
    const Rectangle& page = shape.texels;
    for (std::size_t r = 0; r <= rows; ++r) {
        const Ring& ring = profile[r];
        for (std::size_t i = 0; i <= n; ++i) {
            const double angle = 2 * kPi * static_cast<double>(i % n) / static_cast<double>(n);
            const double cosine = exact::cos(angle);
            const double sine = exact::sin(angle);
            out.points.push_back({ring.x + ring.rx * cosine, ring.y, ring.z + ring.rz * sine});
            out.normals.push_back(normalized(Vec3{cosine / ring.rx, 0, sine / ring.rz}));
            out.uvs.push_back({(page.u + 0.5 + (page.width - 1) * static_cast<double>(i) / static_cast<double>(n)) / kPage,
                               (page.v + 0.5 + (page.height - 1) * (1 - static_cast<double>(r) / static_cast<double>(rows))) / kPage});
        }
    }
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t i = 0; i < n; ++i) {
            const auto a = static_cast<std::uint32_t>(r * (n + 1) + i);
            const std::uint32_t b = a + 1;
            const auto c = static_cast<std::uint32_t>(a + n + 1);
            out.triangles.push_back({a, c, b});
            out.triangles.push_back({b, c, c + 1});
        }
    }
    return out;
}

std::vector<Replaced> replace_by_bodies(Rig& rig, const Figure& figure, model::MaterialId material, core::Report& report) { return Replacer(rig, figure, material).run(report); }

}  // namespace gomkit::ps1::lathe
