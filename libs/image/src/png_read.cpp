#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <utility>

#include <png.h>

#include "formats.hpp"

namespace gomkit::image {
namespace {

// libpng leaves by longjmp, over frames without destructors only: what has one lives in this struct, which outlives the jump.
struct Reading {
    std::span<const std::byte> bytes;
    std::size_t position = 0;
    bool short_of_bytes = false;
    std::string message;
    std::uint32_t width = 0, height = 0;
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::vector<std::uint8_t> rgba;
    std::vector<png_bytep> rows;
};

// Chunks that libpng would unpack and keep, and that do not change the pixels here. Five bytes each, with their NUL.
constexpr png_byte kUnread[] = "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0tEXt\0tIME\0zTXt";

Reading& reading_of(png_structp png) { return *static_cast<Reading*>(png_get_error_ptr(png)); }

void on_error(png_structp png, png_const_charp message) {
    reading_of(png).message = message;
    png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

void give(png_structp png, png_bytep out, std::size_t count) {
    auto& reading = *static_cast<Reading*>(png_get_io_ptr(png));
    if (count > reading.bytes.size() - reading.position) {
        reading.short_of_bytes = true;
        png_error(png, "the file ends too early");
    }
    std::memcpy(out, reading.bytes.data() + reading.position, count);
    reading.position += count;
}

bool read_header(Reading& r) {
    if (setjmp(png_jmpbuf(r.png)) != 0) {
        return false;
    }
    png_set_read_fn(r.png, &r, give);
    png_set_user_limits(r.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);   // ours are tested by the caller
    png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_NEVER, nullptr, 0);
    png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_NEVER, kUnread, static_cast<int>(sizeof kUnread / 5));
    png_read_info(r.png, r.info);
    r.width = png_get_image_width(r.png, r.info);
    r.height = png_get_image_height(r.png, r.info);
    return true;
}

bool read_pixels(Reading& r) {
    if (setjmp(png_jmpbuf(r.png)) != 0) {
        return false;
    }
    png_set_expand(r.png);
    png_set_strip_16(r.png);
    png_set_gray_to_rgb(r.png);
    png_set_add_alpha(r.png, 0xFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(r.png);
    png_read_update_info(r.png, r.info);
    if (png_get_rowbytes(r.png, r.info) != std::size_t{4} * r.width) {
        png_error(r.png, "the pixels do not become RGBA");
    }
    png_read_image(r.png, r.rows.data());
    png_read_end(r.png, nullptr);
    return true;
}

core::Fault fault(const Reading& r, const Source& source) {
    return unreadable(source, "PNG", r.short_of_bytes ? core::Code::Truncated : core::Code::Malformed, r.message);
}

// Deflate makes at most 1032 bytes of one; every row has a byte of filter in front.
bool can_hold(const Reading& r) {
    const std::uint64_t bits = std::uint64_t{r.width} * png_get_channels(r.png, r.info) * png_get_bit_depth(r.png, r.info);
    return r.height * (bits / 8 + 1) <= r.bytes.size() * 1032ull;
}

core::Result<Image> read_into(Reading& r, const Source& source) {
    if (!read_header(r)) {
        return fault(r, source);
    }
    if (auto good = check_size(source, "PNG", r.width, r.height, can_hold(r)); !good) {
        return core::Fault(std::move(good.error()));
    }
    r.rgba.resize(std::size_t{4} * r.width * r.height);
    for (std::size_t y = 0; y < r.height; ++y) {
        r.rows.push_back(r.rgba.data() + y * r.width * 4);
    }
    if (!read_pixels(r)) {
        return fault(r, source);
    }
    return Image{r.width, r.height, std::move(r.rgba)};
}

}  // namespace

bool is_png(const Source& source) { return source.begins_with("\x89PNG\r\n\x1A\n"); }

core::Result<Image> read_png(const Source& source) {
    Reading r;
    r.bytes = source.bytes;
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning);
    r.info = r.png != nullptr ? png_create_info_struct(r.png) : nullptr;
    if (r.info == nullptr) {
        png_destroy_read_struct(&r.png, nullptr, nullptr);
        return core::fail(core::Code::OutOfMemory, {}, "the memory does not suffice");
    }
    core::Result<Image> image = read_into(r, source);
    png_destroy_read_struct(&r.png, &r.info, nullptr);
    return image;
}

}  // namespace gomkit::image
