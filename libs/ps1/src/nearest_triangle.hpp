#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gomkit/model/model.hpp>

namespace gomkit::ps1 {

using Corners = std::array<model::Vec3, 3>;

/// The point of a triangle that is nearest to `from`, as weights of its corners. The triangle may be flat.
[[nodiscard]] std::array<double, 3> nearest_weights(const Corners& triangle, const model::Vec3& from);

/// A point of a surface.
struct SurfacePoint {
    std::uint32_t triangle = 0;
    std::array<double, 3> weights{};        ///< of its corners
    double squared_distance = 0;
};

/// Finds the nearest of many triangles in a tree of boxes around them. They live as long as it does.
class NearestTriangle {
public:
    explicit NearestTriangle(std::span<const Corners> triangles);

    /// The first of the nearest ones, at most `within` away. One look-up opens at most 4,096 boxes, which bounds it where all boxes overlap; a figure's surface takes some dozens.
    [[nodiscard]] std::optional<SurfacePoint> find(const model::Vec3& from, double within) const;

private:
    struct Box {
        model::Vec3 low, high;
        std::uint32_t first = 0, count = 0;     // of order_; count 0: two boxes, the next one and `second`
        std::uint32_t second = 0;
    };
    void build(std::uint32_t first, std::uint32_t count);

    std::span<const Corners> triangles_;
    std::vector<std::uint32_t> order_;
    std::vector<Box> boxes_;
};

}  // namespace gomkit::ps1
