// The portable half of scan.cpp, once more, under a namespace of its own.
#define GOMKIT_RUNTIME_NO_SIMD
#define detail detail_portable
#include "../src/scan.cpp"
