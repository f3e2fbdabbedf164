#include <gomkit/pass/tangents.hpp>

#include <cmath>
#include <cstring>

#include <mikktspace.h>

namespace gomkit::pass {
namespace {

struct Job {
    std::span<const RenderVertex> vertices;
    std::span<const std::uint32_t> indices;
    std::span<Tangent> out;

    [[nodiscard]] const RenderVertex& vertex(int face, int corner) const {
        return vertices[indices[static_cast<std::size_t>(face) * 3 + static_cast<std::size_t>(corner)]];
    }
};

const Job& job_of(const SMikkTSpaceContext* context) { return *static_cast<const Job*>(context->m_pUserData); }

int face_count(const SMikkTSpaceContext* context) { return static_cast<int>(job_of(context).indices.size() / 3); }
int face_corners(const SMikkTSpaceContext*, const int) { return 3; }
void get_position(const SMikkTSpaceContext* context, float out[], const int face, const int corner) {
    std::memcpy(out, job_of(context).vertex(face, corner).position, sizeof(float) * 3);
}
void get_normal(const SMikkTSpaceContext* context, float out[], const int face, const int corner) {
    std::memcpy(out, job_of(context).vertex(face, corner).normal, sizeof(float) * 3);
}
void get_uv(const SMikkTSpaceContext* context, float out[], const int face, const int corner) {
    const RenderVertex& v = job_of(context).vertex(face, corner);
    out[0] = v.uv[0];
    out[1] = 1.0f - v.uv[1];  // MikkTSpace wants V up
}
void set_tangent(const SMikkTSpaceContext* context, const float tangent[], const float sign, const int face, const int corner) {
    const Job& job = job_of(context);
    Tangent& t = job.out[static_cast<std::size_t>(face) * 3 + static_cast<std::size_t>(corner)];
    // MikkTSpace leaves a tangent orthogonal up to float error only; one more step brings it within the format's tolerance.
    const float* n = job.vertex(face, corner).normal;
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
    callbacks.m_getPosition = get_position;
    callbacks.m_getNormal = get_normal;
    callbacks.m_getTexCoord = get_uv;
    callbacks.m_setTSpaceBasic = set_tangent;
    Job job{vertices, indices, out};
    SMikkTSpaceContext context{&callbacks, &job};
    return genTangSpaceDefault(&context) != 0;
}

}  // namespace gomkit::pass
