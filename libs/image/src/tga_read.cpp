#include <algorithm>
#include <string>

#include <gomkit/core/file.hpp>

#include "formats.hpp"
#include "stb.hpp"

namespace gomkit::image {
namespace {

constexpr std::size_t kHeaderSize = 18;
constexpr std::size_t kFooterSize = 26;
constexpr std::uint32_t kIndexed = 1, kColour = 2, kGrey = 3, kRunLength = 8;   // kinds, and what is added to them

struct Header {
    std::uint32_t kind = 0;
    bool run_length = false;
    std::uint32_t first_entry = 0, entries = 0, entry_bits = 0;
    std::uint64_t width = 0, height = 0;
    std::uint32_t bits = 0;          ///< of a pixel
    std::uint32_t descriptor = 0;
    std::uint64_t pixels = 0;        ///< where they begin

    [[nodiscard]] bool announces_alpha() const { return (descriptor & 0x0F) != 0; }
};

Header header_of(const Source& s) {
    Header h;
    h.kind = s.u8(2) & ~kRunLength;
    h.run_length = (s.u8(2) & kRunLength) != 0;
    h.first_entry = s.u16(3);
    h.entries = s.u16(5);
    h.entry_bits = s.u8(7);
    h.width = s.u16(12);
    h.height = s.u16(14);
    h.bits = s.u8(16);
    h.descriptor = s.u8(17);
    h.pixels = kHeaderSize + s.u8(0) + (s.u8(1) == 1 ? std::uint64_t{h.entries} * ((h.entry_bits + 7) / 8) : 0);
    return h;
}

bool is_depth(std::uint32_t bits) { return bits == 15 || bits == 16 || bits == 24 || bits == 32; }

/// What is wrong with the header, or beyond what is read here; "" for nothing.
std::string unusual(const Source& s, const Header& h) {
    const std::string kind = "kind " + std::to_string(s.u8(2)) + " with " + std::to_string(h.bits) + " bits a pixel";
    switch (h.kind) {
        case kIndexed:
            if (s.u8(1) != 1 || h.entries == 0 || !is_depth(h.entry_bits)) {
                return "a palette of kind " + std::to_string(s.u8(1)) + " with " + std::to_string(h.entries) + " entries of " + std::to_string(h.entry_bits) + " bits";
            }
            if (h.first_entry != 0) {
                return "a palette that begins with entry " + std::to_string(h.first_entry);
            }
            if (h.bits != 8 && h.bits != 16) {
                return kind;
            }
            break;
        case kColour:
        case kGrey:
            if (h.kind == kColour ? !is_depth(h.bits) : h.bits != 8 && h.bits != 16) {
                return kind;
            }
            if (s.u8(1) != 0) {
                return "a palette beside colours";
            }
            break;
        default: return kind;
    }
    if ((h.descriptor & 0x10) != 0) {
        return "rows from right to left";
    }
    return (h.descriptor & 0xC0) != 0 ? "interleaved rows" : "";
}

/// Exactly for plain pixels; runs have at most 128 pixels.
bool can_hold(const Source& s, const Header& h) {
    const std::uint64_t size = (h.bits + 7) / 8;
    const std::uint64_t least = h.run_length ? (h.width * h.height + 127) / 128 * (1 + size) : h.width * h.height * size;
    return h.pixels + least <= s.bytes.size();
}

/// Calls visit(index, number, byte) for the pixels' numbers in the file's order, as far as its bytes go; a run calls once for each pixel. What is wrong: "" for nothing.
template <class Visit>
std::string each_pixel(const Source& s, const Header& h, const Visit& visit) {
    const std::uint64_t all = h.width * h.height;
    const std::size_t size = (h.bits + 7) / 8;
    std::size_t at = h.pixels;
    for (std::uint64_t pixel = 0; pixel < all;) {
        std::uint64_t count = all;
        bool repeats = false;
        if (h.run_length) {
            if (at >= s.bytes.size()) {
                return {};
            }
            const std::uint32_t packet = s.u8(at++);
            count = (packet & 127) + 1;
            repeats = packet >= 128;
            if (count > all - pixel) {
                return "at byte " + std::to_string(at - 1) + " " + std::to_string(count) + " pixels where " + std::to_string(all - pixel) + " are left";
            }
        }
        for (std::uint64_t i = 0; i < count; ++i, ++pixel) {
            if (at + size > s.bytes.size()) {
                return {};
            }
            if (std::string wrong = visit(pixel, size == 1 ? s.u8(at) : s.u16(at), at); !wrong.empty()) {
                return wrong;
            }
            at += repeats && i + 1 < count ? 0 : size;
        }
    }
    return {};
}

/// What stb_image would make something of: indices outside the palette, runs beyond the picture; "" for nothing.
std::string wrong_pixels(const Source& s, const Header& h) {
    if (h.kind != kIndexed && !h.run_length) {
        return {};   // can_hold() has seen to these
    }
    return each_pixel(s, h, [&](std::uint64_t, std::uint32_t number, std::size_t at) {
        return h.kind != kIndexed || number < h.entries ? std::string()
                                                        : "the index at byte " + std::to_string(at) + " is not below " + std::to_string(h.entries);
    });
}

/// The highest bit of 16, which stb_image does not look at.
void set_alpha_bits(const Source& s, const Header& h, std::vector<std::uint8_t>& rgba) {
    const std::size_t palette = kHeaderSize + s.u8(0);
    static_cast<void>(each_pixel(s, h, [&](std::uint64_t pixel, std::uint32_t number, std::size_t) {
        const std::uint64_t row = pixel / h.width;
        const std::uint64_t y = (h.descriptor & 0x20) != 0 ? row : h.height - 1 - row;
        const std::uint32_t colour = h.kind == kIndexed ? s.u16(palette + std::size_t{2} * number) : number;
        rgba[static_cast<std::size_t>(4 * (y * h.width + pixel % h.width) + 3)] = (colour & 0x8000) != 0 ? 0xFF : 0;
        return std::string();
    }));
}

}  // namespace

bool is_tga(const Source& source) {
    constexpr std::string_view kFooter("TRUEVISION-XFILE.\0", 18);
    return core::extension_of(std::string(source.file)) == "tga" || (source.bytes.size() >= kHeaderSize + kFooterSize && source.text().ends_with(kFooter));
}

core::Result<Image> read_tga(const Source& source) {
    if (source.bytes.size() < kHeaderSize) {
        return unreadable(source, "TGA", core::Code::Truncated, "the file ends too early");
    }
    const Header header = header_of(source);
    if (std::string what = unusual(source, header); !what.empty()) {
        return unreadable(source, "TGA", core::Code::Unsupported, std::move(what));
    }
    if (auto good = check_size(source, "TGA", header.width, header.height, can_hold(source, header)); !good) {
        return core::Fault(std::move(good.error()));
    }
    if (std::string what = wrong_pixels(source, header); !what.empty()) {
        return unreadable(source, "TGA", core::Code::Malformed, std::move(what));
    }
    core::Result<Image> image = read_by_stb(source, "TGA");
    if (image && header.announces_alpha() && (header.kind == kIndexed ? header.entry_bits : header.kind == kColour ? header.bits : 0) == 16) {
        set_alpha_bits(source, header, image->rgba);
    }
    if (!image || header.announces_alpha()) {
        return image;
    }
    std::vector<std::uint8_t>& rgba = image->rgba;
    bool empty = true;
    for (std::size_t i = 3; i < rgba.size(); i += 4) {
        empty = empty && rgba[i] == 0;
    }
    for (std::size_t i = 3; empty && i < rgba.size(); i += 4) {
        rgba[i] = 0xFF;
    }
    return image;
}

}  // namespace gomkit::image
