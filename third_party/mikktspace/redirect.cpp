#include <cmath>
#include <cstddef>

#include <gomkit/core/large_memory.hpp>
#include <gomkit/runtime/math.hpp>

extern "C" {
double gomkit_mikktspace_acos(double x);
double gomkit_mikktspace_cos(double x);
void* gomkit_mikktspace_malloc(std::size_t bytes);
void gomkit_mikktspace_free(void* memory);
}

extern "C" void* gomkit_mikktspace_malloc(std::size_t bytes) { return gomkit::core::allocate_large(bytes); }
// Once per mesh, of the threshold angle.
extern "C" double gomkit_mikktspace_cos(double x) { return gomkit::runtime::exact::cos(x); }
extern "C" void gomkit_mikktspace_free(void* memory) { gomkit::core::free_large(memory); }

// sqrt(1 - |x|) times a polynomial in 2|x| - 1, fitted on the Chebyshev points of [0, 1]: within 3e-13 of acos. MikkTSpace rounds
// it to float at once, and calls it for every corner, where runtime/math.hpp's 1 ulp would cost five times as much. The pairing
// of terms is fixed, so the bits are the same everywhere.
extern "C" double gomkit_mikktspace_acos(double x) {
    constexpr double c[14] = {1.4809609793863723,     -0.07601609123519572,   0.011029313295141854,   -0.0021491358392945067,
                              0.00048205446232203785, -0.00011741271557500442, 3.0185029160060884e-05, -8.062544108711219e-06,
                              2.2220140265226807e-06, -6.249221614528982e-07, 1.6946725677481655e-07, -4.857857224406873e-08,
                              2.092949626629999e-08,  -6.375944000450502e-09};
    const double a = std::fabs(x);
    const double t = 2 * a - 1;
    const double t2 = t * t;
    const double t4 = t2 * t2;
    const double p0 = (c[0] + c[1] * t) + (c[2] + c[3] * t) * t2;
    const double p1 = (c[4] + c[5] * t) + (c[6] + c[7] * t) * t2;
    const double p2 = (c[8] + c[9] * t) + (c[10] + c[11] * t) * t2;
    const double p3 = c[12] + c[13] * t;
    const double half = std::sqrt(a < 1 ? 1 - a : 0) * ((p0 + p1 * t4) + (p2 + p3 * t4) * (t4 * t4));
    return x < 0 ? 3.14159265358979323846 - half : half;
}
