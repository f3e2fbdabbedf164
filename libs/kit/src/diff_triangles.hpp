#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gomkit::kit {

/// A corner as it is compared: numbers, and bones as indices into a table of paths that both sides share.
struct DiffCorner {
    std::array<double, 3> position{};
    std::array<double, 3> normal{};
    std::array<double, 4> tangent{};
    std::array<double, 2> uv{};
    std::vector<std::pair<std::uint32_t, double>> weights;  ///< by bone, zero weights left out
    std::vector<std::pair<std::uint32_t, double>> shapes;   ///< what blend shapes add to position and normal, a number each; zeros left out
};

struct DiffTriangle {
    std::array<std::uint32_t, 3> corner{};  ///< into DiffSoup::corners
    std::uint32_t material = 0;             ///< index into a table that both sides share
};

struct DiffSoup {
    std::vector<DiffCorner> corners;
    std::vector<DiffTriangle> triangles;
};

/// What a comparison of two heaps of triangles found.
struct SoupDifference {
    struct Attribute {
        const char* name = "";
        std::uint64_t triangles = 0;  ///< that differ in it
        double largest = 0;           ///< difference of a single number
    };
    std::uint64_t only_in_a = 0;      ///< triangles without one at the same place and with the same winding
    std::uint64_t only_in_b = 0;
    std::array<Attribute, 6> attributes{
        {{"normals", 0, 0}, {"tangents", 0, 0}, {"uvs", 0, 0}, {"weights", 0, 0}, {"shapes", 0, 0}, {"materials", 0, 0}}};
};

/// Matches each triangle of A with one of B at the same place, whatever their order and first corner.
[[nodiscard]] SoupDifference compare_triangles(const DiffSoup& a, const DiffSoup& b, double tolerance);

}  // namespace gomkit::kit
