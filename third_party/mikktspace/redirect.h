// Included before mikktspace.c; nothing of it is changed, but some of its calls go elsewhere:
// - acos and cos: libm's differ between CPUs in the last bit;
// - malloc and free: arrays of many megabytes would cost more in page faults than in arithmetic;
// - the three getters: it calls them some ten million times for a large mesh, through pointers. The macros only match calls, not
//   the members' declarations, and turn `interface->m_getPosition(...)` into `interface->m_getNumFaces, direct_read(...)`.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gomkit_mikktspace_input.h"

double gomkit_mikktspace_acos(double x);
double gomkit_mikktspace_cos(double x);
void* gomkit_mikktspace_malloc(size_t bytes);
void gomkit_mikktspace_free(void* memory);

static inline const struct gomkit_mikktspace_vertex* gomkit_mikktspace_at(const void* user, int face, int corner) {
    const struct gomkit_mikktspace_input* input = (const struct gomkit_mikktspace_input*)user;
    return &input->vertices[input->indices[(size_t)face * 3 + (size_t)corner]];
}

#define m_getPosition(c, out, f, v) m_getNumFaces, memcpy(out, gomkit_mikktspace_at((c)->m_pUserData, f, v)->position, 12)
#define m_getNormal(c, out, f, v) m_getNumFaces, memcpy(out, gomkit_mikktspace_at((c)->m_pUserData, f, v)->normal, 12)
#define m_getTexCoord(c, out, f, v) m_getNumFaces, memcpy(out, gomkit_mikktspace_at((c)->m_pUserData, f, v)->uv, 8)
#define acos gomkit_mikktspace_acos
#define cos gomkit_mikktspace_cos
#define malloc gomkit_mikktspace_malloc
#define free gomkit_mikktspace_free
