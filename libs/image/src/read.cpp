#include <algorithm>
#include <array>

#include "formats.hpp"

namespace gomkit::image {
namespace {

struct Format {
    bool (*is)(const Source&);
    core::Result<Image> (*read)(const Source&);
};
/// Those with a magic number first.
constexpr std::array<Format, 4> kFormats{{{is_png, read_png}, {is_jpeg, read_jpeg}, {is_bmp, read_bmp}, {is_tga, read_tga}}};

const Format* format_of(const Source& source) {
    const auto* const found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& f) { return f.is(source); });
    return found == kFormats.end() ? nullptr : found;
}

core::Place place_of(const Source& source) {
    core::Place place;
    place.file = source.file;
    return place;
}

}  // namespace

core::Fault unreadable(const Source& source, const char* format, core::Code code, std::string found) {
    return core::fail(code, place_of(source), std::string("the ") + format + " cannot be read", std::move(found), {},
                      code == core::Code::Unsupported ? "save the picture as PNG" : "save or copy the picture again");
}

core::Result<void> check_size(const Source& source, const char* format, std::uint64_t width, std::uint64_t height, bool can_hold) {
    const ImageLimits& limits = source.limits;
    const std::string size = std::to_string(width) + " x " + std::to_string(height);
    if (width == 0 || height == 0) {
        return unreadable(source, format, core::Code::Malformed, size + " pixels");
    }
    if (width > limits.max_side || height > limits.max_side || width * height > limits.max_pixels) {
        return core::fail(core::Code::LimitExceeded, place_of(source), "the picture is too large", size,
                          "at most " + std::to_string(limits.max_side) + " a side and " + std::to_string(limits.max_pixels) + " pixels", "make the picture smaller");
    }
    if (!can_hold) {
        return core::fail(core::Code::Truncated, place_of(source), std::string("the ") + format + " cannot hold its pixels",
                          std::to_string(source.bytes.size()) + " bytes for " + size, {}, "save or copy the picture again");
    }
    return {};
}

bool is_image(std::span<const std::byte> bytes, std::string_view file) { return format_of({bytes, file, {}}) != nullptr; }

core::Result<Image> read_image(std::span<const std::byte> bytes, const std::string& file, const ImageLimits& limits) {
    const Source source{bytes, file, limits};
    const Format* format = format_of(source);
    if (format == nullptr) {
        return core::fail(core::Code::NotThisFormat, place_of(source), "this is no PNG, JPEG, TGA or BMP", {}, {}, "save the picture as PNG");
    }
    return format->read(source);
}

}  // namespace gomkit::image
