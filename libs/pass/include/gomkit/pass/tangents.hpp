#pragma once

#include <cstdint>
#include <span>

#include <gomkit/pass/render_mesh.hpp>

namespace gomkit::pass {

/// A tangent and its sign, as RenderVertex stores them.
struct Tangent {
    float v[4];
};

/// MikkTSpace tangents, one per index, for indexed triangles whose normals are set and whose UV has V down. out[i] belongs to
/// indices[i]. The sign follows conventions.md (bitangent towards decreasing V). Corners whose UV or normal are unusable get
/// arbitrary_tangent(). Errors: false when MikkTSpace fails (out of memory).
[[nodiscard]] bool generate_tangents(std::span<const RenderVertex> vertices, std::span<const std::uint32_t> indices, std::span<Tangent> out);

/// The tangent of a vertex without usable UV: the axis least aligned with the normal (the first on a tie), made orthogonal; w = 1.
[[nodiscard]] Tangent arbitrary_tangent(const float normal[3]);

}  // namespace gomkit::pass
