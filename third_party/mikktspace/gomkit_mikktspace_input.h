// What m_pUserData points to when genTangSpace is called: packed vertices and a triangle list.
#pragma once

#include <stdint.h>

struct gomkit_mikktspace_vertex {
    float position[3];
    float normal[3];
    float uv[2];  // V up
};

struct gomkit_mikktspace_input {
    const struct gomkit_mikktspace_vertex* vertices;
    const uint32_t* indices;  // three a triangle
};
