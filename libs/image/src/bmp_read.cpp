#include <string>

#include "formats.hpp"
#include "stb.hpp"

namespace gomkit::image {
namespace {

constexpr std::size_t kFileHeaderSize = 14;
constexpr std::size_t kInfoHeaderSize = 40; ///< the least; longer ones begin with it
constexpr std::size_t kMaskSize = 12;       ///< behind the least, where there are masks

struct Header {
    std::uint32_t pixels = 0;               ///< where they begin
    std::uint32_t size = 0;                 ///< of the second header
    std::uint64_t width = 0, height = 0;
    std::uint32_t planes = 0, bits = 0, compression = 0;

    [[nodiscard]] bool indexed() const { return bits <= 8; }
    [[nodiscard]] std::uint32_t entries() const {
        return pixels < kFileHeaderSize + size ? 0 : (pixels - static_cast<std::uint32_t>(kFileHeaderSize) - size) / 4;
    }
    [[nodiscard]] std::uint64_t row_bytes() const { return (width * bits + 31) / 32 * 4; }
};

/// The file has both headers.
Header header_of(const Source& s) {
    Header h;
    h.pixels = s.u32(10);
    h.size = s.u32(14);
    h.width = s.u32(18);
    const std::uint32_t height = s.u32(22);
    h.height = height >= 0x80000000u ? 0u - height : height;   // negative: rows from the top
    h.planes = s.u16(26);
    h.bits = s.u16(28);
    h.compression = s.u32(30);
    return h;
}

/// What is beyond what is read here; "" for nothing.
std::string unusual(const Header& h) {
    const bool depth = h.bits == 1 || h.bits == 4 || h.bits == 8 || h.bits == 16 || h.bits == 24 || h.bits == 32;
    const bool masks = h.compression == 3 && (h.bits == 16 || h.bits == 32);
    if (h.planes != 1 || !depth) {
        return std::to_string(h.planes) + " planes of " + std::to_string(h.bits) + " bits";
    }
    return h.compression == 0 || masks ? "" : "compression " + std::to_string(h.compression);
}

/// The byte of an index that the palette does not have; 0 where there is none.
std::size_t foreign_index(const Source& s, const Header& h) {
    if (h.entries() >= 1u << h.bits) {
        return 0;
    }
    for (std::uint64_t y = 0; y < h.height; ++y) {
        for (std::uint64_t x = 0; x < h.width; ++x) {
            const std::uint64_t bit = x * h.bits;
            const std::size_t at = h.pixels + y * h.row_bytes() + bit / 8;
            if ((s.u8(at) >> (8 - h.bits - bit % 8) & ((1u << h.bits) - 1)) >= h.entries()) {
                return at;
            }
        }
    }
    return 0;
}

}  // namespace

bool is_bmp(const Source& source) { return source.begins_with("BM"); }

core::Result<Image> read_bmp(const Source& source) {
    if (source.bytes.size() < kFileHeaderSize + kInfoHeaderSize) {
        return unreadable(source, "BMP", core::Code::Truncated, "the file ends too early");
    }
    if (const std::uint32_t size = source.u32(kFileHeaderSize); size != 40 && size != 56 && size != 108 && size != 124) {
        return unreadable(source, "BMP", core::Code::Unsupported, "a header of " + std::to_string(size) + " bytes");
    }
    const Header header = header_of(source);
    if (std::string what = unusual(header); !what.empty()) {
        return unreadable(source, "BMP", core::Code::Unsupported, std::move(what));
    }
    const bool can_hold = header.pixels + header.row_bytes() * header.height <= source.bytes.size();
    if (auto good = check_size(source, "BMP", header.width, header.height, can_hold); !good) {
        return core::Fault(std::move(good.error()));
    }
    if (header.indexed()) {
        if (header.entries() == 0 || header.entries() > 256) {
            return unreadable(source, "BMP", core::Code::Malformed, "a palette of " + std::to_string(header.entries()) + " entries");
        }
        if (const std::size_t at = foreign_index(source, header); at != 0) {
            return unreadable(source, "BMP", core::Code::Malformed, "the index at byte " + std::to_string(at) + " is not below " + std::to_string(header.entries()));
        }
    }
    const std::size_t headers = kFileHeaderSize + header.size + (header.compression == 3 && header.size == kInfoHeaderSize ? kMaskSize : 0);
    if (header.indexed() || header.pixels <= headers) {
        return read_by_stb(source, "BMP");
    }
    // stb_image takes no gap in front of the pixels.
    core::Bytes closed(source.bytes.begin(), source.bytes.begin() + static_cast<std::ptrdiff_t>(headers));
    for (std::size_t k = 0; k < 4; ++k) {
        closed[10 + k] = static_cast<std::byte>(headers >> 8 * k);
    }
    closed.insert(closed.end(), source.bytes.begin() + header.pixels, source.bytes.end());
    return read_by_stb({closed, source.file, source.limits}, "BMP");
}

}  // namespace gomkit::image
