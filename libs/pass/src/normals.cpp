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
    std::uint32_t corner;   // at low
    std::uint32_t next;     // at high
};

bool agree(const Vec3& a, const Vec3& b) { return dot(a - b, a - b) <= 1e-6; }

}  // namespace

NormalGroups::NormalGroups(const model::Mesh& mesh, Rule rule) : mesh_(mesh), group_(mesh.corner_point.size()) {
    std::vector<Edge> edges;
    edges.reserve(mesh.corner_point.size());
    std::iota(group_.begin(), group_.end(), 0u);
    for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
        const std::uint32_t first = mesh.polygon_first[p];
        const std::uint32_t end = mesh.polygon_first[p + 1];
        const bool flat = !mesh.flat_polygon.empty() && mesh.flat_polygon[p];
        for (std::uint32_t c = first; c < end; ++c) {
            const std::uint32_t next = c + 1 < end ? c + 1 : first;
            const bool hard = rule == Rule::Smoothing && (flat || (!mesh.hard_edge.empty() && mesh.hard_edge[c]));
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
    const auto join_where_smooth = [&](std::uint32_t a, std::uint32_t b) {
        const auto own = [&](std::uint32_t corner) { return mesh.normals.values[mesh.normals.corner_index[corner]]; };
        if (rule == Rule::Smoothing || agree(own(a), own(b))) {
            join(group_, a, b);
        }
    };
    for (std::size_t i = 1; i < edges.size(); ++i) {
        if (edges[i].low == edges[i - 1].low && edges[i].high == edges[i - 1].high) {
            join_where_smooth(edges[i - 1].corner, edges[i].corner);
            join_where_smooth(edges[i - 1].next, edges[i].next);
        }
    }
    for (std::uint32_t c = 0; c < group_.size(); ++c) {
        group_[c] = find_root(group_, c);
    }
}

std::vector<Vec3> NormalGroups::normals(std::span<const Vec3> points) const {
    std::vector<Vec3> sum(group_.size());
    for (std::size_t p = 0; p < mesh_.polygon_count(); ++p) {
        const std::uint32_t first = mesh_.polygon_first[p];
        const std::uint32_t end = mesh_.polygon_first[p + 1];
        const Vec3 area = area_vector(points, std::span(mesh_.corner_point).subspan(first, end - first));
        for (std::uint32_t c = first; c < end; ++c) {
            sum[group_[c]] += area;
        }
    }
    std::vector<Vec3> out(group_.size());
    for (std::size_t c = 0; c < group_.size(); ++c) {
        // A group's first corner comes first, and its sum is made into the normal then.
        out[c] = group_[c] == c ? runtime::normalized(sum[c]) : out[group_[c]];
    }
    return out;
}

std::vector<Vec3> generate_normals(const model::Mesh& mesh) { return NormalGroups(mesh).normals(mesh.points); }

}  // namespace gomkit::pass
