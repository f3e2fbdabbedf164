// Included before mikktspace.c: libm's acos differs between CPUs in the last bit, ours does not.
#include <math.h>
#ifdef __cplusplus
extern "C"
#endif
double gomkit_mikktspace_acos(double x);
#define acos gomkit_mikktspace_acos
