#include "stb.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

// Only these two formats of stb_image, all of it private to this file.
#define STBI_ONLY_TGA
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

namespace gomkit::image {
namespace {

struct Stream {
    std::span<const std::byte> bytes;
    std::size_t position = 0;
    bool short_of_bytes = false;   ///< more was wanted when all had been given
};

int on_read(void* user, char* out, int size) {
    auto& stream = *static_cast<Stream*>(user);
    const std::size_t count = std::min(static_cast<std::size_t>(size), stream.bytes.size() - stream.position);
    stream.short_of_bytes = stream.short_of_bytes || count == 0;
    std::memcpy(out, stream.bytes.data() + stream.position, count);
    stream.position += count;
    return static_cast<int>(count);
}
void on_skip(void* user, int count) {
    auto& stream = *static_cast<Stream*>(user);
    const std::size_t left = stream.bytes.size() - stream.position;
    stream.short_of_bytes = stream.short_of_bytes || static_cast<std::size_t>(count) > left;
    stream.position += std::min(static_cast<std::size_t>(count), left);
}
int on_end(void* user) {
    const auto& stream = *static_cast<Stream*>(user);
    return stream.position == stream.bytes.size() ? 1 : 0;
}

}  // namespace

core::Result<Image> read_by_stb(const Source& source, const char* format) {
    Stream stream{source.bytes};
    const stbi_io_callbacks callbacks{on_read, on_skip, on_end};
    int width = 0;
    int height = 0;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(stbi_load_from_callbacks(&callbacks, &stream, &width, &height, nullptr, 4), stbi_image_free);
    if (stream.short_of_bytes) {
        return unreadable(source, format, core::Code::Truncated, "the file ends too early");
    }
    if (pixels == nullptr) {
        const std::string reason = stbi_failure_reason();
        return unreadable(source, format, reason == "outofmem" ? core::Code::OutOfMemory : core::Code::Malformed, reason);
    }
    Image out{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
    out.rgba.assign(pixels.get(), pixels.get() + std::size_t{4} * out.width * out.height);
    return out;
}

}  // namespace gomkit::image
