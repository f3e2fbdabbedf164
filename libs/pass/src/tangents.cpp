#include <gomkit/pass/tangents.hpp>

#include <cmath>
#include <cstring>

#include <gomkit/core/large_memory.hpp>

#include <gomkit_mikktspace_input.h>
#include <mikktspace.h>

namespace gomkit::pass {
namespace {

struct Job {
    gomkit_mikktspace_input input;   // first: what the library reads through m_pUserData
    core::LargeVector<gomkit_mikktspace_vertex> vertices;
    std::span<const std::uint32_t> indices;
    std::span<Tangent> out;
};

const Job& job_of(const SMikkTSpaceContext* context) { return *static_cast<const Job*>(context->m_pUserData); }

int face_count(const SMikkTSpaceContext* context) { return static_cast<int>(job_of(context).indices.size() / 3); }
int face_corners(const SMikkTSpaceContext*, const int) { return 3; }
// The library wants these to be there; redirect.h makes it read Job::input itself.
void get_vector(const SMikkTSpaceContext*, float[], const int, const int) {}
void set_tangent(const SMikkTSpaceContext* context, const float tangent[], const float sign, const int face, const int corner) {
    const Job& job = job_of(context);
    const std::size_t i = static_cast<std::size_t>(face) * 3 + static_cast<std::size_t>(corner);
    Tangent& t = job.out[i];
    const float* n = job.vertices[job.indices[i]].normal;
    const float off = n[0] * tangent[0] + n[1] * tangent[1] + n[2] * tangent[2];
    const float squared = tangent[0] * tangent[0] + tangent[1] * tangent[1] + tangent[2] * tangent[2];
    if (std::fabs(off) < 1e-4f && std::fabs(squared - 1.0f) < 1e-4f) {
        t = {{tangent[0], tangent[1], tangent[2], sign < 0 ? -1.0f : 1.0f}};
        return;
    }
    // Where the surface is degenerate MikkTSpace's result is not orthogonal enough for the format.
    const double nx = n[0];
    const double ny = n[1];
    const double nz = n[2];
    double x = tangent[0];
    double y = tangent[1];
    double z = tangent[2];
    const double along = nx * x + ny * y + nz * z;
    x -= nx * along;
    y -= ny * along;
    z -= nz * along;
    const double length = std::sqrt(x * x + y * y + z * z);
    if (!(length > 1e-6)) {
        t = arbitrary_tangent(n);
        return;
    }
    t = {{static_cast<float>(x / length), static_cast<float>(y / length), static_cast<float>(z / length), sign < 0 ? -1.0f : 1.0f}};
}

}  // namespace

Tangent arbitrary_tangent(const float normal[3]) {
    std::size_t axis = 0;
    for (std::size_t i = 1; i < 3; ++i) {
        if (std::fabs(normal[i]) < std::fabs(normal[axis])) {
            axis = i;
        }
    }
    double v[3] = {0, 0, 0};
    v[axis] = 1;
    const double along = normal[axis];
    double squared = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        v[i] -= static_cast<double>(normal[i]) * along;
        squared += v[i] * v[i];
    }
    const double length = std::sqrt(squared);
    return {{static_cast<float>(v[0] / length), static_cast<float>(v[1] / length), static_cast<float>(v[2] / length), 1.0f}};
}

bool generate_tangents(std::span<const RenderVertex> vertices, std::span<const std::uint32_t> indices, std::span<Tangent> out) {
    SMikkTSpaceInterface callbacks{};
    callbacks.m_getNumFaces = face_count;
    callbacks.m_getNumVerticesOfFace = face_corners;
    callbacks.m_getPosition = get_vector;
    callbacks.m_getNormal = get_vector;
    callbacks.m_getTexCoord = get_vector;
    callbacks.m_setTSpaceBasic = set_tangent;
    // Packed: the library reads in no order that a cache would like.
    Job job{{}, {}, indices, out};
    job.vertices.reserve(vertices.size());
    for (const RenderVertex& v : vertices) {
        gomkit_mikktspace_vertex packed{};
        std::memcpy(packed.position, v.position, sizeof packed.position);
        std::memcpy(packed.normal, v.normal, sizeof packed.normal);
        packed.uv[0] = v.uv[0];
        packed.uv[1] = 1.0f - v.uv[1];
        job.vertices.push_back(packed);
    }
    job.input = {job.vertices.data(), indices.data()};
    SMikkTSpaceContext context{&callbacks, &job};
    return genTangSpaceDefault(&context) != 0;
}

}  // namespace gomkit::pass
