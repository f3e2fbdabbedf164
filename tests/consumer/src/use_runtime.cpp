// What an engine does first: hand bytes to the run-time library and look at the answer.
#include <gomkit/runtime/runtime.hpp>

#include <cstddef>
#include <cstdio>

namespace rt = gomkit::runtime;

int main() {
    alignas(16) static const std::byte bytes[512] = {};
    rt::ModelView model;
    rt::ErrorInfo info;
    const rt::Status status = rt::verify(bytes, rt::Limits{}, model, &info);
    if (status != rt::Status::BadMagic) {
        std::printf("512 zero bytes: status %d\n", static_cast<int>(status));
        return 1;
    }
    std::puts("consumer ok");
    return 0;
}
