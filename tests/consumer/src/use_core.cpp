// A tool that takes libraries above the run-time out of the source tree.
#include <gomkit/core/error.hpp>
#include <gomkit/core/version.hpp>

#include <cstdio>

int main() {
    const gomkit::core::Result<int> result = gomkit::core::fail(gomkit::core::Code::Malformed, {.file = "a.gom"}, "no model");
    if (result.has_value() || gomkit::core::exit_code(result.error().code) != 1) {
        return 1;
    }
    std::printf("consumer ok with gomkit %s\n", gomkit::core::kVersion);
    return 0;
}
