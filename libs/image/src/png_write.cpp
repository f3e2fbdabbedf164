#include <algorithm>
#include <csetjmp>
#include <new>

#include <png.h>
#include <zlib.h>

#include <gomkit/image/image.hpp>

namespace gomkit::image {
namespace {

// As in png_read.cpp: what has a destructor outlives the jump.
struct Writing {
    const Image* image = nullptr;
    bool opaque = true;
    core::Bytes out;
    std::vector<std::uint8_t> row;
    png_structp png = nullptr;
    png_infop info = nullptr;
};

void take(png_structp png, png_bytep bytes, std::size_t count) {
    auto& out = static_cast<Writing*>(png_get_io_ptr(png))->out;
    const auto* first = reinterpret_cast<const std::byte*>(bytes);
    bool full = false;
    try {
        out.insert(out.end(), first, first + count);
    } catch (const std::bad_alloc&) {
        full = true;
    }
    if (full) {
        png_error(png, "out of memory");   // exceptions do not pass through libpng
    }
}
void on_error(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void on_warning(png_structp, png_const_charp) {}

void fill_row(Writing& w, std::size_t y) {
    const std::size_t channels = w.opaque ? 3 : 4;
    const std::uint8_t* pixels = w.image->rgba.data() + y * w.image->width * 4;
    for (std::size_t x = 0; x < w.image->width; ++x) {
        std::copy_n(pixels + 4 * x, channels, w.row.data() + channels * x);
    }
}

bool write(Writing& w) {
    if (setjmp(png_jmpbuf(w.png)) != 0) {
        return false;
    }
    png_set_write_fn(w.png, &w, take, nullptr);
    png_set_IHDR(w.png, w.info, w.image->width, w.image->height, 8, w.opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_set_compression_level(w.png, 6);
    png_set_compression_strategy(w.png, Z_DEFAULT_STRATEGY);
    png_set_filter(w.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(w.png, w.info);
    for (std::size_t y = 0; y < w.image->height; ++y) {
        fill_row(w, y);
        png_write_row(w.png, w.row.data());
    }
    png_write_end(w.png, nullptr);
    return true;
}

}  // namespace

core::Bytes write_png(const Image& image) {
    Writing w;
    w.image = &image;
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
        w.opaque = w.opaque && image.rgba[i] == 0xFF;
    }
    w.row.resize(std::size_t{image.width} * (w.opaque ? 3 : 4));
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning);
    w.info = w.png != nullptr ? png_create_info_struct(w.png) : nullptr;
    const bool done = w.info != nullptr && write(w);
    png_destroy_write_struct(&w.png, &w.info);
    if (!done) {
        throw std::bad_alloc();   // the one thing that can fail here
    }
    return std::move(w.out);
}

}  // namespace gomkit::image
