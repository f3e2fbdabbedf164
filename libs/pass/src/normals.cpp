#include <gomkit/pass/normals.hpp>

#include <algorithm>
#include <numeric>
#include <span>

#include <gomkit/pass/triangulate.hpp>

namespace gomkit::pass {
namespace {

using model::Vec3;

std::uint32_t find_root(std::vector<std::uint32_t>& parent, std::uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

void join(std::vector<std::uint32_t>& parent, std::uint32_t a, std::uint32_t b) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    // The smaller index leads, so that sums are formed in corner order.
    parent[std::max(a, b)] = std::min(a, b);
}

struct Edge {
    std::uint32_t low;      // points, low <= high
    std::uint32_t high;
    std::uint32_t corner;   // where it starts
    std::uint32_t next;     // where it ends
};

}  // namespace

std::vector<Vec3> generate_normals(const model::Mesh& mesh) {
    const auto corner_count = static_cast<std::uint32_t>(mesh.corner_point.size());
    std::vector<Vec3> face(corner_count);  // the area vector of each corner's polygon
    std::vector<Edge> edges;
    edges.reserve(corner_count);
    std::vector<std::uint32_t> group(corner_count);
    std::iota(group.begin(), group.end(), 0u);

    for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
        const std::uint32_t first = mesh.polygon_first[p];
        const std::uint32_t end = mesh.polygon_first[p + 1];
        const Vec3 area = area_vector(mesh.points, std::span(mesh.corner_point).subspan(first, end - first));
        const bool flat = !mesh.flat_polygon.empty() && mesh.flat_polygon[p];
        for (std::uint32_t c = first; c < end; ++c) {
            face[c] = area;
            const std::uint32_t next = c + 1 < end ? c + 1 : first;
            const bool hard = flat || (!mesh.hard_edge.empty() && mesh.hard_edge[c]);
            if (!hard) {
                const std::uint32_t a = mesh.corner_point[c];
                const std::uint32_t b = mesh.corner_point[next];
                edges.push_back(a <= b ? Edge{a, b, c, next} : Edge{b, a, next, c});
            }
        }
    }
    // Edges of the same two points lie together; each joins its corners with the first's.
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        if (a.low != b.low) return a.low < b.low;
        if (a.high != b.high) return a.high < b.high;
        return a.corner < b.corner;
    });
    for (std::size_t i = 1; i < edges.size(); ++i) {
        if (edges[i].low == edges[i - 1].low && edges[i].high == edges[i - 1].high) {
            join(group, edges[i - 1].corner, edges[i].corner);
            join(group, edges[i - 1].next, edges[i].next);
        }
    }
    std::vector<Vec3> sum(corner_count);
    for (std::uint32_t c = 0; c < corner_count; ++c) {
        sum[find_root(group, c)] += face[c];
    }
    std::vector<Vec3> out(corner_count);
    for (std::uint32_t c = 0; c < corner_count; ++c) {
        out[c] = runtime::normalized(sum[find_root(group, c)]);
    }
    return out;
}

}  // namespace gomkit::pass
