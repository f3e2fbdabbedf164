#include <csetjmp>
#include <cstdio>
#include <utility>

#include <jpeglib.h>

#include <jerror.h>

#include "formats.hpp"

namespace gomkit::image {
namespace {

/// Programs write about ten; each costs a walk over the whole picture.
constexpr int kMostScans = 64;

// libjpeg leaves by longjmp, over frames without destructors only: what has one lives in this struct, which outlives the jump.
struct Reading {
    jpeg_decompress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf out{};
    core::Code code = core::Code::Malformed;
    char message[JMSG_LENGTH_MAX] = {};
    std::vector<std::uint8_t> rgba;
};

Reading& reading_of(j_common_ptr jpeg) { return *static_cast<Reading*>(jpeg->client_data); }

[[noreturn]] void leave(Reading& r, core::Code code) {
    r.code = code;
    std::longjmp(r.out, 1);
}

[[noreturn]] void on_error(j_common_ptr jpeg) {
    Reading& r = reading_of(jpeg);
    const int code = jpeg->err->msg_code;
    jpeg->err->format_message(jpeg, r.message);
    leave(r, code == JERR_OUT_OF_MEMORY ? core::Code::OutOfMemory : code == JERR_INPUT_EMPTY || code == JERR_INPUT_EOF ? core::Code::Truncated : core::Code::Malformed);
}

/// Where libjpeg would go on with a picture of its own invention.
void on_message(j_common_ptr jpeg, int level) {
    if (level >= 0) {
        return;
    }
    Reading& r = reading_of(jpeg);
    jpeg->err->format_message(jpeg, r.message);
    switch (jpeg->err->msg_code) {
        case JWRN_JPEG_EOF: leave(r, core::Code::Truncated);
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_BOGUS_PROGRESSION:
        case JWRN_MUST_RESYNC:
        case JWRN_NOT_SEQUENTIAL: leave(r, core::Code::Malformed);
        default: return;
    }
}

void on_progress(j_common_ptr jpeg) {
    if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > kMostScans) {
        Reading& r = reading_of(jpeg);
        std::snprintf(r.message, sizeof r.message, "more than %d scans", kMostScans);
        leave(r, core::Code::LimitExceeded);
    }
}

bool read_header(Reading& r, const Source& source) {
    if (setjmp(r.out) != 0) {
        return false;
    }
    jpeg_create_decompress(&r.jpeg);
    r.jpeg.progress = &r.progress;
    jpeg_mem_src(&r.jpeg, reinterpret_cast<const unsigned char*>(source.bytes.data()), static_cast<unsigned long>(source.bytes.size()));
    jpeg_read_header(&r.jpeg, TRUE);
    return true;
}

bool read_pixels(Reading& r) {
    if (setjmp(r.out) != 0) {
        return false;
    }
    r.jpeg.out_color_space = JCS_EXT_RGBA;
    r.jpeg.dct_method = JDCT_ISLOW;   // the one that gives the same on every processor
    r.jpeg.do_block_smoothing = FALSE;   // what the scans leave out is not made up; how it would be depends on the library's version
    jpeg_start_decompress(&r.jpeg);
    while (r.jpeg.output_scanline < r.jpeg.output_height) {
        JSAMPROW row = r.rgba.data() + std::size_t{4} * r.jpeg.output_width * r.jpeg.output_scanline;
        jpeg_read_scanlines(&r.jpeg, &row, 1);
    }
    jpeg_finish_decompress(&r.jpeg);
    return true;
}

// A block of 8 x 8 pixels takes a bit at least, and by its sampling factors a component may have one for 4 of them.
bool can_hold(const Reading& r, const Source& source) {
    return std::uint64_t{r.jpeg.image_width} * r.jpeg.image_height <= source.bytes.size() * std::uint64_t{8 * 64 * 4};
}

core::Result<Image> read_into(Reading& r, const Source& source) {
    if (!read_header(r, source)) {
        return unreadable(source, "JPEG", r.code, r.message);
    }
    if (auto good = check_size(source, "JPEG", r.jpeg.image_width, r.jpeg.image_height, can_hold(r, source)); !good) {
        return core::Fault(std::move(good.error()));
    }
    const bool cmyk = r.jpeg.jpeg_color_space == JCS_CMYK || r.jpeg.jpeg_color_space == JCS_YCCK;
    if (cmyk || r.jpeg.arith_code) {
        return unreadable(source, "JPEG", core::Code::Unsupported, cmyk ? "CMYK colours" : "arithmetic coding");
    }
    r.rgba.resize(std::size_t{4} * r.jpeg.image_width * r.jpeg.image_height);
    if (!read_pixels(r)) {
        return unreadable(source, "JPEG", r.code, r.message);
    }
    return Image{r.jpeg.image_width, r.jpeg.image_height, std::move(r.rgba)};
}

}  // namespace

bool is_jpeg(const Source& source) { return source.begins_with("\xFF\xD8\xFF"); }

core::Result<Image> read_jpeg(const Source& source) {
    Reading r;
    r.jpeg.err = jpeg_std_error(&r.errors);
    r.jpeg.client_data = &r;
    r.errors.error_exit = on_error;
    r.errors.emit_message = on_message;
    r.progress.progress_monitor = on_progress;
    core::Result<Image> image = read_into(r, source);
    jpeg_destroy_decompress(&r.jpeg);
    return image;
}

}  // namespace gomkit::image
