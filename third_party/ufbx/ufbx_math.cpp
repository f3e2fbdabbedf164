// The 18 functions that ufbx wants under UFBX_EXTERNAL_MATH, all bit-exact everywhere (runtime/math.hpp).
#include <gomkit/runtime/math.hpp>

#include <cmath>

namespace exact = gomkit::runtime::exact;

extern "C" {
double ufbx_sqrt(double x);
double ufbx_fabs(double x);
double ufbx_pow(double x, double y);
double ufbx_sin(double x);
double ufbx_cos(double x);
double ufbx_tan(double x);
double ufbx_asin(double x);
double ufbx_acos(double x);
double ufbx_atan(double x);
double ufbx_atan2(double y, double x);
double ufbx_copysign(double x, double y);
double ufbx_fmin(double a, double b);
double ufbx_fmax(double a, double b);
double ufbx_nextafter(double x, double y);
double ufbx_rint(double x);
double ufbx_floor(double x);
double ufbx_ceil(double x);
int ufbx_isnan(double x);

double ufbx_sqrt(double x) { return std::sqrt(x); }
double ufbx_fabs(double x) { return std::fabs(x); }
double ufbx_pow(double x, double y) { return exact::pow(x, y); }
double ufbx_sin(double x) { return exact::sin(x); }
double ufbx_cos(double x) { return exact::cos(x); }
double ufbx_tan(double x) { return exact::tan(x); }
double ufbx_asin(double x) { return exact::asin(x); }
double ufbx_acos(double x) { return exact::acos(x); }
double ufbx_atan(double x) { return exact::atan(x); }
double ufbx_atan2(double y, double x) { return exact::atan2(y, x); }
double ufbx_copysign(double x, double y) { return exact::copysign(x, y); }
double ufbx_fmin(double a, double b) { return exact::fmin(a, b); }
double ufbx_fmax(double a, double b) { return exact::fmax(a, b); }
double ufbx_nextafter(double x, double y) { return exact::nextafter(x, y); }
double ufbx_rint(double x) { return exact::rint(x); }
double ufbx_floor(double x) { return std::floor(x); }
double ufbx_ceil(double x) { return exact::ceil(x); }
int ufbx_isnan(double x) { return x != x ? 1 : 0; }
}
