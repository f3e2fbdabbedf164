/* What an engine in C does first: hand bytes to the run-time library and look at the answer. */
#include <gomkit/runtime/gomkit_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const size_t size = gomkit_model_size(), alignment = gomkit_model_alignment();
    char* memory = (char*)calloc(1, size + alignment + 512 + 16);
    char *bytes, *after;
    gomkit_model* model;
    gomkit_error_info info;
    gomkit_status status;
    if (memory == NULL) return 2;
    bytes = memory + (16 - (size_t)((uintptr_t)memory % 16)) % 16; /* 512 zeros */
    after = bytes + 512;
    model = (gomkit_model*)(void*)(after + (alignment - (size_t)((uintptr_t)after % alignment)) % alignment);
    status = gomkit_model_verify(model, bytes, 512, NULL, &info);
    if (status != GOMKIT_BAD_MAGIC || strcmp(info.part, "header.magic") != 0 || gomkit_model_bone_count(model) != 0) {
        printf("512 zero bytes: %s at %s\n", gomkit_status_message(status), info.part);
        return 1;
    }
    free(memory);
    puts("consumer ok");
    return 0;
}
