#include <gomkit/runtime/math.hpp>

extern "C" double gomkit_mikktspace_acos(double x);
extern "C" double gomkit_mikktspace_acos(double x) { return gomkit::runtime::exact::acos(x); }
