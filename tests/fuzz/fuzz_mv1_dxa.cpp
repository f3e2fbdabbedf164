// The DXA decoder on arbitrary blocks; whatever decodes is encoded and decodes to the same again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "dxa.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit;
    mv1::DxaLimits limits;
    limits.max_output_bytes = 1 << 20;
    const auto decoded = mv1::dxa_decode(std::as_bytes(std::span(data, size)), 0, limits);
    if (!decoded) {
        return 0;
    }
    if (decoded->size() > limits.max_output_bytes) {
        std::abort();
    }
    const core::Bytes written = mv1::dxa_encode(*decoded);
    const auto back = mv1::dxa_decode(written, 0, {});
    if (!back || *back != *decoded || written.size() > 2 * decoded->size() + mv1::kDxaHeader) {
        std::abort();
    }
    return 0;
}
