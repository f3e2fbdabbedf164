// Pictures of arbitrary bytes. What is read keeps the limits, and is read again, the same, from what is written of it.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include <gomkit/image/image.hpp>

namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "fuzz_image: %s\n", what);
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit;
    const image::ImageLimits limits{2048, 1u << 20};
    const auto bytes = std::as_bytes(std::span(data, size));
    core::Result<image::Image> read = image::read_image(bytes, "fuzz", limits);
    if (!read && read.error().code == core::Code::NotThisFormat) {
        read = image::read_image(bytes, "fuzz.tga", limits);
    }
    if (!read) {
        return 0;
    }
    require(read->width <= limits.max_side && read->height <= limits.max_side && read->rgba.size() <= limits.max_pixels * 4, "the limits do not hold");
    require(read->rgba.size() == std::size_t{4} * read->width * read->height, "the size is not that of the pixels");
    const core::Result<image::Image> again = image::read_image(image::write_png(*read), "fuzz");
    require(again.has_value() && *again == *read, "what was written reads as another picture");
    return 0;
}
