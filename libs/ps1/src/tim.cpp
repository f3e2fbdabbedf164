#include "tim.hpp"

#include "read.hpp"

namespace gomkit::ps1 {
namespace {

constexpr std::size_t kHeaderSize = 8;

core::Fault fault(core::Code code, const std::string& file, const char* part, std::size_t byte, std::string what, std::string found, std::string expected) {
    return core::fail(code, core::Place{file, part, byte, std::nullopt}, std::move(what), std::move(found), std::move(expected), "make the TIM again");
}

core::Result<TimBlock> read_block(std::span<const std::byte> bytes, const std::string& file, const char* part, std::size_t at) {
    if (at > bytes.size() || bytes.size() - at < kTimBlockHeaderSize) {
        return fault(core::Code::Truncated, file, part, at, "the TIM ends before its block", std::to_string(bytes.size()) + " bytes", {});
    }
    const std::uint32_t size = load32(bytes, at);
    TimBlock block{load16(bytes, at + 4), load16(bytes, at + 6), load16(bytes, at + 8), load16(bytes, at + 10), at + kTimBlockHeaderSize};
    const std::size_t expected = kTimBlockHeaderSize + std::size_t{2} * block.width * block.height;
    if (size != expected) {
        return fault(core::Code::Malformed, file, part, at, "the block's size is not that of its rectangle", std::to_string(size), std::to_string(expected));
    }
    if (size > bytes.size() - at) {
        return fault(core::Code::Truncated, file, part, at, "the TIM ends inside a block", std::to_string(bytes.size() - at) + " bytes", std::to_string(size) + " bytes");
    }
    if (block.width == 0 || block.height == 0 || block.x + block.width > kVramWidth || block.y + block.height > kVramHeight) {
        return fault(core::Code::Malformed, file, part, at + 4, "the block does not lie in the console's memory",
                     std::to_string(block.width) + " x " + std::to_string(block.height) + " at " + std::to_string(block.x) + ", " + std::to_string(block.y), "1024 x 512 halfwords");
    }
    return block;
}

void copy(const TimBlock& block, std::span<const std::byte> bytes, Vram& vram) {
    std::size_t at = block.data;
    for (int y = 0; y < block.height; ++y) {
        for (int x = 0; x < block.width; ++x, at += 2) {
            vram.set(block.x + x, block.y + y, load16(bytes, at));
        }
    }
}

}  // namespace

core::Result<Tim> read_tim(std::span<const std::byte> bytes, const std::string& file) {
    if (bytes.size() < 4 || load32(bytes, 0) != kTimMagic) {
        return fault(core::Code::NotThisFormat, file, "", 0, "this is no TIM", {}, "a file that begins with 10 00 00 00");
    }
    if (bytes.size() < kHeaderSize) {
        return fault(core::Code::Truncated, file, "", 0, "the TIM ends inside its header", std::to_string(bytes.size()) + " bytes", "8 bytes");
    }
    const std::uint32_t flags = load32(bytes, 4);
    Tim tim;
    tim.depth = static_cast<std::uint8_t>(flags & 7);
    const bool indexed = tim.depth < kDirectDepth;
    if (tim.depth > kDirectDepth || indexed != ((flags & kTimHasPalette) != 0)) {
        return fault(core::Code::Unsupported, file, "flags", 4, "the TIM is of a kind that cannot be drawn", std::to_string(flags), "8 or 9 (with a palette) or 2 (without)");
    }
    std::size_t at = kHeaderSize;
    if (indexed) {
        auto palette = read_block(bytes, file, "palette", at);
        if (!palette) {
            return core::Fault(std::move(palette.error()));
        }
        if (palette->x % 16 != 0) {
            return fault(core::Code::Malformed, file, "palette", at + 4, "the palette begins where packets cannot name it", "x " + std::to_string(palette->x), "a multiple of 16");
        }
        tim.palette = *palette;
        at += load32(bytes, at);
    }
    auto pixels = read_block(bytes, file, "pixels", at);
    if (!pixels) {
        return core::Fault(std::move(pixels.error()));
    }
    tim.pixels = *pixels;
    return tim;
}

TexturePlace upload(const Tim& tim, std::span<const std::byte> bytes, Vram& vram) {
    copy(tim.pixels, bytes, vram);
    TexturePlace place;
    place.page = page_word({tim.pixels.x, tim.pixels.y}, tim.depth);
    if (tim.palette) {
        copy(*tim.palette, bytes, vram);
        place.clut = clut_word({tim.palette->x, tim.palette->y});
    }
    return place;
}

}  // namespace gomkit::ps1
